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
