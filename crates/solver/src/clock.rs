//! The time that short tasks take: looking at the clock before and after each would take as long as some of them do. So every so many are timed, and count for all.

use std::time::{Duration, Instant};

/// One in so many is timed.
const EVERY: u32 = 16;

#[derive(Default)]
pub struct Clock {
    tasks: u32,
}

/// When a task began, if it is one that is timed.
#[derive(Clone, Copy)]
pub struct Start(Option<Instant>);

impl Clock {
    /// A task begins.
    pub fn start(&mut self) -> Start {
        self.tasks = self.tasks.wrapping_add(1);
        Start(self.tasks.is_multiple_of(EVERY).then(Instant::now))
    }
}

impl Start {
    /// What it took, and others like it that are not timed.
    pub fn elapsed(self) -> Duration {
        self.0.map_or(Duration::ZERO, |start| start.elapsed() * EVERY)
    }
}
