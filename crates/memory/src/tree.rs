//! A persistent sparse array: 32 entries a node, as many levels as the largest index needs.
//!
//! Cloning is one count. A change copies the nodes on one path, and only those that somebody else still holds. Emptied
//! nodes go away, so that an array whose window of live indices moves on stays small. Chosen over a general persistent
//! map because indices are dense small numbers here: no comparison, no balancing.

use std::sync::Arc;

const BITS: u32 = 5;
const WIDTH: usize = 1 << BITS;

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "entries are numbers and counts; both kinds are of one size then")]
enum Node<T> {
    Inner([Option<Arc<Node<T>>>; WIDTH]),
    Leaf([Option<T>; WIDTH]),
}

/// A persistent array from `u32` to `T`.
#[derive(Clone)]
pub struct Tree<T> {
    root: Option<Arc<Node<T>>>,
    /// Levels above the leaves.
    height: u32,
}

impl<T> Default for Tree<T> {
    fn default() -> Tree<T> {
        Tree { root: None, height: 0 }
    }
}

impl<T: Clone> Tree<T> {
    fn slot(index: u32, level: u32) -> usize {
        (index >> (BITS * level)) as usize % WIDTH
    }

    fn covers(&self, index: u32) -> bool {
        let bits = BITS * (self.height + 1);
        bits >= 32 || index >> bits == 0
    }

