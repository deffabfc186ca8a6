//! Objects whose size is a term, and accesses whose length is a term: neither forks over its
//! values.
//!
//! An allocation of symbolic size gives one object. It takes as many addresses as its size can be
//! at most, up to a cap; every access is checked against the size itself. What the path is known
//! to imply of the size (`Extent::sure`) makes most of these checks a comparison of two numbers.
//!
//! A copy or a fill of symbolic length `n` changes the bytes from the least to the largest `n`:
//! each of them becomes `if i < n then new else old`.
//!
//! Rejected: a path for each size (a loop over n objects gives n paths), and a few sizes of many
//! (whoever needs another one finds nothing).

use super::{Flow, Spot};
use crate::code::Local;
use crate::end::{Cause, End, Fault};
use crate::machine::Machine;
use crate::origin::either;
use crate::state::State;
use strata_memory::{Kind, Origin, Value, is_never_written};
use strata_query::Range;
use strata_term::{Term, eval};

/// Upper bound on the bytes that a copy or fill of symbolic length may change or not, for one call.
/// Each costs a choice; a page of the machine is what most buffers are.
const UNSURE: u64 = 4096;

/// Factor between the capacities that are tried for an object of symbolic size, largest first: each
/// costs a question.
const STEP: u64 = 4;

/// A capacity that is small enough, in bytes: arrays of so few bytes cost a solver little.
const SMALL: u64 = 64;

/// How large an object is to be.
pub(crate) enum Room {
    /// So many bytes.
    Plain(u64),
    /// As many as a term says.
    Symbolic {
        /// The size, 64 bits wide.
        extent: Extent,
        /// The most that it can be on this path, in bytes.
        capacity: u64,
    },
}

/// A size that is a term, and its least value.
pub(crate) struct Extent {
    /// 64 bits wide.
    term: Term,
    /// In bytes.
    least: u64,
}

/// Bytes that are about to be accessed, of a number that is a term.
pub enum Span {
    /// From there on.
    At(Spot),
    /// There are none.
    Empty,
    /// The state was forked, and each fork tries again.
    Forked,
}

