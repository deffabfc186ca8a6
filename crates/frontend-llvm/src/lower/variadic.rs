//! Variable arguments, by the convention of x86-64 Linux.
//!
//! `va_list` is { i32 gp_offset, i32 fp_offset, ptr overflow_arg_area, ptr reg_save_area }. What
//! clang makes of `va_arg` takes an argument from the save area if enough of its registers are
//! left there, else from the overflow area, at an address aligned as its type wants. Clang also
//! decides by the registers left how a structure is passed, and its parts do not tell that they
//! belong together: so arguments are in registers here just where they are natively.
//!
//! A caller passes the words of one area, which `Variadic` puts into memory:
//!
//! ```text
//! layout | general registers | room, vector registers | room | overflow area
//! ```
//!
//! Only registers that hold surplus arguments are there. They are the last ones of a save area:
//! `gp_offset` and `fp_offset` start so that they end at 48 and 176 with the last argument.
//! Whoever asks for more goes on in the overflow area and leaves it, which is an error; natively a
//! register is read that nobody set. The save area's start is chosen to fit, and may lie before
//! the object.

use super::body::{Body, bits};
use super::shape::is_vector;
use crate::llvm::{LLVMTypeKind, Type, Value};
use strata_ir::{BinaryOp, Instruction, Operand, SURPLUS_LAYOUT};

const LIST_SIZE: u64 = 24;
const FP_OFFSET: i64 = 4;
const OVERFLOW_AREA: i64 = 8;
const SAVE_AREA: i64 = 16;

/// Registers that carry arguments.
const GENERAL: usize = 6;
const VECTOR: usize = 8;

/// Where they end in a save area, in bytes.
const GENERAL_END: u64 = 48;
const VECTOR_END: u64 = 176;

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// In so many general registers.
    General(usize),
    /// In a vector register.
    Vector,
    /// In memory, with this alignment.
    Memory(u64),
}

/// Arguments of a call of a variadic function: registers used up by those with a name, and the
/// others in words of 64 bits.
#[derive(Default)]
pub struct Slots {
    named: [usize; 2],
    general: Vec<Operand>,
    /// Two words each.
    vector: Vec<Operand>,
    memory: Vec<Operand>,
    /// The largest alignment of an argument in memory.
    aligned: u64,
}

impl Slots {
    fn general_left(&self) -> usize {
        GENERAL.saturating_sub(self.named[0] + self.general.len())
    }

    fn vector_left(&self) -> usize {
        VECTOR.saturating_sub(self.named[1] + self.vector.len() / 2)
    }

    fn align(&mut self, bytes: u64) {
        self.aligned = self.aligned.max(bytes);
        while !(self.memory.len() as u64 * 8).is_multiple_of(bytes.max(8)) {
            self.memory.push(bits(64, 0));
        }
    }

    /// The surplus arguments of the call, each with its width.
    pub fn finish(self) -> Vec<(Operand, u32)> {
        if self.general.is_empty() && self.vector.is_empty() && self.memory.is_empty() {
            return Vec::new();
        }
        let gp_offset = GENERAL_END - self.general.len() as u64 * 8;
        let fp_offset = VECTOR_END - self.vector.len() as u64 * 8;
        let mut words = self.general;
        if !self.vector.is_empty() {
            let room = 2 * VECTOR - self.vector.len();
            words.extend((0..room).map(|_| bits(64, 0)));
            words.extend(self.vector);
        }
        // The layout's own word comes before them.
        while !((words.len() as u64 + 1) * 8).is_multiple_of(self.aligned.max(8)) {
            words.push(bits(64, 0));
        }
        let overflow = (words.len() as u64 + 1) * 8;
        let layout = gp_offset | fp_offset << 8 | overflow << 16;
        words.extend(self.memory);
        let words = words.into_iter().map(|word| (word, 64));
        std::iter::once((bits(SURPLUS_LAYOUT, layout), SURPLUS_LAYOUT)).chain(words).collect()
    }
}

impl Body<'_, '_> {
    /// An argument that has a name in the callee: it uses up registers.
    pub fn slot_named(&mut self, slots: &mut Slots, argument: Value, is_copy: bool) {
        match self.class(argument.ty()) {
            Class::General(count) if !is_copy && count <= slots.general_left() => slots.named[0] += count,
            Class::Vector if !is_copy && slots.vector_left() > 0 => slots.named[1] += 1,
            Class::General(_) | Class::Vector | Class::Memory(_) => {}
        }
    }

    /// One surplus argument.
    pub fn slot_argument(&mut self, slots: &mut Slots, argument: Value) {
        let ty = argument.ty();
        let class = self.class(ty);
        let mut parts = self.operands(argument);
        if is_vector(ty) {
            parts = self.join(parts).into_iter().collect();
        }
        let words: Vec<Operand> = parts.into_iter().flat_map(|part| self.words(part)).collect();
        match class {
            Class::General(count) if count <= slots.general_left() => slots.general.extend(words),
            Class::Vector if slots.vector_left() > 0 => {
                slots.vector.extend(words);
                if !slots.vector.len().is_multiple_of(2) {
                    slots.vector.push(bits(64, 0));
                }
            }
            Class::General(_) | Class::Vector | Class::Memory(_) => {
                let align = match class {
                    Class::Memory(align) => align,
                    Class::General(_) | Class::Vector => words.len() as u64 * 8,
                };
                slots.align(align);
                slots.memory.extend(words);
            }
        }
    }

