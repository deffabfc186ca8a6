//! Terms made from the shapes of rules, for harnesses: all small ones, samples of large ones, and random terms.
//!
//! One generator serves both: it walks a shape and asks `Choices` wherever there is something to choose (a width, a
//! constant, the bounds of an extraction, an order of arguments). `every` answers with each combination in turn,
//! `sample` at random. A choice that leads to an ill-sorted term abandons the attempt, which is all the type
//! inference that shapes need.
//!
//! This is for tests, of this crate and of the solver (which proves the sampled pairs equal); nothing else uses it.

use super::shape::{Dispatch, Shape};
use super::{Rule, View};
use crate::bits::Bits;
use crate::op::{Kind, Op};
use crate::random::Random;
use crate::store::Term;
use crate::term::check;
use crate::walk::post_order;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A term that fits a rule's shape, as it stands, and what the rule makes of it.
pub struct Instance {
    /// Built without simplifying.
    pub raw: Term,
    /// The rule's result, if it fires. Built with the simplifying constructors.
    pub simplified: Option<Term>,
}

/// What the generator asks.
trait Choices {
    /// A number below `n`.
    fn pick(&mut self, n: usize) -> usize;
    /// A width for a leaf on which nothing depends yet.
    fn width(&mut self) -> u32;
    /// A width for an array's index.
    fn index_width(&mut self) -> u32;
    /// A constant.
    fn constant(&mut self, width: u32) -> Bits;
    /// Is a term of this width too large?
    fn exceeds(&self, width: u32) -> bool;
}

/// Every combination of choices, like an odometer whose wheels appear as they are asked for.
struct Every {
    wheels: Vec<(usize, usize)>,
    position: usize,
    max_width: u32,
    /// Terms of arrays have whole bytes: their widths are bounded more generously.
    bytes: bool,
}

impl Every {
    /// Goes to the next combination; false if there is none.
    fn advance(&mut self) -> bool {
        self.position = 0;
        while let Some((digit, size)) = self.wheels.last_mut() {
            *digit += 1;
            if digit < size {
                return true;
            }
            self.wheels.pop();
        }
        false
    }
}

impl Choices for Every {
    fn pick(&mut self, n: usize) -> usize {
        if self.position == self.wheels.len() {
            self.wheels.push((0, n));
        }
        let (digit, size) = self.wheels[self.position];
        assert_eq!(size, n, "the generator asks the same questions after the same answers");
        self.position += 1;
        digit
    }

    fn width(&mut self) -> u32 {
        1 + self.pick(self.max_width as usize) as u32
    }

    /// Few cells, so that words wrap around.
    fn index_width(&mut self) -> u32 {
        1 + self.pick(3) as u32
    }

    fn constant(&mut self, width: u32) -> Bits {
        if width <= 6 {
            return Bits::new(width, self.pick(1 << width) as u64);
        }
        let corners = [0, 1, 2, 0x55, 0x7f, 0x80, 0xff, u64::MAX - 1, u64::MAX];
        Bits::new(width, corners[self.pick(corners.len())])
    }

    fn exceeds(&self, width: u32) -> bool {
        width > if self.bytes { 32 } else { self.max_width }
    }
}

struct Sampled<'a> {
    random: &'a mut Random,
    /// The width of this attempt.
    width: u32,
    index_widths: &'a [u32],
}

impl Choices for Sampled<'_> {
    fn pick(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    /// Mostly the given width; sometimes a part of it, for concatenations and extensions.
    fn width(&mut self) -> u32 {
        match self.random.below(3) {
            0 => 1 + self.random.below(self.width as usize) as u32,
            1 => self.width.div_ceil(2),
            _ => self.width,
        }
    }

    fn index_width(&mut self) -> u32 {
        self.index_widths[self.random.below(self.index_widths.len())]
    }

    fn constant(&mut self, width: u32) -> Bits {
        self.random.constant(width)
    }

    fn exceeds(&self, width: u32) -> bool {
        width > 2 * self.width.max(32)
    }
}

