//! Which system calls a kind of program needs. What is not listed fails.

use libc::c_long;

/// What a single static program needs, on every machine. Not listed on purpose: whatever starts
/// processes or threads, sockets, namespaces, mounts, tracing, keys, modules, memfd, BPF,
/// io_uring.
#[rustfmt::skip]
const COMMON: &[c_long] = &[
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
const MACHINE: &[c_long] = &[
    libc::SYS_open, libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_pipe, libc::SYS_dup2, libc::SYS_poll,
    libc::SYS_select, libc::SYS_mkdir, libc::SYS_rmdir, libc::SYS_unlink, libc::SYS_rename, libc::SYS_renameat, libc::SYS_link,
    libc::SYS_symlink, libc::SYS_readlink, libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_creat, libc::SYS_time,
    libc::SYS_alarm, libc::SYS_pause, libc::SYS_getpgrp, libc::SYS_getrlimit, libc::SYS_setrlimit, libc::SYS_arch_prctl,
    libc::SYS_mknod, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat, libc::SYS_getdents,
];
#[cfg(not(target_arch = "x86_64"))]
const MACHINE: &[c_long] = &[];

/// What a compiler or linker needs beside that: threads, programs that it starts, the dynamic
/// loader's own.
#[rustfmt::skip]
const STARTED: &[c_long] = &[
    libc::SYS_execve, libc::SYS_waitid, libc::SYS_rseq, libc::SYS_get_robust_list, libc::SYS_membarrier,
    libc::SYS_getcpu, libc::SYS_mincore, libc::SYS_msync, libc::SYS_readahead, libc::SYS_faccessat2,
    libc::SYS_getresuid, libc::SYS_getresgid, libc::SYS_sched_setaffinity,
    #[cfg(target_arch = "x86_64")] libc::SYS_fork,
    #[cfg(target_arch = "x86_64")] libc::SYS_vfork,
];

/// What work needs that computes and writes its result to an open file: memory, time, chance, its
/// own end.
#[rustfmt::skip]
const COMPUTE: &[c_long] = &[
    libc::SYS_read, libc::SYS_write, libc::SYS_writev, libc::SYS_lseek, libc::SYS_fstat, libc::SYS_close,
    libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mremap, libc::SYS_mprotect, libc::SYS_madvise, libc::SYS_brk,
    libc::SYS_futex, libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn, libc::SYS_sigaltstack,
    libc::SYS_clock_gettime, libc::SYS_gettimeofday, libc::SYS_getrandom, libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity, libc::SYS_getpid, libc::SYS_gettid, libc::SYS_getrusage,
    libc::SYS_exit, libc::SYS_exit_group, libc::SYS_restart_syscall,
];

/// A single static program.
pub fn program() -> impl Iterator<Item = c_long> {
    COMMON.iter().chain(MACHINE).copied()
}

/// A compiler, a linker, an archiver.
pub(crate) fn tool() -> impl Iterator<Item = c_long> {
    program().chain(STARTED.iter().copied())
}

/// Work that touches nothing.
pub(crate) fn compute() -> impl Iterator<Item = c_long> {
    COMPUTE.iter().copied()
}
