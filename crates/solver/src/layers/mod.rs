//! The layers above the core, each a file, and the table that says in which order they are asked.
//!
//! A layer answers a question, makes it easier for those below, or passes it on. Adding one is a file here and a row in `TABLE`; its flag, its figures
//! and the cross-check come with the row.

mod boxes;
mod bytes;
mod cache;
pub mod forward;
mod intervals;
mod ladder;
mod linear;
mod order;
mod points;
mod puzzle;
mod search;
mod simplify;
mod slice;
mod strided;
mod worth;

use crate::knowledge::{Group, Known, Set, Shape, Shapes, Truth, assign, completed, with_value};
use std::sync::Arc;
use strata_query::{Answer, Model, Path, Range, Values};
use strata_term::Term;
pub use worth::{Price, Spent, Worth};

/// A row of the table of layers.
pub struct Row {
    /// What it is called on the command line and in statistics.
    pub name: &'static str,
    /// What it does, and why it stands where it stands.
    pub reason: &'static str,
    /// Makes it; nothing for what the stack does itself: cases of clauses, which ask all layers,
    /// and the core, which is below them.
    pub(crate) make: fn() -> Option<Box<dyn Layer>>,
}

/// The layers, first asked first. The last one always answers and cannot be left out.
pub const LAYERS: &[Row] = &[
    Row {
        name: "bytes",
        reason: "conditions over one byte by intersection of sets, over two by tables: the commonest question, and a few words long",
        make: || Some(Box::<bytes::ByteSets>::default()),
    },
    Row {
        name: "intervals",
        reason: "conditions over one wider variable by intersection of intervals: as cheap as bytes",
        make: || Some(Box::<intervals::Intervals>::default()),
    },
    Row {
        name: "simplify",
        reason: "inputs with one value left are put in: what becomes constant costs nobody else",
        make: || Some(Box::new(simplify::Simplify)),
    },
    Row {
        name: "order",
        reason: "comparisons between variables on a graph: after sets, which answer what has one variable in constant time",
        make: || Some(Box::new(order::Orders)),
    },
    Row {
        name: "slice",
        reason: "only constraints that share inputs with the question: everything below pays by the constraint",
        make: || Some(Box::new(slice::Slice)),
    },
    Row {
        name: "clauses",
        reason: "what a bounded clause ties together, value by value of its bound: each case has no clause, and all layers know what to do",
        make: || None,
    },
    Row {
        name: "ladder",
        reason: "bytes one after the other, where later ones depend on earlier ones through few values: both answers",
        make: || Some(Box::<ladder::Climbing>::default()),
    },
    Row {
        name: "cache",
        reason: "what was asked before of the same constraints, or of more or fewer: looked up before it is worked out again",
        make: || Some(Box::<cache::Cache>::default()),
    },
    Row {
        name: "strided",
        reason: "conditions over several variables in strided sets and known bits: dearer than what was answered before",
        make: || Some(Box::<strided::StridedSets>::default()),
    },
    Row {
        name: "linear",
        reason: "sums and differences as integers, all constraints together: dearer than sets, which answer what one of them says",
        make: || Some(Box::<linear::Linear>::default()),
    },
    Row {
        name: "points",
        reason: "all solutions of small groups: one intersection once a condition is known, both answers; after what needs no table",
        make: || Some(Box::<points::AllPoints>::default()),
    },
    Row {
        name: "boxes",
        reason: "a point of a box on all of which the path holds: after what needs no search",
        make: || Some(Box::<boxes::Boxes>::default()),
    },
    Row {
        name: "search",
        reason: "values by propagation over all constraints that matter, near the witness: dearer than all above, and cheaper than the core",
        make: || Some(Box::<search::Search>::default()),
    },
    Row { name: "core", reason: "bit-blasting and array refinement: complete, so it is last", make: || None },
];

/// May `condition` hold at the end of a path that `witness` satisfies?
pub struct Question<'a> {
    /// All constraints.
    pub path: &'a Path,
    /// What is known at the end of the path.
    pub known: &'a Known,
    /// A model of the path.
    pub witness: &'a Model,
    /// Layers may replace it by one that means the same on this path.
    pub condition: Term,
    /// Of the condition.
    pub shape: Arc<Shape>,
    /// The constraints that matter, and the groups that they come from, those of the condition; all of them if nobody has looked. The condition stays as it is from then on.
    pub slice: Option<(Path, Vec<Arc<Group>>)>,
    /// What the core would cost.
    pub price: Price,
}

