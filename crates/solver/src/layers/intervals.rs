//! Conditions over one wider variable, decided by intersection of multi-intervals (PARTI).
//!
//! The set of a condition comes from carrying its truth back to the variable (PARTI's learning stage applied to the question itself, which makes its decision an
//! intersection); what is known of the variable was learnt in the same way from the path. The argument is that of `bytes`, with one more case: a set that is not
//! exact is above, so that it proves *never* and nothing else. Conditions over several variables are decided bottom-up (`forward`).

use super::{Layer, Question, forward, intersect};
use crate::knowledge::{Shapes, Truth};
use strata_query::Answer;

pub struct Intervals;

impl Layer for Intervals {
    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        match &question.shape.truth {
            Truth::One { read, set, exact } if read.width() != 8 => intersect(question, read, set, *exact),
            Truth::One { .. } => None,
            Truth::Compared { .. } | Truth::Two { .. } | Truth::Other => forward::decide(question, |read| {
                question.known.group(read)?.variable(read).map(|variable| variable.set.intervals())
            }),
        }
    }
}
