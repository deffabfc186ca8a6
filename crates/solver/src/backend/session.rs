//! A running process and the two ends of its pipe.
//!
//! Its output is read by a thread of its own, so that waiting for a reply can stop at a deadline or an interrupt.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use strata_query::{Budget, Reason};

/// Why a session is over.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command could not be run.
    Missing(String),
    /// It closed its end of the pipe.
    Ended,
    /// The budget is spent.
    Stopped(Reason),
}

pub(super) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    /// What was read and is not part of a reply yet.
    pending: Vec<u8>,
    /// Text that the process has not taken yet is written by a thread, so that a full pipe cannot block us for ever.
    writer: Option<std::thread::JoinHandle<Option<ChildStdin>>>,
}

/// How long to wait between two looks at the interrupt.
const SLICE: Duration = Duration::from_millis(20);

impl Session {
    pub fn start(command: &str) -> Result<Session, Failure> {
        // No shell in between: what is killed at a time-out must be the solver itself.
        let words = shlex::split(command).unwrap_or_default();
        let (program, arguments) = words.split_first().ok_or_else(|| Failure::Missing("it is empty".into()))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::Missing(error.to_string()))?;
        let input = child.stdin.take();
        let mut from = child.stdout.take().ok_or(Failure::Ended)?;
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(Session { child, input, output, pending: Vec::new(), writer: None })
    }

    fn input(&mut self) -> Result<ChildStdin, Failure> {
        if let Some(writer) = self.writer.take() {
            self.input = writer.join().unwrap_or(None);
        }
        self.input.take().ok_or(Failure::Ended)
    }

    pub fn send(&mut self, text: &str) -> Result<(), Failure> {
        let mut input = self.input()?;
        if text.len() < 4096 {
            input.write_all(text.as_bytes()).and_then(|()| input.flush()).map_err(|_| Failure::Ended)?;
            self.input = Some(input);
            return Ok(());
        }
        let text = text.to_owned();
        self.writer = Some(std::thread::spawn(move || {
            input.write_all(text.as_bytes()).and_then(|()| input.flush()).ok().map(|()| input)
        }));
        Ok(())
    }

    /// The next reply: an atom, or a list up to its closing parenthesis.
    pub fn receive(&mut self, budget: &Budget) -> Result<String, Failure> {
        loop {
            if let Some(end) = end(&self.pending) {
                let rest = self.pending.split_off(end);
                let reply = std::mem::replace(&mut self.pending, rest);
                return Ok(String::from_utf8_lossy(&reply).trim().to_owned());
            }
            if let Some(reason) = budget.exceeded() {
                return Err(Failure::Stopped(reason));
            }
            let left = budget.deadline.map_or(SLICE, |deadline| deadline.saturating_duration_since(Instant::now()));
            match self.output.recv_timeout(left.min(SLICE)) {
                Ok(bytes) => self.pending.extend(bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Ended),
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may be busy, and it may not care that its input is closed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The length of the first whole reply in `bytes`, leading blanks included: an atom that a blank ends, or a balanced list.
fn end(bytes: &[u8]) -> Option<usize> {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let (mut depth, mut quote) = (0usize, None);
    for (offset, &byte) in bytes.iter().enumerate().skip(start) {
        match (quote, byte) {
            (Some(mark), _) if byte == mark => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'|') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(offset + 1);
                }
            }
            (None, _) if depth == 0 && byte.is_ascii_whitespace() => return Some(offset),
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends() {
        let cases: [(&str, Option<usize>); 7] = [
            ("sat\n", Some(3)),
            ("sa", None),
            ("\n sat\nunsat\n", Some(5)),
            ("((x #x05)\n (y 1))rest", Some(17)),
            ("((x", None),
            ("(error \"a ) b\") ", Some(15)),
            ("(|a)b| 1)x", Some(9)),
        ];
        for (text, expect) in cases {
            assert_eq!(end(text.as_bytes()), expect, "{text}");
        }
    }
}
