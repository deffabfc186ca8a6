//! Random programs that verify, with every instruction, and random control flow graphs.

#![allow(dead_code, reason = "each test file uses its part")]

use strata_ir::*;
use strata_term::{Bits, Random};

const WIDTHS: &[u32] = &[1, 7, 8, 16, 32, 33, 64, 65, 128, 300];
const STRINGS: &[&str] =
    &["x", "", "a b", "quote\"back\\slash", "tab\tnew\nline", "größe", "\u{202e}odd", "0", "r1", ".str.1"];

/// The kind of an instruction, below `KINDS`. Has no catch-all: a new instruction wants to be generated, too.
pub fn kind(instruction: &Instruction) -> usize {
    match instruction {
        Instruction::Copy { .. } => 0,
        Instruction::Binary { .. } => 1,
        Instruction::Unary { .. } => 2,
        Instruction::Overflow { .. } => 3,
        Instruction::Extend { .. } => 4,
        Instruction::Extract { .. } => 5,
        Instruction::Concat { .. } => 6,
        Instruction::Select { .. } => 7,
        Instruction::Offset { .. } => 8,
        Instruction::Load { .. } => 9,
        Instruction::Store { .. } => 10,
        Instruction::CopyMemory { .. } => 11,
        Instruction::FillMemory { .. } => 12,
        Instruction::Allocate { .. } => 13,
        Instruction::Mark { .. } => 14,
        Instruction::Release { .. } => 15,
        Instruction::Variadic { .. } => 16,
        Instruction::ObjectSize { .. } => 17,
        Instruction::Call { .. } => 18,
        Instruction::CallIndirect { .. } => 19,
        Instruction::Float { .. } => 20,
        Instruction::FloatUnary { .. } => 21,
        Instruction::FloatFma { .. } => 22,
        Instruction::FloatCompare { .. } => 23,
        Instruction::Convert { .. } => 24,
        Instruction::Jump { .. } => 25,
        Instruction::Branch { .. } => 26,
        Instruction::Switch { .. } => 27,
        Instruction::JumpIndirect { .. } => 28,
        Instruction::Return { .. } => 29,
        Instruction::Unreachable => 30,
        Instruction::Trap { .. } => 31,
        Instruction::Unsupported { .. } => 32,
        Instruction::Poison { .. } => 33,
        Instruction::Freeze { .. } => 34,
    }
}

pub const KINDS: usize = 35;
const STRAIGHT: u32 = 27;

/// A random program that verifies.
pub fn program(random: &mut Random) -> Program {
    let mut program = Program { places: vec![Place::default()], ..Program::default() };
    positions(random, &mut program);
    for id in 0..1 + random.draw(4) {
        let name = if random.one_in(3) { format!("{}{id}", random.pick(STRINGS)) } else { format!("global{id}") };
        let global = Global {
            name,
            linkage: linkage(random),
            size: u64::from(random.draw(100)),
            align: 1 << random.draw(7),
            constant: random.one_in(2),
            init: Init::Zero,
            place: place(random, &program),
        };
        program.globals.push(global);
    }
    for id in 0..2 + random.draw(4) {
        let function = signature(random, &program, id);
        program.functions.push(function);
    }
    contents(random, &mut program);
    for id in 0..program.functions.len() {
        let mut function = program.functions[id].clone();
        for block in 0..function.blocks.len() {
            function.blocks[block] = Body { random, program: &program, function: &mut function }.block();
        }
        if random.one_in(2) && !function.registers.is_empty() {
            let reg = Reg(random.draw(function.registers.len() as u32));
            function.variables.push(Variable { name: random.pick(STRINGS).to_string(), reg });
        }
        program.functions[id] = function;
    }
    program
}

fn linkage(random: &mut Random) -> Linkage {
    if random.one_in(2) { Linkage::Own } else { Linkage::Library }
}

fn place(random: &mut Random, program: &Program) -> PlaceId {
    if random.one_in(2) { PlaceId(0) } else { PlaceId(random.draw(program.places.len() as u32)) }
}

fn positions(random: &mut Random, program: &mut Program) {
    for _ in 0..1 + random.draw(3) {
        program.files.push(random.pick(STRINGS).to_string());
    }
    for id in 1..1 + random.draw(6) {
        let file = random.draw(program.files.len() as u32);
        let inlined_at = if random.one_in(2) { 0 } else { random.draw(id) };
        program.places.push(Place { file, line: random.draw(90), column: random.draw(9), inlined_at });
    }
}

