//! `domains [COUNT [SEED]]`: random pairs of value sets at widths 5 to 8, and a tenth as many at 16 to 64, for each operator and domain
//! (1,000,000; from the clock).

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use strata_domain::soundness::{Report, Shape, Subject, random_pairs, wide_properties};

/// All operators of one domain; a line each, or what is wrong.
fn domain<D: Subject>(count: u64, seed: u64) -> Result<(), String> {
    for op in Shape::operators() {
        let Report { forward, backward } = random_pairs::<D>(op, count, seed)?;
        if D::WIDEST >= 64 {
            wide_properties::<D>(op, count / 10, seed)?;
        }
        let share = |part: u64, all: u64| 100 * part / all.max(1);
        println!(
            "{} {}: {} pairs; exact forward {} % ({} % by constants), backward {} % ({} % by constants)",
            D::NAME,
            op.name(),
            forward.asked,
            share(forward.exact, forward.asked),
            share(forward.exact_constant, forward.asked_constant),
            share(backward.exact, backward.asked),
            share(backward.exact_constant, backward.asked_constant),
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() << 20);
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(clock);
    println!("{count} pairs of each operator and domain from seed {seed}");
    let mut threads = Vec::new();
    macro_rules! start {
        ($name:ident, $domain:ty) => {
            threads.push(std::thread::spawn(move || domain::<$domain>(count, seed)));
        };
    }
    strata_domain::rows!(start);
    let mut code = ExitCode::SUCCESS;
    for thread in threads {
        match thread.join() {
            Ok(Ok(())) => {}
            Ok(Err(why)) => {
                println!("{why}");
                code = ExitCode::FAILURE;
            }
            Err(_) => code = ExitCode::FAILURE,
        }
    }
    code
}
