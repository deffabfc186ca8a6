//! Many states become fewer: states of a fragment that are at one place, and differ in values that
//! one term can stand for, become one state.
//!
//! - `tree`: the decision tree of some states, folded into conditions and values.
//! - `merging`: from states at one place to fewer.
//! - `pattern`: states that are the same round, taken more or less often, as one clause.
//! - `pool`: the states of one worker that are in fragments: which runs next, who waits, when a
//!   fragment is merged or given up.
//! - `books`: what was merged where, for whoever shows a run.
//!
//! Deliberately absent: where fragments begin and end (the interpreter notes that), and in which
//! order states outside of fragments run (`explore`).

mod books;
mod merging;
mod pattern;
mod pool;
mod tree;

pub use books::{Books, Tally};
pub use merging::{Mode, Options};
pub use pool::{Next, Pool};
pub use tree::Tree;

/// States move between lists, and are large.
pub type States = Vec<Box<strata_interp::State>>;
