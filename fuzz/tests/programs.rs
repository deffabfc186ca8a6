//! Random programs mean one thing only: sanitizers are silent, and two levels of optimisation print the same. Where this does not hold a difference
//! between engine and machine would say nothing.

use std::path::Path;
use std::process::Command;
use strata_fuzz::programs::{planted, program};

/// Compiles with these flags and runs: what it prints.
fn output(folder: &Path, name: &str, flags: &[&str]) -> String {
    let (source, binary) = (folder.join("program.c"), folder.join(name));
    let compiled = Command::new("clang-22").args(["-w", "-o"]).arg(&binary).args(flags).arg(&source).output();
    let compiled = compiled.expect("clang-22 runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&binary).output().expect("the program runs");
    assert!(ran.status.success(), "{name}: {}\n{}", ran.status, String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn programs_are_free_of_undefined_behaviour() {
    let folder = std::env::temp_dir().join(format!("strata-fuzz-native-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    for seed in 0..12 {
        std::fs::write(folder.join("program.c"), program(seed).source()).expect("a temporary file");
        let plain = output(&folder, "plain", &["-O0"]);
        assert!(plain.lines().count() > 0, "seed {seed} prints nothing");
        assert_eq!(plain, output(&folder, "optimised", &["-O2"]), "seed {seed}");
        let sanitizers = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        assert_eq!(plain, output(&folder, "sanitized", &sanitizers), "seed {seed}");
    }
    std::fs::remove_dir_all(&folder).expect("the temporary folder goes");
}

/// Sanitizers find nothing that the reference does not report itself, on any input.
#[test]
fn planted_errors_are_the_only_ones() {
    let folder = std::env::temp_dir().join(format!("strata-fuzz-planted-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let mut errors = 0;
    for seed in 0..8 {
        std::fs::write(folder.join("program.c"), planted(seed).source()).expect("a temporary file");
        let plain = output(&folder, "plain", &["-O0", "-D", "REFERENCE"]);
        errors += plain.matches('\u{1}').count();
        assert_eq!(plain, output(&folder, "optimised", &["-O2", "-D", "REFERENCE"]), "seed {seed}");
        let sanitizers = ["-O1", "-D", "REFERENCE", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        assert_eq!(plain, output(&folder, "sanitized", &sanitizers), "seed {seed}");
    }
    assert!(errors > 10, "{errors} inputs end in an error");
    std::fs::remove_dir_all(&folder).expect("the temporary folder goes");
}

#[test]
fn a_seed_is_a_program() {
    assert_eq!(program(7).source(), program(7).source());
    assert_ne!(program(7).source(), program(8).source());
}
