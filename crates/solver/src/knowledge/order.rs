//! Comparisons between variables as a graph, and its least solution.
//!
//! An edge says that one variable is below another, strictly or not; an equality is an edge each way; a pair may be kept apart. All comparisons of a graph have
//! one signedness. Values are taken in that order from zero on (`key`), so that the rest need not know of signs.
//!
//! Why the least solution: edges are monotone (the right side must be at least what the left side asks), so raising each variable to
//! the least value of its set that its edges allow, from the least of each set on, passes no solution by. A variable that would have to rise beyond its set
//! proves that there is none, holes in sets included. Variables that push each other up for ever do so around a cycle with a strict edge, which a
//! count of rounds finds on the graph alone. Pairs that are apart split into both orders, under a budget; only both sides infeasible prove anything.

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

/// `from` is below `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: u16,
    pub to: u16,
    pub strict: bool,
}

/// What is known of the order of a group's variables.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Of all comparisons; unknown as long as there are equalities only.
    pub signed: Option<bool>,
    pub edges: Vec<Edge>,
    /// Pairs with different values.
    pub apart: Vec<(u16, u16)>,
}

/// Variables beyond this are left to others.
const VARIABLES: usize = 4096;
/// Edges up to which a new one is looked for among what they imply.
const SEARCHED: usize = 128;
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
    /// Adds what another graph says, whose variables come `shift` places later here. False if the signs do not agree.
    pub fn absorb(&mut self, other: &Order, shift: usize) -> bool {
        if !self.agree(other.signed) || shift + VARIABLES > usize::from(u16::MAX) {
            return false;
        }
        let shift = shift as u16;
        self.edges.extend(other.edges.iter().map(|edge| Edge {
            from: edge.from + shift,
            to: edge.to + shift,
            strict: edge.strict,
        }));
        self.apart.extend(other.apart.iter().map(|(a, b)| (a + shift, b + shift)));
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

    fn implies(&self, edge: Edge) -> bool {
        // Reached, and reached by a way with a strict edge.
        let mut reached: Vec<(u16, bool)> = vec![(edge.from, false)];
        let mut next = 0;
        while let Some((at, strict)) = reached.get(next).copied() {
            next += 1;
            if at == edge.to && (strict || !edge.strict) {
                return true;
            }
            for step in self.edges.iter().filter(|step| step.from == at) {
                let found = (step.to, strict || step.strict);
                if !reached.contains(&found) {
                    reached.push(found);
                }
            }
        }
        false
    }

    /// The least keys within `sets`, one for each variable, that respect the graph.
    pub fn least<K: Keys>(&self, sets: &[K]) -> Found {
        if sets.len() > VARIABLES {
            return Found::GaveUp;
        }
        let mut splits = SPLITS;
        self.split(sets, &mut self.edges.clone(), &mut splits)
    }

    fn split<K: Keys>(&self, sets: &[K], edges: &mut Vec<Edge>, splits: &mut u32) -> Found {
        let found = rise(sets, edges, self.signed.unwrap_or(false));
        let Found::Keys(keys) = &found else { return found };
        let equal = |(a, b): &&(u16, u16)| keys[usize::from(*a)] == keys[usize::from(*b)];
        let Some((a, b)) = self.apart.iter().find(equal).copied() else { return found };
        if *splits == 0 || a == b {
            return if a == b { Found::Infeasible } else { Found::GaveUp };
        }
        *splits -= 1;
        let mut result = Found::Infeasible;
        for (from, to) in [(a, b), (b, a)] {
            edges.push(Edge { from, to, strict: true });
            let side = self.split(sets, edges, splits);
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

/// The least solution of the edges alone.
fn rise<K: Keys>(sets: &[K], edges: &[Edge], signed: bool) -> Found {
    let Some(mut keys) = sets.iter().map(|set| set.at_least(0, signed)).collect::<Option<Vec<u64>>>() else {
        return Found::Infeasible;
    };
    for round in 0..sets.len() + ROUNDS {
        if round == sets.len() && cyclic(sets.len(), edges) {
            return Found::Infeasible;
        }
        let mut changed = false;
        for edge in edges {
            let Some(wanted) = keys[usize::from(edge.from)].checked_add(u64::from(edge.strict)) else {
                return Found::Infeasible;
            };
            let to = usize::from(edge.to);
            if keys[to] < wanted {
                let Some(key) = sets[to].at_least(wanted, signed) else { return Found::Infeasible };
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

/// Is there a cycle with a strict edge? Then integers cannot respect it, whatever their sets.
fn cyclic(variables: usize, edges: &[Edge]) -> bool {
    let mut heights = vec![0u32; variables];
    // Without such a cycle the longest way has fewer strict edges than there are variables, and is found in as many rounds.
    for _ in 0..=variables {
        let mut changed = false;
        for edge in edges {
            let wanted = heights[usize::from(edge.from)] + u32::from(edge.strict);
            if heights[usize::from(edge.to)] < wanted {
                heights[usize::from(edge.to)] = wanted;
                changed = true;
            }
        }
        if !changed {
            return false;
        }
    }
    true
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
        let k = |i: u16| keys[usize::from(i)];
        let edges = order.edges.iter().all(|e| if e.strict { k(e.from) < k(e.to) } else { k(e.from) <= k(e.to) });
        edges && order.apart.iter().all(|(a, b)| k(*a) != k(*b))
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
            let mut order = Order { signed: Some(signed), ..Order::default() };
            let pick = |random: &mut Random| random.below(count) as u16;
            for _ in 0..random.below(6) {
                let (from, to, strict) = (pick(&mut random), pick(&mut random), random.one_in(2));
                let edge = Edge { from, to, strict };
                let implied = order.implies(edge);
                order.add(edge);
                assert!(implied || order.edges.last() == Some(&edge));
            }
            for _ in 0..random.below(4) {
                order.apart.push((pick(&mut random), pick(&mut random)));
            }
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

    #[test]
    fn a_cycle_over_wide_values_ends() {
        struct All;
        impl Keys for All {
            fn at_least(&self, key: u64, _: bool) -> Option<u64> {
                Some(key)
            }
        }
        let edge = |from, to, strict| Edge { from, to, strict };
        let order = Order { edges: vec![edge(0, 1, false), edge(1, 2, true), edge(2, 0, false)], ..Order::default() };
        assert_eq!(order.least(&[All, All, All]), Found::Infeasible);
        let order = Order { edges: vec![edge(0, 1, false), edge(1, 2, false), edge(2, 0, false)], ..Order::default() };
        assert_eq!(order.least(&[All, All, All]), Found::Keys(vec![0, 0, 0]));
    }
}
