//! Ladders against all values of four small bytes, on paths that fork.

use crate::LAYERS;
use crate::stack::{Backend, Selection, Stack};
use std::sync::Arc;
use strata_query::{Answer, Budget, Model, Path, Solver};
use strata_term::{Evaluator, Random, Term, eval, mask};

/// Bytes, and the values that each has.
const BYTES: usize = 4;
const VALUES: u64 = 4;

struct World {
    input: Term,
    bytes: Vec<Term>,
    table: Term,
    /// What programs carry along: states of scanners, sums, flags.
    carried: Vec<Term>,
}

impl World {
    fn new(random: &mut Random) -> World {
        let input = Term::array("in", 32);
        let bytes: Vec<Term> = (0..BYTES as u64).map(|at| input.read(&Term::number(32, at), 1)).collect();
        let table = Term::constant_array(32, (0..40).map(|_| random.below(8) as u8).collect::<Arc<[u8]>>());
        let mut world = World { input, carried: vec![bytes[0].zext(32)], bytes, table };
        for _ in 0..10 {
            let next = world.next(random);
            world.carried.push(next);
        }
        world
    }

    /// What a program makes of what it carries and another byte.
    fn next(&self, random: &mut Random) -> Term {
        let (state, byte) = (random.pick(&self.carried), random.pick(&self.bytes).zext(32));
        let few = Term::number(32, random.below(6) as u64);
        let three = Term::number(32, 3);
        match random.below(6) {
            0 => self.table.read(&state.mul(&Term::number(32, 4)).add(&byte), 1).zext(32),
            1 => state.xor(&byte).and(&Term::number(32, 7)),
            2 => Term::ite(&byte.ult(&few), state, &byte.add(&few)),
            3 => {
                let written = self.table.write(&state.and(&three), &byte.extract(7, 0));
                written.read(&random.pick(&self.carried).and(&three), 1).zext(32)
            }
            4 => state.add(random.pick(&self.carried)),
            _ => self.table.read(&state.and(&three), 4),
        }
    }

    fn condition(&self, random: &mut Random) -> Term {
        let (left, few) = (random.pick(&self.carried), Term::number(32, random.below(8) as u64));
        let (byte, other) = (random.pick(&self.bytes), random.pick(&self.bytes));
        let compared = match random.below(5) {
            0 => left.eq(&few),
            1 => left.ult(&few),
            2 => byte.zext(32).eq(left),
            3 => byte.eq(&few.extract(7, 0)),
            _ => byte.ult(other),
        };
        if random.one_in(2) { compared.not() } else { compared }
    }

    fn models(&self) -> Vec<Model> {
        let model = |number: u64| {
            let mut model = Model::default();
            for at in 0..BYTES as u64 {
                model.set_cell(&self.input, at, (number / VALUES.pow(at as u32) % VALUES) as u8);
            }
            model
        };
        (0..VALUES.pow(BYTES as u32)).map(model).collect()
    }
}

/// A path, a model of it, and all its models.
type Known<'a> = (Path, Model, Vec<&'a Model>);

/// A term's range, only value and values, and those of a sum with it, against all models of a path. Tells whether values were known.
fn values(stack: &mut Stack, path: &Path, term: &Term, all: &[&Model]) -> bool {
    let mut values: Vec<u64> = all.iter().map(|model| eval(term, model).low_u64()).collect();
    values.sort_unstable();
    values.dedup();
    if let Some(range) = stack.range(path, term) {
        assert!(range.exact, "ladders have all ways");
        assert_eq!((values.first(), values.last()), (Some(&range.least), Some(&range.most)), "{term:?} on {path:?}");
    }
    if let Some(single) = stack.single(path, term) {
        assert_eq!(values, [single], "{term:?} on {path:?}");
    } else {
        assert!(values.len() > 1 || stack.range(path, term).is_none(), "{term:?} on {path:?}");
    }
    let moved = stack.values(path, &term.add(&Term::number(term.width(), mask(term.width()) - 1)));
    if let Some(moved) = moved {
        let mut expected: Vec<u64> = values.iter().map(|value| value.wrapping_sub(2) & mask(term.width())).collect();
        expected.sort_unstable();
        assert_eq!(moved.all, expected, "{term:?} less two on {path:?}");
    }
    let found = stack.values(path, term);
    if let Some(found) = &found {
        assert!(found.exact, "ladders have all ways");
        assert_eq!(found.all, values, "{term:?} on {path:?}");
    }
    found.is_some()
}

