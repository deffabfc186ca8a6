//! ELF files of 64-bit little-endian RISC-V.
//!
//! `Elf` is what any such file says of itself (sections, symbols, extensions): enough to show its
//! instructions. `Program` is one that can be run: static or static-pie, with segments and an
//! entry point. Both own what they keep, so that nobody holds the file.
//!
//! A static-pie program relocates itself: its start code adds the load address to the words that
//! its own dynamic section lists. `Program::placed` does the same in advance, which is harmless
//! (the sums do not depend on what was there before) and tells the words that hold addresses.
//!
//! The crate `object` parses headers. Its unified interface was rejected: it hides what tells
//! static programs from dynamic ones.

mod error;
mod program;
mod write;

pub use error::Error;
pub use program::{Program, Relocation, Segment};
pub use write::executable;

use crate::extension::{Extension, Extensions};
use object::elf;
use object::read::elf::{AttributesSection, FileHeader, SectionHeader, Sym};
use object::{LittleEndian, SectionIndex, SymbolIndex};

/// The header of the files taken here.
type Header = elf::FileHeader64<LittleEndian>;
const LITTLE: LittleEndian = LittleEndian;

/// Tag of the string of extensions in a file's attributes (`Tag_RISCV_arch` of the ELF supplement).
const TAG_ARCH: u64 = 5;
/// Type of the section of attributes (`SHT_RISCV_ATTRIBUTES`).
const ATTRIBUTES: u32 = 0x7000_0003;

/// Upper bound on all names together, in lengths of the file. Names may share their ends, so that
/// a file of honest names can hold more than it is long; a forged one could hold its square.
const NAMES: usize = 8;

/// A part of the file with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Where it lies in memory.
    pub address: u64,
    /// Its contents where it holds instructions, else nothing.
    pub bytes: Vec<u8>,
    /// Does it hold instructions?
    pub code: bool,
}

impl Section {
    /// Is the address in it?
    pub(crate) fn holds(&self, address: u64) -> bool {
        address.checked_sub(self.address).is_some_and(|offset| offset < self.bytes.len() as u64)
    }
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// Code.
    Function,
    /// Data.
    Object,
    /// A section or a source file: its name is no place of the program.
    Note,
    /// Anything else.
    Other,
}

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// All files.
    Global,
    /// All files, unless another one has a global symbol of this name.
    Weak,
    /// Its own file.
    Local,
}

/// A named address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Its value.
    pub address: u64,
    /// The size of what it names, in bytes; 0 where unknown.
    pub size: u64,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Who sees it.
    pub binding: Binding,
    /// The number of its section among `Elf::sections`; none for an absolute value.
    pub section: Option<usize>,
}

/// A RISC-V ELF file.
#[derive(Clone, Debug, Default)]
pub struct Elf {
    /// Its sections, by number.
    pub sections: Vec<Section>,
    /// Its defined symbols, in the file's order.
    pub symbols: Vec<Symbol>,
    /// The extensions that its attributes name; none where it has no attributes.
    pub extensions: Option<Extensions>,
    /// Is it an object file, in which all sections begin at address 0?
    pub relocatable: bool,
}

impl Elf {
    /// Reads sections and symbols.
    pub fn read(bytes: &[u8]) -> Result<Elf, Error> {
        let header = header(bytes)?;
        let table = header.sections(LITTLE, bytes).map_err(|_| truncated("the table of sections"))?;
        let relocatable = header.e_type(LITTLE) == elf::ET_REL;
        let mut elf = Elf { relocatable, ..Elf::default() };
        let file = bytes.len();
        let (mut contents, mut names) = (0, 0);
        for (_, section) in table.enumerate() {
            let name = table.section_name(LITTLE, section).map_err(|_| truncated("the name of a section"))?;
            let name = String::from_utf8_lossy(name).into_owned();
            let flags = section.sh_flags(LITTLE).0;
            let bytes = section.data(LITTLE, bytes).map_err(|_| truncated(&format!("section {name}")))?;
            names += name.len();
            if section.sh_type(LITTLE).0 == ATTRIBUTES {
                elf.extensions = extensions(bytes);
            }
            let code = flags & elf::SHF_EXECINSTR.0 != 0 && flags & elf::SHF_ALLOC.0 != 0;
            let bytes = if code { bytes } else { &[] };
            contents += bytes.len();
            if contents > file || names > NAMES * file {
                return Err(Error::Damaged { reason: "its sections overlap".into() });
            }
            elf.sections.push(Section { name, address: section.sh_addr(LITTLE), bytes: bytes.to_vec(), code });
        }
        let listed = |kind| table.symbols(LITTLE, bytes, kind).map_err(|_| truncated("the table of symbols"));
        let symbols = listed(elf::SHT_SYMTAB)?;
        // A stripped file has the symbols for dynamic linkers still.
        let symbols = if symbols.is_empty() { listed(elf::SHT_DYNSYM)? } else { symbols };
        for (index, symbol) in symbols.enumerate() {
            let name = symbol.name(LITTLE, symbols.strings()).map_err(|_| truncated("the name of a symbol"))?;
            names += name.len();
            if names > NAMES * file {
                return Err(Error::Damaged { reason: "the names of its symbols overlap".into() });
            }
            let section = symbols.symbol_section(LITTLE, symbol, index);
            elf.symbols.extend(defined(symbol, name, section.ok().flatten(), index, elf.sections.len()));
        }
        Ok(elf)
    }
}

