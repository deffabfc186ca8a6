//! printf's formats kept as data: parsed when printed, filled in from each test's own input.
//!
//! Understood: `d i u o x X c s p %` with flags, width, precision and length modifiers, as ISO C says and musl prints. Anything else
//! is not deferred: the real code runs.

use strata_query::Model;
use strata_term::{Bits, Term, eval, mask, signed};

/// What `printf` was asked to print.
#[derive(Clone, Debug, Default)]
pub struct Conversion {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Literal(Vec<u8>),
    Integer { term: Term, directive: Directive },
    Character { term: Term, directive: Directive },
    Text { bytes: Vec<Term>, directive: Directive },
}

/// A conversion specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Of the argument, in bits.
    size: u32,
    kind: u8,
}

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Copied.
    Literal(Vec<u8>),
    /// `*`: an argument of type int that is the width (false) or the precision (true).
    Star(bool),
    /// Takes an argument.
    Directive(Directive),
}

impl Directive {
    /// The width of the argument in bits.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Is the argument a string?
    pub fn is_text(&self) -> bool {
        self.kind == b's'
    }

    /// The most bytes that are looked at in a string.
    pub fn precision(&self) -> Option<usize> {
        self.precision
    }

    /// With a width from an argument.
    pub fn with_width(mut self, width: i32) -> Directive {
        self.left |= width < 0;
        self.width = width.unsigned_abs() as usize;
        self
    }

    /// With a precision from an argument.
    pub fn with_precision(mut self, precision: i32) -> Directive {
        self.precision = usize::try_from(precision).ok();
        self
    }
}

/// The pieces of a format, or none where it has something not understood.
pub fn parse(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let literal = rest.iter().position(|byte| *byte == b'%').unwrap_or(rest.len());
        if literal > 0 {
            pieces.push(Piece::Literal(rest[..literal].to_vec()));
            rest = &rest[literal..];
            continue;
        }
        rest = &rest[1..];
        if rest.first() == Some(&b'%') {
            pieces.push(Piece::Literal(vec![b'%']));
            rest = &rest[1..];
            continue;
        }
        rest = directive(rest, &mut pieces)?;
    }
    Some(pieces)
}

fn number(rest: &mut &[u8]) -> usize {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count().min(9);
    let value = rest[..digits].iter().fold(0, |n, digit| n * 10 + usize::from(digit - b'0'));
    *rest = &rest[digits..];
    value
}

