//! A prepared module to the program form.
//!
//! First every function and global gets its id, then contents and bodies are lowered, each body by itself (`body`). A
//! value of vector or aggregate type is a list of registers, one per scalar (`shape`).

mod alias;
mod arithmetic;
mod array;
mod body;
mod call;
mod constant;
mod float;
mod flow;
pub mod intrinsic;
mod memory;
mod place;
mod promise;
mod relative;
mod shape;
mod variadic;
mod vector;

use crate::link::LIBRARY_GLOBAL;
use crate::llvm::{Attributes, BlockRef, LLVMLinkage, Module, Type, Value};
use crate::prepare::Names;
use crate::{Options, trace};
use place::Places;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use strata_ir::{
    Block, Function, FunctionId, Global, GlobalId, Init, Instruction, Layout, Linkage, PlaceId, Program, Promise,
    Target,
};

/// The metadata of a symbol that says where it lies.
pub const ADDRESS: &str = "strata.address";

/// What came of lowering.
pub struct Lowered {
    pub program: Program,
    pub undefined_functions: Vec<String>,
    pub undefined_globals: Vec<String>,
    pub notes: Vec<String>,
    /// The files that the compiler read, with the sums of their contents.
    pub sources: Vec<(String, String)>,
}

/// The module at work.
struct Unit<'a> {
    module: &'a Module<'a>,
    names: &'a Names,
    hooks: &'a dyn Fn(&str) -> bool,
    promises: &'a [Promise],
    attributes: Attributes,
    functions: FxHashMap<Value, FunctionId>,
    globals: FxHashMap<Value, GlobalId>,
    /// Aliases that are functions of their own, because the engine knows their names.
    forwarders: FxHashMap<Value, FunctionId>,
    /// Tables of distances that became tables of addresses.
    tables: FxHashSet<Value>,
    /// Symbols that are one past the end of a synthesised array.
    ends: FxHashMap<Value, (GlobalId, i64)>,
    /// Functions by name, for intrinsics that are calls of the maths library.
    by_name: FxHashMap<String, FunctionId>,
    shapes: RefCell<FxHashMap<Type, Rc<[shape::Part]>>>,
    blocks: RefCell<FxHashMap<BlockRef, u32>>,
    program: Program,
    places: Places<'a>,
    notes: Vec<String>,
    site: u32,
    /// The parameter types of each function.
    signatures: Vec<Vec<Type>>,
}

/// Lowers a module.
pub fn lower(module: &Module, names: &Names, options: &Options) -> Lowered {
    let (roots, hooks) = (&options.roots, options.hooks);
    let mut unit = Unit {
        module,
        names,
        hooks,
        promises: &options.promises,
        attributes: Attributes::new(),
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        forwarders: FxHashMap::default(),
        tables: FxHashSet::default(),
        ends: FxHashMap::default(),
        by_name: FxHashMap::default(),
        shapes: RefCell::default(),
        blocks: RefCell::default(),
        program: Program::default(),
        places: Places::new(module),
        notes: Vec::new(),
        site: 0,
        signatures: Vec::new(),
    };
    let functions = unit.declare_functions();
    let globals = unit.declare_globals();
    unit.declare_forwarders(roots);
    unit.synthesise_arrays();
    for (value, id) in globals {
        unit.fill_global(value, id);
    }
    for (value, id) in functions {
        body::lower(&mut unit, value, id);
    }
    unit.finish()
}

/// Globals that are LLVM's own lists, not memory.
fn is_list(global: Value) -> bool {
    global.linkage() == LLVMLinkage::LLVMAppendingLinkage || global.name().starts_with("llvm.")
}

/// A symbol's name. Private ones may have none (`@0`): they get one that no C name can be.
fn named(value: Value, what: &str, number: usize) -> String {
    let name = value.name();
    if name.is_empty() { format!("unnamed.{what}.{number}") } else { name }
}

fn align_of(asked: u64, natural: u64) -> u64 {
    if asked > 0 { asked } else { natural.max(1) }
}

