//! Registers, blocks, widths and constants.

use super::{Parsed, Parser};
use crate::program::{BlockId, Constant, FunctionId, Operand, Reg, Target};
use crate::text::error::Problem;
use crate::text::lexer::Token;
use crate::text::print::NEGATIVE_WIDTHS;
use std::collections::btree_map::Entry;
use strata_term::{Bits, MAX_WIDTH};

/// The number of a word such as `r7`.
pub(super) fn indexed(word: &str, prefix: char) -> Option<u64> {
    let digits = word.strip_prefix(prefix)?;
    let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    plain.then(|| digits.parse().unwrap_or(u64::MAX))
}

impl Parser<'_> {
    /// The number of a word with this prefix; `what` is expected.
    fn index(&mut self, prefix: char, what: &str) -> Parsed<u64> {
        let number = match self.token {
            Token::Word(word) => indexed(word, prefix),
            Token::Number(_) | Token::Text(_) | Token::Mark(_) | Token::Arrow | Token::End => None,
        };
        let Some(number) = number else { return self.expected(what) };
        if number > u64::from(u32::MAX) {
            return Err((self.offset, Problem::TooLarge(u64::from(u32::MAX))));
        }
        self.advance()?;
        Ok(number)
    }

    pub(super) fn register(&mut self) -> Parsed<Reg> {
        self.index('r', "a register such as `r0`").map(|number| Reg(number as u32))
    }

    pub(super) fn block_id(&mut self) -> Parsed<BlockId> {
        self.index('b', "a block such as `b0`").map(|number| BlockId(number as u32))
    }

    pub(super) fn width(&mut self) -> Parsed<u32> {
        let offset = self.offset;
        let width = self.index('i', "a width such as `i32`")?;
        let exists = (1..=u64::from(MAX_WIDTH)).contains(&width);
        if exists { Ok(width as u32) } else { Err((offset, Problem::NoSuchWidth(width))) }
    }

    /// `r0:i32`, which is the same at each of its declarations.
    pub(super) fn declaration(&mut self) -> Parsed<Reg> {
        let offset = self.offset;
        let reg = self.register()?;
        self.mark(':')?;
        let width = self.width()?;
        match self.widths.entry(reg.0) {
            Entry::Vacant(entry) => {
                entry.insert(width);
                Ok(reg)
            }
            Entry::Occupied(entry) if *entry.get() == width => Ok(reg),
            Entry::Occupied(entry) => Err((offset, Problem::Width { register: reg.0, elsewhere: *entry.get() })),
        }
    }

    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        const WHAT: &str = "an operand: a register (`r0`), a constant (`i32 5`, `undef i32`) or an address (`&name`)";
        match self.token {
            Token::Mark('&') => {
                let (target, addend) = self.address()?;
                Ok(Operand::Const(Constant::Address(target, addend)))
            }
            Token::Word("undef") => {
                self.advance()?;
                Ok(Operand::Const(Constant::Undefined(self.width()?)))
            }
            Token::Word(word) if indexed(word, 'r').is_some() => self.register().map(Operand::Reg),
            Token::Word(word) if indexed(word, 'i').is_some() => {
                self.value().map(|bits| Operand::Const(Constant::Bits(bits)))
            }
            Token::Word(_) | Token::Number(_) | Token::Text(_) | Token::Mark(_) | Token::Arrow | Token::End => {
                self.expected(WHAT)
            }
        }
    }

    /// Could this token open an operand?
    pub(super) fn at_operand(&self) -> bool {
        match self.token {
            Token::Mark(mark) => mark == '&',
            Token::Word(word) => word == "undef" || indexed(word, 'r').or(indexed(word, 'i')).is_some(),
            Token::Number(_) | Token::Text(_) | Token::Arrow | Token::End => false,
        }
    }

    /// An operand with the width that the instruction states: after a colon, or a constant's own.
    pub(super) fn stated(&mut self) -> Parsed<(Operand, u32)> {
        let operand = self.operand()?;
        if self.accept_mark(':')? {
            return Ok((operand, self.width()?));
        }
        match &operand {
            Operand::Const(constant) => {
                let width = constant.width();
                Ok((operand, width))
            }
            Operand::Reg(_) => self.expected("`:` and a width"),
        }
    }

    /// `i32 5`.
    pub(super) fn value(&mut self) -> Parsed<Bits> {
        let width = self.width()?;
        let offset = self.offset;
        if self.accept_mark('-')? {
            return self.negative(width, offset);
        }
        let Token::Number(digits) = self.token else { return self.expected("a number") };
        if !is_number(digits) {
            return self.expected("a number");
        }
        let bits = match digits.strip_prefix("0x") {
            Some(digits) => hexadecimal(width, digits),
            None => digits.parse().ok().filter(|value| fits(width, *value)).map(|value| Bits::new(width, value)),
        };
        self.advance()?;
        bits.ok_or((offset, Problem::TooWide(width)))
    }

    /// Sign bits take memory that the text does not have, hence the bound on widths.
    fn negative(&mut self, width: u32, offset: usize) -> Parsed<Bits> {
        if width > *NEGATIVE_WIDTHS.end() {
            return Err((offset, Problem::Negative));
        }
        let magnitude = self.number("a number", 1 << 63)?;
        let narrow = width.min(64);
        if magnitude > 1 << (narrow - 1) {
            return Err((offset, Problem::TooWide(width)));
        }
        Ok(Bits::new(narrow, magnitude.wrapping_neg()).sext(width))
    }

    /// `&name`, `&name+8`, `&function/b3`.
    pub(super) fn address(&mut self) -> Parsed<(Target, i64)> {
        self.mark('&')?;
        let offset = self.offset;
        let name = self.name("a name")?;
        let mut target = match self.names.get(&name) {
            Some(target) => *target,
            None => return Err((offset, Problem::UnknownName(name))),
        };
        if self.accept_mark('/')? {
            let block = self.block_id()?;
            target = match target {
                Target::Function(function) | Target::Block(function, _) => Target::Block(function, block),
                Target::Global(_) => return Err((offset, Problem::NoFunction(name))),
            };
        }
        Ok((target, self.addend()?))
    }

    fn addend(&mut self) -> Parsed<i64> {
        if self.accept_mark('+')? {
            return Ok(self.number("a number", i64::MAX as u64)? as i64);
        }
        if self.accept_mark('-')? {
            return Ok(self.number("a number", 1 << 63)?.wrapping_neg() as i64);
        }
        Ok(0)
    }

    pub(super) fn function_name(&mut self) -> Parsed<FunctionId> {
        let offset = self.offset;
        let name = self.name("a function's name")?;
        match self.names.get(&name) {
            Some(Target::Function(function) | Target::Block(function, _)) => Ok(*function),
            Some(Target::Global(_)) => Err((offset, Problem::NoFunction(name))),
            None => Err((offset, Problem::UnknownName(name))),
        }
    }
}

fn is_number(digits: &str) -> bool {
    match digits.strip_prefix("0x") {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => digits.bytes().all(|digit| digit.is_ascii_digit()),
    }
}

fn fits(width: u32, value: u64) -> bool {
    width >= 64 || value >> width == 0
}

/// The value of hexadecimal digits, if it fits.
fn hexadecimal(width: u32, digits: &str) -> Option<Bits> {
    let digits = digits.trim_start_matches('0');
    let top = digits.chars().next().and_then(|digit| digit.to_digit(16)).unwrap_or(0);
    let bits = digits.len().saturating_sub(1) * 4 + (u32::BITS - top.leading_zeros()) as usize;
    if bits > width as usize {
        return None;
    }
    let word = |chunk: &[u8]| chunk.iter().fold(0, |word, digit| word << 4 | u64::from(digit_value(*digit)));
    let words: Vec<u64> = digits.as_bytes().rchunks(16).map(word).collect();
    Some(Bits::from_words(width, &words))
}

fn digit_value(digit: u8) -> u32 {
    char::from(digit).to_digit(16).unwrap_or(0)
}
