//! The values that a condition can have, bottom-up from what is known of its variables (PARTI's decision stage, over any domain).
//!
//! Every transfer aims above and reads at unknown places are full, so the result contains each value that the condition has on this path, whether or not
//! inputs occur twice or are tied to each other. One value left decides: false proves *never*; true proves *always*, and the witness shows it.
//! Both values left prove nothing here, unless the values are exact: no node with an input is used twice, every transfer was exact, and so were the sets (`either`).

use super::{Question, Single, Spent};
use crate::below::point;
use crate::knowledge::{Known, Shapes, assign, is_variable, overlapping};
use crate::manner::Manner;
use crate::tables::Elements;
use crate::writes::History;
use rustc_hash::FxHashMap;
use strata_domain::{Aim, Apply, Domain, Image, MultiInterval, Precision};
use strata_query::{Answer, Range};
use strata_term::{Op, Term, eval};

/// Conditions with more nodes are left to others.
const NODES: usize = 128;
/// What carrying sets through an operator costs, about, in nodes computed, and what a write that a read passes does.
const TRANSFER: usize = 2;
const WRITE: usize = 8;

/// Nodes computed at most, for one condition: tables at thousands of indices each are for those who know more of these.
pub const BUDGET: usize = 4000;
/// And for the only value of a term.
const SINGLE: usize = 100;

/// Are tables looked at where they are read?
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// At each index that the set of the index has.
    Read,
    /// Whatever they hold is anything: for who asks first, and seldom gains by it.
    Unread,
}

/// What is known of a variable from above.
pub fn known(question: &Question<'_>, read: &Term) -> Option<MultiInterval> {
    question.known.group(read)?.variable(read).map(|variable| variable.set.intervals())
}

/// Are bytes all that a term depends on?
pub fn over_bytes(term: &Term, shapes: &mut Shapes) -> bool {
    let support = shapes.support(term);
    support.whole.is_empty() && support.reads.iter().all(|read| read.width() == 8)
}

/// Between which values a term lies. Exact where the values are: it has one variable, whose set has no other value.
pub fn range(known: &Known, term: &Term, shapes: &mut Shapes) -> Option<Range> {
    range_within(known, term, shapes, BUDGET)
}

/// The only value of a term, or that it has several. For who asks of whatever is read from memory: most of it has several, and a table in which that shows is not worth reading.
pub fn single(known: &Known, term: &Term, shapes: &mut Shapes) -> Option<Single> {
    Single::of(range_within(known, term, shapes, SINGLE)?)
}

fn range_within(known: &Known, term: &Term, shapes: &mut Shapes, budget: usize) -> Option<Range> {
    let set = |read: &Term| known.group(read)?.variable(read).map(|variable| variable.set.intervals());
    let image = values(term, shapes.manner(), Tables::Read, set, &mut Spent::upto(budget))?;
    let exact = match &shapes.support(term).reads[..] {
        // One that overlaps others is none of the group's.
        [read] => {
            image.is_exact() && known.group(read).is_some_and(|group| group.free() && group.variable(read).is_some())
        }
        _ => false,
    };
    Some(Range { least: image.set.least()?, most: image.set.greatest()?, exact })
}

/// The values of a term from those of its variables, or more.
pub fn above<D: Domain>(term: &Term, of: impl Fn(&Term) -> Option<D>, spent: &mut Spent) -> Option<D> {
    values(term, Manner::Everything, Tables::Read, of, spent).map(|image| image.set)
}

/// Decides the question if the condition has one value only. Adds what it computed, in nodes.
pub fn decide<D: Domain>(
    question: &Question<'_>,
    manner: Manner,
    tables: Tables,
    of: impl Fn(&MultiInterval) -> Option<D>,
    spent: &mut Spent,
) -> Option<Answer> {
    let image = values(&question.condition, manner, tables, |read| of(&known(question, read)?), spent)?;
    match image.set.single() {
        Some(0) => Some(Answer::Unsat),
        Some(_) => Some(Answer::Sat(question.witness.clone())),
        None => None,
    }
}

