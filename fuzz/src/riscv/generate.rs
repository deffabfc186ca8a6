//! Sequences: instructions of all rows with random operands, and values where rules go wrong.

use super::{AREA, BASE, MIDDLE, POINTERS, REGISTERS, ours};
use strata_frontend_riscv::{Format, Instruction, Op, Role, Row, decode, rows};
use strata_term::Random;

/// Instructions and what they start with.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The instructions, in order.
    pub code: Vec<u32>,
    /// Registers and memory before the first one.
    pub area: Vec<u8>,
}

/// A sequence of up to 24 instructions.
pub fn sequence(random: &mut Random) -> Sequence {
    let kind = if random.one_in(4) { Kind::Flags } else { Kind::Floats };
    // Whether a store-conditional of another width than the reservation succeeds is left open.
    let other = if random.one_in(2) { [Op::LrW, Op::ScW] } else { [Op::LrD, Op::ScD] };
    let fits = |row: &&Row| row.role != Role::Reserved && kind.has(row) && !other.contains(&row.op);
    let all: Vec<&Row> = rows().filter(fits).collect();
    let count = 1 + random.below(24);
    let mut code = Vec::new();
    while code.len() < count {
        if kind == Kind::Floats && random.one_in(20) {
            comparison(random, &mut code);
        }
        if kind == Kind::Floats && random.one_in(20) {
            exact(random, &all, &mut code);
        }
        if random.one_in(40) {
            reservation(random, other == [Op::LrW, Op::ScW], &mut code);
        }
        let row = *random.pick(&all);
        let word = operands(random, row);
        let Some(instruction) = decode(word).filter(keeps_pointers) else { continue };
        let jumps = |i: &Instruction| matches!(i.op.row().format, Format::B | Format::J);
        if !jumps(&instruction) {
            code.push(word);
            continue;
        }
        // Over the next instruction, or to it.
        let next = loop {
            let row = *random.pick(&all);
            let next = operands(random, row);
            if decode(next).is_some_and(|i| !jumps(&i) && keeps_pointers(&i)) {
                break next;
            }
        };
        let length = if next & 3 == 3 { 4 } else { 2 };
        let own = u32::from(instruction.length);
        code.push(leading_to(&instruction, if random.one_in(4) { own } else { own + length }));
        code.push(next);
    }
    Sequence { code, area: area(random) }
}

/// An integer that every format has, converted under any rounding mode.
fn exact(random: &mut Random, all: &[&Row], code: &mut Vec<u32>) {
    const ANDI: u32 = 0x7013;
    const SRLI: u32 = 0x5013;
    const SRAI: u32 = 0x4000_5013;
    let conversions: Vec<&Row> = all.iter().copied().filter(|row| row.format == Format::IntegerToFloat).collect();
    let row = *random.pick(&conversions);
    let register = 10 + random.draw(6);
    // At most 11 bits, or 24 with the sign.
    let shift = if row.name.ends_with('u') { SRLI } else { SRAI };
    let made =
        if random.one_in(2) { ANDI | random.draw(1 << 11) << 20 } else { shift | (64 - 24 + random.draw(20)) << 20 };
    code.push(with(with(made, RD, 5, register), RS1, 5, register));
    let word = with(operands(random, row), RS1, 5, register);
    code.push(with(word, 12, 3, *random.pick(&[0, 1, 2, 3, 4, 7])));
}

/// A reservation that is used twice: the second time it is gone, though memory is as it was.
fn reservation(random: &mut Random, double: bool, code: &mut Vec<u32>) {
    let (load, store) = if double { (Op::LrD, Op::ScD) } else { (Op::LrW, Op::ScW) };
    let pointer = *random.pick(&[8, 9]);
    let value = 10 + random.draw(6);
    let at = |op: Op, rd: u32, rs2: u32| with(with(with(op.row().bits, RS1, 5, pointer), RD, 5, rd), 20, 5, rs2);
    code.push(at(load, value, 0));
    code.push(at(store, 20 + random.draw(4), value));
    code.push(at(store, 24 + random.draw(4), 10 + random.draw(6)));
}

/// A comparison that leaves the flags as they were, as compilers write it. The register with the
/// flags is written anew after that: nobody knows them here.
fn comparison(random: &mut Random, code: &mut Vec<u32>) {
    const FRFLAGS: u32 = 0x0010_2073;
    const FSFLAGSI: u32 = 0x0010_5073;
    const FRCSR: u32 = 0x0030_2073;
    const FSFLAGS: u32 = 0x0010_1073;
    const FSCSR: u32 = 0x0030_1073;
    const FLT_D: u32 = 0xa200_1053;
    const ADDI: u32 = 0x13;
    let register = 20 + random.draw(4);
    code.push(with(*random.pick(&[FRFLAGS, FRCSR, FSFLAGSI]), RD, 5, register));
    code.push(with(random.number() as u32 & 0x01f0_0000 | FLT_D, RD, 5, 10 + random.draw(6)));
    code.push(with(*random.pick(&[FSFLAGS, FSCSR]), RS1, 5, register));
    code.push(with(ADDI, RD, 5, register) | random.draw(1 << 12) << 20);
}

