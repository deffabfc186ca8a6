//! The stack: asks the layers in the order of their table, then the core, and keeps the books.
//!
//! The table (`layers`) is the only place that names layers: `--layers`, the statistics and the cross-check read it.
//!
//! A question comes with a model of its path. Where no layer answers, the core gets the constraints that matter, and its model is completed by the witness.
//! The core evaluates its own models; a layer's are evaluated by the cross-check and in debug builds, and each layer has its argument in its file: evaluating
//! all constraints of a group would cost more than most answers.

mod cases;

use crate::arrays::{ArrayStatistics, Ways};
use crate::backend::Process;
use crate::cases::Cases;
use crate::clauses::ClauseStatistics;
use crate::clock::Clock;
use crate::indices::Indices;
use crate::knowledge::{Kept, Known, Shapes, Truth, value};
use crate::layers::{LAYERS, Layer, Price, Question, Single, Worth};
use crate::manner::{Choice, Manner};
use crate::pool::Pool;
use crate::recent::{Recent, plus};
use std::sync::Arc;
use std::time::{Duration, Instant};
use strata_query::{Answer, Budget, Knowledge, Model, Path, Range, Reason, Solver, Values};
use strata_term::{Evaluator, Term, eval};

/// Which layers are on, and in which manner they work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    on: Vec<bool>,
    manner: Manner,
    ways: Ways,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { on: vec![true; LAYERS.len()], manner: Manner::default(), ways: Ways::default() }
    }
}

/// A word and what it switches.
type Way = (&'static str, fn(&mut Ways) -> &mut bool);

/// What the core uses of indices: words beside the names of layers, so that the worth of each can be measured.
const WAYS: [Way; 2] = [("types", |ways| &mut ways.types), ("windows", |ways| &mut ways.windows)];

/// Words for several layers: how a published technique is configured, and the manner that goes with it.
const CONFIGURATIONS: [(&str, &[&str], Manner); 4] = [
    ("klee", &["simplify", "slice", "cache"], Manner::Everything),
    ("parti", &["intervals", "simplify", "slice", "cache"], Manner::Parti),
    ("o1", &["intervals", "simplify", "strided", "boxes", "slice", "cache"], Manner::Ase(Choice::Either)),
    ("o2", &["intervals", "simplify", "strided", "boxes", "slice", "cache"], Manner::Ase(Choice::Middle)),
];

impl Selection {
    /// Reads a list as on the command line: `all`, `none`, a configuration (`klee`, `parti`, `o1`, `o2`), names, and `-name` to leave one out of what stands before it. `types` and
    /// `windows` are what the core does with arrays; the configurations have neither.
    pub fn parse(list: &str) -> Result<Selection, String> {
        let last = LAYERS.len() - 1;
        let start = list.trim_start().starts_with('-');
        let ways = Ways { types: start, windows: start };
        let mut selection = Selection { on: vec![start; LAYERS.len()], manner: Manner::default(), ways };
        for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, value) = word.strip_prefix('-').map_or((word, true), |name| (name, false));
            if let Some((_, names, manner)) = CONFIGURATIONS.iter().find(|(known, ..)| *known == name) {
                selection.switch(value, |row| names.contains(&row));
                selection.manner = if value { *manner } else { selection.manner };
                continue;
            }
            if let Some((_, way)) = WAYS.iter().find(|(known, _)| *known == name) {
                *way(&mut selection.ways) = value;
                continue;
            }
            if !["all", "none"].contains(&name) && !LAYERS.iter().any(|row| row.name == name) {
                return Err(unknown(name));
            }
            if !value && ["none", LAYERS[last].name].contains(&name) {
                return Err("the core cannot be left out: it is what answers when no other layer does".into());
            }
            selection.switch(value, |row| name == "all" || row == name);
            if name == "all" {
                selection.manner = Manner::default();
                selection.ways = Ways { types: value, windows: value };
            }
        }
        selection.on[last] = true;
        Ok(selection)
    }

    fn switch(&mut self, value: bool, named: impl Fn(&str) -> bool) {
        LAYERS.iter().zip(&mut self.on).filter(|(row, _)| named(row.name)).for_each(|(_, on)| *on = value);
    }

    /// The names of the layers that are on.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        LAYERS.iter().zip(&self.on).filter(|(_, on)| **on).map(|(row, _)| row.name)
    }
}

