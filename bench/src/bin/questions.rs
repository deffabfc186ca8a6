//! What a question costs that a layer above the core answers, in machine instructions, and what a fork adds to the knowledge, in bytes.
//!
//! `cargo run --release -p strata-bench --bin questions` counts by valgrind: each kind of question is asked a number of times and three times as often, in
//! runs of their own; the difference is the questions'. *Again* is a condition that some path met before, as nearly all are; *new* is one that was never met, and
//! pays for its set. Memory is counted by the allocator: what a path holds more after it was extended by one condition over another input.

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::process::{Command, exit};
use std::sync::atomic::{AtomicUsize, Ordering};
use strata_query::{Answer, Budget, Model, Path, Solver};
use strata_solver::{Backend, Pool, Selection, Stack};
use strata_term::Term;

/// Counts the bytes that are held.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

// Safety: the allocator of `strata` does the work; the count is beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        // Safety: the caller's.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // Safety: the caller's.
        unsafe { MiMalloc.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Inputs on a path.
const INPUTS: u64 = 64;

/// New conditions in the shorter one of two runs.
const MOST: u64 = 512;

struct Kind {
    name: &'static str,
    /// The input at a place, and a condition over it that depends on a number.
    input: fn(&Term, u64) -> Term,
    condition: fn(&Term, u64) -> Term,
    /// Who answers.
    layer: &'static str,
}

fn byte(array: &Term, at: u64) -> Term {
    array.read(&Term::number(32, at), 1)
}

fn word(array: &Term, at: u64) -> Term {
    array.read(&Term::number(32, 4 * at), 4)
}

const KINDS: &[Kind] = &[
    Kind {
        name: "a byte is a letter",
        input: byte,
        condition: |byte, n| byte.or(&Term::number(8, 32)).sub(&Term::number(8, 97)).ult(&Term::number(8, 1 + n % 26)),
        layer: "bytes",
    },
    Kind {
        name: "a byte is less than another number",
        input: byte,
        condition: |byte, n| byte.ult(&Term::number(8, 2 + n % 250)),
        layer: "bytes",
    },
    Kind {
        name: "a word is less than a number, signed",
        input: word,
        condition: |word, n| word.slt(&Term::number(32, 5 + n % 1000)),
        layer: "intervals",
    },
    Kind {
        name: "three times a word and five are less",
        input: word,
        condition: |word, n| {
            let sum = word.mul(&Term::number(32, 3)).add(&Term::number(32, 5));
            sum.ult(&Term::number(32, 50 + n % 1000))
        },
        layer: "intervals",
    },
];

fn stack() -> Stack {
    Stack::new(Selection::default(), Backend::Builtin(Box::<Pool>::default()), None)
}

/// A path with a condition over each input.
fn path(stack: &mut Stack, kind: &Kind, array: &Term) -> (Path, Model) {
    let (mut path, mut witness) = (Path::default(), Model::default());
    for at in 0..INPUTS {
        let condition = (kind.condition)(&(kind.input)(array, at), 999);
        match stack.ask(&path, &witness, &condition, &Budget::default()) {
            Answer::Sat(model) => witness = model,
            other => unreachable!("{other:?} to a condition over an input of its own"),
        }
        stack.extend(&mut path, &condition);
    }
    (path, witness)
}

/// Asks so many questions, each condition met before or new.
fn ask(kind: &Kind, count: u64, new: bool) {
    let array = Term::array("input", 32);
    let mut stack = stack();
    let (path, witness) = path(&mut stack, kind, &array);
    // Made before they are asked: terms are not what is measured. All that is asked again was asked once.
    let made = if new { 3 * MOST } else { INPUTS };
    let conditions: Vec<Term> =
        (0..made).map(|i| (kind.condition)(&(kind.input)(&array, i % INPUTS), i / INPUTS)).collect();
    let questions = conditions.iter().cycle().take(count as usize);
    for condition in questions {
        let answer = stack.ask(&path, &witness, condition, &Budget::default());
        assert!(!matches!(answer, Answer::Unknown(_)));
    }
    let answered = stack.statistics().layers.iter().zip(strata_solver::LAYERS);
    let others: u64 = answered.filter(|(_, row)| row.name != kind.layer).map(|(figures, _)| figures.answered).sum();
    assert!(others == 0, "{others} questions were answered by others than {}", kind.layer);
}

/// The instructions of a run of this program.
fn instructions(arguments: &[String]) -> u64 {
    let program = std::env::current_exe().expect("this program has a name");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| {
            eprintln!("valgrind: {error}; it counts the instructions: install it (apt-get install valgrind)");
            exit(2)
        });
    let text = String::from_utf8_lossy(&output.stderr);
    let counted = text.lines().find_map(|line| line.split("Collected : ").nth(1)).and_then(|n| n.trim().parse().ok());
    counted.unwrap_or_else(|| panic!("valgrind counted nothing: {text}"))
}

fn each(kind: usize, count: u64, new: bool) -> u64 {
    let run = |count: u64| instructions(&[kind.to_string(), count.to_string(), new.to_string()]);
    (run(3 * count) - run(count)) / (2 * count)
}

/// Bytes that a path holds more for one more condition, over an input that it did not mention.
fn growth(kind: &Kind) -> usize {
    let array = Term::array("input", 32);
    let mut stack = stack();
    let (path, _) = path(&mut stack, kind, &array);
    let extended = |stack: &mut Stack| {
        let condition = (kind.condition)(&(kind.input)(&array, INPUTS / 2), 7);
        let mut fork = path.clone();
        stack.extend(&mut fork, &condition);
        fork
    };
    // Terms and shapes are made by the first one.
    drop(extended(&mut stack));
    let before = HELD.load(Ordering::Relaxed);
    let forks: Vec<Path> = (0..100).map(|_| extended(&mut stack)).collect();
    let held = HELD.load(Ordering::Relaxed) - before - forks.capacity() * size_of::<Path>();
    held / forks.len()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [kind, count, new] = arguments.as_slice() {
        let kind = kind.parse().ok().and_then(|kind: usize| KINDS.get(kind)).expect("the number of a kind");
        ask(kind, count.parse().expect("a number of questions"), new == "true");
        return;
    }
    println!(
        "{:40} {:9} {:>7} {:>7} {:>12}",
        "machine instructions a question", "layer", "again", "new", "bytes a fork"
    );
    for (number, kind) in KINDS.iter().enumerate() {
        let (again, new) = (each(number, 4096, false), each(number, MOST, true));
        println!("{:40} {:9} {again:7} {new:7} {:12}", kind.name, kind.layer, growth(kind));
    }
}
