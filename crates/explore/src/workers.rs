//! Threads over one frontier of states.
//!
//! - `handle`: a worker's solver
//! - `ends`: what becomes of a path that ended
//! - `faults`: what becomes of a path on which the engine itself panicked
//! - `merging`: states in fragments, and tests of merged paths
//! - `watch`: the loop that watches them, and holds limits
//! - `figures`: what a run tells of itself

mod ends;
mod faults;
mod figures;
mod handle;
mod merging;
mod watch;

use crate::forks::Forks;
use crate::least::Least;
use crate::limits::{Limits, Pace, thread_time};
use crate::queue::Queue;
use crate::strategies::Frontier;
use crate::tests::Test;
use faults::guarded;
use figures::queries;
use handle::Handle;
use merging::Merging;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use strata_interp::{Cause, Config, Echo, End, Image, Machine, State, Warning};
use strata_merge::Books;
use strata_query::{Gauge, Interrupt};
use strata_record::{ErrorCount, ErrorReport, Expectation, ForkCount, KTest, Paths, Progress, Queries, Run, Shape};
use strata_solver::Stack;

/// Instructions of one turn: some milliseconds, so that a state's windows on memory are open for long.
const TURN: u64 = 1_000_000;
/// The same where many wait: one that loops for ever should not take the time of those that fork.
const SHORT_TURN: u64 = 50_000;

/// Lines with many forks that are kept.
const HOTTEST: usize = 10;

/// Types of inputs by their names.
pub type Shapes = BTreeMap<String, Shape>;

/// How a run is to be made.
pub struct Options {
    /// Strategies that take turns.
    pub strategies: Vec<&'static str>,
    /// For all that is drawn.
    pub seed: u64,
    /// Workers.
    pub jobs: usize,
    /// Limits.
    pub limits: Limits,
    /// Write tests at all?
    pub write_tests: bool,
    /// One test for each path that ends in an error, not one for each error.
    pub all_errors: bool,
    /// Only tests of paths that reached new code.
    pub only_covering_new: bool,
    /// Is each test's input a function of its path alone? Else only errors and new code are worth what that takes.
    pub deterministic: bool,
    /// Stop at the first error.
    pub exit_on_error: bool,
    /// Stop at the first error of one of these kinds.
    pub exit_on_kinds: Vec<String>,
    /// The program's arguments, for the tests.
    pub arguments: Vec<Vec<u8>>,
    /// What inputs are, for the tests.
    pub shapes: Shapes,
    /// Who wants to see what paths write, as they write it.
    pub echo: Option<Echo>,
    /// How states are merged, if they are.
    pub merge: Option<strata_merge::Options>,
}

/// A distinct error that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// How often, and which test shows it.
    pub count: ErrorCount,
    /// The error.
    pub report: ErrorReport,
    /// The smallest input that was found.
    pub input: KTest,
    /// What it is expected to do.
    pub expectation: Expectation,
}

/// What a run has done: so far, or at its end.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Distinct errors.
    pub errors: Vec<Found>,
    /// Causes of incompleteness, counted.
    pub causes: BTreeMap<String, u64>,
    /// Reasons in full, for the log, with how often each was met.
    pub reasons: BTreeMap<String, u64>,
    /// Paths by how they ended.
    pub paths: Paths,
    /// Instructions run.
    pub instructions: u64,
    /// Forks.
    pub forks: u64,
    /// Where most of them were, the hottest first.
    pub hottest_forks: Vec<ForkCount>,
    /// Tests written.
    pub tests: u64,
    /// What was asked of the solver.
    pub queries: Queries,
    /// Most states alive at once.
    pub states_peak: u64,
    /// Processor time of all workers, and of the solver's long searches for them, without writing.
    pub explore: Duration,
    /// Time in the solver, by the clock: for branches and for tests.
    pub solve: Duration,
    /// Processor time of the workers in it. A solver that is another process has its own, which is not here.
    pub solve_cpu: Duration,
    /// Processor time of making and writing tests, without solving.
    pub write: Duration,
    /// Processor time of making and writing tests, with solving: a part of `solve` and all of `write`.
    pub tests_cpu: Duration,
    /// Share of the time that each worker was busy.
    pub busy: Vec<f64>,
    /// Most memory seen.
    pub peak_memory: u64,
    /// Tests whose program becomes another one, by that one's name.
    pub became: BTreeMap<String, u64>,
    /// What was merged.
    pub merged: Books,
    /// Things to tell the user.
    pub warnings: BTreeSet<Warning>,
    /// Panics of our own.
    pub panics: Vec<String>,
    /// A disagreement between solvers.
    pub contradiction: Option<String>,
    /// Something outside of us failed and ended the run: a file could not be written, or a solver not be started.
    pub trouble: Option<String>,
}

