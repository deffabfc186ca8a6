//! One source to one object that has both machine code and bitcode.
//!
//! Two steps, so that both come from one reading of the source: clang makes bitcode, before any of its passes, and then machine code of that bitcode with
//! the flags of the build. The bitcode keeps every branch, line and error of the source even in a build with `-O2`; the machine code is what the build asked
//! for. Warnings come from the first step, errors of inline assembler from the second.

use super::command::{Kind, Plan, Source};
use super::journal::Note;
use super::{Done, Driver, elf, modules};
use crate::compile::DIALECT;
use crate::error::Error;
use crate::toolchain::{named, named_source};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What newer clangs refuse and older compilers accept stays a warning.
const LENIENT: &[&str] = &[
    "-U_FORTIFY_SOURCE",
    "-Qunused-arguments",
    "-Wno-ignored-optimization-argument",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
];

const UNTOUCHED: &[&str] = &["-Xclang", "-disable-llvm-passes"];

impl Driver<'_> {
    /// Makes the object of a source.
    pub(super) fn unit(&self, plan: &Plan, source: &Source, object: &Path, index: usize) -> Result<Done, Error> {
        let scratch = self.scratch()?;
        match source.kind {
            Kind::Assembler => self.assemble(plan, source, object),
            Kind::Bitcode => self.generate(plan, Path::new(&source.file), object),
            Kind::Code => {
                let bitcode = scratch.join(format!("{index}.bc"));
                match self.read(plan, source, object, &bitcode)? {
                    Done { status: 0, .. } if bitcode.is_file() => self.generate(plan, &bitcode, object),
                    done => Ok(done),
                }
            }
        }
    }

    /// The source to bitcode.
    fn read(&self, plan: &Plan, source: &Source, object: &Path, bitcode: &Path) -> Result<Done, Error> {
        let mut clang = Command::new(&self.tools.clang);
        clang.args(["-c", "-emit-llvm"]).args(&plan.front).args(DIALECT).args(LENIENT);
        clang.args(["-Xclang", "-disable-O0-optnone"]);
        if !self.optimised {
            clang.args(UNTOUCHED);
        }
        if !plan.lines {
            clang.arg("-g");
        }
        if plan.verbose {
            clang.arg("-v");
        }
        clang.args(dependencies(plan, object)).args(plan.header_flags(self)).args(input(source)?);
        self.call(clang.arg("-o").arg(bitcode))
    }

    /// Bitcode to machine code, with the bitcode inside.
    fn generate(&self, plan: &Plan, bitcode: &Path, object: &Path) -> Result<Done, Error> {
        let mut clang = Command::new(&self.tools.clang);
        clang.arg("-c").args(&plan.code).args(DIALECT).args(["-w", "-Qunused-arguments"]);
        clang.args(["-Xclang", "-fembed-bitcode=bitcode"]);
        if self.optimised {
            clang.args(UNTOUCHED);
        }
        clang.args(["-x", "ir"]).arg(&*named(bitcode)).arg("-o").arg(object).stdin(Stdio::null());
        let done = self.call(&mut clang)?;
        if done.status == 0 && object.is_file() {
            name_section(object)?;
        }
        Ok(done)
    }

    /// Assembler has no bitcode: a path that gets there ends.
    fn assemble(&self, plan: &Plan, source: &Source, object: &Path) -> Result<Done, Error> {
        if !plan.is_trial() {
            self.journal.write(&Note::Assembler { file: source.file.to_string_lossy().into_owned() });
        }
        let mut clang = Command::new(&self.tools.clang);
        clang.arg("-c").args(&plan.front).args(DIALECT).arg("-Qunused-arguments");
        clang.args(dependencies(plan, object)).args(plan.header_flags(self)).args(input(source)?);
        self.call(clang.arg("-o").arg(object))
    }
}

/// The source, with its language if that was named.
fn input(source: &Source) -> Result<Vec<OsString>, Error> {
    let language = source.language.iter().flat_map(|name| ["-x".into(), name.into()]);
    let file = named_source(Path::new(&source.file))?.into_owned();
    Ok(language.chain([file.into()]).collect())
}

/// clang would name dependencies after its own output, which is not the build's.
fn dependencies(plan: &Plan, object: &Path) -> Vec<OsString> {
    let mut flags: Vec<OsString> = Vec::new();
    if plan.depend.wanted && !plan.depend.file {
        flags.extend(["-MF".into(), object.with_extension("d").into()]);
    }
    if plan.depend.wanted && !plan.depend.target {
        flags.extend(["-MQ".into(), object.into()]);
    }
    flags
}

/// clang's name for the section means something to other tools.
fn name_section(object: &Path) -> Result<(), Error> {
    let trouble = |cause| Error::File { path: object.into(), cause };
    let mut bytes = fs::read(object).map_err(trouble)?;
    elf::rename(&mut bytes, modules::CLANG, modules::SECTION)
        .ok_or_else(|| Error::Native { message: format!("{}: clang embedded no bitcode", object.display()) })?;
    fs::write(object, bytes).map_err(trouble)
}
