//! Wrapped strided intervals and sets of them (ASE, section IV).
//!
//! A member is a, a + s, a + 2s, ... b, once round the circle at most, with a stride of its own: a common stride, as in the paper, falls to one as soon as
//! two members differ. Sums and products are formed on the circle; everything that depends on order cuts members where they wrap, since the residue
//! modulo s changes there when s does not divide 2^w.
//!
//! Where the paper's formulas hold only under conditions, these are checked:
//! a sum is exact if its span does not overflow (4) and one stride divides the other without leaving holes (5), and is a residue class if it
//! overflows, (5) holds and the stride divides 2^w; a quotient keeps a stride only if k divides it, or it is less than k; a remainder is
//! a residue class only if the member goes through all of them. Preimages of products, quotients and remainders, and meets, are one linear
//! congruence over a range (`solve`), in twice the width.
//!
//! Rejected: keeping members disjoint. Their number, not their overlap, is what costs; `size` is an upper bound therefore.

mod carrier;
mod steps;

use crate::domain::{Aim, Apply, Domain, Image, Precision};
use crate::list::{Buffer, List};
use crate::reduce::{self, Carrier};
use crate::word::{inverse_of, mask};
use std::fmt;

/// Members kept in the set itself.
const INLINE: usize = 2;

/// Members of a set at most.
pub(crate) const LIMIT: usize = 24;

/// Pairs of members that are looked at, at most.
const PAIRS: usize = 144;

/// Pieces that one member is cut into, at most.
const CUTS: u128 = 16;

/// The values `lo`, `lo + stride`, ... up to `hi`, which is the last one. With `hi < lo` they wrap. The stride is zero iff there is one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strided {
    /// The first value.
    pub lo: u64,
    /// The last value.
    pub hi: u64,
    /// The distance of neighbours.
    pub stride: u64,
}

impl Strided {
    /// `lo`, `lo + stride`, ... up to `hi` or the last one before.
    pub fn new(width: u32, lo: u64, hi: u64, stride: u64) -> Strided {
        let span = hi.wrapping_sub(lo) & mask(width);
        match span.checked_div(stride) {
            Some(steps) if steps > 0 => Strided { lo, hi: lo.wrapping_add(steps * stride) & mask(width), stride },
            Some(_) | None => Strided { lo, hi: lo, stride: 0 },
        }
    }

    /// All values with these last bits; `step` is a power of two.
    fn class(width: u32, residue: u64, step: u128) -> Strided {
        if step > u128::from(mask(width)) {
            return Strided { lo: residue & mask(width), hi: residue & mask(width), stride: 0 };
        }
        let step = step as u64;
        let lo = residue & (step - 1);
        Strided { lo, hi: mask(width) & !(step - 1) | lo, stride: step }
    }

    /// Every value plus `by`.
    #[inline]
    fn moved(&self, width: u32, by: u64) -> Strided {
        let all = mask(width);
        Strided { lo: self.lo.wrapping_add(by) & all, hi: self.hi.wrapping_add(by) & all, stride: self.stride }
    }

    #[inline]
    fn span(&self, width: u32) -> u64 {
        self.hi.wrapping_sub(self.lo) & mask(width)
    }

    /// The index of the last value.
    #[inline]
    fn steps(&self, width: u32) -> u64 {
        if self.stride <= 1 { self.span(width) } else { self.span(width) / self.stride }
    }

    /// How far on from the first value, if it is one of them.
    #[inline]
    fn offset(&self, width: u32, value: u64) -> Option<u64> {
        let offset = value.wrapping_sub(self.lo) & mask(width);
        let inside = offset <= self.span(width) && (self.stride <= 1 || offset.is_multiple_of(self.stride));
        inside.then_some(offset)
    }

    /// Is every value of `other` one of this?
    fn includes(&self, width: u32, other: &Strided) -> bool {
        let Some(first) = self.offset(width, other.lo) else { return false };
        let fits = other.span(width) <= self.span(width) - first;
        fits && (other.stride == 0 || other.stride.is_multiple_of(self.stride.max(1)))
    }

