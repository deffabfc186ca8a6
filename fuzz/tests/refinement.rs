//! Reads left to refinement, on one pool: every axiom stays for later questions, which are made from an assignment, so that the answer is known.
//!
//! Part of an assignment that gives a read its value is satisfiable with that value, whatever was learnt before; the whole of it is
//! unsatisfiable with another.

use std::time::Duration;
use strata_fuzz::Random;
use strata_query::{Answer, Budget, Path, Solver};
use strata_solver::Pool;
use strata_term::{Assignment, Bits, Op, Term, eval};

const INDEX: u32 = 3;

/// The inputs of a history: its places and values, a condition and the cells below.
struct Inputs {
    symbols: Vec<Term>,
    array: Term,
}

impl Inputs {
    fn symbol(&mut self, kind: &str, width: u32) -> Term {
        let symbol = Term::symbol(&format!("{kind}{}", self.symbols.len()), width);
        self.symbols.push(symbol.clone());
        symbol
    }

    /// Writes on top of `array`, most of them at places that nothing is known about.
    fn writes(&mut self, random: &mut Random, array: Term, count: u32) -> Term {
        (0..count).fold(array, |array, number| {
            let place = match random.one_in(6) {
                true => Term::number(INDEX, random.number() & 3),
                false => self.symbol("p", INDEX),
            };
            let value = if random.one_in(4) { self.symbol("v", 8) } else { Term::number(8, u64::from(number)) };
            Term::raw(Op::Write, INDEX, 0, &[&array, &place, &value])
        })
    }

    fn history(&mut self, random: &mut Random) -> Term {
        let condition = self.symbol("c", 1);
        let table = Term::table(&self.array.clone(), vec![101, 102, 103].into());
        let fill = Term::fill(INDEX, &self.symbol("v", 8));
        let (then, other) = (self.writes(random, table, 3), self.writes(random, fill, 2));
        let below = Term::raw(Op::Ite, INDEX, 0, &[&condition, &then, &other]);
        let count = *random.pick(&[2, 38, 110]);
        self.writes(random, below, count)
    }

    /// Random values, and each as an equation. Every other time hardly any write is where reads are, so that these go far down.
    fn assign(&self, random: &mut Random) -> (Assignment, Vec<Term>) {
        let (mut assignment, mut equations) = (Assignment::default(), Vec::new());
        let apart = random.one_in(2);
        for symbol in &self.symbols {
            let number = match symbol.name().and_then(|name| name.chars().next()) {
                Some('p') if apart && !random.one_in(50) => random.number() & 3,
                Some('i') if apart => random.number() | 4,
                _ => random.number(),
            };
            let value = Bits::new(symbol.width(), number);
            equations.push(symbol.eq(&Term::constant(value.clone())));
            assignment.set(symbol, value);
        }
        for cell in 0..1 << INDEX {
            let value = random.draw(256) as u8;
            equations.push(self.array.read(&Term::number(INDEX, cell), 1).eq(&Term::number(8, u64::from(value))));
            assignment.set_cell(&self.array, cell, value);
        }
        (assignment, equations)
    }
}

#[test]
fn axioms_hold_for_later_questions() {
    for seed in 5_000_000..5_000_012 {
        let mut random = Random(seed);
        let mut inputs = Inputs { symbols: Vec::new(), array: Term::array("a", INDEX) };
        let history = inputs.history(&mut random);
        let reads: Vec<Term> = (0..3).map(|_| history.read(&inputs.symbol("i", INDEX), 1)).collect();
        let mut pool = Pool::default();
        for number in 0..30 {
            let (assignment, mut equations) = inputs.assign(&mut random);
            let read = random.pick(&reads);
            let value = read.eq(&Term::constant(eval(read, &assignment)));
            equations.push(value.not());
            let answer = pool.check(&Path::default(), &equations, &Budget::within(Duration::from_secs(10)));
            assert_eq!(answer, Answer::Unsat, "seed {seed}, question {number}");
            equations.retain(|_| !random.one_in(3));
            equations.retain(|equation| *equation != value.not());
            equations.push(value);
            let answer = pool.check(&Path::default(), &equations, &Budget::within(Duration::from_secs(10)));
            assert!(matches!(answer, Answer::Sat(_)), "seed {seed}, question {number}: {}", answer.name());
        }
    }
}
