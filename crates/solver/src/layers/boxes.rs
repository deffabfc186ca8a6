//! Conditions decided by a point of a box (ASE's second abstraction, and beyond).
//!
//! Every point of a group's box satisfies the group, and no other constraint mentions its variables: so the witness, with the values of such a point put in for all
//! variables of the groups that the condition touches, satisfies the path. The condition is evaluated before that is given out. Never *infeasible*: that is for
//! the layers from above.

use super::{Layer, Question, Spent, Worth};
use crate::below::{VARIABLES, point};
use crate::knowledge::{Shapes, assign};
use crate::manner::Manner;
use strata_query::{Answer, Model};
use strata_term::eval;

/// Variables of the groups together, at most; cutting a box is cheaper than growing one.
const MOST: usize = 96;
const MOST_CUT: usize = 4096;

/// What an attempt costs besides, about, in nodes computed.
const COST: usize = 50;

#[derive(Default)]
pub struct Boxes {
    worth: Worth,
}

fn attempt(question: &Question<'_>, shapes: &mut Shapes, spent: &mut Spent) -> Option<Model> {
    let groups = question.groups();
    let most = if shapes.manner() == Manner::Everything { MOST } else { MOST_CUT };
    if groups.iter().map(|group| group.variables.len()).sum::<usize>() > most {
        return None;
    }
    let values = point(&question.condition, &groups, question.witness, shapes, spent)?;
    let mut model = question.witness.clone();
    values.iter().for_each(|(read, value)| assign(&mut model, read, *value));
    eval(&question.condition, &model).is_true().then_some(model)
}

impl Layer for Boxes {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        let support = &question.shape.support;
        if !support.whole.is_empty() || support.reads.len() > VARIABLES {
            return None;
        }
        // A published technique is asked whatever it costs.
        if shapes.manner() == Manner::Everything && !self.worth.wanted(question.price) {
            return None;
        }
        let mut spent = Spent { nodes: COST, most: self.worth.left(question.price) };
        let model = attempt(question, shapes, &mut spent);
        self.worth.tried(model.is_some(), spent.nodes, question.price);
        model.map(Answer::Sat)
    }
}
