//! All solutions of a group, where they are few: from above and from below at once.
//!
//! Three numbers below twenty have 8,000 values together; a machine goes through them in the time that a SAT solver needs to begin. A table has the values of some variables,
//! a row each; a group is a set of its rows, a bit each. Adding a constraint takes bits away, and forks share the table. So does the truth of a condition on all
//! rows: it is worked out once and from then on the same condition costs an intersection, on any path below. Groups that are joined make a new table of what is
//! left of both.
//!
//! Complete because a table begins with all values of each variable (a superset of the solutions, from exact sets or from sets above) and rows are taken away only by
//! evaluating a constraint; sound for the same reason.
//!
//! Like boxes, solutions are looked for when a question needs them.

use super::plan::Plan;
use super::{append, in_order};
use crate::knowledge::{Group, Set, Shapes, overlapping};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use strata_query::Path;
use strata_term::Term;

/// Rows of a table, at most.
const ROWS: usize = 4096;
/// Values that are computed for one condition, at most.
const WORK: usize = 1 << 16;
/// Constraints that may wait to be applied.
const PENDING: usize = 64;
/// Where one row in so many is left, a condition is evaluated on these only, and not remembered.
const FEW: usize = 8;
/// Conditions whose truth a table remembers.
const TRUTHS: usize = 256;

/// Values that cost as much as a node of a search.
const AT_ONCE: usize = 64;

/// Bits by row.
type Bits = Arc<[u64]>;

/// Values of some variables.
#[derive(Debug)]
struct Table {
    reads: Vec<Term>,
    columns: Vec<Vec<u64>>,
    rows: usize,
    /// The rows at which a condition holds, by its id; nothing if it cannot be evaluated.
    truths: Mutex<FxHashMap<u32, (Term, Option<Bits>)>>,
}

/// Rows of a table.
#[derive(Clone, Debug)]
pub struct Solutions {
    table: Arc<Table>,
    left: Bits,
}

/// What a group began with.
#[derive(Clone, Debug)]
enum Part {
    Set(Term, Set),
    Found(Solutions),
}

/// The solutions of a group, or what they can be made from.
#[derive(Clone, Debug, Default)]
pub struct Points {
    parts: Vec<Part>,
    /// Constraints that the parts do not know; nothing if there are no parts to begin with.
    pending: Option<Path>,
    found: OnceLock<Option<Box<Solutions>>>,
}

impl Points {
    /// Of a group made by joining these and adding a constraint.
    pub fn after(groups: &[Arc<Group>], constraint: &Term) -> Points {
        let (mut parts, mut pending) = (Vec::new(), Path::default());
        for group in groups {
            let points = &group.points;
            match (group.variables.as_slice(), points.found.get(), &points.pending) {
                ([variable], _, _) if group.exact() => {
                    parts.push(Part::Set(variable.read.clone(), variable.set.clone()))
                }
                (_, Some(Some(found)), _) => parts.push(Part::Found((**found).clone())),
                (_, None, Some(more)) => {
                    parts.extend_from_slice(&points.parts);
                    append(&mut pending, more.clone());
                }
                // Nothing was kept as long as its order said all: its sets and its constraints are there.
                (variables, None, None) if group.ordered() && group.is_covered() && group.path.len() <= PENDING => {
                    parts.extend(variables.iter().map(|v| Part::Set(v.read.clone(), v.set.clone())));
                    append(&mut pending, group.path.clone());
                }
                (_, Some(None), _) | (_, None, None) => return Points::default(),
            }
        }
        pending.push(constraint.clone());
        let pending = (pending.len() <= PENDING).then_some(pending);
        Points { parts, pending, found: OnceLock::new() }
    }
}

/// All solutions of a group, if they are few.
fn solutions<'a>(group: &'a Group, shapes: &mut Shapes, spent: &mut usize) -> Option<&'a Solutions> {
    let found = || seeded(group, spent).or_else(|| from_sets(group, shapes, spent)).map(Box::new);
    group.points.found.get_or_init(found).as_deref()
}

