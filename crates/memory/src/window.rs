//! Raw views of the pages last used by the running state: the fast path of loads and stores.
//!
//! A window is a page (or the part of it that an object fills) whose bytes are all plain. Its entry is found by the pointer's
//! origin and address, so a hit also means: inside the object that the pointer came from, alive, and for a store: writable and
//! nobody else's. Everything else takes the slow path through `Space`, which then opens the window.
//!
//! Sound: an entry holds raw pointers into a page that `Space` owns. They stay valid because whoever uses windows
//! - calls `close_all` before another state runs, and when the state is forked (pages become shared, so not writable);
//! - changes memory behind the windows' back only through `Space`, and closes the windows of the pages it touched
//!   (`close`) or all of them: a page is replaced or freed only then.
//!
//! `Machine` in `interp` is the one user; its memory operations all go through one file there.

use crate::contents::PAGE;
use crate::space::{Object, Space};
use crate::value::{Origin, Value};

const COUNT: usize = 1024;

#[derive(Clone, Copy)]
struct Window {
    origin: u32,
    /// Zero when only reading is allowed.
    writable: bool,
    generation: u32,
    low: u64,
    high: u64,
    bytes: *mut u8,
    /// Origins by aligned word of the page, or null.
    origins: *mut u32,
}

impl Window {
    /// Do the bytes lie inside? Near the end of the address space, too, where a sum would start again from zero.
    #[inline(always)]
    fn holds(&self, address: u64, count: u64) -> bool {
        address >= self.low && address < self.high && count <= self.high - address
    }
}

/// The windows of the running state.
pub struct Windows {
    entries: Box<[Window; COUNT]>,
    generation: u32,
}

// Safety: the raw pointers are only followed by the thread that runs the state whose pages they view; the owner moves
// between threads only with all windows closed by the rules above, or together with that state.
unsafe impl Send for Windows {}

impl Default for Windows {
    fn default() -> Windows {
        let empty = Window {
            origin: 0,
            writable: false,
            generation: 0,
            low: 1,
            high: 0,
            bytes: std::ptr::null_mut(),
            origins: std::ptr::null_mut(),
        };
        Windows { entries: Box::new([empty; COUNT]), generation: 1 }
    }
}

#[inline]
fn slot(origin: u32, address: u64) -> usize {
    // Pages start where the object starts; mixing the origin in keeps small neighbours apart.
    ((address / PAGE) as usize ^ (origin as usize).wrapping_mul(0x9E5)) % COUNT
}

impl Windows {
    /// Forgets all.
    pub fn close_all(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.iter_mut().for_each(|w| w.generation = 0);
            self.generation = 1;
        }
    }

    /// Forgets the windows of an object.
    pub fn close(&mut self, object: &Object) {
        self.touched(object, 0, object.size);
    }

    /// Forgets the windows on the pages of a range of an object's bytes: they were changed through `Space`.
    pub fn touched(&mut self, object: &Object, offset: u64, count: u64) {
        let (first, last) = (offset / PAGE, (offset + count.max(1) - 1) / PAGE);
        if last - first > COUNT as u64 / 8 {
            return self.close_all();
        }
        // A page of the object lies in at most two slots' worth of addresses.
        for page in first..=last + 1 {
            let entry = &mut self.entries[slot(object.number.0, object.address + page * PAGE)];
            if entry.origin == object.number.0 {
                entry.generation = 0;
            }
        }
    }

    /// Reads `count` bytes through a pointer.
    #[inline(always)]
    pub fn load(&self, origin: Origin, address: u64, count: u64) -> Option<Value> {
        let w = &self.entries[slot(origin.0, address)];
        if w.origin != origin.0 || w.generation != self.generation || !w.holds(address, count) {
            return None;
        }
        let at = (address - w.low) as usize;
        // Safety: the entry is of this generation, and `at .. at + count` lies inside the viewed page.
        unsafe {
            let p = w.bytes.add(at);
            let bits = match count {
                1 => u64::from(*p),
                2 => u64::from(p.cast::<u16>().read_unaligned()),
                4 => u64::from(p.cast::<u32>().read_unaligned()),
                8 => {
                    let bits = p.cast::<u64>().read_unaligned();
                    if w.origins.is_null() || at % 8 != 0 {
                        return Some(Value::bits(bits));
                    }
                    return Some(Value::pointer(bits, Origin(*w.origins.add(at / 8))));
                }
                _ => return None,
            };
            Some(Value::bits(bits))
        }
    }

    /// Writes plain bits through a pointer. False: take the slow path.
    #[inline(always)]
    pub fn store(&mut self, origin: Origin, address: u64, count: u64, bits: u64, from: Origin) -> bool {
        let w = &self.entries[slot(origin.0, address)];
        if w.origin != origin.0 || w.generation != self.generation || !w.writable || !w.holds(address, count) {
            return false;
        }
        let at = (address - w.low) as usize;
        // Safety: as for `load`; the page is this state's alone.
        unsafe {
            if w.origins.is_null() {
                if !from.is_none() {
                    return false;
                }
            } else if at % 8 == 0 && count == 8 {
                *w.origins.add(at / 8) = from.0;
            } else {
                *w.origins.add(at / 8) = 0;
                *w.origins.add((at + count as usize - 1) / 8) = 0;
            }
            let p = w.bytes.add(at);
            match count {
                1 => *p = bits as u8,
                2 => p.cast::<u16>().write_unaligned(bits as u16),
                4 => p.cast::<u32>().write_unaligned(bits as u32),
                8 => p.cast::<u64>().write_unaligned(bits),
                _ => return false,
            }
        }
        true
    }

    /// Opens the window on the page at `address` of a live object, if its bytes are plain.
    pub fn open(&mut self, space: &mut Space, origin: Origin, address: u64, write: bool) {
        let Some(object) = space.object(origin) else { return };
        let page = (address - object.address) / PAGE;
        let low = object.address + page * PAGE;
        // Pages are aligned to the object, slots to addresses: one page may need two entries, each good for its own addresses.
        if object.contents.has_regions() || (write && !object.writable) {
            return;
        }
        let high = (low + PAGE).min(object.address + object.size);
        let offset = page * PAGE;
        if write {
            self.touched(object, offset, 1);
        }
        let (bytes, origins) = if write {
            let Some(object) = space.object_mut(origin) else { return };
            let page = object.contents.page_mut(page as u32);
            if !page.is_plain() {
                return;
            }
            let origins = page.origins.as_mut().map_or(std::ptr::null_mut(), |o| o.as_mut_ptr());
            (page.bytes.as_mut_ptr(), origins)
        } else {
            let Some(page) = object.contents.plain_page(page as u32) else { return };
            let origins = page.origins.as_ref().map_or(std::ptr::null_mut(), |o| o.as_ptr().cast_mut());
            (page.bytes.as_ptr().cast_mut(), origins)
        };
        let generation = self.generation;
        self.entries[slot(origin.0, address)] =
            Window { origin: origin.0, writable: write, generation, low, high, bytes, origins };
    }
}
