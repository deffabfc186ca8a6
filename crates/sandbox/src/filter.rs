//! System-call filters: which calls pass, and with which arguments.
//!
//! Everything not listed fails with ENOSYS, as a call does that the kernel does not know, so that
//! fall-backs work; killing the program instead would turn a harmless probe into a crash.
//!
//! The numbers are searched by halves, in ranges of neighbours. The kernel compiles a filter and
//! tries it on every number there is when it is installed, which replay does for every test: a
//! flat list of them took a third of a replay.
//!
//! The few lines of BPF are written here rather than taken from a crate: numbers, and conditions
//! on arguments.

use libc::{BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, c_int, c_long, sock_filter};

#[cfg(target_arch = "x86_64")]
const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCH: u32 = 0xc000_00b7;
#[cfg(target_arch = "riscv64")]
const ARCH: u32 = 0xc000_00f3;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;

/// Offsets in `struct seccomp_data`: number, architecture, and the low half of an argument.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const fn argument(index: u32) -> u32 {
    16 + 8 * index + if cfg!(target_endian = "big") { 4 } else { 0 }
}

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code: code as u16, jt, jf, k }
}

fn load(offset: u32) -> sock_filter {
    instruction(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0)
}

/// Skips `jt` instructions if what was loaded compares so with `k`, `jf` otherwise.
fn jump(comparison: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    instruction(BPF_JMP | comparison | BPF_K, k, jt, jf)
}

fn ret(action: u32) -> sock_filter {
    instruction(BPF_RET | BPF_K, action, 0, 0)
}

/// Where answers change: from each number on, the action beside it. The first is for zero, and
/// neighbours differ.
fn changes(mut allowed: Vec<u32>) -> Vec<(u32, u32)> {
    allowed.sort_unstable();
    allowed.dedup();
    let mut changes = vec![(0, NO_SUCH_CALL)];
    for number in allowed {
        // One that follows its neighbour takes the place of that one's end.
        changes.pop_if(|last| *last == (number, NO_SUCH_CALL));
        if changes.last().is_none_or(|last| last.1 != ALLOW) {
            changes.push((number, ALLOW));
        }
        changes.push((number + 1, NO_SUCH_CALL));
    }
    changes
}

/// The action for the number that was loaded, by halves.
fn search(changes: &[(u32, u32)]) -> Vec<sock_filter> {
    if let [(_, action)] = changes {
        return vec![ret(*action)];
    }
    let (low, high) = changes.split_at(changes.len() / 2);
    let (first, below) = (high[0].0, search(low));
    let over =
        u8::try_from(below.len()).expect("jumps reach 255 instructions, and there are fewer changes than half of that");
    let mut code = vec![jump(BPF_JGE, first, over, 0)];
    code.extend(below);
    code.extend(search(high));
    code
}

/// What an argument must be. Only its low half is looked at: use it for `int` and for flags alone.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// The argument at this place has this value.
    Is(u32, u32),
    /// The argument at this place has none of these bits.
    Lacks(u32, u32),
}

/// A filter in the making.
#[derive(Clone, Debug)]
pub struct Filter {
    allowed: Vec<u32>,
    rules: Vec<sock_filter>,
}

impl Filter {
    /// These calls pass, whatever their arguments are.
    pub fn new(allowed: impl IntoIterator<Item = c_long>) -> Filter {
        Filter { allowed: allowed.into_iter().map(|number| number as u32).collect(), rules: Vec::new() }
    }

    /// This call passes only where all of that holds; else it fails with that error.
    pub fn only(mut self, number: c_long, all: &[Holds], error: c_int) -> Filter {
        let conditions = u8::try_from(2 * all.len()).expect("a call has six arguments");
        self.rules.push(jump(BPF_JEQ, number as u32, 0, conditions + 2));
        for (index, holds) in all.iter().enumerate() {
            // To the failure at the end, over the conditions that are left and the success.
            let fail = conditions - 2 * index as u8 - 1;
            self.rules.extend(match *holds {
                Holds::Is(place, value) => [load(argument(place)), jump(BPF_JEQ, value, 0, fail)],
                Holds::Lacks(place, bits) => [load(argument(place)), jump(BPF_JSET, bits, fail, 0)],
            });
        }
        self.rules.extend([ret(ALLOW), ret(libc::SECCOMP_RET_ERRNO | error as u32)]);
        self
    }

