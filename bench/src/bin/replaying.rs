//! What a test costs to replay: making a sandbox, and running a program that ends at once in it.
//!
//! `replaying [RUNS]`

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;
use strata_replay::{Ending, Input, Limits, Sandbox};

fn run(guest: &Path, runs: u32) -> Result<(), Box<dyn std::error::Error>> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/replay/tests/guest.c");
    let flags = ["-static", "-nostdlib", "-O1", "-fno-stack-protector", "-fno-tree-loop-distribute-patterns", "-w"];
    if !Command::new("cc").args(flags).args([source, "-o"]).arg(guest).status()?.success() {
        return Err("the guest does not compile".into());
    }
    let start = Instant::now();
    let mut sandbox = Sandbox::new(guest, Limits::default())?;
    println!("a sandbox: {:?}", start.elapsed());
    let arguments = ["guest", "exit", "0"].map(|word| word.as_bytes().to_vec());
    let start = Instant::now();
    for _ in 0..runs {
        let observed = sandbox.run(&Input { arguments: &arguments, ..Input::default() })?;
        if observed.ending != Ending::Exit(0) {
            return Err(format!("the guest ended with {}", observed.ending).into());
        }
    }
    println!("a run in it: {:?}", start.elapsed() / runs.max(1));
    Ok(())
}

fn main() -> ExitCode {
    let runs = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2000);
    let guest = std::env::temp_dir().join(format!("strata-replaying-{}", std::process::id()));
    let done = run(&guest, runs);
    let _ = std::fs::remove_file(&guest);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("replaying: {error}");
            ExitCode::FAILURE
        }
    }
}
