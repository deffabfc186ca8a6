//! A model of some instances is made one of all: stages two and three of the procedure (see `clauses`).
//!
//! Whether that worked is evaluated on the whole question, so nothing here can make an answer wrong.

use rustc_hash::{FxHashMap, FxHashSet};
use strata_query::Model;
use strata_term::{Op, Term, eval, hold, mask, post_order};

/// Upper bound on the constraints that are looked at one by one in a model: beyond, asking again costs less.
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
