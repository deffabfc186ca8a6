//! What was asked for.

use crate::fragment::Plan;
use std::sync::Arc;
use std::time::Duration;

/// What a value that nobody wrote is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uninit {
    /// Any value.
    Symbolic,
    /// Zero.
    Zero,
    /// A pattern that stands out: bytes of 0xA5.
    Pattern,
}

/// What happens when a symbolic value meets floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// The path ends as incomplete.
    Stop,
    /// One value is taken, the others are counted incomplete.
    Concretize,
}

/// Checks beyond those that are always made.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Division by zero.
    pub div: bool,
    /// Shifts by at least the width.
    pub overshift: bool,
    /// Signed overflow.
    pub overflow: bool,
    /// Memory never freed.
    pub leak: bool,
    /// Use of a value nobody wrote is an error.
    pub uninit: bool,
    /// Every broken promise to an optimiser whose result is used (`Instruction::Poison`).
    pub poison: bool,
}

/// Options of the interpreter.
#[derive(Clone, Debug)]
pub struct Config {
    /// Checks.
    pub checks: Checks,
    /// Values nobody wrote.
    pub uninit: Uninit,
    /// Symbolic floats.
    pub float: Float,
    /// Does a pointer remember its object?
    pub provenance: bool,
    /// Time for one question.
    pub solver_timeout: Duration,
    /// Objects that a pointer without an origin may be resolved to before the rest is given up.
    pub resolutions: usize,
    /// Bytes of address space for an object of symbolic size: larger sizes are not followed.
    pub size_cap: u64,
    /// Calls in progress.
    pub max_calls: usize,
    /// Bytes of local variables.
    pub max_stack: u64,
    /// Bytes on the heap of one path.
    pub max_heap: u64,
    /// A false `assume` ends the path without a word.
    pub silent_assume: bool,
    /// Was the program optimised before it was loaded? Then code of the calling convention cannot be told from the program's.
    pub optimised: bool,
    /// How many times one path may fork.
    pub max_depth: Option<u32>,
    /// Where states stop for others, if they are merged.
    pub merge: Option<Arc<Plan>>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            checks: Checks { div: true, overshift: true, overflow: false, leak: false, uninit: false, poison: false },
            uninit: Uninit::Pattern,
            float: Float::Stop,
            provenance: true,
            solver_timeout: Duration::from_secs(10),
            resolutions: 256,
            size_cap: 1 << 16,
            max_calls: 100_000,
            max_stack: 8 << 20,
            max_heap: 2 << 30,
            silent_assume: false,
            optimised: false,
            max_depth: None,
            merge: None,
        }
    }
}
