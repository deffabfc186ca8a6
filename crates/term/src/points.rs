//! A term over one input byte is a function of 256 points, whatever operators and tables stand between. Here it is computed, all points of a
//! node at a time: the layout of the DAG and the choice of the operator are paid once, not 256 times.

use crate::bits::mask;
use crate::fold::fold_narrow;
use crate::op::Op;
use crate::store::Term;
use crate::walk::{Seen, post_order};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// A value for each value of the byte.
pub type Points = [u64; 256];

/// More nodes than this are not worth their memory (2 KiB each).
const NODES: usize = 4096;

/// More nodes over both bytes than this are not worth their time (some 100 microseconds each). A read looks at each byte of each point by itself, all through its array.
const PAIRED: usize = 48;
const READING: usize = 8;

/// Cells of arrays looked at for one term, at most: each byte of each point is compared with each
/// write at a symbolic index that it passes. So many take some ten milliseconds; a table of
/// pointers hashed into would take a minute.
const CELLS: usize = 8 << 20;
/// What a write costs beside that, and one at a constant index at all, in cells.
const PASSED: usize = 16;

/// Terms over one byte each, computed once: what a new one shares with those before it is there.
#[derive(Default)]
pub struct Columns {
    lanes: Lanes,
    /// Held, so that their ids mean them.
    held: Vec<Term>,
    /// Terms that are too large, by id: they would be given up anew each time.
    refused: FxHashMap<u32, Term>,
}

impl Columns {
    /// The values of `term` for each value of `byte`, the only input that it mentions: a read of one cell of an array symbol, or a symbol
    /// of eight bits. `None` if it is too large or has a node of more than 64 bits. What mentions another input is nothing for this: that may be there, with its own values.
    pub fn of(&mut self, term: &Term, byte: &Term) -> Option<&[u64]> {
        debug_assert_eq!(byte.width(), 8);
        debug_assert!(post_order([term]).iter().all(|node| *node == byte || !is_input(node)), "{term:?}");
        if term.is_open() || term.has_clause() {
            return None;
        }
        if !self.lanes.has(term) {
            if self.refused.contains_key(&term.id()) {
                return None;
            }
            if self.held.len() > NODES || self.refused.len() > NODES {
                *self = Columns::default();
            }
            self.lanes.left.set(CELLS);
            if self.compute(term, byte).is_none() {
                self.refused.insert(term.id(), term.clone());
                return None;
            }
        }
        Some(self.lanes.of(term))
    }

    fn compute(&mut self, term: &Term, byte: &Term) -> Option<()> {
        // Counted first: what is too large would be computed up to the limit, and push out what
        // others share.
        self.is_small(term, byte).then_some(())?;
        let mut arrays = Seen::default();
        let mut stack = vec![(term, false)];
        while let Some((node, ready)) = stack.pop() {
            if self.lanes.has(node) || !ready && node.is_array() && !arrays.insert(node.id()) {
                continue;
            }
            if !ready && node != byte {
                stack.push((node, true));
                stack.extend(node.args().iter().map(|arg| (arg, false)));
                continue;
            }
            self.lanes.enter(node, byte)?;
            if !node.is_array() {
                self.held.push(node.clone());
            }
        }
        Some(())
    }

    /// Are there at most `NODES` nodes of it to compute?
    fn is_small(&self, term: &Term, byte: &Term) -> bool {
        let (mut met, mut count) = (Seen::default(), 0);
        let mut stack = vec![term];
        while let Some(node) = stack.pop() {
            if node != byte && !self.lanes.has(node) && met.insert(node.id()) {
                count += 1;
                if count > NODES {
                    return false;
                }
                stack.extend(node.args());
            }
        }
        true
    }
}

/// Is it an input, or a part of one?
fn is_input(node: &Term) -> bool {
    node.op() == Op::Symbol || node.op() == Op::Read && node.arg(0).op() == Op::ArraySymbol
}

/// For each value of one byte, one bit for each value of another.
pub type Square = [[u64; 4]; 256];

