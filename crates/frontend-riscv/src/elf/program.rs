//! A program that can be run: segments, entry point, relocations.

use super::{Elf, Error, Header, LITTLE, header, truncated};
use crate::instruction::{Fetch, Instruction};
use crate::table::decode;
use object::LittleEndian;
use object::elf;
use object::read::elf::{Dyn, FileHeader, ProgramHeader, Rela};

/// Upper bound on the contents of all segments, in lengths of the file. Two segments may share a
/// page of it.
const SHARED: usize = 2;

/// A stretch of memory that the program starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its first address.
    pub address: u64,
    /// Its first bytes; the others are zero.
    pub bytes: Vec<u8>,
    /// Its length, at least that of `bytes`.
    pub size: u64,
    /// May the program write to it?
    pub write: bool,
    /// May the program run it?
    pub execute: bool,
}

impl Segment {
    fn end(&self) -> u64 {
        self.address.saturating_add(self.size)
    }
}

/// A word that holds an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Where the eight bytes are.
    pub address: u64,
    /// The address that they hold, before the program is placed.
    pub target: u64,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its segments by address. They do not overlap.
    pub segments: Vec<Segment>,
    /// Where it starts.
    pub entry: u64,
    /// May it be placed anywhere (static-pie)?
    pub movable: bool,
    /// Its words that hold addresses, where it may be moved.
    pub relocations: Vec<Relocation>,
    /// The table of program headers in memory (address and number of entries), for the auxiliary
    /// vector.
    pub headers: Option<(u64, u64)>,
    /// What else the file says.
    pub elf: Elf,
}

impl Program {
    /// Reads a static or static-pie program.
    pub fn read(bytes: &[u8]) -> Result<Program, Error> {
        let header = header(bytes)?;
        match header.e_type(LITTLE) {
            elf::ET_EXEC | elf::ET_DYN => {}
            elf::ET_REL => return Err(Error::NotExecutable { kind: "an object file" }),
            elf::ET_CORE => return Err(Error::NotExecutable { kind: "a core dump" }),
            _ => return Err(Error::Damaged { reason: "it is of no known type".into() }),
        }
        let movable = header.e_type(LITTLE) == elf::ET_DYN;
        let relocations = linkage(header, bytes)?;
        let segments = segments(header, bytes)?;
        let program = Program {
            entry: header.e_entry(LITTLE),
            movable,
            headers: headers(header, &segments, bytes)?,
            relocations: if movable { relocations } else { Vec::new() },
            elf: Elf::read(bytes)?,
            segments,
        };
        if movable && program.entry == 0 {
            return Err(Error::NotExecutable { kind: "a shared library" });
        }
        if !program.segments.iter().any(|segment| segment.execute) {
            return Err(Error::NoCode);
        }
        let runs = |segment: &Segment| segment.execute && (segment.address..segment.end()).contains(&program.entry);
        if !program.entry.is_multiple_of(2) || !program.segments.iter().any(runs) {
            return Err(Error::Entry { address: program.entry });
        }
        if let Some(missing) = program.relocations.iter().find(|relocation| !program.holds(relocation.address, 8)) {
            let reason = format!("a relocation is at {:#x}, where the file has no bytes", missing.address);
            return Err(Error::Damaged { reason });
        }
        Ok(program)
    }

    /// The program with every address that much higher, and its relocations applied. One that
    /// cannot be moved stays.
    pub fn placed(mut self, base: u64) -> Program {
        let base = if self.movable { base } else { 0 };
        self.entry = self.entry.wrapping_add(base);
        self.headers = self.headers.map(|(address, count)| (address.wrapping_add(base), count));
        let inside = |address: &mut u64| *address = address.wrapping_add(base);
        for relocation in &mut self.relocations {
            inside(&mut relocation.target);
            let holder = self.segments.iter_mut().find(|s| (s.address..s.end()).contains(&relocation.address));
            let segment = holder.expect("relocations were checked to lie inside segments");
            let at = (relocation.address - segment.address) as usize;
            segment.bytes[at..at + 8].copy_from_slice(&relocation.target.to_le_bytes());
            inside(&mut relocation.address);
        }
        self.segments.iter_mut().for_each(|segment| inside(&mut segment.address));
        self.elf.sections.iter_mut().filter(|section| section.address != 0).for_each(|s| inside(&mut s.address));
        self.elf.symbols.iter_mut().filter(|symbol| symbol.section.is_some()).for_each(|s| inside(&mut s.address));
        self
    }

    /// Has the file all these bytes, in one segment?
    fn holds(&self, address: u64, length: usize) -> bool {
        let inside = |s: &Segment| {
            let at = address.checked_sub(s.address).and_then(|at| usize::try_from(at).ok());
            at.and_then(|at| at.checked_add(length)).is_some_and(|end| end <= s.bytes.len())
        };
        self.segments.iter().any(inside)
    }

    /// The instruction at an address, as the file has it.
    pub fn fetch(&self, address: u64) -> Result<Instruction, Fetch> {
        if !address.is_multiple_of(2) {
            return Err(Fetch::Misaligned);
        }
        let inside = |segment: &&Segment| (segment.address..segment.end()).contains(&address);
        let segment = self.segments.iter().find(inside).ok_or(Fetch::Unmapped)?;
        if !segment.execute {
            return Err(Fetch::NotExecutable);
        }
        let byte = |offset: u64| -> Option<u8> {
            let at = address - segment.address + offset;
            (at < segment.size).then(|| segment.bytes.get(at as usize).copied().unwrap_or(0))
        };
        let half = |offset: u64| Some(u32::from(byte(offset)?) | u32::from(byte(offset + 1)?) << 8);
        let low = half(0).ok_or(Fetch::Cut)?;
        let word = if low & 3 == 3 { low | half(2).ok_or(Fetch::Cut)? << 16 } else { low };
        decode(word).ok_or(Fetch::Illegal(word))
    }
}

