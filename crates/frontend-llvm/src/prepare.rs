//! The linked module made ready: what nobody reaches is dropped, scalar locals become registers.
//!
//! Every definition but the roots becomes internal, so that `globaldce` sees the whole program. Only passes that keep all errors of
//! the source are run: `mem2reg` and no other. It removes loads of promoted variables, none of which can fail; dead loads through pointers,
//! unused divisions, branches and their lines all stay. `sroa` would split arrays and forget where they end; `instsimplify`,
//! `dce` and `simplifycfg` remove errors or branches.
//!
//! `llvm.is.constant` and `llvm.objectsize` are decided here by LLVM, once, so that the explored program and the native one
//! built from the same bitcode agree.

use crate::error::Error;
use crate::llvm::{Attributes, LLVMLinkage, Module, Value};
use crate::{Options, Passes};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names from the source for stack variables and arguments.
pub type Names = FxHashMap<Value, String>;

/// Prepares the module.
pub fn prepare(module: &Module, options: &Options, notes: &mut Vec<String>) -> Result<Names, Error> {
    internalise(module, options);
    run(module, c"globaldce")?;
    let names = names(module);
    if options.optimise == Passes::Promote {
        note_closed(module, notes);
        run(module, c"function(mem2reg,lower-constant-intrinsics)")?;
    }
    Ok(names)
}

fn run(module: &Module, passes: &std::ffi::CStr) -> Result<(), Error> {
    module.run(passes).map_err(|message| Error::Passes { message })
}

fn internalise(module: &Module, options: &Options) {
    let roots: FxHashSet<&str> = options.roots.iter().map(String::as_str).collect();
    let stays = |value: Value| {
        let name = value.name();
        value.declared()
            || name.starts_with("llvm.")
            || roots.contains(name.as_str())
            || (options.hooks)(&name)
            || value.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage
            || value.linkage() == LLVMLinkage::LLVMAppendingLinkage
    };
    for value in module.functions().into_iter().chain(module.globals()).filter(|v| !stays(*v)) {
        value.internalise();
    }
    for value in module.aliases().into_iter().chain(module.ifuncs()).filter(|v| !stays(*v)) {
        value.internalise_alias();
    }
}

/// Collects variables' names before promotion forgets them: an argument has the name of the variable it is stored to first.
fn names(module: &Module) -> Names {
    let mut names = Names::default();
    for function in module.functions() {
        let blocks = function.blocks();
        for block in &blocks {
            for declared in module.declared(*block) {
                names.entry(declared.value).or_insert(declared.name);
            }
        }
        name_params(function, &mut names);
    }
    names
}

/// Names a function's parameters after the variables that they are stored to first.
fn name_params(function: Value, names: &mut Names) {
    let params: FxHashSet<Value> = function.params().into_iter().collect();
    let Some(entry) = function.blocks().into_iter().next().filter(|_| !params.is_empty()) else { return };
    for (param, variable) in entry.stores() {
        if params.contains(&param)
            && !names.contains_key(&param)
            && let Some(name) = names.get(&variable).cloned()
        {
            names.insert(param, name);
        }
    }
}

/// The names of one function's parameters.
pub fn parameter_names(module: &Module, function: Value) -> Names {
    let mut names = Names::default();
    for declared in function.blocks().into_iter().flat_map(|block| module.declared(block)) {
        names.entry(declared.value).or_insert(declared.name);
    }
    name_params(function, &mut names);
    names
}

fn note_closed(module: &Module, notes: &mut Vec<String>) {
    let attributes = Attributes::new();
    let closed = module.functions().into_iter().filter(|f| !f.declared() && attributes.optnone(*f)).count();
    if closed > 0 {
        notes.push(format!(
            "{closed} functions are marked optnone and run slower than they could; compile with -Xclang -disable-O0-optnone"
        ));
    }
}
