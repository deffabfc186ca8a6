//! The process and the machine it runs on: numbers, limits, its end. There is one process, with one thread.

use super::*;
use strata_interp::Piece;

const INFINITE: u64 = u64::MAX;

pub(super) fn exit(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let status = match &arguments[0].term {
        None => Value::bits(arguments[0].bits & 0xff),
        Some(term) => Value::term(machine.settle(state, &term.extract(7, 0), "the exit status")?.zext(32)),
    };
    Err(End::Exit(status))
}

pub(super) fn process(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(PROCESS)
}

pub(super) fn parent(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(PARENT)
}

pub(super) fn user(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(i64::from(USER))
}

/// The group or session of a process.
pub(super) fn process_of(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let wanted = plain(machine, state, &arguments[0], "a process")? as i32;
    result(if wanted == 0 || i64::from(wanted) == PROCESS { PROCESS } else { ESRCH })
}

/// May one become this user? Only who one is.
fn is_own(machine: &mut Machine<'_>, state: &mut State, value: &Value, keeps: bool) -> Result<Option<bool>, End> {
    let term = value.to_term(64).extract(31, 0);
    let own = term.eq(&Term::number(32, u64::from(USER)));
    let same = term.eq(&Term::number(32, u64::from(u32::MAX)));
    decide(machine, state, &if keeps { own.or(&same) } else { own })
}

pub(super) fn set_user(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let own = settled!(is_own(machine, state, &arguments[0], false));
    result(if own { 0 } else { EPERM })
}

pub(super) fn set_users(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let own =
        settled!(is_own(machine, state, &arguments[0], true)) && settled!(is_own(machine, state, &arguments[1], true));
    result(if own { 0 } else { EPERM })
}

pub(super) fn users(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    for to in &arguments[..3] {
        settled!(store(machine, state, to, &USER.to_le_bytes()));
    }
    result(0)
}

pub(super) fn groups(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(0)
}

/// As a nice value of 0 is told.
pub(super) fn priority(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(20)
}

/// Nicer is always possible.
pub(super) fn set_priority(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let value = arguments[2].to_term(64).extract(31, 0);
    let nicer = settled!(decide(machine, state, &Term::number(32, 0).sle(&value)));
    result(if nicer { 0 } else { EACCES })
}

/// There is only one process: a call that would make another fails, is counted and said.
pub(super) fn no_process(machine: &mut Machine<'_>, state: &mut State) -> Answer {
    let text = "processes are not modelled: fork fails with EAGAIN";
    state.notes.push(Cause::new("fork", text));
    machine.warnings.push(Warning { place: 0, text: text.into() });
    result(EAGAIN)
}

pub(super) fn fork(machine: &mut Machine<'_>, state: &mut State, _: Arguments<'_>) -> Answer {
    no_process(machine, state)
}

pub(super) fn wait(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(ECHILD)
}

pub(super) fn execute(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    become_other(machine, state, &arguments[0], &arguments[1])
}

pub(super) fn execute_at(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    become_other(machine, state, &arguments[1], &arguments[2])
}

/// The path is complete: what comes is another program's. It ends with status 0, natively too, and its test says what it became.
fn become_other(machine: &mut Machine<'_>, state: &mut State, program: &Value, words: &Value) -> Answer {
    /// Arguments that are kept.
    const MOST: u64 = 64;
    let program = settled!(string(machine, state, program));
    let empty = match &program {
        Piece::Text(bytes) => bytes.first().map_or(Term::bool(true), |byte| byte.eq(&Term::number(8, 0))),
        Piece::Bytes(bytes) => Term::bool(bytes.is_empty()),
        Piece::Terms(_) | Piece::Start(..) | Piece::Formatted(_) => Term::bool(false),
    };
    if settled!(decide(machine, state, &empty)) {
        return result(ENOENT);
    }
    let mut kept = vec![program];
    for i in 0..if is_null(words) { 0 } else { MOST } {
        let word = settled!(machine.fetch(state, &at(words, i * 8), 8));
        if is_null(&word) {
            break;
        }
        kept.push(settled!(string(machine, state, &word)));
    }
    linux_mut(state).became = Some(Arc::new(kept));
    Err(End::Exit(Value::bits(0)))
}