/// Where `condition`, which mentions just these two bytes, holds, by values of `first`; and what it cost, in nodes computed for a row. `None` as for `points`.
pub fn pairs(condition: &Term, first: &Term, second: &Term) -> Option<(Box<Square>, usize)> {
    debug_assert!(condition.width() == 1 && first.width() == 8 && second.width() == 8);
    if condition.is_open() || condition.has_clause() {
        return None;
    }
    let order = post_order([condition]);
    if order.len() > NODES {
        return None;
    }
    // What depends on one byte at most is computed once; what depends on both, once for each value of the first.
    let (over_first, over_second) = (users(&order, first), users(&order, second));
    let (mut rows, mut columns) = (Lanes::default(), Lanes::default());
    let (mut spread, mut both) = (Vec::new(), Vec::new());
    let arrays: Vec<&Term> = order.iter().copied().filter(|node| node.is_array()).collect();
    let weight =
        |node: &Term| if node.op() == Op::Read { READING * arrays.len() * node.width() as usize / 8 } else { 1 };
    let of_both = |node: &Term| over_first.contains(&node.id()) && over_second.contains(&node.id());
    let cost: usize = order.iter().copied().filter(|node| !node.is_array() && of_both(node)).map(weight).sum();
    if cost > PAIRED {
        return None;
    }
    for node in order {
        match (over_first.contains(&node.id()), over_second.contains(&node.id())) {
            (true, true) if !node.is_array() => both.push(node),
            (true, false) if !node.is_array() => {
                columns.enter(node, first)?;
                spread.push(node);
            }
            (false, true) => rows.enter(node, second)?,
            (false, false) => {
                rows.enter(node, second)?;
                columns.enter(node, first)?;
            }
            (true, _) => {}
        }
    }
    if both.iter().any(|node| !is_narrow(node)) {
        return None;
    }
    spread.retain(|node| both.iter().chain(&arrays).any(|user| user.args().contains(node)));
    let mut bits = Box::new([[0; 4]; 256]);
    // Values of the first byte that its users do not tell apart have one row: of a byte and 7 there are eight.
    let mut met: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    for value in 0..256 {
        let seen: Vec<u64> = spread.iter().map(|node| columns.of(node)[value]).collect();
        if let Some(same) = met.get(&seen) {
            bits[value] = bits[*same];
            continue;
        }
        for (node, value) in spread.iter().zip(&seen) {
            rows.fill(node, *value);
        }
        met.insert(seen, value);
        for node in &both {
            rows.compute(node)?;
        }
        for (i, lane) in rows.of(condition).iter().enumerate() {
            bits[value][i / 64] |= (lane & 1) << (i % 64);
        }
    }
    Some((bits, met.len() * cost))
}

/// The nodes of an order that use `byte`, and `byte` itself.
fn users(order: &[&Term], byte: &Term) -> Seen {
    let mut users = Seen::default();
    for node in order {
        if *node == byte || node.args().iter().any(|arg| users.contains(&arg.id())) {
            users.insert(node.id());
        }
    }
    users
}

/// Has it and have its arguments at most 64 bits?
pub fn is_narrow(node: &Term) -> bool {
    node.width() <= 64 && node.args().iter().all(|arg| arg.is_array() || arg.width() <= 64)
}

/// Nodes of a DAG computed for up to 256 points at a time, each from its arguments.
pub struct Lanes {
    count: usize,
    place: FxHashMap<u32, usize>,
    /// `count` values for each place.
    values: Vec<Vec<u64>>,
    /// Room for the node that is being computed.
    spare: Vec<u64>,
    /// Cells of arrays that may still be looked at.
    left: Cell<usize>,
}

impl Default for Lanes {
    fn default() -> Lanes {
        Lanes::new(256)
    }
}

impl Lanes {
    /// For so many points, up to 256.
    pub fn new(count: usize) -> Lanes {
        Lanes { count, place: FxHashMap::default(), values: Vec::new(), spare: vec![0; count], left: Cell::new(CELLS) }
    }

    fn has(&self, node: &Term) -> bool {
        self.place.contains_key(&node.id())
    }

    /// Computes a node that depends on `byte` at most from its arguments; `None` as for `points`. An array has no value of its own; its symbol may be met below the byte itself.
    pub fn enter(&mut self, node: &Term, byte: &Term) -> Option<()> {
        if node == byte {
            self.set(node, 0..256);
        } else if !node.is_array() {
            if !is_narrow(node) {
                return None;
            }
            self.compute(node)?;
        }
        Some(())
    }

    /// Gives a node the same value at all points.
    pub fn fill(&mut self, node: &Term, value: u64) {
        self.spare.fill(value);
        self.keep(node);
    }

