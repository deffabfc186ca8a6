//! `linear [COUNT [SEED]]`: random systems of linear constraints over integers, decided by us and by z3 (50,000; from the clock).

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use strata_fuzz::linear::{Integers, compare};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(50_000);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() << 20);
    let seed: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(clock);
    println!("{count} systems from seed {seed}");
    let tally = Integers::start().map_err(|error| format!("z3 does not start: {error}"));
    match tally.and_then(|mut z3| compare(seed, count, &mut z3)) {
        Ok(tally) => {
            println!("{tally:?}, no disagreement");
            ExitCode::SUCCESS
        }
        Err(report) => {
            println!("{report}");
            ExitCode::FAILURE
        }
    }
}
