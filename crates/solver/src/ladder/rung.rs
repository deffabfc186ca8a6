//! One byte of a ladder: where its values lead from the rows below.

use super::column::Column;
use super::view::{Id, NOTHING, Views};
use std::sync::Arc;
use strata_domain::{Aim, ByteSet, Domain};
use strata_term::Term;

/// No row: the constraints do not hold.
pub(super) const NONE: u16 = u16::MAX;
/// Rows of a rung, at most.
pub(super) const ROWS: usize = 512;
/// What it costs to look at all values of a byte at a row, in nodes; and how many rows of a view are found in the time of a node.
pub(super) const LOOKING: usize = 2;
const FINDING: usize = 12;

/// Where a value of a byte leads, for each of them.
pub(super) type Edges = Arc<[u16; 256]>;

/// How a row is reached: from the row below, and by the value of the byte.
type Way = (u16, u8);

/// One byte.
#[derive(Clone)]
pub(super) struct Rung {
    pub byte: Term,
    /// What later bytes need of this one and those before it.
    pub view: Id,
    /// By row of the rung below, in order.
    pub edges: Vec<(u16, Edges)>,
    /// The values of the byte that may lead anywhere. What edges say of others means nothing.
    pub values: ByteSet,
    /// How each row of the view is reached, if it is.
    pub reached: Vec<Option<Way>>,
}

/// Where a condition holds, by rows below its last byte: one set for each, or one for all.
pub(super) struct Truths {
    pub rows: Vec<u16>,
    pub sets: Vec<ByteSet>,
}

impl Truths {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (u16, &ByteSet)> {
        let place = |row: usize| if self.sets.len() == 1 { 0 } else { row };
        self.rows.iter().enumerate().map(move |(number, row)| (*row, &self.sets[place(number)]))
    }
}

impl Rung {
    /// One above these rows, from each of which every value of the byte leads to the only row.
    pub fn new(byte: Term, below: Vec<u16>) -> Rung {
        let all = Edges::new([0; 256]);
        let reached = below.first().map(|row| Some((*row, 0))).into_iter().collect();
        let edges = below.into_iter().map(|row| (row, all.clone())).collect();
        Rung { byte, view: NOTHING, edges, values: ByteSet::of(|_| true), reached }
    }

    /// Keeps what a constraint allows. Where that is the same from all rows, edges stay as they are, shared with other ladders.
    pub fn keep(&mut self, truths: &Truths) {
        let mut some = ByteSet::of(|_| false);
        if let [same] = truths.sets.as_slice() {
            some = *same;
        } else {
            let mut kept = Vec::with_capacity(truths.len());
            for (row, set) in truths.iter() {
                some = some.join(set, Aim::Above).set;
                let mut edges = self.edges(row).clone();
                let fails = self.values.meet(&set.complement(Aim::Above).set, Aim::Above).set;
                if fails.iter().any(|value| edges[usize::from(value)] != NONE) {
                    let edges = Arc::make_mut(&mut edges);
                    fails.iter().for_each(|value| edges[usize::from(value)] = NONE);
                }
                kept.push((row, edges));
            }
            self.edges = kept;
        }
        self.values = self.values.meet(&some, Aim::Above).set;
    }

    /// The rows that are reached.
    pub fn rows(&self) -> Vec<u16> {
        let mut rows = Vec::with_capacity(self.reached.len());
        rows.extend((0u16..).zip(&self.reached).filter(|(_, way)| way.is_some()).map(|(row, _)| row));
        rows
    }

    /// From a row below that is reached.
    pub fn edges(&self, row: u16) -> &Edges {
        self.known(row).expect("there are edges from every row that is reached")
    }

    /// Where a value of the byte leads from a row below, if anywhere.
    pub fn edge(&self, row: u16, value: u8) -> Option<u16> {
        let edges = self.known(row).filter(|_| self.values.contains(value.into()))?;
        Some(edges[usize::from(value)]).filter(|edge| *edge != NONE)
    }

    /// From a row below, if it is reached.
    pub fn known(&self, row: u16) -> Option<&Edges> {
        // Mostly all of them are.
        match self.edges.get(usize::from(row)) {
            Some((below, edges)) if *below == row => return Some(edges),
            Some(_) | None => {}
        }
        let place = self.edges.binary_search_by_key(&row, |(below, _)| *below).ok()?;
        Some(&self.edges[place].1)
    }

