//! A compiler's command line, as words, and what it asks for.
//!
//! The words are kept in their order, since order matters to the linker and to `-x`; each goes to whom it concerns (see `flags`). Files named
//! by `@file` are read in place. What clang alone answers (`-E`, `-S`, `-M`, `--version`, `-print-…`) goes to it with our dialect and headers.

use super::Driver;
use super::flags::{self, Fate};
use super::journal::Note;
use crate::compile::DIALECT;
use crate::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Whose command line it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// cc's.
    Compiler,
    /// ld's: words that `cc` would have after `-Wl,`.
    Linker,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Something that clang knows by itself.
    Ask,
    /// Text or dependencies of a source.
    Text,
    /// Something that the linker knows by itself.
    Linker,
    /// Objects (`-c`).
    Object,
    /// One object of several (`-r`).
    Merge,
    /// A program.
    Program,
}

/// What must be there to do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// The tools alone.
    Tools,
    /// libc's headers.
    Headers,
    /// libc as machine code.
    Library,
}

/// A source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub file: OsString,
    /// What `-x` says.
    pub language: Option<String>,
    pub kind: Kind,
}

/// What a file is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// clang makes bitcode of it.
    Code,
    /// There is no bitcode of it.
    Assembler,
    /// It is bitcode.
    Bitcode,
}

/// A word of the linker's.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    Word(OsString),
    /// The object of a source.
    Source(usize),
}

/// A command line, understood.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What is asked for.
    pub mode: Mode,
    pub(crate) sources: Vec<Source>,
    /// For reading sources, dependencies included.
    pub(crate) front: Vec<OsString>,
    /// For generating code.
    pub(crate) code: Vec<OsString>,
    /// Everything but what is dropped, for clang alone.
    all: Vec<OsString>,
    /// For the linker alone.
    pub(crate) linker: Vec<OsString>,
    items: Vec<Item>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) depend: Depend,
    pub(crate) start: bool,
    pub(crate) library: bool,
    own_headers: bool,
    pub(crate) lines: bool,
    /// Show the commands.
    pub(crate) verbose: bool,
    pub(crate) notes: Vec<Note>,
}

/// Dependencies, written while compiling.
#[derive(Debug, Clone, Default)]
pub(crate) struct Depend {
    pub wanted: bool,
    pub file: bool,
    pub target: bool,
}

/// What the flags of one word say about the whole.
#[derive(Debug, Default)]
struct Wish {
    compile: bool,
    text: bool,
    ask: bool,
    merge: bool,
    shared: bool,
    /// The words are the linker's, who answers where there is nothing to do.
    linker: bool,
}

impl Plan {
    /// Understands a command line.
    pub fn parse(role: Role, words: Vec<OsString>) -> Result<Plan, Error> {
        let words = expand(words, 0)?;
        let mut reader = Reader::new();
        reader.wish.linker = role == Role::Linker;
        match role {
            Role::Compiler => reader.compiler(words)?,
            Role::Linker => words.into_iter().for_each(|word| reader.linker_word(word)),
        }
        reader.finish()
    }

    /// What must be there.
    pub fn need(&self) -> Need {
        match self.mode {
            Mode::Ask | Mode::Linker => Need::Tools,
            Mode::Text | Mode::Object | Mode::Merge => Need::Headers,
            Mode::Program => Need::Library,
        }
    }

    /// Is it one of configure's trials, of which nobody wants to hear?
    pub(crate) fn is_trial(&self) -> bool {
        let trial = |name: &OsStr| {
            let name = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("conftest") || name.starts_with("CMakeC") || name == "-" || name == "null"
        };
        self.sources.iter().any(|source| trial(&source.file))
            || self.out.as_ref().is_some_and(|out| trial(out.as_os_str()))
    }

