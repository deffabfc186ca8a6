//! Running a KQuery file.
//!
//! `(query [constraints] e)` asks whether the constraints imply `e`. We answer as for every other question: `sat` if they
//! hold together with the negation of `e` (kleaver says INVALID, and the model is its counterexample), `unsat` if not (VALID).

use super::report::Report;
use super::{Options, Problem};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Instant;
use strata_query::{Answer, Model, Path, Solver};
use strata_solver::Stack;
use strata_term::text::Error;
use strata_term::text::kquery::{Array, Parser, Query};
use strata_term::{Op, eval, inputs};

pub(super) fn execute(bytes: &[u8], options: &Options, stack: &mut Stack, report: &mut Report) -> Result<(), Problem> {
    let mut parser = Parser::new(bytes);
    while let Some(query) = parser.next_query()? {
        let start = Instant::now();
        let mut path = Path::default();
        for constraint in &query.constraints {
            stack.extend(&mut path, constraint);
        }
        let answer = stack.check(&path, &[query.query.not()], &options.budget(None));
        report.answer(&answer, start, || match &answer {
            Answer::Sat(model) => counterexample(&query, &parser, model),
            Answer::Unsat | Answer::Unknown(_) => (String::new(), Value::Null),
        });
        if let Some(message) = stack.take_contradiction() {
            let position = parser.position();
            return Err(Problem::Contradiction(Error { line: position.line, column: position.column, message }));
        }
    }
    Ok(())
}

/// The arrays and values that the query asks for, or all arrays it mentions.
fn counterexample(query: &Query, parser: &Parser, model: &Model) -> (String, Value) {
    let (mut text, mut object) = (String::new(), serde_json::Map::new());
    let mut show = |name: &str, value: String, json: Value| {
        writeln!(text, "  {name} = {value}").expect("a string takes everything");
        object.insert(name.to_owned(), json);
    };
    let mentioned: Vec<Array> = inputs(query.constraints.iter().chain([&query.query]))
        .into_iter()
        .filter(|input| input.op() == Op::ArraySymbol)
        .filter_map(|term| parser.declared(term).cloned())
        .collect();
    for array in if query.arrays.is_empty() { &mentioned } else { &query.arrays } {
        let last = model.cells(&array.term).map(|(index, _)| index + 1).max().unwrap_or(0);
        let size = array.size.unwrap_or(last).min(1 << 16);
        let bytes: Vec<u8> = (0..size).map(|index| model.get_cell(&array.term, index)).collect();
        show(&array.name, format!("{bytes:?}"), json!(bytes));
    }
    for (number, value) in query.values.iter().enumerate() {
        let value = eval(value, model).to_string();
        show(&format!("value {number}"), value.clone(), json!(value));
    }
    (text, Value::Object(object))
}
