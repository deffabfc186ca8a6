//! The input of a path in KLEE's `.ktest` format, byte for byte.
//!
//! Big-endian 32-bit numbers: magic `KTEST`, version 3, the arguments (length, bytes), the number and length of symbolic arguments,
//! the objects (name length, name, size, bytes). Files come from anywhere: a length is believed only as far as bytes are left, so
//! that a broken file yields an error with its offset and never a large allocation.

use crate::Fault;

const MAGIC: &[u8] = b"KTEST";
/// The magic of files that are older than KLEE's first release.
const OLD_MAGIC: &[u8] = b"BOUT\n";
const VERSION: u32 = 3;

/// The input of one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KTest {
    /// The arguments of the program, its name first.
    pub args: Vec<Vec<u8>>,
    /// How many arguments are symbolic (old files of KLEE; 0 today).
    pub sym_argvs: u32,
    /// How long each is.
    pub sym_argv_len: u32,
    /// The symbolic objects in the order of their making: name and bytes.
    pub objects: Vec<(String, Vec<u8>)>,
}

impl KTest {
    /// The file's bytes.
    ///
    /// # Panics
    /// If a part is longer than the format can say (4 GiB).
    pub fn to_bytes(&self) -> Vec<u8> {
        self.encode(|bytes| bytes)
    }

    /// The bytes of the same file with empty objects: what tests of one run have in common.
    pub(crate) fn form(&self) -> Vec<u8> {
        self.encode(|_| &[])
    }

    fn encode(&self, content: impl Fn(&[u8]) -> &[u8]) -> Vec<u8> {
        let parts = self.args.iter().map(|arg| arg.len() + 4);
        let objects = self.objects.iter().map(|(name, bytes)| name.len() + content(bytes).len() + 8);
        let mut out = Vec::with_capacity(25 + parts.chain(objects).sum::<usize>());
        out.extend_from_slice(MAGIC);
        number(&mut out, VERSION);
        count(&mut out, self.args.len());
        for arg in &self.args {
            run(&mut out, arg);
        }
        number(&mut out, self.sym_argvs);
        number(&mut out, self.sym_argv_len);
        count(&mut out, self.objects.len());
        for (name, bytes) in &self.objects {
            run(&mut out, name.as_bytes());
            run(&mut out, content(bytes));
        }
        out
    }

    /// Reads a file's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<KTest, Fault> {
        let mut input = Input { bytes, at: 0 };
        let magic = input.take(MAGIC.len(), "the magic")?;
        if magic != MAGIC && magic != OLD_MAGIC {
            return Err(Fault::malformed("offset 0".into(), "not a .ktest file: it does not start with KTEST"));
        }
        let version = input.number("the version")?;
        if version == 0 || version > VERSION {
            return Err(input.fault(4, format!("version {version}; versions 1 to {VERSION} are known")));
        }
        let args = (0..input.count(4, "arguments")?).map(|_| Ok(input.run("an argument")?.to_owned()));
        let args = args.collect::<Result<_, Fault>>()?;
        let (sym_argvs, sym_argv_len) = match version {
            1 => (0, 0),
            _ => (input.number("symbolic arguments")?, input.number("symbolic arguments' length")?),
        };
        let objects = (0..input.count(8, "objects")?).map(|_| {
            let name = String::from_utf8_lossy(input.run("an object's name")?).into_owned();
            Ok((name, input.run("an object's bytes")?.to_owned()))
        });
        let objects = objects.collect::<Result<_, Fault>>()?;
        match bytes.len() - input.at {
            0 => Ok(KTest { args, sym_argvs, sym_argv_len, objects }),
            rest => Err(input.fault(0, format!("{rest} bytes after the end"))),
        }
    }

    /// How many bytes of input there are in all objects.
    pub fn size(&self) -> usize {
        self.objects.iter().map(|(_, bytes)| bytes.len()).sum()
    }
}