fn unknown(name: &str) -> String {
    let words = CONFIGURATIONS.iter().map(|(word, ..)| *word);
    let names = LAYERS.iter().map(|row| row.name).chain(WAYS.iter().map(|(word, _)| *word));
    let known: Vec<&str> = ["all", "none"].into_iter().chain(words).chain(names).collect();
    format!("no layer is called `{name}`; there are: {}", known.join(", "))
}

/// What a layer did.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayerStatistics {
    /// Questions that it answered.
    pub answered: u64,
    /// Questions that it passed on, or did not decide.
    pub passed: u64,
    /// Time it took over both.
    pub time: Duration,
}

/// What the stack did.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Questions asked; both sides of a branch are two.
    pub total: u64,
    /// By row of the table.
    pub layers: Vec<LayerStatistics>,
    /// Questions that ran out of time.
    pub timeouts: u64,
    /// Answers that the solver beside us confirmed, and answers that it could not confirm.
    pub checked: u64,
    /// See `checked`.
    pub unchecked: u64,
    /// How our own core encoded reads.
    pub arrays: ArrayStatistics,
    /// How our own core answered questions with clauses.
    pub clauses: ClauseStatistics,
    /// Processor time of our own core's long searches, which run on other threads than the caller's.
    pub elsewhere: Duration,
}

impl Default for Statistics {
    fn default() -> Statistics {
        Statistics {
            total: 0,
            layers: vec![LayerStatistics::default(); LAYERS.len()],
            timeouts: 0,
            checked: 0,
            unchecked: 0,
            arrays: ArrayStatistics::default(),
            clauses: ClauseStatistics::default(),
            elsewhere: Duration::ZERO,
        }
    }
}

/// Who decides what no layer above decided.
pub enum Backend {
    /// Our own complete core.
    Builtin(Box<Pool>),
    /// Another solver behind a pipe.
    Process(Box<Process>),
}

impl Backend {
    fn solver(&mut self) -> &mut dyn Solver {
        match self {
            Backend::Builtin(pool) => pool.as_mut(),
            Backend::Process(process) => process.as_mut(),
        }
    }

    /// What it has done so far, in nodes that a layer computes, if it tells.
    fn effort(&self) -> u64 {
        match self {
            Backend::Builtin(pool) => pool.effort(),
            Backend::Process(_) => 0,
        }
    }
}

/// Who is asked everything again, to compare.
pub enum Check {
    /// A core of its own, on all constraints: what layers say is compared with it.
    Core(Box<Pool>),
    /// Another solver: what layers and core say is compared with it.
    Process(Box<Process>),
}

impl Check {
    fn solver(&mut self) -> (&mut dyn Solver, String) {
        match self {
            Check::Core(pool) => (pool.as_mut(), "the core alone".into()),
            Check::Process(process) => {
                let name = format!("`{}`", process.command());
                (process.as_mut(), name)
            }
        }
    }
}

/// What a question to the core starts from, as far as it is there.
struct From<'a> {
    known: Option<&'a Known>,
    /// A model of the path.
    witness: Option<&'a Model>,
}

/// All layers over a back end; the solver that everybody uses.
pub struct Stack {
    selection: Selection,
    /// Those that are on, with their rows.
    layers: Vec<(usize, Box<dyn Layer>)>,
    shapes: Shapes,
    recent: Recent,
    clock: Clock,
    backend: Backend,
    check: Option<Check>,
    contradiction: Option<String>,
    statistics: Statistics,
    /// What the core costs.
    price: Price,
    /// Of looking where indices are, for the core.
    looking: Worth,
    /// The row of the table for cases of clauses.
    clauses: usize,
}

impl Stack {
    /// A stack over `backend`; with `check`, each of its answers is compared with that solver's.
    pub fn new(selection: Selection, mut backend: Backend, mut check: Option<Check>) -> Stack {
        if let Backend::Builtin(pool) = &mut backend {
            pool.set_ways(selection.ways);
        }
        if let Some(Check::Core(pool)) = &mut check {
            // As plain as possible: it is to find faults in the other one.
            pool.set_ways(Ways { types: false, windows: false });
            pool.set_expanding(true);
        }
        let rows = LAYERS.iter().enumerate().zip(&selection.on).filter(|(_, on)| **on);
        let layers = rows.filter_map(|((number, row), _)| Some((number, (row.make)()?))).collect();
        let has = |layer: &str| selection.names().any(|name| name == layer);
        let shapes = Shapes::new(
            selection.manner,
            Kept { tables: has("bytes"), boxes: has("boxes"), points: has("points"), orders: has("order") },
        );
        let statistics = Statistics::default();
        Stack {
            selection,
            layers,
            shapes,
            recent: Recent::default(),
            clock: Clock::default(),
            backend,
            check,
            contradiction: None,
            statistics,
            price: Price::default(),
            looking: Worth::default(),
            clauses: LAYERS.iter().position(|row| row.name == "clauses").expect("there is such a row"),
        }
    }

