//! What is no program that can be taken is refused, with words that say what to do.

use std::process::Command;
use strata_frontend_riscv::Fetch;
use strata_frontend_riscv::elf::{Elf, Error, Program, Segment, executable};
use strata_term::Random;

const TEXT: u64 = 0x10000;
const DATA: u64 = 0x20000;

/// addi a0, zero, 1; c.nop; ret
const CODE: &[u8] = &[0x13, 0x05, 0x10, 0x00, 0x01, 0x00, 0x67, 0x80, 0x00, 0x00];

fn segments() -> Vec<Segment> {
    vec![
        Segment { address: TEXT, bytes: CODE.to_vec(), size: CODE.len() as u64, write: false, execute: true },
        Segment { address: DATA, bytes: vec![1, 2, 3], size: 4096, write: true, execute: false },
    ]
}

fn good() -> Vec<u8> {
    executable(TEXT, &segments())
}

/// The file with bytes replaced.
fn changed(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = good();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

/// Where the header has its fields.
const CLASS: usize = 4;
const ORDER: usize = 5;
const TYPE: usize = 16;
const MACHINE: usize = 18;
const ENTRY: usize = 24;
/// The first entry of the table of segments.
const FIRST: usize = 64;

#[track_caller]
fn check(file: &[u8], parts: &[&str]) -> Error {
    let error = Program::read(file).expect_err("it is refused");
    let text = error.to_string();
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    error
}

#[test]
fn a_program_is_read() {
    let program = Program::read(&good()).expect("it is a program");
    assert_eq!((program.entry, program.movable), (TEXT, false));
    assert_eq!(program.segments, segments());
    assert_eq!(program.placed(0x1000).entry, TEXT, "what cannot be moved stays");
}

#[test]
fn other_files_are_refused() {
    check(b"", &["no ELF file", "empty"]);
    check(b"int main(void) { return 0; }\n", &["no ELF file", "a text", "64-bit RISC-V"]);
    check(b"BC\xc0\xde1234", &["LLVM bitcode"]);
    check(&changed(MACHINE, &62u16.to_le_bytes()), &["x86-64", "riscv64-linux-gnu-gcc"]);
    check(&changed(MACHINE, &4242u16.to_le_bytes()), &["machine number 4242"]);
    check(&changed(CLASS, &[1]), &["32-bit", "-march=rv64gc"]);
    let mut big = changed(ORDER, &[2]);
    big[MACHINE..MACHINE + 2].reverse();
    check(&big, &["big-endian", "little-endian"]);
    check(&changed(TYPE, &1u16.to_le_bytes()), &["an object file", "link it"]);
    check(&changed(TYPE, &4u16.to_le_bytes()), &["a core dump"]);
}

#[test]
fn this_machine_s_own_program_is_refused() {
    let own = std::fs::read(std::env::current_exe().expect("a test is a program")).expect("it can be read");
    if cfg!(target_arch = "riscv64") {
        check(&own, &["dynamically linked"]);
    } else {
        check(&own, &["not for RISC-V"]);
    }
}

#[test]
fn programs_that_need_a_dynamic_linker_are_refused() {
    // The second segment becomes the name of the dynamic linker.
    let second = FIRST + 56;
    let mut file = changed(second, &3u32.to_le_bytes());
    let offset = u64::from_le_bytes(file[second + 8..second + 16].try_into().unwrap()) as usize;
    file[offset..offset + 3].copy_from_slice(b"ld\0");
    check(&file, &["dynamically linked", "(it needs ld)", "-static"]);
}

#[test]
fn impossible_programs_are_refused() {
    check(&changed(ENTRY, &(TEXT + 1).to_le_bytes()), &["entry point 0x10001"]);
    check(&changed(ENTRY, &DATA.to_le_bytes()), &["entry point 0x20000"]);
    check(&changed(FIRST + 4, &4u32.to_le_bytes()), &["no executable segment"]);
    check(&changed(FIRST + 16, &(DATA + 1).to_le_bytes()), &["two segments claim", "0x20001"]);
    check(&changed(FIRST + 40, &1u64.to_le_bytes()), &["damaged", "impossible size"]);
    check(&changed(FIRST + 40, &u64::MAX.to_le_bytes()), &["damaged", "impossible size"]);
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    let file = good();
    for length in 0..file.len() {
        let error = Program::read(&file[..length]).expect_err("it is cut");
        let expected = matches!(error, Error::Truncated { .. } | Error::NotElf { .. });
        assert!(expected, "cut to {length} bytes: {error}");
        if length > 4 {
            assert!(error.to_string().contains("cut off"), "{error}");
        }
    }
}

#[test]
fn forged_files_do_not_panic() {
    let mut random = Random(1);
    let file = good();
    for _ in 0..20_000 {
        let mut forged = file.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(FIRST + 2 * 56);
            forged[at] = random.number() as u8;
        }
        let _ = Elf::read(&forged);
        if let Ok(program) = Program::read(&forged) {
            let _ = program.fetch(program.entry);
            let _ = program.placed(random.number());
        }
    }
}

