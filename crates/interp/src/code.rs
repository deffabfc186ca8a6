//! Functions in the form that runs: flat, 48 bytes an instruction, operands and constants resolved.
//!
//! What fits into 64 bits and is common has an operation of its own; all else is `General` and refers back to the program's
//! instruction. A fast operation that meets a symbolic operand does the same, so each meaning is written twice at most:
//! once on plain integers (`plain`), once on terms (`exec`). A comparison followed by the branch on it is fused, with the
//! branch kept behind it for the general case. Each instruction carries its handler, which may run those that follow as well.
//! Constants lie behind the function's registers (`slots`): a frame begins with a copy of them, and an operand is one look-up.

use crate::fragment::Loopwise;
use crate::image::Image;
use crate::plain::{Handler, handler};
use crate::slots;
use std::collections::HashMap;
use std::sync::atomic::AtomicU8;
use strata_ir::{BinaryOp, Block, Constant, Function, Instruction, Operand, PlaceId, Reg, UnaryOp};
use strata_memory::{Origin, Value};
use strata_term::Term;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    Copy,
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
    BranchEq,
    BranchNe,
    BranchUlt,
    BranchUle,
    BranchSlt,
    BranchSle,
    ZeroExtend,
    SignExtend,
    Truncate,
    Select,
    Poison,
    Freeze,
    Offset,
    Load,
    Store,
    Concat,
    Not,
    ByteSwap,
    CopyMemory,
    Allocate,
    Jump,
    Branch,
    Switch,
    Call,
    CallIndirect,
    Return,
    /// No instruction of the program's: a place where states of a fragment may stop (`fragment`).
    Landing,
    General,
}

impl Op {
    /// How many operands its result is made of, if of nothing else; none where it is made of more, or something can go wrong that depends on the path. A shift
    /// by a number is fine (`results` looks).
    fn operands(self) -> u8 {
        match self {
            Op::ZeroExtend | Op::SignExtend | Op::Truncate | Op::Not | Op::ByteSwap => 1,
            Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Concat | Op::Offset => 2,
            Op::Shl | Op::LShr | Op::AShr => 2,
            Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Slt | Op::Sle => 2,
            Op::BranchEq | Op::BranchNe | Op::BranchUlt | Op::BranchUle | Op::BranchSlt | Op::BranchSle => 2,
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem => 0,
            Op::Copy | Op::Select | Op::Poison | Op::Freeze | Op::Load | Op::Store | Op::CopyMemory | Op::Allocate => 0,
            Op::Jump
            | Op::Branch
            | Op::Switch
            | Op::Call
            | Op::CallIndirect
            | Op::Return
            | Op::Landing
            | Op::General => 0,
        }
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ins {
    /// What runs it.
    pub run: Handler,
    /// Mask, scale, size, or the sign bit of a comparison's operands.
    pub c: u64,
    /// Where the result goes; this and the operands are offsets in bytes into the frame.
    pub to: u32,
    pub a: u32,
    pub b: u32,
    /// A third operand, the site of a branch, or an index into a side table.
    pub d: u32,
    /// The block to go to.
    pub then: u32,
    /// The block to go to if a condition does not hold.
    pub otherwise: u32,
    pub op: Op,
    /// The operands' width, the bytes of a load or store, or how many values a return has (2: or more).
    pub width: u8,
    /// Of how many operands it makes its result, if of nothing else: what it gave for terms is remembered (`results`).
    pub operands: u8,
}

impl Ins {
    /// The operands' width.
    #[inline(always)]
    pub fn width(&self) -> u32 {
        u32::from(self.width)
    }
}

/// A block's start.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its first instruction, in bytes from the function's first.
    pub at: u32,
    /// Instructions of the program in it.
    pub length: u32,
    /// Its number in the whole program, for coverage.
    pub number: u32,
    /// Is it known to be covered? Saves the look into the program's table.
    pub covered: AtomicU8,
}

impl Entry {
    /// Its first instruction.
    pub fn pc(&self) -> u32 {
        self.at / size_of::<Ins>() as u32
    }
}

/// A switch on plain values.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Values ascending, with the block and the side.
    pub cases: Vec<(u64, u32, u32)>,
    pub default: u32,
    pub site: u32,
}

/// A call's arguments and results. An indirect one has no function yet.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    pub function: u32,
    /// Has the function code, and is it the program's to run?
    pub has_body: bool,
    pub arguments: Vec<(u32, u32)>,
    /// Slots and widths.
    pub to: Vec<(u32, u32)>,
}