    /// Gives a node its values, as many as there are points.
    pub fn set(&mut self, node: &Term, values: impl Iterator<Item = u64>) {
        self.spare.iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
        self.keep(node);
    }

    /// Computes a node from its arguments, which are there.
    pub fn compute(&mut self, node: &Term) -> Option<()> {
        let mut values = std::mem::take(&mut self.spare);
        let done = self.node(node, &mut values);
        self.spare = values;
        done.map(|()| self.keep(node))
    }

    /// Keeps what was computed for a node.
    fn keep(&mut self, node: &Term) {
        let place = *self.place.entry(node.id()).or_insert(self.values.len());
        if place == self.values.len() {
            self.values.push(vec![0; self.count]);
        }
        std::mem::swap(&mut self.values[place], &mut self.spare);
    }

    /// The values of a node that was computed, filled or set.
    pub fn of(&self, term: &Term) -> &[u64] {
        &self.values[self.place[&term.id()]]
    }

    fn node(&self, node: &Term, into: &mut [u64]) -> Option<()> {
        let width = node.width();
        match node.op() {
            Op::Const => {
                into.fill(node.const_u64()?);
                return Some(());
            }
            Op::Symbol => return None,
            Op::Read => return self.read(node, into),
            Op::ArraySymbol | Op::Fill | Op::Table | Op::Write => unreachable!("arrays have no value"),
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem => {}
            Op::SRem | Op::Shl | Op::LShr | Op::AShr | Op::Concat | Op::Extract | Op::ZExt | Op::SExt | Op::Eq => {}
            Op::Ult | Op::Slt | Op::Ite => {}
            // A clause is no function of its arguments' values.
            Op::Bound | Op::Forall => return None,
        }
        let args = node.args();
        let a = self.of(&args[0]);
        let b = args.get(1).map_or(a, |b| self.of(b));
        let c = args.get(2).map_or(a, |c| self.of(c));
        let low = if node.op() == Op::Extract { node.low() } else { 0 };
        apply(node.op(), width, low, args[0].width(), [a, b, c], into);
        Some(())
    }

    fn read(&self, node: &Term, into: &mut [u64]) -> Option<()> {
        let (array, index) = (node.arg(0), self.of(node.arg(1)));
        let contents: &[u8] = array.contents().map_or(&[], |contents| contents);
        let outside = match node.width() {
            8 => elements(contents, index, into, |cell: [u8; 1]| cell[0].into()),
            16 => elements(contents, index, into, |cells| u16::from_le_bytes(cells).into()),
            32 => elements(contents, index, into, |cells| u32::from_le_bytes(cells).into()),
            64 => elements(contents, index, into, u64::from_le_bytes),
            _ => (0..into.len() as u16).collect(),
        };
        self.gather(array, index, node.width() / 8, &outside, into)
    }

