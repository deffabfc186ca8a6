//! Memory by pages. A mapped file is a copy of it: what is written to a shared mapping reaches the file when it is unmapped, which is said.

use super::*;
use crate::files::Body;
use strata_memory::{Kind, Origin};

const PAGE: u64 = 4096;
const PROT_WRITE: u64 = 2;
const SHARED: u64 = 1;
const ANONYMOUS: u64 = 0x20;

pub(super) fn mmap(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let protection = plain(machine, state, &arguments[2], "a protection")?;
    let flags = plain(machine, state, &arguments[3], "flags of mmap")?;
    let size = settled!(machine.size(state, &arguments[1], "the size of a mapping"));
    if size == 0 || size > 1 << 40 {
        return result(if size == 0 { EINVAL } else { ENOMEM });
    }
    if flags & ANONYMOUS != 0 {
        return map(machine, state, size, None, true);
    }
    let start = settled!(machine.size(state, &arguments[5], "a position in a file"));
    let (_, open) = valid!(settled!(usable(machine, state, &arguments[4])));
    if start % PAGE != 0 {
        return result(EINVAL);
    }
    let writable = protection & PROT_WRITE != 0;
    if !open.reads() || flags & SHARED != 0 && writable && !open.writes() {
        return result(EACCES);
    }
    settled!(super::io::fixed(machine, state, open.id));
    let source = match &inode(state, open.id).body {
        Body::File(file) => (file.contents.clone(), start, file.size.saturating_sub(start).min(size)),
        Body::Device { zero: true } => (Contents::zero(0, 0), 0, 0),
        Body::Device { zero: false }
        | Body::Folder { .. }
        | Body::Link(_)
        | Body::Pipe(_)
        | Body::Output(_)
        | Body::Alias(_)
        | Body::Socket { .. } => return result(ENODEV),
    };
    if flags & SHARED != 0 && writable {
        let text = "a shared mapping of a file is a copy: what is written there does not reach the file";
        state.notes.push(Cause::new("unsupported", text));
        machine.warnings.push(Warning { place: 0, text: text.into() });
    }
    map(machine, state, size, Some(source), writable)
}

fn map(
    machine: &mut Machine<'_>,
    state: &mut State,
    size: u64,
    source: Option<(Contents, u64, u64)>,
    writable: bool,
) -> Answer {
    let number = machine.allocate(state, size.next_multiple_of(PAGE), PAGE, Kind::System, true)?;
    if let Some((contents, start, count)) = source.filter(|(_, _, count)| *count > 0) {
        machine.put_bytes(state, &Spot::At { origin: number, offset: 0 }, &contents, start, count);
    }
    machine.set_writable(state, number, writable);
    let address = state.object(number).map_or(0, |object| object.address());
    Ok(Reply::Value(Value::pointer(address, number)))
}

pub(super) fn munmap(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let address = plain(machine, state, &arguments[0], "an address")?;
    let Some(number) = whole(state, address) else { return result(EINVAL) };
    machine.free(state, number);
    result(0)
}

/// Whole objects become writable; taking the permission away is not modelled.
pub(super) fn mprotect(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let address = plain(machine, state, &arguments[0], "an address")?;
    let protection = plain(machine, state, &arguments[2], "a protection")?;
    if let Some(number) = whole(state, address).filter(|_| protection & PROT_WRITE != 0) {
        machine.set_writable(state, number, true);
    }
    result(0)
}

/// The mapping that begins at an address.
fn whole(state: &State, address: u64) -> Option<Origin> {
    let object = state.object_at(address).filter(|o| o.address() == address && o.kind() == Kind::System)?;
    Some(object.number())
}

pub(super) fn mremap(_: &mut Machine<'_>, _: &mut State, _: Arguments<'_>) -> Answer {
    result(ENOMEM)
}