struct Maker<'a> {
    choices: &'a mut dyn Choices,
    bound: FxHashMap<char, Term>,
}

impl Maker<'_> {
    /// A term of this shape, of width `want` if given (an array's is its index's); `None` if the choices so far do
    /// not allow it.
    fn make(&mut self, shape: &Shape, want: Option<u32>) -> Option<Term> {
        let (Shape::Input(letter) | Shape::Constant(letter) | Shape::Condition(letter) | Shape::Array(letter)) = shape
        else {
            return self.unnamed(shape, want);
        };
        if let Some(term) = self.bound.get(letter) {
            return want.is_none_or(|want| want == term.width()).then(|| term.clone());
        }
        let name = letter.to_string();
        let term = match shape {
            Shape::Array(_) => Term::array(&name, self.index_width(want)?),
            Shape::Condition(_) if want.unwrap_or(1) == 1 => Term::symbol(&name, 1),
            Shape::Condition(_) => return None,
            Shape::Constant(_) => {
                let width = want.unwrap_or_else(|| self.choices.width());
                Term::constant(self.choices.constant(width))
            }
            Shape::Input(_) | Shape::Numeral(_) | Shape::Node(..) => {
                Term::symbol(&name, want.unwrap_or_else(|| self.choices.width()))
            }
        };
        self.bound.insert(*letter, term.clone());
        Some(term)
    }

    fn unnamed(&mut self, shape: &Shape, want: Option<u32>) -> Option<Term> {
        let Shape::Node(op, args) = shape else {
            let width = want.unwrap_or_else(|| self.choices.width());
            let Shape::Numeral(value) = shape else { return None };
            let one = Bits::one(width);
            return Some(Term::constant(if *value < 0 { one.neg() } else { Bits::new(width, *value as u64) }));
        };
        let term = self.node(*op, args, want)?;
        let fits = want.is_none_or(|want| want == term.width()) && !self.choices.exceeds(term.width());
        fits.then_some(term)
    }

    fn node(&mut self, op: Op, args: &[Shape], want: Option<u32>) -> Option<Term> {
        match op.info().kind {
            Kind::Leaf | Kind::Clause => None,
            Kind::Uniform => {
                let first = self.make(&args[0], want)?;
                if args.len() == 1 {
                    return raw(op, first.width(), 0, &[&first]);
                }
                let second = self.make(&args[1], Some(first.width()))?;
                let width = first.width();
                self.pair(op, width, args, first, second)
            }
            Kind::Predicate => {
                let first = self.make(&args[0], None)?;
                let second = self.make(&args[1], Some(first.width()))?;
                self.pair(op, 1, args, first, second)
            }
            Kind::Choice => {
                let condition = self.make(&args[0], Some(1))?;
                let then = self.make(&args[1], want)?;
                let otherwise = self.make(&args[2], Some(then.width()))?;
                raw(op, then.width(), 0, &[&condition, &then, &otherwise])
            }
            Kind::Cast => self.cast(op, args, want),
            Kind::Array => self.array(op, args, want),
        }
    }

    /// Two arguments, in either order if they commute; constants stay last.
    fn pair(&mut self, op: Op, width: u32, args: &[Shape], first: Term, second: Term) -> Option<Term> {
        let commutes = op.info().commutes && !args[1].is_constant();
        let swap = commutes && self.choices.pick(2) == 1;
        if swap { raw(op, width, 0, &[&second, &first]) } else { raw(op, width, 0, &[&first, &second]) }
    }

    fn cast(&mut self, op: Op, args: &[Shape], want: Option<u32>) -> Option<Term> {
        let first = self.make(&args[0], None)?;
        let from = first.width();
        match op {
            Op::Concat => {
                let second = match want {
                    Some(want) => self.make(&args[1], Some(want.checked_sub(from).filter(|rest| *rest > 0)?))?,
                    None => self.make(&args[1], None)?,
                };
                raw(op, from + second.width(), 0, &[&first, &second])
            }
            Op::Extract => {
                let width = match want {
                    Some(want) => want,
                    None => 1 + self.choices.pick(from as usize) as u32,
                };
                let low = self.choices.pick(from.checked_sub(width)? as usize + 1) as u32;
                raw(op, width, low, &[&first])
            }
            _ => {
                let width = match want {
                    Some(want) => want,
                    None => from.max(self.choices.width()),
                };
                raw(op, width, 0, &[&first])
            }
        }
    }

    /// The index width of an array, which no wanted width above 64 can be.
    fn index_width(&mut self, want: Option<u32>) -> Option<u32> {
        let width = want.unwrap_or_else(|| self.choices.index_width());
        (width <= 64).then_some(width)
    }

    fn array(&mut self, op: Op, args: &[Shape], want: Option<u32>) -> Option<Term> {
        match op {
            Op::Fill => {
                let width = self.index_width(want)?;
                Some(Term::fill(width, &self.make(&args[0], Some(8))?))
            }
            Op::Table => {
                let base = self.make(&args[0], want)?;
                let length = self.choices.pick(1 << base.width().min(2)) + 1;
                Some(Term::table(&base, (0..length).map(|i| (37 * i + 113) as u8).collect::<Arc<[u8]>>()))
            }
            Op::Write => {
                let array = self.make(&args[0], want)?;
                let index = self.make(&args[1], Some(array.width()))?;
                let value = self.make(&args[2], Some(8))?;
                raw(op, array.width(), 0, &[&array, &index, &value])
            }
            _ => {
                let array = self.make(&args[0], None)?;
                let index = self.make(&args[1], Some(array.width()))?;
                let width = want.unwrap_or_else(|| 8 * (1 + self.choices.pick(3) as u32));
                raw(op, width, 0, &[&array, &index])
            }
        }
    }
}

