//! Threads over one frontier of states, and the loop that watches them.

use crate::coverage::{coverage, sums};
use crate::forks::Forks;
use crate::kinds;
use crate::least::Least;
use crate::limits::{Limits, Pace, resident, thread_time};
use crate::queue::Queue;
use crate::strategies::Frontier;
use crate::tests::{self, Test};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use strata_interp::{Cause, Config, Echo, End, Image, Machine, State, Warning};
use strata_query::{Answer, Budget, Interrupt, Model, Path, Range, Solver, Values};
use strata_record::{
    ArrayReads, ErrorCount, ErrorReport, ForkCount, KTest, Layer, Layers, Paths, Progress, Queries, Run, Shape,
};
use strata_solver::{LAYERS, LayerStatistics, Stack};
use strata_term::Term;

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
}

/// What a run has done: at its end.
#[derive(Debug, Default)]
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
    /// Share of the time that each worker was busy.
    pub busy: Vec<f64>,
    /// Most memory seen.
    pub peak_memory: u64,
    /// Tests whose program becomes another one, by that one's name.
    pub became: BTreeMap<String, u64>,
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
    /// By layer: answered and time.
    pub queries: &'a Queries,
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
    solving_us: AtomicU64,
    solving_cpu_us: AtomicU64,
    last_new_ms: AtomicU64,
    /// How long workers waited for the writer, all together.
    waited_us: AtomicU64,
}

struct Shared<'a> {
    image: &'a Image,
    config: &'a Config,
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
    start: Instant,
    /// No test is made after this.
    grace: Mutex<Option<Instant>>,
    /// Set then: questions about tests end, too.
    late: Interrupt,
    writing: Queue<Entry>,
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

/// The worker's solver, whose figures the worker reads while the machine owns the solver.
struct Handle(Rc<RefCell<Stack>>);

impl Solver for Handle {
    fn extend(&mut self, path: &mut Path, constraint: &Term) {
        self.0.borrow_mut().extend(path, constraint);
    }

