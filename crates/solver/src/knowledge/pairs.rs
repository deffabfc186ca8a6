//! Conditions over two bytes: 65,536 points, kept as a table, and the search for values that respect several of them.
//!
//! A table costs some hundred microseconds, once for each condition; a question on it costs a few words for each value of a byte. The search
//! begins at the witness, takes up a variable that cannot stay, tries each value that it has, and narrows what is tied to it. It is exhaustive, so that finding
//! nothing proves that there is nothing, unless the budget ends it first.

use std::sync::Arc;
use strata_domain::{Aim, ByteSet, Domain};
use strata_term::{Square, Term, pairs};

/// For which pairs of values a condition over two bytes holds.
#[derive(Debug)]
pub struct Pairs {
    /// By the first byte, which values of the second go with it.
    rows: [ByteSet; 256],
    /// The other way round.
    columns: [ByteSet; 256],
}

impl Pairs {
    /// The table of a condition, unless it is too large to be worth it; and how many rows of a node were computed for it.
    pub fn of(condition: &Term, first: &Term, second: &Term) -> Option<(Pairs, usize)> {
        let (rows, cost) = pairs(condition, first, second)?;
        let columns = transposed(&rows).map(ByteSet::of_words);
        Some((Pairs { rows: rows.map(ByteSet::of_words), columns }, cost))
    }
}

/// A square of bits, turned: in blocks of 64 by 64, each by swapping halves, halves of halves, and so on.
fn transposed(rows: &Square) -> Box<Square> {
    let mut columns = Box::new([[0; 4]; 256]);
    for (high, wide) in (0..4).flat_map(|high| (0..4).map(move |wide| (high, wide))) {
        let mut block: [u64; 64] = std::array::from_fn(|row| rows[high * 64 + row][wide]);
        let (mut half, mut low) = (32, u64::MAX >> 32);
        while half > 0 {
            for row in (0..64).filter(|row| row & half == 0) {
                let swapped = (block[row] >> half ^ block[row + half]) & low;
                block[row] ^= swapped << half;
                block[row + half] ^= swapped;
            }
            half /= 2;
            low ^= low << half;
        }
        for (row, word) in block.into_iter().enumerate() {
            columns[wide * 64 + row][high] = word;
        }
    }
    columns
}

/// Two variables, by their place in the group, and what ties them.
#[derive(Clone, Debug)]
pub struct Tie {
    pub first: u16,
    pub second: u16,
    pub table: Arc<Pairs>,
}

impl Tie {
    /// The variable at the other end, and what of it goes with a value.
    fn across(&self, from: usize, value: u8) -> Option<(usize, &ByteSet)> {
        if from == usize::from(self.first) {
            Some((self.second.into(), &self.table.rows[usize::from(value)]))
        } else if from == usize::from(self.second) {
            Some((self.first.into(), &self.table.columns[usize::from(value)]))
        } else {
            None
        }
    }
}

/// Values tried, at most.
const TRIED: u32 = 2048;

/// What a search found.
#[derive(Debug, PartialEq, Eq)]
pub enum Tied {
    /// A value for each variable.
    Values(Vec<u8>),
    Infeasible,
    GaveUp,
}

/// Values within `sets`, one for each variable, that respect all ties: near the values given, from which only those variables move that have to.
///
/// Complete: a variable that is taken up is tried with each of its values, and the others stay where they are only if all ties hold there.
pub fn tied(sets: Vec<ByteSet>, ties: &[Tie], near: &[u8]) -> Tied {
    if sets.iter().any(Domain::is_empty) {
        return Tied::Infeasible;
    }
    let mut budget = TRIED;
    Search { ties, budget: &mut budget }.run(sets, near.to_vec())
}

struct Search<'a> {
    ties: &'a [Tie],
    budget: &'a mut u32,
}

