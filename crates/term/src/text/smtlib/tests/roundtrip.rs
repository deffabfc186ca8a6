//! What is printed is read back as the same term.

use super::assignment;
use super::{Random, assertions};
use crate::eval::eval;
use crate::op::Op;
use crate::store::Term;
use crate::text::smtlib::{Session, Sharing, print_query, print_term};

/// Terms with this operator at the top, over inputs of `width` bits; `make` builds them.
fn samples(op: Op, width: u32, make: fn(Op, u32, u32, &[&Term]) -> Term) -> Vec<Term> {
    let (x, y, p) = (Term::symbol("x", width), Term::symbol("y", width), Term::symbol("p", 1));
    let (a, i) = (Term::array("a", 32), Term::symbol("i", 32));
    let c = Term::number(width, 6);
    match op {
        Op::Const => vec![c, Term::constant(crate::bits::Bits::ones(width))],
        Op::Symbol => vec![x],
        Op::Not => vec![make(op, width, 0, &[&x])],
        Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => {
            vec![make(op, width, 0, &[&x, &y]), make(op, width, 0, &[&x, &c]), make(op, width, 0, &[&c, &x])]
        }
        Op::Shl | Op::LShr | Op::AShr => vec![make(op, width, 0, &[&x, &y]), make(op, width, 0, &[&x, &c])],
        Op::Concat => vec![make(op, 2 * width, 0, &[&x, &y]), make(op, width + 1, 0, &[&p, &x])],
        Op::Extract => vec![make(op, 1, width - 1, &[&x]), make(op, width.div_ceil(2), width / 2, &[&x])],
        Op::ZExt | Op::SExt => vec![make(op, width + 1, 0, &[&x]), make(op, 2 * width, 0, &[&x])],
        Op::Eq | Op::Ult | Op::Slt => vec![make(op, 1, 0, &[&x, &y]), make(op, 1, 0, &[&x, &c])],
        Op::Ite => {
            let written = make(Op::Write, 32, 0, &[&a, &i, &Term::number(8, 3)]);
            vec![make(op, width, 0, &[&p, &x, &y]), make(op, 32, 0, &[&p, &a, &written])]
        }
        Op::ArraySymbol => vec![a],
        Op::Bound => vec![],
        Op::Forall => {
            let bound = Term::symbol("z", width.min(16));
            let at = Term::bound(bound.width()).resize(32);
            let cell = a.read(&at.sub(&Term::number(32, 1)), 2);
            // Used more than once: in the body alone, in several clauses, and outside as well.
            let body = cell.ult(&cell.mul(&cell)).and(&x.mul(&x).ult(&y.mul(&x))).and(&at.ult(&i));
            let other = cell.eq(&Term::number(16, 9)).or(&p);
            let (first, second) = (make(op, 1, 0, &[&bound, &body]), make(op, 1, 0, &[&bound, &other]));
            vec![first.clone(), second.clone(), first.not().xor(&second.and(&x.mul(&x).eq(&y)))]
        }
        Op::Fill => vec![Term::fill(32, &Term::symbol("v", 8))],
        Op::Table => vec![Term::table(&a, vec![1, 2, 3].into()), Term::constant_array(32, vec![9; 20].into())],
        Op::Write => vec![make(op, 32, 0, &[&a, &i, &Term::symbol("v", 8)])],
        Op::Read => {
            let next = i.add(&Term::number(32, 3));
            let written = make(Op::Write, 32, 0, &[&a, &Term::symbol("j", 32), &Term::symbol("v", 8)]);
            vec![
                make(op, 8, 0, &[&a, &i]),
                make(op, 32, 0, &[&a, &i]),
                make(op, 32, 0, &[&a, &next]),
                make(op, 16, 0, &[&a, &Term::number(32, u64::from(u32::MAX))]),
                make(op, 64, 0, &[&written, &i.mul(&i)]),
            ]
        }
    }
}

/// A truth value that depends on `term`.
fn condition(term: &Term) -> Term {
    let bits = if term.is_array() { term.read(&Term::symbol("k", term.width()), 1) } else { term.clone() };
    if bits.width() == 1 { bits } else { bits.eq(&Term::symbol("r", bits.width())) }
}

fn read_back(root: &Term, sharing: Sharing) -> Term {
    let text = print_query(std::slice::from_ref(root), sharing);
    let read = assertions(&text);
    assert_eq!(read.len(), 1, "{text}");
    read[0].clone()
}

fn has_table(root: &Term) -> bool {
    crate::walk::post_order([root]).iter().any(|term| term.op() == Op::Table)
}

#[test]
fn every_operator() {
    let make = |op, width, low, args: &[&Term]| Term::checked(op, width, low, args).expect("a well-sorted sample");
    for op in Op::ALL {
        for width in [1, 4, 8, 13, 64, 100] {
            for sample in samples(*op, width, make) {
                let root = condition(&sample);
                for sharing in [Sharing::Let, Sharing::Define] {
                    // A table is written as stores, which are read as writes: equal in meaning only.
                    if !has_table(&root) {
                        assert_eq!(read_back(&root, sharing), root, "{op:?} at {width}");
                    }
                }
            }
        }
    }
}