fn raw(op: Op, width: u32, low: u32, args: &[&Term]) -> Option<Term> {
    check(op, width, low, args).ok()?;
    Some(Term::raw(op, width, low, args))
}

fn has_arrays(shape: &Shape) -> bool {
    match shape {
        Shape::Array(_) => true,
        Shape::Node(op, args) => op.info().kind == Kind::Array || args.iter().any(has_arrays),
        Shape::Input(_) | Shape::Constant(_) | Shape::Condition(_) | Shape::Numeral(_) => false,
    }
}

fn instance(dispatch: &Dispatch, raw: Term) -> Instance {
    let low = if raw.op() == Op::Extract { raw.low() } else { 0 };
    let args: Vec<&Term> = raw.args().iter().collect();
    let simplified = dispatch.fire(&View { op: raw.op(), width: raw.width(), low, args: &args });
    let simplified = simplified.map(|(_, result)| result);
    Instance { raw, simplified }
}

/// Calls `each` with the number of a shape of the rule and each of its instances in which no term is wider than
/// `max_width`. Where the shape has arrays, their bytes are exempt from that and their constants are samples.
pub fn every(rule: &Rule, max_width: u32, mut each: impl FnMut(usize, &Instance)) {
    let (dispatch, shapes) = (Dispatch::new([rule]), Shape::alternatives(rule.shape));
    for (alternative, shape) in shapes.iter().enumerate() {
        let mut choices = Every { wheels: Vec::new(), position: 0, max_width, bytes: has_arrays(shape) };
        loop {
            let mut maker = Maker { choices: &mut choices, bound: FxHashMap::default() };
            if let Some(raw) = maker.make(shape, None) {
                each(alternative, &instance(&dispatch, raw));
            }
            if !choices.advance() {
                break;
            }
        }
    }
}

