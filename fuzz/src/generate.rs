//! Random well-sorted formulas over every operator of the table, built without simplification.

use strata_term::{Kind, Op, Random, Term};

/// How large formulas may get.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The widest word.
    pub width: u32,
    /// How many operators stand above an input at most.
    pub depth: u32,
    /// Index width of the array input, if there is one.
    pub array: Option<u32>,
}

/// One to three conditions that are to hold together.
pub fn formula(random: &mut Random, limits: Limits) -> Vec<Term> {
    let count = 1 + random.draw(3);
    let mut generator = Generator { random, limits, made: Vec::new() };
    (0..count).map(|_| generator.word(1, limits.depth)).collect()
}

struct Generator<'a> {
    random: &'a mut Random,
    limits: Limits,
    /// Sub-terms made before: using one again makes the formula a DAG.
    made: Vec<Term>,
}

impl Generator<'_> {
    fn width(&mut self) -> u32 {
        let limit = self.limits.width;
        let usual = *self.random.pick(&[1, 2, 3, 4, 8, 8, 16, 32, 64]);
        if usual <= limit && !self.random.one_in(4) { usual } else { 1 + self.random.draw(limit) }
    }

    fn leaf(&mut self, width: u32) -> Term {
        if self.random.one_in(4) {
            return Term::constant(self.random.constant(width));
        }
        let name = *self.random.pick(&["x", "y", "z"]);
        Term::symbol(&format!("{name}{width}"), width)
    }

    fn word(&mut self, width: u32, depth: u32) -> Term {
        if depth > 0 && self.random.one_in(5) {
            let same: Vec<usize> = (0..self.made.len()).filter(|i| self.made[*i].width() == width).collect();
            if !same.is_empty() {
                return self.made[*self.random.pick(&same)].clone();
            }
        }
        let term = if depth == 0 { self.leaf(width) } else { self.operator(width, depth - 1) };
        self.made.push(term.clone());
        term
    }

    fn operator(&mut self, width: u32, depth: u32) -> Term {
        loop {
            let op = *self.random.pick(Op::ALL);
            let uniform = |w: u32, this: &mut Self| {
                let args: Vec<Term> = (0..op.info().arity).map(|_| this.word(w, depth)).collect();
                let args: Vec<&Term> = args.iter().collect();
                Term::raw(op, width, 0, &args)
            };
            match op.info().kind {
                Kind::Leaf => return self.leaf(width),
                Kind::Uniform => return uniform(width, self),
                Kind::Predicate if width == 1 => {
                    let inner = self.width();
                    return uniform(inner, self);
                }
                Kind::Choice => {
                    let [c, t, e] = [self.word(1, depth), self.word(width, depth), self.word(width, depth)];
                    return Term::raw(op, width, 0, &[&c, &t, &e]);
                }
                Kind::Cast => {
                    if let Some(term) = self.cast(op, width, depth) {
                        return term;
                    }
                }
                Kind::Array if op == Op::Read && self.limits.array.is_some() && width.is_multiple_of(8) => {
                    return self.read(width, depth);
                }
                Kind::Predicate | Kind::Array | Kind::Clause => {}
            }
        }
    }

    fn cast(&mut self, op: Op, width: u32, depth: u32) -> Option<Term> {
        match op {
            Op::Concat if width > 1 => {
                let high = 1 + self.random.draw(width - 1);
                let (high, low) = (self.word(high, depth), self.word(width - high, depth));
                Some(Term::raw(op, width, 0, &[&high, &low]))
            }
            Op::Extract if width < self.limits.width => {
                let from = width + self.random.draw(self.limits.width - width + 1);
                let low = self.random.draw(from - width + 1);
                let arg = self.word(from, depth);
                Some(Term::raw(op, width, low, &[&arg]))
            }
            Op::ZExt | Op::SExt if width > 1 => {
                let from = 1 + self.random.draw(width - 1);
                let arg = self.word(from, depth);
                Some(Term::raw(op, width, 0, &[&arg]))
            }
            _ => None,
        }
    }

    fn read(&mut self, width: u32, depth: u32) -> Term {
        let array = self.array(depth);
        let index = self.word(array.width(), depth.min(2));
        Term::raw(Op::Read, width, 0, &[&array, &index])
    }

    fn array(&mut self, depth: u32) -> Term {
        let index_width = self.limits.array.unwrap_or(32);
        let base = Term::array("a", index_width);
        let choice = if depth == 0 { 0 } else { self.random.draw(8) };
        match choice {
            0 | 1 => base,
            2 => {
                let length = 1 + self.random.draw(9).min((1 << index_width.min(8)) - 1);
                let contents: Vec<u8> = (0..length).map(|_| self.random.draw(4) as u8 * 85).collect();
                let below = self.array(depth - 1);
                Term::table(&below, contents.into())
            }
            3 => {
                let value = self.word(8, depth.min(2));
                Term::fill(index_width, &value)
            }
            4 => {
                let (c, t, e) = (self.word(1, depth - 1), self.array(depth - 1), self.array(depth - 1));
                Term::raw(Op::Ite, index_width, 0, &[&c, &t, &e])
            }
            _ => {
                let mut array = self.array(depth - 1);
                for _ in 0..1 + self.random.draw(3) {
                    let (index, value) = (self.word(index_width, depth.min(2)), self.word(8, depth.min(2)));
                    array = Term::raw(Op::Write, index_width, 0, &[&array, &index, &value]);
                }
                array
            }
        }
    }
}
