//! What is lowered verifies, whatever the operands; and blocks end where they must.

use std::collections::HashSet;
use std::process::Command;
use strata_frontend_riscv::lower::{Border, Exit, Lowered, Runtime, To, Unknown, Way, close, lower, register};
use strata_frontend_riscv::{Fetch, Instruction, Op, Role, decode, elf, rows};
use strata_ir::{Block, Function, FunctionId, Instruction as Ir, Linkage, Place, PlaceId, Program, Reg, text, verify};
use strata_term::Random;

const START: u64 = 0x1000;
const RUNTIME: Runtime = Runtime { counter: FunctionId(1) };

const ECALL: u32 = 0x0000_0073;
const RET: u32 = 0x0000_8067;
const NOP: u32 = 0x0000_0013;

/// Instructions by address, one after the other.
fn fetcher(words: &[u32]) -> impl Fn(u64) -> Result<Instruction, Fetch> {
    let mut at = START;
    let mut code = Vec::new();
    for word in words {
        let instruction = decode(*word);
        let length = instruction.map_or(4, |instruction| u64::from(instruction.length));
        code.push((at, instruction.ok_or(Fetch::Illegal(*word))));
        at += length;
    }
    move |address| code.iter().find(|(at, _)| *at == address).map_or(Err(Fetch::Unmapped), |(_, found)| *found)
}

fn lowered(words: &[u32]) -> Lowered {
    lower(START, Unknown::default(), &fetcher(words), &RUNTIME).expect("it starts with an instruction")
}

fn counter() -> Function {
    Function {
        name: "counter".into(),
        linkage: Linkage::Library,
        params: vec![Reg(0)],
        variadic: false,
        returns: vec![64],
        registers: vec![64],
        blocks: Vec::new(),
        place: PlaceId(0),
        variables: Vec::new(),
    }
}

fn returns() -> Border {
    Border { instructions: vec![Ir::Return { values: Vec::new() }], on: false }
}

/// All code from the start on as a program. Where it ends, it returns.
fn program(words: &[u32]) -> Program {
    let border = |_: &Exit, _: Option<Fetch>| returns();
    let main = close("main", &[START], &fetcher(words), &RUNTIME, Vec::new(), &border);
    Program { functions: vec![main, counter()], places: vec![Place::default()], ..Program::default() }
}

#[track_caller]
fn verifies(program: &Program, what: &str) {
    if let Err(violations) = verify(program) {
        panic!("{what}: {violations:?}\n{}", text::print(program));
    }
}

#[test]
fn every_instruction_verifies() {
    let mut random = Random(1);
    for row in rows().filter(|row| row.role != Role::Reserved) {
        for _ in 0..50 {
            let word = random.number() as u32 & !row.mask | row.bits;
            verifies(&program(&[word, ECALL]), &format!("{} {word:#x}", row.name));
        }
    }
}

#[test]
fn sequences_verify() {
    let mut random = Random(2);
    let all: Vec<_> = rows().filter(|row| row.role != Role::Reserved).collect();
    for _ in 0..300 {
        let row = |random: &mut Random| random.number() as u32;
        let words: Vec<u32> = (0..100)
            .map(|_| {
                let fits = *random.pick(&all);
                row(&mut random) & !fits.mask | fits.bits
            })
            .collect();
        verifies(&program(&words), "a sequence");
    }
}

/// The exits of code, and how many of its instructions are in the block.
fn check(words: &[u32], instructions: usize, exits: &[To]) {
    let lowered = lowered(words);
    let found: Vec<To> = lowered.exits.iter().map(|exit| exit.to).collect();
    assert_eq!((lowered.instructions.len(), found.as_slice()), (instructions, exits), "{words:x?}");
}