/// Of an array, the byte at an unknown index: arrays that agree on it are equal.
fn observed(term: Term) -> Term {
    if !term.is_array() {
        return term;
    }
    let index = Term::symbol("observed", term.width());
    Term::raw(Op::Read, 8, 0, &[&term, &index])
}

/// Up to `count` instances around `width`, with random and corner constants, on which the rule fires: pairs of a raw
/// and a simplified bit-vector that must be equal (of arrays, the byte at an unknown index).
pub fn sample(rule: &Rule, width: u32, count: usize, random: &mut Random) -> Vec<(Term, Term)> {
    let (dispatch, shapes) = (Dispatch::new([rule]), Shape::alternatives(rule.shape));
    let mut pairs = Vec::new();
    for attempt in 0..count * 200 {
        if pairs.len() == count {
            break;
        }
        let mut choices = Sampled { random, width, index_widths: &[8, 16, 32, 64] };
        let mut maker = Maker { choices: &mut choices, bound: FxHashMap::default() };
        let Some(raw) = maker.make(&shapes[attempt % shapes.len()], None) else { continue };
        let instance = instance(&dispatch, raw);
        pairs.extend(instance.simplified.map(|simplified| (observed(instance.raw), observed(simplified))));
    }
    pairs
}

/// Random raw terms, with much sharing and many constants, so that rules meet what they look for.
pub struct RandomTerms {
    /// Where the choices come from.
    pub random: Random,
    /// The widest term wanted (single terms may be wider by a few bytes).
    pub max_width: u32,
    /// The width of array indices.
    pub index_width: u32,
    shapes: Vec<Shape>,
    made: Vec<Term>,
}

impl RandomTerms {
    /// A generator.
    pub fn new(seed: u64, max_width: u32, index_width: u32) -> RandomTerms {
        let shapes = super::all().flat_map(|rule| Shape::alternatives(rule.shape)).collect();
        RandomTerms { random: Random(seed), max_width, index_width, shapes, made: Vec::new() }
    }

    /// Forgets the terms made so far, which later ones may share.
    pub fn forget(&mut self) {
        self.made.clear();
    }

    fn width(&mut self) -> u32 {
        if self.random.below(4) == 0 { 1 } else { 1 + self.random.below(self.max_width as usize) as u32 }
    }

    /// A term of this width with at most `depth` operators above each other.
    pub fn term(&mut self, width: u32, depth: u32) -> Term {
        if self.random.below(4) == 0 {
            let fitting: Vec<&Term> = self.made.iter().filter(|t| t.width() == width && !t.is_array()).collect();
            if !fitting.is_empty() {
                return fitting[self.random.below(fitting.len())].clone();
            }
        }
        let term = if depth == 0 { self.leaf(width) } else { self.node(width, depth - 1) };
        self.made.push(term.clone());
        term
    }

    fn leaf(&mut self, width: u32) -> Term {
        if self.random.below(2) == 0 {
            return Term::constant(self.random.constant(width));
        }
        let name = ["x", "y"][self.random.below(2)];
        Term::symbol(&format!("{name}{width}"), width)
    }

    fn node(&mut self, width: u32, depth: u32) -> Term {
        if self.random.below(2) == 0 {
            let shape = self.random.below(self.shapes.len());
            if let Some(term) = self.shaped(shape, Some(width), depth) {
                return term;
            }
        }
        let op = Op::ALL[self.random.below(Op::ALL.len())];
        match op.info().kind {
            Kind::Uniform => {
                let first = self.term(width, depth);
                if op == Op::Not {
                    return Term::raw(op, width, 0, &[&first]);
                }
                let second = if self.random.below(2) == 0 { self.leaf(width) } else { self.term(width, depth) };
                Term::raw(op, width, 0, &[&first, &second])
            }
            Kind::Predicate if width == 1 => {
                let from = self.width();
                let (first, second) = (self.term(from, depth), self.term(from, depth));
                Term::raw(op, width, 0, &[&first, &second])
            }
            Kind::Choice => {
                let condition = self.term(1, depth);
                let (first, second) = (self.term(width, depth), self.term(width, depth));
                Term::raw(op, width, 0, &[&condition, &first, &second])
            }
            Kind::Cast => self.cast(op, width, depth),
            Kind::Array => self.read(width, depth),
            Kind::Leaf | Kind::Predicate | Kind::Clause => self.leaf(width),
        }
    }

