//! Reads against evaluation, on one pool that is moved about: each question comes with a hint of its own, right or wrong.

use super::{Hints, Ways, Window};
use crate::pool::Pool;
use std::sync::Arc;
use strata_query::{Answer, Budget, Path, Reason, Solver};
use strata_term::{Assignment, Bits, Random, Term, eval};

/// Says the same of every index.
struct Said(Option<Window>);

impl Hints for Said {
    fn window(&mut self, _: &Term, _: u64) -> Option<Window> {
        self.0
    }
}

const WIDTH: u32 = 16;

/// An index over `i`: as it is, the element of an array, a field of a structure, or masked; a field of one of a few structures.
fn index(random: &mut Random, i: &Term) -> Term {
    let number = |value: u64| Term::number(WIDTH, value);
    match random.below(7) {
        0 => i.clone(),
        1 => i.mul(&number(4)),
        2 => i.mul(&number(8)).add(&number(random.below(8) as u64)),
        3 => i.mul(&number(12)).add(&number(random.below(12) as u64)),
        4 => i.and(&number(63)),
        5 => i.and(&number(7)).mul(&number(6)).add(&number(random.below(6) as u64)),
        _ => i.add(&number(random.below(9) as u64)).mul(&number(2)),
    }
}

fn window(random: &mut Random) -> Option<Window> {
    let (a, b) = (random.below(300) as u64, random.below(40) as u64);
    if random.below(4) == 0 { None } else { Window::new(a, a + b, [1, 1, 2, 4, 8, 12][random.below(6)]) }
}

/// Contents with runs, longer than a first block; of the long ones only windows are built.
fn table(random: &mut Random) -> Term {
    let (long, few) = (random.below(2) * 4200, 1 + random.below(5));
    let length = long + 1 + random.below(300);
    let contents: Vec<u8> = (0..length).map(|at| (at / few) as u8 ^ random.below(2) as u8).collect();
    let table = Term::constant_array(WIDTH, Arc::from(contents));
    match random.below(4) {
        0 => {
            let (place, value) = (Term::symbol("p", WIDTH), Term::symbol("v", 32));
            table.write(&index(random, &place), &value)
        }
        _ => table,
    }
}

/// A read at an index that the path fixes is what evaluation says and nothing else, whatever was said of the index; on the way the same read is met with other
/// windows, and as part of other questions.
fn walk(seed: u64, ways: Ways) -> super::ArrayStatistics {
    let mut random = Random(seed);
    let mut pool = Pool::new(ways);
    let inputs = [("i", WIDTH), ("j", WIDTH), ("p", WIDTH), ("v", 32)].map(|(name, width)| Term::symbol(name, width));
    let reads: Vec<Term> = (0..3)
        .map(|_| {
            let (table, input) = (table(&mut random), inputs[random.below(2)].clone());
            let place = index(&mut random, &input);
            table.read(&place, [1, 1, 2, 4, 8, 12][random.below(6)])
        })
        .collect();
    for _ in 0..24 {
        let mut model = Assignment::default();
        for input in &inputs {
            let value = if random.below(4) == 0 { random.number() } else { random.below(90) as u64 };
            model.set(input, Bits::new(input.width(), value));
        }
        let fixed: Vec<Term> = inputs.iter().map(|input| input.eq(&Term::constant(eval(input, &model)))).collect();
        let mut path = Path::default();
        let read = &reads[random.below(reads.len())];
        let value = Term::constant(eval(read, &model));
        // Another read, at an index that nothing is said of: the instance knows more than the question needs.
        let other = &reads[random.below(reads.len())];
        let known = random.below(2) == 0;
        if known {
            pool.extend(&mut path, &other.eq(&Term::constant(eval(other, &model))));
        }
        let (right, wrong) = (read.eq(&value), read.eq(&value).not());
        for (condition, possible) in [(right, true), (wrong, false)] {
            let assumptions: Vec<Term> = fixed.iter().chain([&condition]).cloned().collect();
            let hint = window(&mut random);
            let answer = pool.check_with(&path, &assumptions, &Budget::default(), &mut Said(hint));
            assert_eq!(
                matches!(answer, Answer::Sat(_)),
                possible,
                "seed {seed}: {condition:?} with {hint:?}: {answer:?}"
            );
        }
        // Somewhere in the table: the model, which the pool evaluates, may be anywhere.
        let hint = window(&mut random);
        let answer = pool.check_with(&path, &[read.eq(&value)], &Budget::default(), &mut Said(hint));
        assert!(matches!(answer, Answer::Sat(_)), "seed {seed}: {answer:?}");
    }
    *pool.figures()
}