fn signature(random: &mut Random, program: &Program, id: u32) -> Function {
    let name = if random.one_in(3) { format!("{}f{id}", random.pick(STRINGS)) } else { format!("f{id}") };
    let registers: Vec<u32> = (0..random.draw(4)).map(|_| *random.pick(WIDTHS)).collect();
    Function {
        name,
        linkage: linkage(random),
        params: (0..registers.len() as u32).map(Reg).filter(|_| !random.one_in(4)).collect(),
        variadic: random.one_in(2),
        returns: (0..random.draw(3)).map(|_| *random.pick(WIDTHS)).collect(),
        registers,
        blocks: vec![Block::default(); random.below(5)],
        place: place(random, program),
        variables: Vec::new(),
    }
}

fn contents(random: &mut Random, program: &mut Program) {
    for id in 0..program.globals.len() {
        let size = program.globals[id].size as usize;
        let mut bytes: Vec<u8> = (0..size).map(|_| random.number() as u8).collect();
        let (mut relocations, mut offset) = (Vec::new(), random.below(9));
        while offset + 8 <= size {
            bytes[offset..offset + 8].fill(0);
            let (target, addend) = address(random, program);
            relocations.push(Relocation { offset: offset as u64, target, addend });
            offset += 8 + random.below(30);
        }
        program.globals[id].init = match random.below(4) {
            0 => Init::Undefined,
            1 => Init::Zero,
            _ => Init::Bytes { bytes, relocations },
        };
    }
}

fn address(random: &mut Random, program: &Program) -> (Target, i64) {
    let function = FunctionId(random.draw(program.functions.len() as u32));
    let blocks = program.functions[function.index()].blocks.len() as u32;
    let target = match random.below(3) {
        0 => Target::Function(function),
        1 if blocks > 0 => Target::Block(function, BlockId(random.draw(blocks))),
        _ => Target::Global(GlobalId(random.draw(program.globals.len() as u32))),
    };
    (target, *random.pick(&[0, 0, 8, -8, i64::MAX, i64::MIN]))
}

struct Body<'a> {
    random: &'a mut Random,
    program: &'a Program,
    function: &'a mut Function,
}

