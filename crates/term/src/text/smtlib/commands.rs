//! The commands of a script, read one by one.
//!
//! A driver executes each command before it asks for the next, as SMT-LIB's interaction has it. The reader keeps the scopes of
//! names by itself: `push`, `pop` and the resets change them when they are read. After an error the next call goes on behind
//! the command that was wrong, where its end can be found.

use super::lexer::Kind;
use super::sort::{SmtSort, Value};
use super::symbols::{Binding, Declaration, Function, MAX_LEVELS};
use super::terms::Terms;
use crate::store::Term;
use crate::text::error::{Error, Fault, Locator, Position, excerpt};
use std::sync::Arc;

/// What a script says about its own satisfiability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `sat`.
    Sat,
    /// `unsat`.
    Unsat,
    /// `unknown`.
    Unknown,
}

/// A term whose value is wanted.
#[derive(Clone, Debug)]
pub struct Asked {
    /// As the script writes it.
    pub text: String,
    /// The term.
    pub term: Term,
    /// Its sort in the script.
    pub sort: SmtSort,
}

/// A command of a script. Values of attributes are given as they are written.
#[derive(Clone, Debug)]
pub enum Command {
    /// `set-logic`, with a logic that is supported.
    SetLogic(String),
    /// `(set-info :status …)`.
    SetStatus(Status),
    /// `set-info` with another keyword.
    SetInfo {
        /// With its colon.
        keyword: String,
        /// Empty if there is none.
        value: String,
    },
    /// `set-option`.
    SetOption {
        /// With its colon.
        keyword: String,
        /// Empty if there is none.
        value: String,
    },
    /// `declare-const`, or `declare-fun` without parameters.
    Declare(Declaration),
    /// `define-fun` or `define-const`; uses of the name are expanded.
    Define(String),
    /// `assert`.
    Assert(Term),
    /// `push`.
    Push(usize),
    /// `pop`, of at most as many levels as there are.
    Pop(usize),
    /// `check-sat`.
    CheckSat,
    /// `check-sat-assuming`.
    CheckSatAssuming(Vec<Term>),
    /// `get-model`.
    GetModel,
    /// `get-value`.
    GetValue(Vec<Asked>),
    /// `get-assertions`.
    GetAssertions,
    /// `get-assignment`.
    GetAssignment,
    /// `get-info`, with its keyword.
    GetInfo(String),
    /// `get-option`, with its keyword.
    GetOption(String),
    /// `get-proof`.
    GetProof,
    /// `get-unsat-assumptions`.
    GetUnsatAssumptions,
    /// `get-unsat-core`.
    GetUnsatCore,
    /// `echo`.
    Echo(String),
    /// `reset`.
    Reset,
    /// `reset-assertions`.
    ResetAssertions,
    /// `exit`.
    Exit,
}

/// The logics that are accepted.
pub const LOGICS: [&str; 4] = ["QF_BV", "QF_ABV", "QF_AUFBV", "ALL"];

/// The commands that SMT-LIB has and we do not.
const UNSUPPORTED: [&str; 7] = [
    "declare-sort",
    "define-sort",
    "declare-datatype",
    "declare-datatypes",
    "define-fun-rec",
    "define-funs-rec",
    "declare-sort-parameter",
];

/// Reads a script, command by command.
pub struct Parser<'t> {
    terms: Terms<'t>,
    locator: Locator,
    /// Where the latest command starts.
    start: usize,
}

impl<'t> Parser<'t> {
    /// A reader of `text`.
    pub fn new(text: &'t [u8]) -> Parser<'t> {
        Parser { terms: Terms::new(text), locator: Locator::default(), start: 0 }
    }

    /// The next command, or `None` at the end of the text.
    pub fn next_command(&mut self) -> Result<Option<Command>, Error> {
        let open = self.terms.lexer.next().and_then(|token| match token.kind {
            Kind::End => Ok(None),
            Kind::Open => Ok(Some(token)),
            _ => self.terms.unexpected(token, "`(` of a command"),
        });
        let command = match open {
            Ok(None) => return Ok(None),
            Ok(Some(token)) => {
                self.start = token.at;
                self.command()
            }
            Err(fault) => {
                // Nothing says where the next command starts.
                self.start = self.terms.lexer.text.len();
                Err(fault)
            }
        };
        command.map(Some).map_err(|fault| {
            let error = self.error(fault);
            self.recover();
            error
        })
    }

    /// Where the latest command starts.
    pub fn position(&mut self) -> Position {
        self.locator.locate(self.terms.lexer.text, self.start)
    }

    /// The constants that are declared at the current place, oldest first.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.terms.symbols.declarations()
    }

