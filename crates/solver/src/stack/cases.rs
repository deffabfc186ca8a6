//! Questions about inputs that a clause ties together: asked in each case, which has no clause
//! (see `crate::cases`).
//!
//! Exact: the path is the disjunction of its cases, since counters have no values beside those of
//! their sets. So a model of one case is a model, and where no case has one there is none.
//! Counters of groups that the question does not touch keep the values that the witness gives
//! them.
//!
//! The witness is a model of its own case, which is asked first. Other cases are asked from there
//! outwards.

use super::Stack;
use crate::cases::{Case, Cases, Made, Step, with};
use crate::knowledge::{Group, Known, Support, assign, completed, value};
use std::sync::{Arc, PoisonError};
use strata_query::{Answer, Budget, Model, Path, Range, Values};
use strata_term::{Term, hold, mask};

/// Upper bound on the cases of one question: each takes a microsecond or a few, and the core some
/// milliseconds for all.
const ASKED: usize = 1024;
/// The same for several counters together. Their cases share less, and the core takes as long as
/// 500 of them (bench: clauses --two).
const SEVERAL: usize = 256;
/// Upper bound on the cases that are asked where all are too many: enough to find a model near
/// the witness.
const INCOMPLETE: usize = 64;
/// Upper bound on the cases that are asked for the values of a term: programs ask that often.
const LISTED: usize = 256;
/// Upper bound on cases that no layer decides before the core is asked about all of them.
const UNDECIDED: usize = 8;
/// Upper bound on the values of a term that are told.
const FEW: usize = 64;

/// The values of the counters in one case.
type Key = Vec<u64>;

/// The cases that a question may be about.
struct Choice {
    keys: Vec<Key>,
    /// There are no others.
    all: bool,
}

impl Stack {
    /// May a condition hold at the end of a path with clauses? `None` if cases do not tell.
    pub(super) fn ask_cases(
        &mut self,
        known: &Known,
        witness: &Model,
        condition: &Term,
        budget: &Budget,
    ) -> Option<Answer> {
        let cases = known.cases.clone().filter(|cases| !cases.broken)?;
        let support = self.shapes.support(condition);
        if !cases.suit(&support) {
            return None;
        }
        let is_same = !condition.has_clause() && cases.is_same(&support);
        let groups = known.groups(&support);
        *cases.witness.lock().unwrap_or_else(PoisonError::into_inner) = Some(witness.clone());
        let own: Key = cases.counters.iter().map(|counter| value(counter, witness)).collect();
        let (mut undecided, mut decided) = (0, 0);
        let mut choice = Choice { keys: vec![own.clone()], all: false };
        let mut number = 0;
        while let Some(key) = choice.keys.get(number) {
            let is_own = number == 0;
            number += 1;
            if number % 64 == 0 && budget.exceeded().is_some() {
                return None;
            }
            let asked = if is_same { condition.clone() } else { with(condition, &cases.counters, key)? };
            let answer = if asked.is_false() {
                Some(Answer::Unsat)
            } else {
                match self.case(&cases, key, witness, is_own) {
                    Made::Dead => Some(Answer::Unsat),
                    Made::Unknown => None,
                    Made::Case(case) => {
                        let near = if is_own { witness } else { &case.witness };
                        self.ask_case(&case, near, &asked, budget)
                    }
                }
            };
            match answer {
                Some(Answer::Sat(mut model)) => {
                    cases.counters.iter().zip(key).for_each(|(counter, value)| assign(&mut model, counter, *value));
                    return Some(Answer::Sat(completed(witness, &model, &support, &groups)));
                }
                Some(Answer::Unsat) => decided += 1,
                Some(Answer::Unknown(_)) | None => undecided += 1,
            }
            if undecided >= UNDECIDED && decided < undecided {
                return None;
            }
            if is_own {
                // Half of all questions are answered by now.
                choice = choose(known, &cases, &groups, &own, ASKED);
            }
        }
        (choice.all && undecided == 0).then_some(Answer::Unsat)
    }

    /// Asks the layers in a case.
    fn ask_case(&mut self, case: &Case, near: &Model, condition: &Term, budget: &Budget) -> Option<Answer> {
        if condition.is_true() {
            return Some(Answer::Sat(near.clone()));
        }
        let nothing = Known::default();
        let known = Known::of(&case.path).unwrap_or(&nothing);
        let budget = Budget { layers_only: true, ..budget.clone() };
        match self.ask_plain(&case.path, known, near, condition, &budget) {
            Answer::Unknown(_) => None,
            answer @ (Answer::Sat(_) | Answer::Unsat) => Some(answer),
        }
    }

