//! One instruction: destinations, its word, and what follows.

use super::{Parsed, Parser};
use crate::program::{
    BinaryOp, Case, Conversion, FloatCompare, FloatFormat, FloatOp, FloatUnary, Instruction, Operand, OverflowOp, Reg,
    UnaryOp,
};
use crate::text::lexer::Token;
use crate::text::names::Named;

/// The words that open an instruction besides those of operators.
#[cfg(test)]
pub(in crate::text) const OPENING: &[&str] = &[
    "copy",
    "overflows",
    "sign_extend",
    "zero_extend",
    "extract",
    "concat",
    "select",
    "poison",
    "freeze",
    "offset",
    "load",
    "store",
    "copy_memory",
    "fill_memory",
    "allocate",
    "mark",
    "release",
    "variadic",
    "object_size",
    "call",
    "call_indirect",
    "ffma",
    "fcompare",
    "convert",
    "jump",
    "branch",
    "switch",
    "jump_indirect",
    "return",
    "unreachable",
    "trap",
    "unsupported",
];

impl Parser<'_> {
    pub(super) fn instruction(&mut self) -> Parsed<Instruction> {
        let to = self.destinations()?;
        if self.accept_word("call")? {
            return self.call(to);
        }
        if self.accept_word("call_indirect")? {
            return self.call_indirect(to);
        }
        match to.as_slice() {
            [] => self.effect(),
            [to] => self.operation(*to),
            [_, _, ..] => self.expected("`call` or `call_indirect`, which alone have several results"),
        }
    }

    /// `r0:i32, r1:i64 =`, or nothing.
    fn destinations(&mut self) -> Parsed<Vec<Reg>> {
        let mut to = Vec::new();
        if !matches!(self.token, Token::Word(word) if super::operand::indexed(word, 'r').is_some()) {
            return Ok(to);
        }
        to.push(self.declaration()?);
        while self.accept_mark(',')? {
            to.push(self.declaration()?);
        }
        self.mark('=')?;
        Ok(to)
    }

    fn call(&mut self, to: Vec<Reg>) -> Parsed<Instruction> {
        let function = self.function_name()?;
        self.mark('(')?;
        Ok(Instruction::Call { to, function, arguments: self.list(')', Self::stated)? })
    }

    fn call_indirect(&mut self, to: Vec<Reg>) -> Parsed<Instruction> {
        let target = self.operand()?;
        self.mark('(')?;
        let arguments = self.list(')', Self::stated)?;
        Ok(Instruction::CallIndirect { to, returns: self.returns()?, target, arguments })
    }

    fn two(&mut self) -> Parsed<(Operand, Operand)> {
        let a = self.operand()?;
        self.mark(',')?;
        Ok((a, self.operand()?))
    }

    fn three(&mut self) -> Parsed<(Operand, Operand, Operand)> {
        let (a, b) = self.two()?;
        self.mark(',')?;
        Ok((a, b, self.operand()?))
    }

    /// The operator that this token names; takes it if so.
    fn operator<T: Named>(&mut self) -> Parsed<Option<T>> {
        let op = match self.token {
            Token::Word(word) => T::named(word),
            Token::Number(_) | Token::Text(_) | Token::Mark(_) | Token::Arrow | Token::End => None,
        };
        if op.is_some() {
            self.advance()?;
        }
        Ok(op)
    }

    fn format(&mut self) -> Parsed<FloatFormat> {
        match self.operator()? {
            Some(format) => Ok(format),
            None => self.expected("`single` or `double`"),
        }
    }

    /// What has one result.
    fn operation(&mut self, to: Reg) -> Parsed<Instruction> {
        if let Some(op) = self.operator::<BinaryOp>()? {
            let checked = self.accept_word("checked")?;
            let (a, b) = self.two()?;
            return Ok(Instruction::Binary { op, to, a, b, checked });
        }
        if let Some(op) = self.operator::<UnaryOp>()? {
            return Ok(Instruction::Unary { op, to, a: self.operand()? });
        }
        if let Some(op) = self.operator::<FloatOp>()? {
            let format = self.format()?;
            let (a, b) = self.two()?;
            return Ok(Instruction::Float { op, format, to, a, b });
        }
        if let Some(op) = self.operator::<FloatUnary>()? {
            return Ok(Instruction::FloatUnary { op, format: self.format()?, to, a: self.operand()? });
        }
        let Token::Word(word) = self.token else { return self.expected("an operation") };
        self.named_operation(word, to)
    }

    fn named_operation(&mut self, word: &str, to: Reg) -> Parsed<Instruction> {
        // The word is taken before its rest is read, and not at all where it is unknown.
        let take = Self::advance;
        match word {
            "copy" => take(self).and_then(|()| Ok(Instruction::Copy { to, from: self.operand()? })),
            "overflows" => take(self).and_then(|()| self.overflow(to)),
            "sign_extend" => take(self).and_then(|()| Ok(Instruction::Extend { to, a: self.operand()?, signed: true })),
            "zero_extend" => {
                take(self).and_then(|()| Ok(Instruction::Extend { to, a: self.operand()?, signed: false }))
            }
            "extract" => take(self).and_then(|()| self.extract(to)),
            "concat" => take(self).and_then(|()| {
                let (high, low) = self.two()?;
                Ok(Instruction::Concat { to, high, low })
            }),
            "select" => take(self).and_then(|()| {
                let (condition, a, b) = self.three()?;
                Ok(Instruction::Select { to, condition, a, b })
            }),
            "poison" => take(self).and_then(|()| self.poison(to)),
            "freeze" => take(self).and_then(|()| Ok(Instruction::Freeze { to, a: self.operand()? })),
            "offset" => take(self).and_then(|()| self.offset(to)),
            "load" => take(self).and_then(|()| Ok(Instruction::Load { to, address: self.operand()? })),
            "allocate" => take(self).and_then(|()| self.allocate(to)),
            "mark" => take(self).map(|()| Instruction::Mark { to }),
            "variadic" => take(self).map(|()| Instruction::Variadic { to }),
            "object_size" => take(self).and_then(|()| Ok(Instruction::ObjectSize { to, address: self.operand()? })),
            "ffma" => take(self).and_then(|()| self.fma(to)),
            "fcompare" => take(self).and_then(|()| self.compare(to)),
            "convert" => take(self).and_then(|()| self.convert(to)),
            _ => self.expected("an operation with one result"),
        }
    }

    fn poison(&mut self, to: Reg) -> Parsed<Instruction> {
        let Some(promise) = self.operator()? else {
            return self.expected("a promise");
        };
        let (broken, a) = self.two()?;
        Ok(Instruction::Poison { to, promise, broken, a })
    }

    fn overflow(&mut self, to: Reg) -> Parsed<Instruction> {
        let Some(op) = self.operator::<OverflowOp>()? else { return self.expected("an operation such as `sadd`") };
        let (a, b) = self.two()?;
        Ok(Instruction::Overflow { op, to, a, b })
    }

    fn extract(&mut self, to: Reg) -> Parsed<Instruction> {
        let a = self.operand()?;
        self.keyword("from")?;
        Ok(Instruction::Extract { to, a, low: self.number_u32("a bit's number")? })
    }

    fn offset(&mut self, to: Reg) -> Parsed<Instruction> {
        let (base, index) = self.two()?;
        self.mark('*')?;
        Ok(Instruction::Offset { to, base, index, scale: self.number("a size in bytes", u64::MAX)? })
    }

    fn allocate(&mut self, to: Reg) -> Parsed<Instruction> {
        let size = self.operand()?;
        self.keyword("align")?;
        let align = self.number("an alignment in bytes", u64::MAX)?;
        let named = matches!(self.token, Token::Text(_));
        let name = if named { self.string("a name")? } else { String::new() };
        Ok(Instruction::Allocate { to, size, align, name })
    }

    fn fma(&mut self, to: Reg) -> Parsed<Instruction> {
        let format = self.format()?;
        let (a, b, c) = self.three()?;
        Ok(Instruction::FloatFma { format, to, a, b, c })
    }

    fn compare(&mut self, to: Reg) -> Parsed<Instruction> {
        let format = self.format()?;
        let relation = match self.token {
            Token::Word(word) => relation(word),
            Token::Number(_) | Token::Text(_) | Token::Mark(_) | Token::Arrow | Token::End => None,
        };
        let Some(relation) = relation else {
            return self.expected("`never`, or letters of `legu` in this order (less, equal, greater, unordered)");
        };
        self.advance()?;
        let (a, b) = self.two()?;
        Ok(Instruction::FloatCompare { relation, format, to, a, b })
    }

    fn convert(&mut self, to: Reg) -> Parsed<Instruction> {
        let conversion = self.conversion()?;
        let (a, width) = self.stated()?;
        Ok(Instruction::Convert { conversion, to, a, width })
    }

    fn conversion(&mut self) -> Parsed<Conversion> {
        let of: fn(FloatFormat) -> Conversion = match self.token {
            Token::Word("widen") => return self.advance().map(|()| Conversion::Widen),
            Token::Word("narrow") => return self.advance().map(|()| Conversion::Narrow),
            Token::Word("from_signed") => Conversion::FromSigned,
            Token::Word("from_unsigned") => Conversion::FromUnsigned,
            Token::Word("to_signed") => Conversion::ToSigned,
            Token::Word("to_unsigned") => Conversion::ToUnsigned,
            Token::Word("to_signed_saturating") => Conversion::ToSignedSaturating,
            Token::Word("to_unsigned_saturating") => Conversion::ToUnsignedSaturating,
            Token::Word(_) | Token::Number(_) | Token::Text(_) | Token::Mark(_) | Token::Arrow | Token::End => {
                return self.expected("a conversion such as `to_signed` or `widen`");
            }
        };
        self.advance()?;
        self.format().map(of)
    }

    /// What has no result.
    fn effect(&mut self) -> Parsed<Instruction> {
        let Token::Word(word) = self.token else {
            return self.expected("an instruction, a block or `}`");
        };
        let take = Self::advance;
        match word {
            "store" => take(self).and_then(|()| self.store()),
            "copy_memory" => take(self).and_then(|()| {
                let (to, from, length) = self.three()?;
                Ok(Instruction::CopyMemory { to, from, length })
            }),
            "fill_memory" => take(self).and_then(|()| {
                let (to, value, length) = self.three()?;
                Ok(Instruction::FillMemory { to, value, length })
            }),
            "release" => take(self).and_then(|()| Ok(Instruction::Release { mark: self.operand()? })),
            "jump" => take(self).and_then(|()| Ok(Instruction::Jump { to: self.block_id()? })),
            "branch" => take(self).and_then(|()| self.branch()),
            "switch" => take(self).and_then(|()| self.switch()),
            "jump_indirect" => take(self).and_then(|()| self.jump_indirect()),
            "return" => take(self).and_then(|()| self.return_values()),
            "unreachable" => take(self).map(|()| Instruction::Unreachable),
            "trap" => take(self).and_then(|()| {
                let kind =
                    if matches!(self.token, Token::Text(_)) { self.string("a kind in quotes")? } else { String::new() };
                Ok(Instruction::Trap { kind })
            }),
            "unsupported" => {
                take(self).and_then(|()| Ok(Instruction::Unsupported { reason: self.string("a reason in quotes")? }))
            }
            _ => self.expected("an instruction, a block or `}`"),
        }
    }

    fn store(&mut self) -> Parsed<Instruction> {
        let (value, width) = self.stated()?;
        self.keyword("to")?;
        Ok(Instruction::Store { address: self.operand()?, value, width })
    }

    fn site(&mut self) -> Parsed<u32> {
        if self.accept_word("site")? { self.number_u32("a site's number") } else { Ok(0) }
    }

    fn branch(&mut self) -> Parsed<Instruction> {
        let condition = self.operand()?;
        self.mark(',')?;
        let then = self.block_id()?;
        self.mark(',')?;
        let otherwise = self.block_id()?;
        Ok(Instruction::Branch { condition, then, otherwise, site: self.site()? })
    }

    fn switch(&mut self) -> Parsed<Instruction> {
        let (value, width) = self.stated()?;
        self.mark('{')?;
        let mut cases = Vec::new();
        while !self.accept_word("else")? {
            let value = self.value()?;
            self.mark(':')?;
            cases.push(Case { value, block: self.block_id()? });
            self.mark(',')?;
        }
        self.mark(':')?;
        let default = self.block_id()?;
        self.mark('}')?;
        Ok(Instruction::Switch { value, width, cases, default, site: self.site()? })
    }

    fn jump_indirect(&mut self) -> Parsed<Instruction> {
        let target = self.operand()?;
        self.mark('{')?;
        Ok(Instruction::JumpIndirect { target, blocks: self.list('}', Self::block_id)? })
    }

    fn return_values(&mut self) -> Parsed<Instruction> {
        let mut values = Vec::new();
        if self.at_operand() {
            values.push(self.operand()?);
            while self.accept_mark(',')? {
                values.push(self.operand()?);
            }
        }
        Ok(Instruction::Return { values })
    }
}

/// The relation that the printer writes so.
fn relation(word: &str) -> Option<FloatCompare> {
    let holds = |letter| word.contains(letter);
    let never = FloatCompare { less: false, equal: false, greater: false, unordered: false };
    let some = FloatCompare { less: holds('l'), equal: holds('e'), greater: holds('g'), unordered: holds('u') };
    let all = [never, some];
    all.into_iter().find(|relation| crate::text::print::relation_word(*relation) == word)
}
