//! The harness that holds every domain to what it claims: transfer functions against sets of integers, by enumeration.
//!
//! Claimed exact must be equal, above a superset, below a subset, for both aims, forward and backward. A domain joins by one row: its
//! `Subject` (how to make its sets) and its line in `rows!`. Tests and the fuzzer call the same functions. How often each operator was exact is counted, so that a
//! claim that is never made shows too.
//!
//! The reference is `strata_term::fold` through a table of all values, and sets of integers as 256 bits: nothing of the domains is used to judge them but
//! `contains`.

use crate::byte_set::ByteSet;
use crate::domain::{Aim, Apply, Domain, Image, Precision};
use crate::known_bits::KnownBits;
use crate::multi_interval::{Interval, MultiInterval};
use crate::reduce::Carrier;
use crate::shifted::Shifted;
use crate::strided::{Strided, StridedSet};
use strata_term::{Bits, Kind, Op, Random, fold, mask};

/// How the harness makes sets of a domain.
pub trait Subject: Domain {
    /// All sets of the domain that have one member, written in one way each.
    fn singles(width: u32) -> Vec<Self>;
    /// Some set of at most a few members.
    fn random(width: u32, random: &mut Random) -> Self;
    /// Some value of a set.
    fn sample(&self, random: &mut Random) -> Option<u64>;
}

/// Calls a macro with every domain and its name as an identifier: one row each.
#[macro_export]
macro_rules! rows {
    ($with:ident) => {
        $with!(multi_interval, $crate::MultiInterval);
        $with!(shifted, $crate::Shifted);
        $with!(strided, $crate::StridedSet);
        $with!(known_bits, $crate::KnownBits);
        $with!(byte_set, $crate::ByteSet);
    };
}

/// A value near a border, a small one, or any.
fn value(width: u32, random: &mut Random) -> u64 {
    random.constant(width).low_u64()
}

impl Subject for MultiInterval {
    fn singles(width: u32) -> Vec<MultiInterval> {
        let all = mask(width);
        let mut sets = vec![MultiInterval::empty(width)];
        for lo in 0..=all {
            sets.extend((lo..=all).map(|hi| MultiInterval::range(width, lo, hi)));
        }
        sets
    }

    fn random(width: u32, random: &mut Random) -> MultiInterval {
        let count = 1 + random.below(random_members(width));
        let mut intervals = Vec::new();
        for _ in 0..count {
            let (a, b) = (value(width, random), value(width, random));
            let near = a.saturating_add(random.number() % 6).min(mask(width));
            let hi = if random.one_in(2) { near } else { a.max(b) };
            intervals.push(Interval { lo: if hi == near { a } else { a.min(b) }, hi });
        }
        MultiInterval::of_intervals(width, &intervals, Aim::Above).set
    }

    fn sample(&self, random: &mut Random) -> Option<u64> {
        let items = self.intervals();
        let item = items.get(random.below(items.len().max(1)))?;
        Some(match random.below(4) {
            0 => item.lo,
            1 => item.hi,
            _ => item.lo + (u128::from(random.number()) % (u128::from(item.hi - item.lo) + 1)) as u64,
        })
    }
}

/// More members for wider sets.
fn random_members(width: u32) -> usize {
    if width > 8 { 5 } else { width as usize }
}

impl Subject for Shifted {
    fn singles(width: u32) -> Vec<Shifted> {
        let shifts = (0..width).map(|shift| (shift, MultiInterval::singles(width - shift)));
        let sets = shifts.flat_map(|(shift, bases)| bases.into_iter().map(move |base| Shifted::new(base, shift)));
        sets.filter(|set| set.shift() > 0 || set.size() <= 6).collect()
    }

    fn random(width: u32, random: &mut Random) -> Shifted {
        let shift = if random.one_in(3) { 0 } else { random.draw(width.min(5)) };
        Shifted::new(MultiInterval::random(width - shift, random), shift)
    }

    fn sample(&self, random: &mut Random) -> Option<u64> {
        self.base().sample(random).map(|value| value << self.shift())
    }
}

