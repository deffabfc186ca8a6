//! Three hundred systems of integers against z3; `make fuzz` tries fifty thousand.

use strata_fuzz::linear::{Integers, compare};

#[test]
fn systems_agree_with_z3() {
    let mut z3 = Integers::start().expect("z3 is installed (make test sees to it)");
    let tally = compare(1_000_000, 300, &mut z3).unwrap_or_else(|report| panic!("{report}"));
    println!("{tally:?}");
    assert!(tally.sat > 80 && tally.unsat > 40 && tally.narrowed > 80, "the systems are worth something: {tally:?}");
    assert!(tally.unknown < 60 && tally.unchecked < 60, "most are decided: {tally:?}");
}
