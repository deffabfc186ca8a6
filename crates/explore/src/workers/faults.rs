//! What becomes of a path on which the engine itself panicked: it ends as our fault, with an input that leads there, and all others go on.
//!
//! Only the panic of a path, of its test or of the file for it is caught here, each by itself. Whatever else panics (a strategy, the display) ends the
//! run in order: the states that are alive get their tests, and the figures are written.

use super::figures::queries;
use super::{Shared, lock};
use crate::tests::{self, Test};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::Duration;
use strata_interp::{Cause, State};
use strata_query::Budget;
use strata_record::test_name;
use strata_solver::Stack;

/// What a path on which we panicked counts as.
pub(super) const INTERNAL: &str = "internal";

/// Does something that may panic; gives the panic's text.
///
/// Sound: callers use nothing again that the work may have left half done, but for what is behind a lock and complete after each step.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_string()
    })
}

impl Shared<'_> {
    /// A path ends as our fault, and with it so many states that it had just forked off.
    pub(super) fn lose(&self, state: Option<&State>, siblings: usize, text: String, stack: &RefCell<Stack>) {
        let paths = 1 + siblings as u64;
        self.counts.incomplete.fetch_add(paths, Ordering::Relaxed);
        {
            let mut summary = lock(&self.summary);
            *summary.causes.entry(INTERNAL.into()).or_default() += paths;
            if siblings > 0 {
                let reason = "states were dropped when the engine failed on the path that forked them";
                *summary.reasons.entry(reason.into()).or_default() += siblings as u64;
            }
        }
        // What panicked may do so again.
        let test = state.and_then(|state| guarded(|| self.reproduce(state, &text, stack)).ok().flatten());
        let number = test.and_then(|test| self.write(None, test));
        let with = number.map(|number| format!("{text} (tests/{}.ktest leads there)", test_name(number)));
        lock(&self.summary).panics.push(with.unwrap_or(text));
    }

    /// The input that leads to where a path panicked.
    fn reproduce(&self, state: &State, text: &str, stack: &RefCell<Stack>) -> Option<Test> {
        let budget = Budget::within(self.config.solver_timeout);
        let test =
            tests::reproduce(self.image, state, text, &mut *stack.borrow_mut(), &budget, &self.options.arguments);
        test.map(|test| self.shaped(test))
    }

    /// Another solver in place of one that may have been left half way.
    pub(super) fn renew(&self, stack: &RefCell<Stack>) {
        match (self.solver)() {
            Ok(fresh) => {
                let mut old = stack.replace(fresh);
                let elsewhere = old.statistics().elsewhere;
                self.counts.solving_cpu_us.fetch_add(elsewhere.as_micros() as u64, Ordering::Relaxed);
                lock(&self.queries).push(queries(&old));
                let mut summary = lock(&self.summary);
                summary.explore += elsewhere;
                summary.contradiction = summary.contradiction.take().or_else(|| old.take_contradiction());
            }
            Err(trouble) => {
                lock(&self.summary).trouble.get_or_insert(trouble);
                self.stop(Some(Cause::new("solver", "a solver could not be started")), Duration::ZERO);
            }
        }
    }

    /// Notes a panic that is no path's.
    pub(super) fn note_panic(&self, text: String) {
        let mut summary = lock(&self.summary);
        *summary.causes.entry(INTERNAL.into()).or_default() += 1;
        summary.panics.push(text);
    }

    /// Ends the run after a panic that is no path's.
    pub(super) fn stop_at_fault(&self) {
        self.stop(Some(Cause::new(INTERNAL, "the engine itself failed")), Duration::from_secs(2));
    }
}
