//! Calls on names: opening, making, removing, renaming, folders.
//!
//! A name with symbolic bytes is compared, part by part, with all names that are there: the path forks over those it may be, and the case that it is
//! none of them is one path. A file that is created under such a name gets one of the possible names, which makes the run incomplete.

use super::*;
use crate::files::{ALIAS, Body, File, Inode, Name, Pipe, Place, ROOT};

/// A string of the program's.
pub(super) enum Text {
    Plain(Vec<u8>),
    /// Terms of eight bits, the last of which is a zero.
    Symbolic(Vec<Term>),
}

/// The string at a pointer.
pub(super) fn text(machine: &mut Machine<'_>, state: &mut State, pointer: &Value) -> Result<Option<Text>, End> {
    if let Some(bytes) = machine.plain_string(state, pointer) {
        return Ok(Some(Text::Plain(bytes)));
    }
    let Some(spot) = machine.locate(state, pointer, 1, false)? else { return Ok(None) };
    let pointer = match spot {
        Spot::At { origin, offset } => {
            let address = state.object(origin).map_or(0, |object| object.address());
            Value::pointer(address + offset, origin)
        }
        Spot::Among { origin, .. } => {
            let address = plain(machine, state, pointer, "the address of a name")?;
            Value::pointer(address, origin)
        }
    };
    let bytes = match machine.text_bytes(state, &pointer, None)? {
        Some(bytes) => bytes,
        None => match unended(machine, state, &pointer)? {
            Some(bytes) => bytes,
            None => return Ok(None),
        },
    };
    Ok(Some(known(state, bytes)))
}

/// A string without a zero that is surely there: on the inputs without any, reading it leaves its object.
fn unended(machine: &mut Machine<'_>, state: &mut State, pointer: &Value) -> Result<Option<Vec<Term>>, End> {
    loop {
        let object = state.object(pointer.origin).or_else(|| state.object_at(pointer.bits));
        let room = object.map_or(0, |o| (o.address() + o.sure()).saturating_sub(pointer.bits));
        let mut bytes = machine.text_bytes(state, pointer, Some(room as usize))?.unwrap_or_default();
        let ends = bytes.iter().fold(Term::bool(false), |any, byte| any.or(&byte.is_zero_term()));
        let Some(ends) = decide(machine, state, &ends)? else { return Ok(None) };
        if ends {
            bytes.push(Term::number(8, 0));
            return Ok(Some(bytes));
        }
        // An object of symbolic size may have one byte more: then it surely has, from here on.
        if machine.locate(state, pointer, room + 1, false)?.is_none() {
            return Ok(None);
        }
    }
}

trait Zero {
    fn is_zero_term(&self) -> Term;
}

impl Zero for Term {
    fn is_zero_term(&self) -> Term {
        self.eq(&Term::number(8, 0))
    }
}

/// Bytes that the path leaves one value are plain.
fn known(state: &State, mut bytes: Vec<Term>) -> Text {
    for byte in &mut bytes {
        if !byte.is_const()
            && let Some(bits) = state.path.value(byte)
        {
            *byte = Term::constant(bits);
        }
    }
    let end = bytes.iter().position(Term::is_zero).unwrap_or(bytes.len());
    let plain: Option<Vec<u8>> = bytes[..end].iter().map(|byte| byte.const_u64().map(|byte| byte as u8)).collect();
    plain.map_or(Text::Symbolic(bytes), Text::Plain)
}

/// The folder that a name is relative to.
fn base(machine: &mut Machine<'_>, state: &mut State, folder: &Value, text: &Text) -> Tried<Id> {
    let absolute = matches!(text, Text::Plain(bytes) if bytes.starts_with(b"/"));
    if absolute || folder.concrete().is_some_and(|fd| fd as i32 == AT_FDCWD) {
        return Ok(Some(Ok(linux(state).folder)));
    }
    let found = opened(machine, state, folder)?;
    Ok(found.map(|found| {
        let (_, open) = found?;
        if inode(state, open.id).is_folder() { Ok(open.id) } else { Err(ENOTDIR) }
    }))
}

