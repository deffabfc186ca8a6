//! The solver against another solver: random formulas over all operators and mixed widths, a third of them with arrays, or
//! formulas about memory alone.
//!
//! Each formula is decided three times: by us as it stands, by us after the simplifying constructors, and by the other
//! solver. Models are evaluated inside the solvers, so a wrong `sat` cannot hide either.

use crate::generate::{Limits, formula};
use crate::memory::Memory;
use crate::shrink::shrink;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use strata_query::{Budget, Path, Solver};
use strata_solver::{Pool, Process};
use strata_term::Random;
use strata_term::text::smtlib::{Sharing, print_query};
use strata_term::{Substitution, Term, rebuild};

/// What a run of formulas came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// Satisfiable ones.
    pub sat: u64,
    /// Unsatisfiable ones.
    pub unsat: u64,
    /// Not decided by one of the solvers in the time allowed.
    pub undecided: u64,
}

const TIME: Duration = Duration::from_secs(2);

fn ask(solver: &mut dyn Solver, terms: &[Term]) -> &'static str {
    let mut path = Path::default();
    for term in terms {
        solver.extend(&mut path, term);
    }
    let check = || solver.check(&path, &[], &Budget { memory: Some(1 << 30), ..Budget::within(TIME) }).name();
    // A model that does not hold panics: a fault like a wrong answer, and shrunk like one.
    catch_unwind(AssertUnwindSafe(check)).unwrap_or("a panic")
}

fn answers(terms: &[Term], other: &mut Process) -> [&'static str; 3] {
    let simplified = rebuild(terms, &Substitution::default());
    [ask(&mut Pool::default(), terms), ask(&mut Pool::default(), &simplified), ask(other, terms)]
}

fn disagree(answers: &[&str; 3]) -> bool {
    answers.contains(&"a panic") || answers.contains(&"sat") && answers.contains(&"unsat")
}

/// Any operator at mixed widths.
pub fn of_any_kind(random: &mut Random) -> Vec<Term> {
    let array = random.one_in(3).then(|| *random.pick(&[32, 64, 2, 8]));
    let width = *random.pick(&[1, 4, 8, 9, 16, 33, 64, 70, 130]);
    let depth = 2 + random.draw(4);
    formula(random, Limits { width, depth, array })
}

/// Reads of words near both ends of an array.
pub fn of_memory(random: &mut Random) -> Vec<Term> {
    let index = *random.pick(&[32, 64, 32, 64, 8, 3]);
    Memory::new(index, false).formula(random)
}

/// Tries `count` formulas that `make` makes, from `seed` on. A disagreement is shrunk and comes back as text.
pub fn compare(
    make: fn(&mut Random) -> Vec<Term>,
    seed: u64,
    count: u64,
    other: &mut Process,
    mut progress: impl FnMut(u64, &Tally),
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for number in 0..count {
        // A seed for each formula, so that one can be repeated alone.
        let terms = make(&mut Random(seed.wrapping_add(number)));
        let results = answers(&terms, other);
        match results {
            _ if disagree(&results) => {
                let small = shrink(&terms, |terms| disagree(&answers(terms, other)));
                let [raw, simplified, reference] = answers(&small, other);
                return Err(format!(
                    "seed {}: as it stands {raw}, simplified {simplified}, {} {reference}\n{}",
                    seed.wrapping_add(number),
                    other.command(),
                    print_query(&small, Sharing::Let)
                ));
            }
            _ if results.contains(&"unknown") => tally.undecided += 1,
            ["sat", ..] => tally.sat += 1,
            _ => tally.unsat += 1,
        }
        progress(number + 1, &tally);
    }
    Ok(tally)
}
