//! C files to bitcode: what is found, what is kept, what is refused.

mod shared;
use shared::{Kit, file, folder};
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
    let start = Instant::now();
    Libc::ensure(&kit.tools, &kit.cache, &LibcOptions::default(), &mut |_| panic!("nothing to do")).unwrap();
    assert!(start.elapsed() < Duration::from_millis(20), "{:?}", start.elapsed());
}
