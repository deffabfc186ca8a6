//! Conditions over two bytes: 65,536 points, kept as a table, and the search for values that respect several of them.
//!
//! A table costs some hundred microseconds, once for each condition; a question on it costs a few words for each value of a byte. The search
//! takes the variable with the fewest values left, tries each, and narrows what is tied to it. It is exhaustive, so that finding nothing
//! proves that there is nothing, unless the budget ends it first.

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

/// Values within `sets`, one for each variable, that respect all ties.
pub fn tied(sets: Vec<ByteSet>, ties: &[Tie]) -> Tied {
    if sets.iter().any(Domain::is_empty) {
        return Tied::Infeasible;
    }
    let open: Vec<usize> = (0..sets.len()).filter(|at| ties.iter().any(|tie| tie.across(*at, 0).is_some())).collect();
    let mut budget = TRIED;
    search(sets, ties, open, &mut budget)
}

fn search(sets: Vec<ByteSet>, ties: &[Tie], mut open: Vec<usize>, budget: &mut u32) -> Tied {
    let fewest = (0..open.len()).min_by_key(|i| sets[open[*i]].size());
    let Some(at) = fewest.map(|i| open.swap_remove(i)) else {
        return Tied::Values(sets.iter().map(|set| set.least().map_or(0, |value| value as u8)).collect());
    };
    for value in sets[at].iter() {
        let Some(left) = budget.checked_sub(1) else { return Tied::GaveUp };
        *budget = left;
        let mut narrowed = sets.clone();
        narrowed[at] = ByteSet::constant(8, value.into());
        let met = ties.iter().filter_map(|tie| tie.across(at, value)).all(|(other, set)| {
            narrowed[other] = narrowed[other].meet(set, Aim::Above).set;
            !narrowed[other].is_empty()
        });
        if !met {
            continue;
        }
        match search(narrowed, ties, open.clone(), budget) {
            Tied::Infeasible => {}
            found => return found,
        }
    }
    Tied::Infeasible
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
            match tied(sets.clone(), &ties) {
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
