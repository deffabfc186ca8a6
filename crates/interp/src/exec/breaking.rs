//! Sizes that were not tried: one that breaks a later access is looked for, and followed.
//!
//! A symbolic size of many values is forked over a few of them, and each fork's object has one of these sizes. Beside its own constraints such a
//! path keeps those that it would have without the choice: all it adds later, and the conditions of branches that only follow from the choice.
//! Where it touches the object, one question tells whether a size that nobody tried is too small for the access. If so, a copy of
//! the state from before the choice goes on with that size, held to the same branches: it comes to the access and ends in the error.
//!
//! Sound: the question only proposes a size. What is reported is found by running the program with it, so a value that was fixed on the
//! way by the first choice can make a proposal useless, never wrong. Objects with terms for sizes were rejected: every access in
//! the program would pay for them.
//!
//! Questions are few: of plain ends only those that lie a quarter beyond the last one that was safe are asked, at most `QUESTIONS` a path and size;
//! each place is followed once, at most `FOLLOWED` a size.

use crate::machine::Machine;
use crate::state::State;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use strata_memory::{Origin, Value};
use strata_query::{Answer, Path};
use strata_term::{Term, eval};

const QUESTIONS: u32 = 48;
const FOLLOWED: usize = 3;

/// Orders a state that goes on from before the choice behind the others.
const LAST: usize = u32::MAX as usize;

/// What a path keeps that has sizes of its objects from a choice.
#[derive(Clone)]
pub(crate) struct Unpinned {
    /// Its constraints as they would be without.
    path: Path,
    picks: Vec<Pick>,
}

#[derive(Clone)]
struct Pick {
    size: Term,
    /// Objects of this size, and the end up to which accesses need no question.
    objects: Vec<(Origin, u64)>,
    questions: u32,
    start: Arc<Start>,
}

/// Before the choice.
struct Start {
    /// Constraints of the path then.
    length: usize,
    tried: Vec<u64>,
    again: Mutex<Again>,
}

struct Again {
    state: Box<State>,
    /// Where sizes that break an access were found.
    places: BTreeSet<u32>,
}

impl Machine<'_> {
    /// What forks of this state are to keep when each takes one of these sizes.
    pub(super) fn unpinned(&mut self, state: &mut State, size: &Term, tried: &[u64]) -> Box<Unpinned> {
        let kept = state.unpinned.take();
        let mut kept = kept.unwrap_or_else(|| Box::new(Unpinned { path: state.path.clone(), picks: Vec::new() }));
        self.view.close_all();
        let again = Mutex::new(Again { state: state.fork(), places: BTreeSet::new() });
        let start = Arc::new(Start { length: kept.path.len(), tried: tried.to_vec(), again });
        kept.picks.push(Pick { size: size.clone(), objects: Vec::new(), questions: QUESTIONS, start });
        kept
    }

    /// Notes that an object has this size.
    pub(crate) fn sized(&mut self, state: &mut State, size: &Value, object: Origin) {
        let (Some(kept), Some(term)) = (&mut state.unpinned, &size.term) else { return };
        if let Some(pick) = kept.picks.iter_mut().find(|pick| pick.size == *term) {
            pick.objects.push((object, 0));
        }
    }

    /// Adds a condition that holds on the path, also where it only follows from a chosen size.
    pub(crate) fn follow(&mut self, state: &mut State, condition: &Term) {
        if let Some(kept) = &mut state.unpinned {
            let task = self.solving.start();
            self.solver.extend(&mut kept.path, condition);
            self.solving.stop(task);
        }
    }

    /// May accesses to the object go unseen?
    pub(crate) fn is_unwatched(&self, state: &State, object: Origin) -> bool {
        let watched = |pick: &Pick| pick.objects.iter().any(|(number, _)| *number == object);
        state.unpinned.as_ref().is_none_or(|kept| !kept.picks.iter().any(watched))
    }

    /// An access of so many bytes from `pointer` on is about to be made: would a size that was not tried be too small?
    pub(super) fn probe(&mut self, state: &mut State, object: Origin, pointer: &Value, length: &Value) {
        if state.unpinned.is_none() {
            return;
        }
        let Some(address) = state.space.object(object).map(|found| found.address) else { return };
        let Some(mut kept) = state.unpinned.take() else { return };
        let end = pointer.to_term(64).sub(&Term::number(64, address)).add(&length.to_term(64));
        for i in 0..kept.picks.len() {
            self.probe_pick(state, &mut kept, i, object, &end);
        }
        kept.picks.retain(|pick| pick.questions > 0);
        state.unpinned = Some(kept).filter(|kept| !kept.picks.is_empty());
    }

    fn probe_pick(&mut self, state: &State, kept: &mut Unpinned, pick: usize, object: Origin, end: &Term) {
        let Unpinned { path, picks } = kept;
        let pick = &mut picks[pick];
        let Some((_, safe)) = pick.objects.iter_mut().find(|(number, _)| *number == object) else { return };
        if end.const_u64().is_some_and(|end| end <= *safe) {
            return;
        }
        let place = self.here(state);
        let served = {
            let again = pick.start.again.lock().unwrap_or_else(PoisonError::into_inner);
            if again.places.len() >= FOLLOWED {
                pick.questions = 0;
            }
            again.places.contains(&place)
        };
        if served || pick.questions == 0 {
            return;
        }
        pick.questions -= 1;
        let too_small = pick.size.resize(64).ult(end);
        let untried = |tried: &u64| pick.size.ne(&Term::number(pick.size.width(), *tried));
        let mut wanted: Vec<Term> = pick.start.tried.iter().map(untried).collect();
        wanted.push(too_small.clone());
        match self.ask_path(path, &wanted) {
            Answer::Sat(model) => {
                let size = eval(&pick.size, &model).low_u64();
                self.go_back(path, pick, too_small.clone(), size, place);
                // Whoever comes to a later access has passed this one.
                self.solver.extend(path, &too_small.not());
            }
            Answer::Unsat => *safe = end.const_u64().map_or(*safe, |end| end.saturating_add(end / 4)),
            Answer::Unknown(_) => {}
        }
    }

    /// Goes on from before the choice with this size, along the same branches.
    fn go_back(&mut self, path: &Path, pick: &Pick, too_small: Term, size: u64, place: u32) {
        let mut again = {
            let mut again = pick.start.again.lock().unwrap_or_else(PoisonError::into_inner);
            again.places.insert(place);
            again.state.fork()
        };
        let limited = self.config.max_depth.is_some_and(|depth| again.depth >= depth);
        let mut held: Vec<Term> = path.iter().take(path.len() - pick.start.length).cloned().collect();
        held.reverse();
        held.push(too_small);
        held.push(pick.size.eq(&Term::number(pick.size.width(), size)));
        // An earlier choice may forbid this one.
        let Answer::Sat(model) = self.ask_path(&again.path, &held) else { return };
        if again.single || limited {
            return;
        }
        let model = Arc::new(model);
        for constraint in &held {
            self.extend(&mut again, constraint, Some(model.clone()));
        }
        again.pinned.push((pick.size.clone(), size));
        self.settle_fork(&mut again, LAST);
        self.siblings.push(again);
    }
}
