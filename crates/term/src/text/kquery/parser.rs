//! Reading declarations and queries, without recursion over expressions.
//!
//! As for SMT-LIB: frames are the constructs that are open, operands are finished arguments, and a finished operand may complete
//! the frames above it.

use super::lexer::{Kind, Lexer, Token, is_name};
use super::operators::{self, Operand, Row};
use crate::op::Op;
use crate::store::Term;
use crate::text::error::{Error, Fault, Locator, Position, excerpt};
use rustc_hash::FxHashMap;

/// A declared array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// How many bytes it was declared to have.
    pub size: Option<u64>,
    /// The array.
    pub term: Term,
}

/// Do the constraints imply the expression? If not, which values may the others have then?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// What is assumed: one bit each.
    pub constraints: Vec<Term>,
    /// What is asked: one bit.
    pub query: Term,
    /// Expressions whose values are wanted if the answer is no.
    pub values: Vec<Term>,
    /// Arrays whose contents are wanted if the answer is no.
    pub arrays: Vec<Array>,
}

enum Frame<'t> {
    /// Arguments are the operands from `base` on.
    Apply { row: &'static Row, typed: Option<u32>, base: usize, at: usize },
    /// What comes next gets this name.
    Label { name: &'t [u8], version: bool, at: usize },
    /// Inside `[index=value, …]`: indices and values are the operands from `base` on.
    Updates { base: usize, at: usize },
    /// After `@`: the updates from `base` on are to be made to what comes.
    Base { base: usize, at: usize },
}

/// Reads a text, query by query.
pub struct Parser<'t> {
    lexer: Lexer<'t>,
    locator: Locator,
    /// Where the latest declaration or query starts.
    start: usize,
    arrays: FxHashMap<&'t [u8], Array>,
    expressions: FxHashMap<&'t [u8], Term>,
    versions: FxHashMap<&'t [u8], Term>,
    frames: Vec<Frame<'t>>,
    operands: Vec<Operand<'t>>,
}

