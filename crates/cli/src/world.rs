//! What a program is given, from what was typed; and what a test gives it natively.
//!
//! KLEE's options for symbolic arguments and files stand among the program's own words, and a test keeps the command line as it was typed. So one reader of
//! such a line serves both: `strata run` makes a modelled world of it, `strata replay` takes the values of the test's objects, of our tests and of
//! KLEE's.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use strata_linux::{FOLDER, MOST_FILES, Seed, SeedBody, Word, World, file_name};
use strata_record::{Bytes, KTest, regular};
use strata_replay::{Entry, EntryBody};

/// KLEE's options and how many numbers follow each.
const OPTIONS: &[(&str, usize)] = &[
    ("sym-arg", 1),
    ("sym-args", 3),
    ("sym-files", 2),
    ("sym-stdin", 1),
    ("sym-stdout", 0),
    ("sym-lengths", 0),
    ("max-fail", 1),
    ("fd-fail", 0),
    ("save-all-writes", 0),
];

/// The most bytes of one symbolic argument or file, and the most arguments.
const LONGEST: u64 = 1 << 20;
const MOST_ARGUMENTS: u64 = 64;

/// The name of one of KLEE's options for the modelled system, with one dash or two, and how many numbers follow it.
pub fn option(word: &str) -> Option<(&'static str, usize)> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    OPTIONS.iter().find(|(known, _)| *known == name).copied()
}

/// Is an object of a test the contents of a symbolic file? Older versions of KLEE, and of ours, write `A-data` for `A_data`.
pub(crate) fn is_file(name: &str) -> bool {
    name.strip_prefix(|c: char| c.is_ascii_uppercase()).is_some_and(|rest| matches!(rest, "_data" | "-data"))
}

/// Is an object of a test there for the sake of KLEE's tools alone?
pub(crate) fn is_formal(name: &str) -> bool {
    let of = name.strip_suffix("_stat").or_else(|| name.strip_suffix("-stat"));
    let status = of.is_some_and(|of| is_file(of) || matches!(of, "stdin" | "stdin_data" | "stdin-data" | "stdout"));
    status || matches!(name, "model_version" | "stdout")
}

/// Reads a command line: the program's name, and what follows it.
pub fn parse(line: &[Vec<u8>]) -> Result<World, String> {
    let mut words = line.iter();
    let mut world = World { program: words.next().cloned().unwrap_or_default(), ..World::default() };
    while let Some(word) = words.next() {
        let Some((name, count)) = std::str::from_utf8(word).ok().and_then(option) else {
            world.words.push(Word::Plain(word.clone()));
            continue;
        };
        let mut numbers = Vec::new();
        for _ in 0..count {
            let value = words.next().and_then(|word| std::str::from_utf8(word).ok()?.parse::<u64>().ok());
            let most = if matches!((name, numbers.len()), ("sym-args", 0 | 1)) { MOST_ARGUMENTS } else { LONGEST };
            let fits = value.filter(|value| *value <= most);
            numbers.push(fits.ok_or_else(|| format!("--{name} takes {count} numbers, the next at most {most}"))?);
        }
        apply(&mut world, name, &numbers)?;
    }
    Ok(world)
}

fn apply(world: &mut World, name: &str, numbers: &[u64]) -> Result<(), String> {
    match (name, numbers) {
        ("sym-arg", [length]) => world.words.push(Word::Symbolic(*length)),
        ("sym-args", [min, max, length]) if min <= max => {
            world.words.push(Word::Several { min: *min as u32, max: *max as u32, length: *length });
        }
        ("sym-args", _) => return Err("--sym-args MIN MAX LEN: MIN must not be more than MAX".into()),
        ("sym-files", [0, _] | [_, 0]) => return Err("--sym-files N LEN: both must be at least 1".into()),
        ("sym-files", [count, length]) if *count <= u64::from(MOST_FILES) => {
            world.files = Some((*count as u32, *length));
        }
        ("sym-files", _) => return Err(format!("--sym-files N LEN: at most {MOST_FILES} files, named A to Z")),
        ("sym-stdin", [0]) => return Err("--sym-stdin LEN: LEN must be at least 1".into()),
        ("sym-stdin", [length]) => world.stdin = Some(*length),
        ("sym-stdout", _) => world.stdout = true,
        ("sym-lengths", _) => world.lengths = true,
        ("max-fail", [most]) => world.max_fail = *most as u32,
        ("fd-fail", _) => world.max_fail = 1,
        // Everything that is written is kept in any case.
        (_, _) => {}
    }
    Ok(())
}

