//! Random numbers: one seeded generator, with one stream for each thread.
//!
//! - The generator is xoshiro256++ (Blackman and Vigna). Streams of one seed are 2^128 draws apart.
//! - A bounded draw multiplies a 32-bit word by the bound and keeps the high half. It has no branch.
//!   The probability of a value is off by at most `bound / 2^32`: under one in ten million for a board.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Stream `index` of a seed. Stream 0 is `new(seed)`.
    pub fn stream(seed: u64, index: usize) -> Self {
        let mut rng = Self::new(seed);
        (0..index).for_each(|_| rng.0.jump());
        rng
    }

    #[inline(always)]
    pub fn next_word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        scale((self.next_word() >> 32) as u32, bound)
    }

    /// A number from 0 (inclusive) to 1 (exclusive), with 24 random bits.
    #[inline(always)]
    pub fn unit(&mut self) -> f32 {
        (self.next_word() >> 40) as f32 / (1 << 24) as f32
    }

    /// A number below `first` and a number below `second`, from one random word.
    #[inline(always)]
    pub fn below_two(&mut self, first: u32, second: u32) -> (u32, u32) {
        let word = self.next_word();
        (scale((word >> 32) as u32, first), scale(word as u32, second))
    }
}

#[inline(always)]
fn scale(word: u32, bound: u32) -> u32 {
    ((u64::from(word) * u64::from(bound)) >> 32) as u32
}
