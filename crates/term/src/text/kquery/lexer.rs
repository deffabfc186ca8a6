//! The tokens of KQuery: ranges of the text.
//!
//! The reader ends its matches over kinds with "anything else was not expected", which is right for a new kind too.

use crate::text::error::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    OpenSquare,
    CloseSquare,
    Comma,
    Colon,
    Equals,
    At,
    Arrow,
    Number,
    Name,
    /// `w` and digits.
    Width,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub at: usize,
    end: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'t> {
    pub text: &'t [u8],
    pub at: usize,
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'%')
}

/// May `byte` stand in a name after its start?
fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'%' | b'.' | b'-')
}

/// May `c` stand in a name after its start?
pub(super) fn in_name_char(c: char) -> bool {
    u8::try_from(c).is_ok_and(in_name)
}

/// Is it a name, and not a word of the language?
pub(super) fn is_name(name: &[u8]) -> bool {
    const WORDS: [&[u8]; 10] =
        [b"true", b"false", b"array", b"query", b"symbolic", b"def", b"var", b"path", b"define", b"declare"];
    let numbered =
        |prefix: &[u8]| name.strip_prefix(prefix).is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit));
    name.first().is_some_and(|first| starts_name(*first))
        && name.iter().all(|byte| in_name(*byte))
        && !WORDS.contains(&name)
        && !numbered(b"w")
        && !numbered(b"i")
        && !numbered(b"fp")
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t [u8]) -> Lexer<'t> {
        Lexer { text, at: 0 }
    }

    pub(super) fn bytes(&self, token: Token) -> &'t [u8] {
        &self.text[token.at..token.end]
    }

    fn skip_while(&mut self, keep: impl Fn(u8) -> bool) {
        while self.at < self.text.len() && keep(self.text[self.at]) {
            self.at += 1;
        }
    }

    pub(super) fn next(&mut self) -> Result<Token, Fault> {
        loop {
            self.skip_while(|byte| byte.is_ascii_whitespace() || byte == 0x0b);
            if self.text.get(self.at) != Some(&b'#') {
                break;
            }
            self.skip_while(|byte| byte != b'\n');
        }
        let at = self.at;
        let Some(&first) = self.text.get(at) else {
            return Ok(Token { kind: Kind::End, at, end: at });
        };
        self.at += 1;
        let second = self.text.get(self.at).copied().unwrap_or(0);
        let kind = match first {
            b'(' => Kind::Open,
            b')' => Kind::Close,
            b'[' => Kind::OpenSquare,
            b']' => Kind::CloseSquare,
            b',' => Kind::Comma,
            b':' => Kind::Colon,
            b'=' => Kind::Equals,
            b'@' => Kind::At,
            b'-' if second == b'>' => {
                self.at += 1;
                Kind::Arrow
            }
            b'+' | b'-' if !second.is_ascii_digit() => return Fault::at(at, "expected digits after a sign"),
            b'0'..=b'9' | b'+' | b'-' => {
                self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                Kind::Number
            }
            _ if starts_name(first) => {
                self.skip_while(in_name);
                let digits = &self.text[at + 1..self.at];
                let width = first == b'w' && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
                if width { Kind::Width } else { Kind::Name }
            }
            b' '..=b'~' => return Fault::at(at, format!("unexpected character `{}`", char::from(first))),
            _ => return Fault::at(at, format!("not text: byte 0x{first:02x}")),
        };
        Ok(Token { kind, at, end: self.at })
    }
}
