//! Known bits: which bits are surely zero, which are surely one.
//!
//! The set is a product of sets of bits, so all that works bit by bit (and, or, xor, not, concatenation, extraction, shifts by a constant) is
//! exact forward and backward, whatever the operands. Sums follow the least and the greatest carry: a carry is monotone in both summands, so where
//! these agree it is known. A sum is claimed exact where the operator is injective in its one unknown operand and the result is as large as it.
//!
//! Invariant: `zeros & ones` is empty unless the set is, and then both are all ones; no bit beyond the width is set.

use crate::domain::{Aim, Apply, Domain, Image, Precision};
use crate::enumerate;
use crate::word::{inverse_of, mask, signed};
use strata_term::Op;

/// An operator that works bit by bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    And,
    Or,
    Xor,
}

/// A set of bit-vectors given by bits that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBits {
    width: u32,
    zeros: u64,
    ones: u64,
}

impl Default for KnownBits {
    fn default() -> KnownBits {
        KnownBits { width: 1, zeros: 0, ones: 0 }
    }
}

impl KnownBits {
    /// From bits that are zero and bits that are one; empty if any is both.
    #[inline]
    pub fn new(width: u32, zeros: u64, ones: u64) -> KnownBits {
        let all = mask(width);
        let (zeros, ones) = (zeros & all, ones & all);
        if zeros & ones == 0 { KnownBits { width, zeros, ones } } else { KnownBits { width, zeros: all, ones: all } }
    }

    /// What all values from `lo` to `hi` have in common: their first bits.
    pub fn of_range(width: u32, lo: u64, hi: u64) -> KnownBits {
        let free = 64 - (lo ^ hi).leading_zeros();
        let known = mask(width) & !mask(free);
        KnownBits::new(width, !lo & known, lo & known)
    }

    /// What all values `lo`, `lo + stride`, ... up to `hi` have in common at least: first and last bits.
    pub fn of_progression(width: u32, lo: u64, hi: u64, stride: u64) -> KnownBits {
        let range = KnownBits::of_range(width, lo, hi);
        let last = mask(stride.trailing_zeros().min(width));
        KnownBits { width, zeros: range.zeros | !lo & last, ones: range.ones | lo & last }
    }

    /// Bits that are surely zero.
    pub fn zeros(&self) -> u64 {
        self.zeros
    }

    /// Bits that are surely one.
    pub fn ones(&self) -> u64 {
        self.ones
    }

    /// Bits of which nothing is known.
    #[inline]
    pub fn unknown(&self) -> u64 {
        mask(self.width) & !(self.zeros | self.ones)
    }

    /// The greatest value, unsigned, of a set that is not empty.
    #[inline]
    pub fn greatest(&self) -> u64 {
        mask(self.width) & !self.zeros
    }

    fn can_zero(&self) -> u64 {
        mask(self.width) & !self.ones
    }

    fn can_one(&self) -> u64 {
        self.greatest()
    }

    /// From which bits can be zero and which can be one.
    fn possible(width: u32, zero: u64, one: u64) -> KnownBits {
        KnownBits::new(width, !one, !zero)
    }

    /// A gate on two sets that are not empty: exact.
    pub(crate) fn bitwise(gate: Gate, a: &KnownBits, b: &KnownBits) -> KnownBits {
        let (zeros, ones) = match gate {
            Gate::And => (a.zeros | b.zeros, a.ones & b.ones),
            Gate::Or => (a.zeros & b.zeros, a.ones | b.ones),
            Gate::Xor => (a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros),
        };
        KnownBits::new(a.width, zeros, ones)
    }

    /// What gives a value of `result` with some value of `other`: exact, the sets not being empty.
    pub(crate) fn unbitwise(gate: Gate, result: &KnownBits, other: &KnownBits) -> KnownBits {
        let (r0, r1, y0, y1) = (result.can_zero(), result.can_one(), other.can_zero(), other.can_one());
        let same = r0 & y0 | r1 & y1;
        let (zero, one) = match gate {
            Gate::And => (r0, same),
            Gate::Or => (same, r1),
            Gate::Xor => (same, r1 & y0 | r0 & y1),
        };
        KnownBits::possible(result.width, zero, one)
    }

    fn not(&self) -> KnownBits {
        KnownBits::new(self.width, self.ones, self.zeros)
    }

