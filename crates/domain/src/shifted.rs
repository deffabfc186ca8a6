//! Multi-intervals times a power of two: PARTI's left-shift attribute (section 3.4.7).
//!
//! `x * 8` with x in a range is not a union of few intervals, but it is one interval with an attribute, and that is what the address of an element of an
//! array looks like. The set keeps what stands above the zeros, in a width that is smaller by the shift: so a product
//! that overflows wraps in that width, as it must (x in [200, 210] times 2 in 8 bits is reduced modulo 2^7 first).
//!
//! Operators that can keep the attribute do; for the others the set is written out, up to a few points, or bounded. Backward transfer
//! works on sets without the attribute, as in the paper: learning never makes one.
//!
//! Invariant: the shift is less than the width; a set without values, or with one, has none.

use crate::domain::{Aim, Apply, Domain, Image, Precision};
use crate::multi_interval::MultiInterval;
use crate::reduce::Carrier;
use crate::word::mask;
use strata_term::Op;

/// A set of bit-vectors whose last bits are zeros.
#[derive(Clone, Debug, PartialEq)]
pub struct Shifted {
    base: MultiInterval,
    shift: u32,
}

impl From<MultiInterval> for Shifted {
    fn from(base: MultiInterval) -> Shifted {
        Shifted { base, shift: 0 }
    }
}

impl Shifted {
    /// The values of `base` above `shift` zeros.
    pub fn new(base: MultiInterval, shift: u32) -> Shifted {
        if shift == 0 {
            return Shifted { base, shift };
        }
        let width = base.width() + shift;
        match base.single() {
            Some(value) => Shifted::constant(width, value << shift),
            None if base.is_empty() => Shifted::empty(width),
            None => Shifted { base, shift },
        }
    }

    /// What stands above the zeros.
    pub fn base(&self) -> &MultiInterval {
        &self.base
    }

    /// The number of zeros.
    pub fn shift(&self) -> u32 {
        self.shift
    }

    /// Without the attribute: as points if they are few, else on the side of `aim`.
    pub fn lowered(&self, aim: Aim) -> Image<MultiInterval> {
        self.lowered_to(0, aim).map(|set| set.base)
    }

    /// With a smaller shift.
    fn lowered_to(&self, shift: u32, aim: Aim) -> Image<Shifted> {
        if shift >= self.shift || self.base.is_empty() {
            return Image::exact(self.clone());
        }
        let wide = self.base.resized(self.width() - shift);
        wide.scaled(1 << (self.shift - shift), aim).map(|base| Shifted { base, shift })
    }

    /// Those values that are multiples of 2^shift, with that shift.
    fn raised_to(&self, shift: u32) -> Shifted {
        if shift <= self.shift || self.base.is_empty() {
            return self.clone();
        }
        let by = shift - self.shift;
        let all = MultiInterval::range(self.base.width(), 0, mask(self.base.width()) >> by);
        let base = self.base.unscaled(1 << by, &all, Aim::Above).set.resized(self.width() - shift);
        Shifted { base, shift }
    }

    /// Both with one shift: the greater one if no value is lost by that.
    fn aligned(&self, other: &Shifted, aim: Aim) -> Image<(MultiInterval, MultiInterval, u32)> {
        let (low, high) = (self.shift.min(other.shift), self.shift.max(other.shift));
        let fits = |set: &Shifted| set.shift == high || set.single().is_some_and(|one| one.trailing_zeros() >= high);
        if fits(self) && fits(other) {
            return Image::exact((self.raised_to(high).base, other.raised_to(high).base, high));
        }
        let (a, b) = (self.lowered_to(low, aim), other.lowered_to(low, aim));
        Image { precision: a.precision.then(b.precision), set: (a.set.base, b.set.base, low) }
    }

    fn bounds(&self) -> (u64, u64) {
        let (lo, hi) = self.base.bounds();
        (lo << self.shift, hi << self.shift)
    }

    fn signed_bounds(&self) -> (u64, u64) {
        let (lo, hi) = self.base.signed_bounds();
        (lo << self.shift, hi << self.shift)
    }

    /// Times 2^by, in the same width.
    fn up(&self, by: u32) -> Image<Shifted> {
        let (width, shift) = (self.width(), self.shift + by);
        if by == 0 {
            return Image::exact(self.clone());
        }
        if shift >= width {
            return Image::exact(Shifted::constant(width, 0));
        }
        let rest = self.base.remainder(1 << (width - shift), Aim::Above).set.resized(width - shift);
        Image::exact(Shifted::new(rest, shift))
    }

