//! Sets of strided intervals as a carrier of arithmetic (`reduce`).

use super::steps::{add_quotient, add_remainder, add_scaled, add_sum, add_unquotient, add_unremainder, add_unscaled};
use super::{CUTS, INLINE, Members, Strided, StridedSet, gcd};
use crate::blocks::{Blocks, cut, parts};
use crate::domain::{Aim, Domain, Image, Precision};
use crate::known_bits::KnownBits;
use crate::list::Buffer;
use crate::reduce::Carrier;
use crate::word::mask;

impl Carrier for StridedSet {
    #[inline]
    fn range(width: u32, lo: u64, hi: u64) -> StridedSet {
        StridedSet::one(width, Strided { lo, hi, stride: u64::from(lo != hi) })
    }

    /// Members that wrap are cut: they would not wrap in the other width.
    fn resized(&self, width: u32) -> StridedSet {
        if width == self.width {
            return self.clone();
        }
        let mut buffer = Buffer::<Strided, INLINE>::new();
        self.pieces(|piece| buffer.push(piece));
        StridedSet { width, list: buffer.list() }
    }

    #[inline]
    fn bounds(&self) -> (u64, u64) {
        let (mut lo, mut hi) = (u64::MAX, 0);
        self.pieces(|piece| {
            lo = lo.min(piece.lo);
            hi = hi.max(piece.hi);
        });
        if self.is_empty() { (0, 0) } else { (lo, hi) }
    }

    #[inline]
    fn clipped(&self, lo: u64, hi: u64, aim: Aim) -> Image<StridedSet> {
        let mut result = Members::new(self.width);
        self.pieces(|piece| piece.clip(lo, hi).iter().for_each(|part| result.push(*part)));
        result.finish(aim)
    }

    #[inline]
    fn signed_bounds(&self) -> (u64, u64) {
        let sign = 1u64 << (self.width - 1);
        let (mut lo, mut hi) = (u64::MAX, 0);
        self.pieces(|piece| {
            for half in [piece.clip(0, sign - 1), piece.clip(sign, u64::MAX)].into_iter().flatten() {
                lo = lo.min(half.lo ^ sign);
                hi = hi.max(half.hi ^ sign);
            }
        });
        if self.is_empty() { (0, 0) } else { (lo ^ sign, hi ^ sign) }
    }

    #[inline]
    fn pieces(&self, mut visit: impl FnMut(Strided)) {
        for member in self.members() {
            let (first, second) = member.halves(self.width);
            visit(first);
            second.into_iter().for_each(&mut visit);
        }
    }

    #[inline]
    fn intersects(&self, other: &StridedSet) -> bool {
        let mut found = false;
        self.pieces(|a| other.pieces(|b| found = found || a.meet(&b).is_some()));
        found
    }

    #[inline]
    fn sum(&self, other: &StridedSet, aim: Aim) -> Image<StridedSet> {
        if let ([a], Some(by)) = (self.members(), other.single()) {
            return Image::exact(StridedSet::one(self.width, a.moved(self.width, by)));
        }
        self.pairs(other, aim, |a, b, result| add_sum(self.width, aim, a, b, result))
    }

    #[inline]
    fn difference(&self, other: &StridedSet, aim: Aim) -> Image<StridedSet> {
        self.sum(&other.negated(), aim)
    }

    fn scaled(&self, k: u64, aim: Aim) -> Image<StridedSet> {
        let all = mask(self.width);
        match k {
            0 => return Image::exact(StridedSet::constant(self.width, 0)),
            1 => return Image::exact(self.clone()),
            _ => {}
        }
        let turned = k > all / 2 + 1;
        let (factor, set) = if turned { (k.wrapping_neg() & all, self.negated()) } else { (k, self.clone()) };
        let mut result = Members::new(self.width);
        let mut exact = true;
        for member in set.members() {
            exact &= add_scaled(self.width, aim, member, factor, &mut result);
        }
        let image = result.finish(aim);
        Image { precision: Precision::exact_if(exact, aim).then(image.precision), set: image.set }
    }

    fn quotient(&self, k: u64, aim: Aim) -> Image<StridedSet> {
        self.map(aim, |piece, result| add_quotient(self.width, aim, piece, k, result))
    }

