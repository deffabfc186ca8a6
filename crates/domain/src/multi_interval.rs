//! Multi-intervals: sorted, disjoint, non-adjacent unsigned intervals (PARTI, section 3.2).
//!
//! Stored unsigned; signed order is a rotation at the operator. Sums, differences, quotients and remainders by a constant, casts and
//! comparisons are exact. A product is not a union of few intervals, so beyond a few points it is widened; its *preimage* is exact:
//! the union over k of [ceil((lo + k 2^w) / c), floor((hi + k 2^w) / c)], visited only for those k that the operand's bounds allow.
//!
//! Up to `INLINE` intervals lie in the set itself. No set has more than `LIMIT`: then the tail becomes one interval (aimed above) or is dropped (aimed below).
//! `LIMIT` is large enough for any set of bytes, and for the places of hundreds of objects; where pairs of intervals are formed, `PAIRS` bounds the work.
//!
//! Rejected: the paper's bound of 2^16 intervals, at which a question costs more than the core takes for it; a tree of intervals, since short lists win.

use crate::blocks::{Blocks, cut, parts};
use crate::domain::{Aim, Apply, Domain, Image, Precision};
use crate::known_bits::KnownBits;
use crate::list::{Buffer, List};
use crate::reduce::{self, Carrier};
use crate::strided::Strided;
use crate::word::{inverse_of, mask};
use std::fmt;

/// Intervals kept in the set itself.
const INLINE: usize = 3;

/// Intervals of a set at most: what a pointer into hundreds of objects needs.
pub(crate) const LIMIT: usize = 1024;

/// Pairs of intervals that a sum looks at, at most.
const PAIRS: usize = 256;

/// Pieces that the preimage of a product or a remainder is made of, at most.
const VISITS: u128 = LIMIT as u128;

/// Points that a product is written as, at most.
const SCALED: u128 = 16;

/// All values from `lo` to `hi`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub lo: u64,
    /// The greatest.
    pub hi: u64,
}

/// A set of bit-vectors as intervals.
#[derive(Clone)]
pub struct MultiInterval {
    width: u32,
    list: List<Interval, INLINE>,
}

/// Intervals that become a set: in any order, overlapping or not.
struct Pieces {
    width: u32,
    sorted: bool,
    buffer: Buffer<Interval, INLINE>,
}

impl Pieces {
    #[inline]
    fn new(width: u32) -> Pieces {
        Pieces { width, sorted: true, buffer: Buffer::new() }
    }

    /// Adds an interval; joins it with the last one if they touch.
    #[inline]
    fn push(&mut self, lo: u64, hi: u64) {
        if let Some(last) = self.buffer.slice_mut().last_mut() {
            if lo >= last.lo && (lo <= last.hi || lo == last.hi + 1) {
                last.hi = last.hi.max(hi);
                return;
            }
            self.sorted &= lo > last.hi;
        }
        self.buffer.push(Interval { lo, hi });
    }

    /// Adds an interval that may wrap.
    #[inline]
    fn push_wrapped(&mut self, lo: u64, hi: u64) {
        if lo <= hi {
            self.push(lo, hi);
        } else {
            self.push(lo, mask(self.width));
            self.push(0, hi);
        }
    }

    #[inline]
    fn len(&self) -> usize {
        self.buffer.len()
    }

    #[inline]
    fn finish(self, aim: Aim) -> Image<MultiInterval> {
        let set = self.unlimited();
        if set.intervals().len() > LIMIT {
            return reduce_to_limit(set.width, set.intervals(), aim);
        }
        Image::exact(set)
    }

    /// Where the number of intervals is known to be small: turning a set round the circle adds one to it at most.
    #[inline]
    fn unlimited(mut self) -> MultiInterval {
        if !self.sorted {
            return self.sort();
        }
        MultiInterval { width: self.width, list: self.buffer.list() }
    }

    fn sort(&mut self) -> MultiInterval {
        let items = self.buffer.slice_mut();
        items.sort_unstable_by_key(|item| item.lo);
        let mut merged = Pieces::new(self.width);
        for item in items {
            merged.push(item.lo, item.hi);
        }
        MultiInterval { width: self.width, list: merged.buffer.list() }
    }
}

