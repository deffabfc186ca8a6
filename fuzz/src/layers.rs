//! The whole stack of layers against the core alone, on trees of paths made of what layers are for: conditions over one byte or word through chains of
//! operators, comparisons between variables, sums and products of several under bounds, and, so that nobody may rely on them, variables that overlap, tables, and reads at
//! any index.
//!
//! Each path carries a model, as a state of the engine does. An answer must be the core's; a model must satisfy the whole path and the question.

use std::sync::Arc;
use strata_query::{Answer, Budget, Model, Path, Solver};
use strata_solver::{Backend, Pool, Selection, Stack};
use strata_term::{Evaluator, Random, Term};

/// What a walk came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// Questions that may hold.
    pub sat: u64,
    /// Questions that cannot.
    pub unsat: u64,
    /// Questions, by row of the table of layers.
    pub answered: Vec<u64>,
}

struct Walk {
    random: Random,
    /// Which kinds of conditions there are, so that exact groups are met as well as tangled ones.
    mix: u32,
    stack: Stack,
    paths: Vec<(Path, Model)>,
    /// Conditions asked before: programs ask the same on many paths.
    asked: Vec<Term>,
}

const PATHS: usize = 12;

/// Walks so many steps over a random tree of paths with these layers. A disagreement comes back as text.
pub fn walk(seed: u64, steps: u64, layers: &str) -> Result<Tally, String> {
    let mut random = Random(seed);
    let mix = random.draw(9);
    let stack = Stack::new(Selection::parse(layers)?, Backend::Builtin(Box::default()), None);
    let mut walk = Walk { random, mix, stack, paths: vec![(Path::default(), Model::default())], asked: Vec::new() };
    if mix == 7 {
        walk.bound();
    }
    let mut tally = Tally::default();
    for step in 0..steps {
        walk.step(&mut tally).map_err(|report| format!("seed {seed}, step {step}, layers {layers}: {report}"))?;
    }
    tally.answered = walk.stack.statistics().layers.iter().map(|layer| layer.answered).collect();
    Ok(tally)
}

impl Walk {
    /// Few values for each word, so that groups have few solutions.
    fn bound(&mut self) {
        for (array, at) in ["a", "b"].into_iter().flat_map(|array| (0..3).map(move |at| (array, at))) {
            let word = Term::array(array, 32).read(&Term::number(32, 64 + 4 * at), 4);
            let few = Term::number(32, 3 + u64::from(self.random.draw(12)));
            self.stack.extend(&mut self.paths[0].0, &word.ult(&few));
        }
    }

    fn step(&mut self, tally: &mut Tally) -> Result<(), String> {
        // The longer of two: contradictions are met where much is said.
        let pick = [self.random.below(self.paths.len()), self.random.below(self.paths.len())];
        let number = *pick.iter().max_by_key(|i| self.paths[**i].0.len()).expect("there are two");
        let (path, witness) = self.paths[number].clone();
        let condition = if !self.asked.is_empty() && self.random.one_in(3) {
            self.random.pick(&self.asked).clone()
        } else {
            self.condition(2)
        };
        if condition.is_const() {
            return Ok(());
        }
        if self.asked.len() < 12 {
            self.asked.push(condition.clone());
        }
        let holds = Evaluator::new(std::slice::from_ref(&condition)).holds(&witness);
        if self.stack.holds(&condition, &witness) != holds {
            return Err(format!("`holds` says {} of {condition:?}", !holds));
        }
        let other = if holds { condition.not() } else { condition.clone() };
        let budget = Budget::default();
        let answer = self.stack.ask(&path, &witness, &other, &budget);
        let expected = Pool::default().check(&path, std::slice::from_ref(&other), &budget);
        let constraints = || path.iter().map(|term| format!("\n  {term:?}")).collect::<String>();
        if answer.name() != expected.name() {
            let (ours, core) = (answer.name(), expected.name());
            return Err(format!("{ours}, but the core says {core} of {other:?} under{}", constraints()));
        }
        let taken = if holds { condition } else { condition.not() };
        if let Answer::Sat(model) = answer {
            let all: Vec<Term> = path.iter().chain([&other]).cloned().collect();
            if !Evaluator::new(&all).holds(&model) {
                return Err(format!("a model does not satisfy {other:?} under{}", constraints()));
            }
            tally.sat += 1;
            self.stack.extend(&mut self.paths[number].0, &taken);
            self.values(number)?;
            self.range(number)?;
            let mut fork = path;
            self.stack.extend(&mut fork, &other);
            self.keep(fork, model);
        } else {
            tally.unsat += 1;
        }
        Ok(())
    }

