//! Signals of one thread to itself. They come at system calls only: whoever sends one is the program, or the alarm while it sleeps.
//!
//! A handler is a call that the interpreter puts before the return of the system call. The mask that it changes is restored at the next system call after
//! it has returned, which is the first that could notice.

use super::*;
use strata_interp::{ErrorKind, Fault};
use strata_memory::Kind;

pub(super) const ALARM: u64 = 14;
const PIPE: u64 = 13;
const KILL: u64 = 9;
const STOP: u64 = 19;
const MOST: u64 = 64;

const IGNORE: u64 = 1;
const WITH_INFO: u64 = 4;
const NO_DEFER: u64 = 0x4000_0000;
const RESET: u64 = 0x8000_0000;

/// What the program wants to happen: the words of the kernel's `struct sigaction`.
#[derive(Clone, Default)]
struct Action {
    handler: Value,
    flags: u64,
    restorer: Value,
    mask: u64,
}

/// Signals of a path.
#[derive(Clone, Default)]
pub(crate) struct Signals {
    actions: Vec<(u64, Action)>,
    blocked: u64,
    pending: u64,
    /// Calls of handlers in progress, and the mask to be restored after each.
    saved: Vec<(u64, u64)>,
}

impl Signals {
    fn action(&self, number: u64) -> Action {
        self.actions.iter().find(|(known, _)| *known == number).map(|(_, action)| action.clone()).unwrap_or_default()
    }

    fn set(&mut self, number: u64, action: Action) {
        self.actions.retain(|(known, _)| *known != number);
        self.actions.push((number, action));
    }
}

fn signals_mut(state: &mut State) -> &mut Signals {
    Arc::make_mut(&mut linux_mut(state).signals)
}

fn bit(number: u64) -> u64 {
    1 << (number - 1)
}

/// Only its address is taken: handlers return as any call does.
pub(crate) fn restorer(_: &mut Machine<'_>, _: &mut State, _: &[(Value, u32)]) -> Answer {
    Err(Cause::new("unsupported", "__restore_rt was called").into())
}

/// Restores the masks of handlers that have returned.
pub(super) fn restore(state: &mut State) {
    while let Some((serial, mask)) = linux(state).signals.saved.last().copied() {
        if state.stack().iter().any(|frame| frame.serial == serial) {
            return;
        }
        let signals = signals_mut(state);
        signals.saved.pop();
        signals.blocked = mask;
    }
}

/// A signal comes. The call's result is `result`, or `interrupted` where a handler runs before it returns.
pub(super) fn send(machine: &mut Machine<'_>, state: &mut State, number: u64, result: i64, interrupted: i64) -> Answer {
    let signals = &linux(state).signals;
    let action = signals.action(number);
    if signals.blocked & bit(number) != 0 && number != KILL && number != STOP {
        signals_mut(state).pending |= bit(number);
        return super::result(result);
    }
    match (action.handler.concrete(), number) {
        (Some(IGNORE), _) | (Some(0), 17 | 18 | 23 | 28) => super::result(result),
        (Some(0), 19..=22) => Err(io::waits("it stops itself")),
        (Some(0), _) => Err(fatal(number)),
        _ => handle(machine, state, number, &action, interrupted),
    }
}

fn handle(machine: &mut Machine<'_>, state: &mut State, number: u64, action: &Action, result: i64) -> Answer {
    let (info, context) = match action.flags & WITH_INFO {
        0 => (Value::bits(0), Value::bits(0)),
        _ => (information(machine, state, number)?, context(machine, state)?),
    };
    let arguments = vec![(Value::bits(number), 32), (info, 64), (context, 64)];
    let reply = machine.interpose(state, &action.handler, arguments, result as u64)?;
    let serial = state.stack().top().serial;
    let signals = signals_mut(state);
    signals.saved.push((serial, signals.blocked));
    signals.blocked |= action.mask | if action.flags & NO_DEFER == 0 { bit(number) } else { 0 };
    if action.flags & RESET != 0 {
        signals.set(number, Action::default());
    }
    Ok(reply)
}

