//! Promises to optimisers, one after the other, on all pairs of four-bit operands.
//!
//! Each operation stands in a function that branches on its result, written as LLVM text. A harness in C says in wide arithmetic
//! which operands break the promise. With these, every path must end in the error; with all others, none may.

mod shared;

use shared::Temporary;
use std::process::{Command, Output};
use strata_record::{End, Record};

/// An operation as LLVM has it, and the condition under which its promise is broken. `ua`, `ub` are the operands without
/// sign, `sa`, `sb` with it.
const ROWS: &[(&str, &str)] = &[
    ("shl i4 %a, %b", "ub >= 4"),
    ("lshr i4 %a, %b", "ub >= 4"),
    ("ashr i4 %a, %b", "ub >= 4"),
    ("shl nuw i4 %a, %b", "ub >= 4 || ua << ub > 15"),
    ("shl nsw i4 %a, %b", "ub >= 4 || sa * (1 << ub) > 7 || sa * (1 << ub) < -8"),
    ("lshr exact i4 %a, %b", "ub >= 4 || (ua & ((1 << ub) - 1)) != 0"),
    ("ashr exact i4 %a, %b", "ub >= 4 || (ua & ((1 << ub) - 1)) != 0"),
    ("add nuw i4 %a, %b", "ua + ub > 15"),
    ("add nsw i4 %a, %b", "sa + sb > 7 || sa + sb < -8"),
    ("sub nuw i4 %a, %b", "ua < ub"),
    ("sub nsw i4 %a, %b", "sa - sb > 7 || sa - sb < -8"),
    ("mul nuw i4 %a, %b", "ua * ub > 15"),
    ("mul nsw i4 %a, %b", "sa * sb > 7 || sa * sb < -8"),
    ("udiv exact i4 %a, %b", "ub != 0 && ua % ub != 0"),
    ("sdiv exact i4 %a, %b", "sb != 0 && !(sa == -8 && sb == -1) && sa % sb != 0"),
    ("or disjoint i4 %a, %b", "(ua & ub) != 0"),
    ("zext nneg i4 %a to i8", "sa < 0"),
];

/// Decides by the bits of the result, so that each of them counts.
fn operation(row: usize, text: &str) -> String {
    let wide = if text.starts_with("zext") { "  %w = add i8 %r, 0\n" } else { "  %w = zext i4 %r to i8\n" };
    format!(
        "define void @operation_{row}(i8 %x, i8 %y) {{\nentry:\n  %a = trunc i8 %x to i4\n  %b = trunc i8 %y to i4\n  \
         %r = {text}\n{wide}  %c = icmp eq i8 %w, 5\n  br i1 %c, label %five, label %other\nfive:\n  \
         call void @see(i32 5)\n  ret void\nother:\n  ret void\n}}\n"
    )
}

fn harness() -> String {
    let mut declarations = String::new();
    let mut cases = String::new();
    for (row, (text, broken)) in ROWS.iter().enumerate() {
        let divides = text.contains("div");
        declarations += &format!("void operation_{row}(unsigned char, unsigned char);\n");
        let outside = if divides { "klee_assume(ub != 0 & !(sa == -8 & sb == -1)); " } else { "" };
        cases += &format!(
            "case {row}: {outside}if (!!({broken}) != BROKEN) klee_silent_exit(0); operation_{row}(x, y); break;\n"
        );
    }
    format!(
        "#include <klee/klee.h>\n#include <stdlib.h>\n{declarations}void see(int n) {{}}\nint main(void) {{\n  unsigned char x, y;\n  \
         klee_make_symbolic(&x, 1, \"x\");\n  klee_make_symbolic(&y, 1, \"y\");\n  klee_assume(x < 16);\n  klee_assume(y < 16);\n  \
         int ua = x, ub = y, sa = x > 7 ? x - 16 : x, sb = y > 7 ? y - 16 : y;\n  switch (ROW) {{\n{cases}  }}\n  \
         if (BROKEN) exit(7);\n  return 0;\n}}\n"
    )
}

