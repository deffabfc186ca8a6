//! The values of one variable: any set for a byte, intervals for what is wider.

use super::order::{Keys, key};
use std::borrow::Cow;
use strata_domain::{Aim, ByteSet, Domain, Image, MultiInterval};

/// A set of values of one width, at most 64 bits.
#[derive(Clone, Debug, PartialEq)]
pub enum Set {
    Byte(ByteSet),
    Word(MultiInterval),
}

impl Set {
    /// Every value.
    pub fn full(width: u32) -> Set {
        match width {
            8 => Set::Byte(ByteSet::full(8)),
            _ => Set::Word(MultiInterval::full(width)),
        }
    }

    /// Of its values, in bits.
    pub fn width(&self) -> u32 {
        match self {
            Set::Byte(_) => 8,
            Set::Word(set) => set.width(),
        }
    }

    /// These values.
    pub fn of(intervals: MultiInterval) -> Set {
        match (intervals.width(), ByteSet::of_intervals(&intervals)) {
            (8, Some(set)) => Set::Byte(set),
            _ => Set::Word(intervals),
        }
    }

    /// What is in both, or more.
    pub fn meet(&self, other: &Set) -> Image<Set> {
        match (self, other) {
            (Set::Byte(a), Set::Byte(b)) => a.meet(b, Aim::Above).map(Set::Byte),
            (Set::Word(a), Set::Word(b)) => a.meet(b, Aim::Above).map(Set::Word),
            (Set::Byte(_), Set::Word(_)) | (Set::Word(_), Set::Byte(_)) => unreachable!("sets of one variable"),
        }
    }

    /// The least value that is in both. Builds no set: this is most of what a question costs.
    pub fn least_common(&self, other: &Set) -> Option<u64> {
        match (self, other) {
            (Set::Byte(a), Set::Byte(b)) => {
                let both = (0u64..).zip(a.words().into_iter().zip(b.words()).map(|(a, b)| a & b));
                both.filter(|(_, word)| *word != 0).map(|(at, word)| 64 * at + u64::from(word.trailing_zeros())).next()
            }
            (Set::Word(a), Set::Word(b)) => {
                let (mut a, mut b) = (a.intervals(), b.intervals());
                while let ([first, later_a @ ..], [second, later_b @ ..]) = (a, b) {
                    let least = first.lo.max(second.lo);
                    if least <= first.hi.min(second.hi) {
                        return Some(least);
                    }
                    if first.hi < second.hi {
                        a = later_a;
                    } else {
                        b = later_b;
                    }
                }
                None
            }
            (Set::Byte(_), Set::Word(_)) | (Set::Word(_), Set::Byte(_)) => unreachable!("sets of one variable"),
        }
    }

    /// Is every value one of the other's?
    pub fn is_within(&self, other: &Set) -> bool {
        match (self, other) {
            (Set::Byte(a), Set::Byte(b)) => a.words().into_iter().zip(b.words()).all(|(a, b)| a & !b == 0),
            (Set::Word(a), Set::Word(b)) => {
                let mut around = b.intervals().iter();
                let mut at = around.next();
                a.intervals().iter().all(|inner| {
                    while at.is_some_and(|outer| outer.hi < inner.lo) {
                        at = around.next();
                    }
                    at.is_some_and(|outer| outer.lo <= inner.lo && inner.hi <= outer.hi)
                })
            }
            (Set::Byte(_), Set::Word(_)) | (Set::Word(_), Set::Byte(_)) => unreachable!("sets of one variable"),
        }
    }

    pub fn contains(&self, value: u64) -> bool {
        match self {
            Set::Byte(set) => set.contains(value),
            Set::Word(set) => set.contains(value),
        }
    }

    pub fn least(&self) -> Option<u64> {
        match self {
            Set::Byte(set) => set.least(),
            Set::Word(set) => set.least(),
        }
    }

    pub fn single(&self) -> Option<u64> {
        match self {
            Set::Byte(set) => set.single(),
            Set::Word(set) => set.single(),
        }
    }

    /// How many values it has.
    pub fn size(&self) -> u128 {
        match self {
            Set::Byte(set) => set.size(),
            Set::Word(set) => set.size(),
        }
    }

