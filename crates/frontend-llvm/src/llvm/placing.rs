//! Gives a module's functions, globals and local variables the addresses that the interpreter gives them, for a native program.
//!
//! A symbol's address is a number in the code. The native runtime copies a global there before the program starts, and puts a jump to a
//! function's code there; calls by name stay as they are. A local variable asks the runtime for its place each time it is made.
//!
//! Rejected: placing by the linker. It would need a section for each symbol, functions that are no larger than the interpreter says, and file
//! offsets that follow addresses.

use super::{Attributes, Module, Value};
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMOpcode, LLVMValueKind};
use std::ffi::CStr;

const NAMELESS: &CStr = c"";

/// What lies at an address: a number of the native runtime's (`enum part`).
#[derive(Clone, Copy)]
enum Part {
    Code = 0,
    Constant = 1,
    Variable = 2,
    Zero = 3,
}

/// A symbol and where it lies.
struct Placed {
    symbol: Value,
    address: u64,
    part: Part,
    size: u64,
}

impl Value {
    /// Is it a function?
    pub fn is_function(self) -> bool {
        self.kind() == LLVMValueKind::LLVMFunctionValueKind
    }

    fn is_call(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind
            && matches!(self.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr)
    }

    /// Is it used by this call as its callee and as nothing else?
    fn is_only_called_by(self, user: Value) -> bool {
        user.is_call()
            && (0..user.operands()).filter(|at| user.operand(*at) == self).count() == 1
            && user.callee() == self
    }

    /// Can its address be replaced wherever it is used? Not where LLVM wants the symbol itself.
    fn is_movable(self) -> bool {
        let stuck = |user: &Value| {
            matches!(user.kind(), LLVMValueKind::LLVMBlockAddressValueKind | LLVMValueKind::LLVMFunctionValueKind)
        };
        // Sound: asked of globals alone; a section's name ends with a zero, and is null where there is none.
        let special = || unsafe {
            let section = LLVMGetSection(self.0);
            LLVMIsThreadLocal(self.0) != 0 || !section.is_null() && *section != 0
        };
        let plain = self.is_function() || !self.declared() && !special();
        plain && !self.users().iter().any(stuck)
    }

    /// The symbols in a constant, as far as they are behind this many expressions.
    fn symbols(self, depth: u32, into: &mut Vec<Value>) {
        if matches!(self.kind(), LLVMValueKind::LLVMGlobalVariableValueKind | LLVMValueKind::LLVMFunctionValueKind) {
            into.push(self);
        } else if depth > 0 && self.kind() == LLVMValueKind::LLVMConstantExprValueKind {
            (0..self.operands()).for_each(|at| self.operand(at).symbols(depth - 1, into));
        }
    }
}

