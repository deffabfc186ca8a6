//! The main loop: strategies pick states, workers run them, limits hold, and what ends becomes a test.
//!
//! - `strategies`: in which order states run.
//! - `workers`: threads over one frontier.
//! - `least`, `tests`: from a path to its test.
//! - `limits`, `coverage`, `forks`: what a run used, what it reached and where it forked.
//! - `kinds`: kinds of errors as a user names them.
//!
//! The bytes of a test depend on its path alone, so a complete exploration leaves the same tests at any number of workers.

// States are large, and move between lists.
#![expect(clippy::vec_box)]

mod coverage;
mod forks;
mod kinds;
mod least;
mod limits;
mod queue;
pub mod strategies;
mod tests;
mod workers;

pub use coverage::{coverage, sums};
pub use kinds::check_kind;
pub use limits::{Limits, resident};
pub use workers::{Found, Live, Options, Shapes, Summary, explore};
