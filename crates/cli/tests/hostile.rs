//! Programs that try to reach beyond themselves while they are compiled, explored and reported.

mod shared;

use shared::Temporary;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use strata_sandbox::{Filter, Holds, install};

fn strata(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_strata")).current_dir(folder).args(words).output().expect("strata runs")
}

fn shown(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat()
}

/// All that a folder holds, one behind the other.
fn contents(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            all.extend(std::fs::read(path).unwrap_or_default());
        }
    }
    all
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// The cache that the tests' own user has.
fn own_cache() -> PathBuf {
    let given = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let cache = given("STRATA_CACHE").or_else(|| Some(given("HOME")?.join(".cache/strata"))).expect("a cache");
    std::path::absolute(cache).expect("a path")
}

/// A copy of what was built once, without native programs: one that is in it later was made now.
fn fresh_cache(place: &Path) {
    std::fs::create_dir_all(place).expect("a folder");
    for entry in std::fs::read_dir(own_cache()).expect("a cache").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("libc-") || name.starts_with("runtime-") {
            let copied = Command::new("cp").arg("-r").arg(entry.path()).arg(place).status().expect("cp runs");
            assert!(copied.success());
        }
    }
}

/// Who runs strata: the tests' own user, and an ordinary one where that is root.
struct User {
    name: &'static str,
    strata: PathBuf,
    cache: PathBuf,
    ordinary: bool,
}

impl User {
    /// The users of this machine. The ordinary one gets the command and the C library where it
    /// can read them.
    fn all(folder: &Path) -> Vec<User> {
        let strata = PathBuf::from(env!("CARGO_BIN_EXE_strata"));
        // The library must be there before it can be copied.
        std::fs::write(folder.join("first.c"), "int main(void) { return 0; }\n").expect("a source");
        assert!(self::strata(folder, &["run", "--no-confirm", "first.c"]).status.success());
        let cache = folder.join("cache");
        fresh_cache(&cache);
        let mut users = vec![User { name: "own", strata: strata.clone(), cache: cache.clone(), ordinary: false }];
        let output = Command::new("id").arg("-u").output().expect("id runs");
        if output.stdout == b"0\n" {
            let (command, copy) = (folder.join("strata-copy"), folder.join("cache-copy"));
            std::fs::copy(&strata, &command).expect("a copy");
            fresh_cache(&copy);
            let given = Command::new("chown").args(["-R", "65534:65534"]).args([&command, &copy]).status();
            assert!(given.expect("chown runs").success());
            users.push(User { name: "ordinary", strata: command, cache: copy, ordinary: true });
        }
        users
    }

    fn run(&self, folder: &Path, words: &[&str]) -> Output {
        let mut command = match self.ordinary {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(&self.strata);
                command
            }
            false => Command::new(&self.strata),
        };
        command.current_dir(folder).args(words).env("STRATA_CACHE", &self.cache).output().expect("strata runs")
    }
}

const SECRET: &str = "a1b2-the-secret-c3d4";

