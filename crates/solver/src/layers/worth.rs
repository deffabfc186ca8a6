//! Is a layer worth asking? For layers that search: what they fail at goes on to the core, and the attempt should not cost more than it saves.
//!
//! A layer is worth it if the share of questions that it answers, times what a question costs otherwise, exceeds what an attempt costs. All three are measured, as means
//! that forget: what pays differs from program to program by more than any fixed bound. The first attempts are always made, and one in some later on.
//!
//! Answers do not depend on it, only who gives them.

use std::time::{Duration, Instant};

/// Attempts that are made anyway.
const FIRST: u32 = 64;
/// Of those that do not pay, one in so many is made.
const SELDOM: u32 = 64;
/// The weight of the latest figure.
const LATEST: f64 = 1.0 / 64.0;

#[derive(Default)]
pub struct Worth {
    attempts: u32,
    skipped: u32,
    /// Means, in seconds.
    cost: f64,
    otherwise: f64,
    /// The share of attempts that gave an answer.
    answered: f64,
    /// When the latest question was passed on.
    passed: Option<Instant>,
}

fn take(mean: &mut f64, value: f64) {
    *mean += (value - *mean) * LATEST;
}

impl Worth {
    /// Should the next question be tried?
    pub fn wanted(&mut self) -> bool {
        self.passed = None;
        let unknown = self.attempts < FIRST || self.otherwise == 0.0;
        if unknown || self.answered * self.otherwise >= self.cost {
            return true;
        }
        self.skipped += 1;
        if self.skipped.is_multiple_of(SELDOM) {
            return true;
        }
        self.passed = Some(Instant::now());
        false
    }

    /// An attempt was made.
    pub fn tried(&mut self, start: Instant, answered: bool) {
        let now = Instant::now();
        self.attempts = self.attempts.saturating_add(1);
        take(&mut self.cost, (now - start).as_secs_f64());
        take(&mut self.answered, f64::from(u8::from(answered)));
        self.passed = (!answered).then_some(now);
    }

    /// The question that was passed on has its answer.
    pub fn ended(&mut self) {
        // A question that takes very long says nothing of the others.
        if let Some(passed) = self.passed.take() {
            take(&mut self.otherwise, passed.elapsed().min(Duration::from_millis(20)).as_secs_f64());
        }
    }
}
