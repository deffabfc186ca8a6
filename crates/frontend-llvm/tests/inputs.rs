//! Inputs: bad ones, archives, several modules, debug information, the branch trace.

mod common;

use common::{PLAIN, c, check, compile, function, instructions, load_entered, load_with, module};
use std::io::Write;
use std::process::{Command, Stdio};
use strata_frontend_llvm::{Entry, Error, Input, Kind, Passes, native_form};
use strata_ir::{Instruction, Linkage};

fn fails(name: &str, bytes: impl Into<Vec<u8>>) -> Error {
    load_with(vec![module(name, bytes)], Passes::Promote, &["main"]).expect_err("must be refused")
}

#[test]
fn bad_inputs_are_named() {
    let good = compile("int main(void) { return 3; }", &PLAIN);
    assert!(matches!(fails("cut.bc", &good[..good.len() / 2]), Error::Broken { file, .. } if file == "cut.bc"));
    assert!(matches!(fails("cut.bc", &good[..2]), Error::NotLlvm { .. }));
    assert!(matches!(fails("empty", Vec::new()), Error::NotLlvm { looks_like, .. } if looks_like == "an empty file"));
    assert!(
        matches!(fails("a.out", *b"\x7fELF\x02\x01"), Error::NotLlvm { looks_like, .. } if looks_like == "an ELF file")
    );
    let Error::Syntax { message, .. } = fails("bad.ll", "define i32 @main() {\n ret i33 0\n}") else {
        panic!("no syntax error")
    };
    assert!(message.contains("bad.ll:2:"), "{message}");
    let twice = load_with(vec![module("a.bc", good.clone()), module("b.bc", good)], Passes::None, &["main"]);
    let Err(Error::Link { file, message }) = twice else { panic!("linked twice") };
    assert!(file == "b.bc" && message.contains("main"), "{file} {message}");
    assert!(matches!(
        fails("arm.ll", "target datalayout = \"E-p:32:32\"\ntarget triple = \"armeb\""),
        Error::Target { .. }
    ));
    let main = "define i32 @main() {\n ret i32 0\n}\n";
    let layout = "target datalayout = \"e-m:e-i8:8:32-i64:64-i128:128-n32:64-S128\"\n";
    for (triple, fits) in [
        ("aarch64-unknown-linux-gnu", false),
        ("riscv64-unknown-linux-gnu", false),
        ("x86_64-apple-macosx10.15.0", false),
        ("x86_64-pc-windows-msvc", false),
        ("x86_64-unknown-linux-gnu", true),
        ("x86_64-pc-linux-musl", true),
        ("x86_64-unknown-none-elf", true),
        ("x86_64", true),
    ] {
        for layout in ["", layout] {
            let text = format!("{layout}target triple = \"{triple}\"\n{main}");
            let loaded = load_with(vec![module("a.ll", text)], Passes::Promote, &["main"]);
            let refused = matches!(&loaded, Err(Error::Target { triple: named, .. }) if named == triple);
            assert!(if fits { loaded.is_ok() } else { refused }, "{triple} {layout}");
        }
    }
    assert_eq!(load_with(Vec::new(), Passes::None, &[]).expect_err("nothing"), Error::Nothing);
    let broken = "define i32 @main() {\nentry: br label %b\nb: %x = add i32 %y, 1\n br label %c\nc: %y = add i32 1, 1\n ret i32 %x }";
    assert!(matches!(fails("dominance.ll", broken), Error::Syntax { .. } | Error::Invalid { .. }));
}

/// An archive of named members.
fn archive(members: &[(&str, &str)], flags: &str) -> Vec<u8> {
    let folder = std::env::temp_dir().join(format!(
        "strata-archive-{}-{}",
        std::process::id(),
        members.len() * 10 + flags.len()
    ));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let mut command = Command::new("llvm-ar-22");
    command.arg(flags).arg("t.a").current_dir(&folder);
    for (name, code) in members {
        std::fs::write(folder.join(name), compile(code, &PLAIN)).expect("a member");
        command.arg(name);
    }
    assert!(command.status().expect("llvm-ar-22 runs").success());
    let bytes = std::fs::read(folder.join("t.a")).expect("an archive");
    std::fs::remove_dir_all(folder).expect("the folder goes");
    bytes
}

