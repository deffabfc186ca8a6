//! KLEE's intrinsics, ours, and Test-Comp's: what a harness says to the engine.

use super::{Reply, Row, argument};
use crate::end::{Cause, End, ErrorKind, Fault};
use crate::machine::{Machine, Warning};
use crate::state::{Input, State};
use strata_memory::{INDEX, Kind, Value};
use strata_term::{Term, eval, mask};

pub(super) const ROWS: &[Row] = &[
    (&["klee_make_symbolic", "strata_make_symbolic"], make_symbolic),
    (&["klee_assume", "strata_assume"], assume),
    (&["klee_prefer_cex", "klee_posix_prefer_cex", "strata_prefer_cex"], nothing),
    (&["klee_mark_global", "strata_mark_global"], nothing),
    (&["klee_open_merge", "klee_close_merge", "strata_open_merge", "strata_close_merge"], merge),
    (&["klee_is_symbolic", "strata_is_symbolic"], is_symbolic),
    (&["klee_is_replay", "strata_is_replay"], zero),
    (&["klee_get_valuef", "klee_get_valued", "klee_get_valuel", "klee_get_valuell"], get_value),
    (&["klee_get_value_i32", "klee_get_value_i64", "strata_get_value_i32", "strata_get_value_i64"], get_value),
    (&["strata_get_valuef", "strata_get_valued", "strata_get_valuel", "strata_get_valuell"], get_value),
    (&["klee_get_obj_size", "strata_get_obj_size"], object_size),
    (&["klee_check_memory_access", "strata_check_memory_access"], check_access),
    (&["klee_define_fixed_object", "strata_define_fixed_object"], fixed_object),
    (&["klee_set_forking", "strata_set_forking"], set_forking),
    (&["klee_print_expr", "strata_print_expr"], print_expr),
    (&["klee_print_range", "strata_print_range"], print_range),
    (&["klee_stack_trace", "strata_stack_trace"], nothing),
    (&["klee_warning", "klee_warning_once", "strata_warning", "strata_warning_once"], warning),
    (&["klee_report_error", "strata_report_error"], report_error),
    (&["klee_silent_exit", "strata_silent_exit"], silent_exit),
    (&["klee_abort", "strata_abort", "abort"], abort),
    (&["__assert_fail", "__assert_rtn"], assert_fail),
    (&["__strata_get_tp"], get_thread_pointer),
    (&["__strata_set_tp"], set_thread_pointer),
];

fn nothing(_: &mut Machine<'_>, _: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    Ok(Reply::Nothing)
}

fn zero(_: &mut Machine<'_>, _: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    Ok(Reply::Value(Value::bits(0)))
}

fn user(message: impl Into<String>) -> End {
    Fault::new(ErrorKind::User("user".into()), message).into()
}

/// A string argument of an intrinsic: must be plain.
fn text(machine: &Machine<'_>, state: &State, arguments: &[(Value, u32)], i: usize) -> Result<String, End> {
    let bytes = machine.plain_string(state, &argument(arguments, i));
    bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).ok_or_else(|| user("an intrinsic's text is no plain string"))
}

fn make_symbolic(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let name = match argument(arguments, 2) {
        value if value.concrete() == Some(0) => "unnamed".to_string(),
        _ => text(machine, state, arguments, 2)?,
    };
    let pointer = argument(arguments, 0);
    let Some(address) = pointer.concrete() else {
        return Err(user("make_symbolic of a symbolic address"));
    };
    let Some(count) = argument(arguments, 1).concrete() else {
        return Err(user("make_symbolic of a symbolic size"));
    };
    let known = if machine.config.provenance { state.space.object(pointer.origin) } else { None };
    let Some(object) = known.or_else(|| state.space.find(address)) else {
        return Err(Fault::new(ErrorKind::Ptr, "make_symbolic of no object").into());
    };
    if !object.is_live() || object.kind == Kind::Code {
        let mut fault = Fault::new(ErrorKind::Ptr, "make_symbolic of an object that is gone, or of code");
        fault.victim = Some(machine.victim(object, Some(address)));
        return Err(fault.into());
    }
    // As in KLEE: whole objects only, so that a harness does not leave a part of one out by mistake.
    if address != object.address || count != object.size {
        let mut fault = Fault::new(ErrorKind::User("user".into()), "wrong size given to klee_make_symbolic[_name]");
        fault.victim = Some(machine.victim(object, Some(address)));
        return Err(fault.into());
    }
    if !object.writable {
        return Err(Fault::new(ErrorKind::ReadOnly, "cannot make readonly object symbolic").into());
    }
    let (number, offset) = (object.number, address - object.address);
    machine.make_input(state, number, offset, count, name);
    Ok(Reply::Nothing)
}

impl Machine<'_> {
    /// Makes bytes of an object a new symbolic input of the path.
    pub fn make_input(&mut self, state: &mut State, number: strata_memory::Origin, offset: u64, count: u64, name: String) {
        let array = Term::array(&format!("{}#{}", name, state.inputs.len()), INDEX);
        if let Some(object) = state.space.object_mut(number) {
            for i in 0..count {
                let byte = array.read(&Term::number(INDEX, i), 1);
                object.contents.write(offset + i, 1, &Value::term(byte));
            }
            self.windows.touched(object, offset, count);
        }
        state.inputs.push(Input { name, array, size: count });
    }
}

