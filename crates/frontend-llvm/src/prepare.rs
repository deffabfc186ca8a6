//! The linked module made ready: what nobody reaches is dropped, scalar locals become registers.
//!
//! Every definition but the roots becomes internal, so that `globaldce` sees the whole program. Only passes that keep all errors of
//! the source are run: `mem2reg` and no other. It removes loads of promoted variables, none of which can fail; dead loads through pointers,
//! unused divisions, branches and their lines all stay. `sroa` would split arrays and forget where they end; `instsimplify`,
//! `dce` and `simplifycfg` remove errors or branches.
//!
//! `mem2reg` takes a variable that one branch sets and another does not for set on both. Where values that nobody wrote are looked for
//! (`Passes::Watch`), such a variable gets one first.
//!
//! `llvm.is.constant` and `llvm.objectsize` are decided here by LLVM, once, so that the explored program and the native one
//! built from the same bitcode agree. Their operands, which C does not evaluate, go.

use crate::error::Error;
use crate::link::LIBRARY;
use crate::llvm::{Attributes, LLVMLinkage, Module, Value};
use crate::{Options, Passes};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names from the source for stack variables and arguments.
pub type Names = FxHashMap<Value, String>;

/// Prepares the module.
pub fn prepare(module: &Module, options: &Options) -> Result<Names, Error> {
    internalise(module, options);
    run(module, c"globaldce")?;
    let names = names(module);
    mark_source(module);
    match options.optimise {
        Passes::None => return Ok(names),
        Passes::Promote => {}
        Passes::Watch => {
            let own = module.functions().into_iter().filter(|function| !function.marked(LIBRARY));
            own.for_each(|function| module.unset_locals(function));
        }
    }
    open(module);
    let source: Vec<Value> = module.functions().into_iter().filter(|function| function.marked(SOURCE)).collect();
    source.iter().for_each(|function| module.mark_unevaluated(*function));
    run(module, c"function(mem2reg,lower-constant-intrinsics)")?;
    source.iter().for_each(|function| module.remove_unevaluated(*function));
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

/// The attribute of functions that no pass has touched.
pub const SOURCE: &str = "strata-source";

fn mark_source(module: &Module) {
    let defined = module.functions().into_iter().filter(|function| !function.declared());
    let untouched = defined.filter(|function| !function.marked(LIBRARY) && function.has_source_form());
    untouched.for_each(|function| module.mark_function(function, SOURCE));
}

/// Opens functions to `mem2reg` that clang closed at -O0, where nobody told it otherwise.
fn open(module: &Module) {
    let attributes = Attributes::new();
    module.functions().into_iter().filter(|f| !f.declared()).for_each(|function| attributes.open(function));
}
