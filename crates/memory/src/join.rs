//! Several memories that became one of several, by which path was taken: objects by number, bytes
//! by page.
//!
//! What all share costs nothing: trees and pages are compared by identity first. Bytes that differ
//! are handed to a *blend* in words, which makes one value that stands for each where it belongs.
//! How wide a word is decides what terms look like, never what they mean.
//!
//! Sound: an object that some memories do not have is unknown to the paths that lead to these: no
//! pointer of theirs has its number, unless it dangles, and then the addresses differ. Objects of
//! one number that are not the same piece of memory cannot be joined.
//!
//! Objects whose size is a term are one piece of memory if it is the same term: its value may
//! differ from path to path. Surely inside are the bytes that are so on all paths.

use crate::contents::Contents;
use crate::page::Page;
use crate::space::{Object, Space};
use crate::value::{Origin, Value};
use std::collections::BTreeSet;
use std::sync::Arc;
use strata_term::Term;

/// Makes one value of those that memories have, all as wide as said; `None` in the list where a
/// memory does not have the place. Gives nothing where that cannot be.
pub type Blend<'a> = dyn FnMut(&[Option<Value>], u32) -> Option<Value> + 'a;

/// Upper bound on the bytes under array terms that are taken apart to be joined, in one object.
const FLAT: u64 = 4096;

/// Why memories cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// An object is alive in some and freed in others, or is another one.
    Objects,
    /// Bytes that no value stands for.
    Values,
}

impl Space {
    /// One memory that stands for all of these.
    pub fn join(spaces: &mut [&mut Space], blend: &mut Blend<'_>) -> Result<Space, Apart> {
        spaces.iter_mut().for_each(|space| space.settle_all());
        let (first, others) = spaces.split_first().expect("at least one memory is joined");
        let mut joined = (**first).clone();
        let mut numbers = BTreeSet::new();
        for other in others {
            if !first.has_fixed_as(other) {
                return Err(Apart::Objects);
            }
            numbers.extend(first.differing(other));
            joined.reserve_as(other);
        }
        for number in numbers {
            let parts: Vec<_> = spaces.iter().map(|space| space.entry(number)).collect();
            let present = || parts.iter().flatten();
            let Some(one) = present().next() else { continue };
            let alike = |other: &&Arc<Object>| {
                (other.address, other.size, other.kind, other.writable, other.freed_at.is_some())
                    == (one.address, one.size, one.kind, one.writable, one.freed_at.is_some())
                    && other.has_extent_as(one)
            };
            if !present().all(alike) {
                return Err(Apart::Objects);
            }
            let mut object = (***one).clone();
            object.lower_sure(present().map(|other| other.sure()).min().unwrap_or(0));
            if parts.iter().any(Option::is_none) {
                object.bound_extent();
            }
            if object.is_live() && !present().all(|other| Arc::ptr_eq(one, other)) {
                let contents: Vec<_> = parts.iter().map(|part| part.map(|object| &object.contents)).collect();
                object.contents = Contents::join(&contents, blend).ok_or(Apart::Values)?;
            }
            joined.adopt(object);
        }
        Ok(joined)
    }
}

impl Object {
    /// Is its size the same, whatever the inputs are?
    fn has_extent_as(&self, other: &Object) -> bool {
        match (&self.extent, &other.extent) {
            (None, None) => true,
            (Some(a), Some(b)) => (&a.term, &a.text) == (&b.term, &b.text),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }

    /// Notes that some of the paths imply a size of no more than `sure` bytes.
    fn lower_sure(&mut self, sure: u64) {
        if let Some(extent) = &mut self.extent {
            extent.sure = extent.sure.min(sure);
        }
    }

    /// Keeps the size between what is sure and the capacity on paths that do not have the object,
    /// and so imply nothing of its size. Sound: a null pointer of such a path, joined with a
    /// pointer to the object, is outside.
    fn bound_extent(&mut self) {
        let number = |bytes: u64| Term::number(64, bytes);
        let size = number(self.size);
        if let Some(extent) = &mut self.extent {
            let usual = number(extent.sure).ule(&extent.term).and(&extent.term.ule(&size));
            extent.term = Term::ite(&usual, &extent.term, &size);
            extent.text = None;
        }
    }
}

impl Contents {
    /// Bytes that stand for all of these, which are of one size.
    fn join(parts: &[Option<&Contents>], blend: &mut Blend<'_>) -> Option<Contents> {
        let present: Vec<&Contents> = parts.iter().flatten().copied().collect();
        let (first, others) = present.split_first()?;
        if others.iter().all(|other| first.has_regions_as(other)) {
            return Contents::join_pages(parts, (*first).clone(), blend);
        }
        let flat: Vec<Option<Contents>> = parts
            .iter()
            .map(|part| part.map(|contents| contents.flat(FLAT)).map_or(Some(None), |flat| flat.map(Some)))
            .collect::<Option<_>>()?;
        let parts: Vec<Option<&Contents>> = flat.iter().map(Option::as_ref).collect();
        let base = (*parts.iter().flatten().next()?).clone();
        Contents::join_pages(&parts, base, blend)
    }