    fn error(&mut self, fault: Fault) -> Error {
        let text = self.terms.lexer.text;
        let (offset, message) = match fault {
            Fault::At(offset, message) => (offset, message),
            Fault::End => {
                let rest = &text[self.start + 1..];
                let length = rest.iter().position(|byte| !super::lexer::in_symbol(*byte)).unwrap_or(rest.len());
                let (name, open) = (excerpt(&rest[..length]), self.position());
                (text.len(), format!("unexpected end of file: `({name}` at {open} is not closed"))
            }
        };
        let Position { line, column } = self.locator.locate(text, offset);
        Error { line, column, message }
    }

    /// Goes on behind the command that was wrong, or to the end of the text if it has no end.
    fn recover(&mut self) {
        self.terms.abandon();
        let lexer = &mut self.terms.lexer;
        lexer.at = self.start;
        let skipped = lexer.next().and_then(|token| lexer.skip_expression(token));
        if skipped.is_err() {
            lexer.at = lexer.text.len();
        }
    }

    /// After the `(` of a command.
    fn command(&mut self) -> Result<Command, Fault> {
        let token = self.terms.symbol("a command")?;
        let name = self.terms.lexer.bytes(token);
        let command = match name {
            b"assert" => Command::Assert(self.condition()?),
            b"declare-fun" | b"declare-const" => self.declare(name == b"declare-fun")?,
            b"define-fun" | b"define-const" => self.define(name == b"define-fun")?,
            b"set-logic" => self.set_logic()?,
            b"set-info" => self.set_info()?,
            b"set-option" => {
                let (keyword, value) = self.attribute()?;
                Command::SetOption { keyword, value }
            }
            b"push" => self.push()?,
            b"pop" => self.pop()?,
            b"check-sat-assuming" => Command::CheckSatAssuming(self.assumptions()?),
            b"get-value" => self.get_value()?,
            b"get-info" => Command::GetInfo(self.keyword()?),
            b"get-option" => Command::GetOption(self.keyword()?),
            b"echo" => self.echo()?,
            b"check-sat" => Command::CheckSat,
            b"get-model" => Command::GetModel,
            b"get-assertions" => Command::GetAssertions,
            b"get-assignment" => Command::GetAssignment,
            b"get-proof" => Command::GetProof,
            b"get-unsat-assumptions" => Command::GetUnsatAssumptions,
            b"get-unsat-core" => Command::GetUnsatCore,
            b"reset" => Command::Reset,
            b"reset-assertions" => Command::ResetAssertions,
            b"exit" => Command::Exit,
            _ if UNSUPPORTED.iter().any(|known| known.as_bytes() == name) => {
                return Fault::at(token.at, format!("`{}` is not supported", excerpt(name)));
            }
            _ => return Fault::at(token.at, format!("unknown command `{}`", excerpt(name))),
        };
        self.terms.expect_close("the command is complete")?;
        // Scopes change only once the command is known to be well-formed.
        self.change_scopes(&command);
        Ok(command)
    }

    fn change_scopes(&mut self, command: &Command) {
        let symbols = &mut self.terms.symbols;
        match command {
            Command::Push(levels) => symbols.push(*levels),
            Command::Pop(levels) => symbols.pop(*levels),
            Command::ResetAssertions => symbols.reset_assertions(),
            Command::Reset => {
                symbols.keep = false;
                symbols.reset_assertions();
            }
            Command::SetOption { keyword, value } => {
                if keyword == ":global-declarations" {
                    symbols.keep = value == "true";
                }
            }
            Command::SetLogic(_) | Command::SetStatus(_) | Command::SetInfo { .. } | Command::Declare(_) => {}
            Command::Define(_) | Command::Assert(_) | Command::CheckSat | Command::CheckSatAssuming(_) => {}
            Command::GetModel | Command::GetValue(_) | Command::GetAssertions | Command::GetAssignment => {}
            Command::GetInfo(_) | Command::GetOption(_) | Command::GetProof | Command::GetUnsatAssumptions => {}
            Command::GetUnsatCore | Command::Echo(_) | Command::Exit => {}
        }
    }

