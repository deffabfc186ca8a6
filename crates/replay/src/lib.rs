//! A test and a native program to what happened: sandbox and comparison.
//!
//! The tested program may do anything, so it runs where there is nothing to do: in namespaces of its own, on an empty root, behind a
//! system-call filter, under limits. Where the kernel does not grant that, nothing is run and [`Refusal`] says what to allow.
//!
//! ```text
//! Sandbox::new ── clone ──▶ supervisor (pid 1 of fresh namespaces, made once)
//! Sandbox::run ── request ─▶    per test: empty root, limits, filter, exec, wait, kill the rest
//!              ◀── reply ──
//! judge(expectation, …) ─▶ Verdict       runs, compares, and runs once more where addresses may be the difference
//! ```

mod compare;
mod filter;
mod judge;
mod layout;
mod page;
mod refusal;
mod sandbox;
mod sign;
mod signal;
mod supervisor;
mod sweep;
mod trial;
mod watch;

pub use compare::{Difference, Stream, Tracing, Verdict, compare};
pub use judge::{Judgement, judge};
pub use layout::{Entry, EntryBody};
pub use page::{Note, Page};
pub use refusal::Refusal;
pub use sandbox::{Ending, Input, Kept, Leave, Limits, Observed, Placing, Sandbox};
pub use signal::name as signal_name;
pub use trial::trial;
