//! Conditions decided by propagation over all constraints that matter (`below::search`).
//!
//! *Never* by sets from above; *possible* by a model that was evaluated on everything that mentions one of its variables.

use super::{Layer, Question, Spent, Worth};
use crate::below::{Verdict, search};
use crate::knowledge::Shapes;
use strata_query::Answer;

#[derive(Default)]
pub struct Search {
    worth: Worth,
}

impl Layer for Search {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        let support = &question.shape.support;
        if !support.whole.is_empty() || !self.worth.wanted(question.price) {
            return None;
        }
        let groups = question.groups();
        let mut spent = Spent::upto(self.worth.left(question.price));
        let verdict = search(&question.condition, &groups, question.witness, shapes, &mut spent);
        self.worth.tried(verdict.is_some(), spent.nodes, question.price);
        Some(match verdict? {
            Verdict::Never => Answer::Unsat,
            Verdict::Holds(values) => question.moved(&values),
        })
    }
}
