//! The supervisor: pid 1 of the sandbox's namespaces, which starts one program after the other.
//!
//! Making namespaces costs milliseconds, most of it for the network; so they are made once, and what a test could leave in them is
//! taken away after each: every process of the pid namespace is killed and reaped, the root is a fresh tmpfs, and the filter
//! allows nothing that would outlive a process (no shared memory, message queues or sockets).
//!
//! It is a clone of a threaded process, so it may not allocate, lock or panic: another thread may have held any lock. Everything it
//! needs lies in a [`Plan`] made before; it does system calls and nothing else. Rejected: starting our own executable with a hidden
//! verb, which would do away with that restriction, but a library whose users must first reserve a verb in their `main` is no library,
//! and a test harness has no such `main`. The program itself is started by a clone that shares the supervisor's memory until exec
//! (as vfork does): page tables, which may be those of a large explorer, are copied once and not for every test.
//!
//! The program is not pid 1 itself: the kernel withholds from that process the signals it raises, and `abort` would not abort.
//!
//! # Safety
//! All of this file is foreign border. `Plan` outlives the supervisor, since that has its own copy of the address space; the program's
//! stack and the plan are touched by one of supervisor and child at a time, since the supervisor sleeps until exec.

use crate::layout::{FILE, FOLDER, Head, LINK, Record};
use crate::page::{PAGE_DESCRIPTOR, TEST_DESCRIPTOR};
use libc::{c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::ptr::{null, null_mut};

/// The program's descriptor within the supervisor.
pub(crate) const PROGRAM: c_int = 200;
/// The control socket's.
const CONTROL: c_int = 201;
/// Lower descriptors are free for what comes with a request: standard input, output, error, test, page.
const RECEIVED: c_int = 3;
pub(crate) const PASSED: usize = 5;
/// An ordinary user inside; outside it is nobody, or whoever runs us.
pub(crate) const INSIDE: u32 = 1000;
pub(crate) const NOBODY: u32 = 65534;

/// Everything the supervisor needs.
pub(crate) struct Plan {
    pub control: c_int,
    pub program: c_int,
    /// Whether there is a user namespace, or we are root without one.
    pub user_namespace: bool,
    pub limits: [(c_uint, u64); 9],
    pub filter: libc::sock_fprog,
    /// The top of a stack for the child before exec.
    pub stack: *mut c_void,
    /// What the next program is given, shared with the parent.
    pub given: *const Head,
    /// Where and why the child failed before exec.
    pub failure: Reply,
    pub received: [c_int; PASSED],
    /// A folder of the machine's in which programs may leave files, or null; and the folders of a test's root down to the one where it is, then null.
    pub kept: *const c_char,
    pub kept_at: *const *const c_char,
}

/// A test to run.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Request {
    pub wall_ms: u64,
}

/// What became of it.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Reply {
    /// One of the constants below.
    pub kind: u32,
    /// As `wait` gives it.
    pub status: c_int,
    /// Index into [`STEPS`].
    pub step: u32,
    pub errno: c_int,
}

pub(crate) const READY: u32 = 1;
pub(crate) const ENDED: u32 = 2;
pub(crate) const TIMED_OUT: u32 = 3;
pub(crate) const FAILED: u32 = 4;

/// What can fail, for messages: "the sandbox could not …".
pub(crate) const STEPS: &[&str] = &[
    "start",
    "arrange its descriptors",
    "take an ordinary identity",
    "make mounts private",
    "mount an empty root",
    "enter the empty root",
    "drop privileges",
    "limit resources",
    "install the system-call filter",
    "start the program",
    "receive a test",
    "start a process",
    "make the program's files",
    "mount the folder that is kept",
];
const DESCRIPTORS: u32 = 1;
const IDENTITY: u32 = 2;
const PRIVATE: u32 = 3;
const MOUNT: u32 = 4;
const ENTER: u32 = 5;
const PRIVILEGES: u32 = 6;
const LIMIT: u32 = 7;
const FILTER: u32 = 8;
pub(crate) const START: u32 = 9;
const RECEIVE: u32 = 10;
const PROCESS: u32 = 11;
const FILES: u32 = 12;
const KEEP: u32 = 13;

const ROOT_OPTIONS: &[u8] = b"mode=0777,size=64m,nr_inodes=4096\0";
const TEST_ROOT: &[u8] = b"/root\0";
/// Where the folder that is kept is held between tests.
const KEPT: &[u8] = b"/kept\0";
const TEST_DEVICES: &[u8] = b"/root/dev\0";
/// Devices that programs find: where they are held between tests, on the machine, and for a test.
const DEVICES: [(&[u8], &[u8], &[u8]); 2] =
    [(b"/null\0", b"/dev/null\0", b"/root/dev/null\0"), (b"/zero\0", b"/dev/zero\0", b"/root/dev/zero\0")];
