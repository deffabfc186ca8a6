//! Operations on floating-point registers.
//!
//! The IR's operations are those of IEEE 754, rounded to nearest. What the machine adds is done
//! here: a binary32 in a register has ones above it, and is not-a-number where it has not; a
//! result that is not a number is always the canonical one; minimum and maximum order the zeros;
//! conversions to integers saturate, with not-a-number above all.

use super::builder::{Builder, bits};
use super::register;
use crate::instruction::Instruction;
use crate::meaning::{Order, Sign};
use strata_ir::{
    BinaryOp, Conversion, FloatCompare, FloatFormat, FloatOp, FloatUnary, Instruction as Ir, Operand, UnaryOp,
};

/// Rounding modes, as instructions name them.
const NEAREST: u8 = 0;
const TOWARDS_ZERO: u8 = 1;
const DOWN: u8 = 2;
const UP: u8 = 3;
const NEAREST_AWAY: u8 = 4;
/// As the register of modes says, which is always to nearest here.
const DYNAMIC: u8 = 7;

fn width(format: FloatFormat) -> u32 {
    match format {
        FloatFormat::Single => 32,
        FloatFormat::Double => 64,
    }
}

/// Bits of the fraction.
fn fraction(format: FloatFormat) -> u32 {
    match format {
        FloatFormat::Single => 23,
        FloatFormat::Double => 52,
    }
}

/// Not-a-number as operations give it: positive, quiet, no other bit.
fn canonical(format: FloatFormat) -> Operand {
    match format {
        FloatFormat::Single => bits(32, 0x7fc0_0000),
        FloatFormat::Double => bits(64, 0x7ff8 << 48),
    }
}

fn sign_bit(format: FloatFormat) -> Operand {
    bits(width(format), 1 << (width(format) - 1))
}

/// A register's float.
fn read(b: &mut Builder, number: u8, format: FloatFormat) -> Operand {
    let whole = Operand::Reg(register::float(number));
    match format {
        FloatFormat::Double => whole,
        FloatFormat::Single => {
            let above = b.extract(32, whole.clone(), 32);
            let boxed = b.binary(BinaryOp::Eq, 32, above, bits(32, u64::MAX));
            let low = b.extract(32, whole, 0);
            b.select(32, boxed, low, canonical(format))
        }
    }
}

/// A register gets a float.
fn write(b: &mut Builder, number: u8, format: FloatFormat, value: Operand) {
    let value = match format {
        FloatFormat::Double => value,
        FloatFormat::Single => b.concat(64, bits(32, u64::MAX), value),
    };
    b.set(register::float(number), value);
}

/// The operation may have changed the flags.
fn touch_flags(b: &mut Builder) {
    if !b.flags_unknown {
        b.emit(Ir::Copy { to: register::FLAGS_UNKNOWN, from: bits(1, 1) });
        b.flags_unknown = true;
    }
}

/// Ends the path where an operation would not round to nearest. False if it does end here.
fn rounds_to_nearest(b: &mut Builder, i: &Instruction) -> bool {
    match i.rm {
        NEAREST | DYNAMIC => true,
        TOWARDS_ZERO | DOWN | UP | NEAREST_AWAY => {
            let reason = format!("{} rounds in another way than to nearest, which is not modelled", i.op.row().name);
            b.end(Ir::Unsupported { reason });
            false
        }
        _ => {
            super::control::illegal(b);
            false
        }
    }
}

fn test(b: &mut Builder, relation: FloatCompare, format: FloatFormat, x: Operand, y: Operand) -> Operand {
    let to = b.temporary(1);
    b.emit(Ir::FloatCompare { relation, format, to, a: x, b: y });
    Operand::Reg(to)
}

const NONE: FloatCompare = FloatCompare { less: false, equal: false, greater: false, unordered: false };

fn is_nan(b: &mut Builder, format: FloatFormat, x: Operand) -> Operand {
    test(b, FloatCompare { unordered: true, ..NONE }, format, x.clone(), x)
}

/// The value, or the canonical not-a-number in place of any.
fn settled(b: &mut Builder, format: FloatFormat, value: Operand) -> Operand {
    let nan = is_nan(b, format, value.clone());
    b.select(width(format), nan, canonical(format), value)
}