/// A string as it is filled in for each test.
fn string(machine: &mut Machine<'_>, state: &mut State, pointer: &Value) -> Result<Option<Piece>, End> {
    Ok(path::text(machine, state, pointer)?.map(|text| match text {
        path::Text::Plain(bytes) => Piece::Bytes(bytes.into()),
        path::Text::Symbolic(bytes) => Piece::Text(bytes.into()),
    }))
}

pub(super) fn uname(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let mut bytes = vec![0; 6 * 65];
    for (i, text) in ["Linux", "strata", "6.1.0", "#1", "x86_64", "(none)"].iter().enumerate() {
        bytes[i * 65..i * 65 + text.len()].copy_from_slice(text.as_bytes());
    }
    settled!(store(machine, state, &arguments[0], &bytes));
    result(0)
}

pub(super) fn system_info(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let mut bytes = vec![0; 112];
    // Uptime, three loads, memory: all, free, shared, buffers; swap: all, free.
    let words: [u64; 10] = [1000, 0, 0, 0, 4 << 30, 2 << 30, 0, 0, 0, 0];
    for (i, value) in words.iter().enumerate() {
        bytes[i * 8..i * 8 + 8].copy_from_slice(&value.to_le_bytes());
    }
    bytes[80] = 1;
    bytes[104] = 1;
    settled!(store(machine, state, &arguments[0], &bytes));
    result(0)
}

pub(super) fn affinity(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let room = settled!(machine.size(state, &arguments[1], "the size of a buffer"));
    if room < 8 || room % 8 != 0 {
        return result(EINVAL);
    }
    settled!(store(machine, state, &arguments[2], &1u64.to_le_bytes()));
    result(8)
}

pub(super) fn random(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let count = settled!(machine.size(state, &arguments[1], "the length of a read"));
    let bytes: Vec<u8> = (0..count).map(|i| i.wrapping_mul(0x9d) as u8).collect();
    settled!(store(machine, state, &arguments[0], &bytes));
    // The same bytes natively; but who wants random numbers mixes in what else is at hand, such as addresses.
    state.depends_on_engine.get_or_insert("getrandom");
    result(count as i64)
}

// ---- limits ----

/// Both values of a limit.
fn limits(state: &State, resource: u64) -> Option<(u64, u64)> {
    const STACK: u64 = 3;
    const CORE: u64 = 4;
    const FILES: u64 = 7;
    const RESOURCES: u64 = 16;
    let set = linux(state).limits.iter().find(|(number, _, _)| *number == resource);
    Some(match (set, resource) {
        (Some((_, soft, hard)), _) => (*soft, *hard),
        (None, STACK) => (8 << 20, 8 << 20),
        (None, CORE) => (0, 0),
        (None, FILES) => (DESCRIPTORS as u64, DESCRIPTORS as u64),
        (None, RESOURCES..) => return None,
        (None, _) => (INFINITE, INFINITE),
    })
}

pub(super) fn get_limit(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    exchange(machine, state, &arguments[0], &Value::bits(0), &arguments[1])
}

pub(super) fn set_limit(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    exchange(machine, state, &arguments[0], &arguments[1], &Value::bits(0))
}

pub(super) fn limit(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let target = plain(machine, state, &arguments[0], "a process")? as i64;
    if target != 0 && target != PROCESS {
        return result(ESRCH);
    }
    exchange(machine, state, &arguments[1], &arguments[2], &arguments[3])
}

/// Tells a limit, and sets it.
fn exchange(machine: &mut Machine<'_>, state: &mut State, resource: &Value, new: &Value, old: &Value) -> Answer {
    let resource = plain(machine, state, resource, "a resource")?;
    let Some((soft, hard)) = limits(state, resource) else { return result(EINVAL) };
    let mut wanted = None;
    if !is_null(new) {
        let first = settled!(machine.fetch(state, new, 8));
        let second = settled!(machine.fetch(state, &at(new, 8), 8));
        let pair = (plain(machine, state, &first, "a limit")?, plain(machine, state, &second, "a limit")?);
        if pair.0 > pair.1 {
            return result(EINVAL);
        }
        if pair.1 > hard {
            return result(EPERM);
        }
        wanted = Some(pair);
    }
    if !is_null(old) {
        settled!(store(machine, state, old, &[soft.to_le_bytes(), hard.to_le_bytes()].concat()));
    }
    if let Some((soft, hard)) = wanted {
        let limits = Arc::make_mut(&mut linux_mut(state).limits);
        limits.retain(|(number, _, _)| *number != resource);
        limits.push((resource, soft, hard));
    }
    result(0)
}
