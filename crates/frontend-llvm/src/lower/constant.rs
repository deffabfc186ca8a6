//! Constants: what is known before the program starts, as operands and as bytes of globals.

use super::Unit;
use crate::llvm::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, Type, Value};
use strata_ir::{Constant, Init, Relocation, Target};
use strata_term::Bits;

/// A decimal number of any length, modulo 2^width.
pub fn decimal(width: u32, text: &str) -> Option<Bits> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let mut words = vec![0u64; width.div_ceil(64) as usize];
    for digit in digits.chars() {
        let mut carry = u128::from(digit.to_digit(10)?);
        for word in &mut words {
            let sum = u128::from(*word) * 10 + carry;
            *word = sum as u64;
            carry = sum >> 64;
        }
    }
    let bits = Bits::from_words(width, &words);
    Some(if negative { bits.neg() } else { bits })
}

fn add(constant: Constant, by: i64) -> Option<Constant> {
    match constant {
        Constant::Bits(bits) if bits.width() <= 64 => {
            Some(Constant::Bits(Bits::new(bits.width(), bits.low_u64().wrapping_add(by as u64))))
        }
        Constant::Bits(_) => None,
        Constant::Address(target, addend) => Some(Constant::Address(target, addend.wrapping_add(by))),
        Constant::Undefined(width) => Some(Constant::Undefined(width)),
    }
}

