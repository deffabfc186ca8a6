//! A walk from the root of the tree of paths, left or right by the toss of a coin: states high up, which the most paths still
//! come from, are not starved by a loop that forks without end.

use super::{Info, Strategy};
use std::collections::HashMap;
use strata_term::Random;

#[derive(Default)]
struct Node {
    parent: Option<u64>,
    children: Vec<u64>,
}

/// The tree of paths, over states and the states they came from.
pub(super) struct Walk {
    nodes: HashMap<u64, Node>,
    roots: Vec<u64>,
    random: Random,
}

impl Walk {
    pub fn new(seed: u64) -> Walk {
        Walk { nodes: HashMap::new(), roots: Vec::new(), random: Random(seed) }
    }

    /// Takes away a leaf and what becomes childless by it.
    fn prune(&mut self, mut id: u64) {
        while self.nodes.get(&id).is_some_and(|node| node.children.is_empty()) {
            let Some(node) = self.nodes.remove(&id) else { return };
            match node.parent {
                Some(parent) => {
                    if let Some(node) = self.nodes.get_mut(&parent) {
                        node.children.retain(|child| *child != id);
                    }
                    id = parent;
                }
                None => {
                    self.roots.retain(|root| *root != id);
                    return;
                }
            }
        }
    }
}

impl Strategy for Walk {
    fn push(&mut self, info: Info) {
        if self.nodes.contains_key(&info.id) {
            return;
        }
        let parent = self.nodes.contains_key(&info.parent).then_some(info.parent);
        match parent {
            Some(parent) => self.nodes.entry(parent).or_default().children.push(info.id),
            None => self.roots.push(info.id),
        }
        self.nodes.insert(info.id, Node { parent, children: Vec::new() });
    }

    fn pick(&mut self, waiting: &dyn Fn(u64) -> bool) -> Option<u64> {
        // Leaves that do not wait are running: the walk tries again, then takes any leaf that waits.
        for _ in 0..64 {
            let mut id = *self.roots.get(self.random.below(self.roots.len().max(1)))?;
            while let Some(node) = self.nodes.get(&id).filter(|node| !node.children.is_empty()) {
                id = node.children[self.random.below(node.children.len())];
            }
            if waiting(id) {
                return Some(id);
            }
        }
        let mut leaves: Vec<u64> = self.nodes.keys().copied().filter(|id| waiting(*id)).collect();
        leaves.sort_unstable();
        leaves.first().copied()
    }

    fn remove(&mut self, id: u64) {
        self.prune(id);
    }
}