#[test]
fn hints_change_no_answer() {
    let mut total = super::ArrayStatistics::default();
    for seed in 0..150u64 {
        let ways = Ways { types: !seed.is_multiple_of(3), windows: !seed.is_multiple_of(5) };
        total += walk(seed, ways);
    }
    assert!(total.windows > 50 && total.trees > 50 && total.elements > 50, "{total:?}");
    assert!(total.added <= total.generated + total.possible, "{total:?}");
}

/// The type paper's example: two integers out of four, at indices of two and three.
#[test]
fn elements_of_a_window_are_few_axioms() {
    let number = |value: u64| Term::number(32, value);
    let contents: Vec<u8> = [0u32, 0, 0, 9].iter().flat_map(|element| element.to_le_bytes()).collect();
    let table = Term::constant_array(32, Arc::from(contents));
    let [i, j] = ["i", "j"].map(|name| Term::symbol(name, 32));
    let read = |index: &Term| table.read(&index.mul(&number(4)), 4);
    let mut path = Path::default();
    let mut pool = Pool::default();
    for condition in [i.ult(&number(4)), j.ult(&number(4)), number(4).ult(&i.add(&j))] {
        pool.extend(&mut path, &condition);
    }
    let question = number(10).ult(&read(&i).add(&read(&j)));
    let mut hint = Said(Window::new(8, 12, 4));
    let answer = pool.check_with(&path, &[question], &Budget::default(), &mut hint);
    let Answer::Sat(model) = answer else { panic!("{answer:?}") };
    assert_eq!([eval(&i, &model).low_u64(), eval(&j, &model).low_u64()], [3, 3]);
    let figures = pool.figures();
    assert_eq!((figures.possible, figures.elements, figures.windows), (156, 2, 2));
    assert!(figures.generated <= 20 && figures.added <= 20, "{figures:?}");
}

/// A long table costs what can be reached of it.
#[test]
fn a_window_of_a_long_table_is_small() {
    let mut random = Random(1);
    let table = Term::constant_array(32, (0..4096 * 8).map(|_| random.number() as u8).collect::<Arc<[u8]>>());
    let i = Term::symbol("i", 32);
    let read = table.read(&i.mul(&Term::number(32, 8)), 8);
    let mut pool = Pool::default();
    let bounded = i.ult(&Term::number(32, 16));
    let question = read.ult(&Term::number(64, 1 << 62));
    let mut hint = Said(Window::new(0, 120, 8));
    let answer = pool.check_with(&Path::default(), &[bounded, question], &Budget::default(), &mut hint);
    assert!(matches!(answer, Answer::Sat(_)));
    assert_eq!(pool.figures().generated, 16 * 8);
    // Elsewhere the rest is found piece by piece.
    let far = Term::number(32, 4000).ult(&i).and(&i.ult(&Term::number(32, 4005)));
    let value = table.read(&Term::number(32, 4002 * 8), 8);
    for (condition, possible) in [(read.eq(&value), true), (read.eq(&value).and(&i.eq(&Term::number(32, 4001))), false)]
    {
        let answer = pool.check(&Path::default(), &[far.clone(), condition], &Budget::default());
        assert_eq!(matches!(answer, Answer::Sat(_)), possible);
    }
    assert!(pool.figures().generated < 16 * 8 + 8 * 1024, "{:?}", pool.figures());
}

/// Where the model is told to be near is tried first, and given up where it is not: the answer is the same, and so is a limit.
#[test]
fn a_model_far_from_where_it_is_looked_for() {
    let input = Term::array("in", 32);
    let number = |value| Term::number(48, value);
    let [first, second] = [0, 3].map(|at| input.read(&Term::number(32, at), 3).zext(48));
    let [small, other] = [&first, &second].map(|word| number(1 << 22).ult(word));
    let question = [first.mul(&second).eq(&number(15_485_863 * 12_582_917)), small, other];
    let near = Assignment::default();
    let mut pool = Pool::default();
    let few = Budget { conflicts: Some(1000), ..Budget::default() };
    let answer = pool.check_with(&Path::default(), &question, &few, &mut Some(&near));
    assert_eq!(answer, Answer::Unknown(Reason::Conflicts), "or it is too easy");
    let answer = pool.check_with(&Path::default(), &question, &Budget::default(), &mut Some(&near));
    let Answer::Sat(model) = answer else { panic!("{answer:?}") };
    let again = pool.check_with(&Path::default(), &question, &Budget::default(), &mut Some(&model));
    assert!(matches!(again, Answer::Sat(_)));
}
