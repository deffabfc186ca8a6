//! The sandbox from outside: makes the supervisor, hands it tests, collects what they print.

use crate::page::{self, Page};
use crate::refusal::Refusal;
use crate::supervisor::{self, PASSED, Plan, Reply, Request};
use crate::sweep::Sweep;
use crate::watch::Watch;
use crate::{Entry, filter, layout, signal};
use libc::{c_char, c_int, c_uint, c_void};
use std::ffi::CString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::time::Duration;

/// What a program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time on the wall.
    pub wall: Duration,
    /// Processor time, rounded up to seconds.
    pub cpu: Duration,
    /// Address space in bytes.
    pub memory: u64,
    /// Memory in bytes that it really has. It is looked at now and then while the program runs:
    /// for several sandboxes at once, each one's share of what the machine can spare.
    pub resident: u64,
    /// The stack in bytes.
    pub stack: u64,
    /// The size of a file in bytes.
    pub file: u64,
    /// Open descriptors.
    pub files: u64,
    /// Bytes kept of each of standard output and error; the rest is read and dropped.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            wall: Duration::from_secs(10),
            cpu: Duration::from_secs(10),
            memory: 4 << 30,
            resident: 4 << 30,
            stack: 8 << 20,
            file: 64 << 20,
            files: 256,
            output: 1 << 20,
        }
    }
}

/// A folder of the machine's in which programs may leave files: what coverage writes, for instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Where programs find it, from the root on.
    pub inside: PathBuf,
    /// Where it is. Programs are another user there, who must be allowed to write.
    pub outside: PathBuf,
    /// How many bytes programs may add to it.
    pub quota: u64,
}

impl Kept {
    /// Its place on the machine, and all folders down to its place on a test's root.
    fn places(&self) -> Result<(CString, Vec<CString>), Refusal> {
        let text =
            |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(|error| Refusal::Resources(error.into()));
        let inside = Path::new("/root").join(self.inside.strip_prefix("/").unwrap_or(&self.inside));
        let mut steps: Vec<&Path> = inside.ancestors().filter(|step| step.starts_with("/root/")).collect();
        steps.retain(|step| *step != Path::new("/root"));
        steps.reverse();
        let steps = steps.into_iter().map(text).collect::<Result<_, _>>()?;
        Ok((text(&self.outside.canonicalize().map_err(Refusal::Resources)?)?, steps))
    }
}

/// A test as the program gets it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// The bytes of the `.ktest` file.
    pub ktest: &'a [u8],
    /// The arguments, the program's name first.
    pub arguments: &'a [Vec<u8>],
    /// `NAME=value`.
    pub environment: &'a [Vec<u8>],
    /// Files that are there.
    pub files: &'a [Entry],
    /// The folder it starts in; the root where it is empty.
    pub folder: &'a [u8],
    /// Standard input.
    pub stdin: &'a [u8],
    /// How many branches are predicted.
    pub branches: u64,
    /// Where the program's memory lies.
    pub placing: Placing,
    /// When the program is left.
    pub leave: Leave,
}

/// Where the blocks of a program's heap and its arguments lie, if it was made for replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placing {
    /// Where errors show: blocks end at inaccessible pages; the arguments are the kernel's, one behind the other.
    #[default]
    Guarded,
    /// As the engine places them: all apart, at multiples of 16.
    Modelled,
    /// The same, and behind an argument's end lies what the test has there.
    Padded,
    /// Arguments as `Modelled`; the heap's blocks and the program's own local variables at the engine's very addresses.
    Exact,
}

/// When a program that was made for replay is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leave {
    /// When it ends.
    #[default]
    AtItsEnd,
    /// At its first branch beyond the predicted ones: of a path that was left, all that can be compared has happened.
    BeyondThePath,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to standard output, as far as it was kept.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, as far as it was kept.
    pub stderr: Vec<u8>,
    /// Whether output was dropped.
    pub cut: bool,
    /// What the runtime left.
    pub page: Page,
}