    /// What is made, for messages.
    pub(crate) fn target(&self) -> String {
        let source = || self.sources.first().map(|source| PathBuf::from(&source.file));
        let made = if self.mode == Mode::Object { source() } else { self.out.clone().or_else(source) };
        made.map_or_else(|| "a.out".into(), |path| path.display().to_string())
    }

    /// The words for clang, where clang alone answers.
    pub(crate) fn question(&self, driver: &Driver) -> Vec<OsString> {
        let mut words = self.all.clone();
        words.extend(DIALECT.iter().map(Into::into));
        if self.mode == Mode::Text {
            words.extend(self.header_flags(driver));
        }
        words.push("-Qunused-arguments".into());
        words
    }

    /// Flags for headers, unless the build has its own.
    pub(crate) fn header_flags(&self, driver: &Driver) -> Vec<OsString> {
        if self.own_headers { Vec::new() } else { driver.header_flags() }
    }

    /// Where the object of a source goes.
    pub(crate) fn object(&self, index: usize, scratch: &Path) -> PathBuf {
        match (self.mode, &self.out) {
            (Mode::Object, Some(out)) => out.clone(),
            (Mode::Object, None) => {
                let name = Path::new(&self.sources[index].file).file_name().unwrap_or_default();
                Path::new(name).with_extension("o")
            }
            (Mode::Ask | Mode::Text | Mode::Linker | Mode::Merge | Mode::Program, _) => {
                scratch.join(format!("{index}.o"))
            }
        }
    }

    /// The linker's words in their order, with the objects of the sources among them.
    pub(crate) fn link_words(&self, objects: &[PathBuf]) -> Vec<OsString> {
        let word = |item: &Item| match item {
            Item::Word(word) => word.clone(),
            Item::Source(index) => objects[*index].clone().into(),
        };
        self.items.iter().map(word).collect()
    }
}

struct Reader {
    plan: Plan,
    wish: Wish,
    language: Option<String>,
}

impl Reader {
    fn new() -> Reader {
        let plan = Plan {
            mode: Mode::Program,
            sources: Vec::new(),
            front: Vec::new(),
            code: Vec::new(),
            all: Vec::new(),
            linker: Vec::new(),
            items: Vec::new(),
            out: None,
            depend: Depend::default(),
            start: true,
            library: true,
            own_headers: false,
            lines: false,
            verbose: false,
            notes: Vec::new(),
        };
        Reader { plan, wish: Wish::default(), language: None }
    }

