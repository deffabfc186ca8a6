//! What is known of the inputs at the end of a path: which of them are tied together by constraints, and which values each can have.
//!
//! Inputs that no constraint ties together fall into groups. A group has the constraints over its cells, as a path of its own, and a set of values for
//! each variable. The set is **above**: it contains every value that the variable has in some model of the group. It is **exact** if the group is
//! one variable and its set says all that the constraints say (`Group::exact`). Groups share no cell, so that models of the groups make a model of the
//! path together; that is the whole argument behind slicing and behind every answer that changes one group of the witness only.
//!
//! Adding a constraint touches its own group only; everything is persistent, so that a fork shares what it does not change.

mod few;
mod map;
mod order;
mod pairs;
mod parts;
mod plain;
mod relate;
mod rest;
mod set;
mod shape;
mod support;

pub use few::Few;
pub use order::{Found, Order, key};
pub use pairs::{Tie, Tied, tied};
pub use relate::relate;
use rest::simpler;
pub use rest::{Missing, Rest, given};
pub use set::Set;
pub use shape::{Kept, Shape, Shapes, Truth};
pub use support::{Cell, Support, Supports, assign, cells, is_variable, overlapping, value, with_value};

use crate::below::{Below, Points};
use crate::cases::Cases;
use map::Map;
use std::any::Any;
use std::sync::Arc;
use strata_query::{Knowledge, Model, Path};
use strata_term::{Bits, Op, Term};

/// Constraints of the rest that a group keeps, at most.
const REST: usize = 32;

/// What is known at the end of a path.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Where the group of a cell is.
    owner: Map<Owner>,
    /// Groups of several cells, by number.
    groups: Map<Arc<Group>>,
    next: u32,
    /// Ids of the arrays that are read at any index: all their cells are one.
    whole: Arc<Vec<u32>>,
    /// The path case by case, if it has clauses.
    pub cases: Option<Arc<Cases>>,
}

/// Most groups have one cell: no number stands between, and a fork copies one map less.
#[derive(Clone, Debug)]
enum Owner {
    Alone(Arc<Group>),
    Shared(u32),
}

/// Where a group is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Cell(Cell),
    Number(u32),
}

/// Inputs that constraints tie together.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The constraints over these inputs alone.
    pub path: Path,
    cells: Vec<Cell>,
    /// Variables of which something is known.
    pub variables: Vec<Variable>,
    /// What holds between them. Most groups are one variable, and a fork copies one: nothing is kept where there is nothing.
    bonds: Option<Box<Bonds>>,
    /// Constraints that the sets do not say.
    loose: u32,
    /// Constraints that sets and order together do not say.
    tangled: u32,
    /// Constraints that sets and ties together do not say.
    untied: u32,
    /// Of these, how many are not among the rest, and variables that overlap.
    hidden: u32,
    /// Constraints with clauses. Nothing is learned from them here: sets are above without them,
    /// and no layer may take the other constraints for all.
    clauses: u32,
    /// Boxes of solutions.
    pub below: Below,
    /// All solutions, if they are few.
    pub points: Points,
}

/// What is known to hold between the variables of a group, by their places in its list.
#[derive(Clone, Debug, Default)]
pub struct Bonds {
    /// How they compare.
    pub order: Order,
    /// Which bytes go together.
    pub ties: Vec<Tie>,
    /// Constraints that sets, order or ties do not say.
    pub rest: Vec<Arc<Rest>>,
}

static UNBOUND: Bonds =
    Bonds { order: Order { signed: None, edges: Vec::new(), apart: Vec::new() }, ties: Vec::new(), rest: Vec::new() };

/// A variable and the values that it can have.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The read, or the symbol.
    pub read: Term,
    /// From above.
    pub set: Set,
}

impl Group {
    /// Is it one variable whose set says all that the constraints say?
    pub fn exact(&self) -> bool {
        self.free() && self.variables.len() <= 1
    }

    /// Do the sets say all that the constraints say? Then each variable can have any value of its own, whatever the others have.
    pub fn free(&self) -> bool {
        self.loose == 0
    }

    /// Do sets and order together say all that the constraints say? Then the variables overlap nowhere.
    pub fn ordered(&self) -> bool {
        self.tangled == 0
    }

    /// Do sets and ties together say all that the constraints say? Then the variables overlap nowhere.
    pub fn tied(&self) -> bool {
        self.untied == 0
    }

    /// Are there constraints with clauses?
    pub fn has_clauses(&self) -> bool {
        self.clauses > 0
    }

    /// Is each of its cells one of a variable's?
    pub fn is_covered(&self) -> bool {
        // Mostly there are too many of them.
        let most: u32 = self.variables.iter().map(|variable| variable.read.width().div_ceil(8)).sum();
        let has = |cell| self.variables.iter().any(|variable| cells(&variable.read).any(|own| own == cell));
        self.cells.len() <= most as usize && self.cells.iter().all(|cell| has(*cell))
    }

