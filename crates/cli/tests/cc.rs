//! `strata cc` and `strata link` in the place of cc and ld: archives, `ld -r`, trials of configure, dependencies, and what becomes of a program's bitcode.

mod shared;

use shared::Temporary;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A fresh folder with files in it, and `strata` in its search path.
struct Place(Temporary);

const MAIN: &str = "#include <stdio.h>\nint twice(int);\nint main(int count, char **words) {\n\
    if (count > 1 && words[1][0] == 'x') return 3;\n  printf(\"%d\\n\", twice(count));\n  return 0;\n}\n";
const TWICE: &str = "int twice(int x) { return 2 * x; }\n";
const OTHER: &str = "int other(void) { return 7; }\n";

impl Place {
    fn new(name: &str, files: &[(&str, &str)]) -> Place {
        let folder = Temporary::new(&format!("cc-{name}"));
        for (file, text) in files {
            fs::write(folder.join(file), text).expect("a file");
        }
        symlink(env!("CARGO_BIN_EXE_strata"), folder.join("strata")).expect("a link");
        Place(folder)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    fn command(&self, tool: &str, words: &str) -> Command {
        let mut path = self.0.as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(tool);
        command.args(words.split_whitespace()).current_dir(&*self.0).env("PATH", path).stdin(Stdio::null());
        command.env("STRATA_CC_LOG", self.path("log"));
        command
    }

    /// Exit status, standard output and error.
    fn sees(&self, tool: &str, words: &str) -> (i32, String, String) {
        seen(&self.command(tool, words).output().expect("the tool runs"))
    }

    /// Must succeed; standard output.
    fn does(&self, tool: &str, words: &str) -> String {
        let (code, out, err) = self.sees(tool, words);
        assert_eq!(code, 0, "{tool} {words}: {out}{err}");
        out
    }

    fn cc(&self, words: &str) -> String {
        self.does("strata", &format!("cc {words}"))
    }

    /// Must end with this status and say all of these words.
    fn fails(&self, words: &str, status: i32, parts: &[&str]) {
        let (code, _, err) = self.sees("strata", words);
        assert_eq!(code, status, "strata {words}: {err}");
        assert!(parts.iter().all(|part| err.contains(part)), "strata {words}: {err}");
        assert!(!err.contains("panicked"), "{err}");
    }

    fn program(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// The names that the bitcode beside a program defines.
    fn defined(&self, program: &str) -> Vec<String> {
        let listed = self.does("llvm-nm-22", &format!("--defined-only --format=just-symbols {program}.bc"));
        listed.lines().map(str::to_owned).collect()
    }
}

fn seen(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

const SOURCES: &[(&str, &str)] = &[("main.c", MAIN), ("twice.c", TWICE), ("other.c", OTHER)];

#[test]
fn a_project_of_make_with_an_archive() {
    let makefile = "CC = strata cc\nCFLAGS = -O2 -Wall -MD\ntool: main.o libtwo.a\n\t$(CC) -o $@ main.o -L. -ltwo -lm -lpthread\n\
        libtwo.a: twice.o other.o\n\tar cr $@ $^\n\tranlib $@\n-include main.d\n";
    let place = Place::new("make", &[SOURCES, &[("Makefile", makefile)]].concat());
    place.does("make", "");
    assert_eq!(place.does(&place.program("tool"), ""), "2\n");
    assert_eq!(place.defined("tool"), ["main", "twice"], "only the member that is needed");
    let dependencies = fs::read_to_string(place.path("main.d")).unwrap();
    assert!(dependencies.starts_with("main.o:") && dependencies.contains("include/stdio.h"), "{dependencies}");
    let shown = place.does("strata", "run ./tool x");
    assert!(shown.contains("complete: 1 path"), "{shown}");
    assert!(place.does("strata", "cc --doctor").contains("nothing to report"));
}

#[test]
fn objects_of_objects() {
    let place = Place::new("merge", SOURCES);
    place.cc("-c -O1 main.c twice.c other.c");
    place.does("ld", "-r -o by_ld.o main.o twice.o");
    place.does("strata", "link -r -o by_link.o main.o twice.o");
    place.cc("-r -nostdlib -o by_cc.o main.o twice.o");
    for object in ["by_ld.o", "by_link.o", "by_cc.o"] {
        place.cc(&format!("{object} -o tool"));
        assert_eq!(place.does(&place.program("tool"), ""), "2\n", "{object}");
        assert_eq!(place.defined("tool"), ["main", "twice"], "{object}");
        assert!(place.does("strata", &format!("run {object}")).contains("complete"));
    }
    place.does("strata", "link -o linked main.o twice.o -s --gc-sections");
    assert_eq!(place.does(&place.program("linked"), "a b"), "6\n");
    assert_eq!(place.defined("linked"), ["main", "twice"]);
}

/// A library of a build, explored by a harness of its own.
#[test]
fn an_archive_of_objects() {
    let harness = "#include <klee/klee.h>\n#include <assert.h>\nint twice(int);\n\
        int main(void) { int x = klee_range(0, 100, \"x\"); assert(twice(x) != 84); return 0; }\n";
    let place = Place::new("archive", &[("main.c", harness), ("twice.c", TWICE), ("other.c", OTHER)]);
    place.cc("-O2 -c twice.c other.c");
    place.does("ar", "cr libtwo.a twice.o other.o");
    let (code, out, err) = place.sees("strata", "run --link libtwo.a main.c");
    assert!(code == 1 && out.contains("x = 42") && out.contains("twice(x) != 84"), "{out}{err}");
    place.does("gcc", "-c other.c");
    place.does("ar", "cr libnone.a other.o");
    place.fails("run --link libnone.a main.c", 2, &["machine code without bitcode"]);
}

/// A function that the machine code does without, and the bitcode does not.
#[test]
fn members_for_the_bitcode_alone() {
    let source = "int twice(int);\nint other(void);\nstatic int no(void) { return 0; }\n\
        int main(void) { if (no()) return twice(1); return no() ? nowhere() : 0; }\n";
    let twice = "int other(void);\nint twice(int x) { return 2 * x + other(); }\n";
    let place = Place::new("members", &[("main.c", source), ("twice.c", twice), ("other.c", OTHER)]);
    place.cc("-O2 -c main.c twice.c other.c");
    place.does("ar", "cr libtwo.a twice.o other.o");
    place.cc("-O2 main.o libtwo.a -o tool");
    place.does(&place.program("tool"), "");
    let native = place.does("llvm-nm-22", "--defined-only --format=just-symbols tool");
    assert!(!native.lines().any(|name| name == "twice"), "the program is as the build asked for it");
    assert_eq!(place.defined("tool"), ["main", "no", "other", "twice"]);
    let shown = place.sees("strata", "run ./tool");
    assert!(shown.1.contains("complete") && shown.2.contains("undefined functions: nowhere ("), "{shown:?}");
    let mut command = place.command("strata", "cc -O2 main.c libtwo.a -o small");
    assert!(command.env("STRATA_CC_OPTIMISED", "1").status().unwrap().success());
    assert_eq!(place.defined("small"), ["main"], "as the passes leave it");
}

/// As configure asks: programs that must run, programs that must not link, programs on standard input.
#[test]
fn trials_of_configure() {
    let runs = "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include <setjmp.h>\n#include <unistd.h>\n\
        static int order(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n\
        static jmp_buf place;\nint main(int count, char **words) {\n  int x[] = {3, 1, 2}, option;\n\
        while ((option = getopt(count, words, \"ab:\")) != -1) if (option == 'b' && strcmp(optarg, \"7\")) return 1;\n\
        qsort(x, 3, sizeof *x, order);\n  if (x[0] != 1 || x[2] != 3) return 2;\n\
        char *p = calloc(1000, 100);\n  for (int i = 0; i < 100000; i++) if (p[i]) return 3;\n  p = realloc(p, 3000000);\n  memset(p, 1, 3000000);\n  free(p);\n\
        for (size_t i = 0; i < 20000; i++) { char *q = malloc(i); memset(q, 1, i); if (i % 2) free(q); }\n\
        void *aligned;\n  if (posix_memalign(&aligned, 4096, 100) || (unsigned long)aligned % 4096) return 4;\n  free(aligned);\n\
        if (!setjmp(place)) longjmp(place, 1);\n\
        FILE *f = fopen(\"conftest.out\", \"w\");\n  fprintf(f, \"%s %.2f\\n\", \"text\", 1.25);\n  if (fclose(f)) return 5;\n\
        f = popen(\"cat conftest.out\", \"r\");\n  char line[50];\n  if (!fgets(line, 50, f) || strcmp(line, \"text 1.25\\n\") || pclose(f)) return 6;\n\
        return system(\"exit 3\") >> 8 == 3 ? 0 : 7;\n}\n";
    let place = Place::new(
        "trial",
        &[("conftest.c", runs), ("absent.c", "int nowhere(void); int main(void) { return nowhere(); }\n")],
    );
    place.cc("-o conftest -g -O2 conftest.c -ldl -lm -lrt");
    place.does(&place.program("conftest"), "-a -b 7");
    assert!(!place.path("conftest.bc").exists(), "configure does not know it and would leave it behind");
    place.fails("cc -o absent absent.c", 1, &["undefined symbol: nowhere"]);
    place.fails("cc -o conftest conftest.c -lselinux", 1, &["selinux"]);
    place.fails("cc -c -fno-such-flag absent.c", 1, &["unknown argument"]);
    place.fails("cc -c conftest.c absent.c -o both.o", 2, &["multiple output files"]);
    let text =
        seen(&place.command("sh", "").args(["-c", "echo 'X(ABC)' | strata cc -E -DX=#x -x c -"]).output().unwrap());
    assert!(text.0 == 0 && text.1.contains("ABC"), "{text:?}");
    assert_eq!(place.cc("-dumpmachine"), "x86_64-unknown-linux-musl\n");
    assert!(place.cc("--version").contains("clang version"));
    assert!(place.cc("-Wl,--version").contains("LLD"));
    place.cc("-o quick absent.c -Dnowhere=main");
    assert!(!place.path("log/cc.log").exists() || !place.cc("--doctor").contains("conftest"));
}

#[test]
fn old_c_and_words_in_files() {
    let old = "main() { foo(1); return bar(\"x\"); }\nfoo(x) { return x; }\nint bar(int n) { return 0; }\n";
    let place = Place::new("old", &[("old.c", old), ("words", "-O1 'old.c'\n-o \"a program\" -Wl,-z,now")]);
    place.cc("-std=gnu89 @words");
    place.does(&place.program("a program"), "");
    assert!(place.path("a program.bc").exists());
}

/// What has no bitcode is native code all the same, and is said when asked.
#[test]
fn the_doctor_tells() {
    let files = [
        ("main.c", MAIN),
        ("twice.s", "\t.globl twice\ntwice:\tleal (%rdi,%rdi), %eax\n\tret\n"),
        ("other.c", OTHER),
        ("odd.c", "int odd(int x) { __asm__(\"\" : \"+r\"(x)); return x; }\n"),
    ];
    let place = Place::new("doctor", &files);
    place.does("gcc", "-c other.c");
    place.does("ar", "cr libother.a other.o");
    let asked = "cc -fsanitize=address -O2 main.c twice.s odd.c -o tool -Wl,--whole-archive libother.a";
    let (code, _, said) = place.sees("strata", asked);
    assert!(code == 0 && said.contains("-fsanitize=address is left out") && said.contains("--check leak"), "{said}");
    place.fails("run --cflag -fsanitize=undefined,address odd.c", 2, &["-fsanitize=address: leave it out"]);
    assert_eq!(place.does(&place.program("tool"), ""), "2\n");
    place.fails("cc -shared odd.c -o libodd.so", 2, &["libodd.so", "--disable-shared"]);
    place.fails("cc -m32 -c odd.c", 2, &["64-bit"]);
    let told = place.cc("--doctor");
    for part in [
        "twice.s is assembler",
        "libother.a(other.o) has no bitcode",
        "-fsanitize=address was left out",
        "libodd.so is a shared library",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let shown = place.sees("strata", "run ./tool");
    assert!(shown.2.contains("undefined functions: twice"), "{shown:?}");
}

#[test]
fn bitcode_that_belongs_to_another_program() {
    let place = Place::new("stale", SOURCES);
    place.cc("main.c twice.c -o tool");
    place.cc("-O2 main.c twice.c other.c -o second");
    fs::copy(place.path("second.bc"), place.path("tool.bc")).unwrap();
    place.fails("run ./tool", 2, &["tool.bc is not the bitcode of", "build the program again"]);
    // Without a file beside it, a program is explored by what it carries; stripped and moved, by what it remembers.
    fs::remove_file(place.path("tool.bc")).unwrap();
    assert!(place.does("strata", "run ./tool").contains("complete"));
    fs::create_dir(place.path("bin")).unwrap();
    place.does("strip", "-o bin/moved --strip-all -R .strata second");
    assert!(place.does("strata", "run bin/moved").contains("complete"));
    fs::remove_file(place.path("second.bc")).unwrap();
    place.fails("run bin/moved", 2, &["second.bc is gone"]);
}

#[test]
fn machine_code_alone() {
    let place = Place::new("elf", SOURCES);
    place.does("gcc", "-o tool main.c twice.c");
    place.does("gcc", "-c other.c");
    place.fails("run ./tool", 2, &["machine code without bitcode", "CC='strata cc'"]);
    place.fails("run other.o", 2, &["machine code without bitcode"]);
    fs::write(place.path("cut"), &fs::read(place.path("tool")).unwrap()[..100]).unwrap();
    place.fails("run ./cut", 2, &["machine code without bitcode"]);
}

#[test]
fn a_project_of_cmake() {
    let lists = "cmake_minimum_required(VERSION 3.9)\nproject(two C)\nadd_library(two twice.c other.c)\nadd_executable(tool main.c)\n\
        target_link_libraries(tool two m)\n";
    let place = Place::new("cmake", &[SOURCES, &[("CMakeLists.txt", lists)]].concat());
    if place.command("cmake", "--version").output().is_err() {
        eprintln!("cmake is not installed: its project is not built");
        return;
    }
    symlink(env!("CARGO_BIN_EXE_strata"), place.path("strata-cc")).unwrap();
    place.does("cmake", &format!("-S . -B build -DCMAKE_C_COMPILER={}", place.program("strata-cc")));
    place.does("make", "-C build");
    assert_eq!(place.does(&place.program("build/tool"), ""), "2\n");
    assert_eq!(place.defined("build/tool"), ["main", "twice"]);
}

/// Neither a cache that cannot be written nor sources that are none leave the user without a word.
#[test]
fn no_libc() {
    let place = Place::new("libc", SOURCES);
    fs::write(place.path("file"), "").unwrap();
    let cc = |name: &str, value: PathBuf, cache: PathBuf| {
        let mut command = place.command("strata", "cc -c main.c");
        seen(&command.env("STRATA_CACHE", cache).env(name, value).output().unwrap())
    };
    let (code, _, err) = cc("X", "".into(), place.path("file/cache"));
    assert!(code == 2 && err.contains("XDG_CACHE_HOME"), "{err}");
    let (code, _, err) = cc("STRATA_MUSL", place.path("nowhere"), place.path("cache"));
    assert!(code == 2 && err.contains("nowhere"), "{err}");
    // A search path with the compiler, but no apt-get: as good as no network.
    fs::create_dir(place.path("bin")).unwrap();
    for tool in ["clang-22", "llvm-ar-22", "ld.lld-22"] {
        let path = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|folder| folder.join(tool))
            .find(|file| file.is_file());
        symlink(path.expect("the tool is installed"), place.path("bin").join(tool)).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
    command
        .args(["cc", "-c", "main.c"])
        .current_dir(&*place.0)
        .env("PATH", place.path("bin"))
        .env("STRATA_CACHE", place.path("cache"));
    let (code, _, err) = seen(&command.output().unwrap());
    assert!(code == 2 && err.contains("STRATA_MUSL"), "{err}");
}