    fn class(&self, ty: Type) -> Class {
        let size = ty.size(self.unit.module);
        match ty.kind() {
            LLVMTypeKind::LLVMPointerTypeKind => Class::General(1),
            LLVMTypeKind::LLVMIntegerTypeKind if size <= 16 => Class::General(size.div_ceil(8) as usize),
            LLVMTypeKind::LLVMHalfTypeKind
            | LLVMTypeKind::LLVMBFloatTypeKind
            | LLVMTypeKind::LLVMFloatTypeKind
            | LLVMTypeKind::LLVMDoubleTypeKind
            | LLVMTypeKind::LLVMFP128TypeKind => Class::Vector,
            LLVMTypeKind::LLVMVectorTypeKind if size <= 16 => Class::Vector,
            LLVMTypeKind::LLVMVectorTypeKind => Class::Memory(size.next_power_of_two()),
            _ => Class::Memory(ty.align(self.unit.module).max(8)),
        }
    }

    /// A number in words of 64 bits.
    fn words(&mut self, number: Operand) -> Vec<Operand> {
        let width = self.width(&number);
        let mut words = Vec::new();
        for low in (0..width).step_by(64) {
            let piece = self.extract(number.clone(), low, (width - low).min(64));
            words.push(self.extend(piece, 64, false));
        }
        words
    }

    /// A surplus argument that is the bytes behind a pointer.
    pub fn slot_bytes(&mut self, slots: &mut Slots, address: Operand, ty: Type, align: u64) {
        slots.align(align.max(ty.align(self.unit.module)));
        let size = ty.size(self.unit.module);
        for at in (0..size).step_by(8) {
            let place = self.plus(address.clone(), at as i64);
            let piece = self.load_bits(place, ((size - at).min(8) * 8) as u32);
            let word = self.extend(piece, 64, false);
            slots.memory.push(word);
        }
    }

    /// `llvm.va_start`.
    pub fn variadic_start(&mut self, v: Value) {
        let list = self.operand(v.operand(0));
        let area = self.reg(64);
        self.emit(Instruction::Variadic { to: area });
        let area = Operand::Reg(area);
        let layout = self.load_bits(area.clone(), 64);
        let field = |body: &mut Self, low: u32, count: u32| {
            let field = body.extract(layout.clone(), low, count);
            body.extend(field, 64, false)
        };
        let (gp_offset, fp_offset) = (field(self, 0, 8), field(self, 8, 8));
        let overflow = field(self, 16, 32);
        let overflow = self.offset(area.clone(), overflow, 1);
        let registers = self.plus(area, 8);
        let before = self.binary(BinaryOp::Sub, bits(64, 0), gp_offset.clone());
        let save = self.offset(registers, before, 1);
        let (gp_offset, fp_offset) = (self.extract(gp_offset, 0, 32), self.extract(fp_offset, 0, 32));
        let fields = [(0, gp_offset), (FP_OFFSET, fp_offset), (OVERFLOW_AREA, overflow), (SAVE_AREA, save)];
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

    /// `va_arg`. Clang never makes it for x86-64, which has code for the convention instead.
    pub fn variadic_argument(&mut self, v: Value) {
        let list = self.operand(v.operand(0));
        let size = v.ty().size(self.unit.module);
        let cell = self.plus(list.clone(), OVERFLOW_AREA);
        let in_memory = self.load_bits(cell.clone(), 64);
        let (register, last, step, align) = match self.class(v.ty()) {
            Class::General(count) => {
                let step = count as u64 * 8;
                (Some(0), GENERAL_END - step, step, step)
            }
            Class::Vector => (Some(FP_OFFSET), VECTOR_END - 16, 16, size.next_multiple_of(8)),
            Class::Memory(align) => (None, 0, 0, align),
        };
        let mut memory = in_memory.clone();
        if align > 8 {
            let past = self.plus(memory, align as i64 - 1);
            memory = self.binary(BinaryOp::And, past, bits(64, (align as i64).wrapping_neg() as u64));
        }
        let after = self.plus(memory.clone(), size.next_multiple_of(8) as i64);
        let (at, after) = match register {
            None => (memory, after),
            Some(field) => {
                let place = self.plus(list.clone(), field);
                let offset = self.load_bits(place.clone(), 32);
                let left = self.binary(BinaryOp::Ule, offset.clone(), bits(32, last));
                let next = self.binary(BinaryOp::Add, offset.clone(), bits(32, step));
                let next = self.choose(left.clone(), next, offset.clone());
                self.store_bits(place, next);
                let save = self.plus(list, SAVE_AREA);
                let save = self.load_bits(save, 64);
                let offset = self.extend(offset, 64, false);
                let saved = self.offset(save, offset, 1);
                (self.choose(left.clone(), saved, memory), self.choose(left, in_memory, after))
            }
        };
        let mut result = Vec::new();
        self.load_type(v.ty(), at, 0, &mut result);
        self.store_bits(cell, after);
        self.define(v, result);
    }
}
