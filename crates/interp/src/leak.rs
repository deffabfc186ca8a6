//! Memory that nobody freed and nobody can reach: looked for when a path ends, on request.
//!
//! Reachable is what a global, a local variable, the system or reachable heap memory holds a pointer to. Pointers are known by their
//! origin; a word without one counts if it is an address inside an object, so a leak is never claimed of what an
//! integer still points to.

use crate::end::{End, ErrorKind, Fault, bytes};
use crate::machine::Machine;
use crate::state::State;
use std::collections::BTreeSet;
use strata_memory::{Kind, Object, Origin};

impl Machine<'_> {
    /// The end of a path that would end so, with leaks looked for.
    pub(crate) fn with_leaks(&self, state: &State, end: End) -> End {
        if !self.config.checks.leak || !matches!(end, End::Exit(_)) {
            return end;
        }
        match first_leak(state) {
            Some(object) => {
                let text = match &object.extent {
                    None => format!("memory leak: {} never freed", bytes(object.size)),
                    Some(_) => "memory leak: an object of symbolic size never freed".into(),
                };
                let mut fault = Fault::new(ErrorKind::Leak, text);
                fault.place = Some(object.made_at);
                fault.victim = Some(self.victim(object, None));
                fault.into()
            }
            None => end,
        }
    }
}

fn first_leak(state: &State) -> Option<&Object> {
    let mut reached: BTreeSet<Origin> = BTreeSet::new();
    let mut waiting: Vec<&Object> = state.space.live().filter(|object| object.kind != Kind::Heap).collect();
    while let Some(object) = waiting.pop() {
        let words = object.contents.touched().flat_map(|(low, high)| (low..high.saturating_sub(7)).step_by(8));
        for offset in words {
            let word = object.contents.read(offset, 8);
            let target = state.space.object(word.origin).or_else(|| state.space.find(word.concrete()?));
            if let Some(target) = target.filter(|target| target.kind == Kind::Heap && target.is_live())
                && reached.insert(target.number)
            {
                waiting.push(target);
            }
        }
    }
    state.space.live().find(|object| object.kind == Kind::Heap && !reached.contains(&object.number))
}