#[cold]
fn reduce_to_limit(width: u32, items: &[Interval], aim: Aim) -> Image<MultiInterval> {
    let mut kept = items[..LIMIT].to_vec();
    if let (Aim::Above, Some(last), Some(tail)) = (aim, items.last(), kept.last_mut()) {
        tail.hi = last.hi;
    }
    Image::missed(MultiInterval { width, list: List::of(&kept) }, aim)
}

impl MultiInterval {
    /// Its intervals, ascending.
    #[inline]
    pub fn intervals(&self) -> &[Interval] {
        self.list.slice()
    }

    /// All values from `lo` to `hi`; with `hi < lo`, those from `lo` on and those up to `hi`.
    #[inline]
    pub fn wrapped(width: u32, lo: u64, hi: u64) -> MultiInterval {
        if lo <= hi {
            return MultiInterval::range(width, lo, hi);
        }
        if lo - hi == 1 {
            return MultiInterval::full(width);
        }
        let parts = List::two(Interval { lo: 0, hi }, Interval { lo, hi: mask(width) });
        MultiInterval { width, list: parts }
    }

    /// From intervals in any order.
    pub fn of_intervals(width: u32, intervals: &[Interval], aim: Aim) -> Image<MultiInterval> {
        let mut pieces = Pieces::new(width);
        for interval in intervals {
            pieces.push(interval.lo, interval.hi);
        }
        pieces.finish(aim)
    }

    /// The greatest value, unsigned.
    pub fn greatest(&self) -> Option<u64> {
        self.intervals().last().map(|last| last.hi)
    }

    /// The least value in signed order, as a bit pattern.
    pub fn least_signed(&self) -> Option<u64> {
        let sign = 1 << (self.width - 1);
        let negative = self.intervals().iter().find(|item| item.hi >= sign);
        negative.map(|item| item.lo.max(sign)).or_else(|| self.least())
    }

    /// The greatest value in signed order, as a bit pattern.
    pub fn greatest_signed(&self) -> Option<u64> {
        let sign = 1 << (self.width - 1);
        let positive = self.intervals().iter().rev().find(|item| item.lo < sign);
        positive.map(|item| item.hi.min(sign - 1)).or_else(|| self.greatest())
    }

    /// The set moved by `by` round the circle. By half of it, signed order becomes unsigned order.
    pub fn rotated(&self, by: u64) -> MultiInterval {
        self.map_wrapped(|item| (item.lo.wrapping_add(by), item.hi.wrapping_add(by)))
    }

    /// Each interval mapped to one that may wrap.
    fn map_wrapped(&self, map: impl Fn(&Interval) -> (u64, u64)) -> MultiInterval {
        let all = mask(self.width);
        if self.is_full() {
            return self.clone();
        }
        let mut pieces = Pieces::new(self.width);
        for item in self.intervals() {
            let (lo, hi) = map(item);
            pieces.push_wrapped(lo & all, hi & all);
        }
        pieces.unlimited()
    }

    /// Both sets small enough that all pairs of their intervals can be looked at.
    fn pairable(&self, other: &MultiInterval, aim: Aim) -> Option<(MultiInterval, MultiInterval)> {
        if self.intervals().len() * other.intervals().len() <= PAIRS {
            return None;
        }
        Some((self.coarse(aim), other.coarse(aim)))
    }

    /// At most sixteen intervals.
    fn coarse(&self, aim: Aim) -> MultiInterval {
        let items = self.intervals();
        let mut kept = items[..items.len().min(16)].to_vec();
        if let (Aim::Above, Some(last), Some(tail)) = (aim, items.last(), kept.last_mut()) {
            tail.hi = last.hi;
        }
        MultiInterval { width: self.width, list: List::of(&kept) }
    }

    /// The union of `pair` over all pairs of intervals; `None` from it means everything.
    #[inline]
    fn pairs(
        &self,
        other: &MultiInterval,
        aim: Aim,
        pair: impl Fn(&Interval, &Interval) -> Option<(u64, u64)>,
    ) -> Image<MultiInterval> {
        if let ([a], [b]) = (self.intervals(), other.intervals()) {
            return Image::exact(match pair(a, b) {
                None => MultiInterval::full(self.width),
                Some((lo, hi)) => MultiInterval::wrapped(self.width, lo, hi),
            });
        }
        if let Some((a, b)) = self.pairable(other, aim) {
            let image = a.pairs(&b, aim, pair);
            return if image.set.is_full() && aim == Aim::Below {
                Image::exact(image.set)
            } else {
                Image::missed(image.set, aim)
            };
        }
        let mut pieces = Pieces::new(self.width);
        for a in self.intervals() {
            for b in other.intervals() {
                let Some((lo, hi)) = pair(a, b) else { return Image::exact(MultiInterval::full(self.width)) };
                pieces.push_wrapped(lo, hi);
            }
        }
        pieces.finish(aim)
    }

