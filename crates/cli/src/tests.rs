//! `strata tests DIR [N]`: a run's test cases as a list, one of them, typed, or all of them as files.

use crate::Outcome;
use crate::console::{note, out, page, plain, refuse, say};
use crate::typed::typed;
use crate::world::{Given, Kept, is_file, is_formal};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use strata_record::{End, Expectation, Fault, KTest, Record, Shape, Test, Tests, fresh_folder, put_whole, test_name};
use strata_replay::EntryBody;

/// What was typed.
#[derive(Args)]
pub struct Options {
    /// The folder of a run: strata-last, strata-out-3
    folder: PathBuf,
    /// Show this test
    number: Option<u32>,
    /// Print one JSON document instead of text
    #[arg(long, conflicts_with = "export")]
    json: bool,
    /// Write the tests into this new folder
    #[arg(long, value_name = "OUT")]
    export: Option<PathBuf>,
    /// As these files
    #[arg(long = "as", value_name = "FORM", default_value = "ktest", requires = "export")]
    form: Form,
}

/// What tests are exported as.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// KLEE's files, with a report beside those that end in an error
    Ktest,
}

/// Lists, shows or exports.
pub fn run(options: &Options) -> Outcome {
    let opened = Record::open(&options.folder).and_then(|record| Ok((record.tests()?, record)));
    let (tests, record) = match opened {
        Ok(opened) => opened,
        Err(fault) => return refuse(fault),
    };
    note(&record, &tests);
    let done = match (&options.export, options.number) {
        (Some(out), number) => export(&tests, number, out, options.form),
        (None, Some(number)) => show(&record, &tests, number, options.json).map(|text| out(&text)),
        (None, None) if options.json => {
            documents(&tests);
            Ok(())
        }
        (None, None) => {
            list(&tests);
            Ok(())
        }
    };
    done.map_or_else(refuse, |()| Outcome::Done)
}

/// Rows that are printed together: the first ones say how wide the columns are, so that a million tests begin to appear at once.
const PAGE: usize = 1000;

fn list(tests: &Tests) {
    let head = ["test", "end", "bytes", "objects"].map(str::to_owned).to_vec();
    if tests.numbers().is_empty() {
        return out("no tests\n");
    }
    let mut widths = Vec::new();
    for (index, numbers) in tests.numbers().chunks(PAGE).enumerate() {
        let rows = numbers.iter().map(|&number| row(number, tests));
        let rows: Vec<_> = Some(head.clone()).filter(|_| index == 0).into_iter().chain(rows).collect();
        out(&page(&rows, &mut widths, |column| column == 2));
    }
}

fn row(number: u32, tests: &Tests) -> Vec<String> {
    // A damaged test is a row of its own: the others are still worth seeing.
    let (end, size, objects) = match tests.get(number) {
        Ok(test) => (end(&test), test.input.size().to_string(), objects(&test.input)),
        Err(fault) => {
            let kind = tests.kinds(number).first().map_or_else(|| "?".into(), |kind| plain(kind));
            (kind, "?".into(), fault.to_string())
        }
    };
    vec![test_name(number), end, size, objects]
}

/// An array of documents, a line for each test.
fn documents(tests: &Tests) {
    out("[");
    for (page, numbers) in tests.numbers().chunks(PAGE).enumerate() {
        let mut text = String::new();
        for (index, &number) in numbers.iter().enumerate() {
            let document = match tests.get(number) {
                Ok(test) => document(&test),
                Err(fault) => json!({ "test": number, "damage": fault.to_string() }),
            };
            let comma = if page + index == 0 { "" } else { "," };
            let _ = write!(text, "{comma}\n{document}");
        }
        out(&text);
    }
    out("\n]\n");
}

/// Writes tests as files. One that cannot be read is named and left out.
fn export(tests: &Tests, number: Option<u32>, folder: &Path, form: Form) -> Result<(), Fault> {
    let one = number.map(|number| tests.get(number).map(|_| vec![number])).transpose()?;
    let numbers = one.as_deref().unwrap_or(tests.numbers());
    fresh_folder(folder)?;
    let mut written = 0;
    for &number in numbers {
        let test = match tests.get(number) {
            Ok(test) => test,
            Err(fault) => {
                say(format_args!("left out: {fault}"));
                continue;
            }
        };
        match form {
            Form::Ktest => test.files().iter().try_for_each(|(name, bytes)| put_whole(folder, name, bytes))?,
        }
        written += 1;
    }
    let plural = if written == 1 { "test" } else { "tests" };
    out(&format!("{written} {plural} written to {}\n", folder.display()));
    Ok(())
}

fn end(test: &Test) -> String {
    let Some(expectation) = &test.expectation else {
        return test.reports.first().map_or_else(|| "?".into(), |(kind, _)| plain(kind));
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

fn show(record: &Record, tests: &Tests, number: u32, as_json: bool) -> Result<String, Fault> {
    let test = tests.get(number)?;
    if let Some(damage) = &test.damage {
        say(damage);
    }
    if as_json {
        return Ok(format!("{:#}\n", document(&test)));
    }
    let (input, expectation) = (&test.input, test.expectation.as_ref());
    let mut text = format!("{}: {}\n", test_name(number), end(&test));
    given(&mut text, input, record);
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
    for report in test.errors() {
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

fn document(test: &Test) -> serde_json::Value {
    let objects = test.input.objects.iter().map(|(name, bytes)| json!({ "name": name, "bytes": bytes }));
    let arguments = test.input.args.iter().map(|argument| String::from_utf8_lossy(argument).into_owned());
    json!({
        "test": test.number,
        "arguments": arguments.collect::<Vec<_>>(),
        "objects": objects.collect::<Vec<_>>(),
        "errors": test.reports.iter().map(|(kind, _)| kind).collect::<Vec<_>>(),
        "expectation": test.expectation,
    })
}
