//! What a run leaves behind, as plain data and in its disk form: tests, errors, statistics, coverage.
//!
//! Nothing here computes: whoever explores fills these values in, [`Run`] puts them on disk, [`Record`] reads them back. The folder is
//! written by this crate alone, so that what it holds is said in one place:
//!
//! ```text
//! run.json                     what was run: program, arguments, entry, options, hash of the bitcode
//! program.bc                   the very bitcode that was explored
//! tests.pack                   all tests: inputs, how their paths end, what they print, which branches they take
//! tests/test000001.ktest       a test's input in KLEE's format: of errors, of new code, of the first thousand
//! tests/test000001.ptr.err     what went wrong on it, if something did
//! stats.json  progress.jsonl  coverage.info  log.txt
//! queries/                     the solver's questions, when asked for
//! ```

mod append;
mod coverage;
mod error;
mod escape;
mod expectation;
mod fault;
mod folder;
mod ktest;
mod pack;
mod read;
pub mod regular;
mod stats;
mod tests;

pub use coverage::{Branch, Coverage, Function, Source};
pub use error::{ErrorReport, Frame, Object, Place};
pub use escape::{Bytes, hash};
pub use expectation::{Dependence, End, Expectation, Field, Shape, Trace};
pub use fault::Fault;
pub use folder::{Run, RunInfo, fresh_folder, put_whole, test_name};
pub use ktest::KTest;
pub use read::Record;
pub use stats::{ArrayReads, Covered, Cpu, ErrorCount, ForkCount, Layer, Layers, Paths, Progress, Queries, Stats};
pub use tests::{Test, Tests};
