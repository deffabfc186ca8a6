//! The least input of a path: its bytes are a function of the path's constraints alone.
//!
//! Constraints fall into groups that share no input. Each group is solved for itself, its bytes, the last first, as small as the ones
//! before allow, so that neither a cache, a solver's history, nor another worker has a say in a test. A group over one byte is decided by trying
//! its 256 values; larger ones ask the solver, on the group's constraints only. Sibling paths share most of their groups: the answers are kept.
//!
//! A test that nobody waits for need not be the least one (`Effort::Layers`): groups that layers cannot
//! settle leave it to the path's model.
//!
//! Bytes that constraints only ever read together are one number, asked about as such: the last byte of a number is its highest, so the least number is
//! the least bytes, and the solver knows most about what the program compares.

use rustc_hash::FxHashMap;
use strata_query::{Answer, Budget, Model, Path, Solver};
use strata_term::{Assignment, Bits, Evaluator, Op, Seen, Term, eval, post_order};

/// Solved groups by the ids of their constraints, newest first.
#[derive(Default)]
pub(crate) struct Least {
    known: FxHashMap<Vec<u32>, Solved>,
}

/// What the least input may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effort {
    /// What layers above the core answer.
    Layers,
    /// All questions that it takes.
    Core,
}

struct Solved {
    /// With which effort nothing was found, if so.
    effort: Effort,
    /// Held, so that the ids mean these terms for as long as they are looked for.
    _constraints: Path,
    cells: Option<Vec<(Cell, Bits)>>,
}

/// A part of an input: bytes of an array, or a symbol (then there is one, at 0).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Cell {
    input: Term,
    index: u64,
    bytes: u32,
}

/// Groups kept before all are forgotten.
const KEPT: usize = 100_000;

impl Cell {
    /// Bytes of an array, or else a symbol?
    fn is_byte(&self) -> bool {
        self.input.op() == Op::ArraySymbol
    }

    fn term(&self) -> Term {
        let index = || Term::number(strata_memory::INDEX, self.index);
        if self.is_byte() { self.input.read(&index(), self.bytes) } else { self.input.clone() }
    }

    fn value(&self, model: &Model) -> Bits {
        if !self.is_byte() {
            return model.get(&self.input);
        }
        let byte = |i| u64::from(model.get_cell(&self.input, self.index + u64::from(i))) << (8 * i);
        Bits::new(8 * self.bytes, (0..self.bytes).fold(0, |value, i| value | byte(i)))
    }

    fn set(&self, model: &mut Model, value: &Bits) {
        if !self.is_byte() {
            model.set(&self.input, value.clone());
            return;
        }
        for i in 0..self.bytes {
            model.set_cell(&self.input, self.index + u64::from(i), (value.low_u64() >> (8 * i)) as u8);
        }
    }

    fn overlaps(&self, other: &Cell) -> bool {
        self.input == other.input
            && self.index < other.index + u64::from(other.bytes)
            && other.index < self.index + u64::from(self.bytes)
    }

    fn each(&self) -> impl Iterator<Item = Cell> {
        (0..u64::from(self.bytes)).map(|i| Cell { input: self.input.clone(), index: self.index + i, bytes: 1 })
    }
}

/// Numbers that meet no other stay whole; the rest falls into bytes. Sorted, each once.
fn apart(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_by_key(|cell| (cell.input.id(), cell.index, cell.bytes));
    cells.dedup();
    let mut result: Vec<Cell> = Vec::new();
    let mut run = 0;
    while run < cells.len() {
        // A run of numbers of which each meets one before it.
        let mut end = run + 1;
        let mut last = cells[run].clone();
        while end < cells.len() && last.overlaps(&cells[end]) {
            let reach = (last.index + u64::from(last.bytes)).max(cells[end].index + u64::from(cells[end].bytes));
            last.bytes = (reach - last.index) as u32;
            end += 1;
        }
        if end == run + 1 && last.bytes <= 8 {
            result.push(last);
        } else {
            result.extend(last.each());
        }
        run = end;
    }
    result
}

/// An array that an input of a path is made of.
pub(crate) struct Array {
    pub array: Term,
    /// In bytes; the most that there can be where their number is a term.
    pub size: u64,
    /// The number of bytes where that is a term over inputs before this one.
    pub length: Option<Term>,
}

/// The inputs that a path made, in order.
pub(crate) struct Inputs<'a>(pub &'a [Array]);