    fn join_pages(parts: &[Option<&Contents>], mut base: Contents, blend: &mut Blend<'_>) -> Option<Contents> {
        let mut numbers = BTreeSet::new();
        for part in parts.iter().flatten() {
            numbers.extend(base.differing_pages(part));
        }
        for number in numbers {
            let blank = base.blank_page(number);
            let pages: Vec<Option<&Page>> =
                parts.iter().map(|part| part.map(|part| part.page(number).map_or(&blank, |page| &**page))).collect();
            let unset = |at: usize| base.name_of_unset(number, at);
            let page = Page::join(&pages, &unset, blend)?;
            base.put_page(number, page);
        }
        Some(base)
    }
}

/// What a byte is, for telling whether pages differ there.
#[derive(PartialEq)]
enum Cell {
    Plain(u8),
    Unset,
    Term(Term),
}

impl Page {
    fn cell(&self, at: usize) -> Cell {
        match self.term(at) {
            Some(term) => Cell::Term(term),
            None if self.is_unset(at) => Cell::Unset,
            None => Cell::Plain(self.bytes[at]),
        }
    }

    fn origin_of(&self, word: usize) -> Origin {
        self.origins.as_ref().map_or(Origin::NONE, |origins| Origin(origins[word]))
    }

    /// Pages of one length; `None` where a memory does not have the object.
    fn join(pages: &[Option<&Page>], unset: &dyn Fn(usize) -> Term, blend: &mut Blend<'_>) -> Option<Page> {
        let present: Vec<&Page> = pages.iter().flatten().copied().collect();
        let (first, others) = present.split_first()?;
        let mut joined = (*first).clone();
        let length = joined.bytes.len();
        let mut at = 0;
        while at < length {
            let origins_differ =
                at % 8 == 0 && others.iter().any(|page| page.origin_of(at / 8) != first.origin_of(at / 8));
            let cell = first.cell(at);
            if !origins_differ && others.iter().all(|page| page.cell(at) == cell) {
                at += 1;
                continue;
            }
            let count = word_at(&present, at, length);
            let value = |page: &&Page| page.value(at, count, unset);
            let values: Vec<Option<Value>> = pages.iter().map(|page| page.as_ref().map(value)).collect();
            let value = blend(&values, count as u32 * 8)?;
            joined.put(at, count, &value);
            at += count;
        }
        Some(joined)
    }

    fn value(&self, at: usize, count: usize, unset: &dyn Fn(usize) -> Term) -> Value {
        let origin = match () {
            () if self.is_mixed(at, count) => Origin::MIXED,
            () if count == 8 && at.is_multiple_of(8) => self.origin_of(at / 8),
            () => Origin::NONE,
        };
        if self.is_plain(at, count) {
            let mut word = [0; 8];
            word[..count].copy_from_slice(&self.bytes[at..at + count]);
            return Value::pointer(u64::from_le_bytes(word), origin);
        }
        let byte = |at: usize| match self.cell(at) {
            Cell::Plain(byte) => Term::number(8, byte.into()),
            Cell::Unset => unset(at),
            Cell::Term(term) => term,
        };
        let term = match self.whole(at, count) {
            Some(whole) => whole.clone(),
            None => (at + 1..at + count).map(byte).fold(byte(at), |low, high| high.concat(&low)),
        };
        Value::term(term).with_origin(origin)
    }

