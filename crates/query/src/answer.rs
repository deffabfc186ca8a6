//! Answers: satisfiable with a model, unsatisfiable, or unknown with a reason.

use std::fmt;
use strata_term::Assignment;

/// A satisfying assignment. Inputs that it does not mention are zero.
pub type Model = Assignment;

/// The answer to "may these hold together?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, as this model shows. It was evaluated on the question before it was given out.
    Sat(Model),
    /// No.
    Unsat,
    /// Not decided. Never to be read as `Unsat`.
    Unknown(Reason),
}

impl Answer {
    /// `sat`, `unsat` or `unknown`, as SMT-LIB prints it.
    pub fn name(&self) -> &'static str {
        match self {
            Answer::Sat(_) => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        }
    }
}

/// Why a question was not decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The time allowed for the question ran out.
    Time,
    /// The conflicts allowed for the question ran out.
    Conflicts,
    /// The question needs more memory than it may use.
    Memory,
    /// Somebody interrupted the solver.
    Interrupted,
    /// Another solver failed: it said `unknown`, crashed, or could not be understood.
    Backend(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Time => write!(f, "timeout"),
            Reason::Conflicts => write!(f, "conflict limit"),
            Reason::Memory => write!(f, "memory limit"),
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::Backend(what) => write!(f, "{what}"),
        }
    }
}