/// The most bytes that files from this machine may have together.
const SEEDS: usize = 32 << 20;

/// Reads `PATH=HOST`: a file of this machine, or a folder with all in it.
pub fn seeds(typed: &[String]) -> Result<Vec<Seed>, String> {
    let (mut seeds, mut used) = (Vec::new(), 0);
    for text in typed {
        let (path, host) = text.split_once('=').ok_or_else(|| format!("--file {text}: expected PATH=HOST"))?;
        let path = path.trim_end_matches('/');
        if path.is_empty() || path.split('/').any(|part| part == "." || part == "..") {
            return Err(format!("--file {text}: PATH must name a file, without . and .."));
        }
        let full = match path.starts_with('/') {
            true => path.as_bytes().to_vec(),
            false => [FOLDER, b"/", path.as_bytes()].concat(),
        };
        seed(&mut seeds, &mut used, full, Path::new(host)).map_err(|error| format!("--file {text}: {error}"))?;
    }
    Ok(seeds)
}

fn seed(seeds: &mut Vec<Seed>, used: &mut usize, path: Vec<u8>, host: &Path) -> Result<(), String> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::os::unix::fs::PermissionsExt;
    let say = |error: std::io::Error| format!("{}: {error}", host.display());
    // What the user named is followed; links within a folder stay links.
    let data = if seeds.iter().any(|seed| path.starts_with(&seed.path)) {
        std::fs::symlink_metadata(host)
    } else {
        std::fs::metadata(host)
    };
    let data = data.map_err(say)?;
    let mode = data.permissions().mode() & 0o777;
    if data.is_symlink() {
        let target = std::fs::read_link(host).map_err(say)?.into_os_string().into_vec();
        seeds.push(Seed { path, mode: 0o777, body: SeedBody::Link(target) });
    } else if data.is_dir() {
        seeds.push(Seed { path: path.clone(), mode, body: SeedBody::Folder });
        let entries = std::fs::read_dir(host).map_err(say)?.collect::<Result<Vec<_>, _>>();
        let mut entries: Vec<_> = entries.map_err(say)?.iter().map(|entry| entry.file_name()).collect();
        entries.sort();
        for name in entries {
            seed(seeds, used, [&path, b"/".as_slice(), name.as_bytes()].concat(), &host.join(&name))?;
        }
    } else if data.is_file() {
        let bytes = regular::read(host, SEEDS as u64).map_err(say)?;
        *used += bytes.len();
        if *used > SEEDS {
            return Err(format!("more than {} MiB", SEEDS >> 20));
        }
        seeds.push(Seed { path, mode, body: SeedBody::File(Arc::from(bytes)) });
    } else {
        return Err(format!("{}: neither a file nor a folder", host.display()));
    }
    Ok(())
}

/// What a run keeps of its world, for replay: the rest is in each test.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Kept {
    /// `NAME=value`.
    #[serde(default)]
    environment: Vec<Bytes>,
    /// Files that were there.
    #[serde(default)]
    files: Vec<KeptFile>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptFile {
    path: Bytes,
    mode: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    contents: Option<Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<Bytes>,
}

impl Kept {
    /// Of a world.
    pub fn of(world: &World) -> Kept {
        let file = |seed: &Seed| {
            let (contents, link) = match &seed.body {
                SeedBody::File(bytes) => (Some(Bytes(bytes.to_vec())), None),
                SeedBody::Link(target) => (None, Some(Bytes(target.clone()))),
                SeedBody::Folder => (None, None),
            };
            KeptFile { path: Bytes(seed.path.clone()), mode: seed.mode, contents, link }
        };
        Kept {
            environment: world.environment.iter().cloned().map(Bytes).collect(),
            files: world.seeds.iter().map(file).collect(),
        }
    }

