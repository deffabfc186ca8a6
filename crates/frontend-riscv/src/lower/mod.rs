//! Machine code to the IR, a basic block at a time.
//!
//! `lower` takes the address of an instruction and gives the IR of everything from there to the
//! next instruction that leaves the straight line, and where it can go from there (`Exit`). It
//! decodes nothing else, so it can be called while a program runs, for each address that a path
//! reaches first. Two blocks may overlap: one that starts inside another one has its own copy.
//!
//! - `builder`: emits instructions, hands out temporary registers
//! - `integer`, `memory`, `float`, `control`: one function for each kind of meaning
//! - `close`: code that is known in advance as one function, for tests
//!
//! # The machine in the IR
//!
//! A thread's registers are those of one function, of which every block is a block (`register`):
//! calls are jumps, and there is one frame, which lives as long as the thread. Other registers of
//! a block (`Lowered::temporaries`) are never live at its end.
//!
//! # What the interpreter must offer
//!
//! - *An image that grows.* Its blocks are found by address and by what is `Unknown` there. A
//!   block's exits are `BlockId`s behind its own blocks: `blocks.len() + k` is exit `k`. The
//!   image gives each exit to a known address a stub, which asks for the block at that address,
//!   lowers it if nobody has, and is patched to jump there. Blocks are verified one by one,
//!   against the machine's registers, their own temporaries and their exits. Coverage and branch
//!   sites grow with them (`Lowered` leaves sites at 0).
//! - *Registers as the thread's state.* The machine's registers keep their slots in every block;
//!   temporaries get slots behind them, block by block. Fork, merge and the memory of terms see
//!   one frame.
//! - *Indirect jumps.* Before `To::Indirect` the register `PC` holds the target. One value: the
//!   block there. Several: each value that the path allows is its own path. What is no
//!   instruction (`Fetch`) is an error of the program, except `Fetch::Illegal`: that may be an
//!   extension which is not supported, and ends the path as incomplete.
//! - *A target for system calls.* At `To::SystemCall` the number is in a7, arguments are in a0 to
//!   a5, and the result goes to a0. A call that reads an argument which the exit says is unknown
//!   ends the path as incomplete. Numbers and structures are those of riscv64, which differ from
//!   those of x86-64.
//! - *A counter* that `Runtime::counter` reads: cycles, time or retired instructions.
//! - *Memory by address.* Machine code has no types: an access is checked against the object at
//!   its address (segments, stack, heap where malloc is the engine's). Addresses are computed by
//!   sums, so provenance can be kept where a pointer came from an allocation, and costs nothing
//!   where it did not.
//! - *Calls.* `Way::Call` and `Way::Return` say what a jump is by the convention (ra or t0 is the
//!   link), so that a stack of calls can be followed for messages. It is a hint: longjmp and tail
//!   calls do not keep it.
//!
//! # What is not exact
//!
//! Rounding is to nearest, ties to even. An operation that would round otherwise, and a write of
//! another rounding mode, are `Unsupported`: they end the path as incomplete. So is an
//! instruction that looks at flags after an operation that may have changed them; to save and
//! restore them is no look. A store-conditional succeeds if the reserved bytes are unchanged, as
//! under qemu. Misaligned accesses are made.

mod builder;
mod close;
mod control;
mod float;
mod integer;
mod memory;

pub use close::{Border, close};

use crate::instruction::{Fetch, Instruction};
use crate::meaning::Lowering;
use builder::Builder;
use strata_ir::{Block, FunctionId};

/// The registers of the machine as registers of the IR.
pub mod register {
    use strata_ir::Reg;

    /// The target of an indirect jump, 64 bits. (The integer register 0 is a constant and has no
    /// register.)
    pub const PC: Reg = Reg(0);
    /// The flags of floating-point operations, 5 bits.
    pub const FLAGS: Reg = Reg(64);
    /// One bit: was there an operation since the flags were last written?
    pub const FLAGS_UNKNOWN: Reg = Reg(65);
    /// The reserved address, 64 bits; 0 is none.
    pub const RESERVED: Reg = Reg(66);
    /// What was at the reserved address, 64 bits.
    pub const RESERVED_VALUE: Reg = Reg(67);
    /// How many there are.
    pub const COUNT: u32 = 68;

