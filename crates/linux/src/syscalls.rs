//! The system calls, one row each. Numbers are those of x86-64, which the bitcode C library uses.

use crate::Linux;
use std::sync::Arc;
use strata_interp::{Cause, End, ErrorKind, Fault, Machine, Output, Piece, Reply, Spot, State, Warning};
use strata_memory::{Kind, Value};
use strata_term::Term;

type Arguments<'a> = &'a [Value; 6];
type Call = fn(&mut Machine<'_>, &mut State, Arguments<'_>) -> Result<Reply, End>;

const EPERM: i64 = -1;
const EBADF: i64 = -9;
const ENOMEM: i64 = -12;
const EFAULT: i64 = -14;
const EINVAL: i64 = -22;
const ENOTTY: i64 = -25;
const ESPIPE: i64 = -29;
const ENOSYS: i64 = -38;

const TABLE: &[(u64, &str, Call)] = &[
    (0, "read", read),
    (1, "write", write),
    (3, "close", close),
    (8, "lseek", lseek),
    (9, "mmap", mmap),
    (10, "mprotect", done),
    (11, "munmap", munmap),
    (12, "brk", done),
    (13, "rt_sigaction", done),
    (14, "rt_sigprocmask", done),
    (16, "ioctl", ioctl),
    (19, "readv", readv),
    (20, "writev", writev),
    (24, "sched_yield", done),
    (25, "mremap", no_memory),
    (28, "madvise", done),
    (39, "getpid", process),
    (60, "exit", exit),
    (62, "kill", kill),
    (96, "gettimeofday", time_of_day),
    (102, "getuid", user),
    (104, "getgid", user),
    (107, "geteuid", user),
    (108, "getegid", user),
    (110, "getppid", process),
    (186, "gettid", process),
    (200, "tkill", kill),
    (201, "time", time),
    (202, "futex", done),
    (218, "set_tid_address", process),
    (228, "clock_gettime", clock_gettime),
    (231, "exit_group", exit),
    (234, "tgkill", tgkill),
    (318, "getrandom", getrandom),
];

/// Calls that programs make most of those that are missing, for messages.
const MISSING: &[(u64, &str)] = &[
    (2, "open"),
    (4, "stat"),
    (5, "fstat"),
    (21, "access"),
    (22, "pipe"),
    (35, "nanosleep"),
    (41, "socket"),
    (56, "clone"),
    (57, "fork"),
    (58, "vfork"),
    (59, "execve"),
    (79, "getcwd"),
    (80, "chdir"),
    (82, "rename"),
    (83, "mkdir"),
    (87, "unlink"),
    (217, "getdents64"),
    (230, "clock_nanosleep"),
    (257, "openat"),
    (262, "newfstatat"),
    (293, "pipe2"),
    (302, "prlimit64"),
];

fn name(number: u64) -> String {
    match MISSING.iter().find(|(missing, _)| *missing == number) {
        Some((_, name)) => format!("{name} ({number})"),
        None => number.to_string(),
    }
}

/// The gate: `__strata_syscall6(number, a, b, c, d, e, f)`.
pub(crate) fn enter(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let mut values: [Value; 7] = Default::default();
    for (slot, (value, _)) in values.iter_mut().zip(arguments) {
        *slot = value.clone();
    }
    let [number, rest @ ..] = values;
    let Some(number) = number.concrete() else {
        return Err(Cause::new("unsupported", "a system call with a symbolic number").into());
    };
    match TABLE.iter().find(|(n, _, _)| *n == number) {
        Some((_, _, call)) => call(machine, state, &rest),
        None => missing(machine, state, format!("system call {} is not modelled and fails with ENOSYS", name(number))),
    }
}

/// The program goes on as on a kernel without the call, which is not the user's: what follows is not all that can happen.
fn missing(machine: &mut Machine<'_>, state: &mut State, text: String) -> Result<Reply, End> {
    state.notes.push(Cause::new("unsupported", text.clone()));
    machine.warnings.push(Warning { place: 0, text });
    result(ENOSYS)
}

