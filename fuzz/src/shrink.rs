//! Makes a failing formula small: as long as it still fails, conditions are dropped and sub-terms are replaced by simpler ones.

use std::collections::HashMap;
use strata_term::{Op, Term, post_order};

/// The smallest formula found that `fails` still rejects; `fails(terms)` must hold.
pub fn shrink(terms: &[Term], mut fails: impl FnMut(&[Term]) -> bool) -> Vec<Term> {
    let mut smallest = terms.to_vec();
    loop {
        let Some(next) = candidates(&smallest).find(|candidate| fails(candidate)) else { return smallest };
        smallest = next;
    }
}

/// Formulas one step simpler, the boldest steps first.
fn candidates(terms: &[Term]) -> impl Iterator<Item = Vec<Term>> {
    let without = (0..terms.len()).filter(|_| terms.len() > 1).map(|i| {
        let mut fewer = terms.to_vec();
        fewer.remove(i);
        fewer
    });
    let mut order: Vec<Term> = post_order(terms).into_iter().cloned().collect();
    order.reverse();
    let replaced = order.into_iter().flat_map(simpler).map(|(from, to)| replace(terms, &from, &to));
    without.chain(replaced)
}

/// Terms that can stand in place of `term` and are simpler.
fn simpler(term: Term) -> Vec<(Term, Term)> {
    let mut by: Vec<Term> = term.args().iter().filter(|arg| arg.sort() == term.sort()).cloned().collect();
    if !term.is_array() && !term.is_const() {
        by.extend([Term::number(term.width(), 0), Term::number(term.width(), 1)]);
        if term.op() != Op::Symbol {
            by.push(Term::symbol(&format!("x{}", term.width()), term.width()));
        }
    }
    by.into_iter().filter(|to| *to != term).map(|to| (term.clone(), to)).collect()
}

fn replace(terms: &[Term], from: &Term, to: &Term) -> Vec<Term> {
    let mut done: HashMap<Term, Term> = HashMap::new();
    for term in post_order(terms) {
        let new = if term == from {
            to.clone()
        } else {
            let args: Vec<&Term> = term.args().iter().map(|arg| &done[arg]).collect();
            term.raw_with(&args)
        };
        done.insert(term.clone(), new);
    }
    terms.iter().map(|term| done[term].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_matters() {
        let (x, y) = (Term::symbol("x8", 8), Term::symbol("y8", 8));
        let product = Term::raw(Op::Mul, 8, 0, &[&x, &y]);
        let noise = Term::raw(Op::Add, 8, 0, &[&product, &Term::raw(Op::Sub, 8, 0, &[&y, &x])]);
        let condition = Term::raw(Op::Ult, 1, 0, &[&noise, &x]);
        let has_product = |terms: &[Term]| post_order(terms).iter().any(|term| term.op() == Op::Mul);
        let small = shrink(&[condition.clone(), condition], has_product);
        assert_eq!(small.len(), 1);
        assert!(post_order(&small).len() <= 4, "{small:?}");
    }
}
