//! A complete exploration with `--deterministic` leaves the same tests whoever did it: at any number of jobs, in any order, from any seed.
//!
//! Compared are the bytes of each test, what it is expected to do, and for each error its kind, place, count, report and the input that
//! was chosen to show it. Only the numbers of tests may differ. Programs have hundreds of paths and pass through what could depend
//! on a worker's history: models, symbolic places, sizes, pointers, output kept as terms.

mod shared;

use serde_json::Value;
use shared::Temporary;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use strata_record::{Expectation, Record, Test};

/// What a run left, without the numbers of its tests.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    tests: BTreeSet<(Vec<u8>, String, String)>,
    errors: BTreeSet<(String, u64, u64, Vec<u8>)>,
    paths: Value,
    complete: bool,
}

fn strata(folder: &Path, words: &str) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_strata")).args(words.split_whitespace()).current_dir(folder).output();
    let output = output.expect("strata runs");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn stats(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("stats.json")).expect("stats.json");
    serde_json::from_str(&text).expect("JSON")
}

fn left(folder: &Path) -> Left {
    let stats = stats(folder);
    let tests = Record::open(folder).and_then(|record| record.tests()).expect("tests");
    let tests: BTreeMap<u32, Test> =
        tests.iter().map(|test| test.expect("a whole test")).map(|test| (test.number, test)).collect();
    let seen = |test: &Test| {
        // Whether it was the first to go somewhere is the run's.
        let expectation = test.expectation.clone().map(|expectation| Expectation { new: false, ..expectation });
        (test.input.to_bytes(), format!("{expectation:?}"), format!("{:?}", test.reports))
    };
    let error = |error: &Value| {
        let field = |key: &str| error[key].as_u64().expect("a number");
        let number = u32::try_from(field("test")).expect("a test's number");
        (error["kind"].to_string(), field("line"), field("count"), tests[&number].input.to_bytes())
    };
    Left {
        tests: tests.values().map(seen).collect(),
        errors: stats["errors"].as_array().expect("errors").iter().map(error).collect(),
        paths: stats["paths"].clone(),
        complete: stats["complete"].as_bool().expect("complete"),
    }
}

/// Runs a program in many ways; gives the number of its tests.
fn same_in_all_ways(name: &str, source: &str) -> usize {
    let folder = Temporary::new(name);
    fs::write(folder.0.join("prog.c"), source).expect("a program");
    let ways = [
        "--jobs 1",
        "--jobs 2",
        "--jobs 4",
        "--jobs 1 --search dfs",
        "--jobs 4 --search bfs --seed 7",
        "--jobs 3 --search random,depth,instruction-count --seed 3",
    ];
    let mut first: Option<Left> = None;
    for (i, way) in ways.iter().enumerate() {
        let (status, text) = strata(&folder.0, &format!("run --deterministic {way} --output out{i} prog.c"));
        assert!(status == 0 || status == 1, "{way}: {text}");
        let left = left(&folder.0.join(format!("out{i}")));
        assert!(left.complete, "{way}: {text}");
        match &first {
            Some(first) => assert!(*first == left, "{name} with {way}: {}", difference(first, &left)),
            None => first = Some(left),
        }
    }
    first.map_or(0, |left| left.tests.len())
}

fn difference(a: &Left, b: &Left) -> String {
    let only = |a: &Left, b: &Left| a.tests.difference(&b.tests).take(2).map(|t| format!("{t:?}")).collect::<Vec<_>>();
    format!("{:?} / {:?}; {:?} / {:?}; {:?} / {:?}", a.paths, b.paths, only(a, b), only(b, a), a.errors, b.errors)
}

const SUMS: &str = r#"
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>
int main(void) {
  unsigned char b[7];
  klee_make_symbolic(b, sizeof b, "b");
  int n = 0;
  for (int i = 0; i < 7; i++) {
    if (b[i] > 100) n++;
  }
  int t[8] = {0};
  t[b[0] & 7] = 3;
  printf("%d %d\n", n, b[1]);
  if (n == 3 && b[2] + b[3] == 300) assert(0);
  return 10 / (n + t[2] - 5);
}
"#;

const TEXT: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static int word(const char *p) {
  switch (*p) {
    case 'a': case 'b': return 1;
    case '(': return 2;
    case ')': return 3;
    case 0: return 0;
    default: return p[0] - p[1] > 40 ? 4 : 5;
  }
}
int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  klee_assume(s[4] == 0);
  int depth = 0;
  char *copy = malloc(5);
  strcpy(copy, s);
  for (char *p = copy; *p; p++) {
    int w = word(p);
    if (w == 2) depth++;
    if (w == 3 && --depth < 0) abort();
    if (w == 4) copy[depth + 4] = 1;
  }
  free(copy);
  if (strlen(s) == 4 && depth == 2) free(copy);
  return depth;
}
"#;

const POINTERS: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static int one(int x) { return x + 1; }
static int two(int x) { return x * 2; }
int main(void) {
  int (*calls[])(int) = {one, two, abs};
  unsigned char n, k, v[4];
  klee_make_symbolic(&n, 1, "n");
  klee_make_symbolic(&k, 1, "k");
  klee_make_symbolic(v, 4, "v");
  char *p = malloc(n & 3);
  char small[4] = "abc", large[300];
  memset(large, v[0], sizeof large);
  char *q = v[1] > 9 ? small : large;
  if (q[v[2] & 3] == 'b') p[2] = 1;
  large[v[3]] = 9;
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += v[i] > 128 ? calls[k % 3](v[i]) : -i;
  if (large[17] == 9 && sum > 300) return sum / (v[2] - 200);
  return large[k] == 9;
}
"#;

#[test]
fn the_same_tests_whoever_explores() {
    let counts =
        [same_in_all_ways("sums", SUMS), same_in_all_ways("text", TEXT), same_in_all_ways("pointers", POINTERS)];
    assert!(counts.iter().all(|count| *count >= 100), "{counts:?} tests: too few to tell");
}

#[test]
fn limits_hold_and_what_was_left_out_is_said() {
    let folder = Temporary::new("limits");
    fs::write(folder.0.join("prog.c"), SUMS).expect("a program");
    for jobs in [1, 4] {
        let limits = [
            ("--max-tests 10", "tests", 10),
            ("--max-forks 20", "forks", 20 + 4 * jobs),
            ("--max-instructions 5000", "instructions", 5000 + 30_000 * jobs),
        ];
        for (i, (limit, figure, most)) in limits.into_iter().enumerate() {
            let out = format!("out{jobs}-{i}");
            let (status, text) = strata(&folder.0, &format!("run {limit} --jobs {jobs} --output {out} prog.c"));
            assert!((0..=1).contains(&status) || status == 3, "{limit}: {status} {text}");
            let stats = stats(&folder.0.join(out));
            assert_eq!(stats["complete"], false, "{limit} --jobs {jobs}: {text}");
            assert!(stats[figure].as_u64().is_some_and(|n| n <= most), "{limit} --jobs {jobs}: {}", stats[figure]);
        }
    }
}
