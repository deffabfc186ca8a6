//! What goes wrong is said in a line, with the right exit status, and within the limits: files that are no programs, programs without end,
//! options that mean nothing, folders that cannot be written, an interrupt. And what `--entry` makes of programs without a harness.

mod shared;

use shared::Temporary;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A fresh folder with files in it.
struct Place(Temporary);

impl Place {
    fn new(name: &str, files: &[(&str, &str)]) -> Place {
        let folder = Temporary::new(name);
        for (file, text) in files {
            fs::write(folder.join(file), text).expect("a file");
        }
        Place(folder)
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
        command.args(words.split(' ')).current_dir(&*self.0).stdin(Stdio::null());
        command
    }

    /// Exit status, standard output and error.
    fn strata(&self, words: &str) -> (i32, String, String) {
        seen(self.command(words).output().expect("strata runs"))
    }

    /// Must be refused as bad input, with all of these words.
    fn refused(&self, words: &str, parts: &[&str]) {
        let (code, out, err) = self.strata(words);
        assert_eq!((code, out.as_str()), (2, ""), "strata {words}: {err}");
        assert!(parts.iter().all(|part| err.contains(part)), "strata {words}: {err}");
        assert!(!err.contains("panicked"), "{err}");
    }

    fn tool(&self, tool: &str, words: &str) {
        let done = Command::new(tool).args(words.split(' ')).current_dir(&*self.0).status();
        assert!(done.expect("the tool runs").success(), "{tool} {words}");
    }
}

fn seen(output: Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

const GOOD: &str = "int main(void) { return 0; }\n";
const LOOP: &str = "int main(void) { volatile int x = 0; for (;;) x++; }\n";

#[test]
fn what_is_no_risc_v_file() {
    let place = Place::new("riscv", &[("good.c", GOOD), ("empty", "")]);
    place.tool("clang-22", "-c good.c -o native.o");
    place.tool("clang-22", "--target=riscv64 -c good.c -o good.o");
    place.tool("clang-22", "--target=riscv32 -c good.c -o small.o");
    place.refused("disassemble good.c", &["good.c: this is no ELF file (a text)"]);
    place.refused("disassemble empty", &["empty: this is no ELF file (it is empty)"]);
    place.refused("disassemble absent", &["absent: cannot be read"]);
    place.refused("disassemble .", &["cannot be read: not a regular file"]);
    place.refused("disassemble native.o", &["not for RISC-V"]);
    place.refused("disassemble small.o", &["32-bit"]);
    let whole = fs::read(place.0.join("good.o")).expect("an object file");
    fs::write(place.0.join("cut.o"), &whole[..whole.len() - 1]).expect("a file");
    place.refused("disassemble cut.o", &["the file is cut off"]);
    let (code, out, err) = place.strata("disassemble good.o");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("<main>:\n") && out.contains("\tret\n"), "{out}");
}

#[test]
fn what_is_no_program() {
    let bad_text = "define i32 @main() {\n  ret i33 0\n}\n";
    let files = [
        ("good.c", GOOD),
        ("twice.c", GOOD),
        ("wrong.c", "int main(void) {\n  return undeclared;\n}\n"),
        ("nomain.c", "int f(void) { return 1; }\n"),
        ("empty.c", ""),
        ("empty.bc", ""),
        ("text.ll", "hello\n"),
        ("bad.ll", bad_text),
    ];
    let place = Place::new("files", &files);
    place.tool("clang-22", "-c -emit-llvm good.c -o good.bc");
    place.tool("clang-22", "-c -emit-llvm nomain.c -o nomain.bc");
    place.tool("clang-22", "-c good.c -o native.o");
    place.tool("llvm-ar-22", "rcs none.a");
    place.tool("llvm-ar-22", "rcs native.a native.o");
    let whole = fs::read(place.0.join("good.bc")).expect("bitcode");
    for (name, length) in [("half.bc", whole.len() / 2), ("start.bc", 2), ("cut.bc", whole.len() - 4)] {
        fs::write(place.0.join(name), &whole[..length]).expect("a file");
        place.refused(&format!("run {name}"), &[name, "bitcode"]);
    }
    place.refused("run wrong.c", &["wrong.c:2:10: error: use of undeclared identifier 'undeclared'"]);
    for name in ["nomain.c", "nomain.bc", "empty.c", "none.a"] {
        place.refused(&format!("run {name}"), &[name, "there is no function main", "--entry"]);
    }
    place.refused("run empty.bc", &["empty.bc: an empty file"]);
    place.refused("run text.ll", &["text.ll", "text.ll:1:1"]);
    place.refused("run bad.ll", &["bad.ll:2:7"]);
    for name in ["native.o", "native.a"] {
        place.refused(
            &format!("run {name}"),
            &[name, "machine code without bitcode", "strata cc", "clang -c -emit-llvm"],
        );
    }
    place.refused("run missing.c", &["missing.c: there is no such file"]);
    place.refused("run --link missing.bc good.c", &["missing.bc: there is no such file"]);
    place.refused("run .", &[".: is a folder"]);
    place.refused("run --link twice.c good.c", &["twice.c", "main", "multiply defined"]);
}

