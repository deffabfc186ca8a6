//! What a name stands for: a file, a folder, a link, a device, a pipe.

use super::Id;
use crate::numbers::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use strata_memory::{Contents, Value};
use strata_term::Term;

/// Room of a file's contents. Pages are made as they are written: a large room costs nothing.
const ROOM: u64 = 1 << 32;

/// Where links to descriptors point, before the number.
pub(crate) const ALIAS: &[u8] = b"/proc/self/fd/";

/// The bytes of a file, and how many there are. Those behind its end are zero.
///
/// Only inputs have a size that is a term: whoever changes such a file fixes its size first.
#[derive(Clone)]
pub(crate) struct File {
    pub contents: Contents,
    /// In bytes; the most that it can be where that is a term.
    pub size: u64,
    /// The size where it is a term, 64 bits wide. Bytes behind it are not zero, and nobody reads
    /// them.
    pub extent: Option<Term>,
}

impl File {
    pub fn empty() -> File {
        File { contents: Contents::zero(ROOM, 0), size: 0, extent: None }
    }

    pub fn plain(bytes: &[u8]) -> File {
        let mut file = File::empty();
        file.contents.write_plain(0, bytes);
        file.size = bytes.len() as u64;
        file
    }

    /// With an input's bytes, up to `size` of them, or as many as a term says.
    pub fn input(array: &Term, size: u64, extent: Option<Term>) -> File {
        let mut file = File::empty();
        for i in 0..size {
            let byte = array.read(&Term::number(strata_memory::INDEX, i), 1);
            file.contents.write(i, 1, &Value::term(byte));
        }
        file.size = size;
        file.extent = extent;
        file
    }

    /// Its size, 64 bits wide.
    pub fn extent(&self) -> Term {
        self.extent.clone().unwrap_or_else(|| Term::number(64, self.size))
    }

    pub fn resize(&mut self, size: u64) {
        if size < self.size {
            self.contents.fill(size, self.size - size, &Value::bits(0));
        }
        self.size = size;
        self.extent = None;
    }
}

/// Bytes on their way: from `start` on, up to the file's size.
#[derive(Clone)]
pub(crate) struct Pipe {
    pub file: File,
    pub start: u64,
}

/// What an inode is.
#[derive(Clone)]
pub(crate) enum Body {
    File(File),
    Folder {
        entries: Arc<BTreeMap<Vec<u8>, Id>>,
        parent: Id,
    },
    Link(Vec<u8>),
    /// `/dev/null`, and `/dev/zero` where reads give bytes.
    Device {
        zero: bool,
    },
    Pipe(Pipe),
    /// Standard output (1) or error (2).
    Output(i32),
    /// A link to a descriptor that is open: `/dev/stdin` and its kin.
    Alias(i32),
    /// What comes from the other side; none before there is one.
    Socket {
        data: Option<File>,
        at: u64,
        listens: bool,
    },
}

/// Seconds and nanoseconds; the seconds may be symbolic.
pub(crate) type Time = (Value, u64);

/// An inode.
#[derive(Clone)]
pub(crate) struct Inode {
    /// Permissions, without the type.
    pub mode: u32,
    /// Names that it has.
    pub links: u32,
    /// Last access and modification.
    pub times: [Time; 2],
    pub body: Body,
}

impl Inode {
    pub fn new(mode: u32, body: Body) -> Inode {
        let start = || (Value::bits(START), 0);
        Inode { mode, links: 0, times: [start(), start()], body }
    }

    pub fn folder(mode: u32, parent: Id) -> Inode {
        Inode::new(mode, Body::Folder { entries: Arc::default(), parent })
    }

    pub fn is_folder(&self) -> bool {
        matches!(self.body, Body::Folder { .. })
    }

    /// The bits of a mode that say what it is.
    pub fn kind(&self) -> u32 {
        match self.body {
            Body::File(_) => S_IFREG,
            Body::Folder { .. } => S_IFDIR,
            Body::Link(_) | Body::Alias(_) => S_IFLNK,
            Body::Device { .. } => S_IFCHR,
            Body::Pipe(_) | Body::Output(_) => S_IFIFO,
            Body::Socket { .. } => S_IFSOCK,
        }
    }

    /// The size of a file, where that is a term.
    pub fn extent(&self) -> Option<&Term> {
        if let Body::File(file) = &self.body { file.extent.as_ref() } else { None }
    }

    /// In bytes, as `stat` says it; the most that it can be where that is a term.
    pub fn size(&self) -> u64 {
        match &self.body {
            Body::File(file) => file.size,
            Body::Folder { .. } => 4096,
            Body::Link(target) => target.len() as u64,
            Body::Alias(_) => ALIAS.len() as u64 + 1,
            Body::Device { .. } | Body::Pipe(_) | Body::Output(_) | Body::Socket { .. } => 0,
        }
    }

    /// May its owner, who is the only user, do this (4 read, 2 write, 1 execute)?
    pub fn permits(&self, access: u32) -> bool {
        self.mode >> 6 & access == access
    }
}