impl<'t> Parser<'t> {
    /// A reader of `text`.
    pub fn new(text: &'t [u8]) -> Parser<'t> {
        Parser {
            lexer: Lexer::new(text),
            locator: Locator::default(),
            start: 0,
            arrays: FxHashMap::default(),
            expressions: FxHashMap::default(),
            versions: FxHashMap::default(),
            frames: Vec::new(),
            operands: Vec::new(),
        }
    }

    /// The next query, or `None` at the end of the text. After an error there is no next one.
    pub fn next_query(&mut self) -> Result<Option<Query>, Error> {
        self.declarations_and_query().map_err(|fault| {
            let error = self.error(fault);
            self.lexer.at = self.lexer.text.len();
            self.frames.clear();
            self.operands.clear();
            error
        })
    }

    /// The declared array that this term is.
    pub fn declared(&self, term: &Term) -> Option<&Array> {
        self.arrays.values().find(|array| array.term == *term)
    }

    /// Where the latest query starts.
    pub fn position(&mut self) -> Position {
        self.locator.locate(self.lexer.text, self.start)
    }

    fn error(&mut self, fault: Fault) -> Error {
        let (offset, message) = match fault {
            Fault::At(offset, message) => (offset, message),
            Fault::End => {
                let (line, open) = (self.lexer.text[self.start..].split(|byte| *byte == b'\n').next(), self.position());
                let begun = excerpt(line.unwrap_or_default());
                (self.lexer.text.len(), format!("unexpected end of file: `{begun}` at {open} is not complete"))
            }
        };
        let Position { line, column } = self.locator.locate(self.lexer.text, offset);
        Error { line, column, message }
    }

    fn declarations_and_query(&mut self) -> Result<Option<Query>, Fault> {
        loop {
            let token = self.lexer.next()?;
            self.start = token.at;
            match token.kind {
                Kind::End => return Ok(None),
                Kind::Name if self.lexer.bytes(token) == b"array" => self.array()?,
                Kind::Open => {
                    let word = self.expect(Kind::Name, "`query`")?;
                    if self.lexer.bytes(word) != b"query" {
                        return self.unexpected(word, "`query`");
                    }
                    return self.query().map(Some);
                }
                _ => return self.unexpected(token, "`array` or `(query`"),
            }
        }
    }

    fn unexpected<T>(&self, token: Token, wanted: &str) -> Result<T, Fault> {
        match token.kind {
            Kind::End => Err(Fault::End),
            _ => {
                let found = excerpt(self.lexer.bytes(token));
                Fault::at(token.at, format!("unexpected `{found}`: expected {wanted}"))
            }
        }
    }

    fn expect(&mut self, kind: Kind, wanted: &str) -> Result<Token, Fault> {
        let token = self.lexer.next()?;
        if token.kind == kind { Ok(token) } else { self.unexpected(token, wanted) }
    }

    /// Is the next token of this kind? Moves over it if so.
    fn next_is(&mut self, kind: Kind) -> Result<bool, Fault> {
        let mut ahead = self.lexer;
        let found = ahead.next()?.kind == kind;
        if found {
            self.lexer = ahead;
        }
        Ok(found)
    }

    fn width(&mut self) -> Result<u32, Fault> {
        let token = self.expect(Kind::Width, "a type such as w32")?;
        operators::width(&self.lexer.bytes(token)[1..]).or_else(|why| Fault::at(token.at, why))
    }

    /// After `array`: `name[size] : w32 -> w8 = symbolic`, or `= [bytes]`.
    fn array(&mut self) -> Result<(), Fault> {
        let token = self.expect(Kind::Name, "the array's name")?;
        let name = self.name(token)?;
        self.expect(Kind::OpenSquare, "`[` and the array's size")?;
        let mut size = None;
        if !self.next_is(Kind::CloseSquare)? {
            let number = self.expect(Kind::Number, "the array's size")?;
            let value = operators::number(self.lexer.bytes(number), 64).or_else(|why| Fault::at(number.at, why))?;
            size = Some(value.low_u64());
            self.expect(Kind::CloseSquare, "`]`")?;
        }
        self.expect(Kind::Colon, "`:` and the array's type")?;
        let at = self.lexer.at;
        let index = self.width()?;
        self.expect(Kind::Arrow, "`->`")?;
        let element = self.width()?;
        if index > 64 || element != 8 {
            return Fault::at(
                at,
                format!("arrays from w{index} to w{element} are not supported: expected w1 to w64, and w8"),
            );
        }
        self.expect(Kind::Equals, "`=`")?;
        let token = self.lexer.next()?;
        let text = String::from_utf8_lossy(name).into_owned();
        let term = match token.kind {
            Kind::Name if self.lexer.bytes(token) == b"symbolic" => Term::array(&text, index),
            Kind::OpenSquare => {
                let contents = self.contents()?;
                let most = if index >= 64 { u64::MAX } else { 1 << index };
                if contents.len() as u64 > size.unwrap_or(most).min(most) {
                    return Fault::at(token.at, format!("{} bytes for fewer cells", contents.len()));
                }
                size = size.or(Some(contents.len() as u64));
                Term::constant_array(index, contents.into())
            }
            _ => return self.unexpected(token, "`symbolic` or `[` and the array's contents"),
        };
        self.arrays.insert(name, Array { name: text, size, term });
        Ok(())
    }

    fn name(&self, token: Token) -> Result<&'t [u8], Fault> {
        let name = self.lexer.bytes(token);
        if is_name(name) { Ok(name) } else { self.unexpected(token, "a name that is not a word of the language") }
    }

