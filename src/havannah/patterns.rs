//! Local patterns: the content of the six neighbours of a cell (Stankiewicz 2011 §3.2), and the dead
//! cells that patterns show (§3.4).
//!
//! - A pattern is three groups of six bits in the cyclic order of the directions: own stones, opponent
//!   stones, and neighbours on the rim (corners included).
//! - A neighbour off the board has no bit set.
//! - The twelve symmetric siblings of a pattern are its rotations and reflections. The smallest one
//!   represents the class.

use super::board::Board;
use super::geometry::{Cell, Geometry};
use super::neighbourhood::{dilate, neighbour_pattern, neighbour_planes};
use super::rules::Colour;
use super::width::{Layout, Set, Width};

/// The 18 bits of a local pattern: own stones in bits 0..5, opponent stones in 6..11, rim in 12..17.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern(u32);

impl Pattern {
    pub const COUNT: usize = 1 << 18;

    #[inline(always)]
    pub const fn new(own: usize, opponent: usize, rim: usize) -> Self {
        debug_assert!(own | opponent | rim < 64);
        Self((own | opponent << 6 | rim << 12) as u32)
    }

    /// The pattern with an index below [`Pattern::COUNT`].
    pub const fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// Whether a cell with this pattern is dead by the published rule. Its neighbours are either four of one
    /// side in a row, the inner two on the rim, and two of the other side; or three and three.
    pub fn is_dead_as_published(self) -> bool {
        let has = |ring: usize, d: usize| ring >> (d % 6) & 1 != 0;
        let [own, opponent] = [self.own(), self.opponent()];
        let in_a_row =
            |ring: usize, first: usize, count: usize| (first..first + count).all(|d| has(ring, d));
        (0..6).any(|d| {
            let threes = in_a_row(own, d, 3) && in_a_row(opponent, d + 3, 3);
            let inner_on_rim = in_a_row(self.rim(), d + 1, 2);
            let fours = |one, other| in_a_row(one, d, 4) && in_a_row(other, d + 4, 2);
            threes || inner_on_rim && (fours(own, opponent) || fours(opponent, own))
        })
    }

    /// The pattern of a cell from the point of view of a side.
    #[inline(always)]
    pub fn at<W: Width>(board: &Board<W>, colour: Colour, cell: Cell) -> Self {
        let own = neighbour_pattern(board.layout(), &board.stones(colour), cell);
        let opponent = neighbour_pattern(board.layout(), &board.stones(colour.other()), cell);
        Self::new(own, opponent, rim_pattern(board.geometry(), cell))
    }

    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub const fn own(self) -> usize {
        self.index() & 63
    }

    pub const fn opponent(self) -> usize {
        self.index() >> 6 & 63
    }

    pub const fn rim(self) -> usize {
        self.index() >> 12
    }

    /// The twelve symmetric siblings, the pattern itself first.
    pub fn siblings(self) -> [Pattern; 12] {
        std::array::from_fn(|k| {
            let image = |ring: usize| {
                let ring = if k < 6 { ring } else { mirror(ring) };
                (ring << (k % 6) | ring >> (6 - k % 6)) & 63
            };
            Self::new(image(self.own()), image(self.opponent()), image(self.rim()))
        })
    }

    /// The sibling that represents the class.
    pub fn class(self) -> Pattern {
        self.siblings().into_iter().min().expect("there are twelve siblings")
    }
}

fn mirror(ring: usize) -> usize {
    (0..6).filter(|bit| ring >> bit & 1 != 0).map(|bit| 1 << (5 - bit)).sum()
}

/// The neighbours of a cell that lie on the rim of the board, as bits.
fn rim_pattern(tables: &Geometry, cell: Cell) -> usize {
    let on_rim = |d: &usize| {
        tables.neighbour(cell, *d).is_some_and(|neighbour| tables.border[neighbour.index()] != 0)
    };
    (0..6).filter(on_rim).map(|d| 1 << d).sum()
}

/// The cells on the rim of the board.
#[inline(always)]
fn rim<W: Width>(layout: &Layout<W>) -> Set<W> {
    // A cell that is not on the rim has six neighbours on the board.
    let planes = neighbour_planes(layout, layout.on_board);
    let inside = planes.into_iter().fold(layout.on_board, |all, plane| all & plane);
    layout.on_board - inside
}