    /// All its values.
    pub fn values(&self) -> Vec<u64> {
        let mut values = Vec::new();
        let mut keep = |value| {
            values.push(value);
            true
        };
        match self {
            Set::Byte(set) => set.each(&mut keep),
            Set::Word(set) => set.each(&mut keep),
        }
        values
    }

    /// As intervals, which lose nothing of a byte.
    pub fn intervals(&self) -> MultiInterval {
        match self {
            Set::Byte(set) => set.to_intervals(),
            Set::Word(set) => set.clone(),
        }
    }
}

impl Keys for Cow<'_, Set> {
    fn at_least(&self, least: u64, signed: bool) -> Option<u64> {
        match &**self {
            Set::Byte(set) => byte_at_least(&set.words(), least, signed),
            Set::Word(set) => word_at_least(set, least, signed),
        }
    }
}

fn byte_at_least(words: &[u64; 4], least: u64, signed: bool) -> Option<u64> {
    let mut at = least;
    while at < 256 {
        // Sixty-four keys lie in one word in either order.
        let value = key(at, 8, signed);
        let rest = words[(value / 64) as usize] >> (value % 64);
        if rest != 0 {
            return Some(at + u64::from(rest.trailing_zeros()));
        }
        at = (at / 64 + 1) * 64;
    }
    None
}

fn word_at_least(set: &MultiInterval, least: u64, signed: bool) -> Option<u64> {
    let width = set.width();
    let half = 1u64 << (width - 1);
    let (intervals, top) = (set.intervals(), half - 1 + half);
    if least > top {
        return None;
    }
    if !signed {
        return intervals.iter().find(|interval| interval.hi >= least).map(|interval| interval.lo.max(least));
    }
    // Negative values come first: each interval is cut at the sign.
    let upper = intervals.iter().filter(|i| i.hi >= half).map(|i| (i.lo.max(half), i.hi));
    let lower = intervals.iter().filter(|i| i.lo < half).map(|i| (i.lo, i.hi.min(half - 1)));
    upper
        .chain(lower)
        .map(|(lo, hi)| (key(lo, width, true), key(hi, width, true)))
        .find(|(_, hi)| *hi >= least)
        .map(|(lo, _)| lo.max(least))
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_term::Random;

    #[test]
    fn common_values_of_bytes_and_words() {
        let mut random = Random(8);
        let mut within = 0;
        for _ in 0..5000 {
            let density = 1 + random.below(60) as u32;
            let a = ByteSet::of(|_| random.one_in(density));
            let b = ByteSet::of(|value| {
                if density.is_multiple_of(3) {
                    a.contains(u64::from(value)) || random.one_in(2)
                } else {
                    random.one_in(2)
                }
            });
            let both = |a: Set, b: Set| (a.least_common(&b), a.is_within(&b));
            let expected = (
                (0..256).find(|value| a.contains(*value) && b.contains(*value)),
                (0..256).all(|value| !a.contains(value) || b.contains(value)),
            );
            assert_eq!(both(Set::Byte(a), Set::Byte(b)), expected);
            assert_eq!(both(Set::Word(a.to_intervals()), Set::Word(b.to_intervals())), expected);
            within += usize::from(expected.1);
        }
        assert!(within > 500, "{within}");
    }

    #[test]
    fn keys_of_bytes_and_words() {
        let mut random = Random(3);
        for _ in 0..2000 {
            let bytes = match random.below(3) {
                0 => ByteSet::full(8),
                1 => ByteSet::of(|_| random.one_in(40)),
                _ => ByteSet::of(|_| random.one_in(2)),
            };
            let word: Cow<'_, Set> = Cow::Owned(Set::Word(bytes.to_intervals()));
            let set: Cow<'_, Set> = Cow::Owned(Set::Byte(bytes));
            for signed in [false, true] {
                let least = random.below(260) as u64;
                let expected = (least..256).find(|k| bytes.contains(key(*k, 8, signed)));
                assert_eq!(set.at_least(least, signed), expected);
                assert_eq!(word.at_least(least, signed), expected);
            }
        }
    }
}
