//! Questions with bounded universal clauses, for a core that knows none: the four stages of state
//! merging with quantifiers.
//!
//! A clause of the question itself is left out, and instances of it are added as they are needed.
//!
//! 1. *Strip*: only some instances are asked: the first, those that a read of the question at a
//!    constant index names, and those that earlier questions needed. Each instance follows from
//!    its clause, so that *unsatisfiable* is an answer; a model that satisfies the clauses is
//!    one, too.
//! 2. *Duplicate*: cells that violated instances read get what the first instance read.
//! 3. *Repair*: cells that a violated constraint reads go back to what they were.
//! 4. *Add*: the instances that the model violates are added for good, and the question is asked
//!    again. Each round adds at least one of finitely many.
//!
//! Every model is evaluated on the question with its clauses. A clause that is negated or stands
//! within another condition is expanded up to the largest value that its bound can have.

mod fill;

use crate::knowledge::{Support, Supports, assign, is_variable, value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use strata_query::{Answer, Budget, Model, Path, Reason};
use strata_term::{Op, Term, clauses, eval, expand, guarded, hold, mask};

/// Upper bound on the instances that one condition is expanded to. They share little: beyond, the
/// core would not end in the time that a question has.
const EXPANDED: u64 = 1 << 13;
/// Paths whose form without clauses is kept, and clauses whose instances are, before all are
/// forgotten.
const KEPT: usize = 4096;
/// Upper bound on the instances that are looked through for reads that a question names: what a
/// first model violates is added anyway.
const NAMED: u64 = 1024;

/// How questions with clauses were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClauseStatistics {
    /// Questions with clauses.
    pub questions: u64,
    /// Those that the first few instances decided.
    pub stripped: u64,
    /// Those that a model with copied cells answered.
    pub duplicated: u64,
    /// Those that a model answered of which some cells were put back.
    pub repaired: u64,
    /// Further rounds, each with more instances.
    pub rounds: u64,
    /// Instances that these rounds added.
    pub instances: u64,
    /// Clauses in other positions that were expanded.
    pub expanded: u64,
}

impl std::ops::AddAssign for ClauseStatistics {
    fn add_assign(&mut self, more: ClauseStatistics) {
        self.questions += more.questions;
        self.stripped += more.stripped;
        self.duplicated += more.duplicated;
        self.repaired += more.repaired;
        self.rounds += more.rounds;
        self.instances += more.instances;
        self.expanded += more.expanded;
    }
}

/// A path as the core gets it.
#[derive(Clone, Debug)]
struct Ground {
    /// Held, so that its address is its own.
    path: Path,
    /// Without clauses.
    ground: Path,
    /// The clauses that are left out there.
    clauses: Arc<Vec<Term>>,
}

/// What is known of a clause.
#[derive(Debug, Default)]
struct Needed {
    /// Instances that are asked with it. Held, so that a core knows them again.
    instances: Vec<Term>,
    /// Which these are.
    asked: FxHashSet<u64>,
    /// Which instance reads a cell, by array and index.
    reads: FxHashMap<(u32, u64), u64>,
}

/// What a core remembers about clauses.
#[derive(Debug, Default)]
pub struct Clauses {
    /// Are all clauses expanded? That is slow and simple: it is what the other way is compared
    /// with.
    pub expanding: bool,
    paths: FxHashMap<usize, Ground>,
    needed: FxHashMap<Term, Needed>,
    supports: Supports,
    pub figures: ClauseStatistics,
}

/// Asks a core that knows no clauses.
type Core<'a> = &'a mut dyn FnMut(&Path, &[Term]) -> Answer;

impl Clauses {
    /// Forgets everything but the figures.
    pub fn forget(&mut self) {
        *self = Clauses { expanding: self.expanding, figures: self.figures, ..Clauses::default() };
    }

