//! What each name of a script means at the current place.
//!
//! One map holds operators, declarations, definitions and `let` bindings: a name is looked up once. A `let` remembers what it
//! shadows and puts it back; `pop` removes what its levels declared. Declarations shadow nothing, so removing suffices.

use super::operators::{Indexed, ROWS, Row};
use super::sort::{SmtSort, Value};
use crate::store::Term;
use crate::substitute::{Substitution, rebuild};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

/// A word of the language that is not an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reserved {
    Let,
    Annotation,
    Underscore,
    As,
    Forall,
    Unsupported,
}

const RESERVED: [(&str, Reserved); 13] = [
    ("let", Reserved::Let),
    ("!", Reserved::Annotation),
    ("_", Reserved::Underscore),
    ("as", Reserved::As),
    ("forall", Reserved::Forall),
    ("exists", Reserved::Unsupported),
    ("match", Reserved::Unsupported),
    ("par", Reserved::Unsupported),
    ("BINARY", Reserved::Unsupported),
    ("DECIMAL", Reserved::Unsupported),
    ("HEXADECIMAL", Reserved::Unsupported),
    ("NUMERAL", Reserved::Unsupported),
    ("STRING", Reserved::Unsupported),
];

/// A function with parameters: its body over symbols that no script can write.
#[derive(Debug)]
pub(super) struct Function {
    pub name: String,
    pub parameters: Vec<Value>,
    pub body: Value,
}

impl Function {
    /// The body with arguments in place of the parameters, or why they do not fit.
    pub(super) fn call(&self, args: &[Value]) -> Result<Value, String> {
        let (name, want) = (&self.name, &self.parameters);
        if args.len() != want.len() {
            return Err(super::operators::wrong_count(name, &format!("{} arguments", want.len()), args.len()));
        }
        if args.iter().zip(want).any(|(arg, parameter)| arg.sort != parameter.sort) {
            let sorts: Vec<String> = want.iter().map(|parameter| parameter.sort.to_string()).collect();
            return Err(super::operators::ill_sorted(name, &sorts.join(", "), args));
        }
        if self.body.term.has_clause() && args.iter().any(|arg| arg.term.is_open()) {
            return Err(format!("{name} has a quantifier in it: in the body of another it is not supported"));
        }
        let substitution: Substitution =
            want.iter().zip(args).map(|(parameter, arg)| (parameter.term.clone(), arg.term.clone())).collect();
        let term = rebuild(std::slice::from_ref(&self.body.term), &substitution).remove(0);
        Ok(Value { term, sort: self.body.sort })
    }
}

/// What a name means.
#[derive(Clone)]
pub(super) enum Binding {
    Reserved(Reserved),
    Operator(&'static Row),
    Indexed(Indexed),
    /// A declared or defined constant.
    Global(Value),
    /// Bound by the `let` (or the definition) of this number.
    Local(Value, u32),
    Function(Arc<Function>),
}

/// A constant that a script declared.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// The input it stands for.
    pub term: Term,
    /// The sort it was declared with.
    pub sort: SmtSort,
}

/// A mark in the record of what is shadowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shadow(usize);

pub(super) struct Symbols<'t> {
    bindings: FxHashMap<&'t [u8], Binding>,
    /// Global names in the order of their commands, and the declarations among them.
    globals: Vec<(&'t [u8], Option<Declaration>)>,
    /// How many globals there were at each push.
    levels: Vec<usize>,
    shadowed: Vec<(&'t [u8], Option<Binding>)>,
    lets: u32,
    /// Do globals survive `pop`?
    pub keep: bool,
}

/// More levels than this are a mistake.
pub(super) const MAX_LEVELS: usize = 1 << 20;

fn builtin() -> impl Iterator<Item = (&'static str, Binding)> {
    let constants = [("true", true), ("false", false)];
    ROWS.iter()
        .map(|row| (row.name, Binding::Operator(row)))
        .chain(Indexed::ALL.iter().map(|(name, op)| (*name, Binding::Indexed(*op))))
        .chain(RESERVED.iter().map(|(name, word)| (*name, Binding::Reserved(*word))))
        .chain(constants.map(|(name, value)| (name, Binding::Global(Value::bool(Term::bool(value))))))
}

/// Does the language give this name a meaning?
pub(super) fn is_builtin(name: &str) -> bool {
    static NAMES: OnceLock<FxHashSet<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| builtin().map(|(name, _)| name).collect()).contains(name)
}

impl<'t> Symbols<'t> {
    pub(super) fn new() -> Symbols<'t> {
        let bindings = builtin().map(|(name, binding)| (name.as_bytes(), binding)).collect();
        Symbols { bindings, globals: Vec::new(), levels: Vec::new(), shadowed: Vec::new(), lets: 0, keep: false }
    }

    pub(super) fn get(&self, name: &[u8]) -> Option<&Binding> {
        self.bindings.get(name)
    }

    /// Binds a global name; false if it has a meaning already.
    pub(super) fn bind(&mut self, name: &'t [u8], binding: Binding, declaration: Option<Declaration>) -> bool {
        if self.bindings.contains_key(name) {
            return false;
        }
        self.bindings.insert(name, binding);
        self.globals.push((name, declaration));
        true
    }

    pub(super) fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.globals.iter().filter_map(|(_, declaration)| declaration.as_ref())
    }

    /// Binds the names of one `let`, all at once. `Err` names one that is bound twice.
    pub(super) fn shadow(
        &mut self,
        names: impl Iterator<Item = &'t [u8]>,
        values: impl Iterator<Item = Value>,
    ) -> (Shadow, Result<(), &'t [u8]>) {
        let mark = Shadow(self.shadowed.len());
        self.lets = self.lets.wrapping_add(1);
        let mut result = Ok(());
        for (name, value) in names.zip(values) {
            let before = self.bindings.insert(name, Binding::Local(value, self.lets));
            if matches!(before, Some(Binding::Local(_, number)) if number == self.lets) {
                result = Err(name);
            }
            self.shadowed.push((name, before));
        }
        (mark, result)
    }

    /// Puts back what was shadowed since `mark`.
    pub(super) fn unshadow(&mut self, mark: Shadow) {
        for (name, before) in self.shadowed.drain(mark.0..).rev() {
            match before {
                Some(binding) => self.bindings.insert(name, binding),
                None => self.bindings.remove(name),
            };
        }
    }

    /// Puts back everything that is shadowed.
    pub(super) fn unshadow_all(&mut self) {
        self.unshadow(Shadow(0));
    }

    pub(super) fn depth(&self) -> usize {
        self.levels.len()
    }

    pub(super) fn push(&mut self, levels: usize) {
        self.levels.resize(self.levels.len() + levels, self.globals.len());
    }

    /// Removes at most as many levels as there are.
    pub(super) fn pop(&mut self, levels: usize) {
        let left = self.levels.len().saturating_sub(levels);
        if let Some(globals) = self.levels.get(left).copied() {
            self.forget(globals);
        }
        self.levels.truncate(left);
    }

    fn forget(&mut self, from: usize) {
        if !self.keep {
            for (name, _) in self.globals.drain(from..) {
                self.bindings.remove(name);
            }
        }
    }

    /// Removes all levels and, unless they are to be kept, all globals.
    pub(super) fn reset_assertions(&mut self) {
        self.levels.clear();
        self.forget(0);
    }
}
