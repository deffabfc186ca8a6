//! Every program under `tests/programs` does what its first lines say, and every test that it leaves replays.
//!
//! The lines at the top of a program, in this order, `key=value` separated by blanks:
//!
//! ```text
//! // expect: paths=3 errors=ptr@17,div@20 exit=1     at -O0, variables promoted to registers
//! // options: --check leak                           before the program on the command line of `strata run`
//! // args: -v file                                   after it
//! // expect-O2: errors=div@20  why: …                where -O2 differs from the line above, and why
//! ```
//!
//! - `paths`: completed and error paths together, a number or `low..high` (where a libc's own branches decide). Absent: not compared.
//! - `errors`: each distinct kind and line once, in the order of lines; absent or `none`: there is none. A line with `+` behind it calls
//!   a library function, and the error may lie inside that.
//! - `exit`: of `strata run`, at both levels unless `expect-O2` names another set of errors.
//! - `incomplete=CAUSE`: the run must say that it is incomplete, with a cause that contains this word; absent or `none`: it must be complete.
//!
//! At -O2 the errors must be the same unless `expect-O2` says otherwise, and the number of paths is compared only if that line names it:
//! the optimiser removes and adds branches as it likes. An error may be missing there only where the native program at -O2 does not
//! show it either.
//!
//! `tests/known-gaps` holds programs of the same form that must fail: what is missing and known. One that passes wants to be moved.
//!
//! One test over all programs instead of one each: they run on all cores, and one report names every program that fails.
//! `STRATA_PROGRAMS=memory/` runs those whose path contains the text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

const STRATA: &str = env!("CARGO_BIN_EXE_strata");

/// No program needs longer; one that does is reported, not waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// An error that a program must show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Expected {
    line: u64,
    kind: String,
    /// The line calls a library function in which the error may lie.
    library: bool,
}

/// What one line of a header demands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Demand {
    paths: Option<(u64, u64)>,
    errors: Vec<Expected>,
    exit: Option<i32>,
    incomplete: Option<String>,
}

/// A program and its header.
struct Program {
    file: PathBuf,
    /// Topic and name.
    name: String,
    options: Vec<String>,
    args: Vec<String>,
    plain: Demand,
    optimised: Demand,
}

fn error(text: &str) -> Result<Expected, String> {
    let (kind, line) = text.split_once('@').ok_or_else(|| format!("{text}: an error is written kind@line"))?;
    let (number, library) = match line.strip_suffix('+') {
        Some(number) => (number, true),
        None => (line, false),
    };
    let line = number.parse().map_err(|_| format!("{text}: {number} is no line"))?;
    Ok(Expected { line, kind: kind.to_string(), library })
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let number = |part: &str| part.parse::<u64>().map_err(|_| format!("paths={text}: not a number or a range"));
    match text.split_once("..") {
        Some((low, high)) => Ok((number(low)?, number(high)?)),
        None => Ok((number(text)?, number(text)?)),
    }
}

impl Demand {
    fn parse(text: &str) -> Result<Demand, String> {
        let mut demand = Demand::default();
        let text = text.split("why:").next().unwrap_or_default();
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').ok_or_else(|| format!("{word}: not key=value"))?;
            match key {
                "paths" => demand.paths = Some(range(value)?),
                "errors" if value == "none" => {}
                "errors" => demand.errors = value.split(',').map(error).collect::<Result<_, _>>()?,
                "exit" => demand.exit = Some(value.parse().map_err(|_| format!("{word}: not an exit status"))?),
                "incomplete" => demand.incomplete = Some(value.to_string()).filter(|cause| cause != "none"),
                _ => return Err(format!("{key}: unknown key")),
            }
        }
        Ok(demand)
    }
}

/// The value of `// key: value` in the comment at the top.
fn entry<'a>(source: &'a str, key: &str) -> Option<&'a str> {
    let top = source.lines().take_while(|line| line.starts_with("//"));
    top.filter_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": ")).next()
}

fn words(source: &str, key: &str) -> Vec<String> {
    entry(source, key).unwrap_or_default().split_whitespace().map(String::from).collect()
}

fn optimised(plain: &Demand, line: Option<&str>) -> Result<Demand, String> {
    let Some(line) = line else {
        return Ok(Demand { paths: None, ..plain.clone() });
    };
    if !line.contains("why: ") {
        return Err("expect-O2 says no reason (why: …)".to_string());
    }
    let mut optimised = Demand::parse(line)?;
    optimised.exit = optimised.exit.or(Some(i32::from(!optimised.errors.is_empty())));
    if !line.contains("incomplete=") {
        optimised.incomplete.clone_from(&plain.incomplete);
    }
    Ok(optimised)
}

