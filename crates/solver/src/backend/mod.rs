//! Another solver as a process that speaks SMT-LIB on its standard input: z3, bitwuzla, cvc5, boolector, or any command.
//!
//! One session is kept open. Each question stands between a `push` and a `pop`, with its own declarations, so nothing depends on
//! what the process remembers: after a time-out it is killed, after a crash it is started anew, and the next question is put as if
//! nothing had happened. Its models are evaluated on the question like our own.
//!
//! Rejected: telling the process only what is new since the last question. It needs `:global-declarations`, which
//! not every solver has, and this back end is there to compare and to fall back on, not to be fast.

mod session;

use crate::clauses::Clauses;
use session::{Failure, Session};
use std::fmt::Write;
use std::time::Duration;
use strata_query::{Answer, Budget, Model, Path, Reason, Solver};
use strata_term::text::smtlib;
use strata_term::{Bits, Evaluator, Op, Term, mask, post_order};

/// Commands for solvers that are known by name.
const KNOWN: &[(&str, &str)] = &[
    ("z3", "z3 -in"),
    ("bitwuzla", "bitwuzla"),
    ("cvc5", "cvc5 --lang smt2 --incremental --produce-models"),
    ("boolector", "boolector --smt2 --incremental --model-gen=1"),
];

/// A solver behind a pipe.
pub struct Process {
    command: String,
    /// Was a constant array met?
    constants: bool,
    session: Option<Session>,
    clauses: Clauses,
}

impl Process {
    /// Starts a solver: a known name, or `smtlib:COMMAND`. An error says what is missing.
    pub fn start(solver: &str) -> Result<Process, String> {
        let command = match solver.strip_prefix("smtlib:") {
            Some(command) => command,
            None => KNOWN.iter().find(|(name, _)| *name == solver).map(|(_, command)| *command).ok_or_else(|| {
                let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
                format!("no solver is called `{solver}`; there are: builtin, {}, smtlib:'COMMAND'", names.join(", "))
            })?,
        };
        let mut process =
            Process { command: command.to_owned(), constants: false, session: None, clauses: Clauses::default() };
        process.ready().map_err(|failure| match failure {
            Failure::Missing(why) => format!("cannot run `{command}`: {why}. Is it installed and on the PATH?"),
            Failure::Ended | Failure::Stopped(_) => {
                format!("`{command}` does not answer like an SMT-LIB solver that reads its standard input")
            }
        })?;
        Ok(process)
    }

    /// The command that is run.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// A session that has answered at least once.
    fn ready(&mut self) -> Result<&mut Session, Failure> {
        if self.session.is_none() {
            let mut session = Session::start(&self.command)?;
            let logic = if self.constants { "ALL" } else { "QF_AUFBV" };
            let greeting = format!(
                "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic {logic})\n(echo \"ready\")\n"
            );
            let budget = Budget::within(Duration::from_secs(10));
            session.send(&greeting)?;
            // Options it does not know are answered by a line each, before the echo.
            while !session.receive(&budget)?.contains("ready") {}
            self.session = Some(session);
        }
        self.session.as_mut().ok_or(Failure::Ended)
    }

    fn ask(&mut self, question: &[Term], budget: &Budget) -> Result<Answer, Failure> {
        let mut script = String::from("(push 1)\n");
        let mut names = smtlib::Session::new();
        for constraint in question {
            names.assert(constraint, &mut script);
        }
        script.push_str("(check-sat)\n");
        // Constant arrays, which tables are written as, are no part of QF_AUFBV, and z3 refuses them there; in a logic that has them it is slower.
        if !self.constants && script.contains("(as const") {
            (self.constants, self.session) = (true, None);
        }
        let session = self.ready()?;
        session.send(&script)?;
        let reply = session.receive(budget)?;
        let answer = match reply.as_str() {
            "unsat" => Answer::Unsat,
            "sat" => match read_model(session, &mut names, question, budget)? {
                Ok(model) if Evaluator::new(question).holds(&model) => Answer::Sat(model),
                Ok(_) => unknown("gave a model that does not satisfy the question"),
                Err(reply) => unknown(&format!("answered `{}` when asked for values", shortened(&reply))),
            },
            "unknown" => unknown("answered unknown"),
            other => {
                // After an error its level of assertions is in doubt.
                let answer = unknown(&format!("answered `{}`", shortened(other)));
                self.session = None;
                return Ok(answer);
            }
        };
        session.send("(pop 1)\n")?;
        Ok(answer)
    }
}

fn unknown(what: &str) -> Answer {
    Answer::Unknown(Reason::Backend(format!("the other solver {what}")))
}

fn shortened(reply: &str) -> String {
    let line = reply.lines().next().unwrap_or("");
    if line.chars().count() > 120 { line.chars().take(120).chain(['…']).collect() } else { line.to_owned() }
}

