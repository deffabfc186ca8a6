//! Rules of eq, ult and slt, and of their complements.
//!
//! Normal form: what can be moved to the constant's side is; extensions, shared parts and choices between constants
//! are gone; a comparison of single bits is `not`, `and` or `xor`; against a constant, `<=` is `<` with the next
//! constant, so no complement stands above an order with a constant side; an order that one value satisfies or
//! violates is an equality.

use super::{Rule, View, binary, const_with, lift_choice, other, unary, with_const};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::Term;
use std::cmp::Ordering;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "eq-same", op: Op::Eq, shape: "(eq x x)", apply: |v| (v.a() == v.b()).then(yes) },
    Rule { name: "eq-bits", op: Op::Eq, shape: "(eq p q)", apply: |v| Some(v.a().xor(v.b()).not()) },
    Rule {
        name: "eq-not-const",
        op: Op::Eq,
        shape: "(eq (not x) c)",
        apply: |v| equal(v.a().arg(0), constant(v)?.not()),
    },
    Rule { name: "eq-xor-const", op: Op::Eq, shape: "(eq (xor x c) d)", apply: eq_xor_const },
    Rule { name: "eq-add-const", op: Op::Eq, shape: "(eq (add x c) d)", apply: eq_add_const },
    Rule { name: "eq-sub-const", op: Op::Eq, shape: "(eq (sub c x) d)", apply: eq_sub_const },
    Rule { name: "eq-mul-const", op: Op::Eq, shape: "(eq (mul x c) d)", apply: eq_mul_const },
    Rule { name: "eq-zext-const", op: Op::Eq, shape: "(eq (zext x) c)", apply: eq_zext_const },
    Rule { name: "eq-sext-const", op: Op::Eq, shape: "(eq (sext x) c)", apply: eq_sext_const },
    Rule { name: "eq-concat-const", op: Op::Eq, shape: "(eq (concat x y) c)", apply: eq_concat_const },
    Rule { name: "eq-choice", op: Op::Eq, shape: "(eq (ite p c d) e)", apply: |v| lift_choice(v, 0) },
    Rule { name: "eq-then-const", op: Op::Eq, shape: "(eq (ite p c x) d)", apply: eq_then_const },
    Rule { name: "eq-else-const", op: Op::Eq, shape: "(eq (ite p x c) d)", apply: eq_else_const },
    Rule { name: "eq-and-const", op: Op::Eq, shape: "(eq (and x c) d)", apply: eq_and_const },
    Rule { name: "eq-or-const", op: Op::Eq, shape: "(eq (or x c) d)", apply: eq_or_const },
    Rule { name: "eq-xor-zero", op: Op::Eq, shape: "(eq (xor x y) 0)", apply: |v| Some(v.a().arg(0).eq(v.a().arg(1))) },
    Rule { name: "eq-sub-zero", op: Op::Eq, shape: "(eq (sub x y) 0)", apply: |v| Some(v.a().arg(0).eq(v.a().arg(1))) },
    Rule { name: "eq-not", op: Op::Eq, shape: "(eq x (not x))", apply: |v| (unary(v.b(), Op::Not)? == v.a()).then(no) },
    Rule { name: "eq-nots", op: Op::Eq, shape: "(eq (not x) (not y))", apply: |v| Some(v.a().arg(0).eq(v.b().arg(0))) },
    Rule { name: "eq-xor", op: Op::Eq, shape: "(eq x (xor x y))", apply: |v| vanishes(other(v.b(), Op::Xor, v.a())?) },
    Rule { name: "eq-add", op: Op::Eq, shape: "(eq x (add x y))", apply: |v| vanishes(other(v.b(), Op::Add, v.a())?) },
    Rule { name: "eq-sub", op: Op::Eq, shape: "(eq x (sub x y))", apply: eq_sub },
    Rule { name: "eq-xor-xor", op: Op::Eq, shape: "(eq (xor x y) (xor x z))", apply: eq_shared },
    Rule { name: "eq-add-add", op: Op::Eq, shape: "(eq (add x y) (add x z))", apply: eq_shared },
    Rule { name: "eq-add-consts", op: Op::Eq, shape: "(eq (add x c) (add y d))", apply: eq_add_consts },
    Rule { name: "eq-zext", op: Op::Eq, shape: "(eq (zext x) (zext y))", apply: extended },
    Rule { name: "eq-sext", op: Op::Eq, shape: "(eq (sext x) (sext y))", apply: extended },
    Rule { name: "eq-concat-high", op: Op::Eq, shape: "(eq (concat x y) (concat x z))", apply: shared_high },
    Rule { name: "eq-concat-low", op: Op::Eq, shape: "(eq (concat x y) (concat z y))", apply: eq_concat_low },
    Rule { name: "ult-same", op: Op::Ult, shape: "(ult x x)", apply: |v| (v.a() == v.b()).then(no) },
    Rule { name: "ult-bits", op: Op::Ult, shape: "(ult p q)", apply: |v| Some(v.a().not().and(v.b())) },
    Rule { name: "ult-edge", op: Op::Ult, shape: "(ult x c)", apply: |v| below_edge(v, &Bits::zero(v.a().width())) },
    Rule {
        name: "ult-edge-left",
        op: Op::Ult,
        shape: "(ult c x)",
        apply: |v| above_edge(v, &Bits::ones(v.a().width())),
    },
    Rule { name: "ult-zext-const", op: Op::Ult, shape: "(ult (zext x) c)", apply: ult_zext_const },
    Rule { name: "ult-const-zext", op: Op::Ult, shape: "(ult c (zext x))", apply: ult_const_zext },
    Rule { name: "ult-sext-const", op: Op::Ult, shape: "(ult (sext x) c)", apply: ult_sext_const },
    Rule { name: "ult-const-sext", op: Op::Ult, shape: "(ult c (sext x))", apply: ult_const_sext },
    Rule { name: "ult-zext", op: Op::Ult, shape: "(ult (zext x) (zext y))", apply: extended },
    Rule { name: "ult-sext", op: Op::Ult, shape: "(ult (sext x) (sext y))", apply: extended },
    Rule { name: "ult-concat-const", op: Op::Ult, shape: "(ult (concat x y) c)", apply: concat_const },
    Rule { name: "ult-const-concat", op: Op::Ult, shape: "(ult c (concat x y))", apply: const_concat },
    Rule { name: "ult-tail-const", op: Op::Ult, shape: "(ult (concat x (concat y z)) c)", apply: tail_const },
    Rule { name: "ult-const-tail", op: Op::Ult, shape: "(ult c (concat x (concat y z)))", apply: const_tail },
    Rule { name: "ult-concat-high", op: Op::Ult, shape: "(ult (concat x y) (concat x z))", apply: shared_high },
    Rule { name: "ult-choice", op: Op::Ult, shape: "(ult (ite p c d) e)", apply: |v| lift_choice(v, 0) },
    Rule { name: "ult-const-choice", op: Op::Ult, shape: "(ult c (ite p d e))", apply: |v| lift_choice(v, 1) },
    Rule { name: "ult-nots", op: Op::Ult, shape: "(ult (not x) (not y))", apply: nots },
    Rule { name: "ult-not-const", op: Op::Ult, shape: "(ult (not x) c)", apply: not_const },
    Rule { name: "ult-const-not", op: Op::Ult, shape: "(ult c (not x))", apply: const_not },
    Rule {
        name: "ult-and",
        op: Op::Ult,
        shape: "(ult x (and x y))",
        apply: |v| other(v.b(), Op::And, v.a()).map(|_| no()),
    },
    Rule {
        name: "ult-or",
        op: Op::Ult,
        shape: "(ult (or x y) x)",
        apply: |v| other(v.a(), Op::Or, v.b()).map(|_| no()),
    },
    Rule { name: "slt-same", op: Op::Slt, shape: "(slt x x)", apply: |v| (v.a() == v.b()).then(no) },
    Rule { name: "slt-bits", op: Op::Slt, shape: "(slt p q)", apply: |v| Some(v.a().and(&v.b().not())) },
    Rule {
        name: "slt-edge",
        op: Op::Slt,
        shape: "(slt x c)",
        apply: |v| below_edge(v, &Bits::min_signed(v.a().width())),
    },
    Rule {
        name: "slt-edge-left",
        op: Op::Slt,
        shape: "(slt c x)",
        apply: |v| above_edge(v, &Bits::min_signed(v.a().width()).not()),
    },
    Rule { name: "slt-zext-const", op: Op::Slt, shape: "(slt (zext x) c)", apply: slt_zext_const },
    Rule { name: "slt-const-zext", op: Op::Slt, shape: "(slt c (zext x))", apply: slt_const_zext },
    Rule { name: "slt-sext-const", op: Op::Slt, shape: "(slt (sext x) c)", apply: slt_sext_const },
    Rule { name: "slt-const-sext", op: Op::Slt, shape: "(slt c (sext x))", apply: slt_const_sext },
    Rule { name: "slt-zext", op: Op::Slt, shape: "(slt (zext x) (zext y))", apply: slt_zext },
    Rule { name: "slt-sext", op: Op::Slt, shape: "(slt (sext x) (sext y))", apply: extended },
    Rule { name: "slt-concat-const", op: Op::Slt, shape: "(slt (concat x y) c)", apply: concat_const },
    Rule { name: "slt-const-concat", op: Op::Slt, shape: "(slt c (concat x y))", apply: const_concat },
    Rule { name: "slt-choice", op: Op::Slt, shape: "(slt (ite p c d) e)", apply: |v| lift_choice(v, 0) },
    Rule { name: "slt-const-choice", op: Op::Slt, shape: "(slt c (ite p d e))", apply: |v| lift_choice(v, 1) },
    Rule { name: "slt-nots", op: Op::Slt, shape: "(slt (not x) (not y))", apply: nots },
    Rule { name: "slt-not-const", op: Op::Slt, shape: "(slt (not x) c)", apply: not_const },
    Rule { name: "slt-const-not", op: Op::Slt, shape: "(slt c (not x))", apply: const_not },
    Rule { name: "not-ult-const", op: Op::Not, shape: "(not (ult x c))", apply: not_below },
    Rule { name: "not-const-ult", op: Op::Not, shape: "(not (ult c x))", apply: not_above },
    Rule { name: "not-slt-const", op: Op::Not, shape: "(not (slt x c))", apply: not_below },
    Rule { name: "not-const-slt", op: Op::Not, shape: "(not (slt c x))", apply: not_above },
    Rule { name: "and-eq-eq", op: Op::And, shape: "(and (eq x c) (eq x d))", apply: and_eq_eq },
    Rule { name: "and-eq-ne", op: Op::And, shape: "(and (eq x c) (not (eq x d)))", apply: and_eq_ne },
];

