//! All objects of a state, by number and by address.
//!
//! Numbers and addresses only ascend: an address is given to one object in the life of a path and to no other, so a pointer
//! to something freed never hits something new, and within a region the order of numbers is the order of addresses. What is
//! given depends on the path's own allocations in that region alone.
//!
//! Regions are apart so that a native program can have the same addresses: what it allocates on its heap, and what its own
//! functions have as local variables, is the same in both; what a library or the kernel needs beside is not.
//!
//! Globals lie below, everything made while running lies above. Each object is followed by at least `GAP` bytes that belong
//! to nobody. Freed heap objects stay as empty records, for the message; the oldest go when there are `RECORDS` of them.
//!
//! The newest objects lie in a list, the others in a tree that forks share. Most objects are local variables that are gone before the next fork, or before
//! there are `RECENT` newer ones: they never get into the tree, which costs more than all else that is done with them.
//!
//! Invariant: what is in the list is newer than all that is in the tree, and was made while running; so in its region it also lies above, in the
//! order of the list.

use crate::contents::{Contents, INDEX, PAGE};
use crate::tree::Tree;
use crate::value::Origin;
use std::sync::Arc;
use strata_term::Term;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A global of the program.
    Global,
    /// A global that nobody defined: touching it ends the path as incomplete.
    Undefined,
    /// A function's (or block's) address: nothing to read there.
    Code,
    /// From malloc and its kin.
    Heap,
    /// A local variable.
    Stack,
    /// The kernel's or the engine's (arguments, environment, mapped memory).
    System,
}

/// A part of the address space. The native runtime knows the addresses of all but the last (`runtime/native/native.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Functions and globals.
    Static,
    /// From malloc and its kin.
    Heap,
    /// Local variables of the program's own functions.
    Local,
    /// All others.
    Other,
}

impl Region {
    /// That of an object which is no local variable of the program's own.
    fn of(kind: Kind) -> Region {
        match kind {
            Kind::Global | Kind::Undefined | Kind::Code => Region::Static,
            Kind::Heap => Region::Heap,
            Kind::Stack | Kind::System => Region::Other,
        }
    }

    /// That of an address.
    fn at(address: u64) -> Region {
        match address {
            ..DYNAMIC => Region::Static,
            DYNAMIC..LOCALS => Region::Heap,
            LOCALS..OTHERS => Region::Local,
            OTHERS.. => Region::Other,
        }
    }
}

/// The size of an object where that is a term.
#[derive(Clone, Debug)]
pub struct Extent {
    /// In bytes, 64 bits wide. The path holds it to at most the object's capacity.
    pub term: Term,
    /// Lower bound on `term` that the path implies, in bytes. It only grows: constraints are only
    /// added.
    pub sure: u64,
    /// For an object that ends at the first zero of a text: the text, an array. That it reaches
    /// somewhere is then a condition on each byte before, which solvers decide without `term`.
    pub text: Option<Term>,
}

/// A piece of memory.
#[derive(Clone)]
pub struct Object {
    /// Its number.
    pub number: Origin,
    /// Its first address.
    pub address: u64,
    /// In bytes. For an object of symbolic size its capacity: the addresses that it takes.
    pub size: u64,
    /// Its size, where that is a term.
    pub extent: Option<Box<Extent>>,
    /// What it is.
    pub kind: Kind,
    /// May it be written?
    pub writable: bool,
    /// Where it was made: an opaque number for the interpreter (a place).
    pub made_at: u32,
    /// Where it was freed, when it was.
    pub freed_at: Option<u32>,
    /// For messages: an opaque number of its name.
    pub name: u32,
    /// Its bytes.
    pub contents: Contents,
}

impl Object {
    /// Is it alive?
    pub fn is_live(&self) -> bool {
        self.freed_at.is_none()
    }

    /// Bytes from its start on that are inside, whatever its inputs are.
    #[inline]
    pub fn sure(&self) -> u64 {
        self.extent.as_ref().map_or(self.size, |extent| extent.sure)
    }

    /// Do `count` bytes from `address` on lie inside, whatever the inputs are?
    pub fn holds(&self, address: u64, count: u64) -> bool {
        within(address.wrapping_sub(self.address), count, self.sure())
    }

    /// Can `count` bytes from `address` on lie inside for some inputs? They can not if this is
    /// false.
    pub fn may_hold(&self, address: u64, count: u64) -> bool {
        within(address.wrapping_sub(self.address), count, self.size)
    }

    /// Its size in bytes, 64 bits wide.
    pub fn extent(&self) -> Term {
        self.extent.as_ref().map_or_else(|| Term::number(64, self.size), |extent| extent.term.clone())
    }

