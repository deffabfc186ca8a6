//! One pool over a whole tree of paths against a fresh pool for each question, and another solver for some.
//!
//! Paths are forked, extended, revisited in any order and dropped; questions in between are cut short. Whatever a pool carries from one question to the
//! next, be it gates, clauses, bindings or the ids of terms that are gone, must not change an answer.

use crate::memory::Memory;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use strata_query::{Answer, Budget, Interrupt, Model, Path, Solver};
use strata_solver::{Hints, Pool, Process, Window};
use strata_term::text::smtlib::{Sharing, print_query};
use strata_term::{Random, Term, collect};

/// What a walk came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// Satisfiable questions.
    pub sat: u64,
    /// Unsatisfiable ones.
    pub unsat: u64,
    /// Questions that were cut short, or not decided in the time allowed.
    pub unknown: u64,
    /// Questions that the other solver confirmed.
    pub confirmed: u64,
}

const TIME: Duration = Duration::from_millis(200);
/// How many paths are alive at most.
const PATHS: usize = 24;

/// Says of each index what comes to its mind. The answers are the same, whatever it is: a question is asked with windows that are too small as well as with those that another
/// question had, and near a model of any question before it.
struct Guess {
    random: Random,
    near: Option<Model>,
}

impl Hints for Guess {
    fn window(&mut self, index: &Term, _: u64) -> Option<Window> {
        let least = u64::from(self.random.draw(20));
        let stride = *self.random.pick(&[1, 2, 4, 8]);
        let last = if index.width() < 64 { (1 << index.width()) - 1 } else { u64::MAX };
        let most = last.min(least + u64::from(self.random.draw(64)));
        if self.random.one_in(3) { None } else { Window::new(least, most, stride) }
    }

    fn near(&self) -> Option<&Model> {
        self.near.as_ref()
    }
}

/// The order in which paths are visited.
#[derive(Clone, Copy)]
enum Order {
    DepthFirst,
    BreadthFirst,
    Jumping,
}

struct Walk<'a> {
    random: Random,
    memory: Memory,
    order: Order,
    pool: Pool,
    guess: Guess,
    other: &'a mut Process,
    paths: Vec<Path>,
    tally: Tally,
}

/// Walks `steps` steps over a random tree of paths. A disagreement comes back as text.
pub fn walk(seed: u64, steps: u64, other: &mut Process) -> Result<Tally, String> {
    let mut random = Random(seed);
    let index = *random.pick(&[32, 64, 8, 2]);
    let order = *random.pick(&[Order::DepthFirst, Order::BreadthFirst, Order::Jumping]);
    let (memory, paths) = (Memory::new(index, true), vec![Path::default()]);
    let (pool, guess) = (Pool::default(), Guess { random: Random(seed), near: None });
    let mut walk = Walk { random, memory, order, pool, guess, other, paths, tally: Tally::default() };
    for step in 0..steps {
        walk.step().map_err(|report| format!("seed {seed}, step {step}: {report}"))?;
    }
    Ok(walk.tally)
}

