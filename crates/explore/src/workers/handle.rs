//! A worker's solver.

use std::cell::RefCell;
use strata_query::{Answer, Budget, Model, Path, Range, Solver, Values};
use strata_solver::Stack;
use strata_term::Term;

/// The worker's solver, whose figures the worker reads while the machine owns the solver.
pub(super) struct Handle<'a>(pub(super) &'a RefCell<Stack>);

impl Solver for Handle<'_> {
    fn extend(&mut self, path: &mut Path, constraint: &Term) {
        self.0.borrow_mut().extend(path, constraint);
    }

    fn check(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Answer {
        self.0.borrow_mut().check(path, assumptions, budget)
    }

    fn ask(&mut self, path: &Path, witness: &Model, condition: &Term, budget: &Budget) -> Answer {
        self.0.borrow_mut().ask(path, witness, condition, budget)
    }

    fn range(&mut self, path: &Path, term: &Term) -> Option<Range> {
        self.0.borrow_mut().range(path, term)
    }

    fn values(&mut self, path: &Path, term: &Term) -> Option<Values> {
        self.0.borrow_mut().values(path, term)
    }

    fn single(&mut self, path: &Path, term: &Term) -> Option<u64> {
        self.0.borrow_mut().single(path, term)
    }

    fn holds(&mut self, condition: &Term, model: &Model) -> bool {
        self.0.borrow_mut().holds(condition, model)
    }
}