    fn compiler(&mut self, words: Vec<OsString>) -> Result<(), Error> {
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy().into_owned();
            let value = match flags::valued(&text) {
                true => Some(words.next().ok_or_else(|| Error::Refused { reason: format!("{text} needs a value") })?),
                false => None,
            };
            self.word(word, &text, value)?;
        }
        Ok(())
    }

    fn word(&mut self, word: OsString, text: &str, value: Option<OsString>) -> Result<(), Error> {
        if !text.starts_with('-') || text == "-" {
            self.input(word, text);
            return Ok(());
        }
        if self.special(&word, text, value.as_ref()) {
            return Ok(());
        }
        let joined = match (&value, text) {
            (Some(value), "-I" | "-L") => format!("{text}{}", value.to_string_lossy()),
            (Some(_) | None, _) => text.to_owned(),
        };
        let words = std::iter::once(word).chain(value);
        match flags::fate(&joined) {
            Fate::Front => self.front(words),
            Fate::Both => {
                let words: Vec<_> = words.collect();
                self.plan.code.extend(words.iter().cloned());
                self.front(words.into_iter());
            }
            Fate::Link => words.for_each(|word| self.linker_word(word)),
            Fate::Idle => {}
            Fate::Drop(why) => self.plan.notes.push(Note::Dropped { flag: joined, why: why.into() }),
            Fate::Refuse(why) => return Err(Error::Refused { reason: format!("{joined}: {why}") }),
        }
        Ok(())
    }

    /// A flag that is more than a word for a tool. Was it one?
    fn special(&mut self, word: &OsString, text: &str, value: Option<&OsString>) -> bool {
        if self.shape(word, text, value) {
            return true;
        }
        if self.wishes(text) {
            self.plan.all.push(word.clone());
            return true;
        }
        self.plan.lines |= text.starts_with("-g") && text != "-g0" && !text.starts_with("-gno-");
        false
    }

    /// A flag with a value that concerns the command as a whole, or several words in one.
    fn shape(&mut self, word: &OsString, text: &str, value: Option<&OsString>) -> bool {
        match text {
            "-o" => self.plan.out = value.map(PathBuf::from),
            "-x" => {
                let language = value.map(|value| value.to_string_lossy().into_owned());
                self.wish.text |= language.as_deref().is_some_and(|name| name.ends_with("-header"));
                self.language = language.filter(|name| name != "none");
            }
            "-Xlinker" => {
                value.into_iter().for_each(|value| self.linker_word(value.clone()));
                return true;
            }
            "-nostdinc" => {
                self.plan.own_headers = true;
                self.plan.front.push(word.clone());
            }
            "-M" | "-MM" => return false,
            _ if text.starts_with("-Wl,") => {
                let parts = word.as_bytes()[4..].split(|byte| *byte == b',');
                parts.for_each(|part| self.linker_word(OsStr::from_bytes(part).to_owned()));
                return true;
            }
            _ if text.starts_with("-M") || text.starts_with("-Wp,-M") => {
                self.dependency(text, value);
                return true;
            }
            _ => return false,
        }
        self.plan.all.extend(std::iter::once(word).chain(value).cloned());
        true
    }

    /// A flag that says what is asked for, or what the program is put together from.
    fn wishes(&mut self, text: &str) -> bool {
        match text {
            "-c" => self.wish.compile = true,
            "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" | "-emit-llvm" => self.wish.text = true,
            "-r" => self.wish.merge = true,
            "-shared" => self.wish.shared = true,
            "-v" | "-###" => self.plan.verbose = true,
            "-nostdlib" => (self.plan.start, self.plan.library) = (false, false),
            "-nodefaultlibs" | "-nolibc" => self.plan.library = false,
            "-nostartfiles" => self.plan.start = false,
            "--help" | "--version" | "-V" | "-qversion" => self.wish.ask = true,
            _ if ["-dump", "-print-", "--print-"].iter().any(|start| text.starts_with(start)) => self.wish.ask = true,
            _ => return false,
        }
        true
    }

    /// `-MD` and its kin, also as the preprocessor's own (`-Wp,-MD,FILE`).
    fn dependency(&mut self, text: &str, value: Option<&OsString>) {
        let mut words = vec![OsString::from(text)];
        if let Some(rest) = text.strip_prefix("-Wp,") {
            let mut parts = rest.splitn(2, ',');
            words = vec![parts.next().unwrap_or_default().into()];
            words.extend(parts.next().into_iter().flat_map(|file| ["-MF".into(), file.into()]));
        }
        words.extend(value.cloned());
        for word in &words {
            let depend = &mut self.plan.depend;
            match &*word.to_string_lossy() {
                "-MD" | "-MMD" => depend.wanted = true,
                name if name.starts_with("-MF") => depend.file = true,
                name if name.starts_with("-MT") || name.starts_with("-MQ") => depend.target = true,
                _ => {}
            }
        }
        self.front(words.into_iter());
    }

    fn front(&mut self, words: impl Iterator<Item = OsString>) {
        for word in words {
            self.plan.all.push(word.clone());
            self.plan.front.push(word);
        }
    }

    fn input(&mut self, word: OsString, text: &str) {
        self.plan.all.push(word.clone());
        let language = self.language.clone();
        // A header is compiled for clang's own use later.
        self.wish.text |= language.is_none() && text.ends_with(".h");
        match kind(text, language.as_deref()) {
            Some(kind) => {
                self.plan.items.push(Item::Source(self.plan.sources.len()));
                self.plan.sources.push(Source { file: word, language, kind });
            }
            None => self.linker_word(word),
        }
    }

    fn linker_word(&mut self, word: OsString) {
        match &*word.to_string_lossy() {
            "-r" | "--relocatable" => self.wish.merge = true,
            "-shared" | "--shared" | "-Bshareable" => self.wish.shared = true,
            "-Bdynamic" | "-dy" | "-call_shared" | "-static" | "-Bstatic" | "-dn" | "-non_shared" | "-pie"
            | "--pie" | "-no-pie" => {}
            _ => self.plan.items.push(Item::Word(word)),
        }
    }

    fn finish(mut self) -> Result<Plan, Error> {
        self.settle_linker_words();
        let wish = &self.wish;
        let nothing = self.plan.sources.is_empty() && !self.has_files();
        let plan = &mut self.plan;
        let linker = if nothing { plan.linker_question(wish.linker) } else { None };
        plan.mode = if wish.ask || (nothing && linker.is_none()) {
            Mode::Ask
        } else if wish.text {
            Mode::Text
        } else if nothing {
            plan.linker = linker.unwrap_or_default();
            Mode::Linker
        } else if wish.compile {
            Mode::Object
        } else if wish.merge {
            Mode::Merge
        } else {
            Mode::Program
        };
        if wish.shared && matches!(plan.mode, Mode::Program) {
            return Err(Error::Shared { out: plan.target() });
        }
        if plan.mode == Mode::Object && plan.out.is_some() && plan.sources.len() > 1 {
            return Err(Error::Refused { reason: "cannot specify -o when generating multiple output files".into() });
        }
        Ok(self.plan)
    }

    /// Takes out what libc has (`-lm`, also as two words), and the linker's own `-o`.
    fn settle_linker_words(&mut self) {
        let mut items = std::mem::take(&mut self.plan.items).into_iter();
        while let Some(item) = items.next() {
            let Item::Word(word) = &item else {
                self.plan.items.push(item);
                continue;
            };
            match &*word.to_string_lossy() {
                "-o" | "--output" => {
                    if let Some(Item::Word(out)) = items.next() {
                        self.plan.out = Some(out.into());
                    }
                }
                "-l" => match items.next() {
                    Some(Item::Word(name)) if flags::contained(&name.to_string_lossy()) => {}
                    next => self.plan.items.extend(std::iter::once(item).chain(next)),
                },
                text if text.strip_prefix("-l").is_some_and(flags::contained) => {}
                text if text.starts_with("--output=") => self.plan.out = Some(text[9..].into()),
                _ => self.plan.items.push(item),
            }
        }
    }

    /// Is there anything to link?
    fn has_files(&self) -> bool {
        let file = |item: &Item| match item {
            Item::Word(word) => !word.as_bytes().starts_with(b"-"),
            Item::Source(_) => true,
        };
        self.plan.items.iter().any(file)
    }
}