/// When the modelled world begins: the files of a test are as old.
const BEGINNING: i64 = 1_600_000_000;
/// Any folder does to hang the first mount on; one of these exists.
const FOLDERS: [&[u8]; 5] = [b"/tmp\0", b"/proc\0", b"/dev\0", b"/usr\0", b"/sys\0"];

fn text(bytes: &'static [u8]) -> *const c_char {
    bytes.as_ptr().cast()
}

fn errno() -> c_int {
    // SAFETY: the address of a thread-local number.
    unsafe { *libc::__errno_location() }
}

type Step = Result<(), Reply>;

/// A system call that gives a negative number on failure.
fn check(step: u32, result: impl Into<i64>) -> Result<i64, Reply> {
    match result.into() {
        result if result >= 0 => Ok(result),
        _ => Err(Reply { kind: FAILED, status: 0, step, errno: errno() }),
    }
}

/// The supervisor's life. It ends when the other side of the control socket is closed.
pub(crate) extern "C" fn supervise(plan: *mut c_void) -> c_int {
    // SAFETY: see the head of the file; the plan is ours alone.
    unsafe {
        let plan: &mut Plan = &mut *plan.cast();
        if let Err(reply) = set_up(plan) {
            send(plan.control, &reply);
            libc::_exit(1);
        }
        send(CONTROL, &Reply { kind: READY, ..Reply::default() });
        loop {
            let reply = match receive(plan) {
                Ok(Some(request)) => run(plan, &request).unwrap_or_else(|reply| reply),
                Ok(None) => libc::_exit(0),
                Err(reply) => reply,
            };
            send(CONTROL, &reply);
        }
    }
}

unsafe fn send(socket: c_int, reply: &Reply) {
    unsafe { libc::send(socket, (&raw const *reply).cast(), size_of::<Reply>(), libc::MSG_NOSIGNAL) };
}

unsafe fn set_up(plan: &mut Plan) -> Step {
    unsafe {
        // The parent has written the identity maps when this byte comes.
        let mut byte = 0u8;
        if libc::read(plan.control, (&raw mut byte).cast(), 1) != 1 {
            libc::_exit(1);
        }
        libc::setsid();
        default_signals();
        keep_descriptors(plan)?;
        if plan.user_namespace {
            take_identity()?;
        }
        empty_root(plan)?;
        drop_bounds();
    }
    Ok(())
}

/// Forgets handlers of the parent's, and that it ignores some signals, which exec would hand on. All stay blocked here.
unsafe fn default_signals() {
    unsafe {
        // All zero is the default action. The C library would refuse the two signals that it uses itself.
        let action = [0u64; 4];
        for signal in 1..=64 {
            libc::syscall(libc::SYS_rt_sigaction, signal, action.as_ptr(), null_mut::<u64>(), 8);
        }
    }
}

unsafe fn close_range(first: c_int, last: c_uint) -> c_long {
    unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) }
}

/// Keeps the program and the control socket, at their places. A descriptor of the parent's left open would keep its pipes from ending.
unsafe fn keep_descriptors(plan: &mut Plan) -> Step {
    unsafe {
        let high = |fd| check(DESCRIPTORS, libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, CONTROL + 1));
        let (program, control) = (high(plan.program)? as c_int, high(plan.control)? as c_int);
        for (from, to) in [(program, PROGRAM), (control, CONTROL)] {
            check(DESCRIPTORS, libc::dup3(from, to, libc::O_CLOEXEC))?;
        }
        // From here on failures are reported there.
        plan.control = CONTROL;
        check(DESCRIPTORS, close_range(0, PROGRAM as c_uint - 1))?;
        check(DESCRIPTORS, close_range(CONTROL + 1, c_uint::MAX))?;
        // So that what is received lands beyond the standard descriptors.
        for standard in 0..RECEIVED {
            check(DESCRIPTORS, libc::dup3(PROGRAM, standard, libc::O_CLOEXEC))?;
        }
    }
    Ok(())
}

