//! Where the indices of a question lie: what the core asks before it builds a read.
//!
//! Three sources, all of them from above: what is known of the variables on the path, narrowed by carrying the newest constraints that matter forth and back
//! over these sets; the index carried forward over the result in strided sets, which gives the residue of an element; and what a layer says of its bounds. The core guards
//! what it builds, so what is said here decides what an answer costs and never what it is. The condition that is asked is left out: what is built for one side of a
//! branch is to serve the other one.

use crate::arrays::{Hints, Window};
use crate::below::{Plan, strided};
use crate::knowledge::{Known, Shapes};
use crate::layers::{Layer, forward};
use rustc_hash::FxHashMap;
use strata_domain::{Aim, Domain, Strided, StridedSet};
use strata_query::Path;
use strata_term::{Term, mask};

/// Constraints that are carried, at most: the newest. Few for a small table, whose tree costs less than carrying many.
const CONSTRAINTS: [usize; 2] = [8, 48];
/// From how many bytes on a table is large.
const LARGE: u64 = 1024;
/// How often.
const PASSES: usize = 2;

/// The indices of one question.
pub struct Indices<'a> {
    known: &'a Known,
    path: &'a Path,
    layers: &'a mut [(usize, Box<dyn Layer>)],
    shapes: &'a mut Shapes,
    /// Variables of the path with what is left of them, by id, after carrying so many constraints; made when an index is asked for.
    narrowed: (usize, FxHashMap<u32, StridedSet>),
    found: FxHashMap<u32, Option<Window>>,
}

impl<'a> Indices<'a> {
    /// At the end of `path`, a part of what led to `known`.
    pub fn new(
        known: &'a Known,
        path: &'a Path,
        layers: &'a mut [(usize, Box<dyn Layer>)],
        shapes: &'a mut Shapes,
    ) -> Indices<'a> {
        Indices { known, path, layers, shapes, narrowed: Default::default(), found: FxHashMap::default() }
    }

    fn narrow(&self, constraints: usize) -> FxHashMap<u32, StridedSet> {
        let constraints: Vec<Term> = self.path.iter().take(constraints).cloned().collect();
        let Some(mut plan) = Plan::new(&constraints) else { return FxHashMap::default() };
        let reads: Vec<Term> = plan.reads().cloned().collect();
        let mut sets: Vec<StridedSet> = reads.iter().map(|read| above(self.known, read)).collect();
        for _ in 0..PASSES {
            plan.run(&sets);
            // Nothing left: the question has no model, and the core will find that, too.
            let Some(left) = plan.back() else { break };
            sets = left;
        }
        reads.iter().map(Term::id).zip(sets).collect()
    }

    fn find(&mut self, index: &Term, worth: u64) -> Option<Window> {
        let constraints = CONSTRAINTS[usize::from(worth >= LARGE)];
        if worth > 0 && self.narrowed.0 < constraints {
            self.narrowed = (constraints, self.narrow(constraints));
        }
        let (known, narrowed) = (self.known, &self.narrowed.1);
        let set = forward::strided(index, |read| {
            Some(narrowed.get(&read.id()).cloned().unwrap_or_else(|| above(known, read)))
        })?;
        let last = |member: &Strided| if member.lo <= member.hi { member.hi } else { mask(index.width()) };
        let (mut least, mut most) = (set.least()?, set.members().iter().map(last).max()?);
        for (_, layer) in self.layers.iter_mut() {
            if let Some(range) = layer.range(known, index, self.shapes) {
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
        if let Some(found) = self.found.get(&index.id()) {
            return *found;
        }
        let found = self.find(index, worth);
        self.found.insert(index.id(), found);
        found
    }
}
