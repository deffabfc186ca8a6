//! The floating-point environment: floating point is computed as the machine does by default, to
//! nearest, and no flags are kept.
//!
//! Sound: the C library's own functions know nothing else. They would say that no exception ever
//! happened, and that another rounding mode was set, so a path ends as incomplete where a program
//! asks for either.

use super::{Reply, Row, plain_int};
use crate::end::{Cause, End};
use crate::machine::Machine;
use crate::state::State;
use strata_memory::Value;

pub(super) const ROWS: &[Row] = &[(&["fesetround"], set_rounding), (&["fetestexcept"], test_exceptions)];

/// All of them: what needs neither is left to the C library.
pub(super) const MAY_DECLINE: &[&str] = &["fesetround", "fetestexcept"];

/// FE_TONEAREST.
const TO_NEAREST: i32 = 0;

fn set_rounding(_: &mut Machine<'_>, _: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    match plain_int(arguments, 0) {
        Some(TO_NEAREST) => Ok(Reply::Declined),
        Some(_) | None => Err(Cause::new("unsupported", "a rounding mode other than to nearest").into()),
    }
}

fn test_exceptions(_: &mut Machine<'_>, _: &mut State, arguments: &[(Value, u32)]) -> Result<Reply, End> {
    match plain_int(arguments, 0) {
        Some(0) => Ok(Reply::Declined),
        Some(_) | None => Err(Cause::new("unsupported", "the flags of floating-point exceptions").into()),
    }
}