/// What a hostile source reads, of a file beside its own folder: in no output, and in nothing
/// that is kept.
#[test]
fn compiling_and_linking_read_what_was_named() {
    let folder = Temporary::new("hostile-reading");
    let secret = folder.join("secret.h");
    std::fs::write(&secret, format!("// {SECRET}\n")).expect("a file");
    let path = secret.display();
    let main = "int main(int c, char **v) { if (c > 5) return odd(); __builtin_trap(); }\n";
    let rows = [
        ("include.c", format!("#include \"{path}\"\nint odd(void) {{ return 0; }}\n{main}")),
        ("above.c", format!("#include \"../secret.h\"\nint odd(void) {{ return 0; }}\n{main}")),
        ("embed.c", format!("const char x[] = {{\n#embed \"{path}\"\n}};\nint odd(void) {{ return x[3]; }}\n{main}")),
        ("incbin.c", format!("__asm__(\".incbin \\\"{path}\\\"\");\nint odd(void) {{ return 0; }}\n{main}")),
        ("inside.c", format!("int odd(void) {{ __asm__(\".incbin \\\"{path}\\\"\"); return 0; }}\n{main}")),
        ("error.c", format!("#include \"{path}\"\n#error here\nint odd(void) {{ return 0; }}\n{main}")),
        (
            "module.ll",
            format!(
                "module asm \".incbin \\22{path}\\22\"\ndeclare void @abort()\ndefine i32 @main() {{\n  call void @abort()\n  ret i32 0\n}}\n"
            ),
        ),
        (
            "code.ll",
            format!(
                "declare void @abort()\ndefine i32 @main() {{\n  call void @abort()\n  call void asm sideeffect \".incbin \\22{path}\\22\", \"\"()\n  ret i32 0\n}}\n"
            ),
        ),
        ("line.c", format!("int odd(void) {{ return 0; }}\n#line 1 \"{path}\"\n{main}")),
    ];
    for user in User::all(&folder) {
        let sources = folder.join(format!("sources-{}", user.name));
        std::fs::create_dir_all(&sources).expect("a folder");
        for (name, text) in &rows {
            std::fs::write(sources.join(name), text).expect("a source");
        }
        Command::new("chmod").args(["-R", "a+rwX"]).arg(&sources).status().expect("chmod runs");
        for (name, _) in &rows {
            let run = format!("run-{name}");
            let output = user.run(&sources, &["run", "--output", &run, name]);
            let text = shown(&output);
            assert!(matches!(output.status.code(), Some(0..=2)), "{name}: {text}");
            let replayed = user.run(&sources, &["replay", &run]);
            let kept = [contents(&sources.join(&run)), contents(&user.cache.join("native"))].concat();
            let all = [text, shown(&replayed)].concat();
            assert!(!holds(all.as_bytes(), SECRET) && !holds(&kept, SECRET), "{}: {name}: {all}", user.name);
        }
        // The same source reads what it is given.
        std::fs::write(
            sources.join("good.c"),
            "#include <stdio.h>\n#include \"secret.h\"\nint main(void) { return 0; }\n",
        )
        .expect("a source");
        let (above, words) = (folder.display().to_string(), ["run", "-I", "PLACE", "good.c"]);
        let output = user.run(&sources, &words.map(|word| if word == "PLACE" { &*above } else { word }));
        assert!(output.status.success(), "{}: {}", user.name, shown(&output));
        let output = user.run(&sources, &["run", "good.c"]);
        assert!(
            output.status.code() == Some(2) && shown(&output).contains("folders named with -I"),
            "{}",
            shown(&output)
        );
    }
}

/// On kernels without Landlock a mount namespace holds clang; where there is none either, strata
/// says so and goes on.
#[test]
fn older_kernels_hold_clang_too_or_it_is_said() {
    let folder = Temporary::new("hostile-kernels");
    let sources = folder.join("sources");
    std::fs::create_dir(&sources).expect("a folder");
    std::fs::write(folder.join("secret.h"), format!("#error {SECRET}\n")).expect("a file");
    std::fs::write(sources.join("good.c"), "#include <stdio.h>\nint main(void) { __builtin_trap(); }\n")
        .expect("a source");
    std::fs::write(sources.join("bad.c"), "#include \"../secret.h\"\nint main(void) { return 0; }\n")
        .expect("a source");
    let cache = folder.join("cache");
    fresh_cache(&cache);
    // A kernel that knows neither call, or only the second.
    let missing = |number, error| Filter::new(0..1000).only(number, &[Holds::Is(0, 77), Holds::Is(1, 77)], error);
    let old = missing(libc::SYS_landlock_create_ruleset, libc::ENOSYS);
    let bare = old.clone().only(libc::SYS_unshare, &[Holds::Is(0, 77)], libc::EPERM);
    for (kernel, filter) in [("old", old.code()), ("bare", bare.code())] {
        let run = |source: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
            let filter = filter.clone();
            command.current_dir(&sources).args(["run", "--output", &format!("{kernel}-{source}"), source]);
            command.env("STRATA_CACHE", &cache);
            // SAFETY: `install` does system calls only.
            unsafe { command.pre_exec(move || install(&filter).map_err(std::io::Error::from_raw_os_error)) };
            command.output().expect("strata runs")
        };
        let (good, bad) = (run("good.c"), run("bad.c"));
        let (said, text) = (shown(&good).contains("compiling without a sandbox"), shown(&good));
        assert_eq!(good.status.code(), Some(1), "{kernel}: {text}");
        assert!(kernel != "bare" || said, "{text}");
        // Where namespaces are granted, the old kernel holds; where not, it is a bare one.
        assert!(said || kernel == "old", "{text}");
        assert_eq!(bad.status.code(), Some(2));
        assert_eq!(shown(&bad).contains(SECRET), said, "{kernel}: {}", shown(&bad));
    }
}

