//! Reads over pending writes, carried over sets: what is read is what was written where the index may be, or what the base holds there.
//!
//! Byte by byte: the values of all writes whose place may be that of the byte, from the newest on until one that surely is there, and the base's. The bytes are put together
//! then, which forgets that they belong together. Where each pending write is one of as many bytes as the read has, and the residues of all places are known and the same,
//! a write is met as a whole or not at all, and elements are taken as they are. The residue is what the term of the index says; nothing is assumed of types.
//!
//! Above in, above out: a superset of places and values gives a superset of what is read.

use crate::tables::Elements;
use strata_domain::{Aim, Apply, Domain};
use strata_term::{Op, Term};

/// Writes looked at, at most.
const WRITES: usize = 48;
/// How many operators of an index are looked at for its residue, one below the other.
const DEPTH: u32 = 6;

/// A read over writes.
pub struct History<'a> {
    read: &'a Term,
    /// Place and byte, newest first.
    writes: Vec<(&'a Term, &'a Term)>,
    base: &'a Term,
}

impl<'a> History<'a> {
    /// Of a read, if there are writes above its base, and not too many.
    pub fn of(read: &'a Term) -> Option<History<'a>> {
        if read.op() != Op::Read || read.width() > 64 || read.arg(0).op() != Op::Write {
            return None;
        }
        let (mut writes, mut base) = (Vec::new(), read.arg(0));
        while base.op() == Op::Write {
            if writes.len() == WRITES {
                return None;
            }
            writes.push((base.arg(1), base.arg(2)));
            base = base.arg(0);
        }
        Some(History { read, writes, base })
    }

    /// The terms whose sets it needs.
    pub fn operands(&self) -> impl Iterator<Item = &'a Term> {
        let fill = if self.base.op() == Op::Fill { Some(self.base.arg(0)) } else { None };
        // What is written as a whole is needed as a whole.
        let values = match self.elements() {
            Some(elements) => elements.into_iter().map(|(_, value)| value).collect(),
            None => self.writes.iter().map(|(_, value)| *value).collect::<Vec<_>>(),
        };
        let places = self.writes.iter().map(|(place, _)| *place);
        [self.read.arg(1)].into_iter().chain(fill).chain(places).chain(values).filter(|term| !term.is_const())
    }

    /// What is read, or more, from the sets of its operands.
    pub fn forward<D: Domain>(&self, of: impl Fn(&Term) -> D) -> Option<D> {
        let index = of(self.read.arg(1));
        if let Some(elements) = self.elements() {
            let writes = elements.iter().map(|(place, value)| (*place, of(value)));
            return self.read_at(&index, writes, self.read.width(), &of);
        }
        let mut word: Option<D> = None;
        for byte in 0..self.read.width() / 8 {
            let offset = D::constant(index.width(), u64::from(byte));
            let at = forward(Op::Add, index.width(), &[&index, &offset])?;
            let writes = self.writes.iter().map(|(place, value)| (*place, of(value)));
            let read = self.read_at(&at, writes, 8, &of)?;
            word = Some(match word {
                Some(low) => forward(Op::Concat, 8 + low.width(), &[&read, &low])?,
                None => read,
            });
        }
        word
    }

    /// What is read at an index over writes of that width.
    fn read_at<'b, D: Domain>(
        &self,
        index: &D,
        writes: impl Iterator<Item = (&'b Term, D)>,
        width: u32,
        of: impl Fn(&Term) -> D,
    ) -> Option<D> {
        let mut found = D::empty(width);
        for (place, value) in writes {
            let place = of(place);
            if index.meet(&place, Aim::Above).set.is_empty() {
                continue;
            }
            found = found.join(&value, Aim::Above).set;
            if index.single().is_some() && index.single() == place.single() {
                return Some(found);
            }
        }
        let base = match self.base.op() {
            Op::Table => Elements::of_table(self.base, width)?.forward(index)?.set,
            Op::Fill => {
                let byte = of(self.base.arg(0));
                let mut word = byte.clone();
                while word.width() < width {
                    word = forward(Op::Concat, 8 + word.width(), &[&byte, &word])?;
                }
                word
            }
            // An input can hold anything.
            _ => return None,
        };
        Some(found.join(&base, Aim::Above).set)
    }

    /// The writes as elements of the width of the read, newest first, if they are all of that width and a read meets each of them as a whole or not at all.
    fn elements(&self) -> Option<Vec<(&'a Term, &'a Term)>> {
        let bytes = (self.read.width() / 8) as usize;
        if bytes == 1 || !bytes.is_power_of_two() || !self.writes.len().is_multiple_of(bytes) {
            return None;
        }
        let bits = bytes.ilog2();
        let residue = residue(self.read.arg(1), bits, DEPTH)?;
        let whole = |group: &[(&'a Term, &'a Term)]| {
            let (place, first) = group[bytes - 1];
            let value = if first.op() == Op::Extract { first.arg(0) } else { return None };
            let all = group.iter().rev().enumerate().all(|(k, (at, byte))| {
                distance(place, at) == Some(k as u64)
                    && byte.op() == Op::Extract
                    && byte.arg(0) == value
                    && byte.low() == 8 * k as u32
            });
            (all && value.width() == self.read.width() && self::residue(place, bits, DEPTH) == Some(residue))
                .then_some((place, value))
        };
        self.writes.chunks(bytes).map(whole).collect()
    }
}

fn forward<D: Domain>(op: Op, width: u32, operands: &[&D]) -> Option<D> {
    D::forward(&Apply { op, width, low: 0 }, operands, Aim::Above).map(|image| image.set)
}

