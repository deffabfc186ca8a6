//! The states of one worker that are in fragments.
//!
//! A worker that runs into a fragment keeps all its states until they are merged or given up: so
//! merging needs no locks, and a fragment's states run one after the other. Those inside run
//! before all others, the newest fragment first, since nobody else gets on before they are done.
//!
//! *Rounds.* States also stop at the start of each round of a fragment's loop, until all that are
//! inside did. There, one that is as another one was at the start of this or an earlier round, in
//! all that anybody still reads, becomes one with it: the two paths are joined at that earlier
//! point, what came of the other one since is dropped, and the joined state goes on. So an inner
//! choice that leaves no trace (which of several characters matched) does not double the states of
//! each round. Since all states are in the same round, what is dropped is a round or two of work.
//!
//! States of one round that agree in all registers, and differ in what they wrote to memory, become
//! one, too: a decoder that took one of several branches for each byte has one state a round. If
//! there are still many, those of them that can be are merged whatever differs. Two or three are
//! not: a count and a pointer that are plain numbers decide the next branches without a question.
//!
//! Sound: the two have the same values and memory, so the joined state is each of them on its own
//! path, and everything that was dropped comes of it again. The other one must not be an ancestor:
//! then the loop did nothing, and joining would never end.
//!
//! A fragment that grows beyond its budget is *released*: those that wait go on, and the others do
//! not stop at its end. Its loop begins no further fragments once that happened `PATIENT` times.

use crate::States;
use crate::books::Books;
use crate::merging::{Accounts, Mode, Options, blend_round, merge, unite};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use strata_interp::{Fragment, Landing, Machine, Plan, Range, State};
use strata_query::Path;

/// So often may fragments of one loop be released before it begins none any more.
const PATIENT: u32 = 2;

/// States of a loop that landed before it is judged, in `auto`: where three quarters of them are
/// left after merging, its states do not wait any more.
const TRIED: u64 = 64;

/// A fragment, and its states that landed.
struct Waiting {
    fragment: Arc<Fragment>,
    /// States that left it.
    left: States,
    /// States that wait for the next round.
    round: States,
    /// States as they were at the start of a round, in no fragment, by a hash of their registers.
    seen: VecDeque<(u64, Box<State>)>,
    /// Instructions that its states ran since one of them left it.
    since: u64,
}

/// Upper bound on the states of earlier rounds that are kept for comparison. States that become as
/// others were do so within a few rounds.
const SEEN: usize = 64;

impl Waiting {
    fn new(fragment: Arc<Fragment>) -> Waiting {
        Waiting { fragment, left: Vec::new(), round: Vec::new(), seen: VecDeque::new(), since: 0 }
    }

    /// Drops what came of a path.
    fn drop_descendants(&mut self, of: &Path) -> u64 {
        let before = self.left.len() + self.round.len();
        self.left.retain(|state| !begins_with(&state.path, of));
        self.round.retain(|state| !begins_with(&state.path, of));
        self.seen.retain(|(_, state)| !begins_with(&state.path, of));
        (before - self.left.len() - self.round.len()) as u64
    }
}

/// Does a path go on where another ends?
fn begins_with(path: &Path, start: &Path) -> bool {
    path.len() >= start.len() && path.common(start).same(start)
}

/// States in fragments.
pub struct Pool {
    options: Options,
    plan: Arc<Plan>,
    /// Those that can run, the next one last.
    ready: States,
    waiting: BTreeMap<u64, Waiting>,
    /// How often fragments of a loop were released.
    released: BTreeMap<Range, u32>,
    /// By loop: states that landed, and those that went on.
    paid: BTreeMap<Range, (u64, u64)>,
    /// What was merged.
    pub books: Books,
    /// Merged states that are not what their parts are: faults of ours.
    pub faults: Vec<String>,
}

/// What a worker does next.
pub enum Next {
    /// Runs this state.
    Run(Box<State>),
    /// There is nothing left to run here.
    Nothing,
}

