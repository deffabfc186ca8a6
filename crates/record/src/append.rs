//! A file that grows by whole pieces: made with its first piece, and cut back where a piece could not be written whole.

use crate::Fault;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Such a file, for writing. A piece is one unbuffered write: what was reported as written survives the process.
#[derive(Debug)]
pub(crate) struct Appender {
    path: PathBuf,
    file: Option<File>,
    length: u64,
}

impl Appender {
    /// A file at this path, where there is none yet.
    pub fn new(path: PathBuf) -> Appender {
        Appender { path, file: None, length: 0 }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of all pieces.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Appends a piece, or nothing.
    pub fn append(&mut self, piece: &[u8]) -> Result<(), Fault> {
        let written = self.open().and_then(|file| file.write_all(piece));
        match written {
            Ok(()) => self.length += piece.len() as u64,
            Err(_) => self.cut(self.length),
        }
        written.map_err(|error| Fault::Write(self.path.clone(), error))
    }

    /// Forgets what comes after so many bytes. What cannot be cut off stays as a torn end, which readers pass over.
    pub fn cut(&mut self, length: u64) {
        if length == 0 && self.file.take().is_some() {
            let _ = fs::remove_file(&self.path);
        } else if let Some(file) = &self.file {
            let _ = file.set_len(length);
        }
        self.length = length;
    }

    fn open(&mut self) -> io::Result<&mut File> {
        let file = match self.file.take() {
            Some(file) => file,
            None => File::options().create_new(true).append(true).open(&self.path)?,
        };
        Ok(self.file.insert(file))
    }
}
