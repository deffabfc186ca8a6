//! Queries as KQuery text. What is shared gets a label where it first stands.
//!
//! KQuery has no inputs but arrays of bytes, so a bit-vector input is written as the
//! little-endian word that an array of its name starts with. It has no choice between arrays and
//! no array of one symbolic byte: such queries are refused, and so are clauses with a bound that
//! is no constant.

use super::lexer::{in_name_char, is_name};
use super::parser::Query;
use crate::clause::expand;
use crate::op::Op;
use crate::store::Term;
use crate::walk::post_order;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

/// Why a query cannot be written in KQuery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inexpressible {
    /// It chooses between two arrays.
    Choice,
    /// It fills an array with a byte other than zero.
    Fill,
    /// It has a clause with a bound that is no constant.
    Clause,
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inexpressible::Choice => write!(f, "KQuery has no choice between arrays"),
            Inexpressible::Fill => write!(f, "KQuery has no array filled with a byte other than zero"),
            Inexpressible::Clause => write!(f, "KQuery has no quantifier, and the bound of one is not constant"),
        }
    }
}

impl std::error::Error for Inexpressible {}

/// `query` with the declarations it needs.
pub fn print_query(query: &Query) -> Result<String, Inexpressible> {
    if query.constraints.iter().chain([&query.query]).chain(&query.values).any(Term::has_clause) {
        return print_query(&expanded(query)?);
    }
    let wanted = query.arrays.iter().map(|array| &array.term);
    let roots: Vec<&Term> =
        query.constraints.iter().chain([&query.query]).chain(&query.values).chain(wanted.clone()).collect();
    let order = post_order(roots.iter().copied());
    let mut printer = Printer::default();
    printer.count(&order, &roots);
    printer.declare(&order, query)?;
    printer.out.push_str("(query [");
    printer.list(&query.constraints);
    printer.out.push_str("]\n       ");
    printer.write(Piece::Expression(&query.query));
    if !query.values.is_empty() || !query.arrays.is_empty() {
        printer.out.push_str("\n       [");
        printer.list(&query.values);
        printer.out.push(']');
    }
    if !query.arrays.is_empty() {
        let names: Vec<&str> = wanted.map(|array| printer.declared[array].as_str()).collect();
        let names = names.join(" ");
        write!(printer.out, "\n       [{names}]").expect("a string takes everything");
    }
    printer.out.push_str(")\n");
    Ok(printer.out)
}

/// The query with all instances in place of each clause.
fn expanded(query: &Query) -> Result<Query, Inexpressible> {
    let of = |terms: &[Term]| expand(terms, |clause| clause.arg(0).const_u64()).ok_or(Inexpressible::Clause);
    let constraints = of(&query.constraints)?;
    let (goal, values) = (of(std::slice::from_ref(&query.query))?.remove(0), of(&query.values)?);
    Ok(Query { constraints, query: goal, values, arrays: query.arrays.clone() })
}

