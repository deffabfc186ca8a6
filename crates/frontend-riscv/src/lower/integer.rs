//! Operations on integer registers.

use super::builder::{Builder, bits};
use crate::instruction::Instruction;
use crate::meaning::{Alu, Bits};
use crate::table::Format;
use strata_ir::{BinaryOp, Constant, Operand, UnaryOp};

/// The second operand: a register, or the immediate of a format that has one.
fn second(b: &Builder, i: &Instruction) -> Operand {
    let immediate = matches!(i.op.row().format, Format::I | Format::Shift6 | Format::Shift5);
    if immediate { bits(64, i.imm as u64) } else { b.x(i.rs2) }
}

/// 64 bits.
pub(super) fn whole(b: &mut Builder, i: &Instruction, alu: Alu) {
    if i.rd != 0 {
        let (first, second) = (b.x(i.rs1), second(b, i));
        let value = operate(b, alu, 64, first, second);
        b.set_x(i.rd, value);
    }
}

/// 32 bits, with the result extended by its sign.
pub(super) fn word(b: &mut Builder, i: &Instruction, alu: Alu) {
    if i.rd != 0 {
        let (first, second) = (b.x(i.rs1), second(b, i));
        let first = b.extract(32, first, 0);
        let second = b.extract(32, second, 0);
        // To add zero is how a sign is extended (sext.w).
        let extends = alu == Alu::Add && second == bits(32, 0);
        let value = if extends { first } else { operate(b, alu, 32, first, second) };
        let value = b.extend(64, value, true);
        b.set_x(i.rd, value);
    }
}

/// 64 bits, the first operand cut to 32 bits.
pub(super) fn unsigned_word(b: &mut Builder, i: &Instruction, alu: Alu) {
    if i.rd != 0 {
        let (first, second) = (b.x(i.rs1), second(b, i));
        let first = b.extract(32, first, 0);
        let first = b.extend(64, first, false);
        let value = operate(b, alu, 64, first, second);
        b.set_x(i.rd, value);
    }
}

pub(super) fn unary(b: &mut Builder, i: &Instruction, op: Bits) {
    if i.rd != 0 {
        let a = b.x(i.rs1);
        let value = count(b, op, 64, a);
        b.set_x(i.rd, value);
    }
}

pub(super) fn unary_word(b: &mut Builder, i: &Instruction, op: Bits) {
    if i.rd != 0 {
        let a = b.x(i.rs1);
        let a = b.extract(32, a, 0);
        let value = count(b, op, 32, a);
        let value = b.extend(64, value, true);
        b.set_x(i.rd, value);
    }
}

fn count(b: &mut Builder, op: Bits, width: u32, a: Operand) -> Operand {
    match op {
        Bits::LeadingZeros => b.unary(UnaryOp::LeadingZeros, width, a),
        Bits::TrailingZeros => b.unary(UnaryOp::TrailingZeros, width, a),
        Bits::PopCount => b.unary(UnaryOp::PopCount, width, a),
        Bits::ReverseBytes => b.unary(UnaryOp::ByteSwap, width, a),
        Bits::SignByte => cut(b, 8, width, a, true),
        Bits::SignHalf => cut(b, 16, width, a, true),
        Bits::ZeroHalf => cut(b, 16, width, a, false),
        Bits::OrBytes => {
            // The highest bit of a byte tells whether the byte is zero; then that bit is spread
            // over the byte.
            let (low, one) = (0x7f7f_7f7f_7f7f_7f7f, 0x0101_0101_0101_0101);
            let seven = b.binary(BinaryOp::And, width, a.clone(), bits(width, low));
            let carried = b.binary(BinaryOp::Add, width, seven, bits(width, low));
            let marked = b.binary(BinaryOp::Or, width, carried, a);
            let moved = b.binary(BinaryOp::LShr, width, marked, bits(width, 7));
            let ones = b.binary(BinaryOp::And, width, moved, bits(width, one));
            b.binary(BinaryOp::Mul, width, ones, bits(width, 0xff))
        }
    }
}

fn cut(b: &mut Builder, from: u32, to: u32, a: Operand, signed: bool) -> Operand {
    let low = b.extract(from, a, 0);
    b.extend(to, low, signed)
}

