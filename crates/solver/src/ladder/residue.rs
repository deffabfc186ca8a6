//! A term above a view: a function of the view's row and of one byte.

use super::column::Column;
use super::view::View;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use strata_term::{Lanes, Op, Term};

/// What a read of one byte costs, in other nodes, at an array and at each that it may have to look behind.
const READING: usize = 4;
/// Nodes computed at once, at most: some milliseconds.
const WORK: usize = 1 << 15;

pub(super) struct Residue<'a> {
    term: &'a Term,
    /// Nodes over nothing, arguments first.
    fixed: Vec<&'a Term>,
    /// Over the view alone.
    row: Vec<&'a Term>,
    /// Over both.
    both: Vec<&'a Term>,
    /// Arguments of arrays that depend on the view.
    held: Vec<&'a Term>,
    /// What one row costs.
    cost: usize,
    points: Lanes,
}

impl<'a> Residue<'a> {
    /// `None` if a node is too wide, or if the view and the byte are not all that it depends on.
    pub fn of(term: &'a Term, view: &View, byte: &Term) -> Option<Residue<'a>> {
        let mut residue =
            Residue { term, fixed: vec![], row: vec![], both: vec![], held: vec![], cost: 1, points: Lanes::default() };
        // Whether a node depends on the view, and on the byte.
        let mut known: FxHashMap<u32, (bool, bool)> = FxHashMap::default();
        for part in &view.terms {
            known.insert(part.id(), (true, false));
        }
        let mut behind = 1;
        let mut stack: Vec<(&Term, bool)> = vec![(term, false)];
        while let Some((node, ready)) = stack.pop() {
            if known.contains_key(&node.id()) {
                continue;
            }
            if node == byte {
                residue.points.enter(node, byte)?;
                known.insert(node.id(), (false, true));
                continue;
            }
            if !ready {
                stack.push((node, true));
                stack.extend(node.args().iter().map(|arg| (arg, false)));
                continue;
            }
            let args = node.args().iter().map(|arg| known[&arg.id()]);
            let (row, over) = args.fold((false, false), |all, one| (all.0 | one.0, all.1 | one.1));
            known.insert(node.id(), (row, over));
            if node.is_array() {
                behind += usize::from(matches!(node.op(), Op::Write | Op::Ite));
                if row {
                    residue.held.extend(node.args());
                }
                continue;
            }
            match (row, over) {
                (false, false) => residue.fixed.push(node),
                (false, true) => {}
                (true, false) => residue.row.push(node),
                (true, true) => residue.both.push(node),
            }
            if !row {
                residue.points.enter(node, byte)?;
            } else if !strata_term::is_narrow(node) {
                return None;
            }
        }
        let weight =
            |node: &&Term| if node.op() == Op::Read { READING * behind * node.width() as usize / 8 } else { 1 };
        residue.cost += residue.both.iter().map(weight).sum::<usize>();
        Some(residue)
    }

    /// The term's values for all values of the byte, for some rows, in their order. Adds what it computed, in nodes.
    pub fn values(mut self, view: &View, rows: &[u16], spent: &mut usize) -> Option<Vec<Arc<Column>>> {
        if self.cost * rows.len() > WORK {
            return None;
        }
        *spent += 2 * (self.fixed.len() + self.row.len() + self.both.len());
        let used = self.used(view);
        let mut met: FxHashMap<Vec<u64>, Arc<Column>> = FxHashMap::default();
        let mut values = Vec::with_capacity(rows.len());
        for block in rows.chunks(256) {
            let columns = self.columns(view, block)?;
            for point in 0..block.len() {
                let seen: Vec<u64> = used.iter().map(|node| columns.of(node)[point]).collect();
                if let Some(same) = met.get(&seen) {
                    values.push(same.clone());
                    continue;
                }
                *spent += self.cost;
                used.iter().zip(&seen).for_each(|(node, value)| self.points.fill(node, *value));
                for node in &self.both {
                    self.points.compute(node)?;
                }
                let found = Arc::new(Column::of(self.points.of(self.term), self.term.width()));
                met.insert(seen, found.clone());
                values.push(found);
            }
        }
        Some(values)
    }

    /// The nodes over the view alone whose values are needed beside the byte, or as they are.
    fn used(&self, view: &'a View) -> Vec<&'a Term> {
        let needed: FxHashSet<u32> = (self.both.iter().flat_map(|node| node.args()))
            .chain(self.held.iter().copied())
            .chain([self.term])
            .map(Term::id)
            .collect();
        view.terms.iter().chain(self.row.iter().copied()).filter(|node| needed.contains(&node.id())).collect()
    }

    /// The values of nodes over the view alone, for some rows, one at each point.
    fn columns(&self, view: &View, rows: &[u16]) -> Option<Lanes> {
        let mut lanes = Lanes::default();
        for (place, term) in view.terms.iter().enumerate() {
            lanes.set(term, rows.iter().map(|row| view.rows[usize::from(*row)][place]));
        }
        for node in self.fixed.iter().chain(&self.row) {
            lanes.compute(node)?;
        }
        Some(lanes)
    }
}
