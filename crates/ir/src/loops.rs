//! Natural loops, how they nest, and the edges that make control flow irreducible.
//!
//! An edge to a block that dominates its source closes a loop; the loop of a header is what reaches these edges without
//! going through the header. Loops with one header are one loop, so two loops are nested or disjoint. An edge that goes
//! back in the depth-first order to a block that does not dominate its source enters a cycle that has several entries:
//! no natural loop describes it, so it is reported, and whoever needs loops to be complete must look.
//! Which of the edges of such a cycle is reported depends on the walk; that one is reported does not.
//!
//! Bodies are found from the inner loops outwards; a loop already found is stepped over as a whole (with union-find for the
//! outermost), so every block is walked once, not once for each loop around it. Bodies are slices of one array, ordered so
//! that each loop's blocks are adjacent: deep nests do not take quadratic memory.

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::program::BlockId;

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block through which it is entered.
    pub header: BlockId,
    /// The sources of the edges back to the header, in reverse post-order.
    pub latches: Vec<BlockId>,
    /// The next loop around it, as an index into `Loops::all`.
    pub parent: Option<usize>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Its blocks in `Loops::members`; those of inner loops are among them.
    body: std::ops::Range<usize>,
}

/// All loops of a function.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Outer loops before inner ones, else by the header's place in the reverse post-order.
    all: Vec<Loop>,
    members: Vec<BlockId>,
    innermost: Vec<Option<u32>>,
    irreducible: Vec<(BlockId, BlockId)>,
}

impl Loops {
    /// The loops of a function with this graph and these dominators.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Loops {
        let mut search = Search {
            cfg,
            innermost: vec![None; cfg.len()],
            loops: Vec::new(),
            outermost: Vec::new(),
            irreducible: Vec::new(),
        };
        let mut latches = search.backward_edges(dominators);
        for header in cfg.reverse_post_order().iter().rev() {
            let latches = std::mem::take(&mut latches[header.index()]);
            if !latches.is_empty() {
                search.discover(*header, latches);
            }
        }
        search.finish()
    }

    /// All loops: outer ones before inner ones.
    pub fn all(&self) -> &[Loop] {
        &self.all
    }

    /// The blocks of a loop, the header first.
    pub fn blocks(&self, index: usize) -> &[BlockId] {
        &self.members[self.all[index].body.clone()]
    }

    /// The innermost loop around a block, as an index into `all`.
    pub fn innermost(&self, block: BlockId) -> Option<usize> {
        self.innermost[block.index()].map(|index| index as usize)
    }

    /// Is the block in the loop?
    pub fn contains(&self, index: usize, block: BlockId) -> bool {
        let inside = |inner: usize| self.all[index].body.contains(&self.all[inner].body.start);
        self.innermost(block).is_some_and(inside)
    }

    /// How many loops are around a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |index| self.all[index].depth)
    }

    /// Edges that go back to a block that does not dominate their source. Empty iff control flow is reducible.
    pub fn irreducible(&self) -> &[(BlockId, BlockId)] {
        &self.irreducible
    }
}

struct Found {
    header: BlockId,
    latches: Vec<BlockId>,
    parent: Option<u32>,
}

struct Search<'a> {
    cfg: &'a Cfg,
    innermost: Vec<Option<u32>>,
    /// Inner loops before outer ones.
    loops: Vec<Found>,
    /// Union-find: towards the outermost loop found so far around each.
    outermost: Vec<u32>,
    irreducible: Vec<(BlockId, BlockId)>,
}

