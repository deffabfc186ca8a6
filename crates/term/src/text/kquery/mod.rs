//! KQuery: the language of KLEE's `kleaver`, read and written.
//!
//! A text declares arrays of bytes and asks queries: `(query [constraints] expression)` asks whether the constraints imply the
//! expression. Labels (`N0:(…)`, `U0:[…]`) name what is shared; they hold until the next query, arrays until the end.
//!
//! Where `kleaver` wants a type we also take it from the arguments. A constant array is zero beyond its contents.

mod lexer;
mod operators;
mod parser;
mod printer;

pub use parser::{Array, Parser, Query};
pub use printer::{Inexpressible, print_query};

#[cfg(test)]
mod tests;
