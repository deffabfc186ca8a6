//! What can be wrong with a file, and what the user can do about it.

use std::fmt;

/// Why a file is no RISC-V program that can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No ELF file at all.
    NotElf {
        /// What it looks like.
        looks_like: &'static str,
    },
    /// An ELF file for another processor.
    Machine {
        /// Its name, or its number in the header.
        name: String,
    },
    /// An ELF file for 32-bit RISC-V.
    Bits32,
    /// A big-endian ELF file.
    BigEndian,
    /// The file ends before what its headers promise.
    Truncated {
        /// The part that is missing.
        part: String,
    },
    /// The headers contradict each other.
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// A program that needs a dynamic linker.
    Dynamic {
        /// The linker that it asks for, or the library that it needs.
        needs: String,
    },
    /// An object file, a library or a core dump.
    NotExecutable {
        /// What it is.
        kind: &'static str,
    },
    /// A program without a segment that can be run.
    NoCode,
    /// The entry point lies in no executable segment, or between two instructions.
    Entry {
        /// Where it is.
        address: u64,
    },
    /// Two segments claim the same addresses.
    Overlap {
        /// The first common address.
        address: u64,
    },
    /// A relocation that a position-independent static program should not have.
    Relocation {
        /// Its number in the processor's supplement.
        kind: u32,
        /// What it would change.
        address: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotElf { looks_like } => {
                write!(f, "this is no ELF file ({looks_like}): give a program linked for 64-bit RISC-V")
            }
            Error::Machine { name } => write!(
                f,
                "this is an ELF file for {name}, not for RISC-V: build it with a compiler for riscv64 \
                 (riscv64-linux-gnu-gcc, or clang --target=riscv64-linux-gnu)"
            ),
            Error::Bits32 => f.write_str(
                "this is a 32-bit ELF file, and only 64-bit RISC-V is supported: build it with -march=rv64gc -mabi=lp64d",
            ),
            Error::BigEndian => f.write_str(
                "this is a big-endian ELF file, and only little-endian RISC-V is supported: build it with -mlittle-endian",
            ),
            Error::Truncated { part } => {
                write!(f, "the file is cut off: {part} lies beyond its end; copy it again, or build it anew")
            }
            Error::Damaged { reason } => write!(f, "the file is damaged: {reason}; copy it again, or build it anew"),
            Error::Dynamic { needs } => {
                write!(f, "this program is dynamically linked (it needs {needs}): link it with -static or -static-pie")
            }
            Error::NotExecutable { kind } => {
                write!(f, "this is {kind}, not a program: link it with -static or -static-pie")
            }
            Error::NoCode => f.write_str("this program has no executable segment: link it again without a linker script"),
            Error::Entry { address } => write!(
                f,
                "the entry point {address:#x} is no place in an executable segment where an instruction can be: \
                 link the program with a start file, or set the entry with the linker's -e"
            ),
            Error::Overlap { address } => {
                write!(f, "two segments claim the address {address:#x}: correct the linker script")
            }
            Error::Relocation { kind, address } => write!(
                f,
                "the relocation of type {kind} at {address:#x} needs a dynamic linker: link the program with -static or \
                 -static-pie"
            ),
        }
    }
}

impl std::error::Error for Error {}