fn object(machine: &mut Machine<'_>, state: &mut State, bytes: &[u8]) -> Result<Value, End> {
    let made = machine.allocate(state, bytes.len() as u64, 16, Kind::System, true)?;
    put(machine, state, &Spot::At { origin: made, offset: 0 }, bytes);
    let address = state.object(made).map_or(0, |object| object.address());
    Ok(Value::pointer(address, made))
}

/// A `siginfo_t` of a signal from the process itself.
fn information(machine: &mut Machine<'_>, state: &mut State, number: u64) -> Result<Value, End> {
    let mut bytes = [0; 128];
    bytes[..4].copy_from_slice(&(number as u32).to_le_bytes());
    if number != ALARM {
        bytes[16..20].copy_from_slice(&(PROCESS as u32).to_le_bytes());
        bytes[20..24].copy_from_slice(&USER.to_le_bytes());
    }
    object(machine, state, &bytes)
}

/// A `ucontext_t`, with nothing in it: there are no registers.
fn context(machine: &mut Machine<'_>, state: &mut State) -> Result<Value, End> {
    object(machine, state, &[0; 936])
}

/// The end of a program by a signal.
fn fatal(number: u64) -> End {
    let name = match number {
        6 => return Fault::new(ErrorKind::Abort, "abort failure").into(),
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        10 => "SIGUSR1",
        11 => "SIGSEGV",
        12 => "SIGUSR2",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => "a signal",
    };
    Fault::new(ErrorKind::Signal, format!("the program ends itself by {name} ({number})")).into()
}

/// A write that nobody will read.
pub(super) fn broken_pipe(machine: &mut Machine<'_>, state: &mut State) -> Answer {
    send(machine, state, PIPE, EPIPE, EPIPE)
}

// ---- the calls ----

/// A signal to oneself, if that is who is meant.
fn to(machine: &mut Machine<'_>, state: &mut State, oneself: bool, number: &Value, other: i64) -> Answer {
    let number = plain(machine, state, number, "a signal")? & 0xffff_ffff;
    match (number, oneself) {
        (MOST.., _) if number > MOST => result(EINVAL),
        (_, false) => result(other),
        (0, true) => result(0),
        (_, true) => send(machine, state, number, 0, 0),
    }
}

pub(super) fn kill(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let target = i64::from(plain(machine, state, &arguments[0], "a process")? as i32);
    let oneself = target == PROCESS || target == 0 || target == -PROCESS;
    to(machine, state, oneself, &arguments[1], if target == PARENT { EPERM } else { ESRCH })
}

pub(super) fn kill_thread(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let target = i64::from(plain(machine, state, &arguments[0], "a thread")? as i32);
    to(machine, state, target == PROCESS, &arguments[1], ESRCH)
}

pub(super) fn kill_in_group(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let group = i64::from(plain(machine, state, &arguments[0], "a process")? as i32);
    let target = i64::from(plain(machine, state, &arguments[1], "a thread")? as i32);
    to(machine, state, group == PROCESS && target == PROCESS, &arguments[2], ESRCH)
}

pub(super) fn action(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let number = plain(machine, state, &arguments[0], "a signal")? & 0xffff_ffff;
    let sets = !is_null(&arguments[1]);
    if number == 0 || number > MOST || sets && matches!(number, KILL | STOP) {
        return result(EINVAL);
    }
    let mut new = None;
    if sets {
        let mut words: [Value; 4] = Default::default();
        for (i, word) in words.iter_mut().enumerate() {
            *word = settled!(machine.fetch(state, &at(&arguments[1], i as u64 * 8), 8));
        }
        let [handler, flags, restorer, mask] = words;
        let flags = plain(machine, state, &flags, "flags")?;
        let mask = plain(machine, state, &mask, "a mask of signals")?;
        new = Some(Action { handler, flags, restorer, mask });
    }
    if !is_null(&arguments[2]) {
        let spot = settled!(machine.locate(state, &arguments[2], 32, true));
        let Action { handler, flags, restorer, mask } = linux(state).signals.action(number);
        for (i, word) in [handler, Value::bits(flags), restorer, Value::bits(mask)].iter().enumerate() {
            machine.write(state, &spot.shifted(i as u64 * 8), 8, word);
        }
    }
    if let Some(new) = new {
        signals_mut(state).set(number, new);
    }
    result(0)
}

