//! Instructions on plain integers: threaded code.
//!
//! Each instruction carries the address of its handler; a handler does its work and calls the next instruction's as its
//! last act. The compiler turns such calls into jumps, so what every handler needs stays in machine registers and each jump has a
//! prediction of its own. A loop with one `match` was measured half as fast: one register allocation for all operations spills what all of them
//! need.
//!
//! A handler works on concrete values of at most 64 bits. An operand that is a term, an access that no window shows, a zero
//! divisor and all that is rare leave for `exec`, which knows the general meaning of each instruction: nothing has been changed then.
//!
//! *Fused instructions* need no form of their own. Those that often follow each other are run by one handler (`Pair`, `last`),
//! which reads each one's fields where they lie. All results are written, so whatever stops half-way
//! goes on at the instruction that it stopped at, with its own handler. `choice` says what is fused.
//!
//! Invariants, for all unsafe code below:
//! - `Program`s are verified before they get here (`strata_ir::verify`) and translated by `code`: operands are offsets of registers or
//!   constants of the running frame, blocks and tables are numbered within the function, a block's last instruction is a terminator. So
//!   `ins.add(1)` behind an instruction that is none is an instruction.
//! - `Run` holds pointers that are good for as long as `machine` stays in one call of a handler: frame, memory and windows are changed by
//!   handlers alone meanwhile. Those of calls and returns change the frames, and go on with the registers and the code of the frame that runs then.
//! - A value that is overwritten without being dropped (`set`) has no term.
//!
//! Nothing depends on calls having become jumps: `machine` hands out `SLICE` instructions at a time, so that even where each handler kept a frame
//! the stack would hold them. Those of the program's calls and returns would keep a few words for each call in progress.

mod arithmetic;
mod choice;
mod flow;
mod memory;

pub(crate) use choice::handler;

use crate::code::{Code, Entry, Ins};
use crate::image::Image;
use crate::results::Results;
use crate::state::State;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering};
use strata_memory::{Origin, Value, Windows};

/// Instructions between two returns to `machine`.
pub(crate) const SLICE: i64 = 4096;

/// What an instruction is run by: the run, the instruction, the frame's registers, the instructions left.
pub(crate) type Handler = unsafe fn(*mut Run, *const Ins, *mut Value, i64) -> Exit;

/// Why the handlers came back. `Run::at` says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The instruction needs the general path.
    General,
    /// The instructions are used up.
    Rest,
    /// It is a return with anything but one plain value, or the last one.
    Return,
    /// It makes a local variable.
    Allocate,
}

/// What handlers work on.
pub(crate) struct Run {
    pub windows: *mut Windows,
    pub results: *mut Results,
    pub state: *mut State,
    pub image: *const Image,
    /// By site: which sides were taken.
    pub sides: *const AtomicU8,
    /// How many calls may be in progress.
    pub max_calls: usize,
    /// The running function.
    pub code: *const Code,
    /// Its blocks.
    pub entries: *const Entry,
    /// Its first instruction.
    pub first: *const Ins,
    /// The instructions to run.
    pub slice: i64,
    /// Where the handlers stopped.
    pub at: *const Ins,
    /// The instructions left then.
    pub left: i64,
}

impl Run {
    /// From now on this function runs.
    #[inline(always)]
    fn run_code(&mut self, code: &Code) {
        (self.code, self.entries, self.first) = (code, code.blocks.as_ptr(), code.ins.as_ptr());
    }
}

/// What became of a step. The numbers say which instruction of several it is about.
pub(crate) enum Outcome {
    Done,
    /// It needs the general path.
    General(usize),
    /// The register that it writes holds a term, which must be dropped first.
    Clear(usize),
    /// It is not of the most frequent kind, but may still be done here (`memory::second`).
    Second(usize),
}

/// One instruction or several in a row.
pub(crate) trait Step {
    /// How many.
    const LENGTH: usize;

    /// Does them, up to where the outcome says.
    ///
    /// Safety: the file's invariants hold, and these instructions are what the step is for.
    unsafe fn step(run: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome;
}

/// The end of a block.
pub(crate) trait Leap {
    /// Goes to another block, or stops.
    ///
    /// Safety: as for `Step::step`.
    unsafe fn leap(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit;
}

/// Two steps in a row.
pub(crate) struct Pair<A, B>(PhantomData<(A, B)>);

impl<A: Step, B: Step> Step for Pair<A, B> {
    const LENGTH: usize = A::LENGTH + B::LENGTH;

