//! Builds a function that makes up arguments for another and calls it.

use super::{Attributes, Module, Type, Value};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAttributeReturnIndex, LLVMIntPredicate, LLVMTypeKind};
use std::ffi::{CStr, CString};

/// An argument to make up.
pub enum Argument {
    /// A symbolic value of a type, and its name.
    Scalar(Type, String),
    /// A pointer to the first of these objects, all on the heap.
    Buffer(Vec<Object>),
    /// A symbolic object of a type of which the callee gets a copy: the first of these objects; the others are on the heap.
    Copy(Type, Vec<Object>),
    /// Room for a result of a type.
    Room(Type),
    /// A pointer to a function of this name that nobody defines.
    Code(String),
}

/// Symbolic bytes in which some are pointers.
pub struct Object {
    /// The input's name.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// Its pointers.
    pub pointers: Vec<Pointer>,
}

/// A pointer in an object: null or one of several, which an input of one byte chooses.
pub struct Pointer {
    /// The input's name.
    pub name: String,
    /// Where it lies, in bytes.
    pub offset: u64,
    /// What it may point to.
    pub to: Vec<Aim>,
}

/// Something to point to.
pub enum Aim {
    /// The object of this number.
    Object(usize),
    /// A function of this name that nobody defines.
    Code(String),
}

const NAMELESS: &CStr = c"";

/// A function under construction.
struct Harness<'m, 'c> {
    module: &'m Module<'c>,
    builder: LLVMBuilderRef,
    pointer: LLVMTypeRef,
    long: LLVMTypeRef,
}

impl Module<'_> {
    /// Adds `int main(int, char **)`, which calls the function with these arguments and returns its result where that is an
    /// integer, otherwise 0.
    pub fn harness(&self, function: Value, arguments: &[Argument]) -> Value {
        // Sound: every value is built with the type that its user has; the builder is given back at the end.
        unsafe {
            let context = self.context().raw();
            let int = LLVMInt32TypeInContext(context);
            let pointer = LLVMPointerTypeInContext(context, 0);
            let mut parameters = [int, pointer];
            let ty = LLVMFunctionType(int, parameters.as_mut_ptr(), 2, 0);
            let main = LLVMAddFunction(self.raw(), c"main".as_ptr(), ty);
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, main, NAMELESS.as_ptr()));
            let harness = Harness { module: self, builder, pointer, long: LLVMInt64TypeInContext(context) };
            let mut values: Vec<LLVMValueRef> = arguments.iter().map(|argument| harness.argument(argument)).collect();
            let called = LLVMGlobalGetValueType(function.0);
            let count = values.len() as u32;
            let call = LLVMBuildCall2(builder, called, function.0, values.as_mut_ptr(), count, NAMELESS.as_ptr());
            LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function.0));
            copy_attributes(function.0, call, count);
            LLVMBuildRet(builder, harness.status(call, int));
            LLVMDisposeBuilder(builder);
            Value(main)
        }
    }
}

impl Harness<'_, '_> {
    /// # Safety
    /// The builder stands at the end of a block.
    unsafe fn argument(&self, argument: &Argument) -> LLVMValueRef {
        unsafe {
            match argument {
                Argument::Scalar(ty, name) => {
                    let whole = self.whole_bytes(*ty);
                    let place = self.room(whole);
                    self.make_symbolic(place, whole.size(self.module), name);
                    let value = LLVMBuildLoad2(self.builder, whole.0, place, NAMELESS.as_ptr());
                    if whole == *ty { value } else { LLVMBuildTrunc(self.builder, value, ty.0, NAMELESS.as_ptr()) }
                }
                Argument::Buffer(objects) => self.objects(objects, None),
                Argument::Copy(ty, objects) => self.objects(objects, Some(self.room(*ty))),
                Argument::Room(ty) => self.room(*ty),
                Argument::Code(name) => self.code(name),
            }
        }
    }

    /// A function that nobody defines.
    ///
    /// # Safety
    /// The name is no other function's.
    unsafe fn code(&self, name: &str) -> LLVMValueRef {
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        unsafe {
            let void = LLVMVoidTypeInContext(self.module.context().raw());
            let ty = LLVMFunctionType(void, std::ptr::null_mut(), 0, 0);
            LLVMAddFunction(self.module.raw(), name.as_ptr(), ty)
        }
    }

    /// Makes symbolic objects, and their pointers; gives the first, which may have a place already.
    ///
    /// # Safety
    /// The builder stands at the end of a block.
    unsafe fn objects(&self, objects: &[Object], first: Option<LLVMValueRef>) -> LLVMValueRef {
        unsafe {
            let mut places: Vec<LLVMValueRef> = first.into_iter().collect();
            for (number, object) in objects.iter().enumerate() {
                if number == places.len() {
                    let mut arguments = [LLVMConstInt(self.long, object.size, 0)];
                    places.push(self.call(c"malloc", self.pointer, &mut [self.long], &mut arguments));
                }
                self.make_symbolic(places[number], object.size, &object.name);
            }
            for (object, place) in objects.iter().zip(&places) {
                for pointer in &object.pointers {
                    self.point(*place, pointer, &places);
                }
            }
            places[0]
        }
    }

