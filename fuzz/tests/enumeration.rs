//! The solver against enumeration: small formulas over all operators, every assignment tried.

use strata_fuzz::{Limits, Random, formula};
use strata_query::{Answer, Budget, Path, Solver};
use strata_solver::Pool;
use strata_term::{Assignment, Bits, Evaluator, Op, Term, inputs};

/// The values an input can take: a symbol's, or contents of the cells of an array of two-bit index (few, to keep it finite).
fn assignments(terms: &[Term]) -> Option<Vec<Assignment>> {
    let mut all = vec![Assignment::default()];
    for input in inputs(terms) {
        let choices: u64 = match input.op() {
            Op::Symbol => 1 << input.width().min(13),
            _ => return None,
        };
        if all.len() as u64 * choices > 1 << 13 {
            return None;
        }
        all = all
            .iter()
            .flat_map(|base| {
                (0..choices).map(move |value| {
                    let mut next = base.clone();
                    next.set(input, Bits::new(input.width(), value));
                    next
                })
            })
            .collect();
    }
    Some(all)
}

#[test]
fn answers_agree_with_enumeration() {
    let seed = 20_261_115;
    let mut random = Random(seed);
    let (mut sat, mut unsat) = (0, 0);
    while sat + unsat < 3_000 {
        let limits = Limits { width: 4, depth: 3, array: None };
        let terms = formula(&mut random, limits);
        let Some(all) = assignments(&terms) else { continue };
        let mut evaluator = Evaluator::new(&terms);
        let expected = all.iter().any(|assignment| evaluator.holds(assignment));
        let mut solver = Pool::default();
        let mut path = Path::default();
        for term in &terms {
            solver.extend(&mut path, term);
        }
        let answer = solver.check(&path, &[], &Budget::default());
        assert_eq!(matches!(answer, Answer::Sat(_)), expected, "seed {seed}: {terms:?}");
        assert!(!matches!(answer, Answer::Unknown(_)));
        if expected { sat += 1 } else { unsat += 1 }
    }
    assert!(sat > 500 && unsat > 500, "{sat} sat, {unsat} unsat: the formulas are one-sided");
}
