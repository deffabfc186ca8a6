//! The C library as machine code, for programs that a build runs: made once from the bitcode libc, kept in the cache.
//!
//! Each member of the bitcode archive becomes an object, so that the native program and the explored one have the very same libc: sources, flags and
//! passes. What the engine provides comes from `runtime/native` (start, system calls, intrinsics that read a test if there is
//! one) but for three things, which come from `runtime/plain`: a heap that is fast instead of strict, threads that run, and the machine's own kernel.
//!
//! Rejected: linking libc's bitcode at each link (`printf` alone takes longer than the rest of a test of configure); compiling musl a second time (it
//! takes twice as long, and the two may differ).

use crate::cache::{Cache, at, fingerprint};
use crate::error::Error;
use crate::libc::{Libc, Progress, run};
use crate::native;
use crate::runtime::{self, Runtime};
use crate::toolchain::Toolchain;
use crate::wrapper::elf;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The native half of the C library in the cache.
#[derive(Debug, Clone)]
pub struct Plain {
    /// The folder that holds it.
    pub root: PathBuf,
    /// What stands at the beginning of every program.
    pub start: Vec<PathBuf>,
    /// Everything else.
    pub archive: PathBuf,
}

/// As the passes left it: `-O1` is how code is generated.
const MEMBER: &[&str] = &[
    "-c",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "--target=x86_64-unknown-linux-musl",
    "-fno-pic",
    "-fno-pie",
    "-w",
    "-Qunused-arguments",
    "-x",
    "ir",
];

/// Linked into every program; the rest only where it is needed.
const START: &[&str] = &["native_start.s.o", "plain_clone.s.o", "plain_note.s.o", "crt1.o"];

/// The runtime's files: those of a replay, with another heap and the real kernel.
fn sources() -> impl Iterator<Item = &'static str> {
    let replaced = ["native/heap.c", "native/kernel.c"];
    runtime::sources("native").filter(move |name| !replaced.contains(name)).chain(runtime::sources("plain"))
}

impl Plain {
    /// The native half: from the cache, or built now.
    pub fn ensure(
        tools: &Toolchain,
        cache: &Cache,
        libc: &Libc,
        jobs: usize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Plain, Error> {
        if let Some(plain) = Plain::present(tools, cache, libc) {
            return Ok(plain);
        }
        let runtime = Runtime::unpack(cache)?;
        let progress = std::cell::RefCell::new(progress);
        let say = |what| (progress.borrow_mut())(what);
        let root = cache.entry(&name(tools, libc), &mut || say(Progress::Waiting), &mut |folder| {
            let recipe = Recipe { tools, runtime: &runtime, libc, folder };
            recipe.build(jobs.max(1), &say)
        })?;
        Ok(Plain::at(root))
    }

    /// The native half, if it is in the cache.
    pub fn present(tools: &Toolchain, cache: &Cache, libc: &Libc) -> Option<Plain> {
        cache.present(&name(tools, libc)).ok().flatten().map(Plain::at)
    }

    fn at(root: PathBuf) -> Plain {
        let start = START.iter().map(|name| root.join(name)).collect();
        Plain { start, archive: root.join("libc.a"), root }
    }
}

/// Changes when anything does that the result depends on. libc's own name stands for all of libc.
fn name(tools: &Toolchain, libc: &Libc) -> String {
    let libc = libc.root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let parts = [runtime::print_of("native/"), runtime::print_of("plain/"), tools.identity(), libc];
    let pieces = parts.iter().map(String::as_bytes).chain([include_bytes!("plain.rs").as_slice()]);
    format!("plain-{}", fingerprint(pieces))
}

struct Recipe<'a> {
    tools: &'a Toolchain,
    runtime: &'a Runtime,
    libc: &'a Libc,
    folder: &'a Path,
}

impl Recipe<'_> {
    fn build(&self, jobs: usize, say: &dyn Fn(Progress)) -> Result<(), Error> {
        let work = self.folder.join("work");
        fs::create_dir(&work).map_err(at(&work))?;
        let mut extract = Command::new(self.tools.ar()?);
        run(extract.current_dir(&work).arg("x").arg(&self.libc.archive), "libc.a")?;
        let mut members = names_in(&work)?;
        self.convert_all(&work, &members, jobs, say)?;
        convert(self.tools, &self.libc.crt, &self.folder.join("crt1.o"))?;
        for source in sources() {
            let object = format!("{}.o", source.replace('/', "_"));
            let place = if START.contains(&object.as_str()) { self.folder } else { &work };
            self.compile(source, &place.join(&object))?;
        }
        members = names_in(&work)?;
        members.retain(|name| name.ends_with(".o"));
        let mut ar = Command::new(self.tools.ar()?);
        run(ar.current_dir(&work).arg("crsD").arg(self.folder.join("libc.a")).args(&members), "libc.a")?;
        fs::remove_dir_all(&work).map_err(at(&work))
    }

    fn compile(&self, source: &str, object: &Path) -> Result<(), Error> {
        let mut clang = Command::new(&self.tools.clang);
        clang.current_dir(self.runtime.root()).args(native::RUNTIME).arg("-fdebug-compilation-dir=/strata");
        run(clang.arg(source).arg("-o").arg(object), source)
    }

    fn convert_all(&self, work: &Path, members: &[String], jobs: usize, say: &dyn Fn(Progress)) -> Result<(), Error> {
        let next = AtomicUsize::new(0);
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..jobs.min(members.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some(member) = members.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let (from, to) = (work.join(member), work.join(member).with_extension("o"));
                        if sender.send(convert(self.tools, &from, &to)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (index, result) in results.into_iter().enumerate() {
                result?;
                say(Progress::Compiling { done: index + 1, total: members.len() });
            }
            Ok(())
        })
    }
}

/// A member of libc as an object. The engine's `__clone` fails; a real one in its place wins.
fn convert(tools: &Toolchain, bitcode: &Path, object: &Path) -> Result<(), Error> {
    let mut clang = Command::new(&tools.clang);
    run(clang.args(MEMBER).arg(bitcode).arg("-o").arg(object), &bitcode.display().to_string())?;
    if bitcode.file_name().is_some_and(|name| name == "musl_thread.bc") {
        let mut bytes = fs::read(object).map_err(at(object))?;
        elf::weaken(&mut bytes, "__clone")
            .ok_or_else(|| Error::Libc { file: "musl/thread.c".into(), message: "defines no __clone".into() })?;
        fs::write(object, bytes).map_err(at(object))?;
    }
    Ok(())
}

fn names_in(folder: &Path) -> Result<Vec<String>, Error> {
    let items = fs::read_dir(folder).map_err(at(folder))?;
    let mut names: Vec<_> = items.filter_map(|item| item.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}
