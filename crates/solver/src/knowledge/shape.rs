//! What a condition is about: its inputs and, where that is cheap, for which of their values it holds. Worked out once for each condition.
//!
//! - One byte: a function of 256 points, so the set is exact whatever operators and tables stand between.
//! - One variable of up to 64 bits that occurs once: the result is carried back down the chain of operators to the variable (PARTI's learning). The set
//!   is exact if each step was; otherwise it is above, and the condition says more than the set.
//! - Two bytes, whatever stands between: a table of 65,536 points (`pairs`).
//! - Two variables compared, or sums of them with constants: an edge of the order (`order`), if the sums do not wrap.

use super::Known;
use super::few::Few;
use super::pairs::Pairs;
use super::parts::Parts;
use super::plain::plainer;
use super::rest::{self, Lefts, Pivots};
use super::set::Set;
use super::support::{Cell, Support, Supports, cells, is_variable};
use crate::manner::Manner;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use strata_domain::{Aim, Apply, ByteSet, Domain, Image, MultiInterval, Precision};
use strata_query::{Range, Values};
use strata_term::{Columns, Op, Term};

/// What a condition says.
#[derive(Debug)]
pub struct Shape {
    pub support: Arc<Support>,
    pub truth: Truth,
    /// Where its variable is found, if it has one only.
    pub cell: Option<Cell>,
    /// A condition that means the same, and of which more can be said.
    pub plainer: Option<Term>,
}

/// For which values a condition holds.
#[derive(Clone, Debug)]
pub enum Truth {
    /// It is about one variable, and holds for these values: for no others, and for all of them if it is exact.
    One { read: Term, set: Set, exact: bool },
    /// It compares two variables of one width, or sums of them with a constant.
    Compared { left: Sum, right: Sum, relation: Relation },
    /// It is about two bytes, and holds for these pairs of values.
    Two { first: Term, second: Term, table: Arc<Pairs> },
    /// Nothing simple.
    Other,
}

/// A variable and a constant, added modulo its width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    pub read: Term,
    pub plus: u64,
}

/// How the left one of two variables is to the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Less, or less or equal.
    Below {
        strict: bool,
        signed: bool,
    },
    /// Greater, or greater or equal.
    Above {
        strict: bool,
        signed: bool,
    },
    Equal,
    Apart,
}

/// Shapes kept before all are forgotten.
const KEPT: usize = 100_000;
/// Sides of a conjunction or disjunction, at most.
const PARTS: usize = 1024;
/// Rows of tables of two bytes (some hundred instructions for each node) that may be computed at the start, or at most at once; what a table earns when its condition is met
/// again, about what the core takes for it; and what every question adds. A program with ever new conditions over two bytes would spend its time on tables.
const ROWS: i64 = 200_000;
const EARNED: i64 = 1000;
const ADDED: i64 = 10;
/// Operators between a condition and its variable, at most.
const STEPS: u32 = 64;

/// What groups keep beside sets and orders.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept {
    /// What conditions over two bytes say, as tables.
    pub tables: bool,
    /// Boxes of solutions.
    pub boxes: bool,
    /// All solutions, if they are few.
    pub points: bool,
    /// Does anybody decide groups by their order? Then those that it says all of need nothing else.
    pub orders: bool,
}

/// Terms over one byte that are kept by their values, at most.
const DIVIDED: usize = 4096;

/// Shapes of conditions met before.
#[derive(Default)]
pub struct Shapes {
    manner: Manner,
    kept: Kept,
    supports: Supports,
    known: FxHashMap<u32, (Term, Arc<Shape>)>,
    pivots: FxHashMap<Term, Arc<Pivots>>,
    nothing: Arc<Pivots>,
    pub(super) lefts: Lefts,
    /// Terms over one byte, as tables.
    columns: Columns,
    /// And by their values, as far as somebody asked for these.
    parts: FxHashMap<u32, (Term, Option<Parts>)>,
    /// Rows that were computed, without those earned.
    rows: i64,
    /// The condition met last: it is asked, answered and added, which is one use of its table.
    last: u32,
    /// Is the condition what is left of another one?
    left: bool,
}