    /// An integer register, from 1 to 31: 64 bits.
    pub const fn integer(number: u8) -> Reg {
        assert!(number > 0 && number < 32);
        Reg(number as u32)
    }

    /// A floating-point register: 64 bits. A binary32 has ones above it.
    pub const fn float(number: u8) -> Reg {
        assert!(number < 32);
        Reg(32 + number as u32)
    }

    /// The width of a machine register.
    pub const fn width(register: Reg) -> u32 {
        match register {
            FLAGS => 5,
            FLAGS_UNKNOWN => 1,
            _ => 64,
        }
    }
}

/// Functions of the engine that lowered code calls.
#[derive(Clone, Copy, Debug)]
pub struct Runtime {
    /// Takes the number of a counter's register (0xc00 cycles, 0xc01 time, 0xc02 instructions; 64
    /// bits) and gives its value (64 bits).
    pub counter: FunctionId,
}

/// How a jump is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// The straight line goes on.
    Fallthrough,
    /// A side of a conditional branch.
    Branch,
    /// A jump.
    Jump,
    /// A call, with the address where it will return to.
    Call(u64),
    /// A return.
    Return,
    /// The straight line goes on, and memory may hold other instructions than before.
    Changed,
}

/// Integer registers that hold flags of floating-point operations which nobody computed.
///
/// Compilers save the flags before a comparison and restore them after it. What is saved is
/// written back and never looked at, so it need not be known. A block is lowered for a set of
/// such registers: one that looks at them ends its path, and costs the others nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Unknown(u32);

impl Unknown {
    /// Does this register hold such flags?
    pub fn has(self, number: u8) -> bool {
        self.0 >> number & 1 != 0
    }

    fn with(self, number: u8) -> Unknown {
        Unknown(self.0 | 1 << number)
    }

    fn without(self, number: u8) -> Unknown {
        Unknown(self.0 & !(1 << number))
    }
}

/// Where a block can go, and what is unknown there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exit {
    /// Where.
    pub to: To,
    /// What is unknown there: the block that follows is lowered for that.
    pub unknown: Unknown,
}

/// Where a block can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum To {
    /// To the instruction at an address.
    Address {
        /// The address.
        address: u64,
        /// How it is meant.
        way: Way,
    },
    /// To the instruction at the address that `register::PC` holds.
    Indirect {
        /// How it is meant.
        way: Way,
    },
    /// To the system, and on from there.
    SystemCall {
        /// The instruction after the call.
        next: u64,
    },
    /// To a debugger.
    Breakpoint {
        /// The instruction itself.
        address: u64,
    },
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// Where it starts.
    pub address: u64,
    /// The first address behind it.
    pub end: u64,
    /// The addresses of its instructions. `PlaceId(i)` in `blocks` stands for `instructions[i]`.
    pub instructions: Vec<u64>,
    /// The code. Block 0 is where it starts.
    pub blocks: Vec<Block>,
    /// Where it can go: exit `k` is the block `blocks.len() + k`.
    pub exits: Vec<Exit>,
    /// The widths of its own registers, which come behind those of the machine.
    pub temporaries: Vec<u32>,
}

/// Upper bound on the instructions of a block: what is lowered may never be run. Straight lines
/// beyond it are rare.
const LONGEST: usize = 64;

