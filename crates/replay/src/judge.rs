//! A test judged: the program is run, compared with what was predicted, and run once more where addresses may be the difference.
//!
//! Blocks of the heap end at inaccessible pages, so that errors show; therefore they are not aligned as the engine's are. Arguments lie one behind the other,
//! where the kernel puts them, and not apart. A program may ask: word-wise string functions start by the byte at an odd address, `yes` looks whether
//! one argument follows the other. What it does then is right, and so is what was predicted for other addresses. So a test that diverges is run
//! again with memory placed as the engine places it, and is as predicted if it is so there: first as the engine aligns it (`Modelled`), where blocks still end
//! at inaccessible pages, then at the engine's very addresses (`Exact`), for programs that hash, order or print them. Some addresses differ even
//! there: those of arguments, of a library's local variables, of memory that the kernel gives. A test that is nowhere as predicted, and takes
//! other ways at other addresses, is not confirmed.
//!
//! An input may hold an address: a pointer that the program made symbolic. Natively it points there only where memory lies as the engine has it, so
//! such a test may die before.
//!
//! A symbolic argument is a buffer with an end anywhere in it, and the test has bytes behind that end. A program that reads them has an error that the
//! engine does not see; natively it reads the next argument. Such a test is not confirmed, and the reason is found by giving it these bytes.
//!
//! What finds errors is not weaker for it: a program that dies is judged where errors show and nowhere else, and a predicted error that is reached only at
//! other addresses counts if the program dies of it there; the way to it alone, which is enough where errors show, leaves it not confirmed.
//! Rejected: to place memory as the engine does in all runs, since the byte behind a block would often be accessible; to take every test that asks for
//! addresses as not confirmed, since nobody knows which ones do.

use crate::{Ending, Input, Leave, Observed, Placing, Refusal, Sandbox, Tracing, Verdict, compare};
use strata_record::{Dependence, End, Expectation};

/// A verdict and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What the comparison says.
    pub verdict: Verdict,
    /// How the run ended that it was made of.
    pub ending: Ending,
    /// Where memory lay in that run.
    pub placing: Placing,
    /// Whether the predicted error killed it, there and as one of its kind does.
    pub shown: bool,
}

/// Runs a test and compares. `tracing` is what is known of the program: one that counts branches says so by having counted some.
pub fn judge(
    sandbox: &mut Sandbox,
    input: &Input,
    expectation: &Expectation,
    tracing: Tracing,
) -> Result<Judgement, Refusal> {
    let mut at = |placing| sandbox.run(&Input { placing, leave: leave(expectation), ..*input });
    let mut depends = false;
    let observed = at(Placing::Guarded)?;
    let tracing = if observed.page.count > 0 { Tracing::Present } else { tracing };
    let verdict = compare(expectation, &observed, tracing);
    // Any other program knows no placing.
    let again = tracing == Tracing::Present && asks_for_addresses(expectation, &observed, &verdict);
    let shown = compare::shown(expectation, &observed, tracing);
    let mut first = Judgement { verdict, ending: observed.ending, placing: Placing::Guarded, shown };
    if !again {
        return Ok(first);
    }
    let guarded = observed;
    for placing in [Placing::Modelled, Placing::Exact, Placing::Padded] {
        let observed = at(placing)?;
        depends |= placing != Placing::Padded && !alike(&guarded, &observed);
        if compare(expectation, &observed, tracing) == Verdict::Same {
            let shown = compare::shown(expectation, &observed, tracing);
            let verdict = elsewhere(expectation, shown, placing);
            return Ok(Judgement { verdict, ending: observed.ending, placing, shown });
        }
    }
    if depends && matches!(first.verdict, Verdict::Diverged(_)) {
        first.verdict = Verdict::NotConfirmed(DEPENDS.into());
    }
    Ok(first)
}

/// Whether a program does the same twice, as far as it was waited for.
fn alike(one: &Observed, other: &Observed) -> bool {
    let seen = |run: &Observed| (run.ending, run.stdout.clone(), run.stderr.clone(), run.page.count, run.page.hash);
    one.ending == Ending::TimedOut || other.ending == Ending::TimedOut || seen(one) == seen(other)
}

