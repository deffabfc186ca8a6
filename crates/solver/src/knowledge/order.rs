//! Comparisons between variables as a graph, and its least solution.
//!
//! An edge says that one variable is at least another and a distance, which may be negative: `x < y` is a distance of one, `x + 3 <= y` one of three, an
//! equality an edge each way. A pair may be kept apart. All comparisons of a graph have one signedness. Values are taken in that order from
//! zero on (`key`), so that the rest need not know of signs; sums with a constant come in only where they cannot wrap (`Side`).
//!
//! Why the least solution: edges are monotone (the right side must be at least what the left side asks), so raising each variable to
//! the least value of its set that its edges allow, from the least of each set on, passes no solution by. A variable that would have to rise beyond its set
//! proves that there is none, holes in sets included. Variables that push each other up for ever do so around a cycle of positive length, which a
//! count of rounds finds on the graph alone.
//!
//! Pairs that are apart are harder, and come in three steps. Variables on a cycle of length zero have fixed distances: a pair that such a distance makes
//! equal proves that there is no solution. Else the later one of an equal pair is raised, which ends soon in a solution where values are
//! plenty. Else both orders of a pair are tried, under a budget; only both sides infeasible prove anything.

use strata_term::mask;

/// A set of values in one order.
pub trait Keys {
    /// The least key in the set that is at least `key`.
    fn at_least(&self, key: u64, signed: bool) -> Option<u64>;
}

/// The place of a value in an order: zero for the least.
pub fn key(value: u64, width: u32, signed: bool) -> u64 {
    if signed { (value ^ 1 << (width - 1)) & mask(width) } else { value }
}

/// The key of `to` is at least that of `from` and the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: u16,
    pub to: u16,
    pub distance: i64,
}

/// The key of `to` is not that of `from` and the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apart {
    pub from: u16,
    pub to: u16,
    pub distance: i64,
}

/// What is known of the order of a group's variables.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Of all comparisons; unknown as long as there are equalities only.
    pub signed: Option<bool>,
    pub edges: Vec<Edge>,
    /// Pairs with different values.
    pub apart: Vec<Apart>,
}

/// Distances beyond this are left to others: sums of them stay far from the end of what is computed with.
pub const FARTHEST: i64 = 1 << 62;
/// Variables beyond this are left to others.
const VARIABLES: usize = 4096;
/// Edges up to which a new one is looked for among what they imply.
const SEARCHED: usize = 128;
/// Variables of pairs that are apart, raised one after the other, at most.
const RAISED: u32 = 256;
/// Splits of pairs that are apart, at most.
const SPLITS: u32 = 64;
/// Rounds beyond the number of variables, for sets with holes.
const ROUNDS: usize = 32;

/// What a search found.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A key for each variable.
    Keys(Vec<u64>),
    Infeasible,
    GaveUp,
}

