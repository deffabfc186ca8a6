//! The loop that watches workers: progress, limits of time and memory.

use super::{FEW, Hold, Live, Shared, lock};
use crate::limits::resident;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use strata_interp::Cause;
use strata_query::Interrupt;

/// Between two lines of progress: with a pause of this loop, less than a second.
const PROGRESS: Duration = Duration::from_millis(900);

impl Shared<'_> {
    pub(super) fn watch(&self, interrupt: &Interrupt, observe: &mut dyn FnMut(&Live<'_>), done: &dyn Fn() -> bool) {
        let limits = &self.options.limits;
        let mut written = Instant::now();
        let mut hold = Hold { shed_at: limits.memory / 100 * 85, states: usize::MAX };
        while !done() {
            let pause = match limits.time {
                Some(most) => {
                    most.saturating_sub(self.start.elapsed()).clamp(Duration::from_millis(2), Duration::from_millis(50))
                }
                None => Duration::from_millis(50),
            };
            std::thread::sleep(if self.start.elapsed() < Duration::from_millis(100) {
                Duration::from_millis(2)
            } else {
                pause
            });
            if written.elapsed() >= PROGRESS {
                written = Instant::now();
                let progress = self.progress();
                if let Err(error) = self.run.write_progress(&progress) {
                    self.end_writing(&error);
                }
                self.show(&progress, observe);
            }
            if self.is_stopped() {
                if self.is_late() {
                    self.late.set();
                }
                continue;
            }
            if interrupt.is_set() {
                self.stop(Some(Cause::new("interrupt", "the run was interrupted")), Duration::from_secs(2));
            }
            if let Some(most) = limits.time.filter(|most| self.start.elapsed() >= *most) {
                let grace = Duration::from_secs_f64((most.as_secs_f64() * 0.03).clamp(0.1, 10.0));
                self.stop(Some(Cause::new("time", "the time limit was reached")), grace);
            }
            self.hold_memory(limits.memory, &mut hold);
        }
    }

    /// Sheds states before memory is used up, and stops where that does not help.
    pub(super) fn hold_memory(&self, limit: u64, hold: &mut Hold) {
        let memory = resident();
        {
            let mut summary = lock(&self.summary);
            summary.peak_memory = summary.peak_memory.max(memory);
        }
        let states = lock(&self.waiting).frontier.len();
        if memory > hold.shed_at && states >= FEW {
            // So many states fill the memory. What the allocator keeps of those that go is used again, so that resident memory does not fall:
            // from now on their number is held, and lowered where memory still grows.
            hold.states = states.min(hold.states) / 10 * 9;
            hold.shed_at = memory.max(limit / 100 * 85) + limit / 200;
        }
        if states > hold.states {
            self.shed(states - hold.states / 4 * 3);
        }
        // Few states: it is not their number.
        if memory > limit && states < FEW || memory > limit + limit / 20 {
            self.stop(Some(Cause::new("memory", "the memory limit was reached")), Duration::from_secs(2));
        }
    }

    pub(super) fn shed(&self, count: usize) {
        let shed = lock(&self.waiting).frontier.shed(count);
        let count = shed.len() as u64;
        drop(shed);
        if count > 0 {
            self.counts.incomplete.fetch_add(count, Ordering::Relaxed);
            let mut summary = lock(&self.summary);
            *summary.causes.entry("memory".into()).or_default() += count;
            *summary.reasons.entry("states were shed to hold the memory limit".into()).or_default() += count;
        }
    }
}
