//! Values of a term for all values of a byte, as they are kept: many are, so what fits into bytes is in bytes.

use strata_term::Points;

#[expect(clippy::large_enum_variant, reason = "it is the common one, and behind a pointer already")]
pub enum Column {
    Bytes([u8; 256]),
    Words(Box<Points>),
}

impl Column {
    /// Of a term of a width, by values of the byte.
    pub fn of(width: u32, value: impl Fn(usize) -> u64) -> Column {
        if width <= 8 {
            Column::Bytes(std::array::from_fn(|byte| value(byte) as u8))
        } else {
            Column::Words(Box::new(std::array::from_fn(value)))
        }
    }

    /// The value at a value of the byte.
    pub fn at(&self, byte: u8) -> u64 {
        match self {
            Column::Bytes(values) => values[usize::from(byte)].into(),
            Column::Words(values) => values[usize::from(byte)],
        }
    }
}
