//! In which order states run: a strategy is a file and a row.
//!
//! All states that wait lie in one frontier; a strategy keeps their numbers in its own order and picks one. Numbers of states that
//! another strategy picked are dropped when they come up. Everything is seeded: the same choices for the same pushes.

mod best;
mod order;
mod random;
mod random_path;

use std::collections::HashMap;
use strata_interp::State;
use strata_term::Random;

/// What a strategy sees of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    /// Its number.
    pub id: u64,
    /// The number of the state it was forked from; its own when it goes on.
    pub parent: u64,
    /// Forks since the start.
    pub depth: u32,
    /// Instructions run.
    pub instructions: u64,
    /// Instructions since it last reached new code.
    pub stale: u64,
}

/// An order of states.
pub(crate) trait Strategy: Send {
    /// A state waits.
    fn push(&mut self, info: Info);
    /// The next state, among those that still wait.
    fn pick(&mut self, waiting: &dyn Fn(u64) -> bool) -> Option<u64>;
    /// A state is running, ended or was shed: it waits no more. Only those who keep a tree care.
    fn remove(&mut self, _id: u64) {}
}

type Make = fn(u64) -> Box<dyn Strategy>;

/// Name, meaning, constructor.
pub(crate) const TABLE: &[(&str, &str, Make)] = &[
    ("dfs", "the newest state first", |_| Box::new(order::Order::newest())),
    ("bfs", "the oldest state first", |_| Box::new(order::Order::oldest())),
    ("random", "any state", |seed| Box::new(random::AnyState::new(seed))),
    ("random-path", "a walk from the root of the tree of paths", |seed| Box::new(random_path::Walk::new(seed))),
    ("covnew", "states that lately reached new code", |seed| {
        Box::new(best::Weighted::new(seed, |i| 1.0 / (1.0 + i.stale as f64)))
    }),
    ("depth", "deep states rarely", |seed| {
        Box::new(best::Weighted::new(seed, |i| 0.5f64.powi(i.depth.min(1000) as i32)))
    }),
    ("deep", "deep states often", |seed| Box::new(best::Weighted::new(seed, |i| 1.0 + f64::from(i.depth)))),
    ("instruction-count", "states with few instructions", |seed| {
        Box::new(best::Weighted::new(seed, |i| 1.0 / (1.0 + i.instructions as f64)))
    }),
];

/// KLEE's names of orders that exist here under another.
const KLEE: &[(&str, &str)] = &[
    ("random-state", "random"),
    ("nurs:covnew", "covnew"),
    ("nurs:depth", "deep"),
    ("nurs:rp", "depth"),
    ("nurs:icnt", "instruction-count"),
];

/// States that wait, and the strategies that take turns over them.
pub(crate) struct Frontier {
    states: HashMap<u64, Box<State>>,
    strategies: Vec<Box<dyn Strategy>>,
    turn: usize,
    next: u64,
    random: Random,
    /// Numbers that `take` has still to give out.
    left: Vec<u64>,
}

/// Names and meanings of all strategies.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.iter().map(|row| (row.0, row.1))
}

/// The strategies for a list of names, separated by commas. The error names the one that is not there.
pub fn parse(list: &str) -> Result<Vec<&'static str>, String> {
    let find = |name: &str| {
        let name = KLEE.iter().find(|(theirs, _)| *theirs == name).map_or(name, |(_, ours)| ours);
        TABLE.iter().map(|row| row.0).find(|known| *known == name)
    };
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    let found: Vec<&'static str> = names
        .map(|name| {
            find(name).ok_or_else(|| {
                let known: Vec<&str> = TABLE.iter().map(|row| row.0).collect();
                format!("there is no search strategy '{name}'; there are {}", known.join(", "))
            })
        })
        .collect::<Result<_, String>>()?;
    if found.is_empty() { Err("--search needs a name".into()) } else { Ok(found) }
}

