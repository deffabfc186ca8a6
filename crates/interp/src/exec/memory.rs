//! Loads, stores and allocation.
//!
//! A pointer with an origin may reach that object and nothing else: one question decides whether it can leave it. A pointer without one
//! is resolved by address: which live objects may it hit? The state forks over them (each fork then knows the object), and
//! the case that it hits none is an error path of its own.

use super::Flow;
use super::tables::{index, inside, offset_from, same};
use crate::code::Local;
use crate::end::{Cause, End, ErrorKind, Fault, Victim, bytes};
use crate::machine::Machine;
use crate::range::range;
use crate::state::State;
use strata_ir::{Reg, SURPLUS_LAYOUT};
use strata_memory::{Kind, Object, Origin, Value};
use strata_query::{Answer, Range, Values};
use strata_term::{Op, Term, eval, mask};

/// Where an access goes.
pub enum Spot {
    /// One place.
    At {
        /// The object.
        origin: Origin,
        /// From its start.
        offset: u64,
    },
    /// One of several places in one object.
    Among {
        /// The object.
        origin: Origin,
        /// The address, 64 bits wide.
        address: Term,
        /// Where the object starts.
        start: u64,
        /// The least it can be.
        low: u64,
        /// The largest it can be.
        last: u64,
        /// All that it can be, where that is known and little.
        few: Option<Vec<u64>>,
    },
}

/// Objects up to this size are read as a whole at a symbolic index; in larger ones the window is looked for first.
const WINDOW: u64 = 128;

/// Tables up to this size are read as a whole where layers above the core know something of the index: the read is then the same term on all paths, and what was
/// worked out for it on one serves the others. Who has the core alone gets the window, since the core pays for every byte of a table.
pub(super) const TABLE: u64 = 1 << 16;

/// How many of the bounds found last are looked through.
const KNOWN: usize = 32;

/// A size with fewer possible values than this is forked over all of them.
const EACH: u64 = 9;

/// Functions of the C library that look at arguments which nobody need pass, and hand them on to a kernel that does not look: zeros lie there.
const TAKES_ANY: &[&str] = &["fcntl", "ioctl", "syscall", "prctl", "mremap", "ptrace", "semctl"];

/// The layout (`SURPLUS_LAYOUT`) of arguments that are all in memory, 16 bytes from its start.
const ALL_IN_MEMORY: u64 = 48 | 176 << 8 | 16 << 16;

fn equal_to(term: &Term, values: &[u64]) -> Vec<Term> {
    values.iter().map(|value| term.eq(&Term::number(term.width(), *value))).collect()
}

