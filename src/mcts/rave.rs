//! RAVE back-up: a move that a side made after a node counts for the node's child with this move.
//!
//! The children of most nodes are all legal moves, in rising order. So the bit set of the moves made,
//! squeezed to the bits of the legal moves (PEXT), is a mask over the column: child `i` gains if bit `i`
//! is set. Counts are halved before they overflow, also if other threads add to them.

use std::hint::select_unpredictable;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::parallel::OwnBlocks;
use super::score::MOST_WORDS;
use crate::bits::lanes::{LANES, LaneKernel, Lanes};
use crate::bits::squeeze_pair;
use crate::game::{Move, MoveWords};
use crate::params::RaveMoves;
use crate::tree::{NodeRef, RaveCount, Tree};

/// The bit that is set if a full count gains one visit.
const FULL_BIT: u32 = RaveCount::FULL.trailing_ones();

/// The back-up of one playout along a path, as a lane kernel.
pub struct RaveBackUp<'a> {
    pub tree: &'a Tree,
    /// The thread's own counts, if other threads are in the tree.
    pub own_blocks: &'a OwnBlocks,
    pub path: &'a [NodeRef],
    pub line: &'a [Move],
    /// The first level that gains.
    pub from_level: usize,
    /// The legal moves at the leaf, and the number of legal moves at the root.
    pub legal: MoveWords,
    pub legal_count: usize,
    /// The number of words that can contain moves.
    pub words: usize,
    /// For each side, the moves it made, and what a child gains by each of them.
    pub made: [MoveWords; 2],
    pub gain: [RaveCount; 2],
    /// Whether the moves of both sides count, or only those of the side to move.
    pub counted: RaveMoves,
    /// The side to move at the root.
    pub root_side: usize,
    /// Whether the code may use the instruction that squeezes a word.
    pub squeezes: bool,
}

impl LaneKernel for RaveBackUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let others = others(self.tree.threads());
        let mut level = self.path.len();
        while level > self.from_level {
            level -= 1;
            let place = self.path[level];
            let number = self.line[level].number();
            self.legal[number / 64] |= 1 << (number % 64);
            let mut gain = self.gain;
            if self.counted == RaveMoves::Own {
                gain[1 - (self.root_side ^ (level & 1))] = RaveCount::default();
            }
            let block = self.own_blocks.block(self.tree, place.block);
            let (moves, rave) = (block.moves, block.rave_cells());
            let has_all_moves = self.legal_count == rave.len() + level;
            let is_full = if !has_all_moves || rave.len() < LANES {
                add_one_by_one(moves, rave, &self.made, gain, others)
            } else if rave.len() <= 64 {
                // As few words as possible: a single one stays in a register.
                let hits = children_hit(&self.legal, &self.made, self.words, self.squeezes);
                add_to_column::<L, 1>(rave, hits, gain, others)
            } else if rave.len() <= 128 {
                let hits = children_hit(&self.legal, &self.made, self.words, self.squeezes);
                add_to_column::<L, 2>(rave, hits, gain, others)
            } else {
                let hits = children_hit(&self.legal, &self.made, self.words, self.squeezes);
                add_to_column::<L, MOST_WORDS>(rave, hits, gain, others)
            };
            if is_full {
                for cell in rave {
                    let count = RaveCount(cell.load(Relaxed));
                    if count.visits() + others >= RaveCount::FULL {
                        cell.store(count.halved().0, Relaxed);
                    }
                }
            }
        }
    }
}

/// The visits that other threads may add to a count. Each may add one before a full count is halved, and
/// store another that it read before.
#[inline(always)]
fn others(threads: usize) -> u32 {
    2 * (threads as u32 - 1)
}

/// Adds the gains of a thread for the children of a node to the counts of the tree, and clears the
/// gains. A count that another thread adds between the load and the store is lost, as in all RAVE
/// back-ups.
pub fn gather(gathered: &[AtomicU32], all: &[AtomicU32], threads: usize) {
    let others = others(threads);
    for (own, cell) in gathered.iter().zip(all) {
        let own = RaveCount(own.swap(0, Relaxed));
        if own == RaveCount::default() {
            continue;
        }
        let count = RaveCount(cell.load(Relaxed));
        let is_full = count.visits() + own.visits() + others >= RaveCount::FULL;
        cell.store(if is_full { count.halved().0 } else { count.0 } + own.0, Relaxed);
    }
}

