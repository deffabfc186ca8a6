//! Rules of not, and, or, xor: on bits and, at width one, on conditions.

use super::{Rule, View};
use crate::op::Op;
use crate::store::Term;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "not-not", op: Op::Not, shape: "(not (not x))", apply: not_not },
    Rule { name: "and-zero", op: Op::And, shape: "(and x 0)", apply: and_zero },
    Rule { name: "and-ones", op: Op::And, shape: "(and x -1)", apply: and_ones },
    Rule { name: "and-same", op: Op::And, shape: "(and x x)", apply: and_same },
];

fn not_not(v: &View) -> Option<Term> {
    (v.args[0].op() == Op::Not).then(|| v.args[0].arg(0).clone())
}

fn and_zero(v: &View) -> Option<Term> {
    v.args[1].is_zero().then(|| v.args[1].clone())
}

fn and_ones(v: &View) -> Option<Term> {
    v.args[1].is_ones().then(|| v.args[0].clone())
}

fn and_same(v: &View) -> Option<Term> {
    (v.args[0] == v.args[1]).then(|| v.args[0].clone())
}
