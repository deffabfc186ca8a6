//! Random sequences of RISC-V instructions, run by the engine and by qemu: registers and memory
//! must be the same afterwards.
//!
//! - `generate`: sequences, and the registers and memory that they start with
//! - `native`: many sequences as one program for qemu
//! - `ours`: one sequence as a closed program of the IR
//! - `whole`: a whole program
//!
//! Both sides use the same addresses, so that pointers in registers compare as numbers.

mod generate;
mod native;
mod ours;
pub mod whole;

pub use generate::{Sequence, sequence};

use strata_frontend_riscv::{decode, text};
use strata_term::Random;

/// Bytes of the registers: 32 integer ones (the first is unused) and 32 floating-point ones.
const REGISTERS: usize = 64 * 8;
/// Bytes of memory that a sequence may touch: offsets of 12 bits in both directions from three
/// pointers near the middle.
const DATA: usize = 0x1400;
/// What is compared: registers, then memory.
const AREA: usize = REGISTERS + DATA;
/// Where the pointers of a sequence point, from the start of the area.
const MIDDLE: u64 = (REGISTERS + DATA / 2) as u64;
/// The pointers, by register: sp, s0 and s1, which compressed instructions can name, and their
/// places from the middle.
const POINTERS: [(u8, i64); 3] = [(2, -256), (8, 0), (9, 256)];
/// The register that holds the area's address on both sides, and is never written: gp.
const BASE: u8 = 3;

/// Sequences that one process of qemu runs.
const BATCH: usize = 200;

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Sequences.
    pub sequences: u64,
    /// Instructions in them.
    pub instructions: u64,
}

/// Is qemu's emulator for programs installed?
pub fn qemu_is_there() -> bool {
    native::command().arg("--version").output().is_ok()
}

/// Compares so many sequences. `Err` is a report of the first that differs, shortened.
pub fn compare(seed: u64, count: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut number = 0;
    while number < count {
        let batch = (count - number).min(BATCH as u64);
        let sequences: Vec<Sequence> = (number..number + batch).map(|n| sequence(&mut Random(seed + n))).collect();
        let theirs = native::run(&sequences).map_err(|failed| match sequences.get(failed.sequence) {
            Some(sequence) => {
                format!("seed {}: {}\n{}", seed + number + failed.sequence as u64, failed.reason, code(sequence))
            }
            None => failed.reason,
        })?;
        for (offset, (sequence, theirs)) in sequences.iter().zip(theirs).enumerate() {
            tally.sequences += 1;
            tally.instructions += sequence.code.len() as u64;
            if ours::run(sequence, theirs.address).as_ref() != Ok(&theirs.area) {
                let seed = seed + number + offset as u64;
                return Err(report(seed, &shrunk(sequence.clone())));
            }
        }
        number += batch;
    }
    Ok(tally)
}

/// What a sequence leaves in an integer register, which had this value before.
pub fn changed(word: u32, register: u8, before: u64) -> u64 {
    let at = usize::from(register) * 8;
    let mut sequence = Sequence { code: vec![word], area: vec![0; AREA] };
    sequence.area[at..at + 8].copy_from_slice(&before.to_le_bytes());
    let after = ours::run(&sequence, native::CODE).unwrap_or_else(|end| panic!("{word:#x} ends with {end}"));
    u64::from_le_bytes(after[at..at + 8].try_into().expect("eight bytes"))
}

fn differs(sequence: &Sequence) -> bool {
    let alone = native::run(std::slice::from_ref(sequence));
    alone.is_ok_and(|theirs| ours::run(sequence, theirs[0].address).as_ref() != Ok(&theirs[0].area))
}

/// The same difference with fewer instructions.
fn shrunk(mut sequence: Sequence) -> Sequence {
    let mut at = 0;
    while at < sequence.code.len() {
        let mut shorter = sequence.clone();
        shorter.code.remove(at);
        if differs(&shorter) { sequence = shorter } else { at += 1 }
    }
    sequence
}

/// The instructions as text.
fn code(sequence: &Sequence) -> String {
    let mut shown = String::new();
    let mut address = native::CODE;
    for word in &sequence.code {
        let instruction = decode(*word).expect("sequences have instructions");
        let text = text(&instruction, address, &|to| format!("{to:#x}"));
        shown += &format!("  {address:x}: {word:08x} {}\n", text.replace('\t', " "));
        address += u64::from(instruction.length);
    }
    shown
}

fn report(seed: u64, sequence: &Sequence) -> String {
    let mut report = format!("seed {seed}: a sequence leaves other registers or memory than under qemu\n");
    report += &code(sequence);
    let theirs = match native::run(std::slice::from_ref(sequence)) {
        Ok(mut theirs) => theirs.remove(0),
        Err(failed) => return report + &failed.reason,
    };
    let ours = match ours::run(sequence, theirs.address) {
        Ok(ours) => ours,
        Err(end) => return report + &format!("ours ends with {end}\n"),
    };
    for at in (0..AREA).step_by(8) {
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let (before, ours, theirs) = (word(&sequence.area), word(&ours), word(&theirs.area));
        let name = match at / 8 {
            number @ 0..32 => format!("x{number}"),
            number @ 32..64 => format!("f{}", number - 32),
            _ => format!("memory+{:#x}", at - REGISTERS),
        };
        if ours != theirs {
            report += &format!("  {name}: {before:016x} became {ours:016x}, under qemu {theirs:016x}\n");
        }
    }
    report
}
