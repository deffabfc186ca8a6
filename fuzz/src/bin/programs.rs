//! `programs [COUNT [SEED [STRATA]]]`: random programs under the engine beside the same natively
//! (100; from the clock; strata from the PATH).
//! `programs --print SEED`: the program of a seed, on standard output.

use std::process::ExitCode;
use strata_fuzz::programs::{Attack, attack, compare, program};

fn main() -> ExitCode {
    attack(Attack { program, compare }, std::env::args().skip(1).collect())
}
