//! Gates as clauses in CaDiCaL, on demand: only what a question reaches is ever sent.
//!
//! Clauses define gates in both directions, so that a literal means the same in every later question to this
//! solver. Questions are assumptions; what the path says is units.
//!
//! Options differ from CaDiCaL's defaults where questions are many and short: `lucky` and `walk` try whole assignments before
//! search, which costs more than most of our searches; `factor` would invent variables; `inprobeint` leaves probing, sweeping and congruence closure to
//! searches that are long enough to gain by them (a twentieth fewer instructions on table programs, a quarter where questions are few).
//!
//! CaDiCaL looks at its terminator between decisions only. A row of conflicts without a decision is short on a small formula and can take
//! seconds on a large one, so large ones are searched on a thread that can be left behind (`search`).

use super::gates::{BYTES_PER_GATE, Gate, Gates, Lit};
use super::search::search;
use cadical_sys::{CaDiCal, Status, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use strata_query::{Budget, Reason};

/// What a search found.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    Model,
    Conflict,
    Stopped(Reason),
}

/// Stops CaDiCaL when the budget is spent; shared with `Sat`, which sets a new budget for each question.
#[derive(Default)]
struct Watch {
    budget: Budget,
    /// How long it takes to give back what was built: a deadline covers that, too.
    teardown: Duration,
    fired: Option<Reason>,
}

#[derive(Clone, Default)]
struct SharedWatch(Arc<Mutex<Watch>>);

impl SharedWatch {
    fn lock(&self) -> MutexGuard<'_, Watch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Terminator for SharedWatch {
    fn terminated(&mut self) -> bool {
        let mut watch = self.lock();
        if watch.fired.is_none() {
            watch.fired = watch.budget.exceeded_in(watch.teardown);
        }
        watch.fired.is_some()
    }
}

/// What it takes to give back a clause and its gates, measured on a million of them.
const PER_CLAUSE: Duration = Duration::from_nanos(100);

/// Bytes that a clause takes in CaDiCaL with all that belongs to it, measured on multipliers of 400 and 900 bits.
pub const BYTES_PER_CLAUSE: usize = 200;
/// How many of CaDiCaL's ticks (lines of memory that propagation looks at) take the time in which a layer computes a node.
const TICKS: u64 = 10;
/// After how many conflicts a model is not where it was looked for first: what CaDiCaL has learnt of the question says better what to try.
const NEAR: u64 = 1000;
/// From how many clauses on a search is worth a thread of its own.
const LARGE: usize = 200_000;

pub struct Sat {
    cadical: CaDiCal,
    watch: SharedWatch,
    /// CaDiCaL's variable for each gate; zero if it has none yet.
    variables: Vec<i32>,
    last: i32,
    clauses: usize,
    /// The values of gates without a variable in the current model.
    derived: Vec<Option<bool>>,
    stopped: Option<Reason>,
    /// CaDiCaL's count of conflicts when the question came.
    conflicts_before: i64,
    /// Gates whose value was asserted.
    asserted: FxHashMap<usize, bool>,
    /// Processor time of searches on other threads than the caller's.
    elsewhere: Duration,
    /// Variables of which CaDiCaL was told what to try first.
    preferred: FxHashSet<i32>,
    given_up: bool,
}

impl Sat {
    pub fn new() -> Sat {
        let mut cadical = CaDiCal::new();
        for (option, value) in
            [("lucky", 0), ("luckyassumptions", 0), ("walk", 0), ("factor", 0), ("inprobeint", 10_000), ("quiet", 1)]
        {
            cadical.set(option, value);
        }
        let watch = SharedWatch::default();
        cadical.connect_terminator(watch.clone());
        Sat {
            cadical,
            watch,
            variables: Vec::new(),
            last: 0,
            clauses: 0,
            derived: Vec::new(),
            stopped: None,
            conflicts_before: 0,
            asserted: FxHashMap::default(),
            elsewhere: Duration::ZERO,
            preferred: FxHashSet::default(),
            given_up: false,
        }
    }

