//! Is a layer worth asking? For layers that search: what they fail at goes on to the core, and the attempt should not cost more than it saves.
//!
//! An attempt costs about an eighth of what the core does, so a layer that answers less often than that is asked only now and then, to see whether it does better
//! by now. The share is a mean that forgets: what pays differs from program to program, and from one part of a program to the next.
//!
//! Rejected: measuring both costs. It chooses a little better, and differently in each run: the same seed would give other models.

/// Attempts of which one must succeed.
const WORTH: f64 = 1.0 / 8.0;
/// Of those that do not pay, one in so many is made.
const SELDOM: u32 = 64;
/// The weight of the latest attempt.
const LATEST: f64 = 1.0 / 64.0;

pub struct Worth {
    /// The share of attempts that gave an answer.
    answered: f64,
    skipped: u32,
}

impl Default for Worth {
    fn default() -> Worth {
        Worth { answered: 1.0, skipped: 0 }
    }
}

impl Worth {
    /// Should the next question be tried?
    pub fn wanted(&mut self) -> bool {
        if self.answered >= WORTH {
            return true;
        }
        self.skipped += 1;
        self.skipped.is_multiple_of(SELDOM)
    }

    /// An attempt was made.
    pub fn tried(&mut self, answered: bool) {
        self.answered += (f64::from(u8::from(answered)) - self.answered) * LATEST;
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
                        worth.tried(answers);
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
