//! States in fragments, and the tests of paths that were merged.
//!
//! A merged path keeps no trace of its branches: it stands for several. Its test is a plain one
//! nevertheless. The input that was chosen for it is run again, on the interpreter, from the start
//! and without merging; what happens then is what the test predicts. That costs one run on plain
//! integers, and finds any merge that was wrong: the path must end as the merged one did.

use super::handle::Handle;
use super::{Options, Shared, lock};
use crate::tests::arrays;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use strata_interp::{Config, End, Machine, State};
use strata_memory::INDEX;
use strata_merge::{Next, Pool};
use strata_query::{Model, Solver};
use strata_solver::Stack;
use strata_term::{Term, eval, hold};

/// One worker's states in fragments.
///
/// They take turns with the states that everybody shares: a fragment that takes long keeps nobody
/// else from getting on. As long as a worker holds any, it counts as running, so that the others
/// wait for what comes of them.
pub(super) struct Merging {
    pool: Pool,
    /// States that are in no fragment any more.
    outside: Vec<Box<State>>,
    /// Instructions that the state of the last turn had run when it began.
    before: u64,
    /// Does the worker count as running because of the pool?
    counted: bool,
    /// Is it the pool's turn?
    turn: bool,
    /// How many of its states the figures know of.
    told: u64,
}

/// The number of a running state that came from the pool and not from the frontier.
const POOLED: u64 = u64::MAX;

/// A running state with its number, and how many others wait.
type Turn = ((u64, Box<State>), usize);

/// When a path that is run again is given up, in times of the instructions of the path that it
/// stands for, and in instructions beside.
const AGAIN: (u64, u64) = (4, 10_000_000);

impl Merging {
    pub fn new(options: &Options, config: &Config) -> Option<Merging> {
        let (merge, plan) = (options.merge.clone()?, config.merge.clone()?);
        let pool = Pool::new(merge, plan);
        Some(Merging { pool, outside: Vec::new(), before: 0, counted: false, turn: false, told: 0 })
    }
}

impl Shared<'_> {
    /// The next state, of this worker's fragments or of those that all share.
    pub(super) fn next_merged(
        &self,
        merging: &mut Merging,
        machine: &mut Machine<'_>,
        previous: Option<(u64, Vec<Box<State>>)>,
        idle: &mut Duration,
    ) -> Option<Turn> {
        if let Some((id, live)) = previous {
            let reached = live.iter().map(|state| state.instructions).max().unwrap_or(merging.before);
            let outside = merging.pool.add(live, reached.saturating_sub(merging.before));
            if id == POOLED {
                merging.outside.extend(outside);
            } else {
                self.put_back(merging, id, outside);
            }
        }
        let next = self.take_turn(merging, machine, idle);
        let (held, told) = (merging.pool.len() as u64, &mut merging.told);
        self.counts.held.fetch_add(held.wrapping_sub(*told), Ordering::Relaxed);
        *told = held;
        let next = next?;
        merging.before = next.0.1.instructions;
        Some(next)
    }

    fn take_turn(&self, merging: &mut Merging, machine: &mut Machine<'_>, idle: &mut Duration) -> Option<Turn> {
        loop {
            if self.is_stopped() {
                merging.outside.append(&mut merging.pool.take_all());
            }
            if !merging.outside.is_empty() {
                lock(&self.waiting).frontier.push(std::mem::take(&mut merging.outside), 0);
                self.wake.notify_all();
            }
            if merging.pool.is_empty() {
                if std::mem::take(&mut merging.counted) {
                    lock(&self.waiting).running -= 1;
                    self.wake.notify_all();
                }
                return self.next(None, idle);
            }
            merging.turn = !merging.turn;
            if !merging.turn {
                let mut waiting = lock(&self.waiting);
                if let Some(next) = waiting.frontier.pop() {
                    waiting.running += 1;
                    return Some((next, waiting.frontier.len()));
                }
            }
            if let Next::Run(state) = merging.pool.next(machine, &mut merging.outside) {
                return Some(((POOLED, state), merging.pool.len()));
            }
        }
    }

    /// After a turn of a state that all share: those that came of it and are in no fragment.
    fn put_back(&self, merging: &mut Merging, id: u64, outside: Vec<Box<State>>) {
        let mut waiting = lock(&self.waiting);
        if outside.is_empty() {
            waiting.frontier.end(id);
        } else {
            waiting.frontier.push(outside, id);
        }
        let holds = !merging.pool.is_empty();
        if merging.counted || !holds {
            waiting.running -= 1;
        }
        merging.counted |= holds;
    }

    /// Notes what a worker merged.
    pub(super) fn close_merging(&self, merging: Merging) {
        let mut summary = lock(&self.summary);
        summary.merged.add(&merging.pool.books);
        let fault = merging.pool.faults.into_iter().next();
        summary.contradiction = summary.contradiction.take().or(fault);
    }

    /// What happens for an input of a merged path: the state at the end, and the end. None where it
    /// takes too long.
    pub(super) fn again(&self, state: &State, model: &Model, stack: &RefCell<Stack>) -> Option<(Box<State>, End)> {
        let mut start = lock(&self.starts).get_mut(state.origin as usize)?.fork();
        let mut witness = model.clone();
        for input in arrays(state) {
            // What lies beyond the length that was chosen is no input.
            let length = input.length.map(|length| (eval(&length, model), length));
            let count = length.as_ref().map_or(input.size, |(chosen, _)| chosen.low_u64().min(input.size));
            for i in 0..count {
                let byte = input.array.read(&Term::number(INDEX, i), 1);
                let value = eval(&byte, model);
                witness.set_cell(&input.array, i, value.low_u64() as u8);
                stack.borrow_mut().extend(&mut start.path, &byte.eq(&Term::constant(value)));
            }
            if let Some((chosen, length)) = length {
                stack.borrow_mut().extend(&mut start.path, &length.eq(&Term::constant(chosen)));
            }
        }
        start.witness = Some(Arc::new(witness));
        let mut machine = Machine::new(self.image, &self.plain, Box::new(Handle(stack)), self.late.clone());
        let most = state.instructions.saturating_mul(AGAIN.0).saturating_add(AGAIN.1);
        let mut slot = Some(start);
        while let Some(running) = &slot {
            if running.instructions > most || self.is_late() {
                return None;
            }
            let known = running.path.len();
            // Where a byte that nobody wrote decides, the path goes on as the model has it.
            let ours = |state: &State| {
                let fresh: Vec<&Term> = state.path.iter().take(state.path.len().saturating_sub(known)).collect();
                hold(&fresh, model)
            };
            let live = machine.run(&mut slot, 1 << 20);
            if let Some(end) = machine.ended.drain(..).find(|(state, _)| ours(state)) {
                return Some(end);
            }
            slot = live.into_iter().find(|state| ours(state));
        }
        None
    }
}
