//! One instruction as text: mnemonic, a tab, operands.

use super::alias::{ALIASES, Alias};
use super::csr;
use crate::instruction::Instruction;
use crate::table::{Format, Op, Role};
use std::fmt::Write;

/// A piece of an operand list. Pieces are separated by commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Integer register: destination.
    D,
    /// Integer register: first source.
    S,
    /// Integer register: second source.
    T,
    /// Floating-point register: destination.
    Fd,
    /// Floating-point register: first source.
    Fs,
    /// Floating-point register: second source.
    Ft,
    /// Floating-point register: third source.
    Fr,
    /// The immediate in decimal.
    Number,
    /// The immediate in hexadecimal.
    Hexadecimal,
    /// The upper 20 bits of the immediate.
    Upper,
    /// The address that the immediate leads to.
    Target,
    /// The first source as an address, with the immediate as offset.
    Offset,
    /// The first source as an address.
    Address,
    /// A control and status register.
    Csr,
    /// The number in the field of the first source.
    Small,
    /// The rounding mode, unless it is the dynamic one.
    Rounding,
    /// What is ordered before the fence.
    Before,
    /// What is ordered after the fence.
    After,
}

const INTEGERS: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s2",
    "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];

const FLOATS: [&str; 32] = [
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0", "fa1", "fa2", "fa3", "fa4", "fa5",
    "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
];

const ROUNDINGS: [&str; 8] = ["rne", "rtz", "rdn", "rup", "rmm", "unknown", "unknown", "dyn"];

/// The mode that means: as the register of rounding modes says.
const DYNAMIC: u8 = 7;

/// The operands of a format.
fn pieces(format: Format) -> &'static [Piece] {
    use Piece::*;
    match format {
        Format::R => &[D, S, T],
        Format::I => &[D, S, Number],
        Format::Shift6 | Format::Shift5 => &[D, S, Hexadecimal],
        Format::Unary => &[D, S],
        Format::Load => &[D, Offset],
        Format::Store => &[T, Offset],
        Format::B => &[S, T, Target],
        Format::U => &[D, Upper],
        Format::J => &[D, Target],
        Format::Jalr => &[D, Offset],
        Format::Fence => &[Before, After],
        Format::Nullary => &[],
        Format::Csr => &[D, Csr, S],
        Format::CsrImmediate => &[D, Csr, Small],
        Format::LoadReserved => &[D, Address],
        Format::Atomic => &[D, T, Address],
        Format::LoadFloat => &[Fd, Offset],
        Format::StoreFloat => &[Ft, Offset],
        Format::Float4 => &[Fd, Fs, Ft, Fr, Rounding],
        Format::Float3 => &[Fd, Fs, Ft, Rounding],
        Format::Float2 => &[Fd, Fs, Rounding],
        Format::Float2Exact => &[Fd, Fs],
        Format::FloatFixed3 => &[Fd, Fs, Ft],
        Format::FloatTest => &[D, Fs, Ft],
        Format::FloatClass | Format::FloatToBits => &[D, Fs],
        Format::FloatToInteger => &[D, Fs, Rounding],
        Format::IntegerToFloat => &[Fd, S, Rounding],
        Format::IntegerToFloatExact | Format::BitsToFloat => &[Fd, S],
        // Of these only hints are shown under their own names; others are shown as what they
        // expand to.
        Format::Ci => &[Number],
        Format::Li => &[D, Number],
        Format::Clui => &[D, Upper],
        Format::Cslli => &[D, Hexadecimal],
        Format::Cshift => &[D],
        Format::Cmv | Format::Cadd => &[D, T],
        Format::Ciw
        | Format::Clw
        | Format::Cld
        | Format::Csw
        | Format::Csd
        | Format::Ci16sp
        | Format::Candi
        | Format::Ca
        | Format::Cj
        | Format::Cb
        | Format::Clwsp
        | Format::Cldsp
        | Format::Cswsp
        | Format::Csdsp
        | Format::Cjr
        | Format::Cjalr => &[],
    }
}

