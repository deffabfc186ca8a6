//! Work in a child process that can compute and nothing else.
//!
//! LLVM reads bitcode from strangers, and was not made for that. The child has the memory of its
//! parent at the time of the fork, so its input need not be handed over, and code in it may be a
//! closure. It has no files but one for its result and one for what it says, and its filter lets
//! it open, connect, start or signal nothing. So who takes it over can do no more than hand back
//! wrong bytes. The filter needs no namespaces: it holds in every container.
//!
//! Rejected: starting our own executable with a hidden verb. A library whose users must first
//! reserve a verb in their `main` is no library, and starting LLVM anew costs more than copying a
//! few page tables.
//!
//! # Safety
//! The child of a process with threads has only the one that forked: a lock that another one
//! holds at that moment stays locked in it for ever. So callers fork while no other thread works.
//! Nothing worse than a child that waits can come of it, and that is ended after a while.

use crate::calls;
use crate::filter::{Filter, Holds, install};
use libc::c_int;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How work ended that has no result.
#[derive(Debug)]
pub enum Ended {
    /// It crashed: by this signal, after it said this.
    Crashed(c_int, String),
    /// It panicked, or could not write its result, and said this.
    Failed(String),
    /// It could not be started.
    NotStarted(io::Error),
}

impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ended::Crashed(signal, said) if said.is_empty() => write!(out, "signal {signal}"),
            Ended::Crashed(signal, said) => write!(out, "signal {signal}: {said}"),
            Ended::Failed(said) => out.write_str(said),
            Ended::NotStarted(error) => write!(out, "no process can be started: {error}"),
        }
    }
}

impl std::error::Error for Ended {}

/// The child's descriptors: what it says is its standard error.
const SAID: RawFd = 2;
const RESULT: RawFd = 3;

/// Upper bound on what is kept of what a child says, in bytes: a message fits, a flood does not.
const MOST_SAID: u64 = 4096;

/// Upper bound on the time by the clock, in multiples of the processor time: machines are busy.
const PATIENCE: u64 = 10;

/// Exit status of a child that panicked, as Rust has it.
const PANICKED: c_int = 101;

/// What work may use.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Processor time in seconds.
    pub seconds: u64,
    /// Memory in bytes beside what the parent has; never more than the machine has.
    pub memory: u64,
}

/// Does work in a child process within these bounds, and gives the bytes that it wrote.
pub fn apart(bounds: Bounds, work: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Vec<u8>, Ended> {
    let failed = Ended::NotStarted;
    let (mut result, mut said) = (file().map_err(failed)?, file().map_err(failed)?);
    let code = filter().code();
    // SAFETY: see the head of the file. The child leaves this function by `_exit` alone.
    let child = unsafe {
        let parent = libc::getpid();
        match libc::fork() {
            -1 => return Err(Ended::NotStarted(io::Error::last_os_error())),
            0 => {
                let status = match enter(parent, bounds, &result, &said, &code) {
                    Ok(()) => act(work),
                    Err(error) => {
                        eprintln(&format!("no confinement: {error}"));
                        1
                    }
                };
                libc::_exit(status)
            }
            child => child,
        }
    };
    let status = wait(child, Duration::from_secs(PATIENCE * bounds.seconds));
    let mut text = Vec::new();
    // Sound: what cannot be read of a message is left out.
    let _ = said.rewind().and_then(|()| Read::by_ref(&mut said).take(MOST_SAID).read_to_end(&mut text));
    let text = String::from_utf8_lossy(&text).trim().to_string();
    if libc::WIFSIGNALED(status) {
        return Err(Ended::Crashed(libc::WTERMSIG(status), text));
    }
    if libc::WEXITSTATUS(status) != 0 {
        return Err(Ended::Failed(text));
    }
    let mut bytes = Vec::new();
    result.rewind().and_then(|()| result.read_to_end(&mut bytes)).map_err(failed)?;
    Ok(bytes)
}

fn filter() -> Filter {
    // `abort` signals itself. The child's number is filled in when it is known.
    let itself = [Holds::Is(0, ITSELF)];
    Filter::new(calls::compute()).only(libc::SYS_tgkill, &itself, libc::EPERM)
}

/// The machine's memory in bytes: who allocates more is broken or hostile.
pub(crate) fn machine_memory() -> u64 {
    // SAFETY: give numbers.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    u64::try_from(pages).unwrap_or(0).saturating_mul(u64::try_from(size).unwrap_or(0)).max(4 << 30)
}

/// The memory in bytes that this process could write to, as the kernel counts it for the limit.
fn data_in_use() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmData:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib * 1024)
}

/// Stands in a filter for the number of the process that installs it. No process has it.
pub(crate) const ITSELF: u32 = 0xffff_fff0;