impl Body<'_> {
    fn block(&mut self) -> Block {
        let mut block = Block::default();
        for _ in 0..self.random.below(8) {
            let kind = self.random.draw(STRAIGHT);
            block.instructions.push(self.straight(kind));
        }
        block.instructions.push(self.terminator());
        block.places = block.instructions.iter().map(|_| place(self.random, self.program)).collect();
        block
    }

    fn width(&mut self) -> u32 {
        *self.random.pick(WIDTHS)
    }

    fn register(&mut self, width: u32, new: bool) -> Reg {
        let known = self.function.registers.iter().rposition(|known| *known == width);
        match known {
            Some(known) if !new => Reg(known as u32),
            Some(_) | None => {
                self.function.registers.push(width);
                Reg(self.function.registers.len() as u32 - 1)
            }
        }
    }

    fn to(&mut self, width: u32) -> Reg {
        let new = self.random.one_in(2);
        self.register(width, new)
    }

    fn operand(&mut self, width: u32) -> Operand {
        match self.random.below(6) {
            0 => Operand::Const(Constant::Bits(self.random.constant(width))),
            1 => Operand::Const(Constant::Undefined(width)),
            2 if width == 64 => {
                let (target, addend) = address(self.random, self.program);
                Operand::Const(Constant::Address(target, addend))
            }
            _ => Operand::Reg(self.register(width, false)),
        }
    }

    fn arguments(&mut self, count: usize) -> Vec<(Operand, u32)> {
        let argument = |_| {
            let width = self.width();
            (self.operand(width), width)
        };
        (0..count).map(argument).collect()
    }

    fn format(&mut self) -> (FloatFormat, u32) {
        if self.random.one_in(2) { (FloatFormat::Single, 32) } else { (FloatFormat::Double, 64) }
    }

    fn straight(&mut self, kind: u32) -> Instruction {
        let width = self.width();
        match kind {
            0 => Instruction::Copy { to: self.to(width), from: self.operand(width) },
            1 => self.binary(width),
            2 => self.unary(width),
            3 => {
                use OverflowOp::*;
                let op = *self.random.pick(&[SAdd, UAdd, SSub, USub, SMul, UMul]);
                Instruction::Overflow { op, to: self.to(1), a: self.operand(width), b: self.operand(width) }
            }
            4 => {
                let wider = width + self.random.draw(70);
                Instruction::Extend { to: self.to(wider), a: self.operand(width), signed: self.random.one_in(2) }
            }
            5 => {
                let low = self.random.draw(width);
                let part = 1 + self.random.draw(width - low);
                Instruction::Extract { to: self.to(part), a: self.operand(width), low }
            }
            6 => {
                let low = self.width();
                Instruction::Concat { to: self.to(width + low), high: self.operand(width), low: self.operand(low) }
            }
            7 => {
                let (to, condition) = (self.to(width), self.operand(1));
                Instruction::Select { to, condition, a: self.operand(width), b: self.operand(width) }
            }
            8 => {
                let (to, base, index) = (self.to(64), self.operand(64), self.operand(width.min(64)));
                Instruction::Offset { to, base, index, scale: self.random.number() }
            }
            9 => Instruction::Load { to: self.to(width), address: self.operand(64) },
            10 => Instruction::Store { address: self.operand(64), value: self.operand(width), width },
            11 => Instruction::CopyMemory { to: self.operand(64), from: self.operand(64), length: self.operand(64) },
            12 => Instruction::FillMemory { to: self.operand(64), value: self.operand(8), length: self.operand(64) },
            13 => {
                let (align, name) = (1 << self.random.draw(64), self.random.pick(STRINGS).to_string());
                Instruction::Allocate { to: self.to(64), size: self.operand(64), align, name }
            }
            14 => Instruction::Mark { to: self.to(64) },
            15 => Instruction::Release { mark: self.operand(64) },
            16 => Instruction::Variadic { to: self.to(64) },
            17 => Instruction::ObjectSize { to: self.to(64), address: self.operand(64) },
            18 => self.call(),
            19 => self.call_indirect(),
            20 => {
                use FloatOp::*;
                let (format, width) = self.format();
                let op = *self.random.pick(&[Add, Sub, Mul, Div, Rem, Min, Max, CopySign]);
                Instruction::Float { op, format, to: self.to(width), a: self.operand(width), b: self.operand(width) }
            }
            21 => {
                use FloatUnary::*;
                let (format, width) = self.format();
                let op = *self.random.pick(&[Neg, Abs, Sqrt, Floor, Ceil, Trunc, Round, RoundEven]);
                Instruction::FloatUnary { op, format, to: self.to(width), a: self.operand(width) }
            }
            22 => {
                let (format, width) = self.format();
                let (to, a) = (self.to(width), self.operand(width));
                Instruction::FloatFma { format, to, a, b: self.operand(width), c: self.operand(width) }
            }
            23 => self.compare(),
            24 => {
                use Promise::*;
                let promise = *self.random.pick(&[Shift, SignedWrap, UnsignedWrap, Exact, NonNegative, Disjoint]);
                Instruction::Poison { to: self.to(width), promise, broken: self.operand(1), a: self.operand(width) }
            }
            25 => Instruction::Freeze { to: self.to(width), a: self.operand(width) },
            _ => self.convert(),
        }
    }

    fn binary(&mut self, width: u32) -> Instruction {
        use BinaryOp::*;
        let ops = [Add, Sub, Mul, Shl, UDiv, SDiv, URem, SRem, LShr, AShr, And, Or, Xor, Eq, Ne, Ult, Ule, Slt, Sle];
        let index = self.random.below(ops.len());
        let to = self.to(if index >= 13 { 1 } else { width });
        let checked = matches!(index, 0..4 | 8 | 9) && self.random.one_in(2);
        Instruction::Binary { op: ops[index], to, a: self.operand(width), b: self.operand(width), checked }
    }

    fn unary(&mut self, width: u32) -> Instruction {
        use UnaryOp::*;
        let op = *self.random.pick(&[Not, Neg, PopCount, LeadingZeros, TrailingZeros, BitReverse, ByteSwap]);
        let width = if op == ByteSwap { 16 * (1 + self.random.draw(8)) } else { width };
        Instruction::Unary { op, to: self.to(width), a: self.operand(width) }
    }

    fn results(&mut self, returns: &[u32]) -> Vec<Reg> {
        if self.random.one_in(3) { Vec::new() } else { returns.iter().map(|width| self.to(*width)).collect() }
    }

    fn call(&mut self) -> Instruction {
        let function = FunctionId(self.random.draw(self.program.functions.len() as u32));
        let callee = self.program.functions[function.index()].clone();
        let widths = callee.params.iter().map(|param| callee.registers[param.index()]);
        let mut arguments: Vec<_> = widths.map(|width| (self.operand(width), width)).collect();
        if callee.variadic {
            let surplus = self.random.below(3);
            arguments.extend(self.arguments(surplus));
        }
        Instruction::Call { to: self.results(&callee.returns), function, arguments }
    }

    fn call_indirect(&mut self) -> Instruction {
        let returns: Vec<u32> = (0..self.random.draw(3)).map(|_| self.width()).collect();
        let (to, count) = (self.results(&returns), self.random.below(4));
        Instruction::CallIndirect { to, returns, target: self.operand(64), arguments: self.arguments(count) }
    }

    fn compare(&mut self) -> Instruction {
        let (format, width) = self.format();
        let bits = self.random.number();
        let bit = |i: u64| bits >> i & 1 == 1;
        let relation = FloatCompare { less: bit(0), equal: bit(1), greater: bit(2), unordered: bit(3) };
        let (to, a, b) = (self.to(1), self.operand(width), self.operand(width));
        Instruction::FloatCompare { relation, format, to, a, b }
    }

    fn convert(&mut self) -> Instruction {
        let (format, float) = self.format();
        let integer = 1 + self.random.draw(64);
        let (conversion, to, width) = match self.random.below(8) {
            0 => (Conversion::FromSigned(format), float, integer),
            1 => (Conversion::FromUnsigned(format), float, integer),
            2 => (Conversion::ToSigned(format), integer, float),
            3 => (Conversion::ToUnsigned(format), integer, float),
            4 => (Conversion::ToSignedSaturating(format), integer, float),
            5 => (Conversion::ToUnsignedSaturating(format), integer, float),
            6 => (Conversion::Widen, 64, 32),
            _ => (Conversion::Narrow, 32, 64),
        };
        Instruction::Convert { conversion, to: self.to(to), a: self.operand(width), width }
    }

    fn target(&mut self) -> BlockId {
        BlockId(self.random.draw(self.function.blocks.len() as u32))
    }

    fn terminator(&mut self) -> Instruction {
        match self.random.below(8) {
            0 => Instruction::Jump { to: self.target() },
            1 => {
                let (condition, site) = (self.operand(1), self.random.draw(3));
                Instruction::Branch { condition, then: self.target(), otherwise: self.target(), site }
            }
            2 => self.switch(),
            3 => {
                let blocks = (0..self.random.below(4)).map(|_| self.target()).collect();
                Instruction::JumpIndirect { target: self.operand(64), blocks }
            }
            4 => Instruction::Unreachable,
            5 => Instruction::Trap { kind: self.random.pick(STRINGS).to_string() },
            6 => Instruction::Unsupported { reason: self.random.pick(STRINGS).to_string() },
            _ => {
                let returns = self.function.returns.clone();
                Instruction::Return { values: returns.iter().map(|width| self.operand(*width)).collect() }
            }
        }
    }

    fn switch(&mut self) -> Instruction {
        let width = self.width();
        let mut cases: Vec<Case> = Vec::new();
        for _ in 0..self.random.below(6) {
            let value = self.random.constant(width);
            if cases.iter().all(|case| case.value != value) {
                cases.push(Case { value, block: self.target() });
            }
        }
        Instruction::Switch {
            value: self.operand(width),
            width,
            cases,
            default: self.target(),
            site: self.random.draw(9),
        }
    }
}

