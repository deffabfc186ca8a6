//! A page of an object's bytes, and what lies beside the plain ones: which were never written, which are terms, which words hold pointers.
//!
//! Most pages are plain and carry nothing else. One bitmap marks every byte that is not plain, for either reason, so that the fast path (`window`) asks one
//! question. Terms are kept as wide as they were written: a program that moves a symbolic number about reads back the very term, and only an access
//! that cuts it makes terms of its bytes.

use crate::value::Origin;
use strata_term::Term;

/// What the bytes of a page are before anyone writes to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    Zero,
    Unset,
}

/// Some consecutive bytes that are one term, little-endian.
#[derive(Clone, Debug)]
struct Word {
    at: u16,
    count: u16,
    term: Term,
}

impl Word {
    fn start(&self) -> usize {
        usize::from(self.at)
    }

    fn end(&self) -> usize {
        usize::from(self.at) + usize::from(self.count)
    }

    /// The byte at this offset of the page.
    fn byte(&self, at: usize) -> Term {
        if self.count == 1 {
            return self.term.clone();
        }
        let low = (at - self.start()) as u32 * 8;
        self.term.extract(low + 7, low)
    }
}

#[derive(Clone)]
pub struct Page {
    pub bytes: Box<[u8]>,
    /// A set bit is a byte that was never written or is a term. None: there is no such byte.
    pub marks: Option<Box<[u64]>>,
    /// The origin of the pointer in each aligned word. None: no pointers.
    pub origins: Option<Box<[u32]>>,
    /// Did some word ever hold bytes of a mixed origin? Unlike a pointer's, it counts for parts of
    /// a word too.
    mixed: bool,
    /// Bytes that are terms, by offset, none twice. Boxed, because most pages have none.
    #[expect(clippy::box_collection, reason = "most pages have none")]
    words: Option<Box<Vec<Word>>>,
}

/// The words of a bitmap that a range of bytes has bits in, and these bits.
pub fn pieces(at: usize, count: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = at + count;
    (at / 64..end.div_ceil(64)).map(move |word| {
        let (low, high) = (at.max(word * 64) % 64, end.min(word * 64 + 64) - word * 64);
        (word, (u64::MAX >> (64 - high)) & (u64::MAX << low))
    })
}

impl Page {
    pub fn new(length: usize, blank: Blank) -> Page {
        let marks = (blank == Blank::Unset).then(|| {
            let mut words = vec![u64::MAX; length.div_ceil(64)].into_boxed_slice();
            if !length.is_multiple_of(64) {
                words[length / 64] = (1 << (length % 64)) - 1;
            }
            words
        });
        Page { bytes: vec![0; length].into_boxed_slice(), marks, origins: None, mixed: false, words: None }
    }

    /// Is some byte a term?
    pub fn has_terms(&self) -> bool {
        self.words.is_some()
    }

    fn is_marked(&self, at: usize) -> bool {
        self.marks.as_ref().is_some_and(|marks| marks[at / 64] >> (at % 64) & 1 == 1)
    }

    /// Was this byte never written?
    pub fn is_unset(&self, at: usize) -> bool {
        self.is_marked(at) && self.word(at).is_none()
    }

    /// Are these bytes plain (pointers are)?
    pub fn is_plain(&self, at: usize, count: usize) -> bool {
        self.marks.as_ref().is_none_or(|marks| pieces(at, count).all(|(word, mask)| marks[word] & mask == 0))
    }

    /// How many of these bytes come before the first that is not plain.
    pub fn plain_start(&self, at: usize, count: usize) -> usize {
        let Some(marks) = &self.marks else { return count };
        let marked = pieces(at, count).find(|(word, mask)| marks[*word] & mask != 0);
        marked.map_or(count, |(word, mask)| word * 64 + (marks[word] & mask).trailing_zeros() as usize - at)
    }