/// Where the name at a pointer leads. With a slash behind it, it must be a folder's.
pub(super) fn resolve(
    machine: &mut Machine<'_>,
    state: &mut State,
    folder: &Value,
    name: &Value,
    follow: bool,
) -> Tried<Place> {
    let place = lookup(machine, state, folder, name, follow)?;
    Ok(place.map(|place| match place {
        Ok(Place { found: Some(id), slash: true, .. }) if !inode(state, id).is_folder() => Err(ENOTDIR),
        place => place,
    }))
}

/// The same, to make something there: then whatever has the name is in the way, with a slash or without.
fn lookup(machine: &mut Machine<'_>, state: &mut State, folder: &Value, name: &Value, follow: bool) -> Tried<Place> {
    let Some(text) = text(machine, state, name)? else { return Ok(None) };
    let Some(base) = base(machine, state, folder, &text)? else { return Ok(None) };
    let base = match base {
        Ok(base) => base,
        Err(error) => return Ok(Some(Err(error))),
    };
    match text {
        Text::Plain(path) => Ok(Some(linux(state).tree.walk(base, &path, follow))),
        Text::Symbolic(bytes) => walk(machine, state, base, &bytes, follow),
    }
}

/// The working folder, as the first argument of the calls that take one.
pub(super) fn here() -> Value {
    Value::bits(AT_FDCWD as u64)
}

/// What comes next in a name with symbolic bytes.
enum Next {
    End,
    Slash,
    Last(Vec<u8>),
    Folder(Vec<u8>),
    Unknown,
}

/// All that can come next, each with its condition: they exclude each other, and one of them holds.
fn nexts(state: &State, at: Id, bytes: &[Term]) -> Vec<(Next, Term)> {
    let zero = Term::number(8, 0);
    let byte = |i: usize| bytes.get(i).unwrap_or(&zero);
    let is = |i: usize, value: u8| byte(i).eq(&Term::number(8, u64::from(value)));
    let mut nexts = vec![(Next::End, is(0, 0)), (Next::Slash, is(0, b'/'))];
    let entries = linux(state).tree.entries(at);
    let names = entries.iter().flat_map(|entries| entries.keys().map(Vec::as_slice));
    for name in [b".".as_slice(), b".."].into_iter().chain(names) {
        let same = name.iter().enumerate().fold(Term::bool(true), |all, (i, value)| all.and(&is(i, *value)));
        if !same.is_false() {
            nexts.push((Next::Last(name.to_vec()), same.and(&is(name.len(), 0))));
            nexts.push((Next::Folder(name.to_vec()), same.and(&is(name.len(), b'/'))));
        }
    }
    nexts.retain(|(_, condition)| !condition.is_false());
    let none = nexts.iter().fold(Term::bool(true), |none, (_, condition)| none.and(&condition.not()));
    nexts.push((Next::Unknown, none));
    nexts
}

/// Are there slashes up to the end?
fn only_slashes(bytes: &[Term]) -> Term {
    bytes.iter().rev().fold(Term::bool(true), |only, byte| {
        let slash = byte.eq(&Term::number(8, u64::from(b'/')));
        byte.is_zero_term().or(&slash.and(&only))
    })
}

/// Does nothing come behind the first part of a name; nothing but slashes; or something else?
fn behind(bytes: &[Term]) -> [Term; 3] {
    let (mut last, mut slashes, mut only) = (Term::bool(true), Term::bool(false), Term::bool(true));
    // From the end on: `only` says that from here on there are slashes up to the end.
    for byte in bytes.iter().rev() {
        let (zero, slash) = (byte.is_zero_term(), byte.eq(&Term::number(8, u64::from(b'/'))));
        slashes = Term::ite(&zero, &Term::bool(false), &Term::ite(&slash, &only, &slashes));
        last = zero.or(&slash.not().and(&last));
        only = zero.or(&slash.and(&only));
    }
    let more = last.or(&slashes).not();
    [last, slashes, more]
}

