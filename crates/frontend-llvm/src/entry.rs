//! A `main` for a program that is to be entered elsewhere: gives the entry function arguments and calls it.
//!
//! It is built into the module that defines the function, before that module is linked: static functions are found by the name they have in
//! the source, and what was explored is in the bitcode, so that a native replay needs to know nothing of entries.
//!
//! - An integer or another scalar is a symbolic value of its type.
//! - A pointer is to a fresh symbolic heap object of a given size: a function may free or reallocate what it is given, and an access
//!   behind the end is an error. What a pointer within that object points to is as symbolic as the rest of its bytes.
//! - A pointer to a function is to one that nobody defines, called after the entry function and the parameter: a path that calls it ends there,
//!   since nothing is known of what it does.
//! - A structure that is passed as a copy is a symbolic structure; one that is returned in memory gets its room.
//! - The function's result, where it is an integer, is the exit status, so that a replay compares it.
//!
//! A parameter's object is named as in the source, where the debug information says how, otherwise `arg0`, `arg1`, ….
//!
//! Rejected: entering the function directly (constructors and libc's start-up would not have run, and replay would need the same trick), and a
//! harness in C (it would need the function's type as text).

use crate::error::Error;
use crate::link::LIBRARY;
use crate::llvm::{Argument, Attributes, Described, LLVMTypeKind, Module, Number, Value};
use rustc_hash::FxHashMap;

/// Where a program is entered instead of `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The function's name.
    pub function: String,
    /// Make its parameters symbolic? Otherwise it must have none.
    pub symbolic: bool,
    /// Bytes of the object behind each pointer.
    pub buffer: u64,
}

/// What an input is, as the source says it: numbers, or structures of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The input's name.
    pub input: String,
    /// The type of an element: `uint64_t`, `struct point`.
    pub name: String,
    /// Bytes of an element.
    pub bytes: u32,
    /// Is an element a signed number?
    pub signed: bool,
    /// Those parts of a structure that are numbers: name, offset, bytes, signed.
    pub fields: Vec<(String, u32, u32, bool)>,
}

/// What the program's own `main` is called then.
const OWN_MAIN: &str = "__user_main";

/// The function to enter, if this module defines it; the program's own `main` gives its name away.
pub fn find(module: &Module, entry: &Entry) -> Option<Value> {
    let defined = |value: &Value| value.name() == entry.function && !value.declared();
    let function = module.functions().into_iter().find(defined);
    if let Some(main) = module.functions().into_iter().find(|f| f.name() == "main" && !f.local()) {
        main.rename(OWN_MAIN);
    }
    function
}

/// Builds `main`; says what its inputs are.
pub fn build(module: &Module, function: Value, entry: &Entry) -> Result<Vec<Shape>, Error> {
    let params = function.params();
    let refuse = |reason: String| Error::Entry { function: entry.function.clone(), reason };
    if !entry.symbolic && !params.is_empty() {
        let (count, s) = (params.len(), if params.len() == 1 { "" } else { "s" });
        return Err(refuse(format!("takes {count} argument{s}; make them symbolic with --symbolic")));
    }
    let attributes = Attributes::new();
    let names = names(module, function, &params, attributes);
    let types = module.parameter_types(function);
    let (mut arguments, mut shapes) = (Vec::new(), Vec::new());
    for (index, param) in params.iter().enumerate() {
        let ty = param.ty();
        let name = names.get(param).cloned().unwrap_or_else(|| format!("arg{index}"));
        let described = types.get(&name);
        shapes.extend(described.and_then(|described| shape(&name, described)));
        arguments.push(if let Some(ty) = attributes.returned_in(function, index) {
            Argument::Room(ty)
        } else if let Some(ty) = attributes.copied(function, index) {
            Argument::Copy(ty, name)
        } else if matches!(described, Some(Described::Pointer(to)) if **to == Described::Function) {
            Argument::Code(format!("{}.{name}", entry.function))
        } else if ty.kind() == LLVMTypeKind::LLVMPointerTypeKind {
            Argument::Buffer(entry.buffer, name)
        } else if ty.is_sized() {
            Argument::Scalar(ty, name)
        } else {
            return Err(refuse(format!("its parameter {name} has the type {}, which has no size", ty.print())));
        });
    }
    let main = module.harness(function, &arguments);
    module.mark_function(main, LIBRARY);
    Ok(shapes)
}

/// How to show an input of a type: behind a pointer there are elements.
fn shape(input: &str, described: &Described) -> Option<Shape> {
    let (name, bytes, signed, fields) = match described {
        Described::Number(Number { name, bytes, signed }) => (name, *bytes, *signed, &[][..]),
        Described::Structure { name, bytes, fields } => (name, *bytes, false, &fields[..]),
        Described::Pointer(to) if !matches!(**to, Described::Pointer(_)) => return shape(input, to),
        Described::Pointer(_) | Described::Function | Described::Other => return None,
    };
    let fields = fields.iter().map(|(name, offset, number)| (name.clone(), *offset, number.bytes, number.signed));
    Some(Shape { input: input.into(), name: name.clone(), bytes, signed, fields: fields.collect() })
}

/// Names of parameters. One that is several parameters to LLVM (a structure in two registers) is found only by where it is stored, so
/// numbers count only where there are as many of them as parameters.
fn names(module: &Module, function: Value, params: &[Value], attributes: Attributes) -> FxHashMap<Value, String> {
    let numbered = module.parameter_names(function);
    let given = (0..params.len()).filter(|i| attributes.returned_in(function, *i).is_none()).collect::<Vec<_>>();
    if numbered.len() == given.len() {
        return given.iter().map(|i| params[*i]).zip(numbered.into_values()).collect();
    }
    crate::prepare::parameter_names(module, function)
}