    /// Do `count` bytes from an offset on (64 bits) lie inside?
    pub fn contains(&self, offset: &Term, count: u64) -> Term {
        let number = |bytes: u64| Term::number(64, bytes);
        let Some(extent) = &self.extent else {
            let last = self.size.checked_sub(count);
            return last.map_or_else(|| Term::bool(false), |last| offset.ule(&number(last)));
        };
        if count == 1 {
            return offset.ult(&extent.term);
        }
        let last = offset.ule(&extent.term.sub(&number(count)));
        if count <= extent.sure { last } else { number(count).ule(&extent.term).and(&last) }
    }

    /// Are its first `end` bytes inside? `end` is at most its capacity.
    pub fn reaches(&self, end: u64) -> Term {
        let Some(extent) = &self.extent else { return Term::bool(end <= self.size) };
        let Some(text) = &extent.text else { return Term::number(64, end).ule(&extent.term) };
        // The byte at `i` is not the zero, and so there is one at `i + 1`.
        let goes_on = |i: u64| text.read(&Term::number(INDEX, i), 1).ne(&Term::number(8, 0));
        (extent.sure.max(1)..end).map(|end| goes_on(end - 1)).fold(Term::bool(true), |all, more| all.and(&more))
    }

    /// Makes it an object of symbolic size: `term` is at least `sure`, and at most `size`.
    pub fn limit(&mut self, term: Term, sure: u64) {
        debug_assert!(sure <= self.size && term.width() == 64);
        self.extent = Some(Box::new(Extent { term, sure, text: None }));
    }

    /// Makes it an object that ends at the first zero of a text, of which byte `size - 1` is one.
    pub fn limit_text(&mut self, text: &Term) {
        let number = |bytes: u64| Term::number(64, bytes);
        let zero = |i: u64| text.read(&Term::number(INDEX, i), 1).eq(&Term::number(8, 0));
        let ends = (0..self.size.saturating_sub(1)).rev();
        let term = ends.fold(number(self.size), |rest, i| Term::ite(&zero(i), &number(i + 1), &rest));
        self.extent = Some(Box::new(Extent { term, sure: self.size.min(1), text: Some(text.clone()) }));
    }

    /// Notes that the path implies a size of at least `sure` bytes.
    pub fn grow_sure(&mut self, sure: u64) {
        if let Some(extent) = &mut self.extent {
            extent.sure = extent.sure.max(sure.min(self.size));
        }
    }
}

fn within(offset: u64, count: u64, size: u64) -> bool {
    offset <= size && count <= size - offset
}

const GLOBALS: u64 = 0x1000_0000;
const DYNAMIC: u64 = 0x0e00_0000_0000;
const LOCALS: u64 = 0x1e00_0000_0000;
const OTHERS: u64 = 0x2e00_0000_0000;
/// Where regions begin, and the end of the last one.
const BORDERS: [u64; 5] = [GLOBALS, DYNAMIC, LOCALS, OTHERS, 0x3e00_0000_0000];
const GAP: u64 = 16;
const RECORDS: u32 = 1 << 16;
/// Objects in the list of the newest.
const RECENT: usize = 128;
/// Addresses per entry of the index by address.
const SPAN: u64 = 4096;

/// The address space of a state.
#[derive(Clone)]
pub struct Space {
    objects: Tree<Arc<Object>>,
    /// The newest objects, by number.
    recent: Vec<Object>,
    /// By region and span: the lowest number of an object of the tree that touches it, and how many begin or end there.
    spans: [Tree<(u32, u32)>; 4],
    next_number: u32,
    next_address: [u64; 4],
    /// Freed heap objects that are still recorded, and the number below which none is.
    records: u32,
    first_record: u32,
    /// Live heap bytes.
    heap: u64,
    /// Objects at addresses that the program chose, all below the globals: their numbers do not follow their addresses.
    fixed: Arc<Vec<u32>>,
}

impl Default for Space {
    fn default() -> Space {
        Space {
            objects: Tree::default(),
            recent: Vec::new(),
            spans: std::array::from_fn(|_| Tree::default()),
            next_number: 1,
            next_address: [GLOBALS, DYNAMIC, LOCALS, OTHERS],
            records: 0,
            first_record: 1,
            heap: 0,
            fixed: Arc::default(),
        }
    }
}

impl Space {
    /// Makes an object. Globals must come before all others. None when the numbers or addresses are used up.
    pub fn allocate(&mut self, size: u64, align: u64, kind: Kind, zero: bool, made_at: u32) -> Option<Origin> {
        let address = self.room(Region::of(kind), size, align)?;
        self.insert(address, size, kind, zero, made_at, 0)
    }

