//! What the interpreter asks of the solver, and what it does with the answers.
//!
//! A state carries a model of its path. Evaluating a condition under it decides one side of every branch for nothing;
//! only the other side is asked. A side that could not be decided is not followed, and counted: the run is incomplete, nothing
//! is taken for infeasible.

use crate::config::Uninit;
use crate::end::{Cause, End, ErrorKind, Fault};
use crate::machine::{Machine, Warning};
use crate::poison::Poison;
use crate::state::State;
use std::sync::Arc;
use std::time::Instant;
use strata_memory::stands_for_many;
use strata_query::{Answer, Budget, Model, Path, Range, Reason, Values};
use strata_term::{Bits, Op, Substitution, Term, eval, inputs, mentions, rebuild};

/// Which sides of a condition are possible.
pub(crate) enum Sides {
    /// It holds.
    True,
    /// It does not.
    False,
    /// Both, with a model for each.
    Both(Arc<Model>, Arc<Model>),
}

/// What it costs to look at a value that decides something, in instructions.
const SETTLING: u64 = 32;

impl Machine<'_> {
    /// What a question that is asked now may cost.
    fn budget(&self, now: Instant) -> Budget {
        let deadline = now.checked_add(self.config.solver_timeout);
        Budget { deadline, interrupt: self.interrupt.clone(), ..Budget::default() }
    }

    /// May the condition hold at the end of the path, which `witness` satisfies?
    pub(crate) fn ask(&mut self, state: &State, witness: &Model, condition: &Term) -> Answer {
        if condition.is_const() {
            return if condition.is_true() { Answer::Sat(witness.clone()) } else { Answer::Unsat };
        }
        if self.interrupt.is_set() {
            return Answer::Unknown(Reason::Interrupted);
        }
        let task = self.solving.start();
        let budget = self.budget(Instant::now());
        let answer = self.solver.ask(&state.path, witness, condition, &budget);
        self.solving.stop(task);
        answer
    }

    /// May the condition hold, as far as anybody knows?
    pub(crate) fn may(&mut self, state: &mut State, condition: &Term) -> Result<bool, End> {
        let witness = self.witness(state)?;
        Ok(!matches!(self.ask(state, &witness, condition), Answer::Unsat))
    }

    /// May the constraints of a path that is not the state's and these assumptions hold together?
    pub(crate) fn ask_path(&mut self, path: &Path, assumptions: &[Term]) -> Answer {
        if self.interrupt.is_set() {
            return Answer::Unknown(Reason::Interrupted);
        }
        let task = self.solving.start();
        let budget = self.budget(Instant::now());
        let answer = self.solver.check(path, assumptions, &budget);
        self.solving.stop(task);
        answer
    }

    /// Does the condition hold under the model?
    pub fn holds(&mut self, condition: &Term, model: &Model) -> bool {
        // Layers work on a condition for the questions to come. A run that is stopped asks none.
        if self.interrupt.is_set() {
            return eval(condition, model).is_true();
        }
        let task = self.solving.start();
        let holds = self.solver.holds(condition, model);
        self.solving.stop(task);
        holds
    }

    /// Between which values a term lies at the end of the path, if layers see that. In a run that
    /// is stopped they are not asked, here and below: one instruction may ask a hundred times.
    pub(crate) fn range_of(&mut self, path: &Path, term: &Term) -> Option<Range> {
        self.goes_on()?;
        let task = self.solving.start();
        let range = self.solver.range(path, term);
        self.solving.stop(task);
        range
    }

    /// Which values a term has at the end of the path, if layers see that and they are few.
    pub(crate) fn values_of(&mut self, path: &Path, term: &Term) -> Option<Values> {
        self.goes_on()?;
        let task = self.solving.start();
        let values = self.solver.values(path, term);
        self.solving.stop(task);
        values
    }

    /// The only value that a term has at the end of the path, if layers see that.
    pub(crate) fn single_of(&mut self, path: &Path, term: &Term) -> Option<u64> {
        self.goes_on()?;
        let task = self.solving.start();
        let single = self.solver.single(path, term);
        self.solving.stop(task);
        single
    }

    /// Nothing once the run is stopped.
    fn goes_on(&self) -> Option<()> {
        (!self.interrupt.is_set()).then_some(())
    }

    /// A model of the state's path.
    pub fn witness(&mut self, state: &mut State) -> Result<Arc<Model>, End> {
        if let Some(witness) = &state.witness {
            return Ok(witness.clone());
        }
        match self.ask_path(&state.path, &[]) {
            Answer::Sat(model) => {
                let model = Arc::new(model);
                state.witness = Some(model.clone());
                Ok(model)
            }
            Answer::Unsat => Err(End::Infeasible),
            Answer::Unknown(reason) => Err(undecided(&reason).into()),
        }
    }

    /// Which sides of `condition` (one bit) are possible at the end of the state's path?
    pub(crate) fn sides(&mut self, state: &mut State, condition: &Term) -> Result<Sides, End> {
        if condition.is_const() {
            return Ok(if condition.is_true() { Sides::True } else { Sides::False });
        }
        let witness = self.witness(state)?;
        let task = self.solving.start();
        let holds = self.holds(condition, &witness);
        let other = if holds { condition.not() } else { condition.clone() };
        let answer = self.ask(state, &witness, &other);
        self.solving.stop(task);
        match answer {
            Answer::Sat(model) if holds => Ok(Sides::Both(witness, Arc::new(model))),
            Answer::Sat(model) => Ok(Sides::Both(Arc::new(model), witness)),
            Answer::Unsat => Ok(if holds { Sides::True } else { Sides::False }),
            Answer::Unknown(reason) => {
                // Only the undecided side is given up; this path now stands for the side that its witness takes.
                state.notes.push(undecided(&reason));
                let side = if holds { condition.clone() } else { condition.not() };
                self.extend(state, &side, Some(witness));
                Ok(if holds { Sides::True } else { Sides::False })
            }
        }
    }

    /// Adds a constraint that is known to be possible.
    pub fn extend(&mut self, state: &mut State, constraint: &Term, witness: Option<Arc<Model>>) {
        let task = self.solving.start();
        self.solver.extend(&mut state.path, constraint);
        self.solving.stop(task);
        let satisfies = |model: &Arc<Model>| eval(constraint, model).is_true();
        debug_assert!(witness.as_ref().is_none_or(satisfies), "a state's model must satisfy its path");
        state.witness = witness;
    }

    /// Demands a condition; the path ends when it cannot hold.
    pub fn assume(&mut self, state: &mut State, condition: &Term) -> Result<(), End> {
        if condition.is_const() {
            return if condition.is_true() { Ok(()) } else { Err(End::Infeasible) };
        }
        let witness = self.witness(state)?;
        let witness = if self.holds(condition, &witness) {
            witness
        } else {
            match self.ask(state, &witness, condition) {
                Answer::Sat(model) => Arc::new(model),
                Answer::Unsat => return Err(End::Infeasible),
                // Not a contradiction: nobody knows.
                Answer::Unknown(reason) => return Err(undecided(&reason).into()),
            }
        };
        self.extend(state, condition, Some(witness));
        Ok(())
    }

    /// Ends a copy of the state with `fault` where `good` fails, and goes on where it holds.
    pub(crate) fn demand(
        &mut self,
        state: &mut State,
        good: &Term,
        fault: impl FnOnce(&State) -> Fault,
    ) -> Result<(), End> {
        match self.sides(state, good)? {
            Sides::True => Ok(()),
            Sides::False => Err(fault(state).into()),
            Sides::Both(fine, bad) => {
                let mut broken = self.fork(state);
                let fault = fault(state);
                self.extend(&mut broken, &good.not(), Some(bad));
                self.ended.push((broken, fault.into()));
                self.extend(state, good, Some(fine));
                Ok(())
            }
        }
    }

    /// Another state in the same position. Pages are shared from now on.
    pub fn fork(&mut self, state: &mut State) -> Box<State> {
        self.tell(state);
        *self.forks.entry(self.here(state)).or_default() += 1;
        self.view.close_all();
        state.fork()
    }

    /// Makes `state` and as many siblings as it takes, one for each condition that is possible, in order of `conditions`; the
    /// conditions exclude each other and, unless there is one only, one of them holds. Tells the number of each by `apply`.
    pub fn split(
        &mut self,
        state: &mut State,
        conditions: &[Term],
        apply: &mut dyn FnMut(&mut Machine<'_>, &mut State, usize) -> Result<(), End>,
    ) -> Result<bool, End> {
        let mut possible: Vec<(usize, Option<Arc<Model>>)> = Vec::new();
        let witness = self.witness(state)?;
        // Were all conditions but the possible ones refuted? Then a single one that is left follows from the path.
        let mut refuted = true;
        for (i, condition) in conditions.iter().enumerate() {
            if condition.is_false() {
                continue;
            }
            if self.holds(condition, &witness) {
                possible.push((i, Some(witness.clone())));
                continue;
            }
            match self.ask(state, &witness, condition) {
                Answer::Sat(model) => possible.push((i, Some(Arc::new(model)))),
                Answer::Unsat => {}
                Answer::Unknown(reason) => {
                    refuted = false;
                    state.notes.push(undecided(&reason));
                }
            }
        }
        if possible.len() > 1 && self.may_not_fork(state) {
            refuted = false;
            // The first, whatever model the state happens to carry: the same for every worker.
            possible.truncate(1);
        }
        let forked = possible.len() > 1;
        if forked {
            self.enter_fragments(state);
        }
        let Some((last, others)) = possible.split_last() else {
            let lost = || Cause::new("solver", "the solver decided none of several ways to go on");
            return Err(if refuted { End::Infeasible } else { lost().into() });
        };
        for (i, model) in others {
            let mut sibling = self.fork(state);
            self.extend(&mut sibling, &conditions[*i], model.clone());
            self.settle_fork(&mut sibling, *i);
            match apply(self, &mut sibling, *i) {
                Ok(()) => self.siblings.push(sibling),
                Err(end) => self.ended.push((sibling, end)),
            }
        }
        let implied = !forked
            && refuted
            && conditions.len() > 1
            && last.1.as_ref().is_some_and(|model| Arc::ptr_eq(model, &witness));
        if !implied && !conditions[last.0].is_true() {
            self.extend(state, &conditions[last.0], last.1.clone());
        }
        if forked {
            self.settle_fork(state, last.0);
        }
        apply(self, state, last.0)?;
        Ok(forked)
    }

    pub(crate) fn settle_fork(&mut self, state: &mut State, choice: usize) {
        state.depth += 1;
        state.decisions.push(choice as u32);
    }

    /// One value of a term, from here on the only one. If there were others, the run is incomplete.
    pub fn concretize(&mut self, state: &mut State, term: &Term, why: &'static str) -> Result<Bits, End> {
        let witness = self.witness(state)?;
        let value = eval(term, &witness);
        let same = term.eq(&Term::constant(value.clone()));
        match self.ask(state, &witness, &same.not()) {
            Answer::Unsat => {}
            Answer::Sat(_) | Answer::Unknown(_) => {
                state.notes.push(Cause::new("concretized", format!("one value was taken for {why}")));
                self.extend(state, &same, Some(witness));
            }
        }
        Ok(value)
    }

    /// The least and the largest value of a term (at most 64 bits) within `low ..= high`, which must contain all.
    pub fn bounds(&mut self, state: &mut State, term: &Term, low: u64, high: u64) -> Result<(u64, u64), End> {
        let (mut low, mut high) = (low, high);
        if let Some(range) = self.range_of(&state.path, term) {
            if range.exact {
                return Ok((range.least, range.most));
            }
            (low, high) = (low.max(range.least), high.min(range.most));
        }
        let width = term.width();
        let witness = self.witness(state)?;
        let start = eval(term, &witness).low_u64();
        // From the value at hand in growing steps, since most terms stay near it; halved once a step went too far.
        let (mut least, mut below, mut step, mut grows) = (start, low, 1u64, true);
        while below < least {
            let half = (least - below).div_ceil(2);
            let middle = least - if grows { half.min(step) } else { half };
            match self.ask(state, &witness, &term.ule(&Term::number(width, middle))) {
                Answer::Sat(model) => least = eval(term, &model).low_u64(),
                Answer::Unsat => (below, grows) = (middle + 1, false),
                // Sound: a bound that was not tightened is still a bound.
                Answer::Unknown(_) => least = below,
            }
            step = step.saturating_mul(8);
        }
        let (mut most, mut above, mut step, mut grows) = (start, high, 1u64, true);
        while most < above {
            let half = (above - most).div_ceil(2);
            let middle = most + if grows { half.min(step) } else { half };
            match self.ask(state, &witness, &Term::number(width, middle).ule(term)) {
                Answer::Sat(model) => most = eval(term, &model).low_u64(),
                Answer::Unsat => (above, grows) = (middle - 1, false),
                Answer::Unknown(_) => most = above,
            }
            step = step.saturating_mul(8);
        }
        Ok((least, most))
    }

    /// A term that is about to decide something: values nobody wrote in it are reported and settled. One that cannot make a difference on this path
    /// (behind a condition that does not hold, in a part that is masked away) is none.
    pub fn settle(&mut self, state: &mut State, term: &Term, what: &str) -> Result<Term, End> {
        self.work += SETTLING;
        if !state.saw_uninit || term.is_const() {
            return Ok(term.clone());
        }
        if !mentions(term, Op::Symbol) {
            return Ok(term.clone());
        }
        let symbols = inputs([term]).into_iter().filter(|t| t.op() == Op::Symbol).cloned();
        let (poison, unset): (Vec<Term>, Vec<Term>) = symbols.partition(|symbol| Poison::of(symbol).is_some());
        if !poison.is_empty() {
            return self.settle_poison(state, term, &poison, &unset, what);
        }
        let text = format!("{what} depends on memory that was never written");
        let mut parts = 0;
        while let Some((differs, model)) = self.dependence(state, term, &unset)? {
            if self.config.checks.uninit {
                parts += 1;
                let fault = || Fault::new(ErrorKind::Uninit, text.as_str());
                self.report_dependence(state, &differs, model, &fault, parts == PARTS)?;
                continue;
            }
            state.depends_on_uninit = true;
            if self.config.uninit == Uninit::Symbolic && unset.iter().any(stands_for_many) {
                let text = "bytes of a large object that were never written were taken to be alike";
                state.notes.push(Cause::new("uninit", text));
            }
            let place = self.here(state);
            self.warnings.push(Warning { place, text });
            return Ok(match self.config.uninit {
                Uninit::Symbolic => term.clone(),
                Uninit::Zero => filled(term, &unset, 0),
                Uninit::Pattern => filled(term, &unset, PATTERN),
            });
        }
        Ok(filled(term, &unset, PATTERN))
    }

    /// Reports the inputs for which poison decides something. The path goes on for the others, without poison in the term.
    fn settle_poison(
        &mut self,
        state: &mut State,
        term: &Term,
        poison: &[Term],
        unset: &[Term],
        what: &str,
    ) -> Result<Term, End> {
        // All symbols are looked at together: a condition on inputs that mentions one of them would be none on inputs.
        let asked = filled(term, unset, PATTERN);
        let mut parts = 0;
        while let Some((differs, model)) = self.dependence(state, &asked, poison)? {
            parts += 1;
            let broken = culprit(&asked, poison, &model);
            self.report_dependence(state, &differs, model, &|| broken.fault(what), parts == PARTS)?;
        }
        // Sound: no value of them makes a difference on what is left of the path.
        self.settle(state, &filled(term, poison, PATTERN), what)
    }

    /// A condition on the inputs under which two contents of memory that was never written give the term two values, and a model of it; none where
    /// there is no such input.
    fn dependence(
        &mut self,
        state: &mut State,
        term: &Term,
        unset: &[Term],
    ) -> Result<Option<(Term, Arc<Model>)>, End> {
        let witness = self.witness(state)?;
        // Most that depend do so for any two contents: no symbol is needed to see it.
        for other in [!PATTERN, 0] {
            let differs = filled(term, unset, PATTERN).ne(&filled(term, unset, other));
            if let Answer::Sat(model) = self.ask(state, &witness, &differs) {
                return Ok(Some((differs, Arc::new(model))));
            }
        }
        let mut fresh = Substitution::default();
        for symbol in unset {
            let name = format!("{}'", symbol.name().unwrap_or_default());
            fresh.insert(symbol.clone(), Term::symbol(&name, symbol.width()));
        }
        let copy = rebuild(std::slice::from_ref(term), &fresh).remove(0);
        match self.ask(state, &witness, &term.ne(&copy)) {
            Answer::Unsat => Ok(None),
            Answer::Sat(model) => {
                let contents = |of: &dyn Fn(&Term) -> Term| {
                    let mut chosen = Substitution::default();
                    for symbol in unset {
                        chosen.insert(symbol.clone(), Term::constant(model.get(&of(symbol))));
                    }
                    rebuild(std::slice::from_ref(term), &chosen).remove(0)
                };
                let differs =
                    contents(&Term::clone).ne(&contents(&|symbol| fresh.get(symbol).unwrap_or(symbol).clone()));
                Ok(Some((differs, Arc::new(model))))
            }
            // Nobody knows whether it makes a difference: that is no error. The run says so, and the test is not relied on.
            Answer::Unknown(reason) => {
                state.notes.push(undecided(&reason));
                state.depends_on_uninit = true;
                Ok(None)
            }
        }
    }

    /// Ends the path for the inputs of the condition; it goes on for the others, if there are any and this is not the last time.
    fn report_dependence(
        &mut self,
        state: &mut State,
        differs: &Term,
        model: Arc<Model>,
        fault: &dyn Fn() -> Fault,
        last: bool,
    ) -> Result<(), End> {
        let rest = match self.ask(state, &model, &differs.not()) {
            Answer::Sat(_) if last => {
                state.notes.push(Cause::new(
                    "uninit",
                    "not all inputs were told apart by what they make of memory that was never written",
                ));
                None
            }
            Answer::Sat(rest) if !self.may_not_fork(state) => Some(rest),
            Answer::Sat(_) | Answer::Unsat => None,
            Answer::Unknown(reason) => {
                state.notes.push(undecided(&reason));
                None
            }
        };
        let Some(rest) = rest else {
            if !differs.is_true() {
                self.extend(state, differs, Some(model));
            }
            state.depends_on_uninit = true;
            return Err(fault().into());
        };
        let mut wrong = self.fork(state);
        self.extend(&mut wrong, differs, Some(model));
        self.settle_fork(&mut wrong, 1);
        wrong.depends_on_uninit = true;
        self.ended.push((wrong, fault().into()));
        self.extend(state, &differs.not(), Some(Arc::new(rest)));
        self.settle_fork(state, 0);
        Ok(())
    }
}

