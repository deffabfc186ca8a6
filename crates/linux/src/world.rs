//! What a program is given: its command line, its environment, its files. A plain description that whoever read the user's wishes fills in.
//!
//! Names and meanings are those of KLEE's POSIX runtime, so that its users' command lines and tests keep their meaning.

use std::sync::Arc;

/// The folder that a program starts in.
pub const FOLDER: &[u8] = b"/work";

/// What a program is given.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The program's name.
    pub program: Vec<u8>,
    /// What follows it on the command line.
    pub words: Vec<Word>,
    /// `NAME=value`.
    pub environment: Vec<Vec<u8>>,
    /// Files and folders with known contents; a folder comes before what is in it.
    pub seeds: Vec<Seed>,
    /// Symbolic files: how many (A, B, …), and how long each is.
    pub files: Option<(u32, u64)>,
    /// The length of a symbolic standard input; none: it is empty.
    pub stdin: Option<u64>,
    /// Standard output is an object of the tests, as KLEE has it.
    pub stdout: bool,
    /// So many system calls may fail.
    pub max_fail: u32,
    /// Reads may give less than there is.
    pub short_reads: bool,
    /// Symbolic arguments, files and standard input have a symbolic length, up to the one given.
    pub lengths: bool,
    /// Tests prefer bytes that can be printed.
    pub readable: bool,
}

/// A part of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// As it stands.
    Plain(Vec<u8>),
    /// Any text of at most so many bytes.
    Symbolic(u64),
    /// From `min` to `max` such texts.
    Several {
        /// The least number.
        min: u32,
        /// The largest.
        max: u32,
        /// The length of each.
        length: u64,
    },
}

/// A file that is there from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// From the root on, without a slash at its end.
    pub path: Vec<u8>,
    /// Permissions.
    pub mode: u32,
    /// What it is.
    pub body: SeedBody,
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeedBody {
    /// With these bytes.
    File(Arc<[u8]>),
    /// A folder.
    Folder,
    /// A symbolic link to there.
    Link(Vec<u8>),
}

/// The name of the n-th symbolic file: A to Z.
pub fn file_name(number: u32) -> String {
    char::from(b'A' + (number % 26) as u8).to_string()
}

/// The most symbolic files there can be.
pub const MOST_FILES: u32 = 26;
