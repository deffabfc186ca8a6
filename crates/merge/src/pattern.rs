//! Regular patterns: states whose paths are the same round, taken more or less often.
//!
//! What a state's path adds to the common beginning is a word of conditions. Conditions that differ
//! in constants alone are one letter. Words `w1 w2^k w3` with one `w1`, `w2` and `w3` are a
//! *regular pattern*; `k` is the state's count. The conditions of the rounds become one formula
//! in the round's number, if each constant in it is `a * i + b`, and those of `w3` one in `k`. Then
//! all these states are one, on a path with a fresh input `k`:
//!
//! `k in {k_j}` and `phi1` and `for all i in 1..=k: phi2(i)` and `phi3(k)`
//!
//! and a value that is `t(k_j)` in each of them is `t(k)`. This is the paper's construction
//! (*State merging with quantifiers in symbolic execution*, section 3). Conditions here are
//! simplified when they are made, so a first round may have other letters than the rest: it
//! becomes part of `w1`.
//!
//! Sound: a formula is built from those that it stands for by putting `a * x + b` in place of
//! constants, after `a * d + b = c` was checked for each of them, modulo 2^width; all constructors
//! keep the meaning. That the words of two states run over the same conditions, not just equal
//! letters, is seen by the links of their paths.

use rustc_hash::FxHashMap;
use strata_query::Path;
use strata_term::{Op, Term, mask};

/// Upper bound on the letters of `w2` and of `w3`: the conditions of one round.
const LETTERS: usize = 12;
/// A pattern stands for at least so many states: fewer are as small as a choice.
const FEWEST: usize = 3;
/// Upper bound on nodes looked at for one formula.
const NODES: usize = 20_000;
/// Upper bound on the depth of terms that are compared.
const DEPTH: u32 = 200;
/// Largest count: a clause has at most so many instances.
const COUNTS: usize = 4_096;

/// Some states that are one pattern.
pub struct Pattern {
    /// The states, by index, with the count of each; by count.
    pub members: Vec<(usize, u64)>,
    /// The fresh input.
    pub count: Term,
    /// Where it lies: an array and the number of bytes.
    pub array: Term,
    /// How many bytes it has.
    pub bytes: u32,
    /// The constraints, in order.
    pub constraints: Vec<Term>,
}

/// The path of a state behind the common beginning.
struct Word<'a> {
    links: Vec<&'a Path>,
    letters: Vec<u64>,
}

/// Finds patterns among paths with a common beginning; `name` is a prefix for the names of fresh
/// inputs. States that are in none are left out.
pub fn find(paths: &[&Path], base: &Path, name: &str) -> Vec<Pattern> {
    let mut letters = Letters::default();
    let mut words: Vec<Option<Word<'_>>> = paths
        .iter()
        .map(|path| {
            let mut links: Vec<&Path> = path.prefixes().take(path.len() - base.len()).collect();
            links.reverse();
            let letters = links.iter().map(|link| link.constraint().map_or(0, |term| letters.of(term))).collect();
            Some(Word { links, letters })
        })
        .collect();
    let mut found = Vec::new();
    loop {
        let longest = (0..words.len())
            .filter(|i| words[*i].is_some())
            .max_by_key(|i| (words[*i].as_ref().map_or(0, |word| word.letters.len()), std::cmp::Reverse(*i)));
        let Some(longest) = longest else { return found };
        let pattern = words[longest].as_ref().and_then(|word| best(word, &words));
        let made = pattern.and_then(|shape| shape.formulas(&words, &format!("{name}:{}", found.len())));
        match made {
            Some(made) => {
                made.members.iter().for_each(|(i, _)| words[*i] = None);
                found.push(made);
            }
            None => words[longest] = None,
        }
    }
}

/// A regular pattern: where its parts lie in the longest word.
struct Shape {
    /// Letters of `w1`, `w2`, `w3`.
    first: usize,
    round: usize,
    last: usize,
    /// The states, with their counts; the one with the longest word last.
    members: Vec<(usize, usize)>,
}

