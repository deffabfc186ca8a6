//! A few lines on standard error that are rewritten in place, where there is a terminal to do that.

use crate::console::visible;
use std::io::{IsTerminal, Write};

/// The lines.
pub struct Line {
    terminal: bool,
    shown: usize,
}

impl Line {
    /// Lines that are not shown yet.
    pub fn new() -> Line {
        Line { terminal: terminal(), shown: 0 }
    }

    /// Shows a text in place of the one before. Without a terminal the first text is printed, and no other.
    pub fn show(&mut self, text: &str) {
        let mut out = std::io::stderr().lock();
        if self.terminal {
            let _ = out.write_all(rewrite(self.shown, &visible(text), width()).as_bytes());
            let _ = out.flush();
        } else if self.shown == 0 {
            let _ = writeln!(out, "strata: {}", visible(text));
        }
        self.shown = text.lines().count();
    }

    /// Takes it away.
    pub fn clear(&mut self) {
        if self.terminal && self.shown > 0 {
            let _ = std::io::stderr().lock().write_all(rewrite(self.shown, "", 1).as_bytes());
        }
        self.shown = 0;
    }
}

/// Can lines be rewritten on standard error?
pub fn terminal() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// What replaces so many lines by a text: back to the first, erase all below, write.
fn rewrite(shown: usize, text: &str, width: usize) -> String {
    let up = if shown > 1 { format!("\x1b[{}A", shown - 1) } else { String::new() };
    // A line that is wrapped would count as two.
    let lines: Vec<String> = text.lines().map(|line| line.chars().take(width).collect()).collect();
    format!("\r{up}\x1b[J{}", lines.join("\n"))
}

/// Columns of the terminal, or a guess: some say that they have none.
fn width() -> usize {
    let columns = rustix::termios::tcgetwinsize(std::io::stderr()).map_or(0, |size| usize::from(size.ws_col));
    if columns == 0 { 100 } else { columns.max(20) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_replace_each_other() {
        assert_eq!(rewrite(0, "abc\ndef", 2), "\r\x1b[Jab\nde");
        assert_eq!(rewrite(3, "x", 9), "\r\x1b[2A\x1b[Jx");
        assert_eq!(rewrite(1, "", 9), "\r\x1b[J");
    }
}