    /// What it has done so far, in nodes that a layer computes (a quarter of a microsecond): the same for the same questions, unlike a clock.
    pub fn effort(&self) -> u64 {
        self.clauses as u64 + self.cadical.get_statistic_value("ticks") as u64 / TICKS
    }

    /// Processor time of searches on other threads than the caller's, since the last call.
    pub fn take_elsewhere(&mut self) -> Duration {
        std::mem::take(&mut self.elsewhere)
    }

    /// How many clauses were added.
    pub fn clauses(&self) -> usize {
        self.clauses
    }

    fn variable(&self, node: usize) -> i32 {
        self.variables.get(node).copied().unwrap_or(0)
    }

    fn literal(&self, lit: Lit) -> i32 {
        let variable = self.variable(lit.node());
        if lit.negated() { -variable } else { variable }
    }

    /// Sets what the next question may cost.
    pub fn allow(&mut self, budget: &Budget) {
        self.conflicts_before = self.conflicts();
        let mut watch = self.watch.lock();
        (watch.budget, watch.fired) = (budget.clone(), None);
    }

    fn conflicts(&self) -> i64 {
        self.cadical.get_statistic_value("conflicts")
    }

    /// Why encoding was stopped, if it was: the clauses are incomplete then, and the owner discards this solver.
    pub fn stopped(&self) -> Option<&Reason> {
        self.stopped.as_ref()
    }

    /// CaDiCaL's literal for `lit`, which is not constant; the clauses of its cone are added where they are missing.
    pub fn encode(&mut self, gates: &Gates, lit: Lit) -> i32 {
        debug_assert!(!lit.is_const());
        if self.variables.len() < gates.len() {
            self.variables.resize(gates.len(), 0);
        }
        let mut stack = vec![lit.node()];
        let mut leaves = Vec::new();
        while let Some(&node) = stack.last() {
            if self.variables[node] != 0 || self.stopped.is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let gate = gates.gate(node);
            leaves.clear();
            match gate {
                Gate::And(..) => self.conjunction(gates, node, &mut leaves),
                Gate::Input | Gate::Xor(..) | Gate::Mux(..) | Gate::Maj(..) => leaves.extend(gate.inputs()),
            }
            stack.extend(leaves.iter().map(|input| input.node()).filter(|input| self.variables[*input] == 0));
            if stack.len() == before {
                stack.pop();
                self.define(node, gate, &leaves);
            }
        }
        self.literal(lit)
    }

    /// The literals whose conjunction an and-gate is, through ands that serve it alone and have no variable: one
    /// long gate instead of many short ones.
    fn conjunction(&self, gates: &Gates, node: usize, into: &mut Vec<Lit>) {
        let mut stack: Vec<Lit> = gates.gate(node).inputs().collect();
        while let Some(lit) = stack.pop() {
            let inner = gates.gate(lit.node());
            let own = !lit.negated() && gates.used_once(lit.node()) && self.variable(lit.node()) == 0;
            match inner {
                Gate::And(a, b) if own => stack.extend([a, b]),
                Gate::And(..) | Gate::Input | Gate::Xor(..) | Gate::Mux(..) | Gate::Maj(..) => into.push(lit),
            }
        }
    }

