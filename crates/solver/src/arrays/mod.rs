//! Arrays by abstraction and refinement.
//!
//! A byte read becomes literals in one of four ways, the first that applies:
//! - through writes whose index surely differs or agrees, down to the value or to the base;
//! - a cell: a constant index into an input array has eight variables of its own, shared by all reads of that cell;
//! - a choice: a constant table is a tree of choices over the bits of the index, a few writes are a chain of choices;
//! - fresh variables, recorded with array and index. Nothing relates them to the array until a model violates what the array says;
//!   then the one axiom that is violated is added, and the search goes on.
//!
//! Sound: without axioms the question is weaker, so a conflict is a conflict; a model is used only when no recorded read
//! violates its array. Terminates: an axiom, once added, is never violated again, and there are finitely many
//! (one for each read and write or each two reads; one for each cell of a table).

mod refine;

use crate::blast::{Blaster, Lit, Word, add, equal, less, look_up, mux};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use strata_term::{Bits, Op, Term, mask};

/// Eight literals, least significant first.
type Byte = [Lit; 8];

/// How many undecided writes one read turns into choices before the rest is left to refinement.
const CHOICES_PER_READ: usize = 32;
/// How many such choices there may be in all; beyond, every read is left to refinement.
const CHOICES: usize = 4096;
/// How many arrays reads pass between two looks at the clock: a place that is known differs from another without a gate.
const PER_LOOK: usize = 4096;
/// The longest table that becomes a tree of choices.
const TREE: usize = 1 << 16;

/// A read that stands for itself until a model violates it.
#[derive(Clone)]
struct Access {
    array: Term,
    index: Word,
    value: Byte,
}

#[derive(Default)]
pub struct Arrays {
    /// Results, by array and index.
    done: FxHashMap<(u32, Word), Byte>,
    /// Cells of input arrays at constant indices.
    cells: Vec<(Term, u64, Byte)>,
    cell_index: FxHashMap<(u32, u64), usize>,
    /// Cells that the path gives a constant value, by array: the beginning without gaps serves as a table.
    known: FxHashMap<u32, Vec<Option<u8>>>,
    /// Reads of input arrays at symbolic indices.
    inputs: Vec<Access>,
    /// Reads of writes, choices and long tables that were left to refinement.
    deferred: Vec<Access>,
    choices: usize,
    /// How many arrays reads have passed.
    passed: usize,
}

fn byte(word: &[Lit]) -> Byte {
    std::array::from_fn(|i| word[i])
}

fn constant(value: u8) -> Byte {
    std::array::from_fn(|i| Lit::constant(value >> i & 1 == 1))
}

/// The value of a constant word of at most 64 bits.
fn known_value(word: &[Lit]) -> Option<u64> {
    word.iter().rev().try_fold(0, |value, lit| Some(value << 1 | u64::from(lit.known()?)))
}

fn fresh(blaster: &mut Blaster) -> Byte {
    std::array::from_fn(|_| blaster.gates.input())
}

impl Arrays {
    /// Lets cells of an input array that were not met yet hold a constant word; tells whether that was possible.
    pub fn bind(&mut self, array: &Term, index: u64, value: &Bits) -> bool {
        let place = |i: u32| index.wrapping_add(u64::from(i)) & mask(array.width());
        let bytes = value.width() / 8;
        // A word longer than the array names cells twice, and not always with one value.
        let wraps = u64::from(bytes - 1) > mask(array.width());
        if wraps || (0..bytes).any(|i| self.cell_index.contains_key(&(array.id(), place(i)))) {
            return false;
        }
        for i in 0..bytes {
            let byte = value.extract(8 * i + 7, 8 * i).low_u64() as u8;
            self.add_cell(array, place(i), constant(byte));
            if place(i) < TREE as u64 {
                let index = place(i) as usize;
                let known = self.known.entry(array.id()).or_default();
                known.resize(known.len().max(index + 1), None);
                known[index] = Some(byte);
            }
        }
        true
    }

    fn add_cell(&mut self, array: &Term, index: u64, value: Byte) {
        self.cell_index.insert((array.id(), index), self.cells.len());
        self.cells.push((array.clone(), index, value));
    }

    /// The word of a read term whose array and index were blasted.
    pub fn read(&mut self, blaster: &mut Blaster, term: &Term) -> Word {
        let (array, index) = (term.arg(0), blaster.word(term.arg(1)).clone());
        let mut word = Word::with_capacity(term.width() as usize);
        for i in 0..u64::from(term.width() / 8) {
            if blaster.gates.stopped().is_some() {
                break;
            }
            let at = offset(blaster, &index, i);
            word.extend(self.read_byte(blaster, array, &at));
        }
        word
    }

