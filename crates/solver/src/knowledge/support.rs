//! Which inputs a term mentions.
//!
//! A read of an input at a constant index is one variable, of as many bytes as it reads; a symbol is one, too. Anything else that reaches an array
//! symbol (an index that is not constant, a write in between) mentions the whole array. Sums and chains share their parts, so the answer is kept for each
//! node: a condition on a running sum costs its newest addition.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use strata_query::Model;
use strata_term::{Bits, Op, Term};

/// The inputs of a term, each list by id.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Reads of array symbols at constant indices, and symbols.
    pub reads: Vec<Term>,
    /// Array symbols that are read at any index.
    pub whole: Vec<Term>,
}

/// A byte of an input: the input's id above the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u64);

impl Cell {
    /// Stands for all cells of an array.
    pub fn whole(array: &Term) -> Cell {
        Cell(u64::from(array.id()) << 32 | u64::from(u32::MAX))
    }

    /// The id of its input.
    pub fn input(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Its index, if it does not stand for the whole array.
    pub fn index(self) -> Option<u64> {
        Some(self.0 & u64::from(u32::MAX)).filter(|index| *index != u64::from(u32::MAX))
    }
}

/// The cells of a variable, from the lowest byte on; a symbol is one cell.
pub fn cells(read: &Term) -> impl Iterator<Item = Cell> {
    let (input, first, count) = match variable(read) {
        Some((array, index)) => (array.id(), index, read.width() / 8),
        None => (read.id(), 0, 1),
    };
    (0..count).map(move |i| Cell(u64::from(input) << 32 | u64::from(first + i)))
}

/// The array and the index of a read that is a variable.
pub fn variable(read: &Term) -> Option<(&Term, u32)> {
    if read.op() != Op::Read || read.arg(0).op() != Op::ArraySymbol {
        return None;
    }
    let index = u32::try_from(read.arg(1).const_u64()?).ok()?;
    // The last index stands for the whole array, and a variable does not wrap.
    (index < u32::MAX - read.width() / 8).then_some((read.arg(0), index))
}

/// Is this term a variable?
pub fn is_variable(term: &Term) -> bool {
    term.op() == Op::Symbol || variable(term).is_some()
}

/// Do any two of these variables share a cell?
pub fn overlapping<'a>(reads: impl Iterator<Item = &'a Term>) -> bool {
    let mut all: Vec<Cell> = reads.flat_map(cells).collect();
    all.sort_unstable();
    all.windows(2).any(|pair| pair[0] == pair[1])
}

/// The value of a variable of at most 64 bits.
pub fn value(read: &Term, model: &Model) -> u64 {
    match variable(read) {
        Some((array, index)) => model.array(array).map_or(0, |bytes| {
            (0..read.width() / 8).rev().fold(0, |value, i| value << 8 | u64::from(bytes.get(u64::from(index + i))))
        }),
        None => model.get(read).low_u64(),
    }
}

/// Gives a variable of at most 64 bits a value.
pub fn assign(model: &mut Model, read: &Term, value: u64) {
    match variable(read) {
        Some((array, index)) => {
            let bytes = value.to_le_bytes();
            model.set_cells(array, u64::from(index), &bytes[..(read.width() / 8) as usize]);
        }
        None => model.set(read, Bits::new(read.width(), value)),
    }
}

/// A model with another value for a variable of at most 64 bits.
pub fn with_value(model: &Model, read: &Term, value: u64) -> Model {
    let mut model = model.clone();
    assign(&mut model, read, value);
    model
}

/// Nodes whose support is kept before all are forgotten.
const KEPT: usize = 200_000;

/// Supports of terms met before.
#[derive(Debug, Default)]
pub struct Supports {
    known: FxHashMap<u32, (Term, Arc<Support>)>,
    none: Arc<Support>,
}

