//! Whole scripts, and what a solver process is told piece by piece.
//!
//! A script names what is used more than once: by `let`s around the body of each assertion, or by definitions ahead of all
//! of them. A session names every term that is not a leaf, once and for all: what is shared with later questions is not known
//! yet, so anything less would write a term again each time it comes back.

use super::printer::{Form, Names, form, sort, split, write_body, write_term};
use crate::op::Op;
use crate::store::Term;
use crate::walk::{Seen, inputs, post_order};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// How a script names what is used more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// `let`s inside each assertion.
    Let,
    /// `(define-fun $t1 () sort term)` before the assertions.
    Define,
}

/// A script that asks whether `constraints` (one bit each) can hold together.
pub fn print_query(constraints: &[Term], sharing: Sharing) -> String {
    let mut out = String::new();
    let mut names = Names::default();
    let order = post_order(constraints);
    let arrays = order.iter().any(|term| term.is_array());
    let logic = match (constraints.iter().any(Term::has_clause), arrays) {
        (true, _) => "ALL",
        (false, true) => "QF_ABV",
        (false, false) => "QF_BV",
    };
    writeln!(out, "(set-logic {logic})").expect("a string takes everything");
    for input in order.into_iter().filter(|term| term.name().is_some()) {
        declare(&mut out, input, &mut names);
    }
    if sharing == Sharing::Define {
        for term in shared(constraints) {
            define(&mut out, term, &mut names);
        }
    }
    for constraint in constraints {
        out.push_str("(assert ");
        match sharing {
            Sharing::Let => with_lets(&mut out, constraint, &mut names),
            Sharing::Define => write_term(&mut out, constraint, Form::Bool, &names),
        }
        out.push_str(")\n");
    }
    out.push_str("(check-sat)\n");
    out
}

/// One term, with `let`s for what it shares. One bit is written as a `Bool`.
pub fn print_term(term: &Term) -> String {
    let mut out = String::new();
    let mut names = Names::default();
    for input in inputs([term]) {
        names.declare(input);
    }
    with_lets(&mut out, term, &mut names);
    out
}

fn declare(out: &mut String, input: &Term, names: &mut Names) {
    if let Some(name) = names.declare(input) {
        writeln!(out, "(declare-fun {name} () {})", sort(input)).expect("a string takes everything");
    }
}

fn define(out: &mut String, term: &Term, names: &mut Names) {
    let mut text = String::new();
    write_body(&mut text, term, names);
    let (name, sort) = (names.share(term), sort(term));
    writeln!(out, "(define-fun {name} () {sort} {text})").expect("a string takes everything");
}

/// The form in which a term stands alone: one bit as a `Bool`.
fn alone(term: &Term) -> Form {
    if !term.is_array() && term.width() == 1 { Form::Bool } else { Form::Bits }
}

fn with_lets(out: &mut String, root: &Term, names: &mut Names) {
    let mut lets = 0;
    for term in shared([root]) {
        let mut text = String::new();
        write_body(&mut text, term, names);
        write!(out, "(let (({} {text})) ", names.share(term)).expect("a string takes everything");
        lets += 1;
    }
    write_term(out, root, alone(root), names);
    out.push_str(&")".repeat(lets));
    names.unshare();
}

fn is_leaf(term: &Term) -> bool {
    matches!(term.op(), Op::Const | Op::Symbol | Op::ArraySymbol | Op::Bound)
}

/// The terms with the variable of a clause that its body uses more than once, arguments before
/// the terms that use them.
pub(super) fn shared_within(body: &Term) -> Vec<&Term> {
    let mut order = used_again([body]);
    order.retain(|term| term.is_open());
    order
}

/// The terms other than leaves that are written more than once and have a value by themselves,
/// arguments before the terms that use them.
fn shared<'a>(roots: impl IntoIterator<Item = &'a Term> + Clone) -> Vec<&'a Term> {
    let mut order = used_again(roots);
    order.retain(|term| !term.is_open());
    order
}

fn used_again<'a>(roots: impl IntoIterator<Item = &'a Term> + Clone) -> Vec<&'a Term> {
    let mut order = post_order(roots.clone());
    let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
    let mut count = |term: &Term, times: u32| {
        let uses = uses.entry(term.id()).or_default();
        *uses = uses.saturating_add(times);
    };
    roots.into_iter().for_each(|root| count(root, 1));
    for term in &order {
        let bytes = term.width() / 8;
        if term.op() == Op::Read && bytes > 1 {
            // Each byte names the array and the index.
            count(term.arg(0), bytes);
            split(term.arg(1)).0.into_iter().for_each(|base| count(base, bytes));
        } else {
            term.args().iter().for_each(|arg| count(arg, 1));
        }
    }
    order.retain(|term| !is_leaf(term) && uses.get(&term.id()).is_some_and(|uses| *uses > 1));
    order
}

/// What a solver process has been told so far. The process must be started with `Session::PREAMBLE`, so that definitions
/// outlive the level at which they were made.
#[derive(Default)]
pub struct Session {
    names: Names,
}

impl Session {
    /// What a process is told before anything else.
    pub const PREAMBLE: &'static str = "(set-option :global-declarations true)\n";

    /// A session in which nothing has been said.
    pub fn new() -> Session {
        Session::default()
    }

    /// Writes the declarations and definitions that `term` needs and that were not written before, and gives the text that
    /// stands for it from now on. One bit is given as a `Bool`.
    pub fn define(&mut self, term: &Term, out: &mut String) -> String {
        let mut stack = vec![(term, false)];
        let mut open = Seen::default();
        while let Some((term, ready)) = stack.pop() {
            if term.is_const() || self.names.is_shared(term) {
                continue;
            }
            if term.is_open() {
                // It is written in the body of its clause; what it is made of may be named.
                if open.insert(term.id()) {
                    stack.extend(term.args().iter().map(|arg| (arg, false)));
                }
            } else if is_leaf(term) {
                declare(out, term, &mut self.names);
            } else if ready {
                define(out, term, &mut self.names);
            } else {
                stack.push((term, true));
                stack.extend(term.args().iter().map(|arg| (arg, false)));
            }
        }
        let mut text = String::new();
        write_term(&mut text, term, alone(term), &self.names);
        text
    }

    /// Writes an assertion of `constraint` (one bit) and what it needs.
    pub fn assert(&mut self, constraint: &Term, out: &mut String) {
        let text = self.define(constraint, out);
        writeln!(out, "(assert {text})").expect("a string takes everything");
    }

    /// The text that stands for `term` in its natural sort (`Bool` for conditions), if it was declared or defined.
    pub fn name(&self, term: &Term) -> Option<String> {
        let known = self.names.is_shared(term) || self.names.input(term).is_some();
        known.then(|| {
            let mut text = String::new();
            write_term(&mut text, term, form(term), &self.names);
            text
        })
    }
}