fn walk(machine: &mut Machine<'_>, state: &mut State, base: Id, bytes: &[Term], follow: bool) -> Tried<Place> {
    let (mut at, mut p) = (base, 0);
    let mut passed: Option<Place> = None;
    loop {
        let nexts = nexts(state, at, &bytes[p.min(bytes.len())..]);
        let conditions: Vec<Term> = nexts.iter().map(|(_, condition)| condition.clone()).collect();
        let Some(chosen) = choose(machine, state, &conditions)? else { return Ok(None) };
        let tree = &linux(state).tree;
        match &nexts[chosen].0 {
            Next::End => return Ok(Some(passed.ok_or(ENOENT))),
            Next::Slash => {
                if p == 0 {
                    at = ROOT;
                    passed = Some(Place { folder: ROOT, name: Name::Root, found: Some(ROOT), slash: true });
                }
                p += 1;
            }
            Next::Last(name) => return Ok(Some(tree.walk(at, name, follow))),
            Next::Folder(name) => match tree.walk(at, &[name.as_slice(), b"/"].concat(), true) {
                Ok(Place { found: None, .. }) => return Ok(Some(Err(ENOENT))),
                Ok(place) => {
                    at = place.found.unwrap_or(at);
                    p += name.len() + 1;
                    if !tree.inode(at).is_folder() {
                        let ends = only_slashes(&bytes[p.min(bytes.len())..]);
                        let Some(ends) = decide(machine, state, &ends)? else { return Ok(None) };
                        return Ok(Some(if ends { Ok(place) } else { Err(ENOTDIR) }));
                    }
                    passed = Some(place);
                }
                Err(error) => return Ok(Some(Err(error))),
            },
            Next::Unknown => {
                if let Err(error) = tree.enter(at) {
                    return Ok(Some(Err(error)));
                }
                let rest = bytes[p..].to_vec();
                let Some(kind) = choose(machine, state, &behind(&rest))? else { return Ok(None) };
                let place = Place { folder: at, name: Name::Unknown(rest), found: None, slash: kind == 1 };
                return Ok(Some(if kind == 2 { Err(ENOENT) } else { Ok(place) }));
            }
        }
    }
}

/// The last part of a way as plain bytes, to be given to something new.
fn new_name(machine: &mut Machine<'_>, state: &mut State, place: &Place) -> Result<Vec<u8>, End> {
    match &place.name {
        Name::Plain(name) => Ok(name.clone()),
        Name::Here | Name::Up | Name::Root => Ok(b".".to_vec()),
        Name::Unknown(bytes) => {
            let mut name = Vec::new();
            for byte in bytes {
                let value = machine.concretize(state, byte, "the name of a new file")?.low_u64() as u8;
                if value == 0 || value == b'/' {
                    break;
                }
                name.push(value);
            }
            Ok(name)
        }
    }
}

/// May something be added to a folder or taken out?
fn changeable(state: &State, folder: Id) -> Result<(), i64> {
    let inode = inode(state, folder);
    match inode {
        _ if inode.links == 0 => Err(ENOENT),
        _ if !inode.permits(3) => Err(EACCES),
        _ => Ok(()),
    }
}

/// Puts something new at a place where nothing is.
fn add(machine: &mut Machine<'_>, state: &mut State, place: &Place, inode: Inode) -> Result<Result<Id, i64>, End> {
    if let Err(error) = changeable(state, place.folder) {
        return Ok(Err(error));
    }
    let name = new_name(machine, state, place)?;
    if name.len() > NAME_MAX {
        return Ok(Err(ENAMETOOLONG));
    }
    Ok(Ok(linux_mut(state).tree.make(place.folder, &name, inode)))
}

fn masked(state: &State, mode: u64, allowed: u32) -> u32 {
    mode as u32 & allowed & !linux(state).umask
}

// ---- opening ----

pub(super) fn open(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    open_at(machine, state, &here(), &arguments[0], &arguments[1], &arguments[2])
}

pub(super) fn openat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    open_at(machine, state, &arguments[0], &arguments[1], &arguments[2], &arguments[3])
}

pub(super) fn creat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let flags = Value::bits(u64::from(O_CREAT | O_WRONLY | O_TRUNC));
    open_at(machine, state, &here(), &arguments[0], &flags, &arguments[1])
}