fn yes() -> Term {
    Term::bool(true)
}

fn no() -> Term {
    Term::bool(false)
}

/// The constant on the right.
fn constant(v: &View) -> Option<Bits> {
    v.b().as_const()
}

fn equal(x: &Term, c: Bits) -> Option<Term> {
    Some(x.eq(&Term::constant(c)))
}

fn vanishes(x: &Term) -> Option<Term> {
    Some(x.eq(&Term::number(x.width(), 0)))
}

fn compare(op: Op, x: &Term, y: &Term) -> Option<Term> {
    Some(crate::build::make(op, 1, 0, &[x, y]))
}

fn order(op: Op, c: &Bits, d: &Bits) -> Ordering {
    if op == Op::Slt { c.scmp(d) } else { c.ucmp(d) }
}

fn eq_xor_const(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Xor)?;
    equal(x, constant(v)?.xor(&c))
}

fn eq_add_const(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Add)?;
    equal(x, constant(v)?.sub(&c))
}

fn eq_sub_const(v: &View) -> Option<Term> {
    let (c, x) = const_with(v.a(), Op::Sub)?;
    equal(x, c.sub(&constant(v)?))
}

/// The inverse of an odd number modulo 2^width, by Newton's iteration: each step doubles the bits that are right,
/// from three.
fn inverse(odd: &Bits) -> Bits {
    let two = Bits::one(odd.width()).add(&Bits::one(odd.width()));
    let mut inverse = odd.clone();
    let mut right = 3;
    while right < odd.width() {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        right *= 2;
    }
    inverse
}

