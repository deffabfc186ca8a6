//! Transfer for sets that are unions of members, reduced to what such sets can do by themselves.
//!
//! A `Carrier` knows sums, and products, quotients and remainders by a constant, with their preimages. All other operators are
//! these on parts of the operands: shifts multiply or divide by powers of two, signed division is unsigned division of magnitudes,
//! extraction is a quotient and a remainder, bitwise operators work on blocks of known bits. So an operator is written once for
//! all such domains, and a domain's own file is about its members alone.
//!
//! An image or preimage of a union is the union of those of its parts, and a preimage under two steps is the preimage of the preimage: therefore a chain
//! of exact steps is exact.
//!
//! An operand that is not constant is taken value by value up to `VALUES`, else bounded.

use crate::blocks::Blocks;
use crate::domain::{Aim, Apply, Domain, Image, Precision};
use crate::enumerate;
use crate::known_bits::{Gate, KnownBits};
use crate::strided::Strided;
use crate::word::mask;
use strata_term::Op;

/// Values of a second operand that are taken one by one.
const VALUES: u128 = 8;

/// Pairs of blocks that a bitwise operator looks at.
const BLOCK_PAIRS: usize = 128;

/// What a union of members can do by itself. Sets are not empty and of one width, divisors are not zero.
pub(crate) trait Carrier: Domain {
    /// All values from `lo` to `hi`, which is not less.
    fn range(width: u32, lo: u64, hi: u64) -> Self;
    /// The same values in another width, into which they fit.
    fn resized(&self, width: u32) -> Self;
    /// The least and the greatest value.
    fn bounds(&self) -> (u64, u64);
    /// The least and the greatest value in signed order.
    fn signed_bounds(&self) -> (u64, u64);
    /// Its members, cut where they wrap.
    fn pieces(&self, visit: impl FnMut(Strided));
    /// Is there a value in both?
    fn intersects(&self, other: &Self) -> bool;
    /// `x + y`.
    fn sum(&self, other: &Self, aim: Aim) -> Image<Self>;
    /// `x - y`.
    fn difference(&self, other: &Self, aim: Aim) -> Image<Self>;
    /// `x * k`.
    fn scaled(&self, k: u64, aim: Aim) -> Image<Self>;
    /// `x / k`.
    fn quotient(&self, k: u64, aim: Aim) -> Image<Self>;
    /// `x % k`.
    fn remainder(&self, k: u64, aim: Aim) -> Image<Self>;
    /// The `x` of `old` with `x * k` in this set.
    fn unscaled(&self, k: u64, old: &Self, aim: Aim) -> Image<Self>;
    /// The `x` of `old` with `x / k` in this set.
    fn unquotient(&self, k: u64, old: &Self, aim: Aim) -> Image<Self>;
    /// The `x` of `old` with `x % k` in this set.
    fn unremainder(&self, k: u64, old: &Self, aim: Aim) -> Image<Self>;
    /// Adds blocks whose union is this set; false if that cannot be.
    fn cover(&self, blocks: &mut Blocks) -> bool;
    /// The union of such blocks.
    fn of_bits(width: u32, bits: &[KnownBits], aim: Aim) -> Image<Self>;

    /// The part from `lo` to `hi`.
    #[inline]
    fn clipped(&self, lo: u64, hi: u64, aim: Aim) -> Image<Self> {
        let (min, max) = self.bounds();
        if lo <= min && max <= hi {
            return Image::exact(self.clone());
        }
        self.meet(&Self::range(self.width(), lo, hi), aim)
    }

    /// All but one value.
    fn without(&self, value: u64, aim: Aim) -> Image<Self> {
        if !self.contains(value) {
            return Image::exact(self.clone());
        }
        let mut union = Union::new(self.width(), aim);
        if value > 0 {
            union.add(self.clipped(0, value - 1, aim));
        }
        if value < mask(self.width()) {
            union.add(self.clipped(value + 1, mask(self.width()), aim));
        }
        union.image
    }

    /// A superset of `x * y`.
    fn product_above(&self, other: &Self) -> Self {
        let ((a0, a1), (b0, b1)) = (self.bounds(), other.bounds());
        match a1.checked_mul(b1).filter(|top| *top <= mask(self.width())) {
            Some(top) => Self::range(self.width(), a0 * b0, top),
            None => Self::full(self.width()),
        }
    }

    /// `-x`.
    fn negative(&self, aim: Aim) -> Image<Self> {
        Self::constant(self.width(), 0).difference(self, aim)
    }

    /// `!x`.
    fn inverted(&self, aim: Aim) -> Image<Self> {
        Self::constant(self.width(), mask(self.width())).difference(self, aim)
    }
}

