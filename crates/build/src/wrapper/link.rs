//! Objects and archives to a program, and the program's bitcode beside it.
//!
//! lld links once, natively and statically, with the same libc that the engine links. It appends the sections that carry bitcode like any other, so the
//! program has the modules of exactly those members that were taken; they are linked to one module, which is `NAME.bc`. A note in the program says
//! which file that is and what its hash is, so that a program and a bitcode that do not belong together are told apart.
//!
//! The bitcode is older than clang's passes, so it may name functions that the machine code no longer calls, and whose archive members the program does
//! without. For the bitcode's sake it is then linked again with those names, into a file that is thrown away. The program stays as the build
//! asked for it.

use super::command::{Mode, Plan};
use super::journal::Note;
use super::{Done, Driver, archive, elf, modules, program};
use crate::error::Error;
use std::collections::{BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `-O0` keeps equal strings apart, as they are in the bitcode: programs compare addresses.
const PROGRAM: &[&str] = &["-static", "-e", "_start", "-z", "noexecstack", "--build-id=none", "-O0"];

/// Words after which the linker says things that the user wants to see.
const TALKATIVE: &[&str] =
    &["-t", "--trace", "-M", "--print-map", "--verbose", "-v", "-V", "--version", "--print-gc-sections", "--cref"];

impl Driver<'_> {
    /// Links what the plan names.
    pub(super) fn link(&self, plan: &Plan, objects: &[PathBuf]) -> Result<Done, Error> {
        let out = plan.out.clone().unwrap_or_else(|| "a.out".into());
        let words = plan.link_words(objects);
        let talks = words.iter().any(|word| TALKATIVE.iter().any(|talk| word == talk));
        let mut lld = self.linker_command(plan, &words, &out)?;
        if !talks {
            lld.arg("-t");
        }
        let shown = plan.verbose.then(|| format!("{lld:?}"));
        let (status, said, complaints) = self.listen(&mut lld)?;
        let mut messages: Vec<String> = shown.into_iter().collect();
        messages.extend(lines(&complaints));
        if talks {
            messages.extend(lines(&said));
        }
        // configure would leave the bitcode of its trials behind; what they carry inside does.
        if status == 0 && plan.mode == Mode::Program && out.is_file() && !plan.is_trial() {
            if !talks {
                self.look_for_bitcode(&said);
            }
            messages.extend(self.keep_bitcode(plan, &words, &out)?);
        }
        Ok(Done { status, messages })
    }

    fn linker_command(&self, plan: &Plan, words: &[OsString], out: &Path) -> Result<Command, Error> {
        let mut lld = Command::new(self.tools.lld()?);
        if plan.mode == Mode::Merge {
            lld.arg("-r").arg("-o").arg(out).args(words);
            return Ok(lld);
        }
        lld.args(PROGRAM).arg("-o").arg(out);
        if let Some(plain) = self.plain {
            if plan.start {
                lld.args(&plain.start);
            }
            lld.args(words);
            if plan.library {
                lld.arg(&plain.archive);
            }
        }
        Ok(lld)
    }

    /// Writes down which parts of the program have no bitcode.
    fn look_for_bitcode(&self, taken: &str) {
        // libc, and assembler of this very command, which is written down already.
        let own = |line: &&str, folder: &Path| Path::new(line).starts_with(folder);
        let ours = |line: &&str| own(line, &self.scratch) || self.plain.is_some_and(|plain| own(line, &plain.root));
        for part in taken.lines().filter(|line| !ours(line)) {
            if archive::contents(part).is_some_and(|bytes| is_without(&bytes)) {
                self.journal.write(&Note::NoBitcode { object: part.into() });
            }
        }
    }

    /// Takes the program's modules out of it, links them, and notes in it where they are. What is told went wrong, but not with the program.
    fn keep_bitcode(&self, plan: &Plan, words: &[OsString], out: &Path) -> Result<Option<String>, Error> {
        let native = read(out)?;
        let place = program::beside(out);
        if place.exists() && !fs::read(&place).is_ok_and(|bytes| bytes.starts_with(modules::MAGIC)) {
            let message = format!("{} is a file of another kind", place.display());
            return Ok(Some(self.without(out, &message)));
        }
        let message = match modules::carried(&native) {
            Some(parts) if parts.is_empty() => None,
            Some(parts) => match self.join(&parts, &place)? {
                None => {
                    self.complete(plan, words, &native, parts.len(), &place)?;
                    return program::note(out, native, &place).map(|()| None);
                }
                message => message,
            },
            None => Some("an object's bitcode is damaged".into()),
        };
        // What an earlier link left is not this program's.
        let _ = fs::remove_file(&place);
        Ok(message.map(|message| self.without(out, &message)))
    }

    /// The program has no bitcode: written down, and the words to tell it.
    fn without(&self, out: &Path, message: &str) -> String {
        let (program, message) = (out.display().to_string(), message.trim_end().to_owned());
        let told = format!("{program}: no bitcode of the whole program: {message}");
        self.journal.write(&Note::NoProgram { program, message });
        told
    }

    /// Adds what the bitcode names and the machine code does not, if there are archives that may have it.
    fn complete(
        &self,
        plan: &Plan,
        words: &[OsString],
        native: &[u8],
        mut count: usize,
        place: &Path,
    ) -> Result<(), Error> {
        let Some(plain) = self.plain.filter(|_| words.iter().any(|word| is_archive(word))) else { return Ok(()) };
        let known: HashSet<String> = elf::symbols(native).into_iter().chain(archive::symbols(&plain.archive)).collect();
        let mut wanted: BTreeSet<String> = BTreeSet::new();
        loop {
            let missing =
                self.undefined(place)?.into_iter().filter(|name| !known.contains(name) && !wanted.contains(name));
            let missing: Vec<String> = missing.collect();
            if missing.is_empty() {
                return Ok(());
            }
            wanted.extend(missing);
            let larger = self.scratch()?.join("larger");
            let mut lld = self.linker_command(plan, words, &larger)?;
            wanted.iter().for_each(|name| _ = lld.arg("-u").arg(name));
            let (status, ..) = self.listen(&mut lld)?;
            let whole = if status == 0 { read(&larger)? } else { Vec::new() };
            let parts = modules::carried(&whole).unwrap_or_default();
            // A larger program that cannot be linked, or is none: what is there already does.
            if parts.len() <= count || self.join(&parts, &larger.with_extension("bc"))?.is_some() {
                return Ok(());
            }
            count = parts.len();
            fs::copy(larger.with_extension("bc"), place).map_err(|cause| Error::File { path: place.into(), cause })?;
        }
    }

    /// The names that a module needs.
    fn undefined(&self, module: &Path) -> Result<Vec<String>, Error> {
        let mut nm = Command::new(self.tools.names()?);
        let (_, names, _) = self.listen(nm.args(["--undefined-only", "--format=just-symbols"]).arg(module))?;
        Ok(names.lines().map(str::to_owned).collect())
    }

    /// Several modules to one file, or why not.
    fn join(&self, parts: &[&[u8]], place: &Path) -> Result<Option<String>, Error> {
        let write = |path: &Path, bytes: &[u8]| {
            fs::write(path, bytes).map_err(|cause| Error::File { path: path.into(), cause })
        };
        if let [only] = parts {
            return write(place, only).map(|()| None);
        }
        let folder = self.scratch()?.join("modules");
        fs::create_dir_all(&folder).map_err(|cause| Error::File { path: folder.clone(), cause })?;
        let mut linker = Command::new(self.tools.linker()?);
        linker.arg("--suppress-warnings").arg("-o").arg(place);
        for (index, part) in parts.iter().enumerate() {
            let file = folder.join(format!("{index}.bc"));
            write(&file, part)?;
            linker.arg(file);
        }
        let (status, _, complaints) = self.listen(&mut linker)?;
        Ok((status != 0).then_some(complaints))
    }
}

/// Does the word name an archive, or a library that is one?
fn is_archive(word: &OsStr) -> bool {
    word.as_bytes().starts_with(b"-l") || word.as_bytes().ends_with(b".a")
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|cause| Error::File { path: path.into(), cause })
}

fn is_without(object: &[u8]) -> bool {
    !object.starts_with(modules::MAGIC) && modules::carried(object).is_none_or(|parts| parts.is_empty())
}

fn lines(text: &str) -> Option<String> {
    let text = text.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}
