//! As much of ELF as the wrapper needs: sections by name, and a few bytes changed in place.
//!
//! Only 64-bit little-endian files, which is what our own tools make. Whatever does not add up is "not such a file" (`None`): these are files of
//! a build, and the linker is the one to complain about them. Rejected: a crate for object files, since three tables are read and none is written.

use std::ops::Range;

/// The start of an ELF file.
pub(crate) const MAGIC: &[u8] = b"\x7fELF";

/// One section.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    pub name: String,
    /// Where its name stands in the file.
    name_at: usize,
    /// Where its contents are in the file.
    pub place: Range<usize>,
    link: usize,
}

/// The sections of a file.
#[derive(Debug, Clone)]
pub(crate) struct Elf {
    pub sections: Vec<Section>,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<usize> {
    let mut word = [0; 8];
    word[..N].copy_from_slice(bytes.get(at..at.checked_add(N)?)?);
    usize::try_from(u64::from_le_bytes(word)).ok()
}

/// Is it a 64-bit little-endian file?
fn ours(bytes: &[u8]) -> bool {
    bytes.len() >= 64 && bytes.starts_with(MAGIC) && bytes[4] == 2 && bytes[5] == 1
}

impl Elf {
    /// Reads the table of sections.
    pub(crate) fn read(bytes: &[u8]) -> Option<Elf> {
        if !ours(bytes) {
            return None;
        }
        let (table, size) = (number::<8>(bytes, 0x28)?, number::<2>(bytes, 0x3a)?);
        let (mut count, mut names) = (number::<2>(bytes, 0x3c)?, number::<2>(bytes, 0x3e)?);
        if table == 0 || size < 64 {
            return Some(Elf { sections: Vec::new() });
        }
        // Numbers that do not fit stand in the first section.
        if count == 0 {
            count = number::<8>(bytes, table + 0x20)?;
        }
        if names == 0xffff {
            names = number::<4>(bytes, table + 0x28)?;
        }
        if count > bytes.len() / size {
            return None;
        }
        let header = |index: usize| table + index * size;
        let names = number::<8>(bytes, header(names) + 0x18)?;
        let sections = (0..count).map(|index| section(bytes, header(index), names)).collect::<Option<_>>()?;
        Some(Elf { sections })
    }

    /// The section of that name.
    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }
}

fn section(bytes: &[u8], header: usize, names: usize) -> Option<Section> {
    bytes.get(header..header.checked_add(64)?)?;
    let name_at = names.checked_add(number::<4>(bytes, header)?)?;
    let kind = number::<4>(bytes, header + 4)?;
    let (begin, size) = (number::<8>(bytes, header + 0x18)?, number::<8>(bytes, header + 0x20)?);
    // Type 0 is no section, 8 has no contents.
    let place = if kind == 0 || kind == 8 { 0..0 } else { begin..begin.checked_add(size)? };
    bytes.get(place.clone())?;
    Some(Section { name: text(bytes, name_at)?, name_at, place, link: number::<4>(bytes, header + 0x28)? })
}

fn text(bytes: &[u8], at: usize) -> Option<String> {
    let rest = bytes.get(at..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    Some(String::from_utf8_lossy(&rest[..end]).into_owned())
}

/// Gives a section another name of the same length, in place.
pub(crate) fn rename(bytes: &mut [u8], from: &str, to: &str) -> Option<()> {
    assert_eq!(from.len(), to.len());
    let at = Elf::read(bytes)?.section(from)?.name_at;
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    Some(())
}

/// The global and weak symbols that a file defines. A file without a table has none.
pub(crate) fn symbols(bytes: &[u8]) -> Vec<String> {
    let read = || {
        let elf = Elf::read(bytes)?;
        let table = elf.section(".symtab")?;
        let names = elf.sections.get(table.link)?.place.start;
        let defined = |at: &usize| bytes[at + 4] >> 4 != 0 && number::<2>(bytes, at + 6) != Some(0);
        let entries = table.place.clone().step_by(24).filter(|at| at + 24 <= bytes.len()).filter(defined);
        Some(entries.filter_map(|at| text(bytes, names + number::<4>(bytes, at)?)).collect())
    };
    read().unwrap_or_default()
}

/// Makes a global symbol weak, so that another definition of it wins.
pub(crate) fn weaken(bytes: &mut [u8], name: &str) -> Option<()> {
    const GLOBAL: u8 = 1;
    const WEAK: u8 = 2;
    let elf = Elf::read(bytes)?;
    let table = elf.section(".symtab")?;
    let names = elf.sections.get(table.link)?.place.start;
    let symbol = table.place.clone().step_by(24).find(|at| {
        let found = number::<4>(bytes, *at).and_then(|offset| text(bytes, names + offset));
        found.as_deref() == Some(name) && bytes[at + 4] >> 4 == GLOBAL
    })?;
    bytes[symbol + 4] = WEAK << 4 | bytes[symbol + 4] & 15;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with the sections "", ".a" (contents `xy`) and ".names".
    fn sample() -> Vec<u8> {
        let names = b"\0.a\0.names\0";
        let mut file = vec![0; 64];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[0x10] = 1;
        file.extend(b"xy");
        file.extend(names);
        let table = file.len();
        file[0x28] = table as u8;
        file[0x3a] = 64;
        file[0x3c] = 3;
        file[0x3e] = 2;
        for (name, kind, begin, size) in [(0, 0, 0, 0), (1, 1, 64, 2), (4, 3, 66, names.len())] {
            let mut header = [0; 64];
            (header[0], header[4], header[0x18], header[0x20]) = (name, kind, begin, size as u8);
            file.extend(header);
        }
        file
    }

    #[test]
    fn sections_are_found_and_renamed() {
        let mut file = sample();
        assert_eq!(Elf::read(&file).unwrap().section(".a").unwrap().place, 64..66);
        rename(&mut file, ".a", ".b").unwrap();
        let elf = Elf::read(&file).unwrap();
        assert!(elf.section(".a").is_none());
        assert_eq!(&file[elf.section(".b").unwrap().place.clone()], b"xy");
    }

    #[test]
    fn what_is_cut_short_is_no_such_file() {
        let file = sample();
        for end in 0..file.len() {
            assert!(Elf::read(&file[..end]).is_none_or(|elf| elf.sections.is_empty()), "{end}");
        }
    }
}
