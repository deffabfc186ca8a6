//! Rules of extract, concat, zext and sext.
//!
//! Normal form: extractions sit on inputs, reads and arithmetic, not on other casts; concatenations lean right and
//! contain no two adjacent constants or slices of one term; zeros on top are an extension.

use super::{Rule, View, binary, is_ones, is_zero, lift_choice, unary, with_const};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::Term;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "extract-all", op: Op::Extract, shape: "(extract x)", apply: extract_all },
    Rule { name: "extract-extract", op: Op::Extract, shape: "(extract (extract x))", apply: extract_extract },
    Rule { name: "extract-zext", op: Op::Extract, shape: "(extract (zext x))", apply: extract_zext },
    Rule { name: "extract-sext", op: Op::Extract, shape: "(extract (sext x))", apply: extract_sext },
    Rule { name: "extract-concat", op: Op::Extract, shape: "(extract (concat x y))", apply: extract_concat },
    Rule {
        name: "extract-ite",
        op: Op::Extract,
        shape: "(extract (ite p c d)) | (extract (ite p c x)) | (extract (ite p x c))",
        apply: extract_ite,
    },
    Rule { name: "extract-not", op: Op::Extract, shape: "(extract (not (zext x)))", apply: extract_not },
    Rule {
        name: "extract-and",
        op: Op::Extract,
        shape: "(extract (and (zext x) (zext y))) | (extract (and (sext x) c)) | (extract (and x (zext y))) | (extract (and x (concat y c))) | (extract (and x (add (mul y c) d)))",
        apply: extract_bitwise,
    },
    Rule {
        name: "extract-or",
        op: Op::Extract,
        shape: "(extract (or (zext x) (zext y))) | (extract (or (sext x) c)) | (extract (or x (zext y))) | (extract (or x (concat y c))) | (extract (or x (add (mul y c) d)))",
        apply: extract_bitwise,
    },
    Rule {
        name: "extract-xor",
        op: Op::Extract,
        shape: "(extract (xor (zext x) (zext y))) | (extract (xor (sext x) c)) | (extract (xor x (zext y))) | (extract (xor x (concat y c))) | (extract (xor x (add (mul y c) d)))",
        apply: extract_bitwise,
    },
    Rule {
        name: "extract-add",
        op: Op::Extract,
        shape: "(extract (add (zext x) c)) | (extract (add (sext x) (zext y))) | (extract (add (concat x y) (zext z)))",
        apply: extract_arithmetic,
    },
    Rule {
        name: "extract-sub",
        op: Op::Extract,
        shape: "(extract (sub (zext x) c)) | (extract (sub (sext x) (zext y))) | (extract (sub (concat x y) (zext z)))",
        apply: extract_arithmetic,
    },
    Rule {
        name: "extract-mul",
        op: Op::Extract,
        shape: "(extract (mul (zext x) c)) | (extract (mul (sext x) (zext y))) | (extract (mul (concat x y) (zext z)))",
        apply: extract_arithmetic,
    },
    Rule { name: "extract-add-const", op: Op::Extract, shape: "(extract (add x c))", apply: extract_add_const },
    Rule { name: "extract-mul-const", op: Op::Extract, shape: "(extract (mul x c))", apply: extract_mul_const },
    Rule { name: "concat-zero", op: Op::Concat, shape: "(concat 0 x)", apply: |v| Some(v.b().zext(v.width)) },
    Rule { name: "concat-left", op: Op::Concat, shape: "(concat (concat x y) z)", apply: concat_left },
    Rule { name: "concat-consts", op: Op::Concat, shape: "(concat c (concat d x))", apply: concat_consts },
    Rule { name: "concat-const-zext", op: Op::Concat, shape: "(concat c (zext x))", apply: concat_const_zext },
    Rule { name: "concat-zext", op: Op::Concat, shape: "(concat (zext x) y)", apply: concat_zext },
    Rule { name: "concat-choice", op: Op::Concat, shape: "(concat (ite p c d) e)", apply: |v| lift_choice(v, 0) },
    Rule { name: "concat-const-choice", op: Op::Concat, shape: "(concat c (ite p d e))", apply: |v| lift_choice(v, 1) },
    Rule { name: "concat-extracts", op: Op::Concat, shape: "(concat (extract x) (extract x))", apply: concat_extracts },
    Rule {
        name: "concat-extracts-tail",
        op: Op::Concat,
        shape: "(concat (extract x) (concat (extract x) y))",
        apply: concat_extracts_tail,
    },
    Rule { name: "concat-sign", op: Op::Concat, shape: "(concat (extract x) x)", apply: concat_sign },
    Rule {
        name: "zext-none",
        op: Op::ZExt,
        shape: "(zext x)",
        apply: |v| (v.a().width() == v.width).then(|| v.a().clone()),
    },
    Rule { name: "zext-zext", op: Op::ZExt, shape: "(zext (zext x))", apply: |v| Some(v.a().arg(0).zext(v.width)) },
    Rule { name: "zext-concat", op: Op::ZExt, shape: "(zext (concat c x))", apply: extend_concat },
    Rule { name: "zext-choice", op: Op::ZExt, shape: "(zext (ite p c d))", apply: |v| lift_choice(v, 0) },
    Rule {
        name: "sext-none",
        op: Op::SExt,
        shape: "(sext x)",
        apply: |v| (v.a().width() == v.width).then(|| v.a().clone()),
    },
    Rule { name: "sext-sext", op: Op::SExt, shape: "(sext (sext x))", apply: |v| Some(v.a().arg(0).sext(v.width)) },
    Rule { name: "sext-zext", op: Op::SExt, shape: "(sext (zext x))", apply: sext_zext },
    Rule { name: "sext-concat", op: Op::SExt, shape: "(sext (concat c x))", apply: extend_concat },
    Rule { name: "sext-choice", op: Op::SExt, shape: "(sext (ite p c d))", apply: |v| lift_choice(v, 0) },
];

