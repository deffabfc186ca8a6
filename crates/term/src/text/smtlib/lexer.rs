//! The tokens of SMT-LIB: ranges of the text, found without copying it.
//!
//! Where a reader's match over kinds ends with "anything else was not expected", that is right for a new kind too.

use crate::text::error::Fault;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    Symbol,
    /// A symbol between bars; the range is what is between them.
    Quoted,
    /// With its colon.
    Keyword,
    Numeral,
    Decimal,
    /// The digits after `#b`.
    Binary,
    /// The digits after `#x`.
    Hex,
    /// With doubled quotes inside as they are; the range is what is between the outer ones.
    String,
    End,
}

/// A token: its kind and its range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    /// Where the token starts, with its quotes or prefix.
    pub at: usize,
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Illegal,
    Blank,
    Letter,
    Digit,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Illegal; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' => Class::Blank,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'~' | b'!' | b'@' | b'$' | b'%' | b'^' | b'&' | b'*' | b'_' | b'-' | b'+' | b'=' => Class::Letter,
            b'<' | b'>' | b'.' | b'?' | b'/' => Class::Letter,
            b'(' | b')' | b'|' | b'"' | b'#' | b':' | b';' => Class::Other,
            _ => Class::Illegal,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// May `byte` stand in a symbol that is not quoted?
pub(super) fn in_symbol(byte: u8) -> bool {
    matches!(class(byte), Class::Letter | Class::Digit)
}

/// A position in a text, moved token by token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'t> {
    pub text: &'t [u8],
    pub at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t [u8]) -> Lexer<'t> {
        Lexer { text, at: 0 }
    }

    /// The bytes of a token.
    pub(super) fn bytes(&self, token: Token) -> &'t [u8] {
        &self.text[token.start..token.end]
    }

    /// The byte at the current place, or zero at the end (zero is not legal anywhere).
    fn byte(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, keep: impl Fn(u8) -> bool) {
        while self.at < self.text.len() && keep(self.text[self.at]) {
            self.at += 1;
        }
    }

    /// Moves over blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(|byte| class(byte) == Class::Blank);
            if self.byte() != b';' {
                return;
            }
            self.skip_while(|byte| byte != b'\n');
        }
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Result<Token, Fault> {
        self.skip_blanks();
        let at = self.at;
        let Some(&first) = self.text.get(at) else {
            return Ok(Token { kind: Kind::End, at, start: at, end: at });
        };
        self.at += 1;
        let (kind, start) = match class(first) {
            Class::Letter => {
                self.skip_while(in_symbol);
                (Kind::Symbol, at)
            }
            Class::Digit => (self.number(at)?, at),
            Class::Other => return self.other(first, at),
            Class::Blank | Class::Illegal => return Fault::at(at, illegal(first)),
        };
        Ok(Token { kind, at, start, end: self.at })
    }

    fn number(&mut self, at: usize) -> Result<Kind, Fault> {
        self.skip_while(|byte| byte.is_ascii_digit());
        let mut kind = Kind::Numeral;
        if self.byte() == b'.' {
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
            kind = Kind::Decimal;
        }
        if in_symbol(self.byte()) {
            return Fault::at(at, "a number runs into a symbol: expected a blank between them");
        }
        Ok(kind)
    }

    fn other(&mut self, first: u8, at: usize) -> Result<Token, Fault> {
        let token = |kind, start, end| Ok(Token { kind, at, start, end });
        match first {
            b'(' => token(Kind::Open, at, self.at),
            b')' => token(Kind::Close, at, self.at),
            b'|' => self.quoted(at),
            b'"' => self.string(at),
            b':' => {
                self.skip_while(in_symbol);
                if self.at == at + 1 {
                    return Fault::at(at, "expected a keyword after `:`");
                }
                token(Kind::Keyword, at, self.at)
            }
            b'#' => self.literal(at),
            _ => Fault::at(at, illegal(first)),
        }
    }

    fn quoted(&mut self, at: usize) -> Result<Token, Fault> {
        self.skip_while(|byte| byte != b'|' && byte != b'\\');
        if self.at >= self.text.len() {
            return Fault::at(at, "unexpected end of file: this `|` is not closed");
        }
        if self.byte() == b'\\' {
            return Fault::at(self.at, "unexpected `\\` in a quoted symbol");
        }
        let token = Token { kind: Kind::Quoted, at, start: at + 1, end: self.at };
        self.at += 1;
        match std::str::from_utf8(self.bytes(token)) {
            Ok(_) => Ok(token),
            Err(error) => {
                let bad = token.start + error.valid_up_to();
                Fault::at(bad, illegal(self.text[bad]))
            }
        }
    }

    fn string(&mut self, at: usize) -> Result<Token, Fault> {
        loop {
            self.skip_while(|byte| byte != b'"');
            if self.at >= self.text.len() {
                return Fault::at(at, "unexpected end of file: this string is not closed");
            }
            self.at += 1;
            if self.byte() != b'"' {
                return Ok(Token { kind: Kind::String, at, start: at + 1, end: self.at - 1 });
            }
            self.at += 1;
        }
    }

    fn literal(&mut self, at: usize) -> Result<Token, Fault> {
        let prefix = self.byte();
        self.at += usize::from(self.at < self.text.len());
        let start = self.at;
        let kind = match prefix {
            b'b' => {
                self.skip_while(|byte| matches!(byte, b'0' | b'1'));
                Kind::Binary
            }
            b'x' => {
                self.skip_while(|byte| byte.is_ascii_hexdigit());
                Kind::Hex
            }
            _ => return Fault::at(at, "expected `#b` or `#x`"),
        };
        if start == self.at || in_symbol(self.byte()) {
            let what = if kind == Kind::Binary { "binary digits after `#b`" } else { "hexadecimal digits after `#x`" };
            return Fault::at(at, format!("expected {what}"));
        }
        Ok(Token { kind, at, start, end: self.at })
    }

    /// Reads the rest of `(_ bvN w)` after its `(` if it is exactly that and both numbers are below 2^64. Most of a logged query
    /// is such constants. Moves only on success.
    pub(super) fn constant(&mut self) -> Option<(u64, u64)> {
        let mut ahead = *self;
        ahead.skip_while(|byte| byte == b' ');
        ahead.expect(b"_")?;
        ahead.blanks()?;
        ahead.expect(b"bv")?;
        let value = ahead.decimal()?;
        ahead.blanks()?;
        let width = ahead.decimal()?;
        ahead.skip_while(|byte| byte == b' ');
        ahead.expect(b")")?;
        self.at = ahead.at;
        Some((value, width))
    }

    fn expect(&mut self, what: &[u8]) -> Option<()> {
        self.text[self.at..].starts_with(what).then(|| self.at += what.len())
    }

    fn blanks(&mut self) -> Option<()> {
        let start = self.at;
        self.skip_while(|byte| byte == b' ');
        (self.at > start).then_some(())
    }

    fn decimal(&mut self) -> Option<u64> {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        let digits = &self.text[start..self.at];
        if digits.is_empty() || in_symbol(self.byte()) { None } else { crate::text::numeral::decimal(digits) }
    }

    /// Moves over one s-expression that starts with `token`, and gives its text.
    pub(super) fn skip_expression(&mut self, token: Token) -> Result<&'t [u8], Fault> {
        let mut depth = 0usize;
        let mut next = token;
        loop {
            match next.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth == 0 => return Fault::at(next.at, "unexpected `)`: expected a value"),
                Kind::Close => depth -= 1,
                Kind::End => return Err(Fault::End),
                Kind::Symbol | Kind::Quoted | Kind::Keyword | Kind::Numeral | Kind::Decimal => {}
                Kind::Binary | Kind::Hex | Kind::String => {}
            }
            if depth == 0 {
                return Ok(&self.text[token.at..self.at]);
            }
            next = self.next()?;
        }
    }
}

