//! From what the user named to a program: compile, find the C library, link, lower.

use super::sources::Sources;
use super::{Options, Refusal};
use crate::Outcome;
use crate::apart::apart;
use crate::console::say;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use strata_build::{Cache, Libc, LibcOptions, Plain, Progress, Runtime, Search, Toolchain};
use strata_explore::Shapes;
use strata_frontend_llvm::{Entry, Input, Kind, Passes};
use strata_ir::{Promise, Verified};
use strata_record::{Field, Shape, regular};
use strata_sandbox::Hold;

/// A program and what it took to get it.
pub(crate) struct Loaded {
    pub program: Verified,
    pub bitcode: Vec<u8>,
    pub compile: Duration,
    pub load: Duration,
    /// What its inputs are, where strata makes them.
    pub shapes: Shapes,
    /// What it was compiled from, as far as lines of it may be shown.
    pub sources: Sources,
}

/// Where tools are looked for, from the environment.
pub(crate) fn search() -> Search {
    Search {
        path: std::env::var_os("PATH").unwrap_or_default(),
        clang: std::env::var_os("STRATA_CLANG").map(PathBuf::from),
        environment: Search::VARIABLES
            .iter()
            .filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)))
            .collect(),
    }
}

/// Where libc and the native parts are kept between runs.
pub(crate) fn cache() -> Cache {
    let named = |variable| std::env::var_os(variable).filter(|dir: &OsString| !dir.is_empty()).map(PathBuf::from);
    let root = named("STRATA_CACHE").or_else(|| {
        let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
        base.map(|base| base.join("strata"))
    });
    root.map_or_else(Cache::temporary, Cache::new)
}

/// Says, once, where tools that work on the user's files can read more than these.
pub(crate) fn tell_of_open_tools() {
    static SAID: std::sync::Once = std::sync::Once::new();
    SAID.call_once(|| match strata_sandbox::hold() {
        Hold::Landlock | Hold::Mounts => {}
        Hold::Nothing => say(
            "compiling without a sandbox: this kernel grants neither Landlock nor user namespaces; a hostile source can read your files",
        ),
    });
}

fn refuse(error: strata_build::Error) -> Refusal {
    Refusal(Outcome::BadInput, error.to_string())
}

/// How the C library is built: from Debian's sources, or from a folder that the environment names.
pub(crate) fn libc_options() -> LibcOptions {
    let source = std::env::var_os("STRATA_MUSL").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    LibcOptions { source, ..LibcOptions::default() }
}

/// A folder for files in between that nobody else has: processes in different containers may share their number, and /tmp.
pub(crate) fn scratch() -> PathBuf {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    std::env::temp_dir().join(format!("strata-{}-{}", std::process::id(), now.as_nanos()))
}

/// The C library as machine code, built now if need be, with a word about it.
pub(crate) fn plain(tools: &Toolchain, cache: &Cache, libc: &Libc) -> Result<Plain, Refusal> {
    let mut line = crate::line::Line::new();
    let plain = Plain::ensure(tools, cache, libc, libc_options().jobs, &mut |progress| {
        line.show(&match progress {
            Progress::Waiting | Progress::Fetching => {
                "waiting for another strata that builds the C library".to_string()
            }
            Progress::Compiling { done, total } => {
                format!("building the native C library (once): {done} of {total} files")
            }
        });
    });
    line.clear();
    plain.map_err(refuse)
}

/// The C library, built now if need be, with a word about it.
pub(crate) fn libc(tools: &Toolchain, cache: &Cache) -> Result<Libc, Refusal> {
    let mut line = crate::line::Line::new();
    let options = libc_options();
    let libc = Libc::ensure(tools, cache, &options, &mut |progress| {
        line.show(&match progress {
            Progress::Waiting => "waiting for another strata that builds the C library".to_string(),
            Progress::Fetching if options.source.is_some() => "building the C library (once)".to_string(),
            Progress::Fetching => "fetching the sources of musl (once)".to_string(),
            Progress::Compiling { done, total } => format!("building the C library (once): {done} of {total} files"),
        });
    });
    line.clear();
    libc.map_err(refuse)
}

/// Reads, compiles and links all that was named.
pub(crate) fn load(options: &Options) -> Result<Loaded, Refusal> {
    let start = Instant::now();
    let tools = Toolchain::find(&search()).map_err(refuse)?;
    let cache = cache();
    let runtime = Runtime::unpack(&cache).map_err(refuse)?;
    for path in std::iter::once(&options.program).chain(&options.link) {
        if !path.is_file() {
            let what = if path.is_dir() { "is a folder, not a program" } else { "there is no such file" };
            return Err(Refusal::bad(format!("{}: {what}", path.display())));
        }
        if let Some(way) = other_language(path) {
            return Err(Refusal::bad(format!("{}: {way}", path.display())));
        }
    }
    let libc = libc(&tools, &cache)?;
    tell_of_open_tools();
    let mut inputs = Vec::new();
    for path in std::iter::once(&options.program).chain(&options.link) {
        inputs.extend(input(options, path, &tools, &libc, &runtime)?);
    }
    let compile = start.elapsed();
    let start = Instant::now();
    let loaded = link_all(inputs, &libc, options.entry(), options.passes()?, options.promises()?)?;
    if !loaded.program.functions.iter().any(|f| f.name == "main" && !f.blocks.is_empty()) {
        let text =
            format!("{}: there is no function main (use --entry to start at another)", options.program.display());
        return Err(Refusal::bad(text));
    }
    let program = Verified::new(loaded.program).map_err(|violations| {
        let first = violations.first().map_or_else(String::new, |v| v.to_string());
        Refusal(Outcome::OurFault, format!("the program was lowered wrongly (a fault of strata): {first}"))
    })?;
    for (what, names) in [("functions", &loaded.undefined_functions), ("globals", &loaded.undefined_globals)] {
        if !names.is_empty() {
            say(format!(
                "undefined {what}: {} (a path that reaches one ends there; --link FILE adds what has them)",
                names.join(", ")
            ));
        }
    }
    loaded.notes.iter().for_each(say);
    let shapes = loaded.shapes.into_iter().map(shape).collect();
    Ok(Loaded {
        program,
        bitcode: loaded.bitcode,
        compile,
        load: start.elapsed(),
        shapes,
        sources: Sources::new(loaded.sources),
    })
}

