//! The verifier: everything that the interpreter and the analyses take for granted, checked once.
//!
//! A front end's mistake is a fault of ours, so all violations are listed, each with its function, block and
//! instruction: one run shows the pattern of a mistake. What a violation hides is not guessed at: a part whose width is
//! unknown (a register out of range) is not compared with others.
//!
//! Invariants:
//! - *Ids* are in range: registers and blocks of their function, functions, globals, places (place 0 exists and is
//!   unknown), files of places with a line.
//! - *Widths* are 1 to `strata_term::MAX_WIDTH` and agree as each instruction says; an address is 64 bits wide.
//! - *Blocks* end with a terminator and have no other; there is a place for each instruction. (A function with blocks has
//!   block 0, which is its entry.)
//! - *Calls* pass at least as many arguments as there are parameters, of the parameters' widths, more only to variadic
//!   functions; they take all results, of the right widths, or none. Returns give as many as the function returns.
//! - *Cases* of a switch have its width and are distinct.
//! - *Contents* of a global are as long as it is; its relocations ascend, do not overlap, lie inside it and over zeros.
//! - *Alignments* are powers of two. *Byte swaps* are of a multiple of 16 bits. Only add, sub, mul and shl can be free of signed
//!   overflow. Integers become floats from at most 64 bits.
//! - *Names* are unique among functions and globals together.
//! - *Chains* of `inlined_at` end at place 0.
//!
//! Deliberately absent: whether a register is assigned before it is read (it starts as undefined, which the interpreter
//! tracks), and whether a block can be reached.

mod fault;
mod widths;

pub use fault::{Fault, Kind, Site, Violation};

use crate::program::{
    Block, BlockId, Constant, Function, FunctionId, Global, GlobalId, Init, Instruction, Operand, Place, PlaceId,
    Program, Reg, Relocation, Target,
};
use std::collections::HashSet;
use std::ops::Deref;
use strata_term::MAX_WIDTH;

/// A program that holds all invariants: nobody changes it any more, and code that relies on them for memory safety takes it alone.
#[derive(Debug)]
pub struct Verified(Program);

impl Verified {
    /// Verifies a program.
    pub fn new(program: Program) -> Result<Verified, Vec<Violation>> {
        verify(&program).map(|()| Verified(program))
    }
}

impl Deref for Verified {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.0
    }
}

/// Checks all invariants; the violations are in the order of the program.
pub fn verify(program: &Program) -> Result<(), Vec<Violation>> {
    let mut verifier = Verifier { program, site: Site::Place(PlaceId(0)), name: "", violations: Vec::new() };
    verifier.places();
    verifier.names();
    for (id, global) in (0..).map(GlobalId).zip(&program.globals) {
        verifier.global(id, global);
    }
    for (id, function) in (0..).map(FunctionId).zip(&program.functions) {
        verifier.function(id, function);
    }
    if verifier.violations.is_empty() { Ok(()) } else { Err(verifier.violations) }
}

struct Verifier<'a> {
    program: &'a Program,
    site: Site,
    name: &'a str,
    violations: Vec<Violation>,
}

impl<'a> Verifier<'a> {
    fn report(&mut self, fault: Fault) {
        self.violations.push(Violation { site: self.site, name: self.name.to_owned(), fault });
    }

    fn require(&mut self, holds: bool, fault: Fault) {
        if !holds {
            self.report(fault);
        }
    }

    fn range(&mut self, kind: Kind, id: u32, count: usize) {
        self.require((id as usize) < count, Fault::OutOfRange { kind, id, count });
    }

    fn width(&mut self, width: u32) {
        self.require((1..=MAX_WIDTH).contains(&width), Fault::NoSuchWidth(width));
    }

    /// A missing place 0 is reported once, not wherever it is used.
    fn place(&mut self, place: PlaceId) {
        if place.0 == 0 {
            return;
        }
        self.range(Kind::Place, place.0, self.program.places.len());
    }

    fn places(&mut self) {
        let (places, files) = (&self.program.places, self.program.files.len());
        let unknown = places.first().is_some_and(|place| place.line == 0 && place.inlined_at == 0);
        self.require(unknown, Fault::UnknownPlace);
        for (id, place) in (0..).map(PlaceId).zip(places) {
            self.site = Site::Place(id);
            if place.line != 0 {
                self.range(Kind::File, place.file, files);
            }
            self.place(PlaceId(place.inlined_at));
        }
        for id in cycles(places) {
            self.site = Site::Place(id);
            self.report(Fault::InlinedCycle);
        }
    }