impl Question<'_> {
    /// The constraints that an answer must respect.
    pub fn constraints(&self) -> &Path {
        self.slice.as_ref().map_or(self.path, |(path, _)| path)
    }

    /// The groups that share an input with the condition.
    pub fn groups(&self) -> Vec<Arc<Group>> {
        match &self.slice {
            Some((_, groups)) => groups.clone(),
            None => self.known.groups(&self.shape.support),
        }
    }

    /// Leaves out the constraints that share no input with the condition.
    pub fn take_slice(&mut self) {
        let groups = self.known.groups(&self.shape.support);
        // The longest is taken as it is, so that the core recognises it; of equals, the one met
        // first.
        let longest = (0..groups.len()).rev().max_by_key(|i| groups[*i].path.len());
        let mut path = longest.map_or_else(Path::default, |i| groups[i].path.clone());
        for (_, group) in groups.iter().enumerate().filter(|(i, _)| Some(*i) != longest) {
            let mut constraints: Vec<&Term> = group.path.iter().collect();
            constraints.reverse();
            constraints.into_iter().for_each(|constraint| path.push(constraint.clone()));
        }
        self.slice = Some((path, groups));
    }

    /// That it may hold: the witness with other values for some variables.
    fn moved(&self, values: &[(Term, u64)]) -> Answer {
        let mut model = self.witness.clone();
        values.iter().for_each(|(read, value)| assign(&mut model, read, *value));
        Answer::Sat(model)
    }

    /// A model of the whole path from one of the constraints that matter and the condition.
    pub fn complete(&self, found: Model) -> Model {
        match &self.slice {
            Some((_, groups)) => completed(self.witness, &found, &self.shape.support, groups),
            None => found,
        }
    }
}

/// Has a term one value?
pub enum Single {
    /// This one.
    Value(u64),
    Several,
}

impl Single {
    fn of(range: Range) -> Option<Single> {
        range.single().map(Single::Value).or(range.exact.then_some(Single::Several))
    }
}

/// Answers some questions.
pub trait Layer {
    /// Can it do anything for such a condition? Looking at a clock costs more than finding that it cannot.
    fn may(&self, truth: &Truth) -> bool {
        let _ = truth;
        true
    }

    /// Answers, makes the question easier, or passes it on with `None`. A model is one of the whole path.
    fn ask(&mut self, question: &mut Question<'_>, shapes: &mut Shapes) -> Option<Answer>;

    /// Between which values a term of at most 64 bits lies at the end of a path, if that is cheap to see.
    fn range(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, price: Price) -> Option<Range> {
        let _ = (known, term, shapes, price);
        None
    }

    /// The only value of a term of at most 64 bits at the end of a path, or that it has several, if that is cheap to see.
    fn single(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, price: Price) -> Option<Single> {
        Single::of(self.range(known, term, shapes, price)?)
    }

    /// Which values a term of at most 64 bits can have at the end of a path, if they are few and that is cheap to see.
    fn values(&mut self, known: &Known, term: &Term, shapes: &mut Shapes, price: Price) -> Option<Values> {
        let _ = (known, term, shapes, price);
        None
    }

    /// What the core, or a layer below, answered to a question that this layer passed on; a model is one of the constraints that matter, at least.
    fn learn(&mut self, question: &Question<'_>, answer: &Answer) {
        let _ = (question, answer);
    }
}

/// Decides a condition that holds for `truth` of one variable, and for all of it if that is `exact`, on what is known of the variable.
fn intersect(question: &Question<'_>, read: &Term, truth: &Set, exact: bool) -> Option<Answer> {
    let Some(group) = question.shape.cell.and_then(|cell| question.known.group_at(cell)) else {
        // Nothing is known of it, and nothing is tied to it: for one of several bytes that goes for the lowest only.
        let free = read.width() <= 8 || question.known.groups(&question.shape.support).is_empty();
        return match truth.least() {
            None => Some(Answer::Unsat),
            Some(least) if exact && free => Some(Answer::Sat(with_value(question.witness, read, least))),
            Some(_) => None,
        };
    };
    let Some(variable) = group.variable(read) else {
        return truth.least().is_none().then_some(Answer::Unsat);
    };
    let Some(least) = variable.set.least_common(truth) else { return Some(Answer::Unsat) };
    if exact && variable.set.is_within(truth) {
        // The path says so already, and the witness satisfies the path.
        return Some(Answer::Sat(question.witness.clone()));
    }
    let alone = exact && group.free();
    alone.then(|| Answer::Sat(with_value(question.witness, read, least)))
}
