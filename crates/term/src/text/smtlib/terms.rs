//! Reading terms, without recursion.
//!
//! Two stacks: frames are the constructs that are open (an application, a `let` whose bindings or body are being read, an
//! annotation), values are the finished arguments. Each token either pushes a frame or finishes a value; a finished value
//! may complete the frames above it. The stacks are kept between terms.

use super::lexer::{Kind, Lexer, Token};
use super::operators::{Indexed, Row};
use super::sort::{SmtSort, Value};
use super::symbols::{Binding, Function, Reserved, Shadow, Symbols};
use crate::op::Op;
use crate::store::Term;
use crate::text::error::{Fault, excerpt};
use crate::text::numeral;
use std::sync::Arc;

/// What is applied to arguments.
enum Head {
    Operator(&'static Row),
    Indexed(Indexed, [u64; 2]),
    /// `(as const (Array (_ BitVec w) (_ BitVec 8)))`.
    Constant(u32),
    Function(Arc<Function>),
}

/// A construct that is not closed yet.
enum Frame {
    /// Arguments are the values from `base` on.
    Apply { head: Head, base: usize, at: usize },
    /// Inside the bindings of a `let`: names and values from these on belong to it.
    Bindings { names: usize, values: usize },
    /// Inside the body of a `let`.
    Body(Shadow),
    /// Inside `(! term …)`.
    Annotation,
    /// Inside the bound of a clause; the width of its variable and where it starts.
    Bound { width: u32, at: usize, shadow: Shadow },
    /// Inside the body of a clause, after its bound.
    Clause { width: u32, bound: Value, at: usize, shadow: Shadow },
}

/// The one form of quantifier that is read.
const CLAUSE: &str = "expected (forall ((i (_ BitVec w))) (=> (and (bvule 1 i) (bvule i bound)) body))";

/// Reads terms of a script.
pub(super) struct Terms<'t> {
    pub lexer: Lexer<'t>,
    pub symbols: Symbols<'t>,
    frames: Vec<Frame>,
    values: Vec<Value>,
    /// Names of `let` bindings whose values are being read.
    names: Vec<&'t [u8]>,
    /// Is the body of a definition with parameters being read?
    pub in_definition: bool,
}

