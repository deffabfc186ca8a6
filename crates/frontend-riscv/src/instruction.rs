//! A decoded instruction, and why there may be none at an address.

use crate::table::{Format, Op, Row};

/// The formats of 16-bit instructions, as a pattern.
macro_rules! compressed {
    () => {
        Format::Ciw
            | Format::Clw
            | Format::Cld
            | Format::Csw
            | Format::Csd
            | Format::Ci
            | Format::Li
            | Format::Ci16sp
            | Format::Clui
            | Format::Cshift
            | Format::Candi
            | Format::Ca
            | Format::Cj
            | Format::Cb
            | Format::Cslli
            | Format::Clwsp
            | Format::Cldsp
            | Format::Cswsp
            | Format::Csdsp
            | Format::Cjr
            | Format::Cjalr
            | Format::Cmv
            | Format::Cadd
    };
}

/// One instruction with its operands. Operands that its format does not have are zero.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// Its row of the table; of a compressed instruction the compressed one's.
    pub row: &'static Row,
    /// What it does. A compressed instruction does what its expansion does.
    pub op: Op,
    /// Bytes: 2 or 4.
    pub length: u8,
    /// Its bits; 16 of them where it is compressed.
    pub word: u32,
    /// Destination register.
    pub rd: u8,
    /// First source register, or the unsigned immediate of an instruction on control and status
    /// registers.
    pub rs1: u8,
    /// Second source register.
    pub rs2: u8,
    /// Third source register.
    pub rs3: u8,
    /// Rounding mode.
    pub rm: u8,
    /// Immediate, offset or shift amount; the number of a control and status register.
    pub imm: i64,
}

impl Instruction {
    /// Is it of 16 bits?
    pub fn is_compressed(&self) -> bool {
        self.length == 2
    }

    /// The integer registers that it reads; 0, which is a constant, stands for none. A call of
    /// the system reads others.
    pub fn reads(&self) -> [u8; 2] {
        match self.op.row().format {
            Format::R | Format::Store | Format::B | Format::Atomic => [self.rs1, self.rs2],
            Format::I
            | Format::Shift6
            | Format::Shift5
            | Format::Unary
            | Format::Load
            | Format::Jalr
            | Format::Csr
            | Format::LoadReserved
            | Format::LoadFloat
            | Format::StoreFloat
            | Format::IntegerToFloat
            | Format::IntegerToFloatExact
            | Format::BitsToFloat => [self.rs1, 0],
            Format::U
            | Format::J
            | Format::Fence
            | Format::Nullary
            | Format::CsrImmediate
            | Format::Float4
            | Format::Float3
            | Format::Float2
            | Format::Float2Exact
            | Format::FloatFixed3
            | Format::FloatTest
            | Format::FloatClass
            | Format::FloatToInteger
            | Format::FloatToBits => [0, 0],
            compressed!() => unreachable!("what an instruction does is a 32-bit one's"),
        }
    }

    /// The integer register that it writes; 0 for none.
    pub fn writes(&self) -> u8 {
        match self.op.row().format {
            Format::R
            | Format::I
            | Format::Shift6
            | Format::Shift5
            | Format::Unary
            | Format::Load
            | Format::U
            | Format::J
            | Format::Jalr
            | Format::Csr
            | Format::CsrImmediate
            | Format::LoadReserved
            | Format::Atomic
            | Format::FloatTest
            | Format::FloatClass
            | Format::FloatToInteger
            | Format::FloatToBits => self.rd,
            Format::Store
            | Format::B
            | Format::Fence
            | Format::Nullary
            | Format::LoadFloat
            | Format::StoreFloat
            | Format::Float4
            | Format::Float3
            | Format::Float2
            | Format::Float2Exact
            | Format::FloatFixed3
            | Format::IntegerToFloat
            | Format::IntegerToFloatExact
            | Format::BitsToFloat => 0,
            compressed!() => unreachable!("what an instruction does is a 32-bit one's"),
        }
    }

    /// Its operands, taken from the bits as the row's format says.
    pub(crate) fn new(row: &'static Row, word: u32) -> Instruction {
        let length = if word & 3 == 3 { 4 } else { 2 };
        let mut new = Instruction { row, op: row.op, length, word, rd: 0, rs1: 0, rs2: 0, rs3: 0, rm: 0, imm: 0 };
        if length == 4 {
            new.fields()
        } else {
            new.compressed_fields()
        }
        new
    }

