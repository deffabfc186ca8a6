//! Each operator as a circuit.

use super::circuit::{self, Shift, Word};
use super::gates::{Gates, Lit};
use crate::arrays::{Arrays, Hints};
use rustc_hash::FxHashMap;
use strata_term::{Bits, Op, Term};

/// Terms as words of literals. Terms are named by id: the owner holds every term it has blasted.
pub struct Blaster {
    pub gates: Gates,
    words: FxHashMap<u32, Word>,
    /// Unsigned quotient and remainder of words divided before: one circuit gives both.
    divisions: FxHashMap<(Word, Word), (Word, Word)>,
    /// The bit-vector inputs met so far.
    symbols: Vec<Term>,
}

impl Blaster {
    pub fn new() -> Blaster {
        Blaster {
            gates: Gates::new(),
            words: FxHashMap::default(),
            divisions: FxHashMap::default(),
            symbols: Vec::new(),
        }
    }

    /// The word of a term that was blasted.
    pub fn word(&self, term: &Term) -> &Word {
        &self.words[&term.id()]
    }

    /// The inputs met so far.
    pub fn symbols(&self) -> &[Term] {
        &self.symbols
    }

    /// Lets a symbol that was not met yet be a constant; tells whether that was possible.
    pub fn bind(&mut self, symbol: &Term, value: &Bits) -> bool {
        if self.words.contains_key(&symbol.id()) {
            return false;
        }
        self.symbols.push(symbol.clone());
        self.words.insert(symbol.id(), constant(value));
        true
    }

    /// Blasts a term and everything below it. Garbage if `gates.stopped()` afterwards.
    pub fn blast(&mut self, root: &Term, arrays: &mut Arrays, hints: &mut dyn Hints) {
        let mut stack: Vec<(&Term, bool)> = vec![(root, false)];
        let mut visited = 0u32;
        while let Some((term, ready)) = stack.pop() {
            if self.words.contains_key(&term.id()) {
                continue;
            }
            if !ready && !term.args().is_empty() {
                stack.push((term, true));
                stack.extend(
                    term.args().iter().filter(|arg| !self.words.contains_key(&arg.id())).map(|arg| (arg, false)),
                );
                continue;
            }
            visited += 1;
            if visited.is_multiple_of(4096) {
                self.gates.look();
            }
            if self.gates.stopped().is_some() {
                return;
            }
            // An array has no word; its place is marked so that shared chains are walked once.
            let word = if term.is_array() { Word::new() } else { self.operator(term, arrays, hints) };
            self.words.insert(term.id(), word);
        }
    }

    fn operator(&mut self, term: &Term, arrays: &mut Arrays, hints: &mut dyn Hints) -> Word {
        let width = term.width() as usize;
        let op = term.op();
        match op {
            Op::Const => return constant(&term.as_const().expect("a constant has a value")),
            Op::Symbol => {
                self.symbols.push(term.clone());
                return (0..width).map(|_| self.gates.input()).collect();
            }
            Op::Read => return arrays.read(self, term, hints),
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem => {}
            Op::SRem | Op::Shl | Op::LShr | Op::AShr | Op::Concat | Op::Extract | Op::ZExt | Op::SExt | Op::Eq => {}
            Op::Ult | Op::Slt | Op::Ite => {}
            Op::ArraySymbol | Op::Fill | Op::Table | Op::Write => unreachable!("arrays have no word"),
            Op::Bound | Op::Forall => unreachable!("clauses are instantiated before they come here"),
        }
        let words: Vec<&Word> = term.args().iter().map(|arg| &self.words[&arg.id()]).collect();
        let g = &mut self.gates;
        let (a, b) = (words[0], words.get(1).copied().unwrap_or(words[0]));
        match op {
            Op::Not => circuit::not(a),
            Op::And => circuit::zip(g, a, b, Gates::and),
            Op::Or => circuit::zip(g, a, b, Gates::or),
            Op::Xor => circuit::zip(g, a, b, Gates::xor),
            Op::Add => circuit::add(g, a, b, Lit::FALSE),
            Op::Sub => circuit::sub(g, a, b),
            Op::Mul => circuit::mul(g, a, b),
            Op::UDiv => divide(g, &mut self.divisions, a, b).0,
            Op::URem => divide(g, &mut self.divisions, a, b).1,
            Op::SDiv => {
                let (m, n) = circuit::magnitudes(g, a, b);
                let (quotient, _) = divide(g, &mut self.divisions, &m, &n);
                circuit::signed_quotient(g, a, b, &quotient)
            }
            Op::SRem => {
                let (m, n) = circuit::magnitudes(g, a, b);
                let (_, remainder) = divide(g, &mut self.divisions, &m, &n);
                circuit::signed_remainder(g, a, &remainder)
            }
            Op::Shl => circuit::shift(g, Shift::Left, a, b),
            Op::LShr => circuit::shift(g, Shift::Right, a, b),
            Op::AShr => circuit::shift(g, Shift::Arithmetic, a, b),
            Op::Concat => b.iter().chain(a).copied().collect(),
            Op::Extract => a[term.low() as usize..term.low() as usize + width].to_vec(),
            Op::ZExt => extended(a, width, Lit::FALSE),
            Op::SExt => extended(a, width, a[a.len() - 1]),
            Op::Eq => vec![circuit::equal(g, a, b)],
            Op::Ult => vec![circuit::less(g, a, b)],
            Op::Slt => vec![circuit::signed_less(g, a, b)],
            Op::Ite => circuit::mux(g, a[0], b, words[2]),
            Op::Const
            | Op::Symbol
            | Op::Read
            | Op::ArraySymbol
            | Op::Fill
            | Op::Table
            | Op::Write
            | Op::Bound
            | Op::Forall => {
                unreachable!("handled above")
            }
        }
    }
}

fn constant(value: &Bits) -> Word {
    circuit::constant(value.width() as usize, |i| value.bit(i as u32))
}

fn extended(a: &Word, width: usize, with: Lit) -> Word {
    let mut word = a.clone();
    word.resize(width, with);
    word
}

type Divisions = FxHashMap<(Word, Word), (Word, Word)>;

fn divide(g: &mut Gates, done: &mut Divisions, a: &Word, b: &Word) -> (Word, Word) {
    let key = (a.clone(), b.clone());
    if let Some(result) = done.get(&key) {
        return result.clone();
    }
    let result = circuit::divide(g, a, b);
    done.insert(key, result.clone());
    result
}
