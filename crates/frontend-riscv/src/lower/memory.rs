//! Loads, stores and atomic accesses. One thread runs at a time, and none is stopped inside an
//! instruction, so an atomic access is a plain sequence.

use super::builder::{Builder, bits};
use super::integer::operate;
use super::register;
use crate::instruction::Instruction;
use crate::meaning::Alu;
use strata_ir::{BinaryOp, Instruction as Ir, Operand, UnaryOp};

pub(super) fn load(b: &mut Builder, i: &Instruction, width: u32, signed: bool) {
    let address = b.address(i.rs1, i.imm);
    // What is loaded into register 0 is loaded nevertheless: the access may be an error.
    let value = b.load(width, address);
    let value = widened(b, width, value, signed);
    b.set_x(i.rd, value);
}

pub(super) fn store(b: &mut Builder, i: &Instruction, width: u32) {
    let address = b.address(i.rs1, i.imm);
    let value = b.x(i.rs2);
    let value = narrowed(b, width, value);
    b.emit(Ir::Store { address, value, width });
}

/// To 64 bits.
fn widened(b: &mut Builder, width: u32, value: Operand, signed: bool) -> Operand {
    if width == 64 { value } else { b.extend(64, value, signed) }
}

/// From 64 bits.
fn narrowed(b: &mut Builder, width: u32, value: Operand) -> Operand {
    if width == 64 { value } else { b.extract(width, value, 0) }
}

pub(super) fn load_reserved(b: &mut Builder, i: &Instruction, width: u32) {
    let address = b.x(i.rs1);
    b.set(register::RESERVED, address.clone());
    let value = b.load(width, address);
    let value = widened(b, width, value, true);
    // The reservation is a register of its own: the destination may be overwritten.
    b.emit(Ir::Copy { to: register::RESERVED_VALUE, from: value.clone() });
    b.set_x(i.rd, value);
}

pub(super) fn store_conditional(b: &mut Builder, i: &Instruction, width: u32) {
    let address = b.x(i.rs1);
    let new = b.x(i.rs2);
    let new = narrowed(b, width, new);
    let old = b.load(width, address.clone());
    // After a reservation of another width the values differ, or may as well be equal: both are
    // allowed.
    let wide = widened(b, width, old.clone(), true);
    let here = b.binary(BinaryOp::Eq, 64, address.clone(), Operand::Reg(register::RESERVED));
    let unchanged = b.binary(BinaryOp::Eq, 64, wide, Operand::Reg(register::RESERVED_VALUE));
    let done = b.binary(BinaryOp::And, 1, here, unchanged);
    let value = b.select(width, done.clone(), new, old);
    b.emit(Ir::Store { address, value, width });
    b.emit(Ir::Copy { to: register::RESERVED, from: bits(64, 0) });
    if i.rd != 0 {
        let failed = b.unary(UnaryOp::Not, 1, done);
        let failed = b.extend(64, failed, false);
        b.set_x(i.rd, failed);
    }
}

pub(super) fn atomic(b: &mut Builder, i: &Instruction, alu: Alu, width: u32) {
    let address = b.x(i.rs1);
    let operand = b.x(i.rs2);
    let operand = narrowed(b, width, operand);
    let old = b.load(width, address.clone());
    let value = operate(b, alu, width, old.clone(), operand);
    b.emit(Ir::Store { address, value, width });
    let old = widened(b, width, old, true);
    b.set_x(i.rd, old);
}
