//! Tables read at a symbolic index, and values in memory that are no longer symbolic.

use super::memory::{Spot, TABLE};
use crate::range::range;
use crate::state::State;
use rustc_hash::FxHashMap;
use strata_memory::{Contents, INDEX, Kind, Object, Origin, Value};
use strata_term::Term;

/// Tables that were read as a whole, by object: making the term again would cost a look at every byte, and finding it another one.
pub(crate) struct Tables {
    whole: FxHashMap<Origin, (Vec<u8>, Term)>,
    /// The reads that were made last.
    reads: [Option<Read>; READS],
}

/// A read of a table that lies somewhere, at an address, of so many bytes.
struct Read {
    table: Term,
    start: u64,
    address: Term,
    count: u64,
    read: Term,
}

/// How many of them are kept.
const KEPT: usize = 1024;
const READS: usize = 512;

impl Default for Tables {
    fn default() -> Tables {
        Tables { whole: FxHashMap::default(), reads: [const { None }; READS] }
    }
}

impl Tables {
    /// The contents of an object as an array, if they are plain.
    pub(super) fn of(&mut self, origin: Origin, object: &Object) -> Option<Term> {
        if let Some((bytes, table)) = self.whole.get(&origin)
            && object.contents.is(bytes)
        {
            return Some(table.clone());
        }
        let bytes = object.contents.plain(0, object.size)?;
        let table = Term::constant_array(INDEX, bytes.as_slice().into());
        if self.whole.len() >= KEPT {
            self.whole.clear();
        }
        self.whole.insert(origin, (bytes, table.clone()));
        Some(table)
    }

    /// What a table that starts somewhere holds at an address.
    pub(super) fn read(&mut self, table: Term, start: u64, address: &Term, count: u64) -> Term {
        let place = &mut self.reads[(address.id() ^ table.id()) as usize % READS];
        match place {
            Some(known)
                if (&known.table, known.start, &known.address, known.count) == (&table, start, address, count) =>
            {
                known.read.clone()
            }
            Some(_) | None => {
                let read = table.read(&index(start, address), count as u32);
                *place = Some(Read { table, start, address: address.clone(), count, read: read.clone() });
                read
            }
        }
    }
}

/// How far from the start of an object an address is.
pub(super) fn offset_from(start: u64, address: &Term) -> Term {
    address.sub(&Term::number(64, start))
}

/// The same as arrays count.
pub(super) fn index(start: u64, address: &Term) -> Term {
    offset_from(start, address).extract(INDEX - 1, 0)
}

/// Between which values addresses lie by their shapes, of those that came last: a path looks at tables where the one before it did.
pub(crate) struct Bounds([Option<(Term, (u64, u64))>; BOUNDS]);

const BOUNDS: usize = 512;

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds([const { None }; BOUNDS])
    }
}

impl Bounds {
    fn of(&mut self, pointer: &Term) -> (u64, u64) {
        let place = &mut self.0[pointer.id() as usize % BOUNDS];
        match place {
            Some((known, bounds)) if known == pointer => *bounds,
            Some(_) | None => {
                let bounds = range(pointer, &|_| None);
                *place = Some((pointer.clone(), bounds));
                bounds
            }
        }
    }
}

/// Is that a table, and the index one that cannot leave it, by its shape alone? A byte into one of 256.
pub(super) fn inside(bounds: &mut Bounds, state: &State, origin: Origin, pointer: &Term, count: u64) -> Option<Spot> {
    let object = state.space.object(origin).filter(|object| object.is_live())?;
    if object.kind == Kind::Undefined || object.kind == Kind::Code {
        return None;
    }
    let (start, sure) = (object.address, object.sure());
    let last = sure.checked_sub(count)?;
    if pointer.is_const() || sure > TABLE {
        return None;
    }
    let (least, most) = bounds.of(pointer);
    let table = start <= least && most - start <= last && object.contents.is_plain(0, sure);
    table.then(|| Spot::Among { origin, address: pointer.clone(), start, low: 0, last, few: None })
}

/// What lies at each of several places, if that is one value.
pub(super) fn same(contents: &Contents, offsets: &[u64], count: u64) -> Option<Value> {
    let (first, others) = offsets.split_first()?;
    let value = contents.read(*first, count);
    let is_it = |other: Value| other.term.is_none() && other.bits == value.bits && other.origin == value.origin;
    (value.term.is_none() && others.iter().all(|offset| is_it(contents.read(*offset, count)))).then_some(value)
}

/// Values in memory that were asked for lately, by id, and how long the path was: a variable is read often before anything new is said of it. Another path of that length is taken for the
/// same one; then a question is missed, and nothing else.
pub(crate) struct Asked([(u32, usize); ASKED]);

const ASKED: usize = 64;

impl Default for Asked {
    fn default() -> Asked {
        Asked([(0, 0); ASKED])
    }
}

impl Asked {
    pub(super) fn is_new(&mut self, term: &Term, length: usize) -> bool {
        let now = (term.id(), length);
        std::mem::replace(&mut self.0[term.id() as usize % ASKED], now) != now
    }
}
