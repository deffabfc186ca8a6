//! Reads of constant tables: whole elements, and of a long table only what the question can reach.
//!
//! An element of several bytes is one tree of choices over its index, not one for each byte over an index and a sum. Where a hint leaves a small part of the table, the tree
//! is over that window: inside it is the value, outside fresh variables are, which stand for the table until a model goes there; then a further piece of the table is laid
//! over these variables, guarded in the same way: all of a short table; of a long one the window of the question at hand and a block around the model's index, twice as long as the
//! one before. So paths that go to many places of one table end up with all of it after a few pieces, and an instance on which windows keep being too small makes no more of them.
//!
//! Sound: guarded pieces say what the table holds, so each of them is true of all paths. Nothing is cut off: outside all pieces nothing is said.
//! Terminates: a piece contains the index that asked for it and an index inside a piece asks for nothing, so there are at most as many as indices.
//!
//! A window that a question does not reach is left alone. The model may put its index anywhere, since the constraints that bound it are not asked; but the value of a
//! question, and so the model's being one, depends on the reads in it only.

use super::refine::implies;
use super::window::{Hints, Window, choose};
use super::{Arrays, TREE, fresh_word};
use crate::blast::{Blaster, Lit, Sat, Word, mux};
use crate::tables::Elements;
use strata_term::{Term, mask};

/// How many indices the first block around a model's index has; later ones double.
const BLOCK: u64 = 256;
/// A table with no more bytes has no windows but for a question that is the only one, and is laid over an access as a whole once its window was too small: what a window leaves out
/// is less than what a choice over all of it tells a search.
const WHOLE: u64 = 4096;
/// How many bytes of the table a window has at least: siblings tend to look next to each other.
const LEAST: u64 = 8;
/// A hint is worth fresh variables if it leaves one in so many indices, at most: a choice decides more than variables that stand for it.
const WORTH: u64 = 8;
/// One in two is enough for a table with no more bytes, where little is lost; only of such a one are windows made for one question.
const TINY: u64 = 64;
/// How many windows of an instance may be too small before one in so many is one too many.
const WRONG: usize = 8;
/// Reads that are kept by name for one access; one with more is taken as part of every question.
const READERS: usize = 64;

/// Whose byte is read: where the index comes from, and who reads it.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The read.
    pub reader: &'a Term,
    /// How many bytes behind its index.
    pub plus: u64,
}

impl Place<'_> {
    fn index(&self) -> &Term {
        self.reader.arg(1)
    }

    fn last(&self) -> u64 {
        mask(self.index().width())
    }

    /// Where the index of the byte lies on the path of the question.
    pub fn hint(&self, hints: &mut dyn Hints, worth: u64) -> Option<Window> {
        hints.window(self.index(), worth)?.moved(self.plus, self.last())
    }
}

/// A read of a table of which only pieces were built.
pub struct Windowed {
    table: Term,
    index: Word,
    /// The term of the index, and how many bytes behind it.
    place: (Term, u64),
    /// What is read outside of the first piece.
    value: Word,
    pieces: Vec<Window>,
    /// How many indices the next block has.
    block: u64,
    /// Ids of the reads that got it.
    readers: Vec<u32>,
}

