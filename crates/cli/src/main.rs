//! The `strata` command: flags, wiring, printing, exit codes.
//!
//! Exit status: 0 done; 1 an error was found in a program; 2 the command line or an input is wrong; 3 our own fault.

mod line;
mod run;
mod solve;
mod units;

/// For CaDiCaL and for us: questions are short and allocate a great deal.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A symbolic execution engine for C programs and RISC-V binaries.
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
    /// The solver stack on its own: decide the questions in .smt2 or .kquery files
    Solve(solve::Options),
}

/// What a verb ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Everything was done.
    Done = 0,
    /// An error was found in a program.
    Found = 1,
    /// The command line or an input is wrong.
    BadInput = 2,
    /// We are at fault.
    OurFault = 3,
}

fn main() -> ExitCode {
    let Arguments { verb } = Arguments::parse();
    let run = move || match verb {
        Verb::Run(options) => run::run(&options),
        Verb::Solve(options) => solve::run(&options),
    };
    // A panic is a fault of ours; its message is on standard error already.
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|_| {
        eprintln!("strata: this is a fault of strata itself; please report it with the input that shows it");
        Outcome::OurFault
    });
    ExitCode::from(outcome as u8)
}
