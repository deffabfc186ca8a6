//! Raw views of the pages last used by the running state: the fast path of loads and stores.
//!
//! A window is a page (or the part of it that an object fills). Bytes of it that are terms or
//! were never written are marked, and not shown. It is found by the pointer's origin and address,
//! so a hit also means: inside the object that the pointer came from, alive, and for a store:
//! writable and nobody else's. Of an object whose size is a term a window shows the bytes that
//! are surely inside. Everything else takes the slow path through `Space`, which then opens the
//! window.
//!
//! Sound: a window holds raw pointers into a page that `Space` owns. Functions that follow them
//! are `unsafe`; the caller promises that every open window is *current*:
//! - all windows are closed before they are used with another state, and when the state is forked
//!   or copied (its pages become shared, so a window may no longer write);
//! - whoever changes or frees bytes through `Space` closes the windows on them (`touched`,
//!   `close`, `close_all`): a page is replaced or freed only then.
//!
//! Opening and closing windows is safe. `Machine` in `interp` is the one user: it keeps the
//! promise since a state gives nobody outside that crate access to its `Space`, and by marks that
//! tell which state the windows belong to.
//!
//! Most accesses meet the simplest kind of page: bytes that were all written. Each window keeps, for
//! each size of access, from which offset on that does not hold; so a hit is two comparisons (`load_plain`, `store_plain`),
//! and all other kinds are told apart behind them (`load`, `store`). An array that is being filled from its front is plain up to where it was filled.