/// The filter for this process.
pub(crate) fn fill_in(code: &mut [libc::sock_filter]) {
    // SAFETY: gives a number.
    let process = unsafe { libc::getpid() } as u32;
    code.iter_mut().filter(|step| step.k == ITSELF).for_each(|step| step.k = process);
}

/// The child gives up all that it does not need.
fn enter(parent: c_int, bounds: Bounds, result: &File, said: &File, code: &[libc::sock_filter]) -> io::Result<()> {
    let memory = bounds.memory.saturating_add(data_in_use()).min(machine_memory());
    let check = |done: c_int| if done < 0 { Err(io::Error::last_os_error()) } else { Ok(done) };
    // SAFETY: numbers, and limits that are read during the calls.
    unsafe {
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
        if libc::getppid() != parent {
            libc::_exit(1);
        }
        let high = check(libc::fcntl(result.as_raw_fd(), libc::F_DUPFD, 16))?;
        check(libc::dup2(said.as_raw_fd(), SAID))?;
        check(libc::dup2(high, RESULT))?;
        libc::close(0);
        libc::close(1);
        close_from(RESULT + 1);
        for (resource, value) in [
            // A limit of 1 keeps the kernel from handing the image to a program of the system's.
            (libc::RLIMIT_CORE, 1),
            (libc::RLIMIT_CPU, bounds.seconds),
            (libc::RLIMIT_DATA, memory),
            (libc::RLIMIT_FSIZE, memory),
        ] {
            limit(resource, value)?;
        }
    }
    let mut code = code.to_vec();
    fill_in(&mut code);
    install(&code).map_err(io::Error::from_raw_os_error)
}

/// Limits this process, and what it starts. What is lower already stays so.
pub(crate) fn limit(resource: libc::__rlimit_resource_t, value: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // At its soft limit of processor time a process learns why it is ended; at the hard one it is
    // killed.
    let grace = if resource == libc::RLIMIT_CPU { 5 } else { 0 };
    // SAFETY: limits that are written and read during the calls.
    unsafe {
        if libc::getrlimit(resource, &mut limit) != 0 {
            return Err(io::Error::last_os_error());
        }
        limit.rlim_max = value.saturating_add(grace).min(limit.rlim_max);
        limit.rlim_cur = value.min(limit.rlim_max);
        match libc::setrlimit(resource, &limit) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Closes all descriptors from this one on.
unsafe fn close_from(first: RawFd) {
    // SAFETY: numbers.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) != 0 {
            // Kernels before 5.9.
            (first..1024).for_each(|descriptor| _ = libc::close(descriptor));
        }
    }
}

/// The work itself, to an exit status.
fn act(work: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> c_int {
    // SAFETY: ours, and open.
    let mut out = BufWriter::with_capacity(1 << 16, unsafe { File::from_raw_fd(RESULT) });
    match catch_unwind(AssertUnwindSafe(|| work(&mut out).and_then(|()| out.flush()))) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            eprintln(&format!("its result cannot be written: {error}"));
            1
        }
        // The message was said.
        Err(_) => PANICKED,
    }
}

/// Says something, where nobody else does: the parent reads it.
fn eprintln(text: &str) {
    // SAFETY: ours, and open; it is not closed here.
    let mut said = std::mem::ManuallyDrop::new(unsafe { File::from_raw_fd(SAID) });
    let _ = said.write_all(text.as_bytes());
}

/// Waits for the end of the child, at most so long: one that waits for a lock that nobody gives
/// back uses no processor time.
fn wait(child: c_int, patience: Duration) -> c_int {
    let deadline = Instant::now() + patience;
    let mut status = 0;
    // SAFETY: our own child, a descriptor that is closed once, and numbers.
    unsafe {
        let handle = libc::syscall(libc::SYS_pidfd_open, child, 0) as c_int;
        let mut hung = false;
        // Kernels before 5.3 have no handles: there we wait as long as it takes.
        while handle >= 0 && !hung {
            let left = deadline.saturating_duration_since(Instant::now()).as_millis().min(1 << 30) as c_int;
            let mut event = libc::pollfd { fd: handle, events: libc::POLLIN, revents: 0 };
            match libc::poll(&mut event, 1, left) {
                0 => hung = true,
                1.. => break,
                _ => {}
            }
        }
        if hung {
            libc::kill(child, libc::SIGKILL);
        }
        while libc::waitpid(child, &mut status, 0) < 0
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
        libc::close(handle);
        if hung { libc::SIGXCPU } else { status }
    }
}

/// A file in memory.
fn file() -> io::Result<File> {
    // SAFETY: a name, flags; the descriptor is ours.
    unsafe {
        match libc::memfd_create(c"apart".as_ptr(), libc::MFD_CLOEXEC) {
            -1 => Err(io::Error::last_os_error()),
            descriptor => Ok(File::from_raw_fd(descriptor)),
        }
    }
}
