//! What KLEE's users rely on: every program under `tests/klee` ends with the kinds, messages and counts that its first lines say.
//!
//! `tests/programs` asks what is found; here the words count as well, since scripts look for them. The lines at the top, each as often as
//! needed:
//!
//! ```text
//! // run: --check overflow              before the program on the command line
//! // paths: 3                           completed and error paths together
//! // error: ptr@9 memory error: …       an .err file of this kind and line, whose message begins so; those named are all there are
//! // files: assert 3                    so many .err files of this kind (then `error` lines are not compared)
//! // tests: 2                           so many .ktest files
//! // object: x 41000000                 some test has an object with these bytes, or, with one digit, of this size
//! // says: text                         somewhere in what is printed
//! // incomplete: forks                  the run is incomplete for this cause; otherwise it must be complete
//! ```

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use strata_record::KTest;

/// What one run left.
struct Left {
    printed: String,
    stats: Value,
    /// Line, kind, message; sorted.
    errors: Vec<(u64, String, String)>,
    tests: Vec<KTest>,
}

fn entries<'a>(source: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    let top = source.lines().take_while(|line| line.starts_with("//"));
    top.filter_map(move |line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

/// The kind from `test000001.KIND.err`, the rest from the text.
fn error(file: &Path) -> (u64, String, String) {
    let text = std::fs::read_to_string(file).expect("readable");
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_string();
    let name = file.file_name().expect("a file").to_string_lossy().into_owned();
    let kind = name.split_once('.').and_then(|(_, rest)| rest.strip_suffix(".err")).unwrap_or_default();
    (field("Line: ").parse().unwrap_or(0), kind.to_string(), field("Error: "))
}

fn run(program: &Path, source: &str) -> Result<Left, String> {
    let name = program.file_stem().expect("a file").to_string_lossy();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("klee").join(&*name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.parent().expect("it has one")).expect("a folder for the runs");
    let options = entries(source, "run").flat_map(str::split_whitespace);
    let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
    command.args(["run", "--max-time", "60s", "--output"]).arg(&folder).args(options).arg(program);
    let output = command.output().expect("strata starts");
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.code().is_none_or(|code| code > 1) {
        return Err(format!("{}: {printed}", output.status));
    }
    let stats = std::fs::read_to_string(folder.join("stats.json")).expect("a run leaves stats.json");
    let tests = folder.join("tests");
    let mut errors: Vec<_> = files(&tests, "err").iter().map(|file| error(file)).collect();
    errors.sort();
    let read = |file: &PathBuf| KTest::from_bytes(&std::fs::read(file).expect("readable")).expect("a ktest");
    let tests = files(&tests, "ktest").iter().map(read).collect();
    Ok(Left { printed, stats: serde_json::from_str(&stats).expect("stats.json is JSON"), errors, tests })
}

fn expected(text: &str) -> Option<(u64, &str, &str)> {
    let (place, message) = text.split_once(' ')?;
    let (kind, line) = place.split_once('@')?;
    Some((line.parse().ok()?, kind, message))
}

fn check_errors(source: &str, left: &Left, wrong: &mut Vec<String>) {
    let mut counted = entries(source, "files").peekable();
    if counted.peek().is_some() {
        for (kind, count) in counted.filter_map(|entry| entry.split_once(' ')) {
            let found = left.errors.iter().filter(|error| error.1 == kind).count();
            if found.to_string() != count {
                wrong.push(format!("{found} files of kind {kind}, not {count}: {:?}", left.errors));
            }
        }
        return;
    }
    let mut wanted: Vec<_> = entries(source, "error").map(|text| expected(text).expect("kind@line message")).collect();
    wanted.sort();
    let same = |(wanted, found): (&(u64, &str, &str), &(u64, String, String))| {
        wanted.0 == found.0 && wanted.1 == found.1 && found.2.starts_with(wanted.2)
    };
    if wanted.len() != left.errors.len() || !wanted.iter().zip(&left.errors).all(same) {
        wrong.push(format!("errors {:?}, not {wanted:?}", left.errors));
    }
}

fn has_object(tests: &[KTest], entry: &str) -> bool {
    let (name, wanted) = entry.split_once(' ').expect("name and bytes");
    let fits = |bytes: &[u8]| match wanted.len() {
        1 => bytes.len().to_string() == wanted,
        _ => bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() == wanted,
    };
    tests.iter().flat_map(|test| &test.objects).any(|(found, bytes)| found == name && fits(bytes))
}

fn check(program: &Path) -> Vec<String> {
    let source = std::fs::read_to_string(program).expect("readable");
    let left = match run(program, &source) {
        Ok(left) => left,
        Err(message) => return vec![message],
    };
    let mut wrong = Vec::new();
    let paths = &left.stats["paths"];
    let ended = paths["completed"].as_u64().unwrap_or(0) + paths["error"].as_u64().unwrap_or(0);
    wrong.extend(entries(&source, "paths").filter(|n| **n != *ended.to_string()).map(|n| format!("{ended} paths, not {n}")));
    let tests = left.tests.len().to_string();
    wrong.extend(entries(&source, "tests").filter(|n| **n != *tests).map(|n| format!("{tests} tests, not {n}")));
    check_errors(&source, &left, &mut wrong);
    let objects = entries(&source, "object").filter(|entry| !has_object(&left.tests, entry));
    wrong.extend(objects.map(|entry| format!("no test has {entry}")));
    let silent = entries(&source, "says").filter(|text| !left.printed.contains(text));
    wrong.extend(silent.map(|text| format!("does not say '{text}': {}", left.printed)));
    let causes = left.stats["incomplete_causes"].to_string();
    match entries(&source, "incomplete").next() {
        Some(cause) if !causes.contains(cause) => wrong.push(format!("incomplete for {causes}, not {cause}")),
        None if left.stats["complete"] != true => wrong.push(format!("incomplete: {causes}")),
        Some(_) | None => {}
    }
    wrong
}

#[test]
fn harnesses_end_as_in_klee() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/klee");
    let programs = files(&folder, "c");
    assert!(!programs.is_empty(), "there are programs");
    let mut report = String::new();
    for program in programs {
        for line in check(&program) {
            report += &format!("{}: {line}\n", program.file_name().expect("a file").to_string_lossy());
        }
    }
    assert!(report.is_empty(), "{report}");
}
