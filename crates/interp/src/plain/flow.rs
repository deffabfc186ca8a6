//! The ends of blocks, and calls.

use super::{Exit, Leap, Run, clear, general, go, next, reached_new, set, stop, value};
use crate::code::{CallSite, Ins};
use std::sync::atomic::Ordering;
use strata_memory::{Origin, Value};
use strata_term::mask;

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
pub(super) unsafe fn call(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe {
        match called(run, ins, left) {
            Some((at, regs)) => next(run, at, regs, left - 1),
            None => general(run, ins, regs, left),
        }
    }
}

/// The handler of a call through a pointer.
pub(super) unsafe fn call_indirect(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe {
        match called_indirectly(run, ins, regs, left) {
            Some((at, regs)) => next(run, at, regs, left - 1),
            None => general(run, ins, regs, left),
        }
    }
}

/// The handler of a return.
pub(super) unsafe fn leave(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe {
        match returned(run, ins, regs) {
            Some((at, regs)) => next(run, at, regs, left),
            None => stop(run, ins, left, Exit::Return),
        }
    }
}

/// Where to go on: an instruction and the registers of its frame. What finds it is apart from the handlers, which could not end in a jump otherwise.
type Position<'a> = Option<(&'a Ins, *mut Value)>;

#[inline(never)]
unsafe fn called<'a>(run: *mut Run, ins: *const Ins, left: i64) -> Position<'a> {
    // Safety: the invariants.
    unsafe {
        let site = &(&(*(*run).code).calls)[(*ins).d as usize];
        let direct = site.has_body && (*(*run).state).aliases.is_empty();
        if direct { enter(run, ins, left, site, site.function) } else { None }
    }
}

#[inline(never)]
unsafe fn called_indirectly<'a>(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Position<'a> {
    // Safety: the invariants.
    unsafe {
        let site = &(&(*(*run).code).calls)[(*ins).d as usize];
        let function = (*(*run).image).fits(value(regs, (*ins).a), site)?;
        enter(run, ins, left, site, function)
    }
}

/// Starts a call of a function that has code, unless too many are in progress.
#[inline(always)]
unsafe fn enter<'a>(run: *mut Run, ins: *const Ins, left: i64, site: &CallSite, function: u32) -> Position<'a> {
    // Safety: the invariants.
    unsafe {
        let (state, image) = (&mut *(*run).state, &*(*run).image);
        if state.stack.depth() >= (*run).max_calls {
            return None;
        }
        let callee = image.code(function);
        let entry = &callee.blocks[0];
        if image.arrive(entry) {
            reached_new(run, left);
        }
        // A call costs one of the instructions that are left, but is none: its block has counted it.
        state.instructions += u64::from(entry.length) - 1;
        state.saw_uninit |= callee.has_undefined;
        state.stack.top_mut().pc = ins.offset_from((*run).first) as u32;
        let registers = state.stack.call(function, callee, &site.arguments);
        (*run).run_code(callee);
        Some((&callee.ins[0], registers.as_mut_ptr()))
    }
}

/// Ends a call that gives nothing or one plain value, unless it is the last.
#[inline(never)]
unsafe fn returned<'a>(run: *mut Run, ins: *const Ins, regs: *mut Value) -> Position<'a> {
    // Safety: the invariants.
    unsafe {
        let (i, state) = (&*ins, &mut *(*run).state);
        let (bits, origin) = match i.width {
            0 => (0, Origin::NONE),
            1 if value(regs, i.a).term.is_none() => (value(regs, i.a).bits, value(regs, i.a).origin),
            _ => return None,
        };
        if state.stack.depth() == 1 {
            return None;
        }
        if !state.stack.objects().is_empty() {
            let windows = &mut *(*run).windows;
            state.release(0, |object| windows.close(object));
        }
        state.stack.pop();
        let (function, pc, registers) = state.stack.proceed();
        let caller = (*(*run).image).code(function);
        if i.width == 1
            && let Some((slot, width)) = caller.results(pc).first()
        {
            let slot = &mut registers[*slot as usize];
            (slot.bits, slot.origin) =
                if *width < 64 { (bits & mask(*width), origin.derived()) } else { (bits, origin) };
            slot.term = None;
        }
        (*run).run_code(caller);
        Some((&caller.ins[pc as usize + 1], registers.as_mut_ptr()))
    }
}