    /// `self + other + carry`.
    fn plus(&self, other: &KnownBits, carry: u64) -> KnownBits {
        let least = self.ones.wrapping_add(other.ones).wrapping_add(carry);
        let greatest = self.greatest().wrapping_add(other.greatest()).wrapping_add(carry);
        let low = least ^ self.ones ^ other.ones;
        let high = greatest ^ self.greatest() ^ other.greatest();
        let known = !(low ^ high) & (self.zeros | self.ones) & (other.zeros | other.ones);
        KnownBits::new(self.width, !least & known, least & known)
    }

    /// How many of the last bits are known.
    fn known_tail(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones().min(self.width)
    }

    fn times(&self, other: &KnownBits) -> KnownBits {
        let (za, zb) = (self.zeros.trailing_ones().min(self.width), other.zeros.trailing_ones().min(other.width));
        let tail = (self.known_tail() - za).min(other.known_tail() - zb) + za + zb;
        let product = self.ones.wrapping_mul(other.ones);
        let last = mask(tail.min(self.width));
        let bound = u128::from(self.greatest()) * u128::from(other.greatest());
        let first = if bound > u128::from(mask(self.width)) { 0 } else { !mask(64 - (bound as u64).leading_zeros()) };
        KnownBits::new(self.width, !product & last | first, product & last)
    }

    fn shifted_left(&self, by: u32) -> KnownBits {
        KnownBits::new(self.width, self.zeros << by | mask(by), self.ones << by)
    }

    fn shifted_right(&self, by: u32) -> KnownBits {
        KnownBits::new(self.width, self.zeros >> by | !(mask(self.width) >> by), self.ones >> by)
    }

    fn shifted_right_signed(&self, by: u32) -> KnownBits {
        let extend = |bits| (signed(self.width, bits) >> by) as u64;
        KnownBits::new(self.width, extend(self.zeros), extend(self.ones))
    }

    fn sign_known(&self) -> bool {
        (self.zeros | self.ones) >> (self.width - 1) & 1 == 1
    }

    fn extract(&self, low: u32, width: u32) -> KnownBits {
        KnownBits::new(width, self.zeros >> low, self.ones >> low)
    }

    fn resized(&self, width: u32) -> KnownBits {
        KnownBits::new(width, self.zeros | !mask(self.width), self.ones)
    }

    fn sign_extended(&self, width: u32) -> KnownBits {
        KnownBits::new(width, signed(self.width, self.zeros) as u64, signed(self.width, self.ones) as u64)
    }

    fn concat(&self, low: &KnownBits) -> KnownBits {
        let shift = low.width;
        KnownBits::new(self.width + shift, self.zeros << shift | low.zeros, self.ones << shift | low.ones)
    }

    fn signed_bounds(&self) -> (i64, i64) {
        let sign = 1 << (self.width - 1);
        let least = if self.zeros & sign == 0 { self.ones | sign } else { self.ones };
        let greatest = if self.ones & sign == 0 { self.greatest() & !sign } else { self.greatest() };
        (signed(self.width, least), signed(self.width, greatest))
    }

    /// Shifts by each amount that is possible, joined.
    fn shifted(&self, op: Op, by: &KnownBits) -> (KnownBits, bool) {
        let mut union: Option<(KnownBits, bool)> = None;
        let mut add = |next: KnownBits, exact: bool| {
            union = Some(match union {
                None => (next, exact),
                Some((sum, was)) => {
                    let joined = sum.join(&next, Aim::Above);
                    (joined.set, was && exact && joined.is_exact())
                }
            });
        };
        let width = self.width;
        for amount in (0..width).filter(|amount| by.contains(u64::from(*amount))) {
            match op {
                Op::Shl => add(self.shifted_left(amount), true),
                Op::LShr => add(self.shifted_right(amount), true),
                _ => add(self.shifted_right_signed(amount), amount == 0 || self.sign_known()),
            }
        }
        if by.greatest() >= u64::from(width) {
            match op {
                Op::Shl | Op::LShr => add(KnownBits::constant(width, 0), true),
                _ => add(self.shifted_right_signed(width - 1), width == 1 || self.sign_known()),
            }
        }
        union.unwrap_or((KnownBits::full(width), false))
    }

