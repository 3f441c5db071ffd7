//! The game itself, on bit sets.
//!
//! - Moves are simultaneous. A search makes them one after the other: the move of the side that chooses
//!   first is stored, and the other side chooses without knowing it.
//! - A move is the cell it leads to. Only free cells are moves: a deliberate crash is never better than
//!   a free cell.
//! - The game is over as soon as a side has no move. It crashes with its next step; its opponent does so
//!   only if it has no move either.
//! - Both sides may move to the same free cell: that is a draw. (Exchanging heads would be a draw too,
//!   but heads are not free cells.)

use super::Side;
use super::grid::{Direction, Grid};
use super::map::Map;
use super::symmetry::Symmetry;
use crate::bits::{Bits, Words};
use crate::game::{DRAW, LOSS, Move, WIN};

/// A position on a grid whose cells fit into `W`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position<W: Words> {
    grid: Grid,
    /// Walls, including those around the grid, and heads.
    taken: Bits<W>,
    heads: [u16; 2],
    /// The side that chooses first, and the cell it has chosen.
    first: u8,
    chosen: Option<u16>,
    /// The number of moves made so far, of both sides.
    ply: u16,
    /// The points of side 0, if the game is over.
    result: Option<u8>,
}

impl<W: Words> Position<W> {
    /// The position of a map, in which side `first` chooses first.
    ///
    /// # Panics
    /// If the map has more cells than the set can hold.
    pub fn new(map: &Map, first: Side) -> Self {
        let grid = map.grid;
        assert!(grid.span() <= Bits::<W>::CAPACITY, "the grid is too large");
        let mut taken: Bits<W> = (0..Bits::<W>::CAPACITY).collect();
        grid.cells().filter(|cell| !map.walls[*cell]).for_each(|cell| taken.remove(cell));
        map.heads.iter().for_each(|head| taken.insert(*head));
        let heads = map.heads.map(|head| head as u16);
        let mut position =
            Self { grid, taken, heads, first: first as u8, chosen: None, ply: 0, result: None };
        position.find_result();
        position
    }

    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The cells that are not free: walls, including those around the grid, and heads.
    pub fn taken(&self) -> Bits<W> {
        self.taken
    }

    #[inline(always)]
    pub fn head(&self, side: Side) -> usize {
        self.heads[side] as usize
    }

    /// The side that chooses first.
    #[inline(always)]
    pub fn first(&self) -> Side {
        self.first as Side
    }

    /// The move that is chosen but not yet made, and not known to the other side.
    #[inline(always)]
    pub fn chosen(&self) -> Option<Move> {
        self.chosen.map(|cell| Move::new(cell as usize))
    }

    #[inline(always)]
    pub fn ply(&self) -> usize {
        self.ply as usize
    }

    #[inline(always)]
    pub fn to_move(&self) -> Side {
        if self.chosen.is_none() { self.first() } else { 1 - self.first() }
    }

    /// The points of side 0, if the game is over.
    #[inline(always)]
    pub fn result(&self) -> Option<u32> {
        self.result.map(u32::from)
    }

    /// The free cells next to the head of a side.
    #[inline(always)]
    pub fn exits(&self, side: Side) -> Exits {
        Exits::of(self.grid, self.head(side), |cell| !self.taken.contains(cell))
    }

    /// A hash of the grid, the taken cells, the heads, the side that chooses first, and the chosen move.
    pub fn hash(&self) -> u64 {
        let words = self.grid.span().div_ceil(64);
        hash_of(self.grid, &self.taken.words()[..words], self.heads, self.chosen, self.first)
    }

    /// A hash that the eight symmetric images of a position share: the minimum of their hashes. The
    /// sides are not exchanged.
    pub fn canonical_hash(&self) -> u64 {
        let image = |symmetry: Symmetry| {
            let grid = symmetry.grid(self.grid);
            let image_of = |cell: usize| symmetry.cell(self.grid, cell);
            let mut taken = vec![u64::MAX; grid.span().div_ceil(64)];
            for cell in self.grid.cells().filter(|cell| !self.taken.contains(*cell)) {
                let free = image_of(cell);
                taken[free / 64] &= !(1 << (free % 64));
            }
            let heads = self.heads.map(|head| image_of(head as usize) as u16);
            let chosen = self.chosen.map(|cell| image_of(cell as usize) as u16);
            hash_of(grid, &taken, heads, chosen, self.first)
        };
        Symmetry::ALL.into_iter().map(image).min().expect("there are eight images")
    }

    /// Whether a move of the side to move is legal.
    pub fn is_legal(&self, next: Move) -> bool {
        self.result.is_none() && self.exits(self.to_move()).contains(next.number())
    }

    /// Makes a legal move of the side to move.
    pub fn make(&mut self, next: Move) {
        debug_assert!(self.is_legal(next));
        self.ply += 1;
        match self.chosen.take() {
            None => self.chosen = Some(next.number() as u16),
            Some(other) => {
                let mut cells = [other as usize, next.number()];
                if self.first == 1 {
                    cells.swap(0, 1);
                }
                self.step(cells);
            }
        }
    }