/// A union under construction.
struct Union<S> {
    image: Image<S>,
    aim: Aim,
}

impl<S: Domain> Union<S> {
    fn new(width: u32, aim: Aim) -> Union<S> {
        Union { image: Image::exact(S::empty(width)), aim }
    }

    fn add(&mut self, next: Image<S>) {
        if self.image.set.is_empty() {
            let precision = self.image.precision.then(next.precision);
            self.image = Image { set: next.set, precision };
            return;
        }
        let joined = self.image.set.join(&next.set, self.aim);
        let precision = self.image.precision.then(next.precision).then(joined.precision);
        self.image = Image { set: joined.set, precision };
    }

    fn add_exact(&mut self, set: S) {
        self.add(Image::exact(set));
    }
}

/// Forward transfer; see `Domain::forward`.
#[inline]
pub(crate) fn forward<S: Carrier>(apply: &Apply, x: &[&S], aim: Aim) -> Option<Image<S>> {
    if apply.width > S::WIDEST {
        return None;
    }
    if x.iter().any(|set| set.is_empty()) {
        return Some(Image::exact(S::empty(apply.width)));
    }
    // What questions are made of goes without the frame of everything else.
    if let Op::Eq | Op::Ult | Op::Slt = apply.op {
        return Some(comparison(apply.op, x[0], x[1]));
    }
    if let (Op::Add, [a, b]) = (apply.op, x) {
        let sum = a.sum(b, aim);
        if sum.is_exact() {
            return Some(sum);
        }
    }
    forward_other(apply, x, aim)
}

#[inline(never)]
fn forward_other<S: Carrier>(apply: &Apply, x: &[&S], aim: Aim) -> Option<Image<S>> {
    let image = image(apply, x, aim);
    if image.as_ref().is_some_and(Image::is_exact) {
        return image;
    }
    enumerate::improve(image, || enumerate::forward(apply, x, aim))
}

/// Backward transfer; see `Domain::backward`.
#[inline]
pub(crate) fn backward<S: Carrier>(apply: &Apply, r: &S, position: usize, x: &[&S], aim: Aim) -> Option<Image<S>> {
    let old = x[position];
    if r.is_empty() || x.iter().any(|set| set.is_empty()) {
        return Some(Image::exact(S::empty(old.width())));
    }
    if r.is_full() {
        return Some(Image::exact(old.clone()));
    }
    if let Op::Eq | Op::Ult | Op::Slt = apply.op {
        let image = uncompared(apply.op, r, position, x, aim);
        if image.is_exact() {
            return Some(image);
        }
    }
    backward_other(apply, r, position, x, aim)
}

#[inline(never)]
fn backward_other<S: Carrier>(apply: &Apply, r: &S, position: usize, x: &[&S], aim: Aim) -> Option<Image<S>> {
    let image = preimage(apply, r, position, x, aim);
    if image.as_ref().is_some_and(Image::is_exact) {
        return image;
    }
    enumerate::improve(image, || enumerate::backward(apply, r, position, x, aim))
}

#[inline]
fn image<S: Carrier>(apply: &Apply, x: &[&S], aim: Aim) -> Option<Image<S>> {
    Some(match apply.op {
        Op::Not => x[0].inverted(aim),
        Op::And => return bitwise(Gate::And, x[0], x[1], aim),
        Op::Or => return bitwise(Gate::Or, x[0], x[1], aim),
        Op::Xor => return bitwise(Gate::Xor, x[0], x[1], aim),
        Op::Add => x[0].sum(x[1], aim),
        Op::Sub => x[0].difference(x[1], aim),
        Op::Mul => return product(x[0], x[1], aim),
        Op::UDiv => return division(Part::Quotient, x[0], x[1], aim),
        Op::URem => return division(Part::Remainder, x[0], x[1], aim),
        Op::SDiv => return signed_division(Part::Quotient, x[0], x[1], aim),
        Op::SRem => return signed_division(Part::Remainder, x[0], x[1], aim),
        Op::Shl => return shift(Shift::Left, x[0], x[1], aim),
        Op::LShr => return shift(Shift::Right, x[0], x[1], aim),
        Op::AShr => return shift(Shift::Signed, x[0], x[1], aim),
        Op::Concat => concatenation(apply.width, x[0], x[1], aim),
        Op::Extract => extraction(apply, x[0], aim),
        Op::ZExt => Image::exact(x[0].resized(apply.width)),
        Op::SExt => sign_extension(apply.width, x[0], aim),
        Op::Eq | Op::Ult | Op::Slt => comparison(apply.op, x[0], x[1]),
        Op::Ite => match x[0].single() {
            Some(0) => Image::exact(x[2].clone()),
            Some(_) => Image::exact(x[1].clone()),
            None => x[1].join(x[2], aim),
        },
        Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read => return None,
        Op::Bound | Op::Forall => return None,
    })
}

