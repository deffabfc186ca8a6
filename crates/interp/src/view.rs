//! The windows of a machine, the state whose memory they show, and what others may see and change
//! of a state's memory.
//!
//! `strata_memory::Windows` follows raw pointers into a state's pages, so it needs a promise:
//! every open window is current. This file keeps it, for all that code outside this crate can do:
//! - a state's `Space` is nobody else's to change. Others look at objects (`Seen`), lay out new
//!   ones (`State::place`), and write through functions of `Machine`, which close the windows on
//!   what they change before they change it;
//! - a state and the machine whose windows show its memory hold the same mark. Before windows are
//!   used, `of` compares the marks, and closes all windows if they differ: the state may be
//!   another one, or it was changed by another machine. A fork takes the mark from its state,
//!   since the pages are shared from then on.
//!
//! Rejected: to close all windows after each hook. A program that calls strlen in a loop would
//! have none.

use crate::state::State;
use std::sync::Arc;
use strata_memory::{Contents, Kind, Object, Origin, Value, Windows};
use strata_term::Term;

/// What a state and its machine share. Nobody else's mark can be at its address while both hold it.
pub(crate) type Mark = Option<Arc<()>>;

/// The windows of a machine, and the mark of the state whose memory they show.
#[derive(Default)]
pub(crate) struct View {
    windows: Windows,
    mark: Mark,
}

impl View {
    /// The windows, which show memory of the state with this mark and of no other one.
    fn of(&mut self, mark: &mut Mark) -> &mut Windows {
        if !self.mark.as_ref().zip(mark.as_ref()).is_some_and(|(ours, its)| Arc::ptr_eq(ours, its)) {
            self.windows.close_all();
            self.mark = Some(Arc::new(()));
            mark.clone_from(&self.mark);
        }
        &mut self.windows
    }

    /// The windows for handlers, which use them until they are back and change memory in no other
    /// way.
    pub(crate) fn raw(&mut self, state: &mut State) -> *mut Windows {
        self.of(&mut state.viewer)
    }

    /// Forgets all windows.
    pub(crate) fn close_all(&mut self) {
        self.windows.close_all();
        self.mark = None;
    }

    /// Forgets the windows of an object that is about to go.
    pub(crate) fn close(&mut self, object: &Object) {
        self.windows.close(object);
    }

    /// An object of a state, `count` bytes of which are about to be changed.
    pub(crate) fn object_mut<'a>(
        &mut self,
        state: &'a mut State,
        number: Origin,
        offset: u64,
        count: u64,
    ) -> Option<&'a mut Object> {
        let object = state.space.object_mut(number)?;
        self.of(&mut state.viewer).touched(object, offset, count);
        Some(object)
    }

    /// Does a window show these bytes, if it belongs to this state?
    pub(crate) fn views(&self, origin: Origin, address: u64, count: u64, write: bool) -> bool {
        self.windows.views(origin, address, count, write)
    }

    /// Opens the window on the page at `address`.
    pub(crate) fn open(&mut self, state: &mut State, origin: Origin, address: u64, write: bool) {
        self.of(&mut state.viewer).open(&mut state.space, origin, address, write);
    }

    /// Opens the window on the page at `address` if there is none and nothing can go wrong.
    pub(crate) fn reach(&mut self, state: &mut State, origin: Origin, address: u64) {
        self.of(&mut state.viewer).reach(&mut state.space, origin, address, 1, false);
    }

    /// Reads `count` bytes through a pointer, where a window shows them.
    pub(crate) fn load(&mut self, state: &mut State, origin: Origin, address: u64, count: u64) -> Option<Value> {
        // Safety: the windows are this state's; all of this crate closes those on what it changes.
        unsafe { self.of(&mut state.viewer).load(origin, address, count) }
    }

    /// Copies plain bytes, where windows show them or can be opened. False: nothing was done.
    pub(crate) fn copy(&mut self, state: &mut State, to: (Origin, u64), from: (Origin, u64), count: u64) -> bool {
        // Safety: as for `load`.
        unsafe { self.of(&mut state.viewer).copy(&mut state.space, to, from, count) }
    }

    /// The bytes from an address on that a window shows.
    pub(crate) fn bytes(&mut self, state: &mut State, origin: Origin, address: u64) -> &[u8] {
        // Safety: as for `load`; whoever holds the bytes has borrowed the windows, and so the way
        // to change memory.
        unsafe { self.of(&mut state.viewer).bytes(origin, address) }
    }

    /// The bytes from two addresses on that windows show.
    pub(crate) fn two(&mut self, state: &mut State, a: (Origin, u64), b: (Origin, u64)) -> (&[u8], &[u8]) {
        let windows: &Windows = self.of(&mut state.viewer);
        // Safety: as for `bytes`.
        unsafe { (windows.bytes(a.0, a.1), windows.bytes(b.0, b.1)) }
    }

    /// How many bytes come before the first zero, where a window shows all of them.
    pub(crate) fn length(&mut self, state: &mut State, origin: Origin, address: u64) -> Option<u64> {
        // Safety: as for `load`.
        unsafe { self.of(&mut state.viewer).length(origin, address) }
    }
}

/// An object of a state, to be looked at.
#[derive(Clone, Copy)]
pub struct Seen<'a>(&'a Object);

