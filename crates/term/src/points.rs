//! A term over one input byte is a function of 256 points, whatever operators and tables stand between. Here it is computed, all points of a
//! node at a time: the layout of the DAG and the choice of the operator are paid once, not 256 times.

use crate::bits::mask;
use crate::fold::fold_narrow;
use crate::op::Op;
use crate::store::Term;
use crate::walk::{Seen, post_order};
use rustc_hash::FxHashMap;

/// A value for each value of the byte.
pub type Points = [u64; 256];

/// More nodes than this are not worth their memory (2 KiB each).
const NODES: usize = 4096;

/// More nodes over both bytes than this are not worth their time (some 100 microseconds each). A read looks at each byte of each point by itself, all through its array.
const PAIRED: usize = 48;
const READING: usize = 8;

/// The values of `term` for each value of `byte`, the only input that it mentions: a read of one cell of an array symbol, or a symbol
/// of eight bits. `None` if it is too large, has a node of more than 64 bits, or mentions something else.
pub fn points(term: &Term, byte: &Term) -> Option<Box<Points>> {
    debug_assert_eq!(byte.width(), 8);
    let order = post_order([term]);
    if order.len() > NODES {
        return None;
    }
    let mut table = Lanes::default();
    for node in order {
        table.enter(node, byte)?;
    }
    let last = table.place[&term.id()];
    Some(table.values.swap_remove(last))
}

/// For each value of one byte, one bit for each value of another.
pub type Square = [[u64; 4]; 256];

