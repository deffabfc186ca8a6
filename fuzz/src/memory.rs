//! Random conditions on memory as symbolic execution makes them: words at symbolic places, long histories of writes, tables, and facts that
//! fix an input. A small alphabet of inputs, so that conditions concern one another.
//!
//! Indices keep to the first cells and to the last ones, where places wrap around.

use crate::generate::{Limits, formula};
use strata_term::{Bits, Op, Random, Term};

/// Makes conditions over one input array and a few words; remembers arrays, so that later conditions read them again.
pub struct Memory {
    /// Index width of the array.
    index: u32,
    /// Are there histories with more symbolic writes than one read turns into choices?
    long: bool,
    arrays: Vec<Term>,
}

/// How many writes a long history has at least.
const LONG: u32 = 40;

fn input(random: &mut Random, names: &[&str], width: u32) -> Term {
    let name = random.pick(names);
    Term::symbol(name, width)
}

impl Memory {
    /// Conditions on an array with indices of this width, with `long` histories of writes or without.
    pub fn new(index: u32, long: bool) -> Memory {
        Memory { index, long, arrays: vec![Term::array("a", index)] }
    }

    /// Forgets the arrays made so far.
    pub fn forget(&mut self) {
        self.arrays.truncate(1);
    }

    fn near(&self, random: &mut Random) -> Term {
        let small = u64::from(random.draw(10));
        Term::number(self.index, if random.one_in(3) { small.wrapping_neg() } else { small })
    }

    /// A place.
    pub fn place(&mut self, random: &mut Random) -> Term {
        let symbol = input(random, &["i", "j", "k"], self.index);
        let times = |by: u64| symbol.mul(&Term::number(self.index, by));
        match random.draw(10) {
            0 | 1 => self.near(random),
            2 | 3 => symbol.add(&self.near(random)),
            // Elements, and fields of structures.
            8 => times(4),
            9 => times(*random.pick(&[2, 4, 8, 12])).add(&Term::number(self.index, u64::from(random.draw(12)))),
            4 if self.index >= 8 => self.byte(random, 0).zext(self.index),
            5 => symbol.and(&Term::number(self.index, 7)),
            _ => symbol,
        }
    }

    fn byte(&mut self, random: &mut Random, depth: u32) -> Term {
        let symbol = input(random, &["x8", "y8"], 8);
        match random.draw(if depth > 0 { 6 } else { 4 }) {
            0 => Term::number(8, u64::from(random.draw(4))),
            1 => Term::constant(random.constant(8)),
            2 => symbol.add(&Term::number(8, u64::from(random.draw(3)))),
            3 => symbol,
            _ => {
                let (array, place) = (self.array(random, depth - 1), self.place(random));
                array.read(&place, 1)
            }
        }
    }

    fn history(&mut self, random: &mut Random, depth: u32) -> Term {
        let mut array = self.array(random, depth);
        let long = self.long && random.one_in(6);
        let count = if long { LONG + random.draw(20) } else { 1 + random.draw(4) };
        for number in 0..count {
            let place = match long && !random.one_in(8) {
                // Another symbol each, so that none decides another.
                true => Term::symbol(&format!("p{}", number % 50), self.index).and(&Term::number(self.index, 15)),
                false => self.place(random),
            };
            let bytes = if random.one_in(4) { 4 } else { 1 };
            let value = if bytes == 4 { self.word(random, 32) } else { self.byte(random, depth) };
            array = array.write(&place, &value);
        }
        array
    }

    fn array(&mut self, random: &mut Random, depth: u32) -> Term {
        if depth == 0 || random.one_in(2) {
            return random.pick(&self.arrays).clone();
        }
        let array = match random.draw(9) {
            // Longer than any window, and constant all over.
            8 if self.index >= 8 => {
                let contents: Vec<u8> =
                    (0..1 + random.draw(200)).map(|at| (at / 3) as u8 & random.draw(4) as u8).collect();
                Term::constant_array(self.index, contents.into())
            }
            0 | 1 => {
                let most = if self.index < 4 { 1 << self.index } else { 12 };
                let contents: Vec<u8> = (0..random.draw(most + 1)).map(|_| random.draw(4) as u8).collect();
                Term::table(&self.array(random, depth - 1), contents.into())
            }
            2 => Term::fill(self.index, &self.byte(random, 0)),
            3 => {
                let condition = self.condition(random, 0);
                Term::ite(&condition, &self.array(random, depth - 1), &self.array(random, depth - 1))
            }
            _ => self.history(random, depth - 1),
        };
        if self.arrays.len() > 12 {
            self.forget();
        }
        self.arrays.push(array.clone());
        array
    }

