//! A program laid out in memory, ready to run: addresses given, globals filled, functions translated when first called.

use crate::code::{CallSite, Code, Entry};
use crate::hooks::{Hook, comes_back, may_decline};
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use strata_ir::{Function, FunctionId, Init, Instruction, Layout, Linkage, PlaceId, Program, Target, Verified};
use strata_memory::{Kind, Origin, Space, Value};

/// Where things are.
pub struct Addresses {
    globals: Vec<(u64, Origin)>,
    functions: Vec<(u64, Origin)>,
}

impl Addresses {
    /// The address of a target and the object it lies in.
    pub fn of(&self, target: &Target) -> (u64, Origin) {
        match target {
            Target::Global(id) => self.globals[id.index()],
            Target::Function(id) => self.functions[id.index()],
            Target::Block(function, block) => {
                let (address, origin) = self.functions[function.index()];
                (address + 1 + u64::from(block.0), origin)
            }
        }
    }
}

/// The number of the next image. Zero is none's.
static NUMBERS: AtomicU64 = AtomicU64::new(1);

/// A program ready to run.
pub struct Image {
    /// Tells this image from all others of the process.
    pub(crate) number: u64,
    pub(crate) program: Verified,
    addresses: Addresses,
    /// Memory before the first instruction.
    pub space: Space,
    code: Vec<OnceLock<Code>>,
    first_block: Vec<u32>,
    by_address: HashMap<u64, FunctionId>,
    by_name: HashMap<String, FunctionId>,
    hooks: Vec<Option<Hook>>,
    /// Names of local variables, numbered.
    names: HashMap<String, u32>,
    name_list: Vec<String>,
    /// One byte a block: was it run?
    covered: Vec<AtomicU8>,
    /// Is signed overflow looked for?
    pub(crate) overflow: bool,
    /// Are states merged? Then code has places where they stop for each other.
    pub(crate) merging: bool,
    /// Bits of one byte a site: which sides were taken (1: otherwise or default, 2: then, 4: any other case).
    sides: Vec<AtomicU8>,
}

impl Image {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Lays out a program, which is verified: handlers of instructions (`plain`) rely on its ids and widths. `hook` tells which functions the engine provides.
    pub fn new(program: Verified, hook: &dyn Fn(&str) -> Option<Hook>, overflow: bool) -> Result<Image, String> {
        strata_term::rules::prepare();
        let mut space = Space::default();
        let addresses = lay_out(&program, &mut space)?;
        fill(&program, &addresses, &mut space);
        let mut blocks = 0;
        let mut first_block = Vec::with_capacity(program.functions.len());
        for function in &program.functions {
            first_block.push(blocks);
            blocks += function.blocks.len() as u32;
        }
        let instructions = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
        let sites = instructions.map(Instruction::site).max().unwrap_or(0);
        let by_address = addresses.functions.iter().enumerate().map(|(i, (a, _))| (*a, FunctionId(i as u32))).collect();
        let by_name =
            program.functions.iter().enumerate().map(|(i, f)| (f.name.clone(), FunctionId(i as u32))).collect();
        // The user's own function of such a name is explored as it is.
        let replaced = |f: &Function| f.linkage == Linkage::Own && !f.blocks.is_empty() && may_decline(&f.name);
        let hooks = program.functions.iter().map(|f| hook(&f.name).filter(|_| !replaced(f))).collect();
        let (names, name_list) = local_names(&program);
        Ok(Image {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            names,
            name_list,
            addresses,
            space,
            code: program.functions.iter().map(|_| OnceLock::new()).collect(),
            first_block,
            by_address,
            by_name,
            hooks,
            covered: (0..blocks).map(|_| AtomicU8::new(0)).collect(),
            sides: (0..=sites).map(|_| AtomicU8::new(0)).collect(),
            overflow,
            merging: false,
            program,
        })
    }

    /// Prepares code for merging states. Before any of it has run.
    pub fn merge_states(&mut self) {
        self.merging = true;
        self.code = self.program.functions.iter().map(|_| OnceLock::new()).collect();
    }

    pub(crate) fn code(&self, function: u32) -> &Code {
        let i = function as usize;
        self.code[i].get_or_init(|| Code::new(self, function))
    }

    /// The number of a function's entry among all blocks of the program.
    pub(crate) fn first_block(&self, function: u32) -> u32 {
        self.first_block[function as usize]
    }

    /// Does the function call one that may return more than once?
    pub(crate) fn may_come_back(&self, function: &Function) -> bool {
        function.blocks.iter().flat_map(|block| &block.instructions).any(|instruction| match instruction {
            Instruction::Call { function, .. } => comes_back(&self.program.functions[function.index()].name),
            _ => false,
        })
    }

    pub(crate) fn hook(&self, function: u32) -> Option<Hook> {
        self.hooks[function as usize]
    }

    /// Has the function code that is run wherever it is called?
    pub(crate) fn has_body(&self, function: u32) -> bool {
        self.hook(function).is_none() && !self.program.functions[function as usize].blocks.is_empty()
    }

    /// A function by name.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.by_name.get(name).copied()
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<FunctionId> {
        self.by_address.get(&address).copied()
    }

    /// The function that a plain pointer points to. Functions are the first objects, one after the other, so most need no search.
    pub(crate) fn pointed(&self, pointer: &Value) -> Option<FunctionId> {
        let first = self.addresses.functions.first()?.1.0;
        let number = pointer.origin.0.wrapping_sub(first);
        if self.addresses.functions.get(number as usize) == Some(&(pointer.concrete()?, pointer.origin)) {
            return Some(FunctionId(number));
        }
        self.function_at(pointer.concrete()?)
    }