    /// Decides whether the constraints of a path and all assumptions may hold together.
    pub fn solve(&mut self, path: &Path, assumptions: &[Term], budget: &Budget, core: Core<'_>) -> Answer {
        let ground = match self.ground(path, budget) {
            Ok(ground) => ground,
            Err(reason) => return Answer::Unknown(reason),
        };
        let (mut question, mut clauses) = (Vec::new(), ground.clauses.as_ref().clone());
        for assumption in assumptions {
            if let Err(reason) = self.part(assumption, (path, assumptions), budget, &mut question, &mut clauses) {
                return Answer::Unknown(reason);
            }
        }
        if clauses.is_empty() {
            return core(&ground.ground, &question);
        }
        self.figures.questions += 1;
        self.suggest(&clauses, &question);
        let (all, first) = (question.len(), self.figures.rounds);
        let fill = fill::Fill::new(&clauses);
        loop {
            question.truncate(all);
            for clause in &clauses {
                question.extend(self.needed[clause].instances.iter().cloned());
            }
            let model = match core(&ground.ground, &question) {
                Answer::Sat(model) => model,
                Answer::Unsat => {
                    self.figures.stripped += u64::from(first == self.figures.rounds);
                    return Answer::Unsat;
                }
                answer @ Answer::Unknown(_) => return answer,
            };
            let violated = violated(&clauses, &model);
            if violated.is_empty() {
                self.figures.stripped += u64::from(first == self.figures.rounds);
                return Answer::Sat(model);
            }
            let whole: Vec<&Term> = question.iter().chain(ground.ground.iter()).chain(&clauses).collect();
            match fill.fill(&model, &violated, &whole) {
                Some((model, fill::Stage::Duplicated)) => {
                    self.figures.duplicated += 1;
                    return Answer::Sat(model);
                }
                Some((model, fill::Stage::Repaired)) => {
                    self.figures.repaired += 1;
                    return Answer::Sat(model);
                }
                None => {}
            }
            if let Some(reason) = budget.exceeded() {
                return Answer::Unknown(reason);
            }
            self.figures.rounds += 1;
            for (clause, instance) in violated {
                self.figures.instances += 1;
                self.needed.entry(clause.clone()).or_default().add(&clause, instance);
            }
        }
    }

