//! Bitcode to a native program that replays a test.
//!
//! The bitcode is the whole program as it was explored (libc included), so the native program takes the same branches; it is only turned into
//! machine code, without any pass that could make use of undefined behaviour. What the engine provides comes from `runtime/native`: start, system
//! calls, a heap that faults where the program errs, and intrinsics that read the test. `runtime/native/native.h` says how a test goes in and a
//! report comes out.
//!
//! Turning into machine code may call functions that the bitcode does not name (`memcpy` for a structure, `floor`): the linker takes
//! those from the bitcode libc, and only those. What is undefined in the program stays so and faults when it is reached, as the engine ends a
//! path there.

use crate::cache::{Cache, at, fingerprint};
use crate::error::Error;
use crate::libc::{Libc, run};
use crate::reach;
use crate::runtime::{self, Runtime};
use crate::toolchain::{Toolchain, named};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use strata_sandbox::Reach;

pub(crate) const RUNTIME: &[&str] = &[
    "-c",
    "-g",
    "-O1",
    "--target=x86_64-unknown-linux-musl",
    "-ffreestanding",
    "-fno-builtin",
    "-nostdlibinc",
    "-fno-stack-protector",
    "-fno-pic",
    "-fno-pie",
    "-fno-asynchronous-unwind-tables",
    "-w",
    "-Qunused-arguments",
];

/// `-O0` is how code is generated: plainly. The passes before it are off.
const PROGRAM: &[&str] = &[
    "-c",
    "-O0",
    "-fno-crash-diagnostics",
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

/// `-O0` keeps equal strings apart, as they are in the bitcode: programs compare addresses.
/// Objects may name libraries to be linked, which are no part of what was explored.
const LINK: &[&str] = &[
    "-static",
    "-e",
    "_start",
    "-z",
    "noexecstack",
    "--build-id=none",
    "--unresolved-symbols=ignore-all",
    "--no-dependent-libraries",
    "-O0",
    "--lto-O0",
];

/// How native programs are made: whoever keeps one keeps it for this.
pub fn native_flags() -> String {
    [PROGRAM, LINK].concat().join(" ")
}

/// Makes the native program `out` from the bitcode of a whole program that begins at `_start_c`.
/// Tools can write to the folder of `out`.
pub fn native(tools: &Toolchain, cache: &Cache, libc: &Libc, bitcode: &Path, out: &Path) -> Result<(), Error> {
    let library = library(tools, cache)?;
    let object = beside(out, "o");
    let unfinished = beside(out, "unfinished");
    let made = machine_code(tools, bitcode, &object)
        .and_then(|()| link(tools, &[&object, &library, &libc.archive], &unfinished))
        // Whatever the linker made of them: a program with special rights must not lie about.
        .and_then(|()| fs::set_permissions(&unfinished, fs::Permissions::from_mode(0o700)).map_err(at(&unfinished)));
    // Gone or not, it is no part of the result.
    let _ = fs::remove_file(&object);
    made?;
    fs::rename(&unfinished, out).map_err(|cause| Error::Native { message: format!("{}: {cause}", out.display()) })
}

/// The native runtime as an archive, built once.
fn library(tools: &Toolchain, cache: &Cache) -> Result<PathBuf, Error> {
    let parts = [runtime::print_of("native/"), tools.identity(), RUNTIME.join(" ")];
    let name = format!("native-{}", fingerprint(parts.iter().map(String::as_bytes)));
    let archive = |entry: &Path| entry.join("libstrata.a");
    if let Some(entry) = cache.present(&name)? {
        return Ok(archive(&entry));
    }
    let unpacked = Runtime::unpack(cache)?;
    let entry = cache.entry(&name, &mut || (), &mut |folder| {
        let mut ar = Command::new(tools.ar()?);
        ar.current_dir(folder).arg("crsD").arg(archive(folder));
        for source in runtime::sources("native") {
            let object = format!("{}.o", source.replace('/', "_"));
            let mut clang = Command::new(&tools.clang);
            clang.current_dir(unpacked.root()).args(RUNTIME).arg("-fdebug-compilation-dir=/strata");
            run(clang.arg(source).arg("-o").arg(folder.join(&object)), source)?;
            ar.arg(&object);
        }
        run(&mut ar, "libstrata.a")
    })?;
    Ok(archive(&entry))
}

fn machine_code(tools: &Toolchain, bitcode: &Path, object: &Path) -> Result<(), Error> {
    let mut clang = Command::new(&tools.clang);
    clang.args(PROGRAM).arg(&*named(bitcode)).arg("-o").arg(&*named(object));
    step(tools, &mut clang, &[bitcode], object)
}

fn link(tools: &Toolchain, inputs: &[&Path], out: &Path) -> Result<(), Error> {
    let mut lld = Command::new(tools.lld()?);
    lld.args(LINK).args(inputs.iter().map(|input| named(input).into_owned())).arg("-o").arg(&*named(out));
    step(tools, &mut lld, inputs, out)
}

/// A tool that reads these files and writes where `out` is to be.
fn step(tools: &Toolchain, command: &mut Command, inputs: &[&Path], out: &Path) -> Result<(), Error> {
    let read = inputs.iter().map(|input| input.to_path_buf()).collect();
    let output = reach::run(tools, command, Reach { read, write: reach::around(out), ..Reach::default() })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::Native { message: reach::message(&output) }),
    }
}

/// The same name with something after it.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}