    fn negated(&self) -> MultiInterval {
        self.map_wrapped(|item| (item.hi.wrapping_neg(), item.lo.wrapping_neg()))
    }

    /// The products as single points.
    fn scaled_points(&self, k: u64, aim: Aim, whole: bool) -> Image<MultiInterval> {
        let mut pieces = Pieces::new(self.width);
        let mut left = SCALED;
        self.each(&mut |value| {
            let product = value.wrapping_mul(k) & mask(self.width);
            pieces.push(product, product);
            left -= 1;
            left > 0
        });
        let image = pieces.finish(aim);
        Image { precision: Precision::exact_if(whole, aim).then(image.precision), set: image.set }
    }

    /// What times `k`, `k` below half of 2^w, lies in this set, by going through the multiples of 2^w that the product can exceed.
    fn unscaled_by_visits(&self, k: u64, old: &MultiInterval, aim: Aim) -> Option<Image<MultiInterval>> {
        let (min, max) = old.bounds();
        let modulus = u128::from(mask(self.width)) + 1;
        let (first, last) = (u128::from(k) * u128::from(min), u128::from(k) * u128::from(max));
        let rounds = last / modulus - first / modulus + 1;
        let mut pieces = Pieces::new(self.width);
        if rounds.saturating_mul(self.intervals().len() as u128) > VISITS {
            return None;
        }
        for round in first / modulus..=last / modulus {
            for item in self.intervals() {
                let lo = (u128::from(item.lo) + round * modulus).div_ceil(u128::from(k));
                let hi = (u128::from(item.hi) + round * modulus) / u128::from(k);
                if lo <= hi && lo <= u128::from(max) {
                    pieces.push(lo as u64, hi.min(u128::from(max)) as u64);
                }
            }
        }
        Some(pieces.finish(aim).then(|set| set.meet(old, aim)))
    }

    /// The same for any `k`, by solving one congruence for each value of this set: a residue modulo a power of two.
    fn unscaled_by_points(&self, k: u64, old: &MultiInterval, aim: Aim) -> Option<Image<MultiInterval>> {
        let shift = k.trailing_zeros();
        let (min, max) = old.bounds();
        let period = 1u128 << (self.width - shift);
        let rounds = (u128::from(max) - u128::from(min)) / period + 1;
        if self.size().saturating_mul(rounds) > VISITS {
            return None;
        }
        let inverse = inverse_of(k >> shift);
        let mut pieces = Pieces::new(self.width);
        self.each(&mut |value| {
            if value.trailing_zeros() >= shift || value == 0 {
                let residue = u128::from((value >> shift).wrapping_mul(inverse)) % period;
                let mut x = residue + (u128::from(min).saturating_sub(residue)).div_ceil(period) * period;
                while x <= u128::from(max) {
                    pieces.push(x as u64, x as u64);
                    x += period;
                }
            }
            true
        });
        Some(pieces.finish(aim).then(|set| set.meet(old, aim)))
    }
}

impl PartialEq for MultiInterval {
    fn eq(&self, other: &MultiInterval) -> bool {
        self.width == other.width && self.intervals() == other.intervals()
    }
}

impl fmt::Debug for MultiInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<_> = self.intervals().iter().map(|item| (item.lo, item.hi)).collect();
        write!(f, "{items:?}u{}", self.width)
    }
}

impl Domain for MultiInterval {
    const NAME: &'static str = "multi-interval";
    const WIDEST: u32 = 64;

    fn empty(width: u32) -> MultiInterval {
        MultiInterval { width, list: List::new() }
    }

    #[inline]
    fn full(width: u32) -> MultiInterval {
        MultiInterval::range(width, 0, mask(width))
    }

    #[inline]
    fn constant(width: u32, value: u64) -> MultiInterval {
        MultiInterval::range(width, value, value)
    }