    /// The case of these values of the counters. `witness` is a model of the path, in its own
    /// case if that is asked for.
    fn case(&mut self, cases: &Cases, key: &[u64], witness: &Model, is_own: bool) -> Made {
        let mut open: Vec<&Arc<Step>> = Vec::new();
        let mut at = cases.last.as_ref();
        let mut made = None;
        while let Some(step) = at {
            made = step.known(key);
            if made.is_some() {
                break;
            }
            open.push(step);
            at = step.before();
        }
        let start = || Made::Case(Arc::new(Case { path: cases.start.clone(), witness: witness.clone() }));
        let mut made = made.unwrap_or_else(start);
        let near = is_own.then_some(witness);
        for step in open.into_iter().rev() {
            if let Made::Case(case) = &made {
                made = self.advance(step, case, key, near);
            }
            step.keep(key, &made, is_own);
        }
        made
    }

    /// A case with one more constraint of the path.
    fn advance(&mut self, step: &Step, case: &Arc<Case>, key: &[u64], near: Option<&Model>) -> Made {
        if !step.counts {
            return match step.with(key) {
                Some(constraint) => self.grow(case, &constraint, near),
                None => Made::Unknown,
            };
        }
        let place = step.counters.len() - 1;
        let (first, mut made) = step.nearest(key).unwrap_or_else(|| (0, Made::Case(case.clone())));
        let (bound, body) = (step.constraint.arg(0), step.constraint.arg(1));
        let mut at = key.to_vec();
        for instance in first + 1..=key[place] {
            let Made::Case(case) = &made else { break };
            let constraint = body.instance(&Term::number(bound.width(), instance));
            let Some(constraint) = with(&constraint, &step.counters[..place], key) else { return Made::Unknown };
            made = self.grow(case, &constraint, near);
            at[place] = instance;
            step.keep(&at, &made, near.is_some());
        }
        made
    }

    /// A case with one more constraint. `near` is a model of both, if there is one at hand.
    fn grow(&mut self, case: &Arc<Case>, constraint: &Term, near: Option<&Model>) -> Made {
        if constraint.is_true() {
            return Made::Case(case.clone());
        }
        let witness = match near {
            Some(near) => near.clone(),
            None if hold(&[constraint], &case.witness) => case.witness.clone(),
            None => match self.ask_case(case, &case.witness, constraint, &Budget::default()) {
                Some(Answer::Sat(model)) => model,
                Some(Answer::Unsat) => return Made::Dead,
                Some(Answer::Unknown(_)) | None => return Made::Unknown,
            },
        };
        let mut path = case.path.clone();
        self.extend_plain(&mut path, constraint);
        Made::Case(Arc::new(Case { path, witness }))
    }

    /// What is said of a term in each case, until somebody has heard enough. False: they are too
    /// many, or one of them is not known.
    fn each_case(
        &mut self,
        known: &Known,
        term: &Term,
        mut tell: impl FnMut(&mut Stack, &Path, &Term) -> Option<bool>,
    ) -> Option<()> {
        let cases = known.cases.clone().filter(|cases| !cases.broken)?;
        let witness = cases.witness.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let support = self.shapes.support(term);
        if !cases.suit(&support) {
            return None;
        }
        let own: Key = cases.counters.iter().map(|counter| value(counter, &witness)).collect();
        let choice = choose(known, &cases, &known.groups(&support), &own, LISTED);
        if !choice.all {
            return None;
        }
        let mut alive = false;
        for key in &choice.keys {
            // The witness may be older than the path.
            match self.case(&cases, key, &witness, false) {
                Made::Dead => {}
                Made::Unknown => return None,
                Made::Case(case) => {
                    alive = true;
                    let with = with(term, &cases.counters, key)?;
                    if !tell(self, &case.path, &with)? {
                        return Some(());
                    }
                }
            }
        }
        // The values of other counters may have become impossible.
        alive.then_some(())
    }

    pub(super) fn range_of_cases(&mut self, known: &Known, term: &Term) -> Option<Range> {
        let mut all: Option<Range> = None;
        self.each_case(known, term, |stack, path, term| {
            let range = match term.const_u64() {
                Some(value) => Range { least: value, most: value, exact: true },
                None => stack.range_plain(path, term)?,
            };
            let before = all.unwrap_or(range);
            let (least, most) = (before.least.min(range.least), before.most.max(range.most));
            all = Some(Range { least, most, exact: before.exact && range.exact });
            // It says nothing by now.
            Some(least > 0 || most < mask(term.width()))
        })?;
        all
    }

