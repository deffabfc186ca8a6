//! What was typed after `strata run`, and what it means.

use super::Refusal;
use crate::units;
use clap::Args;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;
use strata_build::{CompileOptions, Opt};
use strata_explore::Limits;
use strata_frontend_llvm::{Entry, Passes};
use strata_interp::{Checks, Config, Echo, Float, Uninit};
use strata_ir::Promise;
use strata_linux::World;

/// What was typed.
#[derive(Args)]
#[command(
    after_help = "Durations: 90, 90s, 5min, 1h. Sizes: 512M, 1G; a bare number is MiB. What follows PROGRAM belongs to \
    it. Long options may have one dash, as with KLEE (-max-time=60s).\n\nExit status: 0 nothing found; 1 an error found; 2 the command line or an input is wrong; 3 our own fault."
)]
pub struct Options {
    /// The program: .c, .bc, .ll or .a
    pub program: PathBuf,
    /// The program's arguments
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<String>,

    /// Start at this function instead of main; its result is the exit status
    #[arg(long, value_name = "F", help_heading = "Program")]
    pub entry: Option<String>,
    /// Make the entry function's arguments symbolic: no harness needed. A pointer in a structure is null, to an object of its own or to an earlier
    /// one of its type, up to 8 objects for an argument
    #[arg(long, requires = "entry", help_heading = "Program")]
    pub symbolic: bool,
    /// The size of the objects that --symbolic gives to pointers, in bytes
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 24), help_heading = "Program")]
    pub buffer_size: u64,
    /// A folder with headers, for clang
    #[arg(short = 'I', value_name = "DIR", help_heading = "Program")]
    pub include: Vec<PathBuf>,
    /// A macro, for clang
    #[arg(short = 'D', value_name = "NAME[=V]", help_heading = "Program")]
    pub define: Vec<String>,
    /// How much clang optimises: 0, 1, 2 or 3
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=3), help_heading = "Program")]
    pub optimise: u8,
    /// A further flag for clang
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true, help_heading = "Program")]
    pub cflag: Vec<String>,
    /// A further .c, .bc, .ll or .a
    #[arg(long, value_name = "FILE", help_heading = "Program")]
    pub link: Vec<PathBuf>,

    /// An argument of any bytes up to LEN, at this place among ARGS (also after PROGRAM, as in KLEE, like the next six)
    #[arg(long, value_name = "LEN", help_heading = "System")]
    pub sym_arg: Option<u64>,
    /// MIN to MAX such arguments
    #[arg(long, value_names = ["MIN", "MAX", "LEN"], num_args = 3, help_heading = "System")]
    pub sym_args: Option<Vec<u64>>,
    /// Files A, B, … with LEN symbolic bytes each in the working folder
    #[arg(long, value_names = ["N", "LEN"], num_args = 2, help_heading = "System")]
    pub sym_files: Option<Vec<u64>>,
    /// Standard input with LEN symbolic bytes
    #[arg(long, value_name = "LEN", help_heading = "System")]
    pub sym_stdin: Option<u64>,
    /// Standard output as an object of the tests
    #[arg(long, help_heading = "System")]
    pub sym_stdout: bool,
    /// Symbolic arguments, files and standard input have up to LEN bytes, on one path; arguments end at their zero byte
    #[arg(long, help_heading = "System")]
    pub sym_lengths: bool,
    /// Up to N system calls fail (read, write, close, ftruncate, getcwd)
    #[arg(long, value_name = "N", help_heading = "System")]
    pub max_fail: Option<u32>,
    /// Reads may give less than there is
    #[arg(long, help_heading = "System")]
    pub short_reads: bool,
    /// A file or folder of this machine that the program finds at PATH
    #[arg(long, value_name = "PATH=HOST", help_heading = "System")]
    pub file: Vec<String>,
    /// A variable of the program's environment, which is empty otherwise
    #[arg(long, value_name = "NAME=VALUE", help_heading = "System")]
    pub env: Vec<String>,
    /// Tests prefer arguments that can be printed
    #[arg(long, help_heading = "System")]
    pub readable_posix_inputs: bool,

    /// In which order paths are followed, interleaved where several are given
    #[arg(long, value_name = "NAME", default_value = "random-path,covnew", help_heading = "Exploration")]
    pub search: Vec<String>,
    /// Stop after exploring for this long (compiling and loading come before)
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Exploration")]
    pub max_time: Option<Duration>,
    /// Stay below this much memory, by giving up paths
    #[arg(long, value_name = "SIZE", value_parser = units::size, default_value = "2G", help_heading = "Exploration")]
    pub max_memory: usize,
    /// Stop after this many tests
    #[arg(long, value_name = "N", help_heading = "Exploration")]
    pub max_tests: Option<u64>,
    /// Fork a path at most this often
    #[arg(long, value_name = "N", help_heading = "Exploration")]
    pub max_depth: Option<u32>,
    /// Stop after this many instructions
    #[arg(long, value_name = "N", help_heading = "Exploration")]
    pub max_instructions: Option<u64>,
    /// Stop after this many forks
    #[arg(long, value_name = "N", help_heading = "Exploration")]
    pub max_forks: Option<u64>,
    /// The same seed gives the same run, on one thread
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Exploration")]
    pub seed: u64,
    /// Each test has the least input of its path, at any number of jobs; else those of errors and new code have
    #[arg(long, help_heading = "Exploration")]
    pub deterministic: bool,
    /// Worker threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = jobs, help_heading = "Exploration")]
    pub jobs: usize,
    /// Merge the states of loops: none, cfg (by where they leave the loop), pattern (several rounds as one clause), auto (pattern,
    /// where that is expected to pay)
    #[arg(long, value_name = "MODE", default_value = "none", help_heading = "Exploration")]
    pub merge: String,
    /// Merge only in loops of this function; without --merge, in pattern mode
    #[arg(long, value_name = "FUNCTION", help_heading = "Exploration")]
    pub merge_at: Vec<String>,
    /// Ask the solver whether each merged state is what its parts are; a difference is an internal error
    #[arg(long, help_heading = "Exploration")]
    pub check_merges: bool,
    /// Stop at the first error
    #[arg(long, help_heading = "Exploration")]
    pub exit_on_error: bool,
    /// Stop at the first error of this kind
    #[arg(long, value_name = "KIND", value_parser = kind, help_heading = "Exploration")]
    pub exit_on_error_type: Vec<String>,

    /// Checks to add, and with a minus to leave out: div, overshift (on), overflow, leak, uninit, poison
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true, help_heading = "Meaning")]
    pub check: Vec<String>,
    /// What memory that was never written contains: symbolic, zero or pattern
    #[arg(long, value_name = "WHAT", default_value = "pattern", help_heading = "Meaning")]
    pub uninit: String,
    /// What happens when a symbolic value meets floating point: stop or concretize
    #[arg(long, value_name = "WHAT", default_value = "stop", help_heading = "Meaning")]
    pub float: String,
    /// Does a pointer remember the object it came from: on, or off (KLEE's rule)
    #[arg(long, value_name = "WHAT", default_value = "on", help_heading = "Meaning")]
    pub provenance: String,
    /// Bytes of address space for an object of symbolic size: larger sizes are not followed, and the run says so
    #[arg(long, value_name = "CAP", default_value_t = 65536, help_heading = "Meaning")]
    pub sym_size: u64,
    /// An assumption that cannot hold ends its path without an error
    #[arg(long, help_heading = "Meaning")]
    pub silent_klee_assume: bool,

    /// Which solver layers are on: all, none, klee, parti, o1, o2 (as published), names, -name; types and windows are the core's own, for arrays
    #[arg(long, value_name = "LIST", default_value = "all", allow_hyphen_values = true, help_heading = "Solver")]
    pub layers: String,
    /// Who decides: builtin, z3, bitwuzla, cvc5, boolector, or smtlib:'COMMAND'
    #[arg(long, value_name = "NAME", default_value = "builtin", help_heading = "Solver")]
    pub solver: String,
    /// Time for one question
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s", help_heading = "Solver")]
    pub solver_timeout: Duration,
    /// Compare each answer of the layers with the solver's own; a disagreement is an internal error
    #[arg(long, help_heading = "Solver")]
    pub check_layers: bool,
    /// Compare each answer with this solver's
    #[arg(long, value_name = "SOLVER", help_heading = "Solver")]
    pub check_with: Option<String>,

    /// Where the run is kept [default: strata-out-N, with the link strata-last]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write no tests
    #[arg(long, help_heading = "Output")]
    pub write_no_tests: bool,
    /// A test for each path that ends in an error, not one for each error
    #[arg(long, help_heading = "Output")]
    pub emit_all_errors: bool,
    /// Only tests of paths that reached new code
    #[arg(long, help_heading = "Output")]
    pub only_output_states_covering_new: bool,
    /// Do not try errors on the native program
    #[arg(long, help_heading = "Output")]
    pub no_confirm: bool,
    /// What the program writes, also on standard output and error, as its paths write it
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub echo: bool,
    /// The figures as JSON on standard output
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

