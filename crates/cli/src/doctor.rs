//! `strata doctor`: what is installed, what is missing, how to get it.

use crate::Outcome;
use crate::console::{out, refuse, table};
use crate::run::program;
use clap::Args;
use serde_json::json;
use strata_build::{Runtime, doctor};
use strata_replay::{Ending, trial};

/// What was typed.
#[derive(Args)]
#[command(after_help = "Exit status: 0 everything that is needed is there; 1 something is missing.")]
pub struct Options {
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
    /// Print the folder of klee/klee.h and strata.h and nothing else, for bitcode made without strata: clang -I "$(strata doctor --include)"
    #[arg(long, conflicts_with = "json")]
    include: bool,
}

/// How it stands with one thing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Found,
    /// Not there, and not needed or made when it is.
    Later,
    Missing,
}

struct Row {
    standing: Standing,
    what: String,
    /// Where it is, or how to get it.
    note: String,
}

const HEADERS: &str = "klee/klee.h and strata.h, for clang -I";

/// Looks.
pub fn run(options: &Options) -> Outcome {
    let headers = Runtime::unpack(&program::cache()).map(|runtime| runtime.include().display().to_string());
    if options.include {
        return match headers {
            Ok(folder) => {
                out(&format!("{folder}\n"));
                Outcome::Done
            }
            Err(error) => refuse(error),
        };
    }
    let mut rows = tools();
    rows.push(match headers {
        Ok(folder) => Row { standing: Standing::Found, what: HEADERS.into(), note: folder },
        Err(error) => Row { standing: Standing::Missing, what: HEADERS.into(), note: error.to_string() },
    });
    rows.push(solver());
    rows.push(sandbox());
    let missing = rows.iter().any(|row| row.standing == Standing::Missing);
    if options.json {
        let entry = |row: &Row| json!({ "standing": word(row.standing), "what": row.what, "note": row.note });
        out(&format!("{:#}\n", json!(rows.iter().map(entry).collect::<Vec<_>>())));
    } else {
        let cells = |row: &Row| vec![word(row.standing).to_string(), row.what.clone(), row.note.clone()];
        out(&table(&rows.iter().map(cells).collect::<Vec<_>>(), |_| false));
    }
    if missing { Outcome::Found } else { Outcome::Done }
}

fn word(standing: Standing) -> &'static str {
    match standing {
        Standing::Found => "found",
        Standing::Later => "later",
        Standing::Missing => "missing",
    }
}

/// The tools and the C library. The library is built by the first run; once it is, nobody needs to fetch its sources.
fn tools() -> Vec<Row> {
    let findings = doctor(&program::search(), &program::cache(), &program::libc_options());
    let library = |what: &str| what.starts_with("the C library");
    let built = findings.iter().any(|it| library(it.what) && it.found.is_some());
    let row = |it: strata_build::Finding| {
        let spare = library(it.what) || (built && it.what.starts_with("apt-get"));
        let (standing, note) = match it.found {
            Some(path) => (Standing::Found, path.display().to_string()),
            None if spare => (Standing::Later, it.remedy),
            None => (Standing::Missing, it.remedy),
        };
        Row { standing, what: it.what.into(), note }
    };
    findings.into_iter().map(row).collect()
}

/// Another solver, which nothing needs: strata has its own.
fn solver() -> Row {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("z3")).find(|file| file.is_file());
    let (standing, note) = match found {
        Some(file) => (Standing::Found, file.display().to_string()),
        None => (Standing::Later, "not needed; sudo apt-get install z3".into()),
    };
    Row { standing, what: "z3, for --solver z3 and --check-with z3 alone".into(), note }
}

/// Does this machine let test programs run locked up? Tried with a program that does nothing.
fn sandbox() -> Row {
    let (standing, note) = match trial() {
        Ok(Ending::Exit(0)) => (Standing::Found, "a program ran in it".into()),
        Ok(ending) => (Standing::Missing, format!("a program that does nothing ended in it with {ending}")),
        Err(refusal) => (Standing::Missing, refusal.to_string()),
    };
    Row { standing, what: "a sandbox, for native replay".into(), note }
}
