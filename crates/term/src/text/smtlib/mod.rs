//! SMT-LIB 2.6: scripts over bit-vectors and arrays of bytes, read and written.
//!
//! In our terms a truth value is a bit-vector of width one. The reader keeps the two sorts of SMT-LIB apart and refuses to mix
//! them; the printer writes each term in the form that is natural for its operator and converts where another is wanted.

mod commands;
mod lexer;
mod operators;
mod sort;
mod symbols;
mod terms;

pub use commands::{Asked, Command, LOGICS, Parser, Status};
pub use sort::SmtSort;
pub use symbols::Declaration;
