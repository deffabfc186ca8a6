//! Values of the inputs, made to be copied: a path keeps a model for each fork, and most of them differ in one byte.
//!
//! The bytes of an array lie in chunks of 64 that copies share until one of them writes. Inputs are found by a search in
//! a sorted list: there are few, and a hash table would have to be copied whole.

use crate::bits::Bits;
use crate::store::Term;
use std::sync::Arc;

/// Bytes in a chunk, and bits in its mark of what was given a value.
const CHUNK: u64 = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Chunk {
    given: u64,
    bytes: [u8; CHUNK as usize],
}

/// The bytes of an array symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells(Vec<(u64, Arc<Chunk>)>);

impl Cells {
    /// The byte at an index, zero if none was given.
    pub fn get(&self, index: u64) -> u8 {
        match self.find(index / CHUNK) {
            Ok(at) => self.0[at].1.bytes[(index % CHUNK) as usize],
            Err(_) => 0,
        }
    }

    fn find(&self, chunk: u64) -> Result<usize, usize> {
        // Indices mostly start at zero and leave no gap.
        match self.0.get(chunk as usize) {
            Some((number, _)) if *number == chunk => Ok(chunk as usize),
            Some(_) | None => self.0.binary_search_by_key(&chunk, |(number, _)| *number),
        }
    }

    fn set(&mut self, mut index: u64, mut values: &[u8]) {
        while !values.is_empty() {
            let (number, first) = (index / CHUNK, (index % CHUNK) as usize);
            let here = values.len().min(CHUNK as usize - first);
            let at = self.find(number).unwrap_or_else(|at| {
                self.0.insert(at, (number, Arc::new(Chunk { given: 0, bytes: [0; CHUNK as usize] })));
                at
            });
            let chunk = Arc::make_mut(&mut self.0[at].1);
            chunk.given |= (u64::MAX >> (CHUNK as usize - here)) << first;
            chunk.bytes[first..first + here].copy_from_slice(&values[..here]);
            (index, values) = (index.wrapping_add(here as u64), &values[here..]);
        }
    }

    fn iter(&self) -> impl Iterator<Item = (u64, u8)> {
        self.0.iter().flat_map(|(number, chunk)| {
            let given = (0..CHUNK).filter(|i| chunk.given >> i & 1 == 1);
            given.map(move |i| (number * CHUNK + i, chunk.bytes[i as usize]))
        })
    }
}

/// Values of the inputs. An input that is not mentioned is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// By id of the symbol.
    symbols: Arc<Vec<(Term, Bits)>>,
    /// By id of the array.
    arrays: Vec<(Term, Arc<Cells>)>,
}

fn place<V>(list: &[(Term, V)], input: &Term) -> Result<usize, usize> {
    list.binary_search_by_key(&input.id(), |(term, _)| term.id())
}

impl Assignment {
    /// Gives a symbol its value.
    pub fn set(&mut self, symbol: &Term, value: Bits) {
        debug_assert_eq!(symbol.width(), value.width());
        let symbols = Arc::make_mut(&mut self.symbols);
        match place(symbols, symbol) {
            Ok(at) => symbols[at].1 = value,
            Err(at) => symbols.insert(at, (symbol.clone(), value)),
        }
    }

    /// Gives a cell of an array symbol its value.
    pub fn set_cell(&mut self, array: &Term, index: u64, value: u8) {
        self.set_cells(array, index, &[value]);
    }

    /// Gives consecutive cells of an array symbol their values.
    pub fn set_cells(&mut self, array: &Term, index: u64, values: &[u8]) {
        let at = place(&self.arrays, array).unwrap_or_else(|at| {
            self.arrays.insert(at, (array.clone(), Arc::default()));
            at
        });
        Arc::make_mut(&mut self.arrays[at].1).set(index, values);
    }

    /// The value of a symbol.
    pub fn get(&self, symbol: &Term) -> Bits {
        match place(&self.symbols, symbol) {
            Ok(at) => self.symbols[at].1.clone(),
            Err(_) => Bits::zero(symbol.width()),
        }
    }

    /// The value of a cell of an array symbol.
    pub fn get_cell(&self, array: &Term, index: u64) -> u8 {
        self.array(array).map_or(0, |cells| cells.get(index))
    }

    /// The bytes of an array symbol, if any was given a value.
    pub fn array(&self, array: &Term) -> Option<&Cells> {
        place(&self.arrays, array).ok().map(|at| &*self.arrays[at].1)
    }

