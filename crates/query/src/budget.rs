//! What one question may cost. Every loop of a solver that can run long asks `exceeded`.

use crate::answer::Reason;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag with which another thread stops a solver.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Stops every solver that was given this flag.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets solvers run again.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Was it set?
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Limits of one question. The default has none.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When to give up.
    pub deadline: Option<Instant>,
    /// How many conflicts the SAT solver may run into.
    pub conflicts: Option<u64>,
    /// Only layers may answer: what they pass on is unknown.
    pub layers_only: bool,
    /// How many bytes the question may occupy, as estimated from gates and clauses.
    pub memory: Option<usize>,
    /// Set by another thread to stop.
    pub interrupt: Interrupt,
}

impl Budget {
    /// A budget of so much time from now on.
    pub fn within(time: Duration) -> Budget {
        Budget { deadline: Instant::now().checked_add(time), ..Budget::default() }
    }

    /// The reason to stop now, if there is one that the clock or the interrupt gives.
    pub fn exceeded(&self) -> Option<Reason> {
        self.exceeded_in(Duration::ZERO)
    }

    /// The reason to stop now for somebody who needs so much time to clean up.
    pub fn exceeded_in(&self, margin: Duration) -> Option<Reason> {
        if self.interrupt.is_set() {
            return Some(Reason::Interrupted);
        }
        self.deadline.is_some_and(|deadline| Instant::now() + margin >= deadline).then_some(Reason::Time)
    }
}
