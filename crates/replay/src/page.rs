//! The page that a native program shares with us: where its runtime counts branches and leaves a message.
//!
//! The program finds it as descriptor 199 and its test as descriptor 198. The layout is a contract with the native runtime: seven
//! 64-bit numbers in the machine's order (magic, stop_at, count, hash, hash_at_stop, assume_failed, end_kind), then a message of up to
//! 256 bytes that ends at the first zero; its last three numbers are unasked, placing and leave. We write the first two and the last two and read the
//! rest. The page is read and written through its descriptor and sealed against resizing: a mapping that a hostile program cuts short
//! would kill us.

use crate::{Input, Leave, Placing};

/// Where the program finds its test.
pub(crate) const TEST_DESCRIPTOR: i32 = 198;
/// Where it finds the page.
pub(crate) const PAGE_DESCRIPTOR: i32 = 199;
/// The size of the page.
pub(crate) const SIZE: usize = 4096;

const MAGIC: u64 = 0x3174_726f_7065_7253;
const MESSAGE: usize = 7 * 8;
/// The number of the word that says where memory lies; the next one says when to leave, the one before how many inputs were not asked for.
const PLACING: usize = SIZE / 8 - 2;

/// What the runtime left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Branches taken.
    pub count: u64,
    /// Hash over them.
    pub hash: u64,
    /// That hash when there were as many as predicted.
    pub hash_at_stop: u64,
    /// An assumption did not hold.
    pub assume_failed: bool,
    /// What else the runtime has to say.
    pub note: Note,
    /// In its words.
    pub message: String,
    /// Inputs of the test that the program has not asked for.
    pub unasked: u64,
}

/// The runtime's word on how it ends (`end_kind`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Note {
    /// 0: nothing.
    #[default]
    None,
    /// 1: an assumption does not hold.
    Assume,
    /// 2: the program asks for an object that the test does not have, or of another size: the test is of another program.
    Foreign,
    /// 3: the program asks for an object, and there is no test.
    NoTest,
    /// 4: the program reported an error through an intrinsic; the message says which.
    Reported,
    /// 5: it aborted through an intrinsic.
    Abort,
    /// 6: the path ends silently, by an intrinsic.
    Silent,
    /// 7: a pointer was freed that cannot be.
    Heap,
    /// 8: it took more branches than were predicted, and was to be left there.
    Left,
    /// Anything else.
    Unknown(u64),
}

/// The page as the program finds it.
pub(crate) fn fresh(input: &Input) -> [u8; SIZE] {
    let placing = match input.placing {
        Placing::Guarded => 0,
        Placing::Modelled => 1,
        Placing::Padded => 2,
        Placing::Exact => 3,
    };
    let leave = match input.leave {
        Leave::AtItsEnd => 0,
        Leave::BeyondThePath => 1,
    };
    let mut page = [0; SIZE];
    for (at, number) in [(0, MAGIC), (1, input.branches), (PLACING, placing), (PLACING + 1, leave)] {
        page[8 * at..8 * at + 8].copy_from_slice(&number.to_ne_bytes());
    }
    page
}

impl Page {
    /// Reads the page as the program left it.
    pub(crate) fn parse(page: &[u8; SIZE]) -> Page {
        let field = |at: usize| u64::from_ne_bytes(std::array::from_fn(|byte| page[at * 8 + byte]));
        let note = match field(6) {
            0 => Note::None,
            1 => Note::Assume,
            2 => Note::Foreign,
            3 => Note::NoTest,
            4 => Note::Reported,
            5 => Note::Abort,
            6 => Note::Silent,
            7 => Note::Heap,
            8 => Note::Left,
            other => Note::Unknown(other),
        };
        let message = &page[MESSAGE..MESSAGE + 256];
        let message = message.split(|&byte| byte == 0).next().unwrap_or_default();
        Page {
            count: field(2),
            hash: field(3),
            hash_at_stop: field(4),
            assume_failed: field(5) != 0,
            note,
            message: String::from_utf8_lossy(message).into_owned(),
            unasked: field(PLACING - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_finds_what_is_asked_of_it() {
        let words = |input: &Input| {
            let page = fresh(input);
            let word = |at: usize| u64::from_ne_bytes(std::array::from_fn(|byte| page[at * 8 + byte]));
            [word(0), word(1), word(2), word(510), word(511)]
        };
        assert_eq!(words(&Input { branches: 7, ..Input::default() }), [MAGIC, 7, 0, 0, 0]);
        let other = Input { placing: Placing::Padded, leave: Leave::BeyondThePath, ..Input::default() };
        assert_eq!(words(&other), [MAGIC, 0, 0, 2, 1]);
    }
}
