//! Loads, stores and addresses.

use super::{Exit, Outcome, Run, Step, general, next, put, set, value};
use crate::code::{Ins, Op};
use strata_memory::{Origin, Value};
use strata_term::signed;

/// The sum of a base and a scaled index of 64 bits, or of fewer.
pub(super) trait Index {
    /// The index as 64 bits.
    fn wide(width: u32, bits: u64) -> u64;
}

/// An index of 64 bits.
pub(super) struct Wide;

/// An index of fewer bits, signed.
pub(super) struct Narrow;

impl Index for Wide {
    #[inline(always)]
    fn wide(_: u32, bits: u64) -> u64 {
        bits
    }
}

impl Index for Narrow {
    #[inline(always)]
    fn wide(width: u32, bits: u64) -> u64 {
        signed(width, bits) as u64
    }
}

/// The address that an offset gives, or nothing where an operand is a term.
#[inline(always)]
unsafe fn address<I: Index>(i: &Ins, regs: *mut Value) -> Option<(u64, Origin)> {
    // Safety: the caller's.
    let (base, index) = unsafe { (value(regs, i.a), value(regs, i.b)) };
    let plain = !(base.term.is_some() | index.term.is_some());
    plain.then(|| (base.bits.wrapping_add(I::wide(i.width(), index.bits).wrapping_mul(i.c)), base.origin))
}

/// An address derived from another.
pub(super) struct Offset<I>(I);

impl<I: Index> Step for Offset<I> {
    const LENGTH: usize = 1;

    #[inline(always)]
    unsafe fn step(_: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's.
        unsafe {
            match address::<I>(&*ins, regs) {
                Some((bits, origin)) => put(regs, (*ins).to, bits, origin),
                None => Outcome::General(0),
            }
        }
    }
}

/// A load of `1 << LOG` bytes.
pub(super) struct Load<const LOG: usize>;

impl<const LOG: usize> Step for Load<LOG> {
    const LENGTH: usize = 1;

    #[inline(always)]
    unsafe fn step(run: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's.
        unsafe {
            let address = value(regs, (*ins).a);
            if address.term.is_some() {
                return Outcome::General(0);
            }
            load::<LOG>(run, &*ins, regs, address.bits, address.origin)
        }
    }
}

#[inline(always)]
unsafe fn load<const LOG: usize>(run: *mut Run, i: &Ins, regs: *mut Value, address: u64, origin: Origin) -> Outcome {
    // Safety: the caller's.
    unsafe {
        match (&*(*run).windows).load_plain::<LOG>(origin, address) {
            Some((bits, from)) => put(regs, i.to, bits, from),
            None => Outcome::Second(0),
        }
    }
}

/// A store of `1 << LOG` bytes.
pub(super) struct Store<const LOG: usize>;

impl<const LOG: usize> Step for Store<LOG> {
    const LENGTH: usize = 1;

    #[inline(always)]
    unsafe fn step(run: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's.
        unsafe {
            let address = value(regs, (*ins).a);
            if address.term.is_some() {
                return Outcome::General(0);
            }
            store::<LOG>(run, &*ins, regs, address.bits, address.origin)
        }
    }
}

#[inline(always)]
unsafe fn store<const LOG: usize>(run: *mut Run, i: &Ins, regs: *mut Value, address: u64, origin: Origin) -> Outcome {
    // Safety: the caller's.
    unsafe {
        let value = value(regs, i.b);
        if value.is_special() {
            return Outcome::General(0);
        }
        let done = (&mut *(*run).windows).store_plain::<LOG>(origin, address, value.bits, value.origin);
        if done { Outcome::Done } else { Outcome::Second(0) }
    }
}

/// An offset, and a load from the address that it gives.
pub(super) struct OffsetLoad<I, const LOG: usize>(I);

impl<I: Index, const LOG: usize> Step for OffsetLoad<I, LOG> {
    const LENGTH: usize = 2;

    #[inline(always)]
    unsafe fn step(run: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's.
        unsafe {
            let Some((bits, origin)) = address::<I>(&*ins, regs) else { return Outcome::General(0) };
            if !set(regs, (*ins).to, bits, origin) {
                return Outcome::Clear(0);
            }
            match load::<LOG>(run, &*ins.add(1), regs, bits, origin) {
                Outcome::Done => Outcome::Done,
                Outcome::General(_) => Outcome::General(1),
                Outcome::Clear(_) => Outcome::Clear(1),
                Outcome::Second(_) => Outcome::Second(1),
            }
        }
    }
}

