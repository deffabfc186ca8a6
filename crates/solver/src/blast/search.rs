//! A search that can be left behind.
//!
//! CaDiCaL cannot be stopped from outside before it looks at its terminator. So the search runs on a thread of its own; when the budget is
//! spent and the solver does not come back, the thread keeps it, ends when CaDiCaL next looks, and frees it there.

use cadical_sys::{CaDiCal, Status};
use rustix::time::{ClockId, clock_gettime};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use strata_query::Budget;

/// A solver on its way to another thread.
struct Moving(CaDiCal);

// SAFETY: CaDiCaL keeps no thread-local state and is used by one thread at a time: the solver is moved as a whole, and
// the only thing it shares, the watch of its terminator, is behind a lock.
unsafe impl Send for Moving {}

/// How often to look at the budget.
const SLICE: Duration = Duration::from_millis(5);
/// How long to wait for a solver that should have stopped.
const GRACE: Duration = Duration::from_millis(20);

/// Searches with `cadical`. `None`: the budget is spent and the solver is gone (another, empty one is in its place). Adds the processor time that the search took, which is none of
/// the calling thread's.
pub(super) fn search(cadical: &mut CaDiCal, budget: &Budget, elsewhere: &mut Duration) -> Option<Status> {
    let moving = Moving(std::mem::replace(cadical, CaDiCal::new()));
    let (sender, receiver) = channel();
    let run = move || {
        let Moving(mut solver) = { moving };
        let status = solver.solve();
        // Nobody listens if the search was left behind.
        let _ = sender.send((Moving(solver), status, processor_time()));
    };
    // Without a thread there is no search, and no answer.
    std::thread::Builder::new().spawn(run).ok()?;
    let (start, mut waited) = (Instant::now(), Duration::ZERO);
    loop {
        match receiver.recv_timeout(SLICE) {
            Ok((Moving(solver), status, took)) => {
                *cadical = solver;
                *elsewhere += took;
                return Some(status);
            }
            Err(RecvTimeoutError::Timeout) if budget.exceeded().is_none() => {}
            Err(RecvTimeoutError::Timeout) if waited < GRACE => waited += SLICE,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                *elsewhere += start.elapsed();
                return None;
            }
        }
    }
}

/// Of the calling thread.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
