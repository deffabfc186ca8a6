//! Reads of constant tables, carried over sets of indices: what is read is what the table holds at them, and what was read tells where.
//!
//! A table is looked at within the set of its index only: of 4,096 elements and an index below 16 sixteen are. Sets with more values than `MOST` are left alone. Whatever
//! the size of an element and the stride of the index, elements are those at the indices of the set, so a set that knows its stride reads whole elements and no
//! others: nothing is assumed of types. Behind the end of the contents lies what the table is filled with, as evaluation has it.
//!
//! Above in, above out: a superset of the indices gives a superset of the values, and the other way round.

use strata_domain::{Aim, Domain, Image};
use strata_term::{Op, Term, mask};

/// Indices looked at, at most.
const MOST: u128 = 4096;

/// What a read of a constant table can give.
pub struct Elements<'a> {
    contents: &'a [u8],
    /// What lies behind the contents.
    fill: u8,
    width: u32,
    /// Of indices.
    mask: u64,
}

impl<'a> Elements<'a> {
    /// Of a read, if its array is a constant table: nothing was written over it.
    pub fn of(read: &'a Term) -> Option<Elements<'a>> {
        if read.op() == Op::Read && read.width() <= 64 { Elements::of_table(read.arg(0), read.width()) } else { None }
    }

    /// Elements of this width, up to 64, of an array, if that is a constant table.
    pub fn of_table(table: &'a Term, width: u32) -> Option<Elements<'a>> {
        let below = if table.op() == Op::Table { table.arg(0) } else { return None };
        let fill = if below.op() == Op::Fill { below.arg(0).const_u64()? } else { return None };
        Some(Elements { contents: table.contents()?, fill: fill as u8, width, mask: mask(table.width()) })
    }

    /// How many bytes of contents there are.
    pub fn len(&self) -> usize {
        self.contents.len()
    }

    /// The byte behind the contents.
    pub fn fill(&self) -> u8 {
        self.fill
    }

    /// The element at an index.
    pub fn at(&self, index: u64) -> u64 {
        let cell = |at: u64| usize::try_from(at).ok().and_then(|at| self.contents.get(at)).unwrap_or(&self.fill);
        let bytes = u64::from(self.width / 8);
        (0..bytes).rev().fold(0, |value, byte| value << 8 | u64::from(*cell(index.wrapping_add(byte) & self.mask)))
    }

    /// What the indices of a set cost, about, in nodes computed: each is looked at, and joined with the others into a set.
    pub fn cost<D: Domain>(&self, indices: &D) -> usize {
        let size = indices.size();
        if size > MOST { 1 } else { 1 + size as usize }
    }

    /// What is read at the indices of a set, or more.
    pub fn forward<D: Domain>(&self, indices: &D) -> Option<Image<D>> {
        let values = self.visited(indices, |_, value| Some(value))?;
        Some(D::of_points(self.width, &values, Aim::Above))
    }

    /// At which indices of a set something of `wanted` is read, or more.
    pub fn backward<D: Domain>(&self, wanted: &D, indices: &D) -> Option<Image<D>> {
        let kept = self.visited(indices, |index, value| wanted.contains(value).then_some(index))?;
        Some(D::of_points(indices.width(), &kept, Aim::Above))
    }

    /// The least and the largest element at those indices of a set that lie between two; nothing if there are none, or too many.
    pub fn extremes<D: Domain>(&self, indices: &D, [first, last]: [u64; 2]) -> Option<(u64, u64)> {
        let inside = |index: u64| first <= index && index <= last;
        let values = self.visited(indices, |index, value| inside(index).then_some(value))?;
        Some((*values.first()?, *values.last()?))
    }

    fn visited<D: Domain>(&self, indices: &D, kept: impl Fn(u64, u64) -> Option<u64>) -> Option<Vec<u64>> {
        if indices.size() > MOST {
            return None;
        }
        let mut found = Vec::new();
        indices.each(&mut |index| {
            found.extend(kept(index, self.at(index)));
            true
        });
        // A set that wraps is not visited in order.
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use strata_domain::{MultiInterval, StridedSet};
    use strata_term::{Assignment, Random, eval};

    /// Both directions against evaluation, for elements of one to eight bytes at any offset, inside and behind the end.
    #[test]
    fn against_evaluation() {
        let mut random = Random(3);
        for _ in 0..400 {
            let contents: Arc<[u8]> = (0..1 + random.below(40)).map(|_| random.below(3) as u8).collect();
            let table = Term::constant_array(16, contents);
            let index = Term::symbol("i", 16);
            let read = table.read(&index, [1, 2, 4, 8][random.below(4)]);
            let Some(elements) = Elements::of(&read) else { panic!("{read:?} reads a table") };
            let at = |value: u64| {
                let mut model = Assignment::default();
                model.set(&index, strata_term::Bits::new(16, value));
                eval(&read, &model).low_u64()
            };
            let points: Vec<u64> = (0..1 + random.below(12)).map(|_| random.below(48) as u64).collect();
            sets::<MultiInterval>(&elements, &points, at, &mut random);
            sets::<StridedSet>(&elements, &points, at, &mut random);
        }
    }

    fn sets<D: Domain>(elements: &Elements<'_>, points: &[u64], at: impl Fn(u64) -> u64, random: &mut Random) {
        let mut points = points.to_vec();
        points.sort_unstable();
        points.dedup();
        let indices = D::of_points(16, &points, Aim::Above).set;
        let values = elements.forward(&indices).expect("few indices").set;
        assert!(points.iter().all(|point| values.contains(at(*point))));
        let wanted = D::constant(elements.width, at(points[random.below(points.len())]));
        let back = elements.backward(&wanted, &indices).expect("few indices").set;
        assert!(points.iter().all(|point| back.contains(*point) || !wanted.contains(at(*point))));
        let left = points.iter().filter(|point| back.contains(**point)).count();
        let right = points.iter().filter(|point| wanted.contains(at(**point))).count();
        assert!(left >= right);
    }
}
