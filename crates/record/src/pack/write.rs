//! Writes the pack: a test is one appended record, after those of the texts that it is the first to need.

use super::{MAGIC, MARK, NEW, REPORT, TEST, TEXT, VERSION, checksum};
use crate::append::Appender;
use crate::{Bytes, Dependence, End, ErrorReport, Expectation, Fault, KTest, Shape, hash};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::PathBuf;

/// The pack of a run, for writing.
#[derive(Debug)]
pub(crate) struct Writer {
    file: Appender,
    texts: Texts,
}

impl Writer {
    /// A pack at this path, which is made with its first test.
    pub fn new(path: PathBuf) -> Writer {
        Writer { file: Appender::new(path), texts: Texts::default() }
    }

    /// How long the file is.
    pub fn length(&self) -> u64 {
        self.file.length()
    }

    /// Forgets what was appended after it was so long. Sound: nothing may be appended afterwards, since later tests could refer to texts
    /// that are gone; the run stops writing.
    pub fn cut(&mut self, length: u64) {
        self.file.cut(length);
    }

    /// Appends a test by one write.
    pub fn append(
        &mut self,
        number: u32,
        input: &KTest,
        expectation: &Expectation,
        report: Option<&ErrorReport>,
    ) -> Result<(), Fault> {
        let mut records = Vec::with_capacity(128);
        if self.file.length() == 0 {
            records.extend_from_slice(MAGIC);
            records.extend_from_slice(&VERSION.to_le_bytes());
        }
        let payload = self.texts.test(&mut records, number, input, expectation, report);
        let whole = payload.and_then(|payload| record(&mut records, TEST, &payload));
        whole.map_err(|error| Fault::Write(self.file.path().into(), error))?;
        self.file.append(&records)
    }
}

/// Appends a record.
fn record(out: &mut Vec<u8>, kind: u8, payload: &[u8]) -> io::Result<()> {
    let length = u32::try_from(payload.len()).map_err(|_| io::Error::other("a test has more than 4 GiB"))?;
    out.extend_from_slice(&[MARK, kind]);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&checksum(kind, payload).to_le_bytes());
    out.extend_from_slice(payload);
    Ok(())
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// What of an expectation repeats from test to test; read back as an [`Expectation`].
#[derive(Serialize)]
struct Rest<'e> {
    end: &'e End,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    depends: &'e BTreeSet<Dependence>,
    #[serde(skip_serializing_if = "str::is_empty")]
    call: &'e str,
    #[serde(skip_serializing_if = "<[Bytes]>::is_empty")]
    became: &'e [Bytes],
    #[serde(skip_serializing_if = "<[Shape]>::is_empty")]
    shapes: &'e [Shape],
    seed: u64,
}

/// Does a value repeat in other tests?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeats {
    /// Surely: it becomes a text at once.
    Surely,
    /// Perhaps: it becomes a text when it is met for the second time.
    Perhaps,
}

/// Values shorter than this stand where they are used: a text costs a record of twelve bytes.
const SHORT: usize = 12;
/// Bytes of texts that the writer remembers. Beyond this, new values stand where they are used: memory has a bound, the pack is longer.
const HELD: usize = 32 << 20;
/// Hashes of values met once that the writer remembers; a newer one takes the place of an older one.
const SEEN: usize = 1 << 16;

/// The texts written so far.
#[derive(Debug, Default)]
struct Texts {
    ids: HashMap<Vec<u8>, u64>,
    held: usize,
    seen: Vec<u64>,
}

impl Texts {
    /// The payload of a test; texts that it is the first to need go to `records`.
    fn test(
        &mut self,
        records: &mut Vec<u8>,
        number: u32,
        input: &KTest,
        expectation: &Expectation,
        report: Option<&ErrorReport>,
    ) -> io::Result<Vec<u8>> {
        let Expectation { end, stdout, stderr, cut, branches, depends, call, new, became, shapes, seed } = expectation;
        let rest = Rest { end, cut: *cut, depends, call, became, shapes, seed: *seed };
        let rest = serde_json::to_vec(&rest).expect("plain data becomes JSON");
        let mut out = Vec::with_capacity(64 + input.size());
        varint(&mut out, u64::from(number));
        out.push(if *new { NEW } else { 0 } | if report.is_some() { REPORT } else { 0 });
        let mut value = |bytes: &[u8], repeats, out: &mut Vec<u8>| self.value(out, records, bytes, repeats);
        value(&input.form(), Repeats::Surely, &mut out)?;
        value(&rest, Repeats::Surely, &mut out)?;
        varint(&mut out, branches.count);
        out.extend_from_slice(&branches.hash.to_le_bytes());
        value(&stdout.0, Repeats::Perhaps, &mut out)?;
        value(&stderr.0, Repeats::Perhaps, &mut out)?;
        if let Some(report) = report {
            value(report.suffix().as_bytes(), Repeats::Surely, &mut out)?;
            value(report.text().as_bytes(), Repeats::Perhaps, &mut out)?;
        }
        for (_, bytes) in &input.objects {
            value(bytes, Repeats::Perhaps, &mut out)?;
        }
        Ok(out)
    }

    fn value(&mut self, out: &mut Vec<u8>, records: &mut Vec<u8>, bytes: &[u8], repeats: Repeats) -> io::Result<()> {
        match self.text(records, bytes, repeats)? {
            Some(id) => varint(out, id << 1 | 1),
            None => {
                varint(out, (bytes.len() as u64) << 1);
                out.extend_from_slice(bytes);
            }
        }
        Ok(())
    }

    /// The text that a value is, which may be written for it.
    fn text(&mut self, records: &mut Vec<u8>, bytes: &[u8], repeats: Repeats) -> io::Result<Option<u64>> {
        if bytes.len() < SHORT {
            return Ok(None);
        }
        if let Some(id) = self.ids.get(bytes) {
            return Ok(Some(*id));
        }
        if self.held + bytes.len() > HELD || repeats == Repeats::Perhaps && !self.was_seen(bytes) {
            return Ok(None);
        }
        let id = self.ids.len() as u64;
        let mut payload = Vec::with_capacity(10 + bytes.len());
        varint(&mut payload, id);
        payload.extend_from_slice(bytes);
        record(records, TEXT, &payload)?;
        self.held += bytes.len();
        self.ids.insert(bytes.to_owned(), id);
        Ok(Some(id))
    }

    /// Was a value with this hash met before, as far as is remembered?
    fn was_seen(&mut self, bytes: &[u8]) -> bool {
        self.seen.resize(SEEN, 0);
        let hash = hash(bytes);
        std::mem::replace(&mut self.seen[hash as usize % SEEN], hash) == hash
    }
}