#[test]
fn against_all_values() {
    let mut random = Random(12);
    let (mut sat, mut unsat, mut answered, mut listed) = (0, 0, 0, 0);
    for _ in 0..200 {
        let world = World::new(&mut random);
        let models = world.models();
        let mut stack = Stack::new(Selection::parse("ladder").unwrap(), Backend::Builtin(Box::default()), None);
        let mut start = Path::default();
        for byte in &world.bytes {
            stack.extend(&mut start, &byte.ult(&Term::number(8, VALUES)));
        }
        let mut paths: Vec<Known<'_>> = vec![(start, models[0].clone(), models.iter().collect())];
        for _ in 0..60 {
            let (path, witness, all) = random.pick(&paths).clone();
            let condition = world.condition(&mut random);
            if condition.is_const() {
                continue;
            }
            let mut evaluator = Evaluator::new(std::slice::from_ref(&condition));
            listed += usize::from(values(&mut stack, &path, random.pick(&world.carried), &all));
            let left: Vec<&Model> = all.into_iter().filter(|model| evaluator.holds(model)).collect();
            match stack.ask(&path, &witness, &condition, &Budget::default()) {
                Answer::Sat(model) => {
                    sat += 1;
                    let mut next = path.clone();
                    stack.extend(&mut next, &condition);
                    let constraints: Vec<Term> = next.iter().cloned().collect();
                    assert!(Evaluator::new(&constraints).holds(&model), "{constraints:?}");
                    paths.push((next, model, left));
                }
                Answer::Unsat => {
                    unsat += 1;
                    assert!(left.is_empty(), "{condition:?} holds on {path:?}");
                }
                Answer::Unknown(reason) => panic!("{reason:?}"),
            }
        }
        let ladder = LAYERS.iter().position(|row| row.name == "ladder").expect("there is such a layer");
        answered += stack.statistics().layers[ladder].answered;
    }
    assert!(sat > 2500 && unsat > 1500, "{sat} and {unsat}");
    assert!(listed > 2000, "{listed}");
    assert!(answered * 10 > (sat + unsat) * 9, "{answered} of {}", sat + unsat);
}

/// A check over many bytes, asked for at once: four bits are carried from byte to byte.
#[test]
fn a_check_over_all_bytes_at_once() {
    let input = Term::array("in", 32);
    let number = |value| Term::number(32, value);
    let table = Term::constant_array(32, (0..16u8).map(|i| i.wrapping_mul(7) & 15).collect::<Arc<[u8]>>());
    let bytes: Vec<Term> = (0..9).map(|at| input.read(&number(at), 1)).collect();
    let check = |bytes: &mut dyn Iterator<Item = &Term>| {
        bytes.fold(Term::number(8, 5), |rest, byte| table.read(&rest.xor(byte).zext(32).and(&number(15)), 1))
    };
    for backwards in [false, true] {
        let rest = if backwards { check(&mut bytes.iter().rev()) } else { check(&mut bytes.iter()) };
        let mut stack = Stack::new(Selection::parse("ladder").unwrap(), Backend::Builtin(Box::default()), None);
        let mut path = Path::default();
        let mut witness = Model::default();
        for condition in
            [rest.eq(&Term::number(8, 0)), bytes[3].ult(&Term::number(8, 7)), bytes[4].eq(&Term::number(8, 9))]
        {
            match stack.ask(&path, &witness, &condition, &Budget::default()) {
                Answer::Sat(model) => witness = model,
                other => panic!("{other:?}"),
            }
            stack.extend(&mut path, &condition);
        }
        let ladder = LAYERS.iter().position(|row| row.name == "ladder").expect("there is such a layer");
        assert_eq!(stack.statistics().layers[ladder].answered, 3, "backwards: {backwards}");
    }
}
