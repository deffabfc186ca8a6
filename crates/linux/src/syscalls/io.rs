//! Descriptors: reading, writing, positions, pipes.
//!
//! Concrete reads and writes move whole runs of bytes between shared pages. A symbolic count or position costs one choice for each byte that it can
//! touch, and no fork but at the end of the file.

use super::*;
use crate::files::{Body, File, Inode, Pipe};
use strata_interp::{Output, Piece, Span};
use strata_memory::INDEX;
use strata_term::{Op, mentions};

/// Bytes that a read with a symbolic count or position may touch before sizes are tried instead.
const TOUCHED: u64 = 4096;
/// Buffers of one call.
const BUFFERS: u64 = 1024;
/// What a pipe holds at most.
const PIPE: u64 = 65536;

/// A piece of the program's memory.
struct Buffer {
    base: Value,
    length: u64,
}

/// An argument that is a buffer and its length.
fn buffer(
    machine: &mut Machine<'_>,
    state: &mut State,
    base: &Value,
    length: &Value,
    what: &'static str,
) -> Result<Option<Vec<Buffer>>, End> {
    let Some(length) = machine.size(state, length, what)? else { return Ok(None) };
    Ok(Some(vec![Buffer { base: base.clone(), length }]))
}

/// The buffers of readv and its kin.
fn buffers(machine: &mut Machine<'_>, state: &mut State, list: &Value, count: &Value) -> Tried<Vec<Buffer>> {
    let count = plain(machine, state, count, "a number of buffers")?;
    if count > BUFFERS {
        return Ok(Some(Err(EINVAL)));
    }
    let mut buffers = Vec::new();
    for i in 0..count {
        let Some(base) = machine.fetch(state, &at(list, i * 16), 8)? else { return Ok(None) };
        let Some(length) = machine.fetch(state, &at(list, i * 16 + 8), 8)? else { return Ok(None) };
        let Some(length) = machine.size(state, &length, "the length of a buffer")? else { return Ok(None) };
        buffers.push(Buffer { base, length });
    }
    Ok(Some(Ok(buffers)))
}

fn total(buffers: &[Buffer]) -> u64 {
    buffers.iter().fold(0, |sum, buffer| sum.saturating_add(buffer.length))
}

/// Where the first `count` bytes of the buffers lie.
fn spots(
    machine: &mut Machine<'_>,
    state: &mut State,
    buffers: &[Buffer],
    mut count: u64,
    write: bool,
) -> Result<Option<Vec<(Spot, u64)>>, End> {
    let mut spots = Vec::new();
    for buffer in buffers {
        let part = buffer.length.min(count);
        if part > 0 {
            let Some(spot) = machine.locate(state, &buffer.base, part, write)? else { return Ok(None) };
            spots.push((spot, part));
        }
        count -= part;
    }
    Ok(Some(spots))
}

fn move_to(state: &mut State, fd: i32, position: Value) {
    if let Some(open) = table_mut(state).open_mut(fd) {
        open.position = position;
    }
}

// ---- reading ----

pub(super) fn read(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    settled!(fixed_for_short_reads(machine, state, &open));
    if let Some(file) = file_of(state, &open)
        && (arguments[2].is_symbolic() || open.position.is_symbolic() || file.extent.is_some())
    {
        let buffer = (arguments[1].clone(), arguments[2].clone());
        return read_symbolic(machine, state, fd, &open, &file, &[buffer]);
    }
    let buffers = settled!(buffer(machine, state, &arguments[1], &arguments[2], "the length of a read"));
    read_into(machine, state, fd, &open, &buffers, None)
}

pub(super) fn readv(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    settled!(fixed_for_short_reads(machine, state, &open));
    let is_symbolic = |file: &File| open.position.is_symbolic() || file.extent.is_some();
    if let Some(file) = file_of(state, &open).filter(is_symbolic) {
        let buffers = valid!(settled!(buffers(machine, state, &arguments[1], &arguments[2])));
        let buffers: Vec<(Value, Value)> = buffers
            .into_iter()
            .filter(|buffer| buffer.length > 0)
            .map(|buffer| (buffer.base, Value::bits(buffer.length)))
            .collect();
        return read_symbolic(machine, state, fd, &open, &file, &buffers);
    }
    let buffers = valid!(settled!(buffers(machine, state, &arguments[1], &arguments[2])));
    read_into(machine, state, fd, &open, &buffers, None)
}

