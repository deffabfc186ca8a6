//! Poison: values that it is an error to use (`Instruction::Poison`).
//!
//! A poison value is a symbol of its own, apart from the inputs and from memory that was never written. Terms carry it
//! through arithmetic. `settle` asks whether the symbol makes a difference where a term decides something.
//!
//! One symbol stands for all executions of an instruction. So `p - p` of two executions counts as 0: an error can be
//! missed there, and none is invented.

use crate::end::{ErrorKind, Fault};
use strata_ir::{PlaceId, Promise};
use strata_term::{Op, Term};

const PREFIX: &str = "poison:";

/// A broken promise: which one, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Poison {
    pub promise: Promise,
    pub place: PlaceId,
}

const PROMISES: [Promise; 6] = [
    Promise::Shift,
    Promise::SignedWrap,
    Promise::UnsignedWrap,
    Promise::Exact,
    Promise::NonNegative,
    Promise::Disjoint,
];

impl Poison {
    /// The value itself.
    pub fn symbol(self, width: u32) -> Term {
        Term::symbol(&format!("{PREFIX}{}:{}:{width}", self.promise as u8, self.place.0), width)
    }

    /// What a symbol stands for, if it is poison.
    pub fn of(symbol: &Term) -> Option<Poison> {
        if symbol.op() != Op::Symbol {
            return None;
        }
        let name = symbol.name()?;
        let mut parts = name.strip_prefix(PREFIX)?.split(':');
        let promise = PROMISES.into_iter().nth(parts.next()?.parse().ok()?)?;
        Some(Poison { promise, place: PlaceId(parts.next()?.parse().ok()?) })
    }

    /// The error of using it. It belongs to the place where the promise was broken.
    pub fn fault(self, user: &str) -> Fault {
        let (kind, what) = match self.promise {
            Promise::Shift => (ErrorKind::Overshift, "overshift error: the result of a shift by at least the width"),
            Promise::SignedWrap => (ErrorKind::Overflow, "signed overflow: the result"),
            Promise::UnsignedWrap => {
                (ErrorKind::Overflow, "unsigned overflow, which the optimiser was told cannot happen: the result")
            }
            Promise::Exact => (ErrorKind::Poison, "an exact division or shift has a remainder: the result"),
            Promise::NonNegative => (ErrorKind::Poison, "a number that must not be negative is: the result"),
            Promise::Disjoint => (ErrorKind::Poison, "numbers that must have no bit in common do: the result"),
        };
        Fault { place: Some(self.place.0), ..Fault::new(kind, format!("{what} decides {user}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_tells_what_was_broken_and_where() {
        for promise in PROMISES {
            let poison = Poison { promise, place: PlaceId(17) };
            assert_eq!(Poison::of(&poison.symbol(32)), Some(poison));
        }
        assert_eq!(Poison::of(&Term::symbol("undef:1:2", 32)), None);
    }
}
