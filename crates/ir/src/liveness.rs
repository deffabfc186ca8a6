//! Liveness of registers: whose value may still be read.
//!
//! A register is live where some path reads it before assigning it. The sets at block borders are bit sets, found
//! by going backwards until nothing changes, in post-order, with a work list. Most registers live and die inside one block (a
//! front end makes a new one for each value), so only those that some block reads before it assigns them get a bit: the others
//! are live at no border. That keeps a function of 10^5 registers from taking 10^5 bits for each block.
//!
//! Inside a block, liveness is found on demand from the set at its end.

use crate::cfg::Cfg;
use crate::program::{Block, BlockId, Function, Reg};
use std::collections::BTreeSet;

/// The registers that are live at the borders of blocks.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// The bit of each register; `NONE` for those that are live at no border.
    bit: Vec<u32>,
    /// The register of each bit, ascending.
    register: Vec<Reg>,
    words: usize,
    live_in: Vec<u64>,
    live_out: Vec<u64>,
}

const NONE: u32 = u32::MAX;

/// A set of registers at a border.
#[derive(Clone, Copy)]
pub struct Live<'a> {
    liveness: &'a Liveness,
    words: &'a [u64],
}

impl<'a> Live<'a> {
    /// Is the register in the set?
    pub fn contains(self, reg: Reg) -> bool {
        let bit = self.liveness.bit[reg.index()];
        bit != NONE && self.words[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// Its registers, ascending.
    pub fn iter(self) -> impl Iterator<Item = Reg> + use<'a> {
        self.words.iter().enumerate().flat_map(move |(index, word)| {
            let (mut rest, register) = (*word, &self.liveness.register);
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(register[index * 64 + bit])
            })
        })
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Are there none?
    pub fn is_empty(self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }
}

impl Liveness {
    /// The liveness of a function with this graph; blocks that the entry does not reach have theirs, too.
    pub fn new(function: &Function, cfg: &Cfg) -> Liveness {
        let mut scan = Scan::new(function.registers.len());
        let exposed: Vec<Vec<Reg>> = function.blocks.iter().map(|block| scan.exposed(block)).collect();
        let mut liveness = Liveness::numbered(function, &exposed);
        let killed = liveness.killed(function);
        for (block, exposed) in exposed.iter().enumerate() {
            for reg in exposed {
                liveness.insert(block, *reg);
            }
        }
        liveness.solve(cfg, &killed);
        liveness
    }