/// Reads that give less than there is are forks over numbers.
fn fixed_for_short_reads(machine: &mut Machine<'_>, state: &mut State, open: &Open) -> Result<Option<()>, End> {
    if linux(state).given.short_reads { fixed(machine, state, open.id) } else { Ok(Some(())) }
}

/// A position that an argument says; a negative one is an error.
fn position(machine: &mut Machine<'_>, state: &mut State, value: &Value) -> Tried<u64> {
    let Some(position) = machine.size(state, value, "a position in a file")? else { return Ok(None) };
    Ok(Some(if position as i64 >= 0 { Ok(position) } else { Err(EINVAL) }))
}

pub(super) fn pread(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    let position = valid!(settled!(position(machine, state, &arguments[3])));
    let buffers = settled!(buffer(machine, state, &arguments[1], &arguments[2], "the length of a read"));
    read_into(machine, state, fd, &open, &buffers, Some((position, false)))
}

pub(super) fn preadv(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    let position = valid!(settled!(position(machine, state, &arguments[3])));
    let buffers = valid!(settled!(buffers(machine, state, &arguments[1], &arguments[2])));
    read_into(machine, state, fd, &open, &buffers, Some((position, false)))
}

/// The file that an opening reads from.
fn file_of(state: &State, open: &Open) -> Option<File> {
    match &inode(state, open.id).body {
        Body::File(file) if open.reads() => Some(file.clone()),
        Body::File(_)
        | Body::Folder { .. }
        | Body::Link(_)
        | Body::Device { .. }
        | Body::Pipe(_)
        | Body::Output(_)
        | Body::Alias(_)
        | Body::Socket { .. } => None,
    }
}

/// What a read finds.
enum Source {
    Bytes { contents: Contents, start: u64, left: u64 },
    Zeros,
    Error(i64),
}

fn source(state: &State, open: &Open, position: Option<u64>) -> Result<Source, End> {
    let body = &inode(state, open.id).body;
    Ok(match body {
        _ if !open.reads() => Source::Error(EBADF),
        Body::File(file) => {
            let start = position.or(open.position.concrete()).unwrap_or(0);
            Source::Bytes { contents: file.contents.clone(), start, left: file.size.saturating_sub(start) }
        }
        Body::Folder { .. } => Source::Error(EISDIR),
        Body::Device { zero: true } => Source::Zeros,
        Body::Device { zero: false } => Source::Bytes { contents: Contents::zero(0, 0), start: 0, left: 0 },
        Body::Pipe(_) | Body::Socket { .. } if position.is_some() => Source::Error(ESPIPE),
        Body::Pipe(pipe) if pipe.start < pipe.file.size => {
            let (contents, left) = (pipe.file.contents.clone(), pipe.file.size - pipe.start);
            Source::Bytes { contents, start: pipe.start, left }
        }
        Body::Pipe(_) if linux(state).table.opens().any(|other| other.id == open.id && other.writes()) => {
            if open.flags & O_NONBLOCK == 0 {
                return Err(waits("a read from a pipe that nobody else writes to"));
            }
            Source::Error(EAGAIN)
        }
        Body::Pipe(_) => Source::Bytes { contents: Contents::zero(0, 0), start: 0, left: 0 },
        Body::Socket { data: Some(data), at, .. } => {
            Source::Bytes { contents: data.contents.clone(), start: *at, left: data.size - at }
        }
        Body::Socket { data: None, .. } => Source::Error(ENOTCONN),
        Body::Output(_) | Body::Link(_) | Body::Alias(_) => Source::Error(EBADF),
    })
}

/// The one thread there is would never go on.
pub(super) fn waits(what: &str) -> End {
    Cause::new("waits", format!("the program waits for ever: {what}")).into()
}

fn read_into(
    machine: &mut Machine<'_>,
    state: &mut State,
    fd: i32,
    open: &Open,
    buffers: &[Buffer],
    position: Option<(u64, bool)>,
) -> Answer {
    settled!(fixed(machine, state, open.id));
    let wanted = total(buffers);
    let (contents, start, left) = match source(state, open, position.map(|(position, _)| position))? {
        Source::Error(error) => return result(error),
        Source::Zeros => (Contents::zero(wanted, 0), 0, wanted),
        Source::Bytes { contents, start, left } => (contents, start, left),
    };
    let mut count = wanted.min(left);
    let regular = matches!(inode(state, open.id).body, Body::File(_));
    let cut = count > 1 && regular && linux(state).given.short_reads;
    if cut && settled!(fails(machine, state, Failure::Short)) {
        count = 1;
    }
    let spots = settled!(spots(machine, state, buffers, count, true));
    let mut done = start;
    for (spot, part) in &spots {
        machine.put_bytes(state, spot, &contents, done, *part);
        done += part;
    }
    if cut {
        counted(state, Failure::Short, count == 1);
    }
    consumed(state, fd, open.id, position.is_none_or(|(_, moves)| moves), done, count);
    result(count as i64)
}