    /// How many shapes all rules have.
    pub fn shapes(&self) -> usize {
        self.shapes.len()
    }

    /// An instance of a shape of some rule, with random terms for its inputs; `None` if the attempt led to none of
    /// this width.
    pub fn shaped(&mut self, shape: usize, width: Option<u32>, depth: u32) -> Option<Term> {
        let shape = &self.shapes[shape];
        let from = self.max_width;
        let mut choices = Sampled { random: &mut self.random, width: from, index_widths: &[self.index_width] };
        let mut maker = Maker { choices: &mut choices, bound: FxHashMap::default() };
        let instance = maker.make(shape, width).filter(|term| !term.is_array())?;
        let mut done: FxHashMap<u32, Term> = FxHashMap::default();
        for node in post_order([&instance]) {
            let filled = match node.op() {
                Op::Symbol => self.term(node.width(), depth),
                _ => node.raw_with(&node.args().iter().map(|arg| &done[&arg.id()]).collect::<Vec<_>>()),
            };
            done.insert(node.id(), filled);
        }
        done.remove(&instance.id())
    }

    fn cast(&mut self, op: Op, width: u32, depth: u32) -> Term {
        if op == Op::Extract {
            let from = width.max(self.width());
            let low = self.random.below((from - width) as usize + 1) as u32;
            let arg = self.term(from, depth);
            return Term::raw(op, width, low, &[&arg]);
        }
        if width == 1 {
            return self.leaf(width);
        }
        let from = 1 + self.random.below(width as usize - 1) as u32;
        let first = self.term(from, depth);
        if op == Op::Concat {
            let second = self.term(width - from, depth);
            return Term::raw(op, width, 0, &[&first, &second]);
        }
        Term::raw(op, width, 0, &[&first])
    }

    fn read(&mut self, width: u32, depth: u32) -> Term {
        let bytes = width.div_ceil(8);
        let array = self.array(depth);
        let index = self.index();
        let word = Term::raw(Op::Read, bytes * 8, 0, &[&array, &index]);
        if bytes * 8 == width {
            return word;
        }
        let low = self.random.below((bytes * 8 - width) as usize + 1) as u32;
        Term::raw(Op::Extract, width, low, &[&word])
    }

    /// One of few indices, so that they meet.
    fn index(&mut self) -> Term {
        let offset = Term::number(self.index_width, self.random.number() % 4);
        if self.random.below(2) == 0 {
            return offset;
        }
        let base = Term::symbol("i", self.index_width);
        Term::raw(Op::Add, self.index_width, 0, &[&base, &offset])
    }

    fn array(&mut self, depth: u32) -> Term {
        let width = self.index_width;
        let base = match (depth, self.random.below(4)) {
            (0, 0) => return Term::fill(width, &Term::symbol("f", 8)),
            (0, _) => return Term::array("a", width),
            (_, 0) => {
                let base = self.array(depth - 1);
                let contents: Vec<u8> = (0..1 + self.random.below(2)).map(|_| self.random.number() as u8).collect();
                return Term::table(&base, contents.into());
            }
            (_, 1) => {
                let (p, then, otherwise) = (self.term(1, depth - 1), self.array(depth - 1), self.array(depth - 1));
                return Term::raw(Op::Ite, width, 0, &[&p, &then, &otherwise]);
            }
            (_, _) => self.array(depth - 1),
        };
        let (index, value) = (self.index(), self.term(8, depth - 1));
        Term::raw(Op::Write, width, 0, &[&base, &index, &value])
    }
}