impl Shapes {
    /// For a manner, and what is to be kept beside sets and orders.
    pub fn new(manner: Manner, kept: Kept) -> Shapes {
        Shapes { manner, kept, ..Shapes::default() }
    }

    /// What may be used.
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// What groups keep beside sets and orders.
    pub fn below(&self) -> Kept {
        self.kept
    }

    /// What `condition` (one bit) says.
    pub fn of(&mut self, condition: &Term) -> Arc<Shape> {
        self.rows = (self.rows - ADDED).max(0);
        if let Some((_, shape)) = self.known.get(&condition.id()) {
            if matches!(shape.truth, Truth::Two { .. }) && self.last != condition.id() {
                self.rows = (self.rows - EARNED).max(0);
            }
            self.last = condition.id();
            return shape.clone();
        }
        if self.known.len() > KEPT {
            self.known.clear();
        }
        let support = self.supports.of(condition);
        // What stands in the body of a clause has no value of its own.
        let has_clause = condition.has_clause();
        let truth = if has_clause { Truth::Other } else { self.truth(condition, &support) };
        let cell = match support.reads.as_slice() {
            [read] => cells(read).next(),
            _ => None,
        };
        let put_off = matches!(truth, Truth::Other) && self.is_put_off(&support);
        let other = matches!(truth, Truth::Other | Truth::One { exact: false, .. }) && self.kept.tables && !has_clause;
        let plainer = if other { plainer(condition) } else { None };
        let shape = Arc::new(Shape { support, truth, cell, plainer });
        if put_off {
            return shape;
        }
        self.last = condition.id();
        self.known.insert(condition.id(), (condition.clone(), shape.clone()));
        shape
    }

    /// What a condition says that is left of another one. There are as many of these as there are values to put in: tables are made of them only while all others have been earned.
    pub fn of_left(&mut self, condition: &Term) -> Arc<Shape> {
        self.left = true;
        let shape = self.of(condition);
        self.left = false;
        shape
    }

    /// The parts of a constraint that the set of one variable may decide.
    pub fn pivots(&mut self, constraint: &Term, shape: &Shape) -> Arc<Pivots> {
        if matches!(shape.truth, Truth::One { exact: true, .. }) || !self.kept.tables {
            return self.nothing.clone();
        }
        if let Some(pivots) = self.pivots.get(constraint) {
            return pivots.clone();
        }
        if self.pivots.len() > KEPT {
            self.pivots.clear();
        }
        let pivots = Arc::new(rest::pivots(constraint, shape, self));
        self.pivots.insert(constraint.clone(), pivots.clone());
        pivots
    }

    /// The inputs that a term mentions.
    pub fn support(&mut self, term: &Term) -> Arc<Support> {
        self.supports.of(term)
    }

    /// The values for which a condition over one byte alone holds.
    pub fn byte_set(&mut self, condition: &Term) -> Option<ByteSet> {
        if self.supports.of(condition).reads.len() != 1 {
            return None;
        }
        match &self.of(condition).truth {
            Truth::One { set: Set::Byte(set), exact: true, .. } => Some(*set),
            Truth::One { .. } | Truth::Compared { .. } | Truth::Two { .. } | Truth::Other => None,
        }
    }

    /// Between which values a term over one byte lies. Sound: the byte's set is above, so that it has each value that the byte has on this path; exact, where the set is.
    pub fn range(&mut self, known: &Known, term: &Term) -> Option<Range> {
        let mut range: Option<(u64, u64)> = None;
        let exact = self.each(known, term, |value| {
            let (least, most) = range.unwrap_or((value, value));
            range = Some((least.min(value), most.max(value)));
            true
        })?;
        range.map(|(least, most)| Range { least, most, exact })
    }

    /// The values of a term over one byte of which something is known, in order, if they are few.
    pub fn values(&mut self, known: &Known, term: &Term) -> Option<Values> {
        let (mut few, mut fit) = (Few::default(), true);
        let exact = self.each(known, term, |value| {
            fit = few.add(value);
            fit
        })?;
        if fit { few.sorted(exact) } else { None }
    }

