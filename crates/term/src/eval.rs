//! The value of terms under an assignment of the inputs.
//!
//! An `Evaluator` lays the DAG out once, arguments first, and then runs over it for as many assignments as are
//! tried: values up to 64 bits are plain integers, nothing is hashed, nothing recurses. Arrays have no value
//! of their own: a read walks down the writes to the one that decides it.

use crate::assignment::{Assignment, Cells};
use crate::bits::Bits;
use crate::clause;
use crate::fold::{fold, fold_narrow};
use crate::need;
use crate::op::Op;
use crate::store::Term;
use crate::walk::post_order;
use rustc_hash::FxHashMap;

struct Step {
    op: Op,
    width: u32,
    low: u32,
    /// Width of the first argument.
    from: u32,
    args: [u32; 3],
    /// No value or argument is wider than 64 bits.
    narrow: bool,
    /// An array: it has no value of its own.
    array: bool,
    /// It depends on a bound variable: it has a value for each instance of a clause.
    open: bool,
}

/// A clause, and what its instances need.
struct Loop {
    /// The step that is its variable; a raw clause may be without.
    variable: Option<usize>,
    /// The steps that depend on it, arguments first.
    body: Vec<usize>,
}

/// A DAG laid out for evaluation.
pub struct Evaluator {
    roots: Vec<Term>,
    steps: Vec<Step>,
    place: FxHashMap<u32, u32>,
    /// By the step of the clause.
    loops: FxHashMap<u32, Loop>,
    /// Leaves that need the assignment or a payload: step and term.
    leaves: Vec<(u32, Term)>,
    values: Vec<u64>,
    wide: FxHashMap<u32, Bits>,
}

