//! The data of a program. What each instruction means is said here and nowhere else.

use serde::{Deserialize, Serialize};
use strata_term::Bits;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A register of a function.
    Reg
    /// A block of a function. Block 0 is the entry.
    BlockId
    /// A function of a program.
    FunctionId
    /// A global of a program.
    GlobalId
    /// A source position of a program. Place 0 is "unknown".
    PlaceId
}

/// A whole program.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct Program {
    /// Functions, with and without a body.
    pub functions: Vec<Function>,
    /// Global objects, with and without contents.
    pub globals: Vec<Global>,
    /// Source files by name, as the compiler knew them (folder and name joined).
    pub files: Vec<String>,
    /// Source positions. The first is unknown.
    pub places: Vec<Place>,
}

/// A source position.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// Index into `Program::files`, meaningless when `line` is 0.
    pub file: u32,
    /// From 1; 0 is unknown.
    pub line: u32,
    /// From 1; 0 is unknown.
    pub column: u32,
    /// Where the code at this position was inlined, or place 0.
    pub inlined_at: u32,
}

/// Who may replace a definition, and whose it is.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// The user's own code: counted in coverage, its branches traced.
    Own,
    /// A library's (libc): run, not counted.
    Library,
}

/// A function. Without blocks it is undefined: calling it ends the path, unless a hook has its name.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Function {
    /// The linker's name.
    pub name: String,
    /// Whose it is.
    pub linkage: Linkage,
    /// Registers that receive the arguments, in order.
    pub params: Vec<Reg>,
    /// May it be called with more arguments than `params`?
    pub variadic: bool,
    /// Widths of the values it returns (none, one, or several for a scalarised aggregate).
    pub returns: Vec<u32>,
    /// The width in bits of each register, at least 1.
    pub registers: Vec<u32>,
    /// The body. Empty for an undefined function.
    pub blocks: Vec<Block>,
    /// Where it is declared.
    pub place: PlaceId,
    /// Source variables held in registers for the whole of their life (parameters at least): for messages only.
    pub variables: Vec<Variable>,
}

/// A source variable's name for a register.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// The register.
    pub reg: Reg,
}

/// A straight piece of code: the last instruction, and only the last, is a terminator (`Instruction::is_terminator`).
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct Block {
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// The source position of each instruction.
    pub places: Vec<PlaceId>,
}

/// A piece of memory that exists before the program starts.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Global {
    /// The linker's name.
    pub name: String,
    /// Whose it is.
    pub linkage: Linkage,
    /// In bytes.
    pub size: u64,
    /// In bytes, a power of two.
    pub align: u64,
    /// Writes to it are errors (kind `read_only`).
    pub constant: bool,
    /// What it contains at the start.
    pub init: Init,
    /// Where it is declared.
    pub place: PlaceId,
}

/// The first contents of a global.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub enum Init {
    /// Declared elsewhere and found nowhere: touching it ends the path as incomplete.
    Undefined,
    /// All bytes zero.
    Zero,
    /// These bytes (as many as the global has), then the relocations over them.
    Bytes {
        /// Contents; where a relocation stands the bytes are zero.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
        /// Addresses to be filled in, by ascending offset.
        relocations: Vec<Relocation>,
    },
}

/// Eight bytes of a global that hold an address.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Where in the global.
    pub offset: u64,
    /// The address of what.
    pub target: Target,
    /// Added to it.
    pub addend: i64,
}

/// Something with an address.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A global's first byte.
    Global(GlobalId),
    /// A function's entry.
    Function(FunctionId),
    /// A block whose address is taken (for `JumpIndirect`).
    Block(FunctionId, BlockId),
}

/// A value known before the program starts.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    /// Bits of any width. Floats are their IEEE bits.
    Bits(Bits),
    /// An address plus an addend, 64 bits wide.
    Address(Target, i64),
    /// A value nobody chose (undef, poison), of this width: like memory that was never written.
    Undefined(u32),
}

/// What an instruction reads.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register's value.
    Reg(Reg),
    /// A constant.
    Const(Constant),
}

/// A two-operand operator on integers of one width.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient. A zero divisor is an error (kind `div`).
    UDiv,
    /// Signed quotient. A zero divisor is an error (kind `div`), so is the one overflow (kind `overflow`).
    SDiv,
    /// Unsigned remainder; errors as `UDiv`.
    URem,
    /// Signed remainder; errors as `SDiv`.
    SRem,
    /// Left shift. For an amount of at least the width all bits are shifted out; so for the other shifts.
    Shl,
    /// Logical right shift.
    LShr,
    /// Arithmetic right shift.
    AShr,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Equal; result of one bit, as for the five that follow.
    Eq,
    /// Not equal.
    Ne,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
}

