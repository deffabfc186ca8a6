//! `cost CASE COUNT`: one transfer on small sets, so many times. The difference of two counts under
//! `valgrind --tool=callgrind` is what one costs in machine instructions. Without arguments it lists the cases.

use std::hint::black_box;
use strata_domain::{Aim, Apply, Domain, MultiInterval, Shifted, StridedSet};
use strata_term::Op;

/// A set from 10 to 100 but for some values.
fn holes<D: Domain>(count: u64) -> D {
    let ten = D::constant(32, 10);
    let mut set = D::backward(&Apply::new(Op::Ult, 1), &D::constant(1, 0), 0, &[&D::full(32), &ten], Aim::Above);
    for hole in 0..count {
        let old = set.expect("a set").set;
        let value = D::constant(32, 20 + 20 * hole);
        set = D::backward(&Apply::new(Op::Eq, 1), &D::constant(1, 0), 0, &[&old, &value], Aim::Above);
    }
    let old = set.expect("a set").set;
    let top = D::constant(32, 101);
    D::backward(&Apply::new(Op::Ult, 1), &D::constant(1, 1), 0, &[&old, &top], Aim::Above).expect("a set").set
}

fn run<D: Domain>(case: &str, count: u64) {
    let (one, two, constant) = (holes::<D>(0), holes::<D>(1), D::constant(32, 55));
    let (yes, no) = (D::constant(1, 1), D::constant(1, 0));
    let forward = |op: Op, width: u32, a: &D, b: &D| {
        for _ in 0..count {
            black_box(D::forward(&Apply::new(op, width), &[black_box(a), black_box(b)], Aim::Above));
        }
    };
    let backward = |op: Op, result: &D, a: &D, b: &D| {
        for _ in 0..count {
            black_box(D::backward(&Apply::new(op, 1), black_box(result), 0, &[black_box(a), black_box(b)], Aim::Above));
        }
    };
    match case {
        "nothing" => (0..count).for_each(|i| {
            black_box(i);
        }),
        "copy" => (0..count).for_each(|_| drop(black_box(black_box(&two).clone()))),
        "add-constant" => forward(Op::Add, 32, &one, &constant),
        "add-two-by-two" => forward(Op::Add, 32, &two, &two),
        "mul-by-8" => forward(Op::Mul, 32, &one, &D::constant(32, 8)),
        "and-255" => forward(Op::And, 32, &one, &D::constant(32, 255)),
        "ult-constant" => forward(Op::Ult, 1, &two, &constant),
        "slt-constant" => forward(Op::Slt, 1, &two, &constant),
        "eq-constant" => forward(Op::Eq, 1, &two, &constant),
        "meet-one" => (0..count).for_each(|_| drop(black_box(black_box(&one).meet(black_box(&two), Aim::Above)))),
        "meet-two" => (0..count).for_each(|_| drop(black_box(black_box(&two).meet(black_box(&two), Aim::Above)))),
        "learn-ult" => backward(Op::Ult, &yes, &two, &constant),
        "learn-not-slt" => backward(Op::Slt, &no, &two, &constant),
        "learn-eq" => backward(Op::Eq, &yes, &two, &constant),
        "learn-not-eq" => backward(Op::Eq, &no, &one, &constant),
        other => println!("no case {other}"),
    }
}

const CASES: &str = "nothing copy add-constant add-two-by-two mul-by-8 and-255 ult-constant slt-constant eq-constant meet-one meet-two learn-ult learn-not-slt learn-eq learn-not-eq";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(domain), Some(case)) = (arguments.next(), arguments.next()) else {
        return println!("cost intervals|shifted|strided|product CASE COUNT\ncases: {CASES}");
    };
    let count = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    match domain.as_str() {
        "intervals" => run::<MultiInterval>(&case, count),
        "shifted" => run::<Shifted>(&case, count),
        "strided" => run::<StridedSet>(&case, count),
        other => println!("no domain {other}"),
    }
}
