//! Is a layer worth asking? For layers that search: what they fail at goes on to the core, and the attempt should not cost more than it saves.
//!
//! Each layer has an account, kept in nodes computed. An attempt costs what it computes; an answer earns what the core would have cost. Whoever has nothing left
//! waits: what the core does adds a small part of that, so that a layer that never answers adds no more than that part, and one that pays in
//! another part of the program is noticed. What was earned is forgotten beyond a few answers, since what pays differs from one part to the next.
//!
//! Rejected: the clock. It knows better what the core costs, and something else in each run: the same seed would give other models. Means of past attempts: until they know
//! that a layer does not pay, a short run is over.

/// How many questions to the core an attempt may cost more than there is.
const AHEAD: i64 = 2;
/// What the core is thought to cost as long as nobody knows, in nodes that a search computes: a tenth of a millisecond. And what it costs at least.
const CORE: i64 = 400;
const LEAST: i64 = 100;
/// How many of its last questions tell what the next one costs.
const LAST: i64 = 4;
/// A question adds so many nodes, and a question to the core this part of what it cost: there are ten accounts, and what is tried in vain is to add a hundredth to it in all.
const GIVEN: i64 = 1;
const PART: i64 = 1000;
/// What an attempt costs at least: a look at what is known.
const LOOK: i64 = 3;
/// A thrifty layer earns this part of what an answer saves.
const BONUS: i64 = 10;
/// What a layer starts with: a first attempt, and what it cost is known.
const START: i64 = CORE / 2;
/// The most that it can have, in questions to the core.
const MOST: i64 = 32;

/// What questions to the core cost, in nodes.
#[derive(Clone, Copy)]
pub struct Price {
    /// The mean of the last ones.
    mean: i64,
    /// Of all so far.
    total: i64,
}

impl Default for Price {
    fn default() -> Price {
        Price { mean: CORE, total: 0 }
    }
}

impl Price {
    /// A question was asked, and cost so much.
    pub fn paid(&mut self, effort: u64) {
        let effort = i64::try_from(effort).unwrap_or(i64::MAX / 2).max(LEAST);
        self.mean += (effort - self.mean) / LAST;
        self.total = self.total.saturating_add(effort);
    }
}

/// What an attempt computes, in nodes, and may.
pub struct Spent {
    /// So far.
    pub nodes: usize,
    /// Beyond that it is given up.
    pub most: usize,
}

impl Spent {
    /// Nothing so far.
    pub fn upto(most: usize) -> Spent {
        Spent { nodes: 0, most }
    }

    /// Is it too much?
    pub fn is_over(&self) -> bool {
        self.nodes > self.most
    }

    /// How much it may still compute.
    pub fn left(&self) -> usize {
        self.most.saturating_sub(self.nodes)
    }
}

pub struct Worth {
    balance: i64,
    /// What answers may cost as long as nobody knows what the core costs here.
    credit: i64,
    /// What the core had cost when this was asked last.
    seen: i64,
    /// How many times as much as others it may have and is given.
    times: i64,
    /// The part of what the core costs that it is given, as a divisor.
    part: i64,
    /// Does an answer earn little more than what it cost?
    thrifty: bool,
}

impl Default for Worth {
    fn default() -> Worth {
        Worth::patient(1, 1)
    }
}

impl Worth {
    /// For a layer that keeps what it computes: it starts with, and is given, so many times what others are.
    pub fn patient(start: i64, times: i64) -> Worth {
        Worth { balance: start * START, credit: 0, seen: 0, times, part: PART, thrifty: false }
    }

    /// Whose first answers, up to so many questions to the core of the least cost, are free until the core was asked: it may cost a hundred times that.
    pub fn trusted(self, credit: i64) -> Worth {
        Worth { credit: credit * CORE, ..self }
    }

    /// For a layer whose attempts in vain may cost a small part only of what the core takes: what it earns by answers is not for spending in vain, and it starts with half of what others do.
    pub fn thrifty() -> Worth {
        Worth { thrifty: true, balance: START / 2, ..Worth::default() }
    }

    /// For what is a second thing that a layer does: half of it.
    pub fn halved(self) -> Worth {
        Worth { balance: self.balance / 2, part: 2 * self.part, ..self }
    }

    /// Should the next question be tried?
    pub fn wanted(&mut self, price: Price) -> bool {
        let given = GIVEN + (price.total - self.seen).saturating_mul(self.times) / self.part;
        self.seen = price.total;
        self.balance = self.balance.saturating_add(given).min(self.most(price));
        self.balance >= 0
    }

    /// What the next attempt may cost: what is there, and a few questions to the core, or one.
    pub fn left(&self, price: Price) -> usize {
        let ahead = if self.thrifty { price.mean } else { price.mean.saturating_mul(AHEAD) };
        usize::try_from(self.balance.saturating_add(ahead)).unwrap_or(0)
    }

    fn most(&self, price: Price) -> i64 {
        (self.times * MOST).saturating_mul(price.mean)
    }

    /// An attempt was made, and so many nodes computed.
    pub fn tried(&mut self, answered: bool, cost: usize, price: Price) {
        let most = self.most(price);
        let cost = i64::try_from(cost).unwrap_or(most).min(most).max(LOOK);
        if answered && price.total == 0 && self.credit > 0 {
            self.credit -= cost;
            return;
        }
        self.balance += match (answered, self.thrifty) {
            (true, true) => price.mean / BONUS,
            (true, false) => price.mean - cost,
            (false, _) => -cost,
        };
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

    #[test]
    fn a_thrifty_layer_fails_seldom() {
        let (mut worth, mut price) = (Worth::thrifty(), Price::default());
        let (mut spent, mut answered) = (0, 0);
        for question in 0..10_000 {
            let answers = question * 7 % 11 < 4;
            if worth.wanted(price) {
                worth.tried(answers, 125, price);
                spent += if answers { 0 } else { 125 };
                answered += u32::from(answers);
            }
            if !answers {
                price.paid(1000);
            }
        }
        assert!(spent < price.total / 100 && answered > 50, "{spent} nodes, {answered} answers");
    }
}
