//! Expressions without effects, each of a stated type.

use super::kind::Kind;
use strata_term::Random;

/// Something that holds an integer.
#[derive(Clone, Debug)]
pub struct Place {
    /// How it is written in C.
    pub text: String,
    /// Its type.
    pub kind: Kind,
    /// May a pointer be made to it? (Not to a bit-field.)
    pub addressable: bool,
}

/// An array.
#[derive(Clone, Debug)]
pub struct Array {
    /// How it is written in C.
    pub text: String,
    /// The type of its elements.
    pub kind: Kind,
    /// How many.
    pub length: u32,
}

/// What is visible at a point of the program.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Variables and fields that may be assigned.
    pub places: Vec<Place>,
    /// Loop counters: read only.
    pub counters: Vec<Place>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// Pointers, never null: the place is what they point to.
    pub pointers: Vec<Place>,
    /// At most so many operators above a leaf.
    pub deepest: u32,
}

impl Scope {
    /// A place to write to: a variable, a field, an element, or behind a pointer.
    pub fn target(&self, random: &mut Random) -> Place {
        match random.draw(6) {
            0 | 1 if !self.arrays.is_empty() => {
                let array = random.pick(&self.arrays).clone();
                let index = self.index(random, array.length, 1);
                Place { text: format!("{}[{index}]", array.text), kind: array.kind, addressable: true }
            }
            2 if !self.pointers.is_empty() => random.pick(&self.pointers).clone(),
            _ => random.pick(&self.places).clone(),
        }
    }

    /// An index below `length`.
    pub fn index(&self, random: &mut Random, length: u32, depth: u32) -> String {
        if random.one_in(3) {
            return random.draw(length).to_string();
        }
        let kind = Kind { bits: *random.pick(&[8, 32, 64]), signed: false };
        format!("{} % {length}", self.expression(random, kind, depth.min(1)))
    }

    /// An expression of this type with at most `depth` operators above a leaf.
    pub fn expression(&self, random: &mut Random, kind: Kind, depth: u32) -> String {
        let depth = depth.min(self.deepest);
        if depth == 0 || random.one_in(6) {
            return self.leaf(random, kind);
        }
        let name = kind.name();
        let suffix = kind.suffix();
        match random.draw(12) {
            0..=3 => {
                let operation = random.pick(&["add", "sub", "mul", "div", "rem", "shl", "shr"]).to_string();
                let (a, b) = self.pair(random, kind, kind, depth - 1);
                format!("{operation}_{suffix}({a}, {b})")
            }
            4 | 5 => {
                let operator = random.pick(&["&", "|", "^"]).to_string();
                let other = Kind::any(random);
                let (a, b) = self.pair(random, kind, other, depth - 1);
                format!("({name})({a} {operator} {b})")
            }
            6 | 7 => self.comparison(random, kind, depth - 1),
            8 => {
                let operator = random.pick(&["&&", "||"]).to_string();
                let (left, right) = (Kind::any(random), Kind::any(random));
                let (a, b) = self.pair(random, left, right, depth - 1);
                format!("({name})({a} {operator} {b})")
            }
            9 => {
                let operator = random.pick(&["~", "!", "-(uint64_t)"]).to_string();
                format!("({name})({operator}{})", self.expression(random, kind, depth - 1))
            }
            10 => {
                let (condition, other) = (Kind::any(random), Kind::any(random));
                let condition = self.expression(random, condition, depth - 1);
                let (a, b) = self.pair(random, kind, other, depth - 1);
                format!("({name})({condition} ? {a} : {b})")
            }
            _ => {
                let other = Kind::any(random);
                format!("({name}){}", self.expression(random, other, depth - 1))
            }
        }
    }

    fn pair(&self, random: &mut Random, left: Kind, right: Kind, depth: u32) -> (String, String) {
        (self.expression(random, left, depth), self.expression(random, right, depth))
    }

    fn comparison(&self, random: &mut Random, kind: Kind, depth: u32) -> String {
        let operator = random.pick(&["<", "<=", ">", ">=", "==", "!="]).to_string();
        let left = Kind::any(random);
        let right = if random.one_in(2) { left } else { Kind::any(random) };
        let (a, b) = self.pair(random, left, right, depth);
        format!("({})({a} {operator} {b})", kind.name())
    }

    fn leaf(&self, random: &mut Random, kind: Kind) -> String {
        let place = match random.draw(8) {
            0 | 1 => return kind.constant(random),
            2 if !self.counters.is_empty() => random.pick(&self.counters).text.clone(),
            3 if !self.pointers.is_empty() => random.pick(&self.pointers).text.clone(),
            4 | 5 if !self.arrays.is_empty() => {
                let array = random.pick(&self.arrays);
                let index = if self.places.is_empty() {
                    random.draw(array.length).to_string()
                } else {
                    format!("(uint64_t){} % {}", random.pick(&self.places).text, array.length)
                };
                format!("{}[{index}]", array.text)
            }
            _ if !self.places.is_empty() => random.pick(&self.places).text.clone(),
            _ => return kind.constant(random),
        };
        format!("({}){place}", kind.name())
    }
}
