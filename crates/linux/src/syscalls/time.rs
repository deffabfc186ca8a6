//! The clock: it starts at a fixed time, moves a microsecond with every look at it, and by as much as is slept.

use super::*;
use strata_term::Term;

const SECOND: u64 = 1_000_000_000;

/// Nanoseconds since the start, after so many more.
fn later(state: &State, by: &Value) -> Value {
    let clock = &linux(state).clock;
    match (clock.concrete(), by.concrete()) {
        (Some(clock), Some(by)) => Value::bits(clock.wrapping_add(by)),
        _ => Value::term(clock.to_term(64).add(&by.to_term(64))),
    }
}

/// What a clock shows: seconds and what is left in parts of a second, each of so many nanoseconds.
fn reading(clock: &Value, since: u64, part: u64) -> (Value, Value) {
    match clock.concrete() {
        Some(clock) => (Value::bits(since + clock / SECOND), Value::bits(clock % SECOND / part)),
        None => {
            let (clock, number) = (clock.to_term(64), |value| Term::number(64, value));
            let seconds = clock.udiv(&number(SECOND)).add(&number(since));
            (Value::term(seconds), Value::term(clock.urem(&number(SECOND)).udiv(&number(part))))
        }
    }
}

fn look(machine: &mut Machine<'_>, state: &mut State, to: &Value, since: u64, part: u64) -> Answer {
    if is_null(to) {
        return result(EFAULT);
    }
    let spot = settled!(machine.locate(state, to, 16, true));
    let clock = later(state, &Value::bits(TICK));
    let (seconds, rest) = reading(&clock, since, part);
    linux_mut(state).clock = clock;
    machine.write(state, &spot, 8, &seconds);
    machine.write(state, &spot.shifted(8), 8, &rest);
    result(0)
}

/// The clock of the wall starts at a date, all others at a thousand seconds.
fn since(clock: u64) -> Option<u64> {
    match clock {
        0 | 5 | 11 => Some(START),
        1 | 4 | 6 | 7 => Some(1000),
        2 | 3 => Some(0),
        _ => None,
    }
}

pub(super) fn clock_gettime(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let clock = plain(machine, state, &arguments[0], "a clock")?;
    let Some(since) = since(clock) else { return result(EINVAL) };
    look(machine, state, &arguments[1], since, 1)
}

pub(super) fn resolution(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let clock = plain(machine, state, &arguments[0], "a clock")?;
    if since(clock).is_none() {
        return result(EINVAL);
    }
    if !is_null(&arguments[1]) {
        settled!(store(machine, state, &arguments[1], &[0u64.to_le_bytes(), 1u64.to_le_bytes()].concat()));
    }
    result(0)
}

pub(super) fn time_of_day(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    look(machine, state, &arguments[0], START, 1000)
}

pub(super) fn time(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let clock = later(state, &Value::bits(TICK));
    let (seconds, _) = reading(&clock, START, 1);
    if !is_null(&arguments[0]) {
        let spot = settled!(machine.locate(state, &arguments[0], 8, true));
        machine.write(state, &spot, 8, &seconds);
    }
    linux_mut(state).clock = clock;
    Ok(Reply::Value(seconds))
}

/// Processor time: none is used.
pub(super) fn usage(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let who = plain(machine, state, &arguments[0], "whose use")? as i32;
    if !(-1..=1).contains(&who) {
        return result(EINVAL);
    }
    settled!(store(machine, state, &arguments[1], &[0; 144]));
    result(0)
}

/// In hundredths of a second.
pub(super) fn times(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    if !is_null(&arguments[0]) {
        settled!(store(machine, state, &arguments[0], &[0; 32]));
    }
    let clock = later(state, &Value::bits(TICK));
    let (seconds, parts) = reading(&clock, 1000, SECOND / 100);
    linux_mut(state).clock = clock;
    Ok(match (seconds.concrete(), parts.concrete()) {
        (Some(seconds), Some(parts)) => Reply::Value(Value::bits(seconds * 100 + parts)),
        _ => {
            let hundred = Term::number(64, 100);
            Reply::Value(Value::term(seconds.to_term(64).mul(&hundred).add(&parts.to_term(64))))
        }
    })
}

// ---- sleeping and the alarm ----

