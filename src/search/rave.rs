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
        let [(first_made, first_gain), (second_made, second_gain)] = self.gain.made;
        let hits = [
            children_hit(self.gain.legal, first_made, self.squeezes),
            children_hit(self.gain.legal, second_made, self.squeezes),
        ];
        let gains = [L::ints(first_gain.0 as i32), L::ints(second_gain.0 as i32)];
        let (pieces, rest) = RaveCount::numbers_mut(self.rave).as_chunks_mut::<LANES>();
        let mut full = L::ints(0);
        for (at, piece) in pieces.iter_mut().enumerate() {
            let first = L::only(L::of_bits(byte_of(&hits[0], at)), gains[0]);
            let second = L::only(L::of_bits(byte_of(&hits[1], at)), gains[1]);
            let counts = L::add_ints(L::load_ints(piece), L::add_ints(first, second));
            L::store_ints(counts, piece);
            full = L::or_ints(full, L::add_ints(counts, L::ints(1)));
        }
        let mut is_full = L::has_bit(full, FULL_BIT);
        let (first, second) = (byte_of(&hits[0], pieces.len()), byte_of(&hits[1], pieces.len()));
        for (lane, count) in rest.iter_mut().enumerate() {
            *count += select_unpredictable(first >> lane & 1 != 0, first_gain.0, 0);
            *count += select_unpredictable(second >> lane & 1 != 0, second_gain.0, 0);
            is_full |= (*count + 1) >> FULL_BIT & 1 != 0;
        }
        is_full
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

/// The moves made as bits over the children.
#[inline(always)]
fn children_hit(legal: &[u64], made: &[u64], squeezes: bool) -> [u64; MOST_WORDS + 1] {
    let mut hits = [0; MOST_WORDS + 1];
    let mut child = 0;
    for word in 0..legal.len() {
        let squeezed = squeeze(made[word], legal[word], squeezes);
        // The first shift by one keeps a shift by 64 from being asked for.
        hits[child / 64] |= squeezed << (child % 64);
        hits[child / 64 + 1] |= squeezed >> 1 >> (63 - child % 64);
        child += legal[word].count_ones() as usize;
    }
    hits
}

/// Eight bits, for the children of one piece of a column.
#[inline(always)]
fn byte_of(hits: &[u64; MOST_WORDS + 1], piece: usize) -> u32 {
    (hits[piece / 8] >> (8 * (piece % 8))) as u32 & 0xff
}
