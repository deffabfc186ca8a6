//! Source to bitcode and native program: drives clang and lld, keeps the libc cache.
//!
//! ```text
//! prog.c ── compile ──▶ bitcode ─┐
//! musl ──── Libc ──▶ libc.a, crt1 ┴─ (linked and explored elsewhere) ── native ──▶ program for replay
//!
//! make, configure ── Driver ──▶ objects with bitcode ──▶ native program (Plain) and NAME.bc
//! ```
//!
//! Nothing here knows the engine. Everything it needs from the caller comes as a value: where to look for tools ([`Search`]), where
//! to keep what was built ([`Cache`]), how to compile ([`CompileOptions`]). The C side (headers, intrinsics, what is replaced in
//! musl, the native runtime) is in `runtime/` and travels inside the binary ([`Runtime`]), so that it works from any folder.

mod cache;
mod compile;
mod doctor;
mod error;
mod libc;
mod musl;
mod native;
mod plain;
mod reach;
mod runtime;
mod toolchain;
mod wrapper;

pub use cache::Cache;
pub use compile::{Bitcode, CompileOptions, Headers, Opt, compile};
pub use doctor::{Finding, doctor};
pub use error::Error;
pub use libc::{Libc, LibcOptions, Progress};
pub use native::{native, native_flags};
pub use plain::Plain;
pub use runtime::Runtime;
pub use toolchain::{Search, Toolchain};
pub use wrapper::{Done, Driver, Found, Journal, Mode, Need, Note, Plan, Role, bitcode_archive, bitcode_of};