    fn check(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Answer {
        self.0.borrow_mut().check(path, assumptions, budget)
    }

    fn ask(&mut self, path: &Path, witness: &Model, condition: &Term, budget: &Budget) -> Answer {
        self.0.borrow_mut().ask(path, witness, condition, budget)
    }

    fn range(&mut self, path: &Path, term: &Term) -> Option<Range> {
        self.0.borrow_mut().range(path, term)
    }

    fn values(&mut self, path: &Path, term: &Term) -> Option<Values> {
        self.0.borrow_mut().values(path, term)
    }

    fn single(&mut self, path: &Path, term: &Term) -> Option<u64> {
        self.0.borrow_mut().single(path, term)
    }

    fn holds(&mut self, condition: &Term, model: &Model) -> bool {
        self.0.borrow_mut().holds(condition, model)
    }
}

/// Explores from some states on. `observe` is called about ten times a second and at the end.
#[expect(clippy::too_many_arguments, reason = "each is a part of the run that somebody else made")]
pub fn explore(
    image: &Image,
    config: &Config,
    options: &Options,
    start: Vec<State>,
    solver: &(dyn Fn() -> Result<Stack, String> + Sync),
    run: &Run,
    interrupt: &Interrupt,
    observe: &mut dyn FnMut(&Live<'_>),
) -> Summary {
    let mut frontier = Frontier::new(&options.strategies, options.seed);
    let peak = start.len();
    frontier.push(start.into_iter().map(Box::new).collect(), 0);
    let shared = Shared {
        image,
        config,
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
        start: Instant::now(),
        grace: Mutex::new(None),
        late: Interrupt::default(),
        writing: Queue::default(),
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
        shared.watch(interrupt, observe, &|| workers.iter().all(|worker| worker.is_finished()));
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
    fn machine(&self, stack: &Rc<RefCell<Stack>>) -> Machine<'_> {
        let solver = Box::new(Handle(stack.clone()));
        let mut machine = Machine::new(self.image, self.config, solver, self.interrupt.clone());
        machine.echo = self.options.echo.clone();
        machine
    }

    /// One worker's life.
    fn work(&self, number: usize) {
        let stack = match (self.solver)() {
            Ok(stack) => Rc::new(RefCell::new(stack)),
            Err(trouble) => return self.give_up_all(trouble),
        };
        let mut machine = self.machine(&stack);
        let mut least = Least::default();
        let (begun, mut idle, mut write) = (Instant::now(), Duration::ZERO, Duration::ZERO);
        // By the clock, since the last look at the processor time: the kernel is not asked about each path that ends.
        let mut making = Duration::ZERO;
        let (mut pace, mut idle_before) = (Pace::start(), self.waited());
        let mut previous: Option<(u64, Vec<Box<State>>)> = None;
        let mut reported = Instant::now();
        while let Some(((id, state), others)) = self.next(previous.take(), &mut idle) {
            let before = state.instructions;
            let outcome = catch_unwind(AssertUnwindSafe(|| machine.run(state, self.turn(others))));
            let live = match outcome {
                Ok(live) => live,
                Err(panic) => {
                    self.note_panic(panic);
                    let ended = std::mem::take(&mut machine.ended);
                    self.forks.add(&mut machine.forks);
                    machine = self.machine(&stack);
                    machine.ended = ended;
                    Vec::new()
                }
            };
            let ended = std::mem::take(&mut machine.ended);
            self.count(&live, &ended, before);
            if !ended.is_empty() {
                making += self.timed(&mut machine.solving, |solving| {
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
                self.note_solving(std::mem::take(&mut machine.solving), share);
                write += std::mem::take(&mut making).mul_f64(share);
                lock(&self.queries)[number] = queries(&stack.borrow());
                self.forks.add(&mut machine.forks);
            }
            previous = Some((id, live));
        }
        self.forks.add(&mut machine.forks);
        if self.is_stopped() {
            making += self.timed(&mut machine.solving, |solving| self.end_live(&mut least, &stack, solving));
        }
        let share = pace.lap((idle + self.waited()).saturating_sub(idle_before));
        self.note_solving(machine.solving, share);
        let elsewhere = stack.borrow().statistics().elsewhere;
        self.counts.solving_cpu_us.fetch_add(elsewhere.as_micros() as u64, Ordering::Relaxed);
        write += making.mul_f64(share);
        lock(&self.queries)[number] = queries(&stack.borrow());
        let mut summary = lock(&self.summary);
        summary.contradiction = summary.contradiction.take().or_else(|| stack.borrow_mut().take_contradiction());
        summary.explore += (thread_time() + elsewhere).saturating_sub(write);
        summary.write += write;
        let total = begun.elapsed().as_secs_f64().max(1e-9);
        summary.busy.push(1.0 - (idle + self.waited()).as_secs_f64() / total);
    }

    /// How long a worker waited for the writer so far. Who of them did is not told apart.
    fn waited(&self) -> Duration {
        Duration::from_micros(self.counts.waited_us.load(Ordering::Relaxed) / self.options.jobs as u64)
    }

    /// Makes tests, which adds to the time of solving; gives the time of the rest, by the clock and without waiting.
    fn timed(&self, solving: &mut Duration, work: impl FnOnce(&mut Duration)) -> Duration {
        let (start, mut asked, waited) = (Instant::now(), Duration::ZERO, self.waited());
        work(&mut asked);
        *solving += asked;
        start.elapsed().saturating_sub(asked + self.waited().saturating_sub(waited))
    }

    /// Counts time of solving, of which the worker had the processor for a share.
    fn note_solving(&self, time: Duration, share: f64) {
        self.counts.solving_us.fetch_add(time.as_micros() as u64, Ordering::Relaxed);
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

    fn note_panic(&self, panic: Box<dyn std::any::Any + Send>) {
        let text =
            panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        let mut summary = lock(&self.summary);
        summary.panics.push(text.unwrap_or_else(|| "a panic".into()));
        *summary.causes.entry("internal".into()).or_default() += 1;
        drop(summary);
        self.counts.incomplete.fetch_add(1, Ordering::Relaxed);
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

    /// A path ended: counts it and writes its test.
    fn end(&self, state: &State, end: &End, least: &mut Least, stack: &RefCell<Stack>, solving: &mut Duration) {
        let counts = &self.counts;
        let counter = match end {
            End::Exit(_) => &counts.completed,
            End::Error(_) => &counts.error,
            End::Incomplete(_) => &counts.incomplete,
            End::Infeasible | End::Silent => &counts.infeasible,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        self.note_causes(state, end);
        let wanted = match end {
            End::Infeasible | End::Silent => false,
            End::Error(_) => true,
            End::Exit(_) | End::Incomplete(_) => !self.options.only_covering_new || state.covered_new,
        };
        if !wanted || (!self.options.write_tests && !matches!(end, End::Error(_))) {
            return;
        }
        let grace = *lock(&self.grace);
        if self.is_late() {
            *lock(&self.summary).causes.entry("tests not written in time".into()).or_default() += 1;
            return;
        }
        let mut budget = Budget::within(self.config.solver_timeout);
        if let Some(grace) = grace {
            budget.deadline = budget.deadline.map(|deadline| deadline.min(grace));
        }
        // A question that runs when the run is stopped: a path that has an input can do without, another one has the time of grace.
        budget.interrupt = if state.witness.is_some() { self.interrupt.clone() } else { self.late.clone() };
        let (hurry, arguments) = (grace.is_some(), &self.options.arguments);
        let test = {
            let mut stack = stack.borrow_mut();
            tests::make(self.image, state, end, least, &mut *stack, &budget, hurry, arguments, solving)
        };
        let test = test.map(|test| self.shaped(test));
        if let Some(name) = test.as_ref().and_then(|test| test.expectation.became.first()) {
            *lock(&self.summary).became.entry(name.0.escape_ascii().to_string()).or_default() += 1;
        }
        match (test, end) {
            (Some(test), End::Error(_)) => self.keep_error(test),
            (Some(test), _) => {
                let kind = test.report.as_ref().map(|report| report.kind.clone());
                self.write(None, test);
                if kind.is_some_and(|kind| kinds::wanted(&self.options.exit_on_kinds, &kind)) {
                    self.stop_at_error();
                }
            }
            (None, _) => *lock(&self.summary).causes.entry("no input found".into()).or_default() += 1,
        }
    }

    /// Says what the inputs of a test are.
    fn shaped(&self, mut test: Test) -> Test {
        let shapes = &self.options.shapes;
        if !shapes.is_empty() {
            let objects = test.input.objects.iter();
            test.expectation.shapes = objects.map(|(name, _)| shapes.get(name).cloned().unwrap_or_default()).collect();
        }
        test
    }

    fn note_causes(&self, state: &State, end: &End) {
        let cause = if let End::Incomplete(cause) = end { Some(cause) } else { None };
        let causes: BTreeSet<&Cause> = state.notes.iter().chain(cause).collect();
        if causes.is_empty() {
            return;
        }
        let mut summary = lock(&self.summary);
        for cause in causes {
            *summary.causes.entry(cause.kind.into()).or_default() += 1;
            *summary.reasons.entry(cause.reason.clone()).or_default() += 1;
        }
    }

    fn keep_error(&self, test: Test) {
        let Some(report) = test.report.clone() else { return };
        let key = (report.kind.clone(), report.place.file.clone(), report.place.line);
        let mut errors = lock(&self.errors);
        let options = self.options;
        match errors.get_mut(&key) {
            Some(found) => {
                found.count.count += 1;
                if options.all_errors {
                    self.write(None, test);
                } else if size(&test.input) < size(&found.input) {
                    (found.input, found.report) = (test.input.clone(), report);
                    self.write(Some(found.count.test), test);
                }
            }
            None => {
                let input = test.input.clone();
                let number = self.write(None, test).unwrap_or(0);
                let (kind, file, line) = key.clone();
                let count = ErrorCount { kind: kind.clone(), file, line, count: 1, test: number };
                errors.insert(key, Found { count, report, input });
                if options.exit_on_error || kinds::wanted(&options.exit_on_kinds, &kind) {
                    self.stop_at_error();
                }
            }
        }
    }

    fn stop_at_error(&self) {
        let cause = Cause::new("exit-on-error", "stopped at an error, as asked");
        self.stop(Some(cause), Duration::from_secs(1));
    }

    /// Hands a test to the writer, in place of another if it has that one's number.
    fn write(&self, number: Option<u32>, test: Test) -> Option<u32> {
        if !self.options.write_tests {
            return None;
        }
        let most = self.options.limits.tests.unwrap_or(u64::MAX);
        let fresh = number.is_none();
        if fresh {
            // Taken before it is written, so that no two workers write the last one.
            let next = |tests: u64| (tests < most).then_some(tests + 1);
            match self.counts.tests.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) {
                Ok(before) if before + 1 >= most && !self.is_stopped() => {
                    self.stop(Some(Cause::new("tests", "the limit of tests was reached")), Duration::ZERO);
                }
                Ok(_) => {}
                Err(_) => {
                    *lock(&self.summary).causes.entry("tests".into()).or_default() += 1;
                    return None;
                }
            }
        }
        let number = number.unwrap_or_else(|| self.run.next_test());
        let waited = self.writing.push(Entry { number, fresh, test });
        self.counts.waited_us.fetch_add(waited.as_micros() as u64, Ordering::Relaxed);
        Some(number)
    }

    /// The writer's life. What cannot be written stops the run, and is taken off the count.
    fn write_all(&self) {
        while let Some(entries) = self.writing.take() {
            entries.into_iter().for_each(|entry| self.write_one(&entry));
        }
        lock(&self.summary).write += thread_time();
    }

    fn write_one(&self, Entry { number, fresh, test }: &Entry) {
        let late = || lock(&self.grace).is_some_and(|grace| Instant::now() > grace + LATE);
        if self.is_stopped() && *fresh && test.report.is_none() && late() {
            self.counts.tests.fetch_sub(1, Ordering::Relaxed);
            *lock(&self.summary).causes.entry("tests not written in time".into()).or_default() += 1;
            return;
        }
        if let Err(error) = self.run.put_test(*number, &test.input, &test.expectation, test.report.as_ref()) {
            self.counts.tests.fetch_sub(u64::from(*fresh), Ordering::Relaxed);
            lock(&self.summary).trouble.get_or_insert_with(|| error.to_string());
            self.stop(Some(Cause::new("output", "a test could not be written")), Duration::ZERO);
        }
    }

    /// After a stop: live paths get tests as long as there is time, those first that went where none had been.
    fn end_live(&self, least: &mut Least, stack: &RefCell<Stack>, solving: &mut Duration) {
        let cause =
            lock(&self.stop_cause).clone().unwrap_or_else(|| Cause::new("interrupt", "the run was interrupted"));
        let end = End::Incomplete(cause);
        loop {
            let late = self.is_late();
            let states = lock(&self.waiting).end(if late { usize::MAX } else { 16 });
            if states.is_empty() {
                return;
            }
            if late {
                self.give_up(&states, &end);
                // The run is over and so will be the process: giving back a hundred thousand states would take longer than the limit allows.
                std::mem::forget(states);
            } else {
                states.iter().for_each(|state| self.end(state, &end, least, stack, solving));
            }
        }
    }

    /// A worker has no solver: the run ends.
    fn give_up_all(&self, trouble: String) {
        let cause = Cause::new("solver", "a solver could not be started");
        lock(&self.summary).trouble.get_or_insert(trouble);
        self.stop(Some(cause.clone()), Duration::ZERO);
        let states = lock(&self.waiting).frontier.take(usize::MAX);
        self.give_up(&states, &End::Incomplete(cause));
    }

    /// Counts live paths for which there is no time to make a test.
    fn give_up(&self, states: &[Box<State>], end: &End) {
        let count = states.len() as u64;
        self.counts.incomplete.fetch_add(count, Ordering::Relaxed);
        let mut summary = lock(&self.summary);
        let enough = self.options.limits.tests.is_some_and(|most| self.counts.tests.load(Ordering::Relaxed) >= most);
        if self.options.write_tests && !enough {
            *summary.causes.entry("tests not written in time".into()).or_default() += count;
        }
        if let End::Incomplete(cause) = end {
            *summary.causes.entry(cause.kind.into()).or_default() += count;
            *summary.reasons.entry(cause.reason.clone()).or_default() += count;
        }
    }

    fn watch(&self, interrupt: &Interrupt, observe: &mut dyn FnMut(&Live<'_>), done: &dyn Fn() -> bool) {
        let limits = &self.options.limits;
        let mut written = Instant::now();
        let mut hold = Hold { shed_at: limits.memory / 100 * 85, states: usize::MAX };
        while !done() {
            let pause = match limits.time {
                Some(most) => {
                    most.saturating_sub(self.start.elapsed()).clamp(Duration::from_millis(2), Duration::from_millis(50))
                }
                None => Duration::from_millis(50),
            };
            std::thread::sleep(if self.start.elapsed() < Duration::from_millis(100) {
                Duration::from_millis(2)
            } else {
                pause
            });
            if self.is_stopped() {
                if self.is_late() {
                    self.late.set();
                }
                continue;
            }
            if interrupt.is_set() {
                self.stop(Some(Cause::new("interrupt", "the run was interrupted")), Duration::from_secs(2));
            }
            if let Some(most) = limits.time.filter(|most| self.start.elapsed() >= *most) {
                let grace = Duration::from_secs_f64((most.as_secs_f64() * 0.03).clamp(0.1, 10.0));
                self.stop(Some(Cause::new("time", "the time limit was reached")), grace);
            }
            self.hold_memory(limits.memory, &mut hold);
            if written.elapsed() >= Duration::from_secs(1) {
                written = Instant::now();
                let progress = self.progress();
                if let Err(error) = self.run.write_progress(&progress) {
                    lock(&self.summary).trouble.get_or_insert_with(|| error.to_string());
                }
                self.show(&progress, observe);
            }
        }
    }

    /// Sheds states before memory is used up, and stops where that does not help.
    fn hold_memory(&self, limit: u64, hold: &mut Hold) {
        let memory = resident();
        {
            let mut summary = lock(&self.summary);
            summary.peak_memory = summary.peak_memory.max(memory);
        }
        let states = lock(&self.waiting).frontier.len();
        if memory > hold.shed_at && states >= FEW {
            // So many states fill the memory. What the allocator keeps of those that go is used again, so that resident memory does not fall:
            // from now on their number is held, and lowered where memory still grows.
            hold.states = states.min(hold.states) / 10 * 9;
            hold.shed_at = memory.max(limit / 100 * 85) + limit / 200;
        }
        if states > hold.states {
            self.shed(states - hold.states / 4 * 3);
        }
        // Few states: it is not their number.
        if memory > limit && states < FEW || memory > limit + limit / 20 {
            self.stop(Some(Cause::new("memory", "the memory limit was reached")), Duration::from_secs(2));
        }
    }

    fn shed(&self, count: usize) {
        let shed = lock(&self.waiting).frontier.shed(count);
        let count = shed.len() as u64;
        drop(shed);
        if count > 0 {
            self.counts.incomplete.fetch_add(count, Ordering::Relaxed);
            let mut summary = lock(&self.summary);
            *summary.causes.entry("memory".into()).or_default() += count;
            *summary.reasons.entry("states were shed to hold the memory limit".into()).or_default() += count;
        }
    }

    fn paths(&self) -> Paths {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counts = &self.counts;
        Paths {
            completed: get(&counts.completed),
            error: get(&counts.error),
            incomplete: get(&counts.incomplete),
            infeasible: get(&counts.infeasible),
        }
    }

    fn progress(&self) -> Progress {
        let states = {
            let waiting = lock(&self.waiting);
            waiting.frontier.len() + waiting.running
        };
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Progress {
            time_s: self.start.elapsed().as_secs_f64(),
            instructions: get(&self.counts.instructions),
            forks: get(&self.counts.forks),
            hottest_fork: self.forks.hottest(self.image, 1).pop(),
            paths: self.paths(),
            states: states as u64,
            tests: get(&self.counts.tests),
            errors: lock(&self.errors).len() as u64,
            coverage: sums(&coverage(self.image)),
            queries: self.all_queries().total,
            solver_time_s: get(&self.counts.solving_us) as f64 / 1e6,
            memory_bytes: resident(),
            more: BTreeMap::new(),
        }
    }

    fn show(&self, progress: &Progress, observe: &mut dyn FnMut(&Live<'_>)) {
        let last = self.counts.last_new_ms.load(Ordering::Relaxed) as f64 / 1e3;
        let queries = self.all_queries();
        observe(&Live { progress, since_new: progress.time_s - last, queries: &queries });
    }

    fn all_queries(&self) -> Queries {
        let mut sum = Queries::default();
        for worker in lock(&self.queries).iter() {
            sum.total += worker.total;
            sum.core_calls += worker.core_calls;
            sum.core_time_us += worker.core_time_us;
            sum.timeouts += worker.timeouts;
            sum.checked += worker.checked;
            sum.unchecked += worker.unchecked;
            sum.arrays += worker.arrays;
            for (i, (name, layer)) in worker.by_layer.0.iter().enumerate() {
                if sum.by_layer.0.len() <= i {
                    sum.by_layer.0.push((name.clone(), Layer::default()));
                }
                let entry = &mut sum.by_layer.0[i].1;
                entry.answered += layer.answered;
                entry.passed += layer.passed;
                entry.time_us += layer.time_us;
            }
        }
        sum
    }

    fn finish(self, observe: &mut dyn FnMut(&Live<'_>)) -> Summary {
        let progress = self.progress();
        let _ = self.run.write_progress(&progress);
        self.show(&progress, observe);
        let queries = self.all_queries();
        let peak = lock(&self.waiting).peak as u64;
        let left = lock(&self.waiting).frontier.len() as u64;
        let mut summary = std::mem::take(&mut *lock(&self.summary));
        summary.paths = self.paths();
        if left > 0 {
            summary.paths.incomplete += left;
            *summary.causes.entry("tests not written in time".into()).or_default() += left;
        }
        summary.errors = lock(&self.errors).values().cloned().collect();
        summary.errors.sort_by_key(|found| found.count.test);
        summary.instructions = progress.instructions;
        summary.forks = progress.forks;
        summary.hottest_forks = self.forks.hottest(self.image, HOTTEST);
        summary.tests = progress.tests;
        summary.queries = queries;
        summary.states_peak = peak;
        summary.solve = Duration::from_micros(self.counts.solving_us.load(Ordering::Relaxed));
        summary.solve_cpu = Duration::from_micros(self.counts.solving_cpu_us.load(Ordering::Relaxed));
        summary.peak_memory = summary.peak_memory.max(progress.memory_bytes);
        summary
    }
}

/// Inputs are compared by their size, then by their bytes.
fn size(input: &KTest) -> (usize, Vec<&[u8]>) {
    (input.size(), input.objects.iter().map(|(_, bytes)| bytes.as_slice()).collect())
}

fn queries(stack: &Stack) -> Queries {
    let statistics = stack.statistics();
    let layer =
        |l: &LayerStatistics| Layer { answered: l.answered, passed: l.passed, time_us: l.time.as_micros() as u64 };
    let core = statistics.layers.last().copied().unwrap_or_default();
    let names = LAYERS.iter().map(|row| row.name.to_string());
    let arrays = statistics.arrays;
    Queries {
        total: statistics.total,
        by_layer: Layers(names.zip(statistics.layers.iter().map(layer)).collect()),
        core_calls: core.answered + core.passed,
        core_time_us: core.time.as_micros() as u64,
        timeouts: statistics.timeouts,
        checked: statistics.checked,
        unchecked: statistics.unchecked,
        arrays: ArrayReads {
            axioms_possible: arrays.possible,
            axioms_generated: arrays.generated,
            axioms_added: arrays.added,
            cells: arrays.cells,
            writes: arrays.writes,
            trees: arrays.trees,
            windows: arrays.windows,
            elements: arrays.elements,
            deferred: arrays.deferred,
        },
    }
}
