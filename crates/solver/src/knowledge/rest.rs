//! Constraints that the sets, the order and the ties of a group do not say, as far as the sets have not said them since.
//!
//! `read(a, 5 + (b = '%')) = '-'` is about all bytes of `a`. Once `b` cannot be `'%'` any more it is about one of them, and a set says it. So each such constraint has
//! **pivots**: conditions over one variable in it, and variables. A variable's set that has shrunk may decide some; the constraint is built again with them put in, and what
//! is left of it is taken in as if it had come now.
//!
//! Sound: sets, order, ties and these constraints together say what the path says. A decided pivot has that value wherever the sets are respected, so that putting it in
//! changes nothing beside the sets.

use super::support::{Support, cells, is_variable};
use super::{Cell, Set, Shape, Shapes, Truth, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use strata_term::{Op, Substitution, Term, rebuild};

/// Nodes of a constraint that are looked through for pivots, and pivots, at most.
const NODES: usize = 96;
const PIVOTS: usize = 32;
/// Nodes of a comparison of two variables, or so.
const PAIR: usize = 8;
/// What is left of constraints that is kept, at most.
const LEFTS: usize = 1 << 14;

/// By what a constraint is not said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Missing {
    pub sets: bool,
    pub order: bool,
    pub ties: bool,
}

impl Missing {
    /// By nobody.
    pub const ALL: Missing = Missing { sets: true, order: true, ties: true };

    pub fn any(self) -> bool {
        self.sets || self.order || self.ties
    }
}

/// A part of a constraint that the set of one variable may decide.
#[derive(Debug)]
pub struct Pivot {
    part: Term,
    read: Term,
    /// For which values a condition holds; nothing for the variable itself.
    holds: Option<Set>,
}

impl Pivot {
    /// Its value for all values of the set.
    fn decided(&self, set: &Set) -> Option<u64> {
        match &self.holds {
            None => set.single(),
            Some(holds) if set.least_common(holds).is_none() => Some(0),
            Some(holds) => set.is_within(holds).then_some(1),
        }
    }
}

/// The pivots of a constraint.
#[derive(Debug, Default)]
pub struct Pivots {
    pivots: Vec<Pivot>,
    /// Nodes that were looked at.
    pub nodes: usize,
}

impl Pivots {
    /// Those that these variables decide, with their values.
    fn decided<'a>(&self, variable: impl Fn(&Term) -> Option<&'a Variable>) -> Vec<(&Pivot, u64)> {
        let pivots = self.pivots.iter();
        pivots.filter_map(|pivot| Some((pivot, pivot.decided(&variable(&pivot.read)?.set)?))).collect()
    }

    /// Does it pay to put these in? A condition that is decided may leave out much. Values leave as much as there was, but for those of all variables but one.
    fn pays(&self, decided: &[(&Pivot, u64)]) -> bool {
        let is_open = |pivot: &&Pivot| !decided.iter().any(|(known, _)| std::ptr::eq(*known, *pivot));
        let mut open = self.pivots.iter().filter(is_open).map(|pivot| &pivot.read);
        let first = open.next();
        decided.iter().any(|(pivot, _)| pivot.holds.is_some()) || open.all(|read| Some(read) == first)
    }
}

/// What was left of constraints. Siblings decide the same in them over and over.
#[derive(Default)]
pub struct Lefts {
    /// By the id of the constraint, and those of its parts with what was put in for them; the constraint is held, so that these ids mean it and them.
    known: FxHashMap<(u32, Decided), (Term, Term)>,
}

type Decided = Vec<(u32, u64)>;

impl Lefts {
    /// The condition with these put in; nothing if there are none.
    fn with(&mut self, condition: &Term, decided: &[(&Pivot, u64)]) -> Option<Term> {
        if decided.is_empty() {
            return None;
        }
        if self.known.len() > LEFTS {
            self.known.clear();
        }
        let key = (condition.id(), decided.iter().map(|(pivot, value)| (pivot.part.id(), *value)).collect());
        let (_, left) = self.known.entry(key).or_insert_with(|| {
            let value = |(pivot, value): &(&Pivot, u64)| (pivot.part.clone(), Term::number(pivot.part.width(), *value));
            let values: Substitution = decided.iter().map(value).collect();
            (condition.clone(), rebuild(std::slice::from_ref(condition), &values).remove(0))
        });
        Some(left.clone())
    }
}

/// A constraint, or what is left of it.
#[derive(Debug)]
pub struct Rest {
    pub constraint: Term,
    pub support: Arc<Support>,
    pub pivots: Arc<Pivots>,
    pub missing: Missing,
}

impl Rest {
    /// Is there something in it that the variable decides?
    pub fn hangs_on(&self, variable: &Variable) -> bool {
        let mut own = self.pivots.pivots.iter().filter(|pivot| pivot.read == variable.read);
        own.any(|pivot| pivot.decided(&variable.set).is_some())
    }

    /// Does it mention this cell?
    pub fn mentions(&self, cell: Cell) -> bool {
        self.support.whole.iter().any(|array| array.id() == cell.input())
            || self.support.reads.iter().flat_map(cells).any(|own| own == cell)
    }
}

/// The condition with all put in that these variables decide; nothing if that is nothing.
pub fn given<'a>(
    condition: &Term,
    pivots: &Pivots,
    variable: impl Fn(&Term) -> Option<&'a Variable>,
    shapes: &mut Shapes,
) -> Option<Term> {
    shapes.lefts.with(condition, &pivots.decided(variable))
}

