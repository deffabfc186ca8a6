//! Contexts and modules: reading, linking, passes, writing.

use super::{Type, Value, message, text};
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::{LLVMGetBitcodeModuleInContext2, LLVMParseBitcodeInContext2};
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{
    LLVMDebugMetadataVersion, LLVMGetModuleDebugMetadataVersion, LLVMInstructionGetDebugLoc, LLVMStripModuleDebugInfo,
};
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::support::LLVMParseCommandLineOptions;
use llvm_sys::target::{LLVMByteOrder, LLVMByteOrdering, LLVMGetModuleDataLayout, LLVMPointerSize};
use llvm_sys::transforms::pass_builder::{LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses};
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMDiagnosticSeverity};
use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;

/// What LLVM said, in order.
#[derive(Default)]
struct Messages {
    errors: Mutex<Vec<String>>,
    warnings: Mutex<Vec<String>>,
}

/// An LLVM context with its collected messages.
pub struct Context {
    raw: LLVMContextRef,
    messages: Box<Messages>,
}

extern "C" fn collect(diagnostic: LLVMDiagnosticInfoRef, messages: *mut c_void) {
    // Sound: `messages` is the box of the context that calls, which outlives the context.
    let messages = unsafe { &*messages.cast::<Messages>() };
    let severity = unsafe { LLVMGetDiagInfoSeverity(diagnostic) };
    let list = match severity {
        LLVMDiagnosticSeverity::LLVMDSError => &messages.errors,
        LLVMDiagnosticSeverity::LLVMDSWarning => &messages.warnings,
        LLVMDiagnosticSeverity::LLVMDSRemark | LLVMDiagnosticSeverity::LLVMDSNote => return,
    };
    let text = message(unsafe { LLVMGetDiagInfoDescription(diagnostic) });
    list.lock().unwrap_or_else(|e| e.into_inner()).push(text);
}

/// Takes away LLVM's habit of verifying modules with debug information while it reads them: it prints what it finds, and
/// ends the process. We verify after reading (`Module::verify`, `Module::strip_old_debug`).
fn quieten() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let arguments = [c"strata".as_ptr(), c"-disable-auto-upgrade-debug-info".as_ptr()];
        // Sound: two zero-terminated strings; called once, since LLVM keeps options for the whole process.
        unsafe { LLVMParseCommandLineOptions(2, arguments.as_ptr(), std::ptr::null()) }
    });
}