    fn of_points(width: u32, points: &[u64], aim: Aim) -> Image<MultiInterval> {
        let mut pieces = Pieces::new(width);
        for point in points {
            pieces.push(*point, *point);
        }
        pieces.finish(aim)
    }

    #[inline]
    fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.intervals().is_empty()
    }

    #[inline]
    fn is_full(&self) -> bool {
        matches!(self.intervals(), [item] if item.lo == 0 && item.hi == mask(self.width))
    }

    fn contains(&self, value: u64) -> bool {
        let items = self.intervals();
        let at = items.partition_point(|item| item.hi < value);
        items.get(at).is_some_and(|item| item.lo <= value)
    }

    #[inline]
    fn least(&self) -> Option<u64> {
        self.intervals().first().map(|first| first.lo)
    }

    #[inline]
    fn single(&self) -> Option<u64> {
        match self.intervals() {
            [item] if item.lo == item.hi => Some(item.lo),
            _ => None,
        }
    }

    fn size(&self) -> u128 {
        self.intervals().iter().map(|item| u128::from(item.hi - item.lo) + 1).sum()
    }

    fn each(&self, visit: &mut dyn FnMut(u64) -> bool) {
        for item in self.intervals() {
            for value in item.lo..=item.hi {
                if !visit(value) {
                    return;
                }
            }
        }
    }

    #[inline]
    fn meet(&self, other: &MultiInterval, aim: Aim) -> Image<MultiInterval> {
        let (a, b) = (self.intervals(), other.intervals());
        match (a, b) {
            ([a], _) => return other.clipped(a.lo, a.hi, aim),
            (_, [b]) => return self.clipped(b.lo, b.hi, aim),
            (_, _) => {}
        }
        let (mut i, mut j) = (0, 0);
        let mut pieces = Pieces::new(self.width);
        while i < a.len() && j < b.len() {
            let (lo, hi) = (a[i].lo.max(b[j].lo), a[i].hi.min(b[j].hi));
            if lo <= hi {
                pieces.push(lo, hi);
            }
            if a[i].hi < b[j].hi {
                i += 1;
            } else {
                j += 1;
            }
        }
        pieces.finish(aim)
    }

    #[inline]
    fn join(&self, other: &MultiInterval, aim: Aim) -> Image<MultiInterval> {
        let (a, b) = (self.intervals(), other.intervals());
        let (mut i, mut j) = (0, 0);
        let mut pieces = Pieces::new(self.width);
        while i < a.len() || j < b.len() {
            let first = j >= b.len() || i < a.len() && a[i].lo <= b[j].lo;
            let item = if first { a[i] } else { b[j] };
            *if first { &mut i } else { &mut j } += 1;
            pieces.push(item.lo, item.hi);
        }
        pieces.finish(aim)
    }

    fn complement(&self, aim: Aim) -> Image<MultiInterval> {
        let mut pieces = Pieces::new(self.width);
        let mut next = Some(0);
        for item in self.intervals() {
            if let Some(lo) = next.filter(|lo| *lo < item.lo) {
                pieces.push(lo, item.lo - 1);
            }
            next = (item.hi < mask(self.width)).then(|| item.hi + 1);
        }
        if let Some(lo) = next {
            pieces.push(lo, mask(self.width));
        }
        pieces.finish(aim)
    }

    fn forward(apply: &Apply, operands: &[&MultiInterval], aim: Aim) -> Option<Image<MultiInterval>> {
        reduce::forward(apply, operands, aim)
    }

    fn backward(
        apply: &Apply,
        result: &MultiInterval,
        position: usize,
        operands: &[&MultiInterval],
        aim: Aim,
    ) -> Option<Image<MultiInterval>> {
        reduce::backward(apply, result, position, operands, aim)
    }
}

impl Carrier for MultiInterval {
    #[inline]
    fn range(width: u32, lo: u64, hi: u64) -> MultiInterval {
        MultiInterval { width, list: List::one(Interval { lo, hi }) }
    }

    fn resized(&self, width: u32) -> MultiInterval {
        debug_assert!(self.greatest().is_none_or(|hi| hi <= mask(width)));
        MultiInterval { width, list: self.list.clone() }
    }

    #[inline]
    fn bounds(&self) -> (u64, u64) {
        match self.intervals() {
            [] => (0, 0),
            items => (items[0].lo, items[items.len() - 1].hi),
        }
    }