#[test]
fn blocks_end_where_the_straight_line_does() {
    let to = |address, way| To::Address { address, way };
    check(&[NOP, ECALL, NOP], 2, &[To::SystemCall { next: START + 8 }]);
    check(&[0x0010_0073, NOP], 1, &[To::Breakpoint { address: START }]);
    check(&[RET], 1, &[To::Indirect { way: Way::Return }]);
    // jalr ra, 0(a0); jr a0
    check(&[0x0005_00e7], 1, &[To::Indirect { way: Way::Call(START + 4) }]);
    check(&[0x0005_0067], 1, &[To::Indirect { way: Way::Jump }]);
    // jal ra, +8; j -4
    check(&[0x0080_00ef], 1, &[to(START + 8, Way::Call(START + 4))]);
    check(&[NOP, 0xffdf_f06f], 2, &[to(START, Way::Jump)]);
    // beq a0, a1, +8; c.beqz a0, +2
    check(&[0x00b5_0463], 1, &[to(START + 8, Way::Branch), to(START + 4, Way::Branch)]);
    check(&[0xc109], 1, &[to(START + 2, Way::Branch), to(START + 2, Way::Branch)]);
    check(&[0x0000_100f], 1, &[to(START + 4, Way::Changed)]);
    // What is behind a block is looked at when somebody goes there.
    check(&[NOP], 1, &[to(START + 4, Way::Fallthrough)]);
    check(&[NOP, 0xffff_ffff], 1, &[to(START + 4, Way::Fallthrough)]);
    check(&[NOP; 100], 64, &[to(START + 64 * 4, Way::Fallthrough)]);
    check(&[0xc000_1073], 1, &[]);
    assert_eq!(lower(START + 2, Unknown::default(), &fetcher(&[NOP]), &RUNTIME).map(|_| ()), Err(Fetch::Unmapped));
    assert_eq!(
        lower(START, Unknown::default(), &fetcher(&[0xffff_ffff]), &RUNTIME).map(|_| ()),
        Err(Fetch::Illegal(0xffff_ffff))
    );
}

#[test]
fn what_is_not_modelled_says_so() {
    let reasons = |words: &[u32]| -> Vec<String> {
        let all = lowered(words).blocks;
        let instructions = all.into_iter().flat_map(|block: Block| block.instructions);
        instructions
            .filter_map(|instruction| match instruction {
                Ir::Unsupported { reason } => Some(reason),
                _ => None,
            })
            .collect()
    };
    // fadd.d fa0, fa0, fa1, rtz
    assert!(reasons(&[0x02b5_1553])[0].contains("fadd.d rounds in another way"));
    // fcvt.d.l fa0, a0, rdn; fcvt.d.w fa0, a0, rdn
    assert!(reasons(&[0xd225_2553, ECALL])[0].contains("fcvt.d.l rounds in another way"));
    assert!(reasons(&[0xd205_2553, ECALL]).is_empty());
    // csrr a0, mstatus
    assert!(reasons(&[0x3000_2573])[0].contains("register 0x300 is not modelled"));
    // fsrm a0
    assert!(reasons(&[0x0025_1073, ECALL])[0].contains("rounds in another way"));
    // csrrs a0, fflags, a1; csrrw a0, fflags, a1
    assert!(reasons(&[0x0015_a573, ECALL])[0].contains("looks at the flags"));
    assert!(reasons(&[0x0015_9573, ECALL]).is_empty());
    assert!(reasons(&[0x02b5_7553, NOP, ECALL]).is_empty());
}