impl Context {
    /// A fresh one that prints nothing.
    pub fn new() -> Context {
        quieten();
        let messages = Box::<Messages>::default();
        // Sound: the handler's argument lives as long as the context (see `drop`).
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let argument = std::ptr::from_ref::<Messages>(&messages).cast_mut().cast();
            LLVMContextSetDiagnosticHandler(raw, Some(collect), argument);
            raw
        };
        Context { raw, messages }
    }

    /// The errors said since the last call, joined.
    pub fn errors(&self) -> String {
        std::mem::take(&mut *self.messages.errors.lock().unwrap_or_else(|e| e.into_inner())).join("; ")
    }

    /// The warnings said since the last call.
    pub fn warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.messages.warnings.lock().unwrap_or_else(|e| e.into_inner()))
    }

    /// Reads bitcode.
    pub fn bitcode(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, String> {
        let buffer = Buffer::copy(name, bytes);
        let mut module = null_mut();
        // Sound: buffer and context are alive; the module is only read when LLVM says that it made one.
        let failed = unsafe { LLVMParseBitcodeInContext2(self.raw, buffer.0, &mut module) };
        if failed != 0 { Err(self.errors()) } else { Ok(Module { raw: module, context: self }) }
    }

    /// Reads bitcode's symbols without the bodies.
    pub fn bitcode_symbols(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, String> {
        let buffer = Buffer::copy(name, bytes);
        let mut module = null_mut();
        // Sound: as above; on success the module owns the buffer, on failure LLVM has freed it.
        let failed = unsafe { LLVMGetBitcodeModuleInContext2(self.raw, buffer.0, &mut module) };
        std::mem::forget(buffer);
        if failed != 0 { Err(self.errors()) } else { Ok(Module { raw: module, context: self }) }
    }

    /// Reads text.
    pub fn assembly(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, String> {
        let buffer = Buffer::copy(name, bytes);
        let (mut module, mut said) = (null_mut(), null_mut());
        // Sound: as above; this function leaves the buffer to us.
        let failed = unsafe { LLVMParseIRInContext2(self.raw, buffer.0, &mut module, &mut said) };
        let said = message(said);
        if failed != 0 { Err(said) } else { Ok(Module { raw: module, context: self }) }
    }

    /// The id of a metadata kind.
    pub fn metadata_kind(&self, name: &str) -> u32 {
        // Sound: pointer and length of one string.
        unsafe { LLVMGetMDKindIDInContext(self.raw, name.as_ptr().cast(), name.len() as u32) }
    }

    pub(super) fn raw(&self) -> LLVMContextRef {
        self.raw
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Sound: modules borrow the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// A memory buffer of LLVM's.
struct Buffer(LLVMMemoryBufferRef);

impl Buffer {
    fn copy(name: &str, bytes: &[u8]) -> Buffer {
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        // Sound: pointer and length of one slice, which LLVM copies (and ends with a zero).
        Buffer(unsafe { LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr()) })
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // Sound: made by us, owned by us.
        unsafe { LLVMDisposeMemoryBuffer(self.0) }
    }
}

/// A module; it owns all handles that come from it.
pub struct Module<'c> {
    raw: LLVMModuleRef,
    context: &'c Context,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // Sound: `link` takes modules by value and forgets them, so this is the only owner.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}

/// Walks one of LLVM's lists.
fn list(first: LLVMValueRef, next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Value> {
    let mut all = Vec::new();
    let mut at = first;
    while !at.is_null() {
        all.push(Value(at));
        // Sound: `at` is an element of the list that `next` walks.
        at = unsafe { next(at) };
    }
    all
}

impl<'c> Module<'c> {
    /// Its context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Functions, declared and defined, in order.
    pub fn functions(&self) -> Vec<Value> {
        unsafe { list(LLVMGetFirstFunction(self.raw), LLVMGetNextFunction) }
    }

    /// Global variables.
    pub fn globals(&self) -> Vec<Value> {
        unsafe { list(LLVMGetFirstGlobal(self.raw), LLVMGetNextGlobal) }
    }

    /// Aliases.
    pub fn aliases(&self) -> Vec<Value> {
        unsafe { list(LLVMGetFirstGlobalAlias(self.raw), LLVMGetNextGlobalAlias) }
    }

    /// Functions chosen at load time.
    pub fn ifuncs(&self) -> Vec<Value> {
        unsafe { list(LLVMGetFirstGlobalIFunc(self.raw), LLVMGetNextGlobalIFunc) }
    }

    /// Assembler text outside of functions.
    pub fn assembler(&self) -> String {
        let mut length = 0;
        let pointer = unsafe { LLVMGetModuleInlineAsm(self.raw, &mut length) };
        text(pointer, length)
    }

    /// Takes the assembler text outside of functions away.
    pub fn drop_assembler(&self) {
        // Sound: an empty text.
        unsafe { LLVMSetModuleInlineAsm2(self.raw, c"".as_ptr(), 0) }
    }

    /// Has it named metadata of this name?
    pub fn has_named(&self, name: &str) -> bool {
        // Sound: pointer and length of one string; the answer is only compared.
        unsafe { !LLVMGetNamedMetadata(self.raw, name.as_ptr().cast(), name.len()).is_null() }
    }

    /// The target triple.
    pub fn triple(&self) -> String {
        unsafe { CStr::from_ptr(LLVMGetTarget(self.raw)) }.to_string_lossy().into_owned()
    }

    /// The data layout's text.
    pub fn layout(&self) -> String {
        unsafe { CStr::from_ptr(LLVMGetDataLayoutStr(self.raw)) }.to_string_lossy().into_owned()
    }

    /// Sets triple and layout.
    pub fn set_target(&self, triple: &CStr, layout: &CStr) {
        self.set_triple(triple);
        unsafe { LLVMSetDataLayout(self.raw, layout.as_ptr()) }
    }

    /// Sets the triple.
    pub fn set_triple(&self, triple: &CStr) {
        unsafe { LLVMSetTarget(self.raw, triple.as_ptr()) }
    }

    /// Are pointers 64 bits and bytes little-endian?
    pub fn is_64_bit_little_endian(&self) -> bool {
        unsafe {
            let data = LLVMGetModuleDataLayout(self.raw);
            LLVMPointerSize(data) == 8 && matches!(LLVMByteOrder(data), LLVMByteOrdering::LLVMLittleEndian)
        }
    }

    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    pub(super) fn data(&self) -> llvm_sys::target::LLVMTargetDataRef {
        unsafe { LLVMGetModuleDataLayout(self.raw) }
    }

    /// Takes another module in.
    pub fn link(&self, other: Module<'c>) -> Result<(), String> {
        let raw = other.raw;
        std::mem::forget(other);
        // Sound: both live in one context; LLVM frees the source in every case.
        let failed = unsafe { LLVMLinkModules2(self.raw, raw) };
        let errors = self.context.errors();
        if failed != 0 { Err(errors) } else { Ok(()) }
    }

    /// Drops debug information of a form that this LLVM does not know. Was there any?
    pub fn strip_old_debug(&self) -> bool {
        // Sound: both take any module.
        unsafe {
            let version = LLVMGetModuleDebugMetadataVersion(self.raw);
            version != LLVMDebugMetadataVersion() && LLVMStripModuleDebugInfo(self.raw) != 0
        }
    }

    /// Drops all debug information. Was there any?
    pub fn strip_debug(&self) -> bool {
        unsafe { LLVMStripModuleDebugInfo(self.raw) != 0 }
    }

    /// Is it well-formed?
    pub fn verify(&self) -> Result<(), String> {
        let mut said = null_mut();
        let failed =
            unsafe { LLVMVerifyModule(self.raw, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut said) };
        let said = message(said);
        if failed != 0 { Err(said) } else { Ok(()) }
    }

    /// Runs a pipeline given as text.
    pub fn run(&self, passes: &CStr) -> Result<(), String> {
        // Sound: no target machine is needed by the passes asked for; options and error are freed once.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.raw, passes.as_ptr(), null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let said = LLVMGetErrorMessage(error);
            let copy = CStr::from_ptr(said).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(said);
            Err(copy)
        }
    }

    /// Its bitcode.
    pub fn write(&self) -> Vec<u8> {
        // Sound: the buffer is ours; its start and size describe one slice.
        unsafe {
            let buffer = Buffer(LLVMWriteBitcodeToMemoryBuffer(self.raw));
            let start = LLVMGetBufferStart(buffer.0).cast::<u8>();
            std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer.0)).to_vec()
        }
    }

    /// Puts a text attribute on a function.
    pub fn mark_function(&self, function: Value, key: &str) {
        unsafe {
            let attribute =
                LLVMCreateStringAttribute(self.context.raw, key.as_ptr().cast(), key.len() as u32, c"".as_ptr(), 0);
            LLVMAddAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Puts empty metadata on a global.
    pub fn mark_global(&self, global: Value, kind: u32) {
        unsafe {
            let node = LLVMMDNodeInContext2(self.context.raw, null_mut(), 0);
            LLVMGlobalSetMetadata(global.0, kind, node);
        }
    }

    /// Puts a number on a global or function.
    pub fn note_number(&self, symbol: Value, kind: u32, number: u64) {
        // Sound: the number is made a node of this context's.
        unsafe {
            let number = LLVMConstInt(LLVMInt64TypeInContext(self.context.raw), number, 0);
            let mut number = LLVMValueAsMetadata(number);
            let node = LLVMMDNodeInContext2(self.context.raw, &mut number, 1);
            LLVMGlobalSetMetadata(symbol.0, kind, node);
        }
    }

    /// Adds `call void @name(i32 first, i32 second)` before each given instruction, `second` being made by the chooser.
    pub fn trace(&self, name: &CStr, sites: &[(Value, u32)]) {
        // Sound: every value built is of i32 or i1 type as LLVM demands; the instructions belong to this module.
        unsafe {
            let int = LLVMInt32TypeInContext(self.context.raw);
            let mut parameters = [int, int];
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(self.context.raw), parameters.as_mut_ptr(), 2, 0);
            let mut function = LLVMGetNamedFunction(self.raw, name.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.raw, name.as_ptr(), ty);
            }
            let builder = LLVMCreateBuilderInContext(self.context.raw);
            for &(at, site) in sites {
                LLVMPositionBuilderBefore(builder, at.0);
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at.0));
                let side = side(builder, int, at.0);
                let mut arguments = [LLVMConstInt(int, u64::from(site), 0), side];
                LLVMBuildCall2(builder, ty, function, arguments.as_mut_ptr(), 2, c"".as_ptr());
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// The integer type of a width.
    pub fn int(&self, width: u32) -> Type {
        Type(unsafe { LLVMIntTypeInContext(self.context.raw, width) })
    }
}

/// Builds the number of the side that a branch or switch is about to take.
///
/// # Safety
/// `at` is a conditional branch or a switch, and the builder stands before it.
unsafe fn side(builder: LLVMBuilderRef, int: LLVMTypeRef, at: LLVMValueRef) -> LLVMValueRef {
    unsafe {
        if matches!(LLVMGetInstructionOpcode(at), llvm_sys::LLVMOpcode::LLVMBr) {
            return LLVMBuildZExt(builder, LLVMGetCondition(at), int, c"".as_ptr());
        }
        let value = LLVMGetOperand(at, 0);
        let mut side = LLVMConstInt(int, 0, 0);
        let default = LLVMGetSwitchDefaultDest(at);
        for case in 1..LLVMGetNumSuccessors(at) {
            let block = LLVMGetSuccessor(at, case);
            if block == default {
                continue;
            }
            // Cases that lead to one block are one side: that of the first.
            let first = (1..case).find(|other| LLVMGetSuccessor(at, *other) == block).unwrap_or(case);
            let equal = llvm_sys::LLVMIntPredicate::LLVMIntEQ;
            let hit = LLVMBuildICmp(builder, equal, value, LLVMGetSwitchCaseValue(at, case), c"".as_ptr());
            side = LLVMBuildSelect(builder, hit, LLVMConstInt(int, u64::from(first), 0), side, c"".as_ptr());
        }
        side
    }
}