fn preimage<S: Carrier>(apply: &Apply, r: &S, position: usize, x: &[&S], aim: Aim) -> Option<Image<S>> {
    let old = x[position];
    let within = |image: Image<S>| image.then(|set| set.meet(old, aim));
    Some(match apply.op {
        Op::Not => within(r.inverted(aim)),
        Op::And => return unbitwise(Gate::And, r, x[1 - position], old, aim),
        Op::Or => return unbitwise(Gate::Or, r, x[1 - position], old, aim),
        Op::Xor => return unbitwise(Gate::Xor, r, x[1 - position], old, aim),
        Op::Add => within(r.difference(x[1 - position], aim)),
        Op::Sub if position == 0 => within(r.sum(x[1], aim)),
        Op::Sub => within(x[0].difference(r, aim)),
        Op::Mul => return each_value(x[1 - position], old, aim, |k| Some(r.unscaled(k, old, aim))),
        Op::UDiv if position == 0 => return undivided(Part::Quotient, r, old, x[1], aim),
        Op::URem if position == 0 => return undivided(Part::Remainder, r, old, x[1], aim),
        Op::UDiv => return divisor(Part::Quotient, r, x[0], old, aim),
        Op::URem => return divisor(Part::Remainder, r, x[0], old, aim),
        Op::SDiv => return signed_preimage(Part::Quotient, r, position, x, aim),
        Op::SRem => return signed_preimage(Part::Remainder, r, position, x, aim),
        Op::Shl => return unshift(Shift::Left, r, position, x, aim),
        Op::LShr => return unshift(Shift::Right, r, position, x, aim),
        Op::AShr => return unshift(Shift::Signed, r, position, x, aim),
        Op::Concat => unconcatenation(r, position, x, aim),
        Op::Extract => unextraction(apply, r, old, aim),
        Op::ZExt => r.clipped(0, mask(old.width()), aim).then(|set| set.resized(old.width()).meet(old, aim)),
        Op::SExt => unextended(r, old, aim),
        Op::Eq | Op::Ult | Op::Slt => uncompared(apply.op, r, position, x, aim),
        Op::Ite => unchosen(r, position, x, aim),
        Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read => return None,
        Op::Bound | Op::Forall => return None,
    })
}

/// A set on the side of `aim` of which nothing better is known: all of `above`, or nothing.
fn give_up<S: Domain>(above: &S, aim: Aim) -> Option<Image<S>> {
    match aim {
        Aim::Above => Some(Image::missed(above.clone(), aim)),
        Aim::Below => None,
    }
}

/// The union of `step` over the values of `other`, if these are few; else all of `old`.
fn each_value<S: Carrier>(
    other: &S,
    old: &S,
    aim: Aim,
    mut step: impl FnMut(u64) -> Option<Image<S>>,
) -> Option<Image<S>> {
    if let Some(value) = other.single() {
        return step(value);
    }
    if other.size() > VALUES {
        return give_up(old, aim);
    }
    let mut union = Some(Union::new(old.width(), aim));
    other.each(&mut |value| {
        union = union.take().and_then(|mut union| {
            union.add(step(value)?);
            Some(union)
        });
        union.is_some()
    });
    union.map(|union| union.image)
}

fn product<S: Carrier>(a: &S, b: &S, aim: Aim) -> Option<Image<S>> {
    let (few, many) = if a.size() <= b.size() { (a, b) } else { (b, a) };
    let above = if few.size() > VALUES { a.product_above(b) } else { S::empty(a.width()) };
    each_value(few, &above, aim, |k| Some(many.scaled(k, aim)))
}

/// Which half of a division is wanted.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Quotient,
    Remainder,
}

fn division<S: Carrier>(part: Part, a: &S, b: &S, aim: Aim) -> Option<Image<S>> {
    let width = a.width();
    let mut union = Union::new(width, aim);
    let mut divisors = b.clone();
    if b.contains(0) {
        union.add_exact(match part {
            Part::Quotient => S::constant(width, mask(width)),
            Part::Remainder => a.clone(),
        });
        let rest = b.clipped(1, mask(width), aim);
        if rest.set.is_empty() || !rest.is_exact() {
            return rest.is_exact().then_some(union.image);
        }
        divisors = rest.set;
    }
    if part == Part::Remainder && a.bounds().1 < divisors.bounds().0 {
        union.add_exact(a.clone());
        return Some(union.image);
    }
    union.add(each_value(&divisors, &division_above(part, a, &divisors), aim, |k| {
        Some(match part {
            Part::Quotient => a.quotient(k, aim),
            Part::Remainder => a.remainder(k, aim),
        })
    })?);
    Some(union.image)
}

