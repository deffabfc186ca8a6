//! A ladder: its rungs, and what a new constraint does to them.

use super::Spent;
use super::view::{Id, NOTHING, Views};
use crate::knowledge::{Shapes, is_variable, value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};
use strata_domain::{Aim, ByteSet, Domain};
use strata_query::Model;
use strata_term::{Term, post_order};

/// No row: the constraints do not hold.
const NONE: u16 = u16::MAX;
/// Rows of a rung, at most.
const ROWS: usize = 512;
/// Bytes, at most.
const BYTES: usize = 64;
/// How many rows of a view are found in the time of a node.
const FINDING: usize = 12;
/// Nodes of a term above a view, at most.
const NODES: usize = 1024;

/// Where a value of a byte leads, for each of them.
type Edges = Arc<[u16; 256]>;

/// One byte.
#[derive(Clone)]
struct Rung {
    byte: Term,
    /// What later bytes need of this one and those before it.
    view: Id,
    /// By row of the rung below, in order.
    edges: Vec<(u16, Edges)>,
    /// How each row of the view is reached: the row below and the value of the byte.
    reached: Vec<Option<(u16, u8)>>,
}

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
    /// From which rows the top is reached, by rung.
    alive: OnceLock<Vec<Vec<bool>>>,
}

impl Default for Ladder {
    /// No byte and no constraint.
    fn default() -> Ladder {
        Ladder { number: 0, made: (u64::MAX, 0), rungs: Vec::new(), alive: OnceLock::new() }
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
        changed.then(|| Ladder { rungs, alive: OnceLock::new(), ..*self })
    }

    /// Is it ready for a condition? Gives the place of its last byte.
    pub fn ready(&self, condition: &Term, tools: &mut Tools<'_>) -> Option<usize> {
        let last = self.last(condition, tools)?;
        let (view, byte) = (self.view_below(last), self.rungs[last].byte.clone());
        if !tools.views.suffices(view, &byte, condition) {
            if !self.lacking(condition, last, tools)?.is_empty() {
                return None;
            }
            tools.views.enough(view, &byte, condition);
        }
        Some(last)
    }

    /// Where a condition over the view below a rung and its byte holds, for each row that is reached there.
    pub fn truths(&self, condition: &Term, rung: usize, tools: &mut Tools<'_>) -> Option<Vec<(u16, ByteSet)>> {
        let rows = self.rows_below(rung);
        let (inner, negated) = match condition.op() {
            strata_term::Op::Not => (condition.arg(0), true),
            _ => (condition, false),
        };
        let byte = &self.rungs[rung].byte;
        let sets = match tools.shapes.byte_set(inner) {
            Some(set) => vec![set; rows.len()],
            None => {
                tools.views.truths(inner, self.view_below(rung), byte, &rows, tools.shapes, &mut tools.spent.nodes)?
            }
        };
        Some(
            rows.into_iter()
                .zip(sets)
                .map(|(row, set)| (row, if negated { set.complement(Aim::Above).set } else { set }))
                .collect(),
        )
    }

    /// Adds a constraint that was prepared for. Gives the number of rows that were looked through.
    pub fn filter(&mut self, truths: &[(u16, ByteSet)], rung: usize) -> usize {
        let changed = Arc::make_mut(&mut self.rungs[rung]);
        let edges = truths.iter().map(|(row, set)| {
            let mut edges = changed.edges(*row).clone();
            let fails = |(value, edge): (usize, &u16)| *edge != NONE && !set.contains(value as u64);
            if edges.iter().enumerate().any(fails) {
                let kept = Arc::make_mut(&mut edges);
                (0..256).filter(|value| !set.contains(*value as u64)).for_each(|value| kept[value] = NONE);
            }
            (*row, edges)
        });
        changed.edges = edges.collect();
        self.reach(rung)
    }

