//! Rules of sums, differences, products, quotients and remainders.
//!
//! Normal form: a sum has at most one constant, at its top; `x - c` is `x + -c` and `-x` is `0 - x`; a product has at
//! most one constant, and a constant factor is distributed over a constant summand (`(i + 1) * 4` is `i * 4 + 4`, as
//! offsets need it). Division by a power of two is extraction. Division by zero has a value (see `Op`), so `0 / x`
//! and `x / x` stay.

use super::{Rule, View, binary, const_with, lift_choice, other, unary, with_const};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::Term;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "add-zero", op: Op::Add, shape: "(add x 0)", apply: |v| Some(v.a().clone()) },
    Rule { name: "add-bits", op: Op::Add, shape: "(add p q)", apply: |v| Some(v.a().xor(v.b())) },
    Rule { name: "add-add-const", op: Op::Add, shape: "(add (add x c) d)", apply: add_add_const },
    Rule { name: "add-sub-const", op: Op::Add, shape: "(add (sub c x) d)", apply: add_sub_const },
    Rule { name: "add-not-const", op: Op::Add, shape: "(add (not x) c)", apply: add_not_const },
    Rule { name: "add-choice", op: Op::Add, shape: "(add (ite p c d) e)", apply: |v| lift_choice(v, 0) },
    Rule { name: "add-same", op: Op::Add, shape: "(add x x)", apply: add_same },
    Rule { name: "add-not", op: Op::Add, shape: "(add x (not x))", apply: add_not },
    Rule { name: "add-sub", op: Op::Add, shape: "(add x (sub y x))", apply: add_sub },
    Rule { name: "add-float", op: Op::Add, shape: "(add (add x c) y)", apply: add_float },
    Rule { name: "add-float-sub", op: Op::Add, shape: "(add (sub c x) y)", apply: add_float_sub },
    Rule { name: "add-mul-same", op: Op::Add, shape: "(add (mul x c) x)", apply: add_mul_same },
    Rule { name: "add-mul-mul", op: Op::Add, shape: "(add (mul x c) (mul x d))", apply: add_mul_mul },
    Rule { name: "sub-const", op: Op::Sub, shape: "(sub x c)", apply: sub_const },
    Rule { name: "sub-bits", op: Op::Sub, shape: "(sub p q)", apply: |v| Some(v.a().xor(v.b())) },
    Rule { name: "sub-same", op: Op::Sub, shape: "(sub x x)", apply: |v| (v.a() == v.b()).then(|| v.zero())? },
    Rule { name: "sub-from-ones", op: Op::Sub, shape: "(sub -1 x)", apply: |v| Some(v.b().not()) },
    Rule { name: "sub-const-sub", op: Op::Sub, shape: "(sub c (sub d x))", apply: const_sub_sub },
    Rule { name: "sub-const-add", op: Op::Sub, shape: "(sub c (add x d))", apply: const_sub_add },
    Rule { name: "sub-const-not", op: Op::Sub, shape: "(sub c (not x))", apply: const_sub_not },
    Rule { name: "sub-const-choice", op: Op::Sub, shape: "(sub c (ite p d e))", apply: const_sub_choice },
    Rule {
        name: "sub-zero-sub",
        op: Op::Sub,
        shape: "(sub 0 (sub x y))",
        apply: |v| Some(v.b().arg(1).sub(v.b().arg(0))),
    },
    Rule {
        name: "sub-add-left",
        op: Op::Sub,
        shape: "(sub (add x y) x)",
        apply: |v| other(v.a(), Op::Add, v.b()).cloned(),
    },
    Rule {
        name: "sub-add-right",
        op: Op::Sub,
        shape: "(sub x (add x y))",
        apply: |v| Some(other(v.b(), Op::Add, v.a())?.neg()),
    },
    Rule { name: "sub-sub-right", op: Op::Sub, shape: "(sub x (sub x y))", apply: sub_sub_right },
    Rule { name: "sub-sub-left", op: Op::Sub, shape: "(sub (sub x y) x)", apply: sub_sub_left },
    Rule { name: "sub-float-left", op: Op::Sub, shape: "(sub (add x c) y)", apply: sub_float_left },
    Rule { name: "sub-float-right", op: Op::Sub, shape: "(sub x (add y c))", apply: sub_float_right },
    Rule { name: "sub-float-sub-left", op: Op::Sub, shape: "(sub (sub c x) y)", apply: sub_float_sub_left },
    Rule { name: "sub-float-sub-right", op: Op::Sub, shape: "(sub x (sub c y))", apply: sub_float_sub_right },
    Rule { name: "mul-zero", op: Op::Mul, shape: "(mul x 0)", apply: |v| Some(v.b().clone()) },
    Rule { name: "mul-one", op: Op::Mul, shape: "(mul x 1)", apply: |v| Some(v.a().clone()) },
    Rule { name: "mul-minus-one", op: Op::Mul, shape: "(mul x -1)", apply: |v| Some(v.a().neg()) },
    Rule { name: "mul-bits", op: Op::Mul, shape: "(mul p q)", apply: |v| Some(v.a().and(v.b())) },
    Rule { name: "mul-mul", op: Op::Mul, shape: "(mul (mul x c) d)", apply: mul_mul },
    Rule { name: "mul-neg", op: Op::Mul, shape: "(mul (sub 0 x) c)", apply: mul_neg },
    Rule { name: "mul-add", op: Op::Mul, shape: "(mul (add x c) d)", apply: mul_add },
    Rule { name: "mul-choice", op: Op::Mul, shape: "(mul (ite p c d) e)", apply: |v| lift_choice(v, 0) },
    Rule { name: "udiv-zero", op: Op::UDiv, shape: "(udiv x 0)", apply: |v| v.ones() },
    Rule { name: "udiv-one", op: Op::UDiv, shape: "(udiv x 1)", apply: |v| Some(v.a().clone()) },
    Rule { name: "udiv-power", op: Op::UDiv, shape: "(udiv x c)", apply: udiv_power },
    Rule { name: "udiv-zext", op: Op::UDiv, shape: "(udiv (zext x) c)", apply: udiv_zext },
    Rule { name: "udiv-udiv", op: Op::UDiv, shape: "(udiv (udiv x c) d)", apply: udiv_udiv },
    Rule { name: "urem-zero", op: Op::URem, shape: "(urem x 0)", apply: |v| Some(v.a().clone()) },
    Rule { name: "urem-same", op: Op::URem, shape: "(urem x x)", apply: |v| (v.a() == v.b()).then(|| v.zero())? },
    Rule { name: "urem-power", op: Op::URem, shape: "(urem x c)", apply: urem_power },
    Rule { name: "urem-zext", op: Op::URem, shape: "(urem (zext x) c)", apply: urem_zext },
    Rule { name: "urem-zexts", op: Op::URem, shape: "(urem (zext x) (zext y))", apply: rem_extended },
    Rule { name: "sdiv-one", op: Op::SDiv, shape: "(sdiv x 1)", apply: |v| Some(v.a().clone()) },
    Rule { name: "sdiv-minus-one", op: Op::SDiv, shape: "(sdiv x -1)", apply: |v| Some(v.a().neg()) },
    Rule {
        name: "sdiv-zext",
        op: Op::SDiv,
        shape: "(sdiv (zext x) c)",
        apply: |v| positive(v)?.then(|| v.a().udiv(v.b())),
    },
    Rule {
        name: "sdiv-zexts",
        op: Op::SDiv,
        shape: "(sdiv (zext x) (zext y))",
        apply: |v| unsigned(v)?.then(|| v.a().udiv(v.b())),
    },
    Rule { name: "srem-zero", op: Op::SRem, shape: "(srem x 0)", apply: |v| Some(v.a().clone()) },
    Rule { name: "srem-one", op: Op::SRem, shape: "(srem x 1)", apply: |v| v.zero() },
    Rule { name: "srem-minus-one", op: Op::SRem, shape: "(srem x -1)", apply: |v| v.zero() },
    Rule { name: "srem-same", op: Op::SRem, shape: "(srem x x)", apply: |v| (v.a() == v.b()).then(|| v.zero())? },
    Rule {
        name: "srem-zext",
        op: Op::SRem,
        shape: "(srem (zext x) c)",
        apply: |v| positive(v)?.then(|| v.a().urem(v.b())),
    },
    Rule {
        name: "srem-zexts",
        op: Op::SRem,
        shape: "(srem (zext x) (zext y))",
        apply: |v| unsigned(v)?.then(|| v.a().urem(v.b())),
    },
    Rule { name: "srem-sexts", op: Op::SRem, shape: "(srem (sext x) (sext y))", apply: rem_extended },
];

