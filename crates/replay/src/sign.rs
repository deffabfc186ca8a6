//! What a native run shows of a predicted error.
//!
//! An error is *shown* where the program dies of it: after the predicted branches and before another one, and by a signal that an error of
//! its kind can give. A death by anything else, or further on, is another one: a read beyond an object that the machine allows, and an `abort` on
//! the next line. Between two branches the signal alone tells.

use crate::{Ending, Note, Observed, Tracing};

/// How an error of a kind appears natively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// By a signal, without fail.
    Always,
    /// By a signal; where the compiler made it vanish, nothing is known.
    Mostly,
    /// By a signal or not at all: the way there tells.
    Perhaps,
    /// By a signal sooner or later than predicted: stacks have other sizes natively.
    Anywhere,
}

/// What a kind's errors look like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sign {
    pub manner: Manner,
    /// The signals that it can give; the first is the usual one.
    pub signals: &'static [i32],
}

const FAULT: &[i32] = &[libc::SIGSEGV, libc::SIGBUS];
const ABORT: &[i32] = &[libc::SIGABRT];
/// A trap instruction is an abort, too.
const STOP: &[i32] = &[libc::SIGABRT, libc::SIGILL, libc::SIGTRAP];
/// Where a program runs that is not its code, anything may happen but what it asks for itself.
const ASTRAY: &[i32] = &[libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGTRAP, libc::SIGFPE];
/// What a sanitizer's check does.
const TRAP: &[i32] = &[libc::SIGILL, libc::SIGTRAP];

/// Kinds and their signs; all others give no signal of their own.
const SIGNS: &[(&str, Manner, &[i32])] = &[
    ("assert", Manner::Always, ABORT),
    ("abort", Manner::Always, STOP),
    ("div", Manner::Mostly, &[libc::SIGFPE]),
    ("stack", Manner::Anywhere, FAULT),
    ("stack_overflow", Manner::Anywhere, FAULT),
    ("ptr", Manner::Perhaps, FAULT),
    ("free", Manner::Perhaps, FAULT),
    ("read_only", Manner::Perhaps, FAULT),
    ("exec", Manner::Perhaps, ASTRAY),
    ("unreachable", Manner::Perhaps, ASTRAY),
];

impl Sign {
    /// That of a kind.
    pub(crate) fn of(kind: &str) -> Sign {
        let known = SIGNS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(kind));
        known.map_or(Sign { manner: Manner::Perhaps, signals: &[] }, |&(_, manner, signals)| Sign { manner, signals })
    }

    /// The usual signal.
    pub(crate) fn usual(&self) -> i32 {
        self.signals.first().copied().unwrap_or(libc::SIGABRT)
    }
}

/// Whether the program died of a signal that this error gives, wherever that was.
pub(crate) fn fits(kind: &str, message: &str, observed: &Observed) -> bool {
    let Ending::Signal(number) = observed.ending else { return false };
    let known = Sign::of(kind).signals.contains(&number);
    let trap = message.contains(BY_SANITIZER) && TRAP.contains(&number);
    match &observed.page.note {
        // The runtime's own words; its abort is none of the program's.
        Note::Heap => ["ptr", "free"].iter().any(|name| name.eq_ignore_ascii_case(kind)),
        Note::Reported => observed.page.message.split([':', '.']).next() == Some(kind),
        Note::None | Note::Abort => known || trap,
        Note::Assume | Note::Foreign | Note::NoTest | Note::Silent | Note::Left | Note::Unknown(_) => false,
    }
}

/// How the engine ends the messages of errors that a sanitizer's trap stands for.
const BY_SANITIZER: &str = "(found by the sanitizer)";

/// Whether it died there: after so many branches. Without a branch trace the signal alone tells.
pub(crate) fn there(kind: &str, branches: u64, observed: &Observed, tracing: Tracing) -> bool {
    let counted = tracing == Tracing::Present && Sign::of(kind).manner != Manner::Anywhere;
    !counted || observed.page.count == branches
}
