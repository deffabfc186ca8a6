//! Floats: single and double, exactly; every other format only moves its bits.

use super::body::{Body, bits};
use super::shape;
use crate::llvm::{LLVMOpcode, Type, Value};
use strata_ir::{BinaryOp, Conversion, FloatCompare, FloatFormat, FloatOp, FloatUnary, Instruction, Operand};

/// The width of a format.
pub fn width(format: FloatFormat) -> u32 {
    match format {
        FloatFormat::Single => 32,
        FloatFormat::Double => 64,
    }
}

/// The bits of infinity.
fn infinity(format: FloatFormat) -> u64 {
    match format {
        FloatFormat::Single => 0x7f80_0000,
        FloatFormat::Double => 0x7ff0_0000_0000_0000,
    }
}

/// The lowest bits of a quiet not-a-number and of a normal number.
fn quiet_and_normal(format: FloatFormat) -> (u64, u64) {
    match format {
        FloatFormat::Single => (0x7fc0_0000, 0x0080_0000),
        FloatFormat::Double => (0x7ff8_0000_0000_0000, 0x0010_0000_0000_0000),
    }
}

impl Body<'_, '_> {
    /// The format of a type's scalars; ends the path where there is none.
    pub fn float_format(&mut self, ty: Type) -> Option<FloatFormat> {
        let scalar = shape::scalar(ty);
        let format = shape::format(scalar);
        if format.is_none() {
            self.unsupported(format!("floating point of type {}", scalar.print()));
        }
        format
    }

    /// `a op b`.
    pub fn float_operation(&mut self, op: FloatOp, format: FloatFormat, a: Operand, b: Operand) -> Operand {
        let to = self.reg(width(format));
        self.emit(Instruction::Float { op, format, to, a, b });
        Operand::Reg(to)
    }

    /// `op a`.
    pub fn float_single(&mut self, op: FloatUnary, format: FloatFormat, a: Operand) -> Operand {
        let to = self.reg(width(format));
        self.emit(Instruction::FloatUnary { op, format, to, a });
        Operand::Reg(to)
    }

    /// An arithmetic instruction.
    pub fn float_binary(&mut self, v: Value, opcode: LLVMOpcode) {
        let op = match opcode {
            LLVMOpcode::LLVMFAdd => FloatOp::Add,
            LLVMOpcode::LLVMFSub => FloatOp::Sub,
            LLVMOpcode::LLVMFMul => FloatOp::Mul,
            LLVMOpcode::LLVMFDiv => FloatOp::Div,
            _ => FloatOp::Rem,
        };
        self.float_pairs(v, op);
    }

    /// `a op b` over all elements of an instruction's or call's first two operands.
    pub fn float_pairs(&mut self, v: Value, op: FloatOp) {
        let Some(format) = self.float_format(v.ty()) else { return };
        let pairs = self.pairs(v);
        let result = pairs.into_iter().map(|(a, b)| self.float_operation(op, format, a, b)).collect();
        self.define(v, result);
    }

    /// `op a` over all elements.
    pub fn float_unary(&mut self, v: Value, op: FloatUnary) {
        let Some(format) = self.float_format(v.ty()) else { return };
        let all = self.operands(v.operand(0));
        let result = all.into_iter().map(|a| self.float_single(op, format, a)).collect();
        self.define(v, result);
    }

    /// `fcmp`.
    pub fn float_compare(&mut self, v: Value) {
        let set = v.float_predicate();
        let has = |bit: u32| set & bit != 0;
        self.float_relation(v, FloatCompare { equal: has(1), greater: has(2), less: has(4), unordered: has(8) });
    }

    /// A relation over all elements.
    pub fn float_relation(&mut self, v: Value, relation: FloatCompare) {
        let Some(format) = self.float_format(v.operand(0).ty()) else { return };
        let pairs = self.pairs(v);
        let result = pairs.into_iter().map(|(a, b)| self.related(relation, format, a, b)).collect();
        self.define(v, result);
    }

    fn related(&mut self, relation: FloatCompare, format: FloatFormat, a: Operand, b: Operand) -> Operand {
        let to = self.reg(1);
        self.emit(Instruction::FloatCompare { relation, format, to, a, b });
        Operand::Reg(to)
    }

    /// A conversion of one number.
    pub fn convert(&mut self, conversion: Conversion, a: Operand, to: u32) -> Operand {
        let width = self.width(&a);
        let to = self.reg(to);
        self.emit(Instruction::Convert { conversion, to, a, width });
        Operand::Reg(to)
    }

