//! Where a program's functions and globals lie in memory.
//!
//! The interpreter and the native program for replay both take the addresses from here: a program that compares, hashes or prints them does
//! the same in both. They depend on nothing but the program.
//!
//! Functions come first, then globals that may not be written, then others, and last those that are zero at the start. Each of these groups
//! begins at a page of its own, since the native program protects whole pages. The native program jumps from a function's address to its code, so
//! `CODE` bytes are enough for any.

use crate::program::{Global, Init, Program};

/// Addresses by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Of functions.
    pub functions: Vec<u64>,
    /// Of globals.
    pub globals: Vec<u64>,
}

/// The first address.
const START: u64 = 0x1000_0000;
/// Bytes behind each that belong to nobody.
const GAP: u64 = 16;
/// What a native page may be.
const PAGE: u64 = 4096;
/// The least alignment, and that of what is larger: the interpreter's pages of memory.
const ALIGNMENT: u64 = 16;
const LARGE: u64 = 1024;
/// Room for a jump.
const CODE: u64 = 16;

/// The groups of globals, in order.
fn group(global: &Global) -> u32 {
    match (&global.init, global.constant) {
        (Init::Zero | Init::Bytes { .. }, true) => 0,
        (Init::Bytes { .. }, false) => 1,
        (Init::Zero, false) => 2,
        (Init::Undefined, _) => 3,
    }
}

impl Layout {
    /// Lays a program out. Nothing where it does not fit.
    pub fn of(program: &Program) -> Option<Layout> {
        let mut next = START;
        let mut place = |size: u64, align: u64| {
            let address = next.checked_next_multiple_of(align.max(if size > LARGE { LARGE } else { ALIGNMENT }))?;
            next = address.checked_add(size)?.checked_add(GAP)?;
            Some(address)
        };
        // A block's address is the function's and its number.
        let code = |blocks: usize| (1 + blocks as u64).max(CODE);
        let functions =
            program.functions.iter().map(|f| place(code(f.blocks.len()), ALIGNMENT)).collect::<Option<_>>()?;
        let mut globals = vec![0; program.globals.len()];
        for number in 0..4 {
            place(0, PAGE)?;
            for (global, address) in program.globals.iter().zip(&mut globals).filter(|(g, _)| group(g) == number) {
                *address = place(global.size, global.align)?;
            }
        }
        Some(Layout { functions, globals })
    }
}
