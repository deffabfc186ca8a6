//! Boxes for work on hostile input.
//!
//! | what works | may do | held by |
//! |---|---|---|
//! | our own code and LLVM ([`apart`]) | compute, and hand back bytes | a child process and a system-call filter |
//! | compilers and linkers ([`confine`]) | read what was named, write into one folder | Landlock, or a mount namespace; a system-call filter |
//!
//! The sandbox of replay, which runs the tested program itself, is in `crates/replay`: it is
//! stricter, and made for thousands of programs one after the other. Both share the filters
//! ([`Filter`]).

mod apart;
pub mod calls;
mod filter;
mod mounts;
mod tool;

pub use apart::{Bounds, Ended, apart};
pub use filter::{Filter, Holds, decide, install};
pub use tool::{Hold, Reach, confine, confine_by, hold};
