//! Branches, switches, calls.

use super::Flow;
use crate::code::side;
use crate::end::{Cause, End, ErrorKind, Fault};
use crate::hooks::Reply;
use crate::machine::Machine;
use crate::solve::{Sides, undecided};
use crate::state::State;
use std::collections::HashMap;
use std::sync::Arc;
use strata_ir::{BlockId, Case, FunctionId, Reg, SURPLUS_LAYOUT, Target};
use strata_memory::Value;
use strata_query::Answer;
use strata_term::{Term, eval, mask};

/// The arguments of a hook, which takes integers and pointers only, one after the other: surplus ones without their layout and without
/// the vector registers (`SURPLUS_LAYOUT`). None where they are so already.
fn in_order(arguments: &[(Value, u32)]) -> Option<Vec<(Value, u32)>> {
    let at = arguments.iter().position(|(_, width)| *width == SURPLUS_LAYOUT)?;
    let (layout, words) = (arguments[at].0.bits, &arguments[at + 1..]);
    let general = GENERAL_END.saturating_sub(layout as u8 as usize) / 8;
    let memory = ((layout >> 16) as usize / 8).saturating_sub(1);
    let words = words.iter().take(general).chain(words.iter().skip(memory));
    Some(arguments[..at].iter().chain(words).cloned().collect())
}

/// Where the general registers of a save area end, in bytes.
const GENERAL_END: usize = 48;

