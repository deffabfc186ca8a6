//! LLVM's work, in a process of its own: bitcode comes from strangers, and LLVM may crash on it.
//!
//! What LLVM made comes back as bytes. A hostile module that took LLVM over can hand back a wrong
//! program of our own form, no more: the program is verified here before anything runs it.

use crate::Outcome;
use crate::run::Refusal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use strata_frontend_llvm::Error;
use strata_sandbox::{Bounds, Ended};

/// Processor time for any module, in seconds, and the bytes for which there is a second more.
/// LLVM needs a second for a megabyte or two, so only what is made to hang meets the limit.
const SECONDS: u64 = 30;
const BYTES_A_SECOND: usize = 50_000;

/// Memory for any module, in bytes, and for each byte of it. LLVM and the program that is made of
/// it need some fifty.
const MEMORY: u64 = 4 << 30;
const MEMORY_A_BYTE: u64 = 500;

/// Does the work, which is about the program of this name and so many bytes.
pub(crate) fn apart<T: Serialize + DeserializeOwned>(
    name: &str,
    bytes: usize,
    work: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Refusal> {
    let bounds = Bounds {
        seconds: SECONDS + (bytes / BYTES_A_SECOND) as u64,
        memory: MEMORY.saturating_add((bytes as u64).saturating_mul(MEMORY_A_BYTE)),
    };
    let bytes =
        strata_sandbox::apart(bounds, |out| postcard::to_io(&work(), out).map(|_| ()).map_err(io::Error::other));
    let bytes = bytes.map_err(|ended| refuse(name, ended))?;
    let made: Result<T, Error> = postcard::from_bytes(&bytes)
        .map_err(|error| Refusal::bad(format!("{name}: what LLVM made of it cannot be read: {error}")))?;
    made.map_err(|error| Refusal::bad(error.to_string()))
}

/// The signal that ends what has used up its processor time.
const TOO_LONG: i32 = signal_hook::consts::SIGXCPU;

fn refuse(name: &str, ended: Ended) -> Refusal {
    match ended {
        Ended::Crashed(TOO_LONG, _) => Refusal::bad(format!(
            "{name}: LLVM takes too long to read it; the bitcode is damaged, or LLVM has a bug: make it again, with clang 22 or older"
        )),
        Ended::Crashed(signal, said) => {
            let said = if said.is_empty() { String::new() } else { format!(": {said}") };
            Refusal::bad(format!(
                "{name}: LLVM crashed on it (signal {signal}{said}); the bitcode is damaged, or LLVM has a bug: make it \
                 again, with clang 22 or older"
            ))
        }
        Ended::Failed(said) => {
            let text =
                format!("{said}\nthis is a fault of strata itself; please report it with the input that shows it");
            Refusal(Outcome::OurFault, text)
        }
        Ended::NotStarted(error) => Refusal::bad(format!("{name}: no process can be started to read it: {error}")),
    }
}