impl Inputs<'_> {
    fn order(&self, cell: &Cell) -> (usize, u64) {
        (self.0.iter().position(|known| known.array == cell.input).unwrap_or(usize::MAX), cell.index)
    }

    fn size(&self, array: &Term) -> u64 {
        self.0.iter().find(|known| known.array == *array).map_or(0, |known| known.size)
    }

    /// How many bytes of each array of symbolic length there are in a model, by the array's id.
    fn lengths(&self, model: &Model) -> FxHashMap<u32, u64> {
        let chosen = |known: &Array| Some((known.array.id(), eval(known.length.as_ref()?, model).low_u64()));
        self.0.iter().filter_map(chosen).collect()
    }
}

impl Least {
    /// The least input of a path that `witness` satisfies; `None` if the effort or the budget did not
    /// suffice.
    pub fn of(
        &mut self,
        solver: &mut dyn Solver,
        path: &Path,
        witness: &Model,
        inputs: &Inputs<'_>,
        (effort, budget): (Effort, &Budget),
    ) -> Option<Model> {
        let budget = (effort, &Budget { layers_only: effort == Effort::Layers, ..budget.clone() });
        if self.known.len() > KEPT {
            self.known.clear();
        }
        let mut parts = path.knowledge().map_or_else(|| groups(path, inputs), |knowledge| knowledge.parts());
        let mut model = Model::default();
        let mut solved: Vec<Vec<u32>> = Vec::new();
        for part in &parts {
            let ids = self.solved(solver, part, witness, inputs, budget);
            self.known[&ids].cells.as_ref()?;
            solved.push(ids);
        }
        // An input that is known to have one value is none to the solver's knowledge: parts that mention it may be apart there.
        while let Some((one, other)) = self.meeting(&solved) {
            let joined = join(&parts[one], &parts[other]);
            parts.swap_remove(other);
            solved.swap_remove(other);
            solved[one] = self.solved(solver, &joined, witness, inputs, budget);
            parts[one] = joined;
        }
        for ids in &solved {
            for (cell, value) in self.known[ids].cells.as_ref()? {
                cell.set(&mut model, value);
            }
        }
        Some(model)
    }

    /// Solves a part, unless that was done before. Gives what it is known by.
    fn solved(
        &mut self,
        solver: &mut dyn Solver,
        part: &Path,
        witness: &Model,
        inputs: &Inputs<'_>,
        (effort, budget): (Effort, &Budget),
    ) -> Vec<u32> {
        let ids: Vec<u32> = part.iter().map(Term::id).collect();
        let known = self.known.get(&ids).is_some_and(|known| known.cells.is_some() || known.effort >= effort);
        if !known {
            let cells = solve(solver, &Group::of(part, inputs), inputs, witness, budget);
            self.known.insert(ids.clone(), Solved { effort, _constraints: part.clone(), cells });
        }
        ids
    }

    /// Two parts that share a byte of an input, the earlier one first.
    fn meeting(&self, solved: &[Vec<u32>]) -> Option<(usize, usize)> {
        let mut owners: FxHashMap<(u32, u64), usize> = FxHashMap::default();
        for (number, ids) in solved.iter().enumerate() {
            for (cell, _) in self.known[ids].cells.iter().flatten() {
                for byte in cell.index..cell.index + u64::from(cell.bytes) {
                    let owner = *owners.entry((cell.input.id(), byte)).or_insert(number);
                    if owner != number {
                        return Some((owner, number));
                    }
                }
            }
        }
        None
    }
}

/// All constraints of two paths.
fn join(one: &Path, other: &Path) -> Path {
    let mut joined = Path::default();
    for path in [one, other] {
        let mut held: Vec<&Term> = path.iter().collect();
        held.reverse();
        held.into_iter().for_each(|constraint| joined.push(constraint.clone()));
    }
    joined
}

struct Group {
    constraints: Vec<Term>,
    cells: Vec<Cell>,
}

/// The inputs that a constraint mentions. A read at an index that is not constant mentions the whole array.
fn mentioned(constraint: &Term, inputs: &Inputs<'_>) -> Vec<Cell> {
    let (mut cells, mut whole) = (Vec::new(), Seen::default());
    for term in post_order([constraint]) {
        if term.op() == Op::Symbol {
            cells.push(Cell { input: term.clone(), index: 0, bytes: 1 });
        } else if term.op() == Op::Read {
            read(&mut cells, term, inputs, &mut whole);
        }
    }
    cells
}