fn extract_all(v: &View) -> Option<Term> {
    (v.a().width() == v.width).then(|| v.a().clone())
}

fn extract_extract(v: &View) -> Option<Term> {
    let low = v.a().low();
    Some(v.a().arg(0).extract(low + v.high(), low + v.low))
}

fn extract_zext(v: &View) -> Option<Term> {
    let x = v.a().arg(0);
    let top = x.width();
    match () {
        () if v.high() < top => Some(x.extract(v.high(), v.low)),
        () if v.low >= top => v.zero(),
        () => Some(x.extract(top - 1, v.low).zext(v.width)),
    }
}

/// Above the source there are copies of its sign bit.
fn extract_sext(v: &View) -> Option<Term> {
    let x = v.a().arg(0);
    let top = x.width();
    match () {
        () if v.high() < top => Some(x.extract(v.high(), v.low)),
        () => Some(x.extract(top - 1, v.low.min(top - 1)).sext(v.width)),
    }
}

/// Within one part, or with one part whole: anything else would be a term more.
fn extract_concat(v: &View) -> Option<Term> {
    let (x, y) = binary(v.a(), Op::Concat)?;
    let border = y.width();
    match () {
        () if v.high() < border => Some(y.extract(v.high(), v.low)),
        () if v.low >= border => Some(x.extract(v.high() - border, v.low - border)),
        () if v.low == 0 || v.high() + 1 == v.a().width() => {
            Some(x.extract(v.high() - border, 0).concat(&y.extract(border - 1, v.low)))
        }
        () => None,
    }
}

fn extract_ite(v: &View) -> Option<Term> {
    let (p, x, y) = (v.a().arg(0), v.a().arg(1), v.a().arg(2));
    let slice = |t: &Term| t.extract(v.high(), v.low);
    (x.is_const() || y.is_const()).then(|| Term::ite(p, &slice(x), &slice(y)))
}

