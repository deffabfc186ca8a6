//! What a question depends on: every term below what was asserted and what is assumed.
//!
//! An instance knows many more terms than a question has. Which of them matter is asked rarely (where a model has a read wrong that nobody else held to its array), so
//! nothing is walked until then, and what was asserted is walked once.

use rustc_hash::FxHashSet;
use strata_term::Term;

/// The terms below what was asserted.
#[derive(Default)]
pub struct Cone {
    reached: FxHashSet<u32>,
    /// Asserted and not walked yet.
    waiting: Vec<Term>,
}

impl Cone {
    /// Something was asserted.
    pub fn add(&mut self, facts: &[Term]) {
        self.waiting.extend_from_slice(facts);
    }

    /// A test whether a term, by its id, is below what was asserted or one of `assumptions`. All of them are held by the owner.
    pub fn with<'a>(&'a mut self, assumptions: &'a [Term]) -> impl FnMut(u32) -> bool + use<'a> {
        let mut own: Option<FxHashSet<u32>> = None;
        move |id| {
            let own = own.get_or_insert_with(|| {
                let waiting = std::mem::take(&mut self.waiting);
                walk(&waiting, &mut self.reached, &FxHashSet::default());
                let mut own = FxHashSet::default();
                walk(assumptions, &mut own, &self.reached);
                own
            });
            own.contains(&id) || self.reached.contains(&id)
        }
    }
}

/// Adds everything below `roots` that is not in `known`.
fn walk(roots: &[Term], reached: &mut FxHashSet<u32>, known: &FxHashSet<u32>) {
    let mut stack: Vec<&Term> = roots.iter().collect();
    while let Some(term) = stack.pop() {
        if !known.contains(&term.id()) && reached.insert(term.id()) {
            stack.extend(term.args());
        }
    }
}