/// The relocations of the dynamic section. A program that needs a dynamic linker is refused.
fn linkage(header: &Header, bytes: &[u8]) -> Result<Vec<Relocation>, Error> {
    let mut relocations = Vec::new();
    let programs = header.program_headers(LITTLE, bytes).map_err(|_| truncated("the table of segments"))?;
    let (mut table, mut size, mut needs) = (None, 0, false);
    for segment in programs {
        if let Some(linker) =
            segment.interpreter(LITTLE, bytes).map_err(|_| truncated("the name of the dynamic linker"))?
        {
            return Err(Error::Dynamic { needs: String::from_utf8_lossy(linker).into_owned() });
        }
        let entries = segment.dynamic(LITTLE, bytes).map_err(|_| truncated("the dynamic section"))?;
        for entry in entries.unwrap_or_default() {
            match entry.tag(LITTLE) {
                elf::DT_NULL => break,
                elf::DT_NEEDED => needs = true,
                elf::DT_RELA => table = Some(entry.val(LITTLE)),
                elf::DT_RELASZ => size = entry.val(LITTLE),
                _ => {}
            }
        }
    }
    if needs {
        return Err(Error::Dynamic { needs: "shared libraries".into() });
    }
    let Some(table) = table else { return Ok(relocations) };
    let missing = || truncated("the table of relocations");
    let found = programs.iter().find_map(|segment| segment.data_range(LITTLE, bytes, table, size).ok().flatten());
    let found = found.ok_or_else(missing)?;
    let entry = size_of::<elf::Rela64<LittleEndian>>();
    let (entries, _) = object::pod::slice_from_bytes::<elf::Rela64<LittleEndian>>(found, found.len() / entry)
        .map_err(|()| missing())?;
    for entry in entries {
        let address = entry.r_offset(LITTLE);
        match entry.r_type(LITTLE, false) {
            elf::R_RISCV_NONE => {}
            elf::R_RISCV_RELATIVE => {
                relocations.push(Relocation { address, target: entry.r_addend(LITTLE) as u64 });
            }
            // The start code calls the function that tells the address.
            elf::R_RISCV_IRELATIVE => {}
            other => return Err(Error::Relocation { kind: other.0, address }),
        }
    }
    Ok(relocations)
}

fn segments(header: &Header, bytes: &[u8]) -> Result<Vec<Segment>, Error> {
    let programs = header.program_headers(LITTLE, bytes).map_err(|_| truncated("the table of segments"))?;
    let (mut segments, mut contents) = (Vec::new(), 0);
    for segment in programs.iter().filter(|segment| segment.p_type(LITTLE) == elf::PT_LOAD) {
        let address = segment.p_vaddr(LITTLE);
        let missing = || truncated(&format!("the segment at {address:#x}"));
        let data = segment.data(LITTLE, bytes).map_err(|()| missing())?;
        let size = segment.p_memsz(LITTLE);
        if size < data.len() as u64 || address.checked_add(size).is_none() {
            let reason = format!("the segment at {address:#x} has an impossible size");
            return Err(Error::Damaged { reason });
        }
        let flags = segment.p_flags(LITTLE).0;
        let may = |flag: elf::ProgramFlags| flags & flag.0 != 0;
        let (write, execute) = (may(elf::PF_W), may(elf::PF_X));
        contents += data.len();
        if contents > SHARED * bytes.len() {
            return Err(Error::Damaged { reason: "its segments overlap in the file".into() });
        }
        segments.push(Segment { address, bytes: data.to_vec(), size, write, execute });
    }
    segments.retain(|segment| segment.size > 0);
    segments.sort_by_key(|segment| segment.address);
    match segments.windows(2).find(|pair| pair[0].end() > pair[1].address) {
        Some(pair) => Err(Error::Overlap { address: pair[1].address }),
        None => Ok(segments),
    }
}

/// Where the table of program headers lies in memory.
fn headers(header: &Header, segments: &[Segment], bytes: &[u8]) -> Result<Option<(u64, u64)>, Error> {
    let programs = header.program_headers(LITTLE, bytes).map_err(|_| truncated("the table of segments"))?;
    let count = programs.len() as u64;
    if let Some(own) = programs.iter().find(|segment| segment.p_type(LITTLE) == elf::PT_PHDR) {
        return Ok(Some((own.p_vaddr(LITTLE), count)));
    }
    let at = header.e_phoff(LITTLE);
    let holder = programs.iter().filter(|segment| segment.p_type(LITTLE) == elf::PT_LOAD).find(|segment| {
        let (offset, length) = segment.file_range(LITTLE);
        offset <= at && at - offset < length
    });
    let address = holder.map(|segment| segment.p_vaddr(LITTLE).wrapping_add(at - segment.p_offset(LITTLE)));
    Ok(address.filter(|a| segments.iter().any(|s| (s.address..s.end()).contains(a))).map(|a| (a, count)))
}