fn directive<'a>(mut rest: &'a [u8], pieces: &mut Vec<Piece>) -> Option<&'a [u8]> {
    let mut d = Directive { size: 32, ..Directive::default() };
    loop {
        match rest.first()? {
            b'-' => d.left = true,
            b'+' => d.plus = true,
            b' ' => d.space = true,
            b'#' => d.alternate = true,
            b'0' => d.zero = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    if rest.first() == Some(&b'*') {
        pieces.push(Piece::Star(false));
        rest = &rest[1..];
    } else {
        d.width = number(&mut rest);
    }
    if rest.first() == Some(&b'.') {
        rest = &rest[1..];
        if rest.first() == Some(&b'*') {
            pieces.push(Piece::Star(true));
            rest = &rest[1..];
        } else {
            d.precision = Some(number(&mut rest));
        }
    }
    for (modifier, size) in [("hh", 8), ("h", 16), ("ll", 64), ("l", 64), ("j", 64), ("z", 64), ("t", 64), ("q", 64)] {
        if rest.starts_with(modifier.as_bytes()) {
            d.size = size;
            rest = &rest[modifier.len()..];
            break;
        }
    }
    d.kind = *rest.first()?;
    match d.kind {
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {}
        b'c' if d.size == 32 => {}
        b's' if d.size == 32 => d.size = 64,
        b'p' => {
            d.size = 64;
            d.kind = b'x';
            d.alternate = true;
            // As musl prints pointers: at least all digits of one.
            d.precision = d.precision.or(Some(1));
        }
        _ => return None,
    }
    pieces.push(Piece::Directive(d));
    Some(&rest[1..])
}

impl Conversion {
    /// Text as it is.
    pub fn literal(&mut self, bytes: &[u8]) {
        self.parts.push(Part::Literal(bytes.to_vec()));
    }

    /// A number or a character, as wide as the directive says.
    pub fn argument(&mut self, directive: Directive, term: Term) {
        self.parts.push(match directive.kind {
            b'c' => Part::Character { term, directive },
            _ => Part::Integer { term, directive },
        });
    }

    /// A string: bytes up to the first zero.
    pub fn text(&mut self, directive: Directive, bytes: Vec<Term>) {
        self.parts.push(Part::Text { bytes, directive });
    }

    /// The text for an input.
    pub fn render(&self, model: &Model) -> Vec<u8> {
        let mut out = Vec::new();
        for part in &self.parts {
            match part {
                Part::Literal(bytes) => out.extend_from_slice(bytes),
                Part::Integer { term, directive } => integer(&mut out, &eval(term, model), directive),
                Part::Character { term, directive } => pad(&mut out, &[eval(term, model).low_u64() as u8], directive),
                Part::Text { bytes, directive } => {
                    pad(&mut out, &until_zero(bytes, directive.precision, model), directive)
                }
            }
        }
        out
    }
}

/// The values of bytes up to the first zero, at most so many.
pub(crate) fn until_zero(bytes: &[Term], most: Option<usize>, model: &Model) -> Vec<u8> {
    let values = bytes.iter().take(most.unwrap_or(usize::MAX)).map(|byte| eval(byte, model).low_u64() as u8);
    values.take_while(|byte| *byte != 0).collect()
}

fn pad(out: &mut Vec<u8>, text: &[u8], d: &Directive) {
    let fill = d.width.saturating_sub(text.len());
    if !d.left {
        out.resize(out.len() + fill, b' ');
    }
    out.extend_from_slice(text);
    if d.left {
        out.resize(out.len() + fill, b' ');
    }
}

fn integer(out: &mut Vec<u8>, bits: &Bits, d: &Directive) {
    let bits = bits.low_u64() & mask(d.size);
    let is_signed = matches!(d.kind, b'd' | b'i');
    let value = if is_signed { signed(d.size, bits) } else { 0 };
    let magnitude = if is_signed { value.unsigned_abs() } else { bits };
    let mut digits = match d.kind {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        _ => magnitude.to_string(),
    };
    if magnitude == 0 && d.precision == Some(0) {
        digits.clear();
    }
    let mut least = d.precision.unwrap_or(0);
    if d.kind == b'o' && d.alternate && !digits.starts_with('0') {
        least = least.max(digits.len() + 1);
    }
    let prefix = match d.kind {
        _ if is_signed && value < 0 => "-",
        _ if is_signed && d.plus => "+",
        _ if is_signed && d.space => " ",
        b'x' if d.alternate && magnitude != 0 => "0x",
        b'X' if d.alternate && magnitude != 0 => "0X",
        _ => "",
    };
    if d.zero && !d.left && d.precision.is_none() {
        least = least.max(d.width.saturating_sub(prefix.len()));
    }
    let zeros = "0".repeat(least.saturating_sub(digits.len()));
    pad(out, format!("{prefix}{zeros}{digits}").as_bytes(), d);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, value: i64, expected: &str) {
        let mut conversion = Conversion::default();
        for piece in parse(format.as_bytes()).unwrap() {
            match piece {
                Piece::Literal(bytes) => conversion.literal(&bytes),
                Piece::Star(_) => unreachable!(),
                Piece::Directive(d) => conversion.argument(d, Term::number(d.size(), value as u64 & mask(d.size()))),
            }
        }
        assert_eq!(String::from_utf8(conversion.render(&Model::default())).unwrap(), expected, "{format} of {value}");
    }

    #[test]
    fn integers_print_as_in_c() {
        check("<%d>", -7, "<-7>");
        check("%5d|", 42, "   42|");
        check("%-5d|", 42, "42   |");
        check("%05d", -42, "-0042");
        check("%+d % d", 3, "+3  3");
        check("%.3d", 7, "007");
        check("%8.3d", 7, "     007");
        check("%08.3d", 7, "     007");
        check("%.0d", 0, "");
        check("%x %X %#x", 255, "ff FF 0xff");
        check("%#o", 8, "010");
        check("%#x", 0, "0");
        check("%u", -1, "4294967295");
        check("%lu", -1, "18446744073709551615");
        check("%hhd", 200, "-56");
        check("%hx", 0x12345, "2345");
        check("%c%%", 65, "A%");
        check("%3c|", 65, "  A|");
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for format in ["%f", "%n", "%ls", "%", "%5", "%a"] {
            assert!(parse(format.as_bytes()).is_none(), "{format}");
        }
    }
}
