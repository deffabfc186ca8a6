//! What is wrong is said, and where.

use super::commands;
use crate::text::smtlib::Parser;

fn check(script: &str, expect: &str) {
    match commands(script) {
        Ok(read) => panic!("{script:?} was read as {read:?}"),
        Err(error) => assert_eq!(error.to_string(), expect, "{script:?}"),
    }
}

/// A term with bytes `x` and `y`, a word `w`, a truth value `p`, a bit `b` and an array `a`, on line 2 from column 9 on.
fn check_term(text: &str, expect: &str) {
    let declarations = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const w (_ BitVec 32))\
                        (declare-const p Bool)(declare-const b (_ BitVec 1))(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))";
    check(&format!("{declarations}\n(assert {text})"), expect);
}

#[test]
fn scripts() {
    check("\n\n(assert true", "3:13: unexpected end of file: `(assert` at 3:1 is not closed");
    check("(", "1:2: unexpected end of file: `(` at 1:1 is not closed");
    check("(assert (= #b1 #b", "1:16: expected binary digits after `#b`");
    check("(foo)", "1:2: unknown command `foo`");
    check(")", "1:1: unexpected `)`: expected `(` of a command");
    check("assert", "1:1: unexpected `assert`: expected `(` of a command");
    check("(assert true false)", "1:14: unexpected `false`: expected `)`, because the command is complete");
    check("(echo |x|)", "1:7: unexpected `x`: expected a string");
    check("(echo \"x)", "1:7: unexpected end of file: this string is not closed");
    check("(declare-const |x Bool)", "1:16: unexpected end of file: this `|` is not closed");
    check("(assert [)", "1:9: unexpected character `[`");
    check("(assert \u{1})", "1:9: not text: byte 0x01");
    check("(assert é)", "1:9: not text: byte 0xc3");
    check(
        "(set-logic QF_AX)",
        "1:12: the logic `QF_AX` is not supported: expected one of QF_BV, QF_ABV, QF_AUFBV, ALL",
    );
    check("(declare-sort S 0)", "1:2: `declare-sort` is not supported");
    check("(declare-fun f ((_ BitVec 8)) Bool)", "1:17: uninterpreted functions are not supported: `f` has parameters");
    check("(declare-const x Int)", "1:18: the sort `Int` is not supported: expected Bool, (_ BitVec w) or (Array …)");
    check("(declare-const x (_ BitVec 0))", "1:18: a bit-vector of width 0: expected 1 to 65535");
    check("(declare-const x (_ BitVec 65536))", "1:18: a bit-vector of width 65536: expected 1 to 65535");
    check(
        "(declare-const x (_ BitVec 99999999999999999999))",
        "1:18: a bit-vector of a width above 2^64: expected 1 to 65535",
    );
    check(
        "(declare-const a (Array (_ BitVec 65) (_ BitVec 8)))",
        "1:18: arrays from (_ BitVec 65) to (_ BitVec 8) are not supported: expected an index of 1 to 64 bits and elements of 8 bits",
    );
    check(
        "(declare-const a (Array (_ BitVec 8) Bool))",
        "1:18: arrays from (_ BitVec 8) to Bool are not supported: expected an index of 1 to 64 bits and elements of 8 bits",
    );
    check(
        "(declare-const a (Array (Array Bool Bool) Bool))",
        "1:25: an array's index that is not a bit-vector is not supported",
    );
    check("(declare-const x Bool)(declare-const x Bool)", "1:38: `x` has a meaning already");
    check("(declare-const bvadd Bool)", "1:16: `bvadd` has a meaning already");
    check("(declare-const let Bool)", "1:16: `let` is a reserved word: expected a name");
    check("(pop)", "1:5: `pop` of more levels than were pushed (0)");
    check("(push 1)(pop 2)", "1:14: `pop` of more levels than were pushed (1)");
    check("(push 99999999999999999999)", "1:7: more than 1048576 levels of `push` are not supported");
    check(
        "(define-fun f ((v Bool)) (_ BitVec 8) v)",
        "1:39: ill-sorted: the body of `f` is to be (_ BitVec 8), got Bool",
    );
    check("(define-fun f ((v Bool) (v Bool)) Bool v)", "1:13: `f` has two parameters `v`");
    check("(define-fun f ((v Bool)) Bool v)(assert (f))", "1:41: f wants 1 arguments, got 0");
    check("(define-fun f ((v Bool)) Bool v)(assert (f #b1))", "1:41: ill-sorted: f wants Bool, got (_ BitVec 1)");
    check("(check-sat-assuming (#b1))", "1:22: ill-sorted: expected a Bool, got (_ BitVec 1)");
}

