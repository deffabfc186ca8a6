//! What a build did that the engine will miss, kept in a file for `strata cc --doctor`.
//!
//! A compiler that talks in the middle of a build breaks builds: configure takes words on standard error for a failure. So notable things are
//! written down, a line each, by however many compilers run at once (lines are appended, each by one write). configure's own trials are left out. Trouble with the file is
//! nobody's trouble: a build does not fail for its journal.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// More than this, and it begins anew.
const FULL: u64 = 1 << 20;

/// Where notes are kept.
#[derive(Debug, Clone)]
pub struct Journal {
    file: PathBuf,
    /// The folder that the build is in.
    folder: PathBuf,
}

/// A notable thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A source in assembler.
    Assembler {
        /// The file.
        file: String,
    },
    /// An object that another compiler made.
    NoBitcode {
        /// The object.
        object: String,
    },
    /// A flag that was left out.
    Dropped {
        /// The flag.
        flag: String,
        /// The reason.
        why: String,
    },
    /// A shared library was refused.
    Shared {
        /// Its name.
        out: String,
    },
    /// The program was made, its bitcode was not.
    NoProgram {
        /// The program.
        program: String,
        /// What the tool said.
        message: String,
    },
    /// A command failed.
    Failed {
        /// What was to be made.
        what: String,
        /// What the tool said, if that was heard.
        message: String,
    },
}

impl Note {
    /// Kind, subject, the rest.
    fn fields(&self) -> (&'static str, &str, &str) {
        match self {
            Note::Assembler { file } => ("assembler", file, ""),
            Note::NoBitcode { object } => ("foreign", object, ""),
            Note::Dropped { flag, why } => ("dropped", flag, why),
            Note::Shared { out } => ("shared", out, ""),
            Note::NoProgram { program, message } => ("unlinked", program, message),
            Note::Failed { what, message } => ("failed", what, message),
        }
    }
}

/// What each kind of line means, and what to do.
const MEANINGS: &[(&str, &str, &str)] = &[
    ("failed", "could not be made", "The build's own output has the whole message."),
    (
        "unlinked",
        "was made as a native program only",
        "Its modules do not go together as bitcode; the message says which symbol. strata run links what the program carries itself and says the same.",
    ),
    (
        "foreign",
        "has no bitcode",
        "Another compiler made it. A path that calls into it ends there. Build it with strata cc, too (CC='strata cc' for every folder of the build).",
    ),
    (
        "assembler",
        "is assembler",
        "There is no bitcode of it, and a path that calls into it ends there. Many packages have the same in C: configure --disable-asm, --disable-assembly, or -DNO_ASM.",
    ),
    (
        "shared",
        "is a shared library, which is not made",
        "Build static libraries: configure --disable-shared, cmake -DBUILD_SHARED_LIBS=OFF.",
    ),
    ("dropped", "was left out", "Nothing to do, unless the build depends on it."),
];

impl Journal {
    /// Notes in this folder, about a build in that one.
    pub fn new(place: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Journal {
        Journal { file: place.into().join("cc.log"), folder: folder.into() }
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Appends a note, if that can be done.
    pub fn write(&self, note: &Note) {
        let (kind, subject, rest) = note.fields();
        let folder = self.folder.display().to_string();
        let line = [kind, &folder, subject, rest].map(flat).join("\t") + "\n";
        let _ = self.append(&line);
    }

    fn append(&self, line: &str) -> std::io::Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        if self.file.metadata().is_ok_and(|file| file.len() > FULL) {
            fs::remove_file(&self.file)?;
        }
        OpenOptions::new().create(true).append(true).open(&self.file)?.write_all(line.as_bytes())
    }
}

/// One line, one field.
fn flat(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.chars().take(400).collect()
}

/// The journal in words.
impl fmt::Display for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = fs::read_to_string(&self.file).unwrap_or_default();
        let mut counted: BTreeMap<(&str, &str, &str), (usize, &str)> = BTreeMap::new();
        for line in text.lines() {
            if let [kind, folder, subject, rest] = line.split('\t').collect::<Vec<_>>()[..] {
                let place = if kind == "dropped" { "" } else { folder };
                counted.entry((kind, subject, rest)).or_insert((0, place)).0 += 1;
            }
        }
        if counted.is_empty() {
            return writeln!(
                f,
                "nothing to report: every object that was made has its bitcode ({})",
                self.file.display()
            );
        }
        for (kind, meaning, advice) in MEANINGS {
            let of_kind: Vec<_> = counted.iter().filter(|((found, ..), _)| found == kind).collect();
            for ((_, subject, rest), (count, folder)) in &of_kind {
                let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
                let place = if folder.is_empty() { String::new() } else { format!(" in {folder}") };
                let colon = if rest.is_empty() { "" } else { ": " };
                writeln!(f, "{subject} {meaning}{place}{times}{colon}{rest}")?;
            }
            if !of_kind.is_empty() {
                writeln!(f, "   {advice}\n")?;
            }
        }
        writeln!(f, "from {}; remove it to begin anew", self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_note_has_its_meaning() {
        let text = || String::from("x\ty\n");
        let notes = [
            Note::Assembler { file: text() },
            Note::NoBitcode { object: text() },
            Note::Dropped { flag: text(), why: text() },
            Note::Shared { out: text() },
            Note::NoProgram { program: text(), message: text() },
            Note::Failed { what: text(), message: text() },
        ];
        let place = std::env::temp_dir().join(format!("strata-journal-{}", std::process::id()));
        let journal = Journal::new(&place, "/build");
        notes.iter().for_each(|note| journal.write(note));
        notes.iter().for_each(|note| journal.write(note));
        let shown = journal.to_string();
        let file = fs::read_to_string(journal.file()).unwrap();
        fs::remove_dir_all(&place).unwrap();
        assert_eq!(file.lines().count(), 2 * notes.len());
        for (_, meaning, advice) in MEANINGS {
            assert!(shown.contains(meaning) && shown.contains(advice), "{meaning}\n{shown}");
        }
        assert_eq!(shown.matches("(2 times)").count(), notes.len(), "{shown}");
    }
}