impl Observed {
    /// How many inputs of the test the program has not asked for, if there are any and it ended by itself.
    pub fn unasked(&self) -> Option<u64> {
        Some(self.page.unasked).filter(|count| *count > 0 && matches!(self.ending, Ending::Exit(_)))
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this status.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// Killed, since its time was over.
    TimedOut,
}

impl fmt::Display for Ending {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ending::Exit(status) => write!(out, "exit {status}"),
            Ending::Signal(number) => write!(out, "death by {}", signal::name(*number)),
            Ending::TimedOut => write!(out, "no end within the time limit"),
        }
    }
}

/// A program in a sandbox, ready to run tests one after the other. For several at once make several.
#[derive(Debug)]
pub struct Sandbox {
    path: PathBuf,
    control: OwnedFd,
    supervisor: c_int,
    page: File,
    arguments: Mapping,
    limits: Limits,
    kept: Option<Sweep>,
    watch: Watch,
}

const STACK: usize = 256 << 10;

impl Sandbox {
    /// A sandbox around a static program.
    pub fn new(program: &Path, limits: Limits) -> Result<Sandbox, Refusal> {
        Sandbox::keeping(program, limits, None)
    }

    /// The same, with a folder in which programs may leave files.
    pub fn keeping(program: &Path, limits: Limits, kept: Option<&Kept>) -> Result<Sandbox, Refusal> {
        let resources = Refusal::Resources;
        let copy = copy(program).map_err(|error| Refusal::Program(program.into(), error))?;
        let page = memory(&[0; page::SIZE], libc::F_SEAL_GROW | libc::F_SEAL_SHRINK | libc::F_SEAL_SEAL);
        let page = page.map_err(resources)?;
        let arguments = Mapping::new(layout::ROOM, libc::MAP_SHARED | libc::MAP_NORESERVE).map_err(resources)?;
        let stack = Mapping::new(STACK, libc::MAP_PRIVATE).map_err(resources)?;
        let (control, other) = sockets().map_err(resources)?;
        let filter = filter::filter(supervisor::PROGRAM);
        let (host, inside) = kept.map(Kept::places).transpose()?.unzip();
        let inside: Vec<CString> = inside.unwrap_or_default();
        let steps: Vec<*const c_char> = inside.iter().map(|step| step.as_ptr()).chain([null()]).collect();
        let mut plan = Plan {
            control: other.as_raw_fd(),
            program: copy.as_raw_fd(),
            user_namespace: true,
            limits: resource_limits(&limits),
            filter: libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() },
            stack: stack.end(STACK / 2),
            given: arguments.start.cast_const().cast(),
            failure: Reply::default(),
            received: [-1; PASSED],
            kept: host.as_ref().map_or(null(), |host| host.as_ptr()),
            kept_at: steps.as_ptr(),
        };
        let sweep = kept.map(|kept| Sweep::before(&kept.outside));
        let supervisor = clone(&mut plan, stack.end(STACK))?;
        drop(other);
        let watch = Watch::new(supervisor, limits.resident, kept);
        let sandbox =
            Sandbox { path: program.into(), control, supervisor, page, arguments, limits, kept: sweep, watch };
        sandbox.prepare(plan.user_namespace)?;
        Ok(sandbox)
    }

    /// Gives the supervisor its identity and waits until it is ready.
    fn prepare(&self, user_namespace: bool) -> Result<(), Refusal> {
        if user_namespace {
            map_identity(self.supervisor).map_err(|error| Refusal::Setup("map its user", error))?;
        }
        let mut socket = File::from(self.control.try_clone().map_err(Refusal::Resources)?);
        socket.write_all(b"!").map_err(|_| Refusal::Lost)?;
        let reply = self.reply()?;
        match reply.kind {
            supervisor::READY => Ok(()),
            _ => Err(self.failure(&reply)),
        }
    }

    fn failure(&self, reply: &Reply) -> Refusal {
        let error = io::Error::from_raw_os_error(reply.errno);
        match reply.step {
            supervisor::START => Refusal::Program(self.path.clone(), error),
            step => Refusal::Setup(supervisor::STEPS.get(step as usize).unwrap_or(&"start"), error),
        }
    }

    fn reply(&self) -> Result<Reply, Refusal> {
        let mut reply = Reply::default();
        // SAFETY: plain numbers, as many bytes as there are.
        let length = unsafe { libc::recv(self.control.as_raw_fd(), (&raw mut reply).cast(), size_of::<Reply>(), 0) };
        if length == size_of::<Reply>() as isize { Ok(reply) } else { Err(Refusal::Lost) }
    }

    /// Runs the program on a test.
    pub fn run(&mut self, input: &Input) -> Result<Observed, Refusal> {
        self.place(input)?;
        self.page.write_all_at(&page::fresh(input), 0).map_err(Refusal::Resources)?;
        let seals = libc::F_SEAL_WRITE | libc::F_SEAL_GROW | libc::F_SEAL_SHRINK | libc::F_SEAL_SEAL;
        let prepare = || -> io::Result<_> {
            Ok((read_only(memory(input.stdin, seals)?), memory(input.ktest, seals)?, io::pipe()?, io::pipe()?))
        };
        let (stdin, test, (stdout, to_stdout), (stderr, to_stderr)) = prepare().map_err(Refusal::Resources)?;
        let descriptors =
            [stdin.as_raw_fd(), to_stdout.as_raw_fd(), to_stderr.as_raw_fd(), test.as_raw_fd(), self.page.as_raw_fd()];
        self.request(descriptors)?;
        drop((to_stdout, to_stderr));
        let mut outputs = [Output::new(stdout.into()), Output::new(stderr.into())];
        let reply = self.collect(&mut outputs)?;
        let ending = match reply.kind {
            supervisor::ENDED => ending(reply.status),
            supervisor::TIMED_OUT => Ending::TimedOut,
            _ => return Err(self.failure(&reply)),
        };
        let mut bytes = [0; page::SIZE];
        self.page.read_exact_at(&mut bytes, 0).map_err(Refusal::Resources)?;
        let [stdout, stderr] = outputs;
        let cut = stdout.cut || stderr.cut;
        Ok(Observed { ending, stdout: stdout.kept, stderr: stderr.kept, cut, page: Page::parse(&bytes) })
    }

    /// Lays out what the program is given in the memory that the supervisor sees at the same address.
    fn place(&self, input: &Input) -> Result<(), Refusal> {
        let name = [b"program".to_vec()];
        let arguments = if input.arguments.is_empty() { &name[..] } else { input.arguments };
        // SAFETY: the mapping has as much room, and nobody reads it before the request is sent.
        unsafe { layout::lay_out(self.arguments.start.cast(), arguments, input.environment, input.folder, input.files) }
    }

    fn request(&self, descriptors: [RawFd; PASSED]) -> Result<(), Refusal> {
        let request = Request { wall_ms: self.limits.wall.as_millis().min(u128::from(u32::MAX)) as u64 };
        // SAFETY: a message of one part and one control header, in buffers that live until it is sent.
        let sent = unsafe {
            let mut buffer = [0u64; 8];
            let mut part =
                libc::iovec { iov_base: (&raw const request).cast_mut().cast(), iov_len: size_of::<Request>() };
            let mut message: libc::msghdr = std::mem::zeroed();
            message.msg_iov = &raw mut part;
            message.msg_iovlen = 1;
            message.msg_control = buffer.as_mut_ptr().cast();
            message.msg_controllen = libc::CMSG_SPACE(size_of_val(&descriptors) as u32) as _;
            let header = libc::CMSG_FIRSTHDR(&message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(size_of_val(&descriptors) as u32) as _;
            libc::CMSG_DATA(header).cast::<[RawFd; PASSED]>().write_unaligned(descriptors);
            libc::sendmsg(self.control.as_raw_fd(), &message, libc::MSG_NOSIGNAL)
        };
        if sent == size_of::<Request>() as isize { Ok(()) } else { Err(Refusal::Lost) }
    }

    /// Reads output until both pipes end, then the reply. The supervisor sees to it that they do.
    /// Meanwhile it looks at what the program takes that no limit of the kernel's bounds.
    fn collect(&mut self, outputs: &mut [Output; 2]) -> Result<Reply, Refusal> {
        loop {
            let event = |descriptor: Option<RawFd>| libc::pollfd {
                fd: descriptor.unwrap_or(-1),
                events: libc::POLLIN,
                revents: 0,
            };
            let pipes = [0, 1].map(|index| outputs[index].pipe.as_ref().map(AsRawFd::as_raw_fd));
            let control = pipes.iter().all(Option::is_none).then_some(self.control.as_raw_fd());
            let mut events = [event(pipes[0]), event(pipes[1]), event(control)];
            // SAFETY: three entries.
            let ready = unsafe { libc::poll(events.as_mut_ptr(), 3, self.watch.pause()) };
            if events[2].revents != 0 {
                return self.reply();
            }
            for (output, event) in outputs.iter_mut().zip(events) {
                if event.revents != 0 {
                    output.read(self.limits.output);
                }
            }
            // A program that prints all the time is looked at as well.
            if let (true, Some(excess)) = (ready >= 0, self.watch.look()) {
                self.end();
                return Err(excess);
            }
        }
    }

    /// Ends the supervisor and, with its namespace, all that runs there.
    fn end(&self) {
        // SAFETY: our own child, which is waited for when we are dropped.
        unsafe { libc::kill(self.supervisor, libc::SIGKILL) };
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // SAFETY: our own child, not waited for yet. The kernel ends its whole pid namespace with it.
        unsafe {
            libc::kill(self.supervisor, libc::SIGKILL);
            while libc::waitpid(self.supervisor, null_mut(), 0) < 0
                && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
            {}
        }
        // Nobody writes to the folder any more.
        if let Some(kept) = &self.kept {
            kept.after();
        }
    }
}

