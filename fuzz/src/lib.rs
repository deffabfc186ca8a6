//! Attacks on the solver: random formulas, checked by enumeration or against another solver, and shrunk when they fail.
//!
//! Everything is a function of a seed, which every report prints.

mod generate;
mod random;

pub use generate::{Limits, formula};
pub use random::Random;
