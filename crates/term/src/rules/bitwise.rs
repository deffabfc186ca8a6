//! Rules of not, and, or, xor: on bits and, at width one, on conditions.
//!
//! Normal form: no double complement, complements above `xor` and common to both sides of `and` and `or`; a mask of the
//! low bits is an extraction; bytes shifted and or-ed together are a concatenation.

use super::{Rule, View, binary, lift_choice, other, unary, with_const};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::Term;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "not-not", op: Op::Not, shape: "(not (not x))", apply: |v| Some(v.a().arg(0).clone()) },
    Rule { name: "not-xor", op: Op::Not, shape: "(not (xor x c))", apply: not_xor },
    Rule { name: "not-add", op: Op::Not, shape: "(not (add x c))", apply: not_add },
    Rule { name: "not-sub", op: Op::Not, shape: "(not (sub c x))", apply: not_sub },
    Rule { name: "not-choice", op: Op::Not, shape: "(not (ite p c d))", apply: |v| lift_choice(v, 0) },
    Rule { name: "and-zero", op: Op::And, shape: "(and x 0)", apply: |v| Some(v.b().clone()) },
    Rule { name: "and-ones", op: Op::And, shape: "(and x -1)", apply: |v| Some(v.a().clone()) },
    Rule { name: "and-same", op: Op::And, shape: "(and x x)", apply: same },
    Rule { name: "and-mask", op: Op::And, shape: "(and x c)", apply: and_mask },
    Rule { name: "and-and", op: Op::And, shape: "(and (and x c) d)", apply: merge },
    Rule { name: "and-choice", op: Op::And, shape: "(and (ite p c d) e)", apply: |v| lift_choice(v, 0) },
    Rule { name: "and-zext-const", op: Op::And, shape: "(and (zext x) c)", apply: and_zext_const },
    Rule { name: "and-concat-const", op: Op::And, shape: "(and (concat x y) c)", apply: concat_const },
    Rule { name: "and-zext", op: Op::And, shape: "(and (zext x) (zext y))", apply: both_zext },
    Rule { name: "and-not", op: Op::And, shape: "(and x (not x))", apply: |v| complements(v)?.then(|| v.zero())? },
    Rule { name: "and-nots", op: Op::And, shape: "(and (not x) (not y))", apply: de_morgan },
    Rule { name: "and-or", op: Op::And, shape: "(and x (or x y))", apply: absorb },
    Rule { name: "and-and-same", op: Op::And, shape: "(and x (and x y))", apply: repeat },
    Rule {
        name: "and-or-not",
        op: Op::And,
        shape: "(and x (or (not x) y)) | (and (not x) (or x y))",
        apply: drop_complement,
    },
    Rule {
        name: "and-and-not",
        op: Op::And,
        shape: "(and x (and (not x) y)) | (and (not x) (and x y))",
        apply: contradict,
    },
    Rule { name: "and-nand", op: Op::And, shape: "(and x (not (and x y)))", apply: drop_under_not },
    Rule { name: "and-nor", op: Op::And, shape: "(and x (not (or x y)))", apply: contradict_under_not },
    Rule { name: "or-zero", op: Op::Or, shape: "(or x 0)", apply: |v| Some(v.a().clone()) },
    Rule { name: "or-ones", op: Op::Or, shape: "(or x -1)", apply: |v| Some(v.b().clone()) },
    Rule { name: "or-same", op: Op::Or, shape: "(or x x)", apply: same },
    Rule { name: "or-or", op: Op::Or, shape: "(or (or x c) d)", apply: merge },
    Rule { name: "or-choice", op: Op::Or, shape: "(or (ite p c d) e)", apply: |v| lift_choice(v, 0) },
    Rule { name: "or-zext-const", op: Op::Or, shape: "(or (zext x) c)", apply: zext_small_const },
    Rule { name: "or-concat-const", op: Op::Or, shape: "(or (concat x y) c)", apply: concat_const },
    Rule { name: "or-zext", op: Op::Or, shape: "(or (zext x) (zext y))", apply: both_zext },
    Rule { name: "or-not", op: Op::Or, shape: "(or x (not x))", apply: |v| complements(v)?.then(|| v.ones())? },
    Rule { name: "or-nots", op: Op::Or, shape: "(or (not x) (not y))", apply: de_morgan },
    Rule { name: "or-and", op: Op::Or, shape: "(or x (and x y))", apply: absorb },
    Rule { name: "or-or-same", op: Op::Or, shape: "(or x (or x y))", apply: repeat },
    Rule {
        name: "or-and-not",
        op: Op::Or,
        shape: "(or x (and (not x) y)) | (or (not x) (and x y))",
        apply: drop_complement,
    },
    Rule { name: "or-or-not", op: Op::Or, shape: "(or x (or (not x) y)) | (or (not x) (or x y))", apply: contradict },
    Rule { name: "or-nor", op: Op::Or, shape: "(or x (not (or x y)))", apply: drop_under_not },
    Rule { name: "or-nand", op: Op::Or, shape: "(or x (not (and x y)))", apply: contradict_under_not },
    Rule { name: "or-join", op: Op::Or, shape: "(or (zext x) (mul y c))", apply: or_join },
    Rule { name: "or-join-shifted", op: Op::Or, shape: "(or (mul x c) (mul (zext y) d))", apply: or_join_shifted },
    Rule { name: "or-concat-mul", op: Op::Or, shape: "(or (concat x y) (mul (zext z) c))", apply: or_concat_mul },
    Rule { name: "or-concat-zext", op: Op::Or, shape: "(or (concat x y) (zext z))", apply: or_concat_zext },
    Rule { name: "xor-zero", op: Op::Xor, shape: "(xor x 0)", apply: |v| Some(v.a().clone()) },
    Rule { name: "xor-ones", op: Op::Xor, shape: "(xor x -1)", apply: |v| Some(v.a().not()) },
    Rule { name: "xor-same", op: Op::Xor, shape: "(xor x x)", apply: |v| (v.a() == v.b()).then(|| v.zero())? },
    Rule { name: "xor-xor", op: Op::Xor, shape: "(xor (xor x c) d)", apply: merge },
    Rule { name: "xor-choice", op: Op::Xor, shape: "(xor (ite p c d) e)", apply: |v| lift_choice(v, 0) },
    Rule { name: "xor-zext-const", op: Op::Xor, shape: "(xor (zext x) c)", apply: zext_small_const },
    Rule { name: "xor-zext", op: Op::Xor, shape: "(xor (zext x) (zext y))", apply: both_zext },
    Rule { name: "xor-not", op: Op::Xor, shape: "(xor x (not x))", apply: |v| complements(v)?.then(|| v.ones())? },
    Rule { name: "xor-not-const", op: Op::Xor, shape: "(xor (not x) c)", apply: xor_not_const },
    Rule { name: "xor-nots", op: Op::Xor, shape: "(xor (not x) (not y))", apply: xor_nots },
    Rule {
        name: "xor-float-not",
        op: Op::Xor,
        shape: "(xor (not x) y)",
        apply: |v| Some(v.a().arg(0).xor(v.b()).not()),
    },
    Rule {
        name: "xor-xor-same",
        op: Op::Xor,
        shape: "(xor x (xor x y))",
        apply: |v| other(v.b(), Op::Xor, v.a()).cloned(),
    },
];

