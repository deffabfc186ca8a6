//! The source lines that cards show.
//!
//! Debug information names any file that the program's author likes (`#line 1 "/home/you/.netrc"`). So a line is shown only
//! of a file that the compiler read: it noted the MD5 sum of the contents, and the file on disk must still have it. A file that
//! changed since then is not shown either, since its lines would be others.

use md5::{Digest, Md5};
use std::collections::HashMap;
use std::path::Path;
use strata_record::regular;

/// Upper bound on the size of a source file, in bytes; generated parsers and amalgamations stay below it (sqlite: 9 MB).
const LARGEST: u64 = 64 << 20;

/// Files of the compilation and the sums of their contents.
#[derive(Default)]
pub(crate) struct Sources {
    sums: HashMap<String, String>,
}

impl Sources {
    /// From pairs of a path and its sum in hexadecimal digits.
    pub fn new(files: impl IntoIterator<Item = (String, String)>) -> Sources {
        Sources { sums: files.into_iter().collect() }
    }

    /// A line of a source, counted from 1.
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        let expected = self.sums.get(file)?;
        let bytes = regular::read(Path::new(file), LARGEST).ok()?;
        let sum: String = Md5::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if !sum.eq_ignore_ascii_case(expected) {
            return None;
        }
        let text = bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)? as usize)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_compiler_read_is_shown() {
        let file = std::env::temp_dir().join(format!("strata-sources-{}.c", std::process::id()));
        let name = file.display().to_string();
        std::fs::write(&file, "one\ntwo\n").unwrap();
        let sum = "2d53b0a2b4d2ee1a8ac6a0c4e3b1b9b5";
        let of = |sum: &str| Sources::new([(name.clone(), sum.to_string())]);
        assert_eq!(of(sum).line(&name, 2), None, "another sum");
        let sum: String = Md5::digest(b"one\ntwo\n").iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(of(&sum).line(&name, 2).as_deref(), Some("two"));
        assert_eq!(of(&sum).line(&name, 9), None);
        assert_eq!(Sources::default().line(&name, 2), None, "no source");
        std::fs::write(&file, "one\nsecret\n").unwrap();
        assert_eq!(of(&sum).line(&name, 2), None, "changed");
        std::fs::remove_file(&file).unwrap();
    }
}
