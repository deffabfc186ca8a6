//! musl as bitcode: built once from its sources, kept in the cache.
//!
//! All of musl's generic C is compiled, with our own headers in place of the machine's assembler (`runtime/musl/arch`) and a few files of ours in place of
//! its own ([`REPLACED`]). What is left open is listed in `runtime/musl/strata_hooks.h`. The result is an archive with a symbol
//! table, so that a program is linked with what it uses and no more.
//!
//! - `-O1`: libc is not what is tested, and less code is less to interpret; line tables are enough for a stack.
//! - `-ffreestanding`: otherwise the loop of `memset` becomes a call of `memset`.
//! - musl's string functions go by words and read past the end of objects, which is an error to the engine: they have byte loops for other
//!   compilers, chosen by `-U__GNUC__`.
//! - The allocator is left out: allocation belongs to the engine.
//!
//! Files are named `/musl/src/…` and `/strata/…` in the line tables, wherever they were built: the same bitcode on every machine, and code of
//! libc can be told from the program's.

use crate::cache::{Cache, at, fingerprint};
use crate::compile::{DIALECT, Headers};
use crate::error::Error;
use crate::musl;
use crate::runtime::{self, Runtime};
use crate::toolchain::Toolchain;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The C library in the cache.
#[derive(Debug, Clone)]
pub struct Libc {
    /// The folder that holds it.
    pub root: PathBuf,
    /// Bitcode of libc and of the intrinsics, one member per source file, with a symbol table.
    pub archive: PathBuf,
    /// Bitcode with `_start_c`, where a program begins.
    pub crt: PathBuf,
    /// The headers.
    pub include: PathBuf,
}

/// How to build the C library.
#[derive(Debug, Clone)]
pub struct LibcOptions {
    /// A folder with musl's sources, instead of fetching them.
    pub source: Option<PathBuf>,
    /// How many files to compile at the same time.
    pub jobs: usize,
}

impl Default for LibcOptions {
    fn default() -> LibcOptions {
        LibcOptions { source: None, jobs: thread::available_parallelism().map_or(2, |n| n.get()) }
    }
}

/// What building is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Another process is building the same.
    Waiting,
    /// The sources are being fetched and unpacked.
    Fetching,
    /// So many files of all are compiled.
    Compiling {
        /// Compiled.
        done: usize,
        /// In all.
        total: usize,
    },
}

/// Files of musl that ours stand in for, or that nobody needs.
const REPLACED: &[&str] = &[
    "src/signal/restore.c",
    "src/stdio/fputs.c",
    "src/stdio/stdout.c",
    "src/thread/__set_thread_area.c",
    "src/thread/__unmapself.c",
    "src/thread/clone.c",
];

/// Files that go by words where the compiler allows it.
const BYTEWISE: &[&str] = &[
    "src/multibyte/mbsrtowcs.c",
    "src/string/memccpy.c",
    "src/string/memchr.c",
    "src/string/memcpy.c",
    "src/string/memmove.c",
    "src/string/memset.c",
    "src/string/stpcpy.c",
    "src/string/stpncpy.c",
    "src/string/strchrnul.c",
    "src/string/strlcpy.c",
    "src/string/strlen.c",
];

/// Passes a pointer through an empty piece of assembler, to keep the compiler from moving code: a copy that needs no assembler.
const BARRIER: &str = "src/env/__libc_start_main.c";

const CRT: &str = "crt/crt1.c";

const COMMON: &[&str] = &["-c", "-emit-llvm", "-O1", "-gline-tables-only", "-nostdlibinc", "-w", "-Qunused-arguments"];

const MUSL: &[&str] = &["-std=c99", "-nobuiltininc", "-ffreestanding", "-D_XOPEN_SOURCE=700"];

/// A source file and how it is compiled.
#[derive(Debug)]
struct Unit {
    /// Relative to the folder that the compiler runs in.
    source: String,
    folder: PathBuf,
    flags: Vec<OsString>,
    object: String,
}