/// With `c = o * 2^k` for an odd `o`: the low `k` bits of `d` are zero and the others fix the low bits of `x`.
fn eq_mul_const(v: &View) -> Option<Term> {
    let ((x, c), d) = (with_const(v.a(), Op::Mul)?, constant(v)?);
    let (k, width) = (c.trailing_zeros(), d.width());
    if k == width {
        return Some(Term::bool(d.is_zero()));
    }
    if d.trailing_zeros() < k {
        return Some(no());
    }
    let value = d.extract(width - 1, k).mul(&inverse(&c.extract(width - 1, k)));
    equal(&x.extract(width - 1 - k, 0), value)
}

fn eq_zext_const(v: &View) -> Option<Term> {
    let (x, c) = (v.a().arg(0), constant(v)?);
    let narrow = c.resize(x.width());
    if narrow.resize(c.width()) == c { equal(x, narrow) } else { Some(no()) }
}

fn eq_sext_const(v: &View) -> Option<Term> {
    let (x, c) = (v.a().arg(0), constant(v)?);
    let narrow = c.resize(x.width());
    if narrow.sext(c.width()) == c { equal(x, narrow) } else { Some(no()) }
}

fn eq_concat_const(v: &View) -> Option<Term> {
    let ((x, y), c) = (binary(v.a(), Op::Concat)?, constant(v)?);
    let high = equal(x, c.extract(c.width() - 1, y.width()))?;
    Some(high.and(&equal(y, c.resize(y.width()))?))
}

