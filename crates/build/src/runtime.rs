//! The C side that the binary carries: headers, intrinsics, what is replaced in musl, and the runtime of native programs.
//!
//! Files are listed by name, not found by scanning, so that the compiler sees when one changes; a test compares the list with the folder.

use crate::cache::{Cache, at, fingerprint};
use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

macro_rules! files {
    ($($name:literal)*) => {
        /// Every file under `runtime/`: its name and what it contains.
        pub(crate) const FILES: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("../../../runtime/", $name)))),*];
    };
}

files! {
    "include/klee.h"
    "include/klee/klee.h"
    "include/strata.h"
    "intrinsics/intrinsics.c"
    "intrinsics/ubsan.c"
    "intrinsics/verifier.c"
    "musl/allocation.c"
    "musl/arch/atomic_arch.h"
    "musl/arch/bits/float.h"
    "musl/arch/crt_arch.h"
    "musl/arch/pthread_arch.h"
    "musl/arch/syscall_arch.h"
    "musl/complex.c"
    "musl/fputs.c"
    "musl/malloc.c"
    "musl/print.h"
    "musl/stdout.c"
    "musl/strata_hooks.h"
    "musl/thread.c"
    "musl/vfprintf.c"
    "native/heap.c"
    "native/kernel.c"
    "native/native.c"
    "native/native.h"
    "native/place.c"
    "native/start.s"
    "native/wide.c"
    "plain/clone.s"
    "plain/heap.c"
    "plain/kernel.s"
    "plain/note.s"
}

/// The runtime's files, unpacked in the cache.
#[derive(Debug, Clone)]
pub struct Runtime {
    root: PathBuf,
}

impl Runtime {
    /// Unpacks the files, unless they are there.
    pub fn unpack(cache: &Cache) -> Result<Runtime, Error> {
        let root = cache.entry(&format!("runtime-{}", print_of("")), &mut || (), &mut |folder| {
            FILES.iter().try_for_each(|(name, contents)| write(&folder.join(name), contents))
        })?;
        Ok(Runtime { root })
    }

    /// The folder of the headers.
    pub fn include(&self) -> PathBuf {
        self.root.join("include")
    }

    /// The folder of the files themselves.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// A fingerprint of the files whose names begin so.
pub(crate) fn print_of(prefix: &str) -> String {
    let chosen = FILES.iter().filter(|(name, _)| name.starts_with(prefix));
    fingerprint(chosen.flat_map(|(name, contents)| [name.as_bytes(), *contents]))
}

/// The `.c` and `.s` files of a folder of the runtime, by their names within `runtime/`.
pub(crate) fn sources(folder: &str) -> impl Iterator<Item = &'static str> {
    let within = move |name: &&str| Path::new(name).parent() == Some(Path::new(folder));
    FILES
        .iter()
        .map(|(name, _)| *name)
        .filter(move |name| within(name) && (name.ends_with(".c") || name.ends_with(".s")))
}

fn write(path: &Path, contents: &[u8]) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    fs::write(path, contents).map_err(at(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(folder: &Path, root: &Path, names: &mut Vec<String>) {
        for item in fs::read_dir(folder).unwrap() {
            let path = item.unwrap().path();
            match path.is_dir() {
                true => walk(&path, root, names),
                false => names.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned()),
            }
        }
    }

    #[test]
    fn every_file_of_the_runtime_is_carried() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
        let mut found = Vec::new();
        walk(&root, &root, &mut found);
        found.sort();
        let listed: Vec<_> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(found, listed, "the list is sorted and complete");
    }
}