impl Options {
    /// The words of the program's command line, as typed.
    pub fn words(&self) -> Vec<Vec<u8>> {
        let name = self.program.display().to_string().into_bytes();
        std::iter::once(name).chain(self.arguments.iter().map(|word| word.clone().into_bytes())).collect()
    }

    /// What the program is given.
    pub fn world(&self) -> Result<World, Refusal> {
        if let Some(wrong) = self.env.iter().find(|variable| !variable.contains('=')) {
            return Err(Refusal::bad(format!("--env {wrong}: expected NAME=VALUE")));
        }
        Ok(World {
            seeds: crate::world::seeds(&self.file).map_err(Refusal::bad)?,
            environment: self.env.iter().map(|variable| variable.clone().into_bytes()).collect(),
            short_reads: self.short_reads,
            readable: self.readable_posix_inputs,
            ..crate::world::parse(&self.words()).map_err(Refusal::bad)?
        })
    }

    /// Where the program is entered, if not at its own main.
    pub fn entry(&self) -> Option<Entry> {
        let named = self.entry.clone().filter(|function| function != "main" || self.symbolic);
        named.map(|function| Entry { function, symbolic: self.symbolic, buffer: self.buffer_size })
    }

    /// What is done to the program before it is explored.
    pub fn passes(&self) -> Result<Passes, Refusal> {
        Ok(if self.checks()?.uninit { Passes::Watch } else { Passes::Promote })
    }