    /// The constraints that sets do not say; `None` if some are not kept, or variables overlap.
    pub fn rest(&self) -> Option<&[Arc<Rest>]> {
        (self.hidden == 0).then(|| self.bonds().rest.as_slice())
    }

    /// A constraint is not said by these.
    fn miss(&mut self, missing: Missing) {
        self.loose += u32::from(missing.sets);
        self.tangled += u32::from(missing.order);
        self.untied += u32::from(missing.ties);
    }

    /// It is, now.
    fn found(&mut self, missing: Missing) {
        self.loose -= u32::from(missing.sets);
        self.tangled -= u32::from(missing.order);
        self.untied -= u32::from(missing.ties);
    }

    /// That is never said.
    fn hide(&mut self, missing: Missing) {
        self.miss(missing);
        self.hidden += u32::from(missing.any());
    }

    /// What holds between its variables.
    pub fn bonds(&self) -> &Bonds {
        self.bonds.as_deref().unwrap_or(&UNBOUND)
    }

    /// What is known of a variable.
    pub fn variable(&self, read: &Term) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.read == *read)
    }

    /// The place of a variable in the list, where it is entered if it is new.
    fn place(&mut self, read: &Term) -> usize {
        if let Some(place) = self.variables.iter().position(|variable| variable.read == *read) {
            return place;
        }
        let meets = |other: &Variable| cells(&other.read).any(|cell| cells(read).any(|own| own == cell));
        if self.variables.iter().any(meets) {
            self.hide(Missing::ALL);
        }
        self.variables.push(Variable { read: read.clone(), set: Set::full(read.width()) });
        self.variables.len() - 1
    }

    /// Takes in a constraint, and what is left of others now that it holds.
    fn learn(&mut self, constraint: &Term, shape: &Arc<Shape>, shapes: &mut Shapes) {
        let mut open = vec![(constraint.clone(), shape.clone())];
        while let Some((part, shape)) = open.pop() {
            let pivots = shapes.pivots(&part, &shape);
            if let Some(left) = simpler(&part, &pivots, |read| self.variable(read), shapes) {
                open.extend(conjuncts(left, shapes, Shapes::of_left));
                continue;
            }
            let (missing, narrowed) = self.say(&shape.truth);
            if missing.any() && shapes.below().tables && self.bonds().rest.len() < REST {
                self.miss(missing);
                let rest = Rest { constraint: part, support: shape.support.clone(), pivots, missing };
                self.bonds.get_or_insert_default().rest.push(Arc::new(rest));
            } else {
                self.hide(missing);
            }
            if let Some(place) = narrowed {
                self.reconsider(place, &mut open, shapes);
            }
        }
    }

    /// Takes what a variable decides out of the rest, whose set has shrunk; what is left is still to be learned.
    fn reconsider(&mut self, place: usize, open: &mut Vec<(Term, Arc<Shape>)>, shapes: &mut Shapes) {
        let Some(mut bonds) = self.bonds.take() else { return };
        let (mut at, mut found) = (0, Vec::new());
        while let Some(rest) = bonds.rest.get(at) {
            let left = if rest.hangs_on(&self.variables[place]) {
                simpler(&rest.constraint, &rest.pivots, |read| self.variable(read), shapes)
            } else {
                None
            };
            if let Some(left) = left {
                found.push(bonds.rest.swap_remove(at).missing);
                open.extend(conjuncts(left, shapes, Shapes::of_left));
            } else {
                at += 1;
            }
        }
        self.bonds = Some(bonds);
        found.into_iter().for_each(|missing| self.found(missing));
    }

    /// Takes in what a constraint says of variables: by what it is not said, and whose set has shrunk.
    fn say(&mut self, truth: &Truth) -> (Missing, Option<usize>) {
        match truth {
            Truth::One { read, set, exact } => {
                let place = self.place(read);
                let met = self.variables[place].set.meet(set);
                let said = *exact && met.is_exact();
                let narrowed = met.set != self.variables[place].set;
                self.variables[place].set = met.set;
                (if said { Missing::default() } else { Missing::ALL }, narrowed.then_some(place))
            }
            Truth::Compared { left, right, relation } => {
                let (a, b) = (self.place(&left.read), self.place(&right.read));
                let sides = [(a, left.plus), (b, right.plus)].map(|(at, plus)| (at, &self.variables[at].set, plus));
                let said = relate(&mut self.bonds.get_or_insert_default().order, sides, *relation);
                (Missing { order: !said, ..Missing::ALL }, None)
            }
            Truth::Two { first, second, table } => {
                let places = [first, second].map(|read| u16::try_from(self.place(read)));
                let said = if let [Ok(first), Ok(second)] = places {
                    self.bonds.get_or_insert_default().ties.push(Tie { first, second, table: table.clone() });
                    true
                } else {
                    false
                };
                (Missing { ties: !said, ..Missing::ALL }, None)
            }
            Truth::Other => (Missing::ALL, None),
        }
    }

    fn absorb(&mut self, other: &Group) {
        let mut constraints: Vec<&Term> = other.path.iter().collect();
        constraints.reverse();
        constraints.into_iter().for_each(|constraint| self.path.push(constraint.clone()));
        self.cells.extend_from_slice(&other.cells);
        self.loose += other.loose;
        (self.tangled, self.untied) = (self.tangled + other.tangled, self.untied + other.untied);
        self.hidden += other.hidden;
        self.clauses += other.clauses;
        if let Some(more) = &other.bonds {
            let shift = self.variables.len();
            let bonds = self.bonds.get_or_insert_default();
            let (ordered, tied) =
                (bonds.order.absorb(&more.order, shift), absorb_ties(&mut bonds.ties, &more.ties, shift));
            bonds.rest.extend_from_slice(&more.rest);
            self.hide(Missing { sets: false, order: !ordered, ties: !tied });
        }
        // Groups share no cell, and so no variable, until the constraint that joins them.
        self.variables.extend_from_slice(&other.variables);
    }
}