/// The basic block at an address, where some registers hold unknown flags (at the start of a
/// thread, none). `fetch` gives the instruction at an address.
pub fn lower(
    address: u64,
    unknown: Unknown,
    fetch: &dyn Fn(u64) -> Result<Instruction, Fetch>,
    runtime: &Runtime,
) -> Result<Lowered, Fetch> {
    let mut builder = Builder::new(address, unknown);
    let mut next = address;
    loop {
        let instruction = match fetch(next) {
            Ok(instruction) if builder.length() < LONGEST => instruction,
            // What is behind the last instruction is no code only if somebody goes there.
            Ok(_) | Err(_) if builder.length() > 0 => {
                builder.leave(To::Address { address: next, way: Way::Fallthrough });
                break;
            }
            Ok(_) => unreachable!("a block may have one instruction"),
            Err(reason) => return Err(reason),
        };
        builder.begin(next);
        let end = next.wrapping_add(u64::from(instruction.length));
        one(&mut builder, &instruction, next, runtime);
        next = end;
        if builder.is_done() {
            break;
        }
    }
    Ok(builder.finish(next))
}

/// One instruction.
fn one(b: &mut Builder, i: &Instruction, address: u64, runtime: &Runtime) {
    let next = address.wrapping_add(u64::from(i.length));
    if i.reads().iter().any(|number| b.unknown.has(*number)) {
        return control::write_unknown(b, i);
    }
    // An instruction that leaves the block has written its register before.
    b.unknown = b.unknown.without(i.writes());
    match i.op.lowering() {
        Lowering::UpperImmediate => b.set_number(i.rd, i.imm as u64),
        Lowering::PcRelative => b.set_number(i.rd, address.wrapping_add_signed(i.imm)),
        Lowering::Jump => control::jump(b, i, address, next),
        Lowering::JumpRegister => control::jump_register(b, i, next),
        Lowering::Branch(relation) => control::branch(b, i, relation, address, next),
        Lowering::Load { bits, signed } => memory::load(b, i, bits, signed),
        Lowering::Store { bits } => memory::store(b, i, bits),
        Lowering::Integer(alu) => integer::whole(b, i, alu),
        Lowering::Word(alu) => integer::word(b, i, alu),
        Lowering::UnsignedWord(alu) => integer::unsigned_word(b, i, alu),
        Lowering::Unary(bits) => integer::unary(b, i, bits),
        Lowering::UnaryWord(bits) => integer::unary_word(b, i, bits),
        Lowering::LoadReserved { bits } => memory::load_reserved(b, i, bits),
        Lowering::StoreConditional { bits } => memory::store_conditional(b, i, bits),
        Lowering::Atomic { alu, bits } => memory::atomic(b, i, alu, bits),
        Lowering::Csr(access) => control::csr(b, i, access, next, runtime),
        Lowering::Nothing => {}
        Lowering::FenceInstruction => b.leave(To::Address { address: next, way: Way::Changed }),
        Lowering::SystemCall => b.leave(To::SystemCall { next }),
        Lowering::Breakpoint => b.leave(To::Breakpoint { address }),
        Lowering::Illegal => control::illegal(b),
        Lowering::LoadFloat(format) => float::load(b, i, format),
        Lowering::StoreFloat(format) => float::store(b, i, format),
        Lowering::Float(op, format) => float::binary(b, i, op, format),
        Lowering::FloatRoot(format) => float::root(b, i, format),
        Lowering::FloatFused { format, minus_product, minus_addend } => {
            float::fused(b, i, format, minus_product, minus_addend);
        }
        Lowering::FloatSign(sign, format) => float::sign(b, i, sign, format),
        Lowering::FloatExtreme { greatest, format } => float::extreme(b, i, greatest, format),
        Lowering::FloatCompare(order, format) => float::compare(b, i, order, format),
        Lowering::FloatClass(format) => float::class(b, i, format),
        Lowering::FloatNarrow => float::narrow(b, i),
        Lowering::FloatWiden => float::widen(b, i),
        Lowering::FloatToInteger { format, bits, signed } => float::to_integer(b, i, format, bits, signed),
        Lowering::IntegerToFloat { format, bits, signed } => float::from_integer(b, i, format, bits, signed),
        Lowering::FloatToBits(format) => float::to_bits(b, i, format),
        Lowering::BitsToFloat(format) => float::from_bits(b, i, format),
    }
}