/// Flags of floating-point operations are not modelled after an operation, so a sequence has
/// either such operations or accesses to the flags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Floats,
    Flags,
}

impl Kind {
    fn has(self, row: &Row) -> bool {
        if is_left_out(row.op) {
            return false;
        }
        let format = row.op.row().format;
        let accesses = matches!(format, Format::Csr | Format::CsrImmediate);
        let operates = matches!(
            format,
            Format::Float4
                | Format::Float3
                | Format::Float2
                | Format::Float2Exact
                | Format::FloatTest
                | Format::FloatToInteger
                | Format::IntegerToFloat
                | Format::IntegerToFloatExact
                | Format::FloatFixed3
        );
        match self {
            Kind::Floats => !accesses,
            Kind::Flags => !operates || row.name.starts_with("fsgnj"),
        }
    }
}

/// Does it leave the straight line, or trap? Or is qemu wrong: before 8.0 it looks for the lowest
/// set bit of a word in all 64 bits.
fn is_left_out(op: Op) -> bool {
    matches!(op, Op::Jalr | Op::Ecall | Op::Ebreak | Op::Unimp | Op::Ctzw)
}

const RD: u32 = 7;
const RS1: u32 = 15;

fn with(word: u32, low: u32, bits: u32, value: u32) -> u32 {
    let mask = ((1 << bits) - 1) << low;
    word & !mask | value << low & mask
}

/// An instruction of a row.
fn operands(random: &mut Random, row: &Row) -> u32 {
    let mut word = random.number() as u32;
    // Few registers, so that results are used.
    if random.one_in(2) {
        for low in [RD, RS1, 20] {
            word = with(word, low, 5, 10 + random.draw(6));
        }
    }
    let pointer = if random.one_in(2) { 8 } else { 9 };
    if row.is_compressed() {
        if matches!(row.format, Format::Clw | Format::Cld | Format::Csw | Format::Csd) {
            // The lower three bits of the pointer's number.
            word = with(word, 7, 3, pointer - 8);
        }
        return (word & !row.mask | row.bits) & 0xffff;
    }
    match row.format {
        Format::Load | Format::Store | Format::LoadFloat | Format::StoreFloat => word = with(word, RS1, 5, pointer),
        Format::Atomic | Format::LoadReserved => word = with(word, RS1, 5, pointer),
        // Arithmetic is modelled with rounding to nearest.
        Format::Float4 | Format::Float3 | Format::Float2 | Format::IntegerToFloat => {
            word = with(word, 12, 3, *random.pick(&[0, 7]));
        }
        Format::FloatToInteger => word = with(word, 12, 3, *random.pick(&[0, 1, 2, 3, 4, 7])),
        Format::Float2Exact | Format::IntegerToFloatExact => word = with(word, 12, 3, *random.pick(&[0, 1, 4, 7])),
        Format::Csr | Format::CsrImmediate => word = state_access(random, row, word),
        Format::I if random.one_in(3) => word = with(word, 20, 12, *random.pick(&[0, 1, 0x7ff, 0x800, 0xfff, 255])),
        _ => {}
    }
    word & !row.mask | row.bits
}

/// Flags as they come; the rounding mode stays what it is, to nearest.
fn state_access(random: &mut Random, row: &Row, word: u32) -> u32 {
    const FFLAGS: u32 = 1;
    const FRM: u32 = 2;
    const FCSR: u32 = 3;
    match (row.format, random.below(3)) {
        (_, 0) => with(word, 20, 12, FFLAGS),
        (Format::CsrImmediate, _) => with(word, 20, 12, FCSR),
        (_, 1) => with(with(word, 20, 12, FRM), RS1, 5, 0),
        (_, _) => with(with(word, 20, 12, FCSR), RS1, 5, 0),
    }
}

/// Does it leave the registers alone on which the addresses of other instructions depend?
fn keeps_pointers(instruction: &Instruction) -> bool {
    let kept = |number: u8| number == BASE || POINTERS.iter().any(|(pointer, _)| *pointer == number);
    // A word of one row may be another row's.
    !is_left_out(instruction.op) && !kept(instruction.writes())
}

/// The same jump or branch, to so many bytes further. Less than 32.
fn leading_to(instruction: &Instruction, by: u32) -> u32 {
    let (w, bit) = (instruction.word, |from: u32| by >> from & 1);
    match (instruction.is_compressed(), instruction.op.row().format) {
        (false, Format::B) => with(with(w, 25, 7, 0), 7, 5, by),
        (false, _) => with(w, 12, 20, 0) | by << 20,
        (true, Format::B) => {
            let cleared = with(with(w, 2, 5, 0), 10, 3, 0);
            cleared | (by >> 1 & 3) << 3 | (by >> 3 & 3) << 10
        }
        (true, _) => with(w, 2, 11, 0) | (by >> 1 & 7) << 3 | bit(4) << 11,
    }
}