/// One of standard output and error.
struct Output {
    pipe: Option<File>,
    kept: Vec<u8>,
    cut: bool,
}

impl Output {
    fn new(pipe: OwnedFd) -> Output {
        Output { pipe: Some(pipe.into()), kept: Vec::new(), cut: false }
    }

    fn read(&mut self, limit: usize) {
        let Some(pipe) = &mut self.pipe else { return };
        let mut buffer = [0; 16 << 10];
        match pipe.read(&mut buffer) {
            Ok(0) => self.pipe = None,
            Ok(length) => {
                let keep = length.min(limit - self.kept.len());
                self.kept.extend_from_slice(&buffer[..keep]);
                self.cut |= keep < length;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.pipe = None,
        }
    }
}

fn ending(status: c_int) -> Ending {
    if libc::WIFEXITED(status) {
        return Ending::Exit(libc::WEXITSTATUS(status));
    }
    match libc::WTERMSIG(status) {
        // The limit on processor time.
        libc::SIGXCPU => Ending::TimedOut,
        signal => Ending::Signal(signal),
    }
}

fn resource_limits(limits: &Limits) -> [(c_uint, u64); 9] {
    let seconds = limits.cpu.as_secs() + u64::from(limits.cpu.subsec_nanos() > 0);
    [
        (libc::RLIMIT_CPU as c_uint, seconds.max(1)),
        (libc::RLIMIT_AS as c_uint, limits.memory),
        (libc::RLIMIT_STACK as c_uint, limits.stack),
        (libc::RLIMIT_FSIZE as c_uint, limits.file),
        // Below the program's own descriptor: a file that was put in its place could be executed in place of it.
        (libc::RLIMIT_NOFILE as c_uint, limits.files.min(supervisor::PROGRAM as u64)),
        (libc::RLIMIT_NPROC as c_uint, 1),
        // Where the system pipes cores to a program, that would run on the machine with the image of a hostile one. The kernel starts it in
        // spite of a limit of 0, and takes a limit of 1 for a sign that it must not.
        (libc::RLIMIT_CORE as c_uint, 1),
        (libc::RLIMIT_MEMLOCK as c_uint, 0),
        (libc::RLIMIT_MSGQUEUE as c_uint, 0),
    ]
}

/// Clones the supervisor into fresh namespaces; root can do without a user namespace where there are none.
fn clone(plan: &mut Plan, stack: *mut c_void) -> Result<c_int, Refusal> {
    let namespaces =
        libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
    let start = |plan: &mut Plan, flags| {
        let argument = (&raw mut *plan).cast();
        // SAFETY: the child gets a copy of this memory and, from a stack of its own, does system calls only.
        match unsafe { libc::clone(supervisor::supervise, stack, flags | libc::SIGCHLD, argument) } {
            -1 => Err(io::Error::last_os_error()),
            pid => Ok(pid),
        }
    };
    blocking_signals(|| {
        start(plan, namespaces | libc::CLONE_NEWUSER).or_else(|error| {
            plan.user_namespace = false;
            // SAFETY: gives a number.
            let root = unsafe { libc::geteuid() } == 0;
            if root { start(plan, namespaces) } else { Err(error) }
        })
    })
    .map_err(Refusal::Namespaces)
}

/// A signal that arrives in the clone before it has forgotten our handlers must not run them.
fn blocking_signals<T>(action: impl FnOnce() -> T) -> T {
    // SAFETY: plain sets of signals of this thread.
    unsafe {
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let result = action();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, null_mut());
        result
    }
}

