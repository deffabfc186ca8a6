//! What UBSan's instrumentation calls when it has found something.

use super::Reply;
use crate::end::{End, ErrorKind, Fault};
use crate::machine::Machine;
use crate::state::State;
use strata_memory::Value;

/// The handler's name says what was found.
pub(super) fn report(machine: &mut Machine<'_>, state: &mut State, _: &[(Value, u32)]) -> Result<Reply, End> {
    let name = machine.callee_name(state);
    let what = name.trim_start_matches("__ubsan_handle_").trim_end_matches("_abort").trim_end_matches("_minimal");
    let (kind, text) = match what {
        "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow" => (ErrorKind::Overflow, "integer overflow"),
        "divrem_overflow" => (ErrorKind::Div, "division by zero, or its overflow"),
        "shift_out_of_bounds" => (ErrorKind::Overshift, "a shift amount out of range"),
        "out_of_bounds" => (ErrorKind::Ptr, "an array index out of bounds"),
        "pointer_overflow" => (ErrorKind::Ptr, "pointer arithmetic overflows"),
        "type_mismatch_v1" | "alignment_assumption" => (ErrorKind::Ptr, "a null, misaligned or too small object is accessed"),
        "nonnull_arg" | "nonnull_return_v1" | "nullability_arg" | "nullability_return_v1" => {
            (ErrorKind::Ptr, "a null pointer where the program forbids one")
        }
        "builtin_unreachable" | "missing_return" => (ErrorKind::Unreachable, "code that must not be reached"),
        "implicit_conversion" | "float_cast_overflow" => (ErrorKind::Overflow, "a conversion changes the value"),
        _ => (ErrorKind::User("undefined_behavior".into()), "undefined behaviour"),
    };
    Err(Fault::new(kind, format!("{text} (found by the sanitizer: {what})")).into())
}