fn division_above<S: Carrier>(part: Part, a: &S, b: &S) -> S {
    let ((a0, a1), (b0, b1)) = (a.bounds(), b.bounds());
    match part {
        Part::Quotient => S::range(a.width(), a0 / b1, a1 / b0),
        Part::Remainder => S::range(a.width(), 0, a1.min(b1 - 1)),
    }
}

/// The magnitudes of the values that are not negative (`false`) and of those that are.
fn magnitudes<S: Carrier>(set: &S, aim: Aim) -> Option<[(bool, S); 2]> {
    let sign = 1 << (set.width() - 1);
    let positive = set.clipped(0, sign - 1, aim);
    let negative = set.clipped(sign, mask(set.width()), aim);
    let magnitude =
        if negative.set.is_empty() { Image::exact(negative.set.clone()) } else { negative.set.negative(aim) };
    let exact = positive.is_exact() && negative.is_exact() && magnitude.is_exact();
    exact.then_some([(false, positive.set), (true, magnitude.set)])
}

/// `set`, or its negative.
fn signed_as<S: Carrier>(set: S, negative: bool, aim: Aim) -> Image<S> {
    if negative && !set.is_empty() { set.negative(aim) } else { Image::exact(set) }
}

/// The sign of the result, given those of the operands.
fn result_sign(part: Part, a: bool, b: bool) -> bool {
    match part {
        Part::Quotient => a != b,
        Part::Remainder => a,
    }
}

/// Sound: SMT-LIB defines signed division by unsigned division of magnitudes, by zero as well.
fn signed_division<S: Carrier>(part: Part, a: &S, b: &S, aim: Aim) -> Option<Image<S>> {
    let (a, b) = (magnitudes(a, aim)?, magnitudes(b, aim)?);
    let mut union = Union::new(a[0].1.width(), aim);
    for (sa, x) in a.iter().filter(|(_, x)| !x.is_empty()) {
        for (sb, y) in b.iter().filter(|(_, y)| !y.is_empty()) {
            let image = division(part, x, y, aim)?;
            union.add(image.then(|set| signed_as(set, result_sign(part, *sa, *sb), aim)));
        }
    }
    Some(union.image)
}

fn signed_preimage<S: Carrier>(part: Part, r: &S, position: usize, x: &[&S], aim: Aim) -> Option<Image<S>> {
    let (a, b) = (magnitudes(x[0], aim)?, magnitudes(x[1], aim)?);
    let mut union = Union::new(r.width(), aim);
    for (sa, a) in a.iter().filter(|(_, a)| !a.is_empty()) {
        for (sb, b) in b.iter().filter(|(_, b)| !b.is_empty()) {
            let wanted = signed_as(r.clone(), result_sign(part, *sa, *sb), aim);
            let found = match position {
                0 => undivided(part, &wanted.set, a, b, aim)?,
                _ => divisor(part, &wanted.set, a, b, aim)?,
            };
            let negative = if position == 0 { *sa } else { *sb };
            let found = found.then(|set| signed_as(set, negative, aim));
            union.add(Image { precision: wanted.precision.then(found.precision), set: found.set });
        }
    }
    Some(union.image)
}

/// Dividends of `old` with a result in `r`.
fn undivided<S: Carrier>(part: Part, r: &S, old: &S, by: &S, aim: Aim) -> Option<Image<S>> {
    let width = old.width();
    let mut union = Union::new(width, aim);
    let mut divisors = by.clone();
    if by.contains(0) {
        match part {
            Part::Quotient if r.contains(mask(width)) => return Some(Image::exact(old.clone())),
            Part::Quotient => {}
            Part::Remainder => union.add(r.meet(old, aim)),
        }
        let rest = by.clipped(1, mask(width), aim);
        if rest.set.is_empty() || !rest.is_exact() {
            return rest.is_exact().then_some(union.image);
        }
        divisors = rest.set;
    }
    let (bounds, results) = (divisors.bounds(), r.bounds());
    let above = match part {
        Part::Quotient => {
            let lo = u128::from(results.0) * u128::from(bounds.0);
            let hi = (u128::from(results.1) + 1) * u128::from(bounds.1) - 1;
            let top = u128::from(mask(width));
            if lo > top { S::empty(width) } else { S::range(width, lo as u64, hi.min(top) as u64) }
        }
        Part::Remainder => S::range(width, results.0, mask(width)),
    };
    let above = above.meet(old, Aim::Above).set;
    union.add(each_value(&divisors, &above, aim, |k| {
        Some(match part {
            Part::Quotient => r.unquotient(k, old, aim),
            Part::Remainder => r.unremainder(k, old, aim),
        })
    })?);
    Some(union.image)
}

