//! The path condition: constraints in the order in which they were met, shared between forks.
//!
//! A path is a list from its end to its start; extending one leaves every copy of the shorter one as it was, and copying is
//! one count. Two paths with a common beginning share it, and `Path::same` tells so without looking at
//! constraints: a solver that has seen a prefix recognises it.
//!
//! Dropping a path of a million constraints is a loop, not a recursion.

use std::sync::Arc;
use strata_term::Term;

/// A persistent list of constraints. The default is the empty path.
#[derive(Clone, Debug, Default)]
pub struct Path(Option<Arc<Link>>);

#[derive(Debug)]
struct Link {
    constraint: Term,
    length: usize,
    before: Path,
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
        let length = self.len() + 1;
        let before = std::mem::take(self);
        self.0 = Some(Arc::new(Link { constraint, length, before }));
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
