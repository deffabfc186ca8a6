//! `strata replay DIR|FILE [PROGRAM]`: test cases natively, against what was predicted.
//!
//! Several sandboxes work at once; what they find is printed in the order of the tests, so that two replays print the same.

mod native;

pub(crate) use native::native_program;

use crate::Outcome;
use crate::console::{note, out, plain, refuse, say};
use crate::units;
use crate::world::{Given, Kept};
use clap::Args;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use strata_record::{End, Expectation, Fault, KTest, Record, Test, Tests, test_name};
use strata_replay::{
    Difference, Input, Judgement, Limits, Note, Observed, Placing, Refusal, Sandbox, Tracing, Verdict,
};

/// What was typed.
#[derive(Args)]
pub struct Options {
    /// The folder of a run, or one of its .ktest files
    tests: PathBuf,
    /// The native program to run them on, linked statically [default: the run's own]
    program: Option<PathBuf>,
    /// Kill a test that takes longer than this
    #[arg(long, value_parser = units::duration, value_name = "TIME", default_value = "10s")]
    timeout: Duration,
    /// Run at most so many tests: those of errors and of new code first, others at even distances
    #[arg(long, value_name = "N")]
    max_tests: Option<usize>,
    /// Tests to run at once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// What programs write below PATH is kept in the folder HOST: where a build with coverage leaves its counts
    #[arg(long, value_name = "PATH=HOST", value_parser = kept)]
    keep: Option<strata_replay::Kept>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// Upper bound on what programs add to the folder that is kept, in bytes: counts of coverage are
/// some megabytes.
const QUOTA: u64 = 1 << 30;

fn kept(text: &str) -> Result<strata_replay::Kept, String> {
    let (inside, outside) = text.split_once('=').ok_or("it is PATH=HOST, such as /build=/tmp/counts")?;
    let (inside, outside) = (PathBuf::from(inside), PathBuf::from(outside));
    match (inside.is_absolute() && inside.file_name().is_some(), outside.is_dir()) {
        (false, _) => Err(format!("{}: PATH begins with a slash and names a folder", inside.display())),
        (true, false) => Err(format!("{}: there is no such folder", outside.display())),
        (true, true) => Ok(strata_replay::Kept { inside, outside, quota: QUOTA }),
    }
}

/// A test to replay.
struct Case {
    /// What it is called in messages.
    name: String,
    which: Which,
}

/// Where it is.
enum Which {
    /// A test of the run.
    Kept(u32),
    /// A file that is none of a run's tests.
    File(PathBuf),
}

/// What became of it.
enum Finding {
    Judged(Judgement),
    /// Nothing was predicted: what was seen.
    Seen(Box<Observed>),
    /// The file cannot be read.
    Unreadable(Fault),
}

/// Replays.
pub fn run(options: &Options) -> Outcome {
    let (run, cases) = match cases(&options.tests, options.max_tests) {
        Ok(found) => found,
        Err(fault) => return refuse(fault),
    };
    let (record, tests) = run.unzip();
    if let (Some(record), Some(tests)) = (&record, &tests) {
        note(record, tests);
    }
    if cases.is_empty() {
        return refuse(format!("{}: there are no tests in it", options.tests.display()));
    }
    let (program, tracing) = match native::choose(record.as_ref(), options.program.as_deref()) {
        Ok(chosen) => chosen,
        Err(reason) => return refuse(reason),
    };
    let info = record.as_ref().and_then(|record| record.info().ok().flatten()).unwrap_or_default();
    let kept = Kept::load(&info.more);
    match replay(tests.as_ref(), &cases, &program, tracing, &kept, options) {
        Ok(findings) => report(&cases, &findings, options.json),
        Err(refusal) => refuse(refusal),
    }
}

/// A run and its tests.
type Around = (Record, Tests);

/// The tests that a path stands for, and the run around them.
fn cases(path: &Path, most: Option<usize>) -> Result<(Option<Around>, Vec<Case>), Fault> {
    if path.is_dir() {
        let record = Record::open(path)?;
        let tests = record.tests()?;
        let numbers = chosen(&tests, most.unwrap_or(usize::MAX));
        let cases = numbers.into_iter().map(|number| Case { name: test_name(number), which: Which::Kept(number) });
        let cases = cases.collect();
        return Ok((Some((record, tests)), cases));
    }
    let name = path.display().to_string();
    let Some((record, number)) = Record::around(path) else {
        KTest::read(path)?;
        return Ok((None, vec![Case { name, which: Which::File(path.into()) }]));
    };
    let tests = record.tests()?;
    // A file that is not there may be a test of the pack; one that is there is read, so that what is wrong with it is said.
    let which = match number.filter(|number| tests.numbers().binary_search(number).is_ok()) {
        Some(number) => Which::Kept(tests.get(number)?.number),
        None => Which::File(KTest::read(path).map(|_| path.into())?),
    };
    Ok((Some((record, tests)), vec![Case { name, which }]))
}

/// At most so many tests of a run, by number: those those of errors and of new code first, then others at even distances.
fn chosen(tests: &Tests, most: usize) -> Vec<u32> {
    let all = tests.numbers();
    if all.len() <= most {
        return all.to_vec();
    }
    let tells = |test: &Test| {
        let expectation = test.expectation.as_ref();
        !test.reports.is_empty() || expectation.is_some_and(|it| it.new || matches!(it.end, End::Error { .. }))
    };
    let (first, others): (Vec<u32>, Vec<u32>) =
        all.iter().partition(|number| tests.get(**number).is_ok_and(|test| tells(&test)));
    let wanted = most.saturating_sub(first.len());
    let spread = (0..wanted).map(|index| others[index * others.len() / wanted]);
    let mut chosen: Vec<u32> = first.into_iter().take(most).chain(spread).collect();
    chosen.sort_unstable();
    chosen
}

/// Runs all cases, on as many sandboxes as were asked for.
fn replay(
    tests: Option<&Tests>,
    cases: &[Case],
    program: &Path,
    tracing: Tracing,
    kept: &Kept,
    options: &Options,
) -> Result<Vec<Finding>, Refusal> {
    let workers = cases.len().min(usize::from(options.jobs));
    let resident = share(workers).min(Limits::default().resident);
    let limits = Limits { wall: options.timeout, cpu: options.timeout, resident, ..Limits::default() };
    let (next, findings) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || -> Result<(), Refusal> {
        let mut sandbox = Sandbox::keeping(program, limits, options.keep.as_ref())?;
        while let Some((index, case)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, cases.get(at)?)))
        {
            let finding = judge(tests, case, &mut sandbox, tracing, kept)?;
            findings.lock().expect("no worker panics while it holds this").insert(index, finding);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    Ok(findings.into_inner().expect("no worker is left").into_values().collect())
}

/// How much memory each of so many programs may have, in bytes: together half of the machine's.
fn share(workers: usize) -> u64 {
    rustix::system::sysinfo().totalram as u64 / 2 / workers.max(1) as u64
}

fn judge(
    tests: Option<&Tests>,
    case: &Case,
    sandbox: &mut Sandbox,
    tracing: Tracing,
    kept: &Kept,
) -> Result<Finding, Refusal> {
    let (input, expectation) = match read(tests, case) {
        Ok(read) => read,
        Err(fault) => return Ok(Finding::Unreadable(fault)),
    };
    let given = Given::of(&input, kept);
    let branches = expectation.as_ref().map_or(0, |expectation| expectation.branches.count);
    let ktest = input.to_bytes();
    let input = native_input(&given, &ktest, branches);
    Ok(match &expectation {
        Some(expectation) => Finding::Judged(strata_replay::judge(sandbox, &input, expectation, tracing)?),
        None => Finding::Seen(Box::new(sandbox.run(&input)?)),
    })
}

/// Read when its turn comes: a run may have a million.
fn read(tests: Option<&Tests>, case: &Case) -> Result<(KTest, Option<Expectation>), Fault> {
    match (&case.which, tests) {
        (Which::Kept(number), Some(tests)) => tests.get(*number).map(|test| {
            test.damage.iter().for_each(say);
            (test.input, test.expectation)
        }),
        (Which::Kept(number), None) => Err(Fault::NoTest(PathBuf::from(&case.name), *number)),
        (Which::File(path), _) => KTest::read(path).map(|input| (input, None)),
    }
}

/// A test as the sandbox takes it.
pub(crate) fn native_input<'a>(given: &'a Given, ktest: &'a [u8], branches: u64) -> Input<'a> {
    Input {
        ktest,
        arguments: &given.arguments,
        environment: &given.environment,
        files: &given.files,
        folder: strata_linux::FOLDER,
        stdin: &given.stdin,
        branches,
        ..Input::default()
    }
}

/// How many ended how.
#[derive(Default)]
struct Counts {
    same: usize,
    /// Of these, so many with memory placed as the engine places it.
    modelled: usize,
    diverged: usize,
    unconfirmed: usize,
    unpredicted: usize,
    unusable: usize,
}

fn report(cases: &[Case], findings: &[Finding], as_json: bool) -> Outcome {
    let (mut counts, mut text, mut entries) = (Counts::default(), String::new(), Vec::new());
    for (case, finding) in cases.iter().zip(findings) {
        let (word, lines) = describe(finding, &mut counts);
        for line in &lines {
            text.push_str(&format!("{}: {}\n", case.name, plain(line)));
        }
        entries.push(json!({ "test": case.name, "verdict": word, "details": lines }));
    }
    let Counts { same, modelled, diverged, unconfirmed, unpredicted, unusable } = counts;
    if as_json {
        let summary = json!({ "same": same, "diverged": diverged, "not_confirmed": unconfirmed,
            "not_predicted": unpredicted, "unusable": unusable, "same_at_the_engines_addresses": modelled });
        out(&format!("{:#}\n", json!({ "tests": entries, "summary": summary })));
    } else {
        let parts = [
            (same - modelled, "as predicted"),
            (modelled, "as predicted at the engine's addresses"),
            (diverged, "diverged"),
            (unconfirmed, "not confirmed"),
            (unpredicted, "without a prediction"),
            (unusable, "not usable"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let plural = if cases.len() == 1 { "test" } else { "tests" };
        out(&format!("{text}{} {plural}: {}\n", cases.len(), parts.collect::<Vec<_>>().join(", ")));
    }
    match (unusable, diverged) {
        (1.., _) => Outcome::BadInput,
        (0, 1..) => Outcome::Found,
        (0, 0) => Outcome::Done,
    }
}

/// A word for the verdict, and lines about what is not as it should be.
fn describe(finding: &Finding, counts: &mut Counts) -> (&'static str, Vec<String>) {
    match finding {
        Finding::Judged(judgement) => judged(judgement, counts),
        Finding::Seen(observed) => match foreign(observed) {
            Some(message) => {
                counts.unusable += 1;
                ("foreign", vec![format!("is a test of another program: {message}")])
            }
            None => {
                counts.unpredicted += 1;
                ("not predicted", seen(observed))
            }
        },
        Finding::Unreadable(fault) => {
            counts.unusable += 1;
            ("unreadable", vec![fault.to_string()])
        }
    }
}

fn judged(Judgement { verdict, placing, .. }: &Judgement, counts: &mut Counts) -> (&'static str, Vec<String>) {
    match verdict {
        Verdict::Same => {
            counts.same += 1;
            counts.modelled += usize::from(matches!(placing, Placing::Modelled | Placing::Exact));
            ("same", vec![])
        }
        Verdict::Diverged(differences) => {
            counts.diverged += 1;
            ("diverged", differences.iter().map(|it| format!("diverges: {it}")).collect())
        }
        Verdict::NotConfirmed(reason) => {
            counts.unconfirmed += 1;
            ("not confirmed", vec![format!("not confirmed: {reason}")])
        }
        Verdict::Foreign(message) => {
            counts.unusable += 1;
            ("foreign", vec![format!("is a test of another program: {message}")])
        }
    }
}

/// What shows that the test of a run without a prediction is one of another program.
fn foreign(observed: &Observed) -> Option<String> {
    if observed.page.note == Note::Foreign {
        return Some(observed.page.message.clone());
    }
    observed.unasked().map(|count| Difference::Unasked(count).to_string())
}

/// What a run without a prediction showed.
fn seen(observed: &Observed) -> Vec<String> {
    let mut lines = vec![observed.ending.to_string()];
    for (name, bytes) in [("output", &observed.stdout), ("error output", &observed.stderr)] {
        if !bytes.is_empty() {
            lines.push(format!("{name} \"{}\"", bytes[..bytes.len().min(1000)].escape_ascii()));
        }
    }
    lines
}
