//! Where musl's sources come from: Debian's source package, fetched by apt-get, or a folder that the user names.
//!
//! apt-get checks the signatures of what it fetches, follows the machine's own mirrors and proxies, and is on every Debian machine. It needs
//! `deb-src` lines, which most machines lack: it gets a private list, made from the machine's own `deb` lines, and private folders for
//! its state, so that neither the machine's configuration nor root is touched. The archive is unpacked by tar, not by
//! `apt-get source` itself, which would want dpkg-dev; its checksum is compared with the signed description beside it.

use crate::cache::{Cache, at, hex};
use crate::error::Error;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Unpacks musl's sources into `folder`, fetching them if they are not in the cache.
pub(crate) fn unpack(cache: &Cache, folder: &Path, wait: &mut dyn FnMut()) -> Result<(), Error> {
    let package = cache.entry("musl-source", wait, &mut fetch)?;
    let archive = checked_archive(&package)?;
    let mut tar = Command::new("tar");
    tar.arg("-xf").arg(&archive).arg("-C").arg(folder).arg("--strip-components=1");
    run(&mut tar, "cannot unpack them").map(|_| ())
}

fn fetch(folder: &Path) -> Result<(), Error> {
    let apt = Apt::new(&folder.join("apt"))?;
    let messages = apt.run(folder, &["update"], "apt-get update failed")?;
    if let Err(error) = apt.run(folder, &["source", "--download-only", "musl"], "apt-get source musl failed") {
        // A network that is away is no failure to `update`, only the cause of this one.
        return Err(match complaint(&messages) {
            Some(line) => Error::Source { reason: format!("apt-get update: {line}") },
            None => error,
        });
    }
    fs::remove_dir_all(&apt.root).map_err(at(&apt.root))
}

/// apt-get with a configuration of its own.
struct Apt {
    root: PathBuf,
}

impl Apt {
    fn new(root: &Path) -> Result<Apt, Error> {
        for part in ["parts", "lists/partial", "archives/partial"] {
            let folder = root.join(part);
            fs::create_dir_all(&folder).map_err(at(&folder))?;
        }
        let mut count = 0;
        for file in source_lists() {
            let text = fs::read_to_string(&file).unwrap_or_default();
            let (ending, turned) = match file.extension() == Some(OsStr::new("sources")) {
                true => ("sources", turn_stanzas(&text)),
                false => ("list", turn_lines(&text)),
            };
            let copy = root.join(format!("parts/{count}.{ending}"));
            fs::write(&copy, turned).map_err(at(&copy))?;
            count += 1;
        }
        match count {
            0 => Err(Error::Source { reason: "this machine has no /etc/apt/sources.list".into() }),
            _ => Ok(Apt { root: root.into() }),
        }
    }

    fn run(&self, folder: &Path, words: &[&str], failure: &str) -> Result<String, Error> {
        let option = |name: &str, part: &str| format!("-o{name}={}", self.root.join(part).display());
        let mut apt = Command::new("apt-get");
        apt.current_dir(folder)
            .env("LC_ALL", "C")
            .args([
                option("Dir::Etc::sourceparts", "parts"),
                option("Dir::State::lists", "lists"),
                option("Dir::Cache", ""),
                option("Dir::Cache::archives", "archives"),
            ])
            .args(["-oDir::Etc::sourcelist=/dev/null", "-oAPT::Sandbox::User=root", "-oAcquire::Languages=none"])
            .args(["-oAcquire::Retries=2", "-oAPT::Get::List-Cleanup=false", "-q"])
            .args(words);
        run(&mut apt, failure)
    }
}

/// The machine's lists of package sources.
fn source_lists() -> Vec<PathBuf> {
    let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
    if let Ok(folder) = fs::read_dir("/etc/apt/sources.list.d") {
        files.extend(folder.filter_map(|item| Some(item.ok()?.path())));
    }
    files.retain(|file| file.is_file() && file.extension().is_some_and(|e| e == "list" || e == "sources"));
    files.sort();
    files
}

/// The one-line form: `deb URI …` becomes `deb-src URI …`, and nothing else stays.
fn turn_lines(text: &str) -> String {
    let packages = text.lines().map(str::trim_start).filter_map(|line| line.strip_prefix("deb"));
    packages.filter(|rest| rest.starts_with([' ', '\t'])).map(|rest| format!("deb-src{rest}\n")).collect()
}