/// Bytes were read up to a place.
fn consumed(state: &mut State, fd: i32, id: Id, moves: bool, to: u64, count: u64) {
    if count == 0 || !moves {
        return;
    }
    match &mut linux_mut(state).tree.inode_mut(id).body {
        Body::Pipe(Pipe { start, .. }) => *start = to,
        Body::Socket { at, .. } => *at = to,
        Body::File(_) => move_to(state, fd, Value::bits(to)),
        Body::Folder { .. } | Body::Link(_) | Body::Device { .. } | Body::Output(_) | Body::Alias(_) => {}
    }
}

/// Sizes of a file that are told apart where its size must be a number.
const EACH: u64 = 256;

/// The size of a file becomes a number: forks over all that it can be.
pub(super) fn fixed(machine: &mut Machine<'_>, state: &mut State, id: Id) -> Result<Option<()>, End> {
    let Body::File(file) = &inode(state, id).body else { return Ok(Some(())) };
    let Some(extent) = file.extent.clone() else { return Ok(Some(())) };
    let fix = |state: &mut State, size: u64| {
        if let Body::File(file) = &mut linux_mut(state).tree.inode_mut(id).body {
            file.resize(size);
        }
    };
    if file.size > EACH {
        let Some(size) = machine.size(state, &Value::term(extent), "the size of a file")? else { return Ok(None) };
        fix(state, size);
        return Ok(Some(()));
    }
    let conditions: Vec<Term> = (0..=file.size).map(|size| extent.eq(&Term::number(64, size))).collect();
    let forked = machine.split(state, &conditions, &mut |_, state, i| {
        fix(state, i as u64);
        Ok(())
    })?;
    Ok((!forked).then_some(()))
}

/// A read whose count or position is symbolic, or from a file of symbolic size. Bytes that are
/// not reached stay as they are.
fn read_symbolic(
    machine: &mut Machine<'_>,
    state: &mut State,
    fd: i32,
    open: &Open,
    file: &File,
    buffers: &[(Value, Value)],
) -> Answer {
    let (what, zero) = ("the length of a read", Term::number(64, 0));
    let mut count = zero.clone();
    for (_, length) in buffers {
        count = count.add(&machine.settle(state, &length.to_term(64), what)?);
    }
    let position = machine.settle(state, &open.position.to_term(64), "a position in a file")?;
    let size = file.extent();
    let (before_end, left) = (position.ult(&size), size.sub(&position));
    let left = if position.is_const() {
        Term::ite(&before_end, &left, &zero)
    } else if settled!(decide(machine, state, &before_end)) {
        left
    } else {
        return result(0);
    };
    let number = Term::ite(&count.ult(&left), &count, &left);
    let (_, most) = machine.bounds(state, &number, 0, file.size)?;
    if most == 0 {
        return result(0);
    }
    let number = match most <= TOUCHED {
        true => number,
        false => Term::number(64, settled!(machine.size(state, &Value::term(number), what))),
    };
    let most = number.const_u64().unwrap_or(most);
    // All that can fork comes before anything is changed.
    let (mut pieces, mut before) = (Vec::new(), zero.clone());
    for (base, length) in buffers {
        let (length, rest) = (length.to_term(64), number.sub(&before));
        let part = Term::ite(&rest.ult(&length), &rest, &length);
        let part = Term::ite(&before.ult(&number), &part, &zero);
        match machine.span(state, base, &Value::term(part.clone()), true)? {
            Span::At(spot) => pieces.push((spot, before.clone(), part)),
            Span::Empty => {}
            Span::Forked => return Ok(Reply::Forked),
        }
        before = before.add(&length);
    }
    let (low, high) = match position.const_u64() {
        Some(position) => (position, position),
        None => machine.bounds(state, &position, 0, file.size - 1)?,
    };
    for (spot, before, part) in pieces {
        // What lies outside the object or the file is not read: the path says so from here on.
        let skipped = before.const_u64().unwrap_or(0);
        let most =
            (most - skipped.min(most)).min(machine.left(state, &spot)).min(file.size.saturating_sub(low + skipped));
        for i in 0..most {
            let spot = machine.further(state, &spot, i);
            let byte = match (position.const_u64(), before.const_u64()) {
                (Some(position), Some(before)) => file.contents.read(position + before + i, 1).to_term(8),
                (_, _) => {
                    let index = position.add(&before).extract(INDEX - 1, 0).add(&Term::number(INDEX, i));
                    let last = (high + skipped + i).min(file.size - 1);
                    file.contents.read_at(&index, (low + skipped + i).min(last), last, 1)
                }
            };
            let old = machine.read(state, &spot, 1).to_term(8);
            let reached = Term::number(64, i).ult(&part);
            machine.write(state, &spot, 1, &Value::term(Term::ite(&reached, &byte, &old)));
        }
    }
    move_to(state, fd, Value::term(position.add(&number)));
    Ok(Reply::Value(Value::term(number)))
}

