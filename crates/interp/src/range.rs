//! An interval that holds all values of a term, read off its shape: no question to the solver.
//!
//! An index is often masked, divided or a narrow value widened, and then its shape alone says that it stays within a few bytes
//! of a large object. What is known of a part (bounds that the solver gave earlier on the path) is used where the part occurs.
//! Sound: each row is the interval of the operator over the arguments' intervals, and the whole width where a sum or a
//! product may wrap for some of the values and not for others.
//!
//! Rejected: following the whole term. Terms may be a million nodes deep, and what lies deep says little: `DEPTH` levels are looked at.

use strata_term::{Op, Term, mask};

/// How far down a term is looked at.
const DEPTH: u32 = 8;

/// The least and the largest value that a term's shape allows; `known` tells what is known of a part.
pub(crate) fn range(term: &Term, known: &dyn Fn(&Term) -> Option<(u64, u64)>) -> (u64, u64) {
    down(term, known, DEPTH)
}

fn down(term: &Term, known: &dyn Fn(&Term) -> Option<(u64, u64)>, depth: u32) -> (u64, u64) {
    let width = term.width();
    if width > 64 {
        return (0, u64::MAX);
    }
    if let Some(value) = term.const_u64() {
        return (value, value);
    }
    if let Some(found) = known(term) {
        return found;
    }
    if depth == 0 {
        return (0, mask(width));
    }
    shaped(term, &|i| down(term.arg(i), known, depth - 1)).unwrap_or((0, mask(width)))
}

/// The interval of an operator over those of its arguments. `None`: any value.
fn shaped(term: &Term, arg: &dyn Fn(usize) -> (u64, u64)) -> Option<(u64, u64)> {
    let width = term.width();
    match term.op() {
        Op::And => Some((0, arg(0).1.min(arg(1).1))),
        Op::Or => {
            let (a, b) = (arg(0), arg(1));
            Some((a.0.max(b.0), ones(a.1 | b.1)))
        }
        Op::Xor => Some((0, ones(arg(0).1 | arg(1).1))),
        Op::Add => {
            let (a, b) = (arg(0), arg(1));
            within(width, a.0 as u128 + b.0 as u128, a.1 as u128 + b.1 as u128)
        }
        Op::Sub => {
            let (a, b) = (arg(0), arg(1));
            // One full turn more keeps it from going below zero.
            let turn = 1u128 << width;
            within(width, turn + a.0 as u128 - b.1 as u128, turn + a.1 as u128 - b.0 as u128)
        }
        Op::Mul => {
            let (a, b) = (arg(0), arg(1));
            within(width, a.0 as u128 * b.0 as u128, a.1 as u128 * b.1 as u128)
        }
        Op::UDiv => {
            let (a, b) = (arg(0), arg(1));
            (b.0 > 0).then(|| (a.0 / b.1, a.1 / b.0))
        }
        Op::URem => {
            let (a, b) = (arg(0), arg(1));
            // A zero divisor leaves the dividend.
            Some((0, if b.0 > 0 { a.1.min(b.1 - 1) } else { a.1 }))
        }
        Op::LShr => Some((0, arg(0).1)),
        Op::Concat => {
            let (high, low, shift) = (arg(0), arg(1), term.arg(1).width());
            Some((high.0 << shift | low.0, high.1 << shift | low.1))
        }
        Op::Extract if term.arg(0).width() <= 64 => {
            let (low, high) = arg(0);
            within(width, (low >> term.low()).into(), (high >> term.low()).into())
        }
        Op::ZExt => Some(arg(0)),
        Op::SExt => Some(arg(0)).filter(|a| a.1 <= mask(term.arg(0).width() - 1)),
        Op::Ite => {
            let (a, b) = (arg(1), arg(2));
            Some((a.0.min(b.0), a.1.max(b.1)))
        }
        Op::Not | Op::SDiv | Op::SRem | Op::Shl | Op::AShr | Op::Extract => None,
        Op::Const | Op::Symbol | Op::Eq | Op::Ult | Op::Slt | Op::Read => None,
        Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Bound | Op::Forall => None,
    }
}