/// Becomes the user that the namespace maps, and keeps the capabilities within it. Raw calls: those of the C library speak to threads
/// that do not exist here.
unsafe fn take_identity() -> Step {
    const NOROOT_AND_NO_FIXUP: c_ulong = 0b1111;
    unsafe {
        libc::prctl(libc::PR_SET_SECUREBITS, NOROOT_AND_NO_FIXUP, 0, 0, 0);
        // Denied where the map was written by an ordinary user, who has no groups to lose.
        libc::syscall(libc::SYS_setgroups, 0, null::<u32>());
        check(IDENTITY, libc::syscall(libc::SYS_setresgid, INSIDE, INSIDE, INSIDE))?;
        check(IDENTITY, libc::syscall(libc::SYS_setresuid, INSIDE, INSIDE, INSIDE))?;
    }
    Ok(())
}

/// An empty root, read-only but for what each test mounts on it; the old one is gone from this namespace.
unsafe fn empty_root(plan: &Plan) -> Step {
    let tmpfs = text(b"tmpfs\0");
    let (slash, dot) = (text(b"/\0"), text(b".\0"));
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    unsafe {
        check(PRIVATE, libc::mount(null(), slash, null(), libc::MS_REC | libc::MS_PRIVATE, null()))?;
        // Taken before something is mounted over it.
        let kept = match plan.kept.is_null() {
            true => -1,
            false => check(KEEP, libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, plan.kept, libc::OPEN_TREE_CLONE))?,
        } as c_int;
        let mount = |folder: &&[u8]| {
            let folder = folder.as_ptr().cast();
            libc::mount(tmpfs, folder, tmpfs, flags, text(ROOT_OPTIONS).cast()) == 0 && libc::chdir(folder) == 0
        };
        check(MOUNT, if FOLDERS.iter().any(mount) { 0 } else { -1 })?;
        for (device, _, _) in DEVICES {
            // Where the machine has no such device, programs have none either.
            let held = libc::open(device[1..].as_ptr().cast(), libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC, 0o644);
            libc::close(held);
        }
        for (held, host, _) in DEVICES {
            libc::mount(text(host), held[1..].as_ptr().cast(), null(), libc::MS_BIND, null());
        }
        if kept >= 0 {
            let (at, empty) = (KEPT[1..].as_ptr().cast::<c_char>(), text(b"\0"));
            check(KEEP, libc::mkdir(at, 0o755))?;
            let flags = libc::MOVE_MOUNT_F_EMPTY_PATH;
            check(KEEP, libc::syscall(libc::SYS_move_mount, kept, empty, libc::AT_FDCWD, at, flags))?;
            libc::close(kept);
        }
        check(ENTER, libc::syscall(libc::SYS_pivot_root, dot, dot))?;
        check(ENTER, libc::umount2(dot, libc::MNT_DETACH))?;
        check(ENTER, libc::chdir(slash))?;
        check(MOUNT, libc::mkdir(text(TEST_ROOT), 0o755))?;
        let flags = flags | libc::MS_REMOUNT | libc::MS_RDONLY;
        check(MOUNT, libc::mount(null(), slash, null(), flags, text(ROOT_OPTIONS).cast()))?;
    }
    Ok(())
}

/// No exec from here on can gain a capability. Those of the supervisor itself stay: it mounts.
unsafe fn drop_bounds() {
    for capability in 0..64 {
        // Sound: those beyond the kernel's last are refused, and exist nowhere.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability as c_ulong, 0, 0, 0) };
    }
}

/// Space for a control message with the descriptors, aligned as its header must be.
#[repr(C, align(8))]
struct Control([u8; 64]);

/// The next test; nothing when the parent is gone.
unsafe fn receive(plan: &mut Plan) -> Result<Option<Request>, Reply> {
    unsafe {
        let mut request = Request::default();
        let mut control = Control([0; 64]);
        let mut part = libc::iovec { iov_base: (&raw mut request).cast(), iov_len: size_of::<Request>() };
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = (&raw mut control).cast();
        message.msg_controllen = size_of::<Control>();
        let length = check(RECEIVE, libc::recvmsg(CONTROL, &mut message, libc::MSG_CMSG_CLOEXEC) as i64)?;
        if length == 0 {
            return Ok(None);
        }
        let header = libc::CMSG_FIRSTHDR(&message);
        let whole = !header.is_null()
            && length as usize == size_of::<Request>()
            && (*header).cmsg_len == libc::CMSG_LEN(size_of::<[c_int; PASSED]>() as u32) as usize;
        if !whole {
            close_range(RECEIVED, PROGRAM as c_uint - 1);
            return Err(Reply { kind: FAILED, status: 0, step: RECEIVE, errno: libc::EMFILE });
        }
        plan.received = libc::CMSG_DATA(header).cast::<[c_int; PASSED]>().read_unaligned();
        Ok(Some(request))
    }
}

