//! Constraints laid out for sets: forward over a box, backward to its variables, and one variable changed at a time.
//!
//! Every transfer aims above. So a constraint whose set is {1} holds on all of the box, whatever occurs twice; that is the only test of a box there is, and what
//! makes boxes sound however they were chosen. Values that the plan does not know (a read at any index) are full.
//!
//! Growing a box asks for the same constraints again and again with one variable changed: nodes know which variables they depend on, and only those
//! are computed again, until one constraint fails; then all is put back.

use crate::knowledge::is_variable;
use crate::tables::Elements;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use strata_domain::{Aim, Apply, Domain, StridedSet};
use strata_term::{Op, Term, fold_narrow};

/// Variables of a plan, at most: they are bits of a word.
pub const VARIABLES: usize = 64;
/// Nodes of a plan, at most.
const NODES: usize = 512;
/// Nodes computed to find a point where tables are read, at most: each index of a table is one.
const TABLES: usize = 4000;

struct Node {
    apply: Apply,
    args: [u16; 3],
    arity: u8,
    /// Is it a constraint?
    root: bool,
    /// The variables that it depends on.
    mentions: u64,
    /// The read of a constant table that it is; its argument is the index.
    read: Option<Term>,
}

/// Members of sets that are combined in the time of a node.
const AT_ONCE: usize = 4;

/// What a transfer over these sets costs, in nodes: each member of one meets each of the others.
fn cost(operands: &[&StridedSet]) -> usize {
    1 + operands.iter().map(|set| set.members().len()).product::<usize>() / AT_ONCE
}

/// Constraints laid out, arguments first.
pub struct Plan {
    nodes: Vec<Node>,
    /// The variables and their nodes.
    reads: Vec<(Term, u16)>,
    roots: Vec<u16>,
    sets: Vec<StridedSet>,
    /// Is there a value that it does not know?
    unknown: bool,
    /// Nodes computed so far, and how many of them may be before tables are no longer looked at: what they hold is anything then.
    pub spent: usize,
    pub most: usize,
}

impl Plan {
    /// `None` if there is too much of them, or something wider than 64 bits.
    pub fn new(constraints: &[Term]) -> Option<Plan> {
        let mut plan = Plan {
            nodes: Vec::new(),
            reads: Vec::new(),
            roots: Vec::new(),
            sets: Vec::new(),
            unknown: false,
            spent: 0,
            most: usize::MAX,
        };
        let mut places: FxHashMap<u32, u16> = FxHashMap::default();
        for constraint in constraints {
            let root = plan.enter(constraint, &mut places)?;
            plan.nodes[usize::from(root)].root = true;
            plan.roots.push(root);
        }
        Some(plan)
    }