#[test]
fn words_that_mean_nothing() {
    let files = [
        ("good.c", GOOD),
        ("f.c", "int f(int x) { return x; }\n"),
        ("a.cpp", "int main() { return 0; }\n"),
        ("a.cc", "int main() { return 0; }\n"),
        ("a.rs", "fn main() {}\n"),
    ];
    let place = Place::new("words", &files);
    for (words, parts) in [
        ("run", "<PROGRAM>"),
        ("run --search nope good.c", "random-path"),
        ("run --uninit x good.c", "symbolic, zero, pattern"),
        ("run --float x good.c", "stop, concretize"),
        ("run --provenance x good.c", "on, off"),
        ("run --check x good.c", "overshift"),
        ("run --solver x good.c", "bitwuzla"),
        ("run --layers x good.c", "klee"),
        ("run --max-time soon good.c", "ms, s, min or h"),
        ("run --max-memory 1x good.c", "K, M, G or T"),
        ("run -O7 good.c", "0..=3"),
        ("run --jobs 0 good.c", "1 to 256"),
        ("run --no-such-option good.c", "--no-such-option"),
        ("run -x good.c", "-x"),
        ("run -max-time=soon good.c", "ms, s, min or h"),
        ("run --buffer-size 0 --entry f --symbolic f.c", "16777216"),
        ("run --symbolic good.c", "--entry"),
        ("run --entry g f.c", "--entry g: the program defines no such function"),
        ("run --entry f f.c", "takes 1 argument; make them symbolic with --symbolic"),
        ("run --exit-on-error-type foo good.c", "no kind of error 'foo'; there are ptr, free, assert"),
        ("run a.cpp", "a.cpp: C++ is not compiled here; make bitcode of it (clang++ "),
        ("run a.cc", "a.cc: C++ is not compiled here"),
        ("run --link a.cc good.c", "a.cc: C++ is not compiled here"),
        ("run a.rs", "a.rs: Rust is not compiled here; make bitcode of it (rustc "),
        ("run --output-dir=x good.c", "strata: --output-dir is KLEE's; here it is --output DIR\n"),
        ("run -output-dir=x good.c", "strata: --output-dir is KLEE's; here it is --output DIR\n"),
        (
            "run --posix-runtime --libc=uclibc good.c",
            "strata: --posix-runtime is KLEE's and has no effect here, leave it out",
        ),
        (
            "run --libc=uclibc good.c",
            "strata: --libc is KLEE's and has no effect here, leave it out: every program is linked with musl",
        ),
        ("run --optimize good.c", "here it is -O1, -O2 or -O3"),
        ("run --max-solver-time=5 good.c", "here it is --solver-timeout TIME"),
        ("run --entry-point=f good.c", "here it is --entry F"),
        ("run --write-smt2s good.c", "has no counterpart here"),
        ("nope", "nope"),
    ] {
        place.refused(words, &[parts]);
    }
}

/// A solver that can be started once: when the run is prepared, but not by its worker.
#[test]
fn a_solver_that_is_gone_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let script = "#!/bin/sh\nrm -- \"$0\"\nexec z3 -in\n";
    let place = Place::new("gone", &[("good.c", GOOD), ("once", script)]);
    fs::set_permissions(place.0.join("once"), fs::Permissions::from_mode(0o755)).expect("permissions");
    let (code, out, err) = place.strata("run --solver smtlib:./once good.c");
    assert_eq!(code, 2, "{out}{err}");
    assert!(err.contains("./once") && !err.contains("panicked"), "{err}");
    assert!(out.contains("incomplete (solver 1"), "{out}");
}

