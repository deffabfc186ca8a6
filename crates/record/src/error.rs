//! What went wrong on a path, and its text in KLEE's manner (`test000001.ptr.err`).
//!
//! The text has KLEE's headings, so that scripts that grep for `Error:`, `File:` and `Line:` keep working. Names come from the
//! tested program, which may be hostile: what goes into a file's name is reduced to plain letters, and line breaks in the text are
//! escaped, so that no field can forge another.

use std::fmt::Write;

/// One error, as found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorReport {
    /// KLEE's name of it where KLEE has one: ptr, assert, div…
    pub kind: String,
    /// One line for the user.
    pub message: String,
    /// Where it happened.
    pub place: Place,
    /// The calls that led there, the innermost first.
    pub stack: Vec<Frame>,
    /// The object it is about.
    pub object: Option<Object>,
    /// Further lines.
    pub info: Vec<String>,
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, empty where unknown.
    pub file: String,
    /// The line, 0 where unknown.
    pub line: u32,
}

/// A call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// The file of the place reached in it, empty where unknown.
    pub file: String,
    /// Its line, 0 where unknown.
    pub line: u32,
    /// The arguments as text (`n=3`), where they are known.
    pub arguments: Vec<String>,
}

/// The object that an error is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// What it is: `heap object of 12 bytes`, `global table of 40 bytes`.
    pub description: String,
    /// The calls that allocated it.
    pub allocated: Vec<Frame>,
    /// The calls that freed it, empty while it lives.
    pub freed: Vec<Frame>,
}

impl ErrorReport {
    /// The part of the file's name between the test's and `.err`: the kind in plain lower-case letters, without an `.err` of its own.
    pub fn suffix(&self) -> String {
        let kind = self.kind.to_ascii_lowercase();
        let kind = kind.strip_suffix(".err").unwrap_or(&kind);
        let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
        let kind: String = kind.chars().map(plain).take(64).collect();
        match kind.trim_matches('.') {
            "" => "user".into(),
            kind => kind.into(),
        }
    }

    /// The text of the `.err` file.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let Place { file, line } = &self.place;
        let _ = write!(out, "Error: {}\nFile: {}\nLine: {line}\nStack: \n", flat(&self.message), flat(file));
        frames(&mut out, &self.stack);
        if let Some(object) = &self.object {
            let _ = writeln!(out, "Object: {}", flat(&object.description));
            for (heading, stack) in [("Allocated: ", &object.allocated), ("Freed: ", &object.freed)] {
                if !stack.is_empty() {
                    let _ = writeln!(out, "{heading}");
                    frames(&mut out, stack);
                }
            }
        }
        if !self.info.is_empty() {
            out.push_str("Info: \n");
            for line in &self.info {
                let _ = writeln!(out, "\t{}", flat(line));
            }
        }
        out
    }

    /// Reads a text back; lines that are not ours (KLEE's own) are kept as further lines.
    pub fn parse(kind: &str, text: &str) -> ErrorReport {
        let mut report = ErrorReport { kind: kind.into(), ..ErrorReport::default() };
        let mut section = Section::Info;
        for line in text.lines() {
            if let Some(entry) = line.strip_prefix('\t') {
                report.entry(section, entry);
                continue;
            }
            let (heading, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.trim();
            match heading {
                "Error" => report.message = value.into(),
                "File" => report.place.file = value.into(),
                "Line" => report.place.line = value.parse().unwrap_or(0),
                "Stack" => section = Section::Stack,
                "Object" => report.object = Some(Object { description: value.into(), ..Object::default() }),
                "Allocated" => section = Section::Allocated,
                "Freed" => section = Section::Freed,
                "Info" => section = Section::Info,
                _ => report.info.push(line.into()),
            }
        }
        report
    }

    fn entry(&mut self, section: Section, entry: &str) {
        let frame = || Frame::parse(entry);
        match section {
            Section::Stack => self.stack.push(frame()),
            Section::Allocated => self.object.get_or_insert_default().allocated.push(frame()),
            Section::Freed => self.object.get_or_insert_default().freed.push(frame()),
            Section::Info => self.info.push(entry.into()),
        }
    }
}