fn number(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

fn count(out: &mut Vec<u8>, value: usize) {
    number(out, u32::try_from(value).expect("a .ktest cannot hold more than 4 GiB in one part"));
}

fn run(out: &mut Vec<u8>, bytes: &[u8]) {
    count(out, bytes.len());
    out.extend_from_slice(bytes);
}

struct Input<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Input<'b> {
    /// A fault `back` bytes before the place that was reached.
    fn fault(&self, back: usize, message: String) -> Fault {
        Fault::malformed(format!("offset {}", self.at - back), message)
    }

    fn take(&mut self, length: usize, what: &str) -> Result<&'b [u8], Fault> {
        let left = self.bytes.len() - self.at;
        if length > left {
            return Err(self.fault(0, format!("{what} should have {length} bytes, but {left} are left")));
        }
        self.at += length;
        Ok(&self.bytes[self.at - length..self.at])
    }

    fn number(&mut self, what: &str) -> Result<u32, Fault> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A number of things of at least `least` bytes each.
    fn count(&mut self, least: usize, what: &str) -> Result<u32, Fault> {
        let count = self.number(what)?;
        let left = self.bytes.len() - self.at;
        if count as usize > left / least {
            return Err(self.fault(4, format!("{count} {what} do not fit into the {left} bytes left")));
        }
        Ok(count)
    }

    fn run(&mut self, what: &str) -> Result<&'b [u8], Fault> {
        let length = self.number(what)?;
        self.take(length as usize, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> KTest {
        KTest {
            args: vec![b"a.out".to_vec(), b"".to_vec()],
            objects: vec![("x".into(), vec![1, 2, 3, 4]), ("model_version".into(), vec![1, 0, 0, 0])],
            ..KTest::default()
        }
    }

    /// What KLEE's kTest_toFile writes for this input.
    const SAMPLE: &[u8] = b"KTEST\0\0\0\x03\0\0\0\x02\0\0\0\x05a.out\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\
        \0\0\0\x01x\0\0\0\x04\x01\x02\x03\x04\0\0\0\x0dmodel_version\0\0\0\x04\x01\0\0\0";

    #[test]
    fn bytes_are_klees() {
        assert_eq!(sample().to_bytes(), SAMPLE);
        assert_eq!(KTest::from_bytes(SAMPLE).unwrap(), sample());
    }

    #[test]
    fn every_truncation_is_an_error_with_an_offset() {
        for length in 0..SAMPLE.len() {
            let error = KTest::from_bytes(&SAMPLE[..length]).unwrap_err().to_string();
            assert!(error.starts_with("offset "), "{error}");
        }
    }

    #[test]
    fn faults_say_where() {
        let check = |at: usize, bytes: &[u8], message: &str| {
            let mut broken = SAMPLE.to_vec();
            broken.splice(at..(at + bytes.len()).min(broken.len()), bytes.iter().copied());
            assert_eq!(KTest::from_bytes(&broken).unwrap_err().to_string(), message);
        };
        check(0, b"ELF", "offset 0: not a .ktest file: it does not start with KTEST");
        check(5, b"\0\0\0\x04", "offset 5: version 4; versions 1 to 3 are known");
        check(9, b"\xff\xff\xff\xff", "offset 9: 4294967295 arguments do not fit into the 63 bytes left");
        check(13, b"\xff\xff\xff\xff", "offset 17: an argument should have 4294967295 bytes, but 59 are left");
        check(34, b"\x7f\xff\xff\xff", "offset 34: 2147483647 objects do not fit into the 38 bytes left");
        check(SAMPLE.len(), b"x", "offset 76: 1 bytes after the end");
    }

    #[test]
    fn older_versions_are_read() {
        let mut old = SAMPLE.to_vec();
        old.drain(26..34);
        old[8] = 1;
        assert_eq!(KTest::from_bytes(&old).unwrap(), sample());
        old[..5].copy_from_slice(b"BOUT\n");
        assert_eq!(KTest::from_bytes(&old).unwrap(), sample());
    }
}