/// What is shown while a run is going.
pub struct Live<'a> {
    /// The figures.
    pub progress: &'a Progress,
    /// Seconds since new code was last reached.
    pub since_new: f64,
    /// What the run has done so far. Times of workers are added when they end.
    pub summary: &'a Summary,
}

struct Waiting {
    frontier: Frontier,
    /// After a stop: live paths that wait for their tests, the first one last.
    ending: VecDeque<Box<State>>,
    running: usize,
    idle: usize,
    peak: usize,
}

impl Waiting {
    /// Takes live paths that are to get their tests now.
    fn end(&mut self, most: usize) -> Vec<Box<State>> {
        for state in self.frontier.take(usize::MAX) {
            if state.covered_new {
                self.ending.push_back(state);
            } else {
                self.ending.push_front(state);
            }
        }
        let first = self.ending.len().saturating_sub(most);
        self.ending.split_off(first).into()
    }
}

#[derive(Default)]
struct Counts {
    instructions: AtomicU64,
    forks: AtomicU64,
    completed: AtomicU64,
    error: AtomicU64,
    incomplete: AtomicU64,
    infeasible: AtomicU64,
    tests: AtomicU64,
    solving_cpu_us: AtomicU64,
    last_new_ms: AtomicU64,
    /// States in fragments, of all workers.
    held: AtomicU64,
    /// How long workers waited for the writer, all together.
    waited_us: AtomicU64,
}

struct Shared<'a> {
    image: &'a Image,
    config: &'a Config,
    /// The same without merging, for running one input again.
    plain: Config,
    /// Where all paths begin.
    starts: Mutex<Vec<Box<State>>>,
    options: &'a Options,
    run: &'a Run,
    solver: &'a (dyn Fn() -> Result<Stack, String> + Sync),
    waiting: Mutex<Waiting>,
    wake: Condvar,
    stop: AtomicBool,
    stop_cause: Mutex<Option<Cause>>,
    interrupt: Interrupt,
    counts: Counts,
    forks: Forks,
    errors: Mutex<BTreeMap<(String, String, u32), Found>>,
    summary: Mutex<Summary>,
    queries: Mutex<Vec<Queries>>,
    /// By worker: its time in the solver.
    gauges: Vec<Gauge>,
    start: Instant,
    /// No test is made after this.
    grace: Mutex<Option<Instant>>,
    /// Set then: questions about tests end, too.
    late: Interrupt,
    writing: Queue<Entry>,
    /// Tests that could not be written.
    unwritten: Mutex<BTreeSet<u32>>,
}

/// What the writer may take after the time for making tests is over.
const LATE: Duration = Duration::from_millis(50);

/// When states are shed: at so much memory, and at so many states once it is known how many fill the memory.
struct Hold {
    shed_at: u64,
    states: usize,
}

/// Fewer states than this are not what fills the memory.
const FEW: usize = 256;

/// Time of making tests.
#[derive(Default)]
struct Making {
    /// With what the solver takes for them.
    all: Duration,
    /// Without.
    alone: Duration,
}

