//! What a run may use, and the clocks and counters by which it is held to that.

use std::time::{Duration, Instant};

/// Limits of a run. The default has none but memory.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Resident memory, in bytes.
    pub memory: u64,
    /// Tests written.
    pub tests: Option<u64>,
    /// Instructions of all paths.
    pub instructions: Option<u64>,
    /// Forks of all paths.
    pub forks: Option<u64>,
}

/// Resident memory of this process, in bytes; 0 where the system does not tell.
pub fn resident() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else { return 0 };
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0);
    pages * 4096
}

/// Processor time of the calling thread.
pub(crate) fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// What part of a stretch of time the calling thread had the processor: turns time by the clock into processor time, for what is too short to ask
/// the kernel about each time.
pub(crate) struct Pace {
    wall: Instant,
    cpu: Duration,
}

impl Pace {
    /// A stretch begins.
    pub fn start() -> Pace {
        Pace { wall: Instant::now(), cpu: thread_time() }
    }

    /// Ends it and begins the next: the processor's part of the time that the thread did not `idle`.
    pub fn lap(&mut self, idle: Duration) -> f64 {
        let now = Pace::start();
        let cpu = now.cpu.saturating_sub(self.cpu);
        let wall = (now.wall - self.wall).saturating_sub(idle);
        *self = now;
        (cpu.as_secs_f64() / wall.as_secs_f64().max(1e-9)).min(1.0)
    }
}
