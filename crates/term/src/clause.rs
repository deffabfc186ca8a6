//! Bounded universal clauses: `forall(bound, body)` says that the body holds for each value of
//! its bound variable from 1 to the bound.
//!
//! Invariants, checked by the constructors:
//! - A bound variable stands nowhere but in the body of a clause, and has the width of that
//!   clause's bound.
//! - Clauses do not nest. So one variable for each width is enough, and clauses that differ in
//!   the name of the variable only are one node.
//! - What `rebuild` puts in place of an input is closed, so nothing is captured below the
//!   variable.
//! - A bound has at most 16 bits: whoever evaluates or expands a clause comes to an end.

use crate::op::Op;
use crate::store::Term;
use crate::substitute::{Substitution, rebuild};
use rustc_hash::FxHashMap;

/// Upper bound on the width of a bound, in bits: a clause has at most 65,535 instances.
pub(crate) const MAX_WIDTH: u32 = 16;

/// A clause with a constant bound up to this is written as the conjunction of its instances.
const FEW: u64 = 2;

/// The bound without leading zeros that are known.
pub(crate) fn narrowed(bound: &Term) -> Term {
    match (bound.op(), bound.const_u64()) {
        (Op::ZExt, _) => bound.arg(0).clone(),
        (_, Some(value)) if bound.width() > MAX_WIDTH && value >> MAX_WIDTH == 0 => Term::number(MAX_WIDTH, value),
        _ => bound.clone(),
    }
}

/// What keeps these from being a clause, if anything does.
pub(crate) fn wrong(bound: &Term, body: &Term) -> Option<String> {
    let width = narrowed(bound).width();
    if width > MAX_WIDTH {
        return Some(format!("a bound of {width} bits: at most {MAX_WIDTH} are supported"));
    }
    if bound.is_open() {
        return Some("the bound depends on the variable of a clause".into());
    }
    let other = open(body).into_iter().find(|node| node.op() == Op::Bound && node.width() != bound.width())?;
    Some(format!("a variable of {} bits under a bound of {}", other.width(), bound.width()))
}

/// The nodes of a body that depend on the bound variable, arguments before the terms that use
/// them.
pub(crate) fn open(body: &Term) -> Vec<&Term> {
    let mut order = Vec::new();
    let mut seen = crate::walk::Seen::default();
    let mut stack = vec![(body, false)];
    while let Some((term, ready)) = stack.pop() {
        if ready {
            order.push(term);
        } else if term.is_open() && seen.insert(term.id()) {
            stack.push((term, true));
            stack.extend(term.args().iter().map(|arg| (arg, false)));
        }
    }
    order
}

impl Term {
    /// True iff `body` holds for each value of `Term::bound(bound.width())` from 1 to `bound`.
    /// The body has no other bound variable, the bound has none and at most 16 bits beside
    /// leading zeros.
    pub fn forall(bound: &Term, body: &Term) -> Term {
        if let Err(why) = crate::term::check(Op::Forall, 1, 0, &[bound, body]) {
            panic!("{why}");
        }
        if body.is_true() || bound.is_zero() {
            return Term::bool(true);
        }
        if let Some(value) = bound.const_u64().filter(|value| *value <= FEW) {
            let instances = (1..=value).map(|i| body.instance(&Term::number(bound.width(), i)));
            return instances.fold(Term::bool(true), |all, instance| all.and(&instance));
        }
        if !body.is_open() {
            return bound.eq(&Term::number(bound.width(), 0)).or(body);
        }
        if let Some(inner) = crate::walk::clauses([bound, body]).first().copied().cloned() {
            // It does not depend on the variable of this one: there is a case for each of its
            // truth values.
            let with = |value: bool| {
                let known = Substitution::from_iter([(inner.clone(), Term::bool(value))]);
                let parts = rebuild(&[bound.clone(), body.clone()], &known);
                Term::forall(&parts[0], &parts[1])
            };
            return Term::ite(&inner, &with(true), &with(false));
        }
        let narrow = narrowed(bound);
        if narrow.width() < bound.width() {
            let variable = Term::bound(narrow.width()).zext(bound.width());
            return Term::forall(&narrow, &body.instance(&variable));
        }
        Term::raw(Op::Forall, 1, 0, &[bound, body])
    }

    /// This body with `value` in place of its bound variable.
    pub fn instance(&self, value: &Term) -> Term {
        let mut done: FxHashMap<u32, Term> = FxHashMap::default();
        for node in open(self) {
            let made = match node.op() {
                Op::Bound => {
                    assert_eq!(node.width(), value.width(), "a value for a bound variable of another width");
                    value.clone()
                }
                _ => {
                    let args: Vec<&Term> = node.args().iter().map(|arg| done.get(&arg.id()).unwrap_or(arg)).collect();
                    node.with(&args)
                }
            };
            done.insert(node.id(), made);
        }
        done.remove(&self.id()).unwrap_or_else(|| self.clone())
    }
}