    /// Lets a pointer in an object point to what an input says. It is read from a table, so that nothing is decided before it is used.
    /// Rejected: `select`, which decides.
    ///
    /// # Safety
    /// The builder stands at the end of a block; the object has the pointer, and there are all that it may point to.
    unsafe fn point(&self, object: LLVMValueRef, pointer: &Pointer, places: &[LLVMValueRef]) {
        unsafe {
            let byte = self.module.int(8);
            let room = self.room(byte);
            self.make_symbolic(room, 1, &pointer.name);
            let choice = LLVMBuildLoad2(self.builder, byte.0, room, NAMELESS.as_ptr());
            let last = LLVMConstInt(byte.0, pointer.to.len() as u64, 0);
            let within = LLVMBuildICmp(self.builder, LLVMIntPredicate::LLVMIntULE, choice, last, NAMELESS.as_ptr());
            let mut within = [LLVMBuildZExt(self.builder, within, self.long, NAMELESS.as_ptr())];
            let void = LLVMVoidTypeInContext(self.module.context().raw());
            self.call(c"klee_assume", void, &mut [self.long], &mut within);
            let table = LLVMBuildAlloca(
                self.builder,
                LLVMArrayType2(self.pointer, pointer.to.len() as u64 + 1),
                NAMELESS.as_ptr(),
            );
            let slot = |index: LLVMValueRef| {
                let mut index = [index];
                LLVMBuildGEP2(self.builder, self.pointer, table, index.as_mut_ptr(), 1, NAMELESS.as_ptr())
            };
            LLVMBuildStore(self.builder, LLVMConstNull(self.pointer), slot(LLVMConstInt(self.long, 0, 0)));
            for (number, aim) in (1..).zip(&pointer.to) {
                let aim = match aim {
                    Aim::Object(number) => places[*number],
                    Aim::Code(name) => self.code(name),
                };
                LLVMBuildStore(self.builder, aim, slot(LLVMConstInt(self.long, number, 0)));
            }
            let index = LLVMBuildZExt(self.builder, choice, self.long, NAMELESS.as_ptr());
            let value = LLVMBuildLoad2(self.builder, self.pointer, slot(index), NAMELESS.as_ptr());
            let mut offset = [LLVMConstInt(self.long, pointer.offset, 0)];
            let place = LLVMBuildGEP2(self.builder, byte.0, object, offset.as_mut_ptr(), 1, NAMELESS.as_ptr());
            LLVMSetAlignment(LLVMBuildStore(self.builder, value, place), 1);
        }
    }

    /// An integer type without bits to spare: what lies in memory is whole bytes.
    fn whole_bytes(&self, ty: Type) -> Type {
        match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => self.module.int(ty.size(self.module) as u32 * 8),
            _ => ty,
        }
    }

    /// # Safety
    /// The builder stands at the end of a block.
    unsafe fn room(&self, ty: Type) -> LLVMValueRef {
        unsafe { LLVMBuildAlloca(self.builder, ty.0, NAMELESS.as_ptr()) }
    }

    /// # Safety
    /// The builder stands at the end of a block; `place` is a pointer.
    unsafe fn make_symbolic(&self, place: LLVMValueRef, size: u64, name: &str) {
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        unsafe {
            let name = LLVMBuildGlobalString(self.builder, name.as_ptr(), c"name".as_ptr());
            let void = LLVMVoidTypeInContext(self.module.context().raw());
            let mut arguments = [place, LLVMConstInt(self.long, size, 0), name];
            self.call(c"klee_make_symbolic", void, &mut [self.pointer, self.long, self.pointer], &mut arguments);
        }
    }

    /// # Safety
    /// The builder stands at the end of a block; the arguments have the types.
    unsafe fn call(
        &self,
        name: &CStr,
        result: LLVMTypeRef,
        types: &mut [LLVMTypeRef],
        arguments: &mut [LLVMValueRef],
    ) -> LLVMValueRef {
        unsafe {
            let count = types.len() as u32;
            let ty = LLVMFunctionType(result, types.as_mut_ptr(), count, 0);
            let mut function = LLVMGetNamedFunction(self.module.raw(), name.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module.raw(), name.as_ptr(), ty);
            }
            LLVMBuildCall2(self.builder, ty, function, arguments.as_mut_ptr(), count, NAMELESS.as_ptr())
        }
    }

    /// # Safety
    /// The builder stands behind the call.
    unsafe fn status(&self, call: LLVMValueRef, int: LLVMTypeRef) -> LLVMValueRef {
        unsafe {
            match Value(call).ty().kind() {
                LLVMTypeKind::LLVMIntegerTypeKind => LLVMBuildIntCast2(self.builder, call, int, 0, NAMELESS.as_ptr()),
                _ => LLVMConstInt(int, 0, 0),
            }
        }
    }
}

/// Gives a call the attributes of the callee's result and parameters: they are how both agree on registers and copies.
///
/// # Safety
/// `call` calls `function` with `count` arguments.
unsafe fn copy_attributes(function: LLVMValueRef, call: LLVMValueRef, count: u32) {
    for index in (LLVMAttributeReturnIndex..).take(count as usize + 1) {
        unsafe {
            let mut all = vec![std::ptr::null_mut(); LLVMGetAttributeCountAtIndex(function, index) as usize];
            LLVMGetAttributesAtIndex(function, index, all.as_mut_ptr());
            all.into_iter().for_each(|attribute| LLVMAddCallSiteAttribute(call, index, attribute));
        }
    }
}

impl Attributes {
    /// The type of a parameter that is a copy of what the caller has.
    pub fn copied(self, function: Value, index: usize) -> Option<Type> {
        typed(function, index, self.byval)
    }

    /// The type of the result that is written through a parameter.
    pub fn returned_in(self, function: Value, index: usize) -> Option<Type> {
        typed(function, index, self.sret)
    }
}

fn typed(function: Value, index: usize, kind: u32) -> Option<Type> {
    let found = unsafe { LLVMGetEnumAttributeAtIndex(function.0, index as u32 + 1, kind) };
    if found.is_null() { None } else { Some(Type(unsafe { LLVMGetTypeAttributeValue(found) })) }
}
