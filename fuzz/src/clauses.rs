//! Questions with bounded universal clauses, as merged states ask them, against their expansion
//! by the plain core and against all values of their inputs.
//!
//! A path has counters of few values, clauses over cells at places that the counter of the clause
//! gives, reads at such places, and conditions over single cells, lengths and counters. Some
//! clauses are negated or stand within other conditions. All inputs have few values, so that
//! nothing is left to chance.

use strata_query::{Answer, Budget, Model, Path, Solver};
use strata_solver::{Backend, Check, ClauseStatistics, Pool, Process, Selection, Stack};
use strata_term::{Bits, Evaluator, Random, Term, expand, hold};

/// What a walk came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// Questions that may hold.
    pub sat: u64,
    /// Questions that cannot.
    pub unsat: u64,
    /// Questions that were cut short.
    pub unknown: u64,
    /// Questions, by row of the table of layers.
    pub answered: Vec<u64>,
    /// What the core did about clauses.
    pub clauses: ClauseStatistics,
}

/// Cells of the array that clauses are about.
const CELLS: u64 = 4;
/// Counters, and the largest value of each.
const COUNTERS: usize = 2;
const MOST: u64 = 3;
/// Paths that are alive at most.
const PATHS: usize = 10;

struct Walk {
    random: Random,
    stack: Stack,
    paths: Vec<(Path, Model)>,
    all: Vec<Model>,
    /// Of each cell: two, or three.
    values: u64,
    /// A solver that is asked now and then.
    other: Option<Process>,
}

fn text() -> Term {
    Term::array("text", 32)
}

fn counter(which: usize) -> Term {
    // One of them has two bytes.
    match which {
        0 => Term::array("merge:0", 32).read(&Term::number(32, 0), 1),
        _ => Term::array("merge:1", 32).read(&Term::number(32, 0), 2),
    }
}

fn length() -> Term {
    Term::array("length", 32).read(&Term::number(32, 0), 1)
}

fn cell(index: &Term) -> Term {
    text().read(&index.resize(32), 1)
}

fn number(width: u32, value: u64) -> Term {
    Term::number(width, value)
}

/// All values of the inputs within their bounds.
fn every(values: u64) -> Vec<Model> {
    let mut all = vec![Model::default()];
    let mut each = |set: &dyn Fn(&mut Model, u8), values: u64| {
        let with = |model: &Model, value| {
            let mut model = model.clone();
            set(&mut model, value);
            model
        };
        all = all.iter().flat_map(|model| (0..values as u8).map(move |value| with(model, value))).collect();
    };
    for at in 0..CELLS {
        each(&move |model, value| model.set_cell(&text(), at, value), values);
    }
    for which in ["merge:0", "merge:1", "length"] {
        each(&move |model, value| model.set_cell(&Term::array(which, 32), 0, value), MOST + 1);
    }
    all
}

/// The bounds: without them there would be too many values.
fn bounds(random: &mut Random, values: u64) -> Vec<Term> {
    let mut all: Vec<Term> = (0..CELLS).map(|at| cell(&number(32, at)).ult(&number(8, values))).collect();
    for which in 0..COUNTERS {
        let k = counter(which);
        // As an interval, or value by value.
        all.push(match random.one_in(2) {
            true => k.ule(&number(k.width(), MOST)),
            false => (0..=MOST).fold(Term::bool(false), |any, value| any.or(&k.eq(&number(k.width(), value)))),
        });
    }
    all.push(length().ule(&number(8, MOST)));
    all
}

/// Walks so many steps over a random tree of paths with these layers. A disagreement comes back
/// as text.
pub fn walk(seed: u64, steps: u64, layers: &str) -> Result<Tally, String> {
    let mut random = Random(seed);
    let check = random.one_in(4).then(|| Check::Core(Box::default()));
    let mut stack = Stack::new(Selection::parse(layers)?, Backend::Builtin(Box::default()), check);
    let mut path = Path::default();
    let values = if random.one_in(6) { 3 } else { 2 };
    let other = if random.one_in(8) { Some(Process::start("z3")?) } else { None };
    for bound in bounds(&mut random, values) {
        stack.extend(&mut path, &bound);
    }
    let mut walk = Walk { random, stack, paths: vec![(path, Model::default())], all: every(values), values, other };
    let mut tally = Tally::default();
    for step in 0..steps {
        walk.step(&mut tally).map_err(|report| format!("seed {seed}, step {step}, layers {layers}: {report}"))?;
    }
    tally.answered = walk.stack.statistics().layers.iter().map(|layer| layer.answered).collect();
    tally.clauses = walk.stack.statistics().clauses;
    Ok(tally)
}

