//! The same condition about fewer inputs.
//!
//! - **Reads at few places.** The index of `read(a, 5 + (b = '%'))` is made of a condition and constants: the read is `ite(b = '%', read(a, 6), read(a, 5))`, whatever `a` is. All of
//!   `a` is mentioned by the one, two cells by the other.
//! - **Words for bytes.** C libraries look for a byte in eight at once: with `k` = `0x01…01` and `h` = `0x80…80`, `(y - k) & ~y & h` is zero just if no byte of `y` is. If none is, no byte
//!   of `y - k` borrows from the next, and one of `y` below `0x80` stays below it. If one is, the lowest such becomes `0xff`, and its highest bit is not `y`'s.

use rustc_hash::FxHashSet;
use strata_term::{Op, Substitution, Term, mask, rebuild};

/// Nodes that are looked through, at most; nodes and conditions of an index.
const NODES: usize = 96;
const INDEX: usize = 32;
const CONDITIONS: usize = 2;
/// How often one thing is put in place of another that stood in its way, at most.
const ROUNDS: u32 = 4;

/// A condition that means the same and is about fewer inputs, or smaller ones, if one is seen.
pub fn plainer(condition: &Term) -> Option<Term> {
    let mut found = None;
    for _ in 0..ROUNDS {
        let Some(next) = step(found.as_ref().unwrap_or(condition)) else { break };
        found = Some(next);
    }
    found
}

fn step(condition: &Term) -> Option<Term> {
    let (mut open, mut seen, mut others) = (vec![condition], FxHashSet::default(), Substitution::default());
    while let Some(node) = open.pop() {
        if node.args().is_empty() || !seen.insert(node.id()) {
            continue;
        }
        if seen.len() > NODES {
            return None;
        }
        match choice(node).or_else(|| bytes(node)) {
            Some(other) => {
                others.insert(node.clone(), other);
            }
            None => open.extend(node.args()),
        }
    }
    (!others.is_empty()).then(|| rebuild(std::slice::from_ref(condition), &others).remove(0))
}

/// A read whose index is made of few conditions, as a choice between reads at constant places.
fn choice(node: &Term) -> Option<Term> {
    if node.op() != Op::Read || node.arg(1).is_const() {
        return None;
    }
    let conditions = conditions(node.arg(1))?;
    Some(chosen(node, node.arg(1), &conditions))
}

fn chosen(read: &Term, index: &Term, conditions: &[Term]) -> Term {
    let Some((condition, others)) = conditions.split_first() else {
        return read.arg(0).read(index, read.width() / 8);
    };
    let [then, otherwise] = [true, false].map(|value| {
        let decided = Substitution::from_iter([(condition.clone(), Term::bool(value))]);
        chosen(read, &rebuild(std::slice::from_ref(index), &decided).remove(0), others)
    });
    Term::ite(condition, &then, &otherwise)
}

/// The conditions that decide an index, if nothing else does and they are few.
fn conditions(index: &Term) -> Option<Vec<Term>> {
    let (mut open, mut found, mut nodes) = (vec![index], Vec::new(), 0);
    while let Some(node) = open.pop() {
        nodes += 1;
        if nodes > INDEX {
            return None;
        }
        if node.is_const() {
            continue;
        }
        if node.width() == 1 {
            if !found.contains(node) {
                found.push(node.clone());
            }
        } else if node.args().is_empty() || node.op() == Op::Read {
            return None;
        } else {
            open.extend(node.args());
        }
    }
    (!found.is_empty() && found.len() <= CONDITIONS).then_some(found)
}

/// A test of all bytes of a word for zero, as a test of each.
fn bytes(node: &Term) -> Option<Term> {
    let [left, right] = node.args() else { return None };
    if node.op() != Op::Eq || !matches!(left.width(), 16 | 32 | 64) {
        return None;
    }
    let masked = match (left.is_zero(), right.is_zero()) {
        (false, true) => left,
        (true, false) => right,
        (true, true) | (false, false) => return None,
    };
    let width = masked.width();
    let each = |byte: u64| Term::number(width, (byte * 0x0101_0101_0101_0101) & mask(width));
    let factors = factors(masked)?;
    let less = Term::number(width, 0).sub(&each(1));
    let tested = factors.iter().find_map(|factor| {
        let sum = if factor.op() == Op::Add { Some(factor.args()) } else { None }?;
        if sum[0] == less {
            Some(&sum[1])
        } else if sum[1] == less {
            Some(&sum[0])
        } else {
            None
        }
    })?;
    let wanted = [each(0x80), tested.not()];
    if !wanted.iter().all(|factor| factors.contains(factor)) {
        return None;
    }
    let bytes = (0..width / 8).map(|at| byte(tested, at));
    bytes.map(|byte| byte.is_nonzero()).reduce(|all, byte| all.and(&byte))
}