    pub(super) fn values_of_cases(&mut self, known: &Known, term: &Term) -> Option<Values> {
        let (mut all, mut exact) = (Vec::new(), true);
        self.each_case(known, term, |stack, path, term| {
            match term.const_u64() {
                Some(value) => all.push(value),
                None => {
                    let values = stack.values_plain(path, term)?;
                    exact &= values.exact;
                    all.extend(values.all);
                }
            }
            all.sort_unstable();
            all.dedup();
            (all.len() <= FEW).then_some(true)
        })?;
        (!all.is_empty()).then_some(Values { all, exact })
    }

    pub(super) fn single_of_cases(&mut self, known: &Known, term: &Term) -> Option<u64> {
        let mut only: Option<u64> = None;
        self.each_case(known, term, |stack, path, term| {
            let value = match term.const_u64() {
                Some(value) => value,
                None => stack.single_plain(path, term)?,
            };
            (*only.get_or_insert(value) == value).then_some(true)
        })?;
        only
    }
}

/// The cases that may matter to a question about these groups: the own one first, then outwards.
fn choose(known: &Known, cases: &Cases, groups: &[Arc<Group>], own: &[u64], limit: usize) -> Choice {
    let (mut all, mut product) = (true, 1usize);
    let mut open: Vec<(usize, Vec<u64>)> = Vec::new();
    for (place, counter) in cases.counters.iter().enumerate() {
        let group = known.group(counter);
        let touched = group.is_some_and(|group| groups.iter().any(|other| Arc::ptr_eq(other, group)));
        if !touched {
            continue;
        }
        let set = group.and_then(|group| group.variable(counter)).map(|variable| &variable.set);
        let size = set.map_or(1 << counter.width(), |set| usize::try_from(set.size()).unwrap_or(usize::MAX));
        if size > limit {
            all = false;
            continue;
        }
        let mut values = set.map_or_else(|| (0..=mask(counter.width())).collect(), |set| set.values());
        values.retain(|value| *value != own[place]);
        values.sort_by_key(|value| value.abs_diff(own[place]));
        product = product.saturating_mul(values.len() + 1);
        open.push((place, values));
    }
    all &= open.len() <= 1 || product <= limit.min(SEVERAL);
    let mut keys = vec![own.to_vec()];
    let mut with = |changes: &[(usize, u64)]| {
        let mut key = own.to_vec();
        changes.iter().for_each(|(place, value)| key[*place] = *value);
        keys.push(key);
    };
    // One counter by itself, those of the latest merges first.
    let farthest = open.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let near = (0..farthest).flat_map(|at| open.iter().rev().filter_map(move |(place, v)| Some((*place, *v.get(at)?))));
    near.take(if all { limit } else { INCOMPLETE }).for_each(|change| with(&[change]));
    if all && open.len() > 1 {
        // Then several at once.
        let mut changes: Vec<Vec<(usize, u64)>> = vec![Vec::new()];
        for (place, values) in &open {
            let more = changes.iter().flat_map(|changed| {
                values.iter().map(|value| changed.iter().copied().chain([(*place, *value)]).collect())
            });
            let more: Vec<_> = more.collect();
            changes.extend(more);
        }
        changes.iter().filter(|changed| changed.len() > 1).for_each(|changed| with(changed));
    }
    Choice { keys, all }
}

/// Does a clause tie inputs of this support together?
pub(super) fn is_tied(known: &Known, support: &Support) -> bool {
    known.cases.is_some() && known.groups(support).iter().any(|group| group.has_clauses())
}

#[cfg(test)]
mod tests {
    use crate::{Backend, LAYERS, Selection, Stack};
    use strata_query::{Answer, Budget, Model, Path, Range, Solver};
    use strata_term::{Term, hold};

    /// The most that the length can be.
    const MOST: u64 = 60;

    fn number(value: u64) -> Term {
        Term::number(32, value)
    }

    fn cell(index: &Term) -> Term {
        Term::array("text", 32).read(index, 1)
    }

    fn is(index: &Term, character: u64) -> Term {
        cell(index).eq(&Term::number(8, character))
    }

