//! The time that layers take. Looking at the clock before and after each would take as long as many of them do. So the first tasks are timed, and then every so many,
//! which count for all: where it matters there are many.

use std::time::{Duration, Instant};

/// So many are all timed; of those that follow, one in so many.
const FIRST: u32 = 32;
const EVERY: u32 = 16;

#[derive(Default)]
pub struct Clock {
    tasks: u32,
}

/// The time since the last look, if the task is one that is timed, and for how many it counts.
pub struct Lap {
    since: Option<Instant>,
    weight: u32,
}

impl Clock {
    /// A task begins.
    pub fn start(&mut self) -> Lap {
        self.tasks = if self.tasks < FIRST + EVERY { self.tasks + 1 } else { FIRST + 1 };
        match self.tasks {
            ..=FIRST => Lap { since: Some(Instant::now()), weight: 1 },
            task if task == FIRST + EVERY => Lap { since: Some(Instant::now()), weight: EVERY },
            _ => Lap { since: None, weight: 0 },
        }
    }
}

impl Lap {
    /// What passed since the last look.
    pub fn next(&mut self) -> Duration {
        let Some(since) = &mut self.since else { return Duration::ZERO };
        let now = Instant::now();
        let passed = now - *since;
        *since = now;
        passed * self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_are_timed_count_for_all() {
        let mut clock = Clock::default();
        let tasks = FIRST + 100 * EVERY;
        let weights: u32 = (0..tasks).map(|_| clock.start().weight).sum();
        assert_eq!(weights, tasks);
    }
}