/// The first of the broken promises that makes a difference by itself under the model; the first of all where only several together do.
fn culprit(term: &Term, poison: &[Term], model: &Model) -> Poison {
    let decides = |symbol: &&Term| {
        let one = std::slice::from_ref(*symbol);
        eval(&filled(term, one, PATTERN), model) != eval(&filled(term, one, !PATTERN), model)
    };
    let symbol = poison.iter().find(decides).or(poison.first());
    symbol.and_then(Poison::of).expect("symbols of poison, at least one")
}

/// How often inputs are told apart by what they make of values that nobody wrote, at one place.
const PARTS: u32 = 8;

/// What a byte that was never written is taken to be.
const PATTERN: u8 = 0xA5;

/// The term with one byte all over the given symbols.
fn filled(term: &Term, symbols: &[Term], byte: u8) -> Term {
    let mut substitution = Substitution::default();
    for symbol in symbols {
        let words = vec![u64::from_ne_bytes([byte; 8]); symbol.width().div_ceil(64) as usize];
        let value = Term::constant(Bits::from_words(symbol.width(), &words));
        substitution.insert(symbol.clone(), value);
    }
    rebuild(std::slice::from_ref(term), &substitution).remove(0)
}

pub(crate) fn undecided(reason: &Reason) -> Cause {
    Cause::new("solver", format!("the solver did not decide a question ({reason})"))
}
