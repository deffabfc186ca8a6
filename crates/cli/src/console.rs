//! Printing for verbs that answer at once: text for people, with nothing in it that a terminal would obey.

use crate::Outcome;
use std::io::{ErrorKind, Write};

/// Writes to standard output. Nobody reading any more is no fault; a full disk is not one of ours either.
pub fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(Outcome::Done as i32),
        Err(error) => {
            err(&format!("strata: cannot write to standard output: {error}\n"));
            std::process::exit(Outcome::BadInput as i32);
        }
    }
}

/// Writes to standard error, if that can be written to.
pub fn err(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// What the user gave cannot be used: says why.
pub fn refuse(reason: impl std::fmt::Display) -> Outcome {
    err(&format!("strata: {reason}\n"));
    Outcome::BadInput
}

/// Names and texts come from the tested program: control characters are shown, not sent.
pub fn plain(text: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_default().collect() } else { vec![c] };
    text.chars().flat_map(shown).collect()
}

/// Rows of cells, each column as wide as its widest cell; `right` columns are numbers.
pub fn table(rows: &[Vec<String>], right: impl Fn(usize) -> bool) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cell = |(column, cell): (usize, &String)| {
            let width = widths[column];
            if right(column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        };
        let line = row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
