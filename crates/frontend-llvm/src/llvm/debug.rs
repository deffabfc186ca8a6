//! Debug information: positions, names of variables.

use super::{BlockRef, Module, Value, text};
use llvm_sys::LLVMDbgRecordKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::collections::BTreeMap;

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Meta(pub(super) LLVMMetadataRef);

/// A position as debug information gives it.
pub struct Location {
    /// The file's node.
    pub file: Option<Meta>,
    /// From 1; 0 is unknown.
    pub line: u32,
    /// From 1; 0 is unknown.
    pub column: u32,
    /// The position of the call that was inlined.
    pub inlined_at: Option<Meta>,
}

/// A variable's name for a value.
pub struct Declared {
    /// The alloca that holds it, or the value that it is.
    pub value: Value,
    /// Its name in the source.
    pub name: String,
}

fn some(raw: LLVMMetadataRef) -> Option<Meta> {
    if raw.is_null() { None } else { Some(Meta(raw)) }
}

impl Meta {
    /// Of a location node.
    pub fn location(self) -> Location {
        // Sound: only nodes that LLVM gave as locations come here.
        unsafe {
            Location {
                file: some(LLVMDIScopeGetFile(LLVMDILocationGetScope(self.0))),
                line: LLVMDILocationGetLine(self.0),
                column: LLVMDILocationGetColumn(self.0),
                inlined_at: some(LLVMDILocationGetInlinedAt(self.0)),
            }
        }
    }

    /// Of a file node: folder and name.
    pub fn file_name(self) -> (String, String) {
        let (mut folder_length, mut name_length) = (0, 0);
        // Sound: only nodes that LLVM gave as files come here.
        unsafe {
            let folder = LLVMDIFileGetDirectory(self.0, &mut folder_length);
            let name = LLVMDIFileGetFilename(self.0, &mut name_length);
            (text(folder, folder_length as usize), text(name, name_length as usize))
        }
    }
}

impl Module<'_> {
    /// The MD5 sum that the compiler noted of a file node's contents, in hexadecimal digits; none for a file that it did not read
    /// itself (`#line`). There is no getter: it is in the text.
    pub fn checksum(&self, file: Meta) -> Option<String> {
        // Sound: a metadata node of this module.
        let text = unsafe { Value(LLVMMetadataAsValue(self.context().raw(), file.0)) }.print();
        let sum = text.rsplit("checksumkind: CSK_MD5, checksum: \"").next()?.split('"').next()?;
        (sum.len() == 32 && sum.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| sum.to_string())
    }
}

impl Value {
    /// An instruction's position.
    pub fn location(self) -> Option<Meta> {
        some(unsafe { LLVMInstructionGetDebugLoc(self.0) })
    }

    /// Where a function is declared.
    pub fn function_location(self) -> Option<Location> {
        // Sound: a subprogram is a scope.
        unsafe {
            let program = some(LLVMGetSubprogram(self.0))?;
            let file = some(LLVMDIScopeGetFile(program.0));
            Some(Location { file, line: LLVMDISubprogramGetLine(program.0), column: 0, inlined_at: None })
        }
    }

    /// A global's metadata of a kind.
    pub fn attached(self, kind: u32) -> Option<Meta> {
        let mut count = 0;
        // Sound: the entries are `count` many, and freed once.
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let found = (0..count as u32).find(|&i| LLVMValueMetadataEntriesGetKind(entries, i) == kind);
            let found = found.and_then(|i| some(LLVMValueMetadataEntriesGetMetadata(entries, i)));
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    /// Where a global is declared, from its attachment of kind `dbg`.
    pub fn global_location(self, dbg: u32) -> Option<Location> {
        let expression = self.attached(dbg)?;
        // Sound: the attachment of a global of this kind is a variable with its expression.
        unsafe {
            if !matches!(
                LLVMGetMetadataKind(expression.0),
                LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind
            ) {
                return None;
            }
            let variable = some(LLVMDIGlobalVariableExpressionGetVariable(expression.0))?;
            let file = some(LLVMDIVariableGetFile(variable.0));
            Some(Location { file, line: LLVMDIVariableGetLine(variable.0), column: 0, inlined_at: None })
        }
    }
}

impl Module<'_> {
    /// The names of a function's parameters, by their number in the source (from 1). They are read from the records of the
    /// function's own variables: those of what was inlined into it have another scope.
    pub fn parameter_names(&self, function: Value) -> BTreeMap<u32, String> {
        self.parameters(function).into_iter().map(|(_, number, name)| (number, name)).collect()
    }