impl Frontier {
    pub fn new(names: &[&'static str], seed: u64) -> Frontier {
        let make = |(i, name): (usize, &&str)| {
            let row = TABLE.iter().find(|row| row.0 == *name).expect("names were parsed");
            (row.2)(seed.wrapping_add(i as u64 * 0x5851_f42d))
        };
        let strategies = names.iter().enumerate().map(make).collect();
        Frontier {
            states: HashMap::new(),
            strategies,
            turn: 0,
            next: 1,
            random: Random(seed ^ 0x5eed),
            left: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Puts states in that came of the state `parent`, in order: the first is to run first where order decides.
    pub fn push(&mut self, states: Vec<Box<State>>, parent: u64) {
        let goes_on = states.len() == 1 && parent != 0;
        for state in states.into_iter().rev() {
            let id = if goes_on { parent } else { self.next };
            self.next += u64::from(!goes_on);
            let stale = state.instructions - state.covered_at.min(state.instructions);
            let info = Info { id, parent, depth: state.depth, instructions: state.instructions, stale };
            self.strategies.iter_mut().for_each(|s| s.push(info));
            self.states.insert(id, state);
        }
    }

    /// Tells that a state is gone for good.
    pub fn end(&mut self, id: u64) {
        self.strategies.iter_mut().for_each(|s| s.remove(id));
    }

    /// Takes the next state out.
    pub fn pop(&mut self) -> Option<(u64, Box<State>)> {
        if self.states.is_empty() {
            return None;
        }
        let states = &self.states;
        for _ in 0..self.strategies.len() {
            let turn = self.turn;
            self.turn = (turn + 1) % self.strategies.len();
            if let Some(id) = self.strategies[turn].pick(&|id| states.contains_key(&id)) {
                return self.states.remove(&id).map(|state| (id, state));
            }
        }
        None
    }

    /// Takes up to so many states out, by number, once nothing is picked any more: strategies are not asked.
    pub fn take(&mut self, count: usize) -> Vec<Box<State>> {
        if self.left.is_empty() {
            self.left = self.states.keys().copied().collect();
            self.left.sort_unstable();
        }
        let from = self.left.len().saturating_sub(count);
        let ids = self.left.split_off(from);
        ids.into_iter().filter_map(|id| self.states.remove(&id)).collect()
    }

    /// Takes about so many of the states out, evenly, for shedding.
    pub fn shed(&mut self, count: usize) -> Vec<Box<State>> {
        let mut ids: Vec<u64> = self.states.keys().copied().collect();
        ids.sort_unstable();
        let all = ids.len().max(1);
        let chosen: Vec<u64> = ids.into_iter().filter(|_| self.random.below(all) < count).collect();
        chosen
            .into_iter()
            .filter_map(|id| {
                self.end(id);
                self.states.remove(&id)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use strata_linux::Linux;
    use strata_memory::Space;

    /// A state that tells which one it is by its instructions.
    fn state(number: u64, depth: u32) -> Box<State> {
        let mut state = State::new(Space::default(), Arc::new(Linux::default()));
        (state.instructions, state.depth) = (number, depth);
        Box::new(state)
    }

    /// Plays an exploration: what is popped forks, goes on, or ends, by its number. Gives the order in which states were popped.
    fn play(names: &[&'static str], seed: u64, forks: u64) -> Vec<u64> {
        let mut frontier = Frontier::new(names, seed);
        let (mut next, mut order, mut forked) = (1, Vec::new(), 0);
        frontier.push(vec![state(1, 0)], 0);
        while let Some((id, popped)) = frontier.pop() {
            order.push(popped.instructions);
            let live = match (popped.instructions % 3, forked < forks) {
                (0 | 1, true) => {
                    forked += 1;
                    let count = 2 + popped.instructions % 2;
                    (0..count).map(|i| state(next + 1 + i, popped.depth + 1)).collect()
                }
                (2, true) => vec![state(next + 1, popped.depth)],
                _ => Vec::new(),
            };
            next += live.len() as u64;
            if live.is_empty() { frontier.end(id) } else { frontier.push(live, id) }
        }
        assert_eq!(frontier.len(), 0);
        assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), order.len(), "{names:?}: a state ran twice");
        assert_eq!(order.len() as u64, next, "{names:?}: a state was lost");
        order
    }

    #[test]
    fn every_strategy_visits_all_states_once_and_in_the_order_of_its_seed() {
        let names: Vec<&'static str> = TABLE.iter().map(|row| row.0).collect();
        let mut mixes: Vec<Vec<&'static str>> = names.iter().map(|name| vec![*name]).collect();
        mixes.extend(names.iter().map(|name| vec!["dfs", *name, "random"]));
        mixes.push(names.clone());
        for mix in mixes {
            for seed in 0..5 {
                assert_eq!(play(&mix, seed, 400), play(&mix, seed, 400), "{mix:?}");
            }
        }
        for name in ["random", "random-path", "covnew"] {
            assert_ne!(play(&[name], 1, 400), play(&[name], 2, 400), "{name} does not heed its seed");
        }
    }

    #[test]
    fn shedding_leaves_the_rest_to_be_visited() {
        for (name, _, _) in TABLE {
            let mut frontier = Frontier::new(&[name], 1);
            frontier.push((1..=100).map(|number| state(number, 1)).collect(), 0);
            let shed: BTreeSet<u64> =
                frontier.shed(frontier.len() / 4).iter().map(|state| state.instructions).collect();
            assert!((5..60).contains(&shed.len()), "{}", shed.len());
            let mut left = BTreeSet::new();
            while let Some((id, state)) = frontier.pop() {
                assert!(left.insert(state.instructions));
                frontier.end(id);
            }
            assert_eq!(left.len() + shed.len(), 100, "{name}");
            assert!(left.is_disjoint(&shed), "{name}");
        }
    }

    #[test]
    fn a_walk_favours_no_side_by_its_number_of_states() {
        // One state on the left, 64 on the right: the walk comes to the left half of the time.
        let mut left = 0;
        for seed in 0..400 {
            let mut frontier = Frontier::new(&["random-path"], seed);
            frontier.push(vec![state(1, 0)], 0);
            let (root, _) = frontier.pop().expect("the root");
            frontier.push(vec![state(2, 1), state(3, 1)], root);
            let (mut id, mut popped) = frontier.pop().expect("a child");
            if popped.instructions == 2 {
                frontier.push(vec![popped], id);
                while popped_is(&mut frontier, &mut id) != 3 {}
            }
            frontier.push((10..74).map(|number| state(number, 2)).collect(), id);
            popped = frontier.pop().expect("a state").1;
            left += u32::from(popped.instructions == 2);
        }
        assert!((140..260).contains(&left), "{left} of 400");
    }

    /// Pops until the state with number 3 comes up, putting the others back.
    fn popped_is(frontier: &mut Frontier, id: &mut u64) -> u64 {
        let (found, state) = frontier.pop().expect("a child");
        *id = found;
        let number = state.instructions;
        if number != 3 {
            frontier.push(vec![state], found);
        }
        number
    }
}