impl Supports {
    /// The inputs that a term mentions.
    pub fn of(&mut self, term: &Term) -> Arc<Support> {
        if self.known.len() > KEPT {
            self.known.clear();
        }
        if let Some(known) = self.find(term) {
            return known;
        }
        let mut stack: Vec<&Term> = vec![term];
        while let Some(&node) = stack.last() {
            if self.find(node).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            // A variable hides the array below it.
            let leaf = node.op() == Op::ArraySymbol || variable(node).is_some();
            if !leaf {
                stack.extend(node.args().iter().filter(|arg| self.find(arg).is_none()));
            }
            if stack.len() == before {
                stack.pop();
                let support = self.combine(node, leaf);
                self.known.insert(node.id(), (node.clone(), support));
            }
        }
        self.find(term).expect("just entered")
    }

    fn find(&self, term: &Term) -> Option<Arc<Support>> {
        match term.op() {
            Op::Const => Some(self.none.clone()),
            _ => self.known.get(&term.id()).map(|(_, support)| support.clone()),
        }
    }

    fn combine(&self, node: &Term, leaf: bool) -> Arc<Support> {
        if leaf || node.op() == Op::Symbol {
            let (reads, whole) =
                if node.is_array() { (Vec::new(), vec![node.clone()]) } else { (vec![node.clone()], Vec::new()) };
            return Arc::new(Support { reads, whole });
        }
        let mut all = self.none.clone();
        for arg in node.args() {
            let support = self.find(arg).expect("arguments come first");
            all = join(&all, &support);
        }
        all
    }
}

/// What either mentions; one of both where it mentions all that the other does.
fn join(a: &Arc<Support>, b: &Arc<Support>) -> Arc<Support> {
    let within =
        |small: &Support, large: &Support| contains(&large.reads, &small.reads) && contains(&large.whole, &small.whole);
    if within(a, b) {
        return b.clone();
    }
    if within(b, a) {
        return a.clone();
    }
    Arc::new(Support { reads: union(&a.reads, &b.reads), whole: union(&a.whole, &b.whole) })
}

/// Between lists by id.
fn contains(large: &[Term], small: &[Term]) -> bool {
    small.len() <= large.len() && small.iter().all(|term| large.binary_search_by_key(&term.id(), Term::id).is_ok())
}

/// Of two lists by id. In linear time: a chain of writes may join a thousand inputs a thousand times.
fn union(a: &[Term], b: &[Term]) -> Vec<Term> {
    let (mut a, mut b, mut all) = (a.iter().peekable(), b.iter().peekable(), Vec::with_capacity(a.len() + b.len()));
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let order = x.id().cmp(&y.id());
        if order.is_ge() {
            all.extend(b.next().cloned());
        }
        if order.is_le() {
            // The same term, if both have it.
            let next = a.next().filter(|_| order.is_lt());
            all.extend(next.cloned());
        }
    }
    all.extend(a.chain(b).cloned());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_terms_mention() {
        let a = Term::array("a", 32);
        let (x, y) = (a.read(&Term::number(32, 0), 4), a.read(&Term::number(32, 3), 1));
        let s = Term::symbol("s", 32);
        let mut supports = Supports::default();
        let mut of = |term: &Term| {
            let support = supports.of(term);
            let mut reads = support.reads.clone();
            reads.sort_by_key(|t| t.width());
            (reads, support.whole.clone())
        };
        assert_eq!(of(&x.add(&y.zext(32))), (vec![y.clone(), x.clone()], vec![]));
        assert_eq!(of(&a.read(&s, 1)), (vec![s.clone()], vec![a.clone()]));
        assert_eq!(of(&a.write(&Term::number(32, 9), &y).read(&s, 1)), (vec![y.clone(), s.clone()], vec![a.clone()]));
        assert_eq!(of(&Term::number(8, 1)), (vec![], vec![]));
        assert_eq!(cells(&x).map(|c| c.0 as u32).collect::<Vec<_>>(), [0, 1, 2, 3]);
        let mut sum = x.clone();
        for i in 0..100_000 {
            sum = sum.xor(&Term::number(32, i)).add(&x);
        }
        assert_eq!(of(&sum), (vec![x], vec![]));
    }
}
