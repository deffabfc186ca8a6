//! One term as text, over names for what is shared.
//!
//! The writer keeps a stack of pieces still to be written, the next on top, so that depth costs no stack of ours.
//!
//! A term of one bit is natural in one of two forms: comparisons and connectives are `Bool`s, arithmetic and extractions are
//! bit-vectors. It is written in its own form, and at the border as `(ite b #b1 #b0)` or `(= v #b1)`, which the reader knows to be
//! the same term.

use super::sort::SmtSort;
use super::spelling;
use crate::bits::Bits;
use crate::op::Op;
use crate::store::Term;
use crate::term::Sort;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The form in which one bit is written; wider terms are `Bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Bool,
    Bits,
}

/// The form that is natural for a term.
pub(super) fn form(term: &Term) -> Form {
    match term.op() {
        _ if term.sort() != Sort::Bits(1) => Form::Bits,
        Op::Const
        | Op::Symbol
        | Op::Not
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Eq
        | Op::Ult
        | Op::Slt
        | Op::Ite
        | Op::Forall => Form::Bool,
        Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr => Form::Bits,
        Op::AShr | Op::Concat | Op::Extract | Op::ZExt | Op::SExt => Form::Bits,
        Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Read | Op::Bound => Form::Bits,
    }
}

/// The sort in which a term is declared or defined: `Bool` for an input of one bit and for conditions.
pub fn sort(term: &Term) -> SmtSort {
    match (term.sort(), form(term)) {
        (Sort::Array(index), _) => SmtSort::Array { index },
        (Sort::Bits(_), Form::Bool) => SmtSort::Bool,
        (Sort::Bits(width), Form::Bits) => SmtSort::BitVec(width),
    }
}

/// The names of inputs and of shared terms. Holds the terms, so that no id is used again while it has a name.
#[derive(Default)]
pub(super) struct Names {
    inputs: FxHashMap<Term, String>,
    taken: FxHashSet<String>,
    shared: FxHashMap<Term, usize>,
}

impl Names {
    /// Gives an input its spelling; `None` if it has one.
    pub(super) fn declare(&mut self, input: &Term) -> Option<&str> {
        if self.inputs.contains_key(input) {
            return None;
        }
        let name = input.name().expect("an input has a name");
        let own = spelling::plain(name).filter(|own| !self.taken.contains(own.as_ref()));
        let spelled = own.map_or_else(|| spelling::escaped(input, name), |own| own.into_owned());
        self.taken.insert(spelled.clone());
        Some(self.inputs.entry(input.clone()).or_insert(spelled))
    }

    /// Gives a term the next name for shared terms.
    pub(super) fn share(&mut self, term: &Term) -> String {
        let number = self.shared.len() + 1;
        self.shared.insert(term.clone(), number);
        format!("$t{number}")
    }

    pub(super) fn is_shared(&self, term: &Term) -> bool {
        self.shared.contains_key(term)
    }

    pub(super) fn input(&self, term: &Term) -> Option<&str> {
        self.inputs.get(term).map(String::as_str)
    }

    /// Forgets the names of shared terms.
    pub(super) fn unshare(&mut self) {
        self.shared.clear();
    }
}

enum Piece<'a> {
    Term(&'a Term, Form),
    /// A term's operator and arguments, even if the term has a name.
    Body(&'a Term),
    Text(&'static str),
    Constant(Bits),
    /// Byte `i` of what a `Read` reads.
    Byte(&'a Term, u32),
    /// The cells of a `Table`, each closing a `store`.
    Cells(&'a Term),
    /// The body of a clause with `let`s for what it uses more than once.
    Instance(&'a Term),
}

/// The name of every bound variable: clauses do not nest.
const VARIABLE: &str = "$x";

/// Writes a reference to `term` in `form`: its name if it has one, else its operator over its arguments.
pub(super) fn write_term(out: &mut String, term: &Term, form: Form, names: &Names) {
    write(out, Piece::Term(term, form), names);
}

/// Writes what `term` is, in its natural form, even if it has a name.
pub(super) fn write_body(out: &mut String, term: &Term, names: &Names) {
    write(out, Piece::Body(term), names);
}

fn write(out: &mut String, first: Piece, names: &Names) {
    write_within(out, first, names, &FxHashMap::default());
}

/// Writes what stands in the body of a clause, or outside all: `locals` are the names that the
/// body gives to terms with its variable.
fn write_within(out: &mut String, first: Piece, names: &Names, locals: &FxHashMap<u32, usize>) {
    let mut stack = vec![first];
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Constant(value) => constant(out, &value),
            Piece::Term(term, wanted) => reference(out, term, wanted, names, locals, &mut stack),
            Piece::Body(term) => body(out, term, names, locals, &mut stack),
            Piece::Byte(read, i) => select(out, read, i, &mut stack),
            Piece::Cells(table) => cells(out, table),
            Piece::Instance(root) => instance(out, root, names),
        }
    }
}

/// The body of a clause.
fn instance(out: &mut String, root: &Term, names: &Names) {
    let mut locals = FxHashMap::default();
    for term in super::script::shared_within(root) {
        let mut text = String::new();
        write_within(&mut text, Piece::Body(term), names, &locals);
        let number = locals.len() + 1;
        write!(out, "(let (({LOCAL}{number} {text})) ").expect("a string takes everything");
        locals.insert(term.id(), number);
    }
    write_within(out, Piece::Term(root, Form::Bool), names, &locals);
    out.push_str(&")".repeat(locals.len()));
}

/// How names of terms within a clause start.
const LOCAL: &str = "$b";

fn reference<'a>(
    out: &mut String,
    term: &'a Term,
    wanted: Form,
    names: &Names,
    locals: &FxHashMap<u32, usize>,
    stack: &mut Vec<Piece<'a>>,
) {
    let one_bit = term.sort() == Sort::Bits(1);
    if let Some(value) = term.as_const() {
        match wanted {
            Form::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
            Form::Bits => constant(out, &value),
        }
    } else if one_bit && wanted != form(term) {
        let (before, after) = match wanted {
            Form::Bool => ("(= ", " #b1)"),
            Form::Bits => ("(ite ", " #b1 #b0)"),
        };
        out.push_str(before);
        stack.extend([Piece::Text(after), Piece::Term(term, form(term))]);
    } else if let Some(number) = names.shared.get(term) {
        write!(out, "$t{number}").expect("a string takes everything");
    } else if let Some(number) = locals.get(&term.id()) {
        write!(out, "{LOCAL}{number}").expect("a string takes everything");
    } else {
        body(out, term, names, locals, stack);
    }
}

/// A constant as digits: hexadecimal where the width allows.
pub(super) fn constant(out: &mut String, value: &Bits) {
    let width = value.width() as usize;
    let big = value.to_big();
    let written = match width.is_multiple_of(4) {
        true => write!(out, "#x{:0>digits$}", big.to_str_radix(16), digits = width / 4),
        false => write!(out, "#b{:0>width$}", big.to_str_radix(2)),
    };
    written.expect("a string takes everything");
}

fn body<'a>(
    out: &mut String,
    term: &'a Term,
    names: &Names,
    locals: &FxHashMap<u32, usize>,
    stack: &mut Vec<Piece<'a>>,
) {
    let own = form(term);
    let by_form = |bool: &'static str, bits: &'static str| if own == Form::Bool { bool } else { bits };
    match term.op() {
        Op::Const => reference(out, term, own, names, locals, stack),
        Op::Symbol | Op::ArraySymbol => out.push_str(names.input(term).expect("inputs are declared before use")),
        Op::Not => apply(out, by_form("not", "bvnot"), term, own, stack),
        Op::And => apply(out, by_form("and", "bvand"), term, own, stack),
        Op::Or => apply(out, by_form("or", "bvor"), term, own, stack),
        Op::Xor => apply(out, by_form("xor", "bvxor"), term, own, stack),
        Op::Add => apply(out, "bvadd", term, Form::Bits, stack),
        Op::Sub => apply(out, "bvsub", term, Form::Bits, stack),
        Op::Mul => apply(out, "bvmul", term, Form::Bits, stack),
        Op::UDiv => apply(out, "bvudiv", term, Form::Bits, stack),
        Op::SDiv => apply(out, "bvsdiv", term, Form::Bits, stack),
        Op::URem => apply(out, "bvurem", term, Form::Bits, stack),
        Op::SRem => apply(out, "bvsrem", term, Form::Bits, stack),
        Op::Shl => apply(out, "bvshl", term, Form::Bits, stack),
        Op::LShr => apply(out, "bvlshr", term, Form::Bits, stack),
        Op::AShr => apply(out, "bvashr", term, Form::Bits, stack),
        Op::Concat => apply(out, "concat", term, Form::Bits, stack),
        Op::Extract => {
            let head = format!("(_ extract {} {})", term.high(), term.low());
            apply(out, &head, term, Form::Bits, stack);
        }
        Op::ZExt | Op::SExt => {
            let name = if term.op() == Op::ZExt { "zero_extend" } else { "sign_extend" };
            let head = format!("(_ {name} {})", term.width() - term.arg(0).width());
            apply(out, &head, term, Form::Bits, stack);
        }
        Op::Eq => {
            let args = if term.arg(0).width() == 1 { Form::Bool } else { Form::Bits };
            apply(out, "=", term, args, stack);
        }
        Op::Ult => apply(out, "bvult", term, Form::Bits, stack),
        Op::Slt => apply(out, "bvslt", term, Form::Bits, stack),
        Op::Ite => {
            out.push_str("(ite ");
            let [condition, then, otherwise] = [0, 1, 2].map(|i| term.arg(i));
            stack.extend([Piece::Text(")"), Piece::Term(otherwise, own), Piece::Text(" "), Piece::Term(then, own)]);
            stack.extend([Piece::Text(" "), Piece::Term(condition, Form::Bool)]);
        }
        Op::Bound => out.push_str(VARIABLE),
        Op::Forall => {
            let (bound, width) = (term.arg(0), term.arg(0).width());
            write!(out, "(forall (({VARIABLE} (_ BitVec {width}))) (=> (and (bvule ")
                .expect("a string takes everything");
            constant(out, &Bits::one(width));
            write!(out, " {VARIABLE}) (bvule {VARIABLE} ").expect("a string takes everything");
            stack.extend([Piece::Text("))"), Piece::Instance(term.arg(1)), Piece::Text(")) ")]);
            stack.push(Piece::Term(bound, Form::Bits));
        }
        Op::Fill => apply(out, &format!("(as const {})", sort(term)), term, Form::Bits, stack),
        Op::Write => apply(out, "store", term, Form::Bits, stack),
        Op::Table => {
            let contents = term.contents().expect("a table has contents");
            out.push_str(&"(store ".repeat(contents.len()));
            stack.extend([Piece::Cells(term), Piece::Term(term.arg(0), Form::Bits)]);
        }
        Op::Read => {
            let bytes = term.width() / 8;
            out.push_str(&"(concat ".repeat(bytes as usize - 1));
            for i in 0..bytes {
                if i + 1 < bytes {
                    stack.extend([Piece::Text(")"), Piece::Byte(term, i), Piece::Text(" ")]);
                } else {
                    stack.push(Piece::Byte(term, i));
                }
            }
        }
    }
}

/// An operator over all arguments in one form.
fn apply<'a>(out: &mut String, head: &str, term: &'a Term, args: Form, stack: &mut Vec<Piece<'a>>) {
    write!(out, "({head}").expect("a string takes everything");
    stack.push(Piece::Text(")"));
    for arg in term.args().iter().rev() {
        stack.extend([Piece::Term(arg, args), Piece::Text(" ")]);
    }
}

fn cells(out: &mut String, table: &Term) {
    for (index, byte) in table.contents().expect("a table has contents").iter().enumerate() {
        out.push(' ');
        constant(out, &Bits::new(table.width(), index as u64));
        out.push(' ');
        constant(out, &Bits::new(8, u64::from(*byte)));
        out.push(')');
    }
}

/// The part of a word's index that all its bytes share, and what the first byte adds to it.
pub(super) fn split(index: &Term) -> (Option<&Term>, Bits) {
    if let Some(value) = index.as_const() {
        return (None, value);
    }
    if index.op() == Op::Add
        && let Some(offset) = index.arg(1).as_const()
    {
        return (Some(index.arg(0)), offset);
    }
    (Some(index), Bits::zero(index.width()))
}

fn select<'a>(out: &mut String, read: &'a Term, i: u32, stack: &mut Vec<Piece<'a>>) {
    let (array, index) = (read.arg(0), read.arg(1));
    out.push_str("(select ");
    stack.push(Piece::Text(")"));
    if read.width() == 8 {
        stack.push(Piece::Term(index, Form::Bits));
    } else {
        byte_index(index, i, stack);
    }
    stack.extend([Piece::Text(" "), Piece::Term(array, Form::Bits)]);
}

/// `index + i`, with constants added up.
fn byte_index<'a>(index: &'a Term, i: u32, stack: &mut Vec<Piece<'a>>) {
    let (base, first) = split(index);
    let offset = first.add(&Bits::new(index.width(), u64::from(i)));
    match base {
        None => stack.push(Piece::Constant(offset)),
        Some(base) if offset.is_zero() => stack.push(Piece::Term(base, Form::Bits)),
        Some(base) => {
            stack.extend([Piece::Text(")"), Piece::Constant(offset), Piece::Text(" ")]);
            stack.extend([Piece::Term(base, Form::Bits), Piece::Text("(bvadd ")]);
        }
    }
}
