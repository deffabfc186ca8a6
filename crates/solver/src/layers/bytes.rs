//! Conditions over one byte, decided by intersection of exact sets, and over two, decided on tables.
//!
//! The condition holds for exactly the values of its set, whatever operators and tables stand between. Never, by any group: what is known of the byte is above,
//! so an empty intersection proves it. Possible only where the byte is a group of its own and its set is exact: then each value in
//! the intersection, put in place of the witness's, satisfies the path, because no constraint outside the group mentions the byte.
//!
//! For two bytes, and for bytes that conditions over two tie together, the same goes for a search (`knowledge::pairs`) instead of an intersection.

use super::puzzle::Puzzle;
use super::{Layer, Price, Question, intersect};
use crate::knowledge::{Known, Set, Shapes, Tie, Tied, Truth, absorb_ties, tied, value};
use strata_domain::ByteSet;
use strata_query::{Answer, Range};
use strata_term::Term;

pub struct ByteSets;

impl Layer for ByteSets {
    fn may(&self, truth: &Truth) -> bool {
        match truth {
            Truth::One { read, .. } => read.width() == 8,
            Truth::Two { .. } => true,
            Truth::Compared { .. } | Truth::Other => false,
        }
    }

    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        match &question.shape.truth {
            Truth::One { read, set, exact } if read.width() == 8 => {
                intersect(question, read, set, *exact).or_else(|| {
                    let tied = question.known.group(read).is_some_and(|group| !group.bonds().ties.is_empty());
                    if tied { search(question) } else { None }
                })
            }
            Truth::Two { .. } => search(question),
            Truth::One { .. } | Truth::Compared { .. } | Truth::Other => None,
        }
    }

    fn range(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, _: Price) -> Option<Range> {
        shapes.range(known, term)
    }
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
