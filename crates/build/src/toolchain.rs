//! Which clang, archiver and linker to use.
//!
//! The engine reads bitcode with LLVM 22, which reads what clang 16 to 22 write (older ones have typed pointers, newer ones write what it does
//! not know). So the newest of these is taken, by the name that Debian gives it, or the one that the caller names. Tools are looked for
//! in the folders of the search path without starting any, since this is part of every start of the command.
//!
//! A file's name that begins like an option (`-fpass-plugin=./x.c`) or like a list of words (`@x`) would be taken for one, by clang even
//! behind `--`. So whoever gives a tool the name of a user's file says it by `named`.

use crate::error::Error;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const NEWEST: u32 = 22;
const OLDEST: u32 = 16;

/// Where to look for tools. Values of the environment, read by the caller.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// The search path, as in `$PATH`.
    pub path: OsString,
    /// A clang to use instead of the newest one found (`$STRATA_CLANG`).
    pub clang: Option<PathBuf>,
    /// Variables for the tools: those of `Search::VARIABLES` that are set.
    pub environment: Vec<(OsString, OsString)>,
}

impl Search {
    /// Names of the variables that tools get when they work on what a stranger wrote.
    pub const VARIABLES: &[&str] = crate::reach::VARIABLES;
}

/// The tools that were found.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// The compiler.
    pub clang: PathBuf,
    /// `llvm-ar`, if it is there.
    pub ar: Option<PathBuf>,
    /// `ld.lld`, if it is there.
    pub lld: Option<PathBuf>,
    /// `llvm-link`, if it is there.
    pub linker: Option<PathBuf>,
    /// `llvm-nm`, if it is there.
    pub names: Option<PathBuf>,
    /// Variables that they get when they are confined.
    pub environment: Vec<(OsString, OsString)>,
}

impl Toolchain {
    /// Looks for clang and its companions.
    pub fn find(search: &Search) -> Result<Toolchain, Error> {
        let (clang, version) = match &search.clang {
            Some(named) => named_clang(search, named)?,
            None => newest_clang(search).ok_or(Error::Missing { tool: "clang", package: "clang-22" })?,
        };
        Ok(Toolchain {
            ar: companion(search, &clang, "llvm-ar", version),
            lld: companion(search, &clang, "ld.lld", version),
            linker: companion(search, &clang, "llvm-link", version),
            names: companion(search, &clang, "llvm-nm", version),
            environment: search.environment.clone(),
            clang,
        })
    }

    /// The archiver, or what to install.
    pub fn ar(&self) -> Result<&Path, Error> {
        self.ar.as_deref().ok_or(Error::Missing { tool: "llvm-ar", package: "llvm-22" })
    }

    /// The linker, or what to install.
    pub fn lld(&self) -> Result<&Path, Error> {
        self.lld.as_deref().ok_or(Error::Missing { tool: "ld.lld", package: "lld-22" })
    }

    /// The linker of bitcode, or what to install.
    pub fn linker(&self) -> Result<&Path, Error> {
        self.linker.as_deref().ok_or(Error::Missing { tool: "llvm-link", package: "llvm-22" })
    }

    /// The lister of symbols, or what to install.
    pub fn names(&self) -> Result<&Path, Error> {
        self.names.as_deref().ok_or(Error::Missing { tool: "llvm-nm", package: "llvm-22" })
    }

    /// Changes when the compiler does: its true path, size and time of change. Asking it for its version would cost more than the rest of a start.
    pub fn identity(&self) -> String {
        let path = self.clang.canonicalize().unwrap_or_else(|_| self.clang.clone());
        let stamp = path.metadata().map(|m| (m.size(), m.mtime())).unwrap_or_default();
        format!("{} {} {}", path.display(), stamp.0, stamp.1)
    }
}

fn newest_clang(search: &Search) -> Option<(PathBuf, u32)> {
    let numbered = (OLDEST..=NEWEST)
        .rev()
        .find_map(|v| on_path(&search.path, OsStr::new(&format!("clang-{v}"))).map(|path| (path, v)));
    numbered.or_else(|| {
        let plain = on_path(&search.path, OsStr::new("clang"))?;
        let version = version_of(&plain)?;
        (OLDEST..=NEWEST).contains(&version).then_some((plain, version))
    })
}

fn named_clang(search: &Search, named: &Path) -> Result<(PathBuf, u32), Error> {
    let unfit = |reason: String| Error::Unfit { clang: named.to_path_buf(), reason };
    let path = if named.components().count() > 1 {
        named.is_file().then(|| named.to_path_buf())
    } else {
        on_path(&search.path, named.as_os_str())
    };
    let path = path.ok_or_else(|| unfit("no such program".into()))?;
    let version = version_of(&path).ok_or_else(|| unfit("does not say which clang it is (--version)".into()))?;
    if !(OLDEST..=NEWEST).contains(&version) {
        return Err(unfit(format!("clang {version}, but bitcode of clang {OLDEST} to {NEWEST} is understood")));
    }
    Ok((path, version))
}

/// The tool of the same LLVM: beside clang, or on the path with or without the version.
fn companion(search: &Search, clang: &Path, tool: &str, version: u32) -> Option<PathBuf> {
    let suffixed = on_path(&search.path, OsStr::new(&format!("{tool}-{version}")));
    let beside = || {
        let home = clang.canonicalize().ok()?.parent()?.join(tool);
        home.is_file().then_some(home)
    };
    suffixed.or_else(beside).or_else(|| on_path(&search.path, OsStr::new(tool)))
}

/// The first file of that name in the folders of a search path.
pub(crate) fn on_path(path: &OsStr, name: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// A file's name as a tool must be given it: absolute, or with a first character that begins no option and no list.
pub(crate) fn named(file: &Path) -> Cow<'_, Path> {
    match file.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Cow::Owned(Path::new(".").join(file)),
        Some(_) | None => Cow::Borrowed(file),
    }
}

/// A source as clang must be given it. clang hands the last part of the name on to itself, where it takes `@x` for a list of options,
/// whatever stands before it: such a name is refused.
pub(crate) fn named_source(source: &Path) -> Result<Cow<'_, Path>, Error> {
    if source.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@")) {
        let reason =
            format!("{}: clang takes a name that begins with @ for a list of options; rename it", source.display());
        return Err(Error::Refused { reason });
    }
    Ok(named(source))
}

fn version_of(clang: &Path) -> Option<u32> {
    let output = Command::new(clang).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, after) = text.split_once("clang version ")?;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_taken_for_an_option() {
        for (name, expected) in [
            ("-fpass-plugin=./evil.c", "./-fpass-plugin=./evil.c"),
            ("@list", "./@list"),
            ("-", "./-"),
            ("a.c", "a.c"),
            ("folder/-x.c", "folder/-x.c"),
            ("/tmp/@x.c", "/tmp/@x.c"),
        ] {
            assert_eq!(named(Path::new(name)), Path::new(expected));
        }
    }
}