/// The pattern that most states match, of those that the longest word has.
fn best(longest: &Word<'_>, words: &[Option<Word<'_>>]) -> Option<Shape> {
    let length = longest.letters.len();
    let mut best: Option<Shape> = None;
    for last in 0..=LETTERS.min(length) {
        for round in 1..=LETTERS {
            let body = length - last;
            if body < 2 * round {
                break;
            }
            let letters = &longest.letters[..body];
            let again = |at: usize| letters[at..at + round] == letters[body - round..];
            let mut first = body - round;
            while first >= round && again(first - round) {
                first -= round;
            }
            let count = (body - first) / round;
            if !(2..=COUNTS).contains(&count) {
                continue;
            }
            let tail = &longest.letters[body..];
            let of = |word: &Word<'_>| {
                let body = word.letters.len().checked_sub(last)?;
                let rounds = body.checked_sub(first)?;
                let shared = rounds.is_multiple_of(round)
                    && body <= longest.links.len()
                    && word.letters[body..] == *tail
                    // The very conditions, not just ones with the same letters.
                    && (body == 0 || word.links[body - 1].same(longest.links[body - 1]));
                shared.then_some(rounds / round)
            };
            let mut members: Vec<(usize, usize)> =
                words.iter().enumerate().filter_map(|(i, word)| Some((i, of(word.as_ref()?)?))).collect();
            // One for each count: conditions that exclude each other can have the same letters.
            members.sort_by_key(|(i, count)| (*count, *i));
            members.dedup_by_key(|(_, count)| *count);
            if members.len() >= FEWEST && best.as_ref().is_none_or(|best| members.len() > best.members.len()) {
                best = Some(Shape { first, round, last, members });
            }
        }
    }
    best
}

impl Shape {
    /// The formulas of the pattern, if its conditions have them.
    fn formulas(&self, words: &[Option<Word<'_>>], name: &str) -> Option<Pattern> {
        let term = |word: &Word<'_>, at: usize| word.links[at].constraint().cloned();
        let (longest, most) = *self.members.last()?;
        let longest = words[longest].as_ref()?;
        let bytes = if most < 256 { 1 } else { 2 };
        let array = Term::array(name, 32);
        let count = array.read(&Term::number(32, 0), bytes);
        let variable = Term::bound(8 * bytes);
        let mut constraints = vec![among(&count, &self.members)];
        for at in 0..self.first {
            constraints.push(term(longest, at)?);
        }
        let mut rounds = Term::bool(true);
        for letter in 0..self.round {
            let terms: Vec<(u64, Term)> = (0..most)
                .map(|i| Some((i as u64 + 1, term(longest, self.first + i * self.round + letter)?)))
                .collect::<Option<_>>()?;
            rounds = rounds.and(&formula(&terms, &variable)?);
        }
        // A clause in a clause has no form.
        if strata_term::mentions(&rounds, Op::Forall) {
            return None;
        }
        constraints.push(Term::forall(&count, &rounds));
        for letter in 0..self.last {
            let of = |(i, count): &(usize, usize)| {
                let word = words[*i].as_ref()?;
                Some((*count as u64, term(word, word.links.len() - self.last + letter)?))
            };
            let terms: Vec<(u64, Term)> = self.members.iter().map(of).collect::<Option<_>>()?;
            constraints.push(formula(&terms, &count)?);
        }
        let members = self.members.iter().map(|(i, count)| (*i, *count as u64)).collect();
        Some(Pattern { members, count, array, bytes, constraints })
    }
}

/// Is the count one of the members'?
fn among(count: &Term, members: &[(usize, usize)]) -> Term {
    let number = |value: usize| Term::number(count.width(), value as u64);
    let mut any = Term::bool(false);
    let mut at = 0;
    while at < members.len() {
        let low = members[at].1;
        let mut high = low;
        while at < members.len() && members[at].1 <= high + 1 {
            high = members[at].1;
            at += 1;
        }
        any = any.or(&number(low).ule(count).and(&count.ule(&number(high))));
    }
    any
}

impl Pattern {
    /// The value that is each member's where the count is the member's.
    pub fn value(&self, values: &[(u64, Term)]) -> Term {
        match formula(values, &self.count) {
            Some(value) => value,
            None => self.choice(values),
        }
    }

    /// A choice by the count: members with equal values that follow each other are one.
    fn choice(&self, values: &[(u64, Term)]) -> Term {
        let mut runs: Vec<(u64, &Term)> = Vec::new();
        for (count, value) in values {
            match runs.last_mut() {
                Some((last, run)) if *run == value => *last = *count,
                Some(_) | None => runs.push((*count, value)),
            }
        }
        self.among_runs(&runs)
    }

