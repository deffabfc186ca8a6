//! `exhaust [COUNT [SEED [STRATA]]]`: random programs with few inputs under the engine, at -O0 and
//! -O2, beside the same natively on every input.
//! `exhaust --print SEED`: the program of a seed, on standard output; with `-D REFERENCE` it is
//! the native one.

use std::process::ExitCode;
use strata_fuzz::programs::{Attack, attack, exhaust, planted};

fn main() -> ExitCode {
    attack(Attack { program: planted, compare: exhaust }, std::env::args().skip(1).collect())
}
