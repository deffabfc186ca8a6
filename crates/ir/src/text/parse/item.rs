//! Files, places, globals and functions.

use super::{Parsed, Parser};
use crate::program::{
    Block, BlockId, Function, Global, Init, Linkage, Place, PlaceId, Reg, Relocation, Target, Variable,
};
use crate::text::error::Problem;
use crate::text::lexer::{Token, unescape};

impl Parser<'_> {
    pub(super) fn items(&mut self) -> Parsed<()> {
        while self.token != Token::End {
            let linkage = if self.accept_word("library")? { Linkage::Library } else { Linkage::Own };
            match self.token {
                Token::Word("global") => self.global(linkage, false)?,
                Token::Word("constant") => self.global(linkage, true)?,
                Token::Word("function") => self.function(linkage)?,
                Token::Word("file") if linkage == Linkage::Own => self.file()?,
                Token::Word("place") if linkage == Linkage::Own => self.place_item()?,
                Token::Word(_) | Token::Number(_) | Token::Text(_) | Token::Mark(_) | Token::Arrow | Token::End => {
                    return self.expected("`file`, `place`, `global`, `constant` or `function`");
                }
            }
        }
        Ok(())
    }

    fn file(&mut self) -> Parsed<()> {
        self.advance()?;
        self.turn("file", self.program.files.len())?;
        let name = self.string("the file's name in quotes")?;
        self.program.files.push(name);
        Ok(())
    }

    fn place_item(&mut self) -> Parsed<()> {
        self.advance()?;
        self.turn("place", self.program.places.len())?;
        let place = if self.accept_word("unknown")? { Place::default() } else { self.position()? };
        self.program.places.push(place);
        Ok(())
    }

    fn position(&mut self) -> Parsed<Place> {
        let file = self.number_u32("`unknown` or file:line:column")?;
        self.mark(':')?;
        let line = self.number_u32("a line")?;
        self.mark(':')?;
        let column = self.number_u32("a column")?;
        let inlined_at = if self.accept_word("in")? { self.number_u32("a place")? } else { 0 };
        Ok(Place { file, line, column, inlined_at })
    }

    /// `@7`, or place 0.
    pub(super) fn place(&mut self) -> Parsed<PlaceId> {
        if self.accept_mark('@')? { self.number_u32("a place's number").map(PlaceId) } else { Ok(PlaceId(0)) }
    }

    /// The name of a definition; it must be the first of that name.
    fn defined(&mut self, is_turn: impl Fn(Target) -> bool) -> Parsed<String> {
        let offset = self.offset;
        let name = self.name("a name")?;
        let first = self.names.get(&name).is_some_and(|target| is_turn(*target));
        if first { Ok(name) } else { Err((offset, Problem::DuplicateName(name))) }
    }

    fn global(&mut self, linkage: Linkage, constant: bool) -> Parsed<()> {
        self.advance()?;
        let turn = self.program.globals.len();
        let name = self.defined(|target| matches!(target, Target::Global(id) if id.index() == turn))?;
        self.keyword("size")?;
        let size = self.number("a size in bytes", u64::MAX)?;
        self.keyword("align")?;
        let align = self.number("an alignment in bytes", u64::MAX)?;
        let init = self.init()?;
        let place = self.place()?;
        self.program.globals.push(Global { name, linkage, size, align, constant, init, place });
        Ok(())
    }

    fn init(&mut self) -> Parsed<Init> {
        if self.accept_word("undefined")? {
            return Ok(Init::Undefined);
        }
        if self.accept_word("zero")? {
            return Ok(Init::Zero);
        }
        if !self.accept_mark('{')? {
            return self.expected("`undefined`, `zero` or `{`");
        }
        let (mut bytes, mut relocations) = (Vec::new(), Vec::new());
        while !self.accept_mark('}')? {
            self.contents(&mut bytes, &mut relocations)?;
        }
        Ok(Init::Bytes { bytes, relocations })
    }

    /// A string, an address among the bytes, or an address over them.
    fn contents(&mut self, bytes: &mut Vec<u8>, relocations: &mut Vec<Relocation>) -> Parsed<()> {
        match self.token {
            Token::Text(text) => {
                bytes.extend(unescape(text).map_err(|problem| (self.offset, problem))?);
                self.advance()
            }
            Token::Mark('&') => {
                let (target, addend) = self.address()?;
                relocations.push(Relocation { offset: bytes.len() as u64, target, addend });
                bytes.extend([0; 8]);
                Ok(())
            }
            Token::Word("at") => {
                self.advance()?;
                let offset = self.number("an offset", u64::MAX)?;
                let (target, addend) = self.address()?;
                relocations.push(Relocation { offset, target, addend });
                Ok(())
            }
            Token::Word(_) | Token::Number(_) | Token::Mark(_) | Token::Arrow | Token::End => {
                self.expected("bytes in quotes, `&name`, `at` or `}`")
            }
        }
    }

    fn function(&mut self, linkage: Linkage) -> Parsed<()> {
        self.advance()?;
        self.widths.clear();
        let turn = self.program.functions.len();
        let name = self.defined(|target| matches!(target, Target::Function(id) if id.index() == turn))?;
        self.mark('(')?;
        let (params, variadic) = self.params()?;
        let returns = self.returns()?;
        let place = self.place()?;
        let (variables, blocks) = if self.accept_mark('{')? { self.body()? } else { Default::default() };
        let registers = self.registers()?;
        let function = Function { name, linkage, params, variadic, returns, registers, blocks, place, variables };
        self.program.functions.push(function);
        Ok(())
    }

    fn params(&mut self) -> Parsed<(Vec<Reg>, bool)> {
        let mut variadic = false;
        let params = self.list(')', |parser| {
            if variadic {
                return parser.expected("`)` after `...`");
            }
            variadic = parser.accept_word("...")?;
            if variadic { Ok(None) } else { parser.declaration().map(Some) }
        })?;
        Ok((params.into_iter().flatten().collect(), variadic))
    }

    /// `-> i32`, `-> (i32, i64)`, or nothing.
    pub(super) fn returns(&mut self) -> Parsed<Vec<u32>> {
        if !self.accept(Token::Arrow)? {
            return Ok(Vec::new());
        }
        if self.accept_mark('(')? { self.list(')', Self::width) } else { Ok(vec![self.width()?]) }
    }

    fn body(&mut self) -> Parsed<(Vec<Variable>, Vec<Block>)> {
        if self.accept_word("registers")? {
            self.declaration()?;
            while self.accept_mark(',')? {
                self.declaration()?;
            }
        }
        let mut variables = Vec::new();
        while self.accept_word("variable")? {
            let name = self.name("a variable's name")?;
            variables.push(Variable { name, reg: self.register()? });
        }
        let mut blocks = Vec::new();
        while !self.accept_mark('}')? {
            self.label(blocks.len())?;
            blocks.push(self.block()?);
        }
        Ok((variables, blocks))
    }

    fn label(&mut self, due: usize) -> Parsed<()> {
        let offset = self.offset;
        let BlockId(number) = self.block_id()?;
        if number as usize != due {
            return Err((offset, Problem::OutOfTurn { item: "block", due }));
        }
        self.mark(':')
    }

    /// Instructions up to the next label or the end of the body.
    fn block(&mut self) -> Parsed<Block> {
        let mut block = Block::default();
        while self.token != Token::Mark('}') && !self.at_label() {
            block.instructions.push(self.instruction()?);
            block.places.push(self.place()?);
        }
        Ok(block)
    }

    /// No instruction opens with a block.
    fn at_label(&self) -> bool {
        matches!(self.token, Token::Word(word) if super::operand::indexed(word, 'b').is_some())
    }

    /// The widths of all registers: they are declared without gaps.
    fn registers(&mut self) -> Parsed<Vec<u32>> {
        for (due, register) in (0..).zip(self.widths.keys()) {
            if due != *register {
                return Err((self.offset, Problem::NoWidth(due)));
            }
        }
        Ok(self.widths.values().copied().collect())
    }
}