impl<'t> Terms<'t> {
    pub(super) fn new(text: &'t [u8]) -> Terms<'t> {
        Terms {
            lexer: Lexer::new(text),
            symbols: Symbols::new(),
            frames: Vec::new(),
            values: Vec::new(),
            names: Vec::new(),
            in_definition: false,
        }
    }

    /// Forgets a term that was not finished.
    pub(super) fn abandon(&mut self) {
        self.frames.clear();
        self.values.clear();
        self.names.clear();
        self.in_definition = false;
        self.symbols.unshadow_all();
    }

    /// Reads a term.
    pub(super) fn term(&mut self) -> Result<Value, Fault> {
        let token = self.lexer.next()?;
        self.term_from(token)
    }

    /// Reads a term that starts with `token`.
    pub(super) fn term_from(&mut self, token: Token) -> Result<Value, Fault> {
        debug_assert!(self.frames.is_empty() && self.values.is_empty());
        let mut token = token;
        loop {
            let value = match token.kind {
                Kind::Open => self.open(token.at)?,
                Kind::Close => Some(self.close(token)?),
                Kind::Symbol | Kind::Quoted => Some(self.named(token)?),
                Kind::Binary => Some(self.literal(token, 2, 1)?),
                Kind::Hex => Some(self.literal(token, 16, 4)?),
                Kind::End => return Err(Fault::End),
                Kind::Keyword | Kind::Numeral | Kind::Decimal | Kind::String => {
                    return self.unexpected(token, "a term");
                }
            };
            if let Some(value) = value {
                self.values.push(value);
                self.settle()?;
                if self.frames.is_empty() {
                    return Ok(self.values.pop().expect("the term just finished"));
                }
            }
            token = self.lexer.next()?;
        }
    }

    /// A value was finished: completes the frames that were waiting for just that.
    fn settle(&mut self) -> Result<(), Fault> {
        loop {
            match self.frames.last() {
                None | Some(Frame::Apply { .. }) => return Ok(()),
                Some(Frame::Annotation) => {
                    self.attributes()?;
                    self.frames.pop();
                }
                Some(Frame::Body(shadow)) => {
                    let shadow = *shadow;
                    self.expect_close("the body of `let` is one term")?;
                    self.symbols.unshadow(shadow);
                    self.frames.pop();
                }
                Some(Frame::Bound { .. }) => return self.bounded(),
                Some(Frame::Clause { .. }) => self.clause()?,
                Some(Frame::Bindings { names, values }) => {
                    let (names, values) = (*names, *values);
                    self.expect_close("a binding is a name and one term")?;
                    if !self.next_binding()? {
                        self.bind(names, values)?;
                    }
                    return Ok(());
                }
            }
        }
    }

    /// After `(`: a constant is finished at once, everything else opens a frame.
    fn open(&mut self, at: usize) -> Result<Option<Value>, Fault> {
        if let Some((value, width)) = self.lexer.constant() {
            let sort = SmtSort::bit_vector(Some(width));
            let width = sort.or_else(|why| Fault::at(at, why)).map(|_| width as u32)?;
            if width < 64 && value >> width != 0 {
                return Fault::at(at, format!("{value} does not fit into {width} bits"));
            }
            return Ok(Some(Value::bits(Term::number(width, value))));
        }
        let token = self.lexer.next()?;
        let head = match token.kind {
            Kind::Open => self.compound_head()?,
            Kind::Symbol | Kind::Quoted => match self.head(token)? {
                Ok(head) => head,
                Err(word) => return self.special(word, token),
            },
            Kind::End => return Err(Fault::End),
            Kind::Close => return Fault::at(token.at, "unexpected `)`: expected an operator"),
            Kind::Keyword | Kind::Numeral | Kind::Decimal | Kind::Binary | Kind::Hex | Kind::String => {
                return self.unexpected(token, "an operator");
            }
        };
        self.frames.push(Frame::Apply { head, base: self.values.len(), at });
        Ok(None)
    }

    /// What a symbol after `(` stands for.
    fn head(&self, token: Token) -> Result<Result<Head, Reserved>, Fault> {
        let name = self.lexer.bytes(token);
        let wrong = |what: &str| Fault::at(token.at, format!("`{}` {what}", excerpt(name)));
        match self.symbols.get(name) {
            Some(Binding::Operator(row)) => Ok(Ok(Head::Operator(row))),
            Some(Binding::Function(function)) => Ok(Ok(Head::Function(function.clone()))),
            Some(Binding::Reserved(word)) if token.kind == Kind::Symbol => Ok(Err(*word)),
            Some(Binding::Indexed(_)) => wrong("wants numbers: expected `(_ …)` around it"),
            Some(Binding::Global(_) | Binding::Local(..)) => wrong("is not a function"),
            Some(Binding::Reserved(_)) | None => Fault::at(token.at, unknown(name)),
        }
    }

    /// After `(` and a reserved word.
    fn special(&mut self, word: Reserved, token: Token) -> Result<Option<Value>, Fault> {
        match word {
            Reserved::Let => {
                self.expect_open("the bindings of `let`")?;
                let (names, values) = (self.names.len(), self.values.len());
                self.frames.push(Frame::Bindings { names, values });
                if !self.next_binding()? {
                    return Fault::at(token.at, "`let` wants at least one binding");
                }
                Ok(None)
            }
            Reserved::Annotation => {
                self.frames.push(Frame::Annotation);
                Ok(None)
            }
            Reserved::Forall => self.quantifier(token).map(|()| None),
            Reserved::Underscore => self.wide_constant().map(Some),
            Reserved::As => Fault::at(token.at, "`(as …)` is not a term: expected `((as const sort) term)`"),
            Reserved::Unsupported => {
                let name = excerpt(self.lexer.bytes(token));
                Fault::at(token.at, format!("`{name}` is not supported"))
            }
        }
    }

    /// After `(_` where a term is expected: a constant of any size.
    fn wide_constant(&mut self) -> Result<Value, Fault> {
        let token = self.lexer.next()?;
        let name = self.lexer.bytes(token);
        let digits = match (token.kind, name.strip_prefix(b"bv")) {
            (Kind::End, _) => return Err(Fault::End),
            (Kind::Symbol, Some(digits)) if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => digits,
            _ => {
                let found = excerpt(name);
                return Fault::at(token.at, format!("unexpected `{found}` after `(_`: expected a constant `bvN`"));
            }
        };
        let width = match SmtSort::bit_vector(self.numeral()?) {
            Ok(SmtSort::BitVec(width)) => width,
            Ok(SmtSort::Bool | SmtSort::Array { .. }) => unreachable!("a bit-vector's sort"),
            Err(why) => return Fault::at(token.at, why),
        };
        self.expect_close("`(_ bvN width)` is a constant")?;
        match numeral::bits(digits, 10, width) {
            Some(bits) => Ok(Value::bits(Term::constant(bits))),
            None => Fault::at(token.at, format!("{} does not fit into {width} bits", excerpt(digits))),
        }
    }

    /// After `((`: `(_ extract 7 0)` and its kin, or `(as const sort)`.
    fn compound_head(&mut self) -> Result<Head, Fault> {
        let token = self.lexer.next()?;
        if token.kind == Kind::End {
            return Err(Fault::End);
        }
        let word = match (token.kind, self.symbols.get(self.lexer.bytes(token))) {
            (Kind::Symbol, Some(Binding::Reserved(word))) => *word,
            _ => return self.no_head(token),
        };
        match word {
            Reserved::Underscore => self.indexed_head(),
            Reserved::As => self.constant_head(),
            Reserved::Let | Reserved::Annotation | Reserved::Forall | Reserved::Unsupported => self.no_head(token),
        }
    }

    fn no_head(&self, token: Token) -> Result<Head, Fault> {
        let found = excerpt(self.lexer.bytes(token));
        Fault::at(token.at, format!("unexpected `{found}` after `((`: expected `_` or `as`"))
    }

    fn indexed_head(&mut self) -> Result<Head, Fault> {
        let token = self.symbol("an indexed operator")?;
        let name = self.lexer.bytes(token);
        let Some(Binding::Indexed(op)) = self.symbols.get(name) else {
            return Fault::at(token.at, format!("unknown indexed operator `{}`", excerpt(name)));
        };
        let op = *op;
        let mut numbers = [0; 2];
        for number in &mut numbers[..op.numbers()] {
            // A number beyond 64 bits is beyond every bound, as the largest of 64 bits is.
            *number = self.numeral()?.unwrap_or(u64::MAX);
        }
        self.expect_close(if op.numbers() == 1 {
            "the operator takes one number"
        } else {
            "extract takes two numbers"
        })?;
        Ok(Head::Indexed(op, numbers))
    }

    fn constant_head(&mut self) -> Result<Head, Fault> {
        let token = self.symbol("`const`")?;
        if self.lexer.bytes(token) != b"const" {
            let found = excerpt(self.lexer.bytes(token));
            return Fault::at(token.at, format!("unexpected `{found}` after `(as`: expected `const`"));
        }
        let (sort, at) = self.sort()?;
        let SmtSort::Array { index } = sort else {
            return Fault::at(at, format!("ill-sorted: `as const` wants an array's sort, got {sort}"));
        };
        self.expect_close("`(as const sort)` names one sort")?;
        Ok(Head::Constant(index))
    }

    /// At `)` where a term could have stood: finishes an application.
    fn close(&mut self, token: Token) -> Result<Value, Fault> {
        match self.frames.pop() {
            Some(Frame::Apply { head, base, at }) => {
                let args = &self.values[base..];
                let made = match head {
                    Head::Operator(row) => row.apply(args),
                    Head::Indexed(op, numbers) => op.apply(numbers, args),
                    Head::Constant(index) => constant_array(index, args),
                    Head::Function(function) => function.call(args),
                };
                self.values.truncate(base);
                made.or_else(|message| Fault::at(at, message))
            }
            Some(Frame::Bindings { .. } | Frame::Body(_) | Frame::Annotation)
            | Some(Frame::Bound { .. } | Frame::Clause { .. })
            | None => Fault::at(token.at, "unexpected `)`: expected a term"),
        }
    }

    fn named(&self, token: Token) -> Result<Value, Fault> {
        let name = self.lexer.bytes(token);
        match self.symbols.get(name) {
            Some(Binding::Global(value) | Binding::Local(value, _)) => Ok(value.clone()),
            Some(Binding::Operator(_) | Binding::Indexed(_) | Binding::Function(_)) => {
                Fault::at(token.at, format!("`{}` wants arguments", excerpt(name)))
            }
            Some(Binding::Reserved(_)) if token.kind == Kind::Symbol => {
                Fault::at(token.at, format!("unexpected `{}`: expected a term", excerpt(name)))
            }
            Some(Binding::Reserved(_)) | None => Fault::at(token.at, unknown(name)),
        }
    }

    fn literal(&self, token: Token, radix: u32, bits_per_digit: u64) -> Result<Value, Fault> {
        let digits = self.lexer.bytes(token);
        let width = digits.len() as u64 * bits_per_digit;
        SmtSort::bit_vector(Some(width)).or_else(|why| Fault::at(token.at, why))?;
        match numeral::bits(digits, radix, width as u32) {
            Some(bits) => Ok(Value::bits(Term::constant(bits))),
            None => Fault::at(token.at, "malformed digits"),
        }
    }

    /// Reads `(name` of a further binding (true), or the `)` after the last one (false).
    fn next_binding(&mut self) -> Result<bool, Fault> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Close => Ok(false),
            Kind::Open => {
                let name = self.name()?;
                self.names.push(name);
                Ok(true)
            }
            Kind::End => Err(Fault::End),
            Kind::Symbol
            | Kind::Quoted
            | Kind::Keyword
            | Kind::Numeral
            | Kind::Decimal
            | Kind::Binary
            | Kind::Hex
            | Kind::String => self.unexpected(token, "a binding `(name term)`"),
        }
    }

    /// After `(forall`: up to where the bound starts.
    fn quantifier(&mut self, token: Token) -> Result<(), Fault> {
        let other = |token: Token| Fault::at(token.at, format!("this quantifier is not supported: {CLAUSE}"));
        if self.frames.iter().any(|frame| matches!(frame, Frame::Bound { .. } | Frame::Clause { .. })) {
            return Fault::at(token.at, "a quantifier in another is not supported");
        }
        self.expect_open("the variable of `forall`")?;
        self.expect_open("the variable of `forall`")?;
        let name = self.symbol("a name")?;
        if name.kind == Kind::Symbol && matches!(self.symbols.get(self.lexer.bytes(name)), Some(Binding::Reserved(_))) {
            return self.unexpected(name, "a name");
        }
        let (sort, at) = self.sort()?;
        let SmtSort::BitVec(width) = sort else {
            return Fault::at(at, format!("a variable of sort {sort} is not supported: expected (_ BitVec w)"));
        };
        self.expect_close("a variable is a name and its sort")?;
        let next = self.lexer.next()?;
        if next.kind != Kind::Close {
            return other(next);
        }
        let names = [self.lexer.bytes(name)].into_iter();
        let values = [Value::bits(Term::bound(width))].into_iter();
        // One name is not bound twice.
        let (shadow, _) = self.symbols.shadow(names, values);
        self.frames.push(Frame::Bound { width, at: token.at, shadow });
        for word in ["(", "=>", "(", "and", "(", "bvule"] {
            self.word(word)?;
        }
        self.one(width)?;
        self.variable(name)?;
        for word in [")", "(", "bvule"] {
            self.word(word)?;
        }
        self.variable(name)
    }

    /// One word of the form of a clause.
    fn word(&mut self, word: &str) -> Result<(), Fault> {
        let token = self.lexer.next()?;
        let plain = !matches!(token.kind, Kind::End | Kind::Quoted | Kind::String);
        if plain && self.lexer.bytes(token) == word.as_bytes() {
            return Ok(());
        }
        self.no_clause(token)
    }

    /// The variable of a clause.
    fn variable(&mut self, name: Token) -> Result<(), Fault> {
        let token = self.lexer.next()?;
        let same =
            matches!(token.kind, Kind::Symbol | Kind::Quoted) && self.lexer.bytes(token) == self.lexer.bytes(name);
        if same { Ok(()) } else { self.no_clause(token) }
    }

    /// The number one of this width.
    fn one(&mut self, width: u32) -> Result<(), Fault> {
        let token = self.lexer.next()?;
        let value = match token.kind {
            Kind::Binary => self.literal(token, 2, 1)?,
            Kind::Hex => self.literal(token, 16, 4)?,
            Kind::Open => match self.lexer.constant() {
                Some((value, wide)) if wide == u64::from(width) => Value::bits(Term::number(width, value)),
                Some(_) | None => return self.no_clause(token),
            },
            Kind::Close | Kind::Symbol | Kind::Quoted | Kind::End => return self.no_clause(token),
            Kind::Keyword | Kind::Numeral | Kind::Decimal | Kind::String => return self.no_clause(token),
        };
        if value.term == Term::number(width, 1) { Ok(()) } else { self.no_clause(token) }
    }

    fn no_clause<T>(&self, token: Token) -> Result<T, Fault> {
        if token.kind == Kind::End {
            return Err(Fault::End);
        }
        let found = excerpt(self.lexer.bytes(token));
        Fault::at(token.at, format!("unexpected `{found}` in a quantifier: {CLAUSE}"))
    }

    /// The bound of a clause was read: its body follows.
    fn bounded(&mut self) -> Result<(), Fault> {
        self.expect_close("the bound of a clause is one term")?;
        self.expect_close("a variable has two bounds")?;
        let bound = self.values.pop().expect("the bound just finished");
        if let Some(Frame::Bound { width, at, shadow }) = self.frames.pop() {
            self.frames.push(Frame::Clause { width, bound, at, shadow });
        }
        Ok(())
    }

    /// The body of a clause was read.
    fn clause(&mut self) -> Result<(), Fault> {
        self.expect_close("`=>` has two arguments here")?;
        self.expect_close("the body of `forall` is one term")?;
        let body = self.values.pop().expect("the body just finished");
        if let Some(Frame::Clause { width, bound, at, shadow }) = self.frames.pop() {
            self.symbols.unshadow(shadow);
            if bound.sort != SmtSort::BitVec(width) || body.sort != SmtSort::Bool {
                let what = format!("ill-sorted: forall wants a bound of (_ BitVec {width}) and a Bool");
                return Fault::at(at, format!("{what}, got {} and {}", bound.sort, body.sort));
            }
            let made = Term::checked(Op::Forall, 1, 0, &[&bound.term, &body.term]);
            self.values.push(Value::bool(made.or_else(|why| Fault::at(at, why))?));
        }
        Ok(())
    }

    /// All bindings of a `let` are read: they hold in its body.
    fn bind(&mut self, names: usize, values: usize) -> Result<(), Fault> {
        let (shadow, result) = self.symbols.shadow(self.names.drain(names..), self.values.drain(values..));
        self.frames.pop();
        self.frames.push(Frame::Body(shadow));
        result.or_else(|name| Fault::at(self.lexer.at, format!("`let` binds `{}` twice", excerpt(name))))
    }

    /// The attributes of an annotated term, and its `)`.
    fn attributes(&mut self) -> Result<(), Fault> {
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::Close => return Ok(()),
                Kind::End => return Err(Fault::End),
                Kind::Keyword if self.lexer.bytes(token) == b":named" => self.name_last()?,
                Kind::Keyword => {
                    let mut ahead = self.lexer;
                    let value = ahead.next()?;
                    if !matches!(value.kind, Kind::Keyword | Kind::Close) {
                        self.lexer = ahead;
                        self.lexer.skip_expression(value)?;
                    }
                }
                Kind::Open
                | Kind::Symbol
                | Kind::Quoted
                | Kind::Numeral
                | Kind::Decimal
                | Kind::Binary
                | Kind::Hex
                | Kind::String => {
                    return self.unexpected(token, "an attribute or `)`");
                }
            }
        }
    }

    fn name_last(&mut self) -> Result<(), Fault> {
        let token = self.symbol("a name")?;
        let name = self.lexer.bytes(token);
        if self.in_definition {
            return Fault::at(token.at, "naming a term inside a definition with parameters is not supported");
        }
        let value = self.values.last().expect("an annotation is settled after its term").clone();
        if value.term.is_open() {
            return Fault::at(token.at, "naming a term with the variable of a quantifier is not supported");
        }
        match self.symbols.bind(name, Binding::Global(value), None) {
            true => Ok(()),
            false => Fault::at(token.at, format!("`{}` has a meaning already", excerpt(name))),
        }
    }

    /// Reads a sort; also gives its place.
    pub(super) fn sort(&mut self) -> Result<(SmtSort, usize), Fault> {
        let token = self.lexer.next()?;
        if token.kind != Kind::Open {
            return self.simple_sort(token).map(|sort| (sort, token.at));
        }
        let word = self.symbol("`_` or `Array`")?;
        let sort = match self.lexer.bytes(word) {
            b"_" => self.bit_vector_sort(token.at)?,
            b"Array" => {
                // Invariant: an array's index and element are not arrays, so this does not nest.
                let index = self.array_part("index")?;
                let element = self.array_part("element")?;
                self.expect_close("`Array` takes two sorts")?;
                SmtSort::array(index, element).or_else(|why| Fault::at(token.at, why))?
            }
            other => return Fault::at(word.at, format!("the sort `{}` is not supported", excerpt(other))),
        };
        Ok((sort, token.at))
    }

    fn simple_sort(&self, token: Token) -> Result<SmtSort, Fault> {
        let name = excerpt(self.lexer.bytes(token));
        match token.kind {
            Kind::Symbol | Kind::Quoted if name == "Bool" => Ok(SmtSort::Bool),
            Kind::Symbol | Kind::Quoted => Fault::at(
                token.at,
                format!("the sort `{name}` is not supported: expected Bool, (_ BitVec w) or (Array …)"),
            ),
            Kind::End => Err(Fault::End),
            Kind::Close => Fault::at(token.at, "unexpected `)`: expected a sort"),
            Kind::Open | Kind::Keyword | Kind::Numeral | Kind::Decimal | Kind::Binary | Kind::Hex | Kind::String => {
                Fault::at(token.at, format!("unexpected `{name}`: expected a sort"))
            }
        }
    }

    fn array_part(&mut self, part: &str) -> Result<SmtSort, Fault> {
        let token = self.lexer.next()?;
        if token.kind != Kind::Open {
            return self.simple_sort(token);
        }
        let word = self.symbol("`_`")?;
        match self.lexer.bytes(word) {
            b"_" => self.bit_vector_sort(token.at),
            _ => Fault::at(token.at, format!("an array's {part} that is not a bit-vector is not supported")),
        }
    }

    /// After `(_`.
    fn bit_vector_sort(&mut self, at: usize) -> Result<SmtSort, Fault> {
        let token = self.symbol("`BitVec`")?;
        let name = self.lexer.bytes(token);
        if name != b"BitVec" {
            return Fault::at(token.at, format!("the sort `{}` is not supported: expected BitVec", excerpt(name)));
        }
        let width = self.numeral()?;
        self.expect_close("`BitVec` takes one number")?;
        SmtSort::bit_vector(width).or_else(|why| Fault::at(at, why))
    }

    /// Reads a numeral; `None` if it is 2^64 or more.
    pub(super) fn numeral(&mut self) -> Result<Option<u64>, Fault> {
        let token = self.expect(Kind::Numeral, "a number")?;
        Ok(numeral::decimal(self.lexer.bytes(token)))
    }

    /// Reads a symbol and gives its name.
    pub(super) fn name(&mut self) -> Result<&'t [u8], Fault> {
        let token = self.symbol("a name")?;
        let name = self.lexer.bytes(token);
        if token.kind == Kind::Symbol && matches!(self.symbols.get(name), Some(Binding::Reserved(_))) {
            return Fault::at(token.at, format!("`{}` is a reserved word: expected a name", excerpt(name)));
        }
        Ok(name)
    }

    pub(super) fn symbol(&mut self, wanted: &str) -> Result<Token, Fault> {
        let token = self.lexer.next()?;
        if matches!(token.kind, Kind::Symbol | Kind::Quoted) {
            return Ok(token);
        }
        self.unexpected(token, wanted)
    }

    pub(super) fn expect(&mut self, kind: Kind, wanted: &str) -> Result<Token, Fault> {
        let token = self.lexer.next()?;
        if token.kind == kind {
            return Ok(token);
        }
        self.unexpected(token, wanted)
    }

    pub(super) fn expect_open(&mut self, of: &str) -> Result<(), Fault> {
        let token = self.lexer.next()?;
        if token.kind == Kind::Open {
            return Ok(());
        }
        self.unexpected(token, &format!("`(` of {of}"))
    }

    /// Reads `)`; `why` says what is complete.
    pub(super) fn expect_close(&mut self, why: &str) -> Result<(), Fault> {
        let token = self.lexer.next()?;
        if token.kind == Kind::Close {
            return Ok(());
        }
        self.unexpected(token, &format!("`)`, because {why}"))
    }

    pub(super) fn unexpected<T>(&self, token: Token, wanted: &str) -> Result<T, Fault> {
        if token.kind == Kind::End {
            return Err(Fault::End);
        }
        Fault::at(token.at, format!("unexpected `{}`: expected {wanted}", excerpt(self.lexer.bytes(token))))
    }
}

fn constant_array(index: u32, args: &[Value]) -> Result<Value, String> {
    match args {
        [Value { term, sort: SmtSort::BitVec(SmtSort::ELEMENT) }] => Ok(Value::array(Term::fill(index, term))),
        [_] => Err(super::operators::ill_sorted("as const", "an element of 8 bits", args)),
        _ => Err(super::operators::wrong_count("as const", "1 argument", args.len())),
    }
}

fn unknown(name: &[u8]) -> String {
    format!("unknown symbol `{}`", excerpt(name))
}
