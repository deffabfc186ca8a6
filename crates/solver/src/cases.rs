//! A path with clauses as a tree of cases: for each value of its counters it is a path without
//! clauses.
//!
//! A counter is the bound of a clause: an input of few values that merging made. With a value in
//! its place the clause is a conjunction, a read at `k + 1` is a read of one cell, and every
//! layer knows what to do. The cases are the paths that were merged, in fact, but they are made
//! only where a question asks for one, and they share what they have in common: the case of `k =
//! 5` is that of `k = 4` and one more instance.
//!
//! So that they share much, constraints are taken in another order than the path has them: what
//! does not mention a counter stands before its clause, and the clause before everything else
//! that mentions it. A case is a conjunction: the order means nothing to it.
//!
//! This file has the list of constraints and what was made of it; `stack::cases` makes cases and
//! asks them.

use crate::knowledge::{Known, Shapes, Support, cells, is_variable};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use strata_query::{Model, Path};
use strata_term::{Op, Substitution, Term, clauses, expand, rebuild};

/// Upper bound on cases that are kept, in the whole process: about a kilobyte each.
const KEPT: usize = 100_000;
/// Upper bound on the width of a counter, in bits.
const WIDTH: u32 = 16;

static LIVE: AtomicUsize = AtomicUsize::new(0);

/// A path without clauses, and a model of it.
#[derive(Debug)]
pub struct Case {
    pub path: Path,
    pub witness: Model,
}

/// What became of a case.
#[derive(Clone, Debug)]
pub enum Made {
    Case(Arc<Case>),
    /// It has no model.
    Dead,
    /// The layers could not tell.
    Unknown,
}

/// A constraint, and what was made of it and those before it.
pub struct Step {
    before: Option<Arc<Step>>,
    pub constraint: Term,
    /// The counters that have a value here, in the order in which they were met.
    pub counters: Arc<[Term]>,
    /// Does the constraint mention one?
    mentions: bool,
    /// It is a clause whose bound is the last counter, which nothing before it nor its body
    /// mentions.
    pub counts: bool,
    made: Mutex<FxHashMap<Box<[u64]>, Made>>,
}

