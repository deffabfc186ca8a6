//! The integer types of a program.

use strata_term::Random;

/// An integer type of `<stdint.h>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// 8, 16, 32 or 64.
    pub bits: u32,
    /// Has it a sign?
    pub signed: bool,
}

impl Kind {
    /// Any of the eight.
    pub fn any(random: &mut Random) -> Kind {
        Kind { bits: *random.pick(&[8, 16, 32, 32, 64]), signed: random.one_in(2) }
    }

    /// Its name in C.
    pub fn name(self) -> String {
        format!("{}int{}_t", if self.signed { "" } else { "u" }, self.bits)
    }

    /// The end of the names of its operations, as `add_i32`.
    pub fn suffix(self) -> String {
        format!("{}{}", if self.signed { "i" } else { "u" }, self.bits)
    }

    /// A constant of this type, often near a border.
    pub fn constant(self, random: &mut Random) -> String {
        let bits = random.constant(self.bits).to_u64().unwrap_or_default();
        format!("({})0x{bits:x}u", self.name())
    }
}