/// Two operands of a width, 32 or 64.
pub(super) fn operate(b: &mut Builder, alu: Alu, width: u32, x: Operand, y: Operand) -> Operand {
    match alu {
        Alu::Add => b.binary(BinaryOp::Add, width, x, y),
        Alu::Sub => b.binary(BinaryOp::Sub, width, x, y),
        Alu::ShiftLeft => shift(b, BinaryOp::Shl, width, x, y),
        Alu::ShiftRight => shift(b, BinaryOp::LShr, width, x, y),
        Alu::ShiftRightSigned => shift(b, BinaryOp::AShr, width, x, y),
        Alu::SetLess => set_if(b, BinaryOp::Slt, width, x, y),
        Alu::SetBelow => set_if(b, BinaryOp::Ult, width, x, y),
        Alu::Xor => b.binary(BinaryOp::Xor, width, x, y),
        Alu::Or => b.binary(BinaryOp::Or, width, x, y),
        Alu::And => b.binary(BinaryOp::And, width, x, y),
        Alu::Mul => b.binary(BinaryOp::Mul, width, x, y),
        Alu::MulHigh => high(b, width, x, y, true, true),
        Alu::MulHighMixed => high(b, width, x, y, true, false),
        Alu::MulHighUnsigned => high(b, width, x, y, false, false),
        Alu::Div => signed_division(b, BinaryOp::SDiv, width, x, y),
        Alu::Rem => signed_division(b, BinaryOp::SRem, width, x, y),
        Alu::DivUnsigned => unsigned_division(b, BinaryOp::UDiv, width, x, y),
        Alu::RemUnsigned => unsigned_division(b, BinaryOp::URem, width, x, y),
        Alu::AndNot => with_complement(b, BinaryOp::And, width, x, y),
        Alu::OrNot => with_complement(b, BinaryOp::Or, width, x, y),
        Alu::XorNot => with_complement(b, BinaryOp::Xor, width, x, y),
        Alu::Max => lesser(b, BinaryOp::Slt, width, y.clone(), x.clone(), x, y),
        Alu::MaxUnsigned => lesser(b, BinaryOp::Ult, width, y.clone(), x.clone(), x, y),
        Alu::Min => lesser(b, BinaryOp::Slt, width, x.clone(), y.clone(), x, y),
        Alu::MinUnsigned => lesser(b, BinaryOp::Ult, width, x.clone(), y.clone(), x, y),
        Alu::RotateLeft => rotate(b, width, x, y, BinaryOp::Shl, BinaryOp::LShr),
        Alu::RotateRight => rotate(b, width, x, y, BinaryOp::LShr, BinaryOp::Shl),
        Alu::ShiftAdd(by) => {
            let moved = b.binary(BinaryOp::Shl, width, x, bits(width, u64::from(by)));
            b.binary(BinaryOp::Add, width, moved, y)
        }
        Alu::BitClear => {
            let bit = shift(b, BinaryOp::Shl, width, bits(width, 1), y);
            let others = b.unary(UnaryOp::Not, width, bit);
            b.binary(BinaryOp::And, width, x, others)
        }
        Alu::BitExtract => {
            let moved = shift(b, BinaryOp::LShr, width, x, y);
            b.binary(BinaryOp::And, width, moved, bits(width, 1))
        }
        Alu::BitInvert => {
            let bit = shift(b, BinaryOp::Shl, width, bits(width, 1), y);
            b.binary(BinaryOp::Xor, width, x, bit)
        }
        Alu::BitSet => {
            let bit = shift(b, BinaryOp::Shl, width, bits(width, 1), y);
            b.binary(BinaryOp::Or, width, x, bit)
        }
        Alu::Swap => y,
    }
}

/// The amount of a shift: modulo the width.
fn amount(b: &mut Builder, width: u32, y: Operand) -> Operand {
    let mask = u64::from(width - 1);
    if let Operand::Const(Constant::Bits(value)) = &y {
        return bits(width, value.low_u64() & mask);
    }
    b.binary(BinaryOp::And, width, y, bits(width, mask))
}

fn shift(b: &mut Builder, op: BinaryOp, width: u32, x: Operand, y: Operand) -> Operand {
    let by = amount(b, width, y);
    b.binary(op, width, x, by)
}

fn rotate(b: &mut Builder, width: u32, x: Operand, y: Operand, there: BinaryOp, back: BinaryOp) -> Operand {
    let by = amount(b, width, y);
    let rest = b.binary(BinaryOp::Sub, width, bits(width, 0), by.clone());
    let rest = amount(b, width, rest);
    let there = b.binary(there, width, x.clone(), by);
    let back = b.binary(back, width, x, rest);
    b.binary(BinaryOp::Or, width, there, back)
}

fn set_if(b: &mut Builder, op: BinaryOp, width: u32, x: Operand, y: Operand) -> Operand {
    let holds = b.binary(op, width, x, y);
    b.extend(width, holds, false)
}

/// `a` where `x op y`, else `c`.
fn lesser(b: &mut Builder, op: BinaryOp, width: u32, x: Operand, y: Operand, a: Operand, c: Operand) -> Operand {
    let holds = b.binary(op, width, x, y);
    b.select(width, holds, a, c)
}

fn with_complement(b: &mut Builder, op: BinaryOp, width: u32, x: Operand, y: Operand) -> Operand {
    let y = b.unary(UnaryOp::Not, width, y);
    b.binary(op, width, x, y)
}

fn high(b: &mut Builder, width: u32, x: Operand, y: Operand, x_signed: bool, y_signed: bool) -> Operand {
    let x = b.extend(2 * width, x, x_signed);
    let y = b.extend(2 * width, y, y_signed);
    let product = b.binary(BinaryOp::Mul, 2 * width, x, y);
    b.extract(width, product, width)
}

/// The IR's division by zero is an error, and so is its overflow; the machine's are not. Both are
/// divisions by one, which give what the machine gives where only the quotient by zero is chosen
/// afterwards.
fn signed_division(b: &mut Builder, op: BinaryOp, width: u32, x: Operand, y: Operand) -> Operand {
    let zero = b.binary(BinaryOp::Eq, width, y.clone(), bits(width, 0));
    let least = b.binary(BinaryOp::Eq, width, x.clone(), bits(width, 1 << (width - 1)));
    let minus = b.binary(BinaryOp::Eq, width, y.clone(), bits(width, u64::MAX));
    let overflow = b.binary(BinaryOp::And, 1, least, minus);
    let either = b.binary(BinaryOp::Or, 1, zero.clone(), overflow);
    let divisor = b.select(width, either, bits(width, 1), y);
    let result = b.binary(op, width, x.clone(), divisor);
    let by_zero = if op == BinaryOp::SDiv { bits(width, u64::MAX) } else { x };
    b.select(width, zero, by_zero, result)
}

fn unsigned_division(b: &mut Builder, op: BinaryOp, width: u32, x: Operand, y: Operand) -> Operand {
    let zero = b.binary(BinaryOp::Eq, width, y.clone(), bits(width, 0));
    let divisor = b.select(width, zero.clone(), bits(width, 1), y);
    let result = b.binary(op, width, x.clone(), divisor);
    let by_zero = if op == BinaryOp::UDiv { bits(width, u64::MAX) } else { x };
    b.select(width, zero, by_zero, result)
}
