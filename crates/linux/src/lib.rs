//! The symbolic kernel behind every front end: arguments, files, descriptors, time, signals, and the system calls on them.
//!
//! - `world`: what a program is given, as plain data; `start` turns it into starting states.
//! - `files/`: inodes, the tree of names, descriptors.
//! - `syscalls/`: a system call is a row (number, name, function). What is not there answers ENOSYS, is counted, and named to the user.
//!
//! Nothing of the host is visible to the program. `Linux` is the part of the kernel that belongs to one path: it is copied when a fork changes
//! it, so its large parts are shared until then.
//!
//! What the kernel says is the same in every run, and `runtime/native/kernel.c` says the same natively: whoever changes an answer here changes it there.
//!
//! Deliberately absent: the C library (real code runs on top), reading files (whoever fills in a `World` does), and any call into the host's
//! kernel.

mod files;
mod numbers;
mod start;
mod syscalls;
mod world;

pub use start::prepare;
pub use world::{FOLDER, MOST_FILES, Seed, SeedBody, Word, World, file_name};

use files::{Body, Id, Table, Tree};
use std::any::Any;
use std::sync::Arc;
use strata_interp::{Hook, Piece, System};
use strata_memory::Value;
use strata_query::Model;
use strata_term::Term;
use syscalls::Signals;

/// What the kernel keeps for a path.
#[derive(Clone)]
pub struct Linux {
    /// Nanoseconds since the start: moves with every look at the clock.
    clock: Value,
    /// When the alarm goes off.
    alarm: Option<u64>,
    tree: Tree,
    table: Arc<Table>,
    /// The working folder.
    folder: Id,
    umask: u32,
    signals: Arc<Signals>,
    /// Limits of resources that the program set: which, and both values.
    limits: Arc<Vec<(u64, u64, u64)>>,
    /// Calls of each kind that can fail.
    calls: [u32; Failure::ALL.len()],
    /// How many of them failed.
    failures: u32,
    /// Sockets that were connected.
    peers: u32,
    /// The program that this one became, and its arguments.
    became: Option<Arc<Vec<Piece>>>,
    given: Arc<Given>,
}

/// What was asked for, which no call changes.
#[derive(Clone, Default)]
struct Given {
    max_fail: u32,
    short_reads: bool,
    /// Symbolic files, and how long each is.
    files: Option<(u32, u64)>,
    /// For each kind of failure the number of the call that fails.
    fails: Vec<Term>,
}

/// Kinds of calls that can fail, as KLEE has them, and reads that can be short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    Read,
    Write,
    Close,
    Truncate,
    Folder,
    Short,
}

impl Failure {
    const ALL: [Failure; 6] =
        [Failure::Read, Failure::Write, Failure::Close, Failure::Truncate, Failure::Folder, Failure::Short];

    /// The object in a test that says which call fails.
    fn name(self) -> &'static str {
        match self {
            Failure::Read => "read_fail",
            Failure::Write => "write_fail",
            Failure::Close => "close_fail",
            Failure::Truncate => "ftruncate_fail",
            Failure::Folder => "getcwd_fail",
            Failure::Short => "short_read",
        }
    }
}

impl Default for Linux {
    fn default() -> Linux {
        let tree = Tree::default();
        Linux {
            clock: Value::bits(0),
            alarm: None,
            folder: tree.start,
            tree,
            table: Arc::default(),
            umask: 0o022,
            signals: Arc::default(),
            limits: Arc::default(),
            calls: Default::default(),
            failures: 0,
            peers: 0,
            became: None,
            given: Arc::default(),
        }
    }
}

impl Linux {
    /// The program that a path's program became by execve, and its arguments, for an input.
    pub fn became(&self, model: &Model) -> Option<Vec<Vec<u8>>> {
        self.became.as_ref().map(|words| words.iter().map(|word| word.bytes(model)).collect())
    }
}

impl System for Linux {
    fn copy(&self) -> Arc<dyn System> {
        Arc::new(self.clone())
    }

    fn stream(&self, descriptor: i32) -> Option<i32> {
        let open = self.table.open(descriptor).filter(|open| open.writes())?;
        match self.tree.inode(open.id).body {
            // Deferred text is no call: where calls are counted, they are made.
            Body::Output(stream) if self.given.max_fail == 0 => Some(stream),
            Body::Output(_)
            | Body::File(_)
            | Body::Folder { .. }
            | Body::Link(_)
            | Body::Device { .. }
            | Body::Pipe(_)
            | Body::Alias(_)
            | Body::Socket { .. } => None,
        }
    }

    fn same(&self, other: &dyn System) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Linux>() else { return false };
        files::same(&self.clock, &other.clock)
            && self.alarm == other.alarm
            && self.tree.is(&other.tree)
            && (Arc::ptr_eq(&self.table, &other.table) || self.table.is(&other.table))
            && (self.folder, self.umask, self.calls, self.failures, self.peers)
                == (other.folder, other.umask, other.calls, other.failures, other.peers)
            && Arc::ptr_eq(&self.signals, &other.signals)
            && self.limits == other.limits
            && self.became.is_none()
            && other.became.is_none()
            && Arc::ptr_eq(&self.given, &other.given)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The hook for a name: the system-call gate, the making of threads, and where signal handlers return through natively.
pub fn hook(name: &str) -> Option<Hook> {
    match name {
        "__strata_syscall6" => Some(syscalls::enter),
        "__strata_clone" => Some(syscalls::clone),
        "__restore_rt" => Some(syscalls::restorer),
        _ => None,
    }
}
