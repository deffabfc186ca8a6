//! Constant bit-vectors of any width with SMT-LIB's total semantics.
//!
//! Values up to 64 bits are plain machine integers; wider ones are big integers. The split is
//! invisible to callers: every operation takes and gives `Bits`, reduced modulo 2^width.
//!
//! Invariant: `Small` iff `width <= 64`; no bit at or above `width` is set (`Bits::wrap`).

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// A bit-vector constant: a width and a value below 2^width.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    value: Value,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Value {
    Small(u64),
    Wide(BigUint),
}

/// As its width, and one number or the digits of one.
impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple(2)?;
        pair.serialize_element(&self.width)?;
        match &self.value {
            Value::Small(value) => pair.serialize_element(value)?,
            Value::Wide(value) => pair.serialize_element(&value.to_u64_digits())?,
        }
        pair.end()
    }
}

/// What is read keeps the invariant, whoever wrote it.
impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bits, D::Error> {
        struct Pair;
        impl<'de> Visitor<'de> for Pair {
            type Value = Bits;

            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str("a width and a value")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<Bits, A::Error> {
                let short = || A::Error::invalid_length(2, &self);
                let width: u32 = pair.next_element()?.ok_or_else(short)?;
                match width {
                    0 => Err(A::Error::custom("a width of zero")),
                    1..=64 => Ok(Bits::new(width, pair.next_element()?.ok_or_else(short)?)),
                    _ => Ok(Bits::from_words(width, &pair.next_element::<Vec<u64>>()?.ok_or_else(short)?)),
                }
            }
        }
        deserializer.deserialize_tuple(2, Pair)
    }
}

/// The lowest `width` bits set, for widths up to 64.
#[inline]
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The value of the lowest `width` bits of `value`, read as a signed number.
#[inline]
pub fn signed(width: u32, value: u64) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

impl Bits {
    /// `value` modulo 2^width.
    pub fn new(width: u32, value: u64) -> Bits {
        assert!(width > 0);
        let value = if width <= 64 { Value::Small(value & mask(width)) } else { Value::Wide(value.into()) };
        Bits { width, value }
    }

    /// `value` modulo 2^width.
    pub fn from_big(width: u32, value: BigUint) -> Bits {
        assert!(width > 0);
        if width <= 64 {
            let low = value.iter_u64_digits().next().unwrap_or(0);
            Bits::new(width, low)
        } else if value.bits() <= u64::from(width) {
            Bits { width, value: Value::Wide(value) }
        } else {
            Bits { width, value: Value::Wide(value & big_mask(width)) }
        }
    }

    /// From little-endian 64-bit digits, modulo 2^width.
    pub fn from_words(width: u32, words: &[u64]) -> Bits {
        if width <= 64 {
            return Bits::new(width, words.first().copied().unwrap_or(0));
        }
        let halves = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
        Bits::from_big(width, BigUint::new(halves))
    }

    /// The little-endian 64-bit digits, as many as the width needs.
    pub fn to_words(&self) -> Vec<u64> {
        match &self.value {
            Value::Small(v) => vec![*v],
            Value::Wide(v) => {
                let mut words: Vec<u64> = v.iter_u64_digits().collect();
                words.resize(self.width.div_ceil(64) as usize, 0);
                words
            }
        }
    }

    /// Zero.
    pub fn zero(width: u32) -> Bits {
        Bits::new(width, 0)
    }

    /// One.
    pub fn one(width: u32) -> Bits {
        Bits::new(width, 1)
    }

    /// All bits set: 2^width - 1, or -1.
    pub fn ones(width: u32) -> Bits {
        Bits::zero(width).not()
    }

    /// The sign bit alone: 2^(width-1).
    pub fn min_signed(width: u32) -> Bits {
        Bits::one(width).shl(&Bits::new(64, u64::from(width - 1)))
    }

    /// A truth value as one bit.
    pub fn bool(value: bool) -> Bits {
        Bits::new(1, u64::from(value))
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value if it fits into 64 bits (whatever the width).
    pub fn to_u64(&self) -> Option<u64> {
        match &self.value {
            Value::Small(v) => Some(*v),
            Value::Wide(v) => v.to_u64(),
        }
    }

    /// The lowest 64 bits.
    pub fn low_u64(&self) -> u64 {
        match &self.value {
            Value::Small(v) => *v,
            Value::Wide(v) => v.iter_u64_digits().next().unwrap_or(0),
        }
    }

    /// The value as a big integer.
    pub fn to_big(&self) -> BigUint {
        match &self.value {
            Value::Small(v) => (*v).into(),
            Value::Wide(v) => v.clone(),
        }
    }

    /// Bit `i`, counted from the least significant.
    pub fn bit(&self, i: u32) -> bool {
        match &self.value {
            Value::Small(v) => i < 64 && v >> i & 1 == 1,
            Value::Wide(v) => v.bit(u64::from(i)),
        }
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        match &self.value {
            Value::Small(v) => *v == 0,
            Value::Wide(v) => v.is_zero(),
        }
    }

    /// Is it one?
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }

    /// Are all bits set?
    pub fn is_ones(&self) -> bool {
        match &self.value {
            Value::Small(v) => *v == mask(self.width),
            Value::Wide(v) => v.count_ones() == u64::from(self.width),
        }
    }

    /// Is it one as a truth value?
    pub fn is_true(&self) -> bool {
        self.width == 1 && self.is_one()
    }

    /// The sign bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// `Some(k)` if the value is 2^k.
    pub fn log2(&self) -> Option<u32> {
        match &self.value {
            Value::Small(v) => v.is_power_of_two().then(|| v.trailing_zeros()),
            Value::Wide(v) => (v.count_ones() == 1).then(|| v.trailing_zeros().unwrap_or(0) as u32),
        }
    }

    /// How many bits are zero at the low end (the width if the value is zero).
    pub fn trailing_zeros(&self) -> u32 {
        match &self.value {
            Value::Small(v) => v.trailing_zeros().min(self.width),
            Value::Wide(v) => v.trailing_zeros().map_or(self.width, |z| z as u32),
        }
    }

    /// How many bits are zero at the high end.
    pub fn leading_zeros(&self) -> u32 {
        match &self.value {
            Value::Small(v) => v.leading_zeros() - (64 - self.width),
            Value::Wide(v) => self.width - v.bits() as u32,
        }
    }

    fn zip(&self, other: &Bits, small: impl Fn(u64, u64) -> u64, wide: impl Fn(BigUint, BigUint) -> BigUint) -> Bits {
        assert_eq!(self.width, other.width);
        match (&self.value, &other.value) {
            (Value::Small(a), Value::Small(b)) => Bits::new(self.width, small(*a, *b)),
            _ => Bits::from_big(self.width, wide(self.to_big(), other.to_big())),
        }
    }

    /// Bitwise complement.
    #[allow(clippy::should_implement_trait, reason = "named after the operator, like its siblings")]
    pub fn not(&self) -> Bits {
        match &self.value {
            Value::Small(v) => Bits::new(self.width, !v),
            Value::Wide(v) => Bits { width: self.width, value: Value::Wide(big_mask(self.width) ^ v) },
        }
    }

    /// Two's complement negation.
    #[allow(clippy::should_implement_trait, reason = "named after the operator, like its siblings")]
    pub fn neg(&self) -> Bits {
        self.not().add(&Bits::one(self.width))
    }

    /// Bitwise and.
    pub fn and(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & b, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a | b, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// Sum modulo 2^width.
    #[allow(clippy::should_implement_trait, reason = "named after the operator, like its siblings")]
    pub fn add(&self, other: &Bits) -> Bits {
        self.zip(other, u64::wrapping_add, |a, b| a + b)
    }

    /// Difference modulo 2^width.
    #[allow(clippy::should_implement_trait, reason = "named after the operator, like its siblings")]
    pub fn sub(&self, other: &Bits) -> Bits {
        let top = |w| BigUint::from(1u32) << w;
        self.zip(other, u64::wrapping_sub, |a, b| a + top(self.width) - b)
    }

    /// Product modulo 2^width.
    #[allow(clippy::should_implement_trait, reason = "named after the operator, like its siblings")]
    pub fn mul(&self, other: &Bits) -> Bits {
        self.zip(other, u64::wrapping_mul, |a, b| a * b)
    }

    /// Unsigned quotient; all ones for a zero divisor.
    pub fn udiv(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return Bits::ones(self.width);
        }
        self.zip(other, |a, b| a / b, |a, b| a / b)
    }