/// Registers and memory.
fn area(random: &mut Random) -> Vec<u8> {
    let mut area = vec![0; AREA];
    for at in (0..AREA).step_by(8) {
        // Where most operands are, values that are hard in pairs come often: -1 divides the least
        // number, zeros differ.
        let near = (10..16).contains(&(at / 8 % 32)) && at < REGISTERS && random.one_in(2);
        let value = if near && at < REGISTERS / 2 {
            *random.pick(&[0, 1, u64::MAX, 1 << 63, u64::MAX << 31, 0x8000_0000])
        } else if near {
            let sign = u64::from(random.one_in(2)) << 63;
            let double = *random.pick(&[0, f64::INFINITY.to_bits(), f64::NAN.to_bits(), 1, 1.0f64.to_bits()]);
            let single = *random.pick(&[0, f32::INFINITY.to_bits(), f32::NAN.to_bits(), 1, 1.0f32.to_bits()]);
            let single = u64::from(single) | sign >> 32 | 0xffff_ffff << 32;
            if random.one_in(2) { double | sign } else { single }
        } else if at < REGISTERS / 2 {
            integer(random)
        } else if at < REGISTERS || random.one_in(2) {
            float(random)
        } else {
            integer(random)
        };
        area[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
    let start = ours::address();
    let mut set = |number: u8, value: u64| {
        area[usize::from(number) * 8..][..8].copy_from_slice(&value.to_le_bytes());
    };
    set(0, 0);
    set(BASE, start);
    for (pointer, offset) in POINTERS {
        set(pointer, (start + MIDDLE).wrapping_add_signed(offset));
    }
    area
}

fn integer(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => random.number(),
        1 => random.number() as i32 as u64,
        2 => {
            let near = random.below(5) as u64;
            (1u64 << random.below(64)).wrapping_sub(2).wrapping_add(near)
        }
        _ => {
            let edges = [
                0,
                1,
                u64::MAX,
                1 << 63,
                (1 << 63) - 1,
                1 << 31,
                (1 << 31) - 1,
                u64::MAX << 31,
                u64::from(u32::MAX),
                1 << 32,
                31,
                32,
                63,
                64,
                0x8000_0000_8000_0000,
                0x00ff_0000_1200_0034,
            ];
            *random.pick(&edges)
        }
    }
}

fn float(random: &mut Random) -> u64 {
    const HIGH: u64 = 0xffff_ffff << 32;
    match random.below(8) {
        0 => random.number(),
        1..=3 => double(random),
        4..=6 => HIGH | u64::from(single(random)),
        // A binary32 without the ones above it.
        _ => u64::from(single(random)) | 0x1234 << 32,
    }
}

fn double(random: &mut Random) -> u64 {
    let edges: [f64; 24] = [
        0.0,
        1.0,
        1.5,
        2.5,
        0.5,
        0.49999999999999994,
        f64::INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        1e-310,
        2147483647.0,
        2147483648.5,
        4294967295.5,
        4294967296.0,
        9.223372036854775e18,
        9223372036854775808.0,
        1.8446744073709552e19,
        3.4028235677973366e38,
        1.401298464324817e-45,
        0.1,
        1e100,
        4503599627370497.5,
    ];
    let signalling = 0x7ff0_0000_0000_0001;
    let bits = match random.below(30) {
        n @ 0..24 => edges[n].to_bits(),
        24 => signalling,
        25 => 0x7ff8_0000_0000_1234,
        _ => with_exponent(random.number(), 52, 11, 1023 - 40 + random.draw(80)),
    };
    bits ^ u64::from(random.one_in(2)) << 63
}

fn single(random: &mut Random) -> u32 {
    let edges: [f32; 18] = [
        0.0,
        1.0,
        1.5,
        2.5,
        0.5,
        0.49999997,
        f32::INFINITY,
        f32::NAN,
        f32::MAX,
        f32::MIN_POSITIVE,
        1e-45,
        1e-40,
        2147483648.0,
        4294967296.0,
        9223372036854775808.0,
        16777217.0,
        0.1,
        8388609.0,
    ];
    let bits = match random.below(24) {
        n @ 0..18 => edges[n].to_bits(),
        18 => 0x7f80_0001,
        19 => 0x7fc0_1234,
        _ => with_exponent(random.number() >> 32, 23, 8, 127 - 20 + random.draw(40)) as u32,
    };
    bits ^ u32::from(random.one_in(2)) << 31
}

/// Random bits as a number of moderate size, so that sums and products are not all lost.
fn with_exponent(bits: u64, low: u32, count: u32, exponent: u32) -> u64 {
    let mask = ((1 << count) - 1) << low;
    bits & !mask | u64::from(exponent) << low
}