    fn put(&mut self, at: usize, count: usize, value: &Value) {
        match &value.term {
            None => {
                self.make_plain(at, count);
                self.bytes[at..at + count].copy_from_slice(&value.bits.to_le_bytes()[..count]);
            }
            Some(term) => self.set_term(at, count, term.clone()),
        }
        if value.origin.is_mixed() {
            self.set_mixed(at, count);
        } else if count == 8 && at.is_multiple_of(8) {
            self.set_origin(at, value.origin);
        }
    }
}

/// How many bytes from `at` on, where pages differ, are looked at as one word.
fn word_at(pages: &[&Page], at: usize, length: usize) -> usize {
    let fits = |count: usize| at.is_multiple_of(count) && at + count <= length;
    if fits(8) && pages.iter().any(|page| !page.origin_of(at / 8).is_none()) {
        return 8;
    }
    // No term may be cut at the end, unless it is one of many that lie otherwise.
    let whole = pages.iter().filter_map(|page| page.word_from(at)).map(|(count, _)| count as usize).max();
    let uncut = |end: usize| pages.iter().all(|page| end >= length || !page.continues(end));
    if let Some(count) = whole.filter(|count| at + count <= length && *count <= 8 && uncut(at + count)) {
        return count;
    }
    // A number of four bytes, or a part of eight: not a text, of which single bytes are read.
    let number = |page: &&Page| page.is_plain(at, 4) && matches!(page.bytes[at + 2..at + 4], [0, 0] | [0xff, 0xff]);
    if whole.is_none() && fits(4) && pages.iter().all(number) { 4 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Kind;
    use strata_term::{Assignment, Bits, eval};

    /// Two memories with one heap object of up to 16 bytes: its size is a term, known to be at
    /// least so much in each.
    fn memories(terms: [&Term; 2], sure: [u64; 2]) -> ([Space; 2], Origin) {
        let mut before = Space::default();
        let number = before.allocate(16, 16, Kind::Heap, false, 0).expect("memory");
        let memory = |i: usize| {
            let mut space = before.clone();
            space.object_mut(number).expect("it lives").limit(terms[i].clone(), sure[i]);
            space
        };
        ([memory(0), memory(1)], number)
    }

    fn join([one, two]: &mut [Space; 2]) -> Result<Space, Apart> {
        Space::join(&mut [one, two], &mut |_, _| None)
    }

    #[test]
    fn what_is_surely_inside_is_so_in_all_parts() {
        let size = Term::symbol("n", 64);
        for sure in [[4, 8], [8, 4]] {
            let (mut parts, number) = memories([&size, &size], sure);
            let joined = join(&mut parts).expect("they are alike");
            let object = joined.object(number).expect("it lives");
            assert_eq!(object.sure(), 4);
            assert_eq!(object.extent(), size);
        }
    }

    #[test]
    fn objects_of_other_sizes_are_apart() {
        let (n, m) = (Term::symbol("n", 64), Term::symbol("m", 64));
        let (mut parts, _) = memories([&n, &m], [4, 4]);
        assert!(matches!(join(&mut parts), Err(Apart::Objects)));
        let (mut parts, number) = memories([&n, &n], [4, 4]);
        parts[1].object_mut(number).expect("it lives").extent = None;
        assert!(matches!(join(&mut parts), Err(Apart::Objects)));
    }

    #[test]
    fn null_is_outside_whatever_the_size_is_where_there_is_no_object() {
        let size = Term::symbol("n", 64);
        let ([with, _], number) = memories([&size, &size], [4, 4]);
        for mut parts in [[with.clone(), Space::default()], [Space::default(), with]] {
            let joined = join(&mut parts).expect("they are alike");
            let object = joined.object(number).expect("it lives");
            let null = Term::number(64, 0).sub(&Term::number(64, object.address));
            for value in [0, 3, 4, 10, 16, 17, u64::MAX] {
                let mut model = Assignment::default();
                model.set(&size, Bits::new(64, value));
                for count in [1, 4, 8] {
                    assert!(!eval(&object.contains(&null, count), &model).is_true(), "{count} bytes, size {value}");
                }
                let expected = if (4..=16).contains(&value) { value } else { 16 };
                assert_eq!(eval(&object.extent(), &model).low_u64(), expected);
            }
        }
    }
}
