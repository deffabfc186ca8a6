//! The `strata` command: flags, wiring, printing, exit codes.
//!
//! Exit status: 0 done; 1 an error was found in a program; 2 the command line or an input is wrong; 3 our own fault.

#![deny(clippy::print_stdout, clippy::print_stderr)] // Only `console` prints.

mod apart;
mod cc;
mod console;
mod disassemble;
mod doctor;
mod klee;
mod line;
mod replay;
mod run;
mod solve;
mod stats;
mod tests;
mod typed;
mod units;
mod words;
mod world;

/// For CaDiCaL and for us: questions are short and allocate a great deal.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// A symbolic execution engine for C programs.
#[derive(Parser)]
#[command(name = "strata", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Explore a program: .c, .bc or .ll
    Run(Box<run::Options>),
    /// The instructions of a RISC-V ELF file, as objdump prints them
    Disassemble(disassemble::Options),
    /// The solver stack on its own: decide the questions in .smt2 or .kquery files
    Solve(solve::Options),
    /// List a run's test cases, or show one, typed
    Tests(tests::Options),
    /// Figures of one or several runs, side by side
    Stats(stats::Options),
    /// Run test cases natively, in a sandbox, and compare with what was predicted
    Replay(replay::Options),
    /// What is installed, what is missing, how to get it
    Doctor(doctor::Options),
    /// A C compiler for make, configure and cmake: programs with their bitcode beside them
    Cc(Words),
    /// Its linker: ld's arguments
    Link(Words),
}

/// Words that belong to another tool: taken before these are parsed, and here for the help alone.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
struct Words {
    /// The tool's arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<std::ffi::OsString>,
}

/// What a verb ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Everything was done.
    Done = 0,
    /// An error was found in a program, or a test did not end as predicted.
    Found = 1,
    /// The command line or an input is wrong.
    BadInput = 2,
    /// We are at fault.
    OurFault = 3,
}

/// Says what is wrong with the command line, or the help that was asked for.
fn complain(error: &clap::Error) -> ! {
    let typed = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(typed)) if error.kind() == ErrorKind::UnknownArgument => klee::advice(typed),
        Some(_) | None => None,
    };
    let Some(advice) = typed else { error.exit() };
    console::refuse(advice);
    std::process::exit(Outcome::BadInput as i32)
}

fn main() -> ExitCode {
    if let Some((role, words)) = cc::role(&std::env::args_os().collect::<Vec<_>>()) {
        return guarded(|| cc::run(role, words)).unwrap_or_else(|outcome| ExitCode::from(outcome as u8));
    }
    let mut command = Arguments::command();
    command.build();
    let typed = words::rewrite(std::env::args_os().collect(), &command);
    let Arguments { verb } = Arguments::try_parse_from(typed).unwrap_or_else(|error| complain(&error));
    let run = move || match verb {
        Verb::Run(options) => run::run(&options),
        Verb::Disassemble(options) => disassemble::run(&options),
        Verb::Solve(options) => solve::run(&options),
        Verb::Tests(options) => tests::run(&options),
        Verb::Stats(options) => stats::run(&options),
        Verb::Replay(options) => replay::run(&options),
        Verb::Doctor(options) => doctor::run(&options),
        Verb::Cc(Words { words }) | Verb::Link(Words { words }) => unreachable!("{words:?} belongs to another tool"),
    };
    ExitCode::from(guarded(run).unwrap_or_else(|fault| fault) as u8)
}

/// A panic is a fault of ours; its message is on standard error already.
fn guarded<T>(act: impl FnOnce() -> T) -> Result<T, Outcome> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(act)).map_err(|_| {
        console::say("this is a fault of strata itself; please report it with the input that shows it");
        Outcome::OurFault
    })
}
