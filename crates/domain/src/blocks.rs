//! Intervals as unions of known bits, which is how bitwise operators get at them.
//!
//! An interval is a union of at most 2w aligned blocks, and an aligned block is a set of known bits: its first bits are known, the others free. And, or and xor
//! are exact on known bits, forward and backward, so on intervals they are exact too, up to the number of pieces.

use crate::known_bits::KnownBits;
use crate::list::Buffer;
use crate::strided::Strided;
use crate::word::mask;

/// Blocks that a set is cut into at most.
pub(crate) const BLOCKS: usize = 24;

/// A union of known bits.
pub(crate) type Blocks = Buffer<KnownBits, 4>;

/// Adds the blocks of a piece that does not wrap; false if there would be too many, or the stride is no power of two (then they would cover
/// more than the piece).
pub(crate) fn cut(width: u32, piece: &Strided, blocks: &mut Blocks) -> bool {
    let stride = piece.stride.max(1);
    if !stride.is_power_of_two() {
        return false;
    }
    let shift = stride.trailing_zeros();
    let last = piece.lo & mask(shift);
    let (mut lo, hi) = (piece.lo >> shift, piece.hi >> shift);
    loop {
        if blocks.len() == BLOCKS {
            return false;
        }
        let span = hi - lo;
        let fit = if span == u64::MAX { 64 } else { 63 - (span + 1).leading_zeros() };
        let free = lo.trailing_zeros().min(fit);
        let unknown = mask(free) << shift;
        let value = lo << shift | last;
        blocks.push(KnownBits::new(width, !value & !unknown, value));
        let end = lo + mask(free);
        if end >= hi {
            return true;
        }
        lo = end + 1;
    }
}

/// Calls `visit` with `base | part` for each part of the bits of `free`, ascending.
pub(crate) fn parts(base: u64, free: u64, mut visit: impl FnMut(u64)) {
    let mut part = 0u64;
    loop {
        visit(base | part);
        part = part.wrapping_sub(free) & free;
        if part == 0 {
            return;
        }
    }
}