    fn enter<'a>(&mut self, constraint: &'a Term, places: &mut FxHashMap<u32, u16>) -> Option<u16> {
        let mut stack: Vec<&'a Term> = vec![constraint];
        while let Some(&term) = stack.last() {
            if places.contains_key(&term.id()) {
                stack.pop();
                continue;
            }
            if self.nodes.len() >= NODES || term.width() > 64 {
                return None;
            }
            let before = stack.len();
            stack.extend(operands(term).iter().filter(|arg| !places.contains_key(&arg.id())));
            if stack.len() == before {
                stack.pop();
                let place = self.nodes.len() as u16;
                self.add(term, places)?;
                places.insert(term.id(), place);
            }
        }
        places.get(&constraint.id()).copied()
    }

    fn add(&mut self, term: &Term, places: &FxHashMap<u32, u16>) -> Option<()> {
        let low = if term.op() == Op::Extract { term.low() } else { 0 };
        let apply = Apply { op: term.op(), width: term.width(), low };
        let read = Elements::of(term).is_some().then(|| term.clone());
        let mut node = Node { apply, args: [0; 3], arity: 0, root: false, mentions: 0, read };
        let mut set = StridedSet::full(term.width());
        let operands = operands(term);
        if operands.is_empty() {
            if let Some(value) = term.const_u64() {
                set = StridedSet::constant(term.width(), value);
            } else if is_variable(term) {
                if self.reads.len() == VARIABLES {
                    return None;
                }
                node.mentions = 1 << self.reads.len();
                self.reads.push((term.clone(), self.nodes.len() as u16));
            } else {
                self.unknown = true;
            }
        } else {
            node.arity = operands.len() as u8;
            for (slot, arg) in node.args.iter_mut().zip(operands) {
                *slot = places[&arg.id()];
                node.mentions |= self.nodes[usize::from(*slot)].mentions;
            }
        }
        self.nodes.push(node);
        self.sets.push(set);
        Some(())
    }

    /// The variables, in the order in which sets are given for them.
    pub fn reads(&self) -> impl ExactSizeIterator<Item = &Term> {
        self.reads.iter().map(|(read, _)| read)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The values of the only constraint for so many values of each variable. `None` if there is a variable without values, or something that the plan does not know.
    pub fn values<'a>(&self, rows: usize, column: impl Fn(&Term) -> Option<&'a [u64]>) -> Option<Vec<u64>> {
        if self.unknown {
            return None;
        }
        let mut columns: Vec<Cow<'a, [u64]>> =
            self.sets.iter().map(|set| vec![set.single().unwrap_or(0)].into()).collect();
        for (read, place) in &self.reads {
            columns[usize::from(*place)] = column(read)?.into();
        }
        for (place, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.arity > 0) {
            let Apply { op, width, low } = node.apply;
            let from = self.nodes[usize::from(node.args[0])].apply.width;
            let operands = node.args.map(|arg| &columns[usize::from(arg)]);
            // A constant has one row.
            let rows = operands[..usize::from(node.arity)].iter().map(|column| column.len()).max()?;
            let at = |operand: &[u64], row: usize| operand[row.min(operand.len() - 1)];
            let elements = node.read.as_ref().and_then(Elements::of);
            let value = |row| match &elements {
                Some(elements) => elements.at(at(operands[0], row)),
                None => {
                    fold_narrow(op, width, low, from, at(operands[0], row), at(operands[1], row), at(operands[2], row))
                }
            };
            columns[place] = (0..rows).map(value).collect();
        }
        let root = columns.swap_remove(usize::from(*self.roots.first()?));
        Some(if root.len() == rows { root.into_owned() } else { vec![root[0]; rows] })
    }

    /// Do all constraints hold on all of the box?
    pub fn holds(&self) -> bool {
        self.roots.iter().all(|root| self.sets[usize::from(*root)].single() == Some(1))
    }

    /// May all constraints hold, each by itself?
    fn may_hold(&self) -> bool {
        self.roots.iter().all(|root| self.sets[usize::from(*root)].contains(1))
    }

    /// The set of the operand of a root, or of any other node, by its term's place.
    pub fn set(&self, place: u16) -> &StridedSet {
        &self.sets[usize::from(place)]
    }

    /// The places of the arguments of the first constraint, below a negation if there is one.
    pub fn sides(&self) -> Option<[u16; 2]> {
        let mut node = &self.nodes[usize::from(*self.roots.first()?)];
        if node.apply.op == Op::Not {
            node = &self.nodes[usize::from(node.args[0])];
        }
        (node.arity == 2).then_some([node.args[0], node.args[1]])
    }

    fn operands(&self, node: &Node) -> [&StridedSet; 3] {
        node.args.map(|arg| &self.sets[usize::from(arg)])
    }

    fn transfer(&mut self, place: usize) -> StridedSet {
        let node = &self.nodes[place];
        let operands = &self.operands(node)[..usize::from(node.arity)];
        let (image, cost) = match node.read.as_ref().and_then(Elements::of) {
            Some(elements) => {
                let cost = elements.cost(operands[0]);
                if self.spent + cost > self.most { (None, 1) } else { (elements.forward(operands[0]), cost) }
            }
            None => (StridedSet::forward(&node.apply, operands, Aim::Above), cost(operands)),
        };
        let set = image.map_or_else(|| StridedSet::full(node.apply.width), |image| image.set);
        self.spent += cost;
        set
    }

    /// Takes a set for each variable and computes everything.
    pub fn run(&mut self, sets: &[StridedSet]) {
        for ((_, place), set) in self.reads.iter().zip(sets) {
            self.sets[usize::from(*place)] = set.clone();
        }
        for place in 0..self.nodes.len() {
            if self.nodes[place].arity > 0 {
                self.sets[place] = self.transfer(place);
            }
        }
    }

    /// Takes another set for one variable if all constraints hold with it; else nothing changes.
    pub fn accepts(&mut self, variable: usize, set: StridedSet) -> bool {
        let first = usize::from(self.reads[variable].1);
        let mut undo: Vec<(usize, StridedSet)> = vec![(first, std::mem::replace(&mut self.sets[first], set))];
        let mut fine = !self.nodes[first].root || self.sets[first].single() == Some(1);
        for place in first + 1..self.nodes.len() {
            if !fine {
                break;
            }
            if self.nodes[place].arity == 0 || self.nodes[place].mentions >> variable & 1 == 0 {
                continue;
            }
            let set = self.transfer(place);
            fine = !self.nodes[place].root || set.single() == Some(1);
            undo.push((place, std::mem::replace(&mut self.sets[place], set)));
        }
        if !fine {
            undo.into_iter().for_each(|(place, set)| self.sets[place] = set);
        }
        fine
    }

    /// For each variable the values that it has in some point of the box at which the constraints hold, or more. `None` if there is no such point.
    pub fn back(&mut self) -> Option<Vec<StridedSet>> {
        let mut cost = self.nodes.len();
        let found = if self.may_hold() { self.carried(&mut cost) } else { None };
        self.spent += cost;
        found
    }

    fn carried(&self, cost: &mut usize) -> Option<Vec<StridedSet>> {
        let mut wanted = self.sets.clone();
        for root in &self.roots {
            wanted[usize::from(*root)] = StridedSet::constant(1, 1);
        }
        for (place, node) in self.nodes.iter().enumerate().rev() {
            if wanted[place].is_empty() {
                return None;
            }
            if node.mentions == 0 || wanted[place] == self.sets[place] {
                continue;
            }
            let operands = self.operands(node);
            for position in 0..usize::from(node.arity) {
                let arg = usize::from(node.args[position]);
                if self.nodes[arg].mentions == 0 {
                    continue;
                }
                let operands = &operands[..usize::from(node.arity)];
                let found = match node.read.as_ref().and_then(Elements::of) {
                    Some(elements) => {
                        *cost += elements.cost(operands[0]);
                        elements.backward(&wanted[place], operands[0])
                    }
                    None => {
                        *cost += self::cost(operands);
                        StridedSet::backward(&node.apply, &wanted[place], position, operands, Aim::Above)
                    }
                };
                if let Some(found) = found {
                    wanted[arg] = wanted[arg].meet(&found.set, Aim::Above).set;
                }
            }
        }
        Some(self.reads.iter().map(|(_, place)| wanted[usize::from(*place)].clone()).collect())
    }

    /// A point of the box `within` at which all constraints seem to hold, by fixing one variable after the other in what the constraints leave of it. It
    /// holds for sure if every transfer was exact; the caller evaluates it. `near` is taken where a variable is free. Where tables are read it is given up beyond so many nodes.
    pub fn point(&mut self, within: &[StridedSet], near: &[u64]) -> Option<Vec<u64>> {
        let mut sets = within.to_vec();
        let tables = self.nodes.iter().any(|node| node.read.is_some());
        let most = if tables { self.most.min(self.spent + TABLES) } else { usize::MAX };
        for variable in 0..sets.len() {
            if self.spent > most {
                return None;
            }
            self.run(&sets);
            if self.holds() {
                break;
            }
            let left = self.back()?;
            // What is left is above, and may be more than the box.
            let inside = sets[variable].meet(&left[variable], Aim::Below).set;
            let value = pick(&inside, near[variable])?;
            sets[variable] = StridedSet::constant(sets[variable].width(), value);
        }
        self.run(&sets);
        if !self.may_hold() {
            return None;
        }
        let values =
            sets.iter().zip(near).map(|(set, near)| if set.contains(*near) { Some(*near) } else { pick(set, *near) });
        values.collect()
    }
}

/// The arguments that have values: of a read of a table its index, of any other read none.
fn operands(term: &Term) -> &[Term] {
    if Elements::of(term).is_some() {
        return &term.args()[1..];
    }
    let leaf = matches!(term.op(), Op::Read | Op::Symbol | Op::Const) || term.args().iter().any(Term::is_array);
    if leaf { &[] } else { term.args() }
}

/// The middle of the longest member: a box that is grown from there has room on both sides. Of all values, the one that is given.
pub fn pick(set: &StridedSet, near: u64) -> Option<u64> {
    if set.is_full() {
        return Some(near);
    }
    let width = set.width();
    let steps = |m: &strata_domain::Strided| {
        (m.hi.wrapping_sub(m.lo) & strata_term::mask(width)).checked_div(m.stride).unwrap_or(0)
    };
    let longest = set.members().iter().max_by_key(|member| steps(member))?;
    Some(longest.lo.wrapping_add(steps(longest) / 2 * longest.stride) & strata_term::mask(width))
}