    fn names(&mut self) {
        let mut seen = HashSet::new();
        for (id, global) in (0..).map(GlobalId).zip(&self.program.globals) {
            (self.site, self.name) = (Site::Global(id), &global.name);
            self.require(seen.insert(&global.name), Fault::Name);
        }
        for (id, function) in (0..).map(FunctionId).zip(&self.program.functions) {
            (self.site, self.name) = (Site::Function(id), &function.name);
            self.require(seen.insert(&function.name), Fault::Name);
        }
    }

    fn global(&mut self, id: GlobalId, global: &'a Global) {
        (self.site, self.name) = (Site::Global(id), &global.name);
        self.place(global.place);
        self.require(global.align.is_power_of_two(), Fault::Align(global.align));
        match &global.init {
            Init::Undefined | Init::Zero => {}
            Init::Bytes { bytes, relocations } => {
                let fits = bytes.len() as u64 == global.size;
                self.require(fits, Fault::Contents { found: bytes.len(), expected: global.size });
                self.relocations(bytes, relocations);
            }
        }
    }

    fn relocations(&mut self, bytes: &[u8], relocations: &[Relocation]) {
        let mut free = 0;
        for Relocation { offset, target, .. } in relocations {
            self.target(*target);
            self.require(*offset >= free, Fault::RelocationOrder(*offset));
            free = offset.saturating_add(8);
            let covered = usize::try_from(*offset).ok().and_then(|start| bytes.get(start..)?.get(..8));
            match covered {
                None => self.report(Fault::RelocationOutside(*offset)),
                Some(bytes) => self.require(bytes.iter().all(|byte| *byte == 0), Fault::RelocationBytes(*offset)),
            }
        }
    }

    fn target(&mut self, target: Target) {
        let Program { functions, globals, .. } = self.program;
        match target {
            Target::Global(global) => self.range(Kind::Global, global.0, globals.len()),
            Target::Function(function) => self.range(Kind::Function, function.0, functions.len()),
            Target::Block(function, block) => match functions.get(function.index()) {
                None => self.range(Kind::Function, function.0, functions.len()),
                Some(function) => self.range(Kind::Block, block.0, function.blocks.len()),
            },
        }
    }

    fn function(&mut self, id: FunctionId, function: &'a Function) {
        (self.site, self.name) = (Site::Function(id), &function.name);
        self.place(function.place);
        for width in function.registers.iter().chain(&function.returns) {
            self.width(*width);
        }
        for reg in function.params.iter().chain(function.variables.iter().map(|variable| &variable.reg)) {
            self.register(function, *reg);
        }
        for (block, body) in (0..).map(BlockId).zip(&function.blocks) {
            self.block(id, function, block, body);
        }
    }

    fn register(&mut self, function: &Function, reg: Reg) {
        self.range(Kind::Register, reg.0, function.registers.len());
    }

    fn block(&mut self, id: FunctionId, function: &Function, block: BlockId, body: &Block) {
        let Block { instructions, places } = body;
        self.site = Site::Block(id, block);
        let parallel = places.len() == instructions.len();
        self.require(parallel, Fault::Places { places: places.len(), instructions: instructions.len() });
        self.require(instructions.last().is_some_and(Instruction::is_terminator), Fault::NoTerminator);
        for (index, instruction) in instructions.iter().enumerate() {
            self.site = Site::Instruction(id, block, index);
            if let Some(place) = places.get(index) {
                self.place(*place);
            }
            let last = index + 1 == instructions.len();
            self.require(last || !instruction.is_terminator(), Fault::EarlyTerminator);
            self.ids(function, instruction);
            self.instruction(function, instruction);
        }
    }

    /// The registers, blocks and constants of an instruction, whichever it is.
    fn ids(&mut self, function: &Function, instruction: &Instruction) {
        for reg in instruction.writes() {
            self.register(function, reg);
        }
        for operand in instruction.reads() {
            match operand {
                Operand::Reg(reg) => self.register(function, *reg),
                Operand::Const(Constant::Address(target, _)) => self.target(*target),
                Operand::Const(Constant::Bits(bits)) => self.width(bits.width()),
                Operand::Const(Constant::Undefined(width)) => self.width(*width),
            }
        }
        for block in instruction.targets() {
            self.range(Kind::Block, block.0, function.blocks.len());
        }
    }
}

/// One place of each cycle of `inlined_at`. Each place is walked over once: a walk stops where an earlier one has been.
fn cycles(places: &[Place]) -> Vec<PlaceId> {
    let mut walk_of = vec![usize::MAX; places.len()];
    let mut found = Vec::new();
    for start in 0..places.len() {
        let mut at = start;
        while at != 0 && at < places.len() && walk_of[at] == usize::MAX {
            walk_of[at] = start;
            at = places[at].inlined_at as usize;
        }
        if at != 0 && at < places.len() && walk_of[at] == start {
            found.push(PlaceId(at as u32));
        }
    }
    found
}