fn shape(shape: strata_frontend_llvm::Shape) -> (String, Shape) {
    let strata_frontend_llvm::Shape { input, name, bytes, signed, fields } = shape;
    let field = |(name, offset, bytes, signed)| Field { name, offset, bytes, signed };
    (input, Shape { name, bytes, signed, fields: fields.into_iter().map(field).collect() })
}

/// What to do with a source that is not C.
fn other_language(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "cpp" | "cc" | "cxx" | "c++" | "C" | "cp" => Some(
            "C++ is not compiled here; make bitcode of it (clang++ -c -emit-llvm -g -fno-exceptions -fno-rtti) and run the .bc: what it \
             needs of the C++ library is undefined",
        ),
        "rs" => Some(
            "Rust is not compiled here; make bitcode of it (rustc --emit=llvm-bc -g -C panic=abort --crate-type=lib) and run the .bc with \
             --entry: what it needs of Rust's library is undefined",
        ),
        "h" | "hpp" | "hh" => Some("is a header; name a .c file that includes it"),
        _ => None,
    }
}

fn link_all(
    mut inputs: Vec<Input>,
    libc: &Libc,
    entry: Option<Entry>,
    optimise: Passes,
    promises: Vec<Promise>,
) -> Result<strata_frontend_llvm::Loaded, Refusal> {
    let name = inputs.first().map_or_else(String::new, |input| input.name.clone());
    let bytes = inputs.iter().map(|input| input.bytes.len()).sum();
    inputs.push(library(&libc.crt, Kind::Module)?);
    inputs.push(library(&libc.archive, Kind::Archive)?);
    let hooks = |name: &str| {
        let hook = strata_linux::hook(name).or_else(|| strata_interp::hook(name));
        hook.is_some() && !strata_interp::may_decline(name)
    };
    let roots = vec!["_start_c".into(), "main".into(), strata_interp::FAIL_ALLOCATION.into()];
    let options = strata_frontend_llvm::Options { roots, entry, optimise, promises, hooks: &hooks };
    apart(&name, bytes, || strata_frontend_llvm::load(inputs, &options))
}

/// The bitcode of a whole program from one source, compiled as `run` does by default.
pub(crate) fn link(source: &Path, tools: &Toolchain, cache: &Cache, libc: &Libc) -> Result<Vec<u8>, Refusal> {
    let runtime = Runtime::unpack(cache).map_err(refuse)?;
    let made = strata_build::compile(tools, &libc.headers(&runtime), source, &Default::default()).map_err(refuse)?;
    let name = source.display().to_string();
    let input = Input { name, bytes: made.bytes, kind: Kind::Module, library: false };
    Ok(link_all(vec![input], libc, None, Passes::Promote, Vec::new())?.bitcode)
}

/// Upper bound on the size of a program or library, in bytes: the largest have some hundred
/// megabytes.
const LARGEST: u64 = 4 << 30;

fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    regular::read(path, LARGEST).map_err(|error| Refusal::bad(format!("{}: {error}", path.display())))
}

fn library(path: &Path, kind: Kind) -> Result<Input, Refusal> {
    Ok(Input { name: path.display().to_string(), bytes: read(path)?, kind, library: true })
}

/// What was named, as bitcode: a source, bitcode itself, an archive of it, or a native program or object of `strata cc`, which may have several modules.
fn input(
    options: &Options,
    path: &Path,
    tools: &Toolchain,
    libc: &Libc,
    runtime: &Runtime,
) -> Result<Vec<Input>, Refusal> {
    let module = |name: String, bytes: Vec<u8>| Input { name, bytes, kind: Kind::Module, library: false };
    let name = path.display().to_string();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if matches!(extension, "c" | "i") {
        let made = strata_build::compile(tools, &libc.headers(runtime), path, &options.compile()).map_err(refuse)?;
        return Ok(vec![module(name, made.bytes)]);
    }
    let bytes = read(path)?;
    if let Some(found) = strata_build::bitcode_of(path, &bytes) {
        return Ok(found.map_err(refuse)?.into_iter().map(|found| module(found.name, found.bytes)).collect());
    }
    if let Some(made) = strata_build::bitcode_archive(tools, path, &bytes, &scratch()) {
        return Ok(vec![Input { kind: Kind::Archive, ..module(name, made.map_err(refuse)?) }]);
    }
    let kind = if bytes.starts_with(b"!<arch>\n") { Kind::Archive } else { Kind::Module };
    Ok(vec![Input { kind, ..module(name, bytes) }])
}
