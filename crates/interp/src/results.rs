//! What instructions made of terms last: a path computes what the one before it did, with the same terms. Finding that here costs a fraction of decoding the
//! instruction and building its result, and the run stays in its handlers.
//!
//! Sound: what is remembered depends on the operands alone (`Ins::operands`). They are held, so that the number of a term stays its own.

use crate::code::{Ins, Op};
use strata_memory::Value;

/// Entries, in a table without chains.
const SIZE: usize = 4096;

#[derive(Clone, Default)]
struct Entry {
    /// The address of the instruction; none before there is a result.
    ins: usize,
    a: Value,
    b: Value,
    made: Value,
}

pub(crate) struct Results {
    entries: Vec<Entry>,
    /// Of an instruction that is being run: its entry, and where its result goes.
    waiting: Option<Waiting>,
}

struct Waiting {
    entry: usize,
    ins: usize,
    to: u32,
}

impl Default for Results {
    fn default() -> Results {
        Results { entries: vec![Entry::default(); SIZE], waiting: None }
    }
}

fn is(known: &Value, value: &Value) -> bool {
    known.bits == value.bits && known.beside() == value.beside()
}

fn place(ins: usize, a: &Value, b: &Value) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let first = (ins as u64 ^ a.bits ^ a.beside().rotate_left(16)).wrapping_mul(ODD);
    let both = (first ^ b.bits ^ b.beside().rotate_left(16)).wrapping_mul(ODD);
    (both >> 48) as usize % SIZE
}

impl Results {
    /// What an instruction gives for operands, if it did so lately. If not, they are noted for `keep`.
    pub fn find(&mut self, ins: &Ins, a: &Value, b: &Value) -> Option<Value> {
        let address = (&raw const *ins).addr();
        let entry = place(address, a, b);
        let known = &mut self.entries[entry];
        if known.ins == address && is(&known.a, a) && is(&known.b, b) {
            return Some(known.made.clone());
        }
        // A shift by too much is an error on some paths.
        let shift = matches!(ins.op, Op::Shl | Op::LShr | Op::AShr);
        let fine = !shift || b.concrete().is_some_and(|count| count < u64::from(ins.width));
        self.waiting = fine.then(|| {
            *known = Entry { ins: 0, a: a.clone(), b: b.clone(), made: Value::default() };
            Waiting { entry, ins: address, to: ins.to }
        });
        None
    }

    /// The instruction that is about to be run is none of those that are remembered.
    pub fn pass(&mut self) {
        self.waiting = None;
    }

    /// Remembers the result of the instruction that was not found last.
    pub fn keep(&mut self, registers: &[Value]) {
        if let Some(Waiting { entry, ins, to }) = self.waiting.take() {
            let entry = &mut self.entries[entry];
            (entry.ins, entry.made) = (ins, registers[to as usize / size_of::<Value>()].clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::GENERAL;
    use strata_memory::Origin;
    use strata_term::Term;

    fn symbol(name: &str) -> Value {
        Value::term(Term::symbol(name, 32))
    }

    #[test]
    fn what_was_made_of_the_same_operands() {
        let [add, other] = [Ins { op: Op::Add, to: 16, ..GENERAL }; 2];
        let (x, y) = (symbol("x"), symbol("y"));
        let (three, four) = (Value::bits(3), Value::bits(4));
        let mut results = Results::default();
        let mut known = |ins: &Ins, a: &Value, b: &Value| results.find(ins, a, b).map(|made| made.term);
        assert_eq!(known(&add, &x, &three), None);
        assert_eq!(known(&add, &x, &three), None, "there is no result before it is kept");
        results.keep(&[Value::bits(0), y.clone()]);
        results.keep(&[Value::bits(0), x.clone()]);
        let mut known = |ins: &Ins, a: &Value, b: &Value| results.find(ins, a, b).map(|made| made.term);
        assert_eq!(known(&add, &x, &three), Some(y.term.clone()), "a result is kept once");
        assert_eq!(known(&add, &x, &four), None);
        assert_eq!(known(&add, &y, &three), None);
        assert_eq!(known(&other, &x, &three), None);
        assert_eq!(known(&add, &x, &Value::pointer(3, Origin(1))), None, "a pointer is no number");
    }

    #[test]
    fn what_fails_or_passes_is_not_kept() {
        let ins = Ins { op: Op::Mul, ..GENERAL };
        let (x, made) = (symbol("x"), [symbol("made")]);
        let mut results = Results::default();
        assert!(results.find(&ins, &x, &x).is_none());
        results.pass();
        results.keep(&made);
        assert!(results.find(&ins, &x, &x).is_none());
    }

    #[test]
    fn shifts_by_numbers_only() {
        let ins = Ins { op: Op::Shl, width: 32, ..GENERAL };
        let made = [symbol("made")];
        let mut results = Results::default();
        for (count, kept) in [(Value::bits(31), true), (Value::bits(32), false), (symbol("count"), false)] {
            assert!(results.find(&ins, &made[0], &count).is_none());
            results.keep(&made);
            assert_eq!(results.find(&ins, &made[0], &count).is_some(), kept, "{count:?}");
        }
    }
}
