//! Each instruction against a reference of its own: by the fast path, by the general path, and on terms.
//!
//! Functions are straight and end in a trap, so that the registers can be looked at afterwards. The reference computes on 128-bit
//! integers and a vector of bytes and shares no code with the engine. On terms, exactly one of the paths must belong
//! to the input, end as the reference says, and have registers whose terms evaluate to the reference's values.

use strata_fuzz::Random;
use strata_fuzz::engine::{image, run};
use strata_interp::{Checks, Config, End, ErrorKind, Image};
use strata_ir::*;
use strata_memory::Value;
use strata_query::Model;
use strata_term::{Bits, Term, eval};

const BINARY: [BinaryOp; 19] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Ult,
    BinaryOp::Ule,
    BinaryOp::Slt,
    BinaryOp::Sle,
];
const UNARY: [UnaryOp; 7] = [
    UnaryOp::Not,
    UnaryOp::Neg,
    UnaryOp::PopCount,
    UnaryOp::LeadingZeros,
    UnaryOp::TrailingZeros,
    UnaryOp::ByteSwap,
    UnaryOp::BitReverse,
];
const OVERFLOW: [OverflowOp; 6] =
    [OverflowOp::SAdd, OverflowOp::UAdd, OverflowOp::SSub, OverflowOp::USub, OverflowOp::SMul, OverflowOp::UMul];

/// Has the source language a rule that this operator can break?
fn may_be_checked(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)
}

// ---- the reference ----

fn cut(width: u32, value: u128) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

fn signed(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    (value << unused) as i128 >> unused
}

fn fits(width: u32, value: i128) -> bool {
    signed(width, cut(width, value as u128)) == value
}

fn binary(op: BinaryOp, width: u32, a: u128, b: u128, checked: bool, overflow: bool) -> Result<u128, ErrorKind> {
    let nsw = checked && overflow;
    let (sa, sb) = (signed(width, a), signed(width, b));
    let bit = |holds: bool| Ok(u128::from(holds));
    let wrap = |exact: Option<i128>, wrapped: u128| match exact {
        Some(exact) if fits(width, exact) => Ok(cut(width, wrapped)),
        Some(_) | None if nsw => Err(ErrorKind::Overflow),
        Some(_) | None => Ok(cut(width, wrapped)),
    };
    let least = sa == signed(width, 1 << (width - 1));
    match op {
        BinaryOp::Add => wrap(sa.checked_add(sb), a.wrapping_add(b)),
        BinaryOp::Sub => wrap(sa.checked_sub(sb), a.wrapping_sub(b)),
        BinaryOp::Mul => wrap(sa.checked_mul(sb), a.wrapping_mul(b)),
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem if b == 0 => Err(ErrorKind::Div),
        BinaryOp::SDiv | BinaryOp::SRem if least && sb == -1 => Err(ErrorKind::Overflow),
        BinaryOp::UDiv => Ok(a / b),
        BinaryOp::URem => Ok(a % b),
        BinaryOp::SDiv => Ok(cut(width, (sa / sb) as u128)),
        BinaryOp::SRem => Ok(cut(width, (sa % sb) as u128)),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if b >= u128::from(width) && checked => {
            Err(ErrorKind::Overshift)
        }
        BinaryOp::Shl | BinaryOp::LShr if b >= u128::from(width) => Ok(0),
        BinaryOp::AShr if b >= u128::from(width) => Ok(cut(width, (sa >> 127) as u128)),
        BinaryOp::Shl => Ok(cut(width, a << b)),
        BinaryOp::LShr => Ok(a >> b),
        BinaryOp::AShr => Ok(cut(width, (sa >> b) as u128)),
        BinaryOp::And => Ok(a & b),
        BinaryOp::Or => Ok(a | b),
        BinaryOp::Xor => Ok(a ^ b),
        BinaryOp::Eq => bit(a == b),
        BinaryOp::Ne => bit(a != b),
        BinaryOp::Ult => bit(a < b),
        BinaryOp::Ule => bit(a <= b),
        BinaryOp::Slt => bit(sa < sb),
        BinaryOp::Sle => bit(sa <= sb),
    }
}