    /// Values for all bytes on a way to the top on which the condition with these truths at this rung holds, near the witness.
    pub fn way(&self, truths: &[(u16, ByteSet)], rung: usize, witness: &Model) -> Option<Vec<(Term, u64)>> {
        let near = value(&self.rungs[rung].byte, witness) as u8;
        let lives = |edge: u16| edge != NONE && self.is_alive(rung, edge);
        let fits = |row: u16| lives(self.rungs[rung].edges(row)[usize::from(near)]);
        let stays =
            truths.iter().find(|(row, set)| set.contains(near.into()) && fits(*row)).map(|(row, _)| (*row, near));
        let (row, byte) = stays.or_else(|| {
            truths.iter().find_map(|(row, set)| {
                let edges = self.rungs[rung].edges(*row);
                set.iter().find(|value| lives(edges[usize::from(*value)])).map(|value| (*row, value))
            })
        })?;
        let mut values = vec![(self.rungs[rung].byte.clone(), u64::from(byte))];
        let mut at = row;
        for below in self.rungs[..rung].iter().rev() {
            let (row, byte) = below.reached[usize::from(at)].expect("a row on a way is reached");
            values.push((below.byte.clone(), byte.into()));
            at = row;
        }
        let mut at = self.rungs[rung].edges(row)[usize::from(byte)];
        for (place, above) in self.rungs.iter().enumerate().skip(rung + 1) {
            let edges = above.edges(at);
            let near = value(&above.byte, witness) as usize & 0xff;
            let leads = |byte: &usize| edges[*byte] != NONE && self.is_alive(place, edges[*byte]);
            let byte = [near].into_iter().chain(0..256).find(leads).expect("a row that is alive has a way up");
            values.push((above.byte.clone(), byte as u64));
            at = edges[byte];
        }
        Some(values)
    }

    /// The least and the largest value of a term over the view below a rung and its byte, on all ways to the top. `None` if there is no way, or if it is too much.
    pub fn range(&self, term: &Term, rung: usize, tools: &mut Tools<'_>) -> Option<(u64, u64)> {
        let (rows, byte) = (self.rows_below(rung), &self.rungs[rung].byte);
        let values =
            tools.views.values(term, self.view_below(rung), byte, &rows, tools.shapes, &mut tools.spent.nodes)?;
        tools.spent.nodes += rows.len() + self.unknown(rung);
        let last = rung + 1 == self.rungs.len();
        let living: &[bool] = if last { &[] } else { &self.alive.get_or_init(|| self.living())[rung] };
        let (mut least, mut most) = (u64::MAX, 0);
        for (row, values) in rows.iter().zip(&values) {
            let edges = self.rungs[rung].edges(*row);
            values.each(|byte, value| {
                let edge = edges[byte];
                if edge != NONE && (last || living[usize::from(edge)]) {
                    (least, most) = (least.min(value), most.max(value));
                }
            });
        }
        (least <= most).then_some((least, most))
    }

    fn is_alive(&self, rung: usize, row: u16) -> bool {
        rung + 1 == self.rungs.len() || self.alive.get_or_init(|| self.living())[rung][usize::from(row)]
    }

