//! A thousand random formulas against z3; `make fuzz` tries a hundred thousand.

use std::time::Duration;
use strata_fuzz::differential::{compare, of_any_kind, of_memory};
use strata_query::{Answer, Budget, Path, Solver};
use strata_solver::Process;
use strata_term::Term;

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

/// Tables are written as constant arrays, which are no part of the logic that a session begins with.
#[test]
fn z3_reads_tables() {
    let mut z3 = Process::start("z3").expect("z3 is installed (make test sees to it)");
    let (i, table) = (Term::symbol("i", 32), Term::constant_array(32, [3u8, 1, 4, 1, 5].as_slice().into()));
    for (value, possible) in [(4, true), (2, false), (0, true)] {
        let mut path = Path::default();
        z3.extend(&mut path, &table.read(&i, 1).eq(&Term::number(8, value)));
        let answer = z3.check(&path, &[], &Budget::within(Duration::from_secs(60)));
        let right = if possible { matches!(answer, Answer::Sat(_)) } else { matches!(answer, Answer::Unsat) };
        assert!(right, "{value}: {answer:?}");
    }
}
