//! One incremental solver: a path's constraints as units, questions as assumptions.
//!
//! An instance stands at a path. A question at the end of a longer one is asked there, with the constraints in between as further
//! assumptions, so that siblings share the instance; when questions keep coming from beyond a longer common beginning, the instance
//! moves there and its constraints become units, which the SAT solver handles best.
//!
//! Gates, clauses and what the SAT solver learnt are kept from one question to the next. Constraints of the form "input = constant" do not
//! become clauses: an input not met before is blasted as that constant, and everything above it folds. In the queries of table-driven
//! programs that is most of the text.

use crate::arrays::{ArrayStatistics, Arrays, Hints, Ways};
use crate::blast::{BYTES_PER_CLAUSE, BYTES_PER_GATE, Blaster, Found, Lit, Sat};
use crate::cone::Cone;
use rustc_hash::FxHashSet;
use std::time::Duration;
use strata_query::{Answer, Budget, Model, Path, Reason};
use strata_term::{Bits, Op, Term};

/// How many constraints of a path may be assumptions.
const ASSUMED: usize = 16;
/// How many of them a new instance leaves so: the questions that follow come from paths that part from the first one's near its end.
const LEFT_OPEN: usize = 8;
/// How many questions show where an instance should stand.
const SETTLED: u32 = 64;

pub struct Instance {
    /// The path whose constraints were asserted.
    path: Path,
    /// What the paths of the questions since the last move have in common, and how many these were.
    shared: Option<Path>,
    questions: u32,
    /// Every term that was blasted: ids stay valid while it is here.
    held: Vec<Term>,
    blaster: Blaster,
    arrays: Arrays,
    sat: Sat,
    cone: Cone,
    /// The constraints contradict each other.
    contradictory: bool,
}

