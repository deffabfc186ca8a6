//! From states that landed at one place to fewer states.
//!
//! States are grouped by what cannot be blended: calls, output, the modelled system, the objects
//! that live pointers point to. Each group becomes one state: its constraint is the disjunction of
//! its members' as a decision tree (`tree`), and values that differ are choices over that tree. A
//! group that cannot be joined stays as it is; that costs nothing but paths.

use crate::States;
use crate::books::Tally;
use crate::pattern::{self, Pattern};
use crate::tree::Tree;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use strata_interp::{Apart, Machine, State, common_origin};
use strata_memory::Value;
use strata_query::Path;
use strata_term::{Op, Term, post_order};

/// How states are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By place: disjunctions and choices.
    Cfg,
    /// By regular patterns, each as a clause over its rounds; by place where there is none.
    Pattern,
    /// As `Pattern`, but only in loops where that paid before.
    Auto,
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

/// Merges states that landed. What cannot be merged comes out as it is. `name` is a prefix for the
/// names of fresh inputs.
pub(crate) fn merge(
    machine: &mut Machine<'_>,
    options: &Options,
    mut states: States,
    name: &str,
    books: &mut Accounts<'_>,
) -> States {
    let mut done = Vec::new();
    let mut groups: Vec<States> = Vec::new();
    while !states.is_empty() {
        let mut of_first = machine.compatible(&mut states).into_iter().peekable();
        let (mut group, mut others) = (Vec::new(), Vec::new());
        for (i, state) in states.into_iter().enumerate() {
            if of_first.next_if_eq(&i).is_some() { group.push(state) } else { others.push(state) }
        }
        groups.push(group);
        states = others;
    }
    let parts: Vec<_> = groups.into_iter().flat_map(|group| by_pointers(machine, group)).collect();
    for (number, mut part) in parts.into_iter().enumerate() {
        if options.mode != Mode::Cfg {
            done.append(&mut patterns(machine, options, &mut part, &format!("{name}:{number}"), books));
        }
        done.append(&mut join(machine, options, part, books));
    }
    done
}

/// What is noted of merging.
pub(crate) struct Accounts<'a> {
    pub tally: &'a mut Tally,
    /// Merged states that are not what their parts are.
    pub faults: &'a mut Vec<String>,
}

impl Accounts<'_> {
    fn apart(&mut self, why: Apart, states: usize) {
        *self.tally.apart.entry(why).or_default() += states as u64;
    }
}

/// How many different places of inputs the paths of states mention behind a beginning, up to one
/// more than are few.
fn cells(states: &[Box<State>], base: &Path) -> usize {
    let constraints = states.iter().flat_map(|state| state.path.iter().take(state.path.len() - base.len()));
    let mut seen = BTreeSet::new();
    for constraint in constraints {
        let reads = post_order([constraint]).into_iter().filter(|term| term.op() == Op::Read);
        seen.extend(reads.map(Term::id));
        if seen.len() > FEW_CELLS {
            break;
        }
    }
    seen.len()
}

/// Conditions over so few places of inputs are decided by sets of values.
const FEW_CELLS: usize = 2;

/// Takes out the states that are regular patterns. Gives one for each pattern.
fn patterns(
    machine: &mut Machine<'_>,
    options: &Options,
    states: &mut States,
    name: &str,
    books: &mut Accounts<'_>,
) -> States {
    let paths: Vec<&Path> = states.iter().map(|state| &state.path).collect();
    let Some(base) = paths.iter().map(|path| (*path).clone()).reduce(|a, b| a.common(&b)) else { return Vec::new() };
    // A disjunction is simpler where it is about few inputs, or where the states have the same
    // values, so that nothing would depend on the count.
    if cells(states, &base) <= FEW_CELLS || machine.join(states, &mut |_, _| None).is_ok() {
        return Vec::new();
    }
    let paths: Vec<&Path> = states.iter().map(|state| &state.path).collect();
    let found = pattern::find(&paths, &base, name);
    let mut slots: Vec<Option<Box<State>>> = std::mem::take(states).into_iter().map(Some).collect();
    let mut made = Vec::new();
    for pattern in found {
        let mut members: States = pattern.members.iter().filter_map(|(i, _)| slots[*i].take()).collect();
        match one_pattern(machine, options, &pattern, &base, &mut members, books) {
            Some(state) => {
                books.tally.patterns += 1;
                made.push(state);
            }
            None => pattern.members.iter().zip(members).for_each(|((i, _), state)| slots[*i] = Some(state)),
        }
    }
    states.extend(slots.into_iter().flatten());
    made
}

