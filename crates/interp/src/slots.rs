//! Where a function's registers lie in its frame.
//!
//! A front end makes a register for each value, so a long function has thousands, of which few are live at once. Every call copies its frame,
//! every return looks through it for terms, and so does every fork: registers that are never live at once share a slot.
//!
//! Linear scan: instructions are numbered in the order of the text, and a register has its slot from the first to the last number at which it is
//! live, both included. Chosen over colouring a graph of interference, which packs tighter and takes longer than a short run.
//!
//! Sound: a register that is live somewhere is so at all numbers between there and its last assignment, whatever way leads there, since liveness at
//! the borders of all blocks is counted. One that is read before it is assigned is live from the start on, so it finds its zero. What
//! an instruction reads is live at its number, and what it writes too: it never overwrites its own operands, so that it may be made again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use strata_ir::{BlockId, Cfg, Function, Liveness, Reg};

/// Numbers of instructions, the first and the last.
type Interval = Option<(u32, u32)>;

/// The slot of each register, and how many slots there are.
pub(crate) fn shared(function: &Function) -> (Vec<u32>, usize) {
    let intervals = intervals(function);
    let mut order: Vec<(u32, u32, usize)> = Vec::new();
    for (reg, interval) in intervals.iter().enumerate() {
        order.extend(interval.map(|(first, last)| (first, last, reg)));
    }
    order.sort_unstable();
    // Nobody reads or writes the others.
    let (mut slots, mut count) = (vec![0; intervals.len()], 0);
    let (mut taken, mut free) = (BinaryHeap::new(), BinaryHeap::new());
    for (first, last, reg) in order {
        while let Some(Reverse((_, slot))) = taken.peek().filter(|Reverse((end, _))| *end < first).copied() {
            taken.pop();
            free.push(Reverse(slot));
        }
        let slot = free.pop().map_or(count, |Reverse(slot)| slot);
        count = count.max(slot + 1);
        taken.push(Reverse((last, slot)));
        slots[reg] = slot;
    }
    (slots, count as usize)
}

/// A slot for each register.
pub(crate) fn apart(function: &Function) -> (Vec<u32>, usize) {
    ((0..function.registers.len() as u32).collect(), function.registers.len())
}

/// From where to where each register is live. Parameters are assigned at number 0, before the first instruction.
fn intervals(function: &Function) -> Vec<Interval> {
    let liveness = Liveness::new(function, &Cfg::new(function));
    let mut intervals: Vec<Interval> = vec![None; function.registers.len()];
    let mut meet = |reg: Reg, at: u32| {
        let interval = &mut intervals[reg.index()];
        *interval = Some(interval.map_or((at, at), |(first, last)| (first.min(at), last.max(at))));
    };
    function.params.iter().for_each(|reg| meet(*reg, 0));
    let mut at = 0;
    for (number, block) in (0..).map(BlockId).zip(&function.blocks) {
        liveness.live_in(number).iter().for_each(|reg| meet(reg, at));
        for instruction in &block.instructions {
            at += 1;
            instruction.read_registers().chain(instruction.writes()).for_each(|reg| meet(reg, at));
        }
        liveness.live_out(number).iter().for_each(|reg| meet(reg, at));
    }
    intervals
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_ir::{BinaryOp, Block, Instruction, Linkage, Operand, PlaceId};
    use strata_term::Random;

    const REGISTERS: usize = 12;

    fn function(random: &mut Random) -> Function {
        let blocks = 1 + random.below(8);
        let reg = |random: &mut Random| Reg(random.below(REGISTERS) as u32);
        let block = |random: &mut Random| BlockId(random.below(blocks) as u32);
        let body = |random: &mut Random| {
            let mut instructions = Vec::new();
            for _ in 0..random.below(6) {
                let (to, a, b) = (reg(random), Operand::Reg(reg(random)), Operand::Reg(reg(random)));
                instructions.push(Instruction::Binary { op: BinaryOp::Add, to, a, b, no_signed_wrap: false });
            }
            instructions.push(match random.below(3) {
                0 => Instruction::Jump { to: block(random) },
                1 => Instruction::Return { values: vec![Operand::Reg(reg(random))] },
                _ => {
                    let condition = Operand::Reg(reg(random));
                    Instruction::Branch { condition, then: block(random), otherwise: block(random), site: 0 }
                }
            });
            Block { places: vec![PlaceId(0); instructions.len()], instructions }
        };
        Function {
            name: "f".into(),
            linkage: Linkage::Own,
            params: vec![Reg(0), Reg(1)],
            variadic: false,
            returns: vec![64],
            registers: vec![64; REGISTERS],
            blocks: (0..blocks).map(|_| body(random)).collect(),
            place: PlaceId(0),
            variables: Vec::new(),
        }
    }

    /// What is read from slots on a random way through the function is what would be read from registers.
    #[test]
    fn a_slot_holds_what_its_register_would() {
        let (mut random, mut saved) = (Random(1), 0);
        for round in 0..2_000 {
            let function = function(&mut random);
            let (slots, count) = shared(&function);
            saved += REGISTERS - count;
            let (mut registers, mut frame) = ([0; REGISTERS], vec![0; count]);
            let assign = |reg: Reg, value: u64, registers: &mut [u64], frame: &mut [u64]| {
                (registers[reg.index()], frame[slots[reg.index()] as usize]) = (value, value);
            };
            assign(Reg(0), 1, &mut registers, &mut frame);
            assign(Reg(1), 2, &mut registers, &mut frame);
            let (mut at, mut next) = (BlockId(0), 3);
            for _ in 0..40 {
                let block = &function.blocks[at.index()];
                for instruction in &block.instructions {
                    for reg in instruction.read_registers() {
                        assert_eq!(registers[reg.index()], frame[slots[reg.index()] as usize], "round {round}");
                        assert!(instruction.writes().all(|to| to == reg || slots[to.index()] != slots[reg.index()]));
                    }
                    for reg in instruction.writes() {
                        assign(reg, next, &mut registers, &mut frame);
                        next += 1;
                    }
                }
                let targets: Vec<BlockId> = block.instructions.iter().flat_map(|last| last.targets()).collect();
                let Some(target) = targets.get(random.below(targets.len().max(1))) else { break };
                at = *target;
            }
        }
        assert!(saved > 2_000, "{saved} slots saved");
    }
}
