//! The rewrite rules of the simplifying constructors, as tables: one row a rule.
//!
//! A rule looks at an operator and its arguments (`View`), before the term exists, and gives an equal, simpler term or `None`. Rows carry a
//! `shape`, from which the harness makes instances by itself: it enumerates widths and constants, checks the rule's result against
//! the term as it stands on all inputs at widths 1 to 4, and asks the solver at larger widths. A row whose shape
//! never makes its rule fire fails the harness, so a new row is tested by being there.
//!
//! Shapes: `(op a b)` with the operator table's names; `x y z` are inputs of any width that fits; `c d e` are constants, enumerated; `p q` are
//! conditions (one bit); `a` is an array; numbers are constants (`0`, `1`, `-1`) of the width that fits.
//!
//! Directed: every rule's result is smaller in this order: fewer nodes above the same arguments, then operators further left in
//! const < symbol < read < extract < zext < sext < concat < not < bitwise < eq < ult < slt < ite < add < sub < mul < shifts < division, then arguments in order.

mod array;
mod bitwise;

use crate::op::Op;
use crate::store::Term;
use std::sync::OnceLock;

/// A rewrite rule.
pub struct Rule {
    /// What it is called in reports.
    pub name: &'static str,
    /// The operator at its top.
    pub op: Op,
    /// What it matches, for the harness.
    pub shape: &'static str,
    /// The rule itself.
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

/// Every table, in the order in which rules are tried.
pub const TABLES: &[&[Rule]] = &[array::RULES, bitwise::RULES];

/// Every rule.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    TABLES.iter().copied().flatten()
}

fn by_operator() -> &'static [Vec<&'static Rule>] {
    static INDEX: OnceLock<Vec<Vec<&'static Rule>>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index: Vec<Vec<&Rule>> = Op::ALL.iter().map(|_| Vec::new()).collect();
        for rule in all() {
            index[rule.op as usize].push(rule);
        }
        index
    })
}

/// The result of the first rule that fires.
pub(crate) fn apply(view: &View) -> Option<Term> {
    by_operator()[view.op as usize].iter().find_map(|rule| (rule.apply)(view))
}