/// Maps the ordinary user inside to nobody, or to ourselves where we are not root.
fn map_identity(supervisor: c_int) -> io::Result<()> {
    let write = |name: &str, text: String| fs::write(format!("/proc/{supervisor}/{name}"), text);
    let line = |outside: u32| format!("{} {outside} 1\n", supervisor::INSIDE);
    let nobody = line(supervisor::NOBODY);
    if write("gid_map", nobody.clone()).is_ok() {
        // SAFETY: gives a number.
        return write("uid_map", nobody).or_else(|_| write("uid_map", line(unsafe { libc::geteuid() })));
    }
    // Without privileges groups must be given up first.
    write("setgroups", "deny".into())?;
    // SAFETY: give numbers.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    write("gid_map", line(group))?;
    write("uid_map", line(user))
}

/// The program in memory: its file may lie where the sandbox's user cannot read, or where nothing may be executed.
fn copy(program: &Path) -> io::Result<File> {
    let bytes = fs::read(program)?;
    if !bytes.starts_with(b"\x7fELF") {
        return Err(io::Error::from_raw_os_error(libc::ENOEXEC));
    }
    memory(&bytes, libc::F_SEAL_WRITE | libc::F_SEAL_GROW | libc::F_SEAL_SHRINK | libc::F_SEAL_SEAL)
}