    /// Times `k`: the odd part first, then the shift.
    fn times(&self, k: u64, aim: Aim) -> Image<Shifted> {
        if k == 0 {
            return Image::exact(Shifted::constant(self.width(), 0));
        }
        let by = k.trailing_zeros();
        let odd = (k >> by) & mask(self.base.width());
        let base = self.base.scaled(odd, aim).map(|base| Shifted::new(base, self.shift));
        base.then(|set| set.up(by))
    }

    /// Divided by 2^by.
    fn down(&self, by: u32, aim: Aim) -> Image<Shifted> {
        let width = self.width();
        if by <= self.shift {
            let shift = self.shift - by;
            return Image::exact(Shifted::new(self.base.resized(width - shift), shift));
        }
        self.base.quotient(1 << (by - self.shift), aim).map(|base| Shifted::from(base.resized(width)))
    }

    fn extracted(&self, low: u32, width: u32, aim: Aim) -> Option<Image<Shifted>> {
        if low + width <= self.shift {
            return Some(Image::exact(Shifted::constant(width, 0)));
        }
        let kept = self.shift.saturating_sub(low);
        let apply = Apply { op: Op::Extract, width: width - kept, low: low.saturating_sub(self.shift) };
        Some(MultiInterval::forward(&apply, &[&self.base], aim)?.map(|base| Shifted::new(base, kept)))
    }

    fn compared(op: Op, a: &Shifted, b: &Shifted) -> Image<Shifted> {
        let (can_false, can_true) = match op {
            Op::Eq => {
                let meet = !a.meet(b, Aim::Above).set.is_empty();
                (!meet || a.single().is_none() || b.single().is_none(), meet)
            }
            Op::Slt => {
                let sign = 1 << (a.width() - 1);
                let ((a0, a1), (b0, b1)) = (a.signed_bounds(), b.signed_bounds());
                (a1 ^ sign >= b0 ^ sign, a0 ^ sign < b1 ^ sign)
            }
            _ => {
                let ((a0, a1), (b0, b1)) = (a.bounds(), b.bounds());
                (a1 >= b0, a0 < b1)
            }
        };
        Image::exact(match (can_false, can_true) {
            (true, false) => Shifted::constant(1, 0),
            (false, true) => Shifted::constant(1, 1),
            (true, true) | (false, false) => Shifted::full(1),
        })
    }

    /// Operators that keep the attribute; `None` for all others.
    fn keeping(apply: &Apply, x: &[&Shifted], aim: Aim) -> Option<Image<Shifted>> {
        let width = apply.width;
        match apply.op {
            Op::Mul => match (x[0].single(), x[1].single()) {
                (_, Some(k)) => Some(x[0].times(k, aim)),
                (Some(k), None) => Some(x[1].times(k, aim)),
                (None, None) => None,
            },
            Op::Shl => Some(x[0].up(x[1].single()?.min(u64::from(width)) as u32)),
            Op::LShr => x[1].single().filter(|by| *by < u64::from(width)).map(|by| x[0].down(by as u32, aim)),
            Op::UDiv => x[1].single().filter(|k| k.is_power_of_two()).map(|k| x[0].down(k.trailing_zeros(), aim)),
            Op::Add | Op::Sub => {
                let aligned = x[0].aligned(x[1], aim);
                Some(aligned.then(|(a, b, shift)| {
                    let image = if apply.op == Op::Add { a.sum(&b, aim) } else { a.difference(&b, aim) };
                    image.map(|base| Shifted::new(base, shift))
                }))
            }
            Op::Concat if x[1].single() == Some(0) => {
                Some(Image::exact(Shifted::new(x[0].base.clone(), x[0].shift + x[1].width())))
            }
            Op::ZExt => Some(Image::exact(Shifted::new(x[0].base.resized(width - x[0].shift), x[0].shift))),
            Op::SExt => {
                let image = MultiInterval::forward(&Apply::new(Op::SExt, width - x[0].shift), &[&x[0].base], aim)?;
                Some(image.map(|base| Shifted::new(base, x[0].shift)))
            }
            Op::Extract => x[0].extracted(apply.low, width, aim),
            Op::Eq | Op::Ult | Op::Slt => Some(Shifted::compared(apply.op, x[0], x[1])),
            Op::Ite => match x[0].single() {
                Some(0) => Some(Image::exact(x[2].clone())),
                Some(_) => Some(Image::exact(x[1].clone())),
                None => Some(x[1].join(x[2], aim)),
            },
            Op::Not | Op::And | Op::Or | Op::Xor | Op::SDiv | Op::URem | Op::SRem | Op::AShr | Op::Concat => None,
            Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read => None,
            Op::Bound | Op::Forall => None,
        }
    }

