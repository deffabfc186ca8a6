//! What the compiler, the linker and the archiver may touch when they work on what a stranger
//! wrote.
//!
//! A hostile source or module makes them read any file, and a bug in them may do more. So they
//! are confined (`strata_sandbox::confine`) to the folder of the source, the folders that the
//! user named, the system's and our own headers and libraries; and they get no variables but
//! those that tools are steered by.
//!
//! Not confined: building musl and our runtime, whose sources are known, and `strata cc`, which a
//! build calls that does as it likes anyway.

use crate::error::Error;
use crate::toolchain::Toolchain;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use strata_sandbox::{Reach, confine};

/// Variables that tools are steered by; of these, `PATHS` name folders.
pub(crate) const VARIABLES: &[&str] =
    &["CPATH", "C_INCLUDE_PATH", "LANG", "LC_ALL", "LC_MESSAGES", "LD_LIBRARY_PATH", "PATH", "SOURCE_DATE_EPOCH", "TZ"];
const PATHS: &[&str] = &["CPATH", "C_INCLUDE_PATH"];
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// Flags with a file or a folder, in the same word or in the next one.
const NAMING: &[&str] = &["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-B", "@"];

/// Files and folders that the user's own flags name.
pub(crate) fn named_by(flags: &[String]) -> impl Iterator<Item = PathBuf> {
    let whole = flags.iter().filter(|flag| !flag.starts_with('-')).map(String::as_str);
    let joined = flags.iter().flat_map(|flag| NAMING.iter().filter_map(|naming| flag.strip_prefix(naming)));
    let valued = flags.iter().filter(|flag| flag.starts_with('-') && !flag.starts_with("-D"));
    let valued = valued.filter_map(|flag| flag.split_once('=')).map(|(_, value)| value);
    whole.chain(joined).chain(valued).filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// The folder that a file lies in, under the name by which it was given and by its own.
pub(crate) fn around(file: &Path) -> Vec<PathBuf> {
    let folder = |file: &Path| match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
        Some(folder) => folder.to_path_buf(),
        None => file.to_path_buf(),
    };
    let own = file.canonicalize().map(|file| folder(&file));
    std::iter::once(folder(file)).chain(own).collect()
}

/// Runs a tool that can touch nothing else.
pub(crate) fn run(tools: &Toolchain, command: &mut Command, mut reach: Reach) -> Result<Output, Error> {
    let program = PathBuf::from(command.get_program());
    command.env_clear().envs(tools.environment.iter().map(|(name, value)| (name, value))).stdin(Stdio::null());
    for (name, value) in &tools.environment {
        let folders = || std::env::split_paths(value).filter(|folder| folder.is_absolute());
        if PATHS.iter().any(|path| name == OsStr::new(path)) {
            reach.read.extend(folders());
        } else if name == OsStr::new(LIBRARIES) {
            reach.programs.extend(folders());
        }
    }
    let confined = confine(command, &reach);
    confined.and_then(|_| command.output()).map_err(|cause| Error::Start { program, cause })
}

/// What a tool said, or how it died.
pub(crate) fn message(output: &Output) -> String {
    match (String::from_utf8_lossy(&output.stderr), output.status.signal()) {
        (said, None) => said.into_owned(),
        (said, Some(signal)) => format!("{said}killed by signal {signal}"),
    }
}

/// The compiler's message, with a hint where it misses a file that it may not read.
pub(crate) fn explained(message: Cow<str>) -> String {
    let hint = "strata: clang reads the folder of the source, the system's headers and folders named with -I; name those \
                that it misses";
    let misses = ["file not found", "Permission denied", "cannot open file"].iter().any(|text| message.contains(text));
    if misses { format!("{}\n{hint}", message.trim_end()) } else { message.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_name_files_and_folders() {
        let named = |flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
            named_by(&flags).map(|path| path.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(named(&["-Iinc", "-O2", "-Wall"]), ["inc"]);
        assert_eq!(named(&["-I", "inc", "-include", "a.h"]), ["inc", "a.h"]);
        assert_eq!(named(&["--sysroot=/opt/x", "-DSECRET=/etc/passwd", "@list"]), ["@list", "list", "/opt/x"]);
    }

    #[test]
    fn a_hint_is_given_where_a_file_is_missed() {
        assert!(explained("x.c:1: fatal error: 'a.h' file not found\n".into()).contains("named with -I"));
        assert_eq!(explained("x.c:1: error: expected ';'\n".into()), "x.c:1: error: expected ';'\n");
    }

    #[test]
    fn a_file_lies_in_its_folder_and_where_it_really_is() {
        assert_eq!(around(Path::new("nowhere.c")), [PathBuf::from(".")]);
        assert_eq!(around(Path::new("/usr/../etc/passwd")), [PathBuf::from("/usr/../etc"), PathBuf::from("/etc")]);
    }
}
