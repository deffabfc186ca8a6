//! A ladder: its rungs, and what a new constraint does to them.

use super::rung::{Edges, Finding, LOOKING, NONE, ROWS, Rung, Truths};
use super::view::{Id, NOTHING, Views};
use crate::knowledge::{Shapes, is_variable, value};
use crate::layers::Spent;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::cmp::Reverse;
use std::hash::Hasher;
use std::sync::{Arc, OnceLock};
use strata_domain::{Aim, Domain};
use strata_query::Model;
use strata_term::{Term, post_order};

/// Bytes, at most.
const BYTES: usize = 64;
/// How many rows below are tried first.
const FEW: usize = 3;
/// Nodes of a term above a view, at most, and mostly.
const NODES: usize = 1024;
const SEEN: usize = 56;

/// What is used on the way: shared by all ladders.
pub(super) struct Tools<'a> {
    pub views: &'a mut Views,
    pub shapes: &'a mut Shapes,
    pub spent: &'a mut Spent,
}

#[derive(Clone)]
pub(super) struct Ladder {
    /// Tells ladders of other constraints apart.
    pub number: u64,
    /// The number of the one it was made of, and the id of the constraint that was added.
    pub made: (u64, u32),
    rungs: Vec<Arc<Rung>>,
    /// From which rows of each rung but the last the top is reached, as far as they are reached themselves; found out when asked for.
    alive: Vec<OnceLock<Arc<[bool]>>>,
}

impl Default for Ladder {
    /// No byte and no constraint.
    fn default() -> Ladder {
        Ladder { number: 0, made: (u64::MAX, 0), rungs: Vec::new(), alive: Vec::new() }
    }
}

impl Ladder {
    /// Makes rungs and views ready for a condition, and gives the place of its last byte. `None` if that is too much, or if it mentions anything but bytes.
    pub fn prepare(&mut self, condition: &Term, tools: &mut Tools<'_>) -> Option<usize> {
        let last = self.enter_bytes(condition, tools)?;
        self.provide(condition, last, tools)?;
        Some(last)
    }

    /// Of what was made of another one, the rungs that it had, if they are not the same.
    pub fn beginning(&self, other: &Ladder) -> Option<Ladder> {
        let rungs = self.rungs[..other.rungs.len()].to_vec();
        let changed = rungs.iter().zip(&other.rungs).any(|(new, old)| !Arc::ptr_eq(new, old));
        changed.then(|| Ladder { alive: vec![OnceLock::new(); rungs.len()], rungs, ..*self })
    }

    /// Is it ready for a condition? Gives the place of its last byte.
    pub fn ready(&self, condition: &Term, tools: &mut Tools<'_>) -> Option<usize> {
        let last = self.last(condition, tools)?;
        let (view, byte) = (self.view_below(last), self.rungs[last].byte.clone());
        if !tools.views.suffices(view, &byte, condition) {
            let mut parts = Vec::new();
            self.lacking(condition, last, &mut parts, tools)?;
            if !parts.is_empty() {
                return None;
            }
            tools.views.enough(view, &byte, condition);
        }
        Some(last)
    }

    /// Where a condition over the view below a rung and its byte holds, for each row that is reached there.
    pub fn truths(&self, condition: &Term, rung: usize, tools: &mut Tools<'_>) -> Option<Truths> {
        let rows = self.rows_below(rung);
        let (inner, negated) = match condition.op() {
            strata_term::Op::Not => (condition.arg(0), true),
            _ => (condition, false),
        };
        let byte = &self.rungs[rung].byte;
        let mut sets = match tools.shapes.byte_set(inner) {
            Some(set) => vec![set],
            None => {
                tools.views.truths(inner, self.view_below(rung), byte, &rows, tools.shapes, &mut tools.spent.nodes)?
            }
        };
        if sets.iter().all(|set| *set == sets[0]) {
            sets.truncate(1);
        }
        if negated {
            sets.iter_mut().for_each(|set| *set = set.complement(Aim::Above).set);
        }
        Some(Truths { rows, sets })
    }

    /// Adds a constraint that was prepared for. Gives what it took to find out which rows are still reached, in nodes.
    pub fn filter(&mut self, truths: &Truths, rung: usize) -> usize {
        let values = &self.rungs[rung].values;
        if let [same] = truths.sets.as_slice()
            && values.meet(same, Aim::Above).set == *values
        {
            return 0;
        }
        Arc::make_mut(&mut self.rungs[rung]).keep(truths);
        self.forget(0..rung);
        self.reach(rung)
    }