/// What a module orders beside its code is in neither program.
#[test]
fn orders_to_assembler_and_linker_are_dropped() {
    let folder = Temporary::new("hostile-orders");
    std::fs::write(folder.join("helper.c"), format!("const char *odd(void) {{ return \"{SECRET}\"; }}\n"))
        .expect("a source");
    let mut clang = Command::new("clang-22");
    assert!(
        clang.current_dir(&*folder).args(["-c", "helper.c", "-o", "helper.o"]).status().expect("clang runs").success()
    );
    let helper = folder.join("helper.o");
    let body = "declare ptr @odd()\ndeclare void @abort()\ndefine i32 @main(i32 %c) {\n  %many = icmp sgt i32 %c, 5\n  \
                br i1 %many, label %yes, label %no\nyes:\n  %x = call ptr @odd()\n  ret i32 1\nno:\n  call void @abort()\n  ret i32 0\n}\n";
    let libraries = format!("!llvm.dependent-libraries = !{{!0}}\n!0 = !{{!\"{}\"}}\n{body}", helper.display());
    let assembler = format!("module asm \".globl odd\"\nmodule asm \"odd: .ascii \\22{SECRET}\\22\"\n{body}");
    for (name, text, word) in
        [("libraries.ll", libraries, "!llvm.dependent-libraries"), ("assembler.ll", assembler, "assembler text")]
    {
        std::fs::write(folder.join(name), text).expect("a module");
        let cache = folder.join(format!("{name}-cache"));
        fresh_cache(&cache);
        let user = User { name: "own", strata: env!("CARGO_BIN_EXE_strata").into(), cache, ordinary: false };
        let run = name.trim_end_matches(".ll");
        let output = user.run(&folder, &["run", "--output", run, name]);
        let text = shown(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(word) && text.contains("is ignored") && text.contains("confirmed natively"), "{text}");
        let replayed = user.run(&folder, &["replay", run]);
        assert!(replayed.status.success(), "{}", shown(&replayed));
        let made = contents(&user.cache.join("native"));
        assert!(!made.is_empty() && !holds(&made, SECRET), "{name}");
    }
}

/// A shared object that leaves a file behind when it is loaded.
const PLUGIN: &str = r#"
#include <stdio.h>
__attribute__((constructor)) static void loaded(void) { fclose(fopen("loaded", "w")); }
"#;

