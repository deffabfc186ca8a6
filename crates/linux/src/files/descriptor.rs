//! Descriptors: numbers of the program's, each of something that was opened. Several can share one opening, and with it the position.

use super::Id;
use crate::numbers::*;
use std::sync::Arc;
use strata_memory::Value;

/// Something that was opened.
#[derive(Clone)]
pub(crate) struct Open {
    pub id: Id,
    /// How: access, append, non-blocking.
    pub flags: u32,
    /// Where the next read or write is; the number of the next entry in a folder.
    pub position: Value,
    /// What a folder had in it when it was read from its beginning.
    pub listing: Option<Listing>,
    /// Descriptors that share it.
    holders: u32,
}

/// Names in a folder, and what they stand for.
pub(crate) type Listing = Arc<Vec<(Vec<u8>, Id)>>;

impl Open {
    pub fn reads(&self) -> bool {
        self.flags & O_PATH == 0 && self.flags & O_ACCMODE != O_WRONLY
    }

    pub fn writes(&self) -> bool {
        self.flags & O_PATH == 0 && self.flags & O_ACCMODE != 0
    }
}

/// Are values the same?
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    (a.bits, a.origin, &a.term) == (b.bits, b.origin, &b.term)
}

impl Open {
    /// Is it open in the same way, at the same position?
    fn is(&self, other: &Open) -> bool {
        let listing = match (&self.listing, &other.listing) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, Some(_)) | (Some(_), None) => false,
        };
        listing
            && (self.id, self.flags, self.holders) == (other.id, other.flags, other.holders)
            && same(&self.position, &other.position)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Slot {
    open: u32,
    closes_on_exec: bool,
}

/// All descriptors of a process.
#[derive(Clone, Default)]
pub(crate) struct Table {
    slots: Vec<Option<Slot>>,
    opens: Vec<Option<Open>>,
}

impl Table {
    fn slot(&self, descriptor: i32) -> Option<Slot> {
        self.slots.get(usize::try_from(descriptor).ok()?).copied().flatten()
    }

    /// Are the same things open under the same numbers?
    pub fn is(&self, other: &Table) -> bool {
        let open = |(a, b): (&Option<Open>, &Option<Open>)| match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => a.is(b),
            (None, Some(_)) | (Some(_), None) => false,
        };
        self.slots == other.slots
            && self.opens.len() == other.opens.len()
            && self.opens.iter().zip(&other.opens).all(open)
    }

    /// What a descriptor is open on.
    pub fn open(&self, descriptor: i32) -> Option<&Open> {
        self.opens[self.slot(descriptor)?.open as usize].as_ref()
    }

    pub fn open_mut(&mut self, descriptor: i32) -> Option<&mut Open> {
        let slot = self.slot(descriptor)?;
        self.opens[slot.open as usize].as_mut()
    }

    /// All descriptors that are open.
    pub fn descriptors(&self) -> impl Iterator<Item = i32> {
        self.slots.iter().enumerate().filter(|(_, slot)| slot.is_some()).map(|(i, _)| i as i32)
    }

    /// Everything that is open, once.
    pub fn opens(&self) -> impl Iterator<Item = &Open> {
        self.opens.iter().flatten()
    }

    fn free(&self, least: usize) -> Result<usize, i64> {
        let free = (least..DESCRIPTORS).find(|i| self.slots.get(*i).is_none_or(Option::is_none));
        free.ok_or(EMFILE)
    }

    fn set(&mut self, at: usize, slot: Slot) {
        if self.slots.len() <= at {
            self.slots.resize(at + 1, None);
        }
        self.slots[at] = Some(slot);
    }

    /// Is there room for another descriptor?
    pub fn room(&self) -> Result<(), i64> {
        self.free(0).map(|_| ())
    }

    /// Opens something, under the least number that is free.
    pub fn insert(&mut self, id: Id, flags: u32) -> Result<i32, i64> {
        let at = self.free(0)?;
        let kept = flags & !(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC);
        let open = Open { id, flags: kept, position: Value::bits(0), listing: None, holders: 1 };
        let number = self.opens.iter().position(Option::is_none).unwrap_or_else(|| {
            self.opens.push(None);
            self.opens.len() - 1
        });
        self.opens[number] = Some(open);
        self.set(at, Slot { open: number as u32, closes_on_exec: flags & O_CLOEXEC != 0 });
        Ok(at as i32)
    }

    /// Another descriptor for the same opening, at least `least`.
    pub fn duplicate(&mut self, descriptor: i32, least: usize, closes_on_exec: bool) -> Result<i32, i64> {
        let slot = self.slot(descriptor).ok_or(EBADF)?;
        let at = self.free(least)?;
        self.share(at, slot, closes_on_exec);
        Ok(at as i32)
    }

    /// The same under a number of the program's choice, which is closed first.
    pub fn replace(&mut self, descriptor: i32, to: i32, closes_on_exec: bool) -> Result<i32, i64> {
        let slot = self.slot(descriptor).ok_or(EBADF)?;
        let at = usize::try_from(to).ok().filter(|at| *at < DESCRIPTORS).ok_or(EBADF)?;
        if descriptor != to {
            self.close(to);
            self.share(at, slot, closes_on_exec);
        }
        Ok(to)
    }

    fn share(&mut self, at: usize, slot: Slot, closes_on_exec: bool) {
        if let Some(open) = &mut self.opens[slot.open as usize] {
            open.holders += 1;
        }
        self.set(at, Slot { closes_on_exec, ..slot });
    }

    /// Closes a descriptor. Was it open?
    pub fn close(&mut self, descriptor: i32) -> bool {
        let Some(slot) = self.slot(descriptor) else { return false };
        self.slots[descriptor as usize] = None;
        let open = &mut self.opens[slot.open as usize];
        if let Some(held) = open {
            held.holders -= 1;
            if held.holders == 0 {
                *open = None;
            }
        }
        true
    }

    pub fn closes_on_exec(&self, descriptor: i32) -> Option<bool> {
        self.slot(descriptor).map(|slot| slot.closes_on_exec)
    }

    pub fn set_closes_on_exec(&mut self, descriptor: i32, closes: bool) {
        if let Some(slot) = self.slots.get_mut(descriptor as usize).and_then(Option::as_mut) {
            slot.closes_on_exec = closes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_free_number_is_given_and_positions_are_shared() {
        let mut table = Table::default();
        for expected in 0..3 {
            assert_eq!(table.insert(7, 0), Ok(expected));
        }
        assert_eq!(table.duplicate(1, 0, false), Ok(3));
        table.open_mut(3).unwrap().position = Value::bits(5);
        assert_eq!(table.open(1).unwrap().position.concrete(), Some(5));
        assert!(table.close(1) && !table.close(1));
        assert_eq!(table.open(3).unwrap().position.concrete(), Some(5));
        assert_eq!(table.insert(8, 0), Ok(1));
        assert_eq!(table.replace(3, 9, true), Ok(9));
        assert_eq!(table.closes_on_exec(9), Some(true));
        assert_eq!(table.replace(3, 256, false), Err(EBADF));
        assert_eq!(table.duplicate(4, 0, false), Err(EBADF));
        assert_eq!(table.opens().count(), 4);
    }
}
