//! The vocabulary of what instructions do: the column `lowering` of the table.

use strata_ir::{FloatFormat, FloatOp};

/// How an instruction is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// The immediate.
    UpperImmediate,
    /// The immediate added to the instruction's address.
    PcRelative,
    /// A jump to a known address that leaves the return address behind.
    Jump,
    /// A jump to a computed address that leaves the return address behind.
    JumpRegister,
    /// A jump under a condition.
    Branch(Relation),
    /// Memory to integer register.
    Load {
        /// Width in memory.
        bits: u32,
        /// Extended by its sign?
        signed: bool,
    },
    /// Integer register to memory.
    Store {
        /// Width in memory.
        bits: u32,
    },
    /// 64 bits of two operands, the second a register or the immediate.
    Integer(Alu),
    /// The same on 32 bits, with the result extended by its sign.
    Word(Alu),
    /// The same on 64 bits, with the first operand cut to 32 bits and extended by zeros.
    UnsignedWord(Alu),
    /// 64 bits of one operand.
    Unary(Bits),
    /// 32 bits of one operand, with the result extended by its sign.
    UnaryWord(Bits),
    /// A load that reserves its address.
    LoadReserved {
        /// Width in memory.
        bits: u32,
    },
    /// A store that happens only if the address is still reserved.
    StoreConditional {
        /// Width in memory.
        bits: u32,
    },
    /// Load, operation and store at once.
    Atomic {
        /// Of what was there and the second register.
        alu: Alu,
        /// Width in memory.
        bits: u32,
    },
    /// A control and status register is read and perhaps changed.
    Csr(Access),
    /// Does nothing that one thread can see.
    Nothing,
    /// Instructions that were stored before may be run after it.
    FenceInstruction,
    /// A call of the system.
    SystemCall,
    /// A stop for a debugger.
    Breakpoint,
    /// An instruction that is illegal on purpose.
    Illegal,
    /// Memory to floating-point register.
    LoadFloat(FloatFormat),
    /// Floating-point register to memory.
    StoreFloat(FloatFormat),
    /// An operation that is rounded.
    Float(FloatOp, FloatFormat),
    /// Square root.
    FloatRoot(FloatFormat),
    /// Product and sum, rounded once.
    FloatFused {
        /// The format.
        format: FloatFormat,
        /// Is the product negated?
        minus_product: bool,
        /// Is the summand negated?
        minus_addend: bool,
    },
    /// The first operand with a sign that depends on the second's.
    FloatSign(Sign, FloatFormat),
    /// The lesser or greater one. A number wins over not-a-number, and -0 is less than +0.
    FloatExtreme {
        /// The greater one?
        greatest: bool,
        /// The format.
        format: FloatFormat,
    },
    /// A comparison; false where one operand is not a number.
    FloatCompare(Order, FloatFormat),
    /// The class of a float as one of ten bits.
    FloatClass(FloatFormat),
    /// binary64 to binary32.
    FloatNarrow,
    /// binary32 to binary64.
    FloatWiden,
    /// Float to integer, saturating; not-a-number gives the greatest.
    FloatToInteger {
        /// The format of the float.
        format: FloatFormat,
        /// The width of the integer.
        bits: u32,
        /// Is the integer signed?
        signed: bool,
    },
    /// Integer to float.
    IntegerToFloat {
        /// The format of the float.
        format: FloatFormat,
        /// The width of the integer.
        bits: u32,
        /// Is the integer signed?
        signed: bool,
    },
    /// The bits of a float in an integer register, extended by their sign.
    FloatToBits(FloatFormat),
    /// The bits of an integer register as a float.
    BitsToFloat(FloatFormat),
}

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Signed less.
    Less,
    /// Signed greater or equal.
    NotLess,
    /// Unsigned less.
    Below,
    /// Unsigned greater or equal.
    NotBelow,
}

/// An operation on two integers. Shift amounts, rotations and numbers of bits are taken modulo
/// the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alu {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Left shift.
    ShiftLeft,
    /// Right shift that fills with zeros.
    ShiftRight,
    /// Right shift that fills with the sign.
    ShiftRightSigned,
    /// 1 where signed less, else 0.
    SetLess,
    /// 1 where unsigned less, else 0.
    SetBelow,
    /// Exclusive or.
    Xor,
    /// Or.
    Or,
    /// And.
    And,
    /// Lower half of the product.
    Mul,
    /// Upper half of the signed product.
    MulHigh,
    /// Upper half of the product of a signed and an unsigned number.
    MulHighMixed,
    /// Upper half of the unsigned product.
    MulHighUnsigned,
    /// Signed quotient. By zero all ones; the one overflow gives the dividend.
    Div,
    /// Unsigned quotient. By zero all ones.
    DivUnsigned,
    /// Signed remainder. By zero the dividend; the one overflow gives zero.
    Rem,
    /// Unsigned remainder. By zero the dividend.
    RemUnsigned,
    /// The first and the complement of the second.
    AndNot,
    /// The first or the complement of the second.
    OrNot,
    /// Exclusive or with the complement of the second.
    XorNot,
    /// The greater one, signed.
    Max,
    /// The greater one, unsigned.
    MaxUnsigned,
    /// The lesser one, signed.
    Min,
    /// The lesser one, unsigned.
    MinUnsigned,
    /// Rotation to the left.
    RotateLeft,
    /// Rotation to the right.
    RotateRight,
    /// The first shifted left by so many bits, plus the second.
    ShiftAdd(u32),
    /// One bit cleared.
    BitClear,
    /// One bit alone.
    BitExtract,
    /// One bit inverted.
    BitInvert,
    /// One bit set.
    BitSet,
    /// The second.
    Swap,
}

/// An operation on one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// Zeros above the highest set bit.
    LeadingZeros,
    /// Zeros below the lowest set bit.
    TrailingZeros,
    /// Set bits.
    PopCount,
    /// The lowest 8 bits, extended by their sign.
    SignByte,
    /// The lowest 16 bits, extended by their sign.
    SignHalf,
    /// The lowest 16 bits, extended by zeros.
    ZeroHalf,
    /// Bytes in the other order.
    ReverseBytes,
    /// Each byte that is not zero becomes all ones.
    OrBytes,
}

/// What happens to a control and status register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It gets the operand.
    Write,
    /// The operand's bits are set.
    Set,
    /// The operand's bits are cleared.
    Clear,
}

/// Which sign a float gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The second's.
    Copy,
    /// The other one than the second's.
    Negate,
    /// The exclusive or of both.
    Xor,
}

/// A comparison of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Equal.
    Equal,
    /// Less.
    Less,
    /// Less or equal.
    LessOrEqual,
}
