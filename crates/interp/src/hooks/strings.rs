//! Memory and string functions on plain bytes, at the speed of the machine; anything symbolic runs the real code.

use super::{Reply, Row, argument};
use crate::end::End;
use crate::exec::Flow;
use crate::machine::Machine;
use crate::state::State;
use strata_memory::{Origin, Value};

pub(super) const ROWS: &[Row] = &[
    (&["memcpy", "memmove", "__memcpy_chk", "__memmove_chk"], copy),
    (&["memset", "__memset_chk"], fill),
    (&["strlen"], length),
    (&["strcmp"], compare_strings),
    (&["strncmp"], compare_starts),
    (&["memcmp", "bcmp"], compare_bytes),
];

/// Those that leave symbolic bytes to the real code.
pub(super) const MAY_DECLINE: &[&str] = &["strlen", "strcmp", "strncmp", "memcmp", "bcmp"];

fn reply(flow: Flow, result: Value) -> Reply {
    if flow == Flow::Forked { Reply::Forked } else { Reply::Value(result) }
}

fn copy(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let (to, from, count) = (argument(arguments, 0), argument(arguments, 1), argument(arguments, 2));
    let flow = machine.copy_memory(state, &to, &from, &count)?;
    Ok(reply(flow, to))
}

fn fill(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let (to, byte, count) = (argument(arguments, 0), argument(arguments, 1), argument(arguments, 2));
    let byte = match &byte.term {
        None => Value::bits(byte.bits & 0xff),
        Some(term) => Value::term(term.extract(7, 0)),
    };
    let flow = machine.fill_memory(state, &to, &byte, &count)?;
    Ok(reply(flow, to))
}

fn length(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let text = argument(arguments, 0);
    if let Some(address) = text.concrete().filter(|_| machine.config.provenance) {
        let mut length = machine.view.length(state, text.origin, address);
        if length.is_none()
            && state.space.object(text.origin).is_some_and(|object| object.is_live() && object.holds(address, 1))
        {
            machine.open(state, text.origin, address, false);
            length = machine.view.length(state, text.origin, address);
        }
        if let Some(length) = length {
            return Ok(Reply::Value(Value::bits(length)));
        }
    }
    Ok(machine
        .plain_string(state, &text)
        .map_or(Reply::Declined, |bytes| Reply::Value(Value::bits(bytes.len() as u64))))
}

fn compare_strings(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    Ok(difference(machine, state, arguments, Some(u64::MAX), true))
}

fn compare_starts(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let most = argument(arguments, 2).concrete();
    Ok(difference(machine, state, arguments, most, true))
}

fn compare_bytes(machine: &mut Machine<'_>, state: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    let count = argument(arguments, 2).concrete();
    Ok(difference(machine, state, arguments, count, false))
}

/// The difference of the first bytes that differ among the first `most`, as the real code gives it; with `text`, behind no zero. Declined
/// where a byte that it depends on is not plain, or lies outside its object.
fn difference(
    machine: &mut Machine<'_>,
    state: &mut State,
    arguments: &[(Value, u32)],
    most: Option<u64>,
    text: bool,
) -> Reply {
    let (a, b) = (argument(arguments, 0), argument(arguments, 1));
    let (Some(x), Some(y), Some(most)) = (a.concrete(), b.concrete(), most.filter(|_| machine.config.provenance))
    else {
        return Reply::Declined;
    };
    let mut done = 0;
    while done < most {
        let (x, y) = (x.wrapping_add(done), y.wrapping_add(done));
        machine.show(state, a.origin, x);
        machine.show(state, b.origin, y);
        let (left, right) = machine.view.two(state, (a.origin, x), (b.origin, y));
        let pairs = left.iter().zip(right);
        let before = done;
        for (x, y) in pairs.take((most - done).min(1 << 20) as usize) {
            if x != y || (text && *x == 0) {
                let difference = i32::from(*x) - i32::from(*y);
                return Reply::Value(Value::bits(u64::from(difference as u32)));
            }
            done += 1;
        }
        if done == before {
            return Reply::Declined;
        }
    }
    Reply::Value(Value::bits(0))
}

impl Machine<'_> {
    /// Opens the window at an address where there is none.
    fn show(&mut self, state: &mut State, origin: Origin, address: u64) {
        if self.view.bytes(state, origin, address).is_empty() {
            self.view.reach(state, origin, address);
        }
    }

    /// The bytes of a string up to its zero, when all of them are plain.
    pub fn plain_string(&self, state: &State, pointer: &Value) -> Option<Vec<u8>> {
        let address = pointer.concrete()?;
        let object = match state.space.object(pointer.origin) {
            Some(object) if self.config.provenance => object,
            _ => state.space.find(address)?,
        };
        if !object.is_live() || address < object.address {
            return None;
        }
        let mut bytes = Vec::new();
        let mut offset = address - object.address;
        while offset < object.sure() {
            let count = (object.sure() - offset).min(256);
            let piece = object.contents.plain_start(offset, count);
            if let Some(end) = piece.iter().position(|byte| *byte == 0) {
                bytes.extend_from_slice(&piece[..end]);
                return Some(bytes);
            }
            if (piece.len() as u64) < count {
                return None;
            }
            bytes.extend_from_slice(&piece);
            offset += count;
        }
        None
    }
}
