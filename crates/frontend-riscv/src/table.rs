//! The instructions: one row each. Decoder, disassembler, lowering and the generators of tests
//! derive from it.
//!
//! A 16-bit instruction has a row that names its expansion: what it does, and how it is shown, is
//! said there. Where two rows match, the first one holds. Bit patterns that the specification
//! reserves inside a 16-bit row have a row of their own before it, and decode to nothing. Hints
//! (a 16-bit instruction whose result nobody can see) have rows as well, since they are shown
//! under their own names.

use crate::extension::Extension;
use crate::instruction::Instruction;
use crate::meaning::{Access, Alu, Bits, Lowering, Order, Relation, Sign};
use std::sync::LazyLock;
use strata_ir::{FloatFormat, FloatOp};

/// Where the operands are. Formats with a `C` (and `Li`) are of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the specification, or of the operands")]
pub enum Format {
    R,
    I,
    Shift6,
    Shift5,
    Unary,
    Load,
    Store,
    B,
    U,
    J,
    Jalr,
    Fence,
    Nullary,
    Csr,
    CsrImmediate,
    LoadReserved,
    Atomic,
    LoadFloat,
    StoreFloat,
    Float4,
    Float3,
    Float2,
    Float2Exact,
    FloatFixed3,
    FloatTest,
    FloatClass,
    FloatToInteger,
    IntegerToFloat,
    IntegerToFloatExact,
    FloatToBits,
    BitsToFloat,
    Ciw,
    Clw,
    Cld,
    Csw,
    Csd,
    Ci,
    Li,
    Ci16sp,
    Clui,
    Cshift,
    Candi,
    Ca,
    Cj,
    Cb,
    Cslli,
    Clwsp,
    Cldsp,
    Cswsp,
    Csdsp,
    Cjr,
    Cjalr,
    Cmv,
    Cadd,
}

/// What a row is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An instruction.
    Plain,
    /// A 16-bit instruction that changes nothing, whatever it expands to.
    Hint,
    /// Bits that are no instruction.
    Reserved,
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it does.
    pub op: Op,
    /// Its mnemonic.
    pub name: &'static str,
    /// The extension that brings it.
    pub extension: Extension,
    /// The bits that are fixed.
    pub mask: u32,
    /// Their values.
    pub bits: u32,
    /// Where the operands are.
    pub format: Format,
    /// What the row is for.
    pub role: Role,
}

impl Row {
    const fn compressed(name: &'static str, mask: u32, bits: u32, format: Format, op: Op) -> Row {
        Row { op, name, extension: Extension::C, mask, bits, format, role: Role::Plain }
    }

    const fn hint(name: &'static str, mask: u32, bits: u32, format: Format, op: Op) -> Row {
        Row { role: Role::Hint, ..Row::compressed(name, mask, bits, format, op) }
    }

    const fn reserved(mask: u32, bits: u32) -> Row {
        Row { role: Role::Reserved, ..Row::compressed("", mask, bits, Format::Nullary, Op::Unimp) }
    }

    /// Is it of 16 bits?
    pub fn is_compressed(&self) -> bool {
        self.bits & 3 != 3
    }
}

macro_rules! rows {
    ($($op:ident, $name:literal, $extension:ident, $mask:literal, $bits:literal, $format:ident, $lowering:expr;)*) => {
        /// What an instruction does: the 32-bit instructions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of the specification")]
        pub enum Op {
            $($op,)*
        }

        /// The 32-bit instructions, in the order of `Op`.
        static ROWS: &[Row] = &[$(Row {
            op: Op::$op,
            name: $name,
            extension: Extension::$extension,
            mask: $mask,
            bits: $bits,
            format: Format::$format,
            role: Role::Plain,
        },)*];

        static LOWERINGS: &[Lowering] = {
            use Lowering::*;
            &[$($lowering,)*]
        };
    };
}