/// The state that stands for the members of a pattern.
fn one_pattern(
    machine: &mut Machine<'_>,
    options: &Options,
    pattern: &Pattern,
    base: &Path,
    members: &mut [Box<State>],
    books: &mut Accounts<'_>,
) -> Option<Box<State>> {
    let mut blended: Vec<Blended> = Vec::new();
    let spent = Cell::new(0);
    let joined = machine.join(members, &mut |values, width| {
        spent.set(spent.get() + values.len());
        if spent.get() > CHOICES {
            return None;
        }
        let origin = common_origin(values.iter().flatten())?;
        let of = |(value, (_, count)): (&Option<Value>, &(usize, u64))| Some((*count, value.as_ref()?.to_term(width)));
        let terms: Vec<(u64, Term)> = values.iter().zip(&pattern.members).filter_map(of).collect();
        let value = Value::term(pattern.value(&terms)).with_origin(origin);
        if options.check {
            blended.push((values.to_vec(), width, value.clone()));
        }
        Some(value)
    });
    let mut joined = match joined {
        Ok(joined) => joined,
        Err(why) => {
            books.apart(why, members.len());
            return None;
        }
    };
    if options.check {
        let here = |count: u64| pattern.count.eq(&Term::number(pattern.count.width(), count));
        let whole = pattern.constraints.iter().fold(Term::bool(true), |all, term| all.and(term));
        let parts: Vec<Term> = members
            .iter()
            .zip(&pattern.members)
            .map(|(state, (_, count))| tail(state, base).and(&here(*count)))
            .collect();
        check(machine, base, &whole, &parts, &blended, books.faults);
    }
    let first = &members[0];
    let witness = first.witness.as_ref().map(|witness| {
        let mut model = (**witness).clone();
        let (_, count) = pattern.members[0];
        (0..u64::from(pattern.bytes)).for_each(|i| model.set_cell(&pattern.array, i, (count >> (8 * i)) as u8));
        Arc::new(model)
    });
    joined.path = base.clone();
    for constraint in &pattern.constraints {
        if !constraint.is_true() {
            machine.extend(&mut joined, constraint, witness.clone());
        }
    }
    joined.witness = witness;
    Some(joined)
}

/// What a state's path adds to a beginning.
fn tail(state: &State, base: &Path) -> Term {
    state.path.iter().take(state.path.len() - base.len()).fold(Term::bool(true), |all, term| all.and(term))
}

/// States whose live pointers point to the same objects.
fn by_pointers(machine: &Machine<'_>, states: States) -> Vec<States> {
    let mut groups: BTreeMap<Vec<u32>, States> = BTreeMap::new();
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

/// More states than this at the start of a round are merged even where their registers differ.
const CROWD: usize = 12;

/// Merges states at the start of a round: those that agree in registers, and all if they are many.
pub(crate) fn blend_round(
    machine: &mut Machine<'_>,
    options: &Options,
    states: States,
    books: &mut Accounts<'_>,
) -> States {
    let mut groups: BTreeMap<u64, States> = BTreeMap::new();
    let mut order = Vec::new();
    for state in states {
        let key = machine.key(&state);
        let group = groups.entry(key).or_default();
        if group.is_empty() {
            order.push(key);
        }
        group.push(state);
    }
    let mut done = Vec::new();
    for key in order {
        done.append(&mut join(machine, options, groups.remove(&key).unwrap_or_default(), books));
    }
    if done.len() > CROWD {
        let by_place = Options { mode: Mode::Cfg, ..options.clone() };
        done = merge(machine, &by_place, done, "", books);
    }
    done
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
        let parts: Vec<Term> = states.iter().map(|state| tail(state, tree.base())).collect();
        check(machine, tree.base(), &condition, &parts, blended, faults);
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
fn join(machine: &mut Machine<'_>, options: &Options, mut states: States, books: &mut Accounts<'_>) -> States {
    if states.len() < 2 {
        return states;
    }
    let paths: Vec<&Path> = states.iter().map(|state| &state.path).collect();
    let Some(tree) = Tree::new(&paths) else {
        books.apart(Apart::Engine, states.len());
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
            books.apart(why, states.len());
            states
        }
        Ok(joined) => vec![finish(machine, options, &tree, joined, &states, &blended, books.faults)],
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
    base: &Path,
    condition: &Term,
    parts: &[Term],
    blended: &[Blended],
    faults: &mut Vec<String>,
) {
    let any = parts.iter().fold(Term::bool(false), |any, part| any.or(part));
    if machine.may_hold(base, &any.ne(condition)) {
        faults.push("the condition of a merged state is not the disjunction of its parts'".into());
    }
    for (values, width, value) in blended {
        for (part, own) in parts.iter().zip(values) {
            let Some(own) = own else { continue };
            if machine.may_hold(base, &part.and(&own.to_term(*width).ne(&value.to_term(*width)))) {
                faults.push("a value of a merged state is not that of its part".into());
            }
        }
    }
}
