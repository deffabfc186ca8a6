//! A model of some instances is made one of all: stages two and three of the procedure (see
//! `clauses`).
//!
//! Whether that worked is evaluated on the whole question, so nothing here can make an answer
//! wrong.

use rustc_hash::{FxHashMap, FxHashSet};
use strata_query::Model;
use strata_term::{Op, Term, eval, hold, mask, post_order};

/// Upper bound on the constraints that are looked at one by one in a model: beyond, asking again
/// costs less.
const LOOKED: usize = 4096;

/// What made a model one of the question.
pub enum Stage {
    /// Cells were copied.
    Duplicated,
    /// And some were put back.
    Repaired,
}

/// The reads of each clause's body at places that its variable gives.
pub struct Fill {
    reads: FxHashMap<Term, Vec<Term>>,
}

impl Fill {
    pub fn new(clauses: &[Term]) -> Fill {
        let open = |clause: &Term| {
            let nodes = post_order([clause.arg(1)]).into_iter();
            let reads = nodes.filter(|node| node.op() == Op::Read && node.arg(0).op() == Op::ArraySymbol);
            (clause.clone(), reads.filter(|read| read.arg(1).is_open()).cloned().collect())
        };
        Fill { reads: clauses.iter().map(open).collect() }
    }

    /// A model of `whole`, all constraints, from one that violates some instances.
    pub fn fill(&self, model: &Model, violated: &[(Term, u64)], whole: &[&Term]) -> Option<(Model, Stage)> {
        let mut filled = model.clone();
        let mut changed: FxHashMap<(u32, u64), (Term, u8)> = FxHashMap::default();
        for (clause, instance) in violated {
            let width = clause.arg(0).width();
            for read in &self.reads[clause] {
                let at = |i: u64| eval(&read.arg(1).instance(&Term::number(width, i)), model).low_u64();
                let (from, to, array) = (at(1), at(*instance), read.arg(0));
                for byte in 0..u64::from(read.width() / 8) {
                    let places = [from, to].map(|index| index.wrapping_add(byte) & mask(array.width()));
                    let (value, old) = (model.get_cell(array, places[0]), model.get_cell(array, places[1]));
                    filled.set_cell(array, places[1], value);
                    changed.insert((array.id(), places[1]), (array.clone(), old));
                }
            }
        }
        if hold(whole, &filled) {
            return Some((filled, Stage::Duplicated));
        }
        if whole.len() > LOOKED {
            return None;
        }
        let wrong = whole.iter().filter(|constraint| !hold(&[**constraint], &filled));
        let plain: Vec<&Term> = wrong.copied().filter(|constraint| !constraint.has_clause()).collect();
        if plain.is_empty() {
            return None;
        }
        let mut back: FxHashSet<(u32, u64)> = FxHashSet::default();
        for read in post_order(plain).into_iter().filter(|node| node.op() == Op::Read) {
            let (array, index) = (read.arg(0), eval(read.arg(1), &filled).low_u64());
            let bytes = 0..u64::from(read.width() / 8);
            back.extend(bytes.map(|byte| (array.id(), index.wrapping_add(byte) & mask(array.width()))));
        }
        for (cell, (array, old)) in changed.iter().filter(|(cell, _)| back.contains(cell)) {
            filled.set_cell(array, cell.1, *old);
        }
        hold(whole, &filled).then_some((filled, Stage::Repaired))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(width: u32, value: u64) -> Term {
        Term::number(width, value)
    }

    /// A text that is not zero before place `k`, 8 there before it, and zero at place `n`.
    fn question() -> (Term, [Term; 4]) {
        let (s, k, n) = (Term::array("s", 32), Term::symbol("k", 8), Term::symbol("n", 8));
        let at = |index: &Term| s.read(&index.zext(32), 1);
        let before = |index: &Term| at(&index.sub(&number(8, 1)));
        let clause = Term::forall(&k, &before(&Term::bound(8)).ne(&number(8, 0)));
        let ends = at(&n).eq(&number(8, 0));
        let few = k.ult(&number(8, 11)).and(&k.ne(&number(8, 0)));
        let last = before(&k).eq(&number(8, 8));
        (s.clone(), [ends, few, last, clause])
    }

    fn model(array: &Term, text: &[u8]) -> Model {
        let mut model = Model::default();
        model.set_cells(array, 0, text);
        ["k", "n"].into_iter().for_each(|name| model.set(&Term::symbol(name, 8), strata_term::Bits::new(8, 7)));
        model
    }

    #[test]
    fn cells_are_copied_and_some_put_back() {
        let (s, constraints) = question();
        let whole: Vec<&Term> = constraints.iter().collect();
        let clause = constraints[3].clone();
        let fill = Fill::new(std::slice::from_ref(&clause));
        let violated = |model: &Model| crate::clauses::violated(std::slice::from_ref(&clause), model);
        // The read at `k - 1` gets back what it needs.
        let first = model(&s, &[1, 0, 0, 0, 0, 0, 8, 0]);
        assert_eq!(violated(&first).iter().map(|(_, i)| *i).collect::<Vec<_>>(), [2, 3, 4, 5, 6]);
        let mut all = violated(&first);
        all.push((clause.clone(), 7));
        let Some((repaired, Stage::Repaired)) = fill.fill(&first, &all, &whole) else { panic!("it can be repaired") };
        assert_eq!((0..8).map(|at| repaired.get_cell(&s, at)).collect::<Vec<_>>(), [1, 1, 1, 1, 1, 1, 8, 0]);
        // Only what is violated is copied, which is enough here.
        assert!(matches!(fill.fill(&first, &violated(&first), &whole), Some((_, Stage::Duplicated))));
        // Nothing helps where the first instance is wrong.
        let second = model(&s, &[0, 0, 0, 0, 0, 0, 8, 0]);
        assert!(fill.fill(&second, &violated(&second), &whole).is_none());
    }
}
