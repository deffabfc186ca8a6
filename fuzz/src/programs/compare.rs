//! A program natively and under the engine: both must print the same.

use super::generate::Program;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where things are.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The native compiler.
    pub clang: String,
    /// The `strata` command.
    pub strata: PathBuf,
    /// A folder for files, made by the caller.
    pub scratch: PathBuf,
}

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One path, complete, and the same output.
    Same,
    /// Something else, in words.
    Different(String),
    /// It could not be compared, for a reason that is not the engine's: the program does not compile or crashes natively.
    Invalid(String),
}

/// Compiles and runs the program natively at -O0, explores it, and compares.
pub fn compare(program: &Program, setting: &Setting) -> Verdict {
    let source = setting.scratch.join("program.c");
    if let Err(error) = std::fs::write(&source, program.source()) {
        return Verdict::Invalid(format!("{}: {error}", source.display()));
    }
    let native = match native(&source, setting) {
        Ok(output) => output,
        Err(message) => return Verdict::Invalid(message),
    };
    match explored(&source, setting) {
        Ok(output) if output == native => Verdict::Same,
        Ok(output) => Verdict::Different(format!("predicted:\n{output}natively:\n{native}")),
        Err(message) => Verdict::Different(message),
    }
}

pub(super) fn run(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))
}

pub(super) fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// What the native program prints.
fn native(source: &Path, setting: &Setting) -> Result<String, String> {
    let binary = setting.scratch.join("program");
    let compiled = run(Command::new(&setting.clang).args(["-O0", "-w", "-o"]).arg(&binary).arg(source))?;
    if !compiled.status.success() {
        return Err(said(&compiled));
    }
    let output = run(&mut Command::new(&binary))?;
    if !output.status.success() {
        return Err(format!("natively: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What the engine predicts that the only path prints.
fn explored(source: &Path, setting: &Setting) -> Result<String, String> {
    let folder = setting.scratch.join("run");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut command = Command::new(&setting.strata);
    command.args(["run", "-D", "SYMBOLIC", "--output"]).arg(&folder).arg(source);
    let output = run(&mut command)?;
    if !output.status.success() {
        return Err(format!("strata run: {}\n{}", output.status, said(&output)));
    }
    let stats = document(&folder.join("stats.json"))?;
    if stats["complete"] != true || stats["paths"]["completed"] != 1 {
        return Err(format!("paths {}, incomplete because of {}", stats["paths"], stats["incomplete_causes"]));
    }
    prediction(&folder, &setting.strata)
}

fn document(file: &Path) -> Result<serde_json::Value, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
}

/// The predicted standard output of the last test of a run: a string, or `{"hex": …}` where it is no text.
fn prediction(folder: &Path, strata: &Path) -> Result<String, String> {
    let output = run(Command::new(strata).arg("tests").arg(folder).arg("--json"))?;
    let tests = serde_json::from_slice::<Vec<serde_json::Value>>(&output.stdout);
    let tests = tests.map_err(|error| format!("strata tests: {error}\n{}", said(&output)))?;
    let test = tests.last().ok_or("no test was written")?;
    match &test["expectation"]["stdout"] {
        serde_json::Value::Null => Ok(String::new()),
        serde_json::Value::String(text) => Ok(text.clone()),
        other => Err(format!("predicted output is not text: {other}")),
    }
}
