//! What is known of a group from below: a box, that is a set for each variable such that *every* point of the product satisfies *all* constraints of the group.
//!
//! A box proves that a condition is possible: any point of it at which the condition holds is a model. It never proves that one is impossible. Its invariant is
//! established by one test only, that each constraint, carried forward over the box, is exactly {1} (`plan`); how a box was chosen does not matter for that. Variables
//! of a box share no cell, and groups share none either, so the product of the boxes of several groups is a box of them together.
//!
//! Where boxes come from:
//! - the set of a group of one variable, if it is exact, *is* a box;
//! - the box of a shorter path, cut down to the constraints that were added: only these need be tested, since the rest holds on each part of it;
//! - a model of the path is a box of one point, and is grown while the constraints hold (`grow`).
//!
//! Boxes are made when a question needs one, and kept in the group, which forks share. That is late enough to have a model of the path, which a point to
//! grow from can be taken from, and costs nothing on paths that are never asked. What a group keeps until then are the boxes of the
//! groups that it was made from and the constraints added since (`Seed`).
//!
//! In ASE's manner boxes are cut as in the paper (`split`) and never grown.
//!
//! Rejected: several boxes for a group. Each has to be cut at each constraint, and the questions that one of them leaves are mostly impossible ones.

mod grow;
mod plan;
mod points;
mod search;
mod split;
#[cfg(test)]
mod tests;

use crate::knowledge::{Group, Set, Shapes, Truth, overlapping, value};
use crate::layers::Spent;
use crate::manner::{Choice, Manner};
pub use grow::grow;
pub use plan::{Plan, VARIABLES, pick};
pub use points::{Points, Verdict, verdict};
pub use search::search;
use split::split;
use std::sync::{Arc, OnceLock};
use strata_domain::{Aim, Domain, MultiInterval, Strided, StridedSet};
use strata_query::{Model, Path};
use strata_term::Term;

/// Constraints that may wait for a box to be cut down to them; with more, it is grown anew.
const PENDING: usize = 24;
/// Constraints of a group that a box is grown for, at most.
const CONSTRAINTS: usize = 64;
/// Ways to choose among candidates, at most.
const CANDIDATES: usize = 4;
/// Nodes computed to grow a box.
const BUDGET: usize = 4000;

/// A set for each of some variables, which are in order of their ids and share no cell.
#[derive(Clone, Debug, Default)]
pub struct Region(Arc<Vec<(Term, StridedSet)>>);

impl Region {
    fn new(mut sets: Vec<(Term, StridedSet)>) -> Region {
        sets.sort_by_key(|(read, _)| read.id());
        Region(Arc::new(sets))
    }

    /// The variables and their sets.
    pub fn iter(&self) -> impl Iterator<Item = &(Term, StridedSet)> {
        self.0.iter()
    }

    /// The set of a variable.
    pub fn get(&self, read: &Term) -> Option<&StridedSet> {
        let place = self.0.binary_search_by_key(&read.id(), |(read, _)| read.id()).ok()?;
        Some(&self.0[place].1)
    }

    /// With other sets for some variables, which may be new.
    fn with<'a>(&self, changed: impl IntoIterator<Item = (&'a Term, StridedSet)>) -> Region {
        let mut sets = (*self.0).clone();
        for (read, set) in changed {
            match sets.binary_search_by_key(&read.id(), |(read, _)| read.id()) {
                Ok(place) => sets[place].1 = set,
                Err(place) => sets.insert(place, (read.clone(), set)),
            }
        }
        Region(Arc::new(sets))
    }

    /// Of several regions that share no variable.
    fn product<'a>(parts: impl Iterator<Item = &'a Region>) -> Region {
        Region::new(parts.flat_map(Region::iter).cloned().collect())
    }
}

/// The boxes that a group began with, and the constraints that they do not know.
#[derive(Clone, Debug, Default)]
struct Seed {
    /// Of each of the groups that were joined its candidates.
    parts: Vec<Arc<[Region]>>,
    /// Shared with the seeds of longer paths.
    pending: Path,
}

/// What is known of a group from below.
#[derive(Clone, Debug, Default)]
pub struct Below {
    seed: Option<Arc<Seed>>,
    /// Candidates, of which any one may be used; none if there is no box.
    found: OnceLock<Arc<[Region]>>,
}

impl Below {
    /// Of a group made by joining these and adding a constraint.
    pub fn after(groups: &[Arc<Group>], constraint: &Term) -> Below {
        let mut seed = Seed::default();
        for group in groups {
            let Some(next) = group.below.seed(group) else { return Below::default() };
            seed.parts.extend(next.parts);
            append(&mut seed.pending, next.pending);
        }
        seed.pending.push(constraint.clone());
        if seed.pending.len() > PENDING {
            return Below::default();
        }
        Below { seed: Some(Arc::new(seed)), found: OnceLock::new() }
    }

