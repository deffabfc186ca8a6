//! Conditions over many bytes, decided byte by byte (`ladder`).
//!
//! Exact: all constraints that share a byte with the condition are solved with it, and no other mentions these bytes, so that a solution may take the place of the witness's values.

use super::worth::Worth;
use super::{Layer, Question};
use crate::knowledge::{Shapes, assign};
use crate::ladder::{Found, Ladders};
use strata_query::{Answer, Path};

/// How much more than others may be spent before there is an answer: ladders are kept.
const PATIENCE: i64 = 16;

pub struct Climbing {
    ladders: Ladders,
    worth: Worth,
}

impl Default for Climbing {
    fn default() -> Climbing {
        Climbing { ladders: Ladders::default(), worth: Worth::patient(PATIENCE) }
    }
}

impl Layer for Climbing {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        let support = &question.shape.support;
        if !support.whole.is_empty() || support.reads.iter().any(|read| read.width() != 8) || !self.worth.wanted() {
            return None;
        }
        let groups = question.known.groups(support);
        let mut paths: Vec<&Path> = groups.iter().map(|group| &group.path).collect();
        paths.sort_by_key(|path| std::cmp::Reverse(path.len()));
        let mut spent = 0;
        let found = self.ladders.solve(&paths, &question.condition, question.witness, shapes, &mut spent);
        self.worth.tried(found.is_some(), spent);
        Some(match found? {
            Found::Never => Answer::Unsat,
            Found::Solution(values) => {
                let mut model = question.witness.clone();
                values.iter().for_each(|(byte, value)| assign(&mut model, byte, *value));
                Answer::Sat(model)
            }
        })
    }
}
