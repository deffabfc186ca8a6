//! Inputs that can have one value only on this path are replaced by it, conditions over one input that its values decide by what they are, and the condition is built
//! again. What becomes constant is answered: true by the witness (the path implies it), false by nothing at all.

use super::{Layer, Question};
use crate::knowledge::{Shapes, given};
use strata_query::{Answer, Knowledge};
use strata_term::{Substitution, Term, rebuild};

pub struct Simplify;

impl Layer for Simplify {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        let condition = if shapes.below().tables { decided(question, shapes) } else { fixed(question) }?;
        if condition.is_const() {
            return Some(if condition.is_true() { Answer::Sat(question.witness.clone()) } else { Answer::Unsat });
        }
        question.shape = shapes.of_left(&condition);
        question.condition = condition;
        None
    }
}

/// The condition with the inputs that have one value put in, if there are any.
fn fixed(question: &Question<'_>) -> Option<Term> {
    let value = |read: &Term| Some((read.clone(), Term::constant(question.known.value(read)?)));
    let fixed: Substitution = question.shape.support.reads.iter().filter_map(value).collect();
    (!fixed.is_empty()).then(|| rebuild(std::slice::from_ref(&question.condition), &fixed).remove(0))
}

/// The same, and with the conditions in it that the set of one input decides.
fn decided(question: &Question<'_>, shapes: &mut Shapes) -> Option<Term> {
    let pivots = shapes.pivots(&question.condition, &question.shape);
    given(&question.condition, &pivots, |read| question.known.group(read)?.variable(read), shapes)
}
