//! What can be wrong with the input, and what the user can do about it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why nothing could be loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Error {
    /// Neither bitcode nor LLVM text.
    NotLlvm {
        /// The input.
        file: String,
        /// What it looks like.
        looks_like: String,
    },
    /// Bitcode that LLVM cannot read: cut off or damaged.
    Broken {
        /// The input.
        file: String,
        /// LLVM's words.
        message: String,
    },
    /// Bitcode of a newer LLVM.
    Newer {
        /// The input.
        file: String,
        /// LLVM's words, which name producer and reader.
        message: String,
    },
    /// Text that LLVM cannot parse.
    Syntax {
        /// The input.
        file: String,
        /// LLVM's words, with line and column.
        message: String,
    },
    /// LLVM's verifier refuses the module.
    Invalid {
        /// The input.
        file: String,
        /// LLVM's words.
        message: String,
    },
    /// Two inputs do not go together, for instance because both define a symbol.
    Link {
        /// The input that was being added.
        file: String,
        /// LLVM's words.
        message: String,
    },
    /// An archive that cannot be read.
    Archive {
        /// The input.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Code for a machine other than a 64-bit little-endian one.
    Target {
        /// The input.
        file: String,
        /// Its target triple.
        triple: String,
    },
    /// The program cannot be entered where the user wants.
    Entry {
        /// The function.
        function: String,
        /// What is wrong with it.
        reason: String,
    },
    /// LLVM refused a pass.
    Passes {
        /// LLVM's words.
        message: String,
    },
    /// No input at all.
    Nothing,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotLlvm { file, looks_like } => write!(
                f,
                "{file}: {looks_like}, not LLVM bitcode or assembly; compile the source with clang -c -emit-llvm"
            ),
            Error::Broken { file, message } => {
                write!(f, "{file}: damaged or cut off bitcode ({message}); make the file again")
            }
            Error::Newer { file, message } => {
                write!(f, "{file}: bitcode of a newer LLVM than 22 ({message}); compile it with clang 22 or older")
            }
            Error::Syntax { file, message } => write!(f, "{file}: not valid LLVM assembly: {message}"),
            Error::Invalid { file, message } => {
                write!(f, "{file}: LLVM's verifier refuses this module: {message}; make the file again")
            }
            Error::Link { file, message } => {
                write!(f, "{file}: cannot be linked with the other inputs: {message}; give each definition once")
            }
            Error::Archive { file, reason } => write!(f, "{file}: {reason}"),
            Error::Target { file, triple } => {
                write!(
                    f,
                    "{file}: made for {triple}; compile it for Linux on x86-64 (clang --target=x86_64-unknown-linux-gnu)"
                )
            }
            Error::Entry { function, reason } => write!(f, "--entry {function}: {reason}"),
            Error::Passes { message } => write!(f, "LLVM could not prepare the program: {message}"),
            Error::Nothing => write!(f, "no program given: name at least one .bc, .ll or archive"),
        }
    }
}

impl std::error::Error for Error {}
