//! Where the indices of a question lie: what the core asks before it builds a read.
//!
//! Three sources, all of them from above: what is known of the variables on the path, narrowed by carrying the newest constraints that matter forth and back
//! over these sets; the index carried forward over the result in strided sets, which gives the residue of an element; and what a layer says of its bounds. The core guards
//! what it builds, so what is said here decides what an answer costs and never what it is. The condition that is asked is left out: what is built for one side of a
//! branch is to serve the other one.

use crate::arrays::{Hints, Window};
use crate::below::{Plan, strided};
use crate::knowledge::{Known, Shapes};
use crate::layers::{Layer, Price, Spent, Worth, forward};
use rustc_hash::FxHashMap;
use strata_domain::{Aim, Domain, Strided, StridedSet};
use strata_query::{Model, Path};
use strata_term::{Term, mask};

/// Constraints that are carried, at most: the newest.
const CONSTRAINTS: usize = 48;
/// Paths with no more constraints are looked at for any table, and carried: that is cheap.
const SHORT: usize = 8;
/// A table with fewer bytes is not worth more than that: its tree costs less than finding out where its index is.
const SMALL: u64 = 256;
/// One with fewer is not worth carrying constraints for.
const LARGE: u64 = 1024;
/// How often.
const PASSES: usize = 2;

/// The indices of one question.
pub struct Indices<'a> {
    known: &'a Known,
    path: &'a Path,
    witness: Option<&'a Model>,
    layers: &'a mut [(usize, Box<dyn Layer>)],
    shapes: &'a mut Shapes,
    price: Price,
    /// Does looking pay? It does where much less than the table is left.
    worth: &'a mut Worth,
    /// Variables of the path with what is left of them, by id; made when an index is asked for that is worth it.
    narrowed: Option<FxHashMap<u32, StridedSet>>,
    /// What was said, by the id of the index, and for how large a table.
    found: FxHashMap<u32, (u64, Option<Window>)>,
}

impl<'a> Indices<'a> {
    /// At the end of `path`, a part of what led to `known`, of which `witness`, if there is one, is a model.
    pub fn new(
        known: &'a Known,
        path: &'a Path,
        witness: Option<&'a Model>,
        layers: &'a mut [(usize, Box<dyn Layer>)],
        shapes: &'a mut Shapes,
        price: Price,
        worth: &'a mut Worth,
    ) -> Indices<'a> {
        Indices { known, path, witness, layers, shapes, price, worth, narrowed: None, found: FxHashMap::default() }
    }

    fn narrow(&self, spent: &mut Spent) -> FxHashMap<u32, StridedSet> {
        let constraints: Vec<Term> = self.path.iter().take(CONSTRAINTS).cloned().collect();
        let Some(mut plan) = Plan::new(&constraints) else { return FxHashMap::default() };
        let reads: Vec<Term> = plan.reads().cloned().collect();
        let mut sets: Vec<StridedSet> = reads.iter().map(|read| above(self.known, read)).collect();
        for _ in 0..PASSES {
            // Sets that were not narrowed are above, too.
            if plan.spent > spent.most {
                break;
            }
            plan.run(&sets);
            // Nothing left: the question has no model, and the core will find that, too.
            let Some(left) = plan.back() else { break };
            sets = left;
        }
        spent.nodes += plan.spent;
        reads.iter().map(Term::id).zip(sets).collect()
    }

    fn find(&mut self, index: &Term, worth: u64, spent: &mut Spent) -> Option<Window> {
        let short = self.path.len() <= SHORT;
        if worth < SMALL && !short {
            return None;
        }
        if self.narrowed.is_none() && (short || worth >= LARGE) {
            self.narrowed = Some(self.narrow(spent));
        }
        let (known, narrowed) = (self.known, self.narrowed.as_ref());
        let of = |read: &Term| {
            let left = narrowed.and_then(|narrowed| narrowed.get(&read.id()).cloned());
            Some(left.unwrap_or_else(|| above(known, read)))
        };
        let set = forward::above(index, of, spent)?;
        let last = |member: &Strided| if member.lo <= member.hi { member.hi } else { mask(index.width()) };
        let (mut least, mut most) = (set.least()?, set.members().iter().map(last).max()?);
        // Without a constraint its shape says all.
        for (_, layer) in self.layers.iter_mut().take_while(|_| !self.path.is_empty()) {
            if let Some(range) = layer.range(known, index, self.shapes, self.price) {
                (least, most) = (least.max(range.least), most.min(range.most));
            }
        }
        // All residues are those of the first member, as far as the strides and the distances go.
        let first = set.members().first()?.lo;
        let steps = set.members().iter().flat_map(|member| [member.stride, member.lo.wrapping_sub(first)]);
        let step = steps.fold(0, |step, distance| step | distance);
        let stride = if step == 0 { 1 } else { 1 << step.trailing_zeros() };
        Window::new(first & (stride - 1), u64::MAX, stride)?.meet(&Window::new(least, most, 1)?)
    }
}