/// An offset, and a store to the address that it gives.
pub(super) struct OffsetStore<I, const LOG: usize>(I);

impl<I: Index, const LOG: usize> Step for OffsetStore<I, LOG> {
    const LENGTH: usize = 2;

    #[inline(always)]
    unsafe fn step(run: *mut Run, ins: *const Ins, regs: *mut Value) -> Outcome {
        // Safety: the caller's.
        unsafe {
            let Some((bits, origin)) = address::<I>(&*ins, regs) else { return Outcome::General(0) };
            if !set(regs, (*ins).to, bits, origin) {
                return Outcome::Clear(0);
            }
            match store::<LOG>(run, &*ins.add(1), regs, bits, origin) {
                Outcome::Done => Outcome::Done,
                Outcome::General(_) => Outcome::General(1),
                Outcome::Clear(_) => Outcome::Clear(1),
                Outcome::Second(_) => Outcome::Second(1),
            }
        }
    }
}

/// What a step left as not of the most frequent kind: terms that are only copied, and accesses to any page that a window can show.
#[inline(never)]
pub(super) unsafe fn second(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    let done = unsafe {
        let i = &*ins;
        if matches!(i.op, Op::Load) {
            load_any(run, i, regs)
        } else if matches!(i.op, Op::Store) {
            store_any(run, i, regs)
        } else {
            copy_any(i, regs)
        }
    };
    // Safety: the invariants.
    unsafe { if done { next(run, ins.add(1), regs, left) } else { general(run, ins, regs, left) } }
}

unsafe fn copy_any(i: &Ins, regs: *mut Value) -> bool {
    // Safety: the invariants; a reference to the source would alias the target where they are one.
    unsafe {
        let from = if matches!(i.op, Op::Select) && value(regs, i.d).bits == 0 { i.b } else { i.a };
        let copy = value(regs, from).clone();
        *regs.byte_add(i.to as usize) = copy;
    }
    true
}

unsafe fn load_any(run: *mut Run, i: &Ins, regs: *mut Value) -> bool {
    // Safety: the invariants.
    unsafe {
        let (windows, space) = (&mut *(*run).windows, &mut (*(*run).state).space);
        let (bits, origin) = (value(regs, i.a).bits, value(regs, i.a).origin);
        let count = u64::from(i.width);
        let mut found = windows.load(origin, bits, count);
        if found.is_none() && windows.reach(space, origin, bits, count, false) {
            found = windows.load(origin, bits, count);
        }
        let Some(found) = found else { return false };
        *regs.byte_add(i.to as usize) = found;
    }
    true
}

unsafe fn store_any(run: *mut Run, i: &Ins, regs: *mut Value) -> bool {
    // Safety: the invariants.
    unsafe {
        let (windows, space) = (&mut *(*run).windows, &mut (*(*run).state).space);
        let (address, value) = (value(regs, i.a), value(regs, i.b));
        let count = u64::from(i.width);
        let try_store = |windows: &mut strata_memory::Windows| {
            windows.store(address.origin, address.bits, count, value.bits, value.origin)
        };
        try_store(windows)
            || (windows.reach(space, address.origin, address.bits, count, true) && try_store(windows))
            || (!value.origin.is_none()
                && windows.hold_pointers(space, address.origin, address.bits)
                && try_store(windows))
    }
}

/// The handler of a copy of memory: three operands, the length in `d`.
pub(super) unsafe fn copy(run: *mut Run, ins: *const Ins, regs: *mut Value, left: i64) -> Exit {
    // Safety: the invariants.
    unsafe {
        let i = &*ins;
        let (to, from, length) = (value(regs, i.a), value(regs, i.b), value(regs, i.d));
        let plain = !(to.term.is_some() | from.term.is_some() | length.term.is_some());
        let (windows, space) = (&mut *(*run).windows, &mut (*(*run).state).space);
        if plain && windows.copy(space, (to.origin, to.bits), (from.origin, from.bits), length.bits) {
            return next(run, ins.add(1), regs, left);
        }
        general(run, ins, regs, left)
    }
}
