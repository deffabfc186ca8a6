//! What a program prints and returns of memory that nobody wrote is predicted as everything else that depends on it, and said to.

use std::process::Command;
use strata_record::{Dependence, End, Record};

const SOURCE: &str = r#"
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, 1, "c");
  int *x = malloc(8);
#ifdef PRINT
  printf("%d %d\n", c, x[1]);
  return 0;
#elif defined TEXT
  char *s = malloc(4);
  s[0] = c | 1;
  s[3] = 0;
  puts(s);
  return 0;
#else
  return x[0] & 0x7f;
#endif
}
"#;

#[test]
fn output_and_status_of_what_nobody_wrote() {
    let folder = std::env::temp_dir().join(format!("strata-unwritten-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    std::fs::write(folder.join("prog.c"), SOURCE).expect("a program");
    for (macros, stdout, status) in [("PRINT", "0 -1515870811\n", 0), ("TEXT", "01a5a50a", 0), ("STATUS", "", 0x25)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
        command.args(["run", "-D", macros, "--output", macros, "prog.c"]).current_dir(&folder);
        let output = command.output().expect("strata runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let tests = Record::open(&folder.join(macros)).and_then(|record| record.tests()).expect("tests");
        let seen = tests.get(1).expect("one test").expectation.expect("a prediction");
        assert_eq!(seen.depends, [Dependence::Uninit].into(), "{macros}: {seen:?}");
        assert_eq!(seen.end, End::Exit { status }, "{macros}: {seen:?}");
        let printed = serde_json::to_string(&seen.stdout).expect("JSON");
        assert!(printed.contains(stdout.trim_end()), "{macros}: {seen:?}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
