//! A sequence as a closed program of the IR, run by the interpreter.

use super::native::CODE;
use super::{AREA, REGISTERS, Sequence};
use crate::engine;
use std::sync::LazyLock;
use strata_frontend_riscv::lower::{Border, Exit, Runtime, To, close, register};
use strata_frontend_riscv::{Fetch, decode};
use strata_interp::{Config, End};
use strata_ir::{
    Constant, Function, FunctionId, Global, GlobalId, Init, Instruction, Layout, Linkage, Operand, Place, PlaceId,
    Program, Reg, Target,
};
use strata_term::Bits;

const AREA_ID: GlobalId = GlobalId(0);
const ECALL: u32 = 0x73;

/// Where the area lies. That depends on the functions of the program alone, which have no code
/// here.
pub fn address() -> u64 {
    static ADDRESS: LazyLock<u64> = LazyLock::new(|| {
        let empty = program(vec![0; AREA], &[], CODE);
        Layout::of(&empty).expect("a small program fits into memory").globals[AREA_ID.index()]
    });
    *ADDRESS
}

/// The machine's registers with their places in the area, except those that are constant.
fn places() -> impl Iterator<Item = (Reg, i64)> {
    let integers = (1..32).map(|number| (register::integer(number), i64::from(number) * 8));
    let floats = (0..32).map(|number| (register::float(number), REGISTERS as i64 / 2 + i64::from(number) * 8));
    integers.chain(floats)
}

fn at(offset: i64) -> Operand {
    Operand::Const(Constant::Address(Target::Global(AREA_ID), offset))
}

fn program(area: Vec<u8>, code: &[u32], start: u64) -> Program {
    let mut listed = Vec::new();
    let mut next = start;
    for word in code.iter().chain([&ECALL]) {
        let instruction = decode(*word).expect("sequences have instructions");
        listed.push((next, instruction));
        next += u64::from(instruction.length);
    }
    let fetch =
        |address: u64| listed.iter().find(|(at, _)| *at == address).map(|(_, found)| *found).ok_or(Fetch::Unmapped);
    let load = |(to, offset): (Reg, i64)| Instruction::Load { to, address: at(offset) };
    let own = [register::PC, register::FLAGS, register::FLAGS_UNKNOWN, register::RESERVED, register::RESERVED_VALUE];
    let prologue = own.map(zero).into_iter().chain(places().map(load)).collect();
    let store =
        |(from, offset): (Reg, i64)| Instruction::Store { address: at(offset), value: Operand::Reg(from), width: 64 };
    let border = |exit: &Exit, _: Option<Fetch>| match exit.to {
        To::SystemCall { .. } => {
            let end = Instruction::Return { values: Vec::new() };
            Border { instructions: places().map(store).chain([end]).collect(), on: false }
        }
        To::Address { .. } | To::Indirect { .. } | To::Breakpoint { .. } => {
            let reason = format!("the sequence leaves its code: {exit:?}");
            Border { instructions: vec![Instruction::Unsupported { reason }], on: false }
        }
    };
    let runtime = Runtime { counter: FunctionId(1) };
    let main = close("main", &[start], &fetch, &runtime, prologue, &border);
    let area = Global {
        name: "area".into(),
        linkage: Linkage::Own,
        size: area.len() as u64,
        align: 4096,
        constant: false,
        init: Init::Bytes { bytes: area, relocations: Vec::new() },
        place: PlaceId(0),
    };
    Program {
        functions: vec![main, counter()],
        globals: vec![area],
        places: vec![Place::default()],
        ..Program::default()
    }
}

/// The function that reads counters; it has no body.
pub(super) fn counter() -> Function {
    Function {
        name: "counter".into(),
        params: vec![Reg(0)],
        returns: vec![64],
        registers: vec![64],
        blocks: Vec::new(),
        linkage: Linkage::Library,
        variadic: false,
        place: PlaceId(0),
        variables: Vec::new(),
    }
}

/// A register gets zero.
pub(super) fn zero(to: Reg) -> Instruction {
    Instruction::Copy { to, from: Operand::Const(Constant::Bits(Bits::new(register::width(to), 0))) }
}

/// Registers and memory after a sequence at an address, or how the path ended otherwise.
pub fn run(sequence: &Sequence, start: u64) -> Result<Vec<u8>, String> {
    let image = engine::image(program(sequence.area.clone(), &sequence.code, start), false);
    let (place, number) = image.address(&Target::Global(AREA_ID));
    assert_eq!(place, address(), "both sides use the same addresses");
    // Registers are loaded from memory, so no pointer knows its object: all are resolved by
    // address.
    let mut ended = engine::run(&image, &Config::default(), "main", &[]);
    assert_eq!(ended.len(), 1, "a sequence without inputs has one path");
    let ended = ended.remove(0);
    match &ended.end {
        End::Exit(_) => {}
        End::Incomplete(cause) => return Err(format!("incomplete: {}", cause.reason)),
        End::Error(_) | End::Infeasible | End::Silent => return Err(ended.name()),
    }
    let object = ended.state.object(number).ok_or("the area is gone")?;
    object.plain(0, AREA as u64).ok_or_else(|| "the area is symbolic".into())
}
