//! Why a program was not run, and what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a program was not run. Nothing of it was executed.
#[derive(Debug)]
pub enum Refusal {
    /// The kernel grants no namespaces.
    Namespaces(io::Error),
    /// The sandbox could not be set up: which step, and why.
    Setup(&'static str, io::Error),
    /// The program cannot be read or started.
    Program(PathBuf, io::Error),
    /// The arguments are longer than the system takes.
    Arguments,
    /// The supervisor is gone.
    Lost,
    /// Memory, descriptors: the machine has none left for us.
    Resources(io::Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        const ALLOW: &str = "test programs run only in a sandbox. Run as root, or allow user namespaces \
            (sysctl user.max_user_namespaces=10000; on Debian kernel.unprivileged_userns_clone=1; on Ubuntu \
            kernel.apparmor_restrict_unprivileged_userns=0); in a container also its seccomp profile must allow \
            clone, mount and pivot_root (docker: --security-opt seccomp=unconfined --cap-add SYS_ADMIN)";
        match self {
            Refusal::Namespaces(error) => write!(out, "the kernel grants no namespaces ({error}); {ALLOW}"),
            Refusal::Setup(step, error) => write!(out, "the sandbox could not {step} ({error}); {ALLOW}"),
            Refusal::Program(path, error) => match error.raw_os_error() {
                Some(libc::ENOENT) if path.exists() => {
                    let path = path.display();
                    write!(out, "{path}: cannot be started: it must be linked statically: its root is empty")
                }
                Some(libc::ENOEXEC) => write!(out, "{}: no program for this machine", path.display()),
                _ => write!(out, "{}: cannot be started: {error}", path.display()),
            },
            Refusal::Arguments => write!(out, "the arguments are longer than the system takes (2 MiB)"),
            Refusal::Lost => write!(out, "the sandbox was killed from outside"),
            Refusal::Resources(error) => write!(out, "no memory or descriptors for the sandbox: {error}"),
        }
    }
}

impl std::error::Error for Refusal {}