    /// Both as one, if `other` goes on where this one is or ends, in the same steps.
    fn continued(&self, width: u32, other: &Strided) -> Option<Strided> {
        let stride = match (self.stride, other.stride) {
            (0, 0) => 1,
            (0, s) | (s, 0) => s,
            (a, b) if a == b => a,
            (_, _) => return None,
        };
        let offset = other.lo.wrapping_sub(self.lo) & mask(width);
        let reach = self.span(width).checked_add(stride)?;
        if offset > reach || stride > 1 && !offset.is_multiple_of(stride) {
            return None;
        }
        let span = offset.checked_add(other.span(width)).filter(|span| *span <= mask(width))?;
        let span = span.max(self.span(width));
        Some(Strided { lo: self.lo, hi: self.lo.wrapping_add(span) & mask(width), stride })
    }

    /// The part before the end of the circle and the part after it.
    #[inline]
    fn halves(&self, width: u32) -> (Strided, Option<Strided>) {
        if self.lo <= self.hi {
            return (*self, None);
        }
        let before = (mask(width) - self.lo) / self.stride * self.stride;
        let first = Strided::new(width, self.lo, self.lo + before, self.stride);
        let next = first.hi.wrapping_add(self.stride) & mask(width);
        (first, Some(Strided::new(width, next, self.hi, self.stride)))
    }

    /// Of a member that does not wrap, the part from `lo` to `hi`.
    #[inline]
    fn clip(&self, lo: u64, hi: u64) -> Option<Strided> {
        if self.hi < lo || self.lo > hi {
            return None;
        }
        let s = self.stride.max(1);
        let first = if lo <= self.lo { self.lo } else { self.lo.checked_add((lo - self.lo).div_ceil(s) * s)? };
        let last = if hi >= self.hi { self.hi } else { self.lo + (hi - self.lo) / s * s };
        (first <= last).then_some(Strided { lo: first, hi: last, stride: if first == last { 0 } else { self.stride } })
    }

    /// Of members that do not wrap, what is in both.
    #[inline]
    fn meet(&self, other: &Strided) -> Option<Strided> {
        if other.stride <= 1 {
            return self.clip(other.lo, other.hi);
        }
        if self.stride <= 1 {
            return other.clip(self.lo, self.hi);
        }
        let steps = (self.hi - self.lo) / self.stride;
        let found = solve(i128::from(self.lo), i128::from(self.stride), steps, other)?;
        Some(self.at(&found))
    }