    /// Tells the values of a term over one byte of which something is known, some of them often, until that is enough. Does it have all of them? `None`: they are not known.
    pub fn each(&mut self, known: &Known, term: &Term, tell: impl FnMut(u64) -> bool) -> Option<bool> {
        let support = self.supports.of(term);
        let ([read], []) = (support.reads.as_slice(), support.whole.as_slice()) else { return None };
        if read.width() != 8 {
            return None;
        }
        let group = known.group(read)?;
        let Set::Byte(set) = &group.variable(read)?.set else { return None };
        match self.parts(term, read)? {
            Some(parts) => parts.within(set).map(|(value, _)| value).all(tell),
            None => {
                let table = self.columns.of(term, read)?;
                set.iter().map(|byte| table[usize::from(byte)]).all(tell)
            }
        };
        Some(group.free())
    }

    /// The values of a term over one byte, and where each is met, if they are few.
    fn parts(&mut self, term: &Term, byte: &Term) -> Option<Option<&Parts>> {
        if self.parts.len() > DIVIDED {
            self.parts.clear();
        }
        Some(match self.parts.entry(term.id()) {
            Entry::Occupied(known) => known.into_mut().1.as_ref(),
            Entry::Vacant(new) => {
                let table = self.columns.of(term, byte)?;
                new.insert((term.clone(), Parts::of(|byte| table[usize::from(byte)]))).1.as_ref()
            }
        })
    }

    /// The values of a term over one byte.
    pub fn column(&mut self, term: &Term, byte: &Term) -> Option<&[u64]> {
        self.columns.of(term, byte)
    }

    /// Would the next table of two bytes wait until others were of use?
    fn is_put_off(&self, support: &Support) -> bool {
        self.kept.tables
            && self.rows > if self.left { 0 } else { ROWS }
            && support.reads.len() == 2
            && support.whole.is_empty()
    }

    fn truth(&mut self, condition: &Term, support: &Support) -> Truth {
        match (support.reads.as_slice(), support.whole.as_slice()) {
            ([read], []) if read.width() == 8 && self.manner.points() => match self.columns.of(condition, read) {
                Some(points) => {
                    let set = Set::Byte(ByteSet::of(|value| points[usize::from(value)] & 1 == 1));
                    Truth::One { read: read.clone(), set, exact: true }
                }
                None => Truth::Other,
            },
            ([read], []) if read.width() <= 64 => match self.preimage(condition, true, read, STEPS) {
                Some(Image { set, precision }) => {
                    let exact = precision == Precision::Exact;
                    Truth::One { read: read.clone(), set: Set::of(set), exact }
                }
                None => Truth::Other,
            },
            ([first, second], []) => match compared(condition) {
                Truth::Other
                    if self.kept.tables
                        && let Some(truth) = self.negated(condition) =>
                {
                    truth
                }
                Truth::Other if self.is_put_off(support) => Truth::Other,
                Truth::Other if self.kept.tables && first.width() == 8 && second.width() == 8 => {
                    match Pairs::of(condition, first, second) {
                        Some((table, rows)) => {
                            self.rows += rows as i64;
                            Truth::Two { first: first.clone(), second: second.clone(), table: Arc::new(table) }
                        }
                        None => Truth::Other,
                    }
                }
                truth => truth,
            },
            _ => Truth::Other,
        }
    }

    /// What a condition over two bytes says whose other side was met before.
    fn negated(&self, condition: &Term) -> Option<Truth> {
        let (_, shape) = self.known.get(&condition.not().id())?;
        match &shape.truth {
            Truth::Two { first, second, table } => {
                Some(Truth::Two { first: first.clone(), second: second.clone(), table: Arc::new(table.not()) })
            }
            Truth::One { .. } | Truth::Compared { .. } | Truth::Other => None,
        }
    }

    /// The values of `read`, the only input of `condition`, for which it is `wanted`; or more, as the image says.
    fn preimage(&mut self, condition: &Term, wanted: bool, read: &Term, steps: u32) -> Option<Image<MultiInterval>> {
        let steps = steps.checked_sub(1)?;
        if condition.width() != 1 || condition == read {
            return None;
        }
        match condition.op() {
            Op::Not => self.preimage(condition.arg(0), !wanted, read, steps),
            Op::And | Op::Or => {
                let both = (condition.op() == Op::And) == wanted;
                let mut sides = parts(condition)?.into_iter().map(|side| self.preimage(side, wanted, read, steps));
                let first = sides.next()??;
                sides.try_fold(first, |all, side| {
                    let side = side?;
                    let joined =
                        if both { all.set.meet(&side.set, Aim::Above) } else { all.set.join(&side.set, Aim::Above) };
                    let precision = all.precision.then(side.precision).then(joined.precision);
                    Some(Image { set: joined.set, precision })
                })
            }
            _ => self.chain(condition, wanted, read),
        }
    }

