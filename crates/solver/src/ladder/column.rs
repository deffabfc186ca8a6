//! Values of a term for all values of a byte, as they are kept: many are, so what fits into bytes is in bytes.

use crate::knowledge::Parts;
use std::sync::OnceLock;
use strata_term::Points;

pub struct Column {
    values: Values,
    /// Where each of its values is met, if they are few; found out when asked for.
    parts: OnceLock<Option<Parts>>,
}

#[expect(clippy::large_enum_variant, reason = "it is the common one, and behind a pointer already")]
pub enum Values {
    Bytes([u8; 256]),
    Words(Box<Points>),
}

impl Column {
    /// Of a term of a width, by values of the byte.
    pub fn of(width: u32, value: impl Fn(usize) -> u64) -> Column {
        let values = if width <= 8 {
            Values::Bytes(std::array::from_fn(|byte| value(byte) as u8))
        } else {
            Values::Words(Box::new(std::array::from_fn(value)))
        };
        Column { values, parts: OnceLock::new() }
    }

    /// The value at a value of the byte.
    pub fn at(&self, byte: u8) -> u64 {
        match &self.values {
            Values::Bytes(values) => values[usize::from(byte)].into(),
            Values::Words(values) => values[usize::from(byte)],
        }
    }

    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Its values, and where each is met; `None` if they are many.
    pub fn parts(&self) -> Option<&Parts> {
        self.parts.get_or_init(|| Parts::of(|byte| self.at(byte))).as_ref()
    }
}