/// Empty cells that are useless to both sides for the rest of the game. The six neighbours are either:
/// - four of one side in a row, the inner two on the rim, and two of the other side; or
/// - three and three, if neither middle stone can still be ringed. (Without this condition a stone on
///   the cell can complete a ring around a middle stone.)
#[inline(always)]
pub fn dead_cells<W: Width>(board: &Board<W>) -> Set<W> {
    let [white, black] = board.both_stones();
    let layout = board.layout();
    let rim = rim(layout);
    let unringable = [white & (rim | dilate(layout, black)), black & (rim | dilate(layout, white))];
    dead_by_pattern(board, unringable)
}

/// Dead cells by the published rule (Stankiewicz 2011 §3.4). It has no condition on the middle stones, so
/// it is not exact.
#[inline(always)]
pub fn dead_cells_as_published<W: Width>(board: &Board<W>) -> Set<W> {
    dead_by_pattern(board, board.both_stones())
}

/// Whether an empty cell is dead: exactly, or by the published rule.
#[inline(always)]
pub fn is_dead<W: Width>(
    layout: &Layout<W>,
    stones: &[Set<W>; 2],
    cell: Cell,
    exactly: bool,
) -> bool {
    let patterns =
        [neighbour_pattern(layout, &stones[0], cell), neighbour_pattern(layout, &stones[1], cell)];
    if patterns[0] | patterns[1] != 63 || RUNS[patterns[0]] == 0 {
        return false;
    }
    let on_rim = |index: usize| layout.border[index] != 0;
    let neighbour = |d: usize| cell.index().wrapping_add_signed(layout.steps()[d % 6]);
    let first = FIRST[patterns[0]] as usize;
    match RUNS[patterns[0]] {
        3 => {
            let is_unringable = |side: usize, d: usize| {
                let middle = neighbour(d);
                let others = &stones[1 - side];
                on_rim(middle) || neighbour_pattern(layout, others, Cell::from_index(middle)) != 0
            };
            !exactly || is_unringable(0, first + 1) && is_unringable(1, first + 4)
        }
        // Four of one side, the inner two on the rim, and two of the other side.
        4 => on_rim(neighbour(first + 1)) && on_rim(neighbour(first + 2)),
        _ => on_rim(neighbour(first + 3)) && on_rim(neighbour(first + 4)),
    }
}

/// The length of the run, for six bits that form one run of two, three or four; otherwise 0.
static RUNS: [u8; 64] = run_tables().0;
/// The first bit of that run.
static FIRST: [u8; 64] = run_tables().1;

const fn run_tables() -> ([u8; 64], [u8; 64]) {
    let (mut runs, mut firsts) = ([0; 64], [0; 64]);
    let mut length = 2;
    while length <= 4 {
        let mut first = 0;
        while first < 6 {
            let row = ((1 << length) - 1) << first;
            let pattern = (row | row >> 6) & 63;
            (runs[pattern], firsts[pattern]) = (length, first as u8);
            first += 1;
        }
        length += 1;
    }
    (runs, firsts)
}

#[inline(always)]
fn dead_by_pattern<W: Width>(board: &Board<W>, middle: [Set<W>; 2]) -> Set<W> {
    let layout = board.layout();
    let stones = board.both_stones();
    let planes = [neighbour_planes(layout, stones[0]), neighbour_planes(layout, stones[1])];
    let middles = [neighbour_planes(layout, middle[0]), neighbour_planes(layout, middle[1])];
    let rims = neighbour_planes(layout, rim(layout));
    let mut dead = Set::<W>::empty();
    for side in 0..2 {
        let (own, other) = (&planes[side], &planes[1 - side]);
        for d in 0..6 {
            let at = |k: usize| (d + k) % 6;
            let threes = own[d] & own[at(1)] & own[at(2)] & other[at(4)] & other[at(5)];
            dead |= threes & own[at(3)] & rims[at(1)] & rims[at(2)];
            // Three and three are symmetric: one pass finds them all.
            if side == 0 {
                dead |= threes & other[at(3)] & middles[0][at(1)] & middles[1][at(4)];
            }
        }
    }
    dead & board.empty_cells()
}
