//! A run's folder: what is written is read back, whoever else writes at the same time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use strata_record::{
    Bytes, Coverage, End, ErrorReport, Expectation, KTest, Progress, Record, Run, RunInfo, Source, Stats,
};

/// A fresh folder, gone when dropped.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("strata-record-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn input(byte: u8) -> KTest {
    KTest { args: vec![b"a.out".to_vec()], objects: vec![("x".into(), vec![byte])], ..KTest::default() }
}

fn prints(text: &str) -> Expectation {
    Expectation { stdout: text.into(), ..Expectation::of(End::Exit { status: 0 }) }
}

/// In a folder that others can write to, a link must not lead our writes elsewhere.
#[test]
fn links_are_not_followed() {
    let base = Temporary::new("links");
    let victim = base.0.join("victim");
    fs::write(&victim, "mine").unwrap();
    let run = Run::named(&base.0.join("out")).unwrap();
    for name in [".stats.json.new", "stats.json", ".program.bc.new", "tests/.test000001.ktest.new"] {
        std::os::unix::fs::symlink(&victim, run.folder().join(name)).unwrap();
    }
    run.write_stats(&Stats::default()).unwrap();
    run.write_program(b"BC").unwrap();
    run.write_test(&input(1), &prints(""), None).unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    assert!(Record::open(run.folder()).unwrap().stats().unwrap().is_some());
}

#[test]
fn everything_reads_back() {
    let base = Temporary::new("all");
    let run = Run::named(&base.0.join("deep/out")).unwrap();
    let error = ErrorReport { kind: "ptr".into(), message: "out of bounds".into(), ..ErrorReport::default() };
    let end = End::Error { error: "ptr".into(), file: "a.c".into(), line: 7, message: "out of bounds".into() };
    let odd = Expectation { stderr: Bytes(vec![0xff, b'\n']), ..Expectation::of(end) };
    assert_eq!(run.write_test(&input(1), &prints("one\n"), None).unwrap(), 1);
    assert_eq!(run.write_test(&input(2), &odd, Some(&error)).unwrap(), 2);
    let mut stats = Stats { complete: true, tests: 2, version: "0".into(), ..Stats::default() };
    stats.incomplete_causes.insert("time".into(), 3);
    run.write_stats(&stats).unwrap();
    let info = RunInfo { program: "a.c".into(), entry: "main".into(), bitcode_hash: u64::MAX, ..RunInfo::default() };
    run.write_info(&info).unwrap();
    let hash = run.write_program(b"BC").unwrap();
    let sources = vec![Source { path: "a.c".into(), lines: BTreeMap::from([(1, 2)]), ..Source::default() }];
    run.write_coverage(&Coverage { sources: sources.clone() }).unwrap();
    run.write_progress(&Progress { states: 4, ..Progress::default() }).unwrap();
    run.write_progress(&Progress { states: 5, ..Progress::default() }).unwrap();
    run.log("a note").unwrap();
    run.write_query("1.smt2", "(check-sat)").unwrap();

    let record = Record::open(run.folder()).unwrap();
    let tests = record.tests().unwrap();
    assert_eq!((tests.numbers(), tests.damage()), (&[1, 2][..], &[][..]));
    let (first, second) = (tests.get(1).unwrap(), tests.get(2).unwrap());
    assert_eq!((first.input.clone(), first.expectation.clone()), (input(1), Some(prints("one\n"))));
    assert_eq!((second.input.clone(), second.expectation.clone()), (input(2), Some(odd)));
    assert_eq!((second.reports[0].0.as_str(), second.errors()[0].message.as_str()), ("ptr", "out of bounds"));
    assert_eq!(first.damage.or(second.damage), None);
    assert_eq!(record.stats().unwrap(), Some(stats));
    assert_eq!(record.info().unwrap(), Some(info));
    assert_eq!(hash, strata_record::hash(&fs::read(record.program().unwrap()).unwrap()));
    assert_eq!(record.coverage().unwrap().unwrap().sources, sources);
    assert_eq!(record.progress().unwrap().iter().map(|line| line.states).collect::<Vec<_>>(), [4, 5]);
    assert_eq!(fs::read_to_string(run.folder().join("log.txt")).unwrap(), "a note\n");
    let around = |name: &str| Record::around(&run.folder().join(name)).map(|(_, number)| number);
    assert_eq!(around("tests/test1234567.ktest"), Some(Some(1_234_567)));
    assert_eq!(around("tests/other.ktest"), Some(None));
    assert_eq!(around("run.json"), None);
    drop(run);
    let left: Vec<_> = fs::read_dir(record.folder()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with('.')), "{left:?}");
}

