//! Runs that do not end as they should: killed at any moment, or with a full disk. What they leave is whole, every verb reads it, and
//! what is missing is said.

mod shared;

use shared::Temporary;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use strata_record::{KTest, Record};

/// Some million paths; each prints what no other one prints.
const PATHS: &str = r#"
#include <klee/klee.h>
#include <stdio.h>
int main(void) {
  unsigned char b[6];
  klee_make_symbolic(b, sizeof b, "b");
  int path = 0;
  for (int i = 0; i < 6; i++) {
    switch (b[i]) {
    case 1: path = path * 10 + 1; break;
    case 3: path = path * 10 + 2; break;
    case 5: path = path * 10 + 3; break;
    case 7: path = path * 10 + 4; break;
    case 9: path = path * 10 + 5; break;
    case 11: path = path * 10 + 6; break;
    case 13: path = path * 10 + 7; break;
    case 15: path = path * 10 + 8; break;
    case 17: path = path * 10 + 9; break;
    default: path = path * 10; break;
    }
  }
  printf(FORMAT, path);
  return path % 7;
}
"#;

fn strata(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
    command.args(words.split(' ')).current_dir(folder).stdin(Stdio::null());
    command
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn is_hidden(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// All verbs work on the run; gives the number of its tests.
fn verbs_work(folder: &Path, run: &str) -> usize {
    // A file that was not finished when the run was killed has a name with a dot still.
    let empty = |file: &PathBuf| fs::metadata(file).is_ok_and(|it| it.len() == 0) && !is_hidden(file);
    let empty: Vec<PathBuf> = files(&folder.join(run)).into_iter().filter(empty).collect();
    assert!(empty.is_empty(), "{empty:?}");
    for file in files(&folder.join(run).join("tests")) {
        let whole = file.extension().is_some_and(|extension| extension == "ktest");
        assert!(!whole || KTest::read(&file).is_ok(), "{}", file.display());
    }
    let record = Record::open(&folder.join(run)).expect("a run");
    let tests = record.tests().expect("tests");
    tests.iter().for_each(|test| drop(test.expect("a whole test")));
    let count = tests.numbers().len();
    let stats = strata(folder, &format!("stats {run}")).output().expect("strata runs");
    assert!(stats.status.success(), "{}", text(&stats));
    let list = strata(folder, &format!("tests {run}")).output().expect("strata runs");
    assert!(list.status.success(), "{}", text(&list));
    let lines = String::from_utf8_lossy(&list.stdout).lines().count();
    assert_eq!(lines, count + 1, "a line for each test, and a heading or that there are none");
    if let Some(&last) = tests.numbers().last() {
        let show = strata(folder, &format!("tests {run} {last}")).output().expect("strata runs");
        assert!(show.status.success(), "{}", text(&show));
        let replay = strata(folder, &format!("replay {run} --max-tests 3")).output().expect("strata runs");
        let replayed = text(&replay);
        assert!(replayed.contains("as predicted\n") || replayed.contains("only in a sandbox"), "{replayed}");
    }
    count
}

#[test]
fn a_killed_run_keeps_all_but_its_last_moment() {
    let folder = Temporary::new("killed");
    fs::write(folder.join("paths.c"), PATHS).expect("a file");
    let words = "run --max-instructions 1000 --output warm -D FORMAT=\"%d\\n\" paths.c";
    let warm = strata(&folder, words).output().expect("strata runs");
    assert!(warm.status.success(), "{}", text(&warm));
    let seed = u64::from(std::process::id()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for moment in 0..10u32 {
        let run = format!("run{moment}");
        let words = format!("run --output {run} -D FORMAT=\"%d\\n\" paths.c");
        let mut child =
            strata(&folder, &words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("strata starts");
        let begun = Instant::now();
        while !folder.join(&run).join("tests").exists() {
            assert!(begun.elapsed() < Duration::from_secs(300), "the run does not begin");
            std::thread::sleep(Duration::from_millis(1));
        }
        // Also in the first milliseconds, and after a few lines of progress.
        let wait = seed.rotate_left(moment * 7) % 256 * u64::from(moment) * 2;
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("SIGKILL");
        child.wait().expect("it was started here");
        let count = verbs_work(&folder, &run) as u64;
        let record = Record::open(&folder.join(&run)).expect("a run");
        let progress = record.progress().expect("lines");
        let before = progress.len().checked_sub(2).map_or(0, |second| progress[second].tests);
        assert!(count >= before, "killed after {wait} ms: {count} tests, {before} a second before");
        assert!(record.stats().expect("whole").is_none_or(|stats| !stats.ended));
    }
}

/// What a run leaves that could not write: it said so once, and it says so itself.
fn ran_out(folder: &Path, run: &str, done: &Output) {
    let said = text(done);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert_eq!(said.matches("cannot be written").count(), 1, "{said}");
    assert!(said.contains("incomplete (") && said.contains("tests not written"), "{said}");
    let stats = Record::open(&folder.join(run)).and_then(|record| record.stats()).expect("readable").expect("figures");
    assert!(stats.ended && !stats.complete && stats.incomplete_causes.contains_key("tests not written"), "{stats:?}");
    assert_eq!(verbs_work(folder, run) as u64, stats.tests, "{said}");
    assert!(stats.tests > 0, "{said}");
    assert!(!files(&folder.join(run)).iter().any(|file| is_hidden(file)), "{:?}", files(&folder.join(run)));
}

#[test]
fn a_run_that_cannot_write_says_so_once_and_leaves_what_it_has() {
    let folder = Temporary::new("full");
    fs::write(folder.join("paths.c"), PATHS).expect("a file");
    let define = "-D FORMAT=\"%0999d\\n\" paths.c";
    let words = format!("run --max-instructions 1000 --output warm {define}");
    let warm = strata(&folder, &words).output().expect("strata runs");
    assert!(warm.status.success(), "{}", text(&warm));
    let program = fs::metadata(folder.join("warm/program.bc")).expect("a program").len();

    // A file may be as long as the program, in blocks of 512 bytes, and some more.
    let binary = env!("CARGO_BIN_EXE_strata");
    let script = format!("ulimit -f {}; exec \"$@\"", program / 512 + 200);
    let mut limited = Command::new("dash");
    limited.args(["-c", &script, "dash", binary, "run", "--output", "limited"]).args(define.split(' '));
    ran_out(&folder, "limited", &limited.current_dir(&*folder).output().expect("a shell"));

    // A small disk of its own, where that is granted.
    let disk = folder.join("disk");
    fs::create_dir(&disk).expect("a folder");
    let size = format!("size={}", program + (3 << 20));
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&disk).stderr(Stdio::null()).status();
    if !mounted.is_ok_and(|status| status.success()) {
        return println!("no file system can be mounted here");
    }
    let done = strata(&folder, &format!("run --output disk/run {define}")).output().expect("strata runs");
    let checked = std::panic::catch_unwind(|| ran_out(&folder, "disk/run", &done));
    Command::new("umount").arg("-l").arg(&disk).status().expect("umount runs");
    checked.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