impl Walk<'_> {
    fn step(&mut self) -> Result<(), String> {
        let last = self.paths.len() - 1;
        let number = match self.order {
            Order::DepthFirst if !self.random.one_in(4) => last,
            Order::BreadthFirst if !self.random.one_in(4) => 0,
            Order::DepthFirst | Order::BreadthFirst | Order::Jumping => self.random.below(self.paths.len()),
        };
        match self.random.draw(10) {
            0..4 => self.extend(number),
            4 | 5 => {
                let count = self.random.draw(3);
                let assumptions: Vec<Term> = (0..count).map(|_| self.memory.condition(&mut self.random, 2)).collect();
                let path = self.paths[number].clone();
                self.ask(&path, &assumptions).map(|_| ())
            }
            6 => self.branch(number),
            7 | 8 => self.cut_short(number),
            _ => {
                self.forget(number);
                Ok(())
            }
        }
    }

    fn extend(&mut self, number: usize) -> Result<(), String> {
        let mut path = self.paths[number].clone();
        for _ in 0..1 + self.random.draw(3) {
            let condition = match self.random.one_in(3) {
                true => self.memory.fact(&mut self.random),
                false => self.memory.condition(&mut self.random, 2),
            };
            self.pool.extend(&mut path, &condition);
        }
        let answer = self.ask(&path, &[])?;
        // Contradictory paths stay at times: nothing may follow from them but unsat.
        if answer != "unsat" || self.random.one_in(8) {
            self.paths.push(path);
        }
        if self.paths.len() > PATHS {
            let number = self.random.below(self.paths.len());
            self.forget(number);
        }
        Ok(())
    }

    fn branch(&mut self, number: usize) -> Result<(), String> {
        let (path, condition) = (self.paths[number].clone(), self.memory.condition(&mut self.random, 2));
        for side in [condition.clone(), condition.not()] {
            let answer =
                self.pool.check_with(&path, std::slice::from_ref(&side), &Budget::within(TIME), &mut self.guess);
            self.compare(&path, &[side], answer.name())?;
            if let Answer::Sat(model) = answer {
                self.guess.near = Some(model);
            }
        }
        Ok(())
    }

    /// A question with hardly any budget: it may be decided all the same, and then rightly.
    fn cut_short(&mut self, number: usize) -> Result<(), String> {
        let path = self.paths[number].clone();
        let question = match self.random.one_in(2) {
            true => self.memory.puzzle(&mut self.random),
            false => self.memory.condition(&mut self.random, 2),
        };
        let pause = Duration::from_micros(u64::from(self.random.draw(2000)));
        let mut budget = Budget::within(TIME);
        let mut thread = None;
        match self.random.draw(5) {
            0 => budget.conflicts = Some(u64::from(self.random.draw(4))),
            1 => budget.memory = Some(1000 * self.random.below(5000)),
            2 => budget.deadline = Some(Instant::now() + pause),
            3 => budget.interrupt.set(),
            _ => {
                let interrupt: Interrupt = budget.interrupt.clone();
                thread = Some(std::thread::spawn(move || {
                    std::thread::sleep(pause);
                    interrupt.set();
                }));
            }
        }
        let answer = self.pool.check_with(&path, std::slice::from_ref(&question), &budget, &mut self.guess).name();
        if let Some(thread) = thread {
            thread.join().map_err(|_| "the interrupting thread panicked")?;
        }
        if answer == "unknown" {
            self.tally.unknown += 1;
            return Ok(());
        }
        self.compare(&path, &[question], answer)
    }

    /// Drops a path and terms, so that their ids are used again.
    fn forget(&mut self, number: usize) {
        self.paths.swap_remove(number);
        if self.paths.is_empty() {
            self.paths.push(Path::default());
        }
        self.memory.forget();
        collect();
    }

    fn ask(&mut self, path: &Path, assumptions: &[Term]) -> Result<&'static str, String> {
        let check = || self.pool.check_with(path, assumptions, &Budget::within(TIME), &mut self.guess).name();
        let answer = catch_unwind(AssertUnwindSafe(check)).unwrap_or("a panic");
        self.compare(path, assumptions, answer)?;
        Ok(answer)
    }

    fn compare(&mut self, path: &Path, assumptions: &[Term], answer: &'static str) -> Result<(), String> {
        let fresh = || Pool::default().check(path, assumptions, &Budget::within(TIME)).name();
        let alone = catch_unwind(AssertUnwindSafe(fresh)).unwrap_or("a panic");
        let sampled = self.random.one_in(16);
        let reference =
            if sampled { self.other.check(path, assumptions, &Budget::within(10 * TIME)).name() } else { alone };
        let all = [answer, alone, reference];
        if all.contains(&"a panic") || all.contains(&"sat") && all.contains(&"unsat") {
            let question: Vec<Term> = path.iter().chain(assumptions).cloned().collect();
            let text = print_query(&question, Sharing::Let);
            return Err(format!("in the tree {answer}, alone {alone}, another solver {reference}\n{text}"));
        }
        match answer {
            "sat" => self.tally.sat += 1,
            "unsat" => self.tally.unsat += 1,
            _ => self.tally.unknown += 1,
        }
        self.tally.confirmed += u64::from(sampled && reference == answer && reference != "unknown");
        Ok(())
    }
}
