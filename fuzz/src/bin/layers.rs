//! `layers [COUNT [SEED]]`: so many walks over random trees of paths, the stack of layers beside the core alone (100; from the clock). Walks go round the
//! configurations, with everything on every other time.

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use strata_fuzz::layers::walk;

const CONFIGURATIONS: [&str; 10] = ["all", "boxes", "all", "parti", "all", "o1", "all", "o2", "all", "linear"];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() << 20);
    let first: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(clock);
    println!("{count} walks from seed {first}");
    let (mut sat, mut unsat) = (0, 0);
    for seed in first..first.saturating_add(count) {
        let layers = CONFIGURATIONS[seed as usize % CONFIGURATIONS.len()];
        match walk(seed, 120, layers) {
            Ok(tally) => (sat, unsat) = (sat + tally.sat, unsat + tally.unsat),
            Err(report) => {
                println!("{report}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{sat} sat, {unsat} unsat, no disagreement");
    ExitCode::SUCCESS
}