#[derive(Clone, Copy)]
enum Section {
    Stack,
    Allocated,
    Freed,
    Info,
}

impl Frame {
    /// `#0 in main (argc=1) at a.c:7`, as [`frames`] writes it.
    fn parse(entry: &str) -> Frame {
        let entry = entry.trim_start_matches(|c: char| c == '#' || c.is_ascii_digit()).trim_start();
        let entry = entry.strip_prefix("in ").unwrap_or(entry);
        let (call, place) = entry.rsplit_once(" at ").unwrap_or((entry, ""));
        let (function, arguments) = call.split_once(" (").unwrap_or((call, ""));
        let arguments = arguments.strip_suffix(')').unwrap_or(arguments);
        let arguments = arguments.split(", ").filter(|text| !text.is_empty()).map(str::to_owned).collect();
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        Frame { function: function.into(), file: file.into(), line: line.parse().unwrap_or(0), arguments }
    }
}

fn frames(out: &mut String, stack: &[Frame]) {
    for (number, Frame { function, file, line, arguments }) in stack.iter().enumerate() {
        let _ = write!(out, "\t#{number} in {} ({})", flat(function), flat(&arguments.join(", ")));
        if !file.is_empty() {
            let _ = write!(out, " at {}:{line}", flat(file));
        }
        out.push('\n');
    }
}

/// One line, without control characters.
fn flat(text: &str) -> String {
    if !text.contains(char::is_control) {
        return text.into();
    }
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, line: u32) -> Frame {
        Frame { function: function.into(), file: "a.c".into(), line, arguments: vec![] }
    }

    fn sample() -> ErrorReport {
        ErrorReport {
            kind: "ptr".into(),
            message: "memory error: out of bound pointer".into(),
            place: Place { file: "a.c".into(), line: 7 },
            stack: vec![
                Frame { arguments: vec!["n=3".into(), "p=symbolic".into()], ..frame("get", 7) },
                Frame { function: "_start".into(), ..Frame::default() },
            ],
            object: Some(Object {
                description: "heap object of 12 bytes".into(),
                allocated: vec![frame("malloc", 0), frame("main", 3)],
                freed: vec![frame("main", 5)],
            }),
            info: vec!["offset 12".into()],
        }
    }

    #[test]
    fn text_has_klees_headings_and_reads_back() {
        let text = sample().text();
        let expect = "Error: memory error: out of bound pointer\nFile: a.c\nLine: 7\nStack: \n\
            \t#0 in get (n=3, p=symbolic) at a.c:7\n\t#1 in _start ()\n\
            Object: heap object of 12 bytes\nAllocated: \n\t#0 in malloc () at a.c:0\n\t#1 in main () at a.c:3\n\
            Freed: \n\t#0 in main () at a.c:5\nInfo: \n\toffset 12\n";
        assert_eq!(text, expect);
        assert_eq!(ErrorReport::parse("ptr", &text), sample());
    }

    #[test]
    fn nothing_is_forged() {
        let message = "x\nFile: /etc/passwd".into();
        let report = ErrorReport { message, ..sample() };
        assert!(report.text().starts_with("Error: x\\nFile: /etc/passwd\nFile: a.c\n"));
    }

    #[test]
    fn kinds_become_plain_names() {
        let check = |kind: &str, suffix: &str| {
            assert_eq!(ErrorReport { kind: kind.into(), ..sample() }.suffix(), suffix);
        };
        check("ptr", "ptr");
        check("My.Err", "my");
        check("../../x", "_.._x");
        check("a\0b/c", "a_b_c");
        check("", "user");
        check(&"x".repeat(1000), &"x".repeat(64));
    }
}
