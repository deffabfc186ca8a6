//! The system-call filter: what a single static program needs, and nothing else.
//!
//! Everything not listed fails with ENOSYS, as a system call does that the modelled kernel does not know, so that musl's fall-backs work and a
//! program takes the same way as when it was explored; killing it instead would turn a harmless probe into a divergence.
//! Not listed on purpose: whatever starts processes or threads, sockets, namespaces, mounts, tracing, keys, modules, memfd, BPF,
//! io_uring. `execveat` passes only for the descriptor through which the supervisor starts the program, and `prlimit64` only for the
//! caller itself: the supervisor runs as the same user, and a test that lowers its limits would decide over those that come after it.
//!
//! The numbers are searched by halves, in ranges of neighbours. The kernel compiles a filter and tries it on every number there is when it is
//! installed, which happens for every test: a flat list of them took a third of a replay.
//!
//! Forty lines of BPF are written here rather than taken from a crate: numbers, and conditions on the arguments of two calls.

use libc::{BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

#[cfg(target_arch = "x86_64")]
const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCH: u32 = 0xc000_00b7;
#[cfg(target_arch = "riscv64")]
const ARCH: u32 = 0xc000_00f3;

/// System calls that every machine has.
#[rustfmt::skip]
const COMMON: &[libc::c_long] = &[
    // What every program does.
    libc::SYS_read, libc::SYS_write, libc::SYS_writev, libc::SYS_readv, libc::SYS_mmap, libc::SYS_munmap, libc::SYS_brk,
    libc::SYS_close, libc::SYS_lseek, libc::SYS_ioctl, libc::SYS_fstat, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigaction,
    libc::SYS_exit_group, libc::SYS_exit, libc::SYS_set_tid_address, libc::SYS_mprotect, libc::SYS_mremap, libc::SYS_madvise,
    // Files, within the root that is thrown away.
    libc::SYS_openat, libc::SYS_pread64, libc::SYS_pwrite64, libc::SYS_preadv, libc::SYS_pwritev, libc::SYS_newfstatat,
    libc::SYS_statx, libc::SYS_faccessat, libc::SYS_pipe2, libc::SYS_dup, libc::SYS_dup3, libc::SYS_fcntl, libc::SYS_flock,
    libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_truncate, libc::SYS_ftruncate, libc::SYS_fallocate, libc::SYS_fadvise64, libc::SYS_copy_file_range, libc::SYS_sendfile, libc::SYS_getdents64,
    libc::SYS_getcwd, libc::SYS_chdir, libc::SYS_fchdir, libc::SYS_mkdirat, libc::SYS_unlinkat, libc::SYS_renameat2,
    libc::SYS_linkat, libc::SYS_symlinkat, libc::SYS_mknodat, libc::SYS_readlinkat, libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fchown,
    libc::SYS_fchownat, libc::SYS_umask, libc::SYS_utimensat, libc::SYS_statfs, libc::SYS_fstatfs, libc::SYS_pselect6,
    libc::SYS_ppoll,
    // Signals to itself (others of its namespace do not exist), time, waiting.
    libc::SYS_rt_sigreturn, libc::SYS_sigaltstack, libc::SYS_rt_sigpending, libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait, libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_restart_syscall,
    libc::SYS_nanosleep, libc::SYS_clock_nanosleep, libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_gettimeofday,
    libc::SYS_times, libc::SYS_setitimer, libc::SYS_getitimer, libc::SYS_futex, libc::SYS_set_robust_list, libc::SYS_wait4,
    libc::SYS_sched_yield,
    // What it is.
    libc::SYS_getpid, libc::SYS_gettid, libc::SYS_getppid, libc::SYS_getuid, libc::SYS_geteuid, libc::SYS_getgid,
    libc::SYS_getegid, libc::SYS_getgroups, libc::SYS_getpgid, libc::SYS_getsid, libc::SYS_uname, libc::SYS_sysinfo,
    libc::SYS_getrusage, libc::SYS_prlimit64, libc::SYS_sched_getaffinity, libc::SYS_getrandom,
];

/// Older forms that x86-64 alone has.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const MACHINE: &[libc::c_long] = &[
    libc::SYS_open, libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_pipe, libc::SYS_dup2, libc::SYS_poll,
    libc::SYS_select, libc::SYS_mkdir, libc::SYS_rmdir, libc::SYS_unlink, libc::SYS_rename, libc::SYS_renameat, libc::SYS_link,
    libc::SYS_symlink, libc::SYS_readlink, libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_creat, libc::SYS_time,
    libc::SYS_alarm, libc::SYS_pause, libc::SYS_getpgrp, libc::SYS_getrlimit, libc::SYS_setrlimit, libc::SYS_arch_prctl,
    libc::SYS_mknod, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat, libc::SYS_getdents,
];
#[cfg(not(target_arch = "x86_64"))]
const MACHINE: &[libc::c_long] = &[];

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const NOT_PERMITTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;

/// Offsets in `struct seccomp_data`: number, architecture, and the low half of an argument.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const fn argument(index: u32) -> u32 {
    16 + 8 * index + if cfg!(target_endian = "big") { 4 } else { 0 }
}

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code: code as u16, jt, jf, k }
}

