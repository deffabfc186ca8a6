//! setjmp and longjmp: a jump buffer holds the number of a position on the stack.

use super::{Reply, Row, argument};
use crate::end::{End, ErrorKind, Fault};
use crate::machine::Machine;
use crate::state::State;
use strata_memory::Value;

const SET: &[&str] = &["setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "llvm.eh.sjlj.setjmp"];

/// May a call of the function return more than once? C wants such functions to be called by their names.
pub(crate) fn comes_back(name: &str) -> bool {
    SET.contains(&name)
}

pub(super) const ROWS: &[Row] =
    &[(SET, set_jump), (&["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"], long_jump)];

fn set_jump(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let Some(spot) = machine.locate(state, &argument(arguments, 0), 8, true)? else { return Ok(Reply::Forked) };
    let number = state.jumps.len() as u64 + 1;
    let frame = state.stack.top();
    state.jumps.push((number, frame.serial, frame.pc));
    machine.write(state, &spot, 8, &Value::bits(number));
    Ok(Reply::Value(Value::bits(0)))
}

fn long_jump(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let Some(spot) = machine.locate(state, &argument(arguments, 0), 8, false)? else { return Ok(Reply::Forked) };
    let number = machine.read(state, &spot, 8);
    let found = state.jumps.iter().find(|(n, _, _)| number.concrete() == Some(*n)).copied();
    let gone =
        || End::from(Fault::new(ErrorKind::Ptr, "longjmp to a function that has returned, or with a buffer never set"));
    let (_, serial, pc) = found.ok_or_else(gone)?;
    if !state.stack.iter().any(|frame| frame.serial == serial) {
        return Err(gone());
    }
    while state.stack.top().serial != serial {
        state.release(0, |object| machine.view.close(object));
        state.stack.pop();
    }
    state.stack.top_mut().pc = pc;
    let (value, width) = arguments.get(1).cloned().unwrap_or_default();
    let result = match &value.term {
        None => Value::bits(value.bits.max(1)),
        Some(term) => {
            let one = strata_term::Term::number(width, 1);
            Value::term(strata_term::Term::ite(&term.is_nonzero(), term, &one))
        }
    };
    if let Some((slot, _)) = machine.results(state.stack.top()).first() {
        state.stack.registers()[*slot as usize] = result;
    }
    state.stack.top_mut().pc += 1;
    Ok(Reply::Jumped)
}