pub(super) fn load(b: &mut Builder, i: &Instruction, format: FloatFormat) {
    let address = b.address(i.rs1, i.imm);
    let value = b.load(width(format), address);
    write(b, i.rd, format, value);
}

pub(super) fn store(b: &mut Builder, i: &Instruction, format: FloatFormat) {
    let address = b.address(i.rs1, i.imm);
    let value = low(b, i.rs2, format);
    b.emit(Ir::Store { address, value, width: width(format) });
}

/// The bits of a register, whatever is above them.
fn low(b: &mut Builder, number: u8, format: FloatFormat) -> Operand {
    let whole = Operand::Reg(register::float(number));
    match format {
        FloatFormat::Double => whole,
        FloatFormat::Single => b.extract(32, whole, 0),
    }
}

pub(super) fn to_bits(b: &mut Builder, i: &Instruction, format: FloatFormat) {
    if i.rd != 0 {
        let value = low(b, i.rs1, format);
        let value = if format == FloatFormat::Double { value } else { b.extend(64, value, true) };
        b.set_x(i.rd, value);
    }
}

pub(super) fn from_bits(b: &mut Builder, i: &Instruction, format: FloatFormat) {
    let value = b.x(i.rs1);
    let value = if format == FloatFormat::Double { value } else { b.extract(32, value, 0) };
    write(b, i.rd, format, value);
}

pub(super) fn binary(b: &mut Builder, i: &Instruction, op: FloatOp, format: FloatFormat) {
    if !rounds_to_nearest(b, i) {
        return;
    }
    touch_flags(b);
    let (x, y) = (read(b, i.rs1, format), read(b, i.rs2, format));
    let to = b.temporary(width(format));
    b.emit(Ir::Float { op, format, to, a: x, b: y });
    let value = settled(b, format, Operand::Reg(to));
    write(b, i.rd, format, value);
}

fn one_operand(b: &mut Builder, op: FloatUnary, format: FloatFormat, a: Operand) -> Operand {
    let to = b.temporary(width(format));
    b.emit(Ir::FloatUnary { op, format, to, a });
    Operand::Reg(to)
}

pub(super) fn root(b: &mut Builder, i: &Instruction, format: FloatFormat) {
    if !rounds_to_nearest(b, i) {
        return;
    }
    touch_flags(b);
    let a = read(b, i.rs1, format);
    let value = one_operand(b, FloatUnary::Sqrt, format, a);
    let value = settled(b, format, value);
    write(b, i.rd, format, value);
}

pub(super) fn fused(b: &mut Builder, i: &Instruction, format: FloatFormat, minus_product: bool, minus_addend: bool) {
    if !rounds_to_nearest(b, i) {
        return;
    }
    touch_flags(b);
    let (mut x, y, mut z) = (read(b, i.rs1, format), read(b, i.rs2, format), read(b, i.rs3, format));
    // The product is exact before it is added, so its sign is that of a factor.
    if minus_product {
        x = b.binary(BinaryOp::Xor, width(format), x, sign_bit(format));
    }
    if minus_addend {
        z = b.binary(BinaryOp::Xor, width(format), z, sign_bit(format));
    }
    let to = b.temporary(width(format));
    b.emit(Ir::FloatFma { format, to, a: x, b: y, c: z });
    let value = settled(b, format, Operand::Reg(to));
    write(b, i.rd, format, value);
}

pub(super) fn sign(b: &mut Builder, i: &Instruction, sign: Sign, format: FloatFormat) {
    let width = width(format);
    let x = read(b, i.rs1, format);
    let y = read(b, i.rs2, format);
    let others = b.unary(UnaryOp::Not, width, sign_bit(format));
    let from = match sign {
        Sign::Copy => y,
        Sign::Negate => b.unary(UnaryOp::Not, width, y),
        Sign::Xor => b.binary(BinaryOp::Xor, width, x.clone(), y),
    };
    let from = b.binary(BinaryOp::And, width, from, sign_bit(format));
    let rest = b.binary(BinaryOp::And, width, x, others);
    let value = b.binary(BinaryOp::Or, width, rest, from);
    write(b, i.rd, format, value);
}

