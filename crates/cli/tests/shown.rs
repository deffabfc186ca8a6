//! What a run shows while it goes and at its end: the program's output as paths write it, where they fork, what a card says of an access,
//! and how long it took.

mod shared;

use shared::Temporary;
use std::fs;
use std::process::Command;

/// A folder with a program in it.
struct Place(Temporary);

impl Place {
    fn new(name: &str, text: &str) -> Place {
        let folder = Temporary::new(name);
        fs::write(folder.join("a.c"), text).expect("a file");
        Place(folder)
    }

    /// Exit status, standard output and error of `strata run … a.c`.
    fn run(&self, options: &str) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
        command.arg("run").args(options.split_whitespace()).arg("a.c").current_dir(&*self.0);
        let output = command.output().expect("strata runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    fn stats(&self) -> serde_json::Value {
        let text = fs::read_to_string(self.0.join("strata-last/stats.json")).expect("stats.json");
        serde_json::from_str(&text).expect("JSON")
    }
}

const SPEAKER: &str = r#"#include <klee/klee.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    write(1, "start\n", 6);
    if (x <= 100) {
        klee_assume(x == 7);
        printf("small %d\n", x);
    } else {
        write(2, "large\n", 6);
    }
    for (int i = 0; i < 2; i++)
        if (x > 100 && x >> i & 1) printf("%d", i);
    return 0;
}
"#;

#[test]
fn output_is_echoed_once_as_paths_write_it() {
    let place = Place::new("echo", SPEAKER);
    let (code, out, err) = place.run("--echo --search dfs");
    assert_eq!(code, 0, "{err}");
    // What was written before a fork is not written again by the forks; the last line stands alone.
    assert!(out.starts_with("start\nsmall 7\n011\ncomplete: 5 paths"), "{out}");
    assert_eq!(err.lines().filter(|line| *line == "large").count(), 1, "{err}");
    // Without it the program is not heard.
    let (_, out, err) = place.run("--search dfs");
    assert!(!out.contains("start") && !err.contains("large"), "{out}{err}");
    let (code, out, err) = place.run("--echo --json");
    assert!(code == 2 && out.is_empty() && err.contains("--json"), "{err}");
}

#[test]
fn the_hottest_forks_are_named() {
    let place = Place::new("forks", SPEAKER);
    assert_eq!(place.run("--jobs 2").0, 0);
    let stats = place.stats();
    let line =
        |rank: usize| (stats["hottest_forks"][rank]["line"].clone(), stats["hottest_forks"][rank]["forks"].clone());
    assert_eq!((line(0), line(1)), ((15.into(), 3.into()), (8.into(), 1.into())), "{stats:#}");
    assert_eq!(stats["forks"], 4);
    assert!(stats["hottest_forks"][0]["file"].as_str().is_some_and(|file| file.ends_with("/a.c")));
    let progress = fs::read_to_string(place.0.join("strata-last/progress.jsonl")).expect("progress.jsonl");
    let last: serde_json::Value = serde_json::from_str(progress.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["hottest_fork"]["line"], &last["hottest_fork"]["forks"]), (&15.into(), &3.into()));
}

#[test]
fn a_card_says_the_offset_in_its_own_input() {
    let text = "#include <klee/klee.h>\nchar a[16];\nint main(void) {\n  unsigned i = klee_range(0, 18, \"i\");\n  klee_assume(i != 16);\n  return a[i];\n}\n";
    let place = Place::new("offset", text);
    let (code, out, err) = place.run("--no-confirm");
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("memory error: out of bound pointer (1 byte)\n"), "{out}");
    assert!(out.contains("global 'a' of 16 bytes at") && out.contains(", accessed at offset 17\n"), "{out}");
}

#[test]
fn the_time_is_that_of_exploring() {
    let place = Place::new("time", "int main(void) { for (volatile int i = 0;; i++); }\n");
    let (code, _, err) = place.run("--max-time 1s");
    assert_eq!(code, 0, "{err}");
    let stats = place.stats();
    let figure = |name: &str| stats[name].as_f64().expect("a number");
    // A busy machine gets some more than the 0.3 s that the limit promises.
    assert!((1.0..1.5).contains(&figure("time_s")), "{stats:#}");
    assert!(figure("preparation_s") > 0.0, "{stats:#}");
}

/// Each path has an input at once, but its least one is hard to find: a path that ends just before the limit must not hold the run up, and what
/// the solver does for tests is solving.
#[test]
fn the_limit_holds_while_tests_are_made() {
    let text = r#"#include <klee/klee.h>
#include <stdint.h>
int main(void) {
  uint64_t x[3];
  klee_make_symbolic(x, sizeof x, "x");
  for (int i = 0; ; i++) {
    uint64_t h = x[0] * 0x9E3779B97F4A7C15u ^ x[1];
    h = h * (x[2] | 1) + i;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    if (h >> 60 == 3) return i;
    if (i > 3000) return 100;
  }
}
"#;
    let place = Place::new("least", text);
    let (code, out, err) = place.run("--max-time 2s");
    assert_eq!(code, 0, "{err}");
    // A question that the limit cuts short is a cause, too.
    assert!(out.starts_with("incomplete (") && out.contains("time "), "{out}");
    let stats = place.stats();
    let figure = |name: &str| stats.pointer(name).and_then(serde_json::Value::as_f64).expect("a number");
    assert!((2.0..2.5).contains(&figure("/time_s")), "{stats:#}");
    // Nearly all of it is solving: by the clock, and on the processor at most as much.
    assert!(figure("/solver_time_s") > 1.5 && figure("/cpu_s/write") < 0.1, "{stats:#}");
    assert!(figure("/cpu_s/solve") <= figure("/cpu_s/explore"), "{stats:#}");
}

#[test]
fn what_a_native_run_sees_otherwise_is_named() {
    let text = "#include <sys/random.h>\nint main(void) { char c; return getrandom(&c, 1, 0) != 1; }\n";
    let place = Place::new("environment", text);
    assert_eq!(place.run("").0, 0);
    let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
    let output = command.args(["tests", "strata-last", "1"]).current_dir(&*place.0).output().expect("strata runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("depends on environment (getrandom)\n"), "{shown}");
}
