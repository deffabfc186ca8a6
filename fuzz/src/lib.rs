//! Attacks on the solver: random formulas, checked by enumeration or against another solver, and shrunk when they fail.
//!
//! Everything is a function of a seed, which every report prints.

pub mod differential;
mod generate;
mod shrink;

pub use generate::{Limits, formula};
pub use shrink::shrink;
pub use strata_term::Random;