// ---- writing ----

pub(super) fn write(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    if let Body::Output(stream) = inode(state, open.id).body
        && arguments[2].is_symbolic()
        && open.writes()
    {
        return show_symbolic(machine, state, stream, &arguments[1], &arguments[2]);
    }
    let buffers = settled!(buffer(machine, state, &arguments[1], &arguments[2], "the length of a write"));
    write_from(machine, state, fd, &open, &buffers, None)
}

pub(super) fn writev(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    let buffers = valid!(settled!(buffers(machine, state, &arguments[1], &arguments[2])));
    write_from(machine, state, fd, &open, &buffers, None)
}

pub(super) fn pwrite(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    let position = valid!(settled!(position(machine, state, &arguments[3])));
    let buffers = settled!(buffer(machine, state, &arguments[1], &arguments[2], "the length of a write"));
    write_from(machine, state, fd, &open, &buffers, Some(position))
}

pub(super) fn pwritev(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    let position = valid!(settled!(position(machine, state, &arguments[3])));
    let buffers = valid!(settled!(buffers(machine, state, &arguments[1], &arguments[2])));
    write_from(machine, state, fd, &open, &buffers, Some(position))
}

fn write_from(
    machine: &mut Machine<'_>,
    state: &mut State,
    fd: i32,
    open: &Open,
    buffers: &[Buffer],
    position: Option<u64>,
) -> Answer {
    if !open.writes() {
        return result(EBADF);
    }
    let count = total(buffers);
    let spots = settled!(spots(machine, state, buffers, count, false));
    match &inode(state, open.id).body {
        Body::Output(_) | Body::Pipe(_) | Body::Socket { .. } if position.is_some() => result(ESPIPE),
        Body::Output(stream) => {
            let stream = *stream;
            for (spot, part) in &spots {
                show(machine, state, stream, spot, *part)?;
            }
            result(count as i64)
        }
        Body::Device { .. } | Body::Socket { data: Some(_), .. } => result(count as i64),
        Body::Socket { data: None, .. } => signal::broken_pipe(machine, state),
        Body::File(_) => write_file(machine, state, fd, open, &spots, count, position),
        Body::Pipe(_) => write_pipe(machine, state, open, &spots, count),
        Body::Folder { .. } | Body::Link(_) | Body::Alias(_) => result(EBADF),
    }
}

/// Appends bytes of memory to what was written to standard output or error.
fn show(machine: &mut Machine<'_>, state: &mut State, stream: i32, spot: &Spot, count: u64) -> Result<(), End> {
    let plain = match spot {
        Spot::At { origin, offset } => state.object(*origin).and_then(|o| o.plain(*offset, count)),
        Spot::Among { .. } => None,
    };
    let piece = match plain {
        Some(bytes) => Piece::Bytes(bytes.into()),
        None => {
            let mut terms = Vec::new();
            for i in 0..count {
                let byte = machine.read(state, &spot.shifted(i), 1).to_term(8);
                terms.push(machine.settle(state, &byte, "output")?);
            }
            Piece::Terms(Arc::from(terms))
        }
    };
    state.output.push(Output { descriptor: stream, piece });
    Ok(())
}