fn eq_then_const(v: &View) -> Option<Term> {
    let (p, c, x) = (v.a().arg(0), v.a().arg(1), v.a().arg(2));
    if !c.is_const() {
        return None;
    }
    let rest = x.eq(v.b());
    Some(if c == v.b() { p.or(&rest) } else { p.not().and(&rest) })
}

fn eq_else_const(v: &View) -> Option<Term> {
    let (p, x, c) = (v.a().arg(0), v.a().arg(1), v.a().arg(2));
    if !c.is_const() {
        return None;
    }
    let rest = x.eq(v.b());
    Some(if c == v.b() { p.not().or(&rest) } else { p.and(&rest) })
}

/// False if a bit outside the mask is wanted; a single bit is extracted.
fn eq_and_const(v: &View) -> Option<Term> {
    let ((x, c), d) = (with_const(v.a(), Op::And)?, constant(v)?);
    if !d.and(&c.not()).is_zero() {
        return Some(no());
    }
    let k = c.log2()?;
    let bit = x.extract(k, k);
    Some(if d.is_zero() { bit.not() } else { bit })
}

/// False if a bit that is set is not wanted.
fn eq_or_const(v: &View) -> Option<Term> {
    let ((_, c), d) = (with_const(v.a(), Op::Or)?, constant(v)?);
    (!c.and(&d.not()).is_zero()).then(no)
}

fn eq_sub(v: &View) -> Option<Term> {
    let (x, y) = binary(v.b(), Op::Sub)?;
    if x == v.a() { vanishes(y) } else { None }
}

/// `(op x y) = (op x z)` for an operator that is invertible in each argument.
fn eq_shared(v: &View) -> Option<Term> {
    let (x, y) = (v.a().arg(0), v.a().arg(1));
    let op = v.a().op();
    if let Some(z) = other(v.b(), op, x) {
        return Some(y.eq(z));
    }
    Some(x.eq(other(v.b(), op, y)?))
}

fn eq_add_consts(v: &View) -> Option<Term> {
    let ((x, c), (y, d)) = (with_const(v.a(), Op::Add)?, with_const(v.b(), Op::Add)?);
    Some(x.eq(&y.add(&Term::constant(d.sub(&c)))))
}

/// A comparison of two extended terms at the larger of their own widths. Sound: either extension keeps equality and
/// its own order, and sign extension keeps the unsigned order too (it moves the upper half up as a whole).
fn extended(v: &View) -> Option<Term> {
    let (x, y) = (v.a().arg(0), v.b().arg(0));
    let width = x.width().max(y.width());
    if width == v.a().width() {
        return None;
    }
    let extend = |t: &Term| if v.a().op() == Op::ZExt { t.zext(width) } else { t.sext(width) };
    compare(v.op, &extend(x), &extend(y))
}