/// A function with this graph, no instructions but terminators, and one register.
pub fn graph(edges: &[Vec<usize>]) -> Function {
    let block = |targets: &Vec<usize>| Block { instructions: vec![terminator(targets)], places: vec![PlaceId(0)] };
    Function {
        name: "graph".to_owned(),
        linkage: Linkage::Own,
        params: Vec::new(),
        variadic: false,
        returns: Vec::new(),
        registers: vec![1],
        blocks: edges.iter().map(block).collect(),
        place: PlaceId(0),
        variables: Vec::new(),
    }
}

fn terminator(targets: &[usize]) -> Instruction {
    let block = |index: usize| BlockId(index as u32);
    match targets {
        [] => Instruction::Trap { kind: String::new() },
        [to] => Instruction::Jump { to: block(*to) },
        [then, otherwise] => {
            let condition = Operand::Reg(Reg(0));
            Instruction::Branch { condition, then: block(*then), otherwise: block(*otherwise), site: 0 }
        }
        [default, rest @ ..] => {
            let case = |(value, to): (usize, &usize)| Case { value: Bits::new(64, value as u64), block: block(*to) };
            let cases = rest.iter().enumerate().map(case).collect();
            let value = Operand::Const(Constant::Undefined(64));
            Instruction::Switch { value, width: 64, cases, default: block(*default), site: 0 }
        }
    }
}

/// A random graph; most blocks have one or two successors, as in programs.
pub fn edges(random: &mut Random) -> Vec<Vec<usize>> {
    let count = 1 + random.below(12);
    let near = random.one_in(2);
    let target = |random: &mut Random, from: usize| {
        if near && !random.one_in(4) { (from + 1 + random.below(2)).min(count - 1) } else { random.below(count) }
    };
    let degree = |random: &mut Random| *random.pick(&[0, 1, 1, 1, 2, 2, 2, 2, 3, 5]);
    (0..count).map(|from| (0..degree(random)).map(|_| target(random, from)).collect()).collect()
}