impl Pool {
    /// An empty pool.
    pub fn new(options: Options, plan: Arc<Plan>) -> Pool {
        Pool {
            options,
            plan,
            ready: Vec::new(),
            waiting: BTreeMap::new(),
            released: BTreeMap::new(),
            paid: BTreeMap::new(),
            books: Books::default(),
            faults: Vec::new(),
        }
    }

    /// How many states it holds.
    pub fn len(&self) -> usize {
        self.ready.len() + self.waiting.values().map(|waiting| waiting.left.len() + waiting.round.len()).sum::<usize>()
    }

    /// Does it hold none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes in states that came of a turn in which so many instructions were run. Gives those that
    /// are in no fragment.
    pub fn add(&mut self, states: States, instructions: u64) -> States {
        let mut outside = Vec::new();
        // The first is to run first.
        for mut state in states.into_iter().rev() {
            match state.landing.take() {
                Some(Landing::Left) => self.land(state),
                Some(Landing::Round) | None if state.members.is_empty() => outside.push(state),
                Some(Landing::Round) => {
                    self.watch(&state, instructions);
                    let Some(fragment) = state.fragment() else { continue };
                    self.waiting_in(&fragment.clone()).round.push(state);
                }
                None => {
                    self.watch(&state, instructions);
                    self.ready.push(state);
                }
            }
        }
        outside.reverse();
        outside
    }

    /// A state left its innermost fragment.
    fn land(&mut self, mut state: Box<State>) {
        let Some(fragment) = state.leave_fragment() else {
            self.ready.push(state);
            return;
        };
        let waiting = self.waiting_in(&fragment);
        waiting.left.push(state);
        waiting.since = 0;
    }

    fn waiting_in(&mut self, fragment: &Arc<Fragment>) -> &mut Waiting {
        self.waiting.entry(fragment.id).or_insert_with(|| Waiting::new(fragment.clone()))
    }

    /// Releases fragments of a state that are beyond their budget.
    fn watch(&mut self, state: &State, instructions: u64) {
        for member in &state.members {
            let fragment = &member.fragment;
            let waiting = self.waiting.entry(fragment.id).or_insert_with(|| Waiting::new(fragment.clone()));
            waiting.since += instructions;
            let states = fragment.inside() + waiting.left.len();
            if !fragment.is_released() && (states > self.options.most || waiting.since > self.options.patience) {
                fragment.release();
                self.books.at(fragment.place).released += 1;
                let times = self.released.entry(fragment.range).or_default();
                *times += 1;
                if *times >= PATIENT {
                    self.plan.refuse(fragment.range);
                }
            }
        }
    }

    /// What to do next. States that are in no fragment any more go to `outside`.
    pub fn next(&mut self, machine: &mut Machine<'_>, outside: &mut States) -> Next {
        loop {
            if let Some(id) = self.done() {
                let Some(Waiting { fragment, left, round, .. }) = self.waiting.remove(&id) else { continue };
                let states = if fragment.is_released() { left } else { self.merge(machine, &fragment, left) };
                self.go_on(states, outside);
                self.go_on(round, outside);
                continue;
            }
            if let Some(id) = self.met() {
                self.begin_round(machine, id);
                continue;
            }
            let Some(mut state) = self.ready.pop() else {
                if self.waiting.is_empty() {
                    return Next::Nothing;
                }
                // Whoever is said to be inside is gone: nobody waits for it.
                let all = std::mem::take(&mut self.waiting);
                for waiting in all.into_values() {
                    self.go_on(waiting.left, outside);
                    self.go_on(waiting.round, outside);
                }
                continue;
            };
            state.members.retain(|member| !member.fragment.is_released());
            if state.members.is_empty() {
                outside.push(state);
                continue;
            }
            return Next::Run(state);
        }
    }