#[test]
fn archives_give_what_is_wanted() {
    let main =
        "int a(int); int main(void) { return a(1); } extern int hook_me(void); int h(void) { return hook_me(); }";
    let members = [
        ("a_member_with_a_long_name.o", "int b(int); int a(int x) { if (x) return b(x); return 0; }"),
        ("b.o", "int b(int x) { return x; }"),
        ("c.o", "int c(int x) { return x; }"),
        ("h.o", "int hook_me(void) { return 1; }"),
    ];
    for flags in ["rcs", "rcS"] {
        let library =
            Input { name: "lib.a".into(), bytes: archive(&members, flags), kind: Kind::Archive, library: true };
        let inputs = vec![library, module("main.bc", compile(main, &PLAIN))];
        let loaded = load_with(inputs, Passes::Promote, &["main", "h"]).expect("links");
        check(&loaded.program);
        let mut names: Vec<&str> = loaded.program.functions.iter().map(|f| f.name.as_str()).collect();
        names.sort();
        assert_eq!(names, ["a", "b", "h", "hook_me", "main"], "{flags}");
        assert!(function(&loaded.program, "hook_me").blocks.is_empty());
        assert_eq!(function(&loaded.program, "a").linkage, Linkage::Library);
        assert_eq!(function(&loaded.program, "main").linkage, Linkage::Own);
        // A library's branches are not traced.
        let a = instructions(function(&loaded.program, "a"));
        assert!(a.iter().any(|i| matches!(i, Instruction::Branch { site: 0, .. })));
    }
}

#[test]
fn bad_archives_are_named() {
    let refused = |bytes: Vec<u8>| {
        let input = Input { name: "x.a".into(), bytes, kind: Kind::Archive, library: false };
        let main = module("m.bc", compile("int main(void) { return 0; }", &PLAIN));
        let error = load_with(vec![main, input], Passes::None, &["main"]).expect_err("refused");
        assert!(matches!(&error, Error::Archive { file, .. } if file == "x.a"), "{error}");
        error.to_string()
    };
    assert!(refused(b"!<thin>\n".to_vec()).contains("thin"));
    assert!(refused(b"hello".to_vec()).contains("not an archive"));
    let good = archive(&[("a.o", "int a;")], "rcs");
    assert!(refused(good[..good.len() - 40].to_vec()).contains("cut off"));
    let mut object = b"!<arch>\n".to_vec();
    object.extend(format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "x.o/", 0, 0, 0, 644, 4).bytes());
    object.extend(b"\x7fELF");
    assert!(refused(object).contains("none of its members is bitcode"));
}

#[test]
fn places_names_and_variables() {
    let code = "static inline __attribute__((always_inline)) int inner(int q) {\n  return 10 / q;\n}\nint main(int count, char **words) {\n  int list[4];\n  list[count] = 1;\n  return inner(count);\n}\n";
    for flags in [&PLAIN[..], &["-O1"]] {
        let loaded = c(code, flags);
        let program = &loaded.program;
        let main = function(program, "main");
        assert_eq!(program.places[main.place.index()].line, 4);
        let (at, _) = (0..main.blocks.len())
            .flat_map(|b| main.blocks[b].instructions.iter().zip(&main.blocks[b].places))
            .find_map(|(i, p)| matches!(i, Instruction::Binary { op: strata_ir::BinaryOp::SDiv, .. }).then_some((p, i)))
            .expect("a division");
        let place = program.places[at.index()];
        assert_eq!((place.line, program.places[place.inlined_at as usize].line), (2, 7), "{flags:?}");
        assert!(program.files[place.file as usize].ends_with("/t.c"));
    }
    let loaded = c(code, &PLAIN);
    let main = function(&loaded.program, "main");
    let names: Vec<&str> = main.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["count", "words"]);
    assert!(instructions(main).iter().any(|i| matches!(i, Instruction::Allocate { name, .. } if name == "list")));
}

