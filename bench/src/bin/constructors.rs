//! What a call of a simplifying constructor costs, in nanoseconds: new terms, terms that exist, rules that fire.
//!
//! `cargo run --release -p strata-bench --bin constructors`

use std::time::Instant;
use strata_term::{Op, Term};

/// Few enough terms to stay in the cache, as the terms of one path do.
const CALLS: usize = 4_000;
const ROUNDS: usize = 100;

/// Prints the mean time of `call` on neighbouring inputs, when its results are new and when they exist.
fn time(what: &str, inputs: &[Term], call: impl Fn(&Term, &Term) -> Term) {
    let run = || -> (u128, Vec<Term>) {
        let start = Instant::now();
        let made = inputs.windows(2).map(|pair| call(&pair[0], &pair[1])).collect();
        (start.elapsed().as_nanos(), made)
    };
    let (mut new, mut again) = (0, 0);
    for _ in 0..ROUNDS {
        let (first, made) = run();
        let (second, same) = run();
        assert!(made == same);
        (new, again) = (new + first, again + second);
        drop((made, same));
        strata_term::collect();
    }
    let calls = (ROUNDS * CALLS) as u128;
    println!("{what:28} {:5} new {:5} again", new / calls, again / calls);
}

fn main() {
    let words: Vec<Term> = (0..=CALLS).map(|i| Term::symbol(&format!("w{i}"), 32)).collect();
    let bytes: Vec<Term> = words.iter().map(|w| w.extract(7, 0)).collect();
    let bits: Vec<Term> = words.windows(2).map(|w| w[0].ult(&w[1])).chain([Term::bool(true)]).collect();
    let seven = Term::number(32, 7);
    let array = Term::array("a", 32);
    time("x, cloned", &words, |x, _| x.clone());
    time("x * y, raw", &words, |x, y| Term::raw(Op::Mul, 32, 0, &[x, y]));
    time("x + y", &words, |x, y| x.add(y));
    time("x + 7", &words, |x, _| x.add(&seven));
    time("(x + 7) + 7", &words, |x, _| x.add(&seven).add(&seven));
    time("x * y", &words, |x, y| x.mul(y));
    time("x & y", &words, |x, y| x.and(y));
    time("x & 7", &words, |x, _| x.and(&seven));
    time("x = y", &words, |x, y| x.eq(y));
    time("x = 7", &words, |x, _| x.eq(&seven));
    time("x + 7 = 7", &words, |x, _| x.add(&seven).eq(&seven));
    time("x < y", &words, |x, y| x.ult(y));
    time("x < 7", &words, |x, _| x.ult(&seven));
    time("x < 7, signed", &words, |x, _| x.slt(&seven));
    time("p & q", &bits, |p, q| p.and(q));
    time("!p", &bits, |p, _| p.not());
    time("zext8 -> 32", &bytes, |x, _| x.zext(32));
    time("zext = 7", &bytes, |x, _| x.zext(32).eq(&seven));
    time("concat", &bytes, |x, y| x.concat(y));
    time("ite", &words, |x, y| Term::ite(&bits[0], x, y));
    time("read", &words, |x, _| array.read(x, 4));
    time("shl 7", &words, |x, _| x.shl(&seven));
    time("lshr 7", &words, |x, _| x.lshr(&seven));
}