    /// What a path says of single inputs must hold in its model.
    fn values(&mut self, number: usize) -> Result<(), String> {
        let read = self.variable(None);
        let (path, witness) = &self.paths[number];
        match path.value(&read) {
            Some(value) if strata_term::eval(&read, witness) != value => {
                Err(format!("{read:?} is said to be {value:?}, but is not in a model"))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Bounds must be bounds, and met where they are said to be; a few values must be all, and met likewise; an only value must be that.
    fn range(&mut self, number: usize) -> Result<(), String> {
        let term = if self.random.one_in(2) { self.chain() } else { self.sum(16) };
        let path = &self.paths[number].0;
        let number = |value| Term::number(term.width(), value);
        let is_possible = |condition| Pool::default().check(path, &[condition], &Budget::default()) != Answer::Unsat;
        if let Some(range) = self.stack.range(path, &term) {
            let beyond = term.ult(&number(range.least)).or(&number(range.most).ult(&term));
            let ends = [range.least, range.most].map(|end| term.eq(&number(end)));
            if is_possible(beyond) || range.exact && !ends.into_iter().all(is_possible) {
                return Err(format!("{term:?} does not have the range {range:?}"));
            }
        }
        if let Some(values) = self.stack.values(path, &term) {
            let same = || values.all.iter().map(|value| term.eq(&number(*value)));
            let other = same().fold(Term::bool(true), |other, same| other.and(&same.not()));
            if is_possible(other) || values.exact && !same().all(is_possible) {
                return Err(format!("{term:?} does not have the values {values:?}"));
            }
        }
        if let Some(single) = self.stack.single(path, &term)
            && is_possible(term.eq(&number(single)).not())
        {
            return Err(format!("{term:?} has other values than {single}"));
        }
        Ok(())
    }

    fn keep(&mut self, path: Path, model: Model) {
        if self.paths.len() < PATHS {
            self.paths.push((path, model));
        } else {
            let victim = self.random.below(PATHS);
            self.paths[victim] = if self.random.one_in(12) { Default::default() } else { (path, model) };
        }
    }

    /// A variable, of a width if one is given.
    fn variable(&mut self, width: Option<u32>) -> Term {
        let bytes = width.map_or_else(|| *self.random.pick(&[1, 1, 2, 4]), |width| width / 8);
        if bytes == 1 && self.mix >= 4 && self.random.one_in(8) {
            return Term::symbol("s", 8);
        }
        let array = Term::array(if self.random.one_in(3) { "b" } else { "a" }, 32);
        let mut at = u64::from(self.random.draw(3)) * u64::from(bytes);
        if self.mix >= 2 && self.random.one_in(10) {
            at += 1;
        }
        // Bytes and words lie apart unless they are to overlap.
        let base = if self.mix >= 2 && self.random.one_in(10) { 0 } else { u64::from(bytes) * 16 };
        array.read(&Term::number(32, base + at), bytes)
    }

    fn number(&mut self, width: u32) -> Term {
        match self.random.one_in(2) {
            true => Term::number(width, u64::from(self.random.draw(8))),
            false => Term::constant(self.random.constant(width)),
        }
    }

    /// A term over one variable, through some operators.
    fn chain(&mut self) -> Term {
        let mut term = self.variable(None);
        for _ in 0..self.random.below(4) {
            let c = self.number(term.width());
            let wide = term.width();
            term = match self.random.draw(14) {
                0 | 1 => term.add(&c),
                2 => c.sub(&term),
                3 => term.mul(&Term::number(wide, u64::from(self.random.draw(12)))),
                4 => term.udiv(&Term::number(wide, 1 + u64::from(self.random.draw(9)))),
                5 => term.urem(&Term::number(wide, 1 + u64::from(self.random.draw(9)))),
                6 => term.xor(&c),
                7 => term.and(&c),
                8 => term.or(&c),
                9 if wide < 32 => term.zext(32),
                10 if wide < 32 => term.sext(32),
                11 => term.extract(wide - 1 - self.random.draw(wide / 2), 0).zext(wide),
                12 => term.lshr(&Term::number(wide, u64::from(self.random.draw(wide)))),
                _ => term.shl(&Term::number(wide, u64::from(self.random.draw(wide / 2)))),
            };
        }
        term
    }

    /// A term over several variables of one width.
    fn sum(&mut self, width: u32) -> Term {
        let mut sum = self.variable(Some(width));
        for _ in 0..1 + self.random.below(3) {
            let other = self.variable(Some(width));
            let few = Term::number(width, 1 + u64::from(self.random.draw(6)));
            sum = match self.random.draw(9) {
                0..=3 => sum.add(&other),
                4 => sum.sub(&other),
                5 => sum.add(&other.mul(&few)),
                6 => sum.mul(&few).sub(&other),
                // What multipliers and dividers cost the core grows with the square of the width.
                7 if width <= 16 => sum.mul(&other),
                8 if width <= 16 => sum.udiv(&few).add(&other),
                _ => sum.add(&few),
            };
        }
        sum
    }

    /// What programs with counters and lengths ask: bounds, and sums against each other.
    fn arithmetic(&mut self) -> Term {
        let width = if self.mix == 8 { 16 } else { 32 };
        let bound = Term::number(width, 4 + u64::from(self.random.draw(28)));
        match self.random.draw(10) {
            0 | 1 => self.variable(Some(width)).ult(&bound),
            8 | 9 => {
                // Orders with offsets: bounded variables do not wrap.
                let [left, right] = [0, 1].map(|_| {
                    let few = Term::number(width, u64::from(self.random.draw(9))).sub(&Term::number(width, 4));
                    self.variable(Some(width)).add(&few)
                });
                let compared = self.compare(&left, &right);
                if self.random.one_in(3) { compared.not() } else { compared }
            }
            2 => {
                let (left, right) = (self.sum(width), self.variable(Some(width)));
                self.compare(&left, &right)
            }
            3..=5 => {
                let (left, right) = (self.sum(width), self.sum(width));
                self.compare(&left, &right)
            }
            _ => {
                let left = self.sum(width);
                self.compare(&left, &bound)
            }
        }
    }

    fn compare(&mut self, left: &Term, right: &Term) -> Term {
        match self.random.draw(5) {
            0 => left.eq(right),
            1 => left.ult(right),
            2 => left.slt(right),
            3 => left.ule(right),
            _ => left.sle(right),
        }
    }

    fn condition(&mut self, depth: u32) -> Term {
        if self.mix >= 6 && !self.random.one_in(8) {
            return self.arithmetic();
        }
        let kind = self.random.draw(if self.mix >= 3 { 13 } else { 8 });
        match kind {
            0..=2 => {
                let left = self.chain();
                let right = self.number(left.width());
                self.compare(&left, &right)
            }
            3..=5 => {
                let left = self.variable(None);
                let right = self.variable(Some(left.width()));
                // Mostly one signedness, so that orders grow.
                if self.random.one_in(6) { self.compare(&left, &right) } else { left.slt(&right) }
            }
            6 if depth > 0 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                if self.random.one_in(2) { a.and(&b) } else { a.or(&b) }
            }
            6 | 7 => self.condition(depth.saturating_sub(1)).not(),
            8 => {
                let byte = self.variable(Some(8));
                let table =
                    Term::constant_array(32, (0..=255u8).map(|i| i.wrapping_mul(73) >> 3).collect::<Arc<[u8]>>());
                let width = *self.random.pick(&[8, 8, 16]);
                let left = table.read(&byte.zext(32), width / 8);
                // Against a number, or what the table has for another byte: neither is a variable.
                let right = match self.random.draw(3) {
                    0 => table.read(&self.variable(Some(8)).zext(32), width / 8),
                    _ => Term::number(width, u64::from(self.random.draw(32))),
                };
                let plus = if self.random.one_in(4) { self.number(width) } else { Term::number(width, 0) };
                self.compare(&left.add(&plus), &right)
            }
            9 if self.random.one_in(2) => {
                // Pieces of two bytes.
                let (a, b) = (self.variable(Some(8)), self.variable(Some(8)));
                let right = self.number(12);
                self.compare(&a.extract(3, 0).concat(&b), &right)
            }
            9 | 10 if self.random.one_in(3) => {
                // Sizes of elements: what divides both sides decides.
                let (left, right) = (self.variable(Some(32)), self.variable(Some(32)));
                let size = Term::number(32, 2 + 2 * u64::from(self.random.draw(6)));
                let (left, right) = (left.mul(&size), right.mul(&size));
                left.add(&right).eq(&self.number(32))
            }
            9 | 10 => {
                let left = self.chain();
                let other = self.variable(Some(left.width()));
                let right = self.number(left.width());
                self.compare(&left.add(&other), &right)
            }
            12 if self.random.one_in(4) => {
                // A byte sought in four at once.
                let word = Term::array("a", 32).read(&Term::number(32, 15 + u64::from(self.random.draw(3))), 4);
                let word = word.xor(&Term::number(32, u64::from(self.random.draw(4)) * 0x0101_0101));
                let sum = word.sub(&Term::number(32, 0x0101_0101));
                sum.and(&word.not()).and(&Term::number(32, 0x8080_8080)).is_nonzero()
            }
            12 => {
                // One of two places, which a byte decides.
                let (byte, written) = (self.variable(Some(8)), self.variable(Some(8)));
                let right = self.number(8);
                let place =
                    self.compare(&byte, &right).zext(32).add(&Term::number(32, 15 + u64::from(self.random.draw(4))));
                let array = Term::array("a", 32);
                let array = if self.random.one_in(2) { array.write(&Term::number(32, 17), &written) } else { array };
                let right = self.number(8);
                self.compare(&array.read(&place, 1), &right)
            }
            _ if self.mix == 5 => {
                let index = self.variable(Some(8)).zext(32);
                let right = self.variable(Some(8));
                self.compare(&Term::array("a", 32).read(&index, 1), &right)
            }
            _ => {
                let (left, right) = (self.variable(Some(32)), self.variable(Some(32)));
                left.mul(&right).ult(&Term::number(32, 1000))
            }
        }
    }
}