impl Machine<'_> {
    /// Where `count` bytes from a pointer on lie. `None`: the state was forked, and each fork tries again.
    pub fn locate(&mut self, state: &mut State, pointer: &Value, count: u64, write: bool) -> Result<Option<Spot>, End> {
        let Some(term) = &pointer.term else {
            return self.locate_plain(state, pointer.bits, self.object_of(pointer), count, write).map(Some);
        };
        let term = self.settle(state, term, "an address")?;
        let mut origin = self.object_of(pointer);
        // Where it points to is looked up by its number.
        state.depends_on_address |= pointer.origin.is_none();
        if !write && let Some(spot) = inside(&mut self.bounds, state, origin, &term, count) {
            return Ok(Some(spot));
        }
        let values = if term.is_const() { None } else { self.values_of(&state.path, &term) };
        let range = match &values {
            Some(values) if values.exact => values.range(),
            _ if term.is_const() => None,
            _ => self.range_of(&state.path, &term),
        };
        if let Some(address) = term.const_u64().or_else(|| range.and_then(|range| range.single())) {
            return self.locate_plain(state, address, origin, count, write).map(Some);
        }
        if origin.is_none()
            && let Some((_, known)) = state.resolved.iter().take(16).find(|(pointer, _)| *pointer == term)
        {
            origin = *known;
        }
        if origin.is_none() {
            self.resolve(state, &term, count, write)
        } else {
            self.locate_in(state, origin, &term, (range, values), count, write).map(Some)
        }
    }

    /// The object that a pointer may access, or none where that is found by its address.
    pub(super) fn object_of(&self, pointer: &Value) -> Origin {
        if self.config.provenance && pointer.origin.is_object() { pointer.origin } else { Origin::NONE }
    }

    fn locate_plain(
        &mut self,
        state: &mut State,
        address: u64,
        origin: Origin,
        count: u64,
        write: bool,
    ) -> Result<Spot, End> {
        let object = match state.space.object(origin) {
            Some(object) => object,
            None if !origin.is_none() => return Err(self.dangling(address).into()),
            None => state.space.find(address).ok_or_else(|| End::from(self.nowhere(state, address)))?,
        };
        let access = Value::bits(address);
        self.check_alive(object, &access)?;
        let (number, offset) = (object.number, address.wrapping_sub(object.address));
        if !object.holds(address, count) {
            let fault = self.outside(object, &access, count);
            if object.extent.is_none() || !object.may_hold(address, count) {
                return Err(fault.into());
            }
            self.demand_bytes(state, number, offset + count, fault)?;
        }
        let object = state.space.object(number).expect("it was just found");
        self.check_kind(object, &access, write)?;
        Ok(Spot::At { origin: number, offset })
    }

    fn locate_in(
        &mut self,
        state: &mut State,
        origin: Origin,
        term: &Term,
        (range, values): (Option<Range>, Option<Values>),
        count: u64,
        write: bool,
    ) -> Result<Spot, End> {
        let Some(object) = state.space.object(origin) else { return Err(self.dangling(0).into()) };
        let access = Value::term(term.clone());
        self.check_alive(object, &access)?;
        let (base, size) = (object.address, object.size);
        if size < count {
            return Err(self.outside(object, &access, count).into());
        }
        let last = size - count;
        let sure_last = object.sure().checked_sub(count);
        let range = range.filter(|range| base <= range.least).map(|range| Range {
            least: range.least - base,
            most: range.most - base,
            exact: range.exact,
        });
        if range.is_none_or(|range| sure_last.is_none_or(|last| range.most > last)) {
            let fault = self.outside(object, &access, count);
            self.demand(state, &object.contains(&offset_from(base, term), count), |_| fault)?;
        }
        let Some(object) = state.space.object(origin) else { return Err(self.dangling(0).into()) };
        self.check_kind(object, &access, write)?;
        if size > u64::from(u32::MAX) {
            return Err(Cause::new("unsupported", "a symbolic index into an object beyond 4 GiB").into());
        }
        let table = range.is_some() && !write && size <= TABLE && object.contents.is_plain(0, size);
        let (low, last) = if size <= WINDOW || table {
            (0, last)
        } else {
            let known = range.filter(|range| range.exact && range.most <= last);
            self.window(state, &offset_from(base, term), known, last)?
        };
        if low == last {
            return Ok(Spot::At { origin, offset: low });
        }
        // What lies beyond is no longer possible.
        let offsets =
            |values: Values| values.all.iter().map(|value| value.wrapping_sub(base)).filter(|at| *at <= last).collect();
        let few = values.filter(|_| range.is_some()).map(offsets);
        Ok(Spot::Among { origin, address: term.clone(), start: base, low, last, few })
    }

    /// The least and the largest offset into a large object: from the term's shape where that is narrow, else asked for. What was found
    /// before holds as long as the path goes on: constraints are only added. An index that only a constant was added to is the same index.
    pub(super) fn window(
        &mut self,
        state: &mut State,
        offset: &Term,
        exact: Option<Range>,
        last: u64,
    ) -> Result<(u64, u64), End> {
        let known = |part: &Term| {
            let found = state.windows.iter().take(KNOWN).find(|(term, _, _)| term == part);
            found.map(|(_, low, high)| (*low, *high))
        };
        let (index, constant) = offset.apart();
        let (low, high) = range(offset, &known);
        let asked = high <= last && known(index).is_some();
        // The path demands that it is at most `last`.
        let (low, high) = (low.min(last), high.min(last));
        if high - low < WINDOW || asked {
            return Ok((low, high));
        }
        let (low, high) = match exact {
            Some(range) => (range.least, range.most),
            None => self.bounds(state, offset, low, high)?,
        };
        let (least, most) = (low.wrapping_sub(constant), high.wrapping_sub(constant));
        if least <= most {
            state.windows.push((index.clone(), least, most));
        }
        Ok((low, high))
    }

    pub(super) fn check_alive(&self, object: &Object, address: &Value) -> Result<(), End> {
        if object.is_live() {
            return Ok(());
        }
        let mut fault = Fault::new(ErrorKind::Ptr, "memory error: use after free");
        fault.victim = Some(self.victim(object, Some(address)));
        Err(fault.into())
    }

    pub(super) fn check_kind(&self, object: &Object, address: &Value, write: bool) -> Result<(), End> {
        match object.kind {
            Kind::Undefined => {
                let name = self.object_name(object);
                Err(Cause::new("external", format!("the undefined global '{name}' was touched")).into())
            }
            Kind::Code => {
                let mut fault = Fault::new(ErrorKind::Ptr, "memory error: access to a function's code");
                fault.victim = Some(self.victim(object, Some(address)));
                Err(fault.into())
            }
            Kind::Global | Kind::Heap | Kind::Stack | Kind::System if write && !object.writable => {
                let mut fault = Fault::new(ErrorKind::ReadOnly, "memory error: object read only");
                fault.victim = Some(self.victim(object, Some(address)));
                Err(fault.into())
            }
            Kind::Global | Kind::Heap | Kind::Stack | Kind::System => Ok(()),
        }
    }

    /// The name of an object in the source, or nothing.
    pub(crate) fn object_name(&self, object: &Object) -> String {
        match object.kind {
            Kind::Global | Kind::Undefined => self
                .image
                .program
                .globals
                .get(object.name as usize)
                .map_or_else(String::new, |global| global.name.clone()),
            Kind::Stack => self.image.local_name(object.name).to_string(),
            Kind::Code | Kind::Heap | Kind::System => String::new(),
        }
    }

    pub(crate) fn victim(&self, object: &Object, address: Option<&Value>) -> Victim {
        let offset = |address: &Value| match &address.term {
            None => Value::bits(address.bits.wrapping_sub(object.address)),
            Some(term) => Value::term(term.sub(&Term::number(64, object.address))),
        };
        Victim {
            number: object.number,
            address: object.address,
            size: Value::term(object.extent()),
            kind: object.kind,
            name: self.object_name(object),
            made_at: object.made_at,
            freed_at: object.freed_at,
            offset: address.map(offset),
        }
    }

    fn outside(&self, object: &Object, address: &Value, count: u64) -> Fault {
        self.outside_by(object, address, &bytes(count))
    }

    pub(super) fn outside_by(&self, object: &Object, address: &Value, count: &str) -> Fault {
        let mut fault = Fault::new(ErrorKind::Ptr, format!("memory error: out of bound pointer ({count})"));
        fault.victim = Some(self.victim(object, Some(address)));
        fault
    }

    pub(super) fn dangling(&self, address: u64) -> Fault {
        let at = if address == 0 { String::new() } else { format!(" (address {address:#x})") };
        Fault::new(ErrorKind::Ptr, format!("memory error: use of an object that no longer exists{at}"))
    }

    pub(super) fn nowhere(&self, state: &State, address: u64) -> Fault {
        if address < 4096 {
            return Fault::new(ErrorKind::Ptr, "memory error: null page access");
        }
        let mut fault =
            Fault::new(ErrorKind::Ptr, format!("memory error: out of bound pointer (address {address:#x})"));
        let near =
            state.space.find(address.saturating_sub(16)).or_else(|| state.space.find(address.saturating_add(16)));
        fault.victim = near.map(|object| self.victim(object, Some(&Value::bits(address))));
        fault
    }

    /// Forks over the objects that a pointer without an origin may hit.
    fn resolve(&mut self, state: &mut State, term: &Term, count: u64, write: bool) -> Result<Option<Spot>, End> {
        let (low, high) = self.bounds(state, term, 0, u64::MAX)?;
        let inside = |object: &Object| object.contains(&term.sub(&Term::number(64, object.address)), count);
        let near = |o: &&Object| o.size >= count && o.address <= high && low < o.address + o.size;
        let places = state.space.live().filter(near).map(|o| (o.number, inside(o))).collect();
        let hits = self.possible_places(state, places)?;
        let any = hits.iter().fold(Term::bool(false), |any, (_, condition)| any.or(condition));
        let fault = if high < 4096 {
            Fault::new(ErrorKind::Ptr, "memory error: null page access")
        } else {
            Fault::new(ErrorKind::Ptr, "memory error: out of bound pointer (it may point outside all objects)")
        };
        self.demand(state, &any, |_| fault)?;
        let conditions: Vec<Term> = hits.iter().map(|(_, condition)| condition.clone()).collect();
        let forked = self.split(state, &conditions, &mut |_, state, i| {
            state.resolved.push((term.clone(), hits[i].0));
            Ok(())
        })?;
        if forked {
            Ok(None)
        } else {
            self.locate(state, &Value { bits: 0, origin: Origin::NONE, term: Some(term.clone()) }, count, write)
        }
    }

    /// Those of several places that a pointer may be at, each with the condition that it is.
    /// Beyond the limit of resolutions places are neither followed nor an error: the run is
    /// incomplete without them.
    fn possible_places<P>(&mut self, state: &mut State, places: Vec<(P, Term)>) -> Result<Vec<(P, Term)>, End> {
        let mut possible: Vec<(P, Term)> = Vec::new();
        let mut beyond = Term::bool(false);
        let witness = self.witness(state)?;
        for (place, condition) in places {
            if possible.len() >= self.config.resolutions {
                beyond = beyond.or(&condition);
            } else if self.holds(&condition, &witness) || self.may(state, &condition)? {
                possible.push((place, condition));
            }
        }
        if !beyond.is_false() && self.may(state, &beyond)? {
            let text = format!("a pointer may hit more than {} objects", possible.len());
            state.notes.push(Cause::new("resolution", text));
            self.assume(state, &beyond.not())?;
        }
        Ok(possible)
    }

    /// The address in a pointer that must be null or the start of an object: what free and its kin demand. A symbolic one forks over what
    /// it may be, and points to neither on a path that ends as invalid. `None`: forked, try again.
    pub(crate) fn exact(&mut self, state: &mut State, pointer: &Value, what: &str) -> Result<Option<u64>, End> {
        let Some(term) = &pointer.term else { return Ok(Some(pointer.bits)) };
        let term = self.settle(state, term, "an address")?;
        if let Some(address) = term.const_u64() {
            return Ok(Some(address));
        }
        if let Some((_, address)) = state.pinned.iter().take(16).find(|(pinned, _)| *pinned == term) {
            return Ok(Some(*address));
        }
        let (low, high) = self.bounds(state, &term, 0, u64::MAX)?;
        let known = self.object_of(pointer);
        let hit = |o: &&Object| (known.is_none() || o.number == known) && low <= o.address && o.address <= high;
        let addresses = std::iter::once(0).chain(state.space.live().filter(hit).map(|o| o.address));
        let places = addresses.map(|address| (address, term.eq(&Term::number(64, address)))).collect();
        let (addresses, mut conditions): (Vec<u64>, Vec<Term>) =
            self.possible_places(state, places)?.into_iter().unzip();
        conditions.push(conditions.iter().fold(Term::bool(true), |none, condition| none.and(&condition.not())));
        self.split(state, &conditions, &mut |_, state, i| {
            let Some(address) = addresses.get(i) else { return Err(invalid(what).into()) };
            state.pinned.push((term.clone(), *address));
            Ok(())
        })
        .map(|_| None)
    }

    /// Reads from a spot.
    pub fn read(&mut self, state: &mut State, spot: &Spot, count: u64) -> Value {
        match spot {
            Spot::At { origin, offset } => {
                let object = state.space.object(*origin).expect("a spot lies in a live object");
                let value = object.contents.read(*offset, count);
                if value.is_symbolic() && !state.saw_uninit && object.contents.has_unset(*offset, count) {
                    state.saw_uninit = true;
                }
                value
            }
            Spot::Among { origin, address, start, low, last, few } => {
                let object = state.space.object(*origin).expect("a spot lies in a live object");
                if let Some(value) = few.as_ref().and_then(|few| same(&object.contents, few, count)) {
                    return value;
                }
                if !state.saw_uninit && object.contents.has_unset(*low, last - low + count) {
                    state.saw_uninit = true;
                }
                let whole = *low == 0 && last + count == object.size && object.size <= TABLE;
                let mixed = object.contents.is_mixed(*low, last - low + count);
                let table = if whole { self.tables.of(*origin, object) } else { None };
                let value = Value::term(match table {
                    Some(table) => self.tables.read(table, *start, address, count),
                    None => object.contents.read_at(&index(*start, address), *low, *last, count),
                });
                if mixed { value.with_origin(Origin::MIXED) } else { value }
            }
        }
    }

    /// What `count` bytes from a pointer on hold. `None`: the state was forked, and each fork tries again.
    pub fn fetch(&mut self, state: &mut State, pointer: &Value, count: u64) -> Result<Option<Value>, End> {
        let shown = pointer.concrete().and_then(|address| self.view.load(state, pointer.origin, address, count));
        if shown.is_some() {
            return Ok(shown);
        }
        let spot = self.locate(state, pointer, count, false)?;
        Ok(spot.map(|spot| self.read(state, &spot, count)))
    }

    /// Writes to a spot.
    pub fn write(&mut self, state: &mut State, spot: &Spot, count: u64, value: &Value) {
        match spot {
            Spot::At { origin, offset } => {
                let object = self.view.object_mut(state, *origin, *offset, count);
                object.expect("a spot lies in a live object").contents.write(*offset, count, value);
            }
            Spot::Among { origin, address, start, low, last, .. } => {
                // What was never written becomes part of terms that may outlive its mark.
                let seen = state.space.object(*origin).is_some_and(|o| o.contents.has_unset(*low, last - low + count));
                state.saw_uninit |= seen;
                let object = self.view.object_mut(state, *origin, *low, last - low + count);
                let object = object.expect("a spot lies in a live object");
                object.contents.write_at(&index(*start, address), *low, *last, count, &value.to_term(count as u32 * 8));
                if value.origin.is_mixed() {
                    object.contents.set_mixed(*low, last - low + count);
                }
            }
        }
    }

    pub(super) fn load(&mut self, state: &mut State, to: Reg, address: &Value) -> Result<Flow, End> {
        let width = self.register_width(state, to);
        let count = u64::from(width.div_ceil(8));
        let Some(spot) = self.locate(state, address, count, false)? else { return Ok(Flow::Forked) };
        let mut value = self.read(state, &spot, count);
        if !width.is_multiple_of(8) {
            let origin = value.origin;
            value = match value.term {
                None => Value::bits(value.bits & mask(width)),
                Some(term) => Value::term(term.extract(width - 1, 0)),
            };
            value.origin = origin.derived();
        }
        if let Spot::At { origin, .. } = spot
            && address.term.is_none()
            && (address.origin == origin)
            && !self.view.views(origin, address.bits, count, false)
        {
            self.open(state, origin, address.bits, false);
        }
        if let Some(bits) = self.only_value(state, &spot, &value) {
            value = Value::pointer(bits, value.origin);
            if matches!(spot, Spot::At { .. }) && width.is_multiple_of(8) {
                // Whoever reads it next need not ask.
                self.write(state, &spot, count, &value);
            }
        }
        self.set(state, to, value)
    }

    /// What was read, if it has one value left: then it is no longer symbolic, and what is
    /// computed with it is computed at once and asks nothing.
    ///
    /// Sound: constraints are only added, so a value that is the only one now stays it.
    fn only_value(&mut self, state: &State, spot: &Spot, value: &Value) -> Option<u64> {
        let term = value.term.as_ref().filter(|term| term.width() <= 64)?;
        match spot {
            Spot::At { .. } if term.op() == Op::Read => state.path.value(term).map(|bits| bits.low_u64()),
            Spot::At { .. } if !self.asked.is_new(term, state.path.len()) => None,
            // All places were looked at.
            Spot::Among { few: Some(_), .. } => None,
            Spot::At { .. } | Spot::Among { few: None, .. } => self.single_of(&state.path, term),
        }
    }

    pub(super) fn store(&mut self, state: &mut State, address: &Value, value: &Value, width: u32) -> Result<Flow, End> {
        let count = u64::from(width.div_ceil(8));
        let Some(spot) = self.locate(state, address, count, true)? else { return Ok(Flow::Forked) };
        let whole = match &value.term {
            Some(term) if !width.is_multiple_of(8) => {
                &Value::term(term.zext(count as u32 * 8)).with_origin(value.origin)
            }
            _ => value,
        };
        self.write(state, &spot, count, whole);
        if let Spot::At { origin, .. } = spot
            && address.term.is_none()
            && value.term.is_none()
            && address.origin == origin
        {
            self.open(state, origin, address.bits, true);
        }
        Ok(Flow::Next)
    }

    pub(crate) fn copy_memory(
        &mut self,
        state: &mut State,
        to: &Value,
        from: &Value,
        length: &Value,
    ) -> Result<Flow, End> {
        if let (None, None, None) = (&to.term, &from.term, &length.term)
            && self.view.copy(state, (to.origin, to.bits), (from.origin, from.bits), length.bits)
        {
            return Ok(Flow::Next);
        }
        let Some(count) = length.concrete() else { return self.copy_symbolic(state, to, from, length) };
        if count == 0 {
            return Ok(Flow::Next);
        }
        let Some(source) = self.locate(state, from, count, false)? else { return Ok(Flow::Forked) };
        let Some(target) = self.locate(state, to, count, true)? else { return Ok(Flow::Forked) };
        if let (Spot::At { origin, offset }, Spot::At { origin: from, offset: start }) = (&target, &source) {
            self.copy_bytes(state, *origin, *offset, *from, *start, count);
            self.reopen(state, *from, *start, false);
            self.reopen(state, *origin, *offset, true);
            return Ok(Flow::Next);
        }
        let bytes: Vec<Value> = (0..count).map(|i| self.read(state, &source.shifted(i), 1)).collect();
        for (i, byte) in bytes.iter().enumerate() {
            self.write(state, &target.shifted(i as u64), 1, byte);
        }
        Ok(Flow::Next)
    }

    /// Opens the window at an offset of an object again, after the bytes there were changed.
    fn reopen(&mut self, state: &mut State, origin: Origin, offset: u64, write: bool) {
        let Some(address) = state.space.object(origin).map(|object| object.address + offset) else { return };
        self.open(state, origin, address, write);
    }

    /// Lets plain accesses near an address pass without a look from now on.
    pub(crate) fn open(&mut self, state: &mut State, origin: Origin, address: u64, write: bool) {
        self.view.open(state, origin, address, write);
    }

    /// Copies bytes between plain places of live objects, with all that lies beside them.
    pub fn copy_bytes(&mut self, state: &mut State, to: Origin, offset: u64, from: Origin, start: u64, count: u64) {
        let source = &state.space.object(from).expect("a spot lies in a live object").contents;
        // Plain bytes go through a buffer: a second hold on the source would make a copy of every page that is its own target.
        if let Some(bytes) = source.plain(start, count).filter(|_| !source.has_origins(start, count)) {
            let object = self.view.object_mut(state, to, offset, count);
            object.expect("a spot lies in a live object").contents.write_plain(offset, &bytes);
            return;
        }
        let source = source.clone();
        state.saw_uninit |= source.has_unset(start, count);
        let object = self.view.object_mut(state, to, offset, count);
        object.expect("a spot lies in a live object").contents.copy(offset, &source, start, count);
    }

    pub(crate) fn fill_memory(
        &mut self,
        state: &mut State,
        to: &Value,
        byte: &Value,
        length: &Value,
    ) -> Result<Flow, End> {
        let Some(count) = length.concrete() else { return self.fill_symbolic(state, to, byte, length) };
        if count == 0 {
            return Ok(Flow::Next);
        }
        let Some(target) = self.locate(state, to, count, true)? else { return Ok(Flow::Forked) };
        match &target {
            Spot::At { origin, offset } => {
                let object = self.view.object_mut(state, *origin, *offset, count);
                object.expect("a spot lies in a live object").contents.fill(*offset, count, byte);
            }
            Spot::Among { .. } => (0..count).for_each(|i| self.write(state, &target.shifted(i), 1, byte)),
        }
        Ok(Flow::Next)
    }

    /// A size as a number, where a modelled system needs one: a position in a file. A symbolic
    /// one forks over all values if they are few, else over the least, the largest within the cap
    /// and one between, and the rest is counted incomplete. `None`: forked, try again.
    pub fn size(&mut self, state: &mut State, size: &Value, what: &'static str) -> Result<Option<u64>, End> {
        let Some(term) = &size.term else { return Ok(Some(size.bits)) };
        let term = self.settle(state, term, what)?;
        if let Some(size) = term.const_u64() {
            return Ok(Some(size));
        }
        if let Some((_, value)) = state.pinned.iter().take(16).find(|(pinned, _)| *pinned == term) {
            return Ok(Some(*value));
        }
        let width = term.width();
        if let Some(sizes) = self.few_values(state, &term)? {
            return self.fork_sizes(state, size, &term, &sizes, what);
        }
        let cap = self.config.size_cap.min(mask(width));
        let (least, most) = self.bounds(state, &term, 0, mask(width))?;
        let largest = if most <= cap { most } else { self.largest_up_to(state, &term, least, cap)? };
        let mut sizes = vec![least, largest, least + (largest - least) / 2];
        sizes.sort_unstable();
        sizes.dedup();
        let conditions = equal_to(&term, &sizes);
        let rest = conditions.iter().fold(Term::bool(true), |rest, condition| rest.and(&condition.not()));
        if self.may(state, &rest)? {
            state.notes.push(Cause::new("size", format!("only some values were tried for {what}")));
            self.assume(state, &rest.not())?;
        }
        self.fork_sizes(state, size, &term, &sizes, what)
    }

    /// All values of a term in order, if there are fewer than `EACH` and the solver knows so.
    fn few_values(&mut self, state: &mut State, term: &Term) -> Result<Option<Vec<u64>>, End> {
        let few = |values: &Values| (values.all.len() as u64) < EACH;
        if let Some(values) = self.values_of(&state.path, term).filter(few) {
            return Ok(Some(values.all));
        }
        let witness = self.witness(state)?;
        let mut values = vec![eval(term, &witness).low_u64()];
        let mut others = term.ne(&Term::number(term.width(), values[0]));
        loop {
            match self.ask(state, &witness, &others) {
                Answer::Sat(_) if values.len() as u64 + 1 == EACH => return Ok(None),
                Answer::Sat(model) => {
                    let value = eval(term, &model).low_u64();
                    others = others.and(&term.ne(&Term::number(term.width(), value)));
                    values.push(value);
                }
                Answer::Unsat => break,
                Answer::Unknown(_) => return Ok(None),
            }
        }
        values.sort_unstable();
        Ok(Some(values))
    }

    fn fork_sizes(
        &mut self,
        state: &mut State,
        size: &Value,
        term: &Term,
        sizes: &[u64],
        what: &'static str,
    ) -> Result<Option<u64>, End> {
        let forked = self.split(state, &equal_to(term, sizes), &mut |_, state, i| {
            state.pinned.push((term.clone(), sizes[i]));
            Ok(())
        })?;
        if forked { Ok(None) } else { self.size(state, size, what) }
    }

    /// The largest value of a term that is at most `cap`, at least `least`, which is possible.
    fn largest_up_to(&mut self, state: &mut State, term: &Term, least: u64, cap: u64) -> Result<u64, End> {
        let number = |value: u64| Term::number(term.width(), value);
        let (mut low, mut high) = (least, cap.max(least));
        let witness = self.witness(state)?;
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            let between = number(middle).ule(term).and(&term.ule(&number(high)));
            match self.ask(state, &witness, &between) {
                Answer::Sat(model) => low = eval(term, &model).low_u64(),
                Answer::Unsat | Answer::Unknown(_) => high = middle - 1,
            }
        }
        Ok(low)
    }

    /// Makes an object, or ends the path where a limit is reached.
    pub fn allocate(
        &mut self,
        state: &mut State,
        size: u64,
        align: u64,
        kind: Kind,
        zero: bool,
    ) -> Result<Origin, End> {
        if state.space.heap().saturating_add(size) > self.config.max_heap {
            return Err(
                Cause::new("limit", format!("one path's memory is beyond {} MiB", self.config.max_heap >> 20)).into()
            );
        }
        let place = self.here(state);
        let made = state.space.allocate(size, align, kind, zero, place);
        made.ok_or_else(|| Cause::new("limit", "one path used up its addresses").into())
    }

    /// Ends an object's life.
    pub fn free(&mut self, state: &mut State, number: Origin) {
        let place = self.here(state);
        if let Some(object) = state.space.object(number) {
            self.view.close(object);
        }
        state.space.free(number, place);
    }

    /// Says whether a live object may be written.
    pub fn set_writable(&mut self, state: &mut State, number: Origin, writable: bool) {
        if let Some(object) = state.space.object_mut(number) {
            self.view.close(object);
            object.writable = writable;
        }
    }

    /// The place of the running instruction: of the innermost call in the user's own code, if there is one.
    pub fn here(&self, state: &State) -> u32 {
        let mut frames = state.stack.iter();
        let own = frames.find(|frame| self.image.is_own(frame.function)).unwrap_or_else(|| state.stack.top());
        self.image.place(own.function, own.pc).0
    }

    pub(super) fn allocate_local(&mut self, state: &mut State, to: Reg, size: &Value, align: u64) -> Result<Flow, End> {
        let Some(room) = self.room(state, size, u64::MAX, "the size of a local array")? else {
            return Ok(Flow::Forked);
        };
        let frame = state.stack.top();
        let place = self.image.place(frame.function, frame.pc).0;
        let name = self.image.local(frame.function, frame.pc);
        let own = self.image.is_own(frame.function);
        let (address, number) = self.make_local_room(state, room, Local { align, place, name, own })?;
        self.set(state, to, Value::pointer(address, number))
    }

    /// Makes a local variable of the running call: its address and its number.
    pub(crate) fn make_local(&mut self, state: &mut State, size: u64, local: Local) -> Result<(u64, Origin), End> {
        self.check_locals(state, size)?;
        state.stack_bytes += size;
        self.place_local(state, size, local)
    }

    /// Is there room for so many bytes more of local variables?
    pub(super) fn check_locals(&self, state: &State, size: u64) -> Result<(), End> {
        if state.stack_bytes.saturating_add(size) > self.config.max_stack {
            return Err(Fault::new(ErrorKind::Stack, "stack overflow: local variables use up the stack").into());
        }
        Ok(())
    }

    /// Gives the running call an object.
    #[inline]
    pub(super) fn place_local(&self, state: &mut State, size: u64, local: Local) -> Result<(u64, Origin), End> {
        let made = state.space.allocate_local(size, local.align, local.own, local.place, local.name);
        let (address, number) = made.ok_or_else(|| End::from(Cause::new("limit", "one path used up its addresses")))?;
        state.stack.add_object(number);
        Ok((address, number))
    }

    /// Bytes from an address to the end of its object: none behind it, and as many as can be where the object is not known.
    pub(super) fn object_size(&mut self, state: &mut State, to: Reg, address: &Value) -> Result<Flow, End> {
        let width = self.register_width(state, to);
        let size = match state.space.object(address.origin) {
            None => Term::number(64, u64::MAX),
            Some(object) => {
                let offset = address.to_term(64).sub(&Term::number(64, object.address));
                let size = object.extent();
                Term::ite(&offset.ule(&size), &size.sub(&offset), &Term::number(64, 0))
            }
        };
        self.set(state, to, Value::term(size.resize(width)))
    }

    /// An object with the running call's surplus arguments.
    pub(super) fn variadic(&mut self, state: &mut State, to: Reg) -> Result<Flow, End> {
        // Natively the first ones come in registers, by branches that the trace then has.
        if self.config.optimised && self.image.is_own(state.stack.top().function) {
            state.depends_on_engine.get_or_insert("va_start");
        }
        let mut arguments = state.stack.surplus().to_vec();
        if arguments.first().is_none_or(|(_, width)| *width != SURPLUS_LAYOUT) {
            arguments.insert(0, (Value::bits(ALL_IN_MEMORY), SURPLUS_LAYOUT));
            arguments.insert(1, (Value::bits(0), 64));
        }
        let bytes: u64 = arguments.iter().map(|(_, width)| u64::from(width.div_ceil(64)) * 8).sum();
        let name = &self.image.program.functions[state.stack.top().function as usize].name;
        let bytes = if TAKES_ANY.contains(&name.as_str()) { bytes + 48 } else { bytes };
        let number = self.allocate(state, bytes, 64, Kind::Stack, true)?;
        state.stack_bytes += bytes;
        state.stack.add_object(number);
        let object = state.space.object_mut(number).expect("it was just made");
        let mut offset = 0;
        for (value, width) in &arguments {
            let size = u64::from(width.div_ceil(64)) * 8;
            match &value.term {
                Some(term) => object.contents.write(
                    offset,
                    size,
                    &Value::term(term.zext(size as u32 * 8)).with_origin(value.origin),
                ),
                None => object.contents.write(offset, size, value),
            }
            offset += size;
        }
        let address = object.address;
        self.set(state, to, Value::pointer(address, number))
    }
}

/// A pointer that had to be the start of an object, and is not.
pub(crate) fn invalid(what: &str) -> Fault {
    Fault::new(ErrorKind::Ptr, format!("memory error: invalid pointer: {what}"))
}

impl Spot {
    /// The object.
    pub fn origin(&self) -> Origin {
        match self {
            Spot::At { origin, .. } | Spot::Among { origin, .. } => *origin,
        }
    }

    /// The spot `by` bytes further on in the same object.
    pub fn shifted(&self, by: u64) -> Spot {
        match self {
            Spot::At { origin, offset } => Spot::At { origin: *origin, offset: offset + by },
            Spot::Among { origin, address, start, low, last, few } => {
                let (origin, start, address) = (*origin, *start, address.add(&Term::number(64, by)));
                let few = few.as_ref().map(|few| few.iter().map(|at| at + by).collect());
                Spot::Among { origin, address, start, low: low + by, last: last + by, few }
            }
        }
    }
}
