//! The control flow graph of a function: who goes where, who comes from where, and an order that follows the flow.
//!
//! Edges are kept in two flat arrays with offsets (successors and predecessors): two allocations for a function of any
//! size, and a walk that touches memory in order. An edge that a terminator names twice (a branch with one target, a
//! switch) is one edge. The depth-first walk keeps its own stack: a chain of a hundred thousand blocks is ordinary.
//!
//! The function must verify: ids out of range panic here and in all other analyses.

use crate::program::{BlockId, Function};

/// Successors, predecessors and reverse post-order.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Edges,
    predecessors: Edges,
    order: Vec<BlockId>,
    position: Vec<u32>,
}

/// The position of a block that the entry does not reach.
const NOWHERE: u32 = u32::MAX;

/// Lists of blocks, one for each block.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    /// List `b` is `ends[b]..ends[b + 1]`.
    ends: Vec<u32>,
    blocks: Vec<BlockId>,
}

impl Edges {
    pub(crate) fn of(&self, block: BlockId) -> &[BlockId] {
        &self.blocks[self.ends[block.index()] as usize..self.ends[block.index() + 1] as usize]
    }

    fn empty(blocks: usize) -> Edges {
        let mut ends = Vec::with_capacity(blocks + 1);
        ends.push(0);
        Edges { ends, blocks: Vec::new() }
    }

    fn close(&mut self) {
        self.ends.push(self.blocks.len() as u32);
    }

    /// Each edge the other way round; within a list by ascending source.
    fn reversed(&self) -> Edges {
        let count = self.ends.len() - 1;
        let mut ends = vec![0; count + 1];
        for target in &self.blocks {
            ends[target.index() + 1] += 1;
        }
        for i in 0..count {
            ends[i + 1] += ends[i];
        }
        let mut next = ends.clone();
        let mut blocks = vec![BlockId(0); self.blocks.len()];
        for source in (0..count as u32).map(BlockId) {
            for target in self.of(source) {
                blocks[next[target.index()] as usize] = source;
                next[target.index()] += 1;
            }
        }
        Edges { ends, blocks }
    }
}

impl Cfg {
    /// The graph of a function; empty for one without blocks.
    pub fn new(function: &Function) -> Cfg {
        let successors = distinct_targets(function);
        let predecessors = successors.reversed();
        let order = reverse_post_order(function.blocks.len(), &successors);
        let mut position = vec![NOWHERE; function.blocks.len()];
        for (at, block) in (0..).zip(&order) {
            position[block.index()] = at;
        }
        Cfg { successors, predecessors, order, position }
    }

    /// How many blocks there are, reachable or not.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Has the function no blocks?
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// All blocks in the order of the function.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.position.len() as u32).map(BlockId)
    }

    /// Where a block can go on, each once, in the order of its terminator.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.of(block)
    }

    /// From where a block can be reached in one step, each once, ascending; reachable or not.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.of(block)
    }

    /// The blocks that the entry reaches, each before its successors but for edges that go back.
    pub fn reverse_post_order(&self) -> &[BlockId] {
        &self.order
    }

    /// Where a block stands in the reverse post-order; nowhere if the entry does not reach it.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        Some(self.position[block.index()]).filter(|at| *at != NOWHERE).map(|at| at as usize)
    }

    /// Does the entry reach the block?
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.index()] != NOWHERE
    }
}

fn distinct_targets(function: &Function) -> Edges {
    let count = function.blocks.len();
    let mut edges = Edges::empty(count);
    // The source of the last edge to each block: an edge is new when it is not this source.
    let mut last = vec![NOWHERE; count];
    for (source, block) in (0..).zip(&function.blocks) {
        for target in block.instructions.last().into_iter().flat_map(|terminator| terminator.targets()) {
            if last[target.index()] != source {
                last[target.index()] = source;
                edges.blocks.push(target);
            }
        }
        edges.close();
    }
    edges
}

fn reverse_post_order(count: usize, successors: &Edges) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut stack = Vec::new();
    if count > 0 {
        seen[0] = true;
        stack.push((BlockId(0), 0));
    }
    while let Some((block, next)) = stack.last_mut() {
        match successors.of(*block).get(*next) {
            Some(successor) => {
                *next += 1;
                if !std::mem::replace(&mut seen[successor.index()], true) {
                    stack.push((*successor, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
