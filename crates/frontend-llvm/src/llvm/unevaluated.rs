//! Operands that C does not evaluate.
//!
//! `__builtin_constant_p` and `__builtin_object_size` ask about an expression without evaluating
//! it. Clang at -O0 nevertheless makes the code of the expression, loads included, whose only use
//! is the question. In a function that no pass has touched, what only feeds a question is such an
//! operand: a value that the source reads and asks about is read from its variable once more.

use super::{LLVMOpcode, LLVMValueKind, Module, Value};
use llvm_sys::core::*;
use rustc_hash::FxHashSet;

const MARK: &str = "strata-unevaluated";

impl Module<'_> {
    /// Marks the operands in a function of the source's form. They stay until LLVM has answered
    /// the questions.
    pub fn mark_unevaluated(&self, function: Value) {
        let kind = self.context().metadata_kind(MARK);
        for call in instructions(function).filter(|i| asks(*i)) {
            // The call itself stays.
            let mut dead = FxHashSet::from_iter([call]);
            let mut waiting = vec![call.operand(0)];
            while let Some(value) = waiting.pop() {
                if !is_pure(value) || !value.users().iter().all(|user| dead.contains(user)) || !dead.insert(value) {
                    continue;
                }
                waiting.extend((0..value.operands()).map(|i| value.operand(i)));
                // Sound: an instruction, and a node of its context.
                unsafe {
                    let node = LLVMMDNodeInContext2(self.context().raw(), std::ptr::null_mut(), 0);
                    LLVMSetMetadata(value.0, kind, LLVMMetadataAsValue(self.context().raw(), node));
                }
            }
        }
    }

    /// Removes what was marked and has no use left.
    pub fn remove_unevaluated(&self, function: Value) {
        let kind = self.context().metadata_kind(MARK);
        let marked: Vec<Value> = instructions(function)
            // Sound: an instruction is asked.
            .filter(|i| unsafe { !LLVMGetMetadata(i.0, kind).is_null() })
            .collect();
        // Uses come behind definitions, in this block or a later one.
        for instruction in marked.into_iter().rev().filter(|i| !i.used()) {
            // Sound: nothing uses it, and it is looked at no more.
            unsafe { LLVMInstructionEraseFromParent(instruction.0) }
        }
    }
}

fn instructions(function: Value) -> impl DoubleEndedIterator<Item = Value> {
    let all: Vec<Value> = function.blocks().into_iter().flat_map(|block| block.instructions()).collect();
    all.into_iter()
}

fn asks(instruction: Value) -> bool {
    let name = |name: &str| name.starts_with("llvm.is.constant.") || name.starts_with("llvm.objectsize.");
    instruction.opcode() == LLVMOpcode::LLVMCall
        && instruction.callee().kind() == LLVMValueKind::LLVMFunctionValueKind
        && instruction.callee().intrinsic() != 0
        && name(&instruction.callee().name())
}

/// Is it an instruction that computes a value, and has no other effect than that it may fail?
fn is_pure(value: Value) -> bool {
    value.kind() == LLVMValueKind::LLVMInstructionValueKind
        && matches!(
            value.opcode(),
            LLVMOpcode::LLVMLoad
                | LLVMOpcode::LLVMGetElementPtr
                | LLVMOpcode::LLVMTrunc
                | LLVMOpcode::LLVMZExt
                | LLVMOpcode::LLVMSExt
                | LLVMOpcode::LLVMFPToUI
                | LLVMOpcode::LLVMFPToSI
                | LLVMOpcode::LLVMUIToFP
                | LLVMOpcode::LLVMSIToFP
                | LLVMOpcode::LLVMFPTrunc
                | LLVMOpcode::LLVMFPExt
                | LLVMOpcode::LLVMPtrToInt
                | LLVMOpcode::LLVMIntToPtr
                | LLVMOpcode::LLVMBitCast
                | LLVMOpcode::LLVMAdd
                | LLVMOpcode::LLVMSub
                | LLVMOpcode::LLVMMul
                | LLVMOpcode::LLVMUDiv
                | LLVMOpcode::LLVMSDiv
                | LLVMOpcode::LLVMURem
                | LLVMOpcode::LLVMSRem
                | LLVMOpcode::LLVMShl
                | LLVMOpcode::LLVMLShr
                | LLVMOpcode::LLVMAShr
                | LLVMOpcode::LLVMAnd
                | LLVMOpcode::LLVMOr
                | LLVMOpcode::LLVMXor
                | LLVMOpcode::LLVMFAdd
                | LLVMOpcode::LLVMFSub
                | LLVMOpcode::LLVMFMul
                | LLVMOpcode::LLVMFDiv
                | LLVMOpcode::LLVMFNeg
                | LLVMOpcode::LLVMICmp
                | LLVMOpcode::LLVMFCmp
                | LLVMOpcode::LLVMSelect
                | LLVMOpcode::LLVMFreeze
                | LLVMOpcode::LLVMExtractValue
        )
}
