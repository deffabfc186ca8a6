//! Floating point on concrete values: the machine's own results.

use crate::config::Float;
use crate::end::{Cause, End};
use crate::machine::Machine;
use crate::state::State;
use strata_ir::{Conversion, FloatCompare, FloatFormat, FloatOp, FloatUnary, Operand};
use strata_term::{mask, signed};

impl Machine<'_> {
    /// The bits of an operand of a floating-point instruction.
    pub(super) fn plain_float(&mut self, state: &mut State, operand: &Operand) -> Result<u64, End> {
        let value = self.value(state, operand);
        let Some(term) = value.term else { return Ok(value.bits) };
        let term = self.settle(state, &term, "floating point")?;
        if let Some(bits) = term.const_u64() {
            return Ok(bits);
        }
        match self.config.float {
            Float::Stop => {
                Err(Cause::new("float", "a symbolic value meets floating point (--float concretize takes one value)")
                    .into())
            }
            Float::Concretize => Ok(self.concretize(state, &term, "floating point")?.low_u64()),
        }
    }
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

pub(super) fn binary(op: FloatOp, format: FloatFormat, a: u64, b: u64) -> u64 {
    macro_rules! of {
        ($a:expr, $b:expr) => {{
            let (a, b) = ($a, $b);
            match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                FloatOp::Rem => a % b,
                FloatOp::Min => a.min(b),
                FloatOp::Max => a.max(b),
                FloatOp::CopySign => a.copysign(b),
            }
            .to_bits()
        }};
    }
    match format {
        FloatFormat::Single => u64::from(of!(single(a), single(b))),
        FloatFormat::Double => of!(double(a), double(b)),
    }
}

pub(super) fn unary(op: FloatUnary, format: FloatFormat, a: u64) -> u64 {
    macro_rules! of {
        ($a:expr) => {{
            let a = $a;
            match op {
                FloatUnary::Neg => -a,
                FloatUnary::Abs => a.abs(),
                FloatUnary::Sqrt => a.sqrt(),
                FloatUnary::Floor => a.floor(),
                FloatUnary::Ceil => a.ceil(),
                FloatUnary::Trunc => a.trunc(),
                FloatUnary::Round => a.round(),
                FloatUnary::RoundEven => a.round_ties_even(),
            }
            .to_bits()
        }};
    }
    match format {
        FloatFormat::Single => u64::from(of!(single(a))),
        FloatFormat::Double => of!(double(a)),
    }
}

pub(super) fn fma(format: FloatFormat, a: u64, b: u64, c: u64) -> u64 {
    match format {
        FloatFormat::Single => u64::from(single(a).mul_add(single(b), single(c)).to_bits()),
        FloatFormat::Double => double(a).mul_add(double(b), double(c)).to_bits(),
    }
}

pub(super) fn compare(relation: FloatCompare, format: FloatFormat, a: u64, b: u64) -> bool {
    let order = match format {
        FloatFormat::Single => single(a).partial_cmp(&single(b)),
        FloatFormat::Double => double(a).partial_cmp(&double(b)),
    };
    match order {
        Some(std::cmp::Ordering::Less) => relation.less,
        Some(std::cmp::Ordering::Equal) => relation.equal,
        Some(std::cmp::Ordering::Greater) => relation.greater,
        None => relation.unordered,
    }
}

pub(super) fn convert(conversion: Conversion, a: u64, from: u32, to: u32) -> u64 {
    let float = |format: FloatFormat| match format {
        FloatFormat::Single => f64::from(single(a)),
        FloatFormat::Double => double(a),
    };
    let result = match conversion {
        Conversion::FromSigned(FloatFormat::Single) => u64::from((signed(from, a) as f32).to_bits()),
        Conversion::FromSigned(FloatFormat::Double) => (signed(from, a) as f64).to_bits(),
        Conversion::FromUnsigned(FloatFormat::Single) => u64::from((a as f32).to_bits()),
        Conversion::FromUnsigned(FloatFormat::Double) => (a as f64).to_bits(),
        Conversion::ToSigned(format) => to_signed(float(format), to),
        Conversion::ToUnsigned(format) => to_unsigned(float(format), to),
        Conversion::ToSignedSaturating(format) => {
            let (least, most) = (signed(to, 1 << (to - 1)), signed(to, mask(to) >> 1));
            (float(format) as i64).clamp(least, most) as u64
        }
        Conversion::ToUnsignedSaturating(format) => (float(format) as u64).min(mask(to)),
        Conversion::Widen => f64::from(single(a)).to_bits(),
        Conversion::Narrow => u64::from((double(a) as f32).to_bits()),
    };
    result & mask(to)
}

/// As cvttsd2si: what does not fit gives the least number of the register used (32 bits, or 64).
fn to_signed(value: f64, width: u32) -> u64 {
    if width <= 32 {
        let fits = value > -2_147_483_649.0 && value < 2_147_483_648.0;
        return if fits { value as i32 as u64 } else { 0x8000_0000 };
    }
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value);
    if fits { value as i64 as u64 } else { 1 << 63 }
}

/// As x86-64 code does it: through the signed conversion of the next larger register, in two halves for 64 bits.
fn to_unsigned(value: f64, width: u32) -> u64 {
    if width <= 32 {
        return to_signed(value, 64);
    }
    let low = to_signed(value, 64);
    let high = to_signed(value - 9_223_372_036_854_775_808.0, 64);
    low | (high & (((low as i64) >> 63) as u64))
}
