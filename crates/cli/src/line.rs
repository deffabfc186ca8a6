//! One line on standard error that is rewritten in place, where there is a terminal to do that.

use std::io::{IsTerminal, Write};

/// The line.
pub struct Line {
    terminal: bool,
    shown: bool,
}

impl Line {
    /// A line that is not shown yet.
    pub fn new() -> Line {
        Line { terminal: std::io::stderr().is_terminal(), shown: false }
    }

    /// Shows a text in place of the one before. Without a terminal the first text is printed, and no other.
    pub fn show(&mut self, text: &str) {
        let mut out = std::io::stderr().lock();
        if self.terminal {
            let short: String = text.chars().take(width()).collect();
            let _ = write!(out, "\r\x1b[2K{short}");
            let _ = out.flush();
        } else if !self.shown {
            let _ = writeln!(out, "strata: {text}");
        }
        self.shown = true;
    }

    /// Takes it away.
    pub fn clear(&mut self) {
        if self.terminal && self.shown {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[2K");
        }
        self.shown = false;
    }
}

/// Columns of the terminal, or a guess.
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stderr());
    size.map_or(100, |size| usize::from(size.ws_col).max(20)) - 1
}
