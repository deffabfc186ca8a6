//! A model near the witness, by propagation: what is left when a box has no room.
//!
//! All constraints of the groups that a condition touches, and the condition, are carried forward and back over what is known from above; each pass leaves each
//! variable a superset of the values that it has in a model. Nothing left of one proves that there is no model. Otherwise a variable of the condition is fixed,
//! at the witness's value if that is left, and so on, until the witness with these values satisfies everything, which is evaluated.
//!
//! No backtracking: where that would be needed the core is better at it.

use super::points::Verdict;
use super::{Plan, VARIABLES, pick, said, strided};
use crate::knowledge::{Group, Shapes, Truth, assign, overlapping, value};
use crate::layers::Spent;
use std::sync::Arc;
use strata_domain::{Aim, Domain, StridedSet};
use strata_query::Model;
use strata_term::{Term, hold};

/// Constraints at most.
const CONSTRAINTS: usize = 64;
/// Nodes computed at most, for one question.
const BUDGET: usize = 3000;
/// What a constraint costs besides, in nodes: it is planned for, and evaluated at the end.
const EACH: usize = 3;
/// Passes before a variable is fixed.
const PASSES: u32 = 3;

/// Decides a condition on the groups that it touches, or gives up. Tells how many nodes were computed.
pub fn search(
    condition: &Term,
    groups: &[Arc<Group>],
    witness: &Model,
    shapes: &mut Shapes,
    spent: &mut Spent,
) -> Option<Verdict> {
    let own = shapes.of(condition).support.reads.len();
    let constraints = constraints(condition, groups, shapes)?;
    let mut plan = Plan::new(&constraints)?;
    plan.most = spent.left().min(BUDGET);
    let verdict = planned(&mut plan, own, condition, groups, witness);
    spent.nodes += plan.spent + EACH * constraints.len();
    verdict
}

fn planned(plan: &mut Plan, own: usize, condition: &Term, groups: &[Arc<Group>], witness: &Model) -> Option<Verdict> {
    let reads: Vec<Term> = plan.reads().cloned().collect();
    let known = groups.iter().flat_map(|group| group.variables.iter().map(|variable| &variable.read));
    let all: Vec<&Term> = reads.iter().chain(known.filter(|read| !reads.contains(read))).collect();
    if all.len() > VARIABLES || overlapping(all.into_iter()) {
        return None;
    }
    let near: Vec<u64> = reads.iter().map(|read| value(read, witness)).collect();
    let mut sets: Vec<StridedSet> = reads.iter().map(|read| above(groups, read)).collect();
    for _ in 0..PASSES {
        plan.run(&sets);
        let Some(left) = plan.back() else { return Some(Verdict::Never) };
        let settled = left == sets;
        sets = left;
        if settled || plan.spent > plan.most {
            break;
        }
    }
    let point = fixed(plan, sets, &near, own)?;
    let values: Vec<(Term, u64)> = reads.into_iter().zip(point).collect();
    satisfied(condition, groups, witness, &values).then_some(Verdict::Holds(values))
}

/// A point of the sets at which all constraints seem to hold. The condition's own variables come first, one by one; of the others as many at once are left as they are as
/// the constraints allow.
fn fixed(plan: &mut Plan, mut sets: Vec<StridedSet>, near: &[u64], own: usize) -> Option<Vec<u64>> {
    let (mut next, mut chunk) = (0, 1);
    while next < sets.len() {
        if plan.spent > plan.most {
            return None;
        }
        let end = if next < own { next + 1 } else { sets.len().min(next + chunk) };
        let mut tried = sets.clone();
        let mut stay = true;
        for variable in next..end {
            let inside = tried[variable].contains(near[variable]);
            stay &= inside;
            // The first one moves if it has to; those after it wait for what that leaves them.
            if inside || variable == next {
                let value = if inside { near[variable] } else { pick(&tried[variable], near[variable])? };
                tried[variable] = StridedSet::constant(tried[variable].width(), value);
            }
        }
        let end = if stay { end } else { next + 1 };
        plan.run(&tried);
        match plan.back() {
            Some(left) => {
                sets = left;
                next = end;
                chunk = if next <= own { sets.len() } else { 2 * chunk };
            }
            None if end - next > 1 => chunk = (end - next) / 2,
            None => {
                // It cannot stay: anything else that is left.
                let moved = pick(&sets[next], near[next]).filter(|value| stay && *value != near[next])?;
                sets[next] = StridedSet::constant(sets[next].width(), moved);
                plan.run(&sets);
                sets = plan.back()?;
                next += 1;
            }
        }
    }
    sets.iter().map(StridedSet::single).collect()
}

/// The condition first, then what the sets of the groups do not say.
fn constraints(condition: &Term, groups: &[Arc<Group>], shapes: &mut Shapes) -> Option<Vec<Term>> {
    if groups.iter().map(|group| group.path.len()).sum::<usize>() > 2 * CONSTRAINTS {
        return None;
    }
    let mut constraints = vec![condition.clone()];
    for group in groups {
        for constraint in group.path.iter() {
            match &shapes.of(constraint).truth {
                Truth::One { read, set, exact: true } if said(group, read, set) => {}
                Truth::One { .. } | Truth::Compared { .. } | Truth::Two { .. } | Truth::Other => {
                    constraints.push(constraint.clone())
                }
            }
        }
    }
    (constraints.len() <= CONSTRAINTS).then_some(constraints)
}

fn above(groups: &[Arc<Group>], read: &Term) -> StridedSet {
    match groups.iter().find_map(|group| group.variable(read)) {
        Some(variable) => strided(&variable.set.intervals(), Aim::Above),
        None => StridedSet::full(read.width()),
    }
}

fn satisfied(condition: &Term, groups: &[Arc<Group>], witness: &Model, values: &[(Term, u64)]) -> bool {
    let mut model = witness.clone();
    values.iter().for_each(|(read, value)| assign(&mut model, read, *value));
    let all: Vec<&Term> = [condition].into_iter().chain(groups.iter().flat_map(|group| group.path.iter())).collect();
    hold(&all, &model)
}
