//! Types as the source names them, from debug information.
//!
//! The C interface gives names, sizes and offsets of type nodes. What a type is made of it gives as the operands of the node alone; the encoding of
//! a number has no getter and is read from the node's text.

use super::{Module, Value, text};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::collections::BTreeMap;

/// What the source says of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Described {
    /// An integer, a truth value, a character or an enumeration.
    Number(Number),
    /// A structure, with those of its fields that are numbers.
    Structure {
        /// As the source says it: `struct point`.
        name: String,
        /// In bytes.
        bytes: u32,
        /// Name, offset in bytes, and what it is.
        fields: Vec<(String, u32, Number)>,
    },
    /// A pointer to something.
    Pointer(Box<Described>),
    /// Code.
    Function,
    /// Anything else.
    Other,
}

/// A number's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// As the source says it: `uint64_t`.
    pub name: String,
    /// In bytes.
    pub bytes: u32,
    /// Is it signed?
    pub signed: bool,
}

/// A type in debug information. Equal ones are one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeNode(LLVMMetadataRef);

/// A pointer within an object of a type.
#[derive(Clone, Debug)]
pub struct PointerField {
    /// Its name; empty where the whole object is one.
    pub name: String,
    /// In bytes.
    pub offset: u64,
    /// What it points to; nothing is known of `void`.
    pub to: Option<TypeNode>,
}

const POINTER: u16 = 0x0f;
const STRUCTURE: u16 = 0x13;
const ENUMERATION: u16 = 0x04;
/// typedef, const, volatile, restrict, _Atomic
const WRAPPERS: [u16; 5] = [0x16, 0x26, 0x35, 0x37, 0x47];

/// Typedefs and qualifiers around a type, at most.
const NESTED: usize = 32;

/// Operands of type nodes: those before belong to all types.
const BASE: usize = 5;
const ELEMENTS: usize = 6;
/// The operand of a variable's node that is its type.
const TYPE: usize = 3;

