//! Conditions over several variables, or over one that occurs more than once, from above in strided sets and known bits (ASE's forward transfer, and masks).

use super::{Layer, Question, forward};
use crate::knowledge::{Shapes, Truth};
use strata_domain::{Aim, Domain, KnownBits, MultiInterval, Strided, StridedSet};
use strata_query::Answer;
use strata_term::Term;

pub struct StridedSets;

impl Layer for StridedSets {
    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        match &question.shape.truth {
            Truth::One { exact: true, .. } | Truth::Compared { .. } => return None,
            Truth::One { .. } | Truth::Two { .. } | Truth::Other => {}
        }
        let known = |read: &Term| question.known.group(read)?.variable(read).map(|variable| variable.set.intervals());
        forward::decide(question, |read| known(read).map(|set| strided(&set)))
            .or_else(|| forward::decide(question, |read| known(read).and_then(|set| bits(&set))))
    }
}

fn strided(set: &MultiInterval) -> StridedSet {
    let members: Vec<Strided> = set.intervals().iter().map(|i| Strided::new(set.width(), i.lo, i.hi, 1)).collect();
    StridedSet::of_members(set.width(), &members, Aim::Above).set
}

/// The bits that all values between the bounds share.
fn bits(set: &MultiInterval) -> Option<KnownBits> {
    Some(KnownBits::of_range(set.width(), set.least()?, set.greatest()?))
}