fn unary(op: UnaryOp, width: u32, a: u128) -> u128 {
    let unused = 128 - width;
    let value = match op {
        UnaryOp::Not => !a,
        UnaryOp::Neg => a.wrapping_neg(),
        UnaryOp::PopCount => u128::from(a.count_ones()),
        UnaryOp::LeadingZeros => u128::from(a.leading_zeros() - unused),
        UnaryOp::TrailingZeros => u128::from(a.trailing_zeros().min(width)),
        UnaryOp::ByteSwap => a.swap_bytes() >> unused,
        UnaryOp::BitReverse => a.reverse_bits() >> unused,
    };
    cut(width, value)
}

fn overflows(op: OverflowOp, width: u32, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let out = |exact: Option<i128>| !exact.is_some_and(|exact| fits(width, exact));
    match op {
        OverflowOp::SAdd => out(sa.checked_add(sb)),
        OverflowOp::SSub => out(sa.checked_sub(sb)),
        OverflowOp::SMul => out(sa.checked_mul(sb)),
        OverflowOp::UAdd => a.checked_add(b).is_none_or(|sum| cut(width, sum) != sum),
        OverflowOp::USub => a < b,
        OverflowOp::UMul => a.checked_mul(b).is_none_or(|product| cut(width, product) != product),
    }
}

/// The bytes of the one object of a generated function.
const OBJECT: u64 = 48;

struct Reference<'a> {
    function: &'a Function,
    registers: Vec<u128>,
    memory: Vec<u8>,
    /// Where the object is.
    base: u128,
    /// Is signed overflow looked for?
    overflow: bool,
}

impl Reference<'_> {
    fn value(&self, operand: &Operand) -> u128 {
        match operand {
            Operand::Reg(reg) => self.registers[reg.index()],
            Operand::Const(Constant::Bits(bits)) => number(bits),
            Operand::Const(_) => unreachable!("not generated"),
        }
    }

    fn width(&self, operand: &Operand) -> u32 {
        match operand {
            Operand::Reg(reg) => self.function.registers[reg.index()],
            Operand::Const(Constant::Bits(bits)) => bits.width(),
            Operand::Const(_) => unreachable!("not generated"),
        }
    }

    fn place(&self, operand: &Operand, count: usize) -> Result<usize, ErrorKind> {
        let offset = self.value(operand).wrapping_sub(self.base) as u64;
        let inside = offset <= OBJECT && count as u64 <= OBJECT - offset;
        if inside { Ok(offset as usize) } else { Err(ErrorKind::Ptr) }
    }

    fn run(&mut self) -> Result<(), ErrorKind> {
        let function = self.function;
        for instruction in &function.blocks[0].instructions {
            let Some((to, value)) = self.step(instruction)? else { continue };
            self.registers[to.index()] = cut(function.registers[to.index()], value);
        }
        Ok(())
    }

    fn step(&mut self, instruction: &Instruction) -> Result<Option<(Reg, u128)>, ErrorKind> {
        Ok(Some(match instruction {
            Instruction::Copy { to, from } => (*to, self.value(from)),
            Instruction::Binary { op, to, a, b, checked } => {
                (*to, binary(*op, self.width(a), self.value(a), self.value(b), *checked, self.overflow)?)
            }
            Instruction::Unary { op, to, a } => (*to, unary(*op, self.width(a), self.value(a))),
            Instruction::Overflow { op, to, a, b } => {
                (*to, u128::from(overflows(*op, self.width(a), self.value(a), self.value(b))))
            }
            Instruction::Extend { to, a, signed: true } => (*to, signed(self.width(a), self.value(a)) as u128),
            Instruction::Extend { to, a, signed: false } => (*to, self.value(a)),
            Instruction::Extract { to, a, low } => (*to, self.value(a) >> low),
            Instruction::Concat { to, high, low } => (*to, self.value(high) << self.width(low) | self.value(low)),
            Instruction::Select { to, condition, a, b } => {
                (*to, if self.value(condition) == 1 { self.value(a) } else { self.value(b) })
            }
            Instruction::Offset { to, base, index, scale } => {
                let index = signed(self.width(index), self.value(index)) as u128;
                (*to, self.value(base).wrapping_add(index.wrapping_mul(u128::from(*scale))))
            }
            Instruction::Load { to, address } => {
                let count = self.function.registers[to.index()].div_ceil(8) as usize;
                let at = self.place(address, count)?;
                (*to, self.memory[at..at + count].iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte)))
            }
            Instruction::Store { address, value, width } => {
                let count = width.div_ceil(8) as usize;
                let at = self.place(address, count)?;
                let bytes = self.value(value).to_le_bytes();
                self.memory[at..at + count].copy_from_slice(&bytes[..count]);
                return Ok(None);
            }
            Instruction::CopyMemory { to, from, length } => {
                let count = self.value(length) as usize;
                if count > 0 {
                    let (from, to) = (self.place(from, count)?, self.place(to, count)?);
                    self.memory.copy_within(from..from + count, to);
                }
                return Ok(None);
            }
            Instruction::FillMemory { to, value, length } => {
                let count = self.value(length) as usize;
                if count > 0 {
                    let at = self.place(to, count)?;
                    let byte = self.value(value) as u8;
                    self.memory[at..at + count].fill(byte);
                }
                return Ok(None);
            }
            Instruction::Allocate { to, .. } => (*to, self.base),
            Instruction::Trap { .. } => return Err(ErrorKind::Abort),
            other => unreachable!("not generated: {other:?}"),
        }))
    }
}