#[test]
fn numbers_rise_and_the_link_follows() {
    let base = Temporary::new("numbers");
    let last = base.0.join("strata-last");
    for number in [0, 1] {
        let run = Run::numbered(&base.0).unwrap();
        assert_eq!(run.folder(), base.0.join(format!("strata-out-{number}")));
        assert_eq!(fs::read_link(&last).unwrap(), PathBuf::from(format!("strata-out-{number}")));
    }
    fs::remove_dir_all(base.0.join("strata-out-0")).unwrap();
    assert!(Run::numbered(&base.0).unwrap().folder().ends_with("strata-out-2"));
    fs::remove_file(&last).unwrap();
    fs::create_dir(&last).unwrap();
    assert!(Run::numbered(&base.0).unwrap().folder().ends_with("strata-out-3"));
    assert!(last.is_dir() && !last.is_symlink(), "what is no link is left alone");
}

#[test]
fn folders_that_cannot_be_used_are_refused() {
    let base = Temporary::new("refused");
    let full = base.0.join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("precious"), "x").unwrap();
    let message = Run::named(&full).unwrap_err().to_string();
    assert!(message.contains("not empty") && message.contains("--output"), "{message}");
    assert_eq!(fs::read_to_string(full.join("precious")).unwrap(), "x");
    assert_eq!(fs::read_dir(&full).unwrap().count(), 1);

    let message = Run::named(&full.join("precious/below")).unwrap_err().to_string();
    assert!(message.contains("cannot be written"), "{message}");
    // Root may write anywhere, but not there.
    let message = Run::named("/proc/strata".as_ref()).unwrap_err().to_string();
    assert!(message.contains("cannot be written") && message.contains("--output"), "{message}");
    let closed = base.0.join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let writable = fs::write(closed.join("x"), "").is_ok();
    assert_eq!(Run::numbered(&closed).is_ok(), writable, "refused unless we are root");
}

#[test]
fn a_folder_that_everybody_can_write_to_is_refused() {
    let base = Temporary::new("open");
    let open = base.0.join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    let message = Run::named(&open).unwrap_err().to_string();
    assert!(message.contains("every user can write to it") && message.contains("--output"), "{message}");
    assert_eq!(fs::read_dir(&open).unwrap().count(), 0, "nothing is left in it");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o775)).unwrap();
    Run::named(&open).unwrap();
}

#[test]
fn folders_that_are_no_run_are_refused() {
    let base = Temporary::new("none");
    assert!(Record::open(&base.0).unwrap_err().to_string().contains("not the folder of a run"));
    assert!(Record::open(&base.0.join("missing")).unwrap_err().to_string().contains("cannot be read"));
    let run = Run::numbered(&base.0).unwrap();
    let record = Record::open(run.folder()).unwrap();
    let tests = record.tests().unwrap();
    assert!(tests.get(7).unwrap_err().to_string().contains("no test 7"));
    assert_eq!((record.stats().unwrap(), tests.numbers().len()), (None, 0));
}

#[test]
fn damage_is_named_and_the_rest_is_read() {
    let base = Temporary::new("damage");
    let run = Run::numbered(&base.0).unwrap();
    run.write_test(&input(1), &prints("a"), None).unwrap();
    run.write_test(&input(3), &prints("c"), None).unwrap();
    run.put_test(1, &input(2), &prints("b"), None).unwrap();
    let record = Record::open(run.folder()).unwrap();
    let read = |number| record.tests().unwrap().get(number);
    let replaced = read(1).unwrap();
    assert_eq!((replaced.input, replaced.expectation), (input(2), Some(prints("b"))), "the later record holds");

    let (file, pack) = (run.folder().join("tests/test000001.ktest"), run.folder().join("tests.pack"));
    fs::write(&file, b"KTEST\0").unwrap();
    let found = read(1).unwrap();
    let damage = found.damage.unwrap();
    assert!(damage.contains("test000001.ktest: offset 5:") && damage.contains("taken from the pack"), "{damage}");
    assert_eq!(found.input, input(2));
    fs::write(&file, input(9).to_bytes()).unwrap();
    assert_eq!(read(1).unwrap().input, input(9), "a file that a user puts there holds");

    let whole = fs::read(&pack).unwrap();
    fs::write(&pack, &whole[..whole.len() - 1]).unwrap();
    let tests = record.tests().unwrap();
    assert!(tests.damage()[0].contains("tests.pack: offset") && tests.damage()[0].contains("torn"));
    assert_eq!(tests.get(1).unwrap().expectation, Some(prints("a")), "the earlier record is the last one left");
    fs::write(&pack, b"nonsense of a pack").unwrap();
    let tests = record.tests().unwrap();
    assert!(tests.damage()[0].contains("not a pack"), "{:?}", tests.damage());
    assert_eq!((tests.numbers(), tests.get(2).unwrap().input), (&[1, 2][..], input(3)), "files are there still");
    fs::write(&file, b"").unwrap();
    let message = read(1).unwrap_err().to_string();
    assert!(message.contains("test000001.ktest: offset 0:"), "{message}");
    fs::write(run.folder().join("stats.json"), "{\n\"complete\": 3}").unwrap();
    assert!(record.stats().unwrap_err().to_string().contains("stats.json: line 2:"));
}