/// Appends as many bytes of memory as a term says.
fn show_symbolic(machine: &mut Machine<'_>, state: &mut State, stream: i32, base: &Value, count: &Value) -> Answer {
    let what = "the length of a write";
    let count = machine.settle(state, &count.to_term(64), what)?;
    let spot = match machine.span(state, base, &Value::term(count.clone()), false)? {
        Span::At(spot) => spot,
        Span::Empty => return result(0),
        Span::Forked => return Ok(Reply::Forked),
    };
    let (_, most) = machine.lengths(state, &count, &[&spot], what)?;
    let mut bytes = Vec::new();
    for i in 0..most {
        let byte = machine.read(state, &machine.further(state, &spot, i), 1).to_term(8);
        let reached = Term::number(64, i).ult(&count);
        // What is not written decides nothing.
        let byte = if mentions(&byte, Op::Symbol) { Term::ite(&reached, &byte, &Term::number(8, 0)) } else { byte };
        bytes.push(machine.settle(state, &byte, "output")?);
    }
    state.output.push(Output { descriptor: stream, piece: Piece::Start(bytes.into(), count.clone()) });
    Ok(Reply::Value(Value::term(count)))
}

/// The file of an inode, taken out so that the state can be looked at while it is changed, and put back by the caller.
fn take_file(state: &mut State, id: Id) -> File {
    match &mut linux_mut(state).tree.inode_mut(id).body {
        Body::File(file) | Body::Pipe(Pipe { file, .. }) => {
            std::mem::replace(file, File { contents: Contents::zero(0, 0), size: 0, extent: None })
        }
        Body::Folder { .. }
        | Body::Link(_)
        | Body::Device { .. }
        | Body::Output(_)
        | Body::Alias(_)
        | Body::Socket { .. } => File::empty(),
    }
}

fn put_file(state: &mut State, id: Id, back: File) {
    if let Body::File(file) | Body::Pipe(Pipe { file, .. }) = &mut linux_mut(state).tree.inode_mut(id).body {
        *file = back;
    }
}

fn write_file(
    machine: &mut Machine<'_>,
    state: &mut State,
    fd: i32,
    open: &Open,
    spots: &[(Spot, u64)],
    count: u64,
    position: Option<u64>,
) -> Answer {
    settled!(fixed(machine, state, open.id));
    let size = inode(state, open.id).size();
    let start = match position {
        _ if open.flags & O_APPEND != 0 => size,
        Some(position) => position,
        None => settled!(machine.size(state, &open.position, "a position in a file")),
    };
    if count == 0 {
        return result(0);
    }
    let end = start.saturating_add(count);
    if end > i64::MAX as u64 {
        return result(EFBIG);
    }
    let grows = end.saturating_sub(size);
    if linux(state).tree.used + grows > DISK {
        // The native disk has another size.
        state.depends_on_engine.get_or_insert("write (the disk is full)");
        return result(ENOSPC);
    }
    let mut file = take_file(state, open.id);
    let mut done = start;
    for (spot, part) in spots {
        machine.take_bytes(state, spot, *part, &mut file.contents, done);
        done += part;
    }
    file.size = file.size.max(end);
    put_file(state, open.id, file);
    linux_mut(state).tree.used += grows;
    if position.is_none() {
        move_to(state, fd, Value::bits(end));
    }
    result(count as i64)
}

fn write_pipe(machine: &mut Machine<'_>, state: &mut State, open: &Open, spots: &[(Spot, u64)], count: u64) -> Answer {
    if !linux(state).table.opens().any(|other| other.id == open.id && other.reads()) {
        return signal::broken_pipe(machine, state);
    }
    let Body::Pipe(pipe) = &inode(state, open.id).body else { return result(EBADF) };
    if pipe.file.size - pipe.start + count > PIPE {
        if open.flags & O_NONBLOCK == 0 {
            return Err(waits("a write to a pipe that is full"));
        }
        return result(EAGAIN);
    }
    let mut file = take_file(state, open.id);
    for (spot, part) in spots {
        machine.take_bytes(state, spot, *part, &mut file.contents, file.size);
        file.size += part;
    }
    put_file(state, open.id, file);
    result(count as i64)
}

// ---- from file to file ----

/// A position that a call takes from a descriptor, or from memory, where it leaves the new one.
fn place(
    machine: &mut Machine<'_>,
    state: &mut State,
    open: &Open,
    pointer: &Value,
) -> Result<Option<(u64, Option<Spot>)>, End> {
    if is_null(pointer) {
        let position = machine.size(state, &open.position, "a position in a file")?;
        return Ok(position.map(|position| (position, None)));
    }
    let Some(spot) = machine.locate(state, pointer, 8, true)? else { return Ok(None) };
    let value = machine.read(state, &spot, 8);
    let position = machine.size(state, &value, "a position in a file")?;
    Ok(position.map(|position| (position, Some(spot))))
}

