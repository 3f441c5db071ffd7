//! The set type.
//!
//! Every function here is `inline(always)`. A function that is not inlined is compiled without the vector
//! instructions of the kernel that calls it.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};

/// The storage of a set: an array of 64-bit words.
pub trait Words: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    const LEN: usize;
    /// A type with the alignment of the set.
    type Alignment: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    fn zero() -> Self;
    fn words(&self) -> &[u64];
    fn words_mut(&mut self) -> &mut [u64];
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(align(32))]
pub struct Align32;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(align(64))]
pub struct Align64;

macro_rules! words {
    ($($length:literal: $alignment:ty),* $(,)?) => {$(
        impl Words for [u64; $length] {
            const LEN: usize = $length;
            type Alignment = $alignment;

            #[inline(always)]
            fn zero() -> Self {
                [0; $length]
            }

            #[inline(always)]
            fn words(&self) -> &[u64] {
                self
            }

            #[inline(always)]
            fn words_mut(&mut self) -> &mut [u64] {
                self
            }
        }
    )*};
}

// A set as wide as a register must not cross a cache line: reading it soon after it was written would take
// several times as long.
words! {
    1: u64,
    2: u128,
    4: Align32,
    8: Align64,
    16: Align64,
    64: Align64,
}

/// A set of numbers below `64 * A::LEN`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits<A: Words>(A, [A::Alignment; 0]);

impl<A: Words> Bits<A> {
    /// The number of values the set has room for.
    pub const CAPACITY: usize = 64 * A::LEN;

    #[inline(always)]
    pub fn empty() -> Self {
        Self::from_words(A::zero())
    }

    #[inline(always)]
    pub const fn from_words(words: A) -> Self {
        Self(words, [])
    }

    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        self.0.words()
    }

    /// The set with the one member `index`. It is built word by word in a register: a whole-set
    /// operation right after [`insert`](Self::insert) would wait for the stored word to reach memory.
    #[inline(always)]
    pub fn single(index: usize) -> Self {
        let mut set = A::zero();
        for (i, word) in set.words_mut().iter_mut().enumerate() {
            *word = u64::from(i == index / 64) << (index % 64);
        }
        Self::from_words(set)
    }

    #[inline(always)]
    pub fn contains(&self, index: usize) -> bool {
        self.0.words()[index / 64] >> (index % 64) & 1 != 0
    }

    #[inline(always)]
    pub fn insert(&mut self, index: usize) {
        self.0.words_mut()[index / 64] |= 1 << (index % 64);
    }

    #[inline(always)]
    pub fn remove(&mut self, index: usize) {
        self.0.words_mut()[index / 64] &= !(1 << (index % 64));
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.words().iter().fold(0, |any, word| any | word) == 0
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The smallest member.
    #[inline(always)]
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The member with `number` smaller members; `None` if there are not that many.
    #[inline(always)]
    pub fn nth(&self, number: usize) -> Option<usize> {
        let mut left = number;
        for (at, word) in self.words().iter().enumerate() {
            let here = word.count_ones() as usize;
            if left < here {
                let mut rest = *word;
                for _ in 0..left {
                    rest &= rest - 1;
                }
                return Some(64 * at + rest.trailing_zeros() as usize);
            }
            left -= here;
        }
        None
    }

    /// The set itself if the condition holds, otherwise the empty set. Branch-free.
    #[inline(always)]
    pub fn only_if(self, condition: bool) -> Self {
        let mask = u64::from(condition).wrapping_neg();
        self.zip(self, |word, _| word & mask)
    }

    #[cfg(any(test, feature = "internals"))]
    #[inline(always)]
    pub fn is_subset(self, other: Self) -> bool {
        (self - other).is_empty()
    }

    #[inline(always)]
    pub fn is_disjoint(self, other: Self) -> bool {
        (self & other).is_empty()
    }

    /// Adds `by` to every member. Members that reach the capacity are dropped. `by` is from 1 to 63.
    #[inline(always)]
    pub fn shift_up(self, by: usize) -> Self {
        debug_assert!(0 < by && by < 64);
        // Move the words by one place first, then treat all words alike: this compiles to vector code.
        let mut below = A::zero();
        below.words_mut()[1..].copy_from_slice(&self.words()[..A::LEN - 1]);
        self.zip(Self::from_words(below), |word, below| word << by | below >> (64 - by))
    }

    /// Subtracts `by` from every member. Members below `by` are dropped. `by` is from 1 to 63.
    #[inline(always)]
    pub fn shift_down(self, by: usize) -> Self {
        debug_assert!(0 < by && by < 64);
        let mut above = A::zero();
        above.words_mut()[..A::LEN - 1].copy_from_slice(&self.words()[1..]);
        self.zip(Self::from_words(above), |word, above| word >> by | above << (64 - by))
    }

    /// The set shifted by a signed distance, not 0.
    #[inline(always)]
    pub fn shift(self, by: isize) -> Self {
        if by > 0 { self.shift_up(by as usize) } else { self.shift_down(by.unsigned_abs()) }
    }

    /// The members in ascending order.
    #[inline(always)]
    pub fn iter(&self) -> Iter<A> {
        Iter { rest: self.0, word: 0 }
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = self.0;
        for (word, other) in words.words_mut().iter_mut().zip(other.words()) {
            *word = f(*word, *other);
        }
        Self::from_words(words)
    }
}

impl<A: Words> Default for Bits<A> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<A: Words> std::fmt::Debug for Bits<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<A: Words> FromIterator<usize> for Bits<A> {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> Self {
        let mut set = Self::empty();
        members.into_iter().for_each(|index| set.insert(index));
        set
    }
}

/// Packs bytes of 0 or 1 into bits, byte 0 first. At most 64 bytes, a multiple of 8.
#[inline(always)]
pub fn bits_of<const N: usize>(bytes: &[u8; N]) -> u64 {
    let mut word = 0;
    for (place, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // The product collects eight bytes of 0 or 1 as eight bits in its highest byte.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= bits << (8 * place);
    }
    word
}

macro_rules! set_operator {
    ($trait:ident $method:ident, $assign:ident $assign_method:ident, $f:expr) => {
        impl<A: Words> $trait for Bits<A> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, $f)
            }
        }

        impl<A: Words> $assign for Bits<A> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.zip(other, $f);
            }
        }
    };
}

set_operator!(BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b);
set_operator!(BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b);
set_operator!(BitXor bitxor, BitXorAssign bitxor_assign, |a, b| a ^ b);
set_operator!(Sub sub, SubAssign sub_assign, |a, b| a & !b);

/// Iterates over the members of a set in ascending order.
#[derive(Clone)]
pub struct Iter<A> {
    rest: A,
    word: usize,
}

impl<A: Words> Iterator for Iter<A> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let words = self.rest.words_mut();
        while self.word < A::LEN {
            let word = &mut words[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(64 * self.word + bit);
            }
            self.word += 1;
        }
        None
    }
}

impl<A: Words> IntoIterator for Bits<A> {
    type Item = usize;
    type IntoIter = Iter<A>;

    #[inline(always)]
    fn into_iter(self) -> Iter<A> {
        self.iter()
    }
}
