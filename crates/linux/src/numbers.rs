//! Numbers of the kernel's interface for x86-64: errors, flags, modes.

pub(crate) const EPERM: i64 = -1;
pub(crate) const ENOENT: i64 = -2;
pub(crate) const ESRCH: i64 = -3;
pub(crate) const EINTR: i64 = -4;
pub(crate) const EIO: i64 = -5;
pub(crate) const ENXIO: i64 = -6;
pub(crate) const EBADF: i64 = -9;
pub(crate) const ECHILD: i64 = -10;
pub(crate) const EAGAIN: i64 = -11;
pub(crate) const ENOMEM: i64 = -12;
pub(crate) const EACCES: i64 = -13;
pub(crate) const EFAULT: i64 = -14;
pub(crate) const EBUSY: i64 = -16;
pub(crate) const EEXIST: i64 = -17;
pub(crate) const ENODEV: i64 = -19;
pub(crate) const ENOTDIR: i64 = -20;
pub(crate) const EISDIR: i64 = -21;
pub(crate) const EINVAL: i64 = -22;
pub(crate) const EMFILE: i64 = -24;
pub(crate) const ENOTTY: i64 = -25;
pub(crate) const EFBIG: i64 = -27;
pub(crate) const ENOSPC: i64 = -28;
pub(crate) const ESPIPE: i64 = -29;
pub(crate) const EPIPE: i64 = -32;
pub(crate) const ERANGE: i64 = -34;
pub(crate) const ENAMETOOLONG: i64 = -36;
pub(crate) const ENOSYS: i64 = -38;
pub(crate) const ENOTEMPTY: i64 = -39;
pub(crate) const ELOOP: i64 = -40;
pub(crate) const ENOTSOCK: i64 = -88;
pub(crate) const EPROTONOSUPPORT: i64 = -93;
pub(crate) const EOPNOTSUPP: i64 = -95;
pub(crate) const EAFNOSUPPORT: i64 = -97;
pub(crate) const EISCONN: i64 = -106;
pub(crate) const ENOTCONN: i64 = -107;
pub(crate) const ECONNREFUSED: i64 = -111;

pub(crate) const O_ACCMODE: u32 = 3;
pub(crate) const O_WRONLY: u32 = 1;
pub(crate) const O_RDWR: u32 = 2;
pub(crate) const O_CREAT: u32 = 0o100;
pub(crate) const O_EXCL: u32 = 0o200;
pub(crate) const O_NOCTTY: u32 = 0o400;
pub(crate) const O_TRUNC: u32 = 0o1000;
pub(crate) const O_APPEND: u32 = 0o2000;
pub(crate) const O_NONBLOCK: u32 = 0o4000;
pub(crate) const O_LARGEFILE: u32 = 0o100000;
pub(crate) const O_DIRECTORY: u32 = 0o200000;
pub(crate) const O_NOFOLLOW: u32 = 0o400000;
pub(crate) const O_CLOEXEC: u32 = 0o2000000;
pub(crate) const O_PATH: u32 = 0o10000000;
pub(crate) const O_TMPFILE: u32 = 0o20000000;

pub(crate) const AT_FDCWD: i32 = -100;
pub(crate) const AT_SYMLINK_NOFOLLOW: u32 = 0x100;
pub(crate) const AT_REMOVEDIR: u32 = 0x200;
pub(crate) const AT_SYMLINK_FOLLOW: u32 = 0x400;
pub(crate) const AT_EMPTY_PATH: u32 = 0x1000;

pub(crate) const S_IFIFO: u32 = 0o010000;
pub(crate) const S_IFCHR: u32 = 0o020000;
pub(crate) const S_IFDIR: u32 = 0o040000;
pub(crate) const S_IFREG: u32 = 0o100000;
pub(crate) const S_IFLNK: u32 = 0o120000;
pub(crate) const S_IFSOCK: u32 = 0o140000;

/// The longest name of a file, and of a way to one (with its zero).
pub(crate) const NAME_MAX: usize = 255;
pub(crate) const PATH_MAX: usize = 4096;
/// Links that are followed on one way.
pub(crate) const LINKS: u32 = 40;

/// Who runs the program; the native runtime says the same.
pub(crate) const USER: u32 = 1000;
/// Its process, and the one that started it.
pub(crate) const PROCESS: i64 = 2;
pub(crate) const PARENT: i64 = 1;
/// When it starts, in seconds since 1970.
pub(crate) const START: u64 = 1_600_000_000;
/// How far the clock moves when somebody looks at it, in nanoseconds.
pub(crate) const TICK: u64 = 1_000;
/// Descriptors that may be open.
pub(crate) const DESCRIPTORS: usize = 256;
/// Bytes that all files may have together.
pub(crate) const DISK: u64 = 48 << 20;