impl Seen<'_> {
    /// Its number.
    pub fn number(&self) -> Origin {
        self.0.number
    }

    /// Its first address.
    pub fn address(&self) -> u64 {
        self.0.address
    }

    /// Its size in bytes; the most that it can be where that is a term.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Its size in bytes, 64 bits wide.
    pub fn extent(&self) -> Term {
        self.0.extent()
    }

    /// Bytes from its start on that are inside, whatever the inputs are.
    pub fn sure(&self) -> u64 {
        self.0.sure()
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// Is it alive?
    pub fn is_live(&self) -> bool {
        self.0.is_live()
    }

    /// Do `count` bytes from `address` on lie inside, whatever the inputs are?
    pub fn holds(&self, address: u64, count: u64) -> bool {
        self.0.holds(address, count)
    }

    /// These bytes, if all of them are plain.
    pub fn plain(&self, offset: u64, count: u64) -> Option<Vec<u8>> {
        self.0.contents.plain(offset, count)
    }
}

impl State {
    /// The object with a number: live, or freed and still on record.
    pub fn object(&self, number: Origin) -> Option<Seen<'_>> {
        self.space.object(number).map(Seen)
    }

    /// The live object whose bytes an address lies in, or, if there is none, the one that it is
    /// the end of.
    pub fn object_at(&self, address: u64) -> Option<Seen<'_>> {
        self.space.find(address).map(Seen)
    }

    /// All live objects, by number.
    pub fn objects(&self) -> impl Iterator<Item = Seen<'_>> {
        self.space.live().map(Seen)
    }

    /// Lays out an object of the system's with the contents that `fill` gives it over zeros: what
    /// a program finds when it starts. Gives its address, or none where memory is used up.
    pub fn place(&mut self, size: u64, align: u64, fill: impl FnOnce(&mut Contents)) -> Option<Value> {
        self.place_text(size, align, None, fill)
    }

    /// As `place`: an object that ends at the first zero of a text, if there is one. Byte `size -
    /// 1` of the text is a zero.
    pub fn place_text(
        &mut self,
        size: u64,
        align: u64,
        text: Option<&Term>,
        fill: impl FnOnce(&mut Contents),
    ) -> Option<Value> {
        let mut contents = Contents::zero(size, 0);
        fill(&mut contents);
        let number = self.space.allocate(size, align, Kind::System, true, 0)?;
        // No window is open on what was just made.
        let object = self.space.object_mut(number)?;
        object.contents.copy(0, &contents, 0, size);
        if let Some(text) = text {
            object.limit_text(text);
        }
        Some(Value::pointer(object.address, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::System;
    use std::any::Any;
    use strata_memory::Space;

    struct Nothing;

    impl System for Nothing {
        fn copy(&self) -> Arc<dyn System> {
            Arc::new(Nothing)
        }

        fn as_any(&self) -> &dyn Any {
            self
        }

        fn as_any_mut(&mut self) -> &mut dyn Any {
            self
        }
    }

    /// A state with an object whose first byte is `byte`, and a pointer to it. All such states
    /// have it at one address.
    fn state(byte: u8) -> (State, Origin, u64) {
        let mut state = State::new(Space::default(), Arc::new(Nothing));
        let made = state.place(16, 16, |contents| contents.write_plain(0, &[byte])).expect("memory");
        (state, made.origin, made.bits)
    }

    fn first(view: &mut View, state: &mut State, origin: Origin, address: u64) -> Option<u64> {
        view.load(state, origin, address, 1).map(|value| value.bits)
    }

    #[test]
    fn windows_show_the_memory_of_the_state_that_they_are_used_with() {
        let mut view = View::default();
        let (mut one, origin, address) = state(1);
        let (mut two, other, place) = state(2);
        assert_eq!((origin, address), (other, place), "two states with the same objects");
        view.open(&mut one, origin, address, true);
        assert_eq!(first(&mut view, &mut one, origin, address), Some(1));
        assert_eq!(first(&mut view, &mut two, origin, address), None, "the windows of another state are closed");
        view.open(&mut two, origin, address, true);
        assert_eq!(first(&mut view, &mut two, origin, address), Some(2));
        // In the place of the state that ran there is another one now: what a hook can do with
        // safe code.
        std::mem::swap(&mut one, &mut two);
        drop(one);
        assert_eq!(first(&mut view, &mut two, origin, address), None);
    }

    #[test]
    fn windows_are_closed_when_pages_are_shared_and_when_another_machine_changed_them() {
        let mut view = View::default();
        let (mut one, origin, address) = state(1);
        view.open(&mut one, origin, address, true);
        let fork = one.fork();
        assert_eq!(first(&mut view, &mut one, origin, address), None, "a fork takes the mark away");
        drop(fork);
        view.open(&mut one, origin, address, true);
        let mut others = View::default();
        let object = others.object_mut(&mut one, origin, 0, 1).expect("it lives");
        object.contents.write_plain(0, &[9]);
        assert_eq!(first(&mut view, &mut one, origin, address), None, "it is another machine's state now");
        view.open(&mut one, origin, address, false);
        assert_eq!(first(&mut view, &mut one, origin, address), Some(9));
    }

    #[test]
    fn windows_are_closed_on_bytes_before_they_are_changed() {
        let mut view = View::default();
        let (mut one, origin, address) = state(1);
        view.open(&mut one, origin, address, true);
        let object = view.object_mut(&mut one, origin, 0, 1).expect("it lives");
        assert_eq!(object.address, address);
        assert_eq!(first(&mut view, &mut one, origin, address), None);
    }
}
