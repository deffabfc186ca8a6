//! A compiler for make, configure and cmake: clang's command line, our libc, and bitcode beside everything that is made.
//!
//! ```text
//! words ── Plan ──▶ sources ── bitcode ──▶ object with machine code and bitcode ─┐
//!                   objects, archives, flags ───────────────────────────────────┴─ lld ──▶ program ── modules ──▶ NAME.bc
//! ```
//!
//! - `command` reads the words: what is asked for, and what each flag is to whom. `flags` is the table behind it.
//! - `unit` makes an object of a source: bitcode first, with the flags that keep what the engine needs to see; then machine code of that very
//!   bitcode, with the flags of the build.
//! - `link` calls the linker once, natively, and takes the whole program's bitcode out of the result ([`modules`]): so archives, `ld -r`, groups and
//!   weak symbols work by the linker's own rules, and both forms of the program have the same parts.
//! - `program` finds the bitcode of a native program again and sees whether it belongs to it.
//! - `journal` remembers what a build did that the engine will miss.
//!
//! libc is not part of `NAME.bc`: whoever explores links the same one (the native half is made of it, see `plain`), and may choose what to
//! provide in its place. A hundred programs do not carry a hundred copies.

mod archive;
mod command;
pub(crate) mod elf;
mod flags;
mod journal;
mod link;
mod modules;
mod program;
mod unit;

pub(crate) use flags::refusal;

pub use command::{Mode, Need, Plan, Role};
pub use journal::{Journal, Note};
pub use program::{Found, bitcode_archive, bitcode_of};

use crate::cache::private;
use crate::error::Error;
use crate::plain::Plain;
use crate::toolchain::Toolchain;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Everything that a command may need. What its [`Need`] does not ask for may be absent.
#[derive(Debug)]
pub struct Driver<'a> {
    /// clang and its companions.
    pub tools: &'a Toolchain,
    /// The folders of headers, ours and libc's.
    pub headers: Vec<PathBuf>,
    /// The native half of libc.
    pub plain: Option<&'a Plain>,
    /// A folder for files in between, which this command may make and remove.
    pub scratch: PathBuf,
    /// Keep the bitcode as clang's passes leave it, not as they find it.
    pub optimised: bool,
    /// Where notable things are written down.
    pub journal: &'a Journal,
}

/// How a command ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The exit status.
    pub status: u8,
    /// What to tell, on standard error.
    pub messages: Vec<String>,
}

impl Driver<'_> {
    /// Does what the plan says.
    pub fn run(&self, plan: &Plan) -> Result<Done, Error> {
        let mut made = self.act(plan);
        // Files in between are nobody's result.
        let _ = fs::remove_dir_all(&self.scratch);
        if let Ok(done) = &mut made
            && !plan.is_trial()
        {
            // Whoever asked for a check and gets none must know.
            let dropped = plan.notes.iter().filter_map(|note| match note {
                Note::Dropped { flag, why } if flags::is_check(flag) => {
                    Some(format!("strata: {flag} is left out: {why}"))
                }
                _ => None,
            });
            done.messages.extend(dropped);
            plan.notes.iter().for_each(|note| self.journal.write(note));
            if done.status != 0 && plan.mode != Mode::Ask {
                self.journal.write(&Note::Failed { what: plan.target(), message: done.messages.join(" ") });
            }
        }
        made
    }

    fn act(&self, plan: &Plan) -> Result<Done, Error> {
        match plan.mode {
            Mode::Ask | Mode::Text => self.call(Command::new(&self.tools.clang).args(plan.question(self))),
            Mode::Linker => self.call(Command::new(self.tools.lld()?).args(&plan.linker)),
            Mode::Object => self.objects(plan).map(|(done, _)| done),
            Mode::Merge | Mode::Program => self.program(plan),
        }
    }

    /// Compiles all sources; for a program the objects are files in between.
    fn objects(&self, plan: &Plan) -> Result<(Done, Vec<PathBuf>), Error> {
        let mut objects = Vec::new();
        for (index, source) in plan.sources.iter().enumerate() {
            let object = plan.object(index, &self.scratch);
            let done = self.unit(plan, source, &object, index)?;
            if done.status != 0 && plan.mode != Mode::Ask {
                return Ok((done, objects));
            }
            objects.push(object);
        }
        Ok((Done::default(), objects))
    }

    fn program(&self, plan: &Plan) -> Result<Done, Error> {
        let (done, objects) = self.objects(plan)?;
        match done.status {
            0 => self.link(plan, &objects),
            _ => Ok(done),
        }
    }

    /// Runs a tool that talks to the user itself.
    fn call(&self, command: &mut Command) -> Result<Done, Error> {
        let program = PathBuf::from(command.get_program());
        let status = command.status().map_err(|cause| Error::Start { program, cause })?;
        Ok(Done { status: status.code().map_or(1, |code| code as u8), messages: Vec::new() })
    }

    /// Runs a tool and keeps what it says.
    fn listen(&self, command: &mut Command) -> Result<(u8, String, String), Error> {
        let program = PathBuf::from(command.get_program());
        let output = command.stdin(Stdio::null()).output().map_err(|cause| Error::Start { program, cause })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok((output.status.code().map_or(1, |code| code as u8), text(&output.stdout), text(&output.stderr)))
    }

    /// The folder for files in between, made now.
    fn scratch(&self) -> Result<&PathBuf, Error> {
        private(&self.scratch)
            .map_err(|cause| Error::File { path: self.scratch.clone(), cause })
            .map(|()| &self.scratch)
    }

    /// Flags that find our headers and no others.
    fn header_flags(&self) -> Vec<OsString> {
        let folders = self.headers.iter().flat_map(|folder| ["-isystem".into(), folder.into()]);
        std::iter::once("-nostdlibinc".into()).chain(folders).collect()
    }
}