    /// Operands of 32-bit instructions.
    fn fields(&mut self) {
        let w = self.word;
        let (rd, rs1, rs2) = (field(w, 7, 5) as u8, field(w, 15, 5) as u8, field(w, 20, 5) as u8);
        let (rs3, rm) = (field(w, 27, 5) as u8, field(w, 12, 3) as u8);
        let upper = i64::from((w & 0xffff_f000) as i32);
        let plain = i64::from(w as i32 >> 20);
        let store = i64::from(w as i32 >> 25 << 5 | field(w, 7, 5) as i32);
        let branch = scattered(w, &[(8, 4, 1), (25, 6, 5), (7, 1, 11), (31, 1, 12)], 13);
        let jump = scattered(w, &[(21, 10, 1), (20, 1, 11), (12, 8, 12), (31, 1, 20)], 21);
        let set = |new: &mut Instruction, d: u8, a: u8, b: u8, imm: i64| {
            (new.rd, new.rs1, new.rs2, new.imm) = (d, a, b, imm);
        };
        match self.row.format {
            Format::R | Format::FloatFixed3 | Format::FloatTest | Format::Atomic => set(self, rd, rs1, rs2, 0),
            Format::I | Format::Jalr | Format::Load | Format::LoadFloat => set(self, rd, rs1, 0, plain),
            Format::Shift6 => set(self, rd, rs1, 0, i64::from(field(w, 20, 6))),
            Format::Shift5 => set(self, rd, rs1, 0, i64::from(field(w, 20, 5))),
            Format::Unary | Format::FloatClass | Format::FloatToBits | Format::BitsToFloat | Format::LoadReserved => {
                set(self, rd, rs1, 0, 0);
            }
            Format::Store | Format::StoreFloat => set(self, 0, rs1, rs2, store),
            Format::B => set(self, 0, rs1, rs2, branch),
            Format::U => set(self, rd, 0, 0, upper),
            Format::J => set(self, rd, 0, 0, jump),
            Format::Csr | Format::CsrImmediate => set(self, rd, rs1, 0, i64::from(w >> 20)),
            Format::Fence => set(self, 0, 0, 0, i64::from(field(w, 20, 8))),
            Format::Float4 => {
                set(self, rd, rs1, rs2, 0);
                (self.rs3, self.rm) = (rs3, rm);
            }
            Format::Float3 => {
                set(self, rd, rs1, rs2, 0);
                self.rm = rm;
            }
            Format::Float2
            | Format::Float2Exact
            | Format::FloatToInteger
            | Format::IntegerToFloat
            | Format::IntegerToFloatExact => {
                set(self, rd, rs1, 0, 0);
                self.rm = rm;
            }
            Format::Nullary => {}
            compressed!() => unreachable!("a format of 16-bit instructions"),
        }
    }

