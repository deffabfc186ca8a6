//! Kinds of errors as a user names them: ours, and KLEE's spellings of them.

use strata_interp::ErrorKind;

/// Kinds of the files that paths leave which could not be followed further.
const GIVEN_UP: &[&str] = &["external", "model", "solver"];

/// KLEE's name for what its run-time library reports: our own checks of arithmetic, and kinds that the program made up.
const REPORTED: &str = "reporterror";

fn plain(name: &str) -> String {
    name.replace(['_', '-'], "").to_ascii_lowercase()
}

fn known() -> impl Iterator<Item = &'static str> {
    ErrorKind::NAMES.iter().chain(GIVEN_UP).copied()
}

/// Is an error of this kind among those that were asked for?
pub(crate) fn wanted(list: &[String], kind: &str) -> bool {
    list.iter().any(|wanted| is(wanted, kind))
}

/// Does a kind go by this name? KLEE writes `ReadOnly` for `read_only`.
fn is(wanted: &str, kind: &str) -> bool {
    match plain(wanted).as_str() {
        "execution" => kind == "exec",
        REPORTED => matches!(kind, "div" | "overshift") || !known().any(|name| name == kind),
        wanted => wanted == plain(kind),
    }
}

/// Says which kinds there are where there is none of this name.
pub fn check_kind(wanted: &str) -> Result<(), String> {
    let found = [REPORTED, "execution"].contains(&plain(wanted).as_str()) || known().any(|name| is(wanted, name));
    if found {
        return Ok(());
    }
    let all: Vec<&str> = known().collect();
    Err(format!(
        "there is no kind of error '{wanted}'; there are {}, and ReportError (those that the program names itself)",
        all.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_klee_spells_them() {
        for (wanted, kind, same) in [
            ("Ptr", "ptr", true),
            ("ReadOnly", "read_only", true),
            ("read-only", "read_only", true),
            ("Execution", "exec", true),
            ("ReportError", "div", true),
            ("ReportError", "my", true),
            ("ReportError", "ptr", false),
            ("Free", "ptr", false),
        ] {
            assert_eq!(is(wanted, kind), same, "{wanted} {kind}");
            assert_eq!(check_kind(wanted), Ok(()));
        }
        assert!(check_kind("foo").is_err_and(|text| text.contains("read_only") && text.contains("model")));
    }
}
