//! `strata run PROGRAM`: compile, link, explore, report.

mod cards;
mod confirm;
mod merging;
mod options;
pub(crate) mod program;
mod sources;
mod status;

pub use options::Options;

use crate::Outcome;
use crate::console::say;
use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use strata_explore::{Summary, coverage, explore, sums};
use strata_interp::{Image, Machine, State};
use strata_linux::World;
use strata_query::{Interrupt, Solver};
use strata_record::{Covered, Cpu, Run, RunInfo, Stats};
use strata_solver::{Backend, Check, Process, Selection, Stack};

/// Why there is no run.
pub(crate) struct Refusal(pub Outcome, pub String);

impl Refusal {
    pub(crate) fn bad(text: impl Into<String>) -> Refusal {
        Refusal(Outcome::BadInput, text.into())
    }
}

/// Runs the verb.
pub fn run(options: &Options) -> Outcome {
    match try_run(options) {
        Ok(outcome) => outcome,
        Err(Refusal(outcome, text)) => {
            say(&text);
            outcome
        }
    }
}

fn try_run(options: &Options) -> Result<Outcome, Refusal> {
    let began = Instant::now();
    let selection = Selection::parse(&options.layers).map_err(Refusal::bad)?;
    let mut config = options.config()?;
    let strategies = strata_explore::strategies::parse(&options.search.join(",")).map_err(Refusal::bad)?;
    // A solver that cannot be started is said now, not by each worker.
    let first = make_solver(options, &selection)?;
    let world = options.world()?;
    let loaded = program::load(options)?;
    survive_full_files();
    let run = Run::create(options.output.as_deref()).map_err(refuse)?;
    let hook = |name: &str| strata_linux::hook(name).or_else(|| strata_interp::hook(name));
    let mut image = Image::new(loaded.program, &hook, config.checks.overflow).map_err(Refusal::bad)?;
    let mut status = status::Status::new(options);
    let mut how = options.exploration(strategies, options.echo.then(|| status.echo()));
    merging::prepare(options, &mut image, &mut config, &mut how)?;
    keep(&run, options, &world, loaded.bitcode).map_err(refuse)?;
    let start = start(&image, &config, &world, Box::new(first))?;
    how.shapes = loaded.shapes;
    let sources = loaded.sources;
    let solver = || make_solver(options, &selection).map_err(|Refusal(_, text)| text);
    let interrupt = interruptible();
    let (before, explored) = (began.elapsed(), Instant::now());
    let spent = || Spent { compile: loaded.compile, load: loaded.load, before, exploring: explored.elapsed() };
    let unfinished = |summary: &Summary, covered| {
        let stats = Stats { ended: false, complete: false, ..stats(options, summary, covered, &spent()) };
        // Sound: a convenience for runs that are killed; the last figures are written again, and if that fails it is said.
        let _ = run.write_stats(&stats);
    };
    unfinished(&Summary::default(), Covered::default());
    let summary = explore(&image, &config, &how, start, &solver, &run, &interrupt, &mut |live| {
        status.show(live);
        unfinished(live.summary, live.progress.coverage);
    });
    status.clear();
    let covered = coverage(&image);
    let mut stats = stats(options, &summary, sums(&covered), &spent());
    if how.merge.is_some() {
        stats.more.insert("merged".into(), merging::figures(&image, &summary.merged));
    }
    // The figures first: where the disk is full, there is room for them.
    let written = run.write_stats(&stats).and_then(|()| run.write_coverage(&covered));
    let log = cards::log(&image, &summary).iter().try_for_each(|line| run.log(line));
    if let (Err(fault), None) = (written.and(log), &summary.trouble) {
        say(&fault);
    }
    let confirmed = confirm::confirm(options, &world, &summary, &run);
    let known = cards::Known { shapes: &how.shapes, sources: &sources };
    if !options.json {
        let lines = merging::lines(&image, &summary.merged).into_iter().chain(merging::hint(options, &image, &summary));
        lines.for_each(|line| crate::console::out(&format!("{}\n", crate::console::plain(&line))));
    }
    cards::print(options, &image, &summary, &known, &confirmed, &stats, &run);
    Ok(outcome(&summary))
}

fn refuse(fault: strata_record::Fault) -> Refusal {
    Refusal::bad(fault.to_string())
}

/// Keeps what is explored and how, so that its tests can be replayed.
fn keep(run: &Run, options: &Options, world: &World, bitcode: Vec<u8>) -> Result<(), strata_record::Fault> {
    let mut more = Map::new();
    crate::world::Kept::of(world).store(&mut more);
    run.write_info(&RunInfo {
        program: options.program.display().to_string(),
        arguments: options.arguments.clone(),
        entry: options.entry.clone().unwrap_or_else(|| "main".into()),
        options: options.record(),
        bitcode_hash: run.write_program(&bitcode)?,
        version: env!("CARGO_PKG_VERSION").into(),
        more,
    })
}