    /// Operands of 16-bit instructions, as those of their expansions.
    fn compressed_fields(&mut self) {
        const SP: u8 = 2;
        let w = self.word;
        let (full, second) = (field(w, 7, 5) as u8, field(w, 2, 5) as u8);
        let (low, high) = (8 + field(w, 2, 3) as u8, 8 + field(w, 7, 3) as u8);
        let ci = scattered(w, &[(2, 5, 0), (12, 1, 5)], 6);
        let shift = ci & 0x3f;
        let word = i64::from(field(w, 6, 1) << 2 | field(w, 10, 3) << 3 | field(w, 5, 1) << 6);
        let double = i64::from(field(w, 10, 3) << 3 | field(w, 5, 2) << 6);
        let mut set = |d: u8, a: u8, b: u8, imm: i64| (self.rd, self.rs1, self.rs2, self.imm) = (d, a, b, imm);
        match self.row.format {
            Format::Nullary => {}
            Format::Ciw => {
                let imm = field(w, 6, 1) << 2 | field(w, 5, 1) << 3 | field(w, 11, 2) << 4 | field(w, 7, 4) << 6;
                set(low, SP, 0, i64::from(imm));
            }
            Format::Clw => set(low, high, 0, word),
            Format::Cld => set(low, high, 0, double),
            Format::Csw => set(0, high, low, word),
            Format::Csd => set(0, high, low, double),
            Format::Ci => set(full, full, 0, ci),
            Format::Li => set(full, 0, 0, ci),
            Format::Ci16sp => {
                let imm = scattered(w, &[(6, 1, 4), (2, 1, 5), (5, 1, 6), (3, 2, 7), (12, 1, 9)], 10);
                set(SP, SP, 0, imm);
            }
            Format::Clui => set(full, 0, 0, ci << 12),
            Format::Cshift => set(high, high, 0, shift),
            Format::Candi => set(high, high, 0, ci),
            Format::Ca => set(high, high, low, 0),
            Format::Cj => {
                let parts =
                    [(3, 3, 1), (11, 1, 4), (2, 1, 5), (7, 1, 6), (6, 1, 7), (9, 2, 8), (8, 1, 10), (12, 1, 11)];
                set(0, 0, 0, scattered(w, &parts, 12));
            }
            Format::Cb => {
                let imm = scattered(w, &[(3, 2, 1), (10, 2, 3), (2, 1, 5), (5, 2, 6), (12, 1, 8)], 9);
                set(0, high, 0, imm);
            }
            Format::Cslli => set(full, full, 0, shift),
            Format::Clwsp => {
                set(full, SP, 0, i64::from(field(w, 4, 3) << 2 | field(w, 12, 1) << 5 | field(w, 2, 2) << 6));
            }
            Format::Cldsp => {
                set(full, SP, 0, i64::from(field(w, 5, 2) << 3 | field(w, 12, 1) << 5 | field(w, 2, 3) << 6));
            }
            Format::Cswsp => set(0, SP, second, i64::from(field(w, 9, 4) << 2 | field(w, 7, 2) << 6)),
            Format::Csdsp => set(0, SP, second, i64::from(field(w, 10, 3) << 3 | field(w, 7, 3) << 6)),
            Format::Cjr => set(0, full, 0, 0),
            Format::Cjalr => set(1, full, 0, 0),
            Format::Cmv => set(full, 0, second, 0),
            Format::Cadd => set(full, full, second, 0),
            Format::R
            | Format::I
            | Format::Jalr
            | Format::Load
            | Format::LoadFloat
            | Format::Shift6
            | Format::Shift5
            | Format::Unary
            | Format::FloatClass
            | Format::FloatToBits
            | Format::BitsToFloat
            | Format::LoadReserved
            | Format::Store
            | Format::StoreFloat
            | Format::B
            | Format::U
            | Format::J
            | Format::Csr
            | Format::CsrImmediate
            | Format::Fence
            | Format::Float4
            | Format::Float3
            | Format::Float2
            | Format::Float2Exact
            | Format::FloatToInteger
            | Format::IntegerToFloat
            | Format::IntegerToFloatExact
            | Format::FloatFixed3
            | Format::FloatTest
            | Format::Atomic => unreachable!("a format of 32-bit instructions"),
        }
    }
}

/// So many bits from one on.
fn field(word: u32, low: u32, count: u32) -> u32 {
    word >> low & ((1 << count) - 1)
}

/// An immediate whose parts are scattered: (lowest bit in the instruction, bits, lowest bit in
/// the immediate). Its sign is the highest of so many bits.
fn scattered(word: u32, parts: &[(u32, u32, u32)], bits: u32) -> i64 {
    let value = parts.iter().fold(0, |value, (from, count, to)| value | field(word, *from, *count) << to);
    strata_term::signed(bits, u64::from(value))
}

/// Why no instruction can be taken from an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetch {
    /// The address is odd.
    Misaligned,
    /// No segment is there.
    Unmapped,
    /// The segment there holds data.
    NotExecutable,
    /// The segment ends inside the instruction.
    Cut,
    /// These bits are no instruction of a supported extension.
    Illegal(u32),
}

impl std::fmt::Display for Fetch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fetch::Misaligned => f.write_str("a jump to an odd address"),
            Fetch::Unmapped => f.write_str("a jump to an address without memory"),
            Fetch::NotExecutable => f.write_str("a jump into data"),
            Fetch::Cut => f.write_str("an instruction that its segment's end cuts"),
            Fetch::Illegal(word) if word & 3 == 3 => write!(f, "the bits {word:#010x}, which are no known instruction"),
            Fetch::Illegal(word) => write!(f, "the bits {word:#06x}, which are no known instruction"),
        }
    }
}