pub(super) fn copy_range(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (from, source) = valid!(settled!(opened(machine, state, &arguments[0])));
    let (to, target) = valid!(settled!(opened(machine, state, &arguments[2])));
    let count = settled!(machine.size(state, &arguments[4], "the length of a copy"));
    let (start, start_spot) = settled!(place(machine, state, &source, &arguments[1]));
    let (end, end_spot) = settled!(place(machine, state, &target, &arguments[3]));
    let regular = |open: &Open| matches!(inode(state, open.id).body, Body::File(_));
    if !source.reads() || !target.writes() || target.flags & O_APPEND != 0 {
        return result(EBADF);
    }
    if !regular(&source) || !regular(&target) {
        return result(EINVAL);
    }
    settled!(fixed(machine, state, source.id));
    settled!(fixed(machine, state, target.id));
    let Some(file) = file_of(state, &source) else { return result(EINVAL) };
    let count = count.min(file.size.saturating_sub(start));
    if source.id == target.id && start < end.saturating_add(count) && end < start.saturating_add(count) {
        return result(EINVAL);
    }
    let grows = end.saturating_add(count).saturating_sub(inode(state, target.id).size());
    if linux(state).tree.used + grows > DISK {
        state.depends_on_engine.get_or_insert("copy_file_range (the disk is full)");
        return result(ENOSPC);
    }
    let mut written = take_file(state, target.id);
    if count > 0 {
        written.contents.copy(end, &file.contents, start, count);
        written.size = written.size.max(end + count);
    }
    put_file(state, target.id, written);
    linux_mut(state).tree.used += grows;
    for (fd, position, spot) in [(from, start, start_spot), (to, end, end_spot)] {
        let position = Value::bits(position + count);
        match spot {
            Some(spot) => machine.write(state, &spot, 8, &position),
            None => move_to(state, fd, position),
        }
    }
    result(count as i64)
}

/// Files are sent to whatever takes bytes: as a read into memory of the kernel's own, and a write.
pub(super) fn send_file(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (to, target) = valid!(settled!(opened(machine, state, &arguments[0])));
    let (from, source) = valid!(settled!(opened(machine, state, &arguments[1])));
    let count = settled!(machine.size(state, &arguments[3], "the length of a copy"));
    let (start, spot) = settled!(place(machine, state, &source, &arguments[2]));
    if !target.writes() || !source.reads() {
        return result(EBADF);
    }
    settled!(fixed(machine, state, source.id));
    let Some(file) = file_of(state, &source) else { return result(EINVAL) };
    let count = count.min(file.size.saturating_sub(start));
    if count == 0 {
        return result(0);
    }
    let number = machine.allocate(state, count, 1, strata_memory::Kind::System, true)?;
    machine.put_bytes(state, &Spot::At { origin: number, offset: 0 }, &file.contents, start, count);
    let address = state.object(number).map_or(0, |object| object.address());
    let base = Value::pointer(address, number);
    let answer = write_from(machine, state, to, &target, &[Buffer { base, length: count }], None)?;
    machine.free(state, number);
    let Reply::Value(value) = &answer else { return Ok(answer) };
    if value.concrete().is_some_and(|written| written == count) {
        match spot {
            Some(spot) => machine.write(state, &spot, 8, &Value::bits(start + count)),
            None => move_to(state, from, Value::bits(start + count)),
        }
    }
    Ok(answer)
}

// ---- positions and sizes ----

pub(super) fn lseek(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    let whence = plain(machine, state, &arguments[2], "the origin of a position")?;
    if whence > 2 {
        settled!(fixed(machine, state, open.id));
    }
    let size = inode(state, open.id).size();
    match &inode(state, open.id).body {
        _ if open.flags & O_PATH != 0 => return result(EBADF),
        Body::Pipe(_) | Body::Output(_) | Body::Socket { .. } => return result(ESPIPE),
        Body::Device { .. } => return result(0),
        Body::Folder { .. } if whence > 1 => return result(EINVAL),
        Body::File(_) | Body::Folder { .. } | Body::Link(_) | Body::Alias(_) => {}
    }
    let base = match whence {
        0 | 3 | 4 => Value::bits(0),
        1 => open.position.clone(),
        2 => inode(state, open.id).extent().map_or(Value::bits(size), |extent| Value::term(extent.clone())),
        _ => return result(EINVAL),
    };
    if let (Some(base), Some(offset)) = (base.concrete(), arguments[1].concrete()) {
        return seek_plain(state, fd, whence, base.wrapping_add(offset), size);
    }
    let new = base.to_term(64).add(&arguments[1].to_term(64));
    let new = machine.settle(state, &new, "a position in a file")?;
    if settled!(decide(machine, state, &new.slt(&Term::number(64, 0)))) {
        return result(EINVAL);
    }
    if whence > 2 {
        let new = settled!(machine.size(state, &Value::term(new), "a position in a file"));
        return seek_plain(state, fd, whence, new, size);
    }
    move_to(state, fd, Value::term(new.clone()));
    Ok(Reply::Value(Value::term(new)))
}