#[test]
fn flags_that_nobody_knows_may_be_saved_and_restored() {
    const FRFLAGS_A4: u32 = 0x0010_2773;
    const FSFLAGS_A4: u32 = 0x0017_1073;
    const FLT_D: u32 = 0xa2b5_17d3;
    let looks = |lowered: &Lowered| {
        let all = lowered.blocks.iter().flat_map(|block| &block.instructions);
        all.filter(|instruction| matches!(instruction, Ir::Unsupported { .. })).count()
    };
    let words = [FRFLAGS_A4, FLT_D, FSFLAGS_A4, ECALL];
    let first = lowered(&words);
    let [saved, known] = first.exits.as_slice() else { panic!("two exits: {:?}", first.exits) };
    assert_eq!(saved.to, To::Address { address: START + 4, way: Way::Fallthrough });
    assert!(saved.unknown.has(14) && !known.unknown.has(14));
    assert_eq!(looks(&first), 0);
    // They are written back, and the register is as before.
    let after = |words: &[u32]| lower(START + 4, saved.unknown, &fetcher(words), &RUNTIME).expect("there is code");
    assert_eq!(looks(&after(&words)), 0);
    assert!(after(&words).exits[0].unknown.has(14));
    // fscsr a4; csrs fflags, a4
    assert_eq!(looks(&after(&[FRFLAGS_A4, 0x0037_1073, ECALL])), 0);
    assert_eq!(looks(&after(&[FRFLAGS_A4, 0x0017_2073, ECALL])), 0);
    // mv a0, a4 looks; li a4, 1 forgets.
    assert_eq!(looks(&after(&[FRFLAGS_A4, 0x0007_0513, ECALL])), 1);
    let forgotten = after(&[FRFLAGS_A4, 0x0010_0713, 0x0007_0513, ECALL]);
    assert_eq!((looks(&forgotten), forgotten.exits[0].unknown), (0, Unknown::default()));
}

/// Every function of a real program, with its branches and all that it jumps to.
#[test]
fn a_static_program_of_glibc_verifies() {
    let folder = std::env::temp_dir().join(format!("strata-lower-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let source = "#include <stdio.h>\nint main(int n, char **v) { return printf(\"%f %s\\n\", n / 3.0, v[0]); }\n";
    std::fs::write(folder.join("a.c"), source).expect("a file");
    let made =
        Command::new("riscv64-linux-gnu-gcc").args(["-O2", "-static", "a.c", "-o", "a"]).current_dir(&folder).status();
    let file = std::fs::read(folder.join("a"));
    let _ = std::fs::remove_dir_all(&folder);
    let Ok(status) = made else {
        eprintln!("skipped: riscv64-linux-gnu-gcc is not installed (Debian: gcc-riscv64-linux-gnu)");
        return;
    };
    assert!(status.success());
    let read = elf::Program::read(&file.expect("it was linked")).expect("it is a program");
    let border = |_: &Exit, _: Option<Fetch>| returns();
    let mut seen = HashSet::new();
    for symbol in read.elf.symbols.iter().filter(|symbol| symbol.kind == elf::SymbolKind::Function) {
        // What an earlier function reached is known.
        let fetch = |address| if seen.contains(&address) { Err(Fetch::Unmapped) } else { read.fetch(address) };
        let main = close("main", &[symbol.address], &fetch, &RUNTIME, Vec::new(), &border);
        let mut waiting = vec![symbol.address];
        while let Some(address) = waiting.pop().filter(|address| seen.insert(*address)) {
            waiting.extend(read.fetch(address).map(|instruction| address + u64::from(instruction.length)));
        }
        let program =
            Program { functions: vec![main, counter()], places: vec![Place::default()], ..Program::default() };
        verifies(&program, &symbol.name);
    }
    assert!(seen.len() > 50_000, "{} instructions", seen.len());
}

#[test]
fn temporaries_are_read_only_where_they_were_made() {
    // A basic block that reads a temporary before it assigns it would see another block's.
    let mut random = Random(3);
    for row in rows().filter(|row| row.role != Role::Reserved) {
        let word = random.number() as u32 & !row.mask | row.bits;
        let lowered = lowered(&[word, ECALL]);
        let mut made: Vec<Reg> = Vec::new();
        // Every way through the block runs its IR blocks in order.
        for instruction in lowered.blocks.iter().flat_map(|block| &block.instructions) {
            for reg in instruction.read_registers().filter(|reg| reg.0 >= register::COUNT) {
                assert!(made.contains(&reg), "{} reads {reg:?} too early", row.name);
            }
            made.extend(instruction.writes());
        }
    }
    assert_eq!(decode(NOP).map(|instruction| instruction.op), Some(Op::Addi));
}
