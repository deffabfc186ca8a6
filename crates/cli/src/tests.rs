//! `strata tests DIR [N]`: a run's test cases as a list, or one of them, typed.

use crate::Outcome;
use crate::console::{out, plain, refuse, table};
use crate::typed::typed;
use crate::world::{Given, Kept, is_file, is_formal};
use clap::Args;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use strata_record::{End, Expectation, Fault, KTest, Record, Shape, TestEntry, test_name};
use strata_replay::EntryBody;

/// What was typed.
#[derive(Args)]
pub struct Options {
    /// The folder of a run: strata-last, strata-out-3
    folder: PathBuf,
    /// Show this test
    number: Option<u32>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// Lists or shows.
pub fn run(options: &Options) -> Outcome {
    let text = Record::open(&options.folder).and_then(|record| match options.number {
        Some(number) => show(&record, number, options.json),
        None => list(&record, options.json),
    });
    match text {
        Ok(text) => out(&text),
        Err(fault) => return refuse(fault),
    }
    Outcome::Done
}

fn list(record: &Record, as_json: bool) -> Result<String, Fault> {
    let (tests, expectations) = (record.tests()?, record.expectations()?);
    if as_json {
        let entries = tests.iter().map(|test| {
            let input = record.ktest(test.number)?;
            Ok(document(test, &input, expectations.get(&test.number)))
        });
        return Ok(format!("{:#}\n", json!(entries.collect::<Result<Vec<_>, Fault>>()?)));
    }
    let mut rows = Vec::new();
    for test in &tests {
        // A damaged file is a row of its own: the others are still worth seeing.
        let (size, objects) = match record.ktest(test.number) {
            Ok(input) => (input.size().to_string(), objects(&input)),
            Err(fault) => ("?".into(), fault.to_string()),
        };
        rows.push(vec![test_name(test.number), end(test, &expectations), size, objects]);
    }
    if rows.is_empty() {
        return Ok("no tests\n".into());
    }
    rows.insert(0, ["test", "end", "bytes", "objects"].map(str::to_owned).to_vec());
    Ok(table(&rows, |column| column == 2))
}

fn end(test: &TestEntry, expectations: &BTreeMap<u32, Expectation>) -> String {
    let Some(expectation) = expectations.get(&test.number) else {
        return test.errors.first().map_or_else(|| "?".into(), |(kind, _)| plain(kind));
    };
    match &expectation.end {
        End::Error { error, file, line, .. } if !file.is_empty() => plain(&format!("{error} {file}:{line}")),
        End::Incomplete { reason } => plain(&format!("incomplete: {reason}")),
        end @ (End::Exit { .. } | End::Error { .. } | End::Signal { .. }) => plain(&end.word()),
    }
}

/// `x[4] name[16]`, as many as a line holds.
fn objects(input: &KTest) -> String {
    const SHOWN: usize = 6;
    let show = |(name, bytes): &(String, Vec<u8>)| format!("{}[{}]", plain(name), bytes.len());
    let mut text = input.objects.iter().take(SHOWN).map(show).collect::<Vec<_>>().join(" ");
    if input.objects.len() > SHOWN {
        let _ = write!(text, " and {} more", input.objects.len() - SHOWN);
    }
    text
}

fn show(record: &Record, number: u32, as_json: bool) -> Result<String, Fault> {
    let input = record.ktest(number)?;
    let expectations = record.expectations()?;
    let expectation = expectations.get(&number);
    let tests = record.tests()?;
    let test = tests.iter().find(|test| test.number == number);
    let test = test.ok_or_else(|| Fault::NoTest(record.folder().into(), number))?;
    if as_json {
        return Ok(format!("{:#}\n", document(test, &input, expectation)));
    }
    let mut text = format!("{}: {}\n", test_name(number), end(test, &expectations));
    given(&mut text, &input, record);
    for (index, (name, bytes)) in input.objects.iter().enumerate() {
        let shape = expectation.and_then(|expectation| expectation.shapes.get(index));
        let shape = shape.filter(|shape| !shape.name.is_empty());
        if !is_shown(name) {
            object(&mut text, name, bytes, shape);
        }
    }
    if let Some(expectation) = expectation {
        predicted(&mut text, expectation);
    }
    for report in record.errors(test)? {
        let _ = write!(text, "\n{}", report.text());
    }
    Ok(text)
}

/// What the program gets: its command line as it was typed, and what that became.
fn given(text: &mut String, input: &KTest, record: &Record) {
    let join = |words: &[Vec<u8>]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let info = record.info().ok().flatten().unwrap_or_default();
    let given = Given::of(input, &Kept::load(&info.more));
    if given.arguments != input.args {
        let _ = writeln!(text, "typed      {}", join(&input.args));
    }
    let _ = writeln!(text, "arguments  {}", join(&given.arguments));
    if !given.environment.is_empty() {
        let _ = writeln!(text, "variables  {}", join(&given.environment));
    }
    if !given.stdin.is_empty() {
        let _ = writeln!(text, "stdin      {}", short(&given.stdin));
    }
    for entry in &given.files {
        if let EntryBody::File(bytes) = &entry.body {
            let _ = writeln!(text, "file       {} {}", entry.path.escape_ascii(), short(bytes));
        }
    }
}

/// Bytes as text, the beginning of many.
fn short(bytes: &[u8]) -> String {
    const SHOWN: usize = 64;
    match bytes.get(..SHOWN) {
        Some(beginning) if bytes.len() > SHOWN => format!("{}… ({} bytes)", quoted(beginning), bytes.len()),
        _ => quoted(bytes),
    }
}

/// An object that the lines above say already.
fn is_shown(name: &str) -> bool {
    let digits =
        name.strip_prefix("arg").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
    digits || is_formal(name) || is_file(name) || matches!(name, "n_args" | "stdin")
}

fn predicted(text: &mut String, expectation: &Expectation) {
    for (name, bytes) in [("output", &expectation.stdout.0), ("error output", &expectation.stderr.0)] {
        if !bytes.is_empty() {
            let _ = writeln!(text, "predicted {name}  {}", quoted(bytes));
        }
    }
    if !expectation.became.is_empty() {
        let words: Vec<String> = expectation.became.iter().map(|word| quoted(&word.0)).collect();
        let _ = writeln!(text, "becomes    {}", words.join(" "));
    }
    for dependence in expectation.dependences() {
        let _ = writeln!(text, "depends on {}", plain(&dependence));
    }
}

/// An object: its name, its bytes and what they are as numbers.
fn object(text: &mut String, name: &str, bytes: &[u8], shape: Option<&Shape>) {
    let kind = shape.map(|shape| format!("{} ", plain(&shape.name))).unwrap_or_default();
    let plural = if bytes.len() == 1 { "byte" } else { "bytes" };
    let _ = writeln!(text, "object     {kind}{}, {} {plural}", plain(name), bytes.len());
    for (row, bytes) in bytes.chunks(16).enumerate() {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let visible = |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' };
        let ascii: String = bytes.iter().map(visible).collect();
        let _ = writeln!(text, "  {:08x}  {:<47}  |{ascii}|", row * 16, hex.join(" "));
    }
    if let Some(shape) = shape.filter(|shape| !shape.fields.is_empty()) {
        let _ = writeln!(text, "  value     {}", typed(bytes, Some(shape)));
        return;
    }
    let (width, signed) = match shape {
        Some(shape) => (shape.bytes as usize, Some(shape.signed)),
        None => (bytes.len(), None),
    };
    if matches!(width, 1 | 2 | 4 | 8 | 16) && bytes.len().is_multiple_of(width) {
        numbers(text, bytes, width, signed);
    }
}

/// The elements as little-endian numbers, both ways where it is not known whether they are signed.
fn numbers(text: &mut String, bytes: &[u8], width: usize, signed: Option<bool>) {
    const SHOWN: usize = 64;
    let shift = 128 - 8 * width as u32;
    let element = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |value, &byte| value << 8 | u128::from(byte));
    let elements: Vec<u128> = bytes.chunks(width).take(SHOWN).map(element).collect();
    let more = if bytes.len() / width > SHOWN { " …" } else { "" };
    if signed != Some(true) {
        let values: Vec<String> = elements.iter().map(u128::to_string).collect();
        let _ = writeln!(text, "  unsigned  {}{more}", values.join(" "));
    }
    if signed != Some(false) {
        let values: Vec<String> =
            elements.iter().map(|value| ((value << shift) as i128 >> shift).to_string()).collect();
        let _ = writeln!(text, "  signed    {}{more}", values.join(" "));
    }
}

fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

fn document(test: &TestEntry, input: &KTest, expectation: Option<&Expectation>) -> serde_json::Value {
    let objects = input.objects.iter().map(|(name, bytes)| json!({ "name": name, "bytes": bytes }));
    let arguments = input.args.iter().map(|argument| String::from_utf8_lossy(argument).into_owned());
    json!({
        "test": test.number,
        "arguments": arguments.collect::<Vec<_>>(),
        "objects": objects.collect::<Vec<_>>(),
        "errors": test.errors.iter().map(|(kind, _)| kind).collect::<Vec<_>>(),
        "expectation": expectation,
    })
}
