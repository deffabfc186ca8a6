//! The figures of a run, while it goes on and at its end.

use super::faults::{INTERNAL, guarded};
use super::{HOTTEST, Live, Shared, Summary, lock};
use crate::coverage::{coverage, sums};
use crate::limits::resident;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use strata_query::Gauge;
use strata_record::{ArrayReads, Layer, Layers, Paths, Progress, Queries};
use strata_solver::{LAYERS, LayerStatistics, Stack};

impl Shared<'_> {
    pub(super) fn paths(&self) -> Paths {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counts = &self.counts;
        Paths {
            completed: get(&counts.completed),
            error: get(&counts.error),
            incomplete: get(&counts.incomplete),
            infeasible: get(&counts.infeasible),
        }
    }

    /// Time of all workers in the solver, with the questions that are running.
    fn solving(&self) -> Duration {
        self.gauges.iter().map(Gauge::total).sum()
    }

    pub(super) fn progress(&self) -> Progress {
        let held = self.counts.held.load(Ordering::Relaxed);
        let states = {
            let waiting = lock(&self.waiting);
            (waiting.frontier.len() + waiting.running) as u64 + held
        };
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Progress {
            time_s: self.start.elapsed().as_secs_f64(),
            instructions: get(&self.counts.instructions),
            forks: get(&self.counts.forks),
            hottest_fork: self.forks.hottest(self.image, 1).pop(),
            paths: self.paths(),
            states,
            tests: get(&self.counts.tests),
            errors: lock(&self.errors).len() as u64,
            coverage: sums(&coverage(self.image)),
            queries: self.all_queries().total,
            solver_time_s: self.solving().as_secs_f64(),
            memory_bytes: resident(),
            more: BTreeMap::new(),
        }
    }

    pub(super) fn show(&self, progress: &Progress, observe: &mut dyn FnMut(&Live<'_>)) {
        let last = self.counts.last_new_ms.load(Ordering::Relaxed) as f64 / 1e3;
        let summary = self.summary(progress);
        observe(&Live { progress, since_new: progress.time_s - last, summary: &summary });
    }

    /// What the run has done so far, with these figures.
    fn summary(&self, progress: &Progress) -> Summary {
        let mut errors: Vec<_> = lock(&self.errors).values().cloned().collect();
        let unwritten = lock(&self.unwritten);
        errors.iter_mut().filter(|found| unwritten.contains(&found.count.test)).for_each(|found| found.count.test = 0);
        drop(unwritten);
        errors.sort_by_key(|found| found.count.test);
        let noted = lock(&self.summary).clone();
        Summary {
            errors,
            paths: self.paths(),
            instructions: progress.instructions,
            forks: progress.forks,
            hottest_forks: self.forks.hottest(self.image, HOTTEST),
            tests: progress.tests,
            queries: self.all_queries(),
            states_peak: lock(&self.waiting).peak as u64,
            solve: self.solving(),
            solve_cpu: Duration::from_micros(self.counts.solving_cpu_us.load(Ordering::Relaxed)),
            peak_memory: noted.peak_memory.max(progress.memory_bytes),
            ..noted
        }
    }

    pub(super) fn all_queries(&self) -> Queries {
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

    pub(super) fn finish(self, observe: &mut dyn FnMut(&Live<'_>)) -> Summary {
        let progress = self.progress();
        let _ = self.run.write_progress(&progress);
        if let Err(text) = guarded(|| self.show(&progress, observe)) {
            self.note_panic(text);
        }
        let (left, lost) = {
            let waiting = lock(&self.waiting);
            // What a worker has when it is gone is what it had when it panicked.
            (waiting.frontier.len() as u64, waiting.running as u64)
        };
        let mut summary = self.summary(&progress);
        if left > 0 {
            summary.paths.incomplete += left;
            *summary.causes.entry("tests not written in time".into()).or_default() += left;
        }
        if lost > 0 {
            summary.paths.incomplete += lost;
            *summary.causes.entry(INTERNAL.into()).or_default() += lost;
        }
        summary
    }
}

pub(super) fn queries(stack: &Stack) -> Queries {
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
