//! A whole program without a library, run by the interpreter: what it writes.
//!
//! Indirect jumps go to functions and behind calls, which symbols and calls tell. A call of the
//! system writes one byte; a breakpoint ends the program.

use super::ours::{counter, zero};
use crate::engine;
use std::collections::BTreeSet;
use strata_frontend_riscv::elf::{Program, SymbolKind};
use strata_frontend_riscv::lower::{Border, Exit, Runtime, To, close, register};
use strata_frontend_riscv::{Fetch, Op};
use strata_interp::{Config, End};
use strata_ir::{
    BinaryOp, Constant, FunctionId, Global, GlobalId, Init, Instruction, Linkage, Operand, Place, PlaceId,
    Program as Ir, Reg, Relocation, Target,
};
use strata_term::Bits;

/// Where the program must lie: the only address with so many zeros that the layout gives.
pub const BASE: u64 = 0x2000_0000;
/// Bytes of its memory.
const MEMORY: u64 = 1 << 20;
/// Upper bound on what it writes, in bytes.
const WRITTEN: u64 = 1 << 16;

const MEMORY_ID: GlobalId = GlobalId(0);
const WRITTEN_ID: GlobalId = GlobalId(1);
/// Holds the address of the next byte that is written.
const NEXT_ID: GlobalId = GlobalId(2);

fn number(value: u64) -> Operand {
    Operand::Const(Constant::Bits(Bits::new(64, value)))
}

fn address(id: GlobalId) -> Operand {
    Operand::Const(Constant::Address(Target::Global(id), 0))
}

/// All places where an indirect jump may lead, the entry first.
fn roots(program: &Program) -> Vec<u64> {
    let mut roots = BTreeSet::new();
    for symbol in program.elf.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function) {
        roots.insert(symbol.address);
        let mut at = symbol.address;
        while at < symbol.address + symbol.size {
            let Ok(instruction) = program.fetch(at) else { break };
            at += u64::from(instruction.length);
            if matches!(instruction.op, Op::Jal | Op::Jalr) && instruction.rd == 1 {
                roots.insert(at);
            }
        }
    }
    roots.remove(&program.entry);
    [program.entry].into_iter().chain(roots).collect()
}

fn border(exit: &Exit, reason: Option<Fetch>) -> Border {
    match exit.to {
        To::SystemCall { .. } => {
            let (from, result) = (Operand::Reg(register::integer(11)), register::integer(10));
            let pc = Operand::Reg(register::PC);
            let instructions = vec![
                Instruction::Load { to: register::PC, address: address(NEXT_ID) },
                Instruction::CopyMemory { to: pc.clone(), from, length: number(1) },
                Instruction::Binary {
                    op: BinaryOp::Add,
                    to: register::PC,
                    a: pc.clone(),
                    b: number(1),
                    checked: false,
                },
                Instruction::Store { address: address(NEXT_ID), value: pc, width: 64 },
                Instruction::Copy { to: result, from: number(1) },
            ];
            Border { instructions, on: true }
        }
        To::Breakpoint { .. } => Border { instructions: vec![Instruction::Return { values: Vec::new() }], on: false },
        To::Address { .. } | To::Indirect { .. } => {
            let reason = format!("the program leaves its code: {exit:?}, {reason:?}");
            Border { instructions: vec![Instruction::Unsupported { reason }], on: false }
        }
    }
}

/// What a program writes that lies at `BASE`.
pub fn run(program: &Program) -> Result<Vec<u8>, String> {
    let mut memory = vec![0; MEMORY as usize];
    for segment in &program.segments {
        let start = segment.address.checked_sub(BASE).ok_or("a segment before the base")? as usize;
        let to = memory.get_mut(start..start + segment.bytes.len()).ok_or("a segment behind the memory")?;
        to.copy_from_slice(&segment.bytes);
    }
    let fetch = |address| program.fetch(address);
    let prologue = (0..register::COUNT).map(|number| zero(Reg(number))).collect();
    let runtime = Runtime { counter: FunctionId(1) };
    let main = close("main", &roots(program), &fetch, &runtime, prologue, &border);
    let global = |name: &str, size: u64, align: u64, init: Init| Global {
        name: name.into(),
        linkage: Linkage::Own,
        size,
        align,
        constant: false,
        init,
        place: PlaceId(0),
    };
    let next = Relocation { offset: 0, target: Target::Global(WRITTEN_ID), addend: 0 };
    let globals = vec![
        global("memory", MEMORY, BASE, Init::Bytes { bytes: memory, relocations: Vec::new() }),
        global("written", WRITTEN, 16, Init::Zero),
        global("next", 8, 16, Init::Bytes { bytes: vec![0; 8], relocations: vec![next] }),
    ];
    let functions = vec![main, counter()];
    let image = engine::image(Ir { functions, globals, places: vec![Place::default()], ..Ir::default() }, false);
    assert_eq!(image.address(&Target::Global(MEMORY_ID)).0, BASE, "the program lies where it was linked");
    let mut ended = engine::run(&image, &Config::default(), "main", &[]);
    let ended = ended.remove(0);
    match &ended.end {
        End::Exit(_) => {}
        End::Incomplete(cause) => return Err(format!("incomplete: {}", cause.reason)),
        End::Error(_) | End::Infeasible | End::Silent => return Err(ended.name()),
    }
    let object = |id| {
        let (start, number) = image.address(&Target::Global(id));
        (start, ended.state.object(number).expect("globals live as long as the program"))
    };
    let (start, written) = object(WRITTEN_ID);
    let next = object(NEXT_ID).1.plain(0, 8).and_then(|bytes| bytes.try_into().ok());
    let next = next.map(u64::from_le_bytes).ok_or("a symbolic address")?;
    written.plain(0, next - start).ok_or_else(|| "symbolic output".into())
}