impl Module<'_> {
    /// The types of a function's parameters by their names, for as far as debug information has them.
    pub fn parameter_types(&self, function: Value) -> BTreeMap<String, Described> {
        let typed = |(variable, _, name)| {
            // Sound: it is the node of a variable.
            let described = unsafe { self.describe(self.operand(variable, TYPE), NESTED) };
            (name, described)
        };
        self.parameters(function).into_iter().map(typed).collect()
    }

    /// The types of a function's parameters by their names, as nodes.
    pub fn parameter_nodes(&self, function: Value) -> BTreeMap<String, TypeNode> {
        let typed = |(variable, _, name)| {
            // Sound: it is the node of a variable.
            let node = unsafe { self.bare(self.operand(variable, TYPE)) };
            Some((name, TypeNode(node?)))
        };
        self.parameters(function).into_iter().filter_map(typed).collect()
    }

    /// What the source says of a type.
    pub fn described(&self, ty: TypeNode) -> Described {
        // Sound: it is a type's node.
        unsafe { self.describe(ty.0, NESTED) }
    }

    /// Bytes of a structure that is known.
    pub fn structure_size(&self, ty: TypeNode) -> Option<u64> {
        // Sound: it is a type's node.
        unsafe { (LLVMGetDINodeTag(ty.0) == STRUCTURE).then(|| u64::from(bytes(ty.0))).filter(|size| *size > 0) }
    }

    /// The pointers in an object of a type, those of structures within it, too.
    pub fn pointers(&self, ty: TypeNode) -> Vec<PointerField> {
        let mut all = Vec::new();
        // Sound: it is a type's node.
        unsafe { self.pointers_in(ty.0, "", 0, NESTED, &mut all) }
        all
    }

    /// # Safety
    /// `node` is a type's node.
    unsafe fn pointers_in(
        &self,
        node: LLVMMetadataRef,
        before: &str,
        at: u64,
        depth: usize,
        all: &mut Vec<PointerField>,
    ) {
        unsafe {
            let tag = LLVMGetDINodeTag(node);
            if tag == POINTER {
                let to = self.bare(self.operand(node, BASE)).map(TypeNode);
                all.push(PointerField { name: before.into(), offset: at, to });
            }
            if tag != STRUCTURE || depth == 0 {
                return;
            }
            for member in self.members(node) {
                let Some(ty) = self.bare(self.operand(member, BASE)) else { continue };
                let dot = if before.is_empty() { "" } else { "." };
                let (path, offset) = (format!("{before}{dot}{}", name(member)), LLVMDITypeGetOffsetInBits(member) / 8);
                self.pointers_in(ty, &path, at + offset, depth - 1, all);
            }
        }
    }

    /// A type without typedefs and qualifiers; nothing is `void`.
    ///
    /// # Safety
    /// `node` is a type's node or null.
    unsafe fn bare(&self, node: LLVMMetadataRef) -> Option<LLVMMetadataRef> {
        let mut node = node;
        for _ in 0..NESTED {
            // Sound: null is looked for first.
            if node.is_null() || unsafe { !WRAPPERS.contains(&LLVMGetDINodeTag(node)) } {
                break;
            }
            node = unsafe { self.operand(node, BASE) };
        }
        (!node.is_null()).then_some(node)
    }

    /// The members of a structure that are fields.
    ///
    /// # Safety
    /// `node` is a structure's node.
    unsafe fn members(&self, node: LLVMMetadataRef) -> impl Iterator<Item = LLVMMetadataRef> {
        const MEMBER: u16 = 0x0d;
        // Sound: members are nodes of this context.
        let members = unsafe { self.operands(self.operand(node, ELEMENTS)) }.into_iter();
        members.filter(|member| !member.is_null() && unsafe { LLVMGetDINodeTag(*member) } == MEMBER)
    }

    /// # Safety
    /// `node` is a node of this context or null; so is the result.
    unsafe fn operand(&self, node: LLVMMetadataRef, index: usize) -> LLVMMetadataRef {
        unsafe { self.operands(node) }.get(index).copied().unwrap_or(std::ptr::null_mut())
    }

    /// # Safety
    /// `node` is a node of this context or null; so are the results.
    unsafe fn operands(&self, node: LLVMMetadataRef) -> Vec<LLVMMetadataRef> {
        if node.is_null() {
            return Vec::new();
        }
        unsafe {
            let value = LLVMMetadataAsValue(self.context().raw(), node);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            let back = |operand: LLVMValueRef| match operand.is_null() {
                true => std::ptr::null_mut(),
                false => LLVMValueAsMetadata(operand),
            };
            operands.into_iter().map(back).collect()
        }
    }

    /// # Safety
    /// `node` is a type's node or null.
    unsafe fn describe(&self, node: LLVMMetadataRef, depth: usize) -> Described {
        if node.is_null() || depth == 0 {
            return Described::Other;
        }
        unsafe {
            let tag = LLVMGetDINodeTag(node);
            let base = || self.describe(self.operand(node, BASE), depth - 1);
            match LLVMGetMetadataKind(node) {
                LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind => Described::Function,
                LLVMMetadataKind::LLVMDIBasicTypeMetadataKind => self.number(node),
                LLVMMetadataKind::LLVMDICompositeTypeMetadataKind if tag == ENUMERATION => {
                    let (name, bytes) = (format!("enum {}", name(node)), bytes(node));
                    Described::Number(Number { name, bytes, signed: false })
                }
                LLVMMetadataKind::LLVMDICompositeTypeMetadataKind if tag == STRUCTURE => Described::Structure {
                    name: format!("struct {}", name(node)).trim_end().to_string(),
                    bytes: bytes(node),
                    fields: self.fields(node, depth),
                },
                LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind if tag == POINTER => {
                    Described::Pointer(Box::new(base()))
                }
                LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind if WRAPPERS.contains(&tag) => {
                    renamed(base(), name(node))
                }
                _ => Described::Other,
            }
        }
    }

    /// # Safety
    /// `node` is a basic type's node.
    unsafe fn number(&self, node: LLVMMetadataRef) -> Described {
        let printed = unsafe { Value(LLVMMetadataAsValue(self.context().raw(), node)).print() };
        let encoding = printed.split("DW_ATE_").nth(1).and_then(|rest| rest.split([',', ')']).next());
        let signed = match encoding {
            Some("signed" | "signed_char") => true,
            Some("unsigned" | "unsigned_char" | "boolean" | "UTF") => false,
            Some(_) | None => return Described::Other,
        };
        Described::Number(Number { name: unsafe { name(node) }, bytes: unsafe { bytes(node) }, signed })
    }

    /// # Safety
    /// `node` is a structure's node.
    unsafe fn fields(&self, node: LLVMMetadataRef, depth: usize) -> Vec<(String, u32, Number)> {
        unsafe {
            let field = |member| match self.describe(self.operand(member, BASE), depth - 1) {
                // A field of bits is no number of whole bytes.
                Described::Number(number) if u64::from(number.bytes) * 8 == LLVMDITypeGetSizeInBits(member) => {
                    Some((name(member), (LLVMDITypeGetOffsetInBits(member) / 8) as u32, number))
                }
                _ => None,
            };
            self.members(node).filter_map(field).collect()
        }
    }
}

/// A typedef's name is what the source says.
fn renamed(described: Described, typedef: String) -> Described {
    if typedef.is_empty() {
        return described;
    }
    match described {
        Described::Number(number) => Described::Number(Number { name: typedef, ..number }),
        Described::Structure { bytes, fields, .. } => Described::Structure { name: typedef, bytes, fields },
        Described::Pointer(_) | Described::Function | Described::Other => described,
    }
}

/// # Safety
/// `node` is a type's node.
unsafe fn name(node: LLVMMetadataRef) -> String {
    let mut length = 0;
    text(unsafe { LLVMDITypeGetName(node, &mut length) }, length)
}

/// # Safety
/// `node` is a type's node.
unsafe fn bytes(node: LLVMMetadataRef) -> u32 {
    (unsafe { LLVMDITypeGetSizeInBits(node) } / 8) as u32
}
