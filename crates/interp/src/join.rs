//! Several states at one position that become one, part by part.
//!
//! What the states share is compared by identity. Values that differ are handed to a *blend*
//! (`strata_memory::Blend`), which knows under which condition each state is the one. Registers
//! that nobody reads any more differ for nothing and are forgotten.
//!
//! Sound: the joined state knows of its path only what all paths before them knew: facts that are
//! kept beside the constraints (resolved pointers, chosen sizes, bounds of indices) are those of
//! the common beginning. Whoever joins adds the constraints that tell the states apart.
//!
//! States that differ in what cannot be blended (calls in progress, output, the modelled kernel)
//! are not joined; `Apart` says why.

use crate::machine::Machine;
use crate::state::{List, Output, Piece, Stack, State};
use rustc_hash::FxHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use strata_memory::{Blend, Origin, Space, Value};
use strata_query::{Answer, Path};
use strata_term::{Op, Term, mentions};

/// Why states cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Apart {
    /// They are at different places, or in different calls.
    Calls,
    /// They made different inputs.
    Inputs,
    /// They wrote different output.
    Output,
    /// They did different things to the modelled system.
    System,
    /// Objects are alive in some and not in others.
    Objects,
    /// Pointers to different objects, or values that have no common form.
    Values,
    /// What the engine keeps beside a path differs.
    Engine,
}

impl fmt::Display for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Apart::Calls => "they are in different calls",
            Apart::Inputs => "they made different inputs",
            Apart::Output => "they wrote different output",
            Apart::System => "they did different things to the system",
            Apart::Objects => "objects are alive in some of them only",
            Apart::Values => "pointers to different objects",
            Apart::Engine => "choices of the engine differ",
        })
    }
}

impl From<strata_memory::Apart> for Apart {
    fn from(why: strata_memory::Apart) -> Apart {
        match why {
            strata_memory::Apart::Objects => Apart::Objects,
            strata_memory::Apart::Values => Apart::Values,
        }
    }
}

/// Are values the same, as far as a program can tell, and of one origin?
fn same(a: &Value, b: &Value) -> bool {
    (a.bits, a.origin) == (b.bits, b.origin) && a.term == b.term
}

/// The origin of a value made of several, if there is one: an integer that points to no object can
/// stand beside a pointer, since an access through it is an error of that pointer, too.
pub fn common_origin<'a>(values: impl Iterator<Item = &'a Value>) -> Option<Origin> {
    /// Addresses below lie in no object.
    const FIRST: u64 = 4096;
    let mut found = Origin::NONE;
    let mut plain = true;
    for value in values {
        if value.origin.is_mixed() {
            return Some(Origin::MIXED);
        }
        if value.origin.is_none() {
            plain &= value.concrete().is_some_and(|bits| bits < FIRST);
        } else if found.is_none() || found == value.origin {
            found = value.origin;
        } else {
            return None;
        }
    }
    (found.is_none() || plain).then_some(found)
}

impl Stack {
    /// Are the same calls in progress, with the same values in all but the running one?
    fn fits(&mut self, other: &mut Stack) -> bool {
        if self.depth() != other.depth() || !self.top_fits(other) {
            return false;
        }
        self.freeze();
        other.freeze();
        self.rests_on(other)
    }
}

/// Do lists hold the same things?
fn equal<T>(a: &List<T>, b: &List<T>, same: impl Fn(&T, &T) -> bool) -> bool {
    a.is(b) || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
}

fn same_output(a: &Output, b: &Output) -> bool {
    a.descriptor == b.descriptor
        && match (&a.piece, &b.piece) {
            (Piece::Bytes(a), Piece::Bytes(b)) => a == b,
            (Piece::Terms(a), Piece::Terms(b)) | (Piece::Text(a), Piece::Text(b)) => a == b,
            (Piece::Start(a, count), Piece::Start(b, number)) => a == b && count == number,
            (Piece::Formatted(a), Piece::Formatted(b)) => Arc::ptr_eq(a, b),
            (Piece::Bytes(_) | Piece::Terms(_) | Piece::Text(_) | Piece::Start(..) | Piece::Formatted(_), _) => false,
        }
}

/// Can the second state become one with the first, as far as that does not depend on values?
fn compatible(a: &mut State, b: &mut State) -> Result<(), Apart> {
    let demand = |holds: bool, why: Apart| if holds { Ok(()) } else { Err(why) };
    demand(a.stack.fits(&mut b.stack), Apart::Calls)?;
    demand(
        equal(&a.inputs, &b.inputs, |a, b| {
            (&a.name, &a.array, a.size, &a.length) == (&b.name, &b.array, b.size, &b.length)
        }),
        Apart::Inputs,
    )?;
    demand(equal(&a.output, &b.output, same_output), Apart::Output)?;
    demand(Arc::ptr_eq(&a.system, &b.system) || a.system.same(&*b.system), Apart::System)?;
    let engine = equal(&a.aliases, &b.aliases, |a, b| a == b)
        && equal(&a.jumps, &b.jumps, |a, b| a == b)
        && a.single == b.single
        && same(&a.thread_pointer, &b.thread_pointer)
        && a.origin == b.origin;
    demand(engine, Apart::Engine)
}