fn shared_high(v: &View) -> Option<Term> {
    let ((x, y), (z, w)) = (binary(v.a(), Op::Concat)?, binary(v.b(), Op::Concat)?);
    if x == z { compare(v.op, y, w) } else { None }
}

fn eq_concat_low(v: &View) -> Option<Term> {
    let ((x, y), (z, w)) = (binary(v.a(), Op::Concat)?, binary(v.b(), Op::Concat)?);
    (y == w).then(|| x.eq(z))
}

/// `x < c` at either end of the order, which starts at `least`.
fn below_edge(v: &View, least: &Bits) -> Option<Term> {
    let (x, c) = (v.a(), constant(v)?);
    let rank = c.sub(least);
    match () {
        () if rank.is_zero() => Some(no()),
        () if rank.is_one() => equal(x, least.clone()),
        () if rank.is_ones() => Some(x.ne(v.b())),
        () => None,
    }
}

/// `c < x` at either end of the order, which ends at `greatest`.
fn above_edge(v: &View, greatest: &Bits) -> Option<Term> {
    let (c, x) = (v.a().as_const()?, v.b());
    let rank = greatest.sub(&c);
    match () {
        () if rank.is_zero() => Some(no()),
        () if rank.is_one() => equal(x, greatest.clone()),
        () if rank.is_ones() => Some(x.ne(v.a())),
        () => None,
    }
}

fn ult_zext_const(v: &View) -> Option<Term> {
    let (x, c) = (v.a().arg(0), constant(v)?);
    let narrow = c.resize(x.width());
    if narrow.resize(c.width()) == c { below(v.op, x, narrow) } else { Some(yes()) }
}

fn ult_const_zext(v: &View) -> Option<Term> {
    let (c, x) = (v.a().as_const()?, v.b().arg(0));
    let narrow = c.resize(x.width());
    if narrow.resize(c.width()) == c { above(v.op, narrow, x) } else { Some(no()) }
}

fn below(op: Op, x: &Term, c: Bits) -> Option<Term> {
    compare(op, x, &Term::constant(c))
}

fn above(op: Op, c: Bits, x: &Term) -> Option<Term> {
    compare(op, &Term::constant(c), x)
}

/// A constant that no sign extension from `width` yields lies between the upper end of the non-negative and the
/// lower end of the negative values.
fn ult_sext_const(v: &View) -> Option<Term> {
    let (x, c) = (v.a().arg(0), constant(v)?);
    if x.width() == c.width() {
        return None;
    }
    let narrow = c.resize(x.width());
    if narrow.sext(c.width()) == c { below(v.op, x, narrow) } else { below(v.op, x, Bits::min_signed(x.width())) }
}

fn ult_const_sext(v: &View) -> Option<Term> {
    let (c, x) = (v.a().as_const()?, v.b().arg(0));
    if x.width() == c.width() {
        return None;
    }
    let narrow = c.resize(x.width());
    let greatest = Bits::min_signed(x.width()).not();
    if narrow.sext(c.width()) == c { above(v.op, narrow, x) } else { above(v.op, greatest, x) }
}

fn slt_sext_const(v: &View) -> Option<Term> {
    let (x, c) = (v.a().arg(0), constant(v)?);
    let narrow = c.resize(x.width());
    if narrow.sext(c.width()) == c { below(v.op, x, narrow) } else { Some(Term::bool(!c.sign())) }
}

fn slt_const_sext(v: &View) -> Option<Term> {
    let (c, x) = (v.a().as_const()?, v.b().arg(0));
    let narrow = c.resize(x.width());
    if narrow.sext(c.width()) == c { above(v.op, narrow, x) } else { Some(Term::bool(c.sign())) }
}

/// Does the extension clear the sign bit?
fn unsigned(extended: &Term) -> bool {
    extended.arg(0).width() < extended.width()
}

fn slt_zext_const(v: &View) -> Option<Term> {
    let c = constant(v)?;
    unsigned(v.a()).then(|| if c.sign() { no() } else { v.a().ult(v.b()) })
}

