//! Pseudo-instructions: another name where operands make an instruction something simpler. The
//! first row that fits holds.
//!
//! GNU objdump 2.40 shows an operation with an immediate under the name of the one without (`add`
//! for `addi`); so do the rows whose condition is `always`.

use super::text::Piece::{self, *};
use crate::instruction::Instruction;
use crate::table::Op;

/// A row.
pub(super) struct Alias {
    /// The instruction.
    pub op: Op,
    /// The condition.
    pub when: fn(&Instruction) -> bool,
    /// The name then.
    pub name: &'static str,
    /// The operands that are shown then.
    pub pieces: &'static [Piece],
}

const fn alias(op: Op, when: fn(&Instruction) -> bool, name: &'static str, pieces: &'static [Piece]) -> Alias {
    Alias { op, when, name, pieces }
}

fn always(_: &Instruction) -> bool {
    true
}

const FFLAGS: i64 = 0x001;
const FRM: i64 = 0x002;
const FCSR: i64 = 0x003;
const CYCLE: i64 = 0xc00;
const TIME: i64 = 0xc01;
const INSTRET: i64 = 0xc02;

/// Fences that order everything.
const ALL: i64 = 0xff;

#[rustfmt::skip] // A row is a line.
pub(super) static ALIASES: &[Alias] = &[
    alias(Op::Addi, |i| i.rd == 0 && i.rs1 == 0 && i.imm == 0, "nop", &[]),
    alias(Op::Addi, |i| i.rs1 == 0, "li", &[D, Number]),
    alias(Op::Addi, |i| i.imm == 0 && !i.is_compressed(), "mv", &[D, S]),
    alias(Op::Addi, always, "add", &[D, S, Number]),
    alias(Op::Add, |i| i.rs1 == 0 && i.is_compressed(), "mv", &[D, T]),
    alias(Op::Andi, |i| i.imm == 255, "zext.b", &[D, S]),
    alias(Op::Andi, always, "and", &[D, S, Number]),
    alias(Op::Ori, always, "or", &[D, S, Number]),
    alias(Op::Xori, |i| i.imm == -1, "not", &[D, S]),
    alias(Op::Xori, always, "xor", &[D, S, Number]),
    alias(Op::Sltiu, |i| i.imm == 1, "seqz", &[D, S]),
    alias(Op::Slli, always, "sll", &[D, S, Hexadecimal]),
    alias(Op::Srli, always, "srl", &[D, S, Hexadecimal]),
    alias(Op::Srai, always, "sra", &[D, S, Hexadecimal]),
    alias(Op::Addiw, |i| i.imm == 0, "sext.w", &[D, S]),
    alias(Op::Addiw, always, "addw", &[D, S, Number]),
    alias(Op::Slliw, always, "sllw", &[D, S, Hexadecimal]),
    alias(Op::Srliw, always, "srlw", &[D, S, Hexadecimal]),
    alias(Op::Sraiw, always, "sraw", &[D, S, Hexadecimal]),
    alias(Op::Sub, |i| i.rs1 == 0, "neg", &[D, T]),
    alias(Op::Subw, |i| i.rs1 == 0, "negw", &[D, T]),
    alias(Op::Slt, |i| i.rs2 == 0, "sltz", &[D, S]),
    alias(Op::Slt, |i| i.rs1 == 0, "sgtz", &[D, T]),
    alias(Op::Sltu, |i| i.rs1 == 0, "snez", &[D, T]),
    alias(Op::Rori, always, "ror", &[D, S, Hexadecimal]),
    alias(Op::Roriw, always, "rorw", &[D, S, Hexadecimal]),
    alias(Op::Bclri, always, "bclr", &[D, S, Hexadecimal]),
    alias(Op::Bexti, always, "bext", &[D, S, Hexadecimal]),
    alias(Op::Binvi, always, "binv", &[D, S, Hexadecimal]),
    alias(Op::Bseti, always, "bset", &[D, S, Hexadecimal]),
    alias(Op::AddUw, |i| i.rs2 == 0, "zext.w", &[D, S]),
    alias(Op::Jal, |i| i.rd == 0, "j", &[Target]),
    alias(Op::Jal, |i| i.rd == 1, "jal", &[Target]),
    alias(Op::Jalr, |i| i.rd == 0 && i.rs1 == 1 && i.imm == 0, "ret", &[]),
    alias(Op::Jalr, |i| i.rd == 0 && i.imm == 0, "jr", &[S]),
    alias(Op::Jalr, |i| i.rd == 0, "jr", &[Offset]),
    alias(Op::Jalr, |i| i.rd == 1 && i.imm == 0, "jalr", &[S]),
    alias(Op::Jalr, |i| i.rd == 1, "jalr", &[Offset]),
    alias(Op::Jalr, |i| i.imm == 0, "jalr", &[D, S]),
    alias(Op::Beq, |i| i.rs2 == 0, "beqz", &[S, Target]),
    alias(Op::Bne, |i| i.rs2 == 0, "bnez", &[S, Target]),
    alias(Op::Blt, |i| i.rs2 == 0, "bltz", &[S, Target]),
    alias(Op::Blt, |i| i.rs1 == 0, "bgtz", &[T, Target]),
    alias(Op::Bge, |i| i.rs1 == 0, "blez", &[T, Target]),
    alias(Op::Bge, |i| i.rs2 == 0, "bgez", &[S, Target]),
    alias(Op::Fence, |i| i.imm == ALL, "fence", &[]),
    alias(Op::FsgnjS, |i| i.rs1 == i.rs2, "fmv.s", &[Fd, Fs]),
    alias(Op::FsgnjnS, |i| i.rs1 == i.rs2, "fneg.s", &[Fd, Fs]),
    alias(Op::FsgnjxS, |i| i.rs1 == i.rs2, "fabs.s", &[Fd, Fs]),
    alias(Op::FsgnjD, |i| i.rs1 == i.rs2, "fmv.d", &[Fd, Fs]),
    alias(Op::FsgnjnD, |i| i.rs1 == i.rs2, "fneg.d", &[Fd, Fs]),
    alias(Op::FsgnjxD, |i| i.rs1 == i.rs2, "fabs.d", &[Fd, Fs]),
    alias(Op::Csrrw, |i| i.imm == FFLAGS && i.rd == 0, "fsflags", &[S]),
    alias(Op::Csrrw, |i| i.imm == FFLAGS, "fsflags", &[D, S]),
    alias(Op::Csrrw, |i| i.imm == FRM && i.rd == 0, "fsrm", &[S]),
    alias(Op::Csrrw, |i| i.imm == FRM, "fsrm", &[D, S]),
    alias(Op::Csrrw, |i| i.imm == FCSR && i.rd == 0, "fscsr", &[S]),
    alias(Op::Csrrw, |i| i.imm == FCSR, "fscsr", &[D, S]),
    alias(Op::Csrrw, |i| i.rd == 0, "csrw", &[Csr, S]),
    alias(Op::Csrrs, |i| i.imm == FFLAGS && i.rs1 == 0, "frflags", &[D]),
    alias(Op::Csrrs, |i| i.imm == FRM && i.rs1 == 0, "frrm", &[D]),
    alias(Op::Csrrs, |i| i.imm == FCSR && i.rs1 == 0, "frcsr", &[D]),
    alias(Op::Csrrs, |i| i.imm == CYCLE && i.rs1 == 0, "rdcycle", &[D]),
    alias(Op::Csrrs, |i| i.imm == TIME && i.rs1 == 0, "rdtime", &[D]),
    alias(Op::Csrrs, |i| i.imm == INSTRET && i.rs1 == 0, "rdinstret", &[D]),
    alias(Op::Csrrs, |i| i.rs1 == 0, "csrr", &[D, Csr]),
    alias(Op::Csrrs, |i| i.rd == 0, "csrs", &[Csr, S]),
    alias(Op::Csrrc, |i| i.rd == 0, "csrc", &[Csr, S]),
    alias(Op::Csrrwi, |i| i.imm == FFLAGS, "fsflagsi", &[D, Small]),
    alias(Op::Csrrwi, |i| i.imm == FRM, "fsrmi", &[D, Small]),
    alias(Op::Csrrwi, |i| i.rd == 0, "csrw", &[Csr, Small]),
    alias(Op::Csrrwi, always, "csrrw", &[D, Csr, Small]),
    alias(Op::Csrrsi, |i| i.rd == 0, "csrs", &[Csr, Small]),
    alias(Op::Csrrsi, always, "csrrs", &[D, Csr, Small]),
    alias(Op::Csrrci, |i| i.rd == 0, "csrc", &[Csr, Small]),
    alias(Op::Csrrci, always, "csrrc", &[D, Csr, Small]),
];
