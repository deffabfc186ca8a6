//! Arithmetic, comparisons and casts on plain integers.

use super::{Outcome, Run, Step, put, value};
use crate::code::Ins;
use crate::origin::{bitwise, difference, number, sum};
use strata_memory::{Origin, Value};
use strata_term::signed;

/// Rows of operators on two operands whose result is a number, whatever the operands point to. `None`: the general path.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident |$i:ident, $a:ident, $b:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Step for $name {
            const LENGTH: usize = 1;

            #[inline(always)]
            unsafe fn step(_: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
                // Safety: the caller's.
                unsafe {
                    let $i = &*ins;
                    let (a, b) = (value(regs, $i.a), value(regs, $i.b));
                    let of = |$a: u64, $b: u64| -> Option<u64> { $result };
                    if a.beside() | b.beside() == 0 {
                        return match of(a.bits, b.bits) {
                            Some(bits) => put(regs, $i.to, bits, Origin::NONE),
                            None => Outcome::General(0),
                        };
                    }
                    if a.term.is_some() | b.term.is_some() {
                        return Outcome::General(0);
                    }
                    match of(a.bits, b.bits) {
                        Some(bits) => put(regs, $i.to, bits, number(a.origin, b.origin, bits)),
                        None => Outcome::General(0),
                    }
                }
            }
        }
    )*};
}

/// Rows of comparisons.
macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident |$i:ident, $a:ident, $b:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Step for $name {
            const LENGTH: usize = 1;

            #[inline(always)]
            unsafe fn step(_: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
                // Safety: the caller's.
                unsafe {
                    let $i = &*ins;
                    let (a, b) = (value(regs, $i.a), value(regs, $i.b));
                    if a.term.is_some() | b.term.is_some() {
                        return Outcome::General(0);
                    }
                    let ($a, $b) = (a.bits, b.bits);
                    put(regs, $i.to, u64::from($result), Origin::NONE)
                }
            }
        }
    )*};
}

/// Rows of operators on one operand: the result's bits, and its origin where the operand has one.
macro_rules! casts {
    ($($(#[$doc:meta])* $name:ident |$i:ident, $a:ident| $result:expr, $origin:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Step for $name {
            const LENGTH: usize = 1;

            #[inline(always)]
            unsafe fn step(_: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
                // Safety: the caller's.
                unsafe {
                    let $i = &*ins;
                    let $a = value(regs, $i.a);
                    let bits: u64 = $result;
                    if $a.beside() == 0 {
                        return put(regs, $i.to, bits, Origin::NONE);
                    }
                    if $a.term.is_some() {
                        return Outcome::General(0);
                    }
                    let origin: fn(&Ins, Origin, u64) -> Origin = $origin;
                    put(regs, $i.to, bits, origin($i, $a.origin, bits))
                }
            }
        }
    )*};
}

/// Rows of operators whose result may be a pointer where an operand is one: `bits` of the operands' bits, `origin` of both.
macro_rules! pointers {
    ($($(#[$doc:meta])* $name:ident |$i:ident, $a:ident, $b:ident| $bits:expr, $origin:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Step for $name {
            const LENGTH: usize = 1;

            #[inline(always)]
            unsafe fn step(_: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
                // Safety: the caller's.
                unsafe {
                    let $i = &*ins;
                    let ($a, $b) = (value(regs, $i.a), value(regs, $i.b));
                    let bits: u64 = $bits;
                    if $a.beside() | $b.beside() == 0 {
                        return put(regs, $i.to, bits, Origin::NONE);
                    }
                    if $a.term.is_some() | $b.term.is_some() {
                        return Outcome::General(0);
                    }
                    let origin: fn(&Value, &Value, u64) -> Origin = $origin;
                    put(regs, $i.to, bits, origin($a, $b, bits))
                }
            }
        }
    )*};
}

pointers! {
    /// Sum.
    Add |i, a, b| a.bits.wrapping_add(b.bits) & i.c, |a, b, _| sum(a.origin, b.origin);
    /// Difference.
    Sub |i, a, b| a.bits.wrapping_sub(b.bits) & i.c, |a, b, _| difference(a.origin, b.origin);
    /// Bitwise and.
    And |_i, a, b| a.bits & b.bits, bitwise;
    /// Bitwise or.
    Or |_i, a, b| a.bits | b.bits, bitwise;
    /// Bitwise exclusive or.
    Xor |_i, a, b| a.bits ^ b.bits, bitwise;
}