    fn define(&mut self, node: usize, gate: Gate, leaves: &[Lit]) {
        self.last += 1;
        let x = self.last;
        if x & 0xfff == 0 && self.stopped.is_none() {
            let mut watch = self.watch.lock();
            watch.teardown = PER_CLAUSE * self.clauses as u32;
            let bytes = self.clauses * BYTES_PER_CLAUSE + self.variables.len() * BYTES_PER_GATE;
            let too_big = watch.budget.memory.is_some_and(|limit| bytes > limit);
            self.stopped = if too_big { Some(Reason::Memory) } else { watch.budget.exceeded_in(watch.teardown) };
        }
        self.variables[node] = x;
        let l = |lit: Lit| self.literal(lit);
        match gate {
            Gate::Input => {}
            Gate::And(..) => {
                let mut long: Vec<i32> = leaves.iter().map(|leaf| -l(*leaf)).collect();
                for leaf in &long {
                    self.cadical.clause2(-x, -leaf);
                }
                self.clauses += long.len();
                long.push(x);
                self.add_clause(&long);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (l(a), l(b));
                self.cadical.clause3(-x, a, b);
                self.cadical.clause3(-x, -a, -b);
                self.cadical.clause3(x, -a, b);
                self.cadical.clause3(x, a, -b);
                self.clauses += 4;
            }
            Gate::Mux(c, t, e) => {
                let (c, t, e) = (l(c), l(t), l(e));
                self.cadical.clause3(-x, -c, t);
                self.cadical.clause3(x, -c, -t);
                self.cadical.clause3(-x, c, e);
                self.cadical.clause3(x, c, -e);
                // Implied, but they propagate when both branches agree.
                self.cadical.clause3(-x, t, e);
                self.cadical.clause3(x, -t, -e);
                self.clauses += 6;
            }
            Gate::Maj(a, b, c) => {
                let (a, b, c) = (l(a), l(b), l(c));
                for (p, q) in [(a, b), (a, c), (b, c)] {
                    self.cadical.clause3(-x, p, q);
                    self.cadical.clause3(x, -p, -q);
                }
                self.clauses += 6;
            }
        }
        if let Some(value) = self.asserted.get(&node) {
            let unit = if *value { x } else { -x };
            self.add_clause(&[unit]);
        }
    }