impl Unit<'_> {
    /// Is this symbol null because nobody defines it and it is weak?
    fn is_absent(&self, value: Value) -> bool {
        value.linkage() == LLVMLinkage::LLVMExternalWeakLinkage && value.declared() && !(self.hooks)(&value.name())
    }

    fn declare_functions(&mut self) -> Vec<(Value, FunctionId)> {
        let mut defined = Vec::new();
        for value in self.module.functions() {
            if value.intrinsic() != 0 || self.is_absent(value) {
                continue;
            }
            let function = self.declare(value);
            let id = self.push_function(value, function);
            if !value.declared() {
                defined.push((value, id));
            }
        }
        for value in self.module.ifuncs() {
            let name = value.name();
            let reason = format!("{name} is an ifunc: which function it is, is decided when a program is loaded");
            let block = Block { instructions: vec![Instruction::Unsupported { reason }], places: vec![PlaceId(0)] };
            let function = Function { blocks: vec![block], ..blank(name) };
            self.push_function(value, function);
        }
        defined
    }

    fn push_function(&mut self, value: Value, function: Function) -> FunctionId {
        let id = FunctionId(self.program.functions.len() as u32);
        self.functions.insert(value, id);
        self.by_name.insert(function.name.clone(), id);
        self.program.functions.push(function);
        self.signatures.push(value.value_type().parameters());
        id
    }

    /// A function without parameters that gives an address, which the engine provides and no
    /// source names.
    fn provided(&mut self, name: &str) -> FunctionId {
        if let Some(id) = self.by_name.get(name) {
            return *id;
        }
        let id = FunctionId(self.program.functions.len() as u32);
        self.by_name.insert(name.to_string(), id);
        let linkage = Linkage::Library;
        self.program.functions.push(Function { returns: vec![64], linkage, ..blank(name.to_string()) });
        self.signatures.push(Vec::new());
        id
    }

    fn parameters(&self, id: FunctionId) -> Vec<Type> {
        self.signatures[id.index()].clone()
    }

    /// A function's outside: its parameters take the first registers.
    fn declare(&mut self, value: Value) -> Function {
        let ty = value.value_type();
        let mut function = blank(named(value, "function", self.program.functions.len()));
        for parameter in ty.parameters() {
            for part in self.shape(parameter).iter() {
                function.params.push(strata_ir::Reg(function.registers.len() as u32));
                function.registers.push(part.width);
            }
        }
        function.variadic = ty.variadic();
        function.returns = self.widths(ty.result());
        function.linkage = if trace::own(value) { Linkage::Own } else { Linkage::Library };
        if let Some(location) = value.function_location() {
            function.place = self.places.add(&location);
        }
        function
    }

    fn declare_globals(&mut self) -> Vec<(Value, GlobalId)> {
        let library = self.module.context().metadata_kind(LIBRARY_GLOBAL);
        let dbg = self.module.context().metadata_kind("dbg");
        let mut all = Vec::new();
        for value in self.module.globals() {
            if is_list(value) || self.is_absent(value) {
                continue;
            }
            let ty = value.value_type();
            let sized = ty.is_sized();
            let place = value.global_location(dbg).map_or(PlaceId(0), |l| self.places.add(&l));
            let id = self.push_global(Global {
                name: named(value, "global", self.program.globals.len()),
                linkage: if value.attached(library).is_some() { Linkage::Library } else { Linkage::Own },
                size: if sized { ty.size(self.module) } else { 0 },
                align: align_of(value.alignment(), if sized { ty.align(self.module) } else { 1 }),
                constant: value.constant(),
                init: Init::Undefined,
                place,
            });
            self.globals.insert(value, id);
            all.push((value, id));
        }
        all
    }

    fn push_global(&mut self, global: Global) -> GlobalId {
        let id = GlobalId(self.program.globals.len() as u32);
        self.program.globals.push(global);
        id
    }

    fn fill_global(&mut self, value: Value, id: GlobalId) {
        let Some(contents) = value.initialiser() else { return };
        let size = self.program.globals[id.index()].size;
        match self.contents(contents, size) {
            Ok(init) => self.program.globals[id.index()].init = init,
            Err(_) if self.absolute_table(value, contents, id) => {}
            Err(part) => self.notes.push(format!(
                "global {} starts with {part}, which is no number and no address plus a number: paths that touch it end",
                value.name()
            )),
        }
    }

    /// The number of a block in its function.
    fn block_index(&self, function: Value, block: BlockRef) -> u32 {
        let mut known = self.blocks.borrow_mut();
        if let Some(index) = known.get(&block) {
            return *index;
        }
        for (at, block) in function.blocks().into_iter().enumerate() {
            known.insert(block, at as u32);
        }
        known.get(&block).copied().unwrap_or(0)
    }

    fn block_target(&self, function: Value, block: BlockRef) -> Option<Target> {
        let id = *self.functions.get(&function)?;
        Some(Target::Block(id, strata_ir::BlockId(self.block_index(function, block))))
    }

    /// Writes into the module where everything lies, for the native program.
    fn note_addresses(&self) {
        let Some(layout) = Layout::of(&self.program) else { return };
        let kind = self.module.context().metadata_kind(ADDRESS);
        for value in self.module.functions() {
            if let Some(id) = self.functions.get(&value) {
                self.module.note_number(value, kind, layout.functions[id.index()]);
            }
        }
        for value in self.module.globals() {
            if let Some(id) = self.globals.get(&value) {
                self.module.note_number(value, kind, layout.globals[id.index()]);
            }
        }
    }

    fn finish(mut self) -> Lowered {
        self.note_addresses();
        let functions = self.program.functions.iter().filter(|f| f.blocks.is_empty());
        let mut undefined_functions: Vec<String> =
            functions.map(|f| f.name.clone()).filter(|n| !(self.hooks)(n)).collect();
        let globals: Vec<Value> = self.module.globals();
        let globals =
            globals.into_iter().filter(|g| g.declared() && self.globals.contains_key(g) && !self.ends.contains_key(g));
        let mut undefined_globals: Vec<String> = globals
            .filter(|g| matches!(self.program.globals[self.globals[g].index()].init, Init::Undefined))
            .map(Value::name)
            .collect();
        undefined_functions.sort();
        undefined_globals.sort();
        let (files, checksums, places) = self.places.finish();
        let sources = files.iter().zip(checksums).filter_map(|(file, sum)| Some((file.clone(), sum?))).collect();
        (self.program.files, self.program.places) = (files, places);
        Lowered { program: self.program, undefined_functions, undefined_globals, notes: self.notes, sources }
    }
}

fn blank(name: String) -> Function {
    Function {
        name,
        linkage: Linkage::Own,
        params: Vec::new(),
        variadic: false,
        returns: Vec::new(),
        registers: Vec::new(),
        blocks: Vec::new(),
        place: PlaceId(0),
        variables: Vec::new(),
    }
}
