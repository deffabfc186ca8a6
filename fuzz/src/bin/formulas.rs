//! `formulas [COUNT [SEED [SOLVER]]]`: random formulas against another solver (100,000; from the clock; z3).

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use strata_fuzz::differential::{compare, of_any_kind};
use strata_solver::Process;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() << 20);
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(clock);
    let solver = arguments.next().unwrap_or_else(|| "z3".into());
    println!("{count} formulas from seed {seed} against {solver}");
    let mut other = match Process::start(&solver) {
        Ok(other) => other,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let progress = |done: u64, tally: &_| {
        if done.is_multiple_of(5_000) {
            println!("{done}: {tally:?}");
        }
    };
    match compare(of_any_kind, seed, count, &mut other, progress) {
        Ok(tally) => {
            println!("no disagreement: {tally:?}");
            ExitCode::SUCCESS
        }
        Err(report) => {
            println!("{report}");
            ExitCode::FAILURE
        }
    }
}
