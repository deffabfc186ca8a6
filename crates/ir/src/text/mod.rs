//! The text form of programs: for people, golden tests and bug reports.
//!
//! ```text
//! file 0 "src/count.c"
//! place 0 unknown
//! place 1 0:3:14
//!
//! constant .str size 4 align 1 {
//!   "%d\0a\00"
//! }
//!
//! library function printf(r0:i64, ...) -> i32
//!
//! function count(r0:i32) -> i32 @1 {
//!   variable n r0
//! b0:
//!   r1:i1 = slt r0, i32 10
//!   branch r1, b1, b2 site 1
//! b1:
//!   r0:i32 = add checked r0, i32 1
//!   r2:i32 = call printf(&.str, r0:i32)
//!   jump b0
//! b2:
//!   return r0
//! }
//! ```
//!
//! A register is declared by each assignment to it (`r1:i1 = …`), as a parameter, or in a `registers` line where neither
//! is there; so widths stand where one reads. An operand beside which the instruction states a width (an argument, a
//! stored value) is `r0:i32`, or a constant alone where the constant has that width. `@1` is a place, left out for
//! place 0; the table of places is left out where it would hold nothing but place 0. Line ends mean nothing, and `;` opens a comment; the printer writes `; file:line` where the line changes.
//!
//! Invariant: for a program that verifies, `parse(print(p))` has all of `p`'s data (tests in `tests/text.rs`). A
//! program that does not verify is printed all the same, as far as it goes; ids that name nothing print as `?7`, which
//! does not parse.
//!
//! Rejected: a list of all registers with their widths at the head of a function, which nobody can read in a function
//! of a thousand registers; and text keyed by names for blocks, which the data does not have.

mod error;
mod lexer;
mod names;
mod parse;
mod print;

pub use error::{ParseError, Problem};
pub use parse::parse;
pub use print::{print, print_function};
