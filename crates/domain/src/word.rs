//! Arithmetic on plain words: masks, signs, inverses, and operators on values of at most 64 bits.

use crate::domain::Apply;
use strata_term::{Kind, fold_narrow};
pub(crate) use strata_term::{mask, signed};

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
pub(crate) fn apply(apply: &Apply, from: u32, [a, b, c]: [u64; 3]) -> Option<u64> {
    let folded = !matches!(apply.op.info().kind, Kind::Leaf | Kind::Array);
    folded.then(|| fold_narrow(apply.op, apply.width, apply.low, from, a, b, c))
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