/// Decides the question as PARTI does: always, never, or, where all is exact, either. Then there is a point at which the condition holds, and it is looked for in the
/// sets, which are a box; whoever gives it out has evaluated it.
pub fn either<D: Domain>(
    question: &Question<'_>,
    shapes: &mut Shapes,
    of: impl Fn(&MultiInterval) -> Option<D>,
) -> Option<Answer> {
    let of = |read: &Term| of(&known(question, read)?);
    let image = values(&question.condition, shapes.manner(), Tables::Unread, of, &mut Spent::upto(usize::MAX))?;
    match image.set.single() {
        Some(0) => return Some(Answer::Unsat),
        Some(_) => return Some(Answer::Sat(question.witness.clone())),
        None => {}
    }
    let support = &question.shape.support;
    let groups = question.known.groups(support);
    let alone = groups
        .iter()
        .all(|group| group.exact() && group.variables.iter().all(|variable| support.reads.contains(&variable.read)));
    if !image.is_exact() || !alone || !support.whole.is_empty() || overlapping(support.reads.iter()) {
        return None;
    }
    let values = point(&question.condition, &groups, question.witness, shapes, &mut Spent::upto(usize::MAX))?;
    let mut model = question.witness.clone();
    values.iter().for_each(|(read, value)| assign(&mut model, read, *value));
    eval(&question.condition, &model).is_true().then_some(Answer::Sat(model))
}

/// The values of a condition, or more; exact if the sets of its variables are, which have nothing to do with each other.
fn values<D: Domain>(
    condition: &Term,
    manner: Manner,
    tables: Tables,
    of: impl Fn(&Term) -> Option<D>,
    spent: &mut Spent,
) -> Option<Image<D>> {
    let tables = tables == Tables::Read && manner == Manner::Everything;
    let mut done: FxHashMap<u32, D> = FxHashMap::default();
    let mut stack: Vec<&Term> = vec![condition];
    // Arguments with an input that were met: each once, if the values are to be exact.
    let (mut used, mut symbolic, mut exact) = (0, 0, true);
    while let Some(&node) = stack.last() {
        if done.contains_key(&node.id()) {
            stack.pop();
            continue;
        }
        if done.len() > NODES || node.width() > 64 || spent.is_over() {
            return None;
        }
        let before = stack.len();
        // A read is looked up, or can be anything; arrays below it have no values.
        let elements = Elements::of(node).filter(|_| tables);
        let written = if tables && elements.is_none() { History::of(node) } else { None };
        let leaf = elements.is_none()
            && written.is_none()
            && (matches!(node.op(), Op::Read | Op::Symbol | Op::Const) || node.args().iter().any(Term::is_array));
        if let Some(history) = &written {
            stack.extend(history.operands().filter(|arg| !done.contains_key(&arg.id())));
        } else if !leaf {
            let operands = if elements.is_some() { &node.args()[1..] } else { node.args() };
            stack.extend(operands.iter().filter(|arg| !done.contains_key(&arg.id())));
        }
        if stack.len() == before {
            stack.pop();
            spent.nodes += TRANSFER;
            let set = if leaf {
                // What a table holds, or an array at any index, is anything as far as this knows.
                exact &= node.is_const() || is_variable(node);
                leaf_set(node, &of)
            } else if let Some(history) = written {
                exact = false;
                spent.nodes += WRITE * history.operands().count();
                let known = |term: &Term| term.const_u64().map(|value| D::constant(term.width(), value));
                let set = history.forward(|term| known(term).unwrap_or_else(|| done[&term.id()].clone()));
                set.unwrap_or_else(|| D::full(node.width()))
            } else if let Some(elements) = elements {
                exact = false;
                let indices = &done[&node.arg(1).id()];
                spent.nodes += elements.cost(indices);
                if spent.is_over() {
                    return None;
                }
                let image = elements.forward(indices);
                image.map_or_else(|| D::full(node.width()), |image| image.set)
            } else {
                used += node.args().iter().filter(|arg| !arg.is_const()).count();
                let image = if manner.decides(node) { inner(node, &done) } else { None };
                exact &= image.as_ref().is_some_and(Image::is_exact);
                image.map_or_else(|| D::full(node.width()), |image| image.set)
            };
            done.insert(node.id(), set);
            symbolic += usize::from(!node.is_const());
        }
    }
    // As many uses as nodes, but for the condition itself: a tree.
    let precision = Precision::exact_if(exact && used + 1 == symbolic, Aim::Above);
    done.remove(&condition.id()).map(|set| Image { set, precision })
}

fn leaf_set<D: Domain>(node: &Term, of: impl Fn(&Term) -> Option<D>) -> D {
    match node.const_u64() {
        Some(value) => D::constant(node.width(), value),
        None => of(node).unwrap_or_else(|| D::full(node.width())),
    }
}

fn inner<D: Domain>(node: &Term, done: &FxHashMap<u32, D>) -> Option<Image<D>> {
    let operands: Vec<&D> = node.args().iter().map(|arg| &done[&arg.id()]).collect();
    let low = if node.op() == Op::Extract { node.low() } else { 0 };
    let apply = Apply { op: node.op(), width: node.width(), low };
    D::forward(&apply, &operands, Aim::Above)
}