    /// Unsigned remainder; the dividend for a zero divisor.
    pub fn urem(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return self.clone();
        }
        self.zip(other, |a, b| a % b, |a, b| a % b)
    }

    fn abs(&self) -> Bits {
        if self.sign() { self.neg() } else { self.clone() }
    }

    /// Signed quotient, rounded towards zero; for a zero divisor 1 or -1, as SMT-LIB has it.
    pub fn sdiv(&self, other: &Bits) -> Bits {
        let quotient = self.abs().udiv(&other.abs());
        if self.sign() != other.sign() { quotient.neg() } else { quotient }
    }

    /// Signed remainder with the sign of the dividend; the dividend for a zero divisor.
    pub fn srem(&self, other: &Bits) -> Bits {
        let remainder = self.abs().urem(&other.abs());
        if self.sign() { remainder.neg() } else { remainder }
    }

    /// Left shift; zero from the width on.
    #[allow(clippy::should_implement_trait, reason = "named after the operator, like its siblings")]
    pub fn shl(&self, by: &Bits) -> Bits {
        match self.shift_amount(by) {
            None => Bits::zero(self.width),
            Some(n) => match &self.value {
                Value::Small(v) => Bits::new(self.width, v << n),
                Value::Wide(v) => Bits::from_big(self.width, v << n),
            },
        }
    }

    /// Logical right shift; zero from the width on.
    pub fn lshr(&self, by: &Bits) -> Bits {
        match self.shift_amount(by) {
            None => Bits::zero(self.width),
            Some(n) => match &self.value {
                Value::Small(v) => Bits::new(self.width, v >> n),
                Value::Wide(v) => Bits::from_big(self.width, v >> n),
            },
        }
    }

    /// Arithmetic right shift; all sign bits from the width on.
    pub fn ashr(&self, by: &Bits) -> Bits {
        if self.sign() { self.not().lshr(by).not() } else { self.lshr(by) }
    }

    fn shift_amount(&self, by: &Bits) -> Option<u32> {
        by.to_u64().filter(|n| *n < u64::from(self.width)).map(|n| n as u32)
    }

    /// `self` above `low`.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        match (&self.value, &low.value) {
            (Value::Small(h), Value::Small(l)) if width <= 64 => Bits::new(width, h << low.width | l),
            _ => Bits::from_big(width, (self.to_big() << low.width) | low.to_big()),
        }
    }

    /// Bits `high` down to `low`.
    pub fn extract(&self, high: u32, low: u32) -> Bits {
        assert!(low <= high && high < self.width);
        match &self.value {
            Value::Small(v) => Bits::new(high - low + 1, v >> low),
            Value::Wide(v) => Bits::from_big(high - low + 1, v >> low),
        }
    }

    /// Zero-extended or truncated to `width`.
    pub fn resize(&self, width: u32) -> Bits {
        match &self.value {
            Value::Small(v) => Bits::new(width, *v),
            Value::Wide(v) => Bits::from_big(width, v.clone()),
        }
    }

    /// Sign-extended to `width`.
    pub fn sext(&self, width: u32) -> Bits {
        assert!(width >= self.width);
        if self.sign() { self.not().resize(width).not() } else { self.resize(width) }
    }

    /// Unsigned order.
    pub fn ucmp(&self, other: &Bits) -> Ordering {
        assert_eq!(self.width, other.width);
        match (&self.value, &other.value) {
            (Value::Small(a), Value::Small(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }

    /// Signed order.
    pub fn scmp(&self, other: &Bits) -> Ordering {
        other.sign().cmp(&self.sign()).then_with(|| self.ucmp(other))
    }
}

fn big_mask(width: u32) -> BigUint {
    (BigUint::from(1u32) << width) - 1u32
}

/// Decimal value, as SMT-LIB's `(_ bvN w)` writes it.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Small(v) => write!(f, "{v}"),
            Value::Wide(v) => write!(f, "{v}"),
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wide arithmetic must agree with narrow arithmetic on the same small values.
    #[test]
    fn wide_agrees_with_narrow() {
        let values = [0u64, 1, 2, 3, 7, 100, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, 0xdead_beef];
        let (narrow, wide) = (|v| Bits::new(64, v), |v| Bits::new(64, v).sext(200));
        type Binary = fn(&Bits, &Bits) -> Bits;
        let signed_ops: [(&str, Binary); 8] = [
            ("add", Bits::add),
            ("sub", Bits::sub),
            ("mul", Bits::mul),
            ("and", Bits::and),
            ("or", Bits::or),
            ("xor", Bits::xor),
            ("sdiv", Bits::sdiv),
            ("srem", Bits::srem),
        ];
        for a in values {
            for b in values {
                for (name, op) in signed_ops {
                    let wide_result = op(&wide(a), &wide(b)).extract(63, 0);
                    let zero_divisor = b == 0 && name == "sdiv";
                    assert!(zero_divisor || wide_result == op(&narrow(a), &narrow(b)), "{name} {a} {b}");
                }
                assert_eq!(wide(a).scmp(&wide(b)), narrow(a).scmp(&narrow(b)));
            }
            for n in [0, 1, 31, 63, 64, 199, 200, 5000] {
                let by = Bits::new(200, n);
                assert_eq!(wide(a).ashr(&by).sign(), signed(64, a) < 0);
                assert_eq!(wide(a).shl(&by).is_zero(), a == 0 || n + u64::from(a.trailing_zeros()) >= 200);
            }
        }
    }

    #[test]
    fn division_is_total() {
        for width in [4, 64, 100] {
            let (five, zero) = (Bits::new(width, 5), Bits::zero(width));
            assert!(five.udiv(&zero).is_ones());
            assert_eq!(five.urem(&zero), five);
            assert!(five.sdiv(&zero).is_ones());
            assert!(five.neg().sdiv(&zero).is_one());
            assert_eq!(five.neg().srem(&zero), five.neg());
            let min = Bits::min_signed(width);
            assert_eq!(min.sdiv(&Bits::ones(width)), min);
        }
    }
}
