//! A box cut down to a comparison, as ASE does it (section V).
//!
//! Both sides of the comparison have a set over the box. Where these overlap, there is no box of all solutions: the overlap is cut, the left side keeps what is below the
//! cut, the right side what is above, and each part is carried back to the variable of its side. The second observation cuts in the middle. The first gives two
//! candidates, one that leaves the right side all it can have and one that leaves the left side all. The paper turns equalities and disequalities into orders of a difference, of which
//! nothing can be carried back to two variables; here an equality leaves one value, and a disequality leaves one side one value and the other side the rest.
//!
//! As in the paper a side must have one variable to be carried back to, through operators with a constant. The result is tested like any box: that is also what makes
//! one variable on both sides harmless.

use super::{Plan, Region, pick};
use crate::manner::{Choice, Manner};
use strata_domain::{Aim, Apply, Domain, Strided, StridedSet};
use strata_term::{Op, Term, mask};

/// Operators between a side and its variable, at most.
const STEPS: usize = 32;

/// The parts of a box on which a condition holds; none if none was found.
pub fn split(condition: &Term, region: &Region, choice: Choice) -> Vec<Region> {
    let Some(mut plan) = Plan::new(std::slice::from_ref(condition)) else { return Vec::new() };
    let Some(bounds) = super::bounds(&plan, region) else { return Vec::new() };
    plan.run(&bounds);
    if plan.holds() {
        return vec![region.with(plan.reads().zip(bounds))];
    }
    let (inner, holds) = if condition.op() == Op::Not { (condition.arg(0), false) } else { (condition, true) };
    let Some(sides) = plan.sides() else { return Vec::new() };
    let [left, right] = sides.map(|side| plan.set(side).clone());
    let cuts = match (inner.op(), holds) {
        (Op::Eq, true) => equal(&left, &right).into_iter().collect(),
        (Op::Eq, false) => apart(&left, &right, choice),
        (Op::Ult | Op::Slt, true) => below(&left, &right, true, inner.op() == Op::Slt, choice),
        // Not less is greater or equal: the right side is the lower one.
        (Op::Ult | Op::Slt, false) => swapped(below(&right, &left, false, inner.op() == Op::Slt, choice)),
        _ => Vec::new(),
    };
    let terms = [inner.arg(0), inner.arg(1)];
    let mut parts = Vec::new();
    for cut in cuts {
        let mut part = Some(region.with(plan.reads().zip(bounds.iter().cloned())));
        for (term, wanted) in terms.into_iter().zip(&cut) {
            part = part.and_then(|part| carry(term, wanted, &part, Manner::Ase(choice)));
        }
        parts.extend(part.filter(|part| tested(&mut plan, part)));
    }
    parts
}

fn tested(plan: &mut Plan, part: &Region) -> bool {
    let sets: Option<Vec<StridedSet>> = plan.reads().map(|read| part.get(read).cloned()).collect();
    sets.is_some_and(|sets| {
        plan.run(&sets);
        plan.holds()
    })
}

type Cut = [StridedSet; 2];

fn swapped(cuts: Vec<Cut>) -> Vec<Cut> {
    cuts.into_iter().map(|[left, right]| [right, left]).collect()
}

/// The bounds of a set in an order that starts at zero.
fn keys(set: &StridedSet, signed: bool) -> Option<(u64, u64)> {
    let (width, all) = (set.width(), mask(set.width()));
    let turn = if signed { 1 << (width - 1) } else { 0u64 };
    let (mut lo, mut hi) = (u64::MAX, 0);
    for member in set.members() {
        let (first, last) = (member.lo.wrapping_add(turn) & all, member.hi.wrapping_add(turn) & all);
        // A member that wraps has values at both ends, or near them.
        let (first, last) = if first <= last { (first, last) } else { (0, all) };
        (lo, hi) = (lo.min(first), hi.max(last));
    }
    (!set.is_empty()).then_some((lo, hi))
}

/// The values with keys from `lo` to `hi`.
fn range(width: u32, lo: u64, hi: u64, signed: bool) -> StridedSet {
    let turn = if signed { 1 << (width - 1) } else { 0u64 };
    let back = |key: u64| key.wrapping_sub(turn) & mask(width);
    StridedSet::one(width, Strided::new(width, back(lo), back(hi), 1))
}

/// Ways to have the left side below the right one.
fn below(left: &StridedSet, right: &StridedSet, strict: bool, signed: bool, choice: Choice) -> Vec<Cut> {
    let (Some((a0, a1)), Some((b0, b1))) = (keys(left, signed), keys(right, signed)) else { return Vec::new() };
    let (width, gap) = (left.width(), u64::from(strict));
    // The right side begins at one of these; the left one ends below, by one if it is strict.
    let Some(least) = a0.checked_add(gap).map(|least| least.max(b0)) else { return Vec::new() };
    let most = b1.min(a1.saturating_add(gap));
    if least > most {
        return Vec::new();
    }
    let cut = |at: u64| [range(width, 0, at - gap, signed), range(width, at, mask(width), signed)];
    let (lo, hi) = (a0.max(b0), a1.min(b1));
    let middle = (lo + hi.saturating_sub(lo) / 2).saturating_add(gap).clamp(least, most);
    match choice {
        // A side with one value leaves no choice.
        Choice::Middle | Choice::Either if a0 == a1 || b0 == b1 => vec![cut(if a0 == a1 { least } else { most })],
        Choice::Middle => vec![cut(middle)],
        Choice::Either if least == most => vec![cut(least)],
        Choice::Either => vec![cut(least), cut(most)],
    }
}

