//! Where two indices can meet, whatever the inputs are: what their strides say, and what both have in common.
//!
//! The constant low literals of an index are its residue modulo a power of two, and comparing literals finds what follows from it. A record of six bytes has fields at
//! `6 * i + 2`, and no literal says that this is never `6 * j + 4`: the SAT solver would prove it for each two accesses, again and again. Strided sets say so at once. And fields
//! at one distance from their records meet where the records do: `i = j` is asked once for all bytes, not sums of products for each.
//!
//! Sound: sets are carried from inputs that can be anything, so what is said is true on all paths, and on whatever path the literals are used.

use crate::layers::{Spent, forward};
use rustc_hash::FxHashMap;
use strata_domain::{Aim, Apply, Domain, Strided, StridedSet};
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

    /// What both are multiples of is left out. Sound: two numbers have the same multiple where their difference is a multiple of two to the width less the factor's
    /// trailing zeros, so numbers that all lie closer together, around zero or above it, are told apart.
    fn without_factor<'a>(&mut self, one: &'a Term, other: &'a Term) -> (&'a Term, &'a Term) {
        let factor = |term: &Term| (term.op() == Op::Mul).then(|| term.arg(1).const_u64()).flatten();
        let Some(by) = factor(one).filter(|by| *by != 0 && factor(other) == Some(*by)) else { return (one, other) };
        let all = mask(one.width());
        let span = all >> by.trailing_zeros();
        let mut lies = |term: &Term, below: u64| {
            let inside = |member: &Strided| {
                let (lo, hi) = (member.lo.wrapping_add(below) & all, member.hi.wrapping_add(below) & all);
                lo <= hi && hi <= span
            };
            self.at(term).is_some_and(|set| set.members().iter().all(inside))
        };
        let apart = [0, span / 2 + 1].into_iter().any(|below| lies(one.arg(0), below) && lies(other.arg(0), below));
        if apart { (one.arg(0), other.arg(0)) } else { (one, other) }
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
    if let (Op::Add, [base, by]) = (index.op(), index.args())
        && let Some(by) = by.const_u64()
    {
        (base, by)
    } else {
        (index, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_term::{Assignment, Bits, eval};

    const WIDTH: u32 = 8;

    /// Fields of records of all sizes, some of which wrap.
    fn indices(symbol: &Term) -> Vec<Term> {
        let number = |value: u64| Term::number(WIDTH, value);
        let sizes = [1, 2, 3, 5, 6, 12, 40, 48, 64, 86, 96, 255].into_iter();
        sizes
            .flat_map(|size| [3, 7, 15].map(|last| symbol.and(&number(last)).mul(&number(size))))
            .chain([2, 4, 5, 6].map(|bits| symbol.extract(bits - 1, 0).sext(WIDTH).mul(&number(24))))
            .chain([symbol.clone(), number(17), symbol.udiv(&number(10)).mul(&number(7))])
            .flat_map(|base| [0, 1, 2, 5, 250].map(|field| base.add(&number(field))))
            .collect()
    }

    /// What is said of two indices holds for all values of the inputs: they never meet, or meet where their bases do.
    #[test]
    fn all_pairs_of_indices() {
        let (x, y) = (Term::symbol("x", WIDTH), Term::symbol("y", WIDTH));
        let values = |symbol: &Term, term: &Term| -> Vec<u64> {
            (0..40)
                .map(|value| {
                    let mut assignment = Assignment::default();
                    assignment.set(symbol, Bits::new(WIDTH, 37 * value % 256));
                    eval(term, &assignment).low_u64()
                })
                .collect()
        };
        let (mut apart, mut shared, mut reduced) = (0, 0, 0);
        let (ones, others) = (indices(&x), indices(&y));
        for (one, at_one) in ones.iter().map(|one| (one, values(&x, one))) {
            for (other, at_other) in others.iter().map(|other| (other, values(&y, other))) {
                let mut spots = Spots::default();
                for plus in [0, 1, 4] {
                    let meets = |a: u64, b: u64| (a + plus) % 256 == b;
                    if spots.of(one, plus).is_some_and(|set| spots.is_apart(other, &set)) {
                        apart += 1;
                        assert!(
                            !at_one.iter().any(|a| at_other.iter().any(|b| meets(*a, *b))),
                            "{one:?} {plus} {other:?}"
                        );
                    }
                    if let Some((first, second)) = spots.bases(one, plus, other) {
                        shared += 1;
                        reduced += u32::from(first.op() != Op::Mul && distance(one).0.op() == Op::Mul);
                        let (first, second) = (values(&x, first), values(&y, second));
                        for (a, base) in at_one.iter().zip(&first) {
                            for (b, other_base) in at_other.iter().zip(&second) {
                                assert_eq!(meets(*a, *b), base == other_base, "{one:?} {plus} {other:?}");
                            }
                        }
                    }
                }
            }
        }
        assert!(apart > 1000 && shared > 1000 && reduced > 50, "{apart} {shared} {reduced}");
    }
}
