//! What is shown is what GNU objdump shows, for whole programs and for every instruction with
//! random operands.
//!
//! Where the cross tools of Debian are not installed, nothing is compared, and a line says so.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use strata_frontend_riscv::elf::Elf;
use strata_frontend_riscv::{Extension, Op, decode, listing, rows, text};
use strata_term::Random;

const TOOLS: &str = "riscv64-linux-gnu-";

/// A folder that is gone after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("strata-riscv-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a cross tool in a folder. Nothing where it is not installed.
fn tool(folder: &Folder, name: &str, words: &[&str]) -> Option<Vec<u8>> {
    let made = Command::new(format!("{TOOLS}{name}")).args(words).current_dir(&folder.0).output();
    let Ok(output) = made else {
        eprintln!("skipped: {TOOLS}{name} is not installed (Debian: gcc-riscv64-linux-gnu)");
        return None;
    };
    assert!(output.status.success(), "{name} {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout)
}

fn ours(path: &Path, name: &str) -> String {
    let elf = Elf::read(&std::fs::read(path).expect("it was built")).expect("it is an ELF file for RISC-V");
    let mut shown = String::new();
    listing(&elf, name, &mut |text| shown.push_str(text));
    shown
}

/// Both listings, line by line.
fn compare(folder: &Folder, name: &str) {
    let Some(theirs) = tool(folder, "objdump", &["-d", name]) else { return };
    let theirs = String::from_utf8(theirs).expect("names are plain");
    let ours = ours(&folder.0.join(name), name);
    for (number, (theirs, ours)) in theirs.lines().zip(ours.lines()).enumerate() {
        assert_eq!(ours, theirs, "{name}, line {}", number + 1);
    }
    assert_eq!(ours.lines().count(), theirs.lines().count(), "{name}: as many lines");
}

#[test]
fn a_static_program_of_glibc() {
    let folder = Folder::new("glibc");
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n\
        int main(int n, char **v) { printf(\"%f\\n\", pow(atof(v[n - 1]), 3)); return 0; }\n";
    std::fs::write(folder.0.join("a.c"), source).unwrap();
    if tool(&folder, "gcc", &["-O1", "-static", "a.c", "-o", "named", "-lm"]).is_none() {
        return;
    }
    compare(&folder, "named");
    tool(&folder, "strip", &["named", "-o", "stripped"]);
    compare(&folder, "stripped");
    tool(&folder, "gcc", &["-c", "-O2", "-march=rv64gc_zba_zbb_zbs", "a.c", "-o", "object.o"]);
    compare(&folder, "object.o");
}

#[test]
fn data_among_instructions() {
    let folder = Folder::new("data");
    let source = ".globl f\nf: nop\n.byte 1\n.short 0x1234\n.byte 2\n.word 0x12345678\n.zero 30\nnop\n\
        .type o, @object\no: .ascii \"an object\"\n.size o, 9\n.align 2\ng: la a0, f\nlui a1, 5\nlw a2, 4(a1)\n\
        call f\nlui a3, 0x80000\naddiw a3, a3, 1\n.zero 2\n";
    std::fs::write(folder.0.join("a.s"), source).unwrap();
    if tool(&folder, "gcc", &["-nostdlib", "-static", "-Wl,-e,f", "a.s", "-o", "linked"]).is_some() {
        compare(&folder, "linked");
    }
}

/// What objdump refuses and processors take, or the other way round: fields that must be ignored,
/// rounding modes of conversions that are exact, and a sum that the specification reserves.
fn is_known_difference(word: u32, theirs: &str) -> bool {
    let op = decode(word).map(|instruction| instruction.op);
    match op {
        Some(Op::Fence | Op::FenceI | Op::FenceTso) => theirs.starts_with(".4byte"),
        Some(Op::FcvtDS | Op::FcvtDW | Op::FcvtDWu) => theirs.starts_with(".4byte") && word >> 12 & 7 != 0,
        Some(_) => false,
        None => word == 0x6101,
    }
}

#[test]
fn every_instruction_with_random_operands() {
    let folder = Folder::new("rows");
    let mut random = Random(1);
    let mut words = Vec::new();
    // Registers that make pseudo-instructions come often.
    let registers = [0, 1, 2, 3, 8, 15];
    for row in rows() {
        for _ in 0..200 {
            let mut word = random.number() as u32;
            for low in [7, 15, 20] {
                if random.one_in(2) {
                    word = word & !(31 << low) | *random.pick(&registers) << low;
                }
            }
            if random.one_in(3) {
                word = word & 0xf_ffff | *random.pick(&[0, 1, 2, 3, 255, 0xfff, 0xc00, 0xc01]) << 20;
            }
            words.push(word & !row.mask | row.bits);
        }
    }
    words.extend((0..20_000).map(|_| random.number() as u32));
    // Longer instructions than of 32 bits are not there, and would hide what follows.
    words.retain(|word| word & 0x1f != 0x1f);
    let mut source = String::from(".attribute arch, \"rv64imafdc_zba_zbb_zbs\"\n");
    for word in &mut words {
        if *word & 3 == 3 {
            writeln!(source, ".4byte {word:#x}").unwrap();
        } else {
            *word &= 0xffff;
            writeln!(source, ".2byte {word:#x}").unwrap();
        }
    }
    std::fs::write(folder.0.join("a.s"), source).unwrap();
    // Without marks all is code, and without symbols no name depends on another instruction.
    if tool(&folder, "as", &["a.s", "-o", "a.o"]).is_none() {
        return;
    }
    tool(&folder, "strip", &["-s", "a.o"]);
    let theirs = String::from_utf8(tool(&folder, "objdump", &["-d", "-z", "a.o"]).unwrap()).unwrap();
    let lines: Vec<&str> = theirs.lines().filter(|line| line.contains(":\t")).collect();
    assert_eq!(lines.len(), words.len());
    let (mut address, mut seen) = (0, BTreeSet::new());
    for (line, word) in lines.iter().zip(&words) {
        let theirs = line.splitn(3, '\t').nth(2).unwrap();
        let theirs = theirs.split(" # ").next().unwrap();
        let length = if word & 3 == 3 { 4 } else { 2 };
        let ours = match decode(*word) {
            Some(instruction) => {
                seen.insert(instruction.row.name);
                text(&instruction, address, &|to| format!("{to:#x}"))
            }
            None => format!(".{length}byte\t{word:#x}"),
        };
        assert!(ours == theirs || is_known_difference(*word, theirs), "{word:#x}: {ours}, objdump: {theirs}");
        address += length;
    }
    assert!(rows().all(|row| row.name.is_empty() || seen.contains(row.name)), "each row was compared");
}

#[test]
fn random_words_do_not_panic() {
    let mut random = Random(2);
    for _ in 0..200_000 {
        let number = random.number();
        for word in [number as u32, (number >> 32) as u32] {
            if let Some(instruction) = decode(word) {
                assert!(!text(&instruction, number, &|to| to.to_string()).is_empty());
            }
        }
    }
}

#[test]
fn extensions_that_a_file_does_not_name_are_not_shown() {
    let set = Extension::parse("rv64imac");
    assert!(!set.has(Extension::D) && set.has(Extension::A));
}
