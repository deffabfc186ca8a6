//! `strata disassemble FILE`: the instructions of a RISC-V ELF file, as GNU objdump prints them.

use crate::Outcome;
use crate::console::{out, refuse};
use clap::Args;
use std::path::PathBuf;
use strata_frontend_riscv::elf::Elf;
use strata_frontend_riscv::listing;
use strata_record::regular;

/// Upper bound on the size of a file that is read, in bytes: it is held in memory as a whole.
const LARGEST: u64 = 1 << 30;

/// What was typed.
#[derive(Args)]
pub struct Options {
    /// A 64-bit little-endian RISC-V ELF file
    file: PathBuf,
}

/// Prints the instructions.
pub fn run(options: &Options) -> Outcome {
    let name = options.file.display();
    let bytes = match regular::read(&options.file, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) => return refuse(format_args!("{name}: cannot be read: {error}")),
    };
    match Elf::read(&bytes) {
        Ok(elf) => {
            listing(&elf, &name.to_string(), &mut |text| out(text));
            Outcome::Done
        }
        Err(error) => refuse(format_args!("{name}: {error}")),
    }
}