    /// Values for all bytes on a way to the top on which the condition with these truths at this rung holds, near the witness.
    pub fn way(&self, truths: &Truths, rung: usize, witness: &Model) -> Option<Vec<(Term, u64)>> {
        let own = &self.rungs[rung];
        let near = value(&own.byte, witness) as u8;
        let leads = |row: u16, value: u8| own.edge(row, value).is_some_and(|edge| self.is_alive(rung, edge));
        let stays = truths.iter().find(|(row, set)| set.contains(near.into()) && leads(*row, near));
        let (row, byte) = stays.map(|(row, _)| (row, near)).or_else(|| {
            truths.iter().find_map(|(row, set)| {
                let (set, edges) = (set.common(&own.values)?, own.known(row)?);
                let leads = |edge: u16| edge != NONE && self.is_alive(rung, edge);
                let value = set.iter().find(|value| leads(edges[usize::from(*value)]))?;
                Some((row, value))
            })
        })?;
        let mut values = vec![(self.rungs[rung].byte.clone(), u64::from(byte))];
        let mut at = row;
        for below in self.rungs[..rung].iter().rev() {
            let (row, byte) = below.reached[usize::from(at)].expect("a row on a way is reached");
            values.push((below.byte.clone(), byte.into()));
            at = row;
        }
        let mut at = own.edges(row)[usize::from(byte)];
        for (place, above) in self.rungs.iter().enumerate().skip(rung + 1) {
            let near = value(&above.byte, witness) as u8;
            let leads = |byte: &u8| above.edge(at, *byte).is_some_and(|edge| self.is_alive(place, edge));
            let byte = [near].into_iter().chain(0..=255).find(leads).expect("a row that is alive has a way up");
            values.push((above.byte.clone(), byte.into()));
            at = above.edges(at)[usize::from(byte)];
        }
        Some(values)
    }

    /// Tells the values of a term over the view below a rung and its byte on all ways to the top, some of them often, until that is enough. False: it was. `None` if it is too much.
    /// Whether there is a way to a value is found out where somebody asks.
    pub fn each(
        &self,
        term: &Term,
        rung: usize,
        tools: &mut Tools<'_>,
        mut tell: impl FnMut(u64, &dyn Fn() -> bool) -> bool,
    ) -> Option<bool> {
        let (rows, byte) = (self.rows_below(rung), &self.rungs[rung].byte);
        let values =
            tools.views.values(term, self.view_below(rung), byte, &rows, tools.shapes, &mut tools.spent.nodes)?;
        tools.spent.nodes += rows.len() + self.unknown(rung);
        let last = rung + 1 == self.rungs.len();
        let living = if last { &[] } else { self.living(rung) };
        let own = &self.rungs[rung];
        for (row, column) in rows.iter().zip(&values) {
            let edges = own.edges(*row);
            let leads = |byte: u8| {
                let edge = edges[usize::from(byte)];
                edge != NONE && (last || living[usize::from(edge)])
            };
            let enough = match column.within(&own.values) {
                // The first of a value's bytes leads on, mostly.
                Some(mut parts) => parts.any(|(value, bytes)| !tell(value, &|| bytes.iter().any(leads))),
                None => own.values.iter().any(|byte| !tell(column.at(byte), &|| leads(byte))),
            };
            if enough {
                return Some(false);
            }
        }
        Some(true)
    }

    fn is_alive(&self, rung: usize, row: u16) -> bool {
        rung + 1 == self.rungs.len() || self.living(rung)[usize::from(row)]
    }

    /// From which rows of a rung, not the last one, the top is reached.
    fn living(&self, place: usize) -> &[bool] {
        self.alive[place].get_or_init(|| {
            let mut living = vec![false; self.rungs[place].reached.len()];
            let above = &self.rungs[place + 1];
            let lives = |edge: u16| edge != NONE && self.is_alive(place + 1, edge);
            let values = above.values.list();
            for (row, edges) in &above.edges {
                living[usize::from(*row)] = values.iter().any(|value| lives(edges[usize::from(*value)]));
            }
            living.into()
        })
    }

    /// What is kept of these rungs is no longer so. Which rows of a rung live depends on the edges above it alone: a constraint at a rung changes that for the rungs below it, and a
    /// finer view for its own, whose rows have become others, while rows below it live as before. Rows that are no longer reached may be said to live: nobody comes to them.
    fn forget(&mut self, places: std::ops::Range<usize>) {
        self.alive[places].iter_mut().for_each(|alive| *alive = OnceLock::new());
    }

    /// How much it keeps that the one it was made of does not, in rows of half a KiB: edges of its own, and for each rung of its own where rows lead; its list of rungs, and which rows
    /// are alive.
    pub fn size(&self, other: &Ladder) -> usize {
        let mut bytes = 0;
        for (place, rung) in self.rungs.iter().enumerate() {
            let before = other.rungs.get(place);
            bytes += rung.reached.len() + 16;
            if before.is_none_or(|before| !Arc::ptr_eq(before, rung)) {
                let shared = |(row, edges): &&(u16, Edges)| {
                    before.and_then(|before| before.known(*row)).is_some_and(|before| Arc::ptr_eq(before, edges))
                };
                bytes += 16 * rung.edges.len() + 8 * rung.reached.len();
                bytes += 512 * rung.edges.iter().filter(|edges| !shared(edges)).count();
            }
        }
        1 + bytes / 512
    }