    /// The values at these indices.
    fn at(&self, indices: &Strided) -> Strided {
        let lo = self.lo + indices.lo * self.stride;
        let hi = self.lo + indices.hi * self.stride;
        Strided { lo, hi, stride: if lo == hi { 0 } else { indices.stride * self.stride } }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The inverse of `a` modulo `m`, to which it is coprime.
fn inverse_modulo(a: u128, m: u128) -> u128 {
    let (mut old, mut new) = ((a as i128, 1i128), (m as i128, 0i128));
    while new.0 != 0 {
        let q = old.0 / new.0;
        (old, new) = (new, (old.0 - q * new.0, old.1 - q * new.1));
    }
    old.1.rem_euclid(m as i128) as u128
}

/// The indices i from 0 to `steps` with `base + i * step` in `piece`, which does not wrap: a progression. Whole numbers, no modulus.
fn solve(base: i128, step: i128, steps: u64, piece: &Strided) -> Option<Strided> {
    let (lo, hi) = (i128::from(piece.lo), i128::from(piece.hi));
    if step == 0 {
        let inside = lo <= base && base <= hi && (piece.stride <= 1 || (base - lo) % i128::from(piece.stride) == 0);
        return inside.then_some(Strided { lo: 0, hi: 0, stride: 0 });
    }
    let first = (-(base - lo).div_euclid(step)).max(0);
    let last = (hi - base).div_euclid(step).min(i128::from(steps));
    if first > last {
        return None;
    }
    let (first, last) = (first as u64, last as u64);
    if piece.stride <= 1 {
        return Some(Strided::new(64, first, last, 1));
    }
    let modulus = u128::from(piece.stride);
    let factor = step.rem_euclid(modulus as i128) as u128;
    let wanted = (lo - base).rem_euclid(modulus as i128) as u128;
    let common = gcd(factor, modulus);
    if !wanted.is_multiple_of(common) {
        return None;
    }
    let period = modulus / common;
    let index = wanted / common * inverse_modulo(factor / common, period) % period;
    let ahead = (index + period - u128::from(first) % period) % period;
    let first = u128::from(first) + ahead;
    (first <= u128::from(last)).then(|| Strided::new(64, first as u64, last, period as u64))
}

/// A set of bit-vectors as strided members.
#[derive(Clone)]
pub struct StridedSet {
    width: u32,
    list: List<Strided, INLINE>,
}

/// Members that become a set, joined where they can be.
struct Members {
    width: u32,
    buffer: Buffer<Strided, INLINE>,
}

impl Members {
    #[inline]
    fn new(width: u32) -> Members {
        Members { width, buffer: Buffer::new() }
    }

    #[inline]
    fn push(&mut self, member: Strided) {
        for known in self.buffer.slice_mut() {
            if known.includes(self.width, &member) {
                return;
            }
            if member.includes(self.width, known) {
                *known = member;
                return;
            }
            let joined = known.continued(self.width, &member).or_else(|| member.continued(self.width, known));
            if let Some(joined) = joined {
                *known = joined;
                return;
            }
        }
        self.buffer.push(member);
    }

    #[inline]
    fn finish(self, aim: Aim) -> Image<StridedSet> {
        if self.buffer.len() <= LIMIT {
            return Image::exact(StridedSet { width: self.width, list: self.buffer.list() });
        }
        let members = self.buffer.slice();
        let set = StridedSet { width: self.width, list: List::of(&members[..members.len().min(LIMIT)]) };
        match aim {
            Aim::Above => Image::missed(StridedSet::around(self.width, members), aim),
            Aim::Below => Image::missed(set, aim),
        }
    }

    fn full(&self) -> bool {
        self.buffer.len() > 4 * LIMIT
    }
}

impl StridedSet {
    /// Its members; they may overlap.
    #[inline]
    pub fn members(&self) -> &[Strided] {
        self.list.slice()
    }

    /// One member.
    #[inline]
    pub fn one(width: u32, member: Strided) -> StridedSet {
        StridedSet { width, list: List::one(member) }
    }

    /// Several members.
    pub fn of_members(width: u32, members: &[Strided], aim: Aim) -> Image<StridedSet> {
        let mut result = Members::new(width);
        for member in members {
            result.push(*member);
        }
        result.finish(aim)
    }

    /// One member that does not wrap around all of these.
    fn around(width: u32, members: &[Strided]) -> StridedSet {
        let (mut lo, mut hi, mut stride) = (u64::MAX, 0, 0u128);
        let mut visit = |piece: &Strided| {
            lo = lo.min(piece.lo);
            hi = hi.max(piece.hi);
            stride = gcd(stride, u128::from(piece.stride));
        };
        for member in members {
            let (first, second) = member.halves(width);
            visit(&first);
            second.iter().for_each(&mut visit);
        }
        for member in members {
            let (first, second) = member.halves(width);
            stride = gcd(stride, u128::from(first.lo - lo));
            stride = second.map_or(stride, |second| gcd(stride, u128::from(second.lo - lo)));
        }
        StridedSet::one(width, Strided::new(width, lo, hi, stride as u64))
    }

    /// At most twelve members.
    fn coarse(&self, aim: Aim) -> StridedSet {
        let members = self.members();
        match aim {
            Aim::Above => StridedSet::around(self.width, members),
            Aim::Below => StridedSet { width: self.width, list: List::of(&members[..members.len().min(12)]) },
        }
    }

    /// The union of what `pair` adds for all pairs of members; it says whether that was exact.
    #[inline]
    fn pairs(
        &self,
        other: &StridedSet,
        aim: Aim,
        mut pair: impl FnMut(&Strided, &Strided, &mut Members) -> bool,
    ) -> Image<StridedSet> {
        let mut result = Members::new(self.width);
        let mut exact = true;
        let few = self.members().len() * other.members().len() <= PAIRS;
        let coarse = (!few).then(|| (self.coarse(aim), other.coarse(aim)));
        let (a, b) = coarse.as_ref().map_or((self, other), |(a, b)| (a, b));
        for x in a.members() {
            for y in b.members() {
                exact &= pair(x, y, &mut result);
            }
        }
        let image = result.finish(aim);
        Image { precision: Precision::exact_if(exact && few, aim).then(image.precision), set: image.set }
    }

    /// The union of what `step` adds for all pieces that do not wrap; it says whether that was exact.
    #[inline]
    fn map(&self, aim: Aim, mut step: impl FnMut(&Strided, &mut Members) -> bool) -> Image<StridedSet> {
        let mut result = Members::new(self.width);
        let mut exact = true;
        self.pieces(|piece| exact &= step(&piece, &mut result));
        let image = result.finish(aim);
        Image { precision: Precision::exact_if(exact, aim).then(image.precision), set: image.set }
    }

    /// Preimages: for each piece of `old` and each piece of this set, the union of what `step` adds.
    fn back(
        &self,
        old: &StridedSet,
        aim: Aim,
        step: impl Fn(&Strided, &Strided, &mut Members) -> bool,
    ) -> Image<StridedSet> {
        let mut result = Members::new(self.width);
        let mut exact = true;
        old.pieces(|x| {
            self.pieces(|r| {
                // Too much to look at is not exact either way; the rest is covered by all of `old`, or left out.
                exact &= !result.full() && step(&x, &r, &mut result);
            });
        });
        match (exact, aim) {
            (true, _) => result.finish(aim),
            (false, Aim::Above) => Image::missed(old.clone(), aim),
            (false, Aim::Below) => Image::missed(result.finish(aim).set, aim),
        }
    }

    fn values(&self) -> u128 {
        self.size()
    }

    fn negated(&self) -> StridedSet {
        let all = mask(self.width);
        let flip =
            |m: &Strided| Strided { lo: m.hi.wrapping_neg() & all, hi: m.lo.wrapping_neg() & all, stride: m.stride };
        let mut buffer = Buffer::<Strided, INLINE>::new();
        self.members().iter().for_each(|member| buffer.push(flip(member)));
        StridedSet { width: self.width, list: buffer.list() }
    }

    /// What times `k` lies in this set, by one congruence for each of its values: a residue class each.
    fn unscaled_by_points(&self, k: u64, old: &StridedSet, aim: Aim) -> Image<StridedSet> {
        let shift = k.trailing_zeros();
        let inverse = inverse_of(k >> shift);
        let mut result = Members::new(self.width);
        self.each(&mut |value| {
            if value == 0 || value.trailing_zeros() >= shift {
                let step = 1u128 << (self.width - shift);
                result.push(Strided::class(self.width, (value >> shift).wrapping_mul(inverse), step));
            }
            true
        });
        result.finish(aim).then(|set| set.meet(old, aim))
    }
}

impl PartialEq for StridedSet {
    fn eq(&self, other: &StridedSet) -> bool {
        self.width == other.width && self.members() == other.members()
    }
}

impl fmt::Debug for StridedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<_> = self.members().iter().map(|m| (m.lo, m.hi, m.stride)).collect();
        write!(f, "{items:?}u{}", self.width)
    }
}

