//! The walls: which crate may use which, as ARCHITECTURE.md says, against what cargo says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The table `| crate | may use |` of ARCHITECTURE.md: crate -> allowed crates.
fn table(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let rows = text.lines().skip_while(|line| !line.starts_with("| crate | may use |")).skip(2);
    let mut table = BTreeMap::new();
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let used: BTreeSet<String> =
            cells[1].split(',').map(|name| name.trim().to_owned()).filter(|name| name != "nothing of ours").collect();
        for name in cells[0].split(',') {
            table.insert(name.trim().to_owned(), used.clone());
        }
    }
    table
}

fn short(package: &str) -> &str {
    if package == "strata" { "cli" } else { package.trim_start_matches("strata-") }
}

#[test]
fn crates_use_what_they_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let allowed = table(&text);
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(&root)
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo's JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() >= 4);
    let ours = |name: &str| name == "strata" || name.starts_with("strata-");
    for package in packages {
        let name = short(package["name"].as_str().expect("a name"));
        let may = allowed.get(name).unwrap_or_else(|| panic!("ARCHITECTURE.md's table has no row for `{name}`"));
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let used = dependency["name"].as_str().expect("a name");
            if ours(used) {
                assert!(
                    may.contains(short(used)),
                    "`{name}` uses `{}`, which ARCHITECTURE.md does not allow",
                    short(used)
                );
            }
        }
    }
}