/// A local variable: all but its size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub align: u64,
    /// Where it is made.
    pub place: u32,
    /// The number of its name.
    pub name: u32,
    /// Is it one of the program's own functions, and not of a library's?
    pub own: bool,
}

/// A function ready to run.
pub(crate) struct Code {
    pub ins: Vec<Ins>,
    /// What a frame begins with: its registers, all zero, and the constants. None of them is a term.
    pub frame: Vec<Value>,
    /// How many of these, from the first on, may be terms in a call: the registers, or all where a constant is one.
    pub registers: u32,
    /// Constants that are terms, and where they lie in the frame.
    pub terms: Vec<(u32, Value)>,
    /// Where each register lies in the frame.
    pub slots: Vec<u32>,
    pub blocks: Vec<Entry>,
    /// Of each instruction: block and index in the program.
    pub source: Vec<(u32, u32)>,
    pub tables: Vec<Table>,
    pub calls: Vec<CallSite>,
    /// Local variables of constant sizes.
    pub locals: Vec<Local>,
    /// Operands of returns.
    pub returns: Vec<Vec<u32>>,
    /// Where the arguments go in the frame.
    pub params: Vec<u32>,
    /// May it be called with more arguments than these?
    pub variadic: bool,
    /// Does it use a value that nobody chose?
    pub has_undefined: bool,
    /// Its loops, when states are merged.
    pub fragments: Option<Box<Loopwise>>,
}

impl Code {
    /// The place of an instruction.
    pub fn place(&self, function: &Function, pc: u32) -> PlaceId {
        let (block, index) = self.source[(pc as usize).min(self.source.len() - 1)];
        function.blocks[block as usize].places[index as usize]
    }

    /// How many registers a frame has: constants lie behind them.
    pub fn slot_count(&self) -> u32 {
        self.slots.iter().map(|slot| slot + 1).max().unwrap_or(0)
    }

    /// The block that an instruction lies in.
    pub fn block(&self, pc: u32) -> u32 {
        self.source[(pc as usize).min(self.source.len() - 1)].0
    }

    /// Where the results of the call at a position go: slots and widths.
    pub fn results(&self, pc: u32) -> &[(u32, u32)] {
        self.site(pc).map_or(&[], |site| &site.to)
    }

    /// The call at a position.
    pub fn site(&self, pc: u32) -> Option<&CallSite> {
        let ins = &self.ins[pc as usize];
        matches!(ins.op, Op::Call | Op::CallIndirect).then(|| &self.calls[ins.d as usize])
    }

    /// Translates a function of an image.
    pub fn new(image: &Image, number: u32) -> Code {
        let (function, first_block) = (&image.program.functions[number as usize], image.first_block(number));
        // Where a call may come back once more (`setjmp`), what it finds then must still be there.
        let slots = if image.may_come_back(function) { slots::apart(function) } else { slots::shared(function) };
        let code = Code::empty(function, slots);
        let mut maker = Maker { function, number, image, constants: HashMap::new(), code };
        if image.merging && !image.may_come_back(function) {
            maker.code.fragments = Loopwise::new(function, &maker.code.slots).map(Box::new);
        }
        for (i, block) in function.blocks.iter().enumerate() {
            let at = (maker.code.ins.len() * size_of::<Ins>()) as u32;
            if maker.code.fragments.as_ref().is_some_and(|loops| loops.live(i as u32).is_some()) {
                maker.code.ins.push(Ins { op: Op::Landing, run: crate::plain::landing, ..GENERAL });
                maker.code.source.push((i as u32, 0));
            }
            let length = block.instructions.len() as u32;
            maker.code.blocks.push(Entry { at, length, number: first_block + i as u32, covered: AtomicU8::new(0) });
            for (k, instruction) in block.instructions.iter().enumerate() {
                let ins = maker.instruction(block, k, instruction).unwrap_or(GENERAL);
                maker.code.ins.push(ins);
                maker.code.source.push((i as u32, k as u32));
            }
        }
        if !maker.code.terms.is_empty() {
            maker.code.registers = maker.code.frame.len() as u32;
        }
        maker.code.scale_operands();
        maker.code.choose_handlers();
        maker.code
    }