/// Divisors of `old` with a result in `r`.
fn divisor<S: Carrier>(part: Part, r: &S, a: &S, old: &S, aim: Aim) -> Option<Image<S>> {
    let width = old.width();
    let mut union = Union::new(width, aim);
    let by_zero = match part {
        Part::Quotient => r.contains(mask(width)),
        Part::Remainder => r.intersects(a),
    };
    if by_zero {
        union.add_exact(S::constant(width, 0));
    }
    match part {
        Part::Quotient => divisors_of_quotient(r, a, &mut union)?,
        Part::Remainder if aim == Aim::Below => return None,
        Part::Remainder => {
            // Sound: a remainder is less than its divisor.
            let least = r.bounds().0;
            if least < mask(width) {
                union.add(Image::missed(S::range(width, least + 1, mask(width)), aim));
            }
        }
    }
    Some(union.image.then(|set| set.meet(old, aim)))
}

/// `a0..=a1` divided by `x` covers all from `a0 / x` to `a1 / x`, so it meets `r0..=r1` iff `a1 / x >= r0` and `a0 / x <= r1`.
fn divisors_of_quotient<S: Carrier>(r: &S, a: &S, union: &mut Union<S>) -> Option<()> {
    let (width, aim) = (r.width(), union.aim);
    let mut dense = true;
    a.pieces(|dividends| {
        r.pieces(|results| {
            let exact = dividends.stride <= 1 && results.stride <= 1;
            dense &= exact;
            let below = dividends.lo.checked_div(results.hi.wrapping_add(1)).unwrap_or(0);
            let hi = dividends.hi.checked_div(results.lo).unwrap_or(mask(width));
            if below < hi && (exact || aim == Aim::Above) {
                let lo = below + 1;
                let set = S::range(width, lo, hi);
                union.add(Image { set, precision: Precision::exact_if(exact, aim) });
            }
        });
    });
    (dense || aim == Aim::Above).then_some(())
}

#[derive(Clone, Copy, PartialEq)]
enum Shift {
    Left,
    Right,
    Signed,
}

/// By one amount, whatever it is.
fn shift_by<S: Carrier>(kind: Shift, a: &S, by: u64, aim: Aim) -> Image<S> {
    let width = a.width();
    match kind {
        Shift::Left | Shift::Right if by >= u64::from(width) => Image::exact(S::constant(width, 0)),
        Shift::Left => a.scaled(1 << by, aim),
        Shift::Right => a.quotient(1 << by, aim),
        Shift::Signed => {
            let power = 1 << by.min(u64::from(width) - 1);
            let mut union = Union::new(width, aim);
            for (negative, half) in halves(a, aim) {
                let flip = |set: S| if negative { set.inverted(aim) } else { Image::exact(set) };
                if !half.set.is_empty() {
                    union.add(half.then(flip).then(|set| set.quotient(power, aim)).then(flip));
                }
            }
            union.image
        }
    }
}

/// The values that are not negative and those that are.
fn halves<S: Carrier>(set: &S, aim: Aim) -> [(bool, Image<S>); 2] {
    let sign = 1 << (set.width() - 1);
    [(false, set.clipped(0, sign - 1, aim)), (true, set.clipped(sign, mask(set.width()), aim))]
}

/// The amounts below the width, and the least amount beyond, of which all others beyond are equals.
fn amounts<S: Carrier>(by: &S, aim: Aim) -> Option<(S, Option<u64>)> {
    let width = u64::from(by.width());
    let beyond = (by.bounds().1 >= width).then_some(width);
    let small = by.clipped(0, width - 1, aim);
    small.is_exact().then_some((small.set, beyond))
}

fn shift<S: Carrier>(kind: Shift, a: &S, by: &S, aim: Aim) -> Option<Image<S>> {
    if let Some(by) = by.single() {
        return Some(shift_by(kind, a, by, aim));
    }
    let (small, beyond) = amounts(by, aim)?;
    let above = shift_above(kind, a, &small);
    let mut union = Union::new(a.width(), aim);
    if !small.is_empty() {
        union.add(each_value(&small, &above, aim, |by| Some(shift_by(kind, a, by, aim)))?);
    }
    if let Some(by) = beyond {
        union.add(shift_by(kind, a, by, aim));
    }
    Some(union.image)
}

