//! A whole file as text: what `objdump -d` prints, byte for byte.

use super::symbols::Symbols;
use super::text::{adds_to_base, text};
use crate::elf::{Elf, Section, SymbolKind};
use crate::extension::Extensions;
use crate::instruction::Instruction;
use crate::table::{Op, decode};
use std::fmt::Write;

/// So many zero bytes that start on an address are shown as dots.
const ZEROS: usize = 8;
/// The same where a section ends with them.
const ZEROS_AT_END: usize = 3;

/// Bytes of data shown in a line.
const DATA_LINE: usize = 16;

const GP: u8 = 3;
const TP: u8 = 4;

/// How much text is collected before it is handed on, in bytes: few calls, little memory.
const CHUNK: usize = 1 << 16;

/// The instructions of all sections with code, in pieces of text. Only extensions that the file
/// names are taken for instructions; all of them where it names none. `name` is how the file is
/// called.
pub fn listing(elf: &Elf, name: &str, sink: &mut dyn FnMut(&str)) {
    let mut out = format!("\n{name}:     file format elf64-littleriscv\n\n");
    let symbols = Symbols::new(elf);
    let mut carried = Carried { high: [None; 32], chunk: 1, gp: symbols.address("__global_pointer$") };
    let extensions = elf.extensions.unwrap_or(Extensions::ALL);
    for (number, section) in elf.sections.iter().enumerate() {
        if section.code && !section.bytes.is_empty() {
            write!(out, "\nDisassembly of section {}:\n", section.name).expect("strings grow");
            let mut part = Part { section, number, symbols: &symbols, extensions, out: &mut out, sink };
            part.list(&mut carried);
        }
    }
    sink(&out);
}

/// A section that is being listed.
struct Part<'a> {
    section: &'a Section,
    number: usize,
    symbols: &'a Symbols<'a>,
    extensions: Extensions,
    out: &'a mut String,
    sink: &'a mut dyn FnMut(&str),
}

