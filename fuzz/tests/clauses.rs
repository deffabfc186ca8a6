//! Bounded universal clauses against their expansion and against all values; see `strata_fuzz::clauses`.

use strata_fuzz::clauses::walk;
use strata_solver::LAYERS;

/// The core alone, with all of its stages.
#[test]
fn the_core_agrees_with_all_values() {
    let mut sum = strata_solver::ClauseStatistics::default();
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..16 {
        let tally = walk(100 + seed, 60, "none").unwrap();
        (sat, unsat) = (sat + tally.sat, unsat + tally.unsat);
        sum += tally.clauses;
    }
    assert!(sat > 200 && unsat > 100, "the walk is worth something: {sat} sat, {unsat} unsat");
    let stages = [sum.stripped, sum.duplicated, sum.rounds, sum.expanded];
    assert!(stages.iter().all(|count| *count > 0), "{sum:?}");
}

/// All layers: cases answer most of it, and each other layer passes.
#[test]
fn cases_agree_with_all_values() {
    let row = LAYERS.iter().position(|row| row.name == "clauses").expect("there is such a layer");
    let (mut sat, mut unsat, mut answered) = (0, 0, 0);
    for seed in 0..20 {
        let tally = walk(500 + seed, 60, "all").unwrap();
        (sat, unsat, answered) = (sat + tally.sat, unsat + tally.unsat, answered + tally.answered[row]);
    }
    assert!(sat > 200 && unsat > 100 && answered > 300, "{sat} sat, {unsat} unsat, {answered} by cases");
}

/// Each layer beside cases, and cases without any.
#[test]
fn cases_with_each_layer() {
    for row in LAYERS {
        for seed in 0..2 {
            walk(900 + seed, 40, &format!("clauses,{}", row.name)).unwrap();
            walk(950 + seed, 40, row.name).unwrap();
        }
    }
}