impl Module<'_> {
    /// Gives symbols the addresses that metadata of this kind notes.
    pub fn place_symbols(&self, kind: u32) {
        // Sound: LLVM's own lists of symbols are nobody's operands.
        for list in self.globals().into_iter().filter(|g| matches!(&*g.name(), "llvm.used" | "llvm.compiler.used")) {
            unsafe { LLVMDeleteGlobal(list.0) }
        }
        let mut fixed = Vec::new();
        for alias in self.aliases() {
            let aliasee = alias.aliasee();
            match aliasee.kind() {
                LLVMValueKind::LLVMFunctionValueKind | LLVMValueKind::LLVMGlobalVariableValueKind => unsafe {
                    LLVMReplaceAllUsesWith(alias.0, aliasee.0);
                },
                _ => aliasee.symbols(16, &mut fixed),
            }
        }
        let symbols = self.functions().into_iter().chain(self.globals());
        let placed = symbols.filter(|symbol| !fixed.contains(symbol) && symbol.is_movable());
        let mut placed: Vec<Placed> = placed.filter_map(|symbol| self.placed(symbol, kind)).collect();
        placed.retain(|placed| self.move_symbol(placed));
        placed.sort_by_key(|placed| placed.address);
        self.table(&placed);
    }

    /// Where a symbol lies, if that is noted.
    fn placed(&self, symbol: Value, kind: u32) -> Option<Placed> {
        let address = self.noted_number(symbol, kind)?;
        if symbol.is_function() {
            return Some(Placed { symbol, address, part: Part::Code, size: 0 });
        }
        // Sound: a global with contents.
        let zero = unsafe { LLVMIsNull(symbol.initialiser()?.0) != 0 };
        let part = match (symbol.constant(), zero) {
            (true, _) => Part::Constant,
            (false, false) => Part::Variable,
            (false, true) => Part::Zero,
        };
        Some(Placed { symbol, address, part, size: symbol.value_type().size(self) })
    }

    fn noted_number(&self, symbol: Value, kind: u32) -> Option<u64> {
        let node = symbol.attached(kind)?;
        // Sound: a node that `note_number` made has one operand, a number.
        unsafe {
            let node = LLVMMetadataAsValue(self.context().raw(), node.0);
            if LLVMGetMDNodeNumOperands(node) != 1 {
                return None;
            }
            let mut number = std::ptr::null_mut();
            LLVMGetMDNodeOperands(node, &mut number);
            let number = Value(number);
            let constant = number.kind() == LLVMValueKind::LLVMConstantIntValueKind;
            constant.then(|| number.small())
        }
    }

    /// Replaces a symbol by its address wherever it is used, but for calls by name and other names of it. Was there such a use?
    fn move_symbol(&self, Placed { symbol, address, .. }: &Placed) -> bool {
        let users = symbol.users();
        let calls: Vec<Value> = users.iter().copied().filter(|user| symbol.is_only_called_by(*user)).collect();
        let is_alias = |user: &Value| user.kind() == LLVMValueKind::LLVMGlobalAliasValueKind;
        let aliases: Vec<Value> = users.iter().copied().filter(is_alias).collect();
        if symbol.is_function() && calls.len() + aliases.len() == users.len() {
            return false;
        }
        // Sound: a pointer takes a pointer's place; callees and aliasees get the symbol back.
        unsafe {
            let context = self.context().raw();
            let number = LLVMConstInt(LLVMInt64TypeInContext(context), *address, 0);
            let pointer = LLVMConstIntToPtr(number, LLVMTypeOf(symbol.0));
            LLVMReplaceAllUsesWith(symbol.0, pointer);
            for call in calls {
                LLVMSetOperand(call.0, call.operands() - 1, symbol.0);
            }
            for alias in aliases {
                LLVMAliasSetAliasee(alias.0, symbol.0);
            }
        }
        true
    }

    /// The runtime's table: address, what lies there, its size and what it is; a row of zeros at the end.
    fn table(&self, placed: &[Placed]) {
        // Sound: rows of one type in an array of that type.
        unsafe {
            let context = self.context().raw();
            let (long, pointer) = (LLVMInt64TypeInContext(context), LLVMPointerTypeInContext(context, 0));
            let number = |number: u64| LLVMConstInt(long, number, 0);
            let row = |address: u64, from: LLVMValueRef, size: u64, part: Part| {
                let mut row = [number(address), from, number(size), number(part as u64)];
                LLVMConstStructInContext(context, row.as_mut_ptr(), 4, 0)
            };
            let nothing = LLVMConstNull(pointer);
            let mut rows: Vec<LLVMValueRef> = Vec::with_capacity(placed.len() + 1);
            for Placed { symbol, address, part, size } in placed {
                let from = match part {
                    Part::Code | Part::Constant | Part::Variable => symbol.0,
                    Part::Zero => nothing,
                };
                rows.push(row(*address, from, *size, *part));
                if matches!(part, Part::Zero) && !symbol.used() {
                    LLVMDeleteGlobal(symbol.0);
                }
            }
            rows.push(row(0, nothing, 0, Part::Code));
            let ty = LLVMTypeOf(rows[0]);
            let table = LLVMConstArray2(ty, rows.as_mut_ptr(), rows.len() as u64);
            let global = LLVMAddGlobal(self.raw(), LLVMTypeOf(table), c"__strata_places".as_ptr());
            LLVMSetInitializer(global, table);
            LLVMSetGlobalConstant(global, 1);
        }
    }

    /// Makes a function's local variables ask for their places: `ptr __strata_local(ptr own, i64 size, i64 alignment)`.
    pub fn place_locals(&self, function: Value) {
        let attributes = Attributes::new();
        for instruction in function.blocks().into_iter().flat_map(|block| block.instructions()) {
            if instruction.opcode() == LLVMOpcode::LLVMAlloca {
                self.place_local(instruction);
            } else if instruction.is_call() {
                self.place_copies(instruction, attributes);
            }
        }
    }

    fn place_local(&self, local: Value) {
        for user in local.users() {
            // LLVM allows them of the variable itself alone; natively they do nothing.
            if ["llvm.lifetime.start", "llvm.lifetime.end"].iter().any(|name| user.calls_intrinsic(name)) {
                unsafe { LLVMInstructionEraseFromParent(user.0) }
            }
        }
        // Sound: the call comes right behind the variable, in front of all its users, and has its type.
        unsafe {
            let context = self.context().raw();
            let long = LLVMInt64TypeInContext(context);
            let builder = self.builder_at(LLVMGetNextInstruction(local.0), local);
            let count = LLVMBuildIntCast2(builder, local.operand(0).0, long, 0, NAMELESS.as_ptr());
            let each = LLVMConstInt(long, local.allocated().size(self), 0);
            let size = LLVMBuildMul(builder, count, each, NAMELESS.as_ptr());
            let alignment = LLVMConstInt(long, local.alignment().max(1), 0);
            let place = self.ask(builder, local.0, size, alignment);
            LLVMReplaceAllUsesWith(local.0, place);
            LLVMSetOperand(place, 0, local.0);
            LLVMDisposeBuilder(builder);
        }
    }

    /// A call that passes copies: the interpreter makes an object of each, the machine has them among the arguments. The place is taken and left unused.
    fn place_copies(&self, call: Value, attributes: Attributes) {
        let callee = call.callee();
        let fixed = match callee.is_function() {
            true if callee.intrinsic() != 0 => return,
            true => callee.value_type().parameters().len(),
            false if call.called_type().parameters().is_empty() => usize::MAX,
            false => call.called_type().parameters().len(),
        };
        // Sound: the builder stands before the call.
        unsafe {
            let arguments = LLVMGetNumArgOperands(call.0) as usize;
            for ty in (0..arguments.min(fixed)).filter_map(|at| attributes.byval(call, at)) {
                let context = self.context().raw();
                let long = LLVMInt64TypeInContext(context);
                let builder = self.builder_at(call.0, call);
                let number = |number: u64| LLVMConstInt(long, number, 0);
                let nothing = LLVMConstNull(LLVMPointerTypeInContext(context, 0));
                self.ask(builder, nothing, number(ty.size(self)), number(ty.align(self).max(8)));
                LLVMDisposeBuilder(builder);
            }
        }
    }

    /// # Safety
    /// `at` is an instruction; the builder is given back by the caller.
    unsafe fn builder_at(&self, at: LLVMValueRef, like: Value) -> LLVMBuilderRef {
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context().raw());
            LLVMPositionBuilderBefore(builder, at);
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(like.0));
            builder
        }
    }

    /// # Safety
    /// The builder stands somewhere; the arguments are a pointer and two numbers of 64 bits.
    unsafe fn ask(
        &self,
        builder: LLVMBuilderRef,
        own: LLVMValueRef,
        size: LLVMValueRef,
        alignment: LLVMValueRef,
    ) -> LLVMValueRef {
        unsafe {
            let context = self.context().raw();
            let (long, pointer) = (LLVMInt64TypeInContext(context), LLVMPointerTypeInContext(context, 0));
            let mut parameters = [pointer, long, long];
            let ty = LLVMFunctionType(pointer, parameters.as_mut_ptr(), 3, 0);
            let mut function = LLVMGetNamedFunction(self.raw(), c"__strata_local".as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.raw(), c"__strata_local".as_ptr(), ty);
            }
            let mut arguments = [own, size, alignment];
            LLVMBuildCall2(builder, ty, function, arguments.as_mut_ptr(), 3, NAMELESS.as_ptr())
        }
    }
}
