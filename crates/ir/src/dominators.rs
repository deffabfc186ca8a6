//! Dominators and post-dominators.
//!
//! `a` dominates `b` when every path from the entry to `b` goes through `a`; it post-dominates `b` when every path from
//! `b` to an end of the function does. An end is a block without successors. Both are trees; who dominates whom is answered
//! in constant time from the numbers at which a walk of the tree enters and leaves a block.
//!
//! The algorithm is Lengauer and Tarjan's with path compression (A fast algorithm for finding dominators in a flowgraph,
//! 1979, the O(m log n) variant). Rejected: Cooper, Harvey and Kennedy's iteration, shorter by some lines, but quadratic
//! in the depth of the tree: where the blocks of a long chain all go to one error exit, which is how lowered C and machine
//! code often look, each of them walks up the whole chain.
//!
//! Post-dominators come from the reversed graph with one more node that stands for leaving the function.
//! Blocks from which no end can be reached (they loop for ever) have no post-dominators at all.

use crate::cfg::Cfg;
use crate::program::BlockId;

/// Which block dominates which, or post-dominates.
#[derive(Clone, Debug)]
pub struct Dominators {
    immediate: Vec<u32>,
    /// When the walk of the tree enters and leaves a block; `(NONE, 0)` outside the tree.
    span: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl Dominators {
    /// The dominators of the blocks that the entry reaches.
    pub fn new(cfg: &Cfg) -> Dominators {
        if cfg.is_empty() {
            return Dominators { immediate: Vec::new(), span: Vec::new() };
        }
        let next = |node: u32| cfg.successors(BlockId(node));
        let before = |node: u32| cfg.predecessors(BlockId(node));
        let immediate = immediate_dominators(cfg.len(), 0, next, before);
        Dominators { span: spans(&immediate, 0), immediate }
    }

    /// The post-dominators of the blocks from which an end of the function can be reached.
    pub fn post(cfg: &Cfg) -> Dominators {
        let leave = cfg.len() as u32;
        let ends: Vec<BlockId> = cfg.blocks().filter(|block| cfg.successors(*block).is_empty()).collect();
        let outside = [BlockId(leave)];
        let next = |node: u32| if node == leave { &ends[..] } else { cfg.predecessors(BlockId(node)) };
        let before = |node: u32| match node == leave {
            true => &[],
            false if cfg.successors(BlockId(node)).is_empty() => &outside[..],
            false => cfg.successors(BlockId(node)),
        };
        let mut immediate = immediate_dominators(cfg.len() + 1, leave, next, before);
        let mut span = spans(&immediate, leave);
        immediate.truncate(cfg.len());
        span.truncate(cfg.len());
        immediate.iter_mut().filter(|parent| **parent == leave).for_each(|parent| *parent = NONE);
        Dominators { immediate, span }
    }

    /// The closest other block that dominates this one: none for the entry, for a block outside the tree, and for
    /// post-dominators where only leaving the function remains.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        Some(self.immediate[block.index()]).filter(|parent| *parent != NONE).map(BlockId)
    }

    /// Does `a` dominate `b`? Each block in the tree dominates itself. False if one is not in the tree.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (a, b) = (self.span[a.index()], self.span[b.index()]);
        a.0 != NONE && b.0 != NONE && a.0 <= b.0 && b.1 <= a.1
    }

    /// Is the block in the tree: reached from the entry, or, for post-dominators, does it reach an end?
    pub fn contains(&self, block: BlockId) -> bool {
        self.span[block.index()].0 != NONE
    }
}

/// The walk that numbers the nodes in depth-first order. All other arrays are indexed by these numbers.
struct Walk {
    /// The node with each number.
    node: Vec<u32>,
    /// The number of each node; `NONE` where the root does not reach it.
    number: Vec<u32>,
    /// The number of the parent in the walk's tree.
    parent: Vec<u32>,
}

