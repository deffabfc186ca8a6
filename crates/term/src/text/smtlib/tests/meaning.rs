//! Each operator means what SMT-LIB says: read terms are evaluated and compared with plain arithmetic.

use super::assignment;
use super::{Random, term};
use crate::assignment::Assignment;
use crate::bits::Bits;
use crate::eval::eval;
use crate::store::Term;
use crate::text::smtlib::SmtSort;

const SMALL: [u64; 12] = [0, 1, 2, 3, 7, 8, 100, 127, 128, 200, 254, 255];

fn model(x: u64, y: u64) -> Assignment {
    let mut model = Assignment::default();
    model.set(&Term::symbol("x", 8), Bits::new(8, x));
    model.set(&Term::symbol("y", 8), Bits::new(8, y));
    model.set(&Term::symbol("w", 32), Bits::new(32, x));
    model.set(&Term::symbol("p", 1), Bits::new(1, x & 1));
    model.set(&Term::symbol("q", 1), Bits::new(1, y & 1));
    model.set(&Term::symbol("b", 1), Bits::new(1, x >> 1 & 1));
    (0..256).for_each(|at| model.set_cell(&Term::array("a", 32), at, at as u8 ^ 0x5a));
    model
}

fn check(text: &str, width: u32, expect: impl Fn(i64, i64) -> i64) {
    let (term, sort) = term(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let wanted = if width == 0 { SmtSort::Bool } else { SmtSort::BitVec(width) };
    assert_eq!(sort, wanted, "{text}");
    for x in SMALL {
        for y in SMALL {
            let value = eval(&term, &model(x, y)).low_u64();
            let mask = crate::bits::mask(width.max(1));
            assert_eq!(value, expect(x as i64, y as i64) as u64 & mask, "{text} for x={x} y={y}");
        }
    }
}

fn s(value: i64) -> i64 {
    i64::from(value as u8 as i8)
}

#[test]
fn arithmetic() {
    check("(bvadd x y x)", 8, |x, y| x + y + x);
    check("(bvsub x y)", 8, |x, y| x - y);
    check("(bvmul x y)", 8, |x, y| x * y);
    check("(bvmul x y y)", 8, |x, y| x * y * y);
    check("(bvneg x)", 8, |x, _| -x);
    check("(bvudiv x y)", 8, |x, y| if y == 0 { 255 } else { x / y });
    check("(bvurem x y)", 8, |x, y| if y == 0 { x } else { x % y });
    let sdiv = |x: i64, y: i64| {
        if s(y) != 0 {
            s(x) / s(y)
        } else if s(x) < 0 {
            1
        } else {
            -1
        }
    };
    check("(bvsdiv x y)", 8, sdiv);
    check("(bvsrem x y)", 8, |x, y| if y == 0 { s(x) } else { s(x) % s(y) });
    check("(bvsmod x y)", 8, |x, y| {
        let (x, y) = (s(x), s(y));
        if y == 0 { x } else { (x % y + y) % y }
    });
}

#[test]
fn bitwise_and_shifts() {
    check("(bvnot x)", 8, |x, _| !x);
    check("(bvand x y)", 8, |x, y| x & y);
    check("(bvor x y #x11)", 8, |x, y| x | y | 0x11);
    check("(bvxor x y)", 8, |x, y| x ^ y);
    check("(bvnand x y)", 8, |x, y| !(x & y));
    check("(bvnor x y)", 8, |x, y| !(x | y));
    check("(bvxnor x y)", 8, |x, y| !(x ^ y));
    check("(bvshl x y)", 8, |x, y| if y < 8 { x << y } else { 0 });
    check("(bvlshr x y)", 8, |x, y| if y < 8 { x >> y } else { 0 });
    check("(bvashr x y)", 8, |x, y| s(x) >> y.min(7));
    check("((_ rotate_left 3) x)", 8, |x, _| i64::from((x as u8).rotate_left(3)));
    check("((_ rotate_left 11) x)", 8, |x, _| i64::from((x as u8).rotate_left(3)));
    check("((_ rotate_right 3) x)", 8, |x, _| i64::from((x as u8).rotate_right(3)));
    check("((_ rotate_right 16) x)", 8, |x, _| x);
}

#[test]
fn comparisons() {
    check("(bvult x y)", 0, |x, y| i64::from(x < y));
    check("(bvule x y)", 0, |x, y| i64::from(x <= y));
    check("(bvugt x y)", 0, |x, y| i64::from(x > y));
    check("(bvuge x y)", 0, |x, y| i64::from(x >= y));
    check("(bvslt x y)", 0, |x, y| i64::from(s(x) < s(y)));
    check("(bvsle x y)", 0, |x, y| i64::from(s(x) <= s(y)));
    check("(bvsgt x y)", 0, |x, y| i64::from(s(x) > s(y)));
    check("(bvsge x y)", 0, |x, y| i64::from(s(x) >= s(y)));
    check("(bvcomp x y)", 1, |x, y| i64::from(x == y));
    check("(= x y #x07)", 0, |x, y| i64::from(x == 7 && y == 7));
    check("(distinct x y #x07)", 0, |x, y| i64::from(x != 7 && y != 7 && x != y));
}

#[test]
fn connectives() {
    check("(and p q p)", 0, |x, y| x & y & 1);
    check("(or p q)", 0, |x, y| (x | y) & 1);
    check("(xor p q true)", 0, |x, y| (x ^ y ^ 1) & 1);
    check("(not p)", 0, |x, _| !x & 1);
    check("(=> p q)", 0, |x, y| (!x | y) & 1);
    check("(=> p q false)", 0, |x, y| (!x | !y) & 1);
    check("(= p q true)", 0, |x, y| x & y & 1);
    check("(= p q)", 0, |x, y| !(x ^ y) & 1);
    check("(distinct p q)", 0, |x, y| (x ^ y) & 1);
    check("(distinct p q true)", 0, |_, _| 0);
    check("(ite p x y)", 8, |x, y| if x & 1 == 1 { x } else { y });
    check("(ite p #b1 #b0)", 1, |x, _| x & 1);
    check("(ite p #b0 #b1)", 1, |x, _| !x & 1);
    check("(= b #b1)", 0, |x, _| x >> 1 & 1);
    check("(= #b0 b)", 0, |x, _| !(x >> 1) & 1);
}

#[test]
fn casts_and_constants() {
    check("(concat x y)", 16, |x, y| x << 8 | y);
    check("(concat x y #xab)", 24, |x, y| x << 16 | y << 8 | 0xab);
    check("((_ extract 6 2) x)", 5, |x, _| x >> 2);
    check("((_ zero_extend 8) x)", 16, |x, _| x);
    check("((_ sign_extend 8) x)", 16, |x, _| s(x));
    check("((_ zero_extend 0) x)", 8, |x, _| x);
    check("((_ repeat 3) x)", 24, |x, _| x << 16 | x << 8 | x);
    check("((_ repeat 1) x)", 8, |x, _| x);
    check("#xfE", 8, |_, _| 0xfe);
    check("#b0101", 4, |_, _| 5);
    check("(_  bv5\n32 )", 32, |_, _| 5);
    check("(_ bv18446744073709551615 64)", 64, |_, _| -1);
    check("(bvadd (_ bv18446744073709551615 64) #x0000000000000002)", 64, |_, _| 1);
    check("((_ extract 67 60) (_ bv18446744073709551616 68))", 8, |_, _| 0x10);
    check("(let ((x y) (y x)) (bvsub x y))", 8, |x, y| y - x);
    check("(! (bvsub x y) :weight (1 2) :named n)", 8, |x, y| x - y);
}

#[test]
fn arrays() {
    check("(select a w)", 8, |x, _| x ^ 0x5a);
    check("(select (store a w y) w)", 8, |_, y| y);
    check("(select (store a w y) (_ bv7 32))", 8, |x, y| if x == 7 { y } else { 7 ^ 0x5a });
    check("(select (ite p a (store a w y)) (_ bv8 32))", 8, |x, y| if x == 8 { y } else { 8 ^ 0x5a });
    check("(select ((as const (Array (_ BitVec 32) (_ BitVec 8))) y) w)", 8, |_, y| y);
    check("(concat (select a (bvadd w (_ bv1 32))) (select a w))", 16, |x, _| {
        ((x + 1 < 256) as i64 * ((x + 1) ^ 0x5a)) << 8 | x ^ 0x5a
    });
}

/// A word that is written byte by byte is one read.
#[test]
fn bytes_become_words() {
    let (read, _) =
        term("(concat (select a #x00000003) (concat (select a #x00000002) (select a #x00000001)))").unwrap();
    assert_eq!(read, Term::array("a", 32).read(&Term::number(32, 1), 3));
    let model = assignment(&mut Random(3), std::slice::from_ref(&read));
    assert_eq!(eval(&read, &model).width(), 24);
}