enum Piece<'a> {
    Text(&'static str),
    Owned(String),
    Expression(&'a Term),
    Version(&'a Term),
}

#[derive(Default)]
struct Printer {
    out: String,
    uses: FxHashMap<u32, u32>,
    /// Names of the arrays that stand for inputs and constant contents.
    declared: FxHashMap<Term, String>,
    taken: FxHashSet<String>,
    /// Labels given so far, by id: the query holds the terms.
    labels: FxHashMap<u32, String>,
}

/// Is it an array with all its contents constant?
fn is_constant(term: &Term) -> bool {
    term.op() == Op::Fill || term.op() == Op::Table && term.arg(0).op() == Op::Fill
}

impl Printer {
    fn count(&mut self, order: &[&Term], roots: &[&Term]) {
        for term in order.iter().flat_map(|term| term.args()).chain(roots.iter().copied()) {
            *self.uses.entry(term.id()).or_default() += 1;
        }
    }

    fn declare(&mut self, order: &[&Term], query: &Query) -> Result<(), Inexpressible> {
        let sizes = sizes(order);
        for term in order {
            let index = term.width();
            match term.op() {
                Op::Symbol => self.declare_symbolic(term, u64::from(index.div_ceil(8)), 32),
                Op::ArraySymbol => {
                    let known = query.arrays.iter().find(|array| array.term == **term).and_then(|array| array.size);
                    let size = known.unwrap_or_else(|| sizes.get(&term.id()).copied().unwrap_or(1));
                    self.declare_symbolic(term, size, index);
                }
                Op::Fill if !term.arg(0).is_zero() => return Err(Inexpressible::Fill),
                Op::Fill => self.declare_constant(term, &[0]),
                Op::Table if is_constant(term) => {
                    let contents = term.contents().expect("a table has contents");
                    self.declare_constant(term, if contents.is_empty() { &[0] } else { contents });
                }
                Op::Ite if term.is_array() => return Err(Inexpressible::Choice),
                Op::Const | Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul | Op::UDiv => {}
                Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr | Op::Concat | Op::Extract => {}
                Op::ZExt | Op::SExt | Op::Eq | Op::Ult | Op::Slt | Op::Ite | Op::Table | Op::Write | Op::Read => {}
                Op::Bound | Op::Forall => return Err(Inexpressible::Clause),
            }
        }
        Ok(())
    }

    fn declare_symbolic(&mut self, input: &Term, size: u64, index: u32) {
        let name = self.name(input, input.name().expect("an input has a name"));
        writeln!(self.out, "array {name}[{size}] : w{index} -> w8 = symbolic").expect("a string takes everything");
    }

    fn declare_constant(&mut self, array: &Term, contents: &[u8]) {
        let name = self.name(array, "const");
        write!(self.out, "array {name}[{}] : w{} -> w8 = [", contents.len(), array.width()).expect("a string");
        for (number, byte) in contents.iter().enumerate() {
            let blank = if number == 0 { "" } else { " " };
            write!(self.out, "{blank}{byte}").expect("a string takes everything");
        }
        self.out.push_str("]\n");
    }

    /// A name that no other array and no label has, as near to `wanted` as that allows.
    fn name(&mut self, term: &Term, wanted: &str) -> String {
        let label = |name: &str| {
            let digits = name.strip_prefix(['N', 'U']);
            digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let fits = |name: &str| is_name(name.as_bytes()) && !label(name);
        let mut name: String = wanted.chars().map(|c| if in_name_char(c) { c } else { '_' }).collect();
        if !fits(&name) {
            name = format!("a_{name}");
        }
        let mut unique = name.clone();
        let mut number = 0;
        while !self.taken.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}_{number}");
        }
        self.declared.insert(term.clone(), unique.clone());
        unique
    }

    fn list(&mut self, terms: &[Term]) {
        for (number, term) in terms.iter().enumerate() {
            if number > 0 {
                self.out.push_str("\n        ");
            }
            self.write(Piece::Expression(term));
        }
    }

    fn write(&mut self, first: Piece) {
        let mut stack = vec![first];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Owned(text) => self.out.push_str(&text),
                Piece::Expression(term) => self.expression(term, &mut stack),
                Piece::Version(term) => self.version(term, &mut stack),
            }
        }
    }

    fn is_shared(&self, term: &Term) -> bool {
        self.uses.get(&term.id()).is_some_and(|uses| *uses > 1)
    }

    /// Writes the label of a term that has one (true), or gives a shared term its label and writes that before it.
    fn labelled(&mut self, term: &Term, letter: char) -> bool {
        if let Some(label) = self.labels.get(&term.id()) {
            self.out.push_str(label);
            return true;
        }
        if self.is_shared(term) {
            let label = format!("{letter}{}", self.labels.len());
            self.out.push_str(&label);
            self.out.push(':');
            self.labels.insert(term.id(), label);
        }
        false
    }

    fn expression<'a>(&mut self, term: &'a Term, stack: &mut Vec<Piece<'a>>) {
        if let Some(value) = term.as_const() {
            let text = match term.width() {
                1 => value.is_true().to_string(),
                width => format!("(w{width} {value})"),
            };
            self.out.push_str(&text);
            return;
        }
        if term.op() == Op::Symbol {
            let text = word(&self.declared[term], term.width());
            self.out.push_str(&text);
            return;
        }
        if !self.labelled(term, 'N') {
            self.operator(term, stack);
        }
    }

    fn operator<'a>(&mut self, term: &'a Term, stack: &mut Vec<Piece<'a>>) {
        let width = term.width();
        let typed = |name: &str| format!("({name} w{width}");
        let head = match term.op() {
            Op::Not => typed("Not"),
            Op::And => typed("And"),
            Op::Or => typed("Or"),
            Op::Xor => typed("Xor"),
            Op::Add => typed("Add"),
            Op::Sub => typed("Sub"),
            Op::Mul => typed("Mul"),
            Op::UDiv => typed("UDiv"),
            Op::SDiv => typed("SDiv"),
            Op::URem => typed("URem"),
            Op::SRem => typed("SRem"),
            Op::Shl => typed("Shl"),
            Op::LShr => typed("LShr"),
            Op::AShr => typed("AShr"),
            Op::Concat => typed("Concat"),
            Op::Extract => format!("(Extract w{width} {}", term.low()),
            Op::ZExt => typed("ZExt"),
            Op::SExt => typed("SExt"),
            Op::Eq => "(Eq".into(),
            Op::Ult => "(Ult".into(),
            Op::Slt => "(Slt".into(),
            Op::Ite => typed("Select"),
            Op::Read => {
                self.out.push_str(&typed(if width == 8 { "Read" } else { "ReadLSB" }));
                stack.extend([Piece::Text(")"), Piece::Version(term.arg(0)), Piece::Text(" ")]);
                stack.extend([Piece::Expression(term.arg(1)), Piece::Text(" ")]);
                return;
            }
            Op::Const | Op::Symbol | Op::ArraySymbol | Op::Fill | Op::Table | Op::Write | Op::Bound | Op::Forall => {
                unreachable!("{:?} is written elsewhere", term.op())
            }
        };
        self.out.push_str(&head);
        stack.push(Piece::Text(")"));
        for arg in term.args().iter().rev() {
            stack.extend([Piece::Expression(arg), Piece::Text(" ")]);
        }
    }

    fn version<'a>(&mut self, array: &'a Term, stack: &mut Vec<Piece<'a>>) {
        if let Some(name) = self.declared.get(array) {
            self.out.push_str(name);
            return;
        }
        if self.labelled(array, 'U') {
            return;
        }
        self.out.push('[');
        let mut pieces = Vec::new();
        let mut below = array;
        loop {
            match below.contents() {
                Some(contents) => {
                    let cells: Vec<String> =
                        contents.iter().enumerate().map(|(at, byte)| format!("{at}={byte}")).collect();
                    pieces.push(Piece::Owned(cells.join(", ")));
                }
                None => {
                    pieces.extend([Piece::Expression(below.arg(1)), Piece::Text("=")]);
                    pieces.push(Piece::Expression(below.arg(2)));
                }
            }
            below = below.arg(0);
            let ends = self.declared.contains_key(below) || self.is_shared(below) || below.contents().is_some();
            if ends {
                break;
            }
            pieces.push(Piece::Text(", "));
        }
        pieces.extend([Piece::Text("] @ "), Piece::Version(below)]);
        stack.extend(pieces.into_iter().rev());
    }
}

