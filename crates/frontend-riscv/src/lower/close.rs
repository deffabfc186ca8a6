//! All code that can be reached from an address without an indirect jump, as one closed function: what tests run, and
//! what shows that blocks fit together.

use super::{Exit, Lowered, Runtime, To, Unknown, Way, lower, register};
use crate::instruction::{Fetch, Instruction};
use std::collections::HashMap;
use strata_ir::{Block, BlockId, Function, Instruction as Ir, Linkage, Operand, PlaceId, Reg};

/// A function without parameters or results. It runs `prologue`, then the code at `entry`. Where that leaves the known
/// code, it runs what `border` gives, which ends with a terminator; `None` there stands for the address of an exit at
/// which no instruction can be fetched. Instructions have no places.
pub fn close(
    name: &str,
    entry: u64,
    fetch: &dyn Fn(u64) -> Result<Instruction, Fetch>,
    runtime: &Runtime,
    prologue: Vec<Ir>,
    border: &dyn Fn(&Exit, Option<Fetch>) -> Vec<Ir>,
) -> Function {
    let mut closed = Closed { blocks: vec![Block::default()], registers: Vec::new(), pools: HashMap::new() };
    closed.registers.extend((0..register::COUNT).map(|number| register::width(Reg(number))));
    let mut starts: HashMap<(u64, Unknown), BlockId> = HashMap::new();
    let mut waiting: Vec<(BlockId, Exit)> = Vec::new();
    let first = closed.reserve();
    let start = To::Address { address: entry, way: Way::Jump };
    waiting.push((first, Exit { to: start, unknown: Unknown::default() }));
    closed.fill(BlockId(0), prologue.into_iter().chain([Ir::Jump { to: first }]).collect());
    while let Some((at, exit)) = waiting.pop() {
        let To::Address { address, .. } = exit.to else {
            closed.fill(at, border(&exit, None));
            continue;
        };
        if let Some(known) = starts.get(&(address, exit.unknown)) {
            closed.fill(at, vec![Ir::Jump { to: *known }]);
            continue;
        }
        match lower(address, exit.unknown, fetch, runtime) {
            Ok(lowered) => {
                starts.insert((address, exit.unknown), at);
                waiting.extend(closed.add(at, lowered));
            }
            Err(reason) => closed.fill(at, border(&exit, Some(reason))),
        }
    }
    Function {
        name: name.into(),
        linkage: Linkage::Own,
        params: Vec::new(),
        variadic: false,
        returns: Vec::new(),
        registers: closed.registers,
        blocks: closed.blocks,
        place: PlaceId(0),
        variables: Vec::new(),
    }
}

/// A function that is being made.
struct Closed {
    blocks: Vec<Block>,
    registers: Vec<u32>,
    /// Temporaries of each width. Blocks share them: none is live at a block's end.
    pools: HashMap<u32, Vec<Reg>>,
}

impl Closed {
    fn reserve(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn fill(&mut self, at: BlockId, instructions: Vec<Ir>) {
        let places = vec![PlaceId(0); instructions.len()];
        self.blocks[at.index()] = Block { instructions, places };
    }

    /// Puts a basic block at a reserved place. Gives the places reserved for its exits.
    fn add(&mut self, at: BlockId, lowered: Lowered) -> Vec<(BlockId, Exit)> {
        let mut ids = vec![at];
        ids.resize_with(lowered.blocks.len() + lowered.exits.len(), || self.reserve());
        let mut used: HashMap<u32, usize> = HashMap::new();
        let temporaries: Vec<Reg> = lowered.temporaries.iter().map(|width| self.temporary(*width, &mut used)).collect();
        let rename = |reg: &mut Reg| {
            if reg.0 >= register::COUNT {
                *reg = temporaries[(reg.0 - register::COUNT) as usize];
            }
        };
        let count = lowered.blocks.len();
        for (block, id) in lowered.blocks.into_iter().zip(&ids) {
            let mut instructions = block.instructions;
            for instruction in &mut instructions {
                visit(instruction, &rename, &|block| *block = ids[block.index()]);
            }
            self.fill(*id, instructions);
        }
        ids[count..].iter().copied().zip(lowered.exits).collect()
    }

    fn temporary(&mut self, width: u32, used: &mut HashMap<u32, usize>) -> Reg {
        let pool = self.pools.entry(width).or_default();
        let number = used.entry(width).or_default();
        if pool.len() == *number {
            self.registers.push(width);
            pool.push(Reg(self.registers.len() as u32 - 1));
        }
        *number += 1;
        pool[*number - 1]
    }
}

/// Shows every register and every block of an instruction that this crate makes.
fn visit(instruction: &mut Ir, reg: &dyn Fn(&mut Reg), block: &dyn Fn(&mut BlockId)) {
    let read = |operand: &mut Operand| match operand {
        Operand::Reg(register) => reg(register),
        Operand::Const(_) => {}
    };
    match instruction {
        Ir::Copy { to, from } => {
            reg(to);
            read(from);
        }
        Ir::Binary { to, a, b, .. }
        | Ir::Float { to, a, b, .. }
        | Ir::FloatCompare { to, a, b, .. }
        | Ir::Overflow { to, a, b, .. }
        | Ir::Concat { to, high: a, low: b } => {
            reg(to);
            read(a);
            read(b);
        }
        Ir::Unary { to, a, .. }
        | Ir::Extend { to, a, .. }
        | Ir::Extract { to, a, .. }
        | Ir::FloatUnary { to, a, .. }
        | Ir::Convert { to, a, .. }
        | Ir::Freeze { to, a }
        | Ir::Load { to, address: a } => {
            reg(to);
            read(a);
        }
        Ir::Select { to, condition, a, b } => {
            reg(to);
            read(condition);
            read(a);
            read(b);
        }
        Ir::FloatFma { to, a, b, c, .. } => {
            reg(to);
            read(a);
            read(b);
            read(c);
        }
        Ir::Store { address, value, .. } => {
            read(address);
            read(value);
        }
        Ir::Call { to, arguments, .. } => {
            to.iter_mut().for_each(reg);
            arguments.iter_mut().for_each(|(operand, _)| read(operand));
        }
        Ir::Jump { to } => block(to),
        Ir::Branch { condition, then, otherwise, .. } => {
            read(condition);
            block(then);
            block(otherwise);
        }
        Ir::Unreachable | Ir::Trap { .. } | Ir::Unsupported { .. } => {}
        Ir::Poison { .. }
        | Ir::Offset { .. }
        | Ir::CopyMemory { .. }
        | Ir::FillMemory { .. }
        | Ir::Allocate { .. }
        | Ir::Mark { .. }
        | Ir::Release { .. }
        | Ir::Variadic { .. }
        | Ir::ObjectSize { .. }
        | Ir::CallIndirect { .. }
        | Ir::Switch { .. }
        | Ir::JumpIndirect { .. }
        | Ir::Return { .. } => unreachable!("lowered code has no such instruction"),
    }
}