    /// Which layers are on.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// What was asked and answered so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Forgets what was kept for paths asked before. For a driver that turns to something unrelated.
    pub fn forget(&mut self) {
        if let Backend::Builtin(pool) = &mut self.backend {
            pool.forget();
        }
    }

    /// What the solver beside us said against the latest answer, if it did. One of both is wrong, and we do not know which.
    pub fn take_contradiction(&mut self) -> Option<String> {
        self.contradiction.take()
    }

    /// Asks the layers that are on; the question goes on as they leave it.
    fn ask_layers(&mut self, question: &mut Question<'_>) -> Option<Answer> {
        let mut lap = self.clock.start();
        let mut next = 0;
        while next < self.layers.len() {
            let number = next;
            next += 1;
            let (row, layer) = &mut self.layers[number];
            let figures = &mut self.statistics.layers[*row];
            if !layer.may(&question.shape.truth) {
                figures.passed += 1;
                continue;
            }
            let asked = question.condition.id();
            let answer = layer.ask(question, &mut self.shapes);
            figures.time += lap.next();
            if let Some(answer) = answer {
                figures.answered += 1;
                self.layers[..number].iter_mut().for_each(|(_, layer)| layer.learn(question, &answer));
                return Some(answer);
            }
            figures.passed += 1;
            if question.condition.id() != asked {
                // It is a simpler one now, and those above may know the answer. Nothing is left to put in, so that this happens once.
                next = 0;
            }
        }
        None
    }

    /// What layers say of a term's values.
    fn ask_values(&mut self, known: &Known, term: &Term) -> Option<Values> {
        let mut lap = self.clock.start();
        let mut best: Option<Values> = None;
        for (row, layer) in &mut self.layers {
            if let Some(values) = layer.values(known, term, &mut self.shapes, self.price) {
                self.statistics.layers[*row].time += lap.next();
                let exact = values.exact;
                best = Some(values);
                if exact {
                    break;
                }
            }
        }
        best
    }

    fn ask_core(&mut self, path: &Path, assumptions: &[Term], from: From<'_>, budget: &Budget) -> Answer {
        if budget.layers_only {
            return Answer::Unknown(Reason::Conflicts);
        }
        let start = Instant::now();
        let before = self.backend.effort();
        let answer = match (&mut self.backend, from.known) {
            (Backend::Builtin(pool), Some(known)) if self.selection.ways.windows => {
                let (layers, shapes) = (&mut self.layers, &mut self.shapes);
                let mut indices =
                    Indices::new(known, path, from.witness, layers, shapes, self.price, &mut self.looking);
                pool.check_with(path, assumptions, budget, &mut indices)
            }
            (Backend::Builtin(pool), _) => pool.check_with(path, assumptions, budget, &mut { from.witness }),
            (backend @ Backend::Process(_), _) => backend.solver().check(path, assumptions, budget),
        };
        if let Backend::Builtin(pool) = &self.backend {
            self.statistics.arrays = *pool.figures();
            self.statistics.clauses = *pool.clauses();
            self.statistics.elsewhere = pool.elsewhere();
        }
        self.price.paid(self.backend.effort() - before);
        let core = self.statistics.layers.last_mut().expect("the table has rows");
        core.time += start.elapsed();
        match &answer {
            Answer::Sat(_) | Answer::Unsat => core.answered += 1,
            Answer::Unknown(reason) => {
                core.passed += 1;
                self.statistics.timeouts += u64::from(*reason == Reason::Time);
            }
        }
        answer
    }

