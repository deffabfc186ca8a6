//! Conditions decided by linear integer arithmetic (`linear`): what sums, differences and offsets say together, which sets of single variables do not.
//!
//! The comparisons of the constraints that share inputs with the condition, and its own, become a system of integers that each model of the path solves (`linear::relax`): a relaxation, in which
//! reads of arrays and whatever is not linear are numbers between bounds. So a system without a solution proves *never*. A solution proves nothing by itself; where all its numbers are inputs
//! it is put in place of the witness's values and evaluated on the condition and all constraints of the groups that it touches, and no others mention these inputs.
//!
//! Where that is not enough and constant tables are read, the bounds of an index narrow what is read, and the system is asked again (the pre-check of "Type and interval aware array constraint
//! solving", section 4.2).

use super::{Layer, Price, Question, Spent, Worth, forward};
use crate::below::strided;
use crate::knowledge::{Group, Known, Shapes, is_variable};
use crate::linear::{Comparison, Conflict, Forms, Interval, Kind, Relaxation, Verdict, Work};
use crate::tables::Elements;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use strata_domain::{Aim, Domain, StridedSet};
use strata_query::{Answer, Range};
use strata_term::{Term, hold};

/// Constraints looked at, the newest of each group first; rows and variables of a system. Beyond these constraints are left out.
const CONSTRAINTS: usize = 96;
const ROWS: usize = 64;
const VARIABLES: usize = 64;
/// Products computed for one question, at most, and how many take the time of a node.
const PRODUCTS: usize = 20_000;
const AT_ONCE: usize = 10;
/// What an attempt, a row, and the range of a term that is no input cost, in nodes; and the inputs of such a term, at most.
const ATTEMPT: usize = 4;
const ROW: usize = 5;
const RANGE: usize = 25;
const INPUTS: usize = 3;
/// How many elements of a table are looked at in the time of a node.
const ELEMENTS: usize = 4;

pub struct Linear {
    forms: Forms,
    worth: Worth,
    /// Of bounds, which save nothing that could be counted.
    bounding: Worth,
}

impl Default for Linear {
    fn default() -> Linear {
        Linear { forms: Forms::default(), worth: Worth::thrifty(), bounding: Worth::thrifty().halved() }
    }
}

impl Layer for Linear {
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer> {
        if !self.worth.wanted(question.price) {
            return None;
        }
        let mut spent = Spent::upto(self.worth.left(question.price));
        let answer = if self.forms.comparisons(&question.condition).is_empty() {
            None
        } else {
            spent.nodes = ATTEMPT;
            let groups = question.groups();
            decide(question, &groups, &mut self.forms, shapes, &mut spent)
        };
        spent.nodes += self.forms.spent();
        if spent.nodes > 0 {
            self.worth.tried(answer.is_some(), spent.nodes, question.price);
        }
        answer
    }

    fn range(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, price: Price) -> Option<Range> {
        if term.width() > 64 || term.is_const() || is_variable(term) || !self.bounding.wanted(price) {
            return None;
        }
        let mut spent = Spent { nodes: ATTEMPT, most: self.bounding.left(price) };
        let found = bounds(known, term, &mut self.forms, shapes, &mut spent);
        self.bounding.tried(false, spent.nodes + self.forms.spent(), price);
        found
    }
}

/// What constraints of the groups say of atoms that something else here shares, the newest first, from these atoms on. The rest is satisfied by itself, as the path is. Nothing
/// where nothing is tied, here or by them.
fn connected(
    mut atoms: FxHashSet<u32>,
    tied: bool,
    groups: &[Arc<Group>],
    forms: &mut Forms,
    spent: &mut Spent,
) -> Vec<Comparison> {
    let constraints = groups.iter().flat_map(|group| group.path.iter()).take(CONSTRAINTS);
    let all: Vec<Arc<[Comparison]>> = constraints.map(|constraint| forms.comparisons(constraint)).collect();
    spent.nodes += all.len() / 4;
    let mut found = Vec::new();
    if !tied && !all.iter().any(|comparisons| ties(comparisons)) {
        return found;
    }
    let mut open: Vec<&Comparison> =
        all.iter().flat_map(|all| all.iter()).filter(|comparison| !is_bound(comparison)).collect();
    spent.nodes += open.iter().map(|comparison| comparison.atoms.len()).sum::<usize>() / 8;
    loop {
        let before = found.len();
        open.retain(|comparison| {
            let shares = comparison.atoms.iter().any(|atom| atoms.contains(atom)) && found.len() < ROWS;
            if shares {
                atoms.extend(&comparison.atoms);
                found.push((*comparison).clone());
            }
            !shares
        });
        if found.len() == before {
            return found;
        }
    }
}

