//! Functions that the engine provides, or runs itself where that pays.
//!
//! A hook is a row: names and a function. It sees the arguments and the state, and answers with a value, or declines: then
//! the program's own code of that name runs. Rows for other crates (system calls) are added where the image is made.

mod environment;
mod heap;
mod intrinsics;
mod jumps;
mod print;
mod strings;

pub use heap::FAIL_ALLOCATION;
pub(crate) use jumps::comes_back;

use crate::end::End;
use crate::machine::Machine;
use crate::state::State;
use strata_memory::Value;

/// What a hook answers.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Done; the call has no result.
    Nothing,
    /// The call's result.
    Value(Value),
    /// The state was forked; each fork makes the call again.
    Forked,
    /// The state's position was set.
    Jumped,
    /// The state's position was set, and it waits there for others of its fragment.
    Landed,
    /// Not for the hook: run the program's own code.
    Declined,
}

/// A function of the engine's. Arguments come with their widths.
pub type Hook = fn(&mut Machine<'_>, &mut State, &[(Value, u32)]) -> Result<Reply, End>;

type Row = (&'static [&'static str], Hook);

/// May the hook of this name decline? Then the program needs code of that name as well.
pub fn may_decline(name: &str) -> bool {
    strings::MAY_DECLINE.contains(&name) || environment::MAY_DECLINE.contains(&name)
}

/// The hook for a name.
pub fn hook(name: &str) -> Option<Hook> {
    let tables: [&[Row]; 6] =
        [environment::ROWS, heap::ROWS, intrinsics::ROWS, jumps::ROWS, print::ROWS, strings::ROWS];
    tables.into_iter().flatten().find(|(names, _)| names.contains(&name)).map(|(_, hook)| *hook)
}

/// An argument, zero when it is missing.
pub(crate) fn argument(arguments: &[(Value, u32)], i: usize) -> Value {
    arguments.get(i).map_or_else(Value::default, |(value, _)| value.clone())
}

/// An argument as an integer of 32 bits.
fn plain_int(arguments: &[(Value, u32)], i: usize) -> Option<i32> {
    arguments.get(i)?.0.concrete().map(|bits| bits as i32)
}
