//! Which inputs a term mentions.
//!
//! A read of an input at a constant index is one variable, of as many bytes as it reads; a symbol
//! is one, too. Anything else that reaches an array symbol (an index that is not constant, a
//! write in between) mentions the whole array. Sums and chains share their parts, so answers are
//! kept (`Supports`): a condition on a running sum costs its newest addition.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use strata_query::Model;
use strata_term::{Bits, Op, Seen, Term};

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

/// Inputs in all lists that are kept before all are forgotten: some 50 MB.
const LISTED: usize = 6 << 20;

/// A longer list is not kept for each node: a chain of ten thousand writes, each of another
/// input, would have fifty million entries. Most conditions mention fewer inputs than this.
const SHORT: usize = 64;

/// Supports of terms met before.
///
/// Short lists are kept for each node. Long ones are kept for the terms that were asked for and
/// the arrays that they read, since those are what later terms are built on; what lies between is
/// walked through again.
#[derive(Debug, Default)]
pub struct Supports {
    /// By id. `None` is a long list that was not made.
    known: FxHashMap<u32, (Term, Option<Arc<Support>>)>,
    none: Arc<Support>,
    /// Inputs in all lists of `known`.
    listed: usize,
}

impl Supports {
    /// The inputs that a term mentions.
    pub fn of(&mut self, term: &Term) -> Arc<Support> {
        if self.known.len() > KEPT || self.listed > LISTED {
            self.known.clear();
            self.listed = 0;
        }
        if let Some(Some(known)) = self.find(term) {
            return known;
        }
        let mut stack: Vec<&Term> = vec![term];
        while let Some(&node) = stack.last() {
            if self.find(node).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let leaf = is_leaf(node);
            if !leaf {
                stack.extend(node.args().iter().filter(|arg| self.find(arg).is_none()));
            }
            if stack.len() == before {
                stack.pop();
                let support = if leaf { Some(single(node)) } else { self.combine(node) };
                self.keep(node, support);
            }
        }
        self.list(term)
    }

    /// What is known of a node: its list, `None` for a long one that was not made.
    fn find(&self, term: &Term) -> Option<Option<Arc<Support>>> {
        match term.op() {
            Op::Const => Some(Some(self.none.clone())),
            _ => self.known.get(&term.id()).map(|(_, support)| support.clone()),
        }
    }

    fn keep(&mut self, node: &Term, support: Option<Arc<Support>>) {
        self.listed += support.as_ref().map_or(0, |support| support.reads.len() + support.whole.len());
        self.known.insert(node.id(), (node.clone(), support));
    }

    /// The list of a node from its arguments' lists, unless it is long.
    fn combine(&mut self, node: &Term) -> Option<Arc<Support>> {
        let mut all = self.none.clone();
        for arg in node.args() {
            // Arrays that are read are what other reads and writes are built on.
            let support = match self.find(arg).expect("arguments come first") {
                None if node.op() == Op::Read => self.list(arg),
                support => support?,
            };
            all = join(&all, &support);
        }
        let is_short = all.reads.len() + all.whole.len() <= SHORT;
        // A list that an argument has costs nothing.
        let is_shared = node.args().iter().any(|arg| self.has(arg, &all));
        (is_short || is_shared).then_some(all)
    }

    fn has(&self, arg: &Term, list: &Arc<Support>) -> bool {
        self.known.get(&arg.id()).and_then(|(_, known)| known.as_ref()).is_some_and(|known| Arc::ptr_eq(known, list))
    }

    /// The list of a node that is known, made if it was not.
    fn list(&mut self, term: &Term) -> Arc<Support> {
        if let Some(known) = self.find(term).expect("the node was met") {
            return known;
        }
        let (mut reads, mut whole) = (FxHashMap::default(), FxHashMap::default());
        let (mut met, mut stack) = (Seen::default(), vec![term]);
        while let Some(node) = stack.pop() {
            if !met.insert(node.id()) {
                continue;
            }
            match self.known.get(&node.id()) {
                Some((_, Some(support))) => {
                    reads.extend(support.reads.iter().map(|term| (term.id(), term)));
                    whole.extend(support.whole.iter().map(|term| (term.id(), term)));
                }
                Some((_, None)) => stack.extend(node.args()),
                None => debug_assert!(node.op() == Op::Const, "arguments come first"),
            }
        }
        let support = Arc::new(Support { reads: in_order(reads), whole: in_order(whole) });
        self.keep(term, Some(support.clone()));
        support
    }
}

