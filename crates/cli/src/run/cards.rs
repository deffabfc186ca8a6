//! What is printed at the end: a card for each error, and one honest last line.

use super::Options;
use super::sources::Sources;
use crate::console::{out, plain, say};
use crate::typed::typed;
use crate::world::is_formal;
use strata_explore::{Found, Shapes, Summary};
use strata_interp::Image;
use strata_record::{Frame, Paths, Run, Stats, test_name};

/// Lines for log.txt.
pub(crate) fn log(image: &Image, summary: &Summary) -> Vec<String> {
    let mut lines = Vec::new();
    for warning in &summary.warnings {
        lines.push(warning_text(image, warning));
    }
    lines.extend(summary.reasons.iter().map(|(reason, count)| format!("{count} paths: {reason}")));
    lines.extend(summary.panics.iter().map(|text| format!("internal error: {text}")));
    lines
}

fn warning_text(image: &Image, warning: &strata_interp::Warning) -> String {
    match image.program().places.get(warning.place as usize).filter(|place| place.line != 0) {
        Some(place) => format!("{}:{}: {}", image.program().files[place.file as usize], place.line, warning.text),
        None => warning.text.clone(),
    }
}

/// What is known of the program beside its code.
pub(crate) struct Known<'a> {
    /// What its inputs are, where strata makes them.
    pub shapes: &'a Shapes,
    /// What it was compiled from.
    pub sources: &'a Sources,
}

/// Prints it all.
pub(crate) fn print(
    options: &Options,
    image: &Image,
    summary: &Summary,
    known: &Known<'_>,
    confirmed: &[String],
    stats: &Stats,
    run: &Run,
) {
    complain(summary);
    if options.json {
        match serde_json::to_string_pretty(stats) {
            Ok(text) => out(&format!("{text}\n")),
            Err(error) => say(error),
        }
        return;
    }
    for (index, found) in summary.errors.iter().enumerate() {
        out(&card(found, known, confirmed.get(index), run).to_string());
    }
    for warning in summary.warnings.iter().take(20) {
        say(warning_text(image, warning));
    }
    for (program, count) in summary.became.iter().take(5) {
        say(format!("{} became {program}", paths(*count)));
    }
    let others: u64 = summary.became.values().skip(5).sum();
    if others > 0 {
        say(format!("{} became other programs", paths(others)));
    }
    for (reason, count) in summary.reasons.iter().take(10) {
        say(format!("{} left: {}", paths(*count), plain(reason)));
    }
    if let Some(line) = checked(options, stats) {
        say(line);
    }
    out(&format!("{}\n", last_line(summary, stats, run)));
}

/// How many answers whoever was asked again confirmed: one that understands nothing contradicts nothing.
fn checked(options: &Options, stats: &Stats) -> Option<String> {
    let other = match &options.check_with {
        Some(name) => format!("`{name}`"),
        None if options.check_layers => "the core alone".into(),
        None => return None,
    };
    let (checked, all) = (stats.queries.checked, stats.queries.checked + stats.queries.unchecked);
    Some(format!("{checked} of {} were confirmed by {other}", plural(all, "answer")))
}

/// What went wrong with the run itself: said whatever else is printed.
fn complain(summary: &Summary) {
    for text in &summary.panics {
        say(format!("internal error, please report it: {text}"));
    }
    if let Some(text) = &summary.contradiction {
        say(format!("internal error: {text}"));
    }
    if let Some(text) = &summary.trouble {
        say(text);
    }
}

pub(crate) fn place(file: &str, line: u32) -> String {
    if line == 0 { "an unknown place".into() } else { format!("{}:{line}", short(file)) }
}

/// A path as the user would write it: relative to the folder we are in where it lies below.
fn short(file: &str) -> String {
    let here = std::env::current_dir().ok();
    let path = std::path::Path::new(file);
    here.and_then(|here| path.strip_prefix(&here).ok().map(|p| p.display().to_string()))
        .unwrap_or_else(|| file.to_string())
}

