//! From text to a program.
//!
//! One token of lookahead, no recursion, and memory in proportion to the text: a number in the text never sizes an
//! allocation. Names may be used before they are defined, so a first pass over the tokens numbers all definitions (they are
//! the `function`, `global` and `constant` outside braces); rejected was to patch references afterwards, which needs a
//! mutable walk over all operands that nothing else needs.
//!
//! The parser checks what the text form itself needs (names exist, each register has one width, numbers come in turn)
//! and leaves the rest to the verifier, so that the verifier can be tested on text.

mod instruction;
mod item;
mod operand;

use super::error::{ParseError, Problem};
use super::lexer::{Lexer, Token, unescape};
use crate::program::{FunctionId, GlobalId, Place, Program, Target};
use std::collections::{BTreeMap, HashMap};

#[cfg(test)]
pub(super) use instruction::OPENING;

/// Reads the text form of a whole program. It may still break invariants: see `verify`.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let located = |(offset, problem)| ParseError::at(text, offset, problem);
    let mut parser = Parser {
        lexer: Lexer::new(text),
        offset: 0,
        token: Token::End,
        names: definitions(Lexer::new(text)),
        program: Program::default(),
        widths: BTreeMap::new(),
    };
    parser.advance().and_then(|()| parser.items()).map_err(located)?;
    let mut program = parser.program;
    if program.places.is_empty() {
        program.places.push(Place::default());
    }
    Ok(program)
}

/// A problem and its byte offset.
type Fault = (usize, Problem);

type Parsed<T> = Result<T, Fault>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// Where `token` begins.
    offset: usize,
    /// The next token.
    token: Token<'a>,
    /// What each name will be defined as.
    names: HashMap<String, Target>,
    program: Program,
    /// The registers of this function that have been declared so far.
    widths: BTreeMap<u32, u32>,
}

/// The definitions of the text in order. Stops at what is no token: the parser will report it.
fn definitions(mut lexer: Lexer<'_>) -> HashMap<String, Target> {
    let mut names = HashMap::new();
    let (mut functions, mut globals, mut depth) = (0, 0, 0u64);
    while let Ok((_, token)) = lexer.next() {
        let (target, counter) = match token {
            Token::Mark('{') => {
                depth += 1;
                continue;
            }
            Token::Mark('}') => {
                depth = depth.saturating_sub(1);
                continue;
            }
            Token::Word("function") if depth == 0 => (Target::Function(FunctionId(functions)), &mut functions),
            Token::Word("global" | "constant") if depth == 0 => (Target::Global(GlobalId(globals)), &mut globals),
            Token::End => break,
            Token::Word(_) | Token::Number(_) | Token::Text(_) | Token::Mark(_) | Token::Arrow => continue,
        };
        *counter += 1;
        if let Some(name) = lexer.next().ok().and_then(|(_, token)| name_of(token)) {
            names.entry(name).or_insert(target);
        }
    }
    names
}

fn name_of(token: Token<'_>) -> Option<String> {
    match token {
        Token::Word(word) => Some(word.to_owned()),
        Token::Text(text) => unescape(text).ok().and_then(|bytes| String::from_utf8(bytes).ok()),
        Token::Number(_) | Token::Mark(_) | Token::Arrow | Token::End => None,
    }
}

fn describe(token: Token<'_>) -> String {
    let short = |text: &str| text.chars().take(40).collect::<String>();
    match token {
        Token::Word(word) => format!("`{}`", short(word)),
        Token::Number(digits) => format!("`{}`", short(digits)),
        Token::Text(text) => format!("\"{}\"", short(text)),
        Token::Mark(mark) => format!("`{}`", mark.escape_debug()),
        Token::Arrow => "`->`".to_owned(),
        Token::End => "the end of the text".to_owned(),
    }
}

/// Tokens and lists.
impl<'a> Parser<'a> {
    fn advance(&mut self) -> Parsed<()> {
        (self.offset, self.token) = self.lexer.next()?;
        Ok(())
    }

    fn expected<T>(&self, expected: impl Into<String>) -> Parsed<T> {
        Err((self.offset, Problem::Expected { expected: expected.into(), found: describe(self.token) }))
    }

    /// Takes the token if it is this one.
    fn accept(&mut self, token: Token<'_>) -> Parsed<bool> {
        let here = self.token == token;
        if here {
            self.advance()?;
        }
        Ok(here)
    }

    fn accept_mark(&mut self, mark: char) -> Parsed<bool> {
        self.accept(Token::Mark(mark))
    }

    fn accept_word(&mut self, word: &str) -> Parsed<bool> {
        self.accept(Token::Word(word))
    }

    fn mark(&mut self, mark: char) -> Parsed<()> {
        if self.accept_mark(mark)? { Ok(()) } else { self.expected(format!("`{mark}`")) }
    }

    fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word)? { Ok(()) } else { self.expected(format!("`{word}`")) }
    }

    fn word(&mut self, what: &str) -> Parsed<&'a str> {
        match self.token {
            Token::Word(word) => {
                self.advance()?;
                Ok(word)
            }
            Token::Number(_) | Token::Text(_) | Token::Mark(_) | Token::Arrow | Token::End => self.expected(what),
        }
    }

    /// A number of at most `most`.
    fn number(&mut self, what: &str, most: u64) -> Parsed<u64> {
        let Token::Number(digits) = self.token else { return self.expected(what) };
        if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return self.expected(what);
        }
        let value = digits.parse().ok().filter(|value| *value <= most).ok_or((self.offset, Problem::TooLarge(most)))?;
        self.advance()?;
        Ok(value)
    }

    fn number_u32(&mut self, what: &str) -> Parsed<u32> {
        Ok(self.number(what, u64::from(u32::MAX))? as u32)
    }

    /// A number that must be the next of its kind.
    fn turn(&mut self, item: &'static str, due: usize) -> Parsed<()> {
        let offset = self.offset;
        let number = self.number(item, u64::MAX)?;
        if number == due as u64 { Ok(()) } else { Err((offset, Problem::OutOfTurn { item, due })) }
    }

    /// The contents of a string.
    fn string(&mut self, what: &str) -> Parsed<String> {
        let (offset, Token::Text(text)) = (self.offset, self.token) else { return self.expected(what) };
        let bytes = unescape(text).map_err(|problem| (offset, problem))?;
        self.advance()?;
        String::from_utf8(bytes).map_err(|_| (offset, Problem::NotText))
    }

    /// A name, bare or in quotes.
    fn name(&mut self, what: &str) -> Parsed<String> {
        match self.token {
            Token::Text(_) => self.string(what),
            Token::Word(_) | Token::Number(_) | Token::Mark(_) | Token::Arrow | Token::End => {
                self.word(what).map(str::to_owned)
            }
        }
    }

    /// Items with commas between, up to and with the closing mark.
    fn list<T>(&mut self, close: char, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.accept_mark(close)? {
            if !items.is_empty() && !self.accept_mark(',')? {
                return self.expected(format!("`,` or `{close}`"));
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}
