//! What passes the filter of a test: what a single static program needs, and nothing else.
//!
//! A call that is not listed fails as one does that the modelled kernel does not know, so a
//! program takes the same way as when it was explored. `execveat` passes only for the descriptor
//! through which the supervisor starts the program, and `prlimit64` only for the caller itself:
//! the supervisor runs as the same user, and a test that lowers its limits would decide over
//! those that come after it.

use libc::sock_filter;
use strata_sandbox::{Filter, Holds, calls};

/// The filter; `program` is the descriptor that may be executed.
pub(crate) fn filter(program: i32) -> Vec<sock_filter> {
    let only_the_program = [Holds::Is(0, program as u32), Holds::Is(4, libc::AT_EMPTY_PATH as u32)];
    Filter::new(calls::program())
        .only(libc::SYS_execveat, &only_the_program, libc::ENOSYS)
        .only(libc::SYS_prlimit64, &[Holds::Is(0, 0)], libc::EPERM)
        .code()
}

#[cfg(test)]
mod tests {
    use super::*;
    use strata_sandbox::decide;

    const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
    const NOT_PERMITTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;

    #[test]
    fn limits_of_others_are_not_changed() {
        let filter = filter(200);
        assert_eq!(decide(&filter, libc::SYS_prlimit64 as u32, [0; 6]), ALLOW);
        for process in [1, 2, u32::MAX] {
            assert_eq!(decide(&filter, libc::SYS_prlimit64 as u32, [process, 0, 0, 0, 0, 0]), NOT_PERMITTED);
        }
    }

    #[test]
    fn only_the_program_is_executed() {
        let (filter, empty) = (filter(200), libc::AT_EMPTY_PATH as u32);
        assert_eq!(decide(&filter, libc::SYS_execveat as u32, [200, 0, 0, 0, empty, 0]), ALLOW);
        assert_eq!(decide(&filter, libc::SYS_execveat as u32, [201, 0, 0, 0, empty, 0]), NO_SUCH_CALL);
        assert_eq!(decide(&filter, libc::SYS_execveat as u32, [200, 0, 0, 0, 0, 0]), NO_SUCH_CALL);
        assert_eq!(decide(&filter, libc::SYS_execve as u32, [200, 0, 0, 0, empty, 0]), NO_SUCH_CALL);
    }
}