    /// What an array holds at some points, so many cells from each one's index on. The writes are
    /// passed once, by all points together. Cells are in the order of their addresses, so that a
    /// write at a constant index finds those that it hits without a look at the others: most
    /// writes of a chain are such.
    fn gather(&self, array: &Term, index: &[u64], count: u32, points: &[u16], into: &mut [u64]) -> Option<()> {
        let bits = mask(array.width());
        points.iter().for_each(|point| into[usize::from(*point)] = 0);
        // Cells that are looked for: the point, and which byte of its value that is.
        let wanted = |point: &u16| (0..count as u8).map(|byte| (*point, byte)).collect::<Vec<_>>();
        let at = |(point, byte): (u16, u8)| index[usize::from(point)].wrapping_add(byte.into()) & bits;
        let mut cells: Vec<(u16, u8)> = points.iter().flat_map(wanted).collect();
        if matches!(array.op(), Op::Write | Op::Ite) {
            cells.sort_by_cached_key(|cell| at(*cell));
        }
        let mut open = vec![(array, cells)];
        let mut put = |(point, byte): (u16, u8), value: u64| into[usize::from(point)] |= (value & 0xff) << (8 * byte);
        while let Some((mut array, mut cells)) = open.pop() {
            while !cells.is_empty() {
                let fixed = (array.op() == Op::Write).then(|| array.arg(1).const_u64()).flatten();
                let looked = if fixed.is_some() { PASSED } else { cells.len() + PASSED };
                self.left.set(self.left.get().checked_sub(looked)?);
                match array.op() {
                    Op::Write => {
                        let value = self.of(array.arg(2));
                        if let Some(to) = fixed {
                            let first = cells.partition_point(|cell| at(*cell) < to);
                            let count = cells[first..].partition_point(|cell| at(*cell) == to);
                            cells.drain(first..first + count).for_each(|cell| put(cell, value[usize::from(cell.0)]));
                        } else {
                            let to = self.of(array.arg(1));
                            cells.retain(|cell| {
                                let point = usize::from(cell.0);
                                let hit = to[point] == at(*cell);
                                if hit {
                                    put(*cell, value[point]);
                                }
                                !hit
                            });
                        }
                        array = array.arg(0);
                    }
                    Op::Fill => {
                        let value = self.of(array.arg(0));
                        cells.drain(..).for_each(|cell| put(cell, value[usize::from(cell.0)]));
                    }
                    Op::Ite => {
                        let condition = self.of(array.arg(0));
                        let (then, otherwise) = cells.iter().partition(|cell| condition[usize::from(cell.0)] != 0);
                        cells = then;
                        open.push((array.arg(2), otherwise));
                        array = array.arg(1);
                    }
                    Op::Table => {
                        let contents = array.contents()?;
                        cells.retain(|cell| {
                            let found = usize::try_from(at(*cell)).ok().and_then(|at| contents.get(at));
                            found.inspect(|byte| put(*cell, u64::from(**byte))).is_none()
                        });
                        array = array.arg(0);
                    }
                    // An input other than the byte.
                    Op::ArraySymbol => return None,
                    Op::Const | Op::Symbol | Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul => {
                        return None;
                    }
                    Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr | Op::Concat => {
                        return None;
                    }
                    Op::Extract | Op::ZExt | Op::SExt | Op::Eq | Op::Ult | Op::Slt | Op::Read => return None,
                    Op::Bound | Op::Forall => return None,
                }
            }
        }
        Some(())
    }
}

/// Elements of a table at all points; gives the points at which one is not in it as a whole.
fn elements<const SIZE: usize>(
    contents: &[u8],
    index: &[u64],
    into: &mut [u64],
    value: impl Fn([u8; SIZE]) -> u64,
) -> Vec<u16> {
    let mut outside = Vec::new();
    for (i, (at, into)) in index.iter().zip(into).enumerate() {
        match usize::try_from(*at).ok().and_then(|at| contents.get(at..)?.first_chunk::<SIZE>()) {
            Some(found) => *into = value(*found),
            None => outside.push(i as u16),
        }
    }
    outside
}

/// `fold_narrow` on all points. All operators but divisions have loops of their own, which the compiler turns into vector instructions where it can.
fn apply(op: Op, width: u32, low: u32, from: u32, args: [&[u64]; 3], into: &mut [u64]) {
    // All of one length: the loops look at no bound.
    let [a, b, c] = args.map(|arg| &arg[..into.len()]);
    let bits = mask(width);
    let sign = 1u64 << (from - 1);
    let size = u64::from(width);
    match op {
        Op::Not => each(into, |i| !a[i] & bits),
        Op::And => each(into, |i| a[i] & b[i]),
        Op::Or => each(into, |i| a[i] | b[i]),
        Op::Xor => each(into, |i| a[i] ^ b[i]),
        Op::Add => each(into, |i| a[i].wrapping_add(b[i]) & bits),
        Op::Sub => each(into, |i| a[i].wrapping_sub(b[i]) & bits),
        Op::Mul => each(into, |i| a[i].wrapping_mul(b[i]) & bits),
        Op::Shl => each(into, |i| if b[i] < size { a[i] << b[i] & bits } else { 0 }),
        Op::LShr => each(into, |i| if b[i] < size { a[i] >> b[i] } else { 0 }),
        Op::SExt => each(into, |i| (a[i] ^ sign).wrapping_sub(sign) & bits),
        Op::Concat => each(into, |i| a[i] << (width - from) | b[i]),
        Op::Extract => each(into, |i| a[i] >> low & bits),
        Op::ZExt => into.copy_from_slice(a),
        Op::Eq => each(into, |i| u64::from(a[i] == b[i])),
        Op::Ult => each(into, |i| u64::from(a[i] < b[i])),
        Op::Slt => each(into, |i| u64::from((a[i] ^ sign) < (b[i] ^ sign))),
        Op::Ite => each(into, |i| if a[i] != 0 { b[i] } else { c[i] }),
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::AShr => {
            each(into, |i| fold_narrow(op, width, low, from, a[i], b[i], c[i]));
        }
        Op::Const
        | Op::Symbol
        | Op::Read
        | Op::ArraySymbol
        | Op::Fill
        | Op::Table
        | Op::Write
        | Op::Bound
        | Op::Forall => {
            unreachable!("leaves and arrays are not applied")
        }
    }
}

