//! `strata solve` as a user sees it: answers, models, messages, exit codes, limits.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn strata(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_strata")).arg("solve").args(arguments).output().expect("strata runs")
}

/// Writes `text` to a file of this name (unique to the test) and solves it.
fn solve(name: &str, text: impl AsRef<[u8]>, options: &[&str]) -> (i32, String, String) {
    let folder = std::env::temp_dir().join(format!("strata-solve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a temporary file");
    let path = file.to_str().expect("a plain path");
    let output = strata(&[options, &[path]].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&format!("{}/", folder.display()), "");
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Every sampled query is answered as its file says.
#[test]
fn sampled_queries_have_their_status() {
    let folder = root().join("tests/queries");
    let mut files: Vec<PathBuf> = Vec::new();
    for program in std::fs::read_dir(folder).expect("the sample").flatten() {
        files.extend(std::fs::read_dir(program.path()).expect("a folder").flatten().map(|entry| entry.path()));
    }
    files.sort();
    assert!(files.len() > 100, "only {} queries", files.len());
    let output = Command::new(env!("CARGO_BIN_EXE_strata"))
        .args(["solve", "--timeout", "60s"])
        .args(&files)
        .output()
        .expect("strata runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines();
    for file in &files {
        let line = lines.next().expect("a line a file");
        let status =
            if std::fs::read_to_string(file).expect("a query").contains(":status unsat") { "unsat" } else { "sat" };
        assert_eq!(line, format!("{}: {status}", file.display()));
    }
}

#[test]
fn scripts_push_pop_and_ask_for_values() {
    let script = r#"
        (set-logic QF_ABV) (set-option :produce-models true)
        (declare-const x (_ BitVec 8)) (declare-fun a () (Array (_ BitVec 32) (_ BitVec 8))) (declare-const p Bool)
        (assert (bvult #xf0 x))
        (push 1) (assert (= (select a #x00000002) x)) (assert (= x #xf5)) (assert p) (check-sat)
        (get-value (x p (bvadd x #x01) (select a #x00000002)))
        (pop 1) (push 1) (assert (bvult x #x0f)) (check-sat) (pop 1)
        (check-sat-assuming ((= x #x00))) (get-unsat-assumptions)
        (check-sat-assuming ((= x #xff) (not p))) (get-model)
        (echo "the ""end""") (get-info :name) (exit) (check-sat)
    "#;
    let (code, out, err) = solve("script.smt2", script, &[]);
    let expect = "sat\n((x #xf5)\n (p true)\n ((bvadd x #x01) #xf6)\n ((select a #x00000002) #xf5))\nunsat\nunsat\n\
        ((= #x00 x))\nsat\n(\n  (define-fun x () (_ BitVec 8) #xff)\n  (define-fun a () (Array (_ BitVec 32) (_ BitVec 8)) \
        ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x00))\n  (define-fun p () Bool false)\n)\n\"the \"\"end\"\"\"\n(:name \"strata\")\n";
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out.replace("(= x #x00)", "(= #x00 x)"), expect);
}

#[test]
fn kquery_files_are_answered() {
    let text = "array a[4] : w32 -> w8 = symbolic\n(query [(Ult (ReadLSB w32 0 a) 10)] (Eq 3 (Read w8 0 a)) [] [a])\n\
                (query [(Eq 3 (Read w8 0 a))] (Ult (Read w8 0 a) 4))\n";
    let (code, out, err) = solve("two.kquery", text, &["--model"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((lines[0], lines[2]), ("sat", "unsat"), "{out}");
    assert!(lines[1].starts_with("  a = [") && !lines[1].starts_with("  a = [3,"), "{out}");
}

#[test]
fn json_is_one_document() {
    let (code, out, _) =
        solve("json.smt2", "(declare-const x (_ BitVec 8))(assert (= x #x07))(check-sat)", &["--json", "--model"]);
    assert_eq!(code, 0);
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(document["files"][0]["answers"][0]["answer"], "sat");
    assert_eq!(document["files"][0]["answers"][0]["model"]["x"], "#x07");
    assert_eq!(document["queries"]["core_calls"], 1);
}

/// Bad input: status 2, the place, what was expected.
#[test]
fn bad_input_is_explained() {
    let cases: [(&str, &[u8], &str); 9] = [
        ("truncated.smt2", b"(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= x", "truncated.smt2:3:"),
        ("sorts.smt2", b"(declare-const x (_ BitVec 8))\n(assert (bvult x #x0001))", "sorts.smt2:2:9: "),
        ("bool.smt2", b"(declare-const x (_ BitVec 1))\n(assert x)", "bool.smt2:2:9: "),
        ("command.smt2", b"(check-mate)", "command.smt2:1:2: unknown command `check-mate`"),
        ("binary.smt2", b"(assert \xff\xfe\x00)", "binary.smt2:1:9: "),
        ("model.smt2", b"(get-model)", "model.smt2:1:1: there is no model"),
        ("logic.smt2", b"(set-logic QF_LIA)", "logic.smt2:1:12: "),
        (
            "broken.kquery",
            b"array a[4] : w32 -> w8 = symbolic\n(query [] (Eq 3 (Read w8 0 b)))",
            "broken.kquery:2:28: ",
        ),
        ("what.txt", b"\x7fELF\x02", "what.txt:1:1: "),
    ];
    for (name, text, expect) in cases {
        let (code, out, err) = solve(name, text, &[]);
        assert_eq!((code, out.as_str()), (2, ""), "{name}: {err}");
        assert!(err.starts_with(expect), "{name}: {err}");
    }
    let missing = strata(&["/nonexistent/file.smt2"]);
    assert_eq!(missing.status.code(), Some(2));
    for option in [
        ["--solver", "nosuch"],
        ["--solver", "smtlib:/nonexistent/solver"],
        ["--layers", "magic"],
        ["--timeout", "soon"],
    ] {
        let output = strata(&[option[0], option[1], "x.smt2"]);
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        assert!(!output.stderr.is_empty());
    }
}

/// Standard input, names that tell nothing, byte order marks, files without a question.
#[test]
fn unusual_files_are_read() {
    let (code, out, err) = solve("marked", b"\xef\xbb\xbf(check-sat)\r\n", &[]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "sat\n", ""));
    let (code, out, err) = solve("old.pc", "array a[1] : w32 -> w8 = symbolic\n(query [] (Eq 1 (Read w8 0 a)))", &[]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "sat\n", ""));
    let (code, out, err) = solve("empty.smt2", "", &[]);
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(err.starts_with("empty.smt2: asks nothing"), "{err}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_strata"))
        .args(["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("strata runs");
    child.stdin.take().expect("a pipe").write_all(b"(assert false)(check-sat)").expect("strata reads");
    let output = child.wait_with_output().expect("strata ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "unsat\n");
}

/// A reader that goes away, and a full disk, are not faults of ours.
#[test]
fn output_may_fail() {
    let files = format!("{0}/examples/midpoint.smt2 {0}/examples/password.smt2", root().display());
    let run = |redirection: &str| {
        let command = format!("{} solve --model {files} {redirection}", env!("CARGO_BIN_EXE_strata"));
        Command::new("sh").args(["-c", &command]).output().expect("a shell")
    };
    assert!(!String::from_utf8_lossy(&run("| head -1").stderr).contains("panicked"));
    let full = run("> /dev/full");
    assert_eq!(full.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&full.stderr).contains("cannot write to standard output"));
    assert_eq!(run("/nonexistent.smt2 2> /dev/full").status.code(), Some(2));
}

/// One bad file does not cost the answers of the others.
#[test]
fn other_files_are_still_answered() {
    let (_, _, _) = solve("good.smt2", "(check-sat)", &[]);
    let folder = std::env::temp_dir().join(format!("strata-solve-{}", std::process::id()));
    let good = folder.join("good.smt2").display().to_string();
    let output = strata(&["/nonexistent/file.smt2", &good]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{good}: sat\n"));
}

/// A wrong `:status` is told apart from bad input.
#[test]
fn a_wrong_status_is_noticed() {
    let (code, out, err) = solve("status.smt2", "(set-info :status unsat)(check-sat)", &[]);
    assert_eq!((code, out.as_str()), (3, "sat\n"));
    assert!(err.starts_with("status.smt2:1:25: the answer is sat"), "{err}");
}

/// Hard questions give up when told to, and leave the process able to answer the next one. No time is asserted but that it ends.
#[test]
fn limits_hold() {
    let folder = root().join("tests/limits");
    let mut tried = 0;
    for entry in std::fs::read_dir(folder).expect("the folder").flatten() {
        let file = entry.path();
        let start = Instant::now();
        let output = strata(&["--timeout", "1s", file.to_str().expect("a plain path")]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{}", file.display());
        let lines: Vec<&str> = text.lines().collect();
        assert!(["sat", "unsat", "unknown"].contains(&lines[0]), "{text}");
        assert_eq!(lines[1], "sat", "{}: {text}", file.display());
        assert!(lines[2].ends_with(" #x05))"), "{text}");
        assert!(start.elapsed() < Duration::from_secs(60), "{} did not stop", file.display());
        tried += 1;
    }
    assert_eq!(tried, 4);
}

#[test]
fn conflicts_and_memory_are_limits_too() {
    let script = std::fs::read(root().join("tests/limits/semiprime.smt2")).expect("the script");
    let check = |name: &str, script: &[u8], options: &[&str], reason: &str| {
        let (code, out, err) = solve(name, script, options);
        assert!(code == 0 && out.starts_with("unknown\nsat\n"), "{out}");
        assert_eq!(err, format!("{name}: unknown because of: {reason}\n"));
    };
    check("conflicts.smt2", &script, &["--max-conflicts", "10"], "conflict limit");
    check("memory.smt2", &script, &["--max-memory", "1M"], "memory limit (--max-memory raises it)");
    let mut script = b"(set-option :timeout 100)".to_vec();
    script.extend(std::fs::read(root().join("tests/limits/semiprime.smt2")).expect("the script"));
    check("option.smt2", &script, &[], "timeout");
}

/// Another solver in our place, and beside us.
#[test]
fn another_solver_answers() {
    let script = "(declare-const x (_ BitVec 8))(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))\
        (assert (= (select (store a #x00000001 x) ((_ zero_extend 24) x)) #x09))(check-sat)(assert (= x #x00))(assert (= (select a #x00000000) #x01))(check-sat)";
    let confirmed = "2 of 2 answers were confirmed by the other solver\n";
    for (options, expect) in
        [(["--solver", "z3"], ""), (["--check-with", "z3"], confirmed), (["--solver", "smtlib:z3 -in"], "")]
    {
        let (code, out, err) = solve("other.smt2", script, &options);
        assert_eq!((code, out.as_str(), err.as_str()), (0, "sat\nunsat\n", expect), "{options:?}");
    }
    // A solver that always says unsat is found out.
    let liar = "smtlib:sh -c 'echo ready; while read line; do case $line in \"(check-sat)\") echo unsat;; esac; done'";
    let (code, out, err) = solve("liar.smt2", "(check-sat)", &["--check-with", liar]);
    assert_eq!((code, out.as_str()), (3, "sat\n"), "{err}");
    assert!(err.starts_with("liar.smt2:1:1: the answer is sat, but"), "{err}");
}
