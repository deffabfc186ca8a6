//! The folder of a run while it is being written.
//!
//! Tests come from several workers at once and by the ten thousands, so a test is one file of three system calls and one appended
//! line. Their expectations share `tests/expectations.jsonl`: a file for each takes two thirds more processor time (38 against 23 µs a
//! test, `tests/throughput.rs`) and twice the files. A line is written by one call, unbuffered: a run that is killed loses nothing that
//! was reported as written, and at most leaves a torn last line, which the reader passes over. Nothing is flushed to the disk by force:
//! a machine that crashes loses a run, which can be made again. A test that is written again (a smaller input for the same error)
//! replaces the file, and its later line holds.
//!
//! Files that are read as a whole (`stats.json`, `run.json`, `program.bc`, `coverage.info`) appear by renaming: never half.

use crate::{Coverage, ErrorReport, Expectation, Fault, KTest, Progress, Stats, hash};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// `run.json`: what was run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunInfo {
    /// The program as the user named it.
    pub program: String,
    /// Its arguments, without its name.
    pub arguments: Vec<String>,
    /// The function where it starts.
    pub entry: String,
    /// The options that were in force.
    pub options: Map<String, Value>,
    /// [`hash`] of the bitcode; of a native program where that was explored.
    #[serde(with = "crate::escape::hex64")]
    pub bitcode_hash: u64,
    /// The version of strata.
    pub version: String,
    /// Whatever else is worth keeping.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The folder of a run, for writing. Shared between workers.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    tests: PathBuf,
    last: AtomicU32,
    expectations: Mutex<File>,
    progress: Mutex<File>,
    log: Mutex<File>,
}

#[derive(Serialize)]
struct Line<'e> {
    test: u32,
    #[serde(flatten)]
    expectation: &'e Expectation,
}

impl Run {
    /// A folder of this name, or the next free `strata-out-N` in the current folder, with the link `strata-last` to it.
    pub fn create(output: Option<&Path>) -> Result<Run, Fault> {
        match output {
            Some(folder) => Run::named(folder),
            None => Run::numbered(Path::new("")),
        }
    }

    /// A folder of this name, which is empty or not there yet.
    pub fn named(folder: &Path) -> Result<Run, Fault> {
        fs::create_dir_all(folder).map_err(|error| Fault::Write(folder.into(), error))?;
        let mut entries = fs::read_dir(folder).map_err(|error| Fault::Read(folder.into(), error))?;
        match entries.next() {
            Some(_) => Err(Fault::NotEmpty(folder.into())),
            None => Run::start(folder.into()),
        }
    }

