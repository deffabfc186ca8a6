//! Only the constraints that share inputs with the question, directly or through each other.
//!
//! The witness satisfies the rest, and the rest mentions none of the inputs that a model of the slice changes.

use super::{Layer, Question};
use crate::knowledge::Shapes;
use strata_query::{Answer, Path};
use strata_term::Term;

pub struct Slice;

impl Layer for Slice {
    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        let groups = question.known.groups(&question.shape.support);
        // The longest is taken as it is, so that the core recognises it; of equals, the one met first.
        let longest = (0..groups.len()).rev().max_by_key(|i| groups[*i].path.len());
        let mut path = longest.map_or_else(Path::default, |i| groups[i].path.clone());
        for (_, group) in groups.iter().enumerate().filter(|(i, _)| Some(*i) != longest) {
            let mut constraints: Vec<&Term> = group.path.iter().collect();
            constraints.reverse();
            constraints.into_iter().for_each(|constraint| path.push(constraint.clone()));
        }
        question.slice = Some((path, groups));
        None
    }
}