fn open_at(
    machine: &mut Machine<'_>,
    state: &mut State,
    folder: &Value,
    name: &Value,
    flags: &Value,
    mode: &Value,
) -> Answer {
    let flags = plain(machine, state, flags, "flags of open")? as u32;
    valid!(linux(state).table.room());
    let exclusive = flags & O_CREAT != 0 && flags & O_EXCL != 0;
    let follow = flags & O_NOFOLLOW == 0 && !exclusive;
    let creates = flags & O_CREAT != 0;
    let place = match creates {
        true => lookup(machine, state, folder, name, follow),
        false => resolve(machine, state, folder, name, follow),
    };
    let place = valid!(settled!(place));
    if creates && place.slash {
        return result(EISDIR);
    }
    if flags & O_TMPFILE != 0 && flags & O_DIRECTORY != 0 {
        return open_unnamed(machine, state, &place, flags, mode);
    }
    match place.found {
        Some(_) if exclusive => result(EEXIST),
        Some(id) => open_known(state, id, flags),
        None if flags & O_CREAT == 0 => result(ENOENT),
        None => {
            let mode = plain(machine, state, mode, "a mode")?;
            let inode = Inode::new(masked(state, mode, 0o7777), Body::File(File::empty()));
            let id = valid!(add(machine, state, &place, inode)?);
            enter(state, id, flags)
        }
    }
}

/// A descriptor for an inode.
fn enter(state: &mut State, id: Id, flags: u32) -> Answer {
    let kept = flags & !(O_NOFOLLOW | O_DIRECTORY | O_TMPFILE) | flags & (O_DIRECTORY | O_NOFOLLOW);
    let made = table_mut(state).insert(id, kept | O_LARGEFILE);
    result(made.map_or_else(|error| error, i64::from))
}

fn open_unnamed(machine: &mut Machine<'_>, state: &mut State, place: &Place, flags: u32, mode: &Value) -> Answer {
    let Some(folder) = place.found else { return result(ENOENT) };
    if !inode(state, folder).is_folder() {
        return result(ENOTDIR);
    }
    if flags & O_ACCMODE == 0 {
        return result(EINVAL);
    }
    let mode = plain(machine, state, mode, "a mode")?;
    let new = Inode::new(masked(state, mode, 0o7777), Body::File(File::empty()));
    let id = linux_mut(state).tree.add(new);
    enter(state, id, flags)
}

fn open_known(state: &mut State, id: Id, flags: u32) -> Answer {
    let inode = inode(state, id);
    let access = flags & O_ACCMODE;
    let writes = access != 0;
    let wanted = match access {
        0 => 4,
        O_WRONLY => 2,
        _ => 6,
    };
    match &inode.body {
        Body::Alias(fd) => {
            let made = match linux(state).table.open(*fd) {
                Some(_) => {
                    let fd = *fd;
                    table_mut(state).duplicate(fd, 0, flags & O_CLOEXEC != 0)
                }
                None => Err(ENOENT),
            };
            return result(made.map_or_else(|error| error, i64::from));
        }
        Body::Folder { .. } if flags & O_CREAT != 0 => return result(EISDIR),
        Body::Folder { .. } if writes || flags & O_TRUNC != 0 => return result(EISDIR),
        Body::Folder { .. } => {}
        Body::Link(_) if flags & O_PATH == 0 && flags & O_DIRECTORY != 0 => return result(ENOTDIR),
        Body::Link(_) if flags & O_PATH == 0 => return result(ELOOP),
        Body::Socket { .. } => return result(ENXIO),
        Body::File(_) | Body::Link(_) | Body::Device { .. } | Body::Pipe(_) | Body::Output(_) => {
            if flags & O_DIRECTORY != 0 {
                return result(ENOTDIR);
            }
        }
    }
    if flags & O_PATH == 0 && !inode.permits(wanted) {
        return result(EACCES);
    }
    if let Body::Pipe(_) = &inode.body {
        valid!(open_fifo(state, id, flags)?);
    }
    if flags & O_TRUNC != 0 && matches!(super::inode(state, id).body, Body::File(_)) {
        io::resize(state, id, 0)?;
    }
    enter(state, id, flags)
}