fn illegal(byte: u8) -> String {
    match byte {
        b' '..=b'~' => format!("unexpected character `{}`", char::from(byte)),
        _ => format!("not text: byte 0x{byte:02x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(Kind, &str)]) {
        let mut lexer = Lexer::new(text.as_bytes());
        for (kind, bytes) in expect {
            let token = lexer.next().unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            assert_eq!((token.kind, lexer.bytes(token)), (*kind, bytes.as_bytes()), "{text}");
        }
        assert_eq!(lexer.next().map(|token| token.kind).ok(), Some(Kind::End), "{text}");
    }

    #[test]
    fn tokens() {
        check("( ?B1 ; )\n)", &[(Kind::Open, "("), (Kind::Symbol, "?B1"), (Kind::Close, ")")]);
        check("|a b||c|", &[(Kind::Quoted, "a b"), (Kind::Quoted, "c")]);
        check("#b01#xfF", &[(Kind::Binary, "01"), (Kind::Hex, "fF")]);
        check("12 1.5 :named", &[(Kind::Numeral, "12"), (Kind::Decimal, "1.5"), (Kind::Keyword, ":named")]);
        check(r#""a ""b"" c" "" x"#, &[(Kind::String, r#"a ""b"" c"#), (Kind::String, ""), (Kind::Symbol, "x")]);
    }

    #[test]
    fn constants() {
        for (text, expect) in [
            (" _ bv5 32 )", Some((5, 32))),
            ("_ bv5 32)", Some((5, 32))),
            ("_ bv5x 32)", None),
            ("_ bv 32)", None),
            ("_ bv18446744073709551616 65)", None),
            ("_ bv5 32", None),
        ] {
            assert_eq!(Lexer::new(text.as_bytes()).constant(), expect, "{text}");
        }
    }
}
