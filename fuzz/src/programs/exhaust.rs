//! A program natively on every input, and under the engine on all at once: both must find the same
//! outcomes.
//!
//! The native build is the reference: it runs the program once for each input, and checks the
//! operands of planted operations itself, so that an error is known by its kind and its line
//! instead of by what the machine makes of undefined behaviour. The run must be complete, each
//! test must be what the reference has for the very same input, and no outcome of the reference
//! may be missing.

use super::compare::{Setting, Verdict, run, said};
use super::generate::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::process::Command;
use strata_record::{End, ErrorReport, KTest, Record, Test};

/// How a program ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// With this status.
    Exit(i32),
    /// By an error of this kind in this line of the program.
    Error(String, u32),
    /// Otherwise, in words: a reference has no such end.
    Other(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Exit(status) => write!(f, "exit {status}"),
            Outcome::Error(kind, line) => write!(f, "{kind} in line {line}"),
            Outcome::Other(words) => f.write_str(words),
        }
    }
}

/// An end, and what was printed before it.
type Observed = (Outcome, String);

/// The program's file.
const SOURCE: &str = "program.c";

/// How states are merged. A merged path has one test, so not each status that the program ends with
/// is met; errors are.
const MERGES: [&str; 3] = ["none", "cfg", "pattern"];

/// Levels of optimisation. Programs are free of undefined behaviour up to the planted errors, so
/// that outcomes are the same at each.
const LEVELS: [&str; 2] = ["-O0", "-O2"];

/// Runs the program natively on every input, explores it at each level, and compares.
pub fn exhaust(program: &Program, setting: &Setting) -> Verdict {
    let source = setting.scratch.join(SOURCE);
    if let Err(error) = std::fs::write(&source, program.source()) {
        return Verdict::Invalid(format!("{}: {error}", source.display()));
    }
    let reference = match reference(&source, setting) {
        Ok(reference) if reference.len() as u64 == program.choices.iter().product::<u64>() => reference,
        Ok(reference) => return Verdict::Invalid(format!("natively {} inputs", reference.len())),
        Err(message) => return Verdict::Invalid(message),
    };
    for level in LEVELS {
        for merge in MERGES {
            if let Err(message) = explored(program, &source, (level, merge), &reference, setting) {
                return Verdict::Different(format!("{level} --merge {merge}: {message}"));
            }
        }
    }
    Verdict::Same
}