impl Machine<'_> {
    /// The size of an object that is to be made. Sizes beyond the cap (or, where all are, beyond
    /// the least by more than the cap) are given up, but for those beyond `limit`, which are too
    /// large for any allocation: the state forks over that. `None`: forked, try again.
    pub(crate) fn room(
        &mut self,
        state: &mut State,
        asked: &Value,
        limit: u64,
        what: &'static str,
    ) -> Result<Option<Room>, End> {
        let Some(term) = &asked.term else { return Ok(Some(Room::Plain(asked.bits))) };
        let term = self.settle(state, term, what)?.resize(64);
        if let Some(size) = term.const_u64() {
            return Ok(Some(Room::Plain(size)));
        }
        let number = |size: u64| Term::number(64, size);
        let witness = self.witness(state)?;
        let value = eval(&term, &witness).low_u64();
        let range = self.range_of(&state.path, &term);
        let range = range.unwrap_or(Range { least: 0, most: u64::MAX, exact: false });
        if range.single().is_some() || (value > limit && !self.may(state, &term.ule(&number(limit)))?) {
            return Ok(Some(Room::Plain(value)));
        }
        let mut cap = self.config.size_cap;
        if value > cap && !self.may(state, &term.ule(&number(cap)))? {
            let (least, _) = self.bounds(state, &term, range.least, range.most)?;
            cap = least.saturating_add(cap);
        }
        if range.most > cap && self.may(state, &number(cap).ult(&term))? {
            let (fits, fails) = (term.ule(&number(cap)), number(limit).ult(&term));
            let followed = fits.or(&fails);
            if self.may(state, &followed.not())? {
                state.notes.push(Cause::new("size", format!("{what}: only sizes up to {cap} bytes were followed")));
                self.assume(state, &followed)?;
            }
            if self.split(state, &[fits, fails], &mut |_, _, _| Ok(()))? {
                return Ok(None);
            }
            return self.room(state, asked, limit, what);
        }
        let capacity = if range.exact { range.most } else { self.capacity(state, &term, range.most.min(cap))? };
        let extent = Extent { term, least: range.least.min(capacity) };
        Ok(Some(Room::Symbolic { extent, capacity }))
    }

    /// Upper bound on a size that is at most `most`. It need not be the least: to find that for a
    /// product takes the solver long.
    fn capacity(&mut self, state: &mut State, size: &Term, most: u64) -> Result<u64, End> {
        let mut capacity = most;
        while capacity > SMALL {
            let less = capacity / STEP;
            if self.may(state, &Term::number(64, less).ult(size))? {
                break;
            }
            capacity = less;
        }
        Ok(capacity)
    }

    /// Makes an object of a size, or ends the path where a limit is reached.
    pub(crate) fn allocate_room(
        &mut self,
        state: &mut State,
        room: Room,
        align: u64,
        kind: Kind,
        zero: bool,
    ) -> Result<Origin, End> {
        match room {
            Room::Plain(size) => self.allocate(state, size, align, kind, zero),
            Room::Symbolic { extent, capacity } => {
                let number = self.allocate(state, capacity, align, kind, zero)?;
                limit(state, number, extent);
                Ok(number)
            }
        }
    }

    /// Makes a local variable of a size: its address and its number. One of symbolic size does not
    /// count as used stack, since how much it uses depends on the input.
    pub(super) fn make_local_room(
        &mut self,
        state: &mut State,
        room: Room,
        local: Local,
    ) -> Result<(u64, Origin), End> {
        match room {
            Room::Plain(size) => self.make_local(state, size, local),
            Room::Symbolic { extent, capacity } => {
                self.check_locals(state, extent.least)?;
                let (address, number) = self.place_local(state, capacity, local)?;
                limit(state, number, extent);
                Ok((address, number))
            }
        }
    }

    /// Copies what an object holds into one that was just made and that nobody wrote to, as far as
    /// both reach.
    pub(crate) fn copy_object(&mut self, state: &mut State, new: Origin, old: Origin) {
        let (Some(source), Some(target)) = (state.space.object(old), state.space.object(new)) else { return };
        let most = source.size.min(target.size);
        let (sure, extent) = (source.sure().min(most), source.extent());
        if source.extent.is_none() {
            if most > 0 {
                self.copy_bytes(state, new, 0, old, 0, most);
            }
            return;
        }
        // Bytes that nobody ever touched stay what they are in a new object.
        let ranges: Vec<(u64, u64)> = match source.contents.is_blank_unset() {
            true => source.contents.touched().collect(),
            false => vec![(0, most)],
        };
        for (low, high) in ranges {
            let (high, middle) = (high.min(most), sure.clamp(low, high.min(most).max(low)));
            if low < middle {
                self.copy_bytes(state, new, low, old, low, middle - low);
            }
            for at in middle..high {
                let spot = |origin| Spot::At { origin, offset: at };
                let value = self.read(state, &spot(old), 1);
                if value.term.as_ref().is_some_and(is_never_written) {
                    continue;
                }
                let before = self.read(state, &spot(new), 1);
                self.write(state, &spot(new), 1, &chosen(&extent, at, 1, &value, &before));
            }
        }
    }

    /// Demands that the first `end` bytes of an object of symbolic size are inside.
    pub(super) fn demand_bytes(
        &mut self,
        state: &mut State,
        number: Origin,
        end: u64,
        fault: Fault,
    ) -> Result<(), End> {
        let Some(object) = state.space.object(number) else { return Ok(()) };
        let reaches = object.reaches(end);
        let known = object.extent.as_ref().filter(|extent| extent.text.is_none()).map(|extent| extent.term.clone());
        let range = known.and_then(|term| self.range_of(&state.path, &term));
        let sure = range.map_or(0, |range| range.least);
        if sure < end {
            self.demand(state, &reaches, |_| fault)?;
        }
        if let Some(object) = state.space.object_mut(number) {
            object.grow_sure(sure.max(end));
        }
        Ok(())
    }

    /// Demands that `count` bytes from a pointer on may be accessed, unless there are none.
    pub fn span(&mut self, state: &mut State, pointer: &Value, count: &Value, write: bool) -> Result<Span, End> {
        let count = count.to_term(64);
        let none = count.eq(&Term::number(64, 0));
        let mut origin = self.object_of(pointer);
        if pointer.is_symbolic() {
            // A pointer that is not used may be any: what follows is about one that is.
            if self.split(state, &[none.clone(), none.not()], &mut |_, _, _| Ok(()))? {
                return Ok(Span::Forked);
            }
            let witness = self.witness(state)?;
            if self.holds(&none, &witness) {
                return Ok(Span::Empty);
            }
            let Some(spot) = self.locate(state, pointer, 1, write)? else { return Ok(Span::Forked) };
            origin = spot.origin();
        }
        let address = pointer.bits;
        let found = match state.space.object(origin) {
            Some(object) => Ok(object),
            None if !origin.is_none() => Err(self.dangling(address)),
            None => state.space.find(address).ok_or_else(|| self.nowhere(state, address)),
        };
        let usable = found.map_err(End::from).and_then(|object| {
            self.check_alive(object, pointer)?;
            self.check_kind(object, pointer, write)?;
            Ok(object)
        });
        let object = match usable {
            Ok(object) => object,
            Err(End::Error(fault)) => {
                self.demand(state, &none, |_| *fault)?;
                return Ok(Span::Empty);
            }
            Err(end) => {
                // Where there is nothing to access it is no matter that this is not modelled.
                return if matches!(self.sides(state, &none)?, crate::solve::Sides::True) {
                    Ok(Span::Empty)
                } else {
                    Err(end)
                };
            }
        };
        let (number, base, capacity) = (object.number, object.address, object.size);
        let offset = pointer.to_term(64).sub(&Term::number(64, base));
        let extent = object.extent();
        let fault = match (&object.extent, offset.const_u64()) {
            (None, Some(offset)) if offset <= capacity => {
                self.outside_by(object, pointer, &crate::end::bytes(capacity - offset + 1))
            }
            (None | Some(_), _) => self.outside_by(object, pointer, "a symbolic number of bytes"),
        };
        let fits = count.ule(&extent.sub(&offset));
        let good = match offset.const_u64() {
            Some(offset) if offset <= object.sure() => fits,
            Some(_) | None => none.or(&offset.ule(&extent).and(&fits)),
        };
        self.demand(state, &good, |_| fault)?;
        let spot = match offset.const_u64() {
            Some(offset) => Spot::At { origin: number, offset },
            None => {
                let (low, last) = self.window(state, &offset, None, capacity)?;
                Spot::Among { origin: number, address: pointer.to_term(64), start: base, low, last, few: None }
            }
        };
        Ok(Span::At(spot))
    }

    /// The least and the largest number of bytes from these spots on that a copy or fill is about:
    /// they are known to lie inside. Those that are too many to be told apart are given up.
    pub fn lengths(
        &mut self,
        state: &mut State,
        count: &Term,
        spots: &[&Spot],
        what: &'static str,
    ) -> Result<(u64, u64), End> {
        let room = spots.iter().map(|spot| self.left(state, spot)).fold(u64::MAX, u64::min);
        let (least, most) = self.bounds(state, count, 0, room)?;
        if most - least <= UNSURE {
            return Ok((least, most));
        }
        let most = least + UNSURE;
        state.notes.push(Cause::new("size", format!("{what}: only up to {most} bytes were followed")));
        self.assume(state, &count.ule(&Term::number(64, most)))?;
        Ok((least, most))
    }

    /// Upper bound on the bytes from a spot on that lie inside its object.
    pub fn left(&self, state: &State, spot: &Spot) -> u64 {
        let low = match spot {
            Spot::At { offset, .. } => *offset,
            Spot::Among { low, .. } => *low,
        };
        state.space.object(spot.origin()).map_or(0, |object| object.size.saturating_sub(low))
    }

    /// Copies as many bytes as a term says.
    pub(super) fn copy_symbolic(
        &mut self,
        state: &mut State,
        to: &Value,
        from: &Value,
        length: &Value,
    ) -> Result<Flow, End> {
        let what = "the length of a copy";
        let count = self.settle(state, &length.to_term(64), what)?;
        let length = Value::term(count.clone());
        if !length.is_symbolic() {
            return self.copy_memory(state, to, from, &length);
        }
        let source = match self.span(state, from, &length, false)? {
            Span::At(spot) => spot,
            Span::Empty => return Ok(Flow::Next),
            Span::Forked => return Ok(Flow::Forked),
        };
        let target = match self.span(state, to, &length, true)? {
            Span::At(spot) => spot,
            Span::Empty => return Ok(Flow::Next),
            Span::Forked => return Ok(Flow::Forked),
        };
        let (least, most) = self.lengths(state, &count, &[&source, &target], what)?;
        if most == 0 {
            return Ok(Flow::Next);
        }
        let pieces = self.pieces(state, &count, (least, most), &target, Some(&source));
        // What may be copied is read before anything is written: the two may overlap.
        let mut news = Vec::new();
        for (at, size) in pieces {
            let old = self.read(state, &self.further(state, &target, at), size);
            let new = self.read(state, &self.further(state, &source, at), size);
            news.push((at, size, chosen(&count, at, size, &new, &old)));
        }
        if least > 0
            && let Flow::Forked = self.copy_memory(state, to, from, &Value::bits(least))?
        {
            return Ok(Flow::Forked);
        }
        for (at, size, value) in &news {
            let spot = self.further(state, &target, *at);
            self.write(state, &spot, *size, value);
        }
        Ok(Flow::Next)
    }

    /// Sets as many bytes as a term says to one byte.
    pub(super) fn fill_symbolic(
        &mut self,
        state: &mut State,
        to: &Value,
        byte: &Value,
        length: &Value,
    ) -> Result<Flow, End> {
        let what = "the length of a fill";
        let count = self.settle(state, &length.to_term(64), what)?;
        let length = Value::term(count.clone());
        if !length.is_symbolic() {
            return self.fill_memory(state, to, byte, &length);
        }
        let target = match self.span(state, to, &length, true)? {
            Span::At(spot) => spot,
            Span::Empty => return Ok(Flow::Next),
            Span::Forked => return Ok(Flow::Forked),
        };
        let (least, most) = self.lengths(state, &count, &[&target], what)?;
        if least > 0
            && let Flow::Forked = self.fill_memory(state, to, byte, &Value::bits(least))?
        {
            return Ok(Flow::Forked);
        }
        let whole = byte.to_term(8);
        let whole = (1..8).fold(whole.clone(), |word, _| whole.concat(&word));
        for (at, size) in self.pieces(state, &count, (least, most), &target, None) {
            let spot = self.further(state, &target, at);
            let old = self.read(state, &spot, size);
            let new = Value::term(whole.extract(size as u32 * 8 - 1, 0));
            self.write(state, &spot, size, &chosen(&count, at, size, &new, &old));
        }
        Ok(Flow::Next)
    }

    /// The bytes that a copy of `least` to `most` bytes may change, in pieces of which each is
    /// changed as a whole or not at all: words where pointers are among them, else bytes.
    fn pieces(
        &self,
        state: &State,
        count: &Term,
        (least, most): (u64, u64),
        target: &Spot,
        source: Option<&Spot>,
    ) -> Vec<(u64, u64)> {
        let words = |spot: &Spot| match spot {
            Spot::At { origin, offset } => {
                let object = state.space.object(*origin).expect("a spot lies in a live object");
                let from = (offset + least).min(object.size);
                let held = object.contents.has_origins(from, (offset + most).min(object.size) - from);
                (held, (offset + least).is_multiple_of(8))
            }
            Spot::Among { .. } => (false, false),
        };
        let ((held, aligned), (also, even)) = (words(target), source.map_or((false, true), words));
        let whole = least.is_multiple_of(8) && most.is_multiple_of(8) && count.extract(2, 0).is_zero();
        let size = if (held || also) && aligned && even && whole { 8 } else { 1 };
        (least..most).step_by(size).map(|at| (at, size as u64)).collect()
    }

    /// The spot `by` bytes further on, within the object.
    pub fn further(&self, state: &State, spot: &Spot, by: u64) -> Spot {
        let capacity = state.space.object(spot.origin()).map_or(0, |object| object.size);
        match spot.shifted(by) {
            Spot::Among { origin, address, start, low, last, few: _ } => {
                let end = capacity.saturating_sub(1);
                Spot::Among { origin, address, start, low: low.min(end), last: last.min(end), few: None }
            }
            at @ Spot::At { .. } => at,
        }
    }
}

/// Gives an object that was just made its symbolic size.
fn limit(state: &mut State, number: Origin, extent: Extent) {
    if let Some(object) = state.space.object_mut(number) {
        object.limit(extent.term, extent.least);
    }
}

/// `new` where the piece is among the first `count` bytes, else `old`.
fn chosen(count: &Term, at: u64, size: u64, new: &Value, old: &Value) -> Value {
    let width = size as u32 * 8;
    let reached = Term::number(64, at).ult(count);
    let origin = if new.origin == old.origin { new.origin } else { either(new.origin, old.origin) };
    Value::term(Term::ite(&reached, &new.to_term(width), &old.to_term(width))).with_origin(origin)
}
