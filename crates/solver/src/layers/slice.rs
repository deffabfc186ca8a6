//! Only the constraints that share inputs with the question, directly or through each other.
//!
//! The witness satisfies the rest, and the rest mentions none of the inputs that a model of the slice changes.

use super::{Layer, Question};
use crate::knowledge::Shapes;
use strata_query::Answer;

pub struct Slice;

impl Layer for Slice {
    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        question.take_slice();
        None
    }
}
