//! Conditions over one byte, decided by intersection of exact sets.
//!
//! The condition holds for exactly the values of its set, whatever operators and tables stand between. Never, by any group: what is known of the byte is above,
//! so an empty intersection proves it. Possible only where the byte is a group of its own and its set is exact: then each value in
//! the intersection, put in place of the witness's, satisfies the path, because no constraint outside the group mentions the byte.

use super::{Layer, Question, intersect};
use crate::knowledge::{Shapes, Truth};
use strata_query::Answer;

pub struct ByteSets;

impl Layer for ByteSets {
    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        match &question.shape.truth {
            Truth::One { read, set, exact } if read.width() == 8 => intersect(question, read, set, *exact),
            Truth::One { .. } | Truth::Compared { .. } | Truth::Other => None,
        }
    }
}
