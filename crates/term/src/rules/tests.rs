//! The harness over every rule of the tables, and over random terms.

use super::instances::{RandomTerms, sample};
use super::measure::measure;
use super::proof::{Fault, differ_narrow, differ_wide, prove};
use super::*;
use crate::random::Random;
use crate::substitute::{Substitution, rebuild};
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    /// How often each rule fired in this thread, if somebody watches.
    static FIRED: RefCell<Option<BTreeMap<&'static str, u64>>> = const { RefCell::new(None) };
}

/// From now on every firing in this thread is counted and measured, which takes time in proportion to the terms' sizes.
fn watch() {
    FIRED.set(Some(BTreeMap::new()));
}

/// Called by `apply` in tests: counts, and checks that the rule went down.
pub(super) fn fired(rule: &Rule, view: &View, result: &Term) {
    let watched = FIRED
        .with_borrow_mut(|counts| counts.as_mut().map(|counts| *counts.entry(rule.name).or_default() += 1).is_some());
    if !watched {
        return;
    }
    let raw = Term::raw(view.op, view.width, view.low, view.args);
    assert!(measure(result) < measure(&raw), "rule {} does not go down:\n{raw:?}\n{result:?}", rule.name);
}

#[test]
fn names_are_distinct() {
    let mut names: Vec<&str> = all().map(|rule| rule.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

/// Every rule, on all instances up to four bits and all inputs.
#[test]
fn every_rule_is_right_on_small_widths() {
    watch();
    let mut faults = Vec::new();
    for (table, rules) in TABLES {
        for rule in *rules {
            match prove(rule, 4) {
                Ok(tally) => println!("{table:10} {:24} {tally:?}", rule.name),
                Err(fault) => faults.push(format!("{}: {fault:?}", rule.name)),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Samples of larger widths on corner and random inputs; the solver's tests prove such pairs.
#[test]
fn every_rule_is_right_on_large_widths() {
    watch();
    let mut random = Random(7);
    for rule in all() {
        let mut pairs = 0;
        for width in [8, 16, 32, 64, 65, 128] {
            for (raw, simplified) in sample(rule, width, 20, &mut random) {
                pairs += 1;
                let difference = differ_wide(&raw, &simplified, 40, &mut random);
                assert!(difference.is_none(), "{}: {raw:?} {simplified:?} {difference:?}", rule.name);
            }
        }
        assert!(pairs > 0, "{}: no instance of a larger width makes it fire", rule.name);
    }
}

/// Random terms, each with an instance of a shape at the top, all shapes in turn, simplified as a whole: `differ`
/// must not tell them from the raw ones. How often each rule fired on the way is printed.
fn check_random_terms(max_width: u32, index_width: u32, count: usize, differ: fn(&Term, &Term, &mut Random) -> bool) {
    watch();
    let mut terms = RandomTerms::new(3, max_width, index_width);
    for round in 0..count {
        terms.forget();
        let Some(raw) = terms.shaped(round % terms.shapes(), None, 3) else { continue };
        let simplified = rebuild(std::slice::from_ref(&raw), &Substitution::default()).remove(0);
        assert!(!differ(&raw, &simplified, &mut terms.random), "round {round}:\n{raw:?}\n{simplified:?}");
        check_stable(&simplified);
    }
    FIRED.take().unwrap_or_default().iter().for_each(|(name, count)| println!("{name:24} {count}"));
}

#[test]
fn random_small_terms_keep_their_value() {
    check_random_terms(6, 2, 150_000, |raw, simplified, random| differ_narrow(raw, simplified, 8, random).is_err());
}

#[test]
fn random_large_terms_keep_their_value() {
    check_random_terms(130, 32, 50_000, |raw, simplified, random| differ_wide(raw, simplified, 16, random).is_some());
}

/// Simplifying what is simplified changes nothing.
fn check_stable(simplified: &Term) {
    let again = rebuild(std::slice::from_ref(simplified), &Substitution::default()).remove(0);
    assert_eq!(&again, simplified, "not a normal form");
}

#[test]
fn a_wrong_rule_is_caught() {
    let wrong = |v: &View| Some(v.b().ult(v.a()).not());
    let rule = Rule { name: "wrong", op: Op::Ult, shape: "(ult x c)", apply: wrong };
    assert!(matches!(prove(&rule, 4), Err(Fault::Differs { .. } | Fault::Rises { .. })));
    let off_by_one = |v: &View| v.b().as_const().map(|c| v.a().eq(&Term::constant(c.sub(&Bits::one(c.width())))));
    let rule = Rule { name: "off by one", op: Op::Ult, shape: "(ult x c)", apply: off_by_one };
    assert!(matches!(prove(&rule, 4), Err(Fault::Differs { .. })));
}

#[test]
fn a_rule_that_never_fires_is_caught() {
    let rule = Rule { name: "never", op: Op::And, shape: "(and x y)", apply: |_| None };
    assert!(matches!(prove(&rule, 3), Err(Fault::NeverFires(0))));
}

#[test]
fn a_rule_that_rises_is_caught() {
    let rises = |v: &View| Some(Term::raw(Op::Sub, v.width, 0, &[v.a(), &v.b().neg()]));
    let rule = Rule { name: "rises", op: Op::Add, shape: "(add x y)", apply: rises };
    assert!(matches!(prove(&rule, 3), Err(Fault::Rises { .. })));
}

/// What programs and other tools write, and the normal form in which the layers above see it.
#[test]
fn normal_forms() {
    let (x, y, p) = (&Term::symbol("x", 32), &Term::symbol("y", 32), &Term::symbol("p", 1));
    let (small, a) = (&Term::symbol("b", 8), &Term::array("a", 32));
    let n = |value: u64| Term::number(32, value);
    let (yes, no) = (&Term::bool(true), &Term::bool(false));
    let choice = Term::ite(p, yes, no);
    let byte = |i: u64| a.read(&y.add(&n(i)), 1).zext(32);
    let check = |what: &str, made: Term, wanted: Term| assert_eq!(made, wanted, "{what}");

    check("(= false (= 3 x))", no.eq(&n(3).eq(x)), x.ne(&n(3)));
    check("(= false (< x y))", no.eq(&x.ult(y)), x.ult(y).not());
    check("choice, extended, cut, compared", no.ult(&choice.zext(8).extract(0, 0)), p.clone());
    check("int of a condition is not 0", Term::ite(p, &n(1), &n(0)).ne(&n(0)), p.clone());
    check("!cond as int", Term::ite(p, &n(0), &n(1)).eq(&n(0)), p.clone());
    check("cond ^ 1", p.zext(32).xor(&n(1)).is_nonzero(), p.not());
    check("x >= 3", x.ult(&n(3)).not(), n(2).ult(x));
    check("x <= 3", n(3).ult(x).not(), x.ult(&n(4)));
    check("x >= 3, signed", x.slt(&n(3)).not(), n(2).slt(x));
    check("x > 0", n(0).ult(x), x.ne(&n(0)));
    check("x < 1", x.ult(&n(1)), x.eq(&n(0)));
    check("char < 300", small.zext(32).slt(&n(300)), yes.clone());
    check("char < 65", small.sext(32).slt(&n(65)), small.slt(&Term::number(8, 65)));
    check("char range", small.sext(32).sub(&n(48)).eq(&n(5)), small.eq(&Term::number(8, 53)));
    check("x - 3 = 4", x.sub(&n(3)).eq(&n(4)), x.eq(&n(7)));
    check("x * 12 = 24", x.mul(&n(12)).eq(&n(24)), x.extract(29, 0).eq(&Term::number(30, 2)));
    check("(x + 1) * 4 - 4", x.add(&n(1)).mul(&n(4)).sub(&n(4)), x.shl(&n(2)));
    check("offsets", x.add(&n(4)).add(&y.add(&n(8))).sub(&n(12)), x.add(y));
    check("cut sum", x.zext(64).add(&Term::number(64, 7)).extract(31, 0), x.add(&n(7)));
    check("x >> 8 & 255", x.lshr(&n(8)).and(&n(255)), x.extract(15, 8).zext(32));
    check("bit test", x.and(&n(8)).is_nonzero(), x.extract(3, 3));
    check("word of bytes, upwards", byte(0).or(&byte(1).shl(&n(8))), a.read(y, 2).zext(32));
    check("whole word, upwards", word(&[0, 1, 2, 3], &byte), a.read(y, 4));
    check("whole word, downwards", word(&[3, 2, 1, 0], &byte), a.read(y, 4));
    check("byte of word", a.read(y, 4).extract(15, 8), a.read(&y.add(&n(1)), 1));
    check("word written, read", a.write(y, x).read(y, 4), x.clone());
    check("beside a write", a.write(y, x).read(&y.add(&n(4)), 2), a.read(&y.add(&n(4)), 2));
    check("halves", x.extract(31, 16).concat(&x.extract(15, 0)), x.clone());
    check("division by 8", x.udiv(&n(8)).mul(&n(0)).add(&x.urem(&n(8))), x.and(&n(7)));
    check("char % char", small.sext(32).srem(&small.sext(32)), n(0));
}

/// Bytes shifted to their places and or-ed in this order.
fn word(order: &[u64], byte: &dyn Fn(u64) -> Term) -> Term {
    let zero = Term::number(32, 0);
    order.iter().fold(zero, |word, i| word.or(&byte(*i).shl(&Term::number(32, 8 * i))))
}

/// Rules may follow each other down a chain, but not for long: neither stack nor time grows with its length.
#[test]
fn long_chains() {
    const LENGTH: u64 = 100_000;
    let (x, array) = (Term::symbol("x", 32), Term::array("a", 32));
    let n = |value: u64| Term::number(32, value);
    let sum = (0..LENGTH).fold(x.clone(), |sum, i| sum.add(&Term::symbol(&format!("y{}", i % 100), 32)).add(&n(i)));
    let peeled = (0..LENGTH).fold(x.clone(), |t, i| t.add(&n(2 * i + 1)).xor(&n(i + 1)));
    let conditions = (0..LENGTH).fold(Term::bool(true), |all, i| all.and(&x.ult(&n(i + 5)).not()));
    let choices = (0..LENGTH).fold(x.clone(), |t, i| Term::ite(&x.eq(&n(i)), &n(i + 1), &t));
    let writes = (0..LENGTH).fold(array, |array, i| array.write(&n(i), &x.extract(7, 0)));
    assert_eq!(sum.sub(&sum), n(0));
    assert_eq!(peeled.eq(&n(1)).width(), 1);
    assert_eq!(conditions.not().not(), conditions);
    assert_eq!(choices.eq(&n(0)).width(), 1);
    assert_eq!(writes.read(&n(0), 1), x.extract(7, 0));
}