/// Instance `value` of a clause as a condition by itself: `value` is above the bound, or the body
/// holds for it.
pub fn guarded(clause: &Term, value: u64) -> Term {
    debug_assert_eq!(clause.op(), Op::Forall);
    let (bound, body) = (clause.arg(0), clause.arg(1));
    let value = Term::number(bound.width(), value);
    bound.ult(&value).or(&body.instance(&value))
}

/// `roots` with all instances of a clause in its place. `most` gives the largest value that the
/// bound of a clause can have; without one the result is `None`.
pub fn expand(roots: &[Term], mut most: impl FnMut(&Term) -> Option<u64>) -> Option<Vec<Term>> {
    let mut known = Substitution::default();
    for clause in crate::walk::clauses(roots) {
        let most = most(clause)?;
        let all = (1..=most).fold(Term::bool(true), |all, value| all.and(&guarded(clause, value)));
        known.insert(clause.clone(), all);
    }
    Some(if known.is_empty() { roots.to_vec() } else { rebuild(roots, &known) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::Assignment;
    use crate::bits::Bits;
    use crate::eval::{Evaluator, eval, hold};
    use crate::random::Random;

    fn number(value: u64) -> Term {
        Term::number(32, value)
    }

    /// The cell before the one that the variable counts to, in the loops of programs.
    fn cell(array: &Term) -> Term {
        array.read(&Term::bound(8).zext(32).sub(&number(1)), 1)
    }

    /// A random body over cells at places that the variable gives, and over inputs.
    fn body(random: &mut Random, inputs: &[Term], array: &Term) -> Term {
        let i = Term::bound(8);
        let mut words = vec![i.clone(), cell(array), array.read(&i.zext(32).mul(&number(3)), 1), inputs[1].clone()];
        words.push(array.write(&i.zext(32), &inputs[2]).read(&number(2), 1));
        words.push(array.read(&inputs[1].zext(32), 1));
        for _ in 0..4 {
            let (a, b) = (random.pick(&words).clone(), random.pick(&words).clone());
            words.push(match random.below(6) {
                0 => a.add(&b),
                1 => a.sub(&Term::number(8, 1)),
                2 => a.xor(&b),
                3 => Term::ite(&a.ult(&b), &a, &b),
                4 => a.and(&b),
                _ => a.mul(&b),
            });
        }
        let mut conditions = Vec::new();
        for _ in 0..3 {
            let (a, b) = (random.pick(&words), random.pick(&words));
            conditions.push(match random.below(3) {
                0 => a.eq(b),
                1 => a.ult(b),
                _ => a.ne(b),
            });
        }
        conditions[0].or(&conditions[1]).and(&conditions[2].or(&conditions[0]))
    }

    fn model(random: &mut Random, inputs: &[Term], array: &Term) -> Assignment {
        let mut model = Assignment::default();
        for input in inputs {
            model.set(input, Bits::new(8, random.below(6) as u64));
        }
        (0..40).for_each(|at| model.set_cell(array, at, random.below(3) as u8));
        model
    }

    #[test]
    fn a_clause_is_its_instances() {
        let mut random = Random(3);
        let array = Term::array("a", 32);
        let inputs = ["k", "x", "y"].map(|name| Term::symbol(name, 8));
        let mut both = [0; 2];
        for _ in 0..400 {
            let body = body(&mut random, &inputs, &array);
            let (first, second) = (Term::forall(&inputs[0], &body), Term::forall(&inputs[1], &body));
            let root = first.and(&second.not().or(&inputs[2].ult(&inputs[1])));
            let expanded = expand(&[root.clone(), first.clone()], |_| Some(8)).expect("a limit is given");
            assert!(!expanded[0].has_clause());
            for _ in 0..10 {
                let model = model(&mut random, &inputs, &array);
                let k = model.get(&inputs[0]).low_u64();
                let expect = (1..=k).all(|i| eval(&body.instance(&Term::number(8, i)), &model).is_true());
                both[usize::from(expect)] += 1;
                let mut evaluator = Evaluator::new(&[first.clone(), body.instance(&Term::number(8, 1))]);
                evaluator.run(&model);
                assert_eq!(evaluator.truth(&first), expect, "{first:?}");
                assert_eq!(eval(&first, &model).is_true(), expect, "{first:?}");
                assert_eq!(hold(&[&first], &model), expect, "{first:?}");
                assert_eq!(eval(&expanded[1], &model).is_true(), expect, "{first:?}");
                assert_eq!(eval(&expanded[0], &model), eval(&root, &model));
                let other = eval(&second, &model).is_true();
                let outer = expect && (!other || model.get(&inputs[2]).low_u64() < model.get(&inputs[1]).low_u64());
                assert_eq!(eval(&root, &model).is_true(), outer);
            }
        }
        assert!(both.iter().all(|count| *count > 300), "{both:?}");
    }

    #[test]
    fn inputs_are_replaced_below_the_variable() {
        let mut random = Random(5);
        let array = Term::array("a", 32);
        let inputs = ["k", "x", "y"].map(|name| Term::symbol(name, 8));
        for _ in 0..300 {
            let clause = Term::forall(&inputs[0], &body(&mut random, &inputs, &array));
            let model = model(&mut random, &inputs, &array);
            let known = Substitution::from_iter([
                (inputs[0].clone(), inputs[1].add(&inputs[2])),
                (inputs[1].clone(), Term::number(8, model.get(&inputs[1]).low_u64())),
            ]);
            let replaced = rebuild(std::slice::from_ref(&clause), &known).remove(0);
            let mut changed = model.clone();
            changed.set(&inputs[0], model.get(&inputs[1]).add(&model.get(&inputs[2])));
            assert_eq!(eval(&replaced, &model), eval(&clause, &changed), "{clause:?} {replaced:?}");
            assert!(!replaced.is_open());
        }
    }

    #[test]
    fn forms() {
        let (a, k) = (Term::array("a", 32), Term::symbol("k", 8));
        let body = cell(&a).eq(&Term::number(8, 97));
        let clause = Term::forall(&k, &body);
        let at = |i: u64| a.read(&number(i), 1).eq(&Term::number(8, 97));
        assert!(clause.has_clause() && !clause.is_open() && body.is_open() && !body.has_clause());
        assert_eq!(Term::forall(&Term::number(8, 0), &body), Term::bool(true));
        assert_eq!(Term::forall(&Term::number(8, 2), &body), at(0).and(&at(1)));
        assert_eq!(Term::forall(&k, &at(7)), k.eq(&Term::number(8, 0)).or(&at(7)));
        assert_eq!(Term::forall(&k, &Term::bool(true)), Term::bool(true));
        assert_eq!(Term::forall(&k, &Term::bool(false)), k.eq(&Term::number(8, 0)));
        assert_eq!(guarded(&clause, 3), k.ult(&Term::number(8, 3)).or(&at(2)));
        // Leading zeros of the bound say nothing: it is one clause.
        let wide = a.read(&Term::bound(64).extract(31, 0).sub(&number(1)), 1).eq(&Term::number(8, 97));
        assert_eq!(Term::forall(&k.zext(64), &wide), clause);
        assert_eq!(crate::walk::inputs([&clause]).len(), 2);
        // A clause in another is a case distinction.
        let twice = Term::forall(&Term::symbol("n", 8), &clause.xor(&cell(&a).eq(&Term::number(8, 3))));
        assert_eq!(twice.op(), Op::Ite);
        assert_eq!(rebuild(std::slice::from_ref(&twice), &Substitution::default()), [twice]);
        assert!(Term::checked(Op::Forall, 1, 0, &[&Term::symbol("n", 32), &body]).is_err());
        assert!(Term::checked(Op::Forall, 1, 0, &[&Term::symbol("n", 16), &body]).is_err());
        assert!(Term::checked(Op::Forall, 1, 0, &[&Term::bound(8), &body]).is_err());
    }

    #[test]
    #[should_panic(expected = "capture")]
    fn nothing_is_captured() {
        let (a, k) = (Term::array("a", 32), Term::symbol("k", 8));
        let clause = Term::forall(&k, &cell(&a).eq(&k));
        rebuild(&[clause], &Substitution::from_iter([(k, Term::bound(8))]));
    }

    #[test]
    fn clauses_within_are_cases() {
        let mut random = Random(11);
        let array = Term::array("a", 32);
        let inputs = ["k", "x", "y"].map(|name| Term::symbol(name, 8));
        for _ in 0..100 {
            let inner = Term::forall(&inputs[1], &body(&mut random, &inputs, &array));
            let part = body(&mut random, &inputs, &array);
            let outer = Term::forall(&inputs[0], &part.xor(&inner));
            for _ in 0..10 {
                let model = model(&mut random, &inputs, &array);
                let other = eval(&inner, &model).is_true();
                let holds = |i| eval(&part.instance(&Term::number(8, i)), &model).is_true() != other;
                let expect = (1..=model.get(&inputs[0]).low_u64()).all(holds);
                assert_eq!(eval(&outer, &model).is_true(), expect);
            }
        }
    }
}
