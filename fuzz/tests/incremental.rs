//! Trees of paths on one pool: every answer is that of a fresh pool, and that of z3.

use strata_fuzz::incremental::{Tally, walk};
use strata_solver::Process;

#[test]
fn a_pool_answers_as_a_fresh_one() {
    let mut z3 = Process::start("z3").expect("z3 is installed (make test sees to it)");
    let mut total = Tally::default();
    for seed in 3_000_000..3_000_012 {
        let tally = walk(seed, 40, &mut z3).unwrap_or_else(|report| panic!("{report}"));
        total.sat += tally.sat;
        total.unsat += tally.unsat;
        total.unknown += tally.unknown;
        total.confirmed += tally.confirmed;
    }
    println!("{total:?}");
    assert!(total.sat > 50 && total.unsat > 20 && total.confirmed > 5, "one-sided: {total:?}");
    assert!(total.unknown > 5, "nothing was cut short: {total:?}");
}
