//! A panic of ours ends its path and nothing else. One is planted in each place where a path can be: in its run, in the making of its test while
//! the run goes on and after it was stopped, in what watches the run, in a worker before it has a path.

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use strata_explore::{Limits, Live, Options, Shapes, Summary, explore};
use strata_interp::{Config, End, Hook, Image, Input, Machine, Reply, State, System};
use strata_ir::{Verified, text};
use strata_memory::Value;
use strata_query::Interrupt;
use strata_record::{Record, Run};
use strata_solver::{Backend, Selection, Stack};
use strata_term::Term;

/// Six paths; that of 3 calls `planted`, and never ends where that says so.
const PROGRAM: &str = "
function planted(r0:i8) -> i1
function main(r0:i8) -> i32 {
b0:
  r1:i1 = ult r0, i8 8
  branch r1, b1, b6 site 1
b1:
  switch r0:i8 { i8 0: b2, i8 1: b3, i8 2: b4, i8 3: b5, else: b6 } site 2
b2:
  return i32 0
b3:
  return i32 1
b4:
  return i32 2
b5:
  r2:i1 = call planted(r0:i8)
  branch r2, b7, b6 site 3
b6:
  return i32 6
b7:
  jump b7
}";

/// The system of a path; a fault of ours lies in it once it was changed.
struct World {
    broken: bool,
}

impl System for World {
    fn copy(&self) -> Arc<dyn System> {
        Arc::new(World { broken: self.broken })
    }

