//! What an instruction reads, what it writes and where it can go: the one list that every analysis uses.
//!
//! The matches name every instruction and have no catch-all, so a new instruction does not compile until it has said
//! what it touches. Nothing is allocated: an instruction has at most three operands of its own, and then either a list
//! of arguments or a list of values. Rejected: a visitor with a callback, which no iterator adaptor can be put on.

use crate::program::{BlockId, Case, Constant, Instruction, Operand, Reg};

/// The operands of an instruction, in the order in which the text form writes them.
struct Reads<'a> {
    own: [Option<&'a Operand>; 3],
    arguments: &'a [(Operand, u32)],
    values: &'a [Operand],
}

impl<'a> Reads<'a> {
    fn none() -> Reads<'a> {
        Reads { own: [None; 3], arguments: &[], values: &[] }
    }

    fn one(a: &'a Operand) -> Reads<'a> {
        Reads { own: [Some(a), None, None], ..Reads::none() }
    }

    fn two(a: &'a Operand, b: &'a Operand) -> Reads<'a> {
        Reads { own: [Some(a), Some(b), None], ..Reads::none() }
    }

    fn three(a: &'a Operand, b: &'a Operand, c: &'a Operand) -> Reads<'a> {
        Reads { own: [Some(a), Some(b), Some(c)], ..Reads::none() }
    }
}

/// The blocks that a terminator names.
struct Exits<'a> {
    own: [Option<BlockId>; 2],
    cases: &'a [Case],
    blocks: &'a [BlockId],
}

impl Exits<'_> {
    fn none() -> Exits<'static> {
        Exits { own: [None; 2], cases: &[], blocks: &[] }
    }
}

impl Instruction {
    /// All operands that it reads, in the order in which the text form writes them.
    pub fn reads(&self) -> impl Iterator<Item = &Operand> {
        let Reads { own, arguments, values } = self.operands();
        own.into_iter().flatten().chain(arguments.iter().map(|(operand, _)| operand)).chain(values)
    }

    /// All registers among `reads`.
    pub fn read_registers(&self) -> impl Iterator<Item = Reg> {
        self.reads().filter_map(|operand| match operand {
            Operand::Reg(reg) => Some(*reg),
            Operand::Const(Constant::Bits(_) | Constant::Address(..) | Constant::Undefined(_)) => None,
        })
    }

    /// All registers that it assigns, in order.
    pub fn writes(&self) -> impl Iterator<Item = Reg> {
        let (own, list) = self.destinations();
        own.into_iter().chain(list.iter().copied())
    }

    /// All blocks where it can go on, in order, as often as they are named; nothing unless it is a terminator.
    pub fn targets(&self) -> impl Iterator<Item = BlockId> {
        let Exits { own, cases, blocks } = self.exits();
        own.into_iter().flatten().chain(cases.iter().map(|case| case.block)).chain(blocks.iter().copied())
    }

