//! A few hundred sequences of RISC-V instructions against qemu; `make fuzz` tries a hundred
//! thousand.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use strata_frontend_riscv::elf::Program;
use strata_frontend_riscv::{Op, Role, decode, rows};
use strata_fuzz::Random;
use strata_fuzz::riscv::{changed, compare, qemu_is_there, sequence, whole};

const SEED: u64 = 1;
const COUNT: u64 = 1000;

#[test]
fn sequences_leave_what_qemu_leaves() {
    if !qemu_is_there() {
        eprintln!("skipped: qemu-riscv64 is not installed (Debian: qemu-user)");
        return;
    }
    let tally = compare(SEED, COUNT).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(tally.sequences, COUNT);
}

#[test]
fn sequences_have_all_instructions() {
    let mut seen = BTreeSet::new();
    for number in 0..COUNT * 5 {
        let code = sequence(&mut Random(SEED + number)).code;
        seen.extend(code.iter().map(|word| decode(*word).expect("sequences have instructions").row.name));
    }
    // What leaves the straight line, stops, is wrong in some qemu, or moves the stack pointer.
    let absent = [Op::Jalr, Op::Ecall, Op::Ebreak, Op::Unimp, Op::Ctzw];
    for row in rows().filter(|row| row.role != Role::Reserved && !absent.contains(&row.op)) {
        assert!(seen.contains(row.name) || row.name == "c.addi16sp", "{} is in no sequence", row.name);
    }
}

#[test]
fn the_lowest_set_bit_of_a_word() {
    // ctzw a0, a0
    let ctzw = |before| changed(0x6015_151b, 10, before);
    assert_eq!([0, 1, 1 << 31, 1 << 33, u64::MAX, 0x50 << 8].map(ctzw), [32, 0, 31, 32, 0, 12]);
}

/// The program compiled with these options writes the same under qemu and here.
fn check(folder: &Path, options: &str) {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/riscv/whole.c");
    let fixed = "-nostdlib -static -ffreestanding -fno-jump-tables -Wl,-Ttext-segment=0x20000000 -o whole";
    let mut compiler = Command::new("riscv64-linux-gnu-gcc");
    compiler.args(fixed.split(' ')).args(options.split(' ')).args([source, "-lgcc"]).current_dir(folder);
    assert!(compiler.status().expect("the compiler was there").success(), "{options}");
    let theirs = Command::new("qemu-riscv64").arg("./whole").current_dir(folder).output().expect("qemu was there");
    let file = std::fs::read(folder.join("whole")).expect("it was linked");
    let ours = whole::run(&Program::read(&file).expect("it is a program"));
    let ours = ours.unwrap_or_else(|end| panic!("{options}: {end}"));
    assert!(theirs.stdout.ends_with(b"end\n"), "{options}: qemu ran it to its end");
    assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&theirs.stdout), "{options}");
}

#[test]
fn a_whole_program_writes_what_it_writes_under_qemu() {
    if !qemu_is_there() || Command::new("riscv64-linux-gnu-gcc").arg("--version").output().is_err() {
        eprintln!(
            "skipped: qemu-riscv64 or riscv64-linux-gnu-gcc is not installed (Debian: qemu-user, gcc-riscv64-linux-gnu)"
        );
        return;
    }
    let folder = std::env::temp_dir().join(format!("strata-whole-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for options in ["-O0", "-O2", "-Os", "-O2 -march=rv64gc_zba_zbb_zbs", "-O2 -march=rv64g"] {
        check(&folder, options);
    }
    std::fs::remove_dir_all(&folder).expect("it was made");
}
