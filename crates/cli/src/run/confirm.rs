//! Errors tried on the machine: each error's test runs once in the sandbox, on the native program made from what was explored.
//!
//! Only a run that found something pays for it: a second for the program, which the next replay finds in the cache, and a few for a handful of
//! errors; a run that was cut short by its time limit has one for all of them. What was left out is said on the card, with the command that does it.

use super::Options;
use crate::replay::{native_input, native_program};
use crate::world::{Given, Kept};
use std::time::{Duration, Instant};
use strata_explore::{Found, Summary};
use strata_linux::World;
use strata_record::{Record, Run};
use strata_replay::{Ending, Limits, Sandbox, Tracing, Verdict, judge, signal_name};

const MOST: usize = 20;
const PATIENCE: Duration = Duration::from_secs(5);
/// Beyond a time limit.
const BEYOND: Duration = Duration::from_secs(1);
const EACH: Duration = Duration::from_secs(2);

/// A line for each error of the summary, in its order; none where nothing was to be tried.
pub(crate) fn confirm(options: &Options, world: &World, summary: &Summary, run: &Run) -> Vec<String> {
    let idle = options.json || options.no_confirm || options.write_no_tests;
    if idle || summary.errors.is_empty() {
        return Vec::new();
    }
    let all = |reason: &str| vec![format!("not confirmed natively: {reason}"); summary.errors.len()];
    if summary.causes.contains_key("interrupt") {
        return all("the run was interrupted");
    }
    let patience = if summary.causes.contains_key("time") { BEYOND } else { PATIENCE };
    match prepare(run, patience.min(EACH)) {
        Ok(sandbox) => each(summary, &Kept::of(world), sandbox, Instant::now() + patience),
        Err(reason) => all(&reason),
    }
}

/// A sandbox for the native program.
fn prepare(run: &Run, each: Duration) -> Result<Sandbox, String> {
    let record = Record::open(run.folder()).map_err(|fault| fault.to_string())?;
    let bitcode = record.program().ok_or("the program was not kept")?;
    let program = native_program(&bitcode)?;
    let limits = Limits { wall: each, cpu: each, ..Limits::default() };
    Sandbox::new(&program, limits).map_err(|refusal| refusal.to_string())
}

fn each(summary: &Summary, kept: &Kept, mut sandbox: Sandbox, deadline: Instant) -> Vec<String> {
    let mut lines = Vec::new();
    for found in &summary.errors {
        let tried = if lines.len() >= MOST || Instant::now() > deadline {
            Err("left out to save time".into())
        } else {
            one(found, kept, &mut sandbox)
        };
        lines.push(tried.unwrap_or_else(|reason: String| format!("not confirmed natively: {reason}")));
    }
    lines
}

fn one(found: &Found, kept: &Kept, sandbox: &mut Sandbox) -> Result<String, String> {
    if found.count.test == 0 {
        return Err("there is no test for it".into());
    }
    let expectation = &found.expectation;
    let given = Given::of(&found.input, kept);
    let (ktest, branches) = (found.input.to_bytes(), expectation.branches.count);
    let judged = judge(sandbox, &native_input(&given, &ktest, branches), expectation, Tracing::Present);
    let judged = judged.map_err(|refusal| refusal.to_string())?;
    match (judged.verdict, judged.ending) {
        (Verdict::Same, Ending::Signal(number)) if judged.shown => {
            Ok(format!("confirmed natively: {}", signal_name(number)))
        }
        (Verdict::Same, ending) => {
            let undefined =
                ["ptr", "free", "overflow", "overshift", "poison", "div", "read_only", "unreachable", "uninit", "exec"];
            let meaning = if undefined.contains(&found.count.kind.as_str()) { ": undefined behaviour" } else { "" };
            let later = if matches!(ending, Ending::Signal(_)) { " of something else" } else { "" };
            Ok(format!("reached natively, without a crash there ({ending}{later}){meaning}"))
        }
        (Verdict::NotConfirmed(reason), _) => Err(reason),
        (Verdict::Foreign(message), _) => Err(message),
        (Verdict::Diverged(differences), _) => {
            let words: Vec<String> = differences.iter().map(ToString::to_string).collect();
            Err(format!("a divergence, please report it: {}", words.join("; ")))
        }
    }
}
