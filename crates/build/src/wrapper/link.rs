//! Objects and archives to a program, and the program's bitcode beside it.
//!
//! lld links once, natively and statically, with the same libc that the engine links. It appends the sections that carry bitcode like any other, so the
//! program has the modules of exactly those members that were taken; they are linked to one module, which is `NAME.bc`. A note in the program says
//! which file that is and what its hash is, so that a program and a bitcode that do not belong together are told apart.

use super::command::{Mode, Plan};
use super::journal::Note;
use super::{Done, Driver, archive, modules, program};
use crate::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &[&str] = &["-static", "-e", "_start", "-z", "noexecstack", "--build-id=none"];

/// Words after which the linker says things that the user wants to see.
const TALKATIVE: &[&str] = &["-t", "--trace", "-M", "--print-map", "--verbose", "-v", "-V", "--version", "--print-gc-sections", "--cref"];

impl Driver<'_> {
    /// Links what the plan names.
    pub(super) fn link(&self, plan: &Plan, objects: &[PathBuf]) -> Result<Done, Error> {
        let out = plan.out.clone().unwrap_or_else(|| "a.out".into());
        let words = plan.link_words(objects);
        let talks = words.iter().any(|word| TALKATIVE.iter().any(|talk| word == talk));
        let mut lld = self.linker_command(plan, words, &out)?;
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
        if status == 0 && plan.mode == Mode::Program && out.is_file() {
            if !plan.is_trial() && !talks {
                self.look_for_bitcode(&said);
            }
            messages.extend(self.keep_bitcode(plan, &out)?);
        }
        Ok(Done { status, messages })
    }

    fn linker_command(&self, plan: &Plan, words: Vec<OsString>, out: &Path) -> Result<Command, Error> {
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
        let ours = |line: &&str| self.plain.is_some_and(|plain| Path::new(line).starts_with(&plain.root));
        for part in taken.lines().filter(|line| !ours(line)) {
            if archive::contents(part).is_some_and(|bytes| is_without(&bytes)) {
                self.journal.write(&Note::NoBitcode { object: part.into() });
            }
        }
    }

    /// Takes the program's modules out of it, links them, and notes in it where they are. What is told went wrong, but not with the program.
    fn keep_bitcode(&self, plan: &Plan, out: &Path) -> Result<Option<String>, Error> {
        let trouble = |cause| Error::File { path: out.into(), cause };
        let native = fs::read(out).map_err(trouble)?;
        let place = program::beside(out);
        let failed = |message: &str| {
            let message = message.trim_end().to_owned();
            if !plan.is_trial() {
                self.journal.write(&Note::NoProgram { program: out.display().to_string(), message: message.clone() });
            }
            Some(format!("{}: no bitcode of the whole program: {message}", out.display()))
        };
        if place.exists() && !fs::read(&place).is_ok_and(|bytes| bytes.starts_with(modules::MAGIC)) {
            return Ok(failed(&format!("{} is a file of another kind", place.display())));
        }
        let Some(parts) = modules::carried(&native) else { return Ok(failed("an object's bitcode is damaged")) };
        if parts.is_empty() {
            // Without a module there is nothing to keep, and what an earlier link left is not this program's.
            let _ = fs::remove_file(&place);
            return Ok(None);
        }
        match self.join(&parts, &place)? {
            Some(message) => {
                let _ = fs::remove_file(&place);
                Ok(failed(&message))
            }
            None => program::note(out, native, &place).map(|()| None),
        }
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

fn is_without(object: &[u8]) -> bool {
    !object.starts_with(modules::MAGIC) && modules::carried(object).is_none_or(|parts| parts.is_empty())
}

fn lines(text: &str) -> Option<String> {
    let text = text.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}
