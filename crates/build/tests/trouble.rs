//! What a user sees when something is missing.

mod shared;
use shared::{Kit, folder, search};
use std::path::PathBuf;
use strata_build::{Cache, Error, Libc, LibcOptions, Plain, Runtime, Search, Toolchain, doctor};

#[test]
fn no_clang() {
    let error = Toolchain::find(&Search { path: "/nowhere".into(), clang: None, environment: Vec::new() }).unwrap_err();
    assert!(error.to_string().contains("clang-22 llvm-22 lld-22"), "{error}");
}

#[test]
fn a_clang_that_is_none() {
    let named = |name: &str| Toolchain::find(&Search { clang: Some(name.into()), ..search() });
    assert!(matches!(named("/bin/true"), Err(Error::Unfit { .. })));
    assert!(matches!(named("no-such-clang"), Err(Error::Unfit { .. })));
    let tools = Toolchain::find(&search()).unwrap();
    assert_eq!(named(tools.clang.to_str().unwrap()).unwrap().clang, tools.clang);
}

#[test]
fn a_cache_that_cannot_be_written() {
    let blocked = folder("blocked").join("file");
    std::fs::write(&blocked, "").unwrap();
    let error = Runtime::unpack(&Cache::new(blocked.join("strata"))).unwrap_err();
    assert!(matches!(&error, Error::Cache { .. }), "{error:?}");
    assert!(error.to_string().contains("XDG_CACHE_HOME"), "{error}");
}

/// A folder that is not musl's is refused, and nothing half-built stays.
#[test]
fn sources_that_are_none() {
    let folder = folder("sources");
    let cache = Cache::new(folder.join("cache"));
    let tools = Toolchain::find(&search()).unwrap();
    for source in [folder.join("nowhere"), folder.clone()] {
        let options = LibcOptions { source: Some(source), ..LibcOptions::default() };
        Libc::ensure(&tools, &cache, &options, &mut |_| ()).unwrap_err();
        assert!(Libc::present(&tools, &cache, &options).is_none());
    }
    let left = std::fs::read_dir(cache.root()).unwrap().map(|item| item.unwrap().file_name().into_string().unwrap());
    assert!(left.into_iter().all(|name| !name.ends_with(".unfinished")));
}

#[test]
fn the_doctor_looks_for_everything() {
    let kit = Kit::new();
    Plain::ensure(&kit.tools, &kit.cache, &kit.libc, 2, &mut |_| ()).unwrap();
    let findings = doctor(&search(), &kit.cache, &LibcOptions::default());
    assert!(findings.iter().all(|finding| finding.found.is_some()), "{findings:?}");
    let nothing = doctor(
        &Search { path: "/nowhere".into(), clang: None, environment: Vec::new() },
        &Cache::new(PathBuf::from("/nowhere")),
        &LibcOptions::default(),
    );
    assert!(nothing.iter().all(|finding| finding.found.is_none() && !finding.remedy.is_empty()), "{nothing:?}");
}
