//! Code that is known in advance as one closed function: what tests run, and what shows that
//! blocks fit together.

use super::{Exit, Lowered, Runtime, To, Unknown, Way, lower, register};
use crate::instruction::{Fetch, Instruction};
use std::collections::HashMap;
use strata_ir::{Block, BlockId, Case, Function, Instruction as Ir, Linkage, Operand, PlaceId, Reg};
use strata_term::Bits;

/// What is done where control leaves the known code.
pub struct Border {
    /// The instructions. Without `on`, the last one is a terminator.
    pub instructions: Vec<Ir>,
    /// Does the code behind a call of the system run next?
    pub on: bool,
}

/// A function without parameters or results. It runs `prologue`, then the code at the first root.
/// An indirect jump goes to any of the roots. Where control leaves the known code, `border` says
/// what is done: it gets the exit, and the reason if no instruction can be fetched there.
/// Instructions have no places.
pub fn close(
    name: &str,
    roots: &[u64],
    fetch: &dyn Fn(u64) -> Result<Instruction, Fetch>,
    runtime: &Runtime,
    prologue: Vec<Ir>,
    border: &dyn Fn(&Exit, Option<Fetch>) -> Border,
) -> Function {
    let mut closed = Closed::default();
    closed.registers.extend((0..register::COUNT).map(|number| register::width(Reg(number))));
    let entry = closed.reserve();
    let start = To::Address { address: roots[0], way: Way::Jump };
    let first = closed.block(Exit { to: start, unknown: Unknown::default() });
    closed.fill(entry, prologue.into_iter().chain([Ir::Jump { to: first }]).collect());
    while let Some((at, exit)) = closed.waiting.pop() {
        let lowered = match exit.to {
            To::Address { address, .. } => lower(address, exit.unknown, fetch, runtime),
            To::Indirect { way } if roots.len() > 1 => {
                let cases = roots.iter().map(|root| closed.case(*root, way, exit.unknown)).collect();
                let outside = closed.reserve();
                closed.fill(outside, border(&exit, None).instructions);
                let value = Operand::Reg(register::PC);
                closed.fill(at, vec![Ir::Switch { value, width: 64, cases, default: outside, site: 0 }]);
                continue;
            }
            To::Indirect { .. } | To::SystemCall { .. } | To::Breakpoint { .. } => {
                let Border { mut instructions, on } = border(&exit, None);
                if let (true, To::SystemCall { next }) = (on, exit.to) {
                    let to = To::Address { address: next, way: Way::Fallthrough };
                    let to = closed.block(Exit { to, unknown: exit.unknown });
                    instructions.push(Ir::Jump { to });
                }
                closed.fill(at, instructions);
                continue;
            }
        };
        match lowered {
            Ok(lowered) => closed.add(at, lowered),
            Err(reason) => closed.fill(at, border(&exit, Some(reason)).instructions),
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
#[derive(Default)]
struct Closed {
    blocks: Vec<Block>,
    registers: Vec<u32>,
    /// Temporaries of each width. Basic blocks share them: none is live at the end of one.
    pools: HashMap<u32, Vec<Reg>>,
    /// The blocks of exits. How a jump is meant makes no difference.
    known: HashMap<Exit, BlockId>,
    /// Those that have no instructions yet.
    waiting: Vec<(BlockId, Exit)>,
}

impl Closed {
    fn reserve(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// The block of an exit.
    fn block(&mut self, mut exit: Exit) -> BlockId {
        match &mut exit.to {
            To::Address { way, .. } | To::Indirect { way } => *way = Way::Jump,
            To::SystemCall { .. } | To::Breakpoint { .. } => {}
        }
        if let Some(known) = self.known.get(&exit) {
            return *known;
        }
        let new = self.reserve();
        self.known.insert(exit, new);
        self.waiting.push((new, exit));
        new
    }

    /// The case of an indirect jump to a root.
    fn case(&mut self, address: u64, way: Way, unknown: Unknown) -> Case {
        let block = self.block(Exit { to: To::Address { address, way }, unknown });
        Case { value: Bits::new(64, address), block }
    }

    fn fill(&mut self, at: BlockId, instructions: Vec<Ir>) {
        let places = vec![PlaceId(0); instructions.len()];
        self.blocks[at.index()] = Block { instructions, places };
    }

    /// Puts a basic block at a reserved place.
    fn add(&mut self, at: BlockId, lowered: Lowered) {
        let mut ids = vec![at];
        ids.resize_with(lowered.blocks.len(), || self.reserve());
        ids.extend(lowered.exits.iter().map(|exit| self.block(*exit)));
        let mut used: HashMap<u32, usize> = HashMap::new();
        let temporaries: Vec<Reg> = lowered.temporaries.iter().map(|width| self.temporary(*width, &mut used)).collect();
        let rename = |reg: &mut Reg| {
            if reg.0 >= register::COUNT {
                *reg = temporaries[(reg.0 - register::COUNT) as usize];
            }
        };
        for (block, id) in lowered.blocks.into_iter().zip(&ids) {
            let mut instructions = block.instructions;
            for instruction in &mut instructions {
                visit(instruction, &rename, &|block| *block = ids[block.index()]);
            }
            self.fill(*id, instructions);
        }
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