/// Is nothing below it looked at? A variable hides the array below it.
fn is_leaf(node: &Term) -> bool {
    matches!(node.op(), Op::ArraySymbol | Op::Symbol) || variable(node).is_some()
}

/// The support of a leaf.
fn single(leaf: &Term) -> Arc<Support> {
    let list = vec![leaf.clone()];
    Arc::new(match leaf.is_array() {
        true => Support { reads: Vec::new(), whole: list },
        false => Support { reads: list, whole: Vec::new() },
    })
}

/// A list by id.
fn in_order(terms: FxHashMap<u32, &Term>) -> Vec<Term> {
    let mut list: Vec<Term> = terms.into_values().cloned().collect();
    list.sort_unstable_by_key(Term::id);
    list
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

    #[test]
    fn long_chains_of_writes_have_few_lists() {
        let (writes, index) = (10_000, Term::symbol("support-index", 32));
        let symbols: Vec<Term> = (0..writes).map(|i| Term::symbol(&format!("support-{i}"), 8)).collect();
        let mut array = Term::fill(32, &Term::number(8, 0));
        for (i, symbol) in symbols.iter().enumerate() {
            array = array.write(&Term::number(32, i as u64), symbol);
        }
        let mut supports = Supports::default();
        let read = array.read(&index, 1);
        assert_eq!(supports.of(&read).reads.len(), writes + 1);
        // One more write costs one more list, not another walk with a list for each step.
        let further = array.write(&index, &symbols[0]).read(&index.add(&Term::number(32, 1)), 1);
        assert_eq!(supports.of(&further).reads.len(), writes + 1);
        assert!(supports.listed < 10 * writes, "{} inputs in lists", supports.listed);
    }

    /// Lists are those of a walk through all nodes, whatever was asked before.
    #[test]
    fn lists_are_complete() {
        let mut random = strata_term::Random(5);
        let mut supports = Supports::default();
        let array = Term::array("support-array", 32);
        let mut terms: Vec<Term> = (0..300).map(|i| Term::symbol(&format!("support-all-{i}"), 32)).collect();
        terms.extend((0..20).map(|i| array.read(&Term::number(32, i * 4), 4)));
        let mut arrays = vec![array, Term::fill(32, &Term::number(8, 0))];
        for _ in 0..3_000 {
            let [a, b, c] = std::array::from_fn(|_| terms[random.below(terms.len())].clone());
            match random.below(4) {
                0 => terms.push(a.add(&b)),
                1 => terms.push(arrays[random.below(arrays.len())].read(&a, 4)),
                _ => arrays.push(arrays[arrays.len() - 1].write(&a, &b.extract(7, 0))),
            }
            if random.one_in(10) {
                let (mut expected, mut stack, mut met) = (Vec::new(), vec![&c], Seen::default());
                while let Some(node) = stack.pop() {
                    if met.insert(node.id()) {
                        if is_leaf(node) {
                            expected.push(node.clone());
                        } else {
                            stack.extend(node.args());
                        }
                    }
                }
                let found = supports.of(&c);
                let mut all: Vec<Term> = found.reads.iter().chain(&found.whole).cloned().collect();
                assert!(found.reads.is_sorted_by_key(Term::id) && found.whole.is_sorted_by_key(Term::id));
                expected.sort_by_key(Term::id);
                all.sort_by_key(Term::id);
                assert_eq!(all, expected);
            }
        }
        assert!(supports.known.values().any(|(_, list)| list.is_none()), "some lists are long");
    }
}