    /// Is there no entry?
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The entry at an index.
    pub fn get(&self, index: u32) -> Option<&T> {
        if !self.covers(index) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            match node {
                Node::Inner(children) => node = children[Self::slot(index, level)].as_deref()?,
                Node::Leaf(entries) => return entries[Self::slot(index, 0)].as_ref(),
            }
            level = level.wrapping_sub(1);
        }
    }

    /// The entry at an index, to be changed. Others who share it keep the old one.
    pub fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        if !self.covers(index) {
            return None;
        }
        let mut node = Arc::make_mut(self.root.as_mut()?);
        let mut level = self.height;
        loop {
            match node {
                Node::Inner(children) => node = Arc::make_mut(children[Self::slot(index, level)].as_mut()?),
                Node::Leaf(entries) => return entries[Self::slot(index, 0)].as_mut(),
            }
            level = level.wrapping_sub(1);
        }
    }

    /// Sets the entry at an index.
    pub fn set(&mut self, index: u32, entry: T) {
        while !self.covers(index) {
            if let Some(old) = self.root.take() {
                let mut children = [const { None }; WIDTH];
                children[0] = Some(old);
                self.root = Some(Arc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
        let mut at = &mut self.root;
        for level in (0..=self.height).rev() {
            let node = at.get_or_insert_with(|| {
                Arc::new(if level == 0 {
                    Node::Leaf([const { None }; WIDTH])
                } else {
                    Node::Inner([const { None }; WIDTH])
                })
            });
            match Arc::make_mut(node) {
                Node::Inner(children) => at = &mut children[Self::slot(index, level)],
                Node::Leaf(entries) => {
                    entries[Self::slot(index, 0)] = Some(entry);
                    return;
                }
            }
        }
    }

    /// Takes the entry at an index away.
    pub fn remove(&mut self, index: u32) -> Option<T> {
        if !self.covers(index) {
            return None;
        }
        Self::remove_below(&mut self.root, index, self.height)
    }

    fn remove_below(at: &mut Option<Arc<Node<T>>>, index: u32, level: u32) -> Option<T> {
        let (removed, empty) = match Arc::make_mut(at.as_mut()?) {
            Node::Inner(children) => {
                let removed = Self::remove_below(&mut children[Self::slot(index, level)], index, level.wrapping_sub(1));
                (removed, children.iter().all(Option::is_none))
            }
            Node::Leaf(entries) => (entries[Self::slot(index, 0)].take(), entries.iter().all(Option::is_none)),
        };
        if empty {
            *at = None;
        }
        removed
    }

    /// The indices at which two arrays differ, ascending. What both share is passed over unseen.
    pub fn differences(&self, other: &Tree<T>, same: &impl Fn(&T, &T) -> bool) -> Vec<u32> {
        let mut found = Vec::new();
        let height = self.height.max(other.height);
        Self::differ(self.root.as_ref(), self.height, other.root.as_ref(), other.height, height, 0, same, &mut found);
        found
    }

    /// Of two nodes of these heights that stand where one of the height `level` may.
    #[expect(clippy::too_many_arguments, reason = "two trees, each with its height")]
    fn differ(
        a: Option<&Arc<Node<T>>>,
        height_a: u32,
        b: Option<&Arc<Node<T>>>,
        height_b: u32,
        level: u32,
        base: u32,
        same: &impl Fn(&T, &T) -> bool,
        found: &mut Vec<u32>,
    ) {
        let identical = match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => height_a == height_b && Arc::ptr_eq(a, b),
            (None, Some(_)) | (Some(_), None) => false,
        };
        if identical {
            return;
        }
        for i in 0..WIDTH {
            let index = base.wrapping_add((i as u32) << (BITS * level));
            if level == 0 {
                let (a, b) = (Self::entry(a, i), Self::entry(b, i));
                let equal = match (a, b) {
                    (None, None) => true,
                    (Some(a), Some(b)) => same(a, b),
                    (None, Some(_)) | (Some(_), None) => false,
                };
                if !equal {
                    found.push(index);
                }
                continue;
            }
            let (a, below_a) = Self::child(a, height_a, level, i);
            let (b, below_b) = Self::child(b, height_b, level, i);
            Self::differ(a, below_a, b, below_b, level - 1, index, same, found);
        }
    }

    fn entry(node: Option<&Arc<Node<T>>>, i: usize) -> Option<&T> {
        match node.map(|node| &**node) {
            Some(Node::Leaf(entries)) => entries[i].as_ref(),
            Some(Node::Inner(_)) | None => None,
        }
    }

    /// The part `i` of a node that stands for one of the height `level`: a lower one is its first
    /// part.
    fn child(node: Option<&Arc<Node<T>>>, height: u32, level: u32, i: usize) -> (Option<&Arc<Node<T>>>, u32) {
        if height < level {
            return (node.filter(|_| i == 0), height);
        }
        match node.map(|node| &**node) {
            Some(Node::Inner(children)) => (children[i].as_ref(), level - 1),
            Some(Node::Leaf(_)) | None => (None, level.wrapping_sub(1)),
        }
    }

    /// The first entry at or after an index.
    pub fn first_from(&self, index: u32) -> Option<(u32, &T)> {
        if !self.covers(index) {
            return None;
        }
        Self::first_below(self.root.as_deref()?, index, self.height, 0)
    }

    fn first_below(node: &Node<T>, from: u32, level: u32, base: u32) -> Option<(u32, &T)> {
        match node {
            Node::Leaf(entries) => (0..WIDTH as u32)
                .filter(|i| base + i >= from)
                .find_map(|i| entries[i as usize].as_ref().map(|t| (base + i, t))),
            Node::Inner(children) => {
                let span = 1u64 << (BITS * level);
                (0..WIDTH as u64).find_map(|i| {
                    let start = u64::from(base) + i * span;
                    let child = children[i as usize].as_deref()?;
                    if start + span <= u64::from(from) {
                        return None;
                    }
                    Self::first_below(child, from, level - 1, start as u32)
                })
            }
        }
    }

    /// The last entry at or before an index.
    pub fn last_to(&self, index: u32) -> Option<(u32, &T)> {
        let index = if self.covers(index) { index } else { ((1u64 << (BITS * (self.height + 1)).min(32)) - 1) as u32 };
        Self::last_below(self.root.as_deref()?, index, self.height, 0)
    }

    fn last_below(node: &Node<T>, to: u32, level: u32, base: u32) -> Option<(u32, &T)> {
        match node {
            Node::Leaf(entries) => (0..WIDTH as u32)
                .rev()
                .filter(|i| base + i <= to)
                .find_map(|i| entries[i as usize].as_ref().map(|t| (base + i, t))),
            Node::Inner(children) => {
                let span = 1u64 << (BITS * level);
                (0..WIDTH as u64).rev().find_map(|i| {
                    let start = u64::from(base) + i * span;
                    let child = children[i as usize].as_deref()?;
                    if start > u64::from(to) {
                        return None;
                    }
                    Self::last_below(child, to, level - 1, start as u32)
                })
            }
        }
    }

    /// All entries by ascending index.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let mut next = Some(0u32);
        std::iter::from_fn(move || {
            let (index, entry) = self.first_from(next?)?;
            next = index.checked_add(1);
            Some((index, entry))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use strata_term::Random;

    #[test]
    fn behaves_as_a_map_and_copies_stay_as_they_were() {
        let mut random = Random(11);
        for round in 0..30 {
            let (mut tree, mut map) = (Tree::default(), BTreeMap::new());
            let mut kept: Vec<(Tree<u64>, BTreeMap<u32, u64>)> = Vec::new();
            let range = [3, 40, 2_000, 1 << 21, u32::MAX][round % 5];
            for step in 0..400u64 {
                let index = (random.number() % (u64::from(range) + 1)) as u32;
                match random.number() % 5 {
                    0 => assert_eq!(tree.remove(index), map.remove(&index)),
                    1 => {
                        if let Some(entry) = tree.get_mut(index) {
                            *entry += 1;
                            *map.get_mut(&index).unwrap() += 1;
                        }
                    }
                    _ => {
                        tree.set(index, step);
                        map.insert(index, step);
                    }
                }
                assert_eq!(tree.get(index), map.get(&index));
                assert_eq!(
                    tree.first_from(index).map(|(i, t)| (i, *t)),
                    map.range(index..).next().map(|(i, t)| (*i, *t))
                );
                assert_eq!(
                    tree.last_to(index).map(|(i, t)| (i, *t)),
                    map.range(..=index).next_back().map(|(i, t)| (*i, *t))
                );
                if step % 100 == 0 {
                    kept.push((tree.clone(), map.clone()));
                }
            }
            kept.push((tree, map));
            for (tree, map) in kept {
                assert!(tree.iter().map(|(i, t)| (i, *t)).eq(map.into_iter()));
            }
        }
    }

    #[test]
    fn an_emptied_tree_holds_nothing() {
        let mut tree = Tree::default();
        for i in 0..10_000 {
            tree.set(i, i);
            if i >= 10 {
                tree.remove(i - 10);
            }
        }
        (9_990..10_000).for_each(|i| assert!(tree.remove(i).is_some()));
        assert!(tree.root.is_none());
    }
}
