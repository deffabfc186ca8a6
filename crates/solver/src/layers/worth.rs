//! Is a layer worth asking? For layers that search: what they fail at goes on to the core, and the attempt should not cost more than it saves.
//!
//! Each layer has an account, kept in nodes computed. An attempt costs what it computes; an answer earns what the core would have cost. Whoever has nothing left
//! waits: every question adds a small part of what the core costs, so that a layer that never answers adds no more than that part, and one that pays in
//! another part of the program is noticed. What was earned is forgotten beyond a few answers, since what pays differs from one part to the next.
//!
//! Rejected: the clock. It knows better what the core costs, and something else in each run: the same seed would give other models. Means of past attempts: until they know
//! that a layer does not pay, a short run is over.

/// What the core costs at least, in nodes that a search computes: a tenth of a millisecond.
const CORE: i64 = 400;
/// How many of its last questions tell what the next one costs.
const LAST: i64 = 8;
/// A question adds this part of that.
const PART: i64 = 100;
/// What a layer starts with, and the most that it can have, in questions to the core.
const START: i64 = 2;
const MOST: i64 = 32;

/// What a question to the core costs, in nodes: the mean of what it did for the last ones.
#[derive(Clone, Copy)]
pub struct Price(i64);

impl Default for Price {
    fn default() -> Price {
        Price(CORE)
    }
}

impl Price {
    /// A question was asked, and cost so much.
    pub fn paid(&mut self, effort: u64) {
        let effort = i64::try_from(effort).unwrap_or(i64::MAX / 2);
        self.0 = (self.0 + (effort - self.0) / LAST).max(CORE);
    }
}

pub struct Worth {
    balance: i64,
    /// How many times as much as others it may owe and have.
    times: i64,
}

impl Default for Worth {
    fn default() -> Worth {
        Worth::patient(1)
    }
}

impl Worth {
    /// For a layer that keeps what it computes: it may spend so many times what others may before it has answered anything.
    pub fn patient(times: i64) -> Worth {
        Worth { balance: times * START * CORE, times }
    }

    /// Should the next question be tried?
    pub fn wanted(&mut self, price: Price) -> bool {
        self.balance = (self.balance + price.0 / PART).min(self.most(price));
        self.balance >= 0
    }

    fn most(&self, price: Price) -> i64 {
        self.times * MOST * price.0
    }

    /// An attempt was made, and so many nodes computed.
    pub fn tried(&mut self, answered: bool, cost: usize, price: Price) {
        let earned = if answered { price.0 } else { 0 };
        let most = self.most(price);
        self.balance += earned - i64::try_from(cost).unwrap_or(most).min(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_never_answers_is_asked_seldom() {
        let (mut worth, price) = (Worth::default(), Price::default());
        let mut attempts = |answers: bool| {
            (0..1000)
                .filter(|_| {
                    let wanted = worth.wanted(price);
                    if wanted {
                        worth.tried(answers, 125, price);
                    }
                    wanted
                })
                .count()
        };
        assert!(attempts(false) < 110);
        assert!(attempts(true) > 900, "and is noticed when it does");
        assert_eq!(attempts(true), 1000);
    }
}