/// A `struct timespec` as nanoseconds; an error where it is none.
fn span(machine: &mut Machine<'_>, state: &mut State, from: &Value) -> Tried<Value> {
    let Some(seconds) = machine.fetch(state, from, 8)? else { return Ok(None) };
    let Some(rest) = machine.fetch(state, &at(from, 8), 8)? else { return Ok(None) };
    let (seconds, rest) = (seconds.to_term(64), rest.to_term(64));
    let number = |value| Term::number(64, value);
    // More than a century is as long.
    let fits = rest.ult(&number(SECOND)).and(&number(0).sle(&seconds));
    let Some(fits) = decide(machine, state, &fits)? else { return Ok(None) };
    if !fits {
        return Ok(Some(Err(EINVAL)));
    }
    let century = number(100 * 365 * 86400);
    let seconds = Term::ite(&seconds.ult(&century), &seconds, &century);
    Ok(Some(Ok(Value::term(seconds.mul(&number(SECOND)).add(&rest)))))
}

/// Time passes. A signal that the alarm sends meanwhile is given with the result `interrupted`; otherwise the result is `result`.
pub(super) fn pass(machine: &mut Machine<'_>, state: &mut State, by: &Value, result: i64, interrupted: i64) -> Answer {
    let clock = later(state, by);
    let Some(alarm) = linux(state).alarm else {
        linux_mut(state).clock = clock;
        return super::result(result);
    };
    let due = settled!(decide(machine, state, &Term::number(64, alarm).ule(&clock.to_term(64))));
    if !due {
        linux_mut(state).clock = clock;
        return super::result(result);
    }
    let linux = linux_mut(state);
    linux.clock = Value::bits(alarm);
    linux.alarm = None;
    signal::send(machine, state, signal::ALARM, result, interrupted)
}

pub(super) fn nanosleep(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let span = valid!(settled!(span(machine, state, &arguments[0])));
    pass(machine, state, &span, 0, EINTR)
}

pub(super) fn clock_nanosleep(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    const ABSOLUTE: u64 = 1;
    let clock = plain(machine, state, &arguments[0], "a clock")?;
    let flags = plain(machine, state, &arguments[1], "flags")?;
    let Some(since) = since(clock) else { return result(EINVAL) };
    let span = valid!(settled!(span(machine, state, &arguments[2])));
    if flags & ABSOLUTE == 0 {
        return pass(machine, state, &span, 0, EINTR);
    }
    let until = plain(machine, state, &span, "a time")?;
    let now = plain(machine, state, &linux(state).clock.clone(), "the time")?;
    let left = until.saturating_sub(since * SECOND).saturating_sub(now);
    pass(machine, state, &Value::bits(left), 0, EINTR)
}

/// Seconds until the alarm, rounded as the kernel does.
fn left(machine: &mut Machine<'_>, state: &mut State) -> Result<u64, End> {
    let now = plain(machine, state, &linux(state).clock.clone(), "the time")?;
    Ok(linux(state).alarm.map_or(0, |alarm| alarm.saturating_sub(now).max(1)))
}

fn set_alarm(machine: &mut Machine<'_>, state: &mut State, nanoseconds: u64) -> Result<(), End> {
    let now = plain(machine, state, &linux(state).clock.clone(), "the time")?;
    linux_mut(state).alarm = (nanoseconds > 0).then(|| now.saturating_add(nanoseconds));
    Ok(())
}

pub(super) fn alarm(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let seconds = plain(machine, state, &arguments[0], "a time")? & 0xffff_ffff;
    let before = left(machine, state)?.div_ceil(SECOND);
    set_alarm(machine, state, seconds * SECOND)?;
    result(before as i64)
}

/// The real timer, once: a repeating one is said not to be modelled.
pub(super) fn set_timer(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let which = plain(machine, state, &arguments[0], "a timer")?;
    if which > 2 {
        return result(EINVAL);
    }
    let mut parts = [0; 4];
    for (i, part) in parts.iter_mut().enumerate() {
        let value = settled!(machine.fetch(state, &at(&arguments[1], i as u64 * 8), 8));
        *part = plain(machine, state, &value, "a time")?;
    }
    if which != 0 || parts[0] != 0 || parts[1] != 0 {
        return missing(machine, state, "timers that repeat or count processor time are not modelled: ENOSYS".into());
    }
    let before = left(machine, state)?;
    if !is_null(&arguments[2]) {
        let words = [0, 0, before / SECOND, before % SECOND / 1000];
        let bytes: Vec<u8> = words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
        settled!(store(machine, state, &arguments[2], &bytes));
    }
    set_alarm(machine, state, parts[2].saturating_mul(SECOND).saturating_add(parts[3].saturating_mul(1000)))?;
    result(0)
}

pub(super) fn get_timer(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let which = plain(machine, state, &arguments[0], "a timer")?;
    if which > 2 {
        return result(EINVAL);
    }
    let left = if which == 0 { left(machine, state)? } else { 0 };
    let words = [0, 0, left / SECOND, left % SECOND / 1000];
    let bytes: Vec<u8> = words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
    settled!(store(machine, state, &arguments[1], &bytes));
    result(0)
}
