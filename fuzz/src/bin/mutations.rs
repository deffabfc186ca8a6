//! `mutations [COUNT [SEED]]`: broken copies of valid files (from tests/ and examples/) never crash `strata solve`.
//!
//! Each must end with status 0 or 2, in time; 2 must say where and what. Run from the repository's root after a release build.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{SystemTime, UNIX_EPOCH};
use strata_fuzz::Random;

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|e| e == "smt2" || e == "kquery")
            && entry.metadata().is_ok_and(|m| m.len() < 40_000)
        {
            into.push(path);
        }
    }
}

/// Changes that mostly leave a script well-formed and ask something else: a digit, or an operator for one of its kind.
fn alter(random: &mut Random, text: &mut Vec<u8>) {
    const SIBLINGS: [[&str; 4]; 4] = [
        ["bvult", "bvslt", "bvule", "bvsge"],
        ["bvadd", "bvmul", "bvsub", "bvxor"],
        ["bvudiv", "bvurem", "bvsrem", "bvshl"],
        ["Ult", "Slt", "Eq", "Sle"],
    ];
    let digits: Vec<usize> = (0..text.len()).filter(|at| text[*at].is_ascii_digit()).collect();
    if !digits.is_empty() {
        text[*random.pick(&digits)] = b'0' + random.draw(10) as u8;
    }
    let [from, to] = [random.draw(4), random.draw(4)].map(|i| i as usize);
    let row = random.pick(&SIBLINGS);
    let places: Vec<usize> = (0..text.len()).filter(|at| text[*at..].starts_with(row[from].as_bytes())).collect();
    if !places.is_empty() {
        let at = *random.pick(&places);
        text.splice(at..at + row[from].len(), row[to].bytes());
    }
}

/// Changes that mostly break it.
fn mutate(random: &mut Random, text: &mut Vec<u8>) {
    const WORDS: [&str; 18] = [
        "(",
        ")",
        "(_ bv5 ",
        "0",
        "99999999999999999999",
        "-1",
        "bvadd",
        "select",
        "store",
        "concat",
        "let",
        "(check-sat)",
        "|",
        "\"",
        "(push 3)",
        "(pop 9)",
        "(_ extract 3 7)",
        "\u{fffd}",
    ];
    for _ in 0..1 + random.draw(4) {
        let at = random.draw(text.len() as u32 + 1) as usize;
        let end = (at + random.draw(30) as usize).min(text.len());
        match random.draw(6) {
            0 => text.truncate(at),
            1 => drop(text.drain(at..end)),
            2 => {
                let copy = text[at..end].to_vec();
                let to = random.draw(text.len() as u32 + 1) as usize;
                text.splice(to..to, copy);
            }
            3 if at < text.len() => text[at] = random.draw(256) as u8,
            _ => drop(text.splice(at..at, random.pick(&WORDS).bytes())),
        }
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1000);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(clock);
    let mut originals = Vec::new();
    ["tests", "examples"].iter().for_each(|folder| files(Path::new(folder), &mut originals));
    originals.sort();
    println!("{count} mutations of {} files from seed {seed}", originals.len());
    let mut random = Random(seed);
    let (mut answered, mut refused) = (0, 0);
    for number in 0..count {
        let original = random.pick(&originals);
        let mut text = std::fs::read(original).unwrap_or_default();
        // A mutated file may well contradict the status that it states.
        while let Some(at) = text.windows(7).position(|window| window == b":status") {
            text[at + 1] = b'x';
        }
        match random.one_in(2) {
            true => alter(&mut random, &mut text),
            false => mutate(&mut random, &mut text),
        }
        let extension = original.extension().and_then(|e| e.to_str()).unwrap_or("smt2");
        let file = std::env::temp_dir().join(format!("strata-mutation-{}.{extension}", std::process::id()));
        std::fs::write(&file, &text).expect("a temporary file");
        let output = Command::new("target/release/strata")
            .args(["solve", "--timeout", "2s"])
            .arg(&file)
            .output()
            .expect("strata runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => answered += 1,
            Some(2) if message.contains(&file.display().to_string()) => refused += 1,
            other => {
                let kept = std::env::temp_dir().join(format!("strata-mutation-failed.{extension}"));
                std::fs::copy(&file, &kept).expect("a temporary file");
                println!(
                    "mutation {number} of {} ended with {other:?}: {message}\nkept as {}",
                    original.display(),
                    kept.display()
                );
                return ExitCode::FAILURE;
            }
        }
        std::fs::remove_file(&file).expect("a temporary file");
    }
    println!("none crashed: {answered} answered, {refused} refused with a place");
    ExitCode::SUCCESS
}