    fn seed(&self, group: &Group) -> Option<Seed> {
        if group.exact() {
            return Some(Seed { parts: vec![exact(group)], pending: Path::default() });
        }
        match (self.found.get(), &self.seed) {
            (Some(found), _) if found.is_empty() => None,
            (Some(found), _) => Some(Seed { parts: vec![found.clone()], pending: Path::default() }),
            (None, Some(seed)) => Some((**seed).clone()),
            (None, None) => None,
        }
    }
}

/// The constraints of a path, the oldest first.
fn in_order(path: &Path) -> Vec<Term> {
    let mut constraints: Vec<Term> = path.iter().cloned().collect();
    constraints.reverse();
    constraints
}

/// Adds constraints; the first ones are shared.
fn append(path: &mut Path, more: Path) {
    if path.is_empty() {
        *path = more;
    } else {
        in_order(&more).into_iter().for_each(|constraint| path.push(constraint));
    }
}

/// The boxes of a group, found now if nobody has; any one of them may be used. `witness` satisfies the group.
pub fn boxes(group: &Group, witness: &Model, shapes: &mut Shapes, spent: &mut usize) -> Arc<[Region]> {
    if group.exact() {
        return exact(group);
    }
    let find = || match shapes.manner() {
        Manner::Everything => grown(group, witness, shapes, spent).into_iter().collect(),
        Manner::Parti => Vec::new().into(),
        Manner::Ase(choice) => cut(group.below.seed.as_deref(), choice).into(),
    };
    group.below.found.get_or_init(find).clone()
}

/// The sets of an exact group.
fn exact(group: &Group) -> Arc<[Region]> {
    let sets = group.variables.iter().map(|variable| (variable.read.clone(), below(&variable.set)));
    Arc::new([Region::new(sets.collect())])
}

/// A set as a strided one, without values if it has too many members.
pub fn below(set: &Set) -> StridedSet {
    strided(&set.intervals(), Aim::Below)
}

/// Intervals as a strided set.
pub fn strided(set: &MultiInterval, aim: Aim) -> StridedSet {
    let members: Vec<Strided> = set.intervals().iter().map(|i| Strided::new(set.width(), i.lo, i.hi, 1)).collect();
    StridedSet::of_members(set.width(), &members, aim).set
}

/// A box from the seed, or from nothing but the witness.
fn grown(group: &Group, witness: &Model, shapes: &mut Shapes, spent: &mut usize) -> Option<Region> {
    let seeded = group.below.seed.as_deref().and_then(|seed| regrown(seed, witness, spent));
    seeded.or_else(|| grown_anew(group, witness, shapes, spent))
}

/// The box of a shorter path cut down to what was added. A point to grow from is the witness, if it lies in the box, or any other that satisfies what was added.
fn regrown(seed: &Seed, witness: &Model, spent: &mut usize) -> Option<Region> {
    let old = combinations(&seed.parts).into_iter().next()?;
    let mut plan = Plan::new(&in_order(&seed.pending))?;
    let bounds = bounds(&plan, &old)?;
    let reads: Vec<Term> = plan.reads().cloned().collect();
    let near: Vec<u64> = reads.iter().map(|read| value(read, witness)).collect();
    let inside = near.iter().zip(&bounds).all(|(value, set)| set.contains(*value));
    let point = if inside { Some(near) } else { plan.point(&bounds, &near) };
    let sets = point.and_then(|point| grow(&mut plan, &bounds, &point, BUDGET));
    *spent += plan.spent;
    let sets = sets?;
    Some(old.with(reads.iter().zip(sets)))
}

/// The sets of the plan's variables in a region; those that it does not have are free, unless they overlap with others.
fn bounds(plan: &Plan, region: &Region) -> Option<Vec<StridedSet>> {
    let new: Vec<&Term> = plan.reads().filter(|read| region.get(read).is_none()).collect();
    if !new.is_empty() && overlapping(region.iter().map(|(read, _)| read).chain(new)) {
        return None;
    }
    Some(plan.reads().map(|read| region.get(read).cloned().unwrap_or_else(|| StridedSet::full(read.width()))).collect())
}

/// A box around the witness, within what is known from above.
fn grown_anew(group: &Group, witness: &Model, shapes: &mut Shapes, spent: &mut usize) -> Option<Region> {
    if group.path.len() > CONSTRAINTS || group.variables.len() > VARIABLES {
        return None;
    }
    let mut constraints = Vec::new();
    for constraint in group.path.iter() {
        let shape = shapes.of(constraint);
        if !shape.support.whole.is_empty() {
            return None;
        }
        match &shape.truth {
            // Said by the set, which bounds the growth.
            Truth::One { read, set, exact: true } if said(group, read, set) => {}
            Truth::One { .. } | Truth::Compared { .. } | Truth::Two { .. } | Truth::Other => {
                constraints.push(constraint.clone())
            }
        }
    }
    let mut plan = Plan::new(&constraints)?;
    let reads: Vec<Term> = plan.reads().cloned().collect();
    let others = group.variables.iter().map(|variable| &variable.read).filter(|read| !reads.contains(read));
    let all: Vec<&Term> = reads.iter().chain(others).collect();
    if all.len() > VARIABLES || overlapping(all.iter().copied()) {
        return None;
    }
    let point: Vec<u64> = reads.iter().map(|read| value(read, witness)).collect();
    let bounds: Vec<StridedSet> =
        reads.iter().zip(&point).map(|(read, value)| room(group, read, *value)).collect::<Option<_>>()?;
    let sets = grow(&mut plan, &bounds, &point, BUDGET);
    *spent += plan.spent;
    let sets = sets?;
    let free = all[reads.len()..].iter().map(|read| ((*read).clone(), group.variable(read).map(|v| below(&v.set))));
    let mut region: Vec<(Term, StridedSet)> = reads.iter().cloned().zip(sets).collect();
    for (read, set) in free {
        region.push((read, set?));
    }
    Some(Region::new(region))
}

