//! How names are written so that SMT-LIB reads them as the same symbol.
//!
//! Most names are written as they are, or between bars. A name that cannot be written at all (it
//! has a bar in it), that the language has given a meaning (`bvadd`), that is reserved for
//! solvers (it starts with `.` or `@`), or that another input of a different sort has taken, is
//! written in an escaped form that carries its sort. Escaped forms start with `$i`, the names of
//! shared terms with `$t`, and those within a clause with `$b` and `$x`; an input whose name
//! starts with `$` is escaped, so neither meets a name that is written as it is. A reader does
//! not undo the escape.

use super::lexer::in_symbol;
use super::symbols::is_builtin;
use crate::store::Term;
use crate::term::Sort;
use std::borrow::Cow;
use std::fmt::Write;

/// Words that are symbols only between bars.
const COMMANDS: [&str; 29] = [
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
];

/// A symbol that SMT-LIB can write, between bars where it must be.
pub(super) fn quote(name: &str) -> Cow<'_, str> {
    let plain = name.bytes().all(in_symbol) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit());
    let reserved = || COMMANDS.contains(&name) || matches!(name, "set-logic" | "set-option") || is_builtin(name);
    if plain && !reserved() { Cow::Borrowed(name) } else { Cow::Owned(format!("|{name}|")) }
}

/// The input's own name, if that can be declared.
pub(super) fn plain(name: &str) -> Option<Cow<'_, str>> {
    let own = !name.starts_with(['.', '@', '$']) && !name.chars().any(unwritable) && !is_builtin(name);
    own.then(|| quote(name))
}

fn unwritable(c: char) -> bool {
    matches!(c, '|' | '\\') || c.is_control()
}

/// A form that no other input has.
pub(super) fn escaped(input: &Term, name: &str) -> String {
    let mut spelled = match input.sort() {
        Sort::Bits(width) => format!("$ib{width}."),
        Sort::Array(width) => format!("$ia{width}."),
    };
    for c in name.chars() {
        match c == '%' || unwritable(c) {
            true => write!(spelled, "%{:x}.", u32::from(c)).expect("a string takes everything"),
            false => spelled.push(c),
        }
    }
    quote(&spelled).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |name: &str, expect: &str| {
            let input = Term::symbol(name, 8);
            let spelled = plain(name).map_or_else(|| escaped(&input, name), Cow::into_owned);
            assert_eq!(spelled, expect, "{name:?}");
        };
        check("x", "x");
        check("?B1", "?B1");
        check("two words", "|two words|");
        check("", "||");
        check("0x", "|0x|");
        check("größe", "|größe|");
        check("assert", "|assert|");
        check("bvadd", "$ib8.bvadd");
        check("let", "$ib8.let");
        check(".t1", "$ib8..t1");
        check("$t1", "$ib8.$t1");
        check("a|b%", "$ib8.a%7c.b%25.");
        check("a|b c", "|$ib8.a%7c.b c|");
    }
}