    /// After `[`: bytes, with or without commas.
    fn contents(&mut self) -> Result<Vec<u8>, Fault> {
        let mut contents = Vec::new();
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::CloseSquare => return Ok(contents),
                Kind::Comma => {}
                Kind::Number => {
                    let byte = operators::number(self.lexer.bytes(token), 8).or_else(|why| Fault::at(token.at, why))?;
                    contents.push(byte.low_u64() as u8);
                }
                _ => return self.unexpected(token, "a byte or `]`"),
            }
        }
    }

    /// After `(query`.
    fn query(&mut self) -> Result<Query, Fault> {
        self.expressions.clear();
        self.versions.clear();
        self.expect(Kind::OpenSquare, "`[` and the constraints")?;
        let mut constraints = Vec::new();
        while !self.next_is(Kind::CloseSquare)? {
            constraints.push(self.expression(Some(1), "a constraint")?);
        }
        let query = self.expression(Some(1), "a query")?;
        let (mut values, mut arrays) = (Vec::new(), Vec::new());
        if self.next_is(Kind::OpenSquare)? {
            while !self.next_is(Kind::CloseSquare)? {
                values.push(self.expression(None, "a value")?);
            }
            if self.next_is(Kind::OpenSquare)? {
                while !self.next_is(Kind::CloseSquare)? {
                    let token = self.expect(Kind::Name, "an array's name or `]`")?;
                    match self.arrays.get(self.lexer.bytes(token)) {
                        Some(array) => arrays.push(array.clone()),
                        None => return self.unknown("array", token),
                    }
                }
            }
        }
        self.expect(Kind::Close, "`)`, because the query is complete")?;
        Ok(Query { constraints, query, values, arrays })
    }

    fn unknown<T>(&self, what: &str, token: Token) -> Result<T, Fault> {
        Fault::at(token.at, format!("unknown {what} `{}`", excerpt(self.lexer.bytes(token))))
    }

    /// Reads an expression of this width, or of any that is known.
    fn expression(&mut self, width: Option<u32>, what: &str) -> Result<Term, Fault> {
        let mut ahead = self.lexer;
        let at = ahead.next()?.at;
        loop {
            let operand = if self.wants_version() { self.version_start()? } else { self.expression_start()? };
            let Some(operand) = operand else { continue };
            self.operands.push(operand);
            self.settle()?;
            if self.frames.is_empty() {
                let operand = self.operands.pop().expect("the operand just finished");
                let term = width.map_or_else(|| operand.known(what), |width| operand.of_width(width, what));
                return term.or_else(|why| Fault::at(at, why));
            }
        }
    }

    fn wants_version(&self) -> bool {
        match self.frames.last() {
            Some(Frame::Apply { row, base, .. }) => row.reads() && self.operands.len() == base + 1,
            Some(Frame::Label { version, .. }) => *version,
            Some(Frame::Base { .. }) => true,
            Some(Frame::Updates { .. }) | None => false,
        }
    }

    /// One step into an expression; an operand if that finishes one.
    fn expression_start(&mut self) -> Result<Option<Operand<'t>>, Fault> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Number => Ok(Some(Operand::Number(self.lexer.bytes(token)))),
            Kind::Open => self.open(token.at),
            Kind::Close => self.close(token).map(|term| Some(Operand::Term(term))),
            Kind::Name => {
                let name = self.lexer.bytes(token);
                if let Some(value) = [(&b"true"[..], true), (b"false", false)].iter().find(|(word, _)| *word == name) {
                    return Ok(Some(Operand::Term(Term::bool(value.1))));
                }
                if self.next_is(Kind::Colon)? {
                    let name = self.name(token)?;
                    self.frames.push(Frame::Label { name, version: false, at: token.at });
                    return Ok(None);
                }
                match self.expressions.get(name) {
                    Some(term) => Ok(Some(Operand::Term(term.clone()))),
                    None => self.unknown("label", token),
                }
            }
            _ => self.unexpected(token, "an expression"),
        }
    }

    /// After `(`: `w32 5)`, or an operator and perhaps its type.
    fn open(&mut self, at: usize) -> Result<Option<Operand<'t>>, Fault> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Width => {
                let width = operators::width(&self.lexer.bytes(token)[1..]).or_else(|why| Fault::at(token.at, why))?;
                let number = self.expect(Kind::Number, "a number")?;
                self.expect(Kind::Close, "`)`, because the constant is complete")?;
                let bits =
                    operators::number(self.lexer.bytes(number), width).or_else(|why| Fault::at(number.at, why))?;
                Ok(Some(Operand::Term(Term::constant(bits))))
            }
            Kind::Name => {
                let Some(row) = operators::find(self.lexer.bytes(token)) else {
                    return self.unknown("operator", token);
                };
                let mut ahead = self.lexer;
                let typed = match ahead.next()?.kind {
                    Kind::Width => Some(self.width()?),
                    _ => None,
                };
                self.frames.push(Frame::Apply { row, typed, base: self.operands.len(), at });
                Ok(None)
            }
            _ => self.unexpected(token, "an operator or a type"),
        }
    }

    fn close(&mut self, token: Token) -> Result<Term, Fault> {
        let Some(Frame::Apply { row, typed, base, at }) = self.frames.last() else {
            return self.unexpected(token, "an expression");
        };
        let (base, at) = (*base, *at);
        let made = row.apply(*typed, &self.operands[base..]);
        self.operands.truncate(base);
        self.frames.pop();
        made.or_else(|why| Fault::at(at, why))
    }

    /// One step into a version; an operand if that finishes one.
    fn version_start(&mut self) -> Result<Option<Operand<'t>>, Fault> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Name => {
                if self.next_is(Kind::Colon)? {
                    let name = self.name(token)?;
                    self.frames.push(Frame::Label { name, version: true, at: token.at });
                    return Ok(None);
                }
                let name = self.lexer.bytes(token);
                match self.versions.get(name).or_else(|| self.arrays.get(name).map(|array| &array.term)) {
                    Some(term) => Ok(Some(Operand::Term(term.clone()))),
                    None => self.unknown("array or version", token),
                }
            }
            Kind::OpenSquare => {
                let base = self.operands.len();
                if self.next_is(Kind::CloseSquare)? {
                    self.expect(Kind::At, "`@` and an array")?;
                    self.frames.push(Frame::Base { base, at: token.at });
                } else {
                    self.frames.push(Frame::Updates { base, at: token.at });
                }
                Ok(None)
            }
            _ => self.unexpected(token, "an array or a version"),
        }
    }

    /// An operand was finished: completes the frames that were waiting for just that.
    fn settle(&mut self) -> Result<(), Fault> {
        loop {
            match self.frames.last() {
                None | Some(Frame::Apply { .. }) => return Ok(()),
                Some(Frame::Label { name, version, at }) => {
                    let (name, version, at) = (*name, *version, *at);
                    self.label(name, version).or_else(|why| Fault::at(at, why))?;
                    self.frames.pop();
                }
                Some(Frame::Updates { base, at }) => {
                    let (base, at) = (*base, *at);
                    return self.update(base, at);
                }
                Some(Frame::Base { base, at }) => {
                    let (base, at) = (*base, *at);
                    self.frames.pop();
                    let written = self.write(base).or_else(|why| Fault::at(at, why))?;
                    self.operands.truncate(base);
                    self.operands.push(Operand::Term(written));
                }
            }
        }
    }

    /// Names the operand that was just finished.
    fn label(&mut self, name: &'t [u8], version: bool) -> Result<(), String> {
        let term = match self.operands.last() {
            Some(Operand::Term(term)) => term.clone(),
            Some(Operand::Number(_)) | None => {
                return Err(format!("the label `{}` names a number of unknown width", excerpt(name)));
            }
        };
        let labels = if version { &mut self.versions } else { &mut self.expressions };
        match labels.insert(name, term) {
            None => Ok(()),
            Some(_) => Err(format!("the label `{}` is defined twice", excerpt(name))),
        }
    }

    /// After an index or a value of an update list.
    fn update(&mut self, base: usize, at: usize) -> Result<(), Fault> {
        if (self.operands.len() - base) % 2 == 1 {
            return self.expect(Kind::Equals, "`=` and a value").map(|_| ());
        }
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Comma => Ok(()),
            Kind::CloseSquare => {
                self.expect(Kind::At, "`@` and an array")?;
                self.frames.pop();
                self.frames.push(Frame::Base { base, at });
                Ok(())
            }
            _ => self.unexpected(token, "`,` or `]`"),
        }
    }

    /// The array on top of the operands with the updates below it made, the last listed first: the first is the newest.
    fn write(&self, base: usize) -> Result<Term, String> {
        let updates = &self.operands[base..];
        let Some((Operand::Term(array), updates)) = updates.split_last() else {
            return Err("expected an array after `@`".into());
        };
        let mut array = array.clone();
        for update in updates.rchunks(2) {
            let index = update[0].of_width(array.width(), "the index of an update")?;
            let value = update[1].of_width(8, "the value of an update")?;
            array = Term::checked(Op::Write, array.width(), 0, &[&array, &index, &value])?;
        }
        Ok(array)
    }
}