fn condition(arguments: &[(Value, u32)]) -> Term {
    arguments.first().map_or(Term::bool(true), |(value, width)| value.to_term(*width).is_nonzero())
}

fn assume(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let condition = machine.settle(state, &condition(arguments), "an assumption")?;
    match machine.assume(state, &condition) {
        Err(End::Infeasible) if !machine.config.silent_assume => {
            Err(user("invalid assume: the assumption contradicts the path"))
        }
        other => other.map(|()| Reply::Nothing),
    }
}

fn merge(machine: &mut Machine<'_>, _: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    machine.warnings.push(Warning { place: 0, text: "open_merge and close_merge have no effect yet: states are not merged".into() });
    Ok(Reply::Nothing)
}

fn is_symbolic(_: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    state.depends_on_engine = true;
    Ok(Reply::Value(Value::bits(u64::from(argument(arguments, 0).is_symbolic()))))
}

/// One value of the argument, without a constraint: the program asked for an example.
fn get_value(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let (value, width) = arguments.first().cloned().unwrap_or_default();
    let Some(term) = value.term else { return Ok(Reply::Value(value)) };
    state.depends_on_engine = true;
    let witness = machine.witness(state)?;
    Ok(Reply::Value(Value::bits(eval(&term, &witness).low_u64() & mask(width))))
}

fn object_size(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let pointer = argument(arguments, 0);
    let Some(spot) = machine.locate(state, &pointer, 0, false)? else { return Ok(Reply::Forked) };
    state.depends_on_engine = true;
    let (crate::exec::Spot::At { origin, .. } | crate::exec::Spot::Among { origin, .. }) = spot;
    Ok(Reply::Value(Value::bits(state.space.object(origin).map_or(0, |object| object.size))))
}

fn check_access(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let Some(count) = machine.size(state, &argument(arguments, 1), "the size of a checked access")? else {
        return Ok(Reply::Forked);
    };
    let checked = machine.locate(state, &argument(arguments, 0), count, false)?;
    Ok(checked.map_or(Reply::Forked, |_| Reply::Nothing))
}

fn fixed_object(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let (Some(address), Some(size)) = (argument(arguments, 0).concrete(), argument(arguments, 1).concrete()) else {
        return Err(user("define_fixed_object needs plain arguments"));
    };
    let place = machine.here(state);
    state.depends_on_engine = true;
    match state.space.allocate_at(address, size, Kind::System, place) {
        Some(_) => Ok(Reply::Nothing),
        None => Err(user("define_fixed_object: the addresses are in use or too high (they must lie below 0x10000000)")),
    }
}

fn set_forking(_: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    state.single = argument(arguments, 0).concrete() == Some(0);
    Ok(Reply::Nothing)
}

fn print_expr(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let name = text(machine, state, arguments, 0)?;
    let (value, width) = arguments.get(1).cloned().unwrap_or_default();
    let shown = strata_term::text::smtlib::print_term(&value.to_term(width.max(1)));
    let place = machine.here(state);
    machine.warnings.push(Warning { place, text: format!("{name}: {shown}") });
    Ok(Reply::Nothing)
}

fn print_range(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let name = text(machine, state, arguments, 0)?;
    let (value, width) = arguments.get(1).cloned().unwrap_or_default();
    let place = machine.here(state);
    let text = match &value.term {
        None => format!("{name}: {}", value.bits),
        Some(term) => {
            let (low, high) = machine.bounds(state, term, 0, mask(width))?;
            format!("{name}: from {low} to {high}")
        }
    };
    machine.warnings.push(Warning { place, text });
    Ok(Reply::Nothing)
}

fn warning(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let text = text(machine, state, arguments, 0)?;
    let place = machine.here(state);
    machine.warnings.push(Warning { place, text });
    Ok(Reply::Nothing)
}

/// `klee_report_error(file, line, message, suffix)`: the suffix is the kind.
fn report_error(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let message = text(machine, state, arguments, 2)?;
    let suffix = text(machine, state, arguments, 3)?;
    let kind = suffix.strip_suffix(".err").unwrap_or(&suffix).to_string();
    Err(Fault::new(ErrorKind::User(kind), message).into())
}

fn silent_exit(_: &mut Machine<'_>, _: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    Err(End::Silent)
}

fn abort(_: &mut Machine<'_>, _: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    Err(Fault::new(ErrorKind::Abort, "abort failure").into())
}

fn assert_fail(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let what = text(machine, state, arguments, 0).unwrap_or_default();
    Err(Fault::new(ErrorKind::Assert, format!("ASSERTION FAIL: {what}")).into())
}

fn get_thread_pointer(_: &mut Machine<'_>, state: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    Ok(Reply::Value(state.thread_pointer.clone()))
}

fn set_thread_pointer(_: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    if argument(arguments, 0).is_symbolic() {
        return Err(Cause::new("unsupported", "a symbolic thread pointer").into());
    }
    state.thread_pointer = argument(arguments, 0);
    Ok(Reply::Value(Value::bits(0)))
}
