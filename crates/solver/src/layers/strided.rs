//! Conditions over several variables, or over one that occurs more than once, from above in strided sets and known bits (ASE's forward transfer, and masks).

use super::forward::Tables;
use super::{Layer, Price, Question, Single, Spent, Worth, forward};
use crate::below::strided;
use crate::knowledge::{Known, Shapes, Truth};
use crate::manner::Manner;
use strata_domain::{Aim, Domain, KnownBits, MultiInterval};
use strata_query::{Answer, Range};
use strata_term::Term;

#[derive(Default)]
pub struct StridedSets {
    worth: Worth,
}

impl Layer for StridedSets {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        match &question.shape.truth {
            Truth::One { exact: true, .. } | Truth::Compared { .. } => return None,
            Truth::One { .. } | Truth::Two { .. } | Truth::Other => {}
        }
        let manner = shapes.manner();
        let everything = manner == Manner::Everything;
        // A published technique is asked whatever it costs.
        if everything && !self.worth.wanted(question.price) {
            return None;
        }
        let most = if everything { self.worth.left(question.price) } else { usize::MAX };
        let mut spent = Spent::upto(most.min(forward::BUDGET));
        let sets = |set: &MultiInterval| Some(strided(set, Aim::Above));
        let answer = forward::decide(question, manner, Tables::Read, sets, &mut spent);
        let answer = answer.or_else(|| {
            if everything { forward::decide(question, manner, Tables::Read, bits, &mut spent) } else { None }
        });
        self.worth.tried(answer.is_some(), spent.nodes, question.price);
        answer
    }

    fn range(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, _: Price) -> Option<Range> {
        // What `intervals` left to those who know more of bytes.
        let left = shapes.manner() == Manner::Everything && forward::over_bytes(term, shapes);
        if left { forward::range(known, term, shapes) } else { None }
    }

    fn single(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, _: Price) -> Option<Single> {
        let left = shapes.manner() == Manner::Everything && forward::over_bytes(term, shapes);
        if left { forward::single(known, term, shapes) } else { None }
    }
}

/// The bits that all values between the bounds share.
fn bits(set: &MultiInterval) -> Option<KnownBits> {
    Some(KnownBits::of_range(set.width(), set.least()?, set.greatest()?))
}