/// The same where what is left may be simple.
pub fn simpler<'a>(
    constraint: &Term,
    pivots: &Pivots,
    variable: impl Fn(&Term) -> Option<&'a Variable>,
    shapes: &mut Shapes,
) -> Option<Term> {
    let decided = pivots.decided(variable);
    if pivots.pays(&decided) { shapes.lefts.with(constraint, &decided) } else { None }
}

/// The pivots of a constraint.
pub fn pivots(constraint: &Term, shape: &Shape, shapes: &mut Shapes) -> Pivots {
    let variable = |read: &Term| Pivot { part: read.clone(), read: read.clone(), holds: None };
    match &shape.truth {
        // A table, or a comparison, would be made again for each condition that is decided in it, and say no more.
        Truth::Two { first, second, .. } => {
            return Pivots { pivots: vec![variable(first), variable(second)], nodes: PAIR };
        }
        Truth::Compared { left, right, .. } => {
            return Pivots { pivots: vec![variable(&left.read), variable(&right.read)], nodes: PAIR };
        }
        Truth::One { .. } | Truth::Other => {}
    }
    let (mut open, mut seen, mut found) = (vec![constraint], FxHashSet::default(), Vec::new());
    while let Some(node) = open.pop() {
        if node.op() == Op::Const || !seen.insert(node.id()) {
            continue;
        }
        if seen.len() > NODES || found.len() > PIVOTS {
            return Pivots { pivots: Vec::new(), nodes: usize::MAX };
        }
        if is_variable(node) {
            if node.width() <= 64 {
                found.push(variable(node));
            }
        } else if let Some(pivot) = condition(node, shapes).filter(|_| node != constraint) {
            found.push(pivot);
        } else {
            open.extend(node.args());
        }
    }
    Pivots { pivots: found, nodes: seen.len() }
}

/// A condition over one variable, if it is one and its values are known.
fn condition(node: &Term, shapes: &mut Shapes) -> Option<Pivot> {
    if node.is_array() || node.width() != 1 || shapes.support(node).reads.len() != 1 {
        return None;
    }
    match &shapes.of(node).truth {
        Truth::One { read, set, exact: true } => {
            Some(Pivot { part: node.clone(), read: read.clone(), holds: Some(set.clone()) })
        }
        Truth::One { .. } | Truth::Compared { .. } | Truth::Two { .. } | Truth::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kept, Known, value};
    use super::*;
    use crate::manner::Manner;
    use strata_term::{Assignment, eval};

    /// Random paths over three bytes; at each of 512 points the sets and the rest say what the constraints say. Some constraints must become simple, or nothing was tested.
    #[test]
    fn sets_and_rest_say_what_the_path_says() {
        let input = Term::array("in", 32);
        let bytes: Vec<Term> = (0..3).map(|at| input.read(&Term::number(32, at), 1)).collect();
        let points: Vec<Assignment> = (0..512u32)
            .map(|point| {
                let mut model = Assignment::default();
                model.set_cells(&input, 0, &[0, 3, 6].map(|shift| (point >> shift & 7) as u8));
                model
            })
            .collect();
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut freed, mut kept) = (0, 0);
        for _ in 0..3000 {
            let mut shapes = Shapes::new(
                Manner::default(),
                Kept { tables: random(8) > 0, boxes: false, points: false, orders: false },
            );
            let mut known = Known::default();
            let mut path: Vec<Term> = Vec::new();
            for _ in 0..2 + random(6) {
                let [a, b, c] = [0; 3].map(|_| bytes[random(3) as usize].clone());
                let number = |value| Term::number(8, value);
                let (first, second) = (number(random(8)), number(random(8)));
                let condition = if random(2) == 0 { a.eq(&first) } else { a.ult(&first) };
                let simple = match random(6) {
                    0 => condition,
                    1 => Term::ite(&condition, &b, &c).eq(&second),
                    2 => {
                        let index = condition.zext(32).add(&Term::number(32, random(2)));
                        input.write(&Term::number(32, 1), &c.add(&first)).read(&index, 1).ult(&second)
                    }
                    3 => condition.or(&b.eq(&second)).or(&c.eq(&first)),
                    4 => b.add(&c).ult(&second),
                    _ => a.add(&b).add(&c).eq(&second),
                };
                let constraint = if random(2) == 0 { simple } else { simple.not() };
                if constraint.is_const() {
                    continue;
                }
                known.add(&constraint, &mut shapes);
                path.push(constraint);
            }
            let mut groups: Vec<_> = bytes.iter().filter_map(|byte| known.group(byte)).collect();
            groups.dedup_by(|a, b| Arc::ptr_eq(a, b));
            for model in &points {
                let holds = path.iter().all(|constraint| eval(constraint, model).is_true());
                let mut said = true;
                for group in &groups {
                    let mut variables = group.variables.iter();
                    let within = variables.all(|known| known.set.contains(value(&known.read, model)));
                    assert!(within || !holds, "a set is above: {path:?}");
                    let Some(rest) = group.rest() else {
                        said = holds;
                        break;
                    };
                    said &= within && rest.iter().all(|rest| eval(&rest.constraint, model).is_true());
                    assert!(!group.free() || rest.is_empty());
                }
                assert_eq!(said, holds, "{path:?}");
            }
            freed += groups.iter().filter(|group| group.free() && group.variables.len() > 1).count();
            kept += groups.iter().filter(|group| !group.free()).count();
        }
        assert!(freed > 100 && kept > 100, "{freed} became simple, {kept} did not");
    }
}
