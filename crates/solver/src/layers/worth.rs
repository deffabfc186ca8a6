//! Is a layer worth asking? For layers that search: what they fail at goes on to the core, and the attempt should not cost more than it saves.
//!
//! An attempt is worth it if the share of them that gives an answer, times what the core costs, exceeds its own cost. Both are counted in nodes computed, and are
//! means that forget: what pays differs from program to program, and from one part of a program to the next. Of a layer that does not pay a few attempts are
//! still made, to see whether it does by now.
//!
//! Rejected: the clock. It knows better what the core costs, and something else in each run: the same seed would give other models.

/// What the core costs, about, in nodes that a search computes: a fifth of a millisecond.
const CORE: f64 = 1000.0;
/// Of those that do not pay, one in so many is made.
const SELDOM: u32 = 64;
/// The weight of the latest attempt.
const LATEST: f64 = 1.0 / 64.0;

pub struct Worth {
    /// The share of attempts that gave an answer.
    answered: f64,
    /// Nodes computed in an attempt.
    cost: f64,
    skipped: u32,
}

impl Default for Worth {
    fn default() -> Worth {
        Worth { answered: 1.0, cost: 0.0, skipped: 0 }
    }
}

impl Worth {
    /// Should the next question be tried?
    pub fn wanted(&mut self) -> bool {
        if self.answered * CORE >= self.cost {
            return true;
        }
        self.skipped += 1;
        self.skipped.is_multiple_of(SELDOM)
    }

    /// An attempt was made, and so many nodes computed.
    pub fn tried(&mut self, answered: bool, cost: usize) {
        self.answered += (f64::from(u8::from(answered)) - self.answered) * LATEST;
        self.cost += (cost as f64 - self.cost) * LATEST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_never_answers_is_asked_seldom() {
        let mut worth = Worth::default();
        let mut attempts = |answers: bool| {
            (0..1000)
                .filter(|_| {
                    let wanted = worth.wanted();
                    if wanted {
                        worth.tried(answers, 125);
                    }
                    wanted
                })
                .count()
        };
        assert!(attempts(false) < 200);
        assert!(attempts(true) > 500, "and is noticed when it does");
        assert_eq!(attempts(true), 1000);
    }
}
