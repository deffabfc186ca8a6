//! Constraints over many bytes, solved exactly, one byte after the other.
//!
//! Programs that read their input byte by byte carry what they have seen in a few variables: the state of a scanner, a value parsed so far, a flag. Conditions over twenty
//! bytes are conditions over such a variable and the next byte. Here that is found in the terms. Bytes are rungs, in the order in which the constraints first mention them. Behind a byte stands
//! its *view*: the largest subterms over the bytes so far that constraints over later bytes use. The rows of a rung are the combinations of values that its
//! view can have; its edges tell which row a row below and a value of the byte lead to. There are few rows where the program forgets, and then a
//! constraint costs one evaluation for each row below its last byte, all values of the byte at a time, however long the path is.
//!
//! Sound both ways. A rung's edges say, for each row below and each value of the byte, whether the constraints that end at this byte hold, and what the view is: a
//! constraint is evaluated from the view below, which has all that it needs of earlier bytes, and the byte. So ways from the bottom to the top are the solutions of all constraints, no
//! more and no fewer. No way to the top proves *never*; a way names its bytes, which satisfy all constraints.
//!
//! Constraints are added one at a time: paths that begin alike share what they have in common, and a question looks at one rung of its path's ladder. What a
//! constraint is at a row is the same on all paths, and worked out once (`view`).
//!
//! Rejected: solutions over the bytes themselves (`below::points`): a name of six letters has 26^6. A decision diagram over bits: tables of a scanner are large in it, and are read
//! here as they are. All constraints at once, in rounds over the bytes: each new one makes every round again.

mod column;
mod residue;
mod rung;
#[cfg(test)]
mod tests;
mod view;
mod whole;

use crate::knowledge::Shapes;
use crate::layers::Spent;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use strata_query::{Model, Path};
use strata_term::Term;
use view::Views;
use whole::{Ladder, Tools};

/// What is kept before all is forgotten, in rows of half a KiB.
const SIZE: usize = 1 << 16;
/// Constraints at most that a path has more than one that is known.
const CONSTRAINTS: usize = 256;
/// What a new ladder costs, in nodes computed; and how many rows are looked through in the time of one.
const MAKING: usize = 8;
const LOOKING: usize = 4;

/// What is known by an exact answer.
pub enum Found {
    /// No solution.
    Never,
    /// A value for each byte.
    Solution(Vec<(Term, u64)>),
}

/// What was made for a key, which is held, so that a number of it means it; nothing if that was too much.
type Kept<K> = (K, Option<Arc<Ladder>>);

/// Ladders met before.
#[derive(Default)]
pub struct Ladders {
    views: Views,
    /// By the one they were made of and the id of the constraint that was added; a term that a ladder cannot be made ready for is kept like a constraint that was too much.
    made: FxHashMap<(u64, u32), Kept<Term>>,
    /// By the address of their path.
    ends: FxHashMap<usize, Kept<Path>>,
    count: u64,
    size: usize,
}

impl Ladders {
    /// Solves the constraints of some paths that share no byte, and one more, near a solution of the paths. `None` if that is too much, or nothing for this. Adds what it
    /// computed.
    pub fn solve(
        &mut self,
        paths: &[&Path],
        condition: &Term,
        witness: &Model,
        shapes: &mut Shapes,
        spent: &mut Spent,
    ) -> Option<Found> {
        let (ladder, last) = self.ready(paths, condition, shapes, spent)?;
        let mut tools = Tools { views: &mut self.views, shapes, spent };
        let truths = ladder.truths(condition, last, &mut tools)?;
        spent.nodes += truths.len() / LOOKING + ladder.unknown(last);
        Some(ladder.way(&truths, last, witness).map_or(Found::Never, Found::Solution))
    }

    /// Tells all values that a term has in the solutions of some paths that share no byte, some of them often, until that is enough. False: it was.
    pub fn each(
        &mut self,
        paths: &[&Path],
        term: &Term,
        shapes: &mut Shapes,
        spent: &mut Spent,
        tell: impl FnMut(u64, &dyn Fn() -> bool) -> bool,
    ) -> Option<bool> {
        let (ladder, last) = self.ready(paths, term, shapes, spent)?;
        let mut tools = Tools { views: &mut self.views, shapes, spent };
        ladder.each(term, last, &mut tools, tell)
    }

