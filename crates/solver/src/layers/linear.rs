//! Conditions decided by linear integer arithmetic (`linear`): what sums, differences and offsets say together, which sets of single variables do not.
//!
//! The comparisons of the constraints that share inputs with the condition, and its own, become a system of integers that each model of the path solves (`linear::relax`): a relaxation, in which
//! reads of arrays and whatever is not linear are numbers between bounds. So a system without a solution proves *never*. A solution proves nothing by itself; where all its numbers are inputs
//! it is put in place of the witness's values and evaluated on the condition and all constraints of the groups that it touches, and no others mention these inputs.
//!
//! Where that is not enough and constant tables are read, the bounds of an index narrow what is read, and the system is asked again (the pre-check of "Type and interval aware array constraint
//! solving", section 4.2).

use super::worth::Worth;
use super::{Layer, Question, forward};
use crate::below::strided;
use crate::knowledge::{Group, Known, Shapes, is_variable};
use crate::linear::{Comparison, Forms, Interval, Kind, Relaxation, Verdict, Work};
use crate::tables::Elements;
use std::sync::Arc;
use strata_domain::{Aim, Domain, StridedSet};
use strata_query::Answer;
use strata_term::{Evaluator, Op, Term};

/// Constraints looked at, the newest of each group first; rows and variables of a system. Beyond these constraints are left out.
const CONSTRAINTS: usize = 96;
const ROWS: usize = 64;
const VARIABLES: usize = 64;
/// Products computed for one question, at most, and how many take the time of a node.
const PRODUCTS: usize = 12_000;
const AT_ONCE: usize = 24;
/// What the range of a term that is no input costs, in nodes.
const RANGE: usize = 12;

#[derive(Default)]
pub struct Linear {
    forms: Forms,
    worth: Worth,
}

impl Layer for Linear {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        if self.forms.comparisons(&question.condition).is_empty() || !self.worth.wanted() {
            return None;
        }
        let groups = question.known.groups(&question.shape.support);
        let mut spent = 0;
        let answer = decide(question, &groups, &mut self.forms, shapes, &mut spent);
        self.worth.tried(answer.is_some(), spent);
        answer
    }
}

fn decide(
    question: &Question<'_>,
    groups: &[Arc<Group>],
    forms: &mut Forms,
    shapes: &mut Shapes,
    spent: &mut usize,
) -> Option<Answer> {
    let mut conditions = vec![question.condition.clone()];
    conditions.extend(groups.iter().flat_map(|group| group.path.iter().take(CONSTRAINTS)).take(CONSTRAINTS).cloned());
    *spent += conditions.len();
    let comparisons: Vec<_> = conditions.iter().map(|condition| forms.comparisons(condition)).collect();
    // Sets say all of what has one part only.
    let tied = comparisons.iter().flat_map(|all| all.iter()).any(|comparison| comparison.difference.parts.len() > 1);
    if !tied {
        return None;
    }
    let mut ranges = 0;
    let mut range = |term: &Term| {
        ranges += if is_variable(term) { 1 } else { RANGE };
        range(question.known, term, shapes)
    };
    let mut relaxation = Relaxation::new(forms, &mut range);
    for (number, all) in comparisons.iter().enumerate() {
        for comparison in all.iter() {
            let full = relaxation.system.rows.len() >= ROWS || relaxation.system.bounds.len() >= VARIABLES;
            // The condition says what no bound says yet.
            if full || number > 0 && is_bound(comparison) {
                continue;
            }
            if relaxation.compare(comparison).is_err() {
                *spent += ranges;
                return Some(Answer::Unsat);
            }
        }
    }
    let mut work = Work::new(PRODUCTS);
    let mut verdict = relaxation.system.solve(&mut work);
    if verdict != Verdict::Unsat && relaxation.atoms.iter().any(|(atom, _)| Elements::of(atom).is_some()) {
        verdict = narrowed(&mut relaxation, question.known, &mut work).unwrap_or(verdict);
    }
    let atoms = std::mem::take(&mut relaxation.atoms);
    *spent += ranges + (PRODUCTS - work.left()) / AT_ONCE;
    match verdict {
        Verdict::Unsat => Some(Answer::Unsat),
        Verdict::Unknown => None,
        Verdict::Sat(point) => put_in(question, groups, &atoms, &point, spent),
    }
}

