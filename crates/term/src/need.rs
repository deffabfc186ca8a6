//! The value of one term under an assignment, by need: what is not looked at is not computed, and nothing is laid out first.
//!
//! For a condition that is evaluated once, which is what a path's witness is for: laying it out costs several times what computing it does (`eval` is for the second
//! time on). Values of nodes are kept in a table that is never emptied: those of an earlier call have another stamp.

use crate::assignment::Assignment;
use crate::bits::mask;
use crate::eval::Evaluator;
use crate::fold::fold_narrow;
use crate::op::Op;
use crate::points::is_narrow;
use crate::store::Term;
use std::cell::RefCell;

/// Places of the table at first, and at most between two calls.
const PLACES: usize = 1 << 12;
const KEPT: usize = 1 << 16;
/// How many writes and choices may be met of which nobody knows yet where they are: beyond, `eval` is faster.
const WALKS: usize = 32;
/// How deep a term is walked down at once.
const DEPTH: u32 = 200;

#[derive(Clone, Copy, Default)]
struct Place {
    id: u32,
    stamp: u32,
    value: u64,
}

/// Values by id, of the call with the stamp.
struct Table {
    places: Vec<Place>,
    stamp: u32,
    used: usize,
}

impl Table {
    /// For another call.
    fn begin(&mut self) {
        self.used = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.places.len() > KEPT {
            (self.places, self.stamp) = (vec![Place::default(); PLACES], 1);
        }
    }

    /// Where an id is, or would be.
    fn find(&self, id: u32) -> usize {
        let last = self.places.len() - 1;
        let mut at = (u64::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & last;
        while self.places[at].stamp == self.stamp && self.places[at].id != id {
            at = (at + 1) & last;
        }
        at
    }

    fn get(&self, id: u32) -> Option<u64> {
        let place = self.places[self.find(id)];
        (place.stamp == self.stamp).then_some(place.value)
    }

    /// Enters what is not there.
    fn insert(&mut self, id: u32, value: u64) {
        if 2 * self.used >= self.places.len() {
            let larger = vec![Place::default(); 4 * self.places.len()];
            for place in std::mem::replace(&mut self.places, larger) {
                if place.stamp == self.stamp {
                    let at = self.find(place.id);
                    self.places[at] = place;
                }
            }
        }
        let at = self.find(id);
        self.places[at] = Place { id, stamp: self.stamp, value };
        self.used += 1;
    }
}

thread_local! {
    static TABLE: RefCell<Table> = const { RefCell::new(Table { places: Vec::new(), stamp: u32::MAX, used: 0 }) };
}

/// The value of a term; `None` if it has nodes of more than 64 bits, or reads through many writes.
pub(crate) fn value(term: &Term, assignment: &Assignment) -> Option<u64> {
    TABLE.with_borrow_mut(|table| {
        table.begin();
        Call { table, assignment, walks: 0 }.run(term)
    })
}

/// Are all these conditions true? Up to the first that is not; what they share is computed once. `None` if one is not for this.
pub(crate) fn hold<'a>(conditions: impl Iterator<Item = &'a Term>, assignment: &'a Assignment) -> Option<bool> {
    TABLE.with_borrow_mut(|table| {
        table.begin();
        for condition in conditions {
            if (Call { table: &mut *table, assignment, walks: 0 }).run(condition)? == 0 {
                return Some(false);
            }
        }
        Some(true)
    })
}

struct Call<'t, 'a> {
    table: &'t mut Table,
    assignment: &'a Assignment,
    /// How many undecided writes and choices reads have passed.
    walks: usize,
}

/// Why there is no value.
enum Stop<'a> {
    /// Not within the depth that there is: this node first.
    First(&'a Term),
    TooMuch,
}

type Found<'a> = Result<u64, Stop<'a>>;