fn equal(left: &StridedSet, right: &StridedSet) -> Option<Cut> {
    let common = left.meet(right, Aim::Below).set;
    let value = pick(&common, 0)?;
    let one = StridedSet::constant(left.width(), value);
    Some([one.clone(), one])
}

/// One side keeps one value, about in the middle of what both can have, and the other side everything else: so that either may still be the lower one.
fn apart(left: &StridedSet, right: &StridedSet, choice: Choice) -> Vec<Cut> {
    let common = left.meet(right, Aim::Below).set;
    let Some(value) = left.single().or(right.single()).or_else(|| pick(&common, 0)) else { return Vec::new() };
    let one = StridedSet::constant(left.width(), value);
    let rest = one.complement(Aim::Below).set;
    let (first, second) = ([one.clone(), rest.clone()], [rest, one]);
    match choice {
        Choice::Middle | Choice::Either if left.single().is_some() => vec![first],
        Choice::Middle | Choice::Either if right.single().is_some() => vec![second],
        // The side that has less to lose.
        Choice::Middle if left.size() < right.size() => vec![first],
        Choice::Middle => vec![second],
        Choice::Either => vec![first, second],
    }
}

/// A region whose variable below `term` has only values that give it one of `wanted`; `None` if there are none, or several variables.
fn carry(term: &Term, wanted: &StridedSet, region: &Region, manner: Manner) -> Option<Region> {
    let (mut at, mut wanted) = (term, wanted.clone());
    for _ in 0..STEPS {
        if let Some(value) = at.const_u64() {
            return wanted.contains(value).then(|| region.clone());
        }
        if let Some(old) = region.get(at) {
            let met = old.meet(&wanted, Aim::Below).set;
            return (!met.is_empty()).then(|| region.with([(at, met)]));
        }
        if !manner.learns(at) || at.args().iter().any(|arg| arg.is_array() || arg.width() > 64) {
            return None;
        }
        let mut symbolic = (0..at.args().len()).filter(|i| !at.arg(*i).is_const());
        let (Some(position), None) = (symbolic.next(), symbolic.next()) else { return None };
        let operands: Vec<StridedSet> = at.args().iter().map(operand).collect();
        let operands: Vec<&StridedSet> = operands.iter().collect();
        let low = if at.op() == Op::Extract { at.low() } else { 0 };
        let apply = Apply { op: at.op(), width: at.width(), low };
        wanted = StridedSet::backward(&apply, &wanted, position, &operands, Aim::Below)?.set;
        at = at.arg(position);
    }
    None
}

fn operand(term: &Term) -> StridedSet {
    match term.const_u64() {
        Some(value) => StridedSet::constant(term.width(), value),
        None => StridedSet::full(term.width()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(at: u64) -> Term {
        Term::array("box", 32).read(&Term::number(32, at * 4), 4)
    }

    fn interval(lo: u64, hi: u64) -> StridedSet {
        StridedSet::one(32, Strided::new(32, lo, hi, 1))
    }

    fn bounds(region: &Region, read: &Term) -> (u64, u64) {
        let member = region.get(read).expect("it is there").members()[0];
        (member.lo, member.hi)
    }

    /// The examples of the paper's section V and of its listing 2.
    #[test]
    fn the_papers_examples() {
        let (x, y) = (read(0), read(1));
        let region = Region::new(vec![(x.clone(), interval(0, 10)), (y.clone(), interval(2, 10))]);
        let most = |parts: &[Region]| parts.iter().map(|part| (bounds(part, &x), bounds(part, &y))).collect::<Vec<_>>();
        let order = x.ule(&y);
        assert_eq!(most(&split(&order, &region, Choice::Middle)), [((0, 6), (6, 10))]);
        assert_eq!(most(&split(&order, &region, Choice::Either)), [((0, 2), (2, 10)), ((0, 10), (10, 10))]);
        let region = Region::new(vec![(x.clone(), interval(10, 15)), (y.clone(), interval(10, 20))]);
        assert_eq!(most(&split(&y.ult(&x), &region, Choice::Middle)), [((13, 15), (10, 12))]);
        assert_eq!(most(&split(&x.ule(&y), &region, Choice::Middle)), [((10, 12), (12, 20))]);
        let cut = x.ult(&Term::number(32, 12)).not();
        assert_eq!(most(&split(&cut, &region, Choice::Middle)), [((12, 15), (10, 20))]);
        let double = x.mul(&Term::number(32, 3)).slt(&Term::number(32, 40));
        assert_eq!(most(&split(&double, &region, Choice::Middle)), [((10, 13), (10, 20))]);
    }
}
