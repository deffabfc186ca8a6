//! What a test costs to write: 65,536 of them are an ordinary run.
//!
//! `cargo test --release -p strata-record --test throughput -- --ignored --nocapture` prints the figures, beside those of a file for each expectation.

use std::fs;
use std::time::Instant;
use strata_record::{End, Expectation, KTest, Run, Trace};

const TESTS: u32 = 65_536;

/// Processor time of this thread, in microseconds.
fn cpu() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).expect("nanoseconds first") / 1000.0
}

fn measure(what: &str, mut write: impl FnMut(u32)) {
    let (start, wall) = (cpu(), Instant::now());
    (0..TESTS).for_each(&mut write);
    let tests = f64::from(TESTS);
    let wall = wall.elapsed().as_secs_f64() * 1e6 / tests;
    println!("{what}: {:.1} us of CPU, {wall:.1} us of time a test", (cpu() - start) / tests);
}

#[test]
#[ignore = "a measurement"]
fn throughput() {
    let base = std::env::temp_dir().join(format!("strata-throughput-{}", std::process::id()));
    let input = KTest { args: vec![b"a.out".to_vec()], objects: vec![("x".into(), vec![7; 16])], ..KTest::default() };
    let branches = Trace { count: 16, hash: 0x1234_5678_9abc_def0 };
    let expectation =
        Expectation { branches, stdout: "an answer\n".into(), ..Expectation::of(End::Exit { status: 0 }) };
    let run = Run::named(&base.join("lines")).unwrap();
    measure("one file of lines", |_| {
        run.write_test(&input, &expectation, None).unwrap();
    });
    let folder = base.join("files");
    fs::create_dir(&folder).unwrap();
    measure("a file each", |number| {
        fs::write(folder.join(format!("test{number:06}.ktest")), input.to_bytes()).unwrap();
        fs::write(folder.join(format!("test{number:06}.json")), serde_json::to_vec(&expectation).unwrap()).unwrap();
    });
    fs::remove_dir_all(&base).unwrap();
}
