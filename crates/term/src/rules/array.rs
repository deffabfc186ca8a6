//! Rules of reads and writes: reads pass writes at other places, adjacent byte reads become one word.
//!
//! Two indices are compared by offset: `x + c` and `x + d` differ by `d - c` whatever `x` is.

use super::{Rule, View};
use crate::bits::Bits;
use crate::op::Op;
use crate::store::Term;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "read-fill", op: Op::Read, shape: "(read (fill x) y)", apply: read_fill },
    Rule { name: "read-table", op: Op::Read, shape: "(read (table a) c)", apply: read_table },
    Rule { name: "read-write", op: Op::Read, shape: "(read (write a x y) x)", apply: read_write },
    Rule { name: "write-write", op: Op::Write, shape: "(write (write a x y) x z)", apply: write_write },
    Rule { name: "concat-reads", op: Op::Concat, shape: "(concat (read a c) (read a d))", apply: concat_reads },
];

/// An index as an unknown part and a constant: `x + 3` is `(Some(x), 3)`, `3` is `(None, 3)`.
pub(super) fn split_offset(index: &Term) -> (Option<&Term>, Bits) {
    if let Some(value) = index.as_const() {
        return (None, value);
    }
    if index.op() == Op::Add
        && let Some(offset) = index.arg(1).as_const()
    {
        return (Some(index.arg(0)), offset);
    }
    (Some(index), Bits::zero(index.width()))
}

/// `to - from` where it is the same for all inputs.
fn distance(from: &Term, to: &Term) -> Option<Bits> {
    let ((a, c), (b, d)) = (split_offset(from), split_offset(to));
    (a == b).then(|| d.sub(&c))
}

fn read_fill(v: &View) -> Option<Term> {
    let (array, value) = (v.args[0], |a: &Term| a.arg(0).clone());
    (array.op() == Op::Fill).then(|| (1..v.width / 8).fold(value(array), |word, _| value(array).concat(&word)))
}

fn read_table(v: &View) -> Option<Term> {
    let (array, index) = (v.args[0], v.args[1]);
    let contents = array.contents()?;
    let start = index.const_u64()?;
    let byte = |i: u64| {
        let at = start.wrapping_add(i) & crate::bits::mask(index.width());
        match usize::try_from(at).ok().and_then(|at| contents.get(at)) {
            Some(byte) => Term::number(8, u64::from(*byte)),
            None => array.arg(0).read(&Term::number(index.width(), at), 1),
        }
    };
    Some((1..u64::from(v.width / 8)).fold(byte(0), |word, i| byte(i).concat(&word)))
}

/// A byte read through writes: the value written at the same index, or the array below all writes that
/// are surely elsewhere.
enum Found<'a> {
    Value(&'a Term),
    Below(&'a Term),
}

fn find<'a>(mut array: &'a Term, index: &Term) -> Found<'a> {
    while array.op() == Op::Write {
        match distance(index, array.arg(1)) {
            Some(zero) if zero.is_zero() => return Found::Value(array.arg(2)),
            Some(_) => array = array.arg(0),
            None => break,
        }
    }
    Found::Below(array)
}

fn read_write(v: &View) -> Option<Term> {
    let (array, index) = (v.args[0], v.args[1]);
    if array.op() != Op::Write {
        return None;
    }
    let bytes = v.width / 8;
    let indices: Vec<Term> = (0..bytes).map(|i| index.add(&Term::number(index.width(), u64::from(i)))).collect();
    let found: Vec<Found> = indices.iter().map(|index| find(array, index)).collect();
    if found.iter().all(|f| matches!(f, Found::Below(below) if *below == array)) {
        return None;
    }
    let byte = |i: usize| match &found[i] {
        Found::Value(value) => (*value).clone(),
        Found::Below(below) => below.read(&indices[i], 1),
    };
    Some((1..bytes as usize).fold(byte(0), |word, i| byte(i).concat(&word)))
}

fn write_write(v: &View) -> Option<Term> {
    let inner = v.args[0];
    let same = inner.op() == Op::Write && inner.arg(1) == v.args[1];
    same.then(|| Term::raw(Op::Write, v.width, 0, &[inner.arg(0), v.args[1], v.args[2]]))
}

fn concat_reads(v: &View) -> Option<Term> {
    let (high, low) = (v.args[0], v.args[1]);
    if high.op() != Op::Read || low.op() != Op::Read || high.arg(0) != low.arg(0) {
        return None;
    }
    let bytes = low.width() / 8;
    let adjacent = distance(low.arg(1), high.arg(1))? == Bits::new(low.arg(1).width(), u64::from(bytes));
    adjacent.then(|| low.arg(0).read(low.arg(1), v.width / 8))
}
