//! Running a KQuery file.

use super::report::Report;
use super::{Options, Problem};
use strata_solver::Stack;

pub(super) fn execute(
    _bytes: &[u8],
    _options: &Options,
    _stack: &mut Stack,
    _report: &mut Report,
) -> Result<(), Problem> {
    Err(Problem::File("KQuery is not there yet".into()))
}