    #[inline]
    fn signed_bounds(&self) -> (u64, u64) {
        (self.least_signed().unwrap_or(0), self.greatest_signed().unwrap_or(0))
    }

    #[inline]
    fn clipped(&self, lo: u64, hi: u64, _: Aim) -> Image<MultiInterval> {
        let items = self.intervals();
        if let [item] = items {
            let (lo, hi) = (item.lo.max(lo), item.hi.min(hi));
            let empty = MultiInterval::empty(self.width);
            return Image::exact(if lo <= hi { MultiInterval::range(self.width, lo, hi) } else { empty });
        }
        let mut buffer = Buffer::new();
        for item in items.iter().filter(|item| item.hi >= lo && item.lo <= hi) {
            buffer.push(Interval { lo: item.lo.max(lo), hi: item.hi.min(hi) });
        }
        Image::exact(MultiInterval { width: self.width, list: buffer.list() })
    }

    fn without(&self, value: u64, aim: Aim) -> Image<MultiInterval> {
        let mut pieces = Pieces::new(self.width);
        for item in self.intervals() {
            if value < item.lo || value > item.hi {
                pieces.push(item.lo, item.hi);
                continue;
            }
            if item.lo < value {
                pieces.push(item.lo, value - 1);
            }
            if value < item.hi {
                pieces.push(value + 1, item.hi);
            }
        }
        pieces.finish(aim)
    }

    fn pieces(&self, mut visit: impl FnMut(Strided)) {
        for item in self.intervals() {
            visit(Strided { lo: item.lo, hi: item.hi, stride: u64::from(item.lo != item.hi) });
        }
    }

