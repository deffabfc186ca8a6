//! Raw views of the pages last used by the running state: the fast path of loads and stores.
//!
//! A window is a page (or the part of it that an object fills) none of whose bytes is a term. It is found by the pointer's
//! origin and address, so a hit also means: inside the object that the pointer came from, alive, and for a store: writable and
//! nobody else's. Everything else takes the slow path through `Space`, which then opens the window.
//!
//! Sound: a window holds raw pointers into a page that `Space` owns. They stay valid because whoever uses windows
//! - calls `close_all` before another state runs, and when the state is forked (pages become shared, so not writable);
//! - changes memory behind the windows' back only through `Space`, and closes the windows of the pages it touched
//!   (`close`) or all of them: a page is replaced or freed only then.
//!
//! `Machine` in `interp` is the one user; its memory operations all go through one file there.

use crate::contents::PAGE;
use crate::space::{Object, Space};
use crate::value::{Origin, Value};

/// Sets of two windows each: two pages that fall together do not push each other out.
const SETS: usize = 4096;

#[derive(Clone, Copy)]
struct Window {
    origin: u32,
    generation: u32,
    low: u64,
    high: u64,
    bytes: *mut u8,
    /// Origins by aligned word of the page, or null.
    origins: *mut u32,
    /// A set bit is a byte never written; null where all were.
    unset: *mut u64,
    /// May it be written through?
    writable: bool,
}

impl Window {
    /// Does the window show these bytes to a pointer from there? Near the end of the address space, too, where a sum would start again from zero.
    #[inline(always)]
    fn shows(&self, generation: u32, origin: Origin, address: u64, count: u64) -> bool {
        let offset = address.wrapping_sub(self.low);
        let size = self.high.wrapping_sub(self.low);
        self.origin == origin.0 && self.generation == generation && offset < size && count <= size - offset
    }

    /// The mask of `count` bytes from `at` on in their word of `unset`, or none where they lie in two words.
    #[inline(always)]
    fn mask(at: usize, count: u64) -> Option<u64> {
        let shift = at % 64;
        (shift + count as usize <= 64).then(|| ((1 << count) - 1) << shift)
    }
}

/// The windows of the running state.
pub struct Windows {
    sets: Box<[[Window; 2]; SETS]>,
    generation: u32,
}

// Safety: the raw pointers are only followed by the thread that runs the state whose pages they view; the owner moves
// between threads only with all windows closed by the rules above, or together with that state.
unsafe impl Send for Windows {}

impl Default for Windows {
    fn default() -> Windows {
        let empty = Window {
            origin: 0,
            generation: 0,
            low: 0,
            high: 0,
            bytes: std::ptr::null_mut(),
            origins: std::ptr::null_mut(),
            unset: std::ptr::null_mut(),
            writable: false,
        };
        Windows { sets: Box::new([[empty; 2]; SETS]), generation: 1 }
    }
}

#[inline]
fn set(origin: u32, address: u64) -> usize {
    // Pages start where the object starts; mixing the origin in keeps small neighbours apart.
    ((address / PAGE) as usize ^ (origin as usize).wrapping_mul(0x9E5)) % SETS
}

impl Windows {
    /// Forgets all.
    pub fn close_all(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.sets.iter_mut().flatten().for_each(|w| w.generation = 0);
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
        if last - first > SETS as u64 / 4 {
            return self.close_all();
        }
        // A page of the object lies in at most two sets' worth of addresses.
        for page in first..=last + 1 {
            for window in &mut self.sets[set(object.number.0, object.address + page * PAGE)] {
                if window.origin == object.number.0 {
                    window.generation = 0;
                }
            }
        }
    }

    #[inline(always)]
    fn find(&self, origin: Origin, address: u64, count: u64) -> Option<&Window> {
        let [first, second] = &self.sets[set(origin.0, address)];
        if first.shows(self.generation, origin, address, count) {
            return Some(first);
        }
        second.shows(self.generation, origin, address, count).then_some(second)
    }

