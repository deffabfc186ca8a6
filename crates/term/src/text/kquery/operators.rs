//! The operators of KQuery, one row each, and how widths are found and checked before a constructor is called.
//!
//! A bare number has no width of its own: it takes the operator's type, or the width of the arguments beside it.

use crate::bits::Bits;
use crate::store::{MAX_WIDTH, Term};
use crate::text::numeral;

/// A finished argument.
#[derive(Clone, Debug)]
pub(super) enum Operand<'t> {
    /// A number whose width is not known yet.
    Number(&'t [u8]),
    /// An expression, or a version of an array.
    Term(Term),
}

type Binary = fn(&Term, &Term) -> Term;

pub(super) struct Row {
    pub name: &'static str,
    shape: Shape,
}

enum Shape {
    /// Two arguments and a result of one width.
    Binary(Binary),
    /// Two arguments of one width, a truth value.
    Compare(Binary),
    Unary(fn(&Term) -> Term),
    Extend(fn(&Term, u32) -> Term),
    Select,
    Concat,
    Extract,
    /// One byte.
    Read,
    /// The first byte is the lowest.
    ReadLsb,
    /// The first byte is the highest.
    ReadMsb,
}

const fn row(name: &'static str, shape: Shape) -> Row {
    Row { name, shape }
}

pub(super) static ROWS: &[Row] = &[
    row("Add", Shape::Binary(Term::add)),
    row("Sub", Shape::Binary(Term::sub)),
    row("Mul", Shape::Binary(Term::mul)),
    row("UDiv", Shape::Binary(Term::udiv)),
    row("URem", Shape::Binary(Term::urem)),
    row("SDiv", Shape::Binary(Term::sdiv)),
    row("SRem", Shape::Binary(Term::srem)),
    row("And", Shape::Binary(Term::and)),
    row("Or", Shape::Binary(Term::or)),
    row("Xor", Shape::Binary(Term::xor)),
    row("Shl", Shape::Binary(Term::shl)),
    row("LShr", Shape::Binary(Term::lshr)),
    row("AShr", Shape::Binary(Term::ashr)),
    row("Not", Shape::Unary(Term::not)),
    row("Neg", Shape::Unary(Term::neg)),
    row("Eq", Shape::Compare(Term::eq)),
    row("Ne", Shape::Compare(Term::ne)),
    row("Ult", Shape::Compare(Term::ult)),
    row("Ule", Shape::Compare(Term::ule)),
    row("Ugt", Shape::Compare(|a, b| b.ult(a))),
    row("Uge", Shape::Compare(|a, b| b.ule(a))),
    row("Slt", Shape::Compare(Term::slt)),
    row("Sle", Shape::Compare(Term::sle)),
    row("Sgt", Shape::Compare(|a, b| b.slt(a))),
    row("Sge", Shape::Compare(|a, b| b.sle(a))),
    row("ZExt", Shape::Extend(Term::zext)),
    row("SExt", Shape::Extend(Term::sext)),
    row("Select", Shape::Select),
    row("Concat", Shape::Concat),
    row("Extract", Shape::Extract),
    row("Read", Shape::Read),
    row("ReadLSB", Shape::ReadLsb),
    row("ReadMSB", Shape::ReadMsb),
];

pub(super) fn find(name: &[u8]) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name.as_bytes() == name)
}

/// The width that `w` and digits name, or what is wrong with it.
pub(super) fn width(digits: &[u8]) -> Result<u32, String> {
    match numeral::decimal(digits) {
        Some(width) if (1..=u64::from(MAX_WIDTH)).contains(&width) => Ok(width as u32),
        Some(width) => Err(format!("a width of {width}: expected 1 to {MAX_WIDTH}")),
        None => Err(format!("a width above 2^64: expected 1 to {MAX_WIDTH}")),
    }
}

/// A number as a constant of `width` bits; below zero it is taken from 2^width.
pub(super) fn number(text: &[u8], width: u32) -> Result<Bits, String> {
    let shown = || String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (radix, digits) = match unsigned {
        [b'0', b'b', rest @ ..] => (2, rest),
        [b'0', b'o', rest @ ..] => (8, rest),
        [b'0', b'x', rest @ ..] => (16, rest),
        _ => (10, unsigned),
    };
    let digits: Vec<u8> = digits.iter().copied().filter(|byte| *byte != b'_').collect();
    if digits.is_empty() || !digits.iter().all(|digit| char::from(*digit).is_digit(radix)) {
        return Err(format!("`{}` is not a number", shown()));
    }
    let value =
        numeral::bits(&digits, radix, width).ok_or_else(|| format!("{} does not fit into {width} bits", shown()))?;
    Ok(if negative { value.neg() } else { value })
}

impl Operand<'_> {
    fn width(&self) -> Option<u32> {
        match self {
            Operand::Number(_) => None,
            Operand::Term(term) => (!term.is_array()).then(|| term.width()),
        }
    }

    /// The operand as a term of this width; `name` wants it.
    pub(super) fn of_width(&self, width: u32, name: &str) -> Result<Term, String> {
        match self {
            Operand::Number(text) => number(text, width).map(Term::constant),
            Operand::Term(term) if term.is_array() => Err(format!("ill-sorted: {name} wants w{width}, got an array")),
            Operand::Term(term) if term.width() == width => Ok(term.clone()),
            Operand::Term(term) => Err(format!("ill-sorted: {name} wants w{width}, got w{}", term.width())),
        }
    }

    /// The operand as a term, if it has a width of its own.
    pub(super) fn known(&self, name: &str) -> Result<Term, String> {
        match self {
            Operand::Number(text) => {
                let text = String::from_utf8_lossy(&text[..text.len().min(40)]);
                Err(format!("the width of {text} is not known: expected `(w32 {text})` or the like in {name}"))
            }
            Operand::Term(term) if term.is_array() => {
                Err(format!("ill-sorted: {name} wants an expression, got an array"))
            }
            Operand::Term(term) => Ok(term.clone()),
        }
    }
}