/// Terms as the constructors do not leave them, such as `bvult` of single bits, keep their meaning.
#[test]
fn every_raw_operator_by_value() {
    let mut random = Random(7);
    for op in Op::ALL {
        for width in [1, 8, 13, 70] {
            for sample in samples(*op, width, Term::raw) {
                let root = condition(&sample);
                let read = read_back(&root, Sharing::Let);
                for _ in 0..50 {
                    let model = assignment(&mut random, std::slice::from_ref(&root));
                    assert_eq!(eval(&read, &model), eval(&root, &model), "{op:?} at {width}: {}", print_term(&root));
                }
            }
        }
    }
}

/// Bits and truth values meet in every way.
#[test]
fn borders() {
    let (x, p, q) = (Term::symbol("x", 8), Term::symbol("p", 1), Term::symbol("q", 1));
    let bit = x.extract(3, 3);
    for root in [
        bit.clone(),
        bit.not(),
        bit.and(&p),
        p.add(&q),
        p.add(&bit).xor(&q),
        p.concat(&bit).eq(&Term::number(2, 2)),
        Term::ite(&bit, &p, &q),
        Term::ite(&p.mul(&q), &bit, &q),
        p.ult(&q),
        p.zext(9).eq(&x.zext(9)),
        Term::array("a", 1).read(&p, 1).eq(&x),
    ] {
        assert_eq!(read_back(&root, Sharing::Let), root);
        assert_eq!(read_back(&root, Sharing::Define), root);
    }
}

#[test]
fn scripts_as_text() {
    let (x, p) = (Term::symbol("x", 8), Term::symbol("p", 1));
    let sum = x.udiv(&Term::number(8, 3));
    let roots = [sum.ult(&x.mul(&sum)), p.and(&x.extract(0, 0))];
    let head = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(declare-fun p () Bool)\n";
    let mut expect = head.to_string();
    expect += "(assert (let (($t1 (bvudiv x #x03))) (bvult $t1 (bvmul x $t1))))\n";
    expect += "(assert (and p (= ((_ extract 0 0) x) #b1)))\n(check-sat)\n";
    let text = print_query(&roots, Sharing::Let);
    // The arguments of commutative operators stand in the order of their ids.
    let normal = text
        .replace("(bvmul $t1 x)", "(bvmul x $t1)")
        .replace("(and (= ((_ extract 0 0) x) #b1) p)", "(and p (= ((_ extract 0 0) x) #b1))");
    assert_eq!(normal, expect);
    let defined = print_query(&roots, Sharing::Define);
    assert!(defined.contains("(define-fun $t1 () (_ BitVec 8) (bvudiv x #x03))\n(assert (bvult $t1 "), "{defined}");
}

#[test]
fn names_that_need_care() {
    let names = ["x y", "", "let", "assert", "$t1", "a|b", "bvadd", "größe", "1st"];
    let symbols: Vec<Term> = names.iter().map(|name| Term::symbol(name, 8)).collect();
    let others = [Term::symbol("x y", 16), Term::symbol("x y", 1), Term::array("x y", 8)];
    let all = symbols.iter().fold(Term::number(8, 0), |sum, symbol| sum.udiv(symbol));
    let shared = all.mul(&all.udiv(&others[0].extract(7, 0)));
    let root = [shared.ult(&others[2].read(&all, 1)).and(&others[1])];
    let read = assertions(&print_query(&root, Sharing::Let));
    let inputs = crate::walk::inputs(&read);
    assert_eq!(inputs.len(), names.len() + others.len());
    let mut names: Vec<&str> = inputs.iter().map(|input| input.name().unwrap()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), inputs.len());
}

#[test]
fn a_session_says_everything_once() {
    let (x, a) = (Term::symbol("x", 32), Term::array("a", 32));
    let word = a.read(&x, 4);
    let first = word.ult(&x);
    let second = word.udiv(&x).ult(&word);
    let mut session = Session::new();
    assert_eq!(session.name(&word), None);
    let (mut one, mut two, mut three) = (String::new(), String::new(), String::new());
    session.assert(&first, &mut one);
    session.assert(&second, &mut two);
    session.assert(&first, &mut three);
    assert_eq!(one.matches("(select a").count(), 4, "{one}");
    assert_eq!(two.matches("(select a").count(), 0, "{two}");
    assert_eq!(three.lines().count(), 1, "{three}");
    assert_eq!(session.name(&x).as_deref(), Some("x"));
    let name = session.name(&word).expect("it was defined");
    assert!(one.contains(&format!("(define-fun {name} () (_ BitVec 32) ")), "{one}");
    let script = format!("{}{one}(push){two}(pop){three}", Session::PREAMBLE);
    assert_eq!(assertions(&script), [first.clone(), second, first]);
}

#[test]
fn a_session_writes_clauses_where_they_stand() {
    let (k, n, a) = (Term::symbol("k", 8), Term::symbol("n", 8), Term::array("a", 32));
    let cell = a.read(&Term::bound(8).zext(32), 1);
    let first = Term::forall(&k, &cell.mul(&cell).ult(&n.mul(&n)));
    let second = Term::forall(&n, &cell.mul(&cell).eq(&k)).not();
    let mut session = Session::new();
    let mut text = String::new();
    session.assert(&first, &mut text);
    session.assert(&second, &mut text);
    session.assert(&first, &mut text);
    // What has the variable is named in the clause, and what has not is named outside.
    assert!(text.lines().filter(|line| line.contains("$x")).all(|line| line.contains("(forall (($x ")), "{text}");
    assert_eq!(assertions(&format!("{}{text}", Session::PREAMBLE)), [first.clone(), second, first]);
}