    /// The promises to optimisers whose breach is looked for.
    pub fn promises(&self) -> Result<Vec<Promise>, Refusal> {
        let checks = self.checks()?;
        let all = [
            (Promise::Shift, checks.overshift),
            (Promise::SignedWrap, checks.overflow || checks.poison),
            (Promise::UnsignedWrap, checks.overflow || checks.poison),
            (Promise::Exact, checks.poison),
            (Promise::NonNegative, checks.poison),
            (Promise::Disjoint, checks.poison),
        ];
        Ok(all.into_iter().filter(|(_, watched)| *watched).map(|(promise, _)| promise).collect())
    }

    /// How sources are compiled.
    pub fn compile(&self) -> CompileOptions {
        let opt = [Opt::O0, Opt::O1, Opt::O2, Opt::O3][usize::from(self.optimise.min(3))];
        // clang drops a static function that nobody calls: who enters it, does.
        let kept = self.entry.as_ref().map(|_| "-femit-all-decls".to_string());
        let flags = kept.into_iter().chain(self.cflag.iter().cloned()).collect();
        CompileOptions { opt, include: self.include.clone(), define: self.define.clone(), flags }
    }

    /// How the exploration is to be made, with these strategies; `echo` is told what paths write.
    pub fn exploration(&self, strategies: Vec<&'static str>, echo: Option<Echo>) -> strata_explore::Options {
        strata_explore::Options {
            strategies,
            seed: self.seed,
            jobs: self.jobs.max(1),
            limits: Limits {
                time: self.max_time,
                memory: self.max_memory as u64,
                tests: self.max_tests,
                instructions: self.max_instructions,
                forks: self.max_forks,
            },
            write_tests: !self.write_no_tests,
            all_errors: self.emit_all_errors,
            only_covering_new: self.only_output_states_covering_new,
            deterministic: self.deterministic,
            exit_on_error: self.exit_on_error,
            exit_on_kinds: self.exit_on_error_type.clone(),
            arguments: self.words(),
            shapes: Default::default(),
            echo,
            merge: None,
        }
    }