/// Data are all bytes of a file; a hole follows them.
fn seek_plain(state: &mut State, fd: i32, whence: u64, to: u64, size: u64) -> Answer {
    let to = match whence {
        3 | 4 if to >= size => return result(ENXIO),
        4 => size,
        _ if (to as i64) < 0 => return result(EINVAL),
        _ => to,
    };
    move_to(state, fd, Value::bits(to));
    result(to as i64)
}

pub(super) fn ftruncate(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (_, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    let size = settled!(machine.size(state, &arguments[1], "the size of a file"));
    if open.flags & O_PATH != 0 {
        return result(EBADF);
    }
    if !open.writes() {
        return result(EINVAL);
    }
    settled!(fixed(machine, state, open.id));
    resize(state, open.id, size)
}

/// Gives a file another size.
pub(super) fn resize(state: &mut State, id: Id, size: u64) -> Answer {
    if size as i64 <= -1 {
        return result(EINVAL);
    }
    let Body::File(file) = &inode(state, id).body else { return result(EINVAL) };
    let before = file.size;
    if linux(state).tree.used + size.saturating_sub(before) > DISK {
        // A hole costs nothing natively.
        state.depends_on_engine.get_or_insert("ftruncate (beyond the disk)");
        return result(EFBIG);
    }
    let mut file = take_file(state, id);
    file.resize(size);
    put_file(state, id, file);
    let linux = linux_mut(state);
    linux.tree.used = (linux.tree.used + size).saturating_sub(before);
    result(0)
}

pub(super) fn fallocate(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    const KEEP_SIZE: u64 = 1;
    let (_, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    let mode = plain(machine, state, &arguments[1], "a mode")?;
    let start = settled!(machine.size(state, &arguments[2], "a position in a file"));
    let length = settled!(machine.size(state, &arguments[3], "the size of a file"));
    if !open.writes() {
        return result(EBADF);
    }
    if start as i64 <= -1 || length as i64 <= 0 {
        return result(EINVAL);
    }
    settled!(fixed(machine, state, open.id));
    let Body::File(file) = &inode(state, open.id).body else { return result(ESPIPE) };
    match mode {
        0 if start.saturating_add(length) > file.size => resize(state, open.id, start.saturating_add(length)),
        0 | KEEP_SIZE => result(0),
        _ => result(EOPNOTSUPP),
    }
}

// ---- descriptors ----

pub(super) fn close(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let fd = settled!(descriptor(machine, state, &arguments[0]));
    if linux(state).table.open(fd).is_none() {
        return result(EBADF);
    }
    table_mut(state).close(fd);
    result(0)
}

fn outcome(made: Result<i32, i64>) -> Answer {
    result(made.map_or_else(|error| error, i64::from))
}

pub(super) fn dup(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let fd = settled!(descriptor(machine, state, &arguments[0]));
    outcome(table_mut(state).duplicate(fd, 0, false))
}

pub(super) fn dup2(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let fd = settled!(descriptor(machine, state, &arguments[0]));
    let to = plain(machine, state, &arguments[1], "a descriptor")? as i32;
    outcome(table_mut(state).replace(fd, to, false))
}

pub(super) fn dup3(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let fd = settled!(descriptor(machine, state, &arguments[0]));
    let to = plain(machine, state, &arguments[1], "a descriptor")? as i32;
    let flags = plain(machine, state, &arguments[2], "flags")? as u32;
    if fd == to || flags & !O_CLOEXEC != 0 {
        return result(EINVAL);
    }
    outcome(table_mut(state).replace(fd, to, flags & O_CLOEXEC != 0))
}

pub(super) fn pipe(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    make_pipe(machine, state, &arguments[0], 0)
}

pub(super) fn pipe2(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let flags = plain(machine, state, &arguments[1], "flags")? as u32;
    if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
        return result(EINVAL);
    }
    make_pipe(machine, state, &arguments[0], flags)
}

fn make_pipe(machine: &mut Machine<'_>, state: &mut State, to: &Value, flags: u32) -> Answer {
    let spot = settled!(machine.locate(state, to, 8, true));
    let mut table = (*linux(state).table).clone();
    let body = Body::Pipe(Pipe { file: File::empty(), start: 0 });
    let id = linux_mut(state).tree.add(Inode { links: 1, ..Inode::new(0o600, body) });
    let ends = table.insert(id, flags).and_then(|read| Ok((read, table.insert(id, flags | O_WRONLY)?)));
    let (read, write) = valid!(ends);
    linux_mut(state).table = Arc::new(table);
    put(machine, state, &spot, &[read.to_le_bytes(), write.to_le_bytes()].concat());
    result(0)
}

pub(super) fn fcntl(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    const KEPT: u32 = O_APPEND | O_NONBLOCK;
    const UNLOCKED: [u8; 2] = [2, 0];
    let fd = settled!(descriptor(machine, state, &arguments[0]));
    let Some(open) = linux(state).table.open(fd).cloned() else { return result(EBADF) };
    let command = plain(machine, state, &arguments[1], "a command")?;
    let number = |machine: &mut Machine<'_>, state: &mut State| plain(machine, state, &arguments[2], "an argument");
    match command {
        0 | 1030 => {
            let least = number(machine, state)? as i32;
            match usize::try_from(least).ok().filter(|least| *least < DESCRIPTORS) {
                Some(least) => outcome(table_mut(state).duplicate(fd, least, command == 1030)),
                None => result(EINVAL),
            }
        }
        1 => result(i64::from(linux(state).table.closes_on_exec(fd) == Some(true))),
        2 => {
            let closes = number(machine, state)? & 1 != 0;
            table_mut(state).set_closes_on_exec(fd, closes);
            result(0)
        }
        3 => result(i64::from(open.flags)),
        4 => {
            let flags = number(machine, state)? as u32;
            if let Some(open) = table_mut(state).open_mut(fd) {
                open.flags = open.flags & !KEPT | flags & KEPT;
            }
            result(0)
        }
        5 => {
            settled!(store(machine, state, &arguments[2], &UNLOCKED));
            result(0)
        }
        6..=9 => result(0),
        _ => result(EINVAL),
    }
}

/// No descriptor is a terminal.
pub(super) fn ioctl(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    const FIONREAD: u64 = 0x541b;
    const FIONBIO: u64 = 0x5421;
    const FIONCLEX: u64 = 0x5450;
    const FIOCLEX: u64 = 0x5451;
    let (fd, open) = valid!(settled!(usable(machine, state, &arguments[0])));
    let command = plain(machine, state, &arguments[1], "a command")? & 0xffff_ffff;
    match command {
        FIOCLEX | FIONCLEX => {
            table_mut(state).set_closes_on_exec(fd, command == FIOCLEX);
            result(0)
        }
        FIONBIO => {
            let on = settled!(machine.fetch(state, &arguments[2], 4));
            let on = plain(machine, state, &on, "a flag")? != 0;
            if let Some(open) = table_mut(state).open_mut(fd) {
                open.flags = if on { open.flags | O_NONBLOCK } else { open.flags & !O_NONBLOCK };
            }
            result(0)
        }
        FIONREAD => {
            settled!(fixed(machine, state, open.id));
            let position = plain(machine, state, &open.position, "a position in a file")?;
            let left = match &inode(state, open.id).body {
                Body::File(file) => file.size.saturating_sub(position),
                Body::Pipe(pipe) => pipe.file.size - pipe.start,
                Body::Output(_) => 0,
                Body::Socket { data: Some(data), at, .. } => data.size - at,
                Body::Folder { .. } | Body::Link(_) | Body::Device { .. } | Body::Alias(_) | Body::Socket { .. } => {
                    return result(ENOTTY);
                }
            };
            settled!(store(machine, state, &arguments[2], &(left as u32).to_le_bytes()));
            result(0)
        }
        _ => result(ENOTTY),
    }
}

/// Nobody else holds a lock, and nothing waits to be written.
pub(super) fn flock(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    valid!(settled!(usable(machine, state, &arguments[0])));
    result(0)
}

pub(super) fn sync(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (_, open) = valid!(settled!(usable(machine, state, &arguments[0])));
    let kind = inode(state, open.id).kind();
    result(if kind == S_IFREG || kind == S_IFDIR { 0 } else { EINVAL })
}

pub(super) fn advise(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (_, open) = valid!(settled!(usable(machine, state, &arguments[0])));
    result(if inode(state, open.id).kind() == S_IFIFO { ESPIPE } else { 0 })
}