/// A one-operand operator; operand and result have one width.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Bitwise complement.
    Not,
    /// Two's complement negation.
    Neg,
    /// How many bits are set.
    PopCount,
    /// How many zeros above the highest set bit; the width for zero.
    LeadingZeros,
    /// How many zeros below the lowest set bit; the width for zero.
    TrailingZeros,
    /// Bytes in the other order; the width is a multiple of 16.
    ByteSwap,
    /// Bits in the other order.
    BitReverse,
}

/// Would this leave the range of its width?
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    /// Signed sum.
    SAdd,
    /// Unsigned sum.
    UAdd,
    /// Signed difference.
    SSub,
    /// Unsigned difference.
    USub,
    /// Signed product.
    SMul,
    /// Unsigned product.
    UMul,
}

/// What an optimiser was promised about an operation. Where the promise is broken, the result is poison.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// A shift is by less than the width.
    Shift,
    /// A sum, difference, product or left shift does not leave the signed range.
    SignedWrap,
    /// The same for the unsigned range.
    UnsignedWrap,
    /// A division has no remainder, a right shift drops no set bit.
    Exact,
    /// A number that is extended by zeros, or converted as unsigned, is not negative.
    NonNegative,
    /// Two numbers that are joined by `or` have no bit in common.
    Disjoint,
}

/// An IEEE format.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatFormat {
    /// binary32.
    Single,
    /// binary64.
    Double,
}

/// A two-operand operator on floats, round to nearest even.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Remainder as C's fmod.
    Rem,
    /// C's fmin.
    Min,
    /// C's fmax.
    Max,
    /// The first with the sign of the second.
    CopySign,
}

/// A one-operand operator on floats.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatUnary {
    /// Sign flipped.
    Neg,
    /// Sign cleared.
    Abs,
    /// Square root.
    Sqrt,
    /// Towards minus infinity.
    Floor,
    /// Towards plus infinity.
    Ceil,
    /// Towards zero.
    Trunc,
    /// To nearest, ties away from zero.
    Round,
    /// To nearest, ties to even (rint, nearbyint, roundeven).
    RoundEven,
}

/// A comparison of floats: a set of the four relations that can hold.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatCompare {
    /// True where less.
    pub less: bool,
    /// True where equal.
    pub equal: bool,
    /// True where greater.
    pub greater: bool,
    /// True where one is not a number.
    pub unordered: bool,
}

/// Between integers and floats.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Signed integer of any width up to 64 to float.
    FromSigned(FloatFormat),
    /// Unsigned integer to float.
    FromUnsigned(FloatFormat),
    /// Float to signed integer, towards zero; out of range gives what the machine gives (cvttss2si and kin).
    ToSigned(FloatFormat),
    /// Float to unsigned integer.
    ToUnsigned(FloatFormat),
    /// As `ToSigned`, but saturating, and zero for not-a-number.
    ToSignedSaturating(FloatFormat),
    /// As `ToUnsigned`, but saturating, and zero for not-a-number.
    ToUnsignedSaturating(FloatFormat),
    /// binary32 to binary64.
    Widen,
    /// binary64 to binary32.
    Narrow,
}

/// One case of a switch: the value (of the operand's width) and where to go.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Compared with the operand. No two cases of a switch have one value.
    pub value: Bits,
    /// Where to go.
    pub block: BlockId,
}

/// The width of the number that comes before a call's surplus arguments. It tells by which
/// convention they are laid out: the first offset in the general registers (8 bits), that in the
/// vector registers (8 bits), and where those in memory begin (32 bits), as x86-64 wants it. A
/// call that does not know that its callee is variadic has no such number, and all its surplus
/// arguments are in memory. No value of C has this width by accident.
pub const SURPLUS_LAYOUT: u32 = 48;

