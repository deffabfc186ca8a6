//! Any state, all alike.

use super::{Info, Strategy};
use strata_term::Random;

/// States in no order.
pub(super) struct AnyState {
    waiting: Vec<u64>,
    random: Random,
}

impl AnyState {
    pub fn new(seed: u64) -> AnyState {
        AnyState { waiting: Vec::new(), random: Random(seed) }
    }
}

impl Strategy for AnyState {
    fn push(&mut self, info: Info) {
        self.waiting.push(info.id);
    }

    fn pick(&mut self, waiting: &dyn Fn(u64) -> bool) -> Option<u64> {
        while !self.waiting.is_empty() {
            let at = self.random.below(self.waiting.len());
            let id = self.waiting.swap_remove(at);
            if waiting(id) {
                return Some(id);
            }
        }
        None
    }
}
