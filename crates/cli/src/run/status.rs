//! The live status: a few lines that are rewritten on a terminal, plain lines now and then elsewhere.

use super::Options;
use crate::line::{Line, terminal};
use strata_explore::Live;

/// What is shown while a run is going.
pub(crate) struct Status {
    line: Line,
    terminal: bool,
    quiet: bool,
    jobs: usize,
    next: f64,
}

impl Status {
    pub fn new(options: &Options) -> Status {
        Status { line: Line::new(), terminal: terminal(), quiet: options.json, jobs: options.jobs.max(1), next: 10.0 }
    }

    /// Shows how far the run is.
    pub fn show(&mut self, live: &Live<'_>) {
        if self.quiet {
            return;
        }
        let lines = lines(live, self.jobs);
        if self.terminal {
            self.line.show(&lines.join("\n"));
        } else if live.progress.time_s >= self.next {
            // Plain lines, at growing distances: a log of an hour stays readable.
            self.next = (self.next * 1.5).max(live.progress.time_s + 10.0);
            eprintln!("strata: {}", lines.join("; "));
        }
    }

    pub fn clear(&mut self) {
        self.line.clear();
    }
}

/// How far; what it costs; where the solver's time goes, as shares of the workers' time.
fn lines(live: &Live<'_>, jobs: usize) -> [String; 3] {
    let p = live.progress;
    let ended = p.paths.completed + p.paths.error + p.paths.incomplete;
    let covered = |part: u64, total: u64| format!("{part}/{total} ({}%)", (part * 100).checked_div(total).unwrap_or(0));
    let working = (p.time_s * jobs as f64).max(1e-9);
    let share = |seconds: f64| (seconds / working * 100.0).min(100.0);
    let layers = live.queries.by_layer.0.iter().filter(|(_, layer)| layer.answered + layer.passed > 0);
    let layers: Vec<String> =
        layers.map(|(name, layer)| format!("{name} {:.0}%", share(layer.time_us as f64 / 1e6))).collect();
    [
        format!(
            "{:.0}s  paths {ended}  live {}  errors {}  tests {}  lines {}  branches {}",
            p.time_s,
            p.states,
            p.errors,
            p.tests,
            covered(p.coverage.lines, p.coverage.lines_total),
            covered(p.coverage.branches, p.coverage.branches_total),
        ),
        format!(
            "instructions {} ({}/s)  forks {}  memory {} MiB  last new code {:.0}s ago",
            count(p.instructions),
            count((p.instructions as f64 / p.time_s.max(1e-9)) as u64),
            count(p.forks),
            p.memory_bytes >> 20,
            live.since_new.max(0.0),
        ),
        format!(
            "solver {:.0}% of the time, {} questions: {}",
            share(p.solver_time_s),
            count(p.queries),
            layers.join(", ")
        ),
    ]
}

/// A large number in three digits or so.
fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}k", number / 1000),
        10_000_000.. => format!("{}M", number / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_record::{Layer, Progress, Queries};

    #[test]
    fn a_status_has_all_figures() {
        let mut queries = Queries::default();
        queries.by_layer.0.push(("core".into(), Layer { answered: 1, passed: 0, time_us: 5_000_000 }));
        queries.by_layer.0.push(("cache".into(), Layer::default()));
        let mut progress = Progress { time_s: 10.0, instructions: 20_000_000, states: 7, ..Progress::default() };
        progress.solver_time_s = 6.0;
        progress.coverage.lines = 3;
        progress.coverage.lines_total = 4;
        let lines = lines(&Live { progress: &progress, since_new: 2.0, queries: &queries }, 2);
        assert_eq!(lines[0], "10s  paths 0  live 7  errors 0  tests 0  lines 3/4 (75%)  branches 0/0 (0%)");
        assert_eq!(lines[1], "instructions 20M (2000k/s)  forks 0  memory 0 MiB  last new code 2s ago");
        assert_eq!(lines[2], "solver 30% of the time, 0 questions: core 25%");
    }
}
