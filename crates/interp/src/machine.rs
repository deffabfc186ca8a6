//! Runs a state: the loop over plain integers.
//!
//! Everything here works on concrete values of at most 64 bits. An operand that is a term, an access outside the open windows, a
//! zero divisor and all that is rare leave for `exec`, which knows the general meaning of each instruction. So
//! concrete code builds no term, hashes nothing and allocates nothing.
//!
//! Unsafe: registers and code are reached through raw pointers, because bounds checks on every operand cost a third of the
//! speed. Invariant: `Program`s are verified before they get here (`strata_ir::verify`): register numbers are below the function's
//! register count, block numbers below its block count, every block ends in a terminator; constants were numbered by `code`.
//! The pointers are taken anew whenever a frame is pushed, popped or handed to a slow path.

use crate::code::{CallSite, Code, Ins, Op};
use crate::config::Config;
use crate::echo::Echo;
use crate::end::End;
use crate::exec::Flow;
use crate::image::Image;
use crate::state::State;
use std::collections::HashMap;
use strata_memory::{Origin, Value, Windows};
use strata_query::{Interrupt, Solver};
use strata_term::{mask, signed};

/// What a worker needs to run states.
pub struct Machine<'a> {
    /// The program.
    pub image: &'a Image,
    /// What was asked for.
    pub config: &'a Config,
    /// Answers questions about paths.
    pub solver: Box<dyn Solver + 'a>,
    /// Stops a question, and the run.
    pub interrupt: Interrupt,
    /// Paths that ended.
    pub ended: Vec<(Box<State>, End)>,
    /// Processor time in the solver.
    pub solving: std::time::Duration,
    /// Things to tell the user that end no path.
    pub warnings: Vec<Warning>,
    /// How many states were forked off at each place (an index into the program's places).
    pub forks: HashMap<u32, u64>,
    /// Who wants to see what paths write.
    pub echo: Option<Echo>,
    #[expect(clippy::vec_box, reason = "states are large, and move between lists")]
    pub(crate) siblings: Vec<Box<State>>,
    pub(crate) windows: Windows,
}

/// Something to tell the user once per place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Warning {
    /// Where (an index into the program's places).
    pub place: u32,
    /// What.
    pub text: String,
}

enum Pause {
    /// The fuel is used up.
    Fuel,
    /// The state was forked; siblings wait.
    Forked,
}

