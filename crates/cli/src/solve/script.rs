//! Running an SMT-LIB script: assertions extend a path, `push` keeps it, `pop` returns to it.

use super::report::Report;
use super::{Options, Problem, reason};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use strata_query::{Answer, Path, Solver};
use strata_solver::Stack;
use strata_term::text::smtlib::{
    Asked, Command, Declaration, Parser, SmtSort, Status, print_array, print_model, print_term, print_value,
};
use strata_term::text::{self, smtlib};
use strata_term::{Assignment, Evaluator, Term};

struct Machine<'a, 'o> {
    options: &'a Options,
    stack: &'a mut Stack,
    report: &'a mut Report<'o>,
    path: Path,
    levels: Vec<Path>,
    /// What the file says the next answer is.
    status: Option<Status>,
    latest: Option<Answer>,
    assumed: Vec<Term>,
    limit: Option<Duration>,
    print_success: bool,
}

pub(super) fn execute(bytes: &[u8], options: &Options, stack: &mut Stack, report: &mut Report) -> Result<(), Problem> {
    let mut machine = Machine {
        options,
        stack,
        report,
        path: Path::default(),
        levels: Vec::new(),
        status: None,
        latest: None,
        assumed: Vec::new(),
        limit: None,
        print_success: false,
    };
    let mut parser = Parser::new(bytes);
    while let Some(command) = parser.next_command()? {
        let position = parser.position();
        let place = |message: String| text::Error { line: position.line, column: position.column, message };
        match machine.step(command, &parser) {
            Step::Next => {}
            Step::Exit => break,
            Step::Wrong(message) => return Err(Problem::Text(place(message))),
            Step::Contradiction(message) => return Err(Problem::Contradiction(place(message))),
        }
    }
    Ok(())
}

enum Step {
    Next,
    Exit,
    /// The script may not say this here.
    Wrong(String),
    Contradiction(String),
}

impl Machine<'_, '_> {
    fn step(&mut self, command: Command, parser: &Parser) -> Step {
        match command {
            Command::CheckSat => return self.check(&[], parser),
            Command::CheckSatAssuming(assumptions) => return self.check(&assumptions, parser),
            Command::GetModel => {
                return self.with_model(|machine, model| {
                    machine.report.line(print_model(parser.declarations(), model).trim_end())
                });
            }
            Command::GetValue(asked)
                if asked.iter().any(|asked| asked.term.is_array() && asked.term.name().is_none()) =>
            {
                return Step::Wrong(
                    "only declared arrays have a value to show; ask for single cells with select".into(),
                );
            }
            Command::GetValue(asked) => {
                return self.with_model(|machine, model| machine.report.line(&values(&asked, model)));
            }
            Command::GetUnsatAssumptions => return self.unsat_assumptions(),
            Command::GetAssertions => {
                let mut assertions: Vec<String> = self.path.iter().map(print_term).collect();
                assertions.reverse();
                self.report.line(&format!("({})", assertions.join("\n ")));
                return Step::Next;
            }
            Command::GetInfo(keyword) => return self.info(&keyword),
            Command::GetOption(_) => return self.line("unsupported"),
            Command::Echo(text) => return self.line(&format!("\"{}\"", text.replace('"', "\"\""))),
            Command::GetProof => return Step::Wrong("proofs are not supported".into()),
            Command::GetUnsatCore => {
                return Step::Wrong(
                    "unsat cores are not supported; use check-sat-assuming and get-unsat-assumptions".into(),
                );
            }
            Command::GetAssignment => return Step::Wrong("get-assignment is not supported; use get-value".into()),
            Command::Exit => return Step::Exit,
            Command::Assert(term) => self.stack.extend(&mut self.path, &term),
            Command::Push(count) => self.levels.extend(std::iter::repeat_n(self.path.clone(), count)),
            Command::Pop(count) => {
                let kept = self.levels.len().saturating_sub(count);
                if let Some(path) = self.levels.drain(kept..).next() {
                    self.path = path;
                }
            }
            Command::ResetAssertions => self.clear(),
            Command::Reset => {
                self.clear();
                (self.status, self.limit, self.print_success) = (None, None, false);
            }
            Command::SetStatus(status) => self.status = Some(status),
            Command::SetOption { keyword, value } => match self.option(&keyword, &value) {
                Ok(()) => {}
                Err(message) => return Step::Wrong(message),
            },
            Command::SetLogic(_) | Command::SetInfo { .. } | Command::Declare(_) | Command::Define(_) => {}
        }
        if self.print_success {
            self.report.line("success");
        }
        Step::Next
    }