    fn view_below(&self, rung: usize) -> Id {
        rung.checked_sub(1).map_or(NOTHING, |below| self.rungs[below].view)
    }

    fn rows_below(&self, rung: usize) -> Vec<u16> {
        rung.checked_sub(1).map_or_else(|| vec![0], |below| self.rungs[below].rows())
    }

    /// The place of a condition's last byte; `None` if one has no rung.
    fn last(&self, condition: &Term, tools: &mut Tools<'_>) -> Option<usize> {
        let support = tools.shapes.support(condition);
        let mut last = None;
        for read in &support.reads {
            last = last.max(Some(self.rungs.iter().position(|rung| rung.byte == *read)?));
        }
        last.filter(|_| support.whole.is_empty())
    }

    /// Adds rungs for bytes that are new, the deepest first, and gives the place of a condition's last byte.
    fn enter_bytes(&mut self, condition: &Term, tools: &mut Tools<'_>) -> Option<usize> {
        let support = tools.shapes.support(condition);
        if !support.whole.is_empty() || support.reads.iter().any(|read| read.width() != 8) {
            return None;
        }
        let known = |byte: &&Term| self.rungs.iter().any(|rung| rung.byte == **byte);
        let mut new: Vec<&Term> = support.reads.iter().filter(|byte| !known(byte)).collect();
        if self.rungs.len() + new.len() > BYTES {
            return None;
        }
        if new.len() > 1 {
            let depths = depths(condition);
            new.sort_by_key(|byte| {
                (Reverse(depths.get(&byte.id()).copied()), byte.args().get(1).and_then(Term::const_u64))
            });
        }
        for byte in new {
            let below = self.rows_below(self.rungs.len());
            self.rungs.push(Arc::new(Rung::new(byte.clone(), below)));
            self.alive.push(OnceLock::new());
        }
        self.last(condition, tools)
    }

    /// Makes the view below a rung have what a term needs of the bytes there, and so on downwards; the lowest first.
    fn provide(&mut self, term: &Term, rung: usize, tools: &mut Tools<'_>) -> Option<()> {
        let mut needed = vec![vec![term.clone()]];
        for place in (1..=rung).rev() {
            let mut parts = Vec::new();
            for term in needed.last().into_iter().flatten() {
                self.lacking(term, place, &mut parts, tools)?;
            }
            needed.push(parts);
        }
        for (place, parts) in needed.into_iter().skip(1).rev().enumerate() {
            if parts.len() > 1 && self.is_too_fine(&parts, place, tools)? {
                return None;
            }
            for part in parts {
                self.extend(part, place, tools)?;
            }
        }
        Some(())
    }

    /// Are a rung's rows too many if these terms tell them apart? Half of a check of sixteen bits leaves few rows, and both halves too many: a few rows below show that before
    /// the first half is worked out for all of them.
    fn is_too_fine(&self, terms: &[Term], rung: usize, tools: &mut Tools<'_>) -> Option<bool> {
        let rows = self.rows_below(rung);
        let few = &rows[..FEW.min(rows.len())];
        let (below, byte) = (self.view_below(rung), &self.rungs[rung].byte);
        let mut columns = Vec::with_capacity(terms.len());
        for term in terms {
            columns.push(tools.views.values(term, below, byte, few, tools.shapes, &mut tools.spent.nodes)?);
        }
        // By hash: two that are taken for one make it look coarser.
        let mut met: FxHashSet<u64> = FxHashSet::default();
        for (number, row) in few.iter().enumerate() {
            let edges = self.rungs[rung].edges(*row);
            for byte in self.rungs[rung].values.iter().filter(|byte| edges[usize::from(*byte)] != NONE) {
                let mut hasher = FxHasher::default();
                hasher.write_u16(edges[usize::from(byte)]);
                columns.iter().for_each(|column| hasher.write_u64(column[number].at(byte)));
                met.insert(hasher.finish());
            }
            if met.len() > ROWS {
                break;
            }
        }
        tools.spent.nodes += few.len() * LOOKING;
        Some(met.len() > ROWS)
    }

