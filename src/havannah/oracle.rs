//! The rules of Havannah again, slow and obvious. Nothing is kept between stones: every answer comes from
//! a flood fill or from a loop over the cells.
//!
//! - A position is two sets of cell ordinals and a side to move.
//! - The oracle shares coordinates and vocabulary with the board, but no algorithm: each checks the other.
//! - Use it in tests, in fuzzing and to verify a result; the rules themselves may not use it.
//! - Dead cells are those of Stankiewicz 2011 §3.4, as published and made exact.

use bitvec::prelude::{BitSlice, BitVec, bitvec};

use super::geometry::{CORNER_BITS, Cell, DIRECTIONS, EDGE_BITS, Geometry};
use super::rules::{Colour, Outcome, PlayError, Wins};
use super::zobrist;

/// A position. Cells and the bits of every set are numbered by ordinal.
#[derive(Clone)]
pub struct Oracle {
    tables: &'static Geometry,
    /// The neighbours of each cell in cyclic order; `None` if off the board.
    around: Vec<[Option<usize>; 6]>,
    /// The corner or edge bit of each cell; 0 inside.
    border: Vec<u16>,
    stones: [BitVec; 2],
    to_move: Colour,
    outcome: Outcome,
}

impl Oracle {
    /// The empty board, White to move.
    pub fn new(tables: &'static Geometry) -> Self {
        let around: Vec<[Option<usize>; 6]> = tables
            .cells()
            .iter()
            .map(|cell| {
                let (x, y) = tables.xy(*cell);
                DIRECTIONS.map(|(dx, dy)| {
                    let neighbour = tables.cell(x + dx, y + dy)?;
                    Some(tables.ordinal[neighbour.index()] as usize)
                })
            })
            .collect();
        Self {
            tables,
            border: border_bits(&around),
            stones: [bitvec![0; around.len()], bitvec![0; around.len()]],
            around,
            to_move: Colour::White,
            outcome: Outcome::Ongoing,
        }
    }

    pub fn to_move(&self) -> Colour {
        self.to_move
    }

    pub fn set_to_move(&mut self, colour: Colour) {
        self.to_move = colour;
    }

    pub fn stones(&self, colour: Colour) -> &BitSlice {
        &self.stones[colour.index()]
    }

    pub fn empty_cells(&self) -> BitVec {
        self.cells_where(|cell| self.is_empty(cell))
    }

    /// Plays a stone for the side to move.
    pub fn play(&mut self, cell: Cell) -> Result<Outcome, PlayError> {
        let cell = self.ordinal(cell).ok_or(PlayError::OffBoard)?;
        if self.outcome.is_over() {
            return Err(PlayError::GameOver);
        }
        if !self.is_empty(cell) {
            return Err(PlayError::Occupied);
        }
        let colour = self.to_move;
        self.stones[colour.index()].set(cell, true);
        self.to_move = colour.other();
        // The game stops at the first win, so the last stone completed everything that is found.
        let wins = self.wins(self.stones(colour));
        self.outcome = if !wins.is_empty() {
            Outcome::Won { by: colour, wins }
        } else if self.empty_cells().not_any() {
            Outcome::Draw
        } else {
            Outcome::Ongoing
        };
        Ok(self.outcome)
    }

    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Every kind of win that a set of stones of one colour shows.
    pub fn wins(&self, stones: &BitSlice) -> Wins {
        let mut wins = Wins::NONE;
        for chain in self.chains_of(stones) {
            let borders = self.borders(&chain);
            if (borders & CORNER_BITS).count_ones() >= 2 {
                wins = wins.union(Wins::BRIDGE);
            }
            if (borders & EDGE_BITS).count_ones() >= 3 {
                wins = wins.union(Wins::FORK);
            }
        }
        if self.encloses_other_cell(stones) || self.encloses_own_stone(stones) {
            wins = wins.union(Wins::RING);
        }
        wins
    }

    /// Whether some cell outside the set has no path to the rim that avoids the set.
    pub fn encloses_other_cell(&self, stones: &BitSlice) -> bool {
        let mut others = !stones.to_bitvec();
        let ways_out = (0..self.cell_count()).filter(|cell| self.is_rim(*cell));
        self.take_connected(ways_out.collect(), &mut others);
        others.any()
    }

    /// Whether some stone of the set has six neighbours, all of them in the set.
    pub fn encloses_own_stone(&self, stones: &BitSlice) -> bool {
        let own = |neighbour: &Option<usize>| neighbour.is_some_and(|cell| stones[cell]);
        stones.iter_ones().any(|cell| self.around[cell].iter().all(own))
    }