impl Subject for StridedSet {
    fn singles(width: u32) -> Vec<StridedSet> {
        let all = mask(width);
        let (mut sets, mut seen) = (vec![StridedSet::empty(width)], Vec::new());
        for lo in 0..=all {
            sets.push(StridedSet::constant(width, lo));
            let strides = (1..=all).flat_map(|stride| (1..=all / stride).map(move |steps| (stride, steps)));
            for (stride, steps) in strides {
                let hi = lo.wrapping_add(steps * stride) & all;
                let set = StridedSet::one(width, Strided { lo, hi, stride });
                let points = Points::of(&set);
                if !seen.contains(&points) {
                    seen.push(points);
                    sets.push(set);
                }
            }
        }
        sets
    }

    fn random(width: u32, random: &mut Random) -> StridedSet {
        let count = 1 + random.below(3);
        let mut members = Vec::new();
        for _ in 0..count {
            let stride = match random.below(4) {
                0 => 1,
                1 => 1 << random.below(width as usize),
                _ => value(width, random).max(1) % 13 + 1,
            };
            let (lo, hi) = (value(width, random), value(width, random));
            let near = lo.wrapping_add(stride.wrapping_mul(random.number() % 9)) & mask(width);
            members.push(Strided::new(width, lo, if random.one_in(2) { near } else { hi }, stride & mask(width)));
        }
        StridedSet::of_members(width, &members, Aim::Above).set
    }

    fn sample(&self, random: &mut Random) -> Option<u64> {
        let members = self.members();
        let member = members.get(random.below(members.len().max(1)))?;
        let one = StridedSet::one(self.width(), *member);
        let index = match random.below(4) {
            0 => 0,
            1 => one.size() - 1,
            _ => u128::from(random.number()) % one.size(),
        };
        Some(member.lo.wrapping_add((index as u64).wrapping_mul(member.stride)) & mask(self.width()))
    }
}

impl Subject for KnownBits {
    fn singles(width: u32) -> Vec<KnownBits> {
        let mut sets = vec![KnownBits::empty(width)];
        for zeros in 0..=mask(width) {
            sets.extend(
                (0..=mask(width)).filter(|ones| zeros & ones == 0).map(|ones| KnownBits::new(width, zeros, ones)),
            );
        }
        sets
    }

    fn random(width: u32, random: &mut Random) -> KnownBits {
        let (known, bits) = (value(width, random) | value(width, random), random.number());
        KnownBits::new(width, known & bits, known & !bits)
    }

    fn sample(&self, random: &mut Random) -> Option<u64> {
        self.least().map(|least| least | random.number() & self.unknown())
    }
}

impl Subject for ByteSet {
    fn singles(width: u32) -> Vec<ByteSet> {
        MultiInterval::singles(width).iter().filter_map(ByteSet::of_intervals).collect()
    }

    fn random(width: u32, random: &mut Random) -> ByteSet {
        let thin = random.number() & random.number();
        let words = [random.number() & thin, random.number(), random.number() & thin, thin];
        ByteSet::of_words(words).meet(&ByteSet::full(8), Aim::Above).set.narrowed(width)
    }

    fn sample(&self, random: &mut Random) -> Option<u64> {
        let skip = random.below(256) as u128 % self.size().max(1);
        self.iter().nth(skip as usize).map(u64::from)
    }
}

impl ByteSet {
    /// Its values below 2^width.
    fn narrowed(&self, width: u32) -> ByteSet {
        let kept: Vec<u64> = self.iter().map(u64::from).filter(|value| *value <= mask(width)).collect();
        ByteSet::of_points(width, &kept, Aim::Above).set
    }
}

/// A set of integers below 256.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Points([u64; 4]);

impl Points {
    fn of<D: Domain>(set: &D) -> Points {
        let mut points = Points::default();
        for value in (0..=mask(set.width())).filter(|value| set.contains(*value)) {
            points.insert(value);
        }
        points
    }

    fn insert(&mut self, value: u64) {
        self.0[(value >> 6) as usize] |= 1 << (value & 63);
    }

    fn has(&self, value: u64) -> bool {
        self.0[(value >> 6) as usize] >> (value & 63) & 1 == 1
    }