    /// Each instruction is run with as many of those behind it in its block as there are handlers for.
    fn choose_handlers(&mut self) {
        for entry in &self.blocks {
            let first = entry.pc() as usize;
            let first = first + usize::from(self.ins[first].op == Op::Landing);
            let block = &mut self.ins[first..][..entry.length as usize];
            for i in 0..block.len() {
                block[i].run = handler(&block[i..]);
                block[i].operands = block[i].op.operands();
            }
        }
    }

    /// Operands of instructions become offsets in bytes.
    fn scale_operands(&mut self) {
        let scale = |operand: &mut u32| *operand *= size_of::<Value>() as u32;
        for ins in &mut self.ins {
            [&mut ins.to, &mut ins.a, &mut ins.b].into_iter().for_each(scale);
            // Elsewhere `d` is a site or an index.
            if matches!(ins.op, Op::Select | Op::CopyMemory) {
                scale(&mut ins.d);
            }
        }
    }

    fn empty(function: &Function, (slots, count): (Vec<u32>, usize)) -> Code {
        Code {
            ins: Vec::new(),
            frame: vec![Value::default(); count],
            registers: count as u32,
            terms: Vec::new(),
            params: function.params.iter().map(|reg| slots[reg.index()]).collect(),
            slots,
            variadic: function.variadic,
            blocks: Vec::new(),
            source: Vec::new(),
            tables: Vec::new(),
            calls: Vec::new(),
            locals: Vec::new(),
            returns: Vec::new(),
            has_undefined: false,
            fragments: None,
        }
    }
}

pub(crate) const GENERAL: Ins = Ins {
    run: crate::plain::general,
    c: 0,
    to: 0,
    a: 0,
    b: 0,
    d: 0,
    then: 0,
    otherwise: 0,
    op: Op::General,
    width: 0,
    operands: 0,
};

struct Maker<'a> {
    function: &'a Function,
    number: u32,
    image: &'a Image,
    /// Where plain constants lie in the frame.
    constants: HashMap<(u64, Origin), u32>,
    code: Code,
}

