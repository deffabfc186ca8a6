//! The least input of a path: its bytes are a function of the path's constraints alone.
//!
//! Constraints fall into groups that share no input. Each group is solved for itself, its bytes, the last first, as small as the ones
//! before allow, so that neither a cache, a solver's history, nor another worker has a say in a test. A group over one byte is decided by trying
//! its 256 values; larger ones ask the solver, on the group's constraints only. Sibling paths share most of their groups: the answers are kept.

use std::collections::HashMap;
use strata_query::{Answer, Budget, Model, Path, Solver};
use strata_term::{Assignment, Bits, Evaluator, Op, Term, post_order};

/// Solved groups by their constraints.
#[derive(Default)]
pub(crate) struct Least {
    known: HashMap<Vec<Term>, Option<Vec<(Cell, Bits)>>>,
}

/// An input: a byte of an array, or a symbol (then the index is 0).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Cell {
    input: Term,
    index: u64,
}

/// Groups kept before all are forgotten.
const KEPT: usize = 100_000;

impl Cell {
    /// A byte of an array, or else a symbol?
    fn is_byte(&self) -> bool {
        self.input.op() == Op::ArraySymbol
    }

    fn term(&self) -> Term {
        let index = || Term::number(strata_memory::INDEX, self.index);
        if self.is_byte() { self.input.read(&index(), 1) } else { self.input.clone() }
    }

    fn value(&self, model: &Model) -> Bits {
        let byte = || Bits::new(8, u64::from(model.get_cell(&self.input, self.index)));
        if self.is_byte() { byte() } else { model.get(&self.input) }
    }

    fn set(&self, model: &mut Model, value: &Bits) {
        if self.is_byte() {
            model.set_cell(&self.input, self.index, value.low_u64() as u8);
        } else {
            model.set(&self.input, value.clone());
        }
    }
}

/// The inputs that a path made, with their sizes, in order.
pub(crate) struct Inputs<'a>(pub &'a [(Term, u64)]);

impl Inputs<'_> {
    fn order(&self, cell: &Cell) -> (usize, u64) {
        (self.0.iter().position(|(array, _)| *array == cell.input).unwrap_or(usize::MAX), cell.index)
    }

    fn size(&self, array: &Term) -> u64 {
        self.0.iter().find(|(input, _)| input == array).map_or(0, |(_, size)| *size)
    }
}

impl Least {
    /// The least input of a path that is known to be feasible; `None` if the budget did not suffice.
    pub fn of(&mut self, solver: &mut dyn Solver, path: &Path, inputs: &Inputs<'_>, budget: &Budget) -> Option<Model> {
        let mut constraints: Vec<Term> = path.iter().cloned().collect();
        constraints.reverse();
        let mut model = Model::default();
        for group in groups(&constraints, inputs) {
            if self.known.len() > KEPT {
                self.known.clear();
            }
            let cells = match self.known.get(&group.constraints) {
                Some(known) => known.clone(),
                None => {
                    let found = solve(solver, &group, budget);
                    self.known.insert(group.constraints, found.clone());
                    found
                }
            };
            for (cell, value) in cells? {
                cell.set(&mut model, &value);
            }
        }
        Some(model)
    }
}

struct Group {
    constraints: Vec<Term>,
    cells: Vec<Cell>,
}

/// The inputs that a constraint mentions. A read at an index that is not constant mentions the whole array.
fn mentioned(constraint: &Term, inputs: &Inputs<'_>) -> Vec<Cell> {
    let mut cells = Vec::new();
    for term in post_order([constraint]) {
        if term.op() == Op::Symbol {
            cells.push(Cell { input: term.clone(), index: 0 });
        } else if term.op() == Op::Read {
            read(&mut cells, term, inputs);
        }
    }
    cells
}

/// Adds the bytes that a read mentions.
fn read(cells: &mut Vec<Cell>, term: &Term, inputs: &Inputs<'_>) {
    let base = term.arg(0);
    let constant = term.arg(1).const_u64().filter(|_| base.op() == Op::ArraySymbol);
    if let Some(first) = constant {
        cells.extend((0..u64::from(term.width() / 8)).map(|i| Cell { input: base.clone(), index: first + i }));
        return;
    }
    for array in post_order([base]).into_iter().filter(|t| t.op() == Op::ArraySymbol) {
        cells.extend((0..inputs.size(array)).map(|index| Cell { input: array.clone(), index }));
    }
}

fn groups(constraints: &[Term], inputs: &Inputs<'_>) -> Vec<Group> {
    let mut owner: HashMap<Cell, usize> = HashMap::new();
    let mut parent: Vec<usize> = (0..constraints.len()).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    let mut cells: Vec<Vec<Cell>> = Vec::with_capacity(constraints.len());
    for (i, constraint) in constraints.iter().enumerate() {
        let mentioned = mentioned(constraint, inputs);
        for cell in &mentioned {
            match owner.get(cell) {
                Some(first) => {
                    let (a, b) = (root(&mut parent, *first), root(&mut parent, i));
                    parent[a.max(b)] = a.min(b);
                }
                None => drop(owner.insert(cell.clone(), i)),
            }
        }
        cells.push(mentioned);
    }
    let mut groups: Vec<Option<Group>> = (0..constraints.len()).map(|_| None).collect();
    for (i, mentioned) in cells.into_iter().enumerate() {
        let group =
            groups[root(&mut parent, i)].get_or_insert_with(|| Group { constraints: Vec::new(), cells: Vec::new() });
        group.constraints.push(constraints[i].clone());
        group.cells.extend(mentioned);
    }
    let mut groups: Vec<Group> = groups.into_iter().flatten().collect();
    for group in &mut groups {
        group.cells.sort_by_cached_key(|cell| {
            // The last bytes first: numbers become small and texts short.
            let (position, index) = inputs.order(cell);
            (position, u64::MAX - index, cell.input.name().unwrap_or("").to_string())
        });
        group.cells.dedup();
    }
    groups
}

fn solve(solver: &mut dyn Solver, group: &Group, budget: &Budget) -> Option<Vec<(Cell, Bits)>> {
    if let [cell] = group.cells.as_slice()
        && cell.term().width() == 8
    {
        return by_trying(cell, &group.constraints).map(|value| vec![(cell.clone(), value)]);
    }
    by_asking(solver, group, budget)
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

fn by_asking(solver: &mut dyn Solver, group: &Group, budget: &Budget) -> Option<Vec<(Cell, Bits)>> {
    let mut path = Path::default();
    for constraint in &group.constraints {
        solver.extend(&mut path, constraint);
    }
    let Answer::Sat(mut model) = solver.check(&path, &[], budget) else { return None };
    let mut found = Vec::new();
    for cell in &group.cells {
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
                match solver.check(&path, &[term.ule(&Term::number(width, middle))], budget) {
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
        found.push((cell.clone(), value));
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
        let inputs = [(array.clone(), 8)];
        let model = Least::default().of(&mut pool, &path, &Inputs(&inputs), &Budget::default()).unwrap();
        let values: Vec<u8> = (0..6).map(|i| model.get_cell(&array, i)).collect();
        assert_eq!(values, [65, 8, 9, 0, 3, 0]);
    }
}