    /// The addresses of all functions, in order.
    pub(crate) fn entries(&self) -> Vec<u64> {
        let mut entries: Vec<u64> = self.by_address.keys().copied().collect();
        entries.sort_unstable();
        entries
    }

    /// Where a target is.
    pub fn address(&self, target: &Target) -> (u64, Origin) {
        self.addresses.of(target)
    }

    /// The place of an instruction of a function.
    pub fn place(&self, function: u32, pc: u32) -> PlaceId {
        self.code(function).place(&self.program.functions[function as usize], pc)
    }

    /// The function that a plain pointer points to, when it has code and takes just these arguments.
    pub(crate) fn fits(&self, target: &Value, site: &CallSite) -> Option<u32> {
        let number = self.pointed(target)?.0;
        let function = &self.program.functions[number as usize];
        let widths = function.params.iter().map(|param| function.registers[param.index()]);
        let same =
            function.params.len() == site.arguments.len() && widths.eq(site.arguments.iter().map(|(_, width)| *width));
        (same && !function.variadic && self.has_body(number)).then_some(number)
    }

    /// Notes that a block runs. True the first time.
    #[inline(always)]
    pub(crate) fn arrive(&self, entry: &Entry) -> bool {
        if entry.covered.load(Ordering::Relaxed) != 0 {
            return false;
        }
        entry.covered.store(1, Ordering::Relaxed);
        self.cover(entry.number)
    }

    /// The same by the block's number.
    #[inline(always)]
    pub(crate) fn cover(&self, block: u32) -> bool {
        let cell = &self.covered[block as usize];
        if cell.load(Ordering::Relaxed) != 0 {
            return false;
        }
        cell.store(1, Ordering::Relaxed);
        true
    }

    /// By site: which sides were taken.
    pub(crate) fn side_cells(&self) -> &[AtomicU8] {
        &self.sides
    }

    pub(crate) fn take_side(&self, site: u32, side: u32) {
        let cell = &self.sides[site as usize];
        let bit = 1 << side.min(2);
        let old = cell.load(Ordering::Relaxed);
        if old & bit == 0 {
            cell.store(old | bit, Ordering::Relaxed);
        }
    }

    /// Was this block of this function run?
    pub fn is_covered(&self, function: FunctionId, block: usize) -> bool {
        self.covered[self.first_block[function.index()] as usize + block].load(Ordering::Relaxed) != 0
    }

    /// Which sides of a branch site were taken: bit 0 the second side, bit 1 the first, bit 2 further cases.
    pub fn sides(&self, site: u32) -> u8 {
        self.sides[site as usize].load(Ordering::Relaxed)
    }

    /// A number for the name of the local variable that the instruction at this position makes.
    pub(crate) fn local(&self, function: u32, pc: u32) -> u32 {
        // Locals are few and named by position: the place of their making tells them apart.
        let (block, index) = self.code(function).source[pc as usize];
        let found = &self.program.functions[function as usize].blocks[block as usize].instructions[index as usize];
        let Instruction::Allocate { name, .. } = found else { return 0 };
        self.local_number(name)
    }

    /// The number of a local variable's name.
    pub(crate) fn local_number(&self, name: &str) -> u32 {
        self.names.get(name).copied().unwrap_or(0)
    }

    /// The name behind such a number.
    pub(crate) fn local_name(&self, number: u32) -> &str {
        self.name_list.get(number as usize).map_or("", |name| name)
    }

    /// Is the function the user's own?
    pub fn is_own(&self, function: u32) -> bool {
        self.program.functions[function as usize].linkage == Linkage::Own
    }
}

fn lay_out(program: &Program, space: &mut Space) -> Result<Addresses, String> {
    const FULL: &str = "the program's globals do not fit into memory";
    let layout = Layout::of(program).ok_or(FULL)?;
    let functions = program.functions.iter().zip(&layout.functions);
    let functions = functions.map(|(f, address)| {
        let number = space.lay(*address, 1 + f.blocks.len() as u64, Kind::Code, f.place.0, 0);
        number.map(|number| (*address, number))
    });
    let functions = functions.collect::<Option<_>>().ok_or(FULL)?;
    // Objects are numbered by address.
    let mut order: Vec<usize> = (0..layout.globals.len()).collect();
    order.sort_by_key(|i| layout.globals[*i]);
    let mut globals = vec![(0, Origin::NONE); order.len()];
    for i in order {
        let (global, address) = (&program.globals[i], layout.globals[i]);
        let kind = if matches!(global.init, Init::Undefined) { Kind::Undefined } else { Kind::Global };
        let number = space.lay(address, global.size, kind, global.place.0, i as u32).ok_or(FULL)?;
        globals[i] = (address, number);
    }
    Ok(Addresses { globals, functions })
}

fn fill(program: &Program, addresses: &Addresses, space: &mut Space) {
    for (global, (_, number)) in program.globals.iter().zip(&addresses.globals) {
        let object = space.object_mut(*number).expect("it was laid out");
        if let Init::Bytes { bytes, relocations } = &global.init {
            object.contents.write_plain(0, bytes);
            for relocation in relocations {
                let (address, origin) = addresses.of(&relocation.target);
                let value = Value::pointer(address.wrapping_add_signed(relocation.addend), origin);
                object.contents.write(relocation.offset, 8, &value);
            }
        }
        object.writable = !global.constant;
    }
}

fn local_names(program: &Program) -> (HashMap<String, u32>, Vec<String>) {
    let (mut numbers, mut list) = (HashMap::new(), vec![String::new()]);
    for instruction in program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions) {
        if let Instruction::Allocate { name, .. } = instruction
            && !name.is_empty()
            && !numbers.contains_key(name)
        {
            numbers.insert(name.clone(), list.len() as u32);
            list.push(name.clone());
        }
    }
    (numbers, list)
}