    /// The time that a question has, for whoever is asked it again.
    fn allowance(&self, budget: &Budget) -> Duration {
        let deadline = budget.deadline.filter(|_| self.check.is_some());
        deadline.map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn compare(&mut self, path: &Path, assumptions: &[Term], answer: &Answer, budget: &Budget, allowance: Duration) {
        let Some(check) = &mut self.check else { return };
        // The budget's clock has run for us already.
        let budget = Budget { deadline: budget.deadline.map(|_| Instant::now() + allowance), ..budget.clone() };
        let (solver, name) = check.solver();
        if let Answer::Sat(model) = answer {
            let question: Vec<Term> = path.iter().chain(assumptions).cloned().collect();
            if !Evaluator::new(&question).holds(model) {
                self.contradiction = Some("a model does not satisfy its question".into());
                return;
            }
        }
        match (answer, solver.check(path, assumptions, &budget)) {
            (Answer::Sat(_), Answer::Sat(_)) | (Answer::Unsat, Answer::Unsat) => self.statistics.checked += 1,
            (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)) => {
                let ours = answer.name();
                self.contradiction =
                    Some(format!("the answer is {ours}, but {name} says otherwise: one of both is wrong"));
            }
            (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => self.statistics.unchecked += 1,
        }
    }

    fn compare_range(&mut self, path: &Path, term: &Term, range: Range) {
        if self.check.is_some() {
            let Range { least, most, .. } = range;
            self.compare_sides(path, ends(term, range), || format!("{least} ..= {most}"));
        }
    }

    fn compare_values(&mut self, path: &Path, term: &Term, values: &Values) {
        if self.check.is_some() {
            self.compare_sides(path, members(term, values), || format!("{:?}", values.all));
        }
    }

    /// Are conditions on a term possible, or not, as it is said to lie somewhere?
    fn compare_sides(&mut self, path: &Path, sides: impl IntoIterator<Item = (Term, bool)>, said: impl Fn() -> String) {
        let Some(check) = &mut self.check else { return };
        let (solver, name) = check.solver();
        for (condition, possible) in sides {
            match (possible, solver.check(path, &[condition], &Budget::default())) {
                (true, Answer::Sat(_)) | (false, Answer::Unsat) => self.statistics.checked += 1,
                (true, Answer::Unsat) | (false, Answer::Sat(_)) => {
                    self.contradiction =
                        Some(format!("a term is said to lie in {}, but {name} says otherwise", said()));
                }
                (_, Answer::Unknown(_)) => self.statistics.unchecked += 1,
            }
        }
    }
}

/// What a solver must say of a few values: there is no other, and each is met if they are exact.
fn members(term: &Term, values: &Values) -> impl Iterator<Item = (Term, bool)> {
    let same: Vec<Term> = values.all.iter().map(|value| term.eq(&Term::number(term.width(), *value))).collect();
    let other = same.iter().fold(Term::bool(true), |other, same| other.and(&same.not()));
    let exact = values.exact;
    std::iter::once((other, false)).chain(same.into_iter().map(|same| (same, true)).filter(move |_| exact))
}

/// What a solver must say of the ends of a range: nothing is beyond, and both are met if it is exact.
fn ends(term: &Term, range: Range) -> impl Iterator<Item = (Term, bool)> {
    let number = |value| Term::number(term.width(), value);
    let beyond = [term.ult(&number(range.least)), number(range.most).ult(term)].map(|condition| (condition, false));
    let met = [range.least, range.most].map(|end| (term.eq(&number(end)), true));
    beyond.into_iter().chain(met.into_iter().filter(move |_| range.exact))
}

impl Stack {
    /// Has a term a clause in it, or does one tie its inputs to others?
    fn has_clauses(&mut self, known: &Known, term: &Term) -> bool {
        if term.has_clause() {
            return true;
        }
        known.cases.is_some() && {
            let support = self.shapes.support(term);
            cases::is_tied(known, &support)
        }
    }

    /// Cases are questions to all layers; the figures have the one question that they belong to.
    fn in_cases<T>(&mut self, work: impl FnOnce(&mut Stack) -> Option<T>) -> Option<T> {
        if !self.selection.on[self.clauses] {
            return None;
        }
        let figures = self.statistics.layers.clone();
        let start = Instant::now();
        let result = work(self);
        self.statistics.layers = figures;
        self.statistics.layers[self.clauses].time += start.elapsed();
        result
    }

