//! The folder of a run, read back: for listing, replay and reports. A run that is still going on can be read, too.

use crate::{Coverage, ErrorReport, Expectation, Fault, KTest, Progress, RunInfo, Stats, test_name};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder of a run, for reading.
#[derive(Clone, Debug)]
pub struct Record {
    folder: PathBuf,
}

/// A test on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestEntry {
    /// Its number.
    pub number: u32,
    /// The `.ktest` file.
    pub path: PathBuf,
    /// The size of that file.
    pub bytes: u64,
    /// The kinds of its `.err` files, and those files.
    pub errors: Vec<(String, PathBuf)>,
}

#[derive(Deserialize)]
struct Line {
    test: u32,
    #[serde(flatten)]
    expectation: Expectation,
}

impl Record {
    /// The run in this folder.
    pub fn open(folder: &Path) -> Result<Record, Fault> {
        match fs::metadata(folder) {
            Err(error) => Err(Fault::Read(folder.into(), error)),
            Ok(_) if !folder.join("tests").is_dir() => Err(Fault::NotARun(folder.into())),
            Ok(_) => Ok(Record { folder: folder.into() }),
        }
    }

    /// The run that a `.ktest` file lies in, if it does.
    pub fn around(test: &Path) -> Option<Record> {
        let tests = test.parent()?;
        // A bare file name means the current folder.
        let tests = if tests.as_os_str().is_empty() { Path::new(".") } else { tests };
        let tests = fs::canonicalize(tests).ok()?;
        if tests.file_name()? != "tests" {
            return None;
        }
        Record::open(tests.parent()?).ok()
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All tests, by number.
    pub fn tests(&self) -> Result<Vec<TestEntry>, Fault> {
        let folder = self.folder.join("tests");
        let fault = |error| Fault::Read(folder.clone(), error);
        let mut tests = BTreeMap::new();
        let mut errors = Vec::new();
        for entry in fs::read_dir(&folder).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let name = entry.file_name();
            let Some((number, rest)) = name.to_str().and_then(split_name) else { continue };
            if rest == "ktest" {
                let bytes = entry.metadata().map_err(fault)?.len();
                tests.insert(number, TestEntry { number, path: entry.path(), bytes, errors: vec![] });
            } else if let Some(kind) = rest.strip_suffix(".err") {
                errors.push((number, kind.to_owned(), entry.path()));
            }
        }
        errors.sort();
        for (number, kind, path) in errors {
            if let Some(test) = tests.get_mut(&number) {
                test.errors.push((kind, path));
            }
        }
        Ok(tests.into_values().collect())
    }

    /// The input of a test.
    pub fn ktest(&self, number: u32) -> Result<KTest, Fault> {
        let path = self.folder.join("tests").join(format!("{}.ktest", test_name(number)));
        match path.exists() {
            true => KTest::read(&path),
            false => Err(Fault::NoTest(self.folder.clone(), number)),
        }
    }

    /// What is predicted, by test. The later line of a test holds; a torn last line is passed over.
    pub fn expectations(&self) -> Result<BTreeMap<u32, Expectation>, Fault> {
        let lines: Vec<Line> = self.lines("tests/expectations.jsonl")?;
        Ok(lines.into_iter().map(|line| (line.test, line.expectation)).collect())
    }

    /// The errors of a test, by the text of their files.
    pub fn errors(&self, test: &TestEntry) -> Result<Vec<ErrorReport>, Fault> {
        let read = |(kind, path): &(String, PathBuf)| Ok(ErrorReport::parse(kind, &text(path)?));
        test.errors.iter().map(read).collect()
    }

    /// `stats.json`; nothing while the run goes on.
    pub fn stats(&self) -> Result<Option<Stats>, Fault> {
        self.json("stats.json")
    }

    /// `run.json`.
    pub fn info(&self) -> Result<Option<RunInfo>, Fault> {
        self.json("run.json")
    }

    /// The lines of `progress.jsonl`.
    pub fn progress(&self) -> Result<Vec<Progress>, Fault> {
        self.lines("progress.jsonl")
    }

    /// `coverage.info`.
    pub fn coverage(&self) -> Result<Option<Coverage>, Fault> {
        Ok(optional(&self.folder.join("coverage.info"))?.map(|text| Coverage::parse(&text)))
    }

    /// Where the explored bitcode is, if it was kept.
    pub fn program(&self) -> Option<PathBuf> {
        Some(self.folder.join("program.bc")).filter(|path| path.is_file())
    }

    fn json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Fault> {
        let path = self.folder.join(name);
        let Some(text) = optional(&path)? else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|error| json_fault(&path, error.line(), &error))
    }

    fn lines<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, Fault> {
        let path = self.folder.join(name);
        let text = optional(&path)?.unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines = whole.lines().enumerate();
        lines.map(|(at, line)| serde_json::from_str(line).map_err(|error| json_fault(&path, at + 1, &error))).collect()
    }
}

impl KTest {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<KTest, Fault> {
        let bytes = fs::read(path).map_err(|error| Fault::Read(path.into(), error))?;
        KTest::from_bytes(&bytes).map_err(|fault| fault.within(path))
    }
}

/// `test000001.ptr.err` is 1 and `ptr.err`.
fn split_name(name: &str) -> Option<(u32, &str)> {
    let (number, rest) = name.strip_prefix("test")?.split_once('.')?;
    let plain = number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit());
    plain.then_some((number.parse().ok()?, rest))
}

fn json_fault(path: &Path, line: usize, error: &serde_json::Error) -> Fault {
    Fault::malformed(format!("line {line}"), error.to_string()).within(path)
}

/// Names in it come from the tested program, so that it need not be UTF-8.
fn text(path: &Path) -> Result<String, Fault> {
    let bytes = fs::read(path).map_err(|error| Fault::Read(path.into(), error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn optional(path: &Path) -> Result<Option<String>, Fault> {
    match text(path) {
        Ok(text) => Ok(Some(text)),
        Err(Fault::Read(_, error)) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(fault),
    }
}