impl Walk {
    fn step(&mut self, tally: &mut Tally) -> Result<(), String> {
        let pick = [self.random.below(self.paths.len()), self.random.below(self.paths.len())];
        let place = *pick.iter().max_by_key(|i| self.paths[**i].0.len()).expect("there are two");
        let (path, witness) = self.paths[place].clone();
        let condition = self.condition();
        if condition.is_const() {
            return Ok(());
        }
        let holds = hold(&[&condition], &witness);
        let other = if holds { condition.not() } else { condition.clone() };
        let constraints: Vec<Term> = path.iter().cloned().collect();
        let shown = || constraints.iter().map(|term| format!("\n  {term:?}")).collect::<String>();
        let cut = self.random.one_in(20);
        let budget = if cut { Budget { conflicts: Some(0), ..Budget::default() } } else { Budget::default() };
        let answer = if self.random.one_in(6) {
            self.stack.check(&path, std::slice::from_ref(&other), &budget)
        } else {
            self.stack.ask(&path, &witness, &other, &budget)
        };
        let possible = self.possible(&constraints, &other);
        self.agree(&constraints, &other, possible)?;
        match &answer {
            Answer::Unknown(_) if cut => tally.unknown += 1,
            Answer::Sat(model) => {
                let question: Vec<&Term> = constraints.iter().chain([&other]).collect();
                if !hold(&question, model) {
                    return Err(format!("a model does not satisfy {other:?} under{}", shown()));
                }
                tally.sat += 1;
            }
            Answer::Unsat if !possible => tally.unsat += 1,
            Answer::Unsat | Answer::Unknown(_) => {
                return Err(format!("{}, but there is a model of {other:?} under{}", answer.name(), shown()));
            }
        }
        let taken = if holds { condition } else { condition.not() };
        self.stack.extend(&mut self.paths[place].0, &taken);
        if self.random.one_in(2) {
            self.values(place)?;
        }
        if let Some(contradiction) = self.stack.take_contradiction() {
            return Err(format!("{contradiction}: {other:?} under{}", shown()));
        }
        if let Answer::Sat(model) = answer {
            let mut fork = path;
            self.stack.extend(&mut fork, &other);
            self.keep(fork, model);
        }
        Ok(())
    }

    /// Is there a model of all these?
    fn possible(&self, constraints: &[Term], other: &Term) -> bool {
        let mut question: Vec<Term> = constraints.to_vec();
        question.push(other.clone());
        let mut evaluator = Evaluator::new(&question);
        self.all.iter().any(|model| evaluator.holds(model))
    }

    /// The plain core on the expansion says the same.
    fn agree(&mut self, constraints: &[Term], other: &Term, possible: bool) -> Result<(), String> {
        if !self.random.one_in(4) {
            return Ok(());
        }
        let mut question: Vec<Term> = constraints.to_vec();
        question.push(other.clone());
        let expanded = expand(&question, |_| Some(MOST)).expect("there is a limit");
        let answer = Pool::default().check(&Path::default(), &expanded, &Budget::default());
        if (answer != Answer::Unsat) != possible {
            return Err(format!("{} by the expansion of {other:?}", answer.name()));
        }
        if let Some(process) = &mut self.other {
            let answer = process.check(&Path::default(), &question, &Budget::default());
            if (answer != Answer::Unsat) != possible {
                return Err(format!("{} by another solver of {other:?}", answer.name()));
            }
        }
        Ok(())
    }

