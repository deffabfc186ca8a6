//! What a path was seen to do, for a native run to be compared with: its end, its output, its branches.

use crate::Bytes;
use crate::escape::hex64;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What is predicted for one test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// How the path ends.
    pub end: End,
    /// What it writes to standard output.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub stdout: Bytes,
    /// What it writes to standard error.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub stderr: Bytes,
    /// The output was longer than what is kept here, which is its beginning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The branches that it takes.
    #[serde(default)]
    pub branches: Trace,
    /// What it depends on that a native run does otherwise: then output and branches need not match.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub depends: BTreeSet<Dependence>,
    /// The first call that made it depend on the environment.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub call: String,
    /// The path went where none had been before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub new: bool,
    /// The program that this one becomes, and its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub became: Vec<Bytes>,
    /// How to show the objects, in their order; may be shorter than they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<Shape>,
    /// The seed of the run.
    #[serde(default)]
    pub seed: u64,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.0.is_empty()
}

impl Expectation {
    /// A path that ends so and does nothing else.
    pub fn of(end: End) -> Expectation {
        let (stdout, stderr, branches) = (Bytes::default(), Bytes::default(), Trace::default());
        let (depends, call) = (BTreeSet::new(), String::new());
        Expectation {
            end,
            stdout,
            stderr,
            cut: false,
            branches,
            depends,
            call,
            new: false,
            became: vec![],
            shapes: vec![],
            seed: 0,
        }
    }

    /// What it depends on, in words: `uninit`, `environment (time)`.
    pub fn dependences(&self) -> impl Iterator<Item = String> {
        self.depends.iter().map(|dependence| match dependence {
            Dependence::Uninit => "uninit".into(),
            Dependence::Address => "address".into(),
            Dependence::Environment if self.call.is_empty() => "environment".into(),
            Dependence::Environment => format!("environment ({})", self.call),
        })
    }

    /// Whether a native run may print and branch otherwise without being a divergence.
    pub fn is_loose(&self) -> bool {
        !self.depends.is_empty()
    }
}

/// How a path ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum End {
    /// The program exits.
    Exit {
        /// With this status (the low 8 bits are what a parent sees).
        status: i32,
    },
    /// An error was found.
    Error {
        /// KLEE's name of it where KLEE has one: ptr, assert, div…
        error: String,
        /// Source file, empty where unknown.
        file: String,
        /// Line in it, 0 where unknown.
        line: u32,
        /// One line for the user.
        message: String,
    },
    /// The program kills itself by a signal other than through an error above.
    Signal {
        /// Its number.
        signal: i32,
    },
    /// The path was not followed to its end.
    Incomplete {
        /// Because of this.
        reason: String,
    },
}

impl End {
    /// A short word for lists: `exit 0`, `ptr`, `incomplete`.
    pub fn word(&self) -> String {
        match self {
            End::Exit { status } => format!("exit {status}"),
            End::Error { error, .. } => error.clone(),
            End::Signal { signal } => format!("signal {signal}"),
            End::Incomplete { .. } => "incomplete".into(),
        }
    }
}

/// The branches of a path: how many, and a hash over them in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// How many.
    pub count: u64,
    /// Over which.
    #[serde(with = "hex64")]
    pub hash: u64,
}

/// Something that a native run does otherwise than predicted, rightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dependence {
    /// Memory that was never written.
    Uninit,
    /// Addresses of objects as numbers.
    Address,
    /// Clocks, process numbers, randomness of the kernel.
    Environment,
}

/// How to show an object's bytes: elements of one type. Without a name nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// The type of an element as the source says it: `int`, `struct point`.
    pub name: String,
    /// Bytes of an element.
    pub bytes: u32,
    /// Whether an element is a signed number.
    pub signed: bool,
    /// The parts of an element that is a structure, as far as they are numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
}

/// A part of a structure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub offset: u32,
    /// Its bytes.
    pub bytes: u32,
    /// Whether it is a signed number.
    pub signed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_short_and_round_trips() {
        let plain = Expectation::of(End::Exit { status: 3 });
        let text = serde_json::to_string(&plain).unwrap();
        let expect = r#"{"end":{"kind":"exit","status":3},"branches":{"count":0,"hash":"0000000000000000"},"seed":0}"#;
        assert_eq!(text, expect);
        let (error, file, message) = ("ptr".into(), "a.c".into(), "out of bounds".into());
        let full = Expectation {
            end: End::Error { error, file, line: 7, message },
            stdout: "hi\n".into(),
            stderr: Bytes(vec![0xff]),
            cut: true,
            branches: Trace { count: 2, hash: u64::MAX },
            depends: BTreeSet::from([Dependence::Uninit, Dependence::Address, Dependence::Environment]),
            call: "time".into(),
            new: true,
            became: vec!["/bin/true".into()],
            shapes: vec![Shape { name: "int".into(), bytes: 4, signed: true, fields: vec![Field::default()] }],
            seed: 9,
        };
        assert_eq!(full.dependences().collect::<Vec<_>>(), ["uninit", "address", "environment (time)"]);
        for expectation in [plain, full] {
            let text = serde_json::to_string(&expectation).unwrap();
            assert_eq!(serde_json::from_str::<Expectation>(&text).unwrap(), expectation, "{text}");
        }
    }
}