/// Where reads of an array symbol or a table look.
enum Base<'a> {
    Input(Option<&'a Cells>),
    Contents(&'a [u8]),
}

impl Evaluator {
    /// Lays out `roots` and everything below them.
    pub fn new(roots: &[Term]) -> Evaluator {
        let order = post_order(roots);
        let mut place = FxHashMap::default();
        let mut steps = Vec::with_capacity(order.len());
        let mut leaves = Vec::new();
        let mut loops = FxHashMap::default();
        for (number, term) in order.iter().enumerate() {
            let number = number as u32;
            let mut args = [0; 3];
            for (slot, arg) in args.iter_mut().zip(term.args()) {
                *slot = place[&arg.id()];
            }
            let bits_fit = |t: &Term| t.is_array() || t.width() <= 64;
            steps.push(Step {
                op: term.op(),
                width: term.width(),
                low: if term.op() == Op::Extract { term.low() } else { 0 },
                from: term.args().first().map_or(0, Term::width),
                args,
                narrow: bits_fit(term) && term.args().iter().all(bits_fit),
                array: term.is_array(),
                open: term.is_open(),
            });
            if term.op() == Op::Forall {
                let body: Vec<usize> =
                    clause::open(term.arg(1)).iter().map(|node| place[&node.id()] as usize).collect();
                let variable = body.iter().copied().find(|at| steps[*at].op == Op::Bound);
                let body = body.into_iter().filter(|at| steps[*at].op != Op::Bound).collect();
                loops.insert(number, Loop { variable, body });
            }
            if matches!(term.op(), Op::Const | Op::Symbol | Op::ArraySymbol | Op::Table) {
                leaves.push((number, (*term).clone()));
            }
            place.insert(term.id(), number);
        }
        let values = vec![0; steps.len()];
        Evaluator { roots: roots.to_vec(), steps, place, loops, leaves, values, wide: FxHashMap::default() }
    }

    /// Computes every value under `assignment`.
    pub fn run(&mut self, assignment: &Assignment) {
        let mut cells: FxHashMap<u32, Base> = FxHashMap::default();
        let leaves = std::mem::take(&mut self.leaves);
        for (number, term) in &leaves {
            let value = match term.op() {
                Op::ArraySymbol => {
                    cells.insert(*number, Base::Input(assignment.array(term)));
                    continue;
                }
                Op::Table => {
                    cells.insert(*number, Base::Contents(term.contents().expect("a table has contents")));
                    continue;
                }
                Op::Symbol => assignment.get(term),
                _ => term.as_const().expect("the other leaves are constants"),
            };
            if term.width() <= 64 {
                self.values[*number as usize] = value.low_u64();
            } else {
                self.wide.insert(*number, value);
            }
        }
        let loops = std::mem::take(&mut self.loops);
        for number in 0..self.steps.len() {
            let step = &self.steps[number];
            if step.op == Op::Forall {
                self.clause(number, &loops[&(number as u32)], &cells);
            } else if !step.open {
                self.step(number, &cells);
            }
        }
        drop(cells);
        self.loops = loops;
        self.leaves = leaves;
    }

    /// Instance by instance, up to the first that is false.
    fn clause(&mut self, number: usize, instances: &Loop, cells: &FxHashMap<u32, Base>) {
        let [bound, body, _] = self.steps[number].args.map(|arg| arg as usize);
        let mut holds = true;
        for i in 1..=self.values[bound] {
            if let Some(variable) = instances.variable {
                self.values[variable] = i;
            }
            instances.body.iter().for_each(|step| self.step(*step, cells));
            holds = self.values[body] != 0;
            if !holds {
                break;
            }
        }
        self.values[number] = u64::from(holds);
    }

    fn step(&mut self, number: usize, cells: &FxHashMap<u32, Base>) {
        let step = &self.steps[number];
        match step.op {
            Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write => {}
            Op::Bound | Op::Forall => {}
            Op::Read => self.read(number, cells),
            Op::Ite if step.array => {}
            Op::Not
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Add
            | Op::Sub
            | Op::Mul
            | Op::UDiv
            | Op::SDiv
            | Op::URem
            | Op::SRem
            | Op::Shl
            | Op::LShr
            | Op::AShr
            | Op::Concat
            | Op::Extract
            | Op::ZExt
            | Op::SExt
            | Op::Eq
            | Op::Ult
            | Op::Slt
            | Op::Ite => self.fold(number),
        }
    }

    fn bits(&self, number: u32) -> Bits {
        let step = &self.steps[number as usize];
        if step.width <= 64 { Bits::new(step.width, self.values[number as usize]) } else { self.wide[&number].clone() }
    }

    fn fold(&mut self, number: usize) {
        let step = &self.steps[number];
        if step.narrow {
            let [a, b, c] = step.args.map(|arg| self.values[arg as usize]);
            self.values[number] = fold_narrow(step.op, step.width, step.low, step.from, a, b, c);
            return;
        }
        let args: Vec<Bits> = step.args[..step.op.info().arity].iter().map(|arg| self.bits(*arg)).collect();
        let args: Vec<&Bits> = args.iter().collect();
        let value = fold(step.op, step.width, step.low, &args).expect("leaves and arrays are handled by the caller");
        self.store(number, value);
    }

    fn store(&mut self, number: usize, value: Bits) {
        if value.width() <= 64 {
            self.values[number] = value.low_u64();
        } else {
            self.wide.insert(number as u32, value);
        }
    }

    fn read(&mut self, number: usize, cells: &FxHashMap<u32, Base>) {
        let step = &self.steps[number];
        let (array, index_width) = (step.args[0], step.from);
        let index = self.values[step.args[1] as usize];
        let bytes = step.width / 8;
        let byte = |i: u32| self.cell(array, index.wrapping_add(u64::from(i)) & crate::bits::mask(index_width), cells);
        if step.width <= 64 {
            self.values[number] = (0..bytes).rev().fold(0, |value, i| value << 8 | u64::from(byte(i)));
        } else {
            let all: Vec<u8> = (0..bytes).map(byte).collect();
            let value = Bits::from_big(step.width, num_bigint::BigUint::from_bytes_le(&all));
            self.wide.insert(number as u32, value);
        }
    }

    fn cell(&self, mut array: u32, index: u64, cells: &FxHashMap<u32, Base>) -> u8 {
        loop {
            let step = &self.steps[array as usize];
            let value = |arg: usize| self.values[step.args[arg] as usize];
            array = match step.op {
                Op::Write if value(1) == index => return value(2) as u8,
                Op::Write => step.args[0],
                Op::Fill => return value(0) as u8,
                Op::Ite => step.args[if value(0) != 0 { 1 } else { 2 }],
                // An array symbol or a table.
                _ => match &cells[&array] {
                    Base::Input(known) => return known.map_or(0, |known| known.get(index)),
                    Base::Contents(bytes) => match usize::try_from(index).ok().and_then(|i| bytes.get(i)) {
                        Some(byte) => return *byte,
                        None => step.args[0],
                    },
                },
            };
        }
    }

    /// The value of a laid-out bit-vector after `run`.
    pub fn value(&self, term: &Term) -> Bits {
        self.bits(self.place[&term.id()])
    }

    /// The truth of a laid-out one-bit term after `run`.
    pub fn truth(&self, term: &Term) -> bool {
        self.values[self.place[&term.id()] as usize] == 1
    }

    /// Are all roots (truth values) true under `assignment`?
    pub fn holds(&mut self, assignment: &Assignment) -> bool {
        self.run(assignment);
        self.roots.iter().all(|root| self.truth(root))
    }
}

/// The value of one term under an assignment.
pub fn eval(term: &Term, assignment: &Assignment) -> Bits {
    if let Some(value) = need::value(term, assignment) {
        return Bits::new(term.width(), value);
    }
    let mut evaluator = Evaluator::new(std::slice::from_ref(term));
    evaluator.run(assignment);
    evaluator.value(term)
}

/// Are all these conditions true under an assignment? For those that are looked at once; an `Evaluator` is for more often.
pub fn hold(conditions: &[&Term], assignment: &Assignment) -> bool {
    need::hold(conditions.iter().copied(), assignment).unwrap_or_else(|| {
        let conditions: Vec<Term> = conditions.iter().copied().cloned().collect();
        Evaluator::new(&conditions).holds(assignment)
    })
}

/// The first `size` bytes of an array under an assignment.
pub fn eval_array(array: &Term, size: u64, assignment: &Assignment) -> Vec<u8> {
    if array.op() == Op::ArraySymbol {
        let cells = assignment.array(array);
        return (0..size).map(|i| cells.map_or(0, |cells| cells.get(i))).collect();
    }
    if let Some(contents) = array.contents().filter(|contents| contents.len() as u64 >= size) {
        return contents[..size as usize].to_vec();
    }
    let bytes: Vec<Term> = (0..size).map(|i| array.read(&Term::number(array.width(), i), 1)).collect();
    eval_bytes(&bytes, assignment)
}

/// The values of bytes under an assignment.
pub fn eval_bytes(bytes: &[Term], assignment: &Assignment) -> Vec<u8> {
    let mut evaluator = Evaluator::new(bytes);
    evaluator.run(assignment);
    bytes.iter().map(|byte| evaluator.value(byte).low_u64() as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_their_cells() {
        let (input, number) = (Term::array("a", 32), |n| Term::number(32, n));
        let table = Term::constant_array(32, [7u8, 8, 9].as_slice().into());
        let mut model = Assignment::default();
        model.set_cell(&input, 1, 5);
        let written = table.write(&input.read(&number(1), 1).zext(32), &Term::number(8, 1));
        for array in [input, table, written] {
            for size in [0, 2, 3, 8] {
                let cells = (0..size).map(|i| eval(&array.read(&number(i), 1), &model).low_u64() as u8);
                assert_eq!(eval_array(&array, size, &model), cells.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn reads_see_the_newest_write() {
        let a = Term::array("a", 32);
        let (i, j) = (Term::symbol("i", 32), Term::symbol("j", 32));
        let written = a.write(&i, &Term::number(8, 7)).write(&j, &Term::number(16, 0x0102));
        let mut model = Assignment::default();
        model.set(&i, Bits::new(32, 5));
        model.set(&j, Bits::new(32, 4));
        model.set_cell(&a, 6, 9);
        let word = written.read(&Term::number(32, 4), 4);
        assert_eq!(eval(&word, &model), Bits::new(32, 0x0009_0102));
        model.set(&j, Bits::new(32, 0xffff_ffff));
        assert_eq!(eval(&written.read(&j, 2), &model), Bits::new(16, 0x0102), "indices wrap");
    }

    #[test]
    fn wide_values() {
        let x = Term::symbol("x", 4096);
        let mut model = Assignment::default();
        model.set(&x, Bits::ones(4096));
        assert_eq!(eval(&x.mul(&x), &model), Bits::one(4096));
        assert_eq!(eval(&x.add(&x).extract(70, 0), &model), Bits::ones(71).sub(&Bits::one(71)));
    }
}
