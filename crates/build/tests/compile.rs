//! C files to bitcode: what is found, what is kept, what is refused.

mod shared;
use shared::{Kit, file, folder};
use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};
use strata_build::{CompileOptions, Error, Libc, LibcOptions, Opt};

#[test]
fn headers_are_found_without_being_asked_for() {
    let kit = Kit::new();
    let folder = folder("headers");
    let source = file(
        &folder,
        "all.c",
        "#include <klee/klee.h>\n#include <klee.h>\n#include <strata.h>\n#include <assert.h>\n#include <stdio.h>\n\
         #include <stdatomic.h>\n#include <complex.h>\n#include <pthread.h>\n#include <sys/socket.h>\n#include <immintrin.h>\n\
         int main(void) { int x; strata_make_symbolic(&x, sizeof x, \"x\"); klee_assume(x > 3); assert(sizeof(long double) == 8); return x; }\n",
    );
    for opt in [Opt::O0, Opt::O1, Opt::O2, Opt::O3] {
        let bitcode = kit.compile(&source, &CompileOptions { opt, ..CompileOptions::default() }).unwrap();
        assert!(bitcode.bytes.starts_with(b"BC\xc0\xde"));
        assert_eq!(bitcode.warnings, "");
    }
}

#[test]
fn folders_macros_and_flags_reach_clang() {
    let kit = Kit::new();
    let folder = folder("flags");
    std::fs::create_dir(folder.join("inc")).unwrap();
    file(&folder.join("inc"), "own.h", "#define OWN 1\n");
    let text = "#include \"own.h\"\n#if OWN + A + B + C != 7\n#error no\n#endif\n";
    let source = file(&folder, "own.c", text);
    let options = CompileOptions {
        include: vec![folder.join("inc")],
        define: vec!["A".into(), "B=2".into()],
        flags: vec!["-DC=3".into()],
        ..CompileOptions::default()
    };
    kit.compile(&source, &options).unwrap();
    assert!(kit.compile(&source, &CompileOptions::default()).is_err());
}

#[test]
fn clangs_message_is_passed_on() {
    let kit = Kit::new();
    let source = file(&folder("broken"), "broken.c", "int main(void) { return nothing; }\n");
    let Err(Error::Compile { source: named, message }) = kit.compile(&source, &CompileOptions::default()) else {
        panic!()
    };
    assert_eq!(named, source);
    let expected = format!("{}:1:25: error: use of undeclared identifier 'nothing'", source.display());
    assert!(message.starts_with(&expected), "{message}");
}

#[test]
fn an_undeclared_function_is_a_warning() {
    let kit = Kit::new();
    let source = file(&folder("implicit"), "implicit.c", "int main(void) { return twice(2); }\n");
    let bitcode = kit.compile(&source, &CompileOptions::default()).unwrap();
    assert!(bitcode.warnings.contains("warning"), "{}", bitcode.warnings);
}

#[test]
fn libc_is_there_at_once_the_second_time() {
    let kit = Kit::new();
    let once = || {
        let start = Instant::now();
        Libc::ensure(&kit.tools, &kit.cache, &LibcOptions::default(), &mut |_| panic!("nothing to do")).unwrap();
        start.elapsed()
    };
    let least = (0..20).map(|_| once()).min().unwrap();
    assert!(least < Duration::from_millis(5), "{least:?}");
}

/// What whoever runs a program has to provide, and no more.
const OPEN: &[&str] = &[
    // Weak, and absent in a program without them: provided by the linker of a native program.
    "_DYNAMIC",
    "__fini_array_end",
    "__fini_array_start",
    "__init_array_end",
    "__init_array_start",
    // strata_hooks.h
    "__restore_rt",
    "__strata_clone",
    "__strata_get_tp",
    "__strata_may_defer",
    "__strata_may_defer_string",
    "__strata_print",
    "__strata_print_string",
    "__strata_set_tp",
    "__strata_syscall6",
    "calloc",
    "free",
    // What the intrinsics in C are made of.
    "klee_assume",
    "klee_get_value_i64",
    "klee_make_symbolic",
    "klee_report_error",
    "klee_silent_exit",
    // strata_hooks.h
    "longjmp",
    "malloc",
    "memalign",
    "realloc",
    "setjmp",
];

#[test]
fn libc_is_open_where_it_should_be() {
    let kit = Kit::new();
    let nm = kit.tools.ar().unwrap().to_str().unwrap().replace("llvm-ar", "llvm-nm");
    let names = |which: &str| -> BTreeSet<String> {
        let output = Command::new(&nm)
            .args([which, "--format=just-symbols", "--no-sort"])
            .arg(&kit.libc.archive)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().filter(|line| !line.is_empty() && !line.ends_with(':')).map(str::to_owned).collect()
    };
    let (wanted, had) = (names("--undefined-only"), names("--defined-only"));
    assert!(had.contains("printf") && had.contains("klee_range") && had.contains("__VERIFIER_nondet_int"));
    assert_eq!(wanted.difference(&had).collect::<Vec<_>>(), OPEN);
}
