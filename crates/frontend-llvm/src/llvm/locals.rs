//! Local variables that passes are about to turn into registers.

use super::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, Module, Value};
use llvm_sys::core::*;

impl Module<'_> {
    /// Gives each scalar local whose address nobody takes a value that nobody chose, right where it is made. Promotion would otherwise take the
    /// value of the one branch that sets it for all branches: where a variable has none, any will do.
    pub fn unset_locals(&self, function: Value) {
        let Some(entry) = function.blocks().into_iter().next() else { return };
        let made = entry.instructions().into_iter().filter(|i| i.opcode() == LLVMOpcode::LLVMAlloca);
        for local in made.filter(|local| scalar(*local) && promotable(*local)) {
            // Sound: an alloca is not the last instruction of its block; the value has the type of the variable.
            unsafe {
                let builder = LLVMCreateBuilderInContext(self.context().raw());
                LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(local.0));
                let any = LLVMBuildFreeze(builder, LLVMGetUndef(local.allocated().0), c"".as_ptr());
                LLVMBuildStore(builder, any, local.0);
                LLVMDisposeBuilder(builder);
            }
        }
    }
}

impl Value {
    /// Has a function's code the form that the compiler gives it before any pass? Then each operation stands where the
    /// source has it, and none was moved in front of a condition.
    ///
    /// Compilers keep parameters and variables in memory, and the first pass of every optimisation takes them out of
    /// it. A function without such a variable still has the form of the source if nothing in it depends on a condition.
    pub fn has_source_form(self) -> bool {
        let blocks = self.blocks();
        let Some(entry) = blocks.first() else { return false };
        let instructions = entry.instructions();
        let mut locals = instructions.iter().filter(|i| i.opcode() == LLVMOpcode::LLVMAlloca);
        locals.any(|local| local.users().iter().all(|user| accesses(*user, *local)))
            || (blocks.len() == 1 && !instructions.iter().any(|i| i.opcode() == LLVMOpcode::LLVMSelect))
    }
}

/// Does it read or write the variable, or mark its life?
fn accesses(user: Value, local: Value) -> bool {
    if user.kind() != LLVMValueKind::LLVMInstructionValueKind {
        return false;
    }
    match user.opcode() {
        // Sound: loads and stores are asked.
        LLVMOpcode::LLVMLoad => unsafe { LLVMGetVolatile(user.0) == 0 },
        LLVMOpcode::LLVMStore => user.operand(0) != local && unsafe { LLVMGetVolatile(user.0) == 0 },
        _ => user.calls_intrinsic("llvm.lifetime.start") || user.calls_intrinsic("llvm.lifetime.end"),
    }
}

fn scalar(local: Value) -> bool {
    matches!(
        local.allocated().kind(),
        LLVMTypeKind::LLVMIntegerTypeKind
            | LLVMTypeKind::LLVMPointerTypeKind
            | LLVMTypeKind::LLVMFloatTypeKind
            | LLVMTypeKind::LLVMDoubleTypeKind
    )
}

/// Is the variable only ever read and written as a whole?
fn promotable(local: Value) -> bool {
    let plain = |user: &Value| {
        if user.kind() != LLVMValueKind::LLVMInstructionValueKind {
            return false;
        }
        let ty = match user.opcode() {
            LLVMOpcode::LLVMLoad => user.ty(),
            LLVMOpcode::LLVMStore if user.operand(0) != local => user.operand(0).ty(),
            _ => return false,
        };
        // Sound: loads and stores are asked.
        ty == local.allocated() && unsafe { LLVMGetVolatile(user.0) == 0 }
    };
    let users = local.users();
    !users.is_empty() && users.iter().all(plain)
}
