//! Exact sets of values of at most eight bits: one bit for each value.
//!
//! Every transfer is exact, by trying all values; no operator or table stands in the way. This is what a term over one input byte comes to: whatever it is
//! made of, a condition over it is a set of bytes.

use crate::domain::{Aim, Apply, Domain, Image};
use crate::multi_interval::{Interval, MultiInterval};
use crate::word::{self, mask};
use std::fmt;
use strata_term::Op;

/// A set of values of at most eight bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByteSet {
    width: u32,
    words: [u64; 4],
}

impl ByteSet {
    /// The bytes for which `holds` says so.
    pub fn of(mut holds: impl FnMut(u8) -> bool) -> ByteSet {
        let mut words = [0; 4];
        for (high, word) in (0u8..).zip(words.iter_mut()) {
            for low in 0..64 {
                *word |= u64::from(holds(high << 6 | low)) << low;
            }
        }
        ByteSet { width: 8, words }
    }

    /// From 256 bits, the first one for zero.
    pub fn of_words(words: [u64; 4]) -> ByteSet {
        ByteSet { width: 8, words }
    }

    /// Its 256 bits, the first one for zero.
    pub fn words(&self) -> [u64; 4] {
        self.words
    }

    /// What both have, if there is anything.
    pub fn common(&self, other: &ByteSet) -> Option<ByteSet> {
        let words = std::array::from_fn(|word| self.words[word] & other.words[word]);
        (words != [0; 4]).then_some(ByteSet { width: self.width, words })
    }

    /// Its values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0u8..4).flat_map(move |high| Ones(self.words[usize::from(high)]).map(move |low| high << 6 | low))
    }

    /// The same, for whoever goes through them often.
    pub fn list(&self) -> Vec<u8> {
        let mut values = Vec::with_capacity(self.words.iter().map(|word| word.count_ones() as usize).sum());
        self.iter().for_each(|value| values.push(value));
        values
    }

    /// As intervals; always exact.
    pub fn to_intervals(&self) -> MultiInterval {
        let mut intervals: Vec<Interval> = Vec::new();
        for value in self.iter().map(u64::from) {
            match intervals.last_mut() {
                Some(last) if last.hi + 1 == value => last.hi = value,
                Some(_) | None => intervals.push(Interval { lo: value, hi: value }),
            }
        }
        MultiInterval::of_intervals(self.width, &intervals, Aim::Above).set
    }

    /// From intervals of at most eight bits.
    pub fn of_intervals(set: &MultiInterval) -> Option<ByteSet> {
        let mut result = ByteSet { width: set.width(), words: [0; 4] };
        if set.width() > 8 {
            return None;
        }
        for interval in set.intervals() {
            result.insert_range(interval.lo, interval.hi);
        }
        Some(result)
    }

    fn insert_range(&mut self, lo: u64, hi: u64) {
        for (i, word) in (0u64..).zip(self.words.iter_mut()) {
            let (first, last) = (lo.max(64 * i), hi.min(64 * i + 63));
            if first <= last {
                *word |= mask((last - first + 1) as u32) << (first - 64 * i);
            }
        }
    }

    /// One more value.
    #[inline]
    pub fn insert(&mut self, value: u64) {
        self.words[(value >> 6 & 3) as usize] |= 1 << (value & 63);
    }

    fn zip(&self, other: &ByteSet, join: impl Fn(u64, u64) -> u64) -> ByteSet {
        let mut words = self.words;
        words.iter_mut().zip(other.words).for_each(|(word, other)| *word = join(*word, other));
        ByteSet { width: self.width, words }
    }

    fn intersects(&self, other: &ByteSet) -> bool {
        self.words.iter().zip(other.words).any(|(a, b)| a & b != 0)
    }

    fn greatest(&self) -> u64 {
        let top = self.words.iter().rposition(|word| *word != 0).unwrap_or(0);
        top as u64 * 64 + 63 - u64::from(self.words[top].leading_zeros().min(63))
    }

    /// The set with each value's bits flipped as `bits` says.
    fn flipped(&self, bits: u64) -> ByteSet {
        let mut result = ByteSet { width: self.width, words: [0; 4] };
        self.iter().for_each(|value| result.insert(u64::from(value) ^ bits));
        result
    }

    /// Comparisons by bounds, so that two full bytes need not be tried against each other.
    fn compared(op: Op, a: &ByteSet, b: &ByteSet) -> Option<(bool, bool)> {
        match op {
            Op::Eq => {
                let meet = a.intersects(b);
                Some((!meet || a.single().is_none() || b.single().is_none(), meet))
            }
            Op::Ult => Some((a.greatest() >= b.least()?, a.least()? < b.greatest())),
            Op::Slt => {
                let sign = 1 << (a.width - 1);
                ByteSet::compared(Op::Ult, &a.flipped(sign), &b.flipped(sign))
            }
            _ => None,
        }
    }
}