    fn remainder(&self, k: u64, aim: Aim) -> Image<StridedSet> {
        self.map(aim, |piece, result| add_remainder(self.width, aim, piece, k, result))
    }

    fn unscaled(&self, k: u64, old: &StridedSet, aim: Aim) -> Image<StridedSet> {
        let all = mask(self.width);
        if k == 0 {
            return Image::exact(if self.contains(0) { old.clone() } else { StridedSet::empty(self.width) });
        }
        if self.single().is_some() {
            return self.unscaled_by_points(k, old, aim);
        }
        let turned = k > all / 2 + 1;
        let (factor, set) = if turned { (k.wrapping_neg() & all, self.negated()) } else { (k, self.clone()) };
        let image = set.back(old, aim, |x, r, result| add_unscaled(self.width, x, factor, r, result));
        if image.is_exact() || self.values() > CUTS {
            return image;
        }
        self.unscaled_by_points(k, old, aim)
    }

    fn unquotient(&self, k: u64, old: &StridedSet, aim: Aim) -> Image<StridedSet> {
        self.back(old, aim, |x, r, result| add_unquotient(self.width, x, k, r, result))
    }

    fn unremainder(&self, k: u64, old: &StridedSet, aim: Aim) -> Image<StridedSet> {
        let rest = self.meet(&StridedSet::range(self.width, 0, k - 1), aim);
        rest.then(|rest| rest.back(old, aim, |x, r, result| add_unremainder(self.width, x, k, r, result)))
    }

    fn cover(&self, blocks: &mut Blocks) -> bool {
        let mut exact = true;
        self.pieces(|piece| exact = exact && cut(self.width, &piece, blocks));
        exact
    }

    fn of_bits(width: u32, bits: &[KnownBits], aim: Aim) -> Image<StridedSet> {
        let mut result = Members::new(width);
        let mut exact = true;
        for bits in bits.iter().filter(|bits| !bits.is_empty()) {
            let free = bits.unknown();
            let (at, length) = longest_run(free);
            let run = mask(length) << at;
            let stride = if run == 0 { 0 } else { 1 << at };
            let rest = free & !run;
            if rest.count_ones() <= 4 {
                parts(bits.ones(), rest, |lo| result.push(Strided { lo, hi: lo | run, stride }));
                continue;
            }
            exact = false;
            match aim {
                Aim::Above => {
                    let stride = 1 << free.trailing_zeros();
                    result.push(Strided { lo: bits.ones(), hi: bits.greatest(), stride });
                }
                Aim::Below => result.push(Strided { lo: bits.ones(), hi: bits.ones() | run, stride }),
            }
        }
        let image = result.finish(aim);
        Image { precision: Precision::exact_if(exact, aim).then(image.precision), set: image.set }
    }

    fn product_above(&self, other: &StridedSet) -> StridedSet {
        let (a, b) = (StridedSet::around(self.width, self.members()), StridedSet::around(self.width, other.members()));
        let (a, b) = (a.members()[0], b.members()[0]);
        let lo = a.lo.wrapping_mul(b.lo) & mask(self.width);
        let parts = [(a.stride, b.lo), (b.stride, a.lo), (a.stride, b.stride)];
        let parts = parts.map(|(x, y)| u128::from(x) * u128::from(y));
        let stride = parts.iter().fold(0, |all, part| gcd(all, *part));
        match a.hi.checked_mul(b.hi).filter(|hi| *hi <= mask(self.width)) {
            Some(hi) => StridedSet::one(self.width, Strided::new(self.width, lo, hi, stride as u64)),
            None => StridedSet::one(self.width, Strided::class(self.width, lo, 1 << stride.trailing_zeros().min(127))),
        }
    }
}

/// The longest run of ones: where it begins and how long it is.
fn longest_run(bits: u64) -> (u32, u32) {
    let (mut best, mut rest, mut at) = ((0, 0), bits, 0);
    while rest != 0 {
        let zeros = rest.trailing_zeros();
        at += zeros;
        rest >>= zeros;
        let ones = rest.trailing_ones();
        if ones > best.1 {
            best = (at, ones);
        }
        at += ones;
        rest = rest.checked_shr(ones).unwrap_or(0);
    }
    best
}