fn plus(x: &Term, c: Bits) -> Option<Term> {
    Some(x.add(&Term::constant(c)))
}

fn minus(c: Bits, x: &Term) -> Option<Term> {
    Some(Term::constant(c).sub(x))
}

fn times(x: &Term, c: Bits) -> Option<Term> {
    Some(x.mul(&Term::constant(c)))
}

fn add_add_const(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Add)?;
    plus(x, c.add(&v.b().as_const()?))
}

fn add_sub_const(v: &View) -> Option<Term> {
    let (c, x) = const_with(v.a(), Op::Sub)?;
    minus(c.add(&v.b().as_const()?), x)
}

/// `~x` is `-1 - x`.
fn add_not_const(v: &View) -> Option<Term> {
    minus(v.b().as_const()?.sub(&Bits::one(v.width)), v.a().arg(0))
}

fn add_same(v: &View) -> Option<Term> {
    (v.a() == v.b()).then(|| times(v.a(), Bits::new(v.width, 2)))?
}

fn add_not(v: &View) -> Option<Term> {
    (unary(v.b(), Op::Not)? == v.a()).then(|| v.ones())?
}

fn add_sub(v: &View) -> Option<Term> {
    let (y, x) = binary(v.b(), Op::Sub)?;
    (x == v.a()).then(|| y.clone())
}

