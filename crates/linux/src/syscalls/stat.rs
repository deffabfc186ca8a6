//! What files are: status, permissions, owners, times, file systems.

use super::path::{here, resolve};
use super::*;
use crate::files::{Body, Tree};

pub(crate) const STATUS: usize = 144;
const BLOCK: u64 = 4096;

fn word(bytes: &mut [u8], offset: usize, value: u64) {
    bytes[offset..offset + 8].copy_from_slice(&value.to_le_bytes());
}

fn half(bytes: &mut [u8], offset: usize, value: u32) {
    bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
}

/// A `struct stat`. Whoever sees it has seen the inode's number. Times that are symbolic are not in it.
pub(crate) fn status(tree: &mut Tree, id: Id) -> [u8; STATUS] {
    let number = tree.number(id);
    let inode = tree.inode(id);
    let mut bytes = [0; STATUS];
    word(&mut bytes, 0, 1);
    word(&mut bytes, 8, number);
    word(&mut bytes, 16, tree.links(id));
    half(&mut bytes, 24, inode.kind() | inode.mode);
    half(&mut bytes, 28, USER);
    half(&mut bytes, 32, USER);
    let device = match inode.body {
        Body::Device { zero } => 0x103 + if zero { 2 } else { 0 },
        _ => 0,
    };
    word(&mut bytes, 40, device);
    let size = inode.size();
    word(&mut bytes, 48, size);
    word(&mut bytes, 56, BLOCK);
    let blocks = if matches!(inode.body, Body::File(_) | Body::Folder { .. }) { size.div_ceil(BLOCK) * 8 } else { 0 };
    word(&mut bytes, 64, blocks);
    for (offset, (seconds, nanoseconds)) in [(72, &inode.times[0]), (88, &inode.times[1])] {
        word(&mut bytes, offset, seconds.concrete().unwrap_or(0));
        word(&mut bytes, offset + 8, *nanoseconds);
    }
    word(&mut bytes, 104, START);
    bytes
}

/// The fields of a status that depend on a size which is a term: where they are, 64 bits wide.
pub(crate) fn sizes(size: &Term) -> Vec<(u64, Term)> {
    let number = |bytes: u64| Term::number(64, bytes);
    let blocks = size.add(&number(BLOCK - 1)).udiv(&number(BLOCK)).mul(&number(8));
    vec![(48, size.clone()), (64, blocks)]
}

fn tell(machine: &mut Machine<'_>, state: &mut State, id: Id, to: &Value) -> Answer {
    let spot = settled!(machine.locate(state, to, STATUS as u64, true));
    let bytes = status(&mut linux_mut(state).tree, id);
    put(machine, state, &spot, &bytes);
    for (offset, term) in inode(state, id).extent().map_or_else(Vec::new, sizes) {
        machine.write(state, &spot.shifted(offset), 8, &Value::term(term));
    }
    let times = inode(state, id).times.clone();
    for (offset, (seconds, _)) in [(72, &times[0]), (88, &times[1])] {
        if seconds.is_symbolic() {
            machine.write(state, &spot.shifted(offset), 8, seconds);
        }
    }
    result(0)
}

/// The inode that a name stands for. Links to descriptors stand for what these are open on.
fn named(machine: &mut Machine<'_>, state: &mut State, folder: &Value, name: &Value, follow: bool) -> Tried<Id> {
    let Some(place) = resolve(machine, state, folder, name, follow)? else { return Ok(None) };
    let found = place.and_then(|place| place.found.ok_or(ENOENT));
    Ok(Some(found.and_then(|id| match inode(state, id).body {
        Body::Alias(fd) if follow => linux(state).table.open(fd).map(|open| open.id).ok_or(ENOENT),
        _ => Ok(id),
    })))
}

/// The inode of a name, or with an empty one that of the descriptor.
fn named_or_open(machine: &mut Machine<'_>, state: &mut State, folder: &Value, name: &Value, flags: u32) -> Tried<Id> {
    let empty = flags & AT_EMPTY_PATH != 0 && machine.plain_string(state, name).is_some_and(|name| name.is_empty());
    if !empty {
        return named(machine, state, folder, name, flags & AT_SYMLINK_NOFOLLOW == 0);
    }
    if folder.concrete().is_some_and(|fd| fd as i32 == AT_FDCWD) {
        return Ok(Some(Ok(linux(state).folder)));
    }
    Ok(opened(machine, state, folder)?.map(|found| found.map(|(_, open)| open.id)))
}

pub(super) fn stat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let id = valid!(settled!(named(machine, state, &here(), &arguments[0], true)));
    tell(machine, state, id, &arguments[1])
}

pub(super) fn lstat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let id = valid!(settled!(named(machine, state, &here(), &arguments[0], false)));
    tell(machine, state, id, &arguments[1])
}

pub(super) fn fstat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (_, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    tell(machine, state, open.id, &arguments[1])
}

pub(super) fn fstatat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let flags = plain(machine, state, &arguments[3], "flags")? as u32;
    let id = valid!(settled!(named_or_open(machine, state, &arguments[0], &arguments[1], flags)));
    tell(machine, state, id, &arguments[2])
}

// ---- permissions and owners ----

pub(super) fn access(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    may_access(machine, state, &here(), &arguments[0], &arguments[1])
}

pub(super) fn accessat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    may_access(machine, state, &arguments[0], &arguments[1], &arguments[2])
}

