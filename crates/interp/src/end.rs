//! How a path ends, and what is wrong with the program when it ends in an error.

use std::fmt;
use strata_memory::{Kind as ObjectKind, Origin, Value};

/// What kind of error: KLEE's names where KLEE has one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// A bad pointer: null, out of bounds, use after free.
    Ptr,
    /// Freeing what is no heap object.
    Free,
    /// A failed assertion.
    Assert,
    /// The program aborts.
    Abort,
    /// Division by zero.
    Div,
    /// Signed overflow.
    Overflow,
    /// A shift by at least the width.
    Overshift,
    /// A value that an optimiser was promised never to be used.
    Poison,
    /// A write to what must not be written.
    ReadOnly,
    /// Code that the program promised never to reach.
    Unreachable,
    /// A call through a pointer to no function, or to one of another shape.
    Exec,
    /// The stack is used up.
    Stack,
    /// A value nobody wrote decides something.
    Uninit,
    /// Memory that nobody freed and nobody can reach.
    Leak,
    /// A signal that ends the program.
    Signal,
    /// Misuse of one of our intrinsics.
    User(String),
}

impl ErrorKind {
    /// The names of all kinds; a program can have more of its own (`klee_report_error`).
    pub const NAMES: &[&str] = &[
        "ptr",
        "free",
        "assert",
        "abort",
        "div",
        "overflow",
        "overshift",
        "poison",
        "read_only",
        "unreachable",
        "exec",
        "stack",
        "uninit",
        "leak",
        "signal",
        "user",
    ];

    /// The name in file names and statistics.
    pub fn name(&self) -> &str {
        match self {
            ErrorKind::Ptr => "ptr",
            ErrorKind::Free => "free",
            ErrorKind::Assert => "assert",
            ErrorKind::Abort => "abort",
            ErrorKind::Div => "div",
            ErrorKind::Overflow => "overflow",
            ErrorKind::Overshift => "overshift",
            ErrorKind::Poison => "poison",
            ErrorKind::ReadOnly => "read_only",
            ErrorKind::Unreachable => "unreachable",
            ErrorKind::Exec => "exec",
            ErrorKind::Stack => "stack",
            ErrorKind::Uninit => "uninit",
            ErrorKind::Leak => "leak",
            ErrorKind::Signal => "signal",
            ErrorKind::User(kind) => kind,
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The object an error is about.
#[derive(Clone, Debug)]
pub struct Victim {
    /// Its number.
    pub number: Origin,
    /// Its first address.
    pub address: u64,
    /// In bytes (64 bits): each test has its own where that depends on the input.
    pub size: Value,
    /// What it is.
    pub kind: ObjectKind,
    /// Its name, when it has one.
    pub name: String,
    /// The place where it was made (an index into the program's places).
    pub made_at: u32,
    /// The place where it was freed.
    pub freed_at: Option<u32>,
    /// Where the access starts, relative to the object (64 bits, signed): each test has its own where that depends on the input.
    pub offset: Option<Value>,
}

/// An error of the tested program.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What kind.
    pub kind: ErrorKind,
    /// In one line.
    pub message: String,
    /// The object concerned.
    pub victim: Option<Victim>,
    /// The place it belongs to, when that is not where the path ends.
    pub place: Option<u32>,
}

impl Fault {
    /// An error about no particular object.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into(), victim: None, place: None }
    }
}

/// So many bytes, in words.
pub fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".into() } else { format!("{count} bytes") }
}

/// Why a path could not be followed to its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cause {
    /// A short name for counting: `solver`, `external`, `model`, `limit`, …
    pub kind: &'static str,
    /// For the user.
    pub reason: String,
}

impl Cause {
    /// A cause of this kind.
    pub fn new(kind: &'static str, reason: impl Into<String>) -> Cause {
        Cause { kind, reason: reason.into() }
    }
}

/// How a path ends.
#[derive(Clone, Debug)]
pub enum End {
    /// The program ends with this status (32 bits; where it is symbolic each test has its own).
    Exit(Value),
    /// The program has an error.
    Error(Box<Fault>),
    /// The engine could not go on.
    Incomplete(Cause),
    /// The path's constraints contradict each other (an assumption that cannot hold).
    Infeasible,
    /// The program asked to end without a test.
    Silent,
}

impl From<Fault> for End {
    fn from(fault: Fault) -> End {
        End::Error(Box::new(fault))
    }
}

impl From<Cause> for End {
    fn from(cause: Cause) -> End {
        End::Incomplete(cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_listed() {
        use ErrorKind::*;
        let all = [
            Ptr,
            Free,
            Assert,
            Abort,
            Div,
            Overflow,
            Overshift,
            Poison,
            ReadOnly,
            Unreachable,
            Exec,
            Stack,
            Uninit,
            Leak,
            Signal,
        ];
        let names: Vec<&str> = all.iter().map(ErrorKind::name).chain(["user"]).collect();
        assert_eq!(names, ErrorKind::NAMES);
    }
}