fn card(found: &Found, known: &Known<'_>, confirmed: Option<&String>, run: &Run) -> String {
    let report = &found.report;
    let mut text = format!("\n== {}: {}\n", plain(&report.kind), plain(&report.message));
    text += &format!("   at {}\n", place(&report.place.file, report.place.line));
    if let Some(source) = known.sources.line(&report.place.file, report.place.line) {
        text += &format!("      {} | {}\n", report.place.line, source.trim_end());
    }
    for line in stack(&report.stack) {
        text += &format!("   in {line}\n");
    }
    if let Some(object) = &report.object {
        text += &format!("   object: {}\n", object.description);
        for (what, frames) in [("allocated", &object.allocated), ("freed", &object.freed)] {
            if let Some(frame) = frames.first() {
                text += &format!("   {what} at {}\n", place(&frame.file, frame.line));
            }
        }
    }
    // What the modelled system adds for KLEE's tools says nothing about the error.
    for (name, bytes) in found.input.objects.iter().filter(|(name, _)| !is_formal(name)) {
        text += &format!("   input {} = {}\n", plain(name), typed(bytes, known.shapes.get(name)));
    }
    if found.count.count > 1 {
        text += &format!("   {} end here\n", paths(found.count.count));
    }
    if found.count.test != 0 {
        let test = run.folder().join("tests").join(format!("{}.ktest", test_name(found.count.test)));
        text += &format!("   reproduce: strata replay {}\n", test.display());
    }
    if let Some(line) = confirmed {
        text += &format!("   {line}\n");
    }
    text
}

/// The calls from the error up to main: what lies beyond is the C library's. Calls of a function by itself are counted.
fn stack(frames: &[Frame]) -> Vec<String> {
    let last = frames.iter().position(|frame| frame.function == "main").map_or(frames.len(), |main| main + 1);
    let mut lines: Vec<(String, usize)> = Vec::new();
    for frame in &frames[..last] {
        let line = match frame.line {
            0 => frame.function.clone(),
            _ => format!("{} ({})", frame.function, place(&frame.file, frame.line)),
        };
        match lines.last_mut() {
            Some((same, times)) if *same == line => *times += 1,
            Some(_) | None => lines.push((line, 1)),
        }
    }
    let shown = |(line, times)| if times == 1 { line } else { format!("{line}, {times} times") };
    lines.into_iter().take(12).map(shown).collect()
}

fn paths(count: u64) -> String {
    plural(count, "path")
}

fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn last_line(summary: &Summary, stats: &Stats, run: &Run) -> String {
    let errors = match summary.errors.len() as u64 {
        0 => "no errors".to_string(),
        count => plural(count, "error"),
    };
    let verdict = if stats.complete {
        "complete".to_string()
    } else {
        let causes: Vec<String> = summary.causes.iter().map(|(cause, count)| format!("{cause} {count}")).collect();
        format!("incomplete ({})", causes.join(", "))
    };
    let instructions = summary.instructions;
    format!(
        "{verdict}: {}, {errors}, {}, {instructions} instructions, {}; kept in {}",
        ended(&summary.paths),
        plural(summary.tests, "test"),
        time(stats),
        run.folder().display()
    )
}

/// All paths, and how many of them were not followed to their end.
fn ended(paths: &Paths) -> String {
    let all = self::paths(paths.completed + paths.error + paths.incomplete);
    if paths.incomplete == 0 { all } else { format!("{all} ({} left unfinished)", paths.incomplete) }
}

/// The time of exploring, which `--max-time` limits; that before it too, where it was long (a C library built for the first time).
fn time(stats: &Stats) -> String {
    let before = stats.preparation_s;
    let before = if before < 0.5 { String::new() } else { format!(" after {before:.1} s of compiling and loading") };
    format!("{:.1} s{before}", stats.time_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_paths_are_told_apart() {
        let paths = |incomplete| Paths { completed: 4, error: 1, incomplete, infeasible: 9 };
        assert_eq!(ended(&paths(0)), "5 paths");
        assert_eq!(ended(&paths(7)), "12 paths (7 left unfinished)");
    }

    #[test]
    fn a_long_preparation_is_said() {
        let stats = |preparation_s| Stats { time_s: 1.24, preparation_s, ..Stats::default() };
        assert_eq!(time(&stats(0.3)), "1.2 s");
        assert_eq!(time(&stats(31.0)), "1.2 s after 31.0 s of compiling and loading");
    }

    #[test]
    fn stacks_end_at_main() {
        let frame =
            |function: &str, line| Frame { function: function.into(), file: "/x/a.c".into(), line, ..Frame::default() };
        let frames = [frame("f", 1), frame("f", 2), frame("f", 2), frame("main", 9), frame("_start_c", 1)];
        assert_eq!(stack(&frames), ["f (/x/a.c:1)", "f (/x/a.c:2), 2 times", "main (/x/a.c:9)"]);
    }
}