#[test]
fn a_file_name_is_no_option_of_a_tool() {
    let folder = Temporary::new("hostile-names");
    std::fs::write(folder.join("plugin.c"), PLUGIN).expect("a source");
    let mut clang = Command::new("clang-22");
    clang.current_dir(&*folder).args(["-shared", "-fPIC", "-o", "evil.c", "plugin.c"]);
    assert!(clang.status().expect("clang runs").success());
    std::fs::create_dir_all(folder.join("-fpass-plugin=.")).expect("a folder");
    std::fs::write(folder.join("good.c"), "int main(void) { return 0; }\n").expect("a source");
    for name in ["-DFOO.c", "-x.c", "-fpass-plugin=./evil.c"] {
        std::fs::write(folder.join(name), "int main(void) { return 3; }\n").expect("a source");
        let output = strata(&folder, &["run", "--no-confirm", "--", name]);
        assert!(output.status.success(), "{name}: {}", shown(&output));
        let folder = folder.join("strata-last/tests");
        let replayed = strata(&folder, &["replay", "test000001.ktest"]);
        assert!(replayed.status.success(), "{name}: {}", shown(&replayed));
        let replayed =
            strata(folder.parent().expect("a run").parent().expect("a folder"), &["replay", "strata-last", "--", name]);
        assert!(replayed.status.success(), "{name}: {}", shown(&replayed));
    }
    std::fs::write(folder.join("list.c"), "-fpass-plugin=./evil.c").expect("a list");
    std::fs::write(folder.join("@list.c"), "int main(void) { return 3; }\n").expect("a source");
    for words in [["run", "--", "@list.c"], ["run", "--", "./@list.c"], ["replay", "strata-last", "@list.c"]] {
        let output = strata(&folder, &words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", shown(&output));
    }
    assert!(!folder.join("loaded").exists(), "a plugin was loaded");
}

#[test]
fn a_card_shows_sources_alone() {
    let folder = Temporary::new("hostile-cards");
    std::fs::write(folder.join("secret"), "the secret\n").expect("a file");
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    for (place, name) in
        [("secret", "secret"), ("pipe", "pipe"), ("/dev/zero", "/dev/zero"), ("/etc/passwd", "/etc/passwd")]
    {
        let source = format!("#include <stdlib.h>\nint main(void) {{\n#line 1 \"{place}\"\nabort(); }}\n");
        std::fs::write(folder.join("prog.c"), source).expect("a source");
        let output = strata(&folder, &["run", "--no-confirm", "--max-time", "10s", "prog.c"]);
        let text = shown(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {text}");
        assert!(text.contains(&format!("at {name}:1")), "{text}");
        assert!(!text.contains(" 1 | "), "a line of {name} was shown: {text}");
    }
    std::fs::write(folder.join("prog.c"), "#include <stdlib.h>\nint main(void) {\n  abort(); }\n").expect("a source");
    let output = strata(&folder, &["run", "--no-confirm", "prog.c"]);
    assert!(shown(&output).contains("3 |   abort(); }"), "{}", shown(&output));
}

#[test]
fn nothing_is_printed_that_a_terminal_obeys() {
    let folder = Temporary::new("hostile-escapes");
    let source = "#include <klee/klee.h>\n#include <stdlib.h>\nextern int odd(void) __asm__(\"odd\\033[2Jname\");\n\
                  int main(int c, char **v) {\n  klee_warning(\"warn\\033[31m\\r\\xc2\\x9bing\");\n  if (c > 5) return odd();\n  \
                  abort(); /* \x1b[31mred\x1b[0m \u{202e}turned */\n}\n";
    std::fs::write(folder.join("p\x1b[32m.c"), source).expect("a source");
    let output = strata(&folder, &["run", "p\x1b[32m.c"]);
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let obeyed = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
    assert!(!text.contains(obeyed), "{text:?}");
    assert!(text.contains("abort();"), "{text}");
    std::fs::write(folder.join("bad.c"), "int main(void) { return \x1b[31mx; }\n").expect("a source");
    let output = strata(&folder, &["run", "bad.c"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(!shown(&output).contains(obeyed), "{:?}", shown(&output));
}

/// What never ends, or is larger than any program, is refused instead of read into memory.
#[test]
fn endless_and_huge_files_are_refused() {
    let folder = Temporary::new("hostile-sizes");
    std::fs::write(folder.join("prog.c"), "int main(void) { return 0; }\n").expect("a source");
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.smt2")).expect("a link");
    for name in ["huge.bc", "huge.smt2"] {
        // Sparse: it takes no room on the disk.
        std::fs::File::create(folder.join(name)).and_then(|file| file.set_len(1 << 40)).expect("a file");
    }
    for words in [
        ["run", "huge.bc", ""],
        ["run", "--link=huge.bc", "prog.c"],
        ["solve", "zero.smt2", ""],
        ["solve", "huge.smt2", ""],
    ] {
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let output = strata(&folder, &words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", shown(&output));
        let text = shown(&output);
        assert!(text.contains("larger than") || text.contains("a device"), "{words:?}: {text}");
    }
}

#[test]
fn what_lies_in_a_folder_is_read_if_it_is_a_file() {
    let folder = Temporary::new("hostile-folder");
    std::fs::write(folder.join("prog.c"), "int main(void) { return 0; }\n").expect("a source");
    let run = strata(&folder, &["run", "--no-confirm", "--output", "run", "prog.c"]);
    assert!(run.status.success(), "{}", shown(&run));
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    for target in ["/dev/zero", "../pipe", "../../pipe"] {
        for (file, words) in [
            ("stats.json", &["stats", "run"][..]),
            ("run.json", &["replay", "run"][..]),
            ("program.bc", &["replay", "run"][..]),
            ("tests/test000001.ktest", &["replay", "run/tests/test000001.ktest"][..]),
            ("tests.pack", &["tests", "run"][..]),
        ] {
            let (place, saved) = (folder.join("run").join(file), folder.join("saved"));
            std::fs::rename(&place, &saved).expect("a file of the run");
            std::os::unix::fs::symlink(target, &place).expect("a link");
            // `timeout` ends with 124 what would not end.
            let mut command = Command::new("timeout");
            command.current_dir(&*folder).args(["60", env!("CARGO_BIN_EXE_strata")]).args(words);
            let output = command.output().expect("timeout runs");
            let code = output.status.code();
            assert!(matches!(code, Some(0..=2)), "{file} as {target}: {code:?} {}", shown(&output));
            std::fs::rename(&saved, &place).expect("the file goes back");
        }
    }
}