/// What is said of a test that is as predicted in this place and in none before it.
fn elsewhere(expectation: &Expectation, shown: bool, placing: Placing) -> Verdict {
    let error = matches!(expectation.end, End::Error { .. });
    match placing {
        Placing::Padded => Verdict::NotConfirmed(PADDED.into()),
        Placing::Guarded | Placing::Modelled | Placing::Exact if error && !shown => {
            Verdict::NotConfirmed(UNSEEN.into())
        }
        Placing::Guarded | Placing::Modelled | Placing::Exact => Verdict::Same,
    }
}

const PADDED: &str = "it reads behind the end of an argument, where natively there is something else";
const DEPENDS: &str = "what it does depends on addresses that differ natively";
const UNSEEN: &str =
    "the way to the error is taken at the engine's addresses only, and the program does not die of it there";

/// Nothing is compared beyond the end of a path that was left: a program that loops for ever need not be waited for.
fn leave(expectation: &Expectation) -> Leave {
    match expectation.end {
        End::Incomplete { .. } => Leave::BeyondThePath,
        End::Exit { .. } | End::Signal { .. } | End::Error { .. } => Leave::AtItsEnd,
    }
}

/// Whether addresses may be what differs: a program that died has shown an error, or should not have.
fn asks_for_addresses(expectation: &Expectation, observed: &Observed, verdict: &Verdict) -> bool {
    let apart = match verdict {
        Verdict::Diverged(_) | Verdict::NotConfirmed(_) => true,
        Verdict::Same | Verdict::Foreign(_) => false,
    };
    let died = match (&expectation.end, observed.ending) {
        (End::Signal { signal }, Ending::Signal(seen)) => *signal != seen,
        (_, Ending::Signal(_)) => true,
        (_, Ending::Exit(_) | Ending::TimedOut) => false,
    };
    apart && (!died || expectation.depends.contains(&Dependence::Address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use strata_record::Trace;

    fn observed(ending: Ending) -> Observed {
        Observed { ending, stdout: vec![], stderr: vec![], cut: false, page: Page::default() }
    }

    /// Each row: how the path ends, how the program does, and whether it is run again. Three branches are predicted, none is taken.
    #[test]
    fn errors_are_judged_where_they_show() {
        let error = || End::Error { error: "ptr".into(), file: "a.c".into(), line: 1, message: "m".into() };
        let left = || End::Incomplete { reason: "time".into() };
        let (exit, death) = (Ending::Exit(0), Ending::Signal(libc::SIGSEGV));
        let term = || End::Signal { signal: libc::SIGTERM };
        let rows = [
            (End::Exit { status: 0 }, exit, true),
            (End::Exit { status: 0 }, Ending::TimedOut, true),
            (End::Exit { status: 0 }, death, false),
            (left(), exit, true),
            (left(), death, false),
            (term(), Ending::Signal(libc::SIGTERM), true),
            (term(), death, false),
            (error(), exit, true),
            (error(), death, false),
        ];
        for (end, ending, expect) in rows {
            let expectation = Expectation { branches: Trace { count: 3, hash: 30 }, ..Expectation::of(end) };
            let observed = observed(ending);
            let verdict = compare(&expectation, &observed, Tracing::Present);
            assert_eq!(asks_for_addresses(&expectation, &observed, &verdict), expect, "{expectation:?} {observed:?}");
        }
        let (exit, observed) = (Expectation::of(End::Exit { status: 0 }), observed(Ending::Exit(0)));
        assert!(!asks_for_addresses(&exit, &observed, &compare(&exit, &observed, Tracing::Present)));
    }

    /// Where an error does not show, the way to it is not enough.
    #[test]
    fn an_error_elsewhere_is_one_that_kills() {
        let error = End::Error { error: "ptr".into(), file: "a.c".into(), line: 1, message: "m".into() };
        let (error, exit) = (Expectation::of(error), Expectation::of(End::Exit { status: 0 }));
        let (alive, dead) = (false, true);
        assert_eq!(elsewhere(&exit, alive, Placing::Modelled), Verdict::Same);
        assert_eq!(elsewhere(&error, dead, Placing::Modelled), Verdict::Same);
        assert_eq!(elsewhere(&error, alive, Placing::Modelled), Verdict::NotConfirmed(UNSEEN.into()));
        assert_eq!(elsewhere(&exit, alive, Placing::Padded), Verdict::NotConfirmed(PADDED.into()));
        assert_eq!(elsewhere(&error, dead, Placing::Padded), Verdict::NotConfirmed(PADDED.into()));
    }
}