    fn word(&self, at: usize) -> Option<&Word> {
        let words = self.words.as_ref()?;
        let next = words.partition_point(|word| word.start() <= at);
        words[..next].last().filter(|word| at < word.end())
    }

    /// The term that this byte is.
    pub fn term(&self, at: usize) -> Option<Term> {
        self.word(at).map(|word| word.byte(at))
    }

    /// The term that was written from this byte on, and how many bytes it is.
    pub fn word_from(&self, at: usize) -> Option<(u64, &Term)> {
        self.word(at).filter(|word| word.start() == at).map(|word| (u64::from(word.count), &word.term))
    }

    /// Does a term cover both this byte and the one before?
    pub fn continues(&self, at: usize) -> bool {
        self.word(at).is_some_and(|word| word.start() < at)
    }

    /// The term that was written to just these bytes.
    pub fn whole(&self, at: usize, count: usize) -> Option<&Term> {
        self.word_from(at).filter(|(length, _)| *length == count as u64).map(|(_, term)| term)
    }

    fn mark(&mut self, at: usize, count: usize) {
        let words = self.bytes.len().div_ceil(64);
        let marks = self.marks.get_or_insert_with(|| vec![0; words].into_boxed_slice());
        pieces(at, count).for_each(|(word, mask)| marks[word] |= mask);
    }

    /// Forgets what lay beside these bytes: they are about to be plain.
    pub fn make_plain(&mut self, at: usize, count: usize) {
        self.drop_words(at, at + count);
        if let Some(marks) = &mut self.marks {
            pieces(at, count).for_each(|(word, mask)| marks[word] &= !mask);
            if marks.iter().all(|word| *word == 0) {
                self.marks = None;
            }
        }
        self.clear_origins(at, count);
    }

    /// Forgets what the words of these bytes pointed to. A word that keeps some of its bytes stays
    /// mixed.
    fn clear_origins(&mut self, at: usize, count: usize) {
        let Some(origins) = &mut self.origins else { return };
        for (word, origin) in (at / 8..).zip(&mut origins[at / 8..(at + count).div_ceil(8)]) {
            let whole = at <= word * 8 && (word * 8 + 8).min(self.bytes.len()) <= at + count;
            if whole || *origin != Origin::MIXED.0 {
                *origin = 0;
            }
        }
    }

    /// Takes the terms out of a range; of a word that reaches beyond it the other bytes stay, each for itself.
    fn drop_words(&mut self, start: usize, end: usize) {
        let Some(words) = &mut self.words else { return };
        let first = words.partition_point(|word| word.end() <= start);
        let last = words.partition_point(|word| word.start() < end);
        if first < last {
            let outside = |at: &usize| *at < start || end <= *at;
            let single = |word: &Word, at: usize| Word { at: at as u16, count: 1, term: word.byte(at) };
            let kept: Vec<Word> = words[first..last]
                .iter()
                .flat_map(|word| (word.start()..word.end()).filter(outside).map(|at| single(word, at)))
                .collect();
            words.splice(first..last, kept);
            if words.is_empty() {
                self.words = None;
            }
        }
    }

    /// These bytes become a term.
    pub fn set_term(&mut self, at: usize, count: usize, term: Term) {
        match self.whole_mut(at, count) {
            Some(whole) => *whole = term,
            None => {
                self.make_plain(at, count);
                self.mark(at, count);
                let words = self.words.get_or_insert_default();
                let place = words.partition_point(|word| word.start() < at);
                words.insert(place, Word { at: at as u16, count: count as u16, term });
            }
        }
        self.clear_origins(at, count);
    }

    fn whole_mut(&mut self, at: usize, count: usize) -> Option<&mut Term> {
        let words = self.words.as_mut()?;
        let found = words.binary_search_by_key(&at, Word::start).ok()?;
        let word = &mut words[found];
        (usize::from(word.count) == count).then_some(&mut word.term)
    }

    /// This byte was never written.
    pub fn set_unset(&mut self, at: usize) {
        self.make_plain(at, 1);
        self.mark(at, 1);
    }