    /// A question about inputs that a clause ties together, or with a clause in it.
    fn ask_clauses(
        &mut self,
        path: &Path,
        known: &Known,
        witness: &Model,
        condition: &Term,
        budget: &Budget,
    ) -> Answer {
        let answer = self.in_cases(|stack| stack.ask_cases(known, witness, condition, budget));
        let figures = &mut self.statistics.layers[self.clauses];
        figures.answered += u64::from(answer.is_some());
        figures.passed += u64::from(answer.is_none());
        if let Some(answer) = answer {
            return answer;
        }
        let shape = self.shapes.of(condition);
        let condition = condition.clone();
        let mut question = Question { path, known, witness, condition, shape, slice: None, price: self.price };
        if self.selection.names().any(|name| name == "slice") {
            question.take_slice();
        }
        let condition = std::slice::from_ref(&question.condition);
        match self.ask_core(question.constraints(), condition, From { known: None, witness: Some(witness) }, budget) {
            Answer::Sat(model) => Answer::Sat(question.complete(model)),
            answer @ (Answer::Unsat | Answer::Unknown(_)) => answer,
        }
    }

    /// Adds a constraint, without a look at cases.
    fn extend_plain(&mut self, path: &mut Path, constraint: &Term) {
        let known = if path.is_empty() { Some(Known::default()) } else { Known::of(path).cloned() };
        let known = known.map(|mut known| {
            known.add(constraint, &mut self.shapes);
            Arc::new(known) as Arc<dyn Knowledge>
        });
        path.push_known(constraint.clone(), known);
    }

    /// Asks the layers and then the core; no clause is near.
    fn ask_plain(&mut self, path: &Path, known: &Known, witness: &Model, condition: &Term, budget: &Budget) -> Answer {
        let mut shape = self.shapes.of(condition);
        let asked = shape.plainer.clone();
        if let Some(plainer) = &asked {
            shape = self.shapes.of(plainer);
        }
        let asked = asked.unwrap_or_else(|| condition.clone());
        let mut question = Question { path, known, witness, condition: asked, shape, slice: None, price: self.price };
        match self.ask_layers(&mut question) {
            Some(answer) => answer,
            None => {
                let condition = std::slice::from_ref(&question.condition);
                let from = From { known: Some(known), witness: Some(witness) };
                let answer = self.ask_core(question.constraints(), condition, from, budget);
                self.layers.iter_mut().for_each(|(_, layer)| layer.learn(&question, &answer));
                match answer {
                    Answer::Sat(model) => Answer::Sat(question.complete(model)),
                    Answer::Unsat | Answer::Unknown(_) => answer,
                }
            }
        }
    }

    /// The bounds of a term that no clause is near.
    fn range_plain(&mut self, path: &Path, term: &Term) -> Option<Range> {
        let known = Known::of(path)?;
        let mut lap = self.clock.start();
        let mut best: Option<Range> = None;
        for (row, layer) in &mut self.layers {
            let found = layer.range(known, term, &mut self.shapes, self.price);
            if let Some(found) = found {
                self.statistics.layers[*row].time += lap.next();
                best = Some(best.map_or(found, |best| best.meet(&found)));
                if found.exact {
                    break;
                }
            }
        }
        best
    }

    /// The values of a term that no clause is near.
    fn values_plain(&mut self, path: &Path, term: &Term) -> Option<Values> {
        let known = Known::of(path)?;
        let (part, constant) = term.apart();
        if self.recent.get(path, part).is_none() {
            let values = self.ask_values(known, part);
            self.recent.put(path, part, values);
        }
        Some(plus(self.recent.get(path, part)?.as_ref()?, constant, term.width()))
    }

    /// The only value of a term that no clause is near.
    fn single_plain(&mut self, path: &Path, term: &Term) -> Option<u64> {
        // Of inputs that no constraint mentions it has all values that it ever has.
        let (support, known) = (self.shapes.support(term), Known::of(path)?);
        if !known.touches(&support) {
            return None;
        }
        let mut lap = self.clock.start();
        let (shapes, price) = (&mut self.shapes, self.price);
        let said = |(row, layer): &mut (usize, Box<dyn Layer>)| Some((*row, layer.single(known, term, shapes, price)?));
        let (row, single) = self.layers.iter_mut().find_map(said)?;
        self.statistics.layers[row].time += lap.next();
        let Single::Value(value) = single else { return None };
        Some(value)
    }
}

impl Solver for Stack {
    fn extend(&mut self, path: &mut Path, constraint: &Term) {
        if !path.has_clauses() && !constraint.has_clause() {
            return self.extend_plain(path, constraint);
        }
        let before = path.clone();
        self.extend_plain(path, constraint);
        if let Some(mut known) = Known::of(path).cloned() {
            let cases = Known::of(&before).and_then(|known| known.cases.as_deref());
            known.cases = Some(Arc::new(Cases::extended(cases, &before, constraint, &mut self.shapes)));
            *path = before;
            path.push_known(constraint.clone(), Some(Arc::new(known)));
        }
    }

