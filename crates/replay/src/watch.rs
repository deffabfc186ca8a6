//! What a program takes that no limit of the kernel's bounds: the memory of all jobs together,
//! and room in the folder that is kept.
//!
//! A limit on address space holds for one program, and several run at once. A cgroup would bound
//! their sum, but ordinary users and containers have none to give. So each program has a share,
//! and it is looked at while it runs. Between two looks a program can take some hundred megabytes
//! more; a machine has that.

use crate::refusal::Refusal;
use crate::sandbox::Kept;
use crate::sweep;
use libc::c_int;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Between two looks at memory: a program takes about ten gigabytes a second.
const PAUSE: Duration = Duration::from_millis(20);
/// Between two looks at the folder, which costs more the more files are in it.
const LONG_PAUSE: Duration = Duration::from_millis(500);

/// One sandbox under observation.
#[derive(Debug)]
pub(crate) struct Watch {
    /// Where the kernel says which processes the supervisor has.
    children: String,
    resident: u64,
    folder: Option<(PathBuf, u64)>,
    quota: u64,
    looked: Instant,
    measured: Instant,
}

impl Watch {
    /// Watches what this supervisor starts.
    pub fn new(supervisor: c_int, resident: u64, kept: Option<&Kept>) -> Watch {
        let folder = kept.map(|kept| (kept.outside.clone(), sweep::size(&kept.outside)));
        let (quota, now) = (kept.map_or(0, |kept| kept.quota), Instant::now());
        let children = format!("/proc/{supervisor}/task/{supervisor}/children");
        Watch { children, resident, folder, quota, looked: now, measured: now }
    }

    /// How long to wait for something to happen before the next look, in milliseconds.
    pub fn pause(&self) -> c_int {
        PAUSE.as_millis() as c_int
    }

    /// What the program has too much of, if it is time to look.
    pub fn look(&mut self) -> Option<Refusal> {
        let now = Instant::now();
        if now.duration_since(self.looked) >= PAUSE {
            self.looked = now;
            if self.memory() > self.resident {
                return Some(Refusal::Memory(self.resident));
            }
        }
        let (folder, before) = self.folder.as_ref()?;
        if now.duration_since(self.measured) >= LONG_PAUSE {
            let size = sweep::size(folder);
            self.measured = Instant::now();
            if size.saturating_sub(*before) > self.quota {
                return Some(Refusal::Quota(folder.clone(), self.quota));
            }
        }
        None
    }

    /// The memory of all processes in the sandbox. What cannot be read counts for nothing: its
    /// address space is limited.
    fn memory(&self) -> u64 {
        let processes = fs::read_to_string(&self.children).unwrap_or_default();
        let pages = |process: &str| {
            let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
            text.split(' ').nth(1)?.parse::<u64>().ok()
        };
        // SAFETY: gives a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.unsigned_abs();
        processes.split_whitespace().filter_map(pages).sum::<u64>().saturating_mul(page)
    }
}
