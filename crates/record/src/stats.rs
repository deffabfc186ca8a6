//! The figures of a run: `stats.json`, written each second and at the end, and a line of `progress.jsonl` each second.
//!
//! The named fields are a contract with scripts; whatever else is worth keeping goes into `more`, beside them in the file.

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// `stats.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stats {
    /// These are the figures of the whole run. Otherwise it goes on, or was killed, and these are those of its last second.
    #[serde(default = "yes")]
    pub ended: bool,
    /// Every path was followed to its end, and nothing was concretised.
    pub complete: bool,
    /// If not: how often each cause ended a path or cut one short.
    pub incomplete_causes: BTreeMap<String, u64>,
    /// Instructions executed.
    pub instructions: u64,
    /// Times that a path became two.
    pub forks: u64,
    /// The places where that happened most often, the hottest first.
    pub hottest_forks: Vec<ForkCount>,
    /// Paths by how they ended.
    pub paths: Paths,
    /// Distinct errors.
    pub errors: Vec<ErrorCount>,
    /// Tests written.
    pub tests: u64,
    /// What was asked of the solver.
    pub queries: Queries,
    /// What was reached of the program's own files.
    pub coverage: Covered,
    /// Seconds from the start of exploring to its end: the clock of `--max-time` and of `progress.jsonl`.
    pub time_s: f64,
    /// Seconds before that: compiling, linking, loading.
    pub preparation_s: f64,
    /// Seconds of solving by the clock, over all workers.
    pub solver_time_s: f64,
    /// The most memory that was resident.
    pub peak_memory_bytes: u64,
    /// The most paths that were alive at once.
    pub states_peak: u64,
    /// Seconds of processor time by what they were spent on.
    pub cpu_s: Cpu,
    /// Terms alive at the end.
    pub terms: u64,
    /// The version of strata.
    pub version: String,
    /// The options that were in force.
    pub options: Map<String, Value>,
    /// Further figures.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// Figures without the field were written at the end.
fn yes() -> bool {
    true
}

/// Paths by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Paths {
    /// The program ended of itself.
    pub completed: u64,
    /// An error was found.
    pub error: u64,
    /// Cut short.
    pub incomplete: u64,
    /// Contradicted by an assumption.
    pub infeasible: u64,
}

/// A distinct error: kind and place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ErrorCount {
    /// ptr, assert, div…
    pub kind: String,
    /// Source file, empty where unknown.
    pub file: String,
    /// Line in it, 0 where unknown.
    pub line: u32,
    /// Paths that ended in it.
    pub count: u64,
    /// The test that shows it; 0 where none was written.
    pub test: u32,
}

/// A place in the program's own files where paths fork.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ForkCount {
    /// Source file.
    pub file: String,
    /// Line in it.
    pub line: u32,
    /// Times that a path became two there.
    pub forks: u64,
}

/// What was asked of the solver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Queries {
    /// Questions asked.
    pub total: u64,
    /// By layer, in the order of the stack.
    pub by_layer: Layers,
    /// Satisfiability questions that reached the core: both sides of a branch are two.
    pub core_calls: u64,
    /// Time in the core.
    pub core_time_us: u64,
    /// Questions given up.
    pub timeouts: u64,
    /// Answers that whoever was asked again (`--check-with`, `--check-layers`) confirmed.
    pub checked: u64,
    /// Answers that it did not decide, or did not understand.
    pub unchecked: u64,
    /// How our own core encoded reads of arrays.
    pub arrays: ArrayReads,
}

/// How the core encoded reads of arrays, and what that took. An axiom speaks of one byte: two reads at one index, a read and a write, or a read and a cell of a table. Summed over
/// all instances of the core, each of which encodes what it meets once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ArrayReads {
    /// Axioms that there are without looking at indices.
    pub axioms_possible: u64,
    /// Those that residues and windows of the indices left.
    pub axioms_generated: u64,
    /// Those that went to the SAT solver, as clauses or in a tree of choices.
    pub axioms_added: u64,
    /// Bytes of inputs at constant indices.
    pub cells: u64,
    /// Bytes read through writes.
    pub writes: u64,
    /// Reads of tables as trees over all of their contents.
    pub trees: u64,
    /// Reads of tables as trees over the window that the question left their index.
    pub windows: u64,
    /// Those of both whose elements have several bytes.
    pub elements: u64,
    /// Reads left to refinement.
    pub deferred: u64,
}

