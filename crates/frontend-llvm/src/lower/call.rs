//! Calls: direct and through pointers, with arguments fitted to what the callee takes; inline assembler.
//!
//! C lets a program call a function as if it had another type. A direct call is fitted to the callee as it is: missing arguments are
//! undefined, surplus ones dropped, numbers of another width cut or widened. Through a pointer nothing is known here, and the
//! interpreter compares.

use super::body::{Body, bits, undefined};
use super::variadic::Slots;
use crate::llvm::{LLVMValueKind, Type, Value};
use strata_ir::{Constant, FunctionId, Instruction, Operand, Reg, Target};

/// What is called.
enum Callee {
    Known(FunctionId),
    Address(Operand),
}

impl Body<'_, '_> {
    /// `call` and the calling half of `invoke`.
    pub fn call(&mut self, v: Value) {
        let callee = v.callee();
        if callee.kind() == LLVMValueKind::LLVMInlineAsmValueKind {
            return self.assembler(v, callee);
        }
        if callee.kind() == LLVMValueKind::LLVMFunctionValueKind && callee.intrinsic() != 0 {
            return self.intrinsic(v, callee);
        }
        let arguments = v.arguments();
        if (0..arguments.len()).any(|i| self.unit.attributes.inalloca(v, i)) {
            return self.unsupported("a call with inalloca arguments".to_string());
        }
        let callee = match self.operand(callee) {
            Operand::Const(Constant::Address(Target::Function(id), 0)) => Callee::Known(id),
            address => Callee::Address(address),
        };
        let copies = (0..arguments.len()).any(|i| self.unit.attributes.byval(v, i).is_some());
        let mark = copies.then(|| self.mark());
        match callee {
            Callee::Known(id) => self.call_known(v, id, &arguments),
            Callee::Address(target) => self.call_address(v, target, &arguments),
        }
        if let Some(mark) = mark {
            self.emit(Instruction::Release { mark: Operand::Reg(mark) });
        }
    }

    /// The present objects of the frame.
    pub fn mark(&mut self) -> Reg {
        let to = self.reg(64);
        self.emit(Instruction::Mark { to });
        to
    }

    /// A call of a function by id with plain operands, results of the call's own type.
    pub fn call_plain(&mut self, v: Value, id: FunctionId, arguments: Vec<(Operand, u32)>) {
        let to = self.results(v, &self.unit.widths(v.ty()));
        self.emit(Instruction::Call { to, function: id, arguments });
    }

    /// Fresh registers for a call's results, if anything uses them.
    fn results(&mut self, v: Value, widths: &[u32]) -> Vec<Reg> {
        if !v.used() {
            return Vec::new();
        }
        let to: Vec<Reg> = widths.iter().map(|w| self.reg(*w)).collect();
        self.define(v, to.iter().copied().map(Operand::Reg).collect());
        to
    }

    /// One fixed argument: its parts, or a copy of what a `byval` pointer points to.
    fn argument(&mut self, v: Value, at: usize, argument: Value) -> Vec<Operand> {
        let Some(ty) = self.unit.attributes.byval(v, at) else { return self.operands(argument) };
        let from = self.operand(argument);
        let (size, align) = (ty.size(self.unit.module), ty.align(self.unit.module).max(8));
        let to = self.allocate(bits(64, size), align, String::new());
        self.emit(Instruction::CopyMemory { to: to.clone(), from, length: bits(64, size) });
        vec![to]
    }

    fn surplus(&mut self, v: Value, slots: &mut Slots, at: usize, argument: Value) {
        match self.unit.attributes.byval(v, at) {
            Some(ty) => {
                let address = self.operand(argument);
                self.slot_bytes(slots, address, ty, self.unit.attributes.align(v, at));
            }
            None => self.slot_argument(slots, argument),
        }
    }

    fn call_known(&mut self, v: Value, id: FunctionId, arguments: &[Value]) {
        let declared = self.unit.parameters(id);
        let variadic = self.unit.program.functions[id.index()].variadic;
        let mut passed = Vec::new();
        for (at, ty) in declared.iter().enumerate() {
            let widths = self.unit.widths(*ty);
            let given = arguments.get(at).map(|argument| self.argument(v, at, *argument));
            let Some(fitted) = self.fit(given, &widths) else {
                let name = self.unit.program.functions[id.index()].name.clone();
                return self.unsupported(format!("a call of {name} with arguments of other types than it takes"));
            };
            passed.extend(fitted.into_iter().zip(widths));
        }
        if variadic {
            let mut slots = Slots::default();
            for (at, argument) in arguments.iter().enumerate() {
                if at < declared.len() {
                    self.slot_named(&mut slots, *argument, self.unit.attributes.byval(v, at).is_some());
                } else {
                    self.surplus(v, &mut slots, at, *argument);
                }
            }
            passed.extend(slots.finish());
        }
        self.call_returning(v, id, passed);
    }