    fn add(&mut self, other: &Points) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }

    fn meets(&self, other: &Points) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    fn within(&self, other: &Points) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| a & !b == 0)
    }

    fn values(&self) -> impl Iterator<Item = u64> + '_ {
        let next = |rest: &mut [u64; 4]| {
            let word = rest.iter().position(|word| *word != 0)?;
            let at = rest[word].trailing_zeros();
            rest[word] &= rest[word] - 1;
            Some(word as u64 * 64 + u64::from(at))
        };
        let mut rest = self.0;
        std::iter::from_fn(move || next(&mut rest))
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// An operator on operands of given widths, and all its values.
pub struct Shape {
    /// The operator.
    pub apply: Apply,
    /// Widths of its operands.
    pub widths: Vec<u32>,
    /// By operands, the last one fastest; empty for shapes that are too wide to enumerate.
    table: Vec<u64>,
}

impl Shape {
    fn new(apply: Apply, widths: &[u32]) -> Shape {
        Shape { apply, widths: widths.to_vec(), table: Vec::new() }
    }

    /// With the table of all values.
    fn enumerated(mut self) -> Shape {
        let bits: u32 = self.widths.iter().sum();
        self.table = (0..1u64 << bits).map(|index| self.evaluate(&self.split(index))).collect();
        self
    }

    fn split(&self, mut index: u64) -> Vec<u64> {
        let mut values = vec![0; self.widths.len()];
        for (value, width) in values.iter_mut().zip(&self.widths).rev() {
            *value = index & mask(*width);
            index >>= width;
        }
        values
    }

    pub(crate) fn evaluate(&self, values: &[u64]) -> u64 {
        let bits = |i: usize| Bits::new(self.widths.get(i).copied().unwrap_or(1), values.get(i).copied().unwrap_or(0));
        let references = [&bits(0), &bits(1), &bits(2)];
        let value = fold(self.apply.op, self.apply.width, self.apply.low, &references[..values.len()]);
        value.expect("a value").low_u64()
    }

    /// All operators that have transfer functions.
    pub fn operators() -> impl Iterator<Item = Op> {
        let array = |op: &Op| matches!(op.info().kind, Kind::Leaf | Kind::Array | Kind::Clause);
        Op::ALL.iter().copied().filter(move |op| !array(op))
    }

    /// Shapes of an operator with operands of one small width: all of them.
    fn all(op: Op, width: u32) -> Vec<Shape> {
        let one = |result: u32, widths: &[u32]| vec![Shape::new(Apply::new(op, result), widths)];
        match op.info().kind {
            Kind::Uniform if op.info().arity == 1 => one(width, &[width]),
            Kind::Uniform => one(width, &[width, width]),
            Kind::Predicate => one(1, &[width, width]),
            Kind::Choice => one(width, &[1, width, width]),
            Kind::Leaf | Kind::Array | Kind::Clause => Vec::new(),
            Kind::Cast if op == Op::Concat => one(2 * width, &[width, width]),
            Kind::Cast if op == Op::Extract => {
                let parts = (0..width).flat_map(|low| (1..=width - low).map(move |part| (low, part)));
                parts.map(|(low, part)| Shape::new(Apply { op, width: part, low }, &[width])).collect()
            }
            Kind::Cast => (width..=width + 2).map(|to| Shape::new(Apply::new(op, to), &[width])).collect(),
        }
    }

    /// A shape of an operator whose widest part has this width.
    pub(crate) fn random(op: Op, width: u32, random: &mut Random) -> Shape {
        let apply = Apply::new(op, width);
        match op.info().kind {
            Kind::Uniform if op.info().arity == 1 => Shape::new(apply, &[width]),
            Kind::Uniform => Shape::new(apply, &[width, width]),
            Kind::Predicate => Shape::new(Apply::new(op, 1), &[width, width]),
            Kind::Choice => Shape::new(apply, &[1, width, width]),
            Kind::Cast if op == Op::Concat => {
                let low = 1 + random.draw(width - 1);
                Shape::new(apply, &[width - low, low])
            }
            Kind::Cast if op == Op::Extract => {
                let low = random.draw(width);
                Shape::new(Apply { op, width: 1 + random.draw(width - low), low }, &[width])
            }
            Kind::Cast | Kind::Leaf | Kind::Array | Kind::Clause => Shape::new(apply, &[1 + random.draw(width)]),
        }
    }

    /// The results of `value` at `position` with some of the others' values.
    fn row(&self, position: usize, value: u64, operands: &[Points]) -> Points {
        let mut results = Points::default();
        let mut one = Points::default();
        one.insert(value);
        self.walk(operands, Some((position, &one)), |result| {
            results.insert(result);
            false
        });
        results
    }

