//! The tests of a run, wherever they are kept: all in the pack, some of them as files, too.
//!
//! Where a test is in both, the file holds for the input and the report, which users see and may change, and the pack for what is
//! predicted. A file that cannot be read is replaced by what the pack has, and the test says so.

use crate::pack::{Packed, Reader};
use crate::read::LARGEST;
use crate::{ErrorReport, Expectation, Fault, KTest, regular, test_name};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// All tests of a run, for reading.
#[derive(Debug)]
pub struct Tests {
    folder: PathBuf,
    pack: Reader,
    files: BTreeMap<u32, Files>,
    numbers: Vec<u32>,
}

/// What of a test lies in `tests/`.
#[derive(Debug, Default)]
struct Files {
    ktest: bool,
    /// The kinds of its `.err` files.
    errors: Vec<String>,
}

/// A test of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// Its number.
    pub number: u32,
    /// The input.
    pub input: KTest,
    /// What is predicted, where the pack has it.
    pub expectation: Option<Expectation>,
    /// Reports of errors: kind and text.
    pub reports: Vec<(String, String)>,
    /// What could not be read of it, if something could not.
    pub damage: Option<String>,
}

impl Test {
    /// Its errors, by the text of their reports.
    pub fn errors(&self) -> Vec<ErrorReport> {
        self.reports.iter().map(|(kind, text)| ErrorReport::parse(kind, text)).collect()
    }

    /// Its files: names and contents.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let name = test_name(self.number);
        let reports = self.reports.iter();
        let reports = reports.map(|(kind, text)| (format!("{name}.{kind}.err"), text.clone().into_bytes()));
        reports.chain([(format!("{name}.ktest"), self.input.to_bytes())]).collect()
    }
}

impl Tests {
    /// The tests of the run in this folder.
    pub(crate) fn open(folder: &Path) -> Result<Tests, Fault> {
        let pack = Reader::open(folder.join(crate::pack::NAME))?;
        let files = files(&folder.join("tests"))?;
        let kept = files.iter().filter(|(_, files)| files.ktest).map(|(number, _)| *number);
        let mut numbers: Vec<u32> = pack.numbers().chain(kept).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(Tests { folder: folder.into(), pack, files, numbers })
    }

    /// Their numbers, rising.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// What cannot be read of the pack: for the user.
    pub fn damage(&self) -> &[String] {
        self.pack.damage()
    }

    /// All tests, by number.
    pub fn iter(&self) -> impl Iterator<Item = Result<Test, Fault>> {
        self.numbers.iter().map(|number| self.get(*number))
    }

    /// A test.
    pub fn get(&self, number: u32) -> Result<Test, Fault> {
        let files = self.files.get(&number);
        let file = files.is_some_and(|files| files.ktest).then(|| self.path(number));
        let input = file.map(|file| KTest::read(&file));
        let (packed, lost) = match self.pack.get(number).transpose() {
            Ok(packed) => (packed, None),
            Err(fault) => (None, Some(fault)),
        };
        let (input, damage) = match (input, &packed) {
            (Some(Ok(input)), _) => (input, lost.map(|fault| fault.to_string())),
            (Some(Err(fault)), Some(packed)) => (packed.input.clone(), Some(format!("{fault}; taken from the pack"))),
            (Some(Err(fault)), None) => return Err(fault),
            (None, Some(packed)) => (packed.input.clone(), None),
            (None, None) => return Err(lost.unwrap_or_else(|| Fault::NoTest(self.folder.clone(), number))),
        };
        let (expectation, report) = match packed {
            Some(Packed { expectation, report, .. }) => (Some(expectation), report),
            None => (None, None),
        };
        let mut reports = Vec::new();
        for kind in files.map_or(&[][..], |files| &files.errors) {
            let path = self.folder.join("tests").join(format!("{}.{kind}.err", test_name(number)));
            // Names in it come from the tested program, so that it need not be UTF-8.
            let text = regular::read(&path, LARGEST).map_err(|error| Fault::Read(path, error))?;
            reports.push((kind.clone(), String::from_utf8_lossy(&text).into_owned()));
        }
        reports.extend(report.filter(|(kind, _)| reports.iter().all(|(other, _)| other != kind)));
        Ok(Test { number, input, expectation, reports, damage })
    }

    /// The kinds of the errors of a test that have files: what can be told of it if it cannot be read.
    pub fn kinds(&self, number: u32) -> &[String] {
        self.files.get(&number).map_or(&[], |files| &files.errors)
    }

    fn path(&self, number: u32) -> PathBuf {
        self.folder.join("tests").join(format!("{}.ktest", test_name(number)))
    }
}

/// The number of the test that a `.ktest` file of a run has in its name.
pub(crate) fn number(file: &OsStr) -> Option<u32> {
    split_name(file.to_str()?).filter(|(_, rest)| *rest == "ktest").map(|(number, _)| number)
}

/// What lies in `tests/`. Names that begin with a dot are files that a killed run had not finished.
fn files(folder: &Path) -> Result<BTreeMap<u32, Files>, Fault> {
    let fault = |error| Fault::Read(folder.into(), error);
    let mut files: BTreeMap<u32, Files> = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(fault)? {
        let name = entry.map_err(fault)?.file_name();
        let Some((number, rest)) = name.to_str().and_then(split_name) else { continue };
        if rest == "ktest" {
            files.entry(number).or_default().ktest = true;
        } else if let Some(kind) = rest.strip_suffix(".err") {
            files.entry(number).or_default().errors.push(kind.to_owned());
        }
    }
    files.values_mut().for_each(|files| files.errors.sort());
    Ok(files)
}

/// `test000001.ptr.err` is 1 and `ptr.err`.
fn split_name(name: &str) -> Option<(u32, &str)> {
    let (number, rest) = name.strip_prefix("test")?.split_once('.')?;
    let plain = number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit());
    plain.then_some((number.parse().ok()?, rest))
}
