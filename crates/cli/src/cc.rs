//! `strata cc` and `strata link`: a compiler and a linker for make, configure and cmake.
//!
//! Their words are clang's and ld's, so they are taken before clap sees them. Exit status is the tools' own; what cannot be done at all is 2, as everywhere.
//! The command also answers to the names `strata-cc` and `strata-link`, for build systems that take a compiler of one word.

use crate::Outcome;
use crate::console::{err, out, refuse};
use crate::run::{Refusal, program};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use strata_build::{Cache, Driver, Error, Journal, Need, Note, Plan, Role, Runtime, Toolchain};

/// Shown by `strata cc --help` before clang's own help would be.
const HELP: &str = "\
A C compiler for builds: make CC='strata cc', ./configure CC='strata cc' --disable-shared, cmake -DCMAKE_C_COMPILER=strata-cc (a link to strata).

Usage: strata cc [clang's arguments]      compiles and links as clang does, with strata's C library
       strata link [ld's arguments]       links objects of strata cc to a program, or to an object with -r
       strata cc --doctor                 what builds did that strata run will miss, and what to do about it

Each program PROG has its bitcode beside it in PROG.bc, and strata run PROG explores that. Objects and archives carry theirs inside.

STRATA_CC_OPTIMISED=1  keep the bitcode as clang's passes leave it: fewer instructions, but branches and errors of the source may be gone
STRATA_CC_LOG=DIR      where --doctor's notes are kept (in the cache otherwise)
STRATA_CLANG, STRATA_CACHE, STRATA_MUSL  another clang, another cache, a folder with musl's sources
";

/// The role that the command line asks for, and the words that belong to it.
pub fn role(words: &[OsString]) -> Option<(Role, Vec<OsString>)> {
    let named = |name: &OsStr| match name.to_str() {
        Some("strata-cc") => Some(Role::Compiler),
        Some("strata-link") => Some(Role::Linker),
        Some(_) | None => None,
    };
    let verb = |word: &OsString| match word.to_str() {
        Some("cc") => Some(Role::Compiler),
        Some("link") => Some(Role::Linker),
        Some(_) | None => None,
    };
    let own = words.first().and_then(|word| Path::new(word).file_name()).and_then(named);
    match (own, words.get(1).and_then(verb)) {
        (Some(role), _) => Some((role, words[1..].to_vec())),
        (None, Some(role)) => Some((role, words[2..].to_vec())),
        (None, None) => None,
    }
}

/// Runs the verb.
pub fn run(role: Role, words: Vec<OsString>) -> ExitCode {
    let cache = program::cache();
    let journal = journal(&cache);
    match words.first().and_then(|word| word.to_str()) {
        Some("--doctor") => {
            out(&journal.to_string());
            return ExitCode::SUCCESS;
        }
        Some("--help") if words.len() == 1 => {
            out(HELP);
            return ExitCode::SUCCESS;
        }
        Some(_) | None => {}
    }
    match act(role, words, &cache, &journal) {
        Ok(status) => ExitCode::from(status),
        Err(Refusal(outcome, text)) => {
            refuse(text);
            ExitCode::from(outcome as u8)
        }
    }
}

fn journal(cache: &Cache) -> Journal {
    let place = std::env::var_os("STRATA_CC_LOG").map_or_else(|| cache.root().to_path_buf(), PathBuf::from);
    Journal::new(place, std::env::current_dir().unwrap_or_default())
}

fn act(role: Role, words: Vec<OsString>, cache: &Cache, journal: &Journal) -> Result<u8, Refusal> {
    let refuse = |error: Error| Refusal(Outcome::BadInput, error.to_string());
    let plan = Plan::parse(role, words).inspect_err(|error| note(journal, error)).map_err(refuse)?;
    let tools = Toolchain::find(&program::search()).map_err(refuse)?;
    let (mut headers, mut plain) = (Vec::new(), None);
    if plan.need() >= Need::Headers {
        let libc = program::libc(&tools, cache)?;
        let runtime = Runtime::unpack(cache).map_err(refuse)?;
        headers = vec![runtime.include(), libc.include.clone()];
        if plan.need() == Need::Library {
            plain = Some(program::plain(&tools, cache, &libc)?);
        }
    }
    let scratch = program::scratch();
    let optimised = std::env::var_os("STRATA_CC_OPTIMISED").is_some_and(|value| value != "0" && !value.is_empty());
    let driver = Driver { tools: &tools, headers, plain: plain.as_ref(), scratch, optimised, journal };
    let done = driver.run(&plan).map_err(refuse)?;
    done.messages.iter().for_each(|message| err(&format!("{message}\n")));
    Ok(done.status)
}

/// Refusals are notable, too.
fn note(journal: &Journal, error: &Error) {
    if let Error::Shared { out } = error
        && !out.contains("conftest")
    {
        journal.write(&Note::Shared { out: out.clone() });
    }
}