    /// Calls `visit` with the result of each combination until it says true; `instead` replaces one operand. Did it?
    fn walk(&self, x: &[Points], instead: Option<(usize, &Points)>, mut visit: impl FnMut(u64) -> bool) -> bool {
        let mut unit = Points::default();
        unit.insert(0);
        let set = |i: usize| match instead {
            Some((position, set)) if position == i => set,
            Some(_) | None => x.get(i).unwrap_or(&unit),
        };
        let width = |i: usize| self.widths.get(i).copied().unwrap_or(0);
        let (second, third) = (width(1), width(2));
        let mut rest = [0; 256];
        let mut count = 0;
        for b in set(1).values() {
            for c in set(2).values().take(256) {
                rest[count % 256] = b << third | c;
                count += 1;
            }
            if count > 256 {
                return self.walk_slowly([set(0), set(1), set(2)], third, visit);
            }
        }
        set(0)
            .values()
            .any(|a| rest[..count].iter().any(|index| visit(self.table[(a << (second + third) | index) as usize])))
    }

    fn walk_slowly(&self, x: [&Points; 3], third: u32, mut visit: impl FnMut(u64) -> bool) -> bool {
        let second = self.widths[1];
        x[0].values().any(|a| {
            x[1].values().any(|b| {
                let index = (a << second | b) << third;
                x[2].values().any(|c| visit(self.table[(index | c) as usize]))
            })
        })
    }

    fn image(&self, operands: &[Points]) -> Points {
        let mut results = Points::default();
        self.walk(operands, None, |result| {
            results.insert(result);
            false
        });
        results
    }

    /// The same for two operands, where nearly all time goes.
    fn preimage_of_two(&self, result: &Points, position: usize, operands: &[Points]) -> Points {
        let mut found = Points::default();
        let others: Vec<u64> = operands[1 - position].values().collect();
        let (own, other) = if position == 0 { (self.widths[1], 0) } else { (0, self.widths[1]) };
        for value in operands[position].values() {
            if others.iter().any(|y| result.has(self.table[(value << own | y << other) as usize])) {
                found.insert(value);
            }
        }
        found
    }

    fn preimage(&self, result: &Points, position: usize, operands: &[Points]) -> Points {
        let mut found = Points::default();
        if operands.len() == 1 {
            operands[0]
                .values()
                .filter(|value| result.has(self.table[*value as usize]))
                .for_each(|value| found.insert(value));
            return found;
        }
        if operands.len() == 2 {
            return self.preimage_of_two(result, position, operands);
        }
        for value in operands[position].values() {
            let mut one = Points::default();
            one.insert(value);
            if self.walk(operands, Some((position, &one)), |value| result.has(value)) {
                found.insert(value);
            }
        }
        found
    }
}

/// How often an operator was asked, was exact, and gave up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Transfers.
    pub asked: u64,
    /// Claimed exact.
    pub exact: u64,
    /// Without an answer.
    pub none: u64,
    /// Transfers where all other operands are constants.
    pub asked_constant: u64,
    /// Of these, claimed exact.
    pub exact_constant: u64,
}

impl Tally {
    fn count<S>(&mut self, image: &Option<Image<S>>, constant: bool) {
        let exact = image.as_ref().is_some_and(Image::is_exact);
        self.asked += 1;
        self.exact += u64::from(exact);
        self.none += u64::from(image.is_none());
        self.asked_constant += u64::from(constant);
        self.exact_constant += u64::from(constant && exact);
    }
}

/// Forward and backward transfers of one operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Operands to result.
    pub forward: Tally,
    /// Result to operand.
    pub backward: Tally,
}

/// Is the image what it claims to be, and on the side that was asked for?
fn judge<D: Domain>(image: &Image<D>, truth: &Points, width: u32, aim: Aim) -> Result<(), String> {
    let found = Points::of(&image.set);
    let holds = match image.precision {
        Precision::Exact => found == *truth,
        Precision::Above => aim == Aim::Above && truth.within(&found),
        Precision::Below => aim == Aim::Below && found.within(truth),
    };
    let size = image.set.size() >= u128::from(found.count());
    let least = image.set.least() == found.values().next();
    let single = image.set.single().is_none_or(|one| found.count() == 1 && found.has(one));
    let empty = image.set.is_empty() == (found.count() == 0);
    match holds && size && least && single && empty && image.set.width() == width {
        true => Ok(()),
        false => {
            let truth: Vec<u64> = truth.values().collect();
            Err(format!("gives {image:?}, asked {aim:?}; the truth is {truth:?}"))
        }
    }
}

