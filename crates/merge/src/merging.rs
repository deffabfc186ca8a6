//! From states that landed at one place to fewer states.
//!
//! States are grouped by what cannot be blended: calls, output, the modelled system, the objects
//! that live pointers point to. Each group becomes one state: its constraint is the disjunction of
//! its members' as a decision tree (`tree`), and values that differ are choices over that tree. A
//! group that cannot be joined stays as it is; that costs nothing but paths.

use crate::books::Tally;
use crate::tree::Tree;
use std::cell::Cell;
use std::collections::BTreeMap;
use strata_interp::{Apart, Machine, State, common_origin};
use strata_memory::Value;
use strata_query::Path;
use strata_term::Term;

/// How states are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By place: disjunctions and choices.
    Cfg,
}

/// What is asked of merging.
#[derive(Clone, Debug)]
pub struct Options {
    /// How.
    pub mode: Mode,
    /// Compare each merged state with its parts, by the solver?
    pub check: bool,
    /// Upper bound on the states of a fragment, waiting ones included: beyond it they go on as
    /// forks.
    pub most: usize,
    /// Upper bound on the instructions that a fragment's states run while none of them lands.
    pub patience: u64,
}

/// Upper bound on the choices made for the values of one merge: values that differ times nodes of
/// the decision tree. Beyond it terms cost more than the paths that they save.
const CHOICES: usize = 1 << 20;

/// Merges states that landed. What cannot be merged comes out as it is.
#[expect(clippy::vec_box, reason = "states are large, and move between lists")]
pub(crate) fn merge(
    machine: &mut Machine<'_>,
    options: &Options,
    mut states: Vec<Box<State>>,
    tally: &mut Tally,
    faults: &mut Vec<String>,
) -> Vec<Box<State>> {
    let mut done = Vec::new();
    let mut groups: Vec<Vec<Box<State>>> = Vec::new();
    while !states.is_empty() {
        let mut of_first = machine.compatible(&mut states).into_iter().peekable();
        let (mut group, mut others) = (Vec::new(), Vec::new());
        for (i, state) in states.into_iter().enumerate() {
            if of_first.next_if_eq(&i).is_some() { group.push(state) } else { others.push(state) }
        }
        groups.push(group);
        states = others;
    }
    for group in groups {
        for part in by_pointers(machine, group) {
            done.append(&mut join(machine, options, part, tally, faults));
        }
    }
    done
}

/// States whose live pointers point to the same objects.
#[expect(clippy::vec_box, reason = "states are large, and move between lists")]
fn by_pointers(machine: &Machine<'_>, states: Vec<Box<State>>) -> Vec<Vec<Box<State>>> {
    let mut groups: BTreeMap<Vec<u32>, Vec<Box<State>>> = BTreeMap::new();
    for state in states {
        groups.entry(machine.pointed(&state)).or_default().push(state);
    }
    groups.into_values().collect()
}

/// One state of two that differ in nothing that anybody still reads. The first is alive: the joined
/// state is in its fragments.
pub(crate) fn unite(
    machine: &mut Machine<'_>,
    options: &Options,
    state: &mut Box<State>,
    other: &mut Box<State>,
    faults: &mut Vec<String>,
) -> Option<Box<State>> {
    let mut both = [state.fork(), other.fork()];
    let joined = machine.join(&mut both, &mut |_, _| None).ok()?;
    let tree = Tree::new(&[&both[0].path, &both[1].path])?;
    Some(finish(machine, options, &tree, joined, &both, &[], faults))
}

/// Puts the joined state on its path.
fn finish(
    machine: &mut Machine<'_>,
    options: &Options,
    tree: &Tree,
    mut joined: Box<State>,
    states: &[Box<State>],
    blended: &[Blended],
    faults: &mut Vec<String>,
) -> Box<State> {
    let condition = tree.condition();
    if options.check {
        check(machine, tree, &condition, states, blended, faults);
    }
    let witness = states.iter().find_map(|state| state.witness.clone());
    joined.path = tree.base().clone();
    if condition.is_true() {
        joined.witness = witness;
    } else {
        machine.extend(&mut joined, &condition, witness);
    }
    joined
}

/// The values that states have, how wide they are, and the one that stands for them.
type Blended = (Vec<Option<Value>>, u32, Value);

/// One state of several, or these.
#[expect(clippy::vec_box, reason = "states are large, and move between lists")]
fn join(
    machine: &mut Machine<'_>,
    options: &Options,
    mut states: Vec<Box<State>>,
    tally: &mut Tally,
    faults: &mut Vec<String>,
) -> Vec<Box<State>> {
    if states.len() < 2 {
        return states;
    }
    let paths: Vec<&Path> = states.iter().map(|state| &state.path).collect();
    let Some(tree) = Tree::new(&paths) else {
        *tally.apart.entry(Apart::Engine).or_default() += states.len() as u64;
        return states;
    };
    let spent = Cell::new(0);
    let mut blended: Vec<Blended> = Vec::new();
    let joined = machine.join(&mut states, &mut |values, width| {
        spent.set(spent.get() + tree.size());
        let value = if spent.get() > CHOICES { None } else { blend(&tree, values, width) };
        if let Some(value) = value.as_ref().filter(|_| options.check) {
            blended.push((values.to_vec(), width, value.clone()));
        }
        value
    });
    match joined {
        Err(why) => {
            *tally.apart.entry(why).or_default() += states.len() as u64;
            states
        }
        Ok(joined) => vec![finish(machine, options, &tree, joined, &states, &blended, faults)],
    }
}

/// One value for those that the states have.
fn blend(tree: &Tree, values: &[Option<Value>], width: u32) -> Option<Value> {
    let origin = common_origin(values.iter().flatten())?;
    let terms: Vec<Option<Term>> = values.iter().map(|value| value.as_ref().map(|v| v.to_term(width))).collect();
    Some(Value::term(tree.choose(&terms)?).with_origin(origin))
}

/// Asks the solver whether the merged state is just what its parts are: its condition is their
/// disjunction, and on each part's path each value is that part's.
fn check(
    machine: &mut Machine<'_>,
    tree: &Tree,
    condition: &Term,
    states: &[Box<State>],
    blended: &[Blended],
    faults: &mut Vec<String>,
) {
    let tails: Vec<Term> = states
        .iter()
        .map(|state| {
            let fresh = state.path.len() - tree.base().len();
            state.path.iter().take(fresh).fold(Term::bool(true), |all, term| all.and(term))
        })
        .collect();
    let any = tails.iter().fold(Term::bool(false), |any, tail| any.or(tail));
    if machine.may_hold(tree.base(), &any.ne(condition)) {
        faults.push("the condition of a merged state is not the disjunction of its parts'".into());
    }
    for (values, width, value) in blended {
        for (tail, own) in tails.iter().zip(values) {
            let Some(own) = own else { continue };
            if machine.may_hold(tree.base(), &tail.and(&own.to_term(*width).ne(&value.to_term(*width)))) {
                faults.push("a value of a merged state is not that of its part".into());
            }
        }
    }
}