    /// Live before the block's first instruction.
    pub fn live_in(&self, block: BlockId) -> Live<'_> {
        Live { liveness: self, words: &self.live_in[self.row(block.index())] }
    }

    /// Live after the block's last instruction.
    pub fn live_out(&self, block: BlockId) -> Live<'_> {
        Live { liveness: self, words: &self.live_out[self.row(block.index())] }
    }

    /// Live before the instruction with this index; with the number of instructions as index, at the block's end.
    pub fn live_before(&self, function: &Function, block: BlockId, index: usize) -> BTreeSet<Reg> {
        let mut live = self.live_out(block).iter().collect();
        for instruction in function.blocks[block.index()].instructions[index..].iter().rev() {
            step(instruction, &mut live);
        }
        live
    }

    /// Visits the block's instructions from the last to the first, each with what is live after it: all of a block in one pass.
    pub fn visit(&self, function: &Function, block: BlockId, mut visit: impl FnMut(usize, &BTreeSet<Reg>)) {
        let mut live = self.live_out(block).iter().collect();
        for (index, instruction) in function.blocks[block.index()].instructions.iter().enumerate().rev() {
            visit(index, &live);
            step(instruction, &mut live);
        }
    }

    fn numbered(function: &Function, exposed: &[Vec<Reg>]) -> Liveness {
        let mut bit = vec![NONE; function.registers.len()];
        exposed.iter().flatten().for_each(|reg| bit[reg.index()] = 0);
        let mut register = Vec::new();
        for (reg, bit) in (0..).map(Reg).zip(&mut bit).filter(|(_, bit)| **bit != NONE) {
            *bit = register.len() as u32;
            register.push(reg);
        }
        let words = register.len().div_ceil(64);
        let zeros = vec![0; words * function.blocks.len()];
        Liveness { bit, register, words, live_in: zeros.clone(), live_out: zeros }
    }

    fn row(&self, block: usize) -> std::ops::Range<usize> {
        block * self.words..(block + 1) * self.words
    }

    fn insert(&mut self, block: usize, reg: Reg) {
        let bit = self.bit[reg.index()] as usize;
        self.live_in[block * self.words + bit / 64] |= 1 << (bit % 64);
    }

    /// For each block the bits of the registers that it assigns.
    fn killed(&self, function: &Function) -> Vec<u64> {
        let mut killed = vec![0; self.live_in.len()];
        for (block, body) in function.blocks.iter().enumerate() {
            for reg in body.instructions.iter().flat_map(|instruction| instruction.writes()) {
                let bit = self.bit[reg.index()];
                if bit != NONE {
                    killed[block * self.words + bit as usize / 64] |= 1 << (bit % 64);
                }
            }
        }
        killed
    }

    /// Grows the sets until each block's end has all that its successors want. The sets at the starts hold what the
    /// blocks themselves read before any block is looked at, so that a first look misses nothing of it.
    fn solve(&mut self, cfg: &Cfg, killed: &[u64]) {
        // Popped from the back: post-order first, then what the entry does not reach.
        let mut work: Vec<BlockId> = cfg.blocks().filter(|block| !cfg.is_reachable(*block)).collect();
        work.extend(cfg.reverse_post_order());
        let mut queue: std::collections::VecDeque<BlockId> = work.into_iter().rev().collect();
        let mut queued = vec![true; cfg.len()];
        while let Some(block) = queue.pop_front() {
            queued[block.index()] = false;
            if !self.update(cfg, killed, block) {
                continue;
            }
            for predecessor in cfg.predecessors(block) {
                if !std::mem::replace(&mut queued[predecessor.index()], true) {
                    queue.push_back(*predecessor);
                }
            }
        }
    }

    /// Takes over what the successors want; says whether the set at the block's start has grown.
    fn update(&mut self, cfg: &Cfg, killed: &[u64], block: BlockId) -> bool {
        let row = self.row(block.index());
        for successor in cfg.successors(block) {
            let from = successor.index() * self.words;
            for (offset, at) in row.clone().enumerate() {
                self.live_out[at] |= self.live_in[from + offset];
            }
        }
        let mut grown = false;
        for at in row {
            let all = self.live_in[at] | self.live_out[at] & !killed[at];
            grown |= all != self.live_in[at];
            self.live_in[at] = all;
        }
        grown
    }
}

/// From what is live after an instruction to what is live before it.
fn step(instruction: &crate::program::Instruction, live: &mut BTreeSet<Reg>) {
    for reg in instruction.writes() {
        live.remove(&reg);
    }
    live.extend(instruction.read_registers());
}

/// Finds what blocks read before they assign it, one after the other, without clearing tables in between.
struct Scan {
    /// The number of the last block that assigned the register, or had it listed.
    settled: Vec<u32>,
    block: u32,
}

impl Scan {
    fn new(registers: usize) -> Scan {
        Scan { settled: vec![NONE; registers], block: NONE }
    }

    fn exposed(&mut self, block: &Block) -> Vec<Reg> {
        self.block = self.block.wrapping_add(1);
        let mut exposed = Vec::new();
        for instruction in &block.instructions {
            for reg in instruction.read_registers() {
                if std::mem::replace(&mut self.settled[reg.index()], self.block) != self.block {
                    exposed.push(reg);
                }
            }
            for reg in instruction.writes() {
                self.settled[reg.index()] = self.block;
            }
        }
        exposed
    }
}
