//! Arithmetic on plain words: masks, signs, and operators on values of at most 64 bits.
//!
//! `apply` is `strata_term::fold` without big integers; sets are tried value by value with it, where every instruction counts.
//! Invariant: it agrees with `fold` (tested below).

use crate::domain::Apply;
use strata_term::Op;

/// The lowest `width` bits set, for widths from 1 to 64.
#[inline]
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The lowest `count` bits set, for any count up to 64.
#[inline]
pub(crate) fn mask_up_to(count: u32) -> u64 {
    if count == 0 { 0 } else { mask(count) }
}

/// The value of the lowest `width` bits, read as a signed number.
#[inline]
pub(crate) fn signed(width: u32, value: u64) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

/// The inverse of an odd number modulo 2^64: each step doubles the bits that are right.
pub(crate) fn inverse_of(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// An operator on values, the first of width `from`. `None` for leaves and arrays.
#[inline]
pub(crate) fn apply(apply: &Apply, from: u32, x: [u64; 3]) -> Option<u64> {
    let (width, [a, b, c]) = (apply.width, x);
    let near = b < u64::from(width);
    let value = match apply.op {
        Op::Not => !a,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv => match (signed(width, a), signed(width, b)) {
            (n, 0) => (if n < 0 { 1 } else { -1 }) as u64,
            (n, d) => n.wrapping_div(d) as u64,
        },
        Op::SRem => match (signed(width, a), signed(width, b)) {
            (n, 0) => n as u64,
            (n, d) => n.wrapping_rem(d) as u64,
        },
        Op::Shl => {
            if near {
                a << b
            } else {
                0
            }
        }
        Op::LShr => {
            if near {
                a >> b
            } else {
                0
            }
        }
        Op::AShr => (signed(width, a) >> b.min(u64::from(width) - 1)) as u64,
        Op::Concat => a << (width - from) | b,
        Op::Extract => a >> apply.low,
        Op::ZExt => a,
        Op::SExt => signed(from, a) as u64,
        Op::Eq => u64::from(a == b),
        Op::Ult => u64::from(a < b),
        Op::Slt => u64::from(signed(from, a) < signed(from, b)),
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read => return None,
    };
    Some(value & mask(width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soundness::Shape;
    use strata_term::Random;

    #[test]
    fn words_agree_with_terms() {
        let mut random = Random(1);
        for op in Shape::operators() {
            for _ in 0..2_000 {
                let width = 2 + random.draw(63);
                let shape = Shape::random(op, width, &mut random);
                let mut values = [0; 3];
                for (value, width) in values.iter_mut().zip(&shape.widths) {
                    *value = random.constant(*width).low_u64();
                }
                let truth = shape.evaluate(&values[..shape.widths.len()]);
                assert_eq!(apply(&shape.apply, shape.widths[0], values), Some(truth), "{:?} {values:?}", shape.apply);
            }
        }
    }

    #[test]
    fn inverses() {
        for odd in (1..2_000u64).step_by(2).chain([u64::MAX, u64::MAX - 2, 1 << 63 | 1]) {
            assert_eq!(odd.wrapping_mul(inverse_of(odd)), 1);
        }
    }
}