    /// Reads `count` bytes through a pointer.
    #[inline(always)]
    pub fn load(&self, origin: Origin, address: u64, count: u64) -> Option<Value> {
        let w = self.find(origin, address, count)?;
        let at = (address - w.low) as usize;
        // Safety: the window is of this generation, and `at .. at + count` lies inside the viewed page.
        unsafe {
            if !w.unset.is_null() && *w.unset.add(at / 64) & Window::mask(at, count)? != 0 {
                return None;
            }
            let p = w.bytes.add(at);
            let bits = match count {
                1 => u64::from(*p),
                2 => u64::from(p.cast::<u16>().read_unaligned()),
                4 => u64::from(p.cast::<u32>().read_unaligned()),
                8 => {
                    let bits = p.cast::<u64>().read_unaligned();
                    if w.origins.is_null() || !at.is_multiple_of(8) {
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
        let Some(w) = self.find(origin, address, count).filter(|w| w.writable) else { return false };
        let at = (address - w.low) as usize;
        // Safety: as for `load`; the page is this state's alone.
        unsafe {
            if !w.unset.is_null() {
                let Some(mask) = Window::mask(at, count) else { return false };
                *w.unset.add(at / 64) &= !mask;
            }
            if w.origins.is_null() {
                if !from.is_none() {
                    return false;
                }
            } else if at.is_multiple_of(8) && count == 8 {
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

    /// Copies plain bytes from one window to another, or within one. False: take the slow path.
    pub fn copy(&mut self, to: (Origin, u64), from: (Origin, u64), count: u64) -> bool {
        let Some(source) = self.find(from.0, from.1, count) else { return false };
        let Some(target) = self.find(to.0, to.1, count).filter(|w| w.writable) else { return false };
        if !source.unset.is_null() || !source.origins.is_null() || !target.unset.is_null() || !target.origins.is_null()
        {
            return false;
        }
        // Safety: both ranges lie inside their pages; they may overlap.
        unsafe {
            let bytes = source.bytes.add((from.1 - source.low) as usize);
            std::ptr::copy(bytes, target.bytes.add((to.1 - target.low) as usize), count as usize);
        }
        true
    }

    /// How many bytes from an address on come before the first zero, where a window shows all of them.
    pub fn length(&self, origin: Origin, address: u64) -> Option<u64> {
        let w = self.find(origin, address, 1)?;
        // Safety: the range is the rest of the viewed page.
        let bytes =
            unsafe { std::slice::from_raw_parts(w.bytes.add((address - w.low) as usize), (w.high - address) as usize) };
        let length = bytes.iter().position(|byte| *byte == 0)?;
        let first = (address - w.low) as usize;
        // Safety: a bit for each byte of the page.
        let is_set = |at: usize| unsafe { *w.unset.add(at / 64) >> (at % 64) & 1 == 0 };
        (w.unset.is_null() || (first..=first + length).all(is_set)).then_some(length as u64)
    }

    /// Opens the window on the page at `address` of a live object, if none of its bytes is a term.
    pub fn open(&mut self, space: &mut Space, origin: Origin, address: u64, write: bool) {
        let Some(object) = space.object(origin) else { return };
        let page = ((address - object.address) / PAGE) as u32;
        let low = object.address + u64::from(page) * PAGE;
        // Pages are aligned to the object, sets to addresses: one page may need two windows, each good for its own addresses.
        if object.contents.has_regions() || (write && !object.writable) {
            return;
        }
        let high = (low + PAGE).min(object.address + object.size);
        // A page that nobody wrote yet is made on the first look: what is read first is mostly written next.
        let write = write || (object.writable && !object.contents.has_page(page));
        let (bytes, origins, unset) = if write {
            self.touched(object, u64::from(page) * PAGE, 1);
            let Some(object) = space.object_mut(origin) else { return };
            let page = object.contents.page_mut(page);
            if page.has_terms() {
                return;
            }
            let origins = page.origins.as_mut().map_or(std::ptr::null_mut(), |o| o.as_mut_ptr());
            let unset = page.unset.as_mut().map_or(std::ptr::null_mut(), |u| u.as_mut_ptr());
            (page.bytes.as_mut_ptr(), origins, unset)
        } else {
            let Some(page) = object.contents.page_without_terms(page) else { return };
            let origins = page.origins.as_ref().map_or(std::ptr::null_mut(), |o| o.as_ptr().cast_mut());
            let unset = page.unset.as_ref().map_or(std::ptr::null_mut(), |u| u.as_ptr().cast_mut());
            (page.bytes.as_ptr().cast_mut(), origins, unset)
        };
        let generation = self.generation;
        let set = &mut self.sets[set(origin.0, address)];
        if set[0].low != low || set[0].origin != origin.0 {
            set[1] = set[0];
        }
        set[0] = Window { origin: origin.0, generation, low, high, bytes, origins, unset, writable: write };
    }
}