    fn condition(&mut self) -> Result<Term, Fault> {
        let at = self.terms.lexer.at;
        let value = self.terms.term()?;
        boolean(value, || self.after_blanks(at))
    }

    /// Where the token behind `at` starts.
    fn after_blanks(&self, at: usize) -> usize {
        let mut lexer = self.terms.lexer;
        lexer.at = at;
        lexer.next().map_or(at, |token| token.at)
    }

    fn declare(&mut self, takes_parameters: bool) -> Result<Command, Fault> {
        let at = self.after_blanks(self.terms.lexer.at);
        let name = self.terms.name()?;
        if takes_parameters {
            self.terms.expect_open("the parameters")?;
            let token = self.terms.lexer.next()?;
            match token.kind {
                Kind::Close => {}
                Kind::End => return Err(Fault::End),
                _ => {
                    let name = excerpt(name);
                    let why = format!("uninterpreted functions are not supported: `{name}` has parameters");
                    return Fault::at(token.at, why);
                }
            }
        }
        let (sort, _) = self.terms.sort()?;
        let text = utf8(name);
        let declaration = Declaration { name: text.to_string(), term: sort.input(text), sort };
        let value = Value { term: declaration.term.clone(), sort };
        self.bind(name, at, Binding::Global(value), Some(declaration.clone()))?;
        Ok(Command::Declare(declaration))
    }

    fn bind(&mut self, name: &'t [u8], at: usize, binding: Binding, new: Option<Declaration>) -> Result<(), Fault> {
        match self.terms.symbols.bind(name, binding, new) {
            true => Ok(()),
            false => Fault::at(at, format!("`{}` has a meaning already", excerpt(name))),
        }
    }

    fn define(&mut self, takes_parameters: bool) -> Result<Command, Fault> {
        let at = self.after_blanks(self.terms.lexer.at);
        let name = self.terms.name()?;
        let (names, parameters) = if takes_parameters { self.parameters(name)? } else { (Vec::new(), Vec::new()) };
        let (sort, _) = self.terms.sort()?;
        let body_at = self.terms.lexer.at;
        self.terms.in_definition = !parameters.is_empty();
        let (shadow, distinct) = self.terms.symbols.shadow(names.into_iter(), parameters.iter().cloned());
        if let Err(twice) = distinct {
            return Fault::at(at, format!("`{}` has two parameters `{}`", excerpt(name), excerpt(twice)));
        }
        let body = self.terms.term()?;
        self.terms.symbols.unshadow(shadow);
        self.terms.in_definition = false;
        if body.sort != sort {
            let (place, name, got) = (self.after_blanks(body_at), excerpt(name), body.sort);
            return Fault::at(place, format!("ill-sorted: the body of `{name}` is to be {sort}, got {got}"));
        }
        let binding = match parameters.is_empty() {
            true => Binding::Global(body),
            false => Binding::Function(Arc::new(Function { name: utf8(name).to_string(), parameters, body })),
        };
        self.bind(name, at, binding, None)?;
        Ok(Command::Define(utf8(name).to_string()))
    }

    fn parameters(&mut self, function: &[u8]) -> Result<(Vec<&'t [u8]>, Vec<Value>), Fault> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        self.terms.expect_open("the parameters")?;
        loop {
            let token = self.terms.lexer.next()?;
            match token.kind {
                Kind::Close => return Ok((names, values)),
                Kind::Open => {}
                _ => return self.terms.unexpected(token, "a parameter `(name sort)`"),
            }
            let name = self.terms.name()?;
            let (sort, _) = self.terms.sort()?;
            self.terms.expect_close("a parameter is a name and a sort")?;
            // No script can write a name with a bar in it.
            let term = sort.input(&format!("|{} {}|", utf8(function), utf8(name)));
            names.push(name);
            values.push(Value { term, sort });
        }
    }

    fn set_logic(&mut self) -> Result<Command, Fault> {
        let token = self.terms.symbol("a logic")?;
        let name = utf8(self.terms.lexer.bytes(token));
        match LOGICS.contains(&name) {
            true => Ok(Command::SetLogic(name.to_string())),
            false => Fault::at(
                token.at,
                format!(
                    "the logic `{}` is not supported: expected one of {}",
                    excerpt(name.as_bytes()),
                    LOGICS.join(", ")
                ),
            ),
        }
    }

