//! Makes a failing program small: as long as it still fails, statements are deleted, large ones first.

use super::generate::Program;
use super::statement::Statement;

/// The smallest program found that `fails` still rejects; `fails(program)` must hold.
pub fn smaller(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    let mut at = 0;
    // One pass after another until none deletes anything.
    let mut deleted = false;
    loop {
        let mut candidate = smallest.clone();
        if !delete(&mut candidate, at) {
            if !deleted {
                return smallest;
            }
            (at, deleted) = (0, false);
            continue;
        }
        if fails(&candidate) {
            (smallest, deleted) = (candidate, true);
        } else {
            at += 1;
        }
    }
}

/// Deletes the statement with this number, counted outside in; false if there are not so many.
fn delete(program: &mut Program, at: usize) -> bool {
    let mut left = at;
    program.bodies().into_iter().any(|body| delete_within(body, &mut left))
}

fn delete_within(body: &mut Vec<Statement>, left: &mut usize) -> bool {
    if *left < body.len() {
        body.remove(*left);
        return true;
    }
    *left -= body.len();
    body.iter_mut().flat_map(Statement::bodies).any(|inner| delete_within(inner, left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::program;

    fn count(program: &Program, text: &str) -> usize {
        program.source().matches(text).count()
    }

    /// What fails is what prints: one statement that prints is left, and nothing beside what leads to it.
    #[test]
    fn only_what_fails_is_left() {
        let seed = (0..).find(|seed| count(&program(*seed), "\\n\", (unsigned)") > 2).expect("a program that prints");
        let small = smaller(&program(seed), |program| count(program, "\\n\", (unsigned)") >= 1);
        assert_eq!(count(&small, "\\n\", (unsigned)"), 1);
        let mut copy = small.clone();
        let statements: usize = copy.bodies().iter().map(|body| body.len()).sum();
        assert_eq!(statements, 1, "{}", small.source());
    }
}
