//! What a program is given, and that it gets nothing else: symbolic arguments and files on the command line, tests in KLEE's form, a hostile program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use strata_record::KTest;

const STRATA: &str = env!("CARGO_BIN_EXE_strata");

/// A folder of its own for a test, gone with it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("strata-world-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Scratch(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file can be written");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn strata(folder: &Path, words: &[&str]) -> Output {
    Command::new(STRATA).args(words).current_dir(folder).output().expect("strata starts")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

const FIRST: &str = "int main(int c, char **v) { return c > 1 && v[1][0] == 'x' ? 3 : 0; }\n";

/// The objects of all tests of a run, each as its names and sizes.
fn objects(run: &Path) -> Vec<Vec<(String, usize)>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(run.join("tests"))
        .expect("there are tests")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ktest"));
    files.sort();
    let read = |file: &PathBuf| KTest::read(file).expect("a test").objects;
    files.iter().map(|file| read(file).into_iter().map(|(name, bytes)| (name, bytes.len())).collect()).collect()
}

#[test]
fn objects_are_those_of_klee() {
    let scratch = Scratch::new("objects");
    scratch.file("a.c", FIRST);
    let line =
        "run --output out a.c x --sym-arg 3 --sym-args 0 1 2 --sym-files 1 4 --sym-stdin 5 --sym-stdout --max-fail 1";
    let output = strata(&scratch.0, &line.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", text(&output));
    let found = objects(&scratch.0.join("out"));
    let with = |middle: &[(&str, usize)]| {
        let before = [("arg00", 4), ("n_args", 4)];
        let after = [
            ("A_data", 4),
            ("A_data_stat", 144),
            ("stdin", 5),
            ("stdin_stat", 144),
            ("read_fail", 4),
            ("write_fail", 4),
            ("close_fail", 4),
            ("ftruncate_fail", 4),
            ("getcwd_fail", 4),
            ("stdout", 1024),
            ("stdout_stat", 144),
            ("model_version", 4),
        ];
        let all = before.iter().chain(middle).chain(&after);
        all.map(|(name, size)| ((*name).to_string(), *size)).collect::<Vec<_>>()
    };
    let (none, one) = (with(&[]), with(&[("arg01", 3)]));
    assert!(found.contains(&none) && found.contains(&one), "{found:#?}");
    assert!(found.iter().all(|test| *test == none || *test == one), "{found:#?}");
    let test = KTest::read(&scratch.0.join("out/tests/test000001.ktest")).expect("a test");
    let typed: Vec<String> = test.args.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    assert_eq!(typed.join(" "), line.trim_start_matches("run --output out "));
}

#[test]
fn options_may_stand_before_the_program_and_have_one_dash() {
    let scratch = Scratch::new("order");
    scratch.file("a.c", FIRST);
    for line in ["run --sym-arg 1 --output o1 a.c", "run -sym-arg=1 --output o2 a.c", "run --output o3 a.c -sym-arg 1"]
    {
        let output = strata(&scratch.0, &line.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{line}: {}", text(&output));
    }
    for run in ["o1", "o2", "o3"] {
        assert_eq!(objects(&scratch.0.join(run))[0][0], ("arg00".to_string(), 2), "{run}");
    }
    for line in [
        "run a.c --sym-arg",
        "run --sym-files 0 3 a.c",
        "run --file nothing a.c",
        "run --env x a.c",
        "run --file p=/no/such/file a.c",
    ] {
        let output = strata(&scratch.0, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{line}: {}", text(&output));
    }
}

/// A test file alone is enough: the arguments, files and standard input are in it.
#[test]
fn a_test_replays_outside_its_run() {
    let scratch = Scratch::new("alone");
    let source = "#include <stdio.h>\nint main(int c, char **v) { char a[8] = {0}, b[8] = {0}; FILE *f = fopen(\"A\", \"r\");\n\
        fread(a, 1, 3, f); fread(b, 1, 3, stdin); printf(\"%s %s %s %d\\n\", v[1], a, b, c); return 0; }\n";
    scratch.file("a.c", source);
    let word = |bytes: &[u8]| bytes.to_vec();
    let test = KTest {
        args: ["a.bc", "--sym-args", "1", "2", "4", "--sym-files", "1", "3", "--sym-stdin", "3"]
            .map(|w| w.as_bytes().to_vec())
            .to_vec(),
        objects: vec![
            ("n_args".into(), word(&[1, 0, 0, 0])),
            ("arg00".into(), word(b"hey\0\0")),
            ("A-data".into(), word(b"abc")),
            ("A-data-stat".into(), vec![0xff; 144]),
            ("stdin".into(), word(b"xyz")),
            ("model_version".into(), word(&[1, 0, 0, 0])),
        ],
        ..KTest::default()
    };
    std::fs::write(scratch.0.join("one.ktest"), test.to_bytes()).expect("a file can be written");
    let output = strata(&scratch.0, &["replay", "one.ktest", "a.c"]);
    assert!(text(&output).contains("hey abc xyz 2"), "{}", text(&output));
}

#[test]
fn a_hostile_program_touches_nothing_outside() {
    let scratch = Scratch::new("hostile");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/system/hostile.c");
    let program = program.canonicalize().expect("the program is there");
    let marks = [Path::new("/tmp/strata-was-here"), Path::new("/tmp/0"), Path::new("/gone")];
    assert!(marks.iter().all(|mark| !mark.exists()), "something else made {marks:?}");
    let output =
        strata(&scratch.0, &["run", "--max-memory", "512M", "--output", "out", &program.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output));
    let output = strata(&scratch.0, &["replay", "out"]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(marks.iter().all(|mark| !mark.exists()), "the program reached {marks:?}");
    let left: Vec<_> =
        std::fs::read_dir(&scratch.0).expect("readable").map(|entry| entry.expect("readable").file_name()).collect();
    assert_eq!(left, ["out"], "the program left something");
}

/// Several starting states: the same tests at any number of workers.
#[test]
fn workers_make_no_difference() {
    let scratch = Scratch::new("jobs");
    let source = "#include <string.h>\nint main(int c, char **v) { int n = 0; for (int i = 1; i < c; i++) n += !strcmp(v[i], \"-a\") ? 10 : 1;\n\
        return n; }\n";
    scratch.file("a.c", source);
    let mut all = Vec::new();
    for jobs in ["1", "3"] {
        let words = [
            "run",
            "--deterministic",
            "--jobs",
            jobs,
            "--output",
            jobs,
            "a.c",
            "--sym-args",
            "0",
            "2",
            "2",
            "--sym-args",
            "0",
            "1",
            "1",
        ];
        let output = strata(&scratch.0, &words);
        assert!(output.status.success(), "{}", text(&output));
        let folder = scratch.0.join(jobs).join("tests");
        let files = std::fs::read_dir(folder).expect("there are tests").map(|entry| entry.expect("readable").path());
        let mut tests: Vec<Vec<u8>> = files
            .filter(|file| file.extension().is_some_and(|extension| extension == "ktest"))
            .map(|file| std::fs::read(file).expect("readable"))
            .collect();
        tests.sort();
        all.push(tests);
    }
    assert!(all[0].len() > 6, "{} tests", all[0].len());
    assert_eq!(all[0], all[1]);
}

/// The bytes of a file and its status.
fn file_of<'t>(size: usize, take: &mut dyn FnMut(usize) -> &'t Vec<u8>) {
    take(size);
    let status = take(144);
    assert_eq!(status[24..28], 0o100644u32.to_le_bytes(), "a regular file");
    assert_eq!(status[48..56], (size as u64).to_le_bytes(), "its size");
}

/// KLEE's own replay takes a test's objects one after the other, whatever their names, and wants each to be as long as it asks for: as its
/// runtime does (`klee_init_env`, `klee_init_fds`). It makes files, and standard output, of the kind that their status says.
#[test]
fn objects_are_in_the_order_in_which_klee_replays_them() {
    let scratch = Scratch::new("klee-order");
    scratch.file("a.c", FIRST);
    let line = "--sym-args 1 1 2 --sym-arg 3 --sym-args 0 2 4 --sym-files 2 4 --sym-stdin 5 --sym-stdout --max-fail 1";
    let words: Vec<&str> = "run --short-reads --output out a.c".split(' ').chain(line.split(' ')).collect();
    let output = strata(&scratch.0, &words);
    assert!(output.status.success(), "{}", text(&output));
    let mut counts = std::collections::BTreeSet::new();
    for file in std::fs::read_dir(scratch.0.join("out/tests")).expect("tests") {
        let file = file.expect("readable").path();
        if file.extension().is_none_or(|extension| extension != "ktest") {
            continue;
        }
        let test = KTest::read(&file).expect("a test");
        let mut left = test.objects.iter();
        let mut take = |size: usize| {
            let (name, bytes) = left.next().expect("one more object");
            assert_eq!(bytes.len(), size, "{name}: {:?}", test.objects);
            bytes
        };
        take(3);
        take(4);
        // A number is asked for where there is a choice.
        let count = take(4)[0];
        (0..count).for_each(|_| assert_eq!(take(5)[4], 0));
        counts.insert(count);
        [4, 4, 5].into_iter().for_each(|size| file_of(size, &mut take));
        (0..5).for_each(|_| assert_eq!(take(4).len(), 4));
        file_of(1024, &mut take);
    }
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
    // And our own replay understands them.
    let output = strata(&scratch.0, &["replay", "out"]);
    assert!(output.status.success(), "{}", text(&output));
}
