//! KLEE's intrinsics, ours, and Test-Comp's: what a harness says to the engine.

use super::{Reply, Row, argument};
use crate::config::Uninit;
use crate::end::{Cause, End, ErrorKind, Fault, bytes};
use crate::exec::{Span, invalid};
use crate::fragment::{Landing, Range};
use crate::machine::{Machine, Warning};
use crate::solve::Sides;
use crate::state::{Input, State};
use strata_ir::{FunctionId, Target};
use strata_memory::{INDEX, Kind, Origin, Value};
use strata_term::{Op, Term, eval, inputs, mask};

pub(super) const ROWS: &[Row] = &[
    (&["klee_make_symbolic", "strata_make_symbolic"], make_symbolic),
    (&["klee_assume", "strata_assume"], assume),
    (&["klee_prefer_cex", "strata_prefer_cex"], prefer),
    (&["klee_posix_prefer_cex"], nothing),
    (&["klee_mark_global", "strata_mark_global"], nothing),
    (&["klee_open_merge", "strata_open_merge"], open_merge),
    (&["klee_close_merge", "strata_close_merge"], close_merge),
    (&["klee_is_symbolic", "strata_is_symbolic"], is_symbolic),
    (&["klee_is_replay", "strata_is_replay"], zero),
    (&["klee_get_valuef", "klee_get_valued", "klee_get_valuel", "klee_get_valuell"], get_value),
    (&["klee_get_value_i32", "klee_get_value_i64", "strata_get_value_i32", "strata_get_value_i64"], get_value),
    (&["strata_get_valuef", "strata_get_valued", "strata_get_valuel", "strata_get_valuell"], get_value),
    (&["klee_get_obj_size", "strata_get_obj_size"], object_size),
    (&["klee_check_memory_access", "strata_check_memory_access"], check_access),
    (&["klee_define_fixed_object", "strata_define_fixed_object"], fixed_object),
    (&["klee_set_forking", "strata_set_forking"], set_forking),
    (&["klee_alias_function", "strata_alias_function"], alias_function),
    (&["klee_print_expr", "strata_print_expr"], print_expr),
    (&["klee_print_range", "strata_print_range"], print_range),
    (&["klee_stack_trace", "strata_stack_trace"], stack_trace),
    (&["klee_warning", "klee_warning_once", "strata_warning", "strata_warning_once"], warning),
    (&["klee_report_error", "strata_report_error"], report_error),
    (&["klee_silent_exit", "strata_silent_exit"], silent_exit),
    (&["klee_abort", "strata_abort", "abort"], abort),
    (&["__assert_fail", "__assert_rtn", "klee_assert_fail"], assert_fail),
    (&["__strata_get_tp"], get_thread_pointer),
    (&["__strata_set_tp"], set_thread_pointer),
    (&["__strata_return_address"], return_address),
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
    let pointer = argument(arguments, i);
    if pointer.is_symbolic() {
        return Err(user("Symbolic string pointer passed to one of the klee_ functions"));
    }
    let bytes = machine.plain_string(state, &pointer);
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    text.ok_or_else(|| user("Invalid string pointer passed to one of the klee_ functions"))
}

/// The object that a pointer is the start of. `None`: forked, try again.
fn whole(machine: &mut Machine<'_>, state: &mut State, pointer: &Value, what: &str) -> Result<Option<Origin>, End> {
    let Some(address) = machine.exact(state, pointer, what)? else { return Ok(None) };
    let known = if machine.config.provenance { state.space.object(pointer.origin) } else { None };
    let object = known.or_else(|| state.space.find(address)).ok_or_else(|| End::from(invalid(what)))?;
    if object.is_live() && object.address == address && object.kind != Kind::Code {
        return Ok(Some(object.number));
    }
    let mut fault = invalid(what);
    fault.victim = Some(machine.victim(object, Some(&Value::bits(address))));
    Err(fault.into())
}

fn input_name(machine: &mut Machine<'_>, state: &State, arguments: &[(Value, u32)]) -> Result<String, End> {
    let name =
        if argument(arguments, 2).concrete() == Some(0) { String::new() } else { text(machine, state, arguments, 2)? };
    if !name.is_empty() {
        return Ok(name);
    }
    let place = machine.here(state);
    machine.warnings.push(Warning { place, text: "klee_make_symbolic: renamed empty name to \"unnamed\"".into() });
    Ok("unnamed".into())
}

/// A program that does not include klee.h may call with anything.
fn check_call(arguments: &[(Value, u32)]) -> Result<(), End> {
    match arguments {
        [(_, 64), (_, 32 | 64), (_, 64)] => Ok(()),
        [_, _, _] => {
            let text = "klee_make_symbolic takes an address, a size and a name: the call passes other types";
            Err(user(format!("{text} (include klee/klee.h)")))
        }
        _ => {
            let text = "klee_make_symbolic takes an address, a size and a name";
            Err(user(format!("{text}: the call passes {} (include klee/klee.h)", count(arguments.len()))))
        }
    }
}