use crate::contents::PAGE;
use crate::page::pieces;
use crate::space::{Kind, Object, Space};
use crate::value::{Origin, Value};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::alloc::{Layout, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::{NonNull, null_mut};

/// A window for each set. In memory right from the system, whose fresh pages are zero: those that nobody touches are never made. Allocators would fill
/// all of it, which costs as much as a short run.
struct Way(NonNull<[Window; SETS]>);

const WAY: usize = size_of::<[Window; SETS]>();

impl Default for Way {
    fn default() -> Way {
        // Safety: a mapping of its own, where the system likes.
        let room = unsafe { mmap_anonymous(null_mut(), WAY, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE) };
        // All zero is a window that shows nothing (`EMPTY`).
        let room = room.ok().and_then(|room| NonNull::new(room.cast()));
        Way(room.unwrap_or_else(|| handle_alloc_error(Layout::new::<[Window; SETS]>())))
    }
}

impl Deref for Way {
    type Target = [Window; SETS];

    fn deref(&self) -> &[Window; SETS] {
        // Safety: made of windows, and this one's own until it is dropped.
        unsafe { self.0.as_ref() }
    }
}

impl DerefMut for Way {
    fn deref_mut(&mut self) -> &mut [Window; SETS] {
        // Safety: as above.
        unsafe { self.0.as_mut() }
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        // Safety: all of the mapping, of which nobody has a reference any more. If it fails, the mapping stays.
        let _ = unsafe { munmap(self.0.as_ptr().cast(), WAY) };
    }
}

/// Sets of two windows each: two pages that fall together do not push each other out.
const SETS: usize = 1 << 14;

/// The logarithms of the sizes of accesses: 1, 2, 4 and 8 bytes.
const SIZES: usize = 4;

/// One page, or the part of it that an object fills. As large as a cache line.
#[derive(Clone, Copy)]
#[repr(C)]
struct Window {
    /// The generation above, the origin below.
    key: u64,
    low: u64,
    bytes: *mut u8,
    /// By the logarithm of an access's size: offsets below this are plain to read.
    readable: [u16; SIZES],
    /// The same for writing.
    writable: [u16; SIZES],
    /// Origins by aligned word of the page, or null.
    origins: *mut u32,
    /// A set bit is a byte that was never written or is a term; null where there is none.
    marks: *mut u64,
    /// Bytes in it.
    size: u16,
    /// Bytes at its front that are all plain.
    front: u16,
    /// May it be written through?
    may_write: bool,
    /// Are some marked bytes terms? They are not this window's to replace.
    has_terms: bool,
    /// May some words be of a mixed origin? Then only whole words are shown.
    has_mixed: bool,
}

const _: () = assert!(size_of::<Window>() == 64);

const EMPTY: Window = Window {
    key: 0,
    low: 0,
    bytes: std::ptr::null_mut(),
    readable: [0; SIZES],
    writable: [0; SIZES],
    origins: std::ptr::null_mut(),
    marks: std::ptr::null_mut(),
    size: 0,
    front: 0,
    may_write: false,
    has_terms: false,
    has_mixed: false,
};

impl Window {
    /// Does the window show these bytes to a pointer from there? Near the end of the address space, too, where a sum would start again from zero.
    #[inline(always)]
    fn shows(&self, key: u64, address: u64, count: u64) -> bool {
        let offset = address.wrapping_sub(self.low);
        let size = u64::from(self.size);
        self.key == key && offset < size && count <= size - offset
    }

    /// The mask of `count` bytes from `at` on in their word of `marks`, or none where they lie in two words.
    #[inline(always)]
    fn mask(at: usize, count: u64) -> Option<u64> {
        let shift = at % 64;
        (shift + count as usize <= 64).then(|| ((1 << count) - 1) << shift)
    }

    /// Are these bytes of it plain?
    fn is_plain(&self, at: usize, count: usize) -> bool {
        // Safety: a bit for each byte of the page, in whole words.
        at + count <= usize::from(self.front)
            || pieces(at, count).all(|(word, mask)| unsafe { *self.marks.add(word) } & mask == 0)
    }

    /// Notes that a pointer from there is about to be written, or a number (no origin), over what the words held.
    ///
    /// Safety: the window has origins, and `at .. at + count` lies inside it.
    #[inline(always)]
    unsafe fn set_origins(&self, at: usize, count: u64, from: Origin) {
        // Safety: a word for each eight bytes of the page.
        unsafe {
            if count == 8 && at.is_multiple_of(8) {
                *self.origins.add(at / 8) = from.0;
            } else {
                *self.origins.add(at / 8) = 0;
                *self.origins.add((at + count as usize - 1) / 8) = 0;
            }
        }
    }

    /// Finds how far the front reaches, and what follows for plain accesses.
    fn measure(&mut self) {
        self.front = if self.marks.is_null() { self.size } else { self.first_marked() };
        if self.has_mixed {
            return;
        }
        for (log, (read, write)) in self.readable.iter_mut().zip(&mut self.writable).enumerate() {
            let limit = (self.front + 1).saturating_sub(1 << log);
            *read = limit;
            *write = if self.may_write { limit } else { 0 };
        }
    }

    /// The first byte that is not plain, from the front on.
    fn first_marked(&self) -> u16 {
        let mut at = usize::from(self.front);
        while at < usize::from(self.size) {
            // Safety: a bit for each byte of the page, in whole words.
            let rest = unsafe { *self.marks.add(at / 64) } >> (at % 64);
            if rest != 0 {
                return (at + rest.trailing_zeros() as usize).min(usize::from(self.size)) as u16;
            }
            at = (at / 64 + 1) * 64;
        }
        self.size
    }
}

/// The windows of the running state.
pub struct Windows {
    /// The window of each set that was opened last, and the one before it. Apart from each other, since only the first are looked at all the time.
    sets: [Way; 2],
    /// The generation, where keys have it.
    generation: u64,
}

const GENERATION: u64 = 1 << 32;

// Safety: the raw pointers are only followed by the thread that runs the state whose pages they view; the owner moves
// between threads only with all windows closed by the rules above, or together with that state.
unsafe impl Send for Windows {}

impl Default for Windows {
    fn default() -> Windows {
        Windows { sets: Default::default(), generation: GENERATION }
    }
}

#[inline]
fn set(origin: u32, address: u64) -> usize {
    // Pages start where the object starts; mixing the origin in keeps small neighbours apart.
    ((address / PAGE) as usize ^ (origin as usize).wrapping_mul(0x19E5)) % SETS
}

impl Windows {
    /// Forgets all.
    pub fn close_all(&mut self) {
        self.generation = self.generation.wrapping_add(GENERATION);
        if self.generation == 0 {
            self.sets.iter_mut().flat_map(|way| way.iter_mut()).for_each(|w| w.key = 0);
            self.generation = GENERATION;
        }
    }

    #[inline(always)]
    fn key(&self, origin: Origin) -> u64 {
        self.generation | u64::from(origin.0)
    }

    /// Forgets the windows of an object. One without pages has none.
    pub fn close(&mut self, object: &Object) {
        if object.contents.has_pages() {
            self.touched(object, 0, object.size);
        }
    }

    /// Forgets the windows on the pages of a range of an object's bytes: they were changed through `Space`.
    pub fn touched(&mut self, object: &Object, offset: u64, count: u64) {
        let (first, last) = (offset / PAGE, (offset + count.max(1) - 1) / PAGE);
        if last - first > SETS as u64 / 4 {
            return self.close_all();
        }
        // A window is in the set of the address that it was opened for, which may be any of its page.
        let end = object.address + ((last + 1) * PAGE).min(object.size.max(1));
        for page in (object.address + first * PAGE) / PAGE..=(end - 1) / PAGE {
            let set = set(object.number.0, page * PAGE);
            for window in self.sets.iter_mut().map(|way| &mut way[set]) {
                if window.key as u32 == object.number.0 {
                    window.key = 0;
                }
            }
        }
    }

    #[inline(always)]
    fn first(&self, origin: Origin, address: u64) -> &Window {
        &self.sets[0][set(origin.0, address)]
    }

    #[inline(always)]
    fn find(&self, origin: Origin, address: u64, count: u64) -> Option<&Window> {
        let key = self.key(origin);
        let set = set(origin.0, address);
        self.sets.iter().map(|way| &way[set]).find(|w| w.shows(key, address, count))
    }

    #[inline(always)]
    fn find_mut(&mut self, origin: Origin, address: u64, count: u64) -> Option<&mut Window> {
        let key = self.key(origin);
        let set = set(origin.0, address);
        self.sets.iter_mut().map(|way| &mut way[set]).find(|w| w.shows(key, address, count))
    }

    /// Reads `1 << LOG` bytes through a pointer, if they are of the simplest kind; for eight bytes with where the pointer in them came from.
    ///
    /// # Safety
    /// All open windows are current.
    #[inline(always)]
    pub unsafe fn load_plain<const LOG: usize>(&self, origin: Origin, address: u64) -> Option<(u64, Origin)> {
        let w = self.first(origin, address);
        let at = address.wrapping_sub(w.low);
        if w.key != self.key(origin) || at >= u64::from(w.readable[LOG]) {
            return None;
        }
        // Safety: the window is of this generation, and `at .. at + (1 << LOG)` lies inside the viewed page.
        unsafe {
            let bits = read(w.bytes.add(at as usize), 1 << LOG);
            let whole = LOG == 3 && !w.origins.is_null() && at.is_multiple_of(8);
            Some((bits, if whole { Origin(*w.origins.add(at as usize / 8)) } else { Origin::NONE }))
        }
    }

    /// Writes `1 << LOG` bytes through a pointer, if they are of the simplest kind, before and after. False: nothing was done.
    /// `from` is not mixed.
    ///
    /// # Safety
    /// All open windows are current.
    #[inline(always)]
    pub unsafe fn store_plain<const LOG: usize>(
        &mut self,
        origin: Origin,
        address: u64,
        bits: u64,
        from: Origin,
    ) -> bool {
        let w = self.first(origin, address);
        let at = address.wrapping_sub(w.low);
        if w.key != self.key(origin) || at >= u64::from(w.writable[LOG]) {
            return false;
        }
        // Safety: as for `load_plain`; the page is this state's alone.
        unsafe {
            if !w.origins.is_null() {
                w.set_origins(at as usize, 1 << LOG, from);
            } else if LOG == 3 && !from.is_none() {
                return false;
            }
            write(w.bytes.add(at as usize), 1 << LOG, bits);
        }
        true
    }

    /// Reads `count` bytes through a pointer.
    ///
    /// # Safety
    /// All open windows are current.
    pub unsafe fn load(&self, origin: Origin, address: u64, count: u64) -> Option<Value> {
        let w = self.find(origin, address, count)?;
        let at = (address - w.low) as usize;
        // Safety: the window is of this generation, and `at .. at + count` lies inside the viewed page.
        unsafe {
            if !w.marks.is_null() && *w.marks.add(at / 64) & Window::mask(at, count)? != 0 {
                return None;
            }
            let word = count == 8 && at.is_multiple_of(8);
            if !matches!(count, 1 | 2 | 4 | 8) || (w.has_mixed && !word) {
                return None;
            }
            let bits = read(w.bytes.add(at), count);
            let whole = word && !w.origins.is_null();
            Some(Value::pointer(bits, if whole { Origin(*w.origins.add(at / 8)) } else { Origin::NONE }))
        }
    }

    /// Writes plain bits through a pointer. False: take the slow path.
    ///
    /// # Safety
    /// All open windows are current.
    pub unsafe fn store(&mut self, origin: Origin, address: u64, count: u64, bits: u64, from: Origin) -> bool {
        let Some(w) = self.find_mut(origin, address, count).filter(|w| w.may_write) else { return false };
        let at = (address - w.low) as usize;
        if !matches!(count, 1 | 2 | 4 | 8) || (w.origins.is_null() && !from.is_none()) {
            return false;
        }
        if from.is_mixed() || (w.has_mixed && !(count == 8 && at.is_multiple_of(8))) {
            return false;
        }
        // Safety: as for `load`; the page is this state's alone.
        unsafe {
            if !w.marks.is_null() {
                let Some(mask) = Window::mask(at, count) else { return false };
                let marks = w.marks.add(at / 64);
                if w.has_terms && *marks & mask != 0 {
                    return false;
                }
                *marks &= !mask;
                if w.front < w.size && at <= usize::from(w.front) {
                    w.measure();
                }
            }
            if !w.origins.is_null() {
                w.set_origins(at, count, from);
            }
            write(w.bytes.add(at), count, bits);
        }
        true
    }

    /// Copies plain bytes, with the origins of pointers among them, where windows show all of them or can be opened. False: take the slow path.
    ///
    /// # Safety
    /// All open windows are current, for the state that has this space.
    pub unsafe fn copy(&mut self, space: &mut Space, to: (Origin, u64), from: (Origin, u64), count: u64) -> bool {
        // Safety: the caller's.
        if unsafe { self.try_copy(to, from, count) } {
            return true;
        }
        self.reach(space, from.0, from.1, count, false);
        self.reach(space, to.0, to.1, count, true);
        if self.find(from.0, from.1, count).is_some_and(|source| !source.origins.is_null()) && count >= 8 {
            self.hold_pointers(space, to.0, to.1);
        }
        // Safety: the caller's; what was opened here is current.
        unsafe { self.try_copy(to, from, count) }
    }

    /// Safety: all open windows are current.
    unsafe fn try_copy(&mut self, to: (Origin, u64), from: (Origin, u64), count: u64) -> bool {
        let Some(source) = self.find(from.0, from.1, count).copied() else { return false };
        let Some(target) = self.find_mut(to.0, to.1, count).filter(|w| w.may_write) else { return false };
        let (start, at, length) = ((from.1 - source.low) as usize, (to.1 - target.low) as usize, count as usize);
        let pointers = !source.origins.is_null() && length >= 8;
        if !source.is_plain(start, length)
            || (target.has_terms && !target.is_plain(at, length))
            || (pointers && target.origins.is_null())
            || source.has_mixed
            || target.has_mixed
        {
            return false;
        }
        // Safety: both ranges lie inside their pages, and may overlap; there is a mark for each byte and an origin for each word.
        unsafe {
            if !target.origins.is_null() {
                let words = at / 8..(at + length).div_ceil(8);
                // Words that are copied whole keep their pointers.
                let whole = if pointers && start % 8 == at % 8 { at.div_ceil(8)..(at + length) / 8 } else { 0..0 };
                if !whole.is_empty() {
                    let first = source.origins.add(start.div_ceil(8));
                    std::ptr::copy(first, target.origins.add(whole.start), whole.len());
                }
                words.filter(|word| !whole.contains(word)).for_each(|word| *target.origins.add(word) = 0);
            }
            std::ptr::copy(source.bytes.add(start), target.bytes.add(at), length);
            if !target.marks.is_null() {
                pieces(at, length).for_each(|(word, mask)| *target.marks.add(word) &= !mask);
                target.measure();
            }
        }
        true
    }

    /// The bytes from an address on up to the end of its page, or to the first that was never written. They may be none.
    ///
    /// # Safety
    /// All open windows are current, and stay so as long as the bytes are looked at.
    pub unsafe fn bytes(&self, origin: Origin, address: u64) -> &[u8] {
        let Some(w) = self.find(origin, address, 1) else { return &[] };
        let first = (address - w.low) as usize;
        // Safety: the front lies inside the viewed page.
        unsafe { std::slice::from_raw_parts(w.bytes.add(first), usize::from(w.front).saturating_sub(first)) }
    }

    /// How many bytes from an address on come before the first zero, where a window shows all of them.
    ///
    /// # Safety
    /// All open windows are current.
    pub unsafe fn length(&self, origin: Origin, address: u64) -> Option<u64> {
        let w = self.find(origin, address, 1)?;
        // Safety: the range is the rest of the viewed page.
        let first = (address - w.low) as usize;
        let bytes = unsafe { std::slice::from_raw_parts(w.bytes.add(first), usize::from(w.size) - first) };
        let length = bytes.iter().position(|byte| *byte == 0)?;
        // Safety: a bit for each byte of the page.
        let is_set = |at: usize| unsafe { *w.marks.add(at / 64) >> (at % 64) & 1 == 0 };
        let written = w.marks.is_null() || first + length < usize::from(w.front);
        (written || (first..=first + length).all(is_set)).then_some(length as u64)
    }

    /// Is there a window on these bytes, through which one may write if that is asked for? What it does not show then is no matter of opening it.
    pub fn views(&self, origin: Origin, address: u64, count: u64, write: bool) -> bool {
        self.find(origin, address, count).is_some_and(|w| w.may_write || !write)
    }

    /// Opens the window on the page at `address` if there is none, a pointer from there may access `count` bytes of it, and nothing can go wrong.
    pub fn reach(&mut self, space: &mut Space, origin: Origin, address: u64, count: u64, write: bool) -> bool {
        if self.views(origin, address, count, write) {
            return false;
        }
        let Some(object) = space.object(origin).filter(|o| o.is_live() && o.holds(address, count)) else {
            return false;
        };
        let bytes = matches!(object.kind, Kind::Global | Kind::Heap | Kind::Stack | Kind::System);
        if !bytes || count == 0 || (write && !object.writable) {
            return false;
        }
        if write || !self.open_to_read(object, address) {
            self.open(space, origin, address, write);
        }
        true
    }

    /// Opens the window on the page at `address` of a live object, if no array term stands for some of its bytes.
    pub fn open(&mut self, space: &mut Space, origin: Origin, address: u64, write: bool) {
        let Some(object) = space.object(origin).filter(|object| address.wrapping_sub(object.address) < object.sure())
        else {
            return;
        };
        if (!write && self.open_to_read(object, address)) || object.contents.has_regions() || !object.writable {
            return;
        }
        // A page that nobody wrote yet is made on the first look: what is read first is mostly written next.
        let (base, size) = (object.address, object.sure());
        let page = (address - base) / PAGE;
        self.touched(object, page * PAGE, 1);
        let Some(object) = space.object_mut(origin) else { return };
        let page = object.contents.page_mut(page as u32);
        let window = Window {
            bytes: page.bytes.as_mut_ptr(),
            size: page.bytes.len() as u16,
            origins: page.origins.as_mut().map_or(null_mut(), |origins| origins.as_mut_ptr()),
            marks: page.marks.as_mut().map_or(null_mut(), |marks| marks.as_mut_ptr()),
            may_write: true,
            has_terms: page.has_terms(),
            has_mixed: page.may_be_mixed(),
            ..EMPTY
        };
        self.place(origin, (base, size), address, window);
    }

    /// Opens a window through which nobody writes, if somebody wrote to the page and no array term stands for some of its bytes.
    fn open_to_read(&mut self, object: &Object, address: u64) -> bool {
        let page = object.contents.page(((address - object.address) / PAGE) as u32);
        let Some(page) = page.filter(|_| !object.contents.has_regions()) else { return false };
        let window = Window {
            bytes: page.bytes.as_ptr().cast_mut(),
            size: page.bytes.len() as u16,
            origins: page.origins.as_ref().map_or(null_mut(), |origins| origins.as_ptr().cast_mut()),
            marks: page.marks.as_ref().map_or(null_mut(), |marks| marks.as_ptr().cast_mut()),
            may_write: false,
            has_terms: page.has_terms(),
            has_mixed: page.may_be_mixed(),
            ..EMPTY
        };
        self.place(object.number, (object.address, object.sure()), address, window);
        true
    }

    /// Puts a window on the first `size` bytes of an object into the set of the address that it
    /// was opened for. Pages are aligned to the object, sets to addresses: one page may need two
    /// windows, each good for its own addresses.
    fn place(&mut self, origin: Origin, (base, size): (u64, u64), address: u64, mut window: Window) {
        window.key = self.key(origin);
        window.low = address - (address - base) % PAGE;
        // Sound: never more than the page has, whatever was done to the object's size.
        window.size = window.size.min(PAGE.min(base + size - window.low) as u16);
        window.measure();
        let set = set(origin.0, address);
        let [first, second] = &mut self.sets;
        if first[set].low != window.low || first[set].key as u32 != origin.0 {
            second[set] = first[set];
        }
        first[set] = window;
    }

    /// Makes room for pointers beside the bytes of the page at `address`, where a window to write through has none.
    pub fn hold_pointers(&mut self, space: &mut Space, origin: Origin, address: u64) -> bool {
        if !self.find(origin, address, 8).is_some_and(|w| w.may_write && w.origins.is_null()) {
            return false;
        }
        let Some(object) = space.object_mut(origin) else { return false };
        object.contents.page_mut(((address - object.address) / PAGE) as u32).hold_origins();
        self.open(space, origin, address, true);
        true
    }
}

/// Safety: `count` bytes from `from` on may be read.
#[inline(always)]
unsafe fn read(from: *const u8, count: u64) -> u64 {
    // Safety: the caller's; the compiler knows `count` and keeps one arm.
    unsafe {
        match count {
            1 => u64::from(*from),
            2 => u64::from(from.cast::<u16>().read_unaligned()),
            4 => u64::from(from.cast::<u32>().read_unaligned()),
            _ => from.cast::<u64>().read_unaligned(),
        }
    }
}

/// Safety: `count` bytes from `to` on may be written.
#[inline(always)]
unsafe fn write(to: *mut u8, count: u64, bits: u64) {
    // Safety: the caller's.
    unsafe {
        match count {
            1 => *to = bits as u8,
            2 => to.cast::<u16>().write_unaligned(bits as u16),
            4 => to.cast::<u32>().write_unaligned(bits as u32),
            _ => to.cast::<u64>().write_unaligned(bits),
        }
    }
}