    /// Quotient or remainder.
    fn divided(&self, op: Op, by: &KnownBits) -> (KnownBits, bool) {
        let power = by.single().filter(|k| k.is_power_of_two());
        let nonnegative = self.zeros & by.zeros & 1 << (self.width - 1) != 0;
        if matches!(op, Op::SDiv | Op::SRem) && !nonnegative {
            return (KnownBits::full(self.width), false);
        }
        let quotient = matches!(op, Op::UDiv | Op::SDiv);
        if let Some(k) = power {
            let shift = k.trailing_zeros();
            let rest = KnownBits::new(self.width, self.zeros | !(k - 1), self.ones & (k - 1));
            return (if quotient { self.shifted_right(shift) } else { rest }, true);
        }
        let bound = match (quotient, by.ones) {
            (true, 0) => mask(self.width),
            (true, least) => self.greatest() / least,
            (false, 0) => self.greatest(),
            (false, _) => self.greatest().min(by.greatest() - 1),
        };
        (KnownBits::of_range(self.width, 0, bound), false)
    }

    /// The truth values that a comparison can have.
    fn truth(can_false: bool, can_true: bool) -> KnownBits {
        KnownBits::possible(1, u64::from(can_false), u64::from(can_true))
    }

    fn compared(op: Op, a: &KnownBits, b: &KnownBits) -> KnownBits {
        match op {
            Op::Eq => {
                let meet = !a.meet(b, Aim::Above).set.is_empty();
                KnownBits::truth(!(meet && a.single().is_some() && b.single().is_some()), meet)
            }
            Op::Ult => KnownBits::truth(a.greatest() >= b.ones, a.ones < b.greatest()),
            _ => {
                let ((a0, a1), (b0, b1)) = (a.signed_bounds(), b.signed_bounds());
                KnownBits::truth(a1 >= b0, a0 < b1)
            }
        }
    }

    /// A superset of the results, and whether it is exact. The operands are not empty.
    fn superset(apply: &Apply, x: &[&KnownBits]) -> Option<(KnownBits, bool)> {
        let one_known = x.len() == 2 && (x[0].single().is_some() || x[1].single().is_some());
        let grown = |set: KnownBits| set.size() == x[0].size().max(x[1].size());
        Some(match apply.op {
            Op::Not => (x[0].not(), true),
            Op::And => (KnownBits::bitwise(Gate::And, x[0], x[1]), true),
            Op::Or => (KnownBits::bitwise(Gate::Or, x[0], x[1]), true),
            Op::Xor => (KnownBits::bitwise(Gate::Xor, x[0], x[1]), true),
            Op::Add | Op::Sub => {
                let sum = if apply.op == Op::Add { x[0].plus(x[1], 0) } else { x[0].plus(&x[1].not(), 1) };
                let disjoint = apply.op == Op::Add && x[0].can_one() & x[1].can_one() == 0;
                (sum, disjoint || one_known && grown(sum))
            }
            Op::Mul => {
                let product = x[0].times(x[1]);
                let odd = x.iter().any(|factor| factor.single().is_some_and(|k| k & 1 == 1));
                let shift = x.iter().any(|factor| factor.single().is_some_and(|k| k.is_power_of_two()));
                (product, product.single().is_some() || shift_is_exact(shift, x, product) || odd && grown(product))
            }
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem => x[0].divided(apply.op, x[1]),
            Op::Shl | Op::LShr | Op::AShr => x[0].shifted(apply.op, x[1]),
            Op::Concat => (x[0].concat(x[1]), true),
            Op::Extract => (x[0].extract(apply.low, apply.width), true),
            Op::ZExt => (x[0].resized(apply.width), true),
            Op::SExt => (x[0].sign_extended(apply.width), x[0].width == apply.width || x[0].sign_known()),
            Op::Eq | Op::Ult | Op::Slt => (KnownBits::compared(apply.op, x[0], x[1]), true),
            Op::Ite => match x[0].single() {
                Some(choice) => (*x[2 - choice as usize], true),
                None => {
                    let joined = x[1].join(x[2], Aim::Above);
                    (joined.set, joined.is_exact())
                }
            },
            Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read => return None,
            Op::Bound | Op::Forall => return None,
        })
    }

