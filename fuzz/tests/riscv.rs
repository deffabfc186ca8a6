//! A few hundred sequences of RISC-V instructions against qemu; `make fuzz` tries a hundred thousand.

use std::collections::BTreeSet;
use strata_frontend_riscv::{Op, Role, decode, rows};
use strata_fuzz::Random;
use strata_fuzz::riscv::{changed, compare, qemu_is_there, sequence};

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
