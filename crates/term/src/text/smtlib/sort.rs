//! The sorts of SMT-LIB that we read. They are finer than the sorts of terms: a truth value and a bit-vector of one bit are the
//! same term, but mixing them is an error in a script.

use crate::store::{MAX_WIDTH, Term};
use std::fmt;

/// A sort of SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SmtSort {
    /// `Bool`.
    Bool,
    /// `(_ BitVec w)`.
    BitVec(u32),
    /// `(Array (_ BitVec index) (_ BitVec 8))`.
    Array {
        /// The width of the index.
        index: u32,
    },
}

impl SmtSort {
    /// The widest index of an array.
    pub const MAX_INDEX: u32 = 64;
    /// The width of every array's elements.
    pub const ELEMENT: u32 = 8;

    /// The sort of bit-vectors of this width, or what is wrong with the width.
    pub(super) fn bit_vector(width: Option<u64>) -> Result<SmtSort, String> {
        match width {
            Some(width) if (1..=u64::from(MAX_WIDTH)).contains(&width) => Ok(SmtSort::BitVec(width as u32)),
            Some(width) => Err(format!("a bit-vector of width {width}: expected 1 to {MAX_WIDTH}")),
            None => Err(format!("a bit-vector of a width above 2^64: expected 1 to {MAX_WIDTH}")),
        }
    }

    /// The sort of arrays from `index` to `element`, or why there is none.
    pub(super) fn array(index: SmtSort, element: SmtSort) -> Result<SmtSort, String> {
        match (index, element) {
            (SmtSort::BitVec(index), SmtSort::BitVec(SmtSort::ELEMENT)) if index <= SmtSort::MAX_INDEX => {
                Ok(SmtSort::Array { index })
            }
            _ => Err(format!(
                "arrays from {index} to {element} are not supported: expected an index of 1 to 64 bits and elements of 8 bits"
            )),
        }
    }

    /// The input of this name and sort.
    pub(super) fn input(self, name: &str) -> Term {
        match self {
            SmtSort::Bool => Term::symbol(name, 1),
            SmtSort::BitVec(width) => Term::symbol(name, width),
            SmtSort::Array { index } => Term::array(name, index),
        }
    }
}

impl fmt::Display for SmtSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SmtSort::Bool => write!(f, "Bool"),
            SmtSort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            SmtSort::Array { index } => write!(f, "(Array (_ BitVec {index}) (_ BitVec {}))", SmtSort::ELEMENT),
        }
    }
}

/// A term and the sort that the script gives it.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub term: Term,
    pub sort: SmtSort,
}

impl Value {
    pub(super) fn bool(term: Term) -> Value {
        debug_assert_eq!(term.width(), 1);
        Value { term, sort: SmtSort::Bool }
    }

    pub(super) fn bits(term: Term) -> Value {
        let sort = SmtSort::BitVec(term.width());
        Value { term, sort }
    }

    pub(super) fn array(term: Term) -> Value {
        let sort = SmtSort::Array { index: term.width() };
        Value { term, sort }
    }
}