    /// A superset of what gives such results, and whether it is exact but for the values of the operand that were excluded before. No set is empty.
    fn subject(apply: &Apply, r: &KnownBits, position: usize, x: &[&KnownBits]) -> Option<(KnownBits, bool)> {
        let old = *x[position];
        let unchanged = (old, r.is_full());
        Some(match apply.op {
            Op::Not => (r.not(), true),
            Op::And => (KnownBits::unbitwise(Gate::And, r, x[1 - position]), true),
            Op::Or => (KnownBits::unbitwise(Gate::Or, r, x[1 - position]), true),
            Op::Xor => (KnownBits::unbitwise(Gate::Xor, r, x[1 - position]), true),
            Op::Add => KnownBits::inverse(Op::Sub, r, x[1 - position])?,
            Op::Sub if position == 0 => KnownBits::inverse(Op::Add, r, x[1])?,
            Op::Sub => KnownBits::inverse(Op::Sub, x[0], r)?,
            Op::Mul => match x[1 - position].single() {
                Some(k) if k.is_power_of_two() => (unshift_left(r, k.trailing_zeros()), true),
                Some(k) if k & 1 == 1 => {
                    KnownBits::inverse(Op::Mul, r, &KnownBits::constant(old.width, inverse_of(k)))?
                }
                Some(_) | None => unchanged,
            },
            Op::Shl | Op::LShr | Op::AShr if position == 0 => match x[1].single() {
                Some(by) => unshift(apply.op, r, by, old),
                None => unchanged,
            },
            Op::UDiv if position == 0 => match x[1].single() {
                Some(k) if k.is_power_of_two() => unshift(Op::LShr, r, u64::from(k.trailing_zeros()), old),
                Some(_) | None => unchanged,
            },
            Op::URem if position == 0 => match x[1].single() {
                Some(k) if k.is_power_of_two() => {
                    (KnownBits::unbitwise(Gate::And, r, &KnownBits::constant(old.width, k - 1)), true)
                }
                Some(_) | None => unchanged,
            },
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr => unchanged,
            Op::Concat => (
                meets(
                    &if position == 0 { r.extract(x[1].width, old.width) } else { r.extract(0, old.width) },
                    &if position == 0 { r.extract(0, x[1].width) } else { r.extract(x[1].width, x[0].width) },
                    x[1 - position],
                ),
                true,
            ),
            Op::Extract => (KnownBits::new(old.width, r.zeros << apply.low, r.ones << apply.low), true),
            Op::ZExt => {
                (meets(&r.extract(0, old.width), &r.extract_rest(old.width), &KnownBits::constant(64, 0)), true)
            }
            Op::SExt => (r.unextended(old.width), true),
            Op::Eq | Op::Ult | Op::Slt => KnownBits::uncompared(apply.op, r, position, x),
            Op::Ite => KnownBits::unchosen(r, position, x),
            Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read => return None,
            Op::Bound | Op::Forall => return None,
        })
    }

    fn inverse(op: Op, a: &KnownBits, b: &KnownBits) -> Option<(KnownBits, bool)> {
        KnownBits::superset(&Apply::new(op, a.width), &[a, b])
    }

    /// The bits from `low` on, as 64 of which the missing ones are zero.
    fn extract_rest(&self, low: u32) -> KnownBits {
        if low >= 64 {
            return KnownBits::constant(64, 0);
        }
        KnownBits::new(64, self.zeros >> low | !(mask(self.width) >> low), self.ones >> low)
    }

    /// What sign-extends into this set.
    fn unextended(&self, width: u32) -> KnownBits {
        let sign = 1 << (width - 1);
        let high = mask(self.width) & !(sign - 1);
        let (zeros, ones) = (self.zeros & high != 0, self.ones & high != 0);
        let extra = |known: bool| if known { sign } else { 0 };
        let low = self.extract(0, width);
        if low.is_empty() { low } else { KnownBits::new(width, low.zeros | extra(zeros), low.ones | extra(ones)) }
    }

    fn uncompared(op: Op, r: &KnownBits, position: usize, x: &[&KnownBits]) -> (KnownBits, bool) {
        let (old, other) = (*x[position], x[1 - position]);
        let Some(truth) = r.single() else { return (old, true) };
        if op == Op::Eq {
            return match (truth, other.single()) {
                (1, _) => (*other, true),
                (_, None) => (old, true),
                (_, Some(value)) => old.without(value),
            };
        }
        let rotation = if op == Op::Slt { 1 << (old.width - 1) } else { 0 };
        let turned = |set: &KnownBits| set.plus_sign(rotation);
        let (old, other) = (turned(&old), turned(other));
        let (lo, hi) = match (position, truth) {
            (0, 1) => (0, other.greatest().checked_sub(1)),
            (0, _) => (other.ones, Some(mask(old.width))),
            (_, 1) => (
                other.ones + u64::from(other.ones < mask(old.width)),
                (other.ones < mask(old.width)).then_some(mask(old.width)),
            ),
            (_, _) => (0, Some(other.greatest())),
        };
        let Some(hi) = hi else { return (KnownBits::empty(old.width), true) };
        if old.greatest() < lo || old.ones > hi {
            return (KnownBits::empty(old.width), true);
        }
        let kept = KnownBits::of_range(old.width, lo.max(old.ones), hi.min(old.greatest())).meet(&old, Aim::Above).set;
        let exact = kept.is_empty() || lo <= kept.ones && kept.greatest() <= hi;
        (turned(&kept), exact)
    }

