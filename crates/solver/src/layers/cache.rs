//! Earlier answers to the same condition.
//!
//! An answer is kept with the constraints it was given for. Unsatisfiable under some constraints is unsatisfiable under more. A model for some constraints
//! serves for others if it satisfies them, which evaluation tells: models of fewer constraints may, models of more constraints must. Constraints are
//! compared as sets of terms; an entry holds its terms, so that an id means the same term for as long as it is compared.

use super::{Layer, Question};
use crate::knowledge::Shapes;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use strata_query::{Answer, Model};
use strata_term::{Term, hold};

/// Answers kept for one condition.
const EACH: usize = 8;
/// Conditions kept before all are forgotten.
const KEPT: usize = 20_000;
/// A model is tried on so many constraints at most: beyond, asking the core is not much dearer.
const TRIED: usize = 256;

struct Entry {
    /// By id.
    constraints: Vec<Term>,
    /// Unsatisfiable without one.
    model: Option<Arc<Model>>,
}

#[derive(Default)]
pub struct Cache {
    known: FxHashMap<Term, Vec<Entry>>,
}

fn sorted(question: &Question<'_>) -> Vec<Term> {
    let mut constraints: Vec<Term> = question.constraints().iter().cloned().collect();
    constraints.sort_unstable_by_key(Term::id);
    constraints.dedup();
    constraints
}

fn within(small: &[Term], large: &[Term]) -> bool {
    small.len() <= large.len() && small.iter().all(|term| large.binary_search_by_key(&term.id(), Term::id).is_ok())
}

impl Layer for Cache {
    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        let entries = self.known.get(&question.condition)?;
        let constraints = sorted(question);
        for entry in entries.iter().rev() {
            match &entry.model {
                None if within(&entry.constraints, &constraints) => return Some(Answer::Unsat),
                Some(model) if within(&constraints, &entry.constraints) => {
                    return Some(Answer::Sat(question.complete((**model).clone())));
                }
                None | Some(_) => {}
            }
        }
        if constraints.len() > TRIED {
            return None;
        }
        // The condition holds under them: they were found for it. The newest constraints are what most of them fail.
        let newest: Vec<&Term> = question.constraints().iter().collect();
        let mut models = entries.iter().rev().filter_map(|entry| entry.model.as_ref());
        let found = models.find(|model| hold(&newest, model))?;
        Some(Answer::Sat(question.complete((**found).clone())))
    }

    fn learn(&mut self, question: &Question<'_>, answer: &Answer) {
        let model = match answer {
            Answer::Sat(model) => Some(Arc::new(model.clone())),
            Answer::Unsat => None,
            Answer::Unknown(_) => return,
        };
        if self.known.len() > KEPT {
            self.known.clear();
        }
        let entries = self.known.entry(question.condition.clone()).or_default();
        if entries.len() == EACH {
            entries.remove(0);
        }
        entries.push(Entry { constraints: sorted(question), model });
    }
}
