//! A thousand random formulas against z3; `make fuzz` tries a hundred thousand.

use strata_fuzz::differential::{compare, of_any_kind, of_memory};
use strata_solver::Process;

#[test]
fn a_thousand_formulas_agree_with_z3() {
    let mut z3 = Process::start("z3").expect("z3 is installed (make test sees to it)");
    let seed = 2_000_000;
    let tally = compare(of_any_kind, seed, 1000, &mut z3, |_, _| {}).unwrap_or_else(|report| panic!("{report}"));
    println!("seed {seed}: {tally:?}");
    assert!(tally.undecided < 20, "{tally:?}");
    assert!(tally.sat > 200 && tally.unsat > 200, "{tally:?}");
}

#[test]
fn memory_near_both_ends_agrees_with_z3() {
    let mut z3 = Process::start("z3").expect("z3 is installed (make test sees to it)");
    let seed = 4_000_000;
    let tally = compare(of_memory, seed, 60, &mut z3, |_, _| {}).unwrap_or_else(|report| panic!("{report}"));
    println!("seed {seed}: {tally:?}");
    assert!(tally.sat > 20 && tally.unsat > 3, "{tally:?}");
}