// ---- comparing ----

fn number(bits: &Bits) -> u128 {
    bits.to_words().iter().rev().fold(0, |value, word| value << 64 | u128::from(*word))
}

fn bits(width: u32, value: u128) -> Bits {
    Bits::from_words(width, &[value as u64, (value >> 64) as u64][..width.div_ceil(64) as usize])
}

/// An argument as bytes of an input.
fn symbolic(model: &mut Model, place: &mut u64, width: u32, value: u128) -> Value {
    let array = Term::array("input", 32);
    let count = width.div_ceil(8);
    for i in 0..u64::from(count) {
        model.set_cell(&array, *place + i, (value >> (8 * i)) as u8);
    }
    let term = array.read(&Term::number(32, *place), count).extract(width - 1, 0);
    *place += u64::from(count);
    Value::term(term)
}

fn config(overflow: bool) -> Config {
    let checks = Checks { overflow, ..Config::default().checks };
    Config { checks, solver_timeout: std::time::Duration::from_millis(1500), ..Config::default() }
}

#[derive(Default)]
struct Figures {
    ends: std::collections::BTreeMap<String, u64>,
    undecided: u64,
}

/// Runs the function `f` on these arguments in all ways, and compares.
fn compare(image: &Image, overflow: bool, arguments: &[u128], terms: bool, figures: &mut Figures) {
    let function = &image.program().functions[image.function("f").expect("f").index()];
    let widths: Vec<u32> = function.params.iter().map(|reg| function.registers[reg.index()]).collect();
    let config = config(overflow);
    let plain: Vec<Value> = widths.iter().zip(arguments).map(|(w, a)| Value::constant(&bits(*w, *a))).collect();
    let fast = run(image, &config, "f", &plain);
    assert_eq!(fast.len(), 1, "one path on plain values");
    let base = fast[0].state.objects().find(|o| o.kind() == strata_memory::Kind::Stack).map_or(0, |o| o.address());
    let mut registers = vec![0; function.registers.len()];
    function.params.iter().zip(arguments).for_each(|(reg, argument)| registers[reg.index()] = *argument);
    let memory = vec![0; OBJECT as usize];
    let mut reference = Reference { function, registers, memory, base: u128::from(base), overflow };
    let expected = reference.run().expect_err("it ends in a trap");
    *figures.ends.entry(expected.to_string()).or_default() += 1;
    let shown = || format!("{}\n{arguments:?}", text::print(image.program()));
    let same = |ended: &strata_fuzz::engine::Ended, model: &Model, way: &str| {
        match &ended.end {
            End::Error(fault) => assert_eq!(fault.kind, expected, "{way}: {}", shown()),
            other => panic!("{way}: {other:?} instead of {expected}\n{}", shown()),
        }
        for (i, value) in ended.state.stack().registers_ref()[..function.registers.len()].iter().enumerate() {
            let width = function.registers[i];
            let found = value.term.as_ref().map_or(u128::from(value.bits), |term| {
                assert_eq!(term.width(), width, "{way}: r{i} {}", shown());
                number(&eval(term, model))
            });
            assert_eq!(found, reference.registers[i], "{way}: r{i} {}", shown());
        }
    };
    same(&fast[0], &Model::default(), "fast");
    // A term where there could be plain bits makes the fast path decline.
    let constant =
        |(width, value): (&u32, &u128)| Value { term: Some(Term::constant(bits(*width, *value))), ..Value::default() };
    let forced: Vec<Value> = widths.iter().zip(arguments).map(constant).collect();
    let general = run(image, &config, "f", &forced);
    assert_eq!(general.len(), 1, "one path on constants");
    same(&general[0], &Model::default(), "general");
    if terms {
        let (mut model, mut place) = (Model::default(), 0);
        let inputs: Vec<Value> =
            widths.iter().zip(arguments).map(|(w, a)| symbolic(&mut model, &mut place, *w, *a)).collect();
        let ended = run(image, &config, "f", &inputs);
        let taken: Vec<_> = ended.iter().filter(|ended| ended.is_taken_by(&model)).collect();
        match taken.as_slice() {
            [] => {
                assert!(
                    ended.iter().any(|e| !e.notes().is_empty() || e.name().starts_with("incomplete")),
                    "lost: {}",
                    shown()
                );
                figures.undecided += 1;
            }
            [one] if one.name().starts_with("incomplete") => figures.undecided += 1,
            [one] => same(one, &model, "terms"),
            several => panic!("{} paths for one input: {}", several.len(), shown()),
        }
    }
}