    /// Adds the largest parts of a term without this rung's byte that do not follow from the view below it, nor from what was added before. `None` if it is too large.
    fn lacking(&self, term: &Term, rung: usize, parts: &mut Vec<Term>, tools: &mut Tools<'_>) -> Option<()> {
        let byte = &self.rungs[rung].byte;
        let before = parts.len();
        let mut seen: FxHashSet<u32> = FxHashSet::with_capacity_and_hasher(SEEN, Default::default());
        let mut stack = vec![term];
        while let Some(node) = stack.pop() {
            let support = tools.shapes.support(node);
            let own = support.reads.contains(byte);
            if support.reads.len() <= usize::from(own) || !seen.insert(node.id()) {
                continue;
            }
            if seen.len() > NODES {
                return None;
            }
            let terms = &tools.views.view(self.view_below(rung)).terms;
            if terms.contains(node) || parts.contains(node) {
                continue;
            }
            if own || node.is_array() {
                stack.extend(node.args());
            } else if !follows(node, terms, &parts[..before], tools.shapes) {
                parts.push(node.clone());
            }
        }
        Some(())
    }

    /// Enters a term, over bytes up to this one, into the view of a rung: its rows are told apart by it. The view below has what it needs.
    fn extend(&mut self, term: Term, rung: usize, tools: &mut Tools<'_>) -> Option<()> {
        let coarser = self.rungs[rung].view;
        if tools.views.view(coarser).terms.contains(&term) {
            return Some(());
        }
        if tools.spent.is_over() {
            return None;
        }
        let rows = self.rows_below(rung);
        let view = tools.views.finer(coarser, &term)?;
        let mut finding = Finding::new(view, coarser);
        let mut edges = Vec::with_capacity(rows.len());
        let bytes = self.rungs[rung].values.list();
        // A few show whether there are too many.
        let (first, others) = rows.split_at(FEW.min(rows.len()));
        for rows in [first, others] {
            let (below, byte) = (self.view_below(rung), &self.rungs[rung].byte);
            let columns = tools.views.values(&term, below, byte, rows, tools.shapes, &mut tools.spent.nodes)?;
            for (row, column) in rows.iter().zip(columns) {
                let mut finer = **self.rungs[rung].edges(*row);
                if !finding.finer(*row, &mut finer, &column, &bytes, tools.views) {
                    tools.spent.nodes += finding.cost();
                    return None;
                }
                edges.push((*row, Edges::new(finer)));
            }
        }
        tools.spent.nodes += finding.cost();
        let changed = Arc::make_mut(&mut self.rungs[rung]);
        (changed.view, changed.edges, changed.reached) = (view, edges, finding.reached);
        self.forget(rung..rung + 1);
        let rows = self.rungs[rung].rows();
        if let Some(above) = self.rungs.get_mut(rung + 1) {
            let above = Arc::make_mut(above);
            let finer = rows.iter().map(|row| (*row, above.edges(tools.views.coarse(view, *row)).clone()));
            above.edges = finer.collect();
            tools.spent.nodes += self.reach(rung + 1);
        }
        Some(())
    }

    /// Finds out which rows are still reached, from a rung upwards: edges have gone there, or rows below have become others. Gives what that took, in nodes.
    fn reach(&mut self, from: usize) -> usize {
        let mut cost = 0;
        for place in from..self.rungs.len() {
            let below = place.checked_sub(1).map(|below| self.rungs[below].reached.as_slice());
            let (reached, looked) = self.rungs[place].reach(|row| match below {
                Some(below) => matches!(below.get(usize::from(row)), Some(Some(_))),
                None => true,
            });
            cost += 1 + looked * LOOKING;
            let Some(reached) = reached else { break };
            let changed = Arc::make_mut(&mut self.rungs[place]);
            changed.reached = reached;
        }
        cost
    }

    /// How many rows are looked through to find out from which rows of a rung the top is reached, as far as that is not known yet.
    pub fn unknown(&self, rung: usize) -> usize {
        let alive = self.alive[rung..].iter().zip(&self.rungs[rung + 1..]);
        alive.take_while(|(alive, _)| alive.get().is_none()).map(|(_, above)| above.edges.len()).sum()
    }
}

/// How far each node is from the top of a term, at most. What a program has carried along farthest is deepest: bytes that come at once are taken in that order, so that
/// what is carried is the view.
fn depths(term: &Term) -> FxHashMap<u32, u32> {
    let mut depths: FxHashMap<u32, u32> = FxHashMap::default();
    for node in post_order([term]).into_iter().rev() {
        let depth = depths.get(&node.id()).copied().unwrap_or(0);
        for arg in node.args() {
            let known = depths.entry(arg.id()).or_insert(0);
            *known = (*known).max(depth + 1);
        }
    }
    depths
}

/// Does a term follow from these, and more?
fn follows(term: &Term, terms: &[Term], more: &[Term], shapes: &mut Shapes) -> bool {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(node) = stack.pop() {
        if terms.contains(node)
            || more.contains(node)
            || !seen.insert(node.id())
            || shapes.support(node).reads.is_empty()
        {
            continue;
        }
        if is_variable(node) || seen.len() > NODES {
            return false;
        }
        stack.extend(node.args());
    }
    true
}