impl Part<'_> {
    /// The section in pieces, each from one symbol to the next.
    fn list(&mut self, carried: &mut Carried) {
        let (start, end) = (self.section.address, self.section.address + self.section.bytes.len() as u64);
        let mut symbol = self.symbols.find(start, self.number, true);
        let mut address = start;
        while address < end {
            let place = self.symbols.place(address, self.number, symbol);
            write!(self.out, "\n{address:016x} {place}:\n").expect("strings grow");
            let next = match symbol {
                None => None,
                Some(later) if later.address > address => symbol,
                Some(current) => self.symbols.next(current.address, self.number),
            };
            let stop = next.map_or(end, |next| next.address);
            let stop = if stop > end || stop <= address { end } else { stop };
            let object = symbol.is_some_and(|s| s.kind == SymbolKind::Object && s.address <= address);
            self.piece(address, stop, object, carried);
            address = stop;
            symbol = next;
        }
    }

    fn piece(&mut self, start: u64, stop: u64, object: bool, carried: &mut Carried) {
        let mut address = start;
        while address < stop {
            if self.out.len() > CHUNK {
                (self.sink)(self.out);
                self.out.clear();
            }
            let bytes = &self.section.bytes[(address - self.section.address) as usize..];
            let left = (stop - address) as usize;
            let zeros = bytes[..left].iter().take_while(|byte| **byte == 0).count();
            if zeros >= ZEROS || zeros == left && zeros < ZEROS_AT_END {
                // Instructions that follow are aligned.
                let skipped = if zeros < left { zeros & !3 } else { zeros };
                self.out.push_str("\t...\n");
                address += skipped as u64;
                continue;
            }
            self.address(address);
            let length =
                if object { self.dump(&bytes[..left], carried.chunk) } else { self.line(address, bytes, carried) };
            address += length as u64;
        }
    }

    /// The address in front of a line. All lines of a section have the width of its last address.
    fn address(&mut self, address: u64) {
        let end = self.section.address + self.section.bytes.len() as u64;
        let digits = 16 - end.leading_zeros() as usize / 4;
        // Groups of four digits, and a zero at least in front of the last address.
        let width = (digits / 4 + 1) * 4;
        write!(self.out, "{address:width$x}:\t").expect("strings grow");
    }

    /// Bytes of an object that lies among instructions: in chunks as long as those of the line
    /// before. What is left of the last one is shown as characters only.
    fn dump(&mut self, bytes: &[u8], chunk: usize) -> usize {
        let line = &bytes[..bytes.len().min(DATA_LINE)];
        let empty = " ".repeat(chunk * 2 + 1);
        for part in line.chunks(chunk) {
            if part.len() == chunk {
                part.iter().rev().for_each(|byte| write!(self.out, "{byte:02x}").expect("strings grow"));
            }
            self.out.push(' ');
        }
        (line.len()..DATA_LINE).step_by(chunk).for_each(|_| self.out.push_str(&empty));
        let shown = |byte: &u8| if (0x20..0x7f).contains(byte) { char::from(*byte) } else { '.' };
        let characters: String = line.iter().map(shown).collect();
        writeln!(self.out, "    {characters}").expect("strings grow");
        line.len()
    }

    /// An instruction, or data where marks say so.
    fn line(&mut self, address: u64, bytes: &[u8], carried: &mut Carried) -> usize {
        let (data, next) = self.symbols.is_data(address, self.number);
        if data {
            let room = next.map_or(bytes.len(), |next| bytes.len().min((next - address) as usize));
            carried.chunk = self.data(bytes, room);
            return carried.chunk;
        }
        let Some(low) = bytes.get(..2) else {
            writeln!(self.out, "Address {:#x} is out of bounds.", address + bytes.len() as u64).expect("strings grow");
            return bytes.len();
        };
        let length = length(u16::from_le_bytes([low[0], low[1]]));
        let Some(bytes) = bytes.get(..length) else {
            writeln!(self.out, "Address {:#x} is out of bounds.", address + bytes.len() as u64).expect("strings grow");
            return bytes.len();
        };
        let word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        carried.chunk = if length.is_multiple_of(4) { 4 } else { 2 };
        self.raw(bytes, carried.chunk);
        let known = decode(word as u32).filter(|_| length <= 4);
        match known.filter(|i| self.extensions.has(i.row.extension) && self.extensions.has(i.op.row().extension)) {
            Some(instruction) => {
                let target = |address| self.symbols.show(address, self.number);
                let text = text(&instruction, address, &target);
                self.out.push_str(&text);
                if let Some(to) = carried.follow(&instruction, address) {
                    let to = self.symbols.show(to, self.number);
                    write!(self.out, " # {to}").expect("strings grow");
                }
                self.out.push('\n');
            }
            None => writeln!(self.out, ".{length}byte\t{word:#x}").expect("strings grow"),
        }
        length
    }

    fn data(&mut self, bytes: &[u8], room: usize) -> usize {
        let length = match room {
            0 | 1 => 1,
            2 | 3 => 2,
            _ => 4,
        };
        let bytes = &bytes[..length];
        let value = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        self.raw(bytes, length);
        match length {
            1 => writeln!(self.out, ".byte\t{value:#04x}"),
            2 => writeln!(self.out, ".short\t{value:#06x}"),
            _ => writeln!(self.out, ".word\t{value:#010x}"),
        }
        .expect("strings grow");
        length
    }

    /// The bytes in front of a line's text, in chunks of so many, and filled up to eight bytes
    /// (six single ones).
    fn raw(&mut self, bytes: &[u8], chunk: usize) {
        let line = if chunk == 1 { 6 } else { 8 };
        for part in bytes.chunks(chunk) {
            part.iter().rev().for_each(|byte| write!(self.out, "{byte:02x}").expect("strings grow"));
            self.out.push(' ');
        }
        for _ in 0..(line - bytes.len().min(line)) / chunk {
            self.out.push_str(&" ".repeat(chunk * 2 + 1));
        }
        self.out.push('\t');
    }
}

/// The bytes of an instruction, by its lowest ones.
fn length(low: u16) -> usize {
    match low {
        low if low & 3 != 3 => 2,
        low if low & 0x1f != 0x1f => 4,
        low if low & 0x3f == 0x1f => 6,
        low if low & 0x7f == 0x3f => 8,
        _ => 2,
    }
}

/// What is kept from line to line.
struct Carried {
    /// The bytes of the last line's chunks.
    chunk: usize,
    /// Addresses are made in two steps: the upper part that each register got last, until it is
    /// used.
    high: [Option<u64>; 32],
    /// The value of the global pointer.
    gp: Option<u64>,
}

impl Carried {
    /// The address that an instruction makes, if it is known; and what it leaves in registers.
    fn follow(&mut self, instruction: &Instruction, address: u64) -> Option<u64> {
        if matches!(instruction.op, Op::Auipc | Op::Lui) {
            let from = if instruction.op == Op::Auipc { address } else { 0 };
            self.high[instruction.rd as usize] = Some(from.wrapping_add_signed(instruction.imm));
            return None;
        }
        if !adds_to_base(instruction) {
            return None;
        }
        let base = instruction.rs1;
        let fixed = base == TP || base == 0;
        let made = match self.high[base as usize].take() {
            // A jump looks twice, and the second time finds what is always known.
            Some(_) if base == 0 || fixed && instruction.op == Op::Jalr => instruction.imm as u64,
            Some(upper) => upper.wrapping_add_signed(instruction.imm),
            None if base == GP => self.gp?.wrapping_add_signed(instruction.imm),
            None if fixed => instruction.imm as u64,
            None => return None,
        };
        let words = instruction.op == Op::Addiw;
        Some(if words { i64::from(made as i32) as u64 } else { made })
    }
}
