//! Jumps, branches, and control and status registers.

use super::builder::{Builder, bits};
use super::{Runtime, To, Way, register};
use crate::instruction::Instruction;
use crate::meaning::{Access, Relation};
use crate::table::{Format, Op};
use strata_ir::{BinaryOp, Instruction as Ir, Operand, UnaryOp};

/// Registers that hold a return address by the convention: ra and t0.
fn is_link(number: u8) -> bool {
    number == 1 || number == 5
}

pub(super) fn jump(b: &mut Builder, i: &Instruction, address: u64, next: u64) {
    b.set_number(i.rd, next);
    let way = if is_link(i.rd) { Way::Call(next) } else { Way::Jump };
    b.leave(To::Address { address: address.wrapping_add_signed(i.imm), way });
}

pub(super) fn jump_register(b: &mut Builder, i: &Instruction, next: u64) {
    // The target comes first: its register may be the one for the return address.
    let target = b.address(i.rs1, i.imm);
    let even = b.binary(BinaryOp::And, 64, target, bits(64, !1));
    b.set(register::PC, even);
    b.set_number(i.rd, next);
    let way = match (is_link(i.rd), is_link(i.rs1)) {
        (true, _) => Way::Call(next),
        (false, true) => Way::Return,
        (false, false) => Way::Jump,
    };
    b.leave(To::Indirect { way });
}

pub(super) fn branch(b: &mut Builder, i: &Instruction, relation: Relation, address: u64, next: u64) {
    let (x, y) = (b.x(i.rs1), b.x(i.rs2));
    let condition = match relation {
        Relation::Equal => b.binary(BinaryOp::Eq, 64, x, y),
        Relation::NotEqual => b.binary(BinaryOp::Ne, 64, x, y),
        Relation::Less => b.binary(BinaryOp::Slt, 64, x, y),
        Relation::NotLess => b.binary(BinaryOp::Sle, 64, y, x),
        Relation::Below => b.binary(BinaryOp::Ult, 64, x, y),
        Relation::NotBelow => b.binary(BinaryOp::Ule, 64, y, x),
    };
    let then = b.exit(To::Address { address: address.wrapping_add_signed(i.imm), way: Way::Branch });
    let otherwise = b.exit(To::Address { address: next, way: Way::Branch });
    b.end(Ir::Branch { condition, then, otherwise, site: 0 });
}

/// An instruction that no machine runs.
pub(super) fn illegal(b: &mut Builder) {
    b.end(Ir::Trap { kind: String::new() });
}

const FFLAGS: i64 = 0x001;
const FRM: i64 = 0x002;
const FCSR: i64 = 0x003;
const COUNTERS: std::ops::RangeInclusive<i64> = 0xc00..=0xc02;

/// Bits of the flags, which are the lowest ones, and of the rounding mode above them.
const FLAG_BITS: u32 = 5;
const MODE_BITS: u32 = 3;

const LOOKS: &str = "a program looks at the flags of floating-point operations, which are not modelled";

/// An instruction that reads a register with unknown flags. To write them back is all that can be
/// done with them. (The mode beside them is to nearest.)
pub(super) fn write_unknown(b: &mut Builder, i: &Instruction) {
    let writes = i.op == Op::Csrrw && matches!(i.imm, FFLAGS | FCSR) || i.op == Op::Csrrs && i.imm == FFLAGS;
    if writes && i.rd == 0 {
        b.set(register::FLAGS_UNKNOWN, bits(1, 1));
        b.flags_unknown = true;
    } else {
        b.end(Ir::Unsupported { reason: LOOKS.into() });
    }
}

pub(super) fn csr(b: &mut Builder, i: &Instruction, access: Access, next: u64, runtime: &Runtime) {
    let immediate = i.op.row().format == Format::CsrImmediate;
    let operand = if immediate { bits(64, u64::from(i.rs1)) } else { b.x(i.rs1) };
    // Setting or clearing no bits is no write.
    let writes = access == Access::Write || i.rs1 != 0;
    match i.imm {
        FFLAGS | FCSR if i.rd != 0 && (!writes || access == Access::Write) => {
            // Flags that nobody knows may be saved.
            let known = b.unary(UnaryOp::Not, 1, Operand::Reg(register::FLAGS_UNKNOWN));
            let on = b.fork(known);
            let before = (b.unknown, b.flags_unknown);
            if writes {
                write_state(b, i.imm, operand.clone(), access);
            }
            b.set_number(i.rd, 0);
            b.unknown = b.unknown.with(i.rd);
            let saved = b.exit(To::Address { address: next, way: Way::Fallthrough });
            b.emit(Ir::Jump { to: saved });
            (b.unknown, b.flags_unknown) = before;
            b.resume(on);
            let flags = b.extend(64, Operand::Reg(register::FLAGS), false);
            if writes {
                write_state(b, i.imm, operand, access);
            }
            b.emit(Ir::Copy { to: register::integer(i.rd), from: flags });
        }
        FFLAGS | FRM | FCSR => {
            if i.rd != 0 && i.imm != FRM {
                let known = b.unary(UnaryOp::Not, 1, Operand::Reg(register::FLAGS_UNKNOWN));
                b.require(known, LOOKS);
            }
            // The mode is to nearest: no other one can be written.
            let old = if i.imm == FRM { bits(64, 0) } else { b.extend(64, Operand::Reg(register::FLAGS), false) };
            if writes {
                let new = match access {
                    Access::Write => operand,
                    Access::Set => b.binary(BinaryOp::Or, 64, old.clone(), operand),
                    Access::Clear => {
                        let kept = b.unary(UnaryOp::Not, 64, operand);
                        b.binary(BinaryOp::And, 64, old.clone(), kept)
                    }
                };
                write_state(b, i.imm, new, access);
            }
            if i.rd != 0 {
                b.emit(Ir::Copy { to: register::integer(i.rd), from: old });
            }
        }
        number if COUNTERS.contains(&number) && !writes => {
            let to = b.temporary(64);
            let arguments = vec![(bits(64, number as u64), 64)];
            b.emit(Ir::Call { to: vec![to], function: runtime.counter, arguments });
            b.set_x(i.rd, Operand::Reg(to));
        }
        number if COUNTERS.contains(&number) => illegal(b),
        number => {
            b.end(Ir::Unsupported { reason: format!("the control and status register {number:#x} is not modelled") });
        }
    }
}

fn write_state(b: &mut Builder, number: i64, new: Operand, access: Access) {
    let mode = if number == FCSR { FLAG_BITS } else { 0 };
    if number != FFLAGS {
        let mode = b.extract(MODE_BITS, new.clone(), mode);
        let nearest = b.binary(BinaryOp::Eq, MODE_BITS, mode, bits(MODE_BITS, 0));
        b.require(nearest, "a program rounds in another way than to nearest, which is not modelled");
    }
    if number != FRM {
        let flags = b.extract(FLAG_BITS, new, 0);
        b.set(register::FLAGS, flags);
        // Unknown flags of which some are set or cleared are unknown still.
        if access == Access::Write {
            b.set(register::FLAGS_UNKNOWN, bits(1, 0));
            b.flags_unknown = false;
        }
    }
}