    #[inline]
    fn intersects(&self, other: &MultiInterval) -> bool {
        let (a, b) = (self.intervals(), other.intervals());
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            if a[i].lo.max(b[j].lo) <= a[i].hi.min(b[j].hi) {
                return true;
            }
            if a[i].hi < b[j].hi {
                i += 1;
            } else {
                j += 1;
            }
        }
        false
    }

    #[inline]
    fn sum(&self, other: &MultiInterval, aim: Aim) -> Image<MultiInterval> {
        let all = mask(self.width);
        self.pairs(other, aim, |a, b| {
            let span = (a.hi - a.lo).checked_add(b.hi - b.lo).filter(|span| *span < all)?;
            let lo = a.lo.wrapping_add(b.lo) & all;
            Some((lo, lo.wrapping_add(span) & all))
        })
    }

    #[inline]
    fn difference(&self, other: &MultiInterval, aim: Aim) -> Image<MultiInterval> {
        let all = mask(self.width);
        self.pairs(other, aim, |a, b| {
            let span = (a.hi - a.lo).checked_add(b.hi - b.lo).filter(|span| *span < all)?;
            let lo = a.lo.wrapping_sub(b.hi) & all;
            Some((lo, lo.wrapping_add(span) & all))
        })
    }

    fn scaled(&self, k: u64, aim: Aim) -> Image<MultiInterval> {
        let all = mask(self.width);
        let size = self.size();
        match k {
            0 => return Image::exact(MultiInterval::constant(self.width, 0)),
            1 => return Image::exact(self.clone()),
            k if k == all => return Image::exact(self.negated()),
            k if k & 1 == 1 && self.is_full() => return Image::exact(self.clone()),
            _ => {}
        }
        if size <= SCALED || aim == Aim::Below {
            return self.scaled_points(k, aim, size <= SCALED);
        }
        let (factor, set) = if k > all / 2 { (k.wrapping_neg() & all, self.negated()) } else { (k, self.clone()) };
        let mut pieces = Pieces::new(self.width);
        for item in set.intervals() {
            let span = u128::from(item.hi - item.lo) * u128::from(factor);
            if span >= u128::from(all) {
                return Image::missed(MultiInterval::full(self.width), aim);
            }
            let lo = item.lo.wrapping_mul(factor) & all;
            pieces.push_wrapped(lo, lo.wrapping_add(span as u64) & all);
        }
        Image::missed(pieces.finish(aim).set, aim)
    }

    fn quotient(&self, k: u64, aim: Aim) -> Image<MultiInterval> {
        let mut pieces = Pieces::new(self.width);
        for item in self.intervals() {
            pieces.push(item.lo / k, item.hi / k);
        }
        pieces.finish(aim)
    }

    fn remainder(&self, k: u64, aim: Aim) -> Image<MultiInterval> {
        let mut pieces = Pieces::new(self.width);
        for item in self.intervals() {
            let (lo, hi) = (item.lo % k, item.hi % k);
            if item.hi - item.lo >= k - 1 {
                return Image::exact(MultiInterval::range(self.width, 0, k - 1));
            }
            if lo <= hi {
                pieces.push(lo, hi);
            } else {
                pieces.push(lo, k - 1);
                pieces.push(0, hi);
            }
        }
        pieces.finish(aim)
    }

    fn unscaled(&self, k: u64, old: &MultiInterval, aim: Aim) -> Image<MultiInterval> {
        let all = mask(self.width);
        if k == 0 {
            return Image::exact(if self.contains(0) { old.clone() } else { MultiInterval::empty(self.width) });
        }
        let (factor, set) = if k > all / 2 { (k.wrapping_neg() & all, self.negated()) } else { (k, self.clone()) };
        set.unscaled_by_visits(factor, old, aim).or_else(|| self.unscaled_by_points(k, old, aim)).unwrap_or_else(|| {
            match aim {
                Aim::Above => Image::missed(old.clone(), aim),
                Aim::Below => Image::missed(MultiInterval::empty(self.width), aim),
            }
        })
    }

    fn unquotient(&self, k: u64, old: &MultiInterval, aim: Aim) -> Image<MultiInterval> {
        let all = mask(self.width);
        let mut pieces = Pieces::new(self.width);
        for item in self.intervals() {
            let Some(lo) = item.lo.checked_mul(k).filter(|lo| *lo <= all) else { break };
            let hi = item.hi.checked_mul(k).and_then(|hi| hi.checked_add(k - 1));
            pieces.push(lo, hi.unwrap_or(all).min(all));
        }
        pieces.finish(aim).then(|set| set.meet(old, aim))
    }

    fn unremainder(&self, k: u64, old: &MultiInterval, aim: Aim) -> Image<MultiInterval> {
        let all = mask(self.width);
        let rest = self.meet(&MultiInterval::range(self.width, 0, k - 1), aim);
        let (min, max) = old.bounds();
        let items = rest.set.intervals();
        match items {
            [] => return Image { set: MultiInterval::empty(self.width), precision: rest.precision },
            [item] if item.lo == 0 && item.hi == k - 1 => {
                return Image { set: old.clone(), precision: rest.precision };
            }
            _ => {}
        }
        let rounds = u128::from(max / k) - u128::from(min / k) + 1;
        let few = rounds * items.len() as u128 <= VISITS;
        if !few && aim == Aim::Above {
            return Image::missed(old.clone(), aim);
        }
        let mut pieces = Pieces::new(self.width);
        for round in min / k..=max / k {
            for item in items {
                let Some(lo) = (round * k).checked_add(item.lo).filter(|lo| *lo <= all) else { continue };
                pieces.push(lo, (round * k).checked_add(item.hi).unwrap_or(all).min(all));
            }
            if pieces.len() as u128 > VISITS {
                break;
            }
        }
        let image = pieces.finish(aim).then(|set| set.meet(old, aim));
        Image { precision: rest.precision.then(Precision::exact_if(few, aim)).then(image.precision), set: image.set }
    }

    fn cover(&self, blocks: &mut Blocks) -> bool {
        let mut exact = true;
        self.pieces(|piece| exact = exact && cut(self.width, &piece, blocks));
        exact
    }

    fn of_bits(width: u32, bits: &[KnownBits], aim: Aim) -> Image<MultiInterval> {
        let mut pieces = Pieces::new(width);
        let mut exact = true;
        for bits in bits.iter().filter(|bits| !bits.is_empty()) {
            let free = bits.unknown();
            let run = free.trailing_ones();
            let low = mask(run);
            let rest = free & !low;
            if pieces.len() + (1usize << rest.count_ones().min(20)) <= LIMIT {
                parts(bits.ones(), rest, |lo| pieces.push(lo, lo | low));
                continue;
            }
            exact = false;
            match aim {
                Aim::Above => pieces.push(bits.ones(), bits.greatest()),
                Aim::Below => pieces.push(bits.ones(), bits.ones() | low),
            }
        }
        let image = pieces.finish(aim);
        Image { precision: Precision::exact_if(exact, aim).then(image.precision), set: image.set }
    }
}