fn constant_but<D: Domain>(operands: &[&D], position: Option<usize>) -> bool {
    let singles = operands.iter().enumerate().filter(|(i, set)| Some(*i) == position || set.single().is_some()).count();
    match position {
        Some(_) => singles == operands.len(),
        None => singles + 1 >= operands.len(),
    }
}

fn check_forward<D: Domain>(
    shape: &Shape,
    x: &[&D],
    truth: &Points,
    aim: Aim,
    tally: &mut Tally,
) -> Result<(), String> {
    let image = D::forward(&shape.apply, x, aim);
    tally.count(&image, constant_but(x, None));
    let Some(image) = image else { return Ok(()) };
    judge(&image, truth, shape.apply.width, aim)
        .map_err(|why| format!("{}: forward {:?} of {x:?} {why}", D::NAME, shape.apply))
}

fn check_backward<D: Domain>(
    shape: &Shape,
    result: &D,
    position: usize,
    x: &[&D],
    truth: &Points,
    aim: Aim,
    tally: &mut Tally,
) -> Result<(), String> {
    let image = D::backward(&shape.apply, result, position, x, aim);
    tally.count(&image, constant_but(x, Some(position)));
    let Some(image) = image else { return Ok(()) };
    judge(&image, truth, x[position].width(), aim)
        .map_err(|why| format!("{}: backward {:?} of {x:?} at {position} into {result:?} {why}", D::NAME, shape.apply))
}

/// All sets of the domain at this width, once each; the empty one is among them.
fn universe<D: Domain>(width: u32) -> Vec<D> {
    let values = 1u32 << width;
    let subset = |bits: u64| (0..u64::from(values)).filter(move |value| bits >> value & 1 == 1).collect::<Vec<_>>();
    let images = (0..1u64 << values).map(|bits| D::of_points(width, &subset(bits), Aim::Above));
    images.filter(Image::is_exact).map(|image| image.set).collect()
}

/// Transfers of one operator over all pairs of the given sets of each width; for backward transfers the pairs are of result and other
/// operand, and the operand itself is everything or goes through the sets.
struct Pairs<'a, D> {
    sets: &'a dyn Fn(u32) -> Vec<D>,
    report: Report,
}

