//! Values, types and blocks: what the lowering asks of them.

use super::{Module, message, text};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMOffsetOfElement, LLVMSizeOfTypeInBits};
use llvm_sys::{
    LLVMAtomicRMWBinOp, LLVMAttributeFunctionIndex, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMTypeKind,
    LLVMValueKind,
};
use std::ffi::c_char;

unsafe extern "C" {
    // llvm-sys declares the second parameter by value; LLVM writes through it.
    #[link_name = "LLVMGetRawDataValues"]
    fn raw_data_values(constant: LLVMValueRef, size: *mut usize) -> *const c_char;
}

/// Anything that is an operand: instruction, constant, global, argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub(super) LLVMValueRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(pub(super) LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockRef(pub(super) LLVMBasicBlockRef);

/// Attribute kinds by number, asked once.
#[derive(Clone, Copy)]
pub struct Attributes {
    pub(super) byval: u32,
    pub(super) sret: u32,
    inalloca: u32,
    optnone: u32,
    align: u32,
}

impl Attributes {
    /// Asks LLVM.
    pub fn new() -> Attributes {
        let kind = |name: &str| unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        let (byval, sret, inalloca) = (kind("byval"), kind("sret"), kind("inalloca"));
        Attributes { byval, sret, inalloca, optnone: kind("optnone"), align: kind("align") }
    }

    /// The type that a call's argument is copied as, if the callee gets a copy.
    pub fn byval(self, call: Value, argument: usize) -> Option<Type> {
        let found = unsafe { LLVMGetCallSiteEnumAttribute(call.0, argument as u32 + 1, self.byval) };
        if found.is_null() { None } else { Some(Type(unsafe { LLVMGetTypeAttributeValue(found) })) }
    }

    /// The alignment that a call's argument is said to have, 1 if none is.
    pub fn align(self, call: Value, argument: usize) -> u64 {
        let found = unsafe { LLVMGetCallSiteEnumAttribute(call.0, argument as u32 + 1, self.align) };
        if found.is_null() { 1 } else { unsafe { LLVMGetEnumAttributeValue(found) } }
    }

    /// Is a call's argument passed in the caller's own argument block?
    pub fn inalloca(self, call: Value, argument: usize) -> bool {
        !unsafe { LLVMGetCallSiteEnumAttribute(call.0, argument as u32 + 1, self.inalloca) }.is_null()
    }

    /// Opens a function to passes.
    pub fn open(self, function: Value) {
        // Sound: removing what is not there does nothing.
        unsafe { LLVMRemoveEnumAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, self.optnone) }
    }
}

impl Type {
    /// What kind of type.
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// A pointer type's address space.
    pub fn address_space(self) -> u32 {
        debug_assert!(self.kind() == LLVMTypeKind::LLVMPointerTypeKind);
        unsafe { LLVMGetPointerAddressSpace(self.0) }
    }

    /// An integer type's width.
    pub fn int_width(self) -> u32 {
        debug_assert!(self.kind() == LLVMTypeKind::LLVMIntegerTypeKind);
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Has it a size?
    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Size with padding, in bytes.
    pub fn size(self, module: &Module) -> u64 {
        unsafe { LLVMABISizeOfType(module.data(), self.0) }
    }

    /// Size without padding, in bits.
    pub fn bits(self, module: &Module) -> u64 {
        unsafe { LLVMSizeOfTypeInBits(module.data(), self.0) }
    }

    /// Alignment in bytes.
    pub fn align(self, module: &Module) -> u64 {
        u64::from(unsafe { LLVMABIAlignmentOfType(module.data(), self.0) })
    }

    /// A struct's number of fields.
    pub fn fields(self) -> u32 {
        unsafe { LLVMCountStructElementTypes(self.0) }
    }

    /// A struct's field.
    pub fn field(self, index: u32) -> Type {
        Type(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }

    /// A field's offset in bytes.
    pub fn field_offset(self, module: &Module, index: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(module.data(), self.0, index) }
    }

    /// The element of an array or vector.
    pub fn element(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    /// The length of an array or fixed vector.
    pub fn length(self) -> u64 {
        match self.kind() {
            LLVMTypeKind::LLVMArrayTypeKind => unsafe { LLVMGetArrayLength2(self.0) },
            _ => u64::from(unsafe { LLVMGetVectorSize(self.0) }),
        }
    }

    /// Of a function type: may more arguments follow?
    pub fn variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    /// Of a function type: the result.
    pub fn result(self) -> Type {
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    /// Of a function type: how many parameters.
    pub fn parameters(self) -> Vec<Type> {
        let count = unsafe { LLVMCountParamTypes(self.0) } as usize;
        let mut all = vec![Type(std::ptr::null_mut()); count];
        // Sound: `Type` is one pointer, and there is room for `count`.
        let mut raw = vec![std::ptr::null_mut(); count];
        unsafe { LLVMGetParamTypes(self.0, raw.as_mut_ptr()) };
        for (to, from) in all.iter_mut().zip(raw) {
            *to = Type(from);
        }
        all
    }

    /// As LLVM prints it.
    pub fn print(self) -> String {
        message(unsafe { LLVMPrintTypeToString(self.0) })
    }
}

impl BlockRef {
    /// Its instructions, in order.
    pub fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut at = unsafe { LLVMGetFirstInstruction(self.0) };
        while !at.is_null() {
            all.push(Value(at));
            at = unsafe { LLVMGetNextInstruction(at) };
        }
        all
    }

    /// Its last instruction.
    pub fn terminator(self) -> Option<Value> {
        let last = unsafe { LLVMGetBasicBlockTerminator(self.0) };
        if last.is_null() { None } else { Some(Value(last)) }
    }
}

impl Value {
    /// What kind of value.
    pub fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    /// Its type.
    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    /// Its name; may be empty.
    pub fn name(self) -> String {
        let mut length = 0;
        let pointer = unsafe { LLVMGetValueName2(self.0, &mut length) };
        text(pointer, length)
    }

    /// Gives it another name.
    pub fn rename(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// As LLVM prints it.
    pub fn print(self) -> String {
        message(unsafe { LLVMPrintValueToString(self.0) })
    }

    /// An instruction's opcode.
    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// A constant expression's opcode.
    pub fn constant_opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetConstOpcode(self.0) }
    }

    /// How many operands.
    pub fn operands(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }

    /// An operand.
    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    /// Does anything use it?
    pub fn used(self) -> bool {
        !unsafe { LLVMGetFirstUse(self.0) }.is_null()
    }

    /// The instructions and constants that use it.
    pub fn users(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut at = unsafe { LLVMGetFirstUse(self.0) };
        while !at.is_null() {
            all.push(Value(unsafe { LLVMGetUser(at) }));
            at = unsafe { LLVMGetNextUse(at) };
        }
        all
    }

    /// Is it a call of the intrinsic of this name?
    pub fn calls_intrinsic(self, name: &str) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind
            && self.opcode() == LLVMOpcode::LLVMCall
            && self.callee().kind() == LLVMValueKind::LLVMFunctionValueKind
            && self.callee().intrinsic() != 0
            && self.callee().intrinsic_name() == name
    }

