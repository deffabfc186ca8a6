//! Runs a state: handlers of plain instructions (`plain`) as long as they go, the general meaning (`exec`) where they stop, calls
//! and returns between them.
//!
//! Instructions are counted by block as it is entered, and entered into the state where somebody may look.

use crate::code::{CallSite, Code, Ins, Op};
use crate::config::Config;
use crate::echo::Echo;
use crate::end::End;
use crate::exec::{Flow, Switches, Tables};
use crate::image::Image;
use crate::plain::{Exit, Run, SLICE};
use crate::state::{Frame, State};
use std::collections::HashMap;
use std::sync::Arc;
use strata_memory::{Origin, Value, Windows};
use strata_query::{Interrupt, Solver};
use strata_term::mask;

/// What an instruction costs that takes the general path, in others.
const GENERAL: u64 = 16;

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
    pub(crate) tables: Tables,
    pub(crate) switches: Switches,
    /// Room for the arguments of a hook.
    pub(crate) arguments: Vec<(Value, u32)>,
    /// Work since the last look at the fuel that is no instruction of the program's, in such instructions.
    pub(crate) work: u64,
    /// Shared with the state whose pages the windows view, while it waits for its next turn.
    viewing: Option<Arc<()>>,
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
            tables: Tables::default(),
            switches: Switches::default(),
            arguments: Vec::new(),
            work: 0,
            viewing: None,
        }
    }

    /// Starts a call of `function` in a state without frames.
    pub fn start(&mut self, state: &mut State, function: u32, arguments: &[Value]) {
        let code = self.image.code(function);
        state.stack.push(function, code);
        state.saw_uninit |= code.has_undefined;
        for (slot, value) in code.params.iter().zip(arguments) {
            state.stack.registers()[*slot as usize] = value.clone();
        }
        self.image.cover(code.blocks[0].number);
    }

    /// Runs a state for about so many instructions, or until it forks or ends. Gives the live states that came of it, in
    /// order of their decisions; what ended is in `ended`.
    pub fn run(&mut self, mut state: Box<State>, fuel: u64) -> Vec<Box<State>> {
        self.resume_windows(&mut state);
        let result = self.run_until_pause(&mut state, fuel);
        self.tell(&mut state);
        if matches!(result, Ok(Pause::Fuel)) {
            self.viewing = Some(Arc::new(()));
            state.viewer = self.viewing.clone();
        } else {
            self.windows.close_all();
        }
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

    /// Windows stay open from one turn of a state to its next, unless something else ran here or the state's pages got other holders.
    fn resume_windows(&mut self, state: &mut State) {
        let (ours, its) = (self.viewing.take(), state.viewer.take());
        // Sound: both hold the same mark, so nobody else's can be at its address; whoever forks the state takes its mark away.
        if !ours.zip(its).is_some_and(|(ours, its)| Arc::ptr_eq(&ours, &its)) {
            self.windows.close_all();
        }
    }

    fn run_until_pause(&mut self, state: &mut State, fuel: u64) -> Result<Pause, End> {
        let mut fuel = fuel as i64;
        loop {
            match self.run_fast(state, &mut fuel)? {
                Some(pause) => return Ok(pause),
                None => {
                    let flow = self.general(state)?;
                    // Turns are about as long in time, whatever a program does in them.
                    fuel -= (GENERAL + std::mem::take(&mut self.work)) as i64;
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
        let mut code: &'a Code = self.image.code(state.stack.top().function);
        self.windows.watch(state.unpinned.is_some());
        loop {
            let (exit, ins) = self.run_slice(state, code, fuel);
            match exit {
                Exit::General => return Ok(None),
                Exit::Rest if *fuel < 0 => return Ok(Some(Pause::Fuel)),
                Exit::Rest => {}
                Exit::Call => {
                    let site = &code.calls[ins.d as usize];
                    if !site.has_body || !state.aliases.is_empty() {
                        return Ok(None);
                    }
                    code = self.enter(state, site, site.function)?;
                    *fuel -= 1;
                }
                Exit::CallIndirect => {
                    let site = &code.calls[ins.d as usize];
                    let target = &state.stack.registers_ref()[ins.a as usize / size_of::<Value>()];
                    let Some(callee) = self.fits(target, site) else { return Ok(None) };
                    code = self.enter(state, site, callee)?;
                    *fuel -= 1;
                }
                Exit::Return => code = self.leave(state, code, ins)?,
                Exit::Allocate => self.make_locals(state, code, fuel)?,
            }
        }
    }

    /// Makes the local variables from the running call's position on: a function's stand together at its start.
    fn make_locals(&mut self, state: &mut State, code: &Code, fuel: &mut i64) -> Result<(), End> {
        let first = state.stack.top().pc as usize;
        for ins in code.ins[first..].iter().take_while(|ins| ins.op == Op::Allocate) {
            let (address, number) = self.make_local(state, ins.c, code.locals[ins.d as usize])?;
            state.stack.registers()[ins.to as usize / size_of::<Value>()] = Value::pointer(address, number);
            state.stack.top_mut().pc += 1;
            *fuel -= GENERAL as i64;
        }
        Ok(())
    }

    /// Runs handlers from the running call's position on, until they stop or some instructions are done. Gives why and where.
    #[inline]
    fn run_slice(&mut self, state: &mut State, code: &'a Code, fuel: &mut i64) -> (Exit, &'a Ins) {
        let slice = (*fuel).min(SLICE);
        let first = code.ins.as_ptr();
        let ins = &code.ins[state.stack.top().pc as usize];
        let registers = state.stack.registers().as_mut_ptr();
        let mut run = Run {
            windows: &raw mut self.windows,
            state,
            image: self.image,
            sides: self.image.side_cells().as_ptr(),
            code,
            entries: code.blocks.as_ptr(),
            first,
            slice,
            at: first,
            left: slice,
        };
        // Safety: the invariants of `plain` hold: the program was verified, the pointers are those of this frame and state, and nothing
        // else touches them until the handler is back.
        let exit = unsafe { (ins.run)(&raw mut run, ins, registers, slice) };
        // Safety: handlers stop at an instruction of the function they run.
        let (at, pc) = unsafe { (&*run.at, run.at.offset_from(first)) };
        state.stack.top_mut().pc = pc as u32;
        let done = slice - run.left;
        state.instructions += done as u64;
        *fuel -= done;
        (exit, at)
    }

    /// The function that a plain pointer points to, when it has code and takes just these arguments.
    fn fits(&self, target: &Value, site: &CallSite) -> Option<u32> {
        let number = self.image.pointed(target)?.0;
        let function = &self.image.program.functions[number as usize];
        let widths = function.params.iter().map(|param| function.registers[param.index()]);
        let same =
            function.params.len() == site.arguments.len() && widths.eq(site.arguments.iter().map(|(_, width)| *width));
        (same && !function.variadic && self.image.has_body(number)).then_some(number)
    }

    /// Starts a call, and gives the code that runs now.
    #[inline]
    fn enter(&mut self, state: &mut State, site: &CallSite, callee: u32) -> Result<&'a Code, End> {
        let number = callee;
        let callee = self.image.code(number);
        self.check_stack(state)?;
        let entry = &callee.blocks[0];
        if self.image.cover(entry.number) {
            state.covered_new = true;
            state.covered_at = state.instructions;
        }
        state.instructions += u64::from(entry.length);
        state.saw_uninit |= callee.has_undefined;
        state.stack.call(number, callee, &site.arguments);
        Ok(callee)
    }

    /// Back to the caller, with the values of this return. Gives the code that runs then.
    fn leave(&mut self, state: &mut State, code: &Code, ins: &Ins) -> Result<&'a Code, End> {
        let value = &state.stack.registers_ref()[ins.a as usize / size_of::<Value>()..];
        let plain = match (ins.width, value) {
            (0, _) => None,
            (1, [value, ..]) if value.term.is_none() => Some((value.bits, value.origin)),
            _ => return self.leave_with_all(state, &code.returns[ins.d as usize]),
        };
        if !state.stack.objects().is_empty() {
            self.release(state, 0);
        }
        if !state.stack.pop() {
            let (bits, origin) = plain.unwrap_or_default();
            return Err(End::Exit(Value::pointer(bits, origin)));
        }
        let caller = self.image.code(state.stack.top().function);
        if let Some((bits, origin)) = plain
            && let Some((slot, width)) = caller.results(state.stack.top().pc).first()
        {
            let slot = &mut state.stack.registers()[*slot as usize];
            let value = if *width < 64 { (bits & mask(*width), Origin::NONE) } else { (bits, origin) };
            (slot.bits, slot.origin) = value;
            slot.term = None;
        }
        state.stack.top_mut().pc += 1;
        Ok(caller)
    }

    /// The same for several values, or one that is a term.
    fn leave_with_all(&mut self, state: &mut State, operands: &[u32]) -> Result<&'a Code, End> {
        let values: Vec<Value> = operands.iter().map(|operand| state.stack.operand(*operand).clone()).collect();
        self.release(state, 0);
        if !state.stack.pop() {
            return Err(End::Exit(values.into_iter().next().unwrap_or_default()));
        }
        let caller = self.image.code(state.stack.top().function);
        for ((slot, width), value) in caller.results(state.stack.top().pc).iter().zip(values) {
            let value = match &value.term {
                None if *width < 64 => Value::bits(value.bits & mask(*width)),
                // Called through a pointer of another type.
                Some(term) if term.width() != *width => Value::term(term.resize(*width)),
                None | Some(_) => value,
            };
            state.stack.registers()[*slot as usize] = value;
        }
        state.stack.top_mut().pc += 1;
        Ok(caller)
    }

    /// Where the results of the call go that a frame is at: slots and widths.
    pub(crate) fn results(&self, frame: &Frame) -> &'a [(u32, u32)] {
        self.image.code(frame.function).results(frame.pc)
    }

    /// Ends the life of the running call's objects beyond the first `keep`.
    pub(crate) fn release(&mut self, state: &mut State, keep: usize) {
        while let Some(number) = state.stack.take_object(keep) {
            state.space.take(number, |object| {
                state.stack_bytes -= object.size.min(state.stack_bytes);
                self.windows.close(object);
            });
        }
    }
}