/// Runs bitcode natively with a tracer that prints; the text of its trace.
fn trace_of(bitcode: &[u8], arguments: &[&str]) -> String {
    let folder = std::env::temp_dir().join(format!("strata-trace-{}-{}", std::process::id(), bitcode.len()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let tracer = "#include <stdio.h>\nvoid __strata_trace(int site, int side) { printf(\"%d:%d \", site, side); }\n\
        void *__strata_local(void *own, long size, long alignment) { return own; }\n";
    std::fs::write(folder.join("p.bc"), native_form(bitcode).expect("traced")).expect("written");
    let mut clang = Command::new("clang-22")
        .args(["-w", "-x", "c", "-", "-x", "ir", "p.bc", "-o", "p"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .spawn()
        .expect("clang-22 runs");
    clang.stdin.take().expect("a pipe").write_all(tracer.as_bytes()).expect("the tracer is read");
    assert!(clang.wait().expect("clang ends").success());
    let done = Command::new(folder.join("p")).args(arguments).output().expect("the program runs");
    std::fs::remove_dir_all(folder).expect("the folder goes");
    String::from_utf8(done.stdout).expect("text")
}

#[test]
fn the_trace_has_the_sites_of_the_program() {
    let code = "int g(int x) { switch (x) { case 5: return 1; case 7: return 2; case 2: return 3; } return 0; }\nint main(int n, char **v) { if (n > 2) return g(7); if (n > 1) return g(2); return g(9); }";
    let loaded = c(code, &PLAIN);
    let sites = |name: &str| -> Vec<u32> {
        let all = instructions(function(&loaded.program, name));
        all.iter()
            .filter_map(|i| match i {
                Instruction::Branch { site, .. } | Instruction::Switch { site, .. } => Some(*site),
                _ => None,
            })
            .collect()
    };
    assert_eq!((sites("g"), sites("main")), (vec![1], vec![2, 3]));
    assert_eq!(trace_of(&loaded.bitcode, &["a", "b"]), "2:1 1:2 ");
    assert_eq!(trace_of(&loaded.bitcode, &["a"]), "2:0 3:1 1:3 ");
    assert_eq!(trace_of(&loaded.bitcode, &[]), "2:0 3:0 1:0 ");
}

#[test]
fn the_only_body_of_an_inline_function_is_kept() {
    let code = "inline int g(int x) { if (x > 1) return 1; return 2; }\nint main(int n, char **v) { return g(n); }";
    let loaded = c(code, &["-O1", "-Xclang", "-disable-llvm-passes"]);
    assert!(!function(&loaded.program, "g").blocks.is_empty());
    assert_eq!(trace_of(&loaded.bitcode, &["a"]), "1:1 ", "natively too");
}

#[test]
fn debug_information_that_is_not_understood_is_dropped_and_said() {
    let code = |version: u32, of: &str| {
        format!(
            "define i32 @main() !dbg !3 {{ ret i32 0 }}\n!llvm.dbg.cu = !{{!1}}\n!llvm.module.flags = !{{!0}}\n!0 = !{{i32 2, !\"Debug Info Version\", i32 {version}}}\n!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)\n!2 = !DIFile(filename: \"a.c\", directory: \"/\")\n!3 = distinct !DISubprogram(name: \"main\", file: !2, line: 3, unit: {of}, spFlags: DISPFlagDefinition)\n"
        )
    };
    let load = |text: String| load_with(vec![module("d.ll", text)], Passes::Promote, &["main"]).expect("loads");
    let line = |loaded: &strata_frontend_llvm::Loaded| {
        loaded.program.places[function(&loaded.program, "main").place.index()].line
    };
    let (good, old, wrong) = (load(code(3, "!1")), load(code(1, "!1")), load(code(3, "!2")));
    assert_eq!((line(&good), good.notes.len()), (3, 0));
    assert_eq!((line(&old), old.notes.len()), (0, 1), "{:?}", old.notes);
    assert_eq!((line(&wrong), wrong.notes.len()), (0, 1), "{:?}", wrong.notes);
}

/// A main is made for a function: its arguments are named as in the source, the program's own main gives its name away.
#[test]
fn a_function_is_entered() {
    let entry = |function: &str, symbolic| Entry { function: function.into(), symbolic, buffer: 16 };
    let code = "__attribute__((noinline, used)) static int f(char *text, _Bool flag) { return flag ? text[0] : 0; }\nint g(void) { return 1; }\n\
                int main(void) { return f(\"\", 0) + g(); }";
    for flags in [&PLAIN[..], &["-O1"]] {
        let bytes = compile(code, flags);
        let loaded = load_entered(vec![module("t.bc", bytes.clone())], entry("f", true)).expect("it loads");
        check(&loaded.program);
        let main = function(&loaded.program, "main");
        assert_eq!(main.linkage, Linkage::Library);
        let names: Vec<&[u8]> = [&b"text\0"[..], b"flag\0"].into();
        let has = |name: &&[u8]| loaded.bitcode.windows(name.len() - 1).any(|part| part == &name[..name.len() - 1]);
        assert!(names.iter().all(has), "{flags:?}");
        let called = |name: &str| {
            let at = loaded.program.functions.iter().position(|f| f.name == name);
            let calls =
                |i: &&Instruction| matches!(i, Instruction::Call { function, .. } if Some(function.index()) == at);
            instructions(main).into_iter().filter(|i| calls(i)).count()
        };
        assert_eq!((called("malloc"), called("klee_make_symbolic"), called("f")), (1, 2, 1), "{flags:?}");
        let loaded = load_entered(vec![module("t.bc", bytes.clone())], entry("main", true)).expect("it loads");
        assert!(loaded.program.functions.iter().any(|f| f.name == "__user_main"), "{flags:?}");
        let refused =
            load_entered(vec![module("t.bc", bytes.clone())], entry("f", false)).expect_err("it has arguments");
        assert!(refused.to_string().contains("takes 2 arguments"), "{refused}");
        let refused = load_entered(vec![module("t.bc", bytes)], entry("h", true)).expect_err("there is none");
        assert!(matches!(&refused, Error::Entry { function, .. } if function == "h"), "{refused}");
    }
}

/// An entry that only an archive defines is taken from there.
#[test]
fn an_entry_in_an_archive() {
    let bytes = archive(&[("f.bc", "int f(int x) { return x; }"), ("g.bc", "int g(void) { return 2; }")], "rcs");
    let input = Input { name: "t.a".into(), bytes, kind: Kind::Archive, library: false };
    let entry = Entry { function: "f".into(), symbolic: true, buffer: 16 };
    let loaded = load_entered(vec![module("m.bc", compile("int main(void) { return 0; }", &PLAIN)), input], entry);
    let program = loaded.expect("it loads").program;
    assert!(program.functions.iter().any(|f| f.name == "f") && program.functions.iter().all(|f| f.name != "g"));
}