#[test]
fn instructions_are_fetched_where_they_are() {
    let mut file = segments();
    // The last instruction loses its second half, and all of it but a byte.
    file[0].bytes.truncate(8);
    file[0].size = 8;
    let program = Program::read(&executable(TEXT, &file)).unwrap();
    let length = |address| program.fetch(address).map(|instruction| instruction.length);
    assert_eq!(length(TEXT), Ok(4));
    assert_eq!(length(TEXT + 4), Ok(2));
    assert_eq!(length(TEXT + 6), Err(Fetch::Cut));
    assert_eq!(length(TEXT + 1), Err(Fetch::Misaligned));
    assert_eq!(length(TEXT + 8), Err(Fetch::Unmapped));
    assert_eq!(length(DATA), Err(Fetch::NotExecutable));
    file[0].bytes.truncate(7);
    file[0].size = 7;
    let program = Program::read(&executable(TEXT, &file)).unwrap();
    assert_eq!(program.fetch(TEXT + 6).map(|_| ()), Err(Fetch::Cut));
    file[0].size = 4096;
    let program = Program::read(&executable(TEXT, &file)).unwrap();
    assert_eq!(program.fetch(TEXT + 100).map(|instruction| instruction.row.name), Ok("c.unimp"));
    for reason in [Fetch::Misaligned, Fetch::Unmapped, Fetch::NotExecutable, Fetch::Cut, Fetch::Illegal(0xffff_ffff)] {
        assert!(!reason.to_string().is_empty());
    }
}

/// Links a program with the cross compiler. Nothing where it is not installed.
fn linked(name: &str, source: &str, flags: &[&str]) -> Option<Vec<u8>> {
    let folder = std::env::temp_dir().join(format!("strata-elf-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("a.c"), source).expect("a file");
    let made = Command::new("riscv64-linux-gnu-gcc").args(["a.c", "-o", "a"]).args(flags).current_dir(&folder).status();
    let file = std::fs::read(folder.join("a"));
    let _ = std::fs::remove_dir_all(&folder);
    match made {
        Ok(status) => assert!(status.success(), "{flags:?}"),
        Err(_) => {
            eprintln!("skipped: riscv64-linux-gnu-gcc is not installed (Debian: gcc-riscv64-linux-gnu)");
            return None;
        }
    }
    Some(file.expect("it was linked"))
}

#[test]
fn a_static_pie_program_is_relocated() {
    let source =
        "static int x = 7, y; int *volatile p = &x; int *volatile q = &y; void _start(void) { for (;;) *q = *p; }";
    let Some(file) = linked("pie", source, &["-static-pie", "-fPIE", "-nostdlib", "-Wl,--no-dynamic-linker"]) else {
        return;
    };
    let program = Program::read(&file).expect("it is a program");
    assert!(program.movable);
    let symbol = |program: &Program, name: &str| {
        program.elf.symbols.iter().find(|symbol| symbol.name == name).expect("it has symbols").address
    };
    let mut expected = [("p", "x"), ("q", "y")].map(|(at, to)| (symbol(&program, at), symbol(&program, to)));
    let mut found: Vec<(u64, u64)> = program.relocations.iter().map(|r| (r.address, r.target)).collect();
    expected.sort_unstable();
    found.sort_unstable();
    found.retain(|pair| expected.contains(pair));
    assert_eq!(found, expected);
    let base = 0x2a_0000_0000;
    let (entry, p, x) = (program.entry, symbol(&program, "p"), symbol(&program, "x"));
    let placed = program.placed(base);
    assert_eq!((placed.entry, symbol(&placed, "x")), (entry + base, x + base));
    let segment = placed.segments.iter().find(|s| (s.address..s.address + s.size).contains(&(p + base))).unwrap();
    let at = (p + base - segment.address) as usize;
    assert_eq!(segment.bytes[at..at + 8], (x + base).to_le_bytes());
    assert!(placed.fetch(entry + base).is_ok());
}

#[test]
fn what_compilers_make_by_default_is_refused() {
    let source = "int main(void) { return 0; }";
    let Some(file) = linked("dynamic", source, &[]) else { return };
    check(&file, &["dynamically linked", "ld-linux-riscv64", "-static"]);
    let Some(file) = linked("object", source, &["-c"]) else { return };
    check(&file, &["an object file"]);
    let Some(file) = linked("library", source, &["-shared", "-fPIC", "-nostdlib"]) else { return };
    check(&file, &["a shared library"]);
}