fn count(arguments: usize) -> String {
    if arguments == 1 { "1 argument".into() } else { format!("{arguments} arguments") }
}

fn make_symbolic(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    check_call(arguments)?;
    let name = input_name(machine, state, arguments)?;
    let pointer = argument(arguments, 0);
    let Some(number) = whole(machine, state, &pointer, "make_symbolic")? else { return Ok(Reply::Forked) };
    let object = state.space.object(number).expect("it was just found");
    if !object.writable {
        return Err(user("cannot make readonly object symbolic"));
    }
    let (size, extent) = (object.size, object.extent.as_ref().map(|extent| extent.term.clone()));
    let same = argument(arguments, 1).to_term(64).eq(&object.extent());
    if !matches!(machine.sides(state, &same)?, Sides::True) {
        let size = if extent.is_none() { bytes(size) } else { "a symbolic size, which may be another".into() };
        return Err(user(format!("Wrong size given to klee_make_symbolic (the object has {size})")));
    }
    machine.make_input(state, number, 0, size, name);
    Ok(Reply::Nothing)
}

impl Machine<'_> {
    /// Makes bytes of an object a new symbolic input of the path.
    pub fn make_input(&mut self, state: &mut State, number: Origin, offset: u64, count: u64, name: String) {
        let array = Term::array(&format!("{}#{}", name, state.inputs.len()), INDEX);
        if let Some(object) = self.view.object_mut(state, number, offset, count) {
            for i in 0..count {
                let byte = array.read(&Term::number(INDEX, i), 1);
                object.contents.write(offset + i, 1, &Value::term(byte));
            }
        }
        let length = state.space.object(number).and_then(|object| Some(object.extent.as_ref()?.term.clone()));
        state.inputs.push(Input { name, array, size: count, length });
    }
}

fn condition(arguments: &[(Value, u32)]) -> Term {
    arguments.first().map_or(Term::bool(true), |(value, width)| value.to_term(*width).is_nonzero())
}

fn assume(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let condition = machine.settle(state, &condition(arguments), "an assumption")?;
    match machine.assume(state, &condition) {
        Err(End::Infeasible) if !machine.config.silent_assume => Err(user("invalid klee_assume call (provably false)")),
        other => other.map(|()| Reply::Nothing),
    }
}

/// A wish: tests of this path fulfil it where its constraints and earlier wishes allow.
fn prefer(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let wish = condition(arguments.get(1..).unwrap_or_default());
    let wish = machine.settle(state, &wish, "a preference")?;
    if !wish.is_const() {
        state.preferences.push(wish);
    }
    Ok(Reply::Nothing)
}

/// From here on the states that come of this one wait for each other at the end of the range.
fn open_merge(machine: &mut Machine<'_>, state: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    match machine.config.merge.clone() {
        Some(plan) => {
            let (serial, depth) = (state.stack.top().serial, state.stack.depth());
            machine.begin_fragment(state, serial, depth, Range::Marked, &plan);
        }
        None => machine.warnings.push(Warning {
            place: 0,
            text: "open_merge and close_merge have no effect: states are merged with --merge cfg, pattern or auto"
                .into(),
        }),
    }
    Ok(Reply::Nothing)
}

/// The end of the range that was opened last.
fn close_merge(machine: &mut Machine<'_>, state: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    if machine.config.merge.is_none() {
        return Ok(Reply::Nothing);
    }
    let opened = state.members.iter().any(|member| member.fragment.range == Range::Marked);
    // Loops that the range is left from are left, too.
    while opened && state.fragment().is_some_and(|fragment| fragment.range != Range::Marked) {
        state.leave_fragment();
    }
    let Some(fragment) = state.fragment().filter(|_| opened) else {
        let place = machine.here(state);
        machine.warnings.push(Warning { place, text: "close_merge without an open_merge before it".into() });
        return Ok(Reply::Nothing);
    };
    if fragment.is_released() {
        state.leave_fragment();
        return Ok(Reply::Nothing);
    }
    state.stack.top_mut().pc += 1;
    state.landing = Some(Landing::Left);
    Ok(Reply::Landed)
}

/// Memory that nobody wrote is an input only where the user wants it to be any value.
fn is_symbolic(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let unset = machine.config.uninit == Uninit::Symbolic;
    let is_input = |term: &Term| inputs([term]).into_iter().any(|input| unset || input.op() != Op::Symbol);
    let symbolic = argument(arguments, 0).term.is_some_and(|term| is_input(&term));
    state.depends_on_engine.get_or_insert("klee_is_symbolic");
    Ok(Reply::Value(Value::bits(u64::from(symbolic))))
}

/// One value of the argument, without a constraint: the program asked for an example.
fn get_value(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let (value, width) = arguments.first().cloned().unwrap_or_default();
    let Some(term) = value.term else { return Ok(Reply::Value(value)) };
    state.depends_on_engine.get_or_insert("klee_get_value");
    let witness = machine.witness(state)?;
    Ok(Reply::Value(Value::bits(eval(&term, &witness).low_u64() & mask(width))))
}