    pub fn set_origin(&mut self, at: usize, origin: Origin) {
        if !origin.is_none() || self.origins.is_some() {
            self.hold_origins()[at / 8] = origin.0;
        }
    }

    /// These bytes are of a mixed origin.
    pub fn set_mixed(&mut self, at: usize, count: usize) {
        self.mixed = true;
        self.hold_origins()[at / 8..(at + count).div_ceil(8)].fill(Origin::MIXED.0);
    }

    /// May some word be of a mixed origin?
    pub fn may_be_mixed(&self) -> bool {
        self.mixed
    }

    /// Is one of these bytes of a mixed origin?
    pub fn is_mixed(&self, at: usize, count: usize) -> bool {
        let mixed = |origins: &[u32]| origins[at / 8..(at + count).div_ceil(8)].contains(&Origin::MIXED.0);
        self.mixed && self.origins.as_deref().is_some_and(mixed)
    }

    /// Room for the origins of pointers.
    pub fn hold_origins(&mut self) -> &mut [u32] {
        let words = self.bytes.len().div_ceil(8);
        self.origins.get_or_insert_with(|| vec![0; words].into_boxed_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_term::{Assignment, Bits, Random, eval};

    /// What a byte is, kept in the simplest way.
    #[derive(Clone, PartialEq, Debug)]
    enum Simple {
        Plain(u8),
        Unset,
        Term(Term),
    }

    #[test]
    fn words_are_cut_and_joined_as_bytes() {
        let mut random = Random(5);
        let symbols: Vec<Term> = (0..6).map(|i| Term::symbol(&format!("s{i}"), 8 << (i % 4))).collect();
        let mut model = Assignment::default();
        symbols.iter().for_each(|s| model.set(s, Bits::new(s.width(), random.number())));
        for _ in 0..300 {
            let blank = if random.one_in(2) { Blank::Zero } else { Blank::Unset };
            let mut page = Page::new(40, blank);
            let mut simple = vec![if blank == Blank::Zero { Simple::Plain(0) } else { Simple::Unset }; 40];
            for _ in 0..30 {
                let count = 1 << random.below(4);
                let at = random.below(41 - count);
                match random.below(4) {
                    0 => {
                        page.make_plain(at, count);
                        page.bytes[at..at + count].fill(7);
                        simple[at..at + count].fill(Simple::Plain(7));
                    }
                    1 => {
                        page.set_unset(at);
                        simple[at] = Simple::Unset;
                    }
                    _ => {
                        let term = symbols.iter().filter(|s| s.width() as usize == 8 * count).nth(random.below(1));
                        let Some(term) = term else { continue };
                        page.set_term(at, count, term.clone());
                        for (i, byte) in simple[at..at + count].iter_mut().enumerate() {
                            *byte = Simple::Term(term.extract(i as u32 * 8 + 7, i as u32 * 8));
                        }
                        assert_eq!(page.whole(at, count), Some(term));
                    }
                }
                let plain = simple[at..].iter().take_while(|byte| matches!(byte, Simple::Plain(_))).count();
                assert_eq!(page.plain_start(at, 40 - at), plain);
                for (i, expected) in simple.iter().enumerate() {
                    let found = match page.term(i) {
                        Some(term) => Simple::Term(term),
                        None if page.is_unset(i) => Simple::Unset,
                        None => Simple::Plain(page.bytes[i]),
                    };
                    assert_eq!(page.is_plain(i, 1), matches!(expected, Simple::Plain(_)));
                    let value = |byte: &Simple| match byte {
                        Simple::Term(term) => Some(eval(term, &model).low_u64()),
                        Simple::Plain(byte) => Some(u64::from(*byte)),
                        Simple::Unset => None,
                    };
                    assert_eq!(value(&found), value(expected), "byte {i}");
                }
                assert_eq!(page.has_terms(), simple.iter().any(|byte| matches!(byte, Simple::Term(_))));
            }
        }
    }
}
