//! `strata tests`, `stats` and `replay` as a user sees them, on a run written by hand and a program that follows replay's protocol.

mod shared;

use shared::Temporary;
use std::fs;
use std::path::Path;
use std::process::Command;
use strata_record::{
    Dependence, End, ErrorReport, Expectation, ForkCount, Frame, KTest, Layer, Place, Progress, Run, RunInfo, Shape,
    Stats, Trace,
};

/// Exit status, standard output and error of `strata` in a folder.
fn strata(folder: &Path, words: &str) -> (i32, String, String) {
    let command = Command::new(env!("CARGO_BIN_EXE_strata")).args(words.split(' ')).current_dir(folder).output();
    let output = command.expect("strata runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// A test whose arguments tell the guest what to do.
fn input(words: &str) -> KTest {
    let args = ["guest"].into_iter().chain(words.split(' ')).map(|word| word.as_bytes().to_vec()).collect();
    KTest { args, objects: vec![("x".into(), vec![0xfe, 0xff, 0xff, 0xff])], ..KTest::default() }
}

fn exits(status: i32) -> Expectation {
    Expectation::of(End::Exit { status })
}

fn fails(kind: &str, message: &str) -> (Expectation, ErrorReport) {
    let (file, message) = ("a.c".to_owned(), message.to_owned());
    let end = End::Error { error: kind.into(), file: file.clone(), line: 7, message: message.clone() };
    let stack = vec![Frame { function: "main".into(), file: file.clone(), line: 7, arguments: vec![] }];
    let place = Place { file, line: 7 };
    (Expectation::of(end), ErrorReport { kind: kind.into(), message, place, stack, ..ErrorReport::default() })
}

/// The hash that the guest has after its first branches.
fn hash(count: u64) -> u64 {
    (1..=count).fold(0, |hash: u64, which| (hash ^ which).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn tests_are_listed_and_shown() {
    let base = Temporary::new("tests");
    let run = Run::numbered(&base.0).unwrap();
    let shapes = vec![Shape { name: "int".into(), bytes: 4, signed: true, fields: vec![] }];
    run.write_test(&input("exit 0"), &Expectation { shapes, stdout: "hi\n".into(), ..exits(0) }, None).unwrap();
    let (expectation, error) = fails("ptr", "out of bounds");
    let mut hostile = input("segv");
    hostile.objects = vec![("\x1b[2J".into(), b"ab\x1b".to_vec()), ("y".into(), vec![0x80, 0x01])];
    run.write_test(&hostile, &expectation, Some(&error)).unwrap();

    let (code, out, err) = strata(&base.0, "tests strata-last");
    assert_eq!((code, err.as_str()), (0, ""));
    let expect = "test        end        bytes  objects\n\
                  test000001  exit 0         4  x[4]\n\
                  test000002  ptr a.c:7      5  \\u{1b}[2J[3] y[2]\n";
    assert_eq!(out, expect);
    let (code, out, _) = strata(&base.0, "tests strata-last 1");
    let expect = "test000001: exit 0\narguments  \"guest\" \"exit\" \"0\"\nobject     int x, 4 bytes\n  \
                  00000000  fe ff ff ff                                      |....|\n  signed    -2\npredicted output  \"hi\\n\"\n";
    assert_eq!((code, out.as_str()), (0, expect));
    let (_, out, _) = strata(&base.0, "tests strata-last 2");
    for part in [
        "unsigned  384\n  signed    384\n",
        "Error: out of bounds\nFile: a.c\nLine: 7\nStack: \n\t#0 in main () at a.c:7\n",
    ] {
        assert!(out.contains(part), "{out}");
    }
    assert!(!out.contains('\x1b'));
    let (_, out, _) = strata(&base.0, "tests strata-last 2 --json");
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&value["objects"][1]["bytes"][0], &value["expectation"]["end"]["error"]), (&128.into(), &"ptr".into()));
}

/// Tests that are no files are listed, shown, exported and replayed as the others.
#[test]
fn tests_of_the_pack_are_tests() {
    let base = Temporary::new("pack");
    let run = Run::named(&base.0.join("run")).unwrap();
    for number in 1..=1200 {
        run.write_test(&input(&format!("exit {}", number % 7)), &exits(number % 7), None).unwrap();
    }
    assert!(!base.0.join("run/tests/test001200.ktest").exists());
    let (code, out, err) = strata(&base.0, "tests run");
    assert_eq!((code, err.as_str(), out.lines().count()), (0, "", 1201));
    assert_eq!(out.lines().last(), Some("test001200  exit 3      4  x[4]"));
    let (_, out, _) = strata(&base.0, "tests run --json");
    let all: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((all.as_array().map(Vec::len), &all[1199]["arguments"][2]), (Some(1200), &"3".into()));
    let (code, out, _) = strata(&base.0, "tests run 1200");
    assert!(code == 0 && out.starts_with("test001200: exit 3\narguments  \"guest\" \"exit\" \"3\"\n"), "{out}");

    let (code, out, err) = strata(&base.0, "tests run --export out --as ktest");
    assert_eq!((code, out.as_str(), err.as_str()), (0, "1200 tests written to out\n", ""));
    assert_eq!(fs::read_dir(base.0.join("out")).unwrap().count(), 1200);
    assert_eq!(KTest::read(&base.0.join("out/test001200.ktest")).unwrap(), input("exit 3"));
    let (code, _, err) = strata(&base.0, "tests run --export out");
    assert!(code == 2 && err.contains("not empty"), "{err}");
    let (code, out, _) = strata(&base.0, "tests run 1100 --export one");
    assert_eq!((code, out.as_str()), (0, "1 test written to one\n"));
    let (code, _, err) = strata(&base.0, "tests run 1300 --export none");
    assert!(code == 2 && err.contains("there is no test 1300") && !base.0.join("none").exists(), "{err}");

    // The last record is torn, the first file is empty: the rest is there, and what is not is said.
    let pack = base.0.join("run/tests.pack");
    let bytes = fs::read(&pack).unwrap();
    fs::write(&pack, &bytes[..bytes.len() - 1]).unwrap();
    fs::write(base.0.join("run/tests/test000001.ktest"), "").unwrap();
    let (code, out, err) = strata(&base.0, "tests run");
    assert_eq!((code, out.lines().count()), (0, 1200));
    assert!(err.contains("tests.pack: offset") && err.contains("bytes are torn and cut off"), "{err}");
    let (code, out, err) = strata(&base.0, "tests run 1");
    assert!(code == 0 && out.starts_with("test000001: exit 1") && err.contains("taken from the pack"), "{out} {err}");
}

#[test]
fn figures_stand_side_by_side() {
    let base = Temporary::new("stats");
    for (name, complete) in [("one", true), ("two", false)] {
        let run = Run::named(&base.0.join(name)).unwrap();
        let mut stats = Stats { ended: true, complete, instructions: 1234, ..Stats::default() };
        stats.coverage.lines = 1;
        stats.coverage.lines_total = 4;
        if !complete {
            stats.incomplete_causes.insert("time".into(), 5);
            stats.hottest_forks = vec![ForkCount { file: "/x/a.c".into(), line: 7, forks: 12 }];
        }
        let layer = Layer { answered: 3, passed: 1, time_us: 2_500_000 };
        stats.queries.by_layer.0 = vec![("simplify".into(), layer), ("core".into(), Layer::default())];
        run.write_stats(&stats).unwrap();
    }
    let (code, out, err) = strata(&base.0, "stats one two");
    assert_eq!((code, err.as_str()), (0, ""));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = out.lines().map(words).collect();
    let expected = [
        "one two",
        "ended yes yes",
        "complete yes no",
        "instructions 1234 1234",
        "lines covered 1/4 25.0% 1/4 25.0%",
        "branches covered - -",
        "incomplete: time 0 5",
        "hottest fork 1 - a.c:7 12",
        "layer simplify 3/4 75.0% 2.50s 3/4 75.0% 2.50s",
        "layer core - 0.00s - 0.00s",
    ];
    for line in expected {
        assert!(lines.iter().any(|it| it == line), "`{line}` is missing:\n{out}");
    }
    let (_, out, _) = strata(&base.0, "stats one --json");
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value[0]["stats"]["queries"]["by_layer"]["simplify"]["answered"], 3);
}

#[test]
fn a_run_without_figures_does_not_hide_the_others() {
    let base = Temporary::new("stats-broken");
    let run = Run::named(&base.0.join("good")).unwrap();
    run.write_stats(&Stats { instructions: 77, ..Stats::default() }).unwrap();
    let cut = Run::named(&base.0.join("cut")).unwrap();
    cut.write_progress(&Progress { instructions: 33, ..Progress::default() }).unwrap();
    cut.write_test(&input("exit 0"), &exits(0), None).unwrap();
    let torn = Run::named(&base.0.join("torn")).unwrap();
    fs::write(torn.folder().join("stats.json"), "{\"ended").unwrap();
    let (code, out, err) = strata(&base.0, "stats cut torn good missing");
    assert_eq!(code, 2);
    let parts = ["cut: there is no stats.json: most", "torn/stats.json: line 1: EOF", "missing: cannot be read"];
    assert!(parts.iter().all(|part| err.contains(part)), "{err}");
    let figures = |name: &str| {
        let line = out.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.trim_start_matches(name).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(figures("instructions"), ["33", "0", "77"], "{out}");
    assert_eq!(figures("tests"), ["1", "0", "0"], "{out}");
    assert_eq!(figures("ended"), ["no", "no", "no"], "{out}");
    let (code, _, err) = strata(&base.0, "stats good");
    assert!(code == 0 && err.contains("good: the run has not ended"), "{err}");
    let (code, out, err) = strata(&base.0, "stats cut");
    assert!(code == 0 && out.contains("33"), "{out} {err}");
}

#[test]
fn what_is_no_run_is_refused() {
    let base = Temporary::new("none");
    let run = Run::named(&base.0.join("run")).unwrap();
    fs::write(base.0.join("x.ktest"), "KTES").unwrap();
    for (words, message) in [
        ("tests missing", "missing: cannot be read"),
        ("tests .", ".: not the folder of a run"),
        ("tests run 3", "run: there is no test 3"),
        ("replay missing", "missing: cannot be read"),
        ("replay run", "run: there are no tests in it"),
        ("replay x.ktest", "x.ktest: offset 0: the magic should have 5 bytes, but 4 are left"),
    ] {
        let (code, out, err) = strata(&base.0, words);
        assert_eq!((code, out.as_str()), (2, ""), "{words}: {err}");
        assert!(err.contains(message), "{words}: {err}");
    }
    run.write_test(&input("exit 0"), &exits(0), None).unwrap();
    let refused = |words: &str, message: &str| {
        let (code, _, err) = strata(&base.0, words);
        assert!(code == 2 && err.contains(message), "{words}: {code} {err}");
    };
    refused("replay run", "program.bc");
    run.write_program(b"BC").unwrap();
    run.write_info(&RunInfo { bitcode_hash: 1, ..RunInfo::default() }).unwrap();
    refused("replay run", "not the program that was explored");
    refused("replay run missing", "missing: cannot be read");
    fs::write(base.0.join("lone.ktest"), input("exit 0").to_bytes()).unwrap();
    refused("replay lone.ktest", "name the program");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn replay_compares() {
    let base = Temporary::new("replay");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../replay/tests/guest.c");
    let flags =
        ["-static", "-nostdlib", "-O1", "-fno-stack-protector", "-fno-tree-loop-distribute-patterns", "-w", "-o"];
    let compiled = Command::new("cc").args(flags).arg(base.0.join("guest")).arg(source).status().expect("cc runs");
    assert!(compiled.success());

    let branches = |count| Trace { count, hash: hash(count) };
    let speaks = Expectation { stdout: "out\n".into(), stderr: "err\n".into(), branches: branches(3), ..exits(3) };
    let run = Run::named(&base.0.join("good")).unwrap();
    run.write_test(&input("exit 5"), &exits(5), None).unwrap();
    run.write_test(&input("branches 3"), &speaks, None).unwrap();
    let (abort, report) = fails("abort", "abort");
    run.write_test(&input("abort"), &Expectation { branches: branches(1), ..abort }, Some(&report)).unwrap();
    let (division, report) = fails("div", "divide by zero");
    run.write_test(&input("div"), &division, Some(&report)).unwrap();
    let left = Expectation { branches: branches(2), ..Expectation::of(End::Incomplete { reason: "time".into() }) };
    run.write_test(&input("branches 9"), &left, None).unwrap();
    let loose = Expectation { depends: [Dependence::Uninit].into(), ..exits(1) };
    run.write_test(&input("exit 2"), &loose, None).unwrap();
    let (code, out, err) = strata(&base.0, "replay good guest");
    if err.contains("test programs run only in a sandbox") {
        return println!("this machine grants no sandbox: {err}");
    }
    let expect = "test000006: not confirmed: it may differ natively, since it depends on: uninit\n\
                  6 tests: 5 as predicted, 1 not confirmed\n";
    assert_eq!((code, out.as_str(), err.as_str()), (0, expect, ""));

    // A test that is in the pack alone has the name that it would have as a file.
    fs::remove_file(base.0.join("good/tests/test000002.ktest")).unwrap();
    let (code, out, err) = strata(&base.0, "replay good/tests/test000002.ktest guest");
    assert_eq!((code, out.as_str(), err.as_str()), (0, "1 test: 1 as predicted\n", ""));
    let (code, _, err) = strata(&base.0, "replay good/tests/test000077.ktest guest");
    assert!(code == 2 && err.contains("test000077.ktest: cannot be read"), "{err}");
    // Two of these are tests of errors.
    for (most, counts) in [("1", "1 test: 1 as"), ("2", "2 tests: 2 as"), ("4", "4 tests: 4 as"), ("9", "6 tests:")] {
        let (code, out, err) = strata(&base.0, &format!("replay good guest --max-tests {most}"));
        assert!(code == 0 && out.contains(counts), "{most}: {out} {err}");
    }

    let run = Run::named(&base.0.join("bad")).unwrap();
    run.write_test(&input("exit 5"), &exits(6), None).unwrap();
    run.write_test(&input("branches 4"), &speaks, None).unwrap();
    run.write_test(&input("hang"), &exits(0), None).unwrap();
    let (code, out, err) = strata(&base.0, "replay bad guest --timeout 200ms");
    let expect = "test000001: diverges: predicted exit 6, but saw exit 5\n\
                  test000002: diverges: other branches are taken: predicted 3, saw 4\n\
                  test000003: diverges: predicted exit 0, but saw no end within the time limit\n\
                  3 tests: 3 diverged\n";
    assert_eq!((code, out.as_str(), err.as_str()), (1, expect, ""));
    let (code, out, _) = strata(&base.0, "replay bad/tests/test000001.ktest guest --json");
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (code, &value["summary"]["diverged"], &value["tests"][0]["verdict"]),
        (1, &1.into(), &"diverged".into())
    );

    let run = Run::named(&base.0.join("foreign")).unwrap();
    run.write_test(&input("foreign"), &exits(2), None).unwrap();
    let (code, out, _) = strata(&base.0, "replay foreign guest");
    assert!(code == 2 && out.contains("is a test of another program: no object y in the test"), "{out}");

    fs::write(base.0.join("lone.ktest"), input("branches 1").to_bytes()).unwrap();
    let (code, out, _) = strata(&base.0, "replay lone.ktest guest");
    let expect = "lone.ktest: exit 3\nlone.ktest: output \"out\\n\"\nlone.ktest: error output \"err\\n\"\n\
                  1 test: 1 without a prediction\n";
    assert_eq!((code, out.as_str()), (0, expect));
    let (code, _, err) = strata(&base.0, "replay good lone.ktest");
    assert!(code == 2 && err.contains("not LLVM bitcode"), "{err}");
}
