//! The bytes of one object.
//!
//! Bytes lie in pages that states share until one of them writes. Beside the plain bytes of a page lie, only where there are any:
//! which bytes were never written, which words hold pointers and of which object, and which bytes are terms. A write at a symbolic
//! index turns the window of bytes that it can reach into an array term (a *region*) with an update list; after
//! `UPDATES` of them the region is flattened into one term per byte, so that later reads at constant offsets do not walk the list.
//!
//! A byte that was never written reads as a symbol of its own (`Op::Symbol`; inputs are arrays), so that what depends on it
//! can be told from what does not, at no cost to code that never reads one.

use crate::page::{Blank, Page};
use crate::tree::Tree;
use crate::value::{Origin, Value};
use std::sync::Arc;
use strata_term::{Op, Term};

/// Bytes in a page: the unit of sharing.
pub const PAGE: u64 = 1024;

/// Width of the indices of array terms: objects beyond 4 GiB have no symbolic indices.
pub const INDEX: u32 = 32;

/// Updates of a region before it is flattened; of a large one it takes as many as `LARGE` says.
const UPDATES: u32 = 128;

/// A region is flattened after an update for each of so many of its bytes: flattening looks at all
/// of them.
const LARGE: u64 = 8;

/// Bytes of untouched pages that an array term may stand for before one symbol is taken for all
/// bytes in it that were never written. A symbol for each would make a chain of as many writes,
/// which every read walks.
const ALIKE: u64 = PAGE;

/// One byte: plain, or a term of eight bits.
#[derive(Clone, Debug)]
enum Byte {
    Plain(u8),
    Term(Term),
}

#[derive(Clone)]
enum Pages {
    One(Option<Arc<Page>>),
    Many(Tree<Arc<Page>>),
}

/// A window of bytes under an array term: byte `low + i` is the array's byte `i`.
#[derive(Clone)]
struct Region {
    low: u64,
    high: u64,
    array: Term,
    updates: u32,
}

impl Region {
    fn is_full(&self) -> bool {
        self.updates > UPDATES && u64::from(self.updates) > (self.high - self.low) / LARGE
    }
}

/// The bytes of one object.
#[derive(Clone)]
pub struct Contents {
    size: u64,
    blank: Blank,
    /// Names the symbols of bytes never written.
    tag: u32,
    pages: Pages,
    regions: Option<Arc<Vec<Region>>>,
}

impl Contents {
    fn new(size: u64, tag: u32, blank: Blank) -> Contents {
        let pages = if size <= PAGE { Pages::One(None) } else { Pages::Many(Tree::default()) };
        Contents { size, blank, tag, pages, regions: None }
    }

    /// All zero.
    pub fn zero(size: u64, tag: u32) -> Contents {
        Contents::new(size, tag, Blank::Zero)
    }

    /// Never written.
    pub fn unset(size: u64, tag: u32) -> Contents {
        Contents::new(size, tag, Blank::Unset)
    }