impl Search<'_> {
    /// For each block the sources of edges back to it; the irreducible ones go into their list.
    fn backward_edges(&mut self, dominators: &Dominators) -> Vec<Vec<BlockId>> {
        let mut latches = vec![Vec::new(); self.cfg.len()];
        for source in self.cfg.reverse_post_order() {
            for target in self.cfg.successors(*source) {
                if dominators.dominates(*target, *source) {
                    latches[target.index()].push(*source);
                } else if self.cfg.position(*target) <= self.cfg.position(*source) {
                    self.irreducible.push((*source, *target));
                }
            }
        }
        latches
    }

    fn outermost(&mut self, mut index: u32) -> u32 {
        while self.outermost[index as usize] != index {
            let above = self.outermost[self.outermost[index as usize] as usize];
            self.outermost[index as usize] = above;
            index = above;
        }
        index
    }

    /// Walks backwards from the latches to the header. A block of an inner loop stands for that loop: the walk
    /// goes on before the outermost one's header.
    fn discover(&mut self, header: BlockId, latches: Vec<BlockId>) {
        let index = self.loops.len() as u32;
        let mut work = latches.clone();
        self.loops.push(Found { header, latches, parent: None });
        self.outermost.push(index);
        while let Some(block) = work.pop() {
            let reached = match self.innermost[block.index()] {
                None => {
                    self.innermost[block.index()] = Some(index);
                    block
                }
                Some(inner) => {
                    let inner = self.outermost(inner);
                    if inner == index {
                        continue;
                    }
                    self.loops[inner as usize].parent = Some(index);
                    self.outermost[inner as usize] = index;
                    self.loops[inner as usize].header
                }
            };
            if reached != header {
                let predecessors = self.cfg.predecessors(reached).iter();
                work.extend(predecessors.filter(|block| self.cfg.is_reachable(**block)));
            }
        }
    }

    /// Outer loops first, with depths, and the blocks of each loop adjacent.
    fn finish(self) -> Loops {
        let Search { cfg, innermost, loops, irreducible, .. } = self;
        let order = nesting_order(&loops);
        let mut renamed = vec![0; loops.len()];
        order.iter().enumerate().for_each(|(new, old)| renamed[*old as usize] = new as u32);
        let innermost: Vec<Option<u32>> =
            innermost.into_iter().map(|index| index.map(|old| renamed[old as usize])).collect();
        let mut loops: Vec<Option<Found>> = loops.into_iter().map(Some).collect();
        let mut all: Vec<Loop> = Vec::with_capacity(order.len());
        for old in order {
            let Some(Found { header, latches, parent }) = loops[old as usize].take() else { continue };
            let parent = parent.map(|old| renamed[old as usize] as usize);
            let depth = parent.map_or(1, |parent| all[parent].depth + 1);
            all.push(Loop { header, latches, parent, depth, body: 0..0 });
        }
        let members = place_bodies(cfg, &innermost, &mut all);
        Loops { all, members, innermost, irreducible }
    }
}

/// Each loop before those inside it, and those directly after it (a pre-order of the forest); siblings in reverse
/// post-order of their headers.
fn nesting_order(loops: &[Found]) -> Vec<u32> {
    let (mut first, mut after) = (vec![None; loops.len()], vec![None; loops.len()]);
    let mut outermost = Vec::new();
    // Found in post-order of the headers, so that pushing each in front of its siblings restores the order.
    for (index, found) in (0u32..).zip(loops) {
        match found.parent {
            None => outermost.push(index),
            Some(parent) => after[index as usize] = first[parent as usize].replace(index),
        }
    }
    let mut order = Vec::with_capacity(loops.len());
    let mut stack = outermost;
    while let Some(index) = stack.pop() {
        order.push(index);
        let start = stack.len();
        let mut child: Option<u32> = first[index as usize];
        while let Some(inner) = child {
            stack.push(inner);
            child = after[inner as usize];
        }
        stack[start..].reverse();
    }
    order
}

/// Sorts the blocks by their innermost loop: as loops are in pre-order, a loop's own blocks and then those of the loops
/// inside it follow one another.
fn place_bodies(cfg: &Cfg, innermost: &[Option<u32>], all: &mut [Loop]) -> Vec<BlockId> {
    let mut start = vec![0; all.len() + 1];
    for index in innermost.iter().flatten() {
        start[*index as usize + 1] += 1;
    }
    for index in 0..all.len() {
        start[index + 1] += start[index];
    }
    let mut members = vec![BlockId(0); start[all.len()]];
    let mut next = start.clone();
    for block in cfg.reverse_post_order() {
        if let Some(index) = innermost[block.index()] {
            members[next[index as usize]] = *block;
            next[index as usize] += 1;
        }
    }
    for index in (0..all.len()).rev() {
        let end = all[index].body.end.max(start[index + 1]);
        all[index].body = start[index]..end;
        if let Some(parent) = all[index].parent {
            all[parent].body.end = all[parent].body.end.max(end);
        }
    }
    members
}
