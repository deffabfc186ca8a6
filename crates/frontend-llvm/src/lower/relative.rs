//! Tables of 32-bit distances to addresses, which optimisers make of constant tables of pointers in position-independent code.
//!
//! A distance between two objects is not known before addresses are given. Such a table is only read by `llvm.load.relative`, which adds the
//! distance back; so the table is kept as the addresses themselves, eight bytes each, and the read takes one at twice the offset.

use super::Unit;
use super::body::Body;
use crate::llvm::{LLVMOpcode, LLVMValueKind, Value};
use strata_ir::{Constant, GlobalId, Init, Relocation, Target};

impl Unit<'_> {
    /// Makes a table of addresses of a global, if it is such a table and used as one only.
    pub fn absolute_table(&mut self, global: Value, contents: Value, id: GlobalId) -> bool {
        // The entries refer to the table too: those are constants, not reads.
        let reads = |user: Value| {
            user.kind() == LLVMValueKind::LLVMConstantExprValueKind || user.calls_intrinsic("llvm.load.relative")
        };
        if !global.users().into_iter().all(reads) {
            return false;
        }
        let Some(relocations) = self.distances(contents, id) else { return false };
        let made = &mut self.program.globals[id.index()];
        made.size = relocations.len() as u64 * 8;
        made.align = made.align.max(8);
        made.init = Init::Bytes { bytes: vec![0; relocations.len() * 8], relocations };
        self.tables.insert(global);
        true
    }

    fn distances(&self, contents: Value, table: GlobalId) -> Option<Vec<Relocation>> {
        if contents.kind() != LLVMValueKind::LLVMConstantArrayValueKind {
            return None;
        }
        let entry = |i: u32| {
            let (target, addend) = self.distance(contents.operand(i), table)?;
            Some(Relocation { offset: u64::from(i) * 8, target, addend })
        };
        (0..contents.operands()).map(entry).collect()
    }

    /// What `trunc (sub (ptrtoint X), (ptrtoint table))` points to.
    fn distance(&self, entry: Value, table: GlobalId) -> Option<(Target, i64)> {
        let inner = |value: Value, opcode: LLVMOpcode| {
            (value.kind() == LLVMValueKind::LLVMConstantExprValueKind && value.constant_opcode() == opcode)
                .then(|| value.operand(0))
        };
        let difference = inner(entry, LLVMOpcode::LLVMTrunc)?;
        inner(difference, LLVMOpcode::LLVMSub)?;
        let base = self.scalar_constant(difference.operand(1))?;
        match self.scalar_constant(difference.operand(0))? {
            Constant::Address(target, addend) if base == Constant::Address(Target::Global(table), 0) => {
                Some((target, addend))
            }
            Constant::Address(..) | Constant::Bits(_) | Constant::Undefined(_) => None,
        }
    }
}

impl Body<'_, '_> {
    /// `llvm.load.relative`.
    pub fn load_relative(&mut self, v: Value, callee: Value) {
        if !self.unit.tables.contains(&v.operand(0)) {
            return self.unsupported(format!("the intrinsic {}", callee.name()));
        }
        let (table, offset) = (self.operand(v.operand(0)), self.operand(v.operand(1)));
        let place = self.offset(table, offset, 2);
        let address = self.load_bits(place, 64);
        self.define(v, vec![address]);
    }
}