    /// Makes a local variable with a name, of the program's own functions or of a library's: its address and its number.
    pub fn allocate_local(
        &mut self,
        size: u64,
        align: u64,
        own: bool,
        made_at: u32,
        name: u32,
    ) -> Option<(u64, Origin)> {
        let address = self.room(if own { Region::Local } else { Region::Other }, size, align)?;
        self.insert(address, size, Kind::Stack, false, made_at, name).map(|number| (address, number))
    }

    /// Makes a function or global where it belongs, in the order of addresses.
    pub fn lay(&mut self, address: u64, size: u64, kind: Kind, made_at: u32, name: u32) -> Option<Origin> {
        let next = &mut self.next_address[Region::Static as usize];
        let end = address.checked_add(size)?.checked_add(GAP)?;
        if address < *next || end > DYNAMIC {
            return None;
        }
        *next = end;
        self.insert(address, size, kind, true, made_at, name)
    }

    /// The next free address of a region for so many bytes.
    fn room(&mut self, region: Region, size: u64, align: u64) -> Option<u64> {
        let region = region as usize;
        // Pages of large objects lie at multiples of their size: the window of each is the only one at its addresses.
        let align = align.max(if size > PAGE { PAGE } else { 16 });
        let address = next_multiple(self.next_address[region], align)?;
        let end = address.checked_add(size)?.checked_add(GAP)?;
        if end > BORDERS[region + 1] {
            return None;
        }
        self.next_address[region] = end;
        Some(address)
    }

    /// Makes an object at an address of the caller's choice (`define_fixed_object`), if nothing lies there.
    pub fn allocate_at(&mut self, address: u64, size: u64, kind: Kind, made_at: u32) -> Option<Origin> {
        let end = address.checked_add(size)?;
        let clear = self.live().all(|o| end <= o.address || o.address + o.size <= address);
        if !clear || end > GLOBALS {
            return None;
        }
        let number = self.insert(address, size, kind, false, made_at, 0)?;
        Arc::make_mut(&mut self.fixed).push(number.0);
        Some(number)
    }

    fn insert(&mut self, address: u64, size: u64, kind: Kind, zero: bool, made_at: u32, name: u32) -> Option<Origin> {
        let number = self.next_number;
        self.next_number = number.checked_add(1).filter(|next| *next <= Origin::MIXED.0)?;
        let contents = if zero { Contents::zero(size, number) } else { Contents::unset(size, number) };
        let object = Object {
            number: Origin(number),
            address,
            size,
            extent: None,
            kind,
            writable: true,
            made_at,
            freed_at: None,
            name,
            contents,
        };
        if kind == Kind::Heap {
            self.heap += size;
        }
        if address >= DYNAMIC {
            if self.recent.len() == RECENT {
                self.settle(RECENT / 2);
            }
            self.recent.push(object);
        } else {
            self.settle(self.recent.len());
            self.enter(object);
        }
        Some(Origin(number))
    }

    /// Another space with the same objects. Nothing of it is copied until it is changed.
    pub fn fork(&mut self) -> Space {
        self.settle(self.recent.len());
        // A state that waits keeps no room for what it may make.
        self.recent = Vec::new();
        self.clone()
    }

    /// Moves the oldest of the newest objects into the tree.
    fn settle(&mut self, count: usize) {
        let mut recent = std::mem::take(&mut self.recent);
        recent.drain(..count).for_each(|object| self.enter(object));
        self.recent = recent;
    }

    /// Moves all objects of the list into the tree.
    pub(crate) fn settle_all(&mut self) {
        self.settle(self.recent.len());
    }

    /// The numbers of objects of the tree in which another memory differs.
    pub(crate) fn differing(&self, other: &Space) -> Vec<u32> {
        self.objects.differences(&other.objects, &Arc::ptr_eq)
    }

    /// The object of the tree with a number.
    pub(crate) fn entry(&self, number: u32) -> Option<&Arc<Object>> {
        self.objects.get(number)
    }

    /// Were the same addresses chosen by the program?
    pub(crate) fn has_fixed_as(&self, other: &Space) -> bool {
        self.fixed == other.fixed
    }

    /// Gives no number and no address that the other has given.
    pub(crate) fn reserve_as(&mut self, other: &Space) {
        self.next_number = self.next_number.max(other.next_number);
        for (next, theirs) in self.next_address.iter_mut().zip(other.next_address) {
            *next = (*next).max(theirs);
        }
        self.records = self.records.max(other.records);
        self.first_record = self.first_record.min(other.first_record);
    }

