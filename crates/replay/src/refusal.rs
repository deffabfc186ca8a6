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
    /// The program took more than its share of the machine's memory, in bytes.
    Memory(u64),
    /// Programs left more in the folder that is kept than they may, in bytes.
    Quota(PathBuf, u64),
    /// Memory, descriptors: the machine has none left for us.
    Resources(io::Error),
}

/// What an ordinary user can do about it.
const USER: &str = "test programs run only in a sandbox. Allow user namespaces (sysctl user.max_user_namespaces=10000; on Debian \
    kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), or run as root; in a container \
    its seccomp profile must allow clone, mount and pivot_root (docker: --security-opt seccomp=unconfined --security-opt \
    apparmor=unconfined --security-opt systempaths=unconfined)";

/// What root can do, who needs no user namespaces: something keeps it from others.
const ROOT: &str = "test programs run only in a sandbox, and this root may not make one: it is that of a container without the right to \
    mount (docker: --cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined), or the kernel has no \
    namespaces. Outside of the container, or in a virtual machine, replay works: copy the run's folder there";

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        // SAFETY: gives a number.
        let is_root = unsafe { libc::geteuid() } == 0;
        let allow = if is_root { ROOT } else { USER };
        match self {
            Refusal::Namespaces(error) => write!(out, "the kernel grants no namespaces ({error}); {allow}"),
            Refusal::Setup(step, error) => write!(out, "the sandbox could not {step} ({error}); {allow}"),
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
            Refusal::Memory(share) => {
                write!(
                    out,
                    "the program took more than its share of memory ({} MiB); fewer jobs have larger shares",
                    share >> 20
                )
            }
            Refusal::Quota(folder, quota) => {
                write!(out, "{}: programs left more than {} MiB there, and were ended", folder.display(), quota >> 20)
            }
            Refusal::Resources(error) => write!(out, "no memory or descriptors for the sandbox: {error}"),
        }
    }
}

impl std::error::Error for Refusal {}