impl Unit<'_> {
    /// An integer constant's bits.
    pub fn integer(&self, value: Value) -> Option<Bits> {
        let width = value.ty().int_width();
        if width <= 64 {
            return Some(Bits::new(width, value.small()));
        }
        // The C interface has no getter for wide integers: they are read from their text, `i128 -5`.
        decimal(width, value.print().rsplit(' ').next()?)
    }

    /// A scalar constant; `None` where it is an expression that only instructions can compute.
    pub fn scalar_constant(&self, value: Value) -> Option<Constant> {
        match value.kind() {
            LLVMValueKind::LLVMConstantIntValueKind if !super::shape::is_vector(value.ty()) => {
                self.integer(value).map(Constant::Bits)
            }
            LLVMValueKind::LLVMConstantFPValueKind => self.float(value).map(Constant::Bits),
            LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind => {
                Some(Constant::Undefined(self.width(value.ty())))
            }
            LLVMValueKind::LLVMFunctionValueKind
            | LLVMValueKind::LLVMGlobalVariableValueKind
            | LLVMValueKind::LLVMGlobalAliasValueKind
            | LLVMValueKind::LLVMGlobalIFuncValueKind => self.address(value),
            LLVMValueKind::LLVMBlockAddressValueKind => {
                let target = self.block_target(value.block_function(), value.block_block())?;
                Some(Constant::Address(target, 0))
            }
            LLVMValueKind::LLVMConstantExprValueKind => self.expression(value),
            LLVMValueKind::LLVMConstantPointerNullValueKind
            | LLVMValueKind::LLVMConstantAggregateZeroValueKind
            | LLVMValueKind::LLVMConstantTargetNoneValueKind => {
                Some(Constant::Bits(Bits::zero(self.width(value.ty()))))
            }
            _ => None,
        }
    }

    fn width(&self, ty: Type) -> u32 {
        self.shape(ty).first().map_or(1, |p| p.width)
    }

    fn float(&self, value: Value) -> Option<Bits> {
        let int = self.module.int(self.width(value.ty()));
        let bits = value.as_integer(int);
        (bits.kind() == LLVMValueKind::LLVMConstantIntValueKind).then(|| self.integer(bits))?
    }

    /// The address of a symbol.
    pub fn address(&self, value: Value) -> Option<Constant> {
        if let Some((start, size)) = self.ends.get(&value) {
            return Some(Constant::Address(Target::Global(*start), *size));
        }
        match value.kind() {
            LLVMValueKind::LLVMGlobalAliasValueKind => match self.forwarders.get(&value) {
                Some(id) => Some(Constant::Address(Target::Function(*id), 0)),
                None => self.scalar_constant(value.aliasee()),
            },
            _ if self.is_absent(value) => Some(Constant::Bits(Bits::zero(64))),
            LLVMValueKind::LLVMGlobalVariableValueKind => {
                Some(Constant::Address(Target::Global(*self.globals.get(&value)?), 0))
            }
            _ => Some(Constant::Address(Target::Function(*self.functions.get(&value)?), 0)),
        }
    }

    fn expression(&self, value: Value) -> Option<Constant> {
        let width = self.width(value.ty());
        let first = || self.scalar_constant(value.operand(0));
        match value.constant_opcode() {
            LLVMOpcode::LLVMGetElementPtr => add(first()?, self.gep_offset(value)?),
            LLVMOpcode::LLVMBitCast
            | LLVMOpcode::LLVMAddrSpaceCast
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMPtrToAddr
            | LLVMOpcode::LLVMIntToPtr
            | LLVMOpcode::LLVMTrunc => resize(first()?, width),
            LLVMOpcode::LLVMAdd => sum(first()?, self.scalar_constant(value.operand(1))?),
            LLVMOpcode::LLVMSub => difference(first()?, self.scalar_constant(value.operand(1))?),
            _ => None,
        }
    }

    /// The distance that a constant `getelementptr` goes, if it is a number.
    fn gep_offset(&self, value: Value) -> Option<i64> {
        let mut ty = value.gep_source();
        let mut total = 0i64;
        for at in 1..value.operands() {
            let Constant::Bits(bits) = self.scalar_constant(value.operand(at))? else { return None };
            let index = bits.sext(bits.width().max(64)).low_u64() as i64;
            let (step, next) = self.gep_step(ty, at == 1, index);
            total = total.wrapping_add(step);
            ty = next;
        }
        Some(total)
    }

    /// How far one constant index goes, and over what the next one steps.
    pub fn gep_step(&self, ty: Type, first: bool, index: i64) -> (i64, Type) {
        if first {
            return (index.wrapping_mul(ty.size(self.module) as i64), ty);
        }
        if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
            return (ty.field_offset(self.module, index as u32) as i64, ty.field(index as u32));
        }
        let element = ty.element();
        (index.wrapping_mul(element.size(self.module) as i64), element)
    }

    /// The first contents of a global, or the part that cannot be said.
    pub fn contents(&self, value: Value, size: u64) -> Result<Init, String> {
        if matches!(
            value.kind(),
            LLVMValueKind::LLVMConstantAggregateZeroValueKind
                | LLVMValueKind::LLVMUndefValueValueKind
                | LLVMValueKind::LLVMPoisonValueKind
                | LLVMValueKind::LLVMConstantPointerNullValueKind
        ) {
            return Ok(Init::Zero);
        }
        let mut bytes = vec![0; size as usize];
        let mut relocations = Vec::new();
        self.write(value, 0, &mut bytes, &mut relocations)?;
        relocations.sort_by_key(|r| r.offset);
        if relocations.is_empty() && bytes.iter().all(|b| *b == 0) {
            return Ok(Init::Zero);
        }
        Ok(Init::Bytes { bytes, relocations })
    }

    fn write(&self, value: Value, at: u64, bytes: &mut [u8], relocations: &mut Vec<Relocation>) -> Result<(), String> {
        match value.kind() {
            LLVMValueKind::LLVMConstantDataArrayValueKind | LLVMValueKind::LLVMConstantDataVectorValueKind => {
                let data = value.data();
                bytes[at as usize..at as usize + data.len()].copy_from_slice(&data);
                Ok(())
            }
            LLVMValueKind::LLVMConstantAggregateZeroValueKind
            | LLVMValueKind::LLVMUndefValueValueKind
            | LLVMValueKind::LLVMPoisonValueKind => Ok(()),
            LLVMValueKind::LLVMConstantStructValueKind => {
                let ty = value.ty();
                (0..ty.fields()).try_for_each(|i| {
                    self.write(value.operand(i), at + ty.field_offset(self.module, i), bytes, relocations)
                })
            }
            LLVMValueKind::LLVMConstantArrayValueKind => {
                let step = value.ty().element().size(self.module);
                (0..value.operands())
                    .try_for_each(|i| self.write(value.operand(i), at + u64::from(i) * step, bytes, relocations))
            }
            _ if super::shape::is_vector(value.ty()) => self.write_vector(value, at, bytes, relocations),
            _ => {
                let known = self.scalar_constant(value).ok_or_else(|| value.print())?;
                self.write_scalar(&known, at, bytes, relocations).ok_or_else(|| value.print())
            }
        }
    }

    fn write_scalar(
        &self,
        known: &Constant,
        at: u64,
        bytes: &mut [u8],
        relocations: &mut Vec<Relocation>,
    ) -> Option<()> {
        match known {
            Constant::Undefined(_) => {}
            Constant::Address(target, addend) => {
                relocations.push(Relocation { offset: at, target: *target, addend: *addend })
            }
            Constant::Bits(bits) => {
                let all = bits.to_words().into_iter().flat_map(u64::to_le_bytes);
                let count = bits.width().div_ceil(8) as usize;
                for (to, byte) in bytes.get_mut(at as usize..at as usize + count)?.iter_mut().zip(all) {
                    *to = byte;
                }
            }
        }
        Some(())
    }

    /// Elements of a vector follow each other bit by bit.
    fn write_vector(
        &self,
        value: Value,
        at: u64,
        bytes: &mut [u8],
        relocations: &mut Vec<Relocation>,
    ) -> Result<(), String> {
        let width = u64::from(self.width(value.ty().element()));
        for i in 0..value.ty().length() {
            let known = value.element(i as u32).and_then(|e| self.scalar_constant(e));
            let known = known.ok_or_else(|| value.print())?;
            let bit = i * width;
            if width.is_multiple_of(8) {
                self.write_scalar(&known, at + bit / 8, bytes, relocations).ok_or_else(|| value.print())?;
            } else if let Constant::Bits(bits) = known {
                for b in (0..width).filter(|b| bits.bit(*b as u32)) {
                    bytes[(at + (bit + b) / 8) as usize] |= 1 << ((bit + b) % 8);
                }
            }
        }
        Ok(())
    }
}

