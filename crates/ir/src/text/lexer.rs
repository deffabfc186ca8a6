//! The text as tokens, one at a time.
//!
//! Tokens borrow from the text, so reading takes no memory of its own; a string keeps its escapes until somebody wants its
//! bytes. Places are byte offsets while reading; lines and columns are counted when an error is reported.

use super::error::Problem;

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Letters, digits, `_`, `.` and `$`, not beginning with a digit.
    Word(&'a str),
    /// Digits, or `0x` and hexadecimal digits.
    Number(&'a str),
    /// What stands between quotes, as written.
    Text(&'a str),
    /// A mark.
    Mark(char),
    /// `->`.
    Arrow,
    /// The end of the text.
    End,
}

/// Reads as one word?
pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| opens_word(c)) && text.chars().all(in_word)
}

fn opens_word(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '.' | '$')
}

fn in_word(c: char) -> bool {
    opens_word(c) || c.is_ascii_digit()
}

/// A place in the text, from which tokens are taken.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, offset: 0 }
    }

    /// The next token with its offset.
    pub(super) fn next(&mut self) -> Result<(usize, Token<'a>), (usize, Problem)> {
        self.skip();
        let start = self.offset;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return Ok((start, Token::End)) };
        let token = if opens_word(first) {
            Token::Word(self.take(rest, in_word))
        } else if first.is_ascii_digit() {
            Token::Number(self.take(rest, |c| c.is_ascii_alphanumeric()))
        } else if first == '"' {
            self.string(rest).ok_or((start, Problem::OpenString))?
        } else if rest.starts_with("->") {
            self.offset += 2;
            Token::Arrow
        } else {
            self.offset += first.len_utf8();
            Token::Mark(first)
        };
        Ok((start, token))
    }

    fn take(&mut self, rest: &'a str, member: impl Fn(char) -> bool) -> &'a str {
        let end = rest.find(|c| !member(c)).unwrap_or(rest.len());
        self.offset += end;
        &rest[..end]
    }

    /// Up to the closing quote on the same line. Quotes inside are escaped by number, so the first one closes.
    fn string(&mut self, rest: &'a str) -> Option<Token<'a>> {
        let body = &rest[1..];
        let end = body.find(['"', '\n']).filter(|end| body.as_bytes()[*end] == b'"')?;
        self.offset += end + 2;
        Some(Token::Text(&body[..end]))
    }

    fn skip(&mut self) {
        loop {
            let rest = self.text[self.offset..].trim_start();
            self.offset = self.text.len() - rest.len();
            if !rest.starts_with(';') {
                return;
            }
            self.offset += rest.find('\n').unwrap_or(rest.len());
        }
    }
}

/// The bytes of a string: `\xx` is the byte with that number.
pub(super) fn unescape(text: &str) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        if *first != b'\\' {
            bytes.push(*first);
            rest = tail;
            continue;
        }
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        bytes.push(digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).ok_or(Problem::Escape)?);
        rest = &tail[2..];
    }
    Ok(bytes)
}
