//! Comparisons between variables, decided on the graph of what is known of their order.
//!
//! Infeasible by the graph and the sets of the variables: both are above, whatever else the constraints say. Feasible only where graph and sets say all that the
//! constraints of the groups say (`Group::ordered`): then the solution found satisfies them, and no other constraint mentions these variables.
//! A condition over one variable of such a group is decided here, too: it narrows that variable's set.

use super::puzzle::Puzzle;
use super::{Layer, Question};
use crate::knowledge::{Found, Group, Order, Shapes, Truth, key, relate};
use std::sync::Arc;
use strata_query::Answer;

pub struct Orders;

impl Layer for Orders {
    fn ask(&mut self, question: &mut Question<'_>, _: &mut Shapes) -> Option<Answer> {
        if matches!(question.shape.truth, Truth::Two { .. } | Truth::Other) {
            return None;
        }
        // Without an order only sets are left, which `bytes` and `intervals` were asked about.
        let is_unordered = |group: &Arc<Group>| group.bonds().order.is_empty() && !group.ordered();
        if let Truth::One { read, .. } = &question.shape.truth
            && read.width() == 8
            && question.known.group(read).is_some_and(is_unordered)
        {
            return None;
        }
        let groups = question.groups();
        let unordered =
            groups.iter().all(|group| group.bonds().order.is_empty()) && !groups.iter().all(|group| group.ordered());
        if unordered && matches!(question.shape.truth, Truth::One { .. }) {
            return None;
        }
        let mut puzzle = Puzzle::of(&groups);
        let mut order = Order::default();
        if !puzzle.groups.iter().all(|(group, start)| order.absorb(&group.bonds().order, *start)) {
            return None;
        }
        let said = match &question.shape.truth {
            Truth::One { read, set, exact } => {
                let place = puzzle.place(read)?;
                puzzle.narrow(place, set) && *exact
            }
            Truth::Compared { left, right, relation } => {
                let (a, b) = (puzzle.place(&left.read)?, puzzle.place(&right.read)?);
                let sides = [(a, left.plus), (b, right.plus)].map(|(at, plus)| (at, &*puzzle.sets[at], plus));
                relate(&mut order, sides, *relation)
            }
            Truth::Two { .. } | Truth::Other => return None,
        };
        match order.least(&puzzle.sets) {
            Found::Infeasible => Some(Answer::Unsat),
            Found::Keys(keys) if said && groups.iter().all(|group| group.ordered()) => {
                let signed = order.signed.unwrap_or(false);
                let values = keys.iter().zip(&puzzle.reads).map(|(at, read)| key(*at, read.width(), signed));
                Some(puzzle.solved(question, values))
            }
            Found::Keys(_) | Found::GaveUp => None,
        }
    }
}
