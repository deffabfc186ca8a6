//! What rungs keep of the bytes up to them, and what terms are above that.
//!
//! A view is a list of terms with the combinations of values that were met: its rows. It grows as more are met and is shared by all ladders: a row means the same on every
//! path, so that a term over a view and a byte is evaluated once for each row, however many paths ask for it.

use super::column::Column;
use super::residue::Residue;
use crate::knowledge::Shapes;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use strata_domain::ByteSet;
use strata_term::Term;

/// Rows of a view, at most.
const ROWS: usize = 4096;

/// Terms of a view, at most: each row has a value for each of them, and so have the rows of all views that it was made of.
const TERMS: usize = 24;

/// A number of a view.
pub type Id = u32;

/// What is needed of no byte: one row without values.
pub const NOTHING: Id = 0;

/// Terms and values that they have together.
#[derive(Default)]
pub struct View {
    pub terms: Vec<Term>,
    pub rows: Vec<Vec<u64>>,
    /// The row of the view with one term less that each row is one of.
    coarse: Vec<u16>,
    /// Rows by that and the value of the last term.
    index: FxHashMap<(u16, u64), u16>,
}

/// Values of a term over a view and a byte, by row: for all values of the byte.
struct Evaluated<T> {
    /// Held, so that its id means this term.
    _term: Term,
    rows: Vec<Option<T>>,
}

/// All views, and terms evaluated over them.
pub struct Views {
    views: Vec<View>,
    /// By the view with one term less and the term.
    finer: FxHashMap<(Id, u32), Id>,
    values: FxHashMap<(u32, Id), Evaluated<Arc<Column>>>,
    truths: FxHashMap<(u32, Id), Evaluated<ByteSet>>,
    /// Terms that are known to need no more than a view and a byte, by their ids; the term is held, and the byte is a part of it.
    enough: FxHashMap<(u32, Id, u32), Term>,
    /// How much is kept, in rows.
    pub size: usize,
}

impl Default for Views {
    fn default() -> Views {
        let nothing = View { rows: vec![Vec::new()], coarse: vec![0], ..View::default() };
        Views {
            views: vec![nothing],
            finer: FxHashMap::default(),
            values: FxHashMap::default(),
            truths: FxHashMap::default(),
            enough: FxHashMap::default(),
            size: 0,
        }
    }
}

impl Views {
    pub fn view(&self, id: Id) -> &View {
        &self.views[id as usize]
    }

    /// Is it known that a term needs no more than a view and a byte?
    pub fn suffices(&self, id: Id, byte: &Term, term: &Term) -> bool {
        self.enough.contains_key(&(term.id(), id, byte.id()))
    }

    /// It is.
    pub fn enough(&mut self, id: Id, byte: &Term, term: &Term) {
        self.enough.insert((term.id(), id, byte.id()), term.clone());
        self.size += usize::from(self.enough.len().is_multiple_of(16));
    }

    /// A view with one more term; `None` if there are too many.
    pub fn finer(&mut self, id: Id, term: &Term) -> Option<Id> {
        if let Some(known) = self.finer.get(&(id, term.id())) {
            return Some(*known);
        }
        let mut terms = self.views[id as usize].terms.clone();
        if terms.len() == TERMS {
            return None;
        }
        terms.push(term.clone());
        self.views.push(View { terms, ..View::default() });
        let finer = self.views.len() as Id - 1;
        self.finer.insert((id, term.id()), finer);
        Some(finer)
    }

    /// The row of a view that is made of a row with one term less and the value of the last term; `None` if there are too many.
    pub fn row(&mut self, id: Id, coarser: Id, row: u16, value: u64) -> Option<u16> {
        if let Some(known) = self.views[id as usize].index.get(&(row, value)) {
            return Some(*known);
        }
        let mut values = self.views[coarser as usize].rows[usize::from(row)].clone();
        values.push(value);
        let view = &mut self.views[id as usize];
        if view.rows.len() >= ROWS {
            return None;
        }
        let number = view.rows.len() as u16;
        view.rows.push(values);
        view.coarse.push(row);
        view.index.insert((row, value), number);
        self.size += 1;
        Some(number)
    }

    /// The row with one term less that a row is one of.
    pub fn coarse(&self, id: Id, row: u16) -> u16 {
        self.views[id as usize].coarse[usize::from(row)]
    }

    /// The values of a term over a view and a byte, for some rows, in their order. `None` if it is too much. Adds what was computed, in nodes.
    pub fn values(
        &mut self,
        term: &Term,
        id: Id,
        byte: &Term,
        rows: &[u16],
        shapes: &mut Shapes,
        spent: &mut usize,
    ) -> Option<Vec<Arc<Column>>> {
        let known = self.values.entry((term.id(), id)).or_insert_with(|| Evaluated::new(term));
        let view = &self.views[id as usize];
        let values = |rows: &[u16]| Residue::of(term, view, byte)?.values(view, rows, shapes, spent);
        self.size += known.fill(rows, |column| column.size(), values)?;
        Some(rows.iter().filter_map(|row| known.rows[usize::from(*row)].clone()).collect())
    }

    /// Where a condition over a view and a byte holds, for some rows, in their order.
    pub fn truths(
        &mut self,
        condition: &Term,
        id: Id,
        byte: &Term,
        rows: &[u16],
        shapes: &mut Shapes,
        spent: &mut usize,
    ) -> Option<Vec<ByteSet>> {
        let known = self.truths.entry((condition.id(), id)).or_insert_with(|| Evaluated::new(condition));
        let view = &self.views[id as usize];
        let truths = |rows: &[u16]| Residue::of(condition, view, byte)?.truths(view, rows, shapes, spent);
        self.size += known.fill(rows, |_| 0, truths)?;
        Some(rows.iter().filter_map(|row| known.rows[usize::from(*row)]).collect())
    }
}

impl<T> Evaluated<T> {
    fn new(term: &Term) -> Evaluated<T> {
        Evaluated { _term: term.clone(), rows: Vec::new() }
    }

    /// Computes the rows that are not there yet. Tells what is kept more for that, in rows of half a KiB: those and their places.
    fn fill(
        &mut self,
        rows: &[u16],
        size: impl Fn(&T) -> usize,
        values: impl FnOnce(&[u16]) -> Option<Vec<T>>,
    ) -> Option<usize> {
        let before = self.rows.capacity();
        let missing = |row: &u16| self.rows.get(usize::from(*row)).is_none_or(Option::is_none);
        let missing: Vec<u16> = rows.iter().copied().filter(missing).collect();
        if missing.is_empty() {
            return Some(0);
        }
        let found = values(&missing)?;
        let most = missing.iter().copied().max().map_or(0, usize::from);
        if self.rows.len() <= most {
            self.rows.resize_with(most + 1, || None);
        }
        let places = (self.rows.capacity() - before) * size_of::<Option<T>>();
        let taken = found.iter().map(size).sum::<usize>() + places / 512;
        for (row, values) in missing.iter().zip(found) {
            self.rows[usize::from(*row)] = Some(values);
        }
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_stay_small() {
        let mut views = Views::default();
        let mut view = NOTHING;
        for number in 0..TERMS {
            view = views.finer(view, &Term::symbol(&format!("x{number}"), 8)).expect("there is room");
        }
        assert_eq!(views.finer(view, &Term::symbol("x", 8)), None);
        assert_eq!(views.view(view).terms.len(), TERMS);
    }
}