#[rustfmt::skip] // A row is a line.
rows! {
    // RV64I
    Lui, "lui", I, 0x0000007f, 0x00000037, U, UpperImmediate;
    Auipc, "auipc", I, 0x0000007f, 0x00000017, U, PcRelative;
    Jal, "jal", I, 0x0000007f, 0x0000006f, J, Jump;
    Jalr, "jalr", I, 0x0000707f, 0x00000067, Jalr, JumpRegister;
    Beq, "beq", I, 0x0000707f, 0x00000063, B, Branch(Relation::Equal);
    Bne, "bne", I, 0x0000707f, 0x00001063, B, Branch(Relation::NotEqual);
    Blt, "blt", I, 0x0000707f, 0x00004063, B, Branch(Relation::Less);
    Bge, "bge", I, 0x0000707f, 0x00005063, B, Branch(Relation::NotLess);
    Bltu, "bltu", I, 0x0000707f, 0x00006063, B, Branch(Relation::Below);
    Bgeu, "bgeu", I, 0x0000707f, 0x00007063, B, Branch(Relation::NotBelow);
    Lb, "lb", I, 0x0000707f, 0x00000003, Load, Load { bits: 8, signed: true };
    Lh, "lh", I, 0x0000707f, 0x00001003, Load, Load { bits: 16, signed: true };
    Lw, "lw", I, 0x0000707f, 0x00002003, Load, Load { bits: 32, signed: true };
    Ld, "ld", I, 0x0000707f, 0x00003003, Load, Load { bits: 64, signed: true };
    Lbu, "lbu", I, 0x0000707f, 0x00004003, Load, Load { bits: 8, signed: false };
    Lhu, "lhu", I, 0x0000707f, 0x00005003, Load, Load { bits: 16, signed: false };
    Lwu, "lwu", I, 0x0000707f, 0x00006003, Load, Load { bits: 32, signed: false };
    Sb, "sb", I, 0x0000707f, 0x00000023, Store, Store { bits: 8 };
    Sh, "sh", I, 0x0000707f, 0x00001023, Store, Store { bits: 16 };
    Sw, "sw", I, 0x0000707f, 0x00002023, Store, Store { bits: 32 };
    Sd, "sd", I, 0x0000707f, 0x00003023, Store, Store { bits: 64 };
    Addi, "addi", I, 0x0000707f, 0x00000013, I, Integer(Alu::Add);
    Slti, "slti", I, 0x0000707f, 0x00002013, I, Integer(Alu::SetLess);
    Sltiu, "sltiu", I, 0x0000707f, 0x00003013, I, Integer(Alu::SetBelow);
    Xori, "xori", I, 0x0000707f, 0x00004013, I, Integer(Alu::Xor);
    Ori, "ori", I, 0x0000707f, 0x00006013, I, Integer(Alu::Or);
    Andi, "andi", I, 0x0000707f, 0x00007013, I, Integer(Alu::And);
    Slli, "slli", I, 0xfc00707f, 0x00001013, Shift6, Integer(Alu::ShiftLeft);
    Srli, "srli", I, 0xfc00707f, 0x00005013, Shift6, Integer(Alu::ShiftRight);
    Srai, "srai", I, 0xfc00707f, 0x40005013, Shift6, Integer(Alu::ShiftRightSigned);
    Add, "add", I, 0xfe00707f, 0x00000033, R, Integer(Alu::Add);
    Sub, "sub", I, 0xfe00707f, 0x40000033, R, Integer(Alu::Sub);
    Sll, "sll", I, 0xfe00707f, 0x00001033, R, Integer(Alu::ShiftLeft);
    Slt, "slt", I, 0xfe00707f, 0x00002033, R, Integer(Alu::SetLess);
    Sltu, "sltu", I, 0xfe00707f, 0x00003033, R, Integer(Alu::SetBelow);
    Xor, "xor", I, 0xfe00707f, 0x00004033, R, Integer(Alu::Xor);
    Srl, "srl", I, 0xfe00707f, 0x00005033, R, Integer(Alu::ShiftRight);
    Sra, "sra", I, 0xfe00707f, 0x40005033, R, Integer(Alu::ShiftRightSigned);
    Or, "or", I, 0xfe00707f, 0x00006033, R, Integer(Alu::Or);
    And, "and", I, 0xfe00707f, 0x00007033, R, Integer(Alu::And);
    Addiw, "addiw", I, 0x0000707f, 0x0000001b, I, Word(Alu::Add);
    Slliw, "slliw", I, 0xfe00707f, 0x0000101b, Shift5, Word(Alu::ShiftLeft);
    Srliw, "srliw", I, 0xfe00707f, 0x0000501b, Shift5, Word(Alu::ShiftRight);
    Sraiw, "sraiw", I, 0xfe00707f, 0x4000501b, Shift5, Word(Alu::ShiftRightSigned);
    Addw, "addw", I, 0xfe00707f, 0x0000003b, R, Word(Alu::Add);
    Subw, "subw", I, 0xfe00707f, 0x4000003b, R, Word(Alu::Sub);
    Sllw, "sllw", I, 0xfe00707f, 0x0000103b, R, Word(Alu::ShiftLeft);
    Srlw, "srlw", I, 0xfe00707f, 0x0000503b, R, Word(Alu::ShiftRight);
    Sraw, "sraw", I, 0xfe00707f, 0x4000503b, R, Word(Alu::ShiftRightSigned);
    FenceTso, "fence.tso", I, 0xfff0707f, 0x8330000f, Nullary, Nothing;
    Fence, "fence", I, 0x0000707f, 0x0000000f, Fence, Nothing;
    FenceI, "fence.i", Zifencei, 0x0000707f, 0x0000100f, Nullary, FenceInstruction;
    Ecall, "ecall", I, 0xffffffff, 0x00000073, Nullary, SystemCall;
    Ebreak, "ebreak", I, 0xffffffff, 0x00100073, Nullary, Breakpoint;
    // Zicsr
    Unimp, "unimp", Zicsr, 0xffffffff, 0xc0001073, Nullary, Illegal;
    Csrrw, "csrrw", Zicsr, 0x0000707f, 0x00001073, Csr, Csr(Access::Write);
    Csrrs, "csrrs", Zicsr, 0x0000707f, 0x00002073, Csr, Csr(Access::Set);
    Csrrc, "csrrc", Zicsr, 0x0000707f, 0x00003073, Csr, Csr(Access::Clear);
    Csrrwi, "csrrwi", Zicsr, 0x0000707f, 0x00005073, CsrImmediate, Csr(Access::Write);
    Csrrsi, "csrrsi", Zicsr, 0x0000707f, 0x00006073, CsrImmediate, Csr(Access::Set);
    Csrrci, "csrrci", Zicsr, 0x0000707f, 0x00007073, CsrImmediate, Csr(Access::Clear);
    // M
    Mul, "mul", M, 0xfe00707f, 0x02000033, R, Integer(Alu::Mul);
    Mulh, "mulh", M, 0xfe00707f, 0x02001033, R, Integer(Alu::MulHigh);
    Mulhsu, "mulhsu", M, 0xfe00707f, 0x02002033, R, Integer(Alu::MulHighMixed);
    Mulhu, "mulhu", M, 0xfe00707f, 0x02003033, R, Integer(Alu::MulHighUnsigned);
    Div, "div", M, 0xfe00707f, 0x02004033, R, Integer(Alu::Div);
    Divu, "divu", M, 0xfe00707f, 0x02005033, R, Integer(Alu::DivUnsigned);
    Rem, "rem", M, 0xfe00707f, 0x02006033, R, Integer(Alu::Rem);
    Remu, "remu", M, 0xfe00707f, 0x02007033, R, Integer(Alu::RemUnsigned);
    Mulw, "mulw", M, 0xfe00707f, 0x0200003b, R, Word(Alu::Mul);
    Divw, "divw", M, 0xfe00707f, 0x0200403b, R, Word(Alu::Div);
    Divuw, "divuw", M, 0xfe00707f, 0x0200503b, R, Word(Alu::DivUnsigned);
    Remw, "remw", M, 0xfe00707f, 0x0200603b, R, Word(Alu::Rem);
    Remuw, "remuw", M, 0xfe00707f, 0x0200703b, R, Word(Alu::RemUnsigned);
    // A
    LrW, "lr.w", A, 0xf9f0707f, 0x1000202f, LoadReserved, LoadReserved { bits: 32 };
    ScW, "sc.w", A, 0xf800707f, 0x1800202f, Atomic, StoreConditional { bits: 32 };
    AmoswapW, "amoswap.w", A, 0xf800707f, 0x0800202f, Atomic, Atomic { alu: Alu::Swap, bits: 32 };
    AmoaddW, "amoadd.w", A, 0xf800707f, 0x0000202f, Atomic, Atomic { alu: Alu::Add, bits: 32 };
    AmoxorW, "amoxor.w", A, 0xf800707f, 0x2000202f, Atomic, Atomic { alu: Alu::Xor, bits: 32 };
    AmoandW, "amoand.w", A, 0xf800707f, 0x6000202f, Atomic, Atomic { alu: Alu::And, bits: 32 };
    AmoorW, "amoor.w", A, 0xf800707f, 0x4000202f, Atomic, Atomic { alu: Alu::Or, bits: 32 };
    AmominW, "amomin.w", A, 0xf800707f, 0x8000202f, Atomic, Atomic { alu: Alu::Min, bits: 32 };
    AmomaxW, "amomax.w", A, 0xf800707f, 0xa000202f, Atomic, Atomic { alu: Alu::Max, bits: 32 };
    AmominuW, "amominu.w", A, 0xf800707f, 0xc000202f, Atomic, Atomic { alu: Alu::MinUnsigned, bits: 32 };
    AmomaxuW, "amomaxu.w", A, 0xf800707f, 0xe000202f, Atomic, Atomic { alu: Alu::MaxUnsigned, bits: 32 };
    LrD, "lr.d", A, 0xf9f0707f, 0x1000302f, LoadReserved, LoadReserved { bits: 64 };
    ScD, "sc.d", A, 0xf800707f, 0x1800302f, Atomic, StoreConditional { bits: 64 };
    AmoswapD, "amoswap.d", A, 0xf800707f, 0x0800302f, Atomic, Atomic { alu: Alu::Swap, bits: 64 };
    AmoaddD, "amoadd.d", A, 0xf800707f, 0x0000302f, Atomic, Atomic { alu: Alu::Add, bits: 64 };
    AmoxorD, "amoxor.d", A, 0xf800707f, 0x2000302f, Atomic, Atomic { alu: Alu::Xor, bits: 64 };
    AmoandD, "amoand.d", A, 0xf800707f, 0x6000302f, Atomic, Atomic { alu: Alu::And, bits: 64 };
    AmoorD, "amoor.d", A, 0xf800707f, 0x4000302f, Atomic, Atomic { alu: Alu::Or, bits: 64 };
    AmominD, "amomin.d", A, 0xf800707f, 0x8000302f, Atomic, Atomic { alu: Alu::Min, bits: 64 };
    AmomaxD, "amomax.d", A, 0xf800707f, 0xa000302f, Atomic, Atomic { alu: Alu::Max, bits: 64 };
    AmominuD, "amominu.d", A, 0xf800707f, 0xc000302f, Atomic, Atomic { alu: Alu::MinUnsigned, bits: 64 };
    AmomaxuD, "amomaxu.d", A, 0xf800707f, 0xe000302f, Atomic, Atomic { alu: Alu::MaxUnsigned, bits: 64 };
    // F
    Flw, "flw", F, 0x0000707f, 0x00002007, LoadFloat, LoadFloat(FloatFormat::Single);
    Fsw, "fsw", F, 0x0000707f, 0x00002027, StoreFloat, StoreFloat(FloatFormat::Single);
    FmaddS, "fmadd.s", F, 0x0600007f, 0x00000043, Float4, FloatFused { format: FloatFormat::Single, minus_product: false, minus_addend: false };
    FmsubS, "fmsub.s", F, 0x0600007f, 0x00000047, Float4, FloatFused { format: FloatFormat::Single, minus_product: false, minus_addend: true };
    FnmsubS, "fnmsub.s", F, 0x0600007f, 0x0000004b, Float4, FloatFused { format: FloatFormat::Single, minus_product: true, minus_addend: false };
    FnmaddS, "fnmadd.s", F, 0x0600007f, 0x0000004f, Float4, FloatFused { format: FloatFormat::Single, minus_product: true, minus_addend: true };
    FaddS, "fadd.s", F, 0xfe00007f, 0x00000053, Float3, Float(FloatOp::Add, FloatFormat::Single);
    FsubS, "fsub.s", F, 0xfe00007f, 0x08000053, Float3, Float(FloatOp::Sub, FloatFormat::Single);
    FmulS, "fmul.s", F, 0xfe00007f, 0x10000053, Float3, Float(FloatOp::Mul, FloatFormat::Single);
    FdivS, "fdiv.s", F, 0xfe00007f, 0x18000053, Float3, Float(FloatOp::Div, FloatFormat::Single);
    FsqrtS, "fsqrt.s", F, 0xfff0007f, 0x58000053, Float2, FloatRoot(FloatFormat::Single);
    FsgnjS, "fsgnj.s", F, 0xfe00707f, 0x20000053, FloatFixed3, FloatSign(Sign::Copy, FloatFormat::Single);
    FsgnjnS, "fsgnjn.s", F, 0xfe00707f, 0x20001053, FloatFixed3, FloatSign(Sign::Negate, FloatFormat::Single);
    FsgnjxS, "fsgnjx.s", F, 0xfe00707f, 0x20002053, FloatFixed3, FloatSign(Sign::Xor, FloatFormat::Single);
    FminS, "fmin.s", F, 0xfe00707f, 0x28000053, FloatFixed3, FloatExtreme { greatest: false, format: FloatFormat::Single };
    FmaxS, "fmax.s", F, 0xfe00707f, 0x28001053, FloatFixed3, FloatExtreme { greatest: true, format: FloatFormat::Single };
    FeqS, "feq.s", F, 0xfe00707f, 0xa0002053, FloatTest, FloatCompare(Order::Equal, FloatFormat::Single);
    FltS, "flt.s", F, 0xfe00707f, 0xa0001053, FloatTest, FloatCompare(Order::Less, FloatFormat::Single);
    FleS, "fle.s", F, 0xfe00707f, 0xa0000053, FloatTest, FloatCompare(Order::LessOrEqual, FloatFormat::Single);
    FclassS, "fclass.s", F, 0xfff0707f, 0xe0001053, FloatClass, FloatClass(FloatFormat::Single);
    FcvtWS, "fcvt.w.s", F, 0xfff0007f, 0xc0000053, FloatToInteger, FloatToInteger { format: FloatFormat::Single, bits: 32, signed: true };
    FcvtWuS, "fcvt.wu.s", F, 0xfff0007f, 0xc0100053, FloatToInteger, FloatToInteger { format: FloatFormat::Single, bits: 32, signed: false };
    FcvtLS, "fcvt.l.s", F, 0xfff0007f, 0xc0200053, FloatToInteger, FloatToInteger { format: FloatFormat::Single, bits: 64, signed: true };
    FcvtLuS, "fcvt.lu.s", F, 0xfff0007f, 0xc0300053, FloatToInteger, FloatToInteger { format: FloatFormat::Single, bits: 64, signed: false };
    FcvtSW, "fcvt.s.w", F, 0xfff0007f, 0xd0000053, IntegerToFloat, IntegerToFloat { format: FloatFormat::Single, bits: 32, signed: true };
    FcvtSWu, "fcvt.s.wu", F, 0xfff0007f, 0xd0100053, IntegerToFloat, IntegerToFloat { format: FloatFormat::Single, bits: 32, signed: false };
    FcvtSL, "fcvt.s.l", F, 0xfff0007f, 0xd0200053, IntegerToFloat, IntegerToFloat { format: FloatFormat::Single, bits: 64, signed: true };
    FcvtSLu, "fcvt.s.lu", F, 0xfff0007f, 0xd0300053, IntegerToFloat, IntegerToFloat { format: FloatFormat::Single, bits: 64, signed: false };
    FmvXW, "fmv.x.w", F, 0xfff0707f, 0xe0000053, FloatToBits, FloatToBits(FloatFormat::Single);
    FmvWX, "fmv.w.x", F, 0xfff0707f, 0xf0000053, BitsToFloat, BitsToFloat(FloatFormat::Single);
    // D
    Fld, "fld", D, 0x0000707f, 0x00003007, LoadFloat, LoadFloat(FloatFormat::Double);
    Fsd, "fsd", D, 0x0000707f, 0x00003027, StoreFloat, StoreFloat(FloatFormat::Double);
    FmaddD, "fmadd.d", D, 0x0600007f, 0x02000043, Float4, FloatFused { format: FloatFormat::Double, minus_product: false, minus_addend: false };
    FmsubD, "fmsub.d", D, 0x0600007f, 0x02000047, Float4, FloatFused { format: FloatFormat::Double, minus_product: false, minus_addend: true };
    FnmsubD, "fnmsub.d", D, 0x0600007f, 0x0200004b, Float4, FloatFused { format: FloatFormat::Double, minus_product: true, minus_addend: false };
    FnmaddD, "fnmadd.d", D, 0x0600007f, 0x0200004f, Float4, FloatFused { format: FloatFormat::Double, minus_product: true, minus_addend: true };
    FaddD, "fadd.d", D, 0xfe00007f, 0x02000053, Float3, Float(FloatOp::Add, FloatFormat::Double);
    FsubD, "fsub.d", D, 0xfe00007f, 0x0a000053, Float3, Float(FloatOp::Sub, FloatFormat::Double);
    FmulD, "fmul.d", D, 0xfe00007f, 0x12000053, Float3, Float(FloatOp::Mul, FloatFormat::Double);
    FdivD, "fdiv.d", D, 0xfe00007f, 0x1a000053, Float3, Float(FloatOp::Div, FloatFormat::Double);
    FsqrtD, "fsqrt.d", D, 0xfff0007f, 0x5a000053, Float2, FloatRoot(FloatFormat::Double);
    FsgnjD, "fsgnj.d", D, 0xfe00707f, 0x22000053, FloatFixed3, FloatSign(Sign::Copy, FloatFormat::Double);
    FsgnjnD, "fsgnjn.d", D, 0xfe00707f, 0x22001053, FloatFixed3, FloatSign(Sign::Negate, FloatFormat::Double);
    FsgnjxD, "fsgnjx.d", D, 0xfe00707f, 0x22002053, FloatFixed3, FloatSign(Sign::Xor, FloatFormat::Double);
    FminD, "fmin.d", D, 0xfe00707f, 0x2a000053, FloatFixed3, FloatExtreme { greatest: false, format: FloatFormat::Double };
    FmaxD, "fmax.d", D, 0xfe00707f, 0x2a001053, FloatFixed3, FloatExtreme { greatest: true, format: FloatFormat::Double };
    FeqD, "feq.d", D, 0xfe00707f, 0xa2002053, FloatTest, FloatCompare(Order::Equal, FloatFormat::Double);
    FltD, "flt.d", D, 0xfe00707f, 0xa2001053, FloatTest, FloatCompare(Order::Less, FloatFormat::Double);
    FleD, "fle.d", D, 0xfe00707f, 0xa2000053, FloatTest, FloatCompare(Order::LessOrEqual, FloatFormat::Double);
    FclassD, "fclass.d", D, 0xfff0707f, 0xe2001053, FloatClass, FloatClass(FloatFormat::Double);
    FcvtSD, "fcvt.s.d", D, 0xfff0007f, 0x40100053, Float2, FloatNarrow;
    FcvtDS, "fcvt.d.s", D, 0xfff0007f, 0x42000053, Float2Exact, FloatWiden;
    FcvtWD, "fcvt.w.d", D, 0xfff0007f, 0xc2000053, FloatToInteger, FloatToInteger { format: FloatFormat::Double, bits: 32, signed: true };
    FcvtWuD, "fcvt.wu.d", D, 0xfff0007f, 0xc2100053, FloatToInteger, FloatToInteger { format: FloatFormat::Double, bits: 32, signed: false };
    FcvtLD, "fcvt.l.d", D, 0xfff0007f, 0xc2200053, FloatToInteger, FloatToInteger { format: FloatFormat::Double, bits: 64, signed: true };
    FcvtLuD, "fcvt.lu.d", D, 0xfff0007f, 0xc2300053, FloatToInteger, FloatToInteger { format: FloatFormat::Double, bits: 64, signed: false };
    FcvtDW, "fcvt.d.w", D, 0xfff0007f, 0xd2000053, IntegerToFloatExact, IntegerToFloat { format: FloatFormat::Double, bits: 32, signed: true };
    FcvtDWu, "fcvt.d.wu", D, 0xfff0007f, 0xd2100053, IntegerToFloatExact, IntegerToFloat { format: FloatFormat::Double, bits: 32, signed: false };
    FcvtDL, "fcvt.d.l", D, 0xfff0007f, 0xd2200053, IntegerToFloat, IntegerToFloat { format: FloatFormat::Double, bits: 64, signed: true };
    FcvtDLu, "fcvt.d.lu", D, 0xfff0007f, 0xd2300053, IntegerToFloat, IntegerToFloat { format: FloatFormat::Double, bits: 64, signed: false };
    FmvXD, "fmv.x.d", D, 0xfff0707f, 0xe2000053, FloatToBits, FloatToBits(FloatFormat::Double);
    FmvDX, "fmv.d.x", D, 0xfff0707f, 0xf2000053, BitsToFloat, BitsToFloat(FloatFormat::Double);
    // Zba
    AddUw, "add.uw", Zba, 0xfe00707f, 0x0800003b, R, UnsignedWord(Alu::Add);
    Sh1add, "sh1add", Zba, 0xfe00707f, 0x20002033, R, Integer(Alu::ShiftAdd(1));
    Sh2add, "sh2add", Zba, 0xfe00707f, 0x20004033, R, Integer(Alu::ShiftAdd(2));
    Sh3add, "sh3add", Zba, 0xfe00707f, 0x20006033, R, Integer(Alu::ShiftAdd(3));
    Sh1addUw, "sh1add.uw", Zba, 0xfe00707f, 0x2000203b, R, UnsignedWord(Alu::ShiftAdd(1));
    Sh2addUw, "sh2add.uw", Zba, 0xfe00707f, 0x2000403b, R, UnsignedWord(Alu::ShiftAdd(2));
    Sh3addUw, "sh3add.uw", Zba, 0xfe00707f, 0x2000603b, R, UnsignedWord(Alu::ShiftAdd(3));
    SlliUw, "slli.uw", Zba, 0xfc00707f, 0x0800101b, Shift6, UnsignedWord(Alu::ShiftLeft);
    // Zbb
    Andn, "andn", Zbb, 0xfe00707f, 0x40007033, R, Integer(Alu::AndNot);
    Orn, "orn", Zbb, 0xfe00707f, 0x40006033, R, Integer(Alu::OrNot);
    Xnor, "xnor", Zbb, 0xfe00707f, 0x40004033, R, Integer(Alu::XorNot);
    Max, "max", Zbb, 0xfe00707f, 0x0a006033, R, Integer(Alu::Max);
    Maxu, "maxu", Zbb, 0xfe00707f, 0x0a007033, R, Integer(Alu::MaxUnsigned);
    Min, "min", Zbb, 0xfe00707f, 0x0a004033, R, Integer(Alu::Min);
    Minu, "minu", Zbb, 0xfe00707f, 0x0a005033, R, Integer(Alu::MinUnsigned);
    Rol, "rol", Zbb, 0xfe00707f, 0x60001033, R, Integer(Alu::RotateLeft);
    Ror, "ror", Zbb, 0xfe00707f, 0x60005033, R, Integer(Alu::RotateRight);
    Rolw, "rolw", Zbb, 0xfe00707f, 0x6000103b, R, Word(Alu::RotateLeft);
    Rorw, "rorw", Zbb, 0xfe00707f, 0x6000503b, R, Word(Alu::RotateRight);
    Rori, "rori", Zbb, 0xfc00707f, 0x60005013, Shift6, Integer(Alu::RotateRight);
    Roriw, "roriw", Zbb, 0xfe00707f, 0x6000501b, Shift5, Word(Alu::RotateRight);
    Clz, "clz", Zbb, 0xfff0707f, 0x60001013, Unary, Unary(Bits::LeadingZeros);
    Ctz, "ctz", Zbb, 0xfff0707f, 0x60101013, Unary, Unary(Bits::TrailingZeros);
    Cpop, "cpop", Zbb, 0xfff0707f, 0x60201013, Unary, Unary(Bits::PopCount);
    Clzw, "clzw", Zbb, 0xfff0707f, 0x6000101b, Unary, UnaryWord(Bits::LeadingZeros);
    Ctzw, "ctzw", Zbb, 0xfff0707f, 0x6010101b, Unary, UnaryWord(Bits::TrailingZeros);
    Cpopw, "cpopw", Zbb, 0xfff0707f, 0x6020101b, Unary, UnaryWord(Bits::PopCount);
    SextB, "sext.b", Zbb, 0xfff0707f, 0x60401013, Unary, Unary(Bits::SignByte);
    SextH, "sext.h", Zbb, 0xfff0707f, 0x60501013, Unary, Unary(Bits::SignHalf);
    ZextH, "zext.h", Zbb, 0xfff0707f, 0x0800403b, Unary, Unary(Bits::ZeroHalf);
    Rev8, "rev8", Zbb, 0xfff0707f, 0x6b805013, Unary, Unary(Bits::ReverseBytes);
    OrcB, "orc.b", Zbb, 0xfff0707f, 0x28705013, Unary, Unary(Bits::OrBytes);
    // Zbs
    Bclr, "bclr", Zbs, 0xfe00707f, 0x48001033, R, Integer(Alu::BitClear);
    Bext, "bext", Zbs, 0xfe00707f, 0x48005033, R, Integer(Alu::BitExtract);
    Binv, "binv", Zbs, 0xfe00707f, 0x68001033, R, Integer(Alu::BitInvert);
    Bset, "bset", Zbs, 0xfe00707f, 0x28001033, R, Integer(Alu::BitSet);
    Bclri, "bclri", Zbs, 0xfc00707f, 0x48001013, Shift6, Integer(Alu::BitClear);
    Bexti, "bexti", Zbs, 0xfc00707f, 0x48005013, Shift6, Integer(Alu::BitExtract);
    Binvi, "binvi", Zbs, 0xfc00707f, 0x68001013, Shift6, Integer(Alu::BitInvert);
    Bseti, "bseti", Zbs, 0xfc00707f, 0x28001013, Shift6, Integer(Alu::BitSet);
}

