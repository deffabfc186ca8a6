//! The store under four threads that make, find, share, send and drop the same terms: no term ever reads as another, and all are freed.

use std::sync::Mutex;
use strata_term::{Bits, Op, Random, Term, collect, live};

/// Few different contents, so that threads meet at the same terms all the time.
const KINDS: u64 = 60;

/// A term whose contents follow from its number, with a payload in most cases.
fn make(number: u64) -> Term {
    let index = Term::symbol(&format!("i{}", number % 5), 32);
    match number % 6 {
        0 => Term::constant(Bits::from_words(200, &[number, !number, number, 7])),
        1 => Term::symbol(&format!("input number {number}"), 1 + (number as u32 % 70)),
        2 => Term::table(&Term::array("base", 32), vec![number as u8; 3 + number as usize].into()),
        3 => make(number - 1).write(&index, &Term::number(8, number)),
        4 => make(number - 2).read(&index, 2),
        _ => (0..number).fold(make(number - 5), |term, i| Term::raw(Op::Xor, 200, 0, &[&term, &Term::number(200, i)])),
    }
}

/// Does the term say what `make` put into it?
fn is_intact(term: &Term, number: u64) -> bool {
    match number % 6 {
        0 => term.as_const().is_some_and(|bits| bits.to_words() == [number, !number, number, 7]),
        1 => term.name() == Some(&format!("input number {number}")),
        2 => {
            let contents = term.contents().map(|contents| contents.to_vec());
            contents == Some(vec![number as u8; 3 + number as usize]) && term.arg(0).name() == Some("base")
        }
        3 => term.op() == Op::Write && is_intact(term.arg(0), number - 1),
        4 => term.op() == Op::Read && term.width() == 16,
        _ => {
            let mut at = term.clone();
            for i in (0..number).rev() {
                if at.op() != Op::Xor || at.arg(1).as_const() != Some(Bits::new(200, i)) {
                    return false;
                }
                at = at.arg(0).clone();
            }
            is_intact(&at, number - 5)
        }
    }
}

/// Where threads leave terms for one another: a term is dropped by another thread than made it.
type Shelf = Mutex<Vec<(u64, Term)>>;

fn run(seed: u64, rounds: u64, shelf: &Shelf) {
    let mut random = Random(seed);
    let mut own: Vec<(u64, Term)> = Vec::new();
    for _ in 0..rounds {
        let number = random.number() % KINDS;
        match random.draw(8) {
            0..3 => own.push((number, make(number))),
            3 => {
                let term = make(number);
                assert!(is_intact(&term, number), "seed {seed}: {term:?} is not number {number}");
                assert_eq!(term, make(number), "seed {seed}: equal terms have one handle");
            }
            4 => own.extend(own.last().cloned()),
            5 => {
                let mut shelf = shelf.lock().expect("no thread panics");
                shelf.extend(own.pop());
                if random.one_in(2) && !shelf.is_empty() {
                    let place = random.below(shelf.len());
                    own.push(shelf.swap_remove(place));
                }
            }
            6 if random.one_in(8) => collect(),
            _ => {
                if !own.is_empty() {
                    let place = random.below(own.len());
                    let (number, term) = own.swap_remove(place);
                    assert!(is_intact(&term, number), "seed {seed}: {term:?} is not number {number}");
                }
            }
        }
        if own.len() > 40 {
            own.drain(..30);
        }
    }
    // Not left to the end of the thread, for which a scope does not wait.
    drop(own);
    collect();
}

#[test]
fn threads_share_terms() {
    let always_there = Term::bool(true);
    let before = live();
    let shelf = Shelf::default();
    std::thread::scope(|scope| {
        let shelf = &shelf;
        for seed in 0..4 {
            scope.spawn(move || run(seed, 100_000, shelf));
        }
    });
    drop(shelf);
    collect();
    assert!(always_there.is_true());
    assert_eq!(live(), before, "everything is freed");
}
