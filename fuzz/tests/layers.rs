//! The layers of the solver against its core; see `strata_fuzz::layers`.

use strata_fuzz::layers::walk;
use strata_solver::LAYERS;

#[test]
fn layers_agree_with_the_core() {
    let (mut sat, mut unsat, mut answered) = (0, 0, vec![0; LAYERS.len()]);
    for seed in 0..30 {
        let tally = walk(4_000 + seed, 60, "all").unwrap();
        (sat, unsat) = (sat + tally.sat, unsat + tally.unsat);
        answered.iter_mut().zip(&tally.answered).for_each(|(sum, count)| *sum += count);
    }
    assert!(sat > 300 && unsat > 100, "the walk is worth something: {sat} sat, {unsat} unsat");
    for (row, count) in LAYERS.iter().zip(&answered) {
        // Those that make questions smaller for the layers below need not answer any.
        let rewrites = ["simplify", "slice"].contains(&row.name);
        assert!(*count > 0 || rewrites, "{} answered nothing: {answered:?}", row.name);
    }
}

#[test]
fn each_layer_on_its_own() {
    for row in LAYERS {
        for seed in 0..6 {
            walk(7_000 + seed, 40, row.name).unwrap();
        }
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
