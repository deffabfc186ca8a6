//! A few values, collected.

use strata_query::Values;

/// As many at most.
const FEW: usize = 32;

/// Values that came so far.
pub struct Few {
    values: Vec<u64>,
    /// Which of them were there, by some of their bits.
    seen: u64,
}

impl Default for Few {
    fn default() -> Few {
        Few { values: Vec::with_capacity(FEW), seen: 0 }
    }
}

fn bit(value: u64) -> u64 {
    1 << ((value ^ value >> 6) % 64)
}

impl Few {
    /// Is it there already?
    pub fn has(&self, value: u64) -> bool {
        self.seen & bit(value) != 0 && self.values.contains(&value)
    }

    /// Takes one more. False: they are no longer few.
    pub fn add(&mut self, value: u64) -> bool {
        if !self.has(value) {
            self.seen |= bit(value);
            self.values.push(value);
        }
        self.values.len() <= FEW
    }

    /// All of them in order, if there is one; are they all met?
    pub fn sorted(mut self, exact: bool) -> Option<Values> {
        self.values.sort_unstable();
        (!self.values.is_empty()).then_some(Values { all: self.values, exact })
    }
}
