//! The stack: layers in the order in which they are asked, one row each.
//!
//! The table is the only place that names layers: `--layers`, the statistics and the cross-check read it. A layer is added by a file in
//! `layers/` and a row here. At present there is the complete core alone; what answers before it comes above its row.

use crate::backend::Process;
use crate::pool::Pool;
use std::time::{Duration, Instant};
use strata_query::{Answer, Budget, Path, Reason, Solver};
use strata_term::Term;

/// A row of the table of layers.
pub struct Row {
    /// What it is called on the command line and in statistics.
    pub name: &'static str,
    /// What it does, and why it stands where it stands.
    pub reason: &'static str,
}

/// The layers, first asked first. The last one always answers and cannot be left out.
pub const LAYERS: &[Row] =
    &[Row { name: "core", reason: "bit-blasting and array refinement: complete, so it is last" }];

/// Which layers are on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection(Vec<bool>);

impl Default for Selection {
    fn default() -> Selection {
        Selection(vec![true; LAYERS.len()])
    }
}

impl Selection {
    /// Reads a list as on the command line: `all`, `none`, `klee`, names, and `-name` to leave one out of what stands before it.
    pub fn parse(list: &str) -> Result<Selection, String> {
        const KLEE: [&str; 3] = ["simplify", "slice", "cache"];
        let last = LAYERS.len() - 1;
        let mut on = vec![list.trim_start().starts_with('-'); LAYERS.len()];
        for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, value) = word.strip_prefix('-').map_or((word, true), |name| (name, false));
            let rows: Vec<usize> = LAYERS
                .iter()
                .enumerate()
                .filter(|(number, row)| match name {
                    "all" => true,
                    "none" => *number == last,
                    "klee" => KLEE.contains(&row.name),
                    _ => row.name == name,
                })
                .map(|(number, _)| number)
                .collect();
            if rows.is_empty() && name != "klee" {
                let known: Vec<&str> = LAYERS.iter().map(|row| row.name).collect();
                return Err(format!("no layer is called `{name}`; there are: all, none, klee, {}", known.join(", ")));
            }
            if rows == [last] && !value {
                return Err("the core cannot be left out: it is what answers when no other layer does".into());
            }
            rows.into_iter().for_each(|row| on[row] = value);
        }
        on[last] = true;
        Ok(Selection(on))
    }

    /// The names of the layers that are on.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        LAYERS.iter().zip(&self.0).filter(|(_, on)| **on).map(|(row, _)| row.name)
    }
}

/// What a layer did.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayerStatistics {
    /// Questions that it answered.
    pub answered: u64,
    /// Questions that it passed on, or did not decide.
    pub passed: u64,
    /// Time it took over both.
    pub time: Duration,
}

/// What the stack did.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Questions asked; both sides of a branch are two.
    pub total: u64,
    /// By row of the table.
    pub layers: Vec<LayerStatistics>,
    /// Questions that ran out of time.
    pub timeouts: u64,
    /// Answers that the solver beside us confirmed, and answers that it could not confirm.
    pub checked: u64,
    /// See `checked`.
    pub unchecked: u64,
}

impl Default for Statistics {
    fn default() -> Statistics {
        Statistics {
            total: 0,
            layers: vec![LayerStatistics::default(); LAYERS.len()],
            timeouts: 0,
            checked: 0,
            unchecked: 0,
        }
    }
}

/// Who decides what no layer above decided.
pub enum Backend {
    /// Our own complete core.
    Builtin(Box<Pool>),
    /// Another solver behind a pipe.
    Process(Box<Process>),
}

impl Backend {
    fn solver(&mut self) -> &mut dyn Solver {
        match self {
            Backend::Builtin(pool) => pool.as_mut(),
            Backend::Process(process) => process.as_mut(),
        }
    }
}

/// All layers over a back end; the solver that everybody uses.
pub struct Stack {
    selection: Selection,
    backend: Backend,
    /// Asked everything again, to compare.
    check: Option<Process>,
    contradiction: Option<String>,
    statistics: Statistics,
}

impl Stack {
    /// A stack over `backend`; with `check`, each of its answers is compared with that solver's.
    pub fn new(selection: Selection, backend: Backend, check: Option<Process>) -> Stack {
        Stack { selection, backend, check, contradiction: None, statistics: Statistics::default() }
    }

    /// Which layers are on.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// What was asked and answered so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Forgets what was kept for paths asked before. For a driver that turns to something unrelated.
    pub fn forget(&mut self) {
        if let Backend::Builtin(pool) = &mut self.backend {
            **pool = Pool::default();
        }
    }

    /// What the solver beside us said against the latest answer, if it did. One of both is wrong, and we do not know which.
    pub fn take_contradiction(&mut self) -> Option<String> {
        self.contradiction.take()
    }

    fn compare(&mut self, path: &Path, assumptions: &[Term], answer: &Answer, budget: &Budget, allowance: Duration) {
        let Some(check) = &mut self.check else { return };
        // The budget's clock has run for us already.
        let budget = Budget { deadline: budget.deadline.map(|_| Instant::now() + allowance), ..budget.clone() };
        match (answer, check.check(path, assumptions, &budget)) {
            (Answer::Sat(_), Answer::Sat(_)) | (Answer::Unsat, Answer::Unsat) => self.statistics.checked += 1,
            (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)) => {
                let (ours, other) = (answer.name(), check.command());
                self.contradiction =
                    Some(format!("the answer is {ours}, but `{other}` says otherwise: one of both is wrong"));
            }
            (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => self.statistics.unchecked += 1,
        }
    }
}

impl Solver for Stack {
    fn extend(&mut self, path: &mut Path, constraint: &Term) {
        self.backend.solver().extend(path, constraint);
    }

    fn check(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Answer {
        let start = Instant::now();
        let allowance = budget.deadline.map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(start));
        let answer = self.backend.solver().check(path, assumptions, budget);
        self.statistics.total += 1;
        let core = self.statistics.layers.last_mut().expect("the table has rows");
        core.time += start.elapsed();
        match &answer {
            Answer::Sat(_) | Answer::Unsat => core.answered += 1,
            Answer::Unknown(reason) => {
                core.passed += 1;
                self.statistics.timeouts += u64::from(*reason == Reason::Time);
            }
        }
        self.compare(path, assumptions, &answer, budget, allowance);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections() {
        for list in ["all", "none", "klee", "core", ""] {
            assert_eq!(Selection::parse(list).map(|s| s.names().last()), Ok(Some("core")), "{list}");
        }
        assert!(Selection::parse("-core").is_err_and(|e| e.contains("cannot be left out")));
        assert!(Selection::parse("magic").is_err_and(|e| e.contains("magic")));
    }
}
