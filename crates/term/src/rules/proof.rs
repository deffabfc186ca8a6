//! The proof obligations of a rule, discharged by evaluation: for harnesses.
//!
//! A rule must fire on its own shape, keep the value under every assignment, and go down in `measure`. Small terms
//! are evaluated a column at a time: one vector of values for each node, one entry for each assignment. Arrays of at
//! most eight cells are numbers too, a byte a cell.

use super::Rule;
use super::instances::{Instance, every};
use super::measure::measure;
use super::shape::Shape;
use crate::assignment::Assignment;
use crate::bits::{Bits, mask};
use crate::eval::Evaluator;
use crate::fold::fold_narrow;
use crate::op::Op;
use crate::random::Random;
use crate::store::Term;
use crate::walk::{inputs, post_order};
use rustc_hash::FxHashMap;

/// What a rule's instances came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Instances of the shape.
    pub instances: u64,
    /// Those on which the rule fired.
    pub fires: u64,
    /// Assignments on which both sides were compared.
    pub comparisons: u64,
}

/// What is wrong with a rule.
#[derive(Debug)]
pub enum Fault {
    /// No instance of one of its shapes makes it fire: which one, from zero.
    NeverFires(usize),
    /// The two sides differ.
    Differs {
        /// The term as it stands.
        raw: Term,
        /// What the rule makes of it.
        simplified: Term,
        /// Where they differ.
        inputs: Vec<(Term, u64)>,
    },
    /// The result is not smaller.
    Rises {
        /// The term as it stands.
        raw: Term,
        /// What the rule makes of it.
        simplified: Term,
    },
}

/// Inputs of rules of at most this many bits together are tried on all values, others on as many samples.
const EXHAUSTIVE_BITS: u32 = 12;

/// Checks a rule on every instance up to `max_width`.
pub fn prove(rule: &Rule, max_width: u32) -> Result<Tally, Fault> {
    let (mut tally, mut fault, mut random) = (Tally::default(), None, Random(1));
    let mut fires = vec![0; Shape::alternatives(rule.shape).len()];
    every(rule, max_width, |shape, instance| {
        if fault.is_none() {
            fault = judge(instance, &mut tally, &mut random).err();
            fires[shape] += u32::from(instance.simplified.is_some());
        }
    });
    let idle = fires.iter().position(|fires| *fires == 0).map(Fault::NeverFires);
    fault.or(idle).map_or(Ok(tally), Err)
}

fn judge(instance: &Instance, tally: &mut Tally, random: &mut Random) -> Result<(), Fault> {
    tally.instances += 1;
    let Some(simplified) = &instance.simplified else { return Ok(()) };
    let (raw, simplified) = (instance.raw.clone(), simplified.clone());
    tally.fires += 1;
    if measure(&simplified) >= measure(&raw) {
        return Err(Fault::Rises { raw, simplified });
    }
    match differ_narrow(&raw, &simplified, EXHAUSTIVE_BITS, random) {
        Ok(comparisons) => tally.comparisons += comparisons,
        Err(inputs) => return Err(Fault::Differs { raw, simplified, inputs }),
    }
    Ok(())
}

/// How many bits an input of a narrow term has: an array's are those of its cells.
fn bits_of(input: &Term) -> u32 {
    if input.is_array() { 8 << input.width() } else { input.width() }
}