/// Does it compare an input with a number, without a sign? The bounds of the input say that.
fn is_bound(comparison: &Comparison) -> bool {
    let plain = match comparison.kind {
        Kind::Equal | Kind::Below { signed: false } | Kind::AtMost { signed: false } => true,
        Kind::Apart | Kind::Below { signed: true } | Kind::AtMost { signed: true } => false,
    };
    let input = |term: &Term| term.is_const() || is_variable(term);
    plain && comparison.difference.parts.len() == 1 && input(&comparison.left) && input(&comparison.right)
}

/// The witness with the values of a solution, if that satisfies everything that mentions them.
fn put_in(
    question: &Question<'_>,
    groups: &[Arc<Group>],
    atoms: &[(Term, usize)],
    point: &[i128],
    spent: &mut usize,
) -> Option<Answer> {
    if !atoms.iter().all(|(atom, _)| is_variable(atom)) {
        return None;
    }
    let value = |(atom, place): &(Term, usize)| Some((atom.clone(), u64::try_from(point[*place]).ok()?));
    let values: Vec<(Term, u64)> = atoms.iter().map(value).collect::<Option<_>>()?;
    let all: Vec<Term> =
        groups.iter().flat_map(|group| group.path.iter()).chain([&question.condition]).cloned().collect();
    *spent += 4 * all.len();
    let answer = question.moved(&values);
    match &answer {
        Answer::Sat(model) => Evaluator::new(&all).holds(model).then_some(answer),
        Answer::Unsat | Answer::Unknown(_) => None,
    }
}

/// Asks again with what tables hold between the bounds of their indices.
fn narrowed(relaxation: &mut Relaxation<'_>, known: &Known, work: &mut Work) -> Option<Verdict> {
    let mut reads: Vec<(Term, usize, usize)> = Vec::new();
    let mut next = 0;
    while next < relaxation.atoms.len() {
        let (atom, place) = relaxation.atoms[next].clone();
        next += 1;
        if Elements::of(&atom).is_none() || relaxation.system.bounds.len() >= VARIABLES {
            continue;
        }
        let before = relaxation.system.bounds.len();
        let index = relaxation.value(atom.arg(1), false)?;
        // An index over variables that nothing else mentions has the bounds that it had.
        if relaxation.system.bounds.len() == before {
            reads.push((atom, place, relaxation.named(index)?));
        }
    }
    if reads.is_empty() {
        return None;
    }
    let Ok(bounds) = relaxation.system.tightened(work) else { return Some(Verdict::Unsat) };
    let mut changed = false;
    for (read, place, index) in reads {
        let Some(held) = table(known, &read, bounds[index]) else { continue };
        let bound: &mut Interval = &mut relaxation.system.bounds[place];
        let met = Interval { least: bound.least.max(held.least), most: bound.most.min(held.most) };
        changed |= met != *bound;
        *bound = met;
    }
    changed.then(|| relaxation.system.solve(work))
}

/// Between which values a term lies on the path.
fn range(known: &Known, term: &Term, shapes: &mut Shapes) -> Interval {
    let everything = Interval { least: 0, most: (1 << term.width()) - 1 };
    let found = if is_variable(term) {
        known.group(term).and_then(|group| {
            let set = group.variable(term)?.set.intervals();
            Some(Interval { least: set.least()?.into(), most: set.greatest()?.into() })
        })
    } else if term.op() == Op::Read {
        table(known, term, everything_of(term.arg(1)))
    } else {
        let found = forward::range(known, term, shapes);
        found.map(|range| Interval { least: range.least.into(), most: range.most.into() })
    };
    found.unwrap_or(everything)
}

fn everything_of(index: &Term) -> Interval {
    Interval { least: 0, most: (1 << index.width()) - 1 }
}

/// What a constant table holds at the values that an index has on the path, and within bounds.
fn table(known: &Known, read: &Term, within: Interval) -> Option<Interval> {
    let elements = Elements::of(read)?;
    let set =
        |term: &Term| known.group(term)?.variable(term).map(|variable| strided(&variable.set.intervals(), Aim::Above));
    let indices: StridedSet = forward::above(read.arg(1), set)?;
    let ends = [u64::try_from(within.least).ok()?, u64::try_from(within.most).ok()?];
    let (least, most) = elements.extremes(&indices, ends)?;
    Some(Interval { least: least.into(), most: most.into() })
}