fn object_size(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let found = whole(machine, state, &argument(arguments, 0), "klee_get_obj_size")?;
    state.depends_on_engine.get_or_insert("klee_get_obj_size");
    let size = |number| state.space.object(number).map_or(Value::bits(0), |object| Value::term(object.extent()));
    Ok(found.map_or(Reply::Forked, |number| Reply::Value(size(number))))
}

fn check_access(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let (pointer, count) = (argument(arguments, 0), argument(arguments, 1));
    let checked = match count.concrete() {
        Some(count) => machine.locate(state, &pointer, count, false).map(|spot| spot.is_some()),
        None => machine.span(state, &pointer, &count, false).map(|span| !matches!(span, Span::Forked)),
    };
    match checked {
        Ok(checked) => Ok(if checked { Reply::Nothing } else { Reply::Forked }),
        Err(End::Error(mut fault)) => {
            fault.message = format!("check_memory_access: {}", fault.message);
            Err(End::Error(fault))
        }
        Err(end) => Err(end),
    }
}

fn fixed_object(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let (Some(address), Some(size)) = (argument(arguments, 0).concrete(), argument(arguments, 1).concrete()) else {
        return Err(user("define_fixed_object needs plain arguments"));
    };
    let place = machine.here(state);
    state.depends_on_engine.get_or_insert("klee_define_fixed_object");
    match state.space.allocate_at(address, size, Kind::System, place) {
        Some(_) => Ok(Reply::Nothing),
        None => Err(user("define_fixed_object: the addresses are in use or too high (they must lie below 0x10000000)")),
    }
}

fn set_forking(_: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let enable = argument(arguments, 0).concrete().ok_or_else(|| user("klee_set_forking requires a constant arg"))?;
    state.single = enable == 0;
    Ok(Reply::Nothing)
}

/// `klee_alias_function(from, to)`: calls of `from` go to `to` from now on, on this path. To itself: no longer. Calls through pointers
/// are not led, as in KLEE.
fn alias_function(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let named = |i: usize| {
        let name = text(machine, state, arguments, i)?;
        let found = machine.image.function(&name);
        found.ok_or_else(|| user(format!("klee_alias_function: the program has no function '{name}'")))
    };
    let (from, to) = (named(0)?.0, named(1)?.0);
    state.aliases.push((from, to));
    // The native program calls what its linker chose.
    state.depends_on_engine.get_or_insert("klee_alias_function");
    Ok(Reply::Nothing)
}

/// A number, or the term.
fn shown(value: &Value, width: u32) -> String {
    match value.concrete() {
        Some(bits) => bits.to_string(),
        None => strata_term::text::smtlib::print_term(&value.to_term(width.max(1))),
    }
}

fn say(machine: &mut Machine<'_>, state: &State, text: String) {
    let place = machine.here(state);
    machine.warnings.push(Warning { place, text });
}

fn print_expr(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let name = text(machine, state, arguments, 0)?;
    let (value, width) = arguments.get(1).cloned().unwrap_or_default();
    say(machine, state, format!("{name}:{}", shown(&value, width)));
    Ok(Reply::Nothing)
}

fn print_range(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let name = text(machine, state, arguments, 0)?;
    let (value, width) = arguments.get(1).cloned().unwrap_or_default();
    let mut text = format!("{name}:{}", shown(&value, width));
    if let Some(term) = &value.term {
        let (low, high) = machine.bounds(state, term, 0, mask(width))?;
        text += &if low == high { format!(" == {low}") } else { format!(" ~= {low} (in [{low}, {high}])") };
    }
    say(machine, state, text);
    Ok(Reply::Nothing)
}

fn stack_trace(machine: &mut Machine<'_>, state: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    let program = &machine.image.program;
    let mut text = "stack:".to_string();
    for (i, (function, pc)) in state.backtrace().into_iter().enumerate() {
        let place = program.places[machine.image.place(function, pc).index()];
        text += &format!("\n\t#{i} in {}", program.functions[function as usize].name);
        if place.line != 0 {
            text += &format!(" at {}:{}", program.files[place.file as usize], place.line);
        }
    }
    say(machine, state, text);
    Ok(Reply::Nothing)
}

fn warning(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let text = text(machine, state, arguments, 0)?;
    let function = machine.image.program.functions[state.stack.top().function as usize].name.clone();
    say(machine, state, format!("{function}: {text}"));
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

/// `__builtin_return_address(0)`: an address in the code of who called the running function, the
/// same for all calls from one block, and no function's entry. Null in the first function.
fn return_address(machine: &mut Machine<'_>, state: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    state.depends_on_address = true;
    let Some(caller) = state.stack.iter().nth(1) else { return Ok(Reply::Value(Value::bits(0))) };
    let (entry, origin) = machine.image.address(&Target::Function(FunctionId(caller.function)));
    let block = machine.image.code(caller.function).block(caller.pc);
    // A function's object has a byte for its entry and one for each block.
    Ok(Reply::Value(Value::pointer(entry + 1 + u64::from(block), origin)))
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