/// A constraint part by part, without what is true.
fn conjuncts(
    constraint: Term,
    shapes: &mut Shapes,
    of: fn(&mut Shapes, &Term) -> Arc<Shape>,
) -> Vec<(Term, Arc<Shape>)> {
    let (mut open, mut parts) = (vec![constraint], Vec::new());
    while let Some(part) = open.pop() {
        if part.op() == Op::And {
            open.extend([part.arg(1).clone(), part.arg(0).clone()]);
        } else if !part.is_true() {
            let shape = of(shapes, &part);
            match &shape.plainer {
                Some(plainer) => open.push(plainer.clone()),
                None => parts.push((part, shape)),
            }
        }
    }
    parts
}

/// Adds ties of variables that come `shift` places later here; false if there are too many.
pub fn absorb_ties(ties: &mut Vec<Tie>, more: &[Tie], shift: usize) -> bool {
    let moved = |place: u16| u16::try_from(usize::from(place) + shift).ok();
    more.iter().all(|tie| match (moved(tie.first), moved(tie.second)) {
        (Some(first), Some(second)) => {
            ties.push(Tie { first, second, table: tie.table.clone() });
            true
        }
        (None, _) | (_, None) => false,
    })
}

impl Known {
    /// The knowledge that belongs to a path, if its solver kept any.
    pub fn of(path: &Path) -> Option<&Known> {
        path.knowledge()?.as_any().downcast_ref()
    }

    /// Does this array have constraints that read it at any index?
    fn is_whole(&self, input: u32) -> bool {
        self.whole.contains(&input)
    }

    /// The cell that stands for `cell` here.
    fn place(&self, cell: Cell) -> Cell {
        if self.whole.is_empty() || !self.is_whole(cell.input()) { cell } else { Cell(cell.0 | u64::from(u32::MAX)) }
    }

    /// The group of a variable; for one of several bytes that of the lowest.
    pub fn group(&self, read: &Term) -> Option<&Arc<Group>> {
        self.group_at(cells(read).next()?)
    }

    /// The group of a cell.
    pub fn group_at(&self, cell: Cell) -> Option<&Arc<Group>> {
        let cell = self.place(cell);
        match self.owner.get(cell.0)? {
            Owner::Alone(group) => Some(group),
            Owner::Shared(number) => self.groups.get(u64::from(*number)),
        }
    }

