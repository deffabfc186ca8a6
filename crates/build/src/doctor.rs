//! What is installed and what is missing, for `strata doctor`.

use crate::cache::Cache;
use crate::libc::{Libc, LibcOptions};
use crate::plain::Plain;
use crate::toolchain::{Search, Toolchain, on_path};
use std::ffi::OsStr;
use std::path::PathBuf;

/// One thing that is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is, and what for.
    pub what: &'static str,
    /// Where it was found.
    pub found: Option<PathBuf>,
    /// How to get it.
    pub remedy: String,
}

/// Looks for everything that compiling, the C library and native replay need.
pub fn doctor(search: &Search, cache: &Cache, options: &LibcOptions) -> Vec<Finding> {
    let tools = Toolchain::find(search);
    let get = |package: &str| format!("sudo apt-get install {package}");
    let clang_remedy = match &tools {
        Err(error) if search.clang.is_some() => error.to_string(),
        Ok(_) | Err(_) => get("clang-22"),
    };
    let found = tools.as_ref().ok();
    let libc = found.and_then(|t| Libc::present(t, cache, options));
    let plain = found.zip(libc.as_ref()).and_then(|(t, libc)| Plain::present(t, cache, libc));
    let finding = |what, found: Option<PathBuf>, remedy| Finding { what, found, remedy };
    vec![
        finding("clang 16 to 22, compiles C", found.map(|t| t.clang.clone()), clang_remedy),
        finding("llvm-ar, packs the C library", found.and_then(|t| t.ar.clone()), get("llvm-22")),
        finding("lld, links native programs for replay", found.and_then(|t| t.lld.clone()), get("lld-22")),
        finding("llvm-link, links bitcode for strata cc", found.and_then(|t| t.linker.clone()), get("llvm-22")),
        finding(
            "apt-get, fetches musl's sources once",
            on_path(&search.path, OsStr::new("apt-get")),
            "name a folder with musl's sources in STRATA_MUSL".into(),
        ),
        finding(
            "the C library musl as bitcode, in the cache",
            libc.map(|libc| libc.root),
            "built by the first run (two minutes)".into(),
        ),
        finding(
            "the C library musl as machine code, in the cache",
            plain.map(|plain| plain.root),
            "built by the first link of strata cc (a minute)".into(),
        ),
    ]
}