#[test]
fn folders_that_cannot_be_written() {
    let place = Place::new("folders", &[("good.c", GOOD), ("file", "")]);
    place.refused("run --output file/x good.c", &["file/x: cannot be written", "--output"]);
    place.refused("run --output file good.c", &["file", "--output"]);
    place.refused("run --output /proc/strata good.c", &["/proc/strata: cannot be written"]);
    place.refused("run --output . good.c", &["exists and is not empty"]);
}

#[test]
fn a_test_of_another_program() {
    let symbolic = |name: &str| {
        format!(
            "#include <klee/klee.h>\nint main(void) {{ int {name}; klee_make_symbolic(&{name}, sizeof {name}, \"{name}\"); return {name} == 7; }}\n"
        )
    };
    let none = "int main(void) { return 0; }\n";
    let place = Place::new("foreign", &[("one.c", &symbolic("one")), ("two.c", &symbolic("two")), ("none.c", none)]);
    for name in ["one", "two", "none"] {
        let (code, out, err) = place.strata(&format!("run --output {name} {name}.c"));
        assert_eq!(code, 0, "{err}");
        assert!(
            out.starts_with("complete: 1 path, no errors, 1 test") || out.starts_with("complete: 2 paths"),
            "{out}"
        );
    }
    fs::copy(place.0.join("one/tests/test000001.ktest"), place.0.join("two/tests/test000001.ktest")).expect("a copy");
    let (code, out, err) = place.strata("replay two/tests/test000001.ktest");
    if err.contains("test programs run only in a sandbox") {
        return println!("this machine grants no sandbox: {err}");
    }
    assert!(code == 2 && out.contains("is a test of another program"), "{code} {out} {err}");
    fs::copy(place.0.join("one/tests/test000001.ktest"), place.0.join("none/tests/test000001.ktest")).expect("a copy");
    let (code, out, err) = place.strata("replay none");
    assert!(code == 2 && out.contains("never asks for one input"), "{code} {out} {err}");
}

/// A run whose only path ends early, for a reason that is named; it replays.
fn left(place: &Place, words: &str, cause: &str, reason: &str) {
    let (code, out, err) = place.strata(&format!("run --output run {words}"));
    assert_eq!(code, 0, "{words}: {out} {err}");
    assert!(
        out.contains(&format!("incomplete ({cause} 1): 1 path (1 left unfinished), no errors, 1 test")),
        "{words}: {out} {err}"
    );
    assert!(err.contains("strata: 1 path left: ") && err.contains(reason), "{words}: {err}");
}

#[test]
fn programs_without_end() {
    let place = Place::new("loop", &[("loop.c", LOOP)]);
    let start = Instant::now();
    left(&place, "--max-time 1s loop.c", "time", "time");
    // The limit counts from the start of exploring; compiling and a busy machine get some more.
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());

    let text =
        "#include <stdlib.h>\nint main(void) { for (;;) { char *p = malloc(1 << 20); if (!p) return 1; p[5] = 1; } }\n";
    let place = Place::new("allocate", &[("allocate.c", text)]);
    left(&place, "--max-time 20s --max-memory 300M allocate.c", "limit", "");

    let place = Place::new(
        "asm",
        &[(
            "asm.c",
            "int main(void) {\n  int x = 1;\n  __asm__ volatile(\"cpuid\" : \"+a\"(x) : : \"ebx\", \"ecx\", \"edx\");\n  return x;\n}\n",
        )],
    );
    left(&place, "asm.c", "unsupported", "cpuid");

    let place = Place::new(
        "recurse",
        &[("recurse.c", "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n")],
    );
    let (code, out, err) = place.strata("run --output run recurse.c");
    assert_eq!(code, 1, "{out} {err}");
    assert!(out.contains("recurse.c:1") && out.contains(" times\n"), "{out}");
    assert!(out.contains("confirmed natively: SIGSEGV") || out.contains("not confirmed natively: the kernel"), "{out}");
}

