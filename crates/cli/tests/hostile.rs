//! Programs that try to reach beyond themselves while they are compiled, explored and reported.

mod shared;

use shared::Temporary;
use std::path::Path;
use std::process::{Command, Output};

fn strata(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_strata")).current_dir(folder).args(words).output().expect("strata runs")
}

fn shown(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat()
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