fn resize(constant: Constant, width: u32) -> Option<Constant> {
    match constant {
        Constant::Bits(bits) => Some(Constant::Bits(bits.resize(width))),
        Constant::Address(target, addend) => (width == 64).then_some(Constant::Address(target, addend)),
        Constant::Undefined(_) => Some(Constant::Undefined(width)),
    }
}

fn sum(a: Constant, b: Constant) -> Option<Constant> {
    match (a, b) {
        (Constant::Bits(a), Constant::Bits(b)) => Some(Constant::Bits(a.add(&b))),
        (address @ Constant::Address(..), Constant::Bits(by))
        | (Constant::Bits(by), address @ Constant::Address(..)) => add(address, by.low_u64() as i64),
        (Constant::Undefined(width), _) | (_, Constant::Undefined(width)) => Some(Constant::Undefined(width)),
        (Constant::Address(..), Constant::Address(..)) => None,
    }
}

fn difference(a: Constant, b: Constant) -> Option<Constant> {
    match (a, b) {
        (Constant::Bits(a), Constant::Bits(b)) => Some(Constant::Bits(a.sub(&b))),
        (Constant::Address(target, a), Constant::Address(other, b)) => {
            (target == other).then(|| Constant::Bits(Bits::new(64, a.wrapping_sub(b) as u64)))
        }
        (address @ Constant::Address(..), Constant::Bits(by)) => add(address, (by.low_u64() as i64).wrapping_neg()),
        (Constant::Undefined(width), _) | (_, Constant::Undefined(width)) => Some(Constant::Undefined(width)),
        (Constant::Bits(_), Constant::Address(..)) => None,
    }
}