/// The interval modulo the width, if all of it lies within the same turn.
fn within(width: u32, low: u128, high: u128) -> Option<(u64, u64)> {
    let mask = mask(width);
    (low >> width == high >> width).then_some((low as u64 & mask, high as u64 & mask))
}

/// All bits up to the highest that is set.
fn ones(value: u64) -> u64 {
    if value == 0 { 0 } else { u64::MAX >> value.leading_zeros() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_query::Model;
    use strata_term::{Bits, eval};

    fn unknown(_: &Term) -> Option<(u64, u64)> {
        None
    }

    fn byte(name: &str) -> Term {
        Term::symbol(name, 8)
    }

    #[track_caller]
    fn check(term: &Term, expect: (u64, u64)) {
        assert_eq!(range(term, &unknown), expect);
    }

    #[test]
    fn an_index_within_a_few_bytes() {
        let number = |value| Term::number(64, value);
        let x = byte("x").zext(64);
        check(&x, (0, 255));
        check(&x.add(&number(3)).and(&number(15)).add(&number(1000)), (1000, 1015));
        check(&x.urem(&number(10)).mul(&number(4)), (0, 36));
        check(&x.udiv(&number(16)), (0, 15));
        check(&x.add(&number(4096)).sub(&number(4096)), (0, 255));
        check(&x.sub(&number(1)), (0, u64::MAX));
        check(&byte("x").add(&byte("y")), (0, 255));
    }

    #[test]
    fn what_is_known_of_a_part() {
        let x = byte("x");
        let known = |term: &Term| (*term == byte("x")).then_some((3, 7));
        assert_eq!(range(&x.zext(64).add(&Term::number(64, 100)), &known), (103, 107));
        assert_eq!(range(&x.sub(&Term::number(8, 10)), &known), (249, 253));
    }

    #[test]
    fn deep_terms_cost_no_more() {
        let mut term = byte("x").zext(64);
        for i in 0..100_000 {
            term = Term::raw(Op::Xor, 64, 0, &[&term, &Term::number(64, i)]);
        }
        check(&term, (0, u64::MAX));
    }

    /// Every operator on all values of two inputs of three bits.
    #[test]
    fn no_value_lies_outside() {
        let (x, y) = (Term::symbol("x", 3), Term::symbol("y", 3));
        let parts = [x.clone(), y.clone(), Term::number(3, 5), x.and(&Term::number(3, 3)), x.add(&y)];
        let mut terms = Vec::new();
        for a in &parts {
            for b in &parts {
                let ops = [Op::And, Op::Or, Op::Xor, Op::Add, Op::Sub, Op::Mul, Op::UDiv, Op::SDiv, Op::URem, Op::SRem];
                terms.extend(ops.map(|op| Term::raw(op, 3, 0, &[a, b])));
                terms.extend([Op::Shl, Op::LShr, Op::AShr].map(|op| Term::raw(op, 3, 0, &[a, b])));
                terms.push(Term::raw(Op::Concat, 6, 0, &[a, b]));
                terms.push(Term::raw(Op::Extract, 2, 1, &[a]));
                terms.push(Term::raw(Op::SExt, 5, 0, &[a]));
                terms.push(Term::raw(Op::ZExt, 5, 0, &[a]));
                terms.push(Term::raw(Op::Ite, 3, 0, &[&Term::raw(Op::Ult, 1, 0, &[a, &x]), a, b]));
            }
        }
        let deeper: Vec<Term> = terms.iter().map(|t| t.zext(8).add(&Term::number(8, 250))).collect();
        for term in terms.iter().chain(&deeper) {
            let (low, high) = range(term, &unknown);
            for values in 0..64 {
                let mut model = Model::default();
                model.set(&x, Bits::new(3, values & 7));
                model.set(&y, Bits::new(3, values >> 3));
                let value = eval(term, &model).low_u64();
                assert!(low <= value && value <= high, "{term:?}: {value} outside {low}..={high}");
            }
        }
    }
}