fn may_access(machine: &mut Machine<'_>, state: &mut State, folder: &Value, name: &Value, mode: &Value) -> Answer {
    let mode = plain(machine, state, mode, "a mode")?;
    if mode > 7 {
        return result(EINVAL);
    }
    let id = valid!(settled!(named(machine, state, folder, name, true)));
    result(if inode(state, id).permits(mode as u32) { 0 } else { EACCES })
}

pub(super) fn umask(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let mask = plain(machine, state, &arguments[0], "a mode")? as u32 & 0o777;
    let before = std::mem::replace(&mut linux_mut(state).umask, mask);
    result(i64::from(before))
}

fn set_mode(machine: &mut Machine<'_>, state: &mut State, id: Id, mode: &Value) -> Answer {
    let mode = plain(machine, state, mode, "a mode")? as u32 & 0o7777;
    if matches!(inode(state, id).body, Body::Device { .. }) {
        return result(EPERM);
    }
    linux_mut(state).tree.inode_mut(id).mode = mode;
    result(0)
}

pub(super) fn chmod(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let id = valid!(settled!(named(machine, state, &here(), &arguments[0], true)));
    set_mode(machine, state, id, &arguments[1])
}

pub(super) fn fchmod(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (_, open) = valid!(settled!(usable(machine, state, &arguments[0])));
    set_mode(machine, state, open.id, &arguments[1])
}

pub(super) fn fchmodat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let id = valid!(settled!(named(machine, state, &arguments[0], &arguments[1], true)));
    set_mode(machine, state, id, &arguments[2])
}

/// Everything belongs to the one user there is, and stays so.
fn set_owner(machine: &mut Machine<'_>, state: &mut State, user: &Value, group: &Value) -> Answer {
    let mut same = |value: &Value| -> Result<Option<bool>, End> {
        let term = value.to_term(64).extract(31, 0);
        let own = term.eq(&Term::number(32, u64::from(USER)));
        decide(machine, state, &own.or(&term.eq(&Term::number(32, u64::from(u32::MAX)))))
    };
    let fits = settled!(same(user)) && settled!(same(group));
    result(if fits { 0 } else { EPERM })
}

pub(super) fn chown(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(named(machine, state, &here(), &arguments[0], true)));
    set_owner(machine, state, &arguments[1], &arguments[2])
}

pub(super) fn lchown(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(named(machine, state, &here(), &arguments[0], false)));
    set_owner(machine, state, &arguments[1], &arguments[2])
}

pub(super) fn fchown(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(usable(machine, state, &arguments[0])));
    set_owner(machine, state, &arguments[1], &arguments[2])
}

pub(super) fn fchownat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let flags = plain(machine, state, &arguments[4], "flags")? as u32;
    valid!(settled!(named_or_open(machine, state, &arguments[0], &arguments[1], flags)));
    set_owner(machine, state, &arguments[2], &arguments[3])
}

// ---- times ----

pub(super) fn utimensat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    const NOW: u64 = 0x3fff_ffff;
    const OMIT: u64 = 0x3fff_fffe;
    let flags = plain(machine, state, &arguments[3], "flags")? as u32;
    let mut times = [(Value::bits(START), NOW), (Value::bits(START), NOW)];
    if !is_null(&arguments[2]) {
        for (i, time) in times.iter_mut().enumerate() {
            let seconds = settled!(machine.fetch(state, &at(&arguments[2], i as u64 * 16), 8));
            let nanoseconds = settled!(machine.fetch(state, &at(&arguments[2], i as u64 * 16 + 8), 8));
            *time = (seconds, plain(machine, state, &nanoseconds, "nanoseconds")?);
        }
    }
    let id = if is_null(&arguments[1]) {
        valid!(settled!(opened(machine, state, &arguments[0]))).1.id
    } else {
        valid!(settled!(named_or_open(machine, state, &arguments[0], &arguments[1], flags)))
    };
    if times.iter().any(|(_, nanoseconds)| *nanoseconds > 999_999_999 && !matches!(*nanoseconds, NOW | OMIT)) {
        return result(EINVAL);
    }
    let own = |(_, nanoseconds): &(Value, u64)| !matches!(*nanoseconds, NOW | OMIT);
    if matches!(inode(state, id).body, Body::Device { .. }) && times.iter().any(own) {
        return result(EPERM);
    }
    let inode = linux_mut(state).tree.inode_mut(id);
    for (kept, (seconds, nanoseconds)) in inode.times.iter_mut().zip(times) {
        match nanoseconds {
            NOW => *kept = (Value::bits(START), 0),
            OMIT => {}
            nanoseconds => *kept = (seconds, nanoseconds),
        }
    }
    result(0)
}

// ---- file systems ----

fn file_system(machine: &mut Machine<'_>, state: &mut State, to: &Value) -> Answer {
    let fields = [0x0102_1994, BLOCK, 16384, 16000, 16000, 4096, 4000, 0, 255, BLOCK, 0, 0, 0, 0, 0];
    let bytes: Vec<u8> = fields.iter().flat_map(|field: &u64| field.to_le_bytes()).collect();
    settled!(store(machine, state, to, &bytes));
    result(0)
}

pub(super) fn statfs(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(named(machine, state, &here(), &arguments[0], true)));
    file_system(machine, state, &arguments[1])
}

pub(super) fn fstatfs(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(opened(machine, state, &arguments[0])));
    file_system(machine, state, &arguments[1])
}