    /// Both sides move to free cells. `cells` is indexed by side.
    fn step(&mut self, cells: [usize; 2]) {
        cells.iter().for_each(|cell| self.taken.insert(*cell));
        self.heads = cells.map(|cell| cell as u16);
        if cells[0] == cells[1] {
            self.result = Some(DRAW as u8);
        } else {
            self.find_result();
        }
    }

    fn find_result(&mut self) {
        let stuck = [0, 1].map(|side| self.exits(side).is_empty());
        self.result = match stuck {
            [false, false] => None,
            [true, true] => Some(DRAW as u8),
            [true, false] => Some(LOSS as u8),
            [false, true] => Some(WIN as u8),
        };
    }

    /// Both sides move simultaneously; walls are allowed. Returns the points of side 0 if the game is
    /// now over. If a side crashes, no head moves.
    pub fn play(&mut self, ways: [Direction; 2]) -> Option<u32> {
        debug_assert!(self.chosen.is_none() && self.result.is_none());
        let cells = [0, 1].map(|side| self.grid.step(self.head(side), ways[side]));
        self.ply += 2;
        match cells.map(|cell| self.taken.contains(cell)) {
            [false, false] => self.step(cells),
            [true, true] => self.result = Some(DRAW as u8),
            [true, false] => self.result = Some(LOSS as u8),
            [false, true] => self.result = Some(WIN as u8),
        }
        self.result()
    }

    /// The same position with another side that chooses first. No side may have chosen yet.
    #[must_use]
    pub fn with_first(mut self, side: Side) -> Self {
        debug_assert!(self.chosen.is_none());
        self.first = side as u8;
        self
    }

    /// A later position of the same game, with other taken cells and other heads.
    #[must_use]
    pub fn at(&self, taken: Bits<W>, heads: [u16; 2]) -> Self {
        let mut later = Self { taken, heads, chosen: None, result: None, ..self.clone() };
        later.find_result();
        later
    }

    /// The position as a map, without the chosen move.
    pub fn to_map(&self) -> Map {
        let mut walls = vec![false; self.grid.span()];
        let heads = [self.head(0), self.head(1)];
        for cell in self.grid.cells() {
            walls[cell] = self.taken.contains(cell) && !heads.contains(&cell);
        }
        Map { grid: self.grid, walls, heads }
    }

    /// The direction of a move of a side.
    pub fn direction(&self, side: Side, to: Move) -> Option<Direction> {
        self.grid.direction(self.head(side), to.number())
    }
}

/// The hash of a position. `taken` has only the words that the grid needs, so the hash does not depend
/// on the width of the set.
fn hash_of(grid: Grid, taken: &[u64], heads: [u16; 2], chosen: Option<u16>, first: u8) -> u64 {
    let [a, b] = heads.map(u64::from);
    let chosen = chosen.map_or(u64::from(u16::MAX), u64::from);
    let turn = a | b << 16 | chosen << 32 | u64::from(first) << 48;
    let shape = grid.width() as u64 | (grid.height() as u64) << 32;
    let mixed = |hash: u64, word: &u64| {
        let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ hash >> 29
    };
    taken.iter().chain([&turn]).fold(shape, mixed)
}

/// The free cells next to a cell: at most four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exits {
    cells: [u16; 4],
    count: u8,
    /// A bit for each direction that leads to one.
    ways: u8,
}

impl Exits {
    #[inline(always)]
    pub fn of(grid: Grid, cell: usize, is_free: impl Fn(usize) -> bool) -> Self {
        let mut exits = Self { cells: [0; 4], count: 0, ways: 0 };
        for direction in Direction::ALL {
            let next = grid.step(cell, direction);
            let is_free = u8::from(is_free(next));
            exits.cells[exits.count as usize & 3] = next as u16;
            exits.count += is_free;
            exits.ways |= is_free << direction as u8;
        }
        exits
    }

    #[inline(always)]
    pub fn cells(&self) -> &[u16] {
        &self.cells[..self.count as usize]
    }

    /// A bit for each direction that leads to one of the cells, in the order of [`Direction::ALL`].
    #[inline(always)]
    pub fn ways(&self) -> u8 {
        self.ways
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub fn contains(&self, cell: usize) -> bool {
        self.cells().contains(&(cell as u16))
    }
}

/// Runs an expression with a type alias for the smallest array of words that holds the cells of a grid:
/// `with_words!(map.grid.span(), W => Position::<W>::new(&map, 0).ply())`.
macro_rules! with_words {
    ($span:expr, $words:ident => $body:expr) => {
        with_words!(@ $span, $words, $body, 4 8 16)
    };
    (@ $span:expr, $words:ident, $body:expr, $($count:literal)*) => {
        match $span {
            $(span if span <= 64 * $count => {
                type $words = [u64; $count];
                $body
            })*
            _ => {
                type $words = [u64; 64];
                $body
            }
        }
    };
}

pub(crate) use with_words;
