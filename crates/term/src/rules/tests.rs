//! The harness over every rule of the tables, and over random terms.

use super::instances::{Random, RandomTerms, sample};
use super::measure::measure;
use super::proof::{Fault, differ_narrow, differ_wide, prove};
use super::*;
use crate::substitute::{Substitution, rebuild};
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static FIRED: RefCell<BTreeMap<&'static str, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// Called by `apply` in tests: counts, and checks that the rule went down.
pub(super) fn fired(rule: &Rule, view: &View, result: &Term) {
    FIRED.with_borrow_mut(|counts| *counts.entry(rule.name).or_default() += 1);
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
    let mut random = Random(7);
    for rule in all() {
        let mut pairs = 0;
        for width in [8, 16, 32, 64, 65, 128] {
            for (raw, simplified) in sample(rule, width, 20, &mut random) {
                pairs += 1;
                if raw.is_array() {
                    continue;
                }
                let difference = differ_wide(&raw, &simplified, 40, &mut random);
                assert!(difference.is_none(), "{}: {raw:?} {simplified:?} {difference:?}", rule.name);
            }
        }
        assert!(pairs > 0, "{}: no instance of a larger width makes it fire", rule.name);
    }
}

/// Random terms, each with an instance of a shape at the top, all shapes in turn, simplified as a whole: `differ` must not
/// tell them from the raw ones. How often each rule fired on the way is printed.
fn check_random_terms(max_width: u32, index_width: u32, count: usize, differ: fn(&Term, &Term, &mut Random) -> bool) {
    let mut terms = RandomTerms::new(3, max_width, index_width);
    for round in 0..count {
        terms.forget();
        let Some(raw) = terms.shaped(round % terms.shapes(), None, 3) else { continue };
        let simplified = rebuild(std::slice::from_ref(&raw), &Substitution::default()).remove(0);
        assert!(!differ(&raw, &simplified, &mut terms.random), "round {round}:\n{raw:?}\n{simplified:?}");
        check_stable(&simplified);
    }
    FIRED.with_borrow(|counts| counts.iter().for_each(|(name, count)| println!("{name:24} {count}")));
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