    /// Where the groups are that share an input with a term of this support, each once.
    fn touched(&self, support: &Support) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        let mut add = |cell: Cell, owner: &Owner| {
            let place = match owner {
                Owner::Alone(_) => Place::Cell(cell),
                Owner::Shared(number) => Place::Number(*number),
            };
            if !places.contains(&place) {
                places.push(place);
            }
        };
        let reads = support.reads.iter().flat_map(cells).map(|cell| self.place(cell));
        for cell in reads.chain(support.whole.iter().map(Cell::whole)) {
            if let Some(owner) = self.owner.get(cell.0) {
                add(cell, owner);
            }
        }
        for array in support.whole.iter().filter(|array| !self.is_whole(array.id())) {
            for (cell, owner) in self.owner.iter().filter(|(cell, _)| Cell(*cell).input() == array.id()) {
                add(Cell(cell), owner);
            }
        }
        places
    }

    /// The groups that share an input with a term of this support.
    pub fn groups(&self, support: &Support) -> Vec<Arc<Group>> {
        self.touched(support).into_iter().map(|place| self.at(place).clone()).collect()
    }

    /// Does a constraint mention an input of this support?
    pub fn touches(&self, support: &Support) -> bool {
        let owned = |cell: Cell| self.owner.get(self.place(cell).0).is_some();
        support.reads.iter().flat_map(cells).any(owned) || !self.touched(support).is_empty()
    }

    fn at(&self, place: Place) -> &Arc<Group> {
        let found = match place {
            Place::Number(number) => self.groups.get(u64::from(number)),
            Place::Cell(cell) => match self.owner.get(cell.0) {
                Some(Owner::Alone(group)) => Some(group),
                Some(Owner::Shared(_)) | None => None,
            },
        };
        found.expect("a place was found a moment ago")
    }

    /// Adds a constraint.
    pub fn add(&mut self, constraint: &Term, shapes: &mut Shapes) {
        for (part, shape) in conjuncts(constraint.clone(), shapes, Shapes::of) {
            self.tie(&part, &shape, shapes);
        }
    }

    fn tie(&mut self, constraint: &Term, shape: &Arc<Shape>, shapes: &mut Shapes) {
        let kept = shapes.below();
        let places = self.touched(&shape.support);
        let joined: Vec<Arc<Group>> = if kept.boxes || kept.points {
            places.iter().map(|place| self.at(*place).clone()).collect()
        } else {
            Vec::new()
        };
        if !shape.support.whole.is_empty() {
            let whole = Arc::make_mut(&mut self.whole);
            whole.extend(shape.support.whole.iter().map(Term::id));
            whole.sort_unstable();
            whole.dedup();
        }
        // The largest group keeps the beginning of its path, by which the core knows it: others are added to it.
        let largest = places.iter().copied().max_by_key(|place| self.at(*place).path.len());
        let mut group = largest.map_or_else(Group::default, |place| (**self.at(place)).clone());
        // How many of the group's cells say already where it is.
        let settled = if let Some(Place::Number(_)) = largest { group.cells.len() } else { 0 };
        for other in places.into_iter().filter(|other| Some(*other) != largest) {
            group.absorb(&self.at(other).clone());
            if let Place::Number(number) = other {
                self.groups.remove(u64::from(number));
            }
        }
        let taken = group.cells.len();
        let reads = shape.support.reads.iter().flat_map(cells).map(|cell| self.place(cell));
        for cell in reads.chain(shape.support.whole.iter().map(Cell::whole)) {
            if self.owner.get(cell.0).is_none() && !group.cells[taken..].contains(&cell) {
                group.cells.push(cell);
            }
        }
        group.path.push(constraint.clone());
        if constraint.has_clause() {
            group.clauses += 1;
            group.hide(Missing::ALL);
        } else {
            group.learn(constraint, shape, shapes);
        }
        // The set of an exact group is its box, and has its solutions; where the order says all, nobody else is asked.
        let said = group.has_clauses() || group.free() || kept.orders && group.ordered();
        group.below = if kept.boxes && !said { Below::after(&joined, constraint) } else { Below::default() };
        group.points = if kept.points && !said { Points::after(&joined, constraint) } else { Points::default() };
        self.enter(group, largest, settled);
    }

    /// Puts a group in its place; cells from `settled` on do not lead there yet.
    fn enter(&mut self, group: Group, place: Option<Place>, settled: usize) {
        if let [cell] = group.cells.as_slice() {
            let cell = *cell;
            self.owner.set(cell.0, Owner::Alone(Arc::new(group)));
            return;
        }
        let number = if let Some(Place::Number(number)) = place {
            number
        } else {
            self.next += 1;
            self.next
        };
        for cell in &group.cells[settled..] {
            self.owner.set(cell.0, Owner::Shared(number));
        }
        self.groups.set(u64::from(number), Arc::new(group));
    }
}

/// `witness` with the values that `found`, a model of the groups that a support touches and of a condition over it, gives to all their inputs.
pub fn completed(witness: &Model, found: &Model, support: &Support, groups: &[Arc<Group>]) -> Model {
    let mut model = witness.clone();
    let mentioned = support.reads.iter().flat_map(cells).chain(support.whole.iter().map(Cell::whole));
    for cell in groups.iter().flat_map(|group| group.cells.iter().copied()).chain(mentioned) {
        model.take(found, cell.input(), cell.index());
    }
    model
}

impl Knowledge for Known {
    fn value(&self, term: &Term) -> Option<Bits> {
        let value = self.group(term)?.variable(term)?.set.single()?;
        Some(Bits::new(term.width(), value))
    }

    fn parts(&self) -> Vec<Path> {
        let alone = self.owner.iter().filter_map(|(_, owner)| match owner {
            Owner::Alone(group) => Some(group),
            Owner::Shared(_) => None,
        });
        alone.chain(self.groups.iter().map(|(_, group)| group)).map(|group| group.path.clone()).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
