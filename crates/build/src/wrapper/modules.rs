//! The bitcode that an object carries: in a section that linkers put one behind the other.
//!
//! An object made by `strata cc` has its bitcode in the section `.strata`, which is not loaded. A linker that does not know it, and none does, appends
//! the sections of all objects that it takes: so `ld -r`, archives and the final link keep exactly the modules of the members that
//! are in the result, by the linker's own rules. Here they are taken apart again. A bitcode file is a magic number and blocks that
//! say how long they are; the next file begins where a block would, with the magic number.
//!
//! Rejected: `-ffat-lto-objects`, since linkers know that section, take the first module of several for the whole and drop the rest, and a second
//! link over bitcode has rules of its own; clang's `.llvmbc`, which old plugins of `ar` and `ld` try to read and complain about.

use super::elf::Elf;

/// The section.
pub(crate) const SECTION: &str = ".strata";

/// What clang calls it.
pub(crate) const CLANG: &str = ".llvmbc";

/// How bitcode begins.
pub(crate) const MAGIC: &[u8] = b"BC\xc0\xde";

/// The modules that an ELF file carries, in the order of its parts. `None`: it is no such file, or they are damaged.
pub(crate) fn carried(file: &[u8]) -> Option<Vec<&[u8]>> {
    match Elf::read(file)?.section(SECTION) {
        Some(section) => split(&file[section.place.clone()]),
        None => Some(Vec::new()),
    }
}

/// Takes bitcode files apart that lie one behind the other.
fn split(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut modules = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        if !bytes[at..].starts_with(MAGIC) {
            return None;
        }
        at += 4;
        while at < bytes.len() && !bytes[at..].starts_with(MAGIC) {
            at = block(bytes, at)?;
        }
        modules.push(&bytes[begin..at]);
    }
    Some(modules)
}

/// Where a block ends. It begins with 2 bits that say so (1), its number (8 bits at a time), the width of its abbreviations (4 bits at a time), and, at the next
/// word, its length in words.
fn block(bytes: &[u8], at: usize) -> Option<usize> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let head = word(at)?;
    // Both numbers of every block at the top are small: one piece each.
    let (enters, long_number, long_width) = (head & 3 == 1, head >> 9 & 1 == 1, head >> 13 & 1 == 1);
    if !enters || long_number || long_width {
        return None;
    }
    let end = at + 8 + 4 * word(at + 4)? as usize;
    (end <= bytes.len()).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lengths: &[u32]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for length in lengths {
            bytes.extend((1u32 | 8 << 2 | 3 << 10).to_le_bytes());
            bytes.extend(length.to_le_bytes());
            // Contents that look like the beginning of another file.
            bytes.extend(MAGIC.repeat(*length as usize));
        }
        bytes
    }

    #[test]
    fn files_are_taken_apart_where_they_begin() {
        let (one, two) = (file(&[3, 0, 5]), file(&[1]));
        let both = [one.clone(), two.clone()].concat();
        assert_eq!(split(&both), Some(vec![&one[..], &two[..]]));
        assert_eq!(split(&[]), Some(vec![]));
    }

    #[test]
    fn damage_is_noticed() {
        let whole = file(&[3, 5]);
        assert_eq!(split(&whole[..whole.len() - 4]), None);
        assert_eq!(split(&whole[4..]), None);
    }
}
