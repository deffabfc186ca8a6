//! Conditions over two bytes: 65,536 points, kept as a table, and the search for values that respect several of them.
//!
//! A table costs some hundred microseconds, once for each condition; a question on it costs a few words for each value of a byte. The search
//! begins at the witness, takes up a variable that cannot stay, tries each value that it has, and narrows what is tied to it. It is exhaustive, so that finding
//! nothing proves that there is nothing, unless the budget ends it first.

use std::sync::Arc;
use strata_domain::{ByteSet, Domain};
use strata_term::{Square, Term, pairs};

/// A set of bytes, as bits.
type Words = [u64; 4];

fn has(set: Words, value: u8) -> bool {
    set[usize::from(value >> 6)] >> (value & 63) & 1 == 1
}

fn size(set: Words) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

fn both(a: Words, b: Words) -> Words {
    std::array::from_fn(|word| a[word] & b[word])
}

const NOTHING: Words = [0; 4];

fn alone(value: u8) -> Words {
    std::array::from_fn(|word| if word == usize::from(value >> 6) { 1 << (value & 63) } else { 0 })
}

/// For which pairs of values a condition over two bytes holds.
#[derive(Debug)]
pub struct Pairs {
    /// By the first byte, which values of the second go with it.
    rows: Box<Square>,
    /// The other way round.
    columns: Box<Square>,
}

impl Pairs {
    /// The table of a condition, unless it is too large to be worth it; and how many rows of a node were computed for it.
    pub fn of(condition: &Term, first: &Term, second: &Term) -> Option<(Pairs, usize)> {
        let (rows, cost) = pairs(condition, first, second)?;
        let columns = transposed(&rows);
        Some((Pairs { rows, columns }, cost))
    }

    /// The other pairs.
    pub fn not(&self) -> Pairs {
        let other = |square: &Square| Box::new(square.map(|row| row.map(|word| !word)));
        Pairs { rows: other(&self.rows), columns: other(&self.columns) }
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
    fn holds(&self, values: &[u8]) -> bool {
        let [first, second] = [self.first, self.second].map(|end| values[usize::from(end)]);
        has(self.table.rows[usize::from(first)], second)
    }

    /// The variable at the other end, and what of it goes with each value.
    fn across(&self, from: usize) -> Option<(usize, &Square)> {
        if from == usize::from(self.first) {
            Some((self.second.into(), &self.table.rows))
        } else if from == usize::from(self.second) {
            Some((self.first.into(), &self.table.columns))
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

/// Values within `sets`, one for each variable, that respect all ties: near the values given, from which only those variables move that have to. The values
/// given respect the first `held` of the ties.
///
/// Complete: a variable that is taken up is tried with each of its values, and the others stay where they are only if all ties hold there.
pub fn tied(sets: Vec<ByteSet>, ties: &[Tie], held: usize, near: &[u8]) -> Tied {
    if sets.iter().any(Domain::is_empty) {
        return Tied::Infeasible;
    }
    let torn = ties[held..].iter().filter(|tie| !tie.holds(near)).collect();
    let sets = sets.iter().map(ByteSet::words).collect();
    let mut search = Search { ties, torn, sets, values: near.to_vec(), narrowed: Vec::new(), budget: TRIED };
    match search.run() {
        Some(true) => Tied::Values(search.values),
        Some(false) => Tied::Infeasible,
        None => Tied::GaveUp,
    }
}

struct Search<'a> {
    ties: &'a [Tie],
    /// Those that do not hold at the beginning. Another cannot break unnoticed: a variable that is taken up narrows all that are tied to it, and one whose
    /// value is then not among its own is taken up, too.
    torn: Vec<&'a Tie>,
    sets: Vec<Words>,
    /// Variables that were taken up have one value in `sets`, which is this.
    values: Vec<u8>,
    /// What was narrowed, and what it was before, to be undone.
    narrowed: Vec<(usize, Words)>,
    budget: u32,
}

impl Search<'_> {
    /// Are there values for the variables that were not taken up? Then they are in place.
    fn run(&mut self) -> Option<bool> {
        let Some(at) = self.moved().or_else(|| self.broken()) else { return Some(true) };
        // Ties to the same variable stand beside each other.
        let mut tied: Vec<(usize, &Square)> = self.ties.iter().filter_map(|tie| tie.across(at)).collect();
        tied.sort_unstable_by_key(|(other, _)| *other);
        let (set, old, before) = (self.sets[at], self.values[at], self.narrowed.len());
        let first = Some(old).filter(|value| has(set, *value));
        for value in first.into_iter().chain(ByteSet::of_words(set).iter().filter(|value| Some(*value) != first)) {
            self.budget = self.budget.checked_sub(1)?;
            if !self.fits(&tied, value) {
                continue;
            }
            (self.sets[at], self.values[at]) = (alone(value), value);
            for (other, with) in &tied {
                self.narrowed.push((*other, self.sets[*other]));
                self.sets[*other] = both(self.sets[*other], with[usize::from(value)]);
            }
            if self.run()? {
                return Some(true);
            }
            for (other, set) in self.narrowed.drain(before..).rev() {
                self.sets[other] = set;
            }
        }
        (self.sets[at], self.values[at]) = (set, old);
        Some(false)
    }

    /// Does a value leave something to each variable that is tied to it?
    fn fits(&self, tied: &[(usize, &Square)], value: u8) -> bool {
        tied.chunk_by(|a, b| a.0 == b.0).all(|same| {
            let set = self.sets[same[0].0];
            same.iter().fold(set, |left, (_, with)| both(left, with[usize::from(value)])) != NOTHING
        })
    }

    /// Of the variables whose value is not among theirs, the one with the fewest.
    fn moved(&self) -> Option<usize> {
        let outside = (0..self.sets.len()).filter(|at| !has(self.sets[*at], self.values[*at]));
        outside.min_by_key(|at| size(self.sets[*at]))
    }

    /// An end of a tie that does not hold. Neither end was taken up: that would have narrowed the other, whose value then is not among its own.
    fn broken(&self) -> Option<usize> {
        let tie = self.torn.iter().find(|tie| !tie.holds(&self.values))?;
        [tie.first, tie.second].map(usize::from).into_iter().min_by_key(|end| size(self.sets[*end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_term::Random;

    /// A table of a few values: the rest never holds.
    fn any_table(random: &mut Random) -> Pairs {
        let dense = random.below(4) + 1;
        let mut row = |a| ByteSet::of(|b| a < 4 && b < 4 && random.below(5) < dense).words();
        let rows: Box<Square> = Box::new(std::array::from_fn(&mut row));
        Pairs { columns: transposed(&rows), rows }
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
                values.iter().zip(&sets).all(|(v, set)| set.contains(u64::from(*v)))
                    && ties.iter().all(|tie| tie.holds(values))
            };
            let mut all =
                (0..4u32.pow(count as u32)).map(|n| (0..count as u32).map(|i| (n >> (2 * i) & 3) as u8).collect());
            let near: Vec<u8> = (0..count).map(|_| random.below(6) as u8).collect();
            let held = ties.iter().position(|tie| !tie.holds(&near)).unwrap_or(ties.len());
            match tied(sets.clone(), &ties, held, &near) {
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