    /// How its rows are reached, none of which was not reached before, if that is not as before; and from how many rows below all edges were looked at.
    pub fn reach(&self, below: impl Fn(u16) -> bool) -> (Option<Vec<Option<Way>>>, usize) {
        let mut lost = Vec::new();
        for (row, way) in self.reached.iter().enumerate() {
            if let Some((from, value)) = *way
                && !(below(from) && self.edge(from, value).is_some_and(|edge| usize::from(edge) == row))
            {
                lost.push(row);
            }
        }
        if lost.is_empty() {
            return (None, 0);
        }
        let mut reached = self.reached.clone();
        let mut missing = vec![false; reached.len()];
        for row in &lost {
            (reached[*row], missing[*row]) = (None, true);
        }
        let (mut left, mut looked) = (lost.len(), 0);
        let values = self.values.list();
        for (from, edges) in self.edges.iter().filter(|(from, _)| below(*from)) {
            if left == 0 {
                break;
            }
            looked += 1;
            for value in &values {
                let edge = edges[usize::from(*value)];
                if edge != NONE && std::mem::replace(&mut missing[usize::from(edge)], false) {
                    reached[usize::from(edge)] = Some((*from, *value));
                    left -= 1;
                }
            }
        }
        (Some(reached), looked)
    }
}

/// Rows of a view being found, by those with one term less and values of the last term.
pub(super) struct Finding {
    view: Id,
    coarser: Id,
    /// The row that is `last` with each value of a term of one byte, as far as that was met since.
    near: [u16; 256],
    last: u16,
    /// Rows that were met, with the row below and the value of the byte; and how many these are.
    pub reached: Vec<Option<Way>>,
    count: usize,
    /// How many values were looked through, and how often a row was looked for.
    looked: usize,
    found: usize,
}

impl Finding {
    /// Of a view, and the one with one term less.
    pub fn new(view: Id, coarser: Id) -> Finding {
        Finding { view, coarser, near: [NONE; 256], last: NONE, reached: vec![], count: 0, looked: 0, found: 0 }
    }

    /// Replaces rows of the coarser view, on the edges from a row below, by those that have the values of a column, for these values of the byte. False if there are too many.
    pub fn finer(
        &mut self,
        below: u16,
        edges: &mut [u16; 256],
        column: &Column,
        values: &[u8],
        views: &mut Views,
    ) -> bool {
        self.looked += 1;
        match column.is_narrow() {
            true => {
                for byte in values {
                    let (edge, value) = (edges[usize::from(*byte)], column.at(*byte));
                    if edge == NONE {
                        continue;
                    }
                    if edge != self.last {
                        (self.last, self.near) = (edge, [NONE; 256]);
                    }
                    let mut row = self.near[value as usize];
                    if row == NONE {
                        let Some(found) = self.row(edge, value, (below, *byte), views) else { return false };
                        (row, self.near[value as usize]) = (found, found);
                    }
                    edges[usize::from(*byte)] = row;
                }
            }
            false => {
                let mut before = (NONE, 0, NONE);
                for byte in values {
                    let (edge, value) = (edges[usize::from(*byte)], column.at(*byte));
                    if edge == NONE {
                        continue;
                    }
                    if (before.0, before.1) != (edge, value) {
                        let Some(row) = self.row(edge, value, (below, *byte), views) else { return false };
                        before = (edge, value, row);
                    }
                    edges[usize::from(*byte)] = before.2;
                }
            }
        }
        true
    }

    fn row(&mut self, edge: u16, value: u64, way: Way, views: &mut Views) -> Option<u16> {
        self.found += 1;
        let row = views.row(self.view, self.coarser, edge, value)?;
        let place = usize::from(row);
        if self.reached.len() <= place {
            self.reached.resize(place + 1, None);
        }
        if self.reached[place].is_none() {
            self.reached[place] = Some(way);
            self.count += 1;
        }
        (self.count <= ROWS).then_some(row)
    }

    /// In nodes.
    pub fn cost(&self) -> usize {
        self.looked * LOOKING + self.found / FINDING
    }
}
