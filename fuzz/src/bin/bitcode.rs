//! `bitcode [COUNT [SEED [STRATA]]]`: broken copies of bitcode never crash `strata run`.
//!
//! The bitcode is that of tests/programs and examples/, by clang at -O0 and -O2. Each copy must
//! end with status 0, 1 or 2, without a signal and in time; 2 must say what is wrong. Run from
//! the repository's root.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use strata_fuzz::Random;

/// Upper bound on a run, in seconds: LLVM may take some thirty, and the machine may be busy.
const PATIENCE: &str = "600";

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "c") {
            into.push(path);
        }
    }
}

/// Some of the sources as bitcode. One that needs flags of its own is left out.
fn modules(random: &mut Random) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    sources(Path::new("tests/programs"), &mut all);
    sources(Path::new("examples"), &mut all);
    all.sort();
    let chosen: Vec<PathBuf> = (0..24).map(|_| random.pick(&all).clone()).collect();
    let compile = |(index, source): (usize, &PathBuf)| {
        let level = if index % 2 == 0 { "-O0" } else { "-O2" };
        let flags = ["-c", "-emit-llvm", "-g", "-w", "-Iruntime/include", "-o", "-", level];
        let output = Command::new("clang-22").args(flags).arg(source).stderr(Stdio::null()).output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    chosen.iter().enumerate().filter_map(compile).collect()
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..1 + random.draw(6) {
        let at = random.draw(bytes.len() as u32) as usize;
        match random.draw(8) {
            0..=3 => bytes[at] ^= 1 << random.draw(8),
            4 => bytes[at] = random.draw(256) as u8,
            5 => {
                let end = bytes.len().min(at + 1 + random.draw(64) as usize);
                bytes[at..end].iter_mut().for_each(|byte| *byte = random.draw(256) as u8);
            }
            6 => {
                let end = bytes.len().min(at + 4 * random.draw(32) as usize);
                let piece = bytes[at..end].to_vec();
                let to = random.draw((bytes.len() - piece.len()) as u32 + 1) as usize;
                bytes[to..to + piece.len()].copy_from_slice(&piece);
            }
            _ if random.draw(4) == 0 => bytes.truncate(at.max(4)),
            _ => {}
        }
    }
}

/// What is wrong with how a run of this file ended, if anything is.
fn fault(strata: &Path, file: &Path, folder: &Path) -> Option<String> {
    let mut command = Command::new("timeout");
    command.args(["-k", "5", PATIENCE]).arg(strata).args(["run", "--no-confirm", "--max-time", "1s", "--output"]);
    let output = command.arg(folder).arg(file).stdin(Stdio::null()).output().expect("timeout runs");
    let _ = std::fs::remove_dir_all(folder);
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0 | 1) => None,
        Some(2) if said.trim().is_empty() => Some("status 2 without a word".into()),
        Some(2) => None,
        code => Some(format!("{code:?} {}: {said}", output.status)),
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(200, |text| text.parse().expect("a number"));
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let seed: u64 =
        arguments.next().filter(|text| !text.is_empty()).map_or_else(now, |text| text.parse().expect("a number"));
    let strata = PathBuf::from(arguments.next().unwrap_or_else(|| "target/release/strata".into()));
    let folder = std::env::temp_dir().join(format!("strata-bitcode-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let modules = modules(&mut Random(seed));
    assert!(modules.len() >= 8, "clang-22 compiles only {} of the programs", modules.len());
    let (next, faults) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            let mut random = Random(seed.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            let mut bytes = random.pick(&modules).clone();
            mutate(&mut random, &mut bytes);
            let file = folder.join(format!("{index}.bc"));
            std::fs::write(&file, &bytes).expect("a file");
            match fault(&strata, &file, &folder.join(format!("{index}.run"))) {
                None => _ = std::fs::remove_file(&file),
                Some(fault) => {
                    faults.fetch_add(1, Ordering::Relaxed);
                    println!("{}: {fault}", file.display());
                }
            }
        }
    };
    std::thread::scope(|scope| {
        [scope.spawn(work), scope.spawn(work)].into_iter().for_each(|it| it.join().expect("ends"))
    });
    let faults = faults.into_inner();
    println!("{count} broken modules (seed {seed}): {faults} faults");
    if faults == 0 {
        let _ = std::fs::remove_dir_all(&folder);
    }
    ExitCode::from(u8::from(faults > 0))
}
