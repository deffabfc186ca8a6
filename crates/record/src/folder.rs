//! The folder of a run while it is being written.
//!
//! Tests come from several workers at once and by the million. Each is one record of `tests.pack`, appended by one unbuffered write: a
//! run that is killed loses nothing that was reported as written. A file for each test was rejected: writing it takes ten times as
//! long, and a million of them fill 4 GB and take minutes to list and to remove. Files have those tests that somebody looks at:
//! of errors, of new code, and the first [`FILES`]. A test that is written again (a smaller input for the same error) replaces its
//! file, and its later record holds.
//!
//! Whole files appear by renaming: nobody ever sees half of one. Nothing is flushed to the disk by force: a machine that crashes
//! loses a run, which can be made again; after such a crash, checksums tell what of the pack is whole.
//!
//! What cannot be written is taken back, and no test is written after it. A run keeps [`RESERVE`] bytes of the disk for itself, which
//! it gives back then: so the figures of a run that filled its disk can still say so.

use crate::append::Appender;
use crate::pack::{self, Writer};
use crate::{Coverage, End, ErrorReport, Expectation, Fault, KTest, Progress, Stats, hash};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

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
    pack: Mutex<Writer>,
    progress: Mutex<Appender>,
    log: Mutex<Appender>,
    /// Something could not be written: no further test is.
    stopped: AtomicBool,
}

/// So many tests have files of their own, whatever they are: what most runs have in all, and what a listing shows at once.
const FILES: u32 = 1000;

/// Bytes that a run keeps for its last figures: `stats.json` has some ten thousand.
const RESERVE: usize = 64 << 10;

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
        fresh_folder(folder)?;
        Run::start(folder.into())
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
        if let Some(why) = distrust(&folder, &tests).map_err(|error| Fault::Read(folder.clone(), error))? {
            // Sound: what was just made is empty; if it cannot be removed, it does no harm.
            let _ = fs::remove_dir(&tests);
            return Err(Fault::Untrusted(folder, why));
        }
        let reserve = folder.join(RESERVED);
        put(&reserve, &[0; RESERVE]).map_err(|error| Fault::Write(reserve, error))?;
        let append = |name: &str| Mutex::new(Appender::new(folder.join(name)));
        let (progress, log) = (append("progress.jsonl"), append("log.txt"));
        let pack = Mutex::new(Writer::new(folder.join(pack::NAME)));
        Ok(Run { folder, tests, last: AtomicU32::new(0), pack, progress, log, stopped: AtomicBool::new(false) })
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

    /// Writes a test under a number that [`Run::next_test`] gave; a test of that number with an error of the same kind is replaced. After
    /// the first failure, none is written.
    pub fn put_test(
        &self,
        number: u32,
        input: &KTest,
        expectation: &Expectation,
        error: Option<&ErrorReport>,
    ) -> Result<(), Fault> {
        let mut pack = lock(&self.pack);
        if self.stopped.load(Ordering::SeqCst) {
            let error = io::Error::other("nothing is written after a first failure");
            return Err(Fault::Write(self.folder.clone(), error));
        }
        let before = pack.length();
        let files = || self.put_files(number, input, expectation, error);
        let written = pack.append(number, input, expectation, error).and_then(|()| files());
        if written.is_err() {
            pack.cut(before);
            self.stop();
        }
        written
    }

    /// Writes the files of a test that is to have some, the report first: a test without its report would hide an error.
    fn put_files(
        &self,
        number: u32,
        input: &KTest,
        expectation: &Expectation,
        error: Option<&ErrorReport>,
    ) -> Result<(), Fault> {
        let chosen = match &expectation.end {
            End::Error { .. } => true,
            // A fault of ours is shown to us.
            End::Exit { .. } | End::Signal { .. } | End::Incomplete { .. } => {
                expectation.new || number <= FILES || error.is_some_and(|error| error.kind == "internal")
            }
        };
        if !chosen {
            return Ok(());
        }
        let name = test_name(number);
        if let Some(error) = error {
            put_whole(&self.tests, &format!("{name}.{}.err", error.suffix()), error.text().as_bytes())?;
        }
        put_whole(&self.tests, &format!("{name}.ktest"), &input.to_bytes())
    }

    /// Writes no more tests, and gives back what was reserved.
    fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        let _ = fs::remove_file(self.folder.join(RESERVED));
    }

    /// Appends a line to `progress.jsonl`. Where that fails, no test is written any more, either.
    pub fn write_progress(&self, progress: &Progress) -> Result<(), Fault> {
        let mut text = serde_json::to_vec(progress).expect("plain data becomes JSON");
        text.push(b'\n');
        lock(&self.progress).append(&text).inspect_err(|_| self.stop())
    }

    /// Appends a line to `log.txt`.
    pub fn log(&self, line: &str) -> Result<(), Fault> {
        lock(&self.log).append(format!("{line}\n").as_bytes())
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
        put_whole(&self.folder, "program.bc", bitcode)?;
        Ok(hash(bitcode))
    }

    /// Writes `coverage.info`.
    pub fn write_coverage(&self, coverage: &Coverage) -> Result<(), Fault> {
        put_whole(&self.folder, "coverage.info", coverage.text().as_bytes())
    }

    /// Writes a question of the solver to `queries/`.
    pub fn write_query(&self, name: &str, text: &str) -> Result<(), Fault> {
        let folder = self.folder.join("queries");
        fs::create_dir_all(&folder).map_err(|error| Fault::Write(folder.clone(), error))?;
        put_whole(&folder, name, text.as_bytes())
    }

    fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), Fault> {
        let mut text = serde_json::to_vec_pretty(value).expect("plain data becomes JSON");
        text.push(b'\n');
        put_whole(&self.folder, name, &text)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.folder.join(RESERVED));
    }
}