    /// As the kernel takes it.
    pub fn code(&self) -> Vec<sock_filter> {
        let mut code =
            vec![load(ARCHITECTURE), jump(BPF_JEQ, ARCH, 1, 0), ret(libc::SECCOMP_RET_KILL_PROCESS), load(NUMBER)];
        code.extend(&self.rules);
        code.extend(search(&changes(self.allowed.clone())));
        code
    }
}

/// What the kernel would do with a call: enough of BPF for these filters. For tests.
pub fn decide(code: &[sock_filter], number: u32, arguments: [u32; 6]) -> u32 {
    let (mut at, mut loaded) = (0, 0);
    loop {
        let step = code[at];
        at += 1;
        let skip = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
        match u32::from(step.code) {
            code if code == BPF_LD | BPF_W | BPF_ABS => {
                loaded = match step.k {
                    NUMBER => number,
                    ARCHITECTURE => ARCH,
                    offset => arguments[(offset as usize - 16) / 8],
                }
            }
            code if code == BPF_JMP | BPF_JEQ | BPF_K => at += skip(loaded == step.k),
            code if code == BPF_JMP | BPF_JGE | BPF_K => at += skip(loaded >= step.k),
            code if code == BPF_JMP | BPF_JSET | BPF_K => at += skip(loaded & step.k != 0),
            code => {
                assert_eq!(code, BPF_RET | BPF_K);
                return step.k;
            }
        }
    }
}

/// Installs a filter on this thread, which can gain no rights from then on. Does system calls and
/// nothing else.
///
/// # Errors
/// What the kernel says.
pub fn install(code: &[sock_filter]) -> Result<(), c_int> {
    let filter = libc::sock_fprog { len: code.len() as u16, filter: code.as_ptr().cast_mut() };
    // SAFETY: numbers, and a filter that is read during the call.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1 as libc::c_ulong, 0, 0, 0) != 0
            || libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const filter) != 0
        {
            return Err(*libc::__errno_location());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls;

    const EPERM: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;

    #[test]
    fn listed_calls_pass_and_no_others() {
        let code = Filter::new(calls::program()).code();
        for number in (0..2000).chain([0x4000_0000, 0x4000_0001, u32::MAX]) {
            let listed = calls::program().any(|listed| listed as u32 == number);
            assert_eq!(decide(&code, number, [0; 6]), if listed { ALLOW } else { NO_SUCH_CALL }, "{number}");
        }
    }

    #[test]
    fn arguments_decide() {
        let filter = Filter::new([1]).only(5, &[Holds::Is(0, 7), Holds::Lacks(2, 0x30)], libc::EPERM);
        let code = filter.only(6, &[Holds::Is(4, 0)], libc::EPERM).code();
        assert_eq!(decide(&code, 5, [7, 0, 0xf, 0, 0, 0]), ALLOW);
        assert_eq!(decide(&code, 5, [8, 0, 0xf, 0, 0, 0]), EPERM);
        assert_eq!(decide(&code, 5, [7, 0, 0x1f, 0, 0, 0]), EPERM);
        assert_eq!(decide(&code, 6, [7, 0, 0, 0, 0, 0]), ALLOW);
        assert_eq!(decide(&code, 6, [7, 0, 0, 0, 1, 0]), EPERM);
        assert_eq!(decide(&code, 1, [9; 6]), ALLOW);
        assert_eq!(decide(&code, 7, [9; 6]), NO_SUCH_CALL);
    }
}