/// A byte of a word, as a byte of what it is made of where that is seen.
fn byte(word: &Term, at: u32) -> Term {
    match (word.op(), word.args()) {
        (Op::Xor, [left, right]) => byte(left, at).xor(&byte(right, at)),
        (Op::Read, [array, index]) if index.is_const() => {
            array.read(&index.add(&Term::number(index.width(), at.into())), 1)
        }
        _ => word.extract(8 * at + 7, 8 * at),
    }
}

/// The three factors of a conjunction of words.
fn factors(word: &Term) -> Option<Vec<Term>> {
    let (mut open, mut found) = (vec![word], Vec::new());
    while let Some(node) = open.pop() {
        if node.op() == Op::And {
            open.extend(node.args());
        } else {
            found.push(node.clone());
        }
        if open.len() + found.len() > 3 {
            return None;
        }
    }
    (found.len() == 3).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_term::{Assignment, eval};

    /// All words of two bytes, with and without what is looked for at the beginning.
    #[test]
    fn words_are_bytes() {
        let input = Term::array("in", 32);
        let word = input.read(&Term::number(32, 4), 2);
        for sought in [0u16, 0x0a0a, 0x8001] {
            let tested = word.xor(&Term::number(16, sought.into()));
            let sum = tested.add(&Term::number(16, 0xfeff));
            let test = sum.and(&tested.not()).and(&Term::number(16, 0x8080)).is_nonzero();
            let plain = plainer(&test).expect("it is such a test");
            let sides = plain.args().iter().map(|part| part.arg(0));
            assert!(sides.flat_map(Term::args).all(|array| array.width() == 32), "bytes of the input: {plain:?}");
            for value in 0..=u16::MAX {
                let mut model = Assignment::default();
                model.set_cells(&input, 4, &value.to_le_bytes());
                assert_eq!(eval(&test, &model), eval(&plain, &model), "{value:#x} with {sought:#x}");
            }
        }
    }

    #[test]
    fn other_words_are_none() {
        let word = Term::array("in", 32).read(&Term::number(32, 4), 2);
        let number = |value| Term::number(16, value);
        let masked = |plus, of: &Term, mask| word.add(&number(plus)).and(of).and(&number(mask)).is_nonzero();
        assert!(plainer(&masked(0xfeff, &word.not(), 0x8080)).is_some());
        assert!(plainer(&masked(0xfefe, &word.not(), 0x8080)).is_none());
        assert!(plainer(&masked(0xfeff, &word, 0x8080)).is_none());
        assert!(plainer(&masked(0xfeff, &word.not(), 0x8000)).is_none());
    }

    /// A read at one of four places, for all values of what decides.
    #[test]
    fn reads_at_few_places() {
        let input = Term::array("in", 32);
        let byte = |at| input.read(&Term::number(32, at), 1);
        let (first, second) = (byte(0).eq(&Term::number(8, 7)), byte(1).ult(&Term::number(8, 3)));
        let index =
            first.zext(64).add(&second.zext(64).shl(&Term::number(64, 1))).add(&Term::number(64, 4)).extract(31, 0);
        let written = input.write(&Term::number(32, 5), &byte(0));
        for array in [&input, &written] {
            let condition = array.read(&index, 1).ult(&Term::number(8, 100));
            let plain = plainer(&condition).expect("there are four places");
            for values in 0..=u16::MAX {
                let mut model = Assignment::default();
                model.set_cells(&input, 0, &values.to_le_bytes());
                model.set_cells(&input, 4, &[99, 100, 7, 200]);
                assert_eq!(eval(&condition, &model), eval(&plain, &model));
            }
        }
    }
}