/// The file that holds the reserve while the run goes on.
const RESERVED: &str = ".reserve";

/// `test000001`.
pub fn test_name(number: u32) -> String {
    format!("test{number:06}")
}

/// Makes a folder; one that is there must be empty.
pub fn fresh_folder(folder: &Path) -> Result<(), Fault> {
    fs::create_dir_all(folder).map_err(|error| Fault::Write(folder.into(), error))?;
    let mut entries = fs::read_dir(folder).map_err(|error| Fault::Read(folder.into(), error))?;
    match entries.next() {
        Some(_) => Err(Fault::NotEmpty(folder.into())),
        None => Ok(()),
    }
}

/// Why a folder is not safe to write to, if it is not. `made` was just made in it, so its owner
/// is the user. Root may write where a user asks for it: folders of the host that are mounted
/// into a container belong to other users.
fn distrust(folder: &Path, made: &Path) -> io::Result<Option<&'static str>> {
    let (folder, user) = (fs::metadata(folder)?, fs::metadata(made)?.uid());
    Ok(match folder.uid() {
        _ if folder.mode() & 0o002 != 0 => Some("every user can write to it"),
        owner if owner != user && owner != 0 && user != 0 => Some("it belongs to another user"),
        _ => None,
    })
}

/// Writes a file that is never seen half-written: under another name, which it loses when it is whole.
pub fn put_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Fault> {
    let (path, temporary) = (folder.join(name), folder.join(format!(".{name}.new")));
    put(&temporary, bytes).and_then(|()| fs::rename(&temporary, &path)).map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Fault::Write(path, error)
    })
}

/// Writes a new file. One that is there goes first: it is left over, or a link by which somebody
/// else wants us to write elsewhere.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let file = fs::File::options().write(true).create_new(true).open(path);
    file.and_then(|mut file| file.write_all(bytes)).inspect_err(|_| drop(fs::remove_file(path)))
}

/// A worker that panicked elsewhere does not keep the others from writing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One more than the largest N of `strata-out-N`, so that a higher number is always the later run.
fn next_number(base: &Path) -> u32 {
    let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    let names = fs::read_dir(base).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let numbers = names.filter_map(|name| name.to_str()?.strip_prefix("strata-out-")?.parse::<u32>().ok());
    numbers.max().map_or(0, |number| number.saturating_add(1))
}

/// Points `strata-last` to the folder; leaves alone what is no link.
fn link(base: &Path, name: &str) -> io::Result<()> {
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