    /// As a part of a run's description.
    pub fn store(&self, more: &mut Map<String, Value>) {
        if !self.environment.is_empty() || !self.files.is_empty() {
            more.insert("world".into(), serde_json::to_value(self).unwrap_or_default());
        }
    }

    /// From a run's description.
    pub fn load(more: &Map<String, Value>) -> Kept {
        more.get("world").and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default()
    }
}

/// What a test gives to the native program.
#[derive(Debug, Default)]
pub struct Given {
    /// The arguments, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// `NAME=value`.
    pub environment: Vec<Vec<u8>>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Files.
    pub files: Vec<Entry>,
}

impl Given {
    /// Of a test, in the world of its run.
    pub fn of(test: &KTest, kept: &Kept) -> Given {
        // A test of another tool, whose arguments are not KLEE's options, is taken by its words.
        let world = parse(&test.args).unwrap_or_else(|_| World {
            program: test.args.first().cloned().unwrap_or_default(),
            words: test.args.iter().skip(1).cloned().map(Word::Plain).collect(),
            ..World::default()
        });
        let object = |name: &str| test.objects.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes);
        Given {
            arguments: arguments(&world, test),
            environment: kept.environment.iter().map(|bytes| bytes.0.clone()).collect(),
            stdin: object("stdin")
                .or_else(|| object("stdin_data"))
                .or_else(|| object("stdin-data"))
                .cloned()
                .unwrap_or_default(),
            files: files(&world, test, kept),
        }
    }
}

fn arguments(world: &World, test: &KTest) -> Vec<Vec<u8>> {
    let mut numbers = test.objects.iter().filter(|(name, _)| name == "n_args").map(|(_, bytes)| bytes);
    // There is a number where there is a choice; older tests of ours have one for each `--sym-args`.
    let several = world.words.iter().filter(|word| matches!(word, Word::Several { .. })).count();
    let numbered = numbers.clone().count() == several;
    let mut next = 0;
    let mut text = || {
        let name = format!("arg{next:02}");
        next += 1;
        let found = test.objects.iter().find(|(known, _)| *known == name);
        // The last byte is the string's end, whatever the test says.
        found.map_or_else(Vec::new, |(_, bytes)| {
            let most = bytes.len().saturating_sub(1);
            bytes[..most].iter().copied().take_while(|byte| *byte != 0).collect()
        })
    };
    let mut made = vec![world.program.clone()];
    for word in &world.words {
        match word {
            Word::Plain(word) => made.push(word.clone()),
            Word::Symbolic(_) => made.push(text()),
            Word::Several { min, max, .. } => {
                let number = if numbered || min < max { numbers.next() } else { None };
                let number = number.and_then(|bytes| Some(u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?)));
                for _ in 0..number.unwrap_or(*min).clamp(*min, *max) {
                    made.push(text());
                }
            }
        }
    }
    made
}

/// The tree that every program finds, the files of the run, and those of the test.
fn files(world: &World, test: &KTest, kept: &Kept) -> Vec<Entry> {
    let entry = |path: &[u8], mode, body| Entry { path: path.to_vec(), mode, body };
    let mut entries = vec![
        entry(b"/dev", 0o755, EntryBody::Folder),
        entry(b"/tmp", 0o1777, EntryBody::Folder),
        entry(FOLDER, 0o755, EntryBody::Folder),
    ];
    for (number, name) in ["stdin", "stdout", "stderr"].iter().enumerate() {
        let target = format!("/proc/self/fd/{number}").into_bytes();
        entries.push(entry(format!("/dev/{name}").as_bytes(), 0o777, EntryBody::Link(target)));
    }
    for file in &kept.files {
        parents(&mut entries, &file.path.0);
        let body = match (&file.contents, &file.link) {
            (Some(bytes), _) => EntryBody::File(bytes.0.clone()),
            (None, Some(target)) => EntryBody::Link(target.0.clone()),
            (None, None) => EntryBody::Folder,
        };
        entries.push(entry(&file.path.0, file.mode, body));
    }
    let count = world.files.map_or(MOST_FILES, |(count, _)| count);
    for number in 0..count {
        let name = file_name(number);
        let data = test.objects.iter().find(|(known, _)| is_file(known) && known.starts_with(&name));
        let path = [FOLDER, b"/", name.as_bytes()].concat();
        if let Some((_, bytes)) = data
            && !entries.iter().any(|entry| entry.path == path)
        {
            entries.push(entry(&path, 0o644, EntryBody::File(bytes.clone())));
        }
    }
    entries
}

