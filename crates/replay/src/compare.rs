//! What was predicted against what happened.
//!
//! A path that ends normally must end natively with the same status, the same output and the same branches. A path that ends in an
//! error ends there for us, while undefined behaviour need not stop a native program: what must agree is the way to the error, that is
//! the hash over the predicted number of branches, and where the machine must notice (`assert`, `abort`, a division) its
//! signal (`sign.rs`). Stdio's buffers are lost in a crash, so that output needs only to begin alike. A program without a branch trace can confirm
//! an error by dying alone.

use crate::sign::{self, Manner, Sign};
use crate::{Ending, Note, Observed, signal};
use std::fmt;
use strata_record::{End, Expectation, Trace};

/// Whether the program counts its branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracing {
    /// It was made for replay.
    Present,
    /// Any other program.
    Absent,
}

/// What the comparison says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As predicted.
    Same,
    /// Otherwise than predicted.
    Diverged(Vec<Difference>),
    /// Neither: why nothing can be said.
    NotConfirmed(String),
    /// The test is of another program, in the runtime's words.
    Foreign(String),
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// How it ends.
    End {
        /// What was predicted.
        predicted: String,
        /// What happened.
        observed: Ending,
    },
    /// What it prints.
    Output {
        /// Where to.
        stream: Stream,
        /// The first byte that differs.
        offset: usize,
        /// What was predicted from there on; empty at the end.
        predicted: Vec<u8>,
        /// What was printed from there on; empty at the end.
        observed: Vec<u8>,
    },
    /// Which branches it takes.
    Branches {
        /// What was predicted.
        predicted: Trace,
        /// How many were taken.
        observed: u64,
    },
    /// An assumption of the path does not hold.
    Assumption,
    /// It has ended without asking for so many inputs of the test.
    Unasked(u64),
}

/// Standard output or error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Difference::End { predicted, observed } => write!(out, "predicted {predicted}, but saw {observed}"),
            Difference::Output { stream, offset, predicted, observed } => {
                let stream = match stream {
                    Stream::Output => "output",
                    Stream::Error => "error",
                };
                let show = |bytes: &[u8]| match bytes {
                    [] => "its end".into(),
                    bytes => format!("\"{}\"", bytes.escape_ascii()),
                };
                let (predicted, observed) = (show(predicted), show(observed));
                write!(out, "standard {stream} differs at byte {offset}: predicted {predicted}, but saw {observed}")
            }
            Difference::Branches { predicted, observed } if predicted.count > *observed => {
                write!(out, "predicted {} branches, but saw {observed}", predicted.count)
            }
            Difference::Branches { predicted, observed } => {
                write!(out, "other branches are taken: predicted {}, saw {observed}", predicted.count)
            }
            Difference::Assumption => write!(out, "an assumption of the path does not hold natively"),
            Difference::Unasked(count) => {
                let inputs = if *count == 1 { "one input" } else { &format!("{count} inputs") };
                write!(out, "the program never asks for {inputs} of the test")
            }
        }
    }
}

/// Whether a predicted error killed the program natively: where it was predicted, and as an error of its kind does.
pub(crate) fn shown(expectation: &Expectation, observed: &Observed, tracing: Tracing) -> bool {
    match &expectation.end {
        End::Error { error, message, .. } => {
            sign::fits(error, message, observed) && sign::there(error, expectation.branches.count, observed, tracing)
        }
        End::Exit { .. } | End::Signal { .. } | End::Incomplete { .. } => false,
    }
}

/// Compares a prediction with what happened.
pub fn compare(expectation: &Expectation, observed: &Observed, tracing: Tracing) -> Verdict {
    // An intrinsic that the program misuses is found before the test has its object, and natively by the runtime.
    let misuse = matches!(&expectation.end, End::Error { error, .. } if error == "user");
    if observed.page.note == Note::Foreign && !misuse {
        return Verdict::Foreign(observed.page.message.clone());
    }
    let verdict = strict(expectation, observed, tracing);
    match verdict {
        Verdict::Same if let Some(count) = observed.unasked() => {
            Verdict::Foreign(Difference::Unasked(count).to_string())
        }
        Verdict::Diverged(_) if expectation.is_loose() => {
            let names: Vec<String> = expectation.dependences().collect();
            Verdict::NotConfirmed(format!("it may differ natively, since it depends on: {}", names.join(", ")))
        }
        verdict => verdict,
    }
}