/// `__strata_clone(flags)`: pthread_create comes here, since the assembler behind it is no system call of C.
pub(crate) fn clone(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    const THREAD: u64 = 0x10000;
    let thread = arguments.first().and_then(|(flags, _)| flags.concrete()).is_some_and(|flags| flags & THREAD != 0);
    let what = if thread { "threads (pthread_create)" } else { "processes (clone)" };
    missing(machine, state, format!("{what} are not modelled: making one fails with ENOSYS"))
}

fn result(value: i64) -> Result<Reply, End> {
    Ok(Reply::Value(Value::bits(value as u64)))
}

fn done(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Result<Reply, End> {
    result(0)
}

fn no_memory(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Result<Reply, End> {
    result(ENOMEM)
}

fn process(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Result<Reply, End> {
    result(1)
}

fn user(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Result<Reply, End> {
    result(0)
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

fn descriptor(machine: &mut Machine<'_>, state: &mut State, value: &Value) -> Result<i32, End> {
    plain(machine, state, value, "a descriptor").map(|fd| fd as i32)
}

fn exit(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let status = match &arguments[0].term {
        None => Value::bits(arguments[0].bits & 0xff),
        Some(term) => Value::term(machine.settle(state, &term.extract(7, 0), "the exit status")?.zext(32)),
    };
    Err(End::Exit(status))
}

fn read(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    // Standard input is empty.
    if descriptor(machine, state, &arguments[0])? == 0 { result(0) } else { result(EBADF) }
}

fn readv(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    read(machine, state, arguments)
}

fn close(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let fd = descriptor(machine, state, &arguments[0])?;
    result(if (0..3).contains(&fd) { 0 } else { EBADF })
}

fn lseek(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let fd = descriptor(machine, state, &arguments[0])?;
    result(if (0..3).contains(&fd) { ESPIPE } else { EBADF })
}

fn ioctl(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let fd = descriptor(machine, state, &arguments[0])?;
    result(if (0..3).contains(&fd) { ENOTTY } else { EBADF })
}

/// Appends bytes of memory to what was written.
fn put(machine: &mut Machine<'_>, state: &mut State, fd: i32, spot: &Spot, count: u64) -> Result<(), End> {
    let plain = match spot {
        Spot::At { origin, offset } => state.space.object(*origin).and_then(|o| o.contents.plain(*offset, count)),
        Spot::Among { .. } => None,
    };
    let piece = match plain {
        Some(bytes) => Piece::Bytes(bytes.into()),
        None => {
            let mut terms = Vec::new();
            for i in 0..count {
                let byte = machine.read(state, &spot.shifted(i), 1).to_term(8);
                terms.push(machine.settle(state, &byte, "output")?);
            }
            Piece::Terms(Arc::from(terms))
        }
    };
    state.output.push(Output { descriptor: fd, piece });
    Ok(())
}

fn write(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let fd = descriptor(machine, state, &arguments[0])?;
    if !matches!(fd, 1 | 2) {
        return result(EBADF);
    }
    let Some(count) = machine.size(state, &arguments[2], "the length of a write")? else { return Ok(Reply::Forked) };
    if count > 0 {
        let Some(spot) = machine.locate(state, &arguments[1], count, false)? else { return Ok(Reply::Forked) };
        put(machine, state, fd, &spot, count)?;
    }
    result(count as i64)
}

fn writev(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let fd = descriptor(machine, state, &arguments[0])?;
    if !matches!(fd, 1 | 2) {
        return result(EBADF);
    }
    let pieces = plain(machine, state, &arguments[2], "a number of buffers")?;
    if pieces > 1024 {
        return result(EINVAL);
    }
    let mut buffers = Vec::new();
    for i in 0..pieces {
        let field = |offset: u64| match &arguments[1].term {
            None => Value::pointer(arguments[1].bits + i * 16 + offset, arguments[1].origin),
            Some(term) => Value::term(term.add(&Term::number(64, i * 16 + offset))).with_origin(arguments[1].origin),
        };
        let Some(spot) = machine.locate(state, &field(0), 8, false)? else { return Ok(Reply::Forked) };
        let base = machine.read(state, &spot, 8);
        let Some(spot) = machine.locate(state, &field(8), 8, false)? else { return Ok(Reply::Forked) };
        let length = machine.read(state, &spot, 8);
        let Some(length) = machine.size(state, &length, "the length of a write")? else { return Ok(Reply::Forked) };
        if length > 0 {
            // Forks start over: all buffers are found before the first is put.
            let Some(spot) = machine.locate(state, &base, length, false)? else { return Ok(Reply::Forked) };
            buffers.push((spot, length));
        }
    }
    for (spot, length) in &buffers {
        put(machine, state, fd, spot, *length)?;
    }
    result(buffers.iter().map(|(_, length)| *length as i64).sum())
}

fn mmap(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    const ANONYMOUS: u64 = 0x20;
    let flags = plain(machine, state, &arguments[3], "flags of mmap")?;
    let Some(size) = machine.size(state, &arguments[1], "the size of a mapping")? else { return Ok(Reply::Forked) };
    if flags & ANONYMOUS == 0 {
        return result(EBADF);
    }
    if size == 0 || size > 1 << 40 {
        return result(if size == 0 { EINVAL } else { ENOMEM });
    }
    let number = machine.allocate(state, size.next_multiple_of(4096), 4096, Kind::System, true)?;
    let address = state.space.object(number).map_or(0, |object| object.address);
    Ok(Reply::Value(Value::pointer(address, number)))
}

fn munmap(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let address = plain(machine, state, &arguments[0], "an address")?;
    let Some(object) = state.space.find(address).filter(|o| o.address == address && o.kind == Kind::System) else {
        return result(EINVAL);
    };
    let number = object.number;
    machine.free(state, number);
    result(0)
}

fn signal(number: u64) -> End {
    let name = match number {
        6 => return Fault::new(ErrorKind::Abort, "abort failure").into(),
        2 => "SIGINT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => "a signal",
    };
    Fault::new(ErrorKind::Signal, format!("the program ends itself by {name} ({number})")).into()
}

fn kill(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let target = plain(machine, state, &arguments[0], "a process")? as i32;
    let number = plain(machine, state, &arguments[1], "a signal")?;
    match (target, number) {
        (_, 0) => result(0),
        (-1..=1, _) => Err(signal(number)),
        _ => result(EPERM),
    }
}

fn tgkill(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let number = plain(machine, state, &arguments[2], "a signal")?;
    if number == 0 { result(0) } else { Err(signal(number)) }
}

/// The clock's next reading: seconds and nanoseconds. It starts at a fixed time and moves a microsecond per look.
fn tick(state: &mut State, call: &'static str) -> (u64, u64) {
    const START: u64 = 1_600_000_000;
    state.depends_on_engine.get_or_insert(call);
    let Some(linux) = state.system_mut::<Linux>() else { return (START, 0) };
    linux.clock += 1_000;
    (START + linux.clock / 1_000_000_000, linux.clock % 1_000_000_000)
}

fn store_pair(machine: &mut Machine<'_>, state: &mut State, to: &Value, pair: (u64, u64)) -> Result<Reply, End> {
    if to.concrete() == Some(0) {
        return result(EFAULT);
    }
    let Some(spot) = machine.locate(state, to, 16, true)? else { return Ok(Reply::Forked) };
    machine.write(state, &spot, 8, &Value::bits(pair.0));
    machine.write(state, &spot.shifted(8), 8, &Value::bits(pair.1));
    result(0)
}

fn clock_gettime(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let now = tick(state, "clock_gettime");
    store_pair(machine, state, &arguments[1], now)
}

fn time_of_day(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let (seconds, nanoseconds) = tick(state, "gettimeofday");
    store_pair(machine, state, &arguments[0], (seconds, nanoseconds / 1000))
}

fn time(_: &mut Machine<'_>, state: &mut State, _: Arguments<'_>) -> Result<Reply, End> {
    let (seconds, _) = tick(state, "time");
    result(seconds as i64)
}

fn getrandom(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Reply, End> {
    let Some(count) = machine.size(state, &arguments[1], "the length of a read")? else { return Ok(Reply::Forked) };
    if count == 0 {
        return result(0);
    }
    let Some(spot) = machine.locate(state, &arguments[0], count, true)? else { return Ok(Reply::Forked) };
    state.depends_on_engine.get_or_insert("getrandom");
    for i in 0..count {
        machine.write(state, &spot.shifted(i), 1, &Value::bits(i.wrapping_mul(0x9d) & 0xff));
    }
    result(count as i64)
}