fn not_xor(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Xor)?;
    Some(x.xor(&Term::constant(c.not())))
}

/// `-1 - (x + c)`.
fn not_add(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Add)?;
    Some(Term::constant(c.not()).sub(x))
}

/// `-1 - (c - x)`.
fn not_sub(v: &View) -> Option<Term> {
    let (c, x) = super::const_with(v.a(), Op::Sub)?;
    Some(x.add(&Term::constant(c.not())))
}

fn same(v: &View) -> Option<Term> {
    (v.a() == v.b()).then(|| v.a().clone())
}

/// Is the second argument, a complement, that of the first?
fn complements(v: &View) -> Option<bool> {
    Some(unary(v.b(), Op::Not)? == v.a())
}

/// The operator that `v.op` distributes over.
fn dual(op: Op) -> Op {
    if op == Op::And { Op::Or } else { Op::And }
}

fn and_mask(v: &View) -> Option<Term> {
    let c = v.b().as_const()?;
    // 2^k - 1 for 0 < k < width.
    let k = c.add(&Bits::one(v.width)).log2()?;
    (k > 0).then(|| v.a().extract(k - 1, 0).zext(v.width))
}

/// `(op (op x c) d)` for an associative operator.
fn merge(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), v.op)?;
    let merged = crate::fold::fold(v.op, v.width, 0, &[&c, &v.b().as_const()?])?;
    Some(crate::build::make(v.op, v.width, 0, &[x, &Term::constant(merged)]))
}

fn and_zext_const(v: &View) -> Option<Term> {
    let x = v.a().arg(0);
    let c = v.b().as_const()?.resize(x.width());
    Some(x.and(&Term::constant(c)).zext(v.width))
}

/// A constant that leaves the upper bits of an extended argument zero.
fn zext_small_const(v: &View) -> Option<Term> {
    let (x, c) = (v.a().arg(0), v.b().as_const()?);
    let fits = v.width - c.leading_zeros() <= x.width() && x.width() < v.width;
    fits.then(|| crate::build::make(v.op, x.width(), 0, &[x, &Term::constant(c.resize(x.width()))]).zext(v.width))
}

