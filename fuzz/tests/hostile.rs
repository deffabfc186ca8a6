//! Questions made to break the solver: each once did, or nearly.

use std::time::{Duration, Instant};
use strata_query::{Answer, Budget, Path, Reason, Solver};
use strata_solver::Pool;
use strata_term::{Op, Term, collect};

fn path(constraints: &[Term]) -> Path {
    let mut path = Path::default();
    for constraint in constraints {
        path.push(constraint.clone());
    }
    path
}

fn ask(constraints: &[Term], budget: &Budget) -> Answer {
    Pool::default().check(&path(constraints), &[], budget)
}

/// A word longer than its array: the same cell twice, and it cannot hold two values.
#[test]
fn a_fact_may_name_a_cell_twice() {
    let a = Term::array("a", 2);
    let word = |value: u64| Term::raw(Op::Eq, 1, 0, &[&a.read(&Term::number(2, 1), 8), &Term::number(64, value)]);
    assert_eq!(ask(&[word(1)], &Budget::default()), Answer::Unsat);
    assert!(matches!(ask(&[word(0x0403_0201_0403_0201)], &Budget::default()), Answer::Sat(_)));
}

/// A conjunction of shared conjunctions is as long as it has nodes, not as it has ways through them.
#[test]
fn shared_conjunctions() {
    let start = Instant::now();
    let bit = |i: u32, name: &str| Term::symbol(&format!("{name}{i}"), 1);
    let both = |op: Op, a: &Term, b: &Term| Term::raw(op, 1, 0, &[a, b]);
    let (mut all, mut any) = (Term::symbol("q", 1), Term::symbol("r", 1));
    for i in 0..200 {
        all = both(Op::And, &both(Op::And, &all, &bit(i, "x")), &both(Op::And, &all, &bit(i, "y")));
        any = both(Op::Or, &both(Op::Or, &any, &bit(i, "u")), &both(Op::Or, &any, &bit(i, "v")));
    }
    let budget = Budget::within(Duration::from_secs(5));
    assert!(matches!(ask(&[all.clone(), any.not()], &budget), Answer::Sat(_)));
    assert_eq!(ask(&[all, bit(0, "x").not()], &budget), Answer::Unsat);
    assert!(start.elapsed() < Duration::from_secs(5));
}

/// What earlier questions left in an instance does not count against a later one.
#[test]
fn memory_is_that_of_one_question() {
    let (mut pool, x) = (Pool::default(), Term::symbol("x", 64));
    let path = path(&[x.ne(&Term::number(64, 0))]);
    let budget = Budget { memory: Some(30_000_000), ..Budget::default() };
    for i in 0..6 {
        let y = Term::symbol(&format!("y{i}"), 64);
        let sum = Term::number(64, i).add(&x.mul(&y)).add(&y.mul(&y));
        let answer = pool.check(&path, &[sum.ult(&Term::number(64, 1 << 63)), y.eq(&Term::number(64, 0))], &budget);
        assert!(matches!(answer, Answer::Sat(_)), "question {i}: {}", answer.name());
    }
}

/// A long history whose places are all known by then builds no gate; the clock is looked at all the same.
#[test]
fn a_deadline_holds_while_nothing_is_built() {
    let i = Term::symbol("i", 32);
    let place = |k: u64| i.add(&Term::number(32, k));
    let written = (0..20_000).fold(Term::array("a", 32), |array, k| array.write(&place(k), &Term::number(8, k)));
    // Nothing but the binding of `i` tells that these places are not among those written.
    let far = i.mul(&Term::number(32, 3)).add(&Term::number(32, 50_000));
    let sum = (0..3000).fold(Term::number(8, 0), |sum, k| sum.xor(&written.read(&far.add(&Term::number(32, k)), 1)));
    let question = [i.eq(&Term::number(32, 5)), sum.eq(&Term::number(8, 9))];
    let start = Instant::now();
    let answer = ask(&question, &Budget::within(Duration::from_millis(200)));
    assert_eq!(answer, Answer::Unknown(Reason::Time));
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}

/// Conflicts are counted over all rounds of refinement together, not anew in each.
#[test]
fn conflicts_are_those_of_the_whole_question() {
    // Too long to become choices, over an input, so that no pieces are made of it: one round for each cell that may be meant.
    let table = Term::table(&Term::array("a", 32), vec![0; 70_000].into());
    let (x, y) = (Term::symbol("x", 8), Term::symbol("y", 8));
    let place = x.mul(&y).zext(32);
    let question = [Term::raw(Op::Read, 8, 0, &[&table, &place]).eq(&Term::number(8, 5))];
    assert_eq!(ask(&question, &Budget::default()), Answer::Unsat);
    let few = Budget { conflicts: Some(20), ..Budget::default() };
    assert_eq!(ask(&question, &few), Answer::Unknown(Reason::Conflicts));
}

/// Places that agree in 64 bits would count as equal.
#[test]
#[should_panic(expected = "at most 64")]
fn a_place_is_a_machine_word() {
    let (a, i) = (Term::array("a", 65), Term::symbol("i", 65));
    let far = i.add(&Term::number(65, 1 << 63)).add(&Term::number(65, 1 << 63));
    ask(&[a.read(&i, 1).ne(&a.read(&far, 1))], &Budget::within(Duration::from_secs(1)));
}

/// An instance takes a constraint apart into terms that nobody else holds. Were they dropped, later terms would get their ids, and
/// with them their meaning.
#[test]
fn parts_of_a_constraint_are_held() {
    let [x, y] = ["x", "y"].map(|name| Term::symbol(name, 16));
    let mut pool = Pool::default();
    let parts: Vec<Term> = (0..20).map(|k| x.mul(&y).eq(&Term::number(16, k))).collect();
    let any = parts.iter().fold(Term::bool(false), |any, part| Term::raw(Op::Or, 1, 0, &[&any, part]));
    let path = path(&[Term::raw(Op::Not, 1, 0, &[&any])]);
    assert!(matches!(pool.check(&path, &[], &Budget::default()), Answer::Sat(_)));
    collect();
    let later: Vec<Term> = (1..1000).map(|k| x.eq(&Term::number(16, k))).collect();
    for condition in &later {
        assert!(matches!(pool.check(&path, std::slice::from_ref(condition), &Budget::default()), Answer::Sat(_)));
    }
}