#[rustfmt::skip] // A row is a line.
static COMPRESSED: &[Row] = &[
    Row::compressed("c.unimp", 0xffff, 0x0000, Format::Nullary, Op::Unimp),
    Row::reserved(0xffe3, 0x0000),
    Row::compressed("c.addi4spn", 0xe003, 0x0000, Format::Ciw, Op::Addi),
    Row::compressed("c.fld", 0xe003, 0x2000, Format::Cld, Op::Fld),
    Row::compressed("c.lw", 0xe003, 0x4000, Format::Clw, Op::Lw),
    Row::compressed("c.ld", 0xe003, 0x6000, Format::Cld, Op::Ld),
    Row::compressed("c.fsd", 0xe003, 0xa000, Format::Csd, Op::Fsd),
    Row::compressed("c.sw", 0xe003, 0xc000, Format::Csw, Op::Sw),
    Row::compressed("c.sd", 0xe003, 0xe000, Format::Csd, Op::Sd),
    Row::compressed("c.nop", 0xffff, 0x0001, Format::Nullary, Op::Addi),
    Row::hint("c.nop", 0xef83, 0x0001, Format::Ci, Op::Addi),
    Row::compressed("c.addi", 0xe003, 0x0001, Format::Ci, Op::Addi),
    Row::reserved(0xef83, 0x2001),
    Row::compressed("c.addiw", 0xe003, 0x2001, Format::Ci, Op::Addiw),
    Row::hint("c.li", 0xef83, 0x4001, Format::Li, Op::Addi),
    Row::compressed("c.li", 0xe003, 0x4001, Format::Li, Op::Addi),
    Row::reserved(0xf07f, 0x6001),
    Row::compressed("c.addi16sp", 0xef83, 0x6101, Format::Ci16sp, Op::Addi),
    Row::hint("c.lui", 0xef83, 0x6001, Format::Clui, Op::Lui),
    Row::compressed("c.lui", 0xe003, 0x6001, Format::Clui, Op::Lui),
    Row::hint("c.srli64", 0xfc7f, 0x8001, Format::Cshift, Op::Srli),
    Row::hint("c.srai64", 0xfc7f, 0x8401, Format::Cshift, Op::Srai),
    Row::compressed("c.srli", 0xec03, 0x8001, Format::Cshift, Op::Srli),
    Row::compressed("c.srai", 0xec03, 0x8401, Format::Cshift, Op::Srai),
    Row::compressed("c.andi", 0xec03, 0x8801, Format::Candi, Op::Andi),
    Row::compressed("c.sub", 0xfc63, 0x8c01, Format::Ca, Op::Sub),
    Row::compressed("c.xor", 0xfc63, 0x8c21, Format::Ca, Op::Xor),
    Row::compressed("c.or", 0xfc63, 0x8c41, Format::Ca, Op::Or),
    Row::compressed("c.and", 0xfc63, 0x8c61, Format::Ca, Op::And),
    Row::compressed("c.subw", 0xfc63, 0x9c01, Format::Ca, Op::Subw),
    Row::compressed("c.addw", 0xfc63, 0x9c21, Format::Ca, Op::Addw),
    Row::compressed("c.j", 0xe003, 0xa001, Format::Cj, Op::Jal),
    Row::compressed("c.beqz", 0xe003, 0xc001, Format::Cb, Op::Beq),
    Row::compressed("c.bnez", 0xe003, 0xe001, Format::Cb, Op::Bne),
    Row::hint("c.slli64", 0xf07f, 0x0002, Format::Cslli, Op::Slli),
    Row::hint("c.slli", 0xef83, 0x0002, Format::Cslli, Op::Slli),
    Row::compressed("c.slli", 0xe003, 0x0002, Format::Cslli, Op::Slli),
    Row::compressed("c.fldsp", 0xe003, 0x2002, Format::Cldsp, Op::Fld),
    Row::reserved(0xef83, 0x4002),
    Row::compressed("c.lwsp", 0xe003, 0x4002, Format::Clwsp, Op::Lw),
    Row::reserved(0xef83, 0x6002),
    Row::compressed("c.ldsp", 0xe003, 0x6002, Format::Cldsp, Op::Ld),
    Row::reserved(0xffff, 0x8002),
    Row::compressed("c.jr", 0xf07f, 0x8002, Format::Cjr, Op::Jalr),
    Row::hint("c.mv", 0xff83, 0x8002, Format::Cmv, Op::Add),
    Row::compressed("c.mv", 0xf003, 0x8002, Format::Cmv, Op::Add),
    Row::compressed("c.ebreak", 0xffff, 0x9002, Format::Nullary, Op::Ebreak),
    Row::compressed("c.jalr", 0xf07f, 0x9002, Format::Cjalr, Op::Jalr),
    Row::hint("c.add", 0xff83, 0x9002, Format::Cadd, Op::Add),
    Row::compressed("c.add", 0xf003, 0x9002, Format::Cadd, Op::Add),
    Row::compressed("c.fsdsp", 0xe003, 0xa002, Format::Csdsp, Op::Fsd),
    Row::compressed("c.swsp", 0xe003, 0xc002, Format::Cswsp, Op::Sw),
    Row::compressed("c.sdsp", 0xe003, 0xe002, Format::Csdsp, Op::Sd),
];

