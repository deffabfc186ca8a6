//! What can go wrong with the folder of a run, said so that the user can do something about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run could not be kept or read.
#[derive(Debug)]
pub enum Fault {
    /// The folder exists and holds something already.
    NotEmpty(PathBuf),
    /// A folder or file cannot be made or written.
    Write(PathBuf, io::Error),
    /// A folder or file cannot be read.
    Read(PathBuf, io::Error),
    /// A file is not what its name says: file, offset or line in it, what is wrong.
    Malformed {
        /// The file; empty where the bytes came from elsewhere.
        path: PathBuf,
        /// `offset 17` or `line 3`.
        place: String,
        /// What is wrong there.
        message: String,
    },
    /// The folder is not one of a run.
    NotARun(PathBuf),
    /// Others can put files into the folder: why.
    Untrusted(PathBuf, &'static str),
    /// There is no test of this number.
    NoTest(PathBuf, u32),
}

impl Fault {
    pub(crate) fn malformed(place: String, message: impl Into<String>) -> Fault {
        Fault::Malformed { path: PathBuf::new(), place, message: message.into() }
    }

    /// Says which file a fault in its bytes is about.
    pub(crate) fn within(self, file: &Path) -> Fault {
        match self {
            Fault::Malformed { place, message, .. } => Fault::Malformed { path: file.to_owned(), place, message },
            Fault::NotEmpty(_) | Fault::Write(..) | Fault::Read(..) | Fault::NotARun(_) => self,
            Fault::Untrusted(..) | Fault::NoTest(..) => self,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::NotEmpty(path) => {
                let path = path.display();
                write!(out, "{path}: exists and is not empty; remove it or choose another folder with --output")
            }
            Fault::Write(path, error) => {
                let path = path.display();
                write!(out, "{path}: cannot be written: {error}; --output DIR chooses where a run is kept")
            }
            Fault::Read(path, error) => write!(out, "{}: cannot be read: {error}", path.display()),
            Fault::Malformed { path, place, message } => match path.as_os_str().is_empty() {
                true => write!(out, "{place}: {message}"),
                false => write!(out, "{}: {place}: {message}", path.display()),
            },
            Fault::NotARun(path) => {
                write!(out, "{}: not the folder of a run: there is no tests/ in it", path.display())
            }
            Fault::Untrusted(path, why) => {
                write!(out, "{}: {why}; choose a folder of your own with --output", path.display())
            }
            Fault::NoTest(path, number) => write!(out, "{}: there is no test {number}", path.display()),
        }
    }
}

impl std::error::Error for Fault {}