    /// In bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn page(&self, number: u32) -> Option<&Arc<Page>> {
        match &self.pages {
            Pages::One(page) => page.as_ref(),
            Pages::Many(tree) => tree.get(number),
        }
    }

    /// A page to be changed: nobody else sees it.
    pub(crate) fn page_mut(&mut self, number: u32) -> &mut Page {
        let length = (self.size - u64::from(number) * PAGE).min(PAGE) as usize;
        let blank = self.blank;
        match &mut self.pages {
            Pages::One(page) => Arc::make_mut(page.get_or_insert_with(|| Arc::new(Page::new(length, blank)))),
            Pages::Many(tree) => {
                if tree.get(number).is_none() {
                    tree.set(number, Arc::new(Page::new(length, blank)));
                }
                Arc::make_mut(tree.get_mut(number).expect("the page was just made"))
            }
        }
    }

    /// Was anything ever looked at or written? Only then there are pages.
    pub(crate) fn has_pages(&self) -> bool {
        match &self.pages {
            Pages::One(page) => page.is_some(),
            Pages::Many(tree) => !tree.is_empty(),
        }
    }

    /// Is a byte that nobody touched one that was never written? Otherwise it is zero.
    pub fn is_blank_unset(&self) -> bool {
        self.blank == Blank::Unset
    }

    /// The ranges of bytes that anybody looked at or wrote to: pages, and arrays of terms. A
    /// byte may be in several.
    pub fn touched(&self) -> impl Iterator<Item = (u64, u64)> {
        let pages = match &self.pages {
            Pages::One(page) => page.iter().map(|_| 0).collect::<Vec<u32>>(),
            Pages::Many(tree) => tree.iter().map(|(number, _)| number).collect(),
        };
        let range = |page: u32| (u64::from(page) * PAGE, (u64::from(page + 1) * PAGE).min(self.size));
        let regions = self.regions.iter().flat_map(|regions| regions.iter()).map(|r| (r.low & !7, r.high));
        pages.into_iter().map(range).chain(regions)
    }

    /// Does an array term stand for some bytes of this page?
    pub(crate) fn has_regions(&self) -> bool {
        self.regions.is_some()
    }

    /// Do the same array terms stand for the same bytes?
    pub(crate) fn has_regions_as(&self, other: &Contents) -> bool {
        match (&self.regions, &other.regions) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }

    /// The same bytes without array terms, if these stand for no more than `most` bytes.
    pub(crate) fn flat(&self, most: u64) -> Option<Contents> {
        let covered: u64 = self.regions.iter().flat_map(|regions| regions.iter()).map(|r| r.high - r.low).sum();
        if covered > most {
            return None;
        }
        let mut flat = self.clone();
        while flat.regions.is_some() {
            flat.flatten(0);
        }
        Some(flat)
    }

    /// The pages that differ, ascending. Those that both share are passed over unseen.
    pub(crate) fn differing_pages(&self, other: &Contents) -> Vec<u32> {
        match (&self.pages, &other.pages) {
            (Pages::Many(a), Pages::Many(b)) => a.differences(b, &Arc::ptr_eq),
            (Pages::One(Some(a)), Pages::One(Some(b))) if Arc::ptr_eq(a, b) => Vec::new(),
            (Pages::One(None), Pages::One(None)) => Vec::new(),
            (Pages::One(_) | Pages::Many(_), _) => vec![0],
        }
    }

    /// A page as it was before anybody wrote to it.
    pub(crate) fn blank_page(&self, number: u32) -> Page {
        Page::new((self.size - u64::from(number) * PAGE).min(PAGE) as usize, self.blank)
    }

    pub(crate) fn put_page(&mut self, number: u32, page: Page) {
        match &mut self.pages {
            Pages::One(slot) => *slot = Some(Arc::new(page)),
            Pages::Many(tree) => tree.set(number, Arc::new(page)),
        }
    }

    /// The symbol of a byte that was never written.
    pub(crate) fn name_of_unset(&self, number: u32, at: usize) -> Term {
        self.never_written(u64::from(number) * PAGE + at as u64)
    }

    fn split(offset: u64) -> (u32, usize) {
        ((offset / PAGE) as u32, (offset % PAGE) as usize)
    }

    fn region(&self, offset: u64) -> Option<&Region> {
        self.regions.as_ref()?.iter().find(|r| r.low <= offset && offset < r.high)
    }

    fn byte(&self, offset: u64) -> Byte {
        if let Some(region) = self.region(offset) {
            let read = region.array.read(&Term::number(INDEX, offset - region.low), 1);
            return read.const_u64().map_or(Byte::Term(read), |byte| Byte::Plain(byte as u8));
        }
        let (number, at) = Self::split(offset);
        match self.page(number) {
            Some(page) => match page.term(at) {
                Some(term) => term.const_u64().map_or(Byte::Term(term), |byte| Byte::Plain(byte as u8)),
                None if page.is_unset(at) => Byte::Term(self.never_written(offset)),
                None => Byte::Plain(page.bytes[at]),
            },
            None if self.blank == Blank::Zero => Byte::Plain(0),
            None => Byte::Term(self.never_written(offset)),
        }
    }

    fn never_written(&self, offset: u64) -> Term {
        Term::symbol(&format!("uninit:{}:{offset}", self.tag), 8)
    }

    /// Are these bytes plain?
    pub fn is_plain(&self, offset: u64, count: u64) -> bool {
        if let Some(regions) = &self.regions
            && regions.iter().any(|r| r.low < offset + count && offset < r.high)
        {
            return false;
        }
        self.each_page(offset, count, |page, at, length| match page {
            Some(page) => page.is_plain(at, length),
            None => self.blank == Blank::Zero,
        })
    }

    /// Calls `f` for the part of each page within a range while it says yes.
    fn each_page(&self, offset: u64, count: u64, mut f: impl FnMut(Option<&Page>, usize, usize) -> bool) -> bool {
        let mut done = 0;
        while done < count {
            let (number, at) = Self::split(offset + done);
            let length = (PAGE as usize - at).min((count - done) as usize);
            if !f(self.page(number).map(|page| &**page), at, length) {
                return false;
            }
            done += length as u64;
        }
        true
    }

    /// The plain bytes of a range, or none if one of them is a term or was never written.
    pub fn plain(&self, offset: u64, count: u64) -> Option<Vec<u8>> {
        if !self.is_plain(offset, count) {
            return None;
        }
        let mut bytes = Vec::with_capacity(count as usize);
        self.each_page(offset, count, |page, at, length| {
            match page {
                Some(page) => bytes.extend_from_slice(&page.bytes[at..at + length]),
                None => bytes.resize(bytes.len() + length, 0),
            }
            true
        });
        Some(bytes)
    }

    /// The bytes of a range up to the first that is a term or was never written.
    pub fn plain_start(&self, offset: u64, count: u64) -> Vec<u8> {
        let regions = self.regions.iter().flat_map(|regions| regions.iter()).filter(|r| offset < r.high);
        let count = regions.map(|r| r.low.saturating_sub(offset)).fold(count, u64::min);
        let mut bytes = Vec::new();
        self.each_page(offset, count, |page, at, length| {
            let plain = match page {
                Some(page) => page.plain_start(at, length),
                None if self.blank == Blank::Zero => length,
                None => 0,
            };
            match page {
                Some(page) => bytes.extend_from_slice(&page.bytes[at..at + plain]),
                None => bytes.resize(bytes.len() + plain, 0),
            }
            plain == length
        });
        bytes
    }

    /// `count` bytes from `offset` on, little-endian. They must lie inside.
    pub fn read(&self, offset: u64, count: u64) -> Value {
        let (number, at) = Self::split(offset);
        if count <= 8
            && at + count as usize <= PAGE as usize
            && self.regions.is_none()
            && let Some(page) = self.page(number)
            && page.is_plain(at, count as usize)
        {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(&page.bytes[at..at + count as usize]) {
                *to = *from;
            }
            let origin = match &page.origins {
                Some(_) => self.origin_at(offset, count),
                None => Origin::NONE,
            };
            return Value::pointer(u64::from_le_bytes(word), origin);
        }
        if count <= 8 && self.blank == Blank::Zero && self.regions.is_none() && self.is_untouched(offset, count) {
            return Value::bits(0);
        }
        let whole = self.whole(offset, count).unwrap_or_else(|| {
            let bytes: Vec<Byte> = (offset..offset + count).map(|at| self.byte(at)).collect();
            joined(&bytes)
        });
        Value::term(whole).with_origin(self.origin_at(offset, count))
    }

    /// The term that was written to just these bytes.
    fn whole(&self, offset: u64, count: u64) -> Option<Term> {
        if !self.is_outside_regions(offset, count) {
            return None;
        }
        let (number, at) = Self::split(offset);
        self.page(number)?.whole(at, count as usize).cloned()
    }

    /// Do the bytes lie in pages that nobody wrote to?
    fn is_untouched(&self, offset: u64, count: u64) -> bool {
        self.each_page(offset, count, |page, _, _| page.is_none())
    }

    fn origin_at(&self, offset: u64, count: u64) -> Origin {
        let (number, at) = Self::split(offset);
        match self.page(number).and_then(|page| page.origins.as_ref()) {
            Some(origins) if count == 8 && at % 8 == 0 => Origin(origins[at / 8]),
            Some(_) | None if self.is_mixed(offset, count) => Origin::MIXED,
            Some(_) | None => Origin::NONE,
        }
    }

    /// Is some byte of the range of a mixed origin?
    pub fn is_mixed(&self, offset: u64, count: u64) -> bool {
        !self.each_page(offset, count, |page, at, length| page.is_none_or(|page| !page.is_mixed(at, length)))
    }

    /// Notes that the words of a range, but for those at its ends that it covers in part, are no
    /// longer of a mixed origin.
    fn clear_mixed(&mut self, offset: u64, count: u64) {
        if !self.is_mixed(offset, count) {
            return;
        }
        let end = offset + count;
        let words = (offset.next_multiple_of(8)..end).step_by(8);
        for word in
            words.filter(|word| (word + 8).min(self.size) <= end && self.is_mixed(*word, 1)).collect::<Vec<u64>>()
        {
            let (number, at) = Self::split(word);
            self.page_mut(number).set_origin(at, Origin::NONE);
        }
    }

    /// Notes that the bytes of a range are of a mixed origin.
    pub fn set_mixed(&mut self, offset: u64, count: u64) {
        let mut done = 0;
        while done < count {
            let (number, at) = Self::split(offset + done);
            let length = (PAGE - at as u64).min(count - done);
            self.page_mut(number).set_mixed(at, length as usize);
            done += length;
        }
    }

    /// `count` bytes from `offset` on become `value`. They must lie inside.
    pub fn write(&mut self, offset: u64, count: u64, value: &Value) {
        match &value.term {
            None if count <= 8 => self.write_plain(offset, &value.bits.to_le_bytes()[..count as usize]),
            _ => {
                let term = value.to_term(count as u32 * 8);
                self.write_term(offset, count, term);
            }
        }
        if value.origin.is_mixed() {
            self.set_mixed(offset, count);
            return;
        }
        self.clear_mixed(offset, count);
        if count == 8 && offset.is_multiple_of(8) {
            self.set_origin(offset, value.origin);
        }
    }

    fn write_term(&mut self, offset: u64, count: u64, term: Term) {
        let (number, at) = Self::split(offset);
        if at + count as usize <= PAGE as usize && stays_whole(&term) && self.is_outside_regions(offset, count) {
            self.page_mut(number).set_term(at, count as usize, term);
        } else {
            for i in 0..count {
                self.write_byte(offset + i, term.extract(i as u32 * 8 + 7, i as u32 * 8));
            }
        }
    }

    /// Notes where the pointer just written came from. Words that a region touches have no origin: a later write at a symbolic
    /// index could not take it back.
    fn set_origin(&mut self, offset: u64, origin: Origin) {
        if !origin.is_none() && self.is_outside_regions(offset, 8) {
            let (number, at) = Self::split(offset);
            self.page_mut(number).set_origin(at, origin);
        }
    }

    /// These bytes from `offset` on.
    pub fn write_plain(&mut self, offset: u64, bytes: &[u8]) {
        if self.regions.is_some() && !self.is_outside_regions(offset, bytes.len() as u64) {
            for (i, byte) in bytes.iter().enumerate() {
                self.write_byte(offset + i as u64, Term::number(8, u64::from(*byte)));
            }
            return;
        }
        let mut done = 0;
        while done < bytes.len() {
            let (number, at) = Self::split(offset + done as u64);
            let length = (PAGE as usize - at).min(bytes.len() - done);
            let page = self.page_mut(number);
            page.make_plain(at, length);
            page.bytes[at..at + length].copy_from_slice(&bytes[done..done + length]);
            done += length;
        }
    }

    fn is_outside_regions(&self, offset: u64, count: u64) -> bool {
        self.regions.as_ref().is_none_or(|regions| regions.iter().all(|r| offset + count <= r.low || r.high <= offset))
    }

    fn write_byte(&mut self, offset: u64, byte: Term) {
        if let Some(regions) = &mut self.regions
            && let Some(i) = regions.iter().position(|r| r.low <= offset && offset < r.high)
        {
            let region = &mut Arc::make_mut(regions)[i];
            region.array = region.array.write(&Term::number(INDEX, offset - region.low), &byte);
            region.updates += 1;
            if region.is_full() {
                self.flatten(i);
            }
            return;
        }
        let (number, at) = Self::split(offset);
        let page = self.page_mut(number);
        match byte.const_u64() {
            Some(plain) => {
                page.make_plain(at, 1);
                page.bytes[at] = plain as u8;
            }
            None => page.set_term(at, 1, byte),
        }
    }

    /// Replaces a region by one term per byte.
    fn flatten(&mut self, i: usize) {
        let regions = Arc::make_mut(self.regions.as_mut().expect("a region is flattened"));
        let region = regions.swap_remove(i);
        if regions.is_empty() {
            self.regions = None;
        }
        for offset in region.low..region.high {
            self.write_byte(offset, region.array.read(&Term::number(INDEX, offset - region.low), 1));
        }
    }

    /// Marks a range as never written.
    pub fn forget(&mut self, offset: u64, count: u64) {
        for i in offset..offset + count {
            let (number, at) = Self::split(i);
            self.page_mut(number).set_unset(at);
        }
    }

    /// Sets a range to one byte (a value of eight bits).
    pub fn fill(&mut self, offset: u64, count: u64, byte: &Value) {
        match &byte.term {
            None if offset == 0 && count == self.size && byte.bits == 0 && self.size > PAGE => {
                *self = Contents::zero(self.size, self.tag);
            }
            None => {
                let chunk = vec![byte.bits as u8; count.min(PAGE) as usize];
                let mut done = 0;
                while done < count {
                    let length = (count - done).min(PAGE);
                    self.write_plain(offset + done, &chunk[..length as usize]);
                    done += length;
                }
            }
            Some(term) => (0..count).for_each(|i| self.write_byte(offset + i, term.clone())),
        }
        self.clear_mixed(offset, count);
    }

    /// Copies a range of `from` here, with all that lies beside the bytes.
    pub fn copy(&mut self, offset: u64, from: &Contents, start: u64, count: u64) {
        if let Some(bytes) = from.plain(start, count) {
            self.write_plain(offset, &bytes);
        } else {
            let mut done = 0;
            while done < count {
                done += self.copy_next(offset + done, from, start + done, count - done);
            }
        }
        self.copy_origins(offset, from, start, count);
    }

    /// Copies a term that was written as one, or else a byte. Tells how many bytes that were.
    fn copy_next(&mut self, offset: u64, from: &Contents, start: u64, most: u64) -> u64 {
        let (number, at) = Self::split(start);
        let word = from.page(number).and_then(|page| page.word_from(at));
        if let Some((length, term)) = word.filter(|(length, _)| *length <= most)
            && from.is_outside_regions(start, length)
        {
            self.write_term(offset, length, term.clone());
            return length;
        }
        // A byte never written keeps the name it had: what depends on the copy depends on the first one.
        match from.byte(start) {
            Byte::Plain(byte) => self.write_plain(offset, &[byte]),
            Byte::Term(term) => self.write_byte(offset, term),
        }
        1
    }

    fn copy_origins(&mut self, offset: u64, from: &Contents, start: u64, count: u64) {
        self.clear_mixed(offset, count);
        if from.is_mixed(start, count) {
            for at in (0..count).filter(|at| from.is_mixed(start + at, 1)) {
                self.set_mixed(offset + at, 1);
            }
        }
        if offset % 8 != start % 8 {
            return;
        }
        let mut word = start.next_multiple_of(8);
        while word + 8 <= start + count {
            let origin = from.origin_at(word, 8);
            if origin.is_object() {
                self.set_origin(word - start + offset, origin);
            }
            word += 8;
        }
    }

    /// The bytes from `low` to before `high` as an array term and the index at which `low` stands in it.
    pub fn array(&self, low: u64, high: u64) -> (Term, u64) {
        if let Some(region) = self.region(low)
            && high <= region.high
        {
            return (region.array.clone(), low - region.low);
        }
        if let Some(bytes) = self.plain(low, high - low) {
            return (Term::constant_array(INDEX, bytes.into()), 0);
        }
        if self.is_mostly_blank(low, high) {
            return (self.array_alike(low, high), 0);
        }
        let bytes: Vec<Byte> = (low..high).map(|offset| self.byte(offset)).collect();
        if let Some(found) = consecutive(&bytes) {
            return found;
        }
        let plain: Vec<u8> = bytes.iter().map(|b| if let Byte::Plain(byte) = b { *byte } else { 0 }).collect();
        let mut array = Term::constant_array(INDEX, plain.into());
        for (i, byte) in bytes.iter().enumerate() {
            if let Byte::Term(term) = byte {
                array = array.write(&Term::number(INDEX, i as u64), term);
            }
        }
        (array, 0)
    }

    /// Are these all its bytes, and all of them plain?
    pub fn is(&self, bytes: &[u8]) -> bool {
        self.size == bytes.len() as u64 && self.is_plain(0, self.size) && {
            let mut rest = bytes;
            self.each_page(0, self.size, |page, at, length| {
                let (these, others) = rest.split_at(length);
                rest = others;
                match page {
                    Some(page) => page.bytes[at..at + length] == *these,
                    None => these.iter().all(|byte| *byte == 0),
                }
            })
        }
    }

    /// Reads `count` bytes at a symbolic offset (of `INDEX` bits) that is known to lie in `low ..= last`.
    pub fn read_at(&self, offset: &Term, low: u64, last: u64, count: u64) -> Term {
        let (array, base) = self.array(low, last + count);
        array.read(&offset.sub(&Term::number(INDEX, low)).add(&Term::number(INDEX, base)), count as u32)
    }

    /// Writes `count` bytes at a symbolic offset (of `INDEX` bits) that is known to lie in `low ..= last`.
    pub fn write_at(&mut self, offset: &Term, low: u64, last: u64, count: u64, value: &Term) {
        let i = self.region_over(low, last + count);
        let regions = Arc::make_mut(self.regions.as_mut().expect("a region was just made"));
        let region = &mut regions[i];
        for k in 0..count {
            let index = offset.sub(&Term::number(INDEX, region.low)).add(&Term::number(INDEX, k));
            region.array = region.array.write(&index, &value.extract(k as u32 * 8 + 7, k as u32 * 8));
        }
        region.updates += count as u32;
        if region.is_full() {
            self.flatten(i);
        }
    }

    /// The region that covers a window, made or widened if need be.
    fn region_over(&mut self, mut low: u64, mut high: u64) -> usize {
        if let Some(regions) = &self.regions {
            if let Some(i) = regions.iter().position(|r| r.low <= low && high <= r.high) {
                return i;
            }
            for r in regions.iter() {
                if r.low < high && low < r.high {
                    (low, high) = (low.min(r.low), high.max(r.high));
                }
            }
        }
        if self.is_mostly_blank(low, high) {
            // One array for all of it: the next window may be another part.
            (low, high) = (0, self.size);
        }
        let (mut array, base) = self.array(low, high);
        if base != 0 || array.op() == Op::ArraySymbol {
            // A region's array has its own bytes at the front and is nobody else's.
            array = self.array_of_bytes(low, high);
        }
        let regions = Arc::make_mut(self.regions.get_or_insert_default());
        regions.retain(|r| high <= r.low || r.high <= low);
        regions.push(Region { low, high, array, updates: 0 });
        // Pointers in the window lose their origin: a write may have hit any of them.
        for word in (low / 8)..high.div_ceil(8) {
            let (number, at) = Self::split(word * 8);
            if self.page(number).is_some_and(|page| page.origins.is_some() && !page.is_mixed(at, 1)) {
                self.page_mut(number).set_origin(at, Origin::NONE);
            }
        }
        self.regions.as_ref().map_or(0, |regions| regions.len() - 1)
    }

    /// Are so many of the bytes in untouched pages, and were never written?
    fn is_mostly_blank(&self, low: u64, high: u64) -> bool {
        if self.blank != Blank::Unset || high - low <= ALIKE {
            return false;
        }
        let mut blank = 0;
        self.each_page(low, high - low, |page, _, length| {
            blank += if page.is_none() { length as u64 } else { 0 };
            true
        });
        let regions = self.regions.iter().flat_map(|regions| regions.iter());
        let held: u64 = regions.map(|r| r.high.min(high).saturating_sub(r.low.max(low))).sum();
        blank.saturating_sub(held) > ALIKE
    }

    /// The symbol that stands for all bytes never written in an array that has many of them.
    fn never_written_alike(&self) -> Term {
        Term::symbol(&format!("uninit:{}:{EVERY}", self.tag), 8)
    }

    /// As `array`, with one symbol for all bytes that were never written.
    fn array_alike(&self, low: u64, high: u64) -> Term {
        let plain = self.plain_start(low, high - low);
        let start = low + plain.len() as u64;
        let mut array = Term::table(&Term::fill(INDEX, &self.never_written_alike()), plain.into());
        for (from, to) in self.touched() {
            for offset in from.max(start)..to.min(high) {
                let byte = match self.byte(offset) {
                    Byte::Plain(byte) => Term::number(8, u64::from(byte)),
                    Byte::Term(term) if term == self.never_written(offset) => continue,
                    Byte::Term(term) => term,
                };
                array = array.write(&Term::number(INDEX, offset - low), &byte);
            }
        }
        array
    }

    fn array_of_bytes(&self, low: u64, high: u64) -> Term {
        let mut array = Term::constant_array(INDEX, vec![0; (high - low) as usize].into());
        for offset in low..high {
            let byte = match self.byte(offset) {
                Byte::Plain(byte) => Term::number(8, u64::from(byte)),
                Byte::Term(term) => term,
            };
            array = array.write(&Term::number(INDEX, offset - low), &byte);
        }
        array
    }

    /// The whole contents become the array input's first bytes.
    pub fn become_input(&mut self, array: &Term) {
        self.regions = None;
        for offset in 0..self.size {
            self.write_byte(offset, array.read(&Term::number(INDEX, offset), 1));
        }
    }

    /// Does some word of the range hold a pointer?
    pub fn has_origins(&self, offset: u64, count: u64) -> bool {
        !self.each_page(offset, count, |page, at, length| {
            let origins = page.and_then(|page| page.origins.as_ref());
            origins.is_none_or(|origins| origins[at / 8..(at + length).div_ceil(8)].iter().all(|origin| *origin == 0))
        })
    }

    /// Was any byte of the range never written?
    pub fn has_unset(&self, offset: u64, count: u64) -> bool {
        !self.each_page(offset, count, |page, at, length| match page {
            Some(page) => page.is_plain(at, length) || (at..at + length).all(|i| !page.is_unset(i)),
            None => self.blank == Blank::Zero,
        })
    }

    /// Is any byte of the range a term (never written ones included)?
    pub fn is_symbolic(&self, offset: u64, count: u64) -> bool {
        !self.is_plain(offset, count)
    }
}

