//! Rules of ite. Conditions are positive, a choice between truth values is `and`, `or` or `not`, and a choice between 0
//! and 1 (or -1) is an extended bit.

use super::{Rule, View, binary, unary};
use crate::op::Op;
use crate::store::Term;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "ite-true", op: Op::Ite, shape: "(ite 1 x y)", apply: |v| Some(v.b().clone()) },
    Rule { name: "ite-false", op: Op::Ite, shape: "(ite 0 x y)", apply: |v| Some(v.c().clone()) },
    Rule { name: "ite-same", op: Op::Ite, shape: "(ite p x x)", apply: |v| (v.b() == v.c()).then(|| v.b().clone()) },
    Rule {
        name: "ite-not",
        op: Op::Ite,
        shape: "(ite (not p) x y)",
        apply: |v| Some(Term::ite(v.a().arg(0), v.c(), v.b())),
    },
    Rule { name: "ite-one-zero", op: Op::Ite, shape: "(ite p 1 0)", apply: |v| Some(v.a().zext(v.width)) },
    Rule { name: "ite-zero-one", op: Op::Ite, shape: "(ite p 0 1)", apply: |v| Some(v.a().not().zext(v.width)) },
    Rule { name: "ite-ones-zero", op: Op::Ite, shape: "(ite p -1 0)", apply: |v| Some(v.a().sext(v.width)) },
    Rule { name: "ite-zero-ones", op: Op::Ite, shape: "(ite p 0 -1)", apply: |v| Some(v.a().not().sext(v.width)) },
    Rule { name: "ite-true-or", op: Op::Ite, shape: "(ite p 1 q)", apply: |v| Some(v.a().or(v.c())) },
    Rule { name: "ite-false-and", op: Op::Ite, shape: "(ite p 0 q)", apply: |v| Some(v.a().not().and(v.c())) },
    Rule { name: "ite-or-true", op: Op::Ite, shape: "(ite p q 1)", apply: |v| Some(v.a().not().or(v.b())) },
    Rule { name: "ite-and-false", op: Op::Ite, shape: "(ite p q 0)", apply: |v| Some(v.a().and(v.b())) },
    Rule {
        name: "ite-own-then",
        op: Op::Ite,
        shape: "(ite p p q)",
        apply: |v| (v.a() == v.b()).then(|| v.a().or(v.c())),
    },
    Rule {
        name: "ite-own-else",
        op: Op::Ite,
        shape: "(ite p q p)",
        apply: |v| (v.a() == v.c()).then(|| v.a().and(v.b())),
    },
    Rule { name: "ite-eq", op: Op::Ite, shape: "(ite (eq x y) x y)", apply: ite_eq },
    Rule {
        name: "ite-then-ite",
        op: Op::Ite,
        shape: "(ite p (ite p x y) z) | (ite p (ite q x y) y) | (ite p (ite q x y) x)",
        apply: then_ite,
    },
    Rule {
        name: "ite-else-ite",
        op: Op::Ite,
        shape: "(ite p x (ite p y z)) | (ite p x (ite q x y)) | (ite p x (ite q y x))",
        apply: else_ite,
    },
    Rule { name: "ite-zext", op: Op::Ite, shape: "(ite p (zext x) (zext y))", apply: both_extended },
    Rule { name: "ite-sext", op: Op::Ite, shape: "(ite p (sext x) (sext y))", apply: both_extended },
    Rule { name: "ite-zext-const", op: Op::Ite, shape: "(ite p (zext x) c)", apply: zext_const },
    Rule { name: "ite-const-zext", op: Op::Ite, shape: "(ite p c (zext x))", apply: const_zext },
];

fn ite_eq(v: &View) -> Option<Term> {
    let (x, y) = binary(v.a(), Op::Eq)?;
    // Where they are equal it does not matter which one is taken.
    (x == v.b() && y == v.c() || x == v.c() && y == v.b()).then(|| v.c().clone())
}

/// `(ite p (ite q x y) z)` where `q` is `p`, or `z` is `x` or `y`.
fn then_ite(v: &View) -> Option<Term> {
    let (p, inner, z) = (v.a(), v.b(), v.c());
    let (q, x, y) = (inner.arg(0), inner.arg(1), inner.arg(2));
    match () {
        () if p == q => Some(Term::ite(p, x, z)),
        () if z == y => Some(Term::ite(&p.and(q), x, z)),
        () if z == x => Some(Term::ite(&p.and(&q.not()), y, z)),
        () => None,
    }
}

/// `(ite p x (ite q y z))` where `q` is `p`, or `x` is `y` or `z`.
fn else_ite(v: &View) -> Option<Term> {
    let (p, x, inner) = (v.a(), v.b(), v.c());
    let (q, y, z) = (inner.arg(0), inner.arg(1), inner.arg(2));
    match () {
        () if p == q => Some(Term::ite(p, x, z)),
        () if x == y => Some(Term::ite(&p.or(q), x, z)),
        () if x == z => Some(Term::ite(&p.not().and(q), y, x)),
        () => None,
    }
}

fn both_extended(v: &View) -> Option<Term> {
    let (x, y) = (v.b().arg(0), v.c().arg(0));
    if x.width() != y.width() || x.width() == v.width {
        return None;
    }
    let choice = Term::ite(v.a(), x, y);
    Some(if v.b().op() == Op::ZExt { choice.zext(v.width) } else { choice.sext(v.width) })
}

/// The constant at the extended argument's own width, where it fits.
fn narrowed(c: &Term, extended: &Term) -> Option<Term> {
    let (c, x) = (c.as_const()?, unary(extended, Op::ZExt)?);
    let fits = c.width() - c.leading_zeros() <= x.width() && x.width() < c.width();
    fits.then(|| Term::constant(c.resize(x.width())))
}

fn zext_const(v: &View) -> Option<Term> {
    let c = narrowed(v.c(), v.b())?;
    Some(Term::ite(v.a(), v.b().arg(0), &c).zext(v.width))
}

fn const_zext(v: &View) -> Option<Term> {
    let c = narrowed(v.b(), v.c())?;
    Some(Term::ite(v.a(), &c, v.c().arg(0)).zext(v.width))
}