impl Libc {
    /// The C library: from the cache, or built now.
    pub fn ensure(
        tools: &Toolchain,
        cache: &Cache,
        options: &LibcOptions,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Libc, Error> {
        if let Some(libc) = Libc::present(tools, cache, options) {
            return Ok(libc);
        }
        let runtime = Runtime::unpack(cache)?;
        tools.ar()?;
        let progress = std::cell::RefCell::new(progress);
        let say = |what| (progress.borrow_mut())(what);
        let root = cache.entry(&name(tools, options), &mut || say(Progress::Waiting), &mut |folder| {
            say(Progress::Fetching);
            let work = folder.join("work");
            fs::create_dir(&work).map_err(at(&work))?;
            let musl = match &options.source {
                Some(source) => source.canonicalize().map_err(at(source))?,
                None => {
                    musl::unpack(cache, &work, &mut || say(Progress::Waiting))?;
                    work.clone()
                }
            };
            let recipe = Recipe { tools, runtime: &runtime, musl: &musl, folder };
            recipe.build(options.jobs.max(1), &say)?;
            fs::remove_dir_all(&work).map_err(at(&work))
        })?;
        Ok(Libc::at(root))
    }

    /// The C library, if it is in the cache.
    pub fn present(tools: &Toolchain, cache: &Cache, options: &LibcOptions) -> Option<Libc> {
        cache.present(&name(tools, options)).ok().flatten().map(Libc::at)
    }

    fn at(root: PathBuf) -> Libc {
        Libc { archive: root.join("libc.a"), crt: root.join("crt1.bc"), include: root.join("include"), root }
    }

    /// The headers that a program finds.
    pub fn headers(&self, runtime: &Runtime) -> Headers {
        Headers { runtime: runtime.include(), libc: self.include.clone() }
    }
}

/// Changes when anything does that the result depends on, this file included.
fn name(tools: &Toolchain, options: &LibcOptions) -> String {
    let parts = [runtime::print_of("musl/"), runtime::print_of("intrinsics/"), runtime::print_of("include/")];
    let source = options.source.as_ref().map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone()));
    let source = source.map_or_else(String::new, |folder| folder.display().to_string());
    let texts = parts.into_iter().chain([tools.identity(), DIALECT.join(" "), source]).collect::<Vec<_>>();
    let pieces = texts.iter().map(String::as_bytes).chain([include_bytes!("libc.rs").as_slice()]);
    format!("libc-{}", fingerprint(pieces))
}

struct Recipe<'a> {
    tools: &'a Toolchain,
    runtime: &'a Runtime,
    musl: &'a Path,
    folder: &'a Path,
}