    /// A word: a read, an input or a constant.
    fn word(&mut self, random: &mut Random, width: u32) -> Term {
        match random.draw(4) {
            0 => Term::symbol(&format!("w{width}"), width),
            1 => Term::constant(random.constant(width)),
            _ if width.is_multiple_of(8) => {
                let (array, place) = (self.array(random, 1), self.place(random));
                array.read(&place, width / 8)
            }
            _ => Term::symbol(&format!("v{width}"), width),
        }
    }

    /// A fact that fixes an input.
    pub fn fact(&mut self, random: &mut Random) -> Term {
        let width = *random.pick(&[1, 1, 8, 32, 100]);
        let small = |width: u32, random: &mut Random| Term::number(width, u64::from(random.draw(4)));
        match random.draw(8) {
            0 | 1 => Term::symbol(&format!("w{width}"), width).eq(&Term::constant(random.constant(width))),
            2 => input(random, &["x8", "y8"], 8).eq(&small(8, random)),
            3 => input(random, &["i", "j", "k", "p0", "p7"], self.index).eq(&self.near(random)),
            4 => {
                let word = Term::array("a", self.index).read(&self.near(random), 4);
                // Few different bytes, so that overlapping facts agree at times.
                word.eq(&Term::number(32, u64::from(random.draw(2)) * 0x0101_0101))
            }
            _ => Term::array("a", self.index).read(&self.near(random), 1).eq(&small(8, random)),
        }
    }

    /// A condition.
    pub fn condition(&mut self, random: &mut Random, depth: u32) -> Term {
        let width = *random.pick(&[8, 8, 16, 32, 64, 100, 128]);
        match random.draw(if depth > 0 { 10 } else { 4 }) {
            0 | 1 => self.fact(random),
            2 => input(random, &["w1", "x1", "y1"], 1),
            3 => self.place(random).ult(&Term::number(self.index, 6)),
            4 => {
                let limits = Limits { width: 16, depth: 3, array: Some(self.index) };
                formula(random, limits).swap_remove(0)
            }
            5 => {
                let (one, other) = (self.condition(random, depth - 1), self.condition(random, depth - 1));
                if random.one_in(2) { one.and(&other) } else { one.or(&other).not() }
            }
            6 => self.word(random, width).ult(&self.word(random, width)),
            7 => self.place(random).eq(&self.place(random)),
            8 => {
                let (one, other) = (self.array(random, 2), self.array(random, 2));
                let place = self.place(random);
                let equal = one.read(&place, 1).eq(&other.read(&place, 1));
                if random.one_in(2) { equal.not() } else { equal }
            }
            _ => {
                let (array, place, value) = (self.array(random, 2), self.place(random), self.byte(random, depth));
                let equal = Term::raw(Op::Eq, 1, 0, &[&array.read(&place, 1), &value]);
                if random.one_in(3) { equal.not() } else { equal }
            }
        }
    }

    /// A few conditions that are to hold together, all of them on reads.
    pub fn formula(&mut self, random: &mut Random) -> Vec<Term> {
        let count = 2 + random.draw(3);
        (0..count)
            .map(|_| {
                let width = *random.pick(&[8, 16, 32, 64]);
                let (array, place) = (self.array(random, 2), self.place(random));
                let (read, word) = (array.read(&place, width / 8), self.word(random, width));
                let condition = if random.one_in(3) { word.ult(&read) } else { word.eq(&read) };
                if random.one_in(3) { condition.not() } else { condition }
            })
            .collect()
    }

    /// A question that takes some search.
    pub fn puzzle(&mut self, random: &mut Random) -> Term {
        let [x, y] = ["w32", "v32"].map(|name| Term::symbol(name, 32));
        let product = Term::constant(Bits::new(32, random.number() | 1));
        let places = self.place(random).mul(&self.place(random)).eq(&self.place(random));
        let (one, thousand) = (Term::number(32, 1), Term::number(32, 1000));
        x.mul(&y).eq(&product).and(&one.ult(&x)).and(&x.ult(&thousand)).and(&places)
    }
}
