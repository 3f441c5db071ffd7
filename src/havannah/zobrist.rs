//! Zobrist keys: one pseudo-random word per stone, computed from colour and cell; there is no table.
//! Cells are named by ordinal, so a hash does not depend on the layout of the board.

use super::rules::Colour;

/// Part of the hash if Black is to move.
pub const BLACK_TO_MOVE: u64 = mix(0);

/// The key of a stone, by the ordinal of its cell.
#[inline(always)]
pub const fn key(colour: Colour, ordinal: u16) -> u64 {
    mix(1 + 2 * ordinal as u64 + colour.index() as u64)
}

/// The output function of SplitMix64 (Steele, Lea and Flood 2014).
const fn mix(n: u64) -> u64 {
    let z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
