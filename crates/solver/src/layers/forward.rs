//! The values that a condition can have, bottom-up from what is known of its variables (PARTI's decision stage, over any domain).
//!
//! Every transfer aims above and reads at unknown places are full, so the result contains each value that the condition has on this path, whether or not
//! inputs occur twice or are tied to each other. One value left decides: false proves *never*; true proves *always*, and the witness shows it.
//! Both values left prove nothing here.

use super::Question;
use rustc_hash::FxHashMap;
use strata_domain::{Aim, Apply, Domain};
use strata_query::Answer;
use strata_term::{Op, Term};

/// Conditions with more nodes are left to others.
const NODES: usize = 128;

/// Decides the question if the condition has one value only.
pub fn decide<D: Domain>(question: &Question<'_>, of: impl Fn(&Term) -> Option<D>) -> Option<Answer> {
    let set = values(&question.condition, of)?;
    match set.single() {
        Some(0) => Some(Answer::Unsat),
        Some(_) => Some(Answer::Sat(question.witness.clone())),
        None => None,
    }
}

fn values<D: Domain>(condition: &Term, of: impl Fn(&Term) -> Option<D>) -> Option<D> {
    let mut done: FxHashMap<u32, D> = FxHashMap::default();
    let mut stack: Vec<&Term> = vec![condition];
    while let Some(&node) = stack.last() {
        if done.contains_key(&node.id()) {
            stack.pop();
            continue;
        }
        if done.len() > NODES || node.width() > 64 {
            return None;
        }
        let before = stack.len();
        // A read is looked up, or can be anything; arrays below it have no values.
        let leaf = matches!(node.op(), Op::Read | Op::Symbol | Op::Const) || node.args().iter().any(Term::is_array);
        if !leaf {
            stack.extend(node.args().iter().filter(|arg| !done.contains_key(&arg.id())));
        }
        if stack.len() == before {
            stack.pop();
            let set = if leaf { leaf_set(node, &of) } else { inner(node, &done) };
            done.insert(node.id(), set);
        }
    }
    done.remove(&condition.id())
}

fn leaf_set<D: Domain>(node: &Term, of: impl Fn(&Term) -> Option<D>) -> D {
    match node.const_u64() {
        Some(value) => D::constant(node.width(), value),
        None => of(node).unwrap_or_else(|| D::full(node.width())),
    }
}

fn inner<D: Domain>(node: &Term, done: &FxHashMap<u32, D>) -> D {
    let operands: Vec<&D> = node.args().iter().map(|arg| &done[&arg.id()]).collect();
    let low = if node.op() == Op::Extract { node.low() } else { 0 };
    let apply = Apply { op: node.op(), width: node.width(), low };
    D::forward(&apply, &operands, Aim::Above).map_or_else(|| D::full(node.width()), |image| image.set)
}
