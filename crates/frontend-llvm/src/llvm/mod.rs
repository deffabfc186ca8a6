//! The border to LLVM's C interface: the only place with `unsafe`.
//!
//! Handles (`Value`, `Type`, `BlockRef`, `Meta`) are plain copies of LLVM's pointers. They are valid while the context
//! they came from lives; nothing here hands one out of the crate, and every function that makes handles works
//! on a borrowed `Module`, which owns its context. They carry no lifetime because every map of the lowering would
//! have to, for a rule that one file (`lib.rs`: context, work, drop) already keeps. Casts that LLVM would check by assertion only
//! (an integer's width asked of a struct type) are guarded by kinds at the call sites.
//!
//! LLVM reports through the context's diagnostic handler, which collects text; it never prints.

mod debug;
mod described;
mod harness;
mod locals;
mod module;
mod placing;
mod unevaluated;
mod value;

pub use debug::{Location, Meta};
pub use described::{Described, Number, PointerField, TypeNode};
pub use harness::{Aim, Argument, Object, Pointer};
pub use module::{Context, Module};
pub use value::{Attributes, BlockRef, Type, Value};

pub use llvm_sys::{LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use std::ffi::{CStr, c_char};

/// Bytes of LLVM's as text.
fn text(pointer: *const c_char, length: usize) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // Sound: LLVM gives the length of what the pointer starts, alive while the call's owner is.
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// A message that the caller owns, as text; freed.
fn message(pointer: *mut c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // Sound: a zero-terminated string made by LLVM for its caller, freed once.
    unsafe {
        let text = CStr::from_ptr(pointer).to_string_lossy().into_owned();
        llvm_sys::core::LLVMDisposeMessage(pointer);
        text
    }
}