/// Adds comparisons as long as there is room.
fn fill(relaxation: &mut Relaxation<'_>, comparisons: &[Comparison]) -> Result<(), Conflict> {
    for comparison in comparisons {
        if relaxation.system.rows.len() < ROWS && relaxation.system.bounds.len() < VARIABLES {
            relaxation.compare(comparison)?;
        }
    }
    Ok(())
}

/// Is something said of several numbers at once? Sets say all of the rest.
fn ties(comparisons: &[Comparison]) -> bool {
    comparisons.iter().any(is_tie)
}

fn is_tie(comparison: &Comparison) -> bool {
    comparison.difference.parts.len() > 1
}

fn decide(
    question: &Question<'_>,
    groups: &[Arc<Group>],
    forms: &mut Forms,
    shapes: &mut Shapes,
    spent: &mut Spent,
) -> Option<Answer> {
    let own = forms.comparisons(&question.condition);
    let atoms = own.iter().flat_map(|comparison| comparison.atoms.iter().copied()).collect();
    let mut comparisons = connected(atoms, ties(&own), groups, forms, spent);
    if !ties(&own) && !ties(&comparisons) {
        return None;
    }
    comparisons.splice(0..0, own.iter().cloned());
    let mut ranges = Spent::upto(spent.left());
    let mut range = |term: &Term| range(question.known, term, shapes, &mut ranges);
    let mut relaxation = Relaxation::new(forms, &mut range);
    let filled = fill(&mut relaxation, &comparisons);
    let products = PRODUCTS.min(AT_ONCE * spent.left());
    let mut work = Work::new(products);
    let mut verdict = if filled.is_err() { Verdict::Unsat } else { relaxation.system.solve(&mut work) };
    if verdict != Verdict::Unsat && relaxation.atoms.iter().any(|(atom, _)| Elements::of(atom).is_some()) {
        verdict = narrowed(&mut relaxation, question.known, &mut work, spent).unwrap_or(verdict);
    }
    let atoms = std::mem::take(&mut relaxation.atoms);
    spent.nodes += ranges.nodes + ROW * comparisons.len() + (products - work.left()) / AT_ONCE;
    match verdict {
        Verdict::Unsat => Some(Answer::Unsat),
        Verdict::Unknown => None,
        Verdict::Sat(point) => put_in(question, groups, &atoms, &point, spent),
    }
}

/// Bounds of a term that all constraints together imply.
fn bounds(known: &Known, term: &Term, forms: &mut Forms, shapes: &mut Shapes, spent: &mut Spent) -> Option<Range> {
    let groups = known.groups(&shapes.support(term));
    let atoms = forms.atoms(term).into_iter().collect();
    let comparisons = connected(atoms, false, &groups, forms, spent);
    if !ties(&comparisons) {
        return None;
    }
    let mut ranges = Spent::upto(spent.left());
    let mut range = |atom: &Term| range(known, atom, shapes, &mut ranges);
    let mut relaxation = Relaxation::new(forms, &mut range);
    let value = relaxation.value(term, false)?;
    let place = relaxation.named(value)?;
    fill(&mut relaxation, &comparisons).ok()?;
    let products = PRODUCTS.min(AT_ONCE * spent.left());
    let (mut work, before) = (Work::new(products), relaxation.system.bounds[place]);
    let found = relaxation.system.reach(place, &mut work);
    spent.nodes += ranges.nodes + ROW * comparisons.len() + (products - work.left()) / AT_ONCE;
    // A path without a solution is not this layer's to notice.
    let Interval { least, most } = found.ok().filter(|found| *found != before)?;
    Some(Range { least: u64::try_from(least).ok()?, most: u64::try_from(most).ok()?, exact: false })
}

/// Does it compare an input with a number, without a sign? The bounds of the input say that.
fn is_bound(comparison: &Comparison) -> bool {
    let plain = match comparison.kind {
        Kind::Equal | Kind::Below { signed: false } | Kind::AtMost { signed: false } => true,
        Kind::Apart | Kind::Below { signed: true } | Kind::AtMost { signed: true } => false,
    };
    let input = |term: &Term| term.is_const() || is_variable(term);
    plain && comparison.difference.parts.len() == 1 && input(&comparison.left) && input(&comparison.right)
}

