//! The native program that tests are run on.

use std::path::{Path, PathBuf};
use strata_record::{Record, hash};
use strata_replay::Tracing;

/// Why there is none.
pub(super) type Reason = String;

/// The program to run and whether it counts its branches: what the user named, or the run's own.
pub(super) fn choose(record: Option<&Record>, program: Option<&Path>) -> Result<(PathBuf, Tracing), Reason> {
    if let Some(program) = program {
        return match &start(program)? {
            b"\x7fELF" => Ok((program.into(), Tracing::Absent)),
            _ => Ok((native_program(program)?, Tracing::Present)),
        };
    }
    let Some(record) = record else {
        return Err("the test does not lie in a run's folder: name the program to run it on".into());
    };
    let bitcode = record.program().ok_or_else(|| {
        let folder = record.folder().display();
        format!("{folder}: the explored program was not kept (no program.bc): name the program to run the tests on")
    })?;
    fits(record, &bitcode)?;
    Ok((native_program(&bitcode)?, Tracing::Present))
}

/// The native program with a branch trace, made from the very bitcode that was explored, or from what else the user named.
fn native_program(source: &Path) -> Result<PathBuf, Reason> {
    let source = source.display();
    Err(format!("{source}: native programs are not made from it yet: name a native program, linked statically"))
}

/// The first four bytes.
fn start(program: &Path) -> Result<[u8; 4], Reason> {
    use std::io::Read;
    let mut start = [0; 4];
    let read = std::fs::File::open(program).and_then(|mut file| file.read(&mut start));
    read.map_err(|error| format!("{}: cannot be read: {error}", program.display()))?;
    Ok(start)
}

/// The bitcode is the one that was explored.
fn fits(record: &Record, bitcode: &Path) -> Result<(), Reason> {
    let info = record.info().map_err(|fault| fault.to_string())?.unwrap_or_default();
    let bytes = std::fs::read(bitcode).map_err(|error| format!("{}: cannot be read: {error}", bitcode.display()))?;
    match info.bitcode_hash == hash(&bytes) {
        true => Ok(()),
        false => Err(format!("{}: not the program that was explored: run.json knows another", bitcode.display())),
    }
}
