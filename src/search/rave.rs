//! RAVE back-up: the moves a side made after a node count for the node's children.
//!
//! The children of most nodes are all legal moves, in rising order. So the moves that were made,
//! a bit set, need only be squeezed together to the legal ones to become a mask over the columns:
//! child `i` is hit if bit `i` is set.

use std::hint::select_unpredictable;

use crate::bits::lanes::{LANES, LaneKernel, Lanes};
use crate::bits::{Isa, squeeze};
use crate::tree::RaveCount;

/// Words of the widest set of moves.
const MOST_WORDS: usize = 8;

/// The bit that one more visit than a full count has would set.
const FULL_BIT: u32 = RaveCount::FULL.trailing_ones();

/// What the children of a node gain from one playout.
pub struct RaveGain<'a> {
    /// The legal moves at the node, and how many they are.
    pub legal: &'a [u64],
    pub legal_count: usize,
    /// For each side, the moves it made and what each of them gains.
    pub made: [(&'a [u64], RaveCount); 2],
}

impl RaveGain<'_> {
    /// Adds the gain to the children of a node.
    #[inline]
    pub fn add(&self, isa: Isa, moves: &[u16], rave: &mut [RaveCount]) {
        isa.run_lanes(AddGain { gain: self, moves, rave, squeezes: isa.can_squeeze() });
    }
}

/// The addition as work for an instruction set.
struct AddGain<'a> {
    gain: &'a RaveGain<'a>,
    moves: &'a [u16],
    rave: &'a mut [RaveCount],
    squeezes: bool,
}

impl LaneKernel for AddGain<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let is_full = if self.gain.legal_count == self.rave.len() {
            self.add_to_column::<L>()
        } else {
            self.add_one_by_one()
        };
        if is_full {
            for count in self.rave {
                *count = if count.visits() >= RaveCount::FULL { count.halved() } else { *count };
            }
        }
    }
}

impl AddGain<'_> {
    /// For nodes with all the legal moves. Whether a count is full now.
    #[inline(always)]
    fn add_to_column<L: Lanes>(&mut self) -> bool {
        match self.gain.legal.len() {
            _ if self.rave.len() < LANES => self.add_one_by_one(),
            1 => self.add_squeezed::<L, 1>(),
            2 => self.add_squeezed::<L, 2>(),
            4 => self.add_squeezed::<L, 4>(),
            8 => self.add_squeezed::<L, 8>(),
            _ => self.add_one_by_one(),
        }
    }

    /// The same for sets of so many words.
    #[inline(always)]
    fn add_squeezed<L: Lanes, const W: usize>(&mut self) -> bool {
        let [(first_made, first_gain), (second_made, second_gain)] = self.gain.made;
        let legal: &[u64; W] = words(self.gain.legal);
        let first_hit = children_hit(legal, words(first_made), self.squeezes);
        let second_hit = children_hit(legal, words(second_made), self.squeezes);
        let gains = [L::ints(first_gain.0 as i32), L::ints(second_gain.0 as i32)];
        let rave = RaveCount::numbers_mut(self.rave);
        let mut full = L::ints(0);
        let count = rave.len();
        for (at, piece) in rave.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let (word, shift) = (at / 8, at % 8 * 8);
            let hits = [first_hit[word] >> shift, second_hit[word] >> shift];
            full = L::or_ints(full, add_to_eight::<L>(piece, hits, gains));
        }
        if !count.is_multiple_of(LANES) {
            // The last eight children; the first few of them have had their gain.
            let kept = 0xff << (LANES - count % LANES);
            let from = count - LANES;
            let hits = [bits_from(&first_hit, from) & kept, bits_from(&second_hit, from) & kept];
            let piece = rave.last_chunk_mut().expect("there are eight");
            full = L::or_ints(full, add_to_eight::<L>(piece, hits, gains));
        }
        L::has_bit(full, FULL_BIT)
    }

    /// For nodes with some of the legal moves only. Whether a count is full now.
    #[inline(always)]
    fn add_one_by_one(&mut self) -> bool {
        let [(first_made, first_gain), (second_made, second_gain)] = self.gain.made;
        let mut words = [[0; 2]; MOST_WORDS];
        for (word, (first, second)) in words.iter_mut().zip(first_made.iter().zip(second_made)) {
            *word = [*first, *second];
        }
        let mut full = 0;
        for (count, number) in self.rave.iter_mut().zip(self.moves) {
            let [first, second] = words[*number as usize / 64 % MOST_WORDS];
            let bit = number % 64;
            // Half of the moves were made: a branch would be mispredicted as often.
            count.0 += select_unpredictable(first >> bit & 1 != 0, first_gain.0, 0);
            count.0 += select_unpredictable(second >> bit & 1 != 0, second_gain.0, 0);
            full |= count.0 + 1;
        }
        full >> FULL_BIT & 1 != 0
    }
}

#[inline(always)]
fn words<const W: usize>(set: &[u64]) -> &[u64; W] {
    set.first_chunk().expect("sets of a game have the same length")
}

/// The moves made as bits over the children. (There are fewer moves than bits.)
#[inline(always)]
fn children_hit<const W: usize>(
    legal: &[u64; W],
    made: &[u64; W],
    squeezes: bool,
) -> [u64; MOST_WORDS + 2] {
    let mut hits = [0; MOST_WORDS + 2];
    let mut child = 0;
    for word in 0..W {
        let squeezed = squeeze(made[word], legal[word], squeezes);
        let (at, bit) = (child / 64 % (MOST_WORDS + 1), child % 64);
        hits[at] |= squeezed << bit;
        // The first shift by one keeps a shift by 64 from being asked for.
        hits[at + 1] |= squeezed >> 1 >> (63 - bit);
        child += legal[word].count_ones() as usize;
    }
    hits
}

/// Sixty-four bits from a child on.
#[inline(always)]
fn bits_from(hits: &[u64; MOST_WORDS + 2], child: usize) -> u64 {
    let (at, bit) = (child / 64 % (MOST_WORDS + 1), child % 64);
    hits[at] >> bit | hits[at + 1] << 1 << (63 - bit)
}

/// Adds what each side's moves gain to the counts that they hit. Gives back the counts with one
/// visit more, for [`FULL_BIT`].
#[inline(always)]
fn add_to_eight<L: Lanes>(
    counts: &mut [u32; LANES],
    hits: [u64; 2],
    gains: [L::Ints; 2],
) -> L::Ints {
    let first = L::only(L::of_bits(hits[0] as u32), gains[0]);
    let second = L::only(L::of_bits(hits[1] as u32), gains[1]);
    let sum = L::add_ints(L::load_ints(counts), L::add_ints(first, second));
    L::store_ints(sum, counts);
    L::add_ints(sum, L::ints(1))
}