// ---- programs ----

/// A function that ends in a trap, after which all registers are looked at. So none may share its slot with another, as registers may that are not live at once: a block
/// that is never entered calls `setjmp`, which keeps them apart.
fn function(registers: Vec<u32>, params: usize, mut instructions: Vec<Instruction>) -> Program {
    let place = PlaceId(0);
    let block = |instructions: Vec<Instruction>| Block { places: vec![place; instructions.len()], instructions };
    let trap = || Instruction::Trap { kind: String::new() };
    instructions.push(trap());
    let never = vec![Instruction::Call { to: vec![], function: FunctionId(1), arguments: vec![] }, trap()];
    let made = |name: &str, params: usize, registers: Vec<u32>, blocks: Vec<Block>| Function {
        name: name.to_string(),
        linkage: Linkage::Own,
        params: (0..params as u32).map(Reg).collect(),
        variadic: false,
        returns: vec![],
        registers,
        blocks,
        place,
        variables: vec![],
    };
    let f = made("f", params, registers, vec![block(instructions), block(never)]);
    let functions = vec![f, made("setjmp", 0, vec![], vec![])];
    Program { functions, places: vec![Place::default()], ..Program::default() }
}

fn reg(number: u32) -> Operand {
    Operand::Reg(Reg(number))
}

#[test]
fn narrow_operators_on_all_operands() {
    let mut figures = Figures::default();
    for width in 1..=4 {
        let all = || (0..1u128 << width).flat_map(|a| (0..1u128 << width).map(move |b| [a, b]));
        for op in BINARY {
            for checked in [false, true] {
                if checked && !may_be_checked(op) {
                    continue;
                }
                let result = if matches!(
                    op,
                    BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle
                ) {
                    1
                } else {
                    width
                };
                let instruction = Instruction::Binary { op, to: Reg(2), a: reg(0), b: reg(1), checked };
                let image = image(function(vec![width, width, result], 2, vec![instruction]), checked);
                all().for_each(|[a, b]| compare(&image, checked, &[a, b], true, &mut figures));
            }
        }
        for op in OVERFLOW {
            let instruction = Instruction::Overflow { op, to: Reg(2), a: reg(0), b: reg(1) };
            let image = image(function(vec![width, width, 1], 2, vec![instruction]), false);
            all().for_each(|[a, b]| compare(&image, false, &[a, b], true, &mut figures));
        }
        for op in UNARY.into_iter().filter(|op| *op != UnaryOp::ByteSwap) {
            let image =
                image(function(vec![width, width], 1, vec![Instruction::Unary { op, to: Reg(1), a: reg(0) }]), false);
            (0..1u128 << width).for_each(|a| compare(&image, false, &[a], true, &mut figures));
        }
    }
    assert!(figures.undecided == 0, "{} undecided", figures.undecided);
    assert!(["div", "overflow", "overshift", "abort"].iter().all(|end| figures.ends.contains_key(*end)));
}

