//! Arrays by abstraction and refinement.
//!
//! A read of a constant table is a tree of choices over elements, or over a window of them (`table`). Any other read goes byte by byte, and a byte becomes literals in
//! one of four ways, the first that applies:
//! - through writes whose index surely differs or agrees, down to the value or to the base;
//! - a cell: a constant index into an input array has eight variables of its own, shared by all reads of that cell;
//! - a choice: a constant table is a tree of choices over the bits of the index, a few writes are a chain of choices;
//! - fresh variables, recorded with array and index. Nothing relates them to the array until a model violates what the array says;
//!   then the one axiom that is violated is added, and the search goes on.
//!
//! Sound: without axioms the question is weaker, so a conflict is a conflict; a model is used only when no recorded read
//! violates its array. Terminates: an axiom, once added, is never violated again, and there are finitely many
//! (one for each read and write or each two reads; one for each cell of a table).
//!
//! The size of elements is never assumed. An index whose low literals are constants has a residue, and two that differ in it are different by folding; other strides are compared as
//! sets (`apart`). No gate, no choice and no axiom comes of a pair that cannot meet.

mod apart;
mod refine;
mod table;
#[cfg(test)]
mod tests;
mod window;

pub use window::{Hints, Window};

use crate::blast::{Blaster, Lit, Sat, Word, add, equal, less, look_up, mux};
use apart::Spots;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use strata_query::Model;
use strata_term::{Bits, Op, Term, mask};
use table::{Place, Windowed};

/// Eight literals, least significant first.
type Byte = [Lit; 8];

/// How many undecided writes one read turns into choices before the rest is left to refinement.
const CHOICES_PER_READ: usize = 32;
/// How many such choices there may be in all; beyond, every read is left to refinement.
const CHOICES: usize = 4096;
/// How many arrays reads pass between two looks at the clock: a place that is known differs from another without a gate.
const PER_LOOK: usize = 4096;
/// How many writes below a read that was left to refinement are counted: counting is not to cost more than reading.
const COUNTED: usize = 256;
/// The longest table that becomes a tree of choices.
const TREE: usize = 1 << 16;

/// A read that stands for itself until a model violates it.
#[derive(Clone)]
struct Access {
    array: Term,
    index: Word,
    value: Byte,
}

/// What may be used of what is known of indices, so that its worth can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// Elements of several bytes are read as one where their residue is known.
    pub types: bool,
    /// Tables are read within the window that a question leaves their index.
    pub windows: bool,
}

impl Default for Ways {
    fn default() -> Ways {
        Ways { types: true, windows: true }
    }
}

/// How reads were encoded, and what that took. An axiom speaks of one byte: two reads at one index, a read and a write, or a read and a cell of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArrayStatistics {
    /// Axioms that there are without looking at indices.
    pub possible: u64,
    /// Those that residues and windows of the indices left: the only ones that a model was ever held against, or that a tree was built of.
    pub generated: u64,
    /// Those that went to the SAT solver, as a clause or in a tree.
    pub added: u64,
    /// Bytes of inputs at constant indices.
    pub cells: u64,
    /// Bytes read through writes at other places, or as choices between writes.
    pub writes: u64,
    /// Reads of tables as trees over all of their contents.
    pub trees: u64,
    /// Reads of tables as trees over a window.
    pub windows: u64,
    /// Those of the trees, over windows or not, that are over elements of several bytes.
    pub elements: u64,
    /// Reads left to refinement.
    pub deferred: u64,
}

impl std::ops::AddAssign for ArrayStatistics {
    fn add_assign(&mut self, more: ArrayStatistics) {
        self.possible += more.possible;
        self.generated += more.generated;
        self.added += more.added;
        self.cells += more.cells;
        self.writes += more.writes;
        self.trees += more.trees;
        self.windows += more.windows;
        self.elements += more.elements;
        self.deferred += more.deferred;
    }
}

#[derive(Default)]
pub struct Arrays {
    ways: Ways,
    figures: ArrayStatistics,
    /// How many bytes were read of an array at indices that are not constant, by its base.
    met: FxHashMap<u32, u64>,
    /// Results, by array and index; with the read of a table in them of which only pieces were built, if there is one.
    done: FxHashMap<(u32, Word), (Byte, Option<usize>)>,
    /// Reads of constant tables, by array, index and number of bytes.
    elements: FxHashMap<(u32, Word, u32), (Word, Option<usize>)>,
    windowed: Vec<Windowed>,
    spots: Spots,
    /// Are windows of short tables made? They pay where one question is all there is.
    once: bool,
    /// Was one made?
    provisional: bool,
    /// How often a window was too small.
    misplaced: usize,
    /// Cells of input arrays at constant indices.
    cells: Vec<(Term, u64, Byte)>,
    /// What the search was told to try for them.
    preferred: Vec<Option<u8>>,
    cell_index: FxHashMap<(u32, u64), usize>,
    /// Cells that the path gives a constant value, by array: the beginning without gaps serves as a table.
    known: FxHashMap<u32, Vec<Option<u8>>>,
    /// Reads of input arrays at symbolic indices.
    inputs: Vec<Access>,
    /// Reads of writes, choices and long tables that were left to refinement.
    deferred: Vec<Access>,
    choices: usize,
    /// How many of them the first question took.
    first: Option<usize>,
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

fn fresh_word(blaster: &mut Blaster, bytes: u32) -> Word {
    (0..8 * bytes).map(|_| blaster.gates.input()).collect()
}

impl Arrays {
    /// For one question, or for many.
    pub fn new(ways: Ways, once: bool) -> Arrays {
        Arrays { ways, once, ..Arrays::default() }
    }