impl std::ops::AddAssign for ArrayReads {
    fn add_assign(&mut self, more: ArrayReads) {
        self.axioms_possible += more.axioms_possible;
        self.axioms_generated += more.axioms_generated;
        self.axioms_added += more.axioms_added;
        self.cells += more.cells;
        self.writes += more.writes;
        self.trees += more.trees;
        self.windows += more.windows;
        self.elements += more.elements;
        self.deferred += more.deferred;
    }
}

/// The layers of the solver by name, in the order of the stack, which a map sorted by name would lose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers(pub Vec<(String, Layer)>);

/// What a layer did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layer {
    /// Questions that it answered.
    pub answered: u64,
    /// Questions that it passed on.
    pub passed: u64,
    /// Its own time.
    pub time_us: u64,
}

impl Serialize for Layers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, layer) in &self.0 {
            map.serialize_entry(name, layer)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Layers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Layers, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Layers;

            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str("layers by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Layers, A::Error> {
                let mut layers = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    layers.push(entry);
                }
                Ok(Layers(layers))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// What was reached of the program's own files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Covered {
    /// Lines reached.
    pub lines: u64,
    /// Lines with code.
    pub lines_total: u64,
    /// Sides of branches taken.
    pub branches: u64,
    /// Sides of branches.
    pub branches_total: u64,
}

/// Seconds of processor time by what they were spent on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cpu {
    /// Compiling and linking: by the clock, since clang does most of it.
    pub compile: f64,
    /// Reading bitcode, lowering it: by the clock.
    pub load: f64,
    /// Executing, forking and solving, in all workers.
    pub explore: f64,
    /// The part of it that is solving, for branches and for tests; a solver that is another process is not counted.
    pub solve: f64,
    /// Making tests, without solving, and writing them.
    pub write: f64,
    /// Making tests, with solving for them, and writing them: a part of `solve` and all of `write`.
    pub tests: f64,
}

/// A line of `progress.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// Seconds since the start of exploring.
    pub time_s: f64,
    /// Instructions so far.
    pub instructions: u64,
    /// Forks so far.
    pub forks: u64,
    /// Where most of them were.
    pub hottest_fork: Option<ForkCount>,
    /// Paths so far, by how they ended.
    pub paths: Paths,
    /// Paths alive now.
    pub states: u64,
    /// Tests so far.
    pub tests: u64,
    /// Distinct errors so far.
    pub errors: u64,
    /// Reached so far.
    pub coverage: Covered,
    /// Questions so far.
    pub queries: u64,
    /// Seconds of solving so far, over all workers.
    pub solver_time_s: f64,
    /// Resident now.
    pub memory_bytes: u64,
    /// Further figures.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_those_of_the_contract() {
        let value = serde_json::to_value(Stats::default()).unwrap();
        let keys = |value: &Value| {
            let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
            keys.sort();
            keys.join(" ")
        };
        assert_eq!(
            keys(&value),
            "complete coverage cpu_s ended errors forks hottest_forks incomplete_causes instructions options paths peak_memory_bytes preparation_s queries \
             solver_time_s states_peak terms tests time_s version"
        );
        assert_eq!(keys(&value["paths"]), "completed error incomplete infeasible");
        assert_eq!(keys(&value["queries"]), "arrays by_layer checked core_calls core_time_us timeouts total unchecked");
        assert_eq!(keys(&value["coverage"]), "branches branches_total lines lines_total");
        assert_eq!(keys(&value["cpu_s"]), "compile explore load solve tests write");
        assert_eq!(keys(&serde_json::to_value(ErrorCount::default()).unwrap()), "count file kind line test");
        assert_eq!(keys(&serde_json::to_value(ForkCount::default()).unwrap()), "file forks line");
        assert_eq!(keys(&serde_json::to_value(Layer::default()).unwrap()), "answered passed time_us");
    }

    #[test]
    fn more_and_the_order_of_layers_survive() {
        let mut stats = Stats { forks: 7, ..Stats::default() };
        stats.more.insert("shed".into(), 3.into());
        for name in ["simplify", "bytes", "core"] {
            stats.queries.by_layer.0.push((name.into(), Layer { answered: 1, passed: 2, time_us: 3 }));
        }
        let text = serde_json::to_string_pretty(&stats).unwrap();
        assert!(text.contains("\"shed\": 3"));
        assert_eq!(serde_json::from_str::<Stats>(&text).unwrap(), stats);
    }
}