    /// Puts an object of another memory in, or in place of the one with its number.
    pub(crate) fn adopt(&mut self, object: Object) {
        if self.objects.get(object.number.0).is_some() {
            self.objects.set(object.number.0, Arc::new(object));
            return;
        }
        if object.kind == Kind::Heap && object.is_live() {
            self.heap += object.size;
        }
        self.enter(object);
    }

    /// Puts an object into the tree.
    fn enter(&mut self, object: Object) {
        let (number, address, size) = (object.number.0, object.address, object.size);
        self.objects.set(number, Arc::new(object));
        if address < GLOBALS {
            return;
        }
        let (region, spans) = Self::spans(address, size);
        for span in spans {
            let (first, count) = self.spans[region].get(span).copied().unwrap_or((number, 0));
            self.spans[region].set(span, (first.min(number), count + 1));
        }
    }

    fn span(address: u64) -> (usize, u32) {
        let region = Region::at(address);
        let base = if region == Region::Static { 0 } else { BORDERS[region as usize] };
        (region as usize, ((address - base) / SPAN).min(u64::from(u32::MAX)) as u32)
    }

    /// The spans in which an object is entered: its first and its last, if that is another. Those between are found from the one before.
    fn spans(address: u64, size: u64) -> (usize, impl Iterator<Item = u32>) {
        let ((region, first), (_, last)) = (Self::span(address), Self::span(address + size));
        (region, std::iter::once(first).chain((first != last).then_some(last)))
    }

    /// The object with a number: live, or freed and still on record.
    pub fn object(&self, number: Origin) -> Option<&Object> {
        if self.is_recent(number.0) {
            return self.position(number.0).map(|at| &self.recent[at]);
        }
        self.objects.get(number.0).map(|object| &**object)
    }

    /// The object with a number, to be changed.
    pub fn object_mut(&mut self, number: Origin) -> Option<&mut Object> {
        if self.is_recent(number.0) {
            return self.position(number.0).map(|at| &mut self.recent[at]);
        }
        self.objects.get_mut(number.0).map(Arc::make_mut)
    }

    /// Is an object with this number in the list, if there is one?
    fn is_recent(&self, number: u32) -> bool {
        self.recent.first().is_some_and(|first| first.number.0 <= number)
    }

    #[inline]
    fn position(&self, number: u32) -> Option<usize> {
        // Most are looked for to be dropped, the newest first.
        if self.recent.last().is_some_and(|last| last.number.0 == number) {
            return Some(self.recent.len() - 1);
        }
        self.recent.binary_search_by_key(&number, |object| object.number.0).ok()
    }

    /// The live object whose bytes an address lies in, or, if there is none, the one that it is the end of.
    pub fn find(&self, address: u64) -> Option<&Object> {
        if address < GLOBALS {
            return Self::touched(self.fixed.iter().filter_map(|number| self.object(Origin(*number))), address);
        }
        let region = Region::at(address);
        let within = |object: &&Object| Region::at(object.address) == region;
        if let Some(last) = self.recent.iter().rev().filter(within).find(|object| object.address <= address) {
            return Self::touched(std::iter::once(last), address);
        }
        let (_, span) = Self::span(address);
        let (_, (start, _)) = self.spans[region as usize].last_to(span)?;
        // Objects with numbers before `start` that reach into this span would have been entered for it.
        let settled = self.settled(*start).filter(within).take_while(|object| object.address <= address);
        Self::touched(settled, address)
    }

