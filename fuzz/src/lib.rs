//! Attacks: random formulas on the solver, checked by enumeration or against another solver, and random programs on the engine, checked against
//! the machine; shrunk when they fail.
//!
//! Everything is a function of a seed, which every report prints.

pub mod clauses;
pub mod differential;
pub mod engine;
mod generate;
pub mod incremental;
pub mod layers;
pub mod linear;
mod memory;
pub mod programs;
pub mod riscv;
mod shrink;

pub use generate::{Limits, formula};
pub use memory::Memory;
pub use shrink::shrink;
pub use strata_term::Random;