struct Generator {
    random: Random,
    registers: Vec<u32>,
    instructions: Vec<Instruction>,
    /// The register that points to the object, written once.
    object: Option<Reg>,
}

impl Generator {
    fn width(&mut self) -> u32 {
        match self.random.below(8) {
            0 => 1 + self.random.draw(8),
            1 => 1 + self.random.draw(128),
            2 => 64 + self.random.draw(3) - 1,
            3 => 128,
            _ => *self.random.pick(&[1, 8, 16, 32, 64, 64]),
        }
    }

    /// A register to be written: a new one, or one that loses the value (plain bits or a term) that it had.
    fn new_reg(&mut self, width: u32) -> Reg {
        let fits = |reg: &u32| self.registers[*reg as usize] == width && self.object != Some(Reg(*reg));
        let used: Vec<u32> = (0..self.registers.len() as u32).filter(fits).collect();
        if !used.is_empty() && self.random.one_in(4) {
            return Reg(*self.random.pick(&used));
        }
        self.registers.push(width);
        Reg(self.registers.len() as u32 - 1)
    }

    /// An operand of a width: a register that has it, or a constant. Made from another where that helps variety.
    fn operand(&mut self, width: u32) -> Operand {
        let fitting: Vec<u32> =
            (0..self.registers.len() as u32).filter(|i| self.registers[*i as usize] == width).collect();
        if !fitting.is_empty() && !self.random.one_in(4) {
            return reg(*self.random.pick(&fitting));
        }
        if self.random.one_in(3) {
            return Operand::Const(Constant::Bits(self.random.constant(width)));
        }
        let from = self.random.below(self.registers.len()) as u32;
        let have = self.registers[from as usize];
        let to = self.new_reg(width);
        let a = reg(from);
        self.instructions.push(match have.cmp(&width) {
            std::cmp::Ordering::Less => Instruction::Extend { to, a, signed: self.random.one_in(2) },
            std::cmp::Ordering::Equal => Instruction::Copy { to, from: a },
            std::cmp::Ordering::Greater => Instruction::Extract { to, a, low: self.random.draw(have - width + 1) },
        });
        Operand::Reg(to)
    }

    /// An address in the object: by a constant, or by a masked value.
    fn address(&mut self, base: Reg) -> Operand {
        let index = if self.random.one_in(2) {
            Operand::Const(Constant::Bits(Bits::new(64, self.random.number() % 32)))
        } else {
            let narrow = self.operand(8);
            let masked = self.new_reg(8);
            let mask = Operand::Const(Constant::Bits(Bits::new(8, *self.random.pick(&[7, 15, 31, 63]))));
            self.instructions.push(Instruction::Binary {
                op: BinaryOp::And,
                to: masked,
                a: narrow,
                b: mask,
                checked: false,
            });
            Operand::Reg(masked)
        };
        let to = self.new_reg(64);
        self.instructions.push(Instruction::Offset { to, base: Operand::Reg(base), index, scale: 1 });
        Operand::Reg(to)
    }

