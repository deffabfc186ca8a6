//! The system calls, one row each. Numbers are those of x86-64, which the bitcode C library uses.
//!
//! A call that forks is made again by each fork, from its beginning: whatever a call changes, it changes after its last fork. The clock, the counts of
//! calls that can fail and positions in files are therefore moved at the end.

mod io;
mod memory;
mod path;
mod poll;
mod process;
mod signal;
mod socket;
mod stat;
mod time;

pub(crate) use signal::{Signals, restorer};
pub(crate) use stat::{STATUS, sizes, status};

use crate::files::{Id, Open, Table};
use crate::numbers::*;
use crate::{Failure, Linux};
use std::sync::Arc;
use strata_interp::{Cause, End, Machine, Reply, Spot, State, Warning};
use strata_memory::{Contents, Value};
use strata_term::Term;

type Arguments<'a> = &'a [Value; 6];
type Answer = Result<Reply, End>;
/// A value, or an error number for the program; none where the state was forked, and each fork makes the call again.
type Tried<T> = Result<Option<Result<T, i64>>, End>;
type Call = fn(&mut Machine<'_>, &mut State, Arguments<'_>) -> Answer;

/// The value, unless the state was forked: then each fork makes the call again.
macro_rules! settled {
    ($value:expr) => {
        match $value? {
            Some(value) => value,
            None => return Ok(strata_interp::Reply::Forked),
        }
    };
}

/// The value, unless there is an error number: then that is the call's result.
macro_rules! valid {
    ($value:expr) => {
        match $value {
            Ok(value) => value,
            Err(error) => return $crate::syscalls::result(error),
        }
    };
}

pub(crate) use {settled, valid};

