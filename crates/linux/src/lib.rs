//! The symbolic kernel behind every front end: system calls, descriptors, and the memory a program starts with.
//!
//! A system call is a row in `syscalls`: number, name, function. What is not there answers ENOSYS, is counted, and named to the
//! user. Nothing of the host is visible to the program.
//!
//! Deliberately absent: the C library (real code runs on top) and any call into the host's kernel.

mod start;
mod syscalls;

pub use start::{Arguments, prepare};

use std::any::Any;
use std::sync::Arc;
use strata_interp::{Hook, System};

/// What the kernel keeps for a path.
#[derive(Clone, Debug, Default)]
pub struct Linux {
    /// Nanoseconds since the start: moves with every look at the clock.
    clock: u64,
}

impl System for Linux {
    fn copy(&self) -> Arc<dyn System> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The hook for a name: the system-call gate, and the making of threads.
pub fn hook(name: &str) -> Option<Hook> {
    match name {
        "__strata_syscall6" => Some(syscalls::enter),
        "__strata_clone" => Some(syscalls::clone),
        _ => None,
    }
}
