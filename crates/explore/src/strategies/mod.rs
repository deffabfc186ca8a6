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
    ("covnew", "states that lately reached new code", |seed| Box::new(best::Weighted::new(seed, |i| 1.0 / (1.0 + i.stale as f64)))),
    ("depth", "deep states rarely", |seed| Box::new(best::Weighted::new(seed, |i| 0.5f64.powi(i.depth.min(1000) as i32)))),
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
        Frontier { states: HashMap::new(), strategies, turn: 0, next: 1, random: Random(seed ^ 0x5eed) }
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

    /// Takes this share of the states out, evenly, for shedding.
    pub fn shed_share(&mut self, share: usize) -> Vec<Box<State>> {
        let mut ids: Vec<u64> = self.states.keys().copied().collect();
        ids.sort_unstable();
        let chosen: Vec<u64> = ids.into_iter().filter(|_| self.random.one_in(share as u32)).collect();
        chosen
            .into_iter()
            .filter_map(|id| {
                self.end(id);
                self.states.remove(&id)
            })
            .collect()
    }
}
