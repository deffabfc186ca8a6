//! What becomes of a path that ended: it is counted, its error kept, its test written.

use super::faults::guarded;
use super::{Entry, Found, LATE, Shared, lock};
use crate::kinds;
use crate::least::{Effort, Least};
use crate::limits::thread_time;
use crate::tests::{self, Test};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use strata_interp::{Cause, End, Fault, State};
use strata_query::{Budget, Gauge, Model};
use strata_record::{ErrorCount, KTest};
use strata_solver::Stack;

/// Of so many paths that end in one error the least input is looked for, and the smallest one is kept. After
/// these only a shorter input is worth the time that it takes from other paths.
const SHOWN: u64 = 16;

impl Shared<'_> {
    /// A path ended: writes its test and counts it. Where that panics, the path ends as our fault.
    pub(super) fn end(&self, state: &State, end: &End, least: &mut Least, stack: &RefCell<Stack>, solving: &Gauge) {
        if let Err(text) = guarded(|| self.keep(state, end, least, stack, solving)) {
            *least = Least::default();
            self.renew(stack);
            self.lose(Some(state), 0, text, stack);
            return;
        }
        let counts = &self.counts;
        let counter = match end {
            End::Exit(_) => &counts.completed,
            End::Error(_) => &counts.error,
            End::Incomplete(_) => &counts.incomplete,
            End::Infeasible | End::Silent => &counts.infeasible,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Keeps what a path shows: its causes, its error, its test.
    fn keep(&self, state: &State, end: &End, least: &mut Least, stack: &RefCell<Stack>, solving: &Gauge) {
        self.note_causes(state, end);
        let wanted = match end {
            End::Infeasible | End::Silent => false,
            End::Error(_) => true,
            End::Exit(_) | End::Incomplete(_) => !self.options.only_covering_new || state.covered_new,
        };
        if !wanted || (!self.options.write_tests && !matches!(end, End::Error(_))) {
            return;
        }
        let grace = *lock(&self.grace);
        if self.is_late() {
            *lock(&self.summary).causes.entry("tests not written in time".into()).or_default() += 1;
            return;
        }
        if let End::Error(fault) = end
            && self.is_shown(state, fault)
        {
            return;
        }
        let mut budget = Budget::within(self.config.solver_timeout);
        if let Some(grace) = grace {
            budget.deadline = budget.deadline.map(|deadline| deadline.min(grace));
        }
        // A question that runs when the run is stopped: a path that has an input can do without, another one has the time of grace.
        budget.interrupt = if state.witness.is_some() { self.interrupt.clone() } else { self.late.clone() };
        let (hurry, arguments) = (grace.is_some(), &self.options.arguments);
        let model = {
            let mut stack = stack.borrow_mut();
            let effort = (self.effort(state, end), &budget);
            tests::choose(state, least, &mut *stack, effort, hurry, solving)
        };
        let test = model.and_then(|model| {
            if !state.merged {
                return tests::make(self.image, state, end, &model, state.covered_new, arguments);
            }
            let (again, end) = self.ran_again(state, end, &model, stack)?;
            tests::make(self.image, &again, &end, &model, state.covered_new, arguments)
        });
        let test = test.map(|test| self.shaped(test));
        if let Some(name) = test.as_ref().and_then(|test| test.expectation.became.first()) {
            *lock(&self.summary).became.entry(name.0.escape_ascii().to_string()).or_default() += 1;
        }
        match (test, end) {
            (Some(test), End::Error(_)) => self.keep_error(test),
            (Some(test), _) => {
                let kind = test.report.as_ref().map(|report| report.kind.clone());
                self.write(None, test);
                if kind.is_some_and(|kind| kinds::wanted(&self.options.exit_on_kinds, &kind)) {
                    self.stop_at_error();
                }
            }
            (None, _) => *lock(&self.summary).causes.entry("no input found".into()).or_default() += 1,
        }
    }

    /// What happens for the input of a merged path. None where there is no time to see: it has no
    /// test then, since nobody knows which branches it would take.
    fn ran_again(&self, state: &State, end: &End, model: &Model, stack: &RefCell<Stack>) -> Option<(Box<State>, End)> {
        let (again, found) = self.again(state, model, stack)?;
        let same = match (end, &found) {
            (End::Error(ours), End::Error(theirs)) => ours.kind == theirs.kind,
            (End::Exit(_), End::Exit(_)) | (End::Incomplete(_), _) => true,
            (End::Exit(_) | End::Error(_) | End::Infeasible | End::Silent, _) => false,
        };
        if !same {
            let place = |state: &State| {
                let place = tests::place(self.image, state);
                format!("{}:{}", place.file, place.line)
            };
            let fault = format!(
                "a merged path ends with {end:?} at {}, but its input with {found:?} at {}",
                place(state),
                place(&again)
            );
            lock(&self.summary).contradiction.get_or_insert(fault);
        }
        Some((again, found))
    }

    /// How hard to look for the least input of a path: it is worth its price where somebody will read it.
    fn effort(&self, state: &State, end: &End) -> Effort {
        let worth = match end {
            End::Error(_) => true,
            End::Exit(_) | End::Incomplete(_) | End::Infeasible | End::Silent => state.covered_new,
        };
        if worth || self.options.deterministic { Effort::Core } else { Effort::Layers }
    }

    /// Counts a path that ends in an error which was shown often enough, unless its input is shorter than the one kept.
    fn is_shown(&self, state: &State, fault: &Fault) -> bool {
        if self.options.deterministic || self.options.all_errors {
            return false;
        }
        let place = tests::fault_place(self.image, state, fault);
        let key = (fault.kind.name().to_string(), place.file, place.line);
        let length: u64 = state.inputs.to_vec().into_iter().map(|input| input.size).sum();
        let mut errors = lock(&self.errors);
        let found = errors.get_mut(&key);
        let Some(found) = found.filter(|found| found.count.count >= SHOWN && length >= found.input.size() as u64)
        else {
            return false;
        };
        found.count.count += 1;
        true
    }

    /// Says what the inputs of a test are.
    pub(super) fn shaped(&self, mut test: Test) -> Test {
        let shapes = &self.options.shapes;
        if !shapes.is_empty() {
            let objects = test.input.objects.iter();
            test.expectation.shapes = objects.map(|(name, _)| shapes.get(name).cloned().unwrap_or_default()).collect();
        }
        test
    }

    pub(super) fn note_causes(&self, state: &State, end: &End) {
        let cause = if let End::Incomplete(cause) = end { Some(cause) } else { None };
        let causes: BTreeSet<&Cause> = state.notes.iter().chain(cause).collect();
        if causes.is_empty() {
            return;
        }
        let mut summary = lock(&self.summary);
        for cause in causes {
            *summary.causes.entry(cause.kind.into()).or_default() += 1;
            *summary.reasons.entry(cause.reason.clone()).or_default() += 1;
        }
    }

    pub(super) fn keep_error(&self, test: Test) {
        let Some(report) = test.report.clone() else { return };
        let key = (report.kind.clone(), report.place.file.clone(), report.place.line);
        let mut errors = lock(&self.errors);
        let options = self.options;
        match errors.get_mut(&key) {
            Some(found) => {
                found.count.count += 1;
                if options.all_errors {
                    self.write(None, test);
                } else if size(&test.input) < size(&found.input) {
                    (found.input, found.report) = (test.input.clone(), report);
                    found.expectation = test.expectation.clone();
                    self.write(Some(found.count.test), test);
                }
            }
            None => {
                let (input, expectation) = (test.input.clone(), test.expectation.clone());
                let number = self.write(None, test).unwrap_or(0);
                let (kind, file, line) = key.clone();
                let count = ErrorCount { kind: kind.clone(), file, line, count: 1, test: number };
                errors.insert(key, Found { count, report, input, expectation });
                if options.exit_on_error || kinds::wanted(&options.exit_on_kinds, &kind) {
                    self.stop_at_error();
                }
            }
        }
    }

    pub(super) fn stop_at_error(&self) {
        let cause = Cause::new("exit-on-error", "stopped at an error, as asked");
        self.stop(Some(cause), Duration::from_secs(1));
    }

    /// Hands a test to the writer, in place of another if it has that one's number.
    pub(super) fn write(&self, number: Option<u32>, test: Test) -> Option<u32> {
        if !self.options.write_tests {
            return None;
        }
        let most = self.options.limits.tests.unwrap_or(u64::MAX);
        let fresh = number.is_none();
        if fresh {
            // Taken before it is written, so that no two workers write the last one.
            let next = |tests: u64| (tests < most).then_some(tests + 1);
            match self.counts.tests.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) {
                Ok(before) if before + 1 >= most && !self.is_stopped() => {
                    self.stop(Some(Cause::new("tests", "the limit of tests was reached")), Duration::ZERO);
                }
                Ok(_) => {}
                Err(_) => {
                    *lock(&self.summary).causes.entry("tests".into()).or_default() += 1;
                    return None;
                }
            }
        }
        let number = number.unwrap_or_else(|| self.run.next_test());
        let waited = self.writing.push(Entry { number, fresh, test });
        self.counts.waited_us.fetch_add(waited.as_micros() as u64, Ordering::Relaxed);
        Some(number)
    }

    /// The writer's life. What cannot be written stops the run, and is taken off the count.
    pub(super) fn write_all(&self) {
        while let Some(entries) = self.writing.take() {
            for entry in entries {
                if let Err(text) = guarded(|| self.write_one(&entry)) {
                    self.counts.tests.fetch_sub(u64::from(entry.fresh), Ordering::Relaxed);
                    self.note_panic(text);
                }
            }
        }
        let mut summary = lock(&self.summary);
        summary.write += thread_time();
        summary.tests_cpu += thread_time();
    }

    pub(super) fn write_one(&self, Entry { number, fresh, test }: &Entry) {
        let late = || lock(&self.grace).is_some_and(|grace| Instant::now() > grace + LATE);
        if self.is_stopped() && *fresh && test.report.is_none() && late() {
            self.counts.tests.fetch_sub(1, Ordering::Relaxed);
            *lock(&self.summary).causes.entry("tests not written in time".into()).or_default() += 1;
            return;
        }
        if let Err(error) = self.run.put_test(*number, &test.input, &test.expectation, test.report.as_ref()) {
            self.end_writing(&error);
            if *fresh {
                self.counts.tests.fetch_sub(1, Ordering::Relaxed);
                *lock(&self.summary).causes.entry("tests not written".into()).or_default() += 1;
                // Whoever holds the errors may wait for this thread: who shows them looks here.
                lock(&self.unwritten).insert(*number);
            }
        }
    }

    /// Something could not be written: the run ends, and says so.
    pub(super) fn end_writing(&self, error: &strata_record::Fault) {
        lock(&self.summary).trouble.get_or_insert_with(|| error.to_string());
        self.stop(Some(Cause::new("output", "a test could not be written")), Duration::ZERO);
    }

    /// After a stop: live paths get tests as long as there is time, those first that went where none had been.
    pub(super) fn end_live(&self, least: &mut Least, stack: &RefCell<Stack>, solving: &Gauge) {
        let cause =
            lock(&self.stop_cause).clone().unwrap_or_else(|| Cause::new("interrupt", "the run was interrupted"));
        let end = End::Incomplete(cause);
        loop {
            let late = self.is_late();
            let states = lock(&self.waiting).end(if late { usize::MAX } else { 16 });
            if states.is_empty() {
                return;
            }
            if late {
                self.give_up(&states, &end);
                // The run is over and so will be the process: giving back a hundred thousand states would take longer than the limit allows.
                std::mem::forget(states);
            } else {
                states.iter().for_each(|state| self.end(state, &end, least, stack, solving));
            }
        }
    }

    /// A worker has no solver: the run ends.
    pub(super) fn give_up_all(&self, trouble: String) {
        let cause = Cause::new("solver", "a solver could not be started");
        lock(&self.summary).trouble.get_or_insert(trouble);
        self.stop(Some(cause.clone()), Duration::ZERO);
        let states = lock(&self.waiting).frontier.take(usize::MAX);
        self.give_up(&states, &End::Incomplete(cause));
    }

    /// Counts live paths for which there is no time to make a test.
    pub(super) fn give_up(&self, states: &[Box<State>], end: &End) {
        let count = states.len() as u64;
        self.counts.incomplete.fetch_add(count, Ordering::Relaxed);
        let mut summary = lock(&self.summary);
        let enough = self.options.limits.tests.is_some_and(|most| self.counts.tests.load(Ordering::Relaxed) >= most);
        if self.options.write_tests && !enough {
            *summary.causes.entry("tests not written in time".into()).or_default() += count;
        }
        if let End::Incomplete(cause) = end {
            *summary.causes.entry(cause.kind.into()).or_default() += count;
            *summary.reasons.entry(cause.reason.clone()).or_default() += count;
        }
    }
}

/// Inputs are compared by their size, then by their bytes.
fn size(input: &KTest) -> (usize, Vec<&[u8]>) {
    (input.size(), input.objects.iter().map(|(_, bytes)| bytes.as_slice()).collect())
}
