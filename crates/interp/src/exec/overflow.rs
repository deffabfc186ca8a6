//! Whether an operator leaves the range of its width: as a question, and where ranges answer it.
//!
//! The question about a product is one about a product of twice the width, which no core decides
//! in reasonable time when both factors are wide. Most such questions need no core: the factors
//! were extended from a narrower type, or the path bounds them. So the ranges of the operands are
//! computed first, in 128-bit integers. The layers tell the range of a leaf on this path
//! (`Solver::range`); sums, differences and products above leaves are computed here, because the
//! layers' ranges are unsigned and a product of signed factors fills them.
//!
//! Sound: every bound is an overapproximation, and an operator inside an operand that may wrap is
//! a leaf itself.

use crate::end::{End, ErrorKind, Fault};
use crate::machine::Machine;
use crate::state::State;
use std::ops::RangeInclusive;
use strata_ir::OverflowOp;
use strata_term::{Op, Term, mask};

/// Levels of sums and products whose range is computed from those of their operands. Each level may
/// double the number of leaves; source expressions are seldom deeper.
const DEPTH: u32 = 3;

/// The values of a term: no others are possible.
type Bounds = RangeInclusive<i128>;

impl Machine<'_> {
    pub(super) fn check_overflow(
        &mut self,
        state: &mut State,
        op: OverflowOp,
        x: &Term,
        y: &Term,
        text: &'static str,
    ) -> Result<(), End> {
        let (x, y) = (self.settle(state, x, "an operand")?, self.settle(state, y, "an operand")?);
        let good = self.overflow(state, op, &x, &y).not();
        self.demand(state, &good, |_| Fault::new(ErrorKind::Overflow, text))
    }

    /// One bit: does the operation leave the range of its width? Constant where ranges say so.
    pub(crate) fn overflow(&mut self, state: &State, op: OverflowOp, x: &Term, y: &Term) -> Term {
        let signed = match op {
            OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => true,
            OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul => false,
        };
        if x.is_const() && y.is_const() || x.width() > 64 {
            return overflows(op, x, y);
        }
        let (a, b) = (self.bounds_of(state, x, signed, DEPTH), self.bounds_of(state, y, signed, DEPTH));
        let result = match op {
            OverflowOp::UAdd | OverflowOp::SAdd => sum(&a, &b),
            OverflowOp::USub | OverflowOp::SSub => difference(&a, &b),
            OverflowOp::UMul | OverflowOp::SMul => product(&a, &b),
        };
        if within(&result, &all(x.width(), signed)) { Term::bool(false) } else { overflows(op, x, y) }
    }

    /// The values of a term of at most 64 bits on the state's path, or more.
    fn bounds_of(&mut self, state: &State, term: &Term, signed: bool, depth: u32) -> Bounds {
        let every = all(term.width(), signed);
        if let Some(deeper) = depth.checked_sub(1) {
            let args = term.args();
            let combine: Option<fn(&Bounds, &Bounds) -> Bounds> = match term.op() {
                Op::Add => Some(sum),
                Op::Sub => Some(difference),
                Op::Mul => Some(product),
                Op::SExt if signed => return self.bounds_of(state, &args[0], true, deeper),
                Op::ZExt if !signed || args[0].width() < term.width() => {
                    return self.bounds_of(state, &args[0], false, deeper);
                }
                Op::Const | Op::Symbol | Op::Read | Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite => None,
                Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr => None,
                Op::Extract | Op::Concat | Op::ZExt | Op::SExt | Op::Eq | Op::Ult | Op::Slt => None,
                Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Bound | Op::Forall => None,
            };
            if let Some(combine) = combine {
                let (a, b) =
                    (self.bounds_of(state, &args[0], signed, deeper), self.bounds_of(state, &args[1], signed, deeper));
                let bounds = combine(&a, &b);
                if within(&bounds, &every) {
                    return bounds;
                }
            }
        }
        // Ranges are unsigned: the signed order is theirs once the sign bit is flipped.
        let bias = if signed { 1u64 << (term.width() - 1) } else { 0 };
        let biased = term.add(&Term::number(term.width(), bias));
        if let Some(value) = biased.const_u64() {
            let value = i128::from(value) - i128::from(bias);
            return value..=value;
        }
        match self.range_of(&state.path, &biased) {
            Some(range) => i128::from(range.least) - i128::from(bias)..=i128::from(range.most) - i128::from(bias),
            None => every,
        }
    }
}

/// What a number of this width can be.
fn all(width: u32, signed: bool) -> Bounds {
    let most = i128::from(mask(width));
    if signed { -(most / 2) - 1..=most / 2 } else { 0..=most }
}

fn within(bounds: &Bounds, all: &Bounds) -> bool {
    all.contains(bounds.start()) && all.contains(bounds.end())
}

fn sum(a: &Bounds, b: &Bounds) -> Bounds {
    a.start() + b.start()..=a.end() + b.end()
}

fn difference(a: &Bounds, b: &Bounds) -> Bounds {
    a.start() - b.end()..=a.end() - b.start()
}

/// The corners. Two unsigned 64-bit factors have one that exceeds 127 bits; it is beyond any width.
fn product(a: &Bounds, b: &Bounds) -> Bounds {
    let corner = |x: &i128, y: &i128| x.saturating_mul(*y);
    let corners = [
        corner(a.start(), b.start()),
        corner(a.start(), b.end()),
        corner(a.end(), b.start()),
        corner(a.end(), b.end()),
    ];
    corners.iter().fold(corners[0]..=corners[0], |all, x| *all.start().min(x)..=*all.end().max(x))
}

/// One bit: does the operation leave the range of its width?
fn overflows(op: OverflowOp, x: &Term, y: &Term) -> Term {
    let width = x.width();
    let sign = |t: &Term| t.extract(width - 1, width - 1);
    match op {
        OverflowOp::UAdd => x.add(y).ult(x),
        OverflowOp::USub => x.ult(y),
        OverflowOp::SAdd => {
            let sum = x.add(y);
            sign(x).eq(&sign(y)).and(&sign(&sum).ne(&sign(x)))
        }
        OverflowOp::SSub => {
            let difference = x.sub(y);
            sign(x).ne(&sign(y)).and(&sign(&difference).ne(&sign(x)))
        }
        OverflowOp::UMul => {
            let product = x.zext(2 * width).mul(&y.zext(2 * width));
            product.extract(2 * width - 1, width).is_nonzero()
        }
        OverflowOp::SMul => {
            let product = x.sext(2 * width).mul(&y.sext(2 * width));
            product.ne(&product.extract(width - 1, 0).sext(2 * width))
        }
    }
}
