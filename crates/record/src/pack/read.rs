//! Reads the pack: an index of its tests, each of which is decoded when it is asked for. A pack of a run that goes on can be read, too.

use super::{HEAD, HEADER, MAGIC, MARK, NEW, REPORT, TEST, TEXT, VERSION, checksum};
use crate::{Bytes, Expectation, Fault, KTest, Trace, regular};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::PathBuf;

/// The pack of a run, for reading: whole in memory.
#[derive(Debug)]
pub(crate) struct Reader {
    path: PathBuf,
    bytes: Vec<u8>,
    /// By number: the payload of the last record of each test.
    tests: Vec<(u32, Range<usize>)>,
    texts: HashMap<u64, Range<usize>>,
    damage: Vec<String>,
}

/// A test as the pack holds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Packed {
    pub input: KTest,
    pub expectation: Expectation,
    /// Kind and text.
    pub report: Option<(String, String)>,
}

impl Reader {
    /// The pack at this path; an empty one where there is none.
    pub fn open(path: PathBuf) -> Result<Reader, Fault> {
        match regular::read(&path, u64::MAX) {
            Ok(bytes) => Ok(Reader::of(path, bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Reader::of(path, Vec::new())),
            Err(error) => Err(Fault::Read(path, error)),
        }
    }

    /// The pack with these bytes.
    pub fn of(path: PathBuf, bytes: Vec<u8>) -> Reader {
        let (tests, texts, damage) = (Vec::new(), HashMap::new(), Vec::new());
        let mut reader = Reader { path, bytes, tests, texts, damage };
        if let Some(first) = reader.header() {
            reader.index(first);
        }
        reader
    }

    /// The numbers of its tests, rising.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.tests.iter().map(|(number, _)| *number)
    }

    /// What of the file cannot be read.
    pub fn damage(&self) -> &[String] {
        &self.damage
    }

    /// A test, if its record is there.
    pub fn get(&self, number: u32) -> Option<Result<Packed, Fault>> {
        let at = self.tests.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        let range = self.tests[at].1.clone();
        let mut input = Cursor { bytes: &self.bytes[..range.end], at: range.start };
        Some(self.test(&mut input).map_err(|message| {
            Fault::malformed(format!("offset {}", range.start - HEAD), format!("test {number}: {message}"))
                .within(&self.path)
        }))
    }

    /// Where the first record begins, if this is a pack.
    fn header(&mut self) -> Option<usize> {
        let known = [MAGIC.as_slice(), &VERSION.to_le_bytes()].concat();
        match self.bytes.get(..HEADER) {
            None if known.starts_with(&self.bytes) => None,
            Some(header) if header == known => Some(HEADER),
            Some(header) if header.starts_with(MAGIC) => {
                let version = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
                self.note(0, &format!("version {version}; version {VERSION} is known"));
                None
            }
            Some(_) | None => {
                self.note(0, "not a pack of tests: it does not start with STRATAPK");
                None
            }
        }
    }

    fn note(&mut self, offset: usize, message: &str) {
        self.damage.push(format!("{}: offset {offset}: {message}", self.path.display()));
    }