fn slt_const_zext(v: &View) -> Option<Term> {
    let c = v.a().as_const()?;
    unsigned(v.b()).then(|| if c.sign() { yes() } else { v.a().ult(v.b()) })
}

fn slt_zext(v: &View) -> Option<Term> {
    (unsigned(v.a()) && unsigned(v.b())).then(|| v.a().ult(v.b()))
}

/// `x·y < c` where the low part of `c` is zero.
fn concat_const(v: &View) -> Option<Term> {
    let ((x, y), c) = (binary(v.a(), Op::Concat)?, constant(v)?);
    if c.trailing_zeros() < y.width() {
        return None;
    }
    below(v.op, x, c.extract(c.width() - 1, y.width()))
}

/// `c < x·y` where the low part of `c` is all ones.
fn const_concat(v: &View) -> Option<Term> {
    let (c, (x, y)) = (v.a().as_const()?, binary(v.b(), Op::Concat)?);
    if !c.resize(y.width()).is_ones() {
        return None;
    }
    above(v.op, c.extract(c.width() - 1, y.width()), x)
}

/// A chain of a few pieces without the last ones, which are at most `width` bits together.
fn without_tail(chain: &Term, width: u32) -> Option<Term> {
    let mut pieces: Vec<&Term> = Vec::new();
    let mut rest = chain;
    while rest.width() > width && pieces.len() < 16 {
        let (x, tail) = binary(rest, Op::Concat)?;
        pieces.push(x);
        rest = tail;
    }
    let kept = pieces.into_iter().rev().cloned().reduce(|low, high| high.concat(&low));
    kept.filter(|_| rest.width() <= width)
}

/// `x·y·z < c` where the part of `c` below `z` is zero.
fn tail_const(v: &View) -> Option<Term> {
    let c = constant(v)?;
    let head = without_tail(v.a(), c.trailing_zeros())?;
    let dropped = c.width() - head.width();
    below(v.op, &head, c.extract(c.width() - 1, dropped))
}

/// `c < x·y·z` where the part of `c` below `z` is all ones.
fn const_tail(v: &View) -> Option<Term> {
    let c = v.a().as_const()?;
    let head = without_tail(v.b(), c.not().trailing_zeros())?;
    let dropped = c.width() - head.width();
    above(v.op, c.extract(c.width() - 1, dropped), &head)
}

/// Complement reverses either order.
fn nots(v: &View) -> Option<Term> {
    compare(v.op, v.b().arg(0), v.a().arg(0))
}

fn not_const(v: &View) -> Option<Term> {
    above(v.op, constant(v)?.not(), v.a().arg(0))
}

fn const_not(v: &View) -> Option<Term> {
    below(v.op, v.b().arg(0), v.a().as_const()?.not())
}

/// `!(x < c)` is `c - 1 < x`, unless nothing is below `c`.
fn not_below(v: &View) -> Option<Term> {
    let op = v.a().op();
    let (x, c) = with_const(v.a(), op)?;
    let before = c.sub(&Bits::one(c.width()));
    if order(op, &before, &c) == Ordering::Less { above(op, before, x) } else { Some(yes()) }
}

/// `!(c < x)` is `x < c + 1`, unless nothing is above `c`.
fn not_above(v: &View) -> Option<Term> {
    let op = v.a().op();
    let (c, x) = const_with(v.a(), op)?;
    let after = c.add(&Bits::one(c.width()));
    if order(op, &c, &after) == Ordering::Less { below(op, x, after) } else { Some(yes()) }
}

fn and_eq_eq(v: &View) -> Option<Term> {
    let ((x, c), (y, d)) = (binary(v.a(), Op::Eq)?, binary(v.b(), Op::Eq)?);
    (x == y && c != d && c.is_const() && d.is_const()).then(no)
}

fn and_eq_ne(v: &View) -> Option<Term> {
    let ((x, c), (y, d)) = (binary(v.a(), Op::Eq)?, binary(v.b().arg(0), Op::Eq)?);
    (x == y && c != d && c.is_const() && d.is_const()).then(|| v.a().clone())
}