/// From what the group was made of.
fn seeded(group: &Group, spent: &mut usize) -> Option<Solutions> {
    let pending = group.points.pending.as_ref().filter(|_| !group.points.parts.is_empty())?;
    let mut solutions = match group.points.parts.as_slice() {
        [Part::Found(found)] => found.clone(),
        parts => product(parts, spent)?,
    };
    for constraint in &in_order(pending) {
        solutions = solutions.under(constraint, spent)?;
    }
    Some(solutions)
}

/// From the sets of all its variables.
fn from_sets(group: &Group, shapes: &mut Shapes, spent: &mut usize) -> Option<Solutions> {
    let is_small = || size(group.variables.iter().map(|variable| &variable.set)) <= ROWS as u128;
    // Where it is not covered, constraints mention what no set is known of.
    if group.path.len() > PENDING || !is_small() || !group.is_covered() {
        return None;
    }
    let parts: Vec<Part> = group.variables.iter().map(|v| Part::Set(v.read.clone(), v.set.clone())).collect();
    let mut solutions = product(&parts, spent)?;
    for constraint in group.path.iter() {
        if !shapes.of(constraint).support.whole.is_empty() {
            return None;
        }
        solutions = solutions.under(constraint, spent)?;
    }
    Some(solutions)
}

fn size<'a>(sets: impl Iterator<Item = &'a Set>) -> u128 {
    sets.fold(1u128, |size, set| size.saturating_mul(set.size()))
}

/// All combinations of the parts, if they are few and share no cell.
fn product(parts: &[Part], spent: &mut usize) -> Option<Solutions> {
    let sizes = parts.iter().map(|part| match part {
        Part::Set(_, set) => set.size(),
        Part::Found(found) => found.count() as u128,
    });
    let rows = sizes.fold(1u128, u128::saturating_mul);
    if rows > ROWS as u128 || rows == 0 || parts.is_empty() {
        return None;
    }
    let rows = rows as usize;
    let (mut reads, mut columns): (Vec<Term>, Vec<Vec<u64>>) = (Vec::new(), Vec::new());
    let mut each = 1;
    for part in parts {
        // The values of a part, column by column; each stays for `each` rows, and all come round again.
        let values = match part {
            Part::Set(read, set) => {
                reads.push(read.clone());
                vec![set.values()]
            }
            Part::Found(found) => {
                reads.extend(found.table.reads.iter().cloned());
                found.table.columns.iter().map(|column| found.rows().map(|row| column[row]).collect()).collect()
            }
        };
        let count = values.first()?.len();
        columns.extend(values.iter().map(|values| (0..rows).map(|row| values[row / each % count]).collect()));
        each *= count;
    }
    *spent += rows * columns.len() / AT_ONCE;
    if overlapping(reads.iter()) {
        return None;
    }
    let left: Bits = (0..rows.div_ceil(64)).map(|word| low_bits(rows - 64 * word)).collect();
    let table = Arc::new(Table { reads, columns, rows, truths: Mutex::default() });
    Some(Solutions { table, left })
}