#[test]
fn only_tests_that_somebody_looks_at_are_files() {
    let base = Temporary::new("files");
    let run = Run::numbered(&base.0).unwrap();
    let error = ErrorReport { kind: "ptr".into(), message: "out of bounds".into(), ..ErrorReport::default() };
    let end = End::Error { error: "ptr".into(), file: "a.c".into(), line: 7, message: "out of bounds".into() };
    for number in 1..=3000u32 {
        let (expectation, error) = match number {
            2000 => (Expectation { new: true, ..prints("n") }, None),
            2500 => (Expectation::of(end.clone()), Some(&error)),
            _ => (prints(&number.to_string()), None),
        };
        assert_eq!(run.write_test(&input(number as u8), &expectation, error).unwrap(), number);
    }
    let names = fs::read_dir(run.folder().join("tests")).unwrap().map(|entry| entry.unwrap().file_name());
    let names: BTreeSet<String> = names.map(|name| name.into_string().unwrap()).collect();
    let mut expected: BTreeSet<String> = (1..=1000).map(|number| format!("test{number:06}.ktest")).collect();
    expected.extend(["test002000.ktest", "test002500.ktest", "test002500.ptr.err"].map(str::to_owned));
    assert_eq!(names, expected);
    fs::remove_file(run.folder().join("tests/test002500.ptr.err")).unwrap();
    let tests = Record::open(run.folder()).unwrap().tests().unwrap();
    assert_eq!(tests.numbers(), (1..=3000).collect::<Vec<_>>());
    let all: Vec<_> = tests.iter().map(Result::unwrap).collect();
    assert_eq!((&all[2999].input, &all[2999].expectation), (&input(3000u32 as u8), &Some(prints("3000"))));
    assert_eq!(all[2499].errors()[0].message, "out of bounds", "the pack has it, too");
    let names: Vec<String> = all[2499].files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["test002500.ptr.err", "test002500.ktest"]);
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let base = Temporary::new("unwritten");
    let run = Run::numbered(&base.0).unwrap();
    run.write_test(&input(1), &prints("a"), None).unwrap();
    let length = || fs::metadata(run.folder().join("tests.pack")).unwrap().len();
    let before = length();
    // A folder stands where the file is to appear: the record is in the pack already, and is taken back.
    fs::create_dir(run.folder().join("tests/test000002.ktest")).unwrap();
    let message = run.write_test(&input(2), &prints("b"), None).unwrap_err().to_string();
    assert!(message.contains("test000002.ktest: cannot be written"), "{message}");
    assert_eq!(length(), before);
    fs::remove_dir(run.folder().join("tests/test000002.ktest")).unwrap();
    assert!(run.write_test(&input(3), &prints("c"), None).is_err(), "nothing is written after a failure");
    let names = fs::read_dir(run.folder().join("tests")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["test000001.ktest"], "no half file under another name");
    assert!(!run.folder().join(".reserve").exists(), "what was reserved is there for the last figures");
    run.write_stats(&Stats::default()).unwrap();
}

#[test]
fn workers_share_a_run() {
    let base = Temporary::new("workers");
    let run = Run::numbered(&base.0).unwrap();
    std::thread::scope(|scope| {
        for worker in 0..4u8 {
            let run = &run;
            scope.spawn(move || {
                for _ in 0..250 {
                    let number = run.next_test();
                    let text = format!("{worker} {number}\n").repeat(100);
                    run.put_test(number, &input(worker), &prints(&text), None).unwrap();
                }
            });
        }
    });
    let tests = Record::open(run.folder()).unwrap().tests().unwrap();
    assert_eq!(tests.numbers().len(), 1000);
    for test in tests.iter() {
        let test = test.unwrap();
        let (worker, number) = (test.input.objects[0].1[0], test.number);
        assert_eq!(test.expectation, Some(prints(&format!("{worker} {number}\n").repeat(100))));
    }
}
