//! The folder of a run, read back: for listing, replay and reports. A run that is still going on can be read, too.

use crate::{Coverage, Fault, KTest, Progress, RunInfo, Stats, Tests, regular, tests};
use serde::de::DeserializeOwned;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Upper bound on the size of a file of a run that is read as a whole, in bytes. A test holds what files and input of the
/// program hold; the texts are far smaller.
pub(crate) const LARGEST: u64 = 4 << 30;

/// The folder of a run, for reading.
#[derive(Clone, Debug)]
pub struct Record {
    folder: PathBuf,
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

    /// The run that a `.ktest` file lies in, if it does, or would lie in if the run had made a file of this test; and the test's number,
    /// if its name has one.
    pub fn around(test: &Path) -> Option<(Record, Option<u32>)> {
        let tests = test.parent()?;
        // A bare file name means the current folder.
        let tests = if tests.as_os_str().is_empty() { Path::new(".") } else { tests };
        let tests = fs::canonicalize(tests).ok()?;
        if tests.file_name()? != "tests" {
            return None;
        }
        Some((Record::open(tests.parent()?).ok()?, tests::number(test.file_name()?)))
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its tests.
    pub fn tests(&self) -> Result<Tests, Fault> {
        Tests::open(&self.folder)
    }

    /// `stats.json`; nothing where the run was killed before it had any.
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
        let bytes = regular::read(path, LARGEST).map_err(|error| Fault::Read(path.into(), error))?;
        KTest::from_bytes(&bytes).map_err(|fault| fault.within(path))
    }
}

fn json_fault(path: &Path, line: usize, error: &serde_json::Error) -> Fault {
    Fault::malformed(format!("line {line}"), error.to_string()).within(path)
}

/// Names in it come from the tested program, so that it need not be UTF-8.
fn text(path: &Path) -> Result<String, Fault> {
    let bytes = regular::read(path, LARGEST).map_err(|error| Fault::Read(path.into(), error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn optional(path: &Path) -> Result<Option<String>, Fault> {
    match text(path) {
        Ok(text) => Ok(Some(text)),
        Err(Fault::Read(_, error)) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(fault),
    }
}