/// The witness with the values of a solution, if that satisfies everything that mentions them.
fn put_in(
    question: &Question<'_>,
    groups: &[Arc<Group>],
    atoms: &[(Term, usize)],
    point: &[i128],
    spent: &mut Spent,
) -> Option<Answer> {
    if !atoms.iter().all(|(atom, _)| is_variable(atom)) {
        return None;
    }
    let value = |(atom, place): &(Term, usize)| Some((atom.clone(), u64::try_from(point[*place]).ok()?));
    let values: Vec<(Term, u64)> = atoms.iter().map(value).collect::<Option<_>>()?;
    let all: Vec<&Term> =
        [&question.condition].into_iter().chain(groups.iter().flat_map(|group| group.path.iter())).collect();
    spent.nodes += 4 * all.len();
    let answer = question.moved(&values);
    match &answer {
        Answer::Sat(model) => hold(&all, model).then_some(answer),
        Answer::Unsat | Answer::Unknown(_) => None,
    }
}

/// Asks again with what tables hold between the bounds of their indices.
fn narrowed(relaxation: &mut Relaxation<'_>, known: &Known, work: &mut Work, spent: &mut Spent) -> Option<Verdict> {
    let mut reads: Vec<(Term, usize, usize)> = Vec::new();
    let mut next = 0;
    while next < relaxation.atoms.len() {
        let (atom, place) = relaxation.atoms[next].clone();
        next += 1;
        if Elements::of(&atom).is_none() || relaxation.system.bounds.len() >= VARIABLES {
            continue;
        }
        let before = relaxation.system.bounds.len();
        let index = relaxation.value(atom.arg(1), false)?;
        // An index over variables that nothing else mentions has the bounds that it had.
        if relaxation.system.bounds.len() == before {
            reads.push((atom, place, relaxation.named(index)?));
        }
    }
    if reads.is_empty() {
        return None;
    }
    let Ok(bounds) = relaxation.system.tightened(work) else { return Some(Verdict::Unsat) };
    let mut changed = false;
    for (read, place, index) in reads {
        let Some(held) = table(known, &read, bounds[index], spent) else { continue };
        let bound: &mut Interval = &mut relaxation.system.bounds[place];
        let met = Interval { least: bound.least.max(held.least), most: bound.most.min(held.most) };
        changed |= met != *bound;
        *bound = met;
    }
    changed.then(|| relaxation.system.solve(work))
}

/// Between which values a term lies on the path; what that costs is added up.
fn range(known: &Known, term: &Term, shapes: &mut Shapes, spent: &mut Spent) -> Interval {
    let everything = everything_of(term);
    spent.nodes += 1;
    let found = if is_variable(term) {
        known.group(term).and_then(|group| {
            let set = group.variable(term)?.set.intervals();
            Some(Interval { least: set.least()?.into(), most: set.greatest()?.into() })
        })
    } else {
        // What many inputs decide is seldom narrow, and always dear.
        let support = shapes.support(term);
        if support.reads.len() > INPUTS {
            return everything;
        }
        if Elements::of(term).is_some() {
            table(known, term, everything_of(term.arg(1)), spent)
        } else {
            spent.nodes += RANGE;
            let found = shapes.range(known, term).or_else(|| forward::range(known, term, shapes));
            found.map(|range| Interval { least: range.least.into(), most: range.most.into() })
        }
    };
    found.unwrap_or(everything)
}

/// Of a term's width.
fn everything_of(term: &Term) -> Interval {
    Interval { least: 0, most: (1 << term.width()) - 1 }
}

/// What a constant table holds at the values that an index has on the path, and within bounds.
fn table(known: &Known, read: &Term, within: Interval, spent: &mut Spent) -> Option<Interval> {
    let elements = Elements::of(read)?;
    let set =
        |term: &Term| known.group(term)?.variable(term).map(|variable| strided(&variable.set.intervals(), Aim::Above));
    let mut carried = Spent::upto(forward::BUDGET.min(spent.left()));
    let indices: Option<StridedSet> = forward::above(read.arg(1), set, &mut carried);
    spent.nodes += RANGE + carried.nodes;
    let indices = indices?;
    let cost = elements.cost(&indices) / ELEMENTS;
    if cost > spent.left() {
        return None;
    }
    spent.nodes += cost;
    let ends = [u64::try_from(within.least).ok()?, u64::try_from(within.most).ok()?];
    let (least, most) = elements.extremes(&indices, ends)?;
    Some(Interval { least: least.into(), most: most.into() })
}