/// Does the slice of `x` that `v` takes cost less than `x`: a constant, or a cast undone?
fn sheds(v: &View, x: &Term) -> bool {
    match x.op() {
        Op::Const => true,
        Op::ZExt => v.high() < x.arg(0).width() || v.low >= x.arg(0).width(),
        Op::SExt => v.high() < x.arg(0).width(),
        Op::Concat => v.high() < x.arg(1).width() || v.low >= x.arg(1).width(),
        Op::Symbol | Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv => false,
        Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr | Op::Extract | Op::Eq | Op::Ult | Op::Slt => false,
        Op::Ite | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read | Op::Bound | Op::Forall => false,
    }
}

/// Levels down to which a slice is looked for that is nothing.
const MISSED: u32 = 4;

fn extract_not(v: &View) -> Option<Term> {
    let x = v.a().arg(0);
    sheds(v, x).then(|| x.extract(v.high(), v.low).not())
}

/// The slices of both arguments under the same operator.
fn push(v: &View, x: &Term, y: &Term) -> Option<Term> {
    let (x, y) = (x.extract(v.high(), v.low), y.extract(v.high(), v.low));
    Some(crate::build::make(v.a().op(), v.width, 0, &[&x, &y]))
}

/// Is a slice of `x` surely zero, as those of numbers shifted beyond it are? Looks a few levels down.
fn misses(x: &Term, high: u32, low: u32, depth: u32) -> bool {
    let Some(deeper) = depth.checked_sub(1) else { return false };
    let within = |part: &Term, high, low| misses(part, high, low, deeper);
    match x.op() {
        Op::Const => is_zero(&x.extract(high, low)),
        Op::ZExt if low >= x.arg(0).width() => true,
        Op::ZExt if high < x.arg(0).width() => within(x.arg(0), high, low),
        Op::Concat => {
            let cut = x.arg(1).width();
            (low >= cut || within(x.arg(1), high.min(cut - 1), low))
                && (high < cut || within(x.arg(0), high - cut, low.max(cut) - cut))
        }
        Op::Or | Op::Xor => within(x.arg(0), high, low) && within(x.arg(1), high, low),
        Op::And => within(x.arg(0), high, low) || within(x.arg(1), high, low),
        // All bits up to there must be zero, or something is carried.
        Op::Add | Op::Sub => within(x.arg(0), high, 0) && within(x.arg(1), high, 0),
        Op::Mul => x.args().iter().any(|arg| arg.as_const().is_some_and(|c| c.trailing_zeros() > high)),
        Op::ZExt | Op::SExt | Op::Symbol | Op::Not | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl => false,
        Op::LShr | Op::AShr | Op::Extract | Op::Eq | Op::Ult | Op::Slt | Op::Ite | Op::Read => false,
        Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Bound | Op::Forall => false,
    }
}

/// Where one slice is nothing, both shed something, or one of them decides.
fn extract_bitwise(v: &View) -> Option<Term> {
    let (x, y) = (v.a().arg(0), v.a().arg(1));
    for (gone, left) in [(x, y), (y, x)] {
        if misses(gone, v.high(), v.low, MISSED) {
            let zero = || Term::constant(Bits::zero(v.width));
            return Some(if v.a().op() == Op::And { zero() } else { left.extract(v.high(), v.low) });
        }
    }
    match (sheds(v, x), sheds(v, y)) {
        (true, true) => push(v, x, y),
        (false, false) => None,
        (true, false) => decided(v, x, y),
        (false, true) => decided(v, y, x),
    }
}

/// `x` is cheap to slice; if its slice is all zeros or ones, so is the result, or it is the slice of `y`.
fn decided(v: &View, x: &Term, y: &Term) -> Option<Term> {
    let above_zext = x.op() == Op::ZExt && v.low >= x.arg(0).width();
    if !x.is_const() && !above_zext {
        return None;
    }
    let part = x.extract(v.high(), v.low);
    let decides = is_zero(&part) || is_ones(&part) && v.a().op() != Op::Xor;
    decides.then(|| push(v, x, y))?
}

