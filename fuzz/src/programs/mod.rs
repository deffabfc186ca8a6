//! Random C programs whose output is known from running them natively, to be compared with what
//! the engine predicts.
//!
//! A program has inputs, each with a value. Natively the inputs are those constants; for the
//! engine (`-D SYMBOLIC`) they are made symbolic and then fixed by an assumption, so that one path
//! is left and everything on it that depends on an input has been symbolic. Both must print the
//! same.
//!
//! A second flavour has a few values for each input, and operations that go wrong for some of
//! them. Natively it runs on every input; the engine must find exactly the outcomes of these runs.
//!
//! Programs have no undefined or unspecified behaviour by construction, not by checking
//! afterwards: arithmetic goes through functions that wrap, indices are reduced, everything is
//! initialised, calls with effects stand alone in a statement (so that no order of evaluation
//! matters), loops and calls burn fuel. A generator that emits freely and throws away what a
//! sanitizer rejects was rejected: little would survive, and only what the sanitizer sees would be
//! caught.
//!
//! A body is a tree of statements over text, declarations apart: deleting any statement leaves a
//! program that compiles, which is all that shrinking needs.

mod attack;
mod compare;
mod exhaust;
mod expression;
mod generate;
mod kind;
mod planted;
mod shrink;
mod statement;

pub use attack::{Attack, attack};
pub use compare::{Setting, Verdict, compare};
pub use exhaust::exhaust;
pub use generate::{Program, planted, program};
pub use shrink::smaller;
pub use statement::Statement;