/// The little-endian word of `width` bits that an array starts with.
fn word(array: &str, width: u32) -> String {
    let whole = width.next_multiple_of(8);
    let read = match whole {
        8 => format!("(Read w8 (w32 0) {array})"),
        _ => format!("(ReadLSB w{whole} (w32 0) {array})"),
    };
    if whole == width { read } else { format!("(Extract w{width} 0 {read})") }
}

/// How many bytes of each array input are read at constant indices.
fn sizes(order: &[&Term]) -> FxHashMap<u32, u64> {
    let mut inputs: FxHashMap<u32, u32> = FxHashMap::default();
    let mut sizes: FxHashMap<u32, u64> = FxHashMap::default();
    for term in order {
        if term.op() == Op::ArraySymbol {
            inputs.insert(term.id(), term.id());
        } else if term.is_array() {
            if let Some(input) = inputs.get(&term.arg(0).id()).copied() {
                inputs.insert(term.id(), input);
            }
        } else if term.op() == Op::Read
            && let Some(input) = inputs.get(&term.arg(0).id())
            && let Some(index) = term.arg(1).const_u64()
        {
            let size = sizes.entry(*input).or_default();
            *size = (*size).max(index.saturating_add(u64::from(term.width() / 8)));
        }
    }
    sizes
}
