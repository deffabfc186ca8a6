//! Chains of a million: every walk over terms, paths and text goes on a stack of 512 KiB.

use std::time::Duration;
use strata_query::{Answer, Budget, Path, Solver};
use strata_solver::Pool;
use strata_term::text::smtlib::{Command, Parser, Sharing, print_query};
use strata_term::{Assignment, Bits, Op, Substitution, Term, eval, post_order, rebuild};

const LENGTH: u64 = 1_000_000;

fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(run).expect("a thread");
    thread.join().expect("no overflow");
}

fn ask(terms: &[Term]) -> Answer {
    let mut solver = Pool::default();
    let mut path = Path::default();
    for term in terms {
        solver.extend(&mut path, term);
    }
    solver.check(&path, &[], &Budget::within(Duration::from_secs(120)))
}

/// x, then a million operators of which none simplifies away.
fn chain() -> Term {
    let (x, y) = (Term::symbol("x", 8), Term::symbol("y", 8));
    (0..LENGTH / 2).fold(x, |chain, _| {
        let sum = Term::raw(Op::Add, 8, 0, &[&chain, &y]);
        Term::raw(Op::Xor, 8, 0, &[&sum, &y])
    })
}

#[test]
fn operators() {
    on_a_small_stack(|| {
        let chain = chain();
        assert_eq!(post_order([&chain]).len() as u64, LENGTH + 2);
        let mut model = Assignment::default();
        model.set(&Term::symbol("x", 8), Bits::new(8, 77));
        assert_eq!(eval(&chain, &model), Bits::new(8, 77), "with y = 0 nothing changes");
        let equal = Term::raw(Op::Eq, 1, 0, &[&chain, &Term::number(8, 5)]);
        let text = print_query(std::slice::from_ref(&equal), Sharing::Let);
        let mut parser = Parser::new(text.as_bytes());
        let mut read = None;
        while let Some(command) = parser.next_command().expect("what we print we read") {
            if let Command::Assert(term) = command {
                read = Some(term);
            }
        }
        assert!(read.is_some());
        let zero = Substitution::from_iter([(Term::symbol("y", 8), Term::number(8, 0))]);
        let folded = rebuild(std::slice::from_ref(&equal), &zero);
        assert_eq!(folded, [Term::symbol("x", 8).eq(&Term::number(8, 5))]);
        assert!(matches!(ask(&[equal, Term::symbol("y", 8).eq(&Term::number(8, 0))]), Answer::Sat(_)));
    });
}

#[test]
fn writes() {
    on_a_small_stack(|| {
        let (array, index) = (Term::array("a", 32), Term::symbol("i", 32));
        let value = |i: u64| Term::number(8, i % 251);
        let written = (0..LENGTH).fold(array, |array, i| array.write(&Term::number(32, 3 * i), &value(i)));
        assert_eq!(written.read(&Term::number(32, 3 * 1000), 1), value(1000));
        let read = written.read(&index, 1);
        let mut model = Assignment::default();
        model.set(&index, Bits::new(32, 3 * 777));
        assert_eq!(eval(&read, &model), Bits::new(8, 777 % 251));
        let text = print_query(&[read.eq(&Term::number(8, 7))], Sharing::Let);
        assert!(text.len() > LENGTH as usize);
        let near = |from: u64| [Term::number(32, 3 * from).ule(&index), index.ult(&Term::number(32, 3 * from + 6))];
        let question = |from: u64, value: u64| ask(&[&near(from)[..], &[read.eq(&Term::number(8, value))]].concat());
        // Two of the six cells are written; the others are inputs.
        assert!(matches!(question(500, 250), Answer::Sat(_)));
        let outside = index.urem(&Term::number(32, 3)).ne(&Term::number(32, 0)).not();
        assert_eq!(ask(&[&near(500)[..], &[outside, read.eq(&Term::number(8, 9))]].concat()), Answer::Unsat);
    });
}

#[test]
fn paths() {
    on_a_small_stack(|| {
        let (x, mut solver, mut path) = (Term::symbol("x", 32), Pool::default(), Path::default());
        for i in 0..LENGTH {
            solver.extend(&mut path, &x.ne(&Term::number(32, 2 * i)));
        }
        let budget = Budget::within(Duration::from_secs(120));
        assert!(!matches!(solver.check(&path, &[], &budget), Answer::Unsat));
        assert_eq!(solver.check(&path, &[x.eq(&Term::number(32, 4))], &budget), Answer::Unsat);
    });
}

/// Terms are shared by threads: equal ones are one, whoever makes them, and all are freed.
#[test]
fn threads() {
    let make = |seed: u64| {
        let x = Term::symbol("shared", 64);
        let mut kept = Vec::new();
        for i in 0..200_000u64 {
            let term = x.mul(&Term::number(64, i % 1000 + 2)).add(&Term::number(64, i ^ seed));
            if i % 1000 == 7 {
                kept.push(x.mul(&Term::number(64, i % 977 + 2)));
            }
            std::hint::black_box(term);
        }
        kept
    };
    let threads: Vec<_> = (0..4).map(|seed| std::thread::spawn(move || make(seed))).collect();
    let results: Vec<Vec<Term>> = threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "equal terms have one handle");
}
