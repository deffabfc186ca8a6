//! Digits to bit-vectors, for numbers of any length.
//!
//! Invariant: no more digits reach the big-number parser than the widest bit-vector can need, so a text of a million
//! digits is refused, not computed.

use crate::bits::Bits;
use num_bigint::BigUint;

/// The number that decimal digits denote, if it is below 2^64.
pub(super) fn decimal(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}

/// The number that digits of this radix (2 to 16) denote, if they are digits and it is below 2^width.
pub(super) fn bits(digits: &[u8], radix: u32, width: u32) -> Option<Bits> {
    let significant = digits.iter().position(|digit| *digit != b'0').map_or(&[][..], |first| &digits[first..]);
    let each_is_at_least_a_bit = significant.len() > width as usize;
    if each_is_at_least_a_bit {
        return None;
    }
    let values: Option<Vec<u8>> =
        significant.iter().map(|digit| char::from(*digit).to_digit(radix).map(|value| value as u8)).collect();
    let value = BigUint::from_radix_be(&values?, radix)?;
    (value.bits() <= u64::from(width)).then(|| Bits::from_big(width, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        assert_eq!(decimal(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(decimal(b"18446744073709551616"), None);
        assert_eq!(bits(b"255", 10, 8), Some(Bits::new(8, 255)));
        assert_eq!(bits(b"0000000000000000256", 10, 8), None);
        assert_eq!(bits(b"0000000000000000fF", 16, 8), Some(Bits::new(8, 255)));
        assert_eq!(bits(b"", 10, 8), Some(Bits::zero(8)));
        assert_eq!(bits(b"12", 2, 8), None);
        assert_eq!(bits("9".repeat(5_000_000).as_bytes(), 10, 65535), None);
    }
}
