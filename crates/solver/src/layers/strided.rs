//! Conditions over several variables, or over one that occurs more than once, from above in strided sets and known bits (ASE's forward transfer, and masks).

use super::{Layer, Question, forward};
use crate::below::strided;
use crate::knowledge::{Shapes, Truth};
use crate::manner::Manner;
use strata_domain::{Aim, Domain, KnownBits, MultiInterval};
use strata_query::Answer;

pub struct StridedSets;

impl Layer for StridedSets {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        match &question.shape.truth {
            Truth::One { exact: true, .. } | Truth::Compared { .. } => return None,
            Truth::One { .. } | Truth::Two { .. } | Truth::Other => {}
        }
        let manner = shapes.manner();
        let answer = forward::decide(question, manner, |set| Some(strided(set, Aim::Above)));
        match manner {
            Manner::Everything => answer.or_else(|| forward::decide(question, manner, bits)),
            Manner::Parti | Manner::Ase(_) => answer,
        }
    }
}

/// The bits that all values between the bounds share.
fn bits(set: &MultiInterval) -> Option<KnownBits> {
    Some(KnownBits::of_range(set.width(), set.least()?, set.greatest()?))
}