/// Compares two narrow terms (at most 64 bits, arrays of at most 8 cells): how many assignments were tried, or one
/// on which they differ. Exhaustive if the inputs have at most `exhaustive` bits together, else as many samples.
pub fn differ_narrow(
    raw: &Term,
    simplified: &Term,
    exhaustive: u32,
    random: &mut Random,
) -> Result<u64, Vec<(Term, u64)>> {
    let order = post_order([raw, simplified]);
    let leaves = inputs([raw, simplified]);
    let bits: u32 = leaves.iter().map(|leaf| bits_of(leaf)).sum();
    let rows = 1usize << bits.min(exhaustive);
    let mut columns: FxHashMap<u32, Vec<u64>> = FxHashMap::default();
    let mut shift = 0;
    for leaf in &leaves {
        let (width, from) = (bits_of(leaf), shift);
        shift += width;
        let mut value = |row: usize| match bits <= exhaustive {
            true => row as u64 >> from & mask(width),
            false if random.below(4) == 0 => random.constant(width).low_u64(),
            false => random.number() & mask(width),
        };
        columns.insert(leaf.id(), (0..rows).map(&mut value).collect());
    }
    for node in order {
        if !columns.contains_key(&node.id()) {
            let column = column(node, rows, &columns);
            columns.insert(node.id(), column);
        }
    }
    let (left, right) = (&columns[&raw.id()], &columns[&simplified.id()]);
    let equal = raw.sort() == simplified.sort() && left == right;
    if equal {
        return Ok(rows as u64);
    }
    let row = (0..rows).find(|row| left[*row] != right[*row]).unwrap_or(0);
    Err(leaves.iter().map(|leaf| ((*leaf).clone(), columns[&leaf.id()][row])).collect())
}

fn column(node: &Term, rows: usize, columns: &FxHashMap<u32, Vec<u64>>) -> Vec<u64> {
    if let Some(value) = node.const_u64() {
        return vec![value; rows];
    }
    let args: Vec<&Vec<u64>> = node.args().iter().map(|arg| &columns[&arg.id()]).collect();
    let at = |i: usize, row: usize| args.get(i).map_or(0, |column| column[row]);
    let (op, width, from) = (node.op(), node.width(), node.arg(0).width());
    let low = if op == Op::Extract { node.low() } else { 0 };
    let value = |row: usize| {
        let (a, b, c) = (at(0, row), at(1, row), at(2, row));
        let cells = 1u64 << width.min(3);
        match op {
            Op::Fill => a * (0x0101_0101_0101_0101 & mask(8 * cells as u32)),
            Op::Table => {
                let contents = node.contents().expect("a table has contents");
                contents.iter().enumerate().fold(a, |array, (i, byte)| store(array, i as u64, u64::from(*byte)))
            }
            Op::Write => store(a, b, c),
            Op::Read => (0..u64::from(width / 8)).fold(0, |word, i| {
                let index = b.wrapping_add(i) & mask(from);
                word | (a >> (8 * index) & 0xff) << (8 * i)
            }),
            Op::Ite => {
                if a == 1 {
                    b
                } else {
                    c
                }
            }
            _ => fold_narrow(op, width, low, from, a, b, c),
        }
    };
    (0..rows).map(value).collect()
}

fn store(array: u64, index: u64, byte: u64) -> u64 {
    array & !(0xff << (8 * index)) | byte << (8 * index)
}

/// A value for an input: a corner, random, or next to a constant of the terms compared, where an equality may hold.
fn guess(width: u32, constants: &[Bits], random: &mut Random) -> Bits {
    if constants.is_empty() || random.below(2) == 0 {
        return random.constant(width);
    }
    let near = constants[random.below(constants.len())].resize(width);
    match random.below(4) {
        0 => near.add(&Bits::one(width)),
        1 => near.sub(&Bits::one(width)),
        _ => near,
    }
}

/// Compares two terms of any width on `tries` random and corner assignments: one on which they differ, if any.
pub fn differ_wide(raw: &Term, simplified: &Term, tries: u32, random: &mut Random) -> Option<Assignment> {
    let leaves: Vec<Term> = inputs([raw, simplified]).into_iter().cloned().collect();
    let constants: Vec<Bits> = post_order([raw, simplified]).into_iter().filter_map(Term::as_const).collect();
    let mut evaluator = Evaluator::new(&[raw.clone(), simplified.clone()]);
    for _ in 0..tries {
        let mut assignment = Assignment::default();
        for leaf in &leaves {
            if leaf.is_array() {
                (0..16).for_each(|cell| assignment.set_cell(leaf, cell, random.number() as u8));
            } else {
                assignment.set(leaf, guess(leaf.width(), &constants, random));
            }
        }
        evaluator.run(&assignment);
        let (left, right): (Bits, Bits) = (evaluator.value(raw), evaluator.value(simplified));
        if left != right {
            return Some(assignment);
        }
    }
    None
}