fn strict(expectation: &Expectation, observed: &Observed, tracing: Tracing) -> Verdict {
    let mut differences = Vec::new();
    let misuse = matches!(&expectation.end, End::Error { error, .. } if error == "user");
    if observed.page.assume_failed && !misuse {
        differences.push(Difference::Assumption);
    }
    let doubt = match &expectation.end {
        End::Exit { status } => {
            let same = observed.ending == Ending::Exit(status & 0xff);
            differences.extend(end(same, format!("exit {}", status & 0xff), observed));
            differences.extend(whole(expectation, observed, tracing));
            None
        }
        End::Signal { signal } => {
            let same = observed.ending == Ending::Signal(*signal);
            differences.extend(end(same, format!("death by {}", signal::name(*signal)), observed));
            differences.extend(beginning(expectation, observed, tracing));
            None
        }
        End::Error { error, .. } => {
            let (wrong, doubt) = error_end(error, expectation, observed, tracing);
            differences.extend(wrong);
            doubt
        }
        End::Incomplete { reason } => {
            differences.extend(beginning(expectation, observed, tracing));
            let blind = tracing == Tracing::Absent;
            blind.then(|| format!("the path was left ({reason}), and the program has no branch trace"))
        }
    };
    match (differences.is_empty(), doubt) {
        (true, None) => Verdict::Same,
        (true, Some(doubt)) => Verdict::NotConfirmed(doubt),
        (false, _) => {
            differences.extend(observed.unasked().map(Difference::Unasked));
            Verdict::Diverged(differences)
        }
    }
}

fn end(same: bool, predicted: String, observed: &Observed) -> Option<Difference> {
    (!same).then_some(Difference::End { predicted, observed: observed.ending })
}

/// An error: what contradicts it, and what keeps it from being confirmed.
fn error_end(
    kind: &str,
    expectation: &Expectation,
    observed: &Observed,
    tracing: Tracing,
) -> (Vec<Difference>, Option<String>) {
    let mut differences: Vec<Difference> = beginning(expectation, observed, tracing).collect();
    let sign = Sign::of(kind);
    let predicted = format!("{kind}: death by {}", signal::name(sign.usual()));
    let fits = matches!(&expectation.end, End::Error { message, .. } if sign::fits(kind, message, observed));
    let doubt = match sign.manner {
        Manner::Always => {
            differences.extend(end(fits, predicted, observed));
            None
        }
        Manner::Mostly if fits => None,
        Manner::Mostly => Some(format!("predicted {predicted}, but saw {}", observed.ending)),
        Manner::Perhaps if tracing == Tracing::Present || fits => None,
        Manner::Perhaps => {
            Some(format!("{kind}: the program does not die of it ({}), and has no branch trace", observed.ending))
        }
        Manner::Anywhere if fits => {
            differences.retain(|difference| !matches!(difference, Difference::Branches { .. }));
            None
        }
        Manner::Anywhere => Some(format!("{kind}: the program does not die of it ({})", observed.ending)),
    };
    (differences, doubt)
}

/// All of output and branches.
fn whole<'a>(
    expectation: &'a Expectation,
    observed: &'a Observed,
    tracing: Tracing,
) -> impl Iterator<Item = Difference> + 'a {
    let Trace { count, hash } = expectation.branches;
    let same = tracing == Tracing::Absent || (count, hash) == (observed.page.count, observed.page.hash);
    // What was cut on either side can be compared as far as it was kept.
    let cut = expectation.cut || observed.cut;
    outputs(expectation, observed, cut).chain(branches(same, expectation, observed))
}

/// Output and branches up to where the path was left.
fn beginning<'a>(
    expectation: &'a Expectation,
    observed: &'a Observed,
    tracing: Tracing,
) -> impl Iterator<Item = Difference> + 'a {
    let Trace { count, hash } = expectation.branches;
    let reached = observed.page.count >= count && observed.page.hash_at_stop == hash;
    let same = tracing == Tracing::Absent || count == 0 || reached;
    outputs(expectation, observed, true).chain(branches(same, expectation, observed))
}

fn branches(same: bool, expectation: &Expectation, observed: &Observed) -> Option<Difference> {
    (!same).then_some(Difference::Branches { predicted: expectation.branches, observed: observed.page.count })
}

/// Both streams; with `beginning` it is enough that one begins with the other.
fn outputs(expectation: &Expectation, observed: &Observed, beginning: bool) -> impl Iterator<Item = Difference> {
    let streams = [
        output(Stream::Output, &expectation.stdout.0, &observed.stdout, beginning),
        output(Stream::Error, &expectation.stderr.0, &observed.stderr, beginning),
    ];
    streams.into_iter().flatten()
}

