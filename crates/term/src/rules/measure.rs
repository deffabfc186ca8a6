//! The order in which every rule goes down, and why rewriting ends.
//!
//! A term's measure is the triple (weight, rank, widths), compared lexicographically.
//!
//! - *Weight* adds up a number for each operator over the tree. It says which operators are preferred: extractions
//!   and extensions over masks, masks over sums, sums over products, products over shifts and divisions; equality
//!   over orders. Comparisons weigh in proportion to their width, so that comparing two parts weighs less than
//!   comparing their concatenation. A read weighs as much as its bytes read one by one, each with its own copy of
//!   array and index, less a gain for being one word; a write weighs more than that gain, so that splitting a word to
//!   pass a write pays.
//! - *Rank* breaks ties among rearrangements: it counts pairs of an arithmetic node above a constant summand or a
//!   complement (these float up), and of a concatenation with another, or with an extension, on
//!   its left (the one leans right, the other goes up).
//! - *Widths* adds up the widths of all nodes: what remains equal gets narrower.
//!
//! Each is monotone: a smaller sub-term makes the whole smaller, because what the context adds depends only on
//! sums that the earlier components, or the tie, hold fixed. The numbers are naturals, so no descent is infinite.
//! This file is for harnesses; constructors never measure.

use crate::op::Op;
use crate::store::Term;
use crate::walk::post_order;
use rustc_hash::FxHashMap;

/// How far a term is from being simplest; rules only go down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    weight: u128,
    rank: u128,
    widths: u128,
}

/// A byte read. Each next one is larger than the last, against the constant offsets that a change may add to
/// the index of each byte of a word (at most 2^13 bytes): making one word of two gains more than it may cost.
const JOINED: u128 = 1 << 17;
const WRITE: u128 = 1 << 18;
const BYTE_READ: u128 = 1 << 20;

fn weight(term: &Term, args: u128) -> u128 {
    let compared = || 10 * u128::from(term.arg(0).width());
    args + match term.op() {
        Op::Const | Op::Extract | Op::ZExt => 1,
        Op::Forall => 8,
        Op::Not | Op::SExt => 2,
        Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Bound => 4,
        Op::And | Op::Or | Op::Xor => 5,
        Op::Concat => 9,
        Op::Add | Op::Ite => 10,
        Op::Sub => 11,
        Op::Mul => 12,
        Op::Shl | Op::LShr => 20,
        Op::AShr => 22,
        Op::UDiv | Op::URem => 30,
        Op::SDiv | Op::SRem => 40,
        Op::Eq => compared() + 2,
        Op::Ult => compared() + 6,
        Op::Slt => compared() + 8,
        Op::Write | Op::Table => WRITE,
        Op::Read => {
            let bytes = u128::from(term.width() / 8);
            return bytes * (BYTE_READ + args) - (bytes - 1) * JOINED;
        }
    }
}

/// A constant summand or a complement: rules float it towards the top.
fn floats(term: &Term) -> bool {
    match term.op() {
        Op::Add => term.arg(1).is_const(),
        Op::Sub => term.arg(0).is_const(),
        Op::Not => true,
        Op::Const | Op::Symbol | Op::And | Op::Or | Op::Xor | Op::Mul | Op::UDiv | Op::SDiv | Op::URem => false,
        Op::SRem | Op::Shl | Op::LShr | Op::AShr | Op::Concat | Op::Extract | Op::ZExt | Op::SExt => false,
        Op::Eq | Op::Ult | Op::Slt | Op::Ite | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write => false,
        Op::Read | Op::Bound | Op::Forall => false,
    }
}

#[derive(Clone, Copy, Default)]
struct Sums {
    measure: Measure,
    floating: u128,
    /// Concatenations and zero extensions: these move out of the left side of a concatenation.
    leaning: u128,
}

/// The measure of a term.
pub fn measure(term: &Term) -> Measure {
    let mut done: FxHashMap<u32, Sums> = FxHashMap::default();
    for node in post_order([term]) {
        let mut sums = Sums::default();
        for arg in node.args() {
            let arg = done[&arg.id()];
            sums.measure.weight += arg.measure.weight;
            sums.measure.rank += arg.measure.rank;
            sums.measure.widths += arg.measure.widths;
            sums.floating += arg.floating;
            sums.leaning += arg.leaning;
        }
        sums.measure.weight = weight(node, sums.measure.weight);
        sums.measure.widths += u128::from(node.width());
        let arithmetic = matches!(node.op(), Op::Add | Op::Sub | Op::Mul | Op::Xor);
        if arithmetic && !floats(node) {
            sums.measure.rank += sums.floating;
        }
        if node.op() == Op::Concat {
            sums.measure.rank += done[&node.arg(0).id()].leaning;
        }
        sums.leaning += u128::from(matches!(node.op(), Op::Concat | Op::ZExt));
        sums.floating += u128::from(floats(node));
        done.insert(node.id(), sums);
    }
    done[&term.id()].measure
}