/// A pipe with a name is opened from both sides at once, by whoever reads and whoever writes: there is nobody else.
fn open_fifo(state: &State, id: Id, flags: u32) -> Result<Result<(), i64>, End> {
    let others = |writes: bool| {
        let fits = |open: &&Open| open.id == id && if writes { open.writes() } else { open.reads() };
        linux(state).table.opens().find(fits).is_some()
    };
    match flags & O_ACCMODE {
        0 if flags & O_NONBLOCK == 0 && !others(true) => Err(io::waits("a pipe that nobody else opens")),
        O_WRONLY if !others(false) && flags & O_NONBLOCK != 0 => Ok(Err(ENXIO)),
        O_WRONLY if !others(false) => Err(io::waits("a pipe that nobody else opens")),
        _ => Ok(Ok(())),
    }
}

// ---- making and removing ----

pub(super) fn mkdir(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    make_folder(machine, state, &here(), &arguments[0], &arguments[1])
}

pub(super) fn mkdirat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    make_folder(machine, state, &arguments[0], &arguments[1], &arguments[2])
}

fn make_folder(machine: &mut Machine<'_>, state: &mut State, folder: &Value, name: &Value, mode: &Value) -> Answer {
    let place = valid!(missing_place(settled!(lookup(machine, state, folder, name, false)), true));
    let mode = plain(machine, state, mode, "a mode")?;
    let inode = Inode::folder(masked(state, mode, 0o1777), place.folder);
    valid!(add(machine, state, &place, inode)?);
    result(0)
}

/// A place where nothing is yet.
fn missing_place(place: Result<Place, i64>, slash: bool) -> Result<Place, i64> {
    match place? {
        Place { found: Some(_), .. } => Err(EEXIST),
        place if place.slash && !slash => Err(ENOENT),
        place => Ok(place),
    }
}

pub(super) fn mknod(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    make_node(machine, state, &here(), &arguments[0], &arguments[1])
}

pub(super) fn mknodat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    make_node(machine, state, &arguments[0], &arguments[1], &arguments[2])
}

fn make_node(machine: &mut Machine<'_>, state: &mut State, folder: &Value, name: &Value, mode: &Value) -> Answer {
    let mode = plain(machine, state, mode, "a mode")?;
    let body = match mode as u32 & 0o170000 {
        0 | S_IFREG => Body::File(File::empty()),
        S_IFIFO => Body::Pipe(Pipe { file: File::empty(), start: 0 }),
        S_IFSOCK => Body::Socket { data: None, at: 0, listens: false },
        S_IFDIR => return result(EPERM),
        S_IFCHR | 0o060000 => return result(EPERM),
        _ => return result(EINVAL),
    };
    let place = valid!(missing_place(settled!(lookup(machine, state, folder, name, false)), false));
    let inode = Inode::new(masked(state, mode, 0o7777), body);
    valid!(add(machine, state, &place, inode)?);
    result(0)
}

pub(super) fn symlink(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    make_link(machine, state, &arguments[0], &here(), &arguments[1])
}

pub(super) fn symlinkat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    make_link(machine, state, &arguments[0], &arguments[1], &arguments[2])
}

fn make_link(machine: &mut Machine<'_>, state: &mut State, target: &Value, folder: &Value, name: &Value) -> Answer {
    let target = settled!(text(machine, state, target));
    let place = settled!(lookup(machine, state, folder, name, false));
    let target = match target {
        Text::Plain(target) => target,
        Text::Symbolic(bytes) => {
            let mut target = Vec::new();
            for byte in &bytes {
                match machine.concretize(state, byte, "the target of a link")?.low_u64() as u8 {
                    0 => break,
                    byte => target.push(byte),
                }
            }
            target
        }
    };
    if target.is_empty() {
        return result(ENOENT);
    }
    if target.len() >= PATH_MAX {
        return result(ENAMETOOLONG);
    }
    let place = valid!(missing_place(place, false));
    valid!(add(machine, state, &place, Inode::new(0o777, Body::Link(target)))?);
    result(0)
}

pub(super) fn link(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    link_at(machine, state, &here(), &arguments[0], &here(), &arguments[1], false)
}

pub(super) fn linkat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let flags = plain(machine, state, &arguments[4], "flags")? as u32;
    if flags & !(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH) != 0 {
        return result(EINVAL);
    }
    let [from, old, to, new, ..] = arguments;
    link_at(machine, state, from, old, to, new, flags & AT_SYMLINK_FOLLOW != 0)
}