impl Domain for StridedSet {
    const NAME: &'static str = "strided set";
    const WIDEST: u32 = 64;

    fn empty(width: u32) -> StridedSet {
        StridedSet { width, list: List::new() }
    }

    #[inline]
    fn full(width: u32) -> StridedSet {
        StridedSet::one(width, Strided { lo: 0, hi: mask(width), stride: 1 })
    }

    #[inline]
    fn constant(width: u32, value: u64) -> StridedSet {
        StridedSet::one(width, Strided { lo: value, hi: value, stride: 0 })
    }

    fn of_points(width: u32, points: &[u64], aim: Aim) -> Image<StridedSet> {
        let mut result = Members::new(width);
        let mut rest = points;
        while let [first, ..] = rest {
            let stride = rest.get(1).map_or(0, |second| second - first);
            let run = 1 + rest.windows(2).take_while(|pair| pair[1] - pair[0] == stride).count();
            let taken = if run == 2 && rest.len() > 2 { 1 } else { run };
            result.push(Strided::new(width, *first, rest[taken - 1], stride));
            rest = &rest[taken..];
            // Members never become fewer: it will be one around all of them, and each would be compared with all before it.
            if result.buffer.len() > LIMIT {
                break;
            }
        }
        if let ([first, .., last], [_, ..], Aim::Above) = (points, rest, aim) {
            let stride = points.iter().fold(0, |stride, point| gcd(stride, u128::from(point - first)));
            return Image::missed(StridedSet::one(width, Strided::new(width, *first, *last, stride as u64)), aim);
        }
        result.finish(aim)
    }