impl Machine<'_> {
    /// Goes on at a block of the running function.
    pub(super) fn go(&mut self, state: &mut State, block: u32) -> Result<Flow, End> {
        let entry = &self.image.code(state.stack.top().function).blocks[block as usize];
        if self.image.cover(entry.number) {
            state.covered_new = true;
            state.covered_at = state.instructions;
        }
        state.instructions += u64::from(entry.length);
        state.stack.top_mut().pc = entry.pc();
        Ok(Flow::Jumped)
    }

    fn take(&mut self, state: &mut State, site: u32, side: u32, block: u32) -> Result<Flow, End> {
        if site != 0 {
            state.trace.add(site, side);
            self.image.take_side(site, side);
        }
        self.go(state, block)
    }

    pub(super) fn branch(
        &mut self,
        state: &mut State,
        condition: &Value,
        then: u32,
        otherwise: u32,
        site: u32,
    ) -> Result<Flow, End> {
        let Some(term) = &condition.term else {
            let taken = condition.bits != 0;
            return self.take(state, site, u32::from(taken), if taken { then } else { otherwise });
        };
        let term = self.settle(state, term, "a branch")?;
        match self.sides(state, &term)? {
            Sides::True => self.take(state, site, 1, then),
            Sides::False => self.take(state, site, 0, otherwise),
            Sides::Both(yes, no) => {
                if self.may_not_fork(state) {
                    self.extend(state, &term, Some(yes));
                    return self.take(state, site, 1, then);
                }
                self.enter_fragments(state);
                let mut sibling = self.fork(state);
                self.extend(&mut sibling, &term.not(), Some(no));
                self.settle_fork(&mut sibling, 1);
                self.take(&mut sibling, site, 0, otherwise)?;
                self.siblings.push(sibling);
                self.extend(state, &term, Some(yes));
                self.settle_fork(state, 0);
                self.take(state, site, 1, then)?;
                Ok(Flow::Forked)
            }
        }
    }

    /// Must this state go one way only? Then the others are counted.
    pub(crate) fn may_not_fork(&mut self, state: &mut State) -> bool {
        if state.single {
            state.notes.push(Cause::new("forking", "forking is switched off by the program"));
        } else if self.config.max_depth.is_some_and(|depth| state.depth >= depth) {
            state.notes.push(Cause::new("depth", "the depth limit was reached"));
        } else {
            return false;
        }
        true
    }

    pub(super) fn switch(
        &mut self,
        state: &mut State,
        value: &Value,
        width: u32,
        cases: &[Case],
        default: u32,
        site: u32,
    ) -> Result<Flow, End> {
        let term = self.settle(state, &value.to_term(width), "a switch")?;
        if let Some(bits) = term.as_const() {
            let block = cases.iter().find(|case| case.value == bits).map_or(default, |case| case.block.0);
            return self.take(state, site, side(cases, default, block), block);
        }
        let frame = state.stack.top();
        let ways = self.switches.of((frame.function, frame.pc), &term, cases, default);
        let possible = self.possible(state, &term, cases, default, &ways);
        let conditions = possible.as_ref().unwrap_or(&ways.conditions);
        let forked = self.split(state, conditions, &mut |machine, state, i| {
            let block = ways.blocks[i];
            machine.take(state, site, side(cases, default, block), block).map(|_| ())
        })?;
        Ok(if forked { Flow::Forked } else { Flow::Jumped })
    }

    /// The conditions of a switch's ways, false for those that no value of the term leads to. `None` if its values are not known, or asking for them is not worth it.
    fn possible(&mut self, state: &State, term: &Term, cases: &[Case], default: u32, ways: &Ways) -> Option<Vec<Term>> {
        if ways.conditions.len() < MANY_WAYS || term.width() > 64 {
            return None;
        }
        let values = self.values_of(&state.path, term)?;
        let target = |value: &u64| {
            let case = cases.iter().find(|case| case.value.to_u64() == Some(*value));
            case.map_or(default, |case| case.block.0)
        };
        let targets: Vec<u32> = values.all.iter().map(target).collect();
        let ways = ways.conditions.iter().zip(&ways.blocks);
        Some(ways.map(|(way, block)| if targets.contains(block) { way.clone() } else { Term::bool(false) }).collect())
    }

    pub(super) fn jump_indirect(&mut self, state: &mut State, target: &Value, blocks: &[BlockId]) -> Result<Flow, End> {
        let term = self.settle(state, &target.to_term(64), "a jump")?;
        let function = FunctionId(state.stack.top().function);
        let address = |block: &BlockId| self.image.address(&Target::Block(function, *block)).0;
        let conditions: Vec<Term> = blocks.iter().map(|block| term.eq(&Term::number(64, address(block)))).collect();
        let any = conditions.iter().fold(Term::bool(false), |any, condition| any.or(condition));
        self.demand(state, &any, |_| Fault::new(ErrorKind::Exec, "a jump to no block of this function"))?;
        let forked =
            self.split(state, &conditions, &mut |machine, state, i| machine.go(state, blocks[i].0).map(|_| ()))?;
        Ok(if forked { Flow::Forked } else { Flow::Jumped })
    }

    #[inline]
    pub(crate) fn check_stack(&self, state: &State) -> Result<(), End> {
        let calls = state.stack.depth();
        if calls < self.config.max_calls { Ok(()) } else { Err(stack_overflow(calls)) }
    }

    pub(super) fn call(
        &mut self,
        state: &mut State,
        function: u32,
        arguments: &[(Value, u32)],
        to: &[Reg],
    ) -> Result<Flow, End> {
        if let Some(hook) = self.image.hook(function) {
            let listed = in_order(arguments);
            match hook(self, state, listed.as_deref().unwrap_or(arguments))? {
                Reply::Nothing => return Ok(Flow::Next),
                Reply::Value(value) => {
                    if let Some(reg) = to.first() {
                        let width = self.register_width(state, *reg);
                        let value = match &value.term {
                            None => Value::pointer(value.bits & mask(width), value.origin),
                            Some(term) if term.width() != width => Value::term(term.resize(width)),
                            Some(_) => value,
                        };
                        self.set(state, *reg, value)?;
                    }
                    return Ok(Flow::Next);
                }
                Reply::Forked => return Ok(Flow::Forked),
                Reply::Jumped => return Ok(Flow::Jumped),
                Reply::Landed => return Ok(Flow::Landed),
                Reply::Declined => {}
            }
        }
        self.call_body(state, function, arguments)
    }

    /// Starts a call of a function's own code.
    pub(crate) fn call_body(
        &mut self,
        state: &mut State,
        function: u32,
        arguments: &[(Value, u32)],
    ) -> Result<Flow, End> {
        let callee = &self.image.program.functions[function as usize];
        if callee.blocks.is_empty() {
            return Err(Cause::new("external", format!("the undefined function '{}' was called", callee.name)).into());
        }
        let code = self.image.code(function);
        self.check_stack(state)?;
        state.stack.push(function, code);
        state.saw_uninit |= code.has_undefined;
        for (i, (reg, slot)) in callee.params.iter().zip(&code.params).enumerate() {
            let width = callee.registers[reg.index()];
            let value = match arguments.get(i) {
                Some((value, _)) if value.term.is_none() && width <= 64 => {
                    Value::pointer(value.bits & mask(width), value.origin)
                }
                Some((value, from)) => Value::term(value.to_term(*from).resize(width)).with_origin(value.origin),
                None => {
                    state.saw_uninit = true;
                    Value::term(Term::symbol(&format!("undef:argument:{function}:{i}"), width))
                }
            };
            state.stack.registers()[*slot as usize] = value;
        }
        if callee.variadic {
            state.stack.keep_surplus(arguments.get(code.params.len()..).unwrap_or_default());
        }
        self.go(state, 0)
    }

    pub(super) fn call_indirect(
        &mut self,
        state: &mut State,
        target: &Value,
        arguments: &[(Value, u32)],
        to: &[Reg],
    ) -> Result<Flow, End> {
        let Some(address) = self.one_address(state, target)? else { return Ok(Flow::Forked) };
        let Some(function) = self.image.function_at(address) else {
            return Err(no_function(Some(address)).into());
        };
        self.call(state, function.0, arguments, to)
    }

    /// Values of a term where a condition holds, up to the limit of resolutions; true when there are no others.
    fn some_values(&mut self, state: &mut State, term: &Term, mut others: Term) -> (Vec<u64>, bool) {
        let mut values: Vec<u64> = Vec::new();
        let Ok(witness) = self.witness(state) else { return (values, false) };
        loop {
            match self.ask(state, &witness, &others) {
                Answer::Sat(_) if values.len() >= self.config.resolutions => return (values, false),
                Answer::Sat(model) => {
                    let value = eval(term, &model).low_u64();
                    others = others.and(&term.ne(&Term::number(64, value)));
                    values.push(value);
                }
                Answer::Unsat => return (values, true),
                Answer::Unknown(reason) => {
                    state.notes.push(undecided(&reason));
                    return (values, false);
                }
            }
        }
    }

    /// A code address as a number; a symbolic one forks over what it can be.
    fn one_address(&mut self, state: &mut State, target: &Value) -> Result<Option<u64>, End> {
        let Some(term) = &target.term else { return Ok(Some(target.bits)) };
        let term = self.settle(state, term, "a call's target")?;
        if let Some(address) = term.const_u64() {
            return Ok(Some(address));
        }
        if let Some((_, value)) = state.pinned.iter().take(16).find(|(pinned, _)| *pinned == term) {
            return Ok(Some(*value));
        }
        let same = |address: u64| term.eq(&Term::number(64, address));
        let (mut values, all) = self.some_values(state, &term, Term::bool(true));
        let mut listed = all;
        if !all {
            // Too many to be listed: then only the functions among them are.
            let valid = self.image.entries().into_iter().fold(Term::bool(false), |any, address| any.or(&same(address)));
            let (found, all) = self.some_values(state, &term, valid);
            values = found;
            listed = all;
            if !all {
                state
                    .notes
                    .push(Cause::new("resolution", format!("a call may go to more than {} functions", values.len())));
            }
        }
        values.retain(|address| self.image.function_at(*address).is_some());
        values.sort_unstable();
        let mut conditions: Vec<Term> = values.iter().map(|value| same(*value)).collect();
        // All that is no function is one path.
        conditions.push(conditions.iter().fold(Term::bool(true), |none, condition| none.and(&condition.not())));
        let forked = self.split(state, &conditions, &mut |_, state, i| {
            let Some(value) = values.get(i) else {
                // Sound: where functions may be missing from the list, what is not on it need not be invalid.
                let unlisted = || Cause::new("resolution", "a call may go to functions that were not listed");
                return Err(if listed { no_function(None).into() } else { unlisted().into() });
            };
            state.pinned.push((term.clone(), *value));
            Ok(())
        })?;
        if forked { Ok(None) } else { self.one_address(state, target) }
    }
}

