//! Conditions over one wider variable, decided by intersection of multi-intervals (PARTI).
//!
//! The set of a condition comes from carrying its truth back to the variable (PARTI's learning stage applied to the question itself, which makes its decision an
//! intersection); what is known of the variable was learnt in the same way from the path. The argument is that of `bytes`, with one more case: a set that is not
//! exact is above, so that it proves *never* and nothing else. Conditions over several variables are decided bottom-up (`forward`); in PARTI's own manner that may say *either*,
//! which otherwise is left to `boxes`, and the sets have its left-shift attribute.

use super::forward::Tables;
use super::{Layer, Price, Question, Single, Spent, Worth, forward, intersect};
use crate::knowledge::{Known, Shapes, Truth};
use crate::manner::Manner;
use strata_domain::{MultiInterval, Shifted};
use strata_query::{Answer, Range};
use strata_term::Term;

#[derive(Default)]
pub struct Intervals {
    /// Of doing that.
    worth: Worth,
}

impl Layer for Intervals {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        let manner = shapes.manner();
        match &question.shape.truth {
            // Bytes have a layer of their own where they are functions of 256 points.
            Truth::One { read, set, exact } if read.width() != 8 || !manner.points() => {
                let answer = intersect(question, read, set, *exact);
                if answer.is_some() || *exact || manner == Manner::Everything {
                    return answer;
                }
            }
            Truth::One { .. } => return None,
            Truth::Compared { .. } | Truth::Two { .. } | Truth::Other => {}
        }
        match manner {
            Manner::Parti => forward::either(question, shapes, |set: &MultiInterval| Some(Shifted::from(set.clone()))),
            Manner::Everything if !self.worth.wanted(question.price) => None,
            Manner::Everything | Manner::Ase(_) => {
                let most = if manner == Manner::Everything { self.worth.left(question.price) } else { usize::MAX };
                let mut spent = Spent::upto(most.min(forward::BUDGET));
                let sets = |set: &MultiInterval| Some(set.clone());
                let answer = forward::decide(question, manner, Tables::Unread, sets, &mut spent);
                self.worth.tried(answer.is_some(), spent.nodes, question.price);
                answer
            }
        }
    }

    fn range(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, _: Price) -> Option<Range> {
        // For bytes others know more, and `strided` comes to this when they do not.
        if shapes.manner() == Manner::Everything && forward::over_bytes(term, shapes) {
            None
        } else {
            forward::range(known, term, shapes)
        }
    }

    fn single(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, _: Price) -> Option<Single> {
        let others = shapes.manner() == Manner::Everything && forward::over_bytes(term, shapes);
        if others { None } else { forward::single(known, term, shapes) }
    }
}
