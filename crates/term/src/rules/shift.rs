//! Rules of shifts. A shift by a constant is arithmetic to the left (a product with a power of two, so that sums and
//! scaled indices have one form) and an extraction to the right.

use super::{Rule, View};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::Term;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "shl-const", op: Op::Shl, shape: "(shl x c)", apply: shl_const },
    Rule { name: "shl-of-zero", op: Op::Shl, shape: "(shl 0 x)", apply: |v| Some(v.a().clone()) },
    Rule { name: "lshr-const", op: Op::LShr, shape: "(lshr x c)", apply: lshr_const },
    Rule { name: "lshr-of-zero", op: Op::LShr, shape: "(lshr 0 x)", apply: |v| Some(v.a().clone()) },
    Rule { name: "ashr-const", op: Op::AShr, shape: "(ashr x c)", apply: ashr_const },
    Rule { name: "ashr-of-zero", op: Op::AShr, shape: "(ashr 0 x)", apply: |v| Some(v.a().clone()) },
    Rule { name: "ashr-of-ones", op: Op::AShr, shape: "(ashr -1 x)", apply: |v| Some(v.a().clone()) },
    Rule { name: "ashr-zext", op: Op::AShr, shape: "(ashr (zext x) y)", apply: ashr_zext },
];

/// The amount of a shift by a constant, `None` from the width on.
fn amount(v: &View) -> Option<u32> {
    let by = v.b().as_const()?.to_u64()?;
    (by < u64::from(v.width)).then_some(by as u32)
}

fn shl_const(v: &View) -> Option<Term> {
    let Some(k) = amount(v) else { return v.zero() };
    let power = Bits::one(v.width).shl(&Bits::new(64, u64::from(k)));
    Some(v.a().mul(&Term::constant(power)))
}

fn lshr_const(v: &View) -> Option<Term> {
    let Some(k) = amount(v) else { return v.zero() };
    Some(v.a().extract(v.width - 1, k).zext(v.width))
}

fn ashr_const(v: &View) -> Option<Term> {
    let k = amount(v).unwrap_or(v.width - 1);
    Some(v.a().extract(v.width - 1, k).sext(v.width))
}

/// The sign bit is zero.
fn ashr_zext(v: &View) -> Option<Term> {
    (v.a().arg(0).width() < v.width).then(|| v.a().lshr(v.b()))
}