impl Order {
    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty() && self.apart.is_empty()
    }

    /// Adds what another graph says, whose variables come `shift` places later here. False if the signs do not agree.
    pub fn absorb(&mut self, other: &Order, shift: usize) -> bool {
        if !self.agree(other.signed) || shift + VARIABLES > usize::from(u16::MAX) {
            return false;
        }
        let shift = shift as u16;
        let moved = |edge: &Edge| Edge { from: edge.from + shift, to: edge.to + shift, ..*edge };
        self.edges.extend(other.edges.iter().map(moved));
        let moved = |pair: &Apart| Apart { from: pair.from + shift, to: pair.to + shift, ..*pair };
        self.apart.extend(other.apart.iter().map(moved));
        true
    }

    /// Takes comparisons of this signedness; false if there are others.
    pub fn agree(&mut self, signed: Option<bool>) -> bool {
        match (self.signed, signed) {
            (_, None) => true,
            (None, Some(_)) => {
                self.signed = signed;
                true
            }
            (Some(mine), Some(other)) => mine == other,
        }
    }

    /// Adds an edge unless the graph implies it. A large graph is not searched: one edge more costs less.
    pub fn add(&mut self, edge: Edge) {
        if self.edges.len() > SEARCHED || !self.implies(edge) {
            self.edges.push(edge);
        }
    }

    /// Is there a way from one variable to the other that is as long?
    fn implies(&self, edge: Edge) -> bool {
        // The longest way to each variable that was found so far.
        let mut reached: Vec<(u16, i128)> = vec![(edge.from, 0)];
        // A way passes each edge once; one that gets longer beyond runs around a cycle, and the graph is about to be found infeasible.
        for _ in 0..=self.edges.len() {
            if reached.iter().any(|(at, length)| *at == edge.to && *length >= i128::from(edge.distance)) {
                return true;
            }
            let mut changed = false;
            for step in &self.edges {
                let Some((_, length)) = reached.iter().find(|(at, _)| *at == step.from) else { continue };
                let length = length + i128::from(step.distance);
                match reached.iter_mut().find(|(at, _)| *at == step.to) {
                    Some((_, known)) if *known >= length => continue,
                    Some((_, known)) => *known = length,
                    None => reached.push((step.to, length)),
                }
                changed = true;
            }
            if !changed {
                return false;
            }
        }
        false
    }

    /// The least keys within `sets`, one for each variable, that respect the graph. Least but for pairs that are apart.
    pub fn least<K: Keys>(&self, sets: &[K]) -> Found {
        if sets.len() > VARIABLES {
            return Found::GaveUp;
        }
        let signed = self.signed.unwrap_or(false);
        let Some(first) = sets.iter().map(|set| set.at_least(0, signed)).collect() else { return Found::Infeasible };
        let found = rise(sets, &self.edges, signed, first);
        let Found::Keys(keys) = found else { return found };
        if self.apart.is_empty() || self.apart.iter().all(|pair| !is_equal(&keys, pair)) {
            return Found::Keys(keys);
        }
        if self.is_rigid(sets.len()) {
            return Found::Infeasible;
        }
        if let Some(keys) = self.raise(sets, keys.clone()) {
            return Found::Keys(keys);
        }
        let mut splits = SPLITS;
        self.split(sets, &mut self.edges.clone(), keys, &mut splits)
    }

    /// Is a pair that is apart made equal by distances that are fixed?
    ///
    /// Heights respect all edges, so a cycle of length zero has only edges that are tight (as long as the heights differ), and two variables on
    /// one cycle of tight edges differ in every solution as their heights do.
    fn is_rigid(&self, variables: usize) -> bool {
        let Some(heights) = heights(variables, &self.edges) else { return true };
        let height = |at: u16| heights[usize::from(at)];
        let tight: Vec<(u16, u16)> = self
            .edges
            .iter()
            .filter(|edge| height(edge.to) - height(edge.from) == i128::from(edge.distance))
            .map(|edge| (edge.from, edge.to))
            .collect();
        let leads = |from: u16, to: u16| {
            let mut reached = vec![from];
            let mut next = 0;
            while let Some(at) = reached.get(next).copied() {
                next += 1;
                for (_, step) in tight.iter().filter(|(start, _)| *start == at) {
                    if !reached.contains(step) {
                        reached.push(*step);
                    }
                }
            }
            reached.contains(&to)
        };
        self.apart.iter().any(|pair| {
            height(pair.to) - height(pair.from) == i128::from(pair.distance)
                && leads(pair.from, pair.to)
                && leads(pair.to, pair.from)
        })
    }

    /// Raises the later variable of each equal pair until there is none, or a set is at its end. A variable apart from itself ends there, too.
    fn raise<K: Keys>(&self, sets: &[K], mut keys: Vec<u64>) -> Option<Vec<u64>> {
        let signed = self.signed.unwrap_or(false);
        for _ in 0..RAISED {
            let Some(pair) = self.apart.iter().find(|pair| is_equal(&keys, pair)) else { return Some(keys) };
            let later = pair.from.max(pair.to);
            let own: Vec<&Apart> = self.apart.iter().filter(|pair| pair.from == later || pair.to == later).collect();
            let at = usize::from(later);
            while own.iter().any(|pair| is_equal(&keys, pair)) {
                keys[at] = sets[at].at_least(keys[at].checked_add(1)?, signed)?;
            }
            let Found::Keys(risen) = rise(sets, &self.edges, signed, keys) else { return None };
            keys = risen;
        }
        None
    }

    /// Tries both orders of each pair that `keys`, the least solution of the edges, makes equal.
    fn split<K: Keys>(&self, sets: &[K], edges: &mut Vec<Edge>, keys: Vec<u64>, splits: &mut u32) -> Found {
        let Some(pair) = self.apart.iter().find(|pair| is_equal(&keys, pair)).copied() else {
            return Found::Keys(keys);
        };
        let Some(left) = splits.checked_sub(1) else { return Found::GaveUp };
        *splits = left;
        let signed = self.signed.unwrap_or(false);
        let mut result = Found::Infeasible;
        let above = Edge { from: pair.from, to: pair.to, distance: pair.distance + 1 };
        let below = Edge { from: pair.to, to: pair.from, distance: 1 - pair.distance };
        for edge in [above, below] {
            edges.push(edge);
            let side = match rise(sets, edges, signed, keys.clone()) {
                Found::Keys(keys) => self.split(sets, edges, keys, splits),
                other => other,
            };
            edges.pop();
            match side {
                Found::Keys(_) => return side,
                Found::GaveUp => result = Found::GaveUp,
                Found::Infeasible => {}
            }
        }
        result
    }
}

