//! Sequences under qemu: one program runs many, and writes the registers and memory of each to
//! its standard output.

use super::{AREA, BASE, REGISTERS, Sequence, ours};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use strata_frontend_riscv::elf::{Segment, executable};

/// Where the first sequence's first instruction is.
pub const CODE: u64 = 0x4000_0000;
/// Where the areas are that sequences start with.
const STARTS: u64 = 0x2000_0000;

/// qemu's emulator for programs.
pub fn command() -> Command {
    Command::new("qemu-riscv64")
}

const T0: u32 = 5;
const T1: u32 = 6;
const T2: u32 = 7;
const A0: u32 = 10;
const A1: u32 = 11;
const A2: u32 = 12;
const A7: u32 = 17;
const ECALL: u32 = 0x73;
const WRITE: u64 = 64;
const EXIT: u64 = 93;

/// Encodes what surrounds a sequence.
struct Encoder(Vec<u8>);

impl Encoder {
    fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    /// addi, or with another opcode and function a load.
    fn immediate(&mut self, opcode: u32, function: u32, rd: u32, rs1: u32, immediate: i32) {
        self.word((immediate as u32) << 20 | rs1 << 15 | function << 12 | rd << 7 | opcode);
    }

    /// A store of 64 bits.
    fn store(&mut self, opcode: u32, rs2: u32, rs1: u32, offset: u32) {
        self.word(offset >> 5 << 25 | rs2 << 20 | rs1 << 15 | 3 << 12 | (offset & 31) << 7 | opcode);
    }

    /// A register gets a number below 2^31.
    fn set(&mut self, rd: u32, number: u64) {
        let upper = number.wrapping_add(0x800) >> 12;
        self.word((upper as u32) << 12 | rd << 7 | 0x37);
        // 32 bits, so that the upper part may have carried.
        self.immediate(0x1b, 0, rd, rd, sign_extended(number));
    }
}

/// The lowest 12 bits with their sign.
fn sign_extended(number: u64) -> i32 {
    ((number as u32) << 20) as i32 >> 20
}

/// A sequence that was run.
pub struct Done {
    /// Where its first instruction was.
    pub address: u64,
    /// Registers and memory afterwards.
    pub area: Vec<u8>,
}

/// Why sequences were not run to their end.
pub struct Failed {
    /// Why.
    pub reason: String,
    /// The number of the sequence that was running.
    pub sequence: usize,
}

/// Runs all sequences.
pub fn run(sequences: &[Sequence]) -> Result<Vec<Done>, Failed> {
    let none = |reason: String| Failed { reason, sequence: usize::MAX };
    let (file, addresses) = program(sequences);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("strata-riscv-{}-{number}", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    let written = options.write(true).create(true).truncate(true).mode(0o700).open(&path);
    written.and_then(|mut to| to.write_all(&file)).map_err(|error| none(format!("{}: {error}", path.display())))?;
    let done = command().arg(&path).stdin(Stdio::null()).output();
    let _ = std::fs::remove_file(&path);
    let output = done.map_err(|error| none(format!("qemu-riscv64 does not start: {error}")))?;
    if !output.status.success() || output.stdout.len() != AREA * sequences.len() {
        let told = String::from_utf8_lossy(&output.stderr);
        let whole = output.stdout.len() / AREA;
        let reason = format!("qemu-riscv64 ran {whole} sequences of {}: {}, {told}", sequences.len(), output.status);
        return Err(Failed { reason, sequence: whole });
    }
    let areas = output.stdout.chunks(AREA);
    Ok(areas.zip(addresses).map(|(area, address)| Done { address, area: area.to_vec() }).collect())
}

/// The program, and where the sequences are in it.
fn program(sequences: &[Sequence]) -> (Vec<u8>, Vec<u64>) {
    let mut addresses = Vec::new();
    let area = ours::address();
    let mut code = Encoder(Vec::new());
    // The first sequence starts at CODE: what comes before it is in front of that.
    let mut before = Encoder(Vec::new());
    prepare(&mut before, area, STARTS);
    let entry = CODE - before.0.len() as u64;
    for (number, sequence) in sequences.iter().enumerate() {
        if number > 0 {
            prepare(&mut code, area, STARTS + (number * AREA) as u64);
        }
        addresses.push(CODE + code.0.len() as u64);
        for word in &sequence.code {
            let length = if word & 3 == 3 { 4 } else { 2 };
            code.0.extend(&word.to_le_bytes()[..length]);
        }
        finish(&mut code);
    }
    code.set(A7, EXIT);
    code.set(A0, 0);
    code.word(ECALL);
    before.0.extend(code.0);
    let starts: Vec<u8> = sequences.iter().flat_map(|sequence| sequence.area.iter().copied()).collect();
    let segment = |address: u64, bytes: Vec<u8>, write: bool, execute: bool| {
        let size = bytes.len() as u64;
        Segment { address, bytes, size, write, execute }
    };
    let segments = [
        segment(area, vec![0; AREA], true, false),
        segment(STARTS, starts, false, false),
        segment(entry, before.0, false, true),
    ];
    (executable(entry, &segments), addresses)
}

/// Copies the area that a sequence starts with to its place, clears the flags and loads registers.
fn prepare(code: &mut Encoder, area: u64, start: u64) {
    code.set(T0, start);
    code.set(T1, area);
    code.set(T2, area + AREA as u64);
    // ld a0, 0(t0); sd a0, 0(t1); addi t0, t0, 8; addi t1, t1, 8; bne t1, t2, -16
    code.immediate(0x03, 3, A0, T0, 0);
    code.store(0x23, A0, T1, 0);
    code.immediate(0x13, 0, T0, T0, 8);
    code.immediate(0x13, 0, T1, T1, 8);
    code.word(0xfe00_1063 | T2 << 20 | T1 << 15 | 0b1000 << 8 | 1 << 7);
    // csrw fcsr, zero; an address is reserved that no sequence uses
    code.word(0x0030_1073);
    code.word(0x1000_302f | T1 << 15 | A0 << 7);
    code.set(u32::from(BASE), area);
    for number in 0..32 {
        code.immediate(0x07, 3, number, u32::from(BASE), (REGISTERS / 2 + number as usize * 8) as i32);
    }
    for number in (1..32).filter(|number| *number != u32::from(BASE)) {
        code.immediate(0x03, 3, number, u32::from(BASE), number as i32 * 8);
    }
}

/// Stores registers and writes the area to standard output.
fn finish(code: &mut Encoder) {
    for number in 1..32 {
        code.store(0x23, number, u32::from(BASE), number * 8);
    }
    for number in 0..32 {
        code.store(0x27, number, u32::from(BASE), REGISTERS as u32 / 2 + number * 8);
    }
    code.set(A7, WRITE);
    code.set(A0, 1);
    code.immediate(0x13, 0, A1, u32::from(BASE), 0);
    code.set(A2, AREA as u64);
    code.word(ECALL);
}
