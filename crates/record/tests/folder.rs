//! A run's folder: what is written is read back, whoever else writes at the same time.

use std::collections::BTreeMap;
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
    assert_eq!(tests.iter().map(|test| test.number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(tests[1].errors[0].0, "ptr");
    assert!(tests[1].errors[0].1.ends_with("tests/test000002.ptr.err"));
    assert_eq!(record.errors(&tests[1]).unwrap()[0].message, "out of bounds");
    assert_eq!(record.ktest(2).unwrap(), input(2));
    assert_eq!(record.expectations().unwrap(), BTreeMap::from([(1, prints("one\n")), (2, odd)]));
    assert_eq!(record.stats().unwrap(), Some(stats));
    assert_eq!(record.info().unwrap(), Some(info));
    assert_eq!(hash, strata_record::hash(&fs::read(record.program().unwrap()).unwrap()));
    assert_eq!(record.coverage().unwrap().unwrap().sources, sources);
    assert_eq!(record.progress().unwrap().iter().map(|line| line.states).collect::<Vec<_>>(), [4, 5]);
    assert_eq!(fs::read_to_string(run.folder().join("log.txt")).unwrap(), "a note\n");
    assert!(Record::around(&tests[0].path).is_some());
    assert!(Record::around(&run.folder().join("run.json")).is_none());
    let left: Vec<_> = fs::read_dir(run.folder()).unwrap().flatten().map(|entry| entry.file_name()).collect();
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
fn folders_that_are_no_run_are_refused() {
    let base = Temporary::new("none");
    assert!(Record::open(&base.0).unwrap_err().to_string().contains("not the folder of a run"));
    assert!(Record::open(&base.0.join("missing")).unwrap_err().to_string().contains("cannot be read"));
    let run = Run::numbered(&base.0).unwrap();
    let record = Record::open(run.folder()).unwrap();
    assert!(record.ktest(7).unwrap_err().to_string().contains("no test 7"));
    assert_eq!((record.stats().unwrap(), record.tests().unwrap().len()), (None, 0));
}

#[test]
fn damage_is_named_and_a_torn_end_is_passed_over() {
    let base = Temporary::new("damage");
    let run = Run::numbered(&base.0).unwrap();
    run.write_test(&input(1), &prints("a"), None).unwrap();
    run.put_test(1, &input(2), &prints("b"), None).unwrap();
    let record = Record::open(run.folder()).unwrap();
    let path = run.folder().join("tests/expectations.jsonl");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, [&whole[..], b"{\"test\":2,\"en"].concat()).unwrap();
    assert_eq!(record.expectations().unwrap(), BTreeMap::from([(1, prints("b"))]), "the later line holds");
    assert_eq!(record.ktest(1).unwrap(), input(2));
    fs::write(&path, [&whole[..], b"nonsense\n", &whole[..]].concat()).unwrap();
    let message = record.expectations().unwrap_err().to_string();
    assert!(message.contains("expectations.jsonl: line 3:"), "{message}");
    fs::write(run.folder().join("tests/test000001.ktest"), b"KTEST\0").unwrap();
    let message = record.ktest(1).unwrap_err().to_string();
    assert!(message.contains("test000001.ktest: offset 5:"), "{message}");
    fs::write(run.folder().join("stats.json"), "{\n\"complete\": 3}").unwrap();
    assert!(record.stats().unwrap_err().to_string().contains("stats.json: line 2:"));
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
    let record = Record::open(run.folder()).unwrap();
    let expectations = record.expectations().unwrap();
    assert_eq!((record.tests().unwrap().len(), expectations.len()), (1000, 1000));
    for (number, expectation) in expectations {
        let worker = record.ktest(number).unwrap().objects[0].1[0];
        assert_eq!(expectation, prints(&format!("{worker} {number}\n").repeat(100)));
    }
}
