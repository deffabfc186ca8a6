//! Memory: stack objects, loads and stores at their layout's offsets, address arithmetic, atomics as plain operations.

use super::body::{Body, bits};
use super::shape;
use crate::llvm::{LLVMAtomicRMWBinOp, LLVMTypeKind, Type, Value};
use strata_ir::{BinaryOp, Constant, FloatOp, Instruction, Operand};

impl Body<'_, '_> {
    /// `alloca`.
    pub fn alloca(&mut self, v: Value) {
        let (ty, align) = (v.allocated(), v.alignment().max(1));
        let size = ty.size(self.unit.module);
        let count = self.operand(v.operand(0));
        let count = self.resize(count, 64);
        let size = match &count {
            Operand::Const(Constant::Bits(count)) => bits(64, count.low_u64().wrapping_mul(size)),
            Operand::Const(_) | Operand::Reg(_) => self.binary(BinaryOp::Mul, count, bits(64, size)),
        };
        let name = self.unit.names.get(&v).cloned().unwrap_or_else(|| v.name());
        let to = self.allocate(size, align, name);
        self.define(v, vec![to]);
    }

    /// A new object of the frame.
    pub fn allocate(&mut self, size: Operand, align: u64, name: String) -> Operand {
        let to = self.reg(64);
        self.emit(Instruction::Allocate { to, size, align, name });
        Operand::Reg(to)
    }

    /// An address some bytes further.
    pub fn plus(&mut self, base: Operand, by: i64) -> Operand {
        match base {
            base if by == 0 => base,
            Operand::Const(Constant::Address(target, addend)) => {
                Operand::Const(Constant::Address(target, addend.wrapping_add(by)))
            }
            Operand::Const(Constant::Bits(b)) if b.width() == 64 => bits(64, b.low_u64().wrapping_add(by as u64)),
            base => self.offset(base, bits(64, by as u64), 1),
        }
    }

    pub fn offset(&mut self, base: Operand, index: Operand, scale: u64) -> Operand {
        let to = self.reg(64);
        self.emit(Instruction::Offset { to, base, index, scale });
        Operand::Reg(to)
    }

    /// Is it an address relative to a segment register (address spaces 256 to 258 of x86) or a short pointer? Ends the path.
    fn is_segment(&mut self, pointer: Value) -> bool {
        let space = pointer.ty().address_space();
        let odd = (256..=258).contains(&space) || self.scalar_width(pointer) != 64;
        if odd {
            self.unsupported(format!("memory of address space {space}"));
        }
        odd
    }

    /// `load`.
    pub fn load(&mut self, v: Value) {
        if self.is_segment(v.operand(0)) {
            return;
        }
        let address = self.operand(v.operand(0));
        let mut result = Vec::new();
        self.load_type(v.ty(), address, 0, &mut result);
        self.define(v, result);
    }

    /// One number of this width.
    pub fn load_bits(&mut self, address: Operand, width: u32) -> Operand {
        let to = self.reg(width);
        self.emit(Instruction::Load { to, address });
        Operand::Reg(to)
    }