    /// Asserts `lit`, which is not constant. The gate at the top gets no variable of its own: a conjunction is its parts, a
    /// negated conjunction is one clause. Should a later question reach that gate, `define` tells its value.
    pub fn assert(&mut self, gates: &Gates, lit: Lit) {
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            if self.asserted.insert(lit.node(), !lit.negated()) == Some(!lit.negated()) {
                continue;
            }
            match gates.gate(lit.node()) {
                _ if self.variable(lit.node()) != 0 => {
                    let literal = self.literal(lit);
                    self.add_clause(&[literal]);
                }
                Gate::And(a, b) if !lit.negated() => stack.extend([a, b]),
                Gate::And(..) => {
                    let mut leaves = Vec::new();
                    self.conjunction(gates, lit.node(), &mut leaves);
                    let clause: Vec<i32> = leaves.iter().map(|leaf| -self.encode(gates, *leaf)).collect();
                    self.add_clause(&clause);
                }
                Gate::Input | Gate::Xor(..) | Gate::Mux(..) | Gate::Maj(..) => {
                    let literal = self.encode(gates, lit);
                    // `define` has added the unit already if it just met the gate.
                    self.add_clause(&[literal]);
                }
            }
        }
    }

    /// Lets the search try `value` first for `lit`; false if no clause mentions it yet.
    pub fn prefer(&mut self, lit: Lit, value: bool) -> bool {
        let literal = self.literal(lit);
        if literal != 0 {
            self.cadical.phase(if value { literal } else { -literal });
            self.preferred.insert(literal.abs());
        }
        literal != 0 || lit.is_const()
    }

    /// Did a search go on without what was preferred, since this was asked last?
    pub fn has_given_up(&mut self) -> bool {
        std::mem::take(&mut self.given_up)
    }

    /// Leaves it to CaDiCaL what is tried first.
    fn give_up(&mut self) {
        for variable in std::mem::take(&mut self.preferred) {
            self.cadical.unphase(variable);
        }
        self.given_up = true;
    }

    /// Adds a clause over encoded literals.
    pub fn add_clause(&mut self, literals: &[i32]) {
        if self.stopped.is_some() {
            return;
        }
        for literal in literals {
            self.cadical.add(*literal);
        }
        self.cadical.add(0);
        self.clauses += 1;
    }

    /// Is there an assignment of everything encoded in which `assumptions` hold?
    pub fn solve(&mut self, assumptions: &[i32]) -> Found {
        if let Some(reason) = &self.stopped {
            return Found::Stopped(reason.clone());
        }
        if !self.preferred.is_empty() && self.left().is_none_or(|left| left > NEAR) {
            match self.search(assumptions, Some(NEAR)) {
                Found::Stopped(Reason::Conflicts) => self.give_up(),
                found @ (Found::Model | Found::Conflict | Found::Stopped(_)) => return found,
            }
        }
        self.search(assumptions, self.left())
    }

    /// The conflicts that are left to the question, which may take many searches.
    fn left(&self) -> Option<u64> {
        let spent = (self.conflicts() - self.conflicts_before) as u64;
        self.watch.lock().budget.conflicts.map(|most| most.saturating_sub(spent))
    }

    /// One search, with so many conflicts at most.
    fn search(&mut self, assumptions: &[i32], conflicts: Option<u64>) -> Found {
        if let Some(conflicts) = conflicts {
            self.cadical.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        }
        for literal in assumptions {
            self.cadical.assume(*literal);
        }
        self.derived.clear();
        let status = if self.clauses < LARGE {
            Some(self.cadical.solve())
        } else {
            let budget = self.watch.lock().budget.clone();
            search(&mut self.cadical, &budget, &mut self.elsewhere)
        };
        match status {
            Some(Status::SATISFIABLE) => Found::Model,
            Some(Status::UNSATISFIABLE) => Found::Conflict,
            Some(Status::UNKNOWN) => Found::Stopped(self.watch.lock().fired.take().unwrap_or(Reason::Conflicts)),
            None => {
                let mut watch = self.watch.lock();
                let reason = watch.budget.exceeded().unwrap_or(Reason::Time);
                // The search left behind must end even if the interrupt is cleared before it looks.
                watch.fired = Some(reason.clone());
                drop(watch);
                self.stopped = Some(reason.clone());
                Found::Stopped(reason)
            }
        }
    }

    /// The value of `lit` in the model just found. Gates that were not encoded follow from their inputs; an input that was
    /// not encoded is false.
    pub fn value(&mut self, gates: &Gates, lit: Lit) -> bool {
        if let Some(value) = lit.known() {
            return value;
        }
        if self.derived.len() < gates.len() {
            self.derived.resize(gates.len(), None);
            self.derived[0] = Some(false);
        }
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.derived[node].is_some() {
                stack.pop();
                continue;
            }
            let variable = self.variable(node);
            if variable != 0 {
                self.derived[node] = Some(self.cadical.val(variable) > 0);
                continue;
            }
            let gate = gates.gate(node);
            let before = stack.len();
            stack.extend(gate.inputs().map(Lit::node).filter(|node| self.derived[*node].is_none()));
            if stack.len() == before {
                let v = |lit: Lit| self.derived[lit.node()] != Some(lit.negated());
                self.derived[node] = Some(match gate {
                    Gate::Input => false,
                    Gate::And(a, b) => v(a) && v(b),
                    Gate::Xor(a, b) => v(a) != v(b),
                    Gate::Mux(c, t, e) => {
                        if v(c) {
                            v(t)
                        } else {
                            v(e)
                        }
                    }
                    Gate::Maj(a, b, c) => v(a) && v(b) || v(a) && v(c) || v(b) && v(c),
                });
            }
        }
        self.derived[lit.node()] != Some(lit.negated())
    }

    /// The value of a word of at most 64 bits in the model just found.
    pub fn word_value(&mut self, gates: &Gates, word: &[Lit]) -> u64 {
        word.iter().rev().fold(0, |value, lit| value << 1 | u64::from(self.value(gates, *lit)))
    }
}