impl<'a> Machine<'a> {
    /// A machine for a program.
    pub fn new(
        image: &'a Image,
        config: &'a Config,
        solver: Box<dyn Solver + 'a>,
        interrupt: Interrupt,
    ) -> Machine<'a> {
        Machine {
            image,
            config,
            solver,
            interrupt,
            ended: Vec::new(),
            solving: std::time::Duration::ZERO,
            warnings: Vec::new(),
            forks: HashMap::new(),
            echo: None,
            siblings: Vec::new(),
            windows: Windows::default(),
        }
    }

    /// Starts a call of `function` in a state without frames.
    pub fn start(&mut self, state: &mut State, function: u32, arguments: &[Value]) {
        let code = self.image.code(function);
        state.stack.push(function, code.registers, &code.constants);
        state.saw_uninit |= code.has_undefined;
        for (reg, value) in code.params.iter().zip(arguments) {
            state.stack.registers()[reg.index()] = value.clone();
        }
        self.image.cover(code.blocks[0].number);
    }

    /// Runs a state for about so many instructions, or until it forks or ends. Gives the live states that came of it, in
    /// order of their decisions; what ended is in `ended`.
    pub fn run(&mut self, mut state: Box<State>, fuel: u64) -> Vec<Box<State>> {
        self.windows.close_all();
        let result = self.run_until_pause(&mut state, fuel);
        self.tell(&mut state);
        self.windows.close_all();
        match result {
            Ok(Pause::Fuel | Pause::Forked) => {
                let mut live = vec![state];
                live.append(&mut self.siblings);
                live.sort_by_key(|s| s.decisions.iter().next().copied().unwrap_or(0));
                live
            }
            Err(end) => {
                let end = self.with_leaks(&state, end);
                self.ended.push((state, end));
                std::mem::take(&mut self.siblings)
            }
        }
    }

    fn run_until_pause(&mut self, state: &mut State, fuel: u64) -> Result<Pause, End> {
        let mut fuel = fuel as i64;
        loop {
            match self.run_fast(state, &mut fuel)? {
                Some(pause) => return Ok(pause),
                None => {
                    let flow = self.general(state)?;
                    match flow {
                        Flow::Next => state.stack.top_mut().pc += 1,
                        Flow::Jumped => {}
                        Flow::Forked => return Ok(Pause::Forked),
                    }
                    // A run that is stopped gets no answers: it would ask at every branch of this turn for nothing.
                    if self.interrupt.is_set() {
                        return Ok(Pause::Fuel);
                    }
                }
            }
        }
    }

    /// Runs until an instruction needs the general path (`None`) or there is a reason to pause.
    fn run_fast(&mut self, state: &mut State, fuel: &mut i64) -> Result<Option<Pause>, End> {
        'frame: loop {
            let function = state.stack.top().function;
            let code: &'a Code = self.image.code(function);
            let registers: *mut Value = state.stack.registers().as_mut_ptr();
            let mut pc = state.stack.top().pc as usize;
            let ins = code.ins.as_ptr();
            // Safety (for all of the loop): see the invariant at the top of this file.
            macro_rules! value {
                ($i:expr) => {{
                    let i: u32 = $i;
                    unsafe { &*registers.add(i as usize) }
                }};
            }
            macro_rules! set {
                ($i:expr, $value:expr) => {{
                    let value: Value = $value;
                    unsafe { *registers.add($i as usize) = value }
                }};
            }
            // Instructions are counted by the fuel that is left, and entered where somebody may look.
            let mut left = *fuel;
            macro_rules! settle {
                () => {{
                    state.instructions += (*fuel - left) as u64;
                    *fuel = left;
                }};
            }
            macro_rules! slow {
                () => {{
                    state.stack.top_mut().pc = pc as u32;
                    settle!();
                    return Ok(None);
                }};
            }
            macro_rules! go {
                ($block:expr) => {{
                    let entry = unsafe { code.blocks.get_unchecked($block as usize) };
                    pc = entry.pc as usize;
                    if self.image.cover(entry.number) {
                        settle!();
                        state.covered_new = true;
                        state.covered_at = state.instructions;
                    }
                    left -= i64::from(entry.length);
                    if left < 0 {
                        state.stack.top_mut().pc = pc as u32;
                        settle!();
                        return Ok(Some(Pause::Fuel));
                    }
                    continue;
                }};
            }
            macro_rules! branch {
                ($i:expr, $taken:expr) => {{
                    let taken: bool = $taken;
                    if $i.d != 0 {
                        state.trace.add($i.d, u32::from(taken));
                        self.image.take_side($i.d, u32::from(taken));
                    }
                    go!(if taken { $i.c as u32 } else { ($i.c >> 32) as u32 })
                }};
            }
            macro_rules! binary {
                ($i:expr, |$a:ident, $b:ident| $result:expr) => {{
                    let ($a, $b) = (value!($i.a), value!($i.b));
                    if $a.term.is_some() | $b.term.is_some() {
                        slow!();
                    }
                    set!($i.to, $result);
                }};
            }
            macro_rules! compare {
                ($i:expr, |$a:ident, $b:ident| $result:expr) => {{
                    let ($a, $b) = (value!($i.a), value!($i.b));
                    if $a.term.is_some() | $b.term.is_some() {
                        slow!();
                    }
                    let result: bool = $result;
                    set!($i.to, Value::bits(u64::from(result)));
                }};
            }
            macro_rules! compare_branch {
                ($i:expr, |$a:ident, $b:ident| $result:expr) => {{
                    let ($a, $b) = (value!($i.a), value!($i.b));
                    if $a.term.is_some() | $b.term.is_some() {
                        slow!();
                    }
                    let result: bool = $result;
                    set!($i.to, Value::bits(u64::from(result)));
                    branch!($i, result)
                }};
            }
            loop {
                let i: &Ins = unsafe { &*ins.add(pc) };
                match i.op {
                    Op::Copy => {
                        let from = value!(i.a);
                        let copy =
                            if from.term.is_none() { Value::pointer(from.bits, from.origin) } else { from.clone() };
                        set!(i.to, copy);
                    }
                    Op::Add => {
                        let (a, b) = (value!(i.a), value!(i.b));
                        let sum = a.bits.wrapping_add(b.bits) & i.c;
                        if a.beside() | b.beside() == 0 {
                            set!(i.to, Value::bits(sum));
                        } else if a.term.is_some() | b.term.is_some() {
                            slow!();
                        } else {
                            set!(i.to, Value::pointer(sum, one_of(a, b)));
                        }
                    }
                    Op::Sub => binary!(i, |a, b| {
                        let origin = if b.origin.is_none() { a.origin } else { Origin::NONE };
                        Value::pointer(a.bits.wrapping_sub(b.bits) & i.c, origin)
                    }),
                    Op::Mul => binary!(i, |a, b| Value::bits(a.bits.wrapping_mul(b.bits) & i.c)),
                    Op::And => binary!(i, |a, b| bitwise(a, b, a.bits & b.bits)),
                    Op::Or => binary!(i, |a, b| bitwise(a, b, a.bits | b.bits)),
                    Op::Xor => binary!(i, |a, b| bitwise(a, b, a.bits ^ b.bits)),
                    Op::UDiv => binary!(i, |a, b| {
                        if b.bits == 0 {
                            slow!();
                        }
                        Value::bits(a.bits / b.bits)
                    }),
                    Op::URem => binary!(i, |a, b| {
                        if b.bits == 0 {
                            slow!();
                        }
                        Value::bits(a.bits % b.bits)
                    }),
                    Op::SDiv => binary!(i, |a, b| {
                        // Minus one is the divisor that can overflow.
                        if b.bits == 0 || b.bits == i.c {
                            slow!();
                        }
                        let width = u32::from(i.width);
                        Value::bits((signed(width, a.bits) / signed(width, b.bits)) as u64 & i.c)
                    }),
                    Op::SRem => binary!(i, |a, b| {
                        if b.bits == 0 || b.bits == i.c {
                            slow!();
                        }
                        let width = u32::from(i.width);
                        Value::bits((signed(width, a.bits) % signed(width, b.bits)) as u64 & i.c)
                    }),
                    Op::Shl => binary!(i, |a, b| {
                        if b.bits >= u64::from(i.width) {
                            slow!();
                        }
                        Value::bits(a.bits << b.bits & i.c)
                    }),
                    Op::LShr => binary!(i, |a, b| {
                        if b.bits >= u64::from(i.width) {
                            slow!();
                        }
                        Value::bits(a.bits >> b.bits)
                    }),
                    Op::AShr => binary!(i, |a, b| {
                        if b.bits >= u64::from(i.width) {
                            slow!();
                        }
                        Value::bits((signed(u32::from(i.width), a.bits) >> b.bits) as u64 & i.c)
                    }),
                    Op::Eq => compare!(i, |a, b| a.bits == b.bits),
                    Op::Ne => compare!(i, |a, b| a.bits != b.bits),
                    Op::Ult => compare!(i, |a, b| a.bits < b.bits),
                    Op::Ule => compare!(i, |a, b| a.bits <= b.bits),
                    Op::Slt => {
                        compare!(i, |a, b| signed(u32::from(i.width), a.bits) < signed(u32::from(i.width), b.bits))
                    }
                    Op::Sle => {
                        compare!(i, |a, b| signed(u32::from(i.width), a.bits) <= signed(u32::from(i.width), b.bits))
                    }
                    Op::BranchEq => compare_branch!(i, |a, b| a.bits == b.bits),
                    Op::BranchNe => compare_branch!(i, |a, b| a.bits != b.bits),
                    Op::BranchUlt => compare_branch!(i, |a, b| a.bits < b.bits),
                    Op::BranchUle => compare_branch!(i, |a, b| a.bits <= b.bits),
                    Op::BranchSlt => {
                        compare_branch!(i, |a, b| signed(u32::from(i.width), a.bits)
                            < signed(u32::from(i.width), b.bits))
                    }
                    Op::BranchSle => {
                        compare_branch!(i, |a, b| signed(u32::from(i.width), a.bits)
                            <= signed(u32::from(i.width), b.bits))
                    }
                    Op::ZeroExtend => {
                        let a = value!(i.a);
                        if a.term.is_some() {
                            slow!();
                        }
                        set!(i.to, Value::pointer(a.bits, a.origin));
                    }
                    Op::SignExtend => {
                        let a = value!(i.a);
                        if a.term.is_some() {
                            slow!();
                        }
                        set!(i.to, Value::bits(signed(u32::from(i.width), a.bits) as u64 & i.c));
                    }
                    Op::Truncate => {
                        let a = value!(i.a);
                        if a.term.is_some() {
                            slow!();
                        }
                        let origin = if i.c == u64::MAX { a.origin } else { Origin::NONE };
                        set!(i.to, Value::pointer(a.bits >> i.width & i.c, origin));
                    }
                    Op::Select => {
                        let condition = value!(i.d);
                        if condition.term.is_some() {
                            slow!();
                        }
                        let chosen = if condition.bits != 0 { value!(i.a) } else { value!(i.b) };
                        set!(i.to, chosen.clone());
                    }
                    Op::Offset => {
                        let (base, index) = (value!(i.a), value!(i.b));
                        if base.term.is_some() | index.term.is_some() {
                            slow!();
                        }
                        let index = signed(u32::from(i.width), index.bits) as u64;
                        set!(i.to, Value::pointer(base.bits.wrapping_add(index.wrapping_mul(i.c)), base.origin));
                    }
                    Op::Load => {
                        let address = value!(i.a);
                        if address.term.is_some() {
                            slow!();
                        }
                        match self.windows.load(address.origin, address.bits, u64::from(i.width)) {
                            Some(value) => set!(i.to, value),
                            None => slow!(),
                        }
                    }
                    Op::Store => {
                        let (address, value) = (value!(i.a), value!(i.b));
                        if address.term.is_some() | value.term.is_some() {
                            slow!();
                        }
                        if !self.windows.store(
                            address.origin,
                            address.bits,
                            u64::from(i.width),
                            value.bits,
                            value.origin,
                        ) {
                            slow!();
                        }
                    }
                    Op::Concat => binary!(i, |a, b| Value::bits(a.bits << i.width | b.bits)),
                    Op::Not => {
                        let a = value!(i.a);
                        if a.term.is_some() {
                            slow!();
                        }
                        set!(i.to, Value::bits(!a.bits & i.c));
                    }
                    Op::ByteSwap => {
                        let a = value!(i.a);
                        if a.term.is_some() {
                            slow!();
                        }
                        set!(i.to, Value::bits(a.bits.swap_bytes() >> i.width));
                    }
                    Op::Jump => go!(i.a),
                    Op::Branch => {
                        let condition = value!(i.a);
                        if condition.term.is_some() {
                            slow!();
                        }
                        branch!(i, condition.bits != 0)
                    }
                    Op::Switch => {
                        let value = value!(i.a);
                        if value.term.is_some() {
                            slow!();
                        }
                        let table = &code.tables[i.d as usize];
                        let (block, side) = match table.cases.binary_search_by_key(&value.bits, |case| case.0) {
                            Ok(k) => (table.cases[k].1, table.cases[k].2),
                            Err(_) => (table.default, 0),
                        };
                        if table.site != 0 {
                            state.trace.add(table.site, side);
                            self.image.take_side(table.site, side);
                        }
                        go!(block)
                    }
                    Op::Call => {
                        let site = &code.calls[i.d as usize];
                        let callee = &self.image.program.functions[site.function as usize];
                        let hooked = self.image.hook(site.function).is_some();
                        if hooked || callee.blocks.is_empty() || !state.aliases.is_empty() {
                            slow!();
                        }
                        state.stack.top_mut().pc = pc as u32;
                        settle!();
                        self.enter(state, site, site.function)?;
                        *fuel -= 1;
                        continue 'frame;
                    }
                    Op::CallIndirect => {
                        let target = value!(i.a);
                        let site = &code.calls[i.d as usize];
                        let Some(callee) = self.fits(target, site) else { slow!() };
                        state.stack.top_mut().pc = pc as u32;
                        settle!();
                        self.enter(state, site, callee)?;
                        *fuel -= 1;
                        continue 'frame;
                    }
                    Op::Return => {
                        state.stack.top_mut().pc = pc as u32;
                        settle!();
                        self.leave(state, &code.returns[i.d as usize])?;
                        continue 'frame;
                    }
                    Op::General => slow!(),
                }
                pc += 1;
            }
        }
    }

    /// The function that a plain pointer points to, when it has code and takes just these arguments.
    fn fits(&self, target: &Value, site: &CallSite) -> Option<u32> {
        let number = self.image.function_at(target.concrete()?)?.0;
        let function = &self.image.program.functions[number as usize];
        let widths = function.params.iter().map(|param| function.registers[param.index()]);
        let same =
            function.params.len() == site.arguments.len() && widths.eq(site.arguments.iter().map(|(_, width)| *width));
        (same && !function.blocks.is_empty() && !function.variadic && self.image.hook(number).is_none())
            .then_some(number)
    }

    fn enter(&mut self, state: &mut State, site: &CallSite, callee: u32) -> Result<(), End> {
        let number = callee;
        let callee = self.image.code(number);
        let function = &self.image.program.functions[number as usize];
        self.check_stack(state)?;
        let entry = callee.blocks[0];
        if self.image.cover(entry.number) {
            state.covered_new = true;
            state.covered_at = state.instructions;
        }
        state.instructions += u64::from(entry.length);
        state.saw_uninit |= callee.has_undefined;
        state.stack.call(number, callee, &site.arguments);
        if function.variadic {
            state.stack.keep_variadic(&site.arguments, callee.params.len());
        }
        Ok(())
    }

    /// Back to the caller, with the values of these operands.
    fn leave(&mut self, state: &mut State, operands: &[u32]) -> Result<(), End> {
        let first = operands.first().map(|operand| state.stack.operand(*operand).clone());
        let rest: Vec<Value> = operands.iter().skip(1).map(|operand| state.stack.operand(*operand).clone()).collect();
        self.release(state, 0);
        if !state.stack.pop() {
            return Err(End::Exit(first.unwrap_or_default()));
        }
        let frame = state.stack.top();
        let caller = self.image.code(frame.function);
        let ins = caller.ins[frame.pc as usize];
        let to: &[strata_ir::Reg] = if matches!(ins.op, Op::Call | Op::CallIndirect) {
            &caller.calls[ins.d as usize].to
        } else {
            self.indirect_results(frame.function, frame.pc)
        };
        for (reg, value) in to.iter().zip(first.into_iter().chain(rest)) {
            let width = self.image.program.functions[frame_function(state)].registers[reg.index()];
            let value = match &value.term {
                None if width < 64 => Value::bits(value.bits & mask(width)),
                // Called through a pointer of another type.
                Some(term) if term.width() != width => Value::term(term.resize(width)),
                None | Some(_) => value,
            };
            state.stack.registers()[reg.index()] = value;
        }
        state.stack.top_mut().pc += 1;
        Ok(())
    }

    /// Ends the life of the running call's objects beyond the first `keep`.
    pub(crate) fn release(&mut self, state: &mut State, keep: usize) {
        while state.stack.top().objects.len() > keep {
            let number = state.stack.top_mut().objects.pop().expect("there are more");
            if let Some(object) = state.space.object(number) {
                state.stack_bytes -= object.size.min(state.stack_bytes);
                self.windows.close(object);
                state.space.free(number, 0);
            }
        }
    }
}

fn frame_function(state: &State) -> usize {
    state.stack.top().function as usize
}

/// A pointer with some of its lowest bits changed (a tag, an alignment) is still the same pointer: no other object begins so near. Anything
/// else is a number.
#[inline(always)]
fn bitwise(a: &Value, b: &Value, bits: u64) -> Value {
    let origin = one_of(a, b);
    if origin.is_none() {
        return Value::bits(bits);
    }
    let pointer = if a.origin.is_none() { b.bits } else { a.bits };
    Value::pointer(bits, if pointer ^ bits < 16 { origin } else { Origin::NONE })
}

#[inline(always)]
fn one_of(a: &Value, b: &Value) -> Origin {
    if b.origin.is_none() {
        a.origin
    } else if a.origin.is_none() {
        b.origin
    } else {
        Origin::NONE
    }
}
