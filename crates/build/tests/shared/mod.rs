//! What the tests have in common: tools, the cache (the user's own, so that libc is built once for all of them), a folder of one's own.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use strata_build::{
    Bitcode, Cache, CompileOptions, Error, Libc, LibcOptions, Progress, Runtime, Search, Toolchain, compile,
};

pub struct Kit {
    pub tools: Toolchain,
    pub cache: Cache,
    pub runtime: Runtime,
    pub libc: Libc,
}

pub fn search() -> Search {
    Search { path: std::env::var_os("PATH").unwrap(), clang: None, environment: Vec::new() }
}

pub fn cache() -> Cache {
    let home = || PathBuf::from(std::env::var_os("HOME").expect("HOME")).join(".cache");
    Cache::new(std::env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from).join("strata"))
}

impl Kit {
    pub fn new() -> Kit {
        let tools = Toolchain::find(&search()).unwrap();
        let cache = cache();
        let libc = Libc::ensure(&tools, &cache, &LibcOptions::default(), &mut |progress| {
            if let Progress::Compiling { done, total } = progress
                && done % 200 == 0
            {
                eprintln!("libc: {done} of {total}");
            }
        });
        Kit { runtime: Runtime::unpack(&cache).unwrap(), libc: libc.unwrap(), tools, cache }
    }

    pub fn compile(&self, source: &Path, options: &CompileOptions) -> Result<Bitcode, Error> {
        compile(&self.tools, &self.libc.headers(&self.runtime), source, options)
    }
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a file into a folder.
pub fn file(folder: &Path, name: &str, contents: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, contents).unwrap();
    path
}