    /// The live object among these that an address lies in, or that it is the end of.
    fn touched<'a>(objects: impl Iterator<Item = &'a Object>, address: u64) -> Option<&'a Object> {
        let mut end_of = None;
        for object in objects.filter(|o| o.is_live() && o.address <= address && address <= o.address + o.size) {
            if address < object.address + object.size {
                return Some(object);
            }
            end_of = Some(object);
        }
        end_of
    }

    /// All objects from a number on, by number.
    fn from(&self, number: u32) -> impl Iterator<Item = &Object> {
        let first = self.recent.partition_point(|object| object.number.0 < number);
        self.settled(number).chain(&self.recent[first..])
    }

    /// Those of the tree.
    fn settled(&self, number: u32) -> impl Iterator<Item = &Object> {
        let mut next = Some(number);
        std::iter::from_fn(move || {
            let (number, object) = self.objects.first_from(next?)?;
            next = number.checked_add(1);
            Some(&**object)
        })
    }

    /// All live objects, by number.
    pub fn live(&self) -> impl Iterator<Item = &Object> {
        self.from(0).filter(|object| object.is_live())
    }

    /// Ends an object's life. Heap objects stay on record.
    pub fn free(&mut self, number: Origin, freed_at: u32) {
        // What goes away is not changed before: that would make a copy of it where another state has it, too.
        if self.object(number).is_none_or(|object| object.kind != Kind::Heap) {
            return self.take(number, |_| ());
        }
        if let Some(object) = self.object_mut(number) {
            object.freed_at = Some(freed_at);
            object.contents = Contents::zero(0, number.0);
            self.heap -= object.size;
            self.records += 1;
            if self.records > RECORDS {
                self.forget_records();
            }
        }
    }

    /// Takes an object away, without a record, after a last look at it.
    pub fn take(&mut self, number: Origin, look: impl FnOnce(&Object)) {
        if !self.is_recent(number.0) {
            if let Some(object) = self.objects.remove(number.0) {
                look(&object);
                self.leave_spans(&object);
            }
        } else if let Some(at) = self.position(number.0) {
            look(&self.recent[at]);
            if at + 1 == self.recent.len() {
                self.recent.truncate(at);
            } else {
                self.recent.remove(at);
            }
        }
    }

    fn leave_spans(&mut self, object: &Object) {
        let number = object.number.0;
        if object.address < GLOBALS {
            return;
        }
        let (region, spans) = Self::spans(object.address, object.size);
        for span in spans {
            let Some((first, count)) = self.spans[region].get(span).copied() else { continue };
            if count == 1 {
                self.spans[region].remove(span);
                continue;
            }
            let touches = |other: &Object| {
                let (found, mut spans) = Self::spans(other.address, other.size);
                found == region && spans.any(|other| other == span)
            };
            // The next object of this span is now the lowest.
            let next = if first == number { self.settled(number).find(|o| touches(o)) } else { None };
            let first = next.map_or(first, |next| next.number.0);
            self.spans[region].set(span, (first, count - 1));
        }
    }

    fn forget_records(&mut self) {
        let freed: Vec<u32> = self
            .from(self.first_record)
            .filter(|o| !o.is_live())
            .take(RECORDS as usize / 2)
            .map(|o| o.number.0)
            .collect();
        for number in &freed {
            self.take(Origin(*number), |_| ());
        }
        self.first_record = freed.last().map_or(self.first_record, |last| last + 1);
        self.records -= freed.len() as u32;
    }

    /// Bytes in live heap objects.
    pub fn heap(&self) -> u64 {
        self.heap
    }

    /// The number that the next object gets: what has a smaller one is older.
    pub fn next_number(&self) -> u32 {
        self.next_number
    }
}

/// As the function of the standard library, without a division for what nearly every alignment is.
fn next_multiple(address: u64, align: u64) -> Option<u64> {
    if align.is_power_of_two() {
        return Some(address.checked_add(align - 1)? & !(align - 1));
    }
    address.checked_next_multiple_of(align)
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_term::Random;

    fn reference(space: &Space, address: u64) -> Option<&Object> {
        let inside = |o: &&Object| o.address <= address && address < o.address + o.size;
        space.live().find(inside).or_else(|| space.live().find(|o| o.address + o.size == address))
    }

    #[test]
    fn addresses_find_their_objects() {
        for seed in 0..20 {
            let mut random = Random(seed);
            let mut space = Space::default();
            let mut live = Vec::new();
            for step in 0..400 {
                if step < 50 {
                    let size = random.number() % 300;
                    live.push(space.allocate(size, 1 << random.draw(6), Kind::Global, true, 0).unwrap());
                } else if random.one_in(3) && !live.is_empty() {
                    let number = live.swap_remove(random.below(live.len()));
                    space.free(number, 1);
                } else {
                    let size = [0, 1, 8, 100, 5_000, 70_000][random.below(6)];
                    let kind = [Kind::Heap, Kind::Stack][random.below(2)];
                    live.push(space.allocate(size, 8, kind, false, 0).unwrap());
                }
                let Some(number) = live.get(random.below(live.len().max(1))) else { continue };
                let object = space.object(*number).unwrap();
                for delta in [
                    -1i64,
                    0,
                    1,
                    object.size as i64 - 1,
                    object.size as i64,
                    object.size as i64 + 1,
                    object.size as i64 + 16,
                ] {
                    let address = object.address.wrapping_add_signed(delta);
                    let (found, expected) = (space.find(address), reference(&space, address));
                    assert_eq!(found.map(|o| o.number), expected.map(|o| o.number), "seed {seed} step {step}");
                }
            }
        }
    }
}
