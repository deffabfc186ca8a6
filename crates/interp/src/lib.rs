//! A state and an instruction to outcomes.
//!
//! - `Image`: a program laid out in memory; `Code` (inside) is the form that runs.
//! - `State`: a path in execution. Forking shares everything until it changes.
//! - `Machine`: runs a state until it forks, ends or has used its share of instructions: plain integers in `plain`,
//!   everything else in `exec`.
//! - `hooks`: functions that the engine provides.
//!
//! Deliberately absent: LLVM, RISC-V, Linux, solver layers and files. The order in which states run is `explore`'s business.

mod code;
mod config;
mod echo;
mod end;
mod exec;
mod format;
mod fragment;
mod hooks;
mod image;
mod join;
mod leak;
mod machine;
mod origin;
mod plain;
mod poison;
mod range;
mod results;
mod slots;
mod solve;
mod state;
mod view;

pub use config::{Checks, Config, Float, Uninit};
pub use echo::Echo;
pub use end::{Cause, End, ErrorKind, Fault, Victim, bytes};
pub use exec::{Flow, Span, Spot};
pub use format::Conversion;
pub use fragment::{Fragment, Landing, Member, Plan, Range};
pub use hooks::{FAIL_ALLOCATION, Hook, Reply, hook, may_decline};
pub use image::{Addresses, Image};
pub use join::{Apart, common_origin};
pub use machine::{Machine, Warning};
pub use state::{Frame, Input, List, Output, Piece, Stack, State, System, Trace};
pub use view::Seen;