impl Arrays {
    /// A constant table at an index that is not constant, `bytes` bytes at once. With it the access of which only pieces are built, if it is one. `None` if byte by byte is
    /// the better way: not a constant table, or an element that may begin at the end of all indices and go on at the start.
    pub(super) fn element(
        &mut self,
        blaster: &mut Blaster,
        table: &Term,
        index: &Word,
        bytes: u32,
        place: Place<'_>,
        hints: &mut dyn Hints,
    ) -> Option<(Word, Option<usize>)> {
        let elements = Elements::of_table(table, 8)?;
        let key = (table.id(), index.clone(), bytes);
        if let Some((word, windowed)) = self.elements.get(&key).cloned() {
            self.also(windowed, place.reader);
            return Some((word, windowed));
        }
        let certain = Window::of(index);
        // An empty table is what it is filled with.
        let extent = certain.meet(&Window::new(0, (elements.len() as u64).checked_sub(1)?, 1)?)?;
        let cells = extent.size() * u64::from(bytes);
        let most = extent.size() / if cells <= TINY { 2 } else { WORTH };
        // Paths that keep going elsewhere are better served by all of the table.
        let trusted = self.misplaced * WRONG <= self.windowed.len() + WRONG * WRONG;
        let short = cells <= WHOLE;
        let pays = !short || self.once && cells <= TINY;
        let wanted = self.ways.windows && trusted && pays && most > 0;
        let hint = if wanted { place.hint(hints, cells) } else { None };
        let hinted = hint.and_then(|hint| {
            let window = extent.meet(&hint)?;
            let near =
                Window::around(window.most(), (LEAST / window.stride().max(bytes.into())).max(1), window.stride());
            let window = window.hull(&near).meet(&extent)?;
            (window.size() <= most.min(TREE as u64)).then_some(window)
        });
        self.provisional |= hinted.is_some() && short;
        let wraps = certain.most() > mask(table.width()).saturating_sub(u64::from(bytes) - 1);
        let whole = extent.size() <= TREE as u64;
        if hinted.is_none() && whole && wraps {
            return None;
        }
        self.count_table(table, elements.len(), bytes);
        let first = hinted.or(whole.then_some(extent));
        let (guard, inside) = match first {
            Some(window) => (window.guard(blaster, index), self.piece(blaster, table, index, &window, bytes)),
            None => (Lit::FALSE, Word::new()),
        };
        let (word, windowed) = if guard == Lit::TRUE {
            (inside, None)
        } else if hinted.is_none() && whole {
            let fill = elements.fill();
            let outside: Word = (0..8 * bytes).map(|i| Lit::constant(fill >> (i % 8) & 1 == 1)).collect();
            (mux(&mut blaster.gates, guard, &inside, &outside), None)
        } else {
            let value = fresh_word(blaster, bytes);
            let word = first.map_or_else(|| value.clone(), |_| mux(&mut blaster.gates, guard, &inside, &value));
            self.windowed.push(Windowed {
                table: table.clone(),
                index: index.clone(),
                place: (place.index().clone(), place.plus),
                value,
                pieces: first.into_iter().collect(),
                block: BLOCK,
                readers: vec![place.reader.id()],
            });
            (word, Some(self.windowed.len() - 1))
        };
        match (windowed, first) {
            (Some(_), Some(_)) => self.figures.windows += 1,
            (Some(_), None) => self.figures.deferred += 1,
            (None, _) => self.figures.trees += 1,
        }
        self.figures.elements += u64::from(bytes > 1);
        self.elements.insert(key, (word.clone(), windowed));
        Some((word, windowed))
    }

    /// Another read got the same literals.
    pub(super) fn also(&mut self, windowed: Option<usize>, reader: &Term) {
        if let Some(number) = windowed {
            let readers = &mut self.windowed[number].readers;
            if readers.len() <= READERS && !readers.contains(&reader.id()) {
                readers.push(reader.id());
            }
        }
    }

    /// What the table holds in a window.
    fn piece(&mut self, blaster: &mut Blaster, table: &Term, index: &Word, window: &Window, bytes: u32) -> Word {
        let mut word = Word::with_capacity(8 * bytes as usize);
        // A word of literals may be longer than a number.
        for low in (0..bytes).step_by(8) {
            let width = 8 * (bytes - low).min(8);
            let elements = Elements::of_table(table, width).expect("it was one a moment ago");
            let points: Vec<(u64, u64)> =
                window.iter().map(|index| (index, elements.at(index.wrapping_add(u64::from(low))))).collect();
            word.extend(choose(blaster, &points, index, width as usize));
        }
        self.figures.generated += window.size() * u64::from(bytes);
        self.figures.added += window.size() * u64::from(bytes);
        word
    }