    /// Finds all records.
    fn index(&mut self, first: usize) {
        let mut at = first;
        let mut budget = Budget::of(&self.bytes);
        while at < self.bytes.len() {
            if let Some(payload) = payload(&self.bytes, at, None) {
                at = payload.end;
                self.add(payload);
                continue;
            }
            let next = (at + 1..self.bytes.len())
                .filter(|&next| self.bytes[next] == MARK)
                .find(|&next| payload(&self.bytes, next, Some(&mut budget)).is_some());
            match next {
                Some(next) => self.note(at, &format!("{} bytes are damaged and passed over", next - at)),
                None => self.note(at, &format!("the last {} bytes are torn and cut off", self.bytes.len() - at)),
            }
            at = next.unwrap_or(self.bytes.len());
        }
        self.tests.sort_by_key(|(number, _)| *number);
        // The later record of a test holds; the sort keeps their order.
        self.tests.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = later.1.clone();
            }
            same
        });
    }

    fn add(&mut self, payload: Range<usize>) {
        let kind = self.bytes[payload.start - HEAD + 1];
        let mut input = Cursor { bytes: &self.bytes[..payload.end], at: payload.start };
        let first = input.varint();
        match (kind, first.ok(), first.ok().and_then(|first| u32::try_from(first).ok())) {
            (TEXT, Some(id), _) => drop(self.texts.insert(id, input.at..payload.end)),
            (TEST, _, Some(number)) => self.tests.push((number, payload)),
            (TEXT | TEST, _, _) => self.note(payload.start - HEAD, "a record without a number"),
            // A kind of a later strata.
            (_, _, _) => {}
        }
    }

    fn test<'r>(&'r self, input: &mut Cursor<'r>) -> Result<Packed, &'static str> {
        let _number = input.varint()?;
        let flags = input.take(1)?[0];
        let form = KTest::from_bytes(self.value(input)?).map_err(|_| "its form is no .ktest file")?;
        let rest = serde_json::from_slice::<Expectation>(self.value(input)?);
        let rest = rest.map_err(|_| "its expectation cannot be read")?;
        let count = input.varint()?;
        let hash = input.take(8)?.try_into().expect("eight bytes");
        let branches = Trace { count, hash: u64::from_le_bytes(hash) };
        let (stdout, stderr) = (self.value(input)?.to_owned(), self.value(input)?.to_owned());
        let expectation =
            Expectation { stdout: Bytes(stdout), stderr: Bytes(stderr), branches, new: flags & NEW != 0, ..rest };
        let mut text = || Ok::<_, &'static str>(String::from_utf8_lossy(self.value(input)?).into_owned());
        let report = if flags & REPORT != 0 { Some((text()?, text()?)) } else { None };
        let mut objects = Vec::with_capacity(form.objects.len());
        for (name, _) in form.objects {
            objects.push((name, self.value(input)?.to_owned()));
        }
        match input.bytes.len() - input.at {
            0 => Ok(Packed { input: KTest { objects, ..form }, expectation, report }),
            _ => Err("bytes are left after its end"),
        }
    }

    fn value<'r>(&'r self, input: &mut Cursor<'r>) -> Result<&'r [u8], &'static str> {
        let head = input.varint()?;
        if head & 1 == 0 {
            return input.take(usize::try_from(head >> 1).map_err(|_| TOO_LONG)?);
        }
        self.texts.get(&(head >> 1)).map(|text| &self.bytes[text.clone()]).ok_or("a text that it refers to is lost")
    }
}

const TOO_LONG: &str = "a value ends beyond its record";

/// The payload of the record at this place, if one is there and whole.
fn payload(bytes: &[u8], at: usize, budget: Option<&mut Budget>) -> Option<Range<usize>> {
    let head = bytes.get(at..at + HEAD)?;
    if head[0] != MARK {
        return None;
    }
    let number = |from: usize| u32::from_le_bytes([head[from], head[from + 1], head[from + 2], head[from + 3]]);
    let length = number(2) as usize;
    let range = at + HEAD..(at + HEAD).checked_add(length)?;
    let payload = bytes.get(range.clone())?;
    if budget.is_some_and(|budget| !budget.spend(length)) {
        return None;
    }
    (checksum(head[1], payload) == number(6)).then_some(range)
}

/// How many bytes may still be checksummed in search of a record after a damaged one: a hostile file could have each of its bytes claim
/// to be a record up to its end, and take time quadratic in its length.
struct Budget(usize);

impl Budget {
    /// Four times the file: at chance, a damaged stretch claims far less.
    fn of(bytes: &[u8]) -> Budget {
        Budget(bytes.len().saturating_mul(4).max(1 << 20))
    }

    fn spend(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    fn take(&mut self, length: usize) -> Result<&'b [u8], &'static str> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len()).ok_or(TOO_LONG)?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64, &'static str> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err("a number of more than 64 bits")
    }
}