    fn keyword(&mut self) -> Result<String, Fault> {
        let token = self.terms.expect(Kind::Keyword, "a keyword")?;
        Ok(utf8(self.terms.lexer.bytes(token)).to_string())
    }

    /// A keyword and, unless `)` follows, its value.
    fn attribute(&mut self) -> Result<(String, String), Fault> {
        let keyword = self.keyword()?;
        let mut ahead = self.terms.lexer;
        let token = ahead.next()?;
        if matches!(token.kind, Kind::Close | Kind::End) {
            return Ok((keyword, String::new()));
        }
        let value = ahead.skip_expression(token)?;
        self.terms.lexer = ahead;
        Ok((keyword, String::from_utf8_lossy(value).into_owned()))
    }

    fn set_info(&mut self) -> Result<Command, Fault> {
        let (keyword, value) = self.attribute()?;
        let status = match (keyword.as_str(), value.as_str()) {
            (":status", "sat") => Status::Sat,
            (":status", "unsat") => Status::Unsat,
            (":status", "unknown") => Status::Unknown,
            _ => return Ok(Command::SetInfo { keyword, value }),
        };
        Ok(Command::SetStatus(status))
    }

    /// The number of levels of `push` and `pop`: one unless given. `None` if it is beyond all bounds.
    fn levels(&mut self) -> Result<(Option<usize>, usize), Fault> {
        let mut ahead = self.terms.lexer;
        let token = ahead.next()?;
        if token.kind == Kind::Close {
            return Ok((Some(1), token.at));
        }
        let levels = self.terms.numeral()?;
        Ok((levels.and_then(|levels| usize::try_from(levels).ok()), token.at))
    }

    fn push(&mut self) -> Result<Command, Fault> {
        match self.levels()? {
            (Some(levels), _) if levels <= MAX_LEVELS - self.terms.symbols.depth() => Ok(Command::Push(levels)),
            (_, at) => Fault::at(at, format!("more than {MAX_LEVELS} levels of `push` are not supported")),
        }
    }

    fn pop(&mut self) -> Result<Command, Fault> {
        let depth = self.terms.symbols.depth();
        match self.levels()? {
            (Some(levels), _) if levels <= depth => Ok(Command::Pop(levels)),
            (_, at) => Fault::at(at, format!("`pop` of more levels than were pushed ({depth})")),
        }
    }

    fn assumptions(&mut self) -> Result<Vec<Term>, Fault> {
        self.list("the assumptions")?.into_iter().map(|(value, at, _)| boolean(value, || at)).collect()
    }

    fn get_value(&mut self) -> Result<Command, Fault> {
        let text = self.terms.lexer.text;
        let asked = |(value, from, to): (Value, usize, usize)| Asked {
            text: String::from_utf8_lossy(&text[from..to]).into_owned(),
            term: value.term,
            sort: value.sort,
        };
        Ok(Command::GetValue(self.list("the terms")?.into_iter().map(asked).collect()))
    }

    /// Terms in parentheses, each with where it starts and ends.
    fn list(&mut self, what: &str) -> Result<Vec<(Value, usize, usize)>, Fault> {
        self.terms.expect_open(what)?;
        let mut list = Vec::new();
        loop {
            let token = self.terms.lexer.next()?;
            if token.kind == Kind::Close {
                return Ok(list);
            }
            let value = self.terms.term_from(token)?;
            list.push((value, token.at, self.terms.lexer.at));
        }
    }

    fn echo(&mut self) -> Result<Command, Fault> {
        let token = self.terms.expect(Kind::String, "a string")?;
        let text = String::from_utf8_lossy(self.terms.lexer.bytes(token));
        Ok(Command::Echo(text.replace("\"\"", "\"")))
    }
}

fn boolean(value: Value, at: impl FnOnce() -> usize) -> Result<Term, Fault> {
    match value.sort {
        SmtSort::Bool => Ok(value.term),
        SmtSort::BitVec(_) | SmtSort::Array { .. } => {
            Fault::at(at(), format!("ill-sorted: expected a Bool, got {}", value.sort))
        }
    }
}

/// The text of a symbol, which the lexer has checked.
fn utf8(name: &[u8]) -> &str {
    std::str::from_utf8(name).expect("the lexer lets only text pass")
}
