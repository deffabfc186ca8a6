//! What was made last: sibling paths compute the same with the same terms, and looking for rules that simplify costs more than remembering what came of it.
//!
//! A table without chains, of each thread's own. An entry holds its arguments, so that their ids stay theirs. Arrays are left out: they can be large, and would live on here.

use crate::op::Op;
use crate::store::Term;
use std::cell::RefCell;

/// Entries.
const SIZE: usize = 2048;

struct Entry {
    op: Op,
    width: u32,
    low: u32,
    args: [Option<Term>; 3],
    made: Term,
}

/// An operator with its arguments, as `make` is given them.
pub struct Asked<'a> {
    op: Op,
    width: u32,
    low: u32,
    args: &'a [&'a Term],
    slot: usize,
}

thread_local! {
    static MADE: RefCell<Vec<Option<Entry>>> = const { RefCell::new(Vec::new()) };
}

impl<'a> Asked<'a> {
    /// `None` if it is not remembered.
    pub fn new(op: Op, width: u32, low: u32, args: &'a [&'a Term]) -> Option<Asked<'a>> {
        if args.iter().any(|arg| arg.is_array()) {
            return None;
        }
        let start = (op as u64) << 48 ^ u64::from(width) << 32 ^ u64::from(low);
        let hash =
            args.iter().fold(start, |hash, arg| (hash ^ u64::from(arg.id())).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Some(Asked { op, width, low, args, slot: (hash >> 53) as usize })
    }

    /// What was made of it.
    pub fn known(&self) -> Option<Term> {
        let same = |entry: &&Entry| {
            let args = entry.args.iter().flatten();
            (entry.op, entry.width, entry.low) == (self.op, self.width, self.low) && args.eq(self.args.iter().copied())
        };
        MADE.try_with(|made| made.borrow().get(self.slot)?.as_ref().filter(same).map(|entry| entry.made.clone()))
            .ok()?
    }

    /// Remembers it.
    pub fn keep(&self, made: &Term) {
        let mut args = [const { None }; 3];
        args.iter_mut().zip(self.args).for_each(|(to, arg)| *to = Some((*arg).clone()));
        let entry = Entry { op: self.op, width: self.width, low: self.low, args, made: made.clone() };
        // A thread that is ending remembers nothing.
        let _ = MADE.try_with(|table| {
            let mut table = table.borrow_mut();
            table.resize_with(SIZE, || None);
            table[self.slot] = Some(entry);
        });
    }
}

/// Forgets all.
pub fn clear() {
    let _ = MADE.try_with(|made| made.borrow_mut().clear());
}
