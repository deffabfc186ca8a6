//! What of the source was reached, and its disk form: LCOV's tracefile, which genhtml and editors read.

use std::collections::BTreeMap;
use std::fmt::Write;

/// What was reached, by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The files with code, in the order in which they are to be shown.
    pub sources: Vec<Source>,
}

/// What was reached of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The file's path.
    pub path: String,
    /// Lines with code, and how often each was executed.
    pub lines: BTreeMap<u32, u64>,
    /// Sides of branches.
    pub branches: Vec<Branch>,
    /// Functions.
    pub functions: Vec<Function>,
}

/// One side of a branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// The branch's line.
    pub line: u32,
    /// Which branch of that line.
    pub block: u32,
    /// Which side of it.
    pub side: u32,
    /// How often it was taken; nothing where the branch was never reached.
    pub taken: Option<u64>,
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its first line.
    pub line: u32,
    /// How often it was called.
    pub count: u64,
}

impl Coverage {
    /// The text of `coverage.info`.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for source in &self.sources {
            source.write(&mut out);
        }
        out
    }

    /// Reads a tracefile; lines that mean nothing here are passed over, as LCOV's own tools do.
    pub fn parse(text: &str) -> Coverage {
        let mut coverage = Coverage::default();
        let mut source = Source::default();
        for line in text.lines() {
            if line.trim() == "end_of_record" {
                coverage.sources.push(std::mem::take(&mut source));
            } else if let Some((key, value)) = line.split_once(':') {
                source.field(key, value);
            }
        }
        coverage
    }
}

impl Source {
    fn write(&self, out: &mut String) {
        let path: String = self.path.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        let _ = writeln!(out, "TN:\nSF:{path}");
        for Function { name, line, .. } in &self.functions {
            let _ = writeln!(out, "FN:{line},{name}");
        }
        for Function { name, count, .. } in &self.functions {
            let _ = writeln!(out, "FNDA:{count},{name}");
        }
        let hit = self.functions.iter().filter(|function| function.count > 0).count();
        let _ = writeln!(out, "FNF:{}\nFNH:{hit}", self.functions.len());
        for Branch { line, block, side, taken } in &self.branches {
            let taken = taken.map_or_else(|| "-".into(), |count| count.to_string());
            let _ = writeln!(out, "BRDA:{line},{block},{side},{taken}");
        }
        let hit = self.branches.iter().filter(|branch| branch.taken.is_some_and(|count| count > 0)).count();
        let _ = writeln!(out, "BRF:{}\nBRH:{hit}", self.branches.len());
        for (line, count) in &self.lines {
            let _ = writeln!(out, "DA:{line},{count}");
        }
        let hit = self.lines.values().filter(|&&count| count > 0).count();
        let _ = writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", self.lines.len());
    }

    /// One line of a tracefile; `None` where it means nothing here.
    fn field(&mut self, key: &str, value: &str) -> Option<()> {
        let mut parts = value.split(',');
        let mut next = || parts.next();
        match key {
            "SF" => self.path = value.into(),
            "FN" => {
                let (line, name) = value.split_once(',')?;
                self.functions.push(Function { name: name.into(), line: line.parse().ok()?, count: 0 });
            }
            "FNDA" => {
                let (count, name) = value.split_once(',')?;
                self.functions.iter_mut().find(|function| function.name == name)?.count = count.parse().ok()?;
            }
            "BRDA" => {
                let (line, block, side) = (next()?.parse().ok()?, next()?.parse().ok()?, next()?.parse().ok()?);
                self.branches.push(Branch { line, block, side, taken: next()?.parse().ok() });
            }
            "DA" => {
                self.lines.insert(next()?.parse().ok()?, next()?.parse().ok()?);
            }
            _ => {}
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracefile_reads_back() {
        let branch = |side, taken| Branch { line: 3, block: 0, side, taken };
        let source = Source {
            path: "a.c".into(),
            lines: BTreeMap::from([(2, 1), (3, 5), (4, 0)]),
            branches: vec![branch(0, Some(4)), branch(1, Some(0)), Branch { line: 4, ..Branch::default() }],
            functions: vec![Function { name: "main".into(), line: 2, count: 1 }],
        };
        let coverage = Coverage { sources: vec![source, Source { path: "b.c".into(), ..Source::default() }] };
        let text = coverage.text();
        let start = "TN:\nSF:a.c\nFN:2,main\nFNDA:1,main\nFNF:1\nFNH:1\nBRDA:3,0,0,4\nBRDA:3,0,1,0\nBRDA:4,0,0,-\nBRF:3\nBRH:1\n\
            DA:2,1\nDA:3,5\nDA:4,0\nLF:3\nLH:2\nend_of_record\n";
        assert!(text.starts_with(start), "{text}");
        assert_eq!(Coverage::parse(&text), coverage);
    }
}