fn add_float(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Add)?;
    plus(&x.add(v.b()), c)
}

fn add_float_sub(v: &View) -> Option<Term> {
    let (c, x) = const_with(v.a(), Op::Sub)?;
    plus(&v.b().sub(x), c)
}

fn add_mul_same(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Mul)?;
    (x == v.b()).then(|| times(x, c.add(&Bits::one(v.width))))?
}

fn add_mul_mul(v: &View) -> Option<Term> {
    let ((x, c), (y, d)) = (with_const(v.a(), Op::Mul)?, with_const(v.b(), Op::Mul)?);
    (x == y).then(|| times(x, c.add(&d)))?
}

fn sub_const(v: &View) -> Option<Term> {
    plus(v.a(), v.b().as_const()?.neg())
}

fn const_sub_sub(v: &View) -> Option<Term> {
    let (d, x) = const_with(v.b(), Op::Sub)?;
    plus(x, v.a().as_const()?.sub(&d))
}

fn const_sub_add(v: &View) -> Option<Term> {
    let (x, d) = with_const(v.b(), Op::Add)?;
    minus(v.a().as_const()?.sub(&d), x)
}

fn const_sub_not(v: &View) -> Option<Term> {
    plus(v.b().arg(0), v.a().as_const()?.add(&Bits::one(v.width)))
}

fn const_sub_choice(v: &View) -> Option<Term> {
    if v.a().is_const() { lift_choice(v, 1) } else { None }
}

fn sub_sub_right(v: &View) -> Option<Term> {
    let (x, y) = binary(v.b(), Op::Sub)?;
    (x == v.a()).then(|| y.clone())
}

fn sub_sub_left(v: &View) -> Option<Term> {
    let (x, y) = binary(v.a(), Op::Sub)?;
    (x == v.b()).then(|| y.neg())
}

