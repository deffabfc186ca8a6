//! `riscv [COUNT [SEED]]`: random sequences of RISC-V instructions, run by us and by qemu
//! (100,000; from the clock); and a hundred times as many random words, decoded, shown and
//! lowered.

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use strata_frontend_riscv::lower::{Runtime, Unknown, lower};
use strata_frontend_riscv::{Fetch, decode, text};
use strata_fuzz::{Random, riscv};
use strata_ir::FunctionId;

const RUNTIME: Runtime = Runtime { counter: FunctionId(0) };

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() << 20);
    let seed: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(clock);
    println!("{count} sequences from seed {seed}");
    let mut random = Random(seed);
    let mut known = 0;
    for _ in 0..count * 100 {
        let number = random.number();
        if let Some(instruction) = decode(number as u32) {
            known += u64::from(!text(&instruction, number, &|to| to.to_string()).is_empty());
            // The last instruction of a block, wherever it is.
            let fetch = |address| if address == number { Ok(instruction) } else { Err(Fetch::Unmapped) };
            lower(number, Unknown::default(), &fetch, &RUNTIME).expect("it starts with an instruction");
        }
    }
    println!("{} random words, {known} of them instructions", count * 100);
    match riscv::compare(seed, count) {
        Ok(tally) => {
            println!("{tally:?}, no difference");
            ExitCode::SUCCESS
        }
        Err(report) => {
            println!("{report}");
            ExitCode::FAILURE
        }
    }
}
