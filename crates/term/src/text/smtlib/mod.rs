//! SMT-LIB 2.6: scripts over bit-vectors and arrays of bytes, read and written.
//!
//! In our terms a truth value is a bit-vector of width one. The reader keeps the two sorts of SMT-LIB apart and refuses to mix
//! them; the printer writes each term in the form that is natural for its operator and converts where another is wanted.

mod commands;
mod lexer;
mod model;
mod operators;
mod printer;
mod response;
mod script;
mod sort;
mod spelling;
mod symbols;
mod terms;

pub use commands::{Asked, Command, LOGICS, Parser, Status};
pub use model::{print_array, print_model, print_value};
pub use printer::sort;
pub use response::read_values;
pub use script::{Session, Sharing, print_query, print_term};
pub use sort::SmtSort;
pub use symbols::Declaration;

#[cfg(test)]
mod tests;
