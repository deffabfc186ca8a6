//! What a native build needs beside the program: a trace of the same branch sites, numbered the same way, as the lowering gives, and the same
//! addresses.

use crate::error::Error;
use crate::link::{LIBRARY, read};
use crate::llvm::{BlockRef, Context, LLVMOpcode, LLVMValueKind, Module, Value};
use crate::lower::ADDRESS;

/// Does this terminator choose? Such places are numbered.
pub fn chooses(terminator: Value) -> bool {
    match terminator.opcode() {
        LLVMOpcode::LLVMBr => terminator.conditional() && !fetches_argument(terminator),
        LLVMOpcode::LLVMSwitch => true,
        _ => false,
    }
}

/// Is this the branch of `va_arg` between arguments in registers and arguments in memory? Which way it goes is a matter of the
/// calling convention, not of the program: the engine passes all variadic arguments in memory, the machine does not.
/// Recognised by its shape: an offset is loaded, compared with a constant, and advanced by 8 or 16 on one side.
fn fetches_argument(branch: Value) -> bool {
    let condition = branch.operand(0);
    if condition.kind() != LLVMValueKind::LLVMInstructionValueKind || condition.opcode() != LLVMOpcode::LLVMICmp {
        return false;
    }
    let offset = condition.operand(0);
    if offset.kind() != LLVMValueKind::LLVMInstructionValueKind || offset.opcode() != LLVMOpcode::LLVMLoad {
        return false;
    }
    let limit = condition.operand(1);
    if limit.kind() != LLVMValueKind::LLVMConstantIntValueKind || limit.small() > 161 {
        return false;
    }
    let advances = |instruction: Value| {
        instruction.opcode() == LLVMOpcode::LLVMStore && instruction.operand(1) == offset.operand(0) && {
            let sum = instruction.operand(0);
            sum.kind() == LLVMValueKind::LLVMInstructionValueKind
                && sum.opcode() == LLVMOpcode::LLVMAdd
                && sum.operand(0) == offset
                && sum.operand(1).kind() == LLVMValueKind::LLVMConstantIntValueKind
                && matches!(sum.operand(1).small(), 8 | 16 | 24 | 32)
        }
    };
    branch.successors().into_iter().any(|block| block.instructions().into_iter().any(advances))
}

/// Is this the user's own function?
pub fn own(function: Value) -> bool {
    !function.marked(LIBRARY)
}

/// The terminators of a function that get a number, in order.
pub fn sites(blocks: &[BlockRef]) -> impl Iterator<Item = Value> + '_ {
    blocks.iter().filter_map(|block| block.terminator()).filter(|terminator| chooses(*terminator))
}

fn all(module: &Module) -> Vec<(Value, u32)> {
    let own = module.functions().into_iter().filter(|f| own(*f));
    let terminators = own.flat_map(|function| sites(&function.blocks()).collect::<Vec<_>>());
    terminators.zip(1..).collect()
}

/// Makes of a prepared program what is turned into a native one.
///
/// Before every conditional branch and switch of the user's own functions there is a call `__strata_trace(i32 site, i32 side)`. Sites and sides
/// are those of `Instruction::Branch` and `Instruction::Switch` in the program that `load` made of the same module. Functions, globals and the
/// local variables of the user's own functions have the addresses that they have in that program.
pub fn native_form(bitcode: &[u8]) -> Result<Vec<u8>, Error> {
    let context = Context::new();
    let module = read(&context, "the prepared program", bitcode)?;
    module.trace(c"__strata_trace", &all(&module));
    for function in module.functions().into_iter().filter(|f| own(*f) && !f.declared()) {
        module.place_locals(function);
    }
    module.place_symbols(context.metadata_kind(ADDRESS));
    Ok(module.write())
}
