//! The live status: one line that is rewritten on a terminal, plain lines now and then elsewhere.

use super::Options;
use crate::line::Line;
use std::io::IsTerminal;
use strata_explore::Live;

/// What is shown while a run is going.
pub(crate) struct Status {
    line: Line,
    terminal: bool,
    quiet: bool,
    next: f64,
}

impl Status {
    pub fn new(options: &Options) -> Status {
        Status { line: Line::new(), terminal: std::io::stderr().is_terminal(), quiet: options.json, next: 10.0 }
    }

    /// Shows how far the run is.
    pub fn show(&mut self, live: &Live<'_>) {
        if self.quiet {
            return;
        }
        let text = text(live);
        if self.terminal {
            self.line.show(&text);
        } else if live.progress.time_s >= self.next {
            // Plain lines, at growing distances: a log of an hour stays readable.
            self.next = (self.next * 1.5).max(live.progress.time_s + 10.0);
            eprintln!("strata: {text}");
        }
    }

    pub fn clear(&mut self) {
        self.line.clear();
    }
}

fn text(live: &Live<'_>) -> String {
    let p = live.progress;
    let ended = p.paths.completed + p.paths.error + p.paths.incomplete;
    let lines = if p.coverage.lines_total == 0 { 0 } else { p.coverage.lines * 100 / p.coverage.lines_total };
    let solving = if p.time_s > 0.0 { (p.solver_time_s / p.time_s * 100.0).min(999.0) } else { 0.0 };
    let layers: Vec<String> = live
        .queries
        .by_layer
        .0
        .iter()
        .filter(|(_, layer)| layer.answered > 0)
        .map(|(name, layer)| format!("{name} {:.0}%", layer.answered as f64 * 100.0 / live.queries.total.max(1) as f64))
        .collect();
    format!(
        "{:.0}s  paths {ended}  live {}  errors {}  tests {}  lines {lines}%  solver {solving:.0}% [{}]  {} MiB  new code {:.0}s ago",
        p.time_s,
        p.states,
        p.errors,
        p.tests,
        layers.join(" "),
        p.memory_bytes >> 20,
        live.since_new.max(0.0),
    )
}