/// One step of a program.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub enum Instruction {
    /// `to = from`, same width.
    Copy {
        /// Destination.
        to: Reg,
        /// Source.
        from: Operand,
    },
    /// `to = a op b`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Destination: the operands' width, or one bit for a comparison.
        to: Reg,
        /// First operand.
        a: Operand,
        /// Second operand, of the same width.
        b: Operand,
        /// Is a breach of the source language's rule an error at this place? For Add, Sub and Mul that is signed overflow
        /// (reported on request, kind `overflow`), for shifts an amount of at least the width (kind `overshift`).
        checked: bool,
    },
    /// `to = op a`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Destination.
        to: Reg,
        /// Operand, of the same width.
        a: Operand,
    },
    /// `to = 1` if the operation would overflow, else 0.
    Overflow {
        /// The operation.
        op: OverflowOp,
        /// Destination, one bit.
        to: Reg,
        /// First operand.
        a: Operand,
        /// Second operand, of the same width.
        b: Operand,
    },
    /// `to` = `a` extended to the (larger or equal) width of `to`.
    Extend {
        /// Destination.
        to: Reg,
        /// Operand.
        a: Operand,
        /// By its sign, or by zeros?
        signed: bool,
    },
    /// `to` = as many bits of `a` as `to` is wide, from bit `low` on.
    Extract {
        /// Destination.
        to: Reg,
        /// Operand.
        a: Operand,
        /// The lowest bit taken.
        low: u32,
    },
    /// `to` = `high` above `low`; the widths add up.
    Concat {
        /// Destination.
        to: Reg,
        /// Upper part.
        high: Operand,
        /// Lower part.
        low: Operand,
    },
    /// `to = condition ? a : b`, without a fork.
    Select {
        /// Destination.
        to: Reg,
        /// One bit.
        condition: Operand,
        /// Taken when set.
        a: Operand,
        /// Taken when clear.
        b: Operand,
    },
    /// `to = a`, or poison where `broken` is set: a value that is an error to use.
    ///
    /// Optimisers compute values before it is known whether anybody needs them, so a broken promise is no error by
    /// itself. Poison travels with what is computed from it, and is lost where it makes no difference (`Select`, `and 0`).
    /// It is an error where it decides a branch, an address, a divisor or a length, and where it leaves the program.
    Poison {
        /// Destination.
        to: Reg,
        /// What was promised.
        promise: Promise,
        /// One bit: is the promise broken?
        broken: Operand,
        /// The value otherwise.
        a: Operand,
    },
    /// `to = a`; where that is poison, some fixed value that may be used.
    Freeze {
        /// Destination.
        to: Reg,
        /// The value.
        a: Operand,
    },
    /// `to = base + sign_extended(index) * scale`: an address derived from `base`; all 64 bits but `index`, which may be narrower
    /// (never wider).
    Offset {
        /// Destination.
        to: Reg,
        /// The address started from.
        base: Operand,
        /// How many elements further.
        index: Operand,
        /// The size of an element, in bytes.
        scale: u64,
    },
    /// `to` = the bytes at `address`: as many as `to` needs (width rounded up to bytes, surplus bits dropped).
    Load {
        /// Destination.
        to: Reg,
        /// Where.
        address: Operand,
    },
    /// The bytes at `address` become `value` (`width` bits, extended by zeros to whole bytes).
    Store {
        /// Where.
        address: Operand,
        /// What.
        value: Operand,
        /// The width of `value` in bits.
        width: u32,
    },
    /// Copies `length` bytes as memmove does. `length` is 64 bits wide.
    CopyMemory {
        /// To where.
        to: Operand,
        /// From where.
        from: Operand,
        /// How many bytes.
        length: Operand,
    },
    /// Sets `length` bytes to `value` (8 bits).
    FillMemory {
        /// Where.
        to: Operand,
        /// The byte.
        value: Operand,
        /// How many bytes.
        length: Operand,
    },
    /// `to` = the address of a new object in this function's frame, gone when the function returns.
    Allocate {
        /// Destination.
        to: Reg,
        /// Its size in bytes, 64 bits wide.
        size: Operand,
        /// A power of two.
        align: u64,
        /// Its name in the source, for messages; may be empty.
        name: String,
    },
    /// `to` = a mark of this frame's objects, for `Release`.
    Mark {
        /// Destination, 64 bits.
        to: Reg,
    },
    /// Ends the life of this frame's objects made since the mark.
    Release {
        /// What `Mark` gave.
        mark: Operand,
    },
    /// `to` = the address of this frame's surplus arguments, aligned to 64 bytes, each in the next
    /// multiple of 8 (made anew at each execution). The first is the layout of the others (see
    /// `SURPLUS_LAYOUT`).
    Variadic {
        /// Destination.
        to: Reg,
    },
    /// `to` = bytes from `address` to the end of its object (or from its start, see `llvm.objectsize`).
    ObjectSize {
        /// Destination.
        to: Reg,
        /// The address asked about.
        address: Operand,
    },
    /// Calls a function known now. The call's argument count is at least that of the parameters.
    Call {
        /// Where the results go; empty when nobody uses them.
        to: Vec<Reg>,
        /// What is called.
        function: FunctionId,
        /// Arguments with their widths; those beyond the parameters are the variadic ones.
        arguments: Vec<(Operand, u32)>,
    },
    /// Calls the function at an address.
    CallIndirect {
        /// Where the results go; empty when nobody uses them.
        to: Vec<Reg>,
        /// The widths of all results the caller expects (even where nobody uses them).
        returns: Vec<u32>,
        /// A function's address.
        target: Operand,
        /// Arguments with their widths.
        arguments: Vec<(Operand, u32)>,
    },
    /// `to = a op b` on floats.
    Float {
        /// The operator.
        op: FloatOp,
        /// The format.
        format: FloatFormat,
        /// Destination.
        to: Reg,
        /// First operand.
        a: Operand,
        /// Second operand.
        b: Operand,
    },
    /// `to = op a` on floats.
    FloatUnary {
        /// The operator.
        op: FloatUnary,
        /// The format.
        format: FloatFormat,
        /// Destination.
        to: Reg,
        /// Operand.
        a: Operand,
    },
    /// `to = a * b + c`, rounded once.
    FloatFma {
        /// The format.
        format: FloatFormat,
        /// Destination.
        to: Reg,
        /// Factor.
        a: Operand,
        /// Factor.
        b: Operand,
        /// Summand.
        c: Operand,
    },
    /// `to` (one bit) = does the relation hold?
    FloatCompare {
        /// The relation.
        relation: FloatCompare,
        /// The format.
        format: FloatFormat,
        /// Destination.
        to: Reg,
        /// First operand.
        a: Operand,
        /// Second operand.
        b: Operand,
    },
    /// `to` = `a` converted.
    Convert {
        /// From what to what.
        conversion: Conversion,
        /// Destination.
        to: Reg,
        /// Operand.
        a: Operand,
        /// The operand's width in bits.
        width: u32,
    },
    /// Goes on there.
    Jump {
        /// Where.
        to: BlockId,
    },
    /// Goes on by a bit.
    Branch {
        /// One bit.
        condition: Operand,
        /// Where to go when set.
        then: BlockId,
        /// Where to go when clear.
        otherwise: BlockId,
        /// The number of this place in the branch trace, from 1; 0 where it is not traced. The side is 1 for `then`, 0 for `otherwise`.
        site: u32,
    },
    /// Goes on by a value.
    Switch {
        /// Compared with the cases.
        value: Operand,
        /// Its width in bits.
        width: u32,
        /// The cases.
        cases: Vec<Case>,
        /// Where to go when no case fits.
        default: BlockId,
        /// As for `Branch`; the side is 0 for the default, else 1 + the index of the case.
        site: u32,
    },
    /// Goes on at the block with this address.
    JumpIndirect {
        /// The address of a block.
        target: Operand,
        /// The blocks that it can be.
        blocks: Vec<BlockId>,
    },
    /// Back to the caller.
    Return {
        /// As many as the function returns.
        values: Vec<Operand>,
    },
    /// The program promised not to come here: an error (kind `unreachable`).
    Unreachable,
    /// The program stops itself by a trap instruction: an error.
    Trap {
        /// Its kind where a sanitizer's check put it there (`overflow`, `div`, …), else empty: `abort`.
        kind: String,
    },
    /// What the front end could not lower: ends the path as incomplete.
    Unsupported {
        /// What, for the user.
        reason: String,
    },
}

impl Instruction {
    /// The number of the branch site that it is; 0 where it is none, or one that is not traced.
    pub fn site(&self) -> u32 {
        if let Instruction::Branch { site, .. } | Instruction::Switch { site, .. } = self { *site } else { 0 }
    }

    /// Does it end a block?
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Instruction::Jump { .. }
                | Instruction::Branch { .. }
                | Instruction::Switch { .. }
                | Instruction::JumpIndirect { .. }
                | Instruction::Return { .. }
                | Instruction::Unreachable
                | Instruction::Trap { .. }
                | Instruction::Unsupported { .. }
        )
    }
}