    /// The chains of a side, in the order of their first stones.
    pub fn chains(&self, colour: Colour) -> Vec<BitVec> {
        self.chains_of(self.stones(colour))
    }

    /// The corner and edge bits of the cells of a chain.
    pub fn borders(&self, chain: &BitSlice) -> u16 {
        chain.iter_ones().fold(0, |bits, cell| bits | self.border[cell])
    }

    /// The empty cells where a stone of the colour completes a win.
    pub fn winning_cells(&self, colour: Colour) -> BitVec {
        self.cells_where(|cell| {
            self.is_empty(cell) && !self.wins(&self.with_stone(colour, cell)).is_empty()
        })
    }

    /// The corner and edge bits that a stone on an empty cell would be connected to, including the border of
    /// the cell itself.
    pub fn connected_borders(&self, colour: Colour, cell: Cell) -> u16 {
        let Some(cell) = self.ordinal(cell) else {
            return 0;
        };
        let mut stones = self.with_stone(colour, cell);
        self.borders(&self.take_connected(vec![cell], &mut stones))
    }

    /// The number of separate groups among the stones of a colour next to a cell.
    pub fn group_count(&self, colour: Colour, cell: Cell) -> usize {
        let Some(cell) = self.ordinal(cell) else {
            return 0;
        };
        let mut own_neighbours = bitvec![0; self.cell_count()];
        for neighbour in self.neighbours(cell) {
            own_neighbours.set(neighbour, self.stones(colour)[neighbour]);
        }
        self.chains_of(&own_neighbours).len()
    }

    /// The empty cells next to a stone of the colour.
    pub fn neighbour_cells(&self, colour: Colour) -> BitVec {
        self.cells_where(|cell| {
            self.is_empty(cell) && self.neighbours(cell).any(|next| self.stones(colour)[next])
        })
    }

    /// The empty cells two away from a stone of the colour, with two empty common neighbours.
    pub fn joint_cells(&self, colour: Colour) -> BitVec {
        let is_joint = |cell: usize, d: usize| {
            let e = (d + 1) % 6;
            let between = (self.around[cell][d], self.around[cell][e]);
            let (Some(first), Some(second)) = between else {
                return false;
            };
            let Some(far) = self.around[first][e] else {
                return false;
            };
            self.is_empty(first) && self.is_empty(second) && self.stones(colour)[far]
        };
        self.cells_where(|cell| self.is_empty(cell) && (0..6).any(|d| is_joint(cell, d)))
    }

    /// The dead cells of Stankiewicz 2011 §3.4: empty, all six neighbours occupied, and either four of one
    /// colour in a row, the inner two on the rim, against two; or three against three.
    pub fn dead_cells_paper(&self) -> BitVec {
        self.cells_where(|cell| {
            self.full_surroundings(cell).is_some_and(|around| {
                self.is_four_against_two(&around) || middles_of_threes(&around).is_some()
            })
        })
    }

    /// The cells where a stone of either colour can never help: the published ones, except three against
    /// three with a middle stone that can still be ringed through the cell.
    pub fn dead_cells_exact(&self) -> BitVec {
        self.cells_where(|cell| {
            self.full_surroundings(cell).is_some_and(|around| {
                self.is_four_against_two(&around)
                    || middles_of_threes(&around)
                        .is_some_and(|middles| !middles.iter().any(|m| self.can_be_ringed(*m)))
            })
        })
    }

    /// Zobrist hash of stones and side to move.
    pub fn hash(&self) -> u64 {
        self.hash_of_image(0)
    }

    /// The smallest hash among the twelve symmetric images of the position.
    pub fn canonical_hash(&self) -> u64 {
        (0..12).fold(u64::MAX, |least, symmetry| least.min(self.hash_of_image(symmetry)))
    }

    fn hash_of_image(&self, symmetry: usize) -> u64 {
        let mut hash = match self.to_move {
            Colour::White => 0,
            Colour::Black => zobrist::BLACK_TO_MOVE,
        };
        for colour in Colour::BOTH {
            for cell in self.stones(colour).iter_ones() {
                let image = self.image(cell, symmetry);
                hash ^= zobrist::key(colour, self.tables.ordinal[image.index()]);
            }
        }
        hash
    }

    /// From the centre, a cell is x steps in direction 0 and y steps in direction 2. A symmetry exchanges the
    /// two numbers or not, and rotates both directions.
    fn image(&self, cell: usize, symmetry: usize) -> Cell {
        let centre = self.tables.size as i32 - 1;
        let (x, y) = self.tables.xy(self.tables.cells()[cell]);
        let (x, y) = if symmetry < 6 { (x, y) } else { (y, x) };
        let (along, across) = (DIRECTIONS[symmetry % 6], DIRECTIONS[(symmetry + 2) % 6]);
        let turned =
            |along: i32, across: i32| (x - centre) * along + (y - centre) * across + centre;
        self.tables
            .cell(turned(along.0, across.0), turned(along.1, across.1))
            .expect("a symmetry keeps a cell on the board")
    }