fn strata(folder: &std::path::Path, row: usize, broken: u8, check: &str) -> (Output, serde_json::Value) {
    let output = folder.join(format!("row-{row}-{broken}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
    command.current_dir(folder).args(["run", "--check", check, "--no-confirm", "--output"]).arg(&output);
    command.args([format!("-DROW={row}"), format!("-DBROKEN={broken}")]);
    command.args(["--link", "operations.ll", "harness.c"]);
    let done = command.output().expect("strata runs");
    let stats = std::fs::read_to_string(output.join("stats.json")).expect("stats.json");
    (done, serde_json::from_str(&stats).expect("JSON"))
}

#[test]
fn a_broken_promise_is_an_error_where_it_decides_and_a_kept_one_is_none() {
    let folder = Temporary::new("poison-promises");
    let operations: String = ROWS.iter().enumerate().map(|(row, (text, _))| operation(row, text)).collect();
    std::fs::write(folder.join("operations.ll"), format!("declare void @see(i32)\n{operations}")).expect("LLVM text");
    std::fs::write(folder.join("harness.c"), harness()).expect("a harness");
    for (row, (text, _)) in ROWS.iter().enumerate() {
        let (done, stats) = strata(&folder, row, 0, "poison,overflow");
        let shown = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{text}: promises that are kept\n{shown}");
        assert_eq!(stats["complete"], true, "{text}\n{shown}");
        let (done, stats) = strata(&folder, row, 1, "poison,overflow");
        let shown = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{text}: promises that are broken\n{shown}");
        assert_eq!(stats["complete"], true, "{text}\n{shown}");
        let kinds: Vec<&str> =
            stats["errors"].as_array().expect("errors").iter().filter_map(|e| e["kind"].as_str()).collect();
        assert!(
            kinds.iter().all(|kind| ["overshift", "overflow", "poison"].contains(kind)),
            "{text}: {kinds:?}\n{shown}"
        );
        let record = Record::open(&folder.join(format!("row-{row}-1"))).expect("a run");
        let tests = record.tests().expect("tests");
        let ends = tests.iter().map(|test| test.expect("a whole test").expectation.expect("a prediction").end);
        let unnoticed = ends.filter(|end| *end == End::Exit { status: 7 }).count();
        assert_eq!(unnoticed, 0, "{text}: a broken promise was not noticed");
    }
}

/// What a program does with `%p`, a shift by 40 of 32 bits, and whether that is an error.
const USES: &[(&str, bool)] = &[
    ("%c = icmp eq i32 %p, 5\n br i1 %c, label %one, label %two", true),
    ("switch i32 %p, label %two [ i32 5, label %one ]", true),
    ("%d = udiv i32 7, %p\n br label %two", true),
    ("%g = getelementptr i32, ptr %m, i32 %p\n store i32 1, ptr %g\n br label %two", true),
    ("call void @exit(i32 %p)\n br label %two", true),
    ("store i32 %p, ptr %m\n %n = call i64 @write(i32 1, ptr %m, i64 4)\n br label %two", true),
    ("%n = call i32 @putchar(i32 %p)\n br label %two", true),
    ("%s = select i1 %never, i32 %p, i32 3\n %c = icmp eq i32 %s, 5\n br i1 %c, label %one, label %two", false),
    ("%s = and i32 %p, 0\n %c = icmp eq i32 %s, 5\n br i1 %c, label %one, label %two", false),
    ("%s = freeze i32 %p\n %c = icmp eq i32 %s, 5\n br i1 %c, label %one, label %two", false),
    ("%s = mul i32 %p, 3\n %t = add i32 %s, %p\n br label %two", false),
    ("store i32 %p, ptr %m\n store i32 9, ptr %m\n %n = call i64 @write(i32 1, ptr %m, i64 4)\n br label %two", false),
    ("store i32 %p, ptr %m\n %n = call i64 @write(i32 1, ptr %m, i64 0)\n br label %two", false),
    (
        "%s = call i32 @llvm.fshl.i32(i32 1, i32 1, i32 %q)\n %c = icmp eq i32 %s, 5\n br i1 %c, label %one, label %two",
        false,
    ),
];

#[test]
fn poison_is_an_error_where_it_is_used_and_nowhere_else() {
    let folder = Temporary::new("poison-uses");
    for (row, (text, wrong)) in USES.iter().enumerate() {
        let module = format!(
            "declare void @exit(i32)\ndeclare i64 @write(i32, ptr, i64)\ndeclare i32 @putchar(i32)\n\
             declare ptr @malloc(i64)\ndeclare void @klee_make_symbolic(ptr, i64, ptr)\ndeclare i32 @llvm.fshl.i32(i32, i32, i32)\n\
             @name = constant [2 x i8] c\"q\\00\"\n\
             define i32 @main() {{\n %m = call ptr @malloc(i64 64)\n %x = call ptr @malloc(i64 4)\n \
             call void @klee_make_symbolic(ptr %x, i64 4, ptr @name)\n %in = load i32, ptr %x\n \
             %no = icmp ult i32 %in, 1\n %k = icmp ult i32 %in, 4\n br i1 %k, label %body, label %two\nbody:\n \
             %q = add i32 %in, 40\n %never = icmp ult i32 %q, 32\n %p = shl i32 1, %q\n {}\none:\n ret i32 1\ntwo:\n ret i32 0\n}}\n",
            text
        );
        let file = folder.join(format!("use-{row}.ll"));
        std::fs::write(&file, module).expect("LLVM text");
        let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
        let done =
            command.current_dir(&*folder).args(["run", "--no-confirm"]).arg(&file).output().expect("strata runs");
        let shown = [&done.stdout, &done.stderr].map(|text| String::from_utf8_lossy(text)).concat();
        assert_eq!(done.status.code(), Some(i32::from(*wrong)), "{text}\n{shown}");
        assert_eq!(shown.contains("overshift"), *wrong, "{text}\n{shown}");
    }
}