fn link_at(
    machine: &mut Machine<'_>,
    state: &mut State,
    from: &Value,
    old: &Value,
    to: &Value,
    new: &Value,
    follow: bool,
) -> Answer {
    let old = valid!(settled!(resolve(machine, state, from, old, follow)));
    let Some(id) = old.found else { return result(ENOENT) };
    let new = valid!(missing_place(settled!(lookup(machine, state, to, new, false)), false));
    if inode(state, id).is_folder() {
        return result(EPERM);
    }
    valid!(changeable(state, new.folder));
    let name = new_name(machine, state, &new)?;
    linux_mut(state).tree.link(new.folder, &name, id);
    result(0)
}

pub(super) fn unlink(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    remove_file(machine, state, &here(), &arguments[0])
}

pub(super) fn rmdir(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    remove_folder(machine, state, &here(), &arguments[0])
}

pub(super) fn unlinkat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    match plain(machine, state, &arguments[2], "flags")? as u32 {
        0 => remove_file(machine, state, &arguments[0], &arguments[1]),
        AT_REMOVEDIR => remove_folder(machine, state, &arguments[0], &arguments[1]),
        _ => result(EINVAL),
    }
}

fn remove_file(machine: &mut Machine<'_>, state: &mut State, folder: &Value, name: &Value) -> Answer {
    let place = valid!(settled!(resolve(machine, state, folder, name, false)));
    let Name::Plain(name) = &place.name else {
        return result(if place.found.is_some() { EISDIR } else { ENOENT });
    };
    let Some(id) = place.found else { return result(ENOENT) };
    valid!(changeable(state, place.folder));
    if inode(state, id).is_folder() {
        return result(EISDIR);
    }
    linux_mut(state).tree.unlink(place.folder, name);
    release(state, id);
    result(0)
}

/// A file without a name that nobody has open gives its room back.
fn release(state: &mut State, id: Id) {
    let linux = linux_mut(state);
    let inode = linux.tree.inode(id);
    if let Body::File(file) = &inode.body
        && inode.links == 0
        && !linux.table.opens().any(|open| open.id == id)
    {
        linux.tree.used = linux.tree.used.saturating_sub(file.size);
    }
}

fn remove_folder(machine: &mut Machine<'_>, state: &mut State, folder: &Value, name: &Value) -> Answer {
    let place = valid!(settled!(resolve(machine, state, folder, name, false)));
    let name = match &place.name {
        Name::Here => return result(EINVAL),
        Name::Up => return result(ENOTEMPTY),
        Name::Root => return result(EBUSY),
        Name::Unknown(_) => return result(ENOENT),
        Name::Plain(name) => name,
    };
    let Some(id) = place.found else { return result(ENOENT) };
    valid!(changeable(state, place.folder));
    match linux(state).tree.entries(id) {
        None => result(ENOTDIR),
        Some(entries) if !entries.is_empty() => result(ENOTEMPTY),
        Some(_) => {
            linux_mut(state).tree.unlink(place.folder, name);
            result(0)
        }
    }
}

// ---- renaming ----

pub(super) fn rename(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    rename_at(machine, state, [&here(), &arguments[0], &here(), &arguments[1]], 0)
}

pub(super) fn renameat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let [from, old, to, new, ..] = arguments;
    rename_at(machine, state, [from, old, to, new], 0)
}

pub(super) fn renameat2(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let flags = plain(machine, state, &arguments[4], "flags")?;
    let [from, old, to, new, ..] = arguments;
    if flags > 2 {
        return result(EINVAL);
    }
    rename_at(machine, state, [from, old, to, new], flags)
}

