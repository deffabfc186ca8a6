//! Conditions over one byte, decided by intersection of exact sets, and over two, decided on tables.
//!
//! The condition holds for exactly the values of its set, whatever operators and tables stand between. Never, by any group: what is known of the byte is above,
//! so an empty intersection proves it. Possible only where the byte is a group of its own and its set is exact: then each value in
//! the intersection, put in place of the witness's, satisfies the path, because no constraint outside the group mentions the byte.
//!
//! Where the byte is tied to others by few constraints, another value may do with the others as they are in the witness: that is evaluated.
//!
//! For two bytes, and for bytes that conditions over two tie together, the same goes for a search (`knowledge::pairs`) instead of an intersection.

use super::puzzle::Puzzle;
use super::{Layer, Price, Question, Single, Worth, intersect};
use crate::knowledge::{Group, Known, Set, Shapes, Tie, Tied, Truth, absorb_ties, cells, tied, value, with_value};
use strata_domain::ByteSet;
use strata_query::{Answer, Range, Values};
use strata_term::{Term, hold};

/// So many nodes are evaluated in the time that a search takes for one.
const EVALUATED: usize = 4;

pub struct ByteSets {
    /// Of trying another value for one byte of several that are tied together.
    beside: Worth,
}

impl Default for ByteSets {
    fn default() -> ByteSets {
        ByteSets { beside: Worth::thrifty() }
    }
}

impl Layer for ByteSets {
    fn may(&self, truth: &Truth) -> bool {
        match truth {
            Truth::One { read, .. } => read.width() == 8,
            Truth::Two { .. } => true,
            Truth::Compared { .. } | Truth::Other => false,
        }
    }

    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        let beside = &mut self.beside;
        match &question.shape.truth {
            Truth::One { read, set, exact } if read.width() == 8 => {
                intersect(question, read, set, *exact).or_else(|| {
                    let group = question.known.group(read).filter(|_| *exact)?;
                    let searched = if group.bonds().ties.is_empty() { None } else { search(question) };
                    searched.or_else(|| beside_witness(question, group, read, set, beside))
                })
            }
            Truth::Two { .. } => search(question),
            Truth::One { .. } | Truth::Compared { .. } | Truth::Other => None,
        }
    }

    fn range(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, _: Price) -> Option<Range> {
        shapes.range(known, term)
    }

    fn single(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, _: Price) -> Option<Single> {
        let (mut only, mut several) = (None, false);
        let exact = shapes.each(known, term, |value| {
            several = only.replace(value).is_some_and(|before| before != value);
            !several
        })?;
        if several { exact.then_some(Single::Several) } else { only.map(Single::Value) }
    }

    fn values(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, _: Price) -> Option<Values> {
        shapes.values(known, term)
    }
}

/// The witness with another value for one byte, if what ties the byte to others allows that.
///
/// Sound: sets and rest say what the group's constraints say. The value is in the set, what mentions the byte is evaluated, and the witness satisfies the rest of the rest.
fn beside_witness(
    question: &Question<'_>,
    group: &Group,
    read: &Term,
    truth: &Set,
    worth: &mut Worth,
) -> Option<Answer> {
    if !worth.wanted(question.price) {
        return None;
    }
    let (rest, cell) = (group.rest()?, cells(read).next()?);
    let (mut constraints, mut cost, left) = (Vec::new(), 1usize, worth.left(question.price));
    // The newest are the largest, mostly, and tell soonest that it is too much.
    for rest in rest.iter().rev().filter(|rest| rest.support.reads.contains(read) || rest.mentions(cell)) {
        cost = cost.saturating_add(rest.pivots.nodes / EVALUATED);
        if cost > left {
            return None;
        }
        constraints.push(&rest.constraint);
    }
    let value = group.variable(read)?.set.least_common(truth)?;
    let model = with_value(question.witness, read, value);
    let found = hold(&constraints, &model);
    worth.tried(found, cost, question.price);
    found.then_some(Answer::Sat(model))
}

fn search(question: &Question<'_>) -> Option<Answer> {
    let groups = question.groups();
    let mut puzzle = Puzzle::of(&groups);
    let mut ties: Vec<Tie> = Vec::new();
    if !puzzle.groups.iter().all(|(group, start)| absorb_ties(&mut ties, &group.bonds().ties, *start)) {
        return None;
    }
    // The witness respects what the path says.
    let held = ties.len();
    let said = match &question.shape.truth {
        Truth::One { read, set, exact } => {
            let place = puzzle.place(read)?;
            puzzle.narrow(place, set) && *exact
        }
        Truth::Two { first, second, table } => {
            let places = [puzzle.place(first)?, puzzle.place(second)?];
            let [first, second] = places.map(|place| u16::try_from(place).ok());
            ties.push(Tie { first: first?, second: second?, table: table.clone() });
            true
        }
        Truth::Compared { .. } | Truth::Other => return None,
    };
    let bytes: Option<Vec<ByteSet>> = puzzle
        .sets
        .iter()
        .map(|set| match &**set {
            Set::Byte(set) => Some(*set),
            Set::Word(_) => None,
        })
        .collect();
    let near: Vec<u8> = puzzle.reads.iter().map(|read| value(read, question.witness) as u8).collect();
    match tied(bytes?, &ties, held, &near) {
        Tied::Infeasible => Some(Answer::Unsat),
        Tied::Values(values) if said && groups.iter().all(|group| group.tied()) => {
            Some(puzzle.solved(question, values.into_iter().map(u64::from)))
        }
        Tied::Values(_) | Tied::GaveUp => None,
    }
}