    /// The parts of a type at an address, each from its own offset.
    pub fn load_type(&mut self, ty: Type, address: Operand, at: u64, parts: &mut Vec<Operand>) {
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                for i in 0..ty.fields() {
                    let at = at + ty.field_offset(self.unit.module, i);
                    self.load_type(ty.field(i), address.clone(), at, parts);
                }
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                let step = ty.element().size(self.unit.module);
                for i in 0..ty.length() {
                    self.load_type(ty.element(), address.clone(), at + i * step, parts);
                }
            }
            LLVMTypeKind::LLVMVectorTypeKind => {
                let widths = self.unit.widths(ty);
                let address = self.plus(address, at as i64);
                if widths.iter().all(|w| w.is_multiple_of(8)) {
                    let mut at = 0;
                    for width in widths {
                        let place = self.plus(address.clone(), at);
                        parts.push(self.load_bits(place, width));
                        at += i64::from(width / 8);
                    }
                } else {
                    let whole = self.load_bits(address, widths.iter().sum());
                    parts.extend(self.cut(whole, &widths));
                }
            }
            _ => {
                for width in self.unit.widths(ty) {
                    let place = self.plus(address.clone(), at as i64);
                    parts.push(self.load_bits(place, width));
                }
            }
        }
    }

    /// `store`.
    pub fn store(&mut self, v: Value) {
        if self.is_segment(v.operand(1)) {
            return;
        }
        let (what, address) = (v.operand(0), self.operand(v.operand(1)));
        if self.unit.count(what.ty()).is_none() {
            return self.unsupported(format!("a value of type {}", what.ty().print()));
        }
        let parts = self.operands(what);
        self.store_type(what.ty(), address, 0, &mut parts.into_iter());
    }

    /// One number.
    pub fn store_bits(&mut self, address: Operand, value: Operand) {
        let width = self.width(&value);
        self.emit(Instruction::Store { address, value, width });
    }

    /// The parts of a type to an address.
    pub fn store_type(&mut self, ty: Type, address: Operand, at: u64, parts: &mut std::vec::IntoIter<Operand>) {
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                for i in 0..ty.fields() {
                    let at = at + ty.field_offset(self.unit.module, i);
                    self.store_type(ty.field(i), address.clone(), at, parts);
                }
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                let step = ty.element().size(self.unit.module);
                for i in 0..ty.length() {
                    self.store_type(ty.element(), address.clone(), at + i * step, parts);
                }
            }
            LLVMTypeKind::LLVMVectorTypeKind => {
                let widths = self.unit.widths(ty);
                let address = self.plus(address, at as i64);
                let values: Vec<Operand> = parts.by_ref().take(widths.len()).collect();
                if widths.iter().all(|w| w.is_multiple_of(8)) {
                    let mut at = 0;
                    for (value, width) in values.into_iter().zip(widths) {
                        let place = self.plus(address.clone(), at);
                        self.store_bits(place, value);
                        at += i64::from(width / 8);
                    }
                } else if let Some(whole) = self.join(values) {
                    self.store_bits(address, whole);
                }
            }
            _ => {
                for _ in 0..self.unit.shape(ty).len() {
                    if let Some(value) = parts.next() {
                        let place = self.plus(address.clone(), at as i64);
                        self.store_bits(place, value);
                    }
                }
            }
        }
    }

    /// `getelementptr`, of instructions and constants; element by element where it gives a vector.
    pub fn gep(&mut self, v: Value) -> Vec<Operand> {
        let lanes = self.unit.shape(v.ty()).len();
        let bases = self.operands(v.operand(0));
        let indices: Vec<(Value, Vec<Operand>)> =
            (1..v.operands()).map(|i| (v.operand(i), self.operands(v.operand(i)))).collect();
        let mut result = Vec::new();
        for lane in 0..lanes {
            let pick = |all: &[Operand]| all.get(if all.len() == 1 { 0 } else { lane }).cloned();
            let Some(base) = pick(&bases) else { continue };
            let indices: Vec<Operand> = indices.iter().filter_map(|(_, all)| pick(all)).collect();
            result.push(self.gep_lane(v.gep_source(), base, indices));
        }
        result
    }

    /// Variable steps first, all constant ones together at the end.
    fn gep_lane(&mut self, source: Type, base: Operand, indices: Vec<Operand>) -> Operand {
        let (mut ty, mut address, mut total) = (source, base, 0i64);
        for (at, index) in indices.into_iter().enumerate() {
            if let Operand::Const(Constant::Bits(known)) = &index {
                let index = known.sext(known.width().max(64)).low_u64() as i64;
                let (step, next) = self.unit.gep_step(ty, at == 0, index);
                total = total.wrapping_add(step);
                ty = next;
                continue;
            }
            ty = if at == 0 { ty } else { ty.element() };
            let index = if self.width(&index) > 64 { self.extract(index, 0, 64) } else { index };
            address = self.offset(address, index, ty.size(self.unit.module));
        }
        self.plus(address, total)
    }

    /// `cmpxchg`: the old value, and whether it was the expected one.
    pub fn compare_exchange(&mut self, v: Value) {
        let address = self.operand(v.operand(0));
        let (expected, new) = (self.operand(v.operand(1)), self.operand(v.operand(2)));
        let width = self.width(&expected);
        let old = self.load_bits(address.clone(), width);
        let equal = self.binary(BinaryOp::Eq, old.clone(), expected);
        let stored = self.choose(equal.clone(), new, old.clone());
        self.store_bits(address, stored);
        self.define(v, vec![old, equal]);
    }

    /// `atomicrmw`.
    pub fn read_modify_write(&mut self, v: Value) {
        let (address, what) = (self.operand(v.operand(0)), v.operand(1));
        let mut old = Vec::new();
        self.load_type(what.ty(), address.clone(), 0, &mut old);
        let by = self.operands(what);
        let mut new = Vec::new();
        for (old, by) in old.iter().cloned().zip(by) {
            let Some(value) = self.modified(v, shape::scalar(what.ty()), old, by) else {
                self.unsupported(format!("the atomic operation {}", v.print().trim()));
                return;
            };
            new.push(value);
        }
        self.store_type(what.ty(), address, 0, &mut new.into_iter());
        self.define(v, old);
    }

    fn modified(&mut self, v: Value, ty: Type, old: Operand, by: Operand) -> Option<Operand> {
        use LLVMAtomicRMWBinOp as Op;
        Some(match v.atomic() {
            Op::LLVMAtomicRMWBinOpXchg => by,
            Op::LLVMAtomicRMWBinOpAdd => self.binary(BinaryOp::Add, old, by),
            Op::LLVMAtomicRMWBinOpSub => self.binary(BinaryOp::Sub, old, by),
            Op::LLVMAtomicRMWBinOpAnd => self.binary(BinaryOp::And, old, by),
            Op::LLVMAtomicRMWBinOpNand => {
                let both = self.binary(BinaryOp::And, old, by);
                self.unary(strata_ir::UnaryOp::Not, both)
            }
            Op::LLVMAtomicRMWBinOpOr => self.binary(BinaryOp::Or, old, by),
            Op::LLVMAtomicRMWBinOpXor => self.binary(BinaryOp::Xor, old, by),
            Op::LLVMAtomicRMWBinOpMax => self.extreme(BinaryOp::Slt, true, old, by),
            Op::LLVMAtomicRMWBinOpMin => self.extreme(BinaryOp::Slt, false, old, by),
            Op::LLVMAtomicRMWBinOpUMax => self.extreme(BinaryOp::Ult, true, old, by),
            Op::LLVMAtomicRMWBinOpUMin => self.extreme(BinaryOp::Ult, false, old, by),
            Op::LLVMAtomicRMWBinOpFAdd => self.float_operation(FloatOp::Add, shape::format(ty)?, old, by),
            Op::LLVMAtomicRMWBinOpFSub => self.float_operation(FloatOp::Sub, shape::format(ty)?, old, by),
            Op::LLVMAtomicRMWBinOpFMax => self.float_operation(FloatOp::Max, shape::format(ty)?, old, by),
            Op::LLVMAtomicRMWBinOpFMin => self.float_operation(FloatOp::Min, shape::format(ty)?, old, by),
            Op::LLVMAtomicRMWBinOpFMaximum => self.strict_extreme(shape::format(ty)?, true, old, by),
            Op::LLVMAtomicRMWBinOpFMinimum => self.strict_extreme(shape::format(ty)?, false, old, by),
            Op::LLVMAtomicRMWBinOpUIncWrap => self.wrapping_step(true, old, by),
            Op::LLVMAtomicRMWBinOpUDecWrap => self.wrapping_step(false, old, by),
            Op::LLVMAtomicRMWBinOpUSubCond => {
                let less = self.binary(BinaryOp::Ult, old.clone(), by.clone());
                let difference = self.binary(BinaryOp::Sub, old.clone(), by);
                self.choose(less, old, difference)
            }
            Op::LLVMAtomicRMWBinOpUSubSat => {
                let less = self.binary(BinaryOp::Ult, old.clone(), by.clone());
                let zero = bits(1, 0);
                let zero = self.resize(zero, self.width(&old));
                let difference = self.binary(BinaryOp::Sub, old, by);
                self.choose(less, zero, difference)
            }
        })
    }

    /// The larger or smaller of two.
    pub fn extreme(&mut self, less: BinaryOp, larger: bool, a: Operand, b: Operand) -> Operand {
        let first = self.binary(less, a.clone(), b.clone());
        if larger { self.choose(first, b, a) } else { self.choose(first, a, b) }
    }

    /// One up, from the bound to zero; or one down, from zero or beyond the bound to the bound.
    fn wrapping_step(&mut self, up: bool, old: Operand, bound: Operand) -> Operand {
        let width = self.width(&old);
        let (zero, one) = (self.resize(bits(1, 0), width), self.resize(bits(1, 1), width));
        if up {
            let wraps = self.binary(BinaryOp::Ule, bound, old.clone());
            let next = self.binary(BinaryOp::Add, old, one);
            return self.choose(wraps, zero, next);
        }
        let (none, beyond) =
            (self.binary(BinaryOp::Eq, old.clone(), zero), self.binary(BinaryOp::Ult, bound.clone(), old.clone()));
        let wraps = self.binary(BinaryOp::Or, none, beyond);
        let next = self.binary(BinaryOp::Sub, old, one);
        self.choose(wraps, bound, next)
    }
}