/// In place of an offset: the symbol of all bytes of an object that were never written.
const EVERY: &str = "*";

/// Is it the symbol of a byte that was never written?
pub fn is_never_written(term: &Term) -> bool {
    term.name().is_some_and(|name| name.starts_with("uninit:"))
}

/// Does a symbol stand for several bytes that were never written?
pub fn stands_for_many(symbol: &Term) -> bool {
    let name = symbol.name().and_then(|name| name.strip_prefix("uninit:"));
    name.is_some_and(|name| name.ends_with(EVERY))
}

/// Is a term kept as it was written? Not where some of its bytes may be constant, which had better be plain.
fn stays_whole(term: &Term) -> bool {
    matches!(term.op(), Op::Read | Op::Symbol | Op::Add | Op::Sub)
}

/// Bytes as one term, the first lowest.
fn joined(bytes: &[Byte]) -> Term {
    if let Some((array, first)) = consecutive(bytes) {
        return array.read(&Term::number(INDEX, first), bytes.len() as u32);
    }
    let terms = bytes.iter().map(|byte| match byte {
        Byte::Plain(byte) => Term::number(8, u64::from(*byte)),
        Byte::Term(term) => term.clone(),
    });
    terms.reduce(|low, byte| byte.concat(&low)).expect("a read has at least one byte")
}

/// An input's array and the index of the first byte, when the bytes are consecutive bytes of it.
fn consecutive(bytes: &[Byte]) -> Option<(Term, u64)> {
    let place = |byte: &Byte| match byte {
        Byte::Term(t) if t.op() == Op::Read && t.arg(0).op() == Op::ArraySymbol => {
            t.arg(1).const_u64().map(|index| (t.arg(0).clone(), index))
        }
        Byte::Term(_) | Byte::Plain(_) => None,
    };
    let (array, first) = place(bytes.first()?)?;
    let same =
        |(i, byte): (usize, &Byte)| place(byte).is_some_and(|(a, index)| a == array && index == first + i as u64);
    bytes.iter().enumerate().all(same).then_some((array, first))
}