impl<D: Domain> Pairs<'_, D> {
    fn run(&mut self, shape: &Shape) -> Result<(), String> {
        match shape.widths.len() {
            1 => self.unary(shape),
            2 => self.binary(shape),
            _ => self.choice(shape),
        }
    }

    fn unary(&mut self, shape: &Shape) -> Result<(), String> {
        let width = shape.widths[0];
        let results = if shape.apply.width <= 4 { (self.sets)(shape.apply.width) } else { D::few(shape.apply.width) };
        let sets = (self.sets)(width);
        let targets: Vec<Points> = results.iter().map(Points::of).collect();
        for (i, x) in sets.iter().enumerate() {
            let points = [Points::of(x)];
            let image = shape.image(&points);
            for aim in [Aim::Above, Aim::Below] {
                check_forward(shape, &[x], &image, aim, &mut self.report.forward)?;
            }
            for (j, result) in results.iter().enumerate() {
                let truth = shape.preimage(&targets[j], 0, &points);
                let aim = if (i + j) % 2 == 0 { Aim::Above } else { Aim::Below };
                check_backward(shape, result, 0, &[x], &truth, aim, &mut self.report.backward)?;
            }
        }
        Ok(())
    }

    fn binary(&mut self, shape: &Shape) -> Result<(), String> {
        let lists = [(self.sets)(shape.widths[0]), (self.sets)(shape.widths[1])];
        let wide = shape.apply.width > 4;
        let results = if wide { D::few(shape.apply.width) } else { (self.sets)(shape.apply.width) };
        let targets: Vec<Points> = results.iter().map(Points::of).collect();
        for position in 0..2 {
            let (own, others) = (&lists[position], &lists[1 - position]);
            let sets: Vec<Points> = own.iter().map(Points::of).collect();
            let full = D::full(shape.widths[position]);
            for (j, other) in others.iter().enumerate() {
                let mut points = [Points::of(other); 2];
                points[position] = Points::of(&full);
                let rows: Vec<Points> =
                    (0..=mask(shape.widths[position])).map(|value| shape.row(position, value, &points)).collect();
                if position == 0 {
                    self.forward_rows(shape, own, &sets, other, &rows, j)?;
                }
                // The other order of a commuting operator is the same code: some of it will do.
                let step = if position == 1 && shape.apply.op.info().commutes { 8 } else { 1 };
                for (k, result) in results.iter().enumerate().step_by(step) {
                    let old = if (j + k) % 2 == 0 { &full } else { &own[(7 * j + 3 * k) % own.len()] };
                    let mut truth = Points::default();
                    for (value, row) in (0u64..).zip(&rows) {
                        if row.meets(&targets[k]) && old.contains(value) {
                            truth.insert(value);
                        }
                    }
                    let aim = if (j + k / 2) % 2 == 0 { Aim::Above } else { Aim::Below };
                    let mut x = [other; 2];
                    x[position] = old;
                    check_backward(shape, result, position, &x, &truth, aim, &mut self.report.backward)?;
                }
            }
        }
        Ok(())
    }

    fn forward_rows(
        &mut self,
        shape: &Shape,
        own: &[D],
        sets: &[Points],
        other: &D,
        rows: &[Points],
        j: usize,
    ) -> Result<(), String> {
        for (i, x) in own.iter().enumerate() {
            let mut truth = Points::default();
            for (value, row) in (0u64..).zip(rows) {
                if sets[i].has(value) {
                    truth.add(row);
                }
            }
            let aim = if (i + j).is_multiple_of(2) { Aim::Above } else { Aim::Below };
            check_forward(shape, &[x, other], &truth, aim, &mut self.report.forward)?;
        }
        Ok(())
    }

    fn choice(&mut self, shape: &Shape) -> Result<(), String> {
        let (conditions, sets) = ((self.sets)(1), (self.sets)(shape.widths[1]));
        for condition in &conditions {
            for (i, a) in sets.iter().enumerate() {
                for (j, b) in sets.iter().enumerate().filter(|(j, _)| (i + j) % 5 == 0 || sets.len() < 40) {
                    let x = [condition, a, b];
                    let points = x.map(Points::of);
                    let aim = if (i + j / 5) % 2 == 0 { Aim::Above } else { Aim::Below };
                    check_forward(shape, &x, &shape.image(&points), aim, &mut self.report.forward)?;
                    let result = &sets[(11 * i + 5 * j) % sets.len()];
                    let position = (i + j / 5) % 3;
                    let truth = shape.preimage(&Points::of(result), position, &points);
                    check_backward(shape, result, position, &x, &truth, aim, &mut self.report.backward)?;
                }
            }
        }
        Ok(())
    }
}

/// A few sets of a width at which there are too many.
trait Few: Domain {
    fn few(width: u32) -> Vec<Self>;
}

impl<D: Domain> Few for D {
    fn few(width: u32) -> Vec<D> {
        let mut random = Random(u64::from(width));
        let mut sets = vec![D::full(width), D::constant(width, 0), D::constant(width, mask(width))];
        for _ in 0..24 {
            let keep = random.number();
            let points: Vec<u64> =
                (0..=mask(width)).filter(|value| keep >> (value % 64) & 1 == 1 && random.one_in(2)).collect();
            sets.push(D::of_points(width, &points, Aim::Above).set);
        }
        sets
    }
}

fn over<D: Domain>(op: Op, widths: &[u32], sets: &dyn Fn(u32) -> Vec<D>) -> Result<Report, String> {
    let mut pairs = Pairs { sets, report: Report::default() };
    for width in widths {
        for shape in Shape::all(op, *width).into_iter().filter(|shape| shape.apply.width <= D::WIDEST) {
            pairs.run(&shape.enumerated())?;
        }
    }
    Ok(pairs.report)
}

/// All pairs of sets at these widths, at most 3.
pub fn all_sets<D: Domain>(op: Op, widths: &[u32]) -> Result<Report, String> {
    over::<D>(op, widths, &universe::<D>)
}

/// All pairs of sets with one member.
pub fn all_singles<D: Subject>(op: Op, width: u32) -> Result<Report, String> {
    over::<D>(op, &[width], &D::singles)
}