    /// The ladder of some paths that share no byte, ready for a term, and the place of its last byte.
    fn ready(
        &mut self,
        paths: &[&Path],
        term: &Term,
        shapes: &mut Shapes,
        spent: &mut Spent,
    ) -> Option<(Arc<Ladder>, usize)> {
        if self.kept() > SIZE {
            *self = Ladders { count: self.count, ..Ladders::default() };
        }
        let empty = Path::default();
        let (first, others) = paths.split_first().map_or((&empty, paths), |(first, others)| (*first, others));
        let mut ladder = self.of(first, shapes, spent)?;
        for path in others {
            let mut constraints: Vec<&Term> = path.iter().take(CONSTRAINTS + 1).collect();
            if constraints.len() > CONSTRAINTS {
                return None;
            }
            constraints.reverse();
            for constraint in constraints {
                ladder = self.with(&ladder, constraint, shapes, spent)?;
            }
        }
        if let Some((_, None)) = self.made.get(&(ladder.number, term.id())) {
            return None;
        }
        let own = others.is_empty().then_some(first);
        let ready = self.prepared(&ladder, own, term, shapes, spent);
        if ready.is_none() && !spent.is_over() {
            self.refuse(&ladder, term);
        }
        ready
    }

    /// Keeps that a term is too much for a ladder, and a condition on either side of a branch.
    fn refuse(&mut self, ladder: &Ladder, term: &Term) {
        let negation = (term.width() == 1).then(|| term.not());
        for constraint in [term.clone()].into_iter().chain(negation) {
            self.made.entry((ladder.number, constraint.id())).or_insert((constraint, None));
        }
    }

    /// How much is kept, in rows of half a KiB.
    fn kept(&self) -> usize {
        self.size + self.views.size + self.ends.len() / 4
    }

    /// The ladder of a path.
    fn of(&mut self, path: &Path, shapes: &mut Shapes, spent: &mut Spent) -> Option<Arc<Ladder>> {
        let mut ladder = Some(Arc::default());
        let mut missing: Vec<&Path> = Vec::new();
        for prefix in path.prefixes() {
            if let Some((_, known)) = self.ends.get(&prefix.address()) {
                ladder = known.clone();
                break;
            }
            missing.push(prefix);
            if missing.len() > CONSTRAINTS {
                return None;
            }
        }
        for prefix in missing.into_iter().rev() {
            ladder = ladder.and_then(|ladder| self.with(&ladder, prefix.constraint()?, shapes, spent));
            // What there was too little for is tried again; views keep what was computed.
            if ladder.is_none() && (spent.is_over() || self.kept() > 2 * SIZE) {
                return None;
            }
            self.ends.insert(prefix.address(), (prefix.clone(), ladder.clone()));
        }
        ladder
    }

    /// A ladder with one more constraint.
    fn with(
        &mut self,
        ladder: &Arc<Ladder>,
        constraint: &Term,
        shapes: &mut Shapes,
        spent: &mut Spent,
    ) -> Option<Arc<Ladder>> {
        let key = (ladder.number, constraint.id());
        if let Some((_, known)) = self.made.get(&key) {
            return known.clone();
        }
        // All of it on one path: the next one begins anew.
        if self.kept() > 2 * SIZE {
            return None;
        }
        let next = self.prepared(ladder, None, constraint, shapes, spent).and_then(|(ladder, last)| {
            let mut tools = Tools { views: &mut self.views, shapes, spent };
            let truths = ladder.truths(constraint, last, &mut tools)?;
            self.count += 1;
            let mut next = (*ladder).clone();
            (next.number, next.made) = (self.count, key);
            spent.nodes += MAKING + truths.len() + next.filter(&truths, last);
            self.size += next.size(&ladder);
            Some(Arc::new(next))
        });
        if next.is_some() || !spent.is_over() {
            self.made.insert(key, (constraint.clone(), next.clone()));
        }
        next
    }

    /// A ladder made ready for a condition, and the place of its last byte. What was made finer has the same solutions and takes the place of what was not.
    fn prepared(
        &mut self,
        ladder: &Arc<Ladder>,
        path: Option<&Path>,
        condition: &Term,
        shapes: &mut Shapes,
        spent: &mut Spent,
    ) -> Option<(Arc<Ladder>, usize)> {
        let mut tools = Tools { views: &mut self.views, shapes, spent };
        if let Some(last) = ladder.ready(condition, &mut tools) {
            return Some((ladder.clone(), last));
        }
        let mut finer = (**ladder).clone();
        let last = finer.prepare(condition, &mut tools);
        spent.nodes += MAKING;
        let last = last?;
        self.size += finer.size(ladder);
        // Without the rungs of bytes that its constraints do not mention: those of another group may.
        if let Some(same) = finer.beginning(ladder).map(Arc::new) {
            if let Some((_, known)) = self.made.get_mut(&finer.made) {
                *known = Some(same.clone());
            }
            if let Some((_, known)) = path.and_then(|path| self.ends.get_mut(&path.address())) {
                *known = Some(same);
            }
        }
        Some((Arc::new(finer), last))
    }
}
