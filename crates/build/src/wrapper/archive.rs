//! One object by the name that the linker gives it: `file.o`, or `archive.a(member.o)`.
//!
//! Only the headers of an archive are read, and the one member: libraries are large, and a build links many programs with the same one.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

const HEADER: usize = 60;

/// The contents of a part of a program. `None`: it cannot be read, which is not for us to complain about.
pub(super) fn contents(part: &str) -> Option<Vec<u8>> {
    let path = Path::new(part);
    if path.is_file() {
        return fs::read(path).ok();
    }
    let (archive, member) = part.strip_suffix(')')?.rsplit_once('(')?;
    member_of(Path::new(archive), member)
}

fn member_of(archive: &Path, wanted: &str) -> Option<Vec<u8>> {
    let mut file = File::open(archive).ok()?;
    let mut magic = [0; 8];
    file.read_exact(&mut magic).ok()?;
    let thin = match &magic {
        b"!<arch>\n" => false,
        b"!<thin>\n" => true,
        _ => return None,
    };
    let mut long_names = Vec::new();
    loop {
        let mut header = [0; HEADER];
        file.read_exact(&mut header).ok()?;
        let text = |from: usize, to: usize| String::from_utf8_lossy(&header[from..to]).trim_end().to_owned();
        let (name, size) = (text(0, 16), text(48, 58).parse::<u64>().ok()?);
        let table = matches!(name.as_str(), "/" | "//" | "/SYM64/");
        let own = full_name(&name, &long_names);
        if name == "//" {
            long_names = take(&mut file, size)?;
        } else if !table && own.as_deref().is_some_and(|own| own == wanted || own.ends_with(&format!("/{wanted}"))) {
            return match thin {
                true => fs::read(archive.with_file_name("").join(own?)).ok(),
                false => take(&mut file, size),
            };
        } else if table || !thin {
            file.seek_relative(i64::try_from(size).ok()?).ok()?;
        }
        // Members begin at even places.
        let at = file.stream_position().ok()?;
        file.seek(SeekFrom::Start(at + at % 2)).ok()?;
    }
}

/// Every member of an archive that holds them itself, by name. `None`: it is no such archive.
pub(super) fn members(bytes: &[u8]) -> Option<Vec<(String, &[u8])>> {
    let mut rest = bytes.strip_prefix(b"!<arch>\n")?;
    let (mut members, mut long_names) = (Vec::new(), &b""[..]);
    while rest.len() >= HEADER {
        let text = |from: usize, to: usize| String::from_utf8_lossy(&rest[from..to]).trim_end().to_owned();
        let (name, size) = (text(0, 16), text(48, 58).parse::<usize>().ok()?);
        let contents = rest.get(HEADER..HEADER.checked_add(size)?)?;
        match name.as_str() {
            "/" | "/SYM64/" => {}
            "//" => long_names = contents,
            _ => members.push((full_name(&name, long_names)?, contents)),
        }
        rest = rest.get(HEADER + size + size % 2..).unwrap_or_default();
    }
    Some(members)
}

/// The symbols that an archive's own table lists: a number of them, that many places, their names.
pub(super) fn symbols(archive: &Path) -> Vec<String> {
    let read = || {
        let mut file = File::open(archive).ok()?;
        let mut head = [0; 8 + HEADER];
        file.read_exact(&mut head).ok()?;
        let text = |from: usize, to: usize| String::from_utf8_lossy(&head[8 + from..8 + to]).trim_end().to_owned();
        let table = (text(0, 16) == "/").then(|| take(&mut file, text(48, 58).parse().ok()?))??;
        let count = u32::from_be_bytes(table.get(..4)?.try_into().ok()?) as usize;
        let names = table.get(4 + 4 * count..)?.split(|byte| *byte == 0).take(count);
        Some(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    };
    read().unwrap_or_default()
}

fn take(file: &mut File, size: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// `name/`, or `/offset` into the table of long names, each of which ends in `/` and a new line.
fn full_name(name: &str, long_names: &[u8]) -> Option<String> {
    let Some(offset) = name.strip_prefix('/').and_then(|digits| digits.parse::<usize>().ok()) else {
        return Some(name.trim_end_matches('/').to_owned());
    };
    let rest = long_names.get(offset..)?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let name = PathBuf::from(String::from_utf8_lossy(&rest[..end]).trim_end_matches('/'));
    Some(name.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_by_short_and_long_names() {
        let header = |name: &str, size: usize| format!("{name:<16}{:<32}{size:<10}`\n", "0");
        let long = "a-member-with-a-long-name.o/\n";
        let text =
            format!("!<arch>\n{}{}\n{}abc\n{}defg", header("//", long.len()), long, header("x.o/", 3), header("/0", 4));
        let path = std::env::temp_dir().join(format!("strata-archive-{}.a", std::process::id()));
        fs::write(&path, text).unwrap();
        let of = |member: &str| contents(&format!("{}({member})", path.display()));
        let found = (of("x.o"), of("a-member-with-a-long-name.o"), of("y.o"));
        let bytes = fs::read(&path).unwrap();
        let names: Vec<_> = members(&bytes).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["x.o", "a-member-with-a-long-name.o"]);
        fs::remove_file(&path).unwrap();
        assert_eq!(found, (Some(b"abc".to_vec()), Some(b"defg".to_vec()), None));
    }
}
