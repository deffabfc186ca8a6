//! Is a layer worth asking? For layers that search: what they fail at goes on to the core, and the attempt should not cost more than it saves.
//!
//! Each layer has an account, kept in nodes computed. An attempt costs what it computes; an answer earns what the core would have cost. Whoever has nothing left
//! waits: every question adds a small part of what the core costs, so that a layer that never answers adds no more than that part, and one that pays in
//! another part of the program is noticed. What was earned is forgotten beyond a few answers, since what pays differs from one part to the next.
//!
//! Rejected: the clock. It knows better what the core costs, and something else in each run: the same seed would give other models. Means of past attempts: until they know
//! that a layer does not pay, a short run is over.

/// What the core costs, about, in nodes that a search computes: a tenth of a millisecond where it is easy.
const CORE: i64 = 400;
/// A question adds this part of that.
const PART: i64 = 100;
/// For a thrifty layer: this part, and another one for each answer.
const THRIFT: i64 = 50;
const BONUS: i64 = 20;
/// What a layer starts with, and the most that it can have.
const START: i64 = 2 * CORE;
const MOST: i64 = 32 * CORE;

pub struct Worth {
    balance: i64,
    most: i64,
    /// Does an answer earn little more than what it cost?
    thrifty: bool,
}

impl Default for Worth {
    fn default() -> Worth {
        Worth { balance: START, most: MOST, thrifty: false }
    }
}

impl Worth {
    /// For a layer that keeps what it computes: it may spend so many times what others may before it has answered anything.
    pub fn patient(times: i64) -> Worth {
        Worth { balance: times * START, most: times * MOST, thrifty: false }
    }

    /// For a layer whose attempts in vain may cost a small part only of what the core takes, or would have taken, for all questions: others answer many of those that it does not.
    pub fn thrifty() -> Worth {
        Worth { balance: START, most: MOST, thrifty: true }
    }

    /// What a question adds.
    fn added(&self) -> i64 {
        CORE / if self.thrifty { THRIFT } else { PART }
    }

    /// Should the next question be tried?
    pub fn wanted(&mut self) -> bool {
        self.balance = (self.balance + self.added()).min(self.most);
        self.balance >= 0
    }

    /// An attempt was made, and so many nodes computed.
    pub fn tried(&mut self, answered: bool, cost: usize) {
        let cost = i64::try_from(cost).unwrap_or(self.most).min(self.most);
        self.balance += match (answered, self.thrifty) {
            (true, true) => CORE / BONUS,
            (true, false) => CORE - cost,
            (false, _) => -cost,
        };
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
        assert!(attempts(false) < 110);
        assert!(attempts(true) > 900, "and is noticed when it does");
        assert_eq!(attempts(true), 1000);
    }

    #[test]
    fn a_thrifty_layer_fails_seldom() {
        let mut worth = Worth::thrifty();
        let (mut spent, mut answered) = (0, 0);
        for question in 0..10_000 {
            let answers = question * 7 % 11 < 4;
            if worth.wanted() {
                worth.tried(answers, 125);
                spent += if answers { 0 } else { 125 };
                answered += u32::from(answers);
            }
        }
        assert!(spent < 10_000 * CORE / BONUS && answered > 500, "{spent} nodes, {answered} answers");
    }
}
