//! Conditions over many bytes, decided byte by byte (`ladder`).
//!
//! Exact: all constraints that share a byte with the condition are solved with it, and no other mentions these bytes, so that a solution may take the place of the witness's values.

use super::{Layer, Price, Question, Single, Spent, Worth};
use crate::knowledge::{Few, Group, Known, Shapes, Support};
use crate::ladder::{Found, Ladders};
use std::sync::Arc;
use strata_query::{Answer, Path, Range, Values};
use strata_term::Term;

/// How many times what others have it starts with, before there is an answer, and is given later: ladders are kept.
const START: i64 = 64;
const GIVEN: i64 = 2;
/// How many such questions its first answers may cost.
const TRUST: i64 = 128;
/// How many of its nodes, which are computed for all values of a byte at once, take the time of one that others compute.
const AT_ONCE: usize = 3;

pub struct Climbing {
    ladders: Ladders,
    worth: Worth,
}

impl Default for Climbing {
    fn default() -> Climbing {
        Climbing { ladders: Ladders::default(), worth: Worth::patient(START, GIVEN).trusted(TRUST) }
    }
}

impl Climbing {
    /// Is a term of this support one for a ladder, and is it worth it?
    fn wanted(&mut self, support: &Support, price: Price) -> bool {
        let bytes = support.whole.is_empty() && support.reads.iter().all(|read| read.width() == 8);
        bytes && self.worth.wanted(price)
    }

    /// Tells all values that a term can have, some of them often, until that is enough. False: it was, or they are not known.
    fn each(
        &mut self,
        known: &Known,
        term: &Term,
        shapes: &mut Shapes,
        price: Price,
        tell: impl FnMut(u64, &dyn Fn() -> bool) -> bool,
    ) -> bool {
        let support = shapes.support(term);
        if !self.wanted(&support, price) {
            return false;
        }
        let groups = known.groups(&support);
        let mut spent = Spent::upto(AT_ONCE * self.worth.left(price));
        let found = self.ladders.each(&paths(&groups), term, shapes, &mut spent, tell);
        self.worth.tried(found.is_some(), spent.nodes / AT_ONCE, price);
        found == Some(true)
    }
}

/// Their paths, the longest first: it keeps its beginning when groups are joined.
fn paths(groups: &[Arc<Group>]) -> Vec<&Path> {
    let mut paths: Vec<&Path> = groups.iter().map(|group| &group.path).collect();
    paths.sort_by_key(|path| std::cmp::Reverse(path.len()));
    paths
}

impl Layer for Climbing {
    fn range(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, price: Price) -> Option<Range> {
        let mut range: Option<(u64, u64)> = None;
        let all = self.each(known, term, shapes, price, |value, is_met| {
            let (least, most) = range.unwrap_or((u64::MAX, 0));
            if (value < least || most < value) && is_met() {
                range = Some((least.min(value), most.max(value)));
            }
            true
        });
        range.filter(|_| all).map(|(least, most)| Range { least, most, exact: true })
    }

    fn single(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, price: Price) -> Option<Single> {
        let (mut only, mut several) = (None, false);
        let all = self.each(known, term, shapes, price, |value, is_met| {
            if only != Some(value) && is_met() {
                several = only.is_some();
                only = Some(value);
            }
            !several
        });
        if several { Some(Single::Several) } else { only.filter(|_| all).map(Single::Value) }
    }

    fn values(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, price: Price) -> Option<Values> {
        let mut few = Few::default();
        self.each(known, term, shapes, price, |value, is_met| few.has(value) || !is_met() || few.add(value))
            .then(|| few.sorted(true))?
    }

    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        if !self.wanted(&question.shape.support, question.price) {
            return None;
        }
        let groups = question.groups();
        let paths = paths(&groups);
        let mut spent = Spent::upto(AT_ONCE * self.worth.left(question.price));
        let found = self.ladders.solve(&paths, &question.condition, question.witness, shapes, &mut spent);
        self.worth.tried(found.is_some(), spent.nodes / AT_ONCE, question.price);
        Some(match found? {
            Found::Never => Answer::Unsat,
            Found::Solution(values) => question.moved(&values),
        })
    }
}
