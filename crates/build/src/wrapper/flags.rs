//! What each flag of a compiler's command line means to us: one table, searched from the top.
//!
//! clang itself decides what it understands, and says so as it would without us: configure asks by trying. Only flags are named here
//! that concern linking, that need something of ours, or that would make a program which the engine cannot take.

/// What becomes of a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// clang reads it when it reads the source.
    Front,
    /// clang reads it when it reads the source, and when it generates code.
    Both,
    /// The linker's.
    Link,
    /// Means nothing here: programs are static, and libc has it all.
    Idle,
    /// Would do harm: left out, and written down with the reason.
    Drop(&'static str),
    /// Nothing can be made with it.
    Refuse(&'static str),
}

/// How a row matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Match {
    /// The word as a whole.
    Whole,
    /// The word begins so.
    Prefix,
}

use Fate::{Both, Drop, Front, Idle, Link, Refuse};
use Match::{Prefix, Whole};

const SANITIZER: &str = "sanitizers need a library that is not there; the engine itself finds what they find (strata run --check leak,uninit,overflow \
    for what it does not look for unasked)";
const COVERAGE: &str = "coverage of native code needs a library that is not there; build with gcc --coverage for that";
const WHOLE: &str = "the whole program is linked as bitcode anyway";
const PROFILE: &str = "profiling needs a library that is not there";
const HOST: &str = "the machine's own headers and libraries belong to another C library";

const TABLE: &[(Match, &str, Fate)] = &[
    (Prefix, "-fsanitize", Drop(SANITIZER)),
    (Whole, "--coverage", Drop(COVERAGE)),
    (Whole, "-coverage", Drop(COVERAGE)),
    (Prefix, "-ftest-coverage", Drop(COVERAGE)),
    (Prefix, "-fprofile", Drop(PROFILE)),
    (Prefix, "-fcs-profile", Drop(PROFILE)),
    (Whole, "-pg", Drop(PROFILE)),
    (Prefix, "-flto", Drop(WHOLE)),
    (Whole, "-ffat-lto-objects", Drop(WHOLE)),
    (Whole, "-fwhole-program", Drop(WHOLE)),
    (Prefix, "-fembed-bitcode", Drop(WHOLE)),
    (Prefix, "-gsplit-dwarf", Drop("lines must be in the object itself")),
    (Prefix, "-specs=", Drop("clang has no specs")),
    (Prefix, "--target=", Drop("programs are made for x86_64-unknown-linux-musl")),
    (Prefix, "--sysroot", Drop(HOST)),
    (Whole, "-I/usr/include", Drop(HOST)),
    (Whole, "-I/usr/local/include", Drop(HOST)),
    (Prefix, "-I/usr/include/x86_64-linux-gnu", Drop(HOST)),
    (Prefix, "-L/usr/lib", Drop(HOST)),
    (Prefix, "-L/lib", Drop(HOST)),
    (Whole, "-L/usr/local/lib", Drop(HOST)),
    (Whole, "-m32", Refuse("programs are 64-bit")),
    (Whole, "-mx32", Refuse("programs are 64-bit")),
    (Prefix, "-fuse-ld", Idle),
    (Prefix, "-fuse-linker-plugin", Idle),
    (Whole, "-static", Idle),
    (Whole, "--static", Idle),
    (Prefix, "-static-", Idle),
    (Whole, "-shared-libgcc", Idle),
    (Whole, "-pie", Idle),
    (Whole, "-no-pie", Idle),
    (Whole, "-rdynamic", Idle),
    (Whole, "-pipe", Idle),
    (Prefix, "-save-temps", Idle),
    (Prefix, "-L", Link),
    (Prefix, "-l", Link),
    (Prefix, "-T", Link),
    (Prefix, "-z", Link),
    (Prefix, "-u", Link),
    (Whole, "-e", Link),
    (Whole, "-s", Link),
    (Whole, "-mllvm", Both),
    (Prefix, "-O", Both),
    (Prefix, "-f", Both),
    (Prefix, "-m", Both),
    (Prefix, "-Wa,", Both),
    (Whole, "-Xassembler", Both),
];

/// Flags whose value is the next word.
const VALUED: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-T",
    "-z",
    "-u",
    "-e",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xclang",
    "-Xassembler",
    "-Xpreprocessor",
    "-mllvm",
    "-target",
    "--param",
    "-arch",
    "-B",
    "-A",
    "-G",
    "-aux-info",
    "-dumpbase",
    "-working-directory",
];

/// Libraries that are part of ours under another name, or of clang.
const CONTAINED: &[&str] = &[
    "c",
    "m",
    "pthread",
    "rt",
    "dl",
    "crypt",
    "util",
    "resolv",
    "xnet",
    "gcc",
    "gcc_s",
    "gcc_eh",
    "ssp",
    "ssp_nonshared",
    "kleeRuntest",
];

/// What becomes of a flag.
pub(crate) fn fate(word: &str) -> Fate {
    let fits = |kind: Match, text: &str| match kind {
        Whole => word == text,
        Prefix => word.starts_with(text),
    };
    TABLE.iter().find(|(kind, text, _)| fits(*kind, text)).map_or(Front, |(_, _, fate)| *fate)
}

/// Sanitizers whose library is not there, and whose code means nothing without it. Of the others, the handlers are ours (`runtime/intrinsics/ubsan.c`).
const ABSENT: &[&str] = &[
    "address",
    "kernel-address",
    "hwaddress",
    "kernel-hwaddress",
    "memory",
    "kernel-memory",
    "thread",
    "leak",
    "dataflow",
    "type",
    "realtime",
    "numerical",
    "fuzzer",
    "fuzzer-no-link",
];

/// Why a C file cannot be compiled with a flag for the engine alone, if it cannot.
pub(crate) fn refusal(flag: &str) -> Option<String> {
    let wanted = flag.strip_prefix("-fsanitize=")?;
    let absent = wanted.split(',').find(|name| ABSENT.contains(name))?;
    Some(format!("-fsanitize={absent}: leave it out; {SANITIZER}"))
}

/// Is the flag one whose absence a user would take for a program without errors?
pub(crate) fn is_check(flag: &str) -> bool {
    flag.starts_with("-fsanitize=")
}

/// Is the next word its value?
pub(crate) fn valued(word: &str) -> bool {
    VALUED.contains(&word)
}

/// Is the library in libc already?
pub(crate) fn contained(library: &str) -> bool {
    CONTAINED.contains(&library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_that_fits_decides() {
        assert_eq!(fate("-O2"), Both);
        assert_eq!(fate("-ffunction-sections"), Both);
        assert!(matches!(fate("-fsanitize=address"), Drop(_)));
        assert!(refusal("-fsanitize=undefined,address").is_some_and(|text| text.contains("-fsanitize=address: leave")));
        assert!(refusal("-fsanitize=undefined,integer").is_none() && refusal("-fno-sanitize=address").is_none());
        assert_eq!(fate("-static"), Idle);
        assert_eq!(fate("-static-libgcc"), Idle);
        assert_eq!(fate("-std=gnu11"), Front);
        assert_eq!(fate("-Wall"), Front);
        assert_eq!(fate("-Lsub"), Link);
        assert!(matches!(fate("-L/usr/lib/x86_64-linux-gnu"), Drop(_)));
    }
}