/// A switch with fewer ways is not worth asking for all values.
const MANY_WAYS: usize = 4;

/// Where a switch on a term can go, and when.
struct Ways {
    blocks: Vec<u32>,
    conditions: Vec<Term>,
}

impl Ways {
    /// One for each block that is reached, however many cases lead there.
    fn new(term: &Term, cases: &[Case], default: u32) -> Ways {
        let mut ways = Ways { blocks: Vec::new(), conditions: Vec::new() };
        let mut any = Term::bool(false);
        for case in cases {
            let same = term.eq(&Term::constant(case.value.clone()));
            any = any.or(&same);
            ways.add(case.block.0, same);
        }
        ways.add(default, any.not());
        ways
    }

    fn add(&mut self, block: u32, condition: Term) {
        match self.blocks.iter().position(|known| *known == block) {
            Some(i) => self.conditions[i] = self.conditions[i].or(&condition),
            None => {
                self.blocks.push(block);
                self.conditions.push(condition);
            }
        }
    }
}

/// Ways out of switches, by position and term: paths come to the same switch with the same bytes, and a hundred cases are some hundred terms each time.
#[derive(Default)]
pub(crate) struct Switches(HashMap<(u32, u32, Term), Arc<Ways>>);

/// How many of them are kept.
const KEPT: usize = 256;

