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

/// What the dispatcher sees of an argument, a number below 64: its operator and whether it is one bit wide; of a
/// constant, whether it is 0, 1 or -1.
fn class(term: &Term) -> usize {
    let narrow = usize::from(term.width() == 1);
    match term.op() {
        Op::Const => match (term.is_zero(), term.is_ones(), term.is_one()) {
            (true, _, _) => CONSTANTS + 4 * narrow,
            (_, true, _) => CONSTANTS + 1 + 4 * narrow,
            (_, _, true) => CONSTANTS + 2,
            (false, false, false) => CONSTANTS + 3,
        },
        // No shape names these: to a rule they are like an input.
        Op::Bound | Op::Forall => Op::Symbol as usize + OTHERS * narrow - 1,
        op => op as usize + OTHERS * narrow - 1,
    }
}

/// Operators other than constants that a shape can name.
const OTHERS: usize = Op::Bound as usize - 1;
/// The first class of constants.
const CONSTANTS: usize = 2 * OTHERS;
const _: () = assert!(CONSTANTS + 6 <= 64 && Op::Const as usize == 0);
const _: () = assert!(Op::Bound as usize + 2 == Op::ALL.len() && Op::Forall as usize + 1 == Op::ALL.len());

/// The classes that a shape allows at the top of an argument, a bit each.
fn classes(shape: &Shape) -> u64 {
    let one_bit = 0b11_0000 << CONSTANTS | ((1 << OTHERS) - 1) << OTHERS;
    match shape {
        Shape::Input(_) | Shape::Array(_) => u64::MAX,
        Shape::Condition(_) => one_bit,
        Shape::Constant(_) => 0b11_1111 << CONSTANTS,
        Shape::Numeral(0) => 0b01_0001 << CONSTANTS,
        Shape::Numeral(-1) => 0b10_0010 << CONSTANTS,
        Shape::Numeral(_) => 0b10_0100 << CONSTANTS,
        Shape::Node(op, _) => (1 | 1 << OTHERS) << (*op as usize - 1),
    }
}

/// The rules of one operator (at most 64), indexed by the classes of the arguments at which they are tried.
pub(super) struct Dispatch<'a> {
    rules: Vec<&'a Rule>,
    /// For each argument and class, the rules whose shape allows it, a bit each.
    fitting: [[u64; 64]; 3],
    /// The rules that want the arguments in either order.
    swapping: u64,
}

impl<'a> Dispatch<'a> {
    pub fn new(rules: impl IntoIterator<Item = &'a Rule>) -> Dispatch<'a> {
        let mut dispatch = Dispatch { rules: Vec::new(), fitting: [[0; 64]; 3], swapping: 0 };
        for rule in rules {
            dispatch.insert(rule);
        }
        dispatch
    }

    fn insert(&mut self, rule: &'a Rule) {
        let bit = 1 << self.rules.len();
        self.rules.push(rule);
        assert!(self.rules.len() <= 64, "more than 64 rules of {:?}: widen the sets", rule.op);
        for shape in Shape::alternatives(rule.shape) {
            let Shape::Node(op, args) = shape else { panic!("rule {}: its shape is no term", rule.name) };
            assert_eq!(op, rule.op, "rule {}: its shape starts with another operator", rule.name);
            for (table, arg) in self.fitting.iter_mut().zip(&args) {
                let classes = classes(arg);
                let allowed = table.iter_mut().enumerate().filter(|(class, _)| classes >> class & 1 == 1);
                allowed.for_each(|(_, rules)| *rules |= bit);
            }
            // Constants are last already.
            if op.info().commutes && !args[1].is_constant() {
                self.swapping |= bit;
            }
        }
    }

    /// The first rule that fires, and its result. Arguments that commute are tried in either order.
    pub fn fire(&self, view: &View) -> Option<(&'a Rule, Term)> {
        let mut straight = u64::MAX;
        let mut swapped = if view.args.len() == 2 { self.swapping } else { 0 };
        for (i, arg) in view.args.iter().enumerate() {
            let class = class(arg);
            straight &= self.fitting[i][class];
            swapped &= self.fitting[1 - i.min(1)][class];
        }
        let mut candidates = straight | swapped;
        while candidates != 0 {
            let number = candidates.trailing_zeros();
            candidates &= candidates - 1;
            let rule = self.rules[number as usize];
            if straight >> number & 1 == 1
                && let Some(result) = (rule.apply)(view)
            {
                return Some((rule, result));
            }
            if swapped >> number & 1 == 1
                && let Some(result) = (rule.apply)(&View { args: &[view.args[1], view.args[0]], ..*view })
            {
                return Some((rule, result));
            }
        }
        None
    }
}