/// Where `condition`, which mentions just these two bytes, holds, by values of `first`; and what it cost, in nodes computed for a row. `None` as for `points`.
pub fn pairs(condition: &Term, first: &Term, second: &Term) -> Option<(Box<Square>, usize)> {
    debug_assert!(condition.width() == 1 && first.width() == 8 && second.width() == 8);
    let order = post_order([condition]);
    if order.len() > NODES {
        return None;
    }
    // What depends on one byte at most is computed once; what depends on both, once for each value of the first.
    let (over_first, over_second) = (users(&order, first), users(&order, second));
    let (mut rows, mut columns) = (Lanes::default(), Lanes::default());
    let (mut spread, mut both) = (Vec::new(), Vec::new());
    let arrays: Vec<&Term> = order.iter().copied().filter(|node| node.is_array()).collect();
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
    let weight =
        |node: &&Term| if node.op() == Op::Read { READING * arrays.len() * node.width() as usize / 8 } else { 1 };
    let cost: usize = both.iter().map(weight).sum();
    if cost > PAIRED || both.iter().any(|node| !is_narrow(node)) {
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

/// Nodes of a DAG computed for 256 points at a time, each from its arguments.
#[derive(Default)]
pub struct Lanes {
    place: FxHashMap<u32, usize>,
    #[expect(clippy::vec_box, reason = "they change places with the spare one")]
    values: Vec<Box<Points>>,
    /// Room for the node that is being computed.
    spare: Option<Box<Points>>,
}

impl Lanes {
    /// Computes a node that depends on `byte` at most from its arguments; `None` as for `points`. An array has no value of its own; its symbol may be met below the byte itself.
    pub fn enter(&mut self, node: &Term, byte: &Term) -> Option<()> {
        if node == byte {
            **self.slot(node) = std::array::from_fn(|value| value as u64);
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
        self.slot(node).fill(value);
    }

    /// Gives a node its values, at the first points as many as there are.
    pub fn set(&mut self, node: &Term, values: impl Iterator<Item = u64>) {
        self.slot(node).iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
    }

    /// Computes a node from its arguments, which are there.
    pub fn compute(&mut self, node: &Term) -> Option<()> {
        let mut values = self.spare.take().unwrap_or_else(|| Box::new([0; 256]));
        self.node(node, &mut values)?;
        std::mem::swap(self.slot(node), &mut values);
        self.spare = Some(values);
        Some(())
    }

    /// Where the values of a node are kept.
    fn slot(&mut self, node: &Term) -> &mut Box<Points> {
        let place = *self.place.entry(node.id()).or_insert(self.values.len());
        if place == self.values.len() {
            self.values.push(Box::new([0; 256]));
        }
        &mut self.values[place]
    }

    /// The values of a node that was computed, filled or set.
    pub fn of(&self, term: &Term) -> &Points {
        &self.values[self.place[&term.id()]]
    }

    fn node(&self, node: &Term, into: &mut Points) -> Option<()> {
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
        }
        let args = node.args();
        let a = self.of(&args[0]);
        let b = args.get(1).map_or(a, |b| self.of(b));
        let c = args.get(2).map_or(a, |c| self.of(c));
        let low = if node.op() == Op::Extract { node.low() } else { 0 };
        apply(node.op(), width, low, args[0].width(), [a, b, c], into);
        Some(())
    }

    fn read(&self, node: &Term, into: &mut Points) -> Option<()> {
        let (array, index) = (node.arg(0), self.of(node.arg(1)));
        let bits = mask(array.width());
        let bytes = node.width() as usize / 8;
        let contents: &[u8] = array.contents().map_or(&[], |contents| contents);
        for (i, value) in into.iter_mut().enumerate() {
            *value = 0;
            // A table that is read inside: no cell is looked for.
            if let Some(cells) = usize::try_from(index[i]).ok().and_then(|at| contents.get(at..at.checked_add(bytes)?))
            {
                *value = cells.iter().rev().fold(0, |value, cell| value << 8 | u64::from(*cell));
                continue;
            }
            for byte in (0..bytes as u64).rev() {
                *value = *value << 8 | u64::from(self.cell(array, index[i].wrapping_add(byte) & bits, i)?);
            }
        }
        Some(())
    }

    /// The cell of an array at one point.
    fn cell(&self, array: &Term, index: u64, point: usize) -> Option<u8> {
        let mut array = array;
        loop {
            let value = |arg: usize| self.of(array.arg(arg))[point];
            array = match array.op() {
                Op::Write if value(1) == index => return Some(value(2) as u8),
                Op::Write => array.arg(0),
                Op::Fill => return Some(value(0) as u8),
                Op::Ite => array.arg(if value(0) != 0 { 1 } else { 2 }),
                Op::Table => {
                    let contents = array.contents()?;
                    match usize::try_from(index).ok().and_then(|i| contents.get(i)) {
                        Some(byte) => return Some(*byte),
                        None => array.arg(0),
                    }
                }
                // An input other than the byte.
                _ => return None,
            };
        }
    }
}

/// `fold_narrow` on all points. All operators but divisions have loops of their own, which the compiler turns into vector instructions where it can.
fn apply(op: Op, width: u32, low: u32, from: u32, [a, b, c]: [&Points; 3], into: &mut Points) {
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
        Op::ZExt => *into = *a,
        Op::Eq => each(into, |i| u64::from(a[i] == b[i])),
        Op::Ult => each(into, |i| u64::from(a[i] < b[i])),
        Op::Slt => each(into, |i| u64::from((a[i] ^ sign) < (b[i] ^ sign))),
        Op::Ite => each(into, |i| if a[i] != 0 { b[i] } else { c[i] }),
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::AShr => {
            each(into, |i| fold_narrow(op, width, low, from, a[i], b[i], c[i]));
        }
        Op::Const | Op::Symbol | Op::Read | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write => {
            unreachable!("leaves and arrays are not applied")
        }
    }
}

fn each(into: &mut Points, of: impl Fn(usize) -> u64) {
    into.iter_mut().enumerate().for_each(|(i, value)| *value = of(i));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::Assignment;
    use crate::eval::eval;
    use std::sync::Arc;

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
        for term in terms {
            let all = points(&term, &byte).expect("one byte is all that it mentions");
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
        assert!(points(&byte.add(&other), &byte).is_none(), "two inputs");
        assert!(points(&input.read(&byte.zext(32), 1), &byte).is_none(), "a read anywhere in the input");
    }
}