#[inline(always)]
fn each(into: &mut [u64], of: impl Fn(usize) -> u64) {
    into.iter_mut().enumerate().for_each(|(i, value)| *value = of(i));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::Assignment;
    use crate::eval::eval;
    use std::sync::Arc;

    /// A chain of writes of a byte's functions at constant addresses, one element after the
    /// other, over zeros.
    fn chain(byte: &Term, elements: u64) -> Term {
        let zeros = Term::fill(32, &Term::number(8, 0));
        (0..elements).fold(zeros, |array, element| {
            let value = byte.zext(64).mul(&Term::number(64, 0x0101_0101 + element));
            let cells = (0..8).map(|cell| (element * 8 + cell, value.extract(cell as u32 * 8 + 7, cell as u32 * 8)));
            cells.fold(array, |array, (at, value)| array.write(&Term::number(32, at), &value))
        })
    }

    /// `count` times the byte, as an index into eight-byte elements.
    fn scaled(byte: &Term, by: u64) -> Term {
        byte.zext(32).mul(&Term::number(32, by))
    }

    #[test]
    fn writes_at_constant_indices_are_cheap() {
        let byte = Term::symbol("points-cheap", 8);
        // Some 30 reads pass 400 writes with 2,048 cells each: 25 million cells if each cell
        // looked at each write.
        let array = chain(&byte, 50);
        let reads = (0..30).map(|i| array.read(&scaled(&byte, 8).add(&Term::number(32, i)), 8));
        let sum = reads.reduce(|sum, read| sum.xor(&read)).expect("thirty");
        let mut columns = Columns::default();
        let values = columns.of(&sum, &byte).expect("few cells are looked at").to_vec();
        for (point, value) in values.iter().enumerate() {
            let mut given = Assignment::default();
            given.set(&byte, crate::Bits::new(8, point as u64));
            assert_eq!(Some(*value), eval(&sum, &given).to_u64(), "{point}");
        }
    }

    #[test]
    fn what_is_too_large_is_not_begun() {
        let byte = Term::symbol("points-large", 8);
        let array = chain(&byte, 300);
        let mut columns = Columns::default();
        assert!(columns.of(&array.read(&scaled(&byte, 8), 8), &byte).is_none());
        assert!(columns.held.is_empty(), "{} nodes were computed", columns.held.len());
    }

    #[test]
    fn loops_of_their_own() {
        let mut random = crate::Random(9);
        for width in [1, 7, 8, 31, 32, 63, 64] {
            let [a, b]: [Points; 2] = std::array::from_fn(|_| std::array::from_fn(|_| random.number() & mask(width)));
            let bit: Points = std::array::from_fn(|_| random.number() & 1);
            let low = width / 2;
            let plain = [Op::Not, Op::And, Op::Or, Op::Xor, Op::Add, Op::Sub, Op::Mul, Op::Shl, Op::LShr, Op::AShr];
            let cases = plain.map(|op| (op, width, width, &a, &b));
            let few: Points = b.map(|value| value % (u64::from(width) + 2));
            let shifts = [Op::Shl, Op::LShr, Op::AShr].map(|op| (op, width, width, &a, &few));
            let compared = [Op::Eq, Op::Ult, Op::Slt].map(|op| (op, 1, width, &a, &b));
            let others = [
                (Op::Extract, width - low, width, &a, &b),
                (Op::ZExt, 64, width, &a, &b),
                (Op::SExt, 64, width, &a, &b),
                (Op::Ite, width, 1, &bit, &a),
                (Op::Concat, (width + 1).min(64), 1, &bit, &if width < 64 { a } else { bit }),
            ];
            for (op, to, from, x, y) in cases.into_iter().chain(shifts).chain(compared).chain(others) {
                let low = if op == Op::Extract { low } else { 0 };
                let mut all = [0; 256];
                apply(op, to, low, from, [x, y, &b], &mut all);
                for i in 0..256 {
                    assert_eq!(all[i], fold_narrow(op, to, low, from, x[i], y[i], b[i]), "{op:?} at {width}");
                }
            }
        }
    }

    #[test]
    fn as_evaluated_one_by_one() {
        let input = Term::array("in", 32);
        let byte = input.read(&Term::number(32, 5), 1);
        let wide = byte.sext(32);
        let table = Term::constant_array(32, (0..=255u8).map(|b| b.wrapping_mul(37)).collect::<Arc<[u8]>>());
        let written = table.write(&byte.zext(32).urem(&Term::number(32, 7)), &byte.not());
        let terms = [
            wide.slt(&Term::number(32, 10)),
            table.read(&byte.zext(32), 2).extract(12, 3),
            written.read(&byte.zext(32).and(&Term::number(32, 3)), 4),
            Term::ite(&byte.ult(&Term::number(8, 65)), &wide.sdiv(&Term::number(32, 3)), &wide.mul(&wide)),
            byte.lshr(&byte.and(&Term::number(8, 15))).concat(&byte),
        ];
        let mut columns = Columns::default();
        for term in terms {
            let all = columns.of(&term, &byte).expect("one byte is all that it mentions");
            for value in 0..=255u8 {
                let mut model = Assignment::default();
                model.set_cell(&input, 5, value);
                assert_eq!(all[usize::from(value)], eval(&term, &model).low_u64(), "{term:?} at {value}");
            }
        }
        let other = input.read(&Term::number(32, 6), 1);
        let table = table.write(&other.zext(32), &byte);
        let conditions = [
            wide.add(&other.zext(32)).ult(&Term::number(32, 300)),
            byte.and(&Term::number(8, 15)).concat(&other).slt(&Term::number(16, 77)),
            table.read(&byte.zext(32), 1).eq(&Term::number(8, 74)),
            other.ult(&byte).and(&byte.xor(&other).extract(0, 0)),
        ];
        for condition in conditions {
            let (all, _) = pairs(&condition, &byte, &other).expect("two bytes are all that it mentions");
            for (a, b) in (0..=255u8).flat_map(|a| (0..=255u8).step_by(3).map(move |b| (a, b))) {
                let mut model = Assignment::default();
                model.set_cell(&input, 5, a);
                model.set_cell(&input, 6, b);
                let bit = all[usize::from(a)][usize::from(b / 64)] >> (b % 64) & 1 == 1;
                assert_eq!(bit, eval(&condition, &model).is_true(), "{condition:?} at {a} {b}");
            }
        }
        let third = input.read(&Term::number(32, 7), 1);
        assert!(pairs(&byte.add(&other).ult(&third), &byte, &other).is_none(), "three inputs");
        let wide = byte.concat(&Term::number(64, 1)).eq(&Term::number(72, 1));
        assert!(columns.of(&wide, &byte).is_none_or(|all| all[0] == 1), "too wide, or folded");
    }

    /// Writes are passed by all points together, and a term for which too many would be passed is refused at once and ever after.
    #[test]
    fn long_chains_of_writes() {
        let input = Term::array("in", 32);
        let byte = input.read(&Term::number(32, 5), 1);
        let index = byte.zext(32).mul(&Term::number(32, 7));
        let table = Term::constant_array(32, (0..=255u8).collect::<Arc<[u8]>>());
        let chain =
            (0..900).fold(table, |chain, at| chain.write(&Term::number(32, at), &byte.xor(&Term::number(8, at & 255))));
        let mut columns = Columns::default();
        let one = chain.read(&index, 1);
        let all = columns.of(&one, &byte).expect("one byte of each");
        for value in (0..=255u8).step_by(5) {
            let mut model = Assignment::default();
            model.set_cell(&input, 5, value);
            assert_eq!(all[usize::from(value)], eval(&one, &model).low_u64());
        }
        // At symbolic indices each write is compared with each cell.
        let moved = |at: u64| byte.zext(32).add(&Term::number(32, at));
        let chain = (0..900).fold(chain, |chain, at| chain.write(&moved(at), &byte));
        let words = (0..100).map(|at| chain.read(&index.add(&Term::number(32, 4096 * at)), 8));
        let sum = words.reduce(|sum, word| sum.add(&word)).expect("there are some");
        assert!(columns.of(&sum, &byte).is_none());
        assert!(columns.refused.contains_key(&sum.id()));
    }
}