    /// The nodes of a function's parameters with their numbers and names, each as often as it is recorded.
    pub(super) fn parameters(&self, function: Value) -> Vec<(LLVMMetadataRef, u32, String)> {
        let mut all = Vec::new();
        // Sound: records are walked as LLVM lists them; only the variable is asked, which every kind but a label has.
        unsafe {
            let own = LLVMGetSubprogram(function.0);
            for instruction in function.blocks().into_iter().flat_map(BlockRef::instructions) {
                let mut record = LLVMGetFirstDbgRecord(instruction.0);
                while !record.is_null() {
                    if !matches!(LLVMDbgRecordGetKind(record), LLVMDbgRecordKind::LLVMDbgRecordLabel) {
                        let variable = LLVMDbgVariableRecordGetVariable(record);
                        all.extend(self.parameter(variable, own).map(|(number, name)| (variable, number, name)));
                    }
                    record = LLVMGetNextDbgRecord(record);
                }
            }
        }
        all
    }

    /// Number and name of a variable that is a parameter of the function. The number has no getter: it is in the text.
    ///
    /// # Safety
    /// `variable` is a local variable's node or null.
    unsafe fn parameter(&self, variable: LLVMMetadataRef, function: LLVMMetadataRef) -> Option<(u32, String)> {
        if variable.is_null() {
            return None;
        }
        unsafe {
            if LLVMDIVariableGetScope(variable) != function {
                return None;
            }
            let text = Value(LLVMMetadataAsValue(self.context().raw(), variable)).print();
            let number = text.split(", arg: ").nth(1)?.split(',').next()?.parse().ok()?;
            Some((number, self.variable_name(variable)?))
        }
    }

    /// The variables whose names are given in a block.
    pub fn declared(&self, block: BlockRef) -> Vec<Declared> {
        let mut all = Vec::new();
        for instruction in block.instructions() {
            // Sound: records are walked as LLVM lists them, each asked only what its kind has.
            unsafe {
                let mut record = LLVMGetFirstDbgRecord(instruction.0);
                while !record.is_null() {
                    all.extend(self.variable(record));
                    record = LLVMGetNextDbgRecord(record);
                }
            }
        }
        all
    }

    /// # Safety
    /// `record` belongs to this module.
    unsafe fn variable(&self, record: LLVMDbgRecordRef) -> Option<Declared> {
        unsafe {
            // Only declarations: asking a value record whose list of values became empty reads past that list in LLVM.
            if !matches!(LLVMDbgRecordGetKind(record), LLVMDbgRecordKind::LLVMDbgRecordDeclare) {
                return None;
            }
            let value = LLVMDbgVariableRecordGetValue(record, 0);
            let variable = LLVMDbgVariableRecordGetVariable(record);
            if value.is_null() || variable.is_null() {
                return None;
            }
            Some(Declared { value: Value(value), name: self.variable_name(variable)? })
        }
    }

    /// # Safety
    /// `variable` is a local variable's node: its second operand is its name.
    unsafe fn variable_name(&self, variable: LLVMMetadataRef) -> Option<String> {
        unsafe {
            let node = LLVMMetadataAsValue(self.context().raw(), variable);
            let count = LLVMGetMDNodeNumOperands(node) as usize;
            let mut operands = vec![std::ptr::null_mut(); count];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            let name = *operands.get(1)?;
            if name.is_null() {
                return None;
            }
            let mut length = 0;
            let pointer = LLVMGetMDString(name, &mut length);
            (!pointer.is_null()).then(|| text(pointer, length as usize))
        }
    }
}