/// A set for a random trial: often a constant or everything.
fn draw<D: Subject>(width: u32, random: &mut Random) -> D {
    match random.below(8) {
        0 | 1 => D::constant(width, value(width, random)),
        2 => D::full(width),
        _ => D::random(width, random),
    }
}

/// `count` random pairs at widths 5 to 8, each forward and backward.
pub fn random_pairs<D: Subject>(op: Op, count: u64, seed: u64) -> Result<Report, String> {
    let mut random = Random(seed ^ (op as u64) << 40);
    let mut report = Report::default();
    let mut shape = Shape::random(op, 5, &mut random).enumerated();
    for i in 0..count {
        // A table of two bytes takes longer to make than to look into many times.
        if i % if shape.table.len() > 1 << 10 { 1024 } else { 64 } == 0 {
            // Narrow ones are checked much faster.
            let width = *random.pick(&[5, 5, 5, 5, 6, 6, 6, 7, 7, 8]);
            shape = Shape::random(op, width, &mut random).enumerated();
        }
        let sets: Vec<D> = shape.widths.iter().map(|width| draw(*width, &mut random)).collect();
        let x: Vec<&D> = sets.iter().collect();
        let points: Vec<Points> = sets.iter().map(Points::of).collect();
        let aim = if random.one_in(2) { Aim::Above } else { Aim::Below };
        let image = shape.image(&points);
        check_forward(&shape, &x, &image, aim, &mut report.forward)?;
        let position = random.below(sets.len());
        let result: D = match image.values().nth(random.below(4)) {
            Some(value) if random.one_in(4) => D::constant(shape.apply.width, value),
            Some(_) | None => draw(shape.apply.width, &mut random),
        };
        let truth = shape.preimage(&Points::of(&result), position, &points);
        check_backward(&shape, &result, position, &x, &truth, aim, &mut report.backward)?;
    }
    Ok(report)
}

/// `count` random trials at 16 to 64 bits: what members evaluate to must lie where the transfers say.
pub fn wide_properties<D: Subject>(op: Op, count: u64, seed: u64) -> Result<Report, String> {
    let mut random = Random(seed ^ (op as u64) << 40);
    let mut report = Report::default();
    for _ in 0..count {
        let width = *random.pick(&[16, 24, 32, 33, 48, 63, 64]);
        let shape = Shape::random(op, width, &mut random);
        let sets: Vec<D> = shape.widths.iter().map(|width| draw(*width, &mut random)).collect();
        for aim in [Aim::Above, Aim::Below] {
            wide_forward(&shape, &sets, aim, &mut random, &mut report.forward)?;
            wide_backward(&shape, &sets, aim, &mut random, &mut report.backward)?;
        }
    }
    Ok(report)
}

fn samples<D: Subject>(sets: &[D], random: &mut Random) -> Option<Vec<u64>> {
    sets.iter().map(|set| set.sample(random)).collect()
}

fn wide_forward<D: Subject>(
    shape: &Shape,
    sets: &[D],
    aim: Aim,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let x: Vec<&D> = sets.iter().collect();
    let image = D::forward(&shape.apply, &x, aim);
    tally.count(&image, constant_but(&x, None));
    let Some(image) = image.filter(|image| image.precision != Precision::Below) else { return Ok(()) };
    for _ in 0..8 {
        let Some(values) = samples(sets, random) else { return Ok(()) };
        let result = shape.evaluate(&values);
        if !image.set.contains(result) || image.set.least().is_none_or(|least| least > result) {
            return Err(format!(
                "{}: forward {:?} of {x:?} gives {image:?}, but {values:?} give {result}",
                D::NAME,
                shape.apply
            ));
        }
    }
    Ok(())
}

