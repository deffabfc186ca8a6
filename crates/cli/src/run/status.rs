//! The live status: a few lines that are rewritten on a terminal, plain lines now and then elsewhere. What the program writes goes
//! to the same terminal, and past the status: it is taken away before and comes back a second later.

use super::Options;
use super::cards::place;
use crate::console::{say, visible};
use crate::line::{Line, terminal};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use strata_explore::Live;
use strata_interp::Echo;
use strata_record::Layer;

/// What is shown while a run is going.
pub(crate) struct Status {
    screen: Arc<Mutex<Screen>>,
    terminal: bool,
    quiet: bool,
    jobs: usize,
    next: f64,
}

/// What workers and the status share.
struct Screen {
    line: Line,
    /// Did the program leave a line of standard output without its end?
    unfinished: bool,
}

impl Screen {
    /// What the program wrote. On a terminal every piece ends its line: the status would overwrite it.
    fn echo(&mut self, descriptor: i32, bytes: &[u8], terminal: bool) {
        self.line.clear();
        let shown = obeys(descriptor).then(|| visible(&String::from_utf8_lossy(bytes)).into_owned().into_bytes());
        let bytes = shown.as_deref().unwrap_or(bytes);
        let ended = bytes.ends_with(b"\n");
        let end: &[u8] = if terminal && !ended { b"\n" } else { b"" };
        let write =
            |out: &mut dyn Write| out.write_all(bytes).and_then(|()| out.write_all(end)).and_then(|()| out.flush());
        // Nobody reading any more does not stop a run.
        if descriptor == 2 {
            let _ = write(&mut std::io::stderr().lock());
        } else {
            let _ = write(&mut std::io::stdout().lock());
            self.unfinished = !terminal && !ended;
        }
    }
}

/// Is there a terminal that would obey what is written?
fn obeys(descriptor: i32) -> bool {
    if descriptor == 2 { std::io::stderr().is_terminal() } else { std::io::stdout().is_terminal() }
}

fn lock(screen: &Mutex<Screen>) -> MutexGuard<'_, Screen> {
    screen.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Status {
    pub fn new(options: &Options) -> Status {
        let screen = Arc::new(Mutex::new(Screen { line: Line::new(), unfinished: false }));
        Status { screen, terminal: terminal(), quiet: options.json, jobs: options.jobs.max(1), next: 10.0 }
    }

    /// Puts what paths write on standard output and error.
    pub fn echo(&self) -> Echo {
        let (screen, terminal) = (self.screen.clone(), self.terminal);
        Arc::new(move |descriptor, bytes| lock(&screen).echo(descriptor, bytes, terminal))
    }

    /// Shows how far the run is.
    pub fn show(&mut self, live: &Live<'_>) {
        if self.quiet {
            return;
        }
        let lines = lines(live, self.jobs);
        if self.terminal {
            lock(&self.screen).line.show(&lines.join("\n"));
        } else if live.progress.time_s >= self.next {
            // Plain lines, at growing distances: a log of an hour stays readable.
            self.next = (self.next * 1.5).max(live.progress.time_s + 10.0);
            say(lines.join("; "));
        }
    }

    /// Takes it away; what is printed next starts a line.
    pub fn clear(&mut self) {
        let mut screen = lock(&self.screen);
        screen.line.clear();
        if std::mem::take(&mut screen.unfinished) {
            crate::console::out("\n");
        }
    }
}

/// How far; what it costs; where the solver's time goes, as shares of the workers' time.
fn lines(live: &Live<'_>, jobs: usize) -> [String; 3] {
    let p = live.progress;
    let ended = p.paths.completed + p.paths.error + p.paths.incomplete;
    let covered = |part: u64, total: u64| format!("{part}/{total} ({}%)", (part * 100).checked_div(total).unwrap_or(0));
    let working = (p.time_s * jobs as f64).max(1e-9);
    let share = |seconds: f64| (seconds / working * 100.0).min(100.0);
    let layers = &live.summary.queries.by_layer.0;
    let answered: u64 = layers.iter().map(|(_, layer)| layer.answered).sum();
    let percent = |layer: &Layer| layer.answered * 100 / answered.max(1);
    let mut most: Vec<_> = layers.iter().filter(|(_, layer)| percent(layer) > 0).collect();
    most.sort_by_key(|(_, layer)| std::cmp::Reverse(layer.answered));
    let most: Vec<String> = most.iter().map(|(name, layer)| format!("{name} {}%", percent(layer))).collect();
    let answered = if most.is_empty() { String::new() } else { format!(", answered by {}", most.join(", ")) };
    let core = layers.last().map_or(0.0, |(_, core)| share(core.time_us as f64 / 1e6));
    let hottest = p.hottest_fork.as_ref();
    let hottest = hottest.map_or_else(String::new, |fork| format!(" (most at {})", place(&fork.file, fork.line)));
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
            "instructions {} ({}/s)  forks {}{hottest}  memory {} MiB  last new code {:.0}s ago",
            count(p.instructions),
            count((p.instructions as f64 / p.time_s.max(1e-9)) as u64),
            count(p.forks),
            p.memory_bytes >> 20,
            live.since_new.max(0.0),
        ),
        format!(
            "solver {:.0}% of the time (the core {core:.0}%), {} questions{answered}",
            share(p.solver_time_s),
            count(p.queries),
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
    use strata_explore::Summary;
    use strata_record::{ForkCount, Progress};

    #[test]
    fn a_status_has_all_figures() {
        let mut summary = Summary::default();
        let queries = &mut summary.queries;
        queries.by_layer.0.push(("bytes".into(), Layer { answered: 3, passed: 1, time_us: 1_000 }));
        queries.by_layer.0.push(("cache".into(), Layer::default()));
        queries.by_layer.0.push(("core".into(), Layer { answered: 1, passed: 0, time_us: 5_000_000 }));
        let mut progress = Progress { time_s: 10.0, instructions: 20_000_000, states: 7, ..Progress::default() };
        progress.solver_time_s = 6.0;
        progress.hottest_fork = Some(ForkCount { file: "/x/a.c".into(), line: 12, forks: 5 });
        progress.coverage.lines = 3;
        progress.coverage.lines_total = 4;
        let lines = lines(&Live { progress: &progress, since_new: 2.0, summary: &summary }, 2);
        assert_eq!(lines[0], "10s  paths 0  live 7  errors 0  tests 0  lines 3/4 (75%)  branches 0/0 (0%)");
        assert_eq!(
            lines[1],
            "instructions 20M (2000k/s)  forks 0 (most at /x/a.c:12)  memory 0 MiB  last new code 2s ago"
        );
        assert_eq!(lines[2], "solver 30% of the time (the core 25%), 0 questions, answered by bytes 75%, core 25%");
    }
}