impl Maker<'_> {
    fn width(&self, reg: Reg) -> u32 {
        self.function.registers[reg.index()]
    }

    fn slot(&self, reg: Reg) -> u32 {
        self.code.slots[reg.index()]
    }

    fn operand(&mut self, operand: &Operand) -> u32 {
        let constant = match operand {
            Operand::Reg(reg) => return self.slot(*reg),
            Operand::Const(constant) => constant,
        };
        let (value, next) = (self.constant(constant), self.code.frame.len() as u32);
        if value.term.is_some() {
            self.code.terms.push((next, value));
            self.code.frame.push(Value::default());
            return next;
        }
        *self.constants.entry((value.bits, value.origin)).or_insert_with(|| {
            self.code.frame.push(value);
            next
        })
    }

    /// Where the results of a call go.
    fn results(&self, to: &[Reg]) -> Vec<(u32, u32)> {
        to.iter().map(|reg| (self.slot(*reg), self.width(*reg))).collect()
    }

    fn constant(&mut self, constant: &Constant) -> Value {
        match constant {
            Constant::Bits(bits) => Value::constant(bits),
            Constant::Address(target, addend) => {
                let (address, origin) = self.image.address(target);
                Value::pointer(address.wrapping_add_signed(*addend), origin)
            }
            Constant::Undefined(width) => {
                self.code.has_undefined = true;
                let name = format!("undef:{}:{}", self.number, self.code.terms.len());
                Value { bits: 0, origin: Default::default(), term: Some(Term::symbol(&name, *width)) }
            }
        }
    }

    fn operand_width(&self, operand: &Operand) -> u32 {
        match operand {
            Operand::Reg(reg) => self.width(*reg),
            Operand::Const(Constant::Bits(bits)) => bits.width(),
            Operand::Const(Constant::Address(..)) => 64,
            Operand::Const(Constant::Undefined(width)) => *width,
        }
    }

    /// The fast form of an instruction, if there is one.
    fn instruction(&mut self, block: &Block, at: usize, instruction: &Instruction) -> Option<Ins> {
        match instruction {
            Instruction::Copy { to, from } if self.width(*to) <= 64 => {
                let a = self.operand(from);
                Some(Ins { op: Op::Copy, to: self.slot(*to), a, ..GENERAL })
            }
            Instruction::Binary { op, to, a, b, checked }
                if self.operand_width(a) <= 64 && !(*checked && self.image.overflow && may_overflow(*op)) =>
            {
                self.binary(block, at, *op, *to, a, b)
            }
            Instruction::Extend { to, a, signed } if self.width(*to) <= 64 => {
                let from = self.operand_width(a);
                let width = self.width(*to);
                let a = self.operand(a);
                let op = if *signed { Op::SignExtend } else { Op::ZeroExtend };
                Some(Ins { op, width: from as u8, to: self.slot(*to), a, c: strata_term::mask(width), ..GENERAL })
            }
            Instruction::Extract { to, a, low } if self.operand_width(a) <= 64 => {
                let c = strata_term::mask(self.width(*to));
                let a = self.operand(a);
                Some(Ins { op: Op::Truncate, width: *low as u8, to: self.slot(*to), a, c, ..GENERAL })
            }
            Instruction::Concat { to, high, low } if self.width(*to) <= 64 => {
                let width = self.operand_width(low) as u8;
                let (a, b) = (self.operand(high), self.operand(low));
                Some(Ins { op: Op::Concat, width, to: self.slot(*to), a, b, ..GENERAL })
            }
            Instruction::Unary { op: UnaryOp::Not, to, a } if self.width(*to) <= 64 => {
                let c = strata_term::mask(self.width(*to));
                let a = self.operand(a);
                Some(Ins { op: Op::Not, to: self.slot(*to), a, c, ..GENERAL })
            }
            Instruction::Unary { op: UnaryOp::ByteSwap, to, a } if self.width(*to) <= 64 => {
                let width = 64 - self.width(*to) as u8;
                let a = self.operand(a);
                Some(Ins { op: Op::ByteSwap, width, to: self.slot(*to), a, ..GENERAL })
            }
            Instruction::Select { to, condition, a, b } if self.width(*to) <= 64 => {
                let (condition, a, b) = (self.operand(condition), self.operand(a), self.operand(b));
                Some(Ins { op: Op::Select, to: self.slot(*to), a, b, d: condition, ..GENERAL })
            }
            Instruction::Poison { to, promise: _, broken, a } if self.width(*to) <= 64 => {
                let (b, a) = (self.operand(broken), self.operand(a));
                Some(Ins { op: Op::Poison, to: self.slot(*to), a, b, ..GENERAL })
            }
            Instruction::Freeze { to, a } if self.width(*to) <= 64 => {
                let a = self.operand(a);
                Some(Ins { op: Op::Freeze, to: self.slot(*to), a, ..GENERAL })
            }
            Instruction::Offset { to, base, index, scale } => {
                let width = self.operand_width(index) as u8;
                let (a, b) = (self.operand(base), self.operand(index));
                Some(Ins { op: Op::Offset, width, to: self.slot(*to), a, b, c: *scale, ..GENERAL })
            }
            Instruction::Load { to, address } if matches!(self.width(*to), 8 | 16 | 32 | 64) => {
                let width = (self.width(*to) / 8) as u8;
                let a = self.operand(address);
                Some(Ins { op: Op::Load, width, to: self.slot(*to), a, ..GENERAL })
            }
            Instruction::Store { address, value, width } if matches!(width, 8 | 16 | 32 | 64) => {
                let (a, b) = (self.operand(address), self.operand(value));
                Some(Ins { op: Op::Store, width: (width / 8) as u8, a, b, ..GENERAL })
            }
            Instruction::CopyMemory { to, from, length } => {
                let (a, b, d) = (self.operand(to), self.operand(from), self.operand(length));
                Some(Ins { op: Op::CopyMemory, a, b, d, ..GENERAL })
            }
            Instruction::Allocate { to, size: Operand::Const(Constant::Bits(size)), align, name } => {
                let (place, name) = (block.places[at].0, self.image.local_number(name));
                self.code.locals.push(Local { align: *align, place, name, own: self.image.is_own(self.number) });
                let d = self.code.locals.len() as u32 - 1;
                Some(Ins { op: Op::Allocate, to: self.slot(*to), c: size.low_u64(), d, ..GENERAL })
            }
            Instruction::Jump { to } => Some(Ins { op: Op::Jump, then: to.0, ..GENERAL }),
            Instruction::Branch { condition, then, otherwise, site } => {
                let a = self.operand(condition);
                Some(Ins { op: Op::Branch, a, then: then.0, otherwise: otherwise.0, d: *site, ..GENERAL })
            }
            Instruction::Switch { value, width, cases, default, site } if *width <= 64 => {
                let a = self.operand(value);
                let number = |(_, case): (usize, &strata_ir::Case)| {
                    (case.value.low_u64(), case.block.0, side(cases, default.0, case.block.0))
                };
                let mut table: Vec<_> = cases.iter().enumerate().map(number).collect();
                table.sort_unstable();
                self.code.tables.push(Table { cases: table, default: default.0, site: *site });
                Some(Ins { op: Op::Switch, a, d: self.code.tables.len() as u32 - 1, ..GENERAL })
            }
            Instruction::Call { to, function, arguments } => {
                let arguments = arguments.iter().map(|(operand, width)| (self.operand(operand), *width)).collect();
                let to = self.results(to);
                self.code.calls.push(CallSite {
                    function: function.0,
                    has_body: self.image.has_body(function.0),
                    arguments,
                    to,
                });
                Some(Ins { op: Op::Call, d: self.code.calls.len() as u32 - 1, ..GENERAL })
            }
            Instruction::CallIndirect { to, target, arguments, .. } => {
                let a = self.operand(target);
                let arguments = arguments.iter().map(|(operand, width)| (self.operand(operand), *width)).collect();
                let to = self.results(to);
                self.code.calls.push(CallSite { function: u32::MAX, has_body: false, arguments, to });
                Some(Ins { op: Op::CallIndirect, a, d: self.code.calls.len() as u32 - 1, ..GENERAL })
            }
            Instruction::Return { values } => {
                let values: Vec<u32> = values.iter().map(|operand| self.operand(operand)).collect();
                let (a, width) = (values.first().copied().unwrap_or(0), values.len().min(2) as u8);
                self.code.returns.push(values);
                Some(Ins { op: Op::Return, width, a, d: self.code.returns.len() as u32 - 1, ..GENERAL })
            }
            _ => None,
        }
    }

    fn binary(&mut self, block: &Block, at: usize, op: BinaryOp, to: Reg, a: &Operand, b: &Operand) -> Option<Ins> {
        let width = self.operand_width(a);
        let plain = match op {
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::UDiv => Op::UDiv,
            BinaryOp::SDiv => Op::SDiv,
            BinaryOp::URem => Op::URem,
            BinaryOp::SRem => Op::SRem,
            BinaryOp::Shl => Op::Shl,
            BinaryOp::LShr => Op::LShr,
            BinaryOp::AShr => Op::AShr,
            BinaryOp::And => Op::And,
            BinaryOp::Or => Op::Or,
            BinaryOp::Xor => Op::Xor,
            BinaryOp::Eq => Op::Eq,
            BinaryOp::Ne => Op::Ne,
            BinaryOp::Ult => Op::Ult,
            BinaryOp::Ule => Op::Ule,
            BinaryOp::Slt => Op::Slt,
            BinaryOp::Sle => Op::Sle,
        };
        let (a, b) = (self.operand(a), self.operand(b));
        // Comparisons need no mask, signed ones the sign bit.
        let c = if matches!(op, BinaryOp::Slt | BinaryOp::Sle) { 1 << (width - 1) } else { strata_term::mask(width) };
        let ins = Ins { op: plain, width: width as u8, to: self.slot(to), a, b, c, ..GENERAL };
        Some(self.fuse(block, at, ins, to).unwrap_or(ins))
    }

    /// A comparison whose result the next instruction branches on.
    fn fuse(&self, block: &Block, at: usize, ins: Ins, to: Reg) -> Option<Ins> {
        let Some(Instruction::Branch { condition: Operand::Reg(reg), then, otherwise, site }) =
            block.instructions.get(at + 1)
        else {
            return None;
        };
        let op = match ins.op {
            Op::Eq => Op::BranchEq,
            Op::Ne => Op::BranchNe,
            Op::Ult => Op::BranchUlt,
            Op::Ule => Op::BranchUle,
            Op::Slt => Op::BranchSlt,
            Op::Sle => Op::BranchSle,
            _ => return None,
        };
        (*reg == to).then_some(Ins { op, then: then.0, otherwise: otherwise.0, d: *site, ..ins })
    }
}

/// Can it overflow, as far as that is checked?
fn may_overflow(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
}

/// The side of a switch that leads to a block: 0 for the default's, else one more than the index of its first case.
pub(crate) fn side(cases: &[strata_ir::Case], default: u32, block: u32) -> u32 {
    if block == default {
        return 0;
    }
    cases.iter().position(|case| case.block.0 == block).map_or(0, |i| i as u32 + 1)
}