fn rename_at(machine: &mut Machine<'_>, state: &mut State, [from, old, to, new]: [&Value; 4], flags: u64) -> Answer {
    const KEEP: u64 = 1;
    const EXCHANGE: u64 = 2;
    let old = valid!(settled!(lookup(machine, state, from, old, false)));
    let new = valid!(settled!(lookup(machine, state, to, new, false)));
    let dots = |place: &Place| matches!(place.name, Name::Here | Name::Up | Name::Root);
    if dots(&old) || dots(&new) {
        return result(if flags == KEEP && dots(&new) && !dots(&old) { EEXIST } else { EBUSY });
    }
    let (Some(moved), Name::Plain(old_name)) = (old.found, &old.name) else { return result(ENOENT) };
    if flags == KEEP && new.found.is_some() {
        return result(EEXIST);
    }
    if flags == EXCHANGE && new.found.is_none() {
        return result(ENOENT);
    }
    let is_folder = inode(state, moved).is_folder();
    if (old.slash || new.slash) && !is_folder {
        return result(ENOTDIR);
    }
    if is_folder && is_within(state, new.folder, moved) {
        return result(EINVAL);
    }
    if new.found.is_some_and(|id| id != moved && is_within(state, old.folder, id)) && flags != EXCHANGE {
        return result(ENOTEMPTY);
    }
    if new.found == Some(moved) {
        return result(0);
    }
    valid!(changeable(state, old.folder).and(changeable(state, new.folder)));
    if let (Some(other), false) = (new.found, flags == EXCHANGE) {
        valid!(replaceable(state, is_folder, other));
    }
    let new_name = new_name(machine, state, &new)?;
    let tree = &mut linux_mut(state).tree;
    tree.unlink(old.folder, old_name);
    if let Some(other) = new.found {
        tree.unlink(new.folder, &new_name);
        if flags == EXCHANGE {
            tree.link(old.folder, old_name, other);
        }
    }
    tree.link(new.folder, &new_name, moved);
    if let Some(other) = new.found {
        release(state, other);
    }
    result(0)
}

/// May a folder, or something else, take the place of what is there?
fn replaceable(state: &State, by_folder: bool, other: Id) -> Result<(), i64> {
    match (by_folder, linux(state).tree.entries(other)) {
        (true, None) => Err(ENOTDIR),
        (true, Some(entries)) if !entries.is_empty() => Err(ENOTEMPTY),
        (false, Some(_)) => Err(EISDIR),
        (true, Some(_)) | (false, None) => Ok(()),
    }
}

/// Is a folder another one, or in it?
fn is_within(state: &State, mut folder: Id, outer: Id) -> bool {
    let tree = &linux(state).tree;
    while folder != outer && folder != ROOT {
        folder = tree.parent(folder);
    }
    folder == outer
}

// ---- folders and links ----

pub(super) fn readlink(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    read_link(machine, state, &here(), &arguments[0], &arguments[1], &arguments[2])
}

pub(super) fn readlinkat(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    read_link(machine, state, &arguments[0], &arguments[1], &arguments[2], &arguments[3])
}

fn read_link(
    machine: &mut Machine<'_>,
    state: &mut State,
    folder: &Value,
    name: &Value,
    to: &Value,
    size: &Value,
) -> Answer {
    let size = settled!(machine.size(state, size, "the size of a buffer"));
    if size as i32 <= 0 {
        return result(EINVAL);
    }
    let place = valid!(settled!(resolve(machine, state, folder, name, false)));
    let Some(id) = place.found else { return result(ENOENT) };
    let target = match &inode(state, id).body {
        Body::Link(target) => target.clone(),
        Body::Alias(fd) => [ALIAS, fd.to_string().as_bytes()].concat(),
        Body::File(_)
        | Body::Folder { .. }
        | Body::Device { .. }
        | Body::Pipe(_)
        | Body::Output(_)
        | Body::Socket { .. } => return result(EINVAL),
    };
    let part = &target[..target.len().min(size as usize)];
    settled!(store(machine, state, to, part));
    result(part.len() as i64)
}

pub(super) fn getcwd(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let size = settled!(machine.size(state, &arguments[1], "the size of a buffer"));
    let linux = linux(state);
    let Some(mut way) = linux.tree.way(linux.folder) else { return result(ENOENT) };
    way.push(0);
    if size < way.len() as u64 {
        return result(ERANGE);
    }
    settled!(store(machine, state, &arguments[0], &way));
    result(way.len() as i64)
}

