//! Windows: the indices at which an array is looked at, and a tree of choices over them.
//!
//! What an index can be comes from two sides. The literals of an index that are constant say something that is always true: its low bits are its residue, its high
//! bits bound it. A hint says what holds on the path of the question; the literals of a term outlive the path, so a hint is never believed. Whatever is built for a
//! window is guarded by the index being in it, and somebody else says what is outside.

use crate::blast::{Blaster, Lit, Word, equal, less, mux};
use strata_query::Model;
use strata_term::Term;

/// The indices `least`, `least + stride`, ... `most`. The stride is a power of two: then it is a matter of low bits. Both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    least: u64,
    most: u64,
    stride: u64,
}

/// Somebody who knows where the indices of the question are, and where a model of it may be near.
pub trait Hints {
    /// Where an index lies on the path of the question. Nothing depends on its being right but what it costs to find out that it is not. `worth` is how many bytes of a table would be
    /// built if nobody knew.
    fn window(&mut self, index: &Term, worth: u64) -> Option<Window>;

    /// A model of the path without the question, or any other: what the search tries first.
    fn near(&self) -> Option<&Model> {
        None
    }
}

/// Knows nothing.
impl Hints for () {
    fn window(&mut self, _: &Term, _: u64) -> Option<Window> {
        None
    }
}

/// Knows a model of the path at most, and nothing of indices.
impl Hints for Option<&Model> {
    fn window(&mut self, _: &Term, _: u64) -> Option<Window> {
        None
    }

    fn near(&self) -> Option<&Model> {
        *self
    }
}

impl Window {
    /// From its first place to its last.
    pub fn extent(&self) -> u64 {
        self.most - self.least
    }

    /// From `least` to `most` at most, at a distance of `stride` (zero if there is one only) or of what divides it.
    pub fn new(least: u64, most: u64, stride: u64) -> Option<Window> {
        let stride = if stride == 0 { 1 } else { 1 << stride.trailing_zeros() };
        (least <= most).then(|| Window { least, most: most - (most - least) % stride, stride })
    }

    /// What the constant literals of an index leave.
    pub fn of(index: &[Lit]) -> Window {
        let value = |unknown: bool| {
            index.iter().rev().fold(0, |value, lit| value << 1 | u64::from(lit.known().unwrap_or(unknown)))
        };
        let low = index.iter().take_while(|lit| lit.is_const()).count().min(63);
        Window { least: value(false), most: value(true), stride: 1 << low }
    }

    /// So many indices at a distance of `stride`, among them `index`; both are powers of two.
    pub fn around(index: u64, count: u64, stride: u64) -> Window {
        let span = count.checked_mul(stride).unwrap_or(1 << 63);
        let least = index & !(span - 1) | index & (stride - 1);
        Window { least, most: least + (span - stride), stride }
    }

    /// How many there are.
    pub fn size(&self) -> u64 {
        ((self.most - self.least) / self.stride).saturating_add(1)
    }

    /// Is an index one of them?
    pub fn contains(&self, index: u64) -> bool {
        self.least <= index && index <= self.most && (index - self.least).is_multiple_of(self.stride)
    }

    /// The distance of neighbours.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The last one.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The indices in both.
    pub fn meet(&self, other: &Window) -> Option<Window> {
        let (fine, coarse) = if self.stride < other.stride { (self, other) } else { (other, self) };
        if (fine.least ^ coarse.least) & (fine.stride - 1) != 0 {
            return None;
        }
        let (residue, stride) = (coarse.least & (coarse.stride - 1), coarse.stride);
        let least = fine.least.max(coarse.least);
        // The next index of the coarser one.
        let least = least.checked_add(residue.wrapping_sub(least) & (stride - 1))?;
        Window::new(least, fine.most.min(coarse.most), stride)
    }

    /// All from the first to the last of both, as far apart as both have them.
    pub fn hull(&self, other: &Window) -> Window {
        let apart = (self.least ^ other.least) | self.stride | other.stride;
        let stride = 1 << apart.trailing_zeros();
        Window { least: self.least.min(other.least), most: self.most.max(other.most), stride }
    }

    /// All of it `by` further on, if nothing wraps in indices up to `last`.
    pub fn moved(&self, by: u64, last: u64) -> Option<Window> {
        let most = self.most.checked_add(by).filter(|most| *most <= last)?;
        Some(Window { least: self.least + by, most, stride: self.stride })
    }