    /// The same down a chain of operators of which one argument each has an input.
    fn chain(&mut self, condition: &Term, wanted: bool, read: &Term) -> Option<Image<MultiInterval>> {
        let mut image = Image::exact(MultiInterval::constant(1, u64::from(wanted)));
        let mut at = condition;
        for _ in 0..STEPS {
            if at == read {
                return Some(image);
            }
            if at.is_array()
                || at.op() == Op::Read
                || !self.manner.learns(at)
                || at.args().iter().any(|arg| arg.is_array() || arg.width() > 64)
            {
                return None;
            }
            let mut symbolic = (0..at.args().len()).filter(|i| !at.arg(*i).is_const());
            let (Some(position), None) = (symbolic.next(), symbolic.next()) else { return None };
            let operands: Vec<MultiInterval> = at.args().iter().map(operand).collect();
            let operands: Vec<&MultiInterval> = operands.iter().collect();
            let low = if at.op() == Op::Extract { at.low() } else { 0 };
            let apply = Apply { op: at.op(), width: at.width(), low };
            let step = MultiInterval::backward(&apply, &image.set, position, &operands, Aim::Above)?;
            image = Image { set: step.set, precision: image.precision.then(step.precision) };
            at = at.arg(position);
        }
        None
    }
}

/// The sides of a conjunction or disjunction of any depth, unless there are too many.
fn parts(condition: &Term) -> Option<Vec<&Term>> {
    let (mut open, mut parts) = (vec![condition], Vec::new());
    while let Some(term) = open.pop() {
        if term.op() == condition.op() {
            open.extend(term.args());
        } else {
            parts.push(term);
        }
        if parts.len() + open.len() > PARTS {
            return None;
        }
    }
    Some(parts)
}

fn operand(term: &Term) -> MultiInterval {
    match term.const_u64() {
        Some(value) => MultiInterval::constant(term.width(), value),
        None => MultiInterval::full(term.width()),
    }
}

fn compared(condition: &Term) -> Truth {
    let (inner, holds) = if condition.op() == Op::Not { (condition.arg(0), false) } else { (condition, true) };
    if !matches!(inner.op(), Op::Eq | Op::Ult | Op::Slt) {
        return Truth::Other;
    }
    let (Some(left), Some(right)) = (sum(inner.arg(0)), sum(inner.arg(1))) else { return Truth::Other };
    let relation = match (inner.op(), holds) {
        (Op::Eq, true) => Relation::Equal,
        (Op::Eq, false) => Relation::Apart,
        (op, true) => Relation::Below { strict: true, signed: op == Op::Slt },
        (op, false) => Relation::Above { strict: false, signed: op == Op::Slt },
    };
    Truth::Compared { left, right, relation }
}

fn sum(term: &Term) -> Option<Sum> {
    let (read, plus) = term.apart();
    // A read of a table, or at an index that an input decides, is none: its values are not the solver's to choose.
    (is_variable(read) && (2..=64).contains(&read.width())).then(|| Sum { read: read.clone(), plus })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of variables are the solver's to choose; what a table holds is not.
    #[test]
    fn what_a_table_holds_is_no_variable() {
        let input = Term::array("in", 32);
        let bytes = [0, 1].map(|at| input.read(&Term::number(32, at), 1));
        let words = [8, 12].map(|at| input.read(&Term::number(32, at), 2));
        let table = Term::constant_array(32, (0..=255).collect::<Arc<[u8]>>());
        let [first, second] = bytes.each_ref().map(|byte| table.read(&byte.zext(32), 2));
        assert!(matches!(compared(&first.eq(&second)), Truth::Other));
        assert!(matches!(compared(&first.ult(&words[0])), Truth::Other));
        assert!(matches!(compared(&words[0].ult(&words[1])), Truth::Compared { .. }));
    }
}