    fn living(&self) -> Vec<Vec<bool>> {
        let mut all: Vec<Vec<bool>> = vec![Vec::new(); self.rungs.len()];
        for (place, rung) in self.rungs.iter().enumerate().rev() {
            all[place] = match self.rungs.get(place + 1) {
                None => rung.reached.iter().map(Option::is_some).collect(),
                Some(above) => {
                    let leads =
                        |edges: &Edges| edges.iter().any(|edge| *edge != NONE && all[place + 1][usize::from(*edge)]);
                    let mut living = vec![false; rung.reached.len()];
                    for (row, edges) in &above.edges {
                        if let Some(Some(_)) = rung.reached.get(usize::from(*row)) {
                            living[usize::from(*row)] = leads(edges);
                        }
                    }
                    living
                }
            };
        }
        all
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
            let all = Edges::new([0; 256]);
            let edges = self.rows_below(self.rungs.len()).into_iter().map(|row| (row, all.clone())).collect();
            self.rungs.push(Arc::new(Rung { byte: byte.clone(), view: NOTHING, edges, reached: vec![] }));
            tools.spent.nodes += self.reach(self.rungs.len() - 1);
        }
        self.last(condition, tools)
    }

    /// Makes the view below a rung have what a term needs of the bytes there.
    fn provide(&mut self, term: &Term, rung: usize, tools: &mut Tools<'_>) -> Option<()> {
        let Some(below) = rung.checked_sub(1) else { return Some(()) };
        for part in self.lacking(term, rung, tools)? {
            self.extend(part, below, tools)?;
        }
        Some(())
    }

    /// The largest parts of a term without this rung's byte that do not follow from the view below it. `None` if it is too large.
    fn lacking(&self, term: &Term, rung: usize, tools: &mut Tools<'_>) -> Option<Vec<Term>> {
        let byte = &self.rungs[rung].byte;
        let mut parts: Vec<Term> = Vec::new();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
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
            if terms.contains(node) {
                continue;
            }
            if own || node.is_array() {
                stack.extend(node.args());
            } else if !follows(node, terms, tools.shapes) && !parts.contains(node) {
                parts.push(node.clone());
            }
        }
        Some(parts)
    }

    /// Enters a term, over bytes up to this one, into the view of a rung: its rows are told apart by it.
    fn extend(&mut self, term: Term, rung: usize, tools: &mut Tools<'_>) -> Option<()> {
        let coarser = self.rungs[rung].view;
        if tools.views.view(coarser).terms.contains(&term) {
            return Some(());
        }
        self.provide(&term, rung, tools)?;
        if tools.spent.is_over() {
            return None;
        }
        let rows = self.rows_below(rung);
        let values = tools.views.values(
            &term,
            self.view_below(rung),
            &self.rungs[rung].byte,
            &rows,
            tools.shapes,
            &mut tools.spent.nodes,
        )?;
        let view = tools.views.finer(coarser, &term)?;
        let mut found = 0;
        let mut edges = Vec::with_capacity(rows.len());
        for (row, values) in rows.iter().zip(values) {
            let mut finer = **self.rungs[rung].edges(*row);
            let mut last = (NONE, 0, NONE);
            for (edge, value) in finer.iter_mut().zip(values.iter()).filter(|(edge, _)| **edge != NONE) {
                if (last.0, last.1) != (*edge, value) {
                    found += 1;
                    last = (*edge, value, tools.views.row(view, coarser, *edge, value)?);
                }
                *edge = last.2;
            }
            edges.push((*row, Edges::new(finer)));
        }
        tools.spent.nodes += rows.len() + found / FINDING;
        let changed = Arc::make_mut(&mut self.rungs[rung]);
        (changed.view, changed.edges) = (view, edges);
        self.alive = OnceLock::new();
        self.reach_one(rung);
        let rows = self.rungs[rung].rows();
        if rows.len() > ROWS {
            return None;
        }
        if let Some(above) = self.rungs.get_mut(rung + 1) {
            let above = Arc::make_mut(above);
            let finer = rows.iter().map(|row| (*row, above.edges(tools.views.coarse(view, *row)).clone()));
            above.edges = finer.collect();
            tools.spent.nodes += self.reach(rung + 1);
        }
        Some(())
    }

    /// Finds out again which rows are reached, from a rung upwards. Gives the number of rows that were looked through.
    fn reach(&mut self, from: usize) -> usize {
        self.alive = OnceLock::new();
        let mut looked = 0;
        for place in from..self.rungs.len() {
            looked += self.rungs[place].edges.len();
            if !self.reach_one(place) {
                break;
            }
        }
        looked
    }

    /// How many rows are looked through to find out from which the top is reached, if that is not known yet and a rung is below it.
    pub fn unknown(&self, rung: usize) -> usize {
        let known = self.alive.get().is_some() || rung + 1 == self.rungs.len();
        if known { 0 } else { self.rungs.iter().map(|rung| rung.edges.len()).sum() }
    }

    /// Of one rung; false if that changed nothing.
    fn reach_one(&mut self, place: usize) -> bool {
        let below = self.rows_below(place);
        let reached = self.rungs[place].reach(&below);
        let changes = reached != self.rungs[place].reached;
        if changes {
            Arc::make_mut(&mut self.rungs[place]).reached = reached;
        }
        changes
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

/// Does a term follow from these?
fn follows(term: &Term, terms: &[Term], shapes: &mut Shapes) -> bool {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(node) = stack.pop() {
        if terms.contains(node) || !seen.insert(node.id()) || shapes.support(node).reads.is_empty() {
            continue;
        }
        if is_variable(node) || seen.len() > NODES {
            return false;
        }
        stack.extend(node.args());
    }
    true
}

impl Rung {
    /// The rows that are reached.
    fn rows(&self) -> Vec<u16> {
        (0..self.reached.len() as u16).filter(|row| self.reached[usize::from(*row)].is_some()).collect()
    }

    /// From a row below that is reached.
    fn edges(&self, row: u16) -> &Edges {
        self.known(row).expect("there are edges from every row that is reached")
    }

    /// From a row below, if it is reached.
    fn known(&self, row: u16) -> Option<&Edges> {
        let place = self.edges.binary_search_by_key(&row, |(below, _)| *below).ok()?;
        Some(&self.edges[place].1)
    }

    /// How its rows are reached from these below.
    fn reach(&self, below: &[u16]) -> Vec<Option<(u16, u8)>> {
        let mut reached: Vec<Option<(u16, u8)>> = Vec::new();
        for row in below {
            let mut last = NONE;
            for (value, edge) in self.edges(*row).iter().enumerate() {
                if *edge == last || *edge == NONE {
                    continue;
                }
                last = *edge;
                let place = usize::from(*edge);
                if reached.len() <= place {
                    reached.resize(place + 1, None);
                }
                reached[place].get_or_insert((*row, value as u8));
            }
        }
        reached
    }
}