/// The positions of the ones of a word.
struct Ones(u64);

impl Iterator for Ones {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let at = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (at < 64).then_some(at as u8)
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_intervals())
    }
}

/// Calls `visit` with all combinations of values and their result; `None` if the operator has no value here.
fn combine(apply: &Apply, x: &[&ByteSet], mut visit: impl FnMut(&[u64], u64)) -> Option<()> {
    let none = ByteSet::constant(1, 0);
    let set = |i: usize| x.get(i).map_or(none, |set| **set);
    let (second, third) = (set(1), set(2));
    for a in set(0).iter().map(u64::from) {
        for b in second.iter().map(u64::from) {
            for c in third.iter().map(u64::from) {
                let values = [a, b, c];
                visit(&values, word::apply(apply, x[0].width, values)?);
            }
        }
    }
    Some(())
}

impl Domain for ByteSet {
    const NAME: &'static str = "byte set";
    const WIDEST: u32 = 8;

    fn empty(width: u32) -> ByteSet {
        ByteSet { width, words: [0; 4] }
    }

    fn full(width: u32) -> ByteSet {
        let mut set = ByteSet::empty(width);
        set.insert_range(0, mask(width));
        set
    }

    fn constant(width: u32, value: u64) -> ByteSet {
        let mut set = ByteSet::empty(width);
        set.insert(value);
        set
    }

    fn of_points(width: u32, points: &[u64], _: Aim) -> Image<ByteSet> {
        let mut set = ByteSet::empty(width);
        points.iter().for_each(|point| set.insert(*point));
        Image::exact(set)
    }

    fn width(&self) -> u32 {
        self.width
    }

    fn is_empty(&self) -> bool {
        self.words == [0; 4]
    }

    fn is_full(&self) -> bool {
        *self == ByteSet::full(self.width)
    }

    fn contains(&self, value: u64) -> bool {
        value < 256 && self.words[(value >> 6) as usize] >> (value & 63) & 1 == 1
    }

    fn least(&self) -> Option<u64> {
        self.iter().next().map(u64::from)
    }

    fn single(&self) -> Option<u64> {
        if self.size() == 1 { self.least() } else { None }
    }

    fn size(&self) -> u128 {
        self.words.iter().map(|word| u128::from(word.count_ones())).sum()
    }

    fn each(&self, visit: &mut dyn FnMut(u64) -> bool) {
        for value in self.iter() {
            if !visit(u64::from(value)) {
                return;
            }
        }
    }

    fn meet(&self, other: &ByteSet, _: Aim) -> Image<ByteSet> {
        Image::exact(self.zip(other, |a, b| a & b))
    }

    fn join(&self, other: &ByteSet, _: Aim) -> Image<ByteSet> {
        Image::exact(self.zip(other, |a, b| a | b))
    }

    fn complement(&self, _: Aim) -> Image<ByteSet> {
        Image::exact(ByteSet::full(self.width).zip(self, |all, own| all & !own))
    }

    fn forward(apply: &Apply, operands: &[&ByteSet], _: Aim) -> Option<Image<ByteSet>> {
        if apply.width > Self::WIDEST {
            return None;
        }
        let mut set = ByteSet::empty(apply.width);
        if operands.iter().any(|operand| operand.is_empty()) {
            return Some(Image::exact(set));
        }
        if let [a, b] = operands
            && let Some((can_false, can_true)) = ByteSet::compared(apply.op, a, b)
        {
            set.words[0] = u64::from(can_false) | u64::from(can_true) << 1;
            return Some(Image::exact(set));
        }
        if apply.op == Op::Ite && operands[0].size() == 2 {
            return Some(operands[1].join(operands[2], Aim::Above));
        }
        combine(apply, operands, |_, result| set.insert(result))?;
        Some(Image::exact(set))
    }

    fn backward(
        apply: &Apply,
        result: &ByteSet,
        position: usize,
        operands: &[&ByteSet],
        _: Aim,
    ) -> Option<Image<ByteSet>> {
        let mut set = ByteSet::empty(operands[position].width);
        if apply.op == Op::Ite && position > 0 {
            return Some(Image::exact(unchosen(result, position, operands)));
        }
        combine(apply, operands, |values, value| {
            if result.contains(value) {
                set.insert(values[position]);
            }
        })?;
        Some(Image::exact(set))
    }
}

/// A choice ties neither branch to the other: no need to try pairs of them.
fn unchosen(result: &ByteSet, position: usize, x: &[&ByteSet]) -> ByteSet {
    let old = *x[position];
    let (own, other) = (x[0].contains(2 - position as u64), x[0].contains(position as u64 - 1));
    let elsewhere = other && x[3 - position].intersects(result);
    match (own && !x[3 - position].is_empty(), elsewhere) {
        (_, true) => old,
        (true, false) => old.zip(result, |a, b| a & b),
        (false, false) => ByteSet::empty(old.width),
    }
}
