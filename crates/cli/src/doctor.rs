//! `strata doctor`: what is installed, what is missing, how to get it.

use crate::Outcome;
use crate::console::{out, table};
use crate::run::program;
use clap::Args;
use serde_json::json;
use strata_build::{LibcOptions, doctor};
use strata_replay::{Limits, Refusal, Sandbox};

/// What was typed.
#[derive(Args)]
#[command(after_help = "Exit status: 0 everything that is needed is there; 1 something is missing.")]
pub struct Options {
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
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

/// Looks.
pub fn run(options: &Options) -> Outcome {
    let mut rows = tools();
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
    let findings = doctor(&program::search(), &program::cache(), &LibcOptions::default());
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

/// Does this machine let test programs run locked up? Tried with a program that is certainly there.
fn sandbox() -> Row {
    let tried = std::env::current_exe().map(|own| Sandbox::new(&own, Limits::default()));
    let (standing, note) = match tried {
        Ok(Err(refusal @ (Refusal::Namespaces(_) | Refusal::Setup(..) | Refusal::Resources(_)))) => {
            (Standing::Missing, refusal.to_string())
        }
        Ok(Ok(_) | Err(Refusal::Program(..) | Refusal::Arguments | Refusal::Lost)) | Err(_) => {
            (Standing::Found, "the kernel grants namespaces and a filter".into())
        }
    };
    Row { standing, what: "a sandbox, for native replay".into(), note }
}