    fn operands(&self) -> Reads<'_> {
        match self {
            Instruction::Copy { from: a, .. }
            | Instruction::Freeze { a, .. }
            | Instruction::Unary { a, .. }
            | Instruction::Extend { a, .. }
            | Instruction::Extract { a, .. }
            | Instruction::Load { address: a, .. }
            | Instruction::Allocate { size: a, .. }
            | Instruction::Release { mark: a }
            | Instruction::ObjectSize { address: a, .. }
            | Instruction::FloatUnary { a, .. }
            | Instruction::Convert { a, .. }
            | Instruction::Branch { condition: a, .. }
            | Instruction::Switch { value: a, .. }
            | Instruction::JumpIndirect { target: a, .. } => Reads::one(a),
            Instruction::Binary { a, b, .. }
            | Instruction::Overflow { a, b, .. }
            | Instruction::Poison { broken: a, a: b, .. }
            | Instruction::Concat { high: a, low: b, .. }
            | Instruction::Offset { base: a, index: b, .. }
            | Instruction::Store { address: b, value: a, .. }
            | Instruction::Float { a, b, .. }
            | Instruction::FloatCompare { a, b, .. } => Reads::two(a, b),
            Instruction::Select { condition: a, a: b, b: c, .. }
            | Instruction::CopyMemory { to: a, from: b, length: c }
            | Instruction::FillMemory { to: a, value: b, length: c }
            | Instruction::FloatFma { a, b, c, .. } => Reads::three(a, b, c),
            Instruction::Call { arguments, .. } => Reads { arguments, ..Reads::none() },
            Instruction::CallIndirect { target, arguments, .. } => Reads { arguments, ..Reads::one(target) },
            Instruction::Return { values } => Reads { values, ..Reads::none() },
            Instruction::Mark { .. }
            | Instruction::Variadic { .. }
            | Instruction::Jump { .. }
            | Instruction::Unreachable
            | Instruction::Trap { .. }
            | Instruction::Unsupported { .. } => Reads::none(),
        }
    }

    fn destinations(&self) -> (Option<Reg>, &[Reg]) {
        match self {
            Instruction::Copy { to, .. }
            | Instruction::Binary { to, .. }
            | Instruction::Unary { to, .. }
            | Instruction::Overflow { to, .. }
            | Instruction::Extend { to, .. }
            | Instruction::Extract { to, .. }
            | Instruction::Concat { to, .. }
            | Instruction::Select { to, .. }
            | Instruction::Poison { to, .. }
            | Instruction::Freeze { to, .. }
            | Instruction::Offset { to, .. }
            | Instruction::Load { to, .. }
            | Instruction::Allocate { to, .. }
            | Instruction::Mark { to }
            | Instruction::Variadic { to }
            | Instruction::ObjectSize { to, .. }
            | Instruction::Float { to, .. }
            | Instruction::FloatUnary { to, .. }
            | Instruction::FloatFma { to, .. }
            | Instruction::FloatCompare { to, .. }
            | Instruction::Convert { to, .. } => (Some(*to), &[]),
            Instruction::Call { to, .. } | Instruction::CallIndirect { to, .. } => (None, to),
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
            | Instruction::Unsupported { .. } => (None, &[]),
        }
    }

    fn exits(&self) -> Exits<'_> {
        match self {
            Instruction::Jump { to } => Exits { own: [Some(*to), None], ..Exits::none() },
            Instruction::Branch { then, otherwise, .. } => {
                Exits { own: [Some(*then), Some(*otherwise)], ..Exits::none() }
            }
            Instruction::Switch { cases, default, .. } => Exits { own: [Some(*default), None], cases, ..Exits::none() },
            Instruction::JumpIndirect { blocks, .. } => Exits { blocks, ..Exits::none() },
            Instruction::Return { .. }
            | Instruction::Unreachable
            | Instruction::Trap { .. }
            | Instruction::Unsupported { .. }
            | Instruction::Copy { .. }
            | Instruction::Binary { .. }
            | Instruction::Unary { .. }
            | Instruction::Overflow { .. }
            | Instruction::Extend { .. }
            | Instruction::Extract { .. }
            | Instruction::Concat { .. }
            | Instruction::Select { .. }
            | Instruction::Poison { .. }
            | Instruction::Freeze { .. }
            | Instruction::Offset { .. }
            | Instruction::Load { .. }
            | Instruction::Store { .. }
            | Instruction::CopyMemory { .. }
            | Instruction::FillMemory { .. }
            | Instruction::Allocate { .. }
            | Instruction::Mark { .. }
            | Instruction::Release { .. }
            | Instruction::Variadic { .. }
            | Instruction::ObjectSize { .. }
            | Instruction::Call { .. }
            | Instruction::CallIndirect { .. }
            | Instruction::Float { .. }
            | Instruction::FloatUnary { .. }
            | Instruction::FloatFma { .. }
            | Instruction::FloatCompare { .. }
            | Instruction::Convert { .. } => Exits::none(),
        }
    }
}

impl Constant {
    /// Its width in bits.
    pub fn width(&self) -> u32 {
        match self {
            Constant::Bits(bits) => bits.width(),
            Constant::Address(..) => 64,
            Constant::Undefined(width) => *width,
        }
    }
}