pub(super) fn extreme(b: &mut Builder, i: &Instruction, greatest: bool, format: FloatFormat) {
    touch_flags(b);
    let width = width(format);
    let (x, y) = (read(b, i.rs1, format), read(b, i.rs2, format));
    let ahead = FloatCompare { less: !greatest, greater: greatest, ..NONE };
    let ahead = test(b, ahead, format, x.clone(), y.clone());
    // Equal ones differ at most in the sign of zero: the negative one is the lesser.
    let equal = test(b, FloatCompare { equal: true, ..NONE }, format, x.clone(), y.clone());
    let negative = b.binary(BinaryOp::Slt, width, x.clone(), bits(width, 0));
    let fits = if greatest { b.unary(UnaryOp::Not, 1, negative) } else { negative };
    let chosen = b.binary(BinaryOp::And, 1, equal, fits);
    let first = b.binary(BinaryOp::Or, 1, ahead, chosen);
    let (x_nan, y_nan) = (is_nan(b, format, x.clone()), is_nan(b, format, y.clone()));
    let first = b.binary(BinaryOp::Or, 1, first, y_nan);
    let value = b.select(width, first, x, y.clone());
    let value = b.select(width, x_nan, y, value);
    let value = settled(b, format, value);
    write(b, i.rd, format, value);
}

pub(super) fn compare(b: &mut Builder, i: &Instruction, order: Order, format: FloatFormat) {
    touch_flags(b);
    if i.rd != 0 {
        let (x, y) = (read(b, i.rs1, format), read(b, i.rs2, format));
        let relation = match order {
            Order::Equal => FloatCompare { equal: true, ..NONE },
            Order::Less => FloatCompare { less: true, ..NONE },
            Order::LessOrEqual => FloatCompare { less: true, equal: true, ..NONE },
        };
        let holds = test(b, relation, format, x, y);
        let value = b.extend(64, holds, false);
        b.set_x(i.rd, value);
    }
}

/// One of ten bits: minus infinity, negative normal, negative subnormal, -0, and the same
/// mirrored; then signalling and quiet not-a-number. Of integers alone, so that symbolic floats
/// have classes.
pub(super) fn class(b: &mut Builder, i: &Instruction, format: FloatFormat) {
    const SIGNALLING: u64 = 8;
    const QUIET: u64 = 9;
    if i.rd == 0 {
        return;
    }
    let (all, low) = (width(format), fraction(format));
    let x = read(b, i.rs1, format);
    let exponent = b.extract(all - 1 - low, x.clone(), low);
    let rest = b.extract(low, x.clone(), 0);
    let largest = b.binary(BinaryOp::Eq, all - 1 - low, exponent.clone(), bits(all - 1 - low, u64::MAX));
    let least = b.binary(BinaryOp::Eq, all - 1 - low, exponent, bits(all - 1 - low, 0));
    let zero = b.binary(BinaryOp::Eq, low, rest, bits(low, 0));
    let negative = b.extract(1, x.clone(), all - 1);
    let quiet = b.extract(1, x, low - 1);
    // Among positive ones: zero 4, subnormal 5, normal 6, infinity 7. Negative ones mirror them.
    let small = b.select(64, zero.clone(), bits(64, 4), bits(64, 5));
    let finite = b.select(64, least, small, bits(64, 6));
    let nan = b.select(64, quiet, bits(64, QUIET), bits(64, SIGNALLING));
    let number = b.select(64, largest.clone(), bits(64, 7), finite);
    let mirrored = b.binary(BinaryOp::Sub, 64, bits(64, 7), number.clone());
    let number = b.select(64, negative, mirrored, number);
    let not_zero = b.unary(UnaryOp::Not, 1, zero);
    let is_nan = b.binary(BinaryOp::And, 1, largest, not_zero);
    let number = b.select(64, is_nan, nan, number);
    let value = b.binary(BinaryOp::Shl, 64, bits(64, 1), number);
    b.set_x(i.rd, value);
}

