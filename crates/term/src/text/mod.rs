//! Terms as text: SMT-LIB 2.6 and KQuery, read and written.
//!
//! Neither readers nor writers recurse over terms: a term nested a million deep is read, printed and dropped with an explicit
//! stack. A DAG is never written as a tree: what is used more than once is named once.
//!
//! Readers never panic, whatever the bytes: sorts, widths and bounds are checked before a constructor is called, and what is wrong
//! comes back as an `Error` with its place.

mod error;
pub mod kquery;
mod numeral;
pub mod smtlib;

pub use error::{Error, Position};
