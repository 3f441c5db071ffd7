//! Questions about neighbours: for one cell by table, for the whole board by shifts of bit sets.
//! Neighbour bits are always in the cyclic order of the directions.

use super::geometry::Cell;
use super::width::{Layout, Set, Width};
use crate::bits::Words;

/// The groups among six neighbour bits in cyclic order.
#[derive(Clone, Copy, Debug)]
pub struct LocalGroups {
    /// The number of runs of adjacent neighbours: 0 to 3.
    pub count: u8,
    /// One direction into each group.
    pub directions: [u8; 3],
}

/// Indexed by the six neighbour bits.
pub static LOCAL_GROUPS: [LocalGroups; 64] = {
    let mut table = [LocalGroups { count: 0, directions: [0; 3] }; 64];
    let mut pattern = 0;
    while pattern < 64 {
        let entry = &mut table[pattern];
        let mut d = 0;
        while d < 6 {
            // A group begins where a neighbour is set and the one before it is not.
            if pattern >> d & 1 == 1 && pattern >> ((d + 5) % 6) & 1 == 0 {
                entry.directions[entry.count as usize] = d as u8;
                entry.count += 1;
            }
            d += 1;
        }
        if pattern == 63 {
            entry.count = 1;
        }
        pattern += 1;
    }
    table
};

/// The six neighbours of a cell that are in the set, as bits in cyclic order.
#[inline(always)]
pub fn neighbour_pattern<W: Width>(layout: &Layout<W>, set: &Set<W>, cell: Cell) -> usize {
    // One word holds the 2 * stride + 3 bits from the first neighbour to the last. The window wraps around
    // the ends of the set: within that distance no board has cells there.
    let (words, count, stride) = (set.words(), W::Words::LEN, layout.stride());
    let start = cell.index() + 64 * count - stride - 1;
    let (word, bit) = (start / 64, start % 64);
    let window = words[word % count] >> bit | (words[(word + 1) % count] << 1) << (63 - bit);
    let above = window >> (2 * stride + 1) & 0b11;
    let beside = window >> stride;
    let below = (window & 1) << 4 | (window >> 1 & 1) << 3;
    (above | beside & 0b100 | below | (beside & 1) << 5) as usize
}

/// Rotates six neighbour bits by `by` directions.
#[inline(always)]
pub const fn rotate(pattern: usize, by: usize) -> usize {
    (pattern << by | pattern >> (6 - by)) & 63
}

/// The set moved one step in a direction; what leaves the board is dropped.
#[inline(always)]
pub fn step<W: Width>(layout: &Layout<W>, set: Set<W>, direction: usize) -> Set<W> {
    set.shift(layout.steps()[direction]) & layout.on_board
}

/// For each direction, the cells whose neighbour in that direction is in the set.
#[inline(always)]
pub fn neighbour_planes<W: Width>(layout: &Layout<W>, set: Set<W>) -> [Set<W>; 6] {
    // This is the set moved in the opposite direction.
    [
        step(layout, set, 3),
        step(layout, set, 4),
        step(layout, set, 5),
        step(layout, set, 0),
        step(layout, set, 1),
        step(layout, set, 2),
    ]
}

/// The set and all its neighbours.
#[inline(always)]
pub fn dilate<W: Width>(layout: &Layout<W>, set: Set<W>) -> Set<W> {
    let stride = layout.stride();
    // A step of stride + 1 is a step of stride and a step of 1: four shifts cover six directions.
    let (right, left) = (set | set.shift_up(1), set | set.shift_down(1));
    (right | right.shift_up(stride) | left | left.shift_down(stride)) & layout.on_board
}

/// Neighbours of a cell as bits of one word; bit 0 is the neighbour with the lowest index.
#[derive(Clone, Copy)]
pub struct Neighbours(u64);

impl Neighbours {
    /// The neighbours in some directions; `directions` has one bit per direction.
    #[inline(always)]
    pub const fn new(stride: usize, directions: usize) -> Self {
        let bits = [2 * stride + 1, 2 * stride + 2, stride + 2, 1, 0, stride];
        let (mut word, mut d) = (0, 0);
        while d < 6 {
            word |= ((directions >> d & 1) as u64) << bits[d];
            d += 1;
        }
        Self(word)
    }

    /// These neighbours of a cell, as a set. Indices off the board may be in it.
    #[inline(always)]
    pub fn of<W: Width>(self, layout: &Layout<W>, cell: Cell) -> Set<W> {
        let first = (cell.index() as u64).wrapping_sub(layout.stride() as u64 + 1);
        let mut words = W::Words::zero();
        if W::Words::LEN == 1 {
            words.words_mut()[0] = self.0.rotate_left(first as u32 % 64);
            return Set::<W>::from_words(words);
        }
        for (i, word) in words.words_mut().iter_mut().enumerate() {
            // A shift by 64 or more gives 0. Both shifts are below 64 only if both are 0.
            let up = first.wrapping_sub(64 * i as u64);
            let down = up.wrapping_neg();
            let high = if up < 64 { self.0 << up } else { 0 };
            let low = if down < 64 { self.0 >> down } else { 0 };
            *word = high | low;
        }
        Set::<W>::from_words(words)
    }
}

/// The part of `mask` that is connected to `seed` inside `mask`.
#[inline(always)]
pub fn flood<W: Width>(layout: &Layout<W>, seed: Set<W>, mask: Set<W>) -> Set<W> {
    let mut filled = seed & mask;
    loop {
        let wider = dilate(layout, filled) & mask;
        if wider == filled {
            return filled;
        }
        filled = wider;
    }
}

/// The cells next to at least one, two and three separate groups of the set.
#[inline(always)]
pub fn cells_by_groups<W: Width>(layout: &Layout<W>, set: Set<W>) -> [Set<W>; 3] {
    let planes = neighbour_planes(layout, set);
    let mut at_least = [Set::<W>::empty(); 3];
    let mut surrounded = layout.on_board;
    for d in 0..6 {
        let begins = planes[d] - planes[(d + 5) % 6];
        at_least[2] |= at_least[1] & begins;
        at_least[1] |= at_least[0] & begins;
        at_least[0] |= begins;
        surrounded &= planes[d];
    }
    at_least[0] |= surrounded;
    at_least
}

/// The empty cells two away from an own stone with both cells between empty (Stankiewicz 2011 §3.7).
/// A stone there is as good as connected to it.
#[inline(always)]
pub fn joint_cells<W: Width>(layout: &Layout<W>, own: Set<W>, empty: Set<W>) -> Set<W> {
    let free = neighbour_planes(layout, empty);
    let mut joints = Set::<W>::empty();
    for d in 0..6 {
        let e = (d + 1) % 6;
        let far = step(layout, step(layout, own, (d + 3) % 6) & empty, (e + 3) % 6);
        joints |= far & free[d] & free[e];
    }
    joints & empty
}
