//! What questions cost on the path of a merged loop, for growing bounds.
//!
//! `cargo run --release -p strata-bench --bin clauses` makes the path of `n <= most; k = 0; while
//! (k < n && s[k] == 'a') k++; k < n` merged into one: a counter, a clause and what ends the
//! loop. It asks about each cell, about cells behind the counter and about the length, and prints
//! the mean time of each kind of question and who answered. With `--two` a second loop follows
//! that starts where the first one ended.

use std::time::{Duration, Instant};
use strata_query::{Answer, Budget, Model, Path, Solver};
use strata_solver::{Backend, LAYERS, Selection, Stack};
use strata_term::Term;

fn number(width: u32, value: u64) -> Term {
    Term::number(width, value)
}

/// A counter of its own for each merge.
fn counter(which: usize) -> Term {
    Term::array(&format!("merge:{which}"), 32).read(&number(32, 0), 2)
}

fn text(index: &Term) -> Term {
    Term::array("s", 32).read(index, 1)
}

fn length() -> Term {
    Term::array("n", 32).read(&number(32, 0), 4)
}

/// The constraints of a merged loop over one character, from an index on; and the index behind it.
fn merged(which: usize, start: &Term, character: u64, most: u64) -> (Vec<Term>, Term) {
    let k = counter(which);
    let at = |k: &Term| start.add(&k.zext(32));
    let is = |index: &Term| text(index).eq(&number(8, character));
    let end = at(&k);
    let before = at(&Term::bound(16)).sub(&number(32, 1));
    let body = before.ult(&length()).and(&is(&before));
    let clause = Term::forall(&k, &body);
    (vec![k.ule(&number(16, most)), clause, end.ult(&length()), is(&end).not()], end)
}

struct Asked {
    name: &'static str,
    time: Duration,
    answers: [u64; 2],
    by: Vec<u64>,
}

fn ask(name: &'static str, stack: &mut Stack, path: &Path, witness: &Model, questions: &[Term]) -> Asked {
    let before: Vec<u64> = stack.statistics().layers.iter().map(|layer| layer.answered).collect();
    let start = Instant::now();
    let mut answers = [0; 2];
    for question in questions {
        match stack.ask(path, witness, question, &Budget::default()) {
            Answer::Sat(_) => answers[0] += 1,
            Answer::Unsat => answers[1] += 1,
            Answer::Unknown(reason) => println!("{name}: {reason}"),
        }
    }
    let time = start.elapsed() / questions.len() as u32;
    let by = stack.statistics().layers.iter().zip(before).map(|(layer, before)| layer.answered - before).collect();
    Asked { name, time, answers, by }
}

fn main() {
    let (two, layers) = {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let layers = words.iter().find(|word| !word.starts_with("--")).cloned().unwrap_or_else(|| "all".into());
        (words.iter().any(|word| word == "--two"), layers)
    };
    for most in [25u64, 50, 100, 200, 400] {
        let selection = Selection::parse(&layers).unwrap_or_else(|error| panic!("{error}"));
        let mut stack = Stack::new(selection, Backend::Builtin(Box::default()), None);
        let (mut path, mut witness) = (Path::default(), Model::default());
        let zero = number(32, 0);
        let mut constraints = vec![length().ule(&number(32, most))];
        let (first, mut end) = merged(0, &zero, 97, most);
        constraints.extend(first);
        if two {
            let (second, behind) = merged(1, &end, 98, most);
            constraints.extend(second);
            end = behind;
        }
        let start = Instant::now();
        for constraint in &constraints {
            if !stack.holds(constraint, &witness) {
                match stack.ask(&path, &witness, constraint, &Budget::default()) {
                    Answer::Sat(model) => witness = model,
                    Answer::Unsat | Answer::Unknown(_) => panic!("the path has a model"),
                }
            }
            stack.extend(&mut path, constraint);
        }
        println!("bound {most}: made in {:?}", start.elapsed());
        let cells: Vec<Term> = (0..most).map(|at| text(&number(32, at)).eq(&number(8, 97))).collect();
        let others: Vec<Term> = (0..most).map(|at| text(&number(32, at)).eq(&number(8, 99))).collect();
        let impossible: Vec<Term> = (0..most)
            .map(|at| {
                text(&number(32, 0))
                    .eq(&number(8, 99))
                    .and(&length().ule(&number(32, at)))
                    .and(&number(32, at).ule(&end.add(&zero)))
            })
            .collect();
        let behind: Vec<Term> = (1..9).map(|at| text(&end.add(&number(32, at))).eq(&number(8, 98))).collect();
        let lengths: Vec<Term> = (0..9).map(|at| end.add(&number(32, at)).ult(&length())).collect();
        let at_end: Vec<Term> = (97..99).map(|value| text(&end).eq(&number(8, value))).collect();
        let groups: [(&'static str, &[Term]); 6] = [
            ("s[c] = 'a'", &cells),
            ("s[c] = 'c'", &others),
            ("impossible", &impossible),
            ("s[k + c] = 'b'", &behind),
            ("k + c < n", &lengths),
            ("s[k] = x", &at_end),
        ];
        for (name, questions) in groups {
            let asked = ask(name, &mut stack, &path, &witness, questions);
            let by: Vec<String> = LAYERS
                .iter()
                .zip(&asked.by)
                .filter(|(_, count)| **count > 0)
                .map(|(row, count)| format!("{} {count}", row.name))
                .collect();
            let [sat, unsat] = asked.answers;
            println!("  {:16} {:>10.1?} each, {sat} sat, {unsat} unsat; {}", asked.name, asked.time, by.join(", "));
        }
        println!("  {:?}", stack.statistics().clauses);
    }
}