/// By number, for binary search.
const TABLE: &[(u64, &str, Call)] = &[
    (0, "read", io::read),
    (1, "write", io::write),
    (2, "open", path::open),
    (3, "close", io::close),
    (4, "stat", stat::stat),
    (5, "fstat", stat::fstat),
    (6, "lstat", stat::lstat),
    (7, "poll", poll::poll),
    (8, "lseek", io::lseek),
    (9, "mmap", memory::mmap),
    (10, "mprotect", memory::mprotect),
    (11, "munmap", memory::munmap),
    (12, "brk", done),
    (13, "rt_sigaction", signal::action),
    (14, "rt_sigprocmask", signal::mask),
    (16, "ioctl", io::ioctl),
    (17, "pread64", io::pread),
    (18, "pwrite64", io::pwrite),
    (19, "readv", io::readv),
    (20, "writev", io::writev),
    (21, "access", stat::access),
    (22, "pipe", io::pipe),
    (23, "select", poll::select),
    (24, "sched_yield", done),
    (25, "mremap", memory::mremap),
    (26, "msync", done),
    (28, "madvise", done),
    (32, "dup", io::dup),
    (33, "dup2", io::dup2),
    (34, "pause", signal::pause),
    (35, "nanosleep", time::nanosleep),
    (36, "getitimer", time::get_timer),
    (37, "alarm", time::alarm),
    (38, "setitimer", time::set_timer),
    (39, "getpid", process::process),
    (40, "sendfile", io::send_file),
    (41, "socket", socket::socket),
    (42, "connect", socket::connect),
    (43, "accept", socket::accept),
    (44, "sendto", socket::send),
    (45, "recvfrom", socket::receive),
    (46, "sendmsg", socket::send_message),
    (47, "recvmsg", socket::receive_message),
    (48, "shutdown", socket::connected),
    (49, "bind", socket::bind),
    (50, "listen", socket::listen),
    (51, "getsockname", socket::name),
    (52, "getpeername", socket::name),
    (54, "setsockopt", socket::option),
    (55, "getsockopt", socket::get_option),
    (56, "clone", process::fork),
    (57, "fork", process::fork),
    (58, "vfork", process::fork),
    (59, "execve", process::execute),
    (60, "exit", process::exit),
    (61, "wait4", process::wait),
    (62, "kill", signal::kill),
    (63, "uname", process::uname),
    (72, "fcntl", io::fcntl),
    (73, "flock", io::flock),
    (74, "fsync", io::sync),
    (75, "fdatasync", io::sync),
    (76, "truncate", path::truncate),
    (77, "ftruncate", io::ftruncate),
    (79, "getcwd", path::getcwd),
    (80, "chdir", path::chdir),
    (81, "fchdir", path::fchdir),
    (82, "rename", path::rename),
    (83, "mkdir", path::mkdir),
    (84, "rmdir", path::rmdir),
    (85, "creat", path::creat),
    (86, "link", path::link),
    (87, "unlink", path::unlink),
    (88, "symlink", path::symlink),
    (89, "readlink", path::readlink),
    (90, "chmod", stat::chmod),
    (91, "fchmod", stat::fchmod),
    (92, "chown", stat::chown),
    (93, "fchown", stat::fchown),
    (94, "lchown", stat::lchown),
    (95, "umask", stat::umask),
    (96, "gettimeofday", time::time_of_day),
    (97, "getrlimit", process::get_limit),
    (98, "getrusage", time::usage),
    (99, "sysinfo", process::system_info),
    (100, "times", time::times),
    (102, "getuid", process::user),
    (104, "getgid", process::user),
    (105, "setuid", process::set_user),
    (106, "setgid", process::set_user),
    (107, "geteuid", process::user),
    (108, "getegid", process::user),
    (109, "setpgid", done),
    (110, "getppid", process::parent),
    (111, "getpgrp", process::process),
    (112, "setsid", not_permitted),
    (113, "setreuid", process::set_users),
    (114, "setregid", process::set_users),
    (115, "getgroups", process::groups),
    (116, "setgroups", not_permitted),
    (117, "setresuid", process::set_users),
    (118, "getresuid", process::users),
    (119, "setresgid", process::set_users),
    (120, "getresgid", process::users),
    (121, "getpgid", process::process_of),
    (124, "getsid", process::process_of),
    (127, "rt_sigpending", signal::pending),
    (128, "rt_sigtimedwait", signal::timed_wait),
    (130, "rt_sigsuspend", signal::suspend),
    (131, "sigaltstack", done),
    (133, "mknod", path::mknod),
    (137, "statfs", stat::statfs),
    (138, "fstatfs", stat::fstatfs),
    (140, "getpriority", process::priority),
    (141, "setpriority", process::set_priority),
    (153, "vhangup", not_permitted),
    (155, "pivot_root", not_permitted),
    (160, "setrlimit", process::set_limit),
    (161, "chroot", not_permitted),
    (162, "sync", done),
    (163, "acct", not_permitted),
    (164, "settimeofday", not_permitted),
    (165, "mount", not_permitted),
    (166, "umount2", not_permitted),
    (167, "swapon", not_permitted),
    (169, "reboot", not_permitted),
    (170, "sethostname", not_permitted),
    (171, "setdomainname", not_permitted),
    (186, "gettid", process::process),
    (188, "setxattr", not_supported),
    (189, "lsetxattr", not_supported),
    (190, "fsetxattr", not_supported),
    (191, "getxattr", not_supported),
    (192, "lgetxattr", not_supported),
    (193, "fgetxattr", not_supported),
    (194, "listxattr", not_supported),
    (195, "llistxattr", not_supported),
    (196, "flistxattr", not_supported),
    (197, "removexattr", not_supported),
    (198, "lremovexattr", not_supported),
    (199, "fremovexattr", not_supported),
    (200, "tkill", signal::kill_thread),
    (201, "time", time::time),
    (202, "futex", done),
    (204, "sched_getaffinity", process::affinity),
    (217, "getdents64", path::entries),
    (218, "set_tid_address", process::process),
    (221, "fadvise64", io::advise),
    (227, "clock_settime", not_permitted),
    (228, "clock_gettime", time::clock_gettime),
    (229, "clock_getres", time::resolution),
    (230, "clock_nanosleep", time::clock_nanosleep),
    (231, "exit_group", process::exit),
    (234, "tgkill", signal::kill_in_group),
    (257, "openat", path::openat),
    (258, "mkdirat", path::mkdirat),
    (259, "mknodat", path::mknodat),
    (260, "fchownat", stat::fchownat),
    (262, "newfstatat", stat::fstatat),
    (263, "unlinkat", path::unlinkat),
    (264, "renameat", path::renameat),
    (265, "linkat", path::linkat),
    (266, "symlinkat", path::symlinkat),
    (267, "readlinkat", path::readlinkat),
    (268, "fchmodat", stat::fchmodat),
    (269, "faccessat", stat::accessat),
    (270, "pselect6", poll::pselect),
    (271, "ppoll", poll::ppoll),
    (280, "utimensat", stat::utimensat),
    (285, "fallocate", io::fallocate),
    (288, "accept4", socket::accept),
    (292, "dup3", io::dup3),
    (293, "pipe2", io::pipe2),
    (295, "preadv", io::preadv),
    (296, "pwritev", io::pwritev),
    (302, "prlimit64", process::limit),
    (306, "syncfs", io::flock),
    (316, "renameat2", path::renameat2),
    (318, "getrandom", process::random),
    (322, "execveat", process::execute_at),
    (326, "copy_file_range", io::copy_range),
    (439, "faccessat2", stat::accessat),
];