    fn among_runs(&self, runs: &[(u64, &Term)]) -> Term {
        match runs {
            [] => Term::bool(false),
            [(_, value)] => (*value).clone(),
            _ => {
                // As deep as the logarithm of the members.
                let (low, high) = runs.split_at(runs.len() / 2);
                let border = Term::number(self.count.width(), low.last().map_or(0, |(last, _)| *last));
                Term::ite(&self.count.ule(&border), &self.among_runs(low), &self.among_runs(high))
            }
        }
    }
}

/// Hashes of terms in which all constants are alike.
#[derive(Default)]
struct Letters {
    known: FxHashMap<u32, u64>,
    /// Keeps the ids that are known from being given to other terms.
    held: Vec<Term>,
}

impl Letters {
    fn of(&mut self, term: &Term) -> u64 {
        // Paths share their links, so most terms were met before.
        if let Some(known) = self.known.get(&term.id()) {
            return *known;
        }
        self.held.push(term.clone());
        for node in strata_term::post_order([term]) {
            if self.known.contains_key(&node.id()) {
                continue;
            }
            let low = if node.op() == Op::Extract { node.low() } else { 0 };
            let mut hash = mix(mix(node.op() as u64, u64::from(node.width())), u64::from(low));
            match node.op() {
                Op::Const => {}
                Op::Symbol | Op::ArraySymbol | Op::Table => hash = mix(hash, u64::from(node.id())),
                Op::Bound
                | Op::Not
                | Op::And
                | Op::Or
                | Op::Xor
                | Op::Add
                | Op::Sub
                | Op::Mul
                | Op::UDiv
                | Op::SDiv
                | Op::URem
                | Op::SRem
                | Op::Shl
                | Op::LShr
                | Op::AShr
                | Op::Concat
                | Op::Extract
                | Op::ZExt
                | Op::SExt
                | Op::Eq
                | Op::Ult
                | Op::Slt
                | Op::Ite
                | Op::Fill
                | Op::Write
                | Op::Read
                | Op::Forall => {
                    let mut args: Vec<u64> = node.args().iter().map(|arg| self.known[&arg.id()]).collect();
                    if node.op().info().commutes {
                        args.sort_unstable();
                    }
                    hash = args.into_iter().fold(hash, mix);
                }
            }
            self.known.insert(node.id(), hash);
        }
        self.known[&term.id()]
    }
}

fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(23) ^ b).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The term `t` with `t[d] = term` for each of these, with `x` of any width in place of `d`: they
/// differ in constants that are `a * d + b`. None if there is no such term.
pub fn formula(terms: &[(u64, Term)], x: &Term) -> Option<Term> {
    let mut search = Search {
        x,
        numbers: terms.iter().map(|(d, _)| *d).collect(),
        nodes: 0,
        known: FxHashMap::default(),
        letters: Letters::default(),
    };
    let all: Vec<Term> = terms.iter().map(|(_, term)| term.clone()).collect();
    search.common(all, 0)
}

struct Search<'x> {
    x: &'x Term,
    numbers: Vec<u64>,
    nodes: usize,
    known: FxHashMap<Vec<u32>, Option<Term>>,
    letters: Letters,
}

