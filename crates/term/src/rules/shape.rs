//! Shapes read: what a rule's row says about where it applies.

use super::{Rule, View};
use crate::op::Op;
use crate::store::Term;

/// A shape, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `x y z w`: any term of a width that fits.
    Input(char),
    /// `c d e`: a constant.
    Constant(char),
    /// `p q`: a term of one bit.
    Condition(char),
    /// `a b`: an array.
    Array(char),
    /// `0 1 -1`.
    Numeral(i8),
    /// `(op …)`.
    Node(Op, Vec<Shape>),
}

impl Shape {
    /// Reads a shape.
    fn parse(text: &str) -> Result<Shape, String> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut tokens = spaced.split_whitespace();
        let shape = Shape::parse_from(&mut tokens).map_err(|what| format!("{what} in shape `{text}`"))?;
        if tokens.next().is_some() { Err(format!("text after shape `{text}`")) } else { Ok(shape) }
    }

    /// The shapes of a row, separated by `|`.
    pub fn alternatives(text: &str) -> Vec<Shape> {
        text.split('|').map(|shape| Shape::parse(shape).unwrap_or_else(|what| panic!("{what}"))).collect()
    }

    fn parse_from<'a>(tokens: &mut impl Iterator<Item = &'a str>) -> Result<Shape, String> {
        let token = tokens.next().ok_or("an open end")?;
        let letter = token.chars().next().unwrap_or(' ');
        Ok(match token {
            "(" => {
                let name = tokens.next().unwrap_or("");
                let op = Op::ALL.iter().find(|op| op.name() == name).ok_or(format!("unknown operator `{name}`"))?;
                let args = (0..op.info().arity).map(|_| Shape::parse_from(tokens)).collect::<Result<Vec<_>, _>>()?;
                if tokens.next() != Some(")") {
                    return Err(format!("a wrong number of arguments of `{name}`"));
                }
                Shape::Node(*op, args)
            }
            "x" | "y" | "z" | "w" => Shape::Input(letter),
            "c" | "d" | "e" => Shape::Constant(letter),
            "p" | "q" => Shape::Condition(letter),
            "a" | "b" => Shape::Array(letter),
            "0" => Shape::Numeral(0),
            "1" => Shape::Numeral(1),
            "-1" => Shape::Numeral(-1),
            _ => return Err(format!("unknown word `{token}`")),
        })
    }

    /// Is it a constant whatever it is instantiated with?
    pub fn is_constant(&self) -> bool {
        match self {
            Shape::Constant(_) | Shape::Numeral(_) => true,
            Shape::Input(_) | Shape::Condition(_) | Shape::Array(_) | Shape::Node(..) => false,
        }
    }
}

/// What one argument must be for its rule to be tried.
#[derive(Clone, Copy)]
struct Test {
    /// Operators allowed, a bit each.
    ops: u32,
    one_bit: bool,
    numeral: Option<i8>,
}

const ANY: Test = Test { ops: u32::MAX, one_bit: false, numeral: None };
const NONE: Test = Test { ops: 0, one_bit: true, numeral: None };
const _: () = assert!(Op::ALL.len() <= 32);

impl Test {
    fn new(shape: &Shape) -> Test {
        let only = |op: Op| 1 << op as u32;
        match shape {
            Shape::Input(_) | Shape::Array(_) => ANY,
            Shape::Condition(_) => Test { one_bit: true, ..ANY },
            Shape::Constant(_) => Test { ops: only(Op::Const), ..ANY },
            Shape::Numeral(value) => Test { ops: only(Op::Const), numeral: Some(*value), ..ANY },
            Shape::Node(op, _) => Test { ops: only(*op), ..ANY },
        }
    }

    /// What either allows, or more.
    fn or(self, other: Test) -> Test {
        let numeral = if self.ops == 0 || self.numeral == other.numeral { other.numeral } else { None };
        Test { ops: self.ops | other.ops, one_bit: self.one_bit && other.one_bit, numeral }
    }

    fn fits(&self, term: &Term) -> bool {
        self.ops >> term.op() as u32 & 1 == 1
            && (!self.one_bit || term.width() == 1)
            && match self.numeral {
                None => true,
                Some(0) => term.is_zero(),
                Some(-1) => term.is_ones(),
                Some(value) => term.as_const().is_some_and(|c| c.to_u64() == Some(value as u64)),
            }
    }
}

/// A rule with the top level of its shape compiled to tests.
pub(super) struct Entry<'a> {
    pub rule: &'a Rule,
    tests: [Test; 3],
    /// May the arguments be swapped to fit?
    swaps: bool,
}

impl<'a> Entry<'a> {
    pub fn new(rule: &'a Rule) -> Entry<'a> {
        let mut tests = [NONE; 3];
        let mut swaps = false;
        for shape in Shape::alternatives(rule.shape) {
            let Shape::Node(op, args) = shape else { panic!("rule {}: its shape is no term", rule.name) };
            assert_eq!(op, rule.op, "rule {}: its shape starts with another operator", rule.name);
            for (test, arg) in tests.iter_mut().zip(&args) {
                *test = test.or(Test::new(arg));
            }
            // Constants are last already.
            swaps |= op.info().commutes && !args[1].is_constant();
        }
        Entry { rule, tests, swaps }
    }

    fn fits(&self, args: &[&Term]) -> bool {
        args.iter().zip(&self.tests).all(|(arg, test)| test.fits(arg))
    }

    /// The rule's result, with the arguments of a commutative operator in either order.
    pub fn fire(&self, view: &View) -> Option<Term> {
        if self.fits(view.args)
            && let Some(result) = (self.rule.apply)(view)
        {
            return Some(result);
        }
        if !self.swaps || view.args[1].is_const() {
            return None;
        }
        let swapped = [view.args[1], view.args[0]];
        if !self.fits(&swapped) {
            return None;
        }
        (self.rule.apply)(&View { args: &swapped, ..*view })
    }
}
