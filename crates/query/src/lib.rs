//! What is asked of a solver and what it answers. Data and one trait; no algorithm.
//!
//! - `Path`: the constraints collected along an execution, persistent, extended by one at a time.
//! - `Solver`: decides what may hold at the end of a path, with a witness where it may.
//! - `Budget`: what an answer may cost. Beyond it the answer is `Unknown` with the reason: data, not failure.
//! - `Gauge`: the time that answers take, readable while they take it.

mod answer;
mod budget;
mod gauge;
mod path;

pub use answer::{Answer, Model, Reason};
pub use budget::{Budget, Interrupt};
pub use gauge::{Gauge, Task};
pub use path::{Knowledge, Path};

use strata_term::Term;

/// The least and the largest value that a term can have, or bounds of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// No value is smaller.
    pub least: u64,
    /// No value is larger.
    pub most: u64,
    /// Does it have both?
    pub exact: bool,
}

impl Range {
    /// The only value.
    pub fn single(&self) -> Option<u64> {
        (self.least == self.most).then_some(self.least)
    }

    /// What both say.
    pub fn meet(&self, other: &Range) -> Range {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        Range { least, most, exact: self.exact || other.exact }
    }
}

/// A few values that a term can have, and no others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// In order; at least one.
    pub all: Vec<u64>,
    /// Does it have each of them?
    pub exact: bool,
}

impl Values {
    /// The least and the largest.
    pub fn range(&self) -> Option<Range> {
        let (least, most) = (*self.all.first()?, *self.all.last()?);
        Some(Range { least, most, exact: self.exact })
    }
}

/// Something that answers questions about paths.
pub trait Solver {
    /// Adds `constraint` (one bit, assumed true from here on) to the end of `path`. Does not ask whether the result is feasible.
    fn extend(&mut self, path: &mut Path, constraint: &Term);

    /// May all constraints of `path` and all `assumptions` hold together?
    fn check(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Answer;

    /// May `condition` hold at the end of `path`, of which `witness` is a model? What the condition does not touch is as the witness has
    /// it in the answer.
    fn ask(&mut self, path: &Path, witness: &Model, condition: &Term, budget: &Budget) -> Answer {
        let _ = witness;
        self.check(path, std::slice::from_ref(condition), budget)
    }

    /// Between which values `term` (at most 64 bits) lies at the end of `path`, if that is cheap to see.
    fn range(&mut self, path: &Path, term: &Term) -> Option<Range> {
        let _ = (path, term);
        None
    }

    /// Which values `term` (at most 64 bits) can have at the end of `path`, if they are few and that is cheap to see.
    fn values(&mut self, path: &Path, term: &Term) -> Option<Values> {
        let _ = (path, term);
        None
    }

    /// The only value that `term` (at most 64 bits) can have at the end of `path`, if it has one because of what the path says, and that is cheap to see.
    fn single(&mut self, path: &Path, term: &Term) -> Option<u64> {
        self.range(path, term)?.single()
    }

    /// Does `condition` hold under `model`?
    fn holds(&mut self, condition: &Term, model: &Model) -> bool {
        strata_term::eval(condition, model).is_true()
    }
}
