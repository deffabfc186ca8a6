//! Compilers, linkers and archivers that see only what they were named.
//!
//! A hostile source makes the compiler read any file (`#include`, `#embed`, `.incbin`), and what
//! it reads is shown in messages, tests and cards. A bug of the compiler may do more. So a tool
//! reads the system's programs, libraries and headers and what it is given, writes into the
//! folder for its result, and can neither connect to anything nor touch another process.
//!
//! Landlock holds it where the kernel has that: it needs no rights and no mounts, and works in
//! most containers. Elsewhere a mount namespace does, which holds nothing but what may be read.
//! Where there is neither, only the filter is left, and [`confine`] says so: whoever calls tells
//! the user.
//!
//! With Landlock a tool still learns whether a file exists, how large it is and when it changed.
//!
//! # Safety
//! What is registered with [`CommandExt::pre_exec`] runs in a copy of a process with threads. It
//! does system calls on what was made before, and nothing else.

use crate::apart::{ITSELF, fill_in, limit, machine_memory};
use crate::calls;
use crate::filter::{Filter, Holds, install};
use crate::mounts::Mounts;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, Scope,
};
use libc::{c_int, c_ulong};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a tool may touch beside the system's programs, libraries and headers.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Folders of programs and libraries.
    pub programs: Vec<PathBuf>,
    /// Files and folders that it reads.
    pub read: Vec<PathBuf>,
    /// Folders that it reads and writes.
    pub write: Vec<PathBuf>,
}

/// What keeps a tool from the files of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Landlock.
    Landlock,
    /// A mount namespace.
    Mounts,
    /// The kernel grants neither: the tool can read and write what the user can.
    Nothing,
}

/// What the system's programs need. Nothing of a user's lies there.
const SYSTEM: &[&str] = &[
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
];
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/// Folders beside that of a program in which it keeps its parts.
const PARTS: &[&str] = &["lib", "lib64", "libexec", "share", "include"];

/// Upper bound on a file that a tool writes, in bytes: the largest programs have some hundred
/// megabytes.
const LARGEST: u64 = 8 << 30;

/// Upper bound on a tool's processor time, in seconds: the largest sources take minutes.
const LONGEST: u64 = 3600;

/// The newest form of Landlock that is asked for; an older kernel grants less of it.
const NEWEST: ABI = ABI::V6;

/// `CAP_DAC_OVERRIDE` and `CAP_DAC_READ_SEARCH`: root reads what is its users'. All others are
/// given up.
const KEPT_CAPABILITIES: [c_ulong; 2] = [1, 2];

/// Namespaces, in the flags of `clone`.
const NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32;

/// What this kernel grants to keep a tool from files.
pub fn hold() -> Hold {
    match landlocked(&[], &[], &[]) {
        Ok(Some(_)) => Hold::Landlock,
        Ok(None) | Err(_) if Mounts::granted() => Hold::Mounts,
        Ok(None) | Err(_) => Hold::Nothing,
    }
}

/// Confines a command, whose program has an absolute path. It must be started by this process.
pub fn confine(command: &mut Command, reach: &Reach) -> io::Result<Hold> {
    let hold = hold();
    confine_by(hold, command, reach)?;
    Ok(hold)
}

/// The same, by these means: for tests.
pub fn confine_by(hold: Hold, command: &mut Command, reach: &Reach) -> io::Result<()> {
    let present = |paths: &[&str]| paths.iter().map(PathBuf::from).filter(|path| path.exists()).collect::<Vec<_>>();
    let mut programs = present(SYSTEM);
    programs.extend(own_parts(Path::new(command.get_program())));
    programs.extend(reach.programs.iter().filter(|path| path.exists()).cloned());
    let read: Vec<PathBuf> = reach.read.iter().filter(|path| path.exists()).cloned().collect();
    let (devices, write) = (present(DEVICES), reach.write.clone());
    let landlock = match hold {
        Hold::Landlock => landlocked(&programs, &[read, devices].concat(), &write)?,
        Hold::Nothing => None,
        Hold::Mounts => {
            let folder =
                command.get_current_dir().map_or_else(std::env::current_dir, |folder| folder.canonicalize())?;
            let mounts = Mounts::new(&folder, &[programs, read, devices].concat(), &write)?;
            // SAFETY: see the head of the file.
            unsafe { command.pre_exec(move || mounts.enter()) };
            None
        }
    };
    let (mut code, memory) = (filter().code(), machine_memory());
    // SAFETY: gives a number.
    let parent = unsafe { libc::getpid() };
    // SAFETY: see the head of the file.
    unsafe { command.pre_exec(move || enter(parent, memory, landlock.as_ref(), &mut code)) };
    Ok(())
}

