//! The extensions of the instruction set.

/// An extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extension {
    /// The base: integers of 64 bits.
    I,
    /// Multiplication and division.
    M,
    /// Atomic accesses.
    A,
    /// binary32.
    F,
    /// binary64.
    D,
    /// Instructions of 16 bits.
    C,
    /// Control and status registers.
    Zicsr,
    /// The fence for instructions.
    Zifencei,
    /// Addresses: shift and add.
    Zba,
    /// Bits: counting, rotating, extending.
    Zbb,
    /// Single bits.
    Zbs,
}

/// A set of extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extensions(u16);

impl Extensions {
    /// All that there are.
    pub const ALL: Extensions = Extensions(u16::MAX);

    /// Is it one of them?
    pub fn has(self, extension: Extension) -> bool {
        self.0 & 1 << extension as u16 != 0
    }

    fn add(&mut self, extension: Extension) {
        self.0 |= 1 << extension as u16;
    }
}

impl Extension {
    /// The extensions of a string such as `rv64i2p1_m2p0_zba1p0`, or `rv64gc`. Versions and what
    /// is not known here are passed over. Registers of control and status, and the fence for
    /// instructions, were a part of the base once.
    pub fn parse(text: &str) -> Extensions {
        let mut set = Extensions(0);
        for always in [Extension::I, Extension::Zicsr, Extension::Zifencei] {
            set.add(always);
        }
        let text = text.to_ascii_lowercase();
        let text = text.strip_prefix("rv64").unwrap_or(&text);
        for part in text.split('_') {
            let several = part.starts_with(['z', 's', 'x']);
            let name = |letter: &str| match letter {
                "i" => vec![Extension::I],
                "m" => vec![Extension::M],
                "a" => vec![Extension::A],
                "f" => vec![Extension::F],
                "d" => vec![Extension::D],
                "c" => vec![Extension::C],
                "g" => vec![Extension::M, Extension::A, Extension::F, Extension::D],
                "zba" => vec![Extension::Zba],
                "zbb" => vec![Extension::Zbb],
                "zbs" => vec![Extension::Zbs],
                _ => Vec::new(),
            };
            let mut found = Vec::new();
            if several {
                // A version follows a name: digits, `p`, digits.
                let end = part.find(|c: char| c.is_ascii_digit()).unwrap_or(part.len());
                found = name(&part[..end]);
            } else {
                // Single letters, each perhaps with a version, in which `p` is no letter of its
                // own.
                for (at, letter) in part.char_indices() {
                    let version = letter == 'p' && part[..at].ends_with(|c: char| c.is_ascii_digit());
                    if letter.is_ascii_alphabetic() && !version {
                        found.extend(name(letter.encode_utf8(&mut [0; 4])));
                    }
                }
            }
            found.into_iter().for_each(|extension| set.add(extension));
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, has: &[Extension], lacks: &[Extension]) {
        let set = Extension::parse(text);
        for extension in has {
            assert!(set.has(*extension), "{text} has {extension:?}");
        }
        for extension in lacks {
            assert!(!set.has(*extension), "{text} lacks {extension:?}");
        }
    }

    #[test]
    fn strings_of_extensions_are_read() {
        use Extension::*;
        check("rv64gc", &[I, M, A, F, D, C, Zicsr, Zifencei], &[Zba, Zbb, Zbs]);
        check("rv64i2p0_m2p0_c2p0_zmmul1p0_zba1p0", &[I, M, C, Zba], &[A, F, D, Zbb]);
        check("rv64imafdc_zbb_zbs", &[I, M, A, F, D, C, Zbb, Zbs], &[Zba]);
        check("rv64i2p1_xthead", &[I], &[M, A, F, D, C]);
    }
}
