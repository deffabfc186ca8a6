//! A term above a view: a function of the view's row and of one byte.

use super::column::{Classes, Column};
use super::view::View;
use crate::knowledge::Shapes;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::sync::Arc;
use strata_domain::ByteSet;
use strata_term::{Lanes, Op, Term};

/// What it costs to keep the values of a row, in other nodes.
const KEEPING: usize = 4;
/// What a read of one byte costs, in other nodes, at an array and at each that it may have to look behind.
const READING: usize = 4;
/// Nodes and classes that there is room for at first.
const ROOM: usize = 48;
/// Nodes computed at once, at most: some milliseconds.
const WORK: usize = 1 << 15;

pub(super) struct Residue<'a> {
    term: &'a Term,
    byte: &'a Term,
    /// Nodes over nothing, arguments first.
    fixed: Vec<&'a Term>,
    /// Over the byte alone.
    over: Vec<&'a Term>,
    /// Over the view alone.
    row: Vec<&'a Term>,
    /// Over both.
    both: Vec<&'a Term>,
    /// Arguments of arrays.
    held: Vec<&'a Term>,
    /// What one row costs.
    cost: usize,
}

impl<'a> Residue<'a> {
    /// `None` if a node is too wide, or if the view and the byte are not all that it depends on.
    pub fn of(term: &'a Term, view: &View, byte: &'a Term) -> Option<Residue<'a>> {
        let (fixed, over, row, both, held) = (vec![], vec![], vec![], vec![], vec![]);
        let mut residue = Residue { term, byte, fixed, over, row, both, held, cost: KEEPING };
        // Whether a node depends on the view, and on the byte.
        let mut known: FxHashMap<u32, (bool, bool)> = FxHashMap::with_capacity_and_hasher(ROOM, FxBuildHasher);
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
                residue.over.push(node);
                known.insert(node.id(), (false, true));
                continue;
            }
            if !ready {
                stack.push((node, true));
                stack.extend(node.args().iter().map(|arg| (arg, false)));
                continue;
            }
            // The byte and the view are not looked into: this is another input.
            if matches!(node.op(), Op::Symbol | Op::ArraySymbol) {
                return None;
            }
            let args = node.args().iter().map(|arg| known[&arg.id()]);
            let (row, over) = args.fold((false, false), |all, one| (all.0 | one.0, all.1 | one.1));
            known.insert(node.id(), (row, over));
            if node.is_array() {
                behind += usize::from(matches!(node.op(), Op::Write | Op::Ite));
                residue.held.extend(node.args());
                continue;
            }
            if !strata_term::is_narrow(node) {
                return None;
            }
            match (row, over) {
                (false, false) => residue.fixed.push(node),
                (false, true) => residue.over.push(node),
                (true, false) => residue.row.push(node),
                (true, true) => residue.both.push(node),
            }
        }
        let weight =
            |node: &&Term| if node.op() == Op::Read { READING * behind * node.width() as usize / 8 } else { 1 };
        residue.cost += residue.both.iter().map(weight).sum::<usize>();
        Some(residue)
    }

    /// The term's values for all values of the byte, for some rows, in their order. Adds what it computed, in nodes.
    pub fn values(self, view: &View, rows: &[u16], shapes: &mut Shapes, spent: &mut usize) -> Option<Vec<Arc<Column>>> {
        let width = self.term.width();
        self.each(view, rows, shapes, spent, |found, classes| Arc::new(Column::of(width, found, classes)))
    }

    /// Where the term, a condition, holds.
    pub fn truths(self, view: &View, rows: &[u16], shapes: &mut Shapes, spent: &mut usize) -> Option<Vec<ByteSet>> {
        self.each(view, rows, shapes, spent, |found, classes| {
            let mut words = [0; 4];
            for (bit, class) in classes.of().iter().enumerate() {
                words[bit / 64] |= (found[usize::from(*class)] & 1) << (bit % 64);
            }
            ByteSet::of_words(words)
        })
    }

    /// For some rows, in their order, what is made of the term's values by class of the byte.
    fn each<T: Clone>(
        self,
        view: &View,
        rows: &[u16],
        shapes: &mut Shapes,
        spent: &mut usize,
        made: impl Fn(&[u64], &Arc<Classes>) -> T,
    ) -> Option<Vec<T>> {
        if self.cost * rows.len() > WORK {
            return None;
        }
        *spent += 2 * (self.fixed.len() + self.row.len() + self.both.len());
        let needed = self.needed();
        let used: Vec<&Term> = of(view.terms.iter().chain(self.row.iter().copied()), &needed);
        let (mut lanes, classes) = self.classes(&needed, shapes)?;
        let mut met: FxHashMap<Vec<u64>, T> = FxHashMap::default();
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
                used.iter().zip(&seen).for_each(|(node, value)| lanes.fill(node, *value));
                for node in &self.both {
                    lanes.compute(node)?;
                }
                let found = made(lanes.of(self.term), &classes);
                met.insert(seen, found.clone());
                values.push(found);
            }
        }
        Some(values)
    }

    /// What of the byte alone is needed beside a row, for each class of values of the byte that it tells apart; and the class of each. A scanner's table of
    /// characters leaves twenty.
    fn classes(&self, needed: &FxHashSet<u32>, shapes: &mut Shapes) -> Option<(Lanes, Arc<Classes>)> {
        let beside = of(self.over.iter().copied(), needed);
        let mut columns: Vec<Vec<u64>> = Vec::with_capacity(beside.len());
        for node in &beside {
            columns.push(shapes.column(node, self.byte)?.to_vec());
        }
        let (classes, first) = divided(&columns);
        let mut lanes = Lanes::new(first.len());
        for (node, column) in beside.iter().zip(&columns) {
            lanes.set(node, first.iter().map(|byte| column[*byte]));
        }
        for node in of(self.fixed.iter().copied(), needed) {
            lanes.fill(node, shapes.column(node, self.byte)?[0]);
        }
        Some((lanes, Arc::new(Classes::new(classes, first.len()))))
    }

    /// The nodes that are looked at when those over both are computed.
    fn needed(&self) -> FxHashSet<u32> {
        let looked = self.both.iter().flat_map(|node| node.args()).chain(self.held.iter().copied());
        looked.chain([self.term]).map(Term::id).collect()
    }

    /// The values of nodes over the view alone, for some rows, one at each point.
    fn columns(&self, view: &View, rows: &[u16]) -> Option<Lanes> {
        let mut lanes = Lanes::new(rows.len());
        for (place, term) in view.terms.iter().enumerate() {
            lanes.set(term, rows.iter().map(|row| view.rows[usize::from(*row)][place]));
        }
        for node in self.fixed.iter().chain(&self.row) {
            lanes.compute(node)?;
        }
        Some(lanes)
    }
}

/// Those that are needed.
fn of<'a>(nodes: impl Iterator<Item = &'a Term>, needed: &FxHashSet<u32>) -> Vec<&'a Term> {
    nodes.filter(|node| needed.contains(&node.id())).collect()
}

/// The classes of a byte's values that columns tell apart, and the first value of each.
fn divided(columns: &[Vec<u64>]) -> ([u8; 256], Vec<usize>) {
    let mut classes = [0; 256];
    let mut first = vec![0];
    for column in columns {
        let mut class: FxHashMap<(u8, u64), u8> = FxHashMap::with_capacity_and_hasher(ROOM, FxBuildHasher);
        let mut before: Option<((u8, u64), u8)> = None;
        first.clear();
        for (byte, value) in column.iter().enumerate() {
            let key = (classes[byte], *value);
            let own = match before {
                Some((last, own)) if last == key => own,
                Some(_) | None => *class.entry(key).or_insert_with(|| {
                    first.push(byte);
                    (first.len() - 1) as u8
                }),
            };
            before = Some((key, own));
            classes[byte] = own;
        }
    }
    (classes, first)
}
