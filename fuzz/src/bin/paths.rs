//! `paths [COUNT [SEED [SOLVER]]]`: random trees of paths on one pool each, and as many formulas about memory (1,000; from the clock; z3).

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use strata_fuzz::differential::{compare, of_memory};
use strata_fuzz::incremental::walk;
use strata_solver::Process;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() << 20);
    let first = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(clock);
    let solver = arguments.next().unwrap_or_else(|| "z3".into());
    println!("{count} trees from seed {first} against {solver}");
    let mut other = match Process::start(&solver) {
        Ok(other) => other,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    for seed in first..first.saturating_add(count) {
        let report = match (walk(seed, 60, &mut other), compare(of_memory, seed, 1, &mut other, |_, _| {})) {
            (Ok(tally), Ok(_)) => {
                if (seed - first).is_multiple_of(50) {
                    println!("seed {seed}: {tally:?}");
                }
                continue;
            }
            (Err(report), _) | (_, Err(report)) => report,
        };
        println!("{report}");
        return ExitCode::FAILURE;
    }
    println!("no disagreement");
    ExitCode::SUCCESS
}