impl Recipe<'_> {
    fn build(&self, jobs: usize, say: &dyn Fn(Progress)) -> Result<(), Error> {
        self.install_headers()?;
        let objects = self.folder.join("work/objects");
        fs::create_dir_all(&objects).map_err(at(&objects))?;
        let units = self.units()?;
        self.compile_all(&units, &objects, jobs, say)?;
        let crt = objects.join(object_name(CRT));
        fs::rename(&crt, self.folder.join("crt1.bc")).map_err(at(&crt))?;
        self.archive(&units, &objects)
    }

    /// All of musl's headers, with ours in place of its own, as a program sees them.
    fn install_headers(&self) -> Result<(), Error> {
        let include = self.folder.join("include");
        copy_tree(&self.musl.join("include"), &include)?;
        let bits = include.join("bits");
        let arch = self.runtime.root().join("musl/arch/bits");
        for folder in [self.musl.join("arch/generic/bits"), self.musl.join("arch/x86_64/bits"), arch] {
            copy_tree(&folder, &bits)?;
        }
        self.generate_headers(&bits)?;
        link_kernel_headers(&include)
    }

    /// What musl's makefile makes with sed: `alltypes.h` from its macros, and the numbers of system calls under both names.
    fn generate_headers(&self, bits: &Path) -> Result<(), Error> {
        let text = |name: &str| {
            let path = self.musl.join(name);
            fs::read_to_string(&path).map_err(at(&path))
        };
        let types = [text("arch/x86_64/bits/alltypes.h.in")?, text("include/alltypes.h.in")?].concat();
        let numbers = text("arch/x86_64/bits/syscall.h.in")?;
        let again: String =
            numbers.lines().filter(|l| l.contains("__NR_")).map(|l| l.replacen("__NR_", "SYS_", 1) + "\n").collect();
        for (name, contents) in [("alltypes.h", all_types(&types)), ("syscall.h", numbers + &again)] {
            let path = bits.join(name);
            fs::write(&path, contents).map_err(at(&path))?;
        }
        let version = self.folder.join("work/version.h");
        fs::write(&version, format!("#define VERSION \"{}\"\n", text("VERSION")?.trim())).map_err(at(&version))
    }

    fn units(&self) -> Result<Vec<Unit>, Error> {
        let mut units: Vec<_> = generic_sources(self.musl)?.into_iter().map(|source| self.musl_unit(source)).collect();
        if units.is_empty() {
            return Err(Error::Source { reason: format!("{} holds no src/*/*.c", self.musl.display()) });
        }
        units.push(self.musl_unit(CRT.into()));
        for name in runtime::sources("musl") {
            units.push(Unit { source: name.into(), folder: self.runtime.root().into(), ..self.musl_unit(name.into()) });
        }
        units.extend(runtime::sources("intrinsics").map(|name| self.intrinsic_unit(name)));
        Ok(units)
    }

    fn musl_unit(&self, source: String) -> Unit {
        let mut flags: Vec<OsString> = MUSL.iter().map(Into::into).collect();
        let own = self.runtime.root().join("musl");
        let includes = [
            own.join("arch"),
            own,
            self.musl.join("arch/x86_64"),
            self.musl.join("arch/generic"),
            self.folder.join("work"),
            self.musl.join("src/include"),
            self.musl.join("src/internal"),
            self.folder.join("include"),
        ];
        flags.extend(includes.iter().flat_map(|folder| ["-I".into(), folder.into()]));
        if BYTEWISE.contains(&source.as_str()) {
            flags.push("-U__GNUC__".into());
        }
        if source == "src/stdio/vfprintf.c" {
            flags.push("-Dvfprintf=__strata_real_vfprintf".into());
        }
        if source == BARRIER {
            flags.push("-D__asm__(...)=".into());
        }
        let inside = if runtime::sources("musl").any(|name| name == source) { "/strata" } else { "/musl" };
        flags.push(format!("-fdebug-compilation-dir={inside}").into());
        Unit { object: object_name(&source), folder: self.musl.into(), source, flags }
    }

    fn intrinsic_unit(&self, source: &str) -> Unit {
        let mut flags: Vec<OsString> = vec!["-fdebug-compilation-dir=/strata".into()];
        for folder in [self.runtime.include(), self.folder.join("include")] {
            flags.extend(["-isystem".into(), folder.into()]);
        }
        Unit { object: object_name(source), folder: self.runtime.root().into(), source: source.into(), flags }
    }

    fn compile_all(&self, units: &[Unit], objects: &Path, jobs: usize, say: &dyn Fn(Progress)) -> Result<(), Error> {
        let next = AtomicUsize::new(0);
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..jobs.min(units.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if sender.send(self.compile_unit(unit, objects)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            say(Progress::Compiling { done: 0, total: units.len() });
            for (index, result) in results.into_iter().enumerate() {
                result?;
                say(Progress::Compiling { done: index + 1, total: units.len() });
            }
            Ok(())
        })
    }

    fn compile_unit(&self, unit: &Unit, objects: &Path) -> Result<(), Error> {
        let mut clang = Command::new(&self.tools.clang);
        clang.current_dir(&unit.folder).args(COMMON).args(DIALECT).args(self.names()).args(&unit.flags);
        match without_rounding_modes(unit)? {
            Some(text) => {
                let copy = objects.join(format!("{}.c", unit.object));
                fs::write(&copy, text).map_err(at(&copy))?;
                clang.arg("-iquote").arg(unit.folder.join(&unit.source).with_file_name("")).arg(copy);
            }
            None => _ = clang.arg(&unit.source),
        }
        run(clang.arg("-o").arg(objects.join(&unit.object)), &unit.source)
    }

    /// Flags that give files their names in the line tables, wherever they lie now.
    fn names(&self) -> impl Iterator<Item = OsString> {
        let (include, work) = (self.folder.join("include"), self.folder.join("work"));
        let map = [
            (work, "/musl"),
            (include, "/musl/include"),
            (self.musl.into(), "/musl"),
            (self.runtime.root().into(), "/strata"),
        ];
        map.into_iter().map(|(place, name): (PathBuf, &str)| {
            let mut flag = OsString::from("-fdebug-prefix-map=");
            flag.push(place);
            flag.push("=");
            flag.push(name);
            flag
        })
    }

    fn archive(&self, units: &[Unit], objects: &Path) -> Result<(), Error> {
        let mut ar = Command::new(self.tools.ar()?);
        ar.current_dir(objects).arg("crsD").arg(self.folder.join("libc.a"));
        ar.args(units.iter().filter(|unit| unit.source != CRT).map(|unit| &unit.object));
        run(&mut ar, "libc.a")
    }
}

