//! Constructors and destructors: the arrays that start-up code walks.
//!
//! LLVM keeps them as lists with priorities; a linker lays them out between `__init_array_start` and `__init_array_end`. Here
//! the start symbol becomes a global with the functions' addresses, and the end symbol is that global's address plus its size,
//! so that a walk from one to the other stays within one object.

use super::Unit;
use crate::llvm::Value;
use strata_ir::{Constant, Global, GlobalId, Init, Linkage, PlaceId, Relocation, Target};

/// Start symbol, end symbol, LLVM's list.
const ARRAYS: [(&str, &str, &str); 3] = [
    ("__preinit_array_start", "__preinit_array_end", ""),
    ("__init_array_start", "__init_array_end", "llvm.global_ctors"),
    ("__fini_array_start", "__fini_array_end", "llvm.global_dtors"),
];

impl Unit<'_> {
    /// Gives contents to the arrays that the program refers to.
    pub fn synthesise_arrays(&mut self) {
        let symbols = self.module.globals();
        let find = |name: &str| symbols.iter().copied().find(|g| g.name() == name);
        for (start, end, list) in ARRAYS {
            let functions = find(list).map(|list| self.structors(list)).unwrap_or_default();
            let (start, end) = (find(start).filter(|g| g.declared()), find(end).filter(|g| g.declared()));
            if start.is_none() && end.is_none() {
                if !functions.is_empty() {
                    self.notes.push(format!("nothing runs the {} functions of {list}", functions.len()));
                }
                continue;
            }
            let size = functions.len() as u64 * 8;
            let id = self.array_global(start);
            let global = &mut self.program.globals[id.index()];
            (global.size, global.align, global.constant) = (size, 8, true);
            global.init = contents(&functions);
            // Both symbols are weak where nobody lays the array out: here they have an address.
            for (symbol, offset) in [(start, 0), (end, size as i64)] {
                if let Some(symbol) = symbol {
                    self.ends.insert(symbol, (id, offset));
                }
            }
        }
    }

    fn array_global(&mut self, start: Option<Value>) -> GlobalId {
        if let Some(id) = start.and_then(|s| self.globals.get(&s)) {
            return *id;
        }
        let id = self.push_global(Global {
            name: format!("(start-up array {})", self.program.globals.len()),
            linkage: Linkage::Library,
            size: 0,
            align: 8,
            constant: true,
            init: Init::Zero,
            place: PlaceId(0),
        });
        if let Some(start) = start {
            self.globals.insert(start, id);
        }
        id
    }

    /// The functions of a list, by priority.
    fn structors(&self, list: Value) -> Vec<(Target, i64)> {
        let Some(entries) = list.initialiser() else { return Vec::new() };
        let mut all = Vec::new();
        for i in 0..entries.ty().length() {
            let Some(entry) = entries.element(i as u32) else { continue };
            let (Some(priority), Some(function)) = (entry.element(0), entry.element(1)) else { continue };
            if let Some(Constant::Address(target, addend)) = self.scalar_constant(function) {
                all.push((priority.small(), (target, addend)));
            }
        }
        all.sort_by_key(|(priority, _)| *priority);
        all.into_iter().map(|(_, function)| function).collect()
    }
}

fn contents(functions: &[(Target, i64)]) -> Init {
    if functions.is_empty() {
        return Init::Zero;
    }
    let place = |(i, (target, addend)): (usize, &(Target, i64))| Relocation {
        offset: i as u64 * 8,
        target: *target,
        addend: *addend,
    };
    Init::Bytes { bytes: vec![0; functions.len() * 8], relocations: functions.iter().enumerate().map(place).collect() }
}