fn walk<'a>(count: usize, root: u32, next: impl Fn(u32) -> &'a [BlockId]) -> Walk {
    let mut walk = Walk { node: vec![root], number: vec![NONE; count], parent: vec![NONE] };
    walk.number[root as usize] = 0;
    let mut stack = vec![(root, 0)];
    while let Some((node, edge)) = stack.last_mut() {
        let Some(successor) = next(*node).get(*edge) else {
            stack.pop();
            continue;
        };
        *edge += 1;
        if walk.number[successor.index()] == NONE {
            walk.number[successor.index()] = walk.node.len() as u32;
            walk.parent.push(walk.number[*node as usize]);
            walk.node.push(successor.0);
            stack.push((successor.0, 0));
        }
    }
    walk
}

/// The forest of nodes already linked to their parents; finds the least semidominator above a node.
struct Forest {
    ancestor: Vec<u32>,
    best: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// The node with the least semidominator on the path from `v` up to, but without, the root of its tree.
    fn least(&mut self, v: u32, semi: &[u32]) -> u32 {
        if self.ancestor[v as usize] == NONE {
            return v;
        }
        self.compress(v, semi);
        self.best[v as usize]
    }

    /// Hangs all nodes above `v` under the root of their tree, the highest first.
    fn compress(&mut self, v: u32, semi: &[u32]) {
        let mut at = v;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(v) = self.path.pop() {
            let above = self.ancestor[v as usize];
            if semi[self.best[above as usize] as usize] < semi[self.best[v as usize] as usize] {
                self.best[v as usize] = self.best[above as usize];
            }
            self.ancestor[v as usize] = self.ancestor[above as usize];
        }
    }
}

/// The immediate dominator of each node; `NONE` for the root and what it does not reach.
fn immediate_dominators<'a>(
    count: usize,
    root: u32,
    next: impl Fn(u32) -> &'a [BlockId],
    before: impl Fn(u32) -> &'a [BlockId],
) -> Vec<u32> {
    let Walk { node, number, parent } = walk(count, root, next);
    let reached = node.len() as u32;
    let mut semi: Vec<u32> = (0..reached).collect();
    let mut forest = Forest { ancestor: vec![NONE; node.len()], best: semi.clone(), path: Vec::new() };
    let mut dominator = vec![0; node.len()];
    // Nodes by their semidominator, as linked lists: the first of each, and the one after.
    let (mut first, mut after) = (vec![NONE; node.len()], vec![NONE; node.len()]);
    for w in (1..reached).rev() {
        for predecessor in before(node[w as usize]) {
            let v = number[predecessor.index()];
            if v != NONE {
                let least = forest.least(v, &semi);
                semi[w as usize] = semi[w as usize].min(semi[least as usize]);
            }
        }
        let (above, home) = (parent[w as usize], semi[w as usize] as usize);
        after[w as usize] = first[home];
        first[home] = w;
        forest.ancestor[w as usize] = above;
        let mut v = std::mem::replace(&mut first[above as usize], NONE);
        while v != NONE {
            let least = forest.least(v, &semi);
            dominator[v as usize] = if semi[least as usize] < semi[v as usize] { least } else { above };
            v = after[v as usize];
        }
    }
    let mut immediate = vec![NONE; count];
    for w in 1..node.len() {
        if dominator[w] != semi[w] {
            dominator[w] = dominator[dominator[w] as usize];
        }
        immediate[node[w] as usize] = node[dominator[w] as usize];
    }
    immediate
}

/// When a walk of the tree enters and leaves each node.
fn spans(parent: &[u32], root: u32) -> Vec<(u32, u32)> {
    let (mut first, mut after) = (vec![NONE; parent.len()], vec![NONE; parent.len()]);
    for (child, parent) in (0..).zip(parent) {
        if *parent != NONE {
            after[child as usize] = first[*parent as usize];
            first[*parent as usize] = child;
        }
    }
    let mut span = vec![(NONE, 0); parent.len()];
    let (mut clock, mut stack) = (0, vec![root]);
    span[root as usize].0 = 0;
    while let Some(node) = stack.last() {
        let child = first[*node as usize];
        clock += 1;
        if child == NONE {
            span[*node as usize].1 = clock;
            stack.pop();
        } else {
            first[*node as usize] = after[child as usize];
            span[child as usize].0 = clock;
            stack.push(child);
        }
    }
    span
}
