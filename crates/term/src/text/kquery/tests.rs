//! Tests of reading and writing together.

use super::{Array, Inexpressible, Parser, Query, print_query};
use crate::assignment::Assignment;
use crate::bits::Bits;
use crate::eval::eval;
use crate::op::Op;
use crate::store::Term;
use crate::text::Error;

fn queries(text: &[u8]) -> Result<Vec<Query>, Error> {
    let mut parser = Parser::new(text);
    std::iter::from_fn(|| parser.next_query().transpose()).collect()
}

const ARRAYS: &str = "array a[8] : w32 -> w8 = symbolic\narray c[4] : w32 -> w8 = [1 2, 3 5]\n";

/// The first value that a query over `ARRAYS` asks for.
fn value(text: &str) -> Result<Term, Error> {
    Ok(queries(format!("{ARRAYS}(query [] false [{text}])").as_bytes())?[0].values[0].clone())
}

fn check(text: &str, width: u32, expect: u64) {
    let term = value(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut model = Assignment::default();
    (0..8).for_each(|at| model.set_cell(&Term::array("a", 32), at, 0x10 + at as u8));
    assert_eq!(eval(&term, &model), Bits::new(width, expect), "{text}");
}

#[test]
fn operators() {
    check("(w8 255)", 8, 255);
    check("(w8 -1)", 8, 255);
    check("(w16 +0x1_f)", 16, 31);
    check("(w8 0b101)", 8, 5);
    check("(w8 0o17)", 8, 15);
    check("true", 1, 1);
    check("(Add w8 (Read w8 0 a) 5)", 8, 0x15);
    check("(Add (Read w8 0 a) 5)", 8, 0x15);
    check("(Sub w8 5 (Read w8 0 a))", 8, 0xf5);
    check("(Mul w8 (Read w8 0 a) (Read w8 1 a))", 8, 0x10);
    check("(UDiv w8 (Read w8 1 a) 4)", 8, 4);
    check("(URem w8 (Read w8 1 a) 4)", 8, 1);
    check("(SDiv w8 (Read w8 1 a) -4)", 8, 0xfc);
    check("(SRem w8 -5 (Add w8 (Read w8 0 a) -13))", 8, 0xfe);
    check("(And w8 (Read w8 1 a) 3)", 8, 1);
    check("(Or w8 (Read w8 1 a) 3)", 8, 0x13);
    check("(Xor w8 (Read w8 1 a) 3)", 8, 0x12);
    check("(Shl w8 (Read w8 1 a) 1)", 8, 0x22);
    check("(LShr w8 (Read w8 1 a) 1)", 8, 8);
    check("(AShr w8 (Or w8 (Read w8 1 a) 128) 1)", 8, 0xc8);
    check("(Not w8 (Read w8 0 a))", 8, 0xef);
    check("(Not (Read w8 0 a))", 8, 0xef);
    check("(Not (Eq 16 (Read w8 0 a)))", 1, 0);
    check("(Neg w8 (Read w8 0 a))", 8, 0xf0);
    check("(ZExt w16 (Read w8 0 a))", 16, 0x10);
    check("(SExt w16 (Or w8 128 (Read w8 0 a)))", 16, 0xff90);
    check("(Select w8 (Eq 16 (Read w8 0 a)) 3 4)", 8, 3);
    check("(Select w8 (Eq 17 (Read w8 0 a)) 3 (Read w8 2 a))", 8, 0x12);
    check("(Concat w16 (Read w8 0 a) (w8 7))", 16, 0x1007);
    check("(Concat (Read w8 0 a) (w8 7) (w8 8))", 24, 0x10_0708);
    check("(Extract w4 4 (Read w8 3 a))", 4, 1);
    check("(ReadLSB w32 1 a)", 32, 0x1413_1211);
    check("(ReadMSB w32 1 a)", 32, 0x1112_1314);
    check("(Read w8 (ZExt w32 (Read w8 2 c)) a)", 8, 0x13);
    check("(ReadLSB w32 0 c)", 32, 0x0503_0201);
    check("(Read w8 9 c)", 8, 0);
}

#[test]
fn comparisons() {
    for (name, less, equal, greater) in [
        ("Eq", 0, 1, 0),
        ("Ne", 1, 0, 1),
        ("Ult", 0, 0, 1),
        ("Ule", 0, 1, 1),
        ("Ugt", 1, 0, 0),
        ("Uge", 1, 1, 0),
        ("Slt", 1, 0, 0),
        ("Sle", 1, 1, 0),
        ("Sgt", 0, 0, 1),
        ("Sge", 0, 1, 1),
    ] {
        // As signed numbers -16 < 16; as unsigned ones 240 > 16.
        check(&format!("({name} (Sub w8 0 (Read w8 0 a)) (Read w8 0 a))"), 1, less);
        check(&format!("({name} (Read w8 0 a) 16)"), 1, equal);
        check(&format!("({name} 16 (Sub w8 0 (Read w8 0 a)))"), 1, greater);
    }
}

#[test]
fn labels_and_versions() {
    check("(Add w8 N0:(Read w8 0 a) N0)", 8, 0x20);
    check("(Add w8 N0:N1:(Read w8 0 a) (Add w8 N0 N1))", 8, 0x30);
    // The first update listed is the newest.
    check("(Read w8 0 [0=7, 0=8] @ a)", 8, 7);
    check("(Read w8 1 [0=7, 0=8] @ a)", 8, 0x11);
    check("(Read w8 0 [] @ a)", 8, 0x10);
    check("(Add w8 (Read w8 0 U0:[0=7, (w32 1)=(Read w8 0 a)] @ a) (Read w8 1 U0))", 8, 0x17);
    check("(ReadLSB w16 0 [N1:(ZExt w32 (Extract w1 0 (Read w8 1 a)))=9] @ U1:[N1=8, 0=7] @ a)", 16, 0x0907);
}

#[test]
fn whole_queries() {
    let text = b"# a comment\narray x[4] : w32 -> w8 = symbolic\narray y[] : w64 -> w8 = [1]\n
(query [(Ult N0:(ReadLSB w32 0 x) 16)
        (Eq false (Eq 3 N0))]
       (Not (Ult (Mul w32 4 N0) 61)) # the end
       [(Add w32 31543488 (Mul w32 4 N0)) (Read w8 0 y)]
       [x])
(query [] true)(query [] N0:(Eq 0 (Read w8 0 x)) [] [x y])";
    let read = queries(text).unwrap();
    let n0 = Term::array("x", 32).read(&Term::number(32, 0), 4);
    let number = |value| Term::number(32, value);
    let x = Array { name: "x".into(), size: Some(4), term: Term::array("x", 32) };
    assert_eq!(read[0].constraints, [n0.ult(&number(16)), number(3).eq(&n0).eq(&Term::bool(false))]);
    assert_eq!(read[0].query, number(4).mul(&n0).ult(&number(61)).not());
    assert_eq!(read[0].values, [number(31543488).add(&number(4).mul(&n0)), Term::number(8, 1)]);
    assert_eq!(read[0].arrays, std::slice::from_ref(&x));
    assert_eq!(read[1], Query { constraints: vec![], query: Term::bool(true), values: vec![], arrays: vec![] });
    assert_eq!((read[2].arrays[0].clone(), read[2].arrays[1].size), (x, Some(1)));
    assert_eq!(read.len(), 3);
}

#[test]
fn errors() {
    let check = |text: &str, expect: &str| match queries(format!("{ARRAYS}{text}").as_bytes()) {
        Ok(read) => panic!("{text} was read as {read:?}"),
        Err(error) => assert_eq!(error.to_string(), expect, "{text}"),
    };
    check("(query [", "3:9: unexpected end of file: `(query [` at 3:1 is not complete");
    check("foo", "3:1: unexpected `foo`: expected `array` or `(query`");
    check("(foo)", "3:2: unexpected `foo`: expected `query`");
    check("(query [] (Foo 1 2))", "3:12: unknown operator `Foo`");
    check("(query [] N0)", "3:11: unknown label `N0`");
    check("(query [] (Eq 0 (Read w8 0 b)))", "3:28: unknown array or version `b`");
    check("(query [] false [] [b])", "3:21: unknown array `b`");
    check("(query [] (Read w8 0 a))", "3:11: ill-sorted: a query wants w1, got w8");
    check("(query [] (Eq 0 1))", "3:11: the width of the numbers is not known: expected a type in Eq");
    check("(query [] false [5])", "3:18: the width of 5 is not known: expected `(w32 5)` or the like in a value");
    check("(query [] (Eq (ReadLSB w32 0 a) true))", "3:11: ill-sorted: Eq wants w32, got w1");
    check("(query [] (Eq 256 (Read w8 0 a)))", "3:11: 256 does not fit into 8 bits");
    check("(query [] (Eq 0x (Read w8 0 a)))", "3:11: `0x` is not a number");
    check(
        "(query [] (Eq 0 (Read w8 0 [(w17 0)=0] @ a)))",
        "3:28: ill-sorted: the index of an update wants w32, got w17",
    );
    check("(query [] (Eq 0 (Read w8 0 [0=(w9 0)] @ a)))", "3:28: ill-sorted: the value of an update wants w8, got w9");
    check("(query [] (Eq 0 (Read w8 0 [0=1 @ a)))", "3:33: unexpected `@`: expected `,` or `]`");
    check("(query [] (Extract w8 1 (Read w8 0 a)))", "3:11: Extract of w8 at 1 from w8: out of bounds");
    check(
        "(query [] (Extract w8 4294967295 (Read w8 0 a)))",
        "3:11: Extract of w8 at 4294967295 from w8: out of bounds",
    );
    check("(query [] (ZExt w4 (Read w8 0 a)))", "3:11: ZExt to w4 of w8: expected a type that is no narrower");
    check("(query [] (Concat w8 (Read w8 0 a) true))", "3:11: Concat is typed w8, but makes w9");
    check("(query [] (Add w8 (Read w8 0 a)))", "3:11: Add wants 2 arguments, got 1");
    check("(query [] (w0 1))", "3:12: a width of 0: expected 1 to 65535");
    check("(query [] (ReadLSB w12 0 a))", "3:11: ReadLSB of w12: expected whole bytes");
    check("(query [] (And w1 N0:true N0:true))", "3:27: the label `N0` is defined twice");
    check("(query [] N0:5)", "3:11: the label `N0` names a number of unknown width");
    check("(query [] \u{1})", "3:11: not text: byte 0x01");
    check("array w8[1] : w32 -> w8 = symbolic", "3:7: unexpected `w8`: expected the array's name");
    check("array d[1] : w32 -> w8 = [1 2]", "3:26: 2 bytes for fewer cells");
    check("array d[] : w1 -> w8 = [1 2 3]", "3:24: 3 bytes for fewer cells");
    check(
        "array d[1] : w32 -> w16 = symbolic",
        "3:13: arrays from w32 to w16 are not supported: expected w1 to w64, and w8",
    );
}

/// Expressions over arrays with this operator at the top.
fn samples(op: Op) -> Vec<Term> {
    let a = Term::array("a", 32);
    let at = |index| Term::number(32, index);
    let (x, y) = (a.read(&at(0), 4), a.read(&at(4), 4));
    let p = a.read(&at(8), 1).extract(0, 0);
    let make = |width, low, args: &[&Term]| Term::checked(op, width, low, args).expect("a well-sorted sample");
    let write = |index: &Term| Term::checked(Op::Write, 32, 0, &[&a, index, &Term::number(8, 9)]).expect("a write");
    match op {
        Op::Const => vec![Term::number(32, 5), Term::bool(true), Term::constant(Bits::ones(100))],
        Op::Symbol | Op::Fill | Op::Bound => vec![],
        Op::Forall => {
            let cell = a.read(&Term::bound(16).zext(32), 1);
            vec![make(1, 0, &[&Term::number(16, 3), &cell.ult(&y.extract(7, 0))])]
        }
        Op::Not => vec![make(32, 0, &[&x]), make(1, 0, &[&p])],
        Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => {
            vec![make(32, 0, &[&x, &y]), make(32, 0, &[&x, &at(6)])]
        }
        Op::Shl | Op::LShr | Op::AShr => vec![make(32, 0, &[&x, &y]), make(32, 0, &[&x, &at(3)])],
        Op::Concat => vec![make(64, 0, &[&x, &y]), make(33, 0, &[&p, &x])],
        Op::Extract => vec![make(5, 7, &[&x])],
        Op::ZExt | Op::SExt => vec![make(64, 0, &[&x])],
        Op::Eq | Op::Ult | Op::Slt => vec![make(1, 0, &[&x, &y]), make(1, 0, &[&x, &at(9)])],
        Op::Ite => vec![make(32, 0, &[&p, &x, &y])],
        Op::ArraySymbol => vec![a.read(&x, 1)],
        Op::Table => vec![Term::constant_array(32, vec![1, 2, 3].into()).read(&x, 4)],
        Op::Write => vec![write(&x).read(&y, 1), write(&x).read(&y, 4).add(&write(&x).read(&x.mul(&y), 1).zext(32))],
        Op::Read => vec![make(8, 0, &[&a, &x]), make(64, 0, &[&a, &x])],
    }
}

fn query(query: Term, values: Vec<Term>) -> Query {
    Query { constraints: vec![], query, values, arrays: vec![] }
}

#[test]
fn every_operator_is_read_back() {
    for op in Op::ALL {
        // There is no form for a clause but its instances.
        let values =
            crate::clause::expand(&samples(*op), |clause| clause.arg(0).const_u64()).expect("a constant bound");
        let written = query(Term::bool(false), values);
        let text = print_query(&written).unwrap();
        assert_eq!(queries(text.as_bytes()).unwrap(), [written], "{op:?}: {text}");
    }
}

#[test]
fn inputs_are_arrays_and_some_terms_have_no_words() {
    let bits = query(Term::symbol("N0", 1), vec![Term::symbol("a b", 8), Term::symbol("a_b", 12)]);
    let text = print_query(&bits).unwrap();
    let expect = "array a_N0[1] : w32 -> w8 = symbolic\narray a_b[1] : w32 -> w8 = symbolic\n\
                  array a_b_1[2] : w32 -> w8 = symbolic\n(query []\n       (Extract w1 0 (Read w8 (w32 0) a_N0))\n       \
                  [(Read w8 (w32 0) a_b)\n        (Extract w12 0 (ReadLSB w16 (w32 0) a_b_1))])\n";
    assert_eq!(text, expect);
    let (a, b, i) = (Term::array("a", 32), Term::array("b", 32), Term::symbol("i", 32));
    let choice = Term::ite(&Term::symbol("p", 1), &a, &b).read(&i, 1);
    assert_eq!(print_query(&query(Term::bool(true), vec![choice])), Err(Inexpressible::Choice));
    let filled = Term::checked(Op::Write, 32, 0, &[&Term::fill(32, &Term::number(8, 1)), &i, &Term::number(8, 2)]);
    let read = filled.unwrap().read(&Term::symbol("j", 32), 1);
    assert_eq!(print_query(&query(Term::bool(true), vec![read])), Err(Inexpressible::Fill));
    let clause = Term::forall(&i.extract(7, 0), &a.read(&Term::bound(8).zext(32), 1).eq(&i.extract(7, 0)));
    assert_eq!(print_query(&query(clause, vec![])), Err(Inexpressible::Clause));
    let three = Term::forall(&Term::number(8, 3), &a.read(&Term::bound(8).zext(32), 1).eq(&i.extract(7, 0)));
    assert!(print_query(&query(three, vec![])).is_ok_and(|text| text.matches("(Read w8 ").count() >= 3));
}

#[test]
fn updates_of_a_table_keep_their_meaning() {
    let (a, i) = (Term::array("a", 32), Term::array("x", 32).read(&Term::number(32, 0), 4));
    let table = Term::table(&a, vec![7, 8, 9].into());
    let written = Term::checked(Op::Write, 32, 0, &[&table, &i, &Term::number(8, 1)]).unwrap();
    let term = written.read(&Term::number(32, 2), 1).concat(&table.read(&i, 1));
    let text = print_query(&query(Term::bool(true), vec![term.clone()])).unwrap();
    let read = queries(text.as_bytes()).unwrap()[0].values[0].clone();
    for at in 0..5 {
        let mut model = Assignment::default();
        model.set_cell(&Term::array("x", 32), 0, at);
        (0..9).for_each(|cell| model.set_cell(&a, cell, 0x40 + cell as u8));
        assert_eq!(eval(&read, &model), eval(&term, &model), "{at}: {text}");
    }
}

#[test]
fn a_million_deep() {
    let test = || {
        let depth = 1_000_000;
        let declare = "array a[8] : w32 -> w8 = symbolic\n";
        let open = "(UDiv w8 (Read w8 1 a) ".repeat(depth);
        let text = format!("{declare}(query [] (Eq 0 {open}(Read w8 0 a){}))", ")".repeat(depth));
        let read = queries(text.as_bytes()).unwrap();
        assert!(crate::walk::post_order([&read[0].query]).len() > depth);
        assert_eq!(queries(print_query(&read[0]).unwrap().as_bytes()).unwrap(), read);
        for broken in ["(", "(query [(Not ", "N0:", "[0=1] @ "] {
            let text = format!("{declare}(query [] (Read w8 0 {}", broken.repeat(depth));
            assert!(queries(text.as_bytes()).is_err());
        }
        let versions =
            format!("{declare}(query [] (Eq 0 (Read w8 1 {}a)))", "[(ReadLSB w32 0 a)=1] @ ".repeat(depth / 10));
        let read = queries(versions.as_bytes()).unwrap();
        assert_eq!(queries(print_query(&read[0]).unwrap().as_bytes()).unwrap(), read);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(test).unwrap().join().unwrap();
}

#[test]
fn mutated_texts_never_panic() {
    let texts = [
        "array x[4] : w32 -> w8 = symbolic\narray c[3] : w32 -> w8 = [1, 0xff 0b1]\n(query [(Ult N0:(ReadLSB w32 0 x) 16)] (Eq 3 N0) [N0] [x c])",
        "array x[4] : w8 -> w8 = symbolic\n(query [] (Eq (w8 -7) (Read w8 (Extract w8 1 (Concat w9 true (w8 1))) U0:[(w8 1)=2, 3=(Select w8 true 1 2)] @ x)))",
    ];
    let splices = [
        "(",
        ")",
        "[",
        "]",
        "@",
        "=",
        ":",
        "w0",
        "w99999999",
        "-1",
        "99999999999999999999",
        "N0:",
        "U0",
        "\u{0}",
        "é",
        "#",
    ];
    let mut state = 5u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound.max(1)
    };
    let mut errors = 0;
    for round in 0..2000 {
        let mut text = texts[round % texts.len()].as_bytes().to_vec();
        for _ in 0..1 + below(3) {
            let at = below(text.len());
            match below(4) {
                0 => text.truncate(at),
                1 if at < text.len() => text[at] = below(256) as u8,
                2 => drop(text.splice(at..at, splices[below(splices.len())].bytes())),
                _ => drop(text.drain(at..(at + below(6)).min(text.len()))),
            }
        }
        errors += usize::from(queries(&text).is_err());
    }
    assert!((200..2000).contains(&errors), "{errors} errors: not much of a test");
}
