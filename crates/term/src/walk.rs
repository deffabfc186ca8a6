//! Walks over the DAG of a term, without recursion and visiting each node once.

use crate::op::Op;
use crate::store::Term;
use rustc_hash::FxHashSet;

/// The nodes a walk has visited, by id. Valid while the walk's roots are held.
pub type Seen = FxHashSet<u32>;

/// Every node reachable from `roots`, arguments before the terms that use them, each once.
pub fn post_order<'a>(roots: impl IntoIterator<Item = &'a Term>) -> Vec<&'a Term> {
    let mut seen = Seen::default();
    let mut order = Vec::new();
    let mut stack: Vec<(&Term, usize)> = Vec::new();
    for root in roots {
        if seen.insert(root.id()) {
            stack.push((root, 0));
        }
        while let Some((term, next)) = stack.last_mut() {
            match term.args().get(*next) {
                Some(arg) => {
                    *next += 1;
                    if seen.insert(arg.id()) {
                        stack.push((arg, 0));
                    }
                }
                None => {
                    order.push(*term);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// Steps of a walk that keeps no account of where it was.
const SHORT: usize = 64;

/// Is there a node with this operator? Most terms that somebody asks about are small: looking at a node twice is cheaper than noting each.
pub fn mentions(root: &Term, op: Op) -> bool {
    let mut stack = vec![root];
    for _ in 0..SHORT {
        let Some(term) = stack.pop() else { return false };
        if term.op() == op {
            return true;
        }
        stack.extend(term.args());
    }
    post_order([root]).into_iter().any(|term| term.op() == op)
}

/// The clauses in `roots`, each once.
pub fn clauses<'a>(roots: impl IntoIterator<Item = &'a Term>) -> Vec<&'a Term> {
    let (mut seen, mut found) = (Seen::default(), Vec::new());
    let mut stack: Vec<&Term> = roots.into_iter().filter(|root| root.has_clause()).collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term.id()) {
            continue;
        }
        if term.op() == Op::Forall {
            found.push(term);
        } else {
            stack.extend(term.args().iter().filter(|arg| arg.has_clause()));
        }
    }
    found
}

/// The symbols and array symbols that `roots` mention, each once, in the order in which a walk meets them.
pub fn inputs<'a>(roots: impl IntoIterator<Item = &'a Term>) -> Vec<&'a Term> {
    let mut order = post_order(roots);
    order.retain(|term| matches!(term.op(), Op::Symbol | Op::ArraySymbol));
    order
}