/// The file with the pragma taken out that makes every operation ask for the rounding mode, if it has that: there is one mode here (musl's generic
/// `fesetround` knows no other), and the operations would all become intrinsics.
fn without_rounding_modes(unit: &Unit) -> Result<Option<String>, Error> {
    const PRAGMA: &str = "#pragma STDC FENV_ACCESS ON";
    let path = unit.folder.join(&unit.source);
    let bytes = fs::read(&path).map_err(at(&path))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.contains(PRAGMA).then(|| format!("#line 1 \"{}\"\n{}", unit.source, text.replace(PRAGMA, ""))))
}

/// `src/*/*.c`: deeper folders belong to other machines or to allocators.
fn generic_sources(musl: &Path) -> Result<Vec<String>, Error> {
    let mut sources = Vec::new();
    for folder in names_in(&musl.join("src"))?.iter().filter(|folder| *folder != "malloc") {
        let inside = musl.join("src").join(folder);
        if inside.is_dir() {
            let files = names_in(&inside)?;
            sources.extend(files.iter().filter(|file| file.ends_with(".c")).map(|file| format!("src/{folder}/{file}")));
        }
    }
    sources.retain(|source| !REPLACED.contains(&source.as_str()));
    Ok(sources)
}

/// Sorted, so that the archive is the same on every machine.
fn names_in(folder: &Path) -> Result<Vec<String>, Error> {
    let items = fs::read_dir(folder).map_err(at(folder))?;
    let mut names: Vec<_> = items.filter_map(|item| item.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

fn object_name(source: &str) -> String {
    format!("{}.bc", source.trim_end_matches(".c").trim_start_matches("src/").replace('/', "_"))
}

/// musl's macros for types: `TYPEDEF` and `STRUCT`, `UNION` become definitions guarded by who asks for them.
fn all_types(text: &str) -> String {
    text.lines().map(|line| type_definition(line).unwrap_or_else(|| format!("{line}\n"))).collect()
}

fn type_definition(line: &str) -> Option<String> {
    let (kind, rest) = line.split_once(' ')?;
    let body = rest.strip_suffix(';')?;
    let (name, definition) = match kind {
        "TYPEDEF" => {
            let name = body.rsplit([' ', '*']).next()?;
            (name.split('[').next()?.to_owned(), format!("typedef {body};"))
        }
        "STRUCT" | "UNION" => {
            let (name, fields) = body.split_once(' ')?;
            let kind = kind.to_ascii_lowercase();
            (format!("{kind}_{name}"), format!("{kind} {name} {fields};"))
        }
        _ => return None,
    };
    let guard = format!("__DEFINED_{name}");
    Some(format!("#if defined(__NEED_{name}) && !defined({guard})\n{definition}\n#define {guard}\n#endif\n\n"))
}

fn copy_tree(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(at(to))?;
    for item in fs::read_dir(from).map_err(at(from))? {
        let item = item.map_err(at(from))?.path();
        let Some(name) = item.file_name() else { continue };
        let target = to.join(name);
        match item.is_dir() {
            true => copy_tree(&item, &target)?,
            false => fs::copy(&item, &target).map(|_| ()).map_err(at(&item))?,
        }
    }
    Ok(())
}

/// The kernel's own headers, if the machine has them, for programs that say `<linux/…>`.
fn link_kernel_headers(include: &Path) -> Result<(), Error> {
    for (name, place) in [
        ("linux", "/usr/include/linux"),
        ("asm-generic", "/usr/include/asm-generic"),
        ("asm", "/usr/include/x86_64-linux-gnu/asm"),
    ] {
        let link = include.join(name);
        if Path::new(place).is_dir() && !link.exists() {
            std::os::unix::fs::symlink(place, &link).map_err(at(&link))?;
        }
    }
    Ok(())
}

/// Runs a tool that works on a file of ours.
pub(crate) fn run(command: &mut Command, file: &str) -> Result<(), Error> {
    let program = PathBuf::from(command.get_program());
    let output = command.stdin(Stdio::null()).output().map_err(|cause| Error::Start { program, cause })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::Libc { file: file.into(), message: String::from_utf8_lossy(&output.stderr).into_owned() }),
    }
}