    /// Asked for when a test is made.
    fn as_any(&self) -> &dyn Any {
        assert!(!self.broken, "planted in the making of a test");
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

fn nothing(_: &mut Machine<'_>, _: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    Ok(Reply::Value(Value::bits(0)))
}

fn panics(_: &mut Machine<'_>, _: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    panic!("planted in the run of a path")
}

/// Forks a sibling off and panics before the fork is done.
fn panics_in_a_fork(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let other = Term::array("other", 32).read(&Term::number(32, 0), 1);
    let ways = [0, 1].map(|value| other.eq(&Term::number(8, value)));
    assert_eq!(arguments.len(), 1);
    machine.split(state, &ways, &mut |_, _, way| {
        assert_eq!(way, 0, "planted in a fork");
        Ok(())
    })?;
    Ok(Reply::Forked)
}

fn breaks_its_test(_: &mut Machine<'_>, state: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    state.system_mut::<World>().expect("a world").broken = true;
    Ok(Reply::Value(Value::bits(0)))
}

/// Goes round for ever, in a world in which no test can be made.
fn loops(_: &mut Machine<'_>, state: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    state.system_mut::<World>().expect("a world").broken = true;
    Ok(Reply::Value(Value::bits(1)))
}

struct Trial {
    planted: Hook,
    jobs: usize,
    instructions: Option<u64>,
}

struct Tried {
    summary: Summary,
    folder: PathBuf,
}

impl Drop for Tried {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Tried {
    /// The tests whose end is a fault of ours, each with the byte of its input.
    fn faults(&self) -> Vec<u8> {
        let record = Record::open(&self.folder).expect("a run");
        let ours = |test: &strata_record::Test| {
            let end = test.expectation.as_ref().map(|expectation| &expectation.end);
            matches!(end, Some(strata_record::End::Incomplete { reason }) if reason.starts_with("internal"))
        };
        let tests = record.tests().expect("readable");
        let tests = tests.iter().map(|test| test.expect("a whole test"));
        tests.filter(ours).map(|test| test.input.objects[0].1[0]).collect()
    }
}

fn solver() -> Result<Stack, String> {
    Ok(Stack::new(Selection::parse("all").expect("layers"), Backend::Builtin(Box::default()), None))
}

impl Trial {
    fn run(&self) -> Tried {
        self.run_with(&solver, &mut |_| ())
    }

    fn run_with(
        &self,
        solver: &(dyn Fn() -> Result<Stack, String> + Sync),
        observe: &mut dyn FnMut(&Live<'_>),
    ) -> Tried {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let name = format!("strata-faults-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        let run = Run::named(&folder).expect("a folder");
        let program = Verified::new(text::parse(PROGRAM).expect("a program")).expect("it verifies");
        let hook = |name: &str| (name == "planted").then_some(self.planted);
        let image = Image::new(program, &hook, false).expect("it fits");
        let config = Config::default();
        let options = Options {
            strategies: strata_explore::strategies::parse("bfs").expect("a strategy"),
            seed: 0,
            jobs: self.jobs,
            limits: Limits { time: None, memory: 8 << 30, tests: None, instructions: self.instructions, forks: None },
            write_tests: true,
            all_errors: false,
            only_covering_new: false,
            deterministic: false,
            exit_on_error: false,
            exit_on_kinds: Vec::new(),
            arguments: Vec::new(),
            shapes: Shapes::new(),
            echo: None,
            merge: None,
        };
        let mut state = State::new(image.space.clone(), Arc::new(World { broken: false }));
        let array = Term::array("input", 32);
        let byte = Value::term(array.read(&Term::number(32, 0), 1));
        state.inputs.push(Input { name: "input".into(), array, size: 1, length: None });
        let first = Box::new(self::solver().expect("a solver"));
        let main = image.function("main").expect("main").0;
        Machine::new(&image, &config, first, Interrupt::default()).start(&mut state, main, &[byte]);
        let summary = explore(&image, &config, &options, vec![state], solver, &run, &Interrupt::default(), observe);
        Tried { summary, folder }
    }
}

/// All paths but that of 3, which is a fault of ours with its input.
fn only_that_path(planted: Hook, siblings: u64, text: &str) {
    for jobs in [1, 4] {
        let result = Trial { planted, jobs, instructions: None }.run();
        let summary = &result.summary;
        assert_eq!(summary.paths.completed, 5, "{jobs}: {summary:?}");
        assert_eq!(summary.paths.incomplete, 1 + siblings, "{jobs}: {summary:?}");
        assert_eq!(summary.causes["internal"], 1 + siblings, "{jobs}: {summary:?}");
        assert_eq!(summary.panics.len(), 1, "{jobs}: {summary:?}");
        assert!(summary.panics[0].contains(text) && summary.panics[0].contains(".ktest"), "{:?}", summary.panics);
        assert_eq!(result.faults(), [3], "{jobs}: {summary:?}");
        assert_eq!(summary.tests, 6, "{jobs}: {summary:?}");
    }
}

#[test]
fn nothing_planted() {
    let result = Trial { planted: nothing, jobs: 1, instructions: None }.run();
    assert_eq!((result.summary.paths.completed, result.summary.paths.incomplete), (6, 0), "{:?}", result.summary);
}

#[test]
fn in_the_run_of_a_path() {
    only_that_path(panics, 0, "planted in the run of a path");
}

#[test]
fn in_a_fork() {
    only_that_path(panics_in_a_fork, 1, "planted in a fork");
}

#[test]
fn in_the_making_of_a_test() {
    only_that_path(breaks_its_test, 0, "planted in the making of a test");
}

#[test]
fn in_the_making_of_a_test_after_a_stop() {
    for jobs in [1, 4] {
        let result = Trial { planted: loops, jobs, instructions: Some(10_000_000) }.run();
        let summary = &result.summary;
        assert_eq!((summary.paths.completed, summary.paths.incomplete), (5, 1), "{jobs}: {summary:?}");
        assert_eq!(summary.panics.len(), 1, "{jobs}: {summary:?}");
        assert_eq!(result.faults(), [3], "{jobs}: {summary:?}");
    }
}

#[test]
fn in_what_watches() {
    for jobs in [1, 4] {
        let mut calls = 0;
        let mut observe = |_: &Live<'_>| {
            calls += 1;
            assert!(calls > 1, "planted in the display");
        };
        let slow = || {
            std::thread::sleep(Duration::from_millis(1300));
            solver()
        };
        let result = Trial { planted: nothing, jobs, instructions: None }.run_with(&slow, &mut observe);
        let summary = &result.summary;
        assert_eq!(summary.panics, ["planted in the display"], "{jobs}: {summary:?}");
        assert_eq!(
            summary.paths.completed + summary.paths.incomplete,
            1,
            "the run ends, and the one state is counted: {summary:?}"
        );
        assert_eq!(summary.tests, 1, "{summary:?}");
    }
}

#[test]
fn in_a_worker_without_a_path() {
    for jobs in [1, 4] {
        let broken = || -> Result<Stack, String> { panic!("planted in a worker") };
        let result = Trial { planted: nothing, jobs, instructions: None }.run_with(&broken, &mut |_| ());
        let summary = &result.summary;
        assert_eq!(summary.panics.len(), jobs, "{summary:?}");
        assert_eq!((summary.paths.completed, summary.paths.incomplete), (0, 1), "{summary:?}");
    }
}
