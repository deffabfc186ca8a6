//! Things on their way from the workers to one thread that takes them in bulk.
//!
//! A channel would wake the taker for each thing and a worker for each room, which costs more than writing a small file. Here the taker is woken for a
//! batch, sleeps otherwise, and takes all there is.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many are worth waking the taker for.
const BATCH: usize = 128;
/// How many may wait: some ten megabytes, so that workers outrun the taker for a while.
const MOST: usize = 32_768;
/// How long the taker sleeps over fewer than a batch.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct Queue<T> {
    inside: Mutex<Inside<T>>,
    more: Condvar,
    room: Condvar,
}

struct Inside<T> {
    waiting: Vec<T>,
    closed: bool,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        let inside = Mutex::new(Inside { waiting: Vec::new(), closed: false });
        Queue { inside, more: Condvar::new(), room: Condvar::new() }
    }
}

impl<T> Queue<T> {
    /// Adds one; waits where too many do, and tells how long.
    pub fn push(&self, thing: T) -> Duration {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let mut waited = Duration::ZERO;
        if inside.waiting.len() >= MOST {
            let start = Instant::now();
            let full = |inside: &mut Inside<T>| inside.waiting.len() >= MOST;
            inside = self.room.wait_while(inside, full).unwrap_or_else(PoisonError::into_inner);
            waited = start.elapsed();
        }
        inside.waiting.push(thing);
        if inside.waiting.len() == BATCH {
            self.more.notify_one();
        }
        waited
    }

    /// No more come.
    pub fn close(&self) {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.more.notify_all();
    }

    /// All that wait, or nothing when no more come.
    pub fn take(&self) -> Option<Vec<T>> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let few = |inside: &mut Inside<T>| inside.waiting.len() < BATCH && !inside.closed;
            (inside, _) = self.more.wait_timeout_while(inside, PAUSE, few).unwrap_or_else(PoisonError::into_inner);
            if !inside.waiting.is_empty() {
                let all = std::mem::take(&mut inside.waiting);
                self.room.notify_all();
                return Some(all);
            }
            if inside.closed {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_things_arrive_in_order() {
        let queue: Queue<u32> = Queue::default();
        let taken = std::thread::scope(|scope| {
            let taker = scope.spawn(|| {
                let mut all = Vec::new();
                while let Some(things) = queue.take() {
                    assert!(things.len() <= MOST);
                    all.extend(things);
                }
                all
            });
            for thing in 0..100_000 {
                queue.push(thing);
            }
            queue.close();
            taker.join().expect("the taker does not panic")
        });
        assert_eq!(taken, (0..100_000).collect::<Vec<_>>());
    }
}