    #[inline(always)]
    unsafe fn step(run: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's; the second's instructions lie behind the first's.
        unsafe {
            match A::step(run, ins, regs) {
                Outcome::Done => match B::step(run, ins.add(A::LENGTH), regs) {
                    Outcome::Done => Outcome::Done,
                    Outcome::General(k) => Outcome::General(k + A::LENGTH),
                    Outcome::Clear(k) => Outcome::Clear(k + A::LENGTH),
                    Outcome::Second(k) => Outcome::Second(k + A::LENGTH),
                },
                stopped @ (Outcome::General(_) | Outcome::Clear(_) | Outcome::Second(_)) => stopped,
            }
        }
    }
}

/// The handler of a step.
unsafe fn one<S: Step>(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe {
        match S::step(run, ins, regs) {
            Outcome::Done => next(run, ins.add(S::LENGTH), regs, left),
            Outcome::General(k) => general(run, ins.add(k), regs, left),
            Outcome::Clear(k) => clear(run, ins.add(k), regs, left),
            Outcome::Second(k) => memory::second(run, ins.add(k), regs, left),
        }
    }
}

/// The handler of a step and the end of its block.
unsafe fn last<S: Step, L: Leap>(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe {
        match S::step(run, ins, regs) {
            Outcome::Done => L::leap(run, ins.add(S::LENGTH), regs, left),
            Outcome::General(k) => general(run, ins.add(k), regs, left),
            Outcome::Clear(k) => clear(run, ins.add(k), regs, left),
            Outcome::Second(k) => memory::second(run, ins.add(k), regs, left),
        }
    }
}

/// The handler of a block's end.
unsafe fn only<L: Leap>(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe { L::leap(run, ins, regs, left) }
}

/// Goes on with an instruction.
#[inline(always)]
unsafe fn next(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe { ((*ins).run)(run, ins, regs, left) }
}

/// Goes on with a block.
#[inline(always)]
unsafe fn go(run: *mut Run, regs: *mut Value, left: i64, block: u32) -> Exit {
    // Safety: the invariants.
    unsafe {
        let entry = &*(*run).entries.add(block as usize);
        let left = left - i64::from(entry.length);
        let ins = (*run).first.byte_add(entry.at as usize);
        if entry.covered.load(Ordering::Relaxed) == 0 {
            return arrive(run, ins, regs, left, entry);
        }
        if left < 0 {
            return rest(run, ins, regs, left);
        }
        next(run, ins, regs, left)
    }
}

/// The first time that a block is run.
#[cold]
unsafe fn arrive(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64, entry: &Entry) -> Exit {
    // Safety: the invariants.
    unsafe {
        if (*(*run).image).arrive(entry) {
            // Before the block was counted.
            reached_new(run, left + i64::from(entry.length));
        }
        if left < 0 { rest(run, ins, regs, left) } else { next(run, ins, regs, left) }
    }
}

/// Notes that the state is where no other was before.
#[cold]
unsafe fn reached_new(run: *mut Run, left: i64) {
    // Safety: the invariants.
    let (state, done) = unsafe { (&mut *(*run).state, (*run).slice - left) };
    state.covered_new = true;
    state.covered_at = state.instructions.wrapping_add_signed(done);
}

/// Stops at an instruction.
#[inline(always)]
unsafe fn stop(run: *mut Run, ins: *const Ins, left: i64, exit: Exit) -> Exit {
    // Safety: the invariants.
    unsafe {
        (*run).at = ins;
        (*run).left = left;
    }
    exit
}

/// The handler of what has no other, and the way out of all others, unless it is known what comes of these operands.
#[cold]
pub(crate) unsafe fn general(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe {
        if remembered(run, ins, regs) {
            return next(run, ins.add(1), regs, left);
        }
        stop(run, ins, left, Exit::General)
    }
}

/// The handler of a place where states of a fragment may stop.
pub(crate) unsafe fn landing(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants; a landing is no terminator.
    unsafe {
        if (*(*run).state).members.is_empty() {
            return next(run, ins.add(1), regs, left);
        }
        stop(run, ins, left, Exit::General)
    }
}

/// Writes what an instruction gave for these operands before. False: that is not known.
#[inline(never)]
unsafe fn remembered(run: *mut Run, ins: *const Ins, regs: *mut Value) -> bool {
    // Safety: the invariants; references to operands are gone before the result is written.
    unsafe {
        let (i, results) = (&*ins, &mut *(*run).results);
        if i.operands == 0 {
            results.pass();
            return false;
        }
        let b = if i.operands == 1 { i.a } else { i.b };
        let Some(made) = results.find(i, value(regs, i.a), value(regs, b)) else { return false };
        *regs.byte_add(i.to as usize) = made;
    }
    true
}

#[cold]
unsafe fn rest(run: *mut Run, ins: *const Ins, _: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe { stop(run, ins, left, Exit::Rest) }
}

/// Drops the old value of the register that an instruction writes (it reads none that is a term), and runs the instruction.
#[cold]
unsafe fn clear(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe {
        *regs.byte_add((*ins).to as usize) = Value::default();
        next(run, ins, regs, left)
    }
}

/// A register or constant.
#[inline(always)]
unsafe fn value<'r>(regs: *mut Value, operand: u32) -> &'r Value {
    // Safety: the invariants.
    unsafe { &*regs.byte_add(operand as usize) }
}

/// Writes a register, unless it holds a term. True: done.
#[inline(always)]
#[must_use]
unsafe fn set(regs: *mut Value, to: u32, bits: u64, origin: Origin) -> bool {
    // Safety: the invariants; what is overwritten needs no drop.
    unsafe {
        let slot = regs.byte_add(to as usize);
        if (*slot).term.is_some() {
            return false;
        }
        Value::put(slot, bits, origin);
    }
    true
}

/// Writes a register: the outcome of a single instruction.
#[inline(always)]
unsafe fn put(regs: *mut Value, to: u32, bits: u64, origin: Origin) -> Outcome {
    // Safety: the invariants.
    if unsafe { set(regs, to, bits, origin) } { Outcome::Done } else { Outcome::Clear(0) }
}
