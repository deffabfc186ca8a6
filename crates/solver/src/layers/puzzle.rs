//! The variables of the groups that a question touches, with the values that each can have: what `bytes` and `order` search in.

use super::Question;
use crate::knowledge::{Group, Set, assign, cells, value};
use std::borrow::Cow;
use std::sync::Arc;
use strata_query::Answer;
use strata_term::Term;

pub struct Puzzle<'a> {
    pub reads: Vec<&'a Term>,
    pub sets: Vec<Cow<'a, Set>>,
    /// The groups, and where the variables of each begin.
    pub groups: Vec<(&'a Group, usize)>,
}

impl<'a> Puzzle<'a> {
    pub fn of(groups: &'a [Arc<Group>]) -> Puzzle<'a> {
        let mut puzzle = Puzzle { reads: Vec::new(), sets: Vec::new(), groups: Vec::new() };
        for group in groups {
            puzzle.groups.push((group, puzzle.reads.len()));
            puzzle.reads.extend(group.variables.iter().map(|variable| &variable.read));
            puzzle.sets.extend(group.variables.iter().map(|variable| Cow::Borrowed(&variable.set)));
        }
        puzzle
    }

    /// The place of a variable, entered if it is new; `None` if it overlaps another.
    pub fn place(&mut self, read: &'a Term) -> Option<usize> {
        if let Some(place) = self.reads.iter().position(|known| *known == read) {
            return Some(place);
        }
        let overlaps = |other: &&Term| cells(other).any(|cell| cells(read).any(|own| own == cell));
        if self.reads.iter().any(overlaps) {
            return None;
        }
        self.reads.push(read);
        self.sets.push(Cow::Owned(Set::full(read.width())));
        Some(self.reads.len() - 1)
    }

    /// Narrows a variable's values; false if the result is more than what is in both.
    pub fn narrow(&mut self, place: usize, set: &Set) -> bool {
        let met = self.sets[place].meet(set);
        let exact = met.is_exact();
        self.sets[place] = Cow::Owned(met.set);
        exact
    }

    /// The witness with other values for the variables.
    pub fn solved(&self, question: &Question<'_>, values: impl Iterator<Item = u64>) -> Answer {
        let mut model = question.witness.clone();
        for (read, other) in self.reads.iter().zip(values) {
            if value(read, question.witness) != other {
                assign(&mut model, read, other);
            }
        }
        Answer::Sat(model)
    }
}