fn load(offset: u32) -> sock_filter {
    instruction(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0)
}

/// Skips `jt` instructions if what was loaded compares so with `k`, `jf` otherwise.
fn jump(comparison: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    instruction(BPF_JMP | comparison | BPF_K, k, jt, jf)
}

fn ret(action: u32) -> sock_filter {
    instruction(BPF_RET | BPF_K, action, 0, 0)
}

/// Where answers change: from each number on, the action beside it. The first is for zero, and neighbours differ.
fn changes(mut allowed: Vec<u32>) -> Vec<(u32, u32)> {
    allowed.sort_unstable();
    allowed.dedup();
    let mut changes = vec![(0, NO_SUCH_CALL)];
    for number in allowed {
        // One that follows its neighbour takes the place of that one's end.
        changes.pop_if(|last| *last == (number, NO_SUCH_CALL));
        if changes.last().is_none_or(|last| last.1 != ALLOW) {
            changes.push((number, ALLOW));
        }
        changes.push((number + 1, NO_SUCH_CALL));
    }
    changes
}

/// The action for the number that was loaded, by halves.
fn search(changes: &[(u32, u32)]) -> Vec<sock_filter> {
    if let [(_, action)] = changes {
        return vec![ret(*action)];
    }
    let (low, high) = changes.split_at(changes.len() / 2);
    let (first, below) = (high[0].0, search(low));
    let over =
        u8::try_from(below.len()).expect("jumps reach 255 instructions, and there are fewer changes than half of that");
    let mut code = vec![jump(BPF_JGE, first, over, 0)];
    code.extend(below);
    code.extend(search(high));
    code
}

/// The filter; `program` is the descriptor that may be executed.
pub(crate) fn filter(program: i32) -> Vec<sock_filter> {
    let mut filter = vec![
        load(ARCHITECTURE),
        jump(BPF_JEQ, ARCH, 1, 0),
        ret(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(BPF_JEQ, libc::SYS_execveat as u32, 0, 6),
        load(argument(0)),
        jump(BPF_JEQ, program as u32, 0, 3),
        load(argument(4)),
        jump(BPF_JEQ, libc::AT_EMPTY_PATH as u32, 0, 1),
        ret(ALLOW),
        ret(NO_SUCH_CALL),
        jump(BPF_JEQ, libc::SYS_prlimit64 as u32, 0, 4),
        load(argument(0)),
        jump(BPF_JEQ, 0, 1, 0),
        ret(NOT_PERMITTED),
        ret(ALLOW),
    ];
    filter.extend(search(&changes(COMMON.iter().chain(MACHINE).map(|&number| number as u32).collect())));
    filter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel would do: enough of BPF for these filters.
    fn run(filter: &[sock_filter], number: u32, arguments: [u32; 6]) -> u32 {
        let (mut at, mut loaded) = (0, 0);
        loop {
            let step = filter[at];
            at += 1;
            let skip = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
            match u32::from(step.code) {
                code if code == BPF_LD | BPF_W | BPF_ABS => {
                    loaded = match step.k {
                        NUMBER => number,
                        ARCHITECTURE => ARCH,
                        offset => arguments[(offset as usize - 16) / 8],
                    }
                }
                code if code == BPF_JMP | BPF_JEQ | BPF_K => at += skip(loaded == step.k),
                code if code == BPF_JMP | BPF_JGE | BPF_K => at += skip(loaded >= step.k),
                code => {
                    assert_eq!(code, BPF_RET | BPF_K);
                    return step.k;
                }
            }
        }
    }

    #[test]
    fn listed_calls_pass_and_no_others() {
        let filter = filter(200);
        for number in (0..2000).chain([0x4000_0000, 0x4000_0001, u32::MAX]) {
            let listed = COMMON.iter().chain(MACHINE).any(|&listed| listed as u32 == number);
            assert_eq!(run(&filter, number, [0; 6]), if listed { ALLOW } else { NO_SUCH_CALL }, "{number}");
        }
    }

    #[test]
    fn limits_of_others_are_not_changed() {
        let filter = filter(200);
        assert_eq!(run(&filter, libc::SYS_prlimit64 as u32, [0; 6]), ALLOW);
        for process in [1, 2, u32::MAX] {
            assert_eq!(run(&filter, libc::SYS_prlimit64 as u32, [process, 0, 0, 0, 0, 0]), NOT_PERMITTED);
        }
    }

    #[test]
    fn only_the_program_is_executed() {
        let (filter, empty) = (filter(200), libc::AT_EMPTY_PATH as u32);
        assert_eq!(run(&filter, libc::SYS_execveat as u32, [200, 0, 0, 0, empty, 0]), ALLOW);
        assert_eq!(run(&filter, libc::SYS_execveat as u32, [201, 0, 0, 0, empty, 0]), NO_SUCH_CALL);
        assert_eq!(run(&filter, libc::SYS_execveat as u32, [200, 0, 0, 0, 0, 0]), NO_SUCH_CALL);
        assert_eq!(run(&filter, libc::SYS_execve as u32, [200, 0, 0, 0, empty, 0]), NO_SUCH_CALL);
    }
}
