//! Comparisons between variables, decided on the graph of what is known of their order.
//!
//! Infeasible by the graph and the sets of the variables: both are above, whatever else the constraints say. Feasible only where graph and sets say all that the
//! constraints of the groups say (`Group::ordered`): then the solution found satisfies them, and no other constraint mentions these variables.
//! A condition over one variable of such a group is decided here, too: it narrows that variable's set.

use super::{Layer, Question};
use crate::knowledge::{Found, Group, Order, Set, Shapes, Truth, assign, cells, key, relate};
use std::borrow::Cow;
use std::sync::Arc;
use strata_query::Answer;
use strata_term::Term;

pub struct Orders;

impl Layer for Orders {
    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        if matches!(question.shape.truth, Truth::Other) {
            return None;
        }
        let groups = question.known.groups(&question.shape.support);
        let mut puzzle = Puzzle::of(&groups)?;
        let said = match &question.shape.truth {
            Truth::One { read, set, exact } => {
                let place = puzzle.place(read)?;
                puzzle.narrow(place, set) && *exact
            }
            Truth::Compared { left, right, relation } => {
                let (a, b) = (puzzle.place(&left.read)?, puzzle.place(&right.read)?);
                let sides = [(a, left.plus), (b, right.plus)].map(|(at, plus)| (at, &*puzzle.sets[at], plus));
                relate(&mut puzzle.order, sides, *relation)
            }
            Truth::Other => return None,
        };
        match puzzle.order.least(&puzzle.sets) {
            Found::Infeasible => Some(Answer::Unsat),
            Found::Keys(keys) if said && puzzle.exact => {
                let mut model = question.witness.clone();
                puzzle.values(&keys).for_each(|(read, value)| assign(&mut model, read, value));
                Some(Answer::Sat(model))
            }
            Found::Keys(_) | Found::GaveUp => None,
        }
    }
}

/// The variables of some groups, and what is asked of them.
struct Puzzle<'a> {
    reads: Vec<&'a Term>,
    sets: Vec<Cow<'a, Set>>,
    order: Order,
    /// Do sets and order say all?
    exact: bool,
}

impl<'a> Puzzle<'a> {
    fn of(groups: &'a [Arc<Group>]) -> Option<Puzzle<'a>> {
        let mut puzzle = Puzzle { reads: Vec::new(), sets: Vec::new(), order: Order::default(), exact: true };
        for group in groups {
            puzzle.exact &= group.ordered();
            if !puzzle.order.absorb(&group.order, puzzle.reads.len()) {
                return None;
            }
            puzzle.reads.extend(group.variables.iter().map(|variable| &variable.read));
            puzzle.sets.extend(group.variables.iter().map(|variable| Cow::Borrowed(&variable.set)));
        }
        Some(puzzle)
    }

    /// The place of a variable, entered if it is new; `None` if it overlaps another.
    fn place(&mut self, read: &'a Term) -> Option<usize> {
        if let Some(place) = self.reads.iter().position(|known| *known == read) {
            return Some(place);
        }
        let overlaps = |other: &&Term| cells(other).any(|cell| cells(read).any(|own| own == cell));
        if self.reads.iter().any(overlaps) {
            return None;
        }
        self.reads.push(read);
        self.sets.push(Cow::Owned(Set::full(read.width())));
        Some(self.reads.len() - 1)
    }

    fn narrow(&mut self, place: usize, set: &Set) -> bool {
        let met = self.sets[place].meet(set);
        let exact = met.is_exact();
        self.sets[place] = Cow::Owned(met.set);
        exact
    }

    fn values(&self, keys: &[u64]) -> impl Iterator<Item = (&Term, u64)> {
        let signed = self.order.signed.unwrap_or(false);
        self.reads.iter().zip(keys).map(move |(read, at)| (*read, key(*at, read.width(), signed)))
    }
}
