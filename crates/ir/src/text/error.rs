//! Why a text was not understood.

use std::fmt;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What.
    pub problem: Problem,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Something else stands here.
    Expected {
        /// What could stand here.
        expected: String,
        /// What does.
        found: String,
    },
    /// A string without its closing quote on the same line.
    OpenString,
    /// A backslash without two hexadecimal digits.
    Escape,
    /// A name or message that is not UTF-8.
    NotText,
    /// A number that its place cannot hold: at most this.
    TooLarge(u64),
    /// A value that its width cannot hold.
    TooWide(u32),
    /// A negative number in a place, or of a width, that allows none.
    Negative,
    /// A width that no value can have.
    NoSuchWidth(u64),
    /// No function or global has this name.
    UnknownName(String),
    /// A call of something that is no function, or a block of it.
    NoFunction(String),
    /// Another function or global has this name.
    DuplicateName(String),
    /// A numbered item out of turn: the number that is due.
    OutOfTurn {
        /// What is numbered.
        item: &'static str,
        /// The number that is due.
        due: usize,
    },
    /// A register has another width elsewhere.
    Width {
        /// The register.
        register: u32,
        /// Its width elsewhere.
        elsewhere: u32,
    },
    /// A register below the highest has no width anywhere.
    NoWidth(u32),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Expected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Problem::OpenString => write!(f, "expected a closing '\"' on the same line"),
            Problem::Escape => write!(f, "expected two hexadecimal digits after every '\\' of the string"),
            Problem::NotText => write!(f, "expected UTF-8 in this string"),
            Problem::TooLarge(most) => write!(f, "expected a number of at most {most}"),
            Problem::TooWide(width) => write!(f, "expected a value that fits into {width} bits"),
            Problem::Negative => write!(f, "expected a number without a sign (wide values are hexadecimal)"),
            Problem::NoSuchWidth(width) => {
                write!(f, "a width of {width} bits: expected 1 to {}", strata_term::MAX_WIDTH)
            }
            Problem::UnknownName(name) => write!(f, "no function or global is called {name:?}: expected one that is"),
            Problem::NoFunction(name) => write!(f, "{name:?} is a global: expected a function"),
            Problem::DuplicateName(name) => write!(f, "{name:?} is defined already: expected another name"),
            Problem::OutOfTurn { item, due } => write!(f, "expected {item} {due} here"),
            Problem::Width { register, elsewhere } => {
                write!(f, "r{register} is i{elsewhere} elsewhere in this function: expected the same")
            }
            Problem::NoWidth(register) => write!(
                f,
                "r{register} has no width: expected an assignment, a parameter or a `registers` line with r{register}:i…"
            ),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for ParseError {}

impl ParseError {
    /// With the place counted out.
    pub(super) fn at(text: &str, offset: usize, problem: Problem) -> ParseError {
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        ParseError { line, column: before[line_start..].chars().count() + 1, problem }
    }
}
