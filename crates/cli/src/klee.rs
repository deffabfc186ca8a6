//! KLEE's options that `run` does not have: what is said to somebody who types one.
//!
//! Options with the same name and meaning are not here: clap knows them. None of these is accepted: an option that does nothing would let its user
//! believe in something that does not happen.

/// What becomes of an option.
enum Advice {
    /// It has another name here.
    Named(&'static str),
    /// What it asks for is so in any case, or has nothing to apply to, because of this.
    Needless(&'static str),
    /// There is nothing like it.
    Missing(&'static str),
}

use Advice::{Missing, Named, Needless};

const ROWS: &[(&str, Advice)] = &[
    ("allocate-determ", Needless("addresses are the same in every run")),
    ("batch-instructions", Needless("states take turns by themselves")),
    ("batch-time", Needless("states take turns by themselves")),
    ("check-div-zero", Named("--check div (on; --check -div leaves it out)")),
    ("check-overshift", Named("--check overshift (on; --check -overshift leaves it out)")),
    ("debug-crosscheck-core-solver", Named("--check-with SOLVER")),
    ("disable-opt", Needless("-O0 is the default")),
    ("disable-verify", Needless("bitcode is always verified")),
    ("dump-states-on-halt", Needless("limits and Ctrl-C leave tests of live paths")),
    ("entry-point", Named("--entry F")),
    ("env-file", Named("--env NAME=VALUE (the environment is empty otherwise)")),
    ("external-calls", Needless("nothing is called outside: a path that reaches an undefined function ends there")),
    ("istats-write-interval", Needless("coverage.info is written at the end")),
    ("kdalloc", Needless("addresses are the same in every run")),
    ("libc", Needless("every program is linked with musl")),
    ("libcxx", Missing("C++ is not supported yet")),
    ("link-llvm-lib", Named("--link FILE")),
    ("max-instruction-time", Named("--solver-timeout TIME")),
    ("max-memory-inhibit", Needless("states are shed before memory is used up")),
    ("max-solver-time", Named("--solver-timeout TIME")),
    ("max-stack-frames", Needless("a stack that is used up is an error of kind stack")),
    ("max-sym-array-size", Needless("there is no such limit")),
    ("optimize", Named("-O1, -O2 or -O3, for .c files")),
    ("only-replay-seeds", Missing("there are no seeds yet")),
    ("output-dir", Named("--output DIR")),
    ("output-istats", Named("coverage.info in the run's folder, always written")),
    ("output-module", Named("program.bc in the run's folder, always written")),
    ("output-stats", Named("stats.json and progress.jsonl in the run's folder, always written")),
    ("posix-runtime", Needless("system calls are modelled below the C library")),
    ("replay-ktest-dir", Named("strata replay DIR")),
    ("replay-ktest-file", Named("strata replay FILE")),
    ("run-in-dir", Named("--file PATH=HOST, for what the program is to see of this machine")),
    ("rewrite-equalities", Named("--layers LIST")),
    ("seed-dir", Missing("there are no seeds yet")),
    ("seed-file", Missing("there are no seeds yet")),
    ("simplify-sym-indices", Needless("terms are simplified as they are made")),
    ("single-object-resolution", Named("--provenance on (the default)")),
    ("solver-backend", Named("--solver NAME")),
    ("stats-write-interval", Needless("progress.jsonl has a line per second")),
    ("suppress-external-warnings", Needless("nothing is called outside")),
    ("switch-type", Needless("a switch forks once for each target")),
    ("timer-interval", Needless("limits are watched all the time")),
    ("track-instruction-time", Missing("time is counted by layer of the solver, not by instruction")),
    ("ubsan-runtime", Needless("UBSan's handlers are always there: --cflag -fsanitize=undefined")),
    ("use-batching-search", Needless("states take turns by themselves")),
    ("use-branch-cache", Named("--layers LIST")),
    ("use-cex-cache", Named("--layers LIST (cache)")),
    ("use-forked-solver", Needless("the solver is part of the process")),
    ("use-independent-solver", Named("--layers LIST (slice)")),
    ("use-iterative-deepening-search", Named("--search bfs")),
    ("use-merge", Named("--merge cfg")),
    ("use-query-log", Missing("questions are not written down yet")),
    ("warn-all-external-symbols", Needless("undefined functions are always named")),
    ("warnings-only-to-file", Needless("warnings are also in log.txt of the run's folder")),
    ("watchdog", Needless("--max-time holds by itself")),
    ("write-cov", Named("coverage.info in the run's folder, always written")),
    ("write-cvcs", Missing("questions are not written down yet")),
    ("write-kqueries", Missing("questions are not written down yet")),
    ("write-paths", Missing("paths are kept as tests alone")),
    ("write-smt2s", Missing("questions are not written down yet")),
    ("write-sym-paths", Missing("paths are kept as tests alone")),
    ("write-test-info", Named("strata tests DIR N")),
    ("write-xml-tests", Missing("tests are .ktest files")),
    ("zero-seed-extension", Missing("there are no seeds yet")),
];

/// Is this an option of KLEE's that `run` has not?
pub fn knows(name: &str) -> bool {
    ROWS.iter().any(|(theirs, _)| *theirs == name)
}

/// What to do instead of an option, which is given as it was typed.
pub fn advice(typed: &str) -> Option<String> {
    let name = typed.trim_start_matches('-').split('=').next()?;
    let (_, advice) = ROWS.iter().find(|(theirs, _)| *theirs == name)?;
    Some(match advice {
        Named(ours) => format!("--{name} is KLEE's; here it is {ours}"),
        Needless(reason) => format!("--{name} is KLEE's and has no effect here, leave it out: {reason}"),
        Missing(reason) => format!("--{name} is KLEE's and has no counterpart here: {reason}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn only_what_run_has_not_is_listed() {
        let strata = crate::Arguments::command();
        let run = strata.find_subcommand("run").expect("there is run");
        for (name, advice) in ROWS {
            assert!(run.get_arguments().all(|arg| arg.get_long() != Some(name)), "run has --{name}");
            // What is advised must exist.
            let Named(ours) = advice else { continue };
            let Some(option) = ours.split([' ', ',']).next().and_then(|word| word.strip_prefix("--")) else { continue };
            assert!(run.get_arguments().any(|arg| arg.get_long() == Some(option)), "run has no --{option}");
        }
    }
}