impl Switches {
    fn of(&mut self, (function, pc): (u32, u32), term: &Term, cases: &[Case], default: u32) -> Arc<Ways> {
        if self.0.len() >= KEPT {
            self.0.clear();
        }
        let ways = self.0.entry((function, pc, term.clone()));
        ways.or_insert_with(|| Arc::new(Ways::new(term, cases, default))).clone()
    }
}

#[cold]
fn stack_overflow(calls: usize) -> End {
    Fault::new(ErrorKind::Stack, format!("stack overflow: {calls} calls in progress")).into()
}

pub(crate) fn no_function(address: Option<u64>) -> Fault {
    let at = match address {
        Some(address) if address < 4096 => " (null)".into(),
        Some(address) => format!(" ({address:#x})"),
        None => String::new(),
    };
    Fault::new(ErrorKind::Exec, format!("invalid function pointer{at}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_gets_its_arguments_in_order() {
        let words = |all: &[u64]| all.iter().map(|word| (Value::bits(*word), 64)).collect::<Vec<_>>();
        let shown = |all: &[(Value, u32)]| all.iter().map(|(value, _)| value.bits).collect::<Vec<_>>();
        // Two general registers, a vector register at the end of 128 bytes of room, two words in memory.
        let layout = 32 | 160 << 8 | (19 * 8) << 16;
        let mut passed = words(&[1]);
        passed.push((Value::bits(layout), SURPLUS_LAYOUT));
        passed.extend(words(&[2, 3]));
        passed.extend(words(&[0; 14]));
        passed.extend(words(&[90, 91, 4, 5]));
        assert_eq!(in_order(&passed).map(|all| shown(&all)), Some(vec![1, 2, 3, 4, 5]));
        assert!(in_order(&words(&[1, 2])).is_none());
    }
}
