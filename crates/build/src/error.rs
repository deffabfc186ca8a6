//! What can go wrong between a source file and a program, each with what the user can do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

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
    /// The cache is not ours alone: what lies in it could be anybody's.
    Untrusted {
        /// Its folder.
        path: PathBuf,
        /// Why.
        reason: String,
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
    /// A command line of a build asks for what cannot be made.
    Refused {
        /// What, and why.
        reason: String,
    },
    /// A build asks for a shared library.
    Shared {
        /// Its name.
        out: String,
    },
    /// A file of a build could not be read or written.
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A native program or object has no bitcode.
    NoBitcode {
        /// The program.
        program: PathBuf,
        /// Where it should have been, if the program says so.
        expected: Option<PathBuf>,
    },
    /// The bitcode beside a native program is that of another one.
    Stale {
        /// The program.
        program: PathBuf,
        /// The bitcode.
        bitcode: PathBuf,
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
            Error::Untrusted { path, reason } => write!(
                f,
                "{}: {reason}, and what lies in this cache becomes part of programs: remove it or take it over (chown, chmod go-w), or name \
                 another folder in STRATA_CACHE",
                path.display()
            ),
            Error::Source { reason } => write!(
                f,
                "no sources of musl, the C library that programs are linked with: {reason}. They are fetched once, by apt-get from \
                 Debian's source package musl; without a network, unpack musl 1.2.3 somewhere and name that folder in STRATA_MUSL"
            ),
            Error::Libc { file, message } => write!(f, "building libc: {file}: {}", message.trim_end()),
            Error::Refused { reason } => f.write_str(reason),
            Error::Shared { out } => write!(
                f,
                "{out}: shared libraries are not made, since a program is explored as a whole; build static ones (configure --disable-shared, \
                 cmake -DBUILD_SHARED_LIBS=OFF)"
            ),
            Error::File { path, cause } => write!(f, "{}: {cause}", path.display()),
            Error::NoBitcode { program, expected } => no_bitcode(f, program, expected.as_deref()),
            Error::Stale { program, bitcode } => write!(
                f,
                "{} is not the bitcode of {}: one of them was made anew without the other; build the program again with strata cc",
                bitcode.display(),
                program.display()
            ),
            Error::Native { message } => write!(f, "building the native program: {}", message.trim_end()),
        }
    }
}

fn no_bitcode(f: &mut fmt::Formatter<'_>, program: &Path, expected: Option<&Path>) -> fmt::Result {
    let name = program.display();
    match expected {
        Some(bitcode) => {
            write!(f, "{name}: its bitcode {} is gone; build the program again with strata cc", bitcode.display())
        }
        None => write!(
            f,
            "{name} is machine code without bitcode, and bitcode is what is explored: build it with strata as the compiler \
             (make CC='strata cc', ./configure CC='strata cc'), or make bitcode of it (clang -c -emit-llvm -g)"
        ),
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Start { cause, .. } | Error::Cache { cause, .. } | Error::File { cause, .. } => Some(cause),
            Error::Missing { .. }
            | Error::Unfit { .. }
            | Error::Compile { .. }
            | Error::Source { .. }
            | Error::Untrusted { .. }
            | Error::Libc { .. }
            | Error::Refused { .. }
            | Error::Shared { .. }
            | Error::NoBitcode { .. }
            | Error::Stale { .. }
            | Error::Native { .. } => None,
        }
    }
}
