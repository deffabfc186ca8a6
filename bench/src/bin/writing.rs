//! What a test of 20 input bytes costs to write: at most 10 µs of CPU and 200 bytes. 65,536 of them are an ordinary run. Printed beside
//! the cost of files, which were rejected.
//!
//! `writing [TESTS]`

use std::fs;
use std::process::ExitCode;
use std::time::Instant;
use strata_record::{End, Expectation, KTest, Run, Trace};

/// Processor time of this thread, in microseconds.
fn cpu() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1000.0
}

fn measure<E>(what: &str, tests: u32, mut write: impl FnMut(u32) -> Result<(), E>) -> Result<(), E> {
    let (start, wall) = (cpu(), Instant::now());
    (0..tests).try_for_each(&mut write)?;
    let count = f64::from(tests);
    let wall = wall.elapsed().as_secs_f64() * 1e6 / count;
    println!("{what}: {:.1} us of CPU, {wall:.1} us of time a test", (cpu() - start) / count);
    Ok(())
}

fn run(base: &std::path::Path, tests: u32) -> Result<(), Box<dyn std::error::Error>> {
    let input = |number: u32| {
        let bytes = [number.to_le_bytes(); 5].concat();
        KTest { args: vec![b"a.out".to_vec()], objects: vec![("x".into(), bytes)], ..KTest::default() }
    };
    let expectation = |number: u32| {
        let branches = Trace { count: 16, hash: u64::from(number).wrapping_mul(0x1234_5678_9abc_def1) };
        Expectation { branches, stdout: "an answer\n".into(), ..Expectation::of(End::Exit { status: 0 }) }
    };
    let folder = base.join("pack");
    let pack = Run::named(&folder)?;
    // Those with files of their own come first, and are not counted.
    (0..1000).try_for_each(|number| pack.write_test(&input(number), &expectation(number), None).map(|_| ()))?;
    let before = fs::metadata(folder.join("tests.pack"))?.len();
    measure("one pack", tests, |number| pack.write_test(&input(number), &expectation(number), None).map(|_| ()))?;
    let bytes = fs::metadata(folder.join("tests.pack"))?.len() - before;
    println!("one pack: {:.1} bytes a test", bytes as f64 / f64::from(tests));
    let folder = base.join("files");
    fs::create_dir(&folder)?;
    measure("a file each", tests, |number| {
        let text = serde_json::to_vec(&expectation(number))?;
        fs::write(folder.join(format!("test{number:06}.ktest")), input(number).to_bytes())?;
        fs::write(folder.join(format!("test{number:06}.json")), text)
    })?;
    Ok(())
}

fn main() -> ExitCode {
    let tests = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(65_536);
    let base = std::env::temp_dir().join(format!("strata-writing-{}", std::process::id()));
    let done = run(&base, tests);
    let _ = fs::remove_dir_all(&base);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("writing: {error}");
            ExitCode::FAILURE
        }
    }
}