    /// What the interpreter is asked to do.
    pub fn config(&self) -> Result<Config, Refusal> {
        let config = Config {
            checks: self.checks()?,
            uninit: choice(
                "--uninit",
                &self.uninit,
                &[("symbolic", Uninit::Symbolic), ("zero", Uninit::Zero), ("pattern", Uninit::Pattern)],
            )?,
            float: choice("--float", &self.float, &[("stop", Float::Stop), ("concretize", Float::Concretize)])?,
            provenance: choice("--provenance", &self.provenance, &[("on", true), ("off", false)])?,
            solver_timeout: self.solver_timeout,
            size_cap: self.sym_size,
            silent_assume: self.silent_klee_assume,
            max_depth: self.max_depth,
            optimised: self.optimise > 0,
            max_heap: (self.max_memory as u64).max(64 << 20),
            ..Config::default()
        };
        Ok(config)
    }

    /// The checks in force.
    fn checks(&self) -> Result<Checks, Refusal> {
        let mut checks = Config::default().checks;
        for item in &self.check {
            let (name, on) = item.strip_prefix('-').map_or((item.as_str(), true), |name| (name, false));
            *match name {
                "div" => &mut checks.div,
                "overshift" => &mut checks.overshift,
                "overflow" => &mut checks.overflow,
                "leak" => &mut checks.leak,
                "uninit" => &mut checks.uninit,
                "poison" => &mut checks.poison,
                _ => {
                    return Err(Refusal::bad(format!(
                        "--check: there is no check '{name}'; there are div, overshift, overflow, leak, uninit, poison"
                    )));
                }
            } = on;
        }
        Ok(checks)
    }

    /// The options in force, for the record.
    pub fn record(&self) -> Map<String, Value> {
        let text = |value: &dyn std::fmt::Display| Value::String(value.to_string());
        let list = |values: &[String]| Value::String(values.join(","));
        let number = |value: Option<u64>| value.map_or(Value::Null, Value::from);
        let entries = [
            ("entry", text(&self.entry.as_deref().unwrap_or("main"))),
            ("symbolic", Value::Bool(self.symbolic)),
            ("buffer-size", Value::from(self.buffer_size)),
            ("optimise", Value::from(self.optimise)),
            ("search", list(&self.search)),
            ("max-time", self.max_time.map_or(Value::Null, |time| Value::from(time.as_secs_f64()))),
            ("max-memory", Value::from(self.max_memory)),
            ("max-tests", number(self.max_tests)),
            ("max-depth", number(self.max_depth.map(u64::from))),
            ("max-instructions", number(self.max_instructions)),
            ("max-forks", number(self.max_forks)),
            ("short-reads", Value::Bool(self.short_reads)),
            ("file", list(&self.file)),
            ("env", list(&self.env)),
            ("seed", Value::from(self.seed)),
            ("jobs", Value::from(self.jobs)),
            ("deterministic", Value::Bool(self.deterministic)),
            ("check", list(&self.check)),
            ("uninit", text(&self.uninit)),
            ("float", text(&self.float)),
            ("provenance", text(&self.provenance)),
            ("sym-size", Value::from(self.sym_size)),
            ("layers", text(&self.layers)),
            ("solver", text(&self.solver)),
            ("solver-timeout", Value::from(self.solver_timeout.as_secs_f64())),
            ("check-layers", Value::Bool(self.check_layers)),
        ];
        entries.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }
}

fn kind(text: &str) -> Result<String, String> {
    strata_explore::check_kind(text).map(|()| text.to_string())
}

fn jobs(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|jobs| (1..=256).contains(jobs)).ok_or_else(|| "expected a number from 1 to 256".into())
}

fn choice<T: Copy>(option: &str, given: &str, known: &[(&str, T)]) -> Result<T, Refusal> {
    known.iter().find(|(name, _)| *name == given).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        Refusal::bad(format!("{option}: expected one of {}, not '{given}'", names.join(", ")))
    })
}