fn output(stream: Stream, predicted: &[u8], observed: &[u8], beginning: bool) -> Option<Difference> {
    let offset = predicted.iter().zip(observed).take_while(|(one, other)| one == other).count();
    let (predicted, observed) = (&predicted[offset..], &observed[offset..]);
    let ended = predicted.is_empty() || observed.is_empty();
    if ended && (beginning || predicted.len() == observed.len()) {
        return None;
    }
    // Enough to recognise the place.
    let show = |bytes: &[u8]| bytes[..bytes.len().min(24)].to_vec();
    Some(Difference::Output { stream, offset, predicted: show(predicted), observed: show(observed) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use strata_record::Dependence;

    fn observed(ending: Ending, stdout: &str, count: u64, hash: u64, hash_at_stop: u64) -> Observed {
        let page = Page { count, hash, hash_at_stop, ..Page::default() };
        Observed { ending, stdout: stdout.into(), stderr: vec![], cut: false, page }
    }

    fn predicted(end: End) -> Expectation {
        Expectation { stdout: "ab\n".into(), branches: Trace { count: 3, hash: 30 }, ..Expectation::of(end) }
    }

    fn error(kind: &str) -> Expectation {
        let (file, message) = ("a.c".into(), "m".into());
        predicted(End::Error { error: kind.into(), file, line: 1, message })
    }

    /// `same`, `not confirmed`, or the differences.
    fn check(expectation: &Expectation, observed: &Observed, expect: &str) {
        check_with(expectation, observed, Tracing::Present, expect);
    }

    fn check_with(expectation: &Expectation, observed: &Observed, tracing: Tracing, expect: &str) {
        let text = match compare(expectation, observed, tracing) {
            Verdict::Same => "same".into(),
            Verdict::NotConfirmed(_) => "not confirmed".into(),
            Verdict::Foreign(message) => message,
            Verdict::Diverged(differences) => {
                differences.iter().map(|it| it.to_string()).collect::<Vec<_>>().join("; ")
            }
        };
        assert_eq!(text, expect, "{expectation:?}\n{observed:?}");
    }

    const SEGV: Ending = Ending::Signal(libc::SIGSEGV);
    const ABRT: Ending = Ending::Signal(libc::SIGABRT);
    const FPE: Ending = Ending::Signal(libc::SIGFPE);

    #[test]
    fn normal_ends() {
        let path = predicted(End::Exit { status: 256 + 3 });
        let exit = Ending::Exit(3);
        check(&path, &observed(exit, "ab\n", 3, 30, 30), "same");
        check(&path, &observed(Ending::Exit(4), "ab\n", 3, 30, 30), "predicted exit 3, but saw exit 4");
        let death = "predicted exit 3, but saw death by SIGSEGV (segmentation fault)";
        check(&path, &observed(SEGV, "ab\n", 3, 30, 30), death);
        let late = "predicted exit 3, but saw no end within the time limit";
        check(&path, &observed(Ending::TimedOut, "ab\n", 3, 30, 30), late);
        let other = "standard output differs at byte 1: predicted \"b\\n\", but saw \"x\\n\"";
        check(&path, &observed(exit, "ax\n", 3, 30, 30), other);
        let less = "standard output differs at byte 1: predicted \"b\\n\", but saw its end";
        check(&path, &observed(exit, "a", 3, 30, 30), less);
        let more = "standard output differs at byte 3: predicted its end, but saw \"!\"";
        check(&path, &observed(exit, "ab\n!", 3, 30, 30), more);
        check(&path, &observed(exit, "ab\n", 2, 20, 0), "predicted 3 branches, but saw 2");
        check(&path, &observed(exit, "ab\n", 4, 40, 30), "other branches are taken: predicted 3, saw 4");
        check(&path, &observed(exit, "ab\n", 3, 31, 31), "other branches are taken: predicted 3, saw 3");
        check_with(&path, &observed(exit, "ab\n", 0, 0, 0), Tracing::Absent, "same");
        let cut = Expectation { cut: true, ..path.clone() };
        check(&cut, &observed(exit, "ab\nmore", 3, 30, 30), "same");
    }

    #[test]
    fn errors() {
        check(&error("assert"), &observed(ABRT, "", 3, 30, 30), "same");
        let ran_on = "predicted assert: death by SIGABRT (abort), but saw exit 0";
        check(&error("assert"), &observed(Ending::Exit(0), "ab\n", 3, 30, 30), ran_on);
        check(&error("assert"), &observed(ABRT, "", 3, 31, 31), "other branches are taken: predicted 3, saw 3");
        check(&error("DIV"), &observed(FPE, "", 3, 30, 30), "same");
        check(&error("div"), &observed(Ending::Exit(0), "", 5, 50, 30), "not confirmed");
        check(&error("ptr"), &observed(SEGV, "", 3, 30, 30), "same");
        check(&error("ptr"), &observed(Ending::Exit(0), "ab\nc", 5, 50, 30), "same");
        check(&error("ptr"), &observed(Ending::TimedOut, "", 5, 50, 30), "same");
        check(&error("ptr"), &observed(SEGV, "", 2, 20, 0), "predicted 3 branches, but saw 2");
        check_with(&error("ptr"), &observed(SEGV, "", 0, 0, 0), Tracing::Absent, "same");
        check_with(&error("ptr"), &observed(Ending::Exit(0), "", 0, 0, 0), Tracing::Absent, "not confirmed");
        check(&error("stack"), &observed(SEGV, "", 2, 20, 0), "same");
        check(&error("overflow"), &observed(Ending::Exit(0), "ab\n", 9, 90, 30), "same");
        check(
            &error("my"),
            &observed(Ending::Exit(0), "ab\n", 9, 90, 31),
            "other branches are taken: predicted 3, saw 9",
        );
        let other = "standard output differs at byte 0: predicted \"ab\\n\", but saw \"x\"";
        check(&error("ptr"), &observed(SEGV, "x", 3, 30, 30), other);
    }

    /// Each row: the kind, how the program ends and after how many branches, and whether the error is what killed it. Three are predicted.
    #[test]
    fn an_error_is_shown_where_it_kills() {
        let ill = Ending::Signal(libc::SIGILL);
        let bus = Ending::Signal(libc::SIGBUS);
        let rows = [
            ("ptr", SEGV, 3, true),
            ("ptr", bus, 3, true),
            ("ptr", SEGV, 4, false),
            ("ptr", ABRT, 3, false),
            ("ptr", FPE, 3, false),
            ("ptr", ill, 3, false),
            ("ptr", Ending::Exit(0), 3, false),
            ("overflow", SEGV, 3, false),
            ("assert", ABRT, 3, true),
            ("abort", ill, 3, true),
            ("div", FPE, 3, true),
            ("div", SEGV, 3, false),
            ("stack", SEGV, 9, true),
            ("stack", ABRT, 3, false),
            ("exec", ill, 3, true),
        ];
        for (kind, ending, count, expect) in rows {
            let run = observed(ending, "", count, 30, 30);
            assert_eq!(shown(&error(kind), &run, Tracing::Present), expect, "{kind} {run:?}");
        }
        let mut run = observed(ABRT, "", 3, 30, 30);
        run.page.note = Note::Heap;
        assert!(shown(&error("ptr"), &run, Tracing::Present));
        assert!(!shown(&error("assert"), &run, Tracing::Present));
        (run.page.note, run.page.message) = (Note::Reported, "overflow.err: m".into());
        assert!(shown(&error("overflow"), &run, Tracing::Present));
        assert!(!shown(&error("ptr"), &run, Tracing::Present));
        let message = "a shift (found by the sanitizer)".into();
        let trap = predicted(End::Error { error: "overshift".into(), file: "a.c".into(), line: 1, message });
        assert!(shown(&trap, &observed(ill, "", 3, 30, 30), Tracing::Present));
        // Nothing is known of where it dies.
        assert!(shown(&error("ptr"), &observed(SEGV, "", 0, 0, 0), Tracing::Absent));
        check_with(&error("ptr"), &observed(ABRT, "", 0, 0, 0), Tracing::Absent, "not confirmed");
    }

    #[test]
    fn other_ends() {
        let left = predicted(End::Incomplete { reason: "time".into() });
        check(&left, &observed(Ending::Exit(0), "ab\nmore", 9, 90, 30), "same");
        check(&left, &observed(Ending::TimedOut, "a", 9, 90, 30), "same");
        check(&left, &observed(Ending::Exit(0), "ab\n", 2, 20, 0), "predicted 3 branches, but saw 2");
        check_with(&left, &observed(Ending::Exit(0), "", 0, 0, 0), Tracing::Absent, "not confirmed");
        let killed = predicted(End::Signal { signal: libc::SIGSEGV });
        check(&killed, &observed(SEGV, "", 3, 30, 30), "same");
        let other = "predicted death by SIGSEGV (segmentation fault), but saw death by SIGABRT (abort)";
        check(&killed, &observed(ABRT, "", 3, 30, 30), other);
    }

    #[test]
    fn assumptions_strangers_and_uninitialised_memory() {
        let mut run = observed(Ending::Exit(0), "ab\n", 3, 30, 30);
        run.page.assume_failed = true;
        let path = predicted(End::Exit { status: 0 });
        check(&path, &run, "an assumption of the path does not hold natively");
        let loose = Expectation { depends: [Dependence::Uninit].into(), ..path.clone() };
        check(&loose, &run, "not confirmed");
        check(&loose, &observed(Ending::Exit(0), "ab\n", 3, 30, 30), "same");
        run.page = Page { note: Note::Foreign, message: "no object y".into(), ..Page::default() };
        check(&path, &run, "no object y");
        let mut run = observed(Ending::Exit(0), "ab\n", 3, 30, 30);
        run.page.unasked = 2;
        check(&path, &run, "the program never asks for 2 inputs of the test");
        // It may ask for them behind where it died.
        run.ending = SEGV;
        check(&predicted(End::Signal { signal: libc::SIGSEGV }), &run, "same");
    }
}
