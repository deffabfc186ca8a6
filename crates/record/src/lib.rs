//! What a run leaves behind, as plain data and in its disk form: tests, errors, statistics, coverage.
//!
//! Nothing here computes: whoever explores fills these values in, [`Run`] puts them on disk, [`Record`] reads them back. The folder is
//! written by this crate alone, so that what it holds is said in one place:
//!
//! ```text
//! run.json                     what was run: program, arguments, entry, options, hash of the bitcode
//! program.bc                   the very bitcode that was explored
//! tests/test000001.ktest       the input of a path, in KLEE's format
//! tests/test000001.ptr.err     what went wrong on it, if something did
//! tests/expectations.jsonl     a line per test: how the path ends, what it prints, which branches it takes
//! stats.json  progress.jsonl  coverage.info  log.txt
//! queries/                     the solver's questions, when asked for
//! ```

mod coverage;
mod error;
mod escape;
mod expectation;
mod fault;
mod folder;
mod ktest;
mod read;
pub mod regular;
mod stats;

pub use coverage::{Branch, Coverage, Function, Source};
pub use error::{ErrorReport, Frame, Object, Place};
pub use escape::{Bytes, hash};
pub use expectation::{Dependence, End, Expectation, Field, Shape, Trace};
pub use fault::Fault;
pub use folder::{Run, RunInfo, test_name};
pub use ktest::KTest;
pub use read::{Record, TestEntry};
pub use stats::{ArrayReads, Covered, Cpu, ErrorCount, ForkCount, Layer, Layers, Paths, Progress, Queries, Stats};