    #[inline]
    fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.members().is_empty()
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.members().iter().any(|member| member.stride == 1 && member.span(self.width) == mask(self.width))
    }

    fn contains(&self, value: u64) -> bool {
        value <= mask(self.width) && self.members().iter().any(|member| member.offset(self.width, value).is_some())
    }

    fn least(&self) -> Option<u64> {
        (!self.is_empty()).then(|| self.bounds().0)
    }

    #[inline]
    fn single(&self) -> Option<u64> {
        match self.members() {
            [member] if member.stride == 0 => Some(member.lo),
            _ => None,
        }
    }

    fn size(&self) -> u128 {
        self.members().iter().map(|member| u128::from(member.steps(self.width)) + 1).sum()
    }

    fn each(&self, visit: &mut dyn FnMut(u64) -> bool) {
        for member in self.members() {
            let mut value = member.lo;
            for _ in 0..=member.steps(self.width) {
                if !visit(value) {
                    return;
                }
                value = value.wrapping_add(member.stride) & mask(self.width);
            }
        }
    }

    #[inline]
    fn meet(&self, other: &StridedSet, aim: Aim) -> Image<StridedSet> {
        if self.is_full() || other.is_full() {
            return Image::exact(if self.is_full() { other.clone() } else { self.clone() });
        }
        let width = self.width;
        if let ([a], [b]) = (self.members(), other.members())
            && a.lo <= a.hi
            && b.lo <= b.hi
        {
            return Image::exact(a.meet(b).map_or(StridedSet::empty(width), |met| StridedSet::one(width, met)));
        }
        self.pairs(other, aim, |a, b, result| {
            let ((a, a2), (b, b2)) = (a.halves(width), b.halves(width));
            for a in [Some(a), a2].into_iter().flatten() {
                for b in [Some(b), b2].into_iter().flatten() {
                    a.meet(&b).iter().for_each(|met| result.push(*met));
                }
            }
            true
        })
    }

    fn join(&self, other: &StridedSet, aim: Aim) -> Image<StridedSet> {
        let mut result = Members::new(self.width);
        for member in self.members().iter().chain(other.members()) {
            result.push(*member);
        }
        result.finish(aim)
    }

    fn complement(&self, aim: Aim) -> Image<StridedSet> {
        let (width, all) = (self.width, mask(self.width));
        let mut rest = Image::exact(StridedSet::full(width));
        for member in self.members() {
            let mut outside = Members::new(width);
            let mut exact = true;
            if member.span(width) < all {
                let (lo, hi) = (member.hi.wrapping_add(1) & all, member.lo.wrapping_sub(1) & all);
                outside.push(Strided::new(width, lo, hi, 1));
            }
            match (member.stride, aim) {
                (0 | 1, _) => {}
                (stride, _) if stride <= 8 => {
                    for i in 1..stride {
                        let (lo, hi) = (member.lo.wrapping_add(i) & all, member.hi.wrapping_sub(stride - i) & all);
                        outside.push(Strided::new(width, lo, hi, stride));
                    }
                }
                (_, Aim::Above) => continue,
                (_, Aim::Below) => exact = false,
            }
            let outside = outside.finish(aim);
            let precision = Precision::exact_if(exact, aim).then(outside.precision);
            rest = rest.then(|set| {
                let met = set.meet(&outside.set, aim);
                Image { precision: precision.then(met.precision), set: met.set }
            });
        }
        let skipped = aim == Aim::Above && self.members().iter().any(|member| member.stride > 8);
        Image { precision: Precision::exact_if(!skipped, aim).then(rest.precision), set: rest.set }
    }

    fn forward(apply: &Apply, operands: &[&StridedSet], aim: Aim) -> Option<Image<StridedSet>> {
        reduce::forward(apply, operands, aim)
    }

    fn backward(
        apply: &Apply,
        result: &StridedSet,
        position: usize,
        operands: &[&StridedSet],
        aim: Aim,
    ) -> Option<Image<StridedSet>> {
        reduce::backward(apply, result, position, operands, aim)
    }
}