fn shift_above<S: Carrier>(kind: Shift, a: &S, by: &S) -> S {
    let width = a.width();
    let ((a0, a1), (b0, b1)) = (a.bounds(), if by.is_empty() { (0, 0) } else { by.bounds() });
    let down = |lo, hi| S::range(width, lo, hi);
    match kind {
        Shift::Left if a1.leading_zeros() as u64 + u64::from(width) >= 64 + b1 => down(a0 << b0, a1 << b1),
        Shift::Signed if a1 >> (width - 1) & 1 == 1 => S::full(width),
        Shift::Left => S::full(width),
        Shift::Right | Shift::Signed => down(a0 >> b1, a1 >> b0),
    }
}

fn unshift<S: Carrier>(kind: Shift, r: &S, position: usize, x: &[&S], aim: Aim) -> Option<Image<S>> {
    let (a, by) = (x[0], x[1]);
    let (small, beyond) = amounts(by, aim)?;
    let mut union = Union::new(a.width(), aim);
    if position == 0 {
        if let Some(by) = beyond {
            union.add(unshift_by(kind, r, a, by, aim));
        }
        if !small.is_empty() {
            union.add(each_value(&small, a, aim, |by| Some(unshift_by(kind, r, a, by, aim)))?);
        }
        return Some(union.image);
    }
    small.each(&mut |amount| {
        amount_of(kind, r, a, amount, S::constant(by.width(), amount), &mut union);
        true
    });
    if let Some(amount) = beyond {
        let all = by.clipped(amount, mask(by.width()), aim);
        union.image.precision = union.image.precision.then(all.precision);
        amount_of(kind, r, a, amount, all.set, &mut union);
    }
    Some(union.image)
}

/// Adds `class`, amounts that all shift as `amount` does, if that can lead into `r`.
fn amount_of<S: Carrier>(kind: Shift, r: &S, a: &S, amount: u64, class: S, union: &mut Union<S>) {
    let found = unshift_by(kind, r, a, amount, union.aim);
    let decided = found.is_exact() || found.set.is_empty() == (union.aim == Aim::Above);
    let precision = Precision::exact_if(decided, union.aim);
    let set = if found.set.is_empty() { S::empty(class.width()) } else { class };
    union.add(Image { set, precision });
}

fn unshift_by<S: Carrier>(kind: Shift, r: &S, old: &S, by: u64, aim: Aim) -> Image<S> {
    let width = old.width();
    match kind {
        Shift::Left | Shift::Right if by >= u64::from(width) => {
            Image::exact(if r.contains(0) { old.clone() } else { S::empty(width) })
        }
        Shift::Left => r.unscaled(1 << by, old, aim),
        Shift::Right => r.unquotient(1 << by, old, aim),
        Shift::Signed => {
            let power = 1 << by.min(u64::from(width) - 1);
            let mut union = Union::new(width, aim);
            for (negative, half) in halves(old, aim) {
                let flip = |set: S| match negative && !set.is_empty() {
                    true => set.inverted(aim),
                    false => Image::exact(set),
                };
                if half.set.is_empty() {
                    continue;
                }
                let wanted = flip(r.clone());
                let found = half.then(flip).then(|half| wanted.set.unquotient(power, &half, aim)).then(flip);
                union.add(Image { precision: wanted.precision.then(found.precision), set: found.set });
            }
            union.image
        }
    }
}

/// The first operand above the second: a product and a sum, but the values that give some first bits are a preimage.
fn concatenation<S: Carrier>(width: u32, high: &S, low: &S, aim: Aim) -> Image<S> {
    let power = 1 << low.width();
    let wide = high.resized(width);
    if low.is_full() {
        return wide.unquotient(power, &S::full(width), aim);
    }
    wide.scaled(power, aim).then(|set| set.sum(&low.resized(width), aim))
}

fn unconcatenation<S: Carrier>(r: &S, position: usize, x: &[&S], aim: Aim) -> Image<S> {
    let (high, low) = (x[0], x[1]);
    let (width, power) = (r.width(), 1 << low.width());
    if position == 1 {
        let heads = high.resized(width).unquotient(power, r, aim);
        return heads.then(|set| set.remainder(power, aim)).then(|set| set.resized(low.width()).meet(low, aim));
    }
    let found = match low.is_full() {
        true => r.quotient(power, aim),
        false => {
            let old = high.resized(width);
            r.difference(&low.resized(width), aim).then(|set| set.unscaled(power, &old, aim))
        }
    };
    found.then(|set| set.resized(high.width()).meet(high, aim))
}

