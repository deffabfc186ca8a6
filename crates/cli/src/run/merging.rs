//! `--merge` and what is told of it at the end.

use super::{Options, Refusal};
use serde_json::{Value, json};
use std::sync::Arc;
use strata_interp::{Config, Image, Plan};
use strata_merge::{Books, Mode};

/// Upper bound on the states of one fragment. Loops that are worth merging stay far below: a scan
/// of 200 bytes has 400.
const MOST: usize = 4_096;
/// Upper bound on the instructions that states of a fragment run while none leaves it: some tenths
/// of a second.
const PATIENCE: u64 = 20_000_000;
/// Loops around a fork whose states wait: an inner loop, the one around it, and one of the caller.
const NESTED: usize = 3;
/// Places that are told at the end of a run.
const TOLD: usize = 3;

/// Sets merging up as the options say.
pub fn prepare(
    options: &Options,
    image: &mut Image,
    config: &mut Config,
    how: &mut strata_explore::Options,
) -> Result<(), Refusal> {
    let mode = match options.merge.as_str() {
        "none" if options.merge_at.is_empty() => return Ok(()),
        "cfg" => Mode::Cfg,
        "none" | "pattern" => Mode::Pattern,
        "auto" => Mode::Auto,
        other => {
            return Err(Refusal::bad(format!(
                "--merge: there is no mode '{other}'; there are none, cfg, pattern, auto"
            )));
        }
    };
    let mut plan = Plan::default();
    (plan.nested, plan.loops, plan.rounds) = (NESTED, true, true);
    for name in &options.merge_at {
        let Some(function) = image.function(name) else {
            return Err(Refusal::bad(format!("--merge-at {name}: the program has no function of this name")));
        };
        plan.only.insert(function.0);
    }
    image.merge_states();
    config.merge = Some(Arc::new(plan));
    how.merge = Some(strata_merge::Options { mode, check: options.check_merges, most: MOST, patience: PATIENCE });
    Ok(())
}

/// Where a place lies in the source.
fn line(image: &Image, place: u32) -> String {
    let place = image.program().places[place as usize];
    if place.line == 0 {
        return "an unknown place".into();
    }
    format!("{}:{}", image.program().files[place.file as usize], place.line)
}

/// A run with fewer forks needs no merging.
const MANY_FORKS: u64 = 100_000;

/// For a run without merging in which one loop takes most of the forks: what to try.
pub fn hint(options: &Options, image: &Image, summary: &strata_explore::Summary) -> Option<String> {
    let hottest = summary.hottest_forks.first()?;
    let most = summary.forks >= MANY_FORKS && hottest.forks > summary.forks / 2;
    if !most || options.merge != "none" || !options.merge_at.is_empty() {
        return None;
    }
    let program = image.program();
    let here = |place: &strata_ir::PlaceId| {
        let place = program.places[place.index()];
        place.line == hottest.line && program.files[place.file as usize] == hottest.file
    };
    let holds = |function: &&strata_ir::Function| function.blocks.iter().flat_map(|block| &block.places).any(here);
    let function = &program.functions.iter().find(holds)?.name;
    let share = hottest.forks * 100 / summary.forks.max(1);
    Some(format!("{share} % of the forks are at {}:{}: try --merge-at {function}", hottest.file, hottest.line))
}

/// For `stats.json`.
pub fn figures(image: &Image, books: &Books) -> Value {
    let rows = books.iter().map(|(place, tally)| {
        let apart: serde_json::Map<String, Value> =
            tally.apart.iter().map(|(why, count)| (why.to_string(), json!(count))).collect();
        json!({
            "at": line(image, place), "fragments": tally.fragments, "states": tally.landed,
            "went_on": tally.went_on, "patterns": tally.patterns, "united": tally.united, "dropped": tally.dropped, "released": tally.released, "not_merged": apart,
        })
    });
    Value::from(rows.collect::<Vec<_>>())
}

/// For the end of a run: the places where most states were merged.
pub fn lines(image: &Image, books: &Books) -> Vec<String> {
    let mut rows: Vec<_> = books.iter().filter(|(_, tally)| tally.landed > 0 || tally.released > 0).collect();
    rows.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.landed));
    let tell = |(place, tally): &(u32, &strata_merge::Tally)| {
        let released = match tally.released {
            0 => String::new(),
            count => format!("; given up {count} times"),
        };
        format!("merged at {}: {} states into {}{released}", line(image, *place), tally.landed, tally.went_on)
    };
    rows.iter().take(TOLD).map(tell).collect()
}