    fn line(&mut self, text: &str) -> Step {
        self.report.line(text);
        Step::Next
    }

    fn clear(&mut self) {
        self.path = Path::default();
        self.levels.clear();
        self.latest = None;
    }

    fn option(&mut self, keyword: &str, value: &str) -> Result<(), String> {
        match keyword {
            // What z3, cvc5 and bitwuzla call a limit per question, in milliseconds.
            ":timeout" | ":tlimit-per" | ":time-limit-per" | ":time-limit" => {
                let limit: u64 =
                    value.parse().map_err(|_| format!("{keyword} wants a number of milliseconds, not `{value}`"))?;
                self.limit = (limit > 0).then(|| Duration::from_millis(limit));
            }
            ":print-success" => self.print_success = value == "true",
            // The others change nothing that we print.
            _ => {}
        }
        Ok(())
    }

    fn check(&mut self, assumptions: &[Term], parser: &Parser) -> Step {
        let start = Instant::now();
        let budget = self.options.budget(self.limit);
        let answer = self.stack.check(&self.path, assumptions, &budget);
        let model = || match &answer {
            Answer::Sat(model) => (print_model(parser.declarations(), model), model_json(parser.declarations(), model)),
            Answer::Unsat | Answer::Unknown(_) => (String::new(), Value::Null),
        };
        self.report.answer(&answer, start, model);
        let contradicts = matches!(
            (self.status.take(), &answer),
            (Some(Status::Sat), Answer::Unsat) | (Some(Status::Unsat), Answer::Sat(_))
        );
        let name = answer.name();
        self.latest = Some(answer);
        self.assumed = assumptions.to_vec();
        if let Some(message) = self.stack.take_contradiction() {
            return Step::Contradiction(message);
        }
        if contradicts {
            return Step::Contradiction(format!("the answer is {name}, but `:status` says otherwise"));
        }
        Step::Next
    }

    fn with_model(&mut self, show: impl FnOnce(&mut Self, &Assignment)) -> Step {
        match self.latest.take() {
            Some(Answer::Sat(model)) => {
                show(self, &model);
                self.latest = Some(Answer::Sat(model));
                Step::Next
            }
            latest => {
                let why = latest.as_ref().map_or("nothing was checked", Answer::name);
                Step::Wrong(format!("there is no model to show: the latest answer must be sat ({why})"))
            }
        }
    }

    /// All assumptions: a correct answer, if not the smallest.
    fn unsat_assumptions(&mut self) -> Step {
        if !matches!(self.latest, Some(Answer::Unsat)) {
            return Step::Wrong("the latest answer must be unsat".into());
        }
        let assumed: Vec<String> = self.assumed.iter().map(print_term).collect();
        self.line(&format!("({})", assumed.join(" ")))
    }

    fn info(&mut self, keyword: &str) -> Step {
        let text = match keyword {
            ":name" => "(:name \"strata\")".into(),
            ":version" => format!("(:version \"{}\")", env!("CARGO_PKG_VERSION")),
            ":error-behavior" => "(:error-behavior immediate-exit)".into(),
            ":reason-unknown" => {
                let why = self.latest.as_ref().and_then(reason).unwrap_or_else(|| "the latest answer is known".into());
                format!("(:reason-unknown \"{why}\")")
            }
            _ => "unsupported".into(),
        };
        self.line(&text)
    }
}

fn values(asked: &[Asked], model: &Assignment) -> String {
    let terms: Vec<Term> = asked.iter().map(|asked| asked.term.clone()).collect();
    let mut evaluator = Evaluator::new(&terms);
    evaluator.run(model);
    let pairs: Vec<String> = asked
        .iter()
        .map(|Asked { text, term, sort }| match sort {
            SmtSort::Bool | SmtSort::BitVec(_) => format!("({text} {})", print_value(&evaluator.value(term), *sort)),
            SmtSort::Array { index } => format!("({text} {})", print_array(*index, model.cells(term))),
        })
        .collect();
    format!("({})", pairs.join("\n "))
}

fn model_json<'a>(declarations: impl Iterator<Item = &'a Declaration>, model: &Assignment) -> Value {
    let values = declarations.map(|Declaration { name, term, sort }| {
        let value = match sort {
            SmtSort::Bool => json!(model.get(term).is_true()),
            SmtSort::BitVec(_) => json!(smtlib::print_value(&model.get(term), *sort)),
            SmtSort::Array { .. } => {
                json!(model.cells(term).map(|(index, byte)| json!([index, byte])).collect::<Vec<_>>())
            }
        };
        (name.clone(), value)
    });
    Value::Object(values.collect())
}
