//! How long somebody has been working, which another thread can read while the work goes on.
//!
//! A duration that is added once a question is answered says nothing about the question that takes
//! ten seconds, as long as it takes them. So the start of the running task is there, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time of tasks of one thread, the running one included. Copies are the same gauge.
#[derive(Clone, Debug)]
pub struct Gauge(Arc<Times>);

#[derive(Debug)]
struct Times {
    origin: Instant,
    /// Nanoseconds of the tasks that ended.
    done: AtomicU64,
    /// When the running task began, in nanoseconds from the origin; 0 if none runs.
    since: AtomicU64,
}

/// A task that is being timed, unless it is a part of another one.
#[must_use = "a task that is not stopped runs on"]
pub struct Task(Option<Instant>);

impl Default for Gauge {
    fn default() -> Gauge {
        Gauge(Arc::new(Times { origin: Instant::now(), done: AtomicU64::new(0), since: AtomicU64::new(0) }))
    }
}

impl Gauge {
    /// A task begins.
    pub fn start(&self) -> Task {
        if self.0.since.load(Ordering::Relaxed) != 0 {
            return Task(None);
        }
        let now = Instant::now();
        self.0.since.store(self.nanos(now).max(1), Ordering::Relaxed);
        Task(Some(now))
    }

    /// It has ended.
    pub fn stop(&self, task: Task) {
        if let Task(Some(start)) = task {
            self.0.done.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
            self.0.since.store(0, Ordering::Relaxed);
        }
    }

    /// Ends what a panic left running.
    pub fn reset(&self) {
        self.0.since.store(0, Ordering::Relaxed);
    }

    /// The time of all tasks so far.
    pub fn total(&self) -> Duration {
        let since = self.0.since.load(Ordering::Relaxed);
        let running = if since == 0 { 0 } else { self.nanos(Instant::now()).saturating_sub(since) };
        Duration::from_nanos(self.0.done.load(Ordering::Relaxed) + running)
    }

    fn nanos(&self, at: Instant) -> u64 {
        at.saturating_duration_since(self.0.origin).as_nanos() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_seen_while_it_runs() {
        let (gauge, pause) = (Gauge::default(), Duration::from_millis(20));
        let seen = gauge.clone();
        let task = gauge.start();
        let part = gauge.start();
        std::thread::sleep(pause);
        gauge.stop(part);
        let running = std::thread::spawn(move || seen.total()).join().expect("it reads a clock");
        assert!(running >= pause);
        gauge.stop(task);
        let total = gauge.total();
        assert!(total >= running && total < 10 * pause, "a part counts once: {total:?}");
        std::thread::sleep(pause);
        assert_eq!(gauge.total(), total);
    }
}