    /// A question comes; if tables were read in an earlier one, it is not the only one.
    pub fn begin(&mut self) {
        self.once &= self.elements.is_empty();
        self.first = self.first.or((self.choices > 0).then_some(self.choices));
    }

    /// Have questions that are over taken the choices that the next one would need?
    pub fn is_worn(&self) -> bool {
        self.choices >= CHOICES && self.first.is_some_and(|first| first <= CHOICES / 4)
    }

    /// Is there anything that was made for one question, and had better be made anew for another?
    pub fn is_provisional(&self) -> bool {
        self.provisional
    }

    /// What was done since the last call.
    pub fn take_figures(&mut self) -> ArrayStatistics {
        std::mem::take(&mut self.figures)
    }

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

    /// Lets the search try first what `model` says of the cells.
    pub fn prefer(&mut self, sat: &mut Sat, model: &Model) {
        if sat.has_given_up() {
            self.preferred.clear();
        }
        self.preferred.resize(self.cells.len(), None);
        for ((array, index, literals), preferred) in self.cells.iter().zip(&mut self.preferred) {
            let value = model.get_cell(array, *index);
            if *preferred != Some(value) {
                let told =
                    literals.iter().enumerate().filter(|(bit, lit)| sat.prefer(**lit, value >> bit & 1 == 1)).count();
                *preferred = (told == 8).then_some(value);
            }
        }
    }

    /// The word of a read term whose array and index were blasted.
    pub fn read(&mut self, blaster: &mut Blaster, term: &Term, hints: &mut dyn Hints) -> Word {
        let (array, index) = (term.arg(0), blaster.word(term.arg(1)).clone());
        let bytes = term.width() / 8;
        if self.ways.types && bytes > 1 && known_value(&index).is_none() {
            let place = Place { reader: term, plus: 0 };
            if let Some((word, _)) = self.element(blaster, array, &index, bytes, place, hints) {
                return word;
            }
        }
        let mut word = Word::with_capacity(term.width() as usize);
        for plus in 0..u64::from(bytes) {
            if blaster.gates.stopped().is_some() {
                break;
            }
            let at = offset(blaster, &index, plus);
            word.extend(self.read_byte(blaster, array, &at, Place { reader: term, plus }, hints));
        }
        word
    }

