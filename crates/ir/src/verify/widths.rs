//! The widths and counts that each instruction needs, one arm for each, as `program.rs` says them.

use super::{Fault, Kind, Verifier};
use crate::program::{
    BinaryOp, Case, Constant, Conversion, FloatFormat, Function, FunctionId, Instruction, Operand, Reg, UnaryOp,
};
use std::collections::HashMap;

const ADDRESS: u32 = 64;

/// A width, unless it is that of a register out of range.
type Width = Option<u32>;

impl Verifier<'_> {
    fn equal(&mut self, part: &'static str, found: Width, expected: Width) {
        if let (Some(found), Some(expected)) = (found, expected) {
            self.require(found == expected, Fault::Width { part, found, expected });
        }
    }

    fn at_most(&mut self, part: &'static str, found: Width, most: Width) {
        if let (Some(found), Some(most)) = (found, most) {
            self.require(found <= most, Fault::TooWide { part, found, most });
        }
    }

    fn align(&mut self, align: u64) {
        self.require(align.is_power_of_two(), Fault::Align(align));
    }

    /// Checks what is special to the kind of instruction; ids have been checked already.
    pub(super) fn instruction(&mut self, function: &Function, instruction: &Instruction) {
        let reg = |reg: &Reg| function.registers.get(reg.index()).copied();
        let of = |operand: &Operand| width(function, operand);
        match instruction {
            Instruction::Copy { to, from } => self.equal("the source", of(from), reg(to)),
            Instruction::Binary { op, to, a, b, checked } => {
                self.equal("the second operand", of(b), of(a));
                self.equal("the destination", reg(to), if is_comparison(*op) { Some(1) } else { of(a) });
                self.require(!checked || can_break(*op), Fault::Checked(*op));
            }
            Instruction::Unary { op, to, a } => {
                self.equal("the destination", reg(to), of(a));
                if let (UnaryOp::ByteSwap, Some(width)) = (op, of(a)) {
                    self.require(width % 16 == 0, Fault::ByteSwap(width));
                }
            }
            Instruction::Overflow { op: _, to, a, b } => {
                self.equal("the second operand", of(b), of(a));
                self.equal("the destination", reg(to), Some(1));
            }
            Instruction::Extend { to, a, signed: _ } => self.at_most("the operand", of(a), reg(to)),
            Instruction::Extract { to, a, low } => self.extract(reg(to), of(a), *low),
            Instruction::Concat { to, high, low } => self.concat(reg(to), of(high), of(low)),
            Instruction::Select { to, condition, a, b } => {
                self.equal("the condition", of(condition), Some(1));
                self.equal("the first choice", of(a), reg(to));
                self.equal("the second choice", of(b), reg(to));
            }
            Instruction::Poison { to, promise: _, broken, a } => {
                self.equal("the condition", of(broken), Some(1));
                self.equal("the value", of(a), reg(to));
            }
            Instruction::Freeze { to, a } => self.equal("the value", of(a), reg(to)),
            Instruction::Offset { to, base, index, scale: _ } => {
                self.equal("the destination", reg(to), Some(ADDRESS));
                self.equal("the base", of(base), Some(ADDRESS));
                self.at_most("the index", of(index), Some(ADDRESS));
            }
            Instruction::Load { to: _, address } => self.equal("the address", of(address), Some(ADDRESS)),
            Instruction::Store { address, value, width } => {
                self.equal("the address", of(address), Some(ADDRESS));
                self.stated("the value", of(value), *width);
            }
            Instruction::CopyMemory { to, from, length } => {
                self.equal("the destination address", of(to), Some(ADDRESS));
                self.equal("the source address", of(from), Some(ADDRESS));
                self.equal("the length", of(length), Some(ADDRESS));
            }
            Instruction::FillMemory { to, value, length } => {
                self.equal("the address", of(to), Some(ADDRESS));
                self.equal("the value", of(value), Some(8));
                self.equal("the length", of(length), Some(ADDRESS));
            }
            Instruction::Allocate { to, size, align, name: _ } => {
                self.equal("the destination", reg(to), Some(ADDRESS));
                self.equal("the size", of(size), Some(ADDRESS));
                self.align(*align);
            }
            Instruction::Mark { to } | Instruction::Variadic { to } => {
                self.equal("the destination", reg(to), Some(ADDRESS));
            }
            Instruction::Release { mark } => self.equal("the mark", of(mark), Some(ADDRESS)),
            Instruction::ObjectSize { to: _, address } => self.equal("the address", of(address), Some(ADDRESS)),
            Instruction::Call { to, function: callee, arguments } => self.call(function, to, *callee, arguments),
            Instruction::CallIndirect { to, returns, target, arguments } => {
                self.equal("the target", of(target), Some(ADDRESS));
                self.arguments(function, arguments);
                returns.iter().for_each(|width| self.width(*width));
                self.results(function, to, returns);
            }
            Instruction::Float { op: _, format, to, a, b } => self.floats(*format, reg(to), &[of(a), of(b)]),
            Instruction::FloatUnary { op: _, format, to, a } => self.floats(*format, reg(to), &[of(a)]),
            Instruction::FloatFma { format, to, a, b, c } => self.floats(*format, reg(to), &[of(a), of(b), of(c)]),
            Instruction::FloatCompare { relation: _, format, to, a, b } => {
                self.equal("the destination", reg(to), Some(1));
                self.floats(*format, None, &[of(a), of(b)]);
            }
            Instruction::Convert { conversion, to, a, width } => {
                self.stated("the operand", of(a), *width);
                self.conversion(*conversion, reg(to), *width);
            }
            Instruction::Jump { to: _ } => {}
            Instruction::Branch { condition, .. } => self.equal("the condition", of(condition), Some(1)),
            Instruction::Switch { value, width, cases, .. } => {
                self.stated("the value", of(value), *width);
                self.cases(*width, cases);
            }
            Instruction::JumpIndirect { target, .. } => self.equal("the target", of(target), Some(ADDRESS)),
            Instruction::Return { values } => self.returns(function, values),
            Instruction::Unreachable | Instruction::Trap { .. } | Instruction::Unsupported { .. } => {}
        }
    }

    /// An operand beside which the instruction states a width.
    fn stated(&mut self, part: &'static str, found: Width, stated: u32) {
        self.width(stated);
        self.equal(part, found, Some(stated));
    }

    fn extract(&mut self, to: Width, a: Width, low: u32) {
        if let (Some(to), Some(width)) = (to, a) {
            let end = u64::from(low) + u64::from(to);
            self.require(end <= u64::from(width), Fault::Extract { end, width });
        }
    }

    fn concat(&mut self, to: Width, high: Width, low: Width) {
        if let (Some(width), Some(high), Some(low)) = (to, high, low) {
            let sum = u64::from(high) + u64::from(low);
            self.require(sum == u64::from(width), Fault::Concat { sum, width });
        }
    }

    fn call(&mut self, function: &Function, to: &[Reg], callee: FunctionId, arguments: &[(Operand, u32)]) {
        self.arguments(function, arguments);
        let count = self.program.functions.len();
        let Some(callee) = self.program.functions.get(callee.index()) else {
            return self.report(Fault::OutOfRange { kind: Kind::Function, id: callee.0, count });
        };
        let (found, expected) = (arguments.len(), callee.params.len());
        let fits = found == expected || found > expected && callee.variadic;
        self.require(fits, Fault::Arguments { found, expected });
        for (param, (_, width)) in callee.params.iter().zip(arguments) {
            self.equal("an argument", Some(*width), callee.registers.get(param.index()).copied());
        }
        self.results(function, to, &callee.returns);
    }

    fn arguments(&mut self, function: &Function, arguments: &[(Operand, u32)]) {
        for (operand, stated) in arguments {
            self.stated("an argument", width(function, operand), *stated);
        }
    }

    fn results(&mut self, function: &Function, to: &[Reg], returns: &[u32]) {
        let (found, expected) = (to.len(), returns.len());
        self.require(found == 0 || found == expected, Fault::Results { found, expected });
        for (reg, expected) in to.iter().zip(returns) {
            self.equal("a result's register", function.registers.get(reg.index()).copied(), Some(*expected));
        }
    }

    fn returns(&mut self, function: &Function, values: &[Operand]) {
        let (found, expected) = (values.len(), function.returns.len());
        self.require(found == expected, Fault::Returns { found, expected });
        for (value, expected) in values.iter().zip(&function.returns) {
            self.equal("a returned value", width(function, value), Some(*expected));
        }
    }

    fn floats(&mut self, format: FloatFormat, to: Width, operands: &[Width]) {
        let expected = Some(float_width(format));
        self.equal("the destination", to, expected);
        for operand in operands {
            self.equal("an operand", *operand, expected);
        }
    }

    fn conversion(&mut self, conversion: Conversion, to: Width, from: u32) {
        let from = Some(from);
        match conversion {
            Conversion::FromSigned(format) | Conversion::FromUnsigned(format) => {
                self.at_most("the operand", from, Some(64));
                self.equal("the destination", to, Some(float_width(format)));
            }
            Conversion::ToSigned(format)
            | Conversion::ToUnsigned(format)
            | Conversion::ToSignedSaturating(format)
            | Conversion::ToUnsignedSaturating(format) => self.equal("the operand", from, Some(float_width(format))),
            Conversion::Widen => {
                self.equal("the operand", from, Some(32));
                self.equal("the destination", to, Some(64));
            }
            Conversion::Narrow => {
                self.equal("the operand", from, Some(64));
                self.equal("the destination", to, Some(32));
            }
        }
    }

    fn cases(&mut self, width: u32, cases: &[Case]) {
        let mut seen = HashMap::with_capacity(cases.len());
        for (index, case) in cases.iter().enumerate() {
            self.equal("a case", Some(case.value.width()), Some(width));
            if let Some(first) = seen.insert(&case.value, index) {
                self.report(Fault::Cases(first, index));
            }
        }
    }
}

/// The width of an operand, unless it is a register out of range.
fn width(function: &Function, operand: &Operand) -> Width {
    match operand {
        Operand::Reg(reg) => function.registers.get(reg.index()).copied(),
        Operand::Const(constant @ (Constant::Bits(_) | Constant::Address(..) | Constant::Undefined(_))) => {
            Some(constant.width())
        }
    }
}

fn float_width(format: FloatFormat) -> u32 {
    match format {
        FloatFormat::Single => 32,
        FloatFormat::Double => 64,
    }
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

fn can_break(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => true,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => true,
        BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Ult
        | BinaryOp::Ule
        | BinaryOp::Slt
        | BinaryOp::Sle => false,
    }
}
