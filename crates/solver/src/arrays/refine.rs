//! Refinement: does the model found respect the arrays? If not, the axioms it violates.
//!
//! All reads take part, also those whose value no clause mentions: such a value is false in the model, but the index of
//! another read may depend on it, as in `a[a[0]]`.

use super::{Access, Arrays, Byte, Hints, Window, constant};
use crate::blast::{Blaster, Lit, Sat, Word, equal};
use rustc_hash::FxHashMap;
use strata_term::{Assignment, Op, Term};

/// `premises` imply that both bytes are equal.
struct Axiom {
    premises: Vec<Lit>,
    left: Byte,
    right: Byte,
}

/// Where the writes of long chains go in the current model, by the term of their index.
type Places = FxHashMap<u32, u64>;

/// An axiom that passes more writes than this speaks of one value of the index only, not of all that pass the same writes.
const GENERAL: usize = 64;

/// Axioms beyond this many wait for the next model, which they may not even concern.
const AXIOMS_PER_ROUND: usize = 256;

impl Arrays {
    /// Adds axioms that the current model violates, those with the fewest premises first; none means that the model is real. `asked` tells whether a term, by its id, is part
    /// of the question.
    pub fn refine(
        &mut self,
        blaster: &mut Blaster,
        sat: &mut Sat,
        hints: &mut dyn Hints,
        asked: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        let mut axioms = Vec::new();
        let mut places = Places::default();
        for number in 0..self.deferred.len() {
            blaster.gates.look();
            if blaster.gates.stopped().is_some() || axioms.len() >= AXIOMS_PER_ROUND {
                break;
            }
            let access = self.deferred[number].clone();
            if let Some(axiom) = self.violated(blaster, sat, &access, &mut places) {
                axioms.push(axiom);
            }
        }
        self.collisions(blaster, sat, &mut axioms);
        axioms.sort_by_key(|axiom| axiom.premises.len());
        axioms.truncate(AXIOMS_PER_ROUND);
        let violated = !axioms.is_empty();
        self.figures.added += axioms.len() as u64;
        // A model is looked at as a whole before anything is added, which ends it.
        let wrong = self.wrong(blaster, sat, asked);
        for axiom in axioms {
            add(blaster, sat, &axiom);
        }
        self.extend_windows(blaster, sat, hints, &wrong);
        violated || !wrong.is_empty()
    }

    /// Follows a deferred read through its array as the model has it, and compares.
    fn violated(
        &mut self,
        blaster: &mut Blaster,
        sat: &mut Sat,
        access: &Access,
        places: &mut Places,
    ) -> Option<Axiom> {
        let index = sat.word_value(&blaster.gates, &access.index);
        let mut at = &access.array;
        let mut skipped: Vec<&Term> = Vec::new();
        let mut premises = Vec::new();
        let source = loop {
            match at.op() {
                Op::Write => {
                    let place = *places
                        .entry(at.arg(1).id())
                        .or_insert_with(|| sat.word_value(&blaster.gates, blaster.word(at.arg(1))));
                    if place == index {
                        let place = blaster.word(at.arg(1)).clone();
                        premises.push(equal(&mut blaster.gates, &place, &access.index));
                        break super::byte(blaster.word(at.arg(2)));
                    }
                    skipped.push(at.arg(1));
                    at = at.arg(0);
                }
                Op::Ite => {
                    let condition = blaster.word(at.arg(0))[0];
                    let value = sat.value(&blaster.gates, condition);
                    premises.push(if value { condition } else { !condition });
                    at = at.arg(if value { 1 } else { 2 });
                }
                Op::Fill => break super::byte(blaster.word(at.arg(0))),
                Op::Table => {
                    let contents = at.contents().expect("a table has contents");
                    premises.push(is_value(blaster, &access.index, index));
                    match usize::try_from(index).ok().and_then(|index| contents.get(index)) {
                        Some(byte) => break constant(*byte),
                        None => at = at.arg(0),
                    }
                }
                Op::ArraySymbol => {
                    break self.read_input(blaster, at, &access.index, &Window::of(&access.index));
                }
                op => unreachable!("{op:?} is not an array"),
            }
        };
        let differs = sat.word_value(&blaster.gates, &source) != sat.word_value(&blaster.gates, &access.value);
        if !differs {
            return None;
        }
        if skipped.len() > GENERAL {
            // Writes at constants that are surely elsewhere need no premise each once the index is fixed.
            premises.push(is_value(blaster, &access.index, index));
            skipped.retain(|place| !place.is_const());
        }
        for place in skipped {
            let place = blaster.word(place).clone();
            premises.push(!equal(&mut blaster.gates, &place, &access.index));
        }
        Some(Axiom { premises, left: access.value, right: source })
    }

    /// Reads of one input array at indices that the model makes equal must have equal values.
    fn collisions(&self, blaster: &mut Blaster, sat: &mut Sat, axioms: &mut Vec<Axiom>) {
        enum Place<'a> {
            Cell(u64),
            Index(&'a Word),
        }
        let mut first: FxHashMap<(u32, u64), (Place, Byte, u64)> = FxHashMap::default();
        if self.inputs.is_empty() {
            return;
        }
        for (array, index, value) in &self.cells {
            let number = sat.word_value(&blaster.gates, value);
            first.insert((array.id(), *index), (Place::Cell(*index), *value, number));
        }
        for access in &self.inputs {
            let index = sat.word_value(&blaster.gates, &access.index);
            let number = sat.word_value(&blaster.gates, &access.value);
            match first.get(&(access.array.id(), index)) {
                None => {
                    first.insert((access.array.id(), index), (Place::Index(&access.index), access.value, number));
                }
                Some((_, _, other)) if *other == number => {}
                Some((place, value, _)) => {
                    let same = match place {
                        Place::Cell(cell) => is_value(blaster, &access.index, *cell),
                        Place::Index(word) => equal(&mut blaster.gates, word, &access.index),
                    };
                    axioms.push(Axiom { premises: vec![same], left: *value, right: access.value });
                }
            }
        }
    }

    /// Puts the cells of the current model into `model`.
    pub fn complete(&self, blaster: &Blaster, sat: &mut Sat, model: &mut Assignment) {
        for (array, index, value) in &self.cells {
            model.set_cell(array, *index, sat.word_value(&blaster.gates, value) as u8);
        }
        for access in &self.inputs {
            let index = sat.word_value(&blaster.gates, &access.index);
            model.set_cell(&access.array, index, sat.word_value(&blaster.gates, &access.value) as u8);
        }
    }
}

fn is_value(blaster: &mut Blaster, word: &Word, value: u64) -> Lit {
    let value: Word = (0..word.len()).map(|i| Lit::constant(i < 64 && value >> i & 1 == 1)).collect();
    equal(&mut blaster.gates, word, &value)
}

fn add(blaster: &mut Blaster, sat: &mut Sat, axiom: &Axiom) {
    let premise = blaster.gates.all(&axiom.premises);
    for (left, right) in axiom.left.iter().zip(&axiom.right) {
        implies(blaster, sat, premise, (*left, *right));
    }
}

/// Asserts that two literals are the same if the premise holds.
pub(super) fn implies(blaster: &mut Blaster, sat: &mut Sat, premise: Lit, (left, right): (Lit, Lit)) {
    let same = blaster.gates.equal(left, right);
    let holds = blaster.gates.or(!premise, same);
    match holds.known() {
        Some(true) => {}
        // An axiom is a tautology of array theory: a constant false means that building was stopped.
        Some(false) => debug_assert!(blaster.gates.stopped().is_some()),
        None => sat.assert(&blaster.gates, holds),
    }
}