numbers! {
    /// Product.
    Mul |i, a, b| Some(a.wrapping_mul(b) & i.c);
    /// Unsigned quotient.
    UDiv |_i, a, b| a.checked_div(b);
    /// Unsigned remainder.
    URem |_i, a, b| a.checked_rem(b);
    /// Signed quotient. Minus one is the divisor that can overflow.
    SDiv |i, a, b| (b != 0 && b != i.c).then(|| (signed(i.width(), a) / signed(i.width(), b)) as u64 & i.c);
    /// Signed remainder.
    SRem |i, a, b| (b != 0 && b != i.c).then(|| (signed(i.width(), a) % signed(i.width(), b)) as u64 & i.c);
    /// Left shift.
    Shl |i, a, b| (b < u64::from(i.width)).then(|| a << b & i.c);
    /// Logical right shift.
    LShr |i, a, b| (b < u64::from(i.width)).then(|| a >> b);
    /// Arithmetic right shift.
    AShr |i, a, b| (b < u64::from(i.width)).then(|| (signed(i.width(), a) >> b) as u64 & i.c);
    /// The first above the second.
    Concat |i, a, b| Some(a << i.width | b);
}

comparisons! {
    /// Equal.
    Eq |_i, a, b| a == b;
    /// Not equal.
    Ne |_i, a, b| a != b;
    /// Unsigned less.
    Ult |_i, a, b| a < b;
    /// Unsigned less or equal.
    Ule |_i, a, b| a <= b;
    /// Signed less: with the sign bits turned over, as unsigned.
    Slt |i, a, b| a ^ i.c < b ^ i.c;
    /// Signed less or equal.
    Sle |i, a, b| a ^ i.c <= b ^ i.c;
}

casts! {
    /// Extension by zeros; to the same width, of a pointer too.
    ZeroExtend |_i, a| a.bits, |_, of, _| of;
    /// Extension by the sign.
    SignExtend |i, a| signed(i.width(), a.bits) as u64 & i.c, derived;
    /// Some of the bits; all of a pointer's are the pointer.
    Truncate |i, a| a.bits >> i.width & i.c, |i, of, bits| if i.c == u64::MAX { of } else { derived(i, of, bits) };
    /// Bitwise complement.
    Not |i, a| !a.bits & i.c, derived;
    /// Bytes in the other order.
    ByteSwap |i, a| a.bits.swap_bytes() >> i.width, derived;
}

/// Of a cast's result that is no pointer.
fn derived(_: &Ins, of: Origin, bits: u64) -> Origin {
    number(of, Origin::NONE, bits)
}

/// `to = from`. Terms are copied by `memory::second`.
pub(super) struct Copy;

impl Step for Copy {
    const LENGTH: usize = 1;

    #[inline(always)]
    unsafe fn step(_: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's.
        unsafe {
            let from = value(regs, (*ins).a);
            if from.term.is_some() {
                return Outcome::Second(0);
            }
            put(regs, (*ins).to, from.bits, from.origin)
        }
    }
}

/// One of two values. Terms are copied by `memory::second`.
pub(super) struct Select;

impl Step for Select {
    const LENGTH: usize = 1;

    #[inline(always)]
    unsafe fn step(_: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's.
        unsafe {
            let i = &*ins;
            let condition = value(regs, i.d);
            if condition.term.is_some() {
                return Outcome::General(0);
            }
            let chosen = value(regs, if condition.bits != 0 { i.a } else { i.b });
            if chosen.term.is_some() {
                return Outcome::Second(0);
            }
            put(regs, i.to, chosen.bits, chosen.origin)
        }
    }
}

/// A value whose promise is kept.
pub(super) struct Poison;

impl Step for Poison {
    const LENGTH: usize = 1;

    #[inline(always)]
    unsafe fn step(_: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's.
        unsafe {
            let i = &*ins;
            let (a, broken) = (value(regs, i.a), value(regs, i.b));
            if broken.term.is_some() | (broken.bits != 0) {
                return Outcome::General(0);
            }
            if a.term.is_some() {
                return Outcome::Second(0);
            }
            put(regs, i.to, a.bits, a.origin)
        }
    }
}

/// `to = from`, unless poison may be in it.
pub(super) struct Freeze;

impl Step for Freeze {
    const LENGTH: usize = 1;

    #[inline(always)]
    unsafe fn step(_: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's.
        unsafe {
            let a = value(regs, (*ins).a);
            if a.term.is_some() {
                return Outcome::General(0);
            }
            put(regs, (*ins).to, a.bits, a.origin)
        }
    }
}