/// For each side, the moves it made as bits over the children of a node that has all legal moves.
#[inline(always)]
fn children_hit<const N: usize>(
    legal: &MoveWords,
    made: &[MoveWords; 2],
    words: usize,
    squeezes: bool,
) -> [[u64; N]; 2] {
    let words = words.min(legal.len());
    squeeze_pair(words, |word| legal[word], |side, word| made[side][word], squeezes)
}

/// For nodes with all legal moves. Returns whether a count is full now.
#[inline(always)]
fn add_to_column<L: Lanes, const N: usize>(
    rave: &[AtomicU32],
    hits: [[u64; N]; 2],
    gain: [RaveCount; 2],
    others: u32,
) -> bool {
    let margin = L::ints(1 + others as i32);
    let gains = [L::ints(gain[0].0 as i32), L::ints(gain[1].0 as i32)];
    let mut full = L::ints(0);
    let count = rave.len();
    for (at, piece) in rave.as_chunks::<LANES>().0.iter().enumerate() {
        let (word, shift) = (at / 8 % N, at % 8 * 8);
        let bits = [hits[0][word] >> shift, hits[1][word] >> shift];
        full = L::or_ints(full, add_to_eight::<L>(piece, bits, gains, margin));
    }
    if !count.is_multiple_of(LANES) {
        // The last eight children. Those that already had their gain are masked out.
        let kept = 0xff << (LANES - count % LANES);
        let bits =
            [bits_from(&hits[0], count - LANES) & kept, bits_from(&hits[1], count - LANES) & kept];
        let piece = rave.last_chunk().expect("there are eight");
        full = L::or_ints(full, add_to_eight::<L>(piece, bits, gains, margin));
    }
    L::has_bit(full, FULL_BIT)
}

/// The bits from a child on: at least eight.
#[inline(always)]
fn bits_from<const N: usize>(hits: &[u64; N], child: usize) -> u64 {
    let (at, bit) = (child / 64 % N, child % 64);
    let next = if N == 1 { 0 } else { hits[(at + 1) % N] };
    hits[at] >> bit | next << 1 << (63 - bit)
}

/// Adds the gains of each side to the counts whose bit is set. Returns the counts plus a margin of
/// visits, to be tested for [`FULL_BIT`].
#[inline(always)]
fn add_to_eight<L: Lanes>(
    counts: &[AtomicU32; LANES],
    bits: [u64; 2],
    gains: [L::Ints; 2],
    margin: L::Ints,
) -> L::Ints {
    let first = L::only(L::of_bits(bits[0] as u32), gains[0]);
    let second = L::only(L::of_bits(bits[1] as u32), gains[1]);
    let sum = L::add_ints(L::load_cells(counts), L::add_ints(first, second));
    L::store_cells(sum, counts);
    L::add_ints(sum, margin)
}

#[inline(always)]
fn has(moves: &MoveWords, number: usize) -> bool {
    moves[number / 64] >> (number % 64) & 1 != 0
}

/// For nodes with only some of the legal moves. Returns whether a count is full now.
#[inline(always)]
fn add_one_by_one(
    moves: &[u16],
    rave: &[AtomicU32],
    made: &[MoveWords; 2],
    gain: [RaveCount; 2],
    others: u32,
) -> bool {
    let mut full = 0;
    for (cell, number) in rave.iter().zip(moves) {
        let hit = [has(&made[0], *number as usize), has(&made[1], *number as usize)];
        // About half of the moves were made: a branch would be mispredicted as often.
        let mut count = cell.load(Relaxed);
        count = count.wrapping_add(select_unpredictable(hit[0], gain[0].0, 0));
        count = count.wrapping_add(select_unpredictable(hit[1], gain[1].0, 0));
        cell.store(count, Relaxed);
        full |= count.wrapping_add(1 + others);
    }
    full >> FULL_BIT & 1 != 0
}

#[cfg(test)]
mod tests;
