//! malloc and its kin.

use super::{Reply, Row, argument};
use crate::end::{End, ErrorKind, Fault};
use crate::exec::{Room, invalid};
use crate::machine::Machine;
use crate::state::State;
use strata_memory::{Kind, Origin, Value};
use strata_term::Term;

pub(super) const ROWS: &[Row] = &[
    (&["malloc"], malloc),
    (&["calloc"], calloc),
    (&["realloc"], realloc),
    (&["reallocarray"], reallocarray),
    (&["free", "cfree"], free),
    (&["memalign", "aligned_alloc"], memalign),
    (&["posix_memalign"], posix_memalign),
    (&["malloc_usable_size"], usable_size),
];

/// Beyond this malloc fails at once, as it does natively (`LIMIT` in runtime/native/heap.c).
const LIMIT: u64 = 1 << 40;

/// The largest alignment that is given.
const ALIGNMENT: u64 = 1 << 20;

const ENOMEM: u64 = 12;
const EINVAL: u64 = 22;

/// A null pointer, and `errno` says why: the C library's part of the runtime sets it. Without a
/// library there is no `errno`.
fn fail(machine: &mut Machine<'_>, state: &mut State, error: u64) -> Result<Reply, End> {
    match machine.image.function(FAIL_ALLOCATION).filter(|function| machine.image.has_body(function.0)) {
        Some(function) => {
            machine.call_body(state, function.0, &[(Value::bits(error), 32)])?;
            Ok(Reply::Jumped)
        }
        None => Ok(Reply::Value(Value::bits(0))),
    }
}

/// The library's function that sets `errno` and returns null (runtime/musl/allocation.c).
pub const FAIL_ALLOCATION: &str = "__strata_fail_allocation";

/// The size of a block that is asked for. `None`: forked, try again.
fn room(machine: &mut Machine<'_>, state: &mut State, asked: &Value) -> Result<Option<Room>, End> {
    machine.room(state, asked, LIMIT, "the size of an allocation")
}

/// Is that more than malloc ever gives?
fn is_too_large(room: &Room) -> bool {
    matches!(room, Room::Plain(size) if *size > LIMIT)
}

/// Makes an object of a size.
fn make(machine: &mut Machine<'_>, state: &mut State, room: Room, align: u64, zero: bool) -> Result<Reply, End> {
    if is_too_large(&room) {
        return fail(machine, state, ENOMEM);
    }
    let number = machine.allocate_room(state, room, align, Kind::Heap, zero)?;
    let address = state.space.object(number).map_or(0, |object| object.address);
    Ok(Reply::Value(Value::pointer(address, number)))
}

fn malloc(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    match room(machine, state, &argument(arguments, 0))? {
        Some(room) => make(machine, state, room, 16, false),
        None => Ok(Reply::Forked),
    }
}

fn product(machine: &mut Machine<'_>, state: &State, a: &Value, b: &Value) -> Value {
    match (a.concrete(), b.concrete()) {
        (Some(a), Some(b)) => Value::bits(a.saturating_mul(b)),
        _ => {
            let (a, b) = (a.to_term(64), b.to_term(64));
            let overflows = machine.overflow(state, strata_ir::OverflowOp::UMul, &a, &b);
            Value::term(Term::ite(&overflows, &Term::number(64, u64::MAX), &a.mul(&b)))
        }
    }
}

fn calloc(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let asked = product(machine, state, &argument(arguments, 0), &argument(arguments, 1));
    match room(machine, state, &asked)? {
        Some(room) => make(machine, state, room, 16, true),
        None => Ok(Reply::Forked),
    }
}

fn memalign(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let align = machine.concretize(state, &argument(arguments, 0).to_term(64), "an alignment")?.low_u64();
    match room(machine, state, &argument(arguments, 1))? {
        Some(_) if !align.is_power_of_two() => fail(machine, state, EINVAL),
        Some(_) if align > ALIGNMENT => fail(machine, state, ENOMEM),
        Some(room) => make(machine, state, room, align, false),
        None => Ok(Reply::Forked),
    }
}

