//! Does this machine let tests run? Found out by running one.
//!
//! That namespaces are granted says little: mounts, the user's identity or the start of a program may be refused all the same. So a program of three
//! instructions goes all the way of a test.

use crate::refusal::Refusal;
use crate::sandbox::{Ending, Input, Limits, Sandbox, memory};
use std::os::fd::AsRawFd;
use std::path::PathBuf;

/// Where the program lies in memory.
const BASE: u64 = 0x40_0000;

/// The headers of the file and of its one segment.
const HEADERS: usize = 64 + 56;

/// `mov eax, 231` (exit_group), `xor edi, edi`, `syscall`.
const CODE: [u8; 9] = [0xb8, 231, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05];

/// Runs a program that does nothing in a sandbox; tells how it ended, which is exit 0 where all is well.
pub fn trial() -> Result<Ending, Refusal> {
    let file = memory(&program(), 0).map_err(Refusal::Resources)?;
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    let mut sandbox = Sandbox::new(&path, Limits::default())?;
    sandbox.run(&Input::default()).map(|observed| observed.ending)
}

/// A static ELF program.
fn program() -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADERS + CODE.len());
    let half = |bytes: &mut Vec<u8>, number: u16| bytes.extend(number.to_le_bytes());
    let word = |bytes: &mut Vec<u8>, number: u32| bytes.extend(number.to_le_bytes());
    let long = |bytes: &mut Vec<u8>, number: u64| bytes.extend(number.to_le_bytes());
    // 64 bits, little-endian, version 1, System V; an executable for x86-64.
    bytes.extend(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    half(&mut bytes, 2);
    half(&mut bytes, 62);
    word(&mut bytes, 1);
    // The entry, the segments' headers, no sections, no flags.
    long(&mut bytes, BASE + HEADERS as u64);
    long(&mut bytes, 64);
    long(&mut bytes, 0);
    word(&mut bytes, 0);
    // Sizes and numbers of headers: one segment.
    for number in [64, 56, 1, 0, 0, 0] {
        half(&mut bytes, number);
    }
    // The whole file is loaded, to be read and executed.
    word(&mut bytes, 1);
    word(&mut bytes, 5);
    let size = (HEADERS + CODE.len()) as u64;
    for number in [0, BASE, BASE, size, size, 0x1000] {
        long(&mut bytes, number);
    }
    bytes.extend(CODE);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_nothing_ends() {
        assert_eq!(program().len(), HEADERS + CODE.len());
        assert!(matches!(trial(), Ok(Ending::Exit(0))), "{:?}", trial());
    }
}