fn program(file: PathBuf, name: String) -> Result<Program, String> {
    let source = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let plain = Demand::parse(entry(&source, "expect").ok_or("no line `// expect: …` at the top")?)?;
    if plain.exit != Some(i32::from(!plain.errors.is_empty())) {
        return Err("exit must be 1 with errors, 0 without".to_string());
    }
    let lines = source.lines().count() as u64;
    if let Some(outside) = plain.errors.iter().find(|error| error.line == 0 || error.line > lines) {
        return Err(format!("line {} is not in the file", outside.line));
    }
    let optimised = optimised(&plain, entry(&source, "expect-O2"))?;
    Ok(Program { options: words(&source, "options"), args: words(&source, "args"), file, name, plain, optimised })
}

fn root(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder).canonicalize().expect("the folder exists")
}

/// All programs of a folder under `tests` by path, and what is wrong with the headers of others.
fn programs(folder: &str) -> (Vec<Program>, Vec<String>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    let root = root(folder);
    let mut files: Vec<PathBuf> = folders(&root).iter().flat_map(|topic| folders(topic)).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    for file in files {
        let name = file.strip_prefix(&root).expect("found under the root").display().to_string();
        match program(file, name.clone()) {
            Ok(program) => good.push(program),
            Err(message) => bad.push(format!("{name}: {message}")),
        }
    }
    (good, bad)
}

/// What a folder holds, sorted; nothing for a file.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths
}

/// Runs a command with a deadline.
fn finish(command: &mut Command) -> Result<Output, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("does not start: {error}"))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let readers = [drain(stdout), drain(stderr)];
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().map_err(|error| error.to_string())?;
            child.wait().map_err(|error| error.to_string())?;
            return Err(format!("still running after {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let [stdout, stderr] = readers.map(|reader| reader.join().expect("a reader does not panic"));
    Ok(Output { status, stdout, stderr })
}

fn drain(pipe: Option<impl std::io::Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // A pipe that breaks leaves what was read, which is what there is to show.
            pipe.read_to_end(&mut bytes).ok();
        }
        bytes
    })
}

/// The last lines of what a command said.
fn tail(output: &Output) -> String {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(6)..].iter().map(|line| format!("\n        | {line}")).collect()
}

/// Compares a run's statistics with the demand: what differs, one line each.
fn differences(program: &Program, demand: &Demand, stats: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let number = |key: &str| stats["paths"][key].as_u64().unwrap_or(0);
    let paths = number("completed") + number("error");
    if let Some((low, high)) = demand.paths
        && !(low..=high).contains(&paths)
    {
        let wanted = if low == high { low.to_string() } else { format!("{low}..{high}") };
        found.push(format!("paths: expected {wanted}, got {paths}"));
    }
    found.extend(errors(program, demand, stats));
    let causes = stats["incomplete_causes"].to_string();
    match (&demand.incomplete, stats["complete"].as_bool()) {
        (None, Some(true)) => {}
        (Some(cause), Some(false)) if causes.to_lowercase().contains(&cause.to_lowercase()) => {}
        (wanted, got) => found.push(format!(
            "complete: expected {}, got {got:?} because of {causes}",
            match wanted {
                None => "true".to_string(),
                Some(cause) => format!("false because of {cause}"),
            }
        )),
    }
    found
}

/// The errors that are missing, and those that nobody expected.
fn errors(program: &Program, demand: &Demand, stats: &Value) -> Vec<String> {
    let name = program.file.file_name().expect("a file").to_string_lossy().to_string();
    let mut got: BTreeSet<(String, bool, u64)> = BTreeSet::new();
    for error in stats["errors"].as_array().into_iter().flatten() {
        let kind = error["kind"].as_str().unwrap_or("?").to_lowercase();
        let own = Path::new(error["file"].as_str().unwrap_or_default()).ends_with(&name);
        got.insert((kind, own, error["line"].as_u64().unwrap_or(0)));
    }
    let mut rest = got.clone();
    let mut found = Vec::new();
    for error in &demand.errors {
        let fits = |(kind, own, line): &&(String, bool, u64)| {
            *kind == error.kind && (*own && *line == error.line || error.library && !*own)
        };
        match got.iter().find(fits) {
            Some(one) => {
                rest.remove(one);
            }
            None => found.push(format!("error {}@{} not found", error.kind, error.line)),
        }
    }
    for (kind, own, line) in rest {
        found.push(format!("unexpected error {kind}@{line}{}", if own { "" } else { " outside the program" }));
    }
    found
}

/// Runs and replays a program at one level: what went wrong.
fn check(program: &Program, level: &str, demand: &Demand, folder: &Path) -> Vec<String> {
    let mut run = Command::new(STRATA);
    run.arg("run").arg(level).arg("--output").arg(folder).args(&program.options).arg(&program.file).args(&program.args);
    let output = match finish(&mut run) {
        Ok(output) => output,
        Err(message) => return vec![format!("strata run {message}")],
    };
    let mut found = Vec::new();
    if output.status.code() != demand.exit {
        found.push(format!("exit: expected {:?}, got {}{}", demand.exit, output.status, tail(&output)));
    }
    let stats = std::fs::read_to_string(folder.join("stats.json")).map_err(|error| error.to_string());
    match stats.and_then(|text| serde_json::from_str::<Value>(&text).map_err(|error| error.to_string())) {
        Ok(stats) => found.extend(differences(program, demand, &stats)),
        Err(message) => {
            found.push(format!("stats.json: {message}"));
            return found;
        }
    }
    match finish(Command::new(STRATA).arg("replay").arg(folder)) {
        Ok(output) if output.status.success() => {}
        Ok(output) => found.push(format!("replay: {}{}", output.status, tail(&output))),
        Err(message) => found.push(format!("strata replay {message}")),
    }
    found
}