fn is_equal(keys: &[u64], pair: &Apart) -> bool {
    let key = |at: u16| i128::from(keys[usize::from(at)]);
    key(pair.from) + i128::from(pair.distance) == key(pair.to)
}

/// The least solution of the edges alone that is nowhere below `keys`.
fn rise<K: Keys>(sets: &[K], edges: &[Edge], signed: bool, mut keys: Vec<u64>) -> Found {
    for round in 0..sets.len() + ROUNDS {
        if round == sets.len() && heights(sets.len(), edges).is_none() {
            return Found::Infeasible;
        }
        let mut changed = false;
        for edge in edges {
            let wanted = i128::from(keys[usize::from(edge.from)]) + i128::from(edge.distance);
            let to = usize::from(edge.to);
            if i128::from(keys[to]) < wanted {
                let key = u64::try_from(wanted).ok().and_then(|wanted| sets[to].at_least(wanted, signed));
                let Some(key) = key else { return Found::Infeasible };
                keys[to] = key;
                changed = true;
            }
        }
        if !changed {
            return Found::Keys(keys);
        }
    }
    Found::GaveUp
}

/// The longest way to each variable, or none where a cycle of positive length makes it endless: integers cannot respect that, whatever their sets.
fn heights(variables: usize, edges: &[Edge]) -> Option<Vec<i128>> {
    let mut heights = vec![0i128; variables];
    // Without such a cycle no longest way passes a variable twice, and all are found in as many rounds.
    for _ in 0..=variables {
        let mut changed = false;
        for edge in edges {
            let wanted = heights[usize::from(edge.from)] + i128::from(edge.distance);
            if heights[usize::from(edge.to)] < wanted {
                heights[usize::from(edge.to)] = wanted;
                changed = true;
            }
        }
        if !changed {
            return Some(heights);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_term::Random;

    /// A set of three-bit values.
    struct Small(u8);

    impl Keys for Small {
        fn at_least(&self, least: u64, signed: bool) -> Option<u64> {
            (least..8).find(|k| self.0 >> key(*k, 3, signed) & 1 == 1)
        }
    }

    fn holds(order: &Order, keys: &[u64]) -> bool {
        let k = |i: u16| keys[usize::from(i)] as i64;
        order.edges.iter().all(|e| k(e.to) >= k(e.from) + e.distance)
            && order.apart.iter().all(|pair| k(pair.to) != k(pair.from) + pair.distance)
    }

    /// Mostly plain comparisons, some with an offset.
    fn distance(random: &mut Random) -> i64 {
        if random.one_in(3) { random.below(9) as i64 - 4 } else { random.below(2) as i64 }
    }

    fn picked(random: &mut Random, count: usize) -> (u16, u16) {
        (random.below(count) as u16, random.below(count) as u16)
    }

    fn any_order(random: &mut Random, count: usize, signed: bool) -> Order {
        let mut order = Order { signed: Some(signed), ..Order::default() };
        for _ in 0..random.below(7) {
            let ((from, to), distance) = (picked(random, count), distance(random));
            let edge = Edge { from, to, distance };
            let implied = order.implies(edge);
            let before = order.clone();
            order.add(edge);
            assert!(implied || order.edges.last() == Some(&edge));
            if implied {
                // Nothing that respects the rest fails the edge.
                let every =
                    (0..8u64.pow(count as u32)).map(|n| (0..count as u32).map(|i| n / 8u64.pow(i) % 8).collect());
                let respects = |keys: &Vec<u64>| holds(&before, keys);
                let k = |keys: &Vec<u64>, i: u16| keys[usize::from(i)] as i64;
                assert!(
                    every.filter(respects).all(|keys| k(&keys, to) >= k(&keys, from) + distance),
                    "{before:?} {edge:?}"
                );
            }
        }
        for _ in 0..random.below(5) {
            let (from, to) = picked(random, count);
            let distance = if random.one_in(3) { random.below(5) as i64 - 2 } else { 0 };
            order.apart.push(Apart { from, to, distance });
        }
        order
    }

    #[test]
    fn against_all_values() {
        let mut random = Random(11);
        let (mut feasible, mut infeasible, mut gave_up) = (0, 0, 0);
        for _ in 0..20_000 {
            let count = 2 + random.below(3);
            let signed = random.one_in(2);
            let sets: Vec<Small> =
                (0..count).map(|_| Small(if random.one_in(3) { 0xff } else { random.number() as u8 })).collect();
            let order = any_order(&mut random, count, signed);
            let all: Vec<Vec<u64>> = (0..8u64.pow(count as u32))
                .map(|n| (0..count as u32).map(|i| n / 8u64.pow(i) % 8).collect::<Vec<u64>>())
                .filter(|keys: &Vec<u64>| {
                    keys.iter().zip(&sets).all(|(k, set)| set.at_least(*k, signed) == Some(*k)) && holds(&order, keys)
                })
                .collect();
            match order.least(&sets) {
                Found::Keys(keys) => {
                    assert!(all.contains(&keys), "{order:?}");
                    if order.apart.is_empty() {
                        assert!(all.iter().all(|other| keys.iter().zip(other).all(|(a, b)| a <= b)), "not the least");
                    }
                    feasible += 1;
                }
                Found::Infeasible => {
                    assert!(all.is_empty(), "{order:?} has {all:?}");
                    infeasible += 1;
                }
                Found::GaveUp => gave_up += 1,
            }
        }
        assert!(feasible > 4000 && infeasible > 4000 && gave_up < 100, "{feasible} {infeasible} {gave_up}");
    }

    /// Every value of 64 bits.
    struct All;

    impl Keys for All {
        fn at_least(&self, key: u64, _: bool) -> Option<u64> {
            Some(key)
        }
    }

    #[test]
    fn a_cycle_over_wide_values_ends() {
        let edge = |from, to, distance| Edge { from, to, distance };
        let order = Order { edges: vec![edge(0, 1, 0), edge(1, 2, 1), edge(2, 0, 0)], ..Order::default() };
        assert_eq!(order.least(&[All, All, All]), Found::Infeasible);
        let order = Order { edges: vec![edge(0, 1, 5), edge(1, 2, 0), edge(2, 0, -5)], ..Order::default() };
        assert_eq!(order.least(&[All, All, All]), Found::Keys(vec![0, 5, 5]));
        let order =
            Order { edges: vec![edge(0, 1, FARTHEST), edge(1, 2, FARTHEST), edge(2, 0, 0)], ..Order::default() };
        assert_eq!(order.least(&[All, All, All]), Found::Infeasible);
    }

    #[test]
    fn many_that_are_all_apart() {
        let apart = |from, to| Apart { from, to, distance: 0 };
        let pairs = (0..40u16).flat_map(|a| (0..a).map(move |b| apart(b, a)));
        let order = Order { apart: pairs.collect(), ..Order::default() };
        let all: Vec<All> = (0..40).map(|_| All).collect();
        assert_eq!(order.least(&all), Found::Keys((0..40).collect()));
        let pairs = (0..20u16).flat_map(|a| (0..a).map(move |b| apart(b, a)));
        let order = Order { apart: pairs.collect(), ..Order::default() };
        assert_eq!(order.least(&all[..20]), Found::Keys((0..20).collect()));
        // One equality that a chain of them forbids.
        let mut edges: Vec<Edge> = (0..19).map(|i| Edge { from: i, to: i + 1, distance: 0 }).collect();
        edges.push(Edge { from: 19, to: 0, distance: 0 });
        assert_eq!(Order { edges, ..order }.least(&all[..20]), Found::Infeasible);
    }
}
