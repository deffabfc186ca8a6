//! Attacks on the solver: random formulas, checked by enumeration or against another solver, and shrunk when they fail.
//!
//! Everything is a function of a seed, which every report prints.

pub mod differential;
pub mod engine;
mod generate;
pub mod incremental;
mod memory;
mod shrink;

pub use generate::{Limits, formula};
pub use memory::Memory;
pub use shrink::shrink;
pub use strata_term::Random;
