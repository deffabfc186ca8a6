//! All tests of a run in one file, `tests.pack`: what a million files would take minutes to list and to remove.
//!
//! The file is only appended to, and each record has a checksum. A run that is killed leaves a whole
//! number of records and at most one torn one, which the reader cuts off. A damaged record in the
//! middle costs itself: the reader finds the next one by its mark and checksum.
//!
//! ```text
//! file    magic "STRATAPK", version u32, records
//! record  mark 0xfa, kind u8, length u32, CRC-32 of kind, length and payload u32, payload
//! ```
//!
//! Fixed numbers are little-endian; a *varint* is LEB128 of at most 64 bits. A *value* is a varint `v`:
//! if its lowest bit is 0, `v >> 1` bytes follow; if it is 1, the value is the text `v >> 1`, which an
//! earlier record holds. So what repeats (object names, command lines, ends, outputs, unchanged
//! objects) is stored once, and a test of 8 input bytes takes some forty bytes.
//!
//! | kind | payload |
//! |---|---|
//! | 1, text | varint id, bytes |
//! | 2, test | varint number, flags u8 (1: reached new code; 2: has a report), value *form*, value *rest*, varint branches, hash of branches u64, value stdout, value stderr, of a report: value kind and value text, then a value for each object of the form |
//!
//! The *form* is a `.ktest` file whose objects are empty; the *rest* is the JSON of an expectation
//! without what is said beside it. A test written again under its number replaces the earlier one. A
//! reader passes over kinds that it does not know. A new version is needed where a known kind changes.
//!
//! The mark never occurs in UTF-8, so that text inside a damaged record is not taken for a record.
//! Rejected: compression of blocks, which saves more, but loses a whole block with its last record; an
//! index at the end, which a killed run does not write (reading a million records takes 0.1 s).

mod read;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use read::{Packed, Reader};
pub(crate) use write::Writer;

/// The name of the file in the run's folder.
pub(crate) const NAME: &str = "tests.pack";
const MAGIC: &[u8; 8] = b"STRATAPK";
const VERSION: u32 = 1;
/// Bytes before the first record: magic and version.
const HEADER: usize = 12;
const MARK: u8 = 0xfa;
/// Bytes of a record before its payload: mark, kind, length, checksum.
const HEAD: usize = 10;
const TEXT: u8 = 1;
const TEST: u8 = 2;
const NEW: u8 = 1;
const REPORT: u8 = 2;

/// The checksum of a record: of its kind, its length and its payload.
fn checksum(kind: u8, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[kind]);
    hasher.update(&(payload.len() as u32).to_le_bytes());
    hasher.update(payload);
    hasher.finalize()
}
