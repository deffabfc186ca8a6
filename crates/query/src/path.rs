//! The path condition: constraints in the order in which they were met, shared between forks.
//!
//! A path is a list from its end to its start; extending one leaves every copy of the shorter one as it was, and copying is
//! one count. Two paths with a common beginning share it, and `Path::same` tells so without looking at
//! constraints: a solver that has seen a prefix recognises it.
//!
//! What a solver found out about the inputs on the way travels with the path, as a value that only the solver can read; forks share it
//! like the constraints. A path that was extended by somebody who keeps no knowledge has none, and nobody may take its absence for a fact.
//!
//! Dropping a path of a million constraints is a loop, not a recursion.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use strata_term::{Bits, Term};

/// What a solver knows at the end of a path.
pub trait Knowledge: Any + Send + Sync + fmt::Debug {
    /// The only value that `term`, an input, can have here, if the solver noticed that there is one.
    fn value(&self, term: &Term) -> Option<Bits>;

    /// The constraints in parts that share no input, in no order that means anything.
    fn parts(&self) -> Vec<Path>;

    /// For the solver that made it.
    fn as_any(&self) -> &dyn Any;
}

/// A persistent list of constraints. The default is the empty path.
#[derive(Clone, Debug, Default)]
pub struct Path(Option<Arc<Link>>);

#[derive(Debug)]
struct Link {
    constraint: Term,
    length: usize,
    /// Has this constraint, or one before it, a clause in it?
    clauses: bool,
    before: Path,
    knowledge: Option<Arc<dyn Knowledge>>,
}

impl Path {
    /// How many constraints there are.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.length)
    }

    /// Is it the empty path?
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Is there a bounded universal clause in a constraint?
    pub fn has_clauses(&self) -> bool {
        self.0.as_ref().is_some_and(|link| link.clauses)
    }

    /// The newest constraint.
    pub fn constraint(&self) -> Option<&Term> {
        self.0.as_ref().map(|link| &link.constraint)
    }

    /// The path without its newest constraint.
    pub fn before(&self) -> Option<&Path> {
        self.0.as_ref().map(|link| &link.before)
    }

    /// Adds a constraint at the end. For solvers: others go through `Solver::extend`.
    pub fn push(&mut self, constraint: Term) {
        self.push_known(constraint, None);
    }

    /// Adds a constraint and what is known with it.
    pub fn push_known(&mut self, constraint: Term, knowledge: Option<Arc<dyn Knowledge>>) {
        let length = self.len() + 1;
        let clauses = self.has_clauses() || constraint.has_clause();
        let before = std::mem::take(self);
        self.0 = Some(Arc::new(Link { constraint, length, clauses, before, knowledge }));
    }

    /// What the solver that extended this path knows.
    pub fn knowledge(&self) -> Option<&dyn Knowledge> {
        self.0.as_ref()?.knowledge.as_deref()
    }

    /// The only value that an input can have here, if the solver noticed that there is one.
    pub fn value(&self, input: &Term) -> Option<Bits> {
        self.knowledge()?.value(input)
    }

    /// The constraints, newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Term> {
        let mut at = self;
        std::iter::from_fn(move || {
            let link = at.0.as_ref()?;
            at = &link.before;
            Some(&link.constraint)
        })
    }

    /// This path and its beginnings, longest first, without the empty one.
    pub fn prefixes(&self) -> impl Iterator<Item = &Path> {
        let mut at = self;
        std::iter::from_fn(move || {
            let here = at;
            at = &here.0.as_ref()?.before;
            Some(here)
        })
    }

    /// The longest path that both extend.
    pub fn common(&self, other: &Path) -> Path {
        let shorter = self.len().min(other.len());
        let cut = |path: &Path| path.prefixes().nth(path.len() - shorter).cloned().unwrap_or_default();
        let (mut a, mut b) = (cut(self), cut(other));
        while !a.same(&b) {
            a = a.before().cloned().unwrap_or_default();
            b = b.before().cloned().unwrap_or_default();
        }
        a
    }

    /// What no other path has as long as this one is held.
    pub fn address(&self) -> usize {
        self.0.as_ref().map_or(0, |link| Arc::as_ptr(link) as usize)
    }

    /// Are both the same list, not just equal ones?
    pub fn same(&self, other: &Path) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }
}

impl Drop for Path {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.before.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_share_their_beginning() {
        let term = |name: &str| Term::symbol(name, 1);
        let mut left = Path::default();
        left.push(term("a"));
        let (prefix, mut right) = (left.clone(), left.clone());
        left.push(term("b"));
        right.push(term("c"));
        assert_eq!(left.iter().cloned().collect::<Vec<_>>(), [term("b"), term("a")]);
        assert_eq!(right.len(), 2);
        assert!(left.before().is_some_and(|p| p.same(&prefix)));
        assert!(!left.same(&right));
        assert!(left.common(&right).same(&prefix) && right.common(&prefix).same(&prefix));
        assert!(left.common(&left).same(&left) && left.common(&Path::default()).is_empty());
    }

    #[test]
    fn long_paths_drop_without_recursion() {
        let mut path = Path::default();
        for i in 0..1_000_000 {
            path.push(Term::symbol("x", 32).eq(&Term::number(32, i)));
        }
        assert_eq!(path.len(), 1_000_000);
        drop(path);
    }
}