/// Asks for the values of `terms`; the outer error ends the session, the inner one is a reply that is no list of values.
fn values(session: &mut Session, texts: &[String], budget: &Budget) -> Result<Result<Vec<Bits>, String>, Failure> {
    if texts.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    session.send(&format!("(get-value ({}))\n", texts.join(" ")))?;
    let reply = session.receive(budget)?;
    let values = smtlib::read_values(reply.as_bytes()).map(|pairs| pairs.into_iter().map(|(_, value)| value).collect());
    Ok(values.ok().filter(|values: &Vec<Bits>| values.len() == texts.len()).ok_or(reply))
}

/// The values of the symbols, and of every cell of an input array that a read of the question looks at.
fn read_model(
    session: &mut Session,
    names: &mut smtlib::Session,
    question: &[Term],
    budget: &Budget,
) -> Result<Result<Model, String>, Failure> {
    let order = post_order(question);
    let symbols: Vec<&Term> = order.iter().copied().filter(|term| term.op() == Op::Symbol).collect();
    let reads: Vec<&Term> = order.iter().copied().filter(|term| term.op() == Op::Read).collect();
    let arrays: Vec<&Term> = order.iter().copied().filter(|term| term.op() == Op::ArraySymbol).collect();
    let mut text = |term: &Term| names.define(term, &mut String::new());
    let asked: Vec<String> =
        symbols.iter().copied().chain(reads.iter().map(|read| read.arg(1))).map(&mut text).collect();
    let first = match values(session, &asked, budget)? {
        Ok(values) => values,
        Err(reply) => return Ok(Err(reply)),
    };
    let (symbol_values, indices) = first.split_at(symbols.len());
    let mut cells: Vec<(&Term, u64)> = Vec::new();
    for (read, index) in reads.iter().zip(indices) {
        for array in arrays.iter().filter(|array| array.width() == read.arg(0).width()) {
            let place = |i: u32| index.low_u64().wrapping_add(u64::from(i)) & mask(array.width());
            cells.extend((0..read.width() / 8).map(|i| (*array, place(i))));
        }
    }
    let asked: Vec<String> = cells
        .iter()
        .map(|(array, index)| {
            let mut select = String::new();
            let index = smtlib::print_value(&Bits::new(array.width(), *index), smtlib::SmtSort::BitVec(array.width()));
            write!(select, "(select {} {index})", text(array)).expect("a string takes everything");
            select
        })
        .collect();
    let second = match values(session, &asked, budget)? {
        Ok(values) => values,
        Err(reply) => return Ok(Err(reply)),
    };
    let mut model = Model::default();
    for (symbol, value) in symbols.iter().zip(symbol_values) {
        model.set(symbol, value.resize(symbol.width()));
    }
    for ((array, index), value) in cells.iter().zip(&second) {
        model.set_cell(array, *index, value.low_u64() as u8);
    }
    Ok(Ok(model))
}

impl Solver for Process {
    fn extend(&mut self, path: &mut Path, constraint: &Term) {
        path.push(constraint.clone());
    }

    fn check(&mut self, path: &Path, assumptions: &[Term], budget: &Budget) -> Answer {
        // Quantifiers over arrays are in no logic that all of them have: the instances are.
        let question = match self.clauses.expanded(path, assumptions, budget) {
            Ok(question) => question,
            Err(reason) => return Answer::Unknown(reason),
        };
        match self.ask(&question, budget) {
            Ok(answer) => answer,
            Err(failure) => {
                self.session = None;
                match failure {
                    Failure::Stopped(reason) => Answer::Unknown(reason),
                    Failure::Ended => unknown("ended unexpectedly"),
                    Failure::Missing(why) => unknown(&format!("could not be started: {why}")),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell script in place of a solver: every answer it gives is wrong in some way, and each is survived.
    fn check(script: &str, expect: &str) {
        let mut process = Process::start(&format!("smtlib:sh -c '{script}'")).expect("a shell is there");
        let x = Term::symbol("x", 8);
        let mut path = Path::default();
        process.extend(&mut path, &x.eq(&Term::number(8, 5)));
        let mut ask = || process.check(&path, &[], &Budget::within(Duration::from_millis(300)));
        match ask() {
            Answer::Unknown(reason) => assert!(reason.to_string().contains(expect), "{script}: {reason}"),
            other => panic!("{script}: {}", other.name()),
        }
        assert!(matches!(ask(), Answer::Unknown(_)), "{script}");
    }

    #[test]
    fn failures_are_answers() {
        check("echo ready; read a; read b; read c; read d; exit 3", "ended unexpectedly");
        check("echo ready; echo sat; echo \"((x #x06))\"; exec sleep 9", "does not satisfy");
        check("echo ready; echo \"(error no such thing)\"; exec sleep 9", "no such thing");
        check("echo ready; echo unknown; exec sleep 9", "answered unknown");
        check("echo ready; exec sleep 100", "timeout");
        check("echo ready; echo sat; echo \"((\"; exec sleep 9", "timeout");
    }

    #[test]
    fn missing_solvers_are_explained() {
        let error = |solver| Process::start(solver).err().unwrap_or_default();
        assert!(error("nosuch").contains("no solver is called `nosuch`"));
        assert!(error("smtlib:/nonexistent/solver -in").contains("Is it installed"));
        assert!(error("smtlib:true").contains("does not answer"));
    }
}