    /// The constraints of a path as they are without clauses, for another solver: all expanded.
    pub fn expanded(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Result<Vec<Term>, Reason> {
        let mut all = Vec::new();
        for condition in path.iter().chain(assumptions) {
            if condition.has_clause() {
                all.push(self.expand(condition, (path, assumptions), budget)?);
            } else {
                all.push(condition.clone());
            }
        }
        Ok(all)
    }

    /// A path without clauses, and these. Paths that continue one keep what it became, so that a
    /// core recognises it.
    fn ground(&mut self, path: &Path, budget: &Budget) -> Result<Ground, Reason> {
        if self.paths.len() > KEPT {
            self.paths.clear();
        }
        let mut fresh: Vec<&Path> = Vec::new();
        let mut start = None;
        for prefix in path.prefixes() {
            if !prefix.has_clauses() {
                start = Some(Ground { path: prefix.clone(), ground: prefix.clone(), clauses: Arc::default() });
                break;
            }
            if let Some(known) = self.paths.get(&prefix.address()) {
                start = Some(known.clone());
                break;
            }
            fresh.push(prefix);
        }
        let empty = || Ground { path: Path::default(), ground: Path::default(), clauses: Arc::default() };
        let mut at = start.unwrap_or_else(empty);
        for prefix in fresh.into_iter().rev() {
            let constraint = prefix.constraint().expect("a prefix is not empty");
            let (mut parts, mut found) = (Vec::new(), Vec::new());
            self.part(constraint, (prefix, &[]), budget, &mut parts, &mut found)?;
            parts.into_iter().for_each(|part| at.ground.push(part));
            if !found.is_empty() {
                Arc::make_mut(&mut at.clauses).extend(found);
            }
            at.path = prefix.clone();
            self.paths.insert(prefix.address(), at.clone());
        }
        Ok(at)
    }

    /// Divides a condition into conditions without clauses and clauses. `beside` is what holds
    /// with it.
    fn part(
        &mut self,
        condition: &Term,
        beside: (&Path, &[Term]),
        budget: &Budget,
        plain: &mut Vec<Term>,
        found: &mut Vec<Term>,
    ) -> Result<(), Reason> {
        let mut open = vec![condition.clone()];
        while let Some(part) = open.pop() {
            if !part.has_clause() {
                plain.push(part);
            } else if part.op() == Op::And {
                open.extend([part.arg(1).clone(), part.arg(0).clone()]);
            } else if part.op() == Op::Forall && !self.expanding {
                found.push(part);
            } else {
                plain.push(self.expand(&part, beside, budget)?);
            }
        }
        Ok(())
    }

    /// A condition with all instances in place of its clauses.
    fn expand(&mut self, condition: &Term, beside: (&Path, &[Term]), budget: &Budget) -> Result<Term, Reason> {
        let mut left = EXPANDED;
        let mut bounds: FxHashMap<Term, u64> = FxHashMap::default();
        for clause in clauses([condition]) {
            let most = self.most(clause.arg(0), beside);
            left = left.checked_sub(most).ok_or(Reason::Memory)?;
            bounds.insert(clause.clone(), most);
            self.figures.expanded += 1;
        }
        if let Some(reason) = budget.exceeded() {
            return Err(reason);
        }
        let expanded = expand(std::slice::from_ref(condition), |clause| bounds.get(clause).copied());
        Ok(expanded.expect("each clause has a limit").remove(0))
    }

    /// The largest value that a bound can have, or more: what is said of it together with other
    /// inputs is not looked at.
    fn most(&mut self, bound: &Term, (path, assumptions): (&Path, &[Term])) -> u64 {
        let most = mask(bound.width());
        if let Some(value) = bound.const_u64() {
            return value;
        }
        if !is_variable(bound) {
            return most;
        }
        let alone = Support { reads: vec![bound.clone()], whole: Vec::new() };
        let parts = path.iter().chain(assumptions).flat_map(conjuncts);
        let about: Vec<Term> =
            parts.filter(|part| !part.has_clause() && *self.supports.of(part) == alone).cloned().collect();
        let about: Vec<&Term> = about.iter().collect();
        let mut model = Model::default();
        let allowed = (0..=most).rev().find(|value| {
            assign(&mut model, bound, *value);
            hold(&about, &model)
        });
        allowed.unwrap_or(0)
    }

    /// Instances to begin with: the first, and those that read what the question reads at a
    /// constant index.
    fn suggest(&mut self, all: &[Term], question: &[Term]) {
        let named: Vec<(u32, u64)> = strata_term::post_order(question)
            .into_iter()
            .filter(|node| node.op() == Op::Read)
            .filter_map(|read| Some((read.arg(0).id(), read.arg(1).const_u64()?)))
            .collect();
        if self.needed.len() > KEPT {
            self.needed.clear();
        }
        for clause in all {
            let needed = self.needed.entry(clause.clone()).or_insert_with(|| Needed::of(clause));
            let found = named.iter().filter_map(|cell| needed.reads.get(cell).copied());
            for instance in std::iter::once(1).chain(found).collect::<Vec<_>>() {
                needed.add(clause, instance);
            }
        }
    }
}

impl Needed {
    fn add(&mut self, clause: &Term, instance: u64) {
        if self.asked.insert(instance) {
            self.instances.push(guarded(clause, instance));
        }
    }

