//! The smallest files that can be run: for tests, and for programs that are made.

use super::Segment;
use object::elf;

/// Bytes of the file's header and of one entry of the table of segments.
const HEADER: usize = 64;
const ENTRY: usize = 56;
/// Segments lie in the file as they lie in memory, modulo a page.
const PAGE: u64 = 4096;

/// A static program of these segments, without sections or symbols.
pub fn executable(entry: u64, segments: &[Segment]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend([0x7f, b'E', b'L', b'F', elf::ELFCLASS64.0, elf::ELFDATA2LSB.0, elf::EV_CURRENT.0]);
    file.resize(16, 0);
    file.extend(elf::ET_EXEC.0.to_le_bytes());
    file.extend(elf::EM_RISCV.0.to_le_bytes());
    file.extend(1u32.to_le_bytes());
    file.extend(entry.to_le_bytes());
    file.extend((HEADER as u64).to_le_bytes());
    file.extend(0u64.to_le_bytes());
    // The calling convention with doubles in registers (4), and compressed instructions (1).
    file.extend(5u32.to_le_bytes());
    for half in [HEADER, ENTRY, segments.len(), 64, 0, 0] {
        file.extend((half as u16).to_le_bytes());
    }
    let mut offset = (HEADER + ENTRY * segments.len()) as u64;
    let mut offsets = Vec::new();
    for segment in segments {
        offset += segment.address.wrapping_sub(offset) % PAGE;
        offsets.push(offset);
        let (write, execute) = (u32::from(segment.write) * elf::PF_W.0, u32::from(segment.execute) * elf::PF_X.0);
        file.extend(elf::PT_LOAD.0.to_le_bytes());
        file.extend((elf::PF_R.0 | write | execute).to_le_bytes());
        for word in [offset, segment.address, segment.address, segment.bytes.len() as u64, segment.size, PAGE] {
            file.extend(word.to_le_bytes());
        }
        offset += segment.bytes.len() as u64;
    }
    for (segment, offset) in segments.iter().zip(offsets) {
        file.resize(offset as usize, 0);
        file.extend(&segment.bytes);
    }
    file
}