impl Row {
    /// Is its second argument a version of an array?
    pub(super) fn reads(&self) -> bool {
        matches!(self.shape, Shape::Read | Shape::ReadLsb | Shape::ReadMsb)
    }

    fn arity(&self) -> Option<usize> {
        match self.shape {
            Shape::Binary(_) | Shape::Compare(_) | Shape::Extract => Some(2),
            Shape::Read | Shape::ReadLsb | Shape::ReadMsb => Some(2),
            Shape::Unary(_) | Shape::Extend(_) => Some(1),
            Shape::Select => Some(3),
            Shape::Concat => None,
        }
    }

    /// The operator with its type, if that is written, applied to these arguments, or why it cannot be.
    pub(super) fn apply(&self, typed: Option<u32>, args: &[Operand]) -> Result<Term, String> {
        let name = self.name;
        match self.arity() {
            Some(arity) if args.len() != arity => {
                return Err(format!(
                    "{name} wants {arity} argument{}, got {}",
                    if arity == 1 { "" } else { "s" },
                    args.len()
                ));
            }
            None if args.is_empty() => return Err(format!("{name} wants arguments, got none")),
            Some(_) | None => {}
        }
        let beside = |args: &[Operand]| args.iter().find_map(Operand::width);
        // Without any type a number is a truth value, as `kleaver` has it.
        let uniform = |args: &[Operand]| typed.or_else(|| beside(args)).unwrap_or(1);
        match &self.shape {
            Shape::Binary(make) => {
                let width = uniform(args);
                Ok(make(&args[0].of_width(width, name)?, &args[1].of_width(width, name)?))
            }
            Shape::Compare(make) => {
                let Some(width) = beside(args).or(typed) else {
                    return Err(format!("the width of the numbers is not known: expected a type in {name}"));
                };
                Ok(make(&args[0].of_width(width, name)?, &args[1].of_width(width, name)?))
            }
            Shape::Unary(make) => Ok(make(&args[0].of_width(uniform(args), name)?)),
            Shape::Extend(make) => {
                let (to, term) = (self.typed(typed)?, args[0].known(name)?);
                if to < term.width() {
                    return Err(format!("{name} to w{to} of w{}: expected a type that is no narrower", term.width()));
                }
                Ok(make(&term, to))
            }
            Shape::Select => {
                let width = uniform(&args[1..]);
                let (then, otherwise) = (args[1].of_width(width, name)?, args[2].of_width(width, name)?);
                Ok(Term::ite(&args[0].of_width(1, name)?, &then, &otherwise))
            }
            Shape::Concat => self.concat(typed, args),
            Shape::Extract => self.extract(typed, args),
            Shape::Read | Shape::ReadLsb | Shape::ReadMsb => self.read(typed, args),
        }
    }

    fn typed(&self, typed: Option<u32>) -> Result<u32, String> {
        typed.ok_or_else(|| format!("{} wants a type: expected `w32` or the like", self.name))
    }

    fn concat(&self, typed: Option<u32>, args: &[Operand]) -> Result<Term, String> {
        let mut all: Option<Term> = None;
        for arg in args {
            let next = arg.known(self.name)?;
            all = Some(match all {
                None => next,
                Some(high) if high.width() + next.width() > MAX_WIDTH => {
                    return Err(format!("Concat makes a bit-vector wider than {MAX_WIDTH}"));
                }
                Some(high) => high.concat(&next),
            });
        }
        let all = all.ok_or("Concat wants arguments, got none")?;
        match typed {
            Some(width) if width != all.width() => Err(format!("Concat is typed w{width}, but makes w{}", all.width())),
            Some(_) | None => Ok(all),
        }
    }

    fn extract(&self, typed: Option<u32>, args: &[Operand]) -> Result<Term, String> {
        let Operand::Number(offset) = &args[0] else {
            return Err("Extract wants a number as its offset".into());
        };
        let (width, low, term) = (self.typed(typed)?, number(offset, 32)?.low_u64(), args[1].known(self.name)?);
        if low + u64::from(width) > u64::from(term.width()) {
            return Err(format!("Extract of w{width} at {low} from w{}: out of bounds", term.width()));
        }
        let low = low as u32;
        Ok(term.extract(low + width - 1, low))
    }

    fn read(&self, typed: Option<u32>, args: &[Operand]) -> Result<Term, String> {
        let name = self.name;
        let array = match &args[1] {
            Operand::Term(array) if array.is_array() => array,
            Operand::Term(_) | Operand::Number(_) => return Err(format!("ill-sorted: {name} wants an array")),
        };
        let index = args[0].of_width(array.width(), name)?;
        let single = matches!(self.shape, Shape::Read);
        let width = if single { typed.unwrap_or(8) } else { self.typed(typed)? };
        if !width.is_multiple_of(8) || single && width != 8 {
            return Err(format!("{name} of w{width}: expected {}", if single { "w8" } else { "whole bytes" }));
        }
        if !matches!(self.shape, Shape::ReadMsb) {
            return Ok(array.read(&index, width / 8));
        }
        let byte = |i: u32| array.read(&index.add(&Term::number(index.width(), u64::from(i))), 1);
        Ok((1..width / 8).fold(byte(0), |high, i| high.concat(&byte(i))))
    }
}