/// A file that may not grow beyond a limit (`ulimit -f`) is a failed write, as on a full disk: by default it would end the process.
fn survive_full_files() {
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Set by the first Ctrl-C; one that comes later ends the process at once.
fn interruptible() -> Interrupt {
    let interrupt = Interrupt::default();
    let flag = interrupt.clone();
    let mut first = None;
    let _ = ctrlc::set_handler(move || {
        let now = Instant::now();
        if is_impatient(*first.get_or_insert(now), now) {
            std::process::exit(130);
        }
        flag.set();
    });
    interrupt
}

/// Does an interrupt ask for more than the first did? `timeout` signals its child and then its group, and a shell may do so again: what comes at
/// once is the same wish.
fn is_impatient(first: Instant, now: Instant) -> bool {
    now.duration_since(first) >= Duration::from_secs(1)
}

fn outcome(summary: &Summary) -> Outcome {
    if !summary.panics.is_empty() || summary.contradiction.is_some() {
        Outcome::OurFault
    } else if summary.trouble.is_some() {
        Outcome::BadInput
    } else if summary.errors.is_empty() {
        Outcome::Done
    } else {
        Outcome::Found
    }
}

fn make_solver(options: &Options, selection: &Selection) -> Result<Stack, Refusal> {
    let process = |name: &str| Process::start(name).map_err(Refusal::bad);
    let backend = match options.solver.as_str() {
        "builtin" => Backend::Builtin(Box::default()),
        name => Backend::Process(Box::new(process(name)?)),
    };
    let check = match (&options.check_with, options.check_layers) {
        (Some(name), _) => Some(Check::Process(Box::new(process(name)?))),
        (None, true) => Some(Check::Core(Box::default())),
        (None, false) => None,
    };
    Ok(Stack::new(selection.clone(), backend, check))
}

/// The states before the first instruction: one for each number of arguments.
fn start(
    image: &Image,
    config: &strata_interp::Config,
    world: &World,
    solver: Box<dyn Solver>,
) -> Result<Vec<State>, Refusal> {
    let entry = image.function("_start_c").ok_or_else(|| Refusal::bad("the C library has no entry"))?;
    let mut machine = Machine::new(image, config, solver, Interrupt::default());
    strata_linux::prepare(&mut machine, &image.space, world, entry.0)
        .map_err(|end| Refusal::bad(format!("the program cannot be given what was asked for: {end:?}")))
}

/// Where the time went.
struct Spent {
    /// Compiling and linking, by the clock.
    compile: Duration,
    /// Loading, by the clock.
    load: Duration,
    /// All time before exploring.
    before: Duration,
    /// The time that `--max-time` limits.
    exploring: Duration,
}

fn stats(options: &Options, summary: &Summary, covered: strata_record::Covered, spent: &Spent) -> Stats {
    let mut more = BTreeMap::new();
    more.insert("busy".to_string(), json!(summary.busy));
    more.insert("reasons".to_string(), json!(summary.reasons));
    more.insert("panics".to_string(), json!(summary.panics));
    more.insert("became".to_string(), json!(summary.became));
    Stats {
        ended: true,
        complete: summary.causes.is_empty() && summary.paths.incomplete == 0,
        incomplete_causes: summary.causes.clone(),
        instructions: summary.instructions,
        forks: summary.forks,
        hottest_forks: summary.hottest_forks.clone(),
        paths: summary.paths,
        errors: summary.errors.iter().map(|found| found.count.clone()).collect(),
        tests: summary.tests,
        queries: summary.queries.clone(),
        coverage: covered,
        time_s: spent.exploring.as_secs_f64(),
        preparation_s: spent.before.as_secs_f64(),
        solver_time_s: summary.solve.as_secs_f64(),
        peak_memory_bytes: summary.peak_memory.max(peak_memory()),
        states_peak: summary.states_peak,
        cpu_s: Cpu {
            compile: spent.compile.as_secs_f64(),
            load: spent.load.as_secs_f64(),
            explore: summary.explore.as_secs_f64(),
            solve: summary.solve_cpu.as_secs_f64(),
            write: summary.write.as_secs_f64(),
            tests: summary.tests_cpu.as_secs_f64(),
        },
        terms: strata_term::live() as u64,
        version: env!("CARGO_PKG_VERSION").into(),
        options: options.record(),
        more,
    }
}

/// The most memory that this process had, as the kernel counted it.
fn peak_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_later_interrupt_is_impatient() {
        let first = Instant::now();
        assert!(!is_impatient(first, first));
        assert!(!is_impatient(first, first + Duration::from_millis(900)));
        assert!(is_impatient(first, first + Duration::from_millis(1100)));
    }
}
