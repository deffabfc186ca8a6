//! A folder of things that were built once: each an entry, that is, a folder whose name says what it was built from.
//!
//! An entry appears by a rename when it is complete, and never changes after. So whoever sees it may use it without a lock, several
//! processes may start at once, and one that is killed leaves nothing but a folder that the next builder removes. A lock file keeps two
//! processes from doing the same work twice; it is the kernel's lock, which goes with the process that held it.
//!
//! What lies in the cache becomes part of programs, so it must come from us: a folder that somebody else owns or can write to is refused, wherever it is.
//! Sound: the parents of the folder are not looked at. Who can rename them has the user's home, or the folder is in a sticky one.

use crate::error::Error;
use sha2::{Digest, Sha256};
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The folder that holds everything built once.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// A cache in this folder, for instance `~/.cache/strata`. It is made when it is first needed.
    pub fn new(root: impl Into<PathBuf>) -> Cache {
        Cache { root: root.into() }
    }

    /// A cache in the folder for temporary files, for a user without a home. Each user has another.
    pub fn temporary() -> Cache {
        let user = rustix::process::geteuid().as_raw();
        Cache::new(std::env::temp_dir().join(format!("strata-cache-{user}")))
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The entry of that name. If it is not there, `build` fills an empty folder that becomes the entry; `wait` is called if another process is at it.
    pub(crate) fn entry(
        &self,
        name: &str,
        wait: &mut dyn FnMut(),
        build: &mut dyn FnMut(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        if let Some(entry) = self.present(name)? {
            return Ok(entry);
        }
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.root).map_err(at(&self.root))?;
        // Somebody may have been faster.
        self.is_ours()?;
        let entry = self.root.join(name);
        let _lock = self.lock(name, wait)?;
        if entry.is_dir() {
            return Ok(entry);
        }
        let unfinished = self.root.join(format!("{name}.unfinished"));
        remove(&unfinished)?;
        fs::create_dir(&unfinished).map_err(at(&unfinished))?;
        if let Err(error) = build(&unfinished) {
            // What is left over is removed by the next builder at the latest; the error that matters is the first one.
            let _ = fs::remove_dir_all(&unfinished);
            return Err(error);
        }
        fs::rename(&unfinished, &entry).map_err(at(&entry))?;
        Ok(entry)
    }

    /// The entry of that name, if it is there.
    pub(crate) fn present(&self, name: &str) -> Result<Option<PathBuf>, Error> {
        let entry = self.root.join(name);
        Ok(if self.is_ours()? && entry.is_dir() { Some(entry) } else { None })
    }

    /// Is the folder there? One that others can change is refused.
    fn is_ours(&self) -> Result<bool, Error> {
        // The link first, if it is one: who owns it can point it elsewhere at any time.
        for look in [fs::symlink_metadata, fs::metadata] {
            let data = match look(&self.root) {
                Ok(data) => data,
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(false),
                Err(cause) => return Err(at(&self.root)(cause)),
            };
            let user = rustix::process::geteuid().as_raw();
            if let Some(reason) = distrust(user, data.uid(), data.gid(), data.mode(), data.is_symlink()) {
                return Err(Error::Untrusted { path: self.root.clone(), reason });
            }
        }
        Ok(true)
    }

    fn lock(&self, name: &str, wait: &mut dyn FnMut()) -> Result<File, Error> {
        let path = self.root.join(format!("{name}.lock"));
        let file = File::create(&path).map_err(at(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                wait();
                file.lock().map_err(at(&path))?;
            }
            Err(TryLockError::Error(cause)) => return Err(Error::Cache { path, cause }),
        }
        Ok(file)
    }
}

/// Why a folder of this owner, group and mode is not safe for this user, if it is not.
fn distrust(user: u32, owner: u32, group: u32, mode: u32, is_link: bool) -> Option<String> {
    if owner != user && owner != 0 {
        return Some(format!("it belongs to another user (number {owner})"));
    }
    // A group with the user's own number is the user's alone, by the custom of most systems.
    let writers = if group == owner { 0o002 } else { 0o022 };
    (!is_link && mode & writers != 0).then(|| format!("other users can write to it (mode {:o})", mode & 0o7777))
}

fn remove(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(Error::Cache { path: folder.into(), cause }),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Makes a folder that is this user's alone, or finds that it is one. Whoever guesses its name
/// cannot have made it before.
pub(crate) fn private(folder: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let about = fs::symlink_metadata(folder)?;
            let user = rustix::process::geteuid().as_raw();
            if about.is_dir() && about.uid() == user && about.mode() & 0o077 == 0 { Ok(()) } else { Err(error) }
        }
        made => made,
    }
}

/// Says which path an error of the file system is about.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_path_buf();
    move |cause| Error::Cache { path, cause }
}

/// The beginning of the SHA-256 of some pieces, each with its length, as a name.
pub(crate) fn fingerprint<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for piece in pieces {
        hash.update((piece.len() as u64).to_le_bytes());
        hash.update(piece);
    }
    hex(&hash.finalize()[..8])
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_for_files_in_between_is_private() {
        let folder = std::env::temp_dir().join(format!("strata-private-{}", std::process::id()));
        private(&folder).unwrap();
        private(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o7777, 0o700);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(private(&folder).is_err(), "others can read it");
        fs::remove_dir(&folder).unwrap();
        std::os::unix::fs::symlink("/tmp", &folder).unwrap();
        assert!(private(&folder).is_err(), "a link");
        fs::remove_file(&folder).unwrap();
    }

    #[test]
    fn what_others_can_change_is_distrusted() {
        let distrusted = |owner, group, mode: u32| distrust(1000, owner, group, 0o40000 | mode, false).is_some();
        for (owner, group, mode, expect) in [
            (1000, 1000, 0o700, false),
            (1000, 1000, 0o775, false),
            (1000, 100, 0o755, false),
            (1000, 100, 0o775, true),
            (1000, 1000, 0o757, true),
            (0, 0, 0o755, false),
            (0, 0, 0o1777, true),
            (1001, 1001, 0o700, true),
        ] {
            assert_eq!(distrusted(owner, group, mode), expect, "{owner} {group} {mode:o}");
        }
        assert!(distrust(1000, 1000, 100, 0o120777, true).is_none(), "a link's mode says nothing");
        assert!(distrust(1000, 1001, 1001, 0o120777, true).is_some());
    }
}