impl Search<'_> {
    fn common(&mut self, terms: Vec<Term>, depth: u32) -> Option<Term> {
        let first = terms.first()?;
        if terms.iter().all(|term| term == first) {
            return Some(first.clone());
        }
        let ids: Vec<u32> = terms.iter().map(Term::id).collect();
        if let Some(known) = self.known.get(&ids) {
            return known.clone();
        }
        self.nodes += terms.len();
        if depth > DEPTH || self.nodes > NODES {
            return None;
        }
        let made = self.made(&terms, depth);
        self.known.insert(ids, made.clone());
        made
    }

    fn made(&mut self, terms: &[Term], depth: u32) -> Option<Term> {
        let first = &terms[0];
        let low = |term: &Term| if term.op() == Op::Extract { term.low() } else { 0 };
        let alike = |term: &Term| {
            (term.op(), term.sort(), low(term), term.args().len())
                == (first.op(), first.sort(), low(first), first.args().len())
        };
        if !terms.iter().all(alike) {
            return None;
        }
        match first.op() {
            Op::Const => self.line(terms),
            // Leaves that are not the same one.
            Op::Symbol | Op::ArraySymbol | Op::Bound => None,
            Op::Table if terms.iter().any(|term| term.contents() != first.contents()) => None,
            Op::Forall => None,
            op => {
                let mut columns: Vec<Vec<Term>> = vec![Vec::new(); first.args().len()];
                for term in terms {
                    let mut args: Vec<Term> = term.args().to_vec();
                    if op.info().commutes {
                        // Their order depends on which term was made first.
                        args.sort_by_key(|arg| self.letters.of(arg));
                    }
                    columns.iter_mut().zip(args).for_each(|(column, arg)| column.push(arg));
                }
                let args: Vec<Term> =
                    columns.into_iter().map(|column| self.common(column, depth + 1)).collect::<Option<_>>()?;
                let args: Vec<&Term> = args.iter().collect();
                Some(first.with(&args))
            }
        }
    }

    /// `a * x + b` for constants of one width.
    fn line(&self, terms: &[Term]) -> Option<Term> {
        let width = terms[0].width();
        let values: Vec<u64> = terms.iter().map(Term::const_u64).collect::<Option<_>>()?;
        let (a, b) = solve(&self.numbers, &values, width)?;
        let x = self.x.resize(width);
        Some(x.mul(&Term::number(width, a)).add(&Term::number(width, b)))
    }
}

/// Numbers `a` and `b` with `a * d + b = value` modulo 2^width for each pair.
fn solve(numbers: &[u64], values: &[u64], width: u32) -> Option<(u64, u64)> {
    let (d0, v0) = (*numbers.first()?, *values.first()?);
    let differences =
        || numbers.iter().zip(values).map(|(d, v)| (d.wrapping_sub(d0), v.wrapping_sub(v0) & mask(width)));
    // The difference with the fewest zeros at its end says most.
    let (d, v) = differences().filter(|(d, _)| *d & mask(width) != 0).min_by_key(|(d, _)| d.trailing_zeros())?;
    let zeros = d.trailing_zeros();
    if v & mask(zeros) != 0 {
        return None;
    }
    let a = (v >> zeros).wrapping_mul(inverse(d >> zeros)) & mask(width - zeros);
    let b = v0.wrapping_sub(a.wrapping_mul(d0)) & mask(width);
    let holds = |(d, v): (&u64, &u64)| a.wrapping_mul(*d).wrapping_add(b) & mask(width) == *v;
    numbers.iter().zip(values).all(holds).then_some((a, b))
}