/// The beginning that all lists have in common.
fn common<'a, T: 'a>(lists: impl Iterator<Item = &'a List<T>>) -> List<T> {
    lists.cloned().reduce(|a, b| a.common(&b)).unwrap_or_default()
}

impl Machine<'_> {
    /// The states that can become one with the first of these, as far as that does not depend on
    /// values: by index, the first included.
    pub fn compatible(&self, states: &mut [Box<State>]) -> Vec<usize> {
        let Some((first, others)) = states.split_first_mut() else { return Vec::new() };
        let fits = |(i, other): (usize, &mut Box<State>)| compatible(first, other).is_ok().then_some(i + 1);
        std::iter::once(0).chain(others.iter_mut().enumerate().filter_map(fits)).collect()
    }

    /// The objects that the live registers of the running call point to, null for none.
    pub fn pointed(&self, state: &State) -> Vec<u32> {
        let registers = state.stack.registers_ref();
        self.live_slots(state).into_iter().map(|(slot, _)| registers[slot as usize].origin.0).collect()
    }

    /// A hash of where a state is and of the registers that anybody still reads: states that differ
    /// in nothing else have the same.
    pub fn key(&self, state: &State) -> u64 {
        let frame = state.stack.top();
        let registers = state.stack.registers_ref();
        let mut hasher = FxHasher::default();
        (frame.function, frame.pc, frame.serial).hash(&mut hasher);
        for (slot, _) in self.live_slots(state) {
            let Value { bits, origin, term } = &registers[slot as usize];
            (bits, origin, term.as_ref().map(Term::id)).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// May the condition hold at the end of a path, as far as anybody knows?
    pub fn may_hold(&mut self, path: &Path, condition: &Term) -> bool {
        !condition.is_false() && matches!(self.ask_path(path, std::slice::from_ref(condition)), Answer::Sat(_))
    }

    /// The state that stands for all of these, on the path that they have in common. The caller
    /// adds the constraints that tell them apart, and a witness.
    pub fn join(&mut self, states: &mut [Box<State>], blend: &mut Blend<'_>) -> Result<Box<State>, Apart> {
        self.view.close_all();
        let (first, others) = states.split_first_mut().expect("at least one state is joined");
        for other in others.iter_mut() {
            compatible(first, other)?;
        }
        let live = self.live_slots(first);
        let slots = self.image.code(first.stack.top().function).slot_count() as usize;
        // What nobody reads any more is forgotten.
        let mut registers: Vec<Value> = vec![Value::default(); slots];
        let mut saw_uninit = false;
        let mut told = |values: &[Option<Value>], width: u32| {
            saw_uninit |= values.iter().flatten().filter_map(|v| v.term.as_ref()).any(|t| mentions(t, Op::Symbol));
            blend(values, width)
        };
        for (slot, width) in live {
            let of = |state: &State| state.stack.registers_ref()[slot as usize].clone();
            let value = of(first);
            let differs = others.iter().any(|other| !same(&of(other), &value));
            registers[slot as usize] = if differs {
                let others = others.iter().map(|other| Some(of(other)));
                let values: Vec<Option<Value>> = std::iter::once(Some(value)).chain(others).collect();
                told(&values, width).ok_or(Apart::Values)?
            } else {
                value
            };
        }
        let space = {
            let mut spaces: Vec<&mut Space> = vec![&mut first.space];
            spaces.extend(others.iter_mut().map(|other| &mut other.space));
            Space::join(&mut spaces, &mut told)?
        };
        let mut joined = first.fork();
        let all = || std::iter::once(&**first).chain(others.iter().map(|other| &**other));
        joined.stack.registers()[..registers.len()].clone_from_slice(&registers);
        others.iter().for_each(|other| joined.stack.reserve_as(&other.stack));
        joined.space = space;
        joined.path = all().map(|state| &state.path).cloned().reduce(|a: Path, b| a.common(&b)).unwrap_or_default();
        joined.witness = None;
        joined.preferences = common(all().map(|state| &state.preferences));
        joined.resolved = common(all().map(|state| &state.resolved));
        joined.pinned = common(all().map(|state| &state.pinned));
        joined.windows = common(all().map(|state| &state.windows));
        let known = common(all().map(|state| &state.notes));
        joined.notes = known.clone();
        for state in all() {
            let fresh = state.notes.len() - known.len();
            for cause in state.notes.iter().take(fresh) {
                if !joined.notes.iter().take(joined.notes.len() - known.len()).any(|there| there == cause) {
                    joined.notes.push(cause.clone());
                }
            }
        }
        joined.covered_new = all().any(|state| state.covered_new);
        for state in others.iter() {
            joined.told = joined.told.max(state.told);
            joined.instructions = joined.instructions.max(state.instructions);
            joined.covered_at = joined.covered_at.max(state.covered_at);
            joined.depth = joined.depth.max(state.depth);
            joined.depends_on_uninit |= state.depends_on_uninit;
            joined.depends_on_engine = joined.depends_on_engine.or(state.depends_on_engine);
            joined.depends_on_address |= state.depends_on_address;
            joined.saw_uninit |= state.saw_uninit;
            joined.fresh = joined.fresh.max(state.fresh);
            joined.stack_bytes = joined.stack_bytes.max(state.stack_bytes);
        }
        joined.saw_uninit |= saw_uninit;
        joined.merged = true;
        Ok(joined)
    }
}
