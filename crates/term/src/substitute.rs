//! Rebuilding terms bottom-up with the simplifying constructors: substitution, and re-simplification of raw terms.

use crate::store::Term;
use rustc_hash::FxHashMap;

/// What is put in place of what. Replacements are not searched again.
pub type Substitution = FxHashMap<Term, Term>;

/// `roots` with the substitution applied and everything above a change rebuilt. Equal sub-terms are rebuilt once.
///
/// Bodies of clauses are rebuilt like everything else; their bound variable stays. A replacement
/// with a bound variable is for terms without a clause only: a clause would capture it.
pub fn rebuild(roots: &[Term], substitution: &Substitution) -> Vec<Term> {
    let captures = || roots.iter().any(Term::has_clause) && substitution.values().any(Term::is_open);
    assert!(!captures(), "a clause would capture the bound variable of a replacement");
    let mut done: FxHashMap<u32, Term> = FxHashMap::default();
    let mut stack: Vec<(&Term, bool)> = roots.iter().map(|root| (root, false)).collect();
    while let Some((term, ready)) = stack.pop() {
        if done.contains_key(&term.id()) {
            continue;
        }
        if let Some(replacement) = substitution.get(term) {
            done.insert(term.id(), replacement.clone());
            continue;
        }
        if !ready && !term.args().is_empty() {
            stack.push((term, true));
            stack.extend(term.args().iter().map(|arg| (arg, false)));
            continue;
        }
        let args: Vec<&Term> = term.args().iter().map(|arg| &done[&arg.id()]).collect();
        let rebuilt = term.with(&args);
        done.insert(term.id(), rebuilt);
    }
    roots.iter().map(|root| done[&root.id()].clone()).collect()
}