fn convert(b: &mut Builder, conversion: Conversion, from: u32, to: u32, a: Operand) -> Operand {
    let result = b.temporary(to);
    b.emit(Ir::Convert { conversion, to: result, a, width: from });
    Operand::Reg(result)
}

pub(super) fn narrow(b: &mut Builder, i: &Instruction) {
    if !rounds_to_nearest(b, i) {
        return;
    }
    touch_flags(b);
    let a = read(b, i.rs1, FloatFormat::Double);
    let value = convert(b, Conversion::Narrow, 64, 32, a);
    let value = settled(b, FloatFormat::Single, value);
    write(b, i.rd, FloatFormat::Single, value);
}

/// Exact, whatever the rounding mode.
pub(super) fn widen(b: &mut Builder, i: &Instruction) {
    touch_flags(b);
    let a = read(b, i.rs1, FloatFormat::Single);
    let value = convert(b, Conversion::Widen, 32, 64, a);
    let value = settled(b, FloatFormat::Double, value);
    write(b, i.rd, FloatFormat::Double, value);
}

pub(super) fn to_integer(b: &mut Builder, i: &Instruction, format: FloatFormat, to: u32, signed: bool) {
    let rounding = match i.rm {
        NEAREST | DYNAMIC => FloatUnary::RoundEven,
        TOWARDS_ZERO => FloatUnary::Trunc,
        DOWN => FloatUnary::Floor,
        UP => FloatUnary::Ceil,
        NEAREST_AWAY => FloatUnary::Round,
        _ => return super::control::illegal(b),
    };
    touch_flags(b);
    if i.rd == 0 {
        return;
    }
    let a = read(b, i.rs1, format);
    let nan = is_nan(b, format, a.clone());
    let whole = one_operand(b, rounding, format, a);
    let conversion =
        if signed { Conversion::ToSignedSaturating(format) } else { Conversion::ToUnsignedSaturating(format) };
    let value = convert(b, conversion, width(format), to, whole);
    let greatest = if signed { bits(to, u64::MAX >> (65 - to)) } else { bits(to, u64::MAX) };
    let value = b.select(to, nan, greatest, value);
    // Unsigned words, too, are extended by their sign.
    let value = if to == 64 { value } else { b.extend(64, value, true) };
    b.set_x(i.rd, value);
}

pub(super) fn from_integer(b: &mut Builder, i: &Instruction, format: FloatFormat, from: u32, signed: bool) {
    if i.rm > NEAREST_AWAY && i.rm != DYNAMIC {
        return super::control::illegal(b);
    }
    let value = b.x(i.rs1);
    let value = if from == 64 { value } else { b.extract(from, value, 0) };
    let nearest = matches!(i.rm, NEAREST | DYNAMIC);
    if !nearest && from > fraction(format) + 1 {
        let exact = is_exact(b, format, from, signed, value.clone());
        b.require(exact, &format!("{} rounds in another way than to nearest, which is not modelled", i.op.row().name));
    }
    touch_flags(b);
    let conversion = if signed { Conversion::FromSigned(format) } else { Conversion::FromUnsigned(format) };
    let value = convert(b, conversion, from, width(format), value);
    write(b, i.rd, format, value);
}

/// Has an integer no more significant bits than the format? Then it is converted without
/// rounding. Libraries round floats to integers and back under another mode (floor, ceil).
fn is_exact(b: &mut Builder, format: FloatFormat, width: u32, signed: bool, value: Operand) -> Operand {
    let magnitude = if signed {
        let minus = b.unary(UnaryOp::Neg, width, value.clone());
        let negative = b.binary(BinaryOp::Slt, width, value.clone(), bits(width, 0));
        b.select(width, negative, minus, value)
    } else {
        value
    };
    let above = b.unary(UnaryOp::LeadingZeros, width, magnitude.clone());
    let below = b.unary(UnaryOp::TrailingZeros, width, magnitude);
    let zeros = b.binary(BinaryOp::Add, width, above, below);
    b.binary(BinaryOp::Ule, width, bits(width, u64::from(width - fraction(format) - 1)), zeros)
}
