//! One C file to bitcode, with the flags that keep what the engine and its user need to see.
//!
//! | flag | why |
//! |---|---|
//! | `-g` | lines and variables in reports |
//! | `-O0 -Xclang -disable-O0-optnone` | every source branch stays a branch, and passes may still promote variables to registers |
//! | `--target=…-musl -nostdlibinc -isystem …` | the headers of the libc that the program is linked with, never the system's |
//! | `-mlong-double-64` | no 80-bit floats: libc is built the same way |
//! | `-ffp-contract=off -fmath-errno` | floating point does what the source says; `sqrt` and its kin stay calls of libc |
//! | `-fno-vectorize -fno-slp-vectorize` | vectors would only be taken apart again |
//! | `-fno-strict-aliasing` | optimising on types makes use of errors that the engine cannot see, and the report would be about other code than the source |
//! | `-fno-stack-protector -U_FORTIFY_SOURCE` | the engine checks better, and the extra code hides the error |
//! | `-fno-crash-diagnostics` | a crash of clang leaves no files |
//! | `-fno-pic -fno-asynchronous-unwind-tables` | one static program |
//!
//! Not `-fno-builtin`: what clang makes of `memcpy` or `printf` is what the user's compiler makes
//! of it, and libc has whatever it turns into. Constructs that newer clangs refuse and older ones
//! accept (an undeclared function) are warnings, since programs written for KLEE have them. clang
//! is confined to what it needs (`reach.rs`). It runs in the caller's folder and gets the name as
//! it was given, so that is how reports name the file.

use crate::error::Error;
use crate::reach;
use crate::toolchain::{Toolchain, named, named_source};
use crate::wrapper::refusal;
use std::path::{Path, PathBuf};
use std::process::Command;
use strata_sandbox::Reach;

/// How much clang optimises before the engine sees the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Opt {
    /// Not at all.
    #[default]
    O0,
    /// A little.
    O1,
    /// As usual.
    O2,
    /// As much as it can.
    O3,
}

impl Opt {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Opt::O0 => &["-O0", "-Xclang", "-disable-O0-optnone"],
            Opt::O1 => &["-O1"],
            Opt::O2 => &["-O2"],
            Opt::O3 => &["-O3"],
        }
    }
}

/// What the user says about compiling.
#[derive(Debug, Clone, Default)]
pub struct CompileOptions {
    /// How much to optimise.
    pub opt: Opt,
    /// Folders to look for headers in (`-I`).
    pub include: Vec<PathBuf>,
    /// Macros (`-D`): `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Further flags, after all others.
    pub flags: Vec<String>,
}

/// Where the headers are that every program finds.
#[derive(Debug, Clone)]
pub struct Headers {
    /// `strata.h`, `klee/klee.h`.
    pub runtime: PathBuf,
    /// libc's.
    pub libc: PathBuf,
}

/// A compiled file.
#[derive(Debug, Clone)]
pub struct Bitcode {
    /// LLVM bitcode.
    pub bytes: Vec<u8>,
    /// clang's warnings, empty as a rule.
    pub warnings: String,
}

/// Flags that libc and programs have in common: one dialect.
pub(crate) const DIALECT: &[&str] = &[
    "--target=x86_64-unknown-linux-musl",
    "-mlong-double-64",
    "-ffp-contract=off",
    "-fmath-errno",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-stack-protector",
    "-fno-strict-aliasing",
    "-fno-pic",
    "-fno-pie",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
];

const PROGRAM: &[&str] = &[
    "-g",
    "-fno-crash-diagnostics",
    "-U_FORTIFY_SOURCE",
    "-nostdlibinc",
    "-Qunused-arguments",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
];

/// Compiles a C file.
pub fn compile(
    tools: &Toolchain,
    headers: &Headers,
    source: &Path,
    options: &CompileOptions,
) -> Result<Bitcode, Error> {
    if let Some(reason) = options.flags.iter().find_map(|flag| refusal(flag)) {
        return Err(Error::Refused { reason });
    }
    let mut clang = Command::new(&tools.clang);
    clang.args(["-c", "-emit-llvm", "-o", "-"]).args(DIALECT).args(PROGRAM).args(options.opt.flags());
    for folder in &options.include {
        clang.arg("-I").arg(&*named(folder));
    }
    for folder in [&headers.runtime, &headers.libc] {
        clang.arg("-isystem").arg(folder);
    }
    clang.args(options.define.iter().map(|define| format!("-D{define}")));
    clang.args(&options.flags).arg("--").arg(&*named_source(source)?);
    let mut read = reach::around(source);
    read.extend([headers.runtime.clone(), headers.libc.clone()]);
    read.extend(options.include.iter().cloned().chain(reach::named_by(&options.flags)));
    let output = reach::run(tools, &mut clang, Reach { read, ..Reach::default() })?;
    let messages = reach::message(&output);
    match output.status.success() {
        true => Ok(Bitcode { bytes: output.stdout, warnings: messages }),
        false => Err(Error::Compile { source: source.into(), message: reach::explained(messages.into()) }),
    }
}