/// Adds the bytes that a read mentions. Arrays that were mentioned as a whole are not looked at again: copies of structures are reads over writes of reads.
fn read(cells: &mut Vec<Cell>, term: &Term, inputs: &Inputs<'_>, whole: &mut Seen) {
    let base = term.arg(0);
    let constant = term.arg(1).const_u64().filter(|_| base.op() == Op::ArraySymbol);
    if let Some(first) = constant {
        cells.push(Cell { input: base.clone(), index: first, bytes: term.width() / 8 });
        return;
    }
    let mut arrays = vec![base];
    while let Some(array) = arrays.pop() {
        if !whole.insert(array.id()) {
            continue;
        }
        if array.op() == Op::ArraySymbol {
            cells.extend((0..inputs.size(array)).map(|index| Cell { input: array.clone(), index, bytes: 1 }));
        }
        // What is written, and where, are terms that whoever asks walks over, too.
        arrays.extend(array.args().iter().filter(|part| part.is_array()));
    }
}

impl Group {
    fn of(part: &Path, inputs: &Inputs<'_>) -> Group {
        let mut constraints: Vec<Term> = part.iter().cloned().collect();
        constraints.reverse();
        let mut cells = apart(constraints.iter().flat_map(|constraint| mentioned(constraint, inputs)).collect());
        cells.sort_by_cached_key(|cell| {
            // The last bytes first: numbers become small and texts short.
            let (position, index) = inputs.order(cell);
            (position, u64::MAX - index, cell.input.name().unwrap_or("").to_string())
        });
        Group { constraints, cells }
    }
}

