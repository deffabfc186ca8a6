//! What is asked of a solver and what it answers. Data and one trait; no algorithm.
//!
//! - `Path`: the constraints collected along an execution, persistent, extended by one at a time.
//! - `Solver`: decides a branch at the end of a path: may it be true, may it be false, and a witness for each.
//! - `Budget`: what an answer may cost. Beyond it the answer is `Unknown` with the reason: data, not failure.

mod answer;
mod budget;
mod path;

pub use answer::{Answer, Branch, Model, Reason};
pub use budget::{Budget, Interrupt};
pub use path::Path;

use strata_term::Term;

/// Something that answers questions about paths.
pub trait Solver {
    /// Adds `constraint` (one bit, assumed true from here on) to the end of `path`. Does not ask whether the result is feasible.
    fn extend(&mut self, path: &mut Path, constraint: &Term);

    /// May all constraints of `path` and all `assumptions` hold together?
    fn check(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Answer;

    /// May `condition` be true at the end of `path`, may it be false? A path that is itself feasible has at least one side.
    /// Both sides are questions of their own unless a solver knows better.
    fn branch(&mut self, path: &Path, condition: &Term, budget: &Budget) -> Branch {
        Branch {
            may_be_true: self.check(path, std::slice::from_ref(condition), budget),
            may_be_false: self.check(path, &[condition.not()], budget),
        }
    }
}
