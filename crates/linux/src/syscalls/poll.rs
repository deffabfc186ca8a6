//! Waiting for descriptors: files are always ready, pipes by what is in them. Where none is ready, time passes.

use super::*;
use crate::files::Body;

const IN: u16 = 0x41;
const OUT: u16 = 0x104;
const ERROR: u16 = 8;
const HANG_UP: u16 = 0x10;
const INVALID: u16 = 0x20;

/// What a descriptor is ready for.
fn ready(state: &State, fd: i32) -> u16 {
    let table = &linux(state).table;
    let Some(open) = table.open(fd) else { return INVALID };
    let others = |writes: bool| {
        table.opens().any(|other| other.id == open.id && if writes { other.writes() } else { other.reads() })
    };
    match &inode(state, open.id).body {
        Body::File(_) | Body::Folder { .. } | Body::Link(_) | Body::Device { .. } | Body::Alias(_) => IN | OUT,
        Body::Socket { data: Some(_), .. } => IN | OUT,
        Body::Socket { listens: true, .. } => {
            if linux(state).given.files.is_some() {
                IN
            } else {
                0
            }
        }
        Body::Socket { .. } => OUT | HANG_UP,
        Body::Output(_) => OUT,
        Body::Pipe(pipe) => {
            let mut events = 0;
            if open.reads() {
                events |= if pipe.start < pipe.file.size { IN } else { 0 };
                events |= if others(true) { 0 } else { HANG_UP };
            }
            if open.writes() {
                events |= if others(false) { OUT } else { OUT | ERROR };
            }
            events
        }
    }
}

/// None is ready: time passes, or no end of it comes.
fn idle(machine: &mut Machine<'_>, state: &mut State, nanoseconds: Option<u64>) -> Answer {
    match nanoseconds {
        Some(0) => result(0),
        Some(nanoseconds) => time::pass(machine, state, &Value::bits(nanoseconds), 0, EINTR),
        None if linux(state).alarm.is_some() => signal::pause(machine, state, &Default::default()),
        None => Err(io::waits("for a descriptor that never becomes ready")),
    }
}

pub(super) fn poll(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let timeout = plain(machine, state, &arguments[2], "a time")? as i32;
    let span = u64::try_from(timeout).ok().map(|milliseconds| milliseconds * 1_000_000);
    poll_for(machine, state, arguments, span)
}

pub(super) fn ppoll(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let span = settled!(span(machine, state, &arguments[2], 1));
    poll_for(machine, state, arguments, span)
}

/// A time of two words, the second in units of so many nanoseconds; none at all where there is no pointer.
fn span(machine: &mut Machine<'_>, state: &mut State, from: &Value, unit: u64) -> Result<Option<Option<u64>>, End> {
    if is_null(from) {
        return Ok(Some(None));
    }
    let Some(seconds) = machine.fetch(state, from, 8)? else { return Ok(None) };
    let Some(rest) = machine.fetch(state, &at(from, 8), 8)? else { return Ok(None) };
    let (seconds, rest) = (plain(machine, state, &seconds, "a time")?, plain(machine, state, &rest, "a time")?);
    Ok(Some(Some(seconds.saturating_mul(1_000_000_000).saturating_add(rest.saturating_mul(unit)))))
}

fn poll_for(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>, span: Option<u64>) -> Answer {
    let count = plain(machine, state, &arguments[1], "a number of descriptors")?;
    if count > DESCRIPTORS as u64 {
        return result(EINVAL);
    }
    let mut answers = Vec::new();
    for i in 0..count {
        let place = at(&arguments[0], i * 8);
        let fd = settled!(machine.fetch(state, &place, 4));
        let fd = settled!(descriptor(machine, state, &fd));
        let events = settled!(machine.fetch(state, &at(&place, 4), 2));
        let events = plain(machine, state, &events, "events")? as u16;
        let found = if fd < 0 { 0 } else { ready(state, fd) & (events | ERROR | HANG_UP | INVALID) };
        let spot = settled!(machine.locate(state, &at(&place, 6), 2, true));
        answers.push((spot, found));
    }
    let number = answers.iter().filter(|(_, found)| *found != 0).count();
    for (spot, found) in &answers {
        machine.write(state, spot, 2, &Value::bits(u64::from(*found)));
    }
    if number > 0 { result(number as i64) } else { idle(machine, state, span) }
}

pub(super) fn select(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let span = settled!(span(machine, state, &arguments[4], 1000));
    select_for(machine, state, arguments, span)
}

pub(super) fn pselect(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let span = settled!(span(machine, state, &arguments[4], 1));
    select_for(machine, state, arguments, span)
}

fn select_for(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>, span: Option<u64>) -> Answer {
    let count = plain(machine, state, &arguments[0], "a number of descriptors")? as i32;
    let Ok(count) = u64::try_from(count) else { return result(EINVAL) };
    let count = count.min(DESCRIPTORS as u64);
    let mut answers = Vec::new();
    let mut number = 0;
    // Readable, writable, and with an error that reading or writing would show.
    for (set, wanted) in arguments[1..4].iter().zip([IN | HANG_UP | ERROR, OUT | ERROR, 0]) {
        if is_null(set) {
            continue;
        }
        for word in 0..count.div_ceil(64) {
            let bits = settled!(machine.fetch(state, &at(set, word * 8), 8));
            let bits = plain(machine, state, &bits, "a set of descriptors")?;
            let mut found = 0;
            for bit in (0..64).filter(|bit| bits >> bit & 1 == 1 && word * 64 + bit < count) {
                let events = ready(state, (word * 64 + bit) as i32);
                if events == INVALID {
                    return result(EBADF);
                }
                found |= u64::from(events & wanted != 0) << bit;
            }
            number += i64::from(found.count_ones());
            answers.push((settled!(machine.locate(state, &at(set, word * 8), 8, true)), found));
        }
    }
    for (spot, found) in &answers {
        machine.write(state, spot, 8, &Value::bits(*found));
    }
    if number > 0 { result(number) } else { idle(machine, state, span) }
}
