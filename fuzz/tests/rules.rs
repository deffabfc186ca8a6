//! Every rewrite rule at larger widths, proved by the solver: the term as it stands and what the rule makes of it never differ.
//!
//! The solver sees both sides without rules: raw terms are blasted as they are. Small widths are proved by enumeration in `term`.

use std::time::Duration;
use strata_query::{Answer, Budget, Path, Solver};
use strata_solver::Pool;
use strata_term::rules::instances::sample;
use strata_term::rules::{Rule, all};
use strata_term::{Op, Random, Term};

/// Pairs that the solver could not decide in time: wide multiplications and divisions by unknowns.
struct Tally {
    proved: usize,
    undecided: usize,
}

fn prove(rule: &Rule, width: u32, count: usize, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random(u64::from(width));
    for (raw, simplified) in sample(rule, width, count, &mut random) {
        let equal = Term::raw(Op::Eq, 1, 0, &[&raw, &simplified]);
        let mut path = Path::default();
        let mut solver = Pool::default();
        solver.extend(&mut path, &Term::raw(Op::Not, 1, 0, &[&equal]));
        match solver.check(&path, &[], &Budget::within(Duration::from_millis(500))) {
            Answer::Unsat => tally.proved += 1,
            Answer::Unknown(_) => tally.undecided += 1,
            Answer::Sat(model) => return Err(format!("{}: {raw:?} is not {simplified:?} for {model:?}", rule.name)),
        }
    }
    Ok(())
}

#[test]
fn rules_hold_at_larger_widths() {
    let mut tally = Tally { proved: 0, undecided: 0 };
    for rule in all() {
        let before = tally.proved;
        for width in [5, 16, 33, 64, 128] {
            prove(rule, width, 2, &mut tally).unwrap_or_else(|fault| panic!("{fault}"));
        }
        assert!(tally.proved > before, "{} was proved at no larger width", rule.name);
    }
    println!("{} proved, {} undecided", tally.proved, tally.undecided);
    assert!(tally.undecided * 4 < tally.proved, "{} proved, {} undecided", tally.proved, tally.undecided);
}

/// A rule that is wrong only at one constant of 32 bits is found.
#[test]
fn a_wrong_rule_is_caught() {
    let wrong = Rule {
        name: "wrong",
        op: Op::UDiv,
        shape: "(udiv x c)",
        apply: |view| (view.args[1].const_u64() == Some(2)).then(|| view.args[0].ashr(&Term::number(view.width, 1))),
    };
    let mut tally = Tally { proved: 0, undecided: 0 };
    assert!(prove(&wrong, 32, 3, &mut tally).is_err());
}