    /// The next `strata-out-N` within `base`. Two that start at once get different folders, since only one can make each.
    pub fn numbered(base: &Path) -> Result<Run, Fault> {
        let mut number = next_number(base);
        loop {
            let name = format!("strata-out-{number}");
            let folder = base.join(&name);
            match fs::create_dir(&folder) {
                Ok(()) => {
                    let run = Run::start(folder)?;
                    // Sound: a convenience; a run without it is as good.
                    let _ = link(base, &name);
                    return Ok(run);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(Fault::Write(folder, error)),
            }
        }
    }

    fn start(folder: PathBuf) -> Result<Run, Fault> {
        let tests = folder.join("tests");
        fs::create_dir(&tests).map_err(|error| Fault::Write(tests.clone(), error))?;
        let open = |path: PathBuf| match File::options().create_new(true).append(true).open(&path) {
            Ok(file) => Ok(Mutex::new(file)),
            Err(error) => Err(Fault::Write(path, error)),
        };
        let expectations = open(tests.join("expectations.jsonl"))?;
        let progress = open(folder.join("progress.jsonl"))?;
        let log = open(folder.join("log.txt"))?;
        Ok(Run { folder, tests, last: AtomicU32::new(0), expectations, progress, log })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The number of a new test; the first is 1.
    pub fn next_test(&self) -> u32 {
        self.last.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// How many numbers were given out.
    pub fn tests(&self) -> u32 {
        self.last.load(Ordering::Relaxed)
    }

    /// Writes a test under the next number, which it returns.
    pub fn write_test(
        &self,
        input: &KTest,
        expectation: &Expectation,
        error: Option<&ErrorReport>,
    ) -> Result<u32, Fault> {
        let number = self.next_test();
        self.put_test(number, input, expectation, error)?;
        Ok(number)
    }

    /// Writes a test under a number that [`Run::next_test`] gave; a test of that number with an error of the same kind is replaced.
    pub fn put_test(
        &self,
        number: u32,
        input: &KTest,
        expectation: &Expectation,
        error: Option<&ErrorReport>,
    ) -> Result<(), Fault> {
        let name = test_name(number);
        put(&self.tests.join(format!("{name}.ktest")), &input.to_bytes())?;
        if let Some(error) = error {
            put(&self.tests.join(format!("{name}.{}.err", error.suffix())), error.text().as_bytes())?;
        }
        let path = || self.tests.join("expectations.jsonl");
        append(&self.expectations, &path, &Line { test: number, expectation })
    }

    /// Appends a line to `progress.jsonl`.
    pub fn write_progress(&self, progress: &Progress) -> Result<(), Fault> {
        append(&self.progress, &|| self.folder.join("progress.jsonl"), progress)
    }

    /// Appends a line to `log.txt`.
    pub fn log(&self, line: &str) -> Result<(), Fault> {
        write_line(&self.log, &|| self.folder.join("log.txt"), format!("{line}\n").as_bytes())
    }

    /// Writes `stats.json`.
    pub fn write_stats(&self, stats: &Stats) -> Result<(), Fault> {
        self.write_json("stats.json", stats)
    }

    /// Writes `run.json`.
    pub fn write_info(&self, info: &RunInfo) -> Result<(), Fault> {
        self.write_json("run.json", info)
    }

    /// Writes `program.bc` and returns its [`hash`].
    pub fn write_program(&self, bitcode: &[u8]) -> Result<u64, Fault> {
        self.write_whole("program.bc", bitcode)?;
        Ok(hash(bitcode))
    }

    /// Writes `coverage.info`.
    pub fn write_coverage(&self, coverage: &Coverage) -> Result<(), Fault> {
        self.write_whole("coverage.info", coverage.text().as_bytes())
    }

    /// Writes a question of the solver to `queries/`.
    pub fn write_query(&self, name: &str, text: &str) -> Result<(), Fault> {
        let folder = self.folder.join("queries");
        fs::create_dir_all(&folder).map_err(|error| Fault::Write(folder.clone(), error))?;
        put(&folder.join(name), text.as_bytes())
    }

    fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), Fault> {
        let mut text = serde_json::to_vec_pretty(value).expect("plain data becomes JSON");
        text.push(b'\n');
        self.write_whole(name, &text)
    }

    /// Writes a file that is never seen half-written.
    fn write_whole(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let (path, temporary) = (self.folder.join(name), self.folder.join(format!(".{name}.new")));
        let written = put(&temporary, bytes)
            .and_then(|()| fs::rename(&temporary, &path).map_err(|error| Fault::Write(path, error)));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }
}

/// `test000001`.
pub fn test_name(number: u32) -> String {
    format!("test{number:06}")
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let written = File::create(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| Fault::Write(path.into(), error))
}

fn append(file: &Mutex<File>, path: &dyn Fn() -> PathBuf, value: &impl Serialize) -> Result<(), Fault> {
    let mut text = serde_json::to_vec(value).expect("plain data becomes JSON");
    text.push(b'\n');
    write_line(file, path, &text)
}

fn write_line(file: &Mutex<File>, path: &dyn Fn() -> PathBuf, text: &[u8]) -> Result<(), Fault> {
    // A worker that panicked elsewhere does not keep the others from writing.
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.write_all(text).map_err(|error| Fault::Write(path(), error))
}

/// One more than the largest N of `strata-out-N`, so that a higher number is always the later run.
fn next_number(base: &Path) -> u32 {
    let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    let names = fs::read_dir(base).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let numbers = names.filter_map(|name| name.to_str()?.strip_prefix("strata-out-")?.parse::<u32>().ok());
    numbers.max().map_or(0, |number| number.saturating_add(1))
}

/// Points `strata-last` to the folder; leaves alone what is no link.
fn link(base: &Path, name: &str) -> std::io::Result<()> {
    let last = base.join("strata-last");
    if fs::symlink_metadata(&last).is_ok_and(|found| !found.is_symlink()) {
        return Ok(());
    }
    let temporary = base.join(format!(".strata-last-{}", std::process::id()));
    std::os::unix::fs::symlink(name, &temporary)?;
    fs::rename(&temporary, &last).inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}
