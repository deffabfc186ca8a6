//! Conditions over groups with few solutions, decided on all of them (`below::points`).
//!
//! Every solution of the groups is looked at, so none with the condition proves *never*; one with it, put in place of the witness's values, satisfies the path, because no
//! constraint outside the groups mentions their variables.

use super::{Layer, Question, Worth};
use crate::below::{Verdict, verdict};
use crate::knowledge::Shapes;
use strata_query::Answer;

/// Variables of the groups together, at most.
const MOST: usize = 24;

/// How many times as much as others it is given: what it computes for a group serves all questions after it.
const GIVEN: i64 = 5;

pub struct AllPoints {
    worth: Worth,
}

impl Default for AllPoints {
    fn default() -> AllPoints {
        AllPoints { worth: Worth::patient(1, GIVEN) }
    }
}

impl Layer for AllPoints {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        let support = &question.shape.support;
        if !support.whole.is_empty() || support.reads.len() > MOST {
            return None;
        }
        let groups = question.groups();
        if groups.iter().map(|group| group.variables.len()).sum::<usize>() > MOST || !self.worth.wanted(question.price)
        {
            return None;
        }
        let mut spent = 0;
        let verdict = verdict(&question.condition, &groups, shapes, &mut spent);
        self.worth.tried(verdict.is_some(), spent, question.price);
        Some(match verdict? {
            Verdict::Never => Answer::Unsat,
            Verdict::Holds(values) => question.moved(&values),
        })
    }
}
