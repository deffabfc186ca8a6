//! A `main` for a program that is to be entered elsewhere: gives the entry function arguments and calls it.
//!
//! It is built into the module that defines the function, before that module is linked: static functions are found by the name they have in
//! the source, and what was explored is in the bitcode, so that a native replay needs to know nothing of entries.
//!
//! - An integer or another scalar is a symbolic value of its type.
//! - A pointer is to a fresh symbolic heap object of a given size, or of its structure's: a function may free or reallocate what it is given, and an access
//!   behind the end is an error.
//! - A pointer in a structure (or in an array of pointers) is null, or to a fresh object of its type, or to another object of that type that
//!   was made before it, so that lists end, go on, or go in circles. An input of one byte says which; nothing is decided before the function
//!   looks, so it costs no path. There are up to `OBJECTS` objects for a parameter, the nearest ones; beyond these there are no fresh ones.
//!   Without debug information, and in unions and arrays within structures, it is as symbolic as the rest of the bytes.
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
use crate::llvm::{
    Aim, Argument, Attributes, Described, LLVMTypeKind, Module, Number, Object, Pointer, PointerField, TypeNode, Value,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

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
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
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
    let (types, nodes) = (module.parameter_types(function), module.parameter_nodes(function));
    let (mut arguments, mut shapes) = (Vec::new(), Vec::new());
    for (index, param) in params.iter().enumerate() {
        let ty = param.ty();
        let name = names.get(param).cloned().unwrap_or_else(|| format!("arg{index}"));
        let described = types.get(&name);
        shapes.extend(described.and_then(|described| shape(&name, described)));
        let copied = attributes.copied(function, index).is_some();
        let plan = Plan { module, entry, copied, nodes: Vec::new(), objects: Vec::new(), shapes: &mut shapes };
        arguments.push(if let Some(ty) = attributes.returned_in(function, index) {
            Argument::Room(ty)
        } else if let Some(ty) = attributes.copied(function, index) {
            Argument::Copy(ty, plan.of(nodes.get(&name).copied(), ty.size(module), name))
        } else if matches!(described, Some(Described::Pointer(to)) if **to == Described::Function) {
            Argument::Code(format!("{}.{name}", entry.function))
        } else if ty.kind() == LLVMTypeKind::LLVMPointerTypeKind {
            let to = nodes.get(&name).and_then(|pointer| module.pointers(*pointer).into_iter().next()?.to);
            let least = to.and_then(|to| module.structure_size(to)).unwrap_or(0);
            Argument::Buffer(plan.of(to, entry.buffer.max(least), name))
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

/// Objects for one parameter. A byte chooses between them; each one with pointers adds inputs for these.
const OBJECTS: usize = 8;

/// The objects behind one parameter.
struct Plan<'a> {
    module: &'a Module<'a>,
    entry: &'a Entry,
    /// Is the first one a copy, and not behind a pointer?
    copied: bool,
    /// The type of each object, where it is known.
    nodes: Vec<Option<TypeNode>>,
    objects: Vec<Object>,
    shapes: &'a mut Vec<Shape>,
}

impl Plan<'_> {
    /// The objects that begin with one of so many bytes, which is an array of a type.
    fn of(mut self, ty: Option<TypeNode>, size: u64, name: String) -> Vec<Object> {
        self.add(ty, size, name);
        let mut number = 0;
        while number < self.objects.len() {
            self.point(number);
            number += 1;
        }
        self.objects
    }

    fn add(&mut self, ty: Option<TypeNode>, size: u64, name: String) -> usize {
        self.nodes.push(ty);
        self.objects.push(Object { name, size, pointers: Vec::new() });
        self.objects.len() - 1
    }

    /// Gives an object its pointers. In an array the first element gets fresh objects, the others share them.
    fn point(&mut self, number: usize) {
        let Some(ty) = self.nodes[number] else { return };
        let fields = self.module.pointers(ty);
        let each = self.module.structure_size(ty).unwrap_or(size_of::<u64>() as u64);
        let count = if fields.is_empty() { 0 } else { self.objects[number].size / each };
        for element in 0..count {
            for field in &fields {
                let pointer = self.pointer(number, element, element * each, field);
                self.objects[number].pointers.push(pointer);
            }
        }
    }

    fn pointer(&mut self, number: usize, element: u64, at: u64, field: &PointerField) -> Pointer {
        // As the source says it: `*p` is the object behind `p`.
        let object = &self.objects[number].name;
        let to = object.strip_prefix('*').unwrap_or(object);
        let name = match (element, field.name.as_str()) {
            (_, "") => format!("{to}[{element}]"),
            (0, field) if self.copied && number == 0 => format!("{to}.{field}"),
            (0, field) => format!("{to}->{field}"),
            (_, field) => format!("{to}[{element}].{field}"),
        };
        let described = field.to.map(|to| self.module.described(to));
        let to = if described == Some(Described::Function) {
            vec![Aim::Code(format!("{}.{name}", self.entry.function))]
        } else {
            let size = field.to.and_then(|to| self.module.structure_size(to)).unwrap_or(self.entry.buffer);
            let before = (0..self.objects.len()).filter(|other| field.to.is_some() && self.nodes[*other] == field.to);
            let mut to: Vec<usize> = before.collect();
            if element == 0 && self.objects.len() < OBJECTS {
                let input = format!("*{name}");
                self.shapes.extend(described.and_then(|described| shape(&input, &described)));
                to.insert(0, self.add(field.to, size, input));
            }
            to.into_iter().map(Aim::Object).collect()
        };
        Pointer { name, offset: at + field.offset, to }
    }
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
