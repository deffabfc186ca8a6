//! Seeded numbers for the harnesses of this crate and of others: the same seed gives the same run on every machine.

use crate::bits::Bits;

/// A source of pseudo-random numbers (SplitMix64): the same seed gives the same run.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n as u64) as usize
    }

    /// A number below `n`, as a width or a count.
    pub fn draw(&mut self, n: u32) -> u32 {
        (self.number() % u64::from(n.max(1))) as u32
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.draw(n) == 0
    }

    /// One of the choices.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// A constant of this width, more often than not one near a border where rules go wrong.
    pub fn constant(&mut self, width: u32) -> Bits {
        let power = |k: usize| Bits::one(width).shl(&Bits::new(64, k as u64));
        let small = Bits::new(width, self.number() % 8);
        match self.below(10) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::min_signed(width),
            3 => Bits::min_signed(width).not(),
            4 => power(self.below(width as usize)),
            5 => power(self.below(width as usize)).sub(&Bits::one(width)),
            6 => small,
            7 => small.not(),
            _ => {
                let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.number()).collect();
                Bits::from_words(width, &words)
            }
        }
    }
}