    /// Of a clause that was not met before.
    fn of(clause: &Term) -> Needed {
        let mut reads = FxHashMap::default();
        let (width, body) = (clause.arg(0).width(), clause.arg(1));
        let open = strata_term::post_order([body]).into_iter();
        for read in open.filter(|node| node.op() == Op::Read && node.arg(1).is_open()) {
            if read.arg(0).op() != Op::ArraySymbol || !strata_term::inputs([read.arg(1)]).is_empty() {
                continue;
            }
            for instance in 1..=mask(width).min(NAMED) {
                let index = read.arg(1).instance(&Term::number(width, instance));
                if let Some(index) = index.const_u64() {
                    reads.entry((read.arg(0).id(), index)).or_insert(instance);
                }
            }
        }
        Needed { instances: Vec::new(), asked: FxHashSet::default(), reads }
    }
}

/// The instances that do not hold in a model, with their clauses.
fn violated(all: &[Term], model: &Model) -> Vec<(Term, u64)> {
    let mut violated = Vec::new();
    for clause in all.iter().filter(|clause| !hold(&[*clause], model)) {
        let bound = clause.arg(0);
        let most = if is_variable(bound) { value(bound, model) } else { eval(bound, model).low_u64() };
        let width = bound.width();
        let failing = (1..=most).filter(|i| !hold(&[&clause.arg(1).instance(&Term::number(width, *i))], model));
        violated.extend(failing.map(|i| (clause.clone(), i)));
    }
    violated
}

/// The sides of a conjunction of any depth.
fn conjuncts(condition: &Term) -> Vec<&Term> {
    let (mut open, mut parts) = (vec![condition], Vec::new());
    while let Some(part) = open.pop() {
        if part.op() == Op::And && part.width() == 1 {
            open.extend(part.args());
        } else {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use crate::Pool;
    use strata_query::{Answer, Budget, Path, Reason, Solver};
    use strata_term::Term;

    fn number(width: u32, value: u64) -> Term {
        Term::number(width, value)
    }

    /// The cell before the one that is counted to.
    fn before(index: &Term) -> Term {
        Term::array("s", 32).read(&index.zext(32).sub(&number(32, 1)), 1)
    }

    fn ask(constraints: &[Term], condition: &Term) -> Answer {
        let mut pool = Pool::default();
        let mut path = Path::default();
        constraints.iter().for_each(|constraint| pool.extend(&mut path, constraint));
        pool.check(&path, std::slice::from_ref(condition), &Budget::default())
    }

    #[test]
    fn instances_are_added_until_the_model_holds() {
        let (k, body) = (Term::symbol("k", 8), before(&Term::bound(8)).eq(&number(8, 97)));
        let few = k.ult(&number(8, 200));
        let clause = Term::forall(&k, &body);
        let last = before(&k.add(&number(8, 1))).ne(&number(8, 97));
        let cell = |at: u64| Term::array("s", 32).read(&number(32, at), 1).eq(&number(8, 98));
        let all = [few.clone(), clause.clone(), last];
        assert!(matches!(ask(&all, &cell(150)), Answer::Sat(_)));
        assert_eq!(ask(&all, &cell(150).and(&number(8, 150).ult(&k))), Answer::Unsat);
        assert!(matches!(ask(&all, &number(8, 190).ult(&k)), Answer::Sat(_)));
        // Negated, and within another condition.
        assert_eq!(ask(&all, &clause.not()), Answer::Unsat);
        assert!(matches!(ask(std::slice::from_ref(&few), &clause.not()), Answer::Sat(_)));
        assert_eq!(
            ask(&[few, clause.not(), k.ule(&number(8, 3))], &cell(0).or(&clause).not().and(&k.eq(&number(8, 0)))),
            Answer::Unsat
        );
    }

    #[test]
    fn what_is_too_large_is_not_expanded() {
        let (k, body) = (Term::symbol("k", 16), before(&Term::bound(16)).eq(&number(8, 97)));
        let negated = Term::forall(&k, &body).not();
        assert_eq!(ask(&[], &negated), Answer::Unknown(Reason::Memory));
        // Once the path bounds it, it is.
        assert!(matches!(ask(&[k.ult(&number(16, 300))], &negated), Answer::Sat(_)));
        // A clause of the question itself is not expanded.
        assert!(matches!(ask(&[], &Term::forall(&k, &body)), Answer::Sat(_)));
    }
}