    /// A stack, and the path of a loop over one character that ended before the length; its
    /// counter, the length and a model.
    fn span() -> (Stack, Path, Model, Term, Term) {
        let mut stack = Stack::new(Selection::default(), Backend::Builtin(Box::default()), None);
        let (k, n) = (Term::array("merge", 32).read(&number(0), 1), Term::array("length", 32).read(&number(0), 4));
        let before = Term::bound(8).zext(32).sub(&number(1));
        let end = k.zext(32);
        let mut path = Path::default();
        for constraint in [
            n.ule(&number(MOST)),
            k.ule(&Term::number(8, MOST)),
            Term::forall(&k, &before.ult(&n).and(&is(&before, 97))),
            end.ult(&n),
            is(&end, 97).not(),
        ] {
            stack.extend(&mut path, &constraint);
        }
        let mut witness = Model::default();
        witness.set_cell(&Term::array("length", 32), 0, 9);
        (stack, path, witness, k, n)
    }

    #[test]
    fn every_cell_is_decided_without_the_core() {
        let (mut stack, path, witness, k, n) = span();
        let end = k.zext(32);
        let mut ask = |condition: &Term| match stack.ask(&path, &witness, condition, &Budget::default()) {
            Answer::Sat(model) => {
                let all: Vec<&Term> = path.iter().chain([condition]).collect();
                assert!(hold(&all, &model), "{condition:?}");
                true
            }
            Answer::Unsat => false,
            Answer::Unknown(reason) => panic!("{reason}"),
        };
        for at in 0..MOST {
            let index = number(at);
            let beyond = index.ult(&end);
            assert!(ask(&is(&index, 98)));
            assert!(ask(&is(&index, 97)));
            assert!(!ask(&is(&index, 98).and(&beyond)), "{at}");
            // The counter ends before the length does.
            assert_eq!(ask(&beyond), at < MOST - 1, "{at}");
            assert_eq!(ask(&end.add(&index).ult(&n)), at < MOST, "{at}");
        }
        assert!(!ask(&is(&end, 97)));
        assert!(ask(&is(&end.add(&number(1)), 97)));
        assert!(!ask(&n.ule(&end)));
        // Another clause, its negation, and one that is implied.
        let before = Term::bound(8).zext(32).sub(&number(1));
        assert!(!ask(&Term::forall(&k, &is(&before, 97)).not()));
        assert!(ask(&Term::forall(&k, &is(&before, 98))));
        assert!(ask(&Term::forall(&k, &is(&before, 98)).not()));
        let statistics = stack.statistics();
        assert_eq!(statistics.layers[LAYERS.len() - 1].answered, 0, "{statistics:?}");
    }

    #[test]
    fn terms_have_the_values_of_all_cases() {
        let (mut stack, mut path, witness, k, n) = span();
        assert!(matches!(stack.ask(&path, &witness, &k.ult(&Term::number(8, 3)), &Budget::default()), Answer::Sat(_)));
        let range = stack.range(&path, &n).expect("bounds");
        assert!(range.least == 1 && range.most == MOST, "{range:?}");
        stack.extend(&mut path, &Term::number(8, 5).ult(&k));
        stack.extend(&mut path, &k.ult(&Term::number(8, 9)));
        let one = Range { least: 97, most: 97, exact: true };
        // The witness that was asked with is older than that.
        assert_eq!(stack.range(&path, &cell(&number(2))), Some(one));
        assert_eq!(stack.single(&path, &cell(&number(5))), Some(97));
        assert_eq!(stack.single(&path, &cell(&number(7))), None);
        let values = stack.values(&path, &k).expect("few");
        assert!(values.all == [6, 7, 8], "{values:?}");
        assert_eq!(stack.range(&path, &k.zext(32).add(&number(2))).map(|r| (r.least, r.most)), Some((8, 10)));
    }

    #[test]
    fn what_a_clause_does_not_mention_is_asked_as_ever() {
        let (mut stack, mut path, witness, ..) = span();
        let other = Term::array("other", 32).read(&number(0), 1);
        stack.extend(&mut path, &other.ult(&Term::number(8, 7)));
        let clauses = LAYERS.iter().position(|row| row.name == "clauses").expect("there is such a row");
        for value in [3, 9] {
            let answer = stack.ask(&path, &witness, &other.eq(&Term::number(8, value)), &Budget::default());
            assert_eq!(answer != Answer::Unsat, value == 3);
        }
        let layers = &stack.statistics().layers;
        assert_eq!((layers[0].answered, layers[clauses].answered), (2, 0));
    }
}