/// What the program does natively, by the number of the input. Undefined behaviour other than a
/// planted error traps.
fn reference(source: &Path, setting: &Setting) -> Result<Vec<Observed>, String> {
    let binary = setting.scratch.join("program");
    let mut command = Command::new(&setting.clang);
    command.args(["-O0", "-w", "-D", "REFERENCE", "-fsanitize=undefined", "-fsanitize-trap=undefined", "-o"]);
    let compiled = run(command.arg(&binary).arg(source))?;
    if !compiled.status.success() {
        return Err(said(&compiled));
    }
    let output = run(&mut Command::new(&binary))?;
    if !output.status.success() {
        return Err(format!("natively: {}", said(&output).lines().last().unwrap_or_default()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    text.split('\u{2}').skip(1).map(|part| observed(part).ok_or_else(|| format!("natively: {part:?}"))).collect()
}

/// What the reference prints for one input: the program's output, then `\1KIND LINE` or
/// `\3STATUS`.
fn observed(text: &str) -> Option<Observed> {
    // The process that reports an error ends with status 0, which follows the report.
    if let Some((output, end)) = text.split_once('\u{1}') {
        let (kind, line) = end.split_once('\u{3}')?.0.split_once(' ')?;
        return Some((Outcome::Error(kind.into(), line.parse().ok()?), output.into()));
    }
    let (output, status) = text.split_once('\u{3}')?;
    Some((Outcome::Exit(status.parse().ok()?), output.into()))
}

/// Explores the program at a level and compares with the reference; what differs, as an error.
fn explored(
    program: &Program,
    source: &Path,
    (level, merge): (&str, &str),
    reference: &[Observed],
    setting: &Setting,
) -> Result<(), String> {
    let folder = setting.scratch.join("run");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut command = Command::new(&setting.strata);
    command.args(["run", level, "-D", "SYMBOLIC", "--emit-all-errors", "--no-confirm"]);
    command.args(["--merge", merge, "--check-merges", "--output"]);
    let output = run(command.arg(&folder).arg(source))?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(format!("strata run: {}\n{}", output.status, said(&output)));
    }
    let record = Record::open(&folder).map_err(|fault| fault.to_string())?;
    let stats = record.stats().map_err(|fault| fault.to_string())?.ok_or("no stats.json")?;
    if !stats.complete {
        return Err(format!("incomplete because of {:?}", stats.incomplete_causes));
    }
    let merged = merge != "none";
    compared(&predicted(&record, program, merged)?, reference, merged)
}

/// Whether tests, by their inputs, say what the reference says, and no outcome of the reference is
/// missing.
fn compared(tests: &BTreeMap<usize, Observed>, reference: &[Observed], merged: bool) -> Result<(), String> {
    for (input, found) in tests {
        let right = &reference[*input];
        if found != right {
            return Err(format!(
                "input {input}: predicted {}, natively {}; predicted output:\n{}natively:\n{}",
                found.0, right.0, found.1, right.1
            ));
        }
    }
    let covered: BTreeSet<&Outcome> = tests.values().map(|(outcome, _)| outcome).collect();
    let asked = |outcome: &Outcome| !merged || matches!(outcome, Outcome::Error(..));
    match reference.iter().enumerate().find(|(_, (outcome, _))| asked(outcome) && !covered.contains(outcome)) {
        None => Ok(()),
        Some((input, (outcome, _))) => Err(format!("no test ends as input {input} does: {outcome}")),
    }
}

/// What the tests of a run predict, by the number of their input.
fn predicted(record: &Record, program: &Program, merged: bool) -> Result<BTreeMap<usize, Observed>, String> {
    let mut found = BTreeMap::new();
    let tests = record.tests().map_err(|fault| fault.to_string())?;
    for test in tests.iter() {
        let test = test.map_err(|fault| fault.to_string())?;
        let errors = test.errors();
        let Test { number: at, input, expectation, .. } = test;
        let expectation = expectation.ok_or_else(|| format!("test {at}: nothing is predicted"))?;
        let outcome = match &expectation.end {
            End::Exit { status } => Outcome::Exit(*status),
            End::Error { error, file, line, .. } if file.ends_with(SOURCE) => Outcome::Error(error.clone(), *line),
            End::Error { error, .. } => Outcome::Error(error.clone(), called(&errors)),
            end @ (End::Signal { .. } | End::Incomplete { .. }) => Outcome::Other(end.word()),
        };
        let number = number(&input, &program.choices).ok_or_else(|| format!("test {at}: not an input"))?;
        let output = String::from_utf8_lossy(&expectation.stdout.0).into_owned();
        // A path that was dropped for a merged one may have left its test.
        if found.insert(number, (outcome, output)).is_some() && !merged {
            return Err(format!("input {number} has two paths"));
        }
    }
    Ok(found)
}

/// The innermost line of the program itself, where an error was found in the library.
fn called(errors: &[ErrorReport]) -> u32 {
    let frames = errors.iter().flat_map(|error| &error.stack);
    frames.filter(|frame| frame.file.ends_with(SOURCE)).map(|frame| frame.line).next().unwrap_or_default()
}

/// The number of a test's input, of which the first object is the lowest digit.
fn number(input: &KTest, choices: &[u64]) -> Option<usize> {
    if input.objects.len() != choices.len() {
        return None;
    }
    let digits = input.objects.iter().map(|(_, bytes)| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    });
    let mut number = 0;
    for (digit, count) in digits.zip(choices).rev() {
        if digit >= *count {
            return None;
        }
        number = number * count + digit;
    }
    usize::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reference_prints() {
        let exit = Some((Outcome::Exit(7), "a\n".into()));
        assert_eq!(observed("a\n\u{3}7"), exit);
        assert_eq!(observed("\u{1}ptr 12\u{3}0"), Some((Outcome::Error("ptr".into(), 12), String::new())));
        assert_eq!(observed("a\n"), None);
    }

    #[test]
    fn an_outcome_that_is_missing_or_wrong_is_a_difference() {
        let exit = |status, output: &str| (Outcome::Exit(status), output.to_owned());
        let error = (Outcome::Error("div".into(), 3), String::new());
        let reference = [exit(0, "a"), exit(0, "b"), error.clone(), exit(1, "")];
        let tests = |list: &[(usize, Observed)]| compared(&list.iter().cloned().collect(), &reference, false);
        assert_eq!(tests(&[(1, exit(0, "b")), (2, error.clone()), (3, exit(1, ""))]), Ok(()));
        let missing = tests(&[(1, exit(0, "b")), (3, exit(1, ""))]);
        assert_eq!(missing, Err("no test ends as input 2 does: div in line 3".into()));
        assert!(tests(&[(1, exit(0, "a")), (2, error), (3, exit(1, ""))]).is_err());
        let other_line = (Outcome::Error("div".into(), 4), String::new());
        assert!(tests(&[(0, exit(0, "a")), (2, other_line), (3, exit(1, ""))]).is_err());
    }

    #[test]
    fn inputs_are_numbers() {
        let objects = vec![("in0".into(), vec![3]), ("in1".into(), vec![2, 0, 0, 0])];
        let input = KTest { objects, ..KTest::default() };
        assert_eq!(number(&input, &[4, 8]), Some(3 + 4 * 2));
        assert_eq!(number(&input, &[2, 8]), None);
        assert_eq!(number(&input, &[4]), None);
    }
}
