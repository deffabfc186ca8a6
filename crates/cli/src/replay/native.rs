//! The native program that tests are run on.

use crate::apart::apart;
use crate::run::program;
use serde_bytes::ByteBuf;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use strata_build::{Runtime, Toolchain};
use strata_record::{Record, hash, regular};
use strata_replay::Tracing;

/// Upper bound on the size of a program's bitcode, in bytes: the largest programs have some hundred megabytes.
const LARGEST: u64 = 4 << 30;

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

/// The native program with a branch trace, made from the very bitcode that was explored, or from what else the user named. It is
/// kept in the cache: the second replay of a run starts at once.
pub(crate) fn native_program(source: &Path) -> Result<PathBuf, Reason> {
    let fail = |error: strata_build::Error| error.to_string();
    let tools = Toolchain::find(&program::search()).map_err(fail)?;
    let cache = program::cache();
    let libc = program::libc(&tools, &cache).map_err(|refusal| refusal.1)?;
    let bitcode = match source.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => program::link(source, &tools, &cache, &libc).map_err(|refusal| refusal.1)?,
        _ => {
            regular::read(source, LARGEST).map_err(|error| format!("{}: cannot be read: {error}", source.display()))?
        }
    };
    let form = || strata_frontend_llvm::native_form(&bitcode).map(ByteBuf::from);
    let traced = apart(&source.display().to_string(), bitcode.len(), form).map_err(|refusal| refusal.1)?.into_vec();
    let folder = cache.root().join("native");
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(at)?;
    // Programs that an older runtime was linked to, or that were made otherwise, are not these.
    let runtime = Runtime::unpack(&cache).map_err(fail)?;
    let runtime = runtime.root().file_name().unwrap_or_default().as_encoded_bytes();
    let key = format!("{:016x}", hash(&[&traced, runtime, strata_build::native_flags().as_bytes()].concat()));
    let kept = folder.join(&key);
    if kept.is_file() {
        return Ok(kept);
    }
    program::tell_of_open_tools();
    // The tools can write to the folder that the program is made in, so that is not the one where
    // programs are kept.
    let work = folder.join(format!("{key}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&work);
    std::fs::DirBuilder::new().mode(0o700).create(&work).map_err(at)?;
    let (input, out) = (work.join("program.bc"), work.join("program"));
    let made = std::fs::write(&input, &traced)
        .map_err(at)
        .and_then(|()| strata_build::native(&tools, &cache, &libc, &input, &out).map_err(fail))
        .and_then(|()| std::fs::rename(&out, &kept).map_err(at));
    let _ = std::fs::remove_dir_all(&work);
    made?;
    prune(&folder);
    Ok(kept)
}

/// Programs kept: the newest ones.
const KEPT: usize = 512;

/// Removes the oldest programs. What cannot be removed is in nobody's way.
fn prune(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<_> = entries.filter_map(|it| Some((it.metadata().ok()?.modified().ok()?, it.path()))).collect();
    all.sort();
    let old = all.len().saturating_sub(KEPT);
    all.iter().take(old).for_each(|(_, path)| drop(std::fs::remove_file(path)));
}

/// The first four bytes.
fn start(program: &Path) -> Result<[u8; 4], Reason> {
    use std::io::Read;
    let mut start = [0; 4];
    let read = regular::open(program, u64::MAX).and_then(|mut file| file.read(&mut start));
    read.map_err(|error| format!("{}: cannot be read: {error}", program.display()))?;
    Ok(start)
}

/// The bitcode is the one that was explored.
fn fits(record: &Record, bitcode: &Path) -> Result<(), Reason> {
    let info = record.info().map_err(|fault| fault.to_string())?.unwrap_or_default();
    let bytes =
        regular::read(bitcode, LARGEST).map_err(|error| format!("{}: cannot be read: {error}", bitcode.display()))?;
    match info.bitcode_hash == hash(&bytes) {
        true => Ok(()),
        false => Err(format!("{}: not the program that was explored: run.json knows another", bitcode.display())),
    }
}
