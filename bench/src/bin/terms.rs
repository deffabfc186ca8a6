//! What terms cost: bytes a node, nanoseconds to find or make one, and that a long run does not grow.
//!
//! `terms [SHORT_LIVED]` (10^9). Fails if a node takes over 32 bytes, or if the long run takes over 512 MiB.

use std::process::ExitCode;
use std::time::Instant;
use strata_term::{Op, Term, collect, live};

fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: usize = status.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * 4096
}

fn main() -> ExitCode {
    let count: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000_000);
    let x = Term::symbol("x", 64);
    let mut failed = false;

    for nodes in [100_000u64, 8_000_000] {
        let mut made: Vec<Term> = Vec::with_capacity(nodes as usize / 2);
        let before = resident();
        let start = Instant::now();
        // Half of the terms are the constants.
        made.extend((0..nodes / 2).map(|i| Term::raw(Op::Xor, 64, 0, &[&x, &Term::number(64, i)])));
        let make = start.elapsed().as_nanos() as f64 / nodes as f64;
        // The handles are not the terms.
        let per_node = (resident() - before - made.len() * 4) as f64 / nodes as f64;
        let start = Instant::now();
        let found = |i: u64| Term::raw(Op::Xor, 64, 0, &[&x, &Term::number(64, i)]) == made[i as usize];
        assert!((0..nodes / 2).all(found));
        let find = start.elapsed().as_nanos() as f64 / nodes as f64;
        println!("{nodes} distinct terms: {per_node:.1} bytes each; {make:.0} ns to make, {find:.0} ns to find one");
        failed |= nodes > 1_000_000 && per_node > 32.0;
        drop(made);
        collect();
    }

    let small: Vec<Term> = (0..1000).map(|i| Term::number(64, i)).collect();
    let start = Instant::now();
    for _ in 0..2000 {
        for constant in &small {
            std::hint::black_box(x.add(constant).xor(&x));
        }
    }
    println!("simplifying constructors on recent terms: {:.0} ns each", start.elapsed().as_nanos() as f64 / 4e6);

    // Each turn makes four terms and lets them go; 10,000 stay.
    let kept: Vec<Term> = (0..10_000).map(|i| x.mul(&Term::number(64, i * 2 + 3))).collect();
    let start = Instant::now();
    let mut peak = 0;
    for i in 0..count / 4 {
        let sum = kept[(i % 10_000) as usize].add(&Term::number(64, i | 1));
        std::hint::black_box(sum.ult(&x).not());
        if i % (1 << 22) == 0 {
            peak = peak.max(resident());
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let each = seconds * 1e9 / count as f64;
    println!(
        "{count} short-lived terms, 10,000 kept: {} MiB at most, {} terms alive, {each:.0} ns each",
        peak >> 20,
        live()
    );
    failed |= peak > 512 << 20;
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