    /// The cells of an array symbol that were given a value, by index.
    pub fn cells(&self, array: &Term) -> impl Iterator<Item = (u64, u8)> {
        self.array(array).into_iter().flat_map(Cells::iter)
    }

    /// Takes over what `other` says of a byte of an input, given by the input's id; of all its bytes without an index. What `other` does not mention is
    /// zero there, and becomes zero here.
    pub fn take(&mut self, other: &Assignment, input: u32, index: Option<u64>) {
        let find = |list: &[(Term, Arc<Cells>)]| list.binary_search_by_key(&input, |(term, _)| term.id());
        match (find(&self.arrays), find(&other.arrays), index) {
            (Ok(here), Ok(there), None) => self.arrays[here].1 = other.arrays[there].1.clone(),
            (Ok(here), Err(_), None) => self.arrays[here].1 = Arc::default(),
            (Ok(here), Ok(there), Some(index)) => {
                let value = other.arrays[there].1.get(index);
                Arc::make_mut(&mut self.arrays[here].1).set(index, &[value]);
            }
            (Ok(here), Err(_), Some(index)) => Arc::make_mut(&mut self.arrays[here].1).set(index, &[0]),
            (Err(_), Ok(there), None) => {
                let (array, cells) = &other.arrays[there];
                self.arrays.push((array.clone(), cells.clone()));
                self.arrays.sort_by_key(|(array, _)| array.id());
            }
            (Err(_), Ok(there), Some(index)) => {
                let (array, cells) = &other.arrays[there];
                self.set_cell(array, index, cells.get(index));
            }
            (Err(_), Err(_), _) => self.take_symbol(other, input),
        }
    }

    fn take_symbol(&mut self, other: &Assignment, input: u32) {
        let find = |list: &[(Term, Bits)]| list.binary_search_by_key(&input, |(term, _)| term.id());
        match (find(&self.symbols), find(&other.symbols)) {
            (_, Ok(there)) => {
                let (symbol, value) = other.symbols[there].clone();
                self.set(&symbol, value);
            }
            (Ok(here), Err(_)) => {
                let zero = Bits::zero(self.symbols[here].0.width());
                Arc::make_mut(&mut self.symbols)[here].1 = zero;
            }
            (Err(_), Err(_)) => {}
        }
    }

    /// Takes over every value that `other` gives.
    pub fn extend(&mut self, other: &Assignment) {
        for (symbol, value) in other.symbols.iter() {
            self.set(symbol, value.clone());
        }
        for (array, cells) in &other.arrays {
            for (index, value) in cells.iter() {
                self.set_cell(array, index, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_their_own() {
        let (a, b) = (Term::array("a", 32), Term::array("b", 32));
        let mut one = Assignment::default();
        one.set_cell(&a, 3, 7);
        one.set_cell(&a, 4_000_000_000, 8);
        let mut two = one.clone();
        two.set_cell(&a, 3, 9);
        two.set_cell(&b, 64, 1);
        assert_eq!((one.get_cell(&a, 3), two.get_cell(&a, 3)), (7, 9));
        assert_eq!(one.cells(&a).collect::<Vec<_>>(), [(3, 7), (4_000_000_000, 8)]);
        assert_eq!(one.cells(&b).count(), 0);
        one.extend(&two);
        assert_eq!(one, two);
        assert_eq!(one.get_cell(&b, 64), 1);
        assert_eq!(one.get_cell(&b, 65), 0);
    }

    #[test]
    fn bytes_are_taken_over_one_by_one() {
        let (a, b, s) = (Term::array("a", 32), Term::array("b", 32), Term::symbol("s", 8));
        let (mut one, mut two) = (Assignment::default(), Assignment::default());
        one.set_cell(&a, 0, 1);
        one.set_cell(&a, 1, 2);
        one.set(&s, Bits::new(8, 5));
        two.set_cell(&b, 7, 3);
        for (input, index) in [(&a, 1), (&b, 7), (&s, 0)] {
            one.take(&two, input.id(), Some(index));
        }
        assert_eq!((one.get_cell(&a, 0), one.get_cell(&a, 1), one.get_cell(&b, 7)), (1, 0, 3));
        assert_eq!(one.get(&s), Bits::zero(8));
        one.set_cell(&b, 100, 1);
        one.take(&two, b.id(), None);
        assert_eq!(one.cells(&b).collect::<Vec<_>>(), [(7, 3)]);
        one.take(&Assignment::default(), b.id(), None);
        assert_eq!(one.cells(&b).count(), 0);
    }
}
