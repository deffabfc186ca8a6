//! Rules of reads and writes: reads pass writes at other places, adjacent byte reads become one word.
//!
//! Two indices are compared by offset: `x + c` and `x + d` differ by `d - c` whatever `x` is. Sums float their
//! constant to the top (see `arithmetic`), so one look at the top of an index suffices.

use super::{Rule, View, binary};
use crate::bits::mask;
use crate::op::Op;
use crate::store::Term;
use std::sync::Arc;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "read-fill", op: Op::Read, shape: "(read (fill x) y)", apply: read_fill },
    Rule { name: "read-table", op: Op::Read, shape: "(read (table a) c)", apply: read_table },
    Rule {
        name: "read-write",
        op: Op::Read,
        shape: "(read (write a x y) x) | (read (write a c x) d) | (read (write a (add x c) y) (add x d))",
        apply: read_write,
    },
    Rule { name: "read-choice", op: Op::Read, shape: "(read (ite p (table a) (table b)) c)", apply: read_choice },
    Rule { name: "write-write", op: Op::Write, shape: "(write (write a x y) x z)", apply: write_write },
    Rule { name: "write-read", op: Op::Write, shape: "(write a x (read a x))", apply: write_read },
    Rule { name: "write-fill", op: Op::Write, shape: "(write (fill x) y x)", apply: write_fill },
    Rule { name: "write-table", op: Op::Write, shape: "(write (table a) c d)", apply: write_table },
    Rule {
        name: "concat-reads-tail",
        op: Op::Concat,
        shape: "(concat (read a c) (concat (read a d) x))",
        apply: concat_reads_tail,
    },
    Rule {
        name: "concat-reads",
        op: Op::Concat,
        shape: "(concat (read a c) (read a d)) | (concat (read a (add x c)) (read a x))",
        apply: concat_reads,
    },
    Rule { name: "extract-read", op: Op::Extract, shape: "(extract (read a x))", apply: extract_read },
];

/// An index as an unknown part and a constant: `x + 3` is `(Some(x), 3)`, `3` is `(None, 3)`. An index wider than 64
/// bits is taken as unknown as a whole.
fn split_offset(index: &Term) -> (Option<&Term>, u64) {
    if let Some(value) = index.const_u64() {
        return (None, value);
    }
    if index.op() == Op::Add
        && let Some(offset) = index.arg(1).const_u64()
    {
        return (Some(index.arg(0)), offset);
    }
    (Some(index), 0)
}

/// `to - from` modulo the index's range, where it is the same for all inputs.
fn distance(from: &Term, to: &Term) -> Option<u64> {
    let ((a, c), (b, d)) = (split_offset(from), split_offset(to));
    (a == b).then(|| d.wrapping_sub(c) & mask(from.width().min(64)))
}

fn at(index: &Term, offset: u64) -> Term {
    if offset == 0 { index.clone() } else { index.add(&Term::number(index.width(), offset)) }
}

/// The bytes `byte(0)`, `byte(1)`, … as a little-endian word.
fn word(width: u32, byte: impl Fn(u64) -> Term) -> Term {
    (1..u64::from(width / 8)).fold(byte(0), |word, i| byte(i).concat(&word))
}

fn read_fill(v: &View) -> Option<Term> {
    Some(word(v.width, |_| v.a().arg(0).clone()))
}

fn read_table(v: &View) -> Option<Term> {
    let (array, index) = (v.a(), v.b());
    let (contents, start) = (array.contents()?, index.const_u64()?);
    let byte = |i: u64| {
        let at = start.wrapping_add(i) & mask(index.width());
        match usize::try_from(at).ok().and_then(|at| contents.get(at)) {
            Some(byte) => Term::number(8, u64::from(*byte)),
            None => array.arg(0).read(&Term::number(index.width(), at), 1),
        }
    };
    Some(word(v.width, byte))
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
            Some(0) => return Found::Value(array.arg(2)),
            Some(_) => array = array.arg(0),
            None => break,
        }
    }
    Found::Below(array)
}

/// Either every byte passes or meets the topmost write, or none does: their indices differ by constants.
fn read_write(v: &View) -> Option<Term> {
    let (array, index) = (v.a(), v.b());
    distance(index, array.arg(1))?;
    Some(word(v.width, |i| {
        let index = at(index, i);
        match find(array, &index) {
            Found::Value(value) => value.clone(),
            Found::Below(below) => below.read(&index, 1),
        }
    }))
}

/// Reading either branch gives a constant.
fn read_choice(v: &View) -> Option<Term> {
    let (choice, bytes) = (v.a(), v.width / 8);
    let (p, a, b) = (choice.arg(0), choice.arg(1), choice.arg(2));
    let start = v.b().const_u64()?;
    let known = |array: &Term| match array.contents() {
        Some(contents) => start.checked_add(u64::from(bytes)).is_some_and(|end| end <= contents.len() as u64),
        None => false,
    };
    (known(a) && known(b)).then(|| Term::ite(p, &a.read(v.b(), bytes), &b.read(v.b(), bytes)))
}

fn write_write(v: &View) -> Option<Term> {
    let inner = v.a();
    (inner.arg(1) == v.b()).then(|| crate::build::make(Op::Write, v.width, 0, &[inner.arg(0), v.b(), v.c()]))
}

fn write_read(v: &View) -> Option<Term> {
    let (array, index) = binary(v.c(), Op::Read)?;
    (array == v.a() && index == v.b()).then(|| v.a().clone())
}

fn write_fill(v: &View) -> Option<Term> {
    (v.a().arg(0) == v.c()).then(|| v.a().clone())
}

/// Longer tables are not copied for one byte.
const MAX_COPIED: usize = 256;

fn write_table(v: &View) -> Option<Term> {
    let contents = v.a().contents()?;
    let (index, value) = (v.b().const_u64()?, v.c().const_u64()?);
    let index = usize::try_from(index).ok().filter(|index| *index < contents.len() && contents.len() <= MAX_COPIED)?;
    let mut bytes = contents.to_vec();
    bytes[index] = value as u8;
    Some(Term::table(v.a().arg(0), Arc::from(bytes)))
}

/// Two reads of one array, the first beginning where the second ends.
fn adjacent(high: &Term, low: &Term) -> Option<Term> {
    let ((a, i), (b, j)) = (binary(high, Op::Read)?, binary(low, Op::Read)?);
    let bytes = u64::from(low.width() / 8);
    let joins = a == b && distance(j, i)? == bytes & mask(j.width().min(64));
    joins.then(|| b.read(j, (high.width() + low.width()) / 8))
}

fn concat_reads(v: &View) -> Option<Term> {
    adjacent(v.a(), v.b())
}

fn concat_reads_tail(v: &View) -> Option<Term> {
    let (low, rest) = binary(v.b(), Op::Concat)?;
    Some(adjacent(v.a(), low)?.concat(rest))
}

/// Only the bytes that are wanted.
fn extract_read(v: &View) -> Option<Term> {
    let (array, index) = binary(v.a(), Op::Read)?;
    let (first, last) = (v.low / 8, v.high() / 8);
    let bytes = last - first + 1;
    if bytes == v.a().width() / 8 {
        return None;
    }
    let word = array.read(&at(index, u64::from(first)), bytes);
    Some(word.extract(v.high() - first * 8, v.low - first * 8))
}
