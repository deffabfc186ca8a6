//! Which names mean what where.

use super::{assertions, commands};
use crate::store::Term;

#[test]
fn pop_removes_declarations() {
    let (bits, bool) = ("(declare-const x (_ BitVec 8))", "(declare-const x Bool)");
    assert_eq!(assertions(&format!("(push){bits}(pop){bool}(assert x)")), [Term::symbol("x", 1)]);
    assert_eq!(assertions(&format!("(push 2){bits}(pop 2){bool}(assert x)")), [Term::symbol("x", 1)]);
    assert!(commands(&format!("{bits}(push)(pop){bool}")).is_err());
    assert!(commands(&format!("(push){bits}(push)(pop){bool}")).is_err());
    assert!(commands(&format!("{bits}(reset){bool}")).is_ok());
    assert!(commands(&format!("{bits}(reset-assertions){bool}")).is_ok());
    let global = "(set-option :global-declarations true)";
    assert!(commands(&format!("{global}(push){bits}(pop){bool}")).is_err());
    assert!(commands(&format!("{global}(push){bits}(pop)(assert (= x x))")).is_ok());
    assert!(commands(&format!("{global}{bits}(reset){bool}")).is_ok());
    assert!(commands("(push)(assert (! true :named n))(pop)(assert n)").is_err());
    assert!(commands("(push)(define-fun f ((v Bool)) Bool v)(pop)(assert (f true))").is_err());
}

#[test]
fn let_binds_in_parallel_and_restores() {
    let (x, y) = (Term::symbol("x", 1), Term::symbol("y", 1));
    let check = |text: &str, expect: Term| {
        let script = format!("(declare-const x Bool)(declare-const y Bool)(assert {text})");
        assert_eq!(assertions(&script), [expect], "{text}");
    };
    check("(let ((x y) (y x)) (and x (not y)))", y.and(&x.not()));
    check("(and (let ((x y)) x) x)", y.and(&x));
    check("(let ((x y)) (let ((x (not x))) x))", y.not());
    check("(let ((bvadd x)) bvadd)", x.clone());
    check("(let ((|y| x)) y)", x.clone());
    check("(let ((x (let ((x y)) (not x)))) x)", y.not());
}

#[test]
fn functions_are_expanded() {
    let (x, y) = (Term::symbol("x", 8), Term::symbol("y", 8));
    let a = Term::array("a", 8);
    let script = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
        (define-fun f ((x (_ BitVec 8)) (y (_ BitVec 8))) (_ BitVec 8) (bvsub y x))
        (define-fun g ((x (_ BitVec 8))) Bool (= (f x y) (f y x)))
        (define-fun h ((m (Array (_ BitVec 8) (_ BitVec 8)))) (_ BitVec 8) (select m x))
        (assert (g (f x y)))(assert (= (h (store a x y)) (h a)))";
    let difference = y.sub(&x);
    let first = y.sub(&difference).eq(&difference.sub(&y));
    assert_eq!(assertions(script), [first, y.eq(&a.read(&x, 1))]);
}