    fn cell_count(&self) -> usize {
        self.around.len()
    }

    fn ordinal(&self, cell: Cell) -> Option<usize> {
        let ordinal = *self.tables.ordinal.get(cell.index())?;
        (ordinal != Geometry::OFF_BOARD).then_some(ordinal as usize)
    }

    fn cells_where(&self, holds: impl Fn(usize) -> bool) -> BitVec {
        (0..self.cell_count()).map(holds).collect()
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        self.around[cell].iter().copied().flatten()
    }

    fn is_rim(&self, cell: usize) -> bool {
        self.around[cell].contains(&None)
    }

    fn is_empty(&self, cell: usize) -> bool {
        self.colour_at(cell).is_none()
    }

    fn colour_at(&self, cell: usize) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|colour| self.stones(*colour)[cell])
    }

    fn with_stone(&self, colour: Colour, cell: usize) -> BitVec {
        let mut stones = self.stones(colour).to_bitvec();
        stones.set(cell, true);
        stones
    }

    /// Removes from a set, and returns, all cells connected to the seeds inside the set.
    fn take_connected(&self, seeds: Vec<usize>, set: &mut BitSlice) -> BitVec {
        let mut connected = bitvec![0; self.cell_count()];
        let mut waiting = seeds;
        while let Some(cell) = waiting.pop() {
            if set.replace(cell, false) {
                connected.set(cell, true);
                waiting.extend(self.neighbours(cell).filter(|next| set[*next]));
            }
        }
        connected
    }

    fn chains_of(&self, stones: &BitSlice) -> Vec<BitVec> {
        let mut chains = Vec::new();
        let mut rest = stones.to_bitvec();
        while let Some(stone) = rest.first_one() {
            chains.push(self.take_connected(vec![stone], &mut rest));
        }
        chains
    }

    /// The six neighbours of an empty cell and their colours; `None` unless all six are stones.
    fn full_surroundings(&self, cell: usize) -> Option<[(usize, Colour); 6]> {
        if !self.is_empty(cell) || self.is_rim(cell) {
            return None;
        }
        let stone = |neighbour: usize| Some((neighbour, self.colour_at(neighbour)?));
        let stones: Vec<_> = self.neighbours(cell).map(stone).collect::<Option<_>>()?;
        stones.try_into().ok()
    }

    fn is_four_against_two(&self, around: &[(usize, Colour); 6]) -> bool {
        (0..6).any(|start| {
            let stone = |i: usize| around[(start + i) % 6];
            let own = |i: usize| stone(i).1 == stone(0).1;
            (0..4).all(own)
                && !(4..6).any(own)
                && self.is_rim(stone(1).0)
                && self.is_rim(stone(2).0)
        })
    }

    fn can_be_ringed(&self, stone: usize) -> bool {
        let hostile = |cell| self.colour_at(cell).is_some_and(|c| Some(c) != self.colour_at(stone));
        !self.is_rim(stone) && !self.neighbours(stone).any(hostile)
    }
}

/// The two middle stones, if the neighbours are three in a row of each colour.
fn middles_of_threes(around: &[(usize, Colour); 6]) -> Option<[usize; 2]> {
    let start = (0..6).find(|start| {
        let own = |i: usize| around[(start + i) % 6].1 == around[*start].1;
        (0..3).all(own) && !(3..6).any(own)
    })?;
    Some([1, 4].map(|i| around[(start + i) % 6].0))
}

/// Walks around the rim from corner 0 (the first cell), first along its row. A cell with three neighbours
/// is the next corner; a cell with four is on the edge after the last corner.
fn border_bits(around: &[[Option<usize>; 6]]) -> Vec<u16> {
    const ALONG_THE_ROW: usize = 2;
    let mut border = vec![0; around.len()];
    let (mut cell, mut direction, mut corners) = (0, ALONG_THE_ROW, 0);
    while border[cell] == 0 {
        if around[cell].iter().flatten().count() == 3 {
            border[cell] = 1 << corners;
            corners += 1;
        } else {
            border[cell] = 1 << (6 + corners - 1);
        }
        if around[cell][direction].is_none() {
            direction = (direction + 5) % 6;
        }
        cell = around[cell][direction].expect("the rim turns by one direction at a corner");
    }
    border
}