/// A constant that keeps or sets or clears each part as a whole.
fn concat_const(v: &View) -> Option<Term> {
    let ((x, y), c) = (binary(v.a(), Op::Concat)?, v.b().as_const()?);
    let (high, low) = (c.extract(v.width - 1, y.width()), c.resize(y.width()));
    let whole = |part: &Bits| part.is_zero() || part.is_ones();
    let part = |x: &Term, c: Bits| crate::build::make(v.op, x.width(), 0, &[x, &Term::constant(c)]);
    (whole(&high) && whole(&low)).then(|| part(x, high).concat(&part(y, low)))
}

fn both_zext(v: &View) -> Option<Term> {
    let (x, y) = (v.a().arg(0), v.b().arg(0));
    let fits = x.width() == y.width() && x.width() < v.width;
    fits.then(|| crate::build::make(v.op, x.width(), 0, &[x, y]).zext(v.width))
}

fn de_morgan(v: &View) -> Option<Term> {
    let (x, y) = (v.a().arg(0), v.b().arg(0));
    Some(crate::build::make(dual(v.op), v.width, 0, &[x, y]).not())
}

fn absorb(v: &View) -> Option<Term> {
    other(v.b(), dual(v.op), v.a()).map(|_| v.a().clone())
}

fn repeat(v: &View) -> Option<Term> {
    other(v.b(), v.op, v.a()).map(|_| v.b().clone())
}

/// Is one the complement of the other?
fn opposite(x: &Term, y: &Term) -> bool {
    unary(x, Op::Not) == Some(y) || unary(y, Op::Not) == Some(x)
}

/// The argument of the binary `term` that is not the complement of `x`, if the other one is.
fn beside_complement<'a>(term: &'a Term, x: &Term) -> Option<&'a Term> {
    match () {
        () if opposite(term.arg(0), x) => Some(term.arg(1)),
        () if opposite(term.arg(1), x) => Some(term.arg(0)),
        () => None,
    }
}

/// `x & (~x | y)` is `x & y`.
fn drop_complement(v: &View) -> Option<Term> {
    let y = beside_complement(v.b(), v.a())?;
    Some(crate::build::make(v.op, v.width, 0, &[v.a(), y]))
}

/// `x & (~x & y)` is 0, `x | (~x | y)` is -1.
fn contradict(v: &View) -> Option<Term> {
    beside_complement(v.b(), v.a())?;
    if v.op == Op::And { v.zero() } else { v.ones() }
}

/// `x & ~(x & y)` is `x & ~y`.
fn drop_under_not(v: &View) -> Option<Term> {
    let y = other(v.b().arg(0), v.op, v.a())?;
    Some(crate::build::make(v.op, v.width, 0, &[v.a(), &y.not()]))
}

/// `x & ~(x | y)` is 0, `x | ~(x & y)` is -1.
fn contradict_under_not(v: &View) -> Option<Term> {
    other(v.b().arg(0), dual(v.op), v.a())?;
    if v.op == Op::And { v.zero() } else { v.ones() }
}

/// `x` below `y * 2^k`, without overlap.
fn or_join(v: &View) -> Option<Term> {
    let (x, (y, c)) = (v.a().arg(0), with_const(v.b(), Op::Mul)?);
    let k = c.log2()?;
    (x.width() <= k).then(|| y.extract(v.width - 1 - k, 0).concat(&x.zext(k)))
}

/// `y * 2^j` below `x * 2^k`, without overlap.
fn or_join_shifted(v: &View) -> Option<Term> {
    let ((x, c), (y, d)) = (with_const(v.a(), Op::Mul)?, with_const(v.b(), Op::Mul)?);
    let (y, k, j) = (unary(y, Op::ZExt)?, c.log2()?, d.log2()?);
    let fits = 0 < j && j + y.width() <= k;
    fits.then(|| x.extract(v.width - 1 - k, 0).concat(&y.zext(k - j).concat(&Term::number(j, 0))))
}

/// `z * 2^j` within the low part.
fn or_concat_mul(v: &View) -> Option<Term> {
    let ((x, y), (z, c)) = (binary(v.a(), Op::Concat)?, with_const(v.b(), Op::Mul)?);
    let (z, j) = (unary(z, Op::ZExt)?, c.log2()?);
    let fits = 0 < j && j + z.width() <= y.width();
    fits.then(|| x.concat(&y.or(&z.zext(y.width() - j).concat(&Term::number(j, 0)))))
}

fn or_concat_zext(v: &View) -> Option<Term> {
    let ((x, y), z) = (binary(v.a(), Op::Concat)?, v.b().arg(0));
    (z.width() <= y.width()).then(|| x.concat(&y.or(&z.zext(y.width()))))
}

fn xor_not_const(v: &View) -> Option<Term> {
    let c = v.b().as_const()?.not();
    Some(v.a().arg(0).xor(&Term::constant(c)))
}

fn xor_nots(v: &View) -> Option<Term> {
    Some(v.a().arg(0).xor(v.b().arg(0)))
}