impl Plan {
    /// The words for the linker, if it is asked something about itself, or is the one who was called (`always`).
    fn linker_question(&self, always: bool) -> Option<Vec<OsString>> {
        let words: Vec<OsString> = self.link_words(&[]);
        let asks = |word: &OsString| ["--version", "-v", "-V", "--help"].iter().any(|question| word == question);
        (always || words.iter().any(asks)).then_some(words)
    }
}

fn kind(text: &str, language: Option<&str>) -> Option<Kind> {
    match language {
        Some("assembler" | "assembler-with-cpp") => return Some(Kind::Assembler),
        Some("ir") => return Some(Kind::Bitcode),
        Some(_) => return Some(Kind::Code),
        None => {}
    }
    match Path::new(text).extension()?.to_str()? {
        "c" | "i" | "cc" | "cp" | "cxx" | "cpp" | "c++" | "C" | "ii" | "h" => Some(Kind::Code),
        "s" | "S" | "sx" => Some(Kind::Assembler),
        "bc" | "ll" => Some(Kind::Bitcode),
        _ => None,
    }
}

/// Puts the words of `@file` in its place, as often as it takes.
fn expand(words: Vec<OsString>, depth: u32) -> Result<Vec<OsString>, Error> {
    let mut done = Vec::new();
    for word in words {
        let file = word.as_bytes().strip_prefix(b"@").map(|name| PathBuf::from(OsStr::from_bytes(name)));
        match file.filter(|file| file.is_file()) {
            Some(file) if depth < 20 => {
                let text = fs::read(&file).map_err(|cause| Error::File { path: file, cause })?;
                done.extend(expand(split(&text), depth + 1)?);
            }
            Some(file) => {
                return Err(Error::Refused { reason: format!("@{}: names itself", file.display()) });
            }
            None => done.push(word),
        }
    }
    Ok(done)
}