impl Search<'_> {
    /// Variables that were taken up have one value in `sets`, which is their value.
    fn run(&mut self, sets: Vec<ByteSet>, values: Vec<u8>) -> Tied {
        let Some(at) = moved(&sets, &values).or_else(|| self.torn(&sets, &values)) else {
            return Tied::Values(values);
        };
        let first = Some(values[at]).filter(|value| sets[at].contains((*value).into()));
        for value in first.into_iter().chain(sets[at].iter().filter(|value| Some(*value) != first)) {
            let Some(left) = self.budget.checked_sub(1) else { return Tied::GaveUp };
            *self.budget = left;
            let mut narrowed = sets.clone();
            narrowed[at] = ByteSet::constant(8, value.into());
            let met = self.ties.iter().filter_map(|tie| tie.across(at, value)).all(|(other, set)| {
                narrowed[other] = narrowed[other].meet(set, Aim::Above).set;
                !narrowed[other].is_empty()
            });
            if !met {
                continue;
            }
            let mut values = values.clone();
            values[at] = value;
            match self.run(narrowed, values) {
                Tied::Infeasible => {}
                found => return found,
            }
        }
        Tied::Infeasible
    }

    /// An end of a tie that does not hold. Neither end was taken up: that would have narrowed the other, whose value then is not among its own.
    fn torn(&self, sets: &[ByteSet], values: &[u8]) -> Option<usize> {
        let broken = |tie: &&Tie| {
            let [first, second] = [tie.first, tie.second].map(|end| values[usize::from(end)]);
            !tie.table.rows[usize::from(first)].contains(second.into())
        };
        let tie = self.ties.iter().find(broken)?;
        [tie.first, tie.second].map(usize::from).into_iter().min_by_key(|end| sets[*end].size())
    }
}

/// Of the variables whose value is not among theirs, the one with the fewest.
fn moved(sets: &[ByteSet], values: &[u8]) -> Option<usize> {
    let outside = (0..sets.len()).filter(|at| !sets[*at].contains(values[*at].into()));
    outside.min_by_key(|at| sets[*at].size())
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_term::Random;

    /// A table of a few values: the rest never holds.
    fn any_table(random: &mut Random) -> Pairs {
        let dense = random.below(4) + 1;
        let rows: [ByteSet; 256] = std::array::from_fn(|a| ByteSet::of(|b| a < 4 && b < 4 && random.below(5) < dense));
        Pairs { rows, columns: transposed(&rows.each_ref().map(ByteSet::words)).map(ByteSet::of_words) }
    }

    #[test]
    fn turned() {
        let mut random = Random(5);
        let rows: Square = std::array::from_fn(|_| std::array::from_fn(|_| random.number()));
        let columns = transposed(&rows);
        let bit = |square: &Square, a: usize, b: usize| square[a][b / 64] >> (b % 64) & 1;
        assert!((0..256).all(|a| (0..256).all(|b| bit(&rows, a, b) == bit(&columns, b, a))));
    }

    #[test]
    fn against_all_values() {
        let mut random = Random(4);
        let (mut feasible, mut infeasible) = (0, 0);
        for _ in 0..400 {
            let count = 2 + random.below(3);
            let sets: Vec<ByteSet> = (0..count).map(|_| ByteSet::of(|v| v < 4 && !random.one_in(3))).collect();
            let ties: Vec<Tie> = (0..1 + random.below(4))
                .map(|_| {
                    let (first, second) = (random.below(count) as u16, random.below(count) as u16);
                    Tie { first, second, table: Arc::new(any_table(&mut random)) }
                })
                .filter(|tie| tie.first != tie.second)
                .collect();
            let holds = |values: &[u8]| {
                let value = |at: u16| values[usize::from(at)];
                values.iter().zip(&sets).all(|(v, set)| set.contains(u64::from(*v)))
                    && ties.iter().all(|t| t.table.rows[usize::from(value(t.first))].contains(value(t.second).into()))
            };
            let mut all =
                (0..4u32.pow(count as u32)).map(|n| (0..count as u32).map(|i| (n >> (2 * i) & 3) as u8).collect());
            let near: Vec<u8> = (0..count).map(|_| random.below(6) as u8).collect();
            match tied(sets.clone(), &ties, &near) {
                Tied::Values(values) => {
                    assert!(holds(&values));
                    feasible += 1;
                }
                Tied::Infeasible => {
                    assert!(all.all(|values: Vec<u8>| !holds(&values)));
                    infeasible += 1;
                }
                Tied::GaveUp => panic!("few values"),
            }
        }
        assert!(feasible > 100 && infeasible > 50, "{feasible} {infeasible}");
    }
}
