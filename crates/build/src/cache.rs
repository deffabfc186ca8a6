//! A folder of things that were built once: each an entry, that is, a folder whose name says what it was built from.
//!
//! An entry appears by a rename when it is complete, and never changes after. So whoever sees it may use it without a lock, several
//! processes may start at once, and one that is killed leaves nothing but a folder that the next builder removes. A lock file keeps two
//! processes from doing the same work twice; it is the kernel's lock, which goes with the process that held it.

use crate::error::Error;
use sha2::{Digest, Sha256};
use std::fs::{self, File, TryLockError};
use std::io;
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
        let entry = self.root.join(name);
        if entry.is_dir() {
            return Ok(entry);
        }
        fs::create_dir_all(&self.root).map_err(at(&self.root))?;
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

fn remove(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(Error::Cache { path: folder.into(), cause }),
        Ok(()) | Err(_) => Ok(()),
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
