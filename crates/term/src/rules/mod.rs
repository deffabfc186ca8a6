//! The rewrite rules of the simplifying constructors, as tables: one row a rule.
//!
//! A rule looks at an operator and its arguments (`View`), before the term exists, and gives an equal, simpler term
//! or `None`. Rows carry a `shape`, which serves twice. Its top level (operators, constants and numerals that are
//! arguments) decides where the rule is tried at all, so a rule that does not fit costs nothing.
//! And the harness (`instances`) makes terms from it by itself: every width and constant up to 4 bits, compared on
//! all inputs, and samples of larger widths, compared on some inputs here and by the solver in its own tests. A row
//! whose shape never makes its rule fire fails the harness, so a new row is tested by being there.
//!
//! Shapes: `(op s t)` with the operator table's names. `x y z w` are inputs of any width that fits; `c d e` are
//! constants; `p q` are conditions (one bit); `a b` are arrays; `0 1 -1` are constants of the width that fits. Bounds
//! of `extract`, targets of `zext` and `sext`, the length of a `read` and the contents of a `table` are not written:
//! the harness tries them all. `|` separates the shapes of a rule that has several; each must fire. Constants are
//! written last in commutative operators, as the constructors order them. The other order of two arguments that
//! commute is tried by `Dispatch::fire`: a rule sees its arguments as in its shape at the top level, and looks at
//! both orders below.
//!
//! Directed: the result of every rule is smaller in `measure` (see there), which is monotone in sub-terms, so no
//! sequence of rules is infinite. Enforced by the harness on every instance and, in tests, on every firing.
//!
//! No rule follows a term down: each looks a fixed number of levels deep, or loops (reads through writes, concat
//! chains). A result may make the next rule fire on the next level; `build::make` bounds that nesting.
//!
//! Rejected: matching whole shapes by an interpreter (slower, and half of the rules compute on constants anyway);
//! commuting by searching chains of sums (quadratic; a layer above the constructors can do it once per query).

mod arithmetic;
mod array;
mod bitwise;
mod cast;
mod choice;
mod compare;
pub mod instances;
pub mod measure;
pub mod proof;
mod shape;
mod shift;
#[cfg(test)]
mod tests;

use crate::bits::Bits;
use crate::op::Op;
use crate::store::Term;
use shape::Dispatch;
use std::sync::OnceLock;

/// A rewrite rule.
pub struct Rule {
    /// What it is called in reports.
    pub name: &'static str,
    /// The operator at its top.
    pub op: Op,
    /// What it matches, for the dispatcher and the harness.
    pub shape: &'static str,
    /// The rule itself. It is called only on views that fit the top level of `shape`.
    pub apply: fn(&View) -> Option<Term>,
}

/// A term that does not exist yet.
pub struct View<'a> {
    /// Its operator.
    pub op: Op,
    /// Its width (of the index, for an array).
    pub width: u32,
    /// The lowest bit of an extraction.
    pub low: u32,
    /// Its arguments, constants last where they commute.
    pub args: &'a [&'a Term],
}

impl<'a> View<'a> {
    fn a(&self) -> &'a Term {
        self.args[0]
    }

    fn b(&self) -> &'a Term {
        self.args[1]
    }

    fn c(&self) -> &'a Term {
        self.args[2]
    }

    /// The highest bit of an extraction.
    fn high(&self) -> u32 {
        self.low + self.width - 1
    }

    /// Zero of the result's width.
    fn zero(&self) -> Option<Term> {
        Some(Term::number(self.width, 0))
    }

    /// All ones of the result's width.
    fn ones(&self) -> Option<Term> {
        Some(Term::constant(Bits::ones(self.width)))
    }
}

/// Every table, in the order in which rules are tried.
pub const TABLES: &[(&str, &[Rule])] = &[
    ("array", array::RULES),
    ("choice", choice::RULES),
    ("cast", cast::RULES),
    ("bitwise", bitwise::RULES),
    ("shift", shift::RULES),
    ("arithmetic", arithmetic::RULES),
    ("compare", compare::RULES),
];

/// Every rule.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    TABLES.iter().flat_map(|(_, rules)| rules.iter())
}

fn by_operator() -> &'static [Dispatch<'static>] {
    static INDEX: OnceLock<Vec<Dispatch>> = OnceLock::new();
    INDEX.get_or_init(|| Op::ALL.iter().map(|op| Dispatch::new(all().filter(|rule| rule.op == *op))).collect())
}

/// Sorts the rules by what they look at, which the first term would do otherwise.
pub fn prepare() {
    by_operator();
}

/// The result of the first rule that fires.
pub(crate) fn apply(view: &View) -> Option<Term> {
    let (_rule, result) = by_operator()[view.op as usize].fire(view)?;
    #[cfg(test)]
    tests::fired(_rule, view, &result);
    Some(result)
}

// What the tables share: looking one level down.

/// The arguments of a term with this operator.
fn unary(term: &Term, op: Op) -> Option<&Term> {
    (term.op() == op).then(|| term.arg(0))
}

/// The arguments of a term with this operator.
fn binary(term: &Term, op: Op) -> Option<(&Term, &Term)> {
    (term.op() == op).then(|| (term.arg(0), term.arg(1)))
}

/// `(op x c)` as `x` and `c`.
fn with_const(term: &Term, op: Op) -> Option<(&Term, Bits)> {
    let (x, c) = binary(term, op)?;
    Some((x, c.as_const()?))
}

/// `(op c x)` as `c` and `x`.
fn const_with(term: &Term, op: Op) -> Option<(Bits, &Term)> {
    let (c, x) = binary(term, op)?;
    Some((c.as_const()?, x))
}

/// The other argument of `(op x y)` or `(op y x)`.
fn other<'a>(term: &'a Term, op: Op, x: &Term) -> Option<&'a Term> {
    let (first, second) = binary(term, op)?;
    match () {
        () if first == x => Some(second),
        () if second == x => Some(first),
        () => None,
    }
}

/// `(ite p c d)` as `p`, `c` and `d`.
fn constant_choice(term: &Term) -> Option<(&Term, &Term, &Term)> {
    let is = term.op() == Op::Ite && term.arg(1).is_const() && term.arg(2).is_const();
    is.then(|| (term.arg(0), term.arg(1), term.arg(2)))
}

/// An operator over `(ite p c d)` as argument `at` and constants: the choice between two constants.
fn lift_choice(v: &View, at: usize) -> Option<Term> {
    let (p, then, otherwise) = constant_choice(v.args[at])?;
    let with = |branch: &Term| {
        let mut args = [v.args[0]; 2];
        args[..v.args.len()].copy_from_slice(v.args);
        args[at] = branch;
        crate::build::make(v.op, v.width, v.low, &args[..v.args.len()])
    };
    Some(Term::ite(p, &with(then), &with(otherwise)))
}

fn is_zero(term: &Term) -> bool {
    term.is_const() && term.is_zero()
}

fn is_ones(term: &Term) -> bool {
    term.is_const() && term.is_ones()
}