/// What is known of a variable.
fn above(known: &Known, read: &Term) -> StridedSet {
    let variable = known.group(read).and_then(|group| group.variable(read));
    variable.map_or_else(|| StridedSet::full(read.width()), |variable| strided(&variable.set.intervals(), Aim::Above))
}

impl Hints for Indices<'_> {
    fn window(&mut self, index: &Term, worth: u64) -> Option<Window> {
        match self.found.get(&index.id()) {
            Some((before, found)) if found.is_some() || *before >= worth => return *found,
            Some(_) | None => {}
        }
        let found = if self.worth.wanted(self.price) {
            let mut spent = Spent { nodes: 1, most: self.worth.left(self.price) };
            let found = self.find(index, worth, &mut spent);
            let gained = found.is_some_and(|window| window.extent() <= worth / 2);
            self.worth.tried(gained, spent.nodes, self.price);
            found
        } else {
            None
        };
        self.found.insert(index.id(), (worth, found));
        found
    }

    fn near(&self) -> Option<&Model> {
        self.witness
    }
}

#[cfg(test)]
mod tests {
    use crate::{Backend, Selection, Stack};
    use std::sync::Arc;
    use strata_query::{Answer, Budget, Model, Path, Solver};
    use strata_term::{Bits, Term};

    /// Paths with other windows of one long table, on one core: each pays for its own, and is answered rightly.
    #[test]
    fn siblings_pay_for_what_they_reach() {
        let number = |value: u64| Term::number(32, value);
        let contents: Vec<u8> = (0..4096u32).flat_map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let table = Term::constant_array(32, Arc::from(contents));
        let i = Term::symbol("i", 32);
        let read = table.read(&i.mul(&number(4)), 4);
        let layers = Selection::parse("types,windows").expect("both are known");
        let mut stack = Stack::new(layers, Backend::Builtin(Box::default()), None);
        let mut before = 0;
        for least in [100u64, 2000, 300, 2008] {
            let mut path = Path::default();
            for bound in [number(least - 1).ult(&i), i.ult(&number(least + 16))] {
                stack.extend(&mut path, &bound);
            }
            let mut witness = Model::default();
            witness.set(&i, Bits::new(32, least));
            for (at, possible) in [(least + 7, true), (least + 16, false)] {
                let value = table.read(&number(4 * at), 4);
                let answer = stack.ask(&path, &witness, &read.eq(&value), &Budget::default());
                assert_eq!(matches!(answer, Answer::Sat(_)), possible, "{at}: {answer:?}");
            }
            let figures = stack.statistics().arrays;
            // Sixteen elements, or these and a block of a few times as many.
            assert!(figures.generated - before <= 4 * 1024, "{figures:?}");
            before = figures.generated;
        }
        let figures = stack.statistics().arrays;
        assert_eq!((figures.windows, figures.elements), (1, 1), "{figures:?}");
    }
}
