//! Control flow: branches, and phis as copies on edges.
//!
//! The copies of an edge run before its jump where the block has one successor, and else in a block of their own on the edge.
//! An indirect jump's edges cannot be split, since the address names the target: its targets read their phis from registers of
//! their own (inlets) at their start, and every edge writes those.

use super::body::{Body, bits};
use crate::llvm::{BlockRef, LLVMOpcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use strata_ir::{BlockId, Case, Instruction, Operand, Reg};

impl Body<'_, '_> {
    /// Gives registers to all phis that need copies.
    pub fn declare_phis(&mut self, order: &[BlockRef]) {
        let mut indirect = FxHashSet::default();
        for terminator in order.iter().filter_map(|b| b.terminator()) {
            if terminator.opcode() == LLVMOpcode::LLVMIndirectBr {
                indirect.extend(terminator.successors());
            }
        }
        for block in order {
            for phi in block.instructions().into_iter().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI) {
                let incoming = phi.incoming();
                if incoming.iter().all(|(_, from)| *from == incoming[0].1) {
                    continue;
                }
                let widths = self.unit.widths(phi.ty());
                let own: Vec<Reg> = widths.iter().map(|w| self.reg(*w)).collect();
                let inlet =
                    if indirect.contains(block) { widths.iter().map(|w| self.reg(*w)).collect() } else { own.clone() };
                self.define(phi, own.into_iter().map(Operand::Reg).collect());
                self.inlets.insert(phi, inlet);
                self.phis.entry(*block).or_default().push(phi);
            }
        }
    }

    /// At the phi itself: a single predecessor makes it a name; an indirect jump's target reads its inlet.
    pub fn phi(&mut self, _block: BlockRef, v: Value) {
        let Some(inlet) = self.inlets.get(&v).cloned() else {
            let incoming = v.incoming();
            let same = self.operands(incoming[0].0);
            return self.define(v, same);
        };
        for (own, from) in self.operands(v).into_iter().zip(inlet) {
            if let Operand::Reg(to) = own
                && to != from
            {
                self.emit(Instruction::Copy { to, from: Operand::Reg(from) });
            }
        }
    }

    /// The copies that going from one block to another needs.
    fn copies(&mut self, from: BlockRef, to: BlockRef) -> Vec<(Reg, Operand)> {
        let mut all = Vec::new();
        for phi in self.phis.get(&to).cloned().unwrap_or_default() {
            let Some((value, _)) = phi.incoming().into_iter().find(|(_, block)| *block == from) else { continue };
            let sources = self.operands(value);
            all.extend(self.inlets[&phi].iter().copied().zip(sources));
        }
        all.retain(|(to, from)| *from != Operand::Reg(*to));
        all
    }

    /// All copies as if at once.
    fn parallel(&mut self, mut copies: Vec<(Reg, Operand)>) {
        let mut readers: FxHashMap<Reg, usize> = FxHashMap::default();
        for (_, from) in &copies {
            if let Operand::Reg(reg) = from {
                *readers.entry(*reg).or_default() += 1;
            }
        }
        while !copies.is_empty() {
            let before = copies.len();
            let mut rest = Vec::new();
            for (to, from) in copies {
                if readers.get(&to).copied().unwrap_or(0) > 0 {
                    rest.push((to, from));
                    continue;
                }
                if let Operand::Reg(reg) = from
                    && let Some(count) = readers.get_mut(&reg)
                {
                    *count -= 1;
                }
                self.emit(Instruction::Copy { to, from });
            }
            copies = rest;
            if copies.len() == before {
                self.break_cycle(&mut copies, &mut readers);
            }
        }
    }

    /// Every destination left is still read: keeps one's old value aside.
    fn break_cycle(&mut self, copies: &mut [(Reg, Operand)], readers: &mut FxHashMap<Reg, usize>) {
        let kept = copies[0].0;
        let aside = self.copy_of(kept);
        for (_, from) in copies.iter_mut().filter(|(_, from)| *from == Operand::Reg(kept)) {
            *from = Operand::Reg(aside);
        }
        let count = readers.remove(&kept).unwrap_or(0);
        readers.insert(aside, count);
    }

    fn copy_of(&mut self, from: Reg) -> Reg {
        let to = self.reg(self.width(&Operand::Reg(from)));
        self.emit(Instruction::Copy { to, from: Operand::Reg(from) });
        to
    }

    /// Goes there from a block with this one successor.
    pub fn jump(&mut self, from: BlockRef, to: BlockRef) {
        let copies = self.copies(from, to);
        self.parallel(copies);
        self.emit(Instruction::Jump { to: BlockId(self.index[&to]) });
    }

    /// The block that an edge leads to: the target itself, or a block with the copies.
    fn edge(&mut self, from: BlockRef, to: BlockRef, known: &mut FxHashMap<BlockRef, BlockId>) -> BlockId {
        if !self.phis.contains_key(&to) {
            return BlockId(self.index[&to]);
        }
        if let Some(block) = known.get(&to) {
            return *block;
        }
        let (back, block) = (self.here(), self.new_block());
        self.enter(block);
        self.jump(from, to);
        self.enter(back);
        known.insert(to, block);
        block
    }

    /// `br`.
    pub fn branch(&mut self, block: BlockRef, v: Value) {
        let targets = v.successors();
        if !v.conditional() {
            return self.jump(block, targets[0]);
        }
        let condition = self.operand(v.condition());
        if self.has_ended() {
            return;
        }
        let mut known = FxHashMap::default();
        let then = self.edge(block, targets[0], &mut known);
        let otherwise = self.edge(block, targets[1], &mut known);
        let site = self.sites.get(&block).copied().unwrap_or(0);
        self.emit(Instruction::Branch { condition, then, otherwise, site });
    }

    /// `switch`.
    pub fn switch(&mut self, block: BlockRef, v: Value) {
        let value = self.operand(v.operand(0));
        if self.has_ended() {
            return;
        }
        let width = self.width(&value);
        let mut known = FxHashMap::default();
        let targets = v.successors();
        let default = self.edge(block, targets[0], &mut known);
        let mut cases = Vec::new();
        for (at, target) in targets.iter().enumerate().skip(1) {
            let Some(value) = self.unit.integer(v.case(at as u32)) else { continue };
            let block = self.edge(block, *target, &mut known);
            cases.push(Case { value, block });
        }
        let site = self.sites.get(&block).copied().unwrap_or(0);
        self.emit(Instruction::Switch { value, width, cases, default, site });
    }

    /// `indirectbr`.
    pub fn indirect(&mut self, block: BlockRef, v: Value) {
        let target = self.operand(v.operand(0));
        let mut targets = v.successors();
        targets.sort_by_key(|b| self.index[b]);
        targets.dedup();
        for to in &targets {
            let copies = self.copies(block, *to);
            self.parallel(copies);
        }
        let blocks = targets.iter().map(|b| BlockId(self.index[b])).collect();
        self.emit(Instruction::JumpIndirect { target, blocks });
    }

    /// `ret`.
    pub fn ret(&mut self, v: Value) {
        let values = if v.operands() == 0 { Vec::new() } else { self.operands(v.operand(0)) };
        self.emit(Instruction::Return { values });
    }

    /// `select`: one condition for all parts, or one for each.
    pub fn select(&mut self, v: Value) {
        let conditions = self.operands(v.operand(0));
        let (a, b) = (self.operands(v.operand(1)), self.operands(v.operand(2)));
        let one = conditions.len() == 1;
        let mut result = Vec::new();
        for (i, (a, b)) in a.into_iter().zip(b).enumerate() {
            let condition = conditions.get(if one { 0 } else { i }).cloned().unwrap_or_else(|| bits(1, 0));
            result.push(self.choose(condition, a, b));
        }
        self.define(v, result);
    }
}