fn sub_float_left(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Add)?;
    plus(&x.sub(v.b()), c)
}

fn sub_float_right(v: &View) -> Option<Term> {
    let (y, c) = with_const(v.b(), Op::Add)?;
    plus(&v.a().sub(y), c.neg())
}

fn sub_float_sub_left(v: &View) -> Option<Term> {
    let (c, x) = const_with(v.a(), Op::Sub)?;
    minus(c, &x.add(v.b()))
}

fn sub_float_sub_right(v: &View) -> Option<Term> {
    let (c, y) = const_with(v.b(), Op::Sub)?;
    plus(&v.a().add(y), c.neg())
}

fn mul_mul(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Mul)?;
    times(x, c.mul(&v.b().as_const()?))
}

fn mul_neg(v: &View) -> Option<Term> {
    let (zero, x) = const_with(v.a(), Op::Sub)?;
    zero.is_zero().then(|| times(x, v.b().as_const()?.neg()))?
}

fn mul_add(v: &View) -> Option<Term> {
    let ((x, c), d) = (with_const(v.a(), Op::Add)?, v.b().as_const()?);
    plus(&times(x, d.clone())?, c.mul(&d))
}

fn udiv_power(v: &View) -> Option<Term> {
    let k = v.b().as_const()?.log2()?;
    Some(v.a().extract(v.width - 1, k).zext(v.width))
}

fn urem_power(v: &View) -> Option<Term> {
    match v.b().as_const()?.log2()? {
        0 => v.zero(),
        k => Some(v.a().extract(k - 1, 0).zext(v.width)),
    }
}

/// A constant that is not zero, at the width of the extended first argument; `Err` if it is larger than that argument
/// can be.
fn narrowed(v: &View) -> Option<Result<Term, ()>> {
    let (x, c) = (v.a().arg(0), v.b().as_const()?);
    if c.is_zero() || x.width() == v.width {
        return None;
    }
    let fits = v.width - c.leading_zeros() <= x.width();
    Some(if fits { Ok(Term::constant(c.resize(x.width()))) } else { Err(()) })
}

fn udiv_zext(v: &View) -> Option<Term> {
    match narrowed(v)? {
        Ok(c) => Some(v.a().arg(0).udiv(&c).zext(v.width)),
        Err(()) => v.zero(),
    }
}

fn urem_zext(v: &View) -> Option<Term> {
    match narrowed(v)? {
        Ok(c) => Some(v.a().arg(0).urem(&c).zext(v.width)),
        Err(()) => Some(v.a().clone()),
    }
}

/// Dividing by `c` and then `d` is dividing by `c * d`, if that does not overflow.
fn udiv_udiv(v: &View) -> Option<Term> {
    let ((x, c), d) = (with_const(v.a(), Op::UDiv)?, v.b().as_const()?);
    let product = c.resize(2 * v.width).mul(&d.resize(2 * v.width));
    let fits = !product.is_zero() && product.leading_zeros() >= v.width;
    fits.then(|| x.udiv(&Term::constant(product.resize(v.width))))
}

/// Neither the extended first argument nor the constant is negative.
fn positive(v: &View) -> Option<bool> {
    Some(v.a().arg(0).width() < v.width && !v.b().as_const()?.sign())
}

/// Is the sign bit of both extended arguments zero?
fn unsigned(v: &View) -> Option<bool> {
    Some(v.a().arg(0).width() < v.width && v.b().arg(0).width() < v.width)
}

/// A remainder of numbers of one smaller width. Sound for a zero divisor, which gives the dividend; a quotient would
/// be all ones at either width, which is not the same extended.
fn rem_extended(v: &View) -> Option<Term> {
    let (x, y) = (v.a().arg(0), v.b().arg(0));
    if x.width() != y.width() || x.width() == v.width {
        return None;
    }
    Some(if v.op == Op::URem { x.urem(y).zext(v.width) } else { x.srem(y).sext(v.width) })
}
