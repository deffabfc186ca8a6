//! Variable arguments, by the convention of x86-64 Linux with all of them in memory.
//!
//! `va_list` is { i32 gp_offset, i32 fp_offset, ptr overflow_arg_area, ptr reg_save_area }. The code that clang makes for `va_arg` takes
//! from the save area while the offsets are below its end; set beyond it, all arguments come from the
//! overflow area, which is where `Variadic` keeps them in whole slots of eight bytes.

use super::body::{Body, bits};
use super::shape::is_vector;
use crate::llvm::{Type, Value};
use strata_ir::{BinaryOp, Instruction, Operand};

const LIST_SIZE: u64 = 24;
const OVERFLOW_AREA: i64 = 8;

/// Surplus arguments in slots of eight bytes.
#[derive(Default)]
pub struct Slots {
    /// One per slot, with its width: always 64.
    pub all: Vec<(Operand, u32)>,
}

impl Slots {
    fn align(&mut self, bytes: u64) {
        if bytes > 8 && !self.all.len().is_multiple_of(2) {
            self.all.push((bits(64, 0), 64));
        }
    }

    fn push(&mut self, slot: Operand) {
        self.all.push((slot, 64));
    }
}

impl Body<'_, '_> {
    /// One surplus argument.
    pub fn slot_argument(&mut self, slots: &mut Slots, argument: Value) {
        let ty = argument.ty();
        let parts = self.operands(argument);
        if is_vector(ty) {
            slots.align(ty.size(self.unit.module));
            if let Some(whole) = self.join(parts) {
                self.slot_number(slots, whole);
            }
            return;
        }
        for part in parts {
            slots.align(u64::from(self.width(&part).div_ceil(8)));
            self.slot_number(slots, part);
        }
    }

    fn slot_number(&mut self, slots: &mut Slots, number: Operand) {
        let width = self.width(&number);
        for low in (0..width).step_by(64) {
            let piece = self.extract(number.clone(), low, (width - low).min(64));
            slots.push(self.extend(piece, 64, false));
        }
    }

    /// A surplus argument that is the bytes behind a pointer.
    pub fn slot_bytes(&mut self, slots: &mut Slots, address: Operand, ty: Type) {
        slots.align(ty.align(self.unit.module));
        let size = ty.size(self.unit.module);
        for at in (0..size).step_by(8) {
            let place = self.plus(address.clone(), at as i64);
            let piece = self.load_bits(place, ((size - at).min(8) * 8) as u32);
            slots.push(self.extend(piece, 64, false));
        }
    }

    /// `llvm.va_start`.
    pub fn variadic_start(&mut self, v: Value) {
        let list = self.operand(v.operand(0));
        let area = self.reg(64);
        self.emit(Instruction::Variadic { to: area });
        let fields = [(0, bits(32, 48)), (4, bits(32, 304)), (OVERFLOW_AREA, Operand::Reg(area)), (16, bits(64, 0))];
        for (at, value) in fields {
            let place = self.plus(list.clone(), at);
            self.store_bits(place, value);
        }
    }

    /// `llvm.va_copy`.
    pub fn variadic_copy(&mut self, v: Value) {
        let (to, from) = (self.operand(v.operand(0)), self.operand(v.operand(1)));
        self.emit(Instruction::CopyMemory { to, from, length: bits(64, LIST_SIZE) });
    }

    /// `va_arg`.
    pub fn variadic_argument(&mut self, v: Value) {
        let list = self.operand(v.operand(0));
        let (size, align) = (v.ty().size(self.unit.module), v.ty().align(self.unit.module));
        let cell = self.plus(list, OVERFLOW_AREA);
        let mut at = self.load_bits(cell.clone(), 64);
        if align > 8 {
            let past = self.plus(at, align as i64 - 1);
            at = self.binary(BinaryOp::And, past, bits(64, (align as i64).wrapping_neg() as u64));
        }
        let mut result = Vec::new();
        self.load_type(v.ty(), at.clone(), 0, &mut result);
        let next = self.plus(at, size.next_multiple_of(8) as i64);
        self.store_bits(cell, next);
        self.define(v, result);
    }
}