#[cfg(test)]
mod tests {
    use crate::{Backend, Pool, Selection, Stack};
    use strata_query::{Answer, Budget, Model, Path, Solver};
    use strata_term::{Term, eval};

    fn number(value: u64) -> Term {
        Term::number(32, value)
    }

    /// An integer of the input.
    fn input(at: u64) -> Term {
        Term::array("in", 32).read(&number(4 * at), 4)
    }

    /// The answer to a condition at the end of a path that a model without values satisfies, and how many questions the core got.
    fn ask(constraints: &[Term], witness: &Model, condition: &Term) -> (Answer, u64) {
        let selection = Selection::parse("linear").expect("there is such a layer");
        let mut stack = Stack::new(selection, Backend::Builtin(Box::<Pool>::default()), None);
        let mut path = Path::default();
        constraints.iter().for_each(|constraint| stack.extend(&mut path, constraint));
        assert!(path.iter().all(|constraint| eval(constraint, witness).is_true()));
        let answer = stack.ask(&path, witness, condition, &Budget::default());
        let core = stack.statistics().layers.last().map_or(0, |core| core.answered);
        (answer, core)
    }

    /// The example of the paper: two reads of a table whose largest element is 5, or 9.
    #[test]
    fn two_reads() {
        let (i, j) = (input(0), input(1));
        let bounds = [i.ult(&number(4)), j.ult(&number(4))];
        for last in [5, 9] {
            let mut contents = vec![0; 16];
            contents[12] = last;
            let table = Term::constant_array(32, contents.into());
            let [first, second] = [&i, &j].map(|index| table.read(&index.mul(&number(4)), 4));
            let condition = number(4).slt(&i.add(&j)).and(&number(10).slt(&first.add(&second)));
            let (answer, core) = ask(&bounds, &Model::default(), &condition);
            assert_eq!(answer.name(), if last == 5 { "unsat" } else { "sat" });
            assert_eq!(core, u64::from(last == 9), "the table's elements are not the solver's to choose");
        }
    }

    /// Elements that only indices out of reach have: the bounds of an index come from all constraints together.
    #[test]
    fn bounds_of_an_index() {
        let (i, j) = (input(0), input(1));
        let table = Term::constant_array(32, (0..16).map(|at| if at < 8 { 1 } else { 200 }).collect());
        let constraints = [i.ult(&number(16)), j.ult(&number(16)), i.add(&j).ult(&number(12)), i.ult(&j)];
        let mut witness = Model::default();
        witness.set_cells(&Term::array("in", 32), 4, &[1, 0, 0, 0]);
        // i < j and i + j < 12: i is at most 5.
        let read = table.read(&i, 1);
        let condition = Term::number(8, 100).ult(&read.add(&Term::number(8, 1)));
        assert_eq!(ask(&constraints, &witness, &condition), (Answer::Unsat, 0));
    }

    /// Sums wrap: what no integer satisfies, a word does.
    #[test]
    fn wrapping_around() {
        let (x, y) = (input(0), input(1));
        let condition = x.add(&number(1)).ult(&y).and(&y.ult(&x));
        let (answer, _) = ask(&[], &Model::default(), &condition);
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        assert_eq!(eval(&x, &model).low_u64(), 0xffff_ffff);
        // Unless it cannot.
        let below = [x.ult(&number(100)), y.ult(&number(200))];
        assert_eq!(ask(&below, &Model::default(), &condition), (Answer::Unsat, 0));
    }

    /// Where all numbers are inputs a solution is a model, and the core is not asked.
    #[test]
    fn solutions() {
        let inputs: Vec<Term> = (0..3).map(input).collect();
        let mut bounds: Vec<Term> = inputs.iter().map(|x| x.ult(&number(100))).collect();
        bounds.push(inputs[0].add(&inputs[1]).ult(&number(50)));
        let condition = inputs[0].add(&inputs[1]).add(&inputs[2]).eq(&number(140));
        let (answer, core) = ask(&bounds, &Model::default(), &condition);
        assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
        assert_eq!(core, 0);
    }
}