pub(super) fn chdir(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let place = valid!(settled!(resolve(machine, state, &here(), &arguments[0], true)));
    let Some(id) = place.found else { return result(ENOENT) };
    valid!(linux(state).tree.enter(id));
    linux_mut(state).folder = id;
    result(0)
}

pub(super) fn fchdir(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (_, open) = valid!(settled!(opened(machine, state, &arguments[0])));
    valid!(linux(state).tree.enter(open.id));
    linux_mut(state).folder = open.id;
    result(0)
}

pub(super) fn truncate(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let size = settled!(machine.size(state, &arguments[1], "the size of a file"));
    if size as i64 <= -1 {
        return result(EINVAL);
    }
    let place = valid!(settled!(resolve(machine, state, &here(), &arguments[0], true)));
    let Some(id) = place.found else { return result(ENOENT) };
    let inode = inode(state, id);
    match &inode.body {
        Body::Folder { .. } => result(EISDIR),
        Body::File(_) if !inode.permits(2) => result(EACCES),
        Body::File(_) => io::resize(state, id, size),
        Body::Link(_)
        | Body::Device { .. }
        | Body::Pipe(_)
        | Body::Output(_)
        | Body::Alias(_)
        | Body::Socket { .. } => result(EINVAL),
    }
}

/// The names in a folder, sorted; natively the runtime sorts them, too.
pub(super) fn entries(machine: &mut Machine<'_>, state: &mut State, arguments: Arguments<'_>) -> Answer {
    let (fd, open) = valid!(settled!(usable(machine, state, &arguments[0])));
    let room = settled!(machine.size(state, &arguments[2], "the size of a buffer"));
    let position = plain(machine, state, &open.position, "a position in a folder")?;
    let tree = &linux(state).tree;
    let Some(names) = tree.entries(open.id) else { return result(ENOTDIR) };
    let listing = match &open.listing {
        Some(listing) if position > 0 => listing.clone(),
        _ => {
            let mut list = vec![(b".".to_vec(), open.id), (b"..".to_vec(), tree.parent(open.id))];
            list.extend(names.iter().map(|(name, id)| (name.clone(), *id)));
            Arc::new(list)
        }
    };
    let mut bytes = Vec::new();
    let mut tree = tree.clone();
    let mut next = position;
    for (name, id) in listing.iter().skip(position as usize) {
        let length = (19 + name.len() + 1).next_multiple_of(8);
        if bytes.len() + length > room as usize {
            break;
        }
        next += 1;
        entry(&mut bytes, tree.number(*id), next, length, (tree.inode(*id).kind() >> 12) as u8, name);
    }
    if bytes.is_empty() && (position as usize) < listing.len() {
        return result(EINVAL);
    }
    settled!(store(machine, state, &arguments[1], &bytes));
    linux_mut(state).tree = tree;
    if let Some(open) = table_mut(state).open_mut(fd) {
        open.position = Value::bits(next);
        open.listing = Some(listing);
    }
    result(bytes.len() as i64)
}

/// A `struct linux_dirent64`.
fn entry(bytes: &mut Vec<u8>, number: u64, next: u64, length: usize, kind: u8, name: &[u8]) {
    let start = bytes.len();
    bytes.extend(number.to_le_bytes());
    bytes.extend(next.to_le_bytes());
    bytes.extend((length as u16).to_le_bytes());
    bytes.push(kind);
    bytes.extend_from_slice(name);
    bytes.resize(start + length, 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of last, slashes, more holds for a plain text.
    fn check(text: &[u8], expect: usize) {
        let bytes: Vec<Term> = text.iter().chain(b"\0").map(|byte| Term::number(8, u64::from(*byte))).collect();
        let found: Vec<bool> = behind(&bytes).iter().map(Term::is_true).collect();
        let expected: Vec<bool> = (0..3).map(|i| i == expect).collect();
        assert_eq!(found, expected, "{}", text.escape_ascii());
    }

    #[test]
    fn what_comes_behind_a_name() {
        check(b"abc", 0);
        check(b"abc/", 1);
        check(b"abc//", 1);
        check(b"abc/d", 2);
        check(b"abc//d/", 2);
        check(b"a\0b/c", 0);
        check(b"a/\0b", 1);
    }
}
