//! Inputs that can have one value only on this path are replaced by it, and the condition is built again. What becomes constant is answered: true by the witness
//! (the path implies it), false by nothing at all.

use super::{Layer, Question};
use crate::knowledge::Shapes;
use strata_query::{Answer, Knowledge};
use strata_term::{Substitution, Term, rebuild};

pub struct Simplify;

impl Layer for Simplify {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        let mut fixed = Substitution::default();
        for read in &question.shape.support.reads {
            if let Some(value) = question.known.value(read) {
                fixed.insert(read.clone(), Term::constant(value));
            }
        }
        if fixed.is_empty() {
            return None;
        }
        question.condition = rebuild(std::slice::from_ref(&question.condition), &fixed).remove(0);
        if question.condition.is_const() {
            let holds = question.condition.is_true();
            return Some(if holds { Answer::Sat(question.witness.clone()) } else { Answer::Unsat });
        }
        question.shape = shapes.of(&question.condition);
        None
    }
}