/// A file in memory with these bytes, at its start, sealed.
pub(crate) fn memory(bytes: &[u8], seals: c_int) -> io::Result<File> {
    // SAFETY: a name, flags; the descriptor is ours.
    let file = unsafe {
        let fd = libc::memfd_create(c"test".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        File::from_raw_fd(fd)
    };
    file.write_all_at(bytes, 0)?;
    // SAFETY: a number for a number.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } {
        0 => Ok(file),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The same file, open for reading alone, as standard input is; where that is not to be had, as it is.
fn read_only(file: File) -> File {
    File::open(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap_or(file)
}

/// A pair of sockets that keeps the borders of messages and tells when the other side is gone.
fn sockets() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut pair = [-1; 2];
    // SAFETY: two descriptors, ours.
    unsafe {
        match libc::socketpair(libc::AF_UNIX, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0, pair.as_mut_ptr()) {
            0 => Ok((OwnedFd::from_raw_fd(pair[0]), OwnedFd::from_raw_fd(pair[1]))),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Anonymous memory.
#[derive(Debug)]
struct Mapping {
    start: *mut c_void,
    length: usize,
}

// SAFETY: owned memory; those who write to it have the sandbox to themselves.
unsafe impl Send for Mapping {}

impl Mapping {
    fn new(length: usize, sharing: c_int) -> io::Result<Mapping> {
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, sharing | libc::MAP_ANONYMOUS);
        // SAFETY: new memory, wherever the kernel likes.
        match unsafe { libc::mmap(null_mut(), length, protection, flags, -1, 0) } {
            libc::MAP_FAILED => Err(io::Error::last_os_error()),
            start => Ok(Mapping { start, length }),
        }
    }

    /// The end of its first `length` bytes, where a stack begins.
    fn end(&self, length: usize) -> *mut c_void {
        debug_assert!(length <= self.length);
        // SAFETY: within, or just behind.
        unsafe { self.start.cast::<u8>().add(length).cast() }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe { libc::munmap(self.start, self.length) };
    }
}