/// Runs every program at both levels on all cores and gives back what failed, in the programs' order.
fn run(programs: &[Program]) -> Vec<String> {
    let jobs: Vec<(&Program, &str, &Demand)> = programs
        .iter()
        .flat_map(|program| [(program, "-O0", &program.plain), (program, "-O2", &program.optimised)])
        .collect();
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let scratch = std::env::temp_dir().join(format!("strata-programs-{}-{call}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a temporary folder can be made");
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((index, (program, level, demand))) = take(&next, &jobs) {
            let found = check(program, level, demand, &scratch.join(index.to_string()));
            if !found.is_empty() {
                let report = format!("{} {level}\n    {}", program.name, found.join("\n    "));
                failures.lock().expect("no worker panics").push((index, report));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    std::fs::remove_dir_all(&scratch).expect("the temporary folder can be removed");
    let mut failures = failures.into_inner().expect("no worker panics");
    failures.sort();
    failures.into_iter().map(|(_, report)| report).collect()
}

/// The next of the jobs, for one of several workers.
fn take<'a, T>(next: &AtomicUsize, jobs: &'a [T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, jobs.get(index)?))
}

#[test]
fn headers_are_well_formed_and_the_corpus_is_large() {
    let (programs, mut bad) = programs("programs");
    bad.extend(self::programs("known-gaps").1);
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(programs.len() >= 150, "only {} programs", programs.len());
}

#[test]
fn a_header_is_read_as_written() {
    let demand =
        Demand::parse("paths=2..4 errors=ptr@7,div@9+ exit=1 incomplete=size  why: because of x=y").expect("a header");
    assert_eq!(demand.paths, Some((2, 4)));
    assert_eq!(demand.errors, [error("ptr@7").expect("an error"), error("div@9+").expect("an error")]);
    assert!(!demand.errors[0].library && demand.errors[1].library);
    assert_eq!((demand.exit, demand.incomplete.as_deref()), (Some(1), Some("size")));
    for wrong in ["path=3", "paths=x", "errors=ptr", "errors=ptr@x", "exit=one", "stray"] {
        assert!(Demand::parse(wrong).is_err(), "{wrong} is accepted");
    }
}

/// A run's statistics against a demand: each kind of difference is noticed.
#[test]
fn differences_are_noticed() {
    let text = r#"{"complete": true, "incomplete_causes": {}, "paths": {"completed": 2, "error": 1},
        "errors": [{"kind": "PTR", "file": "/a/x.c", "line": 7}, {"kind": "ptr", "file": "/libc/strcpy.c", "line": 3}]}"#;
    let stats: Value = serde_json::from_str(text).expect("a document");
    let program = Program {
        file: PathBuf::from("/elsewhere/x.c"),
        name: "x.c".to_string(),
        options: Vec::new(),
        args: Vec::new(),
        plain: Demand::default(),
        optimised: Demand::default(),
    };
    let count = |line: &str| differences(&program, &Demand::parse(line).expect("a header"), &stats).len();
    assert_eq!(count("paths=3 errors=ptr@7,ptr@9+"), 0);
    assert_eq!(count("paths=4 errors=ptr@7,ptr@9+"), 1);
    assert_eq!(count("paths=3 errors=ptr@7"), 1);
    assert_eq!(count("paths=3 errors=ptr@7,ptr@9"), 2);
    assert_eq!(count("paths=3 errors=ptr@7,ptr@9+,div@11"), 1);
    assert_eq!(count("paths=3 errors=ptr@7,ptr@9+ incomplete=size"), 1);
}

#[test]
fn programs_do_what_they_say() {
    let (mut programs, _) = programs("programs");
    if let Ok(filter) = std::env::var("STRATA_PROGRAMS") {
        programs.retain(|program| program.name.contains(&filter));
        assert!(!programs.is_empty(), "no program's path contains {filter}");
    }
    let failures = run(&programs);
    let mut report = String::new();
    for failure in &failures {
        writeln!(report, "  {failure}").expect("a string takes all");
    }
    let total = programs.len() * 2;
    assert!(failures.is_empty(), "{} of {total} runs differ from what their programs say:\n{report}", failures.len());
}

#[test]
fn known_gaps_are_still_gaps() {
    let (programs, _) = programs("known-gaps");
    for program in programs {
        let name = program.name.clone();
        assert!(!run(&[program]).is_empty(), "{name} does what it says: move it to tests/programs");
    }
}