/// The folders around a program that is not the system's.
fn own_parts(program: &Path) -> Vec<PathBuf> {
    let mut parts = Vec::new();
    for program in [Some(program.to_path_buf()), program.canonicalize().ok()].into_iter().flatten() {
        let Some(folder) = program.parent().filter(|folder| !folder.starts_with("/usr")) else { continue };
        parts.push(folder.to_path_buf());
        parts.extend(folder.parent().into_iter().flat_map(|above| PARTS.iter().map(|part| above.join(part))));
    }
    parts.retain(|part| part.is_dir());
    parts
}

fn filter() -> Filter {
    let itself = [Holds::Is(0, ITSELF)];
    Filter::new(calls::tool())
        .only(libc::SYS_clone, &[Holds::Lacks(0, NAMESPACES)], libc::EPERM)
        .only(libc::SYS_prlimit64, &[Holds::Is(0, 0)], libc::EPERM)
        .only(libc::SYS_prctl, &[Holds::Is(0, libc::PR_SET_NAME as u32)], libc::EPERM)
        .only(libc::SYS_kill, &itself, libc::EPERM)
        .only(libc::SYS_tgkill, &itself, libc::EPERM)
        .only(libc::SYS_tkill, &itself, libc::EPERM)
}

/// A Landlock domain; nothing where the kernel has no Landlock.
fn landlocked(programs: &[PathBuf], read: &[PathBuf], write: &[PathBuf]) -> io::Result<Option<OwnedFd>> {
    let all = AccessFs::from_all(NEWEST);
    let reads = AccessFs::ReadFile | AccessFs::ReadDir;
    let special =
        AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeFifo | AccessFs::MakeSock | AccessFs::IoctlDev;
    let made = || {
        let mut rules = Ruleset::default()
            .handle_access(all)?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?;
        for (paths, access) in [
            (programs, reads | AccessFs::Execute),
            (read, reads),
            (write, all & !special & !BitFlags::from(AccessFs::Execute)),
        ] {
            for path in paths {
                rules = allow(rules, path, access)?;
            }
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(rules)
    };
    made().map(Option::<OwnedFd>::from).map_err(io::Error::other)
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Box<dyn std::error::Error + Send + Sync>> {
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    Ok(rules.add_rule(PathBeneath::new(PathFd::new(path)?, access))?)
}

/// In the child, before the tool is started.
fn enter(parent: c_int, memory: u64, landlock: Option<&OwnedFd>, code: &mut [libc::sock_filter]) -> io::Result<()> {
    const CLOSE_RANGE_CLOEXEC: c_int = 4;
    let check = |done: i64| if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) };
    // SAFETY: numbers, and limits that are read during the calls.
    unsafe {
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL).into())?;
        if libc::getppid() != parent {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        // What our own parent left open. Where the kernel does not know this call, it stays.
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, CLOSE_RANGE_CLOEXEC);
        limit(libc::RLIMIT_CORE, 1)?;
        limit(libc::RLIMIT_CPU, LONGEST)?;
        limit(libc::RLIMIT_FSIZE, LARGEST)?;
        limit(libc::RLIMIT_DATA, memory)?;
        for capability in (0..64).filter(|capability| !KEPT_CAPABILITIES.contains(capability)) {
            // Sound: an ordinary user has none to give up, and those beyond the kernel's last
            // exist nowhere.
            libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0);
        }
        if let Some(landlock) = landlock {
            check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1 as c_ulong, 0, 0, 0).into())?;
            check(libc::syscall(libc::SYS_landlock_restrict_self, landlock.as_raw_fd(), 0))?;
        }
    }
    fill_in(code);
    install(code).map_err(io::Error::from_raw_os_error)
}