/// Low bits of a sum or product depend on the low bits alone.
fn extract_arithmetic(v: &View) -> Option<Term> {
    let (x, y) = (v.a().arg(0), v.a().arg(1));
    if v.low == 0 && sheds(v, x) && sheds(v, y) { push(v, x, y) } else { None }
}

/// Low bits to which the constant adds nothing.
fn extract_add_const(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Add)?;
    (v.high() < c.trailing_zeros()).then(|| x.extract(v.high(), v.low))
}

/// A product with a multiple of 2^k has `k` zeros; a product with 2^k is shifted.
fn extract_mul_const(v: &View) -> Option<Term> {
    let (x, c) = with_const(v.a(), Op::Mul)?;
    let k = c.trailing_zeros();
    if v.high() < k {
        return v.zero();
    }
    (v.low >= k && c.log2().is_some()).then(|| x.extract(v.high() - k, v.low - k))
}

/// How many parts of a concatenation are moved over.
const MAX_PARTS: usize = 64;

/// Moves `z` to the end of the chain on the left, in a loop: the chain may be long.
fn concat_left(v: &View) -> Option<Term> {
    let mut parts = Vec::new();
    let mut rest = v.a();
    while let Some((x, y)) = binary(rest, Op::Concat) {
        if parts.len() == MAX_PARTS {
            return None;
        }
        parts.push(x);
        rest = y;
    }
    parts.push(rest);
    Some(parts.iter().rev().fold(v.b().clone(), |low, part| part.concat(&low)))
}

fn concat_consts(v: &View) -> Option<Term> {
    let (d, x) = super::const_with(v.b(), Op::Concat)?;
    Some(Term::constant(v.a().as_const()?.concat(&d)).concat(x))
}

fn concat_const_zext(v: &View) -> Option<Term> {
    let x = v.b().arg(0);
    if x.width() == v.b().width() {
        return None;
    }
    let zeros = crate::bits::Bits::zero(v.b().width() - x.width());
    Some(Term::constant(v.a().as_const()?.concat(&zeros)).concat(x))
}

fn concat_zext(v: &View) -> Option<Term> {
    let x = v.a().arg(0);
    (x.width() < v.a().width()).then(|| x.concat(v.b()).zext(v.width))
}

/// Two extractions of one term, the second ending where the first begins.
fn adjacent(high: &Term, low: &Term) -> Option<Term> {
    let x = unary(high, Op::Extract)?;
    let joins = unary(low, Op::Extract)? == x && high.low() == low.high() + 1;
    joins.then(|| x.extract(high.high(), low.low()))
}

fn concat_extracts(v: &View) -> Option<Term> {
    adjacent(v.a(), v.b())
}

fn concat_extracts_tail(v: &View) -> Option<Term> {
    let (low, rest) = binary(v.b(), Op::Concat)?;
    Some(adjacent(v.a(), low)?.concat(rest))
}

/// A term under a copy of its sign bit.
fn concat_sign(v: &View) -> Option<Term> {
    let (bit, x) = (v.a(), v.b());
    let sign = bit.width() == 1 && bit.arg(0) == x && bit.low() + 1 == x.width();
    sign.then(|| x.sext(v.width))
}

/// The extension of a concatenation with a constant on top extends the constant.
fn extend_concat(v: &View) -> Option<Term> {
    let (c, x) = super::const_with(v.a(), Op::Concat)?;
    let width = v.width - x.width();
    let top = if v.op == Op::ZExt { c.resize(width) } else { c.sext(width) };
    Some(Term::constant(top).concat(x))
}

fn sext_zext(v: &View) -> Option<Term> {
    let x = v.a().arg(0);
    (x.width() < v.a().width()).then(|| x.zext(v.width))
}
