//! In which manner sets are used: everything that is sound and cheap, or just what a paper describes, so that its figures can be set beside ours.
//!
//! A manner restricts; it never weakens an argument. The corrections that a paper needs to be sound apply in all of them, and an operator that a manner does not
//! know is treated as one that nobody knows.
//!
//! - *PARTI* has multi-intervals only. What it learns from the path: comparisons, sums, differences and products with a constant, extensions, one variable a
//!   constraint. What it decides with, bottom-up: these and shifts to the right, quotients and products by a power of two, and truncation.
//! - *ASE* has strided sets, sums, differences, products and quotients in both directions, remainders forward only, and boxes by one of its two choices. The paper's
//!   machine is unsigned and has one width. C's `int` is signed and its characters are bytes, so the signed forms of the same operators and the casts are allowed here:
//!   without them nothing of the paper's own subjects would be decided.
//!
//! Conjunctions and disjunctions over one variable are taken apart in all of them: where KLEE adds or asks a comparison at a time, we ask for several at once.
//!
//! The builder of terms writes a product by a power of two as a shift, a quotient likewise, and a cast as an extraction or a concatenation with zeros: these are
//! taken for what they were.

use strata_term::{Op, Term};

/// How a box is cut down to a new constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// ASE's first observation: two boxes, one for the sake of either side; the next decision chooses.
    Either,
    /// ASE's second observation: at the middle of the overlap.
    Middle,
}

/// What may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// Everything.
    #[default]
    Everything,
    /// What "PARTI: a multi-interval theory solver" describes.
    Parti,
    /// What "ASE: a value set decision procedure" describes.
    Ase(Choice),
}

impl Manner {
    /// May conditions over one byte be taken as functions of 256 points?
    pub fn points(self) -> bool {
        self == Manner::Everything
    }

    /// May a set be carried back through this node?
    pub fn learns(self, node: &Term) -> bool {
        match self {
            Manner::Everything => true,
            Manner::Parti => match node.op() {
                Op::Mul | Op::Add | Op::Sub | Op::Eq | Op::Ult | Op::Slt | Op::ZExt | Op::SExt => true,
                Op::Not => node.width() == 1,
                Op::Shl => node.arg(1).is_const(),
                Op::Concat => extends(node),
                Op::Extract => node.low() == 0,
                _ => false,
            },
            Manner::Ase(_) => match node.op() {
                Op::Mul | Op::Add | Op::Sub | Op::UDiv | Op::SDiv => true,
                Op::Eq | Op::Ult | Op::Slt | Op::ZExt | Op::SExt => true,
                Op::Not => node.width() == 1,
                Op::Shl | Op::LShr => node.arg(1).is_const(),
                Op::Concat => extends(node),
                Op::Extract => node.low() == 0,
                _ => false,
            },
        }
    }

    /// May a set be carried forward through this node?
    pub fn decides(self, node: &Term) -> bool {
        let also = match self {
            Manner::Everything => return true,
            Manner::Parti => match node.op() {
                Op::LShr => node.arg(1).is_const(),
                Op::UDiv => node.arg(1).is_const(),
                Op::Extract => node.low() == 0,
                Op::Mul => return node.args().iter().any(|arg| arg.const_u64().is_some_and(u64::is_power_of_two)),
                _ => false,
            },
            Manner::Ase(_) => matches!(node.op(), Op::URem | Op::SRem),
        };
        also || self.learns(node)
    }
}

/// Is a concatenation an extension by zeros, or a product by a power of two?
fn extends(node: &Term) -> bool {
    node.args().iter().any(|arg| arg.const_u64() == Some(0))
}