    /// The set with the bits of `rotation` flipped.
    fn plus_sign(&self, rotation: u64) -> KnownBits {
        if self.is_empty() {
            return *self;
        }
        let (zeros, ones) =
            (self.zeros & !rotation | self.ones & rotation, self.ones & !rotation | self.zeros & rotation);
        KnownBits::new(self.width, zeros, ones)
    }

    /// Without one value.
    fn without(&self, value: u64) -> (KnownBits, bool) {
        let free = self.unknown();
        if !self.contains(value) {
            (*self, true)
        } else if free == 0 {
            (KnownBits::empty(self.width), true)
        } else if free.is_power_of_two() {
            (KnownBits::constant(self.width, value ^ free), true)
        } else {
            (*self, false)
        }
    }

    fn unchosen(r: &KnownBits, position: usize, x: &[&KnownBits]) -> (KnownBits, bool) {
        let hits = |i: usize| !x[i].meet(r, Aim::Above).set.is_empty();
        if position == 0 {
            return (KnownBits::possible(1, u64::from(hits(2)), u64::from(hits(1))), true);
        }
        let own = x[0].contains(2 - position as u64);
        let elsewhere = x[0].contains(position as u64 - 1) && hits(3 - position);
        match (own, elsewhere) {
            (_, true) => (*x[position], true),
            (true, false) => (*r, true),
            (false, false) => (KnownBits::empty(x[position].width), true),
        }
    }
}

fn shift_is_exact(shift: bool, x: &[&KnownBits], product: KnownBits) -> bool {
    let other = |i: usize| x[1 - i].single().map(|k| k.trailing_zeros());
    shift
        && (0..2).any(|i| {
            other(i).is_some_and(|by| {
                x[1 - i].single().is_some_and(|k| k.is_power_of_two()) && product == x[i].shifted_left(by)
            })
        })
}

/// `set` if `part` and `given` have a value in common, else nothing.
fn meets(set: &KnownBits, part: &KnownBits, given: &KnownBits) -> KnownBits {
    let clash = set.is_empty() || part.zeros & given.ones | part.ones & given.zeros != 0;
    if clash { KnownBits::empty(set.width) } else { *set }
}

fn unshift_left(r: &KnownBits, by: u32) -> KnownBits {
    if r.ones & mask(by) != 0 {
        return KnownBits::empty(r.width);
    }
    KnownBits::new(r.width, r.zeros >> by, r.ones >> by)
}

/// What gives a result in `r` when shifted by a constant.
fn unshift(op: Op, r: &KnownBits, by: u64, old: KnownBits) -> (KnownBits, bool) {
    let width = r.width;
    let nothing = KnownBits::empty(width);
    if op == Op::AShr {
        let by = by.min(u64::from(width) - 1) as u32;
        let kept = KnownBits::new(width - by, r.zeros, r.ones).width;
        let low = r.unextended(kept);
        return (if low.is_empty() { nothing } else { KnownBits::new(width, low.zeros << by, low.ones << by) }, true);
    }
    if by >= u64::from(width) {
        return (if r.contains(0) { old } else { nothing }, true);
    }
    let by = by as u32;
    if op == Op::Shl {
        return (unshift_left(r, by), true);
    }
    let gone = mask(width) & !(mask(width) >> by);
    let fits = r.ones & gone == 0;
    (if fits { KnownBits::new(width, r.zeros << by, r.ones << by) } else { nothing }, true)
}

impl Domain for KnownBits {
    const NAME: &'static str = "known bits";
    const WIDEST: u32 = 64;

    fn empty(width: u32) -> KnownBits {
        KnownBits { width, zeros: mask(width), ones: mask(width) }
    }

    fn full(width: u32) -> KnownBits {
        KnownBits { width, zeros: 0, ones: 0 }
    }

    fn constant(width: u32, value: u64) -> KnownBits {
        KnownBits::new(width, !value, value)
    }

