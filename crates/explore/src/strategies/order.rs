//! Depth first and breadth first: the newest or the oldest state.

use super::{Info, Strategy};
use std::collections::VecDeque;

/// States by age.
pub(super) struct Order {
    waiting: VecDeque<u64>,
    newest: bool,
}

impl Order {
    pub fn newest() -> Order {
        Order { waiting: VecDeque::new(), newest: true }
    }

    pub fn oldest() -> Order {
        Order { waiting: VecDeque::new(), newest: false }
    }
}

impl Strategy for Order {
    fn push(&mut self, info: Info) {
        self.waiting.push_back(info.id);
    }

    fn pick(&mut self, waiting: &dyn Fn(u64) -> bool) -> Option<u64> {
        loop {
            let id = if self.newest { self.waiting.pop_back() } else { self.waiting.pop_front() }?;
            if waiting(id) {
                return Some(id);
            }
        }
    }
}