/// Values of a variable around one that it has, none of which is outside of what is known from above.
fn room(group: &Group, read: &Term, value: u64) -> Option<StridedSet> {
    let Some(variable) = group.variable(read) else { return Some(StridedSet::full(read.width())) };
    let set = below(&variable.set);
    if set.contains(value) {
        return Some(set);
    }
    let intervals = variable.set.intervals();
    let around = intervals.intervals().iter().find(|interval| interval.lo <= value && value <= interval.hi)?;
    Some(StridedSet::one(read.width(), Strided::new(read.width(), around.lo, around.hi, 1)))
}

/// Does the set that is kept of a variable say this one?
fn said(group: &Group, read: &Term, set: &Set) -> bool {
    group.variable(read).is_some_and(|variable| variable.set.is_within(set))
}

/// The paper's boxes: those of the seed cut at each constraint that was added.
fn cut(seed: Option<&Seed>, choice: Choice) -> Vec<Region> {
    let Some(seed) = seed else { return Vec::new() };
    let mut candidates = combinations(&seed.parts);
    for constraint in in_order(&seed.pending) {
        candidates = chosen(&candidates, &constraint, choice);
    }
    candidates
}

/// One candidate of each part: all ways to choose, if they are few.
fn combinations(parts: &[Arc<[Region]>]) -> Vec<Region> {
    if let [part] = parts {
        return part.to_vec();
    }
    if parts.iter().all(|part| part.len() == 1) {
        return vec![Region::product(parts.iter().map(|part| &part[0]))];
    }
    let mut all = vec![Region::default()];
    for part in parts {
        let next = |region: &Region| part.iter().map(|other| Region::product([region, other].into_iter())).collect();
        all = all.iter().flat_map(|region| -> Vec<Region> { next(region) }).take(CANDIDATES).collect();
    }
    all
}

/// Of candidates, the one on which the constraint and its negation can be decided, or the one on which the constraint can; cut to it.
fn chosen(candidates: &[Region], constraint: &Term, choice: Choice) -> Vec<Region> {
    let mut first = Vec::new();
    for region in candidates {
        let parts = split(constraint, region, choice);
        if parts.is_empty() {
            continue;
        }
        if candidates.len() == 1 || !split(&constraint.not(), region, choice).is_empty() {
            return parts;
        }
        if first.is_empty() {
            first = parts;
        }
    }
    first
}

/// A point of one of the groups' boxes at which a condition holds: values for all variables of the groups, and for those of the condition. Tells how many nodes were computed.
pub fn point(
    condition: &Term,
    groups: &[Arc<Group>],
    witness: &Model,
    shapes: &mut Shapes,
    spent: &mut Spent,
) -> Option<Vec<(Term, u64)>> {
    let manner = shapes.manner();
    let parts: Vec<Arc<[Region]>> =
        groups.iter().map(|group| boxes(group, witness, shapes, &mut spent.nodes)).collect();
    if parts.iter().any(|candidates| candidates.is_empty()) {
        return None;
    }
    let mut plan = Plan::new(std::slice::from_ref(condition))?;
    plan.most = spent.left();
    for region in combinations(&parts) {
        let Some(bounds) = bounds(&plan, &region) else { continue };
        let near: Vec<u64> = plan.reads().map(|read| value(read, witness)).collect();
        let found = match manner {
            Manner::Everything | Manner::Parti => plan.point(&bounds, &near),
            Manner::Ase(choice) => split(condition, &region, choice).first().and_then(|part| {
                plan.reads().zip(&near).map(|(read, near)| pick(part.get(read)?, *near)).collect::<Option<Vec<u64>>>()
            }),
        };
        spent.nodes += std::mem::take(&mut plan.spent);
        if let Some(found) = found {
            let mut values: Vec<(Term, u64)> = plan.reads().cloned().zip(found).collect();
            for (read, set) in region.iter().filter(|(read, _)| !plan.reads().any(|other| other == read)) {
                let here = value(read, witness);
                values.push((read.clone(), if set.contains(here) { here } else { set.least()? }));
            }
            return Some(values);
        }
    }
    None
}