    fn of_points(width: u32, points: &[u64], aim: Aim) -> Image<KnownBits> {
        let Some(first) = points.first() else { return Image::exact(KnownBits::empty(width)) };
        let and = points.iter().fold(u64::MAX, |all, point| all & point);
        let or = points.iter().fold(0, |all, point| all | point);
        let hull = KnownBits::new(width, !or, and);
        match aim {
            _ if hull.size() == points.len() as u128 => Image::exact(hull),
            Aim::Above => Image::missed(hull, aim),
            Aim::Below => Image::missed(KnownBits::constant(width, *first), aim),
        }
    }

    fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.zeros & self.ones != 0
    }

    fn is_full(&self) -> bool {
        self.zeros | self.ones == 0
    }

    fn contains(&self, value: u64) -> bool {
        value & self.zeros == 0 && !value & self.ones == 0 && value & !mask(self.width) == 0
    }

    fn least(&self) -> Option<u64> {
        (!self.is_empty()).then_some(self.ones)
    }

    fn single(&self) -> Option<u64> {
        (self.zeros ^ self.ones == mask(self.width)).then_some(self.ones)
    }

    fn size(&self) -> u128 {
        if self.is_empty() { 0 } else { 1 << self.unknown().count_ones() }
    }

    fn each(&self, visit: &mut dyn FnMut(u64) -> bool) {
        if self.is_empty() {
            return;
        }
        let (free, mut part) = (self.unknown(), 0u64);
        while visit(self.ones | part) {
            part = part.wrapping_sub(free) & free;
            if part == 0 {
                return;
            }
        }
    }

    fn meet(&self, other: &KnownBits, _: Aim) -> Image<KnownBits> {
        Image::exact(KnownBits::new(self.width, self.zeros | other.zeros, self.ones | other.ones))
    }

    fn join(&self, other: &KnownBits, aim: Aim) -> Image<KnownBits> {
        if self.is_empty() || other.is_empty() {
            return Image::exact(if self.is_empty() { *other } else { *self });
        }
        let joined = KnownBits { width: self.width, zeros: self.zeros & other.zeros, ones: self.ones & other.ones };
        let both = self.meet(other, aim).set.size();
        match aim {
            _ if joined.size() == self.size() + other.size() - both => Image::exact(joined),
            Aim::Above => Image::missed(joined, aim),
            Aim::Below => Image::missed(if self.size() < other.size() { *other } else { *self }, aim),
        }
    }

    fn complement(&self, aim: Aim) -> Image<KnownBits> {
        let width = self.width;
        let known = self.zeros | self.ones;
        if self.is_empty() || known == 0 {
            return Image::exact(if self.is_empty() { KnownBits::full(width) } else { KnownBits::empty(width) });
        }
        let bit = 1 << (63 - known.leading_zeros());
        let flipped = KnownBits::new(width, self.ones & bit, self.zeros & bit);
        match aim {
            _ if known == bit => Image::exact(flipped),
            Aim::Above => Image::missed(KnownBits::full(width), aim),
            Aim::Below => Image::missed(flipped, aim),
        }
    }

    fn forward(apply: &Apply, operands: &[&KnownBits], aim: Aim) -> Option<Image<KnownBits>> {
        if apply.width > Self::WIDEST {
            return None;
        }
        if operands.iter().any(|set| set.is_empty()) {
            return Some(Image::exact(KnownBits::empty(apply.width)));
        }
        let (set, exact) = KnownBits::superset(apply, operands)?;
        let kept = exact || set.single().is_some() || aim == Aim::Above;
        let image = kept.then_some(Image { set, precision: Precision::exact_if(exact || set.single().is_some(), aim) });
        enumerate::improve(image, || enumerate::forward(apply, operands, aim))
    }

    fn backward(
        apply: &Apply,
        result: &KnownBits,
        position: usize,
        operands: &[&KnownBits],
        aim: Aim,
    ) -> Option<Image<KnownBits>> {
        let old = operands[position];
        if result.is_empty() || operands.iter().any(|set| set.is_empty()) {
            return Some(Image::exact(KnownBits::empty(old.width)));
        }
        let (set, exact) = KnownBits::subject(apply, result, position, operands)?;
        let met = set.meet(old, aim).set;
        let exact = exact || met.is_empty();
        let image =
            (exact || aim == Aim::Above).then_some(Image { set: met, precision: Precision::exact_if(exact, aim) });
        enumerate::improve(image, || enumerate::backward(apply, result, position, operands, aim))
    }
}
