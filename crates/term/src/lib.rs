//! Bit-vector and array terms: the language in which every question to the solver is put.
//!
//! A term is a node of a hash-consed DAG, named by a counted 32-bit handle (`Term`). Constructors simplify by the
//! rules in `rules/`; `raw` constructors do not, so that the rules can be checked against the solver.
//!
//! No walk in this crate recurses over a term: chains of a million nodes are ordinary.
//!
//! Deliberately absent: solving, files, and any notion of a path or a program.

mod assignment;
mod bits;
mod build;
mod clause;
mod eval;
mod fold;
mod memo;
mod need;
mod op;
mod points;
mod random;
pub mod rules;
mod store;
mod substitute;
mod term;
pub mod text;
mod walk;

pub use assignment::Assignment;
pub use bits::{Bits, mask, signed};
pub use clause::{expand, guarded};
pub use eval::{Evaluator, eval, eval_array, eval_bytes, hold};
pub use fold::{fold, fold_narrow};
pub use op::{Info, Kind, Op};
pub use points::{Columns, Lanes, Points, Square, is_narrow, pairs};
pub use random::Random;
pub use store::{MAX_WIDTH, Term, collect, live};
pub use substitute::{Substitution, rebuild};
pub use term::Sort;
pub use walk::{Seen, clauses, inputs, mentions, post_order};