    /// An integer constant of at most 64 bits, extended by zeros.
    pub fn small(self) -> u64 {
        unsafe { LLVMConstIntGetZExtValue(self.0) }
    }

    /// The same constant's bits as an integer constant of this type.
    pub fn as_integer(self, int: Type) -> Value {
        Value(unsafe { LLVMConstBitCast(self.0, int.0) })
    }

    /// The bytes of a constant array or vector of plain data.
    pub fn data(self) -> Vec<u8> {
        let mut size = 0;
        // Sound: LLVM writes the size of what it returns.
        unsafe {
            let start = raw_data_values(self.0, &mut size);
            if size == 0 { Vec::new() } else { std::slice::from_raw_parts(start.cast::<u8>(), size).to_vec() }
        }
    }

    /// An element of a constant aggregate, expanded where LLVM keeps it packed.
    pub fn element(self, index: u32) -> Option<Value> {
        let found = unsafe { LLVMGetAggregateElement(self.0, index) };
        if found.is_null() { None } else { Some(Value(found)) }
    }

    /// What a `getelementptr` steps over.
    pub fn gep_source(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// What a global or function is of.
    pub fn value_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// Is it a declaration only?
    pub fn declared(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Its linkage.
    pub fn linkage(self) -> LLVMLinkage {
        unsafe { LLVMGetLinkage(self.0) }
    }

    /// Makes it invisible to other modules.
    pub fn internalise(self) {
        unsafe {
            llvm_sys::comdat::LLVMSetComdat(self.0, std::ptr::null_mut());
            LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage);
        }
    }

    /// Makes an alias invisible to other modules.
    pub fn internalise_alias(self) {
        unsafe { LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage) }
    }

