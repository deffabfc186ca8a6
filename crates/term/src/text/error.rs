//! What is wrong with a text, and where.
//!
//! While reading, a place is a byte offset; lines and columns are counted only when somebody asks, so that
//! reading does not pay for them.

use std::fmt;

/// A place in a text, counted from one; columns are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a text was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The line, from one.
    pub line: usize,
    /// The column in bytes, from one.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}

/// An error before its place is counted out.
#[derive(Debug)]
pub(super) enum Fault {
    /// The text ended too early.
    End,
    /// Something is wrong at this offset.
    At(usize, String),
}

impl Fault {
    pub(super) fn at<T>(offset: usize, message: impl Into<String>) -> Result<T, Fault> {
        Err(Fault::At(offset, message.into()))
    }
}

/// Counts lines forward from the last place it was asked about, so that asking for each command in turn is one pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Locator {
    offset: usize,
    line_start: usize,
    lines: usize,
}

impl Locator {
    /// The position of `offset`.
    pub(super) fn locate(&mut self, text: &[u8], offset: usize) -> Position {
        let offset = offset.min(text.len());
        if offset < self.offset {
            *self = Locator::default();
        }
        let passed = &text[self.offset..offset];
        if let Some(last) = passed.iter().rposition(|byte| *byte == b'\n') {
            self.lines += passed.iter().filter(|byte| **byte == b'\n').count();
            self.line_start = self.offset + last + 1;
        }
        self.offset = offset;
        Position { line: self.lines + 1, column: offset - self.line_start + 1 }
    }
}

/// An error at an offset of `text`.
pub(super) fn locate(text: &[u8], offset: usize, message: String) -> Error {
    let Position { line, column } = Locator::default().locate(text, offset);
    Error { line, column, message }
}

/// Text for a message: what of `bytes` can be shown on a line.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]);
    let rest = if bytes.len() > LONGEST { "…" } else { "" };
    format!("{}{rest}", shown.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_forward_and_back() {
        let text = b"ab\nc\n\nd";
        let mut locator = Locator::default();
        for (offset, line, column) in [(0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 2, 1), (6, 4, 1), (3, 2, 1), (99, 4, 2)] {
            assert_eq!(locator.locate(text, offset), Position { line, column }, "offset {offset}");
        }
    }
}