fn posix_memalign(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let align = machine.concretize(state, &argument(arguments, 1).to_term(64), "an alignment")?.low_u64();
    let Some(room) = room(machine, state, &argument(arguments, 2))? else { return Ok(Reply::Forked) };
    if !align.is_power_of_two() || align < 8 {
        return Ok(Reply::Value(Value::bits(EINVAL)));
    }
    if is_too_large(&room) || align > ALIGNMENT {
        return Ok(Reply::Value(Value::bits(ENOMEM)));
    }
    let Some(spot) = machine.locate(state, &argument(arguments, 0), 8, true)? else { return Ok(Reply::Forked) };
    if let Reply::Value(pointer) = make(machine, state, room, align, false)? {
        machine.write(state, &spot, 8, &pointer);
    }
    Ok(Reply::Value(Value::bits(0)))
}

/// What a pointer to be freed points to.
enum Target {
    Null,
    Object(Origin),
    /// The state was forked; each fork tries again.
    Forked,
}

fn target(machine: &mut Machine<'_>, state: &mut State, pointer: &Value, what: &str) -> Result<Target, End> {
    let Some(address) = machine.exact(state, pointer, what)? else { return Ok(Target::Forked) };
    if address == 0 {
        return Ok(Target::Null);
    }
    let by_origin = if machine.config.provenance { state.space.object(pointer.origin) } else { None };
    let Some(object) = by_origin.or_else(|| state.space.find(address)) else {
        return Err(invalid(what).into());
    };
    let about = |mut fault: Fault| {
        fault.victim = Some(machine.victim(object, Some(&Value::bits(address))));
        End::from(fault)
    };
    if !object.is_live() && object.address == address && what == "free" {
        return Err(about(Fault::new(ErrorKind::Ptr, "memory error: double free")));
    }
    // All that the system gave lies in few objects: argv is in the middle of one.
    let inside = object.address == address || object.kind == Kind::System;
    if !object.is_live() || !inside {
        return Err(about(invalid(what)));
    }
    if object.kind != Kind::Heap {
        let text = match object.kind {
            Kind::Stack => "free of alloca (a local variable)",
            Kind::Global | Kind::Undefined => "free of global",
            Kind::Code => "free of a function",
            Kind::System | Kind::Heap => "free of memory that malloc did not give",
        };
        return Err(about(Fault::new(ErrorKind::Free, text)));
    }
    Ok(Target::Object(object.number))
}

fn free(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    match target(machine, state, &argument(arguments, 0), "free")? {
        Target::Null => {}
        Target::Object(number) => machine.free(state, number),
        Target::Forked => return Ok(Reply::Forked),
    }
    Ok(Reply::Nothing)
}

fn realloc(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    resize(machine, state, &argument(arguments, 0), &argument(arguments, 1))
}

fn reallocarray(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let size = product(machine, state, &argument(arguments, 1), &argument(arguments, 2));
    resize(machine, state, &argument(arguments, 0), &size)
}

fn resize(machine: &mut Machine<'_>, state: &mut State, old: &Value, asked: &Value) -> Result<Reply, End> {
    let Some(room) = room(machine, state, asked)? else { return Ok(Reply::Forked) };
    let old = match target(machine, state, old, "realloc")? {
        Target::Null => None,
        Target::Object(number) => Some(number),
        Target::Forked => return Ok(Reply::Forked),
    };
    let reply = make(machine, state, room, 16, false)?;
    if let (Some(old), Reply::Value(new)) = (old, &reply)
        && new.bits != 0
    {
        machine.copy_object(state, new.origin, old);
        machine.free(state, old);
    }
    Ok(reply)
}

fn usable_size(_: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let pointer = argument(arguments, 0);
    let object = state.space.object(pointer.origin).or_else(|| state.space.find(pointer.concrete()?));
    Ok(Reply::Value(object.map_or(Value::bits(0), |object| Value::term(object.extent()))))
}
