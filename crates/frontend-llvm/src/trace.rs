//! The branch trace of a native build: the same sites, numbered the same way, as the lowering gives.

use crate::error::Error;
use crate::link::{LIBRARY, read};
use crate::llvm::{BlockRef, Context, LLVMOpcode, Module, Value};

/// Does this terminator choose? Such places are numbered.
pub fn chooses(terminator: Value) -> bool {
    match terminator.opcode() {
        LLVMOpcode::LLVMBr => terminator.conditional(),
        LLVMOpcode::LLVMSwitch => true,
        _ => false,
    }
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

/// Adds before every conditional branch and switch of the user's own functions a call
/// `__strata_trace(i32 site, i32 side)`. Sites and sides are those of `Instruction::Branch` and `Instruction::Switch` in the
/// program that `load` made of the same module.
pub fn trace_branches(bitcode: &[u8]) -> Result<Vec<u8>, Error> {
    let context = Context::new();
    let module = read(&context, "the prepared program", bitcode)?;
    module.trace(c"__strata_trace", &all(&module));
    Ok(module.write())
}