    /// What is said of the values of a term.
    fn values(&mut self, place: usize) -> Result<(), String> {
        let term = self.word();
        let path = self.paths[place].0.clone();
        let constraints: Vec<Term> = path.iter().cloned().collect();
        let mut evaluator = Evaluator::new(&[constraints.clone(), vec![term.clone()]].concat());
        let mut met: Vec<u64> = Vec::new();
        for model in &self.all {
            evaluator.run(model);
            if constraints.iter().all(|constraint| evaluator.truth(constraint)) {
                met.push(evaluator.value(&term).low_u64());
            }
        }
        met.sort_unstable();
        met.dedup();
        if let (Some(range), Some(first), Some(last)) = (self.stack.range(&path, &term), met.first(), met.last()) {
            let wrong = range.least > *first || range.most < *last;
            if wrong || range.exact && (range.least != *first || range.most != *last) {
                return Err(format!("{term:?} does not have the range {range:?}: {met:?}"));
            }
        }
        if let Some(values) = self.stack.values(&path, &term) {
            let missed = met.iter().any(|value| !values.all.contains(value));
            if missed || values.exact && values.all != met {
                return Err(format!("{term:?} does not have the values {values:?}: {met:?}"));
            }
        }
        if let Some(single) = self.stack.single(&path, &term)
            && met.iter().any(|value| *value != single)
        {
            return Err(format!("{term:?} has other values than {single}: {met:?}"));
        }
        if let Some(value) = path.value(&term)
            && met.iter().any(|met| Bits::new(term.width(), *met) != value)
        {
            return Err(format!("{term:?} is said to be {value:?}: {met:?}"));
        }
        Ok(())
    }

    fn keep(&mut self, path: Path, model: Model) {
        if self.paths.len() < PATHS {
            self.paths.push((path, model));
        } else {
            let victim = 1 + self.random.below(PATHS - 1);
            self.paths[victim] = (path, model);
        }
    }

    /// A place that a counter gives, or a constant; indices wrap within the cells that have
    /// bounds.
    fn place(&mut self, k: &Term) -> Term {
        let scaled = match self.random.draw(4) {
            0 => k.mul(&number(k.width(), 2)),
            _ => k.clone(),
        };
        let plus = number(k.width(), u64::from(self.random.draw(3)));
        let place = if self.random.one_in(2) { scaled.add(&plus) } else { scaled.sub(&plus) };
        place.and(&number(k.width(), CELLS - 1))
    }

    /// A condition on a cell, and at times on more.
    fn about(&mut self, k: &Term) -> Term {
        let read = cell(&self.place(k));
        let value = number(8, u64::from(self.random.draw(self.values as u32)));
        let plain = match self.random.draw(5) {
            0 => read.ne(&value),
            1 => read.ult(&value),
            2 => read.ult(&length()),
            _ => read.eq(&value),
        };
        match self.random.draw(6) {
            0 => plain.and(&k.resize(8).sub(&number(8, 1)).ult(&length())),
            1 => {
                let other = cell(&self.place(k)).eq(&number(8, 1));
                plain.or(&other)
            }
            2 => {
                let which = self.random.below(COUNTERS);
                plain.or(&counter(which).resize(8).ult(&k.resize(8)))
            }
            _ => plain,
        }
    }

    fn clause(&mut self) -> Term {
        let k = counter(self.random.below(COUNTERS));
        let body = self.about(&Term::bound(k.width()));
        Term::forall(&k, &body)
    }

    fn word(&mut self) -> Term {
        let k = counter(self.random.below(COUNTERS));
        match self.random.draw(6) {
            0 => cell(&number(32, u64::from(self.random.draw(CELLS as u32)))),
            1 => cell(&self.place(&k)),
            2 => length(),
            3 => k,
            4 => k.resize(8).add(&length()),
            _ => {
                let small = number(k.width(), u64::from(self.random.draw(4)));
                let at = number(32, u64::from(self.random.draw(CELLS as u32)));
                Term::ite(&k.ult(&small), &cell(&at), &number(8, 2))
            }
        }
    }

    fn condition(&mut self) -> Term {
        match self.random.draw(14) {
            0..=3 => self.clause(),
            4 => self.clause().not(),
            5 => {
                let other = self.word();
                self.clause().or(&other.eq(&number(other.width(), 1)))
            }
            6 => {
                // A merged state with what ends its loop.
                let k = counter(self.random.below(COUNTERS));
                let body = self.about(&Term::bound(k.width()));
                Term::forall(&k, &body).and(&self.about(&k))
            }
            7 => {
                let k = counter(self.random.below(COUNTERS));
                self.about(&k)
            }
            8 => {
                let (a, b) = (self.word().resize(8), self.word().resize(8));
                a.ult(&b)
            }
            _ => {
                let word = self.word();
                let value = number(word.width(), u64::from(self.random.draw(5)));
                match self.random.draw(3) {
                    0 => word.ult(&value),
                    1 => value.ult(&word),
                    _ => word.eq(&value),
                }
            }
        }
    }
}