/// The inverse of an odd number modulo 2^64, by Newton's method: each step doubles the right bits.
fn inverse(odd: u64) -> u64 {
    (0..5).fold(odd.wrapping_mul(3) ^ 2, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_through_points() {
        for width in [1, 3, 8, 32, 64] {
            for a in [0, 1, 2, 3, 4, 6, u64::MAX] {
                for b in [0, 1, 5, u64::MAX - 3] {
                    for numbers in [vec![0, 1, 2, 3], vec![0, 2, 4, 8], vec![3, 7, 11], vec![4, 12]] {
                        let value = |d: &u64| a.wrapping_mul(*d).wrapping_add(b) & mask(width);
                        let values: Vec<u64> = numbers.iter().map(value).collect();
                        if numbers.iter().all(|d| (d - numbers[0]) & mask(width) == 0) {
                            continue;
                        }
                        let (c, e) = solve(&numbers, &values, width).expect("there is one");
                        let found = numbers.iter().map(|d| c.wrapping_mul(*d).wrapping_add(e) & mask(width));
                        assert_eq!(found.collect::<Vec<_>>(), values, "{a} {b} {width} {numbers:?}");
                    }
                }
            }
        }
        assert_eq!(solve(&[0, 1, 2], &[0, 1, 4], 8), None);
        assert_eq!(solve(&[0, 2], &[0, 1], 8), None, "an odd difference over an even one");
    }

    #[test]
    fn formulas_stand_for_their_terms() {
        let (s, n, k) = (Term::array("s", 32), Term::symbol("n", 64), Term::symbol("k", 8));
        let at = |i: u64| {
            let byte = s.read(&Term::number(32, i), 1);
            Term::number(64, i).ult(&n).and(&byte.eq(&Term::number(8, 97)))
        };
        let terms: Vec<(u64, Term)> = (1..=9).map(|d| (d, at(d - 1))).collect();
        let found = formula(&terms[1..], &k).expect("one formula");
        for (d, term) in &terms[1..] {
            let mut put = strata_term::Substitution::default();
            put.insert(k.clone(), Term::number(8, *d));
            assert_eq!(strata_term::rebuild(std::slice::from_ref(&found), &put)[0], *term);
        }
        let squares: Vec<(u64, Term)> = (1..=9).map(|d| (d, at(d * d))).collect();
        assert!(formula(&squares, &k).is_none());
    }

    /// The paths of `while (i < n && s[i] == 'a') i++` over three bytes, by where they leave the
    /// loop: at the end, or at another character.
    fn scan() -> (Path, Vec<Path>) {
        let (s, n) = (Term::array("s", 32), Term::array("n", 32).read(&Term::number(32, 0), 1));
        let byte = |i: u64| s.read(&Term::number(32, i), 1);
        let base = Path::default();
        let (mut inside, mut paths) = (base.clone(), Vec::new());
        for i in 0..CELLS {
            let more = Term::number(8, i).ult(&n);
            let same = byte(i).eq(&Term::number(8, 97));
            let mut ended = inside.clone();
            ended.push(more.not());
            paths.push(ended);
            inside.push(more);
            let mut other = inside.clone();
            other.push(same.not());
            paths.push(other);
            inside.push(same);
        }
        (base, paths)
    }

    const CELLS: u64 = 5;

    /// Is the pattern's path, for some count, just the disjunction of its members' paths? Tried for
    /// all texts of two characters, all lengths, and all counts.
    fn stands_for(pattern: &Pattern, constraints: &[Term], paths: &[Path]) -> bool {
        let (s, n) = (Term::array("s", 32), Term::array("n", 32));
        (0..1u64 << CELLS).all(|text| {
            (0..=CELLS + 1).all(|length| {
                let mut model = strata_term::Assignment::default();
                (0..CELLS).for_each(|i| model.set_cell(&s, i, 97 + (text >> i & 1) as u8));
                model.set_cell(&n, 0, length as u8);
                let holds = |terms: &[&Term], model: &_| strata_term::hold(terms, model);
                let any = pattern.members.iter().any(|(i, _)| holds(&paths[*i].iter().collect::<Vec<_>>(), &model));
                let merged = (0..=CELLS + 1).any(|count| {
                    model.set_cell(&pattern.array, 0, count as u8);
                    holds(&constraints.iter().collect::<Vec<_>>(), &model)
                });
                any == merged
            })
        })
    }

    #[test]
    fn a_pattern_is_the_disjunction_of_its_members_and_one_off_by_one_is_not() {
        let (base, paths) = scan();
        let found = find(&paths.iter().collect::<Vec<_>>(), &base, "k");
        assert_eq!(found.len(), 2, "one for each way out");
        for pattern in &found {
            assert!(pattern.members.len() >= 4 && stands_for(pattern, &pattern.constraints, &paths));
            let clause = pattern.constraints.iter().position(|term| term.op() == Op::Forall).expect("a clause");
            let shifted = |term: &Term, what: &Term, by: u64| {
                let mut put = strata_term::Substitution::default();
                put.insert(what.clone(), what.add(&Term::number(what.width(), by)));
                strata_term::rebuild(std::slice::from_ref(term), &put).remove(0)
            };
            // One round more or less than the count says, in the clause and behind it.
            for by in [1, u64::MAX] {
                let mut wrong = pattern.constraints.clone();
                wrong[clause] = shifted(&wrong[clause], &pattern.count, by);
                assert!(!stands_for(pattern, &wrong, &paths), "phi2 by {by}");
                let mut wrong = pattern.constraints.clone();
                let last = wrong.len() - 1;
                wrong[last] = shifted(&wrong[last], &pattern.count, by);
                assert!(!stands_for(pattern, &wrong, &paths), "phi3 by {by}");
            }
        }
    }
}