/// The name for an instruction and the operands shown.
pub(super) fn form(instruction: &Instruction) -> (&'static str, &'static [Piece]) {
    let row = instruction.row;
    if row.role == Role::Hint {
        // Shifts by zero have the width in their names instead.
        let pieces = if instruction.imm == 0 && row.format == Format::Cslli { &[Piece::D] } else { pieces(row.format) };
        return (row.name, pieces);
    }
    let fits = |alias: &&Alias| alias.op == instruction.op && (alias.when)(instruction);
    if let Some(alias) = ALIASES.iter().find(fits) {
        return (alias.name, alias.pieces);
    }
    let row = instruction.op.row();
    (row.name, pieces(row.format))
}

/// An instruction at an address. `target` tells how the address that a jump leads to is shown.
pub fn text(instruction: &Instruction, address: u64, target: &dyn Fn(u64) -> String) -> String {
    let (name, pieces) = form(instruction);
    let mut text = String::from(name);
    text.push_str(ordering(instruction));
    let integer = |register: u8| INTEGERS[register as usize];
    let float = |register: u8| FLOATS[register as usize];
    let mut first = true;
    for piece in pieces {
        if *piece == Piece::Rounding && instruction.rm == DYNAMIC {
            continue;
        }
        text.push(if first { '\t' } else { ',' });
        first = false;
        match piece {
            Piece::D => text.push_str(integer(instruction.rd)),
            Piece::S => text.push_str(integer(instruction.rs1)),
            Piece::T => text.push_str(integer(instruction.rs2)),
            Piece::Fd => text.push_str(float(instruction.rd)),
            Piece::Fs => text.push_str(float(instruction.rs1)),
            Piece::Ft => text.push_str(float(instruction.rs2)),
            Piece::Fr => text.push_str(float(instruction.rs3)),
            Piece::Number => write!(text, "{}", instruction.imm).expect("strings grow"),
            Piece::Hexadecimal => write!(text, "{:#x}", instruction.imm).expect("strings grow"),
            Piece::Upper => write!(text, "{:#x}", instruction.imm >> 12 & 0xf_ffff).expect("strings grow"),
            Piece::Target => text.push_str(&target(address.wrapping_add_signed(instruction.imm))),
            Piece::Offset => {
                write!(text, "{}({})", instruction.imm, integer(instruction.rs1)).expect("strings grow");
            }
            Piece::Address => write!(text, "({})", integer(instruction.rs1)).expect("strings grow"),
            Piece::Csr => text.push_str(&csr::name(instruction.imm as u32)),
            Piece::Small => write!(text, "{}", instruction.rs1).expect("strings grow"),
            Piece::Rounding => text.push_str(ROUNDINGS[instruction.rm as usize]),
            Piece::Before => text.push_str(&accesses(instruction.imm >> 4)),
            Piece::After => text.push_str(&accesses(instruction.imm & 15)),
        }
    }
    text
}

/// The suffix for the order that an atomic access keeps.
fn ordering(instruction: &Instruction) -> &'static str {
    if !matches!(instruction.op.row().format, Format::Atomic | Format::LoadReserved) {
        return "";
    }
    ["", ".rl", ".aq", ".aqrl"][(instruction.word >> 25 & 3) as usize]
}

/// Kinds of accesses: input, output, reads, writes.
fn accesses(kinds: i64) -> String {
    let text: String = "iorw".chars().enumerate().filter(|(i, _)| kinds >> (3 - i) & 1 != 0).map(|(_, c)| c).collect();
    if text.is_empty() { "unknown".into() } else { text }
}

/// Does the instruction add its immediate to its first source to make an address or a number?
pub(super) fn adds_to_base(instruction: &Instruction) -> bool {
    let (_, pieces) = form(instruction);
    let shown = |piece| pieces.contains(&piece);
    if matches!(instruction.op, Op::Addi | Op::Addiw) {
        return instruction.row.role == Role::Plain && instruction.rs1 != 0 && shown(Piece::Number);
    }
    let jumps = instruction.op == Op::Jalr && !pieces.is_empty();
    !instruction.is_compressed() && (jumps || shown(Piece::Offset))
}