    /// A fragment that no state is in any more, or that nobody waits for.
    fn done(&self) -> Option<u64> {
        let done = |(_, waiting): &(&u64, &Waiting)| waiting.fragment.inside() == 0 || waiting.fragment.is_released();
        self.waiting.iter().rev().find(done).map(|(id, _)| *id)
    }

    /// A fragment all of whose states that are inside wait for the next round.
    fn met(&self) -> Option<u64> {
        let met = |(_, w): &(&u64, &Waiting)| !w.round.is_empty() && w.fragment.inside() == w.round.len();
        self.waiting.iter().rev().find(met).map(|(id, _)| *id)
    }

    /// Lets states that met begin a round. Those that are as others were become one with them.
    fn begin_round(&mut self, machine: &mut Machine<'_>, id: u64) {
        let Some(mut waiting) = self.waiting.remove(&id) else { return };
        let mut arrived = std::mem::take(&mut waiting.round);
        let mut united = 0;
        let mut dropped = 0;
        while let Some(mut state) = arrived.pop() {
            let key = machine.key(&state);
            let mut at = 0;
            while let Some((other_key, other)) = waiting.seen.get_mut(at) {
                at += 1;
                if *other_key != key || begins_with(&state.path, &other.path) {
                    continue;
                }
                let Some(one) = unite(machine, &self.options, &mut state, other, &mut self.faults) else { continue };
                let replaced = other.path.clone();
                united += 1;
                dropped += waiting.drop_descendants(&replaced);
                let before = arrived.len();
                arrived.retain(|state| !begins_with(&state.path, &replaced));
                dropped += (before - arrived.len()) as u64;
                state = one;
                at = 0;
            }
            let mut kept = state.fork();
            kept.members.clear();
            if waiting.seen.len() == SEEN {
                waiting.seen.pop_front();
            }
            waiting.seen.push_back((key, kept));
            waiting.round.push(state);
        }
        let tally = self.books.at(waiting.fragment.place);
        if waiting.round.len() > 1 {
            let before = waiting.round.len();
            let states = std::mem::take(&mut waiting.round);
            let mut books = Accounts { tally: &mut *tally, faults: &mut self.faults };
            waiting.round = blend_round(machine, &self.options, states, &mut books);
            united += (before - waiting.round.len()) as u64;
            if waiting.round.len() < before {
                for state in &mut waiting.round {
                    let mut kept = state.fork();
                    kept.members.clear();
                    waiting.seen.push_back((machine.key(&kept), kept));
                }
                while waiting.seen.len() > SEEN {
                    waiting.seen.pop_front();
                }
            }
        }
        self.ready.append(&mut waiting.round);
        tally.united += united;
        tally.dropped += dropped;
        self.waiting.insert(id, waiting);
    }

    fn go_on(&mut self, states: States, outside: &mut States) {
        for state in states {
            if state.members.is_empty() { outside.push(state) } else { self.ready.push(state) }
        }
    }

    fn merge(&mut self, machine: &mut Machine<'_>, fragment: &Fragment, left: States) -> States {
        let tally = self.books.at(fragment.place);
        tally.fragments += 1;
        let landed = left.len();
        tally.landed += landed as u64;
        let mut books = Accounts { tally: &mut *tally, faults: &mut self.faults };
        let merged = merge(machine, &self.options, left, &format!("merge:{}", fragment.id), &mut books);
        let (landed, went_on) = (landed as u64, merged.len() as u64);
        tally.went_on += went_on;
        let paid = self.paid.entry(fragment.range).or_default();
        *paid = (paid.0 + landed, paid.1 + went_on);
        if self.options.mode == Mode::Auto && paid.0 >= TRIED && paid.1 * 4 > paid.0 * 3 {
            self.plan.refuse(fragment.range);
        }
        merged
    }

    /// All states, at the end of a run.
    pub fn take_all(&mut self) -> States {
        let mut all = std::mem::take(&mut self.ready);
        for waiting in std::mem::take(&mut self.waiting).into_values() {
            all.extend(waiting.left);
            all.extend(waiting.round);
        }
        all
    }
}