impl<'a> Call<'_, 'a> {
    /// Node by node from below where the term is too deep to be walked down.
    fn run(mut self, term: &'a Term) -> Option<u64> {
        let mut stack = vec![term];
        loop {
            let node: &'a Term = stack.last()?;
            match self.value(node, DEPTH) {
                Ok(value) => {
                    stack.pop();
                    if stack.is_empty() {
                        return Some(value);
                    }
                }
                Err(Stop::First(below)) => stack.push(below),
                Err(Stop::TooMuch) => return None,
            }
        }
    }

    /// The value of a node, if it is not deeper than that.
    fn value(&mut self, node: &'a Term, depth: u32) -> Found<'a> {
        if node.is_const() {
            return node.const_u64().ok_or(Stop::TooMuch);
        }
        if let Some(known) = self.table.get(node.id()) {
            return Ok(known);
        }
        if !is_narrow(node) {
            return Err(Stop::TooMuch);
        }
        let below = depth.checked_sub(1).ok_or(Stop::First(node))?;
        let args = node.args();
        let value = match node.op() {
            Op::Symbol => self.assignment.get(node).low_u64(),
            Op::Read => self.read(node, below)?,
            Op::Ite => {
                let truth = self.value(&args[0], below)?;
                self.value(&args[if truth != 0 { 1 } else { 2 }], below)?
            }
            Op::Not
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Add
            | Op::Sub
            | Op::Mul
            | Op::UDiv
            | Op::SDiv
            | Op::URem
            | Op::SRem
            | Op::Shl
            | Op::LShr
            | Op::AShr
            | Op::Concat
            | Op::Extract
            | Op::ZExt
            | Op::SExt
            | Op::Eq
            | Op::Ult
            | Op::Slt => {
                let mut values = [0; 3];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = self.value(arg, below)?;
                }
                let low = if node.op() == Op::Extract { node.low() } else { 0 };
                let [a, b, c] = values;
                fold_narrow(node.op(), node.width(), low, args[0].width(), a, b, c)
            }
            Op::Forall => self.clause(node, below)?,
            // It has a value in a clause only.
            Op::Const | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Bound => return Err(Stop::TooMuch),
        };
        self.table.insert(node.id(), value);
        Ok(value)
    }

    /// A clause is laid out: its body is computed once for each instance.
    fn clause(&mut self, node: &'a Term, depth: u32) -> Found<'a> {
        if self.value(&node.args()[0], depth)? == 0 {
            return Ok(1);
        }
        let mut evaluator = Evaluator::new(std::slice::from_ref(node));
        Ok(u64::from(evaluator.holds(self.assignment)))
    }

    fn read(&mut self, node: &'a Term, depth: u32) -> Found<'a> {
        let array = &node.args()[0];
        let index = self.value(&node.args()[1], depth)?;
        let mut value = 0;
        for byte in (0..u64::from(node.width() / 8)).rev() {
            value = value << 8 | self.cell(array, index.wrapping_add(byte) & mask(array.width()), depth)? & 0xff;
        }
        Ok(value)
    }

    /// What an array holds at an index: the newest write there, or what lies below all of them.
    fn cell(&mut self, mut array: &'a Term, index: u64, depth: u32) -> Found<'a> {
        loop {
            let args = array.args();
            match array.op() {
                Op::Table => {
                    let place = usize::try_from(index).ok();
                    if let Some(byte) = place.and_then(|at| array.contents()?.get(at)) {
                        return Ok((*byte).into());
                    }
                    array = &args[0];
                }
                Op::Fill => return self.value(&args[0], depth),
                Op::Ite => array = &args[if self.walked(&args[0], depth)? != 0 { 1 } else { 2 }],
                Op::Write if self.walked(&args[1], depth)? == index => return self.value(&args[2], depth),
                Op::Write => array = &args[0],
                Op::ArraySymbol => return Ok(self.assignment.get_cell(array, index).into()),
                Op::Const | Op::Symbol | Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul => break,
                Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr | Op::Concat => break,
                Op::Extract | Op::ZExt | Op::SExt | Op::Eq | Op::Ult | Op::Slt | Op::Read => break,
                Op::Bound | Op::Forall => break,
            }
        }
        unreachable!("{:?} is not an array", array.op())
    }

    /// The value of a node that says where a read goes on. One that is not known costs the way there once more.
    fn walked(&mut self, node: &'a Term, depth: u32) -> Found<'a> {
        if !node.is_const() && self.table.get(node.id()).is_none() {
            self.walks += 1;
            if self.walks > WALKS {
                return Err(Stop::TooMuch);
            }
        }
        self.value(node, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A term over what there is.
    fn grown(random: &mut Random, words: &[Term], arrays: &[Term]) -> Term {
        let (a, b, array) = (random.pick(words).clone(), random.pick(words).clone(), random.pick(arrays).clone());
        match random.below(20) {
            0 => a.not(),
            1 => a.and(&b),
            2 => a.or(&b),
            3 => a.xor(&b),
            4 => a.add(&b),
            5 => a.sub(&b),
            6 => a.mul(&b),
            7 => a.udiv(&b),
            8 => a.srem(&b),
            9 => a.shl(&b),
            10 => a.ashr(&b),
            11 => a.extract(7, 0).sext(16),
            12 => a.extract(15, 8).concat(&b.extract(7, 0)),
            13 => Term::ite(&a.ult(&b), &b, &a),
            14 => Term::ite(&a.eq(&b), &a.add(&b), &b),
            15 => a.slt(&b).zext(16),
            16 => array.read(&a.zext(32), 2),
            _ => array.read(&a.extract(3, 0).zext(32), 2),
        }
    }

    #[test]
    fn agrees_with_the_evaluator() {
        let mut random = Random(7);
        let mut decided = 0;
        for _ in 0..300 {
            let input = Term::array("a", 32);
            let table = Term::constant_array(
                32,
                (0..16).map(|_| random.below(256) as u8).collect::<Vec<_>>().as_slice().into(),
            );
            let mut words: Vec<Term> = (0..3).map(|i| Term::symbol(&format!("x{i}"), 16)).collect();
            words.extend([0, 3, 0xffff].map(|value| Term::number(16, value)));
            let mut arrays = vec![input.clone(), table];
            for _ in 0..30 {
                words.push(grown(&mut random, &words, &arrays));
                if random.below(4) == 0 {
                    let (array, index) = (random.pick(&arrays).clone(), random.pick(&words).clone());
                    let byte = random.pick(&words).extract(7, 0);
                    arrays.push(array.write(&index.extract(3, 0).zext(32), &byte));
                }
            }
            for _ in 0..4 {
                let mut model = Assignment::default();
                for word in &words[..3] {
                    model.set(word, crate::Bits::new(16, random.below(1 << 16) as u64));
                }
                for index in 0..16 {
                    model.set_cell(&input, index, random.below(256) as u8);
                }
                for word in &words[words.len() - 8..] {
                    let mut evaluator = Evaluator::new(std::slice::from_ref(word));
                    evaluator.run(&model);
                    if let Some(found) = value(word, &model) {
                        assert_eq!(found, evaluator.value(word).low_u64(), "{word:?}");
                        decided += 1;
                    }
                }
                // All at once, and one of them wrong.
                let last = &words[words.len() - 8..];
                let mut said: Vec<Term> =
                    last.iter().map(|word| word.eq(&Term::constant(crate::eval(word, &model)))).collect();
                assert!(hold(said.iter(), &model) != Some(false));
                let wrong = random.below(said.len());
                said[wrong] = said[wrong].not();
                assert!(hold(said.iter(), &model) != Some(true));
            }
        }
        assert!(decided > 9000, "{decided}");
    }

    #[test]
    fn long_chains_and_tables_that_grow() {
        let x = Term::symbol("x", 32);
        let mut model = Assignment::default();
        model.set(&x, crate::Bits::new(32, 3));
        let sum = (0..100_000u64).fold(x.clone(), |sum, i| sum.add(&x).xor(&Term::number(32, i)));
        let expected = (0..100_000u32).fold(3u32, |sum, i| sum.wrapping_add(3) ^ i);
        assert_eq!(value(&sum, &model), Some(expected.into()));
        assert_eq!(value(&x, &model), Some(3), "and after one that was too large to be kept");
    }

    #[test]
    fn what_is_wide_is_left_alone() {
        let x = Term::symbol("x", 128);
        assert_eq!(value(&x.eq(&Term::number(128, 1)), &Assignment::default()), None);
    }
}