/// `to - from` where both are a term plus a constant, or constants.
fn distance(from: &Term, to: &Term) -> Option<u64> {
    let split = |term: &'_ Term| match (term.const_u64(), term.op()) {
        (Some(value), _) => (None, value),
        (None, Op::Add) if term.arg(1).is_const() => (Some(term.arg(0).id()), term.arg(1).const_u64().unwrap_or(0)),
        (None, _) => (Some(term.id()), 0),
    };
    let ((a, c), (b, d)) = (split(from), split(to));
    let mask = if from.width() < 64 { (1 << from.width()) - 1 } else { u64::MAX };
    (a == b && from.width() <= 64).then(|| d.wrapping_sub(c) & mask)
}

/// The last `bits` bits of a term, if they are the same for all inputs.
fn residue(term: &Term, bits: u32, depth: u32) -> Option<u64> {
    let mask = (1u64 << bits) - 1;
    if bits == 0 {
        return Some(0);
    }
    if let Some(value) = term.const_u64() {
        return Some(value & mask);
    }
    let depth = depth.checked_sub(1)?;
    let zeros = |arg: &Term| arg.const_u64().is_some_and(|value| value & mask == 0);
    let of = |arg: &Term| residue(arg, bits, depth);
    match term.op() {
        Op::Add => Some(of(term.arg(0))?.wrapping_add(of(term.arg(1))?) & mask),
        Op::Sub => Some(of(term.arg(0))?.wrapping_sub(of(term.arg(1))?) & mask),
        Op::Mul | Op::And if term.args().iter().any(zeros) => Some(0),
        Op::Mul => Some(of(term.arg(0))?.wrapping_mul(of(term.arg(1))?) & mask),
        Op::Shl => match term.arg(1).const_u64()? {
            by if by >= u64::from(bits) => Some(0),
            by => Some(residue(term.arg(0), bits - by as u32, depth)? << by & mask),
        },
        Op::Concat if term.arg(1).width() >= bits => of(term.arg(1)),
        Op::Concat => {
            let low = term.arg(1).width();
            Some(residue(term.arg(0), bits - low, depth)? << low | residue(term.arg(1), low, depth)?)
        }
        Op::ZExt | Op::SExt if term.arg(0).width() >= bits => of(term.arg(0)),
        Op::Extract if term.low() == 0 => of(term.arg(0)),
        Op::And | Op::ZExt | Op::SExt | Op::Extract | Op::Const | Op::Symbol | Op::Read | Op::Not | Op::Or => None,
        Op::Xor | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::LShr | Op::AShr | Op::Ite => None,
        Op::Eq | Op::Ult | Op::Slt | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write => None,
        Op::Bound | Op::Forall => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::forward::above;
    use std::sync::Arc;
    use strata_domain::StridedSet;
    use strata_term::{Assignment, Bits, Random, eval};

    const INDEX: u32 = 16;
    const NAMES: [&str; 6] = ["i", "j", "k", "x", "y", "z"];

    fn symbol(name: &str) -> Term {
        Term::symbol(name, INDEX)
    }

    fn place(random: &mut Random, size: u64) -> Term {
        let (input, number) = (symbol(NAMES[random.below(3)]), |value| Term::number(INDEX, value));
        match random.below(5) {
            0 => number(random.below(24) as u64),
            1 => input.add(&number(random.below(8) as u64)),
            2 => input.mul(&number(size)).add(&number(random.below(4) as u64)),
            _ => input.mul(&number(size)),
        }
    }

    fn history(random: &mut Random) -> Term {
        let size = [1, 2, 4][random.below(3)];
        let mut array = match random.below(3) {
            0 => Term::fill(INDEX, &Term::number(8, 7)),
            1 => Term::fill(INDEX, &symbol("z").extract(7, 0)),
            _ => Term::constant_array(INDEX, (0..40).map(|at| at as u8 / 4).collect::<Arc<[u8]>>()),
        };
        for _ in 0..1 + random.below(6) {
            let value = symbol(NAMES[3 + random.below(3)]);
            let value = match size {
                1 => value.extract(7, 0),
                2 => value,
                _ if random.below(2) == 0 => value.sext(32),
                _ => value.concat(&symbol("y")),
            };
            let width = if random.below(8) == 0 { 8 } else { value.width() };
            array = array.write(&place(random, size), &value.extract(width - 1, 0));
        }
        array.read(&place(random, size), if random.below(8) == 0 { 2 } else { size as u32 })
    }

    /// Whatever the inputs are, within their sets, what is read is in the set.
    #[test]
    fn against_evaluation() {
        let (mut random, mut tight, mut whole) = (Random(11), 0, 0);
        for _ in 0..4000 {
            let read = history(&mut random);
            let bounds: Vec<(u64, u64)> =
                NAMES.iter().map(|_| (random.below(20) as u64, random.below(12) as u64)).collect();
            let set = |term: &Term| {
                let (least, more) = bounds[NAMES.iter().position(|name| symbol(name) == *term)?];
                let points: Vec<u64> = (least..=least + more).collect();
                Some(StridedSet::of_points(INDEX, &points, Aim::Above).set)
            };
            let Some(values) = above(&read, set, &mut crate::layers::Spent::upto(usize::MAX)) else { continue };
            tight += u32::from(!values.is_full());
            whole += u32::from(History::of(&read).is_some_and(|history| history.elements().is_some()));
            for _ in 0..20 {
                let mut model = Assignment::default();
                for (name, (least, more)) in NAMES.iter().zip(&bounds) {
                    model.set(&symbol(name), Bits::new(INDEX, least + random.below(*more as usize + 1) as u64));
                }
                let value = eval(&read, &model).low_u64();
                assert!(values.contains(value), "{read:?} is {value}, not in {values:?}");
            }
        }
        assert!(tight > 1000 && whole > 50, "nothing was said: {tight}, {whole}");
    }
}