    /// Conversions between floats and integers, and between floats.
    pub fn float_cast(&mut self, v: Value, opcode: LLVMOpcode) {
        let (from, to) = (v.operand(0).ty(), v.ty());
        let integer_to_float = matches!(opcode, LLVMOpcode::LLVMSIToFP | LLVMOpcode::LLVMUIToFP);
        let Some(format) = self.float_format(if integer_to_float { to } else { from }) else { return };
        let conversion = match opcode {
            LLVMOpcode::LLVMSIToFP => Conversion::FromSigned(format),
            LLVMOpcode::LLVMUIToFP => Conversion::FromUnsigned(format),
            LLVMOpcode::LLVMFPToSI => Conversion::ToSigned(format),
            LLVMOpcode::LLVMFPToUI => Conversion::ToUnsigned(format),
            LLVMOpcode::LLVMFPTrunc => Conversion::Narrow,
            _ => Conversion::Widen,
        };
        if matches!(conversion, Conversion::Narrow | Conversion::Widen) && self.float_format(to).is_none() {
            return;
        }
        self.convert_all(v, conversion);
    }

    /// A conversion over all elements.
    pub fn convert_all(&mut self, v: Value, conversion: Conversion) {
        let to = self.scalar_width(v);
        let all = self.operands(v.operand(0));
        if to > 64 || all.iter().any(|a| self.width(a) > 64) {
            return self.unsupported("conversion between floating point and integers of more than 64 bits".to_string());
        }
        let result = all.into_iter().map(|a| self.convert(conversion, a, to)).collect();
        self.define(v, result);
    }

    /// IEEE 754's maximum and minimum: not-a-number wins, and -0 is below +0.
    pub fn strict_extreme(&mut self, format: FloatFormat, larger: bool, a: Operand, b: Operand) -> Operand {
        let (less, greater) = if larger { (false, true) } else { (true, false) };
        let first = FloatCompare { less, equal: false, greater, unordered: false };
        let same = FloatCompare { less: false, equal: true, greater: false, unordered: false };
        let neither = FloatCompare { less: false, equal: false, greater: false, unordered: true };
        let first = self.related(first, format, a.clone(), b.clone());
        let same = self.related(same, format, a.clone(), b.clone());
        let neither = self.related(neither, format, a.clone(), b.clone());
        // Equal numbers differ in the sign of zero at most.
        let zero = self.binary(if larger { BinaryOp::And } else { BinaryOp::Or }, a.clone(), b.clone());
        let sum = self.float_operation(FloatOp::Add, format, a.clone(), b.clone());
        let ordered = self.choose(first, a, b);
        let ordered = self.choose(same, zero, ordered);
        self.choose(neither, sum, ordered)
    }

    /// `llvm.is.fpclass`: ranges of the bits without their sign.
    pub fn float_class(&mut self, v: Value) {
        let Some(format) = self.float_format(v.operand(0).ty()) else { return };
        let classes = v.operand(1).small() as u32;
        let all = self.operands(v.operand(0));
        let result = all.into_iter().map(|a| self.class_of(format, classes, a)).collect();
        self.define(v, result);
    }

    fn class_of(&mut self, format: FloatFormat, classes: u32, a: Operand) -> Operand {
        let width = width(format);
        let (inf, (quiet, normal)) = (infinity(format), quiet_and_normal(format));
        let magnitude = self.binary(BinaryOp::And, a.clone(), bits(width, (1u64 << (width - 1)) - 1));
        let negative = self.binary(BinaryOp::Slt, a, bits(width, 0));
        // Bit of the class for positive numbers, for negative ones, and the range of magnitudes: from, to (excluded).
        let end = 1u64 << (width - 1);
        let ranges = [
            (0x001, 0x001, inf + 1, quiet),
            (0x002, 0x002, quiet, end),
            (0x200, 0x004, inf, inf + 1),
            (0x100, 0x008, normal, inf),
            (0x080, 0x010, 1, normal),
            (0x040, 0x020, 0, 1),
        ];
        let mut result = bits(1, 0);
        for (positive, negatives, from, to) in ranges {
            let (wants, wants_negative) = (classes & positive != 0, classes & negatives != 0);
            if !wants && !wants_negative {
                continue;
            }
            let above = self.binary(BinaryOp::Ule, bits(width, from), magnitude.clone());
            let below = self.binary(BinaryOp::Ult, magnitude.clone(), bits(width, to));
            let mut hit = self.binary(BinaryOp::And, above, below);
            if wants != wants_negative {
                let sign = self.binary(BinaryOp::Eq, negative.clone(), bits(1, u64::from(wants_negative)));
                hit = self.binary(BinaryOp::And, hit, sign);
            }
            result = self.binary(BinaryOp::Or, result, hit);
        }
        result
    }
}
