//! States by weight: drawn at random, the heavier the likelier.
//!
//! Drawn by Efraimidis and Spirakis' keys: each state gets `u^(1/weight)` once, the largest key goes first. One heap instead of a tree of
//! sums; a weight is fixed when the state is pushed, which is after each of its turns.

use super::{Info, Strategy};
use std::collections::BinaryHeap;
use strata_term::Random;

/// States by a weight.
pub(super) struct Weighted {
    heap: BinaryHeap<Key>,
    random: Random,
    weight: fn(&Info) -> f64,
}

#[derive(PartialEq)]
struct Key(f64, u64);

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl Weighted {
    pub fn new(seed: u64, weight: fn(&Info) -> f64) -> Weighted {
        Weighted { heap: BinaryHeap::new(), random: Random(seed), weight }
    }
}

impl Strategy for Weighted {
    fn push(&mut self, info: Info) {
        let draw = (self.random.number() >> 11) as f64 / (1u64 << 53) as f64;
        // The logarithm of the key orders alike and does not underflow.
        self.heap.push(Key(draw.max(1e-300).ln() / (self.weight)(&info).max(1e-300), info.id));
    }

    fn pick(&mut self, waiting: &dyn Fn(u64) -> bool) -> Option<u64> {
        while let Some(Key(_, id)) = self.heap.pop() {
            if waiting(id) {
                return Some(id);
            }
        }
        None
    }
}
