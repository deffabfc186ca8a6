//! The values of a term over one byte, and where each is met: who asks what values are left then looks at each value once, not at each byte.

use strata_domain::ByteSet;

/// Values that are told apart, at most.
const PARTS: usize = 64;

/// Each value with the bytes that give it.
pub struct Parts(Box<[(u64, ByteSet)]>);

impl Parts {
    /// By values of the byte; `None` if there are many.
    pub fn of(value: impl Fn(u8) -> u64) -> Option<Parts> {
        let mut parts: Vec<(u64, [u64; 4])> = Vec::with_capacity(PARTS);
        let mut last = 0;
        for byte in 0..=255u8 {
            let value = value(byte);
            if parts.get(last).is_none_or(|(known, _)| *known != value) {
                last = parts.iter().position(|(known, _)| *known == value).unwrap_or(parts.len());
                if last == PARTS {
                    return None;
                }
                if last == parts.len() {
                    parts.push((value, [0; 4]));
                }
            }
            parts[last].1[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
        Some(Parts(parts.into_iter().map(|(value, words)| (value, ByteSet::of_words(words))).collect()))
    }

    /// The values that some of these bytes give, with those that do.
    pub fn within(&self, bytes: &ByteSet) -> impl Iterator<Item = (u64, ByteSet)> {
        self.0.iter().filter_map(|(value, set)| Some((*value, set.common(bytes)?)))
    }
}
