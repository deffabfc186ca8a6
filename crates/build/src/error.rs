//! What can go wrong between a source file and a program, each with what the user can do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why something could not be built.
#[derive(Debug)]
pub enum Error {
    /// A tool is not installed.
    Missing {
        /// What was looked for.
        tool: &'static str,
        /// The Debian package that has it.
        package: &'static str,
    },
    /// The compiler that the caller named does not do.
    Unfit {
        /// What was named.
        clang: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// clang refused the user's source: its message, as it is.
    Compile {
        /// The source file.
        source: PathBuf,
        /// What clang wrote.
        message: String,
    },
    /// A tool could not be started.
    Start {
        /// The tool.
        program: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A file or folder of the cache could not be read or written.
    Cache {
        /// Which one.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// musl's sources could not be fetched or are not what they should be.
    Source {
        /// What happened.
        reason: String,
    },
    /// A part of our own runtime or of musl did not compile.
    Libc {
        /// Which file.
        file: String,
        /// What the tool wrote.
        message: String,
    },
    /// The native program could not be made.
    Native {
        /// What the tool wrote.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing { tool, package } => {
                write!(
                    f,
                    "{tool} is not installed: install the Debian package {package} (sudo apt-get install clang-22 llvm-22 lld-22)"
                )
            }
            Error::Unfit { clang, reason } => write!(f, "{}: {reason}", clang.display()),
            Error::Compile { message, .. } => f.write_str(message.trim_end()),
            Error::Start { program, cause } => write!(f, "cannot start {}: {cause}", program.display()),
            Error::Cache { path, cause } => {
                write!(f, "{}: {cause} (the cache for libc; XDG_CACHE_HOME names another place for it)", path.display())
            }
            Error::Source { reason } => write!(
                f,
                "no sources of musl, the C library that programs are linked with: {reason}. They are fetched once, by apt-get from \
                 Debian's source package musl; without a network, unpack musl 1.2.3 somewhere and name that folder"
            ),
            Error::Libc { file, message } => write!(f, "building libc: {file}: {}", message.trim_end()),
            Error::Native { message } => write!(f, "building the native program: {}", message.trim_end()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Start { cause, .. } | Error::Cache { cause, .. } => Some(cause),
            Error::Missing { .. }
            | Error::Unfit { .. }
            | Error::Compile { .. }
            | Error::Source { .. }
            | Error::Libc { .. }
            | Error::Native { .. } => None,
        }
    }
}
