//! The layers of the solver against its core; see `strata_fuzz::layers`.

use strata_fuzz::layers::walk;
use strata_solver::LAYERS;

#[test]
fn layers_agree_with_the_core() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..30 {
        let tally = walk(4_000 + seed, 60, "all").unwrap();
        (sat, unsat) = (sat + tally.sat, unsat + tally.unsat);
    }
    assert!(sat > 300 && unsat > 100, "the walk is worth something: {sat} sat, {unsat} unsat");
}

/// Each answers as the core does, and answers often where no other takes its questions: a count near zero would hang on the order in which threads make terms.
#[test]
fn each_layer_on_its_own() {
    for (number, row) in LAYERS.iter().enumerate() {
        let answered: u64 = (0..12).map(|seed| walk(7_000 + seed, 40, row.name).unwrap().answered[number]).sum();
        // Those that make questions smaller for the layers below need not answer any, and there
        // is no clause here.
        let rewrites = ["simplify", "slice", "clauses"].contains(&row.name);
        assert!(answered > 0 || rewrites, "{} answered nothing", row.name);
    }
}

/// Published configurations answer as the core does, and boxes answer something in each that has them.
#[test]
fn each_configuration() {
    let boxes = LAYERS.iter().position(|row| row.name == "boxes").expect("there is such a layer");
    for (layers, has_boxes) in [("klee", false), ("parti", false), ("o1", true), ("o2", true), ("boxes", true)] {
        let mut answered = 0;
        for seed in 0..16 {
            answered += walk(9_000 + seed, 60, layers).unwrap().answered[boxes];
        }
        assert_eq!(answered > 10, has_boxes, "{layers}: boxes answered {answered}");
    }
}
