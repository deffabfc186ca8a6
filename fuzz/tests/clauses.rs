//! Bounded universal clauses against their expansion and against all values; see
//! `strata_fuzz::clauses`.

use strata_fuzz::clauses::walk;
use strata_query::{Answer, Budget, Model, Path, Solver};
use strata_solver::{Backend, LAYERS, Pool, Selection, Stack};
use strata_term::Term;
use strata_term::text::smtlib::{Command, Parser, Sharing, print_query};

/// The core alone, with all of its stages.
#[test]
fn the_core_agrees_with_all_values() {
    let mut sum = strata_solver::ClauseStatistics::default();
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..10 {
        let tally = walk(100 + seed, 60, "none").unwrap();
        (sat, unsat) = (sat + tally.sat, unsat + tally.unsat);
        sum += tally.clauses;
    }
    assert!(sat > 100 && unsat > 50, "the walk is worth something: {sat} sat, {unsat} unsat");
    let stages = [sum.stripped, sum.duplicated, sum.rounds, sum.expanded];
    assert!(stages.iter().all(|count| *count > 0), "{sum:?}");
}

/// All layers: cases answer most of it, and each other layer passes.
#[test]
fn cases_agree_with_all_values() {
    let row = LAYERS.iter().position(|row| row.name == "clauses").expect("there is such a layer");
    let (mut sat, mut unsat, mut answered) = (0, 0, 0);
    for seed in 0..12 {
        let tally = walk(500 + seed, 60, "all").unwrap();
        (sat, unsat, answered) = (sat + tally.sat, unsat + tally.unsat, answered + tally.answered[row]);
    }
    assert!(sat > 100 && unsat > 50 && answered > 150, "{sat} sat, {unsat} unsat, {answered} by cases");
}

/// Each layer beside cases, and cases without any.
#[test]
fn cases_with_each_layer() {
    for row in LAYERS {
        walk(900, 40, &format!("clauses,{}", row.name)).unwrap();
        walk(950, 40, row.name).unwrap();
    }
}

/// The sampled questions with clauses, read, asked and printed again.
#[test]
fn sampled_queries_have_their_status() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/queries/clauses");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the sample").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a query");
        let expect = if text.contains(":status unsat") { "unsat" } else { "sat" };
        let constraints = assertions(&text);
        assert!(constraints.iter().any(Term::has_clause), "{text}");
        let printed = assertions(&print_query(&constraints, Sharing::Let));
        assert_eq!(printed, constraints, "{text}");
        let mut stack = Stack::new(Selection::default(), Backend::Builtin(Box::default()), None);
        let (mut path, mut witness) = (Path::default(), Model::default());
        let mut answer = "sat";
        for constraint in &constraints {
            match stack.ask(&path, &witness, constraint, &Budget::default()) {
                Answer::Sat(model) => witness = model,
                Answer::Unsat => answer = "unsat",
                Answer::Unknown(reason) => panic!("{reason}"),
            }
            if answer == "unsat" {
                break;
            }
            stack.extend(&mut path, constraint);
        }
        let whole = Pool::default().check(&Path::default(), &constraints, &Budget::default());
        assert_eq!((answer, whole.name()), (expect, expect), "{text}");
        count += 1;
    }
    assert_eq!(count, 6);
}

fn assertions(text: &str) -> Vec<Term> {
    let mut parser = Parser::new(text.as_bytes());
    let mut all = Vec::new();
    while let Some(command) = parser.next_command().expect("a script") {
        if let Command::Assert(constraint) = command {
            all.push(constraint);
        }
    }
    all
}
