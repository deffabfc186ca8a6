//! What a program is given, laid out in memory that the supervisor sees at the same address: arguments, environment, working folder, files.
//!
//! The supervisor may not allocate, so pointers and strings are ready for it, and files are a run of records that it walks.

use crate::refusal::Refusal;
use libc::c_char;
use std::ptr::null;

/// A file that is there before the program starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// From the root on.
    pub path: Vec<u8>,
    /// Permissions.
    pub mode: u32,
    /// What it is.
    pub body: EntryBody,
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryBody {
    /// With these bytes.
    File(Vec<u8>),
    /// A folder; comes before what is in it.
    Folder,
    /// A symbolic link to there.
    Link(Vec<u8>),
}

/// The beginning of the memory.
#[repr(C)]
pub(crate) struct Head {
    pub arguments: *const *const c_char,
    pub environment: *const *const c_char,
    pub folder: *const c_char,
    /// The first record, and how many there are.
    pub files: *const Record,
    pub count: usize,
}

/// A file.
#[repr(C)]
pub(crate) struct Record {
    pub kind: u32,
    pub mode: u32,
    pub path: *const c_char,
    /// The bytes of a file, or the target of a link.
    pub data: *const u8,
    pub length: usize,
}

pub(crate) const FILE: u32 = 1;
pub(crate) const FOLDER: u32 = 2;
pub(crate) const LINK: u32 = 3;

/// Room for all of it.
pub(crate) const ROOM: usize = 96 << 20;

/// Fills memory from its start.
struct Writer {
    at: *mut u8,
    left: usize,
}

impl Writer {
    /// Room for so many things.
    fn take<T>(&mut self, count: usize) -> Result<*mut T, Refusal> {
        let skip = self.at.align_offset(align_of::<T>());
        let size = size_of::<T>().checked_mul(count).and_then(|size| size.checked_add(skip));
        let size = size.filter(|size| *size <= self.left).ok_or(Refusal::Arguments)?;
        // SAFETY: within the memory, as was just checked.
        let start = unsafe { self.at.add(skip) };
        self.at = unsafe { self.at.add(size) };
        self.left -= size;
        Ok(start.cast())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<*const u8, Refusal> {
        let start = self.take::<u8>(bytes.len())?;
        // SAFETY: as many bytes as were taken.
        unsafe { start.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(start.cast_const())
    }

    /// A string ends at its first zero.
    fn text(&mut self, text: &[u8]) -> Result<*const c_char, Refusal> {
        let start = self.bytes(text)?;
        self.bytes(&[0])?;
        Ok(start.cast())
    }

    fn list(&mut self, texts: &[Vec<u8>]) -> Result<*const *const c_char, Refusal> {
        let list = self.take::<*const c_char>(texts.len() + 1)?;
        for (i, text) in texts.iter().enumerate() {
            let text = self.text(text)?;
            // SAFETY: one of as many as were taken.
            unsafe { list.add(i).write(text) };
        }
        // SAFETY: the last of them.
        unsafe { list.add(texts.len()).write(null()) };
        Ok(list.cast_const())
    }
}

/// Lays everything out.
///
/// # Safety
/// `start` is the start of [`ROOM`] bytes that may be written, aligned as a page, and that nobody reads meanwhile.
pub(crate) unsafe fn lay_out(
    start: *mut u8,
    arguments: &[Vec<u8>],
    environment: &[Vec<u8>],
    folder: &[u8],
    files: &[Entry],
) -> Result<(), Refusal> {
    let mut writer = Writer { at: start, left: ROOM };
    let head = writer.take::<Head>(1)?;
    let arguments = writer.list(arguments)?;
    let environment = writer.list(environment)?;
    let folder = writer.text(if folder.is_empty() { b"/" } else { folder })?;
    let records = writer.take::<Record>(files.len())?;
    for (i, entry) in files.iter().enumerate() {
        let path = writer.text(&entry.path)?;
        let (kind, data) = match &entry.body {
            EntryBody::File(bytes) => (FILE, bytes.as_slice()),
            EntryBody::Folder => (FOLDER, &[][..]),
            EntryBody::Link(target) => (LINK, target.as_slice()),
        };
        let copy = writer.text(data)?.cast();
        let record = Record { kind, mode: entry.mode, path, data: copy, length: data.len() };
        // SAFETY: one of as many as were taken.
        unsafe { records.add(i).write(record) };
    }
    // SAFETY: taken first.
    unsafe { head.write(Head { arguments, environment, folder, files: records, count: files.len() }) };
    Ok(())
}
