//! Aliases whose names the engine knows.
//!
//! An alias is another name of its target, and uses of it are uses of the target. But a hook or a root is found by name: an alias with such a
//! name becomes a function of its own that calls the target, unless it is variadic (its arguments cannot be passed on).

use super::Unit;
use strata_ir::{Block, Constant, Instruction, Linkage, Operand, PlaceId, Target};

impl Unit<'_> {
    /// Makes the functions.
    pub fn declare_forwarders(&mut self, roots: &[String]) {
        for alias in self.module.aliases() {
            let name = alias.name();
            if !(self.hooks)(&name) && !roots.contains(&name) {
                continue;
            }
            let Some(Constant::Address(Target::Function(target), 0)) = self.address(alias) else { continue };
            let mut function = self.program.functions[target.index()].clone();
            if function.variadic {
                self.notes.push(format!("{name} is an alias of {}: a hook of that name is not used", function.name));
                continue;
            }
            let first = function.registers.len() as u32;
            function.registers.extend(&function.returns);
            let to: Vec<strata_ir::Reg> = (first..function.registers.len() as u32).map(strata_ir::Reg).collect();
            let arguments = function.params.iter().map(|p| (Operand::Reg(*p), function.registers[p.index()])).collect();
            let values = to.iter().copied().map(Operand::Reg).collect();
            let instructions =
                vec![Instruction::Call { to, function: target, arguments }, Instruction::Return { values }];
            function.name = name;
            function.linkage = Linkage::Library;
            function.blocks = vec![Block { instructions, places: vec![PlaceId(0); 2] }];
            let id = self.push_function(alias, function);
            self.signatures[id.index()] = self.signatures[target.index()].clone();
            self.forwarders.insert(alias, id);
        }
    }
}