/// The first signal that waits and is not blocked, if there is one, comes now.
fn deliver(machine: &mut Machine<'_>, state: &mut State, otherwise: i64, interrupted: i64) -> Answer {
    let signals = &linux(state).signals;
    match signals.pending & !signals.blocked {
        0 => result(otherwise),
        ready => {
            let number = u64::from(ready.trailing_zeros()) + 1;
            signals_mut(state).pending &= !bit(number);
            send(machine, state, number, otherwise, interrupted)
        }
    }
}

pub(super) fn mask(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let how = plain(machine, state, &arguments[0], "how a mask is changed")?;
    let before = linux(state).signals.blocked;
    let mut now = before;
    if !is_null(&arguments[1]) {
        let set = settled!(machine.fetch(state, &arguments[1], 8));
        let set = plain(machine, state, &set, "a mask of signals")?;
        now = match how {
            0 => before | set,
            1 => before & !set,
            2 => set,
            _ => return result(EINVAL),
        };
    }
    if !is_null(&arguments[2]) {
        settled!(store(machine, state, &arguments[2], &before.to_le_bytes()));
    }
    if now != before {
        signals_mut(state).blocked = now & !bit(KILL) & !bit(STOP);
    }
    deliver(machine, state, 0, 0)
}

pub(super) fn pending(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let bytes = linux(state).signals.pending.to_le_bytes();
    settled!(store(machine, state, &arguments[0], &bytes));
    result(0)
}

/// Sleeps until a signal comes: the alarm, if one is set.
fn sleep(machine: &mut Machine<'_>, state: &mut State) -> Answer {
    let Some(alarm) = linux(state).alarm else { return Err(io::waits("for a signal that nobody sends")) };
    let ignored = linux(state).signals.action(ALARM).handler.concrete() == Some(IGNORE);
    if ignored || linux(state).signals.blocked & bit(ALARM) != 0 {
        return Err(io::waits("for a signal that nobody sends"));
    }
    let now = plain(machine, state, &linux(state).clock.clone(), "the time")?;
    time::pass(machine, state, &Value::bits(alarm.saturating_sub(now)), EINTR, EINTR)
}

pub(super) fn pause(machine: &mut Machine<'_>, state: &mut State, _: Arguments<'_>) -> Answer {
    sleep(machine, state)
}

pub(super) fn suspend(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let set = settled!(machine.fetch(state, &arguments[0], 8));
    let set = plain(machine, state, &set, "a mask of signals")?;
    let before = linux(state).signals.blocked;
    signals_mut(state).blocked = set;
    let waiting = linux(state).signals.pending & !set != 0;
    let answer = if waiting { deliver(machine, state, EINTR, EINTR) } else { sleep(machine, state) }?;
    match answer {
        Reply::Jumped => {
            if let Some((_, mask)) = signals_mut(state).saved.last_mut() {
                *mask = before;
            }
        }
        Reply::Nothing | Reply::Value(_) | Reply::Forked | Reply::Landed | Reply::Declined => {
            signals_mut(state).blocked = before
        }
    }
    Ok(answer)
}

pub(super) fn timed_wait(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let set = settled!(machine.fetch(state, &arguments[0], 8));
    let set = plain(machine, state, &set, "a mask of signals")?;
    match linux(state).signals.pending & set {
        0 if is_null(&arguments[2]) => Err(io::waits("for a signal that nobody sends")),
        0 => result(EAGAIN),
        ready => {
            let number = u64::from(ready.trailing_zeros()) + 1;
            signals_mut(state).pending &= !bit(number);
            result(number as i64)
        }
    }
}
