//! A few values, collected.

use strata_query::Values;

/// As many at most.
const FEW: usize = 32;

/// Values that came so far.
#[derive(Default)]
pub struct Few {
    values: Vec<u64>,
    last: Option<u64>,
    /// By their last bits: which were there?
    seen: u64,
}

impl Few {
    /// Takes one more. False: they are no longer few.
    pub fn add(&mut self, value: u64) -> bool {
        if self.last != Some(value) {
            self.last = Some(value);
            let bit = 1 << (value % 64);
            if self.seen & bit == 0 || !self.values.contains(&value) {
                self.seen |= bit;
                self.values.push(value);
            }
        }
        self.values.len() <= FEW
    }

    /// All of them in order, if there is one; are they all met?
    pub fn sorted(mut self, exact: bool) -> Option<Values> {
        self.values.sort_unstable();
        (!self.values.is_empty()).then_some(Values { all: self.values, exact })
    }
}
