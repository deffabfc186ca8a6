//! Emits the IR of one basic block.

use super::{Exit, Lowered, To, Unknown, register};
use strata_ir::{BinaryOp, Block, BlockId, Constant, Instruction, Operand, PlaceId, Reg, UnaryOp};
use strata_term::Bits;

/// A block that is being made.
pub(super) struct Builder {
    lowered: Lowered,
    /// The IR block that instructions go to.
    current: usize,
    /// Does the current IR block have its terminator?
    done: bool,
    /// IR blocks that were named before all blocks are known: exits are numbered from here on,
    /// until `finish`.
    exits_from: u32,
    /// Are the flags known to be unknown since this block began?
    pub flags_unknown: bool,
    /// The integer registers that hold unknown flags here.
    pub unknown: Unknown,
}

/// Exits are numbered from here on while a block is made: no block has as many.
const EXITS: u32 = 1 << 31;

impl Builder {
    pub fn new(address: u64, unknown: Unknown) -> Builder {
        let lowered = Lowered {
            address,
            end: address,
            instructions: Vec::new(),
            blocks: vec![Block::default()],
            exits: Vec::new(),
            temporaries: Vec::new(),
        };
        Builder { lowered, current: 0, done: false, exits_from: EXITS, flags_unknown: false, unknown }
    }

    /// What follows is the meaning of the instruction at this address.
    pub fn begin(&mut self, address: u64) {
        self.lowered.instructions.push(address);
    }

    /// How many instructions it has.
    pub fn length(&self) -> usize {
        self.lowered.instructions.len()
    }

    /// Has the straight line ended?
    pub fn is_done(&self) -> bool {
        self.done
    }

    pub fn finish(mut self, end: u64) -> Lowered {
        self.lowered.end = end;
        let count = self.lowered.blocks.len() as u32;
        let place = |block: &mut BlockId| {
            if block.0 >= EXITS {
                block.0 = block.0 - EXITS + count;
            }
        };
        for instruction in self.lowered.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
            if let Instruction::Jump { to } = instruction {
                place(to);
            } else if let Instruction::Branch { then, otherwise, .. } = instruction {
                place(then);
                place(otherwise);
            }
        }
        self.lowered
    }

    pub fn emit(&mut self, instruction: Instruction) {
        let place = PlaceId(self.lowered.instructions.len() as u32 - 1);
        let block = &mut self.lowered.blocks[self.current];
        block.instructions.push(instruction);
        block.places.push(place);
    }

    /// Ends the straight line with this terminator.
    pub fn end(&mut self, terminator: Instruction) {
        self.emit(terminator);
        self.done = true;
    }

    /// The block of an exit.
    pub fn exit(&mut self, to: To) -> BlockId {
        self.lowered.exits.push(Exit { to, unknown: self.unknown });
        BlockId(self.exits_from + self.lowered.exits.len() as u32 - 1)
    }

    /// Ends the straight line with an exit.
    pub fn leave(&mut self, to: To) {
        // A block that falls through has no instruction of its own for that; the jump belongs to
        // the last one.
        let to = self.exit(to);
        self.end(Instruction::Jump { to });
    }

    /// Goes on in one new block if a bit is set, and in another one if it is clear. What follows
    /// is emitted to the one for a clear bit; `resume` goes on with the other one, which is
    /// returned.
    pub fn fork(&mut self, condition: Operand) -> usize {
        let clear = self.lowered.blocks.len();
        let set = clear + 1;
        let (then, otherwise) = (BlockId(set as u32), BlockId(clear as u32));
        self.emit(Instruction::Branch { condition, then, otherwise, site: 0 });
        self.lowered.blocks.extend([Block::default(), Block::default()]);
        self.current = clear;
        set
    }

    /// Emits to this block from now on.
    pub fn resume(&mut self, block: usize) {
        self.current = block;
    }

    /// Goes on only if a bit is set; otherwise the path ends as incomplete.
    pub fn require(&mut self, condition: Operand, reason: &str) {
        let on = self.fork(condition);
        self.emit(Instruction::Unsupported { reason: reason.into() });
        self.resume(on);
    }

    /// A new register of this block.
    pub fn temporary(&mut self, width: u32) -> Reg {
        self.lowered.temporaries.push(width);
        Reg(register::COUNT + self.lowered.temporaries.len() as u32 - 1)
    }

    /// An integer register's value.
    pub fn x(&self, number: u8) -> Operand {
        if number == 0 { bits(64, 0) } else { Operand::Reg(register::integer(number)) }
    }

    /// An integer register gets 64 bits.
    pub fn set_x(&mut self, number: u8, value: Operand) {
        if number != 0 {
            self.set(register::integer(number), value);
        }
    }

    /// An integer register gets a number.
    pub fn set_number(&mut self, number: u8, value: u64) {
        self.set_x(number, bits(64, value));
    }

    /// A machine register gets a value of its width.
    pub fn set(&mut self, to: Reg, value: Operand) {
        // A temporary that the last instruction made, and that nobody else reads, need not be
        // copied.
        let newest = Reg(register::COUNT + self.lowered.temporaries.len() as u32 - 1);
        let last = self.lowered.blocks[self.current].instructions.last_mut();
        if value == Operand::Reg(newest)
            && newest.0 >= register::COUNT
            && let Some(made) = last.and_then(destination)
            && *made == newest
        {
            *made = to;
            self.lowered.temporaries.pop();
            return;
        }
        self.emit(Instruction::Copy { to, from: value });
    }

    pub fn binary(&mut self, op: BinaryOp, width: u32, a: Operand, b: Operand) -> Operand {
        let width = if is_comparison(op) { 1 } else { width };
        let to = self.temporary(width);
        self.emit(Instruction::Binary { op, to, a, b, checked: false });
        Operand::Reg(to)
    }

    pub fn unary(&mut self, op: UnaryOp, width: u32, a: Operand) -> Operand {
        let to = self.temporary(width);
        self.emit(Instruction::Unary { op, to, a });
        Operand::Reg(to)
    }

    /// `a` extended to so many bits.
    pub fn extend(&mut self, width: u32, a: Operand, signed: bool) -> Operand {
        let to = self.temporary(width);
        self.emit(Instruction::Extend { to, a, signed });
        Operand::Reg(to)
    }

    /// So many bits of `a`, from `low` on.
    pub fn extract(&mut self, width: u32, a: Operand, low: u32) -> Operand {
        if let Operand::Const(Constant::Bits(value)) = &a
            && value.width() <= 64
        {
            return bits(width, value.low_u64() >> low);
        }
        let to = self.temporary(width);
        self.emit(Instruction::Extract { to, a, low });
        Operand::Reg(to)
    }

    pub fn concat(&mut self, width: u32, high: Operand, low: Operand) -> Operand {
        let to = self.temporary(width);
        self.emit(Instruction::Concat { to, high, low });
        Operand::Reg(to)
    }

    pub fn select(&mut self, width: u32, condition: Operand, a: Operand, b: Operand) -> Operand {
        let to = self.temporary(width);
        self.emit(Instruction::Select { to, condition, a, b });
        Operand::Reg(to)
    }

    /// The bytes at an address.
    pub fn load(&mut self, width: u32, address: Operand) -> Operand {
        let to = self.temporary(width);
        self.emit(Instruction::Load { to, address });
        Operand::Reg(to)
    }

    /// A register plus an offset.
    pub fn address(&mut self, base: u8, offset: i64) -> Operand {
        match (base, offset) {
            (0, offset) => bits(64, offset as u64),
            (base, 0) => self.x(base),
            (base, offset) => {
                let base = self.x(base);
                self.binary(BinaryOp::Add, 64, base, bits(64, offset as u64))
            }
        }
    }
}