    fn instruction(&mut self, object: Option<Reg>) {
        let width = self.width();
        let instruction = match (self.random.below(14), object) {
            (0, _) => Instruction::Unary {
                op: *self.random.pick(&UNARY[..5]),
                a: self.operand(width),
                to: self.new_reg(width),
            },
            (1, _) => {
                let width = 16 * (1 + self.random.draw(8));
                let op = if self.random.one_in(2) { UnaryOp::ByteSwap } else { UnaryOp::BitReverse };
                Instruction::Unary { op, a: self.operand(width), to: self.new_reg(width) }
            }
            (2, _) => {
                let (op, a, b) = (*self.random.pick(&OVERFLOW), self.operand(width), self.operand(width));
                Instruction::Overflow { op, a, b, to: self.new_reg(1) }
            }
            (3, _) => {
                let (condition, a, b) = (self.operand(1), self.operand(width), self.operand(width));
                Instruction::Select { condition, a, b, to: self.new_reg(width) }
            }
            (4, _) => {
                let other = 1 + self.random.draw(64);
                let width = width.min(64);
                let (high, low) = (self.operand(width), self.operand(other));
                Instruction::Concat { high, low, to: self.new_reg(width + other) }
            }
            (5 | 6, Some(object)) => {
                let (address, value) = (self.address(object), self.operand(width));
                Instruction::Store { address, value, width }
            }
            (7 | 8, Some(object)) => {
                let address = self.address(object);
                Instruction::Load { address, to: self.new_reg(width) }
            }
            (9, Some(object)) => {
                let (to, from) = (self.address(object), self.address(object));
                let length = Operand::Const(Constant::Bits(Bits::new(64, self.random.number() % 17)));
                Instruction::CopyMemory { to, from, length }
            }
            (10, Some(object)) => {
                let (to, value) = (self.address(object), self.operand(8));
                let length = Operand::Const(Constant::Bits(Bits::new(64, self.random.number() % 17)));
                Instruction::FillMemory { to, value, length }
            }
            _ => {
                let op = *self.random.pick(&BINARY);
                let checked = may_be_checked(op) && self.random.one_in(4);
                let shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
                let compares = matches!(
                    op,
                    BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle
                );
                let a = self.operand(width);
                let b = if shift && !self.random.one_in(4) {
                    Operand::Const(Constant::Bits(Bits::new(width, u64::from(self.random.draw(width)))))
                } else {
                    self.operand(width)
                };
                Instruction::Binary { op, a, b, checked, to: self.new_reg(if compares { 1 } else { width }) }
            }
        };
        self.instructions.push(instruction);
    }
}

fn generated(seed: u64, narrow: bool) -> (Program, Vec<u128>) {
    let mut generator = Generator { random: Random(seed), registers: vec![], instructions: vec![], object: None };
    let params = 2 + generator.random.below(3);
    let mut arguments = Vec::new();
    for _ in 0..params {
        let width = if narrow { *generator.random.pick(&[1, 3, 8, 16]) } else { generator.width() };
        generator.registers.push(width);
        arguments.push(number(&generator.random.constant(width)));
    }
    let object = generator.random.one_in(2).then(|| {
        generator.registers.push(64);
        let to = Reg(generator.registers.len() as u32 - 1);
        generator.object = Some(to);
        let number = |n: u64| Operand::Const(Constant::Bits(Bits::new(64, n)));
        let byte = Operand::Const(Constant::Bits(Bits::new(8, 0)));
        generator.instructions.push(Instruction::Allocate { to, size: number(OBJECT), align: 8, name: String::new() });
        generator.instructions.push(Instruction::FillMemory {
            to: Operand::Reg(to),
            value: byte,
            length: number(OBJECT),
        });
        to
    });
    let count = 3 + generator.random.below(8);
    (0..count).for_each(|_| generator.instruction(object));
    (function(generator.registers, params, generator.instructions), arguments)
}

#[test]
fn random_functions() {
    let mut figures = Figures::default();
    for seed in 0..3000 {
        let overflow = seed % 2 == 0;
        let (program, arguments) = generated(seed, false);
        let image = image(program, overflow);
        compare(&image, overflow, &arguments, false, &mut figures);
        let widths: Vec<u32> = image.program().functions[0]
            .params
            .iter()
            .map(|r| image.program().functions[0].registers[r.index()])
            .collect();
        let mut random = Random(seed ^ 0xabcd);
        for _ in 0..3 {
            let arguments: Vec<u128> = widths.iter().map(|width| number(&random.constant(*width))).collect();
            compare(&image, overflow, &arguments, false, &mut figures);
        }
    }
    assert!(
        ["div", "overflow", "overshift", "abort", "ptr"].iter().all(|end| figures.ends.contains_key(*end)),
        "{:?}",
        figures.ends
    );
}

#[test]
fn random_functions_on_terms() {
    let mut figures = Figures::default();
    for seed in 0..400 {
        let overflow = seed % 2 == 0;
        let (program, arguments) = generated(seed + 1_000_000, true);
        let image = image(program, overflow);
        compare(&image, overflow, &arguments, true, &mut figures);
    }
    let all: u64 = figures.ends.values().sum();
    assert!(figures.undecided * 10 < all, "{} of {all} undecided", figures.undecided);
}