    /// Accesses whose value the model has wrong and that are part of the question, with the index that the model has.
    pub(super) fn wrong(
        &self,
        blaster: &Blaster,
        sat: &mut Sat,
        asked: &mut dyn FnMut(u32) -> bool,
    ) -> Vec<(usize, u64)> {
        let mut wrong = Vec::new();
        for (number, access) in self.windowed.iter().enumerate() {
            let index = sat.word_value(&blaster.gates, &access.index);
            let settled = access.pieces.iter().any(|piece| piece.contains(index));
            if settled || access.agrees(blaster, sat, index) {
                continue;
            }
            if access.readers.len() > READERS || access.readers.iter().any(|reader| asked(*reader)) {
                wrong.push((number, index));
            }
        }
        wrong
    }

    /// Lays a further piece of its table over each of these accesses.
    pub(super) fn extend_windows(
        &mut self,
        blaster: &mut Blaster,
        sat: &mut Sat,
        hints: &mut dyn Hints,
        wrong: &[(usize, u64)],
    ) {
        for (number, index) in wrong {
            if blaster.gates.stopped().is_some() {
                break;
            }
            self.misplaced += 1;
            let access = &mut self.windowed[*number];
            let (window, held) = access.next(*index, hints);
            access.pieces.push(window);
            access.block = access.block.saturating_mul(2).min(TREE as u64);
            let (table, place, value) = (access.table.clone(), access.index.clone(), access.value.clone());
            let bytes = value.len() as u32 / 8;
            let guard = window.guard(blaster, &place);
            // Behind the contents there is one value, however many indices.
            let built = if held { window } else { Window::around(*index, 1, 1) };
            let piece = self.piece(blaster, &table, &place, &built, bytes);
            value.into_iter().zip(piece).for_each(|both| implies(blaster, sat, guard, both));
        }
    }
}

impl Windowed {
    /// Does the model have what the table holds at the model's index?
    fn agrees(&self, blaster: &Blaster, sat: &mut Sat, index: u64) -> bool {
        let parts = self.value.chunks(64).enumerate();
        parts.into_iter().all(|(number, part)| {
            let elements =
                Elements::of_table(&self.table, part.len() as u32).expect("windows are over constant tables");
            sat.word_value(&blaster.gates, part) == elements.at(index.wrapping_add(8 * number as u64))
        })
    }

    /// The next piece, which contains `index`; false if all of it is the same, behind the contents.
    fn next(&self, index: u64, hints: &mut dyn Hints) -> (Window, bool) {
        let certain = Window::of(&self.index);
        let elements = Elements::of_table(&self.table, 8).expect("windows are over constant tables");
        let (length, last) = (elements.len() as u64, mask(self.table.width()));
        // Where an element ends before the indices do.
        let ends = last.saturating_sub(self.value.len() as u64 / 8 - 1);
        if index >= length {
            let behind = Window::new(length, ends, 1).and_then(|behind| behind.meet(&certain));
            return match behind.filter(|behind| behind.contains(index)) {
                Some(behind) => (behind, false),
                None => (Window::around(index, 1, 1), true),
            };
        }
        let held = |window: Window| {
            let window = window.meet(&certain)?.up_to(length - 1)?;
            (window.contains(index) && window.size() <= TREE as u64).then_some(window)
        };
        if length <= WHOLE
            && let Some(all) = held(certain)
        {
            return (all, true);
        }
        let (term, plus) = &self.place;
        let block = held(Window::around(index, self.block, certain.stride())).unwrap_or(Window::around(index, 1, 1));
        let hint = hints.window(term, length).and_then(|hint| hint.moved(*plus, last));
        (hint.and_then(|hint| held(hint.hull(&block))).unwrap_or(block), true)
    }
}