/// A word with so many ones, or all.
fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl Table {
    /// The truth of a condition that was asked before.
    fn known(&self, condition: &Term) -> Option<Option<Bits>> {
        let truths = self.truths.lock().unwrap_or_else(PoisonError::into_inner);
        truths.get(&condition.id()).map(|(_, known)| known.clone())
    }

    fn truth(&self, condition: &Term, spent: &mut usize) -> Option<Bits> {
        let found = self.evaluated(condition, spent);
        let mut truths = self.truths.lock().unwrap_or_else(PoisonError::into_inner);
        if truths.len() >= TRUTHS {
            truths.clear();
        }
        truths.insert(condition.id(), (condition.clone(), found.clone()));
        found
    }

    fn evaluated(&self, condition: &Term, spent: &mut usize) -> Option<Bits> {
        let plan = Plan::new(std::slice::from_ref(condition))?;
        *spent += plan.len();
        if plan.len() * self.rows > WORK || self.rows == 0 {
            return None;
        }
        let column = |read: &Term| {
            let place = self.reads.iter().position(|known| known == read)?;
            Some(self.columns[place].as_slice())
        };
        *spent += plan.len() * self.rows / AT_ONCE;
        let values = plan.values(self.rows, column)?;
        let word = |chunk: &[u64]| chunk.iter().rev().fold(0, |word, value| word << 1 | value & 1);
        Some(values.chunks(64).map(word).collect())
    }
}

impl Solutions {
    fn count(&self) -> usize {
        self.left.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn rows(&self) -> impl Iterator<Item = usize> {
        (0..self.table.rows).filter(|row| self.left[row / 64] >> (row % 64) & 1 == 1)
    }

    /// Those at which a condition over their variables holds.
    fn under(&self, condition: &Term, spent: &mut usize) -> Option<Solutions> {
        let known = self.table.known(condition);
        if known.is_none() && self.count() * FEW < self.table.rows {
            return self.filtered(condition, spent);
        }
        let truth = known.unwrap_or_else(|| self.table.truth(condition, spent))?;
        let left = self.left.iter().zip(truth.iter()).map(|(left, truth)| left & truth).collect();
        Some(Solutions { table: self.table.clone(), left })
    }

    /// The same, looking at those that are left only.
    fn filtered(&self, condition: &Term, spent: &mut usize) -> Option<Solutions> {
        let rows: Vec<usize> = self.rows().collect();
        let columns = self.table.columns.iter().map(|column| rows.iter().map(|row| column[*row]).collect()).collect();
        let few = Table { reads: self.table.reads.clone(), columns, rows: rows.len(), truths: Mutex::default() };
        let truth = few.evaluated(condition, spent)?;
        let mut left = vec![0u64; self.left.len()];
        for (number, row) in rows.into_iter().enumerate() {
            left[row / 64] |= (truth[number / 64] >> (number % 64) & 1) << (row % 64);
        }
        Some(Solutions { table: self.table.clone(), left: left.into() })
    }

    /// The values of one of them, about in the middle.
    fn middle(&self) -> Option<Vec<(Term, u64)>> {
        let row = self.rows().nth(self.count() / 2)?;
        Some(
            self.table
                .reads
                .iter()
                .zip(&self.table.columns)
                .map(|(read, column)| (read.clone(), column[row]))
                .collect(),
        )
    }
}

/// What the solutions of some groups say of a condition.
pub enum Verdict {
    /// It holds here.
    Holds(Vec<(Term, u64)>),
    /// It holds nowhere.
    Never,
}

/// Decides a condition on the groups that it touches; `None` if they have too many solutions, or it cannot be evaluated on them. Tells how many nodes were computed.
pub fn verdict(condition: &Term, groups: &[Arc<Group>], shapes: &mut Shapes, spent: &mut usize) -> Option<Verdict> {
    let exact = groups.iter().filter(|group| group.exact()).flat_map(|group| &group.variables);
    if groups.is_empty() || size(exact.map(|variable| &variable.set)) > ROWS as u128 {
        return None;
    }
    let mut parts = Vec::new();
    for group in groups {
        parts.push(match group.variables.as_slice() {
            [variable] if group.exact() => Part::Set(variable.read.clone(), variable.set.clone()),
            _ => Part::Found(solutions(group, shapes, spent)?.clone()),
        });
    }
    let all = match parts.as_slice() {
        [Part::Found(one)] => one.clone(),
        parts => product(parts, spent)?,
    };
    let left = all.under(condition, spent)?;
    Some(left.middle().map_or(Verdict::Never, Verdict::Holds))
}
