//! All that the command prints goes through here, so that nothing of it is obeyed by a terminal.
//!
//! Names, messages and texts come from the tested program, its sources, clang or a run's folder, any of which may be hostile. `visible`
//! shows what a terminal would obey instead of sending it; line ends and tabs pass. `line.rs` moves the cursor itself and asks
//! `visible` for the text in between; `--echo` does so where the output is a terminal.

use crate::Outcome;
use std::borrow::Cow;
use std::io::{ErrorKind, Write};
use strata_record::{Record, Tests};

/// Writes to standard output. Nobody reading any more is no fault; a full disk is not one of ours either.
pub fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(visible(text).as_bytes()).and_then(|()| stdout.flush()) {
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
    let _ = std::io::stderr().lock().write_all(visible(text).as_bytes());
}

/// What the user gave cannot be used: says why.
pub fn refuse(reason: impl std::fmt::Display) -> Outcome {
    err(&format!("strata: {reason}\n"));
    Outcome::BadInput
}

/// A line about the run on standard error.
pub fn say(text: impl std::fmt::Display) {
    err(&format!("strata: {text}\n"));
}

/// Says what of a run is not there.
pub fn note(record: &Record, tests: &Tests) {
    if record.stats().is_ok_and(|stats| stats.is_some_and(|stats| !stats.ended)) {
        say(format_args!("{}: {UNFINISHED}", record.folder().display()));
    }
    tests.damage().iter().for_each(say);
}

/// What is said of a run without its last figures.
pub const UNFINISHED: &str = "the run has not ended: it goes on, or was killed; this is what it has written";

/// The text with everything that a terminal would obey shown as an escape. Lines and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let sent = |c: char| !obeyed(c) || c == '\n' || c == '\t';
    if text.chars().all(sent) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| if sent(c) { shown.push(c) } else { shown.extend(c.escape_default()) });
    Cow::Owned(shown)
}

/// The text as one line: line ends and tabs are shown, too.
pub fn plain(text: &str) -> String {
    let shown = |c: char| if obeyed(c) { c.escape_default().collect() } else { vec![c] };
    text.chars().flat_map(shown).collect()
}

/// Control characters, and those that change the direction of writing: they would make a line look like another one.
fn obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Rows of cells, each column as wide as its widest cell; `right` columns are numbers.
pub fn table(rows: &[Vec<String>], right: impl Fn(usize) -> bool) -> String {
    page(rows, &mut Vec::new(), right)
}

/// A part of a table: its columns are at least as wide as those of the rows before.
pub fn page(rows: &[Vec<String>], widths: &mut Vec<usize>, right: impl Fn(usize) -> bool) -> String {
    for (column, cell) in rows.iter().flat_map(|row| row.iter().enumerate()) {
        widths.resize(widths.len().max(column + 1), 0);
        widths[column] = widths[column].max(cell.chars().count());
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_sent_that_a_terminal_obeys() {
        assert_eq!(visible("a\tb\nc"), "a\tb\nc");
        assert_eq!(visible("\x1b[2Jx\r"), "\\u{1b}[2Jx\\r");
        assert_eq!(visible("\u{9b}31m"), "\\u{9b}31m");
        assert_eq!(visible("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(visible("für 漢"), "für 漢");
        assert_eq!(plain("a\nb"), "a\\nb");
    }
}