/// One test: an empty root, the program on it, and nothing left afterwards.
unsafe fn run(plan: &mut Plan, request: &Request) -> Result<Reply, Reply> {
    unsafe {
        let tmpfs = text(b"tmpfs\0");
        let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
        let mounted = libc::mount(tmpfs, text(TEST_ROOT), tmpfs, flags, text(ROOT_OPTIONS).cast());
        let result = check(MOUNT, mounted).and_then(|_| {
            devices();
            keep(plan)?;
            start(plan)
        });
        // Else the parent would wait for the end of pipes that we hold.
        for &descriptor in &plan.received {
            libc::close(descriptor);
        }
        let reply = result.map(|(child, handle)| wait(child, handle, request.wall_ms));
        clean_up();
        reply
    }
}

/// Devices on the test's root.
unsafe fn devices() {
    unsafe {
        libc::umask(0);
        libc::mkdir(text(TEST_DEVICES), 0o755);
        for (held, _, device) in DEVICES {
            libc::close(libc::open(text(device), libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC, 0o666));
            libc::mount(text(held), text(device), null(), libc::MS_BIND, null());
        }
    }
}

/// The folder in which the program may leave files, at its place on the test's root.
unsafe fn keep(plan: &Plan) -> Step {
    unsafe {
        let (mut at, mut last) = (plan.kept_at, null());
        while !plan.kept.is_null() && !(*at).is_null() {
            last = *at;
            libc::mkdir(last, 0o755);
            at = at.add(1);
        }
        if !last.is_null() {
            check(KEEP, libc::mount(text(KEPT), last, null(), libc::MS_BIND, null()))?;
            let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_BIND | libc::MS_REMOUNT;
            check(KEEP, libc::mount(null(), last, null(), flags, null()))?;
        }
    }
    Ok(())
}

/// Kills and reaps everything else in this pid namespace, and throws the root away. `kill` with -1 reaches all processes at once: one
/// that forks meanwhile cannot complete it.
unsafe fn clean_up() {
    unsafe {
        libc::kill(-1, libc::SIGKILL);
        while libc::waitpid(-1, null_mut(), libc::__WALL) > 0 {}
        libc::umount2(text(TEST_ROOT), libc::MNT_DETACH);
    }
}

/// Starts the program: its pid and a descriptor that tells its end.
unsafe fn start(plan: &mut Plan) -> Result<(c_int, c_int), Reply> {
    unsafe {
        plan.failure = Reply::default();
        let mut handle: c_int = -1;
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
        let (stack, argument) = (plan.stack, (&raw mut *plan).cast());
        let child = check(PROCESS, libc::clone(child, stack, flags, argument, &raw mut handle))? as c_int;
        // Written by the child, behind the compiler's back.
        let failure = (&raw const plan.failure).read_volatile();
        if failure.kind == FAILED {
            libc::close(handle);
            return Err(failure);
        }
        Ok((child, handle))
    }
}

unsafe fn now_ms() -> u64 {
    unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time);
        time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000
    }
}

/// Waits for the end of the program, of its time, or of the parent.
unsafe fn wait(child: c_int, handle: c_int, wall_ms: u64) -> Reply {
    unsafe {
        let deadline = now_ms().saturating_add(wall_ms);
        let mut ended = false;
        loop {
            let left = deadline.saturating_sub(now_ms());
            let mut events = [
                libc::pollfd { fd: handle, events: libc::POLLIN, revents: 0 },
                libc::pollfd { fd: CONTROL, events: libc::POLLRDHUP, revents: 0 },
            ];
            libc::poll(events.as_mut_ptr(), 2, left.min(1 << 30) as c_int);
            if events[1].revents != 0 {
                // With pid 1 the kernel ends the whole namespace.
                libc::_exit(0);
            }
            ended |= events[0].revents != 0;
            if ended || left == 0 {
                break;
            }
        }
        libc::close(handle);
        if !ended {
            libc::kill(child, libc::SIGKILL);
        }
        let mut status = 0;
        while libc::waitpid(child, &mut status, 0) < 0 && errno() == libc::EINTR {}
        Reply { kind: if ended { ENDED } else { TIMED_OUT }, status, ..Reply::default() }
    }
}

/// The child until exec, in the supervisor's memory.
extern "C" fn child(plan: *mut c_void) -> c_int {
    // SAFETY: the supervisor sleeps meanwhile.
    unsafe {
        let plan: *mut Plan = plan.cast();
        if let Err(reply) = become_program(&*plan) {
            (&raw mut (*plan).failure).write_volatile(reply);
        }
        libc::_exit(127);
    }
}

