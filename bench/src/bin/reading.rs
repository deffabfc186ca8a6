//! Reads the SMT-LIB scripts that are named as arguments and says how fast that was.

use std::time::{Duration, Instant};
use strata_term::text::smtlib::{Command, Parser};

fn main() {
    let (mut bytes, mut commands, mut asserts, mut errors) = (0, 0, 0, 0);
    let mut time = Duration::ZERO;
    for path in std::env::args().skip(1) {
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let start = Instant::now();
        let mut parser = Parser::new(&text);
        let mut held = Vec::new();
        loop {
            match parser.next_command() {
                Ok(None) => break,
                Ok(Some(Command::Assert(term))) => {
                    held.push(term);
                    asserts += 1;
                }
                Ok(Some(_)) => commands += 1,
                Err(error) => {
                    eprintln!("{path}:{error}");
                    errors += 1;
                }
            }
        }
        time += start.elapsed();
        bytes += text.len();
    }
    let rate = bytes as f64 / time.as_secs_f64() / 1e6;
    println!("{bytes} bytes, {asserts} asserts, {commands} other commands, {errors} errors: {time:?}, {rate:.0} MB/s");
}