/// A constant.
pub(super) fn bits(width: u32, value: u64) -> Operand {
    Operand::Const(Constant::Bits(Bits::new(width, value)))
}

fn is_comparison(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle => true,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => false,
    }
}

/// The register that an instruction of this crate's makes, if it makes one.
fn destination(instruction: &mut Instruction) -> Option<&mut Reg> {
    match instruction {
        Instruction::Copy { to, .. }
        | Instruction::Binary { to, .. }
        | Instruction::Unary { to, .. }
        | Instruction::Extend { to, .. }
        | Instruction::Extract { to, .. }
        | Instruction::Concat { to, .. }
        | Instruction::Select { to, .. }
        | Instruction::Load { to, .. }
        | Instruction::Float { to, .. }
        | Instruction::FloatUnary { to, .. }
        | Instruction::FloatFma { to, .. }
        | Instruction::FloatCompare { to, .. }
        | Instruction::Convert { to, .. }
        | Instruction::Overflow { to, .. }
        | Instruction::Poison { to, .. }
        | Instruction::Freeze { to, .. }
        | Instruction::Offset { to, .. }
        | Instruction::Allocate { to, .. }
        | Instruction::Mark { to }
        | Instruction::Variadic { to }
        | Instruction::ObjectSize { to, .. } => Some(to),
        Instruction::Call { to, .. } | Instruction::CallIndirect { to, .. } => match to.as_mut_slice() {
            [to] => Some(to),
            _ => None,
        },
        Instruction::Store { .. }
        | Instruction::CopyMemory { .. }
        | Instruction::FillMemory { .. }
        | Instruction::Release { .. }
        | Instruction::Jump { .. }
        | Instruction::Branch { .. }
        | Instruction::Switch { .. }
        | Instruction::JumpIndirect { .. }
        | Instruction::Return { .. }
        | Instruction::Unreachable
        | Instruction::Trap { .. }
        | Instruction::Unsupported { .. } => None,
    }
}