unsafe fn become_program(plan: &Plan) -> Step {
    unsafe {
        libc::setsid();
        check(ENTER, libc::chdir(text(TEST_ROOT)))?;
        check(ENTER, libc::chroot(text(b".\0")))?;
        for (from, to) in plan.received.iter().zip([0, 1, 2, TEST_DESCRIPTOR, PAGE_DESCRIPTOR]) {
            check(DESCRIPTORS, libc::dup2(*from, to))?;
        }
        drop_privileges(plan)?;
        let given = &*plan.given;
        make_files(given)?;
        check(FILES, libc::chdir(given.folder))?;
        for &(resource, value) in &plan.limits {
            // A second more until the kernel is no longer polite.
            let grace = u64::from(resource == libc::RLIMIT_CPU as c_uint);
            let limit = libc::rlimit { rlim_cur: value, rlim_max: value.saturating_add(grace) };
            // What the parent may not raise stays lower.
            if libc::setrlimit(resource as _, &limit) != 0 && errno() != libc::EPERM {
                check(LIMIT, -1)?;
            }
        }
        // The same addresses in every run: a program may ask for them. Where the kernel denies that, they differ.
        libc::personality(libc::ADDR_NO_RANDOMIZE as c_ulong);
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, null_mut());
        check(FILTER, libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1 as c_ulong, 0, 0, 0))?;
        let mode = libc::SECCOMP_SET_MODE_FILTER;
        check(FILTER, libc::syscall(libc::SYS_seccomp, mode, 0, &raw const plan.filter))?;
        let (name, arguments, environment) = (text(b"\0"), given.arguments, given.environment);
        check(START, libc::syscall(libc::SYS_execveat, PROGRAM, name, arguments, environment, libc::AT_EMPTY_PATH))?;
    }
    Ok(())
}

/// The files of the test, as the program's own user. Folders get their permissions and times when all is in them.
unsafe fn make_files(given: &Head) -> Step {
    unsafe {
        libc::umask(0);
        let records = std::slice::from_raw_parts(given.files, given.count);
        for record in records {
            make_file(record)?;
        }
        let times = [libc::timespec { tv_sec: BEGINNING, tv_nsec: 0 }; 2];
        for record in records.iter().rev() {
            if record.kind == FOLDER {
                libc::chmod(record.path, record.mode);
            }
            libc::utimensat(libc::AT_FDCWD, record.path, times.as_ptr(), libc::AT_SYMLINK_NOFOLLOW);
        }
        libc::umask(0o022);
    }
    Ok(())
}

unsafe fn make_file(record: &Record) -> Step {
    unsafe {
        match record.kind {
            FOLDER => {
                // One that is there already is fine.
                libc::mkdir(record.path, 0o755);
            }
            LINK => {
                check(FILES, libc::symlink(record.data.cast(), record.path))?;
            }
            FILE => {
                let flags = libc::O_CREAT | libc::O_TRUNC | libc::O_WRONLY | libc::O_CLOEXEC;
                let file = check(FILES, libc::open(record.path, flags, 0o600))? as c_int;
                let mut done = 0;
                while done < record.length {
                    let left = record.length - done;
                    done += check(FILES, libc::write(file, record.data.add(done).cast(), left) as i64)? as usize;
                }
                check(FILES, libc::fchmod(file, record.mode))?;
                libc::close(file);
            }
            _ => {}
        }
    }
    Ok(())
}

/// No capability, and not root of the machine.
unsafe fn drop_privileges(plan: &Plan) -> Step {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: c_int,
    }
    const VERSION_3: u32 = 0x2008_0522;
    unsafe {
        if !plan.user_namespace {
            let groups = check(PRIVILEGES, libc::syscall(libc::SYS_setgroups, 0, null::<u32>()));
            let group = libc::syscall(libc::SYS_setresgid, NOBODY, NOBODY, NOBODY);
            // Root of a container whose namespace has no other user stays what it is: without
            // capabilities it is an ordinary user.
            if group == 0 || errno() != libc::EINVAL {
                check(PRIVILEGES, group)?;
                groups?;
                check(PRIVILEGES, libc::syscall(libc::SYS_setresuid, NOBODY, NOBODY, NOBODY))?;
            }
        }
        let (header, none) = (Header { version: VERSION_3, pid: 0 }, [0u32; 6]);
        check(PRIVILEGES, libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr()))?;
    }
    Ok(())
}
