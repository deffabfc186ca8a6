//! Runs a state: handlers of plain instructions (`plain`) as long as they go, the general meaning (`exec`) where they stop, calls
//! and returns between them.
//!
//! Instructions are counted by block as it is entered, and entered into the state where somebody may look.

use crate::code::{Code, Op};
use crate::config::Config;
use crate::echo::Echo;
use crate::end::End;
use crate::exec::{Asked, Bounds, Flow, Switches, Tables};
use crate::image::Image;
use crate::plain::{Exit, Run, SLICE};
use crate::results::Results;
use crate::state::{Frame, State};
use crate::view::View;
use std::collections::HashMap;
use strata_memory::Value;
use strata_query::{Gauge, Interrupt, Solver};
use strata_term::mask;

/// What an instruction costs that takes the general path, in others.
const GENERAL: u64 = 16;

/// What a worker needs to run states.
pub struct Machine<'a> {
    /// The program.
    pub(crate) image: &'a Image,
    /// What was asked for.
    pub config: &'a Config,
    /// Answers questions about paths.
    pub solver: Box<dyn Solver + 'a>,
    /// Stops a question, and the run.
    pub interrupt: Interrupt,
    /// Paths that ended.
    pub ended: Vec<(Box<State>, End)>,
    /// Time in the solver.
    pub solving: Gauge,
    /// Things to tell the user that end no path.
    pub warnings: Vec<Warning>,
    /// How many states were forked off at each place (an index into the program's places).
    pub forks: HashMap<u32, u64>,
    /// Who wants to see what paths write.
    pub echo: Option<Echo>,
    #[expect(clippy::vec_box, reason = "states are large, and move between lists")]
    pub(crate) siblings: Vec<Box<State>>,
    pub(crate) view: View,
    results: Results,
    pub(crate) tables: Tables,
    pub(crate) asked: Asked,
    pub(crate) bounds: Bounds,
    pub(crate) switches: Switches,
    /// Room for the arguments of a hook.
    pub(crate) arguments: Vec<(Value, u32)>,
    /// Work since the last look at the fuel that is no instruction of the program's, in such instructions.
    pub(crate) work: u64,
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
            solving: Gauge::default(),
            warnings: Vec::new(),
            forks: HashMap::new(),
            echo: None,
            siblings: Vec::new(),
            view: View::default(),
            results: Results::default(),
            tables: Tables::default(),
            asked: Asked::default(),
            bounds: Bounds::default(),
            switches: Switches::default(),
            arguments: Vec::new(),
            work: 0,
        }
    }

    /// Starts a call of `function` in a state without frames.
    pub fn start(&mut self, state: &mut State, function: u32, arguments: &[Value]) {
        let code = self.image.code(function);
        // Sound: handlers index registers by the code of the frame's function, without a look.
        assert!(state.stack.depth() == 0 || state.image == self.image.number, "a state of another program");
        state.image = self.image.number;
        state.stack.push(function, code);
        state.saw_uninit |= code.has_undefined;
        for (slot, value) in code.params.iter().zip(arguments) {
            state.stack.registers()[*slot as usize] = value.clone();
        }
        self.image.cover(code.blocks[0].number);
    }

    /// Runs the state in `slot` for about so many instructions, or until it forks or ends. Gives the live states that came of it, in
    /// order of their decisions; what ended is in `ended`. A panic leaves the state in `slot`, as far as it got: whoever catches the
    /// panic can say on which path it was, and uses this machine no more.
    pub fn run(&mut self, slot: &mut Option<Box<State>>, fuel: u64) -> Vec<Box<State>> {
        let Some(running) = slot.as_mut() else { return Vec::new() };
        assert!(running.image == self.image.number, "a state of another program");
        let result = self.run_until_pause(running, fuel);
        self.tell(running);
        let result = result.map_err(|end| self.with_leaks(running, end));
        let Some(state) = slot.take() else { return Vec::new() };
        // Windows stay open from one turn of a state to its next.
        if !matches!(result, Ok(Pause::Fuel)) {
            self.view.close_all();
        }
        match result {
            Ok(Pause::Fuel | Pause::Forked) => {
                let mut live = vec![state];
                live.append(&mut self.siblings);
                live.sort_by_key(|s| s.decisions.iter().next().copied().unwrap_or(0));
                live
            }
            Err(end) => {
                self.ended.push((state, end));
                std::mem::take(&mut self.siblings)
            }
        }
    }

    /// How many states a turn had forked off when it panicked. They may be half made.
    pub fn abandoned(&self) -> usize {
        self.siblings.len()
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
                        Flow::Next => {
                            self.results.keep(state.stack.registers_ref());
                            state.stack.top_mut().pc += 1;
                        }
                        Flow::Jumped => {}
                        Flow::Forked | Flow::Landed => return Ok(Pause::Forked),
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
        loop {
            let exit;
            (exit, code) = self.run_slice(state, code, fuel);
            match exit {
                Exit::General => return Ok(None),
                Exit::Rest if *fuel < 0 => return Ok(Some(Pause::Fuel)),
                Exit::Rest => {}
                Exit::Return => code = self.leave(state, code)?,
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

    /// Runs handlers from the running call's position on, until they stop or some instructions are done. Gives why, and the code that runs then.
    fn run_slice(&mut self, state: &mut State, code: &'a Code, fuel: &mut i64) -> (Exit, &'a Code) {
        let slice = (*fuel).min(SLICE);
        let ins = &code.ins[state.stack.top().pc as usize];
        let registers = state.stack.registers().as_mut_ptr();
        let mut run = Run {
            windows: self.view.raw(state),
            results: &raw mut self.results,
            state,
            image: self.image,
            sides: self.image.side_cells().as_ptr(),
            max_calls: self.config.max_calls,
            code,
            entries: code.blocks.as_ptr(),
            first: code.ins.as_ptr(),
            slice,
            at: ins,
            left: slice,
        };
        // Safety: the invariants of `plain` hold: the program was verified, the pointers are those of this frame and state, and nothing
        // else touches them until the handler is back.
        let exit = unsafe { (ins.run)(&raw mut run, ins, registers, slice) };
        // Safety: handlers stop at an instruction of the function they run, which is one of the image's.
        let (code, pc) = unsafe { (&*run.code, run.at.offset_from(run.first)) };
        state.stack.top_mut().pc = pc as u32;
        let done = slice - run.left;
        state.instructions += done as u64;
        *fuel -= done;
        (exit, code)
    }

    /// Back to the caller with several values, or one that is a term, or from the last call. Gives the code that runs then.
    fn leave(&mut self, state: &mut State, code: &Code) -> Result<&'a Code, End> {
        let operands = &code.returns[code.ins[state.stack.top().pc as usize].d as usize];
        let values: Vec<Value> = operands.iter().map(|operand| state.stack.operand(*operand).clone()).collect();
        state.release(0, |object| self.view.close(object));
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
}
