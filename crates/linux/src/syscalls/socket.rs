//! Sockets as files of symbolic bytes: the other side of each connection has sent as many bytes as a symbolic file has, and takes everything.
//!
//! The data of a connection are an input named like the next symbolic file. Without `--sym-files` nobody answers.

use super::*;
use crate::files::{Body, File, Inode};
use crate::start::input;
use crate::world::{MOST_FILES, file_name};

pub(super) fn socket(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let family = plain(machine, state, &arguments[0], "a family of addresses")?;
    let kind = plain(machine, state, &arguments[1], "a type of socket")? as u32;
    match (family, kind & 0xf) {
        (1 | 2 | 10, 1 | 2) => {}
        (1 | 2 | 10, _) => return result(EPROTONOSUPPORT),
        _ => return result(EAFNOSUPPORT),
    }
    valid!(linux(state).table.room());
    add(state, None, kind & (O_NONBLOCK | O_CLOEXEC))
}

fn add(state: &mut State, data: Option<File>, flags: u32) -> Answer {
    let body = Body::Socket { data, at: 0, listens: false };
    let id = linux_mut(state).tree.add(Inode { links: 1, ..Inode::new(0o777, body) });
    let made = table_mut(state).insert(id, O_RDWR | flags);
    result(made.map_or_else(|error| error, i64::from))
}

/// What the next one to talk to has sent.
fn peer(state: &mut State) -> Option<File> {
    let (count, length) = linux(state).given.files?;
    let number = count + linux(state).peers;
    if number >= MOST_FILES {
        return None;
    }
    linux_mut(state).peers += 1;
    let array = input(state, &format!("{}-data", file_name(number)), length);
    Some(File::input(&array, length, None))
}

/// A descriptor of a socket: data, and whether it listens.
fn of(machine: &mut Machine<'_>, state: &mut State, fd: &Value) -> Tried<(Open, bool, bool)> {
    let found = opened(machine, state, fd)?;
    Ok(found.map(|found| {
        let (_, open) = found?;
        match &inode(state, open.id).body {
            Body::Socket { data, listens, .. } => Ok((open, data.is_some(), *listens)),
            _ => Err(ENOTSOCK),
        }
    }))
}

pub(super) fn connect(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (open, connected, _) = valid!(settled!(of(machine, state, &arguments[0])));
    if connected {
        return result(EISCONN);
    }
    let Some(file) = peer(state) else { return result(ECONNREFUSED) };
    if let Body::Socket { data, .. } = &mut linux_mut(state).tree.inode_mut(open.id).body {
        *data = Some(file);
    }
    result(0)
}

pub(super) fn bind(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(of(machine, state, &arguments[0])));
    result(0)
}

pub(super) fn listen(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (open, _, _) = valid!(settled!(of(machine, state, &arguments[0])));
    if let Body::Socket { listens, .. } = &mut linux_mut(state).tree.inode_mut(open.id).body {
        *listens = true;
    }
    result(0)
}

pub(super) fn accept(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (open, _, listens) = valid!(settled!(of(machine, state, &arguments[0])));
    let flags = plain(machine, state, &arguments[3], "flags")? as u32;
    if !listens {
        return result(EINVAL);
    }
    valid!(linux(state).table.room());
    settled!(no_address(machine, state, &arguments[2]));
    match peer(state) {
        Some(data) => add(state, Some(data), flags & (O_NONBLOCK | O_CLOEXEC)),
        None if open.flags & O_NONBLOCK != 0 => result(EAGAIN),
        None => Err(io::waits("for a connection")),
    }
}

/// Where a length of an address is asked for, there is none.
fn no_address(machine: &mut Machine<'_>, state: &mut State, length: &Value) -> Result<Option<()>, End> {
    if is_null(length) { Ok(Some(())) } else { store(machine, state, length, &[0; 4]) }
}

pub(super) fn send(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(of(machine, state, &arguments[0])));
    io::write(machine, state, arguments)
}

pub(super) fn receive(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    const PEEK: u64 = 2;
    let (open, _, _) = valid!(settled!(of(machine, state, &arguments[0])));
    let flags = plain(machine, state, &arguments[3], "flags")?;
    settled!(no_address(machine, state, &arguments[5]));
    let before = inode(state, open.id).body.clone();
    let answer = io::read(machine, state, arguments)?;
    if flags & PEEK != 0 && !matches!(answer, Reply::Forked) {
        linux_mut(state).tree.inode_mut(open.id).body = before;
    }
    Ok(answer)
}

/// The buffers of a `struct msghdr`, as readv and writev take them.
fn message(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Result<Option<[Value; 6]>, End> {
    let Some(list) = machine.fetch(state, &at(&arguments[1], 16), 8)? else { return Ok(None) };
    let Some(count) = machine.fetch(state, &at(&arguments[1], 24), 8)? else { return Ok(None) };
    let mut moved: [Value; 6] = Default::default();
    (moved[0], moved[1], moved[2]) = (arguments[0].clone(), list, count);
    Ok(Some(moved))
}

pub(super) fn send_message(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(of(machine, state, &arguments[0])));
    let moved = settled!(message(machine, state, arguments));
    io::writev(machine, state, &moved)
}

pub(super) fn receive_message(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(of(machine, state, &arguments[0])));
    let moved = settled!(message(machine, state, arguments));
    io::readv(machine, state, &moved)
}

pub(super) fn connected(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (_, connected, _) = valid!(settled!(of(machine, state, &arguments[0])));
    result(if connected { 0 } else { ENOTCONN })
}

pub(super) fn name(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(of(machine, state, &arguments[0])));
    let mut address = [0; 16];
    address[0] = 2;
    settled!(store(machine, state, &arguments[1], &address));
    settled!(store(machine, state, &arguments[2], &16u32.to_le_bytes()));
    result(0)
}

pub(super) fn option(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(of(machine, state, &arguments[0])));
    result(0)
}

pub(super) fn get_option(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(of(machine, state, &arguments[0])));
    settled!(store(machine, state, &arguments[3], &[0; 4]));
    settled!(store(machine, state, &arguments[4], &4u32.to_le_bytes()));
    result(0)
}
