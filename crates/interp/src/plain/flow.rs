//! The ends of blocks, and calls.

use super::{Exit, Leap, Run, clear, general, go, set, stop, value};
use crate::code::Ins;
use std::sync::atomic::Ordering;
use strata_memory::{Origin, Value};

/// Notes which side of a branch was taken.
#[inline(always)]
unsafe fn note(run: *mut Run, site: u32, side: u32) {
    // Safety: sites are below their count.
    unsafe {
        (*(*run).state).trace.add(site, side);
        let cell = &*(*run).sides.add(site as usize);
        let bit = 1 << side.min(2);
        let old = cell.load(Ordering::Relaxed);
        if old & bit == 0 {
            cell.store(old | bit, Ordering::Relaxed);
        }
    }
}

#[inline(always)]
unsafe fn branch(run: *mut Run, i: &Ins, regs: *mut Value, left: i64, taken: bool) -> Exit {
    // Safety: the invariants.
    unsafe {
        if i.d != 0 {
            note(run, i.d, u32::from(taken));
        }
        go(run, regs, left, if taken { i.then } else { i.otherwise })
    }
}

/// To a block.
pub(super) struct Jump;

impl Leap for Jump {
    #[inline(always)]
    unsafe fn leap(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
        // Safety: the caller's.
        unsafe { go(run, regs, left, (*ins).then) }
    }
}

/// To one of two blocks.
pub(super) struct Branch;

impl Leap for Branch {
    #[inline(always)]
    unsafe fn leap(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
        // Safety: the caller's.
        unsafe {
            let condition = value(regs, (*ins).a);
            if condition.term.is_some() {
                return general(run, ins, regs, left);
            }
            branch(run, &*ins, regs, left, condition.bits != 0)
        }
    }
}

/// Rows of comparisons with the branch on their result, which is written as well.
macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident |$i:ident, $a:ident, $b:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Leap for $name {
            #[inline(always)]
            unsafe fn leap(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
                // Safety: the caller's.
                unsafe {
                    let $i = &*ins;
                    let (a, b) = (value(regs, $i.a), value(regs, $i.b));
                    if a.term.is_some() | b.term.is_some() {
                        return general(run, ins, regs, left);
                    }
                    let ($a, $b) = (a.bits, b.bits);
                    let result: bool = $result;
                    if !set(regs, $i.to, u64::from(result), Origin::NONE) {
                        return clear(run, ins, regs, left);
                    }
                    branch(run, $i, regs, left, result)
                }
            }
        }
    )*};
}

comparisons! {
    /// Equal.
    BranchEq |_i, a, b| a == b;
    /// Not equal.
    BranchNe |_i, a, b| a != b;
    /// Unsigned less.
    BranchUlt |_i, a, b| a < b;
    /// Unsigned less or equal.
    BranchUle |_i, a, b| a <= b;
    /// Signed less: with the sign bits turned over, as unsigned.
    BranchSlt |i, a, b| a ^ i.c < b ^ i.c;
    /// Signed less or equal.
    BranchSle |i, a, b| a ^ i.c <= b ^ i.c;
}

/// To the block of a value.
pub(super) struct Switch;

impl Leap for Switch {
    #[inline(always)]
    unsafe fn leap(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
        // Safety: the caller's.
        unsafe {
            let value = value(regs, (*ins).a);
            if value.term.is_some() {
                return general(run, ins, regs, left);
            }
            let table = &(&(*(*run).code).tables)[(*ins).d as usize];
            let (block, side) = match table.cases.binary_search_by_key(&value.bits, |case| case.0) {
                Ok(k) => (table.cases[k].1, table.cases[k].2),
                Err(_) => (table.default, 0),
            };
            if table.site != 0 {
                note(run, table.site, side);
            }
            go(run, regs, left, block)
        }
    }
}

/// The handler of a local variable of a constant size.
pub(super) unsafe fn allocate(run: *mut Run, ins: *const Ins, _: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe { stop(run, ins, left, Exit::Allocate) }
}

/// The handler of a call.
pub(super) unsafe fn call(run: *mut Run, ins: *const Ins, _: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe { stop(run, ins, left, Exit::Call) }
}

/// The handler of a call through a pointer.
pub(super) unsafe fn call_indirect(run: *mut Run, ins: *const Ins, _: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe { stop(run, ins, left, Exit::CallIndirect) }
}

/// The handler of a return.
pub(super) unsafe fn leave(run: *mut Run, ins: *const Ins, _: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe { stop(run, ins, left, Exit::Return) }
}