fn extraction<S: Carrier>(apply: &Apply, a: &S, aim: Aim) -> Image<S> {
    let shifted = if apply.low == 0 { Image::exact(a.clone()) } else { a.quotient(1 << apply.low, aim) };
    if apply.low + apply.width >= a.width() {
        return shifted.map(|set| set.resized(apply.width));
    }
    shifted.then(|set| set.remainder(1 << apply.width, aim)).map(|set| set.resized(apply.width))
}

fn unextraction<S: Carrier>(apply: &Apply, r: &S, old: &S, aim: Aim) -> Image<S> {
    let wide = r.resized(old.width());
    let top = apply.low + apply.width >= old.width();
    match (apply.low, top) {
        (0, true) => wide.meet(old, aim),
        (0, false) => wide.unremainder(1 << apply.width, old, aim),
        (low, true) => wide.unquotient(1 << low, old, aim),
        (low, false) => {
            let quotients = old.quotient(1 << low, aim);
            let found = quotients.then(|set| wide.unremainder(1 << apply.width, &set, aim));
            found.then(|set| set.unquotient(1 << low, old, aim))
        }
    }
}

fn sign_extension<S: Carrier>(width: u32, a: &S, aim: Aim) -> Image<S> {
    let offset = S::constant(width, mask(width) & !mask(a.width()));
    let mut union = Union::new(width, aim);
    for (negative, half) in halves(a, aim) {
        if !half.set.is_empty() {
            let wide = half.map(|set| set.resized(width));
            union.add(if negative { wide.then(|set| set.sum(&offset, aim)) } else { wide });
        }
    }
    union.image
}

fn unextended<S: Carrier>(r: &S, old: &S, aim: Aim) -> Image<S> {
    let sign = 1 << (old.width() - 1);
    let mut union = Union::new(old.width(), aim);
    let positive = r.clipped(0, sign - 1, aim);
    union.add(positive.map(|set| set.resized(old.width())));
    let negative = r.clipped(mask(r.width()) & !(sign - 1), mask(r.width()), aim);
    if !negative.set.is_empty() && old.width() < r.width() {
        let low = negative.then(|set| set.remainder(1 << old.width(), aim));
        union.add(low.map(|set| set.resized(old.width())));
    } else {
        union.add(negative.map(|set| set.resized(old.width())));
    }
    union.image.then(|set| set.meet(old, aim))
}

/// The truth values that a comparison can have: *true* by the least left and the greatest right, *false* by the others.
#[inline]
fn comparison<S: Carrier>(op: Op, a: &S, b: &S) -> Image<S> {
    let (can_false, can_true) = match op {
        Op::Eq => {
            let meet = a.intersects(b);
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
        (true, true) => S::full(1),
        (false, true) => S::constant(1, 1),
        (true, false) => S::constant(1, 0),
        (false, false) => S::empty(1),
    })
}

fn uncompared<S: Carrier>(op: Op, r: &S, position: usize, x: &[&S], aim: Aim) -> Image<S> {
    let (old, other) = (x[position], x[1 - position]);
    let width = old.width();
    let truth = r.contains(1);
    if op == Op::Eq {
        return match (truth, other.single()) {
            (true, _) => old.meet(other, aim),
            (false, None) => Image::exact(old.clone()),
            (false, Some(value)) => old.without(value, aim),
        };
    }
    let sign = if op == Op::Slt { 1 << (width - 1) } else { 0 };
    let (min, max) = if op == Op::Slt { other.signed_bounds() } else { other.bounds() };
    let (min, max, all) = (min ^ sign, max ^ sign, mask(width));
    let kept = match (position, truth) {
        (0, true) => max.checked_sub(1).map(|hi| (0, hi)),
        (0, false) => Some((min, all)),
        (_, true) => (min < all).then(|| (min + 1, all)),
        (_, false) => Some((0, max)),
    };
    match kept {
        None => Image::exact(S::empty(width)),
        Some((lo, hi)) => rotated_clip(old, lo, hi, sign, aim),
    }
}

/// The values that lie from `lo` to `hi` once their sign bit is flipped as `sign` says.
fn rotated_clip<S: Carrier>(old: &S, lo: u64, hi: u64, sign: u64, aim: Aim) -> Image<S> {
    let all = mask(old.width());
    let (first, last) = ((lo ^ sign) & all, (hi ^ sign) & all);
    if first <= last {
        return old.clipped(first, last, aim);
    }
    let mut union = Union::new(old.width(), aim);
    union.add(old.clipped(0, last, aim));
    union.add(old.clipped(first, all, aim));
    union.image
}