    /// Is it visible to other modules?
    pub fn local(self) -> bool {
        matches!(self.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// A global's contents.
    pub fn initialiser(self) -> Option<Value> {
        let found = unsafe { LLVMGetInitializer(self.0) };
        if found.is_null() { None } else { Some(Value(found)) }
    }

    /// Is a global constant?
    pub fn constant(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// The alignment asked for, or 0.
    pub fn alignment(self) -> u64 {
        u64::from(unsafe { LLVMGetAlignment(self.0) })
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Value {
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    /// The function of a block's address.
    pub fn block_function(self) -> Value {
        Value(unsafe { LLVMGetBlockAddressFunction(self.0) })
    }

    /// The block of a block's address.
    pub fn block_block(self) -> BlockRef {
        BlockRef(unsafe { LLVMGetBlockAddressBasicBlock(self.0) })
    }

    /// A function's parameters.
    pub fn params(self) -> Vec<Value> {
        (0..unsafe { LLVMCountParams(self.0) }).map(|i| Value(unsafe { LLVMGetParam(self.0, i) })).collect()
    }

    /// A function's blocks.
    pub fn blocks(self) -> Vec<BlockRef> {
        let mut all = Vec::new();
        let mut at = unsafe { LLVMGetFirstBasicBlock(self.0) };
        while !at.is_null() {
            all.push(BlockRef(at));
            at = unsafe { LLVMGetNextBasicBlock(at) };
        }
        all
    }

    /// The number of an intrinsic; 0 for other functions.
    pub fn intrinsic(self) -> u32 {
        unsafe { LLVMGetIntrinsicID(self.0) }
    }

    /// An intrinsic's name without the types.
    pub fn intrinsic_name(self) -> String {
        let mut length = 0;
        let pointer = unsafe { LLVMIntrinsicGetName(self.intrinsic(), &mut length) };
        text(pointer, length)
    }

    /// Has a function this text attribute?
    pub fn marked(self, key: &str) -> bool {
        !unsafe {
            LLVMGetStringAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, key.as_ptr().cast(), key.len() as u32)
        }
        .is_null()
    }

    /// `nsw`, where the opcode can have it.
    pub fn no_signed_wrap(self) -> bool {
        unsafe { LLVMGetNSW(self.0) != 0 }
    }

    /// `nuw`, where the opcode can have it.
    pub fn no_unsigned_wrap(self) -> bool {
        unsafe { LLVMGetNUW(self.0) != 0 }
    }

    /// `exact` of a division or right shift.
    pub fn exact(self) -> bool {
        unsafe { LLVMGetExact(self.0) != 0 }
    }

    /// `nneg` of an extension.
    pub fn non_negative(self) -> bool {
        unsafe { LLVMGetNNeg(self.0) != 0 }
    }

    /// `disjoint` of an `or`.
    pub fn disjoint(self) -> bool {
        unsafe { LLVMGetIsDisjoint(self.0) != 0 }
    }

    /// The relation of an `icmp`.
    pub fn predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// The relation of an `fcmp`, as LLVM's four bits: equal, greater, less, unordered.
    pub fn float_predicate(self) -> u32 {
        unsafe { LLVMGetFCmpPredicate(self.0) as u32 }
    }

    /// What an `alloca` makes.
    pub fn allocated(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// The indices of `extractvalue` and `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        // Sound: LLVM keeps as many numbers as it says.
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            if count == 0 { Vec::new() } else { std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec() }
        }
    }

    /// The mask of a shuffle; `None` where any value will do.
    pub fn mask(self) -> Vec<Option<u32>> {
        (0..unsafe { LLVMGetNumMaskElements(self.0) })
            .map(|i| u32::try_from(unsafe { LLVMGetMaskValue(self.0, i) }).ok())
            .collect()
    }

    /// The operation of an `atomicrmw`.
    pub fn atomic(self) -> LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// The incoming pairs of a phi.
    pub fn incoming(self) -> Vec<(Value, BlockRef)> {
        (0..unsafe { LLVMCountIncoming(self.0) })
            .map(|i| unsafe { (Value(LLVMGetIncomingValue(self.0, i)), BlockRef(LLVMGetIncomingBlock(self.0, i))) })
            .collect()
    }

    /// A terminator's targets.
    pub fn successors(self) -> Vec<BlockRef> {
        (0..unsafe { LLVMGetNumSuccessors(self.0) }).map(|i| BlockRef(unsafe { LLVMGetSuccessor(self.0, i) })).collect()
    }

    /// Of a `br`: has it a condition?
    pub fn conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    /// The condition of a `br`.
    pub fn condition(self) -> Value {
        Value(unsafe { LLVMGetCondition(self.0) })
    }

    /// The value of a switch's case; cases count from 1.
    pub fn case(self, index: u32) -> Value {
        Value(unsafe { LLVMGetSwitchCaseValue(self.0, index) })
    }

    /// What a call calls.
    pub fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// As what type a call calls it.
    pub fn called_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// A call's arguments.
    pub fn arguments(self) -> Vec<Value> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|i| self.operand(i)).collect()
    }

    /// Where an invoke goes on when nothing is thrown.
    pub fn normal(self) -> BlockRef {
        BlockRef(unsafe { LLVMGetNormalDest(self.0) })
    }

    /// The text of a metadata argument; empty for other values.
    pub fn metadata_text(self) -> String {
        if self.kind() != LLVMValueKind::LLVMMetadataAsValueValueKind {
            return String::new();
        }
        let mut length = 0;
        let pointer = unsafe { LLVMGetMDString(self.0, &mut length) };
        text(pointer, length as usize)
    }

    /// The template of inline assembler.
    pub fn template(self) -> String {
        let mut length = 0;
        let pointer = unsafe { LLVMGetInlineAsmAsmString(self.0, &mut length) };
        text(pointer, length)
    }

    /// The constraints of inline assembler.
    pub fn constraints(self) -> String {
        let mut length = 0;
        let pointer = unsafe { LLVMGetInlineAsmConstraintString(self.0, &mut length) };
        text(pointer, length)
    }
}

impl BlockRef {
    /// The stores in it: what, and where to.
    pub fn stores(self) -> Vec<(Value, Value)> {
        let stores = self.instructions().into_iter().filter(|i| i.opcode() == LLVMOpcode::LLVMStore);
        stores.map(|store| (store.operand(0), store.operand(1))).collect()
    }
}