impl Instance {
    /// For one question, or for many.
    pub fn new(ways: Ways, once: bool) -> Instance {
        Instance {
            path: Path::default(),
            shared: None,
            questions: 0,
            held: Vec::new(),
            blaster: Blaster::new(),
            arrays: Arrays::new(ways, once),
            sat: Sat::new(),
            cone: Cone::default(),
            contradictory: false,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Was it made for one question?
    pub fn is_provisional(&self) -> bool {
        self.arrays.is_provisional()
    }

    /// Would a new one serve the next question better?
    pub fn is_worn(&self) -> bool {
        self.arrays.is_worn()
    }

    /// What was done for arrays since the last call.
    pub fn take_figures(&mut self) -> ArrayStatistics {
        self.arrays.take_figures()
    }

    /// Processor time of searches on other threads than the caller's, since the last call.
    pub fn take_elsewhere(&mut self) -> Duration {
        self.sat.take_elsewhere()
    }

    /// An estimate of the bytes in use.
    pub fn memory(&self) -> usize {
        self.blaster.gates.len() * BYTES_PER_GATE + self.sat.clauses() * BYTES_PER_CLAUSE + self.held.len() * 64
    }

    /// What it has done so far (see `Sat::effort`).
    pub fn effort(&self) -> u64 {
        self.sat.effort() + self.blaster.gates.len() as u64
    }

    fn stopped(&self) -> Option<Reason> {
        self.blaster.gates.stopped().or(self.sat.stopped()).cloned()
    }

    /// Decides whether the constraints of `path`, an extension of this instance's, and all `assumptions` may hold together.
    pub fn ask(&mut self, path: &Path, assumptions: &[Term], budget: &Budget, hints: &mut dyn Hints) -> Answer {
        let shared = self.shared.take().map_or_else(|| path.clone(), |shared| shared.common(path));
        self.questions += 1;
        let target = match path.len() - self.path.len() {
            0 => None,
            _ if self.is_new() && assumptions.is_empty() => Some(path),
            behind if self.is_new() || behind > ASSUMED => path.prefixes().nth(LEFT_OPEN),
            _ if self.questions >= SETTLED && shared.len() > self.path.len() => Some(&shared),
            _ => None,
        };
        if let Some(target) = target.cloned() {
            if let Err(reason) = self.advance(&target, budget, hints) {
                return Answer::Unknown(reason);
            }
            (self.questions, self.shared) = (0, None);
        } else {
            self.shared = Some(shared);
        }
        let between = path.iter().take(path.len() - self.path.len());
        let all: Vec<Term> = between.chain(assumptions).cloned().collect();
        self.check(&all, budget, hints)
    }

    /// Was nothing asserted or asked yet?
    fn is_new(&self) -> bool {
        self.path.is_empty() && self.held.is_empty()
    }

    /// Asserts what `path` has beyond this instance's path, of which it is an extension.
    fn advance(&mut self, path: &Path, budget: &Budget, hints: &mut dyn Hints) -> Result<(), Reason> {
        self.allow(budget);
        let mut fresh: Vec<Term> = path.iter().take(path.len() - self.path.len()).cloned().collect();
        fresh.reverse();
        self.path = path.clone();
        let mut facts: Vec<Term> = Vec::new();
        for constraint in &fresh {
            conjuncts(constraint, &mut facts);
        }
        self.held.append(&mut fresh);
        if facts.iter().any(Term::is_false) {
            self.contradictory = true;
            return Ok(());
        }
        // What binds an input goes first, so that the rest is blasted over constants.
        facts.retain(|fact| !self.bind(fact));
        for fact in &facts {
            self.assert(fact, hints);
            if let Some(reason) = self.stopped() {
                return Err(reason);
            }
            if self.contradictory {
                break;
            }
        }
        self.cone.add(&facts);
        self.held.append(&mut facts);
        Ok(())
    }

    fn allow(&mut self, budget: &Budget) {
        self.blaster.gates.allow(budget);
        self.sat.allow(budget);
    }

    /// Takes "input = constant" as the input's definition, if nothing was built on the input yet.
    fn bind(&mut self, fact: &Term) -> bool {
        let (input, value) = match (fact.op(), fact.width()) {
            (Op::Eq, _) => (fact.arg(0), fact.arg(1).as_const()),
            (Op::Not, 1) => (fact.arg(0), Some(Bits::bool(false))),
            (Op::Symbol, 1) => (fact, Some(Bits::bool(true))),
            _ => return false,
        };
        let Some(value) = value else { return false };
        match input.op() {
            Op::Symbol => self.blaster.bind(input, &value),
            Op::Read if input.arg(0).op() == Op::ArraySymbol => match input.arg(1).const_u64() {
                Some(index) => self.arrays.bind(input.arg(0), index, &value),
                None => false,
            },
            _ => false,
        }
    }

    fn literal(&mut self, condition: &Term, hints: &mut dyn Hints) -> Lit {
        self.blaster.blast(condition, &mut self.arrays, hints);
        if self.stopped().is_some() { Lit::FALSE } else { self.blaster.word(condition)[0] }
    }

    fn assert(&mut self, fact: &Term, hints: &mut dyn Hints) {
        let literal = self.literal(fact, hints);
        match literal.known() {
            Some(true) => {}
            Some(false) => self.contradictory = true,
            None => self.sat.assert(&self.blaster.gates, literal),
        }
    }

    /// May the asserted constraints and all `assumptions` hold together?
    fn check(&mut self, assumptions: &[Term], budget: &Budget, hints: &mut dyn Hints) -> Answer {
        if self.contradictory {
            return Answer::Unsat;
        }
        self.allow(budget);
        self.arrays.begin();
        self.held.extend_from_slice(assumptions);
        let mut literals = Vec::with_capacity(assumptions.len());
        for assumption in assumptions {
            let literal = self.literal(assumption, hints);
            if let Some(reason) = self.stopped() {
                return Answer::Unknown(reason);
            }
            match literal.known() {
                Some(true) => {}
                Some(false) => return Answer::Unsat,
                None => literals.push(self.sat.encode(&self.blaster.gates, literal)),
            }
        }
        if let Some(model) = hints.near() {
            self.arrays.prefer(&mut self.sat, model);
        }
        let mut asked = self.cone.with(assumptions);
        loop {
            match self.sat.solve(&literals) {
                Found::Conflict => return Answer::Unsat,
                Found::Stopped(reason) => return Answer::Unknown(reason),
                Found::Model => {
                    let refined = self.arrays.refine(&mut self.blaster, &mut self.sat, hints, &mut asked);
                    if let Some(reason) = self.blaster.gates.stopped().or(self.sat.stopped()) {
                        return Answer::Unknown(reason.clone());
                    }
                    if !refined {
                        break;
                    }
                }
            }
        }
        drop(asked);
        Answer::Sat(self.model())
    }

    fn model(&mut self) -> Model {
        let mut model = Model::default();
        for symbol in self.blaster.symbols() {
            let word = self.blaster.word(symbol);
            let words: Vec<u64> = word.chunks(64).map(|part| self.sat.word_value(&self.blaster.gates, part)).collect();
            model.set(symbol, Bits::from_words(symbol.width(), &words));
        }
        self.arrays.complete(&self.blaster, &mut self.sat, &mut model);
        model
    }
}

/// The conjuncts of a condition, through nested ands and negated ors, each once: a shared conjunction has more ways through it than
/// nodes.
fn conjuncts(condition: &Term, into: &mut Vec<Term>) {
    let mut stack = vec![condition.clone()];
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term.clone()) {
            continue;
        }
        match term.op() {
            Op::And if term.width() == 1 => stack.extend([term.arg(1).clone(), term.arg(0).clone()]),
            Op::Not if term.width() == 1 && term.arg(0).op() == Op::Or => {
                stack.extend([term.arg(0).arg(1).not(), term.arg(0).arg(0).not()]);
            }
            _ => into.push(term),
        }
    }
}