fn unchosen<S: Carrier>(r: &S, position: usize, x: &[&S], aim: Aim) -> Image<S> {
    if position == 0 {
        let mut union = Union::new(1, aim);
        for (value, branch) in [(0, x[2]), (1, x[1])] {
            if x[0].contains(value) && branch.intersects(r) {
                union.add_exact(S::constant(1, value));
            }
        }
        return union.image;
    }
    let old = x[position];
    let own = x[0].contains(2 - position as u64);
    let elsewhere = x[0].contains(position as u64 - 1) && x[3 - position].intersects(r);
    match (own, elsewhere) {
        (_, true) => Image::exact(old.clone()),
        (true, false) => old.meet(r, aim),
        (false, false) => Image::exact(S::empty(old.width())),
    }
}

/// Its blocks, or one block around it all if these are too many and that will do.
fn blocks<S: Carrier>(set: &S, aim: Aim) -> Option<(Blocks, bool)> {
    let mut blocks = Blocks::new();
    if set.cover(&mut blocks) {
        return Some((blocks, true));
    }
    match aim {
        Aim::Above => Some((hull(set), false)),
        Aim::Below => None,
    }
}

fn hull<S: Carrier>(set: &S) -> Blocks {
    let mut common: Option<KnownBits> = None;
    set.pieces(|piece| {
        let bits = KnownBits::of_progression(set.width(), piece.lo, piece.hi, piece.stride);
        common = Some(common.map_or(bits, |common| common.join(&bits, Aim::Above).set));
    });
    let mut blocks = Blocks::new();
    blocks.push(common.unwrap_or(KnownBits::full(set.width())));
    blocks
}

/// The blocks of both; fewer and larger ones if their pairs would be too many.
fn block_pairs<S: Carrier>(a: &S, b: &S, aim: Aim) -> Option<(Blocks, Blocks, bool)> {
    let ((x, xs), (y, ys)) = (blocks(a, aim)?, blocks(b, aim)?);
    if x.len() * y.len() <= BLOCK_PAIRS {
        return Some((x, y, xs && ys));
    }
    (aim == Aim::Above).then(|| (hull(a), hull(b), false))
}

/// `a` and the k of which `b` is one less, if the gate takes the last bits of `a`: a remainder.
fn low_mask<'a, S: Carrier>(gate: Gate, a: &'a S, b: &S) -> Option<(&'a S, u64)> {
    let k = b.single().filter(|_| gate == Gate::And)?.checked_add(1)?;
    (k.is_power_of_two() && k <= mask(a.width())).then_some((a, k))
}

fn bitwise<S: Carrier>(gate: Gate, a: &S, b: &S, aim: Aim) -> Option<Image<S>> {
    if let Some((set, k)) = low_mask(gate, a, b).or_else(|| low_mask(gate, b, a)) {
        return Some(set.remainder(k, aim));
    }
    let (x, y, exact) = block_pairs(a, b, aim)?;
    let mut results = Blocks::new();
    for x in x.slice() {
        for y in y.slice() {
            results.push(KnownBits::bitwise(gate, x, y));
        }
    }
    let image = S::of_bits(a.width(), results.slice(), aim);
    let image = Image { precision: Precision::exact_if(exact, aim).then(image.precision), set: image.set };
    if image.is_exact() || aim == Aim::Below {
        return Some(image);
    }
    let ((a0, a1), (b0, b1)) = (a.bounds(), b.bounds());
    let (lo, hi) = match gate {
        Gate::And => (0, a1.min(b1)),
        Gate::Or => (a0.max(b0), mask(a.width())),
        Gate::Xor => return Some(image),
    };
    Some(image.then(|set| set.clipped(lo, hi, aim)))
}

fn unbitwise<S: Carrier>(gate: Gate, r: &S, other: &S, old: &S, aim: Aim) -> Option<Image<S>> {
    if let Some((_, k)) = low_mask(gate, old, other) {
        return Some(r.unremainder(k, old, aim));
    }
    let (x, y, exact) = block_pairs(r, other, aim)?;
    let around = hull(old);
    let mut results = Blocks::new();
    for x in x.slice() {
        for y in y.slice() {
            let found = KnownBits::unbitwise(gate, x, y).meet(&around.slice()[0], aim).set;
            if !found.is_empty() {
                results.push(found);
            }
        }
    }
    let image = S::of_bits(old.width(), results.slice(), aim).then(|set| set.meet(old, aim));
    Some(Image { precision: Precision::exact_if(exact, aim).then(image.precision), set: image.set })
}
