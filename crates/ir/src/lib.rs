//! The one program form: what every front end lowers to and the interpreter runs.
//!
//! A program is functions and globals. A function is a file of registers of any width and blocks of instructions;
//! registers are assigned as often as one likes (machine code has no phi, so neither has this form: a front end with
//! phis writes copies on the edges). Memory is bytes at 64-bit addresses, little-endian.
//!
//! Pointers are 64-bit integers. What they were derived from is the interpreter's business; the form only keeps
//! apart what is an address computation (`Offset`) from what is arithmetic.
//!
//! Deliberately absent: types other than widths, phis, aggregates, vectors, exceptions, and anything that only one
//! source language has, and anything that changes a program. A front end scalarises. What it cannot lower becomes `Unsupported` with a reason the user reads.
//!
//! `text` prints and reads programs, `verify` checks what all else takes for granted, and the analyses (`Cfg`, `Dominators`, `Loops`,
//! `Liveness`) look at one verified function each. No walk recurses over blocks.

mod program;

mod operands;

pub mod text;

pub mod verify;

mod cfg;
mod dominators;
mod layout;
mod liveness;
mod loops;

pub use cfg::Cfg;
pub use dominators::Dominators;
pub use layout::Layout;
pub use liveness::{Live, Liveness};
pub use loops::{Loop, Loops};
pub use program::{
    BinaryOp, Block, BlockId, Case, Constant, Conversion, FloatCompare, FloatFormat, FloatOp, FloatUnary, Function,
    FunctionId, Global, GlobalId, Init, Instruction, Linkage, Operand, OverflowOp, Place, PlaceId, Program, Promise,
    Reg, Relocation, SURPLUS_LAYOUT, Target, UnaryOp, Variable,
};
pub use verify::{Verified, Violation, verify};