/// Adds the folders on the way to a file that are not there.
fn parents(entries: &mut Vec<Entry>, path: &[u8]) {
    for (at, _) in path.iter().enumerate().skip(1).filter(|(_, byte)| **byte == b'/') {
        if !entries.iter().any(|entry| entry.path == path[..at]) {
            entries.push(Entry { path: path[..at].to_vec(), mode: 0o755, body: EntryBody::Folder });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<Vec<u8>> {
        text.split(' ').map(|word| word.as_bytes().to_vec()).collect()
    }

    #[test]
    fn a_command_line_is_read_as_klee_reads_it() {
        let world =
            parse(&line("p -a --sym-arg 3 x -sym-args 0 2 4 --sym-files 2 8 --sym-stdin 5 --sym-stdout --max-fail 1"));
        let world = world.unwrap();
        let several = Word::Several { min: 0, max: 2, length: 4 };
        let plain = |text: &str| Word::Plain(text.into());
        assert_eq!(world.words, [plain("-a"), Word::Symbolic(3), plain("x"), several]);
        assert_eq!((world.files, world.stdin, world.stdout, world.max_fail), (Some((2, 8)), Some(5), true, 1));
        assert!(!world.lengths && parse(&line("p --sym-arg 3 --sym-lengths")).unwrap().lengths);
        for wrong in ["p --sym-arg", "p --sym-arg x", "p --sym-args 2 1 3", "p --sym-files 27 1", "p --sym-stdin 0"] {
            assert!(parse(&line(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_test_gives_what_its_objects_say() {
        let objects = [
            ("arg00", &b"ab\0\0"[..]),
            ("n_args", &[1, 0, 0, 0]),
            ("arg01", b"\0x\0"),
            ("A_data", b"12"),
            ("A_data_stat", &[0; 144]),
            ("stdin", b"in"),
            ("model_version", &[1, 0, 0, 0]),
        ];
        let test = KTest {
            args: line("p --sym-arg 3 x --sym-args 0 2 2 --sym-files 1 2 --sym-stdin 2"),
            objects: objects.iter().map(|(name, bytes)| ((*name).into(), bytes.to_vec())).collect(),
            ..KTest::default()
        };
        let given = Given::of(&test, &Kept::default());
        assert_eq!(given.arguments, [b"p".to_vec(), b"ab".to_vec(), b"x".to_vec(), b"".to_vec()]);
        assert_eq!(given.stdin, b"in");
        let file = given.files.iter().find(|entry| entry.path == b"/work/A").unwrap();
        assert_eq!(file.body, EntryBody::File(b"12".to_vec()));
    }

    #[test]
    fn objects_have_the_length_that_was_chosen() {
        let objects = [("arg00", &b"ab\0"[..]), ("arg01", b"\0"), ("A_data", b""), ("stdin", b"1")];
        let test = KTest {
            args: line("p --sym-args 2 2 5 --sym-files 1 9 --sym-stdin 9 --sym-lengths"),
            objects: objects.iter().map(|(name, bytes)| ((*name).into(), bytes.to_vec())).collect(),
            ..KTest::default()
        };
        let given = Given::of(&test, &Kept::default());
        assert_eq!(given.arguments, [b"p".to_vec(), b"ab".to_vec(), b"".to_vec()]);
        assert_eq!(given.stdin, b"1");
        let file = given.files.iter().find(|entry| entry.path == b"/work/A").unwrap();
        assert_eq!(file.body, EntryBody::File(Vec::new()));
    }
}