    fn read_byte(
        &mut self,
        blaster: &mut Blaster,
        array: &Term,
        index: &Word,
        place: Place<'_>,
        hints: &mut dyn Hints,
    ) -> Byte {
        let key = (array.id(), index.clone());
        if let Some((value, windowed)) = self.done.get(&key).copied() {
            self.also(windowed, place.reader);
            return value;
        }
        let symbolic = known_value(index).is_none();
        let mut choices: Vec<(Lit, Byte)> = Vec::new();
        let (mut at, mut windowed, mut writes) = (array, None, 0);
        let written = symbolic && self.ways.types && array.op() == Op::Write;
        let spots = if written { self.spots.of(place.reader.arg(1), place.plus) } else { None };
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
                    writes += u64::from(symbolic || !at.arg(1).is_const());
                    if spots.as_ref().is_some_and(|spots| self.spots.is_apart(at.arg(1), spots)) {
                        at = at.arg(0);
                        continue;
                    }
                    let same = self.meets(blaster, index, place, at.arg(1));
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
                            self.figures.generated += 1;
                            self.figures.added += 1;
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
                    if symbolic && let Some((word, pieces)) = self.element(blaster, at, index, 1, place, hints) {
                        windowed = pieces;
                        break byte(&word);
                    }
                    let contents = at.contents().expect("a table has contents").clone();
                    if contents.len() > TREE && symbolic {
                        break self.defer(blaster, at, index);
                    }
                    let (inside, value) = tabulated(blaster, &contents, index);
                    if symbolic {
                        self.count_table(at, contents.len(), 1);
                        self.figures.generated += contents.len() as u64;
                        self.figures.added += contents.len() as u64;
                        self.figures.trees += 1;
                    }
                    if inside == Lit::TRUE {
                        break value;
                    }
                    choices.push((inside, value));
                    at = at.arg(0);
                }
                Op::ArraySymbol => {
                    let hint = if symbolic && self.ways.windows { place.hint(hints, 0) } else { None };
                    let certain = Window::of(index);
                    let window = hint.and_then(|hint| hint.meet(&certain)).unwrap_or(certain);
                    break self.read_input(blaster, at, index, &window);
                }
                op => unreachable!("{op:?} is not an array"),
            }
        };
        self.figures.possible += writes;
        self.figures.writes += u64::from(writes > 0);
        for (condition, chosen) in choices.iter().rev() {
            value = byte(&mux(&mut blaster.gates, *condition, chosen, &value));
        }
        self.done.insert(key, (value, windowed));
        value
    }

    /// Is a byte at `index`, the one at `place`, where a write is?
    fn meets(&mut self, blaster: &mut Blaster, index: &Word, place: Place<'_>, write: &Term) -> Lit {
        let bases = if self.ways.types { self.spots.bases(place.reader.arg(1), place.plus, write) } else { None };
        match bases {
            Some((one, other)) => {
                let (one, other) = (blaster.word(one).clone(), blaster.word(other).clone());
                equal(&mut blaster.gates, &one, &other)
            }
            None => {
                let write = blaster.word(write).clone();
                equal(&mut blaster.gates, &write, index)
            }
        }
    }

    fn read_input(&mut self, blaster: &mut Blaster, array: &Term, index: &Word, window: &Window) -> Byte {
        if let Some(index) = known_value(index) {
            return self.cell(blaster, array, index);
        }
        // Versions of one array that were not written here share its cells.
        let key = (array.id(), index.clone());
        if let Some((value, _)) = self.done.get(&key) {
            return *value;
        }
        let prefix: Arc<[u8]> = match self.known.get(&array.id()) {
            Some(known) => known.iter().map_while(|byte| *byte).collect(),
            None => Arc::default(),
        };
        let (inside, mut value) = tabulated(blaster, &prefix, index);
        if inside != Lit::TRUE {
            self.count_input(array, window);
            let outside = self.record(blaster, array, index);
            value = byte(&mux(&mut blaster.gates, inside, &value, &outside));
        }
        self.done.insert(key, (value, None));
        value
    }

    fn cell(&mut self, blaster: &mut Blaster, array: &Term, index: u64) -> Byte {
        if let Some(cell) = self.cell_index.get(&(array.id(), index)) {
            return self.cells[*cell].2;
        }
        let value = fresh(blaster);
        self.figures.cells += 1;
        self.add_cell(array, index, value);
        value
    }

    /// Fresh variables for a read of an input array at a symbolic index.
    fn record(&mut self, blaster: &mut Blaster, array: &Term, index: &Word) -> Byte {
        let value = fresh(blaster);
        self.figures.deferred += 1;
        self.inputs.push(Access { array: array.clone(), index: index.clone(), value });
        value
    }

    /// Fresh variables for a read that refinement will relate to its array.
    fn defer(&mut self, blaster: &mut Blaster, array: &Term, index: &Word) -> Byte {
        let key = (array.id(), index.clone());
        if let Some((value, _)) = self.done.get(&key) {
            return *value;
        }
        let value = fresh(blaster);
        self.figures.deferred += 1;
        self.count_writes(blaster, array, index);
        self.deferred.push(Access { array: array.clone(), index: index.clone(), value });
        self.done.insert(key, (value, None));
        value
    }

    /// Counts what an encoder that does not look at indices has for so many bytes read of a table.
    fn count_table(&mut self, table: &Term, length: usize, bytes: u32) {
        let met = self.met.entry(table.id()).or_default();
        for _ in 0..bytes {
            self.figures.possible += length as u64 + *met;
            *met += 1;
        }
    }

    /// Counts what a byte of an input at a symbolic index may be held against: cells, and bytes read before.
    fn count_input(&mut self, array: &Term, window: &Window) {
        for (_, cell, _) in self.cells.iter().filter(|(other, ..)| other == array) {
            self.figures.possible += 1;
            self.figures.generated += u64::from(window.contains(*cell));
        }
        for access in self.inputs.iter().filter(|access| access.array == *array) {
            self.figures.possible += 1;
            self.figures.generated += u64::from(Window::of(&access.index).meet(window).is_some());
        }
    }

    /// Counts the writes that a deferred read may be held against.
    fn count_writes(&mut self, blaster: &Blaster, array: &Term, index: &Word) {
        let (window, mut at) = (Window::of(index), array);
        for _ in 0..COUNTED {
            if at.op() != Op::Write {
                break;
            }
            self.figures.possible += 1;
            self.figures.generated += u64::from(Window::of(blaster.word(at.arg(1))).meet(&window).is_some());
            at = at.arg(0);
        }
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
