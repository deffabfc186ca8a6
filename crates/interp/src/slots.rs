//! Where a function's registers lie in its frame.
//!
//! A front end makes a register for each value, so a long function has thousands, of which few are live at once. Every call copies its frame,
//! every return looks through it for terms, and so does every fork: registers that are never live at once share a slot.
//!
//! Instructions are numbered in the order of the text, and a block's start has a number of its own. A register takes, in each block where it is
//! live or named, the numbers from the first to the last of these. Registers of one block, which most are, get their slots by a linear scan; the others
//! before, each the first slot that is free at all its numbers. Rejected: a linear scan for all, which takes a register for
//! live from its first to its last number. In a function that is one loop (musl's `printf_core`) that is 429 slots instead of 64.
//!
//! Sound: registers with a slot in common have no number in common, so no instruction writes one where the other is live. One that is read before
//! it is assigned is live from the function's start on, so it finds its zero. What an instruction reads is live at its number, and what it writes
//! too: it never overwrites its own operands, so that it may be made again.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use strata_ir::{BlockId, Cfg, Function, Liveness, Reg};

/// Consecutive numbers, the first and the last.
type Range = (u32, u32);

/// Ranges of a register that are told apart. One with more takes all numbers between its first and its last: functions of 10^5 blocks are ordinary.
const RANGES: usize = 256;

/// The slot of each register, and how many slots there are.
pub(crate) fn shared(function: &Function) -> (Vec<u32>, usize) {
    let ranges = ranges(function);
    // Nobody reads or writes those without a range.
    let mut slots = vec![0; ranges.len()];
    let mut taken: Vec<BTreeMap<u32, u32>> = Vec::new();
    for (reg, ranges) in ranges.iter().enumerate().filter(|(_, ranges)| ranges.len() > 1) {
        let free = |slot: &BTreeMap<u32, u32>| ranges.iter().all(|range| is_free(slot, *range));
        let slot = taken.iter().position(free).unwrap_or(taken.len());
        if slot == taken.len() {
            taken.push(BTreeMap::new());
        }
        taken[slot].extend(ranges.iter().copied());
        slots[reg] = slot as u32;
    }
    let mut single: Vec<(Range, usize)> = Vec::new();
    for (reg, ranges) in ranges.iter().enumerate() {
        if let [range] = ranges.as_slice() {
            single.push((*range, reg));
        }
    }
    let count = scan(single, &mut slots, taken.len() as u32);
    (slots, count as usize)
}

/// A slot for each register.
pub(crate) fn apart(function: &Function) -> (Vec<u32>, usize) {
    ((0..function.registers.len() as u32).collect(), function.registers.len())
}

fn is_free(taken: &BTreeMap<u32, u32>, (first, last): Range) -> bool {
    taken.range(..=last).next_back().is_none_or(|(_, end)| *end < first)
}

/// Gives slots from `next` on to registers of one range each; tells the first slot that nobody has.
fn scan(mut registers: Vec<(Range, usize)>, slots: &mut [u32], mut next: u32) -> u32 {
    registers.sort_unstable();
    let (mut taken, mut free) = (BinaryHeap::new(), BinaryHeap::new());
    for ((first, last), reg) in registers {
        while let Some(Reverse((_, slot))) = taken.peek().filter(|Reverse((end, _))| *end < first).copied() {
            taken.pop();
            free.push(Reverse(slot));
        }
        let slot = free.pop().map_or(next, |Reverse(slot)| slot);
        next = next.max(slot + 1);
        taken.push(Reverse((last, slot)));
        slots[reg] = slot;
    }
    next
}

/// The numbers of each register, ascending, one range for each block. Parameters are assigned at number 0, the start of the entry.
fn ranges(function: &Function) -> Vec<Vec<Range>> {
    let liveness = Liveness::new(function, &Cfg::new(function));
    let mut ranges: Vec<Vec<Range>> = vec![Vec::new(); function.registers.len()];
    let mut at = 0;
    for (number, block) in (0..).map(BlockId).zip(&function.blocks) {
        let start = at;
        let mut meet = |reg: Reg, at: u32| match ranges[reg.index()].last_mut() {
            Some((first, last)) if *first >= start => *last = at,
            _ => ranges[reg.index()].push((at, at)),
        };
        if start == 0 {
            function.params.iter().for_each(|reg| meet(*reg, at));
        }
        liveness.live_in(number).iter().for_each(|reg| meet(reg, at));
        for instruction in &block.instructions {
            at += 1;
            instruction.read_registers().chain(instruction.writes()).for_each(|reg| meet(reg, at));
        }
        liveness.live_out(number).iter().for_each(|reg| meet(reg, at));
        at += 1;
    }
    for ranges in ranges.iter_mut().filter(|ranges| ranges.len() > RANGES) {
        *ranges = vec![(ranges[0].0, ranges[ranges.len() - 1].1)];
    }
    ranges
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
                instructions.push(Instruction::Binary { op: BinaryOp::Add, to, a, b, checked: false });
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
