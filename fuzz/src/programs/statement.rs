//! Statements: a tree over lines of text.

use std::fmt::Write as _;

/// A statement. Each kind stays well-formed when statements are deleted from its bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// One line, with its semicolon.
    Line(String),
    /// `head { body }`.
    Block {
        /// Up to the brace.
        head: String,
        /// Inside.
        body: Vec<Statement>,
    },
    /// `if (condition) { then } else { otherwise }`.
    Choice {
        /// Without parentheses.
        condition: String,
        /// If it holds.
        then: Vec<Statement>,
        /// If not.
        otherwise: Vec<Statement>,
    },
    /// `switch (value) { … }`; each arm has its label, its body, and whether it falls into the next.
    Switch {
        /// Without parentheses.
        value: String,
        /// Label (`case 3` or `default`), body, falls through.
        arms: Vec<(String, Vec<Statement>, bool)>,
    },
}

impl Statement {
    /// The bodies inside.
    pub fn bodies(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::Line(_) => Vec::new(),
            Statement::Block { body, .. } => vec![body],
            Statement::Choice { then, otherwise, .. } => vec![then, otherwise],
            Statement::Switch { arms, .. } => arms.iter_mut().map(|(_, body, _)| body).collect(),
        }
    }
}

/// Writes a body as C.
pub fn print(body: &[Statement], depth: usize, text: &mut String) {
    for statement in body {
        one(statement, depth, text);
    }
}

fn line(depth: usize, content: &str, text: &mut String) {
    writeln!(text, "{}{content}", "  ".repeat(depth)).expect("a string takes all");
}

fn one(statement: &Statement, depth: usize, text: &mut String) {
    match statement {
        Statement::Line(content) => line(depth, content, text),
        Statement::Block { head, body } => {
            line(depth, &format!("{head} {{"), text);
            print(body, depth + 1, text);
            line(depth, "}", text);
        }
        Statement::Choice { condition, then, otherwise } => {
            line(depth, &format!("if ({condition}) {{"), text);
            print(then, depth + 1, text);
            if !otherwise.is_empty() {
                line(depth, "} else {", text);
                print(otherwise, depth + 1, text);
            }
            line(depth, "}", text);
        }
        Statement::Switch { value, arms } => {
            line(depth, &format!("switch ({value}) {{"), text);
            for (label, body, falls) in arms {
                line(depth, &format!("{label}:"), text);
                print(body, depth + 1, text);
                line(depth + 1, if *falls { ";" } else { "break;" }, text);
            }
            line(depth, "}", text);
        }
    }
}