/// The constraints of a path since the first counter.
#[derive(Clone, Debug)]
pub struct Cases {
    pub start: Path,
    pub last: Option<Arc<Step>>,
    pub counters: Arc<[Term]>,
    /// The latest model of the path that somebody asked with, or of a beginning of it.
    pub witness: Arc<Mutex<Option<Model>>>,
    /// There is a clause or a counter for which this does not work.
    pub broken: bool,
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.constraint)
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        LIVE.fetch_sub(lock(&self.made).len(), Ordering::Relaxed);
        let mut next = self.before.take();
        while let Some(mut step) = next.and_then(Arc::into_inner) {
            next = step.before.take();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept is whole at any time.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Step {
    pub fn before(&self) -> Option<&Arc<Step>> {
        self.before.as_ref()
    }

    /// What was made for these values of the counters, of which the first ones count.
    pub fn known(&self, values: &[u64]) -> Option<Made> {
        lock(&self.made).get(&values[..self.counters.len()]).cloned()
    }

    /// What was made for the largest value of the last counter up to the one that is asked for.
    pub fn nearest(&self, values: &[u64]) -> Option<(u64, Made)> {
        let mut key = values[..self.counters.len()].to_vec();
        let last = key.len() - 1;
        let made = lock(&self.made);
        (1..=values[last]).rev().find_map(|value| {
            key[last] = value;
            Some((value, made.get(key.as_slice())?.clone()))
        })
    }

    /// Keeps what was made, if there is room; the witness's own case in any room, since every
    /// question starts there.
    pub fn keep(&self, values: &[u64], made: &Made, is_own: bool) {
        if is_own || LIVE.load(Ordering::Relaxed) < KEPT {
            let new = lock(&self.made).insert(values[..self.counters.len()].into(), made.clone()).is_none();
            LIVE.fetch_add(usize::from(new), Ordering::Relaxed);
        }
    }

    /// The constraint with these values. `None`: a clause is left.
    pub fn with(&self, values: &[u64]) -> Option<Term> {
        if self.mentions || self.constraint.has_clause() {
            return with(&self.constraint, &self.counters, values);
        }
        Some(self.constraint.clone())
    }
}

/// A condition with values in place of counters, without clauses. `None`: a clause is left whose
/// bound is none of them.
pub fn with(condition: &Term, counters: &[Term], values: &[u64]) -> Option<Term> {
    let known: Substitution =
        counters.iter().zip(values).flat_map(|(counter, value)| constants(counter, *value)).collect();
    let rebuilt = rebuild(std::slice::from_ref(condition), &known).remove(0);
    if !rebuilt.has_clause() {
        return Some(rebuilt);
    }
    Some(expand(&[rebuilt], |clause| clause.arg(0).const_u64())?.remove(0))
}

/// A counter with its value, and each of its bytes.
fn constants(counter: &Term, value: u64) -> Vec<(Term, Term)> {
    let mut known = vec![(counter.clone(), Term::number(counter.width(), value))];
    if counter.op() == Op::Read && counter.width() > 8 {
        let (array, first) = (counter.arg(0), counter.arg(1));
        known.extend((0..counter.width() / 8).map(|byte| {
            let index = first.add(&Term::number(first.width(), byte.into()));
            (array.read(&index, 1), Term::number(8, value >> (8 * byte)))
        }));
    }
    known
}

impl Cases {
    /// Those of a path that has no clause.
    fn of(path: &Path) -> Cases {
        let witness = Arc::default();
        Cases { start: path.clone(), last: None, counters: Arc::new([]), witness, broken: false }
    }

    /// The cases of a path with one more constraint. `cases` are those of the path without it, if
    /// there are any.
    pub fn extended(cases: Option<&Cases>, path: &Path, constraint: &Term, shapes: &mut Shapes) -> Cases {
        let mut cases = cases.cloned().unwrap_or_else(|| Cases::of(path));
        // A model of the shorter path stays one of a beginning.
        let witness = lock(&cases.witness).clone();
        cases.witness = Arc::new(Mutex::new(witness));
        if cases.broken {
            return cases;
        }
        for part in conjuncts(constraint) {
            if !cases.add(&part, shapes) {
                return Cases { broken: true, ..Cases::of(&Path::default()) };
            }
        }
        cases
    }

    /// Does a term of this support mention nothing of counters but them and their bytes? Values
    /// are put in place of these.
    pub fn suit(&self, support: &Support) -> bool {
        self.counters.iter().all(|counter| suits(counter, support))
    }

    /// Is a term of this support the same in all cases?
    pub fn is_same(&self, support: &Support) -> bool {
        !self.counters.iter().any(|counter| meets(counter, support))
    }

    /// The steps, first to last.
    fn steps(&self) -> Vec<Arc<Step>> {
        let mut steps = Vec::new();
        let mut at = self.last.as_ref();
        while let Some(step) = at {
            steps.push(step.clone());
            at = step.before.as_ref();
        }
        steps.reverse();
        steps
    }

    /// Adds a constraint; false if that does not work.
    fn add(&mut self, part: &Term, shapes: &mut Shapes) -> bool {
        let mut parts = vec![part.clone()];
        let mut wanted = self.counters.to_vec();
        for clause in clauses([part]) {
            let bound = clause.arg(0);
            if bound.is_const() || wanted.contains(bound) {
                continue;
            }
            if !is_variable(bound) || bound.width() > WIDTH {
                return false;
            }
            wanted.push(bound.clone());
            let before = self.cut(bound, shapes);
            let (with, without): (Vec<Term>, Vec<Term>) =
                before.into_iter().chain(parts).partition(|part| mentions(part, bound, shapes));
            let counts =
                |part: &Term| part.op() == Op::Forall && part.arg(0) == bound && !mentions(part.arg(1), bound, shapes);
            let (first, then): (Vec<Term>, Vec<Term>) = with.into_iter().partition(counts);
            parts = without.into_iter().chain(first).chain(then).collect();
        }
        parts.iter().all(|part| self.push(part, &wanted, shapes))
    }

    /// Goes back to where nothing mentions a new counter; gives what came since.
    fn cut(&mut self, counter: &Term, shapes: &mut Shapes) -> Vec<Term> {
        let support = shapes.support(counter);
        let is_free = |path: &Path| path.is_empty() || Known::of(path).is_some_and(|known| !known.touches(&support));
        let steps = self.steps();
        if steps.is_empty() || !is_free(&self.start) {
            let mut after = Vec::new();
            let start = self.start.clone();
            let free = start.prefixes().find(|prefix| is_free(prefix)).cloned().unwrap_or_default();
            for constraint in start.iter().take(start.len() - free.len()) {
                after.extend(conjuncts(constraint).into_iter().rev());
            }
            after.reverse();
            after.extend(steps.iter().map(|step| step.constraint.clone()));
            (self.start, self.last, self.counters) = (free, None, Arc::new([]));
            return after;
        }
        let cut = steps.iter().position(|step| mentions(&step.constraint, counter, shapes)).unwrap_or(steps.len());
        self.last = cut.checked_sub(1).map(|at| steps[at].clone());
        self.counters = self.last.as_ref().map_or_else(|| Arc::new([]) as Arc<[Term]>, |step| step.counters.clone());
        steps[cut..].iter().map(|step| step.constraint.clone()).collect()
    }

    /// Adds a constraint at the end. `wanted` are all counters, whether or not anything before
    /// mentions them.
    fn push(&mut self, part: &Term, wanted: &[Term], shapes: &mut Shapes) -> bool {
        let mut counters = self.counters.to_vec();
        let support = shapes.support(part);
        if !wanted.iter().all(|counter| suits(counter, &support)) {
            return false;
        }
        let fresh = wanted.iter().filter(|counter| meets(counter, &support) && !self.counters.contains(counter));
        counters.extend(fresh.cloned());
        let fresh = counters.len() - self.counters.len();
        let counts = fresh == 1
            && part.op() == Op::Forall
            && part.arg(0) == &counters[counters.len() - 1]
            && !mentions(part.arg(1), part.arg(0), shapes);
        let mentions = fresh > 0 || counters.iter().any(|counter| meets(counter, &support));
        if fresh > 0 {
            self.counters = counters.into();
        }
        let counters = self.counters.clone();
        let before = self.last.take();
        self.last = Some(Arc::new(Step {
            before,
            constraint: part.clone(),
            counters,
            mentions,
            counts,
            made: Mutex::default(),
        }));
        true
    }
}

/// Does a constraint mention a counter, or a part of it?
fn mentions(part: &Term, counter: &Term, shapes: &mut Shapes) -> bool {
    let support = shapes.support(part);
    meets(counter, &support)
}

/// Does a term of this support mention a counter, or a part of it?
fn meets(counter: &Term, support: &Support) -> bool {
    let input = cells(counter).next().map(|cell| cell.input());
    support.reads.iter().any(|read| overlaps(counter, read))
        || support.whole.iter().any(|array| Some(array.id()) == input)
}

fn overlaps(counter: &Term, read: &Term) -> bool {
    counter == read || cells(read).any(|cell| cells(counter).any(|own| own == cell))
}

/// Is nothing of a counter mentioned but itself and its bytes?
fn suits(counter: &Term, support: &Support) -> bool {
    let input = cells(counter).next().map(|cell| cell.input());
    support.reads.iter().all(|read| read == counter || read.width() == 8 || !overlaps(counter, read))
        && support.whole.iter().all(|array| Some(array.id()) != input)
}

/// The sides of a conjunction of any depth, in order.
fn conjuncts(condition: &Term) -> Vec<Term> {
    let (mut open, mut parts) = (vec![condition.clone()], Vec::new());
    while let Some(part) = open.pop() {
        if part.op() == Op::And && part.width() == 1 {
            open.extend([part.arg(1).clone(), part.arg(0).clone()]);
        } else if !part.is_true() {
            parts.push(part);
        }
    }
    parts
}
