//! A native program and its bitcode: how the one names the other, and whether they belong together.
//!
//! The note (`runtime/plain/note.s`) holds the SHA-256 of the bitcode and its path. The bitcode is looked for beside the program and then where it was made, so a
//! program that was installed or stripped is found, too. What the program itself still carries does if neither is there, and for objects. A file whose hash differs is
//! an error, never a fallback: exploring another program than the one that was named is the worst that could happen.

use super::elf::{self, Elf};
use super::{archive, modules};
use crate::cache::private;
use crate::error::Error;
use crate::reach;
use crate::toolchain::Toolchain;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use strata_sandbox::Reach;

const SECTION: &str = ".note.strata";
/// Three numbers and the owner's name.
const HEAD: usize = 20;
const HASH: usize = 32;

/// A piece of bitcode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is from.
    pub name: String,
    /// The module.
    pub bytes: Vec<u8>,
}

/// The bitcode of a program or object made by `strata cc`, whose contents are `native`. `None`: it is no such file at all.
pub fn bitcode_of(path: &Path, native: &[u8]) -> Option<Result<Vec<Found>, Error>> {
    native.starts_with(elf::MAGIC).then(|| find(path, native))
}

fn find(path: &Path, native: &[u8]) -> Result<Vec<Found>, Error> {
    let absent = |expected| Error::NoBitcode { program: path.into(), expected };
    let elf = Elf::read(native).ok_or_else(|| absent(None))?;
    let Some(note) = read_note(&elf, native) else {
        return inside(path, native).ok_or_else(|| absent(None));
    };
    let candidates = [beside(path), note.place.clone()];
    let present: Vec<&PathBuf> = candidates.iter().filter(|place| place.is_file()).collect();
    for place in &present {
        let bytes = fs::read(place).map_err(|cause| Error::File { path: place.to_path_buf(), cause })?;
        if Sha256::digest(&bytes)[..] == note.hash[..] {
            return Ok(vec![Found { name: place.display().to_string(), bytes }]);
        }
    }
    match present.first() {
        Some(bitcode) => Err(Error::Stale { program: path.into(), bitcode: bitcode.to_path_buf() }),
        None => inside(path, native).ok_or_else(|| absent(Some(note.place))),
    }
}

/// An archive of objects as one of their bitcode, with a table of symbols, made by way of files
/// in the folder `scratch`. `None`: it is no archive of objects, and may be one of bitcode
/// already.
pub fn bitcode_archive(tools: &Toolchain, path: &Path, bytes: &[u8], scratch: &Path) -> Option<Result<Vec<u8>, Error>> {
    let members = archive::members(bytes)?;
    members.iter().any(|(_, member)| member.starts_with(elf::MAGIC)).then(|| {
        let made = repack(tools, path, &members, scratch);
        // Files in between are nobody's result.
        let _ = fs::remove_dir_all(scratch);
        made
    })
}

fn repack(tools: &Toolchain, path: &Path, members: &[(String, &[u8])], scratch: &Path) -> Result<Vec<u8>, Error> {
    let trouble = |cause| Error::File { path: scratch.into(), cause };
    private(scratch).map_err(trouble)?;
    let mut ar = Command::new(tools.ar()?);
    ar.current_dir(scratch).args(["crsD", "bitcode.a"]);
    let modules: Vec<&[u8]> = members.iter().flat_map(|(_, member)| modules_of(member)).collect();
    if modules.is_empty() {
        return Err(Error::NoBitcode { program: path.into(), expected: None });
    }
    for (index, module) in modules.into_iter().enumerate() {
        let name = format!("{index}.bc");
        fs::write(scratch.join(&name), module).map_err(trouble)?;
        ar.arg(name);
    }
    let output = reach::run(tools, &mut ar, Reach { write: vec![scratch.into()], ..Reach::default() })?;
    if !output.status.success() {
        return Err(Error::Libc { file: path.display().to_string(), message: reach::message(&output) });
    }
    fs::read(scratch.join("bitcode.a")).map_err(trouble)
}

fn modules_of(member: &[u8]) -> Vec<&[u8]> {
    match member.starts_with(modules::MAGIC) {
        true => vec![member],
        false => modules::carried(member).unwrap_or_default(),
    }
}

/// What the file carries itself.
fn inside(path: &Path, native: &[u8]) -> Option<Vec<Found>> {
    let parts = modules::carried(native).filter(|parts| !parts.is_empty())?;
    Some(parts.into_iter().map(|part| Found { name: path.display().to_string(), bytes: part.to_vec() }).collect())
}

/// What a program says about its bitcode.
struct Said {
    hash: Vec<u8>,
    place: PathBuf,
}

fn contents(elf: &Elf) -> Option<Range<usize>> {
    let place = elf.section(SECTION)?.place.clone();
    (place.len() > HEAD + HASH).then(|| place.start + HEAD..place.end)
}

fn read_note(elf: &Elf, native: &[u8]) -> Option<Said> {
    let note = &native[contents(elf)?];
    let (hash, path) = note.split_at(HASH);
    let end = path.iter().position(|byte| *byte == 0)?;
    let place = PathBuf::from(OsStr::from_bytes(&path[..end]));
    hash.iter().any(|byte| *byte != 0).then(|| Said { hash: hash.to_vec(), place })
}

/// Writes into a program where its bitcode is. A path that is too long is left out: the bitcode is found beside the program then, and nowhere else.
pub(super) fn note(program: &Path, mut native: Vec<u8>, bitcode: &Path) -> Result<(), Error> {
    let trouble = |path: &Path| {
        let path = path.to_path_buf();
        move |cause| Error::File { path, cause }
    };
    let Some(place) = Elf::read(&native).and_then(|elf| contents(&elf)) else { return Ok(()) };
    let bytes = fs::read(bitcode).map_err(trouble(bitcode))?;
    let path = bitcode.canonicalize().map_err(trouble(bitcode))?;
    let (hash, room) = native[place].split_at_mut(HASH);
    hash.copy_from_slice(&Sha256::digest(&bytes));
    let path = path.as_os_str().as_bytes();
    if path.len() < room.len() {
        room[..path.len()].copy_from_slice(path);
    }
    fs::write(program, native).map_err(trouble(program))
}

/// The bitcode's name: the program's with something after it.
pub(super) fn beside(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".bc");
    name.into()
}
