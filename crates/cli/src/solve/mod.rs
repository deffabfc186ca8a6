//! `strata solve FILE…`: the solver stack on its own.
//!
//! Each file is a script of its own; one that cannot be read does not keep the others from being answered.

mod kquery;
mod report;
mod script;

use crate::Outcome;
use crate::units;
use clap::Args;
use report::Report;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use strata_query::{Answer, Budget, Reason};
use strata_solver::{Backend, Check, Process, Selection, Stack};
use strata_term::text;

/// What was typed.
#[derive(Args)]
pub struct Options {
    /// Files to decide: .smt2 (SMT-LIB 2.6: QF_BV, and QF_ABV and QF_AUFBV as far as KLEE uses them) or .kquery; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print a model after each `sat`
    #[arg(long)]
    model: bool,
    /// Print the time that each answer took
    #[arg(long)]
    time: bool,
    /// Give up on a question after this long: 10, 500ms, 90s, 5min [default: no limit]
    #[arg(long, value_parser = units::duration, value_name = "TIME")]
    timeout: Option<Duration>,
    /// Give up on a question that needs more memory than this: 512M, 1G
    #[arg(long, value_parser = units::size, value_name = "SIZE", default_value = "1G")]
    max_memory: usize,
    /// Give up on a question after this many conflicts of the SAT solver
    #[arg(long, value_name = "N")]
    max_conflicts: Option<u64>,
    /// Who decides: builtin, z3, bitwuzla, cvc5, boolector, or smtlib:'COMMAND'
    #[arg(long, default_value = "builtin")]
    solver: String,
    /// Ask this solver, too, and stop if it contradicts
    #[arg(long, value_name = "SOLVER")]
    check_with: Option<String>,
    /// Which solver layers are on: all, none, klee, parti, o1, o2 (as published), names, -name; types and windows are the core's own, for arrays
    #[arg(long, default_value = "all", allow_hyphen_values = true)]
    layers: String,
    /// Print figures at the end
    #[arg(long)]
    stats: bool,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

impl Options {
    /// The budget of a question that starts now. A script's own limit holds where it is stricter.
    fn budget(&self, script_limit: Option<Duration>) -> Budget {
        let limit = self.timeout.into_iter().chain(script_limit).min();
        let budget = limit.map_or_else(Budget::default, Budget::within);
        Budget { conflicts: self.max_conflicts, memory: Some(self.max_memory), ..budget }
    }
}

/// Something that went wrong with a file: a place in it, or the file as a whole.
enum Problem {
    Text(text::Error),
    File(String),
    /// The answer is not what the file says it is.
    Contradiction(text::Error),
}

impl From<text::Error> for Problem {
    fn from(error: text::Error) -> Problem {
        Problem::Text(error)
    }
}

/// Decides every file.
pub fn run(options: &Options) -> Outcome {
    let mut stack = match build_stack(options) {
        Ok(stack) => stack,
        Err(message) => {
            crate::console::err(&format!("strata: {message}\n"));
            return Outcome::BadInput;
        }
    };
    let mut report = Report::new(options);
    let mut outcome = Outcome::Done;
    for file in &options.files {
        report.start(file);
        if let Err(problem) = solve_file(file, options, &mut stack, &mut report) {
            let (place, message, kind) = match problem {
                Problem::Text(error) => (Some((error.line, error.column)), error.message, Outcome::BadInput),
                Problem::File(message) => (None, message, Outcome::BadInput),
                Problem::Contradiction(error) => (Some((error.line, error.column)), error.message, Outcome::OurFault),
            };
            report.problem(place, &message);
            outcome = outcome.max(kind);
        } else {
            report.done();
        }
        stack.forget();
    }
    report.finish(&stack);
    outcome
}

fn build_stack(options: &Options) -> Result<Stack, String> {
    let selection = Selection::parse(&options.layers)?;
    let backend = match options.solver.as_str() {
        "builtin" => Backend::Builtin(Box::default()),
        other => Backend::Process(Box::new(Process::start(other)?)),
    };
    let process = |name| Process::start(name).map(|process| Check::Process(Box::new(process)));
    let check = options.check_with.as_deref().map(process).transpose()?;
    Ok(Stack::new(selection, backend, check))
}

/// Upper bound on the size of a script, in bytes: a pipe may never end, and the largest scripts
/// have some hundred megabytes.
const LARGEST: u64 = 1 << 30;

fn bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        0..=LARGEST => Ok(bytes),
        _ => Err(too_large()),
    }
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {LARGEST} bytes"))
}

fn solve_file(file: &Path, options: &Options, stack: &mut Stack, report: &mut Report) -> Result<(), Problem> {
    let read = match file.to_str() {
        Some("-") => bounded(std::io::stdin().lock()),
        // Not regular files alone: a shell's `<(…)` is a pipe.
        _ => File::open(file).and_then(|opened| {
            let about = opened.metadata()?;
            match (about.file_type().is_char_device() && !opened.is_terminal(), about.len()) {
                (true, _) => Err(io::Error::new(io::ErrorKind::InvalidInput, "a device")),
                (false, LARGEST..) => Err(too_large()),
                (false, _) => bounded(opened),
            }
        }),
    };
    let bytes = read.map_err(|error| Problem::File(format!("cannot be read: {error}")))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let is_kquery = match file.extension().and_then(|extension| extension.to_str()) {
        Some("smt2") => false,
        Some("kquery") => true,
        _ => looks_like_kquery(bytes),
    };
    if is_kquery {
        kquery::execute(bytes, options, stack, report)
    } else {
        script::execute(bytes, options, stack, report)
    }
}

/// For files whose name does not tell: KQuery starts with an array, a query or a comment that SMT-LIB does not have.
fn looks_like_kquery(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    [&b"array"[..], b"(query", b"#"].iter().any(|word| start.starts_with(word))
}

/// Why an answer is unknown, for messages.
fn reason(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Unknown(Reason::Memory) => Some("memory limit (--max-memory raises it)".into()),
        Answer::Unknown(reason) => Some(reason.to_string()),
        Answer::Sat(_) | Answer::Unsat => None,
    }
}