    fn read_byte(&mut self, blaster: &mut Blaster, array: &Term, index: &Word) -> Byte {
        let key = (array.id(), index.clone());
        if let Some(value) = self.done.get(&key) {
            return *value;
        }
        let mut choices: Vec<(Lit, Byte)> = Vec::new();
        let mut at = array;
        let mut value = loop {
            self.passed += 1;
            if self.passed.is_multiple_of(PER_LOOK) {
                blaster.gates.look();
            }
            if blaster.gates.stopped().is_some() {
                break constant(0);
            }
            match at.op() {
                Op::Write => {
                    let place = blaster.word(at.arg(1)).clone();
                    let same = equal(&mut blaster.gates, &place, index);
                    let written = || byte(blaster.word(at.arg(2)));
                    match same.known() {
                        Some(true) => break written(),
                        Some(false) => {}
                        None if choices.len() == CHOICES_PER_READ || self.choices >= CHOICES => {
                            break self.defer(blaster, at, index);
                        }
                        None => {
                            choices.push((same, written()));
                            self.choices += 1;
                        }
                    }
                    at = at.arg(0);
                }
                Op::Ite => match blaster.word(at.arg(0))[0].known() {
                    Some(condition) => at = at.arg(if condition { 1 } else { 2 }),
                    None => break self.defer(blaster, at, index),
                },
                Op::Fill => break byte(blaster.word(at.arg(0))),
                Op::Table => {
                    let contents = at.contents().expect("a table has contents").clone();
                    if contents.len() > TREE && known_value(index).is_none() {
                        break self.defer(blaster, at, index);
                    }
                    let (inside, value) = tabulated(blaster, &contents, index);
                    if inside == Lit::TRUE {
                        break value;
                    }
                    choices.push((inside, value));
                    at = at.arg(0);
                }
                Op::ArraySymbol => break self.read_input(blaster, at, index),
                op => unreachable!("{op:?} is not an array"),
            }
        };
        for (condition, chosen) in choices.iter().rev() {
            value = byte(&mux(&mut blaster.gates, *condition, chosen, &value));
        }
        self.done.insert(key, value);
        value
    }

    fn read_input(&mut self, blaster: &mut Blaster, array: &Term, index: &Word) -> Byte {
        if let Some(index) = known_value(index) {
            return self.cell(blaster, array, index);
        }
        // Versions of one array that were not written here share its cells.
        let key = (array.id(), index.clone());
        if let Some(value) = self.done.get(&key) {
            return *value;
        }
        let prefix: Arc<[u8]> = match self.known.get(&array.id()) {
            Some(known) => known.iter().map_while(|byte| *byte).collect(),
            None => Arc::default(),
        };
        let (inside, mut value) = tabulated(blaster, &prefix, index);
        if inside != Lit::TRUE {
            let outside = self.record(blaster, array, index);
            value = byte(&mux(&mut blaster.gates, inside, &value, &outside));
        }
        self.done.insert(key, value);
        value
    }

    fn cell(&mut self, blaster: &mut Blaster, array: &Term, index: u64) -> Byte {
        if let Some(cell) = self.cell_index.get(&(array.id(), index)) {
            return self.cells[*cell].2;
        }
        let value = fresh(blaster);
        self.add_cell(array, index, value);
        value
    }

    /// Fresh variables for a read of an input array at a symbolic index.
    fn record(&mut self, blaster: &mut Blaster, array: &Term, index: &Word) -> Byte {
        let value = fresh(blaster);
        self.inputs.push(Access { array: array.clone(), index: index.clone(), value });
        value
    }

    /// Fresh variables for a read that refinement will relate to its array.
    fn defer(&mut self, blaster: &mut Blaster, array: &Term, index: &Word) -> Byte {
        let key = (array.id(), index.clone());
        if let Some(value) = self.done.get(&key) {
            return *value;
        }
        let value = fresh(blaster);
        self.deferred.push(Access { array: array.clone(), index: index.clone(), value });
        self.done.insert(key, value);
        value
    }
}

fn offset(blaster: &mut Blaster, index: &Word, by: u64) -> Word {
    if by == 0 {
        return index.clone();
    }
    let by: Word = (0..index.len()).map(|i| Lit::constant(i < 64 && by >> i & 1 == 1)).collect();
    add(&mut blaster.gates, index, &by, Lit::FALSE)
}

/// Is `index` inside `contents`, and the byte there if it is.
fn tabulated(blaster: &mut Blaster, contents: &[u8], index: &Word) -> (Lit, Byte) {
    if contents.is_empty() {
        return (Lit::FALSE, constant(0));
    }
    let gates = &mut blaster.gates;
    let last = contents.len() - 1;
    let bits = ((usize::BITS - last.leading_zeros()) as usize).min(index.len());
    let last: Word = (0..index.len()).map(|i| Lit::constant(i < 64 && last >> i & 1 == 1)).collect();
    let inside = !less(gates, &last, index);
    if inside == Lit::FALSE {
        return (inside, constant(0));
    }
    (inside, look_up(gates, contents, &index[..bits]))
}
