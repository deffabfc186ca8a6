//! Programs for 64-bit RISC-V: ELF files to instructions, instructions to text and to the IR.
//!
//! - `elf`: what a file says, and whether it is a program that can be run
//! - `extension`, `meaning`, `table`, `instruction`: the instruction set, one row for each
//!   instruction
//! - `show`: instructions and files as text
//! - `lower`: instructions to the IR, a basic block at a time; its header says what the
//!   interpreter must offer
//!
//! Deliberately absent: the system that a program calls, and how states run.

pub mod elf;
pub mod lower;

mod extension;
mod instruction;
mod meaning;
mod table;

mod show;

pub use extension::{Extension, Extensions};
pub use instruction::{Fetch, Instruction};
pub use show::{listing, text};
pub use table::{Format, Op, Role, Row, decode, rows};