#[test]
fn terms() {
    check_term("x", "2:9: ill-sorted: expected a Bool, got (_ BitVec 8)");
    check_term("z", "2:9: unknown symbol `z`");
    check_term("(z p)", "2:10: unknown symbol `z`");
    check_term("(x p)", "2:10: `x` is not a function");
    check_term("bvadd", "2:9: `bvadd` wants arguments");
    check_term("()", "2:10: unexpected `)`: expected an operator");
    check_term("5", "2:9: unexpected `5`: expected a term");
    check_term("(5 p)", "2:10: unexpected `5`: expected an operator");
    check_term("(and p b)", "2:9: ill-sorted: and wants Bools, got Bool and (_ BitVec 1)");
    check_term("(not b)", "2:9: ill-sorted: not wants a Bool, got (_ BitVec 1)");
    check_term(
        "(= x (bvadd x w))",
        "2:14: ill-sorted: bvadd wants bit-vectors of one width, got (_ BitVec 8) and (_ BitVec 32)",
    );
    check_term("(= p b)", "2:9: ill-sorted: = wants arguments of one sort, got Bool and (_ BitVec 1)");
    check_term("(= x)", "2:9: = wants at least 2 arguments, got 1");
    check_term("(= a a)", "2:9: equality between arrays is not supported");
    check_term("(bvult x y x)", "2:9: bvult wants 2 arguments, got 3");
    check_term("(bvnot p)", "2:9: ill-sorted: bvnot wants a bit-vector, got Bool");
    check_term(
        "(ite x p p)",
        "2:9: ill-sorted: ite wants a Bool and two arguments of one sort, got (_ BitVec 8), Bool and Bool",
    );
    check_term(
        "(select a x)",
        "2:9: ill-sorted: select wants an array and an index of its width, got (Array (_ BitVec 32) (_ BitVec 8)) and (_ BitVec 8)",
    );
    check_term("(extract x)", "2:10: `extract` wants numbers: expected `(_ …)` around it");
    check_term("((_ extract 8 0) x)", "2:9: extract from 8 to 0 of (_ BitVec 8): expected 8 > high >= low");
    check_term("((_ extract 0 1) x)", "2:9: extract from 0 to 1 of (_ BitVec 8): expected 8 > high >= low");
    check_term("((_ extract 1) x)", "2:22: unexpected `)`: expected a number");
    check_term("((_ zero_extend 99999999999999999999) x)", "2:9: zero_extend makes a bit-vector wider than 65535");
    check_term("((_ repeat 8192) x)", "2:9: repeat makes a bit-vector wider than 65535");
    check_term("((_ repeat 0) x)", "2:9: repeat wants a number above 0");
    check_term("((_ foo 1) x)", "2:13: unknown indexed operator `foo`");
    check_term(
        "(concat ((_ repeat 8000) x) ((_ repeat 8000) x))",
        "2:9: concat makes a bit-vector of width 128000: expected 1 to 65535",
    );
    check_term("(_ bv256 8)", "2:9: 256 does not fit into 8 bits");
    check_term("(_ bv99999999999999999999 8)", "2:12: 99999999999999999999 does not fit into 8 bits");
    check_term("(_ bv1 0)", "2:9: a bit-vector of width 0: expected 1 to 65535");
    check_term("(_ x 8)", "2:12: unexpected `x` after `(_`: expected a constant `bvN`");
    check_term("((as const Bool) x)", "2:20: ill-sorted: `as const` wants an array's sort, got Bool");
    check_term("(let () p)", "2:10: `let` wants at least one binding");
    check_term("(let ((z p) (z p)) z)", "2:27: `let` binds `z` twice");
    check_term("(let ((z p)) z z)", "2:24: unexpected `z`: expected `)`, because the body of `let` is one term");
    check_term("(let ((z p)) z)) (assert z", "2:34: unknown symbol `z`");
    check_term("(forall ((z Bool)) z)", "2:21: a variable of sort Bool is not supported: expected (_ BitVec w)");
    let form = "expected (forall ((i (_ BitVec w))) (=> (and (bvule 1 i) (bvule i bound)) body))";
    let unexpected = |text: &str, at: &str, found: &str| {
        check_term(text, &format!("2:{at}: unexpected `{found}` in a quantifier: {form}"));
    };
    let clause = |rest: &str| format!("(forall ((z (_ BitVec 8))) {rest}");
    unexpected(&clause("p)"), "36", "p");
    unexpected(&clause("(or p p))"), "37", "or");
    unexpected(&clause("(=> (and (bvule #x02 z) (bvule z x)) p))"), "52", "02");
    unexpected(&clause("(=> (and (bvule #x01 x) (bvule z x)) p))"), "57", "x");
    unexpected(&clause("(=> (and (bvule #x01 z) (bvult z x)) p))"), "61", "bvult");
    check_term(
        "(forall ((z (_ BitVec 8)) (y (_ BitVec 8))) p)",
        &format!("2:35: this quantifier is not supported: {form}"),
    );
    let whole = |bound: &str, body: &str| clause(&format!("(=> (and (bvule #x01 z) (bvule z {bound})) {body}))"));
    check_term(&whole("z", "p"), "2:10: forall: the bound depends on the variable of a clause");
    check_term(
        &whole("x", "x"),
        "2:10: ill-sorted: forall wants a bound of (_ BitVec 8) and a Bool, got (_ BitVec 8) and (_ BitVec 8)",
    );
    check_term(&whole("x", &whole("x", "p")), "2:74: a quantifier in another is not supported");
    check_term(
        &whole("x", "(! (= z x) :named q)"),
        "2:91: naming a term with the variable of a quantifier is not supported",
    );
    check_term(&format!("(and {} (= z x))", whole("x", "(= z x)")), "2:91: unknown symbol `z`");
    check_term("(exists ((z Bool)) z)", "2:10: `exists` is not supported");
    let wide = "(forall ((z (_ BitVec 32))) (=> (and (bvule (_ bv1 32) z) (bvule z w)) p))";
    check_term(wide, "2:10: forall: a bound of 32 bits: at most 16 are supported");
    check_term("(! p :named x)", "2:21: `x` has a meaning already");
    check_term("(! p q)", "2:14: unexpected `q`: expected an attribute or `)`");
}

#[test]
fn bytes_that_are_not_text() {
    let mut parser = Parser::new(b"(assert \xff)");
    assert_eq!(parser.next_command().unwrap_err().to_string(), "1:9: not text: byte 0xff");
    let mut parser = Parser::new(b"(declare-const |a\xff| Bool)");
    assert_eq!(parser.next_command().unwrap_err().to_string(), "1:18: not text: byte 0xff");
}

#[test]
fn reading_goes_on_behind_an_error() {
    let mut parser = Parser::new(b"(declare-const x Bool)(assert (let ((x #b1)) (and x (foo))))(assert x)(assert");
    assert!(parser.next_command().is_ok());
    assert!(parser.next_command().is_err());
    assert!(parser.next_command().is_ok_and(|command| command.is_some()), "x is a Bool again");
    assert!(parser.next_command().is_err());
    assert!(parser.next_command().is_ok_and(|command| command.is_none()));
}