/// Aimed above, what samples evaluate to must be found again; exact or below, what is found must lead into the result when the others are constants.
fn wide_backward<D: Subject>(
    shape: &Shape,
    sets: &[D],
    aim: Aim,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let x: Vec<&D> = sets.iter().collect();
    let position = random.below(sets.len());
    let Some(hit) = samples(sets, random) else { return Ok(()) };
    let target = D::constant(shape.apply.width, shape.evaluate(&hit));
    let result =
        if random.one_in(2) { target } else { draw::<D>(shape.apply.width, random).join(&target, Aim::Above).set };
    let image = D::backward(&shape.apply, &result, position, &x, aim);
    tally.count(&image, constant_but(&x, Some(position)));
    let Some(image) = image else { return Ok(()) };
    let wrong = |why: String| {
        Err(format!(
            "{}: backward {:?} of {x:?} at {position} into {result:?} gives {image:?}, {why}",
            D::NAME,
            shape.apply
        ))
    };
    for _ in 0..8 {
        let Some(mut values) = samples(sets, random) else { return Ok(()) };
        let lost = image.precision != Precision::Below && !image.set.contains(values[position]);
        if lost && result.contains(shape.evaluate(&values)) {
            return wrong(format!("without what {values:?} show"));
        }
        let Some(found) = image.set.sample(random) else { continue };
        values[position] = found;
        let good = sets[position].contains(found) && result.contains(shape.evaluate(&values));
        if image.precision != Precision::Above && constant_but(&x, Some(position)) && !good {
            return wrong(format!("but {values:?} do not lead there"));
        }
    }
    Ok(())
}

/// Meet, join and complement of all pairs of sets at width 3 and of random ones at 5 to 8, both aims.
pub fn lattice<D: Subject>(count: u64, seed: u64) -> Result<(), String> {
    let sets = universe::<D>(3);
    for a in &sets {
        for b in &sets {
            check_lattice(a, b)?;
        }
    }
    let mut random = Random(seed);
    for _ in 0..count {
        let width = 5 + random.draw(4);
        check_lattice(&draw::<D>(width, &mut random), &draw::<D>(width, &mut random))?;
    }
    Ok(())
}

fn check_lattice<D: Domain>(a: &D, b: &D) -> Result<(), String> {
    let (x, y, all) = (Points::of(a), Points::of(b), Points::of(&D::full(a.width())));
    let each = |join: &dyn Fn(u64, u64, u64) -> u64| {
        let mut points = Points::default();
        (0..4).for_each(|i| points.0[i] = join(x.0[i], y.0[i], all.0[i]));
        points
    };
    for aim in [Aim::Above, Aim::Below] {
        judge(&a.meet(b, aim), &each(&|x, y, _| x & y), a.width(), aim)
            .map_err(|why| format!("{}: {a:?} meet {b:?} {why}", D::NAME))?;
        judge(&a.join(b, aim), &each(&|x, y, _| x | y), a.width(), aim)
            .map_err(|why| format!("{}: {a:?} join {b:?} {why}", D::NAME))?;
        judge(&a.complement(aim), &each(&|x, _, all| all & !x), a.width(), aim)
            .map_err(|why| format!("{}: complement of {a:?} {why}", D::NAME))?;
    }
    if a.is_full() && x != all {
        return Err(format!("{}: {a:?} is not full", D::NAME));
    }
    Ok(())
}

/// `backward_all` against its definition, on random operands at widths 5 and 6: each value that is kept leads into the result with *all* values of the others.
pub fn universal<D: Subject>(op: Op, count: u64, seed: u64) -> Result<Tally, String> {
    let mut random = Random(seed ^ (op as u64) << 40);
    let mut tally = Tally::default();
    let mut shape = Shape::random(op, 5, &mut random).enumerated();
    for i in 0..count {
        if i % 64 == 0 {
            shape = Shape::random(op, 5 + random.draw(2), &mut random).enumerated();
        }
        let sets: Vec<D> = shape.widths.iter().map(|width| draw(*width, &mut random)).collect();
        let x: Vec<&D> = sets.iter().collect();
        let points: Vec<Points> = sets.iter().map(Points::of).collect();
        let (position, result) = (random.below(sets.len()), draw::<D>(shape.apply.width, &mut random));
        let wanted = Points::of(&result);
        let mut truth = Points::default();
        for value in points[position].values().filter(|value| shape.row(position, *value, &points).within(&wanted)) {
            truth.insert(value);
        }
        let image = D::backward_all(&shape.apply, &result, position, &x);
        tally.count(&image, constant_but(&x, Some(position)));
        let Some(image) = image else { continue };
        judge(&image, &truth, x[position].width(), Aim::Below).map_err(|why| {
            format!("{}: all of {:?} of {x:?} at {position} into {result:?} {why}", D::NAME, shape.apply)
        })?;
    }
    Ok(tally)
}
