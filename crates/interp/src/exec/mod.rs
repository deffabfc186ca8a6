//! The general meaning of each instruction: on terms, on wide values, and where something can go wrong.

mod arithmetic;
mod control;
mod extent;
mod float;
mod memory;
mod overflow;
mod tables;
mod transfer;

pub(crate) use control::{Switches, no_function};
pub(crate) use extent::Room;
pub use extent::Span;
pub use memory::Spot;
pub(crate) use memory::invalid;
pub(crate) use tables::{Asked, Bounds, Tables};

use crate::code::Op;
use crate::end::{Cause, End, ErrorKind, Fault};
use crate::machine::Machine;
use crate::origin;
use crate::state::State;
use strata_ir::{Constant, Instruction, Operand, Reg};
use strata_memory::{Origin, Value};
use strata_term::Term;

/// Where to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// With the next instruction.
    Next,
    /// At the position the state has now.
    Jumped,
    /// Nowhere yet: the state was forked, each fork has its position.
    Forked,
    /// Nowhere yet: the state waits for others of its fragment.
    Landed,
}

impl Machine<'_> {
    /// Runs the instruction at the state's position.
    pub(crate) fn general(&mut self, state: &mut State) -> Result<Flow, End> {
        let frame = state.stack.top();
        let (function, pc) = (frame.function, frame.pc);
        let image = self.image;
        let code = image.code(function);
        if code.ins[pc as usize].op == Op::Landing {
            return self.land(state);
        }
        let (block, index) = code.source[pc as usize];
        match &image.program.functions[function as usize].blocks[block as usize].instructions[index as usize] {
            Instruction::Copy { to, from } => {
                let value = self.value(state, from);
                self.set(state, *to, value)
            }
            Instruction::Binary { op, to, a, b, checked } => {
                let width = self.operand_width(state, a);
                let (a, b) = (self.value(state, a), self.value(state, b));
                self.binary(state, *op, *to, width, &a, &b, *checked)
            }
            Instruction::Unary { op, to, a } => {
                let a = self.value(state, a);
                self.unary(state, *op, *to, &a)
            }
            Instruction::Overflow { op, to, a, b } => {
                let width = self.operand_width(state, a);
                let (a, b) = (self.value(state, a).to_term(width), self.value(state, b).to_term(width));
                let overflow = self.overflow(state, *op, &a, &b);
                self.set_term(state, *to, overflow)
            }
            Instruction::Extend { to, a, signed } => {
                let (from, width) = (self.operand_width(state, a), self.register_width(state, *to));
                let value = self.value(state, a);
                let term = value.to_term(from);
                let extended = Value::term(if *signed { term.sext(width) } else { term.zext(width) });
                let origin = if from == width { value.origin } else { value.origin.derived() };
                self.set(state, *to, extended.with_origin(origin))
            }
            Instruction::Extract { to, a, low } => {
                let (from, width) = (self.operand_width(state, a), self.register_width(state, *to));
                let value = self.value(state, a);
                let origin = if from == width { value.origin } else { value.origin.derived() };
                let term = value.to_term(from).extract(low + width - 1, *low);
                self.set(state, *to, Value::term(term).with_origin(origin))
            }
            Instruction::Concat { to, high, low } => {
                let (upper, lower) = (self.operand_width(state, high), self.operand_width(state, low));
                let (high, low) = (self.value(state, high), self.value(state, low));
                let whole = Value::term(high.to_term(upper).concat(&low.to_term(lower)));
                self.set(state, *to, whole.with_origin(origin::either(high.origin, low.origin)))
            }
            Instruction::Select { to, condition, a, b } => self.select(state, *to, condition, a, b),
            Instruction::Poison { to, promise, broken, a } => {
                let (broken, a) = (self.value(state, broken), self.value(state, a));
                self.poison(state, *to, *promise, &broken, a)
            }
            Instruction::Freeze { to, a } => {
                let a = self.value(state, a);
                self.freeze(state, *to, a)
            }
            Instruction::Offset { to, base, index, scale } => {
                let width = self.operand_width(state, index);
                let (base, index) = (self.value(state, base), self.value(state, index));
                let offset = index.to_term(width).sext(64).mul(&Term::number(64, *scale));
                let sum = base.to_term(64).add(&offset);
                self.set(state, *to, Value::term(sum).with_origin(base.origin))
            }
            Instruction::Load { to, address } => {
                let address = self.value(state, address);
                self.load(state, *to, &address)
            }
            Instruction::Store { address, value, width } => {
                let (address, value) = (self.value(state, address), self.value(state, value));
                self.store(state, &address, &value, *width)
            }
            Instruction::CopyMemory { to, from, length } => {
                let (to, from, length) = (self.value(state, to), self.value(state, from), self.value(state, length));
                self.copy_memory(state, &to, &from, &length)
            }
            Instruction::FillMemory { to, value, length } => {
                let (to, value, length) = (self.value(state, to), self.value(state, value), self.value(state, length));
                self.fill_memory(state, &to, &value, &length)
            }
            Instruction::Allocate { to, size, align, name: _ } => {
                let size = self.value(state, size);
                self.allocate_local(state, *to, &size, *align)
            }
            Instruction::Mark { to } => {
                let mark = state.stack.objects().len() as u64;
                self.set(state, *to, Value::bits(mark))
            }
            Instruction::Release { mark } => {
                let mark = self.value(state, mark);
                state.release(mark.bits as usize, |object| self.view.close(object));
                Ok(Flow::Next)
            }
            Instruction::Variadic { to } => self.variadic(state, *to),
            Instruction::ObjectSize { to, address } => {
                let address = self.value(state, address);
                self.object_size(state, *to, &address)
            }
            Instruction::Call { to, function, arguments: _ } => {
                let function = state.alias(function.0);
                self.with_arguments(state, |machine, state, arguments| machine.call(state, function, arguments, to))
            }
            Instruction::CallIndirect { to, target, arguments: _, returns: _ } => {
                let target = self.value(state, target);
                self.with_arguments(state, |machine, state, arguments| {
                    machine.call_indirect(state, &target, arguments, to)
                })
            }
            Instruction::Float { op, format, to, a, b } => {
                let (a, b) = (self.plain_float(state, a)?, self.plain_float(state, b)?);
                self.set(state, *to, Value::bits(float::binary(*op, *format, a, b)))
            }
            Instruction::FloatUnary { op, format, to, a } => {
                let a = self.plain_float(state, a)?;
                self.set(state, *to, Value::bits(float::unary(*op, *format, a)))
            }
            Instruction::FloatFma { format, to, a, b, c } => {
                let (a, b, c) = (self.plain_float(state, a)?, self.plain_float(state, b)?, self.plain_float(state, c)?);
                self.set(state, *to, Value::bits(float::fma(*format, a, b, c)))
            }
            Instruction::FloatCompare { relation, format, to, a, b } => {
                let (a, b) = (self.plain_float(state, a)?, self.plain_float(state, b)?);
                self.set(state, *to, Value::bits(u64::from(float::compare(*relation, *format, a, b))))
            }
            Instruction::Convert { conversion, to, a, width } => {
                let a = self.plain_float(state, a)?;
                let result = float::convert(*conversion, a, *width, self.register_width(state, *to));
                self.set(state, *to, Value::bits(result))
            }
            Instruction::Jump { to } => self.go(state, to.0),
            Instruction::Branch { condition, then, otherwise, site } => {
                let condition = self.value(state, condition);
                self.branch(state, &condition, then.0, otherwise.0, *site)
            }
            Instruction::Switch { value, width, cases, default, site } => {
                let value = self.value(state, value);
                self.switch(state, &value, *width, cases, default.0, *site)
            }
            Instruction::JumpIndirect { target, blocks } => {
                let target = self.value(state, target);
                self.jump_indirect(state, &target, blocks)
            }
            Instruction::Return { .. } => unreachable!("returns are fast operations"),
            Instruction::Unreachable => {
                Err(Fault::new(ErrorKind::Unreachable, "reached \"unreachable\" instruction").into())
            }
            Instruction::Trap { kind } => {
                let (kind, text) = match kind.as_str() {
                    "overflow" => (
                        ErrorKind::Overflow,
                        "integer overflow, or a conversion that changes the value (found by the sanitizer)",
                    ),
                    "div" => (ErrorKind::Div, "division by zero, or its overflow (found by the sanitizer)"),
                    "overshift" => (ErrorKind::Overshift, "a shift amount out of range (found by the sanitizer)"),
                    "ptr" => (ErrorKind::Ptr, "memory error: a bad pointer or index (found by the sanitizer)"),
                    "unreachable" => (ErrorKind::Unreachable, "code that must not be reached (found by the sanitizer)"),
                    _ => (ErrorKind::Abort, "the program stops itself by a trap"),
                };
                Err(Fault::new(kind, text).into())
            }
            Instruction::Unsupported { reason } => Err(Cause::new("unsupported", reason.clone()).into()),
        }
    }

    pub(crate) fn register_width(&self, state: &State, reg: Reg) -> u32 {
        self.image.program.functions[state.stack.top().function as usize].registers[reg.index()]
    }

    /// A register of the running call.
    fn register<'s>(&self, state: &'s mut State, reg: Reg) -> &'s mut Value {
        let slot = self.image.code(state.stack.top().function).slots[reg.index()];
        &mut state.stack.registers()[slot as usize]
    }

    fn operand_width(&self, state: &State, operand: &Operand) -> u32 {
        match operand {
            Operand::Reg(reg) => self.register_width(state, *reg),
            Operand::Const(Constant::Bits(bits)) => bits.width(),
            Operand::Const(Constant::Address(..)) => 64,
            Operand::Const(Constant::Undefined(width)) => *width,
        }
    }

    /// The value of an operand.
    fn value(&self, state: &mut State, operand: &Operand) -> Value {
        match operand {
            Operand::Reg(reg) => self.register(state, *reg).clone(),
            Operand::Const(Constant::Bits(bits)) => Value::constant(bits),
            Operand::Const(Constant::Address(target, addend)) => {
                let (address, origin) = self.image.address(target);
                Value::pointer(address.wrapping_add_signed(*addend), origin)
            }
            Operand::Const(Constant::Undefined(width)) => {
                state.saw_uninit = true;
                let frame = state.stack.top();
                Value::term(Term::symbol(&format!("undef:{}:{}", frame.function, frame.pc), *width))
            }
        }
    }

    /// Makes the call that the state is at, with its arguments. They lie in a list that is kept from call to call.
    fn with_arguments(
        &mut self,
        state: &mut State,
        call: impl FnOnce(&mut Self, &mut State, &[(Value, u32)]) -> Result<Flow, End>,
    ) -> Result<Flow, End> {
        let frame = state.stack.top();
        let site = self.image.code(frame.function).site(frame.pc).expect("calls have a site");
        let mut arguments = std::mem::take(&mut self.arguments);
        arguments.extend(site.arguments.iter().map(|(slot, width)| (state.stack.operand(*slot).clone(), *width)));
        let flow = call(self, state, &arguments);
        arguments.clear();
        self.arguments = arguments;
        flow
    }

    fn set(&mut self, state: &mut State, to: Reg, value: Value) -> Result<Flow, End> {
        *self.register(state, to) = value;
        Ok(Flow::Next)
    }

    fn set_term(&mut self, state: &mut State, to: Reg, term: Term) -> Result<Flow, End> {
        self.set(state, to, Value::term(term))
    }

    /// A choice: pointers into different objects fork, so that each keeps its origin.
    fn select(
        &mut self,
        state: &mut State,
        to: Reg,
        condition: &Operand,
        a: &Operand,
        b: &Operand,
    ) -> Result<Flow, End> {
        let width = self.register_width(state, to);
        let condition = self.value(state, condition);
        let (a, b) = (self.value(state, a), self.value(state, b));
        let Some(term) = condition.term else {
            return self.set(state, to, if condition.bits != 0 { a } else { b });
        };
        if a.origin == b.origin || !(a.origin.is_object() || b.origin.is_object()) {
            let chosen = Value::term(Term::ite(&term, &a.to_term(width), &b.to_term(width)));
            let origin = if a.origin == b.origin { a.origin } else { Origin::MIXED };
            return self.set(state, to, chosen.with_origin(origin));
        }
        let term = self.settle(state, &term, "a choice between pointers")?;
        let conditions = [term.not(), term];
        let choices = [b, a];
        let forked = self.split(state, &conditions, &mut |machine, state, i| {
            *machine.register(state, to) = choices[i].clone();
            state.stack.top_mut().pc += 1;
            Ok(())
        })?;
        Ok(if forked { Flow::Forked } else { Flow::Jumped })
    }
}