/// Names of calls that programs make most of those that are missing, for messages.
const MISSING: &[(u64, &str)] = &[
    (27, "mincore"),
    (29, "shmget"),
    (30, "shmat"),
    (53, "socketpair"),
    (64, "semget"),
    (68, "msgget"),
    (101, "ptrace"),
    (157, "prctl"),
    (158, "arch_prctl"),
    (213, "epoll_create"),
    (232, "epoll_wait"),
    (233, "epoll_ctl"),
    (253, "inotify_init"),
    (275, "splice"),
    (283, "timerfd_create"),
    (284, "eventfd"),
    (289, "signalfd4"),
    (290, "eventfd2"),
    (291, "epoll_create1"),
    (294, "inotify_init1"),
    (319, "memfd_create"),
    (332, "statx"),
    (435, "clone3"),
];

fn name(number: u64) -> String {
    match MISSING.iter().find(|(missing, _)| *missing == number) {
        Some((_, name)) => format!("{name} ({number})"),
        None => number.to_string(),
    }
}

/// The gate: `__strata_syscall6(number, a, b, c, d, e, f)`.
pub(crate) fn enter(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Answer {
    let mut values: [Value; 7] = Default::default();
    for (slot, (value, _)) in values.iter_mut().zip(arguments) {
        *slot = value.clone();
    }
    let [number, rest @ ..] = values;
    let Some(number) = number.concrete() else {
        return Err(Cause::new("unsupported", "a system call with a symbolic number").into());
    };
    signal::restore(state);
    let Ok(at) = TABLE.binary_search_by_key(&number, |(number, _, _)| *number) else {
        return missing(machine, state, format!("system call {} is not modelled and fails with ENOSYS", name(number)));
    };
    let call = TABLE[at].2;
    let Some((kind, error)) = failure(number) else { return call(machine, state, &rest) };
    if settled!(fails(machine, state, kind)) {
        counted(state, kind, true);
        return result(error);
    }
    let answer = call(machine, state, &rest)?;
    if !matches!(answer, Reply::Forked) {
        counted(state, kind, false);
    }
    Ok(answer)
}

/// The calls that `--max-fail` lets fail, and how, as in KLEE.
fn failure(number: u64) -> Option<(Failure, i64)> {
    match number {
        0 | 17 | 19 | 295 => Some((Failure::Read, EIO)),
        1 | 18 | 20 | 296 => Some((Failure::Write, EIO)),
        3 => Some((Failure::Close, EIO)),
        77 => Some((Failure::Truncate, EIO)),
        79 => Some((Failure::Folder, ERANGE)),
        _ => None,
    }
}

/// The program goes on as on a kernel without the call, which is not the user's: what follows is not all that can happen.
fn missing(machine: &mut Machine<'_>, state: &mut State, text: String) -> Answer {
    state.notes.push(Cause::new("unsupported", text.clone()));
    machine.warnings.push(Warning { place: 0, text });
    result(ENOSYS)
}

/// `__strata_clone(flags)`: pthread_create comes here, since the assembler behind it is no system call of C.
pub(crate) fn clone(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Answer {
    const THREAD: u64 = 0x10000;
    let thread = arguments.first().and_then(|(flags, _)| flags.concrete()).is_some_and(|flags| flags & THREAD != 0);
    if thread {
        return missing(
            machine,
            state,
            "threads (pthread_create) are not modelled: making one fails with ENOSYS".into(),
        );
    }
    process::no_process(machine, state)
}

fn result(value: i64) -> Answer {
    Ok(Reply::Value(Value::bits(value as u64)))
}

fn done(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(0)
}

fn not_permitted(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(EPERM)
}

/// Files have no attributes beyond the usual ones.
fn not_supported(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(EOPNOTSUPP)
}

/// The path's part of the kernel.
fn linux(state: &State) -> &Linux {
    state.system_ref().expect("the modelled system is Linux")
}

/// The same, to be changed.
fn linux_mut(state: &mut State) -> &mut Linux {
    state.system_mut().expect("the modelled system is Linux")
}

fn table_mut(state: &mut State) -> &mut Table {
    Arc::make_mut(&mut linux_mut(state).table)
}

/// Which of the conditions holds: they exclude each other, and one of them does. Forks where several can.
fn choose(machine: &mut Machine<'_>, state: &mut State, conditions: &[Term]) -> Result<Option<usize>, End> {
    if let Some(certain) = conditions.iter().position(Term::is_true) {
        return Ok(Some(certain));
    }
    let mut chosen = 0;
    let forked = machine.split(state, conditions, &mut |_, _, i| {
        chosen = i;
        Ok(())
    })?;
    Ok((!forked).then_some(chosen))
}

/// Does a condition hold? Forks where it may and may not.
fn decide(machine: &mut Machine<'_>, state: &mut State, condition: &Term) -> Result<Option<bool>, End> {
    if condition.is_const() {
        return Ok(Some(condition.is_true()));
    }
    let condition = machine.settle(state, condition, "a system call")?;
    Ok(choose(machine, state, &[condition.clone(), condition.not()])?.map(|chosen| chosen == 0))
}

/// An argument as a plain number: one value is taken where it is symbolic.
fn plain(machine: &mut Machine<'_>, state: &mut State, value: &Value, why: &'static str) -> Result<u64, End> {
    match &value.term {
        None => Ok(value.bits),
        Some(term) => {
            let term = machine.settle(state, term, "a system call")?;
            Ok(machine.concretize(state, &term, why)?.low_u64())
        }
    }
}

/// A descriptor: forks over those that are open, and all that are not (-1).
fn descriptor(machine: &mut Machine<'_>, state: &mut State, value: &Value) -> Result<Option<i32>, End> {
    let Some(term) = &value.term else { return Ok(Some(value.bits as i32)) };
    let term = machine.settle(state, &term.resize(32), "a descriptor")?;
    if let Some(fd) = term.const_u64() {
        return Ok(Some(fd as i32));
    }
    let open: Vec<i32> = linux(state).table.descriptors().collect();
    let mut conditions: Vec<Term> = open.iter().map(|fd| term.eq(&Term::number(32, *fd as u64))).collect();
    conditions.push(conditions.iter().fold(Term::bool(true), |none, condition| none.and(&condition.not())));
    Ok(choose(machine, state, &conditions)?.map(|chosen| open.get(chosen).copied().unwrap_or(-1)))
}

/// A descriptor and what it is open on.
fn opened(machine: &mut Machine<'_>, state: &mut State, value: &Value) -> Tried<(i32, Open)> {
    let fd = descriptor(machine, state, value)?;
    Ok(fd.map(|fd| linux(state).table.open(fd).map(|open| (fd, open.clone())).ok_or(EBADF)))
}

/// The same, where a descriptor that only stands for a place (`O_PATH`) is none.
fn usable(machine: &mut Machine<'_>, state: &mut State, value: &Value) -> Tried<(i32, Open)> {
    let found = opened(machine, state, value)?;
    Ok(found
        .map(|found| found.and_then(|(fd, open)| if open.flags & O_PATH == 0 { Ok((fd, open)) } else { Err(EBADF) })))
}

/// Bytes of the kernel's go to the program.
fn store(machine: &mut Machine<'_>, state: &mut State, to: &Value, bytes: &[u8]) -> Result<Option<()>, End> {
    if bytes.is_empty() {
        return Ok(Some(()));
    }
    let Some(spot) = machine.locate(state, to, bytes.len() as u64, true)? else { return Ok(None) };
    put(machine, state, &spot, bytes);
    Ok(Some(()))
}

fn put(machine: &mut Machine<'_>, state: &mut State, spot: &Spot, bytes: &[u8]) {
    let mut contents = Contents::zero(bytes.len() as u64, 0);
    contents.write_plain(0, bytes);
    machine.put_bytes(state, spot, &contents, 0, bytes.len() as u64);
}

/// A pointer so many bytes further on.
fn at(pointer: &Value, offset: u64) -> Value {
    match &pointer.term {
        None => Value::pointer(pointer.bits.wrapping_add(offset), pointer.origin),
        Some(term) => Value::term(term.add(&Term::number(64, offset))).with_origin(pointer.origin),
    }
}

fn is_null(pointer: &Value) -> bool {
    pointer.concrete() == Some(0)
}

/// Does this call of a kind that can fail do so? The path counts it by `counted`, once it is made.
fn fails(machine: &mut Machine<'_>, state: &mut State, kind: Failure) -> Result<Option<bool>, End> {
    let linux = linux(state);
    let possible = match kind {
        Failure::Short => linux.given.short_reads,
        Failure::Read | Failure::Write | Failure::Close | Failure::Truncate | Failure::Folder => {
            linux.failures < linux.given.max_fail
        }
    };
    if !possible {
        return Ok(Some(false));
    }
    let call = Term::number(32, u64::from(linux.calls[kind as usize]) + 1);
    let condition = linux.given.fails[kind as usize].eq(&call);
    decide(machine, state, &condition)
}

/// A call of a kind that can fail was made.
fn counted(state: &mut State, kind: Failure, failed: bool) {
    if linux(state).given.max_fail == 0 && !linux(state).given.short_reads {
        return;
    }
    let linux = linux_mut(state);
    linux.calls[kind as usize] += 1;
    if failed && kind != Failure::Short {
        linux.failures += 1;
    }
}

/// The inode that a descriptor is open on.
fn inode(state: &State, id: Id) -> &crate::files::Inode {
    linux(state).tree.inode(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_and_named_once() {
        assert!(TABLE.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(MISSING.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(MISSING.iter().all(|(number, _)| TABLE.iter().all(|row| row.0 != *number)));
    }
}