/// Words as a shell writes them: quotes of both kinds, backslashes, space between.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', None | Some(b'"')) => word.get_or_insert_default().extend(bytes.next()),
            (b'\'' | b'"', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (_, Some(open)) if byte == open => quote = None,
            (_, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            (_, None | Some(_)) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(words: &str) -> Plan {
        Plan::parse(Role::Compiler, words.split(' ').map(OsString::from).collect()).unwrap()
    }

    fn join(words: &[OsString]) -> String {
        words.join(OsStr::new(" ")).into_string().unwrap()
    }

    #[test]
    fn the_mode_is_what_is_asked_for() {
        assert_eq!(plan("-c a.c").mode, Mode::Object);
        assert_eq!(plan("a.c -o a").mode, Mode::Program);
        assert_eq!(plan("a.o -lfoo").mode, Mode::Program);
        assert_eq!(plan("-E a.c").mode, Mode::Text);
        assert_eq!(plan("-c -emit-llvm a.c").mode, Mode::Text);
        assert_eq!(plan("--version").mode, Mode::Ask);
        assert_eq!(plan("-v").mode, Mode::Ask);
        assert_eq!(plan("-Wl,--version").mode, Mode::Linker);
        assert_eq!(plan("-nostdlib -r a.o b.o -o c.o").mode, Mode::Merge);
        assert_eq!(plan("-Wl,-r a.o").mode, Mode::Merge);
        assert_eq!(plan("-x c -").mode, Mode::Program);
        assert!(matches!(Plan::parse(Role::Compiler, vec!["-shared".into(), "a.o".into()]), Err(Error::Shared { .. })));
    }

    #[test]
    fn words_go_to_whom_they_concern() {
        let it = plan("-O2 -DX -I inc -g a.c -Wl,-z,now -Lsub -l foo -lm -l pthread b.o -o out");
        assert_eq!(join(&it.front), "-O2 -DX -I inc -g");
        assert_eq!(join(&it.code), "-O2");
        assert_eq!(join(&it.link_words(&["A".into()])), "A -z now -Lsub -l foo b.o");
        assert_eq!(it.out, Some("out".into()));
        assert!(it.lines);
    }

    #[test]
    fn dependencies_of_the_preprocessor_are_dependencies() {
        let it = plan("-Wp,-MD,x/.a.d -c a.c");
        assert_eq!(join(&it.front), "-MD -MF x/.a.d");
        assert!(it.depend.wanted && it.depend.file && !it.depend.target);
    }

    #[test]
    fn languages_last_until_the_next() {
        let it = plan("-x c a.txt -x none b.S c.o");
        assert_eq!(it.sources.len(), 2);
        assert_eq!((it.sources[0].kind, it.sources[1].kind), (Kind::Code, Kind::Assembler));
    }

    #[test]
    fn files_of_words_are_split_as_a_shell_does() {
        let words = split(b"a 'b c' \"d \\\" e\"\n f\\ g ''");
        assert_eq!(words, ["a", "b c", "d \" e", "f g", ""].map(OsString::from));
    }
}