impl Op {
    /// The row of the 32-bit instruction.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// How it is lowered.
    pub fn lowering(self) -> Lowering {
        LOWERINGS[self as usize]
    }
}

/// All rows, those of 32 bits first.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().chain(COMPRESSED)
}

/// Rows by the bits that tell most of them apart: opcode and function of 32-bit instructions,
/// quadrant and function of 16-bit ones. Both fit into 10 bits. A list is in the order of the
/// table.
static INDEX: LazyLock<Vec<Vec<&'static Row>>> = LazyLock::new(|| {
    let mut index = vec![Vec::new(); 1 << 10];
    for (key, list) in index.iter_mut().enumerate() {
        let (word, known) = if key & 3 == 3 {
            ((key & 0x7f | key >> 7 << 12) as u32, 0x707f)
        } else {
            ((key & 3 | key >> 7 << 13) as u32, 0xe003)
        };
        let width = |row: &&Row| row.is_compressed() == (key & 3 != 3);
        list.extend(rows().filter(width).filter(|row| (word ^ row.bits) & row.mask & known == 0));
    }
    index
});

fn key(word: u32) -> usize {
    let key = if word & 3 == 3 { word & 0x7f | (word >> 12 & 7) << 7 } else { word & 3 | (word >> 13 & 7) << 7 };
    key as usize
}

