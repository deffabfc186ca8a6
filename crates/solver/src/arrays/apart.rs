//! Where two indices can meet, whatever the inputs are: what their strides say, and what both have in common.
//!
//! The constant low literals of an index are its residue modulo a power of two, and comparing literals finds what follows from it. A record of six bytes has fields at
//! `6 * i + 2`, and no literal says that this is never `6 * j + 4`: the SAT solver would prove it for each two accesses, again and again. Strided sets say so at once. And fields
//! at one distance from their records meet where the records do: `i = j` is asked once for all bytes, not sums of products for each.
//!
//! Sound: sets are carried from inputs that can be anything, so what is said is true on all paths, and on whatever path the literals are used.

use crate::layers::{Spent, forward};
use rustc_hash::FxHashMap;
use strata_domain::{Aim, Apply, Domain, StridedSet};
use strata_term::{Op, Term, mask};

/// Nodes computed for an index, at most.
const NODES: usize = 500;

/// Where indices can be, by their ids; whoever keeps this keeps the terms.
#[derive(Default)]
pub struct Spots {
    /// Nothing for one that can be anywhere.
    found: FxHashMap<u32, Option<StridedSet>>,
}

impl Spots {
    /// Where a byte `plus` behind an index can be; `None` if that is anywhere.
    pub fn of(&mut self, index: &Term, plus: u64) -> Option<StridedSet> {
        let set = self.at(index)?;
        if plus == 0 {
            return Some(set.clone());
        }
        let width = index.width();
        let plus = StridedSet::constant(width, plus);
        StridedSet::forward(&Apply::new(Op::Add, width), &[set, &plus], Aim::Above).map(|image| image.set)
    }

    /// Is an index surely at none of `spots`?
    pub fn is_apart(&mut self, index: &Term, spots: &StridedSet) -> bool {
        self.at(index).is_some_and(|set| set.meet(spots, Aim::Above).set.is_empty())
    }

    /// Two terms that agree where a byte `plus` behind `one` is the byte at `other`, and nowhere else, if these are at one distance from something.
    pub fn bases<'a>(&mut self, one: &'a Term, plus: u64, other: &'a Term) -> Option<(&'a Term, &'a Term)> {
        let ((one, near), (other, far)) = (distance(one), distance(other));
        let apart = near.wrapping_add(plus).wrapping_sub(far) & mask(one.width());
        (apart == 0).then(|| self.without_factor(one, other))
    }

    /// What both are multiples of is left out. Sound: where no multiple wraps, multiplying tells different numbers apart.
    fn without_factor<'a>(&mut self, one: &'a Term, other: &'a Term) -> (&'a Term, &'a Term) {
        let factor = |term: &Term| (term.op() == Op::Mul).then(|| term.arg(1).const_u64()).flatten();
        let Some(by) = factor(one).filter(|by| *by != 0 && factor(other) == Some(*by)) else { return (one, other) };
        let most = mask(one.width()) / by;
        let mut fits = |term: &Term| {
            let set = self.at(term);
            set.is_some_and(|set| set.members().iter().all(|member| member.lo <= member.hi && member.hi <= most))
        };
        if fits(one.arg(0)) && fits(other.arg(0)) { (one.arg(0), other.arg(0)) } else { (one, other) }
    }

    fn at(&mut self, index: &Term) -> Option<&StridedSet> {
        let entry = self.found.entry(index.id());
        let set = entry.or_insert_with(|| {
            let anything = |read: &Term| Some(StridedSet::full(read.width()));
            let set = forward::above(index, anything, &mut Spent::upto(NODES))?;
            (!set.is_full()).then_some(set)
        });
        set.as_ref()
    }
}

/// An index as something, and how far behind it.
fn distance(index: &Term) -> (&Term, u64) {
    match (index.op(), index.args()) {
        (Op::Add, [base, by]) => by.const_u64().map_or((index, 0), |by| (base, by)),
        _ => (index, 0),
    }
}
