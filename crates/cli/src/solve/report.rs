//! What `strata solve` prints: lines as answers come, or one JSON document at the end; a progress line on a terminal.

use super::{Options, reason};
use crate::console::{err, out};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};
use strata_query::Answer;
use strata_solver::{LAYERS, Stack};

pub(super) struct Report<'o> {
    options: &'o Options,
    file: String,
    /// One entry a file.
    files: Vec<Value>,
    progress: bool,
    counts: [u64; 3],
    /// How many answers there were when the current file came.
    asked: u64,
    slowest: Vec<(Duration, String)>,
    start: Instant,
}

impl<'o> Report<'o> {
    pub fn new(options: &'o Options) -> Report<'o> {
        let progress = options.files.len() > 1 && std::io::stderr().is_terminal();
        let (file, files, slowest) = (String::new(), Vec::new(), Vec::new());
        Report { options, file, files, progress, counts: [0; 3], asked: 0, slowest, start: Instant::now() }
    }

    /// Answers are prefixed by their file when there are several, as grep does.
    fn prefix(&self) -> String {
        if self.options.files.len() > 1 { format!("{}: ", self.file) } else { String::new() }
    }

    /// Turns to a file.
    pub fn start(&mut self, file: &Path) {
        self.file = file.display().to_string();
        self.files.push(json!({ "file": self.file, "answers": [] }));
        if self.progress {
            let [sat, unsat, unknown] = self.counts;
            let (number, total) = (self.files.len(), self.options.files.len());
            let line = format!("{number}/{total}  sat {sat}  unsat {unsat}  unknown {unknown}  {}", self.file);
            // One line of a usual terminal: a longer one could not be erased.
            let line: String = line.chars().take(79).collect();
            err(&format!("\r\x1b[K{line}"));
        }
    }

    fn clear_progress(&self) {
        if self.progress {
            err("\r\x1b[K");
        }
    }

    /// An answer to a question that started at `since`; `model` is its model as text, made only where it is shown.
    pub fn answer(&mut self, answer: &Answer, since: Instant, model: impl FnOnce() -> (String, Value)) {
        let time = since.elapsed();
        self.counts[match answer {
            Answer::Sat(_) => 0,
            Answer::Unsat => 1,
            Answer::Unknown(_) => 2,
        }] += 1;
        if self.options.stats {
            self.slowest.push((time, self.file.clone()));
            self.slowest.sort_by(|a, b| b.cmp(a));
            self.slowest.truncate(10);
        }
        let with_model = self.options.model && matches!(answer, Answer::Sat(_));
        if self.options.json {
            let mut entry = json!({ "answer": answer.name(), "time_us": time.as_micros() as u64 });
            if let Some(reason) = reason(answer) {
                entry["reason"] = json!(reason);
            }
            if with_model {
                entry["model"] = model().1;
            }
            if let Some(answers) = self.files.last_mut().and_then(|file| file["answers"].as_array_mut()) {
                answers.push(entry);
            }
            return;
        }
        self.clear_progress();
        let time = if self.options.time { format!("  ; {:.3} ms", time.as_secs_f64() * 1000.0) } else { String::new() };
        let model = if with_model { model().0 } else { String::new() };
        out(&format!("{}{}{time}\n{model}", self.prefix(), answer.name()));
        if let Some(reason) = reason(answer) {
            err(&format!("{}: unknown because of: {reason}\n", self.file));
        }
    }

    /// Text that a script asked for (values, echoes).
    pub fn line(&mut self, text: &str) {
        if self.options.json {
            if let Some(file) = self.files.last_mut() {
                match file["output"].as_array_mut() {
                    Some(lines) => lines.push(json!(text)),
                    None => file["output"] = json!([text]),
                }
            }
            return;
        }
        self.clear_progress();
        out(&format!("{text}\n"));
    }

    /// The current file is done; says so if it asked nothing.
    pub fn done(&mut self) {
        let answers = self.files.last().and_then(|file| file["answers"].as_array());
        if self.asked == self.counts.iter().sum::<u64>() && answers.is_none_or(Vec::is_empty) {
            self.clear_progress();
            err(&format!("{}: asks nothing: there is no check-sat or query in it\n", self.file));
        }
        self.asked = self.counts.iter().sum();
    }

    /// Something is wrong with the current file.
    pub fn problem(&mut self, place: Option<(usize, usize)>, message: &str) {
        self.clear_progress();
        let place = place.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
        err(&format!("{}{place}: {message}\n", self.file));
        if let Some(file) = self.files.last_mut() {
            file["error"] = json!(format!("{}{place}: {message}", self.file));
        }
    }

    /// The end: figures, or the JSON document.
    pub fn finish(&mut self, stack: &Stack) {
        self.clear_progress();
        let statistics = stack.statistics();
        let time = self.start.elapsed();
        let [sat, unsat, unknown] = self.counts;
        let core = statistics.layers.last().copied().unwrap_or_default();
        if self.options.json {
            let by_layer: serde_json::Map<String, Value> = LAYERS
                .iter()
                .zip(&statistics.layers)
                .map(|(row, layer)| {
                    let time = layer.time.as_micros() as u64;
                    (
                        row.name.to_owned(),
                        json!({ "answered": layer.answered, "passed": layer.passed, "time_us": time }),
                    )
                })
                .collect();
            let document = json!({
                "files": self.files,
                "answers": { "sat": sat, "unsat": unsat, "unknown": unknown },
                "queries": {
                    "total": statistics.total,
                    "by_layer": by_layer,
                    "core_calls": core.answered + core.passed,
                    "core_time_us": core.time.as_micros() as u64,
                    "timeouts": statistics.timeouts,
                    "checked": statistics.checked,
                    "unchecked": statistics.unchecked,
                    "arrays": {
                        "axioms_possible": statistics.arrays.possible,
                        "axioms_generated": statistics.arrays.generated,
                        "axioms_added": statistics.arrays.added,
                    },
                },
                "layers": stack.selection().names().collect::<Vec<_>>(),
                "terms": strata_term::live(),
                "time_s": time.as_secs_f64(),
                "version": env!("CARGO_PKG_VERSION"),
            });
            out(&format!("{document:#}\n"));
            return;
        }
        if self.options.check_with.is_some() {
            let (checked, unchecked) = (statistics.checked, statistics.unchecked);
            err(&format!("{checked} of {} answers were confirmed by the other solver\n", checked + unchecked));
        }
        if self.options.stats {
            let line = |text: String| err(&(text + "\n"));
            let millis = |time: Duration| time.as_secs_f64() * 1000.0;
            line(format!("answers   {} ({sat} sat, {unsat} unsat, {unknown} unknown)", sat + unsat + unknown));
            line(format!("time      {:.1} ms, of which solving {:.1} ms", millis(time), millis(core.time)));
            for (row, layer) in LAYERS.iter().zip(&statistics.layers) {
                let (answered, passed) = (layer.answered, layer.passed);
                line(format!(
                    "layer     {:<9} answered {answered}, passed {passed}, {:.1} ms",
                    row.name,
                    millis(layer.time)
                ));
            }
            line(format!("terms     {} alive", strata_term::live()));
            for (time, file) in &self.slowest {
                line(format!("slowest   {:.3} ms  {file}", millis(*time)));
            }
        }
    }
}