/// A test that is to be written.
struct Entry {
    number: u32,
    /// Was it counted for this, or does it replace another?
    fresh: bool,
    test: Test,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Explores from some states on. `observe` is called about ten times a second and at the end.
#[expect(clippy::too_many_arguments, reason = "each is a part of the run that somebody else made")]
pub fn explore(
    image: &Image,
    config: &Config,
    options: &Options,
    mut start: Vec<State>,
    solver: &(dyn Fn() -> Result<Stack, String> + Sync),
    run: &Run,
    interrupt: &Interrupt,
    observe: &mut dyn FnMut(&Live<'_>),
) -> Summary {
    let mut frontier = Frontier::new(&options.strategies, options.seed);
    let peak = start.len();
    (0..).zip(&mut start).for_each(|(number, state)| state.origin = number);
    let starts = start.iter_mut().map(State::fork).collect();
    frontier.push(start.into_iter().map(Box::new).collect(), 0);
    let shared = Shared {
        image,
        config,
        plain: Config { merge: None, ..config.clone() },
        starts: Mutex::new(starts),
        options,
        run,
        solver,
        waiting: Mutex::new(Waiting { frontier, ending: VecDeque::new(), running: 0, idle: 0, peak }),
        wake: Condvar::new(),
        stop: AtomicBool::new(false),
        stop_cause: Mutex::new(None),
        interrupt: Interrupt::default(),
        counts: Counts::default(),
        forks: Forks::default(),
        errors: Mutex::new(BTreeMap::new()),
        summary: Mutex::new(Summary::default()),
        queries: Mutex::new(vec![Queries::default(); options.jobs]),
        gauges: (0..options.jobs).map(|_| Gauge::default()).collect(),
        start: Instant::now(),
        grace: Mutex::new(None),
        late: Interrupt::default(),
        writing: Queue::default(),
        unwritten: Mutex::default(),
    };
    std::thread::scope(|scope| {
        // One thread makes all files: several would spend their time waiting for each other in the kernel, spinning.
        let writer = std::thread::Builder::new().name("writer".into());
        let shared = &shared;
        writer.spawn_scoped(scope, || shared.write_all()).expect("a thread can be started");
        let workers: Vec<_> = (0..options.jobs)
            .map(|number| {
                let builder = std::thread::Builder::new().name(format!("worker-{number}")).stack_size(64 << 20);
                builder.spawn_scoped(scope, move || shared.work(number)).expect("a thread can be started")
            })
            .collect();
        let done = || workers.iter().all(|worker| worker.is_finished());
        while let Err(text) = guarded(|| shared.watch(interrupt, observe, &done)) {
            // A run that is stopped is watched without what may have panicked.
            shared.note_panic(text);
            shared.stop_at_fault();
        }
        shared.writing.close();
    });
    shared.finish(observe)
}

impl Shared<'_> {
    fn stop(&self, cause: Option<Cause>, grace: Duration) {
        let mut slot = lock(&self.stop_cause);
        if slot.is_none() {
            *slot = cause;
            *lock(&self.grace) = Some(Instant::now() + grace);
        }
        drop(slot);
        self.stop.store(true, Ordering::SeqCst);
        self.interrupt.set();
        // Whoever has just found nothing to do and is about to wait must not miss the call.
        drop(lock(&self.waiting));
        self.wake.notify_all();
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Is the time for making tests over?
    fn is_late(&self) -> bool {
        lock(&self.grace).is_some_and(|grace| Instant::now() > grace)
    }

    /// What a worker runs states with.
    fn machine<'s>(&'s self, stack: &'s RefCell<Stack>, solving: &Gauge) -> Machine<'s> {
        let solver = Box::new(Handle(stack));
        let mut machine = Machine::new(self.image, self.config, solver, self.interrupt.clone());
        machine.echo = self.options.echo.clone();
        solving.reset();
        machine.solving = solving.clone();
        machine
    }

    /// One worker's life. A panic that no path is to blame for ends the run: what is alive gets its tests from the other workers.
    fn work(&self, number: usize) {
        if let Err(text) = guarded(|| self.work_on(number)) {
            self.note_panic(text);
            self.stop_at_fault();
        }
    }

    /// Runs states as long as there are any.
    fn work_on(&self, number: usize) {
        let stack = match (self.solver)() {
            Ok(stack) => RefCell::new(stack),
            Err(trouble) => return self.give_up_all(trouble),
        };
        let solving = &self.gauges[number];
        let mut machine = self.machine(&stack, solving);
        let mut least = Least::default();
        let (begun, mut idle, mut write) = (Instant::now(), Duration::ZERO, Duration::ZERO);
        // By the clock, since the last look at the processor time: the kernel is not asked about each path that ends.
        let mut making = Making::default();
        let (mut booked, mut tests_cpu) = (Duration::ZERO, Duration::ZERO);
        let (mut pace, mut idle_before) = (Pace::start(), self.waited());
        let mut previous: Option<(u64, Vec<Box<State>>)> = None;
        let mut merging = Merging::new(self.options, self.config);
        let mut reported = Instant::now();
        while let Some(((id, state), others)) = match &mut merging {
            Some(merging) => self.next_merged(merging, &mut machine, previous.take(), &mut idle),
            None => self.next(previous.take(), &mut idle),
        } {
            let before = state.instructions;
            let mut running = Some(state);
            let outcome = guarded(|| machine.run(&mut running, self.turn(others)));
            let ended = std::mem::take(&mut machine.ended);
            let live = outcome.unwrap_or_else(|text| {
                let dropped = machine.abandoned();
                self.forks.add(&mut machine.forks);
                lock(&self.summary).warnings.extend(machine.warnings.drain(..));
                machine = self.machine(&stack, solving);
                self.renew(&stack);
                self.lose(running.as_deref(), dropped, text, &stack);
                Vec::new()
            });
            self.count(&live, &ended, before);
            if !ended.is_empty() {
                self.timed(solving, &mut making, || {
                    ended.into_iter().for_each(|(state, end)| self.end(&state, &end, &mut least, &stack, solving));
                });
            }
            if !machine.warnings.is_empty() {
                lock(&self.summary).warnings.extend(machine.warnings.drain(..));
            }
            if reported.elapsed() > Duration::from_millis(100) {
                reported = Instant::now();
                let idle_now = idle + self.waited();
                let share = pace.lap(idle_now.saturating_sub(std::mem::replace(&mut idle_before, idle_now)));
                self.note_solving(solving, &mut booked, share);
                let made = std::mem::take(&mut making);
                write += made.alone.mul_f64(share);
                tests_cpu += made.all.mul_f64(share);
                lock(&self.queries)[number] = queries(&stack.borrow());
                self.forks.add(&mut machine.forks);
            }
            previous = Some((id, live));
        }
        if let Some(merging) = merging {
            self.close_merging(merging);
        }
        self.forks.add(&mut machine.forks);
        if self.is_stopped() {
            self.timed(solving, &mut making, || self.end_live(&mut least, &stack, solving));
        }
        let share = pace.lap((idle + self.waited()).saturating_sub(idle_before));
        self.note_solving(solving, &mut booked, share);
        let elsewhere = stack.borrow().statistics().elsewhere;
        self.counts.solving_cpu_us.fetch_add(elsewhere.as_micros() as u64, Ordering::Relaxed);
        write += making.alone.mul_f64(share);
        tests_cpu += making.all.mul_f64(share);
        lock(&self.queries)[number] = queries(&stack.borrow());
        let mut summary = lock(&self.summary);
        summary.contradiction = summary.contradiction.take().or_else(|| stack.borrow_mut().take_contradiction());
        summary.explore += (thread_time() + elsewhere).saturating_sub(write);
        summary.write += write;
        summary.tests_cpu += tests_cpu;
        let total = begun.elapsed().as_secs_f64().max(1e-9);
        summary.busy.push(1.0 - (idle + self.waited()).as_secs_f64() / total);
    }

    /// How long a worker waited for the writer so far. Who of them did is not told apart.
    fn waited(&self) -> Duration {
        Duration::from_micros(self.counts.waited_us.load(Ordering::Relaxed) / self.options.jobs as u64)
    }

    /// Makes tests, and adds the time that it takes without waiting.
    fn timed(&self, solving: &Gauge, making: &mut Making, work: impl FnOnce()) {
        let (start, asked, waited) = (Instant::now(), solving.total(), self.waited());
        work();
        let all = start.elapsed().saturating_sub(self.waited().saturating_sub(waited));
        making.all += all;
        making.alone += all.saturating_sub(solving.total() - asked);
    }

    /// Counts time of solving since the last look, of which the worker had the processor for a share.
    fn note_solving(&self, solving: &Gauge, booked: &mut Duration, share: f64) {
        let total = solving.total();
        let time = total.saturating_sub(std::mem::replace(booked, total));
        self.counts.solving_cpu_us.fetch_add(time.mul_f64(share).as_micros() as u64, Ordering::Relaxed);
    }

    /// Puts back what came of the last turn and takes the next state, and tells how many others wait. None when there is nothing left to do.
    fn next(
        &self,
        previous: Option<(u64, Vec<Box<State>>)>,
        idle: &mut Duration,
    ) -> Option<((u64, Box<State>), usize)> {
        let mut waiting = lock(&self.waiting);
        if let Some((id, live)) = previous {
            waiting.running -= 1;
            if live.is_empty() {
                waiting.frontier.end(id);
            } else {
                waiting.frontier.push(live, id);
            }
        }
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(next) = waiting.frontier.pop() {
                waiting.running += 1;
                waiting.peak = waiting.peak.max(waiting.frontier.len() + waiting.running);
                if waiting.idle > 0 && waiting.frontier.len() > 0 {
                    self.wake.notify_one();
                }
                return Some((next, waiting.frontier.len()));
            }
            if waiting.running == 0 {
                self.wake.notify_all();
                return None;
            }
            let start = Instant::now();
            waiting.idle += 1;
            waiting = self.wake.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            waiting.idle -= 1;
            *idle += start.elapsed();
        }
    }

    /// How long a turn may be when so many others wait.
    fn turn(&self, others: usize) -> u64 {
        let done = self.counts.instructions.load(Ordering::Relaxed);
        let turn = (TURN / (others as u64 + 1)).max(SHORT_TURN);
        self.options.limits.instructions.map_or(turn, |most| most.saturating_sub(done).clamp(1, turn))
    }

    fn count(&self, live: &[Box<State>], ended: &[(Box<State>, End)], before: u64) {
        let reached = live.iter().map(|s| s.instructions).chain(ended.iter().map(|(s, _)| s.instructions)).max();
        let steps = reached.map_or(0, |reached| reached - before.min(reached));
        let instructions = self.counts.instructions.fetch_add(steps, Ordering::Relaxed) + steps;
        let forks = (live.len() + ended.len()).saturating_sub(1) as u64;
        let forks = self.counts.forks.fetch_add(forks, Ordering::Relaxed) + forks;
        let new = live.iter().any(|s| s.covered_new) || ended.iter().any(|(s, _)| s.covered_new);
        if new {
            self.counts.last_new_ms.store(self.start.elapsed().as_millis() as u64, Ordering::Relaxed);
        }
        let limits = &self.options.limits;
        if limits.instructions.is_some_and(|most| instructions >= most) {
            self.stop(
                Some(Cause::new("instructions", "the limit of instructions was reached")),
                Duration::from_secs(5),
            );
        }
        if limits.forks.is_some_and(|most| forks >= most) {
            self.stop(Some(Cause::new("forks", "the limit of forks was reached")), Duration::from_secs(5));
        }
    }
}