    fn check(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Answer {
        let allowance = self.allowance(budget);
        self.statistics.total += 1;
        let known = Known::of(path).filter(|_| !path.has_clauses());
        let answer = self.ask_core(path, assumptions, From { known, witness: None }, budget);
        self.compare(path, assumptions, &answer, budget, allowance);
        answer
    }

    fn ask(&mut self, path: &Path, witness: &Model, condition: &Term, budget: &Budget) -> Answer {
        let nothing;
        let known = if path.is_empty() {
            nothing = Known::default();
            Some(&nothing)
        } else {
            Known::of(path)
        };
        let Some(known) = known else { return self.check(path, std::slice::from_ref(condition), budget) };
        let allowance = self.allowance(budget);
        self.statistics.total += 1;
        let answer = if self.has_clauses(known, condition) {
            self.ask_clauses(path, known, witness, condition, budget)
        } else {
            self.ask_plain(path, known, witness, condition, budget)
        };
        if cfg!(debug_assertions)
            && let Answer::Sat(model) = &answer
        {
            let all: Vec<Term> = path.iter().chain([condition]).cloned().collect();
            assert!(Evaluator::new(&all).holds(model), "a model does not satisfy its question: {all:?}");
        }
        self.compare(path, std::slice::from_ref(condition), &answer, budget, allowance);
        answer
    }

    fn range(&mut self, path: &Path, term: &Term) -> Option<Range> {
        let known = Known::of(path)?;
        let range = if self.has_clauses(known, term) {
            self.in_cases(|stack| stack.range_of_cases(known, term))
        } else {
            self.range_plain(path, term)
        };
        if let Some(range) = range {
            self.compare_range(path, term, range);
        }
        range
    }

    fn values(&mut self, path: &Path, term: &Term) -> Option<Values> {
        let known = Known::of(path)?;
        let values = if self.has_clauses(known, term) {
            self.in_cases(|stack| stack.values_of_cases(known, term))?
        } else {
            self.values_plain(path, term)?
        };
        self.compare_values(path, term, &values);
        Some(values)
    }

    fn single(&mut self, path: &Path, term: &Term) -> Option<u64> {
        let known = Known::of(path)?;
        let value = if self.has_clauses(known, term) {
            self.in_cases(|stack| stack.single_of_cases(known, term))?
        } else {
            self.single_plain(path, term)?
        };
        self.compare_values(path, term, &Values { all: vec![value], exact: false });
        Some(value)
    }

    fn holds(&mut self, condition: &Term, model: &Model) -> bool {
        match &self.shapes.of(condition).truth {
            Truth::One { read, set, exact: true } => set.contains(value(read, model)),
            Truth::One { exact: false, .. } | Truth::Compared { .. } | Truth::Two { .. } | Truth::Other => {
                eval(condition, model).is_true()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections() {
        for list in ["all", "none", "klee", "parti", "o1", "o2", "core", ""] {
            assert_eq!(Selection::parse(list).map(|s| s.names().last()), Ok(Some("core")), "{list}");
        }
        assert!(Selection::parse("-core").is_err_and(|e| e.contains("cannot be left out")));
        assert_ne!(Selection::parse("o1"), Selection::parse("o2"));
        assert_eq!(Selection::parse("parti,all"), Ok(Selection::default()));
        let ways = |list: &str| Selection::parse(list).map(|s| (s.ways.types, s.ways.windows));
        assert_eq!(ways("klee"), Ok((false, false)));
        assert_eq!(ways("klee,types"), Ok((true, false)));
        assert_eq!(ways("-types"), Ok((false, true)));
        assert_eq!(ways("all,-windows"), Ok((true, false)));
        assert!(Selection::parse("magic").is_err_and(|e| e.contains("magic")));
    }
}