/// The constraints in parts that share no input, for a path whose solver did not look.
fn groups(path: &Path, inputs: &Inputs<'_>) -> Vec<Path> {
    let mut parts: Vec<(Vec<Cell>, Path)> = Vec::new();
    let mut constraints: Vec<&Term> = path.iter().collect();
    constraints.reverse();
    for constraint in constraints {
        let mut cells = mentioned(constraint, inputs);
        let mut joined = Path::default();
        parts.retain(|(others, part)| {
            let meets = others.iter().any(|other| cells.iter().any(|cell| cell.overlaps(other)));
            if meets {
                cells.extend_from_slice(others);
                let mut held: Vec<&Term> = part.iter().collect();
                held.reverse();
                held.into_iter().for_each(|constraint| joined.push(constraint.clone()));
            }
            !meets
        });
        joined.push(constraint.clone());
        parts.push((cells, joined));
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

fn solve(
    solver: &mut dyn Solver,
    group: &Group,
    inputs: &Inputs<'_>,
    witness: &Model,
    budget: &Budget,
) -> Option<Vec<(Cell, Bits)>> {
    if let [cell] = group.cells.as_slice()
        && cell.term().width() == 8
    {
        return by_trying(cell, &group.constraints).map(|value| vec![(cell.clone(), value)]);
    }
    by_asking(solver, group, inputs, witness, budget)
}

/// The least value of one byte.
fn by_trying(cell: &Cell, constraints: &[Term]) -> Option<Bits> {
    let mut evaluator = Evaluator::new(constraints);
    let mut assignment = Assignment::default();
    (0..256).map(|value| Bits::new(8, value)).find(|value| {
        cell.set(&mut assignment, value);
        evaluator.holds(&assignment)
    })
}

/// Upper bound on the cells of a group that are made least: each is a constraint more for all that
/// follow, which takes minutes and gigabytes for an array of 64 KiB.
const CELLS: usize = 4096;

fn by_asking(
    solver: &mut dyn Solver,
    group: &Group,
    inputs: &Inputs<'_>,
    witness: &Model,
    budget: &Budget,
) -> Option<Vec<(Cell, Bits)>> {
    let mut path = Path::default();
    for constraint in &group.constraints {
        solver.extend(&mut path, constraint);
    }
    let mut model = witness.clone();
    let mut found = Vec::new();
    let (mut lengths, mut skipped) = (inputs.lengths(&model), false);
    for cell in &group.cells {
        // What chooses a length comes first, so it is fixed by now.
        if lengths.get(&cell.input.id()).is_some_and(|length| cell.index >= *length) {
            skipped = true;
            continue;
        }
        if found.len() == CELLS {
            return None;
        }
        let term = cell.term();
        let width = term.width();
        let mut value = cell.value(&model);
        if width <= 64 {
            let (mut low, mut high) = (0u64, value.low_u64());
            while low < high {
                // Zero is the commonest answer: it is tried first.
                let middle = if low == 0 && high > 1 && found.len() < group.cells.len() && high == value.low_u64() {
                    0
                } else {
                    low + (high - low) / 2
                };
                match solver.ask(&path, &model, &term.ule(&Term::number(width, middle)), budget) {
                    Answer::Sat(better) => {
                        model = better;
                        high = cell.value(&model).low_u64();
                    }
                    Answer::Unsat => low = middle + 1,
                    Answer::Unknown(_) => return None,
                }
            }
            value = Bits::new(width, high);
        }
        solver.extend(&mut path, &term.eq(&Term::constant(value.clone())));
        if !lengths.is_empty() && !lengths.contains_key(&cell.input.id()) {
            lengths = inputs.lengths(&model);
        }
        found.push((cell.clone(), value));
    }
    if skipped {
        // Sound: no constraint depends on bytes beyond the length, and where that is wrong it is
        // seen here.
        let mut least = Model::default();
        found.iter().for_each(|(cell, value)| cell.set(&mut least, value));
        if !group.constraints.iter().all(|constraint| eval(constraint, &least).is_true()) {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_solver::Pool;

    #[test]
    fn inputs_are_least() {
        let array = Term::array("a", 32);
        let byte = |i: u64| array.read(&Term::number(32, i), 1);
        let number = |n: u64| Term::number(8, n);
        let mut path = Path::default();
        let mut pool = Pool::default();
        for constraint in [
            number(64).ult(&byte(0)),
            byte(1).ult(&byte(2)),
            number(7).ult(&byte(1)),
            byte(4).urem(&number(10)).eq(&number(3)),
        ] {
            pool.extend(&mut path, &constraint);
        }
        let inputs = [Array { array: array.clone(), size: 8, length: None }];
        let Answer::Sat(witness) = pool.check(&path, &[], &Budget::default()) else { panic!("there is one") };
        let model = Least::default()
            .of(&mut pool, &path, &witness, &Inputs(&inputs), (Effort::Core, &Budget::default()))
            .unwrap();
        let values: Vec<u8> = (0..6).map(|i| model.get_cell(&array, i)).collect();
        assert_eq!(values, [65, 8, 9, 0, 3, 0]);
    }

    #[test]
    fn numbers_are_least_as_their_bytes_are() {
        let array = Term::array("a", 32);
        let word = |i: u64, bytes| array.read(&Term::number(32, i), bytes);
        let mut path = Path::default();
        let mut pool = Pool::default();
        for constraint in [
            word(0, 4).slt(&word(4, 4)),
            word(4, 4).slt(&Term::number(32, 5)),
            Term::number(16, 300).ult(&word(9, 2)),
            word(10, 1).ult(&word(12, 1)),
        ] {
            pool.extend(&mut path, &constraint);
        }
        let inputs = [Array { array: array.clone(), size: 16, length: None }];
        let Answer::Sat(witness) = pool.check(&path, &[], &Budget::default()) else { panic!("there is one") };
        let model = Least::default()
            .of(&mut pool, &path, &witness, &Inputs(&inputs), (Effort::Core, &Budget::default()))
            .unwrap();
        let values: Vec<u8> = (0..14).map(|i| model.get_cell(&array, i)).collect();
        // The later number first: 0, so that the earlier one is negative. Of 301 and more the higher byte first: 1, hence 2 behind it.
        assert_eq!(values, [0, 0, 0, 128, 0, 0, 0, 0, 0, 45, 1, 0, 2, 0]);
    }

    #[test]
    fn bytes_beyond_the_length_are_not_looked_for() {
        let (number, array) = (Term::array("n", 32), Term::array("a", 32));
        let length = number.read(&Term::number(32, 0), 4);
        let at = number.read(&Term::number(32, 4), 4);
        let mut path = Path::default();
        let mut pool = Pool::default();
        for constraint in [
            Term::number(32, 3).ule(&length),
            length.ule(&Term::number(32, 50_000)),
            at.ult(&length),
            array.read(&at, 1).eq(&Term::number(8, 9)),
        ] {
            pool.extend(&mut path, &constraint);
        }
        let inputs = [
            Array { array: number.clone(), size: 8, length: None },
            Array { array: array.clone(), size: 50_000, length: Some(length.zext(64)) },
        ];
        let Answer::Sat(witness) = pool.check(&path, &[], &Budget::default()) else { panic!("there is one") };
        let model = Least::default()
            .of(&mut pool, &path, &witness, &Inputs(&inputs), (Effort::Core, &Budget::default()))
            .unwrap();
        assert!(path.iter().all(|constraint| eval(constraint, &model).is_true()));
        assert_eq!((eval(&at, &model).low_u64(), eval(&length, &model).low_u64()), (0, 3));
        let bytes: Vec<u8> = (0..5).map(|i| model.get_cell(&array, i)).collect();
        assert_eq!(bytes, [9, 0, 0, 0, 0]);
    }
}
