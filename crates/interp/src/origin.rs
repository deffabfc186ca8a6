//! Which object the result of an operator points into.
//!
//! The address of an object plus an integer is a pointer into that object: that is how arithmetic
//! on pointers as integers keeps what an access is checked against. Any other number that depends
//! on addresses is `Origin::MIXED`. A sum of such a number and a pointer may be any other pointer
//! (`x + (p - x)` is `p`), so it is mixed as well, and resolved by address where it is used.
//!
//! Two exceptions, both sound since objects lie at least 16 bytes apart:
//! - an address with only its lowest four bits changed (a tag, an alignment) keeps its object;
//! - a number below 16 is a plain integer: added to a pointer it reaches no other object.
//!
//! A truth value is a plain integer too: what it selects is seen where it is selected.
//! Pointer arithmetic (`Instruction::Offset`) always keeps the object of its base: C lets no index
//! lead to another one, whatever the index was computed from.

use strata_ir::BinaryOp;
use strata_memory::{Origin, Value};
use strata_term::mask;

/// Numbers below this reach no other object.
const NEAR: u64 = 16;

/// Of `a + b`.
#[inline(always)]
pub(crate) fn sum(a: Origin, b: Origin) -> Origin {
    if b.is_none() {
        a
    } else if a.is_none() {
        b
    } else {
        Origin::MIXED
    }
}

/// Of `a - b`.
#[inline(always)]
pub(crate) fn difference(a: Origin, b: Origin) -> Origin {
    if b.is_none() {
        a
    } else if a == b && a.is_object() {
        Origin::NONE
    } else {
        Origin::MIXED
    }
}

/// Of a number with these bits, computed from `a` and `b` in any way that gives no pointer.
#[inline]
pub(crate) fn number(a: Origin, b: Origin, bits: u64) -> Origin {
    if bits < NEAR { Origin::NONE } else { either(a, b) }
}

/// The same where the bits are not known.
#[inline]
pub(crate) fn either(a: Origin, b: Origin) -> Origin {
    if a.is_none() { b.derived() } else { Origin::MIXED }
}

/// Of a bitwise operation on two plain values that gave these bits.
#[inline]
pub(crate) fn bitwise(a: &Value, b: &Value, bits: u64) -> Origin {
    let kept =
        |value: &Value, other: &Value| value.origin.is_object() && other.origin.is_none() && value.bits ^ bits < NEAR;
    if kept(a, b) {
        a.origin
    } else if kept(b, a) {
        b.origin
    } else {
        number(a.origin, b.origin, bits)
    }
}

/// Of any binary operator on values of this width, of which at least one may be symbolic.
pub(crate) fn binary(op: BinaryOp, width: u32, a: &Value, b: &Value, result: &Value) -> Origin {
    if a.origin.is_none() && b.origin.is_none() {
        return Origin::NONE;
    }
    match op {
        BinaryOp::Add => sum(a.origin, b.origin),
        BinaryOp::Sub => difference(a.origin, b.origin),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => match (a.concrete(), b.concrete(), result.concrete()) {
            (Some(_), Some(_), Some(bits)) => bitwise(a, b, bits),
            (None, Some(other), _) => bitwise_by(op, width, a.origin, other, b.origin),
            (Some(other), None, _) => bitwise_by(op, width, b.origin, other, a.origin),
            (None, None, _) | (Some(_), Some(_), None) => either(a.origin, b.origin),
        },
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle => Origin::NONE,
        BinaryOp::Mul | BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => scaled(a, b, result),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => scaled(a, b, result),
    }
}

fn scaled(a: &Value, b: &Value, result: &Value) -> Origin {
    match result.concrete() {
        Some(bits) => number(a.origin, b.origin, bits),
        None => either(a.origin, b.origin),
    }
}

/// Of a bitwise operation on a symbolic value and a plain one.
fn bitwise_by(op: BinaryOp, width: u32, symbolic: Origin, plain: u64, of_plain: Origin) -> Origin {
    let changed = if op == BinaryOp::And { !plain & mask(width.min(64)) } else { plain };
    if op == BinaryOp::And && plain < NEAR {
        Origin::NONE
    } else if symbolic.is_object() && of_plain.is_none() && changed < NEAR {
        symbolic
    } else {
        either(symbolic, of_plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_term::Term;

    const NONE: Origin = Origin::NONE;
    const MIXED: Origin = Origin::MIXED;
    const X: Origin = Origin(1);
    const Y: Origin = Origin(2);

    #[test]
    fn sums_and_differences() {
        let all = [NONE, X, Y, MIXED];
        for a in all {
            assert_eq!((sum(a, NONE), sum(NONE, a), difference(a, NONE)), (a, a, a));
        }
        for (a, b) in [(X, X), (X, Y), (X, MIXED), (MIXED, X), (MIXED, MIXED)] {
            assert_eq!(sum(a, b), MIXED);
        }
        assert_eq!(difference(X, X), NONE);
        for (a, b) in [(X, Y), (NONE, X), (X, MIXED), (MIXED, X), (MIXED, MIXED), (NONE, MIXED)] {
            assert_eq!(difference(a, b), MIXED, "{a:?} - {b:?}");
        }
    }

    fn check(op: BinaryOp, a: &Value, b: &Value, result: &Value, expect: Origin) {
        assert_eq!(binary(op, 64, a, b, result), expect, "{op:?} {a:?} {b:?}");
    }

    #[test]
    fn bits_of_addresses() {
        let (x, y) = (Value::pointer(0x1230, X), Value::pointer(0x4560, Y));
        let (tag, mask, page) = (Value::bits(1), Value::bits(!15), Value::bits(!4095));
        check(BinaryOp::Or, &x, &tag, &Value::bits(0x1231), X);
        check(BinaryOp::And, &mask, &x, &Value::bits(0x1230), X);
        check(BinaryOp::And, &x, &page, &Value::bits(0x1000), MIXED);
        check(BinaryOp::And, &x, &Value::bits(7), &Value::bits(0), NONE);
        check(BinaryOp::Xor, &x, &y, &Value::bits(0x5750), MIXED);
        check(BinaryOp::Xor, &Value::pointer(0x5750, MIXED), &x, &Value::bits(0x4560), MIXED);
        check(BinaryOp::Xor, &Value::bits(0), &x, &Value::bits(0x1230), X);
        check(BinaryOp::LShr, &x, &Value::bits(4), &Value::bits(0x123), MIXED);
        check(BinaryOp::URem, &x, &Value::bits(10), &Value::bits(6), NONE);
        check(BinaryOp::Mul, &Value::bits(5), &tag, &Value::bits(5), NONE);
        check(BinaryOp::Ult, &x, &y, &Value::bits(1), NONE);
    }

    #[test]
    fn bits_of_symbolic_addresses() {
        let any = Value::term(Term::symbol("p", 64));
        let x = any.clone().with_origin(X);
        for (op, plain, expect) in [
            (BinaryOp::And, !15, X),
            (BinaryOp::And, !63, MIXED),
            (BinaryOp::And, 15, NONE),
            (BinaryOp::And, 63, MIXED),
            (BinaryOp::Or, 3, X),
            (BinaryOp::Xor, 64, MIXED),
            (BinaryOp::Shl, 1, MIXED),
        ] {
            check(op, &x, &Value::bits(plain), &any, expect);
        }
        check(BinaryOp::And, &Value::bits(!15), &x, &any, X);
        check(BinaryOp::Or, &x, &any, &any, MIXED);
        check(BinaryOp::Or, &any, &any, &any, NONE);
    }
}
