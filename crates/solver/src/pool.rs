//! The pool of incremental solvers: the complete end of the stack.
//!
//! A question is put to the instance that has asserted the longest beginning of its path; if there is none, a new instance
//! is built. The pool is bounded in number and in bytes: the instance
//! used longest ago goes first. States never own an instance. What the first questions built in the hope of being the only ones is not kept for a second.
//!
//! Every model is evaluated on the question as it was asked before it leaves.

use crate::arrays::{ArrayStatistics, Hints, Ways};
use crate::clauses::{ClauseStatistics, Clauses};
use crate::instance::Instance;
use std::time::Duration;
use strata_query::{Answer, Budget, Path, Reason, Solver};
use strata_term::{Term, hold};

/// How many instances are kept.
const INSTANCES: usize = 8;
/// How many bytes all instances may occupy together.
const BYTES: usize = 1 << 30;

/// What a new instance costs beside what it is asked, in nodes that a layer computes.
const MAKING: u64 = 1000;

/// The complete solver.
#[derive(Default)]
pub struct Pool {
    /// Used longest ago first.
    instances: Vec<Instance>,
    ways: Ways,
    /// A second question came to an instance that was made for one.
    several: bool,
    figures: ArrayStatistics,
    /// What all have done so far.
    effort: u64,
    /// Processor time of searches on other threads than the caller's.
    elsewhere: Duration,
    clauses: Clauses,
}

impl Pool {
    /// One that uses of indices what `ways` says.
    pub fn new(ways: Ways) -> Pool {
        Pool { ways, ..Pool::default() }
    }

    /// Sets what of indices is used from now on; for a pool that was not asked yet.
    pub fn set_ways(&mut self, ways: Ways) {
        self.ways = ways;
    }

    /// How reads were encoded so far.
    pub fn figures(&self) -> &ArrayStatistics {
        &self.figures
    }

    /// What it has done so far, in nodes that a layer computes.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// Processor time of searches so far that was not the calling thread's.
    pub fn elsewhere(&self) -> Duration {
        self.elsewhere
    }

    /// How questions with clauses were answered so far.
    pub fn clauses(&self) -> &ClauseStatistics {
        &self.clauses.figures
    }

    /// Sets whether all instances of a clause are there from the start; for a pool that was not
    /// asked yet.
    pub fn set_expanding(&mut self, expanding: bool) {
        self.clauses.expanding = expanding;
    }

    /// Forgets everything but the figures.
    pub fn forget(&mut self) {
        self.instances.clear();
        self.clauses.forget();
    }

    /// Answers with the help of somebody who knows where indices are. The answer is the same without, or with one who is wrong.
    pub fn check_with(&mut self, path: &Path, assumptions: &[Term], budget: &Budget, hints: &mut dyn Hints) -> Answer {
        if !path.has_clauses() && !assumptions.iter().any(Term::has_clause) {
            return self.check_plain(path, assumptions, budget, hints);
        }
        let mut clauses = std::mem::take(&mut self.clauses);
        let mut core = |path: &Path, assumptions: &[Term]| self.check_plain(path, assumptions, budget, hints);
        let answer = clauses.solve(path, assumptions, budget, &mut core);
        self.clauses = clauses;
        if let Answer::Sat(model) = &answer {
            let question: Vec<&Term> = assumptions.iter().chain(path.iter()).collect();
            assert!(hold(&question, model), "a model does not satisfy its question");
        }
        answer
    }

    /// The same for a question without clauses.
    fn check_plain(&mut self, path: &Path, assumptions: &[Term], budget: &Budget, hints: &mut dyn Hints) -> Answer {
        let taken = self.take(path);
        self.several |= taken.as_ref().is_some_and(Instance::is_provisional);
        let taken = taken.filter(|instance| !instance.is_provisional() && !instance.is_worn());
        let used = taken.is_some();
        let mut instance = taken.unwrap_or_else(|| Instance::new(self.ways, !self.several));
        let before = instance.effort();
        let mut answer = instance.ask(path, assumptions, budget, hints);
        if used && answer == Answer::Unknown(Reason::Memory) {
            // What earlier questions left there does not count against this one.
            self.figures += instance.take_figures();
            self.elsewhere += instance.take_elsewhere();
            instance = Instance::new(self.ways, false);
            answer = instance.ask(path, assumptions, budget, hints);
        }
        self.figures += instance.take_figures();
        self.elsewhere += instance.take_elsewhere();
        self.effort += instance.effort().saturating_sub(before) + if used { 0 } else { MAKING };
        match &answer {
            Answer::Sat(model) => {
                let question: Vec<&Term> = assumptions.iter().chain(path.iter()).collect();
                assert!(hold(&question, model), "a model does not satisfy its question");
            }
            // What was cut short may be half built.
            Answer::Unknown(_) => return answer,
            Answer::Unsat => {}
        }
        self.put(instance);
        answer
    }

    fn take(&mut self, path: &Path) -> Option<Instance> {
        let mut best: Option<(usize, usize)> = None;
        for (number, instance) in self.instances.iter().enumerate() {
            let length = instance.path().len();
            let longer = best.is_none_or(|(_, most)| length > most);
            if longer && is_prefix(instance.path(), path) {
                best = Some((number, length));
            }
        }
        best.map(|(number, _)| self.instances.remove(number))
    }

    fn put(&mut self, instance: Instance) {
        self.instances.push(instance);
        let mut bytes: usize = self.instances.iter().map(Instance::memory).sum();
        while self.instances.len() > INSTANCES || bytes > BYTES && self.instances.len() > 1 {
            bytes -= self.instances.remove(0).memory();
        }
    }
}

fn is_prefix(shorter: &Path, path: &Path) -> bool {
    if shorter.is_empty() {
        return true;
    }
    shorter.len() <= path.len() && path.prefixes().nth(path.len() - shorter.len()).is_some_and(|p| p.same(shorter))
}

impl Solver for Pool {
    fn extend(&mut self, path: &mut Path, constraint: &Term) {
        path.push(constraint.clone());
    }

    fn check(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Answer {
        self.check_with(path, assumptions, budget, &mut ())
    }
}