/// The form with fields: whatever types a stanza has, ours has sources.
fn turn_stanzas(text: &str) -> String {
    let turn = |line: &str| match line.to_ascii_lowercase().starts_with("types:") {
        true => "Types: deb-src\n".to_owned(),
        false => format!("{line}\n"),
    };
    text.lines().map(turn).collect()
}

/// The upstream archive in a downloaded package, if it is what the package's description says.
fn checked_archive(package: &Path) -> Result<PathBuf, Error> {
    let broken = |what: &str| Error::Source {
        reason: format!("{what} in {} (remove that folder to fetch it again)", package.display()),
    };
    let files = fs::read_dir(package).map_err(at(package))?.filter_map(|item| Some(item.ok()?.path()));
    let description = files
        .into_iter()
        .find(|path| path.extension() == Some(OsStr::new("dsc")))
        .ok_or_else(|| broken("no description"))?;
    let description = fs::read_to_string(&description).map_err(at(&description))?;
    let (sum, name) = archive_in(&description).ok_or_else(|| broken("no archive"))?;
    let archive = package.join(name);
    let contents = fs::read(&archive).map_err(at(&archive))?;
    match hex(&Sha256::digest(&contents)) == sum {
        true => Ok(archive),
        false => Err(broken("wrong checksum")),
    }
}

/// Checksum and name of the upstream archive in a `.dsc`.
fn archive_in(description: &str) -> Option<(&str, &str)> {
    let (_, sums) = description.split_once("Checksums-Sha256:\n")?;
    let lines = sums.lines().take_while(|line| line.starts_with(' '));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>()).find_map(|words| match words[..] {
        [sum, _, name] if name.contains(".orig.tar.") && !name.ends_with(".asc") && !name.contains('/') => {
            Some((sum, name))
        }
        _ => None,
    })
}

/// The first line in which apt-get says what is wrong.
fn complaint(messages: &str) -> Option<&str> {
    messages.lines().find(|line| line.starts_with("E: ") || line.starts_with("W: Failed")).map(|line| &line[3..])
}

/// Runs a tool and returns what it wrote to standard error.
fn run(command: &mut Command, failure: &str) -> Result<String, Error> {
    let reason = match command.stdin(Stdio::null()).output() {
        Ok(output) => {
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            if output.status.success() {
                return Ok(messages);
            }
            complaint(&messages).unwrap_or(messages.trim()).to_owned()
        }
        Err(cause) => format!("{}: {cause}", command.get_program().to_string_lossy()),
    };
    Err(Error::Source { reason: format!("{failure}: {reason}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_lists_are_turned() {
        let text = "# deb x\ndeb [arch=amd64] http://a b main\ndeb-src http://a b main\n  deb http://c d main\n";
        assert_eq!(turn_lines(text), "deb-src [arch=amd64] http://a b main\ndeb-src http://c d main\n");
    }

    #[test]
    fn stanzas_are_turned() {
        assert_eq!(
            turn_stanzas("Types: deb\nURIs: http://a\n\ntypes: deb deb-src\n"),
            "Types: deb-src\nURIs: http://a\n\nTypes: deb-src\n"
        );
    }

    #[test]
    fn the_archive_is_found_in_the_description() {
        let text = "Checksums-Sha1:\n 00 5 m_1.orig.tar.gz\nChecksums-Sha256:\n ee 5 m_1.orig.tar.gz.asc\n ff 5 m_1.orig.tar.gz\nFiles:\n 11 5 m_1.orig.tar.gz\n";
        assert_eq!(archive_in(text), Some(("ff", "m_1.orig.tar.gz")));
        assert_eq!(archive_in("Checksums-Sha256:\nFiles:\n 11 5 m_1.orig.tar.gz\n"), None);
    }

    #[test]
    fn a_changed_archive_is_refused() {
        let folder = std::env::temp_dir().join(format!("strata-musl-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("m.dsc"), "Checksums-Sha256:\n ff 5 m_1.orig.tar.gz\n").unwrap();
        fs::write(folder.join("m_1.orig.tar.gz"), "12345").unwrap();
        let error = checked_archive(&folder).unwrap_err().to_string();
        fs::remove_dir_all(&folder).unwrap();
        assert!(error.contains("wrong checksum"), "{error}");
    }
}