    /// What is given, made as wide as what is taken. `None` where it has another number of parts.
    fn fit(&mut self, given: Option<Vec<Operand>>, widths: &[u32]) -> Option<Vec<Operand>> {
        let Some(given) = given else { return Some(widths.iter().copied().map(undefined).collect()) };
        if given.len() != widths.len() {
            return None;
        }
        let exact = given.iter().zip(widths).all(|(o, w)| self.width(o) == *w);
        if !exact && widths.len() != 1 {
            return None;
        }
        Some(given.into_iter().zip(widths).map(|(o, w)| self.resize(o, *w)).collect())
    }

    fn call_returning(&mut self, v: Value, id: FunctionId, arguments: Vec<(Operand, u32)>) {
        let expected = self.unit.widths(v.ty());
        let returned = self.unit.program.functions[id.index()].returns.clone();
        if returned == expected || !v.used() {
            let to = self.results(v, &expected);
            return self.emit(Instruction::Call { to, function: id, arguments });
        }
        if returned.is_empty() {
            // Nothing comes back: the value stays undefined (see `instruction`).
            return self.emit(Instruction::Call { to: Vec::new(), function: id, arguments });
        }
        let to: Vec<Reg> = returned.iter().map(|w| self.reg(*w)).collect();
        let given = to.iter().copied().map(Operand::Reg).collect();
        self.emit(Instruction::Call { to, function: id, arguments });
        match self.fit(Some(given), &expected) {
            Some(result) => self.define(v, result),
            None => {
                let name = self.unit.program.functions[id.index()].name.clone();
                self.unsupported(format!("a call of {name} with a result of another type than it gives"));
            }
        }
    }

    fn call_address(&mut self, v: Value, target: Operand, arguments: &[Value]) {
        let ty = v.called_type();
        let fixed = ty.parameters().len();
        let mut passed = Vec::new();
        let mut slots = Slots::default();
        for (at, argument) in arguments.iter().enumerate() {
            // A type without any parameter is C's old `f()`: the callee need not be variadic, so parts keep their widths.
            if at < fixed || fixed == 0 {
                self.slot_named(&mut slots, *argument, self.unit.attributes.byval(v, at).is_some());
                for part in self.argument(v, at, *argument) {
                    let width = self.width(&part);
                    passed.push((part, width));
                }
            } else {
                self.surplus(v, &mut slots, at, *argument);
            }
        }
        passed.extend(slots.finish());
        let returns = self.unit.widths(v.ty());
        let to = self.results(v, &returns);
        self.emit(Instruction::CallIndirect { to, returns, target, arguments: passed });
    }

    /// Inline assembler: a template without an instruction only ties outputs to inputs.
    fn assembler(&mut self, v: Value, code: Value) {
        let template = code.template();
        if template.lines().map(str::trim).any(|line| !line.is_empty() && !line.starts_with('#')) {
            let text = template.replace('\n', "; ").replace('\t', " ");
            return self.unsupported(format!("inline assembler: {}", text.trim()));
        }
        let constraints = code.constraints();
        let arguments = v.arguments();
        let mut inputs = arguments.iter();
        // Per output: is it a result (not memory written through a pointer), and which input is tied to it?
        let mut outputs: Vec<(bool, Option<Value>)> = Vec::new();
        for constraint in constraints.split(',').filter(|c| !c.starts_with(['~', '!'])) {
            if constraint.starts_with('=') {
                let result = !constraint.contains('*');
                outputs.push((result, None));
                if !result {
                    inputs.next();
                }
                continue;
            }
            let input = inputs.next().copied();
            if let Some(output) = constraint.parse::<usize>().ok().and_then(|at| outputs.get_mut(at)) {
                output.1 = input;
            }
        }
        let tied = outputs.into_iter().filter(|(result, _)| *result).map(|(_, input)| input).collect();
        self.tie(v, tied);
    }

    fn tie(&mut self, v: Value, tied: Vec<Option<Value>>) {
        let types = output_types(v.ty(), tied.len());
        let mut result = Vec::new();
        for (input, ty) in tied.into_iter().zip(types) {
            let widths = self.unit.widths(ty);
            let given = input.map(|input| self.operands(input));
            match self.fit(given, &widths) {
                Some(parts) => result.extend(parts),
                None => result.extend(widths.into_iter().map(undefined)),
            }
        }
        if result.len() == self.unit.shape(v.ty()).len() {
            self.define(v, result);
        }
    }
}

/// The types of an assembler's outputs: the result itself, or the fields of a struct.
fn output_types(ty: Type, count: usize) -> Vec<Type> {
    if count <= 1 { vec![ty] } else { (0..ty.fields()).map(|i| ty.field(i)).collect() }
}
