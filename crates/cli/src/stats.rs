//! `strata stats DIR…`: the figures of runs, side by side.

use crate::Outcome;
use crate::console::{UNFINISHED, out, plain, refuse, say, table};
use clap::Args;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use strata_record::{Fault, ForkCount, Layer, Record, Stats};

/// What was typed.
#[derive(Args)]
pub struct Options {
    /// Folders of runs
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// A row of the table: its name and what it says of a run.
struct Row {
    name: &'static str,
    figure: fn(&Stats) -> String,
}

const ROWS: &[Row] = &[
    Row { name: "ended", figure: |stats| if stats.ended { "yes".into() } else { "no".into() } },
    Row { name: "complete", figure: |stats| if stats.complete { "yes".into() } else { "no".into() } },
    Row { name: "time", figure: |stats| seconds(stats.time_s) },
    Row { name: "time before", figure: |stats| seconds(stats.preparation_s) },
    Row { name: "instructions", figure: |stats| stats.instructions.to_string() },
    Row { name: "forks", figure: |stats| stats.forks.to_string() },
    Row { name: "paths completed", figure: |stats| stats.paths.completed.to_string() },
    Row { name: "paths in error", figure: |stats| stats.paths.error.to_string() },
    Row { name: "paths incomplete", figure: |stats| stats.paths.incomplete.to_string() },
    Row { name: "paths infeasible", figure: |stats| stats.paths.infeasible.to_string() },
    Row { name: "distinct errors", figure: |stats| stats.errors.len().to_string() },
    Row { name: "tests", figure: |stats| stats.tests.to_string() },
    Row { name: "lines covered", figure: |stats| share(stats.coverage.lines, stats.coverage.lines_total) },
    Row { name: "branches covered", figure: |stats| share(stats.coverage.branches, stats.coverage.branches_total) },
    Row { name: "states at most", figure: |stats| stats.states_peak.to_string() },
    Row { name: "memory at most", figure: |stats| memory(stats.peak_memory_bytes) },
    Row { name: "cpu compile", figure: |stats| seconds(stats.cpu_s.compile) },
    Row { name: "cpu load", figure: |stats| seconds(stats.cpu_s.load) },
    Row { name: "cpu explore", figure: |stats| seconds(stats.cpu_s.explore) },
    Row { name: "cpu solve", figure: |stats| seconds(stats.cpu_s.solve) },
    Row { name: "cpu write", figure: |stats| seconds(stats.cpu_s.write) },
    Row { name: "cpu tests", figure: |stats| seconds(stats.cpu_s.tests) },
    Row { name: "solver time", figure: |stats| seconds(stats.solver_time_s) },
    Row { name: "queries", figure: |stats| stats.queries.total.to_string() },
    Row { name: "core calls", figure: |stats| stats.queries.core_calls.to_string() },
    Row { name: "core time", figure: |stats| seconds(stats.queries.core_time_us as f64 / 1e6) },
    Row { name: "timeouts", figure: |stats| stats.queries.timeouts.to_string() },
    Row { name: "terms", figure: |stats| stats.terms.to_string() },
];

/// Prints the table of what can be read, and names the rest.
pub fn run(options: &Options) -> Outcome {
    let (mut folders, mut runs, mut outcome) = (Vec::new(), Vec::new(), Outcome::Done);
    for folder in &options.folders {
        match read(folder) {
            Ok(stats) => {
                folders.push(folder.clone());
                runs.push(stats);
            }
            Err(reason) => outcome = refuse(reason),
        }
    }
    if !runs.is_empty() {
        out(&if options.json { document(&folders, &runs) } else { text(&folders, &runs) });
    }
    outcome
}

/// The figures of a run. One that was killed has those of its last second, or what the rest of its folder tells.
fn read(folder: &Path) -> Result<Stats, Fault> {
    let record = Record::open(folder)?;
    let missing = match record.stats() {
        Ok(Some(stats)) => {
            if !stats.ended {
                say(format_args!("{}: {UNFINISHED}", folder.display()));
            }
            return Ok(stats);
        }
        Ok(None) => format!("{}: there is no stats.json", folder.display()),
        Err(fault) => fault.to_string(),
    };
    say(format_args!("{missing}: most figures are not known"));
    let last = record.progress().ok().and_then(|mut lines| lines.pop()).unwrap_or_default();
    let tests = record.tests()?;
    tests.damage().iter().for_each(say);
    Ok(Stats {
        instructions: last.instructions,
        forks: last.forks,
        paths: last.paths,
        tests: tests.numbers().len() as u64,
        coverage: last.coverage,
        time_s: last.time_s,
        solver_time_s: last.solver_time_s,
        peak_memory_bytes: last.memory_bytes,
        ..Stats::default()
    })
}

fn document(folders: &[PathBuf], runs: &[Stats]) -> String {
    let entry = |(folder, stats): (&PathBuf, &Stats)| json!({ "folder": folder, "stats": stats });
    format!("{:#}\n", json!(folders.iter().zip(runs).map(entry).collect::<Vec<_>>()))
}

fn text(folders: &[PathBuf], runs: &[Stats]) -> String {
    let line = |name: String, figure: &dyn Fn(&Stats) -> String| {
        std::iter::once(name).chain(runs.iter().map(figure)).collect::<Vec<String>>()
    };
    let names = folders.iter().map(|folder| folder.display().to_string());
    let mut rows = vec![std::iter::once(String::new()).chain(names).collect()];
    rows.extend(ROWS.iter().map(|row| line(row.name.into(), &row.figure)));
    let causes: BTreeSet<&String> = runs.iter().flat_map(|stats| stats.incomplete_causes.keys()).collect();
    for cause in causes {
        let figure = |stats: &Stats| stats.incomplete_causes.get(cause).copied().unwrap_or(0).to_string();
        rows.push(line(format!("incomplete: {cause}"), &figure));
    }
    for rank in 0..HOTTEST.min(runs.iter().map(|stats| stats.hottest_forks.len()).max().unwrap_or(0)) {
        rows.push(line(format!("hottest fork {}", rank + 1), &|stats| fork_figure(stats, rank)));
    }
    for layer in layers(runs) {
        rows.push(line(format!("layer {layer}"), &|stats| layer_figure(stats, &layer)));
    }
    table(&rows, |column| column > 0)
}

/// Lines with many forks that are shown of each run.
const HOTTEST: usize = 3;

/// The name of the file alone: the columns are narrow.
fn fork_figure(stats: &Stats, rank: usize) -> String {
    let Some(ForkCount { file, line, forks }) = stats.hottest_forks.get(rank) else { return "-".into() };
    let name = Path::new(file).file_name().map_or(file.as_str().into(), |name| name.to_string_lossy());
    format!("{}:{line} {forks}", plain(&name))
}

/// The layers of all runs, in the order of the stack as far as the runs tell.
fn layers(runs: &[Stats]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in runs.iter().flat_map(|stats| &stats.queries.by_layer.0) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Which share of what reached it a layer answered, and its time.
fn layer_figure(stats: &Stats, name: &str) -> String {
    let found = stats.queries.by_layer.0.iter().find(|(layer, _)| layer == name);
    let Some((_, Layer { answered, passed, time_us })) = found else { return "-".into() };
    format!("{} {}", share(*answered, answered + passed), seconds(*time_us as f64 / 1e6))
}

fn share(part: u64, total: u64) -> String {
    match total {
        0 => "-".into(),
        total => format!("{part}/{total} {:.1}%", part as f64 * 100.0 / total as f64),
    }
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.2}s")
}

fn memory(bytes: u64) -> String {
    format!("{:.1}M", bytes as f64 / f64::from(1 << 20))
}
