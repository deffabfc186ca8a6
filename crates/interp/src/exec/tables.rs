//! Tables read at a symbolic index, and values in memory that are no longer symbolic.

use super::memory::{Spot, TABLE};
use crate::range::range;
use crate::state::State;
use std::collections::HashMap;
use strata_memory::{Contents, INDEX, Kind, Object, Origin, Value};
use strata_term::Term;

/// Tables that were read as a whole, by object: making the term again would cost a look at every byte, and finding it another one.
#[derive(Default)]
pub(crate) struct Tables(HashMap<Origin, (Vec<u8>, Term)>);

/// How many of them are kept.
const KEPT: usize = 1024;

impl Tables {
    /// The contents of an object as an array, if they are plain.
    pub(super) fn of(&mut self, origin: Origin, object: &Object) -> Option<Term> {
        if let Some((bytes, table)) = self.0.get(&origin)
            && object.contents.is(bytes)
        {
            return Some(table.clone());
        }
        let bytes = object.contents.plain(0, object.size)?;
        let table = Term::constant_array(INDEX, bytes.as_slice().into());
        if self.0.len() >= KEPT {
            self.0.clear();
        }
        self.0.insert(origin, (bytes, table.clone()));
        Some(table)
    }
}

/// Is that a table, and the index one that cannot leave it, by its shape alone? A byte into one of 256.
pub(super) fn inside(state: &State, origin: Origin, pointer: &Term, count: u64) -> Option<Spot> {
    let object = state.space.object(origin).filter(|object| object.is_live())?;
    if object.kind == Kind::Undefined || object.kind == Kind::Code {
        return None;
    }
    let (start, last) = (object.address, object.size.checked_sub(count)?);
    if pointer.is_const() || object.size > TABLE {
        return None;
    }
    let (least, most) = range(pointer, &|_| None);
    let table = start <= least && most - start <= last && object.contents.is_plain(0, object.size);
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