    /// Operands without the attribute, and what that cost.
    fn lower_all(x: &[&Shifted], aim: Aim) -> ([MultiInterval; 3], Precision) {
        let mut precision = Precision::Exact;
        let mut lower = |i: usize| match x.get(i) {
            None => MultiInterval::empty(1),
            Some(set) => {
                let image = set.lowered(aim);
                precision = precision.then(image.precision);
                image.set
            }
        };
        let sets = [lower(0), lower(1), lower(2)];
        (sets, precision)
    }
}

impl Domain for Shifted {
    const NAME: &'static str = "shifted multi-interval";
    const WIDEST: u32 = 64;

    fn empty(width: u32) -> Shifted {
        MultiInterval::empty(width).into()
    }

    fn full(width: u32) -> Shifted {
        MultiInterval::full(width).into()
    }

    fn constant(width: u32, value: u64) -> Shifted {
        MultiInterval::constant(width, value).into()
    }

    fn of_points(width: u32, points: &[u64], aim: Aim) -> Image<Shifted> {
        MultiInterval::of_points(width, points, aim).map(Shifted::from)
    }

    #[inline]
    fn width(&self) -> u32 {
        self.base.width() + self.shift
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.base.is_empty()
    }

    fn is_full(&self) -> bool {
        self.shift == 0 && self.base.is_full()
    }

    fn contains(&self, value: u64) -> bool {
        value & ((1 << self.shift) - 1) == 0 && self.base.contains(value >> self.shift)
    }

    fn least(&self) -> Option<u64> {
        self.base.least().map(|value| value << self.shift)
    }

    fn single(&self) -> Option<u64> {
        self.base.single().map(|value| value << self.shift)
    }

    fn size(&self) -> u128 {
        self.base.size()
    }

    fn each(&self, visit: &mut dyn FnMut(u64) -> bool) {
        self.base.each(&mut |value| visit(value << self.shift));
    }

    fn meet(&self, other: &Shifted, aim: Aim) -> Image<Shifted> {
        let shift = self.shift.max(other.shift);
        let (a, b) = (self.raised_to(shift), other.raised_to(shift));
        if a.is_empty() || b.is_empty() {
            return Image::exact(Shifted::empty(self.width()));
        }
        a.base.meet(&b.base, aim).map(|base| Shifted::new(base, shift))
    }

    fn join(&self, other: &Shifted, aim: Aim) -> Image<Shifted> {
        if self.is_empty() || other.is_empty() {
            return Image::exact(if self.is_empty() { other.clone() } else { self.clone() });
        }
        self.aligned(other, aim).then(|(a, b, shift)| a.join(&b, aim).map(|base| Shifted::new(base, shift)))
    }

    fn complement(&self, aim: Aim) -> Image<Shifted> {
        let lowered = self.lowered(aim.opposite());
        let complement = lowered.set.complement(aim);
        let precision = Precision::exact_if(lowered.is_exact(), aim).then(complement.precision);
        Image { set: complement.set.into(), precision }
    }

    fn forward(apply: &Apply, operands: &[&Shifted], aim: Aim) -> Option<Image<Shifted>> {
        if apply.width > Self::WIDEST {
            return None;
        }
        if operands.iter().any(|set| set.is_empty()) {
            return Some(Image::exact(Shifted::empty(apply.width)));
        }
        if let Some(image) = Shifted::keeping(apply, operands, aim) {
            return Some(image);
        }
        let (sets, precision) = Shifted::lower_all(operands, aim);
        let references = [&sets[0], &sets[1], &sets[2]];
        let image = MultiInterval::forward(apply, &references[..operands.len()], aim)?;
        Some(Image { precision: precision.then(image.precision), set: image.set.into() })
    }

    fn backward(
        apply: &Apply,
        result: &Shifted,
        position: usize,
        operands: &[&Shifted],
        aim: Aim,
    ) -> Option<Image<Shifted>> {
        let (sets, precision) = Shifted::lower_all(operands, aim);
        let wanted = result.lowered(aim);
        let references = [&sets[0], &sets[1], &sets[2]];
        let image = MultiInterval::backward(apply, &wanted.set, position, &references[..operands.len()], aim)?;
        let image = Image { precision: precision.then(wanted.precision).then(image.precision), set: image.set };
        match operands[position].shift {
            0 => Some(image.map(Shifted::from)),
            _ => Some(image.then(|set| Shifted::from(set).meet(operands[position], aim))),
        }
    }
}