/// A symbol of the table, unless it is defined elsewhere.
fn defined(
    symbol: &elf::Sym64<LittleEndian>,
    name: &[u8],
    section: Option<SectionIndex>,
    index: SymbolIndex,
    sections: usize,
) -> Option<Symbol> {
    if index.0 == 0 || symbol.is_undefined(LITTLE) || symbol.is_common(LITTLE) {
        return None;
    }
    let kind = match symbol.st_type() {
        elf::STT_FUNC | elf::STT_GNU_IFUNC => SymbolKind::Function,
        elf::STT_OBJECT => SymbolKind::Object,
        elf::STT_SECTION | elf::STT_FILE => SymbolKind::Note,
        _ => SymbolKind::Other,
    };
    Some(Symbol {
        name: String::from_utf8_lossy(name).into_owned(),
        address: symbol.st_value(LITTLE),
        size: symbol.st_size(LITTLE),
        kind,
        binding: match symbol.st_bind() {
            elf::STB_LOCAL => Binding::Local,
            elf::STB_WEAK => Binding::Weak,
            _ => Binding::Global,
        },
        section: section.map(|index| index.0).filter(|index| *index < sections),
    })
}

/// The extensions that a section of attributes names. What cannot be read names none.
fn extensions(bytes: &[u8]) -> Option<Extensions> {
    let attributes = AttributesSection::<Header>::new(LITTLE, bytes).ok()?;
    let mut subsections = attributes.subsections().ok()?;
    while let Ok(Some(subsection)) = subsections.next() {
        let mut parts = subsection.subsubsections();
        while let Ok(Some(part)) = parts.next() {
            let mut reader = part.attributes();
            while let Ok(Some(tag)) = reader.read_tag() {
                // Odd tags have a text, even ones a number.
                if tag % 2 == 0 {
                    reader.read_integer().ok()?;
                    continue;
                }
                let text = reader.read_string().ok()?;
                if tag == TAG_ARCH {
                    return Some(Extension::parse(&String::from_utf8_lossy(text)));
                }
            }
        }
    }
    None
}

/// The file's header, once it is known to be of a 64-bit little-endian RISC-V file.
fn header(bytes: &[u8]) -> Result<&Header, Error> {
    if !bytes.starts_with(b"\x7fELF") {
        return Err(Error::NotElf { looks_like: looks_like(bytes) });
    }
    let [class, order] = *bytes.get(4..6).ok_or_else(|| truncated("the header"))? else { unreachable!("two bytes") };
    // The number of the machine is at the same place in all classes.
    let machine = bytes.get(18..20).ok_or_else(|| truncated("the header"))?;
    let machine = [machine[0], machine[1]];
    let machine = if order == elf::ELFDATA2MSB.0 { u16::from_be_bytes(machine) } else { u16::from_le_bytes(machine) };
    if machine != elf::EM_RISCV.0 {
        return Err(Error::Machine { name: machine_name(machine) });
    }
    if order == elf::ELFDATA2MSB.0 {
        return Err(Error::BigEndian);
    }
    if class == elf::ELFCLASS32.0 {
        return Err(Error::Bits32);
    }
    let damaged = || Error::Damaged { reason: "its header is of no known kind".into() };
    if class != elf::ELFCLASS64.0 || order != elf::ELFDATA2LSB.0 {
        return Err(damaged());
    }
    if bytes.len() < size_of::<Header>() {
        return Err(truncated("the header"));
    }
    Header::parse(bytes).map_err(|_| damaged())
}

fn truncated(part: &str) -> Error {
    Error::Truncated { part: part.into() }
}

fn looks_like(bytes: &[u8]) -> &'static str {
    match bytes {
        [] => "it is empty",
        [b'M', b'Z', ..] => "a program for Windows",
        [b'B', b'C', 0xc0, 0xde, ..] => "LLVM bitcode",
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => "an archive",
        [b'#', b'!', ..] => "a script",
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] => "a program for macOS",
        bytes if bytes.iter().take(512).all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) => "a text",
        _ => "of no kind that is known here",
    }
}

fn machine_name(machine: u16) -> String {
    match elf::Machine(machine) {
        elf::EM_X86_64 => "x86-64".into(),
        elf::EM_386 => "32-bit x86".into(),
        elf::EM_AARCH64 => "64-bit ARM".into(),
        elf::EM_ARM => "32-bit ARM".into(),
        elf::EM_PPC64 => "64-bit PowerPC".into(),
        elf::EM_S390 => "S/390".into(),
        elf::EM_MIPS => "MIPS".into(),
        elf::EM_LOONGARCH => "LoongArch".into(),
        elf::Machine(number) => format!("machine number {number}"),
    }
}