    /// Those up to `last`.
    pub fn up_to(&self, last: u64) -> Option<Window> {
        Window::new(self.least, self.most.min(last), self.stride)
    }

    /// Is `index` one of them, as a literal?
    pub(super) fn guard(&self, blaster: &mut Blaster, index: &Word) -> Lit {
        let gates = &mut blaster.gates;
        let low = (self.stride.trailing_zeros() as usize).min(index.len());
        let number = |value: u64| -> Word { (0..index.len()).map(|i| Lit::constant(value >> i & 1 == 1)).collect() };
        let (least, most) = (number(self.least), number(self.most));
        let residue = equal(gates, &index[..low], &least[..low]);
        // The low bits are compared already.
        let (index, least, most) = (&index[low..], &least[low..], &most[low..]);
        let conditions = [residue, !less(gates, index, least), !less(gates, most, index)];
        gates.all(&conditions)
    }

    /// The indices, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + use<> {
        let Window { least, stride, .. } = *self;
        (0..self.size()).map(move |number| least + number * stride)
    }
}

/// The value at `index`, which is surely one of those of `points`, as a word of `width` literals: a tree of choices over the bits of the index that tell points
/// apart. Halves with one value are that value, and equal halves are one. What lies between points is unspecified. In the order of their indices, and not empty.
pub(super) fn choose(blaster: &mut Blaster, points: &[(u64, u64)], index: &[Lit], width: usize) -> Word {
    let (first, last) = (points[0], points[points.len() - 1]);
    if points.iter().all(|point| point.1 == first.1) || blaster.gates.stopped().is_some() {
        return (0..width).map(|i| Lit::constant(first.1 >> i & 1 == 1)).collect();
    }
    // Above this bit all indices agree; the first has it clear and the last has it set.
    let top = (first.0 ^ last.0).ilog2();
    let (low, high) = points.split_at(points.partition_point(|point| point.0 >> top & 1 == 0));
    match index[top as usize].known() {
        Some(side) => choose(blaster, if side { high } else { low }, index, width),
        None => {
            let (low, high) = (choose(blaster, low, index, width), choose(blaster, high, index, width));
            mux(&mut blaster.gates, index[top as usize], &high, &low)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_query::Budget;
    use strata_term::Random;

    fn members(window: Option<Window>) -> Vec<u64> {
        window.iter().flat_map(Window::iter).collect()
    }

    /// Meets against sets of numbers, and blocks around an index.
    #[test]
    fn windows_are_sets() {
        let mut random = Random(5);
        for _ in 0..20_000 {
            let mut any = || {
                let (a, b) = (random.below(40) as u64, random.below(40) as u64);
                Window::new(a.min(b), a.max(b), [0, 1, 2, 4, 6, 8, 12, 16][random.below(8)]).expect("in order")
            };
            let (one, other) = (any(), any());
            let both: Vec<u64> = one.iter().filter(|index| other.contains(*index)).collect();
            assert_eq!(members(one.meet(&other)), both, "{one:?} and {other:?}");
            assert_eq!(one.iter().count() as u64, one.size());
            let hull = one.hull(&other);
            assert!(one.iter().chain(other.iter()).all(|index| hull.contains(index)), "{one:?} and {other:?}");
            assert!(hull.contains(hull.most) && hull.least == one.least.min(other.least));
            let block = Window::around(one.most, 1 << random.below(4), one.stride);
            assert!(block.contains(one.most) && block.size().is_power_of_two(), "{block:?}");
        }
        let end = Window::around(u64::MAX, 64, 4);
        assert!(end.contains(u64::MAX) && end.most == u64::MAX);
        assert_eq!(Window::around(5, 1 << 62, 8).least, 5);
    }

    /// What is said of a word with constant bits holds for all of its values.
    #[test]
    fn constant_bits_bound() {
        let mut blaster = Blaster::new();
        blaster.gates.allow(&Budget::default());
        let unknown = blaster.gates.input();
        for pattern in 0..3u32.pow(6) {
            let digit = |i: u32| pattern / 3u32.pow(i) % 3;
            let word: Word = (0..6).map(|i| [Lit::FALSE, Lit::TRUE, unknown][digit(i) as usize]).collect();
            let window = Window::of(&word);
            for value in
                (0..64u64).filter(|value| (0..6).all(|i| digit(i) == 2 || u64::from(digit(i)) == value >> i & 1))
            {
                assert!(window.contains(value), "{word:?} {value}");
            }
        }
    }
}