/// Interrupts a run without end so often, at once, and looks at what it leaves.
fn interrupted(name: &str, times: usize) {
    let place = Place::new(name, &[("loop.c", LOOP)]);
    let child = place.command("run --output run loop.c").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("strata starts");
    let begun = Instant::now();
    while !place.0.join("run/run.json").exists() {
        assert!(begun.elapsed() < Duration::from_secs(300), "the run does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    // One process sends them all, so that they come close together.
    let signals = vec![format!("kill -INT {}", child.id()); times].join("; sleep 0.02; ");
    let sent = Instant::now();
    Command::new("sh").args(["-c", &signals]).stderr(Stdio::null()).status().expect("a shell");
    let (code, out, err) = seen(child.wait_with_output().expect("strata ends"));
    assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
    assert_eq!(code, 0, "{out} {err}");
    assert!(out.starts_with("incomplete (interrupt 1): 1 path (1 left unfinished), no errors, 1 test"), "{out}");
    assert!(!err.contains('\x1b') && !out.contains('\x1b'), "nothing for a terminal in a pipe");
    assert!(place.0.join("run/tests/test000001.ktest").exists() && place.0.join("run/stats.json").exists());
}

#[test]
fn an_interrupt_leaves_tests_and_a_true_last_line() {
    interrupted("interrupt", 1);
}

/// As `timeout -s INT` does: to its child, and to the group that the child is in.
#[test]
fn interrupts_that_come_together_are_one() {
    interrupted("interrupts", 3);
}

#[test]
fn errors_are_confirmed() {
    let text = "#include <assert.h>\n#include <klee/klee.h>\nint main(void) {\n  int x;\n  klee_make_symbolic(&x, sizeof x, \"x\");\n  assert(x != 7);\n  return 0;\n}\n";
    let place = Place::new("confirm", &[("assert.c", text)]);
    let (code, out, err) = place.strata("run --output run assert.c");
    assert_eq!(code, 1, "{err}");
    let card = "\n== assert: ASSERTION FAIL: x != 7\n   at assert.c:6\n      6 |   assert(x != 7);\n   in main (assert.c:6)\n   \
                input x = 7 (\"\\x07\\x00\\x00\\x00\")\n   reproduce: strata replay run/tests/test";
    assert!(out.starts_with(card), "{out}");
    assert!(out.contains("confirmed natively: SIGABRT") || out.contains("not confirmed natively: the kernel"), "{out}");
    let (_, out, _) = place.strata("run --output quiet --no-confirm assert.c");
    assert!(!out.contains("natively"), "{out}");
    let (code, out, _) = place.strata("run --output json --json assert.c");
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON and nothing else");
    assert_eq!((code, &value["errors"][0]["kind"]), (1, &"assert".into()));
}

/// A death of another signal, or behind further branches, is not the error's.
#[test]
fn an_error_is_confirmed_by_its_own_death() {
    let rows = [
        // The machine reads on behind the array; the abort is the next line's.
        (
            "  char word[2] = {'a', 'b'};\n  printf(\"%s\\n\", word);\n  abort();",
            "(death by SIGABRT (abort) of something else)",
        ),
        // The same signal, but the program goes on before.
        (
            "  volatile int a[2] = {x, x};\n  int b = a[2];\n  for (int i = 0; i < 3; i++) a[0] += i;\n  return *(volatile int *)(b & 0L);",
            "(death by SIGSEGV (segmentation fault) of something else)",
        ),
        ("  return *(volatile int *)(x & 0L);", ""),
        ("  int *p = malloc(4);\n  free(p);\n  free(p);\n  return x;", ""),
        ("  return 8 / (x & 0);", ""),
        ("  x ? __builtin_trap() : abort();", ""),
    ];
    for (body, death) in rows {
        let head = "#include <stdio.h>\n#include <stdlib.h>\n#include <klee/klee.h>\n";
        let text =
            format!("{head}int main(void) {{\n  int x;\n  klee_make_symbolic(&x, sizeof x, \"x\");\n{body}\n}}\n");
        let place = Place::new("death", &[("a.c", &text)]);
        let (code, out, err) = place.strata("run --output run a.c");
        assert_eq!(code, 1, "{err}");
        let expect = match death {
            "" => " confirmed natively: SIG".into(),
            death => format!("reached natively, without a crash there {death}: undefined behaviour"),
        };
        assert!(out.contains(&expect) || out.contains("not confirmed natively: the kernel"), "{body}\n{out}");
        let (_, out, _) = place.strata("replay run");
        assert!(out.contains(" as predicted\n"), "{out}");
    }
}

/// A program that hashes and prints its addresses, and one that has an address in its input: natively they find the same objects.
#[test]
fn addresses_are_the_same_natively() {
    let hashed = include_str!("../../../tests/programs/addresses/hashed.c");
    let chosen = include_str!("../../../tests/programs/addresses/chosen.c");
    let place = Place::new("addresses", &[("hashed.c", hashed), ("chosen.c", chosen)]);
    let (code, _, err) = place.strata("run --output hashed hashed.c");
    assert_eq!(code, 0, "{err}");
    let (_, out, _) = place.strata("replay hashed");
    assert!(out.ends_with("4 tests: 4 as predicted at the engine's addresses\n"), "{out}");
    let (code, _, err) = place.strata("run --output chosen chosen.c");
    assert_eq!(code, 1, "{err}");
    let (code, out, _) = place.strata("replay chosen");
    assert!(code == 0 && out.contains(" as predicted at the engine's addresses"), "{out}");
    // What lies on a library's stack and what the kernel gave is elsewhere, and the test says so.
    let strange = out.lines().filter(|line| line.starts_with("test"));
    assert!(
        strange.clone().all(|line| line.ends_with(": it may differ natively, since it depends on: address")),
        "{out}"
    );
    assert!(strange.count() < 10, "{out}");
}

/// Functions of all kinds of parameters, explored without a harness; what was predicted for each happens natively.
#[test]
fn functions_without_a_harness() {
    let text = "#include <stdbool.h>\n\
        struct big { long a, b, c; char *s; };\n\
        struct two { char *p; int n; };\n\
        struct eight { int x, y; };\n\
        static int parse(const char *text, int length, bool strict) {\n\
          if (length < 0 || length > 8) return 1;\n\
          for (int i = 0; i < length; i++)\n\
            if (text[i] == '!') return strict ? 2 : text[i + 60];\n\
          return 0;\n\
        }\n\
        struct big make(struct big in, struct two t, struct eight e, short s, _Bool b) {\n\
          struct big out = in;\n\
          if (in.a == 7 && e.x == 3 && e.y == -1 && s == -2 && b) out.b = t.p[t.n & 63];\n\
          return out;\n\
        }\n\
        int nothing(void) { return 3; }\n\
        static int unused(int x) { return x > 3; }\n\
        int main(void) { return parse(\"a\", 1, 0) + nothing(); }\n";
    let place = Place::new("entry", &[("e.c", text)]);
    for (words, code, last, objects) in [
        ("--entry parse --symbolic", 1, "complete: 27 paths, 1 error, 24 tests", "text[64] length[4] strict[1]"),
        (
            "--entry parse --symbolic --buffer-size 68",
            0,
            "complete: 27 paths, no errors, 27 tests",
            "text[68] length[4]",
        ),
        (
            "--entry make --symbolic",
            0,
            "complete: 6 paths, no errors, 6 tests",
            "in[32] *in.s[64] in.s[1] arg2[64] arg3[4] e[8]",
        ),
        (
            "-O2 --entry make --symbolic",
            0,
            "complete: 2 paths, no errors, 2 tests",
            "in[32] *in.s[64] in.s[1] arg2[64] arg3[4]",
        ),
        ("--entry nothing", 0, "complete: 1 path, no errors, 1 test", "exit 3"),
        ("--entry unused --symbolic", 0, "complete: 1 path, no errors, 1 test", "x[4]"),
        ("--entry main", 0, "complete: 1 path, no errors, 1 test", "exit 3"),
    ] {
        let _ = fs::remove_dir_all(place.0.join("run"));
        let (got, out, err) = place.strata(&format!("run --output run {words} e.c"));
        assert!(got == code && out.contains(last), "{words}: {got} {out} {err}");
        let (_, out, _) = place.strata("tests run");
        assert!(out.contains(objects), "{words}: {out}");
        let (code, out, err) = place.strata("replay run");
        if !err.contains("test programs run only in a sandbox") {
            assert!(code == 0 && !out.contains("diverged"), "{words}: {out} {err}");
        }
    }
}

/// Inputs are shown as what the source says they are.
#[test]
fn inputs_of_a_function_are_typed() {
    let text = "#include <assert.h>\n\
        #include <stdint.h>\n\
        struct point { int x; unsigned char c; };\n\
        int big(uint64_t n) { assert(n != UINT64_MAX); return 0; }\n\
        int sum(const int *values) { assert(!(values[0] == 7 && values[1] == -2)); return 0; }\n\
        int inside(const struct point *p) { assert(!(p->x == -3 && p->c == 200)); return 0; }\n\
        int text(const char *s) { assert(!(s[0] == 'h' && s[1] == 'i')); return 0; }\n";
    let place = Place::new("typed", &[("t.c", text)]);
    for (words, card) in [
        ("--entry big", "   input n = 18446744073709551615 (uint64_t)\n"),
        ("--entry sum", "   input values = {7, -2, then 14 times 0} (int[16])\n"),
        ("--entry inside --buffer-size 16", "   input p = {{x = -3, c = 200}, {x = 0, c = 0}} (struct point[2])\n"),
        ("--entry text", "   input s = \"hi\", then 62 times \"\\x00\"\n"),
    ] {
        let _ = fs::remove_dir_all(place.0.join("run"));
        let (code, out, err) = place.strata(&format!("run --output run --no-confirm --symbolic {words} t.c"));
        assert_eq!(code, 1, "{words}: {err}");
        assert!(out.contains(card), "{words}: {out}");
    }
}

/// Nothing is known of a function that the caller would have given.
#[test]
fn a_function_as_a_parameter_is_unknown() {
    let text = "typedef int (*step)(int);\nint apply(step f, int x) { return x > 3 ? f(x) : 0; }\n";
    let place = Place::new("callback", &[("t.c", text)]);
    let (code, out, err) = place.strata("run --output run --entry apply --symbolic t.c");
    assert_eq!(code, 0, "{out} {err}");
    assert!(out.starts_with("incomplete (external 1): 2 paths (1 left unfinished), no errors"), "{out}");
    assert!(
        err.contains(
            "undefined functions: apply.f (a path that reaches one ends there; --link FILE adds what has them)"
        ),
        "{err}"
    );
    assert!(
        err.contains("strata: 1 path left: ") && err.lines().last().is_some_and(|line| line.contains("apply.f")),
        "{err}"
    );
}

/// As with KLEE: what follows the program is the program's, whatever it looks like.
#[test]
fn arguments_belong_to_the_program() {
    let text = "#include <stdio.h>\nint main(int count, char **words) { for (int i = 1; i < count; i++) puts(words[i]); return count; }\n";
    let place = Place::new("arguments", &[("say.c", text)]);
    let (code, _, err) = place.strata("run --output run -DX=1 -I. -O1 --max-time=60 say.c --json -x --jobs 3 -- a");
    assert_eq!(code, 0, "{err}");
    let (_, out, _) = place.strata("tests run 1");
    assert!(out.contains("exit 7") && out.contains("--json\\n-x\\n--jobs\\n3\\n--\\na\\n"), "{out}");
}

#[test]
fn doctor_looks() {
    let place = Place::new("doctor", &[]);
    let (code, out, err) = place.strata("doctor");
    assert!(code <= 1 && err.is_empty() && out.contains("clang 16 to 22"), "{code} {out} {err}");
    assert_eq!(code == 1, out.lines().any(|line| line.starts_with("missing")), "{out}");
    let bare = place.command("doctor").env("PATH", "/nonexistent").output().expect("strata runs");
    let (code, out, _) = seen(bare);
    assert!(code == 1 && out.contains("missing  clang 16 to 22, compiles C") && out.contains("clang-22"), "{out}");
    // Another solver is no need.
    assert!(out.contains("later    z3, for --solver z3 and --check-with z3 alone"), "{out}");
    let (code, folder, err) = place.strata("doctor --include");
    assert_eq!(code, 0, "{err}");
    assert!(fs::exists(folder.trim_end().to_string() + "/klee/klee.h").is_ok_and(|there| there), "{folder}");
}

/// Bitcode that the user made, against the system's own headers: what is said is about the program.
#[test]
fn bitcode_of_the_users_own() {
    let text = "#include <assert.h>\n#include <klee/klee.h>\n#include <strata.h>\n#include <stdio.h>\nint main(void) {\n  int x = klee_int(\"x\");\n  \
        if (x == 1) klee_assert(x == 2);\n  if (x == 2) strata_assert(x == 1);\n  assert(x != 3);\n  puts(\"fine\");\n  return 0;\n}\n";
    let place = Place::new("own", &[("own.c", text)]);
    let (_, folder, _) = place.strata("doctor --include");
    place.tool("clang-22", &format!("-c -emit-llvm -g -O0 -Werror -I {} own.c", folder.trim_end()));
    let (code, out, err) = place.strata("run --output run own.bc");
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    for line in [7, 8, 9] {
        assert!(
            out.contains(&format!("   at own.c:{line}\n")) && out.contains(&format!("   in main (own.c:{line})\n")),
            "{out}"
        );
    }
    assert!(!out.contains("assert_fail"), "{out}");
    assert!(out.contains("\ncomplete: 4 paths, 3 errors, 4 tests"), "{out}");
    let (code, out, err) = place.strata("replay run");
    if !err.contains("test programs run only in a sandbox") {
        assert!(code == 0 && out.contains("4 tests: 4 as predicted"), "{out} {err}");
    }
}

/// The doctor runs a program in the sandbox: where that is refused, so is replay.
#[test]
fn doctor_tries_what_replay_does() {
    let place = Place::new("doctor-sandbox", &[]);
    let strata = env!("CARGO_BIN_EXE_strata");
    // Root needs no user namespaces, if it may mount.
    for (rights, code, word, reason) in
        [("", 0, "found", "a program ran"), ("setpriv --bounding-set=-all", 1, "missing", "this root may not make one")]
    {
        let script = format!("echo 0 > /proc/sys/user/max_user_namespaces && exec {rights} {strata} doctor");
        let inside = Command::new("unshare").args(["-U", "-r", "sh", "-c", &script]).current_dir(&*place.0).output();
        let (seen, out, err) = seen(inside.expect("unshare runs"));
        let row = out.lines().find(|line| line.contains("a sandbox, for native replay")).unwrap_or_default();
        assert!(seen == code && row.starts_with(word) && row.contains(reason), "{seen} {out} {err}");
    }
    let outside = place.strata("doctor").1;
    let row = outside.lines().find(|line| line.contains("a sandbox, for native replay")).unwrap_or_default();
    assert!(row.starts_with("found"), "{outside}");
}

/// What lies in the cache becomes part of every program: one that others can write to is not used, whatever lies in it.
#[test]
fn a_cache_of_somebody_else() {
    use std::os::unix::fs::{PermissionsExt, chown};
    let place = Place::new("foreign-cache", &[("good.c", GOOD)]);
    let user = fs::metadata("/proc/self").map(|data| std::os::unix::fs::MetadataExt::uid(&data)).expect("a process");
    let cache = place.0.join(format!("strata-cache-{user}"));
    let refused = |why: &str, words: &str| {
        // Without a home, the cache is in the folder for temporary files.
        let mut named = place.command(words);
        named.env("STRATA_CACHE", &cache);
        let mut fallen = place.command(words);
        fallen.env_remove("HOME").env_remove("XDG_CACHE_HOME").env_remove("STRATA_CACHE").env("TMPDIR", &*place.0);
        for mut command in [named, fallen] {
            let (code, out, err) = seen(command.output().expect("strata runs"));
            assert_eq!((code, out.as_str()), (2, ""), "{words}: {err}");
            assert!([why, "strata-cache-", "STRATA_CACHE"].iter().all(|part| err.contains(part)), "{words}: {err}");
        }
    };
    let all =
        |why: &str| ["run good.c", "cc good.c -o good", "doctor --include"].iter().for_each(|it| refused(why, it));
    fs::create_dir(&cache).expect("a folder");
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).expect("a mode");
    all("other users can write to it");
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o755)).expect("a mode");
    // Only root can give a folder away.
    if chown(&cache, Some(user + 4321), None).is_ok() {
        all("another user");
        let aside = place.0.join("aside");
        fs::rename(&cache, &aside).expect("a name");
        chown(&aside, Some(user), None).expect("ours");
        std::os::unix::fs::symlink(&aside, &cache).expect("a link");
        std::os::unix::fs::lchown(&cache, Some(user + 4321), None).expect("a link of theirs");
        all("another user");
    }
    assert!(!place.0.join("good").exists());
}
