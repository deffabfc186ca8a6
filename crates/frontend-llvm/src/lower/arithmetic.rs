//! Integers: arithmetic, comparisons, casts; element by element for vectors.

use super::body::Body;
use super::shape;
use crate::llvm::{LLVMIntPredicate, LLVMOpcode, Value};
use strata_ir::{BinaryOp, Constant, Instruction, Operand};

fn operator(opcode: LLVMOpcode) -> Option<BinaryOp> {
    Some(match opcode {
        LLVMOpcode::LLVMAdd => BinaryOp::Add,
        LLVMOpcode::LLVMSub => BinaryOp::Sub,
        LLVMOpcode::LLVMMul => BinaryOp::Mul,
        LLVMOpcode::LLVMUDiv => BinaryOp::UDiv,
        LLVMOpcode::LLVMSDiv => BinaryOp::SDiv,
        LLVMOpcode::LLVMURem => BinaryOp::URem,
        LLVMOpcode::LLVMSRem => BinaryOp::SRem,
        LLVMOpcode::LLVMShl => BinaryOp::Shl,
        LLVMOpcode::LLVMLShr => BinaryOp::LShr,
        LLVMOpcode::LLVMAShr => BinaryOp::AShr,
        LLVMOpcode::LLVMAnd => BinaryOp::And,
        LLVMOpcode::LLVMOr => BinaryOp::Or,
        LLVMOpcode::LLVMXor => BinaryOp::Xor,
        _ => return None,
    })
}

/// The operator of a relation, and whether its operands change places.
fn relation(predicate: LLVMIntPredicate) -> (BinaryOp, bool) {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => (BinaryOp::Eq, false),
        LLVMIntPredicate::LLVMIntNE => (BinaryOp::Ne, false),
        LLVMIntPredicate::LLVMIntUGT => (BinaryOp::Ult, true),
        LLVMIntPredicate::LLVMIntUGE => (BinaryOp::Ule, true),
        LLVMIntPredicate::LLVMIntULT => (BinaryOp::Ult, false),
        LLVMIntPredicate::LLVMIntULE => (BinaryOp::Ule, false),
        LLVMIntPredicate::LLVMIntSGT => (BinaryOp::Slt, true),
        LLVMIntPredicate::LLVMIntSGE => (BinaryOp::Sle, true),
        LLVMIntPredicate::LLVMIntSLT => (BinaryOp::Slt, false),
        LLVMIntPredicate::LLVMIntSLE => (BinaryOp::Sle, false),
    }
}

impl Body<'_, '_> {
    /// Two operands' parts, pairwise.
    pub fn pairs(&mut self, v: Value) -> Vec<(Operand, Operand)> {
        let (a, b) = (self.operands(v.operand(0)), self.operands(v.operand(1)));
        a.into_iter().zip(b).collect()
    }

    /// An integer instruction.
    pub fn integer_binary(&mut self, v: Value, opcode: LLVMOpcode) {
        let Some(op) = operator(opcode) else { return };
        let pairs = self.pairs(v);
        let result = pairs.into_iter().map(|(a, b)| self.promised(v, op, a, b)).collect();
        self.define(v, result);
    }

    /// The same of a constant expression.
    pub fn constant_operation(&mut self, v: Value, opcode: LLVMOpcode) -> Vec<Operand> {
        let Some(op) = operator(opcode) else { return Vec::new() };
        let pairs = self.pairs(v);
        pairs.into_iter().map(|(a, b)| self.binary(op, a, b)).collect()
    }

    /// `icmp`.
    pub fn integer_compare(&mut self, v: Value) {
        let (op, swapped) = relation(v.predicate());
        let pairs = self.pairs(v);
        let compare = |(a, b)| if swapped { self.binary(op, b, a) } else { self.binary(op, a, b) };
        let result = pairs.into_iter().map(compare).collect();
        self.define(v, result);
    }

    /// Casts that move bits.
    pub fn cast(&mut self, v: Value, opcode: LLVMOpcode) -> Vec<Operand> {
        let from = self.operands(v.operand(0));
        if opcode == LLVMOpcode::LLVMBitCast {
            return self.bitcast(from, v);
        }
        let Some(width) = self.unit.shape(v.ty()).first().map(|p| p.width) else { return Vec::new() };
        let cast = |a: Operand| match opcode {
            LLVMOpcode::LLVMTrunc => self.extract(a, 0, width),
            LLVMOpcode::LLVMSExt => self.extend(a, width, true),
            LLVMOpcode::LLVMZExt => {
                let a = self.non_negative(v, a);
                self.extend(a, width, false)
            }
            _ => self.resize(a, width),
        };
        from.into_iter().map(cast).collect()
    }

    /// The same bits cut otherwise: all joined into one number (the first element lowest), then cut.
    fn bitcast(&mut self, from: Vec<Operand>, v: Value) -> Vec<Operand> {
        let widths = self.unit.widths(v.ty());
        if from.iter().map(|o| self.width(o)).eq(widths.iter().copied()) {
            return from;
        }
        let Some(whole) = self.join(from) else { return Vec::new() };
        self.cut(whole, &widths)
    }

    /// Parts joined into one number, the first lowest.
    pub fn join(&mut self, parts: Vec<Operand>) -> Option<Operand> {
        parts.into_iter().reduce(|low, high| self.concat(high, low))
    }

    /// One number cut into parts, the lowest first.
    pub fn cut(&mut self, whole: Operand, widths: &[u32]) -> Vec<Operand> {
        let mut low = 0;
        let mut parts = Vec::new();
        for width in widths {
            parts.push(self.extract(whole.clone(), low, *width));
            low += width;
        }
        parts
    }

    /// `freeze`: an undefined value is chosen once, so it gets a register, and poison may be used from here on.
    pub fn freeze(&mut self, v: Value) {
        let mut result = self.operands(v.operand(0));
        for operand in &mut result {
            let width = self.width(operand);
            let instruction = |to, from: &Operand| match from {
                Operand::Const(Constant::Undefined(_)) => Some(Instruction::Copy { to, from: from.clone() }),
                Operand::Reg(_) => Some(Instruction::Freeze { to, a: from.clone() }),
                Operand::Const(Constant::Bits(_) | Constant::Address(..)) => None,
            };
            let to = self.reg(width);
            if let Some(instruction) = instruction(to, operand) {
                self.emit(instruction);
                *operand = Operand::Reg(to);
            }
        }
        self.define(v, result);
    }

    /// `extractvalue`.
    pub fn extract_value(&mut self, v: Value) {
        let from = v.operand(0);
        let (start, ty) = self.unit.part(from.ty(), &v.indices());
        let count = self.unit.shape(ty).len();
        let result = self.operands(from).into_iter().skip(start).take(count).collect();
        self.define(v, result);
    }

    /// `insertvalue`.
    pub fn insert_value(&mut self, v: Value) {
        let into = v.operand(0);
        let (start, _) = self.unit.part(into.ty(), &v.indices());
        let mut result = self.operands(into);
        let parts = self.operands(v.operand(1));
        let end = start + parts.len();
        result.splice(start..end, parts);
        self.define(v, result);
    }

    /// The width of a value's scalars.
    pub fn scalar_width(&self, v: Value) -> u32 {
        self.unit.shape(shape::scalar(v.ty())).first().map_or(1, |p| p.width)
    }
}