/// The instruction that these bits are, if any. Of a 16-bit instruction (its lowest two bits are
/// not both set) only the lower half is looked at.
pub fn decode(word: u32) -> Option<Instruction> {
    let word = if word & 3 == 3 { word } else { word & 0xffff };
    let row = INDEX[key(word)].iter().find(|row| word & row.mask == row.bits)?;
    (row.role != Role::Reserved).then(|| Instruction::new(row, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_well_formed() {
        for row in rows() {
            assert_eq!(row.bits & !row.mask, 0, "{}: bits outside the mask", row.name);
            assert_eq!(row.mask & 3, 3, "{}: the length is not fixed", row.name);
            assert_eq!(row.is_compressed(), row.mask >> 16 == 0 && row.bits & 3 != 3, "{}: length", row.name);
        }
    }

    #[test]
    fn no_row_is_hidden() {
        let mut random = strata_term::Random(1);
        for row in rows() {
            let found = (0..1000).any(|_| {
                let word = random.number() as u32 & !row.mask | row.bits;
                let word = if row.is_compressed() { word & 0xffff } else { word };
                let first = rows()
                    .find(|other| other.is_compressed() == row.is_compressed() && word & other.mask == other.bits);
                first == Some(row)
            });
            assert!(found, "{} is never found", row.name);
        }
    }

    #[test]
    fn the_index_finds_what_the_table_has() {
        let mut random = strata_term::Random(1);
        for _ in 0..200_000 {
            let word = random.number() as u32;
            let word = if word & 3 == 3 { word } else { word & 0xffff };
            let found = rows().find(|row| row.is_compressed() == (word & 3 != 3) && word & row.mask == row.bits);
            let found = found.filter(|row| row.role != Role::Reserved);
            assert_eq!(decode(word).map(|instruction| *instruction.row), found.copied(), "{word:#x}");
        }
    }
}
